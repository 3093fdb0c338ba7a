#include "passes/pack/offsets/exact/forbidden.h"

/* Writes the ranges of item i against item j (`out` may be NULL); returns their number. */
static uint32_t find_ranges(const tn_inst *inst, const tn_item *i, const tn_item *j,
                            tn_forbidden_range *out) {
    uint32_t n = 0, p = 0, q = 0;
    while (p < i->n_spans && q < j->n_spans) {
        const tn_span *s = &inst->spans[i->span + p], *t = &inst->spans[j->span + q];
        if (s->a < t->b && t->a < s->b) {
            if (out != NULL) {
                out[n] = (tn_forbidden_range){(int64_t)t->lo - (int64_t)s->hi,
                                              (int64_t)t->hi - (int64_t)s->lo};
            }
            n++;
        }
        if (s->b <= t->b) {
            p++;
        } else {
            q++;
        }
    }
    return n;
}

tn_forbidden tn_forbidden_make(tn_arena *arena, const tn_inst *inst) {
    uint32_t n = inst->n, count = 0;
    const tn_item *items = inst->items;
    tn_forbidden f = {.n = n, .at = TN_ARRAY(arena, uint32_t, (size_t)n * n + 1)};
    for (uint32_t k = 0; k < n * n; k++) {
        f.at[k] = count;
        count += k / n == k % n ? 0 : find_ranges(inst, &items[k / n], &items[k % n], NULL);
    }
    f.at[n * n] = count;
    f.list = TN_ARRAY(arena, tn_forbidden_range, count);
    for (uint32_t k = 0; k < n * n; k++) {
        if (k / n != k % n) {
            find_ranges(inst, &items[k / n], &items[k % n], f.list + f.at[k]);
        }
    }
    return f;
}

bool tn_forbidden_tangled(const tn_forbidden *f, uint32_t i, uint32_t j) {
    for (const tn_forbidden_range *k = tn_forbidden_of(f, i, j); k < tn_forbidden_of(f, i, j + 1);
         k++) {
        if (k->lo >= 0 || k->hi <= 0) {
            return true;
        }
    }
    return false;
}

static bool may_share_offset(const tn_forbidden *f, uint32_t i, uint32_t j) {
    for (const tn_forbidden_range *k = tn_forbidden_of(f, i, j); k < tn_forbidden_of(f, i, j + 1);
         k++) {
        if (k->lo < 0 && k->hi > 0) {
            return false;
        }
    }
    return true;
}

/* Whether item i is a rival of all that are in class c so far, items before i. */
static bool joins(const tn_rivals *r, const tn_inst *inst, const tn_forbidden *f, uint32_t i,
                  uint32_t c) {
    for (uint32_t j = 0; j < i; j++) {
        if (r->class_of[j] == c &&
            (inst->items[j].align != inst->items[i].align || may_share_offset(f, i, j))) {
            return false;
        }
    }
    return true;
}

/* Every item joins the first class it can: not the largest classes there are, but in most instances
 * items of one alignment live at one time. */
tn_rivals tn_rivals_make(tn_arena *arena, const tn_inst *inst, const tn_forbidden *f) {
    tn_rivals r = {.class_of = TN_ARRAY(arena, uint32_t, inst->n)};
    for (uint32_t i = 0; i < inst->n; i++) {
        const tn_item *item = &inst->items[i];
        uint32_t c = 0;
        r.class_of[i] = UINT32_MAX;
        if (item->align == 1 || item->size > item->align) {
            continue;
        }
        while (c < r.n && !joins(&r, inst, f, i, c)) {
            c++;
        }
        r.class_of[i] = c;
        r.n = c == r.n ? c + 1 : r.n;
    }
    return r;
}
