/* Each kind of damage to a module is found, and the sound module is not complained about. */
#include "ir/build.h"
#include "ir/text/text.h"
#include "ir/verify.h"
#include "tests/unit/unit.h"

static unit_log the_log;

static const char sound[] = "tir 1\n"
                            "opset \"\" 17\n"
                            "graph \"g\" {\n"
                            "  input %x: f32[2]\n"
                            "  const %w: f32[2] = tensor(8 bytes, floats [1.0, 2.0])\n"
                            "  %a: f32[2] = Relu(%x)\n"
                            "  %b: f32[2] !alias(view %a) = Odd(%a, %x, _, %a)\n"
                            "  %c: f32[2] = Nest(%b) {body = region 0}\n"
                            "    graph \"body\" {\n"
                            "      input %i: f32[2]\n"
                            "      %o: f32[2] = Odd(%i, %a, %w)\n"
                            "      return %o\n"
                            "    }\n"
                            "  %d: f32[2] = Odd(%c)\n"
                            "  return %d, %b\n"
                            "}\n"
                            "init \"t\" {\n"
                            "  %w1: f32[2] = Odd(%@0\"w\")\n"
                            "  return %w1\n"
                            "}\n"
                            "bind %w = %@2\"w1\"\n";

static tn_module *fresh(tn_ctx *ctx) {
    tn_module *m = tn_module_parse(ctx, "t.tir", sound, sizeof sound - 1);
    assert_non_null(m);
    assert_int_equal(tn_module_verify(m, true), TN_OK);
    return m;
}

static tn_value *value(tn_module *m, const char *name) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (strcmp(m->values[i]->name, name) == 0) {
            return m->values[i];
        }
    }
    fail();
    return NULL;
}

static tn_op *maker(tn_module *m, const char *name) {
    return value(m, name)->def;
}

/* ---- one function a damage ---- */

static void back_link(tn_module *m) {
    maker(m, "b")->prev = NULL;
}
static void op_count(tn_module *m) {
    m->main->n_ops++;
}
static void last_op(tn_module *m) {
    m->main->last = m->main->first;
}
static void op_graph(tn_module *m) {
    maker(m, "o")->graph = m->main;
}
static void op_erased(tn_module *m) {
    maker(m, "d")->erased = true;
}
static void op_id(tn_module *m) {
    maker(m, "d")->id = 0;
}
static void graph_id(tn_module *m) {
    m->graphs[1]->id = 0;
}
static void graph_depth(tn_module *m) {
    m->graphs[1]->depth = 7;
}
static void graph_owner(tn_module *m) {
    m->graphs[1]->owner = maker(m, "a");
}
static void second_main(tn_module *m) {
    m->graphs[2]->kind = TN_GRAPH_MAIN;
}
static void value_id(tn_module *m) {
    value(m, "d")->id = 0;
}
static void value_kind(tn_module *m) {
    value(m, "x")->kind = TN_VALUE_RESULT;
    value(m, "x")->def = m->main->first;
}
static void value_graph(tn_module *m) {
    value(m, "d")->graph = m->graphs[1];
}
static void same_name(tn_module *m) {
    value(m, "d")->name = value(m, "c")->name;
}
static void no_name(tn_module *m) {
    value(m, "d")->name = tn_intern(m->ctx, "");
}
static void twice(tn_module *m) {
    maker(m, "d")->results[0] = value(m, "c");
}
static void definition(tn_module *m) {
    value(m, "d")->def = maker(m, "a");
}
static void nowhere(tn_module *m) {
    maker(m, "d")->results[0] = NULL;
}
static void no_type(tn_module *m) {
    value(m, "d")->type = NULL;
}
static void bad_type(tn_module *m) {
    value(m, "d")->type = tn_type_wrap(m->arena, TN_TYPE_SEQUENCE, TN_DT_UNKNOWN, NULL);
}
static void output_flag(tn_module *m) {
    value(m, "c")->flags |= TN_VF_OUTPUT;
}
static void no_output_flag(tn_module *m) {
    value(m, "d")->flags &= ~(uint32_t)TN_VF_OUTPUT;
}
static void default_without_tensor(tn_module *m) {
    value(m, "x")->flags |= TN_VF_DEFAULT;
}
static void constant_without_tensor(tn_module *m) {
    value(m, "w")->tensor = NULL;
}
static tn_tensor *own_tensor(tn_module *m) {
    tn_value *w = value(m, "w");
    tn_tensor *t = tn_arena_regrow(m->arena, w->tensor, 1, 1, sizeof *t);
    w->tensor = t;
    return t;
}
static void tensor_elements(tn_module *m) {
    own_tensor(m)->n_elements = 3;
}
static void tensor_bytes(tn_module *m) {
    own_tensor(m)->bytes = 9;
}
static void tensor_dims(tn_module *m) {
    static const int64_t negative[] = {-2};
    own_tensor(m)->dims = negative;
}
static void too_much_content(tn_module *m) {
    value(m, "d")->n_content = 5000;
}
static void alias_without_kind(tn_module *m) {
    value(m, "b")->alias_kind = TN_ALIAS_NONE;
}
static void kind_without_alias(tn_module *m) {
    value(m, "d")->alias_kind = TN_ALIAS_VIEW;
}
static void alias_cycle(tn_module *m) {
    value(m, "a")->alias_kind = TN_ALIAS_VIEW;
    value(m, "a")->alias_of = value(m, "b");
}
static void use_count(tn_module *m) {
    value(m, "a")->n_uses = 2;
}
static void use_value(tn_module *m) {
    maker(m, "b")->operands[1].value = value(m, "a");
}
static void use_index(tn_module *m) {
    maker(m, "b")->operands[1].index = 0;
}
static void use_list(tn_module *m) {
    value(m, "a")->first_use = value(m, "a")->first_use->next;
}
static void use_dropped(tn_module *m) {
    maker(m, "b")->operands[1].value = NULL;
}
static void arity_in(tn_module *m) {
    tn_op_add_operand(maker(m, "a"), value(m, "x"));
}
static void arity_out(tn_module *m) {
    tn_op_add_result(maker(m, "a"), "extra", NULL);
}
static void code(tn_module *m) {
    maker(m, "a")->code = TN_OP_EXTERN;
}
static void region(tn_module *m) {
    maker(m, "c")->attrs[0].u.g = m->main;
}
static void region_owner(tn_module *m) {
    maker(m, "c")->regions[0] = m->graphs[2];
}
static void inner_read(tn_module *m) {
    tn_op_add_operand(maker(m, "d"), value(m, "o"));
}
static void init_read(tn_module *m) {
    tn_op_add_operand(maker(m, "w1"), value(m, "a"));
}
static void output_inside(tn_module *m) {
    tn_graph_add_output(m->main, value(m, "o"));
}
static void binding(tn_module *m) {
    m->bindings[0].value = NULL;
}
/* Only wrong where the order counts. */
static void order(tn_module *m) {
    tn_op_add_operand(maker(m, "b"), value(m, "d"));
}
static void own_result(tn_module *m) {
    tn_op_add_operand(maker(m, "o"), value(m, "c"));
}

static const struct {
    void (*damage)(tn_module *m);
    const char *message;
    bool order_only;
} cases[] = {
    {back_link, "does not link back", false},
    {op_count, "the list of ops holds 4, the graph says 5", false},
    {last_op, "the list of ops holds", false},
    {op_graph, "in the list of a graph it does not name", false},
    {op_erased, "an erased op is in the list", false},
    {op_id, "the op has id 0", false},
    {graph_id, "graph 1 has id 0", false},
    {graph_depth, "depth 7 does not fit", false},
    {graph_owner, "the graph is not region 0 of its owner", false},
    {second_main, "a module has one main graph", false},
    {value_id, "value 'd' has id 0", false},
    {value_kind, "value 'x' has the wrong kind or graph", false},
    {value_graph, "value 'd' has the wrong kind or graph", false},
    {same_name, "two values of the graph have the name 'c'", false},
    {no_name, "a value has no name", false},
    {twice, "value 'c' is defined twice", false},
    {definition, "result 0, 'd', does not name the op", false},
    {nowhere, "value 'd' is defined nowhere", false},
    {no_type, "value 'd' has no type", false},
    {bad_type, "the type of 'd' is malformed", false},
    {output_flag, "value 'c' is wrongly marked as an output", false},
    {no_output_flag, "value 'd' is wrongly marked as an output", false},
    {default_without_tensor, "value 'x' needs a tensor", false},
    {constant_without_tensor, "value 'w' needs a tensor", false},
    {tensor_elements, "the tensor of 'w' has 3 elements, its shape says 2", false},
    {tensor_bytes, "the tensor of 'w' has 9 bytes", false},
    {tensor_dims, "the tensor of 'w' has a bad dimension 0", false},
    {too_much_content, "value 'd' has 5000 known elements; the limit is 4096", false},
    {alias_without_kind, "'b' has an alias kind without", false},
    {kind_without_alias, "'d' has an alias kind without", false},
    {alias_cycle, "form a cycle", false},
    {use_count, "value 'a' has 2 uses", false},
    {use_value, "a use of 'x' does not agree with its op", false},
    {use_index, "operand 1 does not know its place", false},
    {use_list, "operand 0 is not among the uses of 'a'", false},
    {use_dropped, "a use of 'x' does not agree with its op", false},
    {arity_in, "2 operands where Relu takes 1 to 1", false},
    {arity_out, "2 results where Relu has at most 1", false},
    {code, "the op's code is not that of its type", false},
    {region, "attribute 'body' names a graph that is no region", false},
    {region_owner, "region 0 of the op does not link back to it", false},
    {inner_read, "value 'o' of graph 'Nest_2/body' cannot be seen here", false},
    {init_read, "value 'a' of graph '' cannot be seen here", false},
    {output_inside, "value 'o' of graph 'Nest_2/body' cannot be seen here", false},
    {binding, "binding 0 names a value that is not there", false},
    {order, "value 'd' is read before it is defined", true},
    {own_result, "value 'c' is read before it is defined", true},
};

static tn_status finds(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_module *m = fresh(ctx);
        cases[i].damage(m);
        the_log.len = 0;
        tn_status unordered = tn_module_verify(m, false);
        assert_int_equal(unordered, cases[i].order_only ? TN_OK : TN_ERROR);
        assert_int_equal(tn_module_verify(m, true), TN_ERROR);
        if (strstr(the_log.text, cases[i].message) == NULL) {
            fail_msg("expected '%s', got '%s'", cases[i].message, the_log.text);
        }
        tn_module_drop(m);
    }
    return TN_OK;
}

/* Twenty messages and a count of the rest. */
static tn_status stops(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = tn_module_new(ctx, "m", "f");
    for (int i = 0; i < 30; i++) {
        tn_graph_add_input(m->main, "x", NULL);
    }
    uint32_t before = ctx->n_errors;
    assert_int_equal(tn_module_verify(m, false), TN_ERROR);
    assert_int_equal(ctx->n_errors - before, 20);
    assert_non_null(strstr(the_log.text, "note: 9 more"));
    return TN_OK;
}

UNIT_TEST_LOGGED(finds, the_log)
UNIT_TEST_LOGGED(stops, the_log)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_finds), cmocka_unit_test(test_stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
