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
