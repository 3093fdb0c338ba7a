/* Sums of products, and sums and largest of windows: a work-item makes a few rows of a vector each.
 * Neighbours in a vector are neighbours of the result along its last axis, so that one side of the
 * products is a vector as it lies, or a number for all; what all rows have in common is loaded
 * once. Borders of images, which guards state, are loaded with what changes nothing in place of
 * what is not there. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels_cl/writer.h"

/* Both sides of the products, or x[0] alone, and the guard that lanes have, or NULL. */
typedef struct sides {
    const tn_calc *x[2];
    const tn_nest_guard *border;
} sides;

static bool has_table(const tn_affine *at) {
    bool any = false;
    for (uint32_t a = 0; a < TN_NEST_AXES; a++) {
        any = any || at->table[a] != NULL;
    }
    return any;
}

static bool is_plain(const tn_cl_writer *w, const tn_calc *x) {
    return x->kind == TN_CALC_LOAD && x->arg[0] == NULL &&
           w->p.c->operands[x->which].dtype == TN_DT_FLOAT && !has_table(&x->at) &&
           x->at.by[w->column] >= 0;
}

static bool find_sides(const tn_cl_writer *w, sides *s) {
    const tn_nest_stage *sum = &w->n->stage[w->sum];
    const tn_calc *body = sum->body;
    bool alone =
        body->kind == TN_CALC_LOAD && (sum->combine == TN_COMBINE_SUM || sum->start == NULL);
    bool product =
        body->kind == TN_CALC_OP && body->op == TN_CALC_MUL && sum->combine == TN_COMBINE_SUM;
    if ((!alone && !product) || sum->type != TN_DT_FLOAT) {
        return false;
    }
    *s = (sides){.x = {alone ? body : body->arg[0], alone ? NULL : body->arg[1]}};
    uint32_t borders = 0;
    for (uint32_t g = 0; g < sum->n_guards; g++) {
        if (sum->guards[g].at.by[w->column] != 0) {
            s->border = &sum->guards[g];
            borders++;
        }
    }
    bool plain = is_plain(w, s->x[0]) && (alone || is_plain(w, s->x[1])) && borders <= 1;
    return plain && (s->x[0]->at.by[w->column] != 0 || (product && s->x[1]->at.by[w->column] != 0));
}

/* Strides that are worth lanes: of one side at most, and short. */
static bool is_near(const tn_cl_writer *w, const sides *s) {
    int64_t a = s->x[0]->at.by[w->column], b = s->x[1] != NULL ? s->x[1]->at.by[w->column] : 0;
    return (a <= 1 || b == 0) && (b <= 1 || a == 0) && a <= 4 && b <= 4;
}

bool tn_cl_find_vectors(tn_cl_writer *w) {
    sides s;
    const tn_nest_stage *sum = &w->n->stage[w->sum];
    w->column = w->depth > 0 ? w->depth - 1 : 0;
    bool may = w->depth > 0 && (sum->combine == TN_COMBINE_SUM || sum->combine == TN_COMBINE_MAX) &&
               sum->depth == w->n->n_outer && sum->n > 0 && w->n->store_by == NULL &&
               w->n->value_too == NULL && !tn_nest_is_bound(w->n);
    for (uint32_t i = 0; may && i < w->n->n_stages; i++) {
        may = i == w->sum || tn_print_is_term(&w->n->stage[i]);
    }
    int64_t n = may ? w->n->extent[w->column] : 0;
    if (n < 4 || !find_sides(w, &s) || !is_near(w, &s)) {
        return false;
    }
    w->lanes = n >= 16 && (n % 16 == 0 || n % 16 > 8) ? 16 : n >= 8 ? 8 : 4;
    tn_cl_find_tile(w);
    return true;
}

/* ---- the sums ---- */

static void put_index(const tn_cl_writer *w, const tn_affine *at) {
    tn_put(w->p.out, ", ");
    tn_print_affine(&w->p, at);
}

/* A number for all lanes, or a vector. */
static void put_side(const tn_cl_writer *w, const sides *s, const tn_calc *x) {
    tn_sink *out = w->p.out;
    int64_t step = x->at.by[w->column];
    if (step == 0) {
        tn_print_calc(&w->p, x);
    } else if (s->border != NULL) {
        tn_putf(out, "%s_border%" PRIu32 "(x%" PRIu32, w->p.t->symbol, w->lanes, x->which);
        put_index(w, &x->at);
        tn_putf(out, ", %" PRId64, step);
        put_index(w, &s->border->at);
        tn_putf(out, ", %" PRId64 ", %" PRId64 ", %s)", s->border->at.by[w->column], s->border->end,
                tn_print_nothing(&w->n->stage[w->sum]));
    } else if (step == 1) {
        tn_putf(out, "vload%" PRIu32 "(0, x%" PRIu32 " + (", w->lanes, x->which);
        tn_print_affine(&w->p, &x->at);
        tn_put(out, "))");
    } else {
        tn_putf(out, "%s_every%" PRIu32 "(x%" PRIu32, w->p.t->symbol, w->lanes, x->which);
        put_index(w, &x->at);
        tn_putf(out, ", %" PRId64 ")", step);
    }
}

/* What all rows have in common, by name. */
static const char *put_common(const tn_cl_writer *w, const sides *s, uint32_t side) {
    const tn_calc *x = s->x[side];
    if (x == NULL || (w->tile > 1 && tn_cl_moves_with_row(w, x))) {
        return NULL;
    }
    const char *name = side == 0 ? "u" : "v";
    tn_put_indent(w->p.out, 4 * (size_t)w->p.depth);
    if (x->at.by[w->column] == 0) {
        tn_putf(w->p.out, "const float %s = ", name);
    } else {
        tn_putf(w->p.out, "const float%" PRIu32 " %s = ", w->lanes, name);
    }
    put_side(w, s, x);
    tn_put(w->p.out, ";\n");
    return name;
}

static void put_sums(tn_cl_writer *w, const sides *s) {
    tn_printer *p = &w->p;
    const tn_nest_stage *sum = &w->n->stage[w->sum];
    for (uint32_t t = 0; t < w->tile; t++) {
        tn_print_line(p, "float%" PRIu32 " sum%" PRIu32 " = %s;", w->lanes, t,
                      tn_print_nothing(sum));
    }
    unsigned opened =
        tn_print_open_stage(p, sum, sum->n, s->border != NULL ? w->column : TN_NEST_AXES);
    const char *common[2];
    for (uint32_t i = 0; i < 2; i++) {
        common[i] = put_common(w, s, i);
    }
    for (uint32_t t = 0; t < w->tile; t++) {
        p->ahead[w->row] = w->tile > 1 ? t : 0;
        tn_put_indent(p->out, 4 * (size_t)p->depth);
        if (sum->combine == TN_COMBINE_SUM) {
            tn_putf(p->out, "sum%" PRIu32 " += ", t);
        } else {
            tn_putf(p->out, "sum%" PRIu32 " = %s_v%" PRIu32 "_maxf(", t, p->t->symbol, w->lanes);
        }
        for (uint32_t i = 0; i < 2 && s->x[i] != NULL; i++) {
            tn_put(p->out, i > 0 ? " * " : "");
            if (common[i] != NULL) {
                tn_put(p->out, common[i]);
            } else {
                put_side(w, s, s->x[i]);
            }
        }
        if (sum->combine != TN_COMBINE_SUM) {
            tn_putf(p->out, ", sum%" PRIu32 ")", t);
        }
        tn_put(p->out, ";\n");
    }
    for (; opened > 0; opened--) {
        tn_print_close(p);
    }
}

/* ---- what is done to them ---- */

/* Whether vectors can be computed with where the expression has floats; *leaves: numbers and loads.
 */
static bool is_lane_wise(const tn_cl_writer *w, const tn_calc *x, uint32_t *leaves) {
    bool leaf = x->kind == TN_CALC_NUMBER || x->kind == TN_CALC_LOAD;
    *leaves += leaf;
    if (leaf || x->kind == TN_CALC_LOCAL) {
        return x->type == TN_DT_FLOAT && (x->kind != TN_CALC_LOAD || is_plain(w, x));
    }
    bool may = x->kind == TN_CALC_OP && x->op != TN_CALC_CONVERT && x->op != TN_CALC_WHOLE &&
               x->op != TN_CALC_INDEX && (x->type == TN_DT_FLOAT || x->type == TN_DT_BOOL);
    for (uint32_t i = 0; may && i < 3 && x->arg[i] != NULL; i++) {
        may = (x->arg[i]->type == TN_DT_FLOAT || x->arg[i]->kind == TN_CALC_OP) &&
              is_lane_wise(w, x->arg[i], leaves);
    }
    return may;
}

static bool has_vector_rows(const tn_cl_writer *w) {
    const tn_nest *n = w->n;
    uint32_t leaves = 0;
    bool may = w->p.c->results[n->result].dtype == TN_DT_FLOAT && n->value->type == TN_DT_FLOAT &&
               !n->moves && n->store.by[w->column] == 1 && n->store.table[w->column] == NULL &&
               is_lane_wise(w, n->value, &leaves);
    for (uint32_t s = 0; s < n->n_stages && may; s++) {
        const tn_calc *x = s == w->sum ? n->stage[s].start : n->stage[s].body;
        may = n->stage[s].type == TN_DT_FLOAT && (x == NULL || is_lane_wise(w, x, &leaves));
    }
    return may && leaves <= TN_PRINT_KEPT - w->p.n_kept;
}

/* Writes numbers and loads of the expression as vectors, and has it name these. */
static void keep_leaves(tn_cl_writer *w, tn_calc *x, uint32_t from) {
    tn_printer *p = &w->p;
    if (x->kind != TN_CALC_NUMBER && x->kind != TN_CALC_LOAD) {
        for (uint32_t i = 0; x->kind == TN_CALC_OP && i < 3 && x->arg[i] != NULL; i++) {
            keep_leaves(w, x->arg[i], from);
        }
        return;
    }
    uint32_t same = from, number = TN_NEST_STAGES + p->n_kept;
    while (same < p->n_kept && !tn_print_are_equal(&p->kept[same].was, x)) {
        same++;
    }
    if (same < p->n_kept) {
        p->local[number] = p->local[TN_NEST_STAGES + same];
    } else {
        p->local[number] = tn_arena_printf(p->out->arena, "k%" PRIu32, p->n_kept - from);
        tn_put_indent(p->out, 4 * (size_t)p->depth);
        tn_putf(p->out, "const float%" PRIu32 " %s = ", w->lanes, p->local[number]);
        put_side(w, &(sides){.border = NULL}, x);
        tn_put(p->out, ";\n");
    }
    p->kept[p->n_kept++] = (tn_print_kept){x, *x};
    *x = (tn_calc){.kind = TN_CALC_LOCAL, .type = x->type, .which = number};
}

static void put_vector(tn_cl_writer *w, const char *name, const char *sum, tn_calc *x,
                       uint32_t from) {
    tn_kernel_text of_lanes = *w->p.t;
    const tn_kernel_text *t = w->p.t;
    of_lanes.symbol = tn_arena_printf(w->p.out->arena, "%s_v%" PRIu32, t->symbol, w->lanes);
    if (x != NULL) {
        keep_leaves(w, x, from);
    }
    tn_put_indent(w->p.out, 4 * (size_t)w->p.depth);
    tn_putf(w->p.out, "const float%" PRIu32 " %s = %s%s", w->lanes, name, sum,
            x != NULL && sum[0] != '\0' ? " + (" : "");
    if (x != NULL) {
        w->p.t = &of_lanes;
        tn_print_calc(&w->p, x);
        w->p.t = t;
    }
    tn_put(w->p.out, x != NULL && sum[0] != '\0' ? ");\n" : ";\n");
}

/* Lanes that another work-item stores, too, are left to it: operands may lie under them. */
static void store_vector(tn_cl_writer *w) {
    bool skips = w->n->extent[w->column] % w->lanes != 0;
    if (skips) {
        tn_print_line(&w->p, "float lane[%" PRIu32 "];", w->lanes);
        tn_print_line(&w->p, "vstore%" PRIu32 "(v, 0, lane);", w->lanes);
        tn_print_line(&w->p, "for (int32_t i = skip_column; i < %" PRIu32 "; i++) {", w->lanes);
    }
    tn_put_indent(w->p.out, 4 * (size_t)(w->p.depth + skips));
    tn_putf(w->p.out, skips ? "y%" PRIu32 "[i + " : "vstore%" PRIu32 "(v, 0, y",
            skips ? w->n->result : w->lanes);
    if (!skips) {
        tn_putf(w->p.out, "%" PRIu32 " + (", w->n->result);
    }
    tn_print_affine(&w->p, &w->n->store);
    tn_put(w->p.out, skips ? "] = lane[i];\n" : "));\n");
    if (skips) {
        tn_print_line(&w->p, "}");
    }
}

static void put_vector_row(tn_cl_writer *w, uint32_t row) {
    tn_printer *p = &w->p;
    uint32_t from = p->n_kept;
    p->ahead[w->row] = w->tile > 1 ? row : 0;
    tn_print_line(p, "{");
    p->depth++;
    for (uint32_t depth = 0; depth <= w->n->n_outer; depth++) {
        for (uint32_t s = 0; s < w->n->n_stages; s++) {
            const tn_nest_stage *stage = &w->n->stage[s];
            if (stage->depth != depth) {
                continue;
            }
            const char *sum = s == w->sum ? tn_arena_printf(p->out->arena, "sum%" PRIu32, row) : "";
            put_vector(w, p->local[s], sum, s == w->sum ? stage->start : stage->body, from);
        }
    }
    put_vector(w, "v", "", w->n->value, from);
    store_vector(w);
    tn_print_let_go(p, from);
    tn_print_close(p);
}

/* The lanes of a row one after the other. */
static void put_row(tn_cl_writer *w, uint32_t row) {
    tn_printer *p = &w->p;
    const tn_nest_stage *sum = &w->n->stage[w->sum];
    const char *axis = p->axis[w->column];
    bool skips = w->n->extent[w->column] % w->lanes != 0;
    p->ahead[w->row] = w->tile > 1 ? row : 0;
    tn_print_line(p, "vstore%" PRIu32 "(sum%" PRIu32 ", 0, lane);", w->lanes, row);
    tn_print_line(p, "for (int32_t i = %s; i < %" PRIu32 "; i++) {", skips ? "skip_column" : "0",
                  w->lanes);
    p->depth++;
    tn_print_line(p, "const int32_t at = %s + i;", axis);
    p->axis[w->column] = "at";
    for (uint32_t depth = 0; depth <= w->n->n_outer; depth++) {
        for (uint32_t s = 0; s < w->n->n_stages; s++) {
            if (w->n->stage[s].depth != depth) {
                continue;
            }
            if (s != w->sum) {
                tn_print_stage(p, s);
                continue;
            }
            tn_put_indent(p->out, 4 * (size_t)p->depth);
            tn_putf(p->out, "const float %s = lane[i]", p->local[s]);
            if (sum->start != NULL) {
                tn_put(p->out, " + (");
                tn_print_calc(p, sum->start);
                tn_put(p->out, ")");
            }
            tn_put(p->out, ";\n");
        }
    }
    tn_print_store(p);
    p->axis[w->column] = axis;
    tn_print_close(p);
}

void tn_cl_put_vectors(tn_cl_writer *w) {
    sides s;
    (void)find_sides(w, &s);
    tn_cl_put_range(w);
    put_sums(w, &s);
    bool vectors = has_vector_rows(w);
    if (!vectors) {
        tn_print_line(&w->p, "float lane[%" PRIu32 "];", w->lanes);
    }
    bool skips = w->tile > 1 && w->n->extent[w->row] % w->tile != 0;
    for (uint32_t t = 0; t < w->tile; t++) {
        if (skips) {
            tn_print_line(&w->p, "if (skip_row <= %" PRIu32 ") {", t);
            w->p.depth++;
        }
        if (vectors) {
            put_vector_row(w, t);
        } else {
            put_row(w, t);
        }
        if (skips) {
            tn_print_close(&w->p);
        }
    }
    w->p.ahead[w->row] = 0;
}
