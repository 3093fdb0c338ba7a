#include "passes/order/simplify.h"

#include <string.h>

typedef struct simplifier {
    tn_arena *arena;
    const tn_sched *p;
    const uint32_t *given;
    bool *free;            /* by op */
    uint32_t *joined_to;   /* by op: the one reader, or TN_SCHED_NONE */
    uint32_t *last_joined; /* by reader */
    uint32_t (*edges)[2];  /* added */
    uint32_t n_edges, cap;
} simplifier;

static void depend(simplifier *s, uint32_t before, uint32_t after) {
    if (s->n_edges == s->cap) {
        s->edges = tn_arena_regrow(s->arena, s->edges, s->cap, 2 * s->cap + 64, sizeof *s->edges);
        s->cap = 2 * s->cap + 64;
    }
    s->edges[s->n_edges][0] = before;
    s->edges[s->n_edges++][1] = after;
}

/* An op is free when it costs nothing and all it depends on is free: it may run at any time. */
static void find_free(simplifier *s) {
    const tn_sched *p = s->p;
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t v = s->given[i];
        bool costs = p->workspace[v] > 0;
        for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
            costs = costs || p->tensor[p->touched.item[e]].size > 0;
        }
        for (uint32_t e = p->pred.start[v]; e < p->pred.start[v + 1]; e++) {
            costs = costs || !s->free[p->pred.item[e]];
        }
        s->free[v] = !costs;
    }
}

/* The only op that depends on v, when v itself depends on free ops alone, frees nothing and needs
 * no bytes but those of its results. To run v later is then never worse: its results are in use
 * while the reader runs in any case. */
static uint32_t only_reader(const simplifier *s, uint32_t v) {
    const tn_sched *p = s->p;
    uint32_t reader = TN_SCHED_NONE;
    for (uint32_t e = p->pred.start[v]; e < p->pred.start[v + 1]; e++) {
        if (!s->free[p->pred.item[e]]) {
            return TN_SCHED_NONE;
        }
    }
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        const tn_sched_tensor *t = &p->tensor[p->touched.item[e]];
        if (t->head != v || tn_edge_rows_len(&p->touching, p->touched.item[e]) < 2) {
            return TN_SCHED_NONE;
        }
    }
    for (uint32_t e = p->succ.start[v]; e < p->succ.start[v + 1]; e++) {
        if (reader != TN_SCHED_NONE && reader != p->succ.item[e]) {
            return TN_SCHED_NONE;
        }
        reader = p->succ.item[e];
    }
    return p->workspace[v] == 0 && !s->free[v] ? reader : TN_SCHED_NONE;
}

/* v waits for what its reader waits for; several of one reader stand in a row. */
static void join(simplifier *s, uint32_t v) {
    uint32_t reader = s->joined_to[v];
    const tn_edge_rows *pred = &s->p->pred;
    if (s->last_joined[reader] != TN_SCHED_NONE) {
        depend(s, s->last_joined[reader], v);
    } else {
        for (uint32_t e = pred->start[reader]; e < pred->start[reader + 1]; e++) {
            if (s->joined_to[pred->item[e]] != reader) {
                depend(s, pred->item[e], v);
            }
        }
    }
    s->last_joined[reader] = v;
}

tn_sched tn_order_simplify(tn_arena *arena, const tn_sched *p, const uint32_t *given,
                           uint32_t *order) {
    simplifier s = {.arena = arena,
                    .p = p,
                    .given = given,
                    .free = TN_ARRAY(arena, bool, p->n),
                    .joined_to = TN_ARRAY(arena, uint32_t, p->n),
                    .last_joined = TN_ARRAY(arena, uint32_t, p->n)};
    memset(s.last_joined, 0xff, p->n * sizeof *s.last_joined);
    find_free(&s);
    for (uint32_t i = 0; i < p->n; i++) {
        s.joined_to[given[i]] = only_reader(&s, given[i]);
    }
    for (uint32_t i = 0; i < p->n; i++) {
        if (s.joined_to[given[i]] != TN_SCHED_NONE) {
            join(&s, given[i]);
        }
    }
    tn_sched simple = tn_sched_with_edges(arena, p, (const uint32_t(*)[2])s.edges, s.n_edges);
    tn_sched_sort(arena, &simple, given, order);
    return simple;
}

/* An op at position i waits for all before it if from each of them a path leads there, which is so
 * if each has a successor at or before i; and the other way round. */
const bool *tn_order_waists(tn_arena *arena, const tn_sched *p, const uint32_t *order) {
    bool *waist = TN_ARRAY(arena, bool, p->n);
    uint32_t *at = TN_ARRAY(arena, uint32_t, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        at[order[i]] = i;
    }
    uint32_t farthest = 0; /* greatest "nearest successor" of the ops before i */
    for (uint32_t i = 0; i < p->n; i++) {
        waist[i] = farthest <= i;
        uint32_t nearest = p->n;
        for (uint32_t e = p->succ.start[order[i]]; e < p->succ.start[order[i] + 1]; e++) {
            uint32_t s = at[p->succ.item[e]];
            nearest = s < nearest ? s : nearest;
        }
        farthest = nearest > farthest ? nearest : farthest;
    }
    uint32_t earliest = p->n; /* least "last dependency" of the ops behind i, plus 1 */
    for (uint32_t i = p->n; i-- > 0;) {
        waist[i] = waist[i] && earliest > i;
        uint32_t latest = 0;
        for (uint32_t e = p->pred.start[order[i]]; e < p->pred.start[order[i] + 1]; e++) {
            uint32_t s = at[p->pred.item[e]] + 1;
            latest = s > latest ? s : latest;
        }
        earliest = latest < earliest ? latest : earliest;
    }
    return waist;
}
