/* The pass manager: completion of pipelines, statuses, and each hook. Passes of the test are
 * structs of its own, so nothing depends on what the real ones do. */
#include "tests/unit/unit.h"

#include "ir/build.h"
#include "ir/mutate.h"
#include "passes/core/manager.h"

static unit_log log_;
static char out_[1 << 16];
static char reproducer_[1 << 16];
static int runs_[4];

static void append_to(void *user, const char *text, size_t len) {
    char *to = user;
    size_t at = strlen(to);
    assert_true(at + len < sizeof out_);
    memcpy(to + at, text, len);
    to[at + len] = '\0';
}

static tn_status count(tn_pass_ctx *c) {
    runs_[0]++;
    c->stats[0] += 2;
    return TN_OK;
}

static tn_status rename_graph_value(tn_pass_ctx *c) {
    runs_[1]++;
    tn_value_set_name(c->module->main->inputs[0], "renamed");
    return TN_OK;
}

static tn_status sneak(tn_pass_ctx *c) {
    c->module->main->inputs[0]->name = tn_intern(c->ctx, "sneaked");
    return TN_OK;
}

static tn_status give_up(tn_pass_ctx *c) {
    runs_[2]++;
    return tn_error(c->ctx, NULL, "this pass fails");
}

static tn_status blow_up(tn_pass_ctx *c) {
    tn_arena_new(c->ctx); /* made inside: goes with the raise */
    tn_bug(c->ctx, "this pass blows up");
}

static const tn_stat stats[] = {{"twos", "twos counted"}, {0}};
static const tn_pass_info counter = {
    .name = "counter", .summary = "counts", .stats = stats, .run = count};
static const tn_pass_info required = {
    .name = "required", .summary = "counts", .stats = stats, .required = true, .run = count};
static const tn_pass_info renamer = {
    .name = "renamer", .summary = "renames", .run = rename_graph_value};
static const tn_pass_info sneaker = {.name = "sneaker", .summary = "cheats", .run = sneak};
static const tn_pass_info failing = {.name = "failing", .summary = "fails", .run = give_up};
static const tn_pass_info bomb = {.name = "bomb", .summary = "raises", .run = blow_up};
static const tn_pass_info needy = {
    .name = "needy", .summary = "needs", .needs = TN_PROP_TYPES, .stats = stats, .run = count};
static const tn_pass_info spoiler = {
    .name = "spoiler", .summary = "breaks", .breaks = TN_PROP_TYPES, .stats = stats, .run = count};

/* x -> Neg -> y */
static tn_module *small_module(tn_ctx *ctx) {
    tn_module *m = tn_module_new(ctx, "small", "small.tir");
    tn_module_add_opset(m, "", 13);
    tn_dim dims[] = {tn_dim_const(m->dims, 4)};
    const tn_type *type = tn_type_tensor(m->arena, tn_dtype_find("f32"), 1, dims);
    tn_value *x = tn_graph_add_input(m->main, "x", type);
    tn_op *op = tn_op_new(m->main, "", "Neg", 13, "neg", tn_loc_file(NULL));
    tn_op_add_operand(op, x);
    tn_graph_add_output(m->main, tn_op_add_result(op, "y", type));
    return m;
}

typedef struct job {
    const tn_pass_info *passes[4]; /* ends at NULL */
    tn_run_settings settings;
    tn_status status;
} job;

static tn_status run_job(tn_ctx *ctx, void *arg) {
    job *j = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_module *m = small_module(ctx);
    tn_pipeline p = {0};
    for (int i = 0; i < 4 && j->passes[i] != NULL; i++) {
        tn_pipeline_add(arena, &p, tn_pipeline_default(arena, j->passes[i]));
    }
    tn_controls controls = tn_controls_default();
    tn_plan *plan = NULL;
    return tn_run_pipeline(ctx, m, &p, &controls, &plan, &j->settings);
}

static tn_status run(job *j) {
    memset(runs_, 0, sizeof runs_);
    out_[0] = reproducer_[0] = '\0';
    j->settings.out = (tn_text_out){append_to, out_};
    tn_ctx *ctx = unit_ctx(&log_);
    tn_status status = tn_guard_run(ctx, run_job, j);
    tn_ctx_free(ctx);
    return status;
}

static job make(const tn_pass_info *a, const tn_pass_info *b, const tn_pass_info *c) {
    return (job){.passes = {a, b, c}, .settings = tn_run_settings_default()};
}

static void test_runs_in_order(void **state) {
    (void)state;
    job j = make(&counter, &renamer, &counter);
    assert_int_equal(run(&j), TN_OK);
    assert_int_equal(runs_[0], 2);
    assert_int_equal(runs_[1], 1);
    assert_string_equal(out_, "");
}

static void test_first_failure_ends(void **state) {
    (void)state;
    job j = make(&counter, &failing, &counter);
    assert_int_equal(run(&j), TN_ERROR);
    assert_int_equal(runs_[0], 1);
    assert_int_equal(runs_[2], 1);
    assert_string_equal(log_.text, "error: this pass fails\n");
}

static void test_raise_passes_through(void **state) {
    (void)state;
    job j = make(&counter, &bomb, &counter);
    assert_int_equal(run(&j), TN_INTERNAL);
    assert_int_equal(runs_[0], 1);
    assert_string_equal(log_.text, "internal error: this pass blows up\n");
}

static void test_bisect(void **state) {
    (void)state;
    job j = make(&counter, &renamer, &required);
    j.settings.bisect_limit = 1;
    assert_int_equal(run(&j), TN_OK);
    assert_int_equal(runs_[0], 2);
    assert_int_equal(runs_[1], 0);
    assert_string_equal(out_, "bisect: running pass (1) counter\n"
                              "bisect: skipping pass (2) renamer\n"
                              "bisect: running pass (3) required\n");
}

static void test_stats(void **state) {
    (void)state;
    job j = make(&counter, &renamer, &counter);
    j.settings.stats = true;
    assert_int_equal(run(&j), TN_OK);
    assert_string_equal(out_, "statistics:\n         4  counter.twos: twos counted\n");
}

static void test_time(void **state) {
    (void)state;
    job j = make(&counter, &renamer, NULL);
    j.settings.time_passes = true;
    assert_int_equal(run(&j), TN_OK);
    assert_non_null(strstr(out_, "time of passes:\n"));
    assert_non_null(strstr(out_, "  counter\n"));
    assert_non_null(strstr(out_, "  renamer\n"));
    assert_non_null(strstr(out_, "100.0%  total\n"));
}

static void test_print(void **state) {
    (void)state;
    static const char *const names[] = {"renamer"};
    job j = make(&counter, &renamer, NULL);
    j.settings.print_before = (tn_names){names, 1, 0};
    assert_int_equal(run(&j), TN_OK);
    assert_null(strstr(out_, "counter"));
    assert_non_null(strstr(out_, "// module before renamer\ntir "));
    assert_null(strstr(out_, "%renamed"));
    j = make(&counter, &renamer, NULL);
    j.settings.print_after_all = true;
    assert_int_equal(run(&j), TN_OK);
    assert_non_null(strstr(out_, "// module after counter\ntir "));
    assert_non_null(strstr(strstr(out_, "// module after renamer\ntir "), "%renamed"));
}

static void test_print_changed(void **state) {
    (void)state;
    job j = make(&counter, &renamer, &counter);
    j.settings.print_changed = true;
    assert_int_equal(run(&j), TN_OK);
    const char *at = out_;
    assert_non_null(at = strstr(at, "// module after counter: no change\n"));
    assert_non_null(at = strstr(at, "// module after renamer\ntir "));
    assert_non_null(strstr(at, "// module after counter: no change\n"));
}

static void test_verify_each(void **state) {
    (void)state;
    job j = make(&counter, &renamer, NULL);
    j.settings.verify_each = true;
    assert_int_equal(run(&j), TN_OK);
    j = make(&counter, &sneaker, NULL);
    assert_int_equal(run(&j), TN_OK);
    j.settings.verify_each = true;
    assert_int_equal(run(&j), TN_INTERNAL);
    assert_string_equal(log_.text,
                        "error: internal error: pass 'sneaker' changed the module without "
                        "ir/mutate.h noticing\n");
}

static void test_reproducer(void **state) {
    (void)state;
    job j = make(&renamer, &bomb, &counter);
    j.settings.reproducer = (tn_text_out){append_to, reproducer_};
    assert_int_equal(run(&j), TN_INTERNAL);
    assert_memory_equal(reproducer_, "tir ", 4);
    assert_non_null(strstr(reproducer_, "%renamed"));
    assert_non_null(strstr(reproducer_, "\n// fails in pass bomb; run: tenure opt "
                                        "--passes='bomb,counter' FILE\n"));
    j = make(&failing, NULL, NULL);
    j.settings.reproducer = (tn_text_out){append_to, reproducer_};
    assert_int_equal(run(&j), TN_ERROR);
    assert_string_equal(reproducer_, "");
}

static tn_status completes(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_pipeline p = {0}, all;
    const tn_pass_info *passes[] = {&needy, &needy, &spoiler, &needy};
    for (size_t i = 0; i < 4; i++) {
        tn_pipeline_add(arena, &p, tn_pipeline_default(arena, passes[i]));
    }
    assert_int_equal(tn_pipeline_complete(arena, &p, &all), TN_OK);
    tn_sink text = tn_sink_make(arena);
    tn_pipeline_print(&all, &text);
    assert_string_equal(text.data, "infer-shapes,needy,needy,spoiler,infer-shapes,needy");
    assert_ptr_equal(all.items[0].implied_by, &needy);
    assert_null(all.items[1].implied_by);
    return TN_OK;
}

static void test_completes(void **state) {
    (void)state;
    tn_ctx *ctx = unit_ctx(&log_);
    unit_run(ctx, completes, NULL);
    tn_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_in_order),
        cmocka_unit_test(test_first_failure_ends),
        cmocka_unit_test(test_raise_passes_through),
        cmocka_unit_test(test_bisect),
        cmocka_unit_test(test_stats),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_print_changed),
        cmocka_unit_test(test_verify_each),
        cmocka_unit_test(test_reproducer),
        cmocka_unit_test(test_completes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
