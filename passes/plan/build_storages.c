#include "passes/plan/plan_build.h"

#include "ir/base/xmath.h"

static uint32_t add_pool(tn_build *b, const char *name, tn_pool_kind kind) {
    b->p->pools[b->p->n_pools] = (tn_pool){.name = name, .kind = kind, .align = b->want.align};
    return b->p->n_pools++;
}

/* Behind what the pool holds already; pools other than the arena share nothing. */
static uint64_t append(tn_build *b, tn_pool *pool, uint64_t size) {
    uint64_t at, end;
    if (!tn_align_u64(pool->size, pool->align, &at) || !tn_add_u64(at, size, &end) ||
        end > INT64_MAX) {
        tn_loc loc = tn_loc_file(b->m->file);
        tn_fail(b->ctx, &loc, "pool '%s' needs more than 2^63 bytes", pool->name);
    }
    pool->size = pool->bound = end;
    return at;
}

static void add_storage(tn_build *b, uint32_t i, const uint32_t *pool_of) {
    const tn_class *c = &b->classes->classes[i];
    int32_t n = (int32_t)b->p->n_steps;
    bool arena = b->layout->in_arena[i];
    uint32_t pool = arena ? 0 : pool_of[c->home];
    b->p->storages[i] = (tn_storage){
        .id = i,
        .pool = pool,
        .slot = b->layout->slot != NULL ? b->layout->slot[i] : TN_NO_ID,
        .offset = arena ? b->layout->offset[i] : append(b, &b->p->pools[pool], c->size),
        .size = c->size,
        .align = b->want.align,
        .first = c->pinned ? -1 : c->first,
        .last = c->pinned ? n : c->last,
        .pinned = c->pinned,
        .second = c->second,
        .root = c->owner, /* a module value until tn_build_values knows the plan's */
    };
}

void tn_build_storages(tn_build *b) {
    tn_plan *p = b->p;
    bool present[4] = {true};
    uint32_t pool_of[4];
    p->n_steps = b->live->steps->n;
    for (uint32_t i = 0; i < b->classes->n; i++) {
        present[b->classes->classes[i].home] |= !b->layout->in_arena[i];
    }
    p->pools = TN_ARRAY(p->arena, tn_pool, 3);
    pool_of[TN_HOME_ARENA] = add_pool(b, "arena", TN_POOL_ARENA);
    bool io = present[TN_HOME_IO] || present[TN_HOME_APART];
    pool_of[TN_HOME_APART] = pool_of[TN_HOME_IO] = io ? add_pool(b, "io", TN_POOL_IO) : 0;
    pool_of[TN_HOME_CONST] = present[TN_HOME_CONST] ? add_pool(b, "const", TN_POOL_CONST) : 0;
    p->n_storages = b->classes->n;
    p->storages = TN_ARRAY(p->arena, tn_storage, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        add_storage(b, i, pool_of);
    }
    p->pools[0].size = b->layout->size;
    p->pools[0].bound = b->layout->bound;
    p->pools[0].capacity = b->want.capacity;
    p->n_slots = b->layout->n_slots;
    p->slots = TN_ARRAY(p->arena, tn_slot, p->n_slots);
    for (uint32_t i = 0; i < p->n_slots; i++) {
        p->slots[i] = (tn_slot){
            .pool = 0, .offset = b->layout->slot_offset[i], .size = b->layout->slot_size[i]};
    }
}
