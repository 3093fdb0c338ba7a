/* The OpenCL plan as JSON, for loaders that are not written in C. */
#include <jansson.h>

#include "backends/core/cl_plan.h"
#include "ir/plan/plan_names.h"

/* Owns the tree from before it is made, so that nothing is lost when memory runs out in between. */
typedef struct holder {
    json_t *root;
} holder;

static void drop(void *p) {
    json_decref(((holder *)p)->root);
}

/* Out of memory shows as NULL from the json library; every value goes through here. */
static json_t *need(tn_ctx *ctx, json_t *j) {
    if (j == NULL) {
        tn_raise(ctx, TN_NOMEM);
    }
    return j;
}

static void set(tn_ctx *ctx, json_t *object, const char *key, json_t *value) {
    if (json_object_set_new_nocheck(object, key, need(ctx, value)) != 0) {
        tn_raise(ctx, TN_NOMEM);
    }
}

static json_t *append(tn_ctx *ctx, json_t *array, json_t *value) {
    if (json_array_append_new(array, need(ctx, value)) != 0) {
        tn_raise(ctx, TN_NOMEM);
    }
    return value;
}

static json_t *add_array(tn_ctx *ctx, json_t *object, const char *key) {
    json_t *array = json_array();
    set(ctx, object, key, array);
    return array;
}

static json_t *number(uint64_t n) {
    return json_integer((json_int_t)n);
}

static json_t *id_or_null(uint32_t id) {
    return id == TN_NO_ID ? json_null() : number(id);
}

static json_t *text(tn_ctx *ctx, tn_arena *arena, const char *s) {
    tn_sink utf8 = tn_sink_make(arena);
    tn_put_utf8(&utf8, s);
    return need(ctx, json_string(utf8.data));
}

static void set_ids(tn_ctx *ctx, json_t *object, const char *key, tn_ids ids) {
    json_t *array = add_array(ctx, object, key);
    for (uint32_t i = 0; i < ids.len; i++) {
        append(ctx, array, number(ids.data[i]));
    }
}

static void add_memory(const tn_plan *p, const tn_cl_plan *cl, json_t *root) {
    static const char *const kinds[] = {"arena", "io", "const"};
    json_t *chunks = add_array(p->ctx, root, "chunks");
    for (uint32_t i = 0; i < cl->n_chunks; i++) {
        json_t *c = append(p->ctx, chunks, json_object());
        set(p->ctx, c, "kind", json_string(kinds[cl->chunks[i].kind]));
        set(p->ctx, c, "size", number(cl->chunks[i].size));
        set(p->ctx, c, "first", json_integer(cl->chunks[i].first));
        set(p->ctx, c, "last", json_integer(cl->chunks[i].last));
    }
    json_t *handles = add_array(p->ctx, root, "handles");
    for (uint32_t i = 0; i < cl->n_handles; i++) {
        json_t *h = append(p->ctx, handles, json_object());
        set(p->ctx, h, "chunk", number(cl->handles[i].chunk));
        set(p->ctx, h, "origin", number(cl->handles[i].origin));
        set(p->ctx, h, "size", number(cl->handles[i].size));
        set(p->ctx, h, "whole", json_boolean(cl->handles[i].whole));
    }
}

static void add_values(const tn_plan *p, const tn_cl_plan *cl, tn_arena *arena, json_t *root) {
    static const char *const roles[] = {"internal", "input", "output", "const", "state"};
    json_t *values = add_array(p->ctx, root, "values");
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        json_t *j = append(p->ctx, values, json_object());
        set(p->ctx, j, "name", text(p->ctx, arena, v->name));
        set(p->ctx, j, "graph", text(p->ctx, arena, v->graph));
        set(p->ctx, j, "role", json_string(roles[v->role]));
        set(p->ctx, j, "handle", id_or_null(cl->handle[i]));
        set(p->ctx, j, "offset", number(cl->offset[i]));
        set(p->ctx, j, "bytes", number(v->bytes));
    }
}

static void add_steps(const tn_plan *p, const tn_cl_plan *cl, tn_arena *arena, json_t *root) {
    json_t *steps = add_array(p->ctx, root, "steps");
    for (uint32_t i = 0; i < p->n_steps; i++) {
        const tn_plan_step *s = &p->steps[i];
        json_t *j = append(p->ctx, steps, json_object());
        set(p->ctx, j, "name", text(p->ctx, arena, s->name));
        set(p->ctx, j, "op", text(p->ctx, arena, s->op));
        set(p->ctx, j, "node", json_integer(s->node));
        set(p->ctx, j, "empty", json_boolean(cl->steps[i].empty));
        set(p->ctx, j, "barrier", json_boolean(cl->steps[i].barrier));
        set_ids(p->ctx, j, "reads", s->reads);
        set_ids(p->ctx, j, "writes", s->writes);
        set_ids(p->ctx, j, "waits", cl->steps[i].waits);
        set_ids(p->ctx, j, "reuse_waits", cl->steps[i].reuse);
        set_ids(p->ctx, j, "inplace", cl->steps[i].inplace);
        set_ids(p->ctx, j, "releases", cl->steps[i].releases);
    }
}

/* Training info: after a run the state takes the bytes of the value. */
static void add_bindings(const tn_plan *p, tn_arena *arena, json_t *root) {
    const uint32_t *states = tn_plan_states(arena, p);
    json_t *bindings = add_array(p->ctx, root, "bindings");
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        json_t *j = append(p->ctx, bindings, json_object());
        set(p->ctx, j, "state", text(p->ctx, arena, p->bindings[i].state));
        set(p->ctx, j, "state_value", id_or_null(states[i]));
        set(p->ctx, j, "value", number(p->bindings[i].value));
    }
}

/* Sized first and written then: a callback of the library's could not be left by a raise. */
static void put_tree(tn_ctx *ctx, const json_t *root, tn_sink *out) {
    size_t size = json_dumpb(root, NULL, 0, JSON_INDENT(1));
    char *text = TN_ARRAY(out->arena, char, size);
    if (size == 0 || json_dumpb(root, text, size, JSON_INDENT(1)) != size) {
        tn_raise(ctx, TN_NOMEM);
    }
    tn_put_n(out, text, size);
    tn_put_c(out, '\n');
}

static tn_status emit(const tn_emission *e) {
    const tn_plan *p = e->plan;
    const tn_backend_args *args = e->args;
    tn_sink *out = e->out;
    static const char *const modes[] = {"subbuffers", "objects", "offsets"};
    const tn_cl_plan *cl;
    tn_status status = tn_cl_derive(out->arena, p, args, &cl);
    if (status != TN_OK) {
        return status;
    }
    holder *h = TN_NEW(out->arena, holder);
    tn_arena_defer(out->arena, drop, h);
    json_t *root = h->root = need(p->ctx, json_object());
    set(p->ctx, root, "format", number(TN_PLAN_FORMAT));
    set(p->ctx, root, "model", text(p->ctx, out->arena, p->model));
    set(p->ctx, root, "sha256", json_string(p->digest));
    set(p->ctx, root, "tenure", json_string(p->version));
    set(p->ctx, root, "mode", json_string(modes[cl->mode]));
    set(p->ctx, root, "align_bits", number(cl->align * 8));
    set(p->ctx, root, "align", number(cl->align));
    set(p->ctx, root, "max_alloc", number(cl->max_alloc));
    add_memory(p, cl, root);
    add_values(p, cl, out->arena, root);
    add_steps(p, cl, out->arena, root);
    add_bindings(p, out->arena, root);
    put_tree(p->ctx, root, out);
    return TN_OK;
}

const tn_backend tn_backend_opencl_json = {
    .name = "opencl-json",
    .summary = "OpenCL buffer plan as JSON",
    .suffix = "_cl.json",
    .align = TN_CL_ALIGN_BITS / 8,
    .options = tn_cl_options,
    .accepts = tn_cl_accepts,
    .emit = emit,
};
