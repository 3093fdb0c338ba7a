/* Chunks from the context's allocator, bump allocation inside a chunk. A large request gets a chunk
 * of its own, and the current chunk goes on being filled. */
#include "ir/base/arena.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ir/base/xmath.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#endif

/* Under AddressSanitizer each allocation has a gap behind it, and what is not given away is
 * poisoned: who reads past the end of an array is caught inside of a chunk, too. */
#ifdef WATCHED
#include <sanitizer/asan_interface.h>
enum { GAP = 16 };
#define HIDE(p, size) __asan_poison_memory_region(p, size)
#define SHOW(p, size) __asan_unpoison_memory_region(p, size)
#else
enum { GAP = 0 };
#define HIDE(p, size) ((void)0)
#define SHOW(p, size) ((void)(size))
#endif

enum { FIRST_CHUNK = 4096, LAST_CHUNK = 1 << 22, ALIGN = 8 };

typedef struct chunk {
    struct chunk *next;
    size_t size; /* whole chunk, header included */
} chunk;

typedef struct deferred {
    struct deferred *next;
    void (*fn)(void *);
    void *p;
} deferred;

struct tn_arena {
    tn_ctx *ctx;
    tn_arena *older, *newer;
    chunk *chunks;
    deferred *defers;
    uint8_t *at, *end; /* free part of the newest small chunk */
    size_t next_size, total;
};

tn_arena *tn_arena_new(tn_ctx *ctx) {
    tn_arena *a = ctx->alloc.fn(ctx->alloc.user, NULL, 0, sizeof *a);
    if (a == NULL) {
        tn_raise(ctx, TN_NOMEM);
    }
    memset(a, 0, sizeof *a);
    a->ctx = ctx;
    a->next_size = FIRST_CHUNK;
    a->total = sizeof *a;
    a->older = ctx->arenas;
    if (a->older != NULL) {
        a->older->newer = a;
    }
    ctx->arenas = a;
    return a;
}

static void unlink_arena(tn_arena *a) {
    tn_ctx *ctx = a->ctx;
    if (a->older != NULL) {
        a->older->newer = a->newer;
    }
    if (a->newer != NULL) {
        a->newer->older = a->older;
    } else {
        ctx->arenas = a->older;
    }
    ctx->alloc.fn(ctx->alloc.user, a, sizeof *a, 0);
}

void tn_arena_drop(tn_arena *a) {
    if (a == NULL) {
        return;
    }
    tn_ctx *ctx = a->ctx;
    for (deferred *d = a->defers; d != NULL; d = d->next) {
        d->fn(d->p);
    }
    for (chunk *c = a->chunks; c != NULL;) {
        chunk *next = c->next;
        SHOW(c, c->size);
        ctx->alloc.fn(ctx->alloc.user, c, c->size, 0);
        c = next;
    }
    unlink_arena(a);
}

/* The first chunk of `to` is the one it allocates from: what joins comes behind the last. */
void tn_arena_join(tn_arena *to, tn_arena *from) {
    chunk **last = &to->chunks;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = from->chunks;
    deferred **end = &to->defers;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = from->defers;
    to->total += from->total - sizeof *from;
    unlink_arena(from);
}

tn_ctx *tn_arena_ctx(const tn_arena *a) {
    return a->ctx;
}

size_t tn_arena_bytes(const tn_arena *a) {
    return a->total;
}

static uint8_t *add_chunk(tn_arena *a, size_t payload) {
    tn_poll(a->ctx);
    size_t head = (sizeof(chunk) + ALIGN - 1) / ALIGN * ALIGN;
    if (payload > SIZE_MAX - head) {
        tn_raise(a->ctx, TN_NOMEM);
    }
    chunk *c = a->ctx->alloc.fn(a->ctx->alloc.user, NULL, 0, head + payload);
    if (c == NULL) {
        tn_raise(a->ctx, TN_NOMEM);
    }
    c->size = head + payload;
    c->next = a->chunks;
    a->chunks = c;
    a->total += c->size;
    HIDE((uint8_t *)c + head, payload);
    return (uint8_t *)c + head;
}

static void *shown(uint8_t *p, size_t size) {
    SHOW(p, size);
    return p;
}

void *tn_arena_unset(tn_arena *a, size_t wanted) {
    if (wanted > SIZE_MAX - ALIGN - GAP) {
        tn_raise(a->ctx, TN_NOMEM);
    }
    static max_align_t nothing; /* nobody reads or writes an empty array */
    if (wanted == 0) {
        return &nothing;
    }
    size_t size = (wanted + ALIGN - 1) / ALIGN * ALIGN + GAP;
    if (size > (size_t)(a->end - a->at)) {
        if (size > a->next_size / 4) {
            return shown(add_chunk(a, size), wanted);
        }
        uint8_t *fresh = add_chunk(a, a->next_size);
        a->at = fresh;
        a->end = fresh + a->next_size;
        if (a->next_size < LAST_CHUNK) {
            a->next_size *= 2;
        }
    }
    uint8_t *p = a->at;
    a->at += size;
    return shown(p, wanted);
}

void *tn_arena_alloc(tn_arena *a, size_t size) {
    return memset(tn_arena_unset(a, size), 0, size);
}

static size_t product(const tn_arena *a, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        tn_raise(a->ctx, TN_NOMEM);
    }
    return bytes;
}

void *tn_arena_array(tn_arena *a, size_t count, size_t size) {
    return tn_arena_alloc(a, product(a, count, size));
}

void *tn_arena_unset_array(tn_arena *a, size_t count, size_t size) {
    return tn_arena_unset(a, product(a, count, size));
}

void *tn_arena_regrow(tn_arena *a, const void *old, size_t old_count, size_t new_count,
                      size_t size) {
    size_t bytes = product(a, new_count, size), kept = old_count * size;
    uint8_t *p = tn_arena_unset(a, bytes);
    if (old_count > 0) {
        memcpy(p, old, kept);
    }
    memset(p + kept, 0, bytes - kept);
    return p;
}

void *tn_vec_grow(tn_arena *a, void *data, uint32_t *cap, size_t item) {
    uint32_t grown = *cap < 8 ? 8 : *cap * 2;
    if (grown <= *cap) {
        tn_raise(a->ctx, TN_NOMEM);
    }
    void *p = tn_arena_regrow(a, data, *cap, grown, item);
    *cap = grown;
    return p;
}

char *tn_arena_strndup(tn_arena *a, const char *s, size_t len) {
    char *p = tn_arena_unset(a, len + 1);
    memcpy(p, s, len);
    p[len] = '\0';
    return p;
}

char *tn_arena_vprintf(tn_arena *a, const char *fmt, va_list args) {
    char first[256]; /* most texts are short */
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(first, sizeof first, fmt, args);
    if (n < 0) {
        va_end(again);
        tn_bug(a->ctx, "bad format '%s'", fmt);
    }
    char *p = tn_arena_unset(a, (size_t)n + 1);
    if ((size_t)n < sizeof first) {
        memcpy(p, first, (size_t)n + 1);
    } else {
        vsnprintf(p, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    return p;
}

char *tn_arena_printf(tn_arena *a, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *p = tn_arena_vprintf(a, fmt, args);
    va_end(args);
    return p;
}

void tn_arena_defer(tn_arena *a, void (*fn)(void *p), void *p) {
    deferred *d = TN_NEW(a, deferred);
    d->fn = fn;
    d->p = p;
    d->next = a->defers;
    a->defers = d;
}
