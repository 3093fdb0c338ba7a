/* Arenas: memory is allocated piece by piece and freed all at once, when the arena is dropped. It
 * comes zeroed, unless a name says it does not. Running out of memory raises TN_NOMEM
 * (ir/base/ctx.h), so results are never NULL.
 */
#ifndef TENURE_IR_BASE_ARENA_H
#define TENURE_IR_BASE_ARENA_H

#include <stdarg.h>

#include "ir/base/ctx.h"

tn_arena *tn_arena_new(tn_ctx *ctx);
/* Runs the deferred functions, newest first, and frees all. NULL is fine. */
void tn_arena_drop(tn_arena *a);
tn_ctx *tn_arena_ctx(const tn_arena *a);
/* Bytes taken from the allocator so far. */
size_t tn_arena_bytes(const tn_arena *a);

void *tn_arena_alloc(tn_arena *a, size_t size);
/* count * size bytes; the product is checked. */
void *tn_arena_array(tn_arena *a, size_t count, size_t size);
/* The same, not zeroed: for what is written whole before anything of it is read. */
void *tn_arena_unset(tn_arena *a, size_t size);
void *tn_arena_unset_array(tn_arena *a, size_t count, size_t size);
/* A longer copy of an array of `old_count` items; the old one stays where it was. */
void *tn_arena_regrow(tn_arena *a, const void *old, size_t old_count, size_t new_count,
                      size_t size);
char *tn_arena_strndup(tn_arena *a, const char *s, size_t len);
char *tn_arena_printf(tn_arena *a, const char *fmt, ...) TN_PRINTF(2, 3);
char *tn_arena_vprintf(tn_arena *a, const char *fmt, va_list args);
/* Everything of `from` lives as long as `to` from now on; `from` itself is gone. */
void tn_arena_join(tn_arena *to, tn_arena *from);
/* Calls fn(p) when the arena is dropped: for what other libraries allocated. */
void tn_arena_defer(tn_arena *a, void (*fn)(void *p), void *p);

#define TN_NEW(arena, T) ((T *)tn_arena_alloc((arena), sizeof(T)))
#define TN_ARRAY(arena, T, n) ((T *)tn_arena_array((arena), (size_t)(n), sizeof(T)))
#define TN_UNSET_ARRAY(arena, T, n) ((T *)tn_arena_unset_array((arena), (size_t)(n), sizeof(T)))

/* Appends to a growable array in an arena, which is kept as three fields: a pointer, a length and a
 * capacity (uint32_t), all 0 at first. A grown array is a copy; the old one stays where it was. */
#define tn_push(arena, data, len, cap, ...)                                                        \
    do {                                                                                           \
        if ((len) == (cap)) {                                                                      \
            (data) = tn_vec_grow((arena), (data), &(cap), sizeof *(data));                         \
        }                                                                                          \
        (data)[(len)++] = __VA_ARGS__;                                                             \
    } while (0)
/* The three as one: `TN_VEC(int) v = {0}; tn_vec_push(arena, &v, 3);` */
#define TN_VEC(T)                                                                                  \
    struct {                                                                                       \
        T *data;                                                                                   \
        uint32_t len, cap;                                                                         \
    }
#define tn_vec_push(arena, v, ...) tn_push((arena), (v)->data, (v)->len, (v)->cap, __VA_ARGS__)
void *tn_vec_grow(tn_arena *a, void *data, uint32_t *cap, size_t item);

#endif
