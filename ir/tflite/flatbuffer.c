#include "ir/tflite/flatbuffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ir/base/limits.h"

/* Bytes of an offset, of the length of a vector, and of a number in a vtable. */
enum { OFFSET = 4, SLOT = 2, VTABLE_HEAD = 2 * SLOT };

void tn_flat_fail(const tn_flat_src *src, size_t at, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    tn_loc loc = tn_loc_file(src->file);
    tn_fail(src->ctx, &loc, "not a valid TFLite model: byte %zu: %s", at, text);
}

static void need(const tn_flat_src *src, size_t from, size_t at, uint64_t size, const char *what) {
    if (at > src->all.size || size > src->all.size - at) {
        tn_flat_fail(src, from, "%s leads outside of the file, which has %zu bytes", what,
                     src->all.size);
    }
}

static uint64_t load(const tn_flat_src *src, size_t at, size_t size) {
    uint64_t v = 0;
    for (size_t i = 0; i < size; i++) {
        v |= (uint64_t)src->all.data[at + i] << (8 * i);
    }
    return v;
}

size_t tn_flat_follow(const tn_flat_src *src, size_t at, size_t least) {
    uint64_t by = load(src, at, OFFSET);
    if (by == 0 || by > src->all.size - at) {
        tn_flat_fail(src, at, "an offset of %llu leads outside of the file, which has %zu bytes",
                     (unsigned long long)by, src->all.size);
    }
    need(src, at, at + (size_t)by, least, "an offset");
    return at + (size_t)by;
}

static tn_flat_table table_at(const tn_flat_src *src, size_t from) {
    tn_flat_table t = {.src = src, .at = tn_flat_follow(src, from, OFFSET)};
    /* The vtable lies so many bytes before the table, or behind it. */
    int64_t back = (int32_t)(uint32_t)load(src, t.at, OFFSET);
    int64_t vtable = (int64_t)t.at - back;
    if (vtable < 0 || (uint64_t)vtable > src->all.size) {
        tn_flat_fail(src, t.at, "the vtable of a table lies outside of the file");
    }
    t.vtable = (size_t)vtable;
    need(src, t.at, t.vtable, VTABLE_HEAD, "the vtable of a table");
    size_t bytes = (size_t)load(src, t.vtable, SLOT);
    t.size = (size_t)load(src, t.vtable + SLOT, SLOT);
    need(src, t.at, t.vtable, bytes, "the vtable of a table");
    need(src, t.at, t.at, t.size, "a table");
    if (bytes < VTABLE_HEAD || bytes % SLOT != 0 || t.size < OFFSET) {
        tn_flat_fail(src, t.vtable, "a vtable of %zu bytes for a table of %zu", bytes, t.size);
    }
    t.slots = (bytes - VTABLE_HEAD) / SLOT;
    return t;
}

tn_flat_table tn_flat_root(const tn_flat_src *src) {
    need(src, 0, 0, TN_FLAT_HEAD, "the head");
    return table_at(src, TN_FLAT_ROOT);
}

size_t tn_flat_field(const tn_flat_table *t, unsigned number, size_t size) {
    if (number >= t->slots) {
        return 0;
    }
    size_t slot = t->vtable + VTABLE_HEAD + SLOT * (size_t)number;
    size_t by = (size_t)load(t->src, slot, SLOT);
    if (by != 0 && (by > t->size || size > t->size - by)) {
        tn_flat_fail(t->src, slot, "field %u lies outside of its table", number);
    }
    return by != 0 ? t->at + by : 0;
}

tn_flat_table tn_flat_table_of(const tn_flat_table *t, unsigned number) {
    size_t at = tn_flat_field(t, number, OFFSET);
    if (at == 0) {
        tn_flat_fail(t->src, t->at, "a table without its field %u", number);
    }
    return table_at(t->src, at);
}

uint64_t tn_flat_number(const tn_flat_table *t, unsigned number, size_t size, uint64_t fallback) {
    size_t at = tn_flat_field(t, number, size);
    return at != 0 ? load(t->src, at, size) : fallback;
}

tn_flat_vector tn_flat_vector_of(const tn_flat_table *t, unsigned number, size_t item) {
    tn_flat_vector v = {.src = t->src};
    size_t field = tn_flat_field(t, number, OFFSET);
    if (field != 0) {
        size_t at = tn_flat_follow(t->src, field, OFFSET);
        v.n = (uint32_t)load(t->src, at, OFFSET);
        v.at = at + OFFSET;
        need(t->src, at, v.at, (uint64_t)v.n * item, "a vector");
    }
    return v;
}

tn_flat_table tn_flat_item(const tn_flat_vector *v, uint32_t i) {
    return table_at(v->src, v->at + (size_t)i * OFFSET);
}

int32_t tn_flat_int(const tn_flat_vector *v, uint32_t i) {
    return (int32_t)(uint32_t)load(v->src, v->at + (size_t)i * OFFSET, OFFSET);
}

const char *tn_flat_text(const tn_flat_table *t, unsigned number) {
    tn_flat_vector v = tn_flat_vector_of(t, number, 1);
    if (v.n > TN_MAX_NAME) {
        tn_flat_fail(v.src, v.at, "a name of %u bytes, the limit is %u", v.n, TN_MAX_NAME);
    }
    const char *text = v.n > 0 ? (const char *)v.src->all.data + v.at : "";
    const char *end = memchr(text, '\0', v.n);
    return tn_intern_n(t->src->ctx, text, end != NULL ? (size_t)(end - text) : v.n);
}
