/* From one request for a set to requests for its programs and variants. */
#include <string.h>

#include "ir/base/file.h"
#include "ir/base/limits.h"
#include "ir/os/os.h"
#include "lib/sets/sets.h"

const char *tn_set_path(const char *text) {
    size_t name = strcspn(text, "="), folder = strcspn(text, tn_os_separators);
    return name > 0 && text[name] == '=' && name < folder ? text + name + 1 : text;
}

const char *tn_set_path_text(tn_arena *arena, const char *path) {
    return tn_set_path(path) != path ? tn_arena_printf(arena, "./%s", path) : path;
}

static tn_set_model read_model(tn_arena *arena, const char *text) {
    const char *path = tn_set_path(text);
    const char *program = path == text ? tn_file_stem(arena, path)
                                       : tn_arena_strndup(arena, text, (size_t)(path - text) - 1);
    return (tn_set_model){program, path};
}

tn_status tn_set_models(tn_arena *arena, const char *const *texts, uint32_t n, tn_set_model *out) {
    for (uint32_t i = 0; i < n; i++) {
        out[i] = read_model(arena, texts[i]);
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(out[i].program, out[k].program) == 0) {
                return tn_usage(tn_arena_ctx(arena), NULL,
                                "two models would be the program '%s': '%s' and '%s'; name one of "
                                "them, as in NAME=%s",
                                out[i].program, out[k].path, out[i].path, out[i].path);
            }
        }
    }
    return TN_OK;
}

bool tn_set_wanted(const tn_request *r, uint32_t n_models) {
    return n_models > 1 || r->buckets.len > 0;
}

/* Settings whose values begin with names of the model's. */
static bool has_names(const char *key) {
    static const char *const keys[] = {"dim",  "input-shape", "input-value", "exclude",
                                       "loss", "grad-of",     "update"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(key, keys[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Settings that are the set's, not those of a program. */
static bool is_of_set(const char *key) {
    return strcmp(key, "link") == 0 || strcmp(key, "state") == 0 || strcmp(key, "largest") == 0 ||
           strcmp(key, "shared-arena") == 0;
}

/* The program that "PROGRAM/..." names, or n. */
static uint32_t program_of(const tn_set_model *models, uint32_t n, const char *value) {
    for (uint32_t i = 0; i < n; i++) {
        size_t len = strlen(models[i].program);
        if (strncmp(value, models[i].program, len) == 0 && value[len] == '/') {
            return i;
        }
    }
    return n;
}

static tn_status set_one(tn_request *out, const tn_set_model *models, uint32_t n, uint32_t program,
                         const tn_pair *given) {
    uint32_t of = n > 1 && has_names(given->key) ? program_of(models, n, given->value) : n;
    if (is_of_set(given->key) || (of < n && of != program)) {
        return TN_OK;
    }
    const char *value = of < n ? given->value + strlen(models[of].program) + 1 : given->value;
    uint32_t n_dims = out->dims.len;
    tn_status status = tn_request_set(out, given->key, value, NULL);
    if (status == TN_OK && out->dims.len > n_dims) {
        out->dims.data[n_dims].optional = n > 1 && of == n;
    }
    return status;
}

tn_request *tn_set_request(const tn_request *r, const tn_set_model *models, uint32_t n,
                           uint32_t program) {
    tn_request *out = tn_request_new(r->arena);
    tn_pairs given = tn_request_settled(r, r->arena);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < given.len && status == TN_OK; i++) {
        status = set_one(out, models, n, program, &given.data[i]);
    }
    out->controls.least_align = r->controls.least_align;
    out->groups = r->groups;
    out->controls.state_apart = true;
    return status == TN_OK ? out : NULL;
}

/* `encodr/frames` names no program; "" where none has a name near to it. */
static const char *near_program(const tn_request *r, const tn_set_model *models, uint32_t n,
                                const char *name) {
    const char **programs = TN_ARRAY(r->arena, const char *, n);
    const char *slash = strchr(name, '/');
    if (slash == NULL) {
        return "";
    }
    for (uint32_t p = 0; p < n; p++) {
        programs[p] = models[p].program;
    }
    const char *word = tn_arena_strndup(r->arena, name, (size_t)(slash - name));
    const char *near = tn_nearest(word, programs, n);
    near = near != NULL ? tn_arena_printf(r->arena, "%s%s", near, slash) : NULL;
    return tn_did_you_mean(r->arena, near);
}

static bool is_of_any(const char *name, const tn_module *const *modules, uint32_t n) {
    uint32_t i = 0;
    while (i < n && !tn_dims_has_symbol(modules[i]->dims, name)) {
        i++;
    }
    return i < n;
}

tn_status tn_set_demand_dims(const tn_request *r, const tn_set_model *models, uint32_t n,
                             const tn_module *const *modules, uint32_t n_modules) {
    for (uint32_t i = 0; i < r->dims.len && n > 1; i++) {
        const char *name = r->dims.data[i].name;
        if (program_of(models, n, name) == n && !is_of_any(name, modules, n_modules)) {
            return tn_usage(tn_arena_ctx(r->arena), NULL,
                            "none of the models has a dimension '%s'%s", name,
                            near_program(r, models, n, name));
        }
    }
    return TN_OK;
}

uint32_t tn_set_n_buckets(const tn_request *r) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < r->buckets.len && n <= TN_MAX_VARIANTS; i++) {
        n *= r->buckets.data[i].n;
    }
    return n <= TN_MAX_VARIANTS ? (uint32_t)n : UINT32_MAX;
}

/* The last dimension changes first. */
tn_request tn_set_bucket(const tn_request *r, uint32_t index) {
    tn_request out = *r;
    out.dims.data = TN_ARRAY(r->arena, tn_dim_binding, r->dims.len + r->buckets.len);
    out.dims.len = out.dims.cap = 0;
    for (uint32_t i = 0; i < r->dims.len; i++) {
        out.dims.data[out.dims.len++] = r->dims.data[i];
    }
    for (uint32_t i = r->buckets.len; i-- > 0;) {
        const tn_bucket_dim *d = &r->buckets.data[i];
        out.dims.data[r->dims.len + i] =
            (tn_dim_binding){.name = d->name, .value = d->values[index % d->n]};
        index /= d->n;
    }
    out.dims.len = out.dims.cap = r->dims.len + r->buckets.len;
    out.buckets.len = 0;
    return out;
}
