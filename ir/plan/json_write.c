/* The JSON form, written straight into the sink: one line an item, so that plans can be compared
 * with line tools, and no tree of a million values is ever built. Keys come in a fixed order and
 * all are always there; docs/plan.schema.json says what they mean. */
#include "ir/plan/forms.h"
#include "ir/plan/words.h"

static void key(tn_sink *out, const char *name) {
    tn_putf(out, ", \"%s\": ", name);
}

static void text(tn_sink *out, const char *name, const char *value) {
    key(out, name);
    if (value == NULL) {
        tn_put(out, "null");
    } else {
        tn_put_quoted(out, value);
    }
}

static void number(tn_sink *out, const char *name, uint64_t value) {
    key(out, name);
    tn_putf(out, "%llu", (unsigned long long)value);
}

static void step_number(tn_sink *out, const char *name, int32_t value) {
    key(out, name);
    tn_putf(out, "%d", (int)value);
}

/* An index, or null for TN_NO_ID. */
static void index_of(tn_sink *out, const char *name, uint32_t id) {
    if (id == TN_NO_ID) {
        text(out, name, NULL);
    } else {
        number(out, name, id);
    }
}

static void flag(tn_sink *out, const char *name, bool value) {
    key(out, name);
    tn_put(out, value ? "true" : "false");
}

static void ids(tn_sink *out, const char *name, tn_ids list) {
    key(out, name);
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < list.len; i++) {
        tn_putf(out, i > 0 ? ",%u" : "%u", list.data[i]);
    }
    tn_put_c(out, ']');
}

/* Items of a list stand on lines of their own; `first` is the key that opens the item. */
static void open_item(tn_sink *out, uint32_t i, const char *first) {
    tn_putf(out, "%s    {\"%s\": ", i > 0 ? ",\n" : "\n", first);
}

static void open_list(tn_sink *out, const char *name) {
    tn_putf(out, "  \"%s\": [", name);
}

static void close_list(tn_sink *out, uint32_t n) {
    tn_put(out, n > 0 ? "\n  ],\n" : "],\n");
}

static void put_head(const tn_plan *p, tn_sink *out) {
    tn_putf(out, "{\n  \"format\": %d,\n  \"tenure\": ", TN_PLAN_FORMAT);
    tn_put_quoted(out, p->version);
    tn_put(out, ",\n  \"model\": {\"name\": ");
    tn_put_quoted(out, p->model);
    text(out, "sha256", p->sha256);
    tn_put(out, "},\n  \"pipeline\": ");
    tn_put_quoted(out, p->pipeline);
    tn_put(out, ",\n");
    open_list(out, "options");
    for (uint32_t i = 0; i < p->n_options; i++) {
        open_item(out, i, "key");
        tn_put_quoted(out, p->options[i].key);
        text(out, "value", p->options[i].value);
        tn_put_c(out, '}');
    }
    close_list(out, p->n_options);
    tn_putf(out, "  \"reordered\": %s,\n", p->reordered ? "true" : "false");
}

static void put_pools(const tn_plan *p, tn_sink *out) {
    open_list(out, "pools");
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        open_item(out, i, "name");
        tn_put_quoted(out, pool->name);
        text(out, "kind", tn_pool_kind_words[pool->kind]);
        number(out, "align", pool->align);
        number(out, "capacity", pool->capacity);
        number(out, "size", pool->size);
        number(out, "bound", pool->bound);
        tn_put_c(out, '}');
    }
    close_list(out, p->n_pools);
    open_list(out, "slots");
    for (uint32_t i = 0; i < p->n_slots; i++) {
        open_item(out, i, "pool");
        tn_putf(out, "%u", p->slots[i].pool);
        number(out, "offset", p->slots[i].offset);
        number(out, "size", p->slots[i].size);
        tn_put_c(out, '}');
    }
    close_list(out, p->n_slots);
}

static void put_storages(const tn_plan *p, tn_sink *out) {
    open_list(out, "storages");
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        open_item(out, i, "pool");
        tn_putf(out, "%u", s->pool);
        index_of(out, "slot", s->slot);
        number(out, "offset", s->offset);
        number(out, "size", s->size);
        number(out, "align", s->align);
        step_number(out, "first", s->first);
        step_number(out, "last", s->last);
        flag(out, "pinned", s->pinned);
        number(out, "root", s->root);
        tn_put_c(out, '}');
    }
    close_list(out, p->n_storages);
}

static void put_dims(tn_sink *out, const tn_plan_value *v) {
    key(out, "dims");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < v->rank; i++) {
        tn_putf(out, i > 0 ? ",%lld" : "%lld", (long long)v->dims[i]);
    }
    tn_put_c(out, ']');
}

static void put_values(const tn_plan *p, tn_sink *out) {
    open_list(out, "values");
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        open_item(out, i, "name");
        tn_put_quoted(out, v->name);
        text(out, "graph", v->graph);
        text(out, "role", tn_plan_role_words[v->role]);
        text(out, "dtype", tn_dtype_get(v->dtype)->name);
        put_dims(out, v);
        text(out, "type", v->type);
        text(out, "bytes_text", v->bytes_text);
        text(out, "why", v->why);
        number(out, "bytes", v->bytes);
        index_of(out, "storage", v->storage);
        number(out, "offset", v->offset);
        step_number(out, "first", v->first);
        step_number(out, "last", v->last);
        index_of(out, "step", v->step);
        text(out, "alias", tn_alias_words[v->alias]);
        index_of(out, "alias_of", v->alias_of);
        tn_put_c(out, '}');
    }
    close_list(out, p->n_values);
}

static void put_steps(const tn_plan *p, tn_sink *out) {
    open_list(out, "steps");
    for (uint32_t i = 0; i < p->n_steps; i++) {
        const tn_plan_step *s = &p->steps[i];
        open_item(out, i, "kind");
        tn_put_quoted(out, tn_step_kind_words[s->kind]);
        text(out, "graph", s->graph);
        step_number(out, "node", s->node);
        text(out, "name", s->name);
        text(out, "domain", s->domain);
        text(out, "op", s->op);
        index_of(out, "partner", s->partner);
        ids(out, "reads", s->reads);
        ids(out, "writes", s->writes);
        ids(out, "frees", s->frees);
        ids(out, "hazards", s->hazards);
        tn_put_c(out, '}');
    }
    close_list(out, p->n_steps);
}

static void put_bindings(const tn_plan *p, tn_sink *out) {
    open_list(out, "bindings");
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        open_item(out, i, "state");
        tn_put_quoted(out, p->bindings[i].state);
        number(out, "value", p->bindings[i].value);
        tn_put_c(out, '}');
    }
    close_list(out, p->n_bindings);
}

static void put_report(const tn_plan_report *r, tn_sink *out) {
    tn_putf(out, "  \"report\": {\"naive\": %llu", (unsigned long long)r->naive);
    number(out, "level0", r->level0);
    number(out, "level1", r->level1);
    number(out, "bound", r->bound);
    number(out, "const_bytes", r->const_bytes);
    number(out, "io_bytes", r->io_bytes);
    number(out, "inplace", r->n_inplace);
    number(out, "views", r->n_views);
    number(out, "updates", r->n_updates);
    number(out, "shared", r->n_shared);
    flag(out, "optimal", r->optimal);
    text(out, "algorithm", r->algorithm);
    step_number(out, "peak_step", r->peak_step);
    ids(out, "peak", r->peak);
    number(out, "planned", r->n_planned);
    number(out, "unplanned", r->n_unplanned);
    number(out, "backward_ops", r->n_backward_ops);
    number(out, "backward_values", r->n_backward_values);
    number(out, "param_grads", r->n_param_grads);
    number(out, "order_bound", r->order_bound);
    number(out, "other_order", r->other_order);
    number(out, "saved_by_sharing", r->saved_by_sharing);
    tn_put(out, "}\n}\n");
}

void tn_plan_to_json(const tn_plan *p, tn_sink *out) {
    put_head(p, out);
    put_pools(p, out);
    put_storages(p, out);
    put_values(p, out);
    put_steps(p, out);
    put_bindings(p, out);
    put_report(&p->report, out);
}
