/* Stretches as text. */
#include "passes/tile/rewrite.h"

void tn_tile_asks_put(const tn_tile_asks *asks, tn_sink *out) {
    for (uint32_t i = 0; i < asks->len; i++) {
        const tn_tile_ask *a = &asks->data[i];
        tn_putf(out, "%s%u-%u", i > 0 ? ";" : "", a->first, a->last);
        for (uint32_t d = 0; d < a->n; d++) {
            tn_putf(out, "%c%u/%u", d > 0 ? '+' : ':', a->axis[d], a->parts[d]);
        }
        tn_putf(out, "%s%s", a->puts ? "u" : "", a->keeps ? "k" : "");
    }
}

static bool take(const char **at, char c) {
    bool there = **at == c;
    *at += there;
    return there;
}

/* At most 6 digits: no graph has more ops in a row that are worth it. */
static bool number(const char **at, uint32_t *out) {
    uint32_t n = 0, digits = 0;
    for (; **at >= '0' && **at <= '9' && digits < 7; digits++) {
        n = n * 10 + (uint32_t)(*(*at)++ - '0');
    }
    *out = n;
    return digits > 0 && digits < 7;
}

static bool read_one(const char **at, tn_tile_ask *a) {
    *a = (tn_tile_ask){0};
    bool good = number(at, &a->first) && take(at, '-') && number(at, &a->last) && take(at, ':');
    do {
        good = good && a->n < TN_TILED_AXES && number(at, &a->axis[a->n]) && take(at, '/') &&
               number(at, &a->parts[a->n]) && a->axis[a->n] < TN_MAX_RANK && a->parts[a->n] > 0 &&
               a->parts[a->n] <= TN_TILE_MOST_PARTS;
        a->n += good;
    } while (good && take(at, '+'));
    a->puts = take(at, 'u');
    a->keeps = take(at, 'k');
    return good && a->first < a->last && (a->n < 2 || a->axis[0] != a->axis[1]);
}

bool tn_tile_asks_read(tn_arena *arena, const char *text, tn_tile_asks *out) {
    *out = (tn_tile_asks){0};
    bool good = true;
    do {
        tn_tile_ask a;
        good = read_one(&text, &a) && (out->len == 0 || a.first > out->data[out->len - 1].last);
        if (good) {
            tn_vec_push(arena, out, a);
        }
    } while (good && take(&text, ';'));
    return good && *text == '\0';
}

tn_tile_asks tn_tile_asks_of(const tn_module *m, tn_arena *arena) {
    tn_tile_asks asks = {0};
    for (uint32_t i = 0; m->tiled != NULL && i < m->tiled->stretches.len; i++) {
        const tn_tiled_stretch *s = &m->tiled->stretches.data[i];
        tn_tile_ask a = {
            .first = s->first, .last = s->last, .n = s->n_axes, .puts = s->puts, .keeps = s->keeps};
        for (uint32_t d = 0; d < a.n; d++) {
            a.axis[d] = s->axis[d];
            a.parts[d] = s->parts[d];
        }
        tn_vec_push(arena, &asks, a);
    }
    return asks;
}
