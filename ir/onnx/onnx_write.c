/* The model: its own fields, and the loop over the levels inside. */
#include "ir/onnx/write_t.h"

/* ---- levels ---- */

void tn_onnx_push_level(tn_onnx_writer *w, tn_onnx_level l) {
    tn_vec_push(w->arena, &w->levels, l);
}

bool tn_onnx_next_field(tn_onnx_level *l, tn_wire_field *f) {
    l->reading = l->reading && tn_wire_next(&l->fields, f);
    return l->reading;
}

static void run(tn_onnx_writer *w) {
    while (w->levels.len > 0) {
        uint32_t top = w->levels.len - 1;
        if (!w->levels.data[top].step(w, &w->levels.data[top])) {
            w->levels.len--;
        }
    }
}

/* ---- metadata ---- */

bool tn_onnx_is_old_note(const tn_onnx_writer *w, const tn_wire_field *f) {
    char head[16] = "";
    if (f->type == TN_WIRE_LEN) {
        tn_bytes key = tn_onnx_text_of(w, f->bytes, PB_ENTRY_KEY);
        memcpy(head, key.data != NULL ? (const char *)key.data : "",
               key.size < sizeof head ? key.size : sizeof head - 1);
    }
    return tn_is_plan_note(head);
}

static bool is_in_call(const tn_onnx_writer *w, const tn_onnx_part *part) {
    const tn_graph *g = part->graph != NULL   ? part->graph
                        : part->op != NULL    ? part->op->graph
                        : part->value != NULL ? part->value->graph
                                              : w->m->main;
    return w->order->in_call[g->id];
}

void tn_onnx_put_notes(tn_onnx_writer *w, uint32_t number, const tn_onnx_part *part) {
    tn_onnx_notes to = {w, number};
    if (w->noting != NULL && !is_in_call(w, part)) {
        w->noting->fn(w->noting->user, part, &to);
    }
}

static void put_pair(tn_onnx_writer *w, uint32_t number, const char *key, const char *text,
                     size_t len) {
    tn_wire_mark mark = tn_wire_begin(&w->out, number);
    tn_onnx_put_name(w, PB_ENTRY_KEY, key);
    tn_wire_put_text(&w->out, PB_ENTRY_VALUE, text, len);
    tn_wire_end(&w->out, &mark, NULL);
}

void tn_onnx_note(tn_onnx_notes *to, const char *key, const char *text, size_t len) {
    put_pair(to->w, to->number, key, text, len);
}

/* ---- training information ---- */

static bool step_training(tn_onnx_writer *w, tn_onnx_level *l) {
    tn_wire_field f;
    if (!tn_onnx_next_field(l, &f)) {
        tn_wire_end(&w->out, &l->mark, &l->from);
        return false;
    }
    uint64_t init = tn_map_or(&w->graphs, (uint64_t)(uintptr_t)f.bytes.data, 0);
    if (f.number == PB_TRAINING_ALGORITHM && w->n_lists < w->file->lists.len) {
        tn_onnx_push_graph(w, w->m->main, f.number, &f, w->n_lists++);
    } else if (f.number == PB_TRAINING_INITIALIZATION && init != 0) {
        tn_onnx_push_graph(w, w->m->graphs[init - 1], f.number, &f, 0);
    } else {
        tn_wire_copy_field(&w->out, &f);
    }
    return true;
}

static void push_training(tn_onnx_writer *w, const tn_wire_field *f) {
    tn_onnx_level l = {.step = step_training, .from = *f, .reading = true};
    l.mark = tn_wire_begin(&w->out, f->number);
    l.fields = tn_wire_open(&w->file->src, f->bytes);
    tn_onnx_push_level(w, l);
}

/* What takes which bytes after the run, as far as no file says so. */
static void put_bindings(tn_onnx_writer *w) {
    tn_wire_mark mark = tn_wire_begin(&w->out, PB_MODEL_TRAINING_INFO);
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->m->n_bindings; i++) {
        const tn_binding *b = &w->m->bindings[i];
        if (w->file == NULL || b->made) {
            put_pair(w, PB_TRAINING_UPDATE_BINDING, b->state->name, b->value->name,
                     strlen(b->value->name));
            n++;
        }
    }
    if (n > 0) {
        tn_wire_end(&w->out, &mark, NULL);
    } else {
        tn_wire_cancel(&w->out, &mark);
    }
}

/* ---- the model ---- */

static void copy_field(tn_onnx_writer *w, const tn_wire_field *f) {
    if (f->number == PB_MODEL_GRAPH) {
        tn_onnx_push_graph(w, w->m->main, f->number, f, 0);
    } else if (f->number == PB_MODEL_TRAINING_INFO && f->type == TN_WIRE_LEN) {
        push_training(w, f);
    } else if (f->number != PB_MODEL_METADATA_PROPS || !tn_onnx_is_old_note(w, f)) {
        tn_wire_copy_field(&w->out, f);
    }
}

/* Graphs that initialize, each as training information of its own. */
static bool step_initializations(tn_onnx_writer *w, tn_onnx_level *l) {
    while (l->at < w->m->n_graphs) {
        const tn_graph *g = w->m->graphs[l->at++];
        if (g->kind == TN_GRAPH_INIT) {
            tn_wire_field none = {0};
            tn_onnx_level info = {.step = step_training, .from = none};
            info.mark = tn_wire_begin(&w->out, PB_MODEL_TRAINING_INFO);
            tn_onnx_push_level(w, info);
            tn_onnx_push_graph(w, g, PB_TRAINING_INITIALIZATION, NULL, 0);
            return true;
        }
    }
    return false;
}

static bool step_model(tn_onnx_writer *w, tn_onnx_level *l) {
    tn_wire_field f;
    if (tn_onnx_next_field(l, &f)) {
        copy_field(w, &f);
        return true;
    }
    if (w->n_called < w->calls.len) {
        tn_onnx_push_function(w, &w->calls.data[w->n_called++]);
        return true;
    }
    tn_onnx_put_opsets(w, PB_MODEL_OPSET_IMPORT, NULL);
    if (w->file != NULL) {
        put_bindings(w);
    }
    tn_onnx_put_notes(w, PB_MODEL_METADATA_PROPS, &(tn_onnx_part){.module = w->m});
    return false;
}

/* Functions and other fields that a full model has need version 8 of the form. */
static void begin_whole(tn_onnx_writer *w) {
    enum { LEAST_VERSION = 8 };
    const tn_origin *o = &w->m->origin;
    int64_t version = o->format_version > LEAST_VERSION ? o->format_version : LEAST_VERSION;
    tn_wire_put_int(&w->out, PB_MODEL_IR_VERSION, version);
    if (o->producer != NULL && o->producer[0] != '\0') {
        tn_onnx_put_name(w, PB_MODEL_PRODUCER_NAME, o->producer);
        tn_onnx_put_name(w, PB_MODEL_PRODUCER_VERSION, o->producer_version);
    }
    for (uint32_t i = 0; i < o->metadata.len; i++) {
        const tn_pair *p = &o->metadata.data[i];
        if (!tn_is_plan_note(p->key)) {
            put_pair(w, PB_MODEL_METADATA_PROPS, p->key, p->value, strlen(p->value));
        }
    }
    put_bindings(w);
}

static void index_file(tn_onnx_writer *w) {
    const tn_onnx_file *f = w->file;
    tn_onnx_index_values(w);
    for (uint32_t i = 0; i < f->ops.len; i++) {
        if (f->ops.data[i].data != NULL && !w->order->in_call[w->m->ops[i]->graph->id]) {
            tn_map_put(&w->nodes, (uint64_t)(uintptr_t)f->ops.data[i].data, i + 1u);
        }
    }
    for (uint32_t i = 0; i < f->tensors.len; i++) {
        if (f->tensors.data[i].data != NULL) {
            tn_map_put(&w->tensors, (uint64_t)(uintptr_t)f->tensors.data[i].data, i + 1u);
        }
    }
    for (uint32_t i = 0; i < f->graphs.len; i++) {
        if (w->m->graphs[i]->kind == TN_GRAPH_INIT) {
            tn_map_put(&w->graphs, (uint64_t)(uintptr_t)f->graphs.data[i].data, i + 1u);
        }
    }
}

static void begin_model(tn_onnx_writer *w) {
    tn_onnx_level l = {.step = step_model};
    if (w->file != NULL) {
        index_file(w);
        l.reading = true;
        l.fields = tn_wire_open(&w->file->src, w->file->src.all);
        tn_onnx_push_level(w, l);
        return;
    }
    begin_whole(w);
    tn_onnx_push_level(w, l);
    tn_onnx_push_level(w, (tn_onnx_level){.step = step_initializations});
    tn_onnx_push_graph(w, w->m->main, PB_MODEL_GRAPH, NULL, 0);
}

void tn_onnx_write(const tn_module *m, const tn_onnx_order *order, const tn_onnx_noting *noting,
                   tn_sink *out) {
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_onnx_writer w = {.ctx = m->ctx,
                        .arena = arena,
                        .m = m,
                        .file = m->onnx,
                        .order = order,
                        .noting = noting,
                        .out = tn_wire_out_make(arena),
                        .values = tn_map_make(arena),
                        .nodes = tn_map_make(arena),
                        .tensors = tn_map_make(arena),
                        .graphs = tn_map_make(arena),
                        .met = TN_ARRAY(arena, bool, m->n_values),
                        .n_lists = 1};
    if (m->n_assignments > 0) {
        tn_loc loc = tn_loc_file(m->file);
        tn_fail(m->ctx, &loc,
                "an initialization graph that is read alone cannot be written: it is not the graph "
                "of a model");
    }
    begin_model(&w);
    run(&w);
    tn_wire_send(&w.out, w.file != NULL ? &w.file->src : NULL, out);
    tn_arena_drop(arena);
}
