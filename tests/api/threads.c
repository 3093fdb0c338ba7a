/* Two threads, each with a context of its own, through most of the interface at once: for a build
 * with ThreadSanitizer, and good for a crash in others. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tenure/ir.h"

enum { THREADS = 2, ROUNDS = 3 };

typedef struct worker {
    const char *file;
    pthread_t thread;
    int good;
} worker;

static int emit(const tenure_plan *plan, const char *backend) {
    tenure_buffer *b;
    int good = tenure_plan_emit(plan, backend, NULL, &b) == TENURE_OK && tenure_buffer_size(b) > 0;
    tenure_buffer_free(good ? b : NULL);
    return good;
}

static int plan_file(tenure_context *ctx, const char *file) {
    tenure_options *options = tenure_options_new(ctx);
    tenure_plan *plan = NULL;
    tenure_placement at = {.struct_size = sizeof at};
    tenure_options_set(options, "O", "3");
    tenure_model *model = tenure_load_file(ctx, file, options);
    return model != NULL && tenure_plan_make(model, options, &plan) == TENURE_OK &&
           emit(plan, "json") && emit(plan, "c-header") && emit(plan, "text") &&
           tenure_plan_value(plan, 0, &at) && tenure_plan_check(plan, model, NULL) == TENURE_OK;
}

static int plan_built(tenure_context *ctx) {
    tenure_op_facts facts = {.struct_size = sizeof facts};
    tenure_plan *plan = NULL;
    tenure_buffer *text;
    tenure_model *model = tenure_model_new(ctx, "built", NULL);
    tenure_graph *g = tenure_model_graph(model, 0);
    tenure_model_import(model, "", 17);
    tenure_value *x = tenure_graph_add_input(g, "x", "f32[8,8]");
    for (int i = 0; i < 20; i++) {
        const char *type = i % 2 != 0 ? "Relu" : "Softmax";
        x = tenure_op_add_result(tenure_graph_add_op(g, "", type, "", &x, 1), NULL, NULL);
    }
    return tenure_graph_add_output(g, x) == TENURE_OK &&
           tenure_model_print(model, &text) == TENURE_OK &&
           tenure_plan_make(model, NULL, &plan) == TENURE_OK && emit(plan, "json") &&
           tenure_op_find_facts("", "Softmax", &facts);
}

static void *work(void *arg) {
    worker *w = arg;
    w->good = 1;
    for (int i = 0; i < ROUNDS; i++) {
        tenure_context *ctx = tenure_context_new(NULL);
        w->good = plan_file(ctx, w->file) && plan_built(ctx) && w->good;
        tenure_context_free(ctx);
    }
    return NULL;
}

int main(int argc, char **argv) {
    worker workers[THREADS];
    int good = argc == 2;
    for (int i = 0; i < THREADS && good; i++) {
        workers[i] = (worker){.file = argv[1]};
        good = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    }
    for (int i = 0; i < THREADS && good; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    for (int i = 0; i < THREADS && good; i++) {
        good = workers[i].good;
    }
    printf(good ? "two threads, two contexts\n" : "a thread failed\n");
    return good ? 0 : 1;
}
