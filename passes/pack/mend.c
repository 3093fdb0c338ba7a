#include "passes/pack/mend.h"

#include <string.h>

#include "passes/pack/search.h"
#include "passes/pack/sort.h"

/* Sections [l, r) with the items that live inside of them, and what the others take there. */
typedef struct window {
    uint32_t l, r;
    uint32_t *free;
    uint32_t n_free;
    tn_pack_buffer *buffers; /* the free items, then the rest as fixed blocks; in bytes */
    uint32_t n, cap;
} window;

typedef struct mender {
    tn_arena *arena;
    const tn_inst *inst;
    const tn_mend_options *options;
    tn_packing *best;
    uint32_t *by_offset; /* items by ascending offset */
    tn_sort_key *keys, *spare;
    uint64_t work;
} mender;

static void sort_by_offset(mender *m) {
    for (uint32_t i = 0; i < m->inst->n; i++) {
        m->keys[i] = (tn_sort_key){m->best->offsets[i], i};
    }
    tn_sort_keys(m->keys, m->spare, m->inst->n);
    for (uint32_t i = 0; i < m->inst->n; i++) {
        m->by_offset[i] = m->keys[i].item;
    }
}

static uint32_t count_inside(const tn_inst *inst, uint32_t l, uint32_t r) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < inst->n; i++) {
        n += inst->items[i].a >= l && inst->items[i].b <= r ? 1 : 0;
    }
    return n;
}

/* The widest window around item i, growing by equal steps on both sides, that frees no more than
 * `most` items. */
static void place_window(const mender *m, uint32_t i, uint32_t most, window *w) {
    const tn_item *item = &m->inst->items[i];
    uint32_t end = m->inst->n_sections, low = 0, high = end;
    while (low < high) {
        uint32_t by = low + (high - low + 1) / 2;
        uint32_t l = item->a > by ? item->a - by : 0, r = end - item->b > by ? item->b + by : end;
        if (count_inside(m->inst, l, r) <= most) {
            low = by;
        } else {
            high = by - 1;
        }
    }
    w->l = item->a > low ? item->a - low : 0;
    w->r = end - item->b > low ? item->b + low : end;
}

static bool is_free(const window *w, const tn_item *item) {
    return item->a >= w->l && item->b <= w->r && item->fixed == TN_PACK_FREE;
}

static void push_block(tn_arena *scratch, window *w, tn_pack_buffer block) {
    if (w->n == w->cap) {
        uint32_t cap = 2 * w->cap + 64;
        w->buffers = tn_arena_regrow(scratch, w->buffers, w->n, cap, sizeof *w->buffers);
        w->cap = cap;
    }
    w->buffers[w->n++] = block;
}

static void free_items(const mender *m, tn_arena *scratch, window *w) {
    uint64_t unit = m->inst->unit;
    for (uint32_t i = 0; i < m->inst->n; i++) {
        const tn_item *item = &m->inst->items[i];
        if (is_free(w, item)) {
            w->free[w->n_free++] = i;
            push_block(scratch, w,
                       (tn_pack_buffer){item->a, item->b, item->size * unit - item->slack,
                                        item->align * unit, TN_PACK_FREE, NULL, 0});
        }
    }
}

/* Blocks still open while sweeping over the sections of a window, and those of one section. */
typedef struct blocks {
    uint64_t *at; /* two ends a block, in units */
    uint32_t *since;
    uint32_t n;
} blocks;

static blocks blocks_make(tn_arena *scratch, uint32_t n) {
    return (blocks){TN_ARRAY(scratch, uint64_t, 2 * (size_t)n), TN_ARRAY(scratch, uint32_t, n), 0};
}

static void blocks_at(const mender *m, const uint32_t *pinned, uint32_t n, uint32_t section,
                      blocks *out) {
    out->n = 0;
    for (uint32_t k = 0; k < n; k++) {
        const tn_item *item = &m->inst->items[pinned[k]];
        if (item->a > section || item->b <= section) {
            continue;
        }
        uint64_t lo = m->best->offsets[pinned[k]], hi = lo + item->size;
        uint64_t most = m->options->goal / m->inst->unit;
        hi = hi > most ? most : hi;
        if (lo >= hi) {
            continue;
        }
        if (out->n > 0 && out->at[2 * out->n - 1] == lo) {
            out->at[2 * out->n - 1] = hi;
        } else {
            out->at[2 * out->n] = lo;
            out->at[2 * out->n + 1] = hi;
            out->since[out->n++] = section;
        }
    }
}

static void close_block(const mender *m, tn_arena *scratch, window *w, const blocks *b, uint32_t k,
                        uint32_t section) {
    uint64_t unit = m->inst->unit, lo = b->at[2 * k] * unit;
    tn_pack_buffer block = {b->since[k], section, b->at[2 * k + 1] * unit - lo, unit, lo, NULL, 0};
    push_block(scratch, w, block);
}

/* What is pinned, as blocks: of one section merged where they touch, of neighbouring sections where
 * they are alike. */
static void pin_rest(const mender *m, tn_arena *scratch, window *w) {
    uint32_t *pinned = TN_ARRAY(scratch, uint32_t, m->inst->n), n = 0;
    for (uint32_t k = 0; k < m->inst->n; k++) {
        const tn_item *item = &m->inst->items[m->by_offset[k]];
        if (item->a < w->r && w->l < item->b && !is_free(w, item)) {
            pinned[n++] = m->by_offset[k];
        }
    }
    blocks open = blocks_make(scratch, n), now = blocks_make(scratch, n);
    for (uint32_t s = w->l; s <= w->r; s++) {
        now.n = 0;
        if (s < w->r) {
            blocks_at(m, pinned, n, s, &now);
        }
        uint32_t j = 0;
        for (uint32_t k = 0; k < open.n; k++) {
            while (j < now.n && now.at[2 * j] < open.at[2 * k]) {
                j++;
            }
            if (j < now.n && now.at[2 * j] == open.at[2 * k] &&
                now.at[2 * j + 1] == open.at[2 * k + 1]) {
                now.since[j] = open.since[k];
            } else {
                close_block(m, scratch, w, &open, k, s);
            }
        }
        blocks swap = open;
        open = now;
        now = swap;
    }
}

/* Packs the window anew; true when all of its free items now end at the goal or below. */
static bool mend_window(mender *m, window *w) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(m->arena));
    w->free = TN_ARRAY(scratch, uint32_t, m->inst->n);
    free_items(m, scratch, w);
    pin_rest(m, scratch, w);
    m->work += (uint64_t)m->inst->n + w->n;
    const tn_inst *inst = tn_inst_make(scratch, w->buffers, w->n);
    bool ok = inst != NULL && inst->bound <= m->options->goal;
    if (ok) {
        tn_packing p = {TN_ARRAY(scratch, uint64_t, inst->n), 0, NULL};
        tn_fits_options fits = {
            .rounds = 4, .goal = m->options->goal, .budget = m->options->nodes * 100};
        m->work += tn_fits_run(scratch, inst, &fits, &p);
        if (p.height > m->options->goal && tn_search_possible(inst)) {
            tn_search_options search = {
                .goal = m->options->goal, .decide = true, .budget = m->options->nodes};
            tn_search_result found = {0};
            tn_search_run(scratch, inst, &search, &p, &found);
            m->work += found.nodes * (16 + inst->n); /* a node looks at most of the items */
        }
        ok = p.height <= m->options->goal;
        for (uint32_t i = 0; i < inst->n && ok; i++) {
            if (inst->items[i].buffer < w->n_free) {
                m->best->offsets[w->free[inst->items[i].buffer]] =
                    p.offsets[i] * inst->unit / m->inst->unit;
            }
        }
    }
    tn_arena_drop(scratch);
    return ok;
}

/* The highest item; its top is the height. */
static uint32_t highest(mender *m) {
    uint32_t worst = 0;
    m->best->height = 0;
    for (uint32_t i = 0; i < m->inst->n; i++) {
        uint64_t top = tn_inst_top(m->inst, i, m->best->offsets[i]);
        if (top > m->best->height) {
            m->best->height = top;
            worst = i;
        }
    }
    return worst;
}

uint64_t tn_mend_run(tn_arena *arena, const tn_inst *inst, const tn_mend_options *options,
                     tn_packing *best) {
    mender m = {.inst = inst, .options = options, .best = best};
    m.arena = tn_arena_new(tn_arena_ctx(arena));
    m.by_offset = TN_ARRAY(m.arena, uint32_t, inst->n);
    m.keys = TN_ARRAY(m.arena, tn_sort_key, inst->n);
    m.spare = TN_ARRAY(m.arena, tn_sort_key, inst->n);
    for (uint32_t worst; worst = highest(&m), best->height > options->goal;) {
        bool mended = false;
        for (uint32_t most = options->free / 16; most <= options->free && !mended; most *= 2) {
            window w = {0};
            sort_by_offset(&m);
            place_window(&m, worst, most, &w);
            mended = mend_window(&m, &w);
        }
        if (!mended || m.work > options->budget) {
            break;
        }
        best->algorithm = "mended";
    }
    highest(&m);
    tn_arena_drop(m.arena);
    return m.work;
}
