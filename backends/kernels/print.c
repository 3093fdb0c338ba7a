#include "backends/kernels/print.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Those of an op: of floats, of whole numbers. */
static const char *const texts[][2] = {
#define CALC(id, name, args, out, floats, whole) {floats, whole},
#include "ir/compute/calc_ops.def"
#undef CALC
};

void tn_print_line(const tn_printer *p, const char *fmt, ...) {
    char line[256];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line) {
        tn_bug(tn_arena_ctx(p->out->arena), "a line of a kernel is too long: %s", line);
    }
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    tn_put(p->out, line);
    tn_put(p->out, "\n");
}

uint32_t tn_print_table(const tn_printer *p, const void *table) {
    uint32_t i = 0;
    while (i < p->n_tables && p->tables[i] != table) {
        i++;
    }
    return i;
}

void tn_print_affine(const tn_printer *p, const tn_affine *at) {
    int64_t base = at->base;
    bool any = false;
    for (uint32_t a = 0; a < p->n->n_axes; a++) {
        int64_t by = at->by[a];
        base += by * p->ahead[a];
        if (at->table[a] != NULL) {
            tn_putf(p->out, "%st%" PRIu32 "[%s]", any ? " + " : "", tn_print_table(p, at->table[a]),
                    p->axis[a]);
            any = true;
        }
        if (by == 0 || strcmp(p->axis[a], "0") == 0) {
            continue;
        }
        tn_put(p->out, any ? (by < 0 ? " - " : " + ") : by < 0 ? "-" : "");
        tn_put(p->out, p->axis[a]);
        if (by != 1 && by != -1) {
            tn_putf(p->out, " * %" PRId64, by < 0 ? -by : by);
        }
        any = true;
    }
    if (base != 0 || !any) {
        tn_put(p->out, any ? (base < 0 ? " - " : " + ") : base < 0 ? "-" : "");
        tn_putf(p->out, "%" PRId64, base < 0 ? -base : base);
    }
}

/* ---- types ---- */

/* As C has the types of expressions. */
static const struct {
    tn_dtype type;
    const char *name, *number, *least, *most;
} types[] = {
    {TN_DT_FLOAT, "float", NULL, "-INFINITY", "INFINITY"},
    {TN_DT_DOUBLE, "double", NULL, "-INFINITY", "INFINITY"},
    {TN_DT_INT32, "int32_t", "(%.0f)", "INT32_MIN", "INT32_MAX"},
    {TN_DT_UINT32, "uint32_t", "%.0fu", "0", "UINT32_MAX"},
    {TN_DT_INT64, "int64_t", "INT64_C(%.0f)", "INT64_MIN", "INT64_MAX"},
    {TN_DT_UINT64, "uint64_t", "UINT64_C(%.0f)", "0", "UINT64_MAX"},
    {TN_DT_BOOL, "int32_t", "%.0f", "0", "1"},
};

static uint32_t type_at(tn_dtype type) {
    uint32_t i = 0;
    while (types[i].type != type && i + 1 < sizeof types / sizeof types[0]) {
        i++;
    }
    return i;
}

const char *tn_print_type(tn_dtype type) {
    return types[type_at(type)].name;
}

static const char *suffix_of(tn_dtype type) {
    return type == TN_DT_BOOL ? "i32" : tn_dtype_get(type)->name;
}

/* Elements that become floats, or whole numbers, by a function. */
static bool is_packed(tn_dtype dtype) {
    return tn_dtype_get(dtype)->bits < 8 ||
           (tn_dtype_get(dtype)->kind == 'F' && tn_dtype_get(dtype)->bits < 32);
}

const char *tn_print_element(tn_dtype dtype) {
    const tn_dtype_info *info = tn_dtype_get(dtype);
    if (is_packed(dtype) || info->kind == 'B') {
        return info->bits == 16 ? "u16" : "u8";
    }
    return info->kind == 'C' ? "u64" : info->name;
}

void tn_print_number(const tn_printer *p, double x, tn_dtype type) {
    char text[64];
    if (!tn_calc_is_float(type)) {
        bool least = type == TN_DT_INT32 && x == INT32_MIN;
        snprintf(text, sizeof text,
                 x >= 0 && type == TN_DT_INT32 ? "%.0f" : types[type_at(type)].number, x);
        tn_put(p->out, least ? "INT32_MIN" : text);
        return;
    }
    const char *f = type == TN_DT_FLOAT ? "f" : "";
    if (type == TN_DT_FLOAT && fabs(x) > (double)FLT_MAX) {
        x = x < 0 ? -(double)INFINITY : (double)INFINITY; /* C has no constant for it */
    } else if (type == TN_DT_FLOAT && fabs(x) < (double)FLT_MIN) {
        x = (double)(float)x; /* nor for what rounds to 0 */
    }
    if (isinf(x)) {
        tn_put(p->out, x < 0 ? "(-INFINITY)" : "INFINITY");
        return;
    }
    snprintf(text, sizeof text, type == TN_DT_FLOAT ? "%.9g" : "%.17g", x);
    bool whole = strpbrk(text, ".en") == NULL;
    tn_putf(p->out, x < 0 ? "(%s%s%s)" : "%s%s%s", text, whole ? ".0" : "", f);
}

/* ---- expressions ---- */

static bool is_call(const tn_calc *x) {
    if (x->kind != TN_CALC_OP || x->op == TN_CALC_CONVERT || x->op == TN_CALC_WHOLE) {
        return x->kind != TN_CALC_OP || x->type != x->arg[0]->type || is_call(x->arg[0]);
    }
    const char *text =
        texts[x->op][!tn_calc_is_float(x->arg[1] != NULL ? x->arg[1]->type : x->arg[0]->type)];
    return strchr("@abcdefghijklmnopqrstuvwxyz", text[0]) != NULL;
}

static void print_args(const tn_printer *p, const tn_calc *x, const char *text, tn_dtype of) {
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '@') {
            tn_putf(p->out, "%s_", p->t->symbol);
        } else if (*at == '~' && at != text) {
            tn_put(p->out, of == TN_DT_FLOAT && (!p->t->opencl || text[0] == '@') ? "f" : "");
        } else if (*at == '#') {
            tn_put(p->out, suffix_of(of));
        } else if (*at != '$') {
            tn_put_c(p->out, *at);
        } else {
            const tn_calc *arg = x->arg[*++at - '1'];
            tn_put(p->out, is_call(arg) ? "" : "(");
            tn_print_calc(p, arg);
            tn_put(p->out, is_call(arg) ? "" : ")");
        }
    }
}

static void print_converted(const tn_printer *p, const tn_calc *x) {
    tn_dtype from = x->arg[0]->type;
    bool floats = tn_calc_is_float(from), checked = floats && x->op == TN_CALC_CONVERT;
    if (x->type == from) {
        tn_print_calc(p, x->arg[0]);
    } else if (x->type == TN_DT_BOOL) {
        print_args(p, x, "($1 != 0)", from);
    } else if (checked && !tn_calc_is_float(x->type)) {
        print_args(p, x,
                   tn_arena_printf(p->out->arena,
                                   x->type == TN_DT_UINT64 ? "@to_u64($1)" : "(%s)@to_i64($1)",
                                   tn_print_type(x->type)),
                   from);
    } else {
        print_args(p, x, tn_arena_printf(p->out->arena, "(%s)$1", tn_print_type(x->type)), from);
    }
}

static void print_op(const tn_printer *p, const tn_calc *x) {
    if (x->op == TN_CALC_CONVERT || x->op == TN_CALC_WHOLE) {
        print_converted(p, x);
        return;
    }
    tn_dtype of = x->arg[1] != NULL ? x->arg[1]->type : x->arg[0]->type;
    print_args(p, x, texts[x->op][!tn_calc_is_float(of)], of);
}

/* The name of elements below a byte, which nothing is computed with but as whole numbers. */
static const char *small_name(const tn_dtype_info *info) {
    return info->kind == 'I' ? info->name : info->bits == 4 ? "u4" : "u2";
}

static void print_index(const tn_printer *p, const tn_affine *at, const tn_calc *by) {
    tn_print_affine(p, at);
    if (by != NULL) {
        tn_put(p->out, " + (int32_t)(");
        tn_print_calc(p, by);
        tn_put(p->out, ")");
    }
}

static void print_load(const tn_printer *p, const tn_calc *x) {
    bool made = x->kind == TN_CALC_MADE;
    uint32_t which = made ? p->n->result : x->which;
    tn_dtype dtype = made ? p->c->results[which].dtype : p->c->operands[which].dtype;
    const tn_dtype_info *info = tn_dtype_get(dtype);
    bool small = info->bits < 8, unpacked = !small && is_packed(dtype) && x->type != dtype;
    if (small || unpacked) {
        tn_putf(p->out, "%s_from_%s(", p->t->symbol, small ? small_name(info) : info->name);
    }
    tn_putf(p->out, "%c%" PRIu32 "%s", made ? 'y' : 'x', which, small ? ", " : "[");
    print_index(p, &x->at, x->arg[0]);
    tn_put(p->out, small ? ")" : unpacked ? "])" : "]");
}

void tn_print_calc(const tn_printer *p, const tn_calc *x) {
    if (x->kind == TN_CALC_NUMBER) {
        tn_print_number(p, x->number, x->type);
    } else if (x->kind == TN_CALC_LOAD || x->kind == TN_CALC_MADE) {
        print_load(p, x);
    } else if (x->kind == TN_CALC_LOCAL) {
        tn_put(p->out, p->local[x->which]);
    } else if (x->kind == TN_CALC_OP) {
        print_op(p, x);
    } else {
        bool factor = x->kind == TN_CALC_FACTOR;
        if (factor) {
            tn_putf(p->out, "t%" PRIu32 "[", tn_print_table(p, x->factors));
        } else {
            tn_putf(p->out, "(%s)(", tn_print_type(x->type));
        }
        tn_print_affine(p, &x->at);
        tn_put(p->out, factor ? "]" : ")");
    }
}

/* "y0[...] = ...;", with the value as an expression or by its name. */
static void print_store(const tn_printer *p, const tn_affine *at, const char *name) {
    tn_dtype dtype = p->c->results[p->n->result].dtype;
    const tn_dtype_info *info = tn_dtype_get(dtype);
    bool small = info->bits < 8, bracket = true;
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    if (small) {
        tn_putf(p->out, "%s_put_u%u(y%" PRIu32 ", ", p->t->symbol, info->bits, p->n->result);
    } else {
        tn_putf(p->out, "y%" PRIu32 "[", p->n->result);
    }
    print_index(p, at, p->n->store_by);
    tn_put(p->out, small ? ", " : "] = ");
    const tn_calc *v =
        p->n->value; /* gcc takes a cast to one unsigned type for signed in another */
    bool converted = info->kind == 'U' && v->kind == TN_CALC_OP && v->op == TN_CALC_CONVERT;
    if (small || p->n->moves || (v->type == dtype && dtype != TN_DT_BOOL && !converted)) {
        bracket = small;
    } else if (is_packed(dtype)) {
        tn_putf(p->out, "%s_to_%s(", p->t->symbol, info->name);
    } else {
        tn_putf(p->out, "(%s_%s)(", p->t->symbol, tn_print_element(dtype));
    }
    if (name != NULL) {
        tn_put(p->out, name);
    } else {
        tn_print_calc(p, p->n->value);
    }
    tn_put(p->out, bracket ? ");\n" : ";\n");
}

static void print_value(const tn_printer *p, const char *name, const tn_calc *value) {
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    tn_putf(p->out, "const %s %s = ", tn_print_type(value->type), name);
    tn_print_calc(p, value);
    tn_put(p->out, ";\n");
}

void tn_print_store(const tn_printer *p) {
    if (p->n->value_too == NULL) {
        print_store(p, &p->n->store, NULL);
        return;
    }
    print_value(p, "v0", p->n->value);
    print_value(p, "v1", p->n->value_too);
    print_store(p, &p->n->store, "v0");
    print_store(p, &p->n->store_too, "v1");
}

/* ---- loops ---- */

void tn_print_open(tn_printer *p, uint32_t axis, int64_t from, int64_t end, const char *step) {
    const char *a = p->axis[axis];
    if (axis == 0 && p->parallel && p->n->n_outer > 0) {
        tn_print_line(p, "%s_PARALLEL", p->t->macro);
        p->parallel = false;
    }
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    tn_putf(p->out, "for (int32_t %s = %" PRId64 "; %s < %" PRId64 "; ", a, from, a, end);
    if (strcmp(step, "1") == 0) {
        tn_putf(p->out, "%s++) {\n", a);
    } else {
        tn_putf(p->out, "%s += %s) {\n", a, step);
    }
    p->depth++;
}

void tn_print_close(tn_printer *p) {
    p->depth--;
    tn_print_line(p, "}");
}

/* The stage's axis that the guard reads last; below the first where it reads none. */
static uint32_t last_axis(const tn_nest_stage *s, const tn_nest_guard *g, uint32_t axes) {
    for (uint32_t a = s->first + axes; a-- > s->first;) {
        if (g->at.by[a] != 0) {
            return a;
        }
    }
    return TN_NEST_AXES;
}

void tn_print_guards(const tn_printer *p, const tn_nest_stage *s, uint32_t axes, uint32_t at,
                     uint32_t but) {
    for (uint32_t g = 0; g < s->n_guards; g++) {
        const tn_nest_guard *guard = &s->guards[g];
        if (last_axis(s, guard, axes) != at || (but < TN_NEST_AXES && guard->at.by[but] != 0)) {
            continue;
        }
        tn_put_indent(p->out, 4 * (size_t)p->depth);
        tn_put(p->out, "if ((uint32_t)(");
        tn_print_affine(p, &guard->at);
        tn_putf(p->out, ") >= %" PRId64 "u) {\n", guard->end);
        tn_put_indent(p->out, 4 * (size_t)p->depth + 4);
        tn_put(p->out, "continue;\n");
        tn_print_line(p, "}");
    }
}

unsigned tn_print_open_stage(tn_printer *p, const tn_nest_stage *s, uint32_t axes, uint32_t but) {
    unsigned opened = 0;
    bool alone = false;
    for (uint32_t g = 0; g < s->n_guards; g++) {
        bool asked = but == TN_NEST_AXES || s->guards[g].at.by[but] == 0;
        alone = alone || (asked && last_axis(s, &s->guards[g], axes) == TN_NEST_AXES);
    }
    if (alone || axes == 0) { /* a loop of one round, which `continue` leaves */
        tn_print_line(p, "for (int32_t once = 0; once < 1; once++) {");
        p->depth++;
        opened++;
        tn_print_guards(p, s, axes, TN_NEST_AXES, but);
    }
    for (uint32_t a = s->first; a < s->first + axes; a++) {
        tn_print_open(p, a, 0, p->n->extent[a], "1");
        tn_print_guards(p, s, axes, a, but);
        opened++;
    }
    return opened;
}

/* ---- stages ---- */

bool tn_print_is_term(const tn_nest_stage *s) {
    return s->n == 0 && s->n_guards == 0 && s->start == NULL;
}

const char *tn_print_nothing(const tn_nest_stage *s) {
    uint32_t of = type_at(s->type);
    return s->combine == TN_COMBINE_SUM   ? "0"
           : s->combine == TN_COMBINE_MAX ? types[of].least
           : s->combine == TN_COMBINE_MIN ? types[of].most
                                          : "1";
}

void tn_print_combined(const tn_printer *p, const tn_nest_stage *s, const char *local) {
    static const char *const words[] = {[TN_COMBINE_SUM] = "add",
                                        [TN_COMBINE_MAX] = "max",
                                        [TN_COMBINE_MIN] = "min",
                                        [TN_COMBINE_PRODUCT] = "mul"};
    bool sum = s->combine == TN_COMBINE_SUM, product = s->combine == TN_COMBINE_PRODUCT;
    bool floats = tn_calc_is_float(s->type);
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    if (floats && (sum || product)) {
        tn_putf(p->out, "%s %s= ", local, sum ? "+" : "*");
        tn_print_calc(p, s->body);
        tn_put(p->out, ";\n");
        return;
    }
    const char *of = s->type == TN_DT_FLOAT ? "f" : floats ? "" : suffix_of(s->type);
    tn_putf(p->out, "%s = %s_%s%s%s(", local, p->t->symbol, words[s->combine], floats ? "" : "_",
            of);
    tn_print_calc(p, s->body);
    tn_putf(p->out, ", %s);\n", local);
}
