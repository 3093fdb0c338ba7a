/* What tiles of all forms begin and end with. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

const char *tn_tiles_sum(uint32_t r, uint32_t v) {
    static const char *const names[2][8] = {{"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"},
                                            {"u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7"}};
    return names[v][r];
}

void tn_tiles_put_load(const tn_tiles *t, const tn_calc *load) {
    tn_putf(t->p->out, "x%" PRIu32 " + ", load->which);
    tn_print_affine(t->p, &load->at);
}

void tn_tiles_indent(const tn_tiles *t) {
    tn_put_indent(t->p->out, 4 * (size_t)t->p->depth);
}

const char *tn_tiles_type(const tn_tiles *t, int lanes) {
    return lanes > 0 ? tn_arena_printf(t->p->out->arena, "%s_%c%d", t->p->t->symbol,
                                       t->whole ? 'm' : 'v', lanes)
                     : tn_print_type(t->s->type);
}

bool tn_tiles_is_plain(const tn_tiles *t) {
    return t->n->value->kind == TN_CALC_LOCAL && t->n->store.by[t->column] == 1 &&
           t->p->c->results[t->n->result].dtype == t->s->type;
}

/* "a2", or of the second vector of a tile "(a2 + NET_L16)". */
static const char *column_of(const tn_tiles *t, uint32_t v) {
    const char *name = t->p->axis[t->column];
    return v == 0
               ? name
               : tn_arena_printf(t->p->out->arena, "(%s + %s_L%d)", name, t->p->t->macro, t->lanes);
}

bool tn_tiles_reads_place(const tn_nest *n, const tn_calc *x) {
    if (x == NULL) {
        return false;
    }
    bool any = x->kind == TN_CALC_LOAD && memcmp(&x->at, &n->store, sizeof x->at) == 0;
    for (uint32_t i = 0; i < 3; i++) {
        any = any || tn_tiles_reads_place(n, x->arg[i]);
    }
    return any;
}

const char *tn_tiles_first_lane(const tn_tiles *t) {
    return t->again ? "again" : "0";
}

void tn_tiles_put_again_at(tn_tiles *t, const char *end, bool whole, const char *step) {
    tn_printer *p = t->p;
    const char *a = p->axis[t->column];
    t->again = !whole && tn_tiles_reads_place(t->n, t->n->value);
    if (t->again) {
        tn_print_line(p, "const int32_t again = %s + %s > %s ? %s + %s - %s : 0;", a, step, end, a,
                      step, end);
    }
    if (t->again && t->vectors > 0 && tn_tiles_has_vectors(t)) {
        tn_print_line(p, "%s_i32 fresh[%s];", p->t->symbol, step);
        tn_print_line(p, "for (int32_t l = 0; l < %s; l++) {", step);
        tn_print_line(p, "    fresh[l] = l >= again ? -1 : 0;");
        tn_print_line(p, "}");
    }
    tn_print_line(p, "%s = %s + %s > %s ? %s - %s : %s; /* the last ones once more */", a, a, step,
                  end, end, step, a);
}

void tn_tiles_put_again(tn_tiles *t, int64_t end, const char *step) {
    tn_tiles_put_again_at(t, tn_arena_printf(t->p->out->arena, "%" PRId64, end),
                          (end - t->lo) % t->lanes == 0, step);
}

static void set_row(const tn_tiles *t, uint32_t r) {
    if (t->row != TN_NEST_AXES) {
        t->p->ahead[t->row] = r;
    }
}

/* "t[l] = ...;" where numbers of 32 bits become bytes: compilers make better vectors of two loops,
 * the second of which converts alone. */
static void put_value(const tn_tiles *t) {
    tn_printer *p = t->p;
    const tn_nest *n = t->n;
    if (!t->whole || n->value->type != TN_DT_INT32 ||
        tn_dtype_get(p->c->results[n->result].dtype)->bits != 8) {
        tn_print_store(p);
        return;
    }
    tn_tiles_indent(t);
    tn_put(p->out, "t[l] = ");
    tn_print_calc(p, n->value);
    tn_put(p->out, ";\n");
    tn_print_close(p);
    tn_print_line(p, "for (int32_t l = %s; l < %s_L%d; l++) {", tn_tiles_first_lane(t), p->t->macro,
                  t->lanes);
    p->depth++;
    tn_tiles_indent(t);
    tn_putf(p->out, "y%" PRIu32 "[", n->result);
    tn_print_affine(p, &n->store);
    tn_putf(p->out, "] = (%s_%s)t[l];\n", p->t->symbol,
            tn_print_element(p->c->results[n->result].dtype));
}

/* One by one, by way of an array. */
static void put_lanes(const tn_tiles *t, const char *sum, int lanes) {
    tn_printer *p = t->p;
    tn_print_line(p, "*(%s *)t = %s;", tn_tiles_type(t, lanes), sum);
    tn_print_line(p, "{");
    p->depth++;
    uint32_t kept = tn_print_keep_of(p, t->column);
    tn_print_line(p, "%s_IVDEP", p->t->macro);
    tn_print_line(p, "for (int32_t l = %s; l < %s_L%d; l++) {", tn_tiles_first_lane(t), p->t->macro,
                  lanes);
    p->depth++;
    p->axis[t->column] = tn_arena_printf(p->out->arena, "(%s + l)", p->axis[t->column]);
    p->local[0] = "t[l]";
    put_value(t);
    tn_print_close(p);
    tn_print_close(p);
    tn_print_let_go(p, kept);
}

static void put_store(const tn_tiles *t, const char *sum, int lanes) {
    tn_printer *p = t->p;
    if (lanes == 0) {
        p->local[0] = sum;
        tn_print_store(p);
    } else if (tn_tiles_is_plain(t)) {
        tn_tiles_indent(t);
        tn_putf(p->out, "*(%s *)(y%" PRIu32 " + ", tn_tiles_type(t, lanes), t->n->result);
        tn_print_affine(p, &t->n->store);
        tn_putf(p->out, ") = %s;\n", sum);
    } else if (tn_tiles_has_vectors(t)) {
        tn_tiles_put_vectors(t, sum, lanes);
    } else {
        put_lanes(t, sum, lanes);
    }
}

void tn_tiles_put_stores(const tn_tiles *t, uint32_t rows, int lanes) {
    const char *name = t->p->axis[t->column];
    for (uint32_t r = 0; r < rows; r++) {
        set_row(t, r);
        for (uint32_t v = 0; v < (lanes > 0 ? t->vectors : 1); v++) {
            t->p->axis[t->column] = column_of(t, v);
            put_store(t, tn_tiles_sum(r, v), lanes);
            t->p->axis[t->column] = name;
        }
    }
    set_row(t, 0);
}

void tn_tiles_put_starts(const tn_tiles *t, uint32_t rows, int lanes) {
    tn_printer *p = t->p;
    bool from_zero = t->s->combine == TN_COMBINE_SUM;
    for (uint32_t i = 0; i < rows * (lanes > 0 ? t->vectors : 1); i++) {
        tn_tiles_indent(t);
        tn_putf(p->out, "%s %s = ", tn_tiles_type(t, lanes), tn_tiles_sum(i % rows, i / rows));
        set_row(t, i % rows);
        if (t->s->start != NULL && !t->dots) {
            tn_put(p->out, lanes > 0 ? "zero + " : "");
            tn_print_calc(p, t->s->start);
        } else if (from_zero) {
            tn_put(p->out, lanes > 0 ? "zero" : t->whole ? "0" : "0.0f");
        } else {
            tn_putf(p->out, lanes > 0 ? "zero + %s" : "%s", tn_print_nothing(t->s));
        }
        tn_put(p->out, ";\n");
    }
    set_row(t, 0);
}

/* One more element, or vector, of a strip. */
static void put_combined(const tn_tiles *t, uint32_t v, int lanes) {
    static const char *const marks[] = {[TN_COMBINE_SUM] = "+", [TN_COMBINE_PRODUCT] = "*"};
    tn_combine how = t->s->combine;
    const char *sum = tn_tiles_sum(0, v), *name = how == TN_COMBINE_MAX ? "max" : "min";
    if (how == TN_COMBINE_SUM || how == TN_COMBINE_PRODUCT) {
        tn_print_line(t->p, "%s %s= v%" PRIu32 ";", sum, marks[how], v);
    } else if (lanes > 0) {
        tn_print_line(t->p, "%s = %s_%sV(v%" PRIu32 ", %s);", sum, t->p->t->macro,
                      how == TN_COMBINE_MAX ? "MAX" : "MIN", v, sum);
    } else {
        tn_print_line(t->p, "%s = %s_%sf(v%" PRIu32 ", %s);", sum, t->p->t->symbol, name, v, sum);
    }
}

static void put_product(const tn_tiles *t, uint32_t r, uint32_t v) {
    tn_printer *p = t->p;
    const char *sum = tn_tiles_sum(r, v);
    tn_tiles_indent(t);
    if (t->whole) {
        tn_putf(p->out, "%s = %s_add_i32(%s, %s_mul_i32(v%" PRIu32 ", ", sum, p->t->symbol, sum,
                p->t->symbol, v);
    } else {
        tn_putf(p->out, "%s += v%" PRIu32 " * ", sum, v);
    }
    tn_print_calc(p, t->w);
    tn_put(p->out, t->whole ? "));\n" : ";\n");
}

void tn_tiles_put_products(const tn_tiles *t, uint32_t rows, int lanes) {
    for (uint32_t r = 0; r < rows; r++) {
        set_row(t, r);
        for (uint32_t v = 0; v < (lanes > 0 ? t->vectors : 1); v++) {
            if (t->strip) {
                put_combined(t, v, lanes);
            } else {
                put_product(t, r, v);
            }
        }
    }
    set_row(t, 0);
}

void tn_tiles_close_all(const tn_tiles *t, unsigned opened) {
    for (; opened > 0; opened--) {
        tn_print_close(t->p);
    }
}
