/* The OpenCL plan as JSON, for loaders that are not written in C: written straight into the sink,
 * values and steps as in the JSON form of plans, with handles in place of storages. */
#include "backends/core/cl_plan.h"
#include "ir/plan/json_put.h"
#include "ir/plan/plan_names.h"

static void put_text(tn_sink *out, const char *key, const char *text) {
    tn_putf(out, "  \"%s\": ", key);
    tn_put_quoted(out, text);
    tn_put(out, ",\n");
}

static void put_number(tn_sink *out, const char *key, uint64_t n) {
    tn_putf(out, "  \"%s\": %llu,\n", key, (unsigned long long)n);
}

static void put_head(const tn_cl_plan *cl, tn_sink *out) {
    static const char *const modes[] = {"offsets", "objects", "subbuffers"};
    const tn_plan *p = cl->p;
    char layout[TN_LAYOUT_HEX];
    tn_plan_layout(p, layout);
    tn_put(out, "{\n");
    put_number(out, "format", TN_CL_FORMAT);
    put_text(out, "tenure", p->version);
    put_text(out, "digest", p->digest);
    put_text(out, "layout", layout);
    put_text(out, "model", p->model);
    put_text(out, "mode", modes[cl->mode]);
    put_number(out, "align_bits", cl->align * 8);
    put_number(out, "align", cl->align);
    put_number(out, "max_alloc", cl->max_alloc);
    put_number(out, "ram", p->report.ram);
    put_number(out, "flash", p->report.flash);
    tn_putf(out, "  \"reordered\": %s", p->reordered ? "true" : "false");
    tn_json_put_text(out, "concurrency", tn_concurrency_names[p->concurrency]);
    tn_json_put_number(out, "n_queues", p->n_queues);
    tn_json_put_binding(out, p);
    tn_json_put_ids(out, "inputs", p->inputs);
    tn_json_put_ids(out, "outputs", p->outputs);
    tn_json_put_ids(out, "fixed", p->fixed);
    tn_json_put_index(out, "window", cl->window);
    tn_put(out, ",\n");
}

static void put_copies(const tn_cl_plan *cl, tn_sink *out, const char *key, uint32_t at,
                       uint32_t n) {
    tn_putf(out, ", \"%s\": [", key);
    for (uint32_t k = at; k < at + n; k++) {
        const tn_cl_copy *c = &cl->copies[k];
        tn_putf(out, "%s{\"chunk\": %u", k > at ? ", " : "", c->chunk);
        tn_json_put_number(out, "from", c->from);
        tn_json_put_number(out, "to", c->to);
        tn_json_put_number(out, "size", c->size);
        tn_put_c(out, '}');
    }
    tn_put_c(out, ']');
}

static void put_memory(const tn_cl_plan *cl, tn_sink *out) {
    tn_json_begin_list(out, "chunks");
    for (uint32_t i = 0; i < cl->n_chunks; i++) {
        const tn_cl_chunk *c = &cl->chunks[i];
        tn_json_begin_item(out, i, "kind");
        tn_put_quoted(out, tn_pool_kind_names[c->kind]);
        tn_json_put_flag(out, "host", c->host);
        tn_json_put_number(out, "pool", c->pool);
        tn_json_put_number(out, "at", c->at);
        tn_json_put_number(out, "size", c->size);
        tn_json_put_step_number(out, "first", c->first);
        tn_json_put_step_number(out, "last", c->last);
        tn_json_put_flag(out, "shared", c->shared);
        tn_json_put_flag(out, "ahead", c->ahead);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, cl->n_chunks);
    tn_json_begin_list(out, "handles");
    for (uint32_t i = 0; i < cl->n_handles; i++) {
        const tn_cl_handle *h = &cl->handles[i];
        tn_json_begin_item(out, i, "chunk");
        tn_putf(out, "%u", h->chunk);
        tn_json_put_number(out, "origin", h->origin);
        tn_json_put_number(out, "size", h->size);
        tn_json_put_flag(out, "whole", h->whole);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, cl->n_handles);
    tn_json_begin_list(out, "batches");
    for (uint32_t i = 0; i < cl->n_batches; i++) {
        const tn_cl_batch *b = &cl->batches[i];
        tn_json_begin_item(out, i, "first");
        tn_putf(out, "%u", b->first);
        tn_json_put_number(out, "end", b->end);
        tn_json_put_number(out, "late", b->n_late);
        put_copies(cl, out, "copies", b->copies, b->n_copies);
        put_copies(cl, out, "back", b->back, b->n_back);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, cl->n_batches);
}

static void put_values(const tn_json_expressions *e, const tn_cl_plan *cl, tn_sink *out) {
    tn_json_begin_list(out, "values");
    for (uint32_t i = 0; i < cl->p->n_values; i++) {
        const tn_plan_value *v = &cl->p->values[i];
        tn_json_begin_item(out, i, "name");
        tn_json_put_value_facts(e, out, cl->p, v);
        tn_json_put_index(out, "handle", cl->handle[i]);
        tn_json_put_number(out, "offset", cl->offset[i]);
        if (cl->second[i] != TN_NO_ID) {
            tn_json_put_number(out, "second", cl->second[i]);
            tn_json_put_number(out, "second_offset", cl->second_offset[i]);
        }
        tn_json_put_index(out, "step", v->step);
        tn_json_put_text(out, "alias", tn_alias_words[v->alias]);
        tn_json_put_index(out, "alias_of", v->alias_of);
        tn_json_put_index(out, "clone_of", v->clone_of);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, cl->p->n_values);
}

static void put_steps(const tn_cl_plan *cl, tn_sink *out) {
    tn_json_begin_list(out, "steps");
    for (uint32_t i = 0; i < cl->p->n_steps; i++) {
        const tn_cl_step *s = &cl->steps[i];
        tn_json_begin_item(out, i, "kind");
        tn_json_put_step_facts(out, &cl->p->steps[i]);
        tn_json_put_workspace(out, &cl->p->steps[i]);
        tn_json_put_flag(out, "barrier", s->barrier);
        tn_json_put_ids(out, "waits", s->waits);
        tn_json_put_ids(out, "reuse_waits", s->reuse);
        tn_json_put_ids(out, "inplace", s->inplace);
        tn_json_put_number(out, "queue", cl->p->steps[i].queue);
        tn_json_put_index(out, "clone_of", cl->p->steps[i].clone_of);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, cl->p->n_steps);
}

/* Training info: after a run the state takes the bytes of the value. */
static void put_bindings(const tn_plan *p, tn_sink *out) {
    const uint32_t *states = tn_plan_states(out->arena, p);
    tn_put(out, "  \"bindings\": [");
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        tn_json_begin_item(out, i, "state");
        tn_put_quoted(out, p->bindings[i].state);
        tn_json_put_index(out, "state_value", states[i]);
        tn_json_put_index(out, "value", p->bindings[i].value);
        tn_put_c(out, '}');
    }
    tn_put(out, p->n_bindings > 0 ? "\n  ]\n}\n" : "]\n}\n");
}

static tn_status emit(const tn_emission *e) {
    tn_sink *out = e->out;
    const tn_cl_plan *cl;
    tn_status status = tn_cl_derive(out->arena, e->plan, e->args, &cl);
    if (status != TN_OK) {
        return status;
    }
    tn_cl_note_window(cl);
    tn_json_expressions texts = tn_json_expressions_of(out->arena, e->plan);
    put_head(cl, out);
    tn_json_put_expressions(&texts, out);
    put_memory(cl, out);
    put_values(&texts, cl, out);
    put_steps(cl, out);
    put_bindings(e->plan, out);
    return TN_OK;
}

const tn_backend tn_backend_opencl_json = {
    .name = "opencl-json",
    .summary = "OpenCL buffer plan as JSON",
    .suffix = "_cl.json",
    .options = tn_cl_options,
    .align = tn_cl_align,
    .accepts = tn_cl_accepts,
    .emit = emit,
    .carries = TN_CL_CARRIES | TN_CARRIES(CLONES) | TN_CARRIES(DIMS),
    .refuses = tn_cl_refuses,
};
