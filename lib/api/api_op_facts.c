/* ir.h: the op table. */
#include "ir/ops/sig.h"
#include "lib/api/api_ir_t.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), "passed through")
SAME(TN_VIEW_NONE, TENURE_VIEW_NONE);
SAME(TN_VIEW_WHOLE, TENURE_VIEW_WHOLE);
SAME(TN_VIEW_IF_EQUAL, TENURE_VIEW_IF_EQUAL);
SAME(TN_VIEW_PART, TENURE_VIEW_PART);
SAME(TN_VIEW_PARTS, TENURE_VIEW_PARTS);
SAME(TN_VIEW_GATHERED, TENURE_VIEW_GATHERED);
SAME(TN_VIEW_PERMUTED, TENURE_VIEW_PERMUTED);

static int fill(const tn_op_info *info, tenure_op_facts *out) {
    tn_arity arity = tn_op_arity(info);
    tenure_op_facts full = {
        .domain = info->domain,
        .name = info->name,
        .doc = info->doc,
        .versions = info->versions,
        .signature = info->sig,
        .attributes = info->attrs,
        .in_place = info->inplace,
        .view = (tenure_view)info->view,
        .view_of = info->view_of,
        .shape_only = info->shape_only,
        .params = info->params,
        .least_operands = arity.least_in,
        .most_operands = arity.most_in,
        .least_results = arity.least_out,
        .most_results = arity.most_out,
        .infers_shapes = info->shape != NULL,
        .has_gradient = info->grad != NULL,
        .has_bodies = (info->traits & (TN_T_CONTROL | TN_T_CALL)) != 0,
    };
    return TN_API_FILL(out, full);
}

int tenure_op_find_facts(const char *domain, const char *name, tenure_op_facts *out) {
    tn_opcode code = domain != NULL && name != NULL ? tn_op_find(domain, name) : TN_OP_EXTERN;
    return code != TN_OP_EXTERN && fill(tn_op_info_get(code), out);
}

int tenure_op_get_facts(const tenure_op *op, tenure_op_facts *out) {
    return op != NULL && api_op(op)->code != TN_OP_EXTERN && fill(api_op(op)->info, out);
}
