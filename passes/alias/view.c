#include "passes/alias/view.h"

#include <stdlib.h>
#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/xmath.h"

/* Pieces are found by adding up those before, so ops with more are not looked at. */
enum { MAX_PIECES = 4096 };

/* Extents of a tensor, all numbers. */
typedef struct box {
    uint32_t rank;
    int64_t at[TN_MAX_RANK];
} box;

static bool get_box(tn_module *m, const tn_value *v, box *out) {
    const tn_type *t = v->type;
    if (t->kind != TN_TYPE_TENSOR || !t->has_rank || t->rank > TN_MAX_RANK) {
        return false;
    }
    out->rank = t->rank;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (!tn_dim_is_const(m->dims, t->dims[i], &out->at[i])) {
            return false;
        }
    }
    return true;
}

/* A part that ends inside a byte would share it with what the whole has next. */
static bool ends_on_byte(int64_t bits, const box *part, const box *whole) {
    bool same = true;
    for (uint32_t i = 0; i < part->rank; i++) {
        same = same && part->at[i] == whole->at[i];
        if (!tn_mul_i64(bits, part->at[i], &bits)) {
            return false;
        }
    }
    return same || bits % 8 == 0;
}

/* Bytes from the start of `whole` to the part that starts at `start`, or -1 when the part is not
 * one run of bytes: from the outermost axis with more than one element inwards all must be spanned.
 */
static int64_t run_offset(const tn_value *v, const box *part, const box *whole,
                          const int64_t *start) {
    int64_t elements = 0, bits;
    bool must_span = false;
    for (uint32_t i = 0; i < whole->rank; i++) {
        bool spanned = part->at[i] == whole->at[i] && start[i] == 0;
        if (start[i] < 0 || part->at[i] > whole->at[i] - start[i] || (must_span && !spanned)) {
            return -1;
        }
        must_span = must_span || part->at[i] > 1;
        if (!tn_mul_i64(elements, whole->at[i], &elements) ||
            !tn_add_i64(elements, start[i], &elements)) {
            return -1;
        }
    }
    int64_t width = tn_dtype_get(v->type->dtype)->bits;
    if (!tn_mul_i64(elements, width, &bits) || bits % 8 != 0 || !ends_on_byte(width, part, whole)) {
        return -1;
    }
    return bits / 8;
}

/* At most TN_MAX_RANK known integers of a value. */
static bool get_ints(tn_module *m, const tn_value *v, uint32_t *n, int64_t *out) {
    const tn_tensor *t = v != NULL ? tn_value_tensor(v) : NULL;
    bool kept = t != NULL && t->ints != NULL && t->n_elements <= TN_MAX_RANK;
    if (!kept && (v == NULL || v->content == NULL || v->n_content > TN_MAX_RANK)) {
        return false;
    }
    *n = kept ? (uint32_t)t->n_elements : v->n_content;
    for (uint32_t i = 0; i < *n; i++) {
        if (kept) {
            out[i] = t->ints[i];
        } else if (!tn_dim_is_const(m->dims, v->content[i], &out[i])) {
            return false;
        }
    }
    return true;
}

/* "name@10", "name@-6", "name@2-10" in a signature: whether it holds in version `v`. */
static bool in_version(const char *token, size_t len, int64_t v) {
    const char *at = memchr(token, '@', len);
    if (at == NULL) {
        return true;
    }
    char *end;
    long since = strtol(at + 1, &end, 10);
    if (since < 0) {
        return v <= -since;
    }
    return v >= since && (*end != '-' || v <= strtol(end + 1, NULL, 10));
}

/* Position of the operand the row's signature calls `name`, or -1. */
static int32_t operand_called(const tn_op *op, const char *name) {
    const char *sig = tn_op_info_get(op->code)->sig;
    int32_t position = 0;
    size_t want = strlen(name);
    for (const char *p = sig != NULL ? sig : ""; *p != '\0' && *p != '-'; p += strspn(p, " ")) {
        size_t len = strcspn(p, " "), word = strcspn(p, " ?*@");
        if (in_version(p, len, op->version)) {
            if (word == want && memcmp(p, name, want) == 0) {
                return position;
            }
            position++;
        }
        p += len;
    }
    return -1;
}

/* A list of integers that is an attribute in older versions and an operand in newer ones. */
static bool get_list(tn_module *m, const tn_op *op, const char *name, uint32_t *n, int64_t *out) {
    uint32_t len = 0;
    const int64_t *ints = tn_attr_ints(op, name, &len);
    if (ints != NULL && len <= TN_MAX_RANK) {
        *n = len;
        memcpy(out, ints, len * sizeof *out);
        return true;
    }
    int32_t k = operand_called(op, name);
    return k >= 0 && get_ints(m, tn_operand(op, (uint32_t)k), n, out);
}

static bool has_list(const tn_op *op, const char *name) {
    int32_t k = operand_called(op, name);
    return tn_op_attr(op, name) != NULL || (k >= 0 && tn_operand(op, (uint32_t)k) != NULL);
}

/* The axes that `n` entries of a list belong to: named, or the first n. */
static bool get_axes(tn_module *m, const tn_op *op, uint32_t rank, uint32_t n, int64_t *axes) {
    uint32_t len = n;
    for (uint32_t i = 0; i < n; i++) {
        axes[i] = i;
    }
    if (n > rank || (has_list(op, "axes") && !get_list(m, op, "axes", &len, axes)) || len != n) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        axes[i] += axes[i] < 0 ? (int64_t)rank : 0;
        if (axes[i] < 0 || axes[i] >= (int64_t)rank) {
            return false;
        }
    }
    return true;
}

static bool get_axis(const tn_op *op, uint32_t rank, uint32_t *axis) {
    int64_t a = tn_attr_int(op, "axis", 0);
    a += a < 0 ? (int64_t)rank : 0;
    *axis = (uint32_t)a;
    return a >= 0 && a < (int64_t)rank;
}

static bool slice_offset(tn_module *m, const tn_op *op, const tn_value *r, const tn_value *o,
                         int64_t *offset) {
    box part, whole;
    int64_t starts[TN_MAX_RANK], axes[TN_MAX_RANK], steps[TN_MAX_RANK], start[TN_MAX_RANK] = {0};
    uint32_t n, n_steps;
    if (!get_box(m, r, &part) || !get_box(m, o, &whole) || part.rank != whole.rank ||
        !get_list(m, op, "starts", &n, starts) || !get_axes(m, op, whole.rank, n, axes)) {
        return false;
    }
    bool stepped = has_list(op, "steps");
    if (stepped && (!get_list(m, op, "steps", &n_steps, steps) || n_steps != n)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        int64_t extent = whole.at[axes[i]], s = starts[i] < 0 ? starts[i] + extent : starts[i];
        if (stepped && steps[i] != 1 && (steps[i] < 0 || part.at[axes[i]] > 1)) {
            return false;
        }
        start[axes[i]] = s < 0 ? 0 : s > extent ? extent : s;
    }
    *offset = run_offset(o, &part, &whole, start);
    return *offset >= 0;
}

/* Consecutive indices along one axis, a single one included. */
static bool pick_offset(tn_module *m, const tn_op *op, const tn_value *o, int64_t *offset) {
    box part, whole;
    int64_t index[TN_MAX_RANK], start[TN_MAX_RANK] = {0};
    uint32_t n, axis;
    if (!get_box(m, o, &whole) || !get_axis(op, whole.rank, &axis) ||
        !get_list(m, op, "indices", &n, index) || n == 0) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        index[i] += index[i] < 0 ? whole.at[axis] : 0;
        if (index[i] != index[0] + (int64_t)i) {
            return false;
        }
    }
    part = whole;
    part.at[axis] = n;
    start[axis] = index[0];
    *offset = run_offset(o, &part, &whole, start);
    return *offset >= 0;
}

static tn_value *result_at(const tn_op *op, uint32_t i) {
    return tn_result(op, i);
}

/* Pieces along op's axis: `list(op, i)` for i below `k` come before piece k of `whole`. */
static bool piece_offset(tn_module *m, const tn_op *op, const tn_value *whole_value, uint32_t k,
                         tn_value *(*list)(const tn_op *op, uint32_t i), int64_t *offset) {
    box whole, piece;
    int64_t start[TN_MAX_RANK] = {0};
    uint32_t axis;
    /* Operands are joined along an axis that has to be named; results have axis 0 by default. */
    bool named = list == result_at || tn_op_attr(op, "axis") != NULL;
    if (!get_box(m, whole_value, &whole) || !named || !get_axis(op, whole.rank, &axis)) {
        return false;
    }
    for (uint32_t i = 0; i <= k; i++) {
        const tn_value *v = list(op, i);
        if (v == NULL || !get_box(m, v, &piece) || piece.rank != whole.rank ||
            (i < k && !tn_add_i64(start[axis], piece.at[axis], &start[axis]))) {
            return false;
        }
    }
    *offset = run_offset(whole_value, &piece, &whole, start);
    return *offset >= 0;
}

static tn_value *operand_at(const tn_op *op, uint32_t i) {
    return tn_operand(op, i);
}

static bool pad_offset(tn_module *m, const tn_op *op, const tn_value *o, const tn_value *r,
                       int64_t *offset) {
    box part, whole;
    int64_t pads[TN_MAX_RANK], axes[TN_MAX_RANK], start[TN_MAX_RANK] = {0};
    uint32_t n;
    if (!get_box(m, o, &part) || !get_box(m, r, &whole) || part.rank != whole.rank ||
        !get_list(m, op, "pads", &n, pads) || n % 2 != 0 ||
        !get_axes(m, op, whole.rank, n / 2, axes)) {
        return false;
    }
    for (uint32_t i = 0; i < n / 2; i++) {
        if (pads[i] < 0 || pads[i + n / 2] < 0) {
            return false;
        }
        start[axes[i]] = pads[i];
    }
    *offset = run_offset(r, &part, &whole, start);
    return *offset >= 0;
}

/* The axes longer than 1 keep their order. */
static bool is_still(tn_module *m, const tn_op *op, const tn_value *o) {
    box b;
    uint32_t n = 0;
    int64_t last = -1;
    const int64_t *perm = tn_attr_ints(op, "perm", &n);
    if (!get_box(m, o, &b) || (perm != NULL && n != b.rank)) {
        return false;
    }
    for (uint32_t i = 0; i < b.rank; i++) {
        int64_t from = perm != NULL ? perm[i] : (int64_t)(b.rank - 1 - i);
        if (from < 0 || from >= (int64_t)b.rank || (b.at[from] != 1 && from < last)) {
            return false;
        }
        last = b.at[from] != 1 ? from : last;
    }
    return true;
}

/* An op that puts one operand inside its result, not all of them one behind the other. */
static bool is_pad(const tn_op *op) {
    return operand_called(op, "pads") >= 0 || tn_op_attr(op, "pads") != NULL;
}

uint32_t tn_view_count(const tn_op *op) {
    if (tn_op_is_call(op)) {
        uint32_t n = op->regions[0]->n_inputs;
        return n < op->n_operands ? n : op->n_operands;
    }
    switch (tn_op_info_get(op->code)->view) {
    case TN_VIEW_NONE:
        return 0;
    case TN_VIEW_WHOLE:
    case TN_VIEW_IF_EQUAL:
    case TN_VIEW_PERMUTED:
    case TN_VIEW_PART:
        return 1;
    case TN_VIEW_PARTS:
        return op->n_results <= MAX_PIECES ? op->n_results : 0;
    case TN_VIEW_GATHERED:
        return is_pad(op) ? 1 : op->n_operands <= MAX_PIECES ? op->n_operands : 0;
    }
    return 0;
}

static bool gathered(tn_module *m, const tn_op *op, uint32_t i, tn_view *out) {
    bool pads = is_pad(op);
    out->inner = tn_operand(op, pads ? tn_op_info_get(op->code)->view_of : i);
    out->outer = tn_result(op, 0);
    out->kind = TN_VIEWS_PLACED;
    out->gathered = true;
    if (out->inner == NULL || out->outer == NULL) {
        return false;
    }
    return pads ? pad_offset(m, op, out->inner, out->outer, &out->offset)
                : piece_offset(m, op, out->outer, i, operand_at, &out->offset);
}

/* A called function runs once, with the operands as they are: its arguments need not be copies. */
static bool passed(const tn_op *op, uint32_t i, tn_view *out) {
    *out = (tn_view){.inner = op->regions[0]->inputs[i], .outer = tn_operand(op, i)};
    return out->outer != NULL && out->inner->type->dtype == out->outer->type->dtype;
}

bool tn_view_get(tn_module *m, const tn_op *op, uint32_t i, tn_view *out) {
    if (tn_op_is_call(op)) {
        return passed(op, i, out);
    }
    const tn_op_info *info = tn_op_info_get(op->code);
    bool may = info->view_if == NULL || info->view_if(op);
    *out = (tn_view){0};
    if (info->view == TN_VIEW_NONE) {
        return false;
    }
    if (info->view == TN_VIEW_GATHERED) {
        return gathered(m, op, i, out) && may;
    }
    *out = (tn_view){.inner = tn_result(op, i), .outer = tn_operand(op, info->view_of)};
    out->kind = info->view == TN_VIEW_WHOLE || info->view == TN_VIEW_IF_EQUAL ? TN_VIEWS_SAME
                                                                              : TN_VIEWS_PLACED;
    if (out->inner == NULL || out->outer == NULL || !may) {
        return false;
    }
    switch (info->view) {
    case TN_VIEW_WHOLE:
        return true;
    case TN_VIEW_IF_EQUAL:
        return tn_type_equal(out->inner->type, out->outer->type);
    case TN_VIEW_PERMUTED:
        return is_still(m, op, out->outer);
    case TN_VIEW_PART:
        return operand_called(op, "indices") >= 0
                   ? pick_offset(m, op, out->outer, &out->offset)
                   : slice_offset(m, op, out->inner, out->outer, &out->offset);
    case TN_VIEW_PARTS:
        return piece_offset(m, op, out->outer, i, result_at, &out->offset);
    case TN_VIEW_NONE:
    case TN_VIEW_GATHERED:
        break;
    }
    return false;
}
