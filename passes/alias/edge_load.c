#include "passes/alias/edge_load.h"

#include <string.h>

#include "ir/base/xmath.h"

/* A class with the edges joined so far; meaningful at representatives only. */
typedef struct group {
    uint32_t size;       /* members */
    int64_t lo, hi;      /* lowest and highest byte, from the representative */
    int32_t first, last; /* hull of the members' live ranges */
    uint32_t flags;
    tn_home home;
} group;

/* What a class adds to the load: `bytes` from step first to step last; 0 bytes outside the arena.
 */
typedef struct share {
    int32_t first, last;
    int64_t bytes;
} share;

typedef struct undo {
    uint32_t child, parent;
    group before; /* of the parent */
} undo;

/* Classes are trees without path compression, which could not be taken back; joined by size they
 * stay logarithmic. Loads are a tree over steps: `top` is the highest load below a node, `add` what
 * all steps below it have more; while it is held, neither says anything. */
struct tn_load {
    const tn_layout_ask *ask;
    tn_arena *arena;
    int32_t end; /* the last step at which something can live */
    uint32_t *up;
    int64_t *shift; /* to `up` */
    group *groups;
    TN_VEC(undo) undos;
    uint32_t n;     /* values */
    uint32_t width; /* of the tree: a power of two */
    int64_t *top, *add;
    bool held;
};

static uint32_t find(const tn_load *l, const tn_value *v, int64_t *offset) {
    uint32_t at = v->id;
    *offset = 0;
    while (l->up[at] != at) {
        *offset += l->shift[at];
        at = l->up[at];
    }
    return at;
}

static share share_of(const tn_load *l, const group *g) {
    bool pinned = g->home != TN_HOME_ARENA || (g->flags & TN_VF_PERMANENT) != 0;
    bool counts = g->home == TN_HOME_ARENA || (l->ask->io_in_arena && g->home == TN_HOME_IO);
    uint64_t bytes = 0;
    /* Cannot fail: the sum of all sizes was found to fit. */
    (void)tn_align_u64((uint64_t)(g->hi - g->lo), l->ask->align, &bytes);
    return (share){.first = pinned ? -1 : g->first,
                   .last = pinned ? l->end : g->last,
                   .bytes = counts && g->size > 0 ? (int64_t)bytes : 0};
}

static void raise_node(tn_load *l, uint32_t node, int64_t bytes) {
    l->top[node] += bytes;
    if (node < l->width) {
        l->add[node] += bytes;
    }
}

/* Whether the highest load changed. */
static bool refresh(tn_load *l, uint32_t node) {
    int64_t a = l->top[2 * node], b = l->top[2 * node + 1], old = l->top[node];
    l->top[node] = (a > b ? a : b) + l->add[node];
    return l->top[node] != old;
}

/* What is above two steps, all between which was raised: no node above the lowest that both have in
 * common was raised itself, so from there on a load that stays as it was ends it. */
static void refresh_above(tn_load *l, uint32_t first, uint32_t last) {
    bool met = false, changed = true;
    for (first >>= 1, last >>= 1; first > 0 && changed; first >>= 1, last >>= 1) {
        if (first != last) {
            (void)refresh(l, first);
            (void)refresh(l, last);
        } else {
            changed = refresh(l, first) || !met;
            met = true;
        }
    }
}

static void raise(tn_load *l, share s, int64_t sign) {
    if (s.bytes == 0 || l->held) {
        return;
    }
    uint32_t from = (uint32_t)(s.first + 1) + l->width, to = (uint32_t)(s.last + 2) + l->width;
    for (uint32_t a = from, b = to; a < b; a >>= 1, b >>= 1) {
        if (a & 1) {
            raise_node(l, a++, sign * s.bytes);
        }
        if (b & 1) {
            raise_node(l, --b, sign * s.bytes);
        }
    }
    refresh_above(l, from, to - 1);
}

/* Loads of the steps, which are stated as differences, and of all above them. */
static void sum_up(tn_load *l) {
    for (uint32_t i = l->width + 1; i < 2 * l->width; i++) {
        l->top[i] += l->top[i - 1];
    }
    for (uint32_t i = l->width - 1; i > 0; i--) {
        int64_t a = l->top[2 * i], b = l->top[2 * i + 1];
        l->top[i] = a > b ? a : b;
    }
}

static void add_difference(tn_load *l, share s) {
    uint32_t from = (uint32_t)(s.first + 1) + l->width, to = (uint32_t)(s.last + 2) + l->width;
    l->top[from] += s.bytes;
    if (to < 2 * l->width) {
        l->top[to] -= s.bytes;
    }
}

static void let_go(tn_load *l) {
    if (!l->held) {
        return;
    }
    memset(l->top, 0, sizeof *l->top * 2 * l->width);
    memset(l->add, 0, sizeof *l->add * l->width);
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->up[i] == i && l->groups[i].size > 0) {
            add_difference(l, share_of(l, &l->groups[i]));
        }
    }
    sum_up(l);
    l->held = false;
}

void tn_load_hold(tn_load *l) {
    l->held = true;
}

int64_t tn_load_peak(tn_load *l) {
    let_go(l);
    return l->top[1];
}

int32_t tn_load_worst(tn_load *l) {
    let_go(l);
    uint32_t node = 1;
    while (node < l->width) {
        node = 2 * node + (l->top[2 * node + 1] > l->top[2 * node]);
    }
    return (int32_t)(node - l->width) - 1;
}

int64_t tn_load_at(tn_load *l, int32_t step) {
    let_go(l);
    uint32_t node = (uint32_t)(step + 1) + l->width;
    int64_t bytes = l->top[node];
    for (node >>= 1; node > 0; node >>= 1) {
        bytes += l->add[node];
    }
    return bytes;
}

/* The class two would make, `b` starting `shift` bytes behind `a`. */
static group unite(const group *a, const group *b, int64_t shift) {
    group g = *a;
    g.size += b->size;
    g.lo = b->lo + shift < g.lo ? b->lo + shift : g.lo;
    g.hi = b->hi + shift > g.hi ? b->hi + shift : g.hi;
    g.first = b->first < g.first ? b->first : g.first;
    g.last = b->last > g.last ? b->last : g.last;
    g.flags |= b->flags;
    g.home = b->home > g.home ? b->home : g.home;
    return g;
}

static bool covers(const share *a, const share *b) {
    return a->first <= b->first && a->last >= b->last && a->bytes >= b->bytes;
}

/* What two classes add by themselves, and joined; false when they are one. */
static bool compare(const tn_load *l, const tn_alias_edge *e, share *x, share *y, share *both) {
    int64_t at_v, at_of;
    uint32_t b = find(l, e->v, &at_v), a = find(l, e->of, &at_of);
    group g = unite(&l->groups[a], &l->groups[b], at_of + e->offset - at_v);
    *x = share_of(l, &l->groups[a]);
    *y = share_of(l, &l->groups[b]);
    *both = share_of(l, &g);
    return a != b;
}

bool tn_load_is_harmless(const tn_load *l, const tn_alias_edge *e) {
    share x, y, both;
    if (!compare(l, e, &x, &y, &both)) {
        return true;
    }
    bool meet = x.first <= y.last + 1 && y.first <= x.last + 1;
    return both.bytes == 0 || covers(&x, &both) || covers(&y, &both) ||
           (meet && both.bytes <= x.bytes && both.bytes <= y.bytes);
}

int64_t tn_load_lengthening(const tn_load *l, const tn_alias_edge *e) {
    share x, y, both;
    (void)compare(l, e, &x, &y, &both);
    const share *larger = x.bytes >= y.bytes ? &x : &y;
    return ((int64_t)both.last - both.first) - ((int64_t)larger->last - larger->first);
}

static void replace(tn_load *l, uint32_t parent, const group *by) {
    raise(l, share_of(l, &l->groups[parent]), -1);
    l->groups[parent] = *by;
    raise(l, share_of(l, by), 1);
}

void tn_load_join(tn_load *l, const tn_alias_edge *e) {
    int64_t at_v, at_of;
    uint32_t b = find(l, e->v, &at_v), a = find(l, e->of, &at_of);
    int64_t shift = at_of + e->offset - at_v;
    if (a == b) {
        return;
    }
    if (l->groups[a].size < l->groups[b].size) {
        uint32_t t = a;
        a = b;
        b = t;
        shift = -shift;
    }
    group g = unite(&l->groups[a], &l->groups[b], shift);
    tn_vec_push(l->arena, &l->undos, (undo){b, a, l->groups[a]});
    l->up[b] = a;
    l->shift[b] = shift;
    raise(l, share_of(l, &l->groups[b]), -1);
    replace(l, a, &g);
}

uint32_t tn_load_mark(const tn_load *l) {
    return l->undos.len;
}

void tn_load_back(tn_load *l, uint32_t mark) {
    while (l->undos.len > mark) {
        const undo *u = &l->undos.data[--l->undos.len];
        replace(l, u->parent, &u->before);
        l->up[u->child] = u->child;
        l->shift[u->child] = 0;
        raise(l, share_of(l, &l->groups[u->child]), 1);
    }
}

static bool add_values(tn_load *l, tn_module *m, const tn_liveness *live) {
    const tn_home *home = tn_value_homes(m, l->arena);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        uint64_t bytes = tn_value_bytes(m, v), rounded;
        l->up[i] = i;
        if (bytes == TN_NO_BYTES || !live->of[i].scheduled) {
            continue;
        }
        if (!tn_align_u64(bytes, l->ask->align, &rounded) || !tn_add_u64(sum, rounded, &sum) ||
            sum > INT64_MAX / 4) {
            return false;
        }
        l->groups[i] = (group){.size = 1,
                               .hi = (int64_t)bytes,
                               .first = live->of[i].first,
                               .last = live->of[i].last,
                               .flags = v->flags,
                               .home = home[i]};
    }
    return true;
}

tn_load *tn_load_new(tn_module *m, const tn_liveness *live, const tn_layout_ask *ask,
                     tn_arena *arena) {
    tn_load *l = TN_NEW(arena, tn_load);
    l->ask = ask;
    l->arena = arena;
    l->end = (int32_t)live->steps->n;
    l->n = m->n_values;
    l->held = true;
    l->up = TN_ARRAY(arena, uint32_t, m->n_values);
    l->shift = TN_ARRAY(arena, int64_t, m->n_values);
    l->groups = TN_ARRAY(arena, group, m->n_values);
    l->width = 1;
    while (l->width < live->steps->n + 2) {
        l->width *= 2;
    }
    l->top = TN_ARRAY(arena, int64_t, (size_t)l->width * 2);
    l->add = TN_ARRAY(arena, int64_t, l->width);
    if (!add_values(l, m, live)) {
        return NULL;
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value *v = m->values[i];
        if (v->alias_kind == TN_ALIAS_UPDATE && v->alias_of != NULL) {
            tn_load_join(l, &(tn_alias_edge){v, v->alias_of, v->alias_kind, v->alias_offset});
        }
    }
    return l;
}
