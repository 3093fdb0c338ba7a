/* Where things lie: values inside storages, storages inside pools, aligned; constants apart from
 * what is written; slots as large as what they hold. */
#include "ir/base/xmath.h"
#include "ir/check/check_t.h"
#include "ir/plan/plan_names.h"

static bool inside(uint64_t offset, uint64_t size, uint64_t capacity) {
    return size <= capacity && offset <= capacity - size;
}

/* Constants lie in a pool of constants, or with the caller when they are state that a run updates.
 * What else lies among constants has to be a view of one (ir/check/check_aliases.c). */
static void check_constness(tn_checking *c, uint32_t i, const tn_pool *pool) {
    const tn_value *v = c->facts[i].v;
    bool constant = tn_is_const(v), wrong;
    if (c->facts[i].state) {
        wrong = pool->kind == TN_POOL_CONST;
    } else {
        wrong = constant && pool->kind != TN_POOL_CONST;
    }
    bool shared = pool->kind == TN_POOL_ARENA && !c->p->storages[c->p->values[i].storage].pinned;
    if ((v->flags & TN_VF_WORKSPACE) && c->facts[i].state && shared) {
        tn_check_fail(c, "workspace %s stays from run to run, but others may take its bytes",
                      tn_check_value_name(c, i));
    }
    if (wrong) {
        tn_check_fail(c, "%s %s lies in pool '%s' (%s)", constant ? "constant" : "state",
                      tn_check_value_name(c, i), pool->name, tn_pool_kind_names[pool->kind]);
    }
}

static void check_value(tn_checking *c, uint32_t i) {
    const tn_plan_value *pv = &c->p->values[i];
    if (pv->storage == TN_NO_ID) {
        return;
    }
    const tn_storage *s = &c->p->storages[pv->storage];
    const tn_pool *pool = &c->p->pools[s->pool];
    tn_fact *f = &c->facts[i];
    if (!inside(pv->offset, f->bytes, s->size - s->second)) {
        tn_check_fail(c, "value %s: bytes [%llu,%llu) do not fit its storage of %llu bytes",
                      tn_check_value_name(c, i), (unsigned long long)pv->offset,
                      (unsigned long long)pv->offset + (unsigned long long)f->bytes,
                      (unsigned long long)(s->size - s->second));
        return;
    }
    /* A storage may be aligned to more, for the sake of one of its values (--align-value). */
    if (pv->offset % pool->align != 0) {
        tn_check_fail(c, "value %s: offset %llu in its storage breaks the alignment of %llu",
                      tn_check_value_name(c, i), (unsigned long long)pv->offset,
                      (unsigned long long)pool->align);
    }
    check_constness(c, i, pool);
    f->placed = inside(s->offset, s->size, pool->size);
    if (f->need == (int32_t)c->p->n_steps && (f->v->flags & TN_VF_PINNED) != 0 && !s->pinned) {
        tn_check_fail(c, "value %s is pinned in the model, its storage is not",
                      tn_check_value_name(c, i));
    }
}

/* Two places are alike: everything in a storage lies in either by the same distance, both are
 * aligned, and neither is anybody else's at any step. So a run in one is a run in the other. */
static void check_second(tn_checking *c, uint32_t i, const tn_pool *pool) {
    const tn_storage *s = &c->p->storages[i];
    const char *name = tn_check_value_name(c, s->root);
    if (s->second > s->size || s->size - s->second > s->second) {
        tn_check_fail(c, "storage of %s: two places of %llu bytes in all do not lie %llu apart",
                      name, (unsigned long long)s->size, (unsigned long long)s->second);
    } else if (s->second % s->align != 0 || s->second % pool->align != 0) {
        tn_check_fail(c, "storage of %s: its second place, %llu bytes on, breaks the alignment",
                      name, (unsigned long long)s->second);
    } else if (!s->pinned || pool->kind == TN_POOL_CONST) {
        tn_check_fail(c, "storage of %s has two places, but others may take their bytes", name);
    }
}

/* By storage: whether it holds an input or output that is to have two places. */
static void check_doubles(tn_checking *c) {
    const tn_plan *p = c->p;
    bool *asked = TN_ARRAY(c->arena, bool, p->n_storages);
    bool *stays = TN_ARRAY(c->arena, bool, p->n_storages);
    for (uint32_t i = 0; i < p->n_values; i++) {
        uint32_t s = p->values[i].storage;
        if (s != TN_NO_ID) {
            asked[s] = asked[s] || (c->facts[i].v->flags & TN_VF_DOUBLE) != 0;
            stays[s] = stays[s] || c->facts[i].state || tn_is_const(c->facts[i].v);
        }
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        bool single = stays[i] || p->pools[s->pool].kind == TN_POOL_CONST;
        if (asked[i] && s->second == 0 && s->size > 0 && !single) {
            tn_check_fail(c, "storage of %s is to have two places, and has one",
                          tn_check_value_name(c, s->root));
        } else if (s->second > 0 && (!asked[i] || stays[i])) {
            tn_check_fail(c, "storage of %s has two places, which %s",
                          tn_check_value_name(c, s->root),
                          stays[i] ? "what stays from run to run cannot have" : "nobody asked for");
        }
    }
}

static void check_storage(tn_checking *c, uint32_t i) {
    const tn_storage *s = &c->p->storages[i];
    const tn_pool *pool = &c->p->pools[s->pool];
    if (s->second > 0) {
        check_second(c, i, pool);
    }
    if (!inside(s->offset, s->size, pool->size)) {
        tn_check_fail(c, "storage of %s: %llu bytes at offset %llu do not fit pool '%s' of %llu",
                      tn_check_value_name(c, s->root), (unsigned long long)s->size,
                      (unsigned long long)s->offset, pool->name, (unsigned long long)pool->size);
    }
    if (s->offset % s->align != 0 || s->offset % pool->align != 0 ||
        tn_pool_base(pool) % s->align != 0) {
        tn_check_fail(c,
                      "storage of %s: offset %llu breaks alignment %llu of pool '%s' or its own "
                      "of %llu",
                      tn_check_value_name(c, s->root), (unsigned long long)s->offset,
                      (unsigned long long)pool->align, pool->name, (unsigned long long)s->align);
    }
    if (pool->kind != TN_POOL_ARENA && !s->pinned) {
        tn_check_fail(c, "storage of %s lies in pool '%s', which nothing shares, but is not pinned",
                      tn_check_value_name(c, s->root), pool->name);
    }
    if (c->p->values[s->root].storage != i) {
        tn_check_fail(c, "storage %u is said to be that of %s, which lies elsewhere", i,
                      tn_check_value_name(c, s->root));
    }
}

/* What stays from run to run lies in pools of state where there are any, and nothing else does but
 * in its bytes. */
static void check_state(tn_checking *c) {
    const tn_plan *p = c->p;
    bool *holds = TN_ARRAY(c->arena, bool, p->n_storages), any = false;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        any = any || p->pools[i].kind == TN_POOL_STATE;
    }
    for (uint32_t i = 0; i < p->n_values && any; i++) {
        uint32_t s = p->values[i].storage;
        if (s != TN_NO_ID && c->facts[i].state) {
            holds[s] = true;
        }
    }
    for (uint32_t i = 0; i < p->n_storages && any; i++) {
        const tn_pool *pool = &p->pools[p->storages[i].pool];
        if (holds[i] != (pool->kind == TN_POOL_STATE)) {
            tn_check_fail(c, "storage of %s lies in pool '%s' (%s), and %s",
                          tn_check_value_name(c, p->storages[i].root), pool->name,
                          tn_pool_kind_names[pool->kind],
                          holds[i] ? "what stays from run to run has pools of its own"
                                   : "nothing in it stays from run to run");
        }
    }
}

/* A pool is as large as its contents, give or take the padding behind the last of them. */
static void check_pools(tn_checking *c) {
    const tn_plan *p = c->p;
    uint64_t *top = TN_ARRAY(c->arena, uint64_t, p->n_pools);
    uint64_t base = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        uint64_t end;
        if (tn_add_u64(s->offset, s->size, &end) && end > top[s->pool]) {
            top[s->pool] = end;
        }
    }
    for (uint32_t i = 0; i < p->n_slots; i++) {
        const tn_slot *s = &p->slots[i];
        uint64_t end;
        if (tn_add_u64(s->offset, s->size, &end) && end > top[s->pool]) {
            top[s->pool] = end;
        }
    }
    c->pool_base = TN_ARRAY(c->arena, uint64_t, p->n_pools);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        uint64_t padded;
        if (!tn_align_u64(top[i], pool->align, &padded) || pool->size > padded) {
            tn_check_fail(c, "pool '%s' has %llu bytes, its storages need %llu", pool->name,
                          (unsigned long long)pool->size, (unsigned long long)top[i]);
        }
        if (!tn_is_power_of_2(pool->align) || !tn_is_power_of_2(tn_pool_base(pool))) {
            tn_check_fail(c, "pool '%s' is aligned to %llu, and its base to %llu: no powers of two",
                          pool->name, (unsigned long long)pool->align,
                          (unsigned long long)tn_pool_base(pool));
        }
        if (pool->copied && pool->kind != TN_POOL_CONST && pool->kind != TN_POOL_STATE) {
            tn_check_fail(
                c, "pool '%s' (%s) is said to be copied, and only constants and state can be",
                pool->name, tn_pool_kind_names[pool->kind]);
        }
        if (tn_pool_base(pool) % pool->align != 0) {
            tn_check_fail(c,
                          "pool '%s' begins at multiples of %llu, which breaks its alignment of "
                          "%llu",
                          pool->name, (unsigned long long)tn_pool_base(pool),
                          (unsigned long long)pool->align);
        }
        if (pool->capacity > 0 && pool->size > pool->capacity) {
            tn_check_fail(c, "pool '%s' has %llu bytes, more than its capacity of %llu", pool->name,
                          (unsigned long long)pool->size, (unsigned long long)pool->capacity);
        }
        if (pool->bound > pool->size) {
            tn_check_fail(c, "pool '%s' has %llu bytes, less than its lower bound of %llu",
                          pool->name, (unsigned long long)pool->size,
                          (unsigned long long)pool->bound);
        }
        c->pool_base[i] = base;
        if (!tn_add_u64(base, pool->size, &base)) {
            tn_check_fail(c, "the pools have more than 2^64 bytes in all");
            base = 0;
        }
    }
}

/* A pool is laid out in slots or by offsets: who takes memory slot by slot has none for others. */
static void check_slots(tn_checking *c) {
    const tn_plan *p = c->p;
    uint64_t *largest = TN_ARRAY(c->arena, uint64_t, p->n_slots);
    bool *in_slots = TN_ARRAY(c->arena, bool, p->n_pools);
    for (uint32_t i = 0; i < p->n_slots; i++) {
        in_slots[p->slots[i].pool] = true;
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        if (s->slot == TN_NO_ID) {
            if (in_slots[s->pool] && s->size > 0) {
                tn_check_fail(c, "storage of %s lies in no slot of pool '%s', which has slots",
                              tn_check_value_name(c, s->root), p->pools[s->pool].name);
            }
            continue;
        }
        const tn_slot *slot = &p->slots[s->slot];
        if (slot->pool != s->pool || slot->offset != s->offset || s->size > slot->size) {
            tn_check_fail(c,
                          "storage of %s (%llu bytes at %llu) does not lie in its slot %u "
                          "(%llu bytes at %llu)",
                          tn_check_value_name(c, s->root), (unsigned long long)s->size,
                          (unsigned long long)s->offset, s->slot, (unsigned long long)slot->size,
                          (unsigned long long)slot->offset);
        }
        largest[s->slot] = s->size > largest[s->slot] ? s->size : largest[s->slot];
    }
    for (uint32_t i = 0; i < p->n_slots; i++) {
        uint64_t padded;
        uint64_t align = p->pools[p->slots[i].pool].align;
        if (!tn_align_u64(largest[i], align, &padded) || p->slots[i].size > padded) {
            tn_check_fail(c, "slot %u has %llu bytes, its largest storage %llu", i,
                          (unsigned long long)p->slots[i].size, (unsigned long long)largest[i]);
        }
    }
}

void tn_check_places(tn_checking *c) {
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        check_value(c, i);
    }
    for (uint32_t i = 0; i < c->p->n_storages; i++) {
        check_storage(c, i);
    }
    check_doubles(c);
    check_state(c);
    check_pools(c);
    check_slots(c);
}
