/* The gradient of Einsum by one operand: another Einsum, of the result's gradient and the other
 * operands, that gives the letters of this one. */
#include <ctype.h>
#include <string.h>

#include "ir/gradient/gradient.h"

enum { MAX_TERMS = 26 };

/* Terms without blanks; the ellipsis is one character, '.'. */
typedef struct equation {
    const char *in[MAX_TERMS];
    uint32_t n;
    const char *out;
} equation;

static const char *compact(tn_arena *arena, const char *text) {
    tn_sink s = tn_sink_make(arena);
    for (const char *p = text; *p != '\0'; p++) {
        if (strncmp(p, "...", 3) == 0) {
            tn_put(&s, ".");
            p += 2;
        } else if (!isspace((unsigned char)*p)) {
            tn_put_n(&s, p, 1);
        }
    }
    return s.len > 0 ? s.data : "";
}

/* Without "->": the letters that occur once, sorted, behind the ellipsis. */
static const char *implied(tn_arena *arena, const char *left) {
    tn_sink s = tn_sink_make(arena);
    if (strchr(left, '.') != NULL) {
        tn_put(&s, ".");
    }
    for (int c = 'A'; c <= 'z'; c++) {
        const char *at = isalpha(c) ? strchr(left, c) : NULL;
        if (at != NULL && strchr(at + 1, c) == NULL) {
            char letter = (char)c;
            tn_put_n(&s, &letter, 1);
        }
    }
    return s.len > 0 ? s.data : "";
}

static equation read_equation(const tn_grad *g) {
    tn_arena *arena = g->e->scratch;
    char *text = tn_arena_printf(arena, "%s", compact(arena, tn_grad_text(g, "equation", "")));
    char *arrow = strstr(text, "->");
    equation q = {.out = arrow != NULL ? arrow + 2 : NULL};
    if (arrow != NULL) {
        *arrow = '\0';
    } else {
        q.out = implied(arena, text);
    }
    for (char *at = text; at != NULL && q.n < MAX_TERMS;) {
        char *comma = strchr(at, ',');
        q.in[q.n++] = at;
        at = comma != NULL ? comma + 1 : NULL;
        if (comma != NULL) {
            *comma = '\0';
        }
    }
    return q;
}

static bool has_twice(const char *term) {
    for (const char *p = term; *p != '\0'; p++) {
        if (strchr(p + 1, *p) != NULL) {
            return true;
        }
    }
    return false;
}

static bool occurs(const equation *q, uint32_t but, char c) {
    bool found = strchr(q->out, c) != NULL;
    for (uint32_t i = 0; i < q->n && !found; i++) {
        found = i != but && strchr(q->in[i], c) != NULL;
    }
    return found;
}

static void put_term(tn_sink *s, const char *term) {
    for (const char *p = term; *p != '\0'; p++) {
        tn_put_n(s, *p == '.' ? "..." : p, *p == '.' ? 3 : 1);
    }
}

static void check_equation(const tn_grad *g, const equation *q) {
    if (q->n != g->op->n_operands) {
        tn_grad_fail(g, "the equation has %u terms for %u operands", q->n, g->op->n_operands);
    }
    for (uint32_t i = 0; i <= q->n; i++) {
        const char *term = i < q->n ? q->in[i] : q->out;
        if (has_twice(term)) {
            tn_grad_fail(g, "the equation takes a diagonal: '%s' has a letter twice", term);
        }
    }
}

/* Letters that only this operand has were summed: their axes come back with extent 1, and the sum
 * spreads to them all. */
tn_value *tn_grad_einsum(tn_grad *g, tn_value *const *args, uint32_t n) {
    equation q = read_equation(g);
    check_equation(g, &q);
    const char *own = q.in[g->operand];
    tn_sink text = tn_sink_make(g->e->scratch);
    tn_value *in[MAX_TERMS + 1] = {g->d};
    uint32_t n_in = 1, n_lonely = 0, rank = tn_emit_rank(g->e, g->x);
    int64_t lonely[64];
    put_term(&text, q.out);
    for (uint32_t i = 0; i < n; i++) {
        if (i != g->operand) {
            in[n_in++] = args[i];
            tn_put(&text, ",");
            put_term(&text, q.in[i]);
        }
    }
    tn_put(&text, "->");
    for (uint32_t i = 0; own[i] != '\0'; i++) {
        char letter[2] = {own[i], '\0'};
        if (occurs(&q, g->operand, own[i])) {
            put_term(&text, letter);
            continue;
        }
        const char *dots = strchr(own, '.');
        bool behind = dots != NULL && dots < own + i;
        lonely[n_lonely++] = behind ? (int64_t)rank - (int64_t)strlen(own + i) : i;
    }
    tn_attr equation_attr = tn_attr_of_text(g->e, "equation", text.data);
    tn_value *v = tn_emit(g->e, "Einsum", in, n_in, &equation_attr, 1);
    v = tn_emit_unsqueeze(g->e, v, lonely, n_lonely);
    return n_lonely > 0 ? tn_emit_expand_like(g->e, v, g->x) : v;
}
