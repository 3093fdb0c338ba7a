/* Constants, inputs, outputs and state of all plans get places that agree: nothing overlaps in
 * their pools, so offsets can change after the plans are made. */
#include "lib/sets/set_join.h"

#include <string.h>

#include "ir/base/sha256.h"
#include "ir/base/xmath.h"
#include "ir/tensor_bytes.h"

/* ---- pools ---- */

static bool has_pool(const tn_pool *pools, uint32_t n, const char *name) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(pools[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Where the inputs of one program end is known at run time, where it leaves dimensions open: so
 * each program has those pools for itself. A pool of the user's may have such a name already. */
static void part_pools(tn_join *j) {
    for (uint32_t i = 0; i < j->plans->list.len; i++) {
        tn_plan *p = tn_join_plan(j, i);
        for (uint32_t k = 0; k < p->n_pools; k++) {
            const char *program = j->plans->models[j->program_of[i]].program;
            const char *name = tn_arena_printf(p->arena, "%s_%s", p->pools[k].name, program);
            while (has_pool(p->pools, p->n_pools, name)) {
                name = tn_arena_printf(p->arena, "%s_", name);
            }
            p->pools[k].name = p->pools[k].kind == TN_POOL_IO ? name : p->pools[k].name;
        }
    }
}

/* The pools of all plans: arenas, which each of them has, one of constants where some plan has it,
 * and those of inputs and outputs, and of state. */
static uint32_t all_pools(const tn_join *j, tn_pool *out) {
    uint32_t n = 0;
    for (uint32_t kind = 0; kind < TN_N_POOL_KINDS; kind++) {
        for (uint32_t i = 0; i < j->plans->list.len; i++) {
            const tn_plan *p = tn_join_plan(j, i);
            for (uint32_t k = 0; k < p->n_pools; k++) {
                if (p->pools[k].kind == kind && !has_pool(out, n, p->pools[k].name)) {
                    out[n] = p->pools[k];
                    out[n].size = out[n].bound = out[n].traffic = 0;
                    n++;
                }
            }
        }
    }
    return n;
}

static void same_pools(tn_join *j) {
    tn_pool *all =
        TN_ARRAY(j->arena, tn_pool, tn_join_plan(j, 0)->n_pools + 3u + j->plans->n_programs);
    uint32_t n = all_pools(j, all);
    for (uint32_t i = 0; i < j->plans->list.len; i++) {
        tn_plan *p = tn_join_plan(j, i);
        tn_pool *pools = TN_ARRAY(p->arena, tn_pool, n);
        uint32_t *place = TN_ARRAY(j->arena, uint32_t, p->n_pools);
        memcpy(pools, all, n * sizeof *pools);
        for (uint32_t k = 0; k < p->n_pools; k++) {
            while (strcmp(pools[place[k]].name, p->pools[k].name) != 0) {
                place[k]++;
            }
            pools[place[k]] = p->pools[k];
        }
        for (uint32_t k = 0; k < p->n_storages; k++) {
            p->storages[k].pool = place[p->storages[k].pool];
        }
        p->pools = pools;
        p->n_pools = n;
    }
}

/* ---- groups ---- */

static uint32_t first_of(const tn_join *j, uint32_t item) {
    while (j->items.data[item].up != item) {
        item = j->items.data[item].up;
    }
    return item;
}

static bool meet(const tn_join *j, uint32_t a, uint32_t b) {
    const tn_join_item *items = j->items.data;
    for (uint32_t x = a; x != TN_NO_ID; x = items[x].next) {
        for (uint32_t y = b; y != TN_NO_ID; y = items[y].next) {
            if (items[x].plan == items[y].plan) {
                return true;
            }
        }
    }
    return false;
}

bool tn_join_unite(tn_join *j, uint32_t a, uint32_t b) {
    a = first_of(j, a);
    b = first_of(j, b);
    if (a == b) {
        return true;
    }
    if (meet(j, a, b)) {
        return false;
    }
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    tn_join_item *items = j->items.data;
    items[high].up = low;
    items[items[low].last].next = high;
    items[low].last = items[high].last;
    return true;
}

static void add_items(tn_join *j) {
    j->item_of = TN_ARRAY(j->arena, uint32_t *, j->plans->list.len);
    for (uint32_t i = 0; i < j->plans->list.len; i++) {
        const tn_plan *p = tn_join_plan(j, i);
        j->item_of[i] = TN_ARRAY(j->arena, uint32_t, p->n_storages);
        for (uint32_t s = 0; s < p->n_storages; s++) {
            uint32_t at = j->items.len;
            bool outside = p->pools[p->storages[s].pool].kind != TN_POOL_ARENA;
            j->item_of[i][s] = outside ? at : TN_NO_ID;
            if (outside) {
                tn_vec_push(j->arena, &j->items, (tn_join_item){i, s, at, TN_NO_ID, at});
            }
        }
    }
}

/* ---- what is the same ---- */

static void hash(void *user, const char *data, size_t len) {
    tn_sha256_add(user, data, len);
}

/* Of the constant's bytes: two graphs of one model may call different ones by one name. */
static const char *content_of(tn_join *j, const tn_set_plan *of, const tn_plan_value *v) {
    const tn_value *x = v->module_value != TN_NO_ID ? of->module->values[v->module_value] : NULL;
    const tn_tensor *t = x == NULL ? NULL : x->tensor != NULL ? x->tensor : tn_value_tensor(x);
    if (t == NULL || !tn_tensor_has_bytes(t)) {
        return "";
    }
    char *hex = TN_ARRAY(j->arena, char, TN_SHA256_HEX);
    tn_sha256 sha = tn_sha256_start();
    tn_sink out = tn_sink_streamed(j->arena, (tn_drain){hash, &sha});
    tn_tensor_put_bytes(t, &out);
    tn_sink_flush(&out);
    tn_sha256_end_hex(&sha, hex);
    return hex;
}

/* Whether another program is of another graph of the same file. */
static bool has_twin(const tn_join *j, uint32_t plan) {
    const tn_module *m = j->plans->list.data[plan].module;
    for (uint32_t i = 0; i < j->plans->list.len; i++) {
        const tn_module *other = j->plans->list.data[i].module;
        if (strcmp(m->file, other->file) == 0 && strcmp(m->name, other->name) != 0) {
            return true;
        }
    }
    return false;
}

/* A storage that lies where the extents of a run say. */
static bool is_loose(const tn_join *j, const tn_join_item *item) {
    const tn_plan *p = tn_join_plan(j, item->plan);
    return p->n_ranges > 0 && p->pools[p->storages[item->storage].pool].kind == TN_POOL_IO;
}

/* A text that is equal for storages that shall lie at one place. */
static const char *key_of(tn_join *j, uint32_t plan, const tn_plan_value *v) {
    const tn_plan *p = tn_join_plan(j, plan);
    uint32_t program = j->program_of[plan];
    if (p->pools[p->storages[v->storage].pool].kind != TN_POOL_CONST) {
        return tn_internf(j->ctx, "%u\n%s\n%s", program, v->graph, v->name);
    }
    bool twin = has_twin(j, plan);
    const char *content = twin ? content_of(j, &j->plans->list.data[plan], v) : "";
    const char *owner = j->plans->models[program].path;
    if (twin && content[0] == '\0') {
        owner = tn_internf(j->ctx, "%s\n%s", owner, p->model);
    }
    return tn_internf(j->ctx, "const\n%s\n%s\n%s\n%llu\n%s", owner, v->graph, v->name,
                      (unsigned long long)p->storages[v->storage].size, content);
}

static bool has_own_place(const tn_plan_value *v) {
    return v->storage != TN_NO_ID && (v->role != TN_ROLE_INTERNAL);
}

static void unite_equals(tn_join *j) {
    tn_map seen = tn_map_make(j->arena);
    for (uint32_t i = 0; i < j->plans->list.len; i++) {
        const tn_plan *p = tn_join_plan(j, i);
        for (uint32_t k = 0; k < p->n_values; k++) {
            const tn_plan_value *v = &p->values[k];
            uint32_t item = has_own_place(v) ? j->item_of[i][v->storage] : TN_NO_ID;
            uint64_t other;
            if (item == TN_NO_ID || is_loose(j, &j->items.data[item])) {
                continue;
            }
            uint64_t key = tn_str_id(key_of(j, i, v));
            if (tn_map_get(&seen, key, &other)) {
                (void)tn_join_unite(j, (uint32_t)other, item);
            } else {
                tn_map_put(&seen, key, item);
            }
        }
    }
}

/* ---- places ---- */

static uint64_t group_size(const tn_join *j, uint32_t first) {
    uint64_t size = 0;
    for (uint32_t i = first; i != TN_NO_ID; i = j->items.data[i].next) {
        const tn_join_item *item = &j->items.data[i];
        uint64_t own = tn_join_plan(j, item->plan)->storages[item->storage].size;
        size = own > size ? own : size;
    }
    return size;
}

static void place_group(const tn_join *j, uint32_t first, uint64_t *tops) {
    const tn_join_item *head = &j->items.data[first];
    const tn_plan *p = tn_join_plan(j, head->plan);
    uint32_t pool = p->storages[head->storage].pool;
    uint64_t at, end;
    if (!tn_align_u64(tops[pool], p->pools[pool].align, &at) ||
        !tn_add_u64(at, group_size(j, first), &end) || end > INT64_MAX) {
        tn_fail(j->ctx, NULL, "pool '%s' of all programs needs more than 2^63 bytes",
                p->pools[pool].name);
    }
    tops[pool] = end;
    for (uint32_t i = first; i != TN_NO_ID; i = j->items.data[i].next) {
        const tn_join_item *item = &j->items.data[i];
        tn_join_plan(j, item->plan)->storages[item->storage].offset = at;
    }
}

/* As far as its own storages reach. */
static void measure_pools(tn_plan *p) {
    tn_plan_report *r = &p->report;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        p->pools[i].size = p->pools[i].kind == TN_POOL_ARENA ? p->pools[i].size : 0;
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        tn_pool *pool = &p->pools[s->pool];
        if (pool->kind != TN_POOL_ARENA && s->offset + s->size > pool->size) {
            pool->size = s->offset + s->size;
        }
    }
    r->const_bytes = r->io_bytes = r->ram = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        uint64_t size = p->pools[i].size;
        r->const_bytes += p->pools[i].kind == TN_POOL_CONST ? size : 0;
        r->io_bytes += tn_pool_is_callers(&p->pools[i]) ? size : 0;
        r->ram += tn_pool_is_ram(&p->pools[i]) ? size : 0;
    }
    r->flash = r->const_bytes;
}

/* What programs share and what each has lies in a row: no plan by itself can tell whether it fits.
 */
static tn_status demand_capacity(const tn_join *j, const uint64_t *tops) {
    const tn_plan *p = tn_join_plan(j, 0);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        if (pool->kind != TN_POOL_ARENA && pool->capacity != 0 && tops[i] > pool->capacity) {
            return tn_error_of(j->ctx, TN_NOFIT, NULL,
                               "pool '%s' of %llu bytes does not hold what all programs and "
                               "variants keep there: %llu bytes",
                               pool->name, (unsigned long long)pool->capacity,
                               (unsigned long long)tops[i]);
        }
    }
    return TN_OK;
}

static tn_status place_all(tn_join *j) {
    uint64_t *tops = TN_ARRAY(j->arena, uint64_t, tn_join_plan(j, 0)->n_pools);
    for (uint32_t i = 0; i < j->items.len; i++) {
        if (j->items.data[i].up == i && !is_loose(j, &j->items.data[i])) {
            place_group(j, i, tops);
        }
    }
    for (uint32_t i = 0; i < j->plans->list.len; i++) {
        measure_pools(tn_join_plan(j, i));
    }
    return demand_capacity(j, tops);
}

/* ---- the set ---- */

static tn_pool *largest_pools(const tn_join *j, tn_arena *arena) {
    const tn_plan *first = tn_join_plan(j, 0);
    tn_pool *pools = TN_ARRAY(arena, tn_pool, first->n_pools);
    for (uint32_t k = 0; k < first->n_pools; k++) {
        pools[k] = first->pools[k];
        for (uint32_t i = 1; i < j->plans->list.len; i++) {
            const tn_pool *pool = &tn_join_plan(j, i)->pools[k];
            pools[k].size = pool->size > pools[k].size ? pool->size : pools[k].size;
            pools[k].bound = pool->bound > pools[k].bound ? pool->bound : pools[k].bound;
            pools[k].traffic = pool->traffic > pools[k].traffic ? pool->traffic : pools[k].traffic;
        }
    }
    return pools;
}

static void make_set(tn_join *j) {
    tn_arena *arena = tn_join_plan(j, 0)->arena;
    tn_plan_set *set = TN_NEW(arena, tn_plan_set);
    uint32_t n = j->plans->n_programs, at = 0;
    set->programs = TN_ARRAY(arena, tn_plan_program, n);
    set->n_programs = n;
    for (uint32_t i = 0; i < n; i++) {
        tn_plan_program *program = &set->programs[i];
        const char *name = j->plans->models[i].program;
        program->name = tn_arena_strndup(arena, name, strlen(name));
        program->n_variants = j->plans->n_variants[i];
        program->variants = TN_ARRAY(arena, tn_plan *, program->n_variants);
        for (uint32_t k = 0; k < program->n_variants; k++, at++) {
            program->variants[k] = tn_join_plan(j, at);
            program->variants[k]->set = set;
        }
    }
    set->pools = largest_pools(j, arena);
    set->links = TN_ARRAY(arena, tn_plan_link, j->links.len);
    set->n_links = j->links.len;
    for (uint32_t i = 0; i < j->links.len; i++) {
        const tn_plan_link *l = &j->links.data[i];
        set->links[i] = (tn_plan_link){
            l->from, l->to, tn_arena_strndup(arena, l->from_value, strlen(l->from_value)),
            tn_arena_strndup(arena, l->to_value, strlen(l->to_value))};
    }
}

tn_status tn_set_join(tn_arena *arena, tn_set_plans *plans, const tn_request *r) {
    tn_join j = {.arena = arena, .ctx = tn_arena_ctx(arena), .plans = plans};
    uint32_t *program_of = TN_ARRAY(arena, uint32_t, plans->list.len), at = 0;
    for (uint32_t i = 0; i < plans->n_programs; i++) {
        for (uint32_t k = 0; k < plans->n_variants[i]; k++) {
            program_of[at++] = i;
        }
    }
    bool is_open = false;
    for (uint32_t i = 0; i < plans->list.len; i++) {
        is_open = is_open || plans->list.data[i].plan->n_ranges > 0;
    }
    j.program_of = program_of;
    if (is_open) {
        part_pools(&j);
    }
    same_pools(&j);
    add_items(&j);
    unite_equals(&j);
    tn_status status = tn_join_state(&j);
    if (status == TN_OK) {
        status = tn_join_ties(&j, r);
    }
    if (status == TN_OK) {
        status = place_all(&j);
    }
    if (status == TN_OK) {
        make_set(&j);
    }
    return status;
}
