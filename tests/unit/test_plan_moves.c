/* What plans say that ops with nested graphs copy. */
#include "ir/plan/plan_names.h"
#include "tests/unit/plan_case.h"

#define PLAIN "infer-shapes,schedule,pin,reuse{level=none},insert-frees"
#define ALL                                                                                        \
    "infer-shapes,schedule,pin,alias-views{kinds=all},inplace{kinds=all},reuse{level=1},"          \
    "insert-frees"

/* The moves of the one op with bodies, a line each: when, what, names, then "of body 1", "along 1"
 * and "reversed" where it is so. */
typedef struct moves_case {
    const char *head, *body, *want;
} moves_case;

static const char *name_of(const tn_plan *p, uint32_t value) {
    return value != TN_NO_ID ? p->values[value].name : "-";
}

static const char *moves_of(const tn_plan *p) {
    tn_sink out = tn_sink_make(p->arena);
    tn_put(&out, "");
    for (uint32_t i = 0; i < p->n_steps; i++) {
        const tn_plan_step *s = &p->steps[i];
        assert_true(s->kind == TN_STEP_BEGIN || s->n_moves == 0);
        for (uint32_t k = 0; k < s->n_moves; k++) {
            const tn_plan_move *m = &s->moves[k];
            tn_putf(&out, "%s %s %s %s", tn_move_when_names[m->when], tn_move_kind_names[m->kind],
                    name_of(p, m->from), name_of(p, m->to));
            if (m->body > 0) {
                tn_putf(&out, " of body %u", m->body);
            }
            if (m->axis != 0) {
                tn_putf(&out, " along %lld", (long long)m->axis);
            }
            tn_put(&out, m->reverse ? " reversed\n" : "\n");
        }
    }
    return out.data != NULL ? out.data : "";
}

static const moves_case moves_cases[] = {
    /* The states change places: at once, or one of them is lost. */
    {"",
     "input %x: f32[4] input %z: f32[4] input %n: i64[] input %go: bool[] "
     "%p, %q = Loop(%n, %go, %x, %z) {body = region 0} "
     "graph \"body\" { input %i: i64[] input %c: bool[] input %s: f32[4] input %t: f32[4] "
     "return %c, %t, %s } return %p, %q",
     "iteration count - i\n"
     "begin copy go c\n"
     "next copy c c\n"
     "begin copy x s\n"
     "next copy t s\n"
     "end copy t p\n"
     "none copy s p\n"
     "begin copy z t\n"
     "next copy s t\n"
     "end copy s q\n"
     "none copy t q\n"},
    /* Without a condition it is true; results that nobody wants are not filled. */
    {"",
     "input %x: f32[4] const %n: i64[] = tensor(8 bytes, ints [0]) "
     "_, %rows = Loop(%n, _, %x) {body = region 0} "
     "graph \"body\" { input %i: i64[] input %c: bool[] input %s: f32[4] "
     "%u = Relu(%s) %v = Exp(%s) return %c, %u, %v } return %rows",
     "iteration count - i\n"
     "begin true - c\n"
     "next copy c c\n"
     "begin copy x s\n"
     "next copy u s\n"
     "after stack v rows\n"},
    {"",
     "input %x: f32[4] input %a: f32[5,4] input %b: f32[4,5] "
     "%z, %u, %v = Scan(%x, %a, %b) {body = region 0, num_scan_inputs = 2, scan_input_axes = [0, "
     "-1], scan_input_directions = [1, 0], scan_output_axes = [-1, 0], scan_output_directions = "
     "[0, 1]} "
     "graph \"body\" { input %s: f32[4] input %f: f32[4] input %g: f32[4] "
     "%t = Add(%s, %f) %h = Relu(%g) %k = Relu(%t) return %t, %h, %k } return %z, %u, %v",
     "iteration slice a f reversed\n"
     "iteration slice b g along 1\n"
     "begin copy x s\n"
     "next copy t s\n"
     "end copy t z\n"
     "none copy s z\n"
     "after stack h u along 1\n"
     "after stack k v reversed\n"},
    /* Version 8 runs over a batch: its row does not say how, so nobody may rely on moves. */
    {"",
     "input %x: f32[2,4] input %a: f32[2,5,4] "
     "%z, %u = Scan@8(_, %x, %a) {body = region 0, num_scan_inputs = 1} "
     "graph \"body\" { input %s: f32[4] input %f: f32[4] %t = Add(%s, %f) %k = Relu(%t) "
     "return %t, %k } return %z, %u",
     ""},
    /* Nobody knows from the front which axis that is, so no plan says it. */
    {"",
     "input %x: f32[4] input %a: f32[*] "
     "%z = Scan(%x, %a) {body = region 0, num_scan_inputs = 1, scan_input_axes = [-1]} "
     "graph \"body\" { input %s: f32[4] input %f: f32[4] %t = Add(%s, %f) return %t } return %z",
     ""},
    {"",
     "input %x: f32[4] input %go: bool[] "
     "%p, _, %q = If(%go) {else_branch = region 0, then_branch = region 1} "
     "graph \"else\" { %a = Relu(%x) %b = Exp(%x) %c = Exp(%x) return %a, %b, %c } "
     "graph \"then\" { %d = Tanh(%x) return %d, %x, %x } return %p, %q",
     "end copy a p\n"
     "end copy c q\n"
     "end copy d p of body 1\n"
     "end copy x q of body 1\n"},
    {"opset \"fn\" 1",
     "input %x: f32[4] %y, _ = fn::F@1(%x, _) "
     "graph \"F\" { input %a: f32[4] input %b: f32[4] %c = Relu(%a) %d = Exp(%a) return %c, %d } "
     "return %y",
     "begin copy x a\n"
     "end copy c y\n"},
};

static tn_status moves(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const passes[] = {PLAIN, ALL};
    for (size_t i = 0; i < sizeof moves_cases / sizeof moves_cases[0]; i++) {
        for (size_t k = 0; k < 2; k++) {
            tn_module *m = case_parse(ctx, moves_cases[i].head, moves_cases[i].body);
            plan_case c = case_run(m, passes[k], NULL);
            assert_int_equal(c.status, TN_OK);
            if (strcmp(moves_of(c.p), moves_cases[i].want) != 0) {
                fail_msg("%s\n%s", moves_cases[i].body, moves_of(c.p));
            }
        }
    }
    return TN_OK;
}

/* Bodies name the attribute that holds them, their graph, arguments and outputs. */
static tn_status bodies(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        case_plan(ctx,
                  "input %x: f32[4] input %go: bool[] "
                  "%y = If(%go) @\"pick\" {else_branch = region 0, then_branch = region 1} "
                  "graph \"else\" { %a = Relu(%x) return %a } "
                  "graph \"then\" { return %x } return %y",
                  PLAIN);
    const tn_plan_step *s = &c.p->steps[0];
    assert_int_equal(s->n_bodies, 2);
    assert_string_equal(s->bodies[0].attribute, "else_branch");
    assert_string_equal(s->bodies[0].graph, "pick/else");
    assert_string_equal(s->bodies[1].attribute, "then_branch");
    assert_string_equal(s->bodies[1].graph, "pick/then");
    assert_int_equal(s->bodies[1].inputs.len, 0);
    assert_int_equal(s->bodies[1].outputs.len, 1);
    assert_string_equal(c.p->values[s->bodies[1].outputs.data[0]].name, "x");
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(moves), CASE(bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
