/* Storages go back to where they lay in the plan before, pool by pool, as many as can. */
#include <string.h>

#include "ir/base/xmath.h"
#include "passes/pack/keep/keep.h"
#include "passes/plan/before.h"
#include "passes/plan/build_overlaps.h"
#include "passes/plan/overlap_times.h"

typedef struct keeping {
    tn_build *b;
    tn_plan *p;
    bool *fixed;      /* by storage: the user says where it lies */
    uint32_t *pool;   /* by pool of the plan before: that of this one, or TN_NO_ID */
    uint64_t *limit;  /* by pool: bytes it may have */
    uint32_t *ids, n; /* storages of the pool in question */
    tn_keep_item *items;
    bool *inside; /* by pair of the build: the result may begin inside the operand */
} keeping;

static void note_fixes(keeping *k) {
    const tn_place_wishes *w = &k->b->want.places;
    for (uint32_t i = 0; i < w->n_fixes; i++) {
        k->fixed[tn_plan_find(k->p, "", w->fixes[i].value)->storage] = true;
    }
}

/* Arenas may be larger than without by what the user allows. Holes in the other pools cost no
 * working memory, and without them everything behind a constant that is gone would move: these may
 * stay as large as they were. */
static void set_limits(keeping *k) {
    for (uint32_t i = 0; i < k->p->n_pools; i++) {
        const tn_pool *pool = &k->p->pools[i];
        k->limit[i] = tn_with_slack(k->b, pool->size);
    }
    for (uint32_t i = 0; i < k->b->before->old->n_pools; i++) {
        uint32_t to = k->pool[i];
        uint64_t size = k->b->before->old->pools[i].size;
        if (to != TN_NO_ID && k->p->pools[to].kind != TN_POOL_ARENA && size > k->limit[to]) {
            k->limit[to] = size;
        }
    }
    for (uint32_t i = 0; i < k->p->n_pools; i++) {
        const tn_pool *pool = &k->p->pools[i];
        bool over = pool->capacity != 0 && k->limit[i] > pool->capacity;
        k->limit[i] = !over                         ? k->limit[i]
                      : pool->size > pool->capacity ? pool->size
                                                    : pool->capacity;
    }
}

/* As where the pool was laid out: in arenas the bytes behind a size up to the alignment are
 * nobody's. */
static void gather(keeping *k, uint32_t pool) {
    const tn_pool *to = &k->p->pools[pool];
    k->n = 0;
    for (uint32_t i = 0; i < k->p->n_storages; i++) {
        const tn_storage *s = &k->p->storages[i];
        const tn_before_place *was = &k->b->before->place[i];
        bool here = was->pool != TN_NO_ID && k->pool[was->pool] == pool;
        if (s->pool != pool) {
            continue;
        }
        uint64_t size = s->size;
        if (to->kind == TN_POOL_ARENA) {
            (void)tn_align_u64(s->size, to->align, &size); /* it did not overflow before */
        }
        k->items[k->n] = (tn_keep_item){
            .buffer = {.first = s->pinned ? -1 : s->first,
                       .last = (int64_t)(s->pinned ? (int64_t)k->p->n_steps : s->last) + 1,
                       .size = size,
                       .align = s->align,
                       .fixed = k->fixed[i] ? s->offset : TN_PACK_FREE},
            .before = here ? was->offset : TN_PACK_FREE,
            .weight = was->n};
        k->ids[k->n++] = i;
    }
}

static bool lay_inside(const keeping *k, const tn_overlap_pair *pair) {
    const tn_before_place *u = &k->b->before->place[pair->under],
                          *o = &k->b->before->place[pair->over];
    return u->pool != TN_NO_ID && u->pool == o->pool &&
           u->offset < o->offset + k->p->storages[pair->over].size &&
           o->offset < u->offset + k->p->storages[pair->under].size;
}

/* Kernels promise what they do without the plan before, or did in it. */
static void allow_inside(keeping *k) {
    const tn_overlap_pairs *pairs = k->b->pairs;
    k->inside = TN_ARRAY(k->b->scratch, bool, pairs == NULL ? 0 : pairs->n);
    for (uint32_t i = 0; pairs != NULL && i < pairs->n; i++) {
        k->inside[i] = tn_pair_shares(k->p, &pairs->at[i]) || lay_inside(k, &pairs->at[i]);
    }
}

static void add_inside(keeping *k, uint64_t unit) {
    tn_build *b = k->b;
    if (b->pairs == NULL) {
        return;
    }
    tn_pack_buffer *buffers = TN_ARRAY(b->scratch, tn_pack_buffer, k->n);
    uint32_t *buffer_of = TN_ARRAY(b->scratch, uint32_t, k->p->n_storages);
    memset(buffer_of, 0xff, k->p->n_storages * sizeof *buffer_of);
    for (uint32_t i = 0; i < k->n; i++) {
        buffers[i] = k->items[i].buffer;
        buffer_of[k->ids[i]] = i;
    }
    tn_overlap_times(b->scratch, b->pairs, k->inside, buffer_of, unit, buffers, k->n);
    for (uint32_t i = 0; i < k->n; i++) {
        k->items[i].buffer = buffers[i];
    }
}

/* What has to lie elsewhere, of those that are in the pool still. */
static uint32_t place_pool(keeping *k, uint32_t pool) {
    tn_pool *to = &k->p->pools[pool];
    uint64_t *start = TN_ARRAY(k->b->scratch, uint64_t, k->p->n_storages);
    tn_keep_options o = {k->limit[pool], k->b->ask->effort};
    tn_keep_result r;
    gather(k, pool);
    add_inside(k, to->align);
    for (uint32_t i = 0; i < k->n; i++) {
        start[i] = k->p->storages[k->ids[i]].offset;
    }
    tn_pack_keep(k->b->scratch, k->items, k->n, start, &o, &r);
    for (uint32_t i = 0; i < k->n; i++) {
        k->p->storages[k->ids[i]].offset = r.offset[i];
    }
    to->size = k->n > 0 ? r.height : to->size;
    to->bound = to->bound > to->size ? to->size : to->bound;
    return (uint32_t)r.least;
}

/* ---- what moved, and why ---- */

/* Whether one of them, the first at `offset`, would begin inside the other as it may. */
static bool is_inside(const keeping *k, const tn_storage *s, uint64_t offset,
                      const tn_storage *other) {
    const tn_overlap_pairs *pairs = k->b->pairs;
    for (uint32_t i = 0; pairs != NULL && i < pairs->n; i++) {
        const tn_overlap_pair *pair = &pairs->at[i];
        if (k->inside[i] && pair->under == s->id && pair->over == other->id) {
            return offset >= other->offset + pair->distance;
        }
        if (k->inside[i] && pair->under == other->id && pair->over == s->id) {
            return other->offset >= offset + pair->distance;
        }
    }
    return false;
}

static bool in_the_way(const keeping *k, const tn_storage *s, uint64_t offset,
                       const tn_storage *other) {
    bool meet = s->pinned || other->pinned || (s->first <= other->last && other->first <= s->last);
    return other->pool == s->pool && other != s && meet && s->size > 0 && other->size > 0 &&
           offset < other->offset + other->size && other->offset < offset + s->size &&
           !is_inside(k, s, offset, other);
}

static void explain(const keeping *k, const tn_plan_value *v, uint32_t old_pool,
                    tn_plan_shift *shift) {
    const tn_plan *p = k->p;
    const tn_storage *s = &p->storages[v->storage];
    bool before = shift->offset < v->offset;
    uint64_t offset = before ? 0 : shift->offset - v->offset;
    const tn_before_place *was = &k->b->before->place[s->id];
    shift->why = k->fixed[s->id]                                            ? TN_SHIFT_FIX
                 : k->pool[old_pool] != s->pool                             ? TN_SHIFT_POOL
                 : before || was->pool != old_pool || was->offset != offset ? TN_SHIFT_ALIAS
                 : offset % s->align != 0                                   ? TN_SHIFT_ALIGN
                 : offset + s->size > k->limit[s->pool]                     ? TN_SHIFT_SIZE
                                                                            : TN_SHIFT_TAKEN;
    for (uint32_t i = 0; i < p->n_storages && shift->why == TN_SHIFT_TAKEN; i++) {
        if (in_the_way(k, s, offset, &p->storages[i])) {
            shift->by = p->storages[i].root;
            return;
        }
    }
}

static void list_shifts(keeping *k, tn_plan_base *base) {
    const tn_plan *p = k->p, *old = k->b->before->old;
    tn_plan_shift *shifts = TN_ARRAY(p->arena, tn_plan_shift, p->n_values);
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        uint32_t of = k->b->before->of[i];
        if (v->storage == TN_NO_ID || of == TN_NO_ID || old->values[of].storage == TN_NO_ID) {
            continue;
        }
        uint32_t pool = old->storages[old->values[of].storage].pool;
        uint64_t offset = tn_plan_address(old, &old->values[of]);
        if (k->pool[pool] != p->storages[v->storage].pool || offset != tn_plan_address(p, v)) {
            const char *name = old->pools[pool].name;
            tn_plan_shift *shift = &shifts[base->n_shifts++];
            *shift = (tn_plan_shift){.value = i,
                                     .pool = tn_arena_strndup(p->arena, name, strlen(name)),
                                     .offset = offset,
                                     .by = TN_NO_ID};
            explain(k, v, pool, shift);
        }
    }
    base->shifts = shifts;
}

/* Values whose storage cannot bring them back, wherever it lies: in other pools, or beside values
 * that lay elsewhere. */
static uint32_t count_apart(const keeping *k) {
    uint32_t n = k->b->before->n_matched;
    for (uint32_t i = 0; i < k->p->n_storages; i++) {
        const tn_before_place *was = &k->b->before->place[i];
        bool here = was->pool != TN_NO_ID && k->pool[was->pool] == k->p->storages[i].pool;
        n -= here ? was->n : 0;
    }
    return n;
}

/* A storage that leaves the place of most of its values may find that of others by chance. */
static uint32_t count_doubtful(const keeping *k) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->p->n_storages; i++) {
        n += k->b->before->place[i].second;
    }
    return n;
}

void tn_build_kept(tn_build *b) {
    if (b->before == NULL) {
        return;
    }
    tn_plan *p = b->p;
    const tn_plan *old = b->before->old;
    keeping k = {.b = b,
                 .p = p,
                 .fixed = TN_ARRAY(b->scratch, bool, p->n_storages),
                 .pool = TN_ARRAY(b->scratch, uint32_t, old->n_pools),
                 .limit = TN_ARRAY(b->scratch, uint64_t, p->n_pools),
                 .ids = TN_ARRAY(b->scratch, uint32_t, p->n_storages),
                 .items = TN_ARRAY(b->scratch, tn_keep_item, p->n_storages)};
    tn_plan_base *base = &p->report.base;
    *base = (tn_plan_base){.digest = tn_arena_strndup(p->arena, old->digest, strlen(old->digest)),
                           .n_matched = b->before->n_matched,
                           .free = tn_plan_arena_bytes(p)};
    for (uint32_t i = 0; i < old->n_pools; i++) {
        k.pool[i] = tn_before_pool(b, i);
    }
    note_fixes(&k);
    set_limits(&k);
    allow_inside(&k);
    base->n_least = count_apart(&k);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        base->n_least += place_pool(&k, i);
    }
    uint32_t doubtful = count_doubtful(&k);
    base->n_least = base->n_least > doubtful ? base->n_least - doubtful : 0;
    list_shifts(&k, base);
}
