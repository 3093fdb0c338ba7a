#include "passes/core/model_controls.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum control_kind { NAMES, TEXT, ON, OFF, SIZE } control_kind;

/* ON: a feature the model may turn on; OFF: planning it may turn off. */
static const struct control {
    const char *name;
    control_kind kind;
    size_t field;
} controls[] = {
    {"exclude", NAMES, offsetof(tn_controls, exclude)},
    {"skip", NAMES, offsetof(tn_controls, exclude)},
    {"loss", NAMES, offsetof(tn_controls, loss)},
    {"grad_of", NAMES, offsetof(tn_controls, grad_of)},
    {"update", NAMES, offsetof(tn_controls, update)},
    {"grad_suffix", TEXT, offsetof(tn_controls, grad_suffix)},
    {"skip_grads", ON, offsetof(tn_controls, skip_grads)},
    {"skip_param_grads", OFF, offsetof(tn_controls, skip_param_grads)},
    {"optimize_train", OFF, offsetof(tn_controls, optimize_train)},
    {"optimize_test", OFF, offsetof(tn_controls, optimize_test)},
    {"keep_all", ON, offsetof(tn_controls, keep_all)},
    {"reuse_inputs", ON, offsetof(tn_controls, reuse_inputs)},
    {"io_in_arena", ON, offsetof(tn_controls, io_in_arena)},
    {"align", SIZE, offsetof(tn_controls, align)},
    {"capacity", SIZE, offsetof(tn_controls, capacity)},
};
#define N_CONTROLS (sizeof controls / sizeof controls[0])

static const struct control *find_control(const char *name) {
    for (size_t i = 0; i < N_CONTROLS; i++) {
        const char *a = controls[i].name, *b = name;
        while (*a != '\0' && (*a == *b || (*a == '_' && *b == '-'))) {
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
    const char *near = tn_nearest(p->key + strlen("tenure."), names, N_CONTROLS);
    return near != NULL
               ? tn_error(m->ctx, &loc, "metadata '%s': no such control; did you mean 'tenure.%s'?",
                          p->key, near)
               : tn_error(m->ctx, &loc, "metadata '%s': no such control", p->key);
}

static tn_names join(tn_arena *arena, tn_names old, const char *text) {
    TN_VEC(const char *) all = {0};
    for (uint32_t i = 0; i < old.len; i++) {
        tn_vec_push(arena, &all, old.data[i]);
    }
    while (*text != '\0') {
        text += strspn(text, ", ");
        size_t n = strcspn(text, ",");
        size_t len = n;
        while (len > 0 && text[len - 1] == ' ') {
            len--;
        }
        if (len > 0) {
            tn_vec_push(arena, &all, tn_arena_strndup(arena, text, len));
        }
        text += n;
    }
    return (tn_names){all.data, all.len};
}

static bool parse_truth(const char *text, bool *out) {
    static const char *const words[2][4] = {{"false", "0", "off", "no"},
                                            {"true", "1", "on", "yes"}};
    for (int truth = 0; truth < 2; truth++) {
        for (int i = 0; i < 4; i++) {
            if (strcmp(text, words[truth][i]) == 0) {
                *out = truth != 0;
                return true;
            }
        }
    }
    return false;
}

static bool parse_size(const char *text, uint64_t *out) {
    size_t n = strlen(text);
    if (n == 0 || n > 18 || strspn(text, "0123456789") != n) {
        return false;
    }
    *out = strtoull(text, NULL, 10);
    return true;
}

static bool apply(const struct control *k, const char *value, tn_arena *arena, tn_controls *c) {
    void *field = (char *)c + k->field;
    bool truth = false;
    switch (k->kind) {
    case NAMES:
        *(tn_names *)field = join(arena, *(tn_names *)field, value);
        return true;
    case TEXT:
        *(const char **)field = *(const char **)field != NULL ? *(const char **)field : value;
        return value[0] != '\0';
    case ON:
    case OFF:
        if (!parse_truth(value, &truth)) {
            return false;
        }
        *(bool *)field = k->kind == ON ? *(bool *)field || truth : *(bool *)field && truth;
        return true;
    case SIZE:
        return parse_size(value, (uint64_t *)field);
    }
    return false;
}

tn_status tn_controls_complete(const tn_controls *given, const tn_module *m, tn_arena *arena,
                               tn_controls *out) {
    *out = *given;
    for (uint32_t i = 0; i < m->origin.metadata.len; i++) {
        const tn_pair *p = &m->origin.metadata.data[i];
        if (strncmp(p->key, "tenure.", 7) != 0 || strncmp(p->key, "tenure.plan", 11) == 0) {
            continue;
        }
        const struct control *k = find_control(p->key + 7);
        if (k == NULL) {
            return unknown_control(m, p);
        }
        if (!apply(k, p->value, arena, out)) {
            tn_loc loc = tn_loc_file(m->file);
            return tn_error(m->ctx, &loc, "metadata '%s': '%s' is no valid value", p->key,
                            p->value);
        }
    }
    if (out->align == 0 || (out->align & (out->align - 1)) != 0) {
        tn_loc loc = tn_loc_file(m->file);
        return tn_error(m->ctx, &loc, "alignment of %llu bytes is no power of two",
                        (unsigned long long)out->align);
    }
    return TN_OK;
}
