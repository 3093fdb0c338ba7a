/* Sums of products of numbers of 8 bits, four terms at a time in words of 32 bits, as the DSP
 * instructions of a Cortex-M4 have them: two products of numbers of 16 bits are added in one.
 * Where vectors are none. A word of bytes gives two pairs: elements 0 and 2, and 1 and 3. */
#include <inttypes.h>

#include "backends/kernels/tiles.h"

static uint32_t last_of(const tn_tiles *t) {
    return t->s->first + t->s->n - 1;
}

bool tn_tiles_has_quads(const tn_tiles *t, bool clear) {
    uint32_t last = last_of(t);
    bool fits = t->whole && t->row != TN_NEST_AXES && t->w_load->at.by[last] == 1 &&
                t->n->extent[last] >= 4 && (!t->dots || t->x_load->at.by[last] == 1);
    for (uint32_t g = 0; g < t->s->n_guards; g++) {
        const tn_affine *at = &t->s->guards[g].at;
        fits = fits && (at->by[last] == 0 || (clear && at->by[t->column] != 0));
    }
    return fits;
}

/* "net_low_i8(x1 + ...)", and with `high` the other pair; less the number named `zero`, or NULL. */
static void put_pair(const tn_tiles *t, const tn_calc *load, bool high, const char *zero) {
    tn_printer *p = t->p;
    const char *symbol = p->t->symbol;
    if (zero != NULL) {
        tn_putf(p->out, "%s_less(", symbol);
    }
    tn_putf(p->out, "%s_%s_%s(", symbol, high ? "high" : "low",
            tn_print_element(p->c->operands[load->which].dtype));
    tn_tiles_put_load(t, load);
    tn_put(p->out, ")");
    if (zero != NULL) {
        tn_putf(p->out, ", %s_two(%s, %s))", symbol, zero, zero);
    }
}

/* "v0" and "v1": pairs that all rows share, of x, or of w where both lie side by side. */
static void put_shared(const tn_tiles *t) {
    tn_printer *p = t->p;
    uint32_t last = last_of(t);
    const char *k = p->axis[last];
    for (uint32_t i = 0; i < 2; i++) {
        tn_tiles_indent(t);
        tn_putf(p->out, "const int32_t v%" PRIu32 " = ", i);
        if (t->dots) {
            put_pair(t, t->w_load, i > 0, t->w_zero != NULL ? "zero" : NULL);
        } else {
            tn_putf(p->out, "%s_two(", p->t->symbol);
            p->axis[last] = tn_arena_printf(p->out->arena, "(%s + %" PRIu32 ")", k, i);
            tn_print_calc(p, t->x);
            tn_put(p->out, ", ");
            p->axis[last] = tn_arena_printf(p->out->arena, "(%s + %" PRIu32 ")", k, i + 2);
            tn_print_calc(p, t->x);
            tn_put(p->out, ")");
            p->axis[last] = k;
        }
        tn_put(p->out, ";\n");
    }
}

static void put_words(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    tn_print_open(p, last_of(t), 0, t->n->extent[last_of(t)] / 4 * 4, "4");
    put_shared(t);
    if (!t->dots && t->w_zero != NULL) {
        tn_print_line(p, "all = %s_quad(all, v0, v1, 65537, 65537);", p->t->symbol);
    }
    for (uint32_t r = 0; r < rows; r++) {
        const char *zero =
            t->dots && t->x_zero != NULL ? tn_arena_printf(p->out->arena, "z%" PRIu32, r) : NULL;
        p->ahead[t->row] = r;
        tn_tiles_indent(t);
        tn_putf(p->out, "%s = %s_quad(%s, v0, v1, ", tn_tiles_sum(r, 0), p->t->symbol,
                tn_tiles_sum(r, 0));
        put_pair(t, t->dots ? t->x_load : t->w_load, false, zero);
        tn_put(p->out, ", ");
        put_pair(t, t->dots ? t->x_load : t->w_load, true, zero);
        tn_put(p->out, ");\n");
    }
    p->ahead[t->row] = 0;
    tn_print_close(p);
}

/* What is left of the axis, term by term. */
static void put_rest(const tn_tiles *t, uint32_t rows) {
    tn_printer *p = t->p;
    int64_t n = t->n->extent[last_of(t)];
    if (n % 4 == 0) {
        return;
    }
    tn_print_open(p, last_of(t), n / 4 * 4, n, "1");
    for (uint32_t r = 0; r < rows; r++) {
        p->ahead[t->row] = r;
        tn_tiles_indent(t);
        tn_putf(p->out, "%s = %s_add_i32(%s, %s_mul_i32(", tn_tiles_sum(r, 0), p->t->symbol,
                tn_tiles_sum(r, 0), p->t->symbol);
        tn_print_calc(p, t->x);
        tn_put(p->out, ", ");
        tn_print_calc(p, t->w);
        tn_put(p->out, "));\n");
    }
    p->ahead[t->row] = 0;
    tn_print_close(p);
}

/* The zero points of w are taken off in the end, from all terms that went by words. */
void tn_tiles_put_quads(const tn_tiles *t, uint32_t rows, bool clear) {
    tn_printer *p = t->p;
    bool later = !t->dots && t->w_zero != NULL;
    tn_print_line(p, "%s", later ? "int32_t all = 0;" : "{");
    unsigned opened = tn_print_open_stage(p, t->s, t->s->n - 1, clear ? t->column : TN_NEST_AXES);
    put_words(t, rows);
    put_rest(t, rows);
    tn_tiles_close_all(t, opened);
    for (uint32_t r = 0; later && r < rows; r++) {
        p->ahead[t->row] = r;
        tn_tiles_indent(t);
        tn_putf(p->out, "%s = %s_sub_i32(%s, %s_mul_i32(all, ", tn_tiles_sum(r, 0), p->t->symbol,
                tn_tiles_sum(r, 0), p->t->symbol);
        tn_print_calc(p, t->w_zero);
        tn_put(p->out, "));\n");
        p->ahead[t->row] = 0;
    }
    if (!later) {
        tn_print_line(p, "}");
    }
}
