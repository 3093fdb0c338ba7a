/* The dual of the relaxation. Sections are nodes in a row, an item is an arc from its birth to its
 * death that holds as many units as it has bytes and pays what a unit saves, and slack arcs from
 * section to section pay nothing: a flow of the capacity that earns the most is the relaxation's
 * best (a k-track interval schedule; Arkin and Silverberg 1987). Distances of the longest paths are
 * the prices. Any prices give a bound, so an interrupted flow does as well. */
#include "ir/base/xmath.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/pools/pools_t.h"

enum { MOST_SHIFT = 20 };

typedef enum arc { ARC_SLACK, ARC_SLACK_BACK, ARC_ITEM, ARC_ITEM_BACK } arc;

typedef struct flow {
    const tn_pools_case *c;
    const int64_t *price;             /* by item: of a unit; 0 for those that take no part */
    const int64_t *units;             /* by item */
    int64_t *used;                    /* by item */
    int64_t *slack;                   /* by section */
    int64_t *far;                     /* by section and the end: the longest path from the first */
    arc *by;                          /* the last arc of that path */
    uint32_t *item;                   /* and the item it belongs to */
    uint32_t *first_at, *next_at;     /* items that are born in a section */
    uint32_t *first_gone, *next_gone; /* and those that die there */
    uint64_t work;
    bool changed;
} flow;

static void chain_items(flow *f) {
    const tn_pools_case *c = f->c;
    uint32_t ends = c->n_sections + 1;
    f->first_at = TN_ARRAY(c->arena, uint32_t, ends);
    f->first_gone = TN_ARRAY(c->arena, uint32_t, ends);
    f->next_at = TN_ARRAY(c->arena, uint32_t, c->n);
    f->next_gone = TN_ARRAY(c->arena, uint32_t, c->n);
    for (uint32_t i = 0; i < ends; i++) {
        f->first_at[i] = f->first_gone[i] = TN_POOL_ANY;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (f->price[i] > 0) {
            f->next_at[i] = f->first_at[c->begin[i]];
            f->first_at[c->begin[i]] = i;
            f->next_gone[i] = f->first_gone[c->end[i]];
            f->first_gone[c->end[i]] = i;
        }
    }
}

static void reach(flow *f, uint32_t to, int64_t far, arc by, uint32_t item) {
    if (far > f->far[to]) {
        f->far[to] = far;
        f->by[to] = by;
        f->item[to] = item;
        f->changed = true;
    }
}

/* Longest paths, by sweeps there and back; the flow has no cycle that earns anything. */
static void find_paths(flow *f) {
    const tn_pools_case *c = f->c;
    for (uint32_t t = 0; t <= c->n_sections; t++) {
        f->far[t] = 0;
        f->by[t] = ARC_SLACK;
    }
    do {
        f->changed = false;
        for (uint32_t t = 0; t < c->n_sections; t++) {
            for (uint32_t i = f->first_at[t]; i != TN_POOL_ANY; i = f->next_at[i]) {
                if (f->used[i] < f->units[i]) {
                    reach(f, c->end[i], f->far[t] + f->price[i], ARC_ITEM, i);
                }
            }
            reach(f, t + 1, f->far[t], ARC_SLACK, 0);
        }
        for (uint32_t t = c->n_sections; t > 0; t--) {
            for (uint32_t i = f->first_gone[t]; i != TN_POOL_ANY; i = f->next_gone[i]) {
                if (f->used[i] > 0) {
                    reach(f, c->begin[i], f->far[t] - f->price[i], ARC_ITEM_BACK, i);
                }
            }
            if (f->slack[t - 1] > 0) {
                reach(f, t - 1, f->far[t], ARC_SLACK_BACK, 0);
            }
        }
        f->work += c->n + c->n_sections;
    } while (f->changed);
}

/* The section that the last arc of the path to t comes from, and what the arc can still take. */
static uint32_t arc_behind(const flow *f, uint32_t t, int64_t *room) {
    uint32_t i = f->item[t];
    switch (f->by[t]) {
    case ARC_SLACK:
        *room = INT64_MAX;
        return t - 1;
    case ARC_SLACK_BACK:
        *room = f->slack[t];
        return t + 1;
    case ARC_ITEM:
        *room = f->units[i] - f->used[i];
        return f->c->begin[i];
    case ARC_ITEM_BACK:
        break;
    }
    *room = f->used[i];
    return f->c->end[i];
}

static void push(flow *f, int64_t amount) {
    for (uint32_t t = f->c->n_sections; t > 0;) {
        int64_t room;
        uint32_t from = arc_behind(f, t, &room), i = f->item[t];
        switch (f->by[t]) {
        case ARC_SLACK:
            f->slack[from] += amount;
            break;
        case ARC_SLACK_BACK:
            f->slack[t] -= amount;
            break;
        case ARC_ITEM:
            f->used[i] += amount;
            break;
        case ARC_ITEM_BACK:
            f->used[i] -= amount;
            break;
        }
        t = from;
    }
}

static void send(flow *f, int64_t capacity) {
    uint32_t end = f->c->n_sections;
    uint64_t budget = tn_budget(TN_BUDGET_POOL_FLOW, f->c->effort);
    for (;;) {
        int64_t amount = capacity, room;
        find_paths(f);
        if (capacity == 0 || f->far[end] == 0 || f->work > budget) {
            return;
        }
        for (uint32_t t = end; t > 0;) {
            t = arc_behind(f, t, &room);
            amount = room < amount ? room : amount;
        }
        push(f, amount);
        capacity -= amount;
    }
}

/* Whole units of all pools of the level; INT64_MAX: as many as anybody wants. */
static int64_t capacity_of(const tn_pools_case *c, uint32_t level) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r <= level; r++) {
        uint64_t units = c->room[r].capacity / c->unit;
        if (c->room[r].capacity == 0 || !tn_add_u64(sum, units, &sum) || sum > INT64_MAX) {
            return INT64_MAX;
        }
    }
    return (int64_t)sum;
}

static bool is_outside(const tn_pools_case *c, uint32_t item, uint32_t level) {
    return c->lowest[item] > level;
}

static void price_level(const tn_pools_case *c, tn_pools_prices *p, uint32_t level) {
    int64_t *gain = p->gain + (size_t)level * c->n, *toll = p->toll + (size_t)level * c->n;
    int64_t *price = TN_ARRAY(c->arena, int64_t, c->n), *units = TN_ARRAY(c->arena, int64_t, c->n);
    int64_t capacity = capacity_of(c, level);
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t saved = is_outside(c, i, level) ? 0 : c->items[i].traffic * p->step[level];
        gain[i] = (int64_t)(saved << p->shift[level]);
        units[i] = (int64_t)(tn_round_up(c->items[i].buffer.size, c->unit) / c->unit);
        price[i] = units[i] > 0 && capacity < INT64_MAX ? gain[i] / units[i] : 0;
    }
    if (capacity == INT64_MAX) {
        return; /* all fits: nothing has a price */
    }
    uint32_t ends = c->n_sections + 1;
    flow f = {.c = c,
              .price = price,
              .units = units,
              .used = TN_ARRAY(c->arena, int64_t, c->n),
              .slack = TN_ARRAY(c->arena, int64_t, c->n_sections),
              .far = TN_ARRAY(c->arena, int64_t, ends),
              .by = TN_ARRAY(c->arena, arc, ends),
              .item = TN_ARRAY(c->arena, uint32_t, ends)};
    chain_items(&f);
    send(&f, capacity);
    int64_t base;
    bool good = tn_mul_i64(capacity, f.far[c->n_sections], &base);
    for (uint32_t i = 0; i < c->n && good; i++) {
        good = tn_mul_i64(units[i], f.far[c->end[i]] - f.far[c->begin[i]], &toll[i]);
    }
    for (uint32_t i = 0; i < c->n && !good; i++) {
        toll[i] = 0; /* an early end left prices that are no use: all bytes are free then */
    }
    p->base[level] = good ? base : 0;
}

void tn_pools_prices_find(const tn_pools_case *c, tn_pools_prices *out) {
    uint32_t levels = c->n_rooms - 1;
    *out = (tn_pools_prices){.gain = TN_ARRAY(c->arena, int64_t, (size_t)levels * c->n),
                             .toll = TN_ARRAY(c->arena, int64_t, (size_t)levels * c->n),
                             .base = TN_ARRAY(c->arena, int64_t, levels),
                             .step = TN_ARRAY(c->arena, uint64_t, levels),
                             .shift = TN_ARRAY(c->arena, unsigned, levels)};
    for (uint32_t k = 0; k < levels; k++) {
        out->step[k] = c->room[k + 1].cost - c->room[k].cost;
        uint64_t all = c->total * out->step[k];
        while (out->shift[k] < MOST_SHIFT && all << (out->shift[k] + 1) >> TN_POOLS_BITS == 0) {
            out->shift[k]++;
        }
        price_level(c, out, k);
    }
}

/* Above where the sum overflows: what is added then is not counted, or counts as all there is. */
int64_t tn_pools_plus(int64_t a, int64_t b) {
    int64_t sum;
    return tn_add_i64(a, b, &sum) ? sum : b < 0 ? a : INT64_MAX;
}

int64_t tn_pools_most(const tn_pools_case *c, const tn_pools_prices *p, uint32_t level) {
    const int64_t *gain = p->gain + (size_t)level * c->n, *toll = p->toll + (size_t)level * c->n;
    int64_t most = p->base[level];
    for (uint32_t i = 0; i < c->n; i++) {
        bool inside = c->rank[i] != TN_POOL_ANY && c->rank[i] <= level;
        if (!is_outside(c, i, level) && (inside || gain[i] > toll[i])) {
            most = tn_pools_plus(most, gain[i] - toll[i]);
        }
    }
    return most;
}

uint64_t tn_pools_least_cost(const tn_pools_case *c, const tn_pools_prices *p,
                             const int64_t *most) {
    uint64_t cost = c->total * c->room[0].cost;
    for (uint32_t k = 0; k + 1 < c->n_rooms; k++) {
        uint64_t all = c->total * p->step[k];
        uint64_t saved = most[k] > 0 ? (uint64_t)most[k] >> p->shift[k] : 0;
        cost += saved < all ? all - saved : 0;
    }
    return cost;
}
