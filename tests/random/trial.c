#include "tests/random/trial.h"

#include <string.h>

#include "ir/build.h"
#include "ir/check/check.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_digest.h"
#include "ir/text/text.h"
#include "ir/verify.h"
#include "lib/op_facts.h"
#include "lib/planner.h"
#include "passes/core/manager.h"
#include "tests/random/edit.h"
#include "tests/random/oracle.h"
#include "tests/random/shadow.h"
#include "tests/random/spoil.h"

#define WORKSPACE(op, most, least)                                                                 \
    "{\"op\": \"" op "\", \"workspace\": [{\"name\": \"fast\", \"bytes\": \"" most                 \
    "\"}, {\"name\": \"small\", \"bytes\": \"" least "\"}]},"

enum {
    SPOIL_ONE_OF = 8, /* plans: one is spoiled in either way */
    MANY_ORDERS = 20  /* that a plan is run in whose steps run side by side */
};

typedef struct running {
    tn_ctx *ctx;
    const trial *t;
    tn_arena *arena;
    trial_totals *totals;
    const char *wrong;
} running;

/* Workspace in several ways for some ops, and claims that they do without, in one of a few cases.
 */
static tn_op_set *draw_facts(running *r) {
    static const char *const texts[] = {
        WORKSPACE("Relu", "X.bytes", "0") WORKSPACE("Add", "2*A.bytes", "17")
            WORKSPACE("Softmax", "4*input.n", "input.n"),
        WORKSPACE("Mul", "C.bytes//2", "1")
            WORKSPACE("Neg", "Y.n", "0") "{\"op\": \"Relu\", \"inplace\": \"\"}, {\"op\": "
                                         "\"Reshape\", \"view\": \"none\"},",
    };
    enum { ONE_OF = 3, N = sizeof texts / sizeof texts[0] };
    if (r->t->seed % ONE_OF != 0) {
        return NULL;
    }
    const char *text = tn_arena_printf(
        r->arena,
        "{\"tenure_facts\": 1, \"ops\": [%s {\"op\": \"Exp\", \"kept\": [{\"bytes\": 40}]}]}",
        texts[r->t->seed / ONE_OF % N]);
    tn_op_set *set = tn_op_facts_parse(r->ctx, "facts.json", text, strlen(text));
    set->digests.len = 0; /* the plans here are stamped by nobody */
    return set;
}

static tn_module *read_module(running *r) {
    tn_module *m =
        tn_module_parse_for(r->ctx, "case.tir", r->t->text, strlen(r->t->text), draw_facts(r));
    if (m == NULL) {
        r->wrong = "the text does not read back";
        return NULL;
    }
    tn_sink again = tn_sink_make(r->arena);
    tn_module_print(m, &again);
    if (strcmp(again.data, r->t->text) != 0) {
        r->wrong = "the text reads back to another module";
    } else if (tn_module_verify(m, true) != TN_OK) {
        r->wrong = "the module is not sound";
    }
    return m;
}

static tn_plan *make_plan(running *r, tn_module *m) {
    tn_pipeline written, pipeline;
    tn_plan *p = NULL;
    if (m->op_set != NULL &&
        (tn_pipeline_parse(r->arena, "case", "infer-shapes,workspace", &written) != TN_OK ||
         tn_run_pipeline(r->ctx, m, &written, &r->t->v->controls, &p, NULL) != TN_OK)) {
        r->wrong = "the pass workspace fails";
        return NULL;
    }
    if (tn_pipeline_parse(r->arena, "case", r->t->v->pipeline, &written) != TN_OK ||
        tn_pipeline_complete(r->arena, &written, &pipeline) != TN_OK ||
        tn_run_pipeline(r->ctx, m, &pipeline, &r->t->v->controls, &p, NULL) != TN_OK || p == NULL) {
        r->wrong = "the pipeline fails";
        return NULL;
    }
    p->model = m->name;
    p->version = "";
    p->digest = tn_plan_digest(m, p->arena);
    p->pipeline = r->t->v->pipeline;
    return p;
}

static const char *json_of(running *r, const tn_plan *p) {
    tn_sink out = tn_sink_make(r->arena);
    tn_plan_to_json(p, &out);
    return out.data;
}

/* Every backend takes the plan or says why not; objects are for plans with slots. */
static void check_backends(running *r, const tn_plan *p) {
    static const char *const modes[] = {"mode=subbuffers", "mode=offsets", "mode=objects"};
    uint32_t n;
    const tn_backend *const *all = tn_backend_all(NULL, &n);
    tn_diag_handler handler = r->ctx->on_diag;
    r->ctx->on_diag = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (all[i]->needs_model) {
            continue; /* random models have no bytes of constants */
        }
        bool modal = all[i] == tn_backend_find(NULL, "opencl") ||
                     all[i] == tn_backend_find(NULL, "opencl-json");
        for (uint32_t k = 0; k < (modal ? sizeof modes / sizeof modes[0] : 1); k++) {
            tn_backend_args args = tn_backend_defaults(r->arena, all[i]);
            tn_sink out = tn_sink_make(r->arena);
            tn_status status =
                modal ? tn_backend_set(r->arena, all[i], "test", modes[k], &args) : TN_OK;
            if (status == TN_OK) {
                status = tn_backend_print(all[i], p, NULL, &args, &out);
            }
            if (status != TN_OK && (status != TN_ERROR || !modal)) {
                r->wrong = tn_arena_printf(r->arena, "backend %s fails", all[i]->name);
            }
            r->totals->artefacts += status == TN_OK;
        }
    }
    r->ctx->on_diag = handler;
}

/* As `tenure check` holds a plan against a model: one that no pass has put in order. Not where
 * planning chooses more: the way of a workspace, and what is computed once more. */
static void check_fresh(running *r, const tn_plan *p) {
    tn_pipeline pipeline = {0};
    tn_plan *none = NULL;
    tn_module *m = read_module(r);
    if (m->op_set == NULL && strstr(r->t->v->pipeline, "recompute") == NULL) {
        if (tn_pipeline_parse(r->arena, "case", "infer-shapes,pin", &pipeline) != TN_OK ||
            tn_run_pipeline(r->ctx, m, &pipeline, &r->t->v->controls, &none, NULL) != TN_OK) {
            r->wrong = "the passes of a check fail";
        } else if (tn_plan_check(p, m) != TN_OK) {
            r->wrong = "the checker refuses the plan for the module as it was";
        }
    }
    tn_module_drop(m);
}

/* Another run from the same text gives the same bytes, and JSON loses nothing. */
static void check_forms(running *r, const tn_plan *p) {
    const char *json = json_of(r, p);
    tn_module *twin = read_module(r);
    tn_plan *second = r->wrong == NULL ? make_plan(r, twin) : NULL;
    if (r->wrong == NULL && strcmp(json_of(r, second), json) != 0) {
        r->wrong = "equal modules, different plans";
    }
    tn_plan *back = tn_plan_from_json(r->ctx, "case.json", json, strlen(json));
    if (r->wrong == NULL && (back == NULL || strcmp(json_of(r, back), json) != 0)) {
        r->wrong = "JSON reads back to another plan";
    }
    if (r->wrong == NULL && tn_plan_check(back, twin) != TN_OK) {
        r->wrong = "the checker refuses the plan as read from JSON";
    }
    if (r->wrong == NULL) {
        check_fresh(r, back);
    }
    tn_plan_drop(back);
    tn_plan_drop(second);
    tn_module_drop(twin);
}

static void check_plan(running *r, const tn_plan *p, const tn_module *m) {
    uint64_t seed = r->t->seed;
    if (tn_module_verify(m, true) != TN_OK) {
        r->wrong = "the module is not sound after planning";
    } else if (tn_plan_check(p, m) != TN_OK) {
        r->wrong = "the checker refuses the plan";
    }
    if (r->wrong == NULL) {
        r->wrong = oracle_check(p, m, r->arena);
    }
    for (uint64_t i = 0; i < 2 && r->wrong == NULL; i++) {
        r->wrong = shadow_run(p, m, SHADOW_PLANNED, seed + 2 * i, r->arena, &r->totals->bytes);
    }
    uint64_t n_orders = p->concurrency != TN_SERIAL ? MANY_ORDERS : 1;
    for (uint64_t i = 0; i < n_orders && r->wrong == NULL; i++) {
        r->wrong = shadow_run(p, m, SHADOW_LOOSE, seed + 2 * i + 1, r->arena, &r->totals->bytes);
        r->wrong = r->wrong != NULL ? tn_arena_printf(r->arena, "loose order: %s", r->wrong) : NULL;
        r->totals->beside += n_orders > 1;
    }
    if (r->wrong == NULL) {
        check_forms(r, p);
    }
    if (r->wrong == NULL) {
        check_backends(r, p);
    }
}

/* Checker and oracle must both refuse what is wrong. */
static void check_refused(running *r, const tn_plan *p, const tn_module *m) {
    tn_diag_handler handler = r->ctx->on_diag;
    r->ctx->on_diag = NULL;
    bool passed = tn_plan_check(p, m) == TN_OK;
    r->ctx->on_diag = handler;
    r->totals->spoiled++;
    if (passed) {
        r->wrong = "the checker lets a spoiled plan pass";
    } else if (oracle_check(p, m, r->arena) == NULL) {
        r->wrong = "the oracle lets a spoiled plan pass";
    }
    if (shadow_run(p, m, SHADOW_PLANNED, r->t->seed, r->arena, &r->totals->bytes) != NULL) {
        r->totals->spoiled_seen++;
    }
}

static void on_refusal(void *user, const tn_message *m) {
    bool *due = user;
    *due = *due || strstr(m->rendered, "the distance is too small") != NULL;
}

/* A result that begins inside an operand may do so at its distance anywhere, and no byte nearer. */
static void check_nearer(running *r, tn_plan *p, const tn_module *m) {
    uint64_t seed = r->t->seed;
    bool due = false;
    if (!spoil_distance(p, seed, 0)) {
        return;
    }
    r->wrong = shadow_run(p, m, SHADOW_PLANNED, seed, r->arena, &r->totals->bytes);
    if (r->wrong != NULL || !spoil_distance(p, seed, 1)) {
        return;
    }
    tn_diag_handler handler = r->ctx->on_diag;
    void *user = r->ctx->on_diag_user;
    r->ctx->on_diag = on_refusal;
    r->ctx->on_diag_user = &due;
    bool passed = tn_plan_check(p, m) == TN_OK;
    r->ctx->on_diag = handler;
    r->ctx->on_diag_user = user;
    r->totals->nearer++;
    if (passed || !due) {
        r->wrong = "the checker lets a result begin a byte too late inside its operand";
    } else if (oracle_check(p, m, r->arena) == NULL) {
        r->wrong = "the oracle lets a result begin a byte too late inside its operand";
    } else if (shadow_run(p, m, SHADOW_PLANNED, seed, r->arena, &r->totals->bytes) == NULL) {
        r->wrong = "the shadow run lets a result begin a byte too late inside its operand";
    }
}

/* The pipeline in which no result begins inside an operand; as it is when none does. */
static const char *without_insides(tn_arena *arena, const char *pipeline) {
    static const char word[] = ",overlap=";
    char *text = tn_arena_printf(arena, "%s", pipeline), *at = strstr(text, word);
    if (at != NULL) {
        size_t n = sizeof word - 1;
        n += strcspn(at + n, ",}");
        memmove(at, at + n, strlen(at + n) + 1);
    }
    return text;
}

/* The pipeline without the passes that make aliases; NULL where the order depends on them. */
static const char *without_aliases(tn_arena *arena, const char *pipeline) {
    static const char *const passes[] = {",alias-views", ",inplace", ",share-gradients",
                                         ",fill-parts"};
    static const char *const plain = "infer-shapes,schedule,pin,reuse{level=1%s},insert-frees";
    if (strcmp(pipeline, "O2") == 0 || strcmp(pipeline, "O3") == 0) {
        return tn_arena_printf(arena, plain, pipeline[1] == '3' ? ",effort=2" : "");
    }
    if (strstr(pipeline, "min-peak") != NULL) {
        return NULL;
    }
    char *text = tn_arena_printf(arena, ",%s", pipeline);
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        char *at = strstr(text, passes[i]);
        size_t n = at != NULL ? strlen(passes[i]) : 0;
        n += at != NULL && at[n] == '{' ? strcspn(at + n, "}") + 1 : 0;
        if (at != NULL) {
            memmove(at, at + n, strlen(at + n) + 1);
        }
    }
    /* Passes that come twice, and named pipelines in the midst, are another matter. */
    bool left = strstr(text, "O1") != NULL || strstr(text, "O3") != NULL;
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        left = left || strstr(text, passes[i]) != NULL;
    }
    return left || *text == '\0' ? NULL : text + 1;
}

/* The pipeline without the pass that computes values again, or NULL where it has none. */
static const char *without_recompute(tn_arena *arena, const char *pipeline) {
    static const char pass[] = "recompute{flops=100%},";
    char *text = tn_arena_printf(arena, "%s", pipeline), *at = strstr(text, pass);
    bool found = at != NULL;
    for (; at != NULL; at = strstr(text, pass)) {
        memmove(at, at + strlen(pass), strlen(at + strlen(pass)) + 1);
    }
    return found ? text : NULL;
}

/* Planned so, the arena is no smaller. */
static void check_worth(running *r, const tn_plan *p, const char *pipeline, const char *what) {
    variant plain = *r->t->v;
    trial t = *r->t;
    running other = {r->ctx, &t, r->arena, r->totals, NULL};
    t.v = &plain;
    plain.pipeline = pipeline;
    tn_module *m = pipeline != NULL ? read_module(&other) : NULL;
    tn_plan *q = m != NULL ? make_plan(&other, m) : NULL;
    if (q != NULL && p->pools[0].size > q->pools[0].size) {
        r->wrong = tn_arena_printf(r->arena, "%llu bytes with %s, %llu without",
                                   (unsigned long long)p->pools[0].size, what,
                                   (unsigned long long)q->pools[0].size);
    }
    r->wrong = r->wrong == NULL ? other.wrong : r->wrong;
    tn_plan_drop(q);
    tn_module_drop(m);
}

/* Neither results inside operands nor clones nor aliases ever make an arena larger. With other
 * aliases, or where results begin inside operands, other values are computed again, so nothing is
 * said of these where the pipeline does so. */
static void check_regret(running *r, const tn_plan *p) {
    if (r->t->v->controls.places.n_pools > 0) { /* the cheapest plan need not be the smallest */
        return;
    }
    const char *apart = without_insides(r->arena, r->t->v->pipeline);
    const char *once = without_recompute(r->arena, apart);
    if (once != NULL) {
        check_worth(r, p, once, "clones");
        return;
    }
    if (strcmp(apart, r->t->v->pipeline) != 0) {
        check_worth(r, p, apart, "results inside operands");
    }
    if (r->wrong == NULL) {
        check_worth(r, p, without_aliases(r->arena, apart), "aliases");
    }
}

/* Whether the plan can be one that another is based on. */
static bool can_be_base(const running *r, const tn_plan *p) {
    const char *pipeline = r->t->v->pipeline;
    return p->concurrency == TN_SERIAL && p->n_slots == 0 && p->n_ranges == 0 && !p->partial &&
           strstr(pipeline, "level=0") == NULL && strstr(pipeline, "level=none") == NULL &&
           strstr(pipeline, "O0") == NULL && strstr(pipeline, "O1") == NULL &&
           strstr(pipeline, "recompute") == NULL && r->t->v->controls.exclude.len == 0 &&
           r->t->v->controls.layout_of.len == 0;
}

/* Where the plan before says values lie, and where they lie: as many moved as are listed, and no
 * arena larger than it would be. */
static const char *check_near(const tn_plan *old, const tn_plan *p) {
    const tn_plan_base *base = &p->report.base;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i], *was = tn_plan_find(old, v->graph, v->name);
        bool both = was != NULL && was->storage != TN_NO_ID && v->storage != TN_NO_ID;
        n += both && tn_plan_address(old, was) != tn_plan_address(p, v);
    }
    return base->digest == NULL             ? "the plan says nothing of the one before"
           : base->n_least > base->n_shifts ? "fewer values moved than have to"
           : n > base->n_shifts             ? "more values moved than are listed"
           : tn_plan_arena_bytes(p) > base->free
               ? "the arena is larger than without the plan before"
               : NULL;
}

/* The module with a small edit, planned near to the plan. */
static void check_edited(running *r, const tn_plan *old) {
    variant near = *r->t->v;
    trial t = *r->t;
    running other = {r->ctx, &t, r->arena, r->totals, NULL};
    tn_module *m = read_module(&other);
    near.controls.places.based_on = old;
    if (m != NULL && edit_module(m, r->t->seed)) {
        t.v = &near;
        tn_plan *p = make_plan(&other, m);
        if (p != NULL && tn_plan_check(p, m) != TN_OK) {
            other.wrong = "the checker refuses the plan";
        } else if (p != NULL) {
            other.wrong = check_near(old, p);
            other.wrong = other.wrong == NULL ? oracle_check(p, m, r->arena) : other.wrong;
        }
        if (other.wrong == NULL) {
            other.wrong = shadow_run(p, m, SHADOW_PLANNED, r->t->seed, r->arena, &r->totals->bytes);
        }
        r->totals->edited++;
        tn_plan_drop(p);
    }
    tn_module_drop(m);
    r->wrong = other.wrong == NULL ? NULL : tn_arena_printf(r->arena, "edited: %s", other.wrong);
}

/* Whether it takes the bytes of another value, or gives it its own, in a storage with parts. */
static bool shares_with_part(const tn_plan *p, uint32_t value) {
    const tn_plan_value *v = &p->values[value];
    bool parted = false;
    for (uint32_t i = 0; i < p->n_values && v->alias == TN_ALIAS_SHARE && !parted; i++) {
        const tn_plan_value *x = &p->values[i];
        parted = x->storage == v->storage && x->alias == TN_ALIAS_VIEW &&
                 x->bytes != p->values[x->alias_of].bytes;
    }
    return parted;
}

static void count(trial_totals *t, const tn_plan *p, const tn_module *m) {
    t->graphs += m->n_graphs;
    t->ops += m->n_ops;
    t->values += p->n_values;
    t->plans++;
    for (uint32_t i = 0; i < p->n_values; i++) {
        t->inside += p->values[i].n_overlaps > 0;
        if (shares_with_part(p, i)) {
            const tn_plan_value *v = &p->values[i], *of = &p->values[v->alias_of];
            t->rooms++;
            t->wide += v->first < of->first ? v->bytes > of->bytes : of->bytes > v->bytes;
        }
    }
    t->shared += (uint64_t)p->report.n_inplace + p->report.n_views + p->report.n_updates +
                 p->report.n_shared;
    t->clones += p->report.recompute.n_clones;
}

static tn_status run(tn_ctx *ctx, void *arg) {
    running *r = arg;
    (void)ctx;
    tn_module *m = read_module(r);
    tn_plan *p = r->wrong == NULL ? make_plan(r, m) : NULL;
    if (p != NULL) {
        check_plan(r, p, m);
        if (r->wrong == NULL) {
            check_regret(r, p);
        }
        if (r->wrong == NULL && can_be_base(r, p)) {
            check_edited(r, p);
        }
        count(r->totals, p, m);
        uint64_t kind = r->t->seed % SPOIL_ONE_OF;
        if (r->wrong == NULL && ((kind == 0 && spoil_overlap(p, r->t->seed)) ||
                                 (kind == 1 && spoil_free(p, r->t->seed)))) {
            check_refused(r, p, m);
        } else if (r->wrong == NULL && kind > 1) {
            check_nearer(r, p, m);
        }
    }
    tn_plan_drop(p);
    tn_module_drop(m);
    return TN_OK;
}

/* Whether anything was said but that the op Gradient keeps values from being computed again. */
static bool has_complaint(const char *said) {
    for (const char *line = said; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        const char *known = strstr(line, ": warning: nothing is computed again: ");
        if (len > 0 && (known == NULL || known >= line + len)) {
            return true;
        }
        line += len + (line[len] != '\0');
    }
    return false;
}

const char *trial_run(tn_ctx *ctx, const trial *t, const tn_sink *said, tn_arena *arena,
                      trial_totals *totals) {
    running r = {ctx, t, arena, totals, NULL};
    size_t before = said->len;
    tn_status status = tn_guard_run(ctx, run, &r);
    if (status != TN_OK) {
        r.wrong = "raised";
    } else if (r.wrong == NULL && said->len > before && has_complaint(said->data + before)) {
        r.wrong = "diagnostics about a valid module";
    }
    return r.wrong;
}
