/* Choices of sizes in order of their sum, each once. The k-th largest object is at least as large
 * as the k-th largest item alive at any time, so the choice with just these comes first; from a
 * choice the next ones are made by raising one object by one step, or by adding one of the smallest
 * size. What is raised is never before what was raised last, and sizes stay falling, so that every
 * choice has one way to come about. The first choice that a sweep finds to be enough is the
 * cheapest. */
#include <string.h>

#include "ir/base/heap.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/stop.h"
#include "passes/pack/slots/slots_sweep.h"

enum { MOST_OBJECTS = TN_LIMIT_SLOT_OBJECTS + TN_LIMIT_SLOT_SPARE };

typedef struct choice {
    uint64_t sum;
    uint32_t n, last;             /* objects; the one raised last */
    uint16_t level[MOST_OBJECTS]; /* of each object, falling */
} choice;

typedef struct choosing {
    const uint64_t *sizes; /* those of items, ascending, each once */
    uint32_t n_sizes;
    tn_arena *arena;
    TN_VEC(choice) heap;
    uint64_t limit;
    bool cut; /* a choice was left out for want of space */
} choosing;

static bool cheaper(const void *ctx, const choice *x, const choice *y) {
    (void)ctx;
    return x->sum < y->sum;
}

static void push(choosing *c, const choice *one) {
    if (one->sum >= c->limit) {
        return;
    }
    if (c->heap.len == TN_LIMIT_SLOT_CHOICES || one->n > MOST_OBJECTS) {
        c->cut = true;
        return;
    }
    tn_vec_push(c->arena, &c->heap, *one);
    tn_heap_up(c->heap.data, c->heap.len - 1, cheaper, NULL);
}

static choice pop(choosing *c) {
    choice top = c->heap.data[0];
    c->heap.data[0] = c->heap.data[--c->heap.len];
    if (c->heap.len > 0) {
        tn_heap_down(c->heap.data, c->heap.len, 0, cheaper, NULL);
    }
    return top;
}

static void push_next(choosing *c, const choice *one) {
    for (uint32_t i = one->last; i < one->n; i++) {
        uint32_t most = i == 0 ? c->n_sizes - 1 : one->level[i - 1];
        if (one->level[i] < most) {
            choice more = *one;
            more.last = i;
            more.sum += c->sizes[more.level[i] + 1] - c->sizes[more.level[i]];
            more.level[i]++;
            push(c, &more);
        }
    }
    choice more = *one;
    more.last = more.n;
    more.sum += c->sizes[0];
    if (more.n == MOST_OBJECTS) {
        c->cut = c->cut || more.sum < c->limit;
        return;
    }
    more.level[more.n++] = 0;
    push(c, &more);
}

static void list_sizes(tn_arena *scratch, const tn_slot_group *g, choosing *c) {
    uint64_t *sizes = TN_ARRAY(scratch, uint64_t, g->n);
    for (uint32_t k = g->n; k-- > 0;) {
        uint64_t size = g->items[g->by_size[k]].size;
        if (c->n_sizes == 0 || sizes[c->n_sizes - 1] != size) {
            sizes[c->n_sizes++] = size;
        }
    }
    c->sizes = sizes;
}

/* The sizes that the bound adds up. */
static choice first_choice(tn_arena *scratch, const tn_slot_group *g, const choosing *c) {
    uint64_t *ranks = TN_ARRAY(scratch, uint64_t, g->width);
    choice one = {.n = g->width};
    tn_slot_ranks(scratch, g, ranks);
    for (uint32_t k = 0; k < g->width; k++) {
        while (c->sizes[one.level[k]] < ranks[k]) {
            one.level[k]++;
        }
        one.sum += ranks[k];
    }
    return one;
}

static tn_enough try(tn_arena *arena, tn_slot_sweep *sweep, const choosing *c, const choice *one,
                     tn_sharing *out) {
    uint64_t sizes[MOST_OBJECTS];
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    for (uint32_t k = 0; k < one->n; k++) {
        sizes[k] = c->sizes[one->level[k]];
    }
    tn_enough enough = tn_slots_sweep(scratch, sweep, sizes, one->n, out);
    tn_arena_drop(scratch);
    return enough;
}

bool tn_slots_by_sizes(tn_arena *scratch, const tn_slot_group *g, uint64_t limit, uint64_t budget,
                       uint64_t deadline_ns, tn_sharing *out, uint64_t *bound, uint64_t *nodes) {
    choosing c = {.arena = scratch, .limit = limit};
    uint64_t left = budget;
    list_sizes(scratch, g, &c);
    if (g->width > TN_LIMIT_SLOT_OBJECTS || c.n_sizes > UINT16_MAX) {
        return false;
    }
    tn_slot_sweep *sweep = tn_slot_sweep_make(scratch, g, &left);
    choice one = first_choice(scratch, g, &c);
    tn_enough enough = TN_NOT_ENOUGH;
    push(&c, &one);
    while (c.heap.len > 0 && enough == TN_NOT_ENOUGH && !c.cut) {
        one = pop(&c);
        *bound = one.sum > *bound ? one.sum : *bound;
        bool late = tn_clock_late(scratch, deadline_ns);
        enough = late ? TN_ENOUGH_UNKNOWN : try(scratch, sweep, &c, &one, out);
        if (enough == TN_NOT_ENOUGH) {
            push_next(&c, &one);
        }
    }
    *nodes += budget - left;
    if (c.heap.len == 0 && enough == TN_NOT_ENOUGH && !c.cut) {
        *bound = limit; /* nothing below it is enough */
    }
    return enough == TN_ENOUGH;
}
