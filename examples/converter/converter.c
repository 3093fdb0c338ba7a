/* A converter: a network of another format becomes a tenure graph, and C comes out. The format here
 * is a table of layers; one of its layers, "saturate", is an op that tenure knows nothing of, so
 * the converter says what its result is.
 *
 *   cc converter.c $(pkg-config --cflags --libs tenure) -o converter
 *   ./converter c-header FOLDER        # FOLDER/toy.h: offsets and steps for a runtime of your own
 *   ./converter c-program FOLDER       # FOLDER/toy.c and more: C that calls one kernel a step */
#include <stdio.h>
#include <string.h>
#include <tenure/ir.h>

typedef struct layer {
    const char *kind; /* "dense", "relu", "saturate", "add" */
    const char *name;
    int64_t in, out; /* dense: units */
    int other;       /* add: the layer whose result is added */
} layer;

static const layer network[] = {
    {"dense", "fc1", 16, 32, 0},  {"relu", "act1", 0, 0, 0}, {"dense", "fc2", 32, 32, 0},
    {"saturate", "sat", 0, 0, 0}, {"add", "skip", 0, 0, 1},  {"dense", "fc3", 32, 4, 0},
};
enum { LAYERS = sizeof network / sizeof network[0], MOST = 64 * 64 };

/* The weights of the other format; here they are made up. */
static float weights[MOST];

static tenure_value *constant(tenure_graph *g, const char *name, int64_t rows, int64_t columns) {
    int64_t dims[] = {rows, columns};
    tenure_tensor t = {.struct_size = sizeof t, .dtype = TENURE_FLOAT, .rank = 2, .dims = dims};
    return tenure_graph_add_constant(g, name, &t, weights, TENURE_DATA_BORROW);
}

/* x * W + b as one Gemm of ONNX. */
static tenure_op *dense(tenure_graph *g, const layer *l, tenure_value *x) {
    char name[64];
    tenure_value *operands[3] = {x};
    snprintf(name, sizeof name, "%s.weight", l->name);
    operands[1] = constant(g, name, l->in, l->out);
    snprintf(name, sizeof name, "%s.bias", l->name);
    operands[2] = constant(g, name, 1, l->out);
    return tenure_graph_add_op(g, "", "Gemm", l->name, operands, 3);
}

/* The op of a layer, and its result. What tenure knows of it (shape, in place, views) it knows by
 * its name; tenure_op_find_facts tells whether it does. */
static tenure_value *convert(tenure_graph *g, const layer *l, tenure_value *x,
                             tenure_value *const *before) {
    tenure_op_facts facts = {.struct_size = sizeof facts};
    tenure_value *both[] = {x, before[l->other]};
    tenure_op *op;
    if (strcmp(l->kind, "dense") == 0) {
        op = dense(g, l, x);
    } else if (strcmp(l->kind, "add") == 0) {
        op = tenure_graph_add_op(g, "", "Add", l->name, both, 2);
    } else if (strcmp(l->kind, "relu") == 0) {
        op = tenure_graph_add_op(g, "", "Relu", l->name, &x, 1);
    } else {
        op = tenure_graph_add_op(g, "toy", "Saturate", l->name, &x, 1);
        tenure_op_set_float(op, "limit", 6);
    }
    /* The type of a result that tenure cannot infer is needed; that of x is known by inference. */
    if (tenure_op_find_facts(tenure_op_domain(op), tenure_op_type(op), &facts)) {
        return tenure_op_add_result(op, l->name, NULL);
    }
    tenure_model_run(tenure_graph_model(g), "infer-shapes");
    return tenure_op_add_result(op, l->name, tenure_value_type(x));
}

static void say(void *user, const tenure_diagnostic *d) {
    fprintf(user, "%s\n", d->rendered);
}

/* Each function takes NULL for what an earlier one could not give, and says so: one look at the end
 * is enough. */
static tenure_model *build(tenure_context *ctx) {
    tenure_model *model = tenure_model_new(ctx, "toy network", NULL);
    tenure_graph *g = tenure_model_graph(model, 0);
    tenure_value *values[LAYERS];
    tenure_model_import(model, "", 17);
    tenure_model_import(model, "toy", 1);
    tenure_value *x = tenure_graph_add_input(g, "x", "f32[1,16]");
    for (size_t i = 0; i < LAYERS; i++) {
        values[i] = x = convert(g, &network[i], x, values);
    }
    tenure_status status = tenure_graph_add_output(g, x);
    return status == TENURE_OK && tenure_model_verify(model) == TENURE_OK ? model : NULL;
}

/* An artefact may be several files, whose parts come in any order. */
static int put(void *user, const char *file, const void *data, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", (const char *)user, file);
    FILE *f = fopen(path, "ab");
    int failed = f == NULL || fwrite(data, 1, size, f) != size;
    return (f != NULL && fclose(f) != 0) || failed;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: converter c-header|c-program FOLDER (an empty one)\n");
        return TENURE_USAGE;
    }
    const char *name = strcmp(argv[1], "c-header") == 0 ? "toy.h" : "toy.c";
    tenure_sink sink = {.struct_size = sizeof sink, .name = name, .write = put, .user = argv[2]};
    tenure_figures f = {.struct_size = sizeof f};
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_plan *plan = NULL;
    tenure_on_diagnostic(ctx, say, stderr);
    tenure_model *model = build(ctx);
    tenure_status status = model != NULL ? tenure_plan_make(model, NULL, &plan) : TENURE_ERROR;
    if (status == TENURE_OK) {
        status = tenure_emit(plan, model, argv[1], NULL, &sink);
    }
    if (status == TENURE_OK && tenure_plan_figures(plan, &f)) {
        printf("arena: %llu bytes, %llu without reuse\n",
               (unsigned long long)tenure_plan_arena_size(plan), (unsigned long long)f.naive);
    }
    tenure_context_free(ctx);
    return (int)status;
}
