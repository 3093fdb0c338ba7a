/* The JSON form, read back. The file is hostile: every key is demanded, every type, range and index
 * is checked, and a message names the place ("values[3].storage"). What makes sense as a plan of a
 * model is the checker's business (ir/plan/check.h), not ours. */
#include <jansson.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/limits.h"
#include "ir/plan/text.h"
#include "ir/plan/words.h"

/* One object being read: where it is, and how many of its keys were asked for. */
typedef struct item {
    struct reader *r;
    json_t *json;
    const char *list; /* NULL for the whole file */
    uint32_t index;
    bool listed; /* an item of a list: `index` counts */
    size_t used;
} item;

typedef struct reader {
    tn_ctx *ctx;
    const char *file;
    const void *data;
    size_t size;
    tn_plan *plan;
    json_t *root;
    const char *graph; /* the last graph path read: most neighbours share it */
} reader;

static const char *place(const item *at, const char *name) {
    tn_arena *arena = at->r->plan->arena;
    if (at->list == NULL) {
        return name;
    }
    return at->listed ? tn_arena_printf(arena, "%s[%u].%s", at->list, at->index, name)
                      : tn_arena_printf(arena, "%s.%s", at->list, name);
}

TN_NORETURN static void bad(const item *at, const char *name, const char *want) {
    tn_loc loc = tn_loc_file(at->r->file);
    tn_fail(at->r->ctx, &loc, "%s: expected %s", place(at, name), want);
}

static json_t *member(item *at, const char *name) {
    json_t *j = json_object_get(at->json, name);
    if (j == NULL) {
        bad(at, name, "this key");
    }
    at->used++;
    return j;
}

/* Keys nobody asked for are refused: a misspelt optional one would be silently ignored. */
static void done(const item *at) {
    if (at->used != json_object_size(at->json)) {
        bad(at, at->list == NULL ? "top level" : "keys", "only the keys of docs/plan.schema.json");
    }
}

static int64_t integer(item *at, const char *name, int64_t min, int64_t max) {
    json_t *j = member(at, name);
    if (!json_is_integer(j) || json_integer_value(j) < min || json_integer_value(j) > max) {
        bad(at, name,
            tn_arena_printf(at->r->plan->arena, "an integer between %lld and %lld", (long long)min,
                            (long long)max));
    }
    return json_integer_value(j);
}

static uint64_t number(item *at, const char *name) {
    return (uint64_t)integer(at, name, 0, INT64_MAX);
}

static uint32_t count(item *at, const char *name) {
    return (uint32_t)integer(at, name, 0, UINT32_MAX - 1);
}

static int32_t step_number(item *at, const char *name) {
    return (int32_t)integer(at, name, -1, at->r->plan->n_steps);
}

static bool flag(item *at, const char *name) {
    json_t *j = member(at, name);
    if (!json_is_boolean(j)) {
        bad(at, name, "true or false");
    }
    return json_is_true(j);
}

static const char *text(item *at, const char *name) {
    json_t *j = member(at, name);
    if (!json_is_string(j)) {
        bad(at, name, "a string");
    }
    return tn_arena_strndup(at->r->plan->arena, json_string_value(j), json_string_length(j));
}

static const char *text_or_null(item *at, const char *name) {
    if (json_is_null(json_object_get(at->json, name))) {
        at->used++;
        return NULL;
    }
    return text(at, name);
}

static const char *graph_path(item *at) {
    json_t *j = json_object_get(at->json, "graph");
    const char *last = at->r->graph;
    if (last != NULL && json_is_string(j) && strcmp(json_string_value(j), last) == 0) {
        at->used++;
        return last;
    }
    return at->r->graph = text(at, "graph");
}

static uint32_t word(item *at, const char *name, const char *const *words) {
    json_t *j = member(at, name);
    for (uint32_t i = 0; json_is_string(j) && words[i] != NULL; i++) {
        if (strcmp(words[i], json_string_value(j)) == 0) {
            return i;
        }
    }
    tn_sink want = tn_sink_make(at->r->plan->arena);
    for (uint32_t i = 0; words[i] != NULL; i++) {
        tn_putf(&want, "%s\"%s\"", i > 0 ? ", " : "one of ", words[i]);
    }
    bad(at, name, want.data);
}

/* An index below n. */
static uint32_t index_of(item *at, const char *name, uint32_t n) {
    json_t *j = member(at, name);
    if (!json_is_integer(j) || json_integer_value(j) < 0 || json_integer_value(j) >= n) {
        bad(at, name, tn_arena_printf(at->r->plan->arena, "an index below %u", n));
    }
    return (uint32_t)json_integer_value(j);
}

static uint32_t index_or_null(item *at, const char *name, uint32_t n) {
    if (json_is_null(json_object_get(at->json, name))) {
        at->used++;
        return TN_NO_ID;
    }
    return index_of(at, name, n);
}

static tn_ids ids(item *at, const char *name, uint32_t n) {
    json_t *j = member(at, name);
    if (!json_is_array(j) || json_array_size(j) > TN_MAX_VALUES) {
        bad(at, name, "a list of indices");
    }
    uint32_t len = (uint32_t)json_array_size(j);
    uint32_t *data = TN_ARRAY(at->r->plan->arena, uint32_t, len);
    for (uint32_t i = 0; i < len; i++) {
        json_t *id = json_array_get(j, i);
        if (!json_is_integer(id) || json_integer_value(id) < 0 || json_integer_value(id) >= n) {
            bad(at, name, tn_arena_printf(at->r->plan->arena, "indices below %u", n));
        }
        data[i] = (uint32_t)json_integer_value(id);
    }
    return (tn_ids){data, len};
}

static json_t *list(item *top, const char *name, uint32_t *n) {
    json_t *j = member(top, name);
    if (!json_is_array(j) || json_array_size(j) > TN_MAX_VALUES) {
        bad(top, name, "a list");
    }
    *n = (uint32_t)json_array_size(j);
    return j;
}

/* Item i of a list; its keys are asked for next. */
static item open_item(item *top, json_t *items, const char *name, uint32_t i) {
    item at = {top->r, json_array_get(items, i), name, i, true, 0};
    if (!json_is_object(at.json)) {
        bad(top, tn_arena_printf(top->r->plan->arena, "%s[%u]", name, i), "an object");
    }
    return at;
}

static item open_object(item *top, const char *name) {
    item at = {top->r, member(top, name), name, 0, false, 0};
    if (!json_is_object(at.json)) {
        bad(top, name, "an object");
    }
    return at;
}

static void read_head(item *top) {
    tn_plan *p = top->r->plan;
    integer(top, "format", TN_PLAN_FORMAT, TN_PLAN_FORMAT);
    p->version = text(top, "tenure");
    item model = open_object(top, "model");
    p->model = text(&model, "name");
    p->sha256 = text(&model, "sha256");
    done(&model);
    p->pipeline = text(top, "pipeline");
    p->reordered = flag(top, "reordered");
    json_t *options = list(top, "options", &p->n_options);
    tn_pair *pairs = TN_ARRAY(p->arena, tn_pair, p->n_options);
    for (uint32_t i = 0; i < p->n_options; i++) {
        item at = open_item(top, options, "options", i);
        pairs[i].key = text(&at, "key");
        pairs[i].value = text(&at, "value");
        done(&at);
    }
    p->options = pairs;
}

static void read_pool(item *at, tn_pool *pool) {
    pool->name = text(at, "name");
    pool->kind = (tn_pool_kind)word(at, "kind", tn_pool_kind_words);
    pool->align = (uint64_t)integer(at, "align", 1, INT64_MAX);
    pool->capacity = number(at, "capacity");
    pool->size = number(at, "size");
    pool->bound = number(at, "bound");
    done(at);
}

static void read_slot(item *at, tn_slot *slot) {
    slot->pool = index_of(at, "pool", at->r->plan->n_pools);
    slot->offset = number(at, "offset");
    slot->size = number(at, "size");
    done(at);
}

static void read_storage(item *at, tn_storage *s) {
    const tn_plan *p = at->r->plan;
    s->id = at->index;
    s->pool = index_of(at, "pool", p->n_pools);
    s->slot = index_or_null(at, "slot", p->n_slots);
    s->offset = number(at, "offset");
    s->size = number(at, "size");
    s->align = (uint64_t)integer(at, "align", 1, INT64_MAX);
    s->first = step_number(at, "first");
    s->last = step_number(at, "last");
    s->pinned = flag(at, "pinned");
    s->root = index_of(at, "root", p->n_values);
    done(at);
}

static void read_dims(item *at, tn_plan_value *v) {
    json_t *j = member(at, "dims");
    if (!json_is_array(j) || json_array_size(j) > TN_MAX_RANK) {
        bad(at, "dims",
            tn_arena_printf(at->r->plan->arena, "a list of at most %u extents", TN_MAX_RANK));
    }
    v->rank = (uint32_t)json_array_size(j);
    int64_t *dims = TN_ARRAY(at->r->plan->arena, int64_t, v->rank);
    for (uint32_t i = 0; i < v->rank; i++) {
        json_t *d = json_array_get(j, i);
        if (!json_is_integer(d) || json_integer_value(d) < -1) {
            bad(at, "dims", "extents of 0 and up, or -1 where open");
        }
        dims[i] = json_integer_value(d);
    }
    v->dims = dims;
}

static tn_dtype read_dtype(item *at) {
    const char *name = text(at, "dtype");
    tn_dtype dtype = tn_dtype_find(name);
    if (dtype == TN_DT_UNKNOWN && strcmp(name, tn_dtype_get(TN_DT_UNKNOWN)->name) != 0) {
        bad(at, "dtype", "an element type such as \"f32\", or \"?\"");
    }
    return dtype;
}

static void read_value(item *at, tn_plan_value *v) {
    const tn_plan *p = at->r->plan;
    v->name = text(at, "name");
    v->graph = graph_path(at);
    v->role = (tn_plan_role)word(at, "role", tn_plan_role_words);
    v->dtype = read_dtype(at);
    read_dims(at, v);
    v->type = text(at, "type");
    v->bytes_text = text_or_null(at, "bytes_text");
    v->why = text_or_null(at, "why");
    v->bytes = number(at, "bytes");
    v->storage = index_or_null(at, "storage", p->n_storages);
    v->offset = number(at, "offset");
    v->first = step_number(at, "first");
    v->last = step_number(at, "last");
    v->step = index_or_null(at, "step", p->n_steps);
    v->alias = (tn_alias_kind)word(at, "alias", tn_alias_kind_words);
    v->alias_of = index_or_null(at, "alias_of", p->n_values);
    v->module_value = TN_NO_ID;
    done(at);
}

static void read_step(item *at, tn_plan_step *s) {
    const tn_plan *p = at->r->plan;
    s->kind = (tn_step_kind)word(at, "kind", tn_step_kind_words);
    s->graph = graph_path(at);
    s->node = (int32_t)integer(at, "node", -1, INT32_MAX);
    s->name = text(at, "name");
    s->domain = text(at, "domain");
    s->op = text(at, "op");
    s->partner = index_or_null(at, "partner", p->n_steps);
    s->reads = ids(at, "reads", p->n_values);
    s->writes = ids(at, "writes", p->n_values);
    s->frees = ids(at, "frees", p->n_storages);
    s->hazards = ids(at, "hazards", p->n_steps);
    s->module_op = TN_NO_ID;
    done(at);
}

static void read_report(item *top) {
    tn_plan *p = top->r->plan;
    tn_plan_report *r = &p->report;
    item at = open_object(top, "report");
    r->naive = number(&at, "naive");
    r->level0 = number(&at, "level0");
    r->level1 = number(&at, "level1");
    r->bound = number(&at, "bound");
    r->const_bytes = number(&at, "const_bytes");
    r->io_bytes = number(&at, "io_bytes");
    r->n_inplace = count(&at, "inplace");
    r->n_views = count(&at, "views");
    r->n_updates = count(&at, "updates");
    r->n_shared = count(&at, "shared");
    r->optimal = flag(&at, "optimal");
    r->algorithm = text(&at, "algorithm");
    r->peak_step = step_number(&at, "peak_step");
    r->peak = ids(&at, "peak", p->n_storages);
    r->n_planned = count(&at, "planned");
    r->n_unplanned = count(&at, "unplanned");
    r->n_backward_ops = count(&at, "backward_ops");
    r->n_backward_values = count(&at, "backward_values");
    r->n_param_grads = count(&at, "param_grads");
    r->saved_by_sharing = number(&at, "saved_by_sharing");
    done(&at);
}

/* Items refer to one another by index, so all counts are set before the first item is read. */
static void read_plan(item *top) {
    tn_plan *p = top->r->plan;
    read_head(top);
    json_t *pools = list(top, "pools", &p->n_pools), *slots = list(top, "slots", &p->n_slots),
           *storages = list(top, "storages", &p->n_storages),
           *values = list(top, "values", &p->n_values), *steps = list(top, "steps", &p->n_steps);
#define READ_ALL(T, what, read_one)                                                                \
    p->what = TN_ARRAY(p->arena, T, p->n_##what);                                                  \
    for (uint32_t i = 0; i < p->n_##what; i++) {                                                   \
        item at = open_item(top, what, #what, i);                                                  \
        read_one(&at, &p->what[i]);                                                                \
    }
    READ_ALL(tn_pool, pools, read_pool)
    READ_ALL(tn_slot, slots, read_slot)
    READ_ALL(tn_storage, storages, read_storage)
    READ_ALL(tn_plan_value, values, read_value)
    READ_ALL(tn_plan_step, steps, read_step)
#undef READ_ALL
    read_report(top);
    done(top);
}

static void drop_tree(void *p) {
    json_decref(((reader *)p)->root);
}

static tn_status read_all(tn_ctx *ctx, void *arg) {
    reader *r = arg;
    json_error_t error;
    tn_arena *tree = tn_arena_new(ctx);
    tn_loc loc = tn_loc_file(r->file);
    r->plan = tn_plan_new(ctx);
    /* Registered while the root is still NULL, so that nothing can raise between the parser's
     * success and the moment somebody owns the tree. */
    reader *holder = TN_NEW(tree, reader);
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
    item top = {.r = r, .json = r->root};
    read_plan(&top);
    tn_arena_drop(tree);
    return TN_OK;
}

tn_plan *tn_plan_from_json(tn_ctx *ctx, const char *file, const void *data, size_t size) {
    reader r = {.ctx = ctx, .file = file, .data = data, .size = size};
    tn_status status = tn_guard_run(ctx, read_all, &r);
    if (status == TN_NOMEM) {
        tn_raise(ctx, status);
    }
    return status == TN_OK ? r.plan : NULL;
}
