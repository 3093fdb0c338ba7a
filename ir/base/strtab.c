/* Interned strings. Each text lies behind a header with its dense id and length, so both are found
 * from the pointer alone. Open addressing over the entries' hashes. */
#include <stdarg.h>
#include <string.h>

#include "ir/base/arena.h"
#include "ir/base/map.h"
#include "ir/base/strtab_t.h"

typedef struct entry {
    uint64_t hash;
    uint32_t id, len;
    char text[];
} entry;

struct tn_strtab {
    tn_arena *arena;
    entry **slots;
    uint32_t len, cap;
};

static const entry *head_of(const char *interned) {
    return (const entry *)(const void *)(interned - offsetof(entry, text));
}

tn_strtab *tn_strtab_new(tn_arena *arena) {
    tn_strtab *t = TN_NEW(arena, tn_strtab);
    t->arena = arena;
    t->cap = 256;
    t->slots = TN_ARRAY(arena, entry *, t->cap);
    return t;
}

static void grow(tn_strtab *t) {
    uint32_t cap = t->cap * 2;
    entry **slots = TN_ARRAY(t->arena, entry *, cap);
    for (uint32_t i = 0; i < t->cap; i++) {
        entry *e = t->slots[i];
        if (e == NULL) {
            continue;
        }
        uint32_t at = (uint32_t)e->hash & (cap - 1);
        while (slots[at] != NULL) {
            at = (at + 1) & (cap - 1);
        }
        slots[at] = e;
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
    uint64_t hash = tn_hash(s, len, 0);
    uint32_t at = (uint32_t)hash & (t->cap - 1);
    for (entry *e; (e = t->slots[at]) != NULL; at = (at + 1) & (t->cap - 1)) {
        if (e->hash == hash && e->len == len && (len == 0 || memcmp(e->text, s, len) == 0)) {
            return e->text;
        }
    }
    entry *e = tn_arena_alloc(t->arena, sizeof *e + len + 1);
    e->hash = hash;
    e->id = t->len++;
    e->len = (uint32_t)len;
    if (len > 0) {
        memcpy(e->text, s, len);
    }
    t->slots[at] = e;
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
