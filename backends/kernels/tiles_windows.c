/* Which nests are windows over one image (tiles_planes.c), and how much of it is copied at a time.
 */
#include "backends/kernels/tiles.h"

enum {
    MOST_TERMS = 258, /* 258 * 255 * 255 < 2^24 */
    MOST_COPIED = 8192,
    MOST_MADE = 8192,
    NARROW = 16
};

int64_t tn_tiles_extent(const tn_tiles *t, uint32_t axis) {
    return axis < TN_NEST_AXES ? t->n->extent[axis] : 1;
}

const tn_affine *tn_tiles_place(const tn_tiles *t) {
    return t->whole ? &t->x_load->at : &t->x->at;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Whether it reads nothing but by the two axes, and no table. */
static bool reads_only(const tn_tiles *t, const tn_affine *at, uint32_t a, uint32_t b) {
    bool only = true;
    for (uint32_t i = 0; i < t->n->n_axes; i++) {
        only = only && at->table[i] == NULL && (i == a || i == b || at->by[i] == 0);
    }
    return only;
}

static int64_t by(const tn_affine *at, uint32_t axis) {
    return axis < TN_NEST_AXES ? at->by[axis] : 0;
}

static int64_t common(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Which axis of the stage goes along rows of the image, which along columns. */
static bool find_taps(const tn_tiles *t, tn_tiles_planes *g) {
    const tn_affine *x = tn_tiles_place(t);
    uint32_t last = t->s->first + t->s->n - 1;
    bool down = t->s->n == 1 && x->by[last] > NARROW;
    for (uint32_t i = 0; t->s->n == 1 && i < t->s->n_guards; i++) {
        const tn_affine *at = &t->s->guards[i].at;
        down = at->by[last] != 0 ? at->by[t->column] == 0 : down;
    }
    g->tap = down ? TN_NEST_AXES : last;
    g->row_tap = down ? last : t->s->n == 2 ? t->s->first : TN_NEST_AXES;
    return t->s->n <= 2;
}

/* A guard of rows and one of columns at most. */
static bool find_guards(const tn_tiles *t, tn_tiles_planes *g) {
    for (uint32_t i = 0; i < t->s->n_guards; i++) {
        const tn_nest_guard *guard = &t->s->guards[i];
        bool columns = reads_only(t, &guard->at, t->column, g->tap);
        if (!columns && !reads_only(t, &guard->at, g->line, g->row_tap)) {
            return false;
        }
        const tn_nest_guard **of = columns ? &g->columns : &g->lines;
        if (*of != NULL) {
            return false;
        }
        *of = guard;
    }
    return true;
}

/* Steps of lines and columns, in lines and columns of the image. */
static bool find_steps(const tn_tiles *t, tn_tiles_planes *g) {
    const tn_affine *x = tn_tiles_place(t);
    int64_t down = by(x, g->line), tap = by(x, g->row_tap);
    g->stride = x->by[t->column];
    g->dilation = by(x, g->tap);
    g->pitch = down < 0 || tap < 0 ? 0 : down == 0 ? tap : common(down, tap);
    if (g->lines != NULL) {
        int64_t one = by(&g->lines->at, g->row_tap), of = by(&g->lines->at, g->line);
        g->pitch = one > 0 ? tap / one : of > 0 ? down / of : 0;
        if (one * g->pitch != tap || of * g->pitch != down) {
            return false;
        }
    }
    if (g->columns != NULL && (by(&g->columns->at, t->column) != g->stride ||
                               by(&g->columns->at, g->tap) != g->dilation)) {
        return false;
    }
    if (g->line == TN_NEST_AXES && g->row_tap == TN_NEST_AXES) {
        g->pitch = 1;
    }
    if (g->pitch <= 0 || g->stride < 1 || g->stride > TN_TILES_STRIDE || g->dilation < 0) {
        return false;
    }
    g->line_stride = down == 0 ? 1 : down / g->pitch;
    g->line_dilation = tap / g->pitch;
    return g->line_stride <= TN_TILES_STRIDE;
}

/* How many lines of the result are made at a time. */
static bool find_block(tn_tiles *t, tn_tiles_planes *g) {
    int64_t lines = tn_tiles_extent(t, g->line), width = t->n->extent[t->column];
    int64_t shifts = g->line_dilation * (tn_tiles_extent(t, g->row_tap) - 1) / g->line_stride;
    int64_t planes = least(g->line_stride, tn_tiles_extent(t, g->row_tap)) *
                     least(g->stride, tn_tiles_extent(t, g->tap));
    g->wide = width + g->dilation * (tn_tiles_extent(t, g->tap) - 1) / g->stride;
    if (g->wide > 2 * width + NARROW) {
        return false; /* neighbours share nothing */
    }
    int64_t most = MOST_COPIED / (planes * g->wide) - shifts - 1;
    most = least(most, MOST_MADE / g->wide / least(tn_tiles_extent(t, t->row), TN_TILES_SHARING));
    if (most < 1) {
        return false;
    }
    int64_t blocks = (lines + most - 1) / most;
    g->block = (lines + blocks - 1) / blocks;
    g->high = g->block + shifts;
    int64_t last = lines - (lines - 1) / g->block * g->block;
    t->lanes = last * width >= 16 ? 16 : last * width >= 8 ? 8 : last * width >= 4 ? 4 : 1;
    /* What a copy brings with it is little. */
    return t->lanes > 1 && (g->block == lines || g->block >= 2 * shifts);
}

/* Whether neighbouring lines are neighbouring columns, for all of what is stored. */
static bool is_one(const tn_tiles *t, const tn_tiles_planes *g, const tn_affine *at) {
    return at->table[t->column] == NULL &&
           (g->line == TN_NEST_AXES ||
            (at->table[g->line] == NULL &&
             at->by[g->line] == at->by[t->column] * t->n->extent[t->column]));
}

static bool are_one(const tn_tiles *t, const tn_tiles_planes *g, const tn_calc *x) {
    bool all = x->kind == TN_CALC_NUMBER || x->kind == TN_CALC_OP || x->kind == TN_CALC_LOCAL ||
               is_one(t, g, &x->at);
    for (uint32_t i = 0; i < 3 && x->arg[i] != NULL && all; i++) {
        all = are_one(t, g, x->arg[i]);
    }
    return all;
}

static bool moves(const tn_tiles_planes *g, const tn_calc *x) {
    return x != NULL && g->line < TN_NEST_AXES && tn_calc_moves(x, g->line);
}

/* Where other forms are slow. */
static bool pays(const tn_tiles *t, const tn_tiles_planes *g) {
    bool alone = t->row == TN_NEST_AXES, lines = g->line < TN_NEST_AXES;
    bool narrow = lines && t->n->extent[t->column] < NARROW;
    if (!lines && g->tap == TN_NEST_AXES) {
        return false;
    }
    return t->whole ? alone || narrow : narrow || (alone && tn_tiles_place(t)->by[t->column] > 1);
}

/* A row of which x is the same, if any; others go outside. */
static uint32_t shared_row(const tn_tiles *t) {
    for (uint32_t a = t->column; a-- > 0;) {
        if (!tn_calc_moves(t->x, a) && tn_calc_moves(t->w, a)) {
            return a;
        }
    }
    return TN_NEST_AXES;
}

bool tn_tiles_find_planes(tn_tiles *t, tn_tiles_planes *g) {
    const tn_nest *n = t->n;
    *g = (tn_tiles_planes){.line = TN_NEST_AXES};
    t->row = shared_row(t);
    if (t->column > 0 && t->column - 1 != t->row && tn_tiles_place(t)->by[t->column - 1] != 0 &&
        !tn_calc_moves(t->w, t->column - 1)) {
        g->line = t->column - 1;
    }
    t->terms = 1;
    for (uint32_t a = t->s->first; a < t->s->first + t->s->n; a++) {
        t->terms *= n->extent[a];
    }
    for (uint32_t a = 0; a < n->n_axes; a++) {
        const tn_affine *w = t->whole ? &t->w_load->at : &t->w->at;
        if (tn_tiles_place(t)->table[a] != NULL || w->table[a] != NULL) {
            return false;
        }
    }
    t->vectors = 1;
    t->lo = 0;
    t->hi = n->extent[t->column];
    bool still = !moves(g, t->s->start) && !moves(g, t->w) &&
                 (!t->whole || t->x_zero == NULL || !moves(g, t->x_zero)) &&
                 (t->x_zero == NULL || !tn_calc_moves(t->x_zero, t->column));
    return still && t->terms <= MOST_TERMS && t->terms > 1 && n->value_too == NULL &&
           find_taps(t, g) && pays(t, g) && find_guards(t, g) && find_steps(t, g) &&
           find_block(t, g) && is_one(t, g, &n->store) && are_one(t, g, n->value);
}
