/* The JSON form, read back. The file is hostile: every key is demanded, every type, range and index
 * is checked, and a message names the place ("values[3].storage"). What makes sense as a plan of a
 * model is the checker's business (ir/check/check.h), not ours. */
#include <jansson.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/limits.h"
#include "ir/plan/forms.h"
#include "ir/plan/json_item.h"
#include "ir/plan/words.h"

static void read_head(tn_json_item *top) {
    tn_plan *p = top->r->plan;
    tn_json_integer(top, "format", TN_PLAN_FORMAT, TN_PLAN_FORMAT);
    p->version = tn_json_text(top, "tenure");
    tn_json_item model = tn_json_open_object(top, "model");
    p->model = tn_json_text(&model, "name");
    p->sha256 = tn_json_text(&model, "sha256");
    tn_json_done(&model);
    p->pipeline = tn_json_text(top, "pipeline");
    p->reordered = tn_json_flag(top, "reordered");
    json_t *options = tn_json_list(top, "options", &p->n_options);
    tn_pair *pairs = TN_ARRAY(p->arena, tn_pair, p->n_options);
    for (uint32_t i = 0; i < p->n_options; i++) {
        tn_json_item at = tn_json_open_item(top, options, "options", i);
        pairs[i].key = tn_json_text(&at, "key");
        pairs[i].value = tn_json_text(&at, "value");
        tn_json_done(&at);
    }
    p->options = pairs;
}

static void read_pool(tn_json_item *at, tn_pool *pool) {
    pool->name = tn_json_text(at, "name");
    pool->kind = (tn_pool_kind)tn_json_word(at, "kind", tn_pool_kind_words);
    pool->align = (uint64_t)tn_json_integer(at, "align", 1, INT64_MAX);
    pool->capacity = tn_json_number(at, "capacity");
    pool->size = tn_json_number(at, "size");
    pool->bound = tn_json_number(at, "bound");
    tn_json_done(at);
}

/* Backends count on places inside one another; sums of two JSON integers fit. */
static void demand_inside(const tn_json_item *at, uint64_t offset, uint64_t size, uint64_t start,
                          uint64_t room, const char *where) {
    if (offset < start || offset + size > start + room) {
        tn_json_bad(at, "offset",
                    tn_arena_printf(at->r->plan->arena,
                                    "%llu bytes at %llu to lie in %s, which has bytes [%llu,%llu)",
                                    (unsigned long long)size, (unsigned long long)offset, where,
                                    (unsigned long long)start, (unsigned long long)(start + room)));
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
    s->offset = tn_json_number(at, "offset");
    s->size = tn_json_number(at, "size");
    s->align = (uint64_t)tn_json_integer(at, "align", 1, INT64_MAX);
    s->first = tn_json_step_number(at, "first");
    s->last = tn_json_step_number(at, "last");
    s->pinned = tn_json_flag(at, "pinned");
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
    if (!json_is_array(j) || json_array_size(j) > TN_MAX_RANK) {
        tn_json_bad(
            at, "dims",
            tn_arena_printf(at->r->plan->arena, "a list of at most %u extents", TN_MAX_RANK));
    }
    v->rank = (uint32_t)json_array_size(j);
    int64_t *dims = TN_ARRAY(at->r->plan->arena, int64_t, v->rank);
    for (uint32_t i = 0; i < v->rank; i++) {
        json_t *d = json_array_get(j, i);
        if (!json_is_integer(d) || json_integer_value(d) < -1) {
            tn_json_bad(at, "dims", "extents of 0 and up, or -1 where open");
        }
        dims[i] = json_integer_value(d);
    }
    v->dims = dims;
}

static tn_dtype read_dtype(tn_json_item *at) {
    const char *name = tn_json_text(at, "dtype");
    tn_dtype dtype = tn_dtype_find(name);
    if (dtype == TN_DT_UNKNOWN && strcmp(name, tn_dtype_get(TN_DT_UNKNOWN)->name) != 0) {
        tn_json_bad(at, "dtype", "an element type such as \"f32\", or \"?\"");
    }
    return dtype;
}

static void read_value(tn_json_item *at, tn_plan_value *v) {
    const tn_plan *p = at->r->plan;
    v->name = tn_json_text(at, "name");
    v->graph = tn_json_graph_path(at);
    v->role = (tn_plan_role)tn_json_word(at, "role", tn_plan_role_words);
    v->dtype = read_dtype(at);
    read_dims(at, v);
    v->type = tn_json_text(at, "type");
    v->bytes_text = tn_json_text_or_null(at, "bytes_text");
    v->why = tn_json_text_or_null(at, "why");
    v->bytes = tn_json_number(at, "bytes");
    v->storage = tn_json_index_or_null(at, "storage", p->n_storages);
    v->offset = tn_json_number(at, "offset");
    if (v->storage != TN_NO_ID) {
        demand_inside(at, v->offset, v->bytes, 0, p->storages[v->storage].size, "its storage");
    }
    v->first = tn_json_step_number(at, "first");
    v->last = tn_json_step_number(at, "last");
    v->step = tn_json_index_or_null(at, "step", p->n_steps);
    v->alias = (tn_alias_kind)tn_json_word(at, "alias", tn_alias_words);
    v->alias_of = tn_json_index_or_null(at, "alias_of", p->n_values);
    v->module_value = TN_NO_ID;
    tn_json_done(at);
}

static void read_step(tn_json_item *at, tn_plan_step *s) {
    const tn_plan *p = at->r->plan;
    s->kind = (tn_step_kind)tn_json_word(at, "kind", tn_step_kind_words);
    s->graph = tn_json_graph_path(at);
    s->node = (int32_t)tn_json_integer(at, "node", -1, INT32_MAX);
    s->name = tn_json_text(at, "name");
    s->domain = tn_json_text(at, "domain");
    s->op = tn_json_text(at, "op");
    s->partner = tn_json_index_or_null(at, "partner", p->n_steps);
    s->reads = tn_json_ids(at, "reads", p->n_values);
    s->writes = tn_json_ids(at, "writes", p->n_values);
    s->frees = tn_json_ids(at, "frees", p->n_storages);
    s->hazards = tn_json_ids(at, "hazards", p->n_steps);
    s->module_op = TN_NO_ID;
    tn_json_done(at);
}

static void read_binding(tn_json_item *at, tn_plan_binding *b) {
    b->state = tn_json_text(at, "state");
    b->value = tn_json_index_of(at, "value", at->r->plan->n_values);
    tn_json_done(at);
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
    r->n_backward_ops = tn_json_count(&at, "backward_ops");
    r->n_backward_values = tn_json_count(&at, "backward_values");
    r->n_param_grads = tn_json_count(&at, "param_grads");
    r->order_bound = tn_json_number(&at, "order_bound");
    r->other_order = tn_json_number(&at, "other_order");
    r->saved_by_sharing = tn_json_number(&at, "saved_by_sharing");
    tn_json_done(&at);
}

/* Items refer to one another by index, so all counts are set before the first tn_json_item is read.
 */
static void read_plan(tn_json_item *top) {
    tn_plan *p = top->r->plan;
    read_head(top);
    json_t *pools = tn_json_list(top, "pools", &p->n_pools),
           *slots = tn_json_list(top, "slots", &p->n_slots),
           *storages = tn_json_list(top, "storages", &p->n_storages),
           *values = tn_json_list(top, "values", &p->n_values),
           *steps = tn_json_list(top, "steps", &p->n_steps),
           *bindings = tn_json_list(top, "bindings", &p->n_bindings);
#define READ_ALL(T, what, read_one)                                                                \
    p->what = TN_ARRAY(p->arena, T, p->n_##what);                                                  \
    for (uint32_t i = 0; i < p->n_##what; i++) {                                                   \
        tn_json_item at = tn_json_open_item(top, what, #what, i);                                  \
        read_one(&at, &p->what[i]);                                                                \
    }
    READ_ALL(tn_pool, pools, read_pool)
    READ_ALL(tn_slot, slots, read_slot)
    READ_ALL(tn_storage, storages, read_storage)
    READ_ALL(tn_plan_value, values, read_value)
    READ_ALL(tn_plan_step, steps, read_step)
    READ_ALL(tn_plan_binding, bindings, read_binding)
#undef READ_ALL
    read_report(top);
    tn_json_done(top);
}

static void drop_tree(void *p) {
    json_decref(((tn_json_reader *)p)->root);
}

static tn_status read_all(tn_ctx *ctx, void *arg) {
    tn_json_reader *r = arg;
    json_error_t error;
    tn_arena *tree = tn_arena_new(ctx);
    tn_loc loc = tn_loc_file(r->file);
    r->plan = tn_plan_new(ctx);
    /* Registered while the root is still NULL, so that nothing can raise between the parser's
     * success and the moment somebody owns the tree. */
    tn_json_reader *holder = TN_NEW(tree, tn_json_reader);
    tn_arena_defer(tree, drop_tree, holder);
    r->root = holder->root = json_loadb(r->data, r->size, JSON_REJECT_DUPLICATES, &error);
    if (r->root == NULL) {
        if (json_error_code(&error) == json_error_out_of_memory) {
            tn_raise(ctx, TN_NOMEM);
        }
        loc.line = error.line > 0 ? (uint32_t)error.line : 0;
        loc.col = error.column > 0 ? (uint32_t)error.column : 0;
        tn_fail(ctx, &loc, "not a JSON plan: %s", error.text);
    }
    if (!json_is_object(r->root)) {
        tn_fail(ctx, &loc, "not a JSON plan: the top level is no object");
    }
    tn_json_item top = {.r = r, .json = r->root};
    read_plan(&top);
    tn_arena_drop(tree);
    return TN_OK;
}

tn_plan *tn_plan_from_json(tn_ctx *ctx, const char *file, const void *data, size_t size) {
    tn_json_reader r = {.ctx = ctx, .file = file, .data = data, .size = size};
    tn_status status = tn_guard_run(ctx, read_all, &r);
    if (status == TN_NOMEM) {
        tn_reraise(ctx, status);
    }
    return status == TN_OK ? r.plan : NULL;
}
