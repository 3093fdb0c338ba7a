/* Nests made by hand: places that only a guard keeps inside, rows that are one element short, loads
 * of one operand in several places. */
#include "ir/compute/nest_fuse.h"
#include "ir/compute/nest_places.h"
#include "tests/unit/unit.h"

enum { ROWS = 4, COLUMNS = 50 };

/* A nest of ROWS x COLUMNS elements, stored row by row. */
static tn_nest matrix(tn_affine *place) {
    tn_nest n = {.n_outer = 2};
    tn_nest_axis(&n, ROWS);
    tn_nest_axis(&n, COLUMNS);
    n.store = (tn_affine){.by = {COLUMNS, 1}};
    *place = n.store;
    return n;
}

/* A window of three over `n` elements reads one before the first and one behind the last; what
 * makes them may stand there if the guard leaves out just these. */
static void splits(tn_arena *a, int64_t end, bool all) {
    tn_nest window = {.n_outer = 1, .n_stages = 1}, made = {.n_outer = 1, .store = {.by = {1}}};
    tn_affine index[TN_NEST_AXES], at = {.base = -1, .by = {1, 1}};
    tn_nest_axis(&made, 6);
    tn_nest_axis(&window, 6);
    tn_nest_axis(&window, 3);
    window.stage[0] = (tn_nest_stage){.depth = 1,
                                      .first = 1,
                                      .n = 1,
                                      .body = tn_calc_load(a, 0, &at),
                                      .guards = {{at, end}},
                                      .n_guards = 1};
    assert_int_equal(tn_nest_split(&made, &window, &window.stage[0], &at, index), all);
}

static tn_status guards(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    splits(a, 6, true);
    splits(a, 5, true);
    splits(a, 7, false); /* lets in the element behind the last one */
    return TN_OK;
}
UNIT_TEST(guards)

/* The largest element of each row, of which that at `base` is the first. */
static tn_nest_over over_of_rows(tn_arena *a, int64_t base) {
    tn_affine at;
    tn_nest n = matrix(&at);
    uint32_t k = tn_nest_axis(&n, COLUMNS);
    at = (tn_affine){.base = base, .by = {COLUMNS}};
    at.by[k] = 1;
    n.stage[n.n_stages++] = (tn_nest_stage){
        .depth = 1, .first = k, .n = 1, .combine = TN_COMBINE_MAX, .body = tn_calc_load(a, 0, &at)};
    n.value = tn_calc_local(a, 0);
    return tn_nest_may_lie_over(&n, 0);
}

static tn_status rows(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    assert_int_equal(over_of_rows(a, 0), TN_OVER_ROWS);
    assert_int_equal(over_of_rows(a, 1), TN_OVER_NOT); /* and the first one of the next row */
    assert_int_equal(over_of_rows(a, -1), TN_OVER_NOT);
    return TN_OK;
}
UNIT_TEST(rows)

/* Of x + x at another place, where x is an exponential: whether both can be one that is made once.
 */
static bool is_shared(tn_arena *a, const tn_affine *other, uint32_t n_stages) {
    tn_affine at;
    tn_nest into = matrix(&at), from = into;
    into.value =
        tn_calc_make(a, TN_CALC_ADD, tn_calc_load(a, 0, &at), tn_calc_load(a, 0, other), NULL);
    from.value = tn_calc_make(a, TN_CALC_EXP, tn_calc_load(a, 1, &at), NULL, NULL);
    bool put = tn_nest_put_inside(a, &into, 0, &from);
    assert_true(!put || into.n_stages == n_stages);
    return put;
}

static tn_status shared(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_affine same, upside_down = {.base = COLUMNS * (ROWS - 1), .by = {-COLUMNS, 1}},
                    mirrored = {.base = COLUMNS - 1, .by = {COLUMNS, -1}};
    (void)matrix(&same);
    assert_true(is_shared(a, &same, 1));
    assert_false(is_shared(a, &upside_down, 0));
    assert_false(is_shared(a, &mirrored, 0));
    return TN_OK;
}
UNIT_TEST(shared)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guards), cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
