/* Putting nodes in order. The file's order is kept but for makers that come after a reader: those
 * are pulled in front of their first reader, with what they need themselves. A depth-first walk
 * with a stack of its own, linear in nodes and edges. */
#include "frontends/onnx/import_t.h"
#include "ir/mutate.h"

enum { NEW = 0, OPEN, DONE };

typedef struct sorter {
    tn_arena *arena;
    uint32_t n;
    tn_op **ops;     /* in the file's order */
    tn_map index;    /* of op id */
    uint32_t *first; /* n + 1: where the makers of an op begin in `makers` */
    uint32_t *makers;
    uint32_t *at; /* the next maker to look at */
    uint8_t *state;
    uint32_t *stack;
    uint32_t depth;
} sorter;

static uint32_t index_of(const sorter *s, const tn_op *op) {
    return (uint32_t)tn_map_or(&s->index, op->id, 0);
}

/* Edges grouped by reader, in their order. */
static void group(sorter *s, const tn_onnx_edge *edges, uint32_t n_edges) {
    s->first = TN_ARRAY(s->arena, uint32_t, s->n + 1);
    s->makers = TN_ARRAY(s->arena, uint32_t, n_edges);
    s->at = TN_ARRAY(s->arena, uint32_t, s->n);
    for (uint32_t e = 0; e < n_edges; e++) {
        s->first[index_of(s, edges[e].reader) + 1]++;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        s->first[i + 1] += s->first[i];
        s->at[i] = s->first[i];
    }
    for (uint32_t e = 0; e < n_edges; e++) {
        s->makers[s->at[index_of(s, edges[e].reader)]++] = index_of(s, edges[e].def);
    }
    for (uint32_t i = 0; i < s->n; i++) {
        s->at[i] = s->first[i];
    }
}

static sorter make(tn_onnx *imp, const tn_graph *g, const tn_onnx_edge *edges, uint32_t n_edges) {
    sorter s = {.arena = tn_arena_new(imp->ctx), .n = g->n_ops};
    s.ops = TN_ARRAY(s.arena, tn_op *, s.n);
    s.state = TN_ARRAY(s.arena, uint8_t, s.n);
    s.stack = TN_ARRAY(s.arena, uint32_t, s.n);
    s.index = tn_map_make(s.arena);
    uint32_t i = 0;
    TN_FOR_OPS(op, g) {
        tn_map_put(&s.index, op->id, i);
        s.ops[i++] = op;
    }
    group(&s, edges, n_edges);
    return s;
}

/* Each op on the stack makes what the op below it reads. `maker` is on it, too: from there up the
 * stack is the cycle. */
TN_NORETURN static void report_cycle(tn_onnx *imp, const sorter *s, uint32_t maker) {
    tn_error(imp->ctx, &s->ops[maker]->loc, "the node needs its own result: nodes form a cycle");
    for (uint32_t d = s->depth, shown = 0; s->stack[d - 1] != maker && shown < 8; d--, shown++) {
        tn_note(imp->ctx, &s->ops[s->stack[d - 1]]->loc, "%s",
                shown == 0 ? "which this node reads" : "which this node reads in turn");
    }
    tn_reraise(imp->ctx, TN_ERROR);
}

static void open_op(sorter *s, uint32_t i) {
    s->state[i] = OPEN;
    s->stack[s->depth++] = i;
}

/* Moves `root` to the end of the list, after all it needs that is not there yet. */
static void pull(tn_onnx *imp, sorter *s, uint32_t root) {
    open_op(s, root);
    while (s->depth > 0) {
        uint32_t top = s->stack[s->depth - 1];
        if (s->at[top] == s->first[top + 1]) {
            tn_op_move_before(s->ops[top], NULL);
            s->state[top] = DONE;
            s->depth--;
            continue;
        }
        uint32_t maker = s->makers[s->at[top]++];
        if (s->state[maker] == OPEN) {
            report_cycle(imp, s, maker);
        }
        if (s->state[maker] == NEW) {
            open_op(s, maker);
        }
    }
}

void tn_onnx_sort(tn_onnx *imp, tn_graph *g, const tn_onnx_edge *edges, uint32_t n_edges) {
    sorter s = make(imp, g, edges, n_edges);
    uint32_t early = 0;
    for (uint32_t i = 0; i < s.n; i++) {
        bool reads_later = false;
        for (uint32_t k = s.first[i]; k < s.first[i + 1]; k++) {
            reads_later |= s.makers[k] > i;
        }
        early += reads_later;
    }
    for (uint32_t i = 0; i < s.n; i++) {
        if (s.state[i] == NEW) {
            pull(imp, &s, i);
        }
    }
    tn_loc loc = tn_loc_file(imp->src.file);
    loc.graph = g->path;
    tn_warn(imp->ctx, &loc,
            "%u of %u nodes come before a node they read from and were put after it", early, s.n);
    tn_arena_drop(s.arena);
}
