#include "ir/onnx/onnx_order.h"

#include <string.h>

#include "ir/onnx/fields.h"

/* Whether nothing can have changed. */
static bool is_untouched(const tn_module *m) {
    const tn_onnx_file *f = m->onnx;
    return f != NULL && f->stamps[TN_FACET_OPS] == m->stamps[TN_FACET_OPS] &&
           f->stamps[TN_FACET_ATTRS] == m->stamps[TN_FACET_ATTRS] &&
           f->stamps[TN_FACET_NAMES] == m->stamps[TN_FACET_NAMES];
}

static const char *name_of(const tn_op *op, uint32_t number, uint32_t i) {
    const tn_value *v = number == PB_NODE_INPUT ? tn_operand(op, i) : tn_result(op, i);
    return v != NULL ? v->name : "";
}

bool tn_onnx_same_names(const tn_onnx_file *file, tn_bytes node, uint32_t number, const tn_op *op) {
    tn_wire w = tn_wire_open(&file->src, node);
    tn_wire_field f;
    uint32_t n = 0;
    while (tn_wire_next(&w, &f)) {
        if (f.number != number) {
            continue;
        }
        const char *name = name_of(op, number, n++);
        if (f.bytes.size != strlen(name) || memcmp(f.bytes.data, name, f.bytes.size) != 0) {
            return false;
        }
    }
    return n == (number == PB_NODE_INPUT ? op->n_operands : op->n_results);
}

/* Calls give attributes to the function. */
static bool has_attrs_as_read(const tn_onnx_file *file, tn_bytes node, const tn_op *op) {
    tn_wire w = tn_wire_open(&file->src, node);
    uint32_t n = 0;
    for (tn_wire_field f; tn_wire_next(&w, &f);) {
        n += f.number == PB_NODE_ATTRIBUTE;
    }
    bool same = n == op->n_attrs || tn_op_is_call(op);
    for (uint32_t i = 0; i < op->n_attrs && same; i++) {
        same = op->attrs[i].as_read;
    }
    return same;
}

static bool op_is_as_read(const tn_module *m, const tn_op *op) {
    const tn_bytes *node = tn_onnx_message_of_op(op);
    return node != NULL && tn_onnx_same_names(m->onnx, *node, PB_NODE_INPUT, op) &&
           tn_onnx_same_names(m->onnx, *node, PB_NODE_OUTPUT, op) &&
           has_attrs_as_read(m->onnx, *node, op);
}

/* Whether the body of a call returns what its function does. */
static bool returns_as_read(const tn_module *m, const tn_graph *g) {
    tn_wire w = tn_wire_open(&m->onnx->src, m->onnx->graphs.data[g->id]);
    uint32_t n = 0;
    for (tn_wire_field f; tn_wire_next(&w, &f);) {
        if (f.number == PB_FUNCTION_OUTPUT) {
            const char *name = n < g->n_outputs ? g->outputs[n]->name : "";
            if (strlen(name) != f.bytes.size || memcmp(name, f.bytes.data, f.bytes.size) != 0) {
                return false;
            }
            n++;
        }
    }
    return n == g->n_outputs;
}

typedef struct making {
    tn_arena *arena;
    const tn_module *m;
    tn_onnx_order *order;
} making;

static bool is_known(const tn_module *m, uint32_t op) {
    return m->onnx != NULL && op < m->onnx->ops.len && m->onnx->ops.data[op].data != NULL;
}

/* Lists what is there, and finds out what of it is not as in the file. */
static void find_changes(making *k) {
    const tn_module *m = k->m;
    bool untouched = is_untouched(m);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        const tn_op *op = m->ops[i];
        k->order->listed[i] = !op->erased;
        bool same = untouched || (op->erased ? !is_known(m, i) : op_is_as_read(m, op));
        k->order->changed |= !same;
        if (!same && k->order->in_call[op->graph->id]) {
            k->order->whole[op->graph->id] = true;
        }
    }
}

/* Ids of graphs grow from outside to inside. Whatever holds a body that is not as it was read is
 * not as it was read either. */
static void find_graphs(making *k) {
    const tn_module *m = k->m;
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        const tn_op *owner = m->graphs[i]->owner;
        k->order->in_call[i] =
            owner != NULL && (tn_op_is_call(owner) || k->order->in_call[owner->graph->id]);
        k->order->whole[i] = m->onnx == NULL || i >= m->onnx->graphs.len;
    }
}

/* Bodies of functions that give back other values, or have others from the start. */
static void find_changed_bodies(making *k) {
    const tn_module *m = k->m;
    tn_onnx_order *o = k->order;
    for (uint32_t i = 0; i < m->n_graphs && !is_untouched(m); i++) {
        const tn_op *owner = m->graphs[i]->owner;
        bool body = owner != NULL && tn_op_is_call(owner) && !o->whole[i];
        o->whole[i] |= body && !returns_as_read(m, m->graphs[i]);
    }
    for (uint32_t i = m->onnx != NULL ? m->onnx->n_values : 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        o->whole[v->graph->id] |= o->in_call[v->graph->id] && v->kind != TN_VALUE_RESULT;
    }
}

static void spread_whole(making *k) {
    for (uint32_t i = k->m->n_graphs; i-- > 0;) {
        const tn_op *owner = k->m->graphs[i]->owner;
        if (k->order->whole[i] && owner != NULL && k->order->in_call[owner->graph->id]) {
            k->order->whole[owner->graph->id] = true;
        }
    }
}

/* The list that holds the message of the op. */
static uint32_t list_of(const tn_onnx_file *f, const tn_bytes *node) {
    for (uint32_t i = f->lists.len; i-- > 1;) {
        const tn_bytes *l = &f->lists.data[i];
        if (node->data >= l->data && node->data < l->data + l->size) {
            return i;
        }
    }
    return 0;
}

static void count(making *k) {
    const tn_module *m = k->m;
    tn_onnx_order *o = k->order;
    for (uint32_t i = 0; i < m->n_ops; i++) {
        o->first[m->ops[i]->graph->id + 1] += k->order->listed[i];
    }
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        o->first[i + 1] += o->first[i];
    }
}

/* Fills `ops`, by id, by schedule or by the module. */
static void fill(making *k, tn_op *const *schedule, bool by_id) {
    const tn_module *m = k->m;
    tn_onnx_order *o = k->order;
    uint32_t *next = TN_ARRAY(k->arena, uint32_t, m->n_graphs);
    for (uint32_t g = 0; g < m->n_graphs; g++) {
        next[g] = o->first[g];
        bool by_module = schedule == NULL || m->graphs[g]->kind == TN_GRAPH_INIT;
        if (!by_id && by_module && (!o->in_call[g] || o->whole[g])) {
            TN_FOR_OPS(op, m->graphs[g]) {
                o->ops[next[g]++] = op;
            }
        }
    }
    for (uint32_t i = 0; i < m->n_ops; i++) {
        const uint32_t g = m->ops[i]->graph->id;
        if (k->order->listed[i] && next[g] < o->first[g + 1] &&
            (by_id || (o->in_call[g] && !o->whole[g]))) {
            o->ops[next[g]++] = m->ops[i];
        }
    }
    for (uint32_t i = 0; schedule != NULL && schedule[i] != NULL; i++) {
        const uint32_t g = schedule[i]->graph->id;
        if (next[g] < o->first[g + 1]) {
            o->ops[next[g]++] = schedule[i];
        }
    }
}

/* Puts the ops of the main graph list by list. New ones join the op before them. */
static void split_main(making *k) {
    const tn_onnx_file *f = k->m->onnx;
    tn_onnx_order *o = k->order;
    uint32_t from = o->first[k->m->main->id], n = o->first[k->m->main->id + 1] - from, at = 0;
    if (f == NULL || f->lists.len < 2) {
        return;
    }
    tn_op **ops = tn_arena_regrow(k->arena, o->ops + from, n, n, sizeof *ops);
    for (uint32_t i = 0; i < n; i++) {
        const tn_bytes *node = tn_onnx_message_of_op(ops[i]);
        o->list[ops[i]->id] = node != NULL ? list_of(f, node) : i > 0 ? o->list[ops[i - 1]->id] : 0;
    }
    for (uint32_t list = 0; list < f->lists.len; list++) {
        for (uint32_t i = 0; i < n; i++) {
            if (o->list[ops[i]->id] == list) {
                o->ops[from + at++] = ops[i];
            }
        }
    }
}

/* Whether two neighbours of a list are not in the order of the file. */
static bool is_moved(const tn_onnx_order *o, const tn_graph *g) {
    for (uint32_t i = o->first[g->id] + 1; i < o->first[g->id + 1]; i++) {
        const tn_op *a = o->ops[i - 1], *b = o->ops[i];
        if (o->list[a->id] == o->list[b->id] && b->loc.node < a->loc.node) {
            return true;
        }
    }
    return false;
}

/* Nodes that the reader left out are in a file with the order as it was, and in no other. */
static void number(const making *k, const tn_graph *g) {
    tn_onnx_order *o = k->order;
    uint32_t from = o->first[g->id], in_list = 0;
    bool kept = !o->moved && !o->changed;
    for (uint32_t i = from; i < o->first[g->id + 1]; i++) {
        const tn_op *op = o->ops[i];
        bool next = i > from && o->list[o->ops[i - 1]->id] != o->list[op->id];
        in_list = next ? 0 : in_list;
        o->rank[op->id] = i - from;
        o->node[op->id] = kept ? (uint32_t)op->loc.node : in_list;
        in_list++;
    }
}

static making begin(tn_arena *arena, const tn_module *m) {
    tn_onnx_order *o = TN_NEW(arena, tn_onnx_order);
    *o = (tn_onnx_order){.ops = TN_ARRAY(arena, tn_op *, m->n_ops),
                         .first = TN_ARRAY(arena, uint32_t, m->n_graphs + 1u),
                         .list = TN_ARRAY(arena, uint32_t, m->n_ops),
                         .node = TN_ARRAY(arena, uint32_t, m->n_ops),
                         .rank = TN_ARRAY(arena, uint32_t, m->n_ops),
                         .listed = TN_ARRAY(arena, bool, m->n_ops),
                         .stands_for = TN_ARRAY(arena, const tn_op *, m->n_ops),
                         .in_call = TN_ARRAY(arena, bool, m->n_graphs),
                         .whole = TN_ARRAY(arena, bool, m->n_graphs)};
    making k = {arena, m, o};
    find_graphs(&k);
    return k;
}

static const tn_onnx_order *finish(making *k, tn_op *const *schedule, bool by_id) {
    tn_onnx_order *o = k->order;
    count(k);
    fill(k, schedule, by_id);
    split_main(k);
    for (uint32_t g = 0; g < k->m->n_graphs; g++) {
        o->moved |= !by_id && is_moved(o, k->m->graphs[g]);
    }
    for (uint32_t g = 0; g < k->m->n_graphs; g++) {
        number(k, k->m->graphs[g]);
    }
    return o;
}

const tn_onnx_order *tn_onnx_order_make(tn_arena *arena, const tn_module *m,
                                        tn_op *const *schedule) {
    making k = begin(arena, m);
    find_changes(&k);
    find_changed_bodies(&k);
    spread_whole(&k);
    return finish(&k, schedule, false);
}

const tn_onnx_order *tn_onnx_order_of_file(tn_arena *arena, const tn_module *m) {
    making k = begin(arena, m);
    bool *fused = TN_ARRAY(arena, bool, m->n_ops);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        const tn_op *op = m->ops[i];
        for (uint32_t p = 0; p < op->n_parts && !op->erased; p++) {
            fused[op->parts[p]->id] = true;
            k.order->stands_for[op->parts[p]->id] = p + 1 == op->n_parts ? op : NULL;
        }
    }
    for (uint32_t i = 0; i < m->n_ops; i++) {
        const tn_op *op = m->ops[i];
        bool known = is_known(m, i), new = op->n_parts > 0;
        bool good = op->erased ? !known || fused[i] : new || op_is_as_read(m, op);
        if (!good) {
            return NULL;
        }
        k.order->listed[i] = known;
    }
    return finish(&k, NULL, true);
}
