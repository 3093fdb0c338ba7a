#include "ir/ops/part.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "ir/ops/ops.h"

static bool extents_of(const tn_value *v, uint32_t *rank, int64_t *out) {
    const tn_type *t = v->type;
    if (t->kind != TN_TYPE_TENSOR || !t->has_rank || t->rank > TN_MAX_RANK) {
        return false;
    }
    *rank = t->rank;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (!tn_dim_is_const(v->graph->module->dims, t->dims[i], &out[i])) {
            return false;
        }
    }
    return true;
}

bool tn_part_begin(tn_part *p, const tn_value *whole) {
    if (whole == NULL || !extents_of(whole, &p->rank, p->whole)) {
        return false;
    }
    memcpy(p->extent, p->whole, sizeof p->extent);
    memset(p->start, 0, sizeof p->start);
    return true;
}

bool tn_part_take(tn_part *p, const tn_value *v) {
    uint32_t rank;
    return v != NULL && extents_of(v, &rank, p->extent) && rank == p->rank;
}

static bool known_ints(const tn_value *v, uint32_t *n, int64_t *out) {
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
        if (!tn_dim_is_const(v->graph->module->dims, v->content[i], &out[i])) {
            return false;
        }
    }
    return true;
}

bool tn_part_ints(const tn_op *op, const char *attr, uint32_t k, uint32_t *n, int64_t *out) {
    uint32_t len = 0;
    const int64_t *ints = tn_attr_ints(op, attr, &len);
    if (ints == NULL || len > TN_MAX_RANK) {
        return ints == NULL && known_ints(tn_operand(op, k), n, out);
    }
    *n = len;
    memcpy(out, ints, len * sizeof *out);
    return true;
}

bool tn_part_axes(const tn_op *op, uint32_t k, uint32_t rank, uint32_t n, int64_t *out) {
    uint32_t len = n;
    bool given = tn_op_attr(op, "axes") != NULL || tn_operand(op, k) != NULL;
    if (n > rank || (given && (!tn_part_ints(op, "axes", k, &len, out) || len != n))) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        out[i] = given ? out[i] : i;
        out[i] += out[i] < 0 ? rank : 0;
        if (out[i] < 0 || out[i] >= rank) {
            return false;
        }
    }
    return true;
}

bool tn_part_axis(const tn_op *op, int64_t fallback, uint32_t rank, uint32_t *out) {
    int64_t axis = tn_attr_int(op, "axis", fallback);
    axis += axis < 0 ? rank : 0;
    *out = (uint32_t)axis;
    return axis >= 0 && axis < rank;
}

bool tn_op_part(const tn_op *op, uint32_t i, tn_part *out) {
    const tn_op_info *info = op->info;
    bool inside = info->part != NULL && info->part(op, i, out);
    for (uint32_t a = 0; inside && a < out->rank; a++) {
        inside = out->start[a] >= 0 && out->start[a] <= out->whole[a] && out->extent[a] >= 0 &&
                 out->extent[a] <= out->whole[a] - out->start[a];
    }
    return inside;
}

bool tn_part_has_own_bytes(const tn_part *p, int64_t bits) {
    bool whole = true;
    for (uint32_t i = 0; i < p->rank; i++) {
        whole = whole && p->extent[i] == p->whole[i];
        if (!tn_mul_i64(bits, p->extent[i], &bits)) {
            return false;
        }
    }
    return whole || bits % 8 == 0;
}

/* Pieces are found by adding up those before. */
enum { MAX_PIECES = 256 };

uint32_t tn_op_pieces(const tn_op *op) {
    uint32_t n = op->info->view == TN_VIEW_GATHERED ? op->n_operands : op->n_results;
    return !op->info->pieces ? 0 : n < MAX_PIECES ? n : MAX_PIECES;
}

/* Whether the piece has the whole's rank, and its extents on all axes but one. */
static bool spans(const tn_type *piece, const tn_type *whole, uint32_t axis) {
    bool fits = piece->kind == TN_TYPE_TENSOR && piece->has_rank && piece->rank == whole->rank &&
                piece->dtype == whole->dtype;
    for (uint32_t a = 0; fits && a < whole->rank; a++) {
        fits = piece->dims[a] != TN_DIM_UNKNOWN && (a == axis || piece->dims[a] == whole->dims[a]);
    }
    return fits;
}

static bool is_inside(tn_dims *d, tn_dim start, tn_dim extent, tn_dim whole) {
    tn_dim zero = tn_dim_const(d, 0);
    return start != TN_DIM_UNKNOWN && whole != TN_DIM_UNKNOWN &&
           tn_dim_provably_ge(d, start, zero) && tn_dim_provably_ge(d, extent, zero) &&
           tn_dim_provably_ge(d, whole, tn_dim_add(d, start, extent));
}

bool tn_op_piece(const tn_op *op, uint32_t i, tn_piece *out) {
    bool joins = op->info->view == TN_VIEW_GATHERED;
    const tn_value *whole = joins ? tn_result(op, 0) : tn_operand(op, 0), *piece = NULL;
    if (i >= tn_op_pieces(op) || whole == NULL || whole->type->kind != TN_TYPE_TENSOR ||
        !whole->type->has_rank || (joins && tn_op_attr(op, "axis") == NULL) ||
        !tn_part_axis(op, 0, whole->type->rank, &out->axis)) {
        return false;
    }
    const tn_type *t = whole->type;
    tn_dims *d = whole->graph->module->dims;
    tn_dim before = tn_dim_const(d, 0);
    for (uint32_t k = 0; k <= i; k++) {
        tn_dim last = k > 0 ? piece->type->dims[out->axis] : tn_dim_const(d, 0);
        before = tn_dim_add(d, before, last);
        piece = joins ? tn_operand(op, k) : tn_result(op, k);
        if (piece == NULL || !spans(piece->type, t, out->axis)) {
            return false;
        }
    }
    uint16_t bits = tn_dtype_get(t->dtype)->bits;
    if (bits % 8 != 0 || bits == 0 ||
        !is_inside(d, before, piece->type->dims[out->axis], t->dims[out->axis])) {
        return false;
    }
    out->whole = whole;
    out->piece = piece;
    out->offset = tn_dim_mul(d, before, tn_dim_const(d, bits / 8));
    for (uint32_t a = out->axis + 1; a < t->rank; a++) {
        out->offset = tn_dim_mul(d, out->offset, t->dims[a]);
    }
    return out->offset != TN_DIM_UNKNOWN;
}
