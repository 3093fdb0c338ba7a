/* Facts that planner and checker share: where parts lie, what loops carry, equal extents. */
#include "ir/ops/claims.h"
#include "ir/ops/part.h"
#include "tests/unit/plan_case.h"

#define INTS(name, n, ...) "const %" name ": i64[" #n "] = tensor(8 bytes, ints [" __VA_ARGS__ "]) "

/* The last op of the body, and the part its view i is: extents and start, along two axes. */
typedef struct part_case {
    const char *body;
    uint32_t i;
    bool known;
    int64_t extent[2], start[2];
} part_case;

#define X "input %x: f32[4,6] input %y: f32[4,2] "
static const part_case parts[] = {
    {X INTS("a", 1, "-3") INTS("b", 1, "9") "%r: f32[3,6] = Slice(%x, %a, %b)",
     0,
     true,
     {3, 6},
     {1, 0}},
    {X INTS("a", 1, "1") INTS("b", 1, "9")
         INTS("c", 1, "-1") "%r: f32[4,5] = Slice(%x, %a, %b, %c)",
     0,
     true,
     {4, 5},
     {0, 1}},
    {X "%r: f32[4,2] = Slice@9(%x) {starts = [2], ends = [4], axes = [1]}",
     0,
     true,
     {4, 2},
     {0, 2}},
    {X INTS("a", 1, "0") INTS("b", 1, "4") INTS("c", 1, "0")
         INTS("d", 1, "2") "%r: f32[2,6] = Slice(%x, %a, %b, %c, %d)",
     0,
     false,
     {0},
     {0}},
    {X "input %a: i64[1] %r: f32[2,6] = Slice(%x, %a, %a)", 0, false, {0}, {0}},
    {X INTS("a", 2, "-2, -1") "%r: f32[2,6] = Gather(%x, %a)", 0, true, {2, 6}, {2, 0}},
    {X INTS("a", 2, "0, 2") "%r: f32[2,6] = Gather(%x, %a)", 0, false, {0}, {0}},
    {X INTS("a", 1, "7") "%r: f32[1,6] = Gather(%x, %a)", 0, false, {0}, {0}},
    {X "%p: f32[1,6], %r: f32[3,6] = Split(%x)", 1, true, {3, 6}, {1, 0}},
    {X "%p: f32[2,6], %r: f32[3,6] = Split(%x)", 1, false, {0}, {0}}, /* a row too long */
    {X "%r: f32[4,8] = Concat(%x, %y) {axis = -1}", 1, true, {4, 2}, {0, 6}},
    {X "%r: f32[4,8] = Concat(%x, %y)", 1, false, {0}, {0}},
    {X INTS("a", 4, "0, 1, 0, 0") "%r: f32[4,7] = Pad(%x, %a)", 0, true, {4, 6}, {0, 1}},
    {X INTS("a", 4, "0, -1, 0, 2") "%r: f32[4,7] = Pad(%x, %a)", 0, false, {0}, {0}},
    {"input %x: f32[1,6] %r: f32[6,1] = Transpose(%x)", 0, true, {1, 6}, {0, 0}},
    {X "%r: f32[6,4] = Transpose(%x)", 0, false, {0}, {0}},
    {X "%r: f32[4,6] = Relu(%x)", 0, false, {0}, {0}},
};

static tn_status found_parts(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        tn_module *m = case_parse(ctx, "", tn_internf(ctx, "%s return %%r", parts[i].body));
        tn_part p;
        bool known = tn_op_part(m->main->last, parts[i].i, &p);
        if (known != parts[i].known ||
            (known && (memcmp(p.extent, parts[i].extent, sizeof parts[i].extent) != 0 ||
                       memcmp(p.start, parts[i].start, sizeof parts[i].start) != 0))) {
            fail_msg("%s: another part", parts[i].body);
        }
    }
    return TN_OK;
}

/* The last op of the body, one of its pieces, and where that begins as text; NULL: it is none. */
static const struct {
    const char *body;
    uint32_t i;
    const char *offset;
} pieces[] = {
    {"input %x: f32[n,6] input %y: f32[m,6] %r: f32[n + m,6] = Concat(%x, %y) {axis = 0}", 1,
     "n*24"},
    {"input %x: f32[n,6] input %y: f32[m,6] %r: f32[n + m,6] = Concat(%x, %y) {axis = 0}", 0, "0"},
    {"input %x: f32[1,n] input %y: f32[1,m] %r: f32[1,n + m] = Concat(%x, %y) {axis = -1}", 1,
     "n*4"},
    {"input %x: f32[n,6] input %y: f32[n,m] %r: f32[n,m + 6] = Concat(%x, %y) {axis = 1}", 1, "24"},
    {"input %x: f32[n,6] input %y: f32[m,6] %r: f32[k,6] = Concat(%x, %y) {axis = 0}", 1, NULL},
    {"input %x: f32[n,6] input %y: f32[m,k] %r: f32[n + m,6] = Concat(%x, %y) {axis = 0}", 1, NULL},
    {"input %x: f32[n,6] input %y: f32[m,6] %r: f32[n + m,6] = Concat(%x, %y)", 1, NULL},
    {"input %x: i4[n,6] input %y: i4[m,6] %r: i4[n + m,6] = Concat(%x, %y) {axis = 0}", 1, NULL},
    {"input %x: f32[n,6] %p: f32[4,6], %r: f32[n - 4,6] = Split(%x) {axis = 0}", 1, NULL},
    {"input %x: f32[n,6] %r: f32[n,6] = Relu(%x)", 0, NULL},
};

static tn_status found_pieces(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        tn_module *m = case_parse(ctx, "", tn_internf(ctx, "%s return %%r", pieces[i].body));
        tn_piece p;
        bool found = tn_op_piece(m->main->last, pieces[i].i, &p);
        tn_sink text = tn_sink_make(m->arena);
        if (found) {
            tn_dim_print(m->dims, p.offset, &text);
        }
        if (found != (pieces[i].offset != NULL) ||
            (found && strcmp(text.data, pieces[i].offset) != 0)) {
            fail_msg("%s: %s", pieces[i].body, found ? text.data : "no piece");
        }
    }
    return TN_OK;
}

static tn_status own_bytes(tn_ctx *ctx, void *arg) {
    (void)ctx, (void)arg;
    tn_part p = {.rank = 2, .whole = {4, 6}, .extent = {1, 6}};
    assert_true(tn_part_has_own_bytes(&p, 32));
    assert_true(tn_part_has_own_bytes(&p, 4));
    p.extent[1] = 3;
    assert_false(tn_part_has_own_bytes(&p, 4)); /* 12 bits of more */
    p.whole[0] = 1, p.whole[1] = 3;
    assert_true(tn_part_has_own_bytes(&p, 4)); /* nothing is behind the whole */
    p.extent[0] = INT64_MAX;
    assert_false(tn_part_has_own_bytes(&p, 32));
    return TN_OK;
}

static tn_status states(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const struct {
        const char *op;
        tn_states want;
    } cases[] = {
        {"%r = Loop(%x, %x, %x, %x)", {2, 2, 1}},
        {"%r = Loop(%x)", {0, 2, 1}},
        {"%r = Scan(%x, %x, %x) {num_scan_inputs = 1}", {2, 0, 0}},
        {"%r = Scan@8(%x, %x, %x) {num_scan_inputs = 1}", {0, 0, 0}},
        {"%r = Scan(%x, %x) {num_scan_inputs = 3}", {0, 0, 0}},
        {"%r = Scan(%x, %x)", {0, 0, 0}},
        {"%r = com.example::Loop@1(%x, %x, %x)", {0, 0, 0}},
        {"%r = If(%x)", {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_module *m =
            case_parse(ctx, "", tn_internf(ctx, "input %%x: f32[] %s return %%r", cases[i].op));
        tn_states s = tn_op_states(m->main->last);
        if (memcmp(&s, &cases[i].want, sizeof s) != 0) {
            fail_msg("%s carries %u from %u and %u", cases[i].op, s.n, s.operand, s.output);
        }
        assert_false(tn_is_loop(m->main->last));
    }
    return TN_OK;
}

static tn_status extents(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m =
        case_parse(ctx, "",
                   "input %a: f32[2,n] input %b: i8[2,n] input %c: f32[n,2]"
                   " input %d: f32[2,n,1] input %e: f32[*] input %f: f32[2,?] return %a");
    const bool same[] = {true, true, false, false, false, false};
    for (uint32_t i = 0; i < 6; i++) {
        const tn_type *a = m->main->inputs[0]->type, *b = m->main->inputs[i]->type;
        assert_int_equal(tn_type_same_extents(a, b), same[i]);
        assert_int_equal(tn_type_same_extents(b, b), i < 4);
    }
    return TN_OK;
}

UNIT_TEST(found_parts)
UNIT_TEST(found_pieces)
UNIT_TEST(own_bytes)
UNIT_TEST(states)
UNIT_TEST(extents)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found_parts), cmocka_unit_test(test_found_pieces),
        cmocka_unit_test(test_own_bytes), cmocka_unit_test(test_states),
        cmocka_unit_test(test_extents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
