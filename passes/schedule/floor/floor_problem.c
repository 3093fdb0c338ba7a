/* Graphs as problems of passes/order, with contents for tensors. */

#include "ir/base/sort.h"
#include "passes/order/solve.h"
#include "passes/schedule/floor/floor_t.h"

static int by_content(const void *a, const void *b) {
    const tn_floor_touch *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->content, y->content), TN_COMPARE(x->node, y->node));
}

static void add_touch(tn_floor *w, uint32_t cell, const tn_op *op) {
    const tn_content *x = &w->of[cell];
    const tn_op *node = tn_floor_lift(w, op, x->level);
    if (node != NULL) {
        tn_vec_push(w->arena, &w->levels[x->level].touches,
                    (tn_floor_touch){cell, w->node[node->id]});
    }
}

static void touch_all(tn_floor *w, const tn_value *v, const tn_op *op) {
    TN_FOR_CELLS(w, v, c) {
        uint32_t cell = tn_content_of(&w->cells, c);
        if (tn_floor_is_tensor(&w->of[cell])) {
            add_touch(w, cell, op);
        }
    }
}

/* A value touches its own cells alone: where it is a part of a storage, others may lie in the rest
 * of that before and after (passes/fill_parts.c). */
void tn_floor_find_touches(tn_floor *w) {
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        const tn_value *v = w->m->values[i];
        const tn_live *l = &w->live->of[v->id];
        if (v->kind == TN_VALUE_RESULT) {
            touch_all(w, v, v->def);
        }
        for (uint32_t r = 0; r < l->n_reads; r++) {
            if (!tn_floor_is_call(&l->reads[r], v)) {
                touch_all(w, v, l->reads[r].op);
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
        bool leaves = (x->flags & TN_CONTENT_TO_END) && !(x->flags & TN_CONTENT_PERMANENT);
        l->left += leaves ? x->bytes : 0;
    }
}

/* By content: number of its tensor. */
static void add_tensors(tn_floor *w, tn_floor_level *l, uint32_t *tensor, tn_sched_lists *lists) {
    uint32_t n = l->touches.len;
    TN_SORT(l->touches.data, n, by_content);
    tn_sched_tensor *list = TN_ARRAY(w->arena, tn_sched_tensor, n);
    tn_floor_pair *pairs = TN_ARRAY(w->arena, tn_floor_pair, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        const tn_floor_touch *t = &l->touches.data[i];
        if (i == 0 || t->content != t[-1].content) {
            const tn_content *x = &w->of[t->content];
            tensor[t->content] = lists->m;
            bool outside = (x->flags & TN_CONTENT_OUTSIDE) != 0;
            list[lists->m++] = (tn_sched_tensor){.size = outside ? 0 : x->bytes,
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

static bool is_outside(const tn_floor *w, uint32_t cell) {
    return (tn_floor_content(w, cell)->flags & TN_CONTENT_OUTSIDE) != 0;
}

static void add_inplace(tn_floor *w, const tn_floor_level *l, const uint32_t *tensor,
                        tn_sched_lists *lists) {
    tn_sched_inplace *list = TN_ARRAY(w->arena, tn_sched_inplace, l->pairs.len);
    for (uint32_t i = 0; i < l->pairs.len; i++) {
        const tn_overwrite *x = &l->pairs.data[i];
        if (!is_outside(w, x->result) && !is_outside(w, x->operand)) {
            list[lists->n_inplace++] =
                (tn_sched_inplace){w->node[x->op->id], tensor[tn_content_of(&w->cells, x->result)],
                                   tensor[tn_content_of(&w->cells, x->operand)]};
        }
    }
    lists->inplace = list;
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
        workspace[i] = bodies ? tn_floor_need_of_bodies(w, op, tensor) : 0;
        given[i] = i;
    }
    lists.workspace = workspace;
    add_tensors(w, l, tensor, &lists);
    add_inplace(w, l, tensor, &lists);
    tn_sched p = tn_sched_make(w->arena, &lists);
    tn_sched_result found = tn_order_remembered(w->memory, w->arena, &p, given, w->options);
    w->need[graph] = found.bound;
    if (w->splits && graph == w->m->main->id) {
        tn_floor_note_peak(w, &p, found.order);
    }
}
