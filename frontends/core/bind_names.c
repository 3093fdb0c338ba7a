/* Symbols as a model mentions them, and dim_params that are expressions. */
#include <ctype.h>
#include <string.h>

#include "frontends/core/bind.h"

tn_bind_names *tn_bind_names_new(tn_arena *arena) {
    tn_bind_names *names = TN_NEW(arena, tn_bind_names);
    names->arena = arena;
    names->free = tn_dims_new(arena);
    names->seen = tn_map_make(arena);
    return names;
}

static void see(void *user, const char *name) {
    tn_bind_names *names = user;
    const char *interned = tn_intern(tn_arena_ctx(names->arena), name);
    if (tn_map_or(&names->seen, tn_str_id(interned), 0) == 0) {
        tn_map_put(&names->seen, tn_str_id(interned), 1);
        tn_vec_push(names->arena, &names->list, interned);
    }
}

tn_dim tn_bind_symbol(tn_bind_names *names, tn_dims *dims, const char *name) {
    see(names, name);
    return tn_dim_sym(dims, name);
}

void tn_bind_see_type(tn_bind_names *names, const tn_dims *dims, const tn_type *type) {
    for (const tn_type *t = type; t != NULL; t = t->elem) {
        for (uint32_t i = 0; t->has_rank && i < t->rank; i++) {
            tn_dim_each_symbol(dims, t->dims[i], see, names);
        }
    }
}

/* Only what cannot be meant as a plain name counts as an expression: "batch-size" is a name, and so
 * is a word that the grammar of dimensions reserves. */
static bool looks_like_sum(const char *s) {
    bool op = false;
    for (size_t i = 0; s[i] != '\0'; i++) {
        char c = s[i];
        bool spaced = i > 0 && s[i - 1] == ' ' && s[i + 1] == ' ';
        if (c == '-' && !spaced) {
            return false;
        }
        if (!isalnum((unsigned char)c) && strchr("_+-*/(), ", c) == NULL) {
            return false;
        }
        op |= c == '+' || c == '*' || c == '-' || c == '/' || c == '(';
    }
    return op;
}

/* Python's spelling to that of ir/dim/dim.h. */
static const char *respell(tn_arena *arena, const char *s) {
    static const char *const from[] = {"//", "Max(", "Min("};
    static const char *const to[] = {" floordiv ", "max(", "min("};
    tn_sink out = tn_sink_make(arena);
    while (*s != '\0') {
        size_t i = 0;
        while (i < 3 && strncmp(s, from[i], strlen(from[i])) != 0) {
            i++;
        }
        if (i < 3) {
            tn_put(&out, to[i]);
            s += strlen(from[i]);
        } else {
            tn_put_c(&out, *s++);
        }
    }
    return out.data;
}

tn_dim tn_bind_param(tn_bind_names *names, tn_dims *dims, const char *param) {
    if (looks_like_sum(param)) {
        const char *text = respell(names->arena, param);
        const char *at = text, *again = text;
        tn_dim open, d;
        if (tn_dim_parse(names->free, &at, &open) && *at == '\0' && open != TN_DIM_UNKNOWN &&
            tn_dim_parse(dims, &again, &d)) {
            tn_dim_each_symbol(names->free, open, see, names);
            return d;
        }
    }
    return tn_bind_symbol(names, dims, param);
}
