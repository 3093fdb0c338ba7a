/* Writes the tables of an emitted OpenCL plan as JSON, for tests/opencl/tables.py. Built with the
 * emitted source: -DTENURE_CL_PLAN_NAME=plan. Needs no device. */
#include <inttypes.h>
#include <stdio.h>

#include <tenure_cl.h>

extern const tenure_cl_plan *const TENURE_CL_PLAN_NAME;
static const tenure_cl_plan *plan;

/* Every byte is one character of the JSON text. */
static void put_text(const char *key, const char *text) {
    printf("\"%s\": ", key);
    if (text == NULL) {
        printf("null, ");
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++) {
        printf("\\u%04x", (unsigned)(unsigned char)*text);
    }
    printf("\", ");
}

static void put_id(uint32_t id) {
    if (id == TENURE_CL_NONE) {
        printf("null");
    } else {
        printf("%" PRIu32, id);
    }
}

static void put_index(const char *key, uint32_t id) {
    printf("\"%s\": ", key);
    put_id(id);
    printf(", ");
}

static void put_ids(const char *key, tenure_cl_list list) {
    printf("\"%s\": [", key);
    for (uint32_t i = 0; i < list.len; i++) {
        fputs(i > 0 ? ", " : "", stdout);
        put_id(tenure_cl_ids(plan, list)[i]);
    }
    printf("], ");
}

static void put_value(const tenure_cl_value *v) {
    printf("{");
    put_text("name", v->name);
    put_text("graph", v->graph);
    put_text("dtype", v->dtype);
    put_text("why", v->why);
    put_index("handle", v->handle);
    put_index("step", v->step);
    put_index("alias_of", v->alias_of);
    printf("\"dims\": [");
    for (uint32_t i = 0; i < v->dims.len; i++) {
        printf("%s%" PRId64, i > 0 ? ", " : "", plan->dims[v->dims.at + i]);
    }
    printf("], \"role\": %d, \"alias\": %d, \"offset\": %" PRIu64 ", \"bytes\": %" PRIu64
           ", \"in_storage\": %" PRIu64 "}",
           v->role, v->alias, v->offset, v->bytes, v->in_storage);
}

static void put_attr(const tenure_cl_attr *a) {
    printf("{");
    put_text("name", a->name);
    printf("\"table\": %" PRIu32 ", \"values\": [", a->table);
    for (uint32_t i = a->values.at; i < a->values.at + a->values.len; i++) {
        fputs(i > a->values.at ? ", " : "", stdout);
        if (a->table == TENURE_CL_INTS) {
            printf("%" PRId64, plan->attr_ints[i]);
        } else if (a->table == TENURE_CL_FLOATS) {
            printf("\"%a\"", plan->attr_floats[i]);
        } else {
            printf("{");
            put_text("text", plan->attr_strings[i]);
            printf("\"end\": 0}");
        }
    }
    printf("]}");
}

static void put_body(const tenure_cl_body *b) {
    printf("{");
    put_text("attribute", b->attribute);
    put_text("graph", b->graph);
    put_ids("inputs", b->inputs);
    put_ids("outputs", b->outputs);
    printf("\"end\": 0}");
}

static void put_move(const tenure_cl_move *m) {
    printf("{");
    put_index("from", m->from);
    put_index("to", m->to);
    printf("\"when\": %" PRIu32 ", \"what\": %" PRIu32 ", \"body\": %" PRIu32 ", \"axis\": %" PRId64
           ", \"reverse\": %d}",
           m->when, m->what, m->body, m->axis, m->reverse);
}

static void put_workspace(const tenure_cl_workspace *w) {
    printf("{");
    put_text("way", w->way);
    printf("\"value\": %" PRIu32 ", \"kept\": %d}", w->value, w->kept);
}

static void put_claim(const tenure_cl_claim *c) {
    printf("{");
    put_index("result", c->result);
    printf("\"operand\": %" PRIu32 ", \"promise\": %" PRIu32 "}", c->operand, c->promise);
}

/* The items of a list in one of the plan's tables. */
#define PUT_ITEMS(key, list, table, put)                                                           \
    do {                                                                                           \
        printf("\"%s\": [", key);                                                                  \
        for (uint32_t i = 0; i < (list).len; i++) {                                                \
            fputs(i > 0 ? ",\n " : "", stdout);                                                    \
            put(&(table)[(list).at + i]);                                                          \
        }                                                                                          \
        printf("], ");                                                                             \
    } while (0)

static void put_step(const tenure_cl_step *s) {
    printf("{");
    put_text("name", s->name);
    put_text("domain", s->domain);
    put_text("op", s->op);
    put_text("graph", s->graph);
    put_index("partner", s->partner);
    put_ids("operands", s->operands);
    put_ids("results", s->results);
    put_ids("shape_only", s->shape_only);
    put_ids("reads", s->reads);
    put_ids("writes", s->writes);
    put_ids("waits", s->waits);
    put_ids("reuse_waits", s->reuse);
    put_ids("inplace", s->inplace);
    PUT_ITEMS("attributes", s->attrs, plan->attrs, put_attr);
    PUT_ITEMS("claims", s->claims, plan->claims, put_claim);
    PUT_ITEMS("bodies", s->bodies, plan->bodies, put_body);
    PUT_ITEMS("moves", s->moves, plan->moves, put_move);
    PUT_ITEMS("workspace", s->workspace, plan->workspaces, put_workspace);
    printf("\"node\": %" PRId32 ", \"version\": %" PRId64
           ", \"kind\": %d, \"idle\": %d, \"barrier\": %d, \"queue\": %" PRIu32 "}",
           s->node, s->version, s->kind, s->idle, s->barrier, s->queue);
}

static void put_chunk(const tenure_cl_chunk *c) {
    printf("{\"kind\": %d, \"host\": %d, \"pool\": %" PRIu32 ", \"at\": %" PRIu64
           ", \"size\": %" PRIu64 ", \"first\": %" PRId32 ", \"last\": %" PRId32
           ", \"shared\": %d, \"ahead\": %d}",
           c->kind, c->host, c->pool, c->at, c->size, c->first, c->last, c->shared, c->ahead);
}

static void put_copy(const tenure_cl_copy *c) {
    printf("{\"chunk\": %" PRIu32 ", \"from\": %" PRIu64 ", \"to\": %" PRIu64 ", \"size\": %" PRIu64
           "}",
           c->chunk, c->from, c->to, c->size);
}

static void put_batch(const tenure_cl_batch *b) {
    printf("{");
    PUT_ITEMS("copies", b->copies, plan->copies, put_copy);
    PUT_ITEMS("back", b->back, plan->copies, put_copy);
    printf("\"first\": %" PRIu32 ", \"end\": %" PRIu32 ", \"late\": %" PRIu32 "}", b->first, b->end,
           b->late);
}

static void put_handle(const tenure_cl_handle *h) {
    printf("{\"chunk\": %" PRIu32 ", \"whole\": %d, \"origin\": %" PRIu64 ", \"size\": %" PRIu64
           "}",
           h->chunk, h->whole, h->origin, h->size);
}

static void put_binding(const tenure_cl_binding *b) {
    printf("{");
    put_text("state", b->state);
    put_index("state_value", b->state_value);
    printf("\"value\": %" PRIu32 "}", b->value);
}

int main(void) {
    plan = TENURE_CL_PLAN_NAME;
    printf("{");
    put_text("model", plan->model);
    put_text("digest", plan->digest);
    put_text("layout", plan->layout);
    put_ids("inputs", plan->inputs);
    put_ids("outputs", plan->outputs);
    put_ids("fixed", plan->fixed);
    tenure_cl_list chunks = {0, plan->n_chunks}, handles = {0, plan->n_handles};
    tenure_cl_list values = {0, plan->n_values}, steps = {0, plan->n_steps};
    tenure_cl_list bindings = {0, plan->n_bindings};
    PUT_ITEMS("chunks", chunks, plan->chunks, put_chunk);
    PUT_ITEMS("handles", handles, plan->handles, put_handle);
    PUT_ITEMS("values", values, plan->values, put_value);
    PUT_ITEMS("steps", steps, plan->steps, put_step);
    PUT_ITEMS("bindings", bindings, plan->bindings, put_binding);
    tenure_cl_list batches = {0, plan->n_batches};
    PUT_ITEMS("batches", batches, plan->batches, put_batch);
    put_index("window", plan->window);
    printf("\"format\": %d, \"mode\": %d, \"reordered\": %d, \"align\": %" PRIu64
           ", \"ram\": %" PRIu64 ", \"flash\": %" PRIu64
           ", \"concurrency\": %d, \"n_queues\": %" PRIu32 "}\n",
           plan->format, plan->mode, plan->reordered, plan->align, plan->ram, plan->flash,
           plan->concurrency, plan->n_queues);
    return 0;
}
