#include <inttypes.h>
#include <stdio.h>

#include "tests/api/plan_dump.h"

static void put_tensor(const tenure_tensor *t) {
    put_open('{');
    put_text("dtype", tenure_dtype_name(t->dtype));
    put_key("dims");
    put_ints(t->dims, t->rank);
    put_key("elements");
    if (t->ints != NULL) {
        put_ints(t->ints, t->n_elements);
    } else if (t->floats != NULL) {
        put_floats(t->floats, t->n_elements);
    } else {
        printf("null");
    }
    put_close('}');
}

static void put_content(const tenure_attribute *a) {
    tenure_tensor t = {.struct_size = sizeof t};
    const char *s;
    size_t size;
    if (a->kind == TENURE_ATTR_INT) {
        printf("%" PRId64, a->ints[0]);
    } else if (a->kind == TENURE_ATTR_INTS) {
        put_ints(a->ints, a->count);
    } else if (a->kind == TENURE_ATTR_FLOAT) {
        put_float(a->floats[0]);
    } else if (a->kind == TENURE_ATTR_FLOATS) {
        put_floats(a->floats, a->count);
    } else if (a->kind == TENURE_ATTR_STRING) {
        s = tenure_attribute_text(a, 0, &size);
        put_bytes(s, size);
    } else if (a->kind == TENURE_ATTR_STRINGS) {
        put_open('[');
        for (size_t i = 0; (s = tenure_attribute_text(a, i, &size)) != NULL; i++) {
            put_item();
            put_bytes(s, size);
        }
        put_close(']');
    } else if (a->kind == TENURE_ATTR_TENSOR && tenure_attribute_tensor(a, 0, &t)) {
        put_tensor(&t);
    } else {
        printf("null");
    }
}

static int put_attributes(const tenure_plan *plan, size_t step) {
    static const char *const kinds[] = {"int",  "float",  "string",  "tensor",  "graph",  "type",
                                        "ints", "floats", "strings", "tensors", "graphs", "types"};
    tenure_attribute a = {.struct_size = sizeof a}, again = {.struct_size = sizeof again};
    int good = 1;
    put_key("attributes");
    put_open('[');
    for (size_t i = 0; tenure_plan_attribute(plan, step, i, &a); i++) {
        put_item();
        put_open('{');
        put_text("name", a.name);
        put_key(kinds[a.kind]);
        put_content(&a);
        put_close('}');
        good = good && tenure_plan_find_attribute(plan, step, a.name, &again) &&
               again.kind == a.kind && again.items == a.items;
    }
    put_close(']');
    return good;
}

static void put_bodies(const tenure_plan *plan, size_t step) {
    static const char *const whens[] = {"begin", "iteration", "next", "after", "end", "none"};
    static const char *const kinds[] = {"copy", "slice", "stack", "count", "true"};
    tenure_body b = {.struct_size = sizeof b};
    tenure_move m = {.struct_size = sizeof m};
    put_key("bodies");
    put_open('[');
    for (size_t i = 0; tenure_plan_body(plan, step, i, &b); i++) {
        put_item();
        put_open('{');
        put_text("attribute", b.attribute);
        put_text("graph", b.graph);
        put_ids("inputs", b.inputs);
        put_ids("outputs", b.outputs);
        put_close('}');
    }
    put_close(']');
    put_key("moves");
    put_open('[');
    for (size_t i = 0; tenure_plan_move(plan, step, i, &m); i++) {
        put_item();
        put_open('{');
        put_text("when", whens[m.when]);
        put_text("what", kinds[m.kind]);
        put_id("body", m.body);
        put_id("from", m.from);
        put_id("to", m.to);
        put_integer("axis", m.axis);
        put_flag("reverse", m.reverse);
        put_close('}');
    }
    put_close(']');
}

static void put_claims(const tenure_plan *plan, size_t step) {
    static const char *const promises[] = {"keep",
                                           "elements",
                                           "rows",
                                           "update",
                                           "definition",
                                           "ascending",
                                           "descending",
                                           "overlap-rows",
                                           "overlap-rows-buffered",
                                           "overlap-elements",
                                           "overlap-pixels"};
    tenure_claim c = {.struct_size = sizeof c};
    put_key("claims");
    put_open('[');
    for (size_t i = 0; tenure_plan_claim(plan, step, i, &c); i++) {
        put_item();
        put_open('{');
        put_id("result", c.result);
        put_id("operand", c.operand);
        put_text("promise", promises[c.promise]);
        put_close('}');
    }
    put_close(']');
}

static void put_frees(const tenure_plan *plan, size_t step) {
    tenure_release r = {.struct_size = sizeof r};
    put_key("frees");
    put_open('[');
    for (size_t i = 0; tenure_plan_release(plan, step, i, &r); i++) {
        put_item();
        put_open('{');
        put_id("storage", r.storage);
        put_ids("after", r.after);
        put_close('}');
    }
    put_close(']');
}

static void put_node(const tenure_node *n) {
    put_open('{');
    put_integer("index", n->index);
    put_text("name", n->name);
    put_text("domain", n->domain);
    put_text("op", n->op);
    put_integer("version", n->version);
    put_close('}');
}

static void put_nodes(const tenure_plan *plan, size_t step) {
    tenure_node n = {.struct_size = sizeof n};
    put_key("nodes");
    put_open('[');
    for (size_t i = 0; tenure_plan_node(plan, step, i, &n); i++) {
        put_item();
        put_node(&n);
    }
    put_close(']');
    if (tenure_plan_fused(plan, step, &n)) {
        put_key("fused");
        put_node(&n);
    }
}

static void put_workspaces(const tenure_plan *plan, size_t step) {
    tenure_workspace w = {.struct_size = sizeof w};
    put_key("workspace");
    put_open('[');
    for (size_t i = 0; tenure_plan_workspace(plan, step, i, &w); i++) {
        put_item();
        put_open('{');
        put_id("value", w.value);
        put_flag("kept", w.kept);
        put_text("way", w.way);
        put_close('}');
    }
    put_close(']');
}

int put_steps(const tenure_plan *plan) {
    static const char *const kinds[] = {"op", "begin", "end"};
    tenure_step s = {.struct_size = sizeof s};
    int good = 1;
    put_key("steps");
    put_open('[');
    for (size_t i = 0; tenure_plan_step(plan, i, &s); i++) {
        put_item();
        put_open('{');
        put_text("kind", kinds[s.kind]);
        put_text("graph", s.graph);
        put_nodes(plan, i);
        put_id("partner", s.partner);
        put_id("clone_of", s.clone_of);
        put_flag("idle", s.idle);
        put_ids("operands", s.operands);
        put_ids("results", s.results);
        put_ids("shape_only", s.shape_only);
        good = put_attributes(plan, i) && good;
        put_bodies(plan, i);
        put_claims(plan, i);
        put_ids("reads", s.reads);
        put_ids("writes", s.writes);
        put_frees(plan, i);
        put_ids("hazards", s.hazards);
        put_number("queue", s.queue);
        put_workspaces(plan, i);
        put_close('}');
    }
    put_close(']');
    return good;
}
