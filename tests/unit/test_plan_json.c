/* The JSON form of a plan: what is written reads back to the same text, and broken files end in a
 * message that names the place. */
#include <stdlib.h>

#include "ir/plan/forms.h"
#include "ir/plan/words.h"

#include "tests/unit/unit.h"

static tn_ids ids(tn_plan *p, uint32_t n, const uint32_t *data) {
    return (tn_ids){tn_arena_regrow(p->arena, data, n, n, sizeof *data), n};
}

/* Two ops, a view, an unplanned value, a slot: every field set at least once, names that need
 * escapes, numbers near the limits. */
static tn_plan *sample(tn_ctx *ctx) {
    tn_plan *p = tn_plan_new(ctx);
    p->model = "quote \" and \\ and \n";
    p->sha256 = "00ff";
    p->version = "0.1.0";
    p->pipeline = "reuse{level=1}";
    p->reordered = true;
    static const tn_pair options[] = {{"dim.batch", "4"}, {"align", "64"}};
    p->options = options;
    p->n_options = 2;
    static tn_pool pools[] = {{"arena", TN_POOL_ARENA, 64, 1u << 20, 128, 100},
                              {"io", TN_POOL_IO, 1, 0, INT64_MAX, 0}};
    p->pools = pools;
    p->n_pools = 2;
    static tn_slot slots[] = {{0, 0, 128}};
    p->slots = slots;
    p->n_slots = 1;
    static tn_storage storages[] = {{0, 0, 0, 0, 100, 64, 0, 1, false, 1},
                                    {1, 1, TN_NO_ID, 0, 40, 8, -1, 2, true, 0}};
    p->storages = storages;
    p->n_storages = 2;
    static const int64_t dims[] = {10, -1};
    static tn_plan_value values[] = {
        {"x", "", TN_ROLE_INPUT, TN_DT_FLOAT, 1, dims, "f32[10]", NULL, NULL, 40, 1, 0, -1, 2,
         TN_NO_ID, TN_ALIAS_NONE, TN_NO_ID, 0},
        {"3d/\xcf\x80\t", "", TN_ROLE_INTERNAL, TN_DT_INT4, 1, dims, "i4[10]", NULL, NULL, 5, 0, 0,
         0, 1, 0, TN_ALIAS_NONE, TN_NO_ID, 1},
        {"v", "loop/body", TN_ROLE_OUTPUT, TN_DT_INT4, 1, dims, "i4[10]", NULL, NULL, 5, 0, 2, 1, 1,
         1, TN_ALIAS_VIEW, 1, 2},
        {"open", "loop/body", TN_ROLE_INTERNAL, TN_DT_UNKNOWN, 2, dims, "?[10,n]", "n*10",
         "extent n is not bound", 0, TN_NO_ID, 0, 1, 1, 1, TN_ALIAS_NONE, TN_NO_ID, 3},
    };
    p->values = values;
    p->n_values = 4;
    static tn_plan_step steps[2];
    steps[0] = (tn_plan_step){TN_STEP_BEGIN,
                              "",
                              0,
                              "a",
                              "",
                              "Loop",
                              1,
                              ids(p, 1, (uint32_t[]){0}),
                              ids(p, 1, (uint32_t[]){1}),
                              {NULL, 0},
                              {NULL, 0},
                              0};
    steps[1] = (tn_plan_step){TN_STEP_END,
                              "",
                              0,
                              "a",
                              "com.microsoft",
                              "Loop",
                              0,
                              ids(p, 1, (uint32_t[]){1}),
                              ids(p, 2, (uint32_t[]){2, 3}),
                              ids(p, 1, (uint32_t[]){0}),
                              ids(p, 1, (uint32_t[]){0}),
                              0};
    p->steps = steps;
    p->n_steps = 2;
    p->report = (tn_plan_report){.naive = 256,
                                 .level0 = 200,
                                 .level1 = 128,
                                 .bound = 100,
                                 .const_bytes = 7,
                                 .io_bytes = 40,
                                 .n_inplace = 1,
                                 .n_views = 2,
                                 .n_updates = 3,
                                 .n_shared = 4,
                                 .algorithm = "best-fit",
                                 .peak_step = 1,
                                 .peak = ids(p, 1, (uint32_t[]){0}),
                                 .n_planned = 3,
                                 .n_unplanned = 1,
                                 .n_backward_ops = 5,
                                 .n_backward_values = 6,
                                 .n_param_grads = 7,
                                 .order_bound = 9,
                                 .other_order = 10,
                                 .saved_by_sharing = 8};
    return p;
}

static char *json(tn_plan *p) {
    tn_sink s = tn_sink_make(p->arena);
    tn_plan_to_json(p, &s);
    return s.data;
}

static tn_status round_trip(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *once = json(sample(ctx));
    tn_plan *p = tn_plan_from_json(ctx, "plan.json", once, strlen(once));
    assert_non_null(p);
    assert_string_equal(once, json(p));
    assert_string_equal(p->values[1].name, "3d/\xcf\x80\t");
    assert_int_equal(p->values[3].storage, TN_NO_ID);
    assert_int_equal(p->values[3].dims[1], -1);
    assert_true(p->pools[1].size == INT64_MAX);
    assert_int_equal(p->steps[1].hazards.len, 1);
    assert_true(p->reordered && p->storages[1].pinned && !p->storages[0].pinned);
    tn_sink a = tn_sink_make(p->arena), b = tn_sink_make(p->arena);
    tn_plan_print(sample(ctx), &a);
    tn_plan_print(p, &b);
    assert_string_equal(a.data, b.data);
    return TN_OK;
}

/* Bytes that are no UTF-8, among them overlong forms, surrogates, and what looks like a spelled
 * byte and is a character of the name. */
static const char *const odd_names[] = {"a\xff\x62\xc0\x80\xed\xa0\x80\xf0\x9f\x98\x80\x01\x7f",
                                        "\xe9",
                                        "\xc3\xa9",
                                        "\xf4\x8f\xbb\xa9",
                                        "\xf4\x8f\xbb",
                                        "\xf4\x8f\xba\x80\x80",
                                        "\xf4\x8f\xb9\xbf\xf4\x8f\xbc\x80"};
enum { N_ODD = sizeof odd_names / sizeof odd_names[0] };

static tn_status bad_utf8(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    const char *written[N_ODD];
    for (size_t i = 0; i < N_ODD; i++) {
        tn_sink plain = tn_sink_make(a);
        tn_put_utf8(&plain, odd_names[i]);
        written[i] = plain.data;
        for (size_t k = 0, n; k < plain.len; k += n) {
            n = tn_utf8_len(plain.data + k, plain.len - k);
            assert_true(n > 0);
        }
        assert_string_equal(tn_text_from_utf8(a, plain.data, plain.len), odd_names[i]);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(written[i], written[k]);
        }
    }
    tn_sink s = tn_sink_make(a);
    tn_put_quoted(&s, "a\xff\xe9\x80\x01\x7f\"\\");
    assert_string_equal(s.data, "\"a\xf4\x8f\xbb\xbf\xf4\x8f\xbb\xa9\xf4\x8f\xba\x80"
                                "\\u0001\\u007f\\\"\\\\\"");
    return TN_OK;
}

/* One edit of the sample's JSON and what the message must hold. */
typedef struct edit {
    const char *from, *to, *message;
} edit;

static const edit edits[] = {
    {"\"format\": 1", "\"format\": 2", "format: expected an integer between 1 and 1"},
    {"\"format\": 1", "\"fromat\": 1", "format: expected this key"},
    {"\"format\": 1,", "\"format\": 1, \"more\": 1,", "top level: expected only the keys"},
    {"\"pool\": 0, \"slot\": 0", "\"pool\": 2, \"slot\": 0",
     "storages[0].pool: expected an index below 2"},
    {"\"slot\": 0", "\"slot\": 1", "storages[0].slot: expected an index below 1"},
    {"\"slot\": 0", "\"slot\": -1", "storages[0].slot"},
    {"\"slot\": 0", "\"slot\": \"0\"", "storages[0].slot"},
    {"\"size\": 9223372036854775807", "\"size\": 18446744073709551615", "too big integer"},
    {"\"size\": 9223372036854775807", "\"size\": 1e3",
     "pools[1].size: expected an integer between 0 and 9223372036854775807"},
    {"\"align\": 64, \"capacity\"", "\"align\": 0, \"capacity\"", "pools[0].align"},
    {"\"kind\": \"io\"", "\"kind\": \"oi\"",
     "pools[1].kind: expected one of \"arena\", \"io\", \"const\""},
    {"\"dtype\": \"i4\"", "\"dtype\": \"i5\"", "values[1].dtype: expected an element type"},
    {"\"dims\": [10,-1]", "\"dims\": [10,-2]", "values[3].dims: expected extents"},
    {"\"dims\": [10,-1]", "\"dims\": 10", "values[3].dims"},
    {"\"pinned\": true", "\"pinned\": 1", "storages[1].pinned: expected true or false"},
    {"\"writes\": [2,3]", "\"writes\": [2,4]", "steps[1].writes: expected indices below 4"},
    {"\"frees\": [0]", "\"frees\": [2]", "steps[1].frees: expected indices below 2"},
    {"\"frees\": [0]", "\"frees\": {}", "steps[1].frees: expected a list of indices"},
    {"\"partner\": 1", "\"partner\": 7", "steps[0].partner"},
    {"\"last\": 2", "\"last\": 3", "storages[1].last: expected an integer between -1 and 2"},
    {"\"root\": 1", "\"root\": null", "storages[0].root"},
    {"\"name\": \"x\"", "\"name\": null", "values[0].name: expected a string"},
    {"\"name\": \"x\"", "\"name\": \"x\\u0000y\"", "not a JSON plan"},
    {"\"name\": \"x\"", "\"name\": \"x\", \"name\": \"y\"", "duplicate object key"},
    {"\"steps\": [", "\"steps\": [7, ", "steps[0]: expected an object"},
    {"\"report\": {", "\"report\": [], \"r\": {", "report: expected an object"},
    {"}\n}\n", "}\n", "not a JSON plan"},
};

static tn_status malformed(tn_ctx *ctx, void *arg) {
    unit_log *log = arg;
    const char *good = json(sample(ctx));
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        const char *at = strstr(good, edits[i].from);
        assert_non_null(at);
        tn_arena *arena = tn_arena_new(ctx);
        const char *text = tn_arena_printf(arena, "%.*s%s%s", (int)(at - good), good, edits[i].to,
                                           at + strlen(edits[i].from));
        log->len = 0;
        assert_null(tn_plan_from_json(ctx, "plan.json", text, strlen(text)));
        if (strstr(log->text, edits[i].message) == NULL) {
            print_error("edit %zu: wanted '%s', got '%s'\n", i, edits[i].message, log->text);
        }
        assert_non_null(strstr(log->text, edits[i].message));
        assert_non_null(strstr(log->text, "plan.json"));
        tn_arena_drop(arena);
    }
    return TN_OK;
}

/* Every prefix of a good file and a very deep one: a message, never a crash. */
static tn_status truncated(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *good = json(sample(ctx));
    for (size_t n = 0; n + 2 < strlen(good); n += 7) {
        assert_null(tn_plan_from_json(ctx, "plan.json", good, n));
    }
    static char deep[1 << 20];
    memset(deep, '[', sizeof deep);
    assert_null(tn_plan_from_json(ctx, "deep.json", deep, sizeof deep));
    assert_null(tn_plan_from_json(ctx, "list.json", "[]", 2));
    return TN_OK;
}

static tn_status report(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_plan *p = sample(ctx);
    tn_sink s = tn_sink_make(p->arena);
    tn_plan_report_print(p, &s);
    static const char *const want[] = {
        "naive         256 B",
        "gap           28.00 %",
        "in and out    40 B",
        "peak          at step 1 (end of Loop 'a'), alive there: 1",
        "\"3d/π\\t\" i4[10]: 100 B",
        "loop/body/\"open\" ?[10,n] not planned: extent n is not bound (n*10 bytes)",
        "3 planned, 1 not",
        "sharing saved 8 B",
        "changed: run the steps"};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        if (strstr(s.data, want[i]) == NULL) {
            print_error("no '%s' in:\n%s", want[i], s.data);
        }
        assert_non_null(strstr(s.data, want[i]));
    }
    assert_null(strstr(s.data, "optimal"));
    tn_sink big = tn_sink_make(p->arena);
    tn_put_bytes(&big, 1536);
    assert_string_equal(big.data, "1536 B (1.50 KiB)");
    return TN_OK;
}

/* The n-th allocation of tenure's own fails; the parsed tree, which is not, must go as well (the
 * sanitized build sees what leaks). */
typedef struct tight {
    uint32_t left;
    const char *text;
} tight;

static void *tight_alloc(void *user, void *ptr, size_t old_size, size_t new_size) {
    tight *t = user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    if (t->left == 0) {
        return NULL;
    }
    t->left--;
    return realloc(ptr, new_size);
}

static tn_status read_tight(tn_ctx *ctx, void *arg) {
    tight *t = arg;
    return tn_plan_from_json(ctx, "plan.json", t->text, strlen(t->text)) != NULL ? TN_OK : TN_ERROR;
}

static tn_status out_of_memory(tn_ctx *ctx, void *arg) {
    (void)arg;
    tight t = {.text = json(sample(ctx))};
    tn_status status = TN_NOMEM;
    for (uint32_t n = 0; status == TN_NOMEM; n++) {
        assert_true(n < 1000);
        t.left = n;
        tn_allocator alloc = {tight_alloc, &t};
        tn_ctx *poor = tn_ctx_new(&alloc);
        if (poor != NULL) {
            status = tn_guard_run(poor, read_tight, &t);
            tn_ctx_free(poor);
        }
    }
    assert_int_equal(status, TN_OK);
    return TN_OK;
}

UNIT_TEST(round_trip)
UNIT_TEST(bad_utf8)
UNIT_TEST(malformed)
UNIT_TEST(truncated)
UNIT_TEST(report)
UNIT_TEST(out_of_memory)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bad_utf8),
        cmocka_unit_test(test_malformed),  cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_report),     cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
