#include "passes/core/model_controls.h"

#include <stddef.h>
#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/option.h"
#include "ir/base/quote.h"

typedef enum control_kind { NAMES, PAIRS, NAME, TRUTH, BYTES, PLACE, LAYOUT } control_kind;

/* Keys by the names of the command's options. */
static const struct control {
    const char *name;
    control_kind kind;
    size_t field;
    bool adds; /* to what the caller gave */
    bool gives_away;
} controls[] = {
    {"exclude", NAMES, offsetof(tn_controls, exclude), true, false},
    {"skip", NAMES, offsetof(tn_controls, exclude), true, false},
    {"loss", NAMES, offsetof(tn_controls, loss), true, false},
    {"grad-of", PAIRS, offsetof(tn_controls, grad_of), true, false},
    {"update", PAIRS, offsetof(tn_controls, update), false, true},
    {"grad-suffix", NAME, offsetof(tn_controls, grad_suffix), false, false},
    {"skip-grads", TRUTH, offsetof(tn_controls, skip_grads), false, false},
    {"skip-param-grads", TRUTH, offsetof(tn_controls, skip_param_grads), false, false},
    {"optimize-train", TRUTH, offsetof(tn_controls, optimize_train), false, false},
    {"optimize-test", TRUTH, offsetof(tn_controls, optimize_test), false, false},
    {"keep-all", TRUTH, offsetof(tn_controls, keep_all), false, false},
    {"reuse-inputs", TRUTH, offsetof(tn_controls, reuse_inputs), false, true},
    {"io", PLACE, offsetof(tn_controls, io_in_arena), false, false},
    {"layout", LAYOUT, offsetof(tn_controls, channels_last), false, false},
    {"layout-of", PAIRS, offsetof(tn_controls, layout_of), true, false},
    {"align", BYTES, offsetof(tn_controls, align), false, false},
    {"capacity", BYTES, offsetof(tn_controls, capacity), false, false},
};
enum { N_CONTROLS = sizeof controls / sizeof controls[0], PREFIX = sizeof "tenure." - 1 };

static const struct control *find_control(const char *name) {
    for (size_t i = 0; i < N_CONTROLS; i++) {
        const char *a = controls[i].name, *b = name;
        while (*a != '\0' && (*a == *b || (*a == '-' && *b == '_'))) {
            a++;
            b++;
        }
        if (*a == '\0' && *b == '\0') {
            return &controls[i];
        }
    }
    return NULL;
}

static tn_status unknown_control(const tn_module *m, const tn_pair *p) {
    const char *names[N_CONTROLS];
    for (size_t i = 0; i < N_CONTROLS; i++) {
        names[i] = controls[i].name;
    }
    tn_loc loc = tn_loc_file(m->file);
    const char *near = tn_nearest(p->key + PREFIX, names, N_CONTROLS);
    return near != NULL
               ? tn_error(m->ctx, &loc, "metadata '%s': no such control; did you mean 'tenure.%s'?",
                          p->key, near)
               : tn_error(m->ctx, &loc, "metadata '%s': no such control", p->key);
}

/* Whether the caller set what the control is about. */
static bool is_given(const tn_controls *c, const struct control *k) {
    for (uint32_t i = 0; i < c->given.len; i++) {
        if (strcmp(c->given.data[i], k->name) == 0) {
            return true;
        }
    }
    return false;
}

static bool counts(const tn_controls *given, const struct control *k) {
    return given->metadata != TN_METADATA_IGNORE && (k->adds || !is_given(given, k)) &&
           (given->metadata == TN_METADATA_ALL || !k->gives_away);
}

/* One item of a list: a name without its quotes, a pair as it is. NULL when its form is wrong. */
static const char *read_item(tn_arena *arena, const char *item, control_kind kind) {
    const char *name, *rest;
    if (kind == NAMES) {
        return tn_name_unquote(arena, item);
    }
    bool good = tn_pair_split(arena, item, "=", false, &name, &rest) &&
                tn_name_unquote(arena, rest) != NULL;
    return good ? item : NULL;
}

/* `old` and the items of `text`, between commas; blanks round them do not count. */
static bool join(tn_arena *arena, const char *text, control_kind kind, tn_names *list) {
    TN_VEC(const char *) all = {0};
    for (uint32_t i = 0; i < list->len; i++) {
        tn_vec_push(arena, &all, list->data[i]);
    }
    while (*text != '\0') {
        text += strspn(text, ", ");
        size_t n = tn_list_item(text), len = n;
        while (len > 0 && text[len - 1] == ' ') {
            len--;
        }
        if (len > 0) {
            const char *item = read_item(arena, tn_arena_strndup(arena, text, len), kind);
            if (item == NULL) {
                return false;
            }
            tn_vec_push(arena, &all, item);
        }
        text += n;
    }
    *list = (tn_names){all.data, all.len, list->of_model + all.len - list->len};
    return true;
}

/* False when `text` is no truth; *out is then false. */
static bool read_truth(const char *text, bool *out) {
    static const tn_opt truth = {.name = "truth", .kind = TN_OPT_BOOL};
    const char *canonical = tn_opt_canonical(NULL, &truth, text); /* of a truth: needs no arena */
    *out = canonical != NULL && tn_opt_truth(canonical);
    return canonical != NULL;
}

/* Sets the control in `c`; false when the value does not fit. */
static bool apply(const struct control *k, const char *value, tn_arena *arena, tn_controls *c) {
    void *field = (char *)c + k->field;
    switch (k->kind) {
    case NAMES:
    case PAIRS:
        return join(arena, value, k->kind, field);
    case NAME:
        value = tn_name_unquote(arena, value);
        *(const char **)field = value;
        return value != NULL && value[0] != '\0';
    case TRUTH:
        return read_truth(value, field);
    case BYTES:
        return tn_opt_bytes(value, field);
    case LAYOUT:
        *(bool *)field = strcmp(value, "nhwc") == 0;
        return *(bool *)field || strcmp(value, "nchw") == 0;
    case PLACE:
        *(bool *)field = strcmp(value, "arena") == 0;
        return *(bool *)field || strcmp(value, "separate") == 0;
    }
    return false;
}

static tn_status apply_pair(const tn_controls *given, const tn_module *m, const tn_pair *p,
                            tn_arena *arena, tn_controls *out) {
    const struct control *k = find_control(p->key + PREFIX);
    if (k == NULL) {
        return unknown_control(m, p);
    }
    tn_controls unused = *out;
    if (!apply(k, p->value, arena, counts(given, k) ? out : &unused)) {
        tn_loc loc = tn_loc_file(m->file);
        return tn_error(m->ctx, &loc, "metadata '%s': '%s' is not a valid value", p->key, p->value);
    }
    return TN_OK;
}

/* The alignment: what was asked for, and what the artefacts need where the caller did not say. */
static tn_status settle_align(const tn_controls *given, const tn_module *m, tn_controls *out) {
    const struct control *k = find_control("align");
    if (!is_given(given, k) && out->align < given->least_align) {
        out->align = given->least_align;
    }
    if (out->align == 0 || out->align > TN_MAX_ALIGN || (out->align & (out->align - 1)) != 0) {
        tn_loc loc = tn_loc_file(m->file);
        return tn_error(m->ctx, &loc, "alignment of %llu bytes is not a power of two up to %u",
                        (unsigned long long)out->align, TN_MAX_ALIGN);
    }
    return TN_OK;
}

tn_status tn_controls_complete(const tn_controls *given, const tn_module *m, tn_arena *arena,
                               tn_controls *out) {
    *out = *given;
    tn_status status = TN_OK;
    bool read = given->metadata != TN_METADATA_IGNORE;
    for (uint32_t i = 0; i < m->origin.metadata.len && read && status == TN_OK; i++) {
        if (tn_is_wish(&m->origin.metadata.data[i])) {
            status = apply_pair(given, m, &m->origin.metadata.data[i], arena, out);
        }
    }
    return status == TN_OK ? settle_align(given, m, out) : status;
}

static bool asks(const struct control *k, const char *value) {
    bool truth;
    return k->kind == TRUTH ? read_truth(value, &truth) && truth : value[0] != '\0';
}

void tn_controls_warn(const tn_controls *given, const tn_module *m) {
    for (uint32_t i = 0; i < m->origin.metadata.len && given->metadata == TN_METADATA_SAFE; i++) {
        const tn_pair *p = &m->origin.metadata.data[i];
        const struct control *k = tn_is_wish(p) ? find_control(p->key + PREFIX) : NULL;
        if (k == NULL || !k->gives_away || is_given(given, k) || !asks(k, p->value)) {
            continue;
        }
        tn_loc loc = tn_loc_file(m->file);
        tn_warn(
            m->ctx, &loc,
            "metadata '%s' = '%s' does not count: it gives inputs away, which are the caller's; "
            "--%s%s or --metadata=all does so",
            p->key, p->value, k->name, k->kind == PAIRS ? "=STATE=VALUE" : "");
    }
}

void tn_controls_warn_forward(const tn_controls *given, const tn_module *m) {
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_sink text = tn_sink_make(arena);
    tn_controls want;
    if (tn_controls_complete(given, m, arena, &want) == TN_OK) {
        const struct {
            bool asked;
            const char *option;
        } about[] = {{want.skip_grads, "skip-grads"},
                     {want.skip_param_grads, "skip-param-grads"},
                     {!want.optimize_train, "no-optimize-train"},
                     {want.grad_suffix != NULL, "grad-suffix"}};
        for (size_t i = 0; i < sizeof about / sizeof about[0]; i++) {
            if (about[i].asked) {
                tn_putf(&text, "%s--%s", text.len > 0 ? ", " : "", about[i].option);
            }
        }
    }
    if (text.len > 0) {
        tn_loc loc = tn_loc_file(m->file);
        tn_warn(
            m->ctx, &loc,
            "no backward part was found, so nothing comes of %s; where there is one under other "
            "names, --grad-suffix says how those of gradients end, and --grad-of=PARAM=NAME "
            "names some",
            text.data);
    }
    tn_arena_drop(arena);
}
