/* tenure.h beside planning: options as rows, lists, logs, explanations, dimensions, packing, what
 * the command writes; with NULL, and with the n-th allocation failing (with sanitizers those that
 * paths.h chooses). */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/api_scene.h"
#include "tests/unit/meter_noted.h"

/* ---- lists and options ---- */

static size_t look_at_list(tenure_context *ctx, tenure_list list) {
    size_t n = tenure_list_count(ctx, list);
    for (size_t i = 0; i < n; i++) {
        tenure_entry e = {.struct_size = sizeof e};
        tenure_option o = {.struct_size = sizeof o};
        assert_true(tenure_list_get(ctx, list, i, &e));
        assert_true(e.name[0] != '\0');
        for (size_t k = 0; k < e.n_options; k++) {
            assert_true(tenure_list_option(ctx, list, i, k, &o));
            assert_true(o.name[0] != '\0' && o.help[0] != '\0' && o.fallback != NULL);
        }
        assert_false(tenure_list_option(ctx, list, i, e.n_options, &o));
    }
    tenure_entry e = {.struct_size = sizeof e};
    assert_false(tenure_list_get(ctx, list, n, &e));
    return n;
}

static void test_lists(void **state) {
    scene s;
    (void)state;
    start(&s, NULL);
    for (int list = TENURE_LIST_PASSES; list <= TENURE_LIST_OPS; list++) {
        assert_true(look_at_list(s.ctx, (tenure_list)list) > 0);
    }
    size_t n_found = 0;
    tenure_op_row row = {.struct_size = sizeof row};
    for (size_t i = 0; tenure_list_op(s.ctx, i, &row); i++) {
        bool is_relu = row.domain[0] == '\0' && strcmp(row.name, "Relu") == 0;
        n_found +=
            is_relu && row.least_in == 1 && row.has_rule && strstr(row.inplace, "0 over 0") != NULL;
    }
    assert_int_equal(n_found, 1);
    tenure_buffer *text = NULL;
    assert_int_equal(tenure_list_print(s.ctx, "passes", NULL, &text), TENURE_OK);
    assert_true(holds(text, "infer-shapes"));
    assert_int_equal(tenure_list_print(s.ctx, "passes", "yaml", &text), TENURE_USAGE);
    assert_null(text);
    assert_int_equal(tenure_list_print(s.ctx, "pases", NULL, &text), TENURE_USAGE);
    assert_non_null(strstr(s.said, "there is no list of pases; did you mean 'passes'?"));
    const char *const words[] = {"plan", "pack"};
    assert_string_equal(tenure_nearest("plam", words, 2), "plan");
    assert_null(tenure_nearest("zzzzz", words, 2));
    tenure_context_free(s.ctx);
}

/* A struct of a program that knows fewer members: no more than these are written. */
static void test_smaller_structs(void **state) {
    scene s;
    struct {
        tenure_entry entry;
        char behind;
    } old = {.entry = {.struct_size = offsetof(tenure_entry, text)}, .behind = 'x'};
    (void)state;
    start(&s, NULL);
    old.entry.text = "mine";
    assert_true(tenure_list_get(s.ctx, TENURE_LIST_PIPELINES, 0, &old.entry));
    assert_string_equal(old.entry.text, "mine");
    old.entry.struct_size = 0;
    assert_false(tenure_list_get(s.ctx, TENURE_LIST_PIPELINES, 0, &old.entry));
    tenure_context_free(s.ctx);
}

static void test_option_rows(void **state) {
    static const char *const commands[] = {"plan", "opt", "explain", "check", "dims", "pack"};
    scene s;
    (void)state;
    start(&s, NULL);
    for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++) {
        tenure_options *o = tenure_options_for(s.ctx, commands[c]);
        tenure_option row = {.struct_size = sizeof row};
        tenure_buffer *help = NULL;
        assert_int_equal(tenure_options_help(o, &help), TENURE_OK);
        for (size_t i = 0; i < tenure_options_count(o); i++) {
            assert_true(tenure_options_get(o, i, &row));
            assert_non_null(row.group);
            assert_non_null(strstr(tenure_buffer_data(help), row.name));
            assert_true(row.kind != TENURE_OPTION_FLAG || row.fallback != NULL);
            assert_true(row.kind != TENURE_OPTION_CHOICE || row.values != NULL);
        }
        assert_false(tenure_options_get(o, tenure_options_count(o), &row));
        tenure_buffer_free(help);
        tenure_options_free(o);
    }
    assert_null(tenure_options_for(s.ctx, "plam"));
    assert_int_equal(tenure_last_status(s.ctx), TENURE_USAGE);
    tenure_context_free(s.ctx);
}

static void test_arguments(void **state) {
    static char a[] = "--align=32", b[] = "-O3", c[] = "--dim", d[] = "batch=4", e[] = "--no-quiet";
    char *argv[] = {a, b, c, d, e};
    scene s;
    int at = 0;
    tenure_buffer *text = NULL;
    (void)state;
    start(&s, NULL);
    tenure_options *o = tenure_options_new(s.ctx);
    while (at < 5) {
        assert_int_equal(tenure_options_arg(o, 5, argv, &at), TENURE_OK);
    }
    assert_int_equal(tenure_options_arg(o, 5, argv, &at), TENURE_USAGE);
    assert_string_equal(tenure_options_value(o, "align"), "32");
    assert_string_equal(tenure_options_value(o, "quiet"), "false");
    assert_null(tenure_options_value(o, "capacity"));
    assert_null(tenure_options_value(o, "emit"));
    size_t n = 9;
    const char *const several[] = {"one=net.onnx", "net.onnx"}, *const same[] = {"a.onnx",
                                                                                 "a.onnx"};
    assert_null(tenure_options_model(o));
    assert_null(tenure_options_models(o, &n));
    assert_int_equal(n, 0);
    assert_int_equal(tenure_options_check(o, "net.onnx"), TENURE_OK);
    assert_int_equal(tenure_options_print(o, "net.onnx", &text), TENURE_OK);
    tenure_options *again = tenure_options_new(s.ctx);
    assert_int_equal(
        tenure_options_read(again, "net.json", tenure_buffer_data(text), tenure_buffer_size(text)),
        TENURE_OK);
    assert_string_equal(tenure_options_model(again), "net.onnx");
    assert_string_equal(tenure_options_models(again, &n)[0], "net.onnx");
    assert_int_equal(n, 1);
    assert_int_equal(tenure_options_print_models(o, several, 2, &text), TENURE_OK);
    assert_non_null(strstr(tenure_buffer_data(text), "\"one\": \"net.onnx\""));
    assert_non_null(strstr(tenure_buffer_data(text), "\"net\": \"net.onnx\""));
    assert_int_equal(tenure_options_print_models(o, same, 2, &text), TENURE_USAGE);
    tenure_options *programs = tenure_options_new(s.ctx);
    assert_int_equal(tenure_options_read(programs, "p.json",
                                         "{\"tenure_project\": 1, \"programs\": {\"a\": \"x\", "
                                         "\"b\": \"y\"}}",
                                         55),
                     TENURE_OK);
    assert_null(tenure_options_model(programs));
    assert_string_equal(tenure_options_models(programs, NULL)[1], "b=y");
    assert_string_equal(tenure_options_value(again, "align"), "32");
    assert_int_equal(tenure_options_read_files(again), TENURE_OK);
    assert_int_equal(tenure_options_set(again, "project", "/no/such/file.json"), TENURE_OK);
    assert_int_equal(tenure_options_read_files(again), TENURE_ERROR);
    assert_int_equal(tenure_options_set(again, "print-after", "reus"), TENURE_OK);
    assert_int_equal(tenure_options_check(again, NULL), TENURE_USAGE);
    tenure_context_free(s.ctx);
}

/* ---- everything there is to ask ---- */

static tenure_status ask_plan(scene *s, tenure_options *o) {
    tenure_plan *plan = NULL;
    tenure_model *model = load(s, o);
    tenure_sink sink = {.struct_size = sizeof sink, .write = take, .user = s};
    if (model == NULL) {
        return tenure_last_status(s->ctx);
    }
    tenure_status status = tenure_plan_make(model, o, &plan);
    if (status == TENURE_OK) {
        status = tenure_emit_all(plan, model, o, &sink);
    }
    tenure_buffer *text = NULL;
    if (status == TENURE_OK) {
        status = tenure_plan_print(plan, &text);
    }
    tenure_buffer_free(text);
    return status;
}

static tenure_status plan_with_log(scene *s) {
    static const char *const options[][2] = {{"dim", "batch=4"},       {"print-pipeline", NULL},
                                             {"print-after", "reuse"}, {"stats", NULL},
                                             {"print-log", NULL},      {"remarks", NULL},
                                             {"emit", "csv"},          {"output", "a/p.csv"},
                                             {"emit", "json"},         {"output", "a/p.json"}};
    tenure_options *o = tenure_options_new(s->ctx);
    tenure_status status = o != NULL ? TENURE_OK : tenure_last_status(s->ctx);
    for (size_t i = 0; i < sizeof options / sizeof options[0] && status == TENURE_OK; i++) {
        status = tenure_options_set(o, options[i][0], options[i][1]);
    }
    if (status == TENURE_OK) {
        status = tenure_options_check(o, "net.tir");
    }
    return status == TENURE_OK ? ask_plan(s, o) : status;
}

static tenure_status explain(scene *s, bool json) {
    static const char *const tensors[] = {"a"};
    tenure_buffer *text = NULL;
    tenure_options *o = tenure_options_for(s->ctx, "explain");
    tenure_status status = o != NULL ? TENURE_OK : tenure_last_status(s->ctx);
    if (status == TENURE_OK) {
        status = tenure_options_set(o, "dim", "batch=4");
    }
    if (status == TENURE_OK && json) {
        status = tenure_options_set(o, "json", NULL);
    }
    if (status == TENURE_OK && json) {
        status = tenure_options_set(o, "changes", "false");
    }
    tenure_model *model = status == TENURE_OK ? load(s, o) : NULL;
    if (model == NULL) {
        return status == TENURE_OK ? tenure_last_status(s->ctx) : status;
    }
    status = tenure_explain(model, o, tensors, json ? 0 : 1, &text);
    assert_true(status != TENURE_OK ||
                holds(text, json ? "{\"fact\": \"advice\", \"kind\": " : "a"));
    tenure_plan *plan = NULL;
    status = status == TENURE_OK ? tenure_plan_make(model, o, &plan) : status;
    if (status == TENURE_OK) { /* the plan alone, of which nothing is asked */
        status = tenure_plan_explain(plan, NULL, tensors, 1, &text);
        assert_true(status != TENURE_OK || holds(text, "\"a\""));
    }
    return status;
}

static tenure_status dims_and_packing(scene *s) {
    tenure_buffer *text = NULL, *report = NULL;
    tenure_status status = tenure_dims(s->ctx, "net.tir", model_text, sizeof model_text - 1, &text);
    assert_true(status != TENURE_OK || holds(text, "--dim 'batch=1'"));
    if (status == TENURE_OK) {
        status = tenure_pack_file(s->ctx, s->csv, NULL, &text, &report);
        assert_true(status != TENURE_OK || (holds(text, "a,0,2,64,0") && holds(report, "optimal")));
    }
    tenure_pack_item items[] = {{0, 2, 64, 1, TENURE_PACK_FREE}, {1, 3, 32, 16, TENURE_PACK_FREE}};
    tenure_packing problem = {
        .struct_size = sizeof problem, .item_size = sizeof items[0], .items = items, .count = 2};
    tenure_packed packed = {.struct_size = sizeof packed};
    uint64_t offsets[2];
    if (status == TENURE_OK) {
        status = tenure_pack(s->ctx, &problem, NULL, offsets, &packed);
        assert_true(status != TENURE_OK ||
                    (packed.height == 96 && packed.bound == 96 && packed.optimal));
    }
    return status;
}

static tenure_status check_files(scene *s) {
    tenure_buffer *text = NULL;
    tenure_status status = tenure_check_files(s->ctx, s->model, s->plan, NULL, &text);
    assert_true(status != TENURE_OK || holds(text, "the plan is right: 6 values"));
    return status;
}

static tenure_status ask_all(scene *s) {
    tenure_status status = plan_with_log(s);
    status = status == TENURE_OK ? explain(s, false) : status;
    status = status == TENURE_OK ? explain(s, true) : status;
    status = status == TENURE_OK ? dims_and_packing(s) : status;
    return status == TENURE_OK ? check_files(s) : status;
}

static void write_plan(scene *s) {
    tenure_options *o = tenure_options_new(s->ctx);
    assert_int_equal(tenure_options_set(o, "dim", "batch=4"), TENURE_OK);
    tenure_plan *plan;
    tenure_buffer *json;
    assert_int_equal(tenure_plan_make(load(s, o), o, &plan), TENURE_OK);
    assert_int_equal(tenure_plan_emit(plan, "json", NULL, &json), TENURE_OK);
    FILE *f = fopen(s->plan, "wb");
    assert_int_equal(fwrite(tenure_buffer_data(json), 1, tenure_buffer_size(json), f),
                     tenure_buffer_size(json));
    fclose(f);
}

static void test_asking(void **state) {
    scene s;
    (void)state;
    make_files(&s);
    start(&s, NULL);
    write_plan(&s);
    assert_int_equal(ask_all(&s), TENURE_OK);
    assert_non_null(strstr(s.logged, "infer-shapes"));
    assert_non_null(strstr(s.logged, "// module after reuse"));
    assert_non_null(strstr(s.written, "a/p.csv\n"));
    assert_non_null(strstr(s.written, "a/p.json\n"));
    assert_non_null(strstr(s.said, "remark: \"a\" is not written over \"x\""));
    s.said[0] = '\0';
    s.stop_after = 3;
    assert_int_equal(plan_with_log(&s), TENURE_ERROR);
    assert_null(strstr(s.said, "error")); /* write has said why */
    tenure_context_free(s.ctx);
    remove_files(&s);
}

/* ---- the model stays as it was ---- */

static void test_in_place(void **state) {
    scene s;
    tenure_buffer *before, *after, *made, *in_place;
    tenure_plan *plan, *other;
    (void)state;
    start(&s, NULL);
    tenure_options *o = tenure_options_new(s.ctx);
    assert_int_equal(tenure_options_set(o, "dim", "batch=4"), TENURE_OK);
    tenure_model *model = load(&s, o);
    assert_int_equal(tenure_model_print(model, &before), TENURE_OK);
    assert_int_equal(tenure_plan_make(model, o, &plan), TENURE_OK);
    assert_int_equal(tenure_plan_check(plan, model, o), TENURE_OK);
    assert_int_equal(tenure_model_print(model, &after), TENURE_OK);
    assert_string_equal(tenure_buffer_data(before), tenure_buffer_data(after));
    assert_int_equal(tenure_plan_in_place(model, o, &other), TENURE_OK);
    assert_int_equal(tenure_model_print(model, &after), TENURE_OK);
    assert_string_not_equal(tenure_buffer_data(before), tenure_buffer_data(after));
    assert_int_equal(tenure_plan_emit(plan, "json", NULL, &made), TENURE_OK);
    assert_int_equal(tenure_plan_emit(other, "json", NULL, &in_place), TENURE_OK);
    assert_string_equal(tenure_buffer_data(made), tenure_buffer_data(in_place));
    tenure_options *opt = tenure_options_for(s.ctx, "opt");
    assert_int_equal(tenure_options_check(opt, NULL), TENURE_OK);
    assert_int_equal(tenure_plan_in_place(model, opt, &other), TENURE_OK);
    assert_null(other); /* nothing was asked for */
    assert_int_equal(tenure_plan_make(model, opt, &other), TENURE_USAGE);
    tenure_context_free(s.ctx);
}

static void test_places(void **state) {
    static const char bad[] =
        "tir 1\nmodule \"m\"\nopset \"\" 17\ngraph @0 \"g\" {\n  nonsense\n}\n";
    scene s;
    (void)state;
    start(&s, NULL);
    assert_null(tenure_load_memory(s.ctx, "bad.tir", bad, sizeof bad - 1, NULL));
    assert_int_equal(s.last.severity, TENURE_SEV_ERROR);
    assert_int_equal(s.last.status, TENURE_ERROR);
    assert_int_equal(s.last.line, 6);
    assert_true(s.last.column > 0);
    assert_int_equal(s.last.index, -1);
    assert_null(tenure_options_for(s.ctx, "?"));
    assert_int_equal(s.last.status, TENURE_USAGE);
    assert_int_equal(s.last.line, 0);
    tenure_plan *plan;
    tenure_options *o = tenure_options_new(s.ctx);
    assert_int_equal(tenure_options_set(o, "dim", "batch=4"), TENURE_OK);
    assert_int_equal(tenure_options_set(o, "capacity", "16"), TENURE_OK);
    assert_int_equal(tenure_plan_make(load(&s, o), o, &plan), TENURE_NOFIT);
    assert_int_equal(s.last.status, TENURE_NOFIT);
    tenure_context_free(s.ctx);
}

/* ---- what is wrong ---- */

static void test_packing_mistakes(void **state) {
    scene s;
    (void)state;
    start(&s, NULL);
    tenure_pack_item items[] = {{0, 2, 64, 0, TENURE_PACK_FREE}, {1, 3, 32, 0, TENURE_PACK_FREE}};
    tenure_pack_pair pairs[] = {{0, 1}, {1, 2}};
    tenure_packing p = {.struct_size = sizeof p,
                        .item_size = sizeof items[0],
                        .items = items,
                        .count = 2,
                        .conflicts = pairs,
                        .n_conflicts = 2};
    tenure_packed packed = {.struct_size = sizeof packed};
    uint64_t offsets[2];
    assert_int_equal(tenure_pack(s.ctx, &p, NULL, offsets, &packed), TENURE_ERROR);
    p.n_conflicts = 1;
    assert_int_equal(tenure_pack(s.ctx, &p, NULL, offsets, &packed), TENURE_OK);
    assert_int_equal(packed.height, 96);
    tenure_options *o = tenure_options_for(s.ctx, "pack");
    assert_int_equal(tenure_options_set(o, "capacity", "80"), TENURE_OK);
    assert_int_equal(tenure_pack(s.ctx, &p, o, offsets, &packed), TENURE_NOFIT);
    assert_int_equal(packed.bound, 96);
    assert_int_equal(tenure_options_set(o, "effort", "9"), TENURE_OK);
    assert_int_equal(tenure_pack(s.ctx, &p, o, offsets, &packed), TENURE_USAGE);
    assert_int_equal(tenure_pack(s.ctx, &p, tenure_options_new(s.ctx), offsets, &packed),
                     TENURE_USAGE);
    p.struct_size = 1;
    assert_int_equal(tenure_pack(s.ctx, &p, NULL, offsets, &packed), TENURE_USAGE);
    tenure_context_free(s.ctx);
}

static void test_nulls(void **state) {
    scene s;
    tenure_buffer *b = NULL, *r = NULL;
    tenure_plan *plan = NULL;
    (void)state;
    start(&s, NULL);
    tenure_options *o = tenure_options_new(s.ctx);
    assert_int_equal(tenure_explain(NULL, o, NULL, 0, &b), TENURE_USAGE);
    assert_int_equal(tenure_explain(load(&s, NULL), o, NULL, 1, &b), TENURE_USAGE);
    assert_int_equal(tenure_explain(load(&s, NULL), o, NULL, 0, NULL), TENURE_USAGE);
    assert_int_equal(tenure_plan_explain(NULL, NULL, NULL, 0, &b), TENURE_USAGE);
    assert_int_equal(tenure_dims(s.ctx, NULL, "", 0, &b), TENURE_USAGE);
    assert_int_equal(tenure_dims(s.ctx, "a", "", 0, NULL), TENURE_USAGE);
    assert_int_equal(tenure_pack(s.ctx, NULL, NULL, NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_pack_file(s.ctx, NULL, NULL, &b, &r), TENURE_USAGE);
    assert_int_equal(tenure_check_files(s.ctx, NULL, "p", NULL, &b), TENURE_USAGE);
    assert_int_equal(tenure_check_files(NULL, "m", "p", NULL, &b), TENURE_USAGE);
    assert_int_equal(tenure_emit_all(NULL, NULL, o, NULL), TENURE_USAGE);
    assert_int_equal(tenure_plan_print(NULL, &b), TENURE_USAGE);
    assert_int_equal(tenure_plan_in_place(NULL, o, &plan), TENURE_USAGE);
    assert_int_equal(tenure_list_print(s.ctx, NULL, NULL, &b), TENURE_USAGE);
    assert_int_equal(tenure_options_arg(o, 0, NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_options_help(NULL, &b), TENURE_USAGE);
    assert_int_equal(tenure_options_print(o, "m", NULL), TENURE_USAGE);
    assert_int_equal(tenure_options_print_models(o, NULL, 1, NULL), TENURE_USAGE);
    assert_int_equal(tenure_options_check(NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_options_read_files(NULL), TENURE_USAGE);
    assert_null(tenure_options_for(s.ctx, NULL));
    assert_null(tenure_options_value(NULL, "a"));
    assert_null(tenure_options_model(NULL));
    assert_null(tenure_options_models(NULL, NULL));
    assert_null(tenure_nearest(NULL, NULL, 0));
    assert_int_equal(tenure_options_count(NULL), 0);
    assert_int_equal(tenure_list_count(NULL, TENURE_LIST_OPS), 0);
    assert_false(tenure_list_get(s.ctx, TENURE_LIST_OPS, 0, NULL));
    assert_false(tenure_list_option(NULL, TENURE_LIST_PASSES, 0, 0, NULL));
    assert_false(tenure_list_op(s.ctx, 0, NULL));
    assert_false(tenure_options_get(o, 0, NULL));
    tenure_on_log(NULL, NULL, NULL);
    tenure_context_free(s.ctx);
}

/* ---- running out of memory ---- */

static void test_out_of_memory(void **state) {
    meter all = {.fail_at = -1};
    tenure_allocator allocator = {noted, &all};
    static scene s;
    long runs = 0;
    (void)state;
    make_files(&s);
    start(&s, NULL);
    write_plan(&s);
    tenure_context_free(s.ctx);
    start(&s, &allocator);
    assert_int_equal(ask_all(&s), TENURE_OK);
    tenure_context_free(s.ctx);
    assert_int_equal(all.out, 0);
    assert_true(all.n > 1000 && all.n == oom_n);
    allocator.fn = metered;
    for (long n = 0; n < all.n; n++) {
        if (!oom_chosen(n)) {
            continue;
        }
        meter m = {.fail_at = n};
        allocator.user = &m;
        start(&s, &allocator);
        assert_int_equal(s.ctx != NULL ? ask_all(&s) : TENURE_NOMEM, TENURE_NOMEM);
        tenure_context_free(s.ctx);
        assert_true(m.failed);
        assert_int_equal(m.out, 0);
        runs++;
    }
    remove_files(&s);
    print_message("%ld of %ld allocations\n", runs, all.n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),       cmocka_unit_test(test_smaller_structs),
        cmocka_unit_test(test_option_rows), cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_asking),      cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_places),      cmocka_unit_test(test_packing_mistakes),
        cmocka_unit_test(test_nulls),       cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
