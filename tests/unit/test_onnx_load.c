/* The ONNX reader on models written by hand: what it builds, repairs and refuses. */
#include "frontends/core/frontend.h"
#include "ir/base/limits.h"
#include "ir/text/text.h"
#include "ir/verify.h"
#include "tests/unit/onnx_bytes.h"
#include "tests/unit/unit.h"
#include "tests/unit/unit_load.h"

enum { FLOAT = 1, INT64 = 7, BOOL = 9 };

/* A test body gets the context, an arena and the log of its diagnostics. */
typedef struct env {
    tn_ctx *ctx;
    tn_arena *a;
    unit_log *log;
} env;

static tn_module *load_with(env *e, const pb *model, const tn_load_options *options) {
    return unit_load(e->ctx, "m.onnx", pb_bytes(model), options);
}

/* Loads and verifies, without any diagnostic unless one is expected. */
static tn_module *load(env *e, const pb *model, const char *warning) {
    tn_module *m = load_with(e, model, NULL);
    assert_non_null(m);
    if (warning == NULL) {
        assert_string_equal(e->log->text, "");
    } else {
        assert_non_null(strstr(e->log->text, warning));
    }
    assert_int_equal(tn_module_verify(m, true), TN_OK);
    return m;
}

static void refuse_with(env *e, const pb *model, const tn_load_options *options,
                        const char *message) {
    e->log->len = 0;
    e->log->text[0] = '\0';
    uint32_t before = e->ctx->n_errors;
    assert_null(load_with(e, model, options));
    assert_int_equal(e->ctx->n_errors, before + 1);
    if (strstr(e->log->text, message) == NULL) {
        print_error("wanted: %s\ngot: %s\n", message, e->log->text);
        fail();
    }
}

static void refuse(env *e, const pb *model, const char *message) {
    refuse_with(e, model, NULL, message);
}

static const char *text_of(env *e, const tn_module *m) {
    tn_sink s = tn_sink_make(e->a);
    tn_module_print(m, &s);
    return s.data;
}

static void expect_text(env *e, const tn_module *m, const char *part) {
    const char *text = text_of(e, m);
    if (strstr(text, part) == NULL) {
        print_error("wanted: %s\nin: %s\n", part, text);
        fail();
    }
}

/* x -> Relu -> y, with space for more. */
static pb *small_graph(env *e) {
    pb *g = pb_text(pb_new(e->a), 2, "g");
    pb_msg(g, G_INPUT, onnx_value(e->a, "x", FLOAT, "N 4"));
    return pb_msg(g, G_OUTPUT, onnx_value(e->a, "y", FLOAT, NULL));
}

static pb *relu_graph(env *e) {
    return pb_msg(small_graph(e), G_NODE, onnx_node(e->a, "Relu", "x", "y"));
}

static void simple(env *e) {
    tn_module *m = load(e, onnx_model(e->a, 8, relu_graph(e)), NULL);
    assert_int_equal(m->origin.format_version, 8);
    assert_int_equal(tn_module_opset(m, ""), 18);
    expect_text(e, m, "input %x: f32[N,4]\n  %y: f32[*] = Relu(%x) #0\n  return %y");
}

static void open_dimensions(env *e) {
    pb *g = pb_new(e->a);
    pb_msg(g, G_INPUT, onnx_value(e->a, "x", FLOAT, "- -1 ? 0 a+1 a*2//3 batch-size"));
    pb_msg(g, G_NODE, onnx_node(e->a, "Relu", "x", "y"));
    pb_msg(g, G_OUTPUT, onnx_value(e->a, "y", FLOAT, "-1 0 N"));
    tn_module *m = load(e, onnx_model(e->a, 8, g), "'y' has a stored dimension of 0");
    expect_text(e, m, "%x: f32[x.0,x.1,x.2,0,a + 1,(a*2) floordiv 3,\"batch-size\"]");
    expect_text(e, m, "%y: f32[?,?,N]");
}

/* What a file says of its initializers, too, is no news. */
static void initializers_without_elements(env *e) {
    pb *g = relu_graph(e);
    pb_msg(g, G_INIT, onnx_i64(e->a, "none", "0", NULL, 0));
    pb_msg(g, G_INFO, onnx_value(e->a, "none", INT64, "0"));
    expect_text(e, load(e, onnx_model(e->a, 8, g), NULL), "const %none: i64[0] = tensor(0 bytes");
}

static void initializers_and_inputs(env *e) {
    static const int64_t two[2] = {3, -4};
    pb *g = small_graph(e);
    pb_msg(g, G_INPUT, onnx_value(e->a, "s", INT64, "2"));
    pb_msg(g, G_INIT, onnx_i64(e->a, "s", "2", two, 2));
    pb_msg(g, G_NODE, onnx_node(e->a, "Reshape", "x s", "y"));
    expect_text(e, load(e, onnx_model(e->a, 3, g), NULL),
                "const %s: i64[2] = tensor(16 bytes, ints [3, -4])");
    expect_text(e, load(e, onnx_model(e->a, 4, g), NULL),
                "const %s: i64[2] = tensor(16 bytes, ints [3, -4])");
    tn_pair keep = {"overridable-initializers", "true"};
    tn_load_options options = {.settings = &keep, .n_settings = 1};
    tn_module *m = load_with(e, onnx_model(e->a, 4, g), &options);
    assert_non_null(m);
    assert_int_equal(m->main->n_inputs, 2);
    assert_int_equal(m->main->n_consts, 0);
    assert_true((m->main->inputs[1]->flags & TN_VF_DEFAULT) != 0);
    assert_int_equal(m->main->inputs[1]->tensor->ints[1], -4);
}

static void bad_tensors(env *e) {
    static const uint8_t raw[8] = {0};
    static const struct {
        const char *dims;
        int dtype, field;
        size_t n;
        const char *message;
    } cases[] = {
        {"2", INT64, 9, 8, "initializer 'w' needs 16 bytes (2 elements of i64), its data has 8"},
        {"1", FLOAT, 9, 8, "needs 4 bytes (1 elements of f32), its data has 8"},
        {"3", 22, 9, 1, "needs 2 bytes (3 elements of i4), its data has 1"},
        {"3", FLOAT, 4, 8, "needs 12 bytes in float_data (3 elements of f32), it has 8"},
        {"9", INT64, 7, 8, "needs 9 bytes in int64_data (9 elements of i64), it has 8"},
        {"2", FLOAT, 5, 8, "of f32 has its data in int32_data instead of float_data"},
        {"-2", FLOAT, 9, 8, "has dimension -2 at axis 0"},
        {"4611686018427387904 4 0", FLOAT, 9, 8, "more elements than the limit"},
        {"2", 0, 9, 8, "initializer 'w' has no element type"},
        {"2", 8, 9, 8, "has text elements in raw_data"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pb *w = onnx_tensor(e->a, "w", cases[i].dtype, cases[i].dims);
        pb_data(w, (unsigned)cases[i].field, raw, cases[i].n);
        refuse(e, onnx_model(e->a, 8, pb_msg(relu_graph(e), G_INIT, w)), cases[i].message);
    }
    pb *many = onnx_tensor(e->a, "w", FLOAT, "1");
    for (unsigned i = 0; i < TN_MAX_RANK; i++) {
        pb_int(many, 1, 1);
    }
    refuse(e, onnx_model(e->a, 8, pb_msg(relu_graph(e), G_INIT, many)),
           "has rank 65, the limit is 64");
}

/* Every way to store the elements that are kept. */
static void tensor_contents(env *e) {
    static const uint8_t half[4] = {0x00, 0x3e, 0x00, 0xc0}, bf16[2] = {0xc0, 0x3f};
    static const uint8_t i4[2] = {0xe1, 0x07}, bools[3] = {0, 1, 7};
    static const uint8_t big[8] = {255, 255, 255, 255, 255, 255, 255, 255};
    pb *packed = pb_varint(pb_varint(pb_new(e->a), 5), (uint64_t)-1);
    static const uint8_t quarter[4] = {0x00, 0x00, 0x80, 0x3e};
    const struct {
        pb *tensor;
        const char *want;
    } cases[] = {
        {pb_data(onnx_tensor(e->a, "w", 10, "2"), 9, half, 4),
         "f16[2] = tensor(4 bytes, floats [1.5, -2.0])"},
        {pb_data(onnx_tensor(e->a, "w", 16, "1"), 9, bf16, 2),
         "bf16[1] = tensor(2 bytes, floats [1.5])"},
        {pb_data(onnx_tensor(e->a, "w", 22, "3"), 9, i4, 2),
         "i4[3] = tensor(2 bytes, ints [1, -2, 7])"},
        {pb_data(onnx_tensor(e->a, "w", BOOL, "3"), 9, bools, 3),
         "bool[3] = tensor(3 bytes, ints [0, 1, 1])"},
        {pb_data(onnx_tensor(e->a, "w", 13, "1"), 9, big, 8), "u64[1] = tensor(8 bytes)"},
        {pb_data(onnx_tensor(e->a, "w", 6, "2"), 5, packed->data, packed->len),
         "i32[2] = tensor(8 bytes, ints [5, -1])"},
        {pb_int(pb_int(onnx_tensor(e->a, "w", INT64, "2"), 7, 8), 7, -9),
         "i64[2] = tensor(16 bytes, ints [8, -9])"},
        {pb_data(onnx_tensor(e->a, "w", FLOAT, ""), 4, quarter, 4),
         "f32[] = tensor(4 bytes, floats [0.25])"},
        {pb_text(onnx_tensor(e->a, "w", 8, "1"), 6, "text"), "str[1] = tensor("},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pb *g = pb_msg(relu_graph(e), G_INIT, cases[i].tensor);
        expect_text(e, load(e, onnx_model(e->a, 8, g), NULL), cases[i].want);
    }
    pb *g = pb_msg(relu_graph(e), G_INIT, onnx_tensor(e->a, "w", FLOAT, "7"));
    load(e, onnx_model(e->a, 8, g), "'w' holds no elements");
}

static void order(env *e) {
    pb *g = small_graph(e);
    pb_msg(g, G_NODE, onnx_node(e->a, "Neg", "b", "y"));
    pb_msg(g, G_NODE, onnx_node(e->a, "Abs", "x", "a"));
    pb_msg(g, G_NODE, onnx_node(e->a, "Exp", "a", "b"));
    tn_module *m = load(e, onnx_model(e->a, 8, g), "1 of 3 nodes come before a node they read");
    expect_text(e, m, "Abs(%x) #1\n  %b: ? = Exp(%a) #2\n  %y: f32[*] = Neg(%b) #0\n");
}

static void broken_graphs(env *e) {
    tn_arena *a = e->a;
    const struct {
        pb *nodes[3];
        const char *message;
    } cases[] = {
        {{onnx_node(a, "Abs", "b", "y"), onnx_node(a, "Abs", "y", "b")}, "nodes form a cycle"},
        {{onnx_node(a, "Abs", "y", "y")}, "the node reads its own result 'y'"},
        {{onnx_node(a, "Abs", "x", "y"), onnx_node(a, "Exp", "x", "y")},
         "node of 'y' (Exp, #1): error: 'y' is defined a second time, as a result"},
        {{onnx_node(a, "Abs", "q", "y")}, "operand 0 reads 'q', which nothing defines"},
        {{onnx_node(a, "Abs", "x", "z")}, "graph output 0 is 'y', which nothing defines"},
        {{onnx_node(a, "", "x", "y")}, "the node has no op type"},
        {{onnx_node(a, "MatMul", "x", "y")}, "1 operands, MatMul takes at least 2"},
        {{onnx_node(a, "Abs", "x x", "y")}, "2 operands, Abs takes at most 1"},
        {{onnx_node(a, "Abs", "x", "y z")}, "2 results, Abs gives at most 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pb *g = small_graph(e);
        for (size_t k = 0; k < 3 && cases[i].nodes[k] != NULL; k++) {
            pb_msg(g, G_NODE, cases[i].nodes[k]);
        }
        refuse(e, onnx_model(a, 8, g), cases[i].message);
    }
    pb *twice = pb_msg(relu_graph(e), G_INPUT, onnx_value(a, "x", FLOAT, "1"));
    refuse(e, onnx_model(a, 8, twice), "'x' is defined a second time, as an input");
    refuse(e, onnx_model(a, 2, relu_graph(e)), "IR version 2; versions from 3 on are read");
    refuse(e, pb_int(pb_new(a), 1, 8), "the model has no graph");
    refuse(e, pb_new(a), "the file is empty");
    pb *pointer = pb_new(a);
    tn_put(pointer, "version https://git-lfs.github.com/spec/v1\noid");
    refuse(e, pointer, "the pointer that Git LFS keeps");
    pb *nul = pb_msg(small_graph(e), G_NODE, pb_data(onnx_node(a, "Abs", "x", "y"), 3, "a\0b", 3));
    refuse(e, onnx_model(a, 8, nul), "the text of 'name' holds a NUL");
}

static pb *constant(env *e, const char *out, int64_t value) {
    pb *attr = pb_int(onnx_attr(e->a, "value_int", 2), 3, value);
    return pb_msg(onnx_node(e->a, "Constant", "", out), 5, attr);
}

static void repairs(env *e) {
    pb *g = relu_graph(e);
    pb_msg(pb_msg(g, G_NODE, constant(e, "c", 1)), G_NODE, constant(e, "c", 2));
    tn_module *m = load(e, onnx_model(e->a, 8, g), "'c' has several constant definitions");
    expect_text(e, m, "%c: ? = Constant() {value_int = 2}");
    assert_int_equal(m->main->n_ops, 2);

    pb *model = onnx_model(e->a, 8, relu_graph(e));
    pb_msg(model, 8, pb_int(pb_new(e->a), 2, 13));
    m = load(e, model, "imports ai.onnx in versions 18 and 13, 18 is taken");
    assert_int_equal(m->origin.opsets.len, 1);

    model = onnx_model(e->a, 8, relu_graph(e));
    pb_msg(model, 8, pb_int(pb_text(pb_new(e->a), 1, "my"), 2, -1));
    refuse(e, model, "imports my in version -1, which must not be below 0");

    pb *custom = pb_text(onnx_node(e->a, "Odd", "x - x", "y -"), 7, "my.domain");
    pb_int(custom, 77, 5); /* a field of a newer schema */
    m = load(e, onnx_model(e->a, 8, pb_msg(small_graph(e), G_NODE, custom)),
             "no opset import for domain my.domain");
    expect_text(e, m, "%y: f32[*], _ = my.domain::Odd(%x, _, %x)");
}

/* If whose branches read a value that the list around them defines later. */
static void captures(env *e) {
    pb *branch = pb_msg(pb_text(pb_new(e->a), 2, "b"), G_NODE, onnx_node(e->a, "Neg", "late", "r"));
    pb_msg(branch, G_OUTPUT, pb_text(pb_new(e->a), 1, "r"));
    pb *node = onnx_node(e->a, "If", "c", "y");
    pb_msg(node, 5, onnx_attr_graph(e->a, "then_branch", branch));
    pb_msg(node, 5, onnx_attr_graph(e->a, "else_branch", branch));
    pb *g = pb_msg(small_graph(e), G_INPUT, onnx_value(e->a, "c", BOOL, ""));
    pb_msg(pb_msg(g, G_NODE, node), G_NODE, onnx_node(e->a, "Abs", "x", "late"));
    tn_module *m = load(e, onnx_model(e->a, 8, g), "1 of 2 nodes come before");
    assert_string_equal(m->main->first->type, "Abs");
    assert_int_equal(tn_result(m->main->first, 0)->n_uses, 2);
    assert_string_equal(m->graphs[2]->path, "If_0/b#1");
}

/* If with a branch that gives back, as it is, a value that the list around it defines later. */
static void captured_outputs(env *e) {
    pb *branch = pb_msg(pb_text(pb_new(e->a), 2, "b"), G_OUTPUT, pb_text(pb_new(e->a), 1, "late"));
    pb *node = onnx_node(e->a, "If", "c", "y");
    pb_msg(node, 5, onnx_attr_graph(e->a, "then_branch", branch));
    pb_msg(node, 5, onnx_attr_graph(e->a, "else_branch", branch));
    pb *g = pb_msg(small_graph(e), G_INPUT, onnx_value(e->a, "c", BOOL, ""));
    pb_msg(pb_msg(g, G_NODE, node), G_NODE, onnx_node(e->a, "Abs", "x", "late"));
    tn_module *m = load(e, onnx_model(e->a, 8, g), "1 of 2 nodes come before");
    assert_string_equal(m->main->first->type, "Abs");
    assert_ptr_equal(m->graphs[1]->outputs[0], tn_result(m->main->first, 0));
    assert_int_equal(tn_result(m->main->first, 0)->n_uses, 0);
}

/* A body whose input is named as a value outside: the inner meaning holds inside, the outer one
 * again after it. */
static void shadowing(env *e) {
    pb *body = pb_msg(pb_text(pb_new(e->a), 2, "b"), G_NODE, onnx_node(e->a, "Neg", "x", "r"));
    pb_msg(body, G_INPUT, pb_text(pb_new(e->a), 1, "x"));
    pb_msg(body, G_OUTPUT, pb_text(pb_new(e->a), 1, "r"));
    pb *call = pb_text(onnx_node(e->a, "Map", "x", "m"), 7, "d");
    pb_msg(call, 5, onnx_attr_graph(e->a, "body", body));
    pb *g = pb_msg(small_graph(e), G_NODE, call);
    pb_msg(g, G_NODE, onnx_node(e->a, "Add", "x m", "y"));
    tn_module *m = load(e, onnx_model(e->a, 8, g), "graph 'Map_0/b': warning: 'x' is defined here");
    assert_ptr_equal(tn_operand(m->graphs[1]->first, 0), m->graphs[1]->inputs[0]);
    assert_ptr_equal(tn_operand(m->main->last, 0), m->main->inputs[0]);
}

/* A length-delimited field whose content of `size` bytes follows elsewhere. */
static pb *pb_open(pb *m, unsigned field, size_t size) {
    return pb_varint(pb_varint(m, (uint64_t)field << 3 | 2), size);
}

/* `depth` graphs inside each other, each one an attribute of the only node of the next. Lengths are
 * found from the inside out, then what comes before and after each inner graph is put in place. */
static pb *nested(env *e, uint32_t depth) {
    tn_arena *a = e->a;
    pb **before = TN_ARRAY(a, pb *, depth + 1), **after = TN_ARRAY(a, pb *, depth + 1);
    size_t size = 0;
    for (uint32_t i = 0; i <= depth; i++) {
        const char *out = tn_arena_printf(a, "y%u", i);
        pb *node = pb_text(onnx_node(a, "Wrap", "x", out), 7, "d"), *attr = pb_new(a);
        before[i] = pb_new(a);
        after[i] = pb_msg(pb_text(pb_new(a), 2, "g"), G_OUTPUT, pb_text(pb_new(a), 1, out));
        if (i > 0) {
            pb_open(onnx_attr_into(attr, "body", 5), 6, size);
            pb_open(node, 5, attr->len + size);
            tn_put_n(node, attr->data, attr->len);
        }
        pb_open(before[i], G_NODE, node->len + (i > 0 ? size : 0));
        tn_put_n(before[i], node->data, node->len);
        size += before[i]->len + after[i]->len;
    }
    pb *g = pb_new(a);
    for (uint32_t i = depth + 1; i-- > 0;) {
        tn_put_n(g, before[i]->data, before[i]->len);
    }
    for (uint32_t i = 0; i <= depth; i++) {
        tn_put_n(g, after[i]->data, after[i]->len);
    }
    return pb_msg(g, G_INPUT, onnx_value(a, "x", FLOAT, "4"));
}

static void nesting(env *e) {
    tn_module *m = load(e, onnx_model(e->a, 8, nested(e, TN_MAX_NESTING)), "no opset import");
    assert_int_equal(m->n_graphs, TN_MAX_NESTING + 1);
    assert_int_equal(m->main->inputs[0]->n_uses, TN_MAX_NESTING + 1);
    refuse(e, onnx_model(e->a, 8, nested(e, TN_MAX_NESTING + 1)),
           "graphs are nested more than 4096 deep");
    pb *type = pb_msg(pb_new(e->a), 1, pb_int(pb_new(e->a), 1, FLOAT));
    for (unsigned i = 0; i < TN_MAX_MESSAGES; i++) {
        type = pb_msg(pb_new(e->a), 4, pb_msg(pb_new(e->a), 1, type));
    }
    pb *value = pb_msg(pb_text(pb_new(e->a), 1, "z"), 2, type);
    refuse(e, onnx_model(e->a, 8, pb_msg(relu_graph(e), G_INPUT, value)), "nested more than 128");
}

static pb *function(env *e, const char *name, const pb *node) {
    pb *f = pb_text(pb_text(pb_text(pb_new(e->a), 1, name), 4, "x"), 5, "y");
    return pb_text(pb_msg(pb_msg(f, 7, node), 9, pb_int(pb_new(e->a), 2, 13)), 10, "d");
}

static pb *ref_attr(env *e, const char *name, const char *ref) {
    return pb_text(onnx_attr(e->a, name, 2), 21, ref);
}

static pb *call(env *e, const char *name, const pb *attr) {
    pb *node = pb_text(onnx_node(e->a, name, "x", "y"), 7, "d");
    return attr != NULL ? pb_msg(node, 5, attr) : node;
}

static void functions(env *e) {
    pb *inner = function(e, "inner",
                         pb_msg(onnx_node(e->a, "Flatten", "x", "y"), 5, ref_attr(e, "axis", "a")));
    pb_msg(inner, 11, pb_int(onnx_attr(e->a, "a", 2), 3, 7));
    pb *outer = function(e, "outer", call(e, "inner", ref_attr(e, "a", "b")));
    pb *given = pb_int(onnx_attr(e->a, "b", 2), 3, 1);
    pb *graphs[2] = {pb_msg(small_graph(e), G_NODE, call(e, "outer", given)),
                     pb_msg(small_graph(e), G_NODE, call(e, "inner", NULL))};
    static const char *const want[2] = {"Flatten@13(%x) {axis = 1}", "Flatten@13(%x) {axis = 7}"};
    for (int i = 0; i < 2; i++) {
        pb *model = pb_msg(pb_msg(onnx_model(e->a, 8, graphs[i]), 25, inner), 25, outer);
        tn_module *m = load(e, model, NULL);
        expect_text(e, m, want[i]);
        tn_graph *last = m->graphs[m->n_graphs - 1];
        assert_int_equal(last->first->version, 13);
        assert_ptr_equal(tn_operand(last->first, 0), last->inputs[0]);
    }
    pb *self = function(e, "self", call(e, "self", NULL));
    pb *g = pb_msg(small_graph(e), G_NODE, call(e, "self", NULL));
    refuse(e, pb_msg(onnx_model(e->a, 8, g), 25, self), "function 'self' calls itself");
    refuse(e,
           onnx_model(e->a, 8, pb_msg(small_graph(e), G_NODE, call(e, "f", ref_attr(e, "a", "b")))),
           "attribute 'a' refers to attribute 'b' of a function, and the node is in no function");
}

/* Each function calls the next one twice: 2^30 ops from 30 functions. */
static void function_growth(env *e) {
    pb *g = pb_msg(small_graph(e), G_NODE, call(e, "f0", NULL));
    pb *model = onnx_model(e->a, 8, g);
    for (int i = 0; i < 30; i++) {
        const char *next = tn_arena_printf(e->a, "f%d", i + 1);
        pb *first = pb_text(onnx_node(e->a, next, "x", "t"), 7, "d");
        pb *f = function(e, tn_arena_printf(e->a, "f%d", i), first);
        pb_msg(model, 25, pb_msg(f, 7, pb_text(onnx_node(e->a, next, "t", "y"), 7, "d")));
    }
    pb_msg(model, 25, function(e, "f30", onnx_node(e->a, "Relu", "x", "y")));
    refuse(e, model, "functions make more than 262144 ops");
}

static void training(env *e) {
    pb *alg = pb_text(pb_new(e->a), 2, "alg");
    pb_msg(alg, G_INPUT, onnx_value(e->a, "y", FLOAT, NULL)); /* a value of the inference graph */
    pb_msg(alg, G_INIT, onnx_tensor(e->a, "w", FLOAT, "4"));
    pb_msg(alg, G_NODE, onnx_node(e->a, "Add", "w y", "w2"));
    pb_msg(alg, G_OUTPUT, onnx_value(e->a, "w2", FLOAT, "4"));
    pb *binding = pb_text(pb_text(pb_new(e->a), 1, "w"), 2, "w2");
    pb *info = pb_msg(pb_msg(pb_msg(pb_new(e->a), 1, relu_graph(e)), 2, alg), 4, binding);
    pb *model = pb_msg(onnx_model(e->a, 8, relu_graph(e)), 20, info);
    tn_module *m = load(e, model, "'w' holds no elements");
    assert_int_equal(m->main->n_inputs, 1);
    assert_int_equal(m->main->n_outputs, 2);
    assert_int_equal(m->n_bindings, 1);
    assert_string_equal(m->bindings[0].state->name, "w");
    assert_true((m->bindings[0].state->flags & TN_VF_STATE) != 0);
    assert_int_equal(m->graphs[1]->kind, TN_GRAPH_INIT);
    pb *bad = pb_msg(pb_new(e->a), 4, pb_text(pb_text(pb_new(e->a), 1, "y"), 2, "y"));
    refuse(e, pb_msg(onnx_model(e->a, 8, relu_graph(e)), 20, bad),
           "'y' cannot be updated: it is neither initializer nor input");
}

static pb *entry(env *e, const char *key, const char *value) {
    return pb_text(pb_text(pb_new(e->a), 1, key), 2, value);
}

/* An initialization graph by itself, as a module with names for what it initializes. */
static void initialization(env *e) {
    pb *init =
        pb_msg(pb_text(pb_new(e->a), 2, "init"), G_NODE, onnx_node(e->a, "Neg", "seed", "w"));
    pb_msg(init, G_INIT, onnx_tensor(e->a, "seed", FLOAT, "4"));
    pb_msg(init, G_OUTPUT, onnx_value(e->a, "w", FLOAT, "4"));
    pb *alg = pb_msg(pb_text(pb_new(e->a), 2, "alg"), G_INIT, onnx_tensor(e->a, "m", FLOAT, "4"));
    pb *g = pb_msg(relu_graph(e), G_INIT, onnx_tensor(e->a, "w", FLOAT, "4"));
    pb *info = pb_msg(pb_msg(pb_new(e->a), 1, init), 2, alg);
    pb_msg(pb_msg(info, 3, entry(e, "w", "w")), 3, entry(e, "m", "w"));
    pb *model = pb_msg(pb_msg(onnx_model(e->a, 8, g), 20, pb_msg(pb_new(e->a), 2, alg)), 20, info);
    tn_pair graph = {"graph", "initialization:1"};
    tn_load_options options = {.settings = &graph, .n_settings = 1};
    tn_module *m = load_with(e, model, &options);
    assert_int_equal(tn_module_verify(m, true), TN_OK);
    assert_string_equal(m->name, "init");
    assert_int_equal(m->n_graphs, 1);
    assert_int_equal(m->n_bindings, 0);
    expect_text(e, m, "\nbind \"w\" = %w\nbind \"m\" = %w\n");
    const char *text = text_of(e, m);
    tn_module *again = tn_module_parse(e->ctx, "m.tir", text, strlen(text));
    assert_string_equal(text_of(e, again), text);
    graph.value = "initialization:0";
    refuse_with(e, model, &options, "training info 0 has no initialization graph");
    graph.value = "initialization:2";
    refuse_with(e, model, &options, "no training info 2: the model has 2, counted from 0");
    graph.value = "initialization";
    pb_msg(info, 3, entry(e, "y", "w"));
    refuse_with(e, pb_msg(onnx_model(e->a, 8, g), 20, info), &options,
                "an initialization binding is for 'y', which is not an initializer");
    pb *bad = pb_msg(pb_msg(pb_new(e->a), 1, init), 3, entry(e, "w", "seed"));
    refuse_with(e, pb_msg(onnx_model(e->a, 8, g), 20, bad), &options,
                "takes 'seed', which the initialization graph does not return");
}

static void stored_types(env *e) {
    pb *g = small_graph(e);
    pb_msg(g, G_NODE, onnx_node(e->a, "Abs", "x", "a"));
    pb_msg(g, G_NODE, onnx_node(e->a, "Abs", "a", "y"));
    pb_msg(g, G_INFO, onnx_value(e->a, "a", FLOAT, "N 4"));
    pb *model = onnx_model(e->a, 8, g);
    expect_text(e, load(e, model, NULL), "%a: f32[N,4] = ");
    tn_pair ignore = {"ignore-value-info", "true"};
    tn_load_options options = {.settings = &ignore, .n_settings = 1};
    expect_text(e, load_with(e, model, &options), "%a: ? = ");
}

#define BODY(name)                                                                                 \
    static tn_status run_##name(tn_ctx *ctx, void *arg) {                                          \
        env e = {ctx, tn_arena_new(ctx), arg};                                                     \
        name(&e);                                                                                  \
        return TN_OK;                                                                              \
    }                                                                                              \
    static void test_##name(void **state) {                                                        \
        (void)state;                                                                               \
        unit_log log;                                                                              \
        tn_ctx *ctx = unit_ctx(&log);                                                              \
        unit_run(ctx, run_##name, &log);                                                           \
        tn_ctx_free(ctx);                                                                          \
    }
BODY(simple)
BODY(open_dimensions)
BODY(initializers_without_elements)
BODY(initializers_and_inputs)
BODY(bad_tensors)
BODY(tensor_contents)
BODY(order)
BODY(broken_graphs)
BODY(repairs)
BODY(captures)
BODY(captured_outputs)
BODY(shadowing)
BODY(nesting)
BODY(functions)
BODY(function_growth)
BODY(training)
BODY(initialization)
BODY(stored_types)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_simple),
                                       cmocka_unit_test(test_open_dimensions),
                                       cmocka_unit_test(test_initializers_without_elements),
                                       cmocka_unit_test(test_initializers_and_inputs),
                                       cmocka_unit_test(test_bad_tensors),
                                       cmocka_unit_test(test_tensor_contents),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_broken_graphs),
                                       cmocka_unit_test(test_repairs),
                                       cmocka_unit_test(test_captures),
                                       cmocka_unit_test(test_captured_outputs),
                                       cmocka_unit_test(test_shadowing),
                                       cmocka_unit_test(test_nesting),
                                       cmocka_unit_test(test_functions),
                                       cmocka_unit_test(test_function_growth),
                                       cmocka_unit_test(test_training),
                                       cmocka_unit_test(test_initialization),
                                       cmocka_unit_test(test_stored_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
