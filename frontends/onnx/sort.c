/* Putting nodes in order: of those whose operands are all made, the first in the file comes next
 * (Kahn's algorithm with a heap), which leaves everything in place that can stay. */
#include "frontends/onnx/import.h"
#include "ir/mutate.h"

typedef struct sorter {
    tn_arena *arena;
    uint32_t n;
    tn_op **ops;                    /* in the file's order */
    tn_map index;                   /* of op id */
    uint32_t *waits;                /* makers an op still waits for */
    uint32_t *head, *next, *reader; /* lists of readers by maker; next is one up, 0 ends */
    uint32_t *heap;
    uint32_t heap_len;
} sorter;

static void heap_push(sorter *s, uint32_t x) {
    uint32_t at = s->heap_len++;
    while (at > 0 && s->heap[(at - 1) / 2] > x) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = x;
}

static uint32_t heap_pop(sorter *s) {
    uint32_t top = s->heap[0], x = s->heap[--s->heap_len], at = 0;
    for (;;) {
        uint32_t kid = 2 * at + 1;
        if (kid >= s->heap_len) {
            break;
        }
        if (kid + 1 < s->heap_len && s->heap[kid + 1] < s->heap[kid]) {
            kid++;
        }
        if (s->heap[kid] >= x) {
            break;
        }
        s->heap[at] = s->heap[kid];
        at = kid;
    }
    s->heap[at] = x;
    return top;
}

static uint32_t index_of(const sorter *s, const tn_op *op) {
    return (uint32_t)tn_map_or(&s->index, op->id, 0);
}

static void fill(sorter *s, const tn_graph *g, const tn_onnx_edge *edges, uint32_t n_edges) {
    s->n = g->n_ops;
    s->ops = TN_ARRAY(s->arena, tn_op *, s->n);
    s->waits = TN_ARRAY(s->arena, uint32_t, s->n);
    s->head = TN_ARRAY(s->arena, uint32_t, s->n);
    s->heap = TN_ARRAY(s->arena, uint32_t, s->n);
    s->next = TN_ARRAY(s->arena, uint32_t, n_edges);
    s->reader = TN_ARRAY(s->arena, uint32_t, n_edges);
    s->index = tn_map_make(s->arena);
    uint32_t i = 0;
    TN_FOR_OPS(op, g) {
        tn_map_put(&s->index, op->id, i);
        s->ops[i++] = op;
    }
    for (uint32_t e = 0; e < n_edges; e++) {
        uint32_t def = index_of(s, edges[e].def);
        s->reader[e] = index_of(s, edges[e].reader);
        s->waits[s->reader[e]]++;
        s->next[e] = s->head[def];
        s->head[def] = e + 1;
    }
}

/* From an op that never got its turn, back along makers that did not either, until one repeats. */
static void tell_cycle(tn_onnx *in, const sorter *s, const tn_onnx_edge *edges, uint32_t n_edges) {
    uint32_t *maker = TN_ARRAY(s->arena, uint32_t, s->n);
    uint8_t *seen = TN_ARRAY(s->arena, uint8_t, s->n);
    for (uint32_t e = 0; e < n_edges; e++) {
        uint32_t def = index_of(s, edges[e].def);
        if (s->waits[def] > 0) {
            maker[s->reader[e]] = def + 1;
        }
    }
    uint32_t at = 0;
    while (s->waits[at] == 0) {
        at++;
    }
    while (!seen[at]) {
        seen[at] = 1;
        at = maker[at] - 1;
    }
    tn_error(in->ctx, &s->ops[at]->loc, "the node needs its own result: nodes form a cycle");
    uint32_t shown = 0;
    for (uint32_t i = maker[at] - 1; i != at && shown < 8; i = maker[i] - 1, shown++) {
        tn_note(in->ctx, &s->ops[i]->loc, "which reads from this node");
    }
    tn_reraise(in->ctx, TN_ERROR);
}

void tn_onnx_sort(tn_onnx *in, tn_graph *g, const tn_onnx_edge *edges, uint32_t n_edges) {
    sorter s = {.arena = tn_arena_new(in->ctx)};
    fill(&s, g, edges, n_edges);
    for (uint32_t i = 0; i < s.n; i++) {
        if (s.waits[i] == 0) {
            heap_push(&s, i);
        }
    }
    uint32_t done = 0, late = 0;
    while (s.heap_len > 0) {
        uint32_t i = heap_pop(&s);
        late += i != done++;
        tn_op_move_before(s.ops[i], NULL);
        for (uint32_t e = s.head[i]; e != 0; e = s.next[e - 1]) {
            if (--s.waits[s.reader[e - 1]] == 0) {
                heap_push(&s, s.reader[e - 1]);
            }
        }
    }
    if (done < s.n) {
        tell_cycle(in, &s, edges, n_edges);
    }
    tn_loc loc = tn_loc_file(in->src.file);
    loc.graph = g->path;
    tn_warn(in->ctx, &loc, "nodes are not in order of execution, %u of %u changed place", late,
            s.n);
    tn_arena_drop(s.arena);
}
