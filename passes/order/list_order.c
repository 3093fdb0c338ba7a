/* List scheduling: of the ops that are ready, the one that leaves the fewest bytes more behind. */
#include "passes/order/list_order.h"

#include "ir/base/heap.h"
#include "passes/order/op_state.h"

/* An entry is good while its stamp is the op's: whatever changes the key of a ready op pushes a new
 * one. */
typedef struct entry {
    int64_t delta; /* bytes live more after the op */
    uint32_t when; /* the op became ready as the when-th */
    uint32_t op, stamp;
} entry;

typedef struct lister {
    tn_op_state w;
    tn_arena *arena;
    TN_VEC(entry) ready; /* a heap */
    uint32_t *when, *stamp;
    bool *done;
    uint32_t n_ready;
} lister;

/* Smaller delta, then the op that became ready last: it continues what was begun. */
static bool sooner(const void *none, const entry *a, const entry *b) {
    (void)none;
    if (a->delta != b->delta) {
        return a->delta < b->delta;
    }
    return a->when != b->when ? a->when > b->when : a->stamp > b->stamp;
}

static void offer(lister *l, uint32_t v) {
    int64_t delta = (int64_t)tn_op_state_cost(&l->w, v).after - (int64_t)l->w.live;
    tn_vec_push(l->arena, &l->ready, (entry){delta, l->when[v], v, ++l->stamp[v]});
    tn_heap_up(l->ready.data, l->ready.len - 1, sooner, NULL);
}

static entry next(lister *l) {
    entry top = l->ready.data[0];
    l->ready.data[0] = l->ready.data[--l->ready.len];
    if (l->ready.len > 0) {
        tn_heap_down(l->ready.data, l->ready.len, 0, sooner, NULL);
    }
    return top;
}

static void make_ready(lister *l, uint32_t v) {
    l->when[v] = ++l->n_ready;
    offer(l, v);
}

/* Keys change when a tensor starts, or is down to its last op. */
static void refresh(lister *l, uint32_t t, bool started) {
    const tn_sched *p = l->w.p;
    if (!started && l->w.tensor[t].left != 1) {
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
    tn_op_state_run(&l->w, v);
    l->done[v] = true;
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        uint32_t t = p->touched.item[e];
        refresh(l, t, l->w.tensor[t].left + 1 == tn_edge_rows_len(&p->touching, t));
    }
    for (uint32_t e = p->succ.start[v]; e < p->succ.start[v + 1]; e++) {
        uint32_t s = p->succ.item[e];
        if (l->w.waits[s] == 0 && l->when[s] == 0) {
            make_ready(l, s);
        }
    }
}

void tn_order_list(tn_arena *scratch, const tn_sched *p, uint32_t *out) {
    lister l = {.w = tn_op_state_make(scratch, p),
                .arena = scratch,
                .when = TN_ARRAY(scratch, uint32_t, p->n),
                .stamp = TN_ARRAY(scratch, uint32_t, p->n),
                .done = TN_ARRAY(scratch, bool, p->n)};
    uint32_t len = 0;
    for (uint32_t v = p->n; v-- > 0;) {
        if (l.w.waits[v] == 0) {
            make_ready(&l, v);
        }
    }
    while (l.ready.len > 0) {
        entry e = next(&l);
        if (!l.done[e.op] && l.stamp[e.op] == e.stamp) {
            out[len++] = e.op;
            run(&l, e.op);
        }
    }
}
