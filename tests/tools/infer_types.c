/* Prints what inference alone finds in models: stored types of what ops make are forgotten. usage:
 *     infer_types MODEL...
 * One JSON object a line. For a model {"model": PATH, "status": N} comes first, then, when it is 0:
 *     {"graph": ID, "in": ID of the graph around, "at": first result of the op that runs it,
 *      "region": N, "call": whether it is the body of a called function}      nested graphs, outer
 * first
 *     {"value": NAME, "of": ID of its graph, "type": TEXT, "known": bool, "why": TEXT}  results of
 * ops "known": a tensor with all dimensions numbers or expressions of symbols. Ends with 70 on an
 * internal error. */
#include <stdio.h>

#include "frontends/core/frontend.h"
#include "ir/build.h"
#include "ir/dim/dim.h"
#include "ir/mutate.h"
#include "ir/walk.h"
#include "passes/core/manager.h"
#include "passes/core/registry.h"

static void on_diag(void *user, const tn_message *m) {
    (void)user;
    if (m->severity == TN_SEV_ERROR) {
        fprintf(stderr, "%s\n", m->rendered);
    }
}

static tn_status infer(tn_ctx *ctx, tn_module *m) {
    tn_pipeline p = {0};
    tn_arena *arena = tn_arena_new(ctx);
    tn_pipeline_add(arena, &p, tn_pipeline_default(arena, tn_pass_find(NULL, "infer-shapes")));
    tn_controls controls = tn_controls_default();
    tn_plan *plan = NULL;
    tn_status status = tn_run_pipeline(ctx, m, &p, &controls, &plan, NULL);
    tn_arena_drop(arena);
    return status;
}

/* Nothing of what is printed is longer than the names in the file; JSON has no \xx. */
static void print_string(const char *key, const char *text) {
    printf("\"%s\": \"", key);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\' || (unsigned char)*text < 0x20) {
            printf("\\u%04x", (unsigned char)*text);
        } else {
            putchar(*text);
        }
    }
    putchar('"');
}

static bool is_known(tn_module *m, const tn_type *t) {
    return t->kind == TN_TYPE_TENSOR && t->dtype != TN_DT_UNKNOWN &&
           tn_type_elements(m->dims, t) != TN_DIM_UNKNOWN;
}

static void print_value(tn_module *m, const tn_value *v) {
    tn_sink type = tn_sink_make(m->arena);
    tn_type_print(m->dims, v->type, &type);
    printf("{");
    print_string("value", v->name);
    printf(", \"of\": %u, ", v->graph->id);
    print_string("type", type.data);
    printf(", \"known\": %s, ", is_known(m, v->type) ? "true" : "false");
    print_string("why", v->unplanned != NULL ? v->unplanned : "");
    printf("}\n");
}

static void print_graph(const tn_graph *g) {
    const tn_value *at = tn_result(g->owner, 0);
    printf("{\"graph\": %u, \"in\": %u, ", g->id, g->owner->graph->id);
    print_string("at", at != NULL ? at->name : "");
    printf(", \"region\": %u, \"call\": %s}\n", g->region,
           tn_op_is_call(g->owner) ? "true" : "false");
}

/* Loading forgets the types of inner values; outputs have theirs from the interface. */
static void forget(tn_module *m) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (m->values[i]->kind == TN_VALUE_RESULT) {
            tn_value_set_type(m->values[i], tn_type_unknown());
        }
    }
}

static tn_status print_model(tn_ctx *ctx, void *arg) {
    const char *path = arg;
    tn_pair ignore = {"ignore-value-info", "true"};
    tn_load_options options = {.settings = &ignore, .n_settings = 1};
    tn_module *m = tn_load_file(ctx, path, &options);
    tn_status status = TN_ERROR;
    if (m != NULL) {
        forget(m);
        status = infer(ctx, m);
    }
    printf("{");
    print_string("model", path);
    printf(", \"status\": %d}\n", (int)status);
    if (status != TN_OK) {
        return status;
    }
    TN_FOR_ALL_OPS(op, m->main) {
        for (uint32_t i = 0; i < op->n_regions; i++) {
            print_graph(op->regions[i]);
        }
        for (uint32_t i = 0; i < op->n_results; i++) {
            if (op->results[i] != NULL) {
                print_value(m, op->results[i]);
            }
        }
    }
    tn_module_drop(m);
    return TN_OK;
}

int main(int argc, char **argv) {
    bool internal = false;
    for (int i = 1; i < argc; i++) {
        tn_ctx *ctx = tn_ctx_new(NULL);
        if (ctx == NULL) {
            return TN_NOMEM;
        }
        ctx->on_diag = on_diag;
        internal |= tn_guard_run(ctx, print_model, argv[i]) == TN_INTERNAL;
        tn_ctx_free(ctx);
    }
    return internal ? TN_INTERNAL : TN_OK;
}
