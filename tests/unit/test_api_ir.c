/* ir.h: graphs built from nothing, read and changed; what is refused; every function with the n-th
 * allocation failing. */
#include <stdio.h>
#include <stdlib.h>

#include "tenure/ir.h"
#include "tests/unit/unit.h"

typedef struct fixture {
    tenure_context *ctx;
    tenure_model *model;
    tenure_graph *main;
    char said[4096];
} fixture;

static void on_diag(void *user, const tenure_diagnostic *d) {
    fixture *f = user;
    snprintf(f->said, sizeof f->said, "%s", d->rendered);
}

static fixture *set_up(void) {
    static fixture f;
    f = (fixture){.ctx = tenure_context_new(NULL)};
    tenure_on_diagnostic(f.ctx, on_diag, &f);
    f.model = tenure_model_new(f.ctx, "net");
    f.main = tenure_model_graph(f.model, 0);
    assert_int_equal(tenure_model_import(f.model, "", 17), TENURE_OK);
    return &f;
}

#define SAYS(f, text)                                                                              \
    do {                                                                                           \
        if (strstr((f)->said, (text)) == NULL) {                                                   \
            fail_msg("'%s' is not in '%s'", (text), (f)->said);                                    \
        }                                                                                          \
        (f)->said[0] = '\0';                                                                       \
    } while (0)

/* y = Relu(MatMul(x, w)) */
typedef struct chain {
    tenure_value *x, *w, *h, *y;
    tenure_op *product, *relu;
} chain;

static const float weights[2][3] = {{1, 2, 3}, {4, 5, 6}};

static chain build_chain(fixture *f) {
    static const int64_t dims[] = {2, 3};
    tenure_tensor t = {
        .struct_size = sizeof t, .dtype = TENURE_FLOAT, .rank = 2, .dims = dims, .size = 24};
    chain c;
    c.x = tenure_graph_add_input(f->main, "x", "f32[n,2]");
    c.w = tenure_graph_add_constant(f->main, "w", &t, weights, TENURE_DATA_COPY);
    tenure_value *operands[] = {c.x, c.w};
    c.product = tenure_graph_add_op(f->main, "", "MatMul", "fc", operands, 2);
    c.h = tenure_op_add_result(c.product, "h", NULL);
    c.relu = tenure_graph_add_op(f->main, "ai.onnx", "Relu", NULL, &c.h, 1);
    c.y = tenure_op_add_result(c.relu, "y", NULL);
    assert_int_equal(tenure_graph_add_output(f->main, c.y), TENURE_OK);
    return c;
}

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

static void test_read(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    const char *domain;
    int64_t version;
    size_t at;
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
    tenure_value *of;
    int64_t offset;
    assert_int_equal(tenure_value_alias(c.h, &of, &offset), TENURE_ALIAS_NONE);
    assert_null(of);
    assert_int_equal(tenure_value_set_type(c.h, NULL), TENURE_OK);
    assert_string_equal(tenure_value_type(c.h), "?");
    assert_int_equal(tenure_value_set_type(c.h, "f32[n,"), TENURE_ERROR);
    SAYS(f, "net: node 'fc' (MatMul, #0): error: tenure_value_set_type: 'f32[n,' is no type");
    assert_int_equal(tenure_value_set_type(c.w, "f32[6]"), TENURE_ERROR);
    SAYS(f, "the type of 'w' is that of its data");
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

static void test_attributes(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    static const int64_t ints[] = {3, 1, 2}, one = 1;
    static const double floats[] = {0.5, -1};
    static const char *const texts[] = {"a", "bc"};
    tenure_tensor t = {.struct_size = sizeof t, .dtype = TENURE_INT64, .rank = 1, .dims = &one};
    tenure_attribute a = {.struct_size = sizeof a};
    tenure_op *op = tenure_graph_add_op(f->main, "my", "Op", "op", &c.y, 1);
    assert_int_equal(tenure_op_set_int(op, "i", 7), TENURE_OK);
    assert_int_equal(tenure_op_set_ints(op, "is", ints, 3), TENURE_OK);
    assert_int_equal(tenure_op_set_float(op, "f", 0.25), TENURE_OK);
    assert_int_equal(tenure_op_set_floats(op, "fs", floats, 2), TENURE_OK);
    assert_int_equal(tenure_op_set_string(op, "s", "x\0y", 3), TENURE_OK);
    assert_int_equal(tenure_op_set_strings(op, "ss", texts, 2), TENURE_OK);
    assert_int_equal(tenure_op_set_tensor(op, "t", &t, ints, TENURE_DATA_COPY), TENURE_OK);
    assert_int_equal(tenure_op_set_type(op, "type", "seq(f32[2])"), TENURE_OK);
    assert_true(tenure_op_find_attribute(op, "i", &a));
    assert_int_equal(a.count, 1);
    assert_int_equal(a.ints[0], 7);
    assert_true(tenure_op_attribute(op, 1, &a));
    assert_string_equal(a.name, "is");
    assert_memory_equal(a.ints, ints, sizeof ints);
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
    assert_int_equal(tenure_model_verify(f->model), TENURE_OK);
    tenure_context_free(f->ctx);
}

/* if (c) y = Neg(x) else y = x, and a loop around nothing */
static void test_bodies(void **state) {
    (void)state;
    fixture *f = set_up();
    tenure_value *c = tenure_graph_add_input(f->main, "c", "bool[]");
    tenure_value *x = tenure_graph_add_input(f->main, "x", "f32[8]");
    tenure_op *pick = tenure_graph_add_op(f->main, "", "If", "pick", &c, 1);
    tenure_graph *yes = tenure_op_add_body(pick, "then_branch", "yes");
    tenure_graph *no = tenure_op_add_body(pick, "else_branch", "no");
    assert_null(tenure_op_add_body(pick, "else_branch", "again"));
    SAYS(f, "the op has an attribute 'else_branch' already");
    assert_null(tenure_op_add_body(pick, "", "function"));
    SAYS(f, "the body of a called function is the only one of its op");
    tenure_op *neg = tenure_graph_add_op(yes, "", "Neg", "", &x, 1);
    tenure_value *n = tenure_op_add_result(neg, "n", NULL);
    assert_int_equal(tenure_graph_add_output(yes, n), TENURE_OK);
    assert_int_equal(tenure_graph_add_output(no, x), TENURE_OK);
    tenure_value *y = tenure_op_add_result(pick, "y", NULL);
    assert_int_equal(tenure_graph_add_output(f->main, y), TENURE_OK);
    assert_ptr_equal(tenure_op_body(pick, 1), no);
    assert_null(tenure_op_body(pick, 2));
    assert_string_equal(tenure_op_body_attribute(pick, 0), "then_branch");
    assert_string_equal(tenure_graph_path(yes), "pick/yes");
    assert_ptr_equal(tenure_graph_owner(yes), pick);
    assert_ptr_equal(tenure_model_graph(f->model, 2), no);
    assert_int_equal(tenure_op_set_int(pick, "then_branch", 1), TENURE_ERROR);
    SAYS(f, "attribute 'then_branch' holds a graph");
    assert_int_equal(tenure_op_remove_attribute(pick, "then_branch"), TENURE_ERROR);
    tenure_plan *plan;
    assert_int_equal(tenure_plan_make(f->model, NULL, &plan), TENURE_OK);

    /* A call of a function: its body may see nothing outside. */
    tenure_op *call = tenure_graph_add_op(f->main, "my", "Twice", "call", &y, 1);
    tenure_graph *body = tenure_op_add_body(call, "", "Twice");
    tenure_value *arg = tenure_graph_add_input(body, "arg", "f32[8]");
    tenure_value *both[] = {arg, arg};
    tenure_op *add = tenure_graph_add_op(body, "", "Add", "", both, 2);
    assert_int_equal(tenure_graph_add_output(body, tenure_op_add_result(add, "sum", NULL)),
                     TENURE_OK);
    tenure_value *z = tenure_op_add_result(call, "z", NULL);
    assert_int_equal(tenure_graph_set_outputs(f->main, &z, 1), TENURE_OK);
    assert_string_equal(tenure_op_body_attribute(call, 0), "");
    assert_int_equal(tenure_plan_make(f->model, NULL, &plan), TENURE_OK);
    assert_string_equal(tenure_value_type(z), "?"); /* a copy has been planned */
    assert_int_equal(tenure_plan_in_place(f->model, NULL, &plan), TENURE_OK);
    assert_string_equal(tenure_value_type(z), "f32[8]");

    /* Taken out with all that is in it. */
    assert_int_equal(tenure_op_remove(pick), TENURE_ERROR);
    SAYS(f, "'y', which goes with it, is needed still");
    assert_int_equal(tenure_value_replace(y, x), TENURE_OK);
    assert_int_equal(tenure_op_remove(pick), TENURE_OK);
    assert_true(tenure_op_is_removed(pick));
    assert_true(tenure_op_is_removed(neg));
    assert_int_equal(tenure_graph_op_count(yes), 0);
    assert_null(tenure_graph_add_input(yes, "late", "f32[8]"));
    SAYS(f, "the op has been removed");
    assert_int_equal(tenure_plan_make(f->model, NULL, &plan), TENURE_OK);
    assert_int_equal(tenure_value_use_count(x), 1);
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
    SAYS(f, "'h' is no input or constant of the main graph");
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
    tenure_model *other = tenure_model_new(f->ctx, "other");
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

/* ---- NULL ---- */

static void test_null_getters(void **state) {
    (void)state;
    tenure_attribute a = {.struct_size = sizeof a};
    tenure_tensor t = {.struct_size = sizeof t};
    const char *s;
    int64_t n;
    tenure_value *v;
    assert_null(tenure_model_name(NULL));
    assert_null(tenure_model_graph(NULL, 0));
    assert_false(tenure_model_opset(NULL, 0, &s, &n));
    assert_false(tenure_model_metadata(NULL, 0, &s, &s));
    assert_false(tenure_model_binding(NULL, 0, &v, &v));
    assert_null(tenure_graph_name(NULL));
    assert_null(tenure_graph_path(NULL));
    assert_null(tenure_graph_owner(NULL));
    assert_null(tenure_graph_model(NULL));
    assert_null(tenure_graph_input(NULL, 0));
    assert_null(tenure_graph_constant(NULL, 0));
    assert_null(tenure_graph_output(NULL, 0));
    assert_null(tenure_graph_first(NULL));
    assert_int_equal(tenure_graph_op_count(NULL), 0);
    assert_null(tenure_graph_find(NULL, "x"));
    assert_null(tenure_op_domain(NULL));
    assert_null(tenure_op_type(NULL));
    assert_null(tenure_op_name(NULL));
    assert_int_equal(tenure_op_version(NULL), -1);
    assert_null(tenure_op_graph(NULL));
    assert_null(tenure_op_next(NULL));
    assert_false(tenure_op_is_removed(NULL));
    assert_int_equal(tenure_op_operand_count(NULL), 0);
    assert_null(tenure_op_operand(NULL, 0));
    assert_int_equal(tenure_op_result_count(NULL), 0);
    assert_null(tenure_op_result(NULL, 0));
    assert_false(tenure_op_attribute(NULL, 0, &a));
    assert_false(tenure_op_find_attribute(NULL, "x", &a));
    assert_null(tenure_op_attribute_type(NULL, "x", 0));
    assert_null(tenure_op_body(NULL, 0));
    assert_null(tenure_op_body_attribute(NULL, 0));
    assert_null(tenure_value_name(NULL));
    assert_null(tenure_value_graph(NULL));
    assert_int_equal(tenure_value_get_kind(NULL), TENURE_VALUE_INPUT);
    assert_int_equal(tenure_value_flags(NULL), 0);
    assert_null(tenure_value_type(NULL));
    assert_int_equal(tenure_value_dtype(NULL), TENURE_UNKNOWN);
    assert_int_equal(tenure_value_rank(NULL), -1);
    assert_int_equal(tenure_value_extent(NULL, 0), -1);
    assert_null(tenure_value_dim(NULL, 0));
    assert_null(tenure_value_producer(NULL, NULL));
    assert_int_equal(tenure_value_use_count(NULL), 0);
    assert_null(tenure_value_use(NULL, 0, NULL));
    assert_false(tenure_value_tensor(NULL, &t));
    assert_int_equal(tenure_value_alias(NULL, &v, &n), TENURE_ALIAS_NONE);
    assert_null(tenure_type_text(NULL, TENURE_FLOAT, 0, NULL));
    assert_false(tenure_op_find_facts(NULL, "x", NULL));
    assert_null(tenure_attribute_text(NULL, 0, NULL));
    assert_false(tenure_attribute_tensor(NULL, 0, &t));
    assert_int_equal(tenure_dtype_find(NULL), TENURE_UNKNOWN);
    assert_int_equal(tenure_dtype_find("i4"), TENURE_INT4);
    assert_int_equal(tenure_dtype_bits(TENURE_INT4), 4);
    assert_string_equal(tenure_dtype_name((tenure_dtype)99), "?");
}

static void test_null_setters(void **state) {
    (void)state;
    tenure_buffer *b;
    assert_null(tenure_model_new(NULL, "net"));
    assert_int_equal(tenure_model_import(NULL, "", 1), TENURE_USAGE);
    assert_int_equal(tenure_model_set_metadata(NULL, "k", "v"), TENURE_USAGE);
    assert_int_equal(tenure_model_bind(NULL, NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_model_bind_dims(NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_model_verify(NULL), TENURE_USAGE);
    assert_int_equal(tenure_model_run(NULL, "pin"), TENURE_USAGE);
    assert_int_equal(tenure_model_print(NULL, &b), TENURE_USAGE);
    assert_null(tenure_graph_add_input(NULL, "x", "?"));
    assert_null(tenure_graph_add_constant(NULL, "x", NULL, NULL, TENURE_DATA_COPY));
    assert_int_equal(tenure_graph_add_output(NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_graph_set_outputs(NULL, NULL, 0), TENURE_USAGE);
    assert_null(tenure_graph_add_op(NULL, "", "Relu", "", NULL, 0));
    assert_null(tenure_op_add_result(NULL, "x", NULL));
    assert_int_equal(tenure_op_skip_result(NULL), TENURE_USAGE);
    assert_int_equal(tenure_op_add_operand(NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_op_set_operand(NULL, 0, NULL), TENURE_USAGE);
    assert_int_equal(tenure_op_set_int(NULL, "x", 0), TENURE_USAGE);
    assert_int_equal(tenure_op_set_ints(NULL, "x", NULL, 0), TENURE_USAGE);
    assert_int_equal(tenure_op_set_float(NULL, "x", 0), TENURE_USAGE);
    assert_int_equal(tenure_op_set_floats(NULL, "x", NULL, 0), TENURE_USAGE);
    assert_int_equal(tenure_op_set_string(NULL, "x", "", 0), TENURE_USAGE);
    assert_int_equal(tenure_op_set_strings(NULL, "x", NULL, 0), TENURE_USAGE);
    assert_int_equal(tenure_op_set_tensor(NULL, "x", NULL, NULL, TENURE_DATA_COPY), TENURE_USAGE);
    assert_int_equal(tenure_op_set_type(NULL, "x", "?"), TENURE_USAGE);
    assert_int_equal(tenure_op_remove_attribute(NULL, "x"), TENURE_USAGE);
    assert_null(tenure_op_add_body(NULL, "body", "b"));
    assert_int_equal(tenure_op_move(NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_op_remove(NULL), TENURE_USAGE);
    assert_int_equal(tenure_value_rename(NULL, "x"), TENURE_USAGE);
    assert_int_equal(tenure_value_set_type(NULL, "?"), TENURE_USAGE);
    assert_int_equal(tenure_value_set_flags(NULL, 0, 0), TENURE_USAGE);
    assert_int_equal(tenure_value_replace(NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_value_bytes(NULL, &b), TENURE_USAGE);
}

/* What hangs on a model, with NULL beside it. */
static void test_null_arguments(void **state) {
    (void)state;
    fixture *f = set_up();
    chain c = build_chain(f);
    static const int64_t three = 3;
    tenure_tensor t = {.struct_size = sizeof t, .dtype = TENURE_FLOAT, .rank = 1};
    assert_null(tenure_model_new(f->ctx, NULL));
    SAYS(f, "tenure_model_new: name is NULL");
    assert_int_equal(tenure_model_import(f->model, NULL, 1), TENURE_USAGE);
    assert_int_equal(tenure_model_set_metadata(f->model, "k", NULL), TENURE_USAGE);
    assert_int_equal(tenure_model_bind(f->model, c.x, NULL), TENURE_USAGE);
    assert_int_equal(tenure_model_bind_dims(f->model, NULL), TENURE_USAGE);
    SAYS(f, "tenure_model_bind_dims: options is NULL");
    assert_int_equal(tenure_model_run(f->model, NULL), TENURE_USAGE);
    assert_int_equal(tenure_model_print(f->model, NULL), TENURE_USAGE);
    assert_null(tenure_type_text(f->ctx, TENURE_FLOAT, 1, NULL));
    assert_null(tenure_graph_add_input(f->main, "z", NULL));
    assert_null(tenure_graph_add_constant(f->main, "z", NULL, &three, TENURE_DATA_COPY));
    assert_null(tenure_graph_add_constant(f->main, "z", &t, &three, TENURE_DATA_COPY));
    SAYS(f, "no dims");
    assert_int_equal(tenure_graph_add_output(f->main, NULL), TENURE_USAGE);
    assert_int_equal(tenure_graph_set_outputs(f->main, NULL, 1), TENURE_USAGE);
    assert_null(tenure_graph_add_op(f->main, NULL, "Relu", "", NULL, 0));
    assert_null(tenure_graph_add_op(f->main, "", NULL, "", NULL, 0));
    assert_null(tenure_graph_add_op(f->main, "", "Relu", "", NULL, 1));
    assert_int_equal(tenure_op_set_int(c.relu, NULL, 0), TENURE_USAGE);
    assert_int_equal(tenure_op_set_ints(c.relu, "x", NULL, 1), TENURE_USAGE);
    SAYS(f, "tenure_op_set_ints: values is NULL");
    assert_int_equal(tenure_op_set_strings(c.relu, "x", &(const char *){NULL}, 1), TENURE_ERROR);
    assert_int_equal(tenure_op_set_tensor(c.relu, "x", NULL, NULL, TENURE_DATA_COPY), TENURE_USAGE);
    assert_int_equal(tenure_op_set_type(c.relu, "x", NULL), TENURE_USAGE);
    assert_int_equal(tenure_op_remove_attribute(c.relu, NULL), TENURE_USAGE);
    assert_null(tenure_op_add_body(c.relu, NULL, "b"));
    assert_null(tenure_op_add_body(c.relu, "b", NULL));
    assert_int_equal(tenure_value_rename(c.h, NULL), TENURE_USAGE);
    assert_int_equal(tenure_value_rename(c.h, ""), TENURE_ERROR);
    assert_int_equal(tenure_value_replace(c.h, NULL), TENURE_USAGE);
    assert_int_equal(tenure_value_bytes(c.w, NULL), TENURE_USAGE);
    assert_false(tenure_value_tensor(c.w, NULL));
    assert_int_equal(tenure_model_verify(f->model), TENURE_OK);
    tenure_context_free(f->ctx);
}

/* ---- out of memory ---- */

typedef struct meter {
    size_t out;
    long fail_at; /* -1: never */
    bool failed;
} meter;

static void *metered(void *user, void *ptr, size_t old_size, size_t new_size) {
    meter *m = user;
    if (new_size == 0) {
        m->out -= ptr != NULL ? old_size : 0;
        free(ptr);
        return NULL;
    }
    if (m->fail_at >= 0 && m->fail_at-- == 0) {
        m->failed = true;
        return NULL;
    }
    void *p = realloc(ptr, new_size);
    m->out += p != NULL ? new_size - (ptr != NULL ? old_size : 0) : 0;
    return p;
}

/* Many of everything, so that lists grow; each call may fail, and says so. */
static bool grow(tenure_graph *g, tenure_value *x) {
    static const int64_t ints[] = {1, 2};
    static const double floats[] = {1, 2};
    static const char *const texts[] = {"a", "b"};
    for (int i = 0; i < 40; i++) {
        tenure_op *op = tenure_graph_add_op(g, "my", "Op", "", &x, 1);
        char name[16];
        snprintf(name, sizeof name, "a%d", i);
        if (op == NULL || (x = tenure_op_add_result(op, NULL, "f32[8]")) == NULL ||
            tenure_op_add_operand(op, x) != TENURE_OK || tenure_op_skip_result(op) != TENURE_OK ||
            tenure_op_set_operand(op, 1, NULL) != TENURE_OK ||
            tenure_op_set_int(op, name, i) != TENURE_OK ||
            tenure_op_set_ints(op, "is", ints, 2) != TENURE_OK ||
            tenure_op_set_floats(op, "fs", floats, 2) != TENURE_OK ||
            tenure_op_set_string(op, "s", "text", 4) != TENURE_OK ||
            tenure_op_set_strings(op, "ss", texts, 2) != TENURE_OK ||
            tenure_op_set_type(op, "t", "f32[n]") != TENURE_OK || tenure_value_type(x) == NULL ||
            tenure_graph_add_input(g, NULL, "f32[2]") == NULL ||
            tenure_graph_add_output(g, x) != TENURE_OK) {
            return false;
        }
    }
    return true;
}

static bool build_all(tenure_context *ctx) {
    static const int64_t dims[] = {8};
    static const float data[8];
    tenure_tensor t = {.struct_size = sizeof t, .dtype = TENURE_FLOAT, .rank = 1, .dims = dims};
    tenure_model *model = tenure_model_new(ctx, "net");
    tenure_graph *main = tenure_model_graph(model, 0);
    if (model == NULL || tenure_model_import(model, "", 17) != TENURE_OK ||
        tenure_model_set_metadata(model, "k", "v") != TENURE_OK) {
        return false;
    }
    const char *truth = tenure_type_text(ctx, TENURE_BOOL, 0, NULL);
    tenure_value *c = truth != NULL ? tenure_graph_add_input(main, "c", truth) : NULL;
    tenure_value *x = c != NULL ? tenure_graph_add_input(main, "x", "f32[8]") : NULL;
    tenure_value *w =
        x != NULL ? tenure_graph_add_constant(main, "w", &t, data, TENURE_DATA_COPY) : NULL;
    if (w == NULL || !grow(main, x)) {
        return false;
    }
    tenure_op *pick = tenure_graph_add_op(main, "", "If", "pick", &c, 1);
    tenure_graph *yes = pick != NULL ? tenure_op_add_body(pick, "then_branch", "yes") : NULL;
    tenure_graph *no = yes != NULL ? tenure_op_add_body(pick, "else_branch", "no") : NULL;
    tenure_op *neg = no != NULL ? tenure_graph_add_op(yes, "", "Neg", "", &w, 1) : NULL;
    tenure_value *n = neg != NULL ? tenure_op_add_result(neg, "n", NULL) : NULL;
    if (n == NULL || tenure_op_set_tensor(neg, "t", &t, data, TENURE_DATA_BORROW) != TENURE_OK ||
        tenure_op_remove_attribute(neg, "t") != TENURE_OK ||
        tenure_graph_add_output(yes, n) != TENURE_OK ||
        tenure_graph_add_output(no, x) != TENURE_OK) {
        return false;
    }
    tenure_value *y = tenure_op_add_result(pick, "y", NULL);
    tenure_buffer *text, *bytes;
    tenure_plan *plan;
    return y != NULL && tenure_value_rename(y, "why") == TENURE_OK &&
           tenure_graph_set_outputs(main, &y, 1) == TENURE_OK &&
           tenure_model_bind(model, x, y) == TENURE_OK &&
           tenure_model_print(model, &text) == TENURE_OK &&
           tenure_value_bytes(w, &bytes) == TENURE_OK &&
           tenure_model_run(model, "infer-shapes") == TENURE_OK &&
           tenure_plan_make(model, NULL, &plan) == TENURE_OK &&
           tenure_value_replace(x, w) == TENURE_OK && tenure_model_verify(model) == TENURE_OK;
}

static void test_out_of_memory(void **state) {
    (void)state;
    long n = 0;
    for (bool done = false; !done; n++) {
        meter m = {.fail_at = n};
        tenure_allocator allocator = {metered, &m};
        tenure_context *ctx = tenure_context_new(&allocator);
        bool built = ctx != NULL && build_all(ctx);
        assert_int_equal(built, !m.failed);
        if (ctx != NULL && m.failed) {
            assert_int_equal(tenure_last_status(ctx), TENURE_NOMEM);
            assert_true(build_all(ctx)); /* usable afterwards */
        }
        done = !m.failed;
        tenure_context_free(ctx);
        assert_int_equal(m.out, 0);
    }
    print_message("%ld allocations\n", n);
    assert_true(n > 20);
}

/* A model that memory ran out for is refused from then on. */
static void test_broken(void **state) {
    (void)state;
    fixture f = {0};
    meter m = {.fail_at = -1};
    tenure_allocator allocator = {metered, &m};
    f.ctx = tenure_context_new(&allocator);
    tenure_on_diagnostic(f.ctx, on_diag, &f);
    f.model = tenure_model_new(f.ctx, "net");
    f.main = tenure_model_graph(f.model, 0);
    tenure_value *x = tenure_graph_add_input(f.main, "x", "f32[8]");
    m.fail_at = 0;
    while (tenure_graph_add_input(f.main, NULL, "f32[8]") != NULL) {
    }
    assert_int_equal(tenure_last_status(f.ctx), TENURE_NOMEM);
    assert_int_equal(tenure_graph_add_output(f.main, x), TENURE_ERROR);
    SAYS(&f,
         "net: error: tenure_graph_add_output: memory ran out while the model was being changed");
    tenure_plan *plan;
    assert_int_equal(tenure_plan_make(f.model, NULL, &plan), TENURE_ERROR);
    SAYS(&f, "it can only be freed");
    tenure_model_free(f.model);
    tenure_context_free(f.ctx);
    assert_int_equal(m.out, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_is_loaded), cmocka_unit_test(test_read),
        cmocka_unit_test(test_types),           cmocka_unit_test(test_data),
        cmocka_unit_test(test_attributes),      cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_changes),         cmocka_unit_test(test_flags_and_bindings),
        cmocka_unit_test(test_refused),         cmocka_unit_test(test_op_facts),
        cmocka_unit_test(test_struct_sizes),    cmocka_unit_test(test_null_getters),
        cmocka_unit_test(test_null_setters),    cmocka_unit_test(test_null_arguments),
        cmocka_unit_test(test_out_of_memory),   cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
