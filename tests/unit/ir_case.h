/* A model with a small graph, built through ir.h, and what the library said last. */
#ifndef TENURE_TESTS_UNIT_IR_CASE_H
#define TENURE_TESTS_UNIT_IR_CASE_H

#include <stdio.h>

#include "tenure/ir.h"
#include "tests/unit/unit.h"

typedef struct fixture {
    tenure_context *ctx;
    tenure_model *model;
    tenure_graph *main;
    char said[4096];
} fixture;

static inline void on_diag(void *user, const tenure_diagnostic *d) {
    fixture *f = user;
    snprintf(f->said, sizeof f->said, "%s", d->rendered);
}

static inline fixture *set_up(void) {
    static fixture f;
    f = (fixture){.ctx = tenure_context_new(NULL)};
    tenure_on_diagnostic(f.ctx, on_diag, &f);
    f.model = tenure_model_new(f.ctx, "net", NULL);
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

static inline chain build_chain(fixture *f) {
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

#endif
