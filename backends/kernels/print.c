#include "backends/kernels/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const texts[] = {
#define CALC(id, name, args, c) c,
#include "ir/compute/calc_ops.def"
#undef CALC
};

void tn_print_line(const tn_printer *p, const char *fmt, ...) {
    char line[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    tn_put(p->out, line);
    tn_put(p->out, "\n");
}

static uint32_t number_of(const tn_printer *p, const void *table) {
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
            tn_putf(p->out, "%st%" PRIu32 "[%s]", any ? " + " : "", number_of(p, at->table[a]),
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

static void print_number(const tn_printer *p, double x) {
    if (isinf(x)) {
        tn_put(p->out, x < 0 ? "-INFINITY" : "INFINITY");
        return;
    }
    char text[40];
    snprintf(text, sizeof text, "%.9g", x);
    bool whole = strpbrk(text, ".en") == NULL;
    tn_putf(p->out, x < 0 ? "(%s%sf)" : "%s%sf", text, whole ? ".0" : "");
}

static bool is_call(const tn_calc *x) {
    return x->kind != TN_CALC_OP || strchr("@abcdefghijklmnopqrstuvwxyz", texts[x->op][0]) != NULL;
}

static void print_op(const tn_printer *p, const tn_calc *x) {
    for (const char *at = texts[x->op]; *at != '\0'; at++) {
        if (*at == '@') {
            tn_putf(p->out, "%s_", p->t->symbol);
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

void tn_print_calc(const tn_printer *p, const tn_calc *x) {
    switch (x->kind) {
    case TN_CALC_NUMBER:
        print_number(p, x->number);
        break;
    case TN_CALC_LOAD:
        tn_putf(p->out, "x%" PRIu32 "[", x->which);
        tn_print_affine(p, &x->at);
        tn_put(p->out, "]");
        break;
    case TN_CALC_LOCAL:
        tn_put(p->out, p->local[x->which]);
        break;
    case TN_CALC_FACTOR:
        tn_putf(p->out, "t%" PRIu32 "[", number_of(p, x->factors));
        tn_print_affine(p, &x->at);
        tn_put(p->out, "]");
        break;
    case TN_CALC_OP:
        print_op(p, x);
        break;
    }
}

/* ---- loops ---- */

void tn_print_open(tn_printer *p, uint32_t axis, int64_t from, int64_t end, const char *step) {
    const char *a = p->axis[axis];
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

static void print_guards(const tn_printer *p, const tn_nest_stage *s, uint32_t axes, uint32_t at,
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
        print_guards(p, s, axes, TN_NEST_AXES, but);
    }
    for (uint32_t a = s->first; a < s->first + axes; a++) {
        tn_print_open(p, a, 0, p->n->extent[a], "1");
        print_guards(p, s, axes, a, but);
        opened++;
    }
    return opened;
}

/* ---- plain nests ---- */

const char *tn_print_nothing(const tn_nest_stage *s) {
    static const char *const nothing[] = {
        [TN_COMBINE_SUM] = "0.0f",
        [TN_COMBINE_MAX] = "-INFINITY",
        [TN_COMBINE_MIN] = "INFINITY",
        [TN_COMBINE_PRODUCT] = "1.0f",
    };
    return nothing[s->combine];
}

void tn_print_combined(const tn_printer *p, const tn_nest_stage *s, const char *local) {
    bool sum = s->combine == TN_COMBINE_SUM, product = s->combine == TN_COMBINE_PRODUCT;
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    if (sum || product) {
        tn_putf(p->out, "%s %s= ", local, sum ? "+" : "*");
        tn_print_calc(p, s->body);
        tn_put(p->out, ";\n");
        return;
    }
    tn_putf(p->out, "%s = %s_%s(", local, p->t->symbol,
            s->combine == TN_COMBINE_MAX ? "max" : "min");
    tn_print_calc(p, s->body);
    tn_putf(p->out, ", %s);\n", local);
}

static void print_stage(tn_printer *p, uint32_t number) {
    const tn_nest_stage *s = &p->n->stage[number];
    const char *local = p->local[number];
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    tn_putf(p->out, "float %s = ", local);
    if (s->start != NULL) {
        tn_print_calc(p, s->start);
    } else {
        tn_put(p->out, tn_print_nothing(s));
    }
    tn_put(p->out, ";\n");
    unsigned opened = tn_print_open_stage(p, s, s->n, TN_NEST_AXES);
    tn_print_combined(p, s, local);
    for (; opened > 0; opened--) {
        tn_print_close(p);
    }
}

/* Whether no round of the innermost loop reads what another writes: a result that lies over an
 * operand has each element over that of the same index. */
static bool is_free(const tn_nest *n) {
    for (uint32_t s = 0; s < n->n_stages; s++) {
        if (n->stage[s].depth == n->n_outer) {
            return false;
        }
    }
    return true;
}

static void print_plain(tn_printer *p) {
    const tn_nest *n = p->n;
    for (uint32_t a = 0; a <= n->n_outer; a++) {
        for (uint32_t s = 0; s < n->n_stages; s++) {
            if (n->stage[s].depth == a) {
                print_stage(p, s);
            }
        }
        if (a < n->n_outer) {
            if (a + 1 == n->n_outer && is_free(n)) {
                tn_print_line(p, "%s_IVDEP", p->t->macro);
            }
            tn_print_open(p, a, 0, n->extent[a], "1");
        }
    }
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    tn_putf(p->out, "y%" PRIu32 "[", n->result);
    tn_print_affine(p, &n->store);
    tn_put(p->out, "] = ");
    tn_print_calc(p, n->value);
    tn_put(p->out, ";\n");
    for (uint32_t a = 0; a < n->n_outer; a++) {
        tn_print_close(p);
    }
}

/* ---- tables ---- */

enum { MOST_TABLES = 16 };

typedef struct tables {
    tn_printer *p;
    const void *at[MOST_TABLES];
} tables;

static bool is_new(const tables *t, const void *table) {
    return table != NULL && t->p->n_tables < MOST_TABLES &&
           number_of(t->p, table) == t->p->n_tables;
}

static void put_places(tables *t, const int32_t *table, int64_t n) {
    if (!is_new(t, table)) {
        return;
    }
    tn_put_indent(t->p->out, 4 * (size_t)t->p->depth);
    tn_putf(t->p->out, "static const int32_t t%" PRIu32 "[] = {", t->p->n_tables);
    for (int64_t i = 0; i < n; i++) {
        tn_putf(t->p->out, i > 0 ? ", %" PRId32 : "%" PRId32, table[i]);
    }
    tn_put(t->p->out, "};\n");
    t->at[t->p->n_tables++] = table;
}

static void put_factors(tables *t, const tn_calc *x) {
    if (!is_new(t, x->factors)) {
        return;
    }
    tn_put_indent(t->p->out, 4 * (size_t)t->p->depth);
    tn_putf(t->p->out, "static const float t%" PRIu32 "[] = {", t->p->n_tables);
    for (uint32_t i = 0; i < x->which; i++) {
        tn_put(t->p->out, i > 0 ? ", " : "");
        print_number(t->p, x->factors[i]);
    }
    tn_put(t->p->out, "};\n");
    t->at[t->p->n_tables++] = x->factors;
}

/* Those of an expression; tables are read by what is stored alone, not by stages. */
static void put_tables(tables *t, const tn_calc *x) {
    if (x->kind == TN_CALC_FACTOR) {
        put_factors(t, x);
    }
    for (uint32_t a = 0; x->kind == TN_CALC_LOAD && a < t->p->n->n_axes; a++) {
        put_places(t, x->at.table[a], t->p->n->extent[a]);
    }
    for (uint32_t i = 0; x->kind == TN_CALC_OP && i < tn_calc_args(x->op); i++) {
        put_tables(t, x->arg[i]);
    }
}

/* ---- the whole ---- */

static void mark_used(const tn_calc *x, bool *used) {
    if (x == NULL) {
        return;
    }
    if (x->kind == TN_CALC_LOAD) {
        used[x->which] = true;
    }
    for (uint32_t i = 0; x->kind == TN_CALC_OP && i < tn_calc_args(x->op); i++) {
        mark_used(x->arg[i], used);
    }
}

static const char *type_of(tn_dtype dtype) {
    switch (tn_dtype_get(dtype)->bits) {
    case 8:
        return "u8";
    case 16:
        return "u16";
    case 64:
        return "u64";
    default:
        return dtype == TN_DT_FLOAT ? "f32" : "u32";
    }
}

static void print_pointers(const tn_kernel_text *t, const tn_compute *c) {
    bool *used = TN_ARRAY(c->arena, bool, c->n_operands + 1u);
    bool *made = TN_ARRAY(c->arena, bool, c->n_results + 1u);
    for (uint32_t i = 0; i < c->nests.len; i++) {
        const tn_nest *n = &c->nests.data[i];
        made[n->result] = true;
        mark_used(n->value, used);
        for (uint32_t s = 0; s < n->n_stages; s++) {
            mark_used(n->stage[s].start, used);
            mark_used(n->stage[s].body, used);
        }
    }
    for (uint32_t i = 0; i < c->n_operands; i++) {
        if (used[i]) {
            const char *type = type_of(c->operands[i].dtype);
            tn_putf(t->out, "    const %s_%s *const x%" PRIu32 " = (const %s_%s *)%s;\n", t->symbol,
                    type, i, t->symbol, type, t->operand[i]);
        }
    }
    for (uint32_t i = 0; i < c->n_results; i++) {
        if (made[i]) {
            const char *type = type_of(c->results[i].dtype);
            tn_putf(t->out, "    %s_%s *const y%" PRIu32 " = (%s_%s *)%s;\n", t->symbol, type, i,
                    t->symbol, type, t->result[i]);
        }
    }
}

void tn_kernel_put_nests(const tn_kernel_text *t, const tn_compute *c) {
    static const char *const axes[] = {"a0", "a1", "a2", "a3", "a4",  "a5",
                                       "a6", "a7", "a8", "a9", "a10", "a11"};
    print_pointers(t, c);
    for (uint32_t i = 0; i < c->nests.len; i++) {
        tn_printer p = {
            .t = t, .out = t->out, .n = &c->nests.data[i], .depth = 1, .local = {"l0", "l1", "l2"}};
        memcpy(p.axis, axes, sizeof axes);
        tn_print_line(&p, "{");
        p.depth++;
        tables all = {.p = &p};
        p.tables = all.at;
        put_tables(&all, p.n->value);
        if (!tn_print_tiles(&p)) {
            print_plain(&p);
        }
        tn_print_close(&p);
    }
}

const char tn_kernels_prelude[] =
    "\n/* ---- kernels, each for the extents of the steps that call it ---- */\n\n"
    "/* @M_LANES: floats of a vector. Without vectors of the compiler, or with -D@M_LANES=1, there "
    "are none. */\n"
    "#ifdef __GNUC__\n"
    "#define @M_ALIAS __attribute__((may_alias))\n"
    "#define @M_MAYBE __attribute__((unused))\n"
    "#else\n"
    "#define @M_ALIAS\n"
    "#define @M_MAYBE\n"
    "#endif\n"
    "#if defined(__clang__)\n"
    "#pragma clang diagnostic ignored \"-Wpass-failed\" /* of loops that stay loops */\n"
    "#define @M_IVDEP _Pragma(\"clang loop vectorize(assume_safety)\")\n"
    "#elif defined(__GNUC__)\n"
    "#define @M_IVDEP _Pragma(\"GCC ivdep\")\n"
    "#else\n"
    "#define @M_IVDEP\n"
    "#endif\n"
    "#ifndef @M_LANES\n"
    "#if defined(__GNUC__) && defined(__AVX512F__)\n"
    "#define @M_LANES 16\n"
    "#elif defined(__GNUC__) && defined(__AVX__)\n"
    "#define @M_LANES 8\n"
    "#elif defined(__GNUC__) && (defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__))\n"
    "#define @M_LANES 4\n"
    "#else\n"
    "#define @M_LANES 1\n"
    "#endif\n"
    "#endif\n"
    "typedef float @M_ALIAS @m_f32; /* pools hold all types in turn */\n"
    "typedef uint8_t @m_u8;\n"
    "typedef uint16_t @M_ALIAS @m_u16;\n"
    "typedef uint32_t @M_ALIAS @m_u32;\n"
    "typedef uint64_t @M_ALIAS @m_u64;\n"
    "#if @M_LANES >= 16\n"
    "typedef float @m_v16 __attribute__((vector_size(64), aligned(4), may_alias));\n"
    "#define @M_L16 16\n"
    "#endif\n"
    "#if @M_LANES >= 8\n"
    "typedef float @m_v8 __attribute__((vector_size(32), aligned(4), may_alias));\n"
    "#define @M_L8 8\n"
    "#endif\n"
    "#if @M_LANES >= 4\n"
    "typedef float @m_v4 __attribute__((vector_size(16), aligned(4), may_alias));\n"
    "#define @M_L4 4\n"
    "#else\n"
    "typedef float @M_ALIAS @m_v4;\n"
    "#define @M_L4 1\n"
    "#endif\n"
    "#if @M_LANES < 8\n"
    "typedef @m_v4 @m_v8;\n"
    "#define @M_L8 @M_L4\n"
    "#endif\n"
    "#if @M_LANES < 16\n"
    "typedef @m_v8 @m_v16;\n"
    "#define @M_L16 @M_L8\n"
    "#endif\n\n"
    "@M_MAYBE static inline float @m_max(float a, float b) {\n"
    "    return ((a > b) | (a != a)) ? a : b;\n"
    "}\n"
    "@M_MAYBE static inline float @m_min(float a, float b) {\n"
    "    return ((a < b) | (a != a)) ? a : b;\n"
    "}\n";
