/* ir.h: NULL for everything, and every function with the n-th allocation failing. */

#include "tests/unit/ir_case.h"
#include "tests/unit/meter.h"

/* ---- NULL ---- */

static void test_null_getters(void **state) {
    (void)state;
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
}

static void test_null_getters_of_ops(void **state) {
    (void)state;
    tenure_attribute a = {.struct_size = sizeof a};
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
    assert_false(tenure_op_find_facts(NULL, "x", NULL));
    assert_false(tenure_op_get_facts(NULL, NULL));
}

static void test_null_getters_of_values(void **state) {
    (void)state;
    tenure_tensor t = {.struct_size = sizeof t};
    tenure_value *v;
    int64_t n;
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
    assert_null(tenure_model_new(NULL, "net", NULL));
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
    assert_int_equal(tenure_op_copy_attributes(NULL, NULL), TENURE_USAGE);
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
    assert_null(tenure_model_new(f->ctx, NULL, NULL));
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
            tenure_op_set_type(op, "t", "f32[n]") != TENURE_OK ||
            tenure_op_copy_attributes(op, op) != TENURE_OK || tenure_value_type(x) == NULL ||
            tenure_graph_add_input(g, NULL, "f32[2]") == NULL ||
            tenure_graph_add_output(g, x) != TENURE_OK) {
            return false;
        }
    }
    return true;
}

/* Facts of kernels, and a dimension that is bound. */
static bool build_bound(tenure_context *ctx) {
    tenure_options *options = tenure_options_new(ctx);
    if (options == NULL || tenure_options_set(options, "dim", "n=4") != TENURE_OK ||
        tenure_options_set(options, "op-facts", TENURE_SOURCE "/tests/api/own_facts.json") !=
            TENURE_OK) {
        return false;
    }
    tenure_model *model = tenure_model_new(ctx, "bound", options);
    tenure_graph *g = tenure_model_graph(model, 0);
    tenure_value *x = g != NULL ? tenure_graph_add_input(g, "x", "f32[n]") : NULL;
    tenure_op *op = x != NULL ? tenure_graph_add_op(g, "my", "Mine", "", &x, 1) : NULL;
    return op != NULL && tenure_op_add_result(op, "y", "f32[2*n]") != NULL &&
           tenure_model_bind_dims(model, options) == TENURE_OK;
}

static bool build_all(tenure_context *ctx) {
    static const int64_t dims[] = {8};
    static const float data[8];
    tenure_tensor t = {.struct_size = sizeof t, .dtype = TENURE_FLOAT, .rank = 1, .dims = dims};
    tenure_model *model = tenure_model_new(ctx, "net", NULL);
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
        bool built = ctx != NULL && build_bound(ctx) && build_all(ctx);
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
    f.model = tenure_model_new(f.ctx, "net", NULL);
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
        cmocka_unit_test(test_null_getters),
        cmocka_unit_test(test_null_getters_of_ops),
        cmocka_unit_test(test_null_getters_of_values),
        cmocka_unit_test(test_null_setters),
        cmocka_unit_test(test_null_arguments),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
