#include "lib/dims/dims_trial.h"

#include "frontends/core/frontend.h"
#include "ir/build.h"
#include "ir/dim/dim.h"
#include "ir/left_out.h"
#include "lib/planner.h"

/* One load and inference. */
typedef struct attempt {
    tn_dims_search *s;
    tn_module *m;
    bool loaded;
    uint32_t warnings;
    tn_diag_handler handler; /* the command's */
    void *user;
} attempt;

static void on_diag(void *user, const tn_message *m) {
    attempt *a = user;
    if (a->loaded && m->severity == TN_SEV_WARNING) {
        tn_unequals_read(a->s->arena, &a->s->said, m->rendered);
    }
    if (a->s->aloud && a->handler != NULL && (a->loaded || m->severity == TN_SEV_ERROR)) {
        a->handler(a->user, m);
    }
}

static void bind(tn_request *r, const tn_open_model *open) {
    for (uint32_t i = 0; i < open->symbols.len; i++) {
        tn_vec_push(r->arena, &r->dims,
                    (tn_dim_binding){.name = open->symbols.data[i], .value = open->values[i]});
    }
    for (uint32_t i = 0; i < open->inputs.len; i++) {
        const tn_open_input *in = &open->inputs.data[i];
        tn_vec_push(r->arena, &r->shapes, (tn_input_shape){in->name, in->dims, in->rank});
    }
}

static tn_status infer(tn_ctx *ctx, void *arg) {
    attempt *a = arg;
    const tn_open_model *open = a->s->open;
    tn_request *r = tn_request_new(a->s->arena);
    r->passes = "infer-shapes";
    if (a->s->bound) {
        bind(r, open);
    }
    tn_load_options options = tn_request_load_options(r);
    tn_run_settings settings = tn_run_settings_default();
    tn_plan *plan;
    a->m = tn_load_bytes(ctx, open->path, open->bytes, &options);
    a->loaded = true;
    uint32_t before = ctx->n_warnings;
    if (a->m != NULL && tn_planner_run(r, a->m, &settings, &plan) != TN_OK) {
        tn_module_drop(a->m);
        a->m = NULL;
    }
    a->warnings = ctx->n_warnings - before;
    return TN_OK;
}

/* Diagnostics are on again whatever happens inside. */
tn_module *tn_dims_try(tn_dims_search *s, uint32_t *warnings) {
    tn_ctx *ctx = tn_arena_ctx(s->arena);
    uint32_t n_errors = ctx->n_errors, n_warnings = ctx->n_warnings;
    attempt a = {.s = s, .handler = ctx->on_diag, .user = ctx->on_diag_user};
    s->said = (tn_unequals){0};
    ctx->on_diag = on_diag;
    ctx->on_diag_user = &a;
    tn_status status = tn_guard_run(ctx, infer, &a);
    ctx->on_diag = a.handler;
    ctx->on_diag_user = a.user;
    ctx->n_errors = n_errors;
    ctx->n_warnings = n_warnings;
    if (tn_status_ends_all(status)) {
        tn_raise(ctx, status);
    }
    *warnings = a.warnings;
    return status == TN_OK ? a.m : NULL;
}

/* However the symbols in its extents are bound. */
static bool is_unsized(const tn_module *m, const tn_value *v) {
    return v->unplanned != NULL && tn_left_out_of(m, v) != TN_LEFT_UNUSED;
}

static bool is_empty(const tn_module *m, const tn_value *v) {
    int64_t n;
    return v->kind == TN_VALUE_RESULT && v->type != NULL && v->type->kind == TN_TYPE_TENSOR &&
           tn_type_fixed_bytes(m->dims, v->type, &n) && n == 0;
}

/* False when the model cannot be loaded so. */
static bool measure(tn_dims_search *s, tn_dims_misfit *f) {
    *f = (tn_dims_misfit){0};
    s->work_left -= s->trial_work < s->work_left ? s->trial_work : s->work_left;
    tn_module *m = tn_dims_try(s, &f->warnings);
    if (m == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        f->unsized += is_unsized(m, m->values[i]);
        f->empty += is_empty(m, m->values[i]);
    }
    tn_module_drop(m);
    return true;
}

/* What remains wrong when every dimension stays open is no fault of the numbers. Where a dimension
 * has no name, inference says too little then about sizes. */
static void measure_base(tn_dims_search *s) {
    tn_unequals said = s->said;
    tn_dims_misfit f;
    s->bound = false;
    if (measure(s, &f)) {
        s->base = f;
        s->base.unsized = s->open->inputs.len > 0 ? 0 : f.unsized;
    }
    s->bound = s->has_base = true;
    s->said = said;
}

uint64_t tn_dims_cost(tn_dims_search *s) {
    tn_dims_misfit f;
    if (!measure(s, &f)) {
        return UINT64_MAX;
    }
    if (!s->has_base && (f.warnings | f.unsized | f.empty) != 0) {
        measure_base(s);
    }
    uint64_t worse = (uint64_t)tn_dims_beyond(f.warnings, s->base.warnings) +
                     tn_dims_beyond(f.unsized, s->base.unsized);
    return worse << 32 | tn_dims_beyond(f.empty, s->base.empty);
}
