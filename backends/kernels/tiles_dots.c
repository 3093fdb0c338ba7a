/* Sums over places that lie side by side. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

/* Sums along the last axis of the stage, in lanes and what is left one by one. */
void tn_tiles_put_dots(const tn_tiles *t, uint32_t rows) {
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
    tn_tiles_put_starts(t, rows, 0);
    unsigned opened = t->s->n > 1 ? tn_print_open_stage(p, t->s, t->s->n - 1, TN_NEST_AXES) : 0;
    tn_print_line(p, "int32_t %s = 0;", k);
    tn_print_line(p, "for (; %s + %s <= %" PRId64 "; %s += %s) {", k, lanes, t->n->extent[last], k,
                  lanes);
    p->depth++;
    tn_tiles_indent(t);
    tn_putf(p->out, "const %s w = *(const %s *)(", v, v);
    tn_tiles_put_load(t, t->w);
    tn_put(p->out, ");\n");
    for (uint32_t r = 0; r < rows; r++) {
        p->ahead[t->row] = r;
        tn_tiles_indent(t);
        tn_putf(p->out, "v%" PRIu32 " += w * *(const %s *)(", r, v);
        tn_tiles_put_load(t, t->x);
        tn_put(p->out, ");\n");
        p->ahead[t->row] = 0;
    }
    tn_print_close(p);
    tn_print_line(p, "for (; %s < %" PRId64 "; %s++) {", k, t->n->extent[last], k);
    p->depth++;
    for (uint32_t r = 0; r < rows; r++) {
        p->ahead[t->row] = r;
        tn_tiles_indent(t);
        tn_putf(p->out, "%s += ", tn_tiles_sum(r, 0));
        tn_print_calc(p, t->s->body);
        tn_put(p->out, ";\n");
        p->ahead[t->row] = 0;
    }
    tn_print_close(p);
    tn_tiles_close_all(t, opened);
    for (uint32_t r = 0; r < rows; r++) {
        tn_print_line(p, "*(%s *)t = v%" PRIu32 ";", v, r);
        tn_print_line(p, "for (int32_t l = 0; l < %s; l++) {", lanes);
        tn_print_line(p, "    %s += t[l];", tn_tiles_sum(r, 0));
        tn_print_line(p, "}");
        if (t->s->start != NULL) {
            p->ahead[t->row] = r;
            tn_tiles_indent(t);
            tn_putf(p->out, "%s += ", tn_tiles_sum(r, 0));
            tn_print_calc(p, t->s->start);
            tn_put(p->out, ";\n");
            p->ahead[t->row] = 0;
        }
    }
    tn_tiles_put_stores(t, rows, 0);
}
