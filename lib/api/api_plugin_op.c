/* plugin.h: ops. A row of a plug-in is a row of the table, checked by the same rules; its functions
 * are called through the two rules here. */
#include <string.h>

#include "ir/base/diag.h"
#include "ir/compute/formula.h"
#include "ir/infer/common.h"
#include "ir/ops/part.h"
#include "ir/ops/row_check.h"
#include "ir/ops/row_expr.h"
#include "lib/api/api_plugin_t.h"

struct tenure_inference {
    tn_infer *in;
};

static void infer(tn_infer *in) {
    const tenure_op_def *def = in->op->info->user;
    tenure_inference inference = {in};
    uint32_t before = in->ctx->n_errors;
    tn_status status =
        tn_api_plugin_status(in->ctx, "shape rule of op", def->name,
                             def->shape(&inference, (const tenure_op *)in->op, def->user), before);
    if (status != TN_OK) {
        tn_reraise(in->ctx, status);
    }
}

static bool part_of(const tn_op *op, uint32_t i, tn_part *out) {
    const tenure_op_def *def = op->info->user;
    memset(out, 0, sizeof *out);
    tenure_part part = {.struct_size = sizeof part,
                        .whole = out->whole,
                        .extent = out->extent,
                        .start = out->start};
    bool found = def->part((const tenure_op *)op, i, &part, def->user) != 0;
    out->rank = part.rank;
    return found && part.rank <= TN_MAX_RANK;
}

/* ---- registration ---- */

static uint32_t traits_of(const tenure_op_def *def) {
    static const uint32_t of[] = {TN_T_ELEMENTWISE, TN_T_BROADCAST, TN_T_RANDOM, TN_T_SIDE_EFFECT,
                                  TN_T_BACKWARD,    TN_T_UPDATE,    TN_T_LOSS};
    uint32_t traits = 0;
    for (uint32_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        traits |= def->traits >> i & 1u ? of[i] : 0;
    }
    return traits;
}

static tn_status read_ways(tn_ctx *ctx, const tn_register_args *args, const tn_op_info *row,
                           const tenure_way_def *ways, const struct tn_row_memory **out) {
    TN_VEC(struct tn_row_bytes) list = {0};
    tn_row_names names = {row, true, NULL, 0};
    for (const tenure_way_def *w = ways; w != NULL && w->bytes != NULL; w++) {
        struct tn_row_bytes way = {.name = w->name != NULL ? w->name : "", .cost = list.len};
        const char *texts[] = {w->bytes, w->when}, *want = NULL;
        size_t at = 0;
        for (size_t i = 0; i < 2 && want == NULL && texts[i] != NULL; i++) {
            *(i == 0 ? &way.bytes : &way.when) =
                tn_row_expr_parse(ctx->arena, texts[i], &names, &at, &want);
            if (want != NULL) {
                return tn_api_register_refuse(ctx, args, "op '%s': '%s', byte %zu: %s", row->name,
                                              texts[i], at, want);
            }
        }
        tn_vec_push(ctx->arena, &list, way);
    }
    if (list.len > 0) {
        struct tn_row_memory *memory = TN_NEW(ctx->arena, struct tn_row_memory);
        *memory = (struct tn_row_memory){list.data, list.len};
        *out = memory;
    }
    return TN_OK;
}

static bool is_known(const tn_ctx *ctx, const tn_op_info *row) {
    const tn_op_info *other;
    for (uint32_t i = 0; (other = tn_ctx_extra(ctx, TN_EXTRA_ROW, i)) != NULL; i++) {
        if (strcmp(other->name, row->name) == 0 && strcmp(other->domain, row->domain) == 0) {
            return true;
        }
    }
    return tn_op_find(row->domain, row->name) != TN_OP_EXTERN;
}

static tn_op_info row_of(const tenure_op_def *def) {
    bool own = def->domain != NULL && strcmp(def->domain, "ai.onnx") != 0;
    return (tn_op_info){.domain = own ? def->domain : "",
                        .name = def->name != NULL ? def->name : "",
                        .versions = def->versions != NULL ? def->versions : "1",
                        .sig = def->signature,
                        .attrs = def->attributes,
                        .traits = traits_of(def),
                        .inplace = def->in_place,
                        .view = (tn_view_kind)def->view,
                        .view_of = def->view_of,
                        .part = def->part != NULL ? part_of : NULL,
                        .shape_only = def->shape_only,
                        .params = def->params,
                        .shape = def->shape != NULL ? infer : NULL,
                        .grad = def->gradient,
                        .formula = def->compute,
                        .doc = def->doc,
                        .user = def};
}

static tn_status read_formula(tn_ctx *ctx, const tn_register_args *args, tn_op_info *row) {
    tn_formula_says says = tn_formula_look(ctx->arena, row);
    if (says.fault != NULL) {
        return tn_api_register_refuse(ctx, args, "op '%s', compute: %s", row->name, says.fault);
    }
    tn_formula_settle(ctx->arena, &says, row);
    return TN_OK;
}

static tn_status register_op(tn_ctx *ctx, void *arg) {
    const tn_register_args *args = arg;
    tenure_op_def *def = TN_NEW(ctx->arena, tenure_op_def);
    tn_op_info *row = TN_NEW(ctx->arena, tn_op_info);
    memcpy(def, args->full, sizeof *def);
    *row = row_of(def);
    tn_row_fault fault = tn_row_check(ctx->arena, row);
    if (fault.column != NULL) {
        return tn_api_register_refuse(ctx, args, "op '%s', %s: %s", row->name, fault.column,
                                      fault.what);
    }
    if ((unsigned)def->view > TENURE_VIEW_PERMUTED || def->traits >= 2 * TENURE_OP_LOSS) {
        return tn_api_register_refuse(ctx, args, "op '%s': view %d or traits %u do not exist",
                                      row->name, (int)def->view, (unsigned)def->traits);
    }
    if (is_known(ctx, row)) {
        return tn_api_register_refuse(ctx, args, "op '%s' of domain '%s' is there already",
                                      row->name, row->domain);
    }
    tn_status status = read_ways(ctx, args, row, def->workspace, &row->workspace);
    if (status == TN_OK) {
        status = read_ways(ctx, args, row, def->kept, &row->kept);
    }
    if (status == TN_OK && row->formula != NULL) {
        status = read_formula(ctx, args, row);
    }
    if (status == TN_OK) {
        tn_ctx_add(ctx, TN_EXTRA_ROW, row);
    }
    return status;
}

tenure_status tenure_register_op(tenure_context *ctx, const tenure_op_def *op) {
    tenure_op_def full;
    tn_register_args args = {"tenure_register_op", op, sizeof full, &full};
    return tn_api_register(ctx, &args, register_op);
}

/* ---- for shape rules ---- */

typedef struct infer_args {
    tn_infer *in;
    size_t index, operand;
    const char *text;
    tn_dtype dtype;
} infer_args;

static tn_status set_result(tn_ctx *ctx, void *arg) {
    const infer_args *a = arg;
    const char *at = a->text;
    const tn_type *type;
    if (!tn_type_parse(a->in->dims, a->in->arena, &at, &type) || *at != '\0') {
        return tn_error(ctx, &a->in->op->loc,
                        "the shape rule of '%s' gives '%s', which is not a type", a->in->op->type,
                        a->text);
    }
    tn_out_type(a->in, (uint32_t)a->index, type);
    return TN_OK;
}

tenure_status tenure_infer_result(tenure_inference *inference, size_t index, const char *type) {
    if (inference == NULL || type == NULL || index > UINT32_MAX) {
        return TENURE_USAGE;
    }
    infer_args a = {.in = inference->in, .index = index, .text = type};
    return (tenure_status)tn_guard_run(a.in->ctx, set_result, &a);
}

static tn_status set_like(tn_ctx *ctx, void *arg) {
    const infer_args *a = arg;
    uint32_t k = (uint32_t)a->operand;
    (void)ctx;
    tn_out_like(a->in, (uint32_t)a->index,
                a->dtype != TN_DT_UNKNOWN ? a->dtype : tn_in_dtype(a->in, k), k);
    return TN_OK;
}

void tenure_infer_like(tenure_inference *inference, size_t index, size_t operand,
                       tenure_dtype dtype) {
    if (inference != NULL && index < UINT32_MAX && operand < UINT32_MAX) {
        infer_args a = {.in = inference->in,
                        .index = index,
                        .operand = operand,
                        .dtype = tn_dtype_numbered((int64_t)dtype)};
        (void)tn_guard_run(a.in->ctx, set_like, &a);
    }
}

static tn_status contradict(tn_ctx *ctx, void *arg) {
    const infer_args *a = arg;
    (void)ctx;
    tn_infer_conflict(a->in, "%s", a->text);
    return TN_OK;
}

void tenure_infer_conflict(tenure_inference *inference, const char *text) {
    if (inference != NULL && text != NULL) {
        infer_args a = {.in = inference->in, .text = text};
        (void)tn_guard_run(a.in->ctx, contradict, &a);
    }
}
