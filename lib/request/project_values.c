#include "lib/request/project_values.h"

#include <string.h>

#include "ir/base/decimal.h"
#include "ir/plan/plan_names.h"

/* A value on its way. */
typedef struct taking {
    const tn_json_item *at;
    const char *name;
    const char *want; /* for messages */
    tn_arena *arena;
    tn_texts *out;
} taking;

static const char *shown(const taking *t, json_t *j) {
    switch (json_typeof(j)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return tn_arena_printf(t->arena, "'%s'", json_string_value(j));
    case JSON_INTEGER:
        return tn_arena_printf(t->arena, "%lld", (long long)json_integer_value(j));
    case JSON_REAL:
        return "a number with a fraction";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        return "null";
    }
    return "this";
}

static void refuse_unless(const taking *t, json_t *j, bool good) {
    if (!good) {
        tn_json_bad(t->at, t->name, tn_arena_printf(t->arena, "%s, not %s", t->want, shown(t, j)));
    }
}

static const char *text_of(const taking *t, json_t *j) {
    refuse_unless(t, j, json_is_string(j) && strlen(json_string_value(j)) == json_string_length(j));
    return tn_text_from_utf8(t->arena, json_string_value(j), json_string_length(j));
}

static const char *integer_of(const taking *t, json_t *j) {
    refuse_unless(t, j, json_is_integer(j));
    return tn_arena_printf(t->arena, "%lld", (long long)json_integer_value(j));
}

static const char *quoted(const taking *t, const char *name) {
    tn_sink out = tn_sink_make(t->arena);
    tn_put_escaped(&out, name, strlen(name));
    return out.data;
}

/* "1,2.5,true" */
static const char *numbers_of(const taking *t, json_t *list) {
    tn_sink out = tn_sink_make(t->arena);
    refuse_unless(t, list, json_is_array(list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *j = json_array_get(list, i);
        refuse_unless(t, j, json_is_number(j) || json_is_boolean(j));
        tn_put(&out, i > 0 ? "," : "");
        if (json_is_real(j)) {
            tn_put_double(&out, json_real_value(j));
        } else {
            tn_put(&out, json_is_integer(j) ? integer_of(t, j)
                         : json_is_true(j)  ? "true"
                                            : "false");
        }
    }
    return out.data;
}

/* A number, a list of them, a range ("1..64") or an expression ("past + sequence"). */
static const char *extents_of(const taking *t, json_t *j) {
    if (json_is_array(j)) {
        refuse_unless(t, j, json_array_size(j) > 1);
        return numbers_of(t, j);
    }
    const char *text = json_string_value(j);
    bool other = text != NULL && text[strspn(text, "0123456789")] != '\0';
    return other ? text_of(t, j) : integer_of(t, j);
}

static void take_pairs(const taking *t, json_t *object, tn_setting_type type) {
    const char *key;
    json_t *value;
    refuse_unless(t, object, json_is_object(object));
    json_object_foreach(object, key, value) {
        const char *rest = type == TN_SETTING_NUMBER_OF    ? extents_of(t, value)
                           : type == TN_SETTING_NUMBERS_OF ? numbers_of(t, value)
                                                           : quoted(t, text_of(t, value));
        const char *name = tn_text_from_utf8(t->arena, key, strlen(key));
        if (name[0] == '\0') {
            tn_json_bad(t->at, t->name, "names that are not empty");
        }
        tn_vec_push(t->arena, t->out, tn_arena_printf(t->arena, "%s=%s", quoted(t, name), rest));
    }
}

/* One value of a setting that repeats. */
static void take_item(const taking *t, json_t *j, tn_setting_type type) {
    if (type == TN_SETTING_TEXTS || type == TN_SETTING_FILES) {
        tn_vec_push(t->arena, t->out, text_of(t, j));
    } else if (type == TN_SETTING_NAMES) {
        tn_vec_push(t->arena, t->out, quoted(t, text_of(t, j)));
    } else {
        take_pairs(t, j, type);
    }
}

static const char *single(const taking *t, json_t *j, tn_setting_type type) {
    bool number = type == TN_SETTING_BYTES || type == TN_SETTING_BYTES_OR_PERCENT ||
                  type == TN_SETTING_CHOICE;
    if (type == TN_SETTING_FLAG) {
        refuse_unless(t, j, json_is_boolean(j));
        return json_is_true(j) ? "true" : "false";
    }
    if (type == TN_SETTING_NUMBER || (number && json_is_integer(j))) {
        return integer_of(t, j);
    }
    return type == TN_SETTING_NAME ? quoted(t, text_of(t, j)) : text_of(t, j);
}

/* What JSON a setting wants. */
static const char *wanted(tn_arena *arena, const tn_setting *s) {
    static const char *const words[] = {
        [TN_SETTING_FLAG] = "true or false",
        [TN_SETTING_NUMBER] = "an integer",
        [TN_SETTING_BYTES] = "a number of bytes, such as 4096 or \"64K\"",
        [TN_SETTING_BYTES_OR_PERCENT] = "bytes or a percentage, such as 4096, \"64K\" or \"75%\"",
        [TN_SETTING_TEXTS] = "a string, or a list of strings",
        [TN_SETTING_FILES] = "a path, or a list of paths",
        [TN_SETTING_NAMES] = "a name, or a list of names",
        [TN_SETTING_NUMBER_OF] = "an object of names and integers (lists, \"MIN..MAX\", "
                                 "\"EXPRESSION\"), or a list of such objects",
        [TN_SETTING_NUMBERS_OF] =
            "an object of names and lists of numbers, or a list of such objects",
        [TN_SETTING_NAME_OF] = "an object of names and names, or a list of such objects",
        [TN_SETTING_APART] = NULL};
    const char *word = words[tn_setting_type_of(s)];
    if (word == NULL) {
        word = s->choices;
    }
    return word != NULL ? word : tn_arena_printf(arena, "a string (%s) without a NUL", s->arg);
}

void tn_project_value(const tn_json_item *at, const char *name, json_t *value, const tn_setting *s,
                      tn_texts *out) {
    tn_arena *arena = at->r->arena;
    tn_setting_type type = tn_setting_type_of(s);
    taking t = {at, name, wanted(arena, s), arena, out};
    if (!tn_setting_repeats(s)) {
        tn_vec_push(arena, out, single(&t, value, type));
    } else if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            take_item(&t, json_array_get(value, i), type);
        }
    } else {
        take_item(&t, value, type);
    }
}

const char *tn_project_backend_value(const tn_json_item *at, const char *name, json_t *value,
                                     const tn_opt *option) {
    static const tn_setting_type types[] = {[TN_OPT_BOOL] = TN_SETTING_FLAG,
                                            [TN_OPT_INT] = TN_SETTING_NUMBER,
                                            [TN_OPT_ENUM] = TN_SETTING_CHOICE,
                                            [TN_OPT_TEXT] = TN_SETTING_TEXT};
    tn_arena *arena = at->r->arena;
    taking t = {at, name, tn_opt_wanted(arena, option), arena, NULL};
    const char *text = tn_opt_canonical(arena, option, single(&t, value, types[option->kind]));
    refuse_unless(&t, value, text != NULL);
    return text;
}
