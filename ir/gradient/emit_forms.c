/* Ops whose form depends on the operator set, and what is known of shapes. */
#include <string.h>

#include "ir/gradient/emit_ops.h"
#include "ir/infer/infer.h"

static bool has_extents(const tn_value *v) {
    const tn_type *t = v->type;
    bool has = t->kind == TN_TYPE_TENSOR && t->has_rank;
    for (uint32_t i = 0; has && i < t->rank; i++) {
        has = t->dims[i] != TN_DIM_UNKNOWN;
    }
    return has;
}

/* The op on the way to v of which no shape rule is known; NULL where there is none. */
static const tn_op *without_rule(const tn_value *v) {
    while (v != NULL && v->def != NULL && !has_extents(v)) {
        const tn_op *op = v->def;
        if (op->info->shape == NULL && op->n_regions == 0) {
            return op;
        }
        v = NULL;
        for (uint32_t i = 0; v == NULL && i < op->n_operands; i++) {
            const tn_value *from = op->operands[i].value;
            v = from != NULL && !has_extents(from) ? from : NULL;
        }
    }
    return NULL;
}

const char *tn_emit_way_out(tn_emitter *e, const tn_value *v, const char *otherwise) {
    const tn_op *op = without_rule(v);
    return op == NULL ? otherwise
                      : tn_arena_printf(e->scratch,
                                        "no shape rule is known for op %s '%s', which it comes "
                                        "from: export other ops, or give the shapes of its "
                                        "results in the file",
                                        op->type, op->name);
}

uint32_t tn_emit_rank(tn_emitter *e, const tn_value *v) {
    if (v->type->kind != TN_TYPE_TENSOR || !v->type->has_rank) {
        tn_fail(e->ctx, &e->loc,
                "%s needs the rank of '%s', which is not known: %s; " TN_GRAD_WAYS_OUT, e->what,
                v->name, tn_emit_way_out(e, v, "write it as the shape of the value (value_info)"));
    }
    return v->type->rank;
}

int64_t tn_emit_largest(const tn_emitter *e) {
    int64_t largest = 0, bytes;
    for (uint32_t i = 0; i < e->m->n_values; i++) {
        const tn_value *v = e->m->values[i];
        if (v->kind == TN_VALUE_RESULT && !v->def->erased && (v->flags & TN_VF_OUTPUT) == 0 &&
            tn_type_fixed_bytes(e->m->dims, v->type, &bytes)) {
            largest = bytes > largest ? bytes : largest;
        }
    }
    return largest;
}

static bool is_static(const tn_emitter *e, const tn_value *v) {
    int64_t n;
    return v->type->kind == TN_TYPE_TENSOR && tn_type_fixed_elements(e->m->dims, v->type, &n);
}

const int64_t *tn_emit_extents(tn_emitter *e, const tn_value *v) {
    uint32_t rank = tn_emit_rank(e, v);
    int64_t *extents = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        if (!tn_dim_is_const(e->m->dims, v->type->dims[i], &extents[i])) {
            tn_fail(e->ctx, &e->loc,
                    "%s needs the extents of '%s' as numbers: %s; " TN_GRAD_WAYS_OUT, e->what,
                    v->name, tn_emit_way_out(e, v, TN_GIVE_DIMENSIONS));
        }
    }
    return extents;
}

const int64_t *tn_known_ints(tn_emitter *e, const tn_value *v, uint32_t *n) {
    const tn_tensor *t = v != NULL ? tn_infer_tensor(v) : NULL;
    *n = 0;
    if (t != NULL && (t->ints != NULL || t->n_elements == 0)) {
        *n = (uint32_t)t->n_elements;
        return t->ints != NULL ? t->ints : TN_ARRAY(e->scratch, int64_t, 1);
    }
    if (v == NULL || v->content == NULL) {
        return NULL;
    }
    int64_t *ints = TN_ARRAY(e->scratch, int64_t, v->n_content + 1u);
    for (*n = 0; *n < v->n_content; ++*n) {
        if (!tn_dim_is_const(e->m->dims, v->content[*n], &ints[*n])) {
            return NULL;
        }
    }
    return ints;
}

bool tn_known_int(tn_emitter *e, const tn_value *v, int64_t *out) {
    uint32_t n;
    const int64_t *ints = tn_known_ints(e, v, &n);
    bool one = ints != NULL && n == 1;
    *out = one ? ints[0] : 0;
    return one;
}

/* ---- axes ---- */

/* Axes are an attribute before some version and an operand from then on. */
static tn_value *along(tn_emitter *e, const char *type, tn_value *x, const int64_t *axes,
                       uint32_t n, const tn_attr *keepdims) {
    tn_attr attrs[2];
    uint32_t n_attrs = 0;
    if (keepdims != NULL) {
        attrs[n_attrs++] = *keepdims;
    }
    int64_t version = tn_module_opset(e->m, "");
    const tn_op_info *info = tn_op_info_get(tn_op_find("", type));
    if (version > 0 && tn_emit_declares(info, version, "axes")) {
        attrs[n_attrs++] = tn_attr_of_ints(e, "axes", axes, n);
        return tn_emit(e, type, &x, 1, attrs, n_attrs);
    }
    tn_value *in[] = {x, tn_emit_ints(e, axes, n)};
    return tn_emit(e, type, in, 2, attrs, n_attrs);
}

tn_value *tn_emit_reduce(tn_emitter *e, const char *type, tn_value *x, const int64_t *axes,
                         uint32_t n, bool keepdims) {
    tn_attr keep = tn_attr_of_int("keepdims", keepdims);
    return n > 0 ? along(e, type, x, axes, n, &keep) : x;
}

tn_value *tn_emit_squeeze(tn_emitter *e, tn_value *x, const int64_t *axes, uint32_t n) {
    return n > 0 ? along(e, "Squeeze", x, axes, n, NULL) : x;
}

tn_value *tn_emit_unsqueeze(tn_emitter *e, tn_value *x, const int64_t *axes, uint32_t n) {
    return n > 0 ? along(e, "Unsqueeze", x, axes, n, NULL) : x;
}

tn_value *tn_emit_transpose(tn_emitter *e, tn_value *x, const int64_t *perm, uint32_t n) {
    bool moves = false;
    for (uint32_t i = 0; i < n; i++) {
        moves |= perm[i] != (int64_t)i;
    }
    tn_attr attr = tn_attr_of_ints(e, "perm", perm, n);
    return moves ? tn_emit(e, "Transpose", &x, 1, &attr, 1) : x;
}

tn_value *tn_emit_swapped(tn_emitter *e, tn_value *x) {
    uint32_t rank = tn_emit_rank(e, x);
    int64_t *perm = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        perm[i] = i + 2 < rank ? i : 2 * (int64_t)rank - 3 - i;
    }
    return tn_emit_transpose(e, x, perm, rank);
}

tn_value *tn_emit_cast(tn_emitter *e, tn_value *x, tn_dtype dtype) {
    tn_attr to = tn_attr_of_int("to", tn_dtype_number(dtype));
    return x->type->dtype == dtype ? x : tn_emit(e, "Cast", &x, 1, &to, 1);
}

/* ---- shapes ---- */

tn_value *tn_emit_shape(tn_emitter *e, tn_value *x) {
    return is_static(e, x) ? tn_emit_ints(e, tn_emit_extents(e, x), x->type->rank)
                           : tn_emit_1(e, "Shape", x);
}

tn_value *tn_emit_reshape_like(tn_emitter *e, tn_value *x, tn_value *like) {
    return tn_type_same_extents(x->type, like->type)
               ? x
               : tn_emit_2(e, "Reshape", x, tn_emit_shape(e, like));
}

tn_value *tn_emit_reshape(tn_emitter *e, tn_value *x, const int64_t *dims, uint32_t n) {
    return tn_emit_2(e, "Reshape", x, tn_emit_ints(e, dims, n));
}

/* x repeated along each axis, before there was Expand. */
static tn_value *repeated(tn_emitter *e, tn_value *x, tn_value *like) {
    uint32_t rank = tn_emit_rank(e, like), fewer = rank - tn_emit_rank(e, x);
    const int64_t *to = tn_emit_extents(e, like), *from = tn_emit_extents(e, x);
    int64_t *dims = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    int64_t *times = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = i < fewer ? 1 : from[i - fewer];
        times[i] = dims[i] == to[i] ? 1 : to[i];
    }
    tn_value *v = fewer > 0 ? tn_emit_reshape(e, x, dims, rank) : x;
    return rank > 0 ? tn_emit_2(e, "Tile", v, tn_emit_ints(e, times, rank)) : v;
}

tn_value *tn_emit_expand_like(tn_emitter *e, tn_value *x, tn_value *like) {
    if (tn_type_same_extents(x->type, like->type)) {
        return x;
    }
    if (!tn_emit_can(e, "Expand", NULL)) {
        return repeated(e, x, like);
    }
    return tn_emit_2(e, "Expand", x, tn_emit_shape(e, like));
}

tn_value *tn_emit_full_like(tn_emitter *e, tn_value *like, tn_dtype dtype, double x) {
    return tn_emit_expand_like(e, tn_emit_scalar(e, dtype, x), like);
}

/* Which axes of x, whose shape `like` was broadcast to, have to be summed. */
static bool is_stretched(tn_emitter *e, const tn_value *x, const tn_value *like, uint32_t axis) {
    uint32_t in_front = x->type->rank - like->type->rank;
    if (axis < in_front) {
        return true;
    }
    tn_dim to = x->type->dims[axis], from = like->type->dims[axis - in_front];
    int64_t extent;
    if (to == from && to != TN_DIM_UNKNOWN) {
        return false;
    }
    if (tn_dim_is_const(e->m->dims, from, &extent)) {
        return extent == 1;
    }
    tn_fail(e->ctx, &e->loc,
            "%s by '%s' cannot be made: whether axis %u of it is broadcast is not known before the "
            "run: %s; " TN_GRAD_WAYS_OUT,
            e->what, like->name, axis - in_front, tn_emit_way_out(e, like, TN_GIVE_DIMENSIONS));
}

tn_value *tn_emit_sum_to(tn_emitter *e, tn_value *x, tn_value *like) {
    uint32_t rank = tn_emit_rank(e, x), to = tn_emit_rank(e, like), n = 0;
    if (tn_type_same_extents(x->type, like->type)) {
        return x;
    }
    if (rank < to) { /* a scalar for what a formula has made without the shape */
        return tn_emit_expand_like(e, x, like);
    }
    int64_t *axes = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        if (is_stretched(e, x, like, i)) {
            axes[n++] = i;
        }
    }
    bool leading = rank > to;
    tn_value *sum = tn_emit_reduce(e, "ReduceSum", x, axes, n, !leading);
    return leading ? tn_emit_reshape_like(e, sum, like) : sum;
}

/* ---- parts ---- */

tn_value *tn_emit_slice(tn_emitter *e, tn_value *x, int64_t axis, int64_t begin, int64_t end) {
    enum { BY_OPERANDS = 10 };
    int64_t version = tn_module_opset(e->m, "");
    if (version > 0 && version < BY_OPERANDS) {
        tn_attr attrs[] = {tn_attr_of_ints(e, "axes", &axis, 1),
                           tn_attr_of_ints(e, "ends", &end, 1),
                           tn_attr_of_ints(e, "starts", &begin, 1)};
        return tn_emit(e, "Slice", &x, 1, attrs, 3);
    }
    tn_value *from = tn_emit_ints(e, &begin, 1), *to = tn_emit_ints(e, &end, 1);
    tn_value *along = tn_emit_ints(e, &axis, 1);
    return tn_emit(e, "Slice", (tn_value *[]){x, from, to, along}, 4, NULL, 0);
}

tn_value **tn_emit_split(tn_emitter *e, tn_value *x, int64_t axis, uint32_t n,
                         const int64_t *sizes) {
    enum { BY_OPERANDS = 13 };
    int64_t version = tn_module_opset(e->m, "");
    bool by_operand = version == 0 || version >= BY_OPERANDS;
    tn_value **rows = TN_ARRAY(e->scratch, tn_value *, n + 1u);
    if (n == 1) {
        rows[0] = x;
        return rows;
    }
    tn_attr attrs[] = {tn_attr_of_int("axis", axis), tn_attr_of_ints(e, "split", sizes, n)};
    tn_value *in[] = {x, by_operand ? tn_emit_ints(e, sizes, n) : NULL};
    tn_op *op = tn_emit_op(e, "Split", in, by_operand ? 2 : 1, attrs, by_operand ? 1 : 2, n);
    return memcpy(rows, op->results, n * sizeof(tn_value *));
}

const int64_t *tn_even_parts(tn_emitter *e, int64_t extent, uint32_t n) {
    int64_t *sizes = TN_ARRAY(e->scratch, int64_t, n);
    for (uint32_t i = 0; i < n; i++) {
        sizes[i] = extent / n + (i < extent % n);
    }
    return sizes;
}

tn_value *const *tn_emit_parts(tn_emitter *e, tn_value *x, int64_t axis, uint32_t n,
                               int64_t extent) {
    int64_t *sizes = TN_ARRAY(e->scratch, int64_t, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        sizes[i] = extent;
    }
    return tn_emit_split(e, x, axis, n, sizes);
}

tn_value *const *tn_emit_rows(tn_emitter *e, tn_value *x, int64_t axis, uint32_t n) {
    return tn_emit_parts(e, x, axis, n, 1);
}

tn_value *tn_emit_concat(tn_emitter *e, tn_value *const *parts, uint32_t n, int64_t axis) {
    tn_attr attr = tn_attr_of_int("axis", axis);
    return n == 1 ? parts[0] : tn_emit(e, "Concat", parts, n, &attr, 1);
}

/* Pad with nothing to cut; `pads` has all begins, then all ends. */
static tn_value *padded(tn_emitter *e, tn_value *x, const int64_t *pads, uint32_t n, double fill) {
    enum { BY_OPERANDS = 11 };
    int64_t version = tn_module_opset(e->m, "");
    if (version > 0 && version < BY_OPERANDS) {
        tn_attr attrs[] = {tn_attr_of_ints(e, "pads", pads, 2 * n),
                           tn_attr_of_float("value", fill)};
        return tn_emit(e, "Pad", &x, 1, attrs, fill != 0 ? 2 : 1);
    }
    tn_value *by = tn_emit_ints(e, pads, 2 * n);
    tn_value *with = fill != 0 ? tn_emit_scalar(e, x->type->dtype, fill) : NULL;
    return tn_emit(e, "Pad", (tn_value *[]){x, by, with}, fill != 0 ? 3 : 2, NULL, 0);
}

tn_value *tn_emit_pad_with(tn_emitter *e, tn_value *x, const int64_t *before, const int64_t *behind,
                           uint32_t n, double fill) {
    int64_t *pads = TN_ARRAY(e->scratch, int64_t, 2u * n + 1u);
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        int64_t cut_before = before[i] < 0 ? -before[i] : 0,
                cut_behind = behind[i] < 0 ? -behind[i] : 0, extent;
        if (cut_before + cut_behind > 0) {
            if (!tn_dim_is_const(e->m->dims, x->type->dims[i], &extent)) {
                (void)tn_emit_extents(e, x); /* says what is missing */
            }
            x = tn_emit_slice(e, x, i, cut_before, extent - cut_behind);
        }
        pads[i] = before[i] + cut_before;
        pads[n + i] = behind[i] + cut_behind;
        any |= pads[i] > 0 || pads[n + i] > 0;
    }
    return any ? padded(e, x, pads, n, fill) : x;
}

tn_value *tn_emit_pad(tn_emitter *e, tn_value *x, const int64_t *before, const int64_t *behind,
                      uint32_t n) {
    return tn_emit_pad_with(e, x, before, behind, n, 0);
}

tn_value *tn_emit_along(tn_emitter *e, tn_value *v, int64_t axis, const double *rows, int64_t from,
                        int64_t to) {
    uint32_t rank = tn_emit_rank(e, v);
    int64_t *perm = TN_ARRAY(e->scratch, int64_t, rank + 1u), last = (int64_t)rank - 1;
    for (int64_t i = 0; i < rank; i++) {
        perm[i] = i == axis ? last : i == last ? axis : i;
    }
    tn_value *matrix = tn_emit_floats(e, "grad_matrix", v->type->dtype, 2, (int64_t[]){from, to},
                                      rows, (uint32_t)(from * to));
    tn_value *product = tn_emit_2(e, "MatMul", tn_emit_transpose(e, v, perm, rank), matrix);
    return tn_emit_transpose(e, product, perm, rank);
}

tn_value *tn_emit_rows_to(tn_emitter *e, tn_value *v, int64_t axis, const int64_t *row_of,
                          int64_t from, int64_t to) {
    uint32_t rank = tn_emit_rank(e, v);
    int64_t *none = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    int64_t *one = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    int64_t *taken = TN_ARRAY(e->scratch, int64_t, (size_t)to + 1u);
    int64_t *turn = TN_ARRAY(e->scratch, int64_t, (size_t)from + 1u), turns = 1;
    for (int64_t i = 0; i < from; i++) {
        turn[i] = taken[row_of[i]]++;
        turns = taken[row_of[i]] > turns ? taken[row_of[i]] : turns;
    }
    one[axis] = 1;
    tn_value *with_zeros = tn_emit_pad(e, v, none, one, rank), *sum = NULL;
    tn_attr attr = tn_attr_of_int("axis", axis);
    for (int64_t t = 0; t < turns; t++) {
        int64_t *rows = TN_ARRAY(e->scratch, int64_t, (size_t)to + 1u);
        for (int64_t k = 0; k < to; k++) {
            rows[k] = from;
        }
        for (int64_t i = 0; i < from; i++) {
            rows[row_of[i]] = turn[i] == t ? i : rows[row_of[i]];
        }
        tn_value *in[] = {with_zeros, tn_emit_ints(e, rows, (uint32_t)to)};
        tn_value *part = tn_emit(e, "Gather", in, 2, &attr, 1);
        sum = sum != NULL ? tn_emit_2(e, "Add", sum, part) : part;
    }
    return sum;
}

/* ---- forms of older operator sets ---- */

static tn_value *not_of(tn_emitter *e, tn_value *v) {
    return tn_emit_1(e, "Not", v);
}

static tn_value *older_where(tn_emitter *e, tn_value *const *in) {
    tn_dtype dtype = in[1]->type->dtype;
    tn_value *yes = tn_emit_cast(e, in[0], dtype), *no = tn_emit_cast(e, not_of(e, in[0]), dtype);
    yes = tn_emit_2(e, "Mul", in[1], yes);
    no = tn_emit_2(e, "Mul", in[2], no);
    return tn_emit_2(e, "Add", yes, no);
}

/* 1 above 0, -1 below. */
static tn_value *older_sign(tn_emitter *e, tn_value *x) {
    tn_dtype dtype = x->type->dtype;
    tn_value *zero = tn_emit_scalar(e, dtype, 0);
    tn_value *above = tn_emit_cast(e, tn_emit_2(e, "Greater", x, zero), dtype);
    tn_value *below = tn_emit_cast(e, tn_emit_2(e, "Less", x, zero), dtype);
    return tn_emit_2(e, "Sub", above, below);
}

tn_value *tn_emit_older(tn_emitter *e, const char *type, tn_value *const *in) {
    enum { EQUAL_OF_FLOATS = 11 };
    int64_t version = tn_module_opset(e->m, "");
    bool equal = strcmp(type, "Equal") == 0 && tn_dtype_get(in[0]->type->dtype)->kind == 'F' &&
                 version > 0 && version < EQUAL_OF_FLOATS;
    if (equal) {
        tn_value *less = tn_emit_2(e, "Less", in[0], in[1]);
        tn_value *greater = tn_emit_2(e, "Greater", in[0], in[1]);
        return not_of(e, tn_emit_2(e, "Or", less, greater));
    }
    if (tn_emit_can(e, type, NULL)) {
        return NULL;
    }
    return strcmp(type, "Where") == 0  ? older_where(e, in)
           : strcmp(type, "Sign") == 0 ? older_sign(e, in[0])
                                       : NULL;
}
