/* Sums of products by tiles. An element of the result is a sum over x * w, where
 *
 *   columns  neighbours of the result are made of neighbours of x, or of every second one, and of
 * the same w; rows, which share x, are made several at a time: convolutions, products of matrices.
 * Elements that a tile reads across the border of a row are masked
 *   dots     x and w both lie side by side along the axis that is summed over: products with a
 * matrix that lies turned. Several sums at a time, each in lanes, which are added in the end
 *
 * The form and what it reaches: P. Goto and R. van de Geijn, "Anatomy of high-performance matrix
 * multiplication" (2008), with a tile of rows times one vector, as results here are seldom wide. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

enum { ROWS = 8, FEW_ROWS = 4, DOTS = 4, MOST_STRIDE = 4, MOST_TAPS = 16 };
enum { MOST_TERMS = 33025, MOST_GATHERED = 4608 }; /* whole numbers: 33025 * 255 * 255 < 2^31 */

/* ---- what fits ---- */

static bool is_guarded(const tn_nest_stage *s, uint32_t axis) {
    for (uint32_t g = 0; g < s->n_guards; g++) {
        if (s->guards[g].at.by[axis] != 0) {
            return true;
        }
    }
    return false;
}

/* The last axis whose neighbours share x. */
static uint32_t row_axis(const tn_tiles *t) {
    for (uint32_t a = t->column; a-- > 0;) {
        if (!tn_calc_moves(t->x, a) && tn_calc_moves(t->w, a) && !is_guarded(t->s, a)) {
            return a;
        }
    }
    return TN_NEST_AXES;
}

/* Narrows [lo, hi) to columns for which the guard holds whatever the taps are. False where it asks
 * for more than columns and taps. */
static bool narrow(tn_tiles *t, const tn_nest_guard *g) {
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
static const tn_nest_guard *border_of(const tn_tiles *t) {
    const tn_affine *x = t->whole ? &t->x_load->at : &t->x->at;
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
                (mine ? at->by[a] != x->by[a] || at->by[a] < 0 : at->by[a] != 0)) {
                return NULL;
            }
        }
        border = &t->s->guards[g];
    }
    return border;
}

bool tn_tiles_is_vector(const tn_tiles *t, const tn_calc *x) {
    return x->kind == TN_CALC_LOAD && x->arg[0] == NULL &&
           t->p->c->operands[x->which].dtype == TN_DT_FLOAT;
}

static int lanes_of(int64_t span) {
    return span >= 16 ? 16 : span >= 8 ? 8 : span >= 4 ? 4 : 1;
}

/* Whether a guard tells taps of one row from each other, but for the place in the row. */
static bool bars_taps(const tn_tiles *t, uint32_t last) {
    for (uint32_t g = 0; g < t->s->n_guards; g++) {
        const tn_affine *at = &t->s->guards[g].at;
        if (at->by[last] != 0 && at->by[t->column] == 0) {
            return true;
        }
    }
    return false;
}

static bool find_columns(tn_tiles *t) {
    int64_t by = t->x->at.by[t->column], width = t->n->extent[t->column];
    t->hi = width;
    t->row = row_axis(t);
    /* Where masks serve one sum alone, single columns at the borders take less. */
    uint32_t last = t->s->first + t->s->n - 1;
    int64_t taps = t->n->extent[last];
    bool pays = t->strip ? tn_tiles_is_vector(t, t->x) && taps > 2 : t->row != TN_NEST_AXES;
    pays = pays && width >= 4 && taps <= MOST_TAPS && !bars_taps(t, last);
    t->border = by >= 1 && by <= MOST_STRIDE && pays ? border_of(t) : NULL;
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
    bool shared = t->row != TN_NEST_AXES && t->s->n_guards == 0 && !t->strip; /* by many rows */
    return by >= 1 && (by <= MOST_STRIDE || (shared && t->lanes > 1));
}

static bool find_dots(tn_tiles *t) {
    uint32_t last = t->s->first + t->s->n - 1;
    bool side = t->x->at.by[last] == 1 && t->w->at.by[last] == 1 && t->s->n_guards == 0;
    t->lanes = t->n->extent[last] >= 16 ? 16 : t->n->extent[last] >= 8 ? 8 : 4;
    t->dots = side && t->n->extent[last] >= 8;
    t->row = t->column;
    return t->dots;
}

/* Elements of 8 bits, each less what does not change along the axes of the stage. */
static bool is_bytes(const tn_tiles *t, const tn_calc *x, const tn_calc **load,
                     const tn_calc **zero) {
    bool less = x->kind == TN_CALC_OP && x->op == TN_CALC_SUB;
    *load = less ? x->arg[0] : x;
    *zero = less ? x->arg[1] : NULL;
    for (uint32_t a = t->s->first; less && a < t->s->first + t->s->n; a++) {
        if (tn_calc_moves(x->arg[1], a)) {
            return false;
        }
    }
    tn_dtype dtype = (*load)->kind == TN_CALC_LOAD && (*load)->arg[0] == NULL
                         ? t->p->c->operands[(*load)->which].dtype
                         : TN_DT_UNKNOWN;
    return dtype == TN_DT_INT8 || dtype == TN_DT_UINT8;
}

/* Whether w goes by one element after the other while the axes of the stage go by. */
static bool goes_on(const tn_tiles *t, const tn_calc *w) {
    int64_t step = 1;
    for (uint32_t a = t->s->first + t->s->n; a-- > t->s->first;) {
        if (w->at.by[a] != step) {
            return false;
        }
        step *= t->n->extent[a];
    }
    return true;
}

/* Whether nothing of it moves. */
static bool is_constant(const tn_calc *x) {
    bool any = false;
    for (uint32_t a = 0; x != NULL && a < TN_NEST_AXES; a++) {
        any = any || tn_calc_moves(x, a);
    }
    return !any;
}

/* Columns that no guard touches, where there are any. */
static void find_clear(tn_tiles *t) {
    tn_tiles clear = *t;
    clear.lo = 0;
    clear.hi = t->n->extent[t->column];
    for (uint32_t g = 0; g < t->s->n_guards; g++) {
        clear.hi = narrow(&clear, &t->s->guards[g]) ? clear.hi : 0;
    }
    t->from = clear.lo < clear.hi ? clear.lo : 0;
    t->to = clear.lo < clear.hi ? clear.hi : 0;
}

/* Whole numbers: dots, or tiles of rows, where some filters share what is gathered of x. */
static bool find_whole(tn_tiles *t) {
    const tn_affine *x = &t->x_load->at, *w = &t->w_load->at;
    uint32_t last = t->s->first + t->s->n - 1;
    int64_t by = x->by[t->column];
    bool guarded = t->s->n_guards > 0, forward = by >= 1 && by <= MOST_STRIDE;
    t->terms = 1;
    for (uint32_t a = t->s->first; a <= last; a++) {
        t->terms *= t->n->extent[a];
    }
    t->dots =
        by != 1 && x->by[last] == 1 && w->by[last] == 1 && !guarded && t->n->extent[last] >= 8;
    t->row = t->dots ? t->column : row_axis(t);
    bool alone = t->row == TN_NEST_AXES && !guarded && (t->s->n > 1 || by != 1);
    if (t->terms > MOST_TERMS || t->dots || alone) {
        return t->terms <= MOST_TERMS && t->dots;
    }
    find_clear(t);
    t->hi = t->n->extent[t->column];
    t->copied = guarded || t->s->n > 1 || by > 1;
    t->taps = t->copied && x->by[last] >= 1 && x->by[last] <= MOST_TAPS && !bars_taps(t, last);
    t->border = guarded && t->taps ? border_of(t) : NULL;
    bool gathers = forward && t->terms <= MOST_GATHERED && goes_on(t, t->w_load) &&
                   is_constant(t->x_zero) && (t->border != NULL || !is_guarded(t->s, t->column));
    t->lanes = gathers ? lanes_of(t->hi) : 1;
    return t->row != TN_NEST_AXES || t->lanes > 1;
}

static bool is_one_stage(tn_tiles *t) {
    const tn_nest *n = t->n;
    t->s = &n->stage[0];
    t->column = n->n_outer - 1;
    return n->n_stages == 1 && n->n_outer > 0 && t->s->depth == n->n_outer && t->s->n > 0;
}

/* Whether one of two factors goes with columns, x then, and the other one not. */
static bool find_sides(tn_tiles *t) {
    tn_calc *const *arg = t->s->body->arg;
    bool first = tn_calc_moves(arg[0], t->column);
    t->x = arg[first ? 0 : 1];
    t->w = arg[first ? 1 : 0];
    return tn_calc_moves(t->x, t->column) && !tn_calc_moves(t->w, t->column);
}

static bool find(tn_tiles *t) {
    if (!is_one_stage(t)) {
        return false;
    }
    const tn_calc *body = t->s->body;
    if (t->s->combine != TN_COMBINE_SUM || body->kind != TN_CALC_OP || body->op != TN_CALC_MUL ||
        !find_sides(t) || (t->s->start != NULL && tn_calc_moves(t->s->start, t->column))) {
        return false;
    }
    t->whole = t->s->type == TN_DT_INT32 && is_bytes(t, t->x, &t->x_load, &t->x_zero) &&
               is_bytes(t, t->w, &t->w_load, &t->w_zero);
    t->product = t->whole || (tn_tiles_is_vector(t, t->x) && tn_tiles_is_vector(t, t->w));
    if (t->whole) {
        return find_whole(t);
    }
    return t->product && (find_dots(t) || find_columns(t));
}

/* Pools: neighbours by neighbours, in loops that compilers make vectors of. */
static bool find_strip(tn_tiles *t) {
    if (!is_one_stage(t) || (t->s->start != NULL && tn_calc_moves(t->s->start, t->column))) {
        return false;
    }
    bool bytes = t->whole; /* that share nothing with other rows */
    t->whole = t->dots = false;
    if (!bytes && t->s->body->kind != TN_CALC_LOAD &&
        !is_bytes(t, t->s->body, &t->x_load, &t->x_zero)) {
        return false;
    }
    t->x = t->w = bytes || t->s->body->kind != TN_CALC_LOAD ? t->x_load : t->s->body;
    t->strip = true;
    t->lo = t->hi = 0;
    t->strip = find_columns(t) && t->lanes > 1;
    t->row = TN_NEST_AXES;
    return t->strip;
}

/* ---- loops ---- */

static void put_axes(const tn_tiles *t, uint32_t axis, uint32_t rows);

/* What stands inside of the loop over the axis, `rows` at a time. */
static void put_inside(const tn_tiles *t, uint32_t axis, uint32_t rows) {
    if (axis == t->column && t->whole) {
        tn_tiles_put_whole_dots(t, rows);
    } else if (axis == t->column) {
        tn_tiles_put_dots(t, rows);
    } else {
        put_axes(t, axis + 1, rows);
    }
}

/* Rows go in tiles; the last one may have fewer. */
static void put_rows(const tn_tiles *t, uint32_t axis) {
    tn_printer *p = t->p;
    uint32_t most = t->dots ? DOTS : t->whole ? FEW_ROWS : ROWS;
    int64_t extent = t->n->extent[axis], whole = extent / most * most;
    if (whole > 0) {
        tn_print_open(p, axis, 0, whole, tn_arena_printf(p->out->arena, "%" PRIu32, most));
        put_inside(t, axis, most);
        tn_tiles_put_behind(t, axis, most);
        tn_print_close(p);
    }
    if (extent > whole) {
        tn_print_open(p, axis, whole, extent,
                      tn_arena_printf(p->out->arena, "%" PRId64, extent - whole));
        put_inside(t, axis, (uint32_t)(extent - whole));
        tn_tiles_put_behind(t, axis, (uint32_t)(extent - whole));
        tn_print_close(p);
    }
}

static void put_axes(const tn_tiles *t, uint32_t axis, uint32_t rows) {
    tn_printer *p = t->p;
    if (axis == t->row) {
        put_rows(t, axis);
    } else if (axis == t->column) {
        tn_tiles_put_columns(t, rows);
    } else {
        tn_print_open(p, axis, 0, t->n->extent[axis], "1");
        put_axes(t, axis + 1, rows);
        tn_tiles_put_behind(t, axis, 1);
        tn_print_close(p);
    }
}

/* Columns that share x with no rows share w: some of them at a time. */
static void share_w(tn_tiles *t) {
    if (t->row == TN_NEST_AXES && t->s->n_guards == 0) {
        t->dots = true;
        t->row = t->column;
    }
}

/* By the form that was found: without vectors too. */
static void put_found(tn_tiles *t) {
    tn_printer *p = t->p;
    bool vectors = t->whole && t->lanes > 1 && !t->dots;
    /* Tiles move the index of columns, and those of whole numbers share a copy of what they read.
     */
    p->parallel = p->parallel && !t->whole && t->column > 0;
    if (vectors) {
        tn_putf(p->out, "#if %s_LANES > 1\n", p->t->macro);
        tn_tiles_put_whole(t);
        tn_put(p->out, "#else\n");
        t->lanes = 1;
        share_w(t);
    }
    put_axes(t, 0, 1);
    tn_put(p->out, vectors ? "#endif\n" : "");
}

/* The same, what cannot be done to vectors of sums being done in loops behind them. */
static void put_behind(tn_tiles *t) {
    tn_printer *p = t->p;
    const tn_nest *n = p->n;
    tn_nest sums, behind;
    if (tn_tiles_make_behind(t, &sums, &behind)) {
        p->n = &sums;
        tn_print_line(p, "const %s_f32 *const x%" PRIu32 " = y%" PRIu32 ";", p->t->symbol,
                      p->c->n_operands, n->result);
    }
    put_found(t);
    p->n = n;
}

bool tn_print_tiles(tn_printer *p) {
    tn_tiles t = {.p = p, .n = p->n, .vectors = 1};
    tn_tiles_planes g;
    bool found = find(&t);
    tn_tiles image = t, single = t; /* several threads would share a copy */
    bool planes = t.product && !p->parallel && tn_tiles_find_planes(&image, &g);
    found = found || find_strip(&t);
    if (!found && single.whole && single.from < single.to) {
        t = single;
        t.lanes = 1;
        share_w(&t);
        found = true;
    }
    if (planes) {
        tn_putf(p->out, "#if %s_LANES > 1\n", p->t->macro);
        tn_tiles_put_planes(&image, &g);
        tn_put(p->out, "#else\n");
        t.lanes = t.whole ? 1 : t.lanes;
    }
    if (found) {
        put_behind(&t);
    } else if (planes) {
        tn_print_plain(p);
    }
    tn_put(p->out, planes ? "#endif\n" : "");
    return found || planes;
}
