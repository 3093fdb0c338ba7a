#include "ir/infer/no_size.h"

#include "ir/base/limits.h"
#include "ir/base/quote.h"
#include "ir/ops/claims.h"

const char *tn_no_size_of_type(tn_ctx *ctx, const tn_type *t) {
    switch (t->kind) {
    case TN_TYPE_SEQUENCE:
        return "sequence";
    case TN_TYPE_OPTIONAL:
        return "optional";
    case TN_TYPE_MAP:
        return "map";
    case TN_TYPE_SPARSE:
        return "sparse tensor";
    case TN_TYPE_OPAQUE:
        return "opaque type";
    case TN_TYPE_UNKNOWN:
        return "type unknown";
    case TN_TYPE_TENSOR:
        break;
    }
    if (t->dtype == TN_DT_STRING) {
        return "strings have no fixed size";
    }
    if (!t->has_rank) {
        return "rank unknown";
    }
    if (t->dtype == TN_DT_UNKNOWN) {
        return "element type unknown";
    }
    for (uint32_t i = 0; i < t->rank; i++) {
        if (t->dims[i] == TN_DIM_UNKNOWN) {
            return tn_internf(ctx, "dimension %u unknown", i);
        }
    }
    return tn_internf(ctx, "larger than %llu bytes", (unsigned long long)TN_MAX_TENSOR_BYTES);
}

/* The reason, with what the user may say where the extents alone are not known. */
static const char *with_way_out(const tn_infer *in, uint32_t i, const tn_type *t,
                                const char *reason) {
    const tn_value *v = in->op->results[i];
    tn_sink text = tn_sink_make(in->scratch);
    bool shaped = t->kind == TN_TYPE_TENSOR && t->has_rank && t->dtype != TN_DT_UNKNOWN;
    tn_put(&text, reason);
    for (uint32_t k = 0, n = 0; shaped && k < t->rank; k++) {
        if (t->dims[k] == TN_DIM_UNKNOWN) {
            tn_put(&text, n++ == 0 ? "; to limit it: --dim " : " --dim ");
            tn_put_name(&text, tn_extent_name(v, k), "=:\"");
            tn_put(&text, "=0..N");
        }
    }
    return text.data;
}

/* The input of the model that alone decides the value, through ops whose other operands are
 * constants; NULL where there is none. */
static const tn_value *decided_by(const tn_value *v) {
    enum { MAX_OPS = 64 };
    for (uint32_t i = 0; i < MAX_OPS && v->kind == TN_VALUE_RESULT; i++) {
        const tn_value *only = NULL;
        for (uint32_t k = 0; k < v->def->n_operands; k++) {
            const tn_value *u = v->def->operands[k].value;
            if (u != NULL && !tn_is_const(u)) {
                if (only != NULL) {
                    return NULL;
                }
                only = u;
            }
        }
        if (only == NULL) {
            return NULL;
        }
        v = only;
    }
    return v->kind == TN_VALUE_INPUT && v->graph->owner == NULL ? v : NULL;
}

/* What contradicts itself in one of several branches may be meant for other runs. */
static const char *branch_way_out(const tn_infer *in) {
    tn_sink text = tn_sink_make(in->scratch);
    for (const tn_op *o = in->op->graph->owner; o != NULL; o = o->graph->owner) {
        const tn_value *cond = o->n_regions > 1 ? tn_operand(o, 0) : NULL;
        const tn_value *input = cond != NULL ? decided_by(cond) : NULL;
        if (input != NULL && input->n_content == 0) {
            tn_put(&text, "; '");
            tn_put(&text, input->name);
            tn_put(&text, "' says whether this branch is run: --input-value ");
            tn_put_name(&text, input->name, "=:\"");
            tn_put(&text, "=V plans for one value of it");
            break;
        }
    }
    return text.data != NULL ? text.data : "";
}

/* The first operand without a size carries the root of the trouble. Kinds that are never planned
 * say so themselves, and an op that nobody knows is a cause of its own. */
const char *tn_no_size_of_result(tn_ctx *ctx, const tn_infer *in, uint32_t i, const tn_type *t) {
    bool shapeless = t->kind == TN_TYPE_TENSOR || t->kind == TN_TYPE_UNKNOWN;
    if (in->why[i] != NULL) {
        return in->passed_on[i] ? in->why[i] : with_way_out(in, i, t, in->why[i]);
    }
    if (!shapeless || t->dtype == TN_DT_STRING) {
        return tn_no_size_of_type(ctx, t);
    }
    if (in->failed) {
        return tn_internf(ctx,
                          "the operands of %s, which makes '%s', contradict its definition: %s%s",
                          in->op->type, in->op->results[i]->name, in->conflict, branch_way_out(in));
    }
    if (in->op->info->shape == NULL && in->op->n_regions == 0) {
        return tn_internf(ctx, "no shape rule for op %s::%s and no stored shape",
                          in->op->domain[0] != '\0' ? in->op->domain : "ai.onnx", in->op->type);
    }
    for (uint32_t k = 0; k < in->op->n_operands; k++) {
        const tn_value *v = in->op->operands[k].value;
        if (v != NULL && v->unplanned != NULL) {
            return v->unplanned;
        }
    }
    if (*in->wanted != NULL && t->kind == TN_TYPE_TENSOR && t->dtype != TN_DT_UNKNOWN) {
        return with_way_out(in, i, t,
                            tn_internf(ctx, "depends on the values of '%s'", (*in->wanted)->name));
    }
    return tn_no_size_of_type(ctx, t);
}
