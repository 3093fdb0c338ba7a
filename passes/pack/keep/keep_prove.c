#include "passes/pack/keep/keep_t.h"

#include "passes/pack/base/budgets.h"
#include "passes/pack/deletion_filter.h"

typedef struct proving {
    tn_keep_case *c;
    bool *stays; /* by item, of the set in question */
} proving;

/* Above the capacity where these cannot all stay. */
static uint64_t bound_of(tn_arena *scratch, void *self, const uint32_t *ids, uint32_t n,
                         uint64_t *spent) {
    proving *p = self;
    uint64_t before = p->c->work;
    (void)scratch;
    for (uint32_t i = 0; i < p->c->n; i++) {
        p->stays[i] = false;
    }
    for (uint32_t i = 0; i < n; i++) {
        p->stays[ids[i]] = true;
    }
    bool cannot = tn_keep_try(p->c, p->stays) == TN_KEEP_CANNOT;
    *spent += p->c->work - before;
    return p->c->capacity + cannot;
}

/* A part of those that stay, all of it needed for the proof that they cannot, as far as the budget
 * goes. */
static tn_keep_set smallest_part(proving *p, const bool *stays) {
    tn_keep_case *c = p->c;
    tn_pack_misfit set = {.buffers = TN_ARRAY(c->arena, uint32_t, c->n)};
    tn_shrinking s = {.bound = bound_of,
                      .self = p,
                      .capacity = c->capacity,
                      .budget = c->work < c->limit ? c->limit - c->work : 0};
    for (uint32_t i = 0; i < c->n; i++) {
        if (stays[i]) {
            set.buffers[set.n++] = i;
        }
    }
    tn_shrink(c->arena, &s, &set);
    return (tn_keep_set){set.buffers, set.n};
}

void tn_keep_prove(tn_keep_case *c, tn_keep_sets *sets) {
    bool *stays = TN_ARRAY(c->arena, bool, c->n), *hit = TN_ARRAY(c->arena, bool, c->n);
    proving p = {c, TN_ARRAY(c->arena, bool, c->n)};
    for (uint32_t round = 0; round < TN_LIMIT_KEEP_ROUNDS && c->work < c->limit; round++) {
        uint64_t weight;
        if (!tn_keep_hit(c, sets, hit, &weight)) {
            return;
        }
        c->least = weight;
        for (uint32_t i = 0; i < c->n; i++) {
            stays[i] = c->may_stay[i] && !hit[i];
        }
        if (c->least >= c->best_moved || tn_keep_try(c, stays) != TN_KEEP_CANNOT) {
            return;
        }
        tn_vec_push(c->arena, sets, smallest_part(&p, stays));
    }
}
