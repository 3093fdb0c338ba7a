/* The JSON form of a plan: what is written reads back to the same text. */
#include <stdlib.h>

#include "ir/plan/plan_names.h"

#include "tests/unit/sample_plan.h"

static tn_status round_trip(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *once = sample_json(sample_plan(ctx));
    tn_plan *p = tn_plan_from_json(ctx, "plan.json", once, strlen(once));
    assert_non_null(p);
    assert_string_equal(once, sample_json(p));
    assert_string_equal(p->values[1].name, "3d/\xcf\x80\t");
    assert_int_equal(p->values[3].storage, TN_NO_ID);
    assert_int_equal(p->values[3].dims[1], -1);
    assert_true(p->pools[1].size == INT64_MAX);
    assert_string_equal(p->values[3].dim_texts[1], "n");
    assert_null(p->values[3].dim_texts[2]);
    assert_int_equal(p->steps[1].hazards.len, 1);
    assert_int_equal(p->steps[0].operands.data[1], TN_NO_ID);
    assert_int_equal(p->steps[0].attrs[6].u.strings[0].len, 3);
    assert_true(isnan(p->steps[0].attrs[1].u.floats[1]));
    assert_true(p->steps[0].attrs[8].u.t->floats != NULL &&
                p->steps[0].attrs[8].u.t->floats[0] == 1);
    assert_int_equal(p->steps[0].bodies[0].outputs.len, 2);
    assert_true(p->steps[0].moves[1].reverse && p->steps[1].idle);
    assert_int_equal(p->steps[1].claims[0].promise, TN_PROMISE_ROWS);
    assert_int_equal(p->steps[1].after[0].data[0], 0);
    assert_true(p->reordered && p->storages[1].pinned && !p->storages[0].pinned);
    tn_sink a = tn_sink_make(p->arena), b = tn_sink_make(p->arena);
    tn_plan_print(sample_plan(ctx), &a);
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

static tn_status report(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_plan *p = sample_plan(ctx);
    tn_sink s = tn_sink_make(p->arena);
    tn_plan_report_print(p, &s);
    static const char *const want[] = {
        ", 2 steps; 1 of 4 values has no place: 'n' is open\n",
        "naive         256 B",
        "gap           28.00 %",
        ("RAM           168 B: arena 128 B, in and out 40 B; flash 7 B: constants\n"
         "                the arena needs at most 10 B with --schedule=min-peak, which -O3 "
         "includes\n"),
        "peak          at step 1 (end of Loop 'a'), alive there: 1",
        "\"3d/π\\t\" i4[10]: 100 B",
        "loop/body/\"open\" ?[10,n,?] not planned: extent n is not bound (n*10 bytes)",
        "3 planned, 1 not, 0 need no place",
        "4 shared; without, the arena would need 8 B more\n",
        "order         not the file's: run the steps as the plan has them"};
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
    tight t = {.text = sample_json(sample_plan(ctx))};
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
UNIT_TEST(report)
UNIT_TEST(out_of_memory)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bad_utf8),
        cmocka_unit_test(test_report), cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
