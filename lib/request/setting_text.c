/* Values of settings as texts: their types, one way to write them, and which of several count. */
#include <string.h>

#include "ir/base/decimal.h"
#include "ir/base/quote.h"
#include "lib/request/setting.h"

static const char pair_stops[] = "=\"";

tn_setting_type tn_setting_type_of(const tn_setting *s) {
    static const struct {
        tn_set_fn set;
        tn_setting_type type;
    } types[] = {{tn_set_int, TN_SETTING_NUMBER}, {tn_set_bytes, TN_SETTING_BYTES},
                 {tn_set_file, TN_SETTING_FILE},  {tn_add_text, TN_SETTING_TEXTS},
                 {tn_add_name, TN_SETTING_NAMES}, {tn_set_name, TN_SETTING_NAME}};
    if (s->type != TN_SETTING_BY_SETTER) {
        return s->type;
    }
    if (s->arg == NULL) {
        return TN_SETTING_FLAG;
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (s->set == types[i].set) {
            return types[i].type;
        }
    }
    return s->choices != NULL ? TN_SETTING_CHOICE : TN_SETTING_TEXT;
}

static bool is_pair(const tn_setting *s) {
    tn_setting_type type = tn_setting_type_of(s);
    return type == TN_SETTING_NUMBER_OF || type == TN_SETTING_NUMBERS_OF ||
           type == TN_SETTING_NAME_OF;
}

bool tn_setting_repeats(const tn_setting *s) {
    tn_setting_type type = tn_setting_type_of(s);
    return type == TN_SETTING_TEXTS || type == TN_SETTING_FILES || type == TN_SETTING_NAMES ||
           is_pair(s);
}

/* The setter took the value, so it can be split. */
static void split(tn_arena *arena, const tn_setting *s, const char *value, const char **name,
                  const char **rest) {
    const char *seps = tn_setting_type_of(s) == TN_SETTING_NAME_OF ? "=" : "=:";
    if (!tn_pair_split(arena, value, seps, true, name, rest)) {
        tn_bug(tn_arena_ctx(arena), "value '%s' of setting '%s' is no pair", value, s->name);
    }
}

const char *tn_setting_pair_name(tn_arena *arena, const tn_setting *s, const char *value) {
    const char *name = NULL, *rest;
    if (is_pair(s)) {
        split(arena, s, value, &name, &rest);
    }
    return name;
}

/* Other words stay as they are: true, 64K. */
static void put_number(tn_sink *out, const char *word) {
    int64_t n;
    double x;
    if (tn_text_to_int(word, &n)) {
        tn_putf(out, "%lld", (long long)n);
    } else if (tn_text_to_float(word, &x)) {
        tn_put_double(out, x);
    } else {
        tn_put(out, word);
    }
}

static void put_numbers(tn_sink *out, const char *list) {
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        put_number(out, tn_arena_strndup(out->arena, list, n));
        list += n;
        if (*list == ',') {
            tn_put_c(out, *list++);
        }
    }
}

static const char *canonical_pair(tn_arena *arena, const tn_setting *s, const char *value) {
    const char *name, *rest;
    tn_sink out = tn_sink_make(arena);
    split(arena, s, value, &name, &rest);
    tn_put_name(&out, name, pair_stops);
    tn_put_c(&out, '=');
    if (tn_setting_type_of(s) == TN_SETTING_NAME_OF) {
        tn_put_name(&out, tn_name_unquote(arena, rest), pair_stops);
    } else {
        put_numbers(&out, rest);
    }
    return out.data;
}

const char *tn_setting_canonical(tn_arena *arena, const tn_setting *s, const char *value) {
    tn_setting_type type = tn_setting_type_of(s);
    tn_sink out = tn_sink_make(arena);
    if (is_pair(s)) {
        return canonical_pair(arena, s, value);
    }
    if (type == TN_SETTING_NAMES || type == TN_SETTING_NAME) {
        tn_put_name(&out, tn_name_unquote(arena, value), "");
    } else if (type == TN_SETTING_NUMBER || type == TN_SETTING_BYTES ||
               type == TN_SETTING_BYTES_OR_PERCENT) {
        put_number(&out, value);
    } else {
        tn_put(&out, value);
    }
    return out.data;
}

static bool gives(const tn_pairs *given, uint32_t n, const char *name) {
    for (uint32_t i = 0; i < n && name != NULL; i++) {
        if (strcmp(given->data[i].key, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool gives_pair(tn_arena *arena, const tn_setting *s, const tn_pairs *given, uint32_t n,
                       const char *name) {
    for (uint32_t i = 0; i < n; i++) {
        const tn_pair *p = &given->data[i];
        if (strcmp(p->key, s->name) == 0 &&
            strcmp(tn_setting_pair_name(arena, s, p->value), name) == 0) {
            return true;
        }
    }
    return false;
}

bool tn_setting_counts(tn_arena *arena, const tn_setting *s, const char *value,
                       const tn_pairs *given, uint32_t n) {
    if (is_pair(s)) {
        return !gives_pair(arena, s, given, n, tn_setting_pair_name(arena, s, value));
    }
    return tn_setting_repeats(s) || (!gives(given, n, s->name) && !gives(given, n, s->yields));
}

/* The values of one setting. */
static void settle(tn_arena *arena, const tn_setting *s, const tn_pairs *from, tn_pairs *out) {
    uint32_t start = out->len;
    for (uint32_t i = 0; i < from->len; i++) {
        if (strcmp(from->data[i].key, s->name) == 0) {
            out->len = tn_setting_repeats(s) ? out->len : start;
            tn_vec_push(arena, out, from->data[i]);
        }
    }
}

tn_pairs tn_setting_settle(tn_arena *arena, const tn_setting_group *groups, uint32_t n,
                           const tn_pairs *given, const tn_pairs *weaker) {
    tn_pairs out = {0};
    for (uint32_t i = 0; i < n; i++) {
        for (const tn_setting *s = groups[i].table; s->name != NULL; s++) {
            tn_setting_type type = tn_setting_type_of(s);
            if (type == TN_SETTING_APART || type == TN_SETTING_PRESET) {
                continue;
            }
            settle(arena, s, given, &out);
            if (weaker != NULL && !tn_setting_repeats(s) &&
                tn_setting_counts(arena, s, "", given, given->len)) {
                settle(arena, s, weaker, &out);
            }
        }
    }
    return out;
}

const char *tn_did_you_mean(tn_arena *arena, const char *near) {
    return near != NULL ? tn_arena_printf(arena, "; did you mean '%s'?", near) : "";
}
