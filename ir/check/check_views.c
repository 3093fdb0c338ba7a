/* Views, worked out again from types, attributes and constants. False is always a safe answer: the
 * plan is refused. */
#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/check/check_t.h"

/* A tensor's extents, all numbers. */
typedef struct extents {
    uint32_t rank;
    int64_t at[TN_MAX_RANK];
} extents;

static bool get_extents(const tn_checking *c, const tn_value *v, extents *out) {
    const tn_type *t = v->type;
    if (t->kind != TN_TYPE_TENSOR || !t->has_rank || t->rank > TN_MAX_RANK) {
        return false;
    }
    out->rank = t->rank;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (!tn_dim_is_const(c->m->dims, t->dims[i], &out->at[i])) {
            return false;
        }
    }
    return true;
}

bool tn_check_same_bytes(const tn_checking *c, const tn_value *a, const tn_value *b) {
    tn_dim n = tn_type_bytes(c->m->dims, a->type);
    return n != TN_DIM_UNKNOWN && n == tn_type_bytes(c->m->dims, b->type);
}

/* Whether the box `part` that starts at `start` in `whole` is one run of elements in memory: behind
 * the outermost axis on which it is longer than 1, it must span every axis. *offset is its first
 * element. */
static bool is_run(const extents *part, const extents *whole, const int64_t *start,
                   int64_t *offset) {
    int64_t stride = 1, sum = 0, term;
    bool full = true; /* all axes seen so far (inner ones) are spanned */
    for (uint32_t i = whole->rank; i-- > 0;) {
        if (start[i] < 0 || start[i] > whole->at[i] || part->at[i] > whole->at[i] - start[i]) {
            return false;
        }
        if (part->at[i] > 1 && !full) {
            return false;
        }
        full = full && part->at[i] == whole->at[i];
        if (!tn_mul_i64(start[i], stride, &term) || !tn_add_i64(sum, term, &sum) ||
            !tn_mul_i64(stride, whole->at[i], &stride)) {
            return false;
        }
    }
    *offset = sum;
    return true;
}

/* Elements to bytes; false when they do not end on a byte. */
static bool is_at(const tn_value *v, int64_t elements, int64_t bytes) {
    int64_t bits;
    return tn_mul_i64(elements, tn_dtype_get(v->type->dtype)->bits, &bits) && bits % 8 == 0 &&
           bits / 8 == bytes;
}

/* Whether a part shares no byte with what follows it. One of a few bits would: what is written next
 * to it, in one whole or another, would not leave its byte alone. */
static bool ends_on_byte(const tn_value *v, const extents *part, const extents *whole) {
    int64_t bits = tn_dtype_get(v->type->dtype)->bits;
    bool same = true;
    for (uint32_t i = 0; i < part->rank; i++) {
        same = same && part->at[i] == whole->at[i];
        if (!tn_mul_i64(bits, part->at[i], &bits)) {
            return false;
        }
    }
    return same || bits % 8 == 0;
}

/* Whether the box is one run of bytes in `v`, the whole, that starts at byte `at`. */
static bool lies_at(const tn_value *v, const extents *part, const extents *whole,
                    const int64_t *start, int64_t at) {
    int64_t offset;
    return is_run(part, whole, start, &offset) && is_at(v, offset, at) &&
           ends_on_byte(v, part, whole);
}

/* Integers of an operand known ahead of time, at most TN_MAX_RANK of them. */
static bool get_known(const tn_checking *c, const tn_value *v, uint32_t *n, int64_t *out) {
    const tn_tensor *t = v != NULL ? tn_value_tensor(v) : NULL;
    if (t != NULL && t->ints != NULL && t->n_elements <= TN_MAX_RANK) {
        *n = (uint32_t)t->n_elements;
        memcpy(out, t->ints, *n * sizeof *out);
        return true;
    }
    if (v == NULL || v->content == NULL || v->n_content > TN_MAX_RANK) {
        return false;
    }
    *n = v->n_content;
    for (uint32_t i = 0; i < *n; i++) {
        if (!tn_dim_is_const(c->m->dims, v->content[i], &out[i])) {
            return false;
        }
    }
    return true;
}

/* A list that older versions give as an attribute, newer ones as operand k. */
static bool get_list(const tn_checking *c, const tn_op *op, const char *attr, uint32_t k,
                     uint32_t *n, int64_t *out) {
    uint32_t len = 0;
    const int64_t *ints = tn_attr_ints(op, attr, &len);
    if (ints == NULL) {
        return get_known(c, tn_operand(op, k), n, out);
    }
    if (len > TN_MAX_RANK) {
        return false;
    }
    *n = len;
    memcpy(out, ints, len * sizeof *out);
    return true;
}

static bool get_axis(const tn_op *op, uint32_t rank, int64_t fallback, uint32_t *axis) {
    int64_t a = tn_attr_int(op, "axis", fallback);
    if (a < 0) {
        a += rank;
    }
    *axis = (uint32_t)a;
    return a >= 0 && a < rank;
}

/* The axes that a list of n numbers is about: given, or the first n. */
static bool get_axes(const tn_checking *c, const tn_op *op, uint32_t k, uint32_t rank, uint32_t n,
                     int64_t *axes) {
    uint32_t len = n;
    if (tn_op_attr(op, "axes") == NULL && tn_operand(op, k) == NULL) {
        for (uint32_t i = 0; i < n; i++) {
            axes[i] = i;
        }
    } else if (!get_list(c, op, "axes", k, &len, axes)) {
        return false;
    }
    for (uint32_t i = 0; i < len && i < n; i++) {
        axes[i] += axes[i] < 0 ? rank : 0;
        if (axes[i] < 0 || axes[i] >= rank) {
            return false;
        }
    }
    return len == n && n <= rank;
}

static bool slice_start(const tn_checking *c, const tn_op *op, const extents *part,
                        const extents *whole, int64_t *start) {
    int64_t starts[TN_MAX_RANK], axes[TN_MAX_RANK], steps[TN_MAX_RANK];
    uint32_t n, n_steps;
    if (!get_list(c, op, "starts", 1, &n, starts) || !get_axes(c, op, 3, whole->rank, n, axes)) {
        return false;
    }
    bool stepped = tn_operand(op, 4) != NULL;
    if (stepped && (!get_known(c, tn_operand(op, 4), &n_steps, steps) || n_steps != n)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = (uint32_t)axes[i];
        int64_t step = stepped ? steps[i] : 1, s = starts[i];
        int64_t top = step < 0 ? whole->at[a] - 1 : whole->at[a];
        if (step != 1 && part->at[a] > 1) {
            return false;
        }
        s += s < 0 ? whole->at[a] : 0;
        start[a] = s < 0 ? 0 : s > top ? top : s;
    }
    return true;
}

static bool is_slice(const tn_checking *c, const tn_value *result, const tn_value *operand,
                     int64_t delta) {
    extents part, whole;
    int64_t start[TN_MAX_RANK] = {0};
    return get_extents(c, result, &part) && get_extents(c, operand, &whole) &&
           part.rank == whole.rank && slice_start(c, result->def, &part, &whole, start) &&
           lies_at(operand, &part, &whole, start, delta);
}

/* Gather of neighbours in ascending order, of which one alone is a case. */
static bool is_gather(const tn_checking *c, const tn_value *result, const tn_value *operand,
                      int64_t delta) {
    extents part, whole;
    int64_t index[TN_MAX_RANK], start[TN_MAX_RANK] = {0};
    uint32_t n, axis;
    if (!get_extents(c, operand, &whole) || !get_axis(result->def, whole.rank, 0, &axis) ||
        !get_known(c, tn_operand(result->def, 1), &n, index) || n == 0) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        index[i] += index[i] < 0 ? whole.at[axis] : 0;
        if (index[i] != index[0] + i) {
            return false;
        }
    }
    part = whole;
    part.at[axis] = n;
    start[axis] = index[0];
    return lies_at(operand, &part, &whole, start, delta);
}

/* `part` is the piece of `whole` along an axis that begins behind `before` elements of that axis.
 */
static bool is_piece(const tn_checking *c, const tn_value *part, const tn_value *whole,
                     uint32_t axis, int64_t before, int64_t delta) {
    extents p, w;
    int64_t start[TN_MAX_RANK] = {0};
    if (!get_extents(c, part, &p) || !get_extents(c, whole, &w) || p.rank != w.rank) {
        return false;
    }
    start[axis] = before;
    return lies_at(whole, &p, &w, start, delta);
}

static bool is_split(const tn_checking *c, const tn_value *result, const tn_value *operand,
                     int64_t delta) {
    const tn_op *op = result->def;
    extents whole, piece;
    uint32_t axis;
    int64_t before = 0;
    if (!get_extents(c, operand, &whole) || !get_axis(op, whole.rank, 0, &axis)) {
        return false;
    }
    for (uint32_t i = 0; i < result->def_index; i++) {
        if (op->results[i] == NULL || !get_extents(c, op->results[i], &piece) ||
            piece.rank != whole.rank || !tn_add_i64(before, piece.at[axis], &before)) {
            return false;
        }
    }
    return is_piece(c, result, operand, axis, before, delta);
}

/* The operand lies inside the result, so it is the operand that is the piece; it may occur more
 * than once and can lie in one of its places only. */
static bool is_concat(const tn_checking *c, const tn_value *result, const tn_value *operand,
                      int64_t delta) {
    const tn_op *op = result->def;
    extents whole, piece;
    uint32_t axis;
    int64_t before = 0;
    if (tn_op_attr(op, "axis") == NULL || !get_extents(c, result, &whole) ||
        !get_axis(op, whole.rank, 0, &axis)) {
        return false;
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_value *v = op->operands[i].value;
        if (v == NULL || !get_extents(c, v, &piece) || piece.rank != whole.rank) {
            return false;
        }
        if (v == operand && is_piece(c, v, result, axis, before, -delta)) {
            return true;
        }
        if (!tn_add_i64(before, piece.at[axis], &before)) {
            return false;
        }
    }
    return false;
}

static bool is_pad(const tn_checking *c, const tn_value *result, const tn_value *operand,
                   int64_t delta) {
    const tn_op *op = result->def;
    extents part, whole;
    int64_t pads[TN_MAX_RANK], axes[TN_MAX_RANK], start[TN_MAX_RANK] = {0};
    uint32_t n;
    if (tn_operand(op, 0) != operand || !get_extents(c, operand, &part) ||
        !get_extents(c, result, &whole) || part.rank != whole.rank ||
        !get_list(c, op, "pads", 1, &n, pads) || n % 2 != 0 ||
        !get_axes(c, op, 3, whole.rank, n / 2, axes)) {
        return false;
    }
    for (uint32_t i = 0; i < n / 2; i++) {
        if (pads[i] < 0 || pads[i + n / 2] < 0) {
            return false;
        }
        start[axes[i]] = pads[i];
    }
    return lies_at(result, &part, &whole, start, -delta);
}

static bool is_transpose(const tn_checking *c, const tn_value *result, const tn_value *operand) {
    extents e;
    uint32_t n = 0;
    int64_t last = -1;
    const int64_t *perm = tn_attr_ints(result->def, "perm", &n);
    if (!get_extents(c, operand, &e) || (perm != NULL && n != e.rank)) {
        return false;
    }
    for (uint32_t i = 0; i < e.rank; i++) {
        int64_t from = perm != NULL ? perm[i] : (int64_t)(e.rank - 1 - i);
        if (from < 0 || from >= e.rank) {
            return false;
        }
        if (e.at[from] != 1) {
            if (from < last) {
                return false;
            }
            last = from;
        }
    }
    return tn_check_same_bytes(c, result, operand);
}

/* The argument of a called function and the operand that it stands for. */
static bool is_argument(const tn_checking *c, const tn_value *argument, const tn_value *operand) {
    const tn_op *call = argument->kind == TN_VALUE_INPUT ? argument->graph->owner : NULL;
    return call != NULL && tn_op_is_call(call) &&
           tn_operand(call, c->position[argument->id]) == operand &&
           argument->type->dtype == operand->type->dtype &&
           tn_check_same_bytes(c, argument, operand);
}

bool tn_check_is_view(const tn_checking *c, const tn_value *result, const tn_value *operand,
                      int64_t delta) {
    if (is_argument(c, result, operand)) {
        return delta == 0;
    }
    const tn_op *op = result->def;
    const tn_op_info *info = op != NULL ? tn_op_info_get(op->code) : NULL;
    if (info == NULL || (info->view_if != NULL && !info->view_if(op))) {
        return false;
    }
    bool named = tn_operand(op, info->view_of) == operand;
    bool first = result->def_index == 0;
    switch (info->view) {
    case TN_VIEW_NONE:
        return false;
    case TN_VIEW_WHOLE:
        return named && first && delta == 0 && tn_check_same_bytes(c, result, operand);
    case TN_VIEW_IF_EQUAL:
        return named && first && delta == 0 && tn_check_same_bytes(c, result, operand) &&
               tn_type_equal(result->type, operand->type);
    case TN_VIEW_PERMUTED:
        return named && first && delta == 0 && is_transpose(c, result, operand);
    case TN_VIEW_PART:
        if (!named || !first) {
            return false;
        }
        return strcmp(op->type, "Gather") == 0  ? is_gather(c, result, operand, delta)
               : strcmp(op->type, "Slice") == 0 ? is_slice(c, result, operand, delta)
                                                : false;
    case TN_VIEW_PARTS:
        return named && is_split(c, result, operand, delta);
    case TN_VIEW_GATHERED:
        return first && (strcmp(op->type, "Pad") == 0 ? is_pad(c, result, operand, delta)
                                                      : is_concat(c, result, operand, delta));
    }
    return false;
}
