#include "passes/analysis/steps.h"

#include "ir/ops/claims.h"

typedef struct numbering {
    tn_step_at *at;
    uint32_t *begin, *end;
    uint32_t n;
} numbering;

static uint32_t number(numbering *s, tn_op *op, bool is_end) {
    s->at[s->n] = (tn_step_at){op, is_end};
    return s->n++;
}

/* First op of the regions of `op` from region *i on, leaving *i at the region found. */
static tn_op *enter(const tn_op *op, uint32_t *i) {
    for (; *i < op->n_regions; (*i)++) {
        if (op->regions[*i]->first != NULL) {
            return op->regions[*i]->first;
        }
    }
    return NULL;
}

/* A loop with the way back kept in the graphs' owners and `next_region` (by op id): nesting is as
 * deep as a file likes, so the C stack must not follow it. */
static void number_all(numbering *s, const tn_module *m, uint32_t *next_region) {
    tn_op *op = m->main->first;
    while (op != NULL) {
        s->begin[op->id] = number(s, op, false);
        s->end[op->id] = s->begin[op->id];
        tn_op *inside = enter(op, &next_region[op->id]);
        if (inside != NULL) {
            op = inside;
            continue;
        }
        if (op->n_regions > 0) {
            s->end[op->id] = number(s, op, true);
        }
        while (op != NULL && op->next == NULL) {
            tn_op *owner = op->graph->owner;
            if (owner == NULL) {
                return;
            }
            next_region[owner->id]++;
            inside = enter(owner, &next_region[owner->id]);
            if (inside != NULL) {
                break;
            }
            s->end[owner->id] = number(s, owner, true);
            op = owner;
        }
        op = inside != NULL ? inside : op->next;
    }
}

static const void *compute(tn_analyses *an, tn_module *m, tn_arena *arena) {
    (void)an;
    numbering s = {.at = TN_ARRAY(arena, tn_step_at, (size_t)m->n_ops * 2),
                   .begin = TN_ARRAY(arena, uint32_t, m->n_ops),
                   .end = TN_ARRAY(arena, uint32_t, m->n_ops)};
    for (uint32_t i = 0; i < m->n_ops; i++) {
        s.begin[i] = s.end[i] = TN_NO_STEP;
    }
    number_all(&s, m, TN_ARRAY(arena, uint32_t, m->n_ops));
    tn_steps *steps = TN_NEW(arena, tn_steps);
    *steps = (tn_steps){.n = s.n, .at = s.at, .begin = s.begin, .end = s.end};
    return steps;
}

uint32_t tn_shape_made_at(const tn_steps *steps, const tn_op *op, uint32_t k) {
    const tn_value *v = tn_shape_of_run(op, k);
    return v != NULL ? steps->end[v->def->id] : TN_NO_STEP;
}

const tn_analysis_info tn_analysis_steps = {
    .name = "steps",
    .summary = "numbers the steps of the schedule over all nested graphs",
    .depends = 1u << TN_FACET_OPS | 1u << TN_FACET_ORDER,
    .compute = compute,
};

const tn_steps *tn_get_steps(tn_analyses *an) {
    return tn_analysis_get(an, &tn_analysis_steps);
}
