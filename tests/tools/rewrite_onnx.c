/* Changes a model through tenure/ir.h and writes it as ONNX: every Relu becomes a Max with a
 * constant that is new, every Identity goes, in all graphs. Says how many there were. usage:
 * rewrite_onnx IN OUT */
#include <stdio.h>
#include <string.h>

#include "tenure/ir.h"
#include "tenure/tenure.h"

static int take(void *user, const char *name, const void *data, size_t size) {
    (void)name;
    return fwrite(data, 1, size, user) == size ? 0 : 1;
}

static tenure_value *add_zero(tenure_graph *graph) {
    static const unsigned char bytes[4];
    tenure_tensor t = {.struct_size = sizeof t, .dtype = TENURE_FLOAT};
    return tenure_graph_add_constant(graph, NULL, &t, bytes, TENURE_DATA_BORROW);
}

/* Results that a graph returns keep their ops: their names are the model's. */
static int may_go(const tenure_op *op, const char *type) {
    tenure_value *v = tenure_op_result(op, 0);
    return strcmp(tenure_op_type(op), type) == 0 && tenure_op_domain(op)[0] == '\0' && v != NULL &&
           (tenure_value_flags(v) & TENURE_VALUE_OUTPUT) == 0;
}

/* From version 8 on Max takes operands of other shapes. */
static int has_max(const tenure_op *op) {
    return tenure_value_dtype(tenure_op_operand(op, 0)) == TENURE_FLOAT &&
           tenure_op_version(op) >= 8;
}

static tenure_status put_max(tenure_graph *graph, tenure_op *op, tenure_value *zero) {
    tenure_value *operands[] = {tenure_op_operand(op, 0), zero};
    tenure_op *max = tenure_graph_add_op(graph, "", "Max", "", operands, 2);
    tenure_value *made = max != NULL ? tenure_op_add_result(max, NULL, NULL) : NULL;
    if (made == NULL || tenure_op_move(max, op) != TENURE_OK) {
        return TENURE_ERROR;
    }
    return tenure_value_replace(tenure_op_result(op, 0), made);
}

static int rewrite(tenure_graph *graph) {
    tenure_value *zero = NULL; /* no name of one graph is another's */
    int n = 0;
    for (tenure_op *op = tenure_graph_first(graph), *next; op != NULL; op = next) {
        tenure_status status = TENURE_OK;
        next = tenure_op_next(op);
        if (may_go(op, "Relu") && has_max(op)) {
            zero = zero != NULL ? zero : add_zero(graph);
            status = put_max(graph, op, zero);
        } else if (may_go(op, "Identity")) {
            status = tenure_value_replace(tenure_op_result(op, 0), tenure_op_operand(op, 0));
        } else {
            continue;
        }
        if (status != TENURE_OK || tenure_op_remove(op) != TENURE_OK) {
            return -1;
        }
        n++;
    }
    return n;
}

static int run(tenure_context *ctx, const char *in, FILE *out) {
    tenure_model *model = tenure_load_file(ctx, in, NULL);
    tenure_sink sink = {.struct_size = sizeof sink, .write = take, .user = out};
    int n = 0;
    if (model == NULL || tenure_model_run(model, "infer-shapes") != TENURE_OK) {
        return -1;
    }
    tenure_graph *graph;
    for (size_t i = 0; (graph = tenure_model_graph(model, i)) != NULL && n >= 0; i++) {
        int here = rewrite(graph);
        n = here < 0 ? -1 : n + here;
    }
    return n >= 0 && tenure_model_write_onnx(model, &sink) == TENURE_OK ? n : -1;
}

int main(int argc, char **argv) {
    tenure_context *ctx = tenure_context_new(NULL);
    FILE *out = argc == 3 ? fopen(argv[2], "wb") : NULL;
    if (ctx == NULL || out == NULL) {
        fputs("usage: rewrite_onnx IN OUT\n", stderr);
        return 2;
    }
    int n = run(ctx, argv[1], out);
    printf("%d\n", n);
    n = fclose(out) == 0 ? n : -1;
    tenure_context_free(ctx);
    return n < 0;
}
