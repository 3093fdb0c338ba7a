/* ir.h: graphs built from nothing, read and changed; what is refused. */
#include <stdlib.h>

#include "tests/unit/ir_case.h"

static char *text_of(fixture *f) {
    static char text[8192];
    tenure_buffer *b;
    assert_int_equal(tenure_model_print(f->model, &b), TENURE_OK);
    snprintf(text, sizeof text, "%s", tenure_buffer_data(b));
    tenure_buffer_free(b);
    return text;
}

/* A model that was built is the one that its text is, and its plan the one of that text. */
static void test_built_is_loaded(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    assert_non_null(c.y);
    char *text = text_of(f);
    assert_non_null(strstr(text, "const %w: f32[2,3] = tensor(24 bytes, floats [1.0, 2.0"));
    assert_non_null(strstr(text, "%h: ? = MatMul(%x, %w) @\"fc\" #0"));
    tenure_options *options = tenure_options_new(f->ctx);
    assert_int_equal(tenure_options_set(options, "dim", "n=5"), TENURE_OK);
    tenure_model *loaded = tenure_load_memory(f->ctx, "net", text, strlen(text), options);
    assert_non_null(loaded);
    assert_int_equal(tenure_model_bind_dims(f->model, options), TENURE_OK);
    tenure_plan *a, *b;
    tenure_buffer *x, *y;
    assert_int_equal(tenure_plan_make(f->model, options, &a), TENURE_OK);
    assert_int_equal(tenure_plan_make(loaded, options, &b), TENURE_OK);
    assert_int_equal(tenure_plan_emit(a, "json", NULL, &x), TENURE_OK);
    assert_int_equal(tenure_plan_emit(b, "json", NULL, &y), TENURE_OK);
    assert_string_equal(tenure_buffer_data(x), tenure_buffer_data(y));
    assert_int_equal(tenure_plan_arena_size(a), 0); /* h lies where y will */
    tenure_context_free(f->ctx);
}

/* What a plan says of dimensions is so: bound once, and before planning. */
static void test_dims_agree(void **state) {
    (void)state;
    fixture *f = set_up();
    assert_non_null(build_chain(f).y);
    tenure_options *five = tenure_options_new(f->ctx), *six = tenure_options_new(f->ctx);
    assert_int_equal(tenure_options_set(five, "dim", "n=5"), TENURE_OK);
    assert_int_equal(tenure_options_set(six, "dim", "n=6"), TENURE_OK);
    tenure_plan *plan;
    assert_int_equal(tenure_plan_make(f->model, five, &plan), TENURE_USAGE);
    assert_null(plan);
    assert_int_equal(tenure_model_bind_dims(f->model, five), TENURE_OK);
    assert_int_equal(tenure_model_bind_dims(f->model, six), TENURE_USAGE);
    assert_int_equal(tenure_plan_make(f->model, six, &plan), TENURE_USAGE);
    assert_int_equal(tenure_model_bind_dims(f->model, five), TENURE_OK);
    assert_int_equal(tenure_plan_make(f->model, five, &plan), TENURE_OK);
    tenure_context_free(f->ctx);
}

static void test_read_graphs(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    const char *domain;
    int64_t version;
    assert_string_equal(tenure_model_name(f->model), "net");
    assert_true(tenure_model_opset(f->model, 0, &domain, &version));
    assert_string_equal(domain, "");
    assert_int_equal(version, 17);
    assert_false(tenure_model_opset(f->model, 1, &domain, &version));
    assert_string_equal(tenure_graph_name(f->main), "net");
    assert_string_equal(tenure_graph_path(f->main), "");
    assert_null(tenure_graph_owner(f->main));
    assert_ptr_equal(tenure_graph_model(f->main), f->model);
    assert_ptr_equal(tenure_graph_input(f->main, 0), c.x);
    assert_null(tenure_graph_input(f->main, 1));
    assert_ptr_equal(tenure_graph_constant(f->main, 0), c.w);
    assert_ptr_equal(tenure_graph_output(f->main, 0), c.y);
    assert_ptr_equal(tenure_graph_find(f->main, "h"), c.h);
    assert_null(tenure_graph_find(f->main, "i"));
    assert_int_equal(tenure_graph_op_count(f->main), 2);
    assert_ptr_equal(tenure_graph_first(f->main), c.product);
    assert_ptr_equal(tenure_op_next(c.product), c.relu);
    assert_null(tenure_op_next(c.relu));
    tenure_context_free(f->ctx);
}

static void test_read_ops(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    size_t at;
    assert_string_equal(tenure_op_domain(c.relu), "");
    assert_string_equal(tenure_op_type(c.relu), "Relu");
    assert_string_equal(tenure_op_name(c.product), "fc");
    assert_int_equal(tenure_op_version(c.relu), 17);
    assert_ptr_equal(tenure_op_graph(c.relu), f->main);
    assert_false(tenure_op_is_removed(c.relu));
    assert_int_equal(tenure_op_operand_count(c.product), 2);
    assert_ptr_equal(tenure_op_operand(c.product, 1), c.w);
    assert_int_equal(tenure_op_result_count(c.relu), 1);
    assert_ptr_equal(tenure_op_result(c.relu, 0), c.y);
    assert_null(tenure_op_result(c.relu, 1));
    assert_string_equal(tenure_value_name(c.h), "h");
    assert_ptr_equal(tenure_value_graph(c.h), f->main);
    assert_int_equal(tenure_value_get_kind(c.w), TENURE_VALUE_CONSTANT);
    assert_int_equal(tenure_value_flags(c.y), TENURE_VALUE_OUTPUT);
    assert_ptr_equal(tenure_value_producer(c.h, &at), c.product);
    assert_int_equal(at, 0);
    assert_null(tenure_value_producer(c.x, NULL));
    assert_int_equal(tenure_value_use_count(c.w), 1);
    assert_ptr_equal(tenure_value_use(c.w, 0, &at), c.product);
    assert_int_equal(at, 1);
    assert_null(tenure_value_use(c.w, 1, NULL));
    tenure_context_free(f->ctx);
}

static void test_types(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    static const int64_t dims[] = {2, -1};
    assert_string_equal(tenure_type_text(f->ctx, TENURE_FLOAT16, 2, dims), "f16[2,?]");
    assert_string_equal(tenure_type_text(f->ctx, TENURE_INT64, 0, NULL), "i64[]");
    assert_string_equal(tenure_value_type(c.h), "?");
    assert_int_equal(tenure_value_rank(c.h), -1);
    assert_int_equal(tenure_model_run(f->model, "infer-shapes,alias-views,inplace"), TENURE_OK);
    assert_string_equal(tenure_value_type(c.h), "f32[n,3]");
    assert_int_equal(tenure_value_dtype(c.h), TENURE_FLOAT);
    assert_int_equal(tenure_value_rank(c.h), 2);
    assert_int_equal(tenure_value_extent(c.h, 0), -1);
    assert_int_equal(tenure_value_extent(c.h, 1), 3);
    assert_string_equal(tenure_value_dim(c.h, 0), "n");
    assert_null(tenure_value_dim(c.h, 2));
    assert_int_equal(tenure_value_set_type(c.h, NULL), TENURE_OK);
    assert_string_equal(tenure_value_type(c.h), "?");
    assert_int_equal(tenure_value_set_type(c.h, "f32[n,"), TENURE_ERROR);
    SAYS(f, "net: node 'fc' (MatMul, #0): error: tenure_value_set_type: 'f32[n,' is not a type");
    assert_int_equal(tenure_value_set_type(c.w, "f32[6]"), TENURE_ERROR);
    SAYS(f, "the type of 'w' is that of its data");
    tenure_context_free(f->ctx);
}

/* Passes decide on aliases, a verification forgets nothing, a change does. */
static void test_aliases(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    tenure_value *of;
    int64_t offset;
    assert_int_equal(tenure_value_set_type(c.x, "f32[5,2]"), TENURE_OK);
    assert_int_equal(tenure_model_run(f->model, "infer-shapes,inplace"), TENURE_OK);
    assert_int_equal(tenure_model_verify(f->model), TENURE_OK);
    assert_int_equal(tenure_value_alias(c.y, &of, &offset), TENURE_ALIAS_INPLACE);
    assert_ptr_equal(of, c.h);
    assert_int_equal(offset, 0);
    assert_int_equal(tenure_value_alias(c.h, &of, &offset), TENURE_ALIAS_NONE);
    assert_null(of);
    assert_non_null(tenure_graph_add_op(f->main, "my", "Reader", "", &c.h, 1));
    assert_int_equal(tenure_model_verify(f->model), TENURE_OK);
    assert_int_equal(tenure_value_alias(c.y, &of, &offset), TENURE_ALIAS_NONE);
    tenure_context_free(f->ctx);
}

static void test_data(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    static const int64_t dims[] = {3};
    static uint8_t packed[] = {0x21, 0x0f};
    tenure_tensor t = {.struct_size = sizeof t, .dtype = TENURE_INT4, .rank = 1, .dims = dims};
    tenure_tensor got = {.struct_size = sizeof got};
    tenure_buffer *b;
    tenure_value *v = tenure_graph_add_constant(f->main, "i", &t, packed, TENURE_DATA_BORROW);
    assert_true(tenure_value_tensor(v, &got));
    assert_int_equal(got.size, 2);
    assert_int_equal(got.n_elements, 3);
    assert_int_equal(got.ints[1], 2);
    assert_int_equal(got.ints[2], -1);
    assert_int_equal(tenure_value_bytes(v, &b), TENURE_OK);
    assert_memory_equal(tenure_buffer_data(b), packed, 2);
    assert_int_equal(tenure_value_bytes(c.w, &b), TENURE_OK);
    assert_memory_equal(tenure_buffer_data(b), weights, sizeof weights);
    assert_int_equal(tenure_value_bytes(c.x, &b), TENURE_ERROR);
    assert_null(b);
    SAYS(f, "'x' has no data");
    v = tenure_graph_add_constant(f->main, "later", &t, NULL, TENURE_DATA_COPY);
    assert_true(tenure_value_tensor(v, &got));
    assert_null(got.ints);
    assert_int_equal(tenure_value_bytes(v, &b), TENURE_ERROR);
    SAYS(f, "'later' has data that are not at hand");
    t.size = 3;
    assert_null(tenure_graph_add_constant(f->main, "", &t, packed, TENURE_DATA_COPY));
    SAYS(f, "the tensor has 3 bytes, its type and extents say 2");
    t.dtype = TENURE_STRING;
    assert_null(tenure_graph_add_constant(f->main, "", &t, packed, TENURE_DATA_COPY));
    SAYS(f, "tensors of element type 8 have no bytes");
    t.rank = 65;
    assert_null(tenure_graph_add_constant(f->main, "", &t, packed, TENURE_DATA_COPY));
    SAYS(f, "the tensor has rank 65; the limit is 64");
    t.struct_size = 4;
    assert_null(tenure_graph_add_constant(f->main, "", &t, packed, TENURE_DATA_COPY));
    SAYS(f, "tensor->struct_size is 4");
    tenure_context_free(f->ctx);
}

static const int64_t three_ints[] = {3, 1, 2};

/* An op with an attribute of each kind. */
static tenure_op *add_with_attributes(fixture *f, tenure_value *x) {
    static const double floats[] = {0.5, -1};
    static const char *const texts[] = {"a", "bc"};
    static const int64_t one = 1;
    tenure_tensor t = {.struct_size = sizeof t, .dtype = TENURE_INT64, .rank = 1, .dims = &one};
    tenure_op *op = tenure_graph_add_op(f->main, "my", "Op", "op", &x, 1);
    assert_int_equal(tenure_op_set_int(op, "i", 7), TENURE_OK);
    assert_int_equal(tenure_op_set_ints(op, "is", three_ints, 3), TENURE_OK);
    assert_int_equal(tenure_op_set_float(op, "f", 0.25), TENURE_OK);
    assert_int_equal(tenure_op_set_floats(op, "fs", floats, 2), TENURE_OK);
    assert_int_equal(tenure_op_set_string(op, "s", "x\0y", 3), TENURE_OK);
    assert_int_equal(tenure_op_set_strings(op, "ss", texts, 2), TENURE_OK);
    assert_int_equal(tenure_op_set_tensor(op, "t", &t, three_ints, TENURE_DATA_COPY), TENURE_OK);
    assert_int_equal(tenure_op_set_type(op, "type", "seq(f32[2])"), TENURE_OK);
    return op;
}

static void test_attributes(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    tenure_tensor t = {.struct_size = sizeof t};
    tenure_attribute a = {.struct_size = sizeof a};
    tenure_op *op = add_with_attributes(f, c.y);
    assert_true(tenure_op_find_attribute(op, "i", &a));
    assert_int_equal(a.count, 1);
    assert_int_equal(a.ints[0], 7);
    assert_true(tenure_op_attribute(op, 1, &a));
    assert_string_equal(a.name, "is");
    assert_memory_equal(a.ints, three_ints, sizeof three_ints);
    assert_true(tenure_op_find_attribute(op, "fs", &a));
    assert_true(a.floats[1] < 0 && a.ints == NULL && tenure_attribute_text(&a, 0, NULL) == NULL);
    size_t size;
    assert_true(tenure_op_find_attribute(op, "s", &a));
    assert_memory_equal(tenure_attribute_text(&a, 0, &size), "x\0y", 4);
    assert_int_equal(size, 3);
    assert_true(tenure_op_find_attribute(op, "ss", &a));
    assert_string_equal(tenure_attribute_text(&a, 1, NULL), "bc");
    assert_null(tenure_attribute_text(&a, 2, NULL));
    assert_true(tenure_op_find_attribute(op, "t", &a));
    assert_true(tenure_attribute_tensor(&a, 0, &t));
    assert_int_equal(t.ints[0], 3);
    assert_string_equal(tenure_op_attribute_type(op, "type", 0), "seq(f32[2])");
    assert_null(tenure_op_attribute_type(op, "type", 1));
    assert_null(tenure_op_attribute_type(op, "i", 0));
    tenure_context_free(f->ctx);
}

static void test_attributes_change(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    tenure_attribute a = {.struct_size = sizeof a};
    tenure_op *op = add_with_attributes(f, c.y);
    assert_int_equal(tenure_op_set_float(op, "i", 1), TENURE_OK); /* another kind */
    assert_true(tenure_op_attribute(op, 0, &a));
    assert_int_equal(a.kind, TENURE_ATTR_FLOAT);
    assert_int_equal(tenure_op_remove_attribute(op, "i"), TENURE_OK);
    assert_int_equal(tenure_op_remove_attribute(op, "i"), TENURE_ERROR);
    SAYS(f,
         "net: node 'op' (Op, #2): error: tenure_op_remove_attribute: attribute 'i' is not there");
    assert_true(tenure_op_attribute(op, 0, &a));
    assert_string_equal(a.name, "is");
    assert_int_equal(tenure_op_set_int(op, "", 7), TENURE_ERROR);
    SAYS(f, "an attribute needs a name");
    tenure_op *other = tenure_graph_add_op(f->main, "my", "Op", "other", &c.y, 1);
    assert_int_equal(tenure_op_copy_attributes(other, op), TENURE_OK);
    assert_true(tenure_op_attribute(other, 6, &a));
    assert_string_equal(a.name, "type");
    assert_true(tenure_op_find_attribute(other, "ss", &a));
    assert_string_equal(tenure_attribute_text(&a, 1, NULL), "bc");
    assert_int_equal(tenure_model_verify(f->model), TENURE_OK);
    tenure_context_free(f->ctx);
}

/* y = c ? Neg(x) : x */
typedef struct choice {
    tenure_value *x, *y;
    tenure_op *pick, *neg;
    tenure_graph *yes, *no;
} choice;

static choice build_choice(fixture *f) {
    choice c;
    tenure_value *truth = tenure_graph_add_input(f->main, "c", "bool[]");
    c.x = tenure_graph_add_input(f->main, "x", "f32[8]");
    c.pick = tenure_graph_add_op(f->main, "", "If", "pick", &truth, 1);
    c.yes = tenure_op_add_body(c.pick, "then_branch", "yes");
    c.no = tenure_op_add_body(c.pick, "else_branch", "no");
    c.neg = tenure_graph_add_op(c.yes, "", "Neg", "", &c.x, 1);
    tenure_value *n = tenure_op_add_result(c.neg, "n", NULL);
    assert_int_equal(tenure_graph_add_output(c.yes, n), TENURE_OK);
    assert_int_equal(tenure_graph_add_output(c.no, c.x), TENURE_OK);
    c.y = tenure_op_add_result(c.pick, "y", NULL);
    assert_int_equal(tenure_graph_add_output(f->main, c.y), TENURE_OK);
    return c;
}

static void test_bodies(void **state) {
    (void)state;
    fixture *f = set_up();
    choice c = build_choice(f);
    tenure_plan *plan;
    assert_null(tenure_op_add_body(c.pick, "else_branch", "again"));
    SAYS(f, "the op has an attribute 'else_branch' already");
    assert_null(tenure_op_add_body(c.pick, "", "function"));
    SAYS(f, "the body of a called function is the only one of its op");
    assert_ptr_equal(tenure_op_body(c.pick, 1), c.no);
    assert_null(tenure_op_body(c.pick, 2));
    assert_string_equal(tenure_op_body_attribute(c.pick, 0), "then_branch");
    assert_string_equal(tenure_graph_path(c.yes), "pick/yes");
    assert_ptr_equal(tenure_graph_owner(c.yes), c.pick);
    assert_ptr_equal(tenure_model_graph(f->model, 2), c.no);
    assert_int_equal(tenure_op_set_int(c.pick, "then_branch", 1), TENURE_ERROR);
    SAYS(f, "attribute 'then_branch' holds a graph");
    assert_int_equal(tenure_op_remove_attribute(c.pick, "then_branch"), TENURE_ERROR);
    assert_int_equal(tenure_plan_make(f->model, NULL, &plan), TENURE_OK);
    tenure_context_free(f->ctx);
}

/* A call of a function: its body may see nothing outside. */
static void test_function(void **state) {
    (void)state;
    fixture *f = set_up();
    tenure_value *x = tenure_graph_add_input(f->main, "x", "f32[8]");
    tenure_op *call = tenure_graph_add_op(f->main, "my", "Twice", "call", &x, 1);
    tenure_graph *body = tenure_op_add_body(call, "", "Twice");
    tenure_value *arg = tenure_graph_add_input(body, "arg", "f32[8]");
    tenure_value *both[] = {arg, arg};
    tenure_op *add = tenure_graph_add_op(body, "", "Add", "", both, 2);
    tenure_value *sum = tenure_op_add_result(add, "sum", NULL);
    assert_int_equal(tenure_graph_add_output(body, sum), TENURE_OK);
    tenure_value *z = tenure_op_add_result(call, "z", NULL);
    assert_int_equal(tenure_graph_set_outputs(f->main, &z, 1), TENURE_OK);
    assert_string_equal(tenure_op_body_attribute(call, 0), "");
    assert_int_equal(tenure_model_run(f->model, "infer-shapes"), TENURE_OK);
    assert_string_equal(tenure_value_type(z), "f32[8]");
    tenure_plan *plan;
    assert_int_equal(tenure_plan_make(f->model, NULL, &plan), TENURE_OK);
    tenure_context_free(f->ctx);
}

/* An op is taken out with all that is in it. */
static void test_remove_bodies(void **state) {
    (void)state;
    fixture *f = set_up();
    choice c = build_choice(f);
    tenure_plan *plan;
    assert_int_equal(tenure_op_remove(c.pick), TENURE_ERROR);
    SAYS(f, "'y', which goes with it, is needed still");
    assert_int_equal(tenure_value_replace(c.y, c.x), TENURE_OK);
    assert_int_equal(tenure_op_remove(c.pick), TENURE_OK);
    assert_true(tenure_op_is_removed(c.pick));
    assert_true(tenure_op_is_removed(c.neg));
    assert_int_equal(tenure_graph_op_count(c.yes), 0);
    assert_int_equal(tenure_value_use_count(c.x), 0);
    assert_null(tenure_graph_add_input(c.yes, "late", "f32[8]"));
    SAYS(f, "the op has been removed");
    assert_int_equal(tenure_plan_make(f->model, NULL, &plan), TENURE_OK);
    tenure_context_free(f->ctx);
}

static void test_changes(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    tenure_plan *plan;
    assert_int_equal(tenure_op_remove(c.product), TENURE_ERROR);
    SAYS(f, "net: node 'fc' (MatMul, #0): error: tenure_op_remove: its result 'h' is needed still");
    /* Exp in place of Relu, in front of it. */
    tenure_op *exp = tenure_graph_add_op(f->main, "", "Exp", "exp", &c.h, 1);
    tenure_value *e = tenure_op_add_result(exp, "e", NULL);
    assert_int_equal(tenure_value_replace(c.y, e), TENURE_OK);
    assert_ptr_equal(tenure_graph_output(f->main, 0), e);
    assert_int_equal(tenure_op_remove(c.relu), TENURE_OK);
    assert_int_equal(tenure_op_remove(c.relu), TENURE_ERROR);
    SAYS(f, "the op has been removed");
    assert_int_equal(tenure_value_rename(c.y, "z"), TENURE_ERROR);
    SAYS(f, "the op that makes 'y' has been removed");
    assert_int_equal(tenure_value_rename(e, "y"), TENURE_OK);
    assert_int_equal(tenure_model_verify(f->model), TENURE_OK);
    /* Too early, and back again. */
    assert_int_equal(tenure_op_move(exp, c.product), TENURE_OK);
    assert_int_equal(tenure_plan_make(f->model, NULL, &plan), TENURE_ERROR);
    SAYS(f, "net: node 'exp' (Exp, #0): error: value 'h' is read before it is defined");
    assert_int_equal(tenure_model_print(f->model, &(tenure_buffer *){NULL}), TENURE_ERROR);
    assert_int_equal(tenure_op_move(exp, NULL), TENURE_OK);
    assert_int_equal(tenure_op_move(exp, c.relu), TENURE_ERROR);
    SAYS(f, "not in the same graph");
    /* Operands. */
    assert_int_equal(tenure_op_set_operand(exp, 1, c.x), TENURE_ERROR);
    SAYS(f, "operand 1 of an op with 1 operands");
    assert_int_equal(tenure_op_set_operand(exp, 0, c.x), TENURE_OK);
    assert_int_equal(tenure_op_remove(c.product), TENURE_OK);
    assert_int_equal(tenure_op_add_operand(exp, c.x), TENURE_OK);
    assert_int_equal(tenure_model_verify(f->model), TENURE_ERROR);
    SAYS(f, "2 operands where Exp takes 1 to 1");
    assert_int_equal(tenure_op_set_operand(exp, 0, c.h), TENURE_ERROR);
    SAYS(f, "the op that makes 'h' has been removed");
    tenure_context_free(f->ctx);
}

static void test_flags_and_bindings(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    tenure_placement at = {.struct_size = sizeof at};
    tenure_storage s = {.struct_size = sizeof s};
    const char *key, *value;
    assert_int_equal(tenure_value_set_flags(c.h, TENURE_VALUE_EXCLUDED, 0), TENURE_OK);
    assert_int_equal(tenure_value_flags(c.h), TENURE_VALUE_EXCLUDED | TENURE_VALUE_PINNED);
    assert_int_equal(tenure_value_set_flags(c.h, TENURE_VALUE_STATE, 0), TENURE_ERROR);
    SAYS(f, "flags 0x40 of 'h' are not for setting");
    assert_int_equal(tenure_value_set_type(c.x, "f32[5,2]"), TENURE_OK);
    tenure_plan *plan;
    assert_int_equal(tenure_plan_make(f->model, NULL, &plan), TENURE_OK);
    assert_true(tenure_plan_find(plan, "h", &at));
    assert_true(tenure_plan_storage(plan, at.storage, &s));
    assert_true(s.pinned);
    assert_int_equal(tenure_value_set_flags(c.h, 0, TENURE_VALUE_EXCLUDED), TENURE_OK);
    assert_int_equal(tenure_value_flags(c.h), 0);

    assert_int_equal(tenure_model_set_metadata(f->model, "tenure.exclude", "h"), TENURE_OK);
    assert_int_equal(tenure_model_set_metadata(f->model, "tenure.exclude", "y"), TENURE_OK);
    assert_true(tenure_model_metadata(f->model, 0, &key, &value));
    assert_string_equal(value, "y");
    assert_false(tenure_model_metadata(f->model, 1, &key, &value));

    tenure_value *state_value = tenure_graph_add_input(f->main, "s", "f32[5,3]"), *a, *b;
    assert_int_equal(tenure_model_bind(f->model, c.h, c.y), TENURE_ERROR);
    SAYS(f, "'h' is neither an input nor a constant of the main graph");
    assert_int_equal(tenure_model_bind(f->model, state_value, c.h), TENURE_OK);
    assert_true(tenure_model_binding(f->model, 0, &a, &b));
    assert_ptr_equal(a, state_value);
    assert_ptr_equal(b, c.h);
    uint32_t bound;
    assert_int_equal(tenure_plan_make(f->model, NULL, &plan), TENURE_OK);
    assert_true(tenure_plan_binding(plan, 0, &key, &bound));
    assert_string_equal(key, "s");
    tenure_context_free(f->ctx);
}

static void test_refused(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    tenure_model *other = tenure_model_new(f->ctx, "other", NULL);
    tenure_graph *elsewhere = tenure_model_graph(other, 0);
    assert_null(tenure_graph_add_op(elsewhere, "", "Relu", "", &c.h, 1));
    SAYS(f, "other: error: tenure_graph_add_op: value 'h' belongs to another model");
    assert_int_equal(tenure_graph_add_output(elsewhere, c.h), TENURE_ERROR);
    assert_int_equal(tenure_graph_op_count(elsewhere), 0);
    assert_null(tenure_graph_add_op(f->main, "", "", "", NULL, 0));
    SAYS(f, "an op needs a type");
    assert_int_equal(tenure_model_import(f->model, "", 18), TENURE_ERROR);
    SAYS(f, "operator set '' is imported already");
    assert_int_equal(tenure_model_import(f->model, "my", 0), TENURE_ERROR);
    assert_null(tenure_graph_add_input(f->main, "x", "f32[oops"));
    assert_non_null(tenure_graph_add_input(f->main, "x", "f32[]"));
    assert_int_equal(tenure_model_verify(f->model), TENURE_ERROR);
    SAYS(f, "net: error: two values of the graph have the name 'x'");
    tenure_value *none = NULL;
    assert_int_equal(tenure_graph_set_outputs(f->main, &none, 1), TENURE_ERROR);
    SAYS(f, "output 0 is NULL");
    char *longest = malloc(70000);
    memset(longest, 'x', 69999);
    longest[69999] = '\0';
    assert_null(tenure_graph_add_input(f->main, longest, "f32[]"));
    SAYS(f, "the name has 69999 bytes, the limit is 65536");
    free(longest);
    tenure_context_free(f->ctx);
}

static void test_op_facts(void **state) {
    (void)state;
    tenure_op_facts facts = {.struct_size = sizeof facts};
    assert_true(tenure_op_find_facts("", "Reshape", &facts));
    assert_int_equal(facts.view, TENURE_VIEW_WHOLE);
    assert_string_equal(facts.view_of, "data");
    assert_true(facts.infers_shapes);
    assert_int_equal(facts.most_results, 1);
    assert_true(tenure_op_find_facts("ai.onnx", "If", &facts));
    assert_true(facts.has_bodies);
    assert_false(tenure_op_find_facts("", "Rehape", &facts));
    fixture *f = set_up();
    chain c = build_chain(f);
    assert_true(tenure_op_get_facts(c.product, &facts));
    assert_string_equal(facts.name, "MatMul");
    tenure_op *own = tenure_graph_add_op(f->main, "my", "Op", "", NULL, 0);
    assert_false(tenure_op_get_facts(own, &facts));
    tenure_context_free(f->ctx);
}

/* What kernels' facts say holds for ops of a built model, as for those of one that is loaded. */
static void test_facts_of_kernels(void **state) {
    (void)state;
    static const char path[] = TENURE_SOURCE "/tests/api/own_facts.json";
    fixture *f = set_up();
    tenure_options *options = tenure_options_new(f->ctx);
    assert_int_equal(tenure_options_set(options, "op-facts", path), TENURE_OK);
    tenure_model *model = tenure_model_new(f->ctx, "with facts", options);
    assert_non_null(model);
    tenure_graph *g = tenure_model_graph(model, 0);
    tenure_value *x = tenure_graph_add_input(g, "x", "f32[64]");
    for (int i = 0; i < 3; i++) {
        tenure_op *op = tenure_graph_add_op(g, "my", "Mine", "", &x, 1);
        tenure_op_facts facts = {.struct_size = sizeof facts};
        assert_true(tenure_op_get_facts(op, &facts));
        assert_string_equal(facts.in_place, "Y over X (same)");
        x = tenure_op_add_result(op, NULL, "f32[64]");
    }
    assert_int_equal(tenure_graph_add_output(g, x), TENURE_OK);
    tenure_plan *plan;
    tenure_figures figures = {.struct_size = sizeof figures};
    assert_int_equal(tenure_plan_make(model, options, &plan), TENURE_OK);
    assert_true(tenure_plan_figures(plan, &figures));
    assert_int_equal(figures.n_inplace, 2);
    assert_int_equal(tenure_options_set(options, "op-facts", "/no/such/file"), TENURE_OK);
    assert_null(tenure_model_new(f->ctx, "nothing", options));
    SAYS(f, "/no/such/file");
    tenure_context_free(f->ctx);
}

/* A struct of another age: less is filled, or more set to 0. */
static void test_struct_sizes(void **state) {
    (void)state;
    struct {
        tenure_op_facts facts;
        uint64_t later[2];
    } newer = {.facts = {.struct_size = sizeof newer}, .later = {7, 7}};
    assert_true(tenure_op_find_facts("", "Relu", &newer.facts));
    assert_int_equal(newer.later[0] | newer.later[1], 0);
    assert_int_equal(newer.facts.most_operands, 1);
    tenure_op_facts older = {.struct_size = offsetof(tenure_op_facts, doc), .doc = "as it was"};
    assert_true(tenure_op_find_facts("", "Relu", &older));
    assert_string_equal(older.name, "Relu");
    assert_string_equal(older.doc, "as it was");
    older.struct_size = 0;
    assert_false(tenure_op_find_facts("", "Relu", &older));
    older.struct_size = SIZE_MAX;
    assert_false(tenure_op_find_facts("", "Relu", &older));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_is_loaded),
        cmocka_unit_test(test_dims_agree),
        cmocka_unit_test(test_read_graphs),
        cmocka_unit_test(test_read_ops),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_attributes_change),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_function),
        cmocka_unit_test(test_remove_bodies),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_flags_and_bindings),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_op_facts),
        cmocka_unit_test(test_facts_of_kernels),
        cmocka_unit_test(test_struct_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
