/* Products of matrices. */
#include "ir/compute/nest_rules.h"

tn_nest *tn_compute_gemm_of(tn_compute *c, uint32_t left_at, uint32_t right_at) {
    const tn_compute_value *a = tn_compute_operand(c, left_at),
                           *b = tn_compute_operand(c, right_at);
    bool turned_a = tn_compute_int(c, "transA", 0) != 0,
         turned_b = tn_compute_int(c, "transB", 0) != 0;
    if (a->rank != 2 || b->rank != 2 || c->results[0].rank != 2) {
        return NULL;
    }
    tn_nest *n = tn_compute_over(c, 0);
    tn_affine left = {0}, right = {0};
    tn_nest_stage *s = &n->stage[n->n_stages++];
    int64_t inner = a->dims[turned_a ? 0 : 1];
    s->depth = s->first = 2;
    uint32_t k = tn_nest_axis(n, inner);
    s->n = 1;
    left.by[0] = turned_a ? 1 : inner;
    left.by[k] = turned_a ? a->dims[1] : 1;
    right.by[1] = turned_b ? inner : 1;
    right.by[k] = turned_b ? 1 : b->dims[1];
    s->body = tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_load(c->arena, left_at, &left),
                           tn_calc_load(c->arena, right_at, &right), NULL);
    n->value = tn_calc_local(c->arena, 0);
    return n;
}

bool tn_compute_gemm(tn_compute *c) {
    const tn_compute_value *add = tn_compute_operand(c, 2);
    double alpha = tn_compute_float(c, "alpha", 1), beta = tn_compute_float(c, "beta", 1);
    tn_nest *n = tn_compute_gemm_of(c, 0, 1);
    tn_affine third;
    if (n == NULL) {
        return false;
    }
    if (alpha != 1) {
        n->value =
            tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_number(c->arena, alpha), n->value, NULL);
    }
    if (add != NULL && beta != 0) {
        if (!tn_compute_broadcast(add, n, 2, &third)) {
            return false;
        }
        tn_calc *more = tn_calc_load(c->arena, 2, &third);
        more = beta != 1
                   ? tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_number(c->arena, beta), more, NULL)
                   : more;
        n->value = tn_calc_make(c->arena, TN_CALC_ADD, n->value, more, NULL);
    }
    return true;
}

/* Where the matrix of an operand lies, whose axes in front of the last two are broadcast to the
 * first `stacked` of the nest. */
static bool stack_of(const tn_compute_value *v, const tn_nest *n, uint32_t stacked, tn_affine *at) {
    int64_t steps[TN_NEST_AXES];
    tn_compute_steps(v, steps);
    uint32_t axes = v->rank > 2 ? v->rank - 2 : 0;
    for (uint32_t i = 0; i < axes; i++) {
        uint32_t axis = stacked - axes + i;
        if (axes > stacked || (v->dims[i] != 1 && v->dims[i] != n->extent[axis])) {
            return false;
        }
        at->by[axis] = v->dims[i] == 1 ? 0 : steps[i];
    }
    return true;
}

/* FusedMatMul states turned matrices and a factor, too. The last two axes are matrices, those
 * before are broadcast; an operand of one axis is a row or a column. */
tn_nest *tn_compute_matmul_of(tn_compute *c, uint32_t left_at, uint32_t right_at) {
    const tn_compute_value *a = tn_compute_operand(c, left_at),
                           *b = tn_compute_operand(c, right_at), *y = &c->results[0];
    tn_nest *n = a->rank == 0 || b->rank == 0 ? NULL : tn_compute_over(c, 0);
    if (n == NULL) {
        return NULL;
    }
    bool turned_a = tn_compute_int(c, "transA", 0) != 0,
         turned_b = tn_compute_int(c, "transB", 0) != 0;
    double alpha = tn_compute_float(c, "alpha", 1);
    if ((turned_a && a->rank < 2) || (turned_b && b->rank < 2) ||
        tn_compute_int(c, "transBatchA", 0) != 0 || tn_compute_int(c, "transBatchB", 0) != 0) {
        return NULL;
    }
    uint32_t rows = a->rank > 1, columns = b->rank > 1, stacked = y->rank - rows - columns;
    int64_t inner = a->dims[a->rank - (turned_a ? 2 : 1)];
    tn_affine left = {0}, right = {0};
    tn_nest_stage *s = &n->stage[n->n_stages++];
    s->depth = s->first = n->n_outer;
    uint32_t k = tn_nest_axis(n, inner);
    s->n = 1;
    if (!stack_of(a, n, stacked, &left) || !stack_of(b, n, stacked, &right)) {
        return NULL;
    }
    left.by[k] = turned_a ? a->dims[a->rank - 1] : 1;
    right.by[k] = columns && !turned_b ? b->dims[b->rank - 1] : 1;
    if (rows) {
        left.by[stacked] = turned_a ? 1 : inner;
    }
    if (columns) {
        right.by[stacked + rows] = turned_b ? inner : 1;
    }
    s->body = tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_load(c->arena, left_at, &left),
                           tn_calc_load(c->arena, right_at, &right), NULL);
    n->value = tn_calc_local(c->arena, 0);
    if (alpha != 1) {
        n->value =
            tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_number(c->arena, alpha), n->value, NULL);
    }
    return n;
}

bool tn_compute_matmul(tn_compute *c) {
    return tn_compute_matmul_of(c, 0, 1) != NULL;
}
