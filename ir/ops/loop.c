/* Loop: carried values, and scan outputs stacked once an iteration. */
#include "ir/infer/by_data.h"
#include "ir/infer/carried.h"
#include "ir/infer/common.h"
#include "ir/ops/claims.h"
#include "ir/ops/loop_trips.h"
#include "ir/ops/op_rules.h"

/* Trip count and condition stand before the states, a condition before the body's outputs. */
tn_states tn_states_loop(const tn_op *op) {
    return (tn_states){op->n_operands > 2 ? op->n_operands - 2 : 0, 2, 1};
}

typedef struct loop {
    tn_graph *body;
    tn_carried *carried;
    bool starts;  /* the condition is true before the first iteration */
    bool forever; /* assumed, and to be shown: the condition is true in every iteration */
} loop;

/* Exporters declare the counter and the condition as scalars or as one-element vectors. */
static void bind_scalar(tn_infer *in, tn_value *arg, tn_dtype dtype) {
    const tn_type *declared = in->stored != NULL ? in->stored[arg->id] : arg->type;
    bool ranked = declared->kind == TN_TYPE_TENSOR && declared->has_rank;
    tn_infer_bind(in, arg,
                  ranked ? tn_type_unranked(in->arena, dtype)
                         : tn_type_tensor(in->arena, dtype, 0, NULL),
                  true);
}

/* In a loop assumed to run to its count the condition is a known true inside the body, so that
 * passing it on, as counting loops do, proves the assumption. */
static void bind_condition(tn_infer *in, const loop *l) {
    tn_value *cond = l->body->inputs[1];
    bind_scalar(in, cond, TN_DT_BOOL);
    if (l->forever) {
        tn_dim one = tn_dim_const(in->dims, 1);
        tn_infer_bind_content(in, cond, 1, tn_arena_regrow(in->arena, &one, 1, 1, sizeof one),
                              NULL);
    }
}

static bool is_true(const tn_infer *in, const tn_dim *dims, uint32_t n) {
    int64_t value;
    return dims != NULL && n == 1 && tn_dim_is_const(in->dims, dims[0], &value) && value != 0;
}

static bool stays_true(const tn_infer *in, const tn_value *cond) {
    const tn_tensor *t = tn_value_tensor(cond);
    tn_infer_reads(in, cond, false);
    if (t != NULL) {
        return t->ints != NULL && t->n_elements == 1 && t->ints[0] != 0;
    }
    return is_true(in, cond->content, cond->n_content);
}

static bool well_formed(tn_infer *in, const tn_graph *body, uint32_t n_carried) {
    if (body->n_inputs != n_carried + 2u || body->n_outputs < n_carried + 1u ||
        body->n_outputs - 1u < in->op->n_results) {
        tn_infer_conflict(in,
                          "body '%s' has %u inputs and %u outputs for %u carried values and %u "
                          "results",
                          body->name, body->n_inputs, body->n_outputs, n_carried,
                          in->op->n_results);
        return false;
    }
    return true;
}

static void begin(tn_infer *in, tn_graph *body, uint32_t n_carried) {
    loop *l = TN_NEW(in->scratch, loop);
    const tn_type **flow = TN_ARRAY(in->scratch, const tn_type *, n_carried);
    for (uint32_t k = 0; k < n_carried; k++) {
        flow[k] = tn_in_type(in, k + 2);
    }
    uint32_t n = 0;
    const tn_dim *condition = tn_in_content(in, 1, &n);
    l->body = body;
    l->starts = l->forever = !tn_in_has(in, 1) || is_true(in, condition, n);
    bind_scalar(in, body->inputs[0], TN_DT_INT64);
    bind_condition(in, l);
    l->carried = tn_carried_start(in, n_carried, body->inputs + 2, body->outputs + 1, flow);
    in->memo = l;
    in->region = body;
}

/* How often the body runs: known when M is, or there is none, and the condition never ends the loop
 * early, or in an iteration that is known. */
static tn_dim trip_count(tn_infer *in, const loop *l) {
    uint32_t n;
    const tn_dim *count = tn_in_content(in, 0, &n);
    bool counts = count != NULL && n == 1;
    int64_t last = INT64_MAX;
    if (!l->starts || (!counts && tn_in_has(in, 0)) ||
        (!l->forever && !tn_loop_ends_behind(in, l->body, &last))) {
        return TN_DIM_UNKNOWN;
    }
    bool counted = last <= TN_LAST_COUNTED;
    tn_dim behind = counted ? tn_dim_const(in->dims, last + 1) : TN_DIM_UNKNOWN;
    if (!counts) {
        return behind;
    }
    int64_t limit;
    tn_dim most = tn_dim_max(in->dims, count[0], tn_dim_const(in->dims, 0));
    if (counted) {
        return tn_dim_min(in->dims, most, behind);
    }
    bool before = tn_dim_is_const(in->dims, most, &limit) && limit <= TN_LAST_COUNTED;
    return l->forever || before ? most : TN_DIM_UNKNOWN;
}

static void stack_outputs(tn_infer *in, const loop *l) {
    uint32_t n;
    tn_dim trips = trip_count(in, l);
    const tn_dim *count = tn_in_content(in, 0, &n);
    if (trips == TN_DIM_UNKNOWN && count != NULL && n == 1 && l->carried->n < in->op->n_results) {
        tn_dim most = tn_dim_max(in->dims, count[0], tn_in_const(in, 0));
        int64_t limit; /* exporters write the largest number where they mean none */
        bool none = tn_dim_is_const(in->dims, most, &limit) && limit > TN_LAST_COUNTED;
        trips = tn_extent_by_data(in, l->carried->n, 0, none ? TN_DIM_UNKNOWN : most);
    }
    for (uint32_t r = l->carried->n; r < in->op->n_results; r++) {
        const tn_value *out = l->body->outputs[r + 1u];
        if (out->unplanned != NULL) {
            tn_out_as_inside(in, r, out->unplanned);
        } else if (l->forever && tn_in_has(in, 0)) {
            tn_out_depends(in, r, 0);
        } else if (trips == TN_DIM_UNKNOWN) {
            tn_out_dynamic(in, r,
                           tn_arena_printf(in->scratch, "depends on the values of '%s'",
                                           l->body->outputs[0]->name));
        }
        tn_out_type(in, r, tn_type_stack(in, out->type, 0, trips));
    }
}

void tn_shape_loop(tn_infer *in) {
    uint32_t n_carried = in->op->n_operands > 2 ? in->op->n_operands - 2u : 0;
    if (in->op->n_regions != 1 || !well_formed(in, in->op->regions[0], n_carried)) {
        return;
    }
    if (in->phase == 0) {
        begin(in, in->op->regions[0], n_carried);
        return;
    }
    loop *l = in->memo;
    bool ends = l->forever && !stays_true(in, l->body->outputs[0]);
    l->forever = l->forever && !ends;
    if (!tn_carried_settled(in, l->carried) || ends) {
        bind_condition(in, l);
        in->region = l->body;
        return;
    }
    for (uint32_t k = 0; k < l->carried->n && k < in->op->n_results; k++) {
        tn_out_type(in, k, l->carried->types[k]);
        const char *why = tn_carried_why(l->carried, k);
        if (why != NULL) {
            tn_out_as_inside(in, k, why);
        }
    }
    stack_outputs(in, l);
}
