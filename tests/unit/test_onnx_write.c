/* ONNX out: what nobody changed is copied byte for byte, and what the IR's functions of change make
 * of a module is there when the model is read again. */
#include "frontends/core/frontend.h"
#include "ir/mutate.h"
#include "ir/onnx/onnx_write.h"
#include "ir/text/text.h"
#include "ir/verify.h"
#include "tests/unit/onnx_bytes.h"
#include "tests/unit/unit.h"

enum { FLOAT = 1, INT64 = 7, BOOL = 9, UNKNOWN = 60 };

typedef struct env {
    tn_ctx *ctx;
    tn_arena *a;
    unit_log *log;
} env;

static tn_module *load(env *e, tn_bytes bytes) {
    tn_module *m = tn_load_bytes(e->ctx, "m.onnx", bytes, NULL);
    if (m == NULL) {
        print_error("%s\n", e->log->text);
    }
    assert_non_null(m);
    assert_int_equal(tn_module_verify(m, true), TN_OK);
    return m;
}

static tn_bytes written(env *e, const tn_module *m) {
    tn_sink out = tn_sink_make(e->a);
    tn_onnx_write(m, tn_onnx_order_make(e->a, m, NULL), NULL, &out);
    return (tn_bytes){(const uint8_t *)out.data, out.len};
}

static tn_module *again(env *e, const tn_module *m) {
    return load(e, written(e, m));
}

static void expect(env *e, const tn_module *m, const char *part) {
    tn_sink text = tn_sink_make(e->a);
    tn_module_print(m, &text);
    if (strstr(text.data, part) == NULL) {
        print_error("wanted: %s\nin: %s\n", part, text.data);
        fail();
    }
}

static bool holds(tn_bytes all, const char *text) {
    size_t n = strlen(text);
    for (size_t i = 0; i + n <= all.size; i++) {
        if (memcmp(all.data + i, text, n) == 0) {
            return true;
        }
    }
    return false;
}

static void same(tn_bytes a, tn_bytes b) {
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

static tn_op *op_named(const tn_module *m, const char *result) {
    const tn_value *v = tn_graph_find_value(m->main, result);
    assert_non_null(v);
    return v->def;
}

/* A field that no version of ONNX has. */
static pb *odd(pb *m, const char *text) {
    return pb_text(m, UNKNOWN, text);
}

static pb *entry(env *e, const char *key, const char *value) {
    return pb_text(pb_text(pb_new(e->a), 1, key), 2, value);
}

/* A length that takes more bytes than it needs, as some writers leave room for it. */
static pb *wide(pb *m, unsigned field, const pb *sub) {
    pb_varint(m, (uint64_t)field << 3 | 2);
    uint64_t n = sub->len;
    for (int i = 0; i < 4; i++, n >>= 7) {
        tn_put_c(m, (char)(unsigned char)((n & 127) | 128));
    }
    tn_put_c(m, (char)(unsigned char)(n & 127));
    tn_put_n(m, sub->data, sub->len);
    return m;
}

static pb *branch(env *e, const char *name, const char *op) {
    pb *g = odd(pb_text(pb_new(e->a), 2, name), "of a branch");
    pb *node = onnx_node(e->a, op, "a", name);
    pb_msg(g, G_NODE, odd(node, "inside"));
    return pb_msg(g, G_OUTPUT, onnx_value(e->a, name, FLOAT, "2"));
}

/* x -> Softmax a -> If p -> Add y with w; unknown fields everywhere, and nodes among the rest. */
static pb *graph(env *e) {
    static const uint8_t bytes[8] = {0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f};
    pb *axis = odd(pb_int(onnx_attr(e->a, "axis", 2), 3, 0), "of an attribute");
    pb *softmax = odd(pb_msg(onnx_node(e->a, "Softmax", "x", "a"), 5, axis), "of a node");
    pb *choose = onnx_node(e->a, "If", "c", "p");
    wide(choose, 5, onnx_attr_graph(e->a, "else_branch", branch(e, "n", "Neg")));
    pb_msg(choose, 5, onnx_attr_graph(e->a, "then_branch", branch(e, "r", "Relu")));
    pb *g = odd(pb_text(pb_new(e->a), 2, "g"), "of a graph");
    pb_msg(g, G_NODE, softmax);
    pb_msg(g, G_INPUT, odd(onnx_value(e->a, "x", FLOAT, "2"), "of a value"));
    wide(g, G_NODE, pb_text(choose, 3, "choice"));
    pb_msg(g, G_INPUT, onnx_value(e->a, "c", BOOL, ""));
    pb *w = pb_data(onnx_tensor(e->a, "w", FLOAT, "2"), 9, bytes, sizeof bytes);
    pb_msg(g, G_INIT, odd(w, "of a tensor"));
    pb_msg(g, G_NODE, onnx_node(e->a, "Exp", "x", "z"));
    pb_msg(g, G_INFO, onnx_value(e->a, "a", FLOAT, "2"));
    pb_msg(g, G_NODE, odd(onnx_node(e->a, "Add", "p w", "y"), "of an Add"));
    pb_msg(g, G_OUTPUT, onnx_value(e->a, "y", FLOAT, "2"));
    return pb_msg(g, G_OUTPUT, onnx_value(e->a, "z", FLOAT, "2"));
}

static pb *model(env *e) {
    pb *m = onnx_model(e->a, 10, graph(e));
    pb_msg(odd(m, "of a model"), 14, entry(e, "who", "me"));
    return m;
}

static void verbatim(env *e) {
    tn_bytes bytes = pb_bytes(model(e));
    same(written(e, load(e, bytes)), bytes);
    pb *first = wide(pb_int(pb_new(e->a), 1, 8), 7, graph(e));
    pb_msg(first, 8, pb_int(pb_text(pb_new(e->a), 1, ""), 2, 18));
    same(written(e, load(e, pb_bytes(first))), pb_bytes(first));
}

/* Nodes change places; all else stays in its own. */
static void order(env *e) {
    tn_bytes bytes = pb_bytes(model(e));
    tn_module *m = load(e, bytes);
    tn_op_move_before(op_named(m, "z"), m->main->first);
    tn_bytes out = written(e, m);
    tn_module *back = load(e, out);
    assert_string_equal(back->main->first->type, "Exp");
    assert_int_equal(back->main->first->loc.node, 0);
    assert_int_equal(back->main->last->loc.node, 3);
    assert_true(holds(out, "of a node") && holds(out, "inside") && holds(out, "of a tensor"));
    tn_op_move_before(op_named(back, "z"), op_named(back, "y"));
    tn_module *third = load(e, written(e, back));
    expect(e, third, "%z: f32[2] = Exp(%x) #2");
}

static void operands(env *e) {
    tn_module *m = load(e, pb_bytes(model(e)));
    tn_op_set_operand(op_named(m, "y"), 1, tn_graph_find_value(m->main, "a"));
    tn_value_set_name(tn_graph_find_value(m->main, "w"), "weight");
    tn_value_set_name(tn_graph_find_value(m->main, "p"), "picked");
    tn_bytes out = written(e, m);
    assert_true(holds(out, "of an Add"));
    tn_module *back = load(e, out);
    expect(e, back, "%picked: ? = If(%c) @\"choice\"");
    expect(e, back, "%y: f32[2] = Add(%picked, %a)");
    expect(e, back, "const %weight: f32[2]");
}

static void attributes(env *e) {
    static const double floats[] = {0.5, -2};
    static const int64_t ints[] = {3, -4};
    tn_module *m = load(e, pb_bytes(model(e)));
    tn_op *op = op_named(m, "a");
    tn_op_set_attr(op, (tn_attr){.name = "axis", .kind = TN_ATTR_INT, .u.i = -1});
    tn_op_add_attr(op, (tn_attr){.name = "f", .kind = TN_ATTR_FLOAT, .u.f = 0.25});
    tn_op_add_attr(op, (tn_attr){.name = "fs", .kind = TN_ATTR_FLOATS, .n = 2, .u.floats = floats});
    tn_op_add_attr(op, (tn_attr){.name = "is", .kind = TN_ATTR_INTS, .n = 2, .u.ints = ints});
    tn_op_add_attr(op, (tn_attr){.name = "s", .kind = TN_ATTR_STRING, .u.s = {"a\"b", 3}});
    const tn_type *seq =
        tn_type_wrap(m->arena, TN_TYPE_SEQUENCE, TN_DT_UNKNOWN, m->main->inputs[0]->type);
    tn_op_add_attr(op, (tn_attr){.name = "t", .kind = TN_ATTR_TYPE, .u.type = seq});
    tn_op_add_attr(op, (tn_attr){.name = "w",
                                 .kind = TN_ATTR_TENSOR,
                                 .u.t = tn_graph_find_value(m->main, "w")->tensor});
    tn_module *back = again(e, m);
    expect(e, back,
           "%a: f32[2] = Softmax(%x) {axis = -1, f = 0.25, fs = floats [0.5, -2.0], "
           "is = [3, -4], s = \"a\\\"b\", t = type seq(f32[2]), w = tensor(f32[2], 8 bytes, "
           "floats [1.0, 1.0])}");
}

/* A node goes, others come, with an initializer that no file has; one body is changed. */
static void rewrite(env *e) {
    static const int64_t dims[] = {2}, ints[] = {7, 8};
    static const tn_tensor numbers = {
        .dtype = TN_DT_INT64, .rank = 1, .dims = dims, .n_elements = 2, .bytes = 16, .ints = ints};
    tn_module *m = load(e, pb_bytes(model(e)));
    tn_op *softmax = op_named(m, "a");
    tn_value *x = tn_graph_find_value(m->main, "x");
    tn_value *k = tn_graph_add_const(m->main, "k", &numbers);
    tn_op *cast = tn_op_new(m->main, "", "Cast", 18, "caster", softmax->loc);
    tn_op_add_operand(cast, k);
    tn_value *real = tn_op_add_result(cast, "k_real", x->type);
    tn_op_add_int(cast, "to", FLOAT);
    tn_op *mul = tn_op_new(m->main, "org.example", "Scale", 3, "", softmax->loc);
    tn_op_add_operand(mul, x);
    tn_op_add_operand(mul, NULL);
    tn_op_add_operand(mul, real);
    tn_value *scaled = tn_op_add_result(mul, "scaled", x->type);
    tn_op_move_before(cast, softmax);
    tn_op_move_before(mul, softmax);
    tn_replace_all_uses(softmax->results[0], scaled);
    tn_op_erase(softmax);
    tn_bytes out = written(e, m);
    assert_false(holds(out, "of a node"));
    tn_module *back = load(e, out);
    expect(e, back, "opset \"org.example\" 3");
    expect(e, back, "const %k: i64[2] = tensor(16 bytes, ints [7, 8])");
    expect(e, back, "%k_real: f32[2] = Cast(%k) @\"caster\" {to = 1} #0");
    expect(e, back, "%scaled: f32[2] = org.example::Scale(%x, _, %k_real) #1");
    expect(e, back, "%n: f32[2] = Neg(%scaled)");
    assert_int_equal(back->main->n_ops, 5);
    assert_null(tn_graph_find_value(back->main, "a"));
    same(written(e, back), out);
}

/* Fields that the main graph lists as inputs. */
static uint32_t inputs_of(env *e, tn_bytes model) {
    tn_wire_src src = {e->ctx, "m.onnx", model, false};
    tn_wire w = tn_wire_open(&src, model);
    uint32_t n = 0;
    for (tn_wire_field f; tn_wire_next(&w, &f);) {
        tn_wire graph = tn_wire_open(&src, f.bytes);
        for (tn_wire_field g; f.number == 7 && tn_wire_next(&graph, &g);) {
            n += g.number == G_INPUT;
        }
    }
    return n;
}

/* Before version 4 of the form an initializer is an input, too. */
static void old_initializers(env *e) {
    static const int64_t dims[] = {2}, ints[] = {7, 8};
    static const tn_tensor numbers = {
        .dtype = TN_DT_INT64, .rank = 1, .dims = dims, .n_elements = 2, .bytes = 16, .ints = ints};
    for (int version = 3; version <= 4; version++) {
        tn_module *m = load(e, pb_bytes(onnx_model(e->a, version, graph(e))));
        tn_graph_add_const(m->main, "k", &numbers);
        tn_bytes out = written(e, m);
        assert_int_equal(inputs_of(e, out), version == 3 ? 3 : 2);
        expect(e, load(e, out), "const %k: i64[2]");
    }
}

/* An output that another value takes the place of is another output. */
static void outputs(env *e) {
    tn_module *m = load(e, pb_bytes(model(e)));
    tn_op *last = op_named(m, "y");
    tn_replace_all_uses(last->results[0], tn_graph_find_value(m->main, "p"));
    tn_op_erase(last);
    expect(e, again(e, m), "return %p, %z");
}

static void fewer(env *e) {
    tn_bytes bytes = pb_bytes(model(e));
    tn_module *m = load(e, bytes);
    tn_value *z = tn_graph_find_value(m->main, "z"), *both[] = {z, m->main->outputs[0]};
    tn_graph_set_outputs(m->main, both, 2);
    expect(e, again(e, m), "return %z, %y");
    tn_graph_set_outputs(m->main, &z, 1);
    tn_op_remove_attr(op_named(m, "a"), "axis");
    tn_bytes out = written(e, m);
    assert_true(holds(out, "of a node") && !holds(out, "of an attribute"));
    tn_module *back = load(e, out);
    expect(e, back, "return %z\n");
    expect(e, back, "%a: f32[2] = Softmax(%x) #0");
}

static pb *function(env *e) {
    pb *f = pb_text(pb_text(pb_new(e->a), 1, "Twice"), 10, "local");
    pb_text(pb_text(f, 4, "q"), 5, "r");
    pb_msg(f, 7, onnx_node(e->a, "Neg", "q", "h"));
    pb_msg(f, 7, onnx_node(e->a, "Abs", "h", "r"));
    return pb_msg(f, 9, pb_int(pb_text(pb_new(e->a), 1, ""), 2, 18));
}

static pb *calling(env *e) {
    pb *g = pb_msg(pb_text(pb_new(e->a), 2, "g"), G_INPUT, onnx_value(e->a, "x", FLOAT, "2"));
    pb_msg(g, G_NODE, pb_text(onnx_node(e->a, "Twice", "x", "a"), 7, "local"));
    pb_msg(g, G_NODE, pb_text(onnx_node(e->a, "Twice", "a", "y"), 7, "local"));
    pb_msg(g, G_OUTPUT, onnx_value(e->a, "y", FLOAT, "2"));
    pb *m = onnx_model(e->a, 8, g);
    pb_msg(m, 8, pb_int(pb_text(pb_new(e->a), 1, "local"), 2, 1));
    return pb_msg(m, 25, function(e));
}

/* Of two calls one has another body now: it gets a function of its own. */
static void functions(env *e) {
    tn_bytes bytes = pb_bytes(calling(e));
    tn_module *m = load(e, bytes);
    same(written(e, m), bytes);
    tn_graph *body = op_named(m, "y")->regions[0];
    tn_op *neg = body->first;
    tn_replace_all_uses(neg->results[0], neg->operands[0].value);
    tn_op_erase(neg);
    tn_module *back = again(e, m);
    expect(e, back, "%a: ? = local::Twice(%x)");
    expect(e, back, "%y: f32[2] = local::Twice_0(%a)");
    assert_int_equal(op_named(back, "a")->regions[0]->n_ops, 2);
    assert_int_equal(op_named(back, "y")->regions[0]->n_ops, 1);
    m = load(e, bytes);
    body = op_named(m, "a")->regions[0];
    tn_graph_set_outputs(body, &body->first->results[0], 1);
    back = again(e, m);
    expect(e, back, "%a: ? = local::Twice_0(%x)");
    expect(e, back, "      return %h");
}

/* Notes of a plan go, at every level, and what was there for them alone; others stay. */
static void notes(env *e) {
    pb *plain = pb_text(pb_new(e->a), 2, "g"), *noted = pb_text(pb_new(e->a), 2, "g");
    pb *node = onnx_node(e->a, "Neg", "x", "h"), *last = onnx_node(e->a, "Abs", "h", "y");
    pb *x = onnx_value(e->a, "x", FLOAT, "2"), *y = onnx_value(e->a, "y", FLOAT, "2");
    pb *bare = pb_text(pb_new(e->a), 1, "h"), *old = entry(e, "tenure.plan.x", "1");
    pb_msg(pb_msg(pb_msg(pb_msg(plain, G_INPUT, x), G_NODE, node), G_NODE, last), G_OUTPUT, y);
    pb *m = pb_msg(onnx_model(e->a, 10, plain), 14, entry(e, "tenure.planet", "kept"));
    pb_msg(noted, G_INPUT, pb_msg(x, 4, old));
    pb_msg(noted, G_NODE, pb_msg(node, 9, old));
    pb_msg(pb_msg(noted, G_NODE, last), G_OUTPUT, y);
    pb_msg(pb_msg(noted, G_INFO, pb_msg(bare, 4, old)), 16, old);
    pb *with = pb_msg(onnx_model(e->a, 10, noted), 14, entry(e, "tenure.planet", "kept"));
    pb_msg(with, 14, entry(e, "tenure.plan.json", "{}"));
    tn_module *read = load(e, pb_bytes(with));
    assert_int_equal(read->origin.metadata.len, 1);
    same(written(e, read), pb_bytes(m));
}

/* Nothing recurses along what is nested. */
static void nesting(env *e) {
    enum { DEPTH = 300 };
    pb *g = pb_msg(pb_new(e->a), G_NODE, onnx_node(e->a, "Neg", "x", "y"));
    pb_msg(g, G_OUTPUT, onnx_value(e->a, "y", FLOAT, NULL));
    for (int i = 0; i < DEPTH; i++) {
        pb *node = onnx_node(e->a, "If", "c", "y");
        pb_msg(node, 5, onnx_attr_graph(e->a, "then_branch", g));
        g = pb_msg(pb_new(e->a), G_NODE, node);
        pb_msg(g, G_OUTPUT, onnx_value(e->a, "y", FLOAT, NULL));
    }
    pb_msg(g, G_INPUT, onnx_value(e->a, "x", FLOAT, "2"));
    pb_msg(g, G_INPUT, onnx_value(e->a, "c", BOOL, ""));
    tn_module *m = load(e, pb_bytes(onnx_model(e->a, 8, g)));
    tn_value_set_name(m->main->inputs[0], "renamed");
    tn_module *back = again(e, m);
    assert_int_equal(back->n_graphs, DEPTH + 1);
    expect(e, back, "= Neg(%renamed)");
}

static void from_text(env *e) {
    static const char text[] =
        "tir 1\nmodule \"m\"\nir_version 9\nproducer \"\" \"\"\nopset \"\" 18\n"
        "metadata \"who\" \"me\"\n\ngraph @0 \"m\" {\n  input %x: f32[n,4]\n  input %c: bool[]\n"
        "  const %s: i64[2] = tensor(16 bytes, ints [-1, 2])\n"
        "  %a: f32[n*2,2] = Reshape(%x, %s) #0\n"
        "  %y: f32[n*2,2] = If(%c) @\"if\" {else_branch = region 0, then_branch = region 1} #1\n"
        "    graph @1 \"e\" {\n      %u: f32[n*2,2] = Neg(%a) #0\n      return %u\n    }\n"
        "    graph @2 \"t\" {\n      %v: f32[n*2,2] = Abs(%a) #0\n      return %v\n    }\n"
        "  return %y\n}\n";
    tn_module *m = tn_module_parse(e->ctx, "m.tir", text, strlen(text));
    assert_non_null(m);
    tn_sink out = tn_sink_make(e->a);
    tn_module_print(again(e, m), &out);
    assert_string_equal(out.data, text);
}

static tn_status refused_body(tn_ctx *ctx, void *arg) {
    env e = {ctx, tn_arena_new(ctx), NULL};
    const tn_module *m = arg;
    (void)written(&e, m);
    return TN_OK;
}

static void refuse(env *e, const char *body, const char *message) {
    const char *head = "tir 1\nmodule \"m\"\n";
    const char *text = tn_arena_printf(e->a, "%sgraph \"g\" {\n%s}\n", head, body);
    tn_module *m = tn_module_parse(e->ctx, "m.tir", text, strlen(text));
    assert_non_null(m);
    assert_int_equal(tn_guard_run(e->ctx, refused_body, m), TN_ERROR);
    if (strstr(e->log->text, message) == NULL) {
        print_error("wanted: %s\ngot: %s\n", message, e->log->text);
        fail();
    }
}

static void refusals(env *e) {
    refuse(e, "  const %w: f32[2] = tensor(8 bytes)\n  return %w\n",
           "m.tir: error: initializer 'w' cannot be written: its elements are not known");
    refuse(e, "  input %x: f32[2]\n  %y: f32[2] = Neg(%x) #0\n  return %y\n",
           "no operator set of domain 'ai.onnx' is imported, so the version of Neg is not known");
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
        unit_run_logged(run_##name, &log);                                                         \
    }
BODY(verbatim)
BODY(order)
BODY(operands)
BODY(attributes)
BODY(rewrite)
BODY(outputs)
BODY(old_initializers)
BODY(fewer)
BODY(functions)
BODY(notes)
BODY(nesting)
BODY(from_text)
BODY(refusals)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verbatim),         cmocka_unit_test(test_order),
        cmocka_unit_test(test_operands),         cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_rewrite),          cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_old_initializers), cmocka_unit_test(test_fewer),
        cmocka_unit_test(test_functions),        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_nesting),          cmocka_unit_test(test_from_text),
        cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
