/* The TFLite model itself with the places of its tensors, which TensorFlow Lite Micro keeps
 * (docs/TFLM.md), and its operators in planned order. The interpreter believes whatever stands
 * there, so plans are refused that rest on what it does not do. */
#include <string.h>

#include "backends/core/backend.h"
#include "ir/base/diag.h"
#include "ir/tflite/tflite_write.h"

enum { ALIGN = 16 };

static uint64_t align(const tn_backend_args *args) {
    (void)args;
    return ALIGN;
}

static bool in_arena(const tn_plan *plan, const tn_plan_value *v) {
    return v->storage != TN_NO_ID &&
           plan->pools[plan->storages[v->storage].pool].kind == TN_POOL_ARENA;
}

/* Variables have a place of their own, for good, that the interpreter finds. */
static const tn_plan_value *outside(const tn_plan *plan) {
    for (uint32_t i = 0; i < plan->n_values; i++) {
        const tn_plan_value *v = &plan->values[i];
        bool interface = v->role == TN_ROLE_INPUT || v->role == TN_ROLE_OUTPUT;
        if (interface && v->storage != TN_NO_ID && !in_arena(plan, v) &&
            tn_pool_is_callers(&plan->pools[plan->storages[v->storage].pool])) {
            return v;
        }
    }
    return NULL;
}

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    (void)args;
    const tn_pool *arena = NULL;
    for (uint32_t i = 0; i < plan->n_pools; i++) {
        const tn_pool *pool = &plan->pools[i];
        if (pool->kind == TN_POOL_ARENA && arena != NULL) {
            return tn_error(plan->ctx, NULL,
                            "tflm: the interpreter has one arena, and the plan "
                            "has '%s' and '%s'",
                            arena->name, pool->name);
        }
        arena = pool->kind == TN_POOL_ARENA ? pool : arena;
    }
    if (arena != NULL && arena->align % ALIGN != 0) {
        return tn_error(plan->ctx, NULL,
                        "tflm: the interpreter aligns tensors to %d bytes, the "
                        "plan to %llu: plan with --preset=tflm or --align=%d",
                        ALIGN, (unsigned long long)arena->align, ALIGN);
    }
    if (arena != NULL && arena->size > INT32_MAX) {
        return tn_error(plan->ctx, NULL, "tflm: offsets end at %d, and the arena has %llu bytes",
                        INT32_MAX, (unsigned long long)arena->size);
    }
    if (tn_plan_has_seconds(plan)) {
        return tn_error(plan->ctx, NULL,
                        "tflm: the interpreter has one place for each tensor: plan without "
                        "--double-buffer");
    }
    const tn_plan_value *v = outside(plan);
    if (v != NULL) {
        return tn_error(plan->ctx, NULL,
                        "tflm: '%s' lies outside of the arena, where the "
                        "interpreter has all tensors: plan with --preset=tflm or --io=arena",
                        v->name);
    }
    return tn_backend_demand_extents("tflm", plan);
}

/* By step the operator, by its place in the file: the interpreter runs one after the other. NULL
 * after a diagnostic. */
static const uint32_t *operators(tn_arena *arena, const tn_plan *plan, const tn_tflite_file *file) {
    bool same = plan->n_steps == file->n_operators;
    uint32_t *order = TN_ARRAY(arena, uint32_t, plan->n_steps);
    for (uint32_t i = 0; same && i < plan->n_steps; i++) {
        const tn_plan_step *s = &plan->steps[i];
        order[i] = (uint32_t)s->node;
        same = s->kind == TN_STEP_OP && order[i] < file->n_operators && s->n_parts == 0;
    }
    if (!same) {
        tn_loc loc = tn_loc_file(file->src.file);
        tn_error(plan->ctx, &loc,
                 "tflm: the interpreter runs the operators of the file one by one, and the plan is "
                 "for others: plan the file itself, and without --op-facts that fuse operators");
    }
    return same ? order : NULL;
}

static tn_status emit(const tn_emission *e) {
    const tn_module *m = e->model;
    const tn_tflite_file *file = m->tflite;
    if (file == NULL) {
        tn_loc loc = tn_loc_file(m->file);
        return tn_error(m->ctx, &loc,
                        "tflm: the plan is written into a TFLite model, and this model is not one");
    }
    tn_arena *arena = tn_arena_new(m->ctx);
    const uint32_t *order = operators(arena, e->plan, file);
    if (order == NULL) {
        return TN_ERROR;
    }
    if (e->plan->reordered && file->shared != NULL) {
        tn_loc loc = tn_loc_file(file->src.file);
        return tn_error(
            m->ctx, &loc,
            "tflm: several operators use the variable '%s', so their order has to stay: "
            "plan with --schedule=file",
            file->shared);
    }
    const uint32_t *in_model = tn_plan_in_model(arena, e->plan, m);
    int32_t *offsets = TN_ARRAY(arena, int32_t, file->n_tensors);
    memset(offsets, 0xff, file->n_tensors * sizeof *offsets); /* -1: not planned */
    for (uint32_t i = 0; i < e->plan->n_values; i++) {
        const tn_plan_value *v = &e->plan->values[i];
        if (in_model[i] < file->n_values && v->bytes > 0 && in_arena(e->plan, v)) {
            offsets[file->tensors[in_model[i]]] = (int32_t)tn_plan_address(e->plan, v);
        }
    }
    tn_tflite_write(file, offsets, order, e->out);
    tn_arena_drop(arena);
    return TN_OK;
}

const tn_backend tn_backend_tflm = {
    .name = "tflm",
    .summary = "the TFLite model itself, with the places of its tensors for TensorFlow Lite Micro",
    .suffix = ".tflite",
    .align = align,
    .accepts = accepts,
    .emit = emit,
    .needs_model = true,
};
