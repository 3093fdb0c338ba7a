#include "ir/gradient/made_loss.h"

#include <string.h>

#include "ir/ops/op_attrs.h"

static tn_value *mean_of(tn_emitter *e, tn_value *v) {
    uint32_t rank = tn_emit_rank(e, v);
    int64_t *axes = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        axes[i] = i;
    }
    return tn_emit_reduce(e, "ReduceMean", v, axes, rank, false);
}

static tn_value *add_target(tn_emitter *e, const tn_value *out, const tn_type *type) {
    const char *name = tn_emit_name(e, tn_internf(e->ctx, "%s_target", out->name));
    return tn_graph_add_input(e->m->main, name, type);
}

static tn_value *difference(tn_emitter *e, tn_value *out) {
    return tn_emit_2(e, "Sub", out, add_target(e, out, out->type));
}

static tn_value *mse(tn_emitter *e, tn_value *out) {
    tn_value *d = difference(e, out);
    return mean_of(e, tn_emit_2(e, "Mul", d, d));
}

static tn_value *l1(tn_emitter *e, tn_value *out) {
    return mean_of(e, tn_emit_1(e, "Abs", difference(e, out)));
}

static tn_value *bce(tn_emitter *e, tn_value *out) {
    tn_value *target = add_target(e, out, out->type);
    tn_value *soft = tn_emit_1(e, "Softplus", out);
    return mean_of(e, tn_emit_2(e, "Sub", soft, tn_emit_2(e, "Mul", out, target)));
}

/* The scores behind an output: what its softmax is of. *axis is that of the classes. */
static tn_value *scores_of(tn_value *out, int64_t *axis) {
    static const char *const ops[] = {"Softmax", "LogSoftmax"};
    enum { ONE_AXIS = 13 };
    const tn_op *op = out->def;
    uint32_t rank = out->type->rank;
    *axis = 1;
    for (int i = 0; i < 2 && op != NULL; i++) {
        if (tn_op_is_standard(op, ops[i])) {
            bool one = op->version == 0 || op->version >= ONE_AXIS;
            int64_t at = tn_attr_int(op, "axis", one ? -1 : 1);
            at += at < 0 ? rank : 0;
            /* Before version 13 all axes from this one on are one. */
            if (one || at == (int64_t)rank - 1) {
                *axis = at;
                return op->operands[0].value;
            }
        }
    }
    return out;
}

/* [N,C,d1,...] as [N*d1*..., C]. */
static tn_value *as_rows(tn_emitter *e, tn_value *v, int64_t axis, int64_t classes) {
    uint32_t rank = tn_emit_rank(e, v), k = 0;
    int64_t *perm = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    for (int64_t i = 0; i < rank; i++) {
        if (i != axis) {
            perm[k++] = i;
        }
    }
    perm[k] = axis;
    v = tn_emit_transpose(e, v, perm, rank);
    return rank == 2 ? v : tn_emit_reshape(e, v, (int64_t[]){-1, classes}, 2);
}

static tn_value *cross_entropy(tn_emitter *e, tn_value *out) {
    int64_t axis, classes;
    uint32_t rank = tn_emit_rank(e, out), k = 0;
    tn_value *scores = scores_of(out, &axis);
    if (rank < 2 || !tn_dim_is_const(e->m->dims, scores->type->dims[axis], &classes)) {
        tn_fail(e->ctx, &e->loc,
                "cross-entropy(%s): expected scores [N,C,...] with a known number of classes",
                out->name);
    }
    tn_dim *dims = TN_ARRAY(e->scratch, tn_dim, rank);
    for (int64_t i = 0; i < rank; i++) {
        if (i != axis) {
            dims[k++] = scores->type->dims[i];
        }
    }
    tn_value *target = add_target(e, out, tn_type_tensor(e->m->arena, TN_DT_INT64, rank - 1, dims));
    tn_value *labels = rank == 2 ? target : tn_emit_reshape(e, target, (int64_t[]){-1}, 1);
    tn_value *rows = as_rows(e, scores, axis, classes);
    if (tn_emit_can(e, "SoftmaxCrossEntropyLoss", NULL)) {
        return tn_emit_2(e, "SoftmaxCrossEntropyLoss", rows, labels);
    }
    tn_attr last = tn_attr_of_int("axis", 1);
    tn_dtype dtype = scores->type->dtype;
    tn_value *depth = tn_emit_int(e, classes);
    tn_value *values =
        tn_emit_floats(e, "grad_off_on", dtype, 1, (int64_t[]){2}, (const double[]){0, 1}, 2);
    tn_value *logs = tn_emit(e, "LogSoftmax", &rows, 1, &last, 1);
    tn_value *hot = tn_emit(e, "OneHot", (tn_value *[]){labels, depth, values}, 3, &last, 1);
    tn_value *chosen = tn_emit_2(e, "Mul", logs, hot);
    tn_value *of_row = tn_emit_reduce(e, "ReduceSum", chosen, (int64_t[]){1}, 1, false);
    return tn_emit_1(e, "Neg", mean_of(e, of_row));
}

static const struct {
    const char *kind;
    tn_value *(*make)(tn_emitter *e, tn_value *out);
} losses[] = {{"mse", mse}, {"l1", l1}, {"bce", bce}, {"cross-entropy", cross_entropy}};

const char *tn_made_loss_kinds(void) {
    return "mse, l1, bce, cross-entropy";
}

bool tn_made_loss_split(tn_arena *arena, const char *text, const char **kind, const char **name) {
    const char *open = strchr(text, '(');
    size_t len = strlen(text);
    if (open == NULL || open == text || text[len - 1] != ')' || open + 2 > text + len - 1) {
        return false;
    }
    *kind = tn_arena_strndup(arena, text, (size_t)(open - text));
    *name = tn_arena_strndup(arena, open + 1, (size_t)(text + len - 1 - open) - 1);
    return true;
}

tn_value *tn_made_loss(tn_emitter *e, const char *kind, tn_value *out) {
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
        if (strcmp(losses[i].kind, kind) == 0) {
            tn_loc loc = tn_loc_file(e->m->file);
            tn_emit_for(e, &loc, "Loss");
            tn_value *loss = losses[i].make(e, out);
            tn_emit_rename(e, loss, "loss");
            return loss;
        }
    }
    return NULL;
}
