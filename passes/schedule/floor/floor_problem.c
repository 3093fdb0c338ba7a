/* Graphs as problems of passes/order, with contents for tensors. */
#include <stdlib.h>

#include "passes/alias/bodies.h"
#include "passes/order/op_state.h"
#include "passes/order/solve.h"
#include "passes/schedule/floor/floor_t.h"

static int by_content(const void *a, const void *b) {
    const tn_floor_touch *x = a, *y = b;
    if (x->content != y->content) {
        return x->content < y->content ? -1 : 1;
    }
    return x->node < y->node ? -1 : x->node > y->node;
}

static void add_touch(tn_floor *w, uint32_t cell, const tn_op *op) {
    const tn_content *x = &w->of[cell];
    const tn_op *node = tn_floor_lift(w, op, x->level);
    if (node != NULL) {
        tn_vec_push(w->arena, &w->levels[x->level].touches,
                    (tn_floor_touch){cell, w->node[node->id]});
    }
}

/* What a value touches: its own cells, and all of the storage it is a part of. */
static void touch_all(tn_floor *w, const tn_value *of, const tn_op *op) {
    TN_FOR_CELLS(w, of, c) {
        uint32_t cell = tn_content_of(&w->cells, c);
        if (tn_floor_is_tensor(&w->of[cell])) {
            add_touch(w, cell, op);
        }
    }
}

static void find_touches_by(tn_floor *w, const tn_value *v, const tn_value *of) {
    const tn_live *l = &w->live->of[v->id];
    if (v->kind == TN_VALUE_RESULT) {
        touch_all(w, of, v->def);
    }
    for (uint32_t r = 0; r < l->n_reads; r++) {
        if (!tn_floor_is_call(&l->reads[r], v)) {
            touch_all(w, of, l->reads[r].op);
        }
    }
}

void tn_floor_find_touches(tn_floor *w) {
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        const tn_value *v = w->m->values[i];
        find_touches_by(w, v, v);
        for (uint32_t k = 0; k < w->m->n_values && w->joined[i]; k++) {
            if (k != i && w->joined[k] && tn_floor_class_of(w, k) == tn_floor_class_of(w, i)) {
                find_touches_by(w, v, w->m->values[k]);
            }
        }
    }
}

/* What lives all the time is no tensor of a problem. */
void tn_floor_find_bases(tn_floor *w) {
    for (uint32_t i = 0; i < w->cells.n; i++) {
        const tn_content *x = &w->of[i];
        if (tn_content_of(&w->cells, i) != i || (x->flags & TN_CONTENT_OUTSIDE)) {
            continue;
        }
        tn_floor_level *l = &w->levels[x->flags & TN_CONTENT_PERMANENT ? w->m->main->id : x->level];
        l->base += tn_floor_is_tensor(x) ? 0 : x->bytes;
        l->left += x->flags & TN_CONTENT_TO_END ? x->bytes : 0;
    }
}

/* By content: number of its tensor. */
static void add_tensors(tn_floor *w, tn_floor_level *l, uint32_t *tensor, tn_sched_lists *lists) {
    uint32_t n = l->touches.len;
    if (n > 0) {
        qsort(l->touches.data, n, sizeof *l->touches.data, by_content);
    }
    tn_sched_tensor *list = TN_ARRAY(w->arena, tn_sched_tensor, n);
    tn_floor_pair *pairs = TN_ARRAY(w->arena, tn_floor_pair, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        const tn_floor_touch *t = &l->touches.data[i];
        if (i == 0 || t->content != t[-1].content) {
            const tn_content *x = &w->of[t->content];
            tensor[t->content] = lists->m;
            list[lists->m++] = (tn_sched_tensor){.size = x->bytes,
                                                 .head = x->starts == 1 ? x->head : TN_SCHED_NONE,
                                                 .at_start = (x->flags & TN_CONTENT_AT_START) != 0,
                                                 .to_end = (x->flags & TN_CONTENT_TO_END) != 0};
        } else if (t->node == t[-1].node) {
            continue;
        }
        pairs[lists->n_touch++] = (tn_floor_pair){{t->node, lists->m - 1}};
    }
    lists->tensor = list;
    lists->touch = (const uint32_t(*)[2]) & pairs->of;
}

static void add_inplace(tn_floor *w, const tn_floor_level *l, const uint32_t *tensor,
                        tn_sched_lists *lists) {
    tn_sched_inplace *list = TN_ARRAY(w->arena, tn_sched_inplace, l->pairs.len);
    for (uint32_t i = 0; i < l->pairs.len; i++) {
        const tn_overwrite *x = &l->pairs.data[i];
        list[i] =
            (tn_sched_inplace){w->node[x->op->id], tensor[tn_content_of(&w->cells, x->result)],
                               tensor[tn_content_of(&w->cells, x->operand)]};
    }
    lists->inplace = list;
    lists->n_inplace = l->pairs.len;
}

/* What an op makes while its bodies run. */
static uint64_t early_bytes(const tn_floor *w, const tn_op *op) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < op->n_results; i++) {
        const tn_value *v = op->results[i];
        if (v == NULL || tn_write_step(w->live->steps, v) != w->live->steps->begin[op->id]) {
            continue;
        }
        TN_FOR_CELLS(w, v, c) {
            const tn_content *x = tn_floor_content(w, c);
            sum += x->flags & (TN_CONTENT_OUTSIDE | TN_CONTENT_PERMANENT) ? 0 : x->bytes;
        }
    }
    return sum;
}

/* A state lies where its first value did, if it can. */
static uint64_t shared_states(const tn_floor *w, const tn_op *op) {
    tn_states s = tn_op_states(op);
    const tn_graph *body = op->regions[0];
    uint32_t n = tn_n_loop_states(op);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tn_value *v = tn_operand(op, s.operand + i), *argument = body->inputs[s.operand + i];
        if (v != NULL && !tn_floor_is_outside(w, v) && !tn_floor_is_free(w, argument)) {
            TN_FOR_CELLS(w, argument, c) {
                sum += tn_floor_cell_bytes(w, c);
            }
        }
    }
    return sum;
}

/* Bodies run one after the other, and what those of a loop give back stays until its end. */
static uint64_t need_of_bodies(const tn_floor *w, const tn_op *op) {
    bool loops = tn_is_loop(op);
    uint64_t most = 0, before = loops ? early_bytes(w, op) : 0;
    uint64_t shared = loops && op->n_regions == 1 ? shared_states(w, op) : 0;
    for (uint32_t i = 0; i < op->n_regions; i++) {
        uint32_t body = op->regions[i]->id;
        uint64_t need = w->need[body] + before;
        most = need > most ? need : most;
        before += loops ? w->levels[body].left : 0;
    }
    return most > shared ? most - shared : 0;
}

/* Which contents are wanted at the costliest op of the order found. */
static void find_peak(tn_floor *w, const tn_sched *p, const uint32_t *order,
                      const uint32_t *tensor) {
    tn_op_state now = tn_op_state_make(w->arena, p);
    uint64_t most = 0;
    uint32_t peak = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        uint64_t during = tn_op_state_cost(&now, order[i]).during;
        peak = during > most ? i : peak;
        most = during > most ? during : most;
        tn_op_state_run(&now, order[i]);
    }
    for (uint32_t i = p->n; i-- > peak + 1;) {
        tn_op_state_undo(&now, order[i]);
    }
    const tn_floor_level *l = &w->levels[w->m->main->id];
    for (uint32_t i = 0; i < l->touches.len; i++) {
        uint32_t cell = l->touches.data[i].content, t = tensor[cell];
        bool begun = now.tensor[t].left < tn_edge_rows_len(&p->touching, t);
        bool ends = now.tensor[t].left == 0 && !p->tensor[t].to_end;
        bool here = l->touches.data[i].node == order[peak];
        w->at_peak[cell] |= here || ((begun || p->tensor[t].at_start) && !ends);
    }
}

void tn_floor_solve(tn_floor *w, uint32_t graph, uint32_t *tensor) {
    tn_floor_level *l = &w->levels[graph];
    tn_sched_lists lists = {.n = l->ops.len,
                            .before = (const uint32_t(*)[2])l->edges.data,
                            .n_before = l->edges.len,
                            .base = l->base};
    uint64_t *workspace = TN_ARRAY(w->arena, uint64_t, l->ops.len);
    uint32_t *given = TN_ARRAY(w->arena, uint32_t, l->ops.len);
    for (uint32_t i = 0; i < l->ops.len; i++) {
        const tn_op *op = w->m->ops[l->ops.data[i]];
        bool bodies = op->n_regions > 0 && !tn_op_is_call(op);
        workspace[i] = bodies ? need_of_bodies(w, op) : 0;
        given[i] = i;
    }
    lists.workspace = workspace;
    add_tensors(w, l, tensor, &lists);
    add_inplace(w, l, tensor, &lists);
    tn_sched p = tn_sched_make(w->arena, &lists);
    tn_sched_result found = tn_sched_min_peak(w->arena, &p, given, w->options);
    w->need[graph] = found.bound;
    if (graph == w->m->main->id) {
        find_peak(w, &p, found.order, tensor);
    }
}
