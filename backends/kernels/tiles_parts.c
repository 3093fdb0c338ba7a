/* What tiles of all forms begin and end with. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

const char *const tn_tiles_sum[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};

void tn_tiles_put_load(const tn_tiles *t, const tn_calc *load) {
    tn_putf(t->p->out, "x%" PRIu32 " + ", load->which);
    tn_print_affine(t->p, &load->at);
}

void tn_tiles_indent(const tn_tiles *t) {
    tn_put_indent(t->p->out, 4 * (size_t)t->p->depth);
}

const char *tn_tiles_type(const tn_tiles *t, int lanes) {
    return lanes > 0 ? tn_arena_printf(t->p->out->arena, "%s_%c%d", t->p->t->symbol,
                                       t->whole ? 'w' : 'v', lanes)
                     : tn_print_type(t->s->type);
}

bool tn_tiles_is_plain(const tn_tiles *t) {
    return t->n->value->kind == TN_CALC_LOCAL && t->n->store.by[t->column] == 1 &&
           t->p->c->results[t->n->result].dtype == t->s->type;
}

/* "t[l] = ...;" where numbers of 32 bits become bytes: compilers make better vectors of two loops,
 * the second of which converts alone. */
static void put_value(const tn_tiles *t) {
    tn_printer *p = t->p;
    const tn_nest *n = t->n;
    if (n->value->type != TN_DT_INT32 || tn_dtype_get(p->c->results[n->result].dtype)->bits != 8) {
        tn_print_store(p);
        return;
    }
    tn_tiles_indent(t);
    tn_put(p->out, "t[l] = ");
    tn_print_calc(p, n->value);
    tn_put(p->out, ";\n");
    tn_print_close(p);
    tn_print_line(p, "for (int32_t l = 0; l < %s_L%d; l++) {", p->t->macro, t->lanes);
    p->depth++;
    tn_tiles_indent(t);
    tn_putf(p->out, "y%" PRIu32 "[", n->result);
    tn_print_affine(p, &n->store);
    tn_putf(p->out, "] = (%s_%s)t[l];\n", p->t->symbol,
            tn_print_element(p->c->results[n->result].dtype));
}

/* A vector of sums, number `r`. */
static void put_vector(const tn_tiles *t, uint32_t r, int lanes) {
    tn_printer *p = t->p;
    const char *type = tn_tiles_type(t, lanes), *name = p->axis[t->column];
    if (tn_tiles_is_plain(t)) {
        tn_tiles_indent(t);
        tn_putf(p->out, "*(%s *)(y%" PRIu32 " + ", type, t->n->result);
        tn_print_affine(p, &t->n->store);
        tn_putf(p->out, ") = %s;\n", tn_tiles_sum[r]);
        return;
    }
    tn_print_line(p, "*(%s *)t = %s;", type, tn_tiles_sum[r]);
    tn_print_line(p, "{");
    p->depth++;
    uint32_t kept = tn_print_keep_of(p, t->column);
    tn_print_line(p, "%s_IVDEP", p->t->macro);
    tn_print_line(p, "for (int32_t l = 0; l < %s_L%d; l++) {", p->t->macro, lanes);
    p->depth++;
    p->axis[t->column] = tn_arena_printf(p->out->arena, "(%s + l)", name);
    p->local[0] = "t[l]";
    put_value(t);
    p->axis[t->column] = name;
    tn_print_close(p);
    tn_print_close(p);
    tn_print_let_go(p, kept);
}

void tn_tiles_put_stores(const tn_tiles *t, uint32_t rows, int lanes) {
    tn_printer *p = t->p;
    for (uint32_t r = 0; r < rows; r++) {
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = r;
        }
        p->local[0] = tn_tiles_sum[r];
        if (lanes > 0) {
            put_vector(t, r, lanes);
        } else {
            tn_print_store(p);
        }
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = 0;
        }
    }
}

void tn_tiles_put_starts(const tn_tiles *t, uint32_t rows, int lanes) {
    tn_printer *p = t->p;
    const char *type = tn_tiles_type(t, lanes);
    for (uint32_t r = 0; r < rows; r++) {
        tn_tiles_indent(t);
        tn_putf(p->out, "%s %s = ", type, tn_tiles_sum[r]);
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = r;
        }
        if (t->s->start != NULL && !t->dots) {
            tn_put(p->out, lanes > 0 ? "zero + " : "");
            tn_print_calc(p, t->s->start);
        } else {
            tn_put(p->out, lanes > 0 ? "zero" : t->whole ? "0" : "0.0f");
        }
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = 0;
        }
        tn_put(p->out, ";\n");
    }
}

void tn_tiles_put_products(const tn_tiles *t, uint32_t rows, const char *v) {
    tn_printer *p = t->p;
    for (uint32_t r = 0; r < rows; r++) {
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = r;
        }
        tn_tiles_indent(t);
        if (t->whole) {
            tn_putf(p->out, "%s = %s_add_i32(%s, %s_mul_i32(%s, ", tn_tiles_sum[r], p->t->symbol,
                    tn_tiles_sum[r], p->t->symbol, v);
        } else {
            tn_putf(p->out, "%s += %s * ", tn_tiles_sum[r], v);
        }
        tn_print_calc(p, t->w);
        tn_put(p->out, t->whole ? "));\n" : ";\n");
        if (t->row != TN_NEST_AXES) {
            p->ahead[t->row] = 0;
        }
    }
}

void tn_tiles_close_all(const tn_tiles *t, unsigned opened) {
    for (; opened > 0; opened--) {
        tn_print_close(t->p);
    }
}
