#include "passes/core/updates.h"

#include <string.h>

#include "ir/base/map.h"
#include "ir/base/quote.h"
#include "ir/build.h"

typedef struct binder {
    tn_module *m;
    tn_arena *arena;
    tn_map by_name;    /* values of the main graph: id + 1 */
    tn_map state_of;   /* state's id -> id + 1 of what it becomes */
    const char *text;  /* the pair as written */
    tn_status mistake; /* what it is when the pair is wrong */
    tn_loc loc;
} binder;

static tn_value *find(const binder *b, const char *name) {
    uint64_t id = tn_map_or(&b->by_name, tn_str_id(tn_intern(b->m->ctx, name)), 0);
    return id > 0 ? b->m->values[id - 1] : NULL;
}

static bool may_be_state(const tn_value *v) {
    return v->kind != TN_VALUE_RESULT;
}

static const char *type_text(const binder *b, const tn_value *v) {
    tn_sink text = tn_sink_make(b->arena);
    tn_type_print(b->m->dims, v->type, &text);
    return text.data;
}

static tn_status bind(binder *b, tn_value *state, tn_value *value) {
    uint64_t bound = tn_map_or(&b->state_of, state->id, 0);
    if (bound == (uint64_t)value->id + 1) {
        return TN_OK;
    }
    if (bound > 0) {
        return tn_error_of(b->m->ctx, b->mistake, &b->loc, "update '%s': '%s' becomes '%s' already",
                           b->text, state->name, b->m->values[bound - 1]->name);
    }
    if (!tn_type_equal(state->type, value->type)) {
        return tn_error_of(b->m->ctx, b->mistake, &b->loc, "update '%s': '%s' is %s, '%s' is %s",
                           b->text, state->name, type_text(b, state), value->name,
                           type_text(b, value));
    }
    tn_module_add_binding(b->m, state, value);
    tn_map_put(&b->state_of, state->id, (uint64_t)value->id + 1);
    return TN_OK;
}

/* The name that stands to `name` as the pattern `to` to `from`, each with one star; NULL when
 * `name` is none of `from`. */
static const char *counterpart(const binder *b, const char *from, const char *to,
                               const char *name) {
    const char *star = strchr(from, '*'), *there = strchr(to, '*');
    size_t head = (size_t)(star - from), tail = strlen(star + 1), len = strlen(name);
    if (len < head + tail || strncmp(name, from, head) != 0 ||
        strcmp(name + len - tail, star + 1) != 0) {
        return NULL;
    }
    return tn_arena_printf(b->arena, "%.*s%.*s%s", (int)(there - to), to, (int)(len - head - tail),
                           name + head, there + 1);
}

static tn_status bind_all(binder *b, const char *from, const char *to) {
    uint32_t n = 0;
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < b->m->n_values && status == TN_OK; i++) {
        tn_value *state = b->m->values[i];
        if (state->graph != b->m->main || !may_be_state(state)) {
            continue;
        }
        const char *name = counterpart(b, from, to, state->name);
        tn_value *value = name != NULL ? find(b, name) : NULL;
        if (value != NULL && value != state) {
            status = bind(b, state, value);
            n++;
        }
    }
    return n == 0 && status == TN_OK
               ? tn_error_of(b->m->ctx, b->mistake, &b->loc, "update '%s': names no pair", b->text)
               : status;
}

static tn_status no_tensor(binder *b, const char *name) {
    const char **names = TN_ARRAY(b->arena, const char *, b->m->n_values);
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->m->n_values; i++) {
        if (b->m->values[i]->graph == b->m->main) {
            names[n++] = b->m->values[i]->name;
        }
    }
    const char *near = tn_nearest(name, names, n);
    return tn_error_of(b->m->ctx, b->mistake, &b->loc,
                       "update '%s': no tensor '%s' in the main graph%s%s%s", b->text, name,
                       near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'?" : "");
}

static tn_status bind_named(binder *b, const char *from, const char *to) {
    tn_value *state = find(b, from), *value = find(b, to);
    if (state == NULL || value == NULL) {
        return no_tensor(b, state == NULL ? from : to);
    }
    if (!may_be_state(state)) {
        return tn_error_of(b->m->ctx, b->mistake, &b->loc,
                           "update '%s': '%s' is neither an input nor an initializer", b->text,
                           from);
    }
    return bind(b, state, value);
}

/* One star on each side, or none. */
static tn_status bind_pair(binder *b) {
    const char *from, *to;
    if (!tn_pair_split(b->arena, b->text, "=", false, &from, &to) ||
        (to = tn_name_unquote(b->arena, to)) == NULL) {
        return tn_error_of(b->m->ctx, b->mistake, &b->loc, "update '%s': expected STATE=VALUE",
                           b->text);
    }
    const char *a = strchr(from, '*'), *c = strchr(to, '*');
    if ((a == NULL) != (c == NULL) || (a != NULL && (strchr(a + 1, '*') || strchr(c + 1, '*')))) {
        return tn_error_of(b->m->ctx, b->mistake, &b->loc,
                           "update '%s': expected one * on each side, or none", b->text);
    }
    return a != NULL ? bind_all(b, from, to) : bind_named(b, from, to);
}

tn_status tn_bind_updates(tn_module *m, tn_names updates, tn_arena *scratch) {
    binder b = {.m = m,
                .arena = scratch,
                .by_name = tn_map_make(scratch),
                .state_of = tn_map_make(scratch),
                .loc = tn_loc_file(m->file)};
    for (uint32_t i = 0; i < m->n_values && updates.len > 0; i++) {
        if (m->values[i]->graph == m->main) {
            tn_map_put(&b.by_name, tn_str_id(m->values[i]->name), (uint64_t)i + 1);
        }
    }
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        tn_map_put(&b.state_of, m->bindings[i].state->id, (uint64_t)m->bindings[i].value->id + 1);
    }
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < updates.len && status == TN_OK; i++) {
        b.text = updates.data[i];
        b.mistake = tn_name_mistake(&updates, i);
        status = bind_pair(&b);
    }
    return status;
}
