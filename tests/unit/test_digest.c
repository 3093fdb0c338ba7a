/* What the digest of a plan covers: pairs of graphs that differ in one thing, which a plan depends
 * on or not. tests/plans/retrained.py does the same with ONNX files. */
#include "tests/unit/plan_case.h"

typedef struct pair {
    const char *what;
    const char *frame; /* a graph's body, with a $ where the two differ ... */
    const char *one, *other;
    bool same;
} pair;

/* A scale that shapes follow from: Shape, Cast, Mul, Floor, Cast. */
#define SCALED                                                                                     \
    "input %x: f32[8,4] const %k: f32[] = tensor(4 bytes, floats [$])"                             \
    " %s = Shape(%x) %f = Cast(%s) {to = 1} %m = Mul(%f, %k) %g = Floor(%m)"                       \
    " %i = Cast(%g) {to = 7}"

#define LOOP                                                                                       \
    "input %x: f32[8] const %n: i64[] = tensor(8 bytes, ints [$])"                                 \
    " %last, %rows = Loop(%n, _, %x) {body = region 0}"                                            \
    " graph \"body\" { input %i: i64[] input %go: bool[] input %s: f32[8] %t = Exp(%s)"            \
    " return %go, %t, %t } return %last, %rows"

/* The end of a loop is shown by what its body says. */
#define WHILE                                                                                      \
    "input %x: f32[8] const %n: i64[] = tensor(8 bytes, ints [3])"                                 \
    " %last, %rows = Loop(%n, _, %x) {body = region 0}"                                            \
    " graph \"body\" { input %i: i64[] input %go: bool[] input %s: f32[8]"                         \
    " const %on: bool[] = tensor(1 bytes, ints [$]) %t = Exp(%s)"                                  \
    " return %on, %t, %t } return %last, %rows"

#define CHOICE                                                                                     \
    "input %x: f32[8] const %c: bool[] = tensor(1 bytes, ints [$])"                                \
    " %y = If(%c) {then_branch = region 0, else_branch = region 1}"                                \
    " graph \"then\" { %t: f32[8] = Exp(%x) return %t }"                                           \
    " graph \"else\" { %e: f32[1] = ReduceSum(%x) return %e } return %y"

/* A called function that takes a shape, and one that makes it. */
#define CALLED                                                                                     \
    "input %x: f32[8] const %to: i64[2] = tensor(16 bytes, ints [$])"                              \
    " %y = fn::To@1(%x, %to) graph \"To\" { input %v input %shape"                                 \
    " %r = Reshape(%v, %shape) return %r } %z = Exp(%y) return %z"
#define CALLED_FOR                                                                                 \
    "input %x: f32[8] %to = fn::Shape@1() graph \"Shape\" {"                                       \
    " const %c: i64[2] = tensor(16 bytes, ints [$]) %i = Identity(%c) return %i }"                 \
    " %y = Reshape(%x, %to) %z = Exp(%y) return %z"

#define INSERTED                                                                                   \
    "input %x: f32[2] input %y: f32[3] const %at: i64[] = tensor(8 bytes, ints [$])"               \
    " const %first: i64[] = tensor(8 bytes, ints [0])"                                             \
    " %s = SequenceConstruct(%x, %y) %t = SequenceInsert(%s, %x, %at)"                             \
    " %e = SequenceAt(%t, %first) %z = Exp(%e) return %z"

#define WEIGHT                                                                                     \
    "input %x: f32[2] const %w: f32[2] = tensor(8 bytes, floats [$])"                              \
    " %y = Add(%w, %x) %z = Mul(%w, %w) %v = Div(%y, %z) return %v"
#define HELD "input %x: f32[2] %w = Constant() {$} %y = Add(%w, %x) %z = Exp(%y) return %z"
#define AXIS                                                                                       \
    "input %x: f32[2,3] %a = Constant() {value_ints = [$]}"                                        \
    " %y = ReduceSum(%x, %a) %z = Exp(%y) return %z"

static const pair pairs[] = {
    {"weights", WEIGHT, "1, 2", "3, 4", true},
    {"a Constant node's floats", HELD, "value_floats = floats [1.0, 2.0]",
     "value_floats = floats [3.0, 4.0]", true},
    {"a Constant node's tensor", HELD, "value = tensor(f32[2], 8 bytes, floats [1, 2])",
     "value = tensor(f32[2], 8 bytes, floats [3, 4])", true},
    {"a Constant node's form", HELD, "value_floats = floats [1.0, 2.0]",
     "value = tensor(f32[2], 8 bytes, floats [1, 2])", false},
    {"how many a Constant holds", HELD, "value_floats = floats [1.0, 2.0]",
     "value_floats = floats [1.0]", false},
    {"axes in a Constant node", AXIS, "0", "1", false},
    {"a scale of shapes", SCALED " %y = Expand(%x, %i) %z = Exp(%y) return %z", "1.0", "1.25",
     false},
    {"the same scale as a number", SCALED " %y = Exp(%i) return %y", "1.0", "2.0", true},
    {"trips of a loop", LOOP, "3", "4", false},
    {"whether a loop goes on", WHILE, "1", "0", false},
    {"a condition", CHOICE, "1", "0", false},
    {"a shape given to a function", CALLED, "2, 4", "4, 2", false},
    {"a shape made by a function", CALLED_FOR, "2, 4", "4, 2", false},
    {"where a sequence grows", INSERTED, "0", "1", false},
    {"an attribute", "input %x: f32[2,3] %y = Softmax(%x) {axis = $} return %y", "0", "1", false},
    {"an extent", "input %x: f32[$] %y = Exp(%x) return %y", "2", "3", false},
    {"a symbol", "input %x: f32[$] %y = Exp(%x) return %y", "n", "m", false},
    {"an element type", "input %x: $[2] %y = Exp(%x) return %y", "f32", "f64", false},
    {"a name", "input %x: f32[2] %y = Exp(%x) @\"$\" return %y", "a", "b", false},
    {"a node's position", "input %x: f32[2] %y = Exp(%x) #$ return %y", "1", "2", false},
    {"an output", "input %x: f32[2] %y = Exp(%x) %z = Neg(%y) return %z$", "", ", %y", false},
    {"order of operands", "input %x: f32[2] input %w: f32[2] %y = Sub($) return %y", "%x, %w",
     "%w, %x", false},
    {"a left out operand", "input %x: f32[2] input %w: f32[] %y = Clip(%x, $) return %y", "%w",
     "_, %w", false},
    {"where a Gather begins",
     "input %x: f32[4,2] const %i: i64[] = tensor(8 bytes, ints [$]) %e = Exp(%x)"
     " %y = Gather(%e, %i) %z = Exp(%y) return %z",
     "1", "2", false},
    {"what is looked up",
     "input %i: i64[2] const %w: f32[2,2] = tensor(16 bytes, floats [$])"
     " %y = Gather(%w, %i) return %y",
     "1, 2, 3, 4", "4, 3, 2, 1", true},
};

static const char *fill(tn_arena *a, const char *frame, const char *part) {
    tn_sink out = tn_sink_make(a);
    for (; *frame != '\0'; frame++) {
        if (*frame == '$') {
            tn_put(&out, part);
        } else {
            tn_put_c(&out, *frame);
        }
    }
    return out.data;
}

static const char *digest_of(tn_ctx *ctx, const char *body) {
    plan_case c = case_run(case_parse(ctx, "opset \"fn\" 1", body), "infer-shapes,pin,reuse", NULL);
    assert_int_equal(c.status, TN_OK);
    assert_int_equal(strlen(c.p->digest), 64);
    return c.p->digest;
}

static tn_status covers(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const pair *p = &pairs[i];
        const char *one = digest_of(ctx, fill(a, p->frame, p->one));
        const char *other = digest_of(ctx, fill(a, p->frame, p->other));
        if ((strcmp(one, other) == 0) != p->same) {
            fail_msg("%s: the digests are %s", p->what, p->same ? "different" : "the same");
        }
    }
    return TN_OK;
}

/* Passes may reorder and decide what they like. */
static tn_status is_the_same_for_all_pipelines(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body = "input %x: f32[16] %t: f32[16] = Exp(%x) %a: f32[16] = Neg(%t)"
                       " %b: f32[16] = Exp(%x) %s: f32[4,4] = Reshape(%a, %to)"
                       " %y: f32[16] = Add(%a, %b) return %y, %s";
    const char *text = tn_arena_printf(
        tn_arena_new(ctx), "const %%to: i64[2] = tensor(16 bytes, ints [4, 4]) %s", body);
    static const char *const pipelines[] = {
        "infer-shapes,pin,reuse", "infer-shapes,schedule{order=longest-path},pin,reuse",
        "infer-shapes,infer-shapes,pin,alias-views,inplace,reuse,insert-frees", "O3"};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof pipelines / sizeof pipelines[0]; i++) {
        plan_case c = case_run(case_parse(ctx, "", text), pipelines[i], NULL);
        assert_int_equal(c.status, TN_OK);
        first = first != NULL ? first : c.p->digest;
        assert_string_equal(c.p->digest, first);
    }
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(covers), CASE(is_the_same_for_all_pipelines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
