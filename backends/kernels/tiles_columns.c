/* Neighbours of the result, of neighbours of x and the same w. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

static uint32_t last_axis(const tn_tiles *t) {
    return t->s->first + t->s->n - 1;
}

/* Sums leave out what is masked; of other strips a copy has what changes nothing. */
static bool masks(const tn_tiles *t) {
    return t->border != NULL && !t->strip;
}

/* Where the neighbours of vector `v` of a tile begin: in x, or behind the first tap of the row at
 * hand. */
static void put_first(const tn_tiles *t, uint32_t v) {
    tn_printer *p = t->p;
    const char *name = p->axis[t->column], *step;
    int64_t by = t->x->at.by[last_axis(t)];
    step = tn_arena_printf(p->out->arena, "%s_L%d", p->t->macro, t->lanes);
    if (t->border == NULL) {
        p->axis[t->column] =
            v == 0 ? name : tn_arena_printf(p->out->arena, "(%s + %s)", name, step);
        tn_tiles_put_load(t, t->x);
        p->axis[t->column] = name;
        return;
    }
    tn_put(p->out, "row");
    if (by != 0) {
        tn_putf(p->out, " + %s * %" PRId64, p->axis[last_axis(t)], by);
    }
    if (v > 0) {
        tn_putf(p->out, " + %s * %" PRId64, step, t->x->at.by[t->column]);
    }
}

/* "net_v16 v0 = ...;": neighbours of x, by the stride. */
static void put_vector(const tn_tiles *t, uint32_t v) {
    tn_printer *p = t->p;
    const char *type = tn_tiles_type(t, t->lanes);
    int64_t by = t->x->at.by[t->column];
    if (by == 1) {
        tn_tiles_indent(t);
        tn_putf(p->out, "%s v%" PRIu32 " = *(const %s *)(", type, v, type);
        put_first(t, v);
        tn_put(p->out, ");\n");
    } else {
        tn_print_line(p, "%s_f32 e%" PRIu32 "[%s_L%d];", p->t->symbol, v, p->t->macro, t->lanes);
        tn_tiles_indent(t);
        tn_putf(p->out, "const %s_f32 *const at%" PRIu32 " = ", p->t->symbol, v);
        put_first(t, v);
        tn_put(p->out, ";\n");
        tn_print_line(p, "for (int32_t l = 0; l < %s_L%d; l++) {", p->t->macro, t->lanes);
        tn_print_line(p, "    e%" PRIu32 "[l] = at%" PRIu32 "[l * %" PRId64 "];", v, v, by);
        tn_print_line(p, "}");
        tn_print_line(p, "%s v%" PRIu32 " = *(const %s *)e%" PRIu32 ";", type, v, type, v);
    }
    if (masks(t)) {
        tn_print_line(p,
                      "v%" PRIu32 " = %s_KEEP(v%" PRIu32 ", *(const %s_m%d *)(keep + (%s * %" PRIu32
                      " + %" PRIu32 ") * %s_L%d));",
                      v, p->t->macro, v, p->t->symbol, t->lanes, p->axis[last_axis(t)], t->vectors,
                      v, p->t->macro, t->lanes);
    }
}

/* `wide`: elements of a row that a tile reads, the first of which stands at `from` in it. */
static void put_span(const tn_tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = last_axis(t);
    int64_t taps = t->x->at.by[last] * (t->n->extent[last] - 1) + 1;
    const char *name = p->axis[last];
    tn_print_line(p, "enum { wide = (%" PRIu32 " * %s_L%d - 1) * %" PRId64 " + %" PRId64 " };",
                  t->vectors, p->t->macro, t->lanes, t->x->at.by[t->column], taps);
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
}

/* `keep`: by tap and lane, whether that is inside of the row. */
static void put_masks(const tn_tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = last_axis(t);
    tn_print_line(p, "%s_ALIGNED %s_i32 keep[%" PRId64 " * %" PRIu32 " * %s_L%d];", p->t->macro,
                  p->t->symbol, t->n->extent[last], t->vectors, p->t->macro, t->lanes);
    tn_print_line(p, "for (int32_t k = 0; k < %" PRId64 "; k++) {", t->n->extent[last]);
    tn_print_line(p, "    for (int32_t l = 0; l < %" PRIu32 " * %s_L%d; l++) {", t->vectors,
                  p->t->macro, t->lanes);
    tn_print_line(p,
                  "        keep[k * %" PRIu32 " * %s_L%d + l] = (uint32_t)(from + l * %" PRId64
                  " + k * %" PRId64 ") < %" PRId64 "u ? -1 : 0;",
                  t->vectors, p->t->macro, t->lanes, t->x->at.by[t->column], t->x->at.by[last],
                  t->border->end);
    tn_print_line(p, "    }");
    tn_print_line(p, "}");
}

/* `around`: a copy of what of a row is inside, where the tile cannot read x itself. */
static void put_around(const tn_tiles *t) {
    tn_printer *p = t->p;
    put_span(t);
    if (masks(t)) {
        put_masks(t);
    }
    tn_print_line(p, "%s_ALIGNED %s_f32 around[wide];", p->t->macro, p->t->symbol);
    tn_print_line(p, "for (int32_t i = 0; i < wide && (first > 0 || end < wide); i++) {");
    tn_print_line(p, "    around[i] = %s;", tn_print_nothing(t->s));
    tn_print_line(p, "}");
}

static int64_t elements_of(const tn_compute_value *v) {
    int64_t n = 1;
    for (uint32_t i = 0; i < v->rank; i++) {
        n *= v->dims[i];
    }
    return n;
}

/* `row`: in x, else the copy. What is masked may be of rows beside, but not of other tensors. */
static void put_row(const tn_tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = last_axis(t);
    const char *name = p->axis[last];
    p->axis[last] = "0";
    tn_tiles_indent(t);
    tn_put(p->out, "const int32_t begin = ");
    tn_print_affine(p, &t->x->at);
    tn_put(p->out, ";\n");
    tn_print_line(p, "const %s_f32 *row = around;", p->t->symbol);
    if (masks(t)) {
        tn_print_line(p, "if (begin >= 0 && begin <= %" PRId64 " - wide) {",
                      elements_of(&p->c->operands[t->x->which]));
    } else {
        tn_print_line(p, "if (first == 0 && end == wide) {");
    }
    tn_print_line(p, "    row = x%" PRIu32 " + begin;", t->x->which);
    tn_print_line(p, "} else {");
    tn_print_line(p, "    for (int32_t i = first; i < end; i++) {");
    tn_print_line(p, "        around[i] = x%" PRIu32 "[begin + i];", t->x->which);
    tn_print_line(p, "    }");
    tn_print_line(p, "}");
    p->axis[last] = name;
}

/* The tile at the index of the column's axis. */
static void put_tile(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    unsigned opened;
    tn_print_line(p, "const %s zero = {0};", tn_tiles_type(t, t->lanes));
    if (!tn_tiles_is_plain(t) && !tn_tiles_has_vectors(t)) {
        tn_print_line(p, "%s_f32 t[%s_L%d];", p->t->symbol, p->t->macro, t->lanes);
    }
    tn_tiles_put_starts(t, rows, t->lanes);
    if (t->border != NULL) {
        uint32_t last = last_axis(t);
        put_around(t);
        opened = tn_print_open_stage(p, t->s, t->s->n - 1, t->column);
        put_row(t);
        tn_print_open(p, last, 0, t->n->extent[last], "1");
        opened++;
    } else {
        opened = tn_print_open_stage(p, t->s, t->s->n, t->column);
    }
    for (uint32_t v = 0; v < t->vectors; v++) {
        put_vector(t, v);
    }
    tn_tiles_put_products(t, rows, t->lanes);
    tn_tiles_close_all(t, opened);
    tn_tiles_put_stores(t, rows, t->lanes);
}

/* Where vectors have 16 lanes, there are registers for two of each sum. Returns where pairs end. */
static int64_t put_pairs(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    tn_tiles pair = *t;
    int64_t end = t->lo + (t->hi - t->lo) / 32 * 32;
    if (t->lanes < 16 || end == t->lo) {
        return t->lo;
    }
    pair.vectors = 2;
    tn_putf(p->out, "#if %s_LANES >= 16\n", p->t->macro);
    tn_print_open(p, t->column, t->lo, end, "32");
    put_tile(&pair, rows);
    tn_print_close(p);
    tn_put(p->out, "#endif\n");
    return end;
}

static void put_vector_columns(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    const char *a = p->axis[t->column];
    const char *step = tn_arena_printf(p->out->arena, "%s_L%d", p->t->macro, t->lanes);
    int64_t from = put_pairs(t, rows);
    if (from == t->lo) {
        tn_print_open(p, t->column, t->lo, t->hi, step);
    } else {
        tn_print_line(p,
                      "for (int32_t %s = %s_LANES >= 16 ? %" PRId64 " : %" PRId64 "; %s < %" PRId64
                      "; %s += %s) {",
                      a, p->t->macro, from, t->lo, a, t->hi, a, step);
        p->depth++;
    }
    tn_tiles last = *t;
    tn_tiles_put_again(&last, t->hi, step);
    put_tile(&last, rows);
    tn_print_close(p);
}

void tn_tiles_put_single_columns(const tn_tiles *t, uint32_t rows, int64_t from, int64_t end,
                                 bool clear) {
    tn_printer *p = t->p;
    if (from >= end) {
        return;
    }
    tn_print_open(p, t->column, from, end, "1");
    tn_tiles_put_starts(t, rows, 0);
    bool quads = tn_tiles_has_quads(t, clear);
    if (quads) {
        tn_putf(p->out, "#if %s_QUADS\n", p->t->macro);
        tn_tiles_put_quads(t, rows, clear);
        tn_put(p->out, "#else\n");
    }
    unsigned opened = tn_print_open_stage(p, t->s, t->s->n, clear ? t->column : TN_NEST_AXES);
    tn_tiles_indent(t);
    tn_putf(p->out, "const %s v0 = ", tn_tiles_type(t, 0));
    tn_print_calc(p, t->x);
    tn_put(p->out, ";\n");
    tn_tiles_put_products(t, rows, 0);
    tn_tiles_close_all(t, opened);
    tn_put(p->out, quads ? "#endif\n" : "");
    tn_tiles_put_stores(t, rows, 0);
    tn_print_close(p);
}

void tn_tiles_put_columns(const tn_tiles *t, uint32_t rows) {
    int64_t width = t->n->extent[t->column];
    if (t->strip && (!tn_tiles_is_vector(t, t->s->body) || t->s->start != NULL)) {
        tn_tiles_put_strip(t, 0, t->lo, 1, true);
        tn_tiles_put_strip(t, t->lo, t->hi, t->lanes, false);
        tn_tiles_put_strip(t, t->hi, width, 1, true);
        return;
    }
    if (t->lanes == 1) {
        tn_tiles_put_single_columns(t, rows, 0, t->from, false);
        tn_tiles_put_single_columns(t, rows, t->from, t->to, true);
        tn_tiles_put_single_columns(t, rows, t->to, width, false);
        return;
    }
    tn_tiles_put_single_columns(t, rows, 0, t->lo, false);
    put_vector_columns(t, rows);
    tn_tiles_put_single_columns(t, rows, t->hi, width, false);
}
