/* Gradients of losses over classes, and of dropout. Labels that are to be ignored count nothing. */
#include "ir/gradient/dropout.h"
#include "ir/gradient/gradient.h"
#include "ir/gradient/label_weights.h"
#include "ir/ops/op_attrs.h"

#include <math.h>
#include <string.h>

/* What of the labels matters. */
typedef struct chosen {
    tn_value *labels;  /* those ignored replaced by 0 */
    tn_value *ignored; /* whether; NULL: none are */
    tn_value *weights; /* of each label, 0 where ignored; NULL: all 1 */
} chosen;

static chosen choose(tn_emitter *e, const tn_op *loss, tn_value *labels, tn_value *weights,
                     tn_dtype dtype) {
    const tn_attr *ignore = tn_op_attr(loss, "ignore_index");
    chosen c = {.labels = labels};
    if (ignore != NULL) {
        tn_dtype whole = labels->type->dtype;
        c.ignored = tn_emit_2(e, "Equal", labels, tn_emit_scalar(e, whole, (double)ignore->u.i));
        c.labels = tn_emit_3(e, "Where", c.ignored, tn_emit_scalar(e, whole, 0), labels);
    }
    tn_value *each = weights != NULL  ? tn_emit_2(e, "Gather", weights, c.labels)
                     : ignore != NULL ? tn_emit_scalar(e, dtype, 1)
                                      : NULL;
    c.weights =
        ignore != NULL ? tn_emit_3(e, "Where", c.ignored, tn_emit_scalar(e, dtype, 0), each) : each;
    return c;
}

tn_value *tn_label_weights(tn_emitter *e, const tn_op *loss, tn_value *labels, tn_value *weights,
                           tn_dtype dtype) {
    return choose(e, loss, labels, weights, dtype).weights;
}

static tn_value *number_of(tn_grad *g, tn_value *labels, tn_dtype dtype) {
    int64_t n;
    return tn_type_fixed_elements(g->e->m->dims, labels->type, &n)
               ? tn_emit_scalar(g->e, dtype, (double)n)
               : tn_emit_cast(g->e, tn_emit_1(g->e, "Size", labels), dtype);
}

static tn_value *sum_of(tn_grad *g, tn_value *v) {
    tn_attr keep = tn_attr_of_int("keepdims", 0);
    return tn_emit(g->e, "ReduceSum", &v, 1, &keep, 1);
}

/* What a change of the score of the own class does to the loss, but for its sign: in a shape that
 * is broadcast to the scores. */
static tn_value *shares(tn_grad *g, const chosen *c, tn_value *d) {
    const char *reduction = tn_grad_text(g, "reduction", "mean");
    tn_value *f = c->weights != NULL ? tn_emit_2(g->e, "Mul", d, c->weights) : d;
    if (strcmp(reduction, "mean") == 0) {
        tn_dtype dtype = d->type->dtype;
        tn_value *total =
            c->weights != NULL ? sum_of(g, c->weights) : number_of(g, c->labels, dtype);
        f = tn_emit_2(g->e, "Div", f, total);
    }
    bool each = c->weights != NULL || strcmp(reduction, "none") == 0;
    return each ? tn_emit_unsqueeze(g->e, f, (int64_t[]){1}, 1) : f;
}

/* Whether comparing all classes with the label would make something as large as what is largest
 * anyway, as where classes are words; or there are no numbers to compare with. */
static bool has_many_classes(tn_grad *g) {
    int64_t bytes;
    return !tn_type_fixed_bytes(g->e->m->dims, g->x->type, &bytes) ||
           bytes >= tn_emit_largest(g->e) / 2;
}

/* v, in the shape of the scores, with `own` where the class is the label. */
static tn_value *put_own(tn_grad *g, tn_value *v, tn_value *labels, tn_value *own) {
    tn_attr axis = tn_attr_of_int("axis", 1);
    return tn_emit(g->e, "ScatterElements", (tn_value *[]){v, labels, own}, 3, &axis, 1);
}

/* 1 where the class is the label, else 0, in the shape of the scores. */
static tn_value *is_label(tn_grad *g, tn_value *labels, tn_dtype dtype) {
    uint32_t rank = tn_emit_rank(g->e, g->x);
    int64_t classes = tn_emit_extents(g->e, g->x)[1];
    int64_t *numbers = TN_ARRAY(g->e->scratch, int64_t, (size_t)classes + 1u);
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, rank);
    for (int64_t k = 0; k < classes; k++) {
        numbers[k] = k;
    }
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = i == 1 ? classes : 1;
    }
    tn_value *all =
        tn_emit_cast(g->e, tn_emit_ints(g->e, numbers, (uint32_t)classes), labels->type->dtype);
    all = tn_emit_reshape(g->e, all, dims + 1, rank - 1);
    return tn_emit_cast(g->e, tn_emit_2(g->e, "Equal", labels, all), dtype);
}

/* Probabilities, 1 less for the label. */
static tn_value *less_own(tn_grad *g, tn_value *prob, tn_value *labels, tn_dtype dtype) {
    tn_emitter *e = g->e;
    labels = tn_emit_unsqueeze(e, labels, (int64_t[]){1}, 1);
    if (!has_many_classes(g)) {
        return tn_emit_2(e, "Sub", prob, is_label(g, labels, dtype));
    }
    tn_attr axis = tn_attr_of_int("axis", 1);
    tn_value *own = tn_emit(e, "GatherElements", (tn_value *[]){prob, labels}, 2, &axis, 1);
    own = tn_emit_2(e, "Sub", own, tn_emit_scalar(e, dtype, 1));
    return put_own(g, prob, labels, own);
}

/* args: log_prob, labels, weights, d (of the loss, NULL: 0). */
tn_value *tn_grad_softmax_loss(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_emitter *e = g->e;
    tn_value *log_prob = args[0], *d = args[3], *sum = NULL;
    if (log_prob == NULL) {
        log_prob = tn_grad_result(g, 1, g->x->type->dtype, g->x);
    }
    tn_dtype dtype = g->x->type->dtype;
    tn_value *prob = tn_emit_1(e, "Exp", log_prob);
    if (d != NULL) {
        chosen c = choose(e, g->op, args[1], args[2], dtype);
        tn_value *away = less_own(g, prob, c.labels, dtype);
        sum = tn_emit_2(e, "Mul", away, shares(g, &c, d));
    }
    tn_value *d_log = g->op->n_results > 1 ? g->ds[1] : NULL;
    if (d_log != NULL) {
        tn_value *all = tn_emit_reduce(e, "ReduceSum", d_log, (int64_t[]){1}, 1, true);
        tn_value *own = tn_emit_2(e, "Sub", d_log, tn_emit_2(e, "Mul", prob, all));
        sum = sum != NULL ? tn_emit_2(e, "Add", sum, own) : own;
    }
    return sum;
}

/* args: target, weight, d. */
tn_value *tn_grad_likelihood_loss(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_dtype dtype = g->x->type->dtype;
    chosen c = choose(g->e, g->op, args[0], args[1], dtype);
    tn_value *f = tn_emit_1(g->e, "Neg", shares(g, &c, args[2]));
    tn_value *labels = tn_emit_unsqueeze(g->e, c.labels, (int64_t[]){1}, 1);
    if (!has_many_classes(g)) {
        return tn_emit_2(g->e, "Mul", is_label(g, labels, dtype), f);
    }
    tn_value *zeros = tn_emit_full_like(g->e, g->x, dtype, 0);
    return put_own(g, zeros, labels, tn_emit_expand_like(g->e, f, labels));
}

/* ---- dropout ---- */

enum { RATIO = 1, TRAINING = 2 };

/* The only element of operand k, where it is known; else NAN. */
static double known(const tn_op *op, uint32_t k) {
    const tn_value *v = tn_operand(op, k);
    const tn_tensor *t = v != NULL ? tn_value_tensor(v) : NULL;
    if (t == NULL || t->n_elements != 1) {
        return NAN;
    }
    return t->floats != NULL ? t->floats[0] : t->ints != NULL ? (double)t->ints[0] : NAN;
}

/* What is kept is this many times larger; NAN where that is not known. */
static double factor_of(const tn_op *op) {
    return tn_operand(op, RATIO) != NULL ? 1 / (1 - known(op, RATIO)) : 2;
}

static tn_value *enlarged(tn_grad *g, tn_value *ratio, tn_value *training, tn_dtype dtype) {
    double factor = factor_of(g->op);
    tn_value *one = tn_emit_scalar(g->e, dtype, 1);
    tn_value *by = !isnan(factor)
                       ? tn_emit_scalar(g->e, dtype, factor)
                       : tn_emit_2(g->e, "Div", one,
                                   tn_emit_2(g->e, "Sub", one, tn_emit_cast(g->e, ratio, dtype)));
    return training != NULL ? tn_emit_3(g->e, "Where", training, by, one) : by;
}

/* args: mask, ratio, training_mode, d. */
tn_value *tn_grad_dropout(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *mask = args[0], *ratio = args[1], *training = args[2], *d = args[3];
    double on = training != NULL ? known(g->op, TRAINING) : 0;
    if (on == 0) {
        return d;
    }
    if (mask == NULL) {
        mask = tn_grad_result(g, 1, TN_DT_BOOL, d);
    }
    tn_dtype dtype = d->type->dtype;
    tn_value *kept = tn_emit_3(g->e, "Where", mask, d, tn_emit_scalar(g->e, dtype, 0));
    return tn_emit_2(g->e, "Mul", kept, enlarged(g, ratio, isnan(on) ? training : NULL, dtype));
}

bool tn_dropout_has_mask(const tn_op *op) {
    return tn_op_is_standard(op, "Dropout") && op->n_results > 1 && op->results[1] != NULL &&
           tn_operand(op, TRAINING) != NULL && known(op, TRAINING) == 1 && isfinite(factor_of(op));
}

tn_value *tn_dropout_by_mask(tn_emitter *e, const tn_op *op, tn_value *x, tn_value *mask) {
    tn_dtype dtype = x->type->dtype;
    tn_value *zero = tn_emit_scalar(e, dtype, 0), *factor = tn_emit_scalar(e, dtype, factor_of(op));
    tn_value *kept =
        tn_emit_op(e, "Where", (tn_value *[]){mask, x, zero}, 3, NULL, 0, 1)->results[0];
    return tn_emit_op(e, "Mul", (tn_value *[]){kept, factor}, 2, NULL, 0, 1)->results[0];
}
