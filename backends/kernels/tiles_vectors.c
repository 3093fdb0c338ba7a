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

static bool is_vector(const tn_tiles *t, const tn_calc *x);

static bool are_vectors(const tn_tiles *t, const tn_calc *x, uint32_t from) {
    bool all = true;
    for (uint32_t i = from; i < 3 && x->arg[i] != NULL && all; i++) {
        all = is_vector(t, x->arg[i]);
    }
    return all;
}

static bool is_vector(const tn_tiles *t, const tn_calc *x) {
    if (x->type != TN_DT_FLOAT) {
        return false;
    }
    if (!moves(t, x)) {
        return true;
    }
    if (x->kind == TN_CALC_LOAD) {
        return tn_tiles_is_vector(t, x) && x->at.by[t->column] == 1 &&
               x->at.table[t->column] == NULL;
    }
    if (x->kind != TN_CALC_OP) {
        return x->kind == TN_CALC_LOCAL;
    }
    if (x->op == TN_CALC_SELECT) {
        const tn_calc *asked = x->arg[0];
        return asked->kind == TN_CALC_OP && compared(asked->op) != NULL &&
               are_vectors(t, asked, 0) && are_vectors(t, x, 1);
    }
    bool known = between(x->op) != NULL || x->op == TN_CALC_NEG || x->op == TN_CALC_MAX ||
                 x->op == TN_CALC_MIN || x->op == TN_CALC_CLAMP;
    return known && are_vectors(t, x, 0);
}

static uint32_t count(const tn_calc *x) {
    uint32_t n = x != NULL;
    for (uint32_t i = 0; x != NULL && i < 3; i++) {
        n += count(x->arg[i]);
    }
    return n;
}

bool tn_tiles_has_vectors(const tn_tiles *t) {
    return !t->whole && count(t->n->value) <= MOST_NAMED && t->n->store.by[t->column] == 1 &&
           t->n->store.table[t->column] == NULL &&
           t->p->c->results[t->n->result].dtype == TN_DT_FLOAT && is_vector(t, t->n->value);
}

/* ---- one operation after the other, each once ---- */

typedef struct naming {
    const tn_tiles *t;
    int lanes;
    const tn_calc *named[MOST_NAMED];
    const char *names[MOST_NAMED];
    uint32_t n;
} naming;

static bool are_equal(const tn_calc *a, const tn_calc *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    bool same = a->kind == b->kind && a->type == b->type &&
                (a->kind == TN_CALC_OP       ? a->op == b->op
                 : a->kind == TN_CALC_NUMBER ? memcmp(&a->number, &b->number, sizeof a->number) == 0
                                             : a->which == b->which && a->factors == b->factors &&
                                                   memcmp(&a->at, &b->at, sizeof a->at) == 0);
    for (uint32_t i = 0; i < 3 && same; i++) {
        same = are_equal(a->arg[i], b->arg[i]);
    }
    return same;
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

static const char *of_op(naming *w, const tn_calc *x) {
    tn_arena *arena = w->t->p->out->arena;
    if (x->op == TN_CALC_SELECT) {
        return picked(w, x);
    }
    const char *a = name_of(w, x->arg[0]), *macro = w->t->p->t->macro;
    if (x->op == TN_CALC_NEG) {
        return tn_arena_printf(arena, "-%s", a);
    }
    const char *b = name_of(w, x->arg[1]);
    if (x->op == TN_CALC_CLAMP) { /* what is no number is the least */
        const char *most = name_of(w, x->arg[2]);
        const char *low = tn_arena_printf(arena, "%s_PICK(%s > %s, %s, %s)", macro, a, b, a, b);
        return tn_arena_printf(arena, "%s_PICK(%s < %s, %s, %s)", macro, low, most, low, most);
    }
    return between(x->op) != NULL ? tn_arena_printf(arena, "%s%s%s", a, between(x->op), b)
                                  : tn_arena_printf(arena, "%s_%sV(%s, %s)", macro,
                                                    x->op == TN_CALC_MAX ? "MAX" : "MIN", a, b);
}

/* The name of a vector; a line that makes it where none has. */
static const char *name_of(naming *w, const tn_calc *x) {
    const tn_tiles *t = w->t;
    bool moving = moves(t, x);
    if (moving && x->kind == TN_CALC_LOCAL) {
        return t->p->local[x->which];
    }
    for (uint32_t i = 0; i < w->n; i++) {
        if (are_equal(w->named[i], x)) {
            return w->names[i];
        }
    }
    const char *of = moving && x->kind == TN_CALC_OP ? of_op(w, x) : NULL, *name = next_name(w);
    tn_tiles_indent(t);
    tn_putf(t->p->out, "const %s %s = ", tn_tiles_type(t, w->lanes), name);
    if (of != NULL) {
        tn_put(t->p->out, of);
    } else if (moving) {
        tn_putf(t->p->out, "*(const %s *)(", tn_tiles_type(t, w->lanes));
        tn_tiles_put_load(t, x);
        tn_put(t->p->out, ")");
    } else {
        tn_put(t->p->out, "zero + ");
        tn_print_calc(t->p, x);
    }
    tn_put(t->p->out, ";\n");
    w->named[w->n] = x;
    w->names[w->n++] = name;
    return name;
}

void tn_tiles_put_vectors(const tn_tiles *t, const char *sum, int lanes) {
    tn_printer *p = t->p;
    tn_print_line(p, "{");
    p->depth++;
    uint32_t kept = tn_print_keep_of(p, t->column);
    p->local[0] = sum;
    naming w = {.t = t, .lanes = lanes};
    const char *type = tn_tiles_type(t, lanes), *value = name_of(&w, t->n->value);
    tn_tiles_indent(t);
    tn_putf(p->out, "%s *const to = (%s *)(y%" PRIu32 " + ", type, type, t->n->result);
    tn_print_affine(p, &t->n->store);
    tn_put(p->out, ");\n");
    if (t->again) {
        tn_print_line(p, "*to = %s_PICK(*(const %s_m%d *)fresh, %s, *to);", p->t->macro,
                      p->t->symbol, lanes, value);
    } else {
        tn_print_line(p, "*to = %s;", value);
    }
    tn_print_let_go(p, kept);
    tn_print_close(p);
}
