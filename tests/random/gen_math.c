/* Ops that compute: element by element, by rows, over all, and those nobody knows. */
#include "tests/random/gen_t.h"

#define PICK(g, list) (list)[rng_below(&(g)->random, sizeof(list) / sizeof *(list))]

static bool make_unary(gen *g) {
    static const char *const types[] = {"Relu", "Exp", "Tanh", "Sigmoid", "Neg", "Abs", "Sqrt"};
    gen_value v = gen_pick(g);
    tn_op *op = gen_op(g, "", PICK(g, types));
    tn_op_add_operand(op, v.v);
    gen_result_like(g, op, &v);
    return true;
}

/* Numpy's rule; false when the two do not go together. */
static bool broadcast(const gen_value *a, const gen_value *b, gen_value *out) {
    *out = a->rank >= b->rank ? *a : *b;
    for (uint32_t i = 0; i < out->rank; i++) {
        uint32_t from_a = out->rank - a->rank, from_b = out->rank - b->rank;
        int64_t x = i >= from_a ? a->dims[i - from_a] : 1,
                y = i >= from_b ? b->dims[i - from_b] : 1;
        if (x != y && x != 1 && y != 1) {
            return false;
        }
        out->dims[i] = x == 1 ? y : x;
    }
    return !a->open && !b->open && a->dtype == b->dtype &&
           gen_fits(out->dtype, out->rank, out->dims);
}

static bool make_binary(gen *g) {
    static const char *const types[] = {"Add", "Mul", "Sub", "Div"};
    gen_value a = gen_pick(g), b = gen_pick(g), r;
    if (rng_chance(&g->random, 10)) {
        b = a;
    }
    if (!broadcast(&a, &b, &r)) {
        return false;
    }
    tn_op *op = gen_op(g, "", PICK(g, types));
    tn_op_add_operand(op, a.v);
    tn_op_add_operand(op, b.v);
    gen_result_like(g, op, &r);
    return true;
}

static bool make_variadic(gen *g) {
    static const char *const types[] = {"Max", "Min", "Sum", "Mean"};
    gen_value a = gen_pick(g), r = a, next;
    if (a.open) {
        return false;
    }
    tn_op *op = gen_op(g, "", PICK(g, types));
    tn_op_add_operand(op, a.v);
    for (uint32_t i = rng_below(&g->random, 3); i > 0; i--) {
        gen_value b = gen_pick(g);
        if (broadcast(&r, &b, &next)) {
            tn_op_add_operand(op, b.v);
            r = next;
        }
    }
    gen_result_like(g, op, &r);
    return true;
}

static bool make_compare(gen *g) {
    static const char *const types[] = {"Less", "Greater", "Equal"};
    gen_value a = gen_pick(g), b = gen_pick(g), r;
    if (!broadcast(&a, &b, &r)) {
        return false;
    }
    tn_op *op = gen_op(g, "", PICK(g, types));
    tn_op_add_operand(op, a.v);
    tn_op_add_operand(op, b.v);
    r.dtype = TN_DT_BOOL;
    gen_result_like(g, op, &r);
    return true;
}

static bool make_cast(gen *g) {
    static const tn_dtype to[] = {TN_DT_FLOAT, TN_DT_INT32, TN_DT_FLOAT16, TN_DT_BFLOAT16,
                                  TN_DT_UINT8, TN_DT_INT4,  TN_DT_DOUBLE,  TN_DT_BOOL};
    gen_value v = gen_pick(g);
    tn_dtype dtype = rng_chance(&g->random, 20) ? v.dtype : PICK(g, to);
    if (v.open || !gen_fits(dtype, v.rank, v.dims)) {
        return false;
    }
    tn_op *op = gen_op(g, "", "Cast");
    tn_op_add_operand(op, v.v);
    tn_op_add_int(op, "to", dtype);
    v.dtype = dtype;
    gen_result_like(g, op, &v);
    return true;
}

static bool make_quantize(gen *g) {
    gen_value v = gen_pick(g);
    bool forth = v.dtype == TN_DT_FLOAT || v.dtype == TN_DT_FLOAT16;
    bool back = v.dtype == TN_DT_INT8 || v.dtype == TN_DT_UINT8 || v.dtype == TN_DT_INT4;
    if (v.open || (!forth && !back) || !gen_fits(TN_DT_FLOAT, v.rank, v.dims)) {
        return false;
    }
    tn_dtype from = v.dtype, scale = forth ? from : TN_DT_FLOAT, zero = forth ? TN_DT_UINT8 : from;
    tn_op *op = gen_op(g, "", forth ? "QuantizeLinear" : "DequantizeLinear");
    tn_op_add_operand(op, v.v);
    tn_op_add_operand(op, gen_weights(g, gen_name(g), scale, 0, NULL).v);
    tn_op_add_operand(op, gen_weights(g, gen_name(g), zero, 0, NULL).v);
    v.dtype = forth ? TN_DT_UINT8 : TN_DT_FLOAT;
    gen_result_like(g, op, &v);
    return true;
}

static bool make_rows(gen *g) {
    static const char *const types[] = {"Softmax", "LogSoftmax", "Hardmax"};
    gen_value v = gen_pick(g);
    if (v.open || v.rank == 0) {
        return false;
    }
    tn_op *op = gen_op(g, "", PICK(g, types));
    tn_op_add_operand(op, v.v);
    tn_op_add_int(op, "axis", (int64_t)rng_below(&g->random, 2 * v.rank) - v.rank);
    gen_result_like(g, op, &v);
    return true;
}

static bool make_matmul(gen *g) {
    gen_value a = gen_pick(g), b;
    if (a.open || a.rank < 2) {
        return false;
    }
    bool found = false;
    for (uint32_t i = g->reach.len; i-- > 0 && !found;) {
        b = g->reach.data[i];
        found = !b.open && b.rank == 2 && b.dtype == a.dtype && b.dims[0] == a.dims[a.rank - 1];
    }
    int64_t dims[] = {a.dims[a.rank - 1], 1 + rng_below(&g->random, 8)};
    if (!found && (!gen_fits(a.dtype, 2, dims) || !gen_is_fixed(2, dims))) {
        return false;
    }
    if (!found) {
        b = gen_weights(g, gen_name(g), a.dtype, 2, dims);
    }
    gen_value r = a;
    r.dims[r.rank - 1] = b.dims[1];
    if (!gen_fits(r.dtype, r.rank, r.dims)) {
        return false;
    }
    tn_op *op = gen_op(g, "", "MatMul");
    tn_op_add_operand(op, a.v);
    tn_op_add_operand(op, b.v);
    gen_result_like(g, op, &r);
    return true;
}

static bool make_reduce(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || v.rank == 0) {
        return false;
    }
    uint32_t axis = rng_below(&g->random, v.rank);
    tn_op *op = gen_op(g, "", "ReduceSum");
    tn_op_add_operand(op, v.v);
    tn_op_add_operand(op, gen_list(g, axis));
    tn_op_add_int(op, "keepdims", 1);
    v.dims[axis] = 1;
    gen_result_like(g, op, &v);
    return true;
}

/* Entry 0 of the outermost axis is written over with another tensor's. */
static bool make_scatter(gen *g) {
    gen_value v = gen_pick(g), u = v;
    if (v.open || v.rank == 0 || v.dims[0] == 0) {
        return false;
    }
    u.dims[0] = 1;
    gen_value updates;
    bool found = gen_pick_like(g, &u, &updates);
    if (!found && !gen_is_fixed(u.rank, u.dims)) {
        return false;
    }
    if (!found) {
        updates = gen_weights(g, gen_name(g), u.dtype, u.rank, u.dims);
    }
    tn_op *op = gen_op(g, "", "ScatterND");
    tn_op_add_operand(op, v.v);
    tn_tensor *t = TN_NEW(g->m->arena, tn_tensor);
    static const int64_t dims[] = {1, 1}, zero[] = {0};
    *t = (tn_tensor){
        .dtype = TN_DT_INT64, .rank = 2, .dims = dims, .n_elements = 1, .bytes = 8, .ints = zero};
    tn_op_add_operand(op, tn_graph_add_const(g->graph, gen_name(g), t));
    tn_op_add_operand(op, updates.v);
    gen_result_like(g, op, &v);
    return true;
}

static bool make_shape(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open) {
        return false;
    }
    tn_op *op = gen_op(g, "", "Shape");
    tn_op_add_operand(op, v.v);
    gen_result(g, op, TN_DT_INT64, 1, &(int64_t){v.rank});
    return true;
}

static bool make_dropout(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || v.dtype != TN_DT_FLOAT) {
        return false;
    }
    tn_op *op = gen_op(g, "", "Dropout");
    tn_op_add_operand(op, v.v);
    gen_result_like(g, op, &v);
    if (rng_chance(&g->random, 50)) {
        v.dtype = TN_DT_BOOL;
        gen_result_like(g, op, &v);
    }
    return true;
}

static bool make_of_unknown_size(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || v.rank == 0) {
        return false;
    }
    bool sequence = rng_chance(&g->random, 50);
    tn_op *op = gen_op(g, "", sequence ? "SequenceConstruct" : "NonZero");
    tn_op_add_operand(op, v.v);
    gen_value made = gen_result_open(g, op, NULL);
    if (sequence) {
        op = gen_op(g, "", "SequenceAt");
        tn_op_add_operand(op, made.v);
        tn_op_add_operand(op, gen_int(g, 0));
        gen_result_open(g, op, NULL);
    }
    return true;
}

/* A Compress, along an axis or of all elements. */
static bool make_compress(gen *g) {
    gen_value v = gen_pick(g), keep;
    if (v.open || v.rank == 0) {
        return false;
    }
    uint32_t axis = rng_below(&g->random, v.rank);
    bool whole = rng_chance(&g->random, 25);
    gen_value like = {.dtype = TN_DT_BOOL, .rank = 1, .dims = {v.dims[axis]}};
    if (whole) { /* its length is another limit */
        like.dims[0] = 1 + rng_below(&g->random, 8);
    }
    if (!gen_fits(like.dtype, 1, like.dims)) {
        return false;
    }
    if (!gen_pick_like(g, &like, &keep)) {
        tn_op *decide = gen_op(g, "acme", "Decide");
        tn_op_add_operand(decide, v.v);
        keep = gen_result_like(g, decide, &like);
    }
    tn_op *op = gen_op(g, "", "Compress");
    tn_op_add_operand(op, v.v);
    tn_op_add_operand(op, keep.v);
    if (!whole) {
        tn_op_add_int(op, "axis", axis);
    }
    gen_value made = gen_result_open(g, op, NULL);
    if (rng_chance(&g->random, 70)) {
        static const char *const types[] = {"Relu", "Abs", "Identity", "Neg"};
        op = gen_op(g, "", types[rng_below(&g->random, 4)]);
        tn_op_add_operand(op, made.v);
        gen_result_open(g, op, NULL);
    }
    return true;
}

/* An op of another domain: reads a few tensors, perhaps one of them twice, makes one or two. */
static bool make_custom(gen *g) {
    gen_value first = gen_pick(g);
    tn_op *op = gen_op(g, "acme", "Mix");
    tn_op_add_operand(op, first.v);
    for (uint32_t i = rng_below(&g->random, 3); i > 0; i--) {
        tn_op_add_operand(op, rng_chance(&g->random, 20) ? NULL : gen_pick(g).v);
    }
    if (rng_chance(&g->random, 15)) {
        tn_op_add_operand(op, first.v);
    }
    gen_value like = gen_pick(g);
    gen_result_like(g, op, &like);
    if (rng_chance(&g->random, 30)) {
        gen_result_like(g, op, &first);
    }
    return true;
}

/* Over the first operand by definition, whoever reads that before or after. */
static bool make_accumulate(gen *g) {
    gen_value sum = gen_pick(g), more;
    if (sum.open || !gen_pick_like(g, &sum, &more)) {
        return false;
    }
    tn_op *op = gen_op(g, "com.microsoft", "InPlaceAccumulator");
    tn_op_add_operand(op, sum.v);
    tn_op_add_operand(op, more.v);
    gen_result_like(g, op, &sum);
    return true;
}

const gen_maker gen_math_makers[] = {{14, make_unary},
                                     {14, make_binary},
                                     {5, make_variadic},
                                     {4, make_compare},
                                     {6, make_cast},
                                     {3, make_quantize},
                                     {6, make_rows},
                                     {5, make_matmul},
                                     {4, make_reduce},
                                     {6, make_scatter},
                                     {2, make_shape},
                                     {2, make_dropout},
                                     {1, make_of_unknown_size},
                                     {2, make_compress},
                                     {5, make_custom},
                                     {3, make_accumulate},
                                     {0, NULL}};
