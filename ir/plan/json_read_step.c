/* Steps of a JSON plan. What the format has and this version does not plan must be empty. */
#include <math.h>
#include <string.h>

#include "ir/base/limits.h"
#include "ir/ops/op_set.h"
#include "ir/plan/json_read_t.h"
#include "ir/plan/plan_names.h"
#include "ir/tensor_bytes.h"

/* ---- attributes ---- */

static tn_string read_string(tn_json_item *at, const char *name, json_t *j) {
    if (!json_is_string(j) || json_string_length(j) > UINT32_MAX) {
        tn_json_bad(at, name, "a string");
    }
    size_t len;
    char *text =
        tn_bytes_from_utf8(at->r->plan->arena, json_string_value(j), json_string_length(j), &len);
    return (tn_string){text, (uint32_t)len};
}

static int64_t read_int(tn_json_item *at, const char *name, json_t *j) {
    if (!json_is_integer(j)) {
        tn_json_bad(at, name, "an integer");
    }
    return json_integer_value(j);
}

static double read_float(tn_json_item *at, const char *name, json_t *j) {
    static const struct {
        const char *word;
        double value;
    } words[] = {{"nan", (double)NAN}, {"inf", (double)INFINITY}, {"-inf", -(double)INFINITY}};
    for (size_t i = 0; json_is_string(j) && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(json_string_value(j), words[i].word) == 0) {
            return words[i].value;
        }
    }
    if (!json_is_number(j)) {
        tn_json_bad(at, name, "a number, \"nan\", \"inf\" or \"-inf\"");
    }
    return json_number_value(j);
}

static uint32_t list_length(tn_json_item *at, const char *name, json_t *j) {
    if (!json_is_array(j) || json_array_size(j) > TN_MAX_VALUES) {
        tn_json_bad(at, name, "a list");
    }
    return (uint32_t)json_array_size(j);
}

static int64_t *read_ints(tn_json_item *at, const char *name, json_t *j, uint32_t *n) {
    *n = list_length(at, name, j);
    int64_t *out = TN_ARRAY(at->r->plan->arena, int64_t, *n);
    for (uint32_t i = 0; i < *n; i++) {
        out[i] = read_int(at, name, json_array_get(j, i));
    }
    return out;
}

static double *read_floats(tn_json_item *at, const char *name, json_t *j, uint32_t *n) {
    *n = list_length(at, name, j);
    double *out = TN_ARRAY(at->r->plan->arena, double, *n);
    for (uint32_t i = 0; i < *n; i++) {
        out[i] = read_float(at, name, json_array_get(j, i));
    }
    return out;
}

/* Floats always have a point, an exponent or quotes; the element type decides where there are none.
 */
static const tn_tensor *read_tensor(tn_json_item *at) {
    tn_arena *arena = at->r->plan->arena;
    tn_tensor *t = TN_NEW(arena, tn_tensor);
    tn_json_item in = tn_json_open_object(at, "tensor");
    uint32_t rank, n = 0;
    t->dtype = tn_json_dtype(&in, "dtype");
    t->dims = read_ints(&in, "dims", tn_json_member(&in, "dims"), &rank);
    t->rank = rank;
    json_t *elements = tn_json_member(&in, "elements");
    bool floats = json_array_size(elements) > 0 ? !json_is_integer(json_array_get(elements, 0))
                                                : tn_dtype_get(t->dtype)->kind == 'F';
    if (!json_is_null(elements) && floats) {
        t->floats = read_floats(&in, "elements", elements, &n);
    } else if (!json_is_null(elements)) {
        t->ints = read_ints(&in, "elements", elements, &n);
    }
    if (rank > TN_MAX_RANK || !tn_tensor_measure(t)) {
        tn_json_bad(&in, "dims", "the extents of a tensor");
    }
    if (!json_is_null(elements) && n != t->n_elements) {
        tn_json_bad(&in, "elements", "as many as the extents say");
    }
    tn_json_done(&in);
    return t;
}

static void read_strings(tn_json_item *at, json_t *j, tn_attr *a) {
    a->n = list_length(at, "strings", j);
    tn_string *out = TN_ARRAY(at->r->plan->arena, tn_string, a->n);
    for (uint32_t i = 0; i < a->n; i++) {
        out[i] = read_string(at, "strings", json_array_get(j, i));
    }
    a->u.strings = out;
}

static tn_attr_kind kind_of(tn_json_item *at) {
    for (uint32_t i = 0; tn_attr_kind_names[i] != NULL; i++) {
        if (json_object_get(at->json, tn_attr_kind_names[i]) != NULL) {
            return (tn_attr_kind)i;
        }
    }
    tn_json_bad(at, "name", "a value beside it, under the key of its kind");
}

static void read_attribute(tn_json_item *at, tn_attr *a) {
    a->name = tn_json_text(at, "name");
    a->kind = kind_of(at);
    const char *key = tn_attr_kind_names[a->kind];
    json_t *j = tn_json_member(at, key);
    switch (a->kind) {
    case TN_ATTR_INT:
        a->u.i = read_int(at, key, j);
        break;
    case TN_ATTR_FLOAT:
        a->u.f = read_float(at, key, j);
        break;
    case TN_ATTR_STRING:
        a->u.s = read_string(at, key, j);
        break;
    case TN_ATTR_TENSOR:
        at->used--; /* opened as an object */
        a->u.t = read_tensor(at);
        break;
    case TN_ATTR_INTS:
        a->u.ints = read_ints(at, key, j, &a->n);
        break;
    case TN_ATTR_FLOATS:
        a->u.floats = read_floats(at, key, j, &a->n);
        break;
    case TN_ATTR_STRINGS:
        read_strings(at, j, a);
        break;
    case TN_ATTR_GRAPH:
    case TN_ATTR_TYPE:
    case TN_ATTR_TENSORS:
    case TN_ATTR_GRAPHS:
    case TN_ATTR_TYPES:
        if (!json_is_null(j)) {
            tn_json_bad(at, key, "null");
        }
        break;
    }
    tn_json_done(at);
}

/* ---- lists of a step ---- */

/* Reads every item of the list `name` of a step: `count` and `items` are its fields. */
#define READ_ITEMS(T, name, count, items, read_one)                                                \
    do {                                                                                           \
        json_t *list_ = tn_json_list(at, name, &s->count);                                         \
        T *all_ = TN_ARRAY(at->r->plan->arena, T, s->count);                                       \
        for (uint32_t i = 0; i < s->count; i++) {                                                  \
            tn_json_item in_ = tn_json_open_item(at, list_, name, i);                              \
            read_one(&in_, &all_[i]);                                                              \
        }                                                                                          \
        s->items = all_;                                                                           \
    } while (0)

static void read_body(tn_json_item *at, tn_plan_body *b) {
    uint32_t n = at->r->plan->n_values;
    b->attribute = tn_json_text(at, "attribute");
    b->graph = tn_json_text(at, "graph");
    b->inputs = tn_json_ids(at, "inputs", n);
    b->outputs = tn_json_ids(at, "outputs", n);
    tn_json_done(at);
}

static void read_move(tn_json_item *at, tn_plan_move *m) {
    uint32_t n = at->r->plan->n_values;
    m->when = (tn_move_when)tn_json_enum(at, "when", tn_move_when_names);
    m->kind = (tn_move_kind)tn_json_enum(at, "what", tn_move_kind_names);
    m->body = tn_json_count(at, "body");
    m->from = tn_json_index_or_null(at, "from", n);
    m->to = tn_json_index_of(at, "to", n);
    m->axis = tn_json_integer(at, "axis", 0, TN_MAX_RANK);
    m->reverse = tn_json_flag(at, "reverse");
    if ((m->from == TN_NO_ID) != (m->kind == TN_MOVE_COUNT || m->kind == TN_MOVE_TRUE)) {
        tn_json_bad(at, "from", "a value, and null for counts and truths alone");
    }
    tn_json_done(at);
}

static void read_claim(tn_json_item *at, tn_plan_claim *c) {
    c->result = tn_json_index_or_null(at, "result", UINT32_MAX);
    c->operand = tn_json_count(at, "operand");
    c->promise = (tn_plan_promise)tn_json_enum(at, "promise", tn_promise_names);
    tn_json_done(at);
}

static void read_frees(tn_json_item *at, tn_plan_step *s) {
    const tn_plan *p = at->r->plan;
    uint32_t n;
    json_t *list = tn_json_list(at, "frees", &n);
    uint32_t *storages = TN_ARRAY(p->arena, uint32_t, n);
    tn_ids *after = TN_ARRAY(p->arena, tn_ids, n);
    for (uint32_t i = 0; i < n; i++) {
        tn_json_item in = tn_json_open_item(at, list, "frees", i);
        storages[i] = tn_json_index_of(&in, "storage", p->n_storages);
        after[i] = tn_json_ids(&in, "after", p->n_steps);
        tn_json_done(&in);
    }
    s->frees = (tn_ids){storages, n};
    s->after = after;
}

/* `nests`: of an op of tenure's own, done by rows or not. */
static void read_node(tn_json_item *at, tn_plan_node *n, bool nests) {
    n->node = (int32_t)tn_json_integer(at, "index", -1, INT32_MAX);
    n->name = tn_json_text(at, "name");
    n->domain = tn_json_text(at, "domain");
    n->op = tn_json_text(at, "op");
    n->version = tn_json_integer(at, "version", 0, INT64_MAX);
    n->nest = nests && json_object_get(at->json, "nest") != NULL
                  ? (uint32_t)tn_json_integer(at, "nest", 1, INT32_MAX)
                  : 0;
    tn_json_done(at);
}

/* The step is its one node, or what several are called together. */
static void read_nodes(tn_json_item *at, tn_plan_step *s) {
    const tn_plan *p = at->r->plan;
    uint32_t n;
    json_t *list = tn_json_list(at, "nodes", &n);
    bool fused = json_object_get(at->json, "fused") != NULL;
    tn_plan_node *nodes = TN_ARRAY(p->arena, tn_plan_node, n), own = {.domain = ""};
    if (fused ? n < 2 : n != 1) {
        tn_json_bad(at, "nodes", "one node, or several and \"fused\"");
    }
    if (fused) {
        tn_json_item in = tn_json_open_object(at, "fused");
        read_node(&in, &own, false);
        s->parts = nodes;
        s->n_parts = n;
    }
    for (uint32_t i = 0; i < n; i++) {
        tn_json_item in = tn_json_open_item(at, list, "nodes", i);
        read_node(&in, &nodes[i], tn_is_group(own.domain, n));
    }
    own = fused ? own : nodes[0];
    s->node = own.node;
    s->name = own.name;
    s->domain = own.domain;
    s->op = own.op;
    s->version = own.version;
}

static void read_workspace(tn_json_item *at, tn_plan_workspace *w) {
    w->value = tn_json_index_of(at, "value", at->r->plan->n_values);
    w->kept = tn_json_flag(at, "kept");
    w->way = tn_json_text(at, "way");
    tn_json_done(at);
}

static void read_queue(tn_json_item *at, tn_plan_step *s) {
    uint32_t n = at->r->plan->n_queues;
    s->queue = tn_json_count(at, "queue");
    if (s->queue != 0 && s->queue >= n) {
        tn_json_bad(at, "queue",
                    n == 0 ? "0, since the plan has no queues" : "a number below that of queues");
    }
}

/* Positions a claim or a move speaks of exist. */
static void demand_positions(tn_json_item *at, const tn_plan_step *s) {
    for (uint32_t i = 0; i < s->n_claims; i++) {
        uint32_t result = s->claims[i].result;
        if ((result != TN_NO_ID && result >= s->results.len) ||
            s->claims[i].operand >= s->operands.len) {
            tn_json_bad(at, "claims", "positions of results and operands of the step");
        }
    }
    for (uint32_t i = 0; i < s->n_moves; i++) {
        if (s->moves[i].body >= s->n_bodies) {
            tn_json_bad(at, "moves", "positions of bodies of the step");
        }
    }
    for (uint32_t i = 0; i < s->shape_only.len; i++) {
        if (s->shape_only.data[i] >= s->operands.len) {
            tn_json_bad(at, "shape_only", "positions of operands of the step");
        }
    }
}

void tn_json_read_step(tn_json_item *at, tn_plan_step *s) {
    const tn_plan *p = at->r->plan;
    s->kind = (tn_step_kind)tn_json_enum(at, "kind", tn_step_kind_names);
    s->graph = tn_json_graph_path(at);
    read_nodes(at, s);
    s->partner = tn_json_index_or_null(at, "partner", p->n_steps);
    s->idle = tn_json_flag(at, "idle");
    s->operands = tn_json_ids_or_null(at, "operands", p->n_values);
    s->results = tn_json_ids_or_null(at, "results", p->n_values);
    s->shape_only = tn_json_ids(at, "shape_only", TN_NO_ID);
    READ_ITEMS(tn_attr, "attributes", n_attrs, attrs, read_attribute);
    READ_ITEMS(tn_plan_body, "bodies", n_bodies, bodies, read_body);
    READ_ITEMS(tn_plan_move, "moves", n_moves, moves, read_move);
    READ_ITEMS(tn_plan_claim, "claims", n_claims, claims, read_claim);
    s->reads = tn_json_ids(at, "reads", p->n_values);
    s->writes = tn_json_ids(at, "writes", p->n_values);
    read_frees(at, s);
    s->hazards = tn_json_ids(at, "hazards", p->n_steps);
    READ_ITEMS(tn_plan_workspace, "workspace", n_workspace, workspace, read_workspace);
    read_queue(at, s);
    demand_positions(at, s);
    s->clone_of = tn_json_index_or_null(at, "clone_of", at->r->plan->n_steps);
    s->module_op = TN_NO_ID;
    tn_json_done(at);
}
