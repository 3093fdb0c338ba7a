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

enum { WRITTEN = 64 }; /* terms that are written one by one */

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* ---- copies ---- */

/* The number of the plane that terms `k` of a tap's axis are in, by rest, or -1; how far the last
 * of these is behind the first. */
static int64_t used(int64_t taps, int64_t dilation, int64_t stride, int64_t rest, int64_t *shift) {
    int64_t n = 0;
    bool seen[TN_TILES_STRIDE] = {false};
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
    int64_t across = planes_of(tn_tiles_extent(t, g->tap), g->dilation, g->stride), shift;
    int64_t down =
        used(tn_tiles_extent(t, g->row_tap), g->line_dilation, g->line_stride, line, &shift);
    int64_t right = used(tn_tiles_extent(t, g->tap), g->dilation, g->stride, column, &shift);
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
    if (used(tn_tiles_extent(t, g->tap), g->dilation, g->stride, column, &shift) < 0) {
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
        if (used(tn_tiles_extent(t, g->tap), g->dilation, g->stride, column, &shift) >= 0) {
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
        if (used(tn_tiles_extent(t, g->row_tap), g->line_dilation, g->line_stride, line, &shift) <
            0) {
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
        tn_print_affine(p, tn_tiles_place(t));
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
    int64_t across = tn_tiles_extent(t, g->tap);
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
    int64_t width = t->n->extent[t->column], lines = tn_tiles_extent(t, g->line);
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
    int64_t n = tn_tiles_extent(t, t->row), whole = n / TN_TILES_SHARING * TN_TILES_SHARING;
    if (t->row == TN_NEST_AXES) {
        put_rows(t, g, 1);
        return;
    }
    if (whole > 0) {
        tn_print_open(p, t->row, 0, whole, "4");
        put_rows(t, g, TN_TILES_SHARING);
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
    int64_t across = tn_tiles_extent(t, g->tap);
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
    int64_t rows = least(tn_tiles_extent(t, t->row), TN_TILES_SHARING);
    int64_t planes = planes_of(tn_tiles_extent(t, g->row_tap), g->line_dilation, g->line_stride) *
                     planes_of(tn_tiles_extent(t, g->tap), g->dilation, g->stride);
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
    int64_t lines = tn_tiles_extent(t, g->line);
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
