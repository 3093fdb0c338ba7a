/* Values and tensors: messages that hold no graph. */
#include "ir/onnx/dim_param.h"
#include "ir/onnx/write_t.h"
#include "ir/tensor_bytes.h"

tn_bytes tn_onnx_text_of(const tn_onnx_writer *w, tn_bytes message, uint32_t number) {
    tn_wire in = tn_wire_open(&w->file->src, message);
    tn_wire_field f;
    tn_bytes text = {0};
    while (tn_wire_next(&in, &f)) {
        if (f.number == number && f.type == TN_WIRE_LEN) {
            text = f.bytes;
        }
    }
    return text;
}

static uint64_t name_key(const tn_graph *g, const char *interned) {
    return (uint64_t)g->id << 32 | tn_str_id(interned);
}

const tn_value *tn_onnx_value_named(const tn_onnx_writer *w, const tn_graph *g, tn_bytes name) {
    const char *interned = tn_intern_n(w->ctx, (const char *)name.data, name.size);
    uint64_t id = tn_map_or(&w->values, name_key(g, interned), 0);
    return id != 0 ? w->m->values[id - 1] : NULL;
}

void tn_onnx_index_values(tn_onnx_writer *w) {
    for (uint32_t i = 0; i < w->file->n_values; i++) {
        tn_map_put(&w->values, name_key(w->m->values[i]->graph, w->file->names[i]), i + 1u);
    }
}

static bool is_renamed(const tn_onnx_writer *w, const tn_value *v) {
    return v != NULL && v->id < w->file->n_values && v->name != w->file->names[v->id];
}

static void note_value(tn_onnx_writer *w, uint32_t number, const tn_value *v) {
    if (v != NULL && !w->met[v->id]) {
        w->met[v->id] = true;
        tn_onnx_put_notes(w, number, &(tn_onnx_part){.value = v});
    }
}

/* A type that is copied, and how far. */
typedef struct copying {
    const tn_value *input; /* of the main graph, whose type it is; NULL: of another value */
    uint32_t axis;         /* the next */
} copying;

static bool has_number(const tn_onnx_writer *w, tn_bytes dim, int64_t number) {
    bool found = false;
    tn_wire in = tn_wire_open(&w->file->src, dim);
    for (tn_wire_field f; tn_wire_next(&in, &f);) {
        found = found || (f.number == PB_DIM_VALUE && (int64_t)f.value == number);
    }
    return found;
}

/* Whether the extent is a number by now. */
static bool is_bound(const tn_onnx_writer *w, tn_bytes dim, const copying *c, int64_t *number) {
    tn_dims *d = w->m->dims;
    tn_bytes name = tn_onnx_text_of(w, dim, PB_DIM_PARAM);
    if (c->input != NULL) {
        const tn_type *t = c->input->type;
        return c->axis < t->rank && tn_dim_is_const(d, t->dims[c->axis], number);
    }
    if (name.size == 0) {
        return false;
    }
    const char *param = tn_arena_strndup(w->arena, (const char *)name.data, name.size);
    return tn_dim_is_const(d, tn_dim_substitute(d, tn_onnx_dim_param(w->ctx, d, param)), number);
}

static void copy_dim(tn_onnx_writer *w, const tn_wire_field *f, const copying *c) {
    int64_t number;
    if (!is_bound(w, f->bytes, c, &number) || has_number(w, f->bytes, number)) {
        tn_wire_copy_field(&w->out, f);
        return;
    }
    tn_wire_mark mark = tn_wire_begin(&w->out, f->number);
    tn_wire in = tn_wire_open(&w->file->src, f->bytes);
    for (tn_wire_field part; tn_wire_next(&in, &part);) {
        if (part.number != PB_DIM_PARAM && part.number != PB_DIM_VALUE) {
            tn_wire_copy_field(&w->out, &part);
        }
    }
    tn_wire_put_int(&w->out, PB_DIM_VALUE, number);
    tn_wire_end(&w->out, &mark, f);
}

/* The fields of a type with the extents that were bound: those of a tensor, by depth. */
static void copy_bound(tn_onnx_writer *w, const tn_wire_field *f, copying *c, uint32_t depth) {
    static const uint32_t path[] = {PB_TYPE_TENSOR, PB_TYPE_OF_SHAPE};
    tn_wire_mark mark = tn_wire_begin(&w->out, f->number);
    tn_wire in = tn_wire_open(&w->file->src, f->bytes);
    for (tn_wire_field part; tn_wire_next(&in, &part);) {
        bool message = part.type == TN_WIRE_LEN;
        if (message && depth < 2 && part.number == path[depth]) {
            copy_bound(w, &part, c, depth + 1);
        } else if (message && depth == 2 && part.number == PB_SHAPE_DIM) {
            copy_dim(w, &part, c);
            c->axis++;
        } else {
            tn_wire_copy_field(&w->out, &part);
        }
    }
    tn_wire_end(&w->out, &mark, f);
}

/* `input` NULL: it is the type of another value. */
static void copy_type(tn_onnx_writer *w, const tn_wire_field *f, const tn_value *input) {
    tn_bytes tensor = tn_onnx_text_of(w, f->bytes, PB_TYPE_TENSOR);
    bool known = input != NULL && input->type->kind == TN_TYPE_TENSOR && input->type->has_rank;
    copying c = {known ? input : NULL, 0};
    if (known && tn_onnx_text_of(w, tensor, PB_TYPE_OF_SHAPE).data == NULL) {
        tn_onnx_put_type(w, f->number, input->type); /* the shape was given */
    } else {
        copy_bound(w, f, &c, 0);
    }
}

/* Copies the fields of a message but for its name, where `v` has another one now, and for notes of
 * old plans; true when there was such a note and nothing but a name. */
static bool copy_fields(tn_onnx_writer *w, const tn_wire_field *f, const tn_value *v, uint32_t name,
                        uint32_t notes) {
    tn_wire in = tn_wire_open(&w->file->src, f->bytes);
    tn_wire_field part;
    bool old = false, more = false;
    while (tn_wire_next(&in, &part)) {
        if (part.number == notes && tn_onnx_is_old_note(w, &part)) {
            old = true;
        } else if (part.number == name && is_renamed(w, v)) {
            tn_onnx_put_name(w, name, v->name);
        } else if (name == PB_VALUE_NAME && part.number == PB_VALUE_TYPE && w->noting == NULL &&
                   part.type == TN_WIRE_LEN) {
            bool given = f->number == PB_GRAPH_INPUT && v != NULL && v->kind == TN_VALUE_INPUT &&
                         v->graph == w->m->main;
            copy_type(w, &part, given ? v : NULL);
            more = true;
        } else {
            tn_wire_copy_field(&w->out, &part);
            more |= part.number != name;
        }
    }
    return old && !more;
}

void tn_onnx_copy_value(tn_onnx_writer *w, const tn_wire_field *f, const tn_value *v, bool noted) {
    tn_wire_mark mark = tn_wire_begin(&w->out, f->number);
    bool bare = copy_fields(w, f, v, PB_VALUE_NAME, PB_VALUE_METADATA_PROPS);
    uint64_t before = w->out.total;
    if (noted) {
        note_value(w, PB_VALUE_METADATA_PROPS, v);
    }
    if (bare && w->out.total == before && f->number == PB_GRAPH_VALUE_INFO) {
        tn_wire_cancel(&w->out, &mark);
    } else {
        tn_wire_end(&w->out, &mark, f);
    }
}

void tn_onnx_put_value(tn_onnx_writer *w, uint32_t number, const tn_value *v, bool typed,
                       bool noted) {
    tn_wire_mark mark = tn_wire_begin(&w->out, number);
    tn_onnx_put_name(w, PB_VALUE_NAME, v->name);
    uint64_t before = w->out.total;
    if (typed && v->type->kind != TN_TYPE_UNKNOWN) {
        tn_onnx_put_type(w, PB_VALUE_TYPE, v->type);
    }
    if (noted) {
        note_value(w, PB_VALUE_METADATA_PROPS, v);
    }
    if (w->out.total == before && number == PB_GRAPH_VALUE_INFO) {
        tn_wire_cancel(&w->out, &mark);
    } else {
        tn_wire_end(&w->out, &mark, NULL);
    }
}

void tn_onnx_copy_tensor(tn_onnx_writer *w, const tn_wire_field *f, const tn_value *v) {
    tn_wire_mark mark = tn_wire_begin(&w->out, f->number);
    (void)copy_fields(w, f, v, PB_TENSOR_NAME, PB_TENSOR_METADATA_PROPS);
    if (v != NULL && v->kind == TN_VALUE_CONST) {
        note_value(w, PB_TENSOR_METADATA_PROPS, v);
    }
    tn_wire_end(&w->out, &mark, f);
}

/* ---- tensors in full ---- */

static void put_entry(tn_onnx_writer *w, const char *key, const char *value) {
    tn_wire_mark mark = tn_wire_begin(&w->out, PB_TENSOR_EXTERNAL_DATA);
    tn_onnx_put_name(w, PB_ENTRY_KEY, key);
    tn_onnx_put_name(w, PB_ENTRY_VALUE, value);
    tn_wire_end(&w->out, &mark, NULL);
}

static const char *number_text(tn_onnx_writer *w, uint64_t x) {
    return tn_arena_printf(w->arena, "%llu", (unsigned long long)x);
}

static void put_elements(tn_onnx_writer *w, const tn_tensor *t, const char *name,
                         const tn_loc *loc) {
    enum { EXTERNAL = 1 };
    if (t->external != NULL) {
        put_entry(w, "location", t->external);
        put_entry(w, "offset", number_text(w, t->ext_offset));
        put_entry(w, "length", number_text(w, t->ext_length));
        tn_wire_put_int(&w->out, PB_TENSOR_DATA_LOCATION, EXTERNAL);
        return;
    }
    bool text = t->dtype == TN_DT_STRING && t->n_elements > 0;
    if (text || !tn_tensor_has_bytes(t)) {
        tn_fail(w->ctx, loc, "%s%s%s cannot be written: its elements are not known",
                name != NULL ? "initializer '" : "the tensor of an attribute",
                name != NULL ? name : "", name != NULL ? "'" : "");
    }
    tn_wire_put_tensor(&w->out, PB_TENSOR_RAW_DATA, t);
}

void tn_onnx_put_tensor(tn_onnx_writer *w, uint32_t number, const tn_tensor *t, const char *name,
                        const tn_loc *loc) {
    tn_wire_mark mark = tn_wire_begin(&w->out, number);
    for (uint32_t i = 0; i < t->rank; i++) {
        tn_wire_put_int(&w->out, PB_TENSOR_DIMS, t->dims[i]);
    }
    tn_wire_put_int(&w->out, PB_TENSOR_DATA_TYPE, tn_dtype_number(t->dtype));
    if (name != NULL) {
        tn_onnx_put_name(w, PB_TENSOR_NAME, name);
    }
    put_elements(w, t, name, loc);
    tn_wire_end(&w->out, &mark, NULL);
}

/* ---- types ---- */

static void put_dim(tn_onnx_writer *w, tn_dim d) {
    tn_wire_mark mark = tn_wire_begin(&w->out, PB_SHAPE_DIM);
    const char *symbol = tn_dim_symbol(w->m->dims, d);
    int64_t value;
    if (tn_dim_is_const(w->m->dims, d, &value)) {
        tn_wire_put_int(&w->out, PB_DIM_VALUE, value);
    } else if (symbol != NULL) {
        tn_onnx_put_name(w, PB_DIM_PARAM, symbol);
    } else if (d != TN_DIM_UNKNOWN) {
        tn_sink text = tn_sink_make(w->arena);
        tn_dim_print(w->m->dims, d, &text);
        tn_wire_put_text(&w->out, PB_DIM_PARAM, text.data, text.len);
    }
    tn_wire_end(&w->out, &mark, NULL);
}

static void put_tensor_type(tn_onnx_writer *w, const tn_type *t) {
    tn_wire_put_int(&w->out, PB_TYPE_OF_ELEM, tn_dtype_number(t->dtype));
    if (t->has_rank) {
        tn_wire_mark mark = tn_wire_begin(&w->out, PB_TYPE_OF_SHAPE);
        for (uint32_t i = 0; i < t->rank; i++) {
            put_dim(w, t->dims[i]);
        }
        tn_wire_end(&w->out, &mark, NULL);
    }
}

static uint32_t kind_field(tn_type_kind kind) {
    static const uint32_t fields[] = {
        [TN_TYPE_TENSOR] = PB_TYPE_TENSOR,     [TN_TYPE_SPARSE] = PB_TYPE_SPARSE,
        [TN_TYPE_SEQUENCE] = PB_TYPE_SEQUENCE, [TN_TYPE_OPTIONAL] = PB_TYPE_OPTIONAL,
        [TN_TYPE_MAP] = PB_TYPE_MAP,           [TN_TYPE_OPAQUE] = PB_TYPE_OPAQUE};
    return fields[kind];
}

/* Recursive, but types are not nested deeper than their readers allow. */
void tn_onnx_put_type(tn_onnx_writer *w, uint32_t number, const tn_type *t) {
    tn_wire_mark mark = tn_wire_begin(&w->out, number), kind = {0};
    if (t->kind != TN_TYPE_UNKNOWN) {
        kind = tn_wire_begin(&w->out, kind_field(t->kind));
        if (t->kind == TN_TYPE_TENSOR || t->kind == TN_TYPE_SPARSE) {
            put_tensor_type(w, t);
        } else if (t->kind == TN_TYPE_MAP) {
            tn_wire_put_int(&w->out, PB_TYPE_OF_ELEM, tn_dtype_number(t->dtype));
            tn_onnx_put_type(w, PB_TYPE_OF_VALUE, t->elem);
        } else if (t->kind != TN_TYPE_OPAQUE) {
            tn_onnx_put_type(w, PB_TYPE_OF_ELEM, t->elem);
        }
        tn_wire_end(&w->out, &kind, NULL);
    }
    tn_wire_end(&w->out, &mark, NULL);
}
