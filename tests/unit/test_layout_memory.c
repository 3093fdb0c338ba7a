/* What is remembered of packings in one run, and how much those that end without a proof leave to
 * the searches behind them. */
#include "passes/plan/layout_memory.h"
#include "tests/unit/unit.h"

enum { N = 2 };

typedef struct question_case {
    tn_layout_ask ask;
    tn_pack_gap gap;
    tn_pack_buffer buffers[N];
    tn_packing_question q;
} question_case;

/* Two buffers, the first with a gap, at the effort of a search. */
static void make_question(question_case *c) {
    *c = (question_case){.ask = {.level = TN_LEVEL_1, .effort = 2, .align = 1}};
    c->gap = (tn_pack_gap){1, 2, 0, 4};
    c->buffers[0] = (tn_pack_buffer){0, 2, 8, 1, TN_PACK_FREE, &c->gap, 1};
    c->buffers[1] = (tn_pack_buffer){1, 3, 8, 1, TN_PACK_FREE, NULL, 0};
    c->q = (tn_packing_question){&c->ask, c->buffers, NULL, N};
}

static void answer(tn_layout_memory *memory, const question_case *c, uint64_t bound) {
    uint64_t offset[N] = {0, 4};
    tn_layout_remember(memory, &c->q,
                       &(tn_packing_answer){.chosen = {.offset = offset, .size = 12},
                                            .bound = bound,
                                            .nodes = 1000000,
                                            .level1 = 12});
}

static tn_status gaps_are_parts_of_questions(tn_ctx *ctx, void *arg) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_layout_memory *memory = tn_layout_memory_new(arena);
    question_case c;
    (void)arg;
    make_question(&c);
    assert_null(tn_layout_recall(memory, &c.q));
    answer(memory, &c, 12);
    c.gap.hi = 3; /* the memory has a copy */
    assert_null(tn_layout_recall(memory, &c.q));
    c.buffers[0].n_gaps = 0;
    assert_null(tn_layout_recall(memory, &c.q));
    make_question(&c);
    const tn_packing_answer *known = tn_layout_recall(memory, &c.q);
    assert_non_null(known);
    assert_int_equal(known->chosen.offset[1], 4);
    const uint32_t group[N] = {0, 0};
    c.q.group = group; /* whole buffers ask something else */
    assert_null(tn_layout_recall(memory, &c.q));
    tn_arena_drop(arena);
    return TN_OK;
}

static tn_status unproven_searches_leave_less(tn_ctx *ctx, void *arg) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_layout_memory *memory = tn_layout_memory_new(arena);
    question_case c;
    (void)arg;
    make_question(&c);
    const uint64_t first = tn_layout_search_nodes(memory, &c.q);
    assert_true(first > 1000000);
    answer(memory, &c, 12); /* proven */
    assert_int_equal(tn_layout_search_nodes(memory, &c.q), first);
    answer(memory, &c, 11);
    assert_int_equal(tn_layout_search_nodes(memory, &c.q), first / 4);
    const uint32_t group[N] = {0, 0};
    c.q.group = group; /* another kind of question has its own nodes */
    assert_int_equal(tn_layout_search_nodes(memory, &c.q), first);
    c.q.group = NULL;
    uint64_t before = first, now = first / 4;
    while (now < before) {
        answer(memory, &c, 11);
        before = now;
        now = tn_layout_search_nodes(memory, &c.q);
    }
    assert_true(now > 0); /* 0 were the default, and no limit */
    c.ask.effort = 1;     /* few buffers are searched all the same, and leave less, too */
    const uint64_t few = tn_layout_search_nodes(memory, &c.q);
    assert_true(few > 0 && few < first);
    answer(memory, &c, 11);
    assert_true(tn_layout_search_nodes(memory, &c.q) < few);
    c.q.n = 1000;
    assert_int_equal(tn_layout_search_nodes(memory, &c.q), 0);
    tn_arena_drop(arena);
    return TN_OK;
}

UNIT_TEST(gaps_are_parts_of_questions)
UNIT_TEST(unproven_searches_leave_less)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gaps_are_parts_of_questions),
                                       cmocka_unit_test(test_unproven_searches_leave_less)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
