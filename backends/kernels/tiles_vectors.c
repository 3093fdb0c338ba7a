/* What is done to sums before they are stored, to all lanes of a vector at a time. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/tiles.h"

enum { MOST_NAMED = 64 };

/* Whether the lanes of a vector may have different ones of it. */
static bool moves(const tn_tiles *t, const tn_calc *x) {
    bool any = x->kind == TN_CALC_LOCAL && x->which < TN_NEST_STAGES;
    any = any || (x->kind != TN_CALC_OP && x->kind != TN_CALC_LOCAL && x->kind != TN_CALC_NUMBER &&
                  (x->at.by[t->column] != 0 || x->at.table[t->column] != NULL));
    for (uint32_t i = 0; i < 3 && x->arg[i] != NULL && !any; i++) {
        any = moves(t, x->arg[i]);
    }
    return any;
}

static const char *compared(tn_calc_op op) {
    return op == TN_CALC_LESS       ? "<"
           : op == TN_CALC_AT_MOST  ? "<="
           : op == TN_CALC_GREATER  ? ">"
           : op == TN_CALC_AT_LEAST ? ">="
           : op == TN_CALC_EQUAL    ? "=="
                                    : NULL;
}

static const char *between(tn_calc_op op) {
    return op == TN_CALC_ADD   ? " + "
           : op == TN_CALC_SUB ? " - "
           : op == TN_CALC_MUL ? " * "
           : op == TN_CALC_DIV ? " / "
                               : NULL;
}

/* Floats, or whole numbers of 32 bits. */
static bool is_lane(tn_dtype type) {
    return type == TN_DT_FLOAT || type == TN_DT_INT32;
}

static bool is_byte(tn_dtype dtype) {
    return dtype == TN_DT_INT8 || dtype == TN_DT_UINT8;
}

/* Elements side by side that become lanes. */
static bool is_loaded(const tn_tiles *t, const tn_calc *x) {
    tn_dtype dtype = t->p->c->operands[x->which].dtype;
    return x->arg[0] == NULL && x->at.by[t->column] == 1 && x->at.table[t->column] == NULL &&
           (dtype == x->type || (is_byte(dtype) && x->type == TN_DT_INT32));
}

static bool is_vector(const tn_tiles *t, const tn_calc *x);

static bool are_vectors(const tn_tiles *t, const tn_calc *x, uint32_t from) {
    bool all = true;
    for (uint32_t i = from; i < 3 && x->arg[i] != NULL && all; i++) {
        all = is_vector(t, x->arg[i]) && x->arg[i]->type == x->arg[from]->type;
    }
    return all;
}

static bool is_known(const tn_calc *x) {
    if (x->type == TN_DT_INT32) {
        bool wraps = x->op == TN_CALC_ADD || x->op == TN_CALC_SUB || x->op == TN_CALC_MUL;
        return wraps || x->op == TN_CALC_CLAMP;
    }
    return between(x->op) != NULL || x->op == TN_CALC_NEG || x->op == TN_CALC_MAX ||
           x->op == TN_CALC_MIN || x->op == TN_CALC_CLAMP || x->op == TN_CALC_ROUND;
}

static bool is_vector(const tn_tiles *t, const tn_calc *x) {
    if (!is_lane(x->type)) {
        return false;
    }
    if (!moves(t, x)) {
        return true;
    }
    if (x->kind == TN_CALC_LOAD) {
        return is_loaded(t, x);
    }
    if (x->kind != TN_CALC_OP) {
        return x->kind == TN_CALC_LOCAL;
    }
    if (x->op == TN_CALC_SELECT) {
        const tn_calc *asked = x->arg[0];
        return asked->kind == TN_CALC_OP && compared(asked->op) != NULL &&
               are_vectors(t, asked, 0) && are_vectors(t, x, 1);
    }
    if (x->op == TN_CALC_CONVERT || x->op == TN_CALC_WHOLE) {
        bool cut = x->type == TN_DT_INT32 && x->arg[0]->type == TN_DT_FLOAT;
        return (!cut || x->op == TN_CALC_WHOLE) && is_vector(t, x->arg[0]);
    }
    return is_known(x) && are_vectors(t, x, 0) && x->arg[0]->type == x->type;
}

static uint32_t count(const tn_calc *x) {
    uint32_t n = x != NULL;
    for (uint32_t i = 0; x != NULL && i < 3; i++) {
        n += count(x->arg[i]);
    }
    return n;
}

bool tn_tiles_has_vectors(const tn_tiles *t) {
    tn_dtype dtype = t->p->c->results[t->n->result].dtype, type = t->n->value->type;
    return count(t->n->value) <= MOST_NAMED && t->n->store.by[t->column] == 1 &&
           t->n->store.table[t->column] == NULL && t->n->value_too == NULL &&
           (dtype == type || (is_byte(dtype) && type == TN_DT_INT32)) && is_vector(t, t->n->value);
}

/* ---- one operation after the other, each once; C++ makes no masks of what is const ---- */

typedef struct naming {
    const tn_tiles *t;
    int lanes;
    const tn_calc *named[MOST_NAMED];
    const char *names[MOST_NAMED];
    uint32_t n;
    bool floats, wholes; /* whether a vector of zeros is there */
} naming;

/* "net_v16", "net_m16": vectors of floats and of whole numbers. */
static const char *type_of(const naming *w, tn_dtype type) {
    return tn_arena_printf(w->t->p->out->arena, "%s_%c%d", w->t->p->t->symbol,
                           type == TN_DT_FLOAT ? 'v' : 'm', w->lanes);
}

/* "net_u8x16" */
static const char *bytes_of(const naming *w, tn_dtype dtype) {
    return tn_arena_printf(w->t->p->out->arena, "%s_%sx%d", w->t->p->t->symbol,
                           tn_print_element(dtype), w->lanes);
}

static const char *next_name(const naming *w) {
    return tn_arena_printf(w->t->p->out->arena, "e%" PRIu32, w->n);
}

static const char *name_of(naming *w, const tn_calc *x);

/* "NET_PICK(e1 < e2, e3, e4)" */
static const char *picked(naming *w, const tn_calc *x) {
    const char *a = name_of(w, x->arg[0]->arg[0]), *b = name_of(w, x->arg[0]->arg[1]),
               *yes = name_of(w, x->arg[1]), *no = name_of(w, x->arg[2]);
    return tn_arena_printf(w->t->p->out->arena, "%s_PICK(%s %s %s, %s, %s)", w->t->p->t->macro, a,
                           compared(x->arg[0]->op), b, yes, no);
}

static const char *of_two(naming *w, const tn_calc *x, const char *a) {
    tn_arena *arena = w->t->p->out->arena;
    const char *b = name_of(w, x->arg[1]), *symbol = w->t->p->t->symbol;
    if (between(x->op) == NULL) {
        return tn_arena_printf(arena, "%s_%sV(%s, %s)", w->t->p->t->macro,
                               x->op == TN_CALC_MAX ? "MAX" : "MIN", a, b);
    }
    if (x->type == TN_DT_FLOAT) {
        return tn_arena_printf(arena, "%s%s%s", a, between(x->op), b);
    }
    return tn_arena_printf(arena, "(%s)((%s_n%d)%s%s(%s_n%d)%s)", type_of(w, x->type), symbol,
                           w->lanes, a, between(x->op), symbol, w->lanes, b);
}

/* What is no number is the least. */
static const char *clamped(naming *w, const tn_calc *x, const char *a) {
    tn_arena *arena = w->t->p->out->arena;
    const char *least = name_of(w, x->arg[1]), *most = name_of(w, x->arg[2]);
    const char *symbol = w->t->p->t->symbol, *macro = w->t->p->t->macro;
    if (x->type == TN_DT_FLOAT) {
        return tn_arena_printf(arena, "%s_clampv%d(%s, %s, %s)", symbol, w->lanes, a, least, most);
    }
    const char *low = tn_arena_printf(arena, "%s_PICK(%s < %s, %s, %s)", macro, a, least, least, a);
    return tn_arena_printf(arena, "%s_PICK(%s > %s, %s, %s)", macro, low, most, most, low);
}

static const char *of_op(naming *w, const tn_calc *x) {
    tn_arena *arena = w->t->p->out->arena;
    if (x->op == TN_CALC_SELECT) {
        return picked(w, x);
    }
    const char *a = name_of(w, x->arg[0]);
    if (x->op == TN_CALC_NEG) {
        return tn_arena_printf(arena, "-%s", a);
    }
    if (x->op == TN_CALC_ROUND) {
        return tn_arena_printf(arena, "%s_rintv%d(%s)", w->t->p->t->symbol, w->lanes, a);
    }
    if (x->op == TN_CALC_CONVERT || x->op == TN_CALC_WHOLE) {
        return x->type == x->arg[0]->type
                   ? a
                   : tn_arena_printf(arena, "%s_TO(%s, %s)", w->t->p->t->macro, type_of(w, x->type),
                                     a);
    }
    return x->op == TN_CALC_CLAMP ? clamped(w, x, a) : of_two(w, x, a);
}

/* "zero + ...": a number in all lanes. */
static void put_same(naming *w, const tn_calc *x, const char *name) {
    const tn_tiles *t = w->t;
    bool *there = x->type == TN_DT_FLOAT ? &w->floats : &w->wholes;
    const char *zero = x->type == TN_DT_FLOAT ? "nought" : "none", *type = type_of(w, x->type);
    if (!*there) {
        tn_print_line(t->p, "%s %s = {0};", type, zero);
        *there = true;
    }
    tn_tiles_indent(t);
    tn_putf(t->p->out, "%s %s = %s + ", type, name, zero);
    tn_print_calc(t->p, x);
    tn_put(t->p->out, ";\n");
}

static void put_loaded(const naming *w, const tn_calc *x, const char *name) {
    const tn_tiles *t = w->t;
    tn_dtype dtype = t->p->c->operands[x->which].dtype;
    const char *type = type_of(w, x->type);
    tn_tiles_indent(t);
    if (is_byte(dtype)) {
        tn_putf(t->p->out, "%s %s = %s_TO(%s, *(const %s *)(", type, name, t->p->t->macro, type,
                bytes_of(w, dtype));
    } else {
        tn_putf(t->p->out, "%s %s = *(const %s *)(", type, name, type);
    }
    tn_tiles_put_load(t, x);
    tn_put(t->p->out, is_byte(dtype) ? "));\n" : ");\n");
}

/* The name of a vector; a line that makes it where none has. */
static const char *name_of(naming *w, const tn_calc *x) {
    const tn_tiles *t = w->t;
    bool moving = moves(t, x);
    if (moving && x->kind == TN_CALC_LOCAL) {
        return t->p->local[x->which];
    }
    for (uint32_t i = 0; i < w->n; i++) {
        if (tn_print_are_equal(w->named[i], x)) {
            return w->names[i];
        }
    }
    const char *of = moving && x->kind == TN_CALC_OP ? of_op(w, x) : NULL, *name = next_name(w);
    if (of != NULL) {
        tn_tiles_indent(t);
        tn_putf(t->p->out, "%s %s = ", type_of(w, x->type), name);
        tn_put(t->p->out, of);
        tn_put(t->p->out, ";\n");
    } else if (moving) {
        put_loaded(w, x, name);
    } else {
        put_same(w, x, name);
    }
    w->named[w->n] = x;
    w->names[w->n++] = name;
    return name;
}

/* "*to = ...;": all lanes, or but for those that were there before. */
static void put_stored(const naming *w, const char *value) {
    const tn_tiles *t = w->t;
    tn_printer *p = t->p;
    tn_dtype dtype = p->c->results[t->n->result].dtype;
    const char *of = type_of(w, t->n->value->type), *macro = p->t->macro,
               *type = is_byte(dtype) ? bytes_of(w, dtype) : of, *old = "*to";
    tn_tiles_indent(t);
    tn_putf(p->out, "%s *const to = (%s *)(y%" PRIu32 " + ", type, type, t->n->result);
    tn_print_affine(p, &t->n->store);
    tn_put(p->out, ");\n");
    if (t->again && is_byte(dtype)) {
        tn_print_line(p, "%s old = %s_TO(%s, *to);", of, macro, of);
        old = "old";
    }
    if (t->again) {
        value = tn_arena_printf(p->out->arena, "%s_PICK(*(%s_m%d *)fresh, %s, %s)", macro,
                                p->t->symbol, w->lanes, value, old);
    }
    if (is_byte(dtype)) {
        value = tn_arena_printf(p->out->arena, "%s_TO(%s, %s)", macro, type, value);
    }
    tn_print_line(p, "*to = %s;", value);
}

void tn_tiles_put_vectors(const tn_tiles *t, const char *sum, int lanes) {
    tn_printer *p = t->p;
    tn_print_line(p, "{");
    p->depth++;
    uint32_t kept = tn_print_keep_of(p, t->column);
    p->local[0] = sum;
    naming w = {.t = t, .lanes = lanes};
    const char *value = name_of(&w, t->n->value);
    put_stored(&w, value);
    tn_print_let_go(p, kept);
    tn_print_close(p);
}
