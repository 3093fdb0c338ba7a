/* What rows state of their ops beside what follows from their nests (ir/compute). usage:
 *     derived_facts MODEL...
 * Every op that has nests is gone through element by element, in the order in which plain loops of
 * a kernel go. A line an op: {"op": TYPE, "wrong": [TEXT, ...], "reads": N, "in_place": N, "could":
 * [K, ...], "not": [K, ...]}, where N count what was compared, and the lists have the operands of
 * the result's type over which it could lie, or not, without being stated. Wrong is
 *   a result that reads an operand before the place, or outside of the elements, that column .reads
 *   states, or that never reads as far as it states;
 *   a result over an operand, as column .inplace states, whose elements are read after they were
 *   written; and a result that could lie over an operand of its type without being stated. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/build.h"
#include "ir/compute/compute_ops.h"
#include "ir/ops/claims.h"
#include "ir/ops/reach.h"
#include "ir/walk.h"
#include "passes/core/manager.h"
#include "passes/core/registry.h"

enum { MOST_OPERANDS = 16, MOST_STEPS = 4000000 };

/* Along each axis of an operand the least coordinate that was read; for all, whether any was. */
typedef struct seen {
    bool any, index; /* index: by an element of another operand, which may be any */
    int64_t least[TN_MAX_RANK];
} seen;

typedef struct trace {
    const tn_op *op;
    tn_compute *c;
    const tn_nest *n;
    int64_t at[TN_NEST_AXES];
    seen now[TN_NEST_STAGES + 1][MOST_OPERANDS]; /* of each stage, and of what is stored */
    seen *reading;
    uint64_t steps;
    /* which elements of result 0 were written; whether an operand's were read later */
    bool any, *written;
    bool late[MOST_OPERANDS];
    /* column .reads */
    tn_reach reach[MOST_OPERANDS];
    bool stated[MOST_OPERANDS], loose[MOST_OPERANDS];
    const char *wrong[MOST_OPERANDS];
    int64_t count; /* elements of result 0 */
} trace;

static int64_t value_of(const trace *t, const tn_affine *at) {
    int64_t sum = at->base;
    for (uint32_t a = 0; a < t->n->n_axes; a++) {
        sum += at->by[a] * t->at[a] + (at->table[a] != NULL ? at->table[a][t->at[a]] : 0);
    }
    return sum;
}

static int64_t elements_of(const tn_compute_value *v) {
    int64_t n = 1;
    for (uint32_t i = 0; i < v->rank; i++) {
        n *= v->dims[i];
    }
    return n;
}

static void coordinates(const tn_compute_value *v, bool flat, int64_t at, int64_t *out) {
    if (flat) {
        out[0] = at;
        return;
    }
    for (uint32_t i = v->rank; i-- > 0;) {
        out[i] = at % v->dims[i];
        at /= v->dims[i];
    }
}

static void read_element(trace *t, const tn_calc *x) {
    const tn_compute_value *v = &t->c->operands[x->which];
    seen *s = &t->reading[x->which];
    int64_t at = value_of(t, &x->at), c[TN_MAX_RANK];
    s->index = s->index || x->arg[0] != NULL;
    if (x->arg[0] == NULL && (at < 0 || at >= elements_of(v))) {
        t->wrong[x->which] = "is read outside";
        return;
    }
    if (s->index ? t->any : at < t->count && t->written[at]) {
        t->late[x->which] = true;
    }
    coordinates(v, t->reach[x->which].flat, at, c);
    for (uint32_t i = 0; i < (t->reach[x->which].flat ? 1 : v->rank); i++) {
        s->least[i] = s->any && s->least[i] < c[i] ? s->least[i] : c[i];
    }
    s->any = true;
}

static void read_all(trace *t, const tn_calc *x) {
    if (x == NULL) {
        return;
    }
    if (x->kind == TN_CALC_LOAD) {
        read_element(t, x);
    }
    for (uint32_t i = 0; i < 3; i++) {
        read_all(t, x->arg[i]);
    }
}

static void run_terms(trace *t, const tn_nest_stage *s, uint32_t axis);

/* Stages of the depth, in rounds of stage `inside` - 1. */
static void run_stages(trace *t, uint32_t depth, uint32_t inside) {
    for (uint32_t s = 0; s < t->n->n_stages; s++) {
        const tn_nest_stage *stage = &t->n->stage[s];
        if (stage->depth == depth && stage->inside == inside) {
            seen *outer = t->reading;
            t->reading = inside != 0 ? outer : t->now[s];
            memset(t->reading, 0, inside != 0 ? 0 : sizeof t->now[s]);
            read_all(t, stage->start);
            run_terms(t, stage, stage->first);
            t->reading = outer;
        }
    }
}

static void run_terms(trace *t, const tn_nest_stage *s, uint32_t axis) {
    if (axis < s->first + s->n) {
        for (t->at[axis] = 0; t->at[axis] < t->n->extent[axis]; t->at[axis]++) {
            run_terms(t, s, axis + 1);
        }
        t->at[axis] = 0;
        return;
    }
    t->steps++;
    for (uint32_t g = 0; g < s->n_guards; g++) {
        int64_t at = value_of(t, &s->guards[g].at);
        if (at < 0 || at >= s->guards[g].end) {
            return;
        }
    }
    run_stages(t, s->depth, 1 + (uint32_t)(s - t->n->stage));
    read_all(t, s->body);
}

/* Whether what the element read of operand `k` is what the row states. */
static void compare(trace *t, uint32_t k, const int64_t *c) {
    const tn_reach *r = &t->reach[k];
    seen all = {0};
    for (uint32_t i = 0; i <= t->n->n_stages; i++) {
        const seen *s = &t->now[i][k];
        for (uint32_t a = 0; s->any && a < r->in_rank; a++) {
            all.least[a] = all.any && all.least[a] < s->least[a] ? all.least[a] : s->least[a];
        }
        all.any = all.any || s->any;
        all.index = all.index || s->index;
    }
    bool nothing = false, tight = true;
    for (uint32_t a = 0; a < r->in_rank; a++) {
        int64_t low = r->by[a] == TN_EVERY   ? 0
                      : r->lowest[a] == NULL ? c[r->by[a]]
                                             : r->lowest[a][c[r->by[a]]];
        nothing = nothing || low < 0;
        tight = tight && low == all.least[a];
        if (all.any && !all.index && low >= 0 && all.least[a] < low) {
            t->wrong[k] = "is read before the place that .reads states";
        }
    }
    if (nothing && all.any) {
        t->wrong[k] = "is read where .reads states that it is not";
    }
    t->loose[k] = t->loose[k] || (all.any && !tight && !all.index);
}

static void store(trace *t) {
    int64_t at = value_of(t, &t->n->store), c[TN_MAX_RANK];
    for (uint32_t k = 0; k < t->c->n_operands; k++) {
        if (t->stated[k] && t->n->result == 0) {
            coordinates(&t->c->results[0], t->reach[k].flat, at, c);
            compare(t, k, c);
        }
    }
    if (t->n->result == 0 && t->n->store_by != NULL) { /* at any place */
        memset(t->written, true, (size_t)t->count);
        t->any = true;
    } else if (t->n->result == 0 && at >= 0 && at < t->count) {
        t->any = t->written[at] = true;
    } else if (t->n->result == 0) {
        t->wrong[0] = "has a result that is written outside";
    }
}

static void run_loops(trace *t, uint32_t axis) {
    run_stages(t, axis, 0);
    if (axis == t->n->n_outer) {
        t->steps++;
        t->reading = t->now[t->n->n_stages];
        memset(t->reading, 0, sizeof t->now[0]);
        read_all(t, t->n->store_by);
        read_all(t, t->n->value);
        store(t);
        return;
    }
    for (t->at[axis] = 0; t->at[axis] < t->n->extent[axis]; t->at[axis]++) {
        if (t->steps < MOST_STEPS) {
            run_loops(t, axis + 1);
        }
    }
    t->at[axis] = 0;
}

/* ---- one op ---- */

static bool prepare(const tn_module *m, const tn_op *op, tn_arena *arena, tn_compute *c) {
    return op->n_operands <= MOST_OPERANDS && tn_compute_of_op(m, op, arena, c);
}

/* Whether result 0 may lie over operand k, as the row states; whether it could by its type. */
static bool states_in_place(const tn_op *op, uint32_t k) {
    tn_inplace claim;
    for (uint32_t i = 0; tn_op_inplace(op, i, &claim); i++) {
        if (claim.result == 0 && k < 32 && (claim.operands >> k & 1) != 0 &&
            claim.cond != TN_IF_NEVER && claim.cond != TN_IF_MUST) {
            return true;
        }
    }
    return false;
}

static bool is_as_wide(const tn_compute *c, uint32_t k) {
    const tn_compute_value *x = &c->operands[k], *y = &c->results[0];
    return x->there && x->rank == y->rank &&
           memcmp(x->dims, y->dims, x->rank * sizeof *x->dims) == 0 &&
           tn_dtype_get(c->operands[k].dtype)->bits == tn_dtype_get(c->results[0].dtype)->bits;
}

static bool wrong_before;

static void say(const tn_op *op, uint32_t k, const char *what) {
    printf("%s\"operand %" PRIu32 " of %s %s\"", wrong_before ? ", " : "", k, op->name, what);
    wrong_before = true;
}

static void judge(trace *t, uint32_t *reads, uint32_t *in_place) {
    for (uint32_t k = 0; k < t->c->n_operands; k++) {
        *reads += t->stated[k];
        if (t->wrong[k] != NULL) {
            say(t->op, k, t->wrong[k]);
        } else if (t->stated[k] && t->loose[k]) {
            say(t->op, k, "is not read from where .reads states on");
        }
        if (!is_as_wide(t->c, k)) {
            continue;
        }
        *in_place += states_in_place(t->op, k);
        if (states_in_place(t->op, k) && t->late[k]) {
            say(t->op, k, "is read behind the result that .inplace has in its place");
        }
    }
}

/* Operands over which nobody states that the result may lie, though they are as wide. */
static void list_others(const trace *t, bool late) {
    bool any = false;
    for (uint32_t k = 0; k < t->c->n_operands; k++) {
        if (is_as_wide(t->c, k) && t->c->operands[k].dtype == t->c->results[0].dtype &&
            t->count > 1 && t->steps < MOST_STEPS && t->late[k] == late &&
            !states_in_place(t->op, k) && tn_op_view(t->op).kind == TN_VIEW_NONE) {
            printf("%s%" PRIu32, any ? ", " : "", k);
            any = true;
        }
    }
}

static void try_op(tn_ctx *ctx, const tn_module *m, const tn_op *op) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_compute c;
    if (prepare(m, op, arena, &c)) {
        trace *t = TN_NEW(arena, trace);
        uint32_t reads = 0, in_place = 0;
        *t = (trace){.op = op, .c = &c, .count = elements_of(&c.results[0])};
        t->written = TN_ARRAY(arena, bool, (size_t)t->count + 1);
        for (uint32_t k = 0; k < c.n_operands; k++) {
            t->stated[k] = c.operands[k].there && tn_op_reach(op, 0, k, arena, &t->reach[k]);
        }
        for (uint32_t i = 0; i < c.nests.len; i++) {
            t->n = &c.nests.data[i];
            memset(t->now, 0, sizeof t->now);
            run_loops(t, 0);
        }
        wrong_before = false;
        printf("{\"op\": \"%s\", \"wrong\": [", op->type);
        judge(t, &reads, &in_place);
        printf("], \"reads\": %" PRIu32 ", \"in_place\": %" PRIu32 ", \"could\": [", reads,
               in_place);
        list_others(t, false);
        printf("], \"not\": [");
        list_others(t, true);
        printf("]}\n");
    }
    tn_arena_drop(arena);
}

static tn_status try_model(tn_ctx *ctx, void *arg) {
    tn_pipeline p = {0};
    tn_controls controls = tn_controls_default();
    tn_plan *plan = NULL;
    tn_load_options options = {0};
    tn_module *m = tn_load_file(ctx, arg, &options);
    if (m == NULL) {
        return TN_ERROR;
    }
    tn_pipeline_add(m->arena, &p,
                    tn_pipeline_default(m->arena, tn_pass_find(NULL, "infer-shapes")));
    tn_status status = tn_run_pipeline(ctx, m, &p, &controls, &plan, NULL);
    TN_FOR_ALL_OPS(op, m->main) {
        if (status == TN_OK) {
            try_op(ctx, m, op);
        }
    }
    tn_module_drop(m);
    return status;
}

static void on_diag(void *user, const tn_message *m) {
    (void)user;
    if (m->severity == TN_SEV_ERROR) {
        fprintf(stderr, "%s\n", m->rendered);
    }
}

int main(int argc, char **argv) {
    tn_status worst = TN_OK;
    for (int i = 1; i < argc; i++) {
        tn_ctx *ctx = tn_ctx_new(NULL);
        if (ctx == NULL) {
            return TN_NOMEM;
        }
        ctx->on_diag = on_diag;
        tn_status status = tn_guard_run(ctx, try_model, argv[i]);
        worst = status > worst ? status : worst;
        tn_ctx_free(ctx);
    }
    return (int)worst;
}
