/* Which pairs clash, and choices of items that hit every set. */
#include <string.h>

#include "ir/base/key_sort.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/keep/keep_t.h"

/* ---- pairs ---- */

typedef struct sweep {
    tn_keep_case *c;
    uint32_t *order, n; /* those that may stay, by where they begin along the axis */
    bool by_address;    /* all live equally long: then few meet at one address */
} sweep;

static sweep sort_items(tn_keep_case *c) {
    sweep s = {.c = c, .order = TN_ARRAY(c->arena, uint32_t, c->n), .by_address = true};
    tn_sort_key *keys = tn_sort_room(c->arena, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        const tn_pack_buffer *b = &c->items[i].buffer;
        s.by_address = s.by_address && b->first == c->items[0].buffer.first &&
                       b->last == c->items[0].buffer.last;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        const tn_keep_item *t = &c->items[i];
        if (c->may_stay[i]) {
            uint64_t key = s.by_address ? t->before : tn_time_key(t->buffer.first);
            keys[s.n++] = (tn_sort_key){key, i};
        }
    }
    tn_sort_items(keys, s.n, s.order);
    return s;
}

static bool is_past(const sweep *s, uint32_t old, uint32_t now) {
    const tn_keep_item *a = &s->c->items[old], *b = &s->c->items[now];
    return s->by_address ? a->before + a->buffer.size <= b->before
                         : a->buffer.last <= b->buffer.first;
}

static void add_pair(tn_keep_case *c, tn_keep_sets *sets, uint32_t a, uint32_t b) {
    uint32_t *items = TN_ARRAY(c->arena, uint32_t, 2);
    items[0] = a;
    items[1] = b;
    tn_vec_push(c->arena, sets, (tn_keep_set){items, 2});
}

bool tn_keep_pairs(tn_keep_case *c, tn_keep_sets *sets) {
    sweep s = sort_items(c);
    uint32_t *open = TN_ARRAY(c->arena, uint32_t, s.n), n_open = 0;
    for (uint32_t k = 0; k < s.n; k++) {
        uint32_t now = s.order[k], left = 0;
        for (uint32_t i = 0; i < n_open; i++) {
            if (!is_past(&s, open[i], now)) {
                open[left++] = open[i];
                if (tn_keep_clash(c, open[i], c->items[open[i]].before, now,
                                  c->items[now].before)) {
                    add_pair(c, sets, open[i], now);
                }
            }
        }
        n_open = left;
        open[n_open++] = now;
        c->work += n_open;
        if (sets->len > TN_LIMIT_KEEP_PAIRS) {
            sets->len = 0;
            return false;
        }
    }
    return true;
}

/* ---- hitting all ---- */

typedef struct hitting {
    const tn_keep_case *c;
    const tn_keep_sets *sets;
    bool *in, *best; /* by item: chosen; the best choice */
    uint32_t *out;   /* by item: not to be chosen, where this is not 0 */
    uint32_t *mark;  /* by item: last round in which it was in a set that counted */
    uint32_t *count; /* by item: sets that it would hit */
    uint32_t round;
    uint64_t best_weight, work;
} hitting;

static bool is_hit(const tn_keep_set *s, const bool *in) {
    bool hit = false;
    for (uint32_t i = 0; i < s->n && !hit; i++) {
        hit = in[s->items[i]];
    }
    return hit;
}

/* Again and again what hits most sets for its weight. */
static void hit_greedily(hitting *h) {
    const tn_keep_case *c = h->c;
    for (uint32_t *count = h->count, best;;) {
        best = 0;
        memset(count, 0, c->n * sizeof *count);
        for (uint32_t k = 0; k < h->sets->len; k++) {
            const tn_keep_set *s = &h->sets->data[k];
            bool hit = is_hit(s, h->best);
            for (uint32_t i = 0; i < s->n && !hit; i++) {
                count[s->items[i]]++;
            }
        }
        for (uint32_t i = 1; i < c->n; i++) {
            uint64_t x = (uint64_t)count[i] * c->items[best].weight;
            uint64_t y = (uint64_t)count[best] * c->items[i].weight;
            best = count[i] > 0 && (count[best] == 0 || x > y) ? i : best;
        }
        if (c->n == 0 || count[best] == 0) {
            return;
        }
        h->best[best] = true;
        h->best_weight += c->items[best].weight;
    }
}

/* A set that is not hit yet and leaves the fewest choices; *least becomes what sets without common
 * items cost together, UINT64_MAX where one cannot be hit. NULL: all are hit. */
static const tn_keep_set *next_set(hitting *h, uint64_t *least) {
    const tn_keep_set *next = NULL;
    uint32_t fewest = UINT32_MAX;
    *least = 0;
    h->round++;
    for (uint32_t k = 0; k < h->sets->len; k++) {
        const tn_keep_set *s = &h->sets->data[k];
        uint32_t choices = 0;
        uint64_t cheapest = UINT64_MAX;
        bool apart = true, hit = is_hit(s, h->in);
        h->work += s->n;
        for (uint32_t i = 0; i < s->n && !hit; i++) {
            uint32_t item = s->items[i], weight = h->c->items[item].weight;
            choices += h->out[item] == 0;
            cheapest = h->out[item] == 0 && weight < cheapest ? weight : cheapest;
            apart = apart && (h->out[item] > 0 || h->mark[item] != h->round);
        }
        if (hit) {
            continue;
        }
        if (choices == 0) {
            *least = UINT64_MAX;
            return s;
        }
        for (uint32_t i = 0; i < s->n && apart; i++) {
            h->mark[s->items[i]] = h->round;
        }
        *least += apart ? cheapest : 0;
        next = choices < fewest ? s : next;
        fewest = choices < fewest ? choices : fewest;
    }
    return next;
}

static void hit_exactly(hitting *h, uint64_t weight) {
    uint64_t least;
    const tn_keep_set *s = next_set(h, &least);
    if (least == UINT64_MAX || weight + least >= h->best_weight ||
        h->work > TN_LIMIT_KEEP_HIT_WORK) {
        return;
    }
    if (s == NULL) {
        h->best_weight = weight;
        memcpy(h->best, h->in, h->c->n * sizeof *h->in);
        return;
    }
    uint32_t tried = 0;
    for (; tried < s->n && weight < h->best_weight; tried++) {
        uint32_t item = s->items[tried];
        if (h->out[item]++ == 0) {
            h->in[item] = true;
            hit_exactly(h, weight + h->c->items[item].weight);
            h->in[item] = false;
        }
    }
    for (uint32_t i = 0; i < tried; i++) {
        h->out[s->items[i]]--;
    }
}

bool tn_keep_hit(tn_keep_case *c, const tn_keep_sets *sets, bool *hit, uint64_t *weight) {
    hitting h = {.c = c,
                 .sets = sets,
                 .in = TN_ARRAY(c->arena, bool, c->n),
                 .best = hit,
                 .out = TN_ARRAY(c->arena, uint32_t, c->n),
                 .mark = TN_ARRAY(c->arena, uint32_t, c->n),
                 .count = TN_ARRAY(c->arena, uint32_t, c->n)};
    memset(hit, 0, c->n * sizeof *hit);
    hit_greedily(&h);
    hit_exactly(&h, 0);
    c->work += h.work;
    *weight = h.best_weight;
    return h.work <= TN_LIMIT_KEEP_HIT_WORK;
}
