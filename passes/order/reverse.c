#include "passes/order/reverse.h"

/* Bytes that start at v, if that does not depend on the order. */
static bool bytes_born(const tn_sched *p, uint32_t v, uint64_t *born) {
    *born = 0;
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        uint32_t x = p->touched.item[e];
        const tn_sched_tensor *t = &p->tensor[x];
        bool alone = tn_edge_rows_len(&p->touching, x) == 1;
        if (t->at_start) {
            continue;
        }
        if (t->head == TN_SCHED_NONE && !alone) {
            return false;
        }
        *born += t->head == v || alone ? t->size : 0;
    }
    return true;
}

/* What an op needs beyond its results becomes a tensor that it alone touches: that reads the same
 * in both directions. By op; 0: none. */
static bool find_extras(const tn_sched *p, uint64_t *extra, uint32_t *n_extra) {
    for (uint32_t v = 0; v < p->n; v++) {
        uint64_t born;
        if (p->workspace[v] == 0) {
            continue;
        }
        if (!bytes_born(p, v, &born)) {
            return false;
        }
        extra[v] = p->workspace[v] > born ? p->workspace[v] - born : 0;
        *n_extra += extra[v] > 0;
    }
    return true;
}

/* Touches with those of the extra tensors, which are numbered from p->m on. */
static void add_extras(tn_arena *arena, const tn_sched *p, const uint64_t *extra, uint32_t n_extra,
                       tn_sched *out, tn_sched_tensor *tensor) {
    uint32_t n;
    uint32_t(*touch)[2] = tn_edge_rows_pairs(arena, &p->touched, p->n, n_extra, &n);
    for (uint32_t v = 0; v < p->n; v++) {
        if (extra[v] > 0) {
            touch[n][0] = v;
            touch[n++][1] = out->m;
            tensor[out->m++] = (tn_sched_tensor){.size = extra[v], .head = v};
        }
    }
    out->touched = tn_edge_rows_make(arena, p->n, (const uint32_t(*)[2])touch, n, 0);
    out->touching = tn_edge_rows_make(arena, out->m, (const uint32_t(*)[2])touch, n, 1);
}

bool tn_order_reverse(tn_arena *arena, const tn_sched *p, tn_sched *out) {
    uint64_t *extra = TN_ARRAY(arena, uint64_t, p->n);
    uint32_t n_extra = 0, n_inplace = p->inplace_of.start[p->n];
    if (!find_extras(p, extra, &n_extra)) {
        return false;
    }
    tn_sched_tensor *tensor = TN_ARRAY(arena, tn_sched_tensor, (size_t)p->m + n_extra);
    tn_sched_inplace *list = TN_ARRAY(arena, tn_sched_inplace, n_inplace);
    for (uint32_t t = 0; t < p->m; t++) {
        const tn_sched_tensor *x = &p->tensor[t];
        tensor[t] = (tn_sched_tensor){x->size, TN_SCHED_NONE, x->to_end, x->at_start};
    }
    for (uint32_t i = 0; i < n_inplace; i++) {
        list[i] = (tn_sched_inplace){p->inplace[i].op, p->inplace[i].operand, p->inplace[i].result};
    }
    *out = *p;
    out->succ = p->pred;
    out->pred = p->succ;
    out->tensor = tensor;
    out->inplace = list;
    out->workspace = TN_ARRAY(arena, uint64_t, p->n);
    if (n_extra > 0) {
        add_extras(arena, p, extra, n_extra, out, tensor);
    }
    return true;
}

void tn_order_turn(uint32_t *order, uint32_t n) {
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t v = order[i];
        order[i] = order[n - 1 - i];
        order[n - 1 - i] = v;
    }
}
