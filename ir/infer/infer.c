/* The questions and answers of shape rules. */
#include "ir/infer/infer.h"

#include <stdarg.h>
#include <string.h>

#include "ir/base/limits.h"
#include "ir/ops/op_rules.h"

bool tn_in_has(const tn_infer *in, uint32_t k) {
    return tn_operand(in->op, k) != NULL;
}

const tn_type *tn_in_type(const tn_infer *in, uint32_t k) {
    const tn_value *v = tn_operand(in->op, k);
    return v != NULL ? v->type : tn_type_unknown();
}

tn_dtype tn_in_dtype(const tn_infer *in, uint32_t k) {
    const tn_type *t = tn_in_type(in, k);
    return t->kind == TN_TYPE_TENSOR || t->kind == TN_TYPE_SPARSE ? t->dtype : TN_DT_UNKNOWN;
}

bool tn_in_rank(const tn_infer *in, uint32_t k, uint32_t *rank) {
    const tn_type *t = tn_in_type(in, k);
    if ((t->kind != TN_TYPE_TENSOR && t->kind != TN_TYPE_SPARSE) || !t->has_rank) {
        return false;
    }
    *rank = t->rank;
    return true;
}

tn_dim tn_in_dim(const tn_infer *in, uint32_t k, uint32_t axis) {
    uint32_t rank;
    return tn_in_rank(in, k, &rank) && axis < rank ? tn_in_type(in, k)->dims[axis] : TN_DIM_UNKNOWN;
}

/* An operand of extent 0 has no elements, all of which are known: the empty list of axes. */
static bool is_empty(const tn_infer *in, uint32_t k) {
    int64_t extent;
    return tn_dtype_is_int(tn_in_dtype(in, k)) && tn_in_type(in, k)->rank == 1 &&
           tn_dim_is_const(in->dims, tn_in_dim(in, k, 0), &extent) && extent == 0;
}

const tn_tensor *tn_infer_tensor(const tn_value *v) {
    return (v->flags & TN_VF_DEFAULT) != 0 ? v->tensor : tn_value_tensor(v);
}

/* Notes that the contents of v are wanted and not known. Returns NULL. */
static const void *miss(const tn_infer *in, const tn_value *v) {
    *in->wanted = *in->wanted != NULL ? *in->wanted : v;
    return NULL;
}

static void note_gaps(const tn_infer *in, const tn_value *v) {
    for (uint32_t i = 0; i < v->n_content && *in->wanted == NULL; i++) {
        if (v->content[i] == TN_DIM_UNKNOWN) {
            (void)miss(in, v);
        }
    }
}

const tn_dim *tn_in_known(const tn_infer *in, uint32_t k, uint32_t *n) {
    const tn_value *v = tn_operand(in->op, k);
    if (v == NULL) {
        return NULL;
    }
    if (v->content != NULL) {
        note_gaps(in, v);
        *n = v->n_content;
        return v->content;
    }
    const tn_tensor *t = tn_infer_tensor(v);
    if (is_empty(in, k)) {
        *n = 0;
        return TN_ARRAY(in->scratch, tn_dim, 1);
    }
    if (t == NULL || t->ints == NULL) {
        return miss(in, v);
    }
    *n = (uint32_t)t->n_elements;
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, *n);
    for (uint32_t i = 0; i < *n; i++) {
        dims[i] = tn_dim_const(in->dims, t->ints[i]);
    }
    return dims;
}

const tn_dim *tn_in_content(const tn_infer *in, uint32_t k, uint32_t *n) {
    const tn_dim *dims = tn_in_known(in, k, n);
    if (dims != NULL) {
        tn_infer_reads(in, tn_operand(in->op, k), false);
    }
    return dims;
}

const int64_t *tn_in_ints(const tn_infer *in, uint32_t k, uint32_t *n) {
    const tn_dim *dims = tn_in_content(in, k, n);
    if (dims == NULL) {
        return NULL;
    }
    int64_t *ints = TN_ARRAY(in->scratch, int64_t, *n + 1u);
    for (uint32_t i = 0; i < *n; i++) {
        if (!tn_dim_is_const(in->dims, dims[i], &ints[i])) {
            return miss(in, tn_operand(in->op, k));
        }
    }
    return ints;
}

const double *tn_in_known_floats(const tn_infer *in, uint32_t k, uint32_t *n) {
    const tn_value *v = tn_operand(in->op, k);
    if (v == NULL) {
        return NULL;
    }
    if (v->float_content != NULL) {
        *n = v->n_content;
        return v->float_content;
    }
    const tn_tensor *t = tn_infer_tensor(v);
    if (t == NULL || t->floats == NULL) {
        return miss(in, v);
    }
    *n = (uint32_t)t->n_elements;
    return t->floats;
}

const double *tn_in_floats(const tn_infer *in, uint32_t k, uint32_t *n) {
    const double *floats = tn_in_known_floats(in, k, n);
    if (floats != NULL) {
        tn_infer_reads(in, tn_operand(in->op, k), false);
    }
    return floats;
}

bool tn_in_axis(tn_infer *in, int64_t axis, uint32_t rank, uint32_t *out) {
    int64_t at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank) {
        tn_infer_conflict(in, "axis %lld is outside a tensor of rank %u", (long long)axis, rank);
        return false;
    }
    *out = (uint32_t)at;
    return true;
}

void tn_out_type(tn_infer *in, uint32_t r, const tn_type *type) {
    if (r >= in->op->n_results) {
        return;
    }
    for (uint32_t i = 0; type->has_rank && i < type->rank; i++) {
        int64_t extent;
        if (tn_dim_is_const(in->dims, type->dims[i], &extent) && extent < 0) {
            tn_infer_conflict(in, "dimension %u of result %u would be %lld", i, r,
                              (long long)extent);
            return;
        }
    }
    in->out[r] = type;
}

void tn_out(tn_infer *in, uint32_t r, tn_dtype dtype, uint32_t rank, const tn_dim *dims) {
    if (rank > TN_MAX_RANK) {
        tn_infer_conflict(in, "result of rank %u exceeds the limit of %u", rank, TN_MAX_RANK);
    } else if (r < in->op->n_results) {
        tn_out_type(in, r, tn_type_tensor(in->arena, dtype, rank, dims));
    }
}

void tn_out_unranked(tn_infer *in, uint32_t r, tn_dtype dtype) {
    tn_out_type(in, r, tn_type_unranked(in->arena, dtype));
}

void tn_out_content(tn_infer *in, uint32_t r, uint32_t n, const tn_dim *dims) {
    if (r >= in->op->n_results || n > TN_MAX_CONTENT) {
        return;
    }
    in->content[r].known = true;
    in->content[r].n = n;
    in->content[r].dims = tn_arena_regrow(in->scratch, dims, n, n, sizeof *dims);
    in->content[r].floats = NULL;
}

void tn_out_floats(tn_infer *in, uint32_t r, uint32_t n, const double *floats) {
    if (r >= in->op->n_results || n > TN_MAX_CONTENT) {
        return;
    }
    in->content[r].known = true;
    in->content[r].n = n;
    in->content[r].dims = NULL;
    in->content[r].floats = tn_arena_regrow(in->scratch, floats, n, n, sizeof *floats);
}

void tn_out_dynamic(tn_infer *in, uint32_t r, const char *why) {
    if (r < in->op->n_results) {
        in->why[r] = tn_intern(in->ctx, why);
    }
}

void tn_out_as_inside(tn_infer *in, uint32_t r, const char *why) {
    tn_out_dynamic(in, r, why);
    if (r < in->op->n_results) {
        in->passed_on[r] = true;
    }
}

void tn_infer_conflict(tn_infer *in, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const char *text = tn_arena_vprintf(in->scratch, fmt, args);
    va_end(args);
    in->failed = true;
    in->conflict = in->conflict != NULL ? in->conflict : text;
    if (in->on_conflict != NULL) {
        in->on_conflict(in, text);
    } else {
        tn_warn(in->ctx, &in->op->loc, "%s", text);
    }
}

/* A model-local function has a body and no row, or a row whose body is the better definition. */
static tn_shape_fn rule_of(const tn_op *op) {
    const tn_op_info *info = op->info;
    bool is_call = op->n_regions == 1 && (info->traits & TN_T_CONTROL) == 0;
    return is_call ? tn_shape_call : info->shape;
}

void tn_infer_op(tn_infer *in, const tn_op *op) {
    if (in->phase == 0) {
        in->op = op;
        in->failed = false;
        in->conflict = NULL;
        in->promised = UINT32_MAX;
        in->wanted = TN_NEW(in->scratch, const tn_value *);
        in->memo = NULL;
        in->out = TN_ARRAY(in->scratch, const tn_type *, op->n_results);
        in->content = TN_ARRAY(in->scratch, struct tn_content, op->n_results);
        in->why = TN_ARRAY(in->scratch, const char *, op->n_results);
        in->passed_on = TN_ARRAY(in->scratch, bool, op->n_results);
    }
    in->region = NULL;
    in->idle = false;
    tn_shape_fn rule = rule_of(op);
    if (rule != NULL) {
        rule(in);
    }
}
