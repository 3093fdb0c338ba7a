/* A program for one header: plan.h, made with the prefix "plan", and facts.h, made by facts.py.
 * Takes the header's tables and addresses over into what replay.h asks for, and replays. */
#define PLAN_TABLES
#include <plan.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/headers/replay/replay.h"

static unsigned char *bases[PLAN_POOL_COUNT + 1];

/* address_of(), size_of(), nodes, node_ids, legal, kept, n_kept */
#include <facts.h>

static rp_pool pools[PLAN_POOL_COUNT + 1];
static rp_tensor tensors[PLAN_TENSOR_COUNT + 1];
static rp_storage storages[PLAN_STORAGE_COUNT + 1];
static rp_step steps[PLAN_STEP_COUNT + 1];
static rp_overlap overlaps[sizeof plan_overlaps / sizeof plan_overlaps[0]];
static rp_order orders[sizeof plan_claims / sizeof plan_claims[0]];

/* Not constants, so that a count of 0 gives no warning that a loop never runs. */
static uint32_t n_pools = PLAN_POOL_COUNT, n_tensors = PLAN_TENSOR_COUNT;
static uint32_t n_storages = PLAN_STORAGE_COUNT, n_steps = PLAN_STEP_COUNT;

static int fail(const char *what, const char *name) {
    fprintf(stderr, "'%s' %s\n", name, what);
    return 1;
}

/* Pools exactly as large and as aligned as the header says: a tool that watches memory sees the
 * rest. */
static int lay_out(void) {
    for (uint32_t i = 0; i < n_pools; i++) {
        size_t align = (size_t)plan_pools[i].align, size = (size_t)plan_pools[i].size;
        unsigned char *p = calloc(1, size + align);
        if (p == NULL) {
            return fail("is too large for this machine", plan_pools[i].name);
        }
        bases[i] = p + (align - (uintptr_t)p % align) % align;
        pools[i] = (rp_pool){plan_pools[i].name, bases[i], plan_pools[i].size};
    }
    return 0;
}

static int take_tensors(void) {
    for (uint32_t i = 0; i < n_tensors; i++) {
        const plan_tensor *t = &plan_tensors[i];
        unsigned char *bytes = address_of(i);
        if (t->offset + t->size > plan_pools[t->pool].size) {
            return fail("ends behind its pool", t->name);
        }
        if (bytes != bases[t->pool] + t->offset || size_of(i) != t->size) {
            return fail("lies elsewhere in the table than by its macros", t->name);
        }
        if ((uintptr_t)bytes % t->align != 0) {
            return fail("is not aligned", t->name);
        }
        tensors[i] = (rp_tensor){t->name,     bytes,
                                 t->offset,   t->size,
                                 t->pool,     plan_pools[t->pool].kind == PLAN_POOL_CONST,
                                 t->first,    t->step,
                                 t->alias_of, t->alias == PLAN_ALIAS_VIEW};
    }
    return 0;
}

static rp_range range(plan_range r) {
    return (rp_range){r.at, r.count};
}

/* Of the claims of a step those of an order; *n counts all. */
static rp_range take_orders(const plan_step *s, uint32_t *n) {
    rp_range found = {*n, 0};
    for (uint32_t i = s->claims.at; i < s->claims.at + s->claims.count; i++) {
        const plan_claim *c = &plan_claims[i];
        if (c->promise >= PLAN_PROMISE_OVERLAP_ROWS && c->promise <= PLAN_PROMISE_OVERLAP_PIXELS) {
            orders[(*n)++] = (rp_order){plan_places[s->results.at + c->result],
                                        plan_places[s->operands.at + c->operand],
                                        (uint32_t)(c->promise - PLAN_PROMISE_OVERLAP_ROWS)};
            found.count++;
        }
    }
    return found;
}

static void take_steps(void) {
    uint32_t n_orders = 0;
    for (uint32_t i = 0; i < n_storages; i++) {
        storages[i] =
            (rp_storage){plan_storages[i].offset, plan_storages[i].size, plan_storages[i].pool};
    }
    for (uint32_t i = 0; i < n_steps; i++) {
        const plan_step *s = &plan_steps[i];
        steps[i] = (rp_step){s->name,
                             s->domain,
                             s->op,
                             s->kind == PLAN_STEP_OP      ? RP_OP
                             : s->kind == PLAN_STEP_BEGIN ? RP_BEGIN
                                                          : RP_END,
                             s->partner,
                             s->clone_of,
                             range(s->reads),
                             range(s->writes),
                             range(s->frees),
                             range(s->hazards),
                             range(s->overlaps),
                             take_orders(s, &n_orders),
                             s->may_restrict != 0,
                             s->queue};
    }
    for (size_t i = 0; i < sizeof overlaps / sizeof overlaps[0]; i++) {
        overlaps[i] = (rp_overlap){plan_overlaps[i].written, plan_overlaps[i].other};
    }
}

int main(void) {
    rp_plan plan = {.n_queues = PLAN_QUEUES,
                    .pools = pools,
                    .n_pools = n_pools,
                    .tensors = tensors,
                    .n_tensors = n_tensors,
                    .storages = storages,
                    .n_storages = n_storages,
                    .steps = steps,
                    .n_steps = n_steps,
                    .ids = plan_ids,
                    .overlaps = overlaps,
                    .orders = orders,
                    .nodes = nodes,
                    .node_ids = node_ids,
                    .legal = legal,
                    .kept = kept,
                    .n_kept = n_kept};
    rp_figures f = {0};
    if (lay_out() != 0 || take_tensors() != 0) {
        return 1;
    }
    take_steps();
    if (!rp_replay(&plan, &f)) {
        return 1;
    }
    const uint64_t figures[] = {f.written, f.checked, f.poisoned, f.views,
                                f.over,    f.inside,  f.orders};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        printf("%" PRIu64 " ", figures[i]);
    }
    return 0;
}
