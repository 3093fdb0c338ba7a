#include "passes/pack/offsets/peel.h"

#include "passes/pack/base/budgets.h"

/* A buffer can be moved to the bottom and all below it up when offsets of all stay multiples of the
 * same alignment, and when nothing has to stay where it is. Its size must be such a multiple, or it
 * might better end the packing, where what it lacks to a multiple is not counted. */
static bool may_peel(const tn_pack_buffer *buffers, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (buffers[i].fixed != TN_PACK_FREE || buffers[i].align != buffers[0].align) {
            return false;
        }
    }
    return n > 0;
}

static bool is_solid(const tn_pack_buffer *b) {
    return b->n_gaps == 0 && b->size > 0 && b->size % b->align == 0;
}

/* Peels what spans the live ranges of all that remain. False when nothing does. */
static bool peel_once(const tn_pack_buffer *buffers, tn_peeled *p) {
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (uint32_t k = 0; k < p->n_rest; k++) {
        const tn_pack_buffer *b = &buffers[p->of_rest[k]];
        if (b->size > 0) {
            first = b->first < first ? b->first : first;
            last = b->last > last ? b->last : last;
        }
    }
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->n_rest; k++) {
        uint32_t i = p->of_rest[k];
        const tn_pack_buffer *b = &buffers[i];
        if (is_solid(b) && b->first == first && b->last == last) {
            p->offsets[i] = p->base;
            p->base += b->size; /* no overflow: the sum of all sizes fits */
        } else {
            p->of_rest[n++] = i;
        }
    }
    bool any = n < p->n_rest;
    p->n_rest = n;
    return any;
}

bool tn_peel(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n, tn_peeled *out) {
    *out = (tn_peeled){0};
    if (!may_peel(buffers, n)) {
        return false;
    }
    out->offsets = TN_ARRAY(arena, uint64_t, n);
    out->of_rest = TN_ARRAY(arena, uint32_t, n);
    out->n_rest = n;
    for (uint32_t i = 0; i < n; i++) {
        out->of_rest[i] = i;
    }
    for (uint32_t i = 0; i < TN_LIMIT_PEEL_ROUNDS && peel_once(buffers, out); i++) {
    }
    out->rest = TN_ARRAY(arena, tn_pack_buffer, out->n_rest);
    bool any = false;
    for (uint32_t k = 0; k < out->n_rest; k++) {
        out->rest[k] = buffers[out->of_rest[k]];
        any |= out->rest[k].size > 0;
    }
    return any && out->base > 0;
}
