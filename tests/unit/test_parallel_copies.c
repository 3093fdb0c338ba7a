/* Copies that happen at once: made one after the other as the order says, they leave what reading
 * all sources first would leave. */
#include "backends/core/parallel_copies.h"

#include "tests/unit/unit.h"

enum { SPACES = 2, BYTES = 64, MOST = 6, ROOM = 1024 };

typedef uint8_t memory[SPACES][BYTES];

static void fill(memory m) {
    for (int s = 0; s < SPACES; s++) {
        for (int i = 0; i < BYTES; i++) {
            m[s][i] = (uint8_t)(s * BYTES + i + 1);
        }
    }
}

static uint8_t *at(memory m, tn_range r) {
    return &m[r.space][r.at];
}

/* What copies without a source write. */
static void put_own(memory m, const tn_copy *copies, uint32_t i) {
    memset(at(m, copies[i].to), (int)(200 + i), copies[i].to.size);
}

static void at_once(memory m, const tn_copy *copies, uint32_t n) {
    memory before;
    memcpy(before, m, sizeof before);
    for (uint32_t i = 0; i < n; i++) {
        if (copies[i].from.size > 0) {
            memcpy(at(m, copies[i].to), at(before, copies[i].from), copies[i].to.size);
        } else {
            put_own(m, copies, i);
        }
    }
}

static void in_order(memory m, const tn_copy *copies, const tn_copy_order *o) {
    uint8_t room[ROOM];
    assert_true(o->aside <= ROOM);
    for (uint32_t i = 0; i < o->n; i++) {
        const tn_copy_step *s = &o->steps[i];
        const tn_copy *c = &copies[s->copy];
        assert_true(s->act == TN_ACT_COPY || s->aside + c->from.size <= o->aside);
        if (s->act == TN_ACT_KEEP) {
            memcpy(room + s->aside, at(m, c->from), c->from.size);
        } else if (s->act == TN_ACT_RESTORE) {
            memcpy(at(m, c->to), room + s->aside, c->to.size);
        } else if (c->from.size > 0) {
            memmove(at(m, c->to), at(m, c->from), c->to.size);
        } else {
            put_own(m, copies, s->copy);
        }
    }
}

/* Bytes that have to be kept. */
static uint64_t check(tn_arena *a, const tn_copy *copies, uint32_t n) {
    memory want, got;
    fill(want);
    fill(got);
    tn_copy_order o = tn_parallel_copies(a, copies, n);
    at_once(want, copies, n);
    in_order(got, copies, &o);
    assert_memory_equal(want, got, sizeof want);
    return o.aside;
}

static tn_copy copy(uint64_t from, uint64_t to, uint64_t size) {
    return (tn_copy){{0, from, size}, {0, to, size}};
}

static tn_status known_cases(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_copy chain[] = {copy(0, 8, 8), copy(8, 16, 8), copy(16, 24, 8)};
    assert_int_equal(check(a, chain, 3), 0);
    tn_copy swap[] = {copy(0, 8, 8), copy(8, 0, 8)};
    assert_int_equal(check(a, swap, 2), 16);
    tn_copy round[] = {copy(0, 8, 8), copy(8, 16, 8), copy(16, 0, 8)};
    assert_int_equal(check(a, round, 3), 16);
    /* Ranges that overlap in part, in a circle; the smaller source is kept. */
    tn_copy partly[] = {copy(0, 20, 24), copy(30, 4, 10)};
    assert_int_equal(check(a, partly, 2), 16);
    /* A copy over itself needs nothing. */
    tn_copy onto[] = {copy(0, 4, 16)};
    assert_int_equal(check(a, onto, 1), 0);
    /* What is written without a source waits for those who read there. */
    tn_copy counted[] = {{{0, 0, 0}, {0, 0, 8}}, copy(0, 8, 8)};
    assert_int_equal(check(a, counted, 2), 0);
    return TN_OK;
}

static uint32_t draw(uint32_t *state, uint32_t below) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static bool meets(const tn_copy *copies, uint32_t n, tn_range to) {
    for (uint32_t i = 0; i < n; i++) {
        const tn_range *o = &copies[i].to;
        if (o->space == to.space && o->at < to.at + to.size && to.at < o->at + o->size) {
            return true;
        }
    }
    return false;
}

/* Any sources, targets that do not meet. */
static tn_status random_cases(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint32_t state = 1, circles = 0;
    for (int round = 0; round < 20000; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_copy copies[MOST];
        uint32_t n = 0;
        for (int i = 0; i < MOST; i++) {
            uint32_t size = 1 + draw(&state, 20);
            tn_range to = {draw(&state, SPACES), draw(&state, BYTES - size), size};
            tn_range from = {draw(&state, SPACES), draw(&state, BYTES - size), size};
            from.size = draw(&state, 8) == 0 ? 0 : size;
            if (!meets(copies, n, to)) {
                copies[n++] = (tn_copy){from, to};
            }
        }
        circles += check(a, copies, n) > 0;
        tn_arena_drop(a);
    }
    assert_true(circles > 100);
    return TN_OK;
}

UNIT_TEST(known_cases)
UNIT_TEST(random_cases)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_cases),
                                       cmocka_unit_test(test_random_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
