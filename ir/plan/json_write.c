/* The JSON form, written straight into the sink: one line an item, so that plans can be compared
 * with line tools, and no tree of a million values is ever built. Keys come in a fixed order and
 * all but those of kernels' facts are always there; docs/plan.schema.json says what they mean. */
#include "ir/base/arena.h"
#include "ir/plan/forms.h"
#include "ir/plan/json_put.h"
#include "ir/plan/plan_names.h"

static void put_head(const tn_plan *p, tn_sink *out) {
    tn_putf(out, "{\n  \"format\": %d,\n  \"tenure\": ", TN_PLAN_FORMAT);
    tn_put_quoted(out, p->version);
    tn_put(out, ",\n  \"digest\": ");
    tn_put_quoted(out, p->digest);
    char layout[TN_LAYOUT_HEX];
    tn_plan_layout(p, layout);
    tn_putf(out, ",\n  \"layout\": \"%s", layout);
    tn_put(out, "\"");
    for (uint32_t i = 0; i < p->n_facts; i++) {
        tn_put(out, i > 0 ? ", " : ",\n  \"facts\": [");
        tn_put_quoted(out, p->facts[i]);
    }
    tn_put(out, p->n_facts > 0 ? "]" : "");
    tn_put(out, ",\n  \"pipeline\": ");
    tn_put_quoted(out, p->pipeline);
    tn_put(out, ",\n");
    tn_json_begin_list(out, "options");
    for (uint32_t i = 0; i < p->n_options; i++) {
        tn_json_begin_item(out, i, "key");
        tn_put_quoted(out, p->options[i].key);
        tn_json_put_text(out, "value", p->options[i].value);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, p->n_options);
}

/* What only pools of the user's have is left out of others. */
static void put_wishes(const tn_pool *pool, tn_sink *out) {
    if (pool->base_align > pool->align) {
        tn_json_put_number(out, "base_align", pool->base_align);
    }
    if (pool->cost > 0) {
        tn_json_put_number(out, "traffic", pool->traffic);
    }
    if (pool->copied) {
        tn_json_put_flag(out, "copied", true);
    }
}

static void put_pools(const tn_plan *p, tn_sink *out) {
    tn_json_begin_list(out, "pools");
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = p->set != NULL ? &p->set->pools[i] : &p->pools[i];
        tn_json_begin_item(out, i, "name");
        tn_put_quoted(out, pool->name);
        tn_json_put_text(out, "kind", tn_pool_kind_names[pool->kind]);
        tn_json_put_number(out, "align", pool->align);
        tn_json_put_number(out, "capacity", pool->capacity);
        tn_json_put_number(out, "cost", pool->cost);
        tn_json_put_text(out, "section", pool->section);
        tn_json_put_number(out, "size", pool->size);
        tn_json_put_number(out, "bound", pool->bound);
        put_wishes(pool, out);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, p->n_pools);
}

static void put_slots(const tn_plan *p, tn_sink *out) {
    tn_json_begin_list(out, "slots");
    for (uint32_t i = 0; i < p->n_slots; i++) {
        tn_json_begin_item(out, i, "pool");
        tn_putf(out, "%u", p->slots[i].pool);
        tn_json_put_number(out, "offset", p->slots[i].offset);
        tn_json_put_number(out, "size", p->slots[i].size);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, p->n_slots);
}

/* What lies above others has no offset before it is known how large they are. */
static void put_offset(const tn_storage *s, tn_sink *out) {
    if (s->above.len > 0) {
        tn_put(out, ", \"offset\": null");
    } else {
        tn_json_put_number(out, "offset", s->offset);
    }
}

static void put_storages(const tn_json_expressions *e, const tn_plan *p, tn_sink *out) {
    tn_json_begin_list(out, "storages");
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        tn_json_begin_item(out, i, "pool");
        tn_putf(out, "%u", s->pool);
        tn_json_put_index(out, "slot", s->slot);
        put_offset(s, out);
        tn_json_put_size(e, out, "size", p->exprs, s->size_expr, s->size);
        tn_json_put_number(out, "align", s->align);
        tn_json_put_step_number(out, "first", s->first);
        tn_json_put_step_number(out, "last", s->last);
        tn_json_put_flag(out, "pinned", s->pinned);
        if (s->second > 0) {
            tn_json_put_number(out, "second", s->second);
        }
        tn_json_put_number(out, "root", s->root);
        tn_json_put_ids(out, "above", s->above);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, p->n_storages);
}

static void put_values(const tn_json_expressions *e, const tn_plan *p, tn_sink *out) {
    tn_json_begin_list(out, "values");
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        tn_json_begin_item(out, i, "name");
        tn_json_put_value_facts(e, out, p, v);
        tn_json_put_index(out, "storage", v->storage);
        tn_json_put_size(e, out, "offset", p->exprs, v->offset_expr, v->offset);
        tn_json_put_step_number(out, "first", v->first);
        tn_json_put_step_number(out, "last", v->last);
        tn_json_put_index(out, "step", v->step);
        tn_json_put_text(out, "alias", tn_alias_words[v->alias]);
        tn_json_put_index(out, "alias_of", v->alias_of);
        if (v->clone_of != TN_NO_ID) {
            tn_json_put_index(out, "clone_of", v->clone_of);
        }
        tn_json_put_overlaps(out, v);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, p->n_values);
}

static void put_bindings(const tn_plan *p, tn_sink *out) {
    tn_json_begin_list(out, "bindings");
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        tn_json_begin_item(out, i, "state");
        tn_put_quoted(out, p->bindings[i].state);
        tn_json_put_number(out, "value", p->bindings[i].value);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, p->n_bindings);
}

static void put_recompute(const tn_plan_recompute *r, tn_sink *out) {
    tn_json_put_key(out, "recompute");
    tn_putf(out, "{\"clones\": %u", r->n_clones);
    tn_json_put_number(out, "operations", r->operations);
    tn_json_put_number(out, "model_operations", r->model_operations);
    tn_json_put_number(out, "without", r->without);
    tn_json_put_key(out, "curve");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < r->n_curve; i++) {
        tn_putf(out, "%s{\"operations\": %llu", i > 0 ? ", " : "",
                (unsigned long long)r->curve[i].operations);
        tn_json_put_number(out, "arena", r->curve[i].arena);
        tn_put_c(out, '}');
    }
    tn_put(out, "]}");
}

static void put_base(const tn_plan_base *base, tn_sink *out) {
    tn_json_put_key(out, "based_on");
    tn_put(out, "{\"digest\": ");
    tn_put_quoted(out, base->digest);
    tn_json_put_number(out, "matched", base->n_matched);
    tn_json_put_number(out, "least", base->n_least);
    tn_json_put_number(out, "free", base->free);
    tn_json_put_key(out, "moved");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < base->n_shifts; i++) {
        const tn_plan_shift *s = &base->shifts[i];
        tn_putf(out, "%s{\"value\": %u", i > 0 ? ", " : "", s->value);
        tn_json_put_text(out, "pool", s->pool);
        tn_json_put_number(out, "offset", s->offset);
        tn_json_put_text(out, "why", tn_shift_why_names[s->why]);
        tn_json_put_index(out, "by", s->by);
        tn_put_c(out, '}');
    }
    tn_put(out, "]}");
}

static void put_report(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    tn_putf(out, "  \"report\": {\"naive\": %llu", (unsigned long long)r->naive);
    tn_json_put_number(out, "level0", r->level0);
    tn_json_put_number(out, "level1", r->level1);
    tn_json_put_number(out, "bound", r->bound);
    tn_json_put_number(out, "const_bytes", r->const_bytes);
    tn_json_put_number(out, "io_bytes", r->io_bytes);
    tn_json_put_number(out, "ram", r->ram);
    tn_json_put_number(out, "flash", r->flash);
    tn_json_put_number(out, "inplace", r->n_inplace);
    tn_json_put_number(out, "views", r->n_views);
    tn_json_put_number(out, "updates", r->n_updates);
    tn_json_put_number(out, "shared", r->n_shared);
    tn_json_put_flag(out, "optimal", r->optimal);
    tn_json_put_text(out, "algorithm", r->algorithm);
    tn_json_put_step_number(out, "peak_step", r->peak_step);
    tn_json_put_ids(out, "peak", r->peak);
    tn_json_put_number(out, "planned", r->n_planned);
    tn_json_put_number(out, "unplanned", r->n_unplanned);
    tn_json_put_number(out, "open", r->n_open);
    tn_json_put_number(out, "data", r->n_data);
    tn_json_put_number(out, "backward_ops", r->n_backward_ops);
    tn_json_put_number(out, "backward_values", r->n_backward_values);
    tn_json_put_number(out, "param_grads", r->n_param_grads);
    tn_json_put_number(out, "order_bound", r->order_bound);
    tn_json_put_number(out, "other_order", r->other_order);
    tn_json_put_number(out, "saved_by_sharing", r->saved_by_sharing);
    if (r->recompute.model_operations > 0) {
        put_recompute(&r->recompute, out);
    }
    if (r->base.digest != NULL) {
        put_base(&r->base, out);
    }
    if (r->interrupted) {
        tn_json_put_flag(out, "interrupted", true);
    }
    if (tn_plan_has_costs(p)) {
        tn_json_put_number(out, "cost", r->cost);
        tn_json_put_number(out, "cost_bound", r->cost_bound);
    }
    if (p->concurrency != TN_SERIAL) {
        tn_json_put_number(out, "depth", r->depth);
        tn_json_put_number(out, "data_depth", r->data_depth);
        tn_json_put_number(out, "serial", r->serial);
    }
    tn_put(out, "}\n");
}

static void put_open(const tn_plan *p, tn_sink *out) {
    tn_json_put_flag(out, "partial", p->partial);
    tn_json_put_key(out, "open");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < p->n_open; i++) {
        tn_put(out, i > 0 ? ", " : "");
        tn_put_quoted(out, p->open[i]);
    }
    tn_put_c(out, ']');
}

void tn_json_put_binding(tn_sink *out, const tn_plan *p) {
    tn_json_put_key(out, "binding");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < p->n_dims; i++) {
        tn_put(out, i > 0 ? ", {\"dim\": " : "{\"dim\": ");
        tn_put_quoted(out, p->dims[i].name);
        tn_json_put_number(out, "value", (uint64_t)p->dims[i].value);
        tn_put_c(out, '}');
    }
    tn_put_c(out, ']');
}

/* Left out where all is for one order. */
static void put_concurrency(const tn_plan *p, tn_sink *out) {
    if (p->concurrency != TN_SERIAL) {
        tn_json_put_text(out, "concurrency", tn_concurrency_names[p->concurrency]);
        tn_json_put_number(out, "queues", p->n_queues);
    }
}

/* The guard says for which extents of open dimensions it holds, `binding` which ones were set. */
static void put_variant(const tn_json_expressions *e, const tn_plan *p, tn_sink *out) {
    tn_put(out, "{\"guard\": ");
    tn_json_put_guard(e, out, p);
    tn_json_put_variant_facts(out, p);
    tn_json_put_binding(out, p);
    put_open(p, out);
    tn_json_put_by_data(e, out, p);
    tn_json_put_flag(out, "reordered", p->reordered);
    put_concurrency(p, out);
    tn_json_put_ids(out, "inputs", p->inputs);
    tn_json_put_ids(out, "outputs", p->outputs);
    tn_json_put_ids(out, "fixed", p->fixed);
    tn_put(out, ",\n");
    put_slots(p, out);
    put_storages(e, p, out);
    put_values(e, p, out);
    tn_json_put_steps(out, p);
    put_bindings(p, out);
    put_report(p, out);
    tn_put_c(out, '}');
}

static void put_programs(const tn_json_expressions *e, const tn_plan *p, tn_sink *out) {
    const tn_plan_program *before = NULL;
    for (uint32_t i = 0; i < tn_plan_count(p); i++) {
        const tn_plan *variant = tn_plan_at(p, i);
        const tn_plan_program *program = tn_plan_program_of(variant);
        if (i == 0 || program != before) {
            tn_put(out, i > 0 ? "]}, " : "");
            tn_json_put_program_head(out, variant);
            tn_put(out, ", \"variants\": [");
        } else {
            tn_put(out, ", ");
        }
        put_variant(e, variant, out);
        before = program;
    }
    tn_put(out, "]}");
}

void tn_plan_to_json(const tn_plan *p, tn_sink *out) {
    tn_arena *scratch = tn_arena_new(p->ctx);
    tn_json_expressions e = tn_json_expressions_of(scratch, p);
    put_head(p, out);
    tn_json_put_expressions(&e, out);
    put_pools(p, out);
    tn_json_put_links(out, p);
    tn_put(out, "  \"programs\": [");
    put_programs(&e, p, out);
    tn_put(out, "]\n}\n");
    tn_arena_drop(scratch);
}
