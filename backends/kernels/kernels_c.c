/* Whole kernels: pointers, tables, nests as plain loops. */
#include "backends/kernels/kernels_c.h"

#include <inttypes.h>
#include <string.h>

#include "backends/kernels/print.h"
#include "ir/compute/by_rows.h"

enum { ENOUGH_WORK = 1 << 16 }; /* terms of a nest, before threads are worth their beginning */

/* ---- plain nests ---- */

void tn_print_stages(tn_printer *p, uint32_t depth, uint32_t inside) {
    for (uint32_t s = 0; s < p->n->n_stages; s++) {
        if (p->n->stage[s].depth == depth && p->n->stage[s].inside == inside) {
            tn_print_stage(p, s);
        }
    }
}

static bool reads_local(const tn_calc *x, uint32_t number) {
    bool any = x != NULL && x->kind == TN_CALC_LOCAL && x->which == number;
    for (uint32_t i = 0; x != NULL && i < 3 && !any; i++) {
        any = reads_local(x->arg[i], number);
    }
    return any;
}

/* Of what is asked for nothing but whether it is an index, the number goes nowhere. */
static bool is_read(const tn_nest *n, uint32_t number) {
    bool any = reads_local(n->value, number) || reads_local(n->value_too, number);
    for (uint32_t i = number + 1; i < n->n_stages; i++) {
        any =
            any || reads_local(n->stage[i].body, number) || reads_local(n->stage[i].start, number);
    }
    return any;
}

void tn_print_stage(tn_printer *p, uint32_t number) {
    const tn_nest_stage *s = &p->n->stage[number];
    const char *local = p->local[number];
    if (tn_print_is_term(s)) {
        tn_print_stages(p, s->depth, number + 1); /* those inside of a sum over one index */
        tn_put_indent(p->out, 4 * (size_t)p->depth);
        tn_putf(p->out, "const %s %s = ", tn_print_type(s->type), local);
        tn_print_calc(p, s->body);
        tn_put(p->out, ";\n");
        if (!is_read(p->n, number)) {
            tn_print_line(p, "(void)%s;", local);
        }
        return;
    }
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    tn_putf(p->out, "%s %s = ", tn_print_type(s->type), local);
    if (s->start != NULL) {
        tn_print_calc(p, s->start);
    } else {
        tn_put(p->out, tn_print_nothing(s));
    }
    tn_put(p->out, ";\n");
    unsigned opened = tn_print_open_stage(p, s, s->n, TN_NEST_AXES);
    tn_print_stages(p, s->depth, number + 1);
    tn_print_combined(p, s, local);
    for (; opened > 0; opened--) {
        tn_print_close(p);
    }
}

/* Whether no round of the innermost loop reads what another writes: a result that lies over an
 * operand has each element over that of the same index, and a byte of its own. */
static bool is_free(const tn_printer *p) {
    const tn_nest *n = p->n;
    if (tn_dtype_get(p->c->results[n->result].dtype)->bits < 8 || tn_nest_is_bound(n)) {
        return false;
    }
    for (uint32_t s = 0; s < n->n_stages; s++) {
        if (n->stage[s].depth == n->n_outer && !tn_print_is_term(&n->stage[s])) {
            return false;
        }
    }
    return true;
}

void tn_print_plain(tn_printer *p) {
    const tn_nest *n = p->n;
    uint32_t kept = p->n_kept;
    for (uint32_t a = 0; a <= n->n_outer; a++) {
        tn_print_stages(p, a, 0);
        if (a < n->n_outer) {
            kept = a + 1 == n->n_outer ? tn_print_keep_of(p, a) : 0;
            if (a + 1 == n->n_outer && is_free(p)) {
                bool shared = a == 0 && p->parallel;
                tn_print_line(p, shared ? "%s_PARALLEL_SIMD" : "%s_IVDEP", p->t->macro);
                p->parallel = p->parallel && !shared;
            }
            tn_print_open(p, a, 0, n->extent[a], "1");
        }
    }
    tn_print_store(p);
    tn_print_let_go(p, kept);
    for (uint32_t a = 0; a < n->n_outer; a++) {
        tn_print_close(p);
    }
}

/* ---- threads ---- */

static bool has_index(const tn_calc *x) {
    bool any = x != NULL && x->kind == TN_CALC_LOAD && x->arg[0] != NULL;
    for (uint32_t i = 0; x != NULL && i < 3; i++) {
        any = any || has_index(x->arg[i]);
    }
    return any;
}

/* Whether rounds of the outermost loop may go by themselves, and are enough work for that: each
 * stores whole bytes, and none says for all that an index is wrong. */
static bool is_parallel(const tn_printer *p) {
    const tn_nest *n = p->n;
    int64_t work = 1;
    bool index = has_index(n->value) || tn_nest_is_bound(n);
    for (uint32_t s = 0; s < n->n_stages; s++) {
        index = index || has_index(n->stage[s].body);
    }
    for (uint32_t a = 0; a < n->n_axes && work < ENOUGH_WORK; a++) {
        work *= n->extent[a];
    }
    return work >= ENOUGH_WORK && !index && tn_dtype_get(p->c->results[n->result].dtype)->bits >= 8;
}

/* ---- tables ---- */

typedef struct tables {
    tn_printer *p;
    const void **at;
} tables;

static bool is_new(const tables *t, const void *table) {
    return table != NULL && t->p->n_tables < TN_PRINT_TABLES &&
           tn_print_table(t->p, table) == t->p->n_tables;
}

static const char *constant(const tables *t) {
    return t->p->t->opencl ? "__constant" : "static const";
}

static void put_places(tables *t, const int32_t *table, int64_t n) {
    if (!is_new(t, table)) {
        return;
    }
    tn_put_indent(t->p->out, 4 * (size_t)t->p->depth);
    tn_putf(t->p->out, "%s int32_t t%" PRIu32 "[] = {", constant(t), t->p->n_tables);
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
    tn_putf(t->p->out, "%s float t%" PRIu32 "[] = {", constant(t), t->p->n_tables);
    for (uint32_t i = 0; i < x->which; i++) {
        tn_put(t->p->out, i > 0 ? ", " : "");
        tn_print_number(t->p, (double)x->factors[i], TN_DT_FLOAT);
    }
    tn_put(t->p->out, "};\n");
    t->at[t->p->n_tables++] = x->factors;
}

/* Those of an expression. */
static void put_tables(tables *t, const tn_calc *x) {
    if (x == NULL) {
        return;
    }
    if (x->kind == TN_CALC_FACTOR) {
        put_factors(t, x);
    }
    for (uint32_t a = 0; x->kind == TN_CALC_LOAD && a < t->p->n->n_axes; a++) {
        put_places(t, x->at.table[a], t->p->n->extent[a]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        put_tables(t, x->arg[i]);
    }
}

void tn_print_tables(tn_printer *p, const void *at[TN_PRINT_TABLES]) {
    tables all = {p, at};
    p->tables = at;
    put_tables(&all, p->n->value);
    put_tables(&all, p->n->value_too);
    for (uint32_t s = 0; s < p->n->n_stages; s++) {
        put_tables(&all, p->n->stage[s].body);
    }
}

/* ---- the whole ---- */

static bool mark_used(const tn_calc *x, bool *used) {
    if (x == NULL) {
        return false;
    }
    if (x->kind == TN_CALC_LOAD) {
        used[x->which] = true;
    }
    bool index = x->kind == TN_CALC_OP && x->op == TN_CALC_INDEX;
    for (uint32_t i = 0; i < 3; i++) {
        index = mark_used(x->arg[i], used) || index;
    }
    return index;
}

bool tn_print_used(const tn_nest *n, bool *used) {
    bool index = mark_used(n->value, used);
    index = mark_used(n->value_too, used) || index;
    index = mark_used(n->store_by, used) || index;
    for (uint32_t s = 0; s < n->n_stages; s++) {
        index = mark_used(n->stage[s].start, used) || index;
        index = mark_used(n->stage[s].body, used) || index;
    }
    return index;
}

/* What nests load and make. True, with a local `bad`, where an index may be none. */
static bool print_bad(const tn_kernel_text *t, const tn_compute *c, bool *used, bool *made) {
    bool index = false;
    for (uint32_t i = 0; i < c->nests.len; i++) {
        made[c->nests.data[i].result] = true;
        index = tn_print_used(&c->nests.data[i], used) || index;
    }
    tn_put(t->out, index ? "    int32_t bad = 0;\n" : "");
    return index;
}

/* Where it begins for the rows at hand. */
static void print_move(const tn_kernel_text *t, const tn_by_rows *rows, const int64_t *move) {
    for (uint32_t k = 0; rows != NULL && k < rows->n_loops; k++) {
        if (move[k] != 0) {
            tn_putf(t->out, " + r%" PRIu32 " * %" PRId64, k, move[k]);
        }
    }
    tn_put(t->out, ";\n");
}

static void print_pointers(const tn_kernel_text *t, const tn_compute *c, const bool *used,
                           const bool *made) {
    static const int64_t still[TN_ROWS_LOOPS] = {0};
    const tn_by_rows *rows = c->rows;
    for (uint32_t i = 0; i < c->n_operands; i++) {
        if (used[i]) {
            const char *type = tn_print_element(c->operands[i].dtype);
            tn_putf(t->out, "    const %s_%s *const x%" PRIu32 " = (const %s_%s *)%s", t->symbol,
                    type, i, t->symbol, type, t->operand[i]);
            print_move(t, rows, rows != NULL ? rows->operand[i].move : still);
        }
    }
    for (uint32_t i = 0; i < c->n_results; i++) {
        if (made[i]) {
            const char *type = tn_print_element(c->results[i].dtype);
            tn_putf(t->out, "    %s_%s *const y%" PRIu32 " = (%s_%s *)%s", t->symbol, type, i,
                    t->symbol, type, t->result[i]);
            print_move(t, rows, rows != NULL && i == 0 ? rows->move : still);
        }
    }
}

/* Loops over rows: r0, r1, ... are the first ones of the block. */
static void open_rows(const tn_kernel_text *t, const tn_by_rows *rows) {
    for (uint32_t k = 0; rows != NULL && k < rows->n_loops; k++) {
        bool last = k + 1 == rows->n_loops;
        int64_t end = rows->extent[k], block = last ? rows->block : 1;
        bool again = end % block != 0;
        tn_putf(t->out,
                "    for (ptrdiff_t %c%" PRIu32 " = 0; %c%" PRIu32 " < %" PRId64 "; %c%" PRIu32
                " += %" PRId64 ") {\n",
                again ? 'o' : 'r', k, again ? 'o' : 'r', k, end, again ? 'o' : 'r', k, block);
        if (again) {
            tn_putf(t->out,
                    "    const ptrdiff_t r%" PRIu32 " = o%" PRIu32 " < %" PRId64 " ? o%" PRIu32
                    " : %" PRId64 ";\n",
                    k, k, end - block, k, end - block);
        }
    }
}

tn_printer tn_printer_make(const tn_kernel_text *t, const tn_compute *c, const tn_nest *n) {
    return (tn_printer){.t = t,
                        .out = t->out,
                        .c = c,
                        .n = n,
                        .depth = 1,
                        .axis = {"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10",
                                 "a11", "a12", "a13", "a14", "a15"},
                        .local = {"l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7"}};
}

bool tn_kernel_put_nests(const tn_kernel_text *t, const tn_compute *c) {
    bool *used = TN_ARRAY(c->arena, bool, c->n_operands + 1u);
    bool *made = TN_ARRAY(c->arena, bool, c->n_results + 1u);
    bool index = print_bad(t, c, used, made);
    open_rows(t, c->rows);
    print_pointers(t, c, used, made);
    for (uint32_t i = 0; i < c->nests.len; i++) {
        tn_printer p = tn_printer_make(t, c, &c->nests.data[i]);
        const void *at[TN_PRINT_TABLES];
        tn_print_line(&p, "{");
        p.depth++;
        tn_print_tables(&p, at);
        tn_print_keep(&p);
        p.parallel = t->threads && is_parallel(&p);
        if (t->small || !tn_print_tiles(&p)) {
            tn_print_plain(&p);
        }
        tn_print_close(&p);
    }
    for (uint32_t k = 0; c->rows != NULL && k < c->rows->n_loops; k++) {
        tn_put(t->out, "    }\n");
    }
    return index;
}
