/* infer-shapes: types, and the elements of small integer tensors, of every value.
 *
 * One walk over the ops in schedule order runs each op's rule on what is known of its operands and
 * merges the answer with the type the file states. Nested graphs are walked when the rule of their
 * op asks for them. The walk keeps its own stack, one frame a level, so nesting costs no C stack;
 * op visits are counted, and past a fixed multiple of the module's size the rules have to stop
 * trying precise types first (tn_infer.cautious), so the whole is linear for any input. */
#include <string.h>

#include "ir/infer/by_data.h"
#include "ir/infer/common.h"
#include "ir/infer/no_size.h"
#include "ir/left_out.h"
#include "ir/mutate.h"
#include "passes/core/pass.h"

enum { OPT_STRICT };
enum { STAT_INFERRED, STAT_STORED, STAT_UNKNOWN, STAT_CONTRADICTIONS, STAT_CONFLICTS };

enum {
    VISITS_PER_OP = 8,       /* average visits of an op before the rules must be cautious */
    VISITS_FLOOR = 1000,     /* ... and never before so many */
    MAX_WARNINGS = 20,       /* of each kind; the rest is counted in one line */
    SCRATCH_LIMIT = 1 << 16, /* bytes a level's scratch may take before it is made anew */
};

/* Seen about a value; kept across visits, since loop bodies are visited more than once. */
enum {
    SEEN_INFERRED = 1,
    SEEN_CLASH = 2,
    SEEN_VISITED = 4,
    SEEN_BY_DATA = 8, /* its size follows from elements that only a run knows */
    SEEN_TOLD = 16,   /* ... and the user was told who says what it is */
};

/* One graph being walked. `in` belongs to the op at hand and survives while its regions are walked.
 */
typedef struct frame {
    tn_graph *graph;
    bool idle; /* the graph never runs */
    const tn_op *op;
    tn_infer in;
    tn_arena *own; /* scratch of this level alone, NULL while it uses the outer level's */
    size_t base;   /* bytes in in.scratch when this level began to use it */
} frame;

typedef struct run {
    tn_pass_ctx *c;
    tn_module *m;
    bool strict;
    tn_infer root; /* what the tn_infer of every frame starts as */
    TN_VEC(frame) frames;
    uint8_t *values; /* SEEN_* by value id */
    uint8_t *ops;    /* 1: a conflict was reported, by op id */
    uint8_t *graphs; /* 1: walked, by graph id */
    uint64_t visits;
    uint64_t clashes, conflicts, by_data;
} run;

static bool is_idle(const run *r) {
    return r->frames.data[r->frames.len - 1].idle;
}

/* ---- what the user is shown ---- */

static const char *type_text(const run *r, const tn_type *t) {
    tn_sink sink = tn_sink_make(r->c->scratch);
    tn_type_print(r->m->dims, t, &sink);
    return sink.data;
}

/* ", where NAME is at most N" for each extent that data give. */
static const char *limits_text(const run *r, const tn_type *t) {
    tn_sink sink = tn_sink_make(r->c->scratch);
    tn_put(&sink, "");
    for (uint32_t i = 0; t->has_rank && i < t->rank; i++) {
        const char *name = tn_dim_symbol(r->m->dims, t->dims[i]);
        const tn_dim_limit *limit = name != NULL ? tn_dims_limit_named(r->m->dims, name) : NULL;
        if (limit != NULL) {
            tn_putf(&sink, "%s%s is at most ", sink.len > 0 ? " and " : ", where ", name);
            tn_dim_print(r->m->dims, limit->most, &sink);
        }
    }
    return sink.data;
}

static void report(run *r, const tn_loc *loc, uint64_t nth, const char *text) {
    if (r->strict) {
        tn_error(r->c->ctx, loc, "%s", text);
    } else if (nth <= MAX_WARNINGS) {
        tn_warn(r->c->ctx, loc, "%s", text);
    }
}

static void on_conflict(tn_infer *in, const char *text) {
    run *r = in->user;
    if (r->ops[in->op->id] == 0 && !is_idle(r)) {
        r->ops[in->op->id] = 1;
        report(r, &in->op->loc, ++r->conflicts, text);
    }
}

static void on_contradiction(tn_infer *in, const tn_value *v, const tn_type *inferred,
                             const tn_type *stored) {
    run *r = in->user;
    if ((r->values[v->id] & SEEN_CLASH) != 0 || is_idle(r)) {
        return;
    }
    r->values[v->id] |= SEEN_CLASH;
    r->clashes++;
    if (r->strict || r->clashes <= MAX_WARNINGS) {
        report(r, &in->op->loc, r->clashes,
               tn_arena_printf(r->c->scratch, "'%s' is %s, but the file says %s", v->name,
                               type_text(r, inferred), type_text(r, stored)));
    }
}

/* Whoever believes the file, or the user, runs into bytes of others where a run needs more. */
static void on_size_by_data(run *r, const tn_op *op, const tn_value *v) {
    if ((r->values[v->id] & SEEN_TOLD) != 0 || r->m->told_by_data) {
        return;
    }
    r->values[v->id] |= SEEN_TOLD;
    if (++r->by_data <= MAX_WARNINGS) {
        tn_warn(r->c->ctx, &op->loc,
                "'%s' is %s%s as the file or --dim says, but its size depends on data: runs that "
                "need more do not fit",
                v->name, type_text(r, v->type), limits_text(r, v->type));
    }
}

static void report_rest(run *r) {
    tn_loc loc = tn_loc_file(r->m->file);
    if (!r->strict && r->clashes > MAX_WARNINGS) {
        tn_warn(r->c->ctx, &loc, "%llu more stored types contradict inference",
                (unsigned long long)(r->clashes - MAX_WARNINGS));
    }
    if (!r->strict && r->conflicts > MAX_WARNINGS) {
        tn_warn(r->c->ctx, &loc, "%llu more ops contradict their operands",
                (unsigned long long)(r->conflicts - MAX_WARNINGS));
    }
    if (r->by_data > MAX_WARNINGS) {
        tn_warn(r->c->ctx, &loc, "sizes of %llu more values depend on data",
                (unsigned long long)(r->by_data - MAX_WARNINGS));
    }
    r->m->told_by_data = true;
}

/* ---- values without a size ---- */

static bool has_size(const run *r, const tn_type *t) {
    int64_t n;
    return t->kind == TN_TYPE_TENSOR && (tn_type_fixed_bytes(r->m->dims, t, &n) ||
                                         tn_type_room(r->m->dims, t) != TN_DIM_UNKNOWN);
}

/* An expression over symbols counts, but where nobody is to be asked to bind them. */
static bool needs_reason(const run *r, const tn_type *t) {
    int64_t n;
    return !has_size(r, t) || (is_idle(r) && !tn_type_fixed_bytes(r->m->dims, t, &n));
}

static void explain(run *r, tn_value *v, const char *reason) {
    tn_value_set_unplanned(v, reason != NULL ? tn_intern(r->c->ctx, reason) : NULL);
}

/* Inputs and constants: nothing but their type speaks for them. */
static void explain_given(run *r, tn_value *v) {
    explain(r, v, has_size(r, v->type) ? NULL : tn_no_size_of_type(r->c->ctx, v->type));
}

/* Argument i of a body is operand i of its op: what flows in has a reason of its own, or a size
 * that did not last from one iteration to the next. */
static void explain_argument(run *r, const tn_graph *g, uint32_t i) {
    tn_value *v = g->inputs[i];
    const tn_value *flow = g->owner != NULL ? tn_operand(g->owner, i) : NULL;
    if (tn_is_not_given(v)) {
        explain(r, v, TN_NOT_GIVEN);
    } else if (flow == NULL || v->type->kind != TN_TYPE_TENSOR || has_size(r, v->type)) {
        explain_given(r, v);
    } else {
        explain(r, v,
                flow->unplanned != NULL ? flow->unplanned
                                        : "its shape changes between iterations, at run time");
    }
}

/* ---- one op ---- */

static void keep_content(run *r, tn_value *v, const struct tn_content *found) {
    if (!found->known) {
        tn_value_set_content(v, 0, NULL, NULL);
        return;
    }
    const tn_dim *dims = found->dims;
    const double *floats = found->floats;
    if (dims != NULL) {
        dims = tn_arena_regrow(r->m->arena, dims, found->n, found->n, sizeof *dims);
    }
    if (floats != NULL) {
        floats = tn_arena_regrow(r->m->arena, floats, found->n, found->n, sizeof *floats);
    }
    tn_value_set_content(v, found->n, dims, floats);
}

/* Whether the rule of the op, if there is one, cannot give the size of result i before a run. */
static bool is_by_data(const run *r, const tn_infer *in, uint32_t i) {
    if (in->op->info->shape == NULL && in->op->n_regions == 0) {
        return false;
    }
    bool found = in->why[i] != NULL || *in->wanted != NULL;
    for (uint32_t k = 0; k < in->op->n_operands && !found; k++) {
        const tn_value *v = in->op->operands[k].value;
        found = v != NULL && (r->values[v->id] & SEEN_BY_DATA) != 0;
    }
    return found;
}

/* Whether `dim` is never more than the number. */
static bool is_at_most(tn_dims *d, tn_dim dim, int64_t number) {
    int64_t most;
    return tn_dim_is_const(d, tn_dim_most(d, dim), &most) && most <= number;
}

/* A number where no rule finds one, nor that it cannot be more; a symbol is the user's to bind, or
 * stays open. */
static bool is_stated(const run *r, const tn_type *inferred, const tn_type *t) {
    tn_dims *d = r->m->dims;
    bool ranked = inferred != NULL && inferred->has_rank && inferred->rank == t->rank;
    bool stated = false;
    for (uint32_t k = 0; k < t->rank && !stated; k++) {
        int64_t extent, found;
        stated = tn_dim_is_const(d, t->dims[k], &extent) &&
                 !(ranked && (tn_dim_is_const(d, inferred->dims[k], &found) ||
                              is_at_most(d, inferred->dims[k], extent)));
    }
    return stated;
}

static uint8_t seen(run *r, const tn_infer *in, uint32_t i) {
    const tn_value *v = in->op->results[i];
    const tn_type *inferred = in->out[i];
    bool sized = inferred != NULL && has_size(r, inferred);
    bool promised = i >= in->promised;
    if (sized && !promised && !tn_type_by_data(r->m->dims, inferred)) {
        return SEEN_VISITED | SEEN_INFERRED;
    }
    if (sized && !promised && !is_stated(r, inferred, v->type)) {
        return SEEN_VISITED | SEEN_INFERRED;
    }
    if (sized) {
        if (!is_idle(r)) {
            on_size_by_data(r, in->op, v);
        }
        return SEEN_VISITED;
    }
    if (is_idle(r) || in->failed || !is_by_data(r, in, i)) {
        return SEEN_VISITED;
    }
    if (!has_size(r, v->type)) {
        return SEEN_VISITED | SEEN_BY_DATA;
    }
    if (is_stated(r, inferred, v->type)) {
        on_size_by_data(r, in->op, v);
    }
    return SEEN_VISITED;
}

/* Extents that no op limits are symbols where the user gives them a limit, be it as the range of a
 * name that the file has for them. */
static void name_asked(run *r, tn_infer *in, uint32_t i) {
    const tn_type *t = in->out[i];
    uint32_t n, n_ranges;
    (void)tn_dims_all_asked(r->m->dims, &n);
    (void)tn_dims_ranges(r->m->dims, &n_ranges);
    if (n + n_ranges == 0 || t == NULL || t->kind != TN_TYPE_TENSOR || !t->has_rank ||
        !is_by_data(r, in, i)) {
        return;
    }
    tn_dim *dims = tn_dims_unknown(in, t->rank);
    for (uint32_t k = 0; k < t->rank; k++) {
        dims[k] =
            t->dims[k] != TN_DIM_UNKNOWN ? t->dims[k] : tn_extent_by_data(in, i, k, TN_DIM_UNKNOWN);
    }
    tn_out(in, i, t->dtype, t->rank, dims);
}

/* A limit that was given to the name that the file has for an extent counts for nothing where
 * inference knows it by another name. */
static void demand_name(const run *r, const tn_value *v, const tn_type *inferred,
                        const tn_type *stored) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(r->m->dims, &n);
    bool ranked = inferred != NULL && inferred->kind == TN_TYPE_TENSOR && inferred->has_rank &&
                  stored->kind == TN_TYPE_TENSOR && stored->has_rank &&
                  stored->rank == inferred->rank;
    for (uint32_t k = 0; ranked && k < stored->rank; k++) {
        const char *mine = tn_dim_symbol(r->m->dims, stored->dims[k]);
        const char *known = tn_dim_symbol(r->m->dims, inferred->dims[k]);
        if (mine == NULL || known == NULL || strcmp(mine, known) == 0 ||
            tn_dims_limit_named(r->m->dims, known) == NULL ||
            tn_dims_limit_named(r->m->dims, mine) != NULL ||
            tn_map_or(r->root.given, tn_str_id(tn_intern(r->c->ctx, mine)), 0) != 0) {
            continue;
        }
        for (uint32_t i = 0; i < n; i++) {
            if (strcmp(open[i].name, mine) == 0 && open[i].max < INT64_MAX) {
                tn_loc loc = tn_loc_file(r->m->file);
                tn_fail_usage(r->c->ctx, &loc,
                              "'%s' is the file's name for axis %u of '%s', whose extent '%s' "
                              "comes from data: limit that one, as in --dim %s=0..%lld",
                              mine, (unsigned)k, v->name, known, known, (long long)open[i].max);
            }
        }
    }
}

static void commit(run *r, tn_infer *in) {
    for (uint32_t i = 0; i < in->op->n_results; i++) {
        tn_value *v = in->op->results[i];
        if (v == NULL) {
            continue;
        }
        name_asked(r, in, i);
        const tn_type *inferred = in->out[i], *stored = in->stored[v->id];
        bool clash;
        demand_name(r, v, inferred, stored);
        const tn_type *type = tn_infer_merge(in, inferred, stored, &clash);
        if (clash) {
            on_contradiction(in, v, inferred, stored);
        }
        tn_value_set_type(v, type);
        keep_content(r, v, &in->content[i]);
        explain(r, v,
                !needs_reason(r, type) ? NULL
                : is_idle(r)           ? TN_NEVER_RUNS
                                       : tn_no_size_of_result(r->c->ctx, in, i, type));
        uint8_t now = seen(r, in, i);
        r->values[v->id] = (uint8_t)((r->values[v->id] & (SEEN_CLASH | SEEN_TOLD)) | now);
    }
}

/* ---- the walk ---- */

static void push(run *r, tn_graph *g, tn_arena *scratch, bool idle) {
    frame f = {.graph = g, .idle = idle, .op = g->first, .in = r->root};
    f.in.scratch = scratch;
    f.base = tn_arena_bytes(scratch);
    tn_vec_push(r->c->scratch, &r->frames, f);
    r->graphs[g->id] = 1;
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        explain_argument(r, g, i);
    }
    for (uint32_t i = 0; i < g->n_consts; i++) {
        explain_given(r, g->consts[i]);
    }
}

static void pop(run *r) {
    tn_arena_drop(r->frames.data[--r->frames.len].own);
}

/* Between two ops of a level nothing in its scratch is needed any more. */
static void renew_scratch(run *r, frame *f) {
    if (tn_arena_bytes(f->in.scratch) - f->base > SCRATCH_LIMIT) {
        tn_arena_drop(f->own);
        f->own = f->in.scratch = tn_arena_new(r->c->ctx);
        f->base = tn_arena_bytes(f->own);
    }
}

/* Calls the rule of the op at hand; true when the rule wants a region walked first. */
static bool step(run *r, frame *f) {
    r->visits++;
    f->in.cautious = r->visits > VISITS_FLOOR + (uint64_t)VISITS_PER_OP * r->m->n_ops;
    tn_infer_op(&f->in, f->op);
    if (f->in.region != NULL) {
        f->in.phase++;
        return true;
    }
    commit(r, &f->in);
    f->in.phase = 0;
    f->op = f->op->next;
    renew_scratch(r, f);
    return false;
}

static void walk(run *r, tn_graph *g) {
    push(r, g, r->c->scratch, false);
    while (r->frames.len > 0) {
        frame *f = &r->frames.data[r->frames.len - 1];
        if (f->op == NULL) {
            pop(r);
        } else if (step(r, f)) {
            push(r, f->in.region, f->in.scratch, f->idle || f->in.idle);
        }
    }
}

/* Bodies that no rule asked for are walked with the types they declare. */
static void walk_all(run *r) {
    walk(r, r->m->main);
    for (uint32_t i = 0; i < r->m->n_graphs; i++) {
        bool dead = r->m->graphs[i]->owner != NULL && r->m->graphs[i]->owner->erased;
        if (r->graphs[i] == 0 && !dead) {
            walk(r, r->m->graphs[i]);
        }
    }
}

/* A name that was taken for that of an extent data give must have been one. */
static void demand_asked(const run *r) {
    uint32_t n;
    const tn_dim_asked *asked = tn_dims_all_asked(r->m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (!asked[i].met) {
            tn_loc loc = tn_loc_file(r->m->file);
            tn_fail_usage(r->c->ctx, &loc,
                          "the model has no dimension '%s': nothing of that size depends on data; "
                          "`tenure dims MODEL` lists those it has",
                          asked[i].name);
        }
    }
}

/* ---- setting up and summing up ---- */

static bool note_symbol(void *user, const char *name, int64_t *value) {
    tn_map_put(user, tn_str_id(name), 1);
    *value = 1;
    return true;
}

static const tn_map *given_symbols(run *r) {
    tn_map *given = TN_NEW(r->c->scratch, tn_map);
    *given = tn_map_make(r->c->scratch);
    for (uint32_t i = 0; i < r->m->main->n_inputs; i++) {
        const tn_type *t = r->m->main->inputs[i]->type;
        for (uint32_t k = 0; t->has_rank && k < t->rank; k++) {
            int64_t value;
            (void)tn_dim_eval(r->m->dims, t->dims[k], note_symbol, given, &value);
        }
    }
    return given;
}

static void start(run *r, tn_pass_ctx *c) {
    r->c = c;
    r->m = c->module;
    r->strict = tn_pass_bool(c, OPT_STRICT);
    r->values = TN_ARRAY(c->scratch, uint8_t, r->m->n_values);
    r->ops = TN_ARRAY(c->scratch, uint8_t, r->m->n_ops);
    r->graphs = TN_ARRAY(c->scratch, uint8_t, r->m->n_graphs);
    const tn_type **stored = TN_ARRAY(c->scratch, const tn_type *, r->m->n_values);
    for (uint32_t i = 0; i < r->m->n_values; i++) {
        stored[i] = r->m->values[i]->type;
    }
    r->root = (tn_infer){.ctx = c->ctx,
                         .m = r->m,
                         .arena = r->m->arena,
                         .dims = r->m->dims,
                         .user = r,
                         .stored = stored,
                         .given = given_symbols(r),
                         .on_conflict = on_conflict,
                         .on_contradiction = on_contradiction};
}

static void count(run *r) {
    uint64_t *stats = r->c->stats;
    for (uint32_t i = 0; i < r->m->n_values; i++) {
        const tn_value *v = r->m->values[i];
        if ((r->values[i] & SEEN_VISITED) == 0) {
            continue;
        }
        stats[v->unplanned != NULL                  ? STAT_UNKNOWN
              : (r->values[i] & SEEN_INFERRED) != 0 ? STAT_INFERRED
                                                    : STAT_STORED]++;
    }
    stats[STAT_CONTRADICTIONS] += r->clashes;
    stats[STAT_CONFLICTS] += r->conflicts;
}

static tn_status infer_shapes(tn_pass_ctx *c) {
    run r = {0};
    start(&r, c);
    walk_all(&r);
    demand_asked(&r);
    report_rest(&r);
    count(&r);
    return r.strict && r.clashes + r.conflicts > 0 ? TN_ERROR : TN_OK;
}

static const tn_opt options[] = {
    [OPT_STRICT] = {"strict", TN_OPT_BOOL, "false", NULL,
                    "a stored type that contradicts inference is an error"},
    {0},
};

static const tn_stat stats[] = {
    [STAT_INFERRED] = {"inferred", "results whose size inference found"},
    [STAT_STORED] = {"stored", "results whose size only the file states"},
    [STAT_UNKNOWN] = {"unknown", "results without a planable size"},
    [STAT_CONTRADICTIONS] = {"contradictions", "stored types that inference contradicts"},
    [STAT_CONFLICTS] = {"conflicts", "ops whose operands contradict their definition"},
    {0},
};

const tn_pass_info tn_pass_infer_shapes = {
    .name = "infer-shapes",
    .summary = "types and shapes of all values, and the elements of small integer tensors",
    .sets = TN_PROP_TYPES,
    .options = options,
    .stats = stats,
    .required = true,
    .run = infer_shapes,
};
