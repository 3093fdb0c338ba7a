#include "backends/core/set_ids.h"

#include <inttypes.h>
#include <string.h>

#include "backends/core/emit.h"
#include "backends/core/open_layout.h"
#include "backends/core/plan_ids.h"

/* What artefacts of several plans define under the prefix of all. */
static const char *const reserved[] = {"weights", "initial", "plan", "memory", "static"};
enum { N_RESERVED = sizeof reserved / sizeof reserved[0] };

uint32_t tn_set_parts(const tn_plan_program *program) {
    return program->variants[0]->n_ranges > 0 ? 1 : program->n_variants;
}

uint64_t *tn_set_pool_sizes(tn_arena *arena, const tn_plan *p, uint64_t largest) {
    uint64_t *sizes = TN_ARRAY(arena, uint64_t, p->n_pools);
    for (uint32_t i = 0; i < p->set->n_programs; i++) {
        const tn_plan_program *program = &p->set->programs[i];
        for (uint32_t k = 0; k < tn_set_parts(program); k++) {
            const tn_plan *one = program->variants[k];
            const tn_open *o = tn_open_make(arena, one);
            for (uint32_t n = 0; n < p->n_pools; n++) {
                bool loaded = o != NULL && o->pool_row[n] != TN_NO_ID;
                uint64_t size = !loaded               ? one->pools[n].size
                                : o->pool_max != NULL ? o->pool_max[n]
                                                      : TN_NO_SIZE;
                size = size > largest ? TN_NO_SIZE : size;
                sizes[n] = size > sizes[n] ? size : sizes[n];
            }
        }
    }
    return sizes;
}

static uint32_t put_names(tn_arena *arena, const tn_plan_set *set, const char **names) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < set->n_programs; i++) {
        const tn_plan_program *program = &set->programs[i];
        for (uint32_t k = 0; k < tn_set_parts(program); k++) {
            names[n++] = tn_set_parts(program) == 1
                             ? program->name
                             : tn_arena_printf(arena, "%s_%" PRIu32, program->name, k);
        }
    }
    for (uint32_t i = 0; i < set->n_programs; i++) {
        if (tn_set_parts(&set->programs[i]) > 1) {
            names[n++] = set->programs[i].name;
        }
    }
    return n;
}

tn_set_ids tn_set_ids_make(tn_arena *arena, const tn_plan *p, const char *prefix, size_t longest) {
    const tn_plan_set *set = p->set;
    uint32_t n_plans = 0, own = p->n_pools + N_RESERVED;
    uint32_t *at = TN_ARRAY(arena, uint32_t, tn_plan_count(p));
    for (uint32_t i = 0, plan = 0; i < set->n_programs; plan += set->programs[i++].n_variants) {
        for (uint32_t k = 0; k < tn_set_parts(&set->programs[i]); k++) {
            at[n_plans++] = plan + k;
        }
    }
    const char **names = TN_ARRAY(arena, const char *, own + set->n_programs + n_plans);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[i] = p->pools[i].name;
    }
    memcpy(names + p->n_pools, reserved, sizeof reserved);
    uint32_t n = own + put_names(arena, set, names + own);
    size_t room = longest - TN_LONGEST_OWN_WORD - strlen(prefix) - 1;
    const char **plans = tn_identifiers_within(arena, "m", names, n, true, room) + own;
    const char **several = plans + n_plans;
    tn_set_ids ids = {n_plans, at, plans, TN_ARRAY(arena, const char *, set->n_programs)};
    for (uint32_t i = 0, part = 0; i < set->n_programs; part += tn_set_parts(&set->programs[i++])) {
        ids.programs[i] = tn_set_parts(&set->programs[i]) > 1 ? *several++ : plans[part];
    }
    return ids;
}

bool tn_variants_differ(const tn_plan_program *program, uint32_t dim) {
    for (uint32_t i = 1; i < program->n_variants; i++) {
        if (program->variants[i]->dims[dim].value != program->variants[0]->dims[dim].value) {
            return true;
        }
    }
    return false;
}
