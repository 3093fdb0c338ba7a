/* Sums of products of whole numbers that stand for floats: (a - zero) * scale times the same of
 * another are summed up as whole numbers, and what is left of them by scales. */
#include "ir/compute/nest_fuse.h"

enum { MOST_TERMS = 33025 }; /* 33025 * 255 * 255 < 2^31 */

static bool reads_axes(const tn_calc *x, uint32_t from, uint32_t to) {
    if (x == NULL) {
        return false;
    }
    bool any = false;
    for (uint32_t a = from; a < to && x->kind != TN_CALC_OP; a++) {
        any = any || x->at.by[a] != 0 || x->at.table[a] != NULL;
    }
    for (uint32_t i = 0; i < 3; i++) {
        any = any || reads_axes(x->arg[i], from, to);
    }
    return any;
}

static bool is_op(const tn_calc *x, tn_calc_op op) {
    return x->kind == TN_CALC_OP && x->op == op;
}

bool tn_calc_is_quantum(const tn_calc *x) {
    const tn_calc *whole =
        is_op(x, TN_CALC_MUL) && is_op(x->arg[0], TN_CALC_CONVERT) ? x->arg[0]->arg[0] : NULL;
    return whole != NULL && x->arg[1]->kind == TN_CALC_LOAD && x->arg[0]->type == TN_DT_FLOAT &&
           (whole->kind == TN_CALC_LOAD ||
            (is_op(whole, TN_CALC_SUB) && whole->arg[0]->kind == TN_CALC_LOAD));
}

/* One of 8 bits, whose zero point and scale are the same for all terms. */
static bool is_factor(const tn_compute *c, const tn_nest_stage *s, const tn_calc *x) {
    if (!tn_calc_is_quantum(x)) {
        return false;
    }
    const tn_calc *whole = x->arg[0]->arg[0];
    bool less = whole->kind == TN_CALC_OP;
    tn_dtype dtype = c->operands[less ? whole->arg[0]->which : whole->which].dtype;
    return (dtype == TN_DT_INT8 || dtype == TN_DT_UINT8) &&
           !reads_axes(x->arg[1], s->first, s->first + s->n) &&
           !(less && reads_axes(whole->arg[1], s->first, s->first + s->n));
}

static void replace(tn_arena *arena, tn_calc *x, uint32_t stage, const tn_calc *by) {
    if (x == NULL) {
        return;
    }
    if (x->kind == TN_CALC_LOCAL && x->which == stage) {
        *x = *tn_calc_copy(arena, by);
        return;
    }
    for (uint32_t i = 0; i < 3; i++) {
        replace(arena, x->arg[i], stage, by);
    }
}

static bool make_whole(const tn_compute *c, tn_nest *n, uint32_t stage) {
    tn_nest_stage *s = &n->stage[stage];
    int64_t terms = 1;
    for (uint32_t a = s->first; a < s->first + s->n; a++) {
        terms *= n->extent[a];
    }
    if (!is_factor(c, s, s->body->arg[0]) || !is_factor(c, s, s->body->arg[1]) ||
        terms > MOST_TERMS) {
        return false;
    }
    tn_arena *arena = c->arena;
    tn_calc *a = s->body->arg[0], *b = s->body->arg[1];
    tn_calc *scale = tn_calc_make(arena, TN_CALC_MUL, a->arg[1], b->arg[1], NULL);
    tn_calc *sum = tn_calc_convert(arena, tn_calc_local(arena, stage), TN_DT_FLOAT);
    tn_calc *value = tn_calc_make(arena, TN_CALC_MUL, sum, scale, NULL);
    if (s->start != NULL) {
        value = tn_calc_make(arena, TN_CALC_ADD, value, s->start, NULL);
        s->start = NULL;
    }
    s->body = tn_calc_make(arena, TN_CALC_MUL, a->arg[0]->arg[0], b->arg[0]->arg[0], NULL);
    for (uint32_t i = stage + 1; i < n->n_stages; i++) {
        replace(arena, n->stage[i].body, stage, value);
        replace(arena, n->stage[i].start, stage, value);
    }
    replace(arena, n->value, stage, value);
    return true;
}

bool tn_nest_sum_whole(const tn_compute *c, tn_nest *n) {
    bool all = true;
    for (uint32_t i = 0; i < n->n_stages && all; i++) {
        const tn_nest_stage *s = &n->stage[i];
        bool product = s->n > 0 && s->combine == TN_COMBINE_SUM && is_op(s->body, TN_CALC_MUL) &&
                       (tn_calc_is_quantum(s->body->arg[0]) || tn_calc_is_quantum(s->body->arg[1]));
        all = !product || make_whole(c, n, i);
    }
    return all;
}
