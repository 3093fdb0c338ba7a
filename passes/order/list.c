/* List scheduling: of the ops that are ready, the one that leaves the fewest bytes more behind. */
#include "passes/order/list.h"

#include <string.h>

#include "passes/order/reverse.h"
#include "passes/order/walk.h"

/* An entry is good while its stamp is the op's: whatever changes the key of a ready op pushes a new
 * one. */
typedef struct entry {
    int64_t delta; /* bytes live more after the op */
    uint32_t when; /* the op became ready as the when-th */
    uint32_t op, stamp;
} entry;

typedef struct heap {
    tn_arena *arena;
    TN_VEC(entry) list;
} heap;

typedef struct lister {
    tn_walk w;
    heap ready;
    uint32_t *when, *stamp;
    bool *done;
    uint32_t n_ready;
} lister;

/* Smaller delta, then the op that became ready last: it continues what was begun. */
static bool sooner(const entry *a, const entry *b) {
    if (a->delta != b->delta) {
        return a->delta < b->delta;
    }
    return a->when != b->when ? a->when > b->when : a->stamp > b->stamp;
}

static void push(heap *h, entry e) {
    tn_vec_push(h->arena, &h->list, e);
    uint32_t i = h->list.len - 1;
    for (; i > 0 && sooner(&e, &h->list.data[(i - 1) / 2]); i = (i - 1) / 2) {
        h->list.data[i] = h->list.data[(i - 1) / 2];
    }
    h->list.data[i] = e;
}

static entry pop(heap *h) {
    entry top = h->list.data[0], last = h->list.data[--h->list.len];
    uint32_t i = 0, n = h->list.len;
    for (;;) {
        uint32_t c = 2 * i + 1;
        c += c + 1 < n && sooner(&h->list.data[c + 1], &h->list.data[c]);
        if (c >= n || !sooner(&h->list.data[c], &last)) {
            break;
        }
        h->list.data[i] = h->list.data[c];
        i = c;
    }
    if (n > 0) {
        h->list.data[i] = last;
    }
    return top;
}

static void offer(lister *l, uint32_t v) {
    int64_t delta = (int64_t)tn_walk_cost(&l->w, v).after - (int64_t)l->w.live;
    push(&l->ready, (entry){delta, l->when[v], v, ++l->stamp[v]});
}

static void make_ready(lister *l, uint32_t v) {
    l->when[v] = ++l->n_ready;
    offer(l, v);
}

/* Keys change when a tensor starts, or is down to its last op. */
static void refresh(lister *l, uint32_t t, bool started) {
    const tn_sched *p = l->w.p;
    if (!started && l->w.left[t] != 1) {
        return;
    }
    for (uint32_t e = p->touching.start[t]; e < p->touching.start[t + 1]; e++) {
        uint32_t u = p->touching.item[e];
        if (!l->done[u] && l->when[u] != 0) {
            offer(l, u);
        }
    }
}

static void run(lister *l, uint32_t v) {
    const tn_sched *p = l->w.p;
    tn_walk_run(&l->w, v);
    l->done[v] = true;
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        uint32_t t = p->touched.item[e];
        refresh(l, t, l->w.left[t] + 1 == tn_rows_len(&p->touching, t));
    }
    for (uint32_t e = p->succ.start[v]; e < p->succ.start[v + 1]; e++) {
        uint32_t s = p->succ.item[e];
        if (l->w.waits[s] == 0 && l->when[s] == 0) {
            make_ready(l, s);
        }
    }
}

void tn_order_list(tn_arena *scratch, const tn_sched *p, uint32_t *out) {
    lister l = {.w = tn_walk_make(scratch, p),
                .ready = {.arena = scratch},
                .when = TN_ARRAY(scratch, uint32_t, p->n),
                .stamp = TN_ARRAY(scratch, uint32_t, p->n),
                .done = TN_ARRAY(scratch, bool, p->n)};
    uint32_t len = 0;
    for (uint32_t v = p->n; v-- > 0;) {
        if (l.w.waits[v] == 0) {
            make_ready(&l, v);
        }
    }
    while (l.ready.list.len > 0) {
        entry e = pop(&l.ready);
        if (!l.done[e.op] && l.stamp[e.op] == e.stamp) {
            out[len++] = e.op;
            run(&l, e.op);
        }
    }
}

/* A tensor reads the same in both directions of time, so the reversed problem is the same one with
 * dependencies turned round. Nothing is taken over in it. */
void tn_order_list_reversed(tn_arena *scratch, const tn_sched *p, uint32_t *out) {
    tn_sched r = *p;
    tn_sched_tensor *tensor = TN_ARRAY(scratch, tn_sched_tensor, p->m);
    for (uint32_t t = 0; t < p->m; t++) {
        const tn_sched_tensor *x = &p->tensor[t];
        tensor[t] = (tn_sched_tensor){x->size, TN_SCHED_NONE, x->to_end, x->at_start};
    }
    r.tensor = tensor;
    r.succ = p->pred;
    r.pred = p->succ;
    tn_order_list(scratch, &r, out);
    tn_order_turn(out, p->n);
}
