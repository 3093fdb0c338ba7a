/* Neighbours by neighbours, in loops that compilers make vectors of. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

void tn_tiles_put_strip(const tn_tiles *t, int64_t from, int64_t end, int lanes, bool guarded) {
    tn_printer *p = t->p;
    const char *a = p->axis[t->column];
    if (from >= end) {
        return;
    }
    const char *step = tn_arena_printf(p->out->arena, "%d", lanes);
    tn_tiles strip = *t;
    strip.vectors = 0;
    tn_print_open(p, t->column, from, end, step);
    if (lanes > 1) {
        tn_tiles_put_again(&strip, end, step);
    }
    tn_print_line(p, "%s t[%d];", tn_print_type(t->s->type), lanes);
    if (t->s->start != NULL) {
        tn_tiles_indent(t);
        tn_putf(p->out, "const %s start = ", tn_print_type(t->s->type));
        tn_print_calc(p, t->s->start);
        tn_put(p->out, ";\n");
    }
    tn_print_line(p, "for (int32_t l = 0; l < %d; l++) {", lanes);
    tn_print_line(p, "    t[l] = %s;", t->s->start == NULL ? tn_print_nothing(t->s) : "start");
    tn_print_line(p, "}");
    unsigned opened = tn_print_open_stage(p, t->s, t->s->n, guarded ? TN_NEST_AXES : t->column);
    tn_print_line(p, "for (int32_t l = 0; l < %d; l++) {", lanes);
    p->depth++;
    p->axis[t->column] = tn_arena_printf(p->out->arena, "(%s + l)", a);
    tn_print_combined(p, t->s, "t[l]");
    tn_print_close(p);
    p->axis[t->column] = a;
    tn_tiles_close_all(t, opened);
    uint32_t kept = tn_print_keep_of(p, t->column);
    tn_print_line(p, "%s_IVDEP", p->t->macro);
    tn_print_line(p, "for (int32_t l = %s; l < %d; l++) {", tn_tiles_first_lane(&strip), lanes);
    p->depth++;
    p->axis[t->column] = tn_arena_printf(p->out->arena, "(%s + l)", a);
    p->local[0] = "t[l]";
    tn_print_store(p);
    p->axis[t->column] = a;
    tn_print_close(p);
    tn_print_close(p);
    tn_print_let_go(p, kept);
}
