/* One pool, once it is known what lies there. */
#include "ir/base/diag.h"
#include "passes/plan/overlap_layout.h"
#include "passes/plan/places_t.h"

tn_status tn_places_overflow(tn_placing *w) {
    return w->b->trial
               ? TN_NOFIT
               : tn_error(
                     w->p->ctx, &w->loc,
                     "sizes, or traffic times cost, add up to more than 2^61: give pools lower "
                     "costs");
}

/* Those of which both storages lie in the pool. */
static tn_overlap_pairs pairs_in(const tn_placing *w, uint32_t pool) {
    const tn_overlap_pairs *all = w->b->pairs;
    tn_overlap_pairs in = {0};
    in.at = TN_ARRAY(w->b->scratch, tn_overlap_pair, all == NULL ? 0 : all->n);
    for (uint32_t i = 0; all != NULL && i < all->n; i++) {
        const tn_overlap_pair *pair = &all->at[i];
        if (w->p->storages[pair->under].pool == pool && w->p->storages[pair->over].pool == pool) {
            in.at[in.n++] = *pair;
        }
    }
    return in;
}

/* The layout as it is fixed, or as storages lie now where that is lower. */
static void lay_out_known(tn_placing *w, const tn_placing_group *g, const tn_overlap_start *now,
                          const tn_pool_room *room, tn_layout *l) {
    if (g->wishes) {
        tn_pack_buffer *buffers = TN_ARRAY(w->b->scratch, tn_pack_buffer, l->n_buffers);
        for (uint32_t i = 0; i < l->n_buffers; i++) {
            uint32_t id = l->class_of[i];
            tn_pools_item item = {.buffer = l->buffers[i]};
            item.buffer.align = w->of.align[id];
            item.buffer.fixed = w->of.fixed[id];
            (void)tn_pools_buffer(&item, room, &buffers[i]); /* it did not overflow before */
        }
        l->buffers = buffers;
    }
    if (g->wishes || now->height < l->size) {
        l->offset = now->offset;
        l->size = g->inside ? UINT64_MAX : now->height;
    }
}

/* Lets results begin inside operands where that makes the pool smaller; `l` is what it is without
 * wishes, and has the figures afterwards. */
static tn_status lay_out_inside(tn_placing *w, const tn_placing_group *g, uint32_t pool,
                                const tn_overlap_pairs *pairs, const tn_layout_ask *ask,
                                tn_layout *l) {
    tn_plan *p = w->p;
    uint64_t *offset = TN_ARRAY(w->b->scratch, uint64_t, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        offset[i] = p->storages[i].offset;
    }
    const tn_overlap_start now = {offset, p->pools[pool].size};
    tn_layout own = *l;
    lay_out_known(w, g, &now, &g->rooms[pool - g->first], &own);
    tn_status status = tn_overlap_layout(p->ctx, ask, pairs, &now, w->b->scratch, &own);
    if (status == TN_OK && g->wishes) {
        status = tn_overlap_layout(p->ctx, ask, pairs, NULL, w->b->scratch, l);
    } else {
        *l = own;
    }
    if (status != TN_OK) {
        return status;
    }
    p->pools[pool].size = own.size;
    for (uint32_t i = 0; i < own.n_buffers; i++) {
        p->storages[own.class_of[i]].offset = own.offset[own.class_of[i]];
    }
    for (uint32_t i = 0; i < own.n_overlaps; i++) {
        tn_vec_push(p->arena, &w->used, own.overlaps[i]);
    }
    return TN_OK;
}

tn_status tn_pool_lay_out(tn_placing *w, const tn_placing_group *g, uint32_t pool) {
    tn_plan *p = w->p;
    tn_pool *to = &p->pools[pool];
    uint32_t *part = TN_ARRAY(w->b->scratch, uint32_t, p->n_storages);
    tn_layout_ask ask = *w->b->ask;
    tn_layout l;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        part[i] = p->storages[i].pool;
    }
    ask.align = to->align;
    ask.capacity = 0;
    ask.memory = NULL;
    ask.part = part;
    ask.in_part = pool;
    const tn_overlap_pairs pairs = pairs_in(w, pool);
    tn_status status = tn_layout_make(w->b->m, w->b->classes, p->n_steps, &ask, w->b->scratch, &l);
    if (status == TN_OK && pairs.n > 0) {
        status = lay_out_inside(w, g, pool, &pairs, &ask, &l);
    }
    if (status != TN_OK) {
        return status;
    }
    if (!g->wishes && pairs.n == 0 && l.size <= to->size && ask.level == TN_LEVEL_1) {
        to->size = l.size;
        for (uint32_t k = 0; k < g->n; k++) {
            if (part[g->ids[k]] == pool) {
                p->storages[g->ids[k]].offset = l.offset[g->ids[k]];
            }
        }
    }
    to->bound = l.bound;
    w->layout->level0 += l.level0;
    w->layout->level1 += l.level1 < to->size || g->wishes ? l.level1 : to->size;
    w->layout->bound += l.bound;
    w->layout->size += to->size;
    w->layout->algorithm = l.algorithm;
    return TN_OK;
}

tn_status tn_pool_search(tn_placing *w, const tn_placing_group *g, const tn_pools_result *r,
                         uint32_t pool) {
    tn_pack_buffer *buffers = TN_ARRAY(w->b->scratch, tn_pack_buffer, g->n);
    uint32_t *ids = TN_ARRAY(w->b->scratch, uint32_t, g->n), n = 0;
    for (uint32_t k = 0; k < g->n; k++) {
        if (r->pool[k] == pool) {
            ids[n] = k;
            if (!tn_pools_buffer(&g->items[k], &g->rooms[pool], &buffers[n++])) {
                return tn_places_overflow(w);
            }
        }
    }
    tn_pack_options o = {.effort = w->b->ask->effort};
    tn_pack_result better;
    tn_status status = tn_pack(w->b->scratch, buffers, n, &o, &better);
    if (status != TN_OK) {
        return tn_places_overflow(w);
    }
    for (uint32_t i = 0; i < n && better.height < r->height[pool]; i++) {
        r->offset[ids[i]] = better.offsets[i];
    }
    r->height[pool] = better.height < r->height[pool] ? better.height : r->height[pool];
    return TN_OK;
}
