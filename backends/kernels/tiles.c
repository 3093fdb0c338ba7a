/* Sums of products by tiles. An element of the result is a sum over x * w, where
 *
 *   columns  neighbours of the result are made of neighbours of x, or of every second one, and of
 * the same w; rows, which share x, are made several at a time: convolutions, products of matrices
 *            A tile that crosses the border of an image reads its row from a copy with zeros around
 *   dots     x and w both lie side by side along the axis that is summed over: products with a
 * matrix that lies turned. Several sums at a time, each in lanes, which are added in the end
 *
 * The form and what it reaches: P. Goto and R. van de Geijn, "Anatomy of high-performance matrix
 * multiplication" (2008), with a tile of rows times one vector, as results here are seldom wide. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/print.h"

enum { ROWS = 8, DOTS = 4, MOST_STRIDE = 4, MOST_COPIED = 16 };

typedef struct tiles {
    tn_printer *p;
    const tn_nest *n;
    const tn_nest_stage *s;
    const tn_calc *x, *w;
    uint32_t column;  /* axis */
    uint32_t row;     /* axis; TN_NEST_AXES: none */
    int64_t lo, hi;   /* columns that no guard touches */
    int lanes;        /* at most; 1: no vectors */
    bool dots, strip; /* strip: neighbours are combined, of floats in vectors */
    const tn_nest_guard
        *border; /* of a row of x, whose elements a tile copies where it crosses it; NULL: none */
} tiles;

static const char *const sums[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};

/* ---- what fits ---- */

static bool reads(const tn_calc *x, uint32_t axis) {
    if (x == NULL) {
        return false;
    }
    bool any = x->kind != TN_CALC_OP && x->at.by[axis] != 0;
    for (uint32_t i = 0; i < 3; i++) {
        any = any || reads(x->arg[i], axis);
    }
    return any;
}

static bool is_guarded(const tn_nest_stage *s, uint32_t axis) {
    for (uint32_t g = 0; g < s->n_guards; g++) {
        if (s->guards[g].at.by[axis] != 0) {
            return true;
        }
    }
    return false;
}

/* The last axis whose neighbours share x. */
static uint32_t row_axis(const tiles *t) {
    for (uint32_t a = t->column; a-- > 0;) {
        if (t->x->at.by[a] == 0 && t->w->at.by[a] != 0 && !is_guarded(t->s, a)) {
            return a;
        }
    }
    return TN_NEST_AXES;
}

/* Narrows [lo, hi) to columns for which the guard holds whatever the taps are. False where it asks
 * for more than columns and taps. */
static bool narrow(tiles *t, const tn_nest_guard *g) {
    int64_t least, most, by = g->at.by[t->column];
    for (uint32_t a = 0; a < t->n->n_outer; a++) {
        if (by != 0 && a != t->column && g->at.by[a] != 0) {
            return false;
        }
    }
    if (by == 0) {
        return true;
    }
    tn_affine_range(t->n, &g->at, t->s->first, t->s->first + t->s->n, &least, &most);
    int64_t lo = least < 0 ? (-least + by - 1) / by : 0;
    int64_t hi = most <= g->end - 1 ? (g->end - 1 - most) / by + 1 : 0;
    t->lo = lo > t->lo ? lo : t->lo;
    t->hi = hi < t->hi ? hi : t->hi;
    return by > 0;
}

/* The one guard that columns touch, where it asks for the place in a row of x, and the taps of a
 * row come last. */
static const tn_nest_guard *border_of(const tiles *t) {
    const tn_nest_guard *border = NULL;
    uint32_t last = t->s->first + t->s->n - 1;
    for (uint32_t g = 0; g < t->s->n_guards; g++) {
        const tn_affine *at = &t->s->guards[g].at;
        if (at->by[t->column] == 0) {
            continue;
        }
        for (uint32_t a = 0; a < t->n->n_axes; a++) {
            bool mine = a == t->column || a == last;
            if (border != NULL ||
                (mine ? at->by[a] != t->x->at.by[a] || at->by[a] < 0 : at->by[a] != 0)) {
                return NULL;
            }
        }
        border = &t->s->guards[g];
    }
    return border;
}

/* Elements that vectors are made of. */
static bool is_vector(const tiles *t, const tn_calc *x) {
    return x->kind == TN_CALC_LOAD && x->arg[0] == NULL &&
           t->p->c->operands[x->which].dtype == TN_DT_FLOAT;
}

static int lanes_of(int64_t span) {
    return span >= 16 ? 16 : span >= 8 ? 8 : span >= 4 ? 4 : 1;
}

static bool find_columns(tiles *t) {
    int64_t by = t->x->at.by[t->column], width = t->n->extent[t->column];
    t->hi = width;
    t->row = row_axis(t);
    /* Where rows are wide, or a copy serves one of them alone, single columns at the borders take
     * less. */
    bool few = t->strip
                   ? width >= 4 && is_vector(t, t->x) && t->n->extent[t->s->first + t->s->n - 1] > 2
                   : width >= 4 && width <= MOST_COPIED && t->row != TN_NEST_AXES;
    t->border = by >= 1 && by <= MOST_STRIDE && few ? border_of(t) : NULL;
    if (t->border != NULL) {
        t->lanes = lanes_of(width);
        return true;
    }
    for (uint32_t g = 0; g < t->s->n_guards; g++) {
        if (!narrow(t, &t->s->guards[g])) {
            return false;
        }
    }
    if (t->lo >= t->hi) {
        t->lo = t->hi = width;
    }
    t->lanes = lanes_of(t->hi - t->lo);
    return by >= 1 && by <= MOST_STRIDE;
}

static bool find_dots(tiles *t) {
    uint32_t last = t->s->first + t->s->n - 1;
    bool side = t->x->at.by[last] == 1 && t->w->at.by[last] == 1 && t->s->n_guards == 0;
    t->lanes = t->n->extent[last] >= 16 ? 16 : t->n->extent[last] >= 8 ? 8 : 4;
    t->dots = side && t->n->extent[last] >= 8;
    t->row = t->column;
    return t->dots;
}

static bool find(tiles *t) {
    const tn_nest *n = t->n;
    if (n->n_stages != 1 || n->n_outer == 0 || n->stage[0].depth != n->n_outer ||
        n->stage[0].n == 0) {
        return false;
    }
    t->s = &n->stage[0];
    const tn_calc *body = t->s->body;
    if (t->s->combine != TN_COMBINE_SUM || body->kind != TN_CALC_OP || body->op != TN_CALC_MUL ||
        !is_vector(t, body->arg[0]) || !is_vector(t, body->arg[1])) {
        return false;
    }
    t->column = n->n_outer - 1;
    bool first = body->arg[0]->at.by[t->column] != 0, second = body->arg[1]->at.by[t->column] != 0;
    if (first == second || (t->s->start != NULL && reads(t->s->start, t->column))) {
        return false;
    }
    t->x = body->arg[first ? 0 : 1];
    t->w = body->arg[first ? 1 : 0];
    return find_dots(t) || find_columns(t);
}

/* Pools: neighbours by neighbours, in loops that compilers make vectors of. */
static bool find_strip(tiles *t) {
    const tn_nest *n = t->n;
    t->s = &n->stage[0];
    if (n->n_stages != 1 || n->n_outer == 0 || t->s->depth != n->n_outer || t->s->n == 0 ||
        t->s->body->kind != TN_CALC_LOAD || t->s->start != NULL) {
        return false;
    }
    t->column = n->n_outer - 1;
    t->x = t->w = t->s->body;
    t->strip = true;
    t->strip = find_columns(t) && t->lanes > 1;
    t->row = TN_NEST_AXES;
    return t->strip;
}

/* ---- writing ---- */

static void put_load(const tiles *t, const tn_calc *load) {
    tn_putf(t->p->out, "x%" PRIu32 " + ", load->which);
    tn_print_affine(t->p, &load->at);
}

static void indent(const tiles *t) {
    tn_put_indent(t->p->out, 4 * (size_t)t->p->depth);
}

/* Whether the sums are stored as they are, side by side. */
static bool is_plain(const tiles *t) {
    return t->n->value->kind == TN_CALC_LOCAL && t->n->store.by[t->column] == 1 &&
           t->p->c->results[t->n->result].dtype == TN_DT_FLOAT;
}

/* Stores the sums of a tile, `lanes` of each, or a float where that is 0. */
static void put_stores(const tiles *t, uint32_t rows, int lanes) {
    tn_printer *p = t->p;
    bool plain = is_plain(t);
    for (uint32_t r = 0; r < rows; r++) {
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = r;
        }
        if (lanes > 0 && !plain) {
            tn_print_line(p, "*(%s_v%d *)t = %s;", p->t->symbol, lanes, sums[r]);
            tn_print_line(p, "for (int32_t l = 0; l < %s_L%d; l++) {", p->t->macro, lanes);
            p->depth++;
        }
        const char *name = p->axis[t->column];
        if (lanes > 0 && plain) {
            indent(t);
            tn_putf(p->out, "*(%s_v%d *)(y%" PRIu32 " + ", p->t->symbol, lanes, t->n->result);
            tn_print_affine(p, &t->n->store);
            tn_putf(p->out, ") = %s;\n", sums[r]);
        } else {
            p->axis[t->column] =
                lanes > 0 ? tn_arena_printf(p->out->arena, "(%s + l)", name) : name;
            p->local[0] = lanes > 0 ? "t[l]" : sums[r];
            tn_print_store(p);
        }
        p->axis[t->column] = name;
        if (lanes > 0 && !plain) {
            tn_print_close(p);
        }
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = 0;
        }
    }
}

/* "const net_v16 zero = {0}; net_v16 s0 = zero + x2[a1], ..." */
static void put_starts(const tiles *t, uint32_t rows, int lanes) {
    tn_printer *p = t->p;
    const char *type =
        lanes > 0 ? tn_arena_printf(p->out->arena, "%s_v%d", p->t->symbol, lanes) : "float";
    for (uint32_t r = 0; r < rows; r++) {
        indent(t);
        tn_putf(p->out, "%s %s = ", type, sums[r]);
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = r;
        }
        if (t->s->start != NULL && !t->dots) {
            tn_put(p->out, lanes > 0 ? "zero + " : "");
            tn_print_calc(p, t->s->start);
        } else {
            bool zero = t->s->combine == TN_COMBINE_SUM;
            tn_put(p->out, lanes > 0 ? "zero" : "");
            tn_put(p->out, lanes > 0 && !zero ? " + " : "");
            tn_put(p->out, lanes > 0 && zero ? "" : zero ? "0.0f" : tn_print_nothing(t->s));
        }
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = 0;
        }
        tn_put(p->out, ";\n");
    }
}

/* Where the neighbours of a tile begin: in x, or behind the first tap of the row at hand. */
static void put_first(const tiles *t) {
    uint32_t last = t->s->first + t->s->n - 1;
    int64_t by = t->x->at.by[last];
    if (t->border == NULL) {
        put_load(t, t->x);
    } else if (by == 0) {
        tn_put(t->p->out, "row");
    } else {
        tn_putf(t->p->out, "row + %s * %" PRId64, t->p->axis[last], by);
    }
}

/* `v`: neighbours of x, by the stride. */
static void put_vector(const tiles *t) {
    tn_printer *p = t->p;
    int64_t by = t->x->at.by[t->column];
    if (by == 1) {
        indent(t);
        tn_putf(p->out, "const %s_v%d v = *(const %s_v%d *)(", p->t->symbol, t->lanes, p->t->symbol,
                t->lanes);
        put_first(t);
        tn_put(p->out, ");\n");
        return;
    }
    tn_print_line(p, "%s_f32 e[%s_L%d];", p->t->symbol, p->t->macro, t->lanes);
    indent(t);
    tn_putf(p->out, "const %s_f32 *const at = ", p->t->symbol);
    put_first(t);
    tn_put(p->out, ";\n");
    tn_print_line(p, "for (int32_t l = 0; l < %s_L%d; l++) {", p->t->macro, t->lanes);
    tn_print_line(p, "    e[l] = at[l * %" PRId64 "];", by);
    tn_print_line(p, "}");
    tn_print_line(p, "const %s_v%d v = *(const %s_v%d *)e;", p->t->symbol, t->lanes, p->t->symbol,
                  t->lanes);
}

/* One more element, or vector, of a strip. */
static void put_combined(const tiles *t, const char *v, int lanes) {
    tn_combine how = t->s->combine;
    bool sum = how == TN_COMBINE_SUM, max = how == TN_COMBINE_MAX;
    const char *function =
        lanes > 0
            ? tn_arena_printf(t->p->out->arena, "%s_%sV", t->p->t->macro, max ? "MAX" : "MIN")
            : tn_arena_printf(t->p->out->arena, "%s_%sf", t->p->t->symbol, max ? "max" : "min");
    if (sum || how == TN_COMBINE_PRODUCT) {
        tn_print_line(t->p, "s0 %s= %s;", sum ? "+" : "*", v);
    } else {
        tn_print_line(t->p, "s0 = %s(%s, s0);", function, v);
    }
}

static void put_products(const tiles *t, uint32_t rows, const char *v, int lanes) {
    tn_printer *p = t->p;
    if (t->strip) {
        put_combined(t, v, lanes);
        return;
    }
    for (uint32_t r = 0; r < rows; r++) {
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = r;
        }
        indent(t);
        tn_putf(p->out, "%s += %s * ", sums[r], v);
        tn_print_calc(p, t->w);
        tn_put(p->out, ";\n");
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = 0;
        }
    }
}

static void close_all(const tiles *t, unsigned opened) {
    for (; opened > 0; opened--) {
        tn_print_close(t->p);
    }
}

/* `wide`: elements of a row that a tile reads. `first` and `end`: those of them that are inside of
 * the image; `around` has zeros for the others. */
static void put_around(const tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = t->s->first + t->s->n - 1;
    int64_t taps = t->x->at.by[last] * (t->n->extent[last] - 1) + 1;
    const char *name = p->axis[last];
    tn_print_line(p, "enum { wide = (%s_L%d - 1) * %" PRId64 " + %" PRId64 " };", p->t->macro,
                  t->lanes, t->x->at.by[t->column], taps);
    indent(t);
    tn_put(p->out, "const int32_t from = ");
    p->axis[last] = "0";
    tn_print_affine(p, &t->border->at);
    p->axis[last] = name;
    tn_print_line(p, ";");
    tn_print_line(p,
                  "const int32_t first = from < 0 ? -from : 0, end = from + wide > %" PRId64
                  " ? %" PRId64 " - from : wide;",
                  t->border->end, t->border->end);
    tn_print_line(p, "%s_f32 around[wide];", p->t->symbol);
    tn_print_line(p, "for (int32_t i = 0; i < wide && (first > 0 || end < wide); i++) {");
    tn_print_line(p, "    around[i] = %s;", tn_print_nothing(t->s));
    tn_print_line(p, "}");
}

/* `row`: in x where all of it is inside, else the copy. */
static void put_row(const tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = t->s->first + t->s->n - 1;
    const char *name = p->axis[last];
    p->axis[last] = "0";
    tn_print_line(p, "const %s_f32 *row = around;", p->t->symbol);
    tn_print_line(p, "if (first == 0 && end == wide) {");
    tn_put_indent(p->out, 4 * (size_t)p->depth + 4);
    tn_put(p->out, "row = ");
    put_load(t, t->x);
    tn_put(p->out, ";\n");
    tn_print_line(p, "} else {");
    tn_put_indent(p->out, 4 * (size_t)p->depth + 4);
    tn_putf(p->out, "const %s_f32 *const inside = x%" PRIu32 " + (", p->t->symbol, t->x->which);
    tn_print_affine(p, &t->x->at);
    tn_put(p->out, " + first);\n");
    tn_print_line(p, "    for (int32_t i = first; i < end; i++) {");
    tn_print_line(p, "        around[i] = inside[i - first];");
    tn_print_line(p, "    }");
    tn_print_line(p, "}");
    p->axis[last] = name;
}

static void put_vector_columns(const tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    const char *a = p->axis[t->column];
    const char *step = tn_arena_printf(p->out->arena, "%s_L%d", p->t->macro, t->lanes);
    tn_print_open(p, t->column, t->lo, t->hi, step);
    tn_print_line(p, "const %s_v%d zero = {0};", p->t->symbol, t->lanes);
    if (!is_plain(t)) {
        tn_print_line(p, "%s_f32 t[%s];", p->t->symbol, step);
    }
    tn_print_line(
        p, "%s = %s + %s > %" PRId64 " ? %" PRId64 " - %s : %s; /* the last ones once more */", a,
        a, step, t->hi, t->hi, step, a);
    put_starts(t, rows, t->lanes);
    unsigned opened;
    if (t->border != NULL) {
        put_around(t);
        opened = tn_print_open_stage(p, t->s, t->s->n - 1, t->column);
        put_row(t);
        uint32_t last = t->s->first + t->s->n - 1;
        tn_print_open(p, last, 0, t->n->extent[last], "1");
        opened++;
    } else {
        opened = tn_print_open_stage(p, t->s, t->s->n, t->column);
    }
    put_vector(t);
    put_products(t, rows, "v", t->lanes);
    close_all(t, opened);
    put_stores(t, rows, t->lanes);
    tn_print_close(p);
}

static void put_single_columns(const tiles *t, uint32_t rows, int64_t from, int64_t end) {
    tn_printer *p = t->p;
    if (from >= end) {
        return;
    }
    tn_print_open(p, t->column, from, end, "1");
    put_starts(t, rows, 0);
    unsigned opened = tn_print_open_stage(p, t->s, t->s->n, TN_NEST_AXES);
    indent(t);
    tn_put(p->out, "const float v = ");
    tn_print_calc(p, t->x);
    tn_put(p->out, ";\n");
    put_products(t, rows, "v", 0);
    close_all(t, opened);
    put_stores(t, rows, 0);
    tn_print_close(p);
}

static void put_strip(const tiles *t, int64_t from, int64_t end, int lanes, bool guarded) {
    tn_printer *p = t->p;
    const char *a = p->axis[t->column];
    if (from >= end) {
        return;
    }
    tn_print_open(p, t->column, from, end, tn_arena_printf(p->out->arena, "%d", lanes));
    if (lanes > 1) {
        tn_print_line(
            p, "%s = %s + %d > %" PRId64 " ? %" PRId64 " : %s; /* the last ones once more */", a, a,
            lanes, end, end - lanes, a);
    }
    tn_print_line(p, "%s t[%d];", tn_print_type(t->s->type), lanes);
    tn_print_line(p, "for (int32_t l = 0; l < %d; l++) {", lanes);
    tn_print_line(p, "    t[l] = %s;", tn_print_nothing(t->s));
    tn_print_line(p, "}");
    unsigned opened = tn_print_open_stage(p, t->s, t->s->n, guarded ? TN_NEST_AXES : t->column);
    tn_print_line(p, "for (int32_t l = 0; l < %d; l++) {", lanes);
    p->depth++;
    p->axis[t->column] = tn_arena_printf(p->out->arena, "(%s + l)", a);
    tn_print_combined(p, t->s, "t[l]");
    tn_print_close(p);
    p->axis[t->column] = a;
    close_all(t, opened);
    tn_print_line(p, "for (int32_t l = 0; l < %d; l++) {", lanes);
    p->depth++;
    p->axis[t->column] = tn_arena_printf(p->out->arena, "(%s + l)", a);
    p->local[0] = "t[l]";
    tn_print_store(p);
    p->axis[t->column] = a;
    tn_print_close(p);
    tn_print_close(p);
}

static void put_columns(const tiles *t, uint32_t rows) {
    int64_t width = t->n->extent[t->column];
    if (t->strip && !is_vector(t, t->x)) {
        put_strip(t, 0, t->lo, 1, true);
        put_strip(t, t->lo, t->hi, t->lanes, false);
        put_strip(t, t->hi, width, 1, true);
        return;
    }
    if (t->lanes == 1) {
        put_single_columns(t, rows, 0, width);
        return;
    }
    put_single_columns(t, rows, 0, t->lo);
    put_vector_columns(t, rows);
    put_single_columns(t, rows, t->hi, width);
}

/* Sums along the last axis of the stage, in lanes and what is left one by one. */
static void put_dots(const tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    uint32_t last = t->s->first + t->s->n - 1;
    const char *k = p->axis[last],
               *v = tn_arena_printf(p->out->arena, "%s_v%d", p->t->symbol, t->lanes);
    const char *lanes = tn_arena_printf(p->out->arena, "%s_L%d", p->t->macro, t->lanes);
    tn_print_line(p, "const %s zero = {0};", v);
    tn_print_line(p, "%s_f32 t[%s];", p->t->symbol, lanes);
    for (uint32_t r = 0; r < rows; r++) {
        tn_print_line(p, "%s v%" PRIu32 " = zero;", v, r);
    }
    put_starts(t, rows, 0);
    unsigned opened = t->s->n > 1 ? tn_print_open_stage(p, t->s, t->s->n - 1, TN_NEST_AXES) : 0;
    tn_print_line(p, "int32_t %s = 0;", k);
    tn_print_line(p, "for (; %s + %s <= %" PRId64 "; %s += %s) {", k, lanes, t->n->extent[last], k,
                  lanes);
    p->depth++;
    indent(t);
    tn_putf(p->out, "const %s w = *(const %s *)(", v, v);
    put_load(t, t->w);
    tn_put(p->out, ");\n");
    for (uint32_t r = 0; r < rows; r++) {
        p->ahead[t->row] = r;
        indent(t);
        tn_putf(p->out, "v%" PRIu32 " += w * *(const %s *)(", r, v);
        put_load(t, t->x);
        tn_put(p->out, ");\n");
        p->ahead[t->row] = 0;
    }
    tn_print_close(p);
    tn_print_line(p, "for (; %s < %" PRId64 "; %s++) {", k, t->n->extent[last], k);
    p->depth++;
    for (uint32_t r = 0; r < rows; r++) {
        p->ahead[t->row] = r;
        indent(t);
        tn_putf(p->out, "%s += ", sums[r]);
        tn_print_calc(p, t->s->body);
        tn_put(p->out, ";\n");
        p->ahead[t->row] = 0;
    }
    tn_print_close(p);
    close_all(t, opened);
    for (uint32_t r = 0; r < rows; r++) {
        tn_print_line(p, "*(%s *)t = v%" PRIu32 ";", v, r);
        tn_print_line(p, "for (int32_t l = 0; l < %s; l++) {", lanes);
        tn_print_line(p, "    %s += t[l];", sums[r]);
        tn_print_line(p, "}");
        if (t->s->start != NULL) {
            p->ahead[t->row] = r;
            indent(t);
            tn_putf(p->out, "%s += ", sums[r]);
            tn_print_calc(p, t->s->start);
            tn_put(p->out, ";\n");
            p->ahead[t->row] = 0;
        }
    }
    put_stores(t, rows, 0);
}

static void put_axes(const tiles *t, uint32_t axis, uint32_t rows);

/* What stands inside of the loop over the axis, `rows` at a time. */
static void put_inside(const tiles *t, uint32_t axis, uint32_t rows) {
    if (axis == t->column) {
        put_dots(t, rows);
    } else {
        put_axes(t, axis + 1, rows);
    }
}

/* Rows go in tiles; the last one may have fewer. */
static void put_rows(const tiles *t, uint32_t axis) {
    tn_printer *p = t->p;
    uint32_t most = t->dots ? DOTS : ROWS;
    int64_t extent = t->n->extent[axis], whole = extent / most * most;
    if (whole > 0) {
        tn_print_open(p, axis, 0, whole, tn_arena_printf(p->out->arena, "%" PRIu32, most));
        put_inside(t, axis, most);
        tn_print_close(p);
    }
    if (extent > whole) {
        tn_print_open(p, axis, whole, extent,
                      tn_arena_printf(p->out->arena, "%" PRId64, extent - whole));
        put_inside(t, axis, (uint32_t)(extent - whole));
        tn_print_close(p);
    }
}

static void put_axes(const tiles *t, uint32_t axis, uint32_t rows) {
    tn_printer *p = t->p;
    if (axis == t->row) {
        put_rows(t, axis);
    } else if (axis == t->column) {
        put_columns(t, rows);
    } else {
        tn_print_open(p, axis, 0, t->n->extent[axis], "1");
        put_axes(t, axis + 1, rows);
        tn_print_close(p);
    }
}

bool tn_print_tiles(tn_printer *p) {
    tiles t = {.p = p, .n = p->n};
    if (!find(&t) && !find_strip(&t)) {
        return false;
    }
    put_axes(&t, 0, 1);
    return true;
}
