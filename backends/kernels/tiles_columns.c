/* Neighbours of the result, of neighbours of x and the same w. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

/* Where the neighbours of a tile begin: in x, or behind the first tap of the row at hand. */
static void put_first(const tn_tiles *t) {
    uint32_t last = t->s->first + t->s->n - 1;
    int64_t by = t->x->at.by[last];
    if (t->border == NULL) {
        tn_tiles_put_load(t, t->x);
    } else if (by == 0) {
        tn_put(t->p->out, "row");
    } else {
        tn_putf(t->p->out, "row + %s * %" PRId64, t->p->axis[last], by);
    }
}

/* `v`: neighbours of x, by the stride. */
static void put_vector(const tn_tiles *t) {
    tn_printer *p = t->p;
    int64_t by = t->x->at.by[t->column];
    if (by == 1) {
        tn_tiles_indent(t);
        tn_putf(p->out, "const %s_v%d v = *(const %s_v%d *)(", p->t->symbol, t->lanes, p->t->symbol,
                t->lanes);
        put_first(t);
        tn_put(p->out, ");\n");
        return;
    }
    tn_print_line(p, "%s_f32 e[%s_L%d];", p->t->symbol, p->t->macro, t->lanes);
    tn_tiles_indent(t);
    tn_putf(p->out, "const %s_f32 *const at = ", p->t->symbol);
    put_first(t);
    tn_put(p->out, ";\n");
    tn_print_line(p, "for (int32_t l = 0; l < %s_L%d; l++) {", p->t->macro, t->lanes);
    tn_print_line(p, "    e[l] = at[l * %" PRId64 "];", by);
    tn_print_line(p, "}");
    tn_print_line(p, "const %s_v%d v = *(const %s_v%d *)e;", p->t->symbol, t->lanes, p->t->symbol,
                  t->lanes);
}

/* `wide`: elements of a row that a tile reads. `first` and `end`: those of them that are inside of
 * the image; `around` has zeros for the others. */
static void put_around(const tn_tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = t->s->first + t->s->n - 1;
    int64_t taps = t->x->at.by[last] * (t->n->extent[last] - 1) + 1;
    const char *name = p->axis[last];
    tn_print_line(p, "enum { wide = (%s_L%d - 1) * %" PRId64 " + %" PRId64 " };", p->t->macro,
                  t->lanes, t->x->at.by[t->column], taps);
    tn_tiles_indent(t);
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
    tn_print_line(p, "    around[i] = 0.0f;");
    tn_print_line(p, "}");
}

/* `row`: in x where all of it is inside, else the copy. */
static void put_row(const tn_tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = t->s->first + t->s->n - 1;
    const char *name = p->axis[last];
    p->axis[last] = "0";
    tn_print_line(p, "const %s_f32 *row = around;", p->t->symbol);
    tn_print_line(p, "if (first == 0 && end == wide) {");
    tn_put_indent(p->out, 4 * (size_t)p->depth + 4);
    tn_put(p->out, "row = ");
    tn_tiles_put_load(t, t->x);
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

static void put_vector_columns(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    const char *a = p->axis[t->column];
    const char *step = tn_arena_printf(p->out->arena, "%s_L%d", p->t->macro, t->lanes);
    tn_print_open(p, t->column, t->lo, t->hi, step);
    tn_print_line(p, "const %s_v%d zero = {0};", p->t->symbol, t->lanes);
    if (!tn_tiles_is_plain(t)) {
        tn_print_line(p, "%s_f32 t[%s];", p->t->symbol, step);
    }
    tn_print_line(
        p, "%s = %s + %s > %" PRId64 " ? %" PRId64 " - %s : %s; /* the last ones once more */", a,
        a, step, t->hi, t->hi, step, a);
    tn_tiles_put_starts(t, rows, t->lanes);
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
    tn_tiles_put_products(t, rows, "v");
    tn_tiles_close_all(t, opened);
    tn_tiles_put_stores(t, rows, t->lanes);
    tn_print_close(p);
}

void tn_tiles_put_single_columns(const tn_tiles *t, uint32_t rows, int64_t from, int64_t end) {
    tn_printer *p = t->p;
    if (from >= end) {
        return;
    }
    tn_print_open(p, t->column, from, end, "1");
    tn_tiles_put_starts(t, rows, 0);
    unsigned opened = tn_print_open_stage(p, t->s, t->s->n, TN_NEST_AXES);
    tn_tiles_indent(t);
    tn_putf(p->out, "const %s v = ", tn_tiles_type(t, 0));
    tn_print_calc(p, t->x);
    tn_put(p->out, ";\n");
    tn_tiles_put_products(t, rows, "v");
    tn_tiles_close_all(t, opened);
    tn_tiles_put_stores(t, rows, 0);
    tn_print_close(p);
}

void tn_tiles_put_columns(const tn_tiles *t, uint32_t rows) {
    int64_t width = t->n->extent[t->column];
    if (t->strip) {
        tn_tiles_put_strip(t, 0, t->lo, 1, true);
        tn_tiles_put_strip(t, t->lo, t->hi, t->lanes, false);
        tn_tiles_put_strip(t, t->hi, width, 1, true);
        return;
    }
    if (t->lanes == 1) {
        tn_tiles_put_single_columns(t, rows, 0, width);
        return;
    }
    tn_tiles_put_single_columns(t, rows, 0, t->lo);
    put_vector_columns(t, rows);
    tn_tiles_put_single_columns(t, rows, t->hi, width);
}
