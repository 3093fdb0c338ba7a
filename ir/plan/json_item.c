#include "ir/plan/json_item.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/limits.h"
#include "ir/plan/plan_names.h"

static void drop_tree(void *p) {
    json_decref(((tn_json_reader *)p)->root);
}

void tn_json_parse(tn_json_reader *r, tn_arena *owner, const char *what) {
    json_error_t error;
    tn_loc loc = tn_loc_file(r->file);
    /* Registered while the root is still NULL, so that nothing can raise between the parser's
     * success and the moment the tree has an owner. */
    tn_json_reader *holder = TN_NEW(owner, tn_json_reader);
    tn_arena_defer(owner, drop_tree, holder);
    r->root = holder->root =
        json_loadb(r->data, r->size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (r->root == NULL) {
        if (json_error_code(&error) == json_error_out_of_memory) {
            tn_raise(r->ctx, TN_NOMEM);
        }
        loc.line = error.line > 0 ? (uint32_t)error.line : 0;
        loc.col = error.column > 0 ? (uint32_t)error.column : 0;
        tn_fail(r->ctx, &loc, "not a JSON %s: %s", what, error.text);
    }
    if (!json_is_object(r->root)) {
        tn_fail(r->ctx, &loc, "not a JSON %s: the top level is not an object", what);
    }
}

/* "values[3].bytes", "steps[2].claims[0].result" */
const char *tn_json_place(const tn_json_item *at, const char *name) {
    tn_arena *arena = at->r->arena;
    if (at->list == NULL) {
        return name;
    }
    const char *list = at->up != NULL ? tn_json_place(at->up, at->list) : at->list;
    return at->listed ? tn_arena_printf(arena, "%s[%u].%s", list, at->index, name)
                      : tn_arena_printf(arena, "%s.%s", list, name);
}

void tn_json_bad(const tn_json_item *at, const char *name, const char *want) {
    tn_loc loc = tn_loc_file(at->r->file);
    tn_fail(at->r->ctx, &loc, "%s: expected %s", tn_json_place(at, name), want);
}

void tn_json_unknown(const tn_json_item *at, const char *what, const char *name, const char *near) {
    tn_loc loc = tn_loc_file(at->r->file);
    const char *place = at->list == NULL ? name : tn_json_place(at, name);
    tn_fail(at->r->ctx, &loc, "%s: unknown %s '%s'%s%s%s", place, what, name,
            near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
            near != NULL ? "'?" : "");
}

void tn_json_demand_known(const tn_json_item *at, const char *what, const char *const *names) {
    const char *key;
    json_t *value;
    size_t n = 0;
    while (names[n] != NULL) {
        n++;
    }
    json_object_foreach(at->json, key, value) {
        size_t i = 0;
        while (i < n && strcmp(names[i], key) != 0) {
            i++;
        }
        if (i == n) {
            tn_json_unknown(at, what, key, tn_nearest(key, names, n));
        }
    }
}

json_t *tn_json_member(tn_json_item *at, const char *name) {
    json_t *j = json_object_get(at->json, name);
    if (j == NULL) {
        tn_json_bad(at, name, "this key");
    }
    at->used++;
    return j;
}

/* Keys that no call has read are refused: a misspelt one would be silently ignored. */
void tn_json_done(const tn_json_item *at) {
    if (at->used != json_object_size(at->json)) {
        tn_json_bad(at, at->list == NULL ? "top level" : "keys",
                    "only the keys of docs/plan.schema.json");
    }
}

int64_t tn_json_integer(tn_json_item *at, const char *name, int64_t min, int64_t max) {
    json_t *j = tn_json_member(at, name);
    if (!json_is_integer(j) || json_integer_value(j) < min || json_integer_value(j) > max) {
        tn_json_bad(at, name,
                    tn_arena_printf(at->r->arena, "an integer between %lld and %lld",
                                    (long long)min, (long long)max));
    }
    return json_integer_value(j);
}

uint64_t tn_json_number(tn_json_item *at, const char *name) {
    return (uint64_t)tn_json_integer(at, name, 0, INT64_MAX);
}

uint32_t tn_json_count(tn_json_item *at, const char *name) {
    return (uint32_t)tn_json_integer(at, name, 0, UINT32_MAX - 1);
}

int32_t tn_json_step_number(tn_json_item *at, const char *name) {
    return (int32_t)tn_json_integer(at, name, -1, at->r->plan->n_steps);
}

bool tn_json_flag(tn_json_item *at, const char *name) {
    json_t *j = tn_json_member(at, name);
    if (!json_is_boolean(j)) {
        tn_json_bad(at, name, "true or false");
    }
    return json_is_true(j);
}

const char *tn_json_text(tn_json_item *at, const char *name) {
    json_t *j = tn_json_member(at, name);
    if (!json_is_string(j) || strlen(json_string_value(j)) != json_string_length(j)) {
        tn_json_bad(at, name, "a string without a NUL");
    }
    return tn_text_from_utf8(at->r->arena, json_string_value(j), json_string_length(j));
}

const char *tn_json_text_or_null(tn_json_item *at, const char *name) {
    if (json_is_null(json_object_get(at->json, name))) {
        at->used++;
        return NULL;
    }
    return tn_json_text(at, name);
}

void tn_json_demand_null(tn_json_item *at, const char *name, const char *want) {
    json_t *j = tn_json_member(at, name);
    if (!json_is_null(j)) {
        tn_json_bad(at, name, want);
    }
}

const char *tn_json_graph_path(tn_json_item *at) {
    json_t *j = json_object_get(at->json, "graph");
    const char *last = at->r->written_graph;
    if (last != NULL && json_is_string(j) && strcmp(json_string_value(j), last) == 0) {
        at->used++;
        return at->r->graph;
    }
    at->r->graph = tn_json_text(at, "graph");
    at->r->written_graph = json_string_value(j);
    return at->r->graph;
}

uint32_t tn_json_enum(tn_json_item *at, const char *name, const char *const *names) {
    json_t *j = tn_json_member(at, name);
    for (uint32_t i = 0; json_is_string(j) && names[i] != NULL; i++) {
        if (strcmp(names[i], json_string_value(j)) == 0) {
            return i;
        }
    }
    tn_sink want = tn_sink_make(at->r->arena);
    for (uint32_t i = 0; names[i] != NULL; i++) {
        tn_putf(&want, "%s\"%s\"", i > 0 ? ", " : "one of ", names[i]);
    }
    tn_json_bad(at, name, want.data);
}

/* An index below n. */
uint32_t tn_json_index_of(tn_json_item *at, const char *name, uint32_t n) {
    json_t *j = tn_json_member(at, name);
    if (!json_is_integer(j) || json_integer_value(j) < 0 || json_integer_value(j) >= n) {
        tn_json_bad(at, name, tn_arena_printf(at->r->arena, "an index below %u", n));
    }
    return (uint32_t)json_integer_value(j);
}

uint32_t tn_json_index_or_null(tn_json_item *at, const char *name, uint32_t n) {
    if (json_is_null(json_object_get(at->json, name))) {
        at->used++;
        return TN_NO_ID;
    }
    return tn_json_index_of(at, name, n);
}

static tn_ids read_ids(tn_json_item *at, const char *name, uint32_t n, bool holes) {
    json_t *j = tn_json_member(at, name);
    if (!json_is_array(j) || json_array_size(j) > TN_MAX_VALUES) {
        tn_json_bad(at, name, "a list of indices");
    }
    uint32_t len = (uint32_t)json_array_size(j);
    uint32_t *data = TN_ARRAY(at->r->arena, uint32_t, len);
    for (uint32_t i = 0; i < len; i++) {
        json_t *id = json_array_get(j, i);
        bool good =
            json_is_integer(id) && json_integer_value(id) >= 0 && json_integer_value(id) < n;
        if (!good && !(holes && json_is_null(id))) {
            tn_json_bad(
                at, name,
                tn_arena_printf(at->r->arena, "indices below %u%s", n, holes ? ", or null" : ""));
        }
        data[i] = good ? (uint32_t)json_integer_value(id) : TN_NO_ID;
    }
    return (tn_ids){data, len};
}

tn_ids tn_json_ids(tn_json_item *at, const char *name, uint32_t n) {
    return read_ids(at, name, n, false);
}

tn_ids tn_json_ids_or_null(tn_json_item *at, const char *name, uint32_t n) {
    return read_ids(at, name, n, true);
}

json_t *tn_json_list(tn_json_item *up, const char *name, uint32_t *n) {
    json_t *j = tn_json_member(up, name);
    if (!json_is_array(j) || json_array_size(j) > TN_MAX_VALUES) {
        tn_json_bad(up, name, "a list");
    }
    *n = (uint32_t)json_array_size(j);
    return j;
}

/* Item i of a list; its keys are asked for next. */
tn_json_item tn_json_open_item(tn_json_item *up, json_t *items, const char *name, uint32_t i) {
    tn_json_item at = {up->r, json_array_get(items, i), name, i, true, 0, up};
    if (!json_is_object(at.json)) {
        tn_json_bad(up, tn_arena_printf(up->r->arena, "%s[%u]", name, i), "an object");
    }
    return at;
}

tn_json_item tn_json_open_object(tn_json_item *up, const char *name) {
    tn_json_item at = {up->r, tn_json_member(up, name), name, 0, false, 0, up};
    if (!json_is_object(at.json)) {
        tn_json_bad(up, name, "an object");
    }
    return at;
}
