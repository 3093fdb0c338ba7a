/* The OpenCL plan as C source: one constant `tenure_cl_plan` (declared in tenure_cl.h, the header
 * of the runtime) that tenure_cl.c realises on a context. */
#include <inttypes.h>

#include "backends/core/cl_plan.h"
#include "backends/core/emit.h"
#include "backends/core/step_rows.h"

static const char *const kinds[] = {"TENURE_CL_ARENA", "TENURE_CL_IO", "TENURE_CL_CONST",
                                    "TENURE_CL_STATE_POOL"};
static const char *const roles[] = {"TENURE_CL_INTERNAL", "TENURE_CL_INPUT", "TENURE_CL_OUTPUT",
                                    "TENURE_CL_CONSTANT", "TENURE_CL_STATE", "TENURE_CL_WORKSPACE"};
static const char *const modes[] = {"TENURE_CL_OFFSETS", "TENURE_CL_OBJECTS",
                                    "TENURE_CL_SUBBUFFERS"};
static const char *const aliases[] = {[TN_ALIAS_NONE] = "TENURE_CL_ALIAS_NONE",
                                      [TN_ALIAS_VIEW] = "TENURE_CL_ALIAS_VIEW",
                                      [TN_ALIAS_INPLACE] = "TENURE_CL_ALIAS_INPLACE",
                                      [TN_ALIAS_UPDATE] = "TENURE_CL_ALIAS_UPDATE",
                                      [TN_ALIAS_SHARE] = "TENURE_CL_ALIAS_SHARE"};
static const char *const step_kinds[] = {"TENURE_CL_OP", "TENURE_CL_BEGIN", "TENURE_CL_END"};

/* All lists of indices lie in one array: who has one names its part by position and length. */
typedef struct writer {
    const tn_cl_plan *cl;
    const tn_plan *p;
    tn_sink *out;
    tn_sink ids;
    uint32_t n_ids, n_dims, n_attrs, n_claims, n_bodies, n_moves, n_workspaces; /* so far */
} writer;

static void put_id(tn_sink *out, uint32_t id) {
    if (id == TN_NO_ID) {
        tn_put(out, "TENURE_CL_NONE");
    } else {
        tn_putf(out, "%" PRIu32 "u", id);
    }
}

static void put_part(writer *w, uint32_t *at, uint32_t len) {
    tn_putf(w->out, ", {%" PRIu32 "u, %" PRIu32 "u}", *at, len);
    *at += len;
}

static uint32_t add_ids(writer *w, tn_ids list) {
    uint32_t at = w->n_ids;
    for (uint32_t i = 0; i < list.len; i++) {
        tn_put(&w->ids, w->n_ids++ % 16 == 0 ? "\n    " : " ");
        put_id(&w->ids, list.data[i]);
        tn_put_c(&w->ids, ',');
    }
    return at;
}

static void put_list(writer *w, tn_ids list) {
    uint32_t at = add_ids(w, list);
    put_part(w, &at, list.len);
}

static void open_table(const writer *w, const char *type, const char *name) {
    tn_putf(w->out, "\nstatic const %s %s[] = {\n", type, name);
}

/* Compilers refuse empty tables. */
static void close_table(const writer *w, uint32_t n) {
    tn_put(w->out, n == 0 ? "    {0}\n};\n" : "};\n");
}

static void put_memory(const writer *w) {
    open_table(w, "tenure_cl_chunk", "chunks");
    for (uint32_t i = 0; i < w->cl->n_chunks; i++) {
        const tn_cl_chunk *c = &w->cl->chunks[i];
        tn_putf(w->out,
                "    {%s, %d, %" PRIu32 "u, %" PRIu64 "u, %" PRIu64 "u, %" PRId32 ", %" PRId32
                ", %d, %d},\n",
                kinds[c->kind], c->host, c->pool, c->at, c->size, c->first, c->last, c->shared,
                c->ahead);
    }
    close_table(w, w->cl->n_chunks);
    open_table(w, "tenure_cl_handle", "handles");
    for (uint32_t i = 0; i < w->cl->n_handles; i++) {
        const tn_cl_handle *h = &w->cl->handles[i];
        tn_putf(w->out, "    {%" PRIu32 "u, %d, %" PRIu64 "u, %" PRIu64 "u},\n", h->chunk, h->whole,
                h->origin, h->size);
    }
    close_table(w, w->cl->n_handles);
    open_table(w, "tenure_cl_copy", "copies");
    for (uint32_t i = 0; i < w->cl->n_copies; i++) {
        const tn_cl_copy *c = &w->cl->copies[i];
        tn_putf(w->out, "    {%" PRIu32 "u, %" PRIu64 "u, %" PRIu64 "u, %" PRIu64 "u},\n", c->chunk,
                c->from, c->to, c->size);
    }
    close_table(w, w->cl->n_copies);
    open_table(w, "tenure_cl_batch", "batches");
    for (uint32_t i = 0; i < w->cl->n_batches; i++) {
        const tn_cl_batch *b = &w->cl->batches[i];
        tn_putf(w->out,
                "    {%" PRIu32 "u, %" PRIu32 "u, {%" PRIu32 "u, %" PRIu32 "u}, %" PRIu32
                "u, {%" PRIu32 "u, %" PRIu32 "u}},\n",
                b->first, b->end, b->copies, b->n_copies, b->n_late, b->back, b->n_back);
    }
    close_table(w, w->cl->n_batches);
}

static void put_value(writer *w, uint32_t i) {
    const tn_plan_value *v = &w->p->values[i];
    tn_put(w->out, "    {");
    tn_put_c_string(w->out, v->name);
    tn_put(w->out, ", ");
    tn_put_c_string(w->out, v->graph);
    tn_putf(w->out, ", \"%s\", %s", tn_dtype_get(v->dtype)->name, roles[v->role]);
    put_part(w, &w->n_dims, v->rank);
    tn_put(w->out, ", ");
    put_id(w->out, w->cl->handle[i]);
    tn_putf(w->out, ", %" PRIu64 "u, ", w->cl->offset[i]);
    put_id(w->out, w->cl->second[i]);
    tn_putf(w->out, ", %" PRIu64 "u, %" PRIu64 "u, ", w->cl->second_offset[i], v->bytes);
    put_id(w->out, v->step);
    tn_putf(w->out, ", %s, ", aliases[v->alias]);
    put_id(w->out, v->alias_of);
    tn_putf(w->out, ", %" PRIu64 "u, ", v->offset);
    if (v->why == NULL) {
        tn_put(w->out, "0},\n");
        return;
    }
    tn_put_c_name(w->out, v->why);
    tn_put(w->out, "},\n");
}

static void put_values(writer *w) {
    open_table(w, "tenure_cl_value", "values");
    for (uint32_t i = 0; i < w->p->n_values; i++) {
        put_value(w, i);
    }
    close_table(w, w->p->n_values);
    open_table(w, "int64_t", "dims");
    for (uint32_t i = 0; i < w->p->n_values; i++) {
        const tn_plan_value *v = &w->p->values[i];
        for (uint32_t k = 0; k < v->rank; k++) {
            tn_putf(w->out, "%s%" PRId64 "%s", k == 0 ? "    " : " ", v->dims[k],
                    k + 1 == v->rank ? ",\n" : ",");
        }
    }
    tn_put(w->out, w->n_dims == 0 ? "    0,\n};\n" : "};\n");
}

static void put_step(writer *w, uint32_t i) {
    const tn_plan_step *s = &w->p->steps[i];
    const tn_cl_step *c = &w->cl->steps[i];
    const char *const texts[] = {s->name, s->domain, s->op, s->graph};
    tn_put(w->out, "    {");
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        tn_put_c_string(w->out, texts[k]);
        tn_put(w->out, ", ");
    }
    tn_putf(w->out, "%" PRId32 ", %" PRId64 ", %s, ", s->node, s->version, step_kinds[s->kind]);
    put_id(w->out, s->partner);
    tn_putf(w->out, ", %d, %d", s->idle, c->barrier);
    put_list(w, s->operands);
    put_list(w, s->results);
    put_list(w, s->shape_only);
    put_part(w, &w->n_attrs, s->n_attrs);
    put_part(w, &w->n_claims, s->n_claims);
    put_part(w, &w->n_bodies, s->n_bodies);
    put_part(w, &w->n_moves, s->n_moves);
    put_part(w, &w->n_workspaces, s->n_workspace);
    const tn_ids lists[] = {s->reads, s->writes, c->waits, c->reuse, c->inplace};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        put_list(w, lists[k]);
    }
    tn_putf(w->out, ", %" PRIu32 "u},\n", s->queue);
}

static void put_steps(writer *w) {
    open_table(w, "tenure_cl_step", "steps");
    for (uint32_t i = 0; i < w->p->n_steps; i++) {
        put_step(w, i);
    }
    close_table(w, w->p->n_steps);
}

static void put_bodies(writer *w) {
    open_table(w, "tenure_cl_body", "bodies");
    for (uint32_t i = 0; i < w->p->n_steps; i++) {
        const tn_plan_step *s = &w->p->steps[i];
        for (uint32_t k = 0; k < s->n_bodies; k++) {
            tn_put(w->out, "    {");
            tn_put_c_string(w->out, s->bodies[k].attribute);
            tn_put(w->out, ", ");
            tn_put_c_string(w->out, s->bodies[k].graph);
            put_list(w, s->bodies[k].inputs);
            put_list(w, s->bodies[k].outputs);
            tn_put(w->out, "},\n");
        }
    }
    close_table(w, w->n_bodies);
}

static void put_workspaces(const writer *w) {
    open_table(w, "tenure_cl_workspace", "workspaces");
    for (uint32_t i = 0; i < w->p->n_steps; i++) {
        const tn_plan_step *s = &w->p->steps[i];
        for (uint32_t k = 0; k < s->n_workspace; k++) {
            tn_putf(w->out, "    {%" PRIu32 "u, %d, ", s->workspace[k].value, s->workspace[k].kept);
            tn_put_c_name(w->out, s->workspace[k].way);
            tn_put(w->out, "},\n");
        }
    }
    close_table(w, w->n_workspaces);
}

static void put_attr_values(const writer *w, const tn_step_rows *rows, const char *type,
                            const char *name, tn_attr_table table) {
    open_table(w, type, name);
    tn_put(w->out, tn_put_attr_values(rows, table) == 0 ? "    0,\n};\n" : "};\n");
}

/* What steps are given and have to keep. */
static void put_step_rows(const writer *w) {
    tn_step_rows rows = {.p = w->p, .out = w->out, .absent = "TENURE_CL_NONE"};
    open_table(w, "tenure_cl_attr", "attrs");
    close_table(w, tn_put_attr_rows(&rows));
    put_attr_values(w, &rows, "int64_t", "attr_ints", TN_ATTRS_INTS);
    put_attr_values(w, &rows, "double", "attr_floats", TN_ATTRS_FLOATS);
    put_attr_values(w, &rows, "char *const", "attr_strings", TN_ATTRS_STRINGS);
    open_table(w, "tenure_cl_claim", "claims");
    close_table(w, tn_put_claim_rows(&rows));
    open_table(w, "tenure_cl_move", "moves");
    close_table(w, tn_put_move_rows(&rows));
}

static void put_bindings(const tn_plan *p, const writer *w) {
    const uint32_t *states = tn_plan_states(w->out->arena, p);
    open_table(w, "tenure_cl_binding", "bindings");
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        tn_put(w->out, "    {");
        tn_put_c_string(w->out, p->bindings[i].state);
        tn_put(w->out, ", ");
        put_id(w->out, states[i]);
        tn_putf(w->out, ", %" PRIu32 "u},\n", p->bindings[i].value);
    }
    close_table(w, p->n_bindings);
}

static void put_head(const writer *w) {
    const tn_plan *p = w->p;
    tn_put(w->out, "/* OpenCL buffer plan of '");
    tn_put_comment(w->out, p->model);
    tn_putf(w->out, "', made by tenure %s.\n * digest: %s\n * pipeline: ", p->version,
            p->digest[0] != '\0' ? p->digest : "none");
    tn_put_comment(w->out, p->pipeline);
    tn_putf(w->out,
            "\n * alignment of buffers: %" PRIu64 " bytes (%" PRIu64 " bits)\n"
            " * RAM %" PRIu64 " bytes, constants %" PRIu64 " bytes\n"
            " * %" PRIu32 " chunks, %" PRIu32 " handles, %" PRIu32 " steps */\n"
            "#include <math.h>\n#include \"tenure_cl.h\"\n",
            w->cl->align, w->cl->align * 8, p->report.ram, p->report.flash, w->cl->n_chunks,
            w->cl->n_handles, p->n_steps);
}

static void put_ids(const writer *w) {
    open_table(w, "uint32_t", "ids");
    tn_putf(w->out, "%s\n};\n", w->n_ids == 0 ? "    0," : w->ids.data + 1);
}

static void put_counted(const writer *w, const char *table, uint32_t n) {
    tn_putf(w->out, "    .%s = %s, .n_%s = %" PRIu32 "u,\n", table, table, table, n);
}

static const char *const concurrencies[] = {[TN_SERIAL] = "TENURE_CL_SERIAL",
                                            [TN_DATAFLOW] = "TENURE_CL_DATAFLOW",
                                            [TN_QUEUES] = "TENURE_CL_QUEUES"};

/* The plan itself, in front of which all its tables stand. */
static void put_plan(const writer *w, const char *id, uint32_t interface) {
    const tn_plan *p = w->p;
    char layout[TN_LAYOUT_HEX];
    tn_plan_layout(p, layout);
    tn_putf(w->out,
            "\nconst tenure_cl_plan %s_cl_plan = {\n"
            "    .format = %d, .mode = %s, .reordered = %d,\n"
            "    .concurrency = %s, .n_queues = %" PRIu32 "u,\n    .model = ",
            id, TN_CL_FORMAT, modes[w->cl->mode], p->reordered, concurrencies[p->concurrency],
            p->n_queues);
    tn_put_c_string(w->out, p->model);
    tn_put(w->out, ",\n    .digest = ");
    tn_put_c_string(w->out, p->digest);
    tn_putf(w->out, ",\n    .layout = \"%s\"", layout);
    tn_putf(w->out, ",\n    .align = %" PRIu64 "u, .ram = %" PRIu64 "u, .flash = %" PRIu64 "u,\n",
            w->cl->align, p->report.ram, p->report.flash);
    tn_putf(w->out,
            "    .inputs = {%" PRIu32 "u, %" PRIu32 "u}, .outputs = {%" PRIu32 "u, %" PRIu32
            "u}, .fixed = {%" PRIu32 "u, %" PRIu32 "u},\n",
            interface, p->inputs.len, interface + p->inputs.len, p->outputs.len,
            interface + p->inputs.len + p->outputs.len, p->fixed.len);
    put_counted(w, "chunks", w->cl->n_chunks);
    put_counted(w, "handles", w->cl->n_handles);
    put_counted(w, "values", p->n_values);
    put_counted(w, "steps", p->n_steps);
    put_counted(w, "bindings", p->n_bindings);
    put_counted(w, "batches", w->cl->n_batches);
    put_counted(w, "copies", w->cl->n_copies);
    tn_put(w->out, "    .window = ");
    put_id(w->out, w->cl->window);
    tn_put(w->out, ",\n");
    tn_put(w->out,
           "    .ids = ids, .dims = dims, .attrs = attrs, .attr_ints = attr_ints,\n"
           "    .attr_floats = attr_floats, .attr_strings = attr_strings, .claims = claims,\n"
           "    .bodies = bodies, .moves = moves, .workspaces = workspaces};\n");
    tn_putf(w->out,
            "\n#ifdef TENURE_CL_PLAN_NAME\nconst tenure_cl_plan *const TENURE_CL_PLAN_NAME = "
            "&%s_cl_plan;\n#endif\n",
            id);
}

static tn_status emit(const tn_emission *e) {
    const tn_plan *p = e->plan;
    tn_sink *out = e->out;
    const tn_cl_plan *cl;
    tn_status status = tn_cl_derive(out->arena, p, e->args, &cl);
    if (status != TN_OK) {
        return status;
    }
    tn_cl_note_window(cl);
    writer w = {.cl = cl, .p = cl->p, .out = out, .ids = tn_sink_make(out->arena)};
    put_head(&w);
    put_memory(&w);
    put_values(&w);
    put_steps(&w);
    put_bodies(&w);
    put_workspaces(&w);
    put_step_rows(&w);
    put_bindings(p, &w);
    uint32_t interface = add_ids(&w, p->inputs);
    (void)add_ids(&w, p->outputs);
    (void)add_ids(&w, p->fixed);
    put_ids(&w);
    put_plan(&w, tn_artefact_prefix(out->arena, e, "", "_cl"), interface);
    return TN_OK;
}

const tn_backend tn_backend_opencl = {
    .name = "opencl",
    .summary = "OpenCL buffer plan as C source for the runtime tenure_cl",
    .suffix = "_cl.c",
    .options = tn_cl_options,
    .align = tn_cl_align,
    .accepts = tn_cl_accepts,
    .emit = emit,
    .carries = TN_CL_CARRIES & ~TN_CARRIES(FUSED),
    .refuses = tn_cl_refuses,
};
