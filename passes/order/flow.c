#include "passes/order/flow.h"

#include <string.h>

#define NONE UINT32_MAX

tn_flow *tn_flow_new(tn_arena *arena) {
    tn_flow *f = TN_NEW(arena, tn_flow);
    f->arena = arena;
    tn_flow_clear(f);
    return f;
}

void tn_flow_clear(tn_flow *f) {
    f->n = 0;
    f->arcs.len = 0;
    tn_flow_node(f); /* source */
    tn_flow_node(f); /* sink */
}

uint32_t tn_flow_node(tn_flow *f) {
    if (f->n == f->cap) {
        uint32_t cap = f->cap < 64 ? 64 : f->cap * 2;
        f->first = tn_arena_regrow(f->arena, f->first, f->cap, cap, sizeof *f->first);
        f->level = TN_ARRAY(f->arena, uint32_t, cap);
        f->at = TN_ARRAY(f->arena, uint32_t, cap);
        f->queue = TN_ARRAY(f->arena, uint32_t, cap);
        f->path = TN_ARRAY(f->arena, uint32_t, cap);
        f->cap = cap;
    }
    f->first[f->n] = NONE;
    return f->n++;
}

void tn_flow_arc_add(tn_flow *f, uint32_t from, uint32_t to, uint64_t residual) {
    tn_vec_push(f->arena, &f->arcs, (tn_flow_arc){to, f->first[from], residual});
    f->first[from] = f->arcs.len - 1;
    tn_vec_push(f->arena, &f->arcs, (tn_flow_arc){from, f->first[to], 0});
    f->first[to] = f->arcs.len - 1;
}

/* Distances from the source over arcs with residual capacity; whether the sink is in reach. */
static bool find_levels(tn_flow *f) {
    uint32_t head = 0, tail = 0;
    memset(f->level, 0xff, f->n * sizeof *f->level);
    f->level[TN_FLOW_SOURCE] = 0;
    f->queue[tail++] = TN_FLOW_SOURCE;
    while (head < tail) {
        uint32_t v = f->queue[head++];
        for (uint32_t a = f->first[v]; a != NONE; a = f->arcs.data[a].next) {
            const tn_flow_arc *arc = &f->arcs.data[a];
            f->work++;
            if (arc->residual > 0 && f->level[arc->to] == NONE) {
                f->level[arc->to] = f->level[v] + 1;
                f->queue[tail++] = arc->to;
            }
        }
    }
    return f->level[TN_FLOW_SINK] != NONE;
}

static uint64_t push(tn_flow *f, uint32_t depth) {
    uint64_t least = TN_FLOW_ENDLESS;
    for (uint32_t i = 0; i < depth; i++) {
        uint64_t residual = f->arcs.data[f->path[i]].residual;
        least = residual < least ? residual : least;
    }
    for (uint32_t i = 0; i < depth; i++) {
        f->arcs.data[f->path[i]].residual -= least;
        f->arcs.data[f->path[i] ^ 1].residual += least;
    }
    return least;
}

/* Depth first along ascending levels, with the path kept by hand: networks may be deep. */
static uint64_t blocking_flow(tn_flow *f) {
    uint64_t sum = 0;
    uint32_t depth = 0, v = TN_FLOW_SOURCE;
    memcpy(f->at, f->first, f->n * sizeof *f->at);
    for (;;) {
        if (v == TN_FLOW_SINK) {
            sum += push(f, depth);
            /* Back to before the first arc that is full now. */
            uint32_t keep = 0;
            while (f->arcs.data[f->path[keep]].residual > 0) {
                keep++;
            }
            depth = keep;
            v = f->arcs.data[f->path[keep] ^ 1].to;
            continue;
        }
        uint32_t a = f->at[v];
        while (a != NONE &&
               (f->arcs.data[a].residual == 0 || f->level[f->arcs.data[a].to] != f->level[v] + 1)) {
            a = f->arcs.data[a].next;
            f->work++;
        }
        f->at[v] = a;
        if (a != NONE) {
            f->path[depth++] = a;
            v = f->arcs.data[a].to;
        } else if (depth > 0) {
            f->level[v] = NONE;
            v = f->arcs.data[f->path[--depth] ^ 1].to;
        } else {
            return sum;
        }
    }
}

uint64_t tn_flow_solve(tn_flow *f) {
    uint64_t sum = 0;
    while (find_levels(f)) {
        sum += blocking_flow(f);
    }
    return sum;
}

bool tn_flow_at_source(const tn_flow *f, uint32_t node) {
    return f->level[node] != NONE;
}
