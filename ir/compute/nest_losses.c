/* Losses of scores, and of logarithms of probabilities: these are of (batch, classes, places...),
 * labels of (batch, places...). */
#include <string.h>

#include "ir/compute/nest_over.h"

/* Where the nest has the labels' axes: from `first` on. */
typedef struct labelled {
    tn_affine label, score;
    int64_t classes, step; /* between scores of one place */
    const tn_attr *ignored;
    bool powers; /* of scores, whose largest and whose sum of powers stages 0 and 1 leave */
} labelled;

static bool labels_of(const tn_compute *c, uint32_t first, labelled *l) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *labels = tn_compute_operand(c, 1);
    int64_t steps[TN_NEST_AXES], own[TN_NEST_AXES];
    tn_compute_steps(x, steps);
    tn_compute_steps(labels, own);
    *l = (labelled){.classes = x->dims[1],
                    .step = steps[1],
                    .ignored = tn_compute_attr(c, "ignore_index"),
                    .powers = l->powers};
    for (uint32_t i = 0; i < labels->rank; i++) {
        l->label.by[first + i] = own[i];
        l->score.by[first + i] = steps[i == 0 ? 0 : i + 1];
        if (labels->dims[i] != x->dims[i == 0 ? 0 : i + 1]) {
            return false;
        }
    }
    return l->ignored == NULL || l->ignored->kind == TN_ATTR_INT;
}

static tn_calc *label_of(const tn_compute *c, const labelled *l) {
    return tn_calc_convert(c->arena, tn_calc_load(c->arena, 1, &l->label), TN_DT_INT64);
}

/* `x`, or `instead` where the label is the one that is ignored. */
static tn_calc *unless_ignored(tn_compute *c, const labelled *l, double instead, tn_calc *x) {
    if (l->ignored == NULL) {
        return x;
    }
    tn_calc *is = tn_calc_two(c, TN_CALC_EQUAL, label_of(c, l),
                              tn_calc_number(c->arena, (double)l->ignored->u.i));
    return tn_calc_make(c->arena, TN_CALC_SELECT, is, tn_calc_number(c->arena, instead), x);
}

/* How far what belongs to the label's class is from that of the first. */
static tn_calc *class_of(tn_compute *c, const labelled *l, int64_t step) {
    return tn_calc_index_up(c->arena, unless_ignored(c, l, 0, label_of(c, l)), l->classes, step);
}

static tn_calc *weight_of(tn_compute *c, const labelled *l) {
    const tn_affine first = {0};
    return tn_compute_operand(c, 2) != NULL
               ? tn_calc_load_by(c->arena, 2, &first, class_of(c, l, 1))
               : tn_calc_number(c->arena, 1);
}

static tn_calc *loss_of(tn_compute *c, const labelled *l) {
    tn_calc *score = tn_calc_load_by(c->arena, 0, &l->score, class_of(c, l, l->step));
    tn_calc *loss = tn_calc_one(c, TN_CALC_NEG, score);
    if (l->powers) {
        tn_calc *all = tn_calc_one(c, TN_CALC_LOG, tn_calc_local(c->arena, 1));
        loss = tn_calc_two(c, TN_CALC_SUB,
                           tn_calc_two(c, TN_CALC_ADD, all, tn_calc_local(c->arena, 0)), score);
    }
    loss = tn_compute_operand(c, 2) != NULL ? tn_calc_two(c, TN_CALC_MUL, weight_of(c, l), loss)
                                            : loss;
    return unless_ignored(c, l, 0, loss);
}

/* Stages 0 and 1, over the scores of a label. */
static void put_powers(tn_compute *c, tn_nest *n, const labelled *l, uint32_t depth,
                       uint32_t inside) {
    for (uint32_t i = 0; i < 2; i++) {
        tn_affine at = l->score;
        n->stage[i] = (tn_nest_stage){.depth = depth, .inside = inside, .first = n->n_axes, .n = 1};
        n->stage[i].combine = i == 0 ? TN_COMBINE_MAX : TN_COMBINE_SUM;
        at.by[tn_nest_axis(n, l->classes)] = l->step;
        tn_calc *x = tn_calc_load(c->arena, 0, &at);
        tn_calc *above = tn_calc_two(c, TN_CALC_SUB, x, tn_calc_local(c->arena, 0));
        n->stage[i].body = i == 0 ? x : tn_calc_one(c, TN_CALC_EXP, above);
    }
}

/* A stage over all labels. */
static void put_sum(tn_compute *c, tn_nest *n, labelled *l, bool weights) {
    const tn_compute_value *labels = tn_compute_operand(c, 1);
    tn_nest_stage *s = &n->stage[n->n_stages++];
    s->first = n->n_axes;
    for (uint32_t i = 0; i < labels->rank; i++) {
        tn_nest_axis(n, labels->dims[i]);
    }
    s->n = labels->rank;
    labels_of(c, s->first, l);
    if (l->powers && !weights) {
        put_powers(c, n, l, 0, n->n_stages);
    }
    s->body = weights ? unless_ignored(c, l, 0, weight_of(c, l)) : loss_of(c, l);
}

static bool put_loss(tn_compute *c, bool powers) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *labels = tn_compute_operand(c, 1);
    const tn_compute_value *weights = tn_compute_operand(c, 2);
    const char *reduction = tn_compute_text(c, "reduction");
    bool mean = strcmp(reduction, "mean") == 0, none = strcmp(reduction, "none") == 0;
    labelled l = {.powers = powers};
    if (x->rank < 2 || labels->rank + 1 != x->rank || 2 * x->rank > TN_NEST_AXES ||
        !labels_of(c, 0, &l) || (!mean && !none && strcmp(reduction, "sum") != 0) ||
        (weights != NULL && (weights->rank != 1 || weights->dims[0] != x->dims[1]))) {
        return false;
    }
    if (none) {
        tn_nest *n = tn_compute_over(c, 0);
        if (n == NULL || n->n_outer != labels->rank) {
            return false;
        }
        n->n_stages = powers ? 2 : 0;
        if (powers) {
            put_powers(c, n, &l, n->n_outer, 0);
        }
        n->value = loss_of(c, &l);
        return true;
    }
    tn_nest *n = tn_compute_nest(c, 0);
    uint32_t sum = n->n_stages = powers ? 2 : 0;
    put_sum(c, n, &l, false);
    n->value = tn_calc_local(c->arena, sum);
    if (mean) {
        put_sum(c, n, &l, true);
        n->value = tn_calc_two(c, TN_CALC_DIV, n->value, tn_calc_local(c->arena, sum + 1));
    }
    return true;
}

bool tn_compute_likelihood_loss(tn_compute *c) {
    return put_loss(c, false);
}

bool tn_compute_softmax_loss(tn_compute *c) {
    bool logarithms = c->n_results > 1 && c->results[1].there;
    return put_loss(c, true) && (!logarithms || tn_compute_log_softmax_of(c, 1, 1));
}
