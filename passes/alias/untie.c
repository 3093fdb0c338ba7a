#include "passes/alias/untie.h"

static bool may_go(const tn_alias_edges *e, uint32_t i) {
    return e->kind[i] == TN_EDGE_SHARE || (e->kind[i] & TN_EDGE_INPLACE) != 0;
}

const bool *tn_edges_untied(const tn_alias_choice *choice, const bool *keep,
                            const tn_value_pools *at, tn_arena *arena) {
    const tn_alias_edges *e = &choice->edges;
    bool *untied = TN_ARRAY(arena, bool, e->n);
    for (uint32_t i = 0; i < e->n; i++) {
        bool goes = may_go(e, i) && (at == NULL || at->dear[e->at[i].v->id]);
        untied[i] = keep[i] && !goes;
    }
    return untied;
}

const bool *tn_edges_joined(const tn_alias_choice *choice, const bool *keep,
                            const tn_value_pools *at, tn_arena *arena) {
    const tn_alias_edges *e = &choice->edges;
    bool *joined = TN_ARRAY(arena, bool, e->n);
    for (uint32_t i = 0; i < e->n; i++) {
        bool together = at->pool[e->at[i].v->id] == at->pool[e->at[i].of->id];
        joined[i] = keep[i] || (choice->keep[i] && together);
    }
    return joined;
}
