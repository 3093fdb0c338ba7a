#include "backends/core/backend.h"

#include <string.h>

#include "ir/base/option_read.h"

static const tn_backend *const all[] = {
#define BACKEND(id) &tn_backend_##id,
#include "backends/backends.def"
#undef BACKEND
    NULL};

const tn_backend *const *tn_backend_all(tn_ctx *ctx, uint32_t *n) {
    return tn_ctx_all(ctx, TN_EXTRA_BACKEND, all, sizeof all / sizeof all[0] - 1, n);
}

const tn_backend *tn_backend_find(tn_ctx *ctx, const char *name) {
    uint32_t n;
    const tn_backend *const *backends = tn_backend_all(ctx, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(backends[i]->name, name) == 0) {
            return backends[i];
        }
    }
    return NULL;
}

static const char *owner_of(tn_arena *arena, const tn_backend *b) {
    return tn_arena_printf(arena, "backend '%s'", b->name);
}

tn_backend_args tn_backend_defaults(tn_arena *arena, const tn_backend *b) {
    return (tn_backend_args){tn_opt_defaults(arena, owner_of(arena, b), b->options),
                             TN_ARRAY(arena, bool, tn_opt_count(b->options))};
}

tn_status tn_backend_set(tn_arena *arena, const tn_backend *b, const char *origin, const char *text,
                         tn_backend_args *args) {
    tn_opt_scan s = tn_opt_scan_make(arena, "options", origin, text);
    tn_status status = tn_opt_read(&s, owner_of(arena, b), b->options, args->values, args->given);
    tn_opt_skip_blanks(&s);
    return status == TN_OK && *s.at != '\0' ? tn_opt_unexpected(&s, "','") : status;
}

/* "json, text" */
static const char *those_with_sets(tn_arena *arena) {
    uint32_t n;
    const tn_backend *const *backends = tn_backend_all(tn_arena_ctx(arena), &n);
    tn_sink text = tn_sink_make(arena);
    for (uint32_t i = 0; i < n; i++) {
        if (backends[i]->takes_sets) {
            tn_putf(&text, "%s%s", text.len > 0 ? ", " : "", backends[i]->name);
        }
    }
    return text.data;
}

static const char set_refusal[] = "one program in one variant makes such an artefact";

static tn_status demand_one_plan(const tn_backend *b, const tn_plan *plan) {
    bool open = plan->n_ranges > 0 && b->takes_open;
    if (plan->set == NULL || b->takes_sets || (open && plan->set->n_programs == 1)) {
        return TN_OK;
    }
    tn_arena *scratch = tn_arena_new(plan->ctx);
    tn_error(plan->ctx, NULL,
             "%s: %s, the plan has %u programs in %u variants; kinds that hold several: %s",
             b->name, set_refusal, plan->set->n_programs, tn_plan_count(plan),
             those_with_sets(scratch));
    tn_arena_drop(scratch);
    return TN_ERROR;
}

static const char open_refusal[] = "such an artefact has numbers, and the plan leaves dimensions";

/* Numbers of a plan with open dimensions are those of one point. */
static tn_status demand_numbers(const tn_backend *b, const tn_plan *first) {
    const tn_plan *plan = first;
    for (uint32_t i = 0; i + 1 < tn_plan_count(first) && plan->n_ranges == 0; i++) {
        plan = tn_plan_at(first, i + 1);
    }
    if (plan->n_ranges == 0 || b->takes_open) {
        return TN_OK;
    }
    return tn_error(plan->ctx, NULL, "%s: %s open ('%s'%s); bind them by --dim NAME=VALUE", b->name,
                    open_refusal, plan->ranges[0].name, plan->n_ranges > 1 ? " and others" : "");
}

tn_status tn_backend_demand_extents(const char *backend, const tn_plan *plan) {
    if (plan->n_data_dims == 0) {
        return TN_OK;
    }
    return tn_error(plan->ctx, NULL,
                    "%s: there are values " TN_BY_DATA_REFUSAL
                    " ('%s'%s), and kernels get numbers; a C program of this model alone "
                    "(--emit=c-program) can have them, and --dim %s=VALUE makes it a number, for "
                    "runs that have it",
                    backend, plan->data_dims[0].name, plan->n_data_dims > 1 ? " and others" : "",
                    plan->data_dims[0].name);
}

/* Of each plan of a set, one behind the other. */
static tn_status demand_models(const tn_backend *b, const tn_plan *plan, const tn_module *model) {
    uint32_t wanted = !b->needs_model ? 0 : tn_shares_pools(plan) ? tn_plan_count(plan) : 1, n = 0;
    for (const tn_module *m = model; m != NULL && n < wanted; m = m->next) {
        n++;
    }
    if (n < wanted && wanted == 1) {
        return tn_usage(plan->ctx, NULL,
                        "%s: the model is needed too, for the bytes of its constants", b->name);
    }
    return n == wanted ? TN_OK
                       : tn_usage(plan->ctx, NULL,
                                  "%s: the plan is of %u models and their bytes are needed, %u %s "
                                  "given: make plan and artefact from the models' files at once",
                                  b->name, wanted, n, n == 1 ? "is" : "are");
}

tn_status tn_backend_emit(const tn_backend *b, const tn_plan *plan, const tn_module *model,
                          const tn_backend_args *args, const tn_outlet *outlet) {
    tn_status status = demand_numbers(b, plan);
    if (status == TN_OK) {
        status = demand_one_plan(b, plan);
    }
    if (status == TN_OK) {
        status = demand_models(b, plan, model);
    }
    if (status == TN_OK && b->accepts != NULL) {
        status = b->accepts(plan, args);
    }
    if (status != TN_OK) {
        return status;
    }
    tn_emission e = {b, plan, model, args, outlet, outlet->open(outlet->user, outlet->name)};
    return b->emit(&e);
}

typedef struct one_file {
    const tn_plan *plan;
    tn_sink *out;
    bool open;
} one_file;

static tn_sink *open_one(void *user, const char *name) {
    one_file *f = user;
    if (f->open) {
        tn_fail(f->plan->ctx, NULL,
                "the artefact is several files, the next is '%s': they need "
                "a sink that takes files by name",
                name);
    }
    f->open = true;
    return f->out;
}

tn_status tn_backend_print(const tn_backend *b, const tn_plan *plan, const tn_module *model,
                           const tn_backend_args *args, tn_sink *out) {
    one_file f = {plan, out, false};
    tn_outlet outlet = {.name = "", .open = open_one, .user = &f};
    return tn_backend_emit(b, plan, model, args, &outlet);
}

tn_sink *tn_emission_open(const tn_emission *e, tn_arena *arena, const char *suffix,
                          const char **name) {
    const char *main = e->outlet->name, *dot = strrchr(main, '.');
    size_t stem = dot != NULL && dot != main ? (size_t)(dot - main) : strlen(main);
    *name = tn_arena_printf(arena, "%.*s%s", (int)stem, main, suffix);
    if (stem == 0 || strcmp(*name, main) == 0) {
        tn_error(e->plan->ctx, NULL,
                 "the artefact is several files: its output needs a name that "
                 "ends otherwise than in '%s'",
                 suffix);
        return NULL;
    }
    return e->outlet->open(e->outlet->user, *name);
}

const char *tn_arg_text(const tn_backend_args *args, uint32_t i) {
    return args->values[i];
}

int64_t tn_arg_number(const tn_backend_args *args, uint32_t i) {
    return tn_opt_number(args->values[i]);
}

bool tn_arg_truth(const tn_backend_args *args, uint32_t i) {
    return tn_opt_truth(args->values[i]);
}

uint32_t tn_backend_pool(const tn_backend *b, const tn_plan *plan, const char *name) {
    tn_arena *scratch = tn_arena_new(plan->ctx);
    const char **names = TN_ARRAY(scratch, const char *, plan->n_pools);
    for (uint32_t i = 0; i < plan->n_pools; i++) {
        bool first = name[0] == '\0' && plan->pools[i].kind == TN_POOL_ARENA;
        names[i] = plan->pools[i].name;
        if (first || strcmp(names[i], name) == 0) {
            tn_arena_drop(scratch);
            return i;
        }
    }
    const char *near = tn_nearest(name, names, plan->n_pools);
    tn_error(plan->ctx, NULL, "%s: the plan has no pool '%s'%s%s%s", b->name, name,
             near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
             near != NULL ? "'?" : "");
    tn_arena_drop(scratch);
    return TN_NO_ID;
}

const uint32_t *tn_plan_in_model(tn_arena *arena, const tn_plan *p, const tn_module *m) {
    tn_map ids = tn_map_make(arena);
    uint32_t *out = TN_ARRAY(arena, uint32_t, p->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        tn_map_put(&ids, tn_str_id(tn_internf(m->ctx, "%s\n%s", v->graph->path, v->name)), i);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        const char *key = tn_internf(m->ctx, "%s\n%s", p->values[i].graph, p->values[i].name);
        out[i] = (uint32_t)tn_map_or(&ids, tn_str_id(key), TN_NO_ID);
    }
    return out;
}

const char *tn_plan_fact_text(tn_plan_fact fact) {
    static const char *const texts[] = {
#define FACT(id, text) text,
#include "backends/core/features.def"
    };
    return texts[fact];
}

const char *tn_plan_kind_text(tn_plan_kind kind) {
    static const char *const texts[] = {
#define KIND(id, text) text,
#include "backends/core/features.def"
    };
    return texts[kind];
}

const char *tn_backend_refusal(const tn_backend *b, tn_plan_kind kind) {
    if (kind == TN_KIND_RANGES) {
        return b->takes_open ? NULL : open_refusal;
    }
    if (kind == TN_KIND_SETS) {
        return b->takes_sets ? NULL : set_refusal;
    }
    for (const tn_kind_refusal *r = b->refuses; r != NULL && r->message != NULL; r++) {
        if (r->kind == kind) {
            return r->message;
        }
    }
    return NULL;
}
