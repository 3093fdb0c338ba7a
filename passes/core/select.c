#include "passes/core/select.h"

#include <string.h>

/* On a mismatch the last star takes one byte more: no recursion, quadratic at worst. */
bool tn_glob_match(const char *pattern, const char *text) {
    const char *star = NULL, *mark = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            mark = text;
            continue;
        }
        const char *literal = pattern[0] == '\\' && pattern[1] != '\0' ? pattern + 1 : NULL;
        if (literal != NULL ? *literal == *text : *pattern == '?' || *pattern == *text) {
            pattern = (literal != NULL ? literal : pattern) + 1;
            text++;
        } else if (star != NULL) {
            pattern = star;
            text = ++mark;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}

typedef struct selection {
    tn_module *m;
    void (*fn)(void *user, tn_value *v);
    void *user;
} selection;

static bool take_value(void *user, uint32_t i) {
    const selection *s = user;
    tn_value *v = s->m->values[i];
    if (v->kind == TN_VALUE_RESULT && v->def->erased) {
        return false;
    }
    s->fn(s->user, v);
    return true;
}

static uint32_t select_by(const tn_named *from, const char *pattern, bool glob) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        const char *name = from->names[i], *full = from->full[i];
        bool hit = glob ? tn_glob_match(pattern, name) || tn_glob_match(pattern, full)
                        : strcmp(pattern, name) == 0 || strcmp(pattern, full) == 0;
        n += hit && from->take(from->user, i);
    }
    return n;
}

tn_named tn_named_new(tn_arena *arena, uint32_t n, bool (*take)(void *user, uint32_t i),
                      void *user) {
    return (tn_named){
        arena, TN_ARRAY(arena, const char *, n), TN_ARRAY(arena, const char *, n), n, take, user};
}

void tn_named_set(tn_named *from, uint32_t i, const char *graph, const char *name) {
    from->names[i] = name;
    from->full[i] = graph[0] == '\0' ? name : tn_arena_printf(from->arena, "%s/%s", graph, name);
}

tn_status tn_select_named(tn_ctx *ctx, const char *file, const tn_named *from, tn_names patterns,
                          const char *what) {
    tn_status status = TN_OK;
    for (uint32_t p = 0; p < patterns.len && status == TN_OK; p++) {
        const char *pattern = patterns.data[p];
        if (select_by(from, pattern, false) > 0 || select_by(from, pattern, true) > 0) {
            continue;
        }
        tn_loc loc = tn_loc_file(file);
        const char *near = tn_nearest(pattern, from->full, from->n);
        status =
            tn_error_of(ctx, tn_name_mistake(&patterns, p), &loc, "%s '%s': no such tensor%s%s%s",
                        what, pattern, near != NULL ? "; did you mean '" : "",
                        near != NULL ? near : "", near != NULL ? "'?" : "");
    }
    return status;
}

tn_status tn_select_values(tn_module *m, tn_names patterns, const char *what,
                           void (*fn)(void *user, tn_value *v), void *user) {
    if (patterns.len == 0) {
        return TN_OK;
    }
    tn_arena *scratch = tn_arena_new(m->ctx);
    selection s = {m, fn, user};
    tn_named from = tn_named_new(scratch, m->n_values, take_value, &s);
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_named_set(&from, i, m->values[i]->graph->path, m->values[i]->name);
    }
    tn_status status = tn_select_named(m->ctx, m->file, &from, patterns, what);
    tn_arena_drop(scratch);
    return status;
}
