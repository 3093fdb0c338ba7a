#include "passes/order/op_state.h"

enum { MAX_INPLACE = 8 }; /* results an op can write over operands */

/* More ops than there can be. */
#define NEVER UINT32_MAX

static bool is_untouched(const tn_op_tensor *t) {
    return t->left == t->untouched;
}

static bool is_last(const tn_op_tensor *t) {
    return t->left == t->last;
}

tn_op_state tn_op_state_make(tn_arena *arena, const tn_sched *p) {
    tn_op_state w = {.p = p,
                     .waits = TN_ARRAY(arena, uint32_t, p->n),
                     .tensor = TN_ARRAY(arena, tn_op_tensor, p->m),
                     .live = p->base};
    for (uint32_t v = 0; v < p->n; v++) {
        w.waits[v] = tn_edge_rows_len(&p->pred, v);
    }
    for (uint32_t t = 0; t < p->m; t++) {
        const tn_sched_tensor *x = &p->tensor[t];
        uint32_t n = tn_edge_rows_len(&p->touching, t);
        w.tensor[t] = (tn_op_tensor){x->size, n, x->at_start ? NEVER : n, x->to_end ? NEVER : 1};
        w.live += x->at_start ? x->size : 0;
    }
    return w;
}

static uint64_t bytes_in_place(const tn_op_state *w, uint32_t v) {
    const tn_sched *p = w->p;
    uint32_t used[2 * MAX_INPLACE], n = 0;
    uint64_t sum = 0;
    for (uint32_t e = p->inplace_of.start[v]; e < p->inplace_of.start[v + 1] && n < 2 * MAX_INPLACE;
         e++) {
        const tn_sched_inplace *k = &p->inplace[p->inplace_of.item[e]];
        bool fits = is_last(&w->tensor[k->operand]) && is_untouched(&w->tensor[k->result]);
        for (uint32_t i = 0; i < n; i++) {
            fits = fits && used[i] != k->operand && used[i] != k->result;
        }
        if (fits) {
            sum += p->tensor[k->result].size;
            used[n++] = k->operand;
            used[n++] = k->result;
        }
    }
    return sum;
}

tn_step_cost tn_op_state_cost(const tn_op_state *w, uint32_t v) {
    const tn_sched *p = w->p;
    uint64_t born = 0, dead = 0;
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        const tn_op_tensor *t = &w->tensor[p->touched.item[e]];
        born += is_untouched(t) ? t->size : 0;
        dead += is_last(t) ? t->size : 0;
    }
    uint64_t more = born - bytes_in_place(w, v);
    more = more > p->workspace[v] ? more : p->workspace[v];
    return (tn_step_cost){w->live + more, w->live + born - dead};
}

void tn_op_state_run(tn_op_state *w, uint32_t v) {
    const tn_sched *p = w->p;
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        tn_op_tensor *t = &w->tensor[p->touched.item[e]];
        w->live += is_untouched(t) ? t->size : 0;
        w->live -= is_last(t) ? t->size : 0;
        t->left--;
    }
    for (uint32_t e = p->succ.start[v]; e < p->succ.start[v + 1]; e++) {
        w->waits[p->succ.item[e]]--;
    }
}

void tn_op_state_undo(tn_op_state *w, uint32_t v) {
    const tn_sched *p = w->p;
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        tn_op_tensor *t = &w->tensor[p->touched.item[e]];
        t->left++;
        w->live -= is_untouched(t) ? t->size : 0;
        w->live += is_last(t) ? t->size : 0;
    }
    for (uint32_t e = p->succ.start[v]; e < p->succ.start[v + 1]; e++) {
        w->waits[p->succ.item[e]]++;
    }
}
