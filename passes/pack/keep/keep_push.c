/* Local search: places that push out least. */
#include <stdlib.h>
#include <string.h>

#include "ir/base/ctx.h"
#include "ir/base/key_sort.h"
#include "ir/base/sort.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/keep/keep_t.h"

/* Costs of pushing an item out: of one that lies where it lay, for each weight; and what each push
 * adds to the next one, so that no two push each other out for ever. */
enum { STAYING = 8, PUSHED = 2, LEAST_PUSHES = 64 };
#define NOWHERE UINT64_MAX

/* From this address on it costs so much more, or less, to lie there. */
typedef struct edge {
    uint64_t at;
    int64_t cost;
    int32_t walls; /* what cannot be pushed out */
} edge;

typedef struct pushing {
    tn_keep_case *c;
    uint64_t *at;      /* by item: offset, or NOWHERE */
    uint32_t *history; /* by item: what pushes have added */
    uint32_t *queue, n_queue;
    edge *edges;
    uint32_t n_edges;
    tn_keep_range *ranges; /* of two items */
    bool firm;             /* what lies where it lay cannot be pushed out */
    bool upper;            /* of equal costs the highest place, not the lowest */
} pushing;

static bool is_home(const pushing *p, uint32_t i) {
    return p->c->may_stay[i] && p->at[i] == p->c->items[i].before;
}

static bool is_wall(const pushing *p, uint32_t i) {
    return p->c->items[i].buffer.fixed != TN_PACK_FREE || (p->firm && is_home(p, i));
}

static int64_t push_cost(const pushing *p, uint32_t i) {
    int64_t home = is_home(p, i) ? (int64_t)STAYING * p->c->items[i].weight : 0;
    return home + p->history[i];
}

static int by_address(const void *a, const void *b) {
    const edge *x = a, *y = b;
    return TN_COMPARE(x->at, y->at);
}

/* Beginning in the range, the item shares bytes with i where it lies. */
static void add_edges(pushing *p, uint32_t i, tn_keep_range range) {
    int64_t at = (int64_t)p->at[i], lo = at + range.lo + 1, hi = at + range.hi;
    if (hi > 0) {
        edge e = {lo > 0 ? (uint64_t)lo : 0, push_cost(p, i), is_wall(p, i)};
        p->edges[p->n_edges++] = e;
        p->edges[p->n_edges++] = (edge){(uint64_t)hi, -e.cost, -e.walls};
    }
}

static void gather(pushing *p, uint32_t item) {
    const tn_keep_case *c = p->c;
    p->n_edges = 0;
    p->edges[p->n_edges++] = (edge){0};
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t n = 0;
        if (i != item && p->at[i] != NOWHERE) {
            n = tn_keep_ranges(&c->items[item], &c->items[i], p->ranges);
        }
        for (uint32_t k = 0; k < n; k++) {
            add_edges(p, i, p->ranges[k]);
        }
    }
    TN_SORT(p->edges, p->n_edges, by_address);
    p->c->work += c->n + 8ull * p->n_edges;
}

typedef struct place {
    uint64_t at;
    int64_t cost;
} place;

static void consider(const pushing *p, place *best, uint64_t at, int64_t cost) {
    if (best->at == NOWHERE || cost < best->cost || (cost == best->cost && p->upper)) {
        *best = (place){at, cost};
    }
}

/* Between two edges all places cost the same. */
static place find_place(pushing *p, uint32_t item) {
    const tn_keep_item *t = &p->c->items[item];
    uint64_t align = t->buffer.align, top = p->c->capacity - t->buffer.size;
    place best = {NOWHERE, 0};
    int64_t cost = 0;
    int32_t walls = 0;
    gather(p, item);
    for (uint32_t i = 0; i < p->n_edges; i++) {
        uint64_t end =
            i + 1 < p->n_edges && p->edges[i + 1].at <= top ? p->edges[i + 1].at - 1 : top;
        cost += p->edges[i].cost;
        walls += p->edges[i].walls;
        uint64_t lo = (p->edges[i].at + align - 1) / align * align, hi = end / align * align;
        bool last = i + 1 == p->n_edges || p->edges[i + 1].at > p->edges[i].at;
        if (!last || walls > 0 || lo > end) {
            continue;
        }
        consider(p, &best, p->upper ? hi : lo, cost);
        if (p->c->may_stay[item] && t->before >= lo && t->before <= end) {
            consider(p, &best, t->before, cost - (int64_t)STAYING * t->weight);
        }
    }
    return best;
}

static void push_out(pushing *p, uint32_t item) {
    p->at[item] = NOWHERE;
    p->queue[p->n_queue++] = item;
}

/* Places the item and pushes out what lies there. */
static void settle(pushing *p, uint32_t item, uint64_t at) {
    for (uint32_t i = 0; i < p->c->n; i++) {
        if (i != item && p->at[i] != NOWHERE && tn_keep_clash(p->c, i, p->at[i], item, at)) {
            p->history[i] += PUSHED;
            push_out(p, i);
        }
    }
    p->at[item] = at;
    p->c->work += p->c->n;
}

/* The largest first: small ones find a place anywhere. */
static uint32_t next_item(pushing *p) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < p->n_queue; i++) {
        const tn_pack_buffer *x = &p->c->items[p->queue[i]].buffer,
                             *y = &p->c->items[p->queue[best]].buffer;
        best = x->size > y->size || (x->size == y->size && p->queue[i] < p->queue[best]) ? i : best;
    }
    uint32_t item = p->queue[best];
    p->queue[best] = p->queue[--p->n_queue];
    return item;
}

/* Until all have a place; false where that takes too long, or something fits nowhere. */
static bool place_all(pushing *p) {
    uint64_t pushes = LEAST_PUSHES + (uint64_t)TN_LIMIT_KEEP_PUSHES * p->n_queue;
    while (p->n_queue > 0) {
        if (pushes-- == 0 || p->c->work > p->c->limit || tn_cut_short(tn_arena_ctx(p->c->arena))) {
            return false;
        }
        uint32_t item = next_item(p);
        place to = find_place(p, item);
        if (to.at == NOWHERE) {
            return false;
        }
        settle(p, item, to.at);
    }
    return true;
}

static pushing begin(tn_keep_case *c, tn_arena *arena) {
    uint32_t most = tn_keep_most_ranges(c);
    return (pushing){.c = c,
                     .at = TN_ARRAY(arena, uint64_t, c->n),
                     .history = TN_ARRAY(arena, uint32_t, c->n),
                     .queue = TN_ARRAY(arena, uint32_t, c->n),
                     .edges = TN_ARRAY(arena, edge, 2 * (size_t)c->n * most + 1),
                     .ranges = TN_ARRAY(arena, tn_keep_range, most)};
}

/* Fixed ones first, then those that stay, as long as they do not clash. */
static void begin_with(pushing *p, const bool *stays) {
    const tn_keep_case *c = p->c;
    p->n_queue = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const tn_keep_item *t = &c->items[i];
        p->history[i] = 1;
        p->at[i] = t->buffer.size == 0 ? c->best[i] : t->buffer.fixed;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        const tn_keep_item *t = &c->items[i];
        bool free = stays[i] && p->at[i] == NOWHERE;
        for (uint32_t k = 0; k < i && free; k++) {
            free = p->at[k] == NOWHERE || !tn_keep_clash(c, k, p->at[k], i, t->before);
        }
        if (free) {
            p->at[i] = t->before;
        } else if (p->at[i] == NOWHERE) {
            push_out(p, i);
        }
    }
}

void tn_keep_push(tn_keep_case *c, const bool *stays) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(c->arena));
    pushing p = begin(c, scratch);
    for (int turn = 0; turn < 2; turn++) {
        p.upper = turn == 1;
        begin_with(&p, stays);
        if (place_all(&p)) {
            tn_keep_offer(c, p.at);
        }
    }
    tn_arena_drop(scratch);
}

/* ---- back to where they lay ---- */

static bool put_back(pushing *p, uint32_t item) {
    tn_keep_case *c = p->c;
    uint64_t moved = c->best_moved, home = c->items[item].before;
    memcpy(p->at, c->best, c->n * sizeof *p->at);
    p->n_queue = 0;
    c->work += c->n;
    for (uint32_t i = 0; i < c->n; i++) {
        p->history[i] = 1;
        if (i != item && is_wall(p, i) && tn_keep_clash(c, i, p->at[i], item, home)) {
            return false;
        }
    }
    settle(p, item, home);
    if (place_all(p)) {
        tn_keep_offer(c, p->at);
    }
    return c->best_moved < moved;
}

void tn_keep_restore(tn_keep_case *c) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(c->arena));
    pushing p = begin(c, scratch);
    p.firm = true;
    for (bool better = true; better && c->work <= c->limit;) {
        better = false;
        for (uint32_t i = 0; i < c->n && c->work <= c->limit && c->best_moved > c->least; i++) {
            bool away = c->may_stay[i] && c->best[i] != c->items[i].before;
            better = (away && put_back(&p, i)) || better;
        }
    }
    tn_arena_drop(scratch);
}
