/* A program that changes models which were loaded: a convolution and the activation behind it
 * become one op of its own, everywhere, bodies included. Usage: fuse MODEL... Prints a line a
 * model; the plan is checked against the model as it is then. */
#include <stdio.h>
#include <string.h>

#include "tenure/ir.h"

static int is(const tenure_op *op, const char *type) {
    const char *name = tenure_op_type(op);
    return name != NULL && strcmp(name, type) == 0 && tenure_op_domain(op)[0] == '\0';
}

/* The activation that alone reads the convolution's result; NULL where there is none. */
static tenure_op *activation_of(const tenure_op *conv) {
    tenure_value *r = tenure_op_result(conv, 0);
    tenure_op *reader = tenure_value_use(r, 0, NULL);
    int alone = tenure_value_use_count(r) == 1 && !(tenure_value_flags(r) & TENURE_VALUE_OUTPUT);
    int near = alone && tenure_op_graph(reader) == tenure_op_graph(conv);
    return near && (is(reader, "Relu") || is(reader, "LeakyRelu")) ? reader : NULL;
}

/* The new op stands where the activation stood. */
static int fuse(tenure_op *conv, tenure_op *act) {
    tenure_value *operands[3], *old = tenure_op_result(act, 0);
    size_t n = tenure_op_operand_count(conv);
    for (size_t i = 0; i < n && i < 3; i++) {
        operands[i] = tenure_op_operand(conv, i);
    }
    tenure_op *op = tenure_graph_add_op(tenure_op_graph(conv), "acme", "ConvAct",
                                        tenure_op_name(conv), operands, n < 3 ? n : 3);
    tenure_value *r = tenure_op_add_result(op, NULL, tenure_value_type(old));
    return tenure_op_copy_attributes(op, conv) == TENURE_OK &&
           tenure_op_set_string(op, "activation", tenure_op_type(act),
                                strlen(tenure_op_type(act))) == TENURE_OK &&
           tenure_op_move(op, act) == TENURE_OK && tenure_value_replace(old, r) == TENURE_OK &&
           tenure_op_remove(act) == TENURE_OK && tenure_op_remove(conv) == TENURE_OK &&
           tenure_op_is_removed(conv);
}

/* How many pairs; -1 where a call failed. */
static int fuse_all(const tenure_model *model) {
    const tenure_graph *g;
    int n = 0;
    for (size_t i = 0; (g = tenure_model_graph(model, i)) != NULL; i++) {
        tenure_op *next;
        for (tenure_op *op = tenure_graph_first(g); op != NULL; op = next) {
            tenure_op *act = is(op, "Conv") ? activation_of(op) : NULL;
            next = tenure_op_next(op);
            next = next == act && act != NULL ? tenure_op_next(act) : next;
            if (act != NULL && !fuse(op, act)) {
                return -1;
            }
            n += act != NULL;
        }
    }
    return n;
}

static void say(void *user, const tenure_diagnostic *d) {
    (void)user;
    if (d->severity == TENURE_SEV_ERROR) {
        fprintf(stderr, "%s\n", d->rendered);
    }
}

/* Each model has some. */
static int run(tenure_context *ctx, const char *file) {
    tenure_model *model = tenure_load_file(ctx, file, NULL);
    tenure_plan *plan = NULL;
    size_t before = tenure_graph_op_count(tenure_model_graph(model, 0));
    /* Types of results have to be known before ops that tenure knows become ops it does not. */
    int n = tenure_model_run(model, "infer-shapes") == TENURE_OK ? fuse_all(model) : -1;
    size_t after = tenure_graph_op_count(tenure_model_graph(model, 0));
    int good = n > 0 && before - after == (size_t)n &&
               tenure_plan_make(model, NULL, &plan) == TENURE_OK &&
               tenure_plan_check(plan, model, NULL) == TENURE_OK;
    const char *name = strrchr(file, '/');
    printf("%s: %d pairs fused, %s\n", name != NULL ? name + 1 : file, n,
           good ? "planned" : "NOT planned");
    tenure_model_free(model);
    tenure_plan_free(plan);
    return good;
}

int main(int argc, char **argv) {
    tenure_context *ctx = tenure_context_new(NULL);
    int good = argc > 1;
    tenure_on_diagnostic(ctx, say, NULL);
    for (int i = 1; i < argc; i++) {
        good = run(ctx, argv[i]) && good;
    }
    tenure_context_free(ctx);
    return good ? 0 : 1;
}
