#include "lib/dims/dims_trial.h"

#include "frontends/core/frontend.h"
#include "ir/base/limits.h"
#include "ir/build.h"
#include "ir/dim/dim.h"
#include "ir/left_out.h"
#include "ir/walk.h"
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

/* The extent of operand k at an axis counted from the last; false where nobody knows it. */
static bool extent_at(const tn_module *m, const tn_op *op, uint32_t k, uint32_t axis,
                      int64_t *out) {
    const tn_value *v = op->operands[k].value;
    const tn_type *t = v == NULL ? NULL : v->type;
    return t != NULL && t->kind == TN_TYPE_TENSOR && axis < t->rank &&
           tn_dim_is_const(m->dims, t->dims[t->rank - 1 - axis], out);
}

/* Whether operand k has an extent at an axis that depends on the numbers tried, and is 1 (`one`) or
 * more by them. */
static bool is_such(const tn_dims_search *s, const tn_module *m, const tn_op *op, uint32_t k,
                    uint32_t axis, bool one) {
    int64_t now, known;
    return extent_at(m, op, k, axis, &now) && (one ? now == 1 : now > 1) &&
           !extent_at(s->as_open, s->as_open->ops[op->id], k, axis, &known);
}

/* Whether two operands of an op broadcast along an axis along which, under most numbers, they would
 * have to be as long: no exporter means such an extent of 1. */
static bool is_stretched(const tn_dims_search *s, const tn_module *m, const tn_op *op) {
    bool one = false, more = false;
    for (uint32_t axis = 0; axis < TN_MAX_RANK && !(one && more); axis++) {
        one = more = false;
        for (uint32_t k = 0; k < op->n_operands; k++) {
            one = one || is_such(s, m, op, k, axis, true);
            more = more || is_such(s, m, op, k, axis, false);
        }
    }
    return one && more;
}

static uint32_t count_stretched(const tn_dims_search *s, const tn_module *m) {
    uint32_t n = 0;
    if (s->as_open == NULL || s->as_open->n_ops != m->n_ops) {
        return 0;
    }
    TN_FOR_ALL_OPS(op, m->main) {
        n += (op->info->traits & TN_T_BROADCAST) != 0 && is_stretched(s, m, op);
    }
    return n;
}

static tn_module *measure(tn_dims_search *s, tn_dims_misfit *f) {
    *f = (tn_dims_misfit){0};
    s->work_left -= s->trial_work < s->work_left ? s->trial_work : s->work_left;
    tn_module *m = tn_dims_try(s, &f->warnings);
    for (uint32_t i = 0; m != NULL && i < m->n_values; i++) {
        f->unsized += is_unsized(m, m->values[i]);
        f->empty += is_empty(m, m->values[i]);
    }
    return m;
}

/* What remains wrong when every dimension stays open is no fault of the numbers. Where a dimension
 * has no name, inference says too little then about sizes. */
static void measure_base(tn_dims_search *s) {
    tn_dims_misfit f;
    s->bound = false;
    s->as_open = measure(s, &f);
    if (s->as_open != NULL) {
        s->base = f;
        s->base.unsized = s->open->inputs.len > 0 ? 0 : f.unsized;
    }
    s->bound = s->has_base = true;
}

uint64_t tn_dims_cost(tn_dims_search *s) {
    tn_dims_misfit f;
    if (!s->has_base) {
        measure_base(s);
    }
    tn_module *m = measure(s, &f);
    if (m == NULL) {
        return UINT64_MAX;
    }
    uint64_t worse = (uint64_t)tn_dims_beyond(f.warnings, s->base.warnings) +
                     tn_dims_beyond(f.unsized, s->base.unsized);
    f.stretched = worse == 0 ? count_stretched(s, m) : 0; /* the others are mended first */
    tn_module_drop(m);
    return worse << 32 | (tn_dims_beyond(f.empty, s->base.empty) + f.stretched);
}

void tn_dims_end(tn_dims_search *s) {
    if (s->as_open != NULL) {
        tn_module_drop(s->as_open);
    }
    s->as_open = NULL;
}
