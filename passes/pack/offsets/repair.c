#include "passes/pack/offsets/repair.h"

#include <string.h>

#include "ir/base/key_sort.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/offsets/exact/portfolio.h"
#include "passes/pack/offsets/first_fit.h"

/* Sections [l, r) with the items that are live inside them only, and what the others occupy there.
 */
typedef struct window {
    uint32_t l, r;
    uint32_t *free; /* space for n_inside */
    uint32_t n_free, n_inside;
    tn_pack_buffer *buffers; /* the free items, then the rest as fixed blocks; in bytes */
    uint32_t n, cap;
} window;

typedef struct repair {
    tn_arena *arena;
    const tn_inst *inst;
    const tn_repair_options *options;
    tn_packing *best;
    uint32_t *at_radius;
    tn_sort_key *keys;
    uint64_t work;
} repair;

/* By how many sections item i's life, made longer on both ends, has to grow to hold another. */
static uint32_t radius(const tn_item *i, const tn_item *other) {
    uint32_t before = i->a > other->a ? i->a - other->a : 0;
    uint32_t after = other->b > i->b ? other->b - i->b : 0;
    return before > after ? before : after;
}

/* Numbers of items by their radius around item i. */
static void count_radii(repair *m, uint32_t i) {
    memset(m->at_radius, 0, ((size_t)m->inst->n_sections + 1) * sizeof *m->at_radius);
    for (uint32_t k = 0; k < m->inst->n; k++) {
        m->at_radius[radius(&m->inst->items[i], &m->inst->items[k])]++;
    }
}

/* The widest window around item i, growing by equal steps on both sides, that frees no more than
 * `most` items. */
static void place_window(const repair *m, uint32_t i, uint32_t most, window *w) {
    const tn_item *item = &m->inst->items[i];
    uint32_t end = m->inst->n_sections, by = 0, n = 0;
    while (by <= end && n + m->at_radius[by] <= most) {
        n += m->at_radius[by++];
    }
    w->n_inside = by > 0 ? n : m->at_radius[0];
    by -= by > 0 ? 1 : 0;
    w->l = item->a > by ? item->a - by : 0;
    w->r = end - item->b > by ? item->b + by : end;
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

static void free_items(const repair *m, tn_arena *scratch, window *w) {
    for (uint32_t i = 0; i < m->inst->n; i++) {
        if (is_free(w, &m->inst->items[i])) {
            w->free[w->n_free++] = i;
            push_block(scratch, w, tn_item_buffer(m->inst, i));
        }
    }
}

/* Units that are occupied throughout sections [a, b). */
typedef struct pinned {
    uint32_t a, b;
    uint64_t lo, hi;
} pinned;

/* What is pinned in a window, by address. Items alive throughout it, of which there may be many,
 * are merged where they touch. */
static pinned *find_pinned(const repair *m, tn_arena *scratch, const window *w, uint32_t *count) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->inst->n; k++) {
        const tn_item *item = &m->inst->items[k];
        if (item->a < w->r && w->l < item->b && !is_free(w, item)) {
            m->keys[n++] = (tn_sort_key){m->best->offsets[k], k};
        }
    }
    tn_sort_keys(m->keys, n);
    pinned *pins = TN_ARRAY(scratch, pinned, n), *whole = NULL;
    *count = 0;
    for (uint32_t k = 0; k < n; k++) {
        const tn_item *item = &m->inst->items[m->keys[k].item];
        uint64_t lo = m->keys[k].key, hi = lo + item->size;
        bool throughout = item->a <= w->l && item->b >= w->r;
        if (throughout && whole != NULL && whole->hi == lo) {
            whole->hi = hi;
            continue;
        }
        pins[*count] = (pinned){item->a, item->b, lo, hi};
        whole = throughout ? &pins[*count] : whole;
        ++*count;
    }
    return pins;
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

static void blocks_at(const repair *m, const pinned *pins, uint32_t n, uint32_t section,
                      blocks *out) {
    out->n = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (pins[k].a > section || pins[k].b <= section) {
            continue;
        }
        uint64_t lo = pins[k].lo, hi = pins[k].hi;
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

static void close_block(const repair *m, tn_arena *scratch, window *w, const blocks *b, uint32_t k,
                        uint32_t section) {
    uint64_t unit = m->inst->unit, lo = b->at[2 * k] * unit;
    tn_pack_buffer block = {b->since[k], section, b->at[2 * k + 1] * unit - lo, unit, lo, NULL, 0};
    push_block(scratch, w, block);
}

/* What is pinned, as blocks: of one section merged where they touch, of neighbouring sections where
 * they are alike. */
static void pin_rest(const repair *m, tn_arena *scratch, window *w) {
    uint32_t n;
    const pinned *pins = find_pinned(m, scratch, w, &n);
    blocks open = blocks_make(scratch, n), now = blocks_make(scratch, n);
    for (uint32_t s = w->l; s <= w->r; s++) {
        now.n = 0;
        if (s < w->r) {
            blocks_at(m, pins, n, s, &now);
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
static bool repair_window(repair *m, window *w) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(m->arena));
    w->free = TN_ARRAY(scratch, uint32_t, w->n_inside);
    free_items(m, scratch, w);
    pin_rest(m, scratch, w);
    m->work += (uint64_t)m->inst->n + w->n;
    const tn_inst *inst = tn_inst_make(scratch, w->buffers, w->n);
    bool ok = inst != NULL && inst->bound <= m->options->goal;
    if (ok) {
        tn_packing p = tn_packing_none(scratch, inst);
        tn_fits_options fits = {.rounds = TN_LIMIT_REPAIR_ROUNDS,
                                .goal = m->options->goal,
                                .budget = TN_LIMIT_REPAIR_NODES * 100,
                                .without = m->options->without};
        m->work += tn_fits_run(scratch, inst, &fits, &p);
        if (p.height > m->options->goal && tn_portfolio_possible(inst)) {
            tn_search_options search = {.goal = m->options->goal,
                                        .decide = true,
                                        .budget = TN_LIMIT_REPAIR_NODES,
                                        .without = m->options->without};
            tn_search_result found = {0};
            tn_portfolio_run(scratch, inst, &search, &p, &found);
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
static uint32_t highest(repair *m) {
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

uint64_t tn_repair_run(tn_arena *arena, const tn_inst *inst, const tn_repair_options *options,
                       tn_packing *best) {
    repair m = {.inst = inst, .options = options, .best = best};
    m.arena = tn_arena_new(tn_arena_ctx(arena));
    m.at_radius = TN_ARRAY(m.arena, uint32_t, (size_t)inst->n_sections + 1);
    m.keys = tn_sort_room(m.arena, inst->n);
    for (uint32_t worst; worst = highest(&m), best->height > options->goal;) {
        bool repaired = false;
        if (tn_cut_short(tn_arena_ctx(arena))) {
            break;
        }
        count_radii(&m, worst);
        for (uint32_t most = TN_LIMIT_REPAIR_FREE / TN_LIMIT_REPAIR_WINDOWS;
             most <= TN_LIMIT_REPAIR_FREE && !repaired; most *= 2) {
            window w = {0};
            place_window(&m, worst, most, &w);
            repaired = repair_window(&m, &w);
        }
        if (!repaired || m.work > options->budget) {
            break;
        }
        best->algorithm = "repair";
    }
    highest(&m);
    tn_arena_drop(m.arena);
    return m.work;
}
