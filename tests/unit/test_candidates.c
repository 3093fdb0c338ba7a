/* The manager's comparison of candidates, with passes of the test: one proposes forms of the
 * module, one behind it decides something, one plans, each form with the arena that the test says.
 */
#include "tests/unit/unit.h"

#include "ir/build.h"
#include "ir/mutate.h"
#include "passes/core/manager.h"

enum { FORMS = 4, FAILS = 1, RAISES = 2, NO_MEMORY = 3, UNPUT = 4 }; /* instead of arenas */

static unit_log log_;

/* What the passes do, and what they saw. */
static struct {
    uint64_t arena[FORMS]; /* by form; a number above instead of a multiple of 64: no plan */
    uint32_t n, unplanned;
    bool probe;
    uint32_t at;             /* the form the module has */
    uint32_t planned[FORMS]; /* how often */
    uint32_t decided, seen;  /* runs of the deciding pass, of the one that decides nothing */
    uint32_t settled, best;
    uint64_t least;
    bool silent;       /* the proposing pass says that it has nothing to propose */
    bool bold;         /* the deciding pass has another option than its default */
    uint32_t cautious; /* proposals while it decides by default */
    bool watches;      /* a pass before all of these wants to see what they decide */
    uint32_t shown;    /* how often it did */
} t;

static tn_value *result(const tn_pass_ctx *c) {
    return c->module->main->outputs[0];
}

static bool put(void *user, uint32_t i, uint64_t least) {
    (void)user;
    if (least != TN_NO_ARENA) {
        assert_true(least % 64 == 0);
    }
    if (t.arena[i] == UNPUT) {
        return false;
    }
    t.at = i;
    return true;
}

static void settle(void *user, uint32_t best, uint64_t least) {
    (void)user;
    t.settled++;
    t.best = best;
    t.least = least;
}

static tn_status nothing(tn_pass_ctx *c) {
    (void)c;
    return TN_OK;
}

/* Sees what the passes behind decide that it asked for. */
static tn_candidates propose(tn_pass_ctx *c, tn_analyses *preview, const tn_intent *intent,
                             const tn_candidates *first) {
    assert_non_null(preview);
    if (first != NULL) { /* one form more */
        assert_true(t.bold && result(c)->alias_of == NULL);
        t.cautious++;
        tn_candidates more = *first;
        more.n++;
        return more;
    }
    assert_int_equal(intent->inplace, TN_INPLACE_ALL);
    assert_true((result(c)->flags & TN_VF_PINNED) != 0);
    return (tn_candidates){
        .n = t.n, .unplanned = t.unplanned, .probe = t.probe, .put = put, .settle = settle};
}

static bool proposes(const tn_pass_ctx *c) {
    (void)c;
    return !t.silent;
}

/* Every run must find the value as it was before the first. */
static tn_status decide(tn_pass_ctx *c) {
    tn_value *v = result(c);
    assert_true((v->flags & TN_VF_PINNED) == 0 && v->alias_of == NULL);
    tn_value_set_flags(v, TN_VF_PINNED, 0);
    if (!t.bold || tn_pass_bool(c, 0)) {
        tn_value_set_alias(v, TN_ALIAS_INPLACE, c->module->main->inputs[0], 0);
    }
    t.decided++;
    return TN_OK;
}

static void intend(const tn_pass_ctx *c, tn_intent *intent) {
    (void)c;
    intent->inplace = TN_INPLACE_ALL;
}

static tn_status look_on(tn_pass_ctx *c) {
    (void)c;
    t.seen++;
    return TN_OK;
}

static tn_status plan(tn_pass_ctx *c) {
    t.planned[t.at]++;
    switch (t.arena[t.at]) {
    case FAILS:
        return tn_error(c->ctx, NULL, "no plan of form %u", t.at);
    case RAISES:
        tn_arena_new(c->ctx); /* made inside: goes with the raise */
        tn_bug(c->ctx, "form %u", t.at);
    case NO_MEMORY:
        tn_raise(c->ctx, TN_NOMEM);
    }
    *c->plan = tn_plan_new(c->ctx);
    (*c->plan)->pools = TN_ARRAY((*c->plan)->arena, tn_pool, 1);
    (*c->plan)->pools[0].size = t.arena[t.at];
    (*c->plan)->n_pools = 1;
    return TN_OK;
}

static bool put_all(void *user, uint32_t i, uint64_t least) {
    (void)user, (void)i, (void)least;
    return true;
}

static void settle_none(void *user, uint32_t best, uint64_t least) {
    (void)user, (void)best;
    assert_int_equal(least, 64);
}

/* The form chosen stands there, with all that was decided behind it. */
static void see(void *user, tn_analyses *decided, uint64_t arena) {
    const tn_module *m = user;
    assert_non_null(decided);
    assert_int_equal(arena, 64);
    assert_int_equal(t.at, 2);
    assert_true((m->main->outputs[0]->flags & TN_VF_PINNED) != 0);
    assert_ptr_equal(m->main->outputs[0]->alias_of, m->main->inputs[0]);
    t.shown++;
}

static tn_candidates watch(tn_pass_ctx *c, tn_analyses *preview, const tn_intent *intent,
                           const tn_candidates *first) {
    (void)preview, (void)intent, (void)first;
    return (tn_candidates){.n = t.watches ? 1 : 0,
                           .in_order = true,
                           .user = c->module,
                           .put = put_all,
                           .seen = see,
                           .settle = settle_none};
}

static const tn_pass_info watcher = {
    .name = "watcher", .summary = "looks at what is decided", .run = nothing, .propose = watch};
static const tn_pass_info chooser = {.name = "chooser",
                                     .summary = "proposes",
                                     .run = nothing,
                                     .propose = propose,
                                     .proposes = proposes,
                                     .decides = TN_DECIDES_OVERWRITES,
                                     .previews = TN_DECIDES_VIEWS};
static const tn_opt options[] = {{"bold", TN_OPT_BOOL, "false", NULL, "decides more"}, {0}};
static const tn_pass_info decider = {.name = "decider",
                                     .summary = "decides",
                                     .run = decide,
                                     .options = options,
                                     .decides = TN_DECIDES_VIEWS,
                                     .intend = intend};
static const tn_pass_info onlooker = {
    .name = "onlooker", .summary = "decides nothing", .run = look_on};
static const tn_pass_info planner = {
    .name = "planner", .summary = "plans", .run = plan, .decides = TN_DECIDES_PLACES};

/* x -> Neg -> y */
static tn_module *small_module(tn_ctx *ctx) {
    tn_module *m = tn_module_new(ctx, "small", "small.tir");
    tn_module_add_opset(m, "", 13);
    tn_dim dims[] = {tn_dim_const(m->dims, 4)};
    const tn_type *type = tn_type_tensor(m->arena, tn_dtype_find("f32"), 1, dims);
    tn_op *op = tn_op_new(m->main, "", "Neg", 13, "neg", tn_loc_file(NULL));
    tn_op_add_operand(op, tn_graph_add_input(m->main, "x", type));
    tn_graph_add_output(m->main, tn_op_add_result(op, "y", type));
    return m;
}

static tn_status run_passes(tn_ctx *ctx, void *arg) {
    const tn_pass_info *const passes[] = {&watcher, &chooser, &decider, &onlooker, &planner};
    tn_arena *arena = tn_arena_new(ctx);
    tn_pipeline p = {0};
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        tn_pipeline_add(arena, &p, tn_pipeline_default(arena, passes[i]));
    }
    if (t.bold) {
        p.items[2].values[0] = "true";
    }
    tn_controls controls = tn_controls_default();
    tn_plan *made = NULL;
    (void)arg;
    return tn_run_pipeline(ctx, small_module(ctx), &p, &controls, &made, NULL);
}

static tn_status run(uint32_t n, const uint64_t *arenas) {
    t.n = n;
    for (uint32_t i = 0; i < n; i++) {
        t.arena[i] = arenas[i];
    }
    tn_ctx *ctx = unit_ctx(&log_);
    tn_status status = tn_guard_run(ctx, run_passes, NULL);
    tn_ctx_free(ctx);
    return status;
}

static int clear(void **state) {
    (void)state;
    memset(&t, 0, sizeof t);
    return 0;
}

/* All behind are run for each candidate, undone, and run once more on the one that stays. */
static void test_smallest_stays(void **state) {
    (void)state;
    assert_int_equal(run(4, (uint64_t[]){256, 192, 64, 128}), TN_OK);
    assert_int_equal(t.best, 2);
    assert_int_equal(t.least, 64);
    assert_int_equal(t.at, 2);
    assert_int_equal(t.settled, 1);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(t.planned[i], i == 2 ? 2 : 1);
    }
    assert_int_equal(t.decided, 1 + 4 + 1); /* the preview, the candidates, the run itself */
    assert_int_equal(t.seen, 1);
    assert_string_equal(log_.text, "");
}

static void test_module_stays_among_equals(void **state) {
    (void)state;
    assert_int_equal(run(3, (uint64_t[]){64, 64, 64}), TN_OK);
    assert_int_equal(t.best, 0);
    assert_int_equal(t.at, 0);
}

static void test_first_of_others_stays(void **state) {
    (void)state;
    assert_int_equal(run(4, (uint64_t[]){256, 128, 64, 64}), TN_OK);
    assert_int_equal(t.best, 2);
}

static void test_refused_forms_are_not_planned(void **state) {
    (void)state;
    assert_int_equal(run(3, (uint64_t[]){UNPUT, 128, UNPUT}), TN_OK);
    assert_int_equal(t.best, 1);
    assert_int_equal(t.planned[0] + t.planned[2], 0);
}

/* A form that cannot be planned says nothing and is not chosen. */
static void test_failures_do_not_count(void **state) {
    (void)state;
    assert_int_equal(run(4, (uint64_t[]){128, FAILS, 64, RAISES}), TN_OK);
    assert_int_equal(t.best, 2);
    assert_int_equal(t.planned[FAILS], 1);
    assert_int_equal(t.planned[3], 1);
    assert_string_equal(log_.text, "");
}

/* Then the pass itself fails as it would have without candidates, and says so once. */
static void test_no_plan_at_all(void **state) {
    (void)state;
    t.unplanned = 1;
    assert_int_equal(run(2, (uint64_t[]){FAILS, FAILS}), TN_ERROR);
    assert_int_equal(t.best, 1);
    assert_true(t.least == TN_NO_ARENA);
    assert_int_equal(t.at, 1);
    assert_string_equal(log_.text, "error: no plan of form 1\n");
}

static void test_out_of_memory(void **state) {
    (void)state;
    assert_int_equal(run(2, (uint64_t[]){64, NO_MEMORY}), TN_NOMEM);
    assert_int_equal(t.settled, 0);
}

static void test_probe_leaves_the_module(void **state) {
    (void)state;
    t.probe = true;
    assert_int_equal(run(2, (uint64_t[]){256, 64}), TN_OK);
    assert_int_equal(t.at, 0);
    assert_int_equal(t.best, 1);
    assert_int_equal(t.least, 64);
    assert_int_equal(t.planned[0], 1); /* the run itself */
}

/* With other options behind than the default ones, those get their say. */
static void test_default_options_propose_too(void **state) {
    (void)state;
    t.bold = true;
    t.arena[3] = 64;
    assert_int_equal(run(3, (uint64_t[]){256, 192, 128}), TN_OK);
    assert_int_equal(t.cautious, 1);
    assert_int_equal(t.best, 3);
    assert_int_equal(t.planned[3], 2);
    assert_int_equal(t.decided, 2 + 4 + 1);
}

static void test_no_candidates(void **state) {
    (void)state;
    t.arena[0] = 64;
    assert_int_equal(run(0, NULL), TN_OK);
    assert_int_equal(t.settled, 0);
    assert_int_equal(t.planned[0], 1);
}

/* Nothing is decided for a pass that will not look. */
static void test_silent_pass_gets_no_preview(void **state) {
    (void)state;
    t.silent = true;
    assert_int_equal(run(2, (uint64_t[]){256, 64}), TN_OK);
    assert_int_equal(t.settled, 0);
    assert_int_equal(t.decided, 1);
    assert_int_equal(t.planned[0], 1);
}

/* Who wants to see what is decided sees it behind a pass that chooses among forms, too. */
static void test_what_is_decided_is_shown(void **state) {
    (void)state;
    t.watches = true;
    assert_int_equal(run(4, (uint64_t[]){256, 192, 64, 128}), TN_OK);
    assert_int_equal(t.shown, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_smallest_stays, clear),
        cmocka_unit_test_setup(test_module_stays_among_equals, clear),
        cmocka_unit_test_setup(test_first_of_others_stays, clear),
        cmocka_unit_test_setup(test_refused_forms_are_not_planned, clear),
        cmocka_unit_test_setup(test_failures_do_not_count, clear),
        cmocka_unit_test_setup(test_no_plan_at_all, clear),
        cmocka_unit_test_setup(test_out_of_memory, clear),
        cmocka_unit_test_setup(test_probe_leaves_the_module, clear),
        cmocka_unit_test_setup(test_default_options_propose_too, clear),
        cmocka_unit_test_setup(test_no_candidates, clear),
        cmocka_unit_test_setup(test_silent_pass_gets_no_preview, clear),
        cmocka_unit_test_setup(test_what_is_decided_is_shown, clear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
