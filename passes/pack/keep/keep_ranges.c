/* What two items forbid each other. Most are whole for as long as they live, and two such have one
 * range: that of their sizes. A part of an item is never in the way where all of it is not. */
#include "passes/pack/keep/keep_t.h"

/* A time at which bytes [lo, hi) of an item are in use. */
typedef struct span {
    int64_t first, last;
    uint64_t lo, hi;
} span;

static uint32_t n_spans(const tn_pack_buffer *b) {
    return 2 * b->n_gaps + 1;
}

/* Span k: times between gaps are even, gaps odd; some are empty. */
static span span_of(const tn_pack_buffer *b, uint32_t k) {
    uint32_t gap = k / 2;
    if (k % 2 == 1) {
        const tn_pack_gap *g = &b->gaps[gap];
        return (span){g->first, g->last, g->lo, g->hi};
    }
    return (span){gap == 0 ? b->first : b->gaps[gap - 1].last,
                  gap == b->n_gaps ? b->last : b->gaps[gap].first, 0, b->size};
}

static bool meet(const span *s, const span *t) {
    return s->first < t->last && t->first < s->last && s->first < s->last && t->first < t->last &&
           s->lo < s->hi && t->lo < t->hi;
}

static tn_keep_range range_of(const span *s, const span *t) {
    return (tn_keep_range){(int64_t)t->lo - (int64_t)s->hi, (int64_t)t->hi - (int64_t)s->lo};
}

uint32_t tn_keep_ranges(const tn_keep_item *a, const tn_keep_item *b, tn_keep_range *out) {
    const tn_pack_buffer *x = &a->buffer, *y = &b->buffer;
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_spans(x); i++) {
        span s = span_of(x, i);
        for (uint32_t k = 0; k < n_spans(y); k++) {
            span t = span_of(y, k);
            if (meet(&s, &t) && i % 2 == 0 && k % 2 == 0) { /* the others lie inside it */
                out[0] = range_of(&s, &t);
                return 1;
            }
            if (meet(&s, &t)) {
                out[n++] = range_of(&s, &t);
            }
        }
    }
    return n;
}

uint32_t tn_keep_most_ranges(const tn_keep_case *c) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        most = c->items[i].buffer.n_gaps > most ? c->items[i].buffer.n_gaps : most;
    }
    return (2 * most + 1) * (2 * most + 1);
}

bool tn_keep_clash(const tn_keep_case *c, uint32_t a, uint64_t at_a, uint32_t b, uint64_t at_b) {
    const tn_pack_buffer *x = &c->items[a].buffer, *y = &c->items[b].buffer;
    int64_t apart = (int64_t)at_a - (int64_t)at_b;
    for (uint32_t i = 0; i < n_spans(x); i++) {
        span s = span_of(x, i);
        for (uint32_t k = 0; k < n_spans(y); k++) {
            span t = span_of(y, k);
            tn_keep_range r = range_of(&s, &t);
            if (meet(&s, &t) && r.lo < apart && apart < r.hi) {
                return true;
            }
        }
    }
    return false;
}
