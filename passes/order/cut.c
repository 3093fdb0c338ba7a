#include "passes/order/cut.h"

#include <string.h>

#include "ir/base/sort.h"
#include "passes/order/flow.h"
#include "passes/order/op_state.h"

/* Where an op stands towards the op asked about: before or after it in all orders (the op itself
 * counts as after), or free. */
enum { FREE, BEFORE, AFTER };

tn_cutter tn_cutter_make(tn_arena *arena, const tn_sched *p) {
    return (tn_cutter){.p = p,
                       .arena = arena,
                       .side = TN_ARRAY(arena, uint8_t, p->n),
                       .stack = TN_ARRAY(arena, uint32_t, p->n),
                       .node = TN_ARRAY(arena, uint32_t, p->n),
                       .flow = tn_flow_new(arena)};
}

static void mark(tn_cutter *c, uint32_t v, const tn_edge_rows *next, uint8_t side) {
    uint32_t depth = 0;
    c->stack[depth++] = v;
    while (depth > 0) {
        uint32_t u = c->stack[--depth];
        for (uint32_t e = next->start[u]; e < next->start[u + 1]; e++, c->work++) {
            uint32_t w = next->item[e];
            if (c->side[w] == FREE) {
                c->side[w] = side;
                c->stack[depth++] = w;
            }
        }
    }
}

/* Precedence: an op on the source's side has all its dependencies there. */
static void add_ops(tn_cutter *c) {
    const tn_sched *p = c->p;
    for (uint32_t v = 0; v < p->n; v++) {
        if (c->side[v] == FREE) {
            c->node[v] = tn_flow_node(c->flow);
        }
    }
    for (uint32_t v = 0; v < p->n; v++) {
        if (c->side[v] != FREE) {
            continue;
        }
        for (uint32_t e = p->pred.start[v]; e < p->pred.start[v + 1]; e++) {
            if (c->side[p->pred.item[e]] == FREE) {
                tn_flow_arc_add(c->flow, c->node[v], c->node[p->pred.item[e]], TN_FLOW_ENDLESS);
            }
        }
    }
}

/* Arcs between a node and the free ops of a tensor, but for `except`. */
static void link_free(tn_cutter *c, uint32_t t, uint32_t node, bool to_ops, uint32_t except) {
    const tn_edge_rows *r = &c->p->touching;
    for (uint32_t e = r->start[t]; e < r->start[t + 1]; e++) {
        uint32_t v = r->item[e];
        if (c->side[v] == FREE && v != except) {
            tn_flow_arc_add(c->flow, to_ops ? node : c->node[v], to_ops ? c->node[v] : node,
                            TN_FLOW_ENDLESS);
        }
    }
}

/* A node that is on the source's side once the tensor is live: TN_FLOW_SOURCE when it does already.
 */
static uint32_t birth(tn_cutter *c, uint32_t t, bool started) {
    uint32_t head = c->p->tensor[t].head;
    if (started) {
        return TN_FLOW_SOURCE;
    }
    if (head != TN_SCHED_NONE) {
        return c->node[head];
    }
    uint32_t node = tn_flow_node(c->flow);
    link_free(c, t, node, false, TN_SCHED_NONE);
    return node;
}

/* A node on the source's side only when all free ops of the tensor are. */
static uint32_t death(tn_cutter *c, uint32_t t, uint32_t except) {
    uint32_t node = tn_flow_node(c->flow);
    link_free(c, t, node, true, except);
    return node;
}

/* Adds the bytes of a tensor to the network; returns those no choice can change. */
static uint64_t add_tensor(tn_cutter *c, uint32_t t) {
    const tn_sched_tensor *x = &c->p->tensor[t];
    const tn_edge_rows *r = &c->p->touching;
    uint32_t n_free = 0, n_before = 0, n_after = 0;
    for (uint32_t e = r->start[t]; e < r->start[t + 1]; e++, c->work++) {
        uint8_t side = c->side[r->item[e]];
        n_free += side == FREE;
        n_before += side == BEFORE;
        n_after += side == AFTER;
    }
    bool started = x->at_start || n_before > 0, endless = x->to_end || n_after > 0;
    if (x->size == 0 || (!started && n_free == 0) || (!endless && n_free == 0)) {
        return 0;
    }
    if (started && endless) {
        return x->size;
    }
    if (!started && !endless && n_free == 1) {
        return 0;
    }
    uint32_t from = birth(c, t, started);
    uint32_t to = endless ? TN_FLOW_SINK : death(c, t, started ? TN_SCHED_NONE : x->head);
    tn_flow_arc_add(c->flow, from, to, x->size);
    return 0;
}

typedef enum dies { DIES_NEVER, DIES_MAYBE, DIES_SURELY } dies;

static dies dies_at(const tn_cutter *c, uint32_t t, uint32_t v) {
    const tn_edge_rows *r = &c->p->touching;
    dies d = c->p->tensor[t].to_end ? DIES_NEVER : DIES_SURELY;
    for (uint32_t e = r->start[t]; e < r->start[t + 1] && d != DIES_NEVER; e++) {
        uint32_t u = r->item[e];
        d = u == v || c->side[u] == BEFORE ? d : c->side[u] == AFTER ? DIES_NEVER : DIES_MAYBE;
    }
    return d;
}

/* The bytes of `result` at v, less what writing over an operand saves: when one surely ends here,
 * and saves as much as any; when exactly one may end here, once its other readers have run. In
 * other doubt the most that may be saved. */
static uint64_t result_bytes(tn_cutter *c, uint32_t v, uint32_t result) {
    const tn_sched *p = c->p;
    const tn_sched_inplace *maybe = NULL;
    uint32_t n_maybe = 0;
    uint64_t surely = 0, most = 0;
    for (uint32_t e = p->inplace_of.start[v]; e < p->inplace_of.start[v + 1]; e++) {
        const tn_sched_inplace *k = &p->inplace[p->inplace_of.item[e]];
        if (k->result != result) {
            continue;
        }
        dies d = dies_at(c, k->operand, v);
        uint64_t saving = d == DIES_NEVER ? 0 : tn_sched_saving(p, k);
        most = saving > most ? saving : most;
        surely = d == DIES_SURELY && saving > surely ? saving : surely;
        n_maybe += d == DIES_MAYBE;
        maybe = d == DIES_MAYBE ? k : maybe;
    }
    if (n_maybe == 1 && surely == 0) {
        tn_flow_arc_add(c->flow, TN_FLOW_SOURCE, death(c, maybe->operand, TN_SCHED_NONE), most);
    }
    return p->tensor[result].size - most;
}

static uint64_t op_bytes(tn_cutter *c, uint32_t v) {
    const tn_sched *p = c->p;
    uint64_t sum = 0;
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        uint32_t t = p->touched.item[e];
        bool alone = tn_edge_rows_len(&p->touching, t) == 1;
        bool starts = !p->tensor[t].at_start && (p->tensor[t].head == v || alone);
        sum += starts && p->tensor[t].size > 0 ? result_bytes(c, v, t) : 0;
    }
    return sum > p->workspace[v] ? sum : p->workspace[v];
}

static void place(tn_cutter *c, uint32_t v) {
    memset(c->side, FREE, c->p->n);
    c->side[v] = AFTER;
    mark(c, v, &c->p->pred, BEFORE);
    mark(c, v, &c->p->succ, AFTER);
}

/* With the sides of ops as they are. */
static uint64_t solve(tn_cutter *c, uint32_t v) {
    const tn_sched *p = c->p;
    tn_flow_clear(c->flow);
    add_ops(c);
    uint64_t sum = p->base + op_bytes(c, v);
    for (uint32_t t = 0; t < p->m; t++) {
        sum += add_tensor(c, t);
    }
    uint64_t seen = c->flow->work;
    sum += tn_flow_solve(c->flow);
    c->work += c->flow->work - seen + c->flow->arcs.len + p->n + p->m;
    return sum;
}

uint64_t tn_cut_bound(tn_cutter *c, uint32_t v, bool *before) {
    place(c, v);
    uint64_t sum = solve(c, v);
    for (uint32_t u = 0; u < c->p->n && before != NULL; u++) {
        before[u] =
            c->side[u] == BEFORE || (c->side[u] == FREE && tn_flow_at_source(c->flow, c->node[u]));
    }
    return sum;
}

uint64_t tn_cut_bound_among(tn_cutter *c, uint32_t v, const tn_cut_candidate *some, uint32_t n,
                            uint32_t done) {
    place(c, v);
    for (uint32_t i = 0; i < n; i++) {
        bool ran = (done >> i & 1u) != 0;
        uint8_t *side = &c->side[some[i].op];
        if (some[i].op != v && *side == (ran ? AFTER : BEFORE)) {
            return UINT64_MAX;
        }
        if (*side == FREE) {
            *side = ran ? BEFORE : AFTER;
            mark(c, some[i].op, ran ? &c->p->pred : &c->p->succ, *side);
        }
    }
    return solve(c, v);
}

static int costliest_first(const void *a, const void *b) {
    const tn_cut_candidate *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(y->during, x->during), TN_COMPARE(x->at, y->at));
}

const tn_cut_candidate *tn_cut_candidates(const tn_cutter *c, const uint32_t *order) {
    const tn_sched *p = c->p;
    tn_op_state w = tn_op_state_make(c->arena, p);
    tn_cut_candidate *list = TN_ARRAY(c->arena, tn_cut_candidate, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t v = order != NULL ? order[i] : i;
        list[i] = (tn_cut_candidate){tn_op_state_cost(&w, v).during, i, v};
        tn_op_state_run(&w, v);
    }
    TN_SORT(list, p->n, costliest_first);
    return list;
}

uint64_t tn_cut_lower_bound(tn_cutter *c, const uint32_t *order, uint64_t known, uint64_t limit) {
    const tn_sched *p = c->p;
    const tn_cut_candidate *list = tn_cut_candidates(c, order);
    uint64_t start = tn_op_state_make(c->arena, p).live;
    known = start > known ? start : known;
    for (uint32_t i = 0; i < p->n && list[i].during > known && c->work <= limit; i++) {
        if (tn_cut_short(tn_arena_ctx(c->arena))) {
            break;
        }
        uint64_t bound = tn_cut_bound(c, list[i].op, NULL);
        known = bound > known ? bound : known;
    }
    return known;
}

enum { MAX_SEQUENCE = 10 };

/* By set of those that have run: the least that a sequence needs to come there. */
uint64_t tn_cut_sequence_bound(tn_cutter *c, const uint32_t *order, uint32_t n, uint64_t known,
                               uint64_t limit) {
    const tn_cut_candidate *list = tn_cut_candidates(c, order);
    n = n < c->p->n ? n : c->p->n;
    n = n < MAX_SEQUENCE ? n : MAX_SEQUENCE;
    uint32_t all = (1u << n) - 1;
    uint64_t *need = TN_ARRAY(c->arena, uint64_t, all + 1u);
    for (uint32_t set = 1; set <= all; set++) {
        need[set] = UINT64_MAX;
    }
    need[0] = known;
    for (uint32_t set = 0; set < all; set++) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t next = set | 1u << i;
            if (next == set || need[next] <= need[set]) {
                continue;
            }
            if (c->work > limit || tn_cut_short(tn_arena_ctx(c->arena))) {
                return known;
            }
            uint64_t bytes = tn_cut_bound_among(c, list[i].op, list, n, set);
            bytes = bytes > need[set] ? bytes : need[set];
            need[next] = bytes < need[next] ? bytes : need[next];
        }
    }
    return need[all];
}
