/* Sums of products of numbers of 8 bits, each less its zero point, in 32 bits.
 *
 * With vectors: what a tile of columns reads of x is gathered once for all rows, as pairs of 16
 * bits (two terms of a column side by side), 0 where a guard does not hold; weights become pairs as
 * well. A product of pairs takes one instruction or two on many processors, and none of it is
 * rounded. Without vectors there is no gathering, which would take memory: some rows at a time. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

enum { ROWS = 8, MOST_WEIGHTS = 24576 /* pairs that are made at once */, MOST_COPIED = 32768 };

/* Taps of a row of x that stand side by side, where rows are copied: the last axis of the stage. */
static int64_t taps_of(const tn_tiles *t) {
    return t->taps ? t->n->extent[t->s->first + t->s->n - 1] : 1;
}

/* Elements of a row that so many columns read, and one behind them. */
static int64_t wide_of(const tn_tiles *t, int64_t columns) {
    int64_t tap = t->x_load->at.by[t->s->first + t->s->n - 1];
    return (columns - 1) * t->x_load->at.by[t->column] + tap * (taps_of(t) - 1) + 2;
}

/* Whole rows are copied, for all tiles of these, if they are not many. */
static bool whole_rows(const tn_tiles *t) {
    return t->terms / taps_of(t) * wide_of(t, t->hi) <= MOST_COPIED;
}

static int64_t pairs_of(const tn_tiles *t) {
    return t->row == TN_NEST_AXES && t->copied ? t->terms : (t->terms + 1) / 2;
}

/* Rows of the result that share x. */
static int64_t rows_of(const tn_tiles *t) {
    return t->row != TN_NEST_AXES ? t->n->extent[t->row] : 1;
}

/* All rows' weights at once, if these are not many. */
static bool at_once(const tn_tiles *t) {
    return rows_of(t) * pairs_of(t) <= MOST_WEIGHTS;
}

/* ", c1" */
static void put_zero(const tn_tiles *t, const tn_calc *zero) {
    tn_put(t->p->out, ", ");
    if (zero != NULL) {
        tn_print_calc(t->p, zero);
    } else {
        tn_put(t->p->out, "0");
    }
}

static const char *element(const tn_tiles *t, const tn_calc *load) {
    return tn_print_element(t->p->c->operands[load->which].dtype);
}

/* Makes pairs of the weights of `rows` rows. */
static void put_weights(const tn_tiles *t, int64_t rows) {
    tn_printer *p = t->p;
    const char *names[TN_NEST_AXES];
    memcpy(names, p->axis, sizeof names);
    for (uint32_t a = t->s->first; a < t->s->first + t->s->n; a++) {
        p->axis[a] = "0";
    }
    bool all = at_once(t);
    tn_print_line(p, "for (int32_t r = 0; r < %" PRId64 "; r++) {", rows);
    p->depth++;
    if (t->row != TN_NEST_AXES) {
        const char *row = p->axis[t->row];
        p->axis[t->row] = all ? "r" : tn_arena_printf(p->out->arena, "(%s + r)", row);
    }
    tn_tiles_indent(t);
    tn_putf(p->out, "%s_%s_%s(wp + r * %" PRId64 ", x%" PRIu32 " + ", p->t->symbol,
            t->row == TN_NEST_AXES && t->copied ? "each" : "pair", element(t, t->w_load),
            pairs_of(t), t->w_load->which);
    tn_print_affine(p, &t->w_load->at);
    tn_putf(p->out, ", %" PRId64, t->terms);
    put_zero(t, t->w_zero);
    tn_put(p->out, ");\n");
    tn_print_close(p);
    memcpy(p->axis, names, sizeof names);
}

/* Which elements of a row are inside of the guards. */
static void put_inside(const tn_tiles *t) {
    tn_printer *p = t->p;
    tn_print_line(p, "int32_t first = 0, end = wide;");
    for (uint32_t g = 0; g < t->s->n_guards; g++) {
        const tn_nest_guard *guard = &t->s->guards[g];
        tn_print_line(p, "{");
        p->depth++;
        tn_tiles_indent(t);
        tn_put(p->out, "const int32_t from = ");
        tn_print_affine(p, &guard->at);
        tn_put(p->out, ";\n");
        if (guard == t->border) {
            tn_print_line(p, "first = from < 0 ? (-from < wide ? -from : wide) : 0;");
            tn_print_line(p, "end = end > %" PRId64 " - from ? %" PRId64 " - from : end;",
                          guard->end, guard->end);
        } else {
            tn_print_line(p, "end = from < 0 || from >= %" PRId64 " ? 0 : end;", guard->end);
        }
        tn_print_close(p);
    }
    tn_print_line(p, "end = end < first ? first : end;");
}

/* Copies rows of x, with zero points where these are outside of it. */
static void put_copies(const tn_tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = t->s->first + t->s->n - 1, axes = t->s->n - t->taps;
    const char *type = element(t, t->x_load), *names[TN_NEST_AXES];
    bool whole = whole_rows(t);
    memcpy(names, p->axis, sizeof names);
    if (whole) {
        tn_print_line(p, "enum { rows = %" PRId64 ", wide = %" PRId64 " };", t->terms / taps_of(t),
                      wide_of(t, t->hi));
        p->axis[t->column] = "0";
    } else {
        tn_print_line(
            p, "enum { rows = %" PRId64 ", wide = (%s_L%d - 1) * %" PRId64 " + %" PRId64 " };",
            t->terms / taps_of(t), p->t->macro, t->lanes, t->x_load->at.by[t->column],
            wide_of(t, 1));
    }
    tn_print_line(p, "%s_%s row[rows * wide];", p->t->symbol, type);
    tn_print_line(p, "int32_t copied = 0;");
    for (uint32_t a = t->s->first; a < t->s->first + axes; a++) {
        tn_print_open(p, a, 0, t->n->extent[a], "1");
    }
    if (t->taps) {
        p->axis[last] = "0";
    }
    put_inside(t);
    tn_tiles_indent(t);
    tn_putf(p->out, "%s_row_%s(row + copied++ * wide, x%" PRIu32 ", ", p->t->symbol, type,
            t->x_load->which);
    tn_print_affine(p, &t->x_load->at);
    tn_put(p->out, ", wide, first, end");
    put_zero(t, t->x_zero);
    tn_putf(p->out, ", %s_L%d);\n", p->t->macro, t->lanes);
    tn_tiles_close_all(t, axes);
    memcpy(p->axis, names, sizeof names);
}

/* ", row + r * wide + k * 2 + a3" */
static void put_place(const tn_tiles *t, const char *r, const char *k) {
    tn_printer *p = t->p;
    int64_t tap = t->x_load->at.by[t->s->first + t->s->n - 1];
    tn_putf(p->out, "row + %s * wide + %s * %" PRId64, r, k, t->taps ? tap : 0);
    if (whole_rows(t)) {
        tn_putf(p->out, " + %s * %" PRId64, p->axis[t->column], t->x_load->at.by[t->column]);
    }
}

/* Pairs of what is copied. */
static void put_pairs(const tn_tiles *t) {
    tn_printer *p = t->p;
    const char *end = tn_arena_printf(p->out->arena, " / %" PRId64, taps_of(t)),
               *rest = tn_arena_printf(p->out->arena, " %% %" PRId64, taps_of(t));
    tn_print_line(p, "for (int32_t k = 0; k < %" PRId64 "; k += 2) {", t->terms);
    p->depth++;
    tn_print_line(p, "const int32_t n = k + 1 < %" PRId64 " ? k + 1 : k;", t->terms);
    tn_tiles_indent(t);
    tn_putf(p->out, "%s_take_%s_%d(xp + k / 2 * %s_L%d, ", p->t->symbol, element(t, t->x_load),
            t->lanes, p->t->macro, t->lanes);
    for (uint32_t i = 0; i < 2; i++) {
        const char *k = i == 0 ? "k" : "n";
        put_place(t, tn_arena_printf(p->out->arena, "%s%s", k, end),
                  tn_arena_printf(p->out->arena, "(%s%s)", k, rest));
        tn_put(p->out, ", ");
    }
    tn_putf(p->out, "%" PRId64, t->x_load->at.by[t->column]);
    put_zero(t, t->x_zero);
    tn_put(p->out, ");\n");
    tn_print_close(p);
}

/* The sum of a row that shares x with no other: term by term. */
static void put_alone(const tn_tiles *t) {
    tn_printer *p = t->p;
    tn_tiles_put_starts(t, 1, t->lanes);
    tn_print_line(p, "for (int32_t r = 0; r < rows; r++) {");
    p->depth++;
    tn_print_line(p, "for (int32_t k = 0; k < %" PRId64 "; k++) {", taps_of(t));
    p->depth++;
    tn_tiles_indent(t);
    tn_putf(p->out, "s0 = %s_pairs%d(s0, %s_one_%s_%d(", p->t->symbol, t->lanes, p->t->symbol,
            element(t, t->x_load), t->lanes);
    put_place(t, "r", "k");
    tn_putf(p->out, ", %" PRId64, t->x_load->at.by[t->column]);
    put_zero(t, t->x_zero);
    tn_putf(p->out, "), zero + wp[r * %" PRId64 " + k]);\n", taps_of(t));
    tn_print_close(p);
    tn_print_close(p);
    tn_tiles_put_stores(t, 1, t->lanes);
}

/* Pairs of x as it lies, of the one axis of the stage. */
static void put_direct(const tn_tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = t->s->first;
    int64_t step = t->x_load->at.by[last], n = t->n->extent[last];
    const char *type = element(t, t->x_load), *k = p->axis[last];
    tn_print_open(p, last, 0, n, "2");
    tn_tiles_indent(t);
    tn_putf(p->out, "const %s_%s *const at = ", p->t->symbol, type);
    tn_tiles_put_load(t, t->x_load);
    tn_put(p->out, ";\n");
    tn_tiles_indent(t);
    tn_putf(p->out,
            "%s_take_%s_%d(xp + %s / 2 * %s_L%d, at, %s + 1 < %" PRId64 " ? at + %" PRId64 " : at",
            p->t->symbol, type, t->lanes, k, p->t->macro, t->lanes, k, n, step);
    tn_putf(p->out, ", %" PRId64, t->x_load->at.by[t->column]);
    put_zero(t, t->x_zero);
    tn_put(p->out, ");\n");
    tn_print_close(p);
}

/* "s0 = ...;": one more pair of terms of a row that shares x with no other. */
static void put_pair_alone(const tn_tiles *t, const char *sum) {
    tn_printer *p = t->p;
    uint32_t last = t->s->first;
    int64_t n = t->n->extent[last];
    const char *type = element(t, t->x_load), *k = p->axis[last], *const lanes[] = {"at", "next"};
    tn_print_line(p, "{");
    p->depth++;
    tn_tiles_indent(t);
    tn_putf(p->out, "const %s_%s *const at = ", p->t->symbol, type);
    tn_tiles_put_load(t, t->x_load);
    tn_put(p->out, ";\n");
    tn_print_line(p, "const %s_%s *const next = %s + 1 < %" PRId64 " ? at + %" PRId64 " : at;",
                  p->t->symbol, type, k, n, t->x_load->at.by[last]);
    tn_tiles_indent(t);
    tn_putf(p->out, "%s = %s_pairs%d(%s, ", sum, p->t->symbol, t->lanes, sum);
    for (uint32_t i = 0; i < 2; i++) {
        tn_putf(p->out, "%s%s_one_%s_%d(%s, %" PRId64, i > 0 ? " | " : "", p->t->symbol, type,
                t->lanes, lanes[i], t->x_load->at.by[t->column]);
        put_zero(t, t->x_zero);
        tn_put(p->out, i > 0 ? ") << 16" : ")");
    }
    tn_putf(p->out, ", zero + wp[(%s) / 2]);\n", k);
    tn_print_close(p);
}

/* One pair after the other, in sums that need not wait for each other. */
static void put_direct_alone(const tn_tiles *t) {
    enum { CHAINS = 4 };
    tn_printer *p = t->p;
    uint32_t last = t->s->first;
    int64_t n = t->n->extent[last], whole = n / (2 * CHAINS) * (2 * CHAINS);
    const char *k = p->axis[last];
    tn_tiles_put_starts(t, 1, t->lanes);
    if (whole > 0) {
        for (uint32_t i = 1; i < CHAINS; i++) {
            tn_print_line(p, "%s %s = zero;", tn_tiles_type(t, t->lanes), tn_tiles_sum(i, 0));
        }
        tn_print_open(p, last, 0, whole, "8");
        for (uint32_t i = 0; i < CHAINS; i++) {
            p->axis[last] = tn_arena_printf(p->out->arena, "(%s + %" PRIu32 ")", k, 2 * i);
            put_pair_alone(t, tn_tiles_sum(i, 0));
        }
        p->axis[last] = k;
        tn_print_close(p);
        tn_print_line(p, "s0 = s0 + s1 + (s2 + s3);");
    }
    if (whole < n) {
        tn_print_open(p, last, whole, n, "2");
        put_pair_alone(t, "s0");
        tn_print_close(p);
    }
    tn_tiles_put_stores(t, 1, t->lanes);
}

/* The sums of some rows over all pairs. */
static void put_sums(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    int64_t pairs = pairs_of(t);
    const char *type = tn_tiles_type(t, t->lanes);
    if (!at_once(t)) {
        put_weights(t, rows);
    }
    tn_print_line(p, "const int32_t *const at = wp + %s * %" PRId64 ";",
                  at_once(t) ? p->axis[t->row] : "0", pairs);
    tn_tiles_put_starts(t, rows, t->lanes);
    tn_print_line(p, "for (int32_t k = 0; k < %" PRId64 "; k++) {", pairs);
    p->depth++;
    tn_print_line(p, "const %s v = *(const %s *)(xp + k * %s_L%d);", type, type, p->t->macro,
                  t->lanes);
    for (uint32_t r = 0; r < rows; r++) {
        tn_print_line(p, "%s = %s_pairs%d(%s, v, zero + at[%" PRId64 " + k]);", tn_tiles_sum(r, 0),
                      p->t->symbol, t->lanes, tn_tiles_sum(r, 0), pairs * r);
    }
    tn_print_close(p);
    tn_tiles_put_stores(t, rows, t->lanes);
}

static void put_row_blocks(const tn_tiles *t) {
    tn_printer *p = t->p;
    int64_t extent = rows_of(t), whole = extent / ROWS * ROWS;
    if (whole > 0) {
        tn_print_open(p, t->row, 0, whole, "8");
        put_sums(t, ROWS);
        tn_print_close(p);
    }
    if (extent > whole) {
        tn_print_open(p, t->row, whole, extent,
                      tn_arena_printf(p->out->arena, "%" PRId64, extent - whole));
        put_sums(t, (uint32_t)(extent - whole));
        tn_print_close(p);
    }
}

static void put_tile(const tn_tiles *all) {
    tn_tiles tile = *all, *t = &tile;
    tn_printer *p = t->p;
    const char *step = tn_arena_printf(p->out->arena, "%s_L%d", p->t->macro, t->lanes);
    tn_print_open(p, t->column, 0, t->hi, step);
    tn_print_line(p, "const %s zero = {0};", tn_tiles_type(t, t->lanes));
    if (!tn_tiles_is_plain(t) && !tn_tiles_has_vectors(t)) {
        tn_print_line(p, "%s_i32 t[%s];", p->t->symbol, step);
    }
    tn_tiles_put_again(t, t->hi, step);
    if (t->copied && !whole_rows(t)) {
        put_copies(t);
    }
    if (t->row == TN_NEST_AXES && !t->copied) {
        put_direct_alone(t);
    } else if (t->row == TN_NEST_AXES) {
        put_alone(t);
    } else if (t->copied) {
        put_pairs(t);
        put_row_blocks(t);
    } else {
        put_direct(t);
        put_row_blocks(t);
    }
    tn_print_close(p);
}

/* Whether anything of w goes by axis `from` or one behind it, but for rows. */
static bool weights_go_by(const tn_tiles *t, uint32_t from) {
    bool any = false;
    for (uint32_t a = from; a < t->column; a++) {
        any = any || (a != t->row && tn_tiles_reads(t->w, a));
    }
    return any;
}

void tn_tiles_put_whole(const tn_tiles *t) {
    tn_printer *p = t->p;
    int64_t rows = rows_of(t);
    bool all = at_once(t), made = !all;
    unsigned opened = 0;
    tn_print_line(p, "int32_t wp[%" PRId64 "];", (all || rows < ROWS ? rows : ROWS) * pairs_of(t));
    if (t->row != TN_NEST_AXES) {
        tn_print_line(p, "int32_t xp[%" PRId64 " * %s_L%d];", pairs_of(t), p->t->macro, t->lanes);
    }
    for (uint32_t a = 0; a <= t->column; a++) {
        if (!made && !weights_go_by(t, a)) {
            put_weights(t, rows);
            made = true;
        }
        if (a < t->column && a != t->row) {
            tn_print_open(p, a, 0, t->n->extent[a], "1");
            opened++;
        }
    }
    if (t->copied && whole_rows(t)) {
        put_copies(t);
    }
    put_tile(t);
    tn_tiles_close_all(t, opened);
}

/* ---- dots ---- */

void tn_tiles_put_whole_dots(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    for (uint32_t r = 0; r < rows; r++) {
        p->ahead[t->row] = r;
        tn_print_line(p, "int32_t %s = 0;", tn_tiles_sum(r, 0));
        if (t->x_zero != NULL) {
            tn_tiles_indent(t);
            tn_putf(p->out, "const int32_t z%" PRIu32 " = ", r);
            tn_print_calc(p, t->x_zero);
            tn_put(p->out, ";\n");
        }
        p->ahead[t->row] = 0;
    }
    if (t->w_zero != NULL) {
        tn_tiles_indent(t);
        tn_put(p->out, "const int32_t zero = ");
        tn_print_calc(p, t->w_zero);
        tn_put(p->out, ";\n");
    }
    if (tn_tiles_has_quads(t, false)) {
        tn_putf(p->out, "#if %s_QUADS\n", p->t->macro);
        tn_tiles_put_quads(t, rows, false);
        tn_put(p->out, "#else\n");
    }
    unsigned opened = tn_print_open_stage(p, t->s, t->s->n, TN_NEST_AXES);
    tn_tiles_indent(t);
    tn_putf(p->out, "const int16_t v = (int16_t)(x%" PRIu32 "[", t->w_load->which);
    tn_print_affine(p, &t->w_load->at);
    tn_put(p->out, t->w_zero != NULL ? "] - zero);\n" : "]);\n");
    for (uint32_t r = 0; r < rows; r++) {
        p->ahead[t->row] = r;
        tn_tiles_indent(t);
        tn_putf(p->out, "%s += (int16_t)(x%" PRIu32 "[", tn_tiles_sum(r, 0), t->x_load->which);
        tn_print_affine(p, &t->x_load->at);
        tn_putf(p->out, t->x_zero != NULL ? "] - z%" PRIu32 ") * v;\n" : "]) * v;\n", r);
        p->ahead[t->row] = 0;
    }
    tn_tiles_close_all(t, opened);
    tn_put(p->out, tn_tiles_has_quads(t, false) ? "#endif\n" : "");
    for (uint32_t r = 0; t->s->start != NULL && r < rows; r++) {
        p->ahead[t->row] = r;
        tn_tiles_indent(t);
        tn_putf(p->out, "%s = %s_add_i32(%s, ", tn_tiles_sum(r, 0), p->t->symbol,
                tn_tiles_sum(r, 0));
        tn_print_calc(p, t->s->start);
        tn_put(p->out, ");\n");
        p->ahead[t->row] = 0;
    }
    tn_tiles_put_stores(t, rows, 0);
}
