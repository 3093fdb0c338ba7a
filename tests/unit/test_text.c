/* The text form of modules: what is printed reads back to the same text, and bad text is refused
 * with the place where it is bad. */
#include <math.h>

#include "ir/build.h"
#include "ir/substitute.h"
#include "ir/text/text.h"
#include "ir/verify.h"
#include "tests/unit/unit.h"

static unit_log the_log;

static const char *print(const tn_module *m) {
    tn_sink s = tn_sink_make(tn_arena_new(m->ctx));
    tn_module_print(m, &s);
    return s.data;
}

static tn_module *parse(tn_ctx *ctx, const char *text) {
    tn_module *m = tn_module_parse(ctx, "t.tir", text, strlen(text));
    if (m == NULL) {
        fail_msg("%s", the_log.text);
    }
    return m;
}

/* Prints, reads and prints again; both modules must be sound. Returns the second one. */
static tn_module *again(const tn_module *m) {
    const char *once = print(m);
    assert_int_equal(tn_module_verify(m, true), TN_OK);
    tn_module *back = parse(m->ctx, once);
    assert_int_equal(tn_module_verify(back, true), TN_OK);
    assert_string_equal(print(back), once);
    return back;
}

/* The text is as the printer would have written it. */
static void same(tn_ctx *ctx, const char *text) {
    assert_string_equal(print(parse(ctx, text)), text);
}

static void refused(tn_ctx *ctx, const char *text, const char *message) {
    the_log.len = 0;
    assert_null(tn_module_parse(ctx, "t.tir", text, strlen(text)));
    if (strstr(the_log.text, message) == NULL) {
        fail_msg("expected '%s', got '%s'", message, the_log.text);
    }
}

#define HEAD "tir 1\nmodule \"m\"\nir_version 8\nproducer \"\" \"\"\n"

/* Every construct of docs/IR.md once, as the printer writes it. */
static tn_status everything(tn_ctx *ctx, void *arg) {
    (void)arg;
    same(ctx, "tir 1\n"
              "module \"all of it\"\n"
              "ir_version 10\n"
              "producer \"py\\\"torch\" \"2.1\"\n"
              "opset \"\" 17\n"
              "opset \"com.microsoft\" 1\n"
              "metadata \"tenure.exclude\" \"a,b\"\n"
              "\n"
              "graph @0 \"main\" {\n"
              "  input %x: f32[batch,3,(h + 1) floordiv 2]\n"
              "  input %n: i64[1] = tensor(8 bytes, ints [-9223372036854775808]) !default\n"
              "  input %\"odd \\\"name\\\"\\0a\": seq(f32[*]) !donated\n"
              "  input %dup: sparse f32[2,?]\n"
              "  const %w: f32[2,2] = tensor(16 bytes, floats [0.5, -0.0, inf, "
              "nan(0x7ff8000000000001)]) !pinned !param\n"
              "  const %shape: i64[2] = tensor(16 bytes, ints [1, -1]) !content(1, -1)\n"
              "  const %far: u4[3] = tensor(2 bytes, external \"w/data.bin\" 4096 2)\n"
              "  const %s: ? = tensor(str[2], 0 bytes) !unplanned(\"strings have no size\")\n"
              "  %/a/b_0: f32[batch,12] !backward !content(batch*12, min(a, b), ?) = "
              "Reshape(%x, %shape) @\"node \\ff\" {allowzero = 0} #3\n"
              "  %y: f32[batch,12] !alias(view %/a/b_0), _, %z: f32[2] !floats[1.0, 0.1] "
              "!alias(share %y +16) = com.microsoft::Some.Op@3(%/a/b_0, _, %w) "
              "{f = 1e+30, s = \"a\\00b\", ints = [], fs = floats [], ss = strings [\"\", \"x\"], "
              "t = tensor(f32[], 4 bytes), ts = tensors [tensor(i8[1], 1 bytes, ints [-3])], "
              "ty = type opt(f32[2]), tys = types [?, f32[*]]} #4:\"elsewhere\"\n"
              "  \"my dom\"::\"op \\\"x\\\"\"() #5\n"
              "  %e: ? = \"return\"()\n"
              "  return %z, %x, %z\n"
              "}\n"
              "\n"
              "init @1 \"training\" {\n"
              "  %w1: f32[2,2] !alias(update %@0\"w\" -4) = Identity(%@0\"w\")\n"
              "  return %w1\n"
              "}\n"
              "\n"
              "bind %w = %@1\"w1\"\n"
              "bind %n = %n\n");
    return TN_OK;
}

/* Inner values that hide outer ones, before and after they do. */
static tn_status shadows(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *text = HEAD "opset \"\" 17\n"
                            "\n"
                            "graph @0 \"g\" {\n"
                            "  input %x: f32[2]\n"
                            "  input %c: bool[]\n"
                            "  %y: f32[2] = If(%c) @\"if\" {then_branch = region 0, "
                            "else_branch = region 1, more = regions [1, 0]}\n"
                            "    graph @1 \"then\" {\n"
                            "      %t: f32[2] = Relu(%x)\n"
                            "      %x: f32[2] = Relu(%t)\n"
                            "      %y: f32[2] !alias(inplace %@0\"x\") = Add(%x, %@0\"x\")\n"
                            "      return %y\n"
                            "    }\n"
                            "    graph @2 \"else\" path \"my/path\" {\n"
                            "      return %x\n"
                            "    }\n"
                            "  %z: f32[2] = Add(%x, %y)\n"
                            "  return %z\n"
                            "}\n";
    tn_module *m = parse(ctx, text);
    assert_string_equal(print(m), text);
    tn_op *outer = m->main->first;
    assert_int_equal(outer->n_regions, 2);
    tn_graph *then = outer->regions[0];
    assert_string_equal(then->path, "if/then");
    assert_string_equal(outer->regions[1]->path, "my/path");
    assert_ptr_equal(tn_op_attr(outer, "then_branch")->u.g, then);
    assert_ptr_equal(tn_op_attr(outer, "more")->u.graphs[1], then);
    tn_value *x = m->main->inputs[0];
    assert_ptr_equal(then->first->operands[0].value, x);
    assert_ptr_equal(then->last->operands[0].value, then->first->next->results[0]);
    assert_ptr_equal(then->last->operands[1].value, x);
    assert_ptr_equal(then->last->results[0]->alias_of, x);
    assert_ptr_equal(outer->regions[1]->outputs[0], x);
    assert_ptr_equal(m->main->last->operands[1].value, outer->results[0]);
    return TN_OK;
}

/* What people write by hand: comments, no types, no numbers, blanks anywhere. */
static tn_status by_hand(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = parse(ctx, "tir 1 // RUN: something\n"
                              "opset \"\" 14\n"
                              "graph \"g\" { // comment\n"
                              "  input %x : f32[4]\n"
                              "  %y = ai.onnx::Relu ( %x )\n"
                              "  %z, _ = \"d\"::Two(%y\n, _)\n"
                              "}\n//end");
    assert_string_equal(print(m), "tir 1\n"
                                  "module \"\"\n"
                                  "ir_version 0\n"
                                  "producer \"\" \"\"\n"
                                  "opset \"\" 14\n"
                                  "\n"
                                  "graph @0 \"g\" {\n"
                                  "  input %x: f32[4]\n"
                                  "  %y: ? = Relu(%x)\n"
                                  "  %z: ?, _ = d::Two(%y, _)\n"
                                  "}\n");
    const tn_op *relu = m->main->first;
    assert_int_equal(relu->version, 14);
    assert_int_equal(relu->code, tn_op_find("", "Relu"));
    assert_int_equal(relu->loc.node, -1);
    assert_int_equal(relu->loc.line, 5);
    assert_int_equal(relu->loc.col, 3);
    return TN_OK;
}

/* Numbers at the edges of their types come back to the bit. */
static tn_status exact_numbers(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const double floats[] = {0.1, 1.0 / 3,      5e-324,   1.7976931348623157e308, -0.0, 1e22,
                                    3,   (double)0.1f, -INFINITY};
    static const int64_t ints[] = {INT64_MIN, INT64_MAX, 0, -1};
    enum { N = sizeof floats / sizeof floats[0] };
    tn_module *m = tn_module_new(ctx, "m", "f");
    tn_op *op = tn_op_new(m->main, "", "Odd", 1, "", tn_loc_file("f"));
    tn_attr a = {.name = "fs", .kind = TN_ATTR_FLOATS, .n = N, .u.floats = floats};
    tn_op_add_attr(op, a);
    a = (tn_attr){.name = "is", .kind = TN_ATTR_INTS, .n = 4, .u.ints = ints};
    tn_op_add_attr(op, a);
    for (size_t i = 0; i < N; i++) {
        a = (tn_attr){.name = "f", .kind = TN_ATTR_FLOAT, .u.f = floats[i]};
        tn_op_add_attr(op, a);
    }
    const tn_op *back = again(m)->main->first;
    assert_int_equal(back->n_attrs, 2 + N);
    assert_int_equal(back->attrs[0].n, N);
    assert_memory_equal(back->attrs[0].u.floats, floats, sizeof floats);
    assert_int_equal(back->attrs[1].n, 4);
    assert_memory_equal(back->attrs[1].u.ints, ints, sizeof ints);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(back->attrs[2 + i].kind, TN_ATTR_FLOAT);
        assert_memory_equal(&back->attrs[2 + i].u.f, &floats[i], sizeof(double));
    }
    return TN_OK;
}

/* Any bytes can be a name, a string, a symbol. */
static tn_status hostile_names(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const names[] = {"*/ #define x", "3d/\xcf\x80", "\xff\xfe", "a\nb\tc\"\\",
                                        "\xc2\x85",     "int",         " ",        "\xe2\x82",
                                        "%@0\"x\"",     "_",           "\\22",     "//"};
    enum { N = sizeof names / sizeof names[0] };
    static const char bytes[] = "\0\"\\\n\xf0\x9f\x98\x80\x80";
    tn_module *m = tn_module_new(ctx, "\x01", "f");
    for (size_t i = 0; i < N; i++) {
        tn_dim dim = tn_dim_sym(m->dims, names[i]);
        tn_value *x =
            tn_graph_add_input(m->main, names[i], tn_type_tensor(m->arena, TN_DT_FLOAT, 1, &dim));
        tn_op *op = tn_op_new(m->main, names[i], names[(i + 1) % N], 1, names[(i + 2) % N],
                              tn_loc_file("f"));
        tn_op_add_operand(op, x);
        tn_attr a = {.name = names[i], .kind = TN_ATTR_STRING};
        a.u.s = (tn_string){bytes, sizeof bytes - 1};
        tn_op_add_attr(op, a);
        tn_graph_add_output(m->main, x);
        tn_module_add_metadata(m, names[i], names[(i + 1) % N]);
    }
    tn_module *back = again(m);
    const tn_op *op = back->main->first;
    for (size_t i = 0; i < N; i++, op = op->next) {
        assert_string_equal(back->main->inputs[i]->name, names[i]);
        assert_string_equal(op->domain, names[i]);
        assert_string_equal(op->type, names[(i + 1) % N]);
        assert_string_equal(op->name, names[(i + 2) % N]);
        assert_int_equal(op->attrs[0].u.s.len, sizeof bytes - 1);
        assert_memory_equal(op->attrs[0].u.s.data, bytes, sizeof bytes);
    }
    return TN_OK;
}

/* A chain of nested graphs, each reading a value of the outermost one. */
static tn_status deep(tn_ctx *ctx, void *arg) {
    enum { DEPTH = 3000 };
    (void)arg;
    tn_module *m = tn_module_new(ctx, "deep", "f");
    tn_value *x = tn_graph_add_input(m->main, "x", NULL);
    tn_graph *g = m->main;
    for (int i = 0; i < DEPTH; i++) {
        tn_op *op = tn_op_new(g, "", "Nest", 1, "", tn_loc_file("f"));
        tn_op_add_operand(op, x);
        g = tn_graph_new(m, "body", op);
        tn_value *inner = tn_graph_add_input(g, i % 2 ? "x" : "y", NULL);
        tn_graph_add_output(g, inner);
    }
    tn_module *back = again(m);
    assert_int_equal(back->n_graphs, DEPTH + 1);
    assert_int_equal(back->graphs[DEPTH]->depth, DEPTH);
    return TN_OK;
}

/* A chain of views would be quadratic with a walk to the root an edge. */
static tn_status long_chain(tn_ctx *ctx, void *arg) {
    enum { LENGTH = 100000 };
    (void)arg;
    tn_module *m = tn_module_new(ctx, "long", "f");
    tn_value *x = tn_graph_add_input(m->main, "x", NULL);
    for (int i = 0; i < LENGTH; i++) {
        tn_op *op = tn_op_new(m->main, "", "Identity", 1, "", tn_loc_file("f"));
        tn_op_add_operand(op, x);
        tn_value *y = tn_op_add_result(op, NULL, NULL);
        y->alias_kind = TN_ALIAS_VIEW;
        y->alias_of = x;
        x = y;
    }
    again(m);
    return TN_OK;
}

static tn_status op_lines(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = parse(ctx, HEAD "graph \"g\" {\n input %x: f32[2]\n %y = If(%x)\n"
                                   " graph \"b\" { %x = A(%x) %z = B(%x) }\n}\n");
    tn_sink s = tn_sink_make(m->arena);
    tn_op_print(m->main->first, &s);
    assert_string_equal(s.data, "  %y: ? = If(%x)\n"
                                "    graph \"b\" path \"If_0/b\" {\n"
                                "      %x: ? = A(%x)\n"
                                "      %z: ? = B(%x)\n"
                                "    }\n");
    return TN_OK;
}

/* ONNX's numbers are a column of the table and nothing else. */
static tn_status numbers_types(tn_ctx *ctx, void *arg) {
    (void)ctx;
    (void)arg;
    static const struct {
        int64_t number;
        const char *name;
    } all[] = {{1, "f32"},  {2, "u8"},    {7, "i64"}, {8, "str"},      {9, "bool"},
               {10, "f16"}, {16, "bf16"}, {21, "u4"}, {24, "f8e8m0"},  {26, "i2"},
               {0, "?"},    {27, "?"},    {-1, "?"},  {INT64_MAX, "?"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_string_equal(tn_dtype_get(tn_dtype_numbered(all[i].number))->name, all[i].name);
    }
    return TN_OK;
}

/* Wherever a symbol may stand, its value takes the place. */
static tn_status substitutes(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = parse(ctx, HEAD "graph \"g\" {\n input %x: f32[n*2,k] !content(n, k + n)\n"
                                   " %y: seq(f32[max(n, k),3]) = A(%x)"
                                   " {t = type f32[n ceildiv 2], u = types [i64[k], i64[n]]}\n}\n");
    tn_dims_limit(m->dims, "k", "x.1", tn_dim_sym(m->dims, "n"));
    tn_dims_bind(m->dims, "n", 5);
    tn_module_substitute(m);
    assert_true(tn_dims_limit_named(m->dims, "k")->most == tn_dim_const(m->dims, 5));
    tn_sink s = tn_sink_make(m->arena);
    tn_module_print(m, &s);
    assert_non_null(strstr(s.data, "%x: f32[10,k] !content(5, k + 5)\n"));
    assert_non_null(strstr(s.data, "%y: seq(f32[max(5, k),3]) = A(%x) {t = type f32[3], "
                                   "u = types [i64[k], i64[5]]}\n"));
    return TN_OK;
}

static tn_status errors(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "t.tir:1:1: error: expected 'tir', found the end of the file"},
        {"tir 2\n", "version 2 of the text form; this reads version 1"},
        {"tir 1\nmodule m", "t.tir:2:8: error: expected '\"', found \"m\""},
        {"tir 1\ngraph \"g\" {\n  %y = Relu(%x)\n}",
         "t.tir:3:13: error: value 'x' is read here but not defined above"},
        {"tir 1\ngraph \"g\" {\n  %y = Relu(%@7\"x\")\n}",
         "3:13: error: graph @7 has no value 'x'"},
        {"tir 1\ngraph \"g\" {\n  input %x: f32[2\n}", "t.tir:3:13: error: bad type"},
        {"tir 1\ngraph \"g\" {\n  input %x\n  input %x\n}",
         "t.tir:4:9: error: value 'x' is defined twice in its graph"},
        {"tir 1\ngraph \"g\" {\n  input %x !flying\n}", "3:13: error: unknown fact"},
        {"tir 1\ngraph \"g\" {\n  const %x: f32[n] = tensor(4 bytes)\n}",
         "dimension 0 of a constant tensor is not a number >= 0"},
        {"tir 1\ngraph \"g\" {\n  const %x: f32[2]\n}", "constant 'x' has no tensor"},
        {"tir 1\ngraph \"g\" {\n  const %x: i8[2] = tensor(2 bytes, ints [1])\n}",
         "1 elements given for a tensor of 2"},
        {"tir 1\ngraph \"g\" {\n  A() {x = 99999999999999999999}\n}",
         "3:12: error: the number 99999999999999999999 does not fit 64 bits"},
        {"tir 1\ngraph \"g\" {\n  A() {x = \"abc\n\"}\n}", "does not end on its line"},
        {"tir 1\ngraph \"g\" {\n  A() {x = \"\\zz\"}\n}", "bad escape"},
        {"tir 1\ngraph \"g\" {\n  A() {x = maybe}\n}", "expected the value of attribute 'x'"},
        {"tir 1\ngraph \"g\" {\n  A() {x = region 0}\n}",
         "3:12: error: attribute 'x' names region 0 of 0"},
        {"tir 1\ngraph \"g\" {\n  A(\n", "4:1: error: expected '%', found the end of the file"},
        {"tir 1\ngraph @1 \"g\" {\n}", "2:7: error: this is graph @0"},
        {"tir 1\ngraph \"g\" {\n  input %a !alias(view %b)\n  input %b !alias(view %a)\n}",
         "the alias of 'a' closes a cycle"},
        {"tir 1\ngraph \"g\" {\n  input %a !alias(view %c)\n}",
         "3:24: error: graph @0 has no value"},
        {"tir 1\ngraph \"g\" {\n} nonsense", "3:3: error: expected init, bind or the end"},
        {"tir 1\ngraph \"g\" {\n  input %\"a\\00b\"\n}", "holds a NUL byte"},
        {"tir 1\ngraph \"g\" {\n  input %\"\"\n}", "a value needs a name"},
        {"tir 1\ngraph \"g\" {\n  A() {x = nan(0x0000000000000000)}\n}", "not those of a NaN"},
        {"tir 1\ngraph \"g\" {\n  %x, = A()\n}", "3:7: error: expected '%', found \"=\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused(ctx, bad[i].text, bad[i].message);
    }
    refused(ctx, "tir 1\ngraph \"g\" {\n  input %x !content(1, 2) !floats[1.0]\n}",
            "t.tir:3:28: error: 2 and 1 known elements");
    return TN_OK;
}

/* Every prefix of a good text is refused or read, never worse. */
static tn_status prefixes(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *text = HEAD "graph \"g\" {\n const %w: f32[1] = tensor(4 bytes, floats [1e3])\n"
                            "%y: f32[(a + 1) floordiv 2] !alias(view %w +4), _ = d::T@3(%w, _) "
                            "@\"n\" {a = \"\\0a\", b = region 0} #1:\"p\"\n graph \"b\" {\n} "
                            "return %y\n}\nbind %w = %w\n";
    for (size_t n = 0; n < strlen(text); n++) {
        tn_module *m = tn_module_parse(ctx, "t", text, n);
        assert_true(m == NULL || n >= strlen(text) - sizeof "bind %w = %w\n");
    }
    return TN_OK;
}

static tn_status too_deep(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_sink s = tn_sink_make(tn_arena_new(ctx));
    tn_put(&s, "tir 1\ngraph \"g\" {");
    for (int i = 0; i < 5000; i++) {
        tn_put(&s, " A() graph \"b\" {");
    }
    refused(ctx, s.data, "graphs nested more than 4096 deep");
    return TN_OK;
}

UNIT_TEST_LOGGED(everything, the_log)
UNIT_TEST_LOGGED(shadows, the_log)
UNIT_TEST_LOGGED(by_hand, the_log)
UNIT_TEST_LOGGED(exact_numbers, the_log)
UNIT_TEST_LOGGED(hostile_names, the_log)
UNIT_TEST_LOGGED(deep, the_log)
UNIT_TEST_LOGGED(long_chain, the_log)
UNIT_TEST_LOGGED(op_lines, the_log)
UNIT_TEST_LOGGED(substitutes, the_log)
UNIT_TEST_LOGGED(numbers_types, the_log)
UNIT_TEST_LOGGED(errors, the_log)
UNIT_TEST_LOGGED(prefixes, the_log)
UNIT_TEST_LOGGED(too_deep, the_log)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything),    cmocka_unit_test(test_shadows),
        cmocka_unit_test(test_by_hand),       cmocka_unit_test(test_exact_numbers),
        cmocka_unit_test(test_hostile_names), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_long_chain),    cmocka_unit_test(test_op_lines),
        cmocka_unit_test(test_substitutes),   cmocka_unit_test(test_numbers_types),
        cmocka_unit_test(test_errors),        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_too_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
