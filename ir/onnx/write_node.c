/* Nodes, and attributes that hold graphs. */
#include "ir/onnx/write_t.h"

/* AttributeProto.AttributeType, and the field of the value. */
static const struct {
    uint32_t type, field;
} kinds[] = {
    [TN_ATTR_FLOAT] = {1, PB_ATTRIBUTE_F},         [TN_ATTR_INT] = {2, PB_ATTRIBUTE_I},
    [TN_ATTR_STRING] = {3, PB_ATTRIBUTE_S},        [TN_ATTR_TENSOR] = {4, PB_ATTRIBUTE_T},
    [TN_ATTR_GRAPH] = {5, PB_ATTRIBUTE_G},         [TN_ATTR_FLOATS] = {6, PB_ATTRIBUTE_FLOATS},
    [TN_ATTR_INTS] = {7, PB_ATTRIBUTE_INTS},       [TN_ATTR_STRINGS] = {8, PB_ATTRIBUTE_STRINGS},
    [TN_ATTR_TENSORS] = {9, PB_ATTRIBUTE_TENSORS}, [TN_ATTR_GRAPHS] = {10, PB_ATTRIBUTE_GRAPHS},
    [TN_ATTR_TYPE] = {13, PB_ATTRIBUTE_TP},        [TN_ATTR_TYPES] = {14, PB_ATTRIBUTE_TYPE_PROTOS},
};

static bool holds_graph(const tn_attr *a) {
    return a->kind == TN_ATTR_GRAPH || a->kind == TN_ATTR_GRAPHS;
}

/* ---- attributes ---- */

static void put_one(tn_onnx_writer *w, const tn_op *op, const tn_attr *a) {
    uint32_t field = kinds[a->kind].field;
    switch ((int)a->kind) {
    case TN_ATTR_INT:
        tn_wire_put_int(&w->out, field, a->u.i);
        break;
    case TN_ATTR_FLOAT:
        tn_wire_put_float(&w->out, field, a->u.f);
        break;
    case TN_ATTR_STRING:
        tn_wire_put_text(&w->out, field, a->u.s.data, a->u.s.len);
        break;
    case TN_ATTR_TENSOR:
        tn_onnx_put_tensor(w, field, a->u.t, NULL, &op->loc);
        break;
    case TN_ATTR_TYPE:
        tn_onnx_put_type(w, field, a->u.type);
        break;
    default:
        break;
    }
}

static void put_item(tn_onnx_writer *w, const tn_op *op, const tn_attr *a, uint32_t i) {
    uint32_t field = kinds[a->kind].field;
    switch ((int)a->kind) {
    case TN_ATTR_INTS:
        tn_wire_put_int(&w->out, field, a->u.ints[i]);
        break;
    case TN_ATTR_FLOATS:
        tn_wire_put_float(&w->out, field, a->u.floats[i]);
        break;
    case TN_ATTR_STRINGS:
        tn_wire_put_text(&w->out, field, a->u.strings[i].data, a->u.strings[i].len);
        break;
    case TN_ATTR_TENSORS:
        tn_onnx_put_tensor(w, field, a->u.tensors[i], NULL, &op->loc);
        break;
    case TN_ATTR_TYPES:
        tn_onnx_put_type(w, field, a->u.types[i]);
        break;
    default:
        break;
    }
}

static void put_attr(tn_onnx_writer *w, const tn_op *op, const tn_attr *a) {
    tn_wire_mark mark = tn_wire_begin(&w->out, PB_NODE_ATTRIBUTE);
    tn_onnx_put_name(w, PB_ATTRIBUTE_NAME, a->name);
    put_one(w, op, a);
    for (uint32_t i = 0; i < a->n; i++) {
        put_item(w, op, a, i);
    }
    tn_wire_put_int(&w->out, PB_ATTRIBUTE_TYPE, kinds[a->kind].type);
    tn_wire_end(&w->out, &mark, NULL);
}

static void close_level(tn_onnx_writer *w, const tn_onnx_level *l) {
    tn_wire_end(&w->out, &l->mark, &l->from);
}

/* An attribute of graphs: each is a level of its own. */
static bool step_attr(tn_onnx_writer *w, tn_onnx_level *l) {
    const tn_attr *a = l->attr;
    uint32_t field = kinds[a->kind].field;
    tn_wire_field f;
    if (tn_onnx_next_field(l, &f)) {
        if (f.number != field || l->at == l->end) {
            tn_wire_copy_field(&w->out, &f);
            return true;
        }
        const tn_graph *g = a->kind == TN_ATTR_GRAPH ? a->u.g : a->u.graphs[l->at];
        l->at++;
        tn_onnx_push_graph(w, g, field, &f, 0);
        return true;
    }
    if (l->at < l->end) {
        const tn_graph *g = a->kind == TN_ATTR_GRAPH ? a->u.g : a->u.graphs[l->at];
        l->at++;
        tn_onnx_push_graph(w, g, field, NULL, 0);
        return true;
    }
    close_level(w, l);
    return false;
}

static void push_attr(tn_onnx_writer *w, const tn_op *op, const tn_attr *a,
                      const tn_wire_field *from) {
    tn_onnx_level l = {.step = step_attr, .op = op, .attr = a};
    l.end = a->kind == TN_ATTR_GRAPH ? 1 : a->n;
    l.mark = tn_wire_begin(&w->out, PB_NODE_ATTRIBUTE);
    if (from != NULL) {
        l.from = *from;
        l.reading = true;
        l.fields = tn_wire_open(&w->file->src, from->bytes);
    } else {
        tn_onnx_put_name(w, PB_ATTRIBUTE_NAME, a->name);
        tn_wire_put_int(&w->out, PB_ATTRIBUTE_TYPE, kinds[a->kind].type);
    }
    tn_onnx_push_level(w, l);
}

/* ---- nodes ---- */

static void put_names(tn_onnx_writer *w, const tn_op *op, uint32_t number) {
    bool in = number == PB_NODE_INPUT;
    for (uint32_t i = 0; i < (in ? op->n_operands : op->n_results); i++) {
        const tn_value *v = in ? op->operands[i].value : op->results[i];
        tn_onnx_put_name(w, number, v != NULL ? v->name : "");
    }
}

/* Operands and results, where they are others than in the file, are written once, at the first. */
static void copy_names(tn_onnx_writer *w, tn_onnx_level *l, const tn_wire_field *f, bool *same) {
    if (*same) {
        tn_wire_copy_field(&w->out, f);
    } else if (!l->seen[f->number == PB_NODE_INPUT ? 0 : 1]) {
        l->seen[f->number == PB_NODE_INPUT ? 0 : 1] = true;
        put_names(w, l->op, f->number);
    }
}

/* The attribute that field `f` of the file is, as the op has it; NULL for one that the reader left
 * out, and for those of calls that belong to the function. */
static const tn_attr *attr_of(const tn_onnx_writer *w, tn_onnx_level *l, const tn_wire_field *f) {
    tn_bytes name = tn_onnx_text_of(w, f->bytes, PB_ATTRIBUTE_NAME);
    for (uint32_t i = 0; i < l->op->n_attrs; i++) {
        const tn_attr *a = &l->op->attrs[i];
        if (strlen(a->name) == name.size && memcmp(a->name, name.data, name.size) == 0) {
            l->seen[2 + i] = true;
            return a;
        }
    }
    return NULL;
}

static void copy_attr(tn_onnx_writer *w, tn_onnx_level *l, const tn_wire_field *f) {
    const tn_attr *a = attr_of(w, l, f);
    bool kept =
        a != NULL ? a->as_read && !holds_graph(a) : !w->order->changed || tn_op_is_call(l->op);
    if (kept) {
        tn_wire_copy_field(&w->out, f);
    } else if (a == NULL) {
        return;
    } else if (holds_graph(a)) {
        push_attr(w, l->op, a, a->as_read ? f : NULL);
    } else {
        put_attr(w, l->op, a);
    }
}

static void copy_field(tn_onnx_writer *w, tn_onnx_level *l, const tn_wire_field *f) {
    if (f->number == PB_NODE_INPUT) {
        copy_names(w, l, f, &l->same_inputs);
    } else if (f->number == PB_NODE_OUTPUT) {
        copy_names(w, l, f, &l->same_outputs);
    } else if (f->number == PB_NODE_ATTRIBUTE && f->type == TN_WIRE_LEN) {
        copy_attr(w, l, f);
    } else if (f->number != PB_NODE_METADATA_PROPS || !tn_onnx_is_old_note(w, f)) {
        tn_wire_copy_field(&w->out, f);
    }
}

/* The next attribute that the file does not have; false behind the last. */
static bool put_next_attr(tn_onnx_writer *w, tn_onnx_level *l) {
    while (l->at < l->end) {
        const tn_attr *a = &l->op->attrs[l->at++];
        if (l->seen != NULL && l->seen[1 + l->at]) {
            continue;
        }
        if (holds_graph(a)) {
            push_attr(w, l->op, a, NULL);
        } else {
            put_attr(w, l->op, a);
        }
        return true;
    }
    return false;
}

static bool step_node(tn_onnx_writer *w, tn_onnx_level *l) {
    tn_wire_field f;
    if (tn_onnx_next_field(l, &f)) {
        copy_field(w, l, &f);
        return true;
    }
    if (put_next_attr(w, l)) {
        return true;
    }
    if (l->seen != NULL && !l->same_inputs && !l->seen[0]) {
        put_names(w, l->op, PB_NODE_INPUT);
    }
    if (l->seen != NULL && !l->same_outputs && !l->seen[1]) {
        put_names(w, l->op, PB_NODE_OUTPUT);
    }
    tn_onnx_put_notes(w, PB_NODE_METADATA_PROPS, &(tn_onnx_part){.op = l->op});
    close_level(w, l);
    return false;
}

/* A call of a function that is written anew has no attributes left: they are in the body. */
static void begin_whole(tn_onnx_writer *w, tn_onnx_level *l, bool call) {
    const tn_op *op = l->op;
    put_names(w, op, PB_NODE_INPUT);
    put_names(w, op, PB_NODE_OUTPUT);
    if (op->clone_of != NULL) { /* names of nodes should differ */
        tn_onnx_put_name(w, PB_NODE_NAME, op->loc.first);
    } else if (op->name[0] != '\0') {
        tn_onnx_put_name(w, PB_NODE_NAME, op->name);
    }
    tn_onnx_put_name(w, PB_NODE_OP_TYPE, call ? tn_onnx_name_call(w, op) : op->type);
    if (op->domain[0] != '\0') {
        tn_onnx_put_name(w, PB_NODE_DOMAIN, op->domain);
    }
    l->end = call ? 0 : op->n_attrs;
}

void tn_onnx_push_node(tn_onnx_writer *w, const tn_op *op, uint32_t number,
                       const tn_wire_field *from) {
    tn_onnx_level l = {.step = step_node, .op = op, .end = op->n_attrs};
    bool whole_call = tn_op_is_call(op) && w->order->whole[op->regions[0]->id];
    const tn_bytes *message = whole_call ? NULL : tn_onnx_message_of_op(op);
    l.mark = tn_wire_begin(&w->out, number);
    if (message == NULL) {
        begin_whole(w, &l, whole_call);
    } else {
        l.from = from != NULL && from->bytes.data == message->data ? *from : l.from;
        l.reading = true;
        l.fields = tn_wire_open(&w->file->src, *message);
        l.same_inputs = l.same_outputs = !w->order->changed;
        if (w->order->changed) {
            l.same_inputs = tn_onnx_same_names(w->file, *message, PB_NODE_INPUT, op);
            l.same_outputs = tn_onnx_same_names(w->file, *message, PB_NODE_OUTPUT, op);
        }
        l.seen = TN_ARRAY(w->arena, bool, 2 + op->n_attrs);
    }
    tn_onnx_push_level(w, l);
}
