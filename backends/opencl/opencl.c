/* The OpenCL plan as C source: one constant `tenure_cl_plan` (declared in tenure_cl.h, the header
 * of the runtime) that tenure_cl.c realises on a context. */
#include "backends/core/cl_plan.h"
#include "backends/core/emit.h"

static const char *const kinds[] = {"TENURE_CL_ARENA", "TENURE_CL_IO", "TENURE_CL_CONST"};
static const char *const roles[] = {"TENURE_CL_INTERNAL", "TENURE_CL_INPUT", "TENURE_CL_OUTPUT",
                                    "TENURE_CL_CONSTANT", "TENURE_CL_STATE"};
static const char *const modes[] = {"TENURE_CL_SUBBUFFERS", "TENURE_CL_OBJECTS",
                                    "TENURE_CL_OFFSETS"};

static void put_id(tn_sink *out, uint32_t id) {
    if (id == TN_NO_ID) {
        tn_put(out, "TENURE_CL_NONE");
    } else {
        tn_putf(out, "%u", id);
    }
}

/* All lists of the steps lie in one array, a step names its parts by position and length. */
static uint32_t put_list(tn_sink *pool, uint32_t at, tn_ids ids) {
    for (uint32_t i = 0; i < ids.len; i++) {
        tn_putf(pool, "%s%u,", (at + i) % 16 == 0 ? "\n    " : " ", ids.data[i]);
    }
    return at + ids.len;
}

static void put_steps(const tn_plan *p, const tn_cl_plan *cl, tn_sink *out) {
    tn_sink pool = tn_sink_make(out->arena), steps = tn_sink_make(out->arena);
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->n_steps; i++) {
        const tn_plan_step *s = &p->steps[i];
        const tn_cl_step *c = &cl->steps[i];
        const tn_ids lists[] = {s->reads, s->writes, c->waits, c->reuse, c->inplace, c->releases};
        tn_put(&steps, "    {");
        tn_put_c_string(&steps, s->name[0] != '\0' ? s->name : s->op);
        tn_put(&steps, ", ");
        tn_put_c_string(&steps, s->op);
        tn_putf(&steps, ", %d, %d", c->empty, c->barrier);
        for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
            tn_putf(&steps, ", {%u, %u}", at, lists[k].len);
            at = put_list(&pool, at, lists[k]);
        }
        tn_put(&steps, "},\n");
    }
    tn_put(out, "static const uint32_t ids[] = {");
    tn_put(out, at == 0 ? " 0" : pool.data);
    tn_put(out, "};\n\nstatic const tenure_cl_step steps[] = {\n");
    tn_put(out, p->n_steps == 0 ? "    {0}\n" : steps.data);
    tn_put(out, "};\n\n");
}

static void put_values(const tn_plan *p, const tn_cl_plan *cl, tn_sink *out) {
    tn_put(out, "static const tenure_cl_value values[] = {\n");
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        tn_put(out, "    {");
        tn_put_c_string(out, v->name);
        tn_putf(out, ", %s, ", roles[v->role]);
        put_id(out, cl->handle[i]);
        tn_putf(out, ", %lluu, %lluu, ", (unsigned long long)cl->offset[i],
                (unsigned long long)v->bytes);
        put_id(out, v->step);
        tn_put(out, ", ");
        put_id(out, v->alias == TN_ALIAS_VIEW ? v->alias_of : TN_NO_ID);
        tn_putf(out, ", %lluu},\n", (unsigned long long)v->offset);
    }
    tn_put(out, p->n_values == 0 ? "    {0}\n};\n\n" : "};\n\n");
}

static void put_bindings(const tn_plan *p, tn_sink *out) {
    const uint32_t *states = tn_plan_states(out->arena, p);
    tn_put(out, "static const tenure_cl_binding bindings[] = {\n");
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        tn_put(out, "    {");
        tn_put_c_string(out, p->bindings[i].state);
        tn_put(out, ", ");
        put_id(out, states[i]);
        tn_putf(out, ", %u},\n", p->bindings[i].value);
    }
    tn_put(out, p->n_bindings == 0 ? "    {0}\n};\n\n" : "};\n\n");
}

static void put_memory(const tn_cl_plan *cl, tn_sink *out) {
    tn_put(out, "static const tenure_cl_chunk chunks[] = {\n");
    for (uint32_t i = 0; i < cl->n_chunks; i++) {
        const tn_cl_chunk *c = &cl->chunks[i];
        tn_putf(out, "    {%s, %lluu, %d, %d},\n", kinds[c->kind], (unsigned long long)c->size,
                (int)c->first, (int)c->last);
    }
    tn_put(out, cl->n_chunks == 0 ? "    {TENURE_CL_ARENA, 0u, 0, 0}\n};\n\n" : "};\n\n");
    tn_put(out, "static const tenure_cl_handle handles[] = {\n");
    for (uint32_t i = 0; i < cl->n_handles; i++) {
        const tn_cl_handle *h = &cl->handles[i];
        tn_putf(out, "    {%u, %d, %lluu, %lluu},\n", h->chunk, h->whole,
                (unsigned long long)h->origin, (unsigned long long)h->size);
    }
    tn_put(out, cl->n_handles == 0 ? "    {0, 0, 0u, 0u}\n};\n\n" : "};\n\n");
}

static tn_status emit(const tn_emission *e) {
    const tn_plan *p = e->plan;
    const tn_backend_args *args = e->args;
    tn_sink *out = e->out;
    const tn_cl_plan *cl;
    tn_status status = tn_cl_derive(out->arena, p, args, &cl);
    if (status != TN_OK) {
        return status;
    }
    const char *const name[] = {p->model};
    const char *id = tn_identifiers(out->arena, "m", name, 1, false)[0];
    tn_put(out, "/* OpenCL buffer plan of '");
    tn_put_comment(out, p->model);
    tn_putf(out, "', made by tenure %s.\n * digest: %s\n * pipeline: ", p->version,
            p->digest[0] != '\0' ? p->digest : "none");
    tn_put_comment(out, p->pipeline);
    tn_putf(out,
            "\n * alignment of sub-buffer origins: %llu bytes (%llu bits)\n"
            " * %u chunks, %u handles, %u steps */\n#include \"tenure_cl.h\"\n\n",
            (unsigned long long)cl->align, (unsigned long long)cl->align * 8, cl->n_chunks,
            cl->n_handles, p->n_steps);
    put_memory(cl, out);
    put_values(p, cl, out);
    put_steps(p, cl, out);
    put_bindings(p, out);
    tn_putf(out, "const tenure_cl_plan %s_cl_plan = {\n    TENURE_CL_FORMAT, %s, ", id,
            modes[cl->mode]);
    tn_put_c_string(out, p->model);
    tn_put(out, ", ");
    tn_put_c_string(out, p->digest);
    tn_putf(out,
            ",\n    %lluu, chunks, %u, handles, %u, values, %u, steps, %u, ids,\n"
            "    bindings, %u};\n\n"
            "#ifdef TENURE_CL_PLAN_NAME\nconst tenure_cl_plan *const TENURE_CL_PLAN_NAME = "
            "&%s_cl_plan;\n#endif\n",
            (unsigned long long)cl->align, cl->n_chunks, cl->n_handles, p->n_values, p->n_steps,
            p->n_bindings, id);
    return TN_OK;
}

const tn_backend tn_backend_opencl = {
    .name = "opencl",
    .summary = "OpenCL buffer plan as C source for the runtime tenure_cl",
    .suffix = "_cl.c",
    .align = TN_CL_ALIGN_BITS / 8,
    .options = tn_cl_options,
    .accepts = tn_cl_accepts,
    .emit = emit,
};
