/* A plan with open dimensions as a plan of numbers. */

#include "ir/base/xmath.h"
#include "ir/plan/plan_extents.h"

static uint64_t arena_size(const tn_plan *p, const tn_resolved *at) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        sum += p->pools[i].kind == TN_POOL_ARENA ? at->pool_size[i] : 0;
    }
    return sum;
}

const tn_plan *tn_plan_smallest(const tn_plan *p, const int64_t *dims) {
    const tn_plan *best = NULL;
    uint64_t least = UINT64_MAX;
    tn_arena *scratch = tn_arena_new(p->ctx);
    const tn_plan_program *program = tn_plan_program_of(p);
    for (uint32_t i = 0; i < (program != NULL ? program->n_variants : 1); i++) {
        tn_resolved at;
        const tn_plan *variant = program != NULL ? program->variants[i] : p;
        if (tn_plan_try(variant, dims, scratch, &at) && arena_size(variant, &at) < least) {
            least = arena_size(variant, &at);
            best = variant;
        }
    }
    tn_arena_drop(scratch);
    return best;
}

/* What the caller keeps counts where it lies in an arena. */
static bool counts(const tn_plan *p, const tn_plan_value *v) {
    if (v->storage == TN_NO_ID || v->role == TN_ROLE_CONST) {
        return false;
    }
    return v->role == TN_ROLE_INTERNAL || v->role == TN_ROLE_WORKSPACE ||
           p->pools[p->storages[v->storage].pool].kind == TN_POOL_ARENA;
}

/* Every value with bytes of its own. */
static uint64_t naive_of(const tn_plan *p, const tn_resolved *at) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        uint64_t size = 0;
        if (counts(p, v) &&
            tn_align_u64(at->value_bytes[i], p->pools[p->storages[v->storage].pool].align, &size) &&
            !tn_add_u64(sum, size, &sum)) {
            return UINT64_MAX;
        }
    }
    return sum;
}

static bool in_arena(const tn_plan *p, const tn_storage *s) {
    return p->pools[s->pool].kind == TN_POOL_ARENA;
}

/* By step, that before the first one and that behind the last one included: they are at 0 and at
 * the end. */
static uint64_t *load_by_step(const tn_plan *p, const tn_resolved *at, tn_arena *arena) {
    uint64_t *change = TN_ARRAY(arena, uint64_t, (size_t)p->n_steps + 3), now = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        uint64_t size;
        if (in_arena(p, s) && tn_align_u64(at->storage_size[i], s->align, &size)) {
            change[s->first + 1] += size;
            change[s->last + 2] -= size;
        }
    }
    for (uint32_t i = 0; i < p->n_steps + 2; i++) {
        now += change[i];
        change[i] = now;
    }
    return change;
}

uint64_t tn_plan_load(const tn_plan *p, const tn_resolved *at, tn_arena *arena) {
    const uint64_t *load = load_by_step(p, at, arena);
    uint64_t most = 0;
    for (uint32_t i = 0; i < p->n_steps + 2; i++) {
        most = load[i] > most ? load[i] : most;
    }
    return most;
}

static void put_peak(tn_plan *p, const tn_resolved *at) {
    const uint64_t *load = load_by_step(p, at, p->arena);
    uint32_t *ids = TN_ARRAY(p->arena, uint32_t, p->n_storages), n = 0;
    int32_t peak = -1;
    for (uint32_t i = 0; i < p->n_steps; i++) {
        peak = peak < 0 || load[i + 1] > load[peak + 1] ? (int32_t)i : peak;
    }
    for (uint32_t i = 0; i < p->n_storages && peak >= 0; i++) {
        const tn_storage *s = &p->storages[i];
        uint64_t size = at->storage_size[i];
        if (in_arena(p, s) && size > 0 && s->first <= peak && s->last >= peak) {
            uint32_t k = n++;
            for (; k > 0 && at->storage_size[ids[k - 1]] < size; k--) {
                ids[k] = ids[k - 1];
            }
            ids[k] = i;
        }
    }
    p->report.peak_step = n > 0 ? peak : -1;
    p->report.peak = (tn_ids){ids, n};
}

/* Figures of levels that are not laid out for these extents are those of level none. */
static void put_figures(tn_plan *p, const tn_resolved *at) {
    tn_plan_report *r = &p->report;
    r->level1 = arena_size(p, at);
    r->naive = naive_of(p, at);
    r->naive = r->naive > r->level1 ? r->naive : r->level1;
    r->level0 = r->naive;
    r->bound = tn_plan_load(p, at, p->arena);
    r->optimal = r->bound == r->level1 && tn_plan_is_whole(p);
    r->order_bound = r->other_order = r->saved_by_sharing = 0;
    put_peak(p, at);
    r->const_bytes = r->io_bytes = r->ram = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        uint64_t size = p->pools[i].size = at->pool_size[i];
        bool arena = p->pools[i].kind == TN_POOL_ARENA, data = p->pools[i].kind == TN_POOL_CONST;
        p->pools[i].bound = arena ? r->bound : size;
        r->const_bytes += data ? size : 0;
        r->io_bytes += arena || data ? 0 : size;
        r->ram += tn_pool_is_ram(&p->pools[i]) ? size : 0;
    }
    r->flash = r->const_bytes;
}

static void *copy(tn_arena *arena, const void *items, uint32_t n, size_t size) {
    return tn_arena_regrow(arena, items, n, n, size);
}

tn_plan *tn_plan_for(const tn_plan *p, const int64_t *dims) {
    tn_plan *out = tn_plan_new(p->ctx);
    tn_arena *arena = out->arena;
    tn_resolved at;
    if (tn_plan_resolve(p, dims, arena, &at) != TN_OK) {
        tn_plan_drop(out);
        return NULL;
    }
    *out = *p;
    out->arena = arena;
    out->set = NULL;
    out->layout = NULL;
    out->pools = copy(arena, p->pools, p->n_pools, sizeof *p->pools);
    out->storages = copy(arena, p->storages, p->n_storages, sizeof *p->storages);
    out->values = copy(arena, p->values, p->n_values, sizeof *p->values);
    out->ranges = copy(arena, p->ranges, p->n_ranges, sizeof *p->ranges);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        out->storages[i].offset = at.storage_offset[i];
        out->storages[i].size = at.storage_size[i];
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        out->values[i].bytes = at.value_bytes[i];
        out->values[i].offset = at.value_offset[i];
    }
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        out->ranges[i].point = dims[i];
    }
    put_figures(out, &at);
    return out;
}
