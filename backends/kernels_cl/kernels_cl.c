#include "backends/kernels_cl/kernels_cl.h"

#include <inttypes.h>
#include <string.h>

#include "backends/kernels_cl/writer.h"

enum {
    NARROW = 16,       /* axes below it go along dimension 0 with the one before them */
    ENOUGH_ITEMS = 512 /* before some of them make several elements */
};

/* ---- what goes in any order ---- */

static void widen(const tn_nest *n, const tn_affine *at, uint32_t from, int64_t *least,
                  int64_t *most) {
    int64_t low, high;
    tn_affine_range(n, at, from, n->n_outer, &low, &high);
    *least = low < *least ? low : *least;
    *most = high > *most ? high : *most;
}

/* Places of an expression that were stored before. */
static void widen_made(const tn_nest *n, const tn_calc *x, uint32_t from, int64_t *least,
                       int64_t *most) {
    if (x != NULL && x->kind == TN_CALC_MADE) {
        widen(n, &x->at, from, least, most);
    }
    for (uint32_t i = 0; x != NULL && i < 3; i++) {
        widen_made(n, x->arg[i], from, least, most);
    }
}

static bool has_made(const tn_calc *x, const tn_affine *store, uint32_t axis, bool *same) {
    bool any = x != NULL && x->kind == TN_CALC_MADE;
    *same = *same && (!any || x->at.by[axis] == store->by[axis]);
    for (uint32_t i = 0; x != NULL && i < 3; i++) {
        any = has_made(x->arg[i], store, axis, same) || any;
    }
    return any;
}

/* Axes in front of which nothing that is stored is read again: what axes behind `depth` span lies
 * between what one step along any axis before it skips. */
static uint32_t depth_of_made(const tn_nest *n, uint32_t depth) {
    for (uint32_t a = 0; a < depth; a++) {
        bool same = true;
        int64_t least = n->store.base, most = n->store.base, step = n->store.by[a];
        if (!has_made(n->value, &n->store, a, &same)) {
            return depth;
        }
        widen(n, &n->store, a + 1, &least, &most);
        widen_made(n, n->value, a + 1, &least, &most);
        if (!same || n->store_by != NULL || (step < 0 ? -step : step) <= most - least) {
            return a;
        }
    }
    return depth;
}

static bool is_sum(const tn_nest_stage *s) {
    return !tn_print_is_term(s);
}

/* Axes whose elements may be made in any order. */
static uint32_t depth_of(const tn_compute *c, const tn_nest *n) {
    uint32_t depth = n->n_outer;
    for (uint32_t s = 0; s < n->n_stages; s++) {
        if (is_sum(&n->stage[s]) && n->stage[s].depth < depth) {
            depth = n->stage[s].depth;
        }
    }
    bool bytes = tn_dtype_get(c->results[n->result].dtype)->bits >= 8;
    return bytes ? depth_of_made(n, depth) : 0;
}

int64_t tn_cl_product(const tn_nest *n, uint32_t from, uint32_t to) {
    int64_t all = 1;
    for (uint32_t a = from; a < to; a++) {
        all *= n->extent[a];
    }
    return all;
}

/* ---- loads ---- */

bool tn_cl_any_load(const tn_cl_writer *w, const tn_calc *x, tn_cl_about *what) {
    bool any = x != NULL && x->kind == TN_CALC_LOAD && what(w, x);
    for (uint32_t i = 0; x != NULL && i < 3 && !any; i++) {
        any = tn_cl_any_load(w, x->arg[i], what);
    }
    return any;
}

bool tn_cl_moves_with_row(const tn_cl_writer *w, const tn_calc *load) {
    return load->at.by[w->row] != 0 || load->at.table[w->row] != NULL;
}

static bool is_shared_by_rows(const tn_cl_writer *w, const tn_calc *load) {
    return !tn_cl_moves_with_row(w, load) && load->at.by[w->depth - 1] != 0;
}

/* ---- parameters ---- */

static void put_parameters(tn_cl_writer *w) {
    const tn_compute *c = w->p.c;
    tn_sink *out = w->p.out;
    bool *used = TN_ARRAY(c->arena, bool, c->n_operands + 1u);
    w->k->index = tn_print_used(w->n, used);
    w->k->operands = TN_ARRAY(c->arena, uint32_t, c->n_operands + 1u);
    tn_put_c(out, '(');
    for (uint32_t i = 0; i < c->n_operands; i++) {
        if (used[i]) {
            tn_putf(out, "const __global uchar *xs%" PRIu32 ", ulong x_at%" PRIu32 ", ", i, i);
            w->k->operands[w->k->n_operands++] = i;
        }
    }
    tn_putf(out, "__global uchar *ys, ulong y_at%s) {\n",
            w->k->index ? ", __global int *failed, int step" : "");
    for (uint32_t i = 0; i < w->k->n_operands; i++) {
        uint32_t x = w->k->operands[i];
        const char *type = tn_print_element(c->operands[x].dtype);
        tn_print_line(&w->p,
                      "const __global %s_%s *x%" PRIu32 " = (const __global %s_%s *)(xs%" PRIu32
                      " + x_at%" PRIu32 ");",
                      w->p.t->symbol, type, x, w->p.t->symbol, type, x, x);
    }
    const char *type = tn_print_element(c->results[w->n->result].dtype);
    tn_print_line(&w->p, "__global %s_%s *y%" PRIu32 " = (__global %s_%s *)(ys + y_at);",
                  w->p.t->symbol, type, w->n->result, w->p.t->symbol, type);
    if (w->k->index) {
        tn_print_line(&w->p, "int bad = 0;");
    }
}

static void put_end(tn_cl_writer *w) {
    if (w->k->index) {
        tn_print_line(&w->p, "if (bad) {");
        tn_print_line(&w->p, "    *failed = step;");
        tn_print_line(&w->p, "}");
    }
    tn_put(w->p.out, "}\n");
}

/* ---- axes of the range ---- */

/* How many elements a work-item makes along the axis. */
static int64_t together(const tn_cl_writer *w, uint32_t axis) {
    return w->tile > 1 && axis == w->row       ? w->tile
           : w->lanes > 1 && axis == w->column ? w->lanes
                                               : 1;
}

static int64_t indices_of(const tn_cl_writer *w, uint32_t axis) {
    return (w->n->extent[axis] + together(w, axis) - 1) / together(w, axis);
}

static int64_t indices(const tn_cl_writer *w, uint32_t from, uint32_t to) {
    int64_t all = 1;
    for (uint32_t a = from; a < to; a++) {
        all *= indices_of(w, a);
    }
    return all;
}

/* Axis a = `index`, or the first of those that go together. */
static void put_axis(const tn_cl_writer *w, uint32_t axis, const char *index) {
    const char *name = w->p.axis[axis];
    int64_t n = together(w, axis);
    if (n == 1) {
        tn_print_line(&w->p, "const int32_t %s = %s;", name, index);
    } else if (w->n->extent[axis] % n == 0) {
        tn_print_line(&w->p, "const int32_t %s = (%s) * %" PRId64 ";", name, index, n);
    } else {
        const char *skip = axis == w->row && w->tile > 1 ? "skip_row" : "skip_column";
        tn_print_line(&w->p, "const int32_t %s = min((%s) * %" PRId64 ", %" PRId64 ");", name,
                      index, n, w->n->extent[axis] - n);
        tn_print_line(&w->p, "const int32_t %s = (%s) * %" PRId64 " - %s;", skip, index, n, name);
    }
}

void tn_cl_put_axes(const tn_cl_writer *w, uint32_t from, uint32_t to, const char *number) {
    for (uint32_t a = to; a-- > from;) {
        int64_t behind = indices(w, a + 1, to);
        const char *by = behind == 1
                             ? number
                             : tn_arena_printf(w->p.out->arena, "%s / %" PRId64, number, behind);
        put_axis(w, a,
                 a == from
                     ? by
                     : tn_arena_printf(w->p.out->arena, "%s %% %" PRId64, by, indices_of(w, a)));
    }
}

static uint32_t least_power(int64_t n, uint32_t most) {
    uint32_t p = 1;
    while (p < most && (int64_t)p < n) {
        p *= 2;
    }
    return p;
}

/* The axes of the range over its three dimensions, the innermost first. */
void tn_cl_put_range(tn_cl_writer *w) {
    uint32_t to = w->depth, left = TN_CL_ITEMS;
    for (uint32_t d = 0; d < 3; d++) {
        uint32_t from = d == 2 || to == 0 ? 0 : to - 1;
        while (d == 0 && from > 0 && indices(w, from, to) < NARROW) {
            from--;
        }
        int64_t n = indices(w, from, to);
        w->k->local[d] = least_power(n, left);
        w->k->global[d] = ((uint64_t)n + w->k->local[d] - 1) / w->k->local[d] * w->k->local[d];
        left /= w->k->local[d];
        if (to > from) {
            tn_print_line(
                &w->p, "const int32_t i%" PRIu32 " = (int32_t)get_global_id(%" PRIu32 ");", d, d);
            if (w->k->global[d] != (uint64_t)n) {
                tn_print_line(&w->p, "if (i%" PRIu32 " >= %" PRId64 ") {", d, n);
                tn_print_line(&w->p, "    return;");
                tn_print_line(&w->p, "}");
            }
            tn_cl_put_axes(w, from, to, tn_arena_printf(w->p.out->arena, "i%" PRIu32, d));
        }
        to = from;
    }
}

/* ---- a work-item an element, or a tile ---- */

/* Whether all sums and terms but those of `sum` may be made for one row after the other. */
static bool may_have_rows(const tn_cl_writer *w) {
    const tn_nest_stage *sum = &w->n->stage[w->sum];
    bool may = sum->combine == TN_COMBINE_SUM && sum->depth == w->n->n_outer && sum->n > 0 &&
               w->n->store_by == NULL && w->n->value_too == NULL;
    for (uint32_t s = 0; s < w->n->n_stages; s++) {
        may = may && w->n->stage[s].inside == 0 && (s == w->sum || !is_sum(&w->n->stage[s]));
    }
    for (uint32_t g = 0; g < sum->n_guards; g++) {
        may = may && sum->guards[g].at.by[w->row] == 0 && sum->guards[g].at.table[w->row] == NULL;
    }
    return may && !has_made(w->n->value, &w->n->store, 0, &(bool){true});
}

static uint32_t tile_of(const tn_cl_writer *w) {
    int64_t items = indices(w, 0, w->depth);
    uint32_t tile = 1, most = w->lanes > TN_CL_TILE ? TN_CL_TILE / 2 : TN_CL_TILE;
    while (2 * tile <= most && 2 * tile <= w->n->extent[w->row] &&
           items / (2 * tile) >= ENOUGH_ITEMS) {
        tile *= 2;
    }
    return tile;
}

void tn_cl_find_tile(tn_cl_writer *w) {
    const tn_calc *body = w->n->stage[w->sum].body;
    for (uint32_t a = 0; a + 1 < w->depth && w->tile == 1; a++) {
        w->row = a;
        if (may_have_rows(w) && tn_cl_any_load(w, body, is_shared_by_rows) &&
            tn_cl_any_load(w, body, tn_cl_moves_with_row)) {
            w->tile = tile_of(w);
        }
    }
}

static void turn_to(tn_cl_writer *w, uint32_t copy) {
    w->p.ahead[w->row] = copy;
    for (uint32_t s = 0; s < w->n->n_stages; s++) {
        w->p.local[s] = w->name[s][copy];
    }
}

/* "float l0 = x2[a0];" */
static void put_start(const tn_cl_writer *w, uint32_t stage) {
    const tn_nest_stage *s = &w->n->stage[stage];
    tn_put_indent(w->p.out, 4 * (size_t)w->p.depth);
    tn_putf(w->p.out, "%s %s = ", tn_print_type(s->type), w->p.local[stage]);
    if (s->start != NULL) {
        tn_print_calc(&w->p, s->start);
    } else {
        tn_put(w->p.out, tn_print_nothing(s));
    }
    tn_put(w->p.out, ";\n");
}

static void put_tile(tn_cl_writer *w) {
    tn_printer *p = &w->p;
    const tn_nest_stage *sum = &w->n->stage[w->sum];
    for (uint32_t s = 0; s < w->n->n_stages; s++) {
        for (uint32_t t = 0; t < w->tile; t++) {
            w->name[s][t] = tn_arena_printf(p->out->arena, "l%" PRIu32 "_%" PRIu32, s, t);
        }
    }
    for (uint32_t depth = 0; depth <= w->n->n_outer; depth++) {
        for (uint32_t s = 0; s < w->n->n_stages; s++) {
            bool here = w->n->stage[s].depth == depth;
            for (uint32_t t = 0; here && t < w->tile; t++) {
                turn_to(w, t);
                if (s == w->sum) {
                    put_start(w, s);
                } else {
                    tn_print_stage(p, s);
                }
            }
            unsigned opened =
                here && s == w->sum ? tn_print_open_stage(p, sum, sum->n, TN_NEST_AXES) : 0;
            for (uint32_t t = 0; opened > 0 && t < w->tile; t++) {
                turn_to(w, t);
                tn_print_combined(p, sum, p->local[s]);
            }
            for (; opened > 0; opened--) {
                tn_print_close(p);
            }
        }
    }
    bool skips = w->n->extent[w->row] % w->tile != 0;
    for (uint32_t t = 0; t < w->tile; t++) {
        turn_to(w, t);
        if (skips) {
            tn_print_line(p, "if (skip_row <= %" PRIu32 ") {", t);
            p->depth++;
        }
        tn_print_store(p);
        if (skips) {
            tn_print_close(p);
        }
    }
    p->ahead[w->row] = 0;
}

static void put_items(tn_cl_writer *w) {
    tn_printer *p = &w->p;
    tn_cl_put_range(w);
    if (w->tile > 1) {
        put_tile(w);
        return;
    }
    for (uint32_t a = 0; a <= w->n->n_outer; a++) {
        tn_print_stages(p, a, 0);
        if (a >= w->depth && a < w->n->n_outer) {
            tn_print_open(p, a, 0, w->n->extent[a], "1");
        }
    }
    tn_print_store(p);
    for (uint32_t a = w->depth; a < w->n->n_outer; a++) {
        tn_print_close(p);
    }
}

/* ---- the whole ---- */

void tn_cl_kernel_make(const tn_kernel_text *t, const tn_compute *c, const tn_nest *n,
                       tn_cl_over over, tn_cl_kernel *out) {
    tn_kernel_text with = *t;
    tn_sink text = tn_sink_make(c->arena);
    const void *tables[TN_PRINT_TABLES];
    with.out = &text;
    with.opencl = true;
    *out = (tn_cl_kernel){.text = NULL};
    tn_cl_writer w = {
        .p = tn_printer_make(&with, c, n), .n = n, .over = over, .k = out, .tile = 1, .lanes = 1};
    w.depth = depth_of(c, n);
    for (uint32_t s = 0; s < n->n_stages; s++) {
        w.sum = is_sum(&n->stage[s]) ? s : w.sum;
    }
    put_parameters(&w);
    tn_print_tables(&w.p, tables);
    if (tn_cl_find_rows(&w)) {
        tn_cl_put_rows(&w);
    } else if (n->n_stages > 0 && w.depth == n->n_outer && tn_cl_find_vectors(&w)) {
        tn_cl_put_vectors(&w);
    } else {
        if (n->n_stages > 0 && w.depth == n->n_outer) {
            tn_cl_find_tile(&w);
        }
        put_items(&w);
    }
    put_end(&w);
    out->text = text.data;
}
