#include "backends/core/parallel_copies.h"

enum { KEPT_ALIGN = 16 };

typedef enum state { WAITS, KEPT, DONE } state;

typedef struct order {
    const tn_copy *copies;
    uint32_t n;
    state *states;
    uint64_t *aside;
    tn_copy_order *out;
} order;

static bool overlap(tn_range a, tn_range b) {
    bool meet = a.space == b.space && a.at < b.at + b.size && b.at < a.at + a.size;
    return meet && a.size > 0 && b.size > 0;
}

/* Whether the target of copy i holds what another copy has yet to read. */
static bool blocks(const order *o, uint32_t i, uint32_t k) {
    return k != i && o->states[k] == WAITS && overlap(o->copies[i].to, o->copies[k].from);
}

static bool is_free(const order *o, uint32_t i) {
    for (uint32_t k = 0; k < o->n; k++) {
        if (blocks(o, i, k)) {
            return false;
        }
    }
    return true;
}

static void add(order *o, tn_copy_act act, uint32_t i) {
    o->out->steps[o->out->n++] = (tn_copy_step){act, i, o->aside[i]};
}

/* Makes all copies that nobody has to be waited for; whether there were any. */
static bool make_free(order *o) {
    bool any = false;
    for (uint32_t i = 0; i < o->n; i++) {
        if (o->states[i] != DONE && is_free(o, i)) {
            add(o, o->states[i] == KEPT ? TN_ACT_RESTORE : TN_ACT_COPY, i);
            o->states[i] = DONE;
            any = true;
        }
    }
    return any;
}

static bool is_in_the_way(const order *o, uint32_t k) {
    for (uint32_t i = 0; i < o->n; i++) {
        if (o->states[i] != DONE && blocks(o, i, k)) {
            return true;
        }
    }
    return false;
}

/* The smallest source that another copy would write over; o->n when all is done. */
static uint32_t smallest(const order *o) {
    uint32_t best = o->n;
    for (uint32_t k = 0; k < o->n; k++) {
        bool smaller = best == o->n || o->copies[k].from.size < o->copies[best].from.size;
        if (o->states[k] == WAITS && smaller && is_in_the_way(o, k)) {
            best = k;
        }
    }
    return best;
}

tn_copy_order tn_parallel_copies(tn_arena *arena, const tn_copy *copies, uint32_t n) {
    tn_copy_order out = {.steps = TN_ARRAY(arena, tn_copy_step, 2 * (size_t)n)};
    order o = {copies, n, TN_ARRAY(arena, state, n), TN_ARRAY(arena, uint64_t, n), &out};
    for (;;) {
        while (make_free(&o)) {
        }
        uint32_t k = smallest(&o);
        if (k == n) {
            return out;
        }
        o.aside[k] = out.aside;
        out.aside += (copies[k].from.size + KEPT_ALIGN - 1) / KEPT_ALIGN * KEPT_ALIGN;
        add(&o, TN_ACT_KEEP, k);
        o.states[k] = KEPT;
    }
}
