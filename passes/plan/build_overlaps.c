#include "passes/plan/build_overlaps.h"

#include "ir/base/xmath.h"

void tn_state_overlap(tn_build *b, const tn_overlap_pair *pair) {
    tn_plan_overlap *list = TN_ARRAY(b->p->arena, tn_plan_overlap, pair->n_values);
    tn_plan_value *v = NULL;
    for (uint32_t i = 0; i < pair->n_values; i++) {
        const tn_overlap_value *o = &pair->values[i];
        v = &b->p->values[b->plan_value[o->result->id]];
        list[i] =
            (tn_plan_overlap){b->plan_value[o->operand->id], pair->step, o->distance, pair->order};
    }
    v->overlaps = list;
    v->n_overlaps = pair->n_values;
}

bool tn_pair_shares(const tn_plan *p, const tn_overlap_pair *pair) {
    const tn_storage *s = &p->storages[pair->over], *t = &p->storages[pair->under];
    uint64_t align = p->pools[s->pool].align;
    return s->pool == t->pool && s->offset < t->offset + tn_round_up(t->size, align) &&
           t->offset < s->offset + tn_round_up(s->size, align);
}

static void restate(tn_build *b, const tn_overlap_pair *pair) {
    tn_plan_value *v = &b->p->values[b->plan_value[pair->values[0].result->id]];
    const tn_op *op = b->live->steps->at[pair->step].op;
    v->overlaps = NULL;
    v->n_overlaps = 0;
    if (tn_pair_shares(b->p, pair)) {
        tn_state_overlap(b, pair);
    }
    if (!b->p->steps[pair->step].idle) {
        tn_build_claims(b, op, &b->p->steps[pair->step]);
    }
}

/* All that were found are looked at: those that were not let share bytes share none. */
void tn_build_overlaps(tn_build *b) {
    for (uint32_t i = 0; b->pairs != NULL && i < b->pairs->n; i++) {
        restate(b, &b->pairs->at[i]);
    }
}
