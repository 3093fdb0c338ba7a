/* Why waiting is free. Take a way on from set I that stays within some peak, and the first of its
 * ops, d, at which a tensor t ends. All before d only add bytes. Of these, let U be the ops that
 * are not needed for the ops of t. Leave U out until d has run: the sets before d get smaller and
 * so cheaper, since nothing ends between them. Each u of U now runs with the bytes of d's results
 * in use besides, and without those that have ended; before, these results and those of U were in
 * use together, at d at the latest. So no step costs more than d did. Where d writes over t nothing
 * changes, since all of t's ops still come before.
 *
 * An op with workspace is the exception, because the workspace is gone again when d runs: such an
 * op counts as the end of a tensor itself. Where an op may take over several operands at once, all
 * that they need would have to come first; then all single steps are moves.
 *
 * Among the ways of least peak take one whose first end comes earliest: it shows that only smallest
 * sets of missing ops matter, by inclusion, unless d writes over t and the smaller set would run d
 * too early for that. In such a set nothing ends but by its last op. */
#include "passes/order/moves.h"

#include <stdlib.h>
#include <string.h>

/* Ops that would have to run for something to end. */
typedef struct tn_wish {
    uint32_t size, at; /* ops in it; its place in tn_moves.wanted, in sets */
    uint32_t tensor;   /* that ends, or TN_SCHED_NONE */
    bool mixed;        /* with fewer of its ops something else would end */
} tn_wish;

static bool has(const uint64_t *bits, uint32_t v) {
    return bits[v / 64] >> (v % 64) & 1u;
}

static void find_closures(tn_moves *m) {
    const tn_rows *pred = &m->p->pred, *succ = &m->p->succ;
    uint32_t n = m->p->n, head = 0, tail = 0;
    uint32_t *waits = TN_ARRAY(m->arena, uint32_t, n), *queue = TN_ARRAY(m->arena, uint32_t, n);
    for (uint32_t v = 0; v < n; v++) {
        waits[v] = tn_rows_len(pred, v);
        if (waits[v] == 0) {
            queue[tail++] = v;
        }
    }
    while (head < tail) {
        uint32_t v = queue[head++];
        uint64_t *own = m->closure + (size_t)v * m->words;
        own[v / 64] |= UINT64_C(1) << (v % 64);
        for (uint32_t e = succ->start[v]; e < succ->start[v + 1]; e++) {
            uint64_t *next = m->closure + (size_t)succ->item[e] * m->words;
            for (uint32_t i = 0; i < m->words; i++) {
                next[i] |= own[i];
            }
            if (--waits[succ->item[e]] == 0) {
                queue[tail++] = succ->item[e];
            }
        }
    }
}

/* Whether v may take over more than one operand at a time. */
static bool takes_several(const tn_sched *p, uint32_t v) {
    bool results = false, operands = false;
    for (uint32_t e = p->takes.start[v] + 1; e < p->takes.start[v + 1]; e++) {
        const tn_sched_take *a = &p->take[p->takes.item[e - 1]], *b = &p->take[p->takes.item[e]];
        results = results || a->result != b->result;
        operands = operands || a->operand != b->operand;
    }
    return results && operands;
}

tn_moves tn_moves_make(tn_arena *arena, const tn_sched *p) {
    uint32_t words = (p->n + 63) / 64;
    tn_moves m = {.arena = arena,
                  .p = p,
                  .words = words,
                  .closure = TN_ARRAY(arena, uint64_t, (size_t)p->n * words),
                  .at = TN_ARRAY(arena, uint32_t, p->n),
                  .waits = TN_ARRAY(arena, uint32_t, p->n),
                  .seen = TN_ARRAY(arena, uint32_t, p->m),
                  .touches = TN_ARRAY(arena, uint32_t, p->m)};
    for (uint32_t v = 0; v < p->n; v++) {
        m.single = m.single || takes_several(p, v);
    }
    find_closures(&m);
    return m;
}

/* A set to be wished for, empty. */
static uint64_t *wish(tn_moves *m, uint32_t tensor) {
    uint32_t at = m->wishes.len;
    tn_vec_push(m->arena, &m->wishes, (tn_wish){.at = at, .tensor = tensor});
    while (m->wanted.len < (at + 1) * m->words) {
        tn_vec_push(m->arena, &m->wanted, 0);
    }
    uint64_t *set = m->wanted.data + (size_t)at * m->words;
    memset(set, 0, m->words * sizeof *set);
    return set;
}

static void add_missing(const tn_moves *m, const tn_reach *r, uint32_t v, uint64_t *set) {
    const uint64_t *closure = m->closure + (size_t)v * m->words;
    for (uint32_t i = 0; i < m->words; i++) {
        set[i] |= closure[i] & ~r->now[i];
    }
}

/* Wishes for the end of a tensor; true when `v` alone brings it about. */
static bool wish_end(tn_moves *m, tn_reach *r, uint32_t t, uint32_t v) {
    const tn_rows *touching = &m->p->touching;
    const uint64_t *closure = m->closure + (size_t)v * m->words;
    uint64_t *set = wish(m, t);
    bool alone = true;
    for (uint32_t e = touching->start[t]; e < touching->start[t + 1]; e++) {
        uint32_t u = touching->item[e];
        if (!has(r->now, u)) {
            add_missing(m, r, u, set);
            alone = alone && has(closure, u);
        }
    }
    r->work += 2 * m->words;
    return alone;
}

/* Whether something ends at `v` when nothing runs but what it needs; wishes for what can end now
 * that v is in reach. */
static bool ends_here(tn_moves *m, tn_reach *r, uint32_t v) {
    const tn_sched *p = m->p;
    bool any = p->workspace[v] > 0;
    if (any) {
        add_missing(m, r, v, wish(m, TN_SCHED_NONE));
    }
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        uint32_t t = p->touched.item[e];
        if (p->tensor[t].to_end || p->tensor[t].size == 0) {
            continue;
        }
        m->touches[t] = m->seen[t] == m->now ? m->touches[t] + 1 : 1;
        m->seen[t] = m->now;
        if (m->touches[t] == r->w.left[t]) {
            any = wish_end(m, r, t, v) || any;
        }
    }
    return any;
}

/* Goes through the ops that can run with nothing ending before, each after those it needs. */
static void explore(tn_moves *m, tn_reach *r) {
    const tn_rows *succ = &m->p->succ;
    for (uint32_t v = tn_reach_ready(r, 0); v != TN_SCHED_NONE; v = tn_reach_ready(r, v + 1)) {
        tn_vec_push(m->arena, &m->region, v);
    }
    for (uint32_t i = 0; i < m->region.len; i++) {
        uint32_t v = m->region.data[i];
        r->work += 1 + tn_rows_len(&m->p->touched, v);
        if (ends_here(m, r, v)) {
            continue;
        }
        for (uint32_t e = succ->start[v]; e < succ->start[v + 1]; e++) {
            uint32_t s = succ->item[e];
            m->waits[s] = m->at[s] == m->now ? m->waits[s] : r->w.waits[s];
            m->at[s] = m->now;
            if (--m->waits[s] == 0) {
                tn_vec_push(m->arena, &m->region, s);
            }
        }
    }
}

static int smallest_first(const void *a, const void *b) {
    const tn_wish *x = a, *y = b;
    if (x->size != y->size) {
        return x->size < y->size ? -1 : 1;
    }
    return x->at < y->at ? -1 : x->at > y->at;
}

static const uint64_t *set_of(const tn_moves *m, const tn_wish *w) {
    return m->wanted.data + (size_t)w->at * m->words;
}

static bool is_within(const tn_moves *m, const uint64_t *x, const uint64_t *y) {
    uint64_t more = 0;
    for (uint32_t i = 0; i < m->words; i++) {
        more |= x[i] & ~y[i];
    }
    return more == 0;
}

/* Whether running the ops of x first would waste the chance to write over tensor t. */
static bool spoils_take(const tn_moves *m, const uint64_t *x, uint32_t t) {
    const tn_rows *touching = &m->p->touching, *takes = &m->p->takes;
    for (uint32_t e = touching->start[t]; e < touching->start[t + 1]; e++) {
        uint32_t v = touching->item[e];
        for (uint32_t k = takes->start[v]; k < takes->start[v + 1] && has(x, v); k++) {
            if (m->p->take[takes->item[k]].operand == t) {
                return true;
            }
        }
    }
    return false;
}

/* Whether `a`, which is no larger, makes `b` needless. */
static bool covers(const tn_moves *m, const tn_wish *a, tn_wish *b) {
    if (!is_within(m, set_of(m, a), set_of(m, b))) {
        return false;
    }
    b->mixed = a->size < b->size;
    return !b->mixed || b->tensor == TN_SCHED_NONE || !spoils_take(m, set_of(m, a), b->tensor);
}

/* Leaves the wishes that no other makes needless, each once. */
static void keep_smallest(tn_moves *m, tn_reach *r) {
    for (uint32_t i = 0; i < m->wishes.len; i++) {
        tn_wish *w = &m->wishes.data[i];
        for (uint32_t k = 0; k < m->words; k++) {
            w->size += (uint32_t)__builtin_popcountll(set_of(m, w)[k]);
        }
    }
    if (m->wishes.len > 1) {
        qsort(m->wishes.data, m->wishes.len, sizeof *m->wishes.data, smallest_first);
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->wishes.len; i++) {
        tn_wish w = m->wishes.data[i];
        bool covered = false;
        for (uint32_t k = 0; k < n && !covered; k++) {
            covered = covers(m, &m->wishes.data[k], &w);
        }
        r->work += 1 + n / 2;
        if (!covered) {
            m->wishes.data[n++] = w;
        }
    }
    m->wishes.len = n;
}

static bool is_needed(const tn_moves *m, uint32_t v, const uint64_t *set) {
    const tn_rows *succ = &m->p->succ;
    for (uint32_t e = succ->start[v]; e < succ->start[v + 1]; e++) {
        if (has(set, succ->item[e])) {
            return true;
        }
    }
    return false;
}

/* Runs the ops of the move one by one and takes them back. */
static void measure(const tn_moves *m, tn_reach *r, tn_move *x) {
    const uint32_t *ops = m->ops.data + x->first;
    uint32_t from = r->trail.len;
    x->during = 0;
    for (uint32_t i = 0; i < x->len; i++) {
        tn_step_cost c = tn_walk_cost(&r->w, ops[i]);
        x->during = c.during > x->during ? c.during : x->during;
        x->after = c.after;
        if (i + 1 < x->len) {
            tn_reach_run(r, ops[i]);
        }
    }
    while (r->trail.len > from) {
        tn_reach_back(r);
    }
}

/* Which op comes last matters only to those that can write over what ends. */
static void choose_last(tn_moves *m, tn_reach *r, const uint64_t *set, tn_move *x) {
    uint32_t *ops = m->ops.data + x->first, last = x->len - 1;
    measure(m, r, x);
    for (uint32_t i = 0; i < last; i++) {
        if (tn_rows_len(&m->p->takes, ops[i]) == 0 || is_needed(m, ops[i], set)) {
            continue;
        }
        uint32_t v = ops[i];
        tn_move other = *x;
        memmove(ops + i, ops + i + 1, (last - i) * sizeof *ops);
        ops[last] = v;
        measure(m, r, &other);
        if (other.during < x->during) {
            *x = other;
            i--; /* another op stands here now */
        } else {
            memmove(ops + i + 1, ops + i, (last - i) * sizeof *ops);
            ops[i] = v;
        }
    }
}

static void add_wish(tn_moves *m, tn_reach *r, const tn_wish *w) {
    const uint64_t *set = set_of(m, w);
    tn_move x = {.first = m->ops.len};
    for (uint32_t i = 0; i < m->region.len; i++) {
        if (has(set, m->region.data[i])) {
            tn_vec_push(m->arena, &m->ops, m->region.data[i]);
        }
    }
    x.len = m->ops.len - x.first;
    choose_last(m, r, set, &x);
    x.falls = !w->mixed && x.after <= r->w.live;
    tn_vec_push(m->arena, &m->list, x);
}

static void add_op(tn_moves *m, const tn_reach *r, uint32_t v) {
    tn_step_cost c = tn_walk_cost(&r->w, v);
    tn_vec_push(m->arena, &m->list,
                (tn_move){m->ops.len, 1, c.during, c.after, c.after <= r->w.live});
    tn_vec_push(m->arena, &m->ops, v);
}

void tn_moves_find(tn_moves *m, tn_reach *r) {
    m->list.len = m->ops.len = m->region.len = m->wishes.len = 0;
    m->now++;
    if (m->single) {
        for (uint32_t v = tn_reach_ready(r, 0); v != TN_SCHED_NONE; v = tn_reach_ready(r, v + 1)) {
            add_op(m, r, v);
        }
        return;
    }
    explore(m, r);
    if (m->wishes.len == 0 && m->region.len > 0) { /* nothing ends any more */
        uint64_t *rest = wish(m, TN_SCHED_NONE);
        for (uint32_t i = 0; i < m->region.len; i++) {
            add_missing(m, r, m->region.data[i], rest);
        }
    }
    keep_smallest(m, r);
    for (uint32_t i = 0; i < m->wishes.len; i++) {
        add_wish(m, r, &m->wishes.data[i]);
    }
}
