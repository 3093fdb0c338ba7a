/* ir.h: models, and types as text. */
#include <string.h>

#include "frontends/core/bind.h"
#include "ir/text/text.h"
#include "ir/verify.h"
#include "lib/api/api_ir_t.h"
#include "lib/op_facts.h"

typedef struct new_args {
    const char *name;
    const tenure_options *options;
    tn_module *module;
} new_args;

static tn_status new_model(tn_ctx *ctx, void *arg) {
    new_args *a = arg;
    const tn_texts none = {0};
    const tn_texts *facts = a->options != NULL ? &a->options->request->op_facts : &none;
    a->module = tn_module_new(ctx, a->name, a->name);
    if (facts->len > 0 || tn_ctx_extra(ctx, TN_EXTRA_ROW, 0) != NULL) {
        tn_module_take_op_set(a->module, tn_op_facts_read(ctx, facts));
    }
    return TN_OK;
}

tenure_model *tenure_model_new(tenure_context *ctx, const char *name,
                               const tenure_options *options) {
    new_args a = {.name = name, .options = options};
    if (ctx == NULL || name == NULL) {
        (void)tn_api_null(api_ctx(ctx), "tenure_model_new", "name");
        return NULL;
    }
    tn_status status = tn_guard_run(api_ctx(ctx), new_model, &a);
    return status == TN_OK ? (tenure_model *)a.module : NULL;
}

const char *tenure_model_name(const tenure_model *model) {
    return model != NULL ? api_module(model)->name : NULL;
}

/* Ops that had no version get this one. */
static tn_status import(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    const char *domain = tn_intern(ctx, strcmp(e->domain, "ai.onnx") == 0 ? "" : e->domain);
    tn_status status = tn_edit_name(e, "domain", domain);
    if (status != TN_OK) {
        return status;
    }
    if (e->number < 1) {
        return tn_edit_refuse(e, "%lld is not a version", (long long)e->number);
    }
    if (tn_module_opset(e->m, domain) != 0) {
        return tn_edit_refuse(e, "operator set '%s' is imported already", domain);
    }
    tn_module_add_opset(e->m, domain, e->number);
    for (uint32_t i = 0; i < e->m->n_ops; i++) {
        tn_op *op = e->m->ops[i];
        if (op->domain == domain && op->version == 0) {
            tn_op_set_version(op, e->number);
        }
    }
    return TN_OK;
}

tenure_status tenure_model_import(tenure_model *model, const char *domain, int64_t version) {
    tn_edit e = tn_edit_model("tenure_model_import", model);
    e.domain = domain;
    e.number = version;
    return tn_edit_run(&e, domain == NULL ? "domain" : NULL, import);
}

int tenure_model_opset(const tenure_model *model, size_t index, const char **domain,
                       int64_t *version) {
    if (model == NULL || domain == NULL || version == NULL ||
        index >= api_module(model)->origin.opsets.len) {
        return 0;
    }
    *domain = api_module(model)->origin.opsets.data[index].domain;
    *version = api_module(model)->origin.opsets.data[index].version;
    return 1;
}

static tn_status set_metadata(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    for (uint32_t i = 0; i < e->m->origin.metadata.len; i++) {
        tn_pair *p = &e->m->origin.metadata.data[i];
        if (strcmp(p->key, e->name) == 0) {
            p->value = tn_intern(ctx, e->text);
            return TN_OK;
        }
    }
    tn_module_add_metadata(e->m, e->name, e->text);
    return TN_OK;
}

tenure_status tenure_model_set_metadata(tenure_model *model, const char *key, const char *value) {
    tn_edit e = tn_edit_model("tenure_model_set_metadata", model);
    e.name = key;
    e.text = value;
    return tn_edit_run(&e, key == NULL ? "key" : value == NULL ? "value" : NULL, set_metadata);
}

int tenure_model_metadata(const tenure_model *model, size_t index, const char **key,
                          const char **value) {
    if (model == NULL || key == NULL || value == NULL ||
        index >= api_module(model)->origin.metadata.len) {
        return 0;
    }
    *key = api_module(model)->origin.metadata.data[index].key;
    *value = api_module(model)->origin.metadata.data[index].value;
    return 1;
}

static tn_status bind(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    tn_status status = tn_edit_may_read(e, e->value);
    if (status == TN_OK) {
        status = tn_edit_may_read(e, e->by);
    }
    if (status != TN_OK) {
        return status;
    }
    if (e->value->graph != e->m->main || e->value->kind == TN_VALUE_RESULT) {
        return tn_edit_refuse(e, "'%s' is neither an input nor a constant of the main graph",
                              e->value->name);
    }
    if (e->by->graph->kind == TN_GRAPH_BODY) {
        return tn_edit_refuse(e, "'%s' is a value of a nested graph", e->by->name);
    }
    tn_module_add_binding(e->m, e->value, e->by);
    return TN_OK;
}

tenure_status tenure_model_bind(tenure_model *model, tenure_value *state, tenure_value *value) {
    tn_edit e = tn_edit_model("tenure_model_bind", model);
    e.value = api_value(state);
    e.by = api_value(value);
    return tn_edit_run(&e, state == NULL ? "state" : value == NULL ? "value" : NULL, bind);
}

int tenure_model_binding(const tenure_model *model, size_t index, tenure_value **state,
                         tenure_value **value) {
    if (model == NULL || state == NULL || value == NULL || index >= api_module(model)->n_bindings) {
        return 0;
    }
    *state = (tenure_value *)api_module(model)->bindings[index].state;
    *value = (tenure_value *)api_module(model)->bindings[index].value;
    return 1;
}

static tn_status bind_open(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    tn_load_options options = tn_request_load_options(e->request);
    (void)ctx;
    tn_status status = tn_api_settle(e->m);
    if (status == TN_OK) {
        tn_bind_open(e->m, &options);
    }
    return status;
}

tenure_status tenure_model_bind_dims(tenure_model *model, const tenure_options *options) {
    tn_edit e = tn_edit_model("tenure_model_bind_dims", model);
    e.request = options != NULL ? options->request : NULL;
    return tn_edit_run(&e, options == NULL ? "options" : NULL, bind_open);
}

tenure_graph *tenure_model_graph(const tenure_model *model, size_t index) {
    const tn_module *m = api_module(model);
    return m != NULL && index < m->n_graphs ? (tenure_graph *)m->graphs[index] : NULL;
}

/* ---- models as a whole ---- */

static tn_status verify(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    bool changed = e->m->unverified || e->m->broken;
    return changed ? tn_api_settle(e->m) : tn_module_verify(e->m, true);
}

/* Not behind tn_edit_run: a model that is verified need not be again. */
tenure_status tenure_model_verify(tenure_model *model) {
    tn_edit e = tn_edit_model("tenure_model_verify", model);
    return model != NULL ? (tenure_status)tn_guard_run(e.m->ctx, verify, &e) : TENURE_USAGE;
}

static tn_status run(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_pipeline p;
    tn_controls controls = tn_controls_default();
    tn_plan *plan = NULL;
    tn_status status = tn_api_settle(e->m);
    if (status == TN_OK) {
        status = tn_pipeline_parse(arena, "pipeline", e->text, &p);
    }
    if (status == TN_OK) {
        status = tn_run_pipeline(ctx, e->m, &p, &controls, &plan, NULL);
    }
    tn_plan_drop(plan);
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_model_run(tenure_model *model, const char *pipeline) {
    tn_edit e = tn_edit_model("tenure_model_run", model);
    e.text = pipeline;
    if (model == NULL || pipeline == NULL) {
        return tn_api_null(model != NULL ? e.m->ctx : NULL, e.where, "pipeline");
    }
    return (tenure_status)tn_guard_run(e.m->ctx, run, &e);
}

static tn_status print(tn_ctx *ctx, void *arg) {
    tn_edit *e = arg;
    tn_status status = tn_api_settle(e->m);
    if (status == TN_OK) {
        tenure_buffer *out = tn_api_buffer_new(ctx);
        tn_module_print(e->m, &out->text);
        e->made = out;
    }
    return status;
}

tenure_status tenure_model_print(const tenure_model *model, tenure_buffer **out) {
    tn_edit e = tn_edit_model("tenure_model_print", (tenure_model *)model);
    if (out != NULL) {
        *out = NULL;
    }
    if (model == NULL || out == NULL) {
        return tn_api_null(model != NULL ? e.m->ctx : NULL, e.where, "out");
    }
    tn_status status = tn_guard_run(e.m->ctx, print, &e);
    *out = status == TN_OK ? e.made : NULL;
    return (tenure_status)status;
}

/* ---- types ---- */

typedef struct type_args {
    tenure_dtype dtype;
    size_t rank;
    const int64_t *dims;
    const char *text;
} type_args;

static tn_status make_type(tn_ctx *ctx, void *arg) {
    type_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_sink text = tn_sink_make(arena);
    tn_putf(&text, "%s[", tenure_dtype_name(a->dtype));
    for (size_t i = 0; i < a->rank; i++) {
        tn_put(&text, i > 0 ? "," : "");
        if (a->dims[i] < 0) {
            tn_put_c(&text, '?');
        } else {
            tn_putf(&text, "%lld", (long long)a->dims[i]);
        }
    }
    tn_put_c(&text, ']');
    a->text = tn_intern(ctx, text.data);
    tn_arena_drop(arena);
    return TN_OK;
}

const char *tenure_type_text(tenure_context *ctx, tenure_dtype dtype, size_t rank,
                             const int64_t *dims) {
    type_args a = {dtype, rank, dims, NULL};
    if (ctx == NULL || (rank > 0 && dims == NULL)) {
        (void)tn_api_null(api_ctx(ctx), "tenure_type_text", "dims");
        return NULL;
    }
    return tn_guard_run(api_ctx(ctx), make_type, &a) == TN_OK ? a.text : NULL;
}
