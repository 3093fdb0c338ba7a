/* Steps in JSON: one line each. */
#include <math.h>

#include "ir/base/decimal.h"
#include "ir/plan/json_put.h"
#include "ir/plan/plan_names.h"

static void put_ints(tn_sink *out, const int64_t *ints, uint64_t n) {
    tn_put_c(out, '[');
    for (uint64_t i = 0; i < n; i++) {
        tn_putf(out, i > 0 ? ",%lld" : "%lld", (long long)ints[i]);
    }
    tn_put_c(out, ']');
}

/* JSON has no literals for these numbers; strings stand for them. */
static void put_float(tn_sink *out, double x) {
    if (isnan(x)) {
        tn_put(out, "\"nan\"");
    } else if (isinf(x)) {
        tn_put(out, x < 0 ? "\"-inf\"" : "\"inf\"");
    } else {
        tn_put_double(out, x);
    }
}

static void put_floats(tn_sink *out, const double *floats, uint64_t n) {
    tn_put_c(out, '[');
    for (uint64_t i = 0; i < n; i++) {
        tn_put(out, i > 0 ? "," : "");
        put_float(out, floats[i]);
    }
    tn_put_c(out, ']');
}

static void put_strings(tn_sink *out, const tn_string *strings, uint32_t n) {
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < n; i++) {
        tn_put(out, i > 0 ? "," : "");
        tn_put_quoted_n(out, strings[i].data, strings[i].len);
    }
    tn_put_c(out, ']');
}

/* Elements of integers and booleans, or of floats; null where the plan does not hold them. */
static void put_tensor(tn_sink *out, const tn_tensor *t) {
    tn_put(out, "{\"dtype\": ");
    tn_put_quoted(out, tn_dtype_get(t->dtype)->name);
    tn_put(out, ", \"dims\": ");
    put_ints(out, t->dims, t->rank);
    tn_put(out, ", \"elements\": ");
    if (t->ints != NULL) {
        put_ints(out, t->ints, t->n_elements);
    } else if (t->floats != NULL) {
        put_floats(out, t->floats, t->n_elements);
    } else {
        tn_put(out, "null");
    }
    tn_put_c(out, '}');
}

static void put_attribute(tn_sink *out, const tn_attr *a) {
    tn_put(out, "{\"name\": ");
    tn_put_quoted(out, a->name);
    tn_json_put_key(out, tn_attr_kind_names[a->kind]);
    switch (a->kind) {
    case TN_ATTR_INT:
        tn_putf(out, "%lld", (long long)a->u.i);
        break;
    case TN_ATTR_FLOAT:
        put_float(out, a->u.f);
        break;
    case TN_ATTR_STRING:
        tn_put_quoted_n(out, a->u.s.data, a->u.s.len);
        break;
    case TN_ATTR_TENSOR:
        put_tensor(out, a->u.t);
        break;
    case TN_ATTR_INTS:
        put_ints(out, a->u.ints, a->n);
        break;
    case TN_ATTR_FLOATS:
        put_floats(out, a->u.floats, a->n);
        break;
    case TN_ATTR_STRINGS:
        put_strings(out, a->u.strings, a->n);
        break;
    case TN_ATTR_GRAPH:
    case TN_ATTR_TYPE:
    case TN_ATTR_TENSORS:
    case TN_ATTR_GRAPHS:
    case TN_ATTR_TYPES:
        tn_put(out, "null");
        break;
    }
    tn_put_c(out, '}');
}

static void put_attributes(tn_sink *out, const tn_plan_step *s) {
    tn_json_put_key(out, "attributes");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < s->n_attrs; i++) {
        tn_put(out, i > 0 ? ", " : "");
        put_attribute(out, &s->attrs[i]);
    }
    tn_put_c(out, ']');
}

static void put_bodies(tn_sink *out, const tn_plan_step *s) {
    tn_json_put_key(out, "bodies");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < s->n_bodies; i++) {
        const tn_plan_body *b = &s->bodies[i];
        tn_put(out, i > 0 ? ", {\"attribute\": " : "{\"attribute\": ");
        tn_put_quoted(out, b->attribute);
        tn_json_put_text(out, "graph", b->graph);
        tn_json_put_ids(out, "inputs", b->inputs);
        tn_json_put_ids(out, "outputs", b->outputs);
        tn_put_c(out, '}');
    }
    tn_put_c(out, ']');
}

static void put_moves(tn_sink *out, const tn_plan_step *s) {
    tn_json_put_key(out, "moves");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < s->n_moves; i++) {
        const tn_plan_move *m = &s->moves[i];
        tn_put(out, i > 0 ? ", {\"when\": " : "{\"when\": ");
        tn_put_quoted(out, tn_move_when_names[m->when]);
        tn_json_put_text(out, "what", tn_move_kind_names[m->kind]);
        tn_json_put_index(out, "body", m->body);
        tn_json_put_index(out, "from", m->from);
        tn_json_put_index(out, "to", m->to);
        tn_json_put_key(out, "axis");
        tn_putf(out, "%lld", (long long)m->axis);
        tn_json_put_flag(out, "reverse", m->reverse);
        tn_put_c(out, '}');
    }
    tn_put_c(out, ']');
}

static void put_claims(tn_sink *out, const tn_plan_step *s) {
    tn_json_put_key(out, "claims");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < s->n_claims; i++) {
        const tn_plan_claim *c = &s->claims[i];
        tn_put(out, i > 0 ? ", {\"result\": " : "{\"result\": ");
        if (c->result == TN_NO_ID) {
            tn_put(out, "null");
        } else {
            tn_putf(out, "%u", c->result);
        }
        tn_putf(out, ", \"operand\": %u", c->operand);
        tn_json_put_text(out, "promise", tn_promise_names[c->promise]);
        tn_put_c(out, '}');
    }
    tn_put_c(out, ']');
}

static void put_frees(tn_sink *out, const tn_plan_step *s) {
    tn_json_put_key(out, "frees");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < s->frees.len; i++) {
        tn_putf(out, "%s{\"storage\": %u", i > 0 ? ", " : "", s->frees.data[i]);
        tn_json_put_ids(out, "after", s->after != NULL ? s->after[i] : (tn_ids){0});
        tn_put_c(out, '}');
    }
    tn_put_c(out, ']');
}

static void put_node(tn_sink *out, const tn_plan_node *n) {
    tn_putf(out, "{\"index\": %d", (int)n->node);
    tn_json_put_text(out, "name", n->name);
    tn_json_put_text(out, "domain", n->domain);
    tn_json_put_text(out, "op", n->op);
    tn_json_put_number(out, "version", (uint64_t)n->version);
    if (n->nest > 0) {
        tn_json_put_number(out, "nest", n->nest);
    }
    tn_put_c(out, '}');
}

static void put_nodes(tn_sink *out, const tn_plan_step *s) {
    tn_plan_node own = {s->node, s->name, s->domain, s->op, s->version, 0};
    tn_json_put_key(out, "nodes");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < s->n_parts; i++) {
        tn_put(out, i > 0 ? ", " : "");
        put_node(out, &s->parts[i]);
    }
    if (s->n_parts == 0) {
        put_node(out, &own);
    }
    tn_put_c(out, ']');
    if (s->n_parts > 0) {
        tn_json_put_key(out, "fused");
        put_node(out, &own);
    }
}

void tn_json_put_workspace(tn_sink *out, const tn_plan_step *s) {
    tn_json_put_key(out, "workspace");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < s->n_workspace; i++) {
        tn_putf(out, "%s{\"value\": %u", i > 0 ? ", " : "", s->workspace[i].value);
        tn_json_put_flag(out, "kept", s->workspace[i].kept);
        tn_json_put_text(out, "way", s->workspace[i].way);
        tn_put_c(out, '}');
    }
    tn_put_c(out, ']');
}

void tn_json_put_step_facts(tn_sink *out, const tn_plan_step *s) {
    tn_put_quoted(out, tn_step_kind_names[s->kind]);
    tn_json_put_text(out, "graph", s->graph);
    put_nodes(out, s);
    tn_json_put_index(out, "partner", s->partner);
    tn_json_put_flag(out, "idle", s->idle);
    tn_json_put_ids(out, "operands", s->operands);
    tn_json_put_ids(out, "results", s->results);
    tn_json_put_ids(out, "shape_only", s->shape_only);
    put_attributes(out, s);
    put_bodies(out, s);
    put_moves(out, s);
    put_claims(out, s);
    tn_json_put_ids(out, "reads", s->reads);
    tn_json_put_ids(out, "writes", s->writes);
}

static void put_step(tn_sink *out, const tn_plan_step *s) {
    tn_json_put_step_facts(out, s);
    put_frees(out, s);
    tn_json_put_ids(out, "hazards", s->hazards);
    tn_json_put_workspace(out, s);
    tn_json_put_number(out, "queue", s->queue);
    tn_json_put_index(out, "clone_of", s->clone_of);
    tn_put_c(out, '}');
}

void tn_json_put_steps(tn_sink *out, const tn_plan *p) {
    tn_json_begin_list(out, "steps");
    for (uint32_t i = 0; i < p->n_steps; i++) {
        tn_json_begin_item(out, i, "kind");
        put_step(out, &p->steps[i]);
    }
    tn_json_end_list(out, p->n_steps);
}
