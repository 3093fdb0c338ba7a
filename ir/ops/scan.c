/* Scan in both forms, and SequenceMap. */
#include "ir/infer/carried.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_rules.h"

/* What is not scanned is a state. In version 8 none is: each entry of the batch is a run of its
 * own. Nor is one where nothing says how much is scanned. */
tn_states tn_states_scan(const tn_op *op) {
    int64_t scanned = tn_attr_int(op, "num_scan_inputs", -1);
    bool stated = op->version > 8 && scanned >= 0 && scanned <= op->n_operands;
    return (tn_states){stated ? op->n_operands - (uint32_t)scanned : 0, 0, 0};
}

typedef struct scan {
    tn_graph *body;
    uint32_t
        first; /* operand of the first state: 1 in opset 8, which has sequence_lens before it */
    uint32_t n_states;
    uint32_t n_inputs; /* scanned ones */
    bool batched;      /* opset 8: a batch axis before everything */
    tn_dim batch, length;
    tn_carried *carried;
} scan;

static bool read_form(tn_infer *in, scan *s) {
    const tn_op *op = in->op;
    int64_t n_inputs = tn_attr_int(op, "num_scan_inputs", 0);
    s->batched = op->version == 8;
    s->first = s->batched ? 1 : 0;
    if (op->n_regions != 1 || op->n_operands < s->first || n_inputs < 1 ||
        n_inputs > op->n_operands - s->first) {
        tn_infer_conflict(in, "num_scan_inputs is %lld of %u operands", (long long)n_inputs,
                          op->n_operands);
        return false;
    }
    s->body = op->regions[0];
    s->n_inputs = (uint32_t)n_inputs;
    s->n_states = op->n_operands - s->first - s->n_inputs;
    if (s->body->n_inputs != s->n_states + s->n_inputs || s->body->n_outputs < s->n_states ||
        s->body->n_outputs < op->n_results) {
        tn_infer_conflict(in,
                          "body '%s' has %u inputs and %u outputs for %u states, %u scanned "
                          "inputs and %u results",
                          s->body->name, s->body->n_inputs, s->body->n_outputs, s->n_states,
                          s->n_inputs, op->n_results);
        return false;
    }
    return true;
}

static int64_t listed_axis(const tn_infer *in, const char *attr, uint32_t i) {
    uint32_t n;
    const int64_t *axes = tn_attr_ints(in->op, attr, &n);
    return axes != NULL && i < n ? axes[i] : 0;
}

/* The first extent that is known speaks for all. */
static void learn(tn_dim *known, const tn_type *type, int64_t axis) {
    int64_t at = axis < 0 ? axis + type->rank : axis;
    if (*known == TN_DIM_UNKNOWN && type->has_rank && at >= 0 && at < type->rank) {
        *known = type->dims[at];
    }
}

static const tn_type *flow_of_state(tn_infer *in, scan *s, uint32_t k) {
    const tn_type *t = tn_in_type(in, s->first + k);
    if (!s->batched) {
        return t;
    }
    learn(&s->batch, t, 0);
    return tn_type_slice(in, t, 0);
}

static void bind_slice(tn_infer *in, scan *s, uint32_t i) {
    const tn_type *t = tn_in_type(in, s->first + s->n_states + i);
    int64_t axis = s->batched ? 0 : listed_axis(in, "scan_input_axes", i);
    if (s->batched) {
        learn(&s->batch, t, 0);
        t = tn_type_slice(in, t, 0);
    }
    learn(&s->length, t, axis);
    tn_infer_bind(in, s->body->inputs[s->n_states + i], tn_type_slice(in, t, axis), true);
}

static void begin(tn_infer *in) {
    scan *s = TN_NEW(in->scratch, scan);
    if (!read_form(in, s)) {
        return;
    }
    const tn_type **flow = TN_ARRAY(in->scratch, const tn_type *, s->n_states);
    for (uint32_t k = 0; k < s->n_states; k++) {
        flow[k] = flow_of_state(in, s, k);
    }
    for (uint32_t i = 0; i < s->n_inputs; i++) {
        bind_slice(in, s, i);
    }
    s->carried = tn_carried_start(in, s->n_states, s->body->inputs, s->body->outputs, flow);
    in->memo = s;
    in->region = s->body;
}

static void answer_state(tn_infer *in, const scan *s, uint32_t k) {
    const tn_type *t = s->carried->types[k];
    const char *why = tn_carried_why(s->carried, k);
    tn_out_type(in, k, s->batched ? tn_type_stack(in, t, 0, s->batch) : t);
    if (why != NULL) {
        tn_out_as_inside(in, k, why);
    }
}

static void answer_output(tn_infer *in, const scan *s, uint32_t r) {
    const tn_value *out = s->body->outputs[r];
    int64_t axis = s->batched ? 0 : listed_axis(in, "scan_output_axes", r - s->n_states);
    const tn_type *t = tn_type_stack(in, out->type, axis, s->length);
    tn_out_type(in, r, s->batched ? tn_type_stack(in, t, 0, s->batch) : t);
    if (out->unplanned != NULL) {
        tn_out_as_inside(in, r, out->unplanned);
    }
}

void tn_shape_scan(tn_infer *in) {
    if (in->phase == 0) {
        begin(in);
        return;
    }
    scan *s = in->memo;
    if (!tn_carried_settled(in, s->carried)) {
        in->region = s->body;
        return;
    }
    for (uint32_t r = 0; r < in->op->n_results; r++) {
        if (r < s->n_states) {
            answer_state(in, s, r);
        } else {
            answer_output(in, s, r);
        }
    }
}

/* ---- SequenceMap ---- */

static const tn_type *element_of(const tn_type *t) {
    bool wrapped = t->kind == TN_TYPE_SEQUENCE && t->elem != NULL;
    return wrapped ? t->elem : t->kind == TN_TYPE_SEQUENCE ? tn_type_unknown() : t;
}

void tn_shape_sequence_map(tn_infer *in) {
    if (in->op->n_regions != 1) {
        return;
    }
    tn_graph *body = in->op->regions[0];
    if (in->phase == 0) {
        for (uint32_t i = 0; i < body->n_inputs; i++) {
            tn_infer_bind(in, body->inputs[i], element_of(tn_in_type(in, i)), true);
        }
        in->region = body;
        return;
    }
    for (uint32_t r = 0; r < body->n_outputs && r < in->op->n_results; r++) {
        tn_out_type(
            in, r,
            tn_type_wrap(in->arena, TN_TYPE_SEQUENCE, TN_DT_UNKNOWN, body->outputs[r]->type));
    }
}
