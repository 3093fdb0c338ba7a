/* Which storages no kernel touches: operands that parametrise ops (extents, axes), numbers of trips
 * and conditions that come from outside. The host reads and copies them where it is, so they need
 * no buffer. */
#include "backends/core/cl_host.h"

#include "backends/core/program.h"

typedef struct finder {
    const tn_plan *p;
    tn_arena *arena;
    bool *device; /* by storage */
} finder;

static uint32_t storage_of(const finder *f, uint32_t value) {
    return value != TN_NO_ID ? f->p->values[value].storage : TN_NO_ID;
}

static void on_device(const finder *f, uint32_t value) {
    if (storage_of(f, value) != TN_NO_ID) {
        f->device[storage_of(f, value)] = true;
    }
}

static void all_on_device(const finder *f, tn_ids values) {
    for (uint32_t i = 0; i < values.len; i++) {
        on_device(f, values.data[i]);
    }
}

/* Whether the op table says that the operand only parametrises the op. */
static bool is_parameter(const tn_kernel *k, uint32_t operand) {
    for (uint32_t i = 0; i < k->n_fields; i++) {
        if (k->fields[i].operand == (int32_t)operand) {
            return true;
        }
    }
    return false;
}

static bool is_listed(tn_ids list, uint32_t id) {
    for (uint32_t i = 0; i < list.len; i++) {
        if (list.data[i] == id) {
            return true;
        }
    }
    return false;
}

static void look_at_op(const finder *f, const tn_plan_step *s) {
    const tn_op_info *info = tn_cp_row(s);
    tn_kernel k = {0};
    if (info != NULL) {
        k = tn_kernel_make(f->arena, info, tn_kernel_since(info, s->version));
    }
    for (uint32_t i = 0; i < s->operands.len; i++) {
        if (!is_listed(s->shape_only, i) && !is_parameter(&k, i)) {
            on_device(f, s->operands.data[i]);
        }
    }
    all_on_device(f, s->writes);
}

/* An op whose bodies run by its own definition may do anything with them. */
static void look_at_begin(const finder *f, const tn_plan_step *s) {
    for (uint32_t i = 0; i < s->n_moves; i++) {
        if (s->moves[i].kind == TN_MOVE_SLICE || s->moves[i].kind == TN_MOVE_STACK) {
            on_device(f, s->moves[i].from);
            on_device(f, s->moves[i].to);
        }
    }
    for (uint32_t i = 0; s->n_moves == 0 && i < s->n_bodies; i++) {
        all_on_device(f, s->operands);
        all_on_device(f, s->bodies[i].inputs);
        all_on_device(f, s->bodies[i].outputs);
    }
}

/* What is copied lies on one side. */
static bool spread(const finder *f, uint32_t from, uint32_t to) {
    uint32_t a = storage_of(f, from), b = storage_of(f, to);
    if (a == TN_NO_ID || b == TN_NO_ID || f->device[a] == f->device[b]) {
        return false;
    }
    f->device[a] = f->device[b] = true;
    return true;
}

static bool spread_all(const finder *f) {
    bool changed = false;
    for (uint32_t i = 0; i < f->p->n_steps; i++) {
        const tn_plan_step *s = &f->p->steps[i];
        for (uint32_t k = 0; k < s->n_moves; k++) {
            changed |= spread(f, s->moves[k].from, s->moves[k].to);
        }
    }
    return changed;
}

const bool *tn_cl_find_host(tn_arena *arena, const tn_plan *p) {
    finder f = {p, arena, TN_ARRAY(arena, bool, p->n_storages)};
    for (uint32_t i = 0; i < p->n_steps; i++) {
        const tn_plan_step *s = &p->steps[i];
        if (s->kind == TN_STEP_OP && !s->idle) {
            look_at_op(&f, s);
        } else if (s->kind == TN_STEP_BEGIN) {
            look_at_begin(&f, s);
        }
    }
    all_on_device(&f, p->outputs);
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].role == TN_ROLE_STATE) {
            on_device(&f, i);
        }
    }
    while (spread_all(&f)) {
    }
    bool *host = TN_ARRAY(arena, bool, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        host[i] = !f.device[i];
    }
    return host;
}
