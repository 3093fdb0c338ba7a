#include "ir/gradient/loss_parts.h"

#include <string.h>

#include "ir/gradient/copy_body.h"
#include "ir/gradient/label_weights.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"

enum { MOST_PARTS = 8, FEWEST_ROWS = 32, LABELS = 1, WEIGHTS = 2 };

/* From a product to the loss of its rows. */
typedef struct rows {
    tn_op *loss, *product;
    tn_op **between; /* from the product on */
    uint32_t n_between;
    int64_t n, classes;
} rows;

/* ---- what can be done by rows ---- */

static bool is_reduced_by(const tn_op *loss, const char *how) {
    const tn_attr *a = tn_op_attr(loss, "reduction");
    return strcmp(a != NULL && a->kind == TN_ATTR_STRING ? a->u.s.data : "mean", how) == 0;
}

static bool is_read_once(const tn_value *v) {
    return v->first_use != NULL && v->first_use->next == NULL;
}

static bool ends_in(const tn_emitter *e, const tn_value *v, int64_t extent) {
    int64_t last;
    return v != NULL && v->type->kind == TN_TYPE_TENSOR && v->type->has_rank && v->type->rank > 0 &&
           tn_dim_is_const(e->m->dims, v->type->dims[v->type->rank - 1], &last) && last == extent;
}

static bool is_for_all_rows(const tn_value *v) {
    return v == NULL ||
           (v->type->kind == TN_TYPE_TENSOR && v->type->has_rank && v->type->rank <= 1);
}

static bool is_product(const tn_op *op) {
    const tn_value *a = tn_operand(op, 0), *b = tn_operand(op, 1);
    bool gemm = tn_op_is_standard(op, "Gemm") && tn_attr_int(op, "transA", 0) == 0 &&
                is_for_all_rows(tn_operand(op, 2));
    return (gemm || tn_op_is_standard(op, "MatMul")) && a != NULL && b != NULL &&
           a->type->has_rank && a->type->rank >= 2 && b->type->has_rank && b->type->rank == 2;
}

/* The operand whose rows those of the result are; -1 where they are not. */
static int row_operand(const tn_emitter *e, const tn_op *op, const rows *r) {
    tn_view_claim view = tn_op_view(op);
    int found = -1;
    if (op->n_results != 1 || op->n_regions > 0 || op->domain[0] != '\0' ||
        (op->info->traits & TN_T_RANDOM) != 0) {
        return -1;
    }
    if (view.kind == TN_VIEW_WHOLE) {
        return ends_in(e, op->operands[view.operand].value, r->classes) ? (int)view.operand : -1;
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_value *v = op->operands[i].value;
        if (!is_for_all_rows(v)) {
            bool one = found < 0 && tn_type_same_extents(v->type, op->results[0]->type);
            found = one ? (int)i : (int)op->n_operands;
        }
    }
    return (op->info->traits & TN_T_ELEMENTWISE) != 0 && found < (int)op->n_operands ? found : -1;
}

/* Whether many rows are scored, in numbers that matter. */
static bool is_large(const tn_emitter *e, const tn_value *scores, rows *r) {
    int64_t bytes;
    /* Sums of as many losses stay finite in 16 bits. */
    enum { NARROW = 16, MOST_NARROW = 2048 * MOST_PARTS };
    bool wide = scores != NULL && tn_dtype_get(scores->type->dtype)->bits > NARROW;
    return scores != NULL && scores->type->kind == TN_TYPE_TENSOR && scores->type->has_rank &&
           scores->type->rank == 2 && tn_type_fixed_bytes(e->m->dims, scores->type, &bytes) &&
           tn_dim_is_const(e->m->dims, scores->type->dims[0], &r->n) &&
           tn_dim_is_const(e->m->dims, scores->type->dims[1], &r->classes) &&
           r->n >= 2 * FEWEST_ROWS && (wide || r->n <= MOST_NARROW) &&
           bytes >= tn_emit_largest(e) / 2;
}

static bool find_rows(const tn_emitter *e, tn_op *loss, rows *r) {
    const tn_value *v = tn_operand(loss, 0);
    bool one = tn_makes_one(loss) && tn_operand(loss, LABELS) != NULL;
    *r = (rows){.loss = loss, .between = TN_ARRAY(e->scratch, tn_op *, e->m->n_ops)};
    if (!one || is_reduced_by(loss, "none") || !is_large(e, v, r)) {
        return false;
    }
    uint32_t at = e->m->n_ops;
    while (v->def != NULL && v->graph == e->m->main && is_read_once(v) && !is_product(v->def)) {
        int k = row_operand(e, v->def, r);
        if (k < 0) {
            return false;
        }
        r->between[--at] = v->def;
        v = v->def->operands[k].value;
    }
    r->product = v->def;
    r->n_between = e->m->n_ops - at;
    r->between += at;
    return v->def != NULL && v->graph == e->m->main && is_read_once(v);
}

/* ---- parts ---- */

static tn_value *repeated(tn_emitter *e, const tn_op *op, uint32_t operand, tn_value *v) {
    tn_value **in = TN_ARRAY(e->scratch, tn_value *, op->n_operands);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        in[i] = i == operand ? v : op->operands[i].value;
    }
    return tn_emit_again(e, op, in);
}

/* The op whose operand is the second factor the other way round; NULL where there is none. */
static tn_op *turn_of(const tn_op *product) {
    tn_op *op = tn_operand(product, 1)->def;
    const tn_attr *perm =
        op != NULL && tn_op_is_standard(op, "Transpose") ? tn_op_attr(op, "perm") : NULL;
    bool stays = perm != NULL && perm->kind == TN_ATTR_INTS && perm->n == 2 && perm->u.ints[0] == 0;
    return op != NULL && tn_op_is_standard(op, "Transpose") && !stays ? op : NULL;
}

/* The product of some rows. A copy of the second factor that is turned round is not needed. */
static tn_value *product_of_rows(tn_emitter *e, const tn_op *product, tn_value *part) {
    tn_op *turn = turn_of(product);
    if (turn == NULL) {
        return repeated(e, product, 0, part);
    }
    tn_value *in[] = {part, tn_operand(turn, 0), tn_operand(product, 2)};
    bool gemm = tn_op_is_standard(product, "Gemm");
    tn_attr attrs[] = {tn_attr_of_int("transB", !gemm || tn_attr_int(product, "transB", 0) == 0),
                       tn_attr_of_float("alpha", 1), tn_attr_of_float("beta", 1)};
    for (uint32_t i = 1; i < 3 && gemm; i++) {
        const tn_attr *given = tn_op_attr(product, attrs[i].name);
        attrs[i] = given != NULL ? *given : attrs[i];
    }
    return tn_emit_op(e, "Gemm", in, in[2] != NULL ? 3 : 2, attrs, gemm ? 3 : 1, 1)->results[0];
}

/* What one part adds to the loss. `total`: the weights of all labels, NULL where they weigh the
 * same. */
static tn_value *loss_of_part(tn_emitter *e, const rows *r, tn_value *scores, tn_value *labels,
                              int64_t n, tn_value *total) {
    const tn_op *loss = r->loss;
    const tn_attr *ignored = tn_op_attr(loss, "ignore_index");
    tn_value *in[] = {scores, labels, tn_operand(loss, WEIGHTS)};
    bool mean = is_reduced_by(loss, "mean");
    tn_attr attrs[2] = {tn_attr_of_text(e, "reduction", mean && total == NULL ? "mean" : "sum")};
    if (ignored != NULL) {
        attrs[1] = *ignored;
    }
    tn_value *of_part = tn_emit_op(e, loss->type, in, in[WEIGHTS] != NULL ? 3 : 2, attrs,
                                   ignored != NULL ? 2 : 1, 1)
                            ->results[0];
    if (!mean) {
        return of_part;
    }
    return total != NULL
               ? tn_emit_2(e, "Div", of_part, total)
               : tn_emit_2(e, "Mul", of_part,
                           tn_emit_scalar(e, of_part->type->dtype, (double)n / (double)r->n));
}

/* Outputs among the scores on their way are whole again. */
static void rejoin(tn_emitter *e, tn_value *old, tn_value *const *parts, uint32_t n) {
    if ((old->flags & TN_VF_OUTPUT) != 0) {
        tn_emit_replace(e, old, tn_emit_reshape_like(e, tn_emit_concat(e, parts, n, 0), old));
    }
}

/* The weights of all labels; NULL where all weigh the same. */
static tn_value *total_weight(tn_emitter *e, const tn_op *loss, tn_dtype dtype) {
    tn_attr keep = tn_attr_of_int("keepdims", 0);
    tn_value *each =
        tn_label_weights(e, loss, tn_operand(loss, LABELS), tn_operand(loss, WEIGHTS), dtype);
    return each != NULL ? tn_emit(e, "ReduceSum", &each, 1, &keep, 1) : NULL;
}

static tn_value *by_parts(tn_emitter *e, const rows *r, uint32_t n) {
    const tn_op *loss = r->loss, *product = r->product;
    tn_value *from = tn_operand(product, 0), *sum = NULL;
    tn_dtype dtype = loss->results[0]->type->dtype;
    const int64_t *sizes = tn_even_parts(e, r->n, n);
    int64_t depth = -1;
    (void)tn_dim_is_const(e->m->dims, from->type->dims[from->type->rank - 1], &depth);
    if (from->type->rank > 2) {
        from = tn_emit_reshape(e, from, (const int64_t[]){r->n, depth}, 2);
    }
    tn_value **parts = tn_emit_split(e, from, 0, n, sizes);
    tn_value **labels = tn_emit_split(e, tn_operand(loss, LABELS), 0, n, sizes);
    tn_value ***level = TN_ARRAY(e->scratch, tn_value **, r->n_between + 1u);
    for (uint32_t k = 0; k <= r->n_between; k++) {
        level[k] = TN_ARRAY(e->scratch, tn_value *, n);
    }
    tn_value *total = total_weight(e, loss, dtype);
    for (uint32_t i = 0; i < n; i++) {
        tn_value *v = level[0][i] = product_of_rows(e, product, parts[i]);
        for (uint32_t k = 0; k < r->n_between; k++) {
            const tn_op *op = r->between[k];
            v = level[k + 1][i] = tn_op_view(op).kind == TN_VIEW_WHOLE
                                      ? v
                                      : repeated(e, op, (uint32_t)row_operand(e, op, r), v);
        }
        tn_value *of_part = loss_of_part(e, r, v, labels[i], sizes[i], total);
        sum = sum == NULL ? of_part : tn_emit_sum(e, sum, of_part);
    }
    for (uint32_t k = 0; k <= r->n_between; k++) {
        rejoin(e, k > 0 ? r->between[k - 1]->results[0] : product->results[0], level[k], n);
    }
    return sum;
}

/* What was made from op `first` on takes the place of the rest. */
static void put_in_place(tn_module *m, const rows *r, uint32_t first) {
    for (uint32_t i = first; i < m->n_ops; i++) {
        tn_op_move_before(m->ops[i], r->loss);
    }
    tn_op_erase(r->loss);
    for (uint32_t k = r->n_between; k-- > 0;) {
        tn_op_erase(r->between[k]);
    }
    tn_op *turn = turn_of(r->product);
    tn_op_erase(r->product);
    if (turn != NULL) {
        tn_erase_unread(turn);
    }
}

tn_loss_parts tn_loss_by_parts(tn_emitter *e, tn_value **loss) {
    tn_loss_parts out = {.first = e->m->n_ops};
    for (tn_op *op = e->m->main->first, *next; op != NULL; op = next) {
        rows r;
        next = op->next;
        if (op->id >= out.first || !tn_op_is_standard(op, "SoftmaxCrossEntropyLoss") ||
            !find_rows(e, op, &r)) {
            continue;
        }
        int64_t n = r.n / FEWEST_ROWS;
        uint32_t parts = n < MOST_PARTS ? (uint32_t)n : MOST_PARTS;
        uint32_t first = e->m->n_ops;
        tn_value *old = op->results[0];
        tn_emit_for(e, &op->loc, tn_internf(e->ctx, "%s_Parts", old->name));
        tn_value *sum = by_parts(e, &r, parts);
        *loss = *loss == old ? sum : *loss;
        tn_emit_replace(e, old, sum);
        put_in_place(e->m, &r, first);
        out.n += parts;
    }
    out.end = e->m->n_ops;
    return out;
}
