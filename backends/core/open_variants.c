/* Variants of a plan with open dimensions that differ in nothing but where storages lie: one
 * program runs them all. */
#include <string.h>

#include "backends/core/open_layout.h"
#include "ir/base/sort.h"

static bool same_ids(tn_ids a, tn_ids b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len * sizeof *a.data) == 0);
}

static bool same_claims(const tn_plan_step *a, const tn_plan_step *b) {
    bool same = a->n_claims == b->n_claims;
    for (uint32_t i = 0; i < a->n_claims && same; i++) {
        const tn_plan_claim *x = &a->claims[i], *y = &b->claims[i];
        same = x->result == y->result && x->operand == y->operand && x->promise == y->promise;
    }
    return same;
}

static bool same_step(const tn_plan_step *a, const tn_plan_step *b) {
    return a->kind == b->kind && a->node == b->node && strcmp(a->graph, b->graph) == 0 &&
           a->idle == b->idle && a->n_moves == b->n_moves && a->n_parts == b->n_parts &&
           a->n_workspace == b->n_workspace && same_ids(a->operands, b->operands) &&
           same_ids(a->results, b->results) && same_ids(a->frees, b->frees) && same_claims(a, b);
}

static bool same_storage(const tn_storage *a, const tn_storage *b) {
    return a->pool == b->pool && a->align == b->align && a->first == b->first &&
           a->last == b->last && a->pinned == b->pinned && a->root == b->root &&
           (a->size_expr == TN_DIM_UNKNOWN) == (b->size_expr == TN_DIM_UNKNOWN);
}

static bool same_value(const tn_plan_value *a, const tn_plan_value *b) {
    return a->storage == b->storage && a->offset == b->offset && a->alias == b->alias &&
           a->alias_of == b->alias_of && strcmp(a->name, b->name) == 0;
}

static bool same_range(const tn_plan_range *a, const tn_plan_range *b) {
    return a->min == b->min && a->max == b->max && strcmp(a->name, b->name) == 0;
}

static bool agrees(const tn_plan *a, const tn_plan *b) {
    bool same = a->n_ranges == b->n_ranges && a->n_pools == b->n_pools &&
                a->n_steps == b->n_steps && a->n_values == b->n_values &&
                a->n_storages == b->n_storages;
    for (uint32_t i = 0; i < a->n_ranges && same; i++) {
        same = same_range(&a->ranges[i], &b->ranges[i]);
    }
    for (uint32_t i = 0; i < a->n_storages && same; i++) {
        same = same_storage(&a->storages[i], &b->storages[i]);
    }
    for (uint32_t i = 0; i < a->n_values && same; i++) {
        same = same_value(&a->values[i], &b->values[i]);
    }
    for (uint32_t i = 0; i < a->n_steps && same; i++) {
        same = same_step(&a->steps[i], &b->steps[i]);
    }
    return same;
}

const tn_plan **tn_open_variants(tn_arena *arena, const tn_plan *p, uint32_t *n) {
    const tn_plan_program *program = tn_plan_program_of(p);
    uint32_t all = program != NULL && program->variants[0] == p ? program->n_variants : 1;
    const tn_plan **found = TN_ARRAY(arena, const tn_plan *, all);
    found[0] = p;
    *n = 1;
    for (uint32_t i = 1; i < all; i++) {
        if (agrees(p, program->variants[i])) {
            found[(*n)++] = program->variants[i];
        }
    }
    return found;
}

/* ---- hazards ---- */

tn_ids tn_open_hazards(const tn_open *o, tn_arena *arena, uint32_t step) {
    TN_VEC(uint32_t) all = {0};
    for (uint32_t v = 0; v < o->n_variants; v++) {
        tn_ids hazards = o->variants[v]->steps[step].hazards;
        for (uint32_t i = 0; i < hazards.len; i++) {
            tn_vec_push(arena, &all, hazards.data[i]);
        }
    }
    uint32_t kept = 0;
    TN_SORT(all.data, all.len, tn_by_u32);
    for (uint32_t i = 0; i < all.len; i++) {
        if (i == 0 || all.data[i] != all.data[kept - 1]) {
            all.data[kept++] = all.data[i];
        }
    }
    return (tn_ids){all.data, kept};
}
