/* Offsets of a flatbuffer lead forward only, and nothing in the file that refers to another thing
 * could refer to a new one behind it. So what is new stands in front: a root with the lists of
 * buffers and of metadata, which are longer by one, and refer to what they did in the old file;
 * behind that stands the old file, whole. */
#include "ir/tflite/tflite_write.h"

#include <string.h>

#include "ir/base/xmath.h"

static const char key[] = "OfflineMemoryAllocation";

enum {
    FORMAT = 1, /* of the metadata */
    HEAD = 3,   /* numbers before the offsets: format, subgraphs, tensors */
    ALIGN = 16, /* of data, which the old file must not lose either */
    SHIFT_ALIGN = 64,
    NUMBER = 4,
    TABLE = NUMBER * (1 + FB_MODEL_END), /* bytes of the root: the vtable's place, and its fields */
    VTABLE = 4 + 2 * FB_MODEL_END
};
#define MOST_BYTES INT32_MAX

/* Where the parts stand in front of the old file. */
typedef struct front {
    const tn_tflite_file *file;
    tn_flat_table root;
    tn_flat_vector buffers, metadata;
    uint32_t n_kept; /* of the metadata */
    size_t table, buffer_list, metadata_list, entry, name, buffer, data, end;
    tn_sink *out;
    uint64_t start; /* bytes that the sink had */
} front;

static size_t here(const front *f) {
    return (size_t)(tn_sink_total(f->out) - f->start);
}

static void put(front *f, uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) {
        tn_put_c(f->out, (char)(number >> (8 * i) & 0xff));
    }
}

static void put_offset_to(front *f, size_t target) {
    put(f, target - here(f), NUMBER);
}

static void pad_to(front *f, size_t at) {
    while (here(f) < at) {
        tn_put_c(f->out, '\0');
    }
}

static bool is_kept(const front *f, uint32_t i) {
    tn_flat_table entry = tn_flat_item(&f->metadata, i);
    return strcmp(tn_flat_text(&entry, FB_METADATA_NAME), key) != 0;
}

/* All but the old file. */
static void lay_out(front *f) {
    const tn_flat_src *src = &f->file->src;
    for (uint32_t i = 0; i < f->metadata.n; i++) {
        f->n_kept += is_kept(f, i);
    }
    f->table = TN_FLAT_HEAD + VTABLE;
    f->buffer_list = f->table + TABLE;
    f->metadata_list = f->buffer_list + NUMBER * (size_t)(1 + f->buffers.n + 1);
    size_t at = f->metadata_list + NUMBER * (size_t)(1 + f->n_kept + 1);
    f->entry = at + 8; /* behind its vtable */
    f->name = f->entry + 3 * NUMBER;
    at = (size_t)tn_round_up(f->name + NUMBER + sizeof key, NUMBER);
    f->buffer = at + 8;
    f->data = (size_t)tn_round_up(f->buffer + 3 * NUMBER, ALIGN) - NUMBER;
    at = f->data + NUMBER * (1 + HEAD + (size_t)f->file->n_tensors);
    f->end = (size_t)tn_round_up(at, SHIFT_ALIGN);
    if (f->end > MOST_BYTES || src->all.size > MOST_BYTES - f->end) {
        tn_loc loc = tn_loc_file(src->file);
        tn_fail(src->ctx, &loc, "with the plan the file would have more than %d bytes", MOST_BYTES);
    }
}

static size_t field_of_root(const front *f, unsigned number) {
    if (number == FB_MODEL_BUFFERS) {
        return f->buffer_list;
    }
    if (number == FB_MODEL_METADATA) {
        return f->metadata_list;
    }
    size_t field = tn_flat_field(&f->root, number, NUMBER);
    return field != 0 ? f->end + tn_flat_follow(&f->file->src, field, 1) : 0;
}

static void put_root(front *f) {
    put(f, f->table, NUMBER);
    tn_put_n(f->out, (const char *)f->file->src.all.data + TN_FLAT_IDENTIFIER, NUMBER);
    put(f, VTABLE, 2);
    put(f, TABLE, 2);
    for (unsigned i = 0; i < FB_MODEL_END; i++) {
        bool has = i == FB_MODEL_VERSION || field_of_root(f, i) != 0;
        put(f, has ? NUMBER * (1 + (uint64_t)i) : 0, 2);
    }
    put(f, f->table - TN_FLAT_HEAD, NUMBER);
    put(f, tn_flat_number(&f->root, FB_MODEL_VERSION, NUMBER, 0), NUMBER);
    for (unsigned i = FB_MODEL_VERSION + 1; i < FB_MODEL_END; i++) {
        size_t target = field_of_root(f, i);
        put(f, target != 0 ? target - here(f) : 0, NUMBER);
    }
}

static void put_lists(front *f) {
    const tn_flat_src *src = &f->file->src;
    put(f, f->buffers.n + 1ull, NUMBER);
    for (uint32_t i = 0; i < f->buffers.n; i++) {
        put_offset_to(f, f->end + tn_flat_follow(src, f->buffers.at + NUMBER * (size_t)i, 1));
    }
    put_offset_to(f, f->buffer);
    put(f, f->n_kept + 1ull, NUMBER);
    for (uint32_t i = 0; i < f->metadata.n; i++) {
        if (is_kept(f, i)) {
            put_offset_to(f, f->end + tn_flat_follow(src, f->metadata.at + NUMBER * (size_t)i, 1));
        }
    }
    put_offset_to(f, f->entry);
}

/* The vtable of a table with its fields one behind the other, and where that lies. */
static void put_table_head(front *f, unsigned fields) {
    put(f, 4 + 2 * fields, 2);
    put(f, NUMBER * (1 + fields), 2);
    for (unsigned i = 0; i < fields; i++) {
        put(f, NUMBER * (1 + i), 2);
    }
    pad_to(f, (size_t)tn_round_up(here(f), NUMBER));
    put(f, 8, NUMBER);
}

static void put_plan(front *f, const int32_t *offsets) {
    pad_to(f, f->entry - 8);
    put_table_head(f, 2);
    put_offset_to(f, f->name);
    put(f, f->buffers.n, NUMBER);
    put(f, sizeof key - 1, NUMBER);
    tn_put_n(f->out, key, sizeof key);
    pad_to(f, f->buffer - 8);
    put_table_head(f, 1);
    put_offset_to(f, f->data);
    pad_to(f, f->data);
    put(f, NUMBER * (HEAD + (uint64_t)f->file->n_tensors), NUMBER);
    put(f, FORMAT, NUMBER);
    put(f, tn_flat_vector_of(&f->root, FB_MODEL_SUBGRAPHS, NUMBER).n, NUMBER);
    put(f, f->file->n_tensors, NUMBER);
    for (uint32_t i = 0; i < f->file->n_tensors; i++) {
        put(f, (uint32_t)offsets[i], NUMBER);
    }
    pad_to(f, f->end);
}

/* The list refers to operators behind it, so it may name them in any order. */
static void put_old(front *f, const uint32_t *order) {
    const tn_flat_src *src = &f->file->src;
    const char *data = (const char *)src->all.data;
    tn_flat_vector subgraphs = tn_flat_vector_of(&f->root, FB_MODEL_SUBGRAPHS, NUMBER);
    tn_flat_table first = tn_flat_item(&subgraphs, 0);
    tn_flat_vector operators = tn_flat_vector_of(&first, FB_SUBGRAPH_OPERATORS, NUMBER);
    size_t at = operators.n > 0 ? operators.at : src->all.size;
    tn_put_n(f->out, data, at);
    for (uint32_t i = 0; i < operators.n; i++, at += NUMBER) {
        put(f, tn_flat_follow(src, operators.at + NUMBER * (size_t)order[i], 1) - at, NUMBER);
    }
    tn_put_n(f->out, data + at, src->all.size - at);
}

void tn_tflite_write(const tn_tflite_file *file, const int32_t *offsets, const uint32_t *order,
                     tn_sink *out) {
    front f = {.file = file, .root = tn_flat_root(&file->src), .out = out};
    f.start = tn_sink_total(out);
    f.buffers = tn_flat_vector_of(&f.root, FB_MODEL_BUFFERS, NUMBER);
    f.metadata = tn_flat_vector_of(&f.root, FB_MODEL_METADATA, NUMBER);
    if (f.root.slots > FB_MODEL_END) {
        tn_flat_fail(&file->src, f.root.vtable,
                     "the model has %zu fields, of which %d are known, and would lose the others",
                     f.root.slots, FB_MODEL_END);
    }
    lay_out(&f);
    put_root(&f);
    put_lists(&f);
    put_plan(&f, offsets);
    put_old(&f, order);
}
