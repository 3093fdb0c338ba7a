#include "ir/ops/claims.h"

#include <string.h>

#include "ir/module.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/row.h"

static tn_inplace_if condition(const tn_word *w) {
    static const char *const names[] = {[TN_IF_SAME] = "(same)",
                                        [TN_IF_WIDTH] = "(width)",
                                        [TN_IF_ROWS] = "(rows)",
                                        [TN_IF_UPDATE] = "(update)",
                                        [TN_IF_MUST] = "(must)"};
    for (uint32_t i = TN_IF_SAME; i <= TN_IF_MUST; i++) {
        if (strncmp(w->text, names[i], strlen(names[i])) == 0) {
            return (tn_inplace_if)i;
        }
    }
    return TN_IF_NEVER;
}

/* Bits of the operands named from *list on, up to its end or to a word in brackets, which is `last`
 * then. */
static uint32_t mask_of(const tn_op_info *info, int64_t version, const char **list, tn_word *last) {
    uint32_t mask = 0;
    while (tn_word_next(list, version, last) && last->text[0] != '(') {
        bool many;
        int32_t k = tn_sig_operand(info, version, last, &many);
        if (k >= 0 && k < 32) {
            mask |= many ? UINT32_MAX << k : 1u << k;
        }
    }
    return mask;
}

bool tn_inplace_get(const tn_op_info *info, int64_t version, uint32_t i, tn_inplace *out) {
    const char *at = info->inplace;
    for (; i > 0 && at != NULL; i--) {
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    tn_word w;
    *out = (tn_inplace){0, 0, TN_IF_NEVER};
    if (at == NULL || !tn_word_next(&at, version, &w)) {
        return false;
    }
    int32_t result = tn_sig_result(info, version, &w); /* "over" where the version has no claim */
    if (result >= 0 && tn_word_next(&at, version, &w)) {
        out->result = (uint32_t)result;
        out->operands = mask_of(info, version, &at, &w);
        out->cond = out->operands != 0 ? condition(&w) : TN_IF_NEVER;
    }
    return true;
}

bool tn_op_inplace(const tn_op *op, uint32_t i, tn_inplace *out) {
    const tn_row *row = tn_op_row(op);
    if (i < row->n_inplace) {
        *out = row->inplace[i];
    }
    return i < row->n_inplace;
}

bool tn_op_overwrites(const tn_op *op, uint32_t k, uint32_t *result) {
    if (k >= 32 || op->info->inplace == NULL || !(tn_op_row(op)->overwritten >> k & 1u)) {
        return false;
    }
    tn_inplace e;
    for (uint32_t i = 0; result != NULL && tn_op_inplace(op, i, &e); i++) {
        if (e.cond == TN_IF_MUST && (e.operands >> k & 1u)) {
            *result = e.result;
            break;
        }
    }
    return true;
}

bool tn_op_writes_operand(const tn_op *op, uint32_t k) {
    uint32_t result = UINT32_MAX;
    return tn_op_overwrites(op, k, &result) && tn_result(op, result) == NULL;
}

tn_view_claim tn_op_view(const tn_op *op) {
    const tn_op_info *info = op->info;
    const tn_row *row = tn_op_row(op);
    if (!row->has_view) {
        return (tn_view_claim){.kind = TN_VIEW_NONE};
    }
    uint32_t n = row->view_many ? op->n_operands : info->view == TN_VIEW_PARTS ? op->n_results : 1;
    bool holds = info->view_if == NULL || info->view_if(op);
    return (tn_view_claim){info->view, holds, row->view_operand, n};
}

uint32_t tn_shape_only(const tn_op_info *info, int64_t version) {
    const char *at = info->shape_only;
    tn_word w;
    return at != NULL ? mask_of(info, version, &at, &w) : 0;
}

uint32_t tn_op_carried(const tn_op *op) {
    uint32_t results = 0;
    tn_inplace claim;
    for (uint32_t i = 0; op->info->inplace != NULL && tn_op_inplace(op, i, &claim); i++) {
        bool carries = claim.cond == TN_IF_UPDATE && claim.result > 0 && claim.result < 32;
        results |= carries && tn_result(op, claim.result) != NULL ? 1u << claim.result : 0;
    }
    return results;
}

bool tn_is_carried(const tn_value *v) {
    return v->kind == TN_VALUE_RESULT && v->def != NULL && v->def_index < 32 &&
           (tn_op_carried(v->def) >> v->def_index & 1u) != 0;
}

bool tn_op_updates_apart(const tn_op *op) {
    return op->info->updates_apart != NULL && op->info->updates_apart(op);
}

/* Whether operand k is there only for a result that may be left out, which carries it on. With
 * `left_out` that result has to be left out of this op. */
static bool serves_update(const tn_op *op, uint32_t k, bool left_out) {
    tn_inplace claim;
    bool apart = k < 32 && tn_op_updates_apart(op);
    for (uint32_t i = 0; apart && tn_op_inplace(op, i, &claim); i++) {
        if (claim.cond == TN_IF_UPDATE && claim.result > 0 && (claim.operands >> k & 1u) != 0) {
            return !left_out || tn_result(op, claim.result) == NULL;
        }
    }
    return false;
}

bool tn_reads_data(const tn_op *op, uint32_t k) {
    const tn_op_info *info = op->info;
    return !(info->traits & TN_T_SHAPE_READER) &&
           (info->shape_only == NULL || k >= 32 || !(tn_op_row(op)->shape_only >> k & 1u)) &&
           !serves_update(op, k, true);
}

bool tn_repeat_reads_data(const tn_op *op, uint32_t k) {
    return tn_reads_data(op, k) && !serves_update(op, k, false);
}

const tn_value *tn_shape_of_run(const tn_op *op, uint32_t k) {
    const tn_value *v = op->operands[k].value;
    bool waits = v != NULL && v->kind == TN_VALUE_RESULT && !tn_reads_data(op, k) &&
                 tn_type_shape_from_run(op->graph->module->dims, v->type);
    return waits ? v : NULL;
}

tn_states tn_op_states(const tn_op *op) {
    tn_states none = {0, 0, 0};
    const tn_op_info *info = op->info;
    return info->states != NULL ? info->states(op) : none;
}

bool tn_is_loop(const tn_op *op) {
    bool takes_arguments = false;
    for (uint32_t i = 0; i < op->n_regions; i++) {
        takes_arguments = takes_arguments || op->regions[i]->n_inputs > 0;
    }
    return takes_arguments && !tn_op_is_call(op);
}

static bool counted(const tn_op *op, tn_dim extent, uint64_t *trips) {
    int64_t n;
    if (!tn_dim_is_const(op->graph->module->dims, extent, &n) || n < 0) {
        return false;
    }
    *trips = (uint64_t)n;
    return true;
}

bool tn_op_trips(const tn_op *op, uint64_t *trips) {
    tn_states st = tn_op_states(op);
    if (!tn_is_loop(op) || !tn_op_iterates(op)) {
        return false;
    }
    if (st.operand > 0) {
        const tn_value *limit = tn_operand(op, 0);
        return limit != NULL && limit->n_content == 1 && limit->content != NULL &&
               counted(op, limit->content[0], trips);
    }
    const tn_value *scanned = tn_operand(op, st.operand + st.n);
    const tn_attr *axes = tn_op_attr(op, "scan_input_axes");
    if (scanned == NULL || !scanned->type->has_rank || scanned->type->rank == 0) {
        return false;
    }
    int64_t rank = scanned->type->rank;
    int64_t axis = axes != NULL && axes->kind == TN_ATTR_INTS && axes->n > 0 ? axes->u.ints[0] : 0;
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank && counted(op, scanned->type->dims[axis], trips);
}

bool tn_op_in_table(const tn_op *op) {
    return tn_op_find(op->domain, op->type) != TN_OP_EXTERN;
}

bool tn_is_const(const tn_value *v) {
    return v->kind == TN_VALUE_CONST ||
           (v->kind == TN_VALUE_RESULT && (v->def->info->traits & TN_T_CONSTANT));
}
