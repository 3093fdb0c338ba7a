/* Pipelines as text: what parses, what it prints back, what is refused and how. */
#include "tests/unit/unit.h"

#include "passes/core/pipeline.h"
#include "passes/core/registry.h"

static unit_log log_;
static tn_arena *arena_;

/* Parses and prints back; NULL when parsing failed (the message is in log_). */
static const char *reprint(tn_ctx *ctx, const char *text) {
    log_.len = 0;
    log_.text[0] = '\0';
    tn_pipeline p;
    tn_status status = tn_pipeline_parse(tn_arena_new(ctx), "--passes", text, &p);
    if (status != TN_OK) {
        assert_int_equal(status, TN_USAGE);
        return NULL;
    }
    tn_sink out = tn_sink_make(arena_);
    tn_pipeline_print(&p, &out);
    return out.data;
}

static tn_status prints_canonical(tn_ctx *ctx, void *arg) {
    (void)arg;
    arena_ = tn_arena_new(ctx);
    static const char *const cases[][2] = {
        {"", ""},
        {"  ", ""},
        {"template", "template"},
        {"template{}", "template"},
        {" template { } ,\n template", "template,template"},
        {"template{remark}", "template{remark=true}"},
        {"template{remark=yes}", "template{remark=true}"},
        {"template{remark=off}", "template"},
        {"template{least=007}", "template{least=7}"},
        {"template{least=-3,what=values}", "template{what=values,least=-3}"},
        {"template{what=ops}", "template"},
        {"template{label=a/b*}", "template{label=a/b*}"},
        {"template{label=\"a, b\"}", "template{label=\"a, b\"}"},
        {"template{label=\"\\\"q\\\\\"}", "template{label=\"\\\"q\\\\\"}"},
        {"template{label=\"plain\"}", "template{label=plain}"},
        {"template{label=\"\\61\\0a\"}", "template{label=\"a\\0a\"}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *once = reprint(ctx, cases[i][0]);
        assert_non_null(once);
        assert_string_equal(once, cases[i][1]);
        assert_string_equal(reprint(ctx, once), once);
    }
    return TN_OK;
}

static tn_status refuses(tn_ctx *ctx, void *arg) {
    (void)arg;
    arena_ = tn_arena_new(ctx);
    static const char *const cases[][2] = {
        {"templat", "--passes:1:1: error: unknown pass 'templat'; did you mean 'template'?\n"},
        {"template,\n  zzzzzzz", "--passes:2:3: error: unknown pass 'zzzzzzz'\n"},
        {"template,", "--passes:1:10: error: expected a pass at the end of the pipeline\n"},
        {"template template", "--passes:1:10: error: expected ',' instead of 't'\n"},
        {"template{remrk}", "--passes:1:10: error: pass 'template' has no option 'remrk'; did you "
                            "mean 'remark'?\n"},
        {"template{least=x}", "--passes:1:16: error: option 'least' of pass 'template' must be a "
                              "number, not 'x'\n"},
        {"template{least=99999999999999999999}",
         "--passes:1:16: error: option 'least' of pass 'template' must be a number, not "
         "'99999999999999999999'\n"},
        {"template{least}", "--passes:1:10: error: option 'least' of pass 'template' needs a "
                            "value\n"},
        {"template{what=op}", "--passes:1:15: error: option 'what' of pass 'template' must be "
                              "ops|values, not 'op'\n"},
        {"template{what=\"ops|values\"}", "--passes:1:15: error: option 'what' of pass 'template' "
                                          "must be ops|values, not 'ops|values'\n"},
        {"template{remark=maybe}", "--passes:1:17: error: option 'remark' of pass 'template' must "
                                   "be true or false, not 'maybe'\n"},
        {"template{remark,remark}",
         "--passes:1:17: error: option 'remark' of pass 'template' is given twice\n"},
        {"template{label=\"abc", "--passes:1:16: error: this quotation mark is never closed\n"},
        {"template{label=\"abc\\", "--passes:1:16: error: this quotation mark is never closed\n"},
        {"template{label=\"a\\n\"}",
         "--passes:1:19: error: expected \\\", \\\\ or \\ and two lower-case hex digits\n"},
        {"template{label=\"\\00\"}",
         "--passes:1:18: error: expected \\\", \\\\ or \\ and two lower-case hex digits\n"},
        {"template{remark", "--passes:1:16: error: expected ',' or '}' at the end of the "
                            "pipeline\n"},
        {"O0{level=1}", "--passes:1:3: error: the named pipeline 'O0' takes no options\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_null(reprint(ctx, cases[i][0]));
        assert_string_equal(log_.text, cases[i][1]);
    }
    return TN_OK;
}

static tn_status limits_length(tn_ctx *ctx, void *arg) {
    (void)arg;
    arena_ = tn_arena_new(ctx);
    tn_sink text = tn_sink_make(arena_);
    tn_put_indent(&text, 1u << 16);
    assert_non_null(reprint(ctx, text.data));
    tn_put(&text, " ");
    assert_null(reprint(ctx, text.data));
    assert_string_equal(log_.text, "--passes:1:1: error: pipeline of 65537 bytes exceeds the limit "
                                   "of 65536 bytes\n");
    return TN_OK;
}

static void in_ctx(tn_status (*body)(tn_ctx *ctx, void *arg)) {
    tn_ctx *ctx = unit_ctx(&log_);
    unit_run(ctx, body, NULL);
    tn_ctx_free(ctx);
}

static void test_prints_canonical(void **state) {
    (void)state;
    in_ctx(prints_canonical);
}

static void test_refuses(void **state) {
    (void)state;
    in_ctx(refuses);
}

static void test_limits_length(void **state) {
    (void)state;
    in_ctx(limits_length);
}

/* Every table entry can be found by its name, and names are unique. */
static void test_registry(void **state) {
    (void)state;
    uint32_t n, k;
    const tn_pass_info *const *all = tn_pass_all(NULL, &n);
    const tn_named_pipeline *named = tn_named_pipeline_all(&k);
    assert_true(n > 0 && k == 4);
    for (uint32_t i = 0; i < n; i++) {
        assert_ptr_equal(tn_pass_find(NULL, all[i]->name), all[i]);
        assert_null(tn_named_pipeline_find(all[i]->name));
        assert_non_null(all[i]->summary);
        assert_null(strchr(all[i]->name, '_')); /* names have dashes, files underscores */
    }
    for (uint32_t i = 0; i < k; i++) {
        assert_ptr_equal(tn_named_pipeline_find(named[i].name), &named[i]);
    }
    assert_null(tn_pass_find(NULL, "O2"));
    assert_null(tn_pass_find(NULL, ""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prints_canonical),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_limits_length),
        cmocka_unit_test(test_registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
