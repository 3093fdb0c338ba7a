/* Interned strings. Each text lies behind a header with its dense id and length, so both are found
 * from the pointer alone. Open addressing; a slot has a part of its entry's hash, so that few
 * look-ups and no growth look at an entry that is not the one wanted. */
#include <stdarg.h>
#include <string.h>

#include "ir/base/arena.h"
#include "ir/base/map.h"
#include "ir/base/strtab_t.h"

typedef struct entry {
    uint32_t id, len;
    char text[];
} entry;

typedef struct slot {
    uint32_t hash, id; /* id + 1, or 0: free */
} slot;

enum { PAGE = 256 };

/* Entries by id lie in pages, which stay where they are: a growing array would leave its old copies
 * in the arena. */
struct tn_strtab {
    tn_arena *arena;
    slot *slots;
    uint32_t len, cap; /* `cap` slots, a power of two */
    TN_VEC(entry **) pages;
};

static const entry *head_of(const char *interned) {
    return (const entry *)(const void *)(interned - offsetof(entry, text));
}

tn_strtab *tn_strtab_new(tn_arena *arena) {
    tn_strtab *t = TN_NEW(arena, tn_strtab);
    t->arena = arena;
    t->cap = 256;
    t->slots = TN_ARRAY(arena, slot, t->cap);
    return t;
}

static void grow(tn_strtab *t) {
    uint32_t cap = t->cap * 2;
    slot *slots = TN_ARRAY(t->arena, slot, cap);
    for (uint32_t i = 0; i < t->cap; i++) {
        slot s = t->slots[i];
        if (s.id == 0) {
            continue;
        }
        uint32_t at = s.hash & (cap - 1);
        while (slots[at].id != 0) {
            at = (at + 1) & (cap - 1);
        }
        slots[at] = s;
    }
    t->slots = slots;
    t->cap = cap;
}

const char *tn_intern_n(tn_ctx *ctx, const char *s, size_t len) {
    tn_strtab *t = ctx->strs;
    if (len > UINT32_MAX - 64) {
        tn_raise(ctx, TN_NOMEM);
    }
    if (t->len >= t->cap / 2) {
        grow(t);
    }
    uint32_t hash = (uint32_t)tn_hash(s, len, 0);
    uint32_t at = hash & (t->cap - 1);
    for (; t->slots[at].id != 0; at = (at + 1) & (t->cap - 1)) {
        if (t->slots[at].hash != hash) {
            continue;
        }
        uint32_t id = t->slots[at].id - 1;
        const entry *e = t->pages.data[id / PAGE][id % PAGE];
        if (e->len == len && (len == 0 || memcmp(e->text, s, len) == 0)) {
            return e->text;
        }
    }
    if (t->len / PAGE == t->pages.len) {
        entry **page = TN_ARRAY(t->arena, entry *, PAGE);
        tn_vec_push(t->arena, &t->pages, page);
    }
    entry *e = tn_arena_alloc(t->arena, sizeof *e + len + 1);
    e->id = t->len++;
    e->len = (uint32_t)len;
    if (len > 0) {
        memcpy(e->text, s, len);
    }
    t->pages.data[e->id / PAGE][e->id % PAGE] = e;
    t->slots[at] = (slot){hash, t->len};
    return e->text;
}

const char *tn_intern(tn_ctx *ctx, const char *s) {
    return s == NULL ? tn_intern_n(ctx, "", 0) : tn_intern_n(ctx, s, strlen(s));
}

const char *tn_internf(tn_ctx *ctx, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const char *text = tn_arena_vprintf(ctx->arena, fmt, args);
    va_end(args);
    return tn_intern(ctx, text);
}

uint32_t tn_str_id(const char *interned) {
    return head_of(interned)->id;
}

uint32_t tn_str_len(const char *interned) {
    return head_of(interned)->len;
}

uint32_t tn_str_count(const tn_ctx *ctx) {
    return ctx->strs->len;
}
