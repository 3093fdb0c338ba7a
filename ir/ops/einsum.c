/* Einsum: an equation of index letters, one term an operand. */
#include <string.h>

#include "ir/base/limits.h"
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

enum { LETTERS = 52 };

typedef struct equation {
    tn_dim extent[LETTERS];
    uint32_t count[LETTERS]; /* appearances in operand terms */
    bool open[LETTERS];      /* an operand of unknown rank has the letter */
    uint32_t n_dots;         /* axes behind "..." */
    tn_dim dots[TN_MAX_RANK];
    bool any_dots, dots_open;
} equation;

static int letter_of(char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    return c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
}

/* A term up to ',' or "->" or the end, without blanks; "..." becomes one '.'. False on anything
 * else. */
static bool read_term(const char **at, char *term, uint32_t capacity, uint32_t *len) {
    *len = 0;
    for (const char *p = *at;; p++) {
        if (*p == ' ') {
            continue;
        }
        if (*p == '\0' || *p == ',' || (p[0] == '-' && p[1] == '>')) {
            *at = p;
            return true;
        }
        bool dots = p[0] == '.' && p[1] == '.' && p[2] == '.';
        if ((!dots && letter_of(*p) < 0) || *len == capacity) {
            return false;
        }
        term[(*len)++] = dots ? '.' : *p;
        p += dots ? 2 : 0;
    }
}

static void meet(tn_infer *in, tn_dim *slot, tn_dim extent) {
    *slot = *slot == TN_DIM_UNKNOWN ? extent : tn_broadcast_dim(in, *slot, extent);
}

/* The axes behind the dots are broadcast, aligned at the end. */
static void dots_of(tn_infer *in, equation *eq, const tn_dim *dims, uint32_t n) {
    tn_dim joint[TN_MAX_RANK] = {0};
    uint32_t total = n > eq->n_dots ? n : eq->n_dots;
    for (uint32_t i = 0; i < total; i++) {
        joint[i] = tn_in_const(in, 1);
    }
    tn_broadcast_into(in, total, joint, eq->n_dots, eq->dots);
    tn_broadcast_into(in, total, joint, n, dims);
    memcpy(eq->dots, joint, sizeof joint);
    eq->n_dots = total;
}

static void read_operand(tn_infer *in, equation *eq, uint32_t k, const char *term, uint32_t len) {
    uint32_t rank = 0, n_dots = 0;
    bool dots = memchr(term, '.', len) != NULL, known = tn_in_rank(in, k, &rank);
    uint32_t letters = len - (dots ? 1 : 0);
    eq->any_dots = eq->any_dots || dots;
    eq->dots_open = eq->dots_open || (dots && !known);
    if (known && (dots ? rank < letters : rank != letters)) {
        tn_infer_conflict(in, "operand %u has rank %u, its term %u letters", k, rank, letters);
        return;
    }
    n_dots = rank - letters;
    for (uint32_t i = 0, axis = 0; i < len; i++) {
        if (term[i] == '.') {
            if (known && n_dots <= TN_MAX_RANK) {
                dots_of(in, eq, tn_in_type(in, k)->dims + axis, n_dots);
            }
            axis += known ? n_dots : 0;
            continue;
        }
        int letter = letter_of(term[i]);
        eq->count[letter]++;
        eq->open[letter] = eq->open[letter] || !known;
        meet(in, &eq->extent[letter], known ? tn_in_dim(in, k, axis) : TN_DIM_UNKNOWN);
        axis++;
    }
}

static void add_dots(const equation *eq, tn_dim *out, uint32_t *n) {
    for (uint32_t i = 0; i < eq->n_dots && *n < TN_MAX_RANK; i++) {
        out[(*n)++] = eq->dots[i];
    }
}

/* Without "->" the result has the dots first, then the letters that appear once, in order. */
static uint32_t implied_result(const equation *eq, tn_dim *out) {
    uint32_t n = 0;
    add_dots(eq, out, &n);
    for (uint32_t i = 0; i < LETTERS && n < TN_MAX_RANK; i++) {
        if (eq->count[i] == 1) {
            out[n++] = eq->extent[i];
        }
    }
    return n;
}

static uint32_t stated_result(const equation *eq, const char *term, uint32_t len, tn_dim *out) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < len && n < TN_MAX_RANK; i++) {
        if (term[i] == '.') {
            add_dots(eq, out, &n);
        } else {
            out[n++] = eq->extent[letter_of(term[i])];
        }
    }
    return n;
}

void tn_shape_einsum(tn_infer *in) {
    const char *at = tn_attr_string(in->op, "equation", "");
    tn_dtype dtype = tn_in_dtype_any(in, 0, in->op->n_operands);
    equation *eq = TN_NEW(in->scratch, equation);
    char term[TN_MAX_RANK + 1];
    uint32_t len = 0;
    tn_dim out[TN_MAX_RANK];
    for (uint32_t k = 0; k < in->op->n_operands && !in->failed; k++) {
        if (!read_term(&at, term, TN_MAX_RANK, &len)) {
            tn_infer_conflict(in, "equation \"%s\" cannot be read",
                              tn_attr_string(in->op, "equation", ""));
            return;
        }
        read_operand(in, eq, k, term, len);
        at += *at == ',' ? 1 : 0;
    }
    if (in->failed) {
        return;
    }
    bool stated = strncmp(at, "->", 2) == 0;
    if (stated) {
        at += 2;
        if (!read_term(&at, term, TN_MAX_RANK, &len)) {
            return;
        }
    }
    bool has_dots = stated ? memchr(term, '.', len) != NULL : eq->any_dots;
    if (has_dots && eq->dots_open) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    uint32_t n = stated ? stated_result(eq, term, len, out) : implied_result(eq, out);
    tn_out(in, 0, dtype, n, out);
}
