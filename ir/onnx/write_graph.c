/* Graphs: fields of the file in their places, nodes in the order wanted, and what the file does not
 * have behind them. */
#include "ir/onnx/write_t.h"

static const tn_value *value_of(const tn_onnx_writer *w, const tn_onnx_level *l,
                                const tn_wire_field *f) {
    return tn_onnx_value_named(w, l->graph, tn_onnx_text_of(w, f->bytes, PB_VALUE_NAME));
}

static bool is_new(const tn_onnx_writer *w, const tn_onnx_level *l, const tn_value *v) {
    return l->whole || v->id >= w->file->n_values;
}

/* The i-th node of the file is the place of the i-th op. A node that is no op of the module was
 * left out by the reader, because a later one makes the same value; what is later it says only in
 * the order of the file. */
static void copy_node(tn_onnx_writer *w, tn_onnx_level *l, const tn_wire_field *f) {
    if (tn_map_or(&w->nodes, (uint64_t)(uintptr_t)f->bytes.data, 0) == 0) {
        if (!w->order->moved && !w->order->changed) {
            tn_wire_copy_field(&w->out, f);
        }
    } else if (l->at < l->end) {
        const tn_op *op = w->order->ops[l->at++];
        tn_onnx_push_node(w, op, PB_GRAPH_NODE, f);
    }
}

/* An output that a pass has replaced is another value; one too many goes. */
static void copy_output(tn_onnx_writer *w, tn_onnx_level *l, const tn_wire_field *f) {
    const tn_graph *g = l->graph;
    const tn_value *v = l->n_outputs < g->n_outputs ? g->outputs[l->n_outputs] : NULL;
    l->n_outputs++;
    if (v == NULL) {
        return;
    }
    tn_bytes name = tn_onnx_text_of(w, f->bytes, PB_VALUE_NAME);
    const char *old = v->id < w->file->n_values ? w->file->names[v->id] : "";
    bool noted = v->kind == TN_VALUE_RESULT && v->graph == g;
    if (strlen(old) == name.size && memcmp(old, name.data, name.size) == 0) {
        tn_onnx_copy_value(w, f, v, noted);
    } else {
        tn_onnx_put_value(w, PB_GRAPH_OUTPUT, v, true, noted);
    }
}

static void copy_info(tn_onnx_writer *w, tn_onnx_level *l, const tn_wire_field *f) {
    const tn_value *v = value_of(w, l, f);
    bool gone = v != NULL && v->def != NULL && v->def->erased && !w->order->listed[v->def->id];
    if (!gone) {
        tn_onnx_copy_value(w, f, v, v != NULL && v->kind == TN_VALUE_RESULT);
    }
}

static void copy_input(tn_onnx_writer *w, tn_onnx_level *l, const tn_wire_field *f) {
    const tn_value *v = value_of(w, l, f);
    tn_onnx_copy_value(w, f, v, v != NULL && v->kind == TN_VALUE_INPUT);
}

static void copy_initializer(tn_onnx_writer *w, const tn_wire_field *f) {
    uint64_t id = tn_map_or(&w->tensors, (uint64_t)(uintptr_t)f->bytes.data, 0);
    tn_onnx_copy_tensor(w, f, id != 0 ? w->m->values[id - 1] : NULL);
}

static void copy_field(tn_onnx_writer *w, tn_onnx_level *l, const tn_wire_field *f) {
    bool message = f->type == TN_WIRE_LEN;
    if (message && f->number == PB_GRAPH_NODE) {
        copy_node(w, l, f);
    } else if (message && f->number == PB_GRAPH_OUTPUT) {
        copy_output(w, l, f);
    } else if (message && f->number == PB_GRAPH_VALUE_INFO) {
        copy_info(w, l, f);
    } else if (message && f->number == PB_GRAPH_INPUT) {
        copy_input(w, l, f);
    } else if (message && f->number == PB_GRAPH_INITIALIZER) {
        copy_initializer(w, f);
    } else if (f->number != PB_GRAPH_METADATA_PROPS || !tn_onnx_is_old_note(w, f)) {
        tn_wire_copy_field(&w->out, f);
    }
}

static tn_loc loc_of(const tn_onnx_writer *w, const tn_graph *g) {
    tn_loc loc = tn_loc_file(w->m->file);
    loc.graph = g->path;
    return loc;
}

/* Up to version 3 of the form every initializer of the main graph is one of its inputs, too. */
static void put_new_consts(tn_onnx_writer *w, const tn_onnx_level *l, const tn_loc *loc) {
    enum { LISTED_UP_TO = 3 };
    const tn_graph *g = l->graph;
    bool listed = !l->whole && g == w->m->main && w->m->origin.format_version <= LISTED_UP_TO;
    for (uint32_t i = 0; i < g->n_consts; i++) {
        const tn_value *v = g->consts[i];
        if (is_new(w, l, v)) {
            tn_onnx_put_tensor(w, PB_GRAPH_INITIALIZER, v->tensor, v->name, loc);
        }
        if (is_new(w, l, v) && listed) {
            tn_onnx_put_value(w, PB_GRAPH_INPUT, v, true, false);
        }
    }
}

static void put_new_values(tn_onnx_writer *w, const tn_onnx_level *l) {
    const tn_graph *g = l->graph;
    tn_loc loc = loc_of(w, g);
    put_new_consts(w, l, &loc);
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        const tn_value *v = g->inputs[i];
        if (is_new(w, l, v)) {
            tn_onnx_put_value(w, PB_GRAPH_INPUT, v, true, true);
            if (v->tensor != NULL) {
                tn_onnx_put_tensor(w, PB_GRAPH_INITIALIZER, v->tensor, v->name, &loc);
            }
        }
    }
    bool joined = w->file != NULL && g == w->m->main && w->file->lists.len > 1;
    for (uint32_t i = l->n_outputs; i < g->n_outputs && !joined; i++) {
        tn_onnx_put_value(w, PB_GRAPH_OUTPUT, g->outputs[i], true, g->outputs[i]->graph == g);
    }
}

/* Results that no field has told of. What only metadata is said of gets no type: it may hold for
 * other extents than those of this plan. */
static void put_infos_of(tn_onnx_writer *w, const tn_onnx_level *l, const tn_op *op) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        bool output = v != NULL && (v->flags & TN_VF_OUTPUT) != 0 && is_new(w, l, v);
        if (v != NULL && !w->met[v->id] && !output) {
            tn_onnx_put_value(w, PB_GRAPH_VALUE_INFO, v, is_new(w, l, v), true);
        }
    }
}

static void put_infos(tn_onnx_writer *w, const tn_onnx_level *l, uint32_t from) {
    for (uint32_t i = from; i < l->end; i++) {
        const tn_op *op = w->order->ops[i], *fused = w->order->stands_for[op->id];
        put_infos_of(w, l, op);
        if (fused != NULL) {
            put_infos_of(w, l, fused);
        }
    }
}

/* Where the ops of a list of the main graph, or of another graph, are in the order. */
static void find_ops(const tn_onnx_writer *w, tn_onnx_level *l) {
    const tn_onnx_order *o = w->order;
    l->at = o->first[l->graph->id];
    l->end = o->first[l->graph->id + 1];
    while (l->at < l->end && o->list[o->ops[l->at]->id] < l->list) {
        l->at++;
    }
    uint32_t end = l->at;
    while (end < l->end && o->list[o->ops[end]->id] == l->list) {
        end++;
    }
    l->end = end;
}

static bool step_graph(tn_onnx_writer *w, tn_onnx_level *l) {
    tn_wire_field f;
    if (tn_onnx_next_field(l, &f)) {
        copy_field(w, l, &f);
        return true;
    }
    if (l->at < l->end) {
        tn_onnx_push_node(w, w->order->ops[l->at++], PB_GRAPH_NODE, NULL);
        return true;
    }
    if (l->list == 0) {
        put_new_values(w, l);
    }
    tn_onnx_level whole = *l;
    find_ops(w, &whole);
    put_infos(w, l, whole.at);
    if (l->list == 0) {
        tn_onnx_put_notes(w, PB_GRAPH_METADATA_PROPS, &(tn_onnx_part){.graph = l->graph});
    }
    tn_wire_end(&w->out, &l->mark, &l->from);
    return false;
}

void tn_onnx_push_graph(tn_onnx_writer *w, const tn_graph *g, uint32_t number,
                        const tn_wire_field *from, uint32_t list) {
    tn_onnx_level l = {.step = step_graph, .graph = g, .list = list};
    find_ops(w, &l);
    bool kept = w->file != NULL && g->id < w->file->graphs.len && !w->order->whole[g->id];
    for (uint32_t i = 0; i < list; i++) {
        tn_bytes before = w->file->lists.data[i];
        tn_wire fields = tn_wire_open(&w->file->src, before);
        for (tn_wire_field f; tn_wire_next(&fields, &f);) {
            l.n_outputs += f.number == PB_GRAPH_OUTPUT;
        }
    }
    l.mark = tn_wire_begin(&w->out, number);
    if (kept) {
        tn_bytes message = list > 0 ? w->file->lists.data[list] : w->file->graphs.data[g->id];
        l.from = from != NULL && from->bytes.data == message.data ? *from : l.from;
        l.reading = true;
        l.fields = tn_wire_open(&w->file->src, message);
    } else {
        l.whole = true;
        tn_onnx_put_name(w, PB_GRAPH_NAME, g == w->m->main ? w->m->name : g->name);
    }
    tn_onnx_push_level(w, l);
}
