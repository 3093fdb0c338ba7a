/* plugin.h with a plug-in that is linked in: a pass that changes models and one that counts, an
 * analysis, ops, a backend of two files, a frontend; and what is refused. */
#include <stdio.h>
#include <stdlib.h>

#include "tenure/plugin.h"
#include "tests/unit/unit.h"

static char said[4096];

static void on_diag(void *user, const tenure_diagnostic *d) {
    (void)user;
    snprintf(said, sizeof said, "%s", d->rendered);
}

#define SAYS(wanted)                                                                               \
    do {                                                                                           \
        if (strstr(said, (wanted)) == NULL) {                                                      \
            fail_msg("'%s' is not in '%s'", (wanted), said);                                       \
        }                                                                                          \
        said[0] = '\0';                                                                            \
    } while (0)

/* ---- an analysis: the number of ops of the main graph ---- */

static int computed;

static const void *count_ops(tenure_analysis_run *run, void *user) {
    size_t *n = tenure_analysis_memory(run, sizeof *n);
    (void)user;
    if (n != NULL) {
        *n = tenure_graph_op_count(tenure_model_graph(tenure_analysis_model(run), 0));
        computed++;
    }
    return n;
}

static const tenure_analysis_def analysis = {sizeof analysis, "op-count", "counts ops", count_ops,
                                             NULL};

/* ---- passes ---- */

static size_t counted;

static tenure_status count(tenure_pass_run *run, void *user) {
    const size_t *n = tenure_pass_analysis(run, "op-count");
    char *memory = tenure_pass_memory(run, 16);
    if (n == NULL || memory == NULL || memory[15] != 0) {
        return TENURE_NOMEM;
    }
    *(size_t *)user = *n;
    tenure_pass_count(run, "ops", *n);
    if (*n < (size_t)strtoul(tenure_pass_value(run, "least"), NULL, 10)) {
        const tenure_op *first = tenure_graph_first(tenure_model_graph(tenure_pass_model(run), 0));
        tenure_report(tenure_pass_context(run), TENURE_SEV_ERROR, first, "too few ops");
        return TENURE_ERROR;
    }
    return tenure_pass_value(run, "nothing") == NULL ? TENURE_OK : TENURE_INTERNAL;
}

/* Each Relu becomes an op of the plug-in. */
static tenure_status replace(tenure_pass_run *run, void *user) {
    tenure_graph *g = tenure_model_graph(tenure_pass_model(run), 0);
    tenure_op *next;
    tenure_status status = TENURE_OK;
    (void)user;
    for (tenure_op *op = tenure_graph_first(g); status == TENURE_OK && op != NULL; op = next) {
        next = tenure_op_next(op);
        if (strcmp(tenure_op_type(op), "Relu") == 0) {
            tenure_value *x = tenure_op_operand(op, 0), *y = tenure_op_result(op, 0);
            tenure_op *own = tenure_graph_add_op(g, "acme", "Mine", "own", &x, 1);
            tenure_value *r = tenure_op_add_result(own, NULL, NULL);
            tenure_op_move(own, op);
            tenure_value_replace(y, r);
            status = tenure_op_remove(op);
        }
    }
    return status;
}

static const tenure_option_def least[] = {
    {"least", TENURE_OPTION_NUMBER, "1", "0..64", "as many ops there have to be"}, {0}};
static const tenure_counter_def counters[] = {{"ops", "ops found"}, {0}};
static const tenure_pass_def count_pass = {.struct_size = sizeof count_pass,
                                           .name = "count-ops",
                                           .summary = "counts ops",
                                           .keeps = TENURE_HAS_TYPES | TENURE_HAS_ORDER |
                                                    TENURE_HAS_PINS,
                                           .options = least,
                                           .counters = counters,
                                           .run = count,
                                           .user = &counted};
static const tenure_pass_def replace_pass = {.struct_size = sizeof replace_pass,
                                             .name = "to-mine",
                                             .summary = "makes Relu an op of this plug-in",
                                             .run = replace};

/* ---- ops ---- */

static tenure_status mine_shape(tenure_inference *inference, const tenure_op *op, void *user) {
    (void)user;
    if (tenure_value_rank(tenure_op_operand(op, 0)) == 0) {
        tenure_infer_conflict(inference, "Mine takes no scalars");
    } else {
        tenure_infer_like(inference, 0, 0, TENURE_UNKNOWN);
    }
    return TENURE_OK;
}

static tenure_status pair_shape(tenure_inference *inference, const tenure_op *op, void *user) {
    (void)op, (void)user;
    return tenure_infer_result(inference, 0, "i64[2]");
}

static const tenure_op_def mine = {.struct_size = sizeof mine,
                                   .domain = "acme",
                                   .name = "Mine",
                                   .doc = "Does what Relu does.",
                                   .signature = "X -> Y",
                                   .traits = TENURE_OP_ELEMENTWISE,
                                   .in_place = "Y over X (same)",
                                   .shape = mine_shape};
static const tenure_op_def pair = {.struct_size = sizeof pair,
                                   .domain = "acme",
                                   .name = "Pair",
                                   .doc = "Two numbers.",
                                   .signature = "X -> Y",
                                   .shape = pair_shape};

/* ---- a backend and a frontend ---- */

static tenure_status emit(tenure_emission *emission, const tenure_plan *plan,
                          const tenure_model *model, void *user) {
    char text[128];
    int n = snprintf(text, sizeof text, "%s %s %d %zu", tenure_emission_name(emission),
                     tenure_emission_value(emission, "least"), model != NULL,
                     tenure_plan_value_count(plan));
    (void)user;
    tenure_status status = tenure_emission_write(emission, NULL, text, (size_t)n);
    return status == TENURE_OK ? tenure_emission_write(emission, "more.txt", "more", 4) : status;
}

static const tenure_backend_def backend = {.struct_size = sizeof backend,
                                           .name = "names",
                                           .summary = "a line",
                                           .suffix = ".txt",
                                           .options = least,
                                           .emit = emit};

static int match(const void *data, size_t size, void *user) {
    (void)user;
    return size > 4 && memcmp(data, "toy ", 4) == 0 ? 2 : 0;
}

/* "toy relus": so many; "toy n": an op of the plug-in, and an open dimension. */
static tenure_model *read_toy(tenure_context *ctx, const char *path, const void *data, size_t size,
                              void *user) {
    tenure_model *model = tenure_model_new(ctx, path, NULL);
    tenure_graph *g = tenure_model_graph(model, 0);
    bool open = size > 4 && ((const char *)data)[4] == 'n';
    tenure_value *x = tenure_graph_add_input(g, "x", open ? "f32[n]" : "f32[64]");
    (void)user;
    tenure_model_import(model, "", 17);
    if (open) {
        x = tenure_op_add_result(tenure_graph_add_op(g, "acme", "Mine", "", &x, 1), NULL, NULL);
    }
    for (int i = open ? 0 : ((const char *)data)[4] - '0'; size > 4 && i > 0; i--) {
        x = tenure_op_add_result(tenure_graph_add_op(g, "", "Relu", "", &x, 1), NULL, NULL);
    }
    return tenure_graph_add_output(g, x) == TENURE_OK ? model : NULL;
}

static const tenure_frontend_def frontend = {sizeof frontend, "toy",    "numbers of Relus",
                                             match,           read_toy, NULL};

static tenure_status start(tenure_context *ctx) {
    tenure_status status = tenure_register_analysis(ctx, &analysis);
    status = status == TENURE_OK ? tenure_register_pass(ctx, &count_pass) : status;
    status = status == TENURE_OK ? tenure_register_pass(ctx, &replace_pass) : status;
    status = status == TENURE_OK ? tenure_register_op(ctx, &mine) : status;
    status = status == TENURE_OK ? tenure_register_op(ctx, &pair) : status;
    status = status == TENURE_OK ? tenure_register_backend(ctx, &backend) : status;
    return status == TENURE_OK ? tenure_register_frontend(ctx, &frontend) : status;
}

static const tenure_plugin plugin = {sizeof plugin, TENURE_PLUGIN_INTERFACE, "acme", "1.0", start};

/* ---- tests ---- */

static tenure_context *with_plugin(void) {
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_on_diagnostic(ctx, on_diag, NULL);
    said[0] = '\0';
    assert_int_equal(tenure_add_plugin(ctx, &plugin), TENURE_OK);
    return ctx;
}

static void test_passes(void **state) {
    (void)state;
    tenure_context *ctx = with_plugin();
    tenure_model *model = tenure_load_memory(ctx, "net.toy", "toy 3", 5, NULL);
    assert_non_null(model);
    computed = 0;
    assert_int_equal(tenure_model_run(model, "count-ops,count-ops{least=3}"), TENURE_OK);
    assert_int_equal(counted, 3);
    assert_int_equal(computed, 1); /* nothing has changed in between */
    assert_int_equal(tenure_model_run(model, "count-ops{least=4}"), TENURE_ERROR);
    SAYS("too few ops");
    assert_int_equal(tenure_model_run(model, "count-ops{least=65}"), TENURE_USAGE);
    assert_int_equal(tenure_model_run(model, "to-mine,infer-shapes,inplace"), TENURE_OK);
    const tenure_op *first = tenure_graph_first(tenure_model_graph(model, 0));
    assert_string_equal(tenure_op_type(first), "Mine");
    assert_string_equal(tenure_value_type(tenure_op_result(first, 0)), "f32[64]");
    tenure_plan *plan;
    tenure_figures figures = {.struct_size = sizeof figures};
    assert_int_equal(tenure_plan_make(model, NULL, &plan), TENURE_OK);
    assert_true(tenure_plan_figures(plan, &figures));
    assert_int_equal(figures.n_inplace, 2);
    tenure_context_free(ctx);
}

static void test_behind_plan(void **state) {
    (void)state;
    tenure_context *ctx = with_plugin();
    tenure_model *model = tenure_load_memory(ctx, "net.toy", "toy 3", 5, NULL);
    tenure_options *options = tenure_options_new(ctx);
    tenure_plan *plan;
    assert_int_equal(tenure_options_set(options, "passes", "O2,to-mine"), TENURE_OK);
    assert_int_equal(tenure_plan_make(model, options, &plan), TENURE_USAGE);
    SAYS("'to-mine' has changed the model behind its plan");
    assert_null(plan);
    assert_int_equal(tenure_options_set(options, "passes", "O2,count-ops"), TENURE_OK);
    assert_int_equal(tenure_plan_make(model, options, &plan), TENURE_OK);
    tenure_context_free(ctx);
}

static void test_shapes(void **state) {
    (void)state;
    tenure_context *ctx = with_plugin();
    tenure_model *model = tenure_model_new(ctx, "net", NULL);
    tenure_graph *g = tenure_model_graph(model, 0);
    tenure_value *x = tenure_graph_add_input(g, "x", "f32[]");
    tenure_op *two = tenure_graph_add_op(g, "acme", "Pair", "", &x, 1);
    tenure_op *bad = tenure_graph_add_op(g, "acme", "Mine", "bad", &x, 1);
    tenure_value *y = tenure_op_add_result(two, "y", NULL);
    assert_non_null(tenure_op_add_result(bad, "z", NULL));
    assert_int_equal(tenure_model_run(model, "infer-shapes"), TENURE_OK);
    assert_string_equal(tenure_value_type(y), "i64[2]");
    SAYS("Mine takes no scalars");
    tenure_context_free(ctx);
}

/* What is open in a model of ops that only the plug-in knows. */
static void test_dims(void **state) {
    (void)state;
    tenure_context *ctx = with_plugin();
    tenure_buffer *text;
    assert_int_equal(tenure_dims(ctx, "net.toy", "toy n", 5, &text), TENURE_OK);
    assert_non_null(strstr(tenure_buffer_data(text), "--dim 'n="));
    tenure_context_free(ctx);
}

static char files[256];

static int take(void *user, const char *file, const void *data, size_t size) {
    (void)user;
    if (size > 0) {
        snprintf(files + strlen(files), sizeof files - strlen(files), "%s: %.*s\n", file, (int)size,
                 (const char *)data);
    }
    return 0;
}

static void test_backend(void **state) {
    (void)state;
    tenure_context *ctx = with_plugin();
    tenure_model *model = tenure_load_memory(ctx, "net.toy", "toy 2", 5, NULL);
    tenure_plan *plan;
    tenure_sink sink = {.struct_size = sizeof sink, .name = "net.txt", .write = take};
    files[0] = '\0';
    assert_int_equal(tenure_plan_make(model, NULL, &plan), TENURE_OK);
    assert_int_equal(tenure_emit(plan, NULL, "names", "least=7", &sink), TENURE_OK);
    assert_non_null(strstr(files, "net.txt: net.txt 7 0 3\n"));
    assert_non_null(strstr(files, "more.txt: more\n"));
    assert_int_equal(tenure_emit(plan, NULL, "names", "least=x", &sink), TENURE_USAGE);
    tenure_context_free(ctx);
}

static void test_refused(void **state) {
    (void)state;
    tenure_context *ctx = with_plugin();
    tenure_plugin other = plugin, got = {.struct_size = sizeof got};
    const char *path = "?";
    assert_true(tenure_get_plugin(ctx, 0, &got, &path));
    assert_string_equal(got.name, "acme");
    assert_null(path);
    assert_false(tenure_get_plugin(ctx, 1, &got, NULL));
    other.interface = TENURE_PLUGIN_INTERFACE + 1;
    assert_int_not_equal(tenure_add_plugin(ctx, &other), TENURE_OK);
    SAYS("2");
    assert_int_not_equal(tenure_load_plugin(ctx, "/no/such/plugin.so"), TENURE_OK);
    SAYS("/no/such/plugin.so");
    assert_int_not_equal(tenure_add_plugin(ctx, NULL), TENURE_OK);
    assert_int_not_equal(tenure_add_plugin(NULL, &plugin), TENURE_OK);
    assert_int_not_equal(tenure_load_plugin(ctx, NULL), TENURE_OK);
    assert_int_not_equal(tenure_register_pass(ctx, NULL), TENURE_OK);
    assert_int_not_equal(tenure_register_pass(ctx, &count_pass), TENURE_OK);
    SAYS("count-ops");
    tenure_context_free(ctx);
}

static void refuse_pass(tenure_context *ctx, const tenure_option_def *options, size_t size) {
    tenure_pass_def def = count_pass;
    def.name = "another";
    def.options = options;
    def.struct_size = size;
    said[0] = '\0';
    assert_int_equal(tenure_register_pass(ctx, &def), TENURE_USAGE);
}

static void refuse_op(tenure_context *ctx, const char *signature, const char *versions,
                      uint32_t traits) {
    tenure_op_def def = {.struct_size = sizeof def, .domain = "acme", .name = "Other"};
    def.signature = signature;
    def.versions = versions;
    def.traits = traits;
    said[0] = '\0';
    assert_int_equal(tenure_register_op(ctx, &def), TENURE_USAGE);
}

static void test_definitions(void **state) {
    (void)state;
    static const tenure_option_def upper[] = {{"Least", TENURE_OPTION_FLAG, "false", NULL, "h"},
                                              {0}};
    static const tenure_option_def twice[] = {{"a", TENURE_OPTION_FLAG, "false", NULL, "h"},
                                              {"a", TENURE_OPTION_FLAG, "false", NULL, "h"},
                                              {0}};
    tenure_context *ctx = with_plugin();
    refuse_pass(ctx, upper, sizeof(tenure_pass_def));
    SAYS("option 'Least'");
    refuse_pass(ctx, twice, sizeof(tenure_pass_def));
    SAYS("option 'a' is there twice");
    refuse_pass(ctx, NULL, 0);
    SAYS("struct_size cannot be right");
    refuse_op(ctx, "X X -> Y", NULL, 0);
    SAYS("'X' stands there twice");
    refuse_op(ctx, "X -> Y", "6 1", 0);
    SAYS("opset versions that rise");
    refuse_op(ctx, "X -> Y", NULL, 2 * TENURE_OP_LOSS);
    SAYS("traits 128");
    tenure_plugin nameless = plugin;
    nameless.name = "";
    assert_int_equal(tenure_add_plugin(ctx, &nameless), TENURE_USAGE);
    SAYS("has no name");
    tenure_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes),      cmocka_unit_test(test_behind_plan),
        cmocka_unit_test(test_shapes),      cmocka_unit_test(test_dims),
        cmocka_unit_test(test_backend),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
