/* plan_read.h: the plan, its memory and its values. */
#include <string.h>

#include "lib/api/api_t.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), "passed through")
SAME(TN_NO_ID, TENURE_NONE);
SAME(TN_SERIAL, TENURE_SERIAL);
SAME(TN_DATAFLOW, TENURE_DATAFLOW);
SAME(TN_QUEUES, TENURE_QUEUES);
SAME(TN_POOL_ARENA, TENURE_POOL_ARENA);
SAME(TN_POOL_IO, TENURE_POOL_IO);
SAME(TN_POOL_CONST, TENURE_POOL_CONST);
SAME(TN_POOL_STATE, TENURE_POOL_STATE);
SAME(TN_ROLE_INTERNAL, TENURE_ROLE_INTERNAL);
SAME(TN_ROLE_INPUT, TENURE_ROLE_INPUT);
SAME(TN_ROLE_OUTPUT, TENURE_ROLE_OUTPUT);
SAME(TN_ROLE_CONST, TENURE_ROLE_CONST);
SAME(TN_ROLE_STATE, TENURE_ROLE_STATE);
SAME(TN_ALIAS_NONE, TENURE_ALIAS_NONE);
SAME(TN_ALIAS_VIEW, TENURE_ALIAS_VIEW);
SAME(TN_ALIAS_INPLACE, TENURE_ALIAS_INPLACE);
SAME(TN_ORDER_ROWS, TENURE_ORDER_ROWS);
SAME(TN_ORDER_ROWS_BUFFERED, TENURE_ORDER_ROWS_BUFFERED);
SAME(TN_ORDER_ELEMENTS, TENURE_ORDER_ELEMENTS);
SAME(TN_ORDER_PIXELS, TENURE_ORDER_PIXELS);
SAME(TN_ALIAS_UPDATE, TENURE_ALIAS_UPDATE);
SAME(TN_ROLE_WORKSPACE, TENURE_ROLE_WORKSPACE);
SAME(TN_ALIAS_SHARE, TENURE_ALIAS_SHARE);
SAME(TN_LEFT_NOT, TENURE_LEFT_NOT);
SAME(TN_LEFT_OPEN, TENURE_LEFT_OPEN);
SAME(TN_LEFT_DATA, TENURE_LEFT_DATA);
SAME(TN_LEFT_UNUSED, TENURE_LEFT_UNUSED);

/* ---- the plan, its programs and variants ---- */

int tenure_plan_get_info(const tenure_plan *plan, tenure_plan_info *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL) {
        return 0;
    }
    tenure_plan_info full = {.format = TN_PLAN_FORMAT,
                             .version = p->version,
                             .digest = p->digest,
                             .pipeline = p->pipeline,
                             .n_options = p->n_options,
                             .n_pools = p->n_pools,
                             .n_programs = p->set != NULL ? p->set->n_programs : 1,
                             .n_facts = p->n_facts};
    _Static_assert(sizeof full.layout >= TN_LAYOUT_HEX, "the text fits");
    tn_plan_layout(p, full.layout);
    return TN_API_FILL(out, full);
}

const char *tenure_plan_facts(const tenure_plan *plan, size_t index) {
    const tn_plan *p = api_plan(plan);
    return p != NULL && index < p->n_facts ? p->facts[index] : NULL;
}

int tenure_plan_option(const tenure_plan *plan, size_t index, const char **name,
                       const char **value) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->n_options || name == NULL || value == NULL) {
        return 0;
    }
    *name = p->options[index].key;
    *value = p->options[index].value;
    return 1;
}

int tenure_plan_program(const tenure_plan *plan, size_t index, tenure_program *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= (p->set != NULL ? p->set->n_programs : 1)) {
        return 0;
    }
    tenure_program full = {.name = p->model, .n_variants = 1};
    if (p->set != NULL) {
        full.name = p->set->programs[index].name;
        full.n_variants = p->set->programs[index].n_variants;
    }
    return TN_API_FILL(out, full);
}

const tenure_plan *tenure_plan_variant(const tenure_plan *plan, size_t program, size_t variant) {
    const tn_plan_set *set = plan != NULL ? api_plan(plan)->set : NULL;
    if (set == NULL) {
        return program == 0 && variant == 0 ? plan : NULL;
    }
    bool there = program < set->n_programs && variant < set->programs[program].n_variants;
    return there ? (const tenure_plan *)set->programs[program].variants[variant] : NULL;
}

int tenure_plan_get_variant(const tenure_plan *plan, tenure_variant *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL) {
        return 0;
    }
    tenure_variant full = {.reordered = p->reordered,
                           .partial = p->partial,
                           .inputs = tn_api_ids(p->inputs),
                           .outputs = tn_api_ids(p->outputs),
                           .fixed = tn_api_ids(p->fixed),
                           .n_bound = p->n_dims,
                           .n_open = p->n_open,
                           .n_slots = p->n_slots,
                           .n_storages = p->n_storages,
                           .n_values = p->n_values,
                           .n_steps = p->n_steps,
                           .n_bindings = p->n_bindings,
                           .n_ranges = p->n_ranges,
                           .concurrency = (tenure_concurrency)p->concurrency,
                           .n_queues = p->n_queues};
    return TN_API_FILL(out, full);
}

int tenure_plan_bound_dim(const tenure_plan *plan, size_t index, const char **name,
                          int64_t *value) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->n_dims || name == NULL || value == NULL) {
        return 0;
    }
    *name = p->dims[index].name;
    *value = p->dims[index].value;
    return 1;
}

const char *tenure_plan_open_dim(const tenure_plan *plan, size_t index) {
    return plan != NULL && index < api_plan(plan)->n_open ? api_plan(plan)->open[index] : NULL;
}

int tenure_plan_range(const tenure_plan *plan, size_t index, tenure_range *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->n_ranges) {
        return 0;
    }
    const tn_plan_range *r = &p->ranges[index];
    tenure_range full = {.name = r->name, .min = r->min, .max = r->max, .point = r->point};
    return TN_API_FILL(out, full);
}

int tenure_plan_related_dim(const tenure_plan *plan, size_t index, const char **name,
                            const char **is) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->n_relations || name == NULL || is == NULL) {
        return 0;
    }
    *name = p->relations[index].name;
    *is = p->relations[index].is_text;
    return 1;
}

int tenure_plan_data_dim(const tenure_plan *plan, size_t index, tenure_data_dim *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->n_data_dims) {
        return 0;
    }
    const tn_plan_data_dim *d = &p->data_dims[index];
    tenure_data_dim full = {.name = d->name,
                            .most = d->most,
                            .most_text = d->most_text,
                            .value = d->value,
                            .axis = d->axis};
    return TN_API_FILL(out, full);
}

int tenure_plan_binding(const tenure_plan *plan, size_t index, const char **state,
                        uint32_t *value) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->n_bindings || state == NULL || value == NULL) {
        return 0;
    }
    *state = p->bindings[index].state;
    *value = p->bindings[index].value;
    return 1;
}

/* ---- memory ---- */

int tenure_plan_pool(const tenure_plan *plan, size_t index, tenure_pool *out) {
    if (plan == NULL || index >= api_plan(plan)->n_pools) {
        return 0;
    }
    const tn_pool *pool = &api_plan(plan)->pools[index];
    tenure_pool full = {.name = pool->name,
                        .kind = (tenure_pool_kind)pool->kind,
                        .align = pool->align,
                        .capacity = pool->capacity,
                        .size = pool->size,
                        .bound = pool->bound,
                        .cost = pool->cost,
                        .traffic = pool->traffic,
                        .section = pool->section,
                        .copied = pool->copied,
                        .base_align = tn_pool_base(pool)};
    return TN_API_FILL(out, full);
}

int tenure_plan_slot(const tenure_plan *plan, size_t index, tenure_slot *out) {
    if (plan == NULL || index >= api_plan(plan)->n_slots) {
        return 0;
    }
    const tn_slot *s = &api_plan(plan)->slots[index];
    tenure_slot full = {.pool = s->pool, .offset = s->offset, .size = s->size};
    return TN_API_FILL(out, full);
}

int tenure_plan_storage(const tenure_plan *plan, size_t index, tenure_storage *out) {
    if (plan == NULL || index >= api_plan(plan)->n_storages) {
        return 0;
    }
    const tn_storage *s = &api_plan(plan)->storages[index];
    tenure_storage full = {.pool = s->pool,
                           .slot = s->slot,
                           .offset = s->offset,
                           .size = s->size,
                           .align = s->align,
                           .first = s->first,
                           .last = s->last,
                           .pinned = s->pinned,
                           .root = s->root,
                           .above = tn_api_ids(s->above),
                           .size_text = s->size_text,
                           .second = s->second};
    return TN_API_FILL(out, full);
}

/* ---- values ---- */

size_t tenure_plan_value_count(const tenure_plan *plan) {
    return plan != NULL ? api_plan(plan)->n_values : 0;
}

int tenure_plan_value(const tenure_plan *plan, size_t index, tenure_placement *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->n_values) {
        return 0;
    }
    const tn_plan_value *v = &p->values[index];
    bool placed = v->storage != TN_NO_ID;
    tenure_placement full = {
        .index = (uint32_t)index,
        .name = v->name,
        .graph = v->graph,
        .role = (tenure_role)v->role,
        .dtype = (tenure_dtype)v->dtype,
        .rank = v->rank,
        .dims = v->dims,
        .type = v->type,
        .why = v->why,
        .left_out = (tenure_left_out)v->left_out,
        .pool = placed ? p->pools[p->storages[v->storage].pool].name : NULL,
        .storage = v->storage,
        .storage_offset = v->offset,
        .offset = placed ? tn_plan_address(p, v) : 0,
        .size = v->bytes,
        .size_text = v->bytes_text,
        .first = v->first,
        .last = v->last,
        .step = v->step,
        .alias = (tenure_alias)v->alias,
        .alias_of = v->alias_of,
        .n_overlaps = v->n_overlaps,
        .channels_last = v->channels_last,
        .clone_of = v->clone_of,
    };
    return TN_API_FILL(out, full);
}

int tenure_plan_overlap(const tenure_plan *plan, size_t value, size_t index, tenure_overlap *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || value >= p->n_values || index >= p->values[value].n_overlaps) {
        return 0;
    }
    const tn_plan_overlap *o = &p->values[value].overlaps[index];
    tenure_overlap full = {.value = o->value,
                           .step = o->step,
                           .distance = o->distance,
                           .order = (tenure_order)o->order};
    return TN_API_FILL(out, full);
}

/* Whether "path/name" is the value's. */
static bool is_nested(const tn_plan_value *v, const char *full) {
    size_t n = strlen(v->graph);
    return n > 0 && strncmp(full, v->graph, n) == 0 && full[n] == '/' &&
           strcmp(full + n + 1, v->name) == 0;
}

int tenure_plan_find(const tenure_plan *plan, const char *name, tenure_placement *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || name == NULL) {
        return 0;
    }
    const tn_plan_value *v = tn_plan_find(p, "", name);
    for (uint32_t i = 0; i < p->n_values && v == NULL; i++) {
        v = is_nested(&p->values[i], name) ? &p->values[i] : NULL;
    }
    return v != NULL && tenure_plan_value(plan, (size_t)(v - p->values), out);
}

const char *tenure_plan_value_dim(const tenure_plan *plan, size_t index, size_t axis) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->n_values || axis >= p->values[index].rank) {
        return NULL;
    }
    const tn_plan_value *v = &p->values[index];
    return v->dim_texts != NULL && v->dims[axis] < 0 ? v->dim_texts[axis] : NULL;
}

/* ---- figures ---- */

int tenure_plan_figures(const tenure_plan *plan, tenure_figures *out) {
    if (plan == NULL) {
        return 0;
    }
    const tn_plan_report *r = &api_plan(plan)->report;
    tenure_figures full = {
        .naive = r->naive,
        .level0 = r->level0,
        .level1 = r->level1,
        .bound = r->bound,
        .order_bound = r->order_bound,
        .other_order = r->other_order,
        .saved_by_sharing = r->saved_by_sharing,
        .const_bytes = r->const_bytes,
        .io_bytes = r->io_bytes,
        .ram = r->ram,
        .flash = r->flash,
        .n_inplace = r->n_inplace,
        .n_views = r->n_views,
        .n_updates = r->n_updates,
        .n_shared = r->n_shared,
        .optimal = r->optimal,
        .algorithm = r->algorithm,
        .peak_step = r->peak_step,
        .peak = tn_api_ids(r->peak),
        .n_planned = r->n_planned,
        .n_unplanned = r->n_unplanned,
        .n_open = r->n_open,
        .n_data = r->n_data,
        .n_backward_ops = r->n_backward_ops,
        .n_backward_values = r->n_backward_values,
        .n_param_grads = r->n_param_grads,
        .interrupted = r->interrupted,
        .cost = r->cost,
        .cost_bound = r->cost_bound,
        .n_clones = r->recompute.n_clones,
        .clone_operations = r->recompute.operations,
        .model_operations = r->recompute.model_operations,
        .arena_without_clones = r->recompute.without,
        .n_recompute_points = r->recompute.n_curve,
        .depth = r->depth,
        .data_depth = r->data_depth,
        .serial = r->serial,
    };
    return TN_API_FILL(out, full);
}

int tenure_plan_recompute_point(const tenure_plan *plan, size_t index,
                                tenure_recompute_point *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->report.recompute.n_curve) {
        return 0;
    }
    const tn_plan_point *point = &p->report.recompute.curve[index];
    tenure_recompute_point full = {.operations = point->operations, .arena = point->arena};
    return TN_API_FILL(out, full);
}

int tenure_plan_base(const tenure_plan *plan, tenure_base *out) {
    const tn_plan_base *base = plan != NULL ? &api_plan(plan)->report.base : NULL;
    if (base == NULL || base->digest == NULL) {
        return 0;
    }
    tenure_base full = {.digest = base->digest,
                        .n_matched = base->n_matched,
                        .n_moved = base->n_shifts,
                        .n_least = base->n_least,
                        .free = base->free};
    return TN_API_FILL(out, full);
}

int tenure_plan_shift(const tenure_plan *plan, size_t index, tenure_shift *out) {
    const tn_plan *p = api_plan(plan);
    if (p == NULL || index >= p->report.base.n_shifts) {
        return 0;
    }
    const tn_plan_shift *shift = &p->report.base.shifts[index];
    tenure_shift full = {.value = shift->value,
                         .pool = shift->pool,
                         .offset = shift->offset,
                         .why = (tenure_shift_why)shift->why,
                         .by = shift->by};
    return TN_API_FILL(out, full);
}
