#include "passes/order/sched.h"

/* Rows from pairs: pairs[i][key] is the row, pairs[i][1 - key] the item. */
static tn_rows rows_of(tn_arena *arena, uint32_t n, const uint32_t (*pairs)[2], uint32_t n_pairs,
                       int key) {
    uint32_t *start = TN_ARRAY(arena, uint32_t, n + 2u), *item = TN_ARRAY(arena, uint32_t, n_pairs);
    for (uint32_t i = 0; i < n_pairs; i++) {
        start[pairs[i][key] + 2]++;
    }
    for (uint32_t i = 1; i <= n; i++) {
        start[i + 1] += start[i];
    }
    /* start[r + 1] is where row r is filled next, so it ends up as the row's end. */
    for (uint32_t i = 0; i < n_pairs; i++) {
        item[start[pairs[i][key] + 1]++] = pairs[i][1 - key];
    }
    return (tn_rows){start, item};
}

static tn_rows take_rows(tn_arena *arena, const tn_sched_lists *l) {
    uint32_t(*pairs)[2] = tn_arena_array(arena, l->n_take, sizeof *pairs);
    for (uint32_t i = 0; i < l->n_take; i++) {
        pairs[i][0] = l->take[i].op;
        pairs[i][1] = i;
    }
    return rows_of(arena, l->n, (const uint32_t(*)[2])pairs, l->n_take, 0);
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
                      .touched = rows_of(arena, l->n, l->touch, l->n_touch, 0),
                      .touching = rows_of(arena, l->m, l->touch, l->n_touch, 1),
                      .succ = rows_of(arena, l->n, l->before, l->n_before, 0),
                      .pred = rows_of(arena, l->n, l->before, l->n_before, 1),
                      .takes = take_rows(arena, l),
                      .take = l->take,
                      .base = l->base};
}

bool tn_sched_is_order(tn_arena *scratch, const tn_sched *p, const uint32_t *order) {
    uint32_t *at = TN_ARRAY(scratch, uint32_t, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        if (order[i] >= p->n || at[order[i]] != 0) {
            return false;
        }
        at[order[i]] = i + 1;
        for (uint32_t e = p->pred.start[order[i]]; e < p->pred.start[order[i] + 1]; e++) {
            if (at[p->pred.item[e]] == 0) {
                return false;
            }
        }
    }
    return true;
}
