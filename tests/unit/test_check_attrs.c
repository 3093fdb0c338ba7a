/* The checker on attributes of steps. */
#include <math.h>

#include "tests/unit/spoil.h"

static tn_attr *attr(tn_plan *p, const char *step, const char *name) {
    tn_plan_step *s = spoil_step(p, step);
    tn_attr *all = tn_arena_regrow(p->arena, s->attrs, s->n_attrs, s->n_attrs, sizeof *all);
    s->attrs = all;
    for (uint32_t i = 0; i < s->n_attrs; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    fail_msg("no attribute '%s'", name);
    return NULL;
}

static tn_tensor *tensor(tn_plan *p, const char *name) {
    tn_attr *a = attr(p, "own", name);
    tn_tensor *t = tn_arena_regrow(p->arena, a->u.t, 1, 1, sizeof *t);
    a->u.t = t;
    return t;
}

static void integer(tn_plan *p) {
    attr(p, "own", "int")->u.i++;
}
static void real(tn_plan *p) {
    attr(p, "own", "real")->u.f = 0.25;
}
static void negative_zero(tn_plan *p) {
    attr(p, "own", "zero")->u.f = -0.0;
}
static void string(tn_plan *p) {
    attr(p, "own", "string")->u.s.len--;
}
static void ints(tn_plan *p) {
    static const int64_t other[] = {1, 3};
    attr(p, "own", "ints")->u.ints = other;
}
static void fewer_ints(tn_plan *p) {
    attr(p, "own", "ints")->n--;
}
static void reals(tn_plan *p) {
    static const double other[] = {(double)NAN, (double)NAN};
    attr(p, "own", "reals")->u.floats = other;
}
static void strings(tn_plan *p) {
    static const tn_string other[] = {{"a", 1}, {"c", 1}};
    attr(p, "own", "strings")->u.strings = other;
}
static void fewer_strings(tn_plan *p) {
    attr(p, "own", "strings")->n--;
}
static void kind(tn_plan *p) {
    attr(p, "own", "int")->kind = TN_ATTR_FLOAT;
}
static void tensor_elements(tn_plan *p) {
    static const int64_t other[] = {1, 3};
    tensor(p, "table")->ints = other;
}
static void tensor_dims(tn_plan *p) {
    static const int64_t other[] = {3};
    tensor(p, "table")->dims = other;
}
static void tensor_dtype(tn_plan *p) {
    tensor(p, "table")->dtype = TN_DT_INT32;
}
static void tensor_reals(tn_plan *p) {
    static const double other[] = {2};
    tensor(p, "weights")->floats = other;
}
static void tensor_unknown(tn_plan *p) {
    tensor(p, "weights")->floats = NULL;
}
static void lost_attribute(tn_plan *p) {
    spoil_step(p, "own")->n_attrs--;
}
static void attribute_more(tn_plan *p) {
    tn_plan_step *s = spoil_step(p, "sub");
    tn_attr *a = TN_NEW(p->arena, tn_attr);
    *a = (tn_attr){.name = "more", .kind = TN_ATTR_INT};
    s->attrs = a;
    s->n_attrs = 1;
}
static void axis(tn_plan *p) {
    attr(p, "cat", "axis")->u.i = -2; /* as in the file, but a plan has it from the front */
}

static void nan_of_other_bits(tn_plan *p) {
    static double other[] = {1, 0};
    other[1] = copysign((double)NAN, -1);
    attr(p, "own", "reals")->u.floats = other;
}

static const char net[] =
    "input %in: f32[8,8] %c = Concat(%in, %in) @\"cat\" {axis = -2} "
    "%o: f32[16,8], _ = acme::Own@1(%c, %in) @\"own\" {int = 3, real = 0.5, zero = 0.0, string = "
    "\"mode\", ints = [1, 2], reals = floats [1.0, nan(0x7ff8000000000000)], strings = strings "
    "[\"a\", \"b\"], table = tensor(i64[2], 16 bytes, ints [1, 2]), weights = tensor(f32[1], 4 "
    "bytes, floats [1.0])} %d = Sub(%o, %c) @\"sub\" return %d";

#define SPOIL(fn, text)                                                                            \
    { #fn, net, ALL, fn, text }
#define ATTRIBUTE(fn, name)                                                                        \
    SPOIL(fn, "step 1 (Own 'own'): attribute '" name "' is not that of the model, resolved")

static const spoil spoils[] = {
    ATTRIBUTE(integer, "int"),
    ATTRIBUTE(real, "real"),
    ATTRIBUTE(negative_zero, "zero"),
    ATTRIBUTE(string, "string"),
    ATTRIBUTE(ints, "ints"),
    ATTRIBUTE(fewer_ints, "ints"),
    ATTRIBUTE(reals, "reals"),
    ATTRIBUTE(strings, "strings"),
    ATTRIBUTE(fewer_strings, "strings"),
    ATTRIBUTE(kind, "int"),
    ATTRIBUTE(tensor_elements, "table"),
    ATTRIBUTE(tensor_dims, "table"),
    ATTRIBUTE(tensor_dtype, "table"),
    ATTRIBUTE(tensor_reals, "weights"),
    ATTRIBUTE(tensor_unknown, "weights"),
    ATTRIBUTE(lost_attribute, "zero"),
    SPOIL(nan_of_other_bits, NULL),
    SPOIL(attribute_more,
          "step 2 (Sub 'sub'): attribute 'more' is not that of the model, resolved"),
    SPOIL(axis, "step 0 (Concat 'cat'): attribute 'axis' is not that of the model, resolved"),
};

static tn_status catches(tn_ctx *ctx, void *arg) {
    (void)arg;
    spoil_all(ctx, spoils, sizeof spoils / sizeof spoils[0]);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(catches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
