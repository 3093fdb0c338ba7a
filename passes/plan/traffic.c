#include "passes/plan/traffic.h"

#include "ir/base/xmath.h"
#include "ir/ops/claims.h"

typedef struct tally {
    const tn_module *m;
    const tn_plan *p;
    uint64_t *sum;  /* by storage */
    uint64_t *todo; /* by plan value: bytes of the step at hand that are still to be added */
} tally;

static void overflow(const tally *t) {
    tn_loc loc = tn_loc_file(t->m->file);
    tn_fail(t->m->ctx, &loc, "what a run reads and writes adds up to more than 2^63 bytes");
}

static void add(tally *t, uint32_t value, uint64_t bytes, uint64_t times) {
    uint32_t s = t->p->values[value].storage;
    uint64_t all;
    if (s == TN_NO_ID) {
        return;
    }
    if (!tn_mul_u64(bytes, times, &all) || !tn_add_u64(t->sum[s], all, &t->sum[s]) ||
        t->sum[s] > INT64_MAX) {
        overflow(t);
    }
}

/* ---- ops ---- */

static bool reads_shape(const tn_plan_step *s, uint32_t k) {
    for (uint32_t i = 0; i < s->shape_only.len; i++) {
        if (s->shape_only.data[i] == k) {
            return true;
        }
    }
    return false;
}

/* The first position at which the op reads the value of position k. */
static uint32_t first_read(const tn_plan_step *s, uint32_t k) {
    for (uint32_t i = 0; i < k; i++) {
        if (s->operands.data[i] == s->operands.data[k] && !reads_shape(s, i)) {
            return i;
        }
    }
    return k;
}

static void take_off(tally *t, uint32_t value, uint64_t bytes) {
    t->todo[value] -= bytes < t->todo[value] ? bytes : t->todo[value];
}

/* Each value once for being read and once for being written, without what claims leave in place. */
static void count_op(tally *t, const tn_plan_step *s, uint64_t times) {
    const tn_plan_value *values = t->p->values;
    for (uint32_t k = 0; k < s->operands.len; k++) {
        uint32_t v = s->operands.data[k];
        if (v != TN_NO_ID && !reads_shape(s, k)) {
            t->todo[v] = values[v].bytes;
        }
    }
    for (uint32_t pass = 0; pass < 2; pass++) { /* operands, then results */
        const tn_ids *list = pass == 0 ? &s->operands : &s->results;
        for (uint32_t i = 0; i < s->n_claims; i++) {
            const tn_plan_claim *c = &s->claims[i];
            if (c->promise != TN_PROMISE_KEEP || c->result == TN_NO_ID) {
                continue;
            }
            uint32_t o = s->operands.data[c->operand], r = s->results.data[c->result];
            uint64_t kept = values[o].bytes < values[r].bytes ? values[o].bytes : values[r].bytes;
            if (pass == 1 || first_read(s, c->operand) == c->operand) {
                take_off(t, pass == 0 ? o : r, kept);
            }
        }
        for (uint32_t k = 0; k < list->len; k++) {
            uint32_t v = list->data[k];
            if (v != TN_NO_ID) {
                add(t, v, t->todo[v], times);
                t->todo[v] = 0;
            }
        }
        for (uint32_t k = 0; k < s->results.len && pass == 0; k++) {
            uint32_t v = s->results.data[k];
            if (v != TN_NO_ID) {
                t->todo[v] = values[v].bytes;
            }
        }
    }
    for (uint32_t i = 0; i < s->n_workspace; i++) {
        add(t, s->workspace[i].value, values[s->workspace[i].value].bytes, times);
    }
}

/* ---- ops with bodies ---- */

static uint64_t how_often(const tn_plan_move *m, uint64_t trips) {
    switch (m->when) {
    case TN_MOVE_BEGIN:
    case TN_MOVE_END:
        return 1;
    case TN_MOVE_ITERATION:
    case TN_MOVE_AFTER:
        return trips;
    case TN_MOVE_NEXT:
        return trips > 0 ? trips - 1 : 0;
    case TN_MOVE_NONE:
        break;
    }
    return 0;
}

static bool moves_nothing(const tn_plan *p, const tn_plan_move *m) {
    const tn_plan_value *from = &p->values[m->from], *to = &p->values[m->to];
    return m->kind == TN_MOVE_COPY && from->storage != TN_NO_ID && from->storage == to->storage &&
           from->offset == to->offset;
}

static void count_moves(tally *t, const tn_plan_step *s, uint64_t trips, uint64_t times) {
    const tn_plan *p = t->p;
    for (uint32_t i = 0; i < s->n_moves; i++) {
        const tn_plan_move *m = &s->moves[i];
        uint64_t n;
        if (!tn_mul_u64(how_often(m, trips), times, &n)) {
            overflow(t);
        }
        if (m->from == TN_NO_ID) {
            add(t, m->to, p->values[m->to].bytes, n);
        } else if (!moves_nothing(p, m)) {
            uint64_t bytes = p->values[m->kind == TN_MOVE_STACK ? m->from : m->to].bytes;
            add(t, m->from, bytes, n);
            add(t, m->to, bytes, n);
        }
    }
}

/* A loop whose iterations are not known counts as one. */
static uint64_t trips_of(const tn_op *op) {
    uint64_t trips;
    return !tn_op_trips(op, &trips) ? 1 : trips < TN_MOST_TRIPS ? trips : TN_MOST_TRIPS;
}

const uint64_t *tn_plan_traffic(const tn_plan *p, const tn_module *m, tn_arena *arena) {
    tally t = {m, p, TN_ARRAY(arena, uint64_t, p->n_storages),
               TN_ARRAY(arena, uint64_t, p->n_values)};
    /* By depth: iterations of all loops that are open. */
    TN_VEC(uint64_t) times = {0};
    tn_vec_push(arena, &times, UINT64_C(1));
    for (uint32_t i = 0; i < p->n_steps; i++) {
        const tn_plan_step *s = &p->steps[i];
        uint64_t now = times.data[times.len - 1], inside;
        if (s->kind == TN_STEP_OP && !s->idle) {
            count_op(&t, s, now);
        } else if (s->kind == TN_STEP_BEGIN) {
            uint64_t trips = trips_of(m->ops[s->module_op]);
            count_moves(&t, s, trips, now);
            bool known = tn_mul_u64(now, trips, &inside) && inside < TN_MOST_TRIPS;
            tn_vec_push(arena, &times, known ? inside : TN_MOST_TRIPS);
        } else if (s->kind == TN_STEP_END) {
            times.len--;
        }
    }
    return t.sum;
}
