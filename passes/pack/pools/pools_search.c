/* Exact search: items by falling traffic, each into the pools from cheap to dear. A branch ends
 * where prices prove that it saves no more than the best known, where more is alive in a pool than
 * it holds, or where a set comes together that a packer could not pack before. */
#include "ir/base/key_sort.h"
#include "passes/pack/pools/pools_t.h"

/* A leaf that is packed costs as much as so many nodes. */
enum { LEAF_NODES = 50, MOST_NO_GOODS = 256 };

/* Items that no packing of the pool holds together. */
typedef struct no_good {
    const uint32_t *items;
    uint32_t n, rank;
} no_good;

typedef struct searching {
    const tn_pools_case *c;
    const tn_pools_prices *p;
    tn_pools_search *s;
    tn_pools_choice *best;
    tn_pools_choice now;
    tn_pools_load load;
    uint32_t *order; /* items that are free to choose */
    uint32_t n_order;
    int64_t *most; /* depth * levels + level */
    TN_VEC(no_good) no_goods;
    tn_status status;
} searching;

/* The bounds one item further down. */
static void charge(searching *w, uint32_t depth, uint32_t item, uint32_t rank) {
    uint32_t levels = w->c->n_rooms - 1;
    const int64_t *above = w->most + (size_t)depth * levels;
    int64_t *most = w->most + ((size_t)depth + 1) * levels;
    for (uint32_t k = 0; k < levels; k++) {
        int64_t net =
            w->p->gain[(size_t)k * w->c->n + item] - w->p->toll[(size_t)k * w->c->n + item];
        int64_t counted = net > 0 ? net : 0, now = rank <= k ? net : 0;
        most[k] = tn_pools_plus(above[k], now - counted);
    }
}

static bool is_no_good(const searching *w, uint32_t item, uint32_t rank) {
    for (uint32_t g = 0; g < w->no_goods.len; g++) {
        const no_good *set = &w->no_goods.data[g];
        bool named = false, all = set->rank == rank;
        for (uint32_t i = 0; i < set->n && all; i++) {
            named = named || set->items[i] == item;
            all = set->items[i] == item || w->now.rank[set->items[i]] == rank;
        }
        if (all && named) {
            return true;
        }
    }
    return false;
}

/* What the packer proved, or, where it only gave up, all that lay there: then others that could be
 * packed may be missed, and the search is not complete. */
static void learn(searching *w, uint32_t rank, const tn_pack_misfit *misfit) {
    const tn_pools_case *c = w->c;
    no_good set = {misfit->buffers, misfit->n, rank};
    if (misfit->n == 0) {
        uint32_t *all = TN_ARRAY(c->arena, uint32_t, c->n);
        w->s->complete = false;
        for (uint32_t i = 0; i < c->n; i++) {
            if (w->now.rank[i] == rank) {
                all[set.n++] = i;
            }
        }
        set.items = all;
    }
    if (w->no_goods.len < MOST_NO_GOODS) {
        tn_vec_push(c->arena, &w->no_goods, set);
    }
}

static void leaf(searching *w) {
    const tn_pools_case *c = w->c;
    w->now.cost = tn_pools_cost(c, w->now.rank); /* prices promise less than that */
    if (w->best->fits && w->now.cost >= w->best->cost) {
        return;
    }
    w->s->nodes += LEAF_NODES;
    for (uint32_t r = 0; r < c->n_rooms; r++) {
        tn_pack_misfit misfit = {0};
        tn_status status = tn_pools_pack(c, c->arena, r, &w->now, &misfit);
        if (status == TN_NOFIT) {
            learn(w, r, &misfit);
            return;
        }
        if (status != TN_OK) {
            w->status = status;
            return;
        }
    }
    w->now.fits = true;
    tn_pools_choice_copy(c, w->best, &w->now);
}

static bool is_hopeless(const searching *w, uint32_t depth) {
    const int64_t *most = w->most + (size_t)depth * (w->c->n_rooms - 1);
    return w->best->fits && tn_pools_least_cost(w->c, w->p, most) >= w->best->cost;
}

static void descend(searching *w, uint32_t depth) {
    if (is_hopeless(w, depth) || w->status != TN_OK) {
        return;
    }
    if (++w->s->nodes > w->s->budget) {
        w->s->complete = false;
        return;
    }
    if (depth == w->n_order) {
        leaf(w);
        return;
    }
    uint32_t i = w->order[depth];
    for (uint32_t r = 0; r < w->c->n_rooms && w->s->nodes <= w->s->budget; r++) {
        if (!tn_pools_has_room(&w->load, i, r) || is_no_good(w, i, r)) {
            continue;
        }
        w->now.rank[i] = r;
        tn_pools_load_add(&w->load, i, r);
        charge(w, depth, i, r);
        descend(w, depth + 1);
        tn_pools_load_drop(&w->load, i, r);
        w->now.rank[i] = TN_POOL_ANY;
    }
}

static void order_free(searching *w) {
    const tn_pools_case *c = w->c;
    tn_sort_key *keys = tn_sort_room(c->arena, c->n);
    w->order = TN_ARRAY(c->arena, uint32_t, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        w->now.rank[i] = c->rank[i];
        if (c->rank[i] == TN_POOL_ANY) {
            keys[w->n_order++] = (tn_sort_key){~c->items[i].traffic, i};
        } else {
            tn_pools_load_add(&w->load, i, c->rank[i]);
        }
    }
    tn_sort_items(keys, w->n_order, w->order);
}

tn_status tn_pools_exact(const tn_pools_case *c, const tn_pools_prices *p, tn_pools_choice *best,
                         tn_pools_search *search) {
    uint32_t levels = c->n_rooms - 1;
    searching w = {.c = c,
                   .p = p,
                   .s = search,
                   .best = best,
                   .now = tn_pools_choice_new(c, c->arena),
                   .load = tn_pools_load_new(c, c->arena)};
    order_free(&w);
    w.most = TN_ARRAY(c->arena, int64_t, ((size_t)w.n_order + 1) * levels + 1);
    for (uint32_t k = 0; k < levels; k++) {
        w.most[k] = tn_pools_most(c, p, k);
    }
    search->complete = true;
    descend(&w, 0);
    search->complete = search->complete && w.status == TN_OK;
    return w.status;
}
