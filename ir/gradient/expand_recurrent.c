/* RNN, GRU and LSTM as plain ops, one step after another: the definitions of ai.onnx. The products
 * with the whole sequence are one product. */
#include <string.h>

#include "ir/gradient/expand.h"

enum { MAX_STEPS = 1024 };

/* One layer. Names are those of the definitions; per direction where it says so. */
typedef struct layer {
    tn_grad *g;
    tn_emitter *e;
    int64_t steps, hidden;
    uint32_t n_directions, n_gates, n_activations; /* activations: of one direction */
    bool batch_first;
    tn_value *x;                /* [steps,batch,input] */
    tn_value *w, *r, *b;        /* of the direction at hand; b: [2 gates hidden] or NULL */
    const char *activations[3]; /* of the direction at hand */
    tn_value *peepholes[3];     /* for i, o, f; or NULL */
    tn_value *projected;        /* x with w and its bias: [steps,batch,gates hidden] */
} layer;

/* What one direction ends with. */
typedef struct ending {
    tn_value *all, *h, *c; /* [steps,1,batch,hidden], [1,batch,hidden] twice */
} ending;

static tn_value *add(const layer *l, tn_value *a, tn_value *b) {
    return b != NULL ? tn_emit_2(l->e, "Add", a, b) : a;
}

static tn_value *mul(const layer *l, tn_value *a, tn_value *b) {
    return tn_emit_2(l->e, "Mul", a, b);
}

static tn_value *without(const layer *l, tn_value *v, int64_t axis) {
    return tn_emit_squeeze(l->e, v, &axis, 1);
}

static tn_value *with(const layer *l, tn_value *v, int64_t axis) {
    return tn_emit_unsqueeze(l->e, v, &axis, 1);
}

/* Part `at` of the direction's operand k, [directions,...]; NULL where it is left out. */
static tn_value *of_direction(const layer *l, tn_value *v, int64_t direction) {
    return v == NULL ? NULL : without(l, tn_emit_slice(l->e, v, 0, direction, direction + 1), 0);
}

/* Columns of gate `at` of a [.., gates hidden]. */
static tn_value *gate(const layer *l, tn_value *v, uint32_t at) {
    int64_t axis = tn_emit_rank(l->e, v) - 1;
    return tn_emit_slice(l->e, v, axis, at * l->hidden, (at + 1) * l->hidden);
}

/* All of them, by one op: their gradients are joined in place of being added up. */
static tn_value *const *all_gates(const layer *l, tn_value *v) {
    return tn_emit_parts(l->e, v, (int64_t)tn_emit_rank(l->e, v) - 1, l->n_gates, l->hidden);
}

static tn_value *activate(const layer *l, uint32_t which, tn_value *v) {
    static const char *const known[] = {"Sigmoid", "Tanh", "Relu", "Softsign", "Softplus"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(l->activations[which], known[i]) == 0) {
            return tn_emit_1(l->e, known[i], v);
        }
    }
    tn_grad_fail(l->g, "activation '%s' cannot be expanded", l->activations[which]);
}

/* ---- what the op says ---- */

static void read_activations(layer *l, uint32_t direction, const char *const *usual) {
    const tn_attr *a = tn_op_attr(l->g->op, "activations");
    bool given =
        a != NULL && a->kind == TN_ATTR_STRINGS && a->n >= (direction + 1) * l->n_activations;
    for (uint32_t i = 0; i < l->n_activations; i++) {
        l->activations[i] = given ? a->u.strings[direction * l->n_activations + i].data : usual[i];
    }
}

/* Lengths of sequences that are not all whole would stop steps of some samples. */
static void check_lengths(const layer *l) {
    enum { LENGTHS = 4 };
    const tn_value *v = tn_operand(l->g->op, LENGTHS);
    uint32_t n;
    const int64_t *known = v != NULL ? tn_known_ints(l->e, v, &n) : NULL;
    bool whole = v == NULL || known != NULL;
    for (uint32_t i = 0; known != NULL && i < n; i++) {
        whole &= known[i] == l->steps;
    }
    if (!whole) {
        tn_grad_fail(l->g, "'%s' (sequence_lens) is not known to be all %lld", v->name,
                     (long long)l->steps);
    }
}

static layer read_layer(tn_grad *g, uint32_t n_gates, uint32_t n_activations) {
    layer l = {.g = g, .e = g->e, .n_gates = n_gates, .n_activations = n_activations};
    const char *direction = tn_grad_text(g, "direction", "forward");
    l.n_directions = strcmp(direction, "bidirectional") == 0 ? 2 : 1;
    l.batch_first = tn_grad_int(g, "layout", 0) != 0;
    l.x = tn_operand(g->op, 0);
    if (l.batch_first) {
        l.x = tn_emit_transpose(g->e, l.x, (int64_t[]){1, 0, 2}, 3);
    }
    const tn_value *r = tn_operand(g->op, 2);
    if (tn_emit_rank(g->e, l.x) != 3 || r == NULL || tn_emit_rank(g->e, r) != 3 ||
        !tn_dim_is_const(g->e->m->dims, l.x->type->dims[0], &l.steps) ||
        !tn_dim_is_const(g->e->m->dims, r->type->dims[2], &l.hidden)) {
        tn_grad_fail(g, "the length of the sequence is not known: " TN_GIVE_DIMENSIONS);
    }
    if (l.steps > MAX_STEPS || l.steps < 1) {
        tn_grad_fail(g, "a sequence of %lld steps, at most %d are expanded", (long long)l.steps,
                     MAX_STEPS);
    }
    if (tn_op_attr(g->op, "clip") != NULL || tn_grad_int(g, "input_forget", 0) != 0) {
        tn_grad_fail(g, "clip and input_forget cannot be expanded");
    }
    check_lengths(&l);
    return l;
}

/* w, r, b of a direction, and the product with the whole sequence. */
static void read_direction(layer *l, uint32_t direction) {
    tn_op *op = l->g->op;
    l->w = of_direction(l, tn_operand(op, 1), direction);
    l->r = tn_emit_swapped(l->e, of_direction(l, tn_operand(op, 2), direction));
    l->b = of_direction(l, tn_operand(op, 3), direction);
    int64_t width = l->n_gates * l->hidden;
    tn_value *own = l->b != NULL ? tn_emit_slice(l->e, l->b, 0, 0, width) : NULL;
    l->projected = add(l, tn_emit_2(l->e, "MatMul", l->x, tn_emit_swapped(l->e, l->w)), own);
}

/* The bias of the hidden state's product, [gates hidden]. */
static tn_value *hidden_bias(const layer *l) {
    int64_t width = l->n_gates * l->hidden;
    return l->b != NULL ? tn_emit_slice(l->e, l->b, 0, width, 2 * width) : NULL;
}

/* The first state of a direction, [batch,hidden]: operand k, or zeros. */
static tn_value *first_state(const layer *l, uint32_t k, uint32_t direction) {
    tn_value *v = tn_operand(l->g->op, k);
    if (v == NULL) {
        tn_value *row = gate(l, without(l, tn_emit_slice(l->e, l->projected, 0, 0, 1), 0), 0);
        return tn_emit_full_like(l->e, row, row->type->dtype, 0);
    }
    v = l->batch_first ? tn_emit_transpose(l->e, v, (int64_t[]){1, 0, 2}, 3) : v;
    return of_direction(l, v, direction);
}

/* ---- one step ---- */

typedef void (*step_fn)(const layer *l, tn_value *in, tn_value **h, tn_value **c);

static tn_value *recurrent_part(const layer *l, tn_value *h) {
    tn_value *product = tn_emit_2(l->e, "MatMul", h, l->r);
    return add(l, product, hidden_bias(l));
}

static void rnn_step(const layer *l, tn_value *in, tn_value **h, tn_value **c) {
    (void)c;
    *h = activate(l, 0, add(l, in, recurrent_part(l, *h)));
}

static void gru_step(const layer *l, tn_value *in, tn_value **h, tn_value **c) {
    enum { Z, R, H };
    (void)c;
    tn_value *one = tn_emit_scalar(l->e, in->type->dtype, 1);
    tn_value *const *own = all_gates(l, in), *const *part = all_gates(l, recurrent_part(l, *h));
    tn_value *z = activate(l, 0, add(l, own[Z], part[Z])), *candidate;
    tn_value *r = activate(l, 0, add(l, own[R], part[R]));
    if (tn_grad_int(l->g, "linear_before_reset", 0) != 0) {
        candidate = mul(l, r, part[H]);
    } else {
        tn_value *bias = hidden_bias(l), *kept = mul(l, r, *h);
        candidate = tn_emit_2(l->e, "MatMul", kept, gate(l, l->r, H));
        candidate = add(l, candidate, bias != NULL ? gate(l, bias, H) : NULL);
    }
    candidate = activate(l, 1, add(l, own[H], candidate));
    candidate = mul(l, tn_emit_2(l->e, "Sub", one, z), candidate);
    *h = add(l, candidate, mul(l, z, *h));
}

static tn_value *peeped(const layer *l, uint32_t which, tn_value *v, tn_value *c) {
    return l->peepholes[which] != NULL ? add(l, v, mul(l, l->peepholes[which], c)) : v;
}

static void lstm_step(const layer *l, tn_value *in, tn_value **h, tn_value **c) {
    enum { I, O, F, C };
    tn_value *const *all = all_gates(l, add(l, in, recurrent_part(l, *h)));
    tn_value *i = activate(l, 0, peeped(l, I, all[I], *c));
    tn_value *f = activate(l, 0, peeped(l, F, all[F], *c));
    tn_value *candidate = activate(l, 1, all[C]);
    tn_value *kept = mul(l, f, *c);
    *c = add(l, kept, mul(l, i, candidate));
    tn_value *o = activate(l, 0, peeped(l, O, all[O], *c));
    *h = mul(l, o, activate(l, 2, *c));
}

/* ---- all steps ---- */

static ending run_direction(const layer *l, uint32_t direction, bool backwards, step_fn step,
                            bool has_cell) {
    enum { INITIAL_H = 5, INITIAL_C = 6 };
    uint32_t n = (uint32_t)l->steps;
    tn_value *const *in = tn_emit_rows(l->e, l->projected, 0, n);
    tn_value **rows = TN_ARRAY(l->e->scratch, tn_value *, n);
    tn_value *h = first_state(l, INITIAL_H, direction);
    tn_value *c = has_cell ? first_state(l, INITIAL_C, direction) : NULL;
    for (int64_t k = 0; k < l->steps; k++) {
        int64_t t = backwards ? l->steps - 1 - k : k;
        step(l, without(l, in[t], 0), &h, &c);
        rows[t] = with(l, with(l, h, 0), 0);
    }
    tn_attr axis = tn_attr_of_int("axis", 0);
    ending end = {.all = tn_emit(l->e, "Concat", rows, n, &axis, 1)};
    end.h = with(l, h, 0);
    end.c = has_cell ? with(l, c, 0) : NULL;
    return end;
}

/* Both directions, or the one there is, beside each other, in the layout of the results. */
static tn_value *joined(const layer *l, tn_value *const *parts, int64_t along, bool all) {
    tn_attr axis = tn_attr_of_int("axis", along);
    tn_value *v =
        l->n_directions > 1 ? tn_emit(l->e, "Concat", parts, l->n_directions, &axis, 1) : parts[0];
    if (l->batch_first) {
        v = all ? tn_emit_transpose(l->e, v, (int64_t[]){2, 0, 1, 3}, 4)
                : tn_emit_transpose(l->e, v, (int64_t[]){1, 0, 2}, 3);
    }
    return tn_emit_copy(l->e, v);
}

static void expand(layer *l, step_fn step, const char *const *usual, bool has_cell,
                   tn_value **made) {
    bool reverse = strcmp(tn_grad_text(l->g, "direction", "forward"), "reverse") == 0;
    enum { PEEPHOLES = 7 };
    tn_value *all[2], *h[2], *c[2];
    for (uint32_t k = 0; k < l->n_directions; k++) {
        read_activations(l, k, usual);
        read_direction(l, k);
        tn_value *p = has_cell ? of_direction(l, tn_operand(l->g->op, PEEPHOLES), k) : NULL;
        for (uint32_t i = 0; i < 3; i++) {
            l->peepholes[i] = p != NULL ? gate(l, p, i) : NULL;
        }
        ending end = run_direction(l, k, reverse || k == 1, step, has_cell);
        all[k] = end.all;
        h[k] = end.h;
        c[k] = end.c;
    }
    for (uint32_t r = 0; r < l->g->op->n_results; r++) {
        if (l->g->op->results[r] != NULL) {
            made[r] = r == 0 ? joined(l, all, 1, true) : joined(l, r == 1 ? h : c, 0, false);
        }
    }
}

void tn_expand_rnn(tn_grad *g, tn_value **made) {
    layer l = read_layer(g, 1, 1);
    expand(&l, rnn_step, (const char *const[]){"Tanh"}, false, made);
}

void tn_expand_gru(tn_grad *g, tn_value **made) {
    layer l = read_layer(g, 3, 2);
    expand(&l, gru_step, (const char *const[]){"Sigmoid", "Tanh"}, false, made);
}

void tn_expand_lstm(tn_grad *g, tn_value **made) {
    layer l = read_layer(g, 4, 3);
    expand(&l, lstm_step, (const char *const[]){"Sigmoid", "Tanh", "Tanh"}, true, made);
}
