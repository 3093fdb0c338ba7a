/* Rounds: chains in a row are joined, then chains side by side are merged, until neither is left to
 * do. A chain is a sequence of ops that stay in this order, though others may come between; all of
 * it comes before the chains its edges lead to. */
#include "passes/order/series_parallel.h"

#include <string.h>

#include "ir/base/sort.h"
#include "passes/order/hill_valley.h"
#include "passes/order/op_state.h"

#define NONE TN_SCHED_NONE
/* Live bytes where a group begins: chains may go below. */
#define LEVEL (UINT64_C(1) << 62)
/* Of a tensor that neither begins nor ends in the chain at hand. */
#define STEADY (UINT32_MAX / 2)

/* Edges of a chain to different others: how many, and the other one if it is the only one. */
typedef struct ends {
    uint32_t n, only;
} ends;

typedef struct chain {
    uint32_t first, last, len; /* len 0: part of another chain now */
    ends in, out;
} chain;

/* A chain that stands alone between two others, or NONE at the start or the end. */
typedef struct candidate {
    uint32_t before, behind, chain;
} candidate;

typedef struct merger {
    tn_arena *arena; /* of one round */
    const tn_sched *p;
    tn_op_state state; /* for the costs of the chain at hand; holds for what its ops touch */
    uint64_t work;
    chain *chains;
    uint32_t *chain_of, *next; /* by op */
    uint32_t *mark;            /* by chain */
    uint32_t *start;           /* by chain, one more at the end: its part of `edges` */
    struct edges {
        uint32_t *data, len, cap;
    } edges;                  /* successors */
    uint32_t *seat;           /* by op: place of its chain in the group at hand, plus 1; or 0 */
    uint32_t *seen, n_groups; /* by tensor: the last group it was looked at for */
    bool changed;
} merger;

static void add_end(ends *e, uint32_t other) {
    e->n++;
    e->only = other;
}

/* Edges between chains, each once: rows by chain. */
static void find_edges(merger *m) {
    const tn_edge_rows *succ = &m->p->succ;
    m->edges.len = 0;
    memset(m->mark, 0, m->p->n * sizeof *m->mark);
    for (uint32_t c = 0; c < m->p->n; c++) {
        m->start[c] = m->edges.len;
        for (uint32_t v = m->chains[c].len > 0 ? m->chains[c].first : NONE; v != NONE;
             v = m->next[v]) {
            for (uint32_t e = succ->start[v]; e < succ->start[v + 1]; e++, m->work++) {
                uint32_t other = m->chain_of[succ->item[e]];
                if (other != c && m->mark[other] != c + 1) {
                    m->mark[other] = c + 1;
                    tn_vec_push(m->arena, &m->edges, other);
                }
            }
        }
    }
    m->start[m->p->n] = m->edges.len;
}

/* Leaves out edges past a chain that lies between their ends. */
static void find_ends(merger *m) {
    m->edges = (struct edges){0};
    find_edges(m);
    memset(m->mark, 0, m->p->n * sizeof *m->mark);
    for (uint32_t c = 0; c < m->p->n; c++) {
        m->chains[c].in = m->chains[c].out = (ends){0};
    }
    for (uint32_t c = 0; c < m->p->n; c++) {
        for (uint32_t e = m->start[c]; e < m->start[c + 1]; e++) {
            m->mark[m->edges.data[e]] = c + 1;
        }
        for (uint32_t e = m->start[c]; e < m->start[c + 1]; e++) {
            uint32_t other = m->edges.data[e];
            for (uint32_t k = m->start[other]; k < m->start[other + 1]; k++, m->work++) {
                m->mark[m->edges.data[k]] = 0;
            }
        }
        for (uint32_t e = m->start[c]; e < m->start[c + 1]; e++) {
            uint32_t other = m->edges.data[e];
            if (m->mark[other] == c + 1) {
                add_end(&m->chains[c].out, other);
                add_end(&m->chains[other].in, c);
            }
        }
    }
}

/* Whether c is followed by one chain alone, which follows on nothing else. */
static bool in_row(const merger *m, uint32_t c) {
    const chain *x = &m->chains[c];
    return x->out.n == 1 && m->chains[x->out.only].in.n == 1;
}

static void append(merger *m, uint32_t c, uint32_t other) {
    chain *x = &m->chains[c], *y = &m->chains[other];
    for (uint32_t v = y->first; v != NONE; v = m->next[v]) {
        m->chain_of[v] = c;
    }
    m->next[x->last] = y->first;
    x->last = y->last;
    x->len += y->len;
    x->out = y->out;
    y->len = 0;
    m->changed = true;
}

static void join_rows(merger *m) {
    for (uint32_t c = 0; c < m->p->n; c++) {
        const chain *x = &m->chains[c];
        bool starts = x->len > 0 && !(x->in.n == 1 && in_row(m, x->in.only));
        while (starts && in_row(m, c)) {
            append(m, c, x->out.only);
        }
    }
}

/* One tensor that the group g touches: sets what is left of it for the costs of its chain. False
 * when several chains of the group share its bytes, or other chains than those round the group
 * touch it: then the order of one depends on the others. */
static bool look_at(merger *m, const candidate *g, uint32_t t) {
    const tn_edge_rows *r = &m->p->touching;
    const tn_sched_tensor *x = &m->p->tensor[t];
    uint32_t n_before = 0, n_behind = 0, seat = 0;
    bool several = false;
    for (uint32_t e = r->start[t]; e < r->start[t + 1]; e++, m->work++) {
        uint32_t v = r->item[e], c = m->chain_of[v];
        if (m->seat[v] != 0) {
            several = several || (seat != 0 && seat != m->seat[v]);
            seat = m->seat[v];
        } else if (c == g->before) {
            n_before++;
        } else if (c == g->behind) {
            n_behind++;
        } else {
            return false;
        }
    }
    bool started = x->at_start || n_before > 0, stays = x->to_end || n_behind > 0;
    m->state.tensor[t].left = several ? STEADY : tn_edge_rows_len(r, t) - n_before;
    return !several || x->size == 0 || (started && stays);
}

static bool look_at_all(merger *m, const candidate *g, uint32_t n) {
    const tn_edge_rows *touched = &m->p->touched;
    m->n_groups++;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t v = m->chains[g[k].chain].first; v != NONE; v = m->next[v]) {
            for (uint32_t e = touched->start[v]; e < touched->start[v + 1]; e++) {
                uint32_t t = touched->item[e];
                bool again = m->seen[t] == m->n_groups;
                m->seen[t] = m->n_groups;
                if (!again && !look_at(m, g, t)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static tn_hills hills_of(merger *m, uint32_t c) {
    tn_hills f = tn_hills_make(m->arena, m->chains[c].len);
    uint32_t i = 0;
    m->state.live = LEVEL;
    for (uint32_t v = m->chains[c].first; v != NONE; v = m->next[v], i++) {
        f.op[i] = v;
        f.during[i] = (int64_t)(tn_op_state_cost(&m->state, v).during - LEVEL);
        tn_op_state_run(&m->state, v);
        f.after[i + 1] = (int64_t)(m->state.live - LEVEL);
    }
    return f;
}

static void set_seats(merger *m, const candidate *g, uint32_t n, bool on) {
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t v = m->chains[g[k].chain].first; v != NONE; v = m->next[v]) {
            m->seat[v] = on ? k + 1 : 0;
            m->work++;
        }
    }
}

static void replace(merger *m, const candidate *g, uint32_t n, const tn_hills *f) {
    uint32_t c = g[0].chain;
    for (uint32_t k = 0; k < n; k++) {
        m->chains[g[k].chain].len = 0;
    }
    m->chains[c] = (chain){.first = f->op[0], .last = f->op[f->len - 1], .len = f->len};
    for (uint32_t i = 0; i < f->len; i++) {
        m->chain_of[f->op[i]] = c;
        m->next[f->op[i]] = i + 1 < f->len ? f->op[i + 1] : NONE;
    }
    m->changed = true;
}

static void merge_group(merger *m, const candidate *g, uint32_t n) {
    set_seats(m, g, n, true);
    bool can = look_at_all(m, g, n);
    set_seats(m, g, n, false);
    if (!can) {
        return;
    }
    tn_hills *chains = TN_ARRAY(m->arena, tn_hills, n);
    for (uint32_t k = 0; k < n; k++) {
        chains[k] = hills_of(m, g[k].chain);
    }
    tn_hills merged = tn_hills_merge(m->arena, chains, n);
    replace(m, g, n, &merged);
}

static int by_place(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->before, y->before), TN_COMPARE(x->behind, y->behind),
                       TN_COMPARE(x->chain, y->chain));
}

static void merge_sides(merger *m) {
    candidate *list = TN_ARRAY(m->arena, candidate, m->p->n);
    uint32_t n = 0;
    for (uint32_t c = 0; c < m->p->n; c++) {
        const chain *x = &m->chains[c];
        if (x->len > 0 && x->in.n <= 1 && x->out.n <= 1) {
            list[n++] = (candidate){x->in.n == 1 ? x->in.only : NONE,
                                    x->out.n == 1 ? x->out.only : NONE, c};
        }
    }
    TN_SORT(list, n, by_place);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1;
             end < n && list[end].before == list[i].before && list[end].behind == list[i].behind;) {
            end++;
        }
        if (end - i > 1) {
            merge_group(m, list + i, end - i);
        }
    }
}

static merger start(tn_arena *arena, const tn_sched *p) {
    merger m = {.p = p,
                .state = tn_op_state_make(arena, p),
                .chains = TN_ARRAY(arena, chain, p->n),
                .chain_of = TN_ARRAY(arena, uint32_t, p->n),
                .next = TN_ARRAY(arena, uint32_t, p->n),
                .mark = TN_ARRAY(arena, uint32_t, p->n),
                .start = TN_ARRAY(arena, uint32_t, p->n + 1u),
                .seat = TN_ARRAY(arena, uint32_t, p->n),
                .seen = TN_ARRAY(arena, uint32_t, p->m),
                .changed = true};
    for (uint32_t v = 0; v < p->n; v++) {
        m.chains[v] = (chain){.first = v, .last = v, .len = 1};
        m.chain_of[v] = v;
        m.next[v] = NONE;
    }
    return m;
}

tn_sched tn_order_merge_chains(tn_arena *arena, const tn_sched *p, uint64_t limit,
                               const uint32_t *given, uint32_t *order) {
    merger m = start(arena, p);
    while (m.changed && m.work < limit) {
        m.arena = tn_arena_new(tn_arena_ctx(arena));
        m.changed = false;
        m.work += p->n;
        find_ends(&m);
        join_rows(&m);
        find_ends(&m);
        merge_sides(&m);
        tn_arena_drop(m.arena);
    }
    uint32_t(*before)[2] = tn_arena_array(arena, p->n, sizeof *before), n = 0;
    for (uint32_t v = 0; v < p->n; v++) {
        if (m.next[v] != NONE) {
            before[n][0] = v;
            before[n++][1] = m.next[v];
        }
    }
    tn_sched merged = tn_sched_with_edges(arena, p, (const uint32_t(*)[2])before, n);
    tn_sched_sort(arena, &merged, given, order);
    return merged;
}
