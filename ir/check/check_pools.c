/* Traffic and cost of pools, from the model's ops: what each reads of its operands and writes of
 * its results, what a body's op copies, times the iterations around it. */
#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/check/check_t.h"

typedef struct counting {
    tn_checking *c;
    uint64_t *bytes; /* by storage */
    bool beyond;     /* a sum was too large to tell */
} counting;

static void count(counting *k, uint32_t value, uint64_t bytes, uint64_t times) {
    uint64_t all;
    uint32_t s = value != TN_NO_ID ? k->c->p->values[value].storage : TN_NO_ID;
    if (s == TN_NO_ID) {
        return;
    }
    if (!tn_mul_u64(bytes, times, &all) || !tn_add_u64(k->bytes[s], all, &k->bytes[s])) {
        k->beyond = true;
    }
}

/* Iterations of all loops around the op, as far as the model tells. */
static uint64_t times_of(const tn_op *op) {
    uint64_t times = 1, trips;
    for (const tn_op *around = op->graph->owner; around != NULL; around = around->graph->owner) {
        if (tn_op_trips(around, &trips)) {
            times *= trips < TN_MOST_TRIPS ? trips : TN_MOST_TRIPS; /* at most 10^12 */
            times = times < TN_MOST_TRIPS ? times : TN_MOST_TRIPS;
        }
    }
    return times;
}

/* Bytes of a value that lie where a kernel may leave them alone: what the step's claims keep. */
static uint64_t kept_of(const tn_checking *c, const tn_plan_step *s, bool result, uint32_t at) {
    uint64_t kept = 0;
    for (uint32_t i = 0; i < s->n_claims; i++) {
        const tn_plan_claim *claim = &s->claims[i];
        if (claim->promise == TN_PROMISE_KEEP && claim->result != TN_NO_ID &&
            (result ? claim->result : claim->operand) == at) {
            uint64_t r = c->facts[s->results.data[claim->result]].bytes;
            uint64_t o = c->facts[s->operands.data[claim->operand]].bytes;
            kept += r < o ? r : o;
        }
    }
    return kept;
}

static bool is_before(const tn_op *op, uint32_t k) {
    for (uint32_t i = 0; i < k; i++) {
        if (op->operands[i].value == op->operands[k].value && tn_reads_data(op, i)) {
            return true;
        }
    }
    return false;
}

static void count_op(counting *k, uint32_t step, const tn_op *op, uint64_t times) {
    const tn_checking *c = k->c;
    const tn_plan_step *s = &c->p->steps[step];
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_value *v = op->operands[i].value;
        if (v == NULL || !tn_reads_data(op, i) || is_before(op, i)) {
            continue;
        }
        uint32_t value = c->plan_value[v->id];
        uint64_t bytes = value != TN_NO_ID ? c->facts[value].bytes : 0,
                 kept = kept_of(c, s, false, i);
        count(k, value, bytes - (kept < bytes ? kept : bytes), times);
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        uint32_t value = op->results[i] != NULL ? c->plan_value[op->results[i]->id] : TN_NO_ID;
        uint64_t bytes = value != TN_NO_ID ? c->facts[value].bytes : 0,
                 kept = kept_of(c, s, true, i);
        count(k, value, bytes - (kept < bytes ? kept : bytes), times);
    }
    for (uint32_t i = 0; i < op->n_workspace; i++) {
        uint32_t value = c->plan_value[tn_workspace(op, i)->id];
        count(k, value, c->facts[value].bytes, times);
    }
}

static bool is_one_place(const tn_checking *c, uint32_t a, uint32_t b) {
    const tn_plan_value *x = &c->p->values[a], *y = &c->p->values[b];
    return x->storage == y->storage && x->storage != TN_NO_ID && x->offset == y->offset;
}

/* Moves are those of the model (ir/check/check_moves.c). */
static void count_moves(counting *k, const tn_plan_step *s, const tn_op *op, uint64_t times) {
    const tn_checking *c = k->c;
    uint64_t trips = 1;
    if (tn_op_trips(op, &trips) && trips > TN_MOST_TRIPS) {
        trips = TN_MOST_TRIPS;
    }
    for (uint32_t i = 0; i < s->n_moves; i++) {
        const tn_plan_move *m = &s->moves[i];
        bool each = m->when == TN_MOVE_ITERATION || m->when == TN_MOVE_AFTER;
        uint64_t often = each                      ? trips
                         : m->when == TN_MOVE_NEXT ? (trips > 0 ? trips - 1 : 0)
                         : m->when == TN_MOVE_NONE ? 0
                                                   : 1;
        uint64_t n, bytes = c->facts[m->kind == TN_MOVE_STACK ? m->from : m->to].bytes;
        if (!tn_mul_u64(often, times, &n)) {
            k->beyond = true;
        } else if (m->from == TN_NO_ID) {
            count(k, m->to, bytes, n);
        } else if (m->kind != TN_MOVE_COPY || !is_one_place(c, m->from, m->to)) {
            count(k, m->from, bytes, n);
            count(k, m->to, bytes, n);
        }
    }
}

static uint64_t *count_all(counting *k) {
    tn_checking *c = k->c;
    k->bytes = TN_ARRAY(c->arena, uint64_t, c->p->n_storages);
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_plan_step *s = &c->p->steps[i];
        const tn_op *op = c->step_op[i];
        if (s->kind == TN_STEP_OP && !s->idle) {
            count_op(k, i, op, times_of(op));
        } else if (s->kind == TN_STEP_BEGIN) {
            count_moves(k, s, op, times_of(op));
        }
    }
    return k->bytes;
}

/* The cheapest pool of each kind, or UINT64_MAX. */
static uint64_t least_cost(const tn_plan *p, tn_pool_kind kind) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (p->pools[i].kind == kind && p->pools[i].cost < least) {
            least = p->pools[i].cost;
        }
    }
    return least;
}

void tn_check_pools(tn_checking *c) {
    const tn_plan *p = c->p;
    if (!tn_plan_has_costs(p)) {
        return;
    }
    counting k = {.c = c};
    const uint64_t *bytes = count_all(&k);
    uint64_t *traffic = TN_ARRAY(c->arena, uint64_t, p->n_pools), cost = 0, floor = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_pool *pool = &p->pools[p->storages[i].pool];
        uint64_t own, least;
        k.beyond = k.beyond || !tn_mul_u64(bytes[i], pool->cost, &own) ||
                   !tn_mul_u64(bytes[i], least_cost(p, pool->kind), &least) ||
                   !tn_add_u64(cost, own, &cost) || !tn_add_u64(floor, least, &floor) ||
                   !tn_add_u64(traffic[p->storages[i].pool], pool->cost > 0 ? bytes[i] : 0,
                               &traffic[p->storages[i].pool]);
    }
    if (k.beyond) {
        tn_check_fail(c, "the traffic of the pools adds up to more than 2^64 bytes");
        return;
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (p->pools[i].traffic != traffic[i]) {
            tn_check_fail(c,
                          "pool '%s' is said to be read and written by %llu bytes, by the steps "
                          "it is %llu",
                          p->pools[i].name, (unsigned long long)p->pools[i].traffic,
                          (unsigned long long)traffic[i]);
        }
    }
    if (p->report.cost != cost) {
        tn_check_fail(c,
                      "the report says the cost of all traffic is %llu, the pools add up to %llu",
                      (unsigned long long)p->report.cost, (unsigned long long)cost);
    }
    if (p->report.cost_bound > cost || p->report.cost_bound < floor) {
        tn_check_fail(c,
                      "the report's bound of the cost, %llu, is not between %llu, which all of "
                      "the traffic costs at least, and its cost of %llu",
                      (unsigned long long)p->report.cost_bound, (unsigned long long)floor,
                      (unsigned long long)cost);
    }
}
