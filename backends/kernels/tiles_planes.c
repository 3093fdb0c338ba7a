/* Sums over a window of one image: of each filter alone, of images of one channel.
 *
 * Rows of the result are too short for vectors there, and each sum has few terms. So a part of the
 * image is copied with its border, as floats less the zero point, and vectors go through the copy
 * from one row to the next: neighbours of a place are where they are in the copy, by a number that
 * is the same for all. Places behind the end of a row are made as well and left out afterwards.
 * Strides: places of every second row and column make a copy each. Sums of few whole numbers of 8
 * bits are exact as floats. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

enum {
    MOST_TERMS = 258, /* 258 * 255 * 255 < 2^24 */
    MOST_COPIED = 8192,
    MOST_MADE = 8192,
    MOST_STRIDE = 4,
    MOST_PLANES = MOST_STRIDE * MOST_STRIDE,
    WRITTEN = 32, /* terms that are written one by one */
    ROWS = 4,     /* of the result, that share a copy */
    NARROW = 16
};

/* ---- what fits ---- */

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

static int64_t extent(const tn_tiles *t, uint32_t axis) {
    return axis < TN_NEST_AXES ? t->n->extent[axis] : 1;
}

static int64_t common(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static const tn_affine *place_of(const tn_tiles *t) {
    return t->whole ? &t->x_load->at : &t->x->at;
}

/* Which axis of the stage goes along rows of the image, which along columns. */
static bool find_taps(const tn_tiles *t, tn_tiles_planes *g) {
    const tn_affine *x = place_of(t);
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
    const tn_affine *x = place_of(t);
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
    if (g->pitch <= 0 || g->stride < 1 || g->stride > MOST_STRIDE || g->dilation < 0) {
        return false;
    }
    g->line_stride = down == 0 ? 1 : down / g->pitch;
    g->line_dilation = tap / g->pitch;
    return g->line_stride <= MOST_STRIDE;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* How many lines of the result are made at a time. */
static bool find_block(tn_tiles *t, tn_tiles_planes *g) {
    int64_t lines = extent(t, g->line), width = t->n->extent[t->column];
    int64_t shifts = g->line_dilation * (extent(t, g->row_tap) - 1) / g->line_stride;
    int64_t planes =
        least(g->line_stride, extent(t, g->row_tap)) * least(g->stride, extent(t, g->tap));
    g->wide = width + g->dilation * (extent(t, g->tap) - 1) / g->stride;
    if (g->wide > 2 * width + NARROW) {
        return false; /* neighbours share nothing */
    }
    int64_t most = MOST_COPIED / (planes * g->wide) - shifts - 1;
    most = least(most, MOST_MADE / g->wide);
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
    return x != NULL && g->line < TN_NEST_AXES && tn_tiles_reads(x, g->line);
}

/* Where other forms are slow. */
static bool pays(const tn_tiles *t, const tn_tiles_planes *g) {
    bool alone = t->row == TN_NEST_AXES, lines = g->line < TN_NEST_AXES;
    bool narrow = lines && t->n->extent[t->column] < NARROW;
    if (!lines && g->tap == TN_NEST_AXES) {
        return false;
    }
    return t->whole ? alone || narrow : narrow || (alone && place_of(t)->by[t->column] > 1);
}

/* A row of which x is the same, if any; others go outside. */
static uint32_t shared_row(const tn_tiles *t) {
    for (uint32_t a = t->column; a-- > 0;) {
        if (!tn_tiles_reads(t->x, a) && tn_tiles_reads(t->w, a)) {
            return a;
        }
    }
    return TN_NEST_AXES;
}

bool tn_tiles_find_planes(tn_tiles *t, tn_tiles_planes *g) {
    const tn_nest *n = t->n;
    *g = (tn_tiles_planes){.line = TN_NEST_AXES};
    t->row = shared_row(t);
    if (t->column > 0 && t->column - 1 != t->row && place_of(t)->by[t->column - 1] != 0 &&
        !tn_tiles_reads(t->w, t->column - 1)) {
        g->line = t->column - 1;
    }
    t->terms = 1;
    for (uint32_t a = t->s->first; a < t->s->first + t->s->n; a++) {
        t->terms *= n->extent[a];
    }
    for (uint32_t a = 0; a < n->n_axes; a++) {
        const tn_affine *w = t->whole ? &t->w_load->at : &t->w->at;
        if (place_of(t)->table[a] != NULL || w->table[a] != NULL) {
            return false;
        }
    }
    t->vectors = 1;
    t->lo = 0;
    t->hi = n->extent[t->column];
    bool still = !moves(g, t->s->start) && !moves(g, t->w) &&
                 (!t->whole || t->x_zero == NULL || !moves(g, t->x_zero)) &&
                 (t->x_zero == NULL || !tn_tiles_reads(t->x_zero, t->column));
    return still && t->terms <= MOST_TERMS && t->terms > 1 && n->value_too == NULL &&
           find_taps(t, g) && pays(t, g) && find_guards(t, g) && find_steps(t, g) &&
           find_block(t, g) && is_one(t, g, &n->store) && are_one(t, g, n->value);
}

/* ---- copies ---- */

/* The number of the plane that terms `k` of a tap's axis are in, by rest, or -1; how far the last
 * of these is behind the first. */
static int64_t used(int64_t taps, int64_t dilation, int64_t stride, int64_t rest, int64_t *shift) {
    int64_t n = 0;
    bool seen[MOST_STRIDE] = {false};
    *shift = -1;
    for (int64_t k = 0; k < taps; k++) {
        int64_t at = k * dilation;
        seen[at % stride] = true;
        *shift = at % stride == rest ? at / stride : *shift;
    }
    for (int64_t i = 0; i < rest; i++) {
        n += seen[i];
    }
    return seen[rest] ? n : -1;
}

static int64_t planes_of(int64_t taps, int64_t dilation, int64_t stride) {
    int64_t n = 0, shift;
    for (int64_t rest = 0; rest < stride; rest++) {
        n += used(taps, dilation, stride, rest, &shift) >= 0;
    }
    return n;
}

static int64_t size_of(const tn_tiles_planes *g) {
    return g->high * g->wide;
}

/* The plane of lines by `line`, of columns by `column`, one behind the other. */
static int64_t begin_of(const tn_tiles *t, const tn_tiles_planes *g, int64_t line, int64_t column) {
    int64_t across = planes_of(extent(t, g->tap), g->dilation, g->stride), shift;
    int64_t down = used(extent(t, g->row_tap), g->line_dilation, g->line_stride, line, &shift);
    int64_t right = used(extent(t, g->tap), g->dilation, g->stride, column, &shift);
    return (down * across + right) * size_of(g);
}

/* Where what a term reads is, for the first place. */
static int64_t term_at(const tn_tiles *t, const tn_tiles_planes *g, int64_t line, int64_t column) {
    int64_t down = line * g->line_dilation, right = column * g->dilation;
    return begin_of(t, g, down % g->line_stride, right % g->stride) +
           down / g->line_stride * g->wide + right / g->stride;
}

static int64_t up(int64_t a, int64_t b) {
    return a <= 0 ? 0 : (a + b - 1) / b;
}

/* The columns of a line of one plane. */
static void put_columns(const tn_tiles *t, const tn_tiles_planes *g, int64_t line, int64_t column) {
    tn_printer *p = t->p;
    int64_t shift, from = 0;
    if (used(extent(t, g->tap), g->dilation, g->stride, column, &shift) < 0) {
        return;
    }
    int64_t end = t->n->extent[t->column] + shift;
    if (g->columns != NULL) {
        int64_t base = g->columns->at.base + column;
        from = up(-base, g->stride);
        end = least(end, up(g->columns->end - base, g->stride));
    }
    tn_print_line(p, "for (int32_t j = %" PRId64 "; j < %" PRId64 "; j++) {", from, end);
    p->depth++;
    tn_tiles_indent(t);
    tn_putf(p->out, "to[%" PRId64 " + j] = ", begin_of(t, g, line, column));
    tn_putf(p->out, t->whole ? "(float)(x%" PRIu32 "[at + " : "x%" PRIu32 "[at + ",
            t->whole ? t->x_load->which : t->x->which);
    tn_putf(p->out, "j * %" PRId64 " + %" PRId64 "]", g->stride, column);
    tn_put(p->out, t->x_zero != NULL ? " - less" : "");
    tn_put(p->out, t->whole ? ");\n" : ";\n");
    tn_print_close(p);
}

/* What is behind the image in a block is 0; it was inside for another one. */
static void put_outside(const tn_tiles *t, const tn_tiles_planes *g, int64_t line) {
    tn_printer *p = t->p;
    int64_t shift;
    tn_tiles_indent(t);
    tn_put(p->out, "const int32_t from = ");
    tn_print_affine(p, &g->lines->at);
    tn_putf(p->out, " + i * %" PRId64 " + %" PRId64 ";\n", g->line_stride, line);
    tn_print_line(p, "if ((uint32_t)from >= %" PRId64 "u) {", g->lines->end);
    p->depth++;
    for (int64_t column = 0; column < g->stride; column++) {
        if (used(extent(t, g->tap), g->dilation, g->stride, column, &shift) >= 0) {
            tn_print_line(p, "memset(to + %" PRId64 ", 0, %" PRId64 " * sizeof *to);",
                          begin_of(t, g, line, column), g->wide);
        }
    }
    tn_print_line(p, "continue;");
    tn_print_close(p);
}

/* Copies what the lines from `top` to `end` read. */
static void put_planes(const tn_tiles *t, const tn_tiles_planes *g) {
    tn_printer *p = t->p;
    const char *names[TN_NEST_AXES];
    memcpy(names, p->axis, sizeof names);
    for (uint32_t a = t->column; a < t->n->n_axes; a++) {
        p->axis[a] = "0";
    }
    if (t->x_zero != NULL) {
        tn_tiles_indent(t);
        tn_put(p->out, "const int32_t less = ");
        tn_print_calc(p, t->x_zero);
        tn_put(p->out, ";\n");
    }
    for (int64_t line = 0; line < g->line_stride; line++) {
        int64_t shift;
        if (used(extent(t, g->row_tap), g->line_dilation, g->line_stride, line, &shift) < 0) {
            continue;
        }
        tn_print_line(p, "for (int32_t i = 0; i < end - top + %" PRId64 "; i++) {", shift);
        p->depth++;
        tn_print_line(p, "%s_f32 *const to = plane + i * %" PRId64 ";", p->t->symbol, g->wide);
        if (g->lines != NULL) {
            put_outside(t, g, line);
        }
        tn_tiles_indent(t);
        tn_put(p->out, "const int32_t at = ");
        tn_print_affine(p, place_of(t));
        tn_putf(p->out, " + (i * %" PRId64 " + %" PRId64 ") * %" PRId64 ";\n", g->line_stride, line,
                g->pitch);
        for (int64_t column = 0; column < g->stride; column++) {
            put_columns(t, g, line, column);
        }
        tn_print_close(p);
    }
    memcpy(p->axis, names, sizeof names);
}

/* ---- sums ---- */

/* Floats that a row of the result has for its sums. */
static int64_t sums_of(const tn_tiles_planes *g) {
    return g->block * g->wide + 16;
}

static void put_weights(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    const char *name = t->row < TN_NEST_AXES ? p->axis[t->row] : NULL;
    unsigned opened = 0;
    if (rows > 1) {
        tn_print_line(p, "for (int32_t r = 0, k = 0; r < %" PRIu32 "; r++) {", rows);
        p->axis[t->row] = tn_arena_printf(p->out->arena, "(%s + r)", name);
    } else {
        tn_print_line(p, "for (int32_t once = 0, k = 0; once < 1; once++) {");
    }
    p->depth++;
    for (uint32_t a = t->s->first; a < t->s->first + t->s->n; a++, opened++) {
        tn_print_open(p, a, 0, t->n->extent[a], "1");
    }
    tn_tiles_indent(t);
    tn_put(p->out, t->whole ? "wf[k++] = (float)(" : "wf[k++] = ");
    tn_print_calc(p, t->w);
    tn_put(p->out, t->whole ? ");\n" : ";\n");
    tn_tiles_close_all(t, opened + 1);
    if (rows > 1) {
        p->axis[t->row] = name;
    }
}

static void put_term(const tn_tiles *t, uint32_t rows, const char *at, const char *k) {
    tn_printer *p = t->p;
    if (rows == 1) {
        tn_print_line(p, "s0 += *(const %s_v%d *)(plane + i + %s) * wf[%s];", p->t->symbol,
                      t->lanes, at, k);
        return;
    }
    tn_print_line(p, "{");
    tn_print_line(p, "    const %s_v%d v = *(const %s_v%d *)(plane + i + %s);", p->t->symbol,
                  t->lanes, p->t->symbol, t->lanes, at);
    for (uint32_t r = 0; r < rows; r++) {
        tn_print_line(p, "    %s += v * wf[%" PRId64 " + %s];", tn_tiles_sum(r, 0), t->terms * r,
                      k);
    }
    tn_print_line(p, "}");
}

static void put_terms(const tn_tiles *t, const tn_tiles_planes *g, uint32_t rows) {
    tn_printer *p = t->p;
    int64_t across = extent(t, g->tap);
    if (t->terms > WRITTEN) {
        tn_print_line(p, "for (int32_t k = 0; k < %" PRId64 "; k++) {", t->terms);
        p->depth++;
        put_term(t, rows, "where[k]", "k");
        tn_print_close(p);
        return;
    }
    for (int64_t k = 0; k < t->terms; k++) {
        tn_arena *arena = p->out->arena;
        put_term(t, rows, tn_arena_printf(arena, "%" PRId64, term_at(t, g, k / across, k % across)),
                 tn_arena_printf(arena, "%" PRId64, k));
    }
}

/* What sums begin with, but for whole numbers, which get it when they are such. */
static void put_starts(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    const char *name = t->row < TN_NEST_AXES ? p->axis[t->row] : NULL;
    for (uint32_t r = 0; r < rows; r++) {
        if (rows > 1) {
            p->axis[t->row] = tn_arena_printf(p->out->arena, "(%s + %" PRIu32 ")", name, r);
        }
        tn_tiles_indent(t);
        tn_putf(p->out, "%s_v%d %s = zero", p->t->symbol, t->lanes, tn_tiles_sum(r, 0));
        if (t->s->start != NULL && !t->whole) {
            tn_put(p->out, " + ");
            tn_print_calc(p, t->s->start);
        }
        tn_put(p->out, ";\n");
        if (rows > 1) {
            p->axis[t->row] = name;
        }
    }
}

/* Sums of all places, those behind ends of lines too, which then go. */
static void put_sums(const tn_tiles *t, const tn_tiles_planes *g, uint32_t rows) {
    tn_printer *p = t->p;
    int64_t each = sums_of(g);
    tn_print_line(p, "for (int32_t i = 0; i < (end - top) * %" PRId64 "; i += %s_L%d) {", g->wide,
                  p->t->macro, t->lanes);
    p->depth++;
    tn_print_line(p, "const %s_v%d zero = {0};", p->t->symbol, t->lanes);
    put_starts(t, rows);
    put_terms(t, g, rows);
    for (uint32_t r = 0; r < rows; r++) {
        tn_print_line(p, "*(%s_v%d *)(made + %" PRId64 " + i) = %s;", p->t->symbol, t->lanes,
                      each * r, tn_tiles_sum(r, 0));
    }
    tn_print_close(p);
}

/* "sums": those of one row without what is behind ends of lines. */
static void put_packed(const tn_tiles *t, const tn_tiles_planes *g, const char *row) {
    tn_printer *p = t->p;
    int64_t width = t->n->extent[t->column];
    if (g->wide == width) {
        tn_print_line(p, "const %s_f32 *const sums = made + %s * %" PRId64 ";", p->t->symbol, row,
                      sums_of(g));
        return;
    }
    tn_print_line(p, "for (int32_t i = 0; i < end - top; i++) {");
    tn_print_line(p,
                  "    memcpy(sums + i * %" PRId64 ", made + %s * %" PRId64 " + i * %" PRId64
                  ", %" PRId64 " * sizeof *made);",
                  width, row, sums_of(g), g->wide, width);
    tn_print_line(p, "}");
}

/* A vector of sums becomes elements of the result. */
static void put_vector(const tn_tiles *t) {
    tn_printer *p = t->p;
    const char *type = tn_tiles_type(t, t->lanes), *c = p->axis[t->column];
    if (!tn_tiles_is_plain(t) && !tn_tiles_has_vectors(t)) {
        tn_print_line(p, "%s_%s t[%s_L%d];", p->t->symbol, t->whole ? "i32" : "f32", p->t->macro,
                      t->lanes);
    }
    tn_tiles_indent(t);
    if (t->whole) {
        tn_putf(p->out, "%s s0 = %s_TO(%s, *(const %s_v%d *)(sums + %s - first))", type,
                p->t->macro, type, p->t->symbol, t->lanes, c);
    } else {
        tn_putf(p->out, "%s s0 = *(const %s *)(sums + %s - first)", type, type, c);
    }
    tn_put(p->out, ";\n");
    if (t->whole && t->s->start != NULL) {
        tn_tiles_indent(t);
        tn_put(p->out, "s0 += ");
        tn_print_calc(p, t->s->start);
        tn_put(p->out, ";\n");
    }
    tn_tiles_put_stores(t, 1, t->lanes);
}

/* All lines of a block as one, of `rows` rows of the result. */
static void put_results(const tn_tiles *all, const tn_tiles_planes *g, uint32_t rows) {
    tn_tiles one = *all, *t = &one;
    tn_printer *p = t->p;
    const char *names[TN_NEST_AXES], *c = p->axis[t->column];
    const char *step = tn_arena_printf(p->out->arena, "%s_L%d", p->t->macro, t->lanes);
    int64_t width = t->n->extent[t->column], lines = extent(t, g->line);
    memcpy(names, p->axis, sizeof names);
    if (rows > 1) {
        tn_print_line(p, "for (int32_t r = 0; r < %" PRIu32 "; r++) {", rows);
        p->depth++;
        p->axis[t->row] = tn_arena_printf(p->out->arena, "(%s + r)", p->axis[t->row]);
    }
    if (g->line < TN_NEST_AXES) {
        p->axis[g->line] = "0";
    }
    put_packed(t, g, rows > 1 ? "r" : "0");
    tn_print_line(p, "const int32_t first = top * %" PRId64 ", last = end * %" PRId64 ";", width,
                  width);
    uint32_t kept = tn_print_keep_of(p, t->column);
    tn_print_line(p, "for (int32_t %s = first; %s < last; %s += %s) {", c, c, c, step);
    p->depth++;
    bool whole = g->block == lines && lines * width % t->lanes == 0;
    tn_tiles_put_again_at(t, "last", whole, step);
    put_vector(t);
    tn_print_close(p);
    tn_print_let_go(p, kept);
    if (rows > 1) {
        tn_print_close(p);
    }
    memcpy(p->axis, names, sizeof names);
}

static void put_rows(const tn_tiles *t, const tn_tiles_planes *g, uint32_t rows) {
    put_weights(t, rows);
    put_sums(t, g, rows);
    put_results(t, g, rows);
}

static void put_all_rows(const tn_tiles *t, const tn_tiles_planes *g) {
    tn_printer *p = t->p;
    int64_t n = extent(t, t->row), whole = n / ROWS * ROWS;
    if (t->row == TN_NEST_AXES) {
        put_rows(t, g, 1);
        return;
    }
    if (whole > 0) {
        tn_print_open(p, t->row, 0, whole, "4");
        put_rows(t, g, ROWS);
        tn_print_close(p);
    }
    if (n > whole) {
        tn_print_open(p, t->row, whole, n, tn_arena_printf(p->out->arena, "%" PRId64, n - whole));
        put_rows(t, g, (uint32_t)(n - whole));
        tn_print_close(p);
    }
}

/* "where": of each term the first place. */
static void put_places(const tn_tiles *t, const tn_tiles_planes *g) {
    tn_printer *p = t->p;
    int64_t across = extent(t, g->tap);
    tn_tiles_indent(t);
    tn_putf(p->out, "static const int32_t where[%" PRId64 "] = {", t->terms);
    for (int64_t k = 0; k < t->terms; k++) {
        tn_putf(p->out, "%s%" PRId64, k > 0 ? ", " : "", term_at(t, g, k / across, k % across));
    }
    tn_put(p->out, "};\n");
}

void tn_tiles_put_planes(const tn_tiles *t, const tn_tiles_planes *g) {
    tn_printer *p = t->p;
    unsigned opened = 0;
    int64_t rows = least(extent(t, t->row), ROWS);
    int64_t planes = planes_of(extent(t, g->row_tap), g->line_dilation, g->line_stride) *
                     planes_of(extent(t, g->tap), g->dilation, g->stride);
    tn_print_line(p, "%s_f32 plane[%" PRId64 "], made[%" PRId64 "], wf[%" PRId64 "];", p->t->symbol,
                  planes * size_of(g) + g->wide - t->n->extent[t->column] + 16, rows * sums_of(g),
                  rows * t->terms);
    if (g->wide != t->n->extent[t->column]) {
        tn_print_line(p, "%s_f32 sums[%" PRId64 "];", p->t->symbol,
                      g->block * t->n->extent[t->column]);
    }
    tn_print_line(p, "memset(plane, 0, sizeof plane); /* borders stay */");
    if (t->terms > WRITTEN) {
        put_places(t, g);
    }
    for (uint32_t a = 0; a < t->column; a++) {
        if (a != t->row && a != g->line) {
            tn_print_open(p, a, 0, t->n->extent[a], "1");
            opened++;
        }
    }
    int64_t lines = extent(t, g->line);
    tn_print_line(p, "for (int32_t top = 0; top < %" PRId64 "; top += %" PRId64 ") {", lines,
                  g->block);
    p->depth++;
    tn_print_line(
        p, "const int32_t end = top + %" PRId64 " < %" PRId64 " ? top + %" PRId64 " : %" PRId64 ";",
        g->block, lines, g->block, lines);
    const char *name = g->line < TN_NEST_AXES ? p->axis[g->line] : NULL;
    if (g->line < TN_NEST_AXES) {
        p->axis[g->line] = "top";
    }
    put_planes(t, g);
    put_all_rows(t, g);
    if (g->line < TN_NEST_AXES) {
        p->axis[g->line] = name;
    }
    tn_tiles_close_all(t, opened + 1);
}
