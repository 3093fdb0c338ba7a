/* The JSON form, read back. The file is hostile: every key is demanded, every type, range and index
 * is checked, and a message names the place ("values[3].storage"). What makes sense as a plan of a
 * model is the checker's business (ir/check/check.h), not ours. */
#include <jansson.h>
#include <string.h>

#include "ir/base/limits.h"
#include "ir/plan/forms.h"
#include "ir/plan/json_read_t.h"
#include "ir/plan/plan_names.h"

static const char **read_texts(tn_json_item *at, const char *name, uint32_t *n) {
    json_t *list = tn_json_list(at, name, n);
    const char **texts = TN_ARRAY(at->r->plan->arena, const char *, *n);
    for (uint32_t i = 0; i < *n; i++) {
        json_t *j = json_array_get(list, i);
        if (!json_is_string(j)) {
            tn_json_bad(at, name, "strings");
        }
        texts[i] =
            tn_text_from_utf8(at->r->plan->arena, json_string_value(j), json_string_length(j));
    }
    return texts;
}

static void read_head(tn_json_item *top) {
    tn_plan *p = top->r->plan;
    if (json_is_integer(json_object_get(top->json, "format")) &&
        json_integer_value(json_object_get(top->json, "format")) == 1) {
        tn_json_bad(top, "format",
                    "2; this is a plan of format 1, which tenure 0.1 wrote: make it "
                    "again from its model with `tenure plan`");
    }
    tn_json_integer(top, "format", TN_PLAN_FORMAT, TN_PLAN_FORMAT);
    p->version = tn_json_text(top, "tenure");
    p->digest = tn_json_text(top, "digest");
    p->layout = tn_json_text(top, "layout");
    if (json_object_get(top->json, "facts") != NULL) {
        p->facts = read_texts(top, "facts", &p->n_facts);
    }
    p->pipeline = tn_json_text(top, "pipeline");
    json_t *options = tn_json_list(top, "options", &p->n_options);
    tn_pair *pairs = TN_ARRAY(p->arena, tn_pair, p->n_options);
    for (uint32_t i = 0; i < p->n_options; i++) {
        tn_json_item at = tn_json_open_item(top, options, "options", i);
        pairs[i].key = tn_json_text(&at, "key");
        pairs[i].value = tn_json_text(&at, "value");
        tn_json_done(&at);
    }
    p->options = pairs;
    top->r->expressions = read_texts(top, "expressions", &top->r->n_expressions);
}

static void read_pool(tn_json_item *at, tn_pool *pool) {
    pool->name = tn_json_text(at, "name");
    pool->kind = (tn_pool_kind)tn_json_enum(at, "kind", tn_pool_kind_names);
    pool->align = (uint64_t)tn_json_integer(at, "align", 1, INT64_MAX);
    pool->capacity = tn_json_number(at, "capacity");
    pool->cost = tn_json_number(at, "cost");
    pool->section = tn_json_text_or_null(at, "section");
    if (pool->section != NULL && !tn_is_section(pool->section)) {
        tn_json_bad(at, "section", "letters, digits and . _ $ , - alone");
    }
    pool->size = tn_json_number(at, "size");
    pool->bound = tn_json_number(at, "bound");
    if (json_object_get(at->json, "base_align") != NULL) {
        pool->base_align = (uint64_t)tn_json_integer(at, "base_align", 1, INT64_MAX);
        if (pool->base_align <= pool->align) {
            tn_json_bad(at, "base_align", "more than `align`");
        }
    }
    pool->traffic = pool->cost > 0 ? tn_json_number(at, "traffic") : 0;
    pool->copied = json_object_get(at->json, "copied") != NULL && tn_json_flag(at, "copied");
    tn_json_done(at);
}

/* Backends rely on values inside storages inside pools; sums of two JSON integers do not overflow.
 */
static void demand_inside(const tn_json_item *at, uint64_t offset, uint64_t size, uint64_t start,
                          uint64_t length, const char *where) {
    if (offset < start || offset + size > start + length) {
        tn_json_bad(at, "offset",
                    tn_arena_printf(at->r->plan->arena,
                                    "%llu bytes at %llu to lie in %s, which has bytes [%llu,%llu)",
                                    (unsigned long long)size, (unsigned long long)offset, where,
                                    (unsigned long long)start,
                                    (unsigned long long)(start + length)));
    }
}

static void demand_in_pool(const tn_json_item *at, uint64_t offset, uint64_t size, uint32_t pool) {
    const tn_pool *p = &at->r->plan->pools[pool];
    if (offset + size > p->size) {
        demand_inside(at, offset, size, 0, p->size,
                      tn_arena_printf(at->r->plan->arena, "pool '%s'", p->name));
    }
}

static void read_slot(tn_json_item *at, tn_slot *slot) {
    slot->pool = tn_json_index_of(at, "pool", at->r->plan->n_pools);
    slot->offset = tn_json_number(at, "offset");
    slot->size = tn_json_number(at, "size");
    demand_in_pool(at, slot->offset, slot->size, slot->pool);
    tn_json_done(at);
}

static void read_storage(tn_json_item *at, tn_storage *s) {
    const tn_plan *p = at->r->plan;
    s->id = at->index;
    s->pool = tn_json_index_of(at, "pool", p->n_pools);
    s->slot = tn_json_index_or_null(at, "slot", p->n_slots);
    s->above = tn_json_ids(at, "above", p->n_storages);
    if (s->above.len > 0) {
        tn_json_demand_null(at, "offset", "null, since it follows from the storages below");
    } else {
        s->offset = tn_json_number(at, "offset");
    }
    s->size = tn_json_read_size(at, "size", &s->size_expr, &s->size_text);
    s->align = (uint64_t)tn_json_integer(at, "align", 1, INT64_MAX);
    s->first = tn_json_step_number(at, "first");
    s->last = tn_json_step_number(at, "last");
    s->pinned = tn_json_flag(at, "pinned");
    if (json_object_get(at->json, "second") != NULL) {
        s->second = (uint64_t)tn_json_integer(at, "second", 1, (int64_t)s->size);
    }
    s->root = tn_json_index_of(at, "root", p->n_values);
    demand_in_pool(at, s->offset, s->size, s->pool);
    if (s->slot != TN_NO_ID) {
        const tn_slot *slot = &p->slots[s->slot];
        demand_inside(at, s->offset, s->size, slot->offset, slot->size, "its slot");
    }
    tn_json_done(at);
}

static void read_dims(tn_json_item *at, tn_plan_value *v) {
    json_t *j = tn_json_member(at, "dims");
    tn_arena *arena = at->r->plan->arena;
    if (!json_is_array(j) || json_array_size(j) > TN_MAX_RANK) {
        tn_json_bad(at, "dims",
                    tn_arena_printf(arena, "a list of at most %u extents", TN_MAX_RANK));
    }
    v->rank = (uint32_t)json_array_size(j);
    int64_t *dims = TN_ARRAY(arena, int64_t, v->rank);
    const char **texts = NULL;
    for (uint32_t i = 0; i < v->rank; i++) {
        json_t *d = json_array_get(j, i);
        bool number = json_is_integer(d) && json_integer_value(d) >= 0;
        dims[i] = number ? json_integer_value(d) : -1;
        if (number || json_is_null(d)) {
            continue;
        }
        if (!json_is_object(d)) {
            tn_json_bad(at, "dims", "extents of 0 and up, expressions, or null where open");
        }
        texts = texts != NULL ? texts : TN_ARRAY(arena, const char *, v->rank);
        texts[i] = tn_json_read_expression(at, "dims", d);
    }
    v->dims = dims;
    v->dim_texts = texts;
}

/* A number for what has a place; for the rest an expression, or null. */
static void read_size(tn_json_item *at, tn_plan_value *v) {
    json_t *j = json_object_get(at->json, "bytes");
    if (v->storage != TN_NO_ID) {
        v->bytes = tn_json_read_size(at, "bytes", &v->bytes_expr, &v->bytes_text);
        return;
    }
    at->used++;
    if (json_is_object(j)) {
        v->bytes_text = tn_json_read_expression(at, "bytes", j);
    } else if (!json_is_null(j)) {
        tn_json_bad(at, "bytes", "an expression or null, since the value has no storage");
    }
}

tn_dtype tn_json_dtype(tn_json_item *at, const char *name) {
    const char *text = tn_json_text(at, name);
    tn_dtype dtype = tn_dtype_find(text);
    if (dtype == TN_DT_UNKNOWN && strcmp(text, tn_dtype_get(TN_DT_UNKNOWN)->name) != 0) {
        tn_json_bad(at, name, "an element type such as \"f32\", or \"?\"");
    }
    return dtype;
}

/* Null for what has a place, and for nothing else. */
static void read_left_out(tn_json_item *at, tn_plan_value *v) {
    if (v->storage != TN_NO_ID) {
        tn_json_demand_null(at, "why", "null, since the value has a storage");
        tn_json_demand_null(at, "left_out", "null, since the value has a storage");
        v->left_out = TN_LEFT_NOT;
        return;
    }
    v->why = tn_json_text(at, "why");
    v->left_out = (tn_left_out)(1 + tn_json_enum(at, "left_out", tn_left_out_names + 1));
}

static void read_value(tn_json_item *at, tn_plan_value *v) {
    const tn_plan *p = at->r->plan;
    v->name = tn_json_text(at, "name");
    v->graph = tn_json_graph_path(at);
    v->role = (tn_plan_role)tn_json_enum(at, "role", tn_plan_role_names);
    v->dtype = tn_json_dtype(at, "dtype");
    read_dims(at, v);
    v->type = tn_json_text(at, "type");
    v->storage = tn_json_index_or_null(at, "storage", p->n_storages);
    read_left_out(at, v);
    read_size(at, v);
    const char *ignored;
    v->offset = tn_json_read_size(at, "offset", &v->offset_expr, &ignored);
    if (v->storage != TN_NO_ID) {
        const tn_storage *s = &p->storages[v->storage];
        demand_inside(at, v->offset, v->bytes, 0, s->size - s->second, "its storage");
    }
    v->first = tn_json_step_number(at, "first");
    v->last = tn_json_step_number(at, "last");
    v->step = tn_json_index_or_null(at, "step", p->n_steps);
    v->alias = (tn_alias_kind)tn_json_enum(at, "alias", tn_alias_words);
    v->alias_of = tn_json_index_or_null(at, "alias_of", p->n_values);
    v->clone_of = json_object_get(at->json, "clone_of") != NULL
                      ? tn_json_index_of(at, "clone_of", p->n_values)
                      : TN_NO_ID;
    v->module_value = TN_NO_ID;
    tn_json_read_overlaps(at, v);
    tn_json_done(at);
}

static void read_binding(tn_json_item *at, tn_plan_binding *b) {
    b->state = tn_json_text(at, "state");
    b->value = tn_json_index_of(at, "value", at->r->plan->n_values);
    tn_json_done(at);
}

static void read_point(tn_json_item *at, tn_plan_point *point) {
    point->operations = tn_json_number(at, "operations");
    point->arena = tn_json_number(at, "arena");
    tn_json_done(at);
}

static void read_recompute(tn_json_item *report, tn_plan_recompute *r) {
    if (json_object_get(report->json, "recompute") == NULL) {
        return;
    }
    tn_json_item at = tn_json_open_object(report, "recompute");
    r->n_clones = tn_json_count(&at, "clones");
    r->operations = tn_json_number(&at, "operations");
    r->model_operations = tn_json_number(&at, "model_operations");
    r->without = tn_json_number(&at, "without");
    json_t *curve = tn_json_list(&at, "curve", &r->n_curve);
    tn_plan_point *points = TN_ARRAY(at.r->plan->arena, tn_plan_point, r->n_curve);
    for (uint32_t i = 0; i < r->n_curve; i++) {
        tn_json_item point = tn_json_open_item(&at, curve, "curve", i);
        read_point(&point, &points[i]);
    }
    r->curve = points;
    if (r->model_operations == 0) {
        tn_json_bad(&at, "model_operations", "more than 0");
    }
    tn_json_done(&at);
}

static void read_shift(tn_json_item *at, tn_plan_shift *shift) {
    shift->value = tn_json_index_of(at, "value", at->r->plan->n_values);
    shift->pool = tn_json_text(at, "pool");
    shift->offset = tn_json_number(at, "offset");
    shift->why = (tn_shift_why)tn_json_enum(at, "why", tn_shift_why_names);
    shift->by = tn_json_index_or_null(at, "by", at->r->plan->n_values);
    tn_json_done(at);
}

static void read_base(tn_json_item *report, tn_plan_base *base) {
    if (json_object_get(report->json, "based_on") == NULL) {
        return;
    }
    tn_json_item at = tn_json_open_object(report, "based_on");
    base->digest = tn_json_text(&at, "digest");
    base->n_matched = tn_json_count(&at, "matched");
    base->n_least = tn_json_count(&at, "least");
    base->free = tn_json_number(&at, "free");
    json_t *moved = tn_json_list(&at, "moved", &base->n_shifts);
    tn_plan_shift *shifts = TN_ARRAY(at.r->plan->arena, tn_plan_shift, base->n_shifts);
    for (uint32_t i = 0; i < base->n_shifts; i++) {
        tn_json_item shift = tn_json_open_item(&at, moved, "moved", i);
        read_shift(&shift, &shifts[i]);
        if (i > 0 && shifts[i].value <= shifts[i - 1].value) {
            tn_json_bad(&shift, "value", "ascending indices");
        }
    }
    base->shifts = shifts;
    tn_json_done(&at);
}

static void read_report(tn_json_item *top) {
    tn_plan *p = top->r->plan;
    tn_plan_report *r = &p->report;
    tn_json_item at = tn_json_open_object(top, "report");
    r->naive = tn_json_number(&at, "naive");
    r->level0 = tn_json_number(&at, "level0");
    r->level1 = tn_json_number(&at, "level1");
    r->bound = tn_json_number(&at, "bound");
    r->const_bytes = tn_json_number(&at, "const_bytes");
    r->io_bytes = tn_json_number(&at, "io_bytes");
    r->ram = tn_json_number(&at, "ram");
    r->flash = tn_json_number(&at, "flash");
    r->n_inplace = tn_json_count(&at, "inplace");
    r->n_views = tn_json_count(&at, "views");
    r->n_updates = tn_json_count(&at, "updates");
    r->n_shared = tn_json_count(&at, "shared");
    r->optimal = tn_json_flag(&at, "optimal");
    r->algorithm = tn_json_text(&at, "algorithm");
    r->peak_step = tn_json_step_number(&at, "peak_step");
    r->peak = tn_json_ids(&at, "peak", p->n_storages);
    r->n_planned = tn_json_count(&at, "planned");
    r->n_unplanned = tn_json_count(&at, "unplanned");
    r->n_open = tn_json_count(&at, "open");
    r->n_data = tn_json_count(&at, "data");
    r->n_backward_ops = tn_json_count(&at, "backward_ops");
    r->n_backward_values = tn_json_count(&at, "backward_values");
    r->n_param_grads = tn_json_count(&at, "param_grads");
    r->order_bound = tn_json_number(&at, "order_bound");
    r->other_order = tn_json_number(&at, "other_order");
    r->saved_by_sharing = tn_json_number(&at, "saved_by_sharing");
    read_recompute(&at, &r->recompute);
    read_base(&at, &r->base);
    r->interrupted =
        json_object_get(at.json, "interrupted") != NULL && tn_json_flag(&at, "interrupted");
    if (tn_plan_has_costs(p)) {
        r->cost = tn_json_number(&at, "cost");
        r->cost_bound = tn_json_number(&at, "cost_bound");
    }
    if (p->concurrency != TN_SERIAL) {
        r->depth = tn_json_count(&at, "depth");
        r->data_depth = tn_json_count(&at, "data_depth");
        r->serial = tn_json_number(&at, "serial");
    }
    tn_json_done(&at);
}

static void read_binding_of_dims(tn_json_item *at) {
    tn_plan *p = at->r->plan;
    json_t *list = tn_json_list(at, "binding", &p->n_dims);
    p->dims = TN_ARRAY(p->arena, tn_plan_dim, p->n_dims);
    for (uint32_t i = 0; i < p->n_dims; i++) {
        tn_json_item in = tn_json_open_item(at, list, "binding", i);
        p->dims[i].name = tn_json_text(&in, "dim");
        p->dims[i].value = tn_json_integer(&in, "value", 0, INT64_MAX);
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(p->dims[k].name, p->dims[i].name) == 0) {
                tn_json_bad(&in, "dim", "each dimension once");
            }
        }
        tn_json_done(&in);
    }
}

/* Plans for one order have neither. */
static void read_concurrency(tn_json_item *at) {
    tn_plan *p = at->r->plan;
    if (json_object_get(at->json, "concurrency") == NULL) {
        return;
    }
    p->concurrency = (tn_concurrency)tn_json_enum(at, "concurrency", tn_concurrency_names);
    bool queues = p->concurrency == TN_QUEUES;
    p->n_queues =
        (uint32_t)tn_json_integer(at, "queues", queues ? 1 : 0, queues ? TN_MAX_QUEUES : 0);
}

/* Items refer to one another by index, so all counts are set before the first item is read. */
static void read_variant(tn_json_item *at) {
    tn_plan *p = at->r->plan;
    tn_json_read_variant_facts(at);
    read_binding_of_dims(at);
    tn_json_read_guard(at);
    p->partial = tn_json_flag(at, "partial");
    p->open = read_texts(at, "open", &p->n_open);
    p->reordered = tn_json_flag(at, "reordered");
    read_concurrency(at);
    json_t *slots = tn_json_list(at, "slots", &p->n_slots),
           *storages = tn_json_list(at, "storages", &p->n_storages),
           *values = tn_json_list(at, "values", &p->n_values),
           *steps = tn_json_list(at, "steps", &p->n_steps),
           *bindings = tn_json_list(at, "bindings", &p->n_bindings);
    tn_json_read_by_data(at);
    p->inputs = tn_json_ids(at, "inputs", p->n_values);
    p->outputs = tn_json_ids(at, "outputs", p->n_values);
    p->fixed = tn_json_ids(at, "fixed", p->n_values);
#define READ_ALL(T, what, read_one)                                                                \
    p->what = TN_ARRAY(p->arena, T, p->n_##what);                                                  \
    for (uint32_t i = 0; i < p->n_##what; i++) {                                                   \
        tn_json_item item = tn_json_open_item(at, what, #what, i);                                 \
        read_one(&item, &p->what[i]);                                                              \
    }
    READ_ALL(tn_slot, slots, read_slot)
    READ_ALL(tn_storage, storages, read_storage)
    READ_ALL(tn_plan_value, values, read_value)
    tn_json_settle_offsets(at);
    READ_ALL(tn_plan_step, steps, tn_json_read_step)
    READ_ALL(tn_plan_binding, bindings, read_binding)
#undef READ_ALL
    read_report(at);
    tn_json_done(at);
}

static void read_plan(tn_json_item *top) {
    tn_plan *p = top->r->plan;
    read_head(top);
    json_t *pools = tn_json_list(top, "pools", &p->n_pools);
    p->pools = TN_ARRAY(p->arena, tn_pool, p->n_pools);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        tn_json_item at = tn_json_open_item(top, pools, "pools", i);
        read_pool(&at, &p->pools[i]);
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(p->pools[k].name, p->pools[i].name) == 0) {
                tn_json_bad(&at, "name", "a name that no other pool has");
            }
        }
    }
    tn_json_read_programs(top, read_variant);
    tn_json_done(top);
}

static tn_status read_all(tn_ctx *ctx, void *arg) {
    tn_json_reader *r = arg;
    tn_arena *tree = tn_arena_new(ctx);
    r->plan = tn_plan_new(ctx);
    r->arena = r->plan->arena;
    tn_json_parse(r, tree, "plan");
    tn_json_item top = {.r = r, .json = r->root};
    read_plan(&top);
    tn_arena_drop(tree);
    return TN_OK;
}

tn_plan *tn_plan_from_json(tn_ctx *ctx, const char *file, const void *data, size_t size) {
    tn_json_reader r = {.ctx = ctx, .file = file, .data = data, .size = size};
    tn_status status = tn_guard_run(ctx, read_all, &r);
    if (tn_status_ends_all(status)) {
        tn_reraise(ctx, status);
    }
    return status == TN_OK ? r.plan : NULL;
}
