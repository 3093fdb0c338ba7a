#include "passes/order/sched.h"

#include <string.h>

#include "passes/order/op_state.h"
#include "passes/order/topological.h"

static tn_edge_rows inplace_rows(tn_arena *arena, const tn_sched_lists *l) {
    uint32_t(*pairs)[2] = tn_arena_array(arena, l->n_inplace, sizeof *pairs);
    for (uint32_t i = 0; i < l->n_inplace; i++) {
        pairs[i][0] = l->inplace[i].op;
        pairs[i][1] = i;
    }
    return tn_edge_rows_make(arena, l->n, (const uint32_t(*)[2])pairs, l->n_inplace, 0);
}

tn_sched tn_sched_make(tn_arena *arena, const tn_sched_lists *l) {
    uint64_t *workspace = TN_ARRAY(arena, uint64_t, l->n);
    for (uint32_t i = 0; i < l->n && l->workspace != NULL; i++) {
        workspace[i] = l->workspace[i];
    }
    return (tn_sched){.n = l->n,
                      .m = l->m,
                      .tensor = l->tensor,
                      .workspace = workspace,
                      .touched = tn_edge_rows_make(arena, l->n, l->touch, l->n_touch, 0),
                      .touching = tn_edge_rows_make(arena, l->m, l->touch, l->n_touch, 1),
                      .succ = tn_edge_rows_make(arena, l->n, l->before, l->n_before, 0),
                      .pred = tn_edge_rows_make(arena, l->n, l->before, l->n_before, 1),
                      .inplace_of = inplace_rows(arena, l),
                      .inplace = l->inplace,
                      .base = l->base};
}

uint64_t tn_sched_peak(tn_arena *scratch, const tn_sched *p, const uint32_t *order) {
    tn_op_state w = tn_op_state_make(scratch, p);
    uint64_t peak = w.live;
    for (uint32_t i = 0; i < p->n; i++) {
        uint64_t during = tn_op_state_cost(&w, order[i]).during;
        peak = during > peak ? during : peak;
        tn_op_state_run(&w, order[i]);
    }
    return peak;
}

tn_sched tn_sched_with_edges(tn_arena *arena, const tn_sched *p, const uint32_t (*more)[2],
                             uint32_t n_more) {
    uint32_t n;
    uint32_t(*before)[2] = tn_edge_rows_pairs(arena, &p->succ, p->n, n_more, &n);
    if (n_more > 0) {
        memcpy(before + n, more, n_more * sizeof *before);
    }
    tn_sched out = *p;
    out.succ = tn_edge_rows_make(arena, p->n, (const uint32_t(*)[2])before, n + n_more, 0);
    out.pred = tn_edge_rows_make(arena, p->n, (const uint32_t(*)[2])before, n + n_more, 1);
    return out;
}

void tn_sched_sort(tn_arena *scratch, const tn_sched *p, const uint32_t *given, uint32_t *order) {
    uint32_t *n_preds = TN_ARRAY(scratch, uint32_t, p->n);
    uint64_t *rank = TN_ARRAY(scratch, uint64_t, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        rank[given[i]] = i;
        n_preds[i] = tn_edge_rows_len(&p->pred, i);
    }
    tn_dag dag = {p->n, p->succ, n_preds};
    tn_order_by_key(&dag, scratch, rank, order);
}
