/* Attributes of single ops, resolved: what ir/ops/op_attrs.h promises, as a table. */
#include "ir/ops/op_attrs.h"

#include "ir/base/sink.h"
#include "ir/text/text.h"
#include "tests/unit/unit.h"

/* The attributes of the last op of `body`, as "name=value" with blanks between: 1 an integer, 1f a
 * float, 'a' a string, (1,2) a list. */
typedef struct attrs_case {
    const char *body, *want;
} attrs_case;

static void put_entry(tn_sink *out, const tn_attr *a, uint32_t i) {
    if (a->kind == TN_ATTR_INTS) {
        tn_putf(out, "%lld", (long long)a->u.ints[i]);
    } else if (a->kind == TN_ATTR_FLOATS) {
        tn_putf(out, "%gf", a->u.floats[i]);
    } else if (a->kind == TN_ATTR_STRINGS) {
        tn_putf(out, "'%s'", a->u.strings[i].data);
    }
}

static void put_one(tn_sink *out, const tn_attr *a) {
    tn_putf(out, out->len > 0 ? " %s=" : "%s=", a->name);
    if (a->kind == TN_ATTR_INT) {
        tn_putf(out, "%lld", (long long)a->u.i);
    } else if (a->kind == TN_ATTR_FLOAT) {
        tn_putf(out, "%gf", a->u.f);
    } else if (a->kind == TN_ATTR_STRING) {
        tn_putf(out, "'%.*s'", (int)a->u.s.len, a->u.s.data);
    } else {
        for (uint32_t i = 0; i < a->n; i++) {
            tn_put(out, i > 0 ? "," : "(");
            put_entry(out, a, i);
        }
        tn_put(out, a->n > 0 ? ")" : "()");
    }
}

static tn_status resolves(tn_ctx *ctx, void *arg) {
    const attrs_case *c = arg;
    tn_arena *scratch = tn_arena_new(ctx);
    const char *text = tn_arena_printf(
        scratch, "tir 1\nopset \"\" 17\nopset \"com.microsoft\" 1\ngraph \"g\" {\n%s\n}\n",
        c->body);
    tn_module *m = tn_module_parse(ctx, "case", text, strlen(text));
    assert_non_null(m);
    const tn_op *last = NULL;
    TN_FOR_OPS(op, m->main) {
        last = op;
    }
    uint32_t n;
    const tn_attr *attrs = tn_op_resolve_attrs(m, last, scratch, &n);
    tn_sink out = tn_sink_make(scratch);
    tn_put(&out, "");
    for (uint32_t i = 0; i < n; i++) {
        put_one(&out, &attrs[i]);
    }
    if (strcmp(out.data != NULL ? out.data : "", c->want) != 0) {
        fail_msg("%s\n  got  %s\n  want %s", c->body, out.data != NULL ? out.data : "", c->want);
    }
    return TN_OK;
}

static void run_cases(const attrs_case *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unit_log log;
        attrs_case c = cases[i];
        tn_ctx *ctx = unit_ctx(&log);
        unit_run(ctx, resolves, &c);
        tn_ctx_free(ctx);
    }
}

#define ATTRS_TEST(name, ...)                                                                      \
    static void test_##name(void **state) {                                                        \
        static const attrs_case cases[] = {__VA_ARGS__};                                           \
        (void)state;                                                                               \
        run_cases(cases, sizeof cases / sizeof cases[0]);                                          \
    }

#define X "input %x: f32[2,3,8,9] "
#define UNRANKED "input %x: f32[*] "

/* Each default is that of the op's version, and what is stated stays. */
ATTRS_TEST(
    defaults, {X "%y = Relu(%x)", ""}, {X "%y = LeakyRelu(%x)", "alpha=0.01f"},
    {X "%y = LeakyRelu(%x) {alpha = 0.5}", "alpha=0.5f"},
    {X "%y = Gemm(%x, %x)", "alpha=1f beta=1f transA=0 transB=0"},
    {X "%y = Gemm@6(%x, %x) {transB = 1}", "alpha=1f beta=1f broadcast=0 transA=0 transB=1"},
    {X "%y = Softmax@11(%x)", "axis=1"}, {X "%y = Softmax@13(%x)", "axis=3"},
    {X "%y = Dropout@6(%x)", "is_test=0 ratio=0.5f"}, {X "%y = Dropout@7(%x)", "ratio=0.5f"},
    {X "%y = Dropout@12(%x)", ""},
    {X "%y = RNN(%x, %x, %x)", "activations=('Tanh','Tanh') direction='forward' layout=0"},
    {X "%y = RNN@7(%x, %x, %x) {activations = strings [\"Relu\"]}",
     "activations=('Relu') direction='forward'"},
    {X "%y = LSTM@7(%x, %x, %x) {activations = strings [], activation_alpha = floats [0.5, 2.0]}",
     "activation_alpha=(0.5f,2f) activations=() direction='forward' input_forget=0"},
    {X "%y = acme::Own@1(%x) {zeta = 1, alpha = -3, axis = -1}", "alpha=-3 axis=-1 zeta=1"})

ATTRS_TEST(axes, {X "%y = Concat(%x, %x) {axis = -1}", "axis=3"},
           {X "%y = Concat(%x, %x) {axis = -5}", "axis=-5"},
           {X "%y = Concat(%x, %x) {axis = 1}", "axis=1"},
           {UNRANKED "%y = Concat(%x, %x) {axis = -1}", "axis=-1"},
           {X "%y = Squeeze@11(%x) {axes = [-4, 1]}", "axes=(0,1)"},
           {X "%y: f32[1,2,3,8,9,1] = Unsqueeze@11(%x) {axes = [-6, -1]}", "axes=(0,5)"},
           {X "%y = Unsqueeze@11(%x) {axes = [-6, -1]}", "axes=(-6,-1)"},
           {X "%y: f32[2,3,8,9,7] = OneHot(%x, %x, %x)", "axis=4"},
           {X "%y: f32[*] = OneHot(%x, %x, %x)", "axis=-1"},
           {X "%y = Transpose(%x)", "perm=(3,2,1,0)"},
           {X "%y = Transpose(%x) {perm = [0, 2, 1, 3]}", "perm=(0,2,1,3)"},
           {UNRANKED "%y = Transpose(%x)", ""}, {"input %x: f32[] %y = Transpose(%x)", "perm=()"})

#define W "input %w: f32[4,3,3,2] "
#define CONV "auto_pad='NOTSET' dilations=(1,1) group=1 kernel_shape=(3,2) "

/* x is 8 high and 9 wide. */
ATTRS_TEST(
    windows, {X W "%y = Conv(%x, %w)", CONV "pads=(0,0,0,0) strides=(1,1)"},
    {X W "%y = Conv(%x, %w) {auto_pad = \"VALID\", pads = [1, 1, 1, 1]}",
     CONV "pads=(0,0,0,0) strides=(1,1)"},
    {X W "%y = Conv(%x, %w) {auto_pad = \"SAME_UPPER\"}", CONV "pads=(1,0,1,1) strides=(1,1)"},
    {X W "%y = Conv(%x, %w) {auto_pad = \"SAME_LOWER\"}", CONV "pads=(1,1,1,0) strides=(1,1)"},
    {X W "%y = Conv(%x, %w) {auto_pad = \"SAME_UPPER\", strides = [2, 4]}",
     CONV "pads=(0,0,1,1) strides=(2,4)"},
    {X W "%y = Conv(%x, %w) {auto_pad = \"SAME_LOWER\", dilations = [2, 3]}",
     "auto_pad='NOTSET' dilations=(2,3) group=1 kernel_shape=(3,2) pads=(2,2,2,1) strides=(1,1)"},
    {X W "%y = Conv(%x, %w) {strides = [9, 9], auto_pad = \"SAME_UPPER\"}",
     CONV "pads=(0,0,0,0) strides=(9,9)"},
    {X W "%y = Conv(%x, %w) {pads = [1, 2, 3, 4], group = 3}",
     "auto_pad='NOTSET' dilations=(1,1) group=3 kernel_shape=(3,2) pads=(1,2,3,4) strides=(1,1)"},
    {X "%y = MaxPool(%x) {kernel_shape = [2, 2]}",
     "auto_pad='NOTSET' ceil_mode=0 dilations=(1,1) kernel_shape=(2,2) pads=(0,0,0,0) "
     "storage_order=0 strides=(1,1)"},
    {X "%y = MaxPool@1(%x) {kernel_shape = [2, 2]}",
     "auto_pad='NOTSET' kernel_shape=(2,2) pads=(0,0,0,0) strides=(1,1)"},
    {X "%y = AveragePool@7(%x) {kernel_shape = [3, 3], auto_pad = \"SAME_LOWER\"}",
     "auto_pad='NOTSET' count_include_pad=0 kernel_shape=(3,3) pads=(1,1,1,1) strides=(1,1)"},
    {"input %x: f32[2,3,n,9] " W "%y = Conv(%x, %w) {auto_pad = \"SAME_UPPER\"}",
     "auto_pad='SAME_UPPER' dilations=(1,1) group=1 kernel_shape=(3,2) strides=(1,1)"},
    {"input %x: f32[2,3,n,9] " W "%y = Conv(%x, %w)", CONV "pads=(0,0,0,0) strides=(1,1)"},
    {X "input %w: f32[*] %y = Conv(%x, %w)", "auto_pad='NOTSET' group=1"},
    {X "input %w: f32[4,3,k,2] %y = Conv(%x, %w)",
     "auto_pad='NOTSET' dilations=(1,1) group=1 pads=(0,0,0,0) strides=(1,1)"},
    {X W "%y = Conv(%x, %w) {auto_pad = \"SAME_UPPER\", strides = [0, 1]}",
     "auto_pad='SAME_UPPER' dilations=(1,1) group=1 kernel_shape=(3,2) strides=(0,1)"})

#define DECONV_W "input %w: f32[3,4,3,2] "
#define DECONV "auto_pad='NOTSET' dilations=(1,1) group=1 kernel_shape=(3,2) "

/* Without pads a transposed window of stride 2 makes 17 by 18 of 8 by 9. */
ATTRS_TEST(transposed_windows,
           {X DECONV_W "%y = ConvTranspose(%x, %w) {strides = [2, 2], output_shape = [15, 16]}",
            DECONV "output_shape=(15,16) pads=(1,1,1,1) strides=(2,2)"},
           {X DECONV_W
            "%y = ConvTranspose(%x, %w) {strides = [2, 2], output_shape = [2, 4, 14, 17]}",
            DECONV "output_shape=(2,4,14,17) pads=(2,1,1,0) strides=(2,2)"},
           {X DECONV_W
            "%y = ConvTranspose(%x, %w) {strides = [2, 2], output_shape = [14, 17], auto_pad = "
            "\"SAME_UPPER\"}",
            DECONV "output_shape=(14,17) pads=(1,0,2,1) strides=(2,2)"},
           {X DECONV_W "%y = ConvTranspose(%x, %w) {strides = [2, 2], output_shape = [20, 20]}",
            DECONV "output_shape=(20,20) pads=(0,0,0,0) strides=(2,2)"},
           {X DECONV_W "%y = ConvTranspose(%x, %w) {strides = [2, 2], output_padding = [1, 1], "
                       "output_shape = [15, 16]}",
            DECONV "output_padding=(1,1) output_shape=(15,16) pads=(2,2,1,1) strides=(2,2)"},
           {X DECONV_W "%y = ConvTranspose(%x, %w) {strides = [2, 2], auto_pad = \"SAME_UPPER\"}",
            DECONV "pads=(0,0,1,0) strides=(2,2)"},
           {X DECONV_W "%y = ConvTranspose(%x, %w) {strides = [2, 2], auto_pad = \"SAME_LOWER\"}",
            DECONV "pads=(1,0,0,0) strides=(2,2)"},
           {X DECONV_W "%y = ConvTranspose(%x, %w) {strides = [2, 2], auto_pad = \"VALID\"}",
            DECONV "pads=(0,0,0,0) strides=(2,2)"})

/* Where the image lies otherwise nothing is derived from its extents. */
ATTRS_TEST(windows_elsewhere,
           {X W "%y = com.microsoft::FusedConv(%x, %w) {auto_pad = \"SAME_UPPER\", kernel_shape = "
                "[3, 2]}",
            "auto_pad='SAME_UPPER' dilations=(1,1) group=1 kernel_shape=(3,2) strides=(1,1)"},
           {X W "%y = com.microsoft::FusedConv(%x, %w)", "auto_pad='NOTSET' group=1"})

#define SCANNED "input %s: f32[4] input %a: f32[5,4] input %b: f32[4,5] "
#define BODY                                                                                       \
    "graph \"body\" { input %t: f32[4] input %p: f32[4] input %q: f32[4] return %t, %p, %q }"

ATTRS_TEST(
    scans,
    {SCANNED "%z, %u: f32[5,4], %v: f32[4,5] = Scan(%s, %a, %b) {body = region 0, num_scan_inputs "
             "= 2} " BODY,
     "num_scan_inputs=2 scan_input_axes=(0,0) scan_input_directions=(0,0) scan_output_axes=(0,0) "
     "scan_output_directions=(0,0)"},
    {SCANNED "%z, %u: f32[5,4], %v: f32[4,5] = Scan(%s, %a, %b) {body = region 0, num_scan_inputs "
             "= 2, scan_input_axes = [-2, -1], scan_output_axes = [0, -1], scan_input_directions = "
             "[0, 1], scan_output_directions = [1, 0]} " BODY,
     "num_scan_inputs=2 scan_input_axes=(0,1) scan_input_directions=(0,1) scan_output_axes=(0,1) "
     "scan_output_directions=(1,0)"},
    {SCANNED "%z, %u, %v = Scan(%s, %a, %b) {body = region 0, num_scan_inputs = 2, "
             "scan_output_axes = [0, -1]} " BODY,
     "num_scan_inputs=2 scan_input_axes=(0,0) scan_input_directions=(0,0) scan_output_axes=(0,-1) "
     "scan_output_directions=(0,0)"},
    {SCANNED "%z, %u, %v = Scan@8(_, %s, %a, %b) {body = region 0, num_scan_inputs = 2} " BODY,
     "directions=(0,0) num_scan_inputs=2"})

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),          cmocka_unit_test(test_axes),
        cmocka_unit_test(test_windows),           cmocka_unit_test(test_transposed_windows),
        cmocka_unit_test(test_windows_elsewhere), cmocka_unit_test(test_scans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
