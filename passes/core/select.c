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

static const char *full_name(tn_arena *arena, const tn_value *v) {
    return v->graph->path[0] == '\0' ? v->name
                                     : tn_arena_printf(arena, "%s/%s", v->graph->path, v->name);
}

static bool is_gone(const tn_value *v) {
    return v->kind == TN_VALUE_RESULT && v->def->erased;
}

static uint32_t select_by(tn_module *m, const char *const *full, const char *pattern, bool glob,
                          void (*fn)(void *user, tn_value *v), void *user) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_values; i++) {
        const char *name = m->values[i]->name;
        bool hit = glob ? tn_glob_match(pattern, name) || tn_glob_match(pattern, full[i])
                        : strcmp(pattern, name) == 0 || strcmp(pattern, full[i]) == 0;
        if (hit && !is_gone(m->values[i])) {
            fn(user, m->values[i]);
            n++;
        }
    }
    return n;
}

tn_status tn_select_values(tn_module *m, tn_names patterns, const char *what,
                           void (*fn)(void *user, tn_value *v), void *user) {
    if (patterns.len == 0) {
        return TN_OK;
    }
    tn_arena *scratch = tn_arena_new(m->ctx);
    const char **full = TN_ARRAY(scratch, const char *, m->n_values);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < m->n_values; i++) {
        full[i] = full_name(scratch, m->values[i]);
    }
    for (uint32_t p = 0; p < patterns.len && status == TN_OK; p++) {
        const char *pattern = patterns.data[p];
        if (select_by(m, full, pattern, false, fn, user) > 0 ||
            select_by(m, full, pattern, true, fn, user) > 0) {
            continue;
        }
        tn_loc loc = tn_loc_file(m->file);
        const char *near = tn_nearest(pattern, full, m->n_values);
        status = tn_error_of(m->ctx, tn_name_mistake(&patterns, p), &loc,
                             "%s '%s': no such tensor%s%s%s", what, pattern,
                             near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                             near != NULL ? "'?" : "");
    }
    tn_arena_drop(scratch);
    return status;
}
