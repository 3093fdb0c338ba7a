#include "lib/fuse_plan.h"

#include <string.h>

#include "ir/mutate.h"
#include "ir/ops/group_claims.h"
#include "lib/fuse_floor.h"
#include "passes/fuse/fuse_memory.h"

enum { MOST_ROUNDS = 4 };

static bool has_groups(const tn_module *m) {
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (tn_op_is_group(m->ops[i])) {
            return true;
        }
    }
    return false;
}

/* By value id, values of the plan. */
static tn_map values_of(tn_arena *arena, const tn_module *m, const tn_plan *p) {
    tn_map names = tn_map_make(arena);
    for (uint32_t i = 0; i < p->n_values; i++) {
        uint64_t graph = tn_str_id(tn_intern(m->ctx, p->values[i].graph));
        tn_map_put(&names, graph << 32 | tn_str_id(tn_intern(m->ctx, p->values[i].name)), i);
    }
    return names;
}

static const tn_plan_value *planned(const tn_plan *p, const tn_map *names, const tn_value *v) {
    uint64_t i;
    return v != NULL && tn_map_get(names, tn_apart_key(v), &i) ? &p->values[i] : NULL;
}

/* Whether the group keeps alive at the peak what it reads later, or is what stands there. */
static bool is_at_peak(const tn_plan *p, const tn_map *names, const tn_op *op) {
    int32_t peak = p->report.peak_step;
    const tn_plan_value *y = planned(p, names, tn_result(op, 0));
    bool any = y != NULL && y->first == peak;
    for (uint32_t k = 0; k < op->n_operands && !any && y != NULL && y->first > peak; k++) {
        const tn_plan_value *x = planned(p, names, op->operands[k].value);
        any = x != NULL && x->first <= peak && x->last >= y->first;
    }
    return any;
}

/* Sets the values within groups at the peak apart: those between nests that are done by rows, or
 * where there are none all. How many. */
static uint32_t set_apart(tn_map *apart, tn_arena *arena, const tn_module *m, const tn_plan *p) {
    uint32_t before = apart->len;
    tn_map names = values_of(arena, m, p);
    for (uint32_t all = 0; all < 2 && apart->len == before; all++) {
        for (uint32_t i = 0; i < m->n_ops; i++) {
            const tn_op *op = m->ops[i];
            bool group = tn_op_is_group(op) && is_at_peak(p, &names, op);
            for (uint32_t k = 0; group && k + 1 < op->n_parts; k++) {
                const tn_op_was *was = op->parts[k]->was;
                if (all != 0 || was->nest != op->parts[k + 1]->was->nest) {
                    tn_map_put(apart, tn_apart_key(was->results[0]), 1);
                }
            }
        }
    }
    return apart->len - before;
}

/* What groups hand from nest to nest. */
static tn_map between_nests(tn_arena *arena, const tn_module *m) {
    tn_map values = tn_map_make(arena);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        const tn_op *op = m->ops[i];
        for (uint32_t k = 0; tn_op_is_group(op) && k + 1 < op->n_parts; k++) {
            const tn_op_was *was = op->parts[k]->was;
            if (was->nest != op->parts[k + 1]->was->nest) {
                tn_map_put(&values, tn_apart_key(was->results[0]), 1);
            }
        }
    }
    return values;
}

/* With groups that keep none of `apart`; NULL: without groups. */
static uint64_t ram_of(tn_module *m, tn_fuse_maker maker, const tn_map *apart,
                       tn_fuse_memory *memory) {
    tn_plan *plan = NULL;
    tn_fuse_form form = {
        .groups = apart != NULL, .apart = apart, .memory = memory, .again = true, .figures = true};
    tn_status status = maker.make(maker.user, m, form, &plan);
    uint64_t ram =
        plan != NULL && (status == TN_OK || status == TN_NOFIT) ? plan->report.ram : UINT64_MAX;
    tn_plan_drop(plan);
    return ram;
}

/* By value id: what the module itself says that lies in other bytes. */
typedef struct aliases {
    tn_alias_kind *kind;
    tn_value **of;
    int64_t *offset;
    uint32_t n;
} aliases;

static aliases aliases_of(tn_arena *arena, const tn_module *m) {
    aliases a = {TN_ARRAY(arena, tn_alias_kind, m->n_values + 1u),
                 TN_ARRAY(arena, tn_value *, m->n_values + 1u),
                 TN_ARRAY(arena, int64_t, m->n_values + 1u), m->n_values};
    for (uint32_t i = 0; i < a.n; i++) {
        a.kind[i] = m->values[i]->alias_kind;
        a.of[i] = m->values[i]->alias_of;
        a.offset[i] = m->values[i]->alias_offset;
    }
    return a;
}

/* Those that a plan chose are for its groups and its order. */
static void put_aliases(tn_module *m, const aliases *a) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value_set_alias(m->values[i], TN_ALIAS_NONE, NULL, 0);
    }
    for (uint32_t i = 0; i < a->n; i++) {
        tn_value_set_alias(m->values[i], a->kind[i], a->of[i], a->offset[i]);
    }
}

/* With groups that keep none of `apart`; NULL: without groups. */
static tn_status again(tn_module *m, tn_fuse_maker maker, const tn_map *apart,
                       tn_fuse_memory *memory, const aliases *before, tn_plan **plan) {
    tn_plan_drop(*plan);
    *plan = NULL;
    put_aliases(m, before);
    tn_fuse_form form = {.groups = apart != NULL, .apart = apart, .memory = memory, .again = true};
    return maker.make(maker.user, m, form, plan);
}

/* The same of a clone; *rows (NULL: not of interest): what its groups hand from nest to nest. */
static uint64_t ram_of_clone(const tn_module *m, tn_fuse_maker maker, const tn_map *apart,
                             tn_fuse_memory *memory, tn_map *rows) {
    tn_module *other = tn_module_clone(m);
    uint64_t ram = ram_of(other, maker, apart, memory);
    if (rows != NULL) {
        *rows = between_nests(memory->arena, other);
    }
    tn_module_drop(other);
    return ram;
}

/* The form that needs least is found out on clones, and the module planned once: what passes have
 * added to it cannot be told from what a plan left. */
static tn_status plan_once(tn_module *m, tn_fuse_maker maker, tn_plan **plan) {
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_fuse_memory *memory = tn_fuse_memory_new(arena);
    tn_map all = tn_map_make(arena), rows;
    const tn_map *best = &all;
    uint64_t least = ram_of_clone(m, maker, &all, memory, &rows);
    uint64_t bytes = rows.len > 0 ? ram_of_clone(m, maker, &rows, memory, NULL) : UINT64_MAX;
    if (rows.len > 0 && bytes <= least) {
        least = bytes;
        best = &rows;
    }
    if (ram_of_clone(m, maker, NULL, memory, NULL) < least) {
        best = NULL;
    }
    tn_fuse_form form = {.groups = best != NULL, .apart = best, .memory = memory};
    tn_status status = maker.make(maker.user, m, form, plan);
    tn_arena_drop(arena);
    return status;
}

tn_status tn_fuse_plan(tn_module *m, tn_fuse_maker maker, tn_plan **plan) {
    if (maker.once) {
        return plan_once(m, maker, plan);
    }
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_fuse_memory *memory = tn_fuse_memory_new(arena);
    tn_module *other = tn_module_clone(m);
    const aliases before = aliases_of(arena, m);
    tn_status status =
        maker.make(maker.user, m, (tn_fuse_form){.groups = true, .memory = memory}, plan);
    bool made = *plan != NULL && (status == TN_OK || status == TN_NOFIT) && has_groups(m);
    uint64_t bytes = made ? tn_plan_arena_bytes(*plan) : 0;
    made = made && bytes > tn_fuse_floor(arena, m, maker.overlaps, false);
    tn_map apart = tn_map_make(arena), rows = between_nests(arena, m);
    tn_module *third = made && rows.len > 0 ? tn_module_clone(other) : NULL;
    made = made && (maker.clones || bytes > tn_fuse_floor(arena, m, maker.overlaps, true));
    uint64_t least = made ? ram_of(other, maker, NULL, memory) : 0;
    tn_module_drop(other);
    /* Groups of one nest each may do with less, and with as much they are no slower. */
    if (third != NULL && ram_of(third, maker, &rows, memory) <= (*plan)->report.ram) {
        apart = rows;
        status = again(m, maker, &apart, memory, &before, plan);
    }
    tn_module_drop(third);
    bool larger = made && (*plan == NULL || (*plan)->report.ram > least);
    for (uint32_t i = 0;
         larger && *plan != NULL && i < MOST_ROUNDS && set_apart(&apart, arena, m, *plan) > 0;
         i++) {
        status = again(m, maker, &apart, memory, &before, plan);
        larger = *plan == NULL || (*plan)->report.ram > least;
        if (*plan == NULL) {
            break;
        }
    }
    if (larger) {
        status = again(m, maker, NULL, memory, &before, plan);
    }
    tn_arena_drop(arena);
    return status;
}
