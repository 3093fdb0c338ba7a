#include "lib/advice/patches.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "lib/advice/tile_needs.h"
#include "passes/pack/pack.h"

struct tn_patching {
    tn_arena *arena;
    const tn_plan *p;
    tn_tile_step *steps;
    /* of the estimate at hand: */
    int64_t (*tile)[TN_TILE_AXES]; /* by plan value: extents of the tile, 0: not needed */
    int32_t *first, *last;   /* by plan value: steps of the range that make and read it; -1: none */
    int64_t *from, *to;      /* by storage: its live range, in steps */
    bool *whole;             /* by storage: some value in it stays whole */
    uint64_t *largest;       /* by storage: largest tile of a value in it, bytes */
    tn_pack_buffer *buffers; /* room for each storage, and for a tile of each */
};

tn_patching *tn_patching_new(tn_arena *arena, const tn_module *m, const tn_plan *p) {
    tn_patching *w = TN_NEW(arena, tn_patching);
    *w = (tn_patching){.arena = arena, .p = p};
    w->steps = TN_ARRAY(arena, tn_tile_step, p->n_steps);
    w->tile = tn_arena_array(arena, p->n_values, sizeof *w->tile);
    w->first = TN_ARRAY(arena, int32_t, p->n_values);
    w->last = TN_ARRAY(arena, int32_t, p->n_values);
    w->from = TN_ARRAY(arena, int64_t, p->n_storages);
    w->to = TN_ARRAY(arena, int64_t, p->n_storages);
    w->whole = TN_ARRAY(arena, bool, p->n_storages);
    w->largest = TN_ARRAY(arena, uint64_t, p->n_storages);
    w->buffers = TN_ARRAY(arena, tn_pack_buffer, (size_t)p->n_storages * 2);
    for (uint32_t s = 0; s < p->n_steps; s++) {
        w->steps[s] = tn_tile_step_of(arena, m, p, s);
    }
    return w;
}

bool tn_patching_fits(const tn_patching *w, uint32_t step) {
    return w->steps[step].fits;
}

/* ---- tiles ---- */

/* Tile by tile; what steps make of constants alone is made once. */
static bool is_made_inside(const tn_patching *w, const tn_plan_value *v, const tn_patches *t) {
    return v->step != TN_NO_ID && v->step >= t->first && v->step <= t->last &&
           w->steps[v->step].readings.len > 0;
}

/* Who reads it behind the tiles, or gets it. */
static bool is_needed_later(const tn_plan_value *v, const tn_patches *t) {
    return v->role != TN_ROLE_INTERNAL || v->last > (int32_t)t->last;
}

static int64_t cut(int64_t extent, uint32_t by) {
    return (extent + by - 1) / by;
}

static bool start(tn_patching *w, const tn_patches *t) {
    bool any = false;
    memset(w->tile, 0, w->p->n_values * sizeof *w->tile);
    for (uint32_t i = 0; i < w->p->n_values; i++) {
        const tn_plan_value *v = &w->p->values[i];
        w->first[i] = w->last[i] = -1;
        if (is_made_inside(w, v, t) && tn_is_image(v) && is_needed_later(v, t)) {
            if (v->dims[2] < t->rows || v->dims[3] < t->columns) {
                return false;
            }
            w->tile[i][0] = cut(v->dims[2], t->rows);
            w->tile[i][1] = cut(v->dims[3], t->columns);
            any = true;
        }
    }
    return any;
}

static void touch(tn_patching *w, uint32_t v, uint32_t step) {
    int32_t s = (int32_t)step;
    w->first[v] = w->first[v] < 0 || s < w->first[v] ? s : w->first[v];
    w->last[v] = s > w->last[v] ? s : w->last[v];
}

/* From the last step to the first. The operations that are added. */
static double reach_back(tn_patching *w, const tn_patches *t) {
    double more = 0;
    for (uint32_t s = t->last + 1; s-- > t->first;) {
        const tn_tile_step *info = &w->steps[s];
        const tn_ids *results = &w->p->steps[s].results;
        int64_t of[TN_TILE_AXES] = {0, 0};
        const tn_plan_value *y = NULL;
        for (uint32_t r = 0; r < results->len && info->readings.len > 0; r++) {
            y = &w->p->values[results->data[r]];
            touch(w, results->data[r], s);
            for (uint32_t i = 0; i < TN_TILE_AXES; i++) {
                int64_t n = w->tile[results->data[r]][i];
                of[i] = n > of[i] ? n : of[i];
            }
        }
        if (y == NULL || of[0] == 0) {
            continue;
        }
        double rows = (double)of[0] * t->rows / (double)y->dims[2];
        double columns = (double)of[1] * t->columns / (double)y->dims[3];
        more += info->flops * (rows * columns - 1);
        for (uint32_t k = 0; k < info->readings.len; k++) {
            const tn_tile_reading *x = &info->readings.data[k];
            touch(w, x->value, s);
            for (uint32_t i = 0; i < TN_TILE_AXES; i++) {
                int64_t n = tn_tile_needed(&x->axes[i], of[i], w->p->values[x->value].dims[i + 2]);
                int64_t *tile = &w->tile[x->value][i];
                *tile = n > *tile ? n : *tile;
            }
        }
    }
    return more;
}

/* ---- bytes ---- */

static uint64_t tile_bytes(const tn_patching *w, uint32_t v) {
    const tn_plan_value *x = &w->p->values[v];
    double part =
        (double)w->tile[v][0] * (double)w->tile[v][1] / ((double)x->dims[2] * (double)x->dims[3]);
    return (uint64_t)((double)x->bytes * part + 0.5);
}

static uint64_t aligned(const tn_patching *w, uint64_t bytes) {
    uint64_t size = bytes;
    (void)tn_align_u64(bytes, w->p->pools[0].align, &size);
    return size;
}

static void mark_storages(tn_patching *w, const tn_patches *t) {
    memset(w->whole, 0, w->p->n_storages * sizeof *w->whole);
    memset(w->largest, 0, w->p->n_storages * sizeof *w->largest);
    for (uint32_t i = 0; i < w->p->n_values; i++) {
        const tn_plan_value *v = &w->p->values[i];
        if (v->storage == TN_NO_ID) {
            continue;
        }
        bool inside = w->tile[i][0] > 0 && is_made_inside(w, v, t) && !is_needed_later(v, t);
        uint64_t bytes = inside ? tile_bytes(w, i) : 0;
        w->whole[v->storage] = w->whole[v->storage] || !inside;
        w->largest[v->storage] = bytes > w->largest[v->storage] ? bytes : w->largest[v->storage];
    }
}

static void add(tn_patching *w, uint32_t *n, int64_t first, int64_t last, uint64_t size) {
    w->buffers[(*n)++] = (tn_pack_buffer){.first = first,
                                          .last = last + 1,
                                          .size = aligned(w, size),
                                          .align = 1,
                                          .fixed = TN_PACK_FREE};
}

/* What stays whole is there from the first tile to the last, or longer. */
static void stretch(tn_patching *w, const tn_patches *t) {
    const tn_plan *p = w->p;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        w->from[i] = p->storages[i].pinned ? -1 : p->storages[i].first;
        w->to[i] = p->storages[i].pinned ? (int64_t)p->n_steps : p->storages[i].last;
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        bool inside = is_made_inside(w, v, t);
        if (v->storage == TN_NO_ID || w->tile[i][0] == 0 || (inside && !is_needed_later(v, t))) {
            continue;
        }
        int64_t *from = &w->from[v->storage], *to = &w->to[v->storage];
        *from = *from > t->first ? t->first : *from;
        *to = !inside && *to < t->last ? t->last : *to;
    }
}

static void add_storages(tn_patching *w, uint32_t *n) {
    for (uint32_t i = 0; i < w->p->n_storages; i++) {
        const tn_storage *s = &w->p->storages[i];
        if (w->p->pools[s->pool].kind == TN_POOL_ARENA) {
            add(w, n, w->from[i], w->to[i], w->whole[i] ? s->size : w->largest[i]);
        }
    }
}

/* Where a storage stays whole, its values have tiles beside it, which share bytes as they do:
 * copies of what is read, and what is stored at last. */
static void add_tiles(tn_patching *w, uint32_t *n) {
    for (uint32_t i = 0; i < w->p->n_storages; i++) {
        w->from[i] = INT64_MAX;
        w->to[i] = -1;
        w->largest[i] = 0;
    }
    for (uint32_t i = 0; i < w->p->n_values; i++) {
        uint32_t s = w->p->values[i].storage;
        if (s != TN_NO_ID && w->tile[i][0] > 0 && w->whole[s] && w->first[i] >= 0) {
            uint64_t bytes = tile_bytes(w, i);
            w->from[s] = w->first[i] < w->from[s] ? w->first[i] : w->from[s];
            w->to[s] = w->last[i] > w->to[s] ? w->last[i] : w->to[s];
            w->largest[s] = bytes > w->largest[s] ? bytes : w->largest[s];
        }
    }
    for (uint32_t i = 0; i < w->p->n_storages; i++) {
        if (w->to[i] >= 0) {
            add(w, n, w->from[i], w->to[i], w->largest[i]);
        }
    }
}

bool tn_patching_estimate(tn_patching *w, const tn_patches *t, tn_patch_estimate *out) {
    uint32_t n = 0;
    int64_t time;
    if (!start(w, t)) {
        return false;
    }
    out->operations = reach_back(w, t);
    mark_storages(w, t);
    stretch(w, t);
    add_storages(w, &n);
    add_tiles(w, &n);
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(w->arena));
    out->arena = tn_pack_max_live(scratch, w->buffers, n, &time);
    tn_arena_drop(scratch);
    return true;
}
