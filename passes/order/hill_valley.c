#include "passes/order/hill_valley.h"

#include "ir/base/sort.h"

/* Ops first..end-1 of a chain, which stay together. */
typedef struct segment {
    int64_t hill, valley;
    uint32_t chain, first, end;
    uint32_t at; /* place among the segments of all chains */
} segment;

typedef TN_VEC(segment) segments;

/* A chain under way. */
typedef struct joined {
    tn_hills out;
    uint32_t len;
} joined;

tn_hills tn_hills_make(tn_arena *arena, uint32_t len) {
    return (tn_hills){TN_ARRAY(arena, uint32_t, len), TN_ARRAY(arena, int64_t, len),
                      TN_ARRAY(arena, int64_t, len + 1u), len};
}

static void append(joined *j, const tn_hills *c, uint32_t i) {
    int64_t now = j->out.after[j->len];
    j->out.op[j->len] = c->op[i];
    j->out.during[j->len] = now + c->during[i] - c->after[i];
    j->out.after[++j->len] = now + c->after[i + 1] - c->after[i];
}

static void append_segment(joined *j, const tn_hills *chains, const segment *s) {
    for (uint32_t i = s->first; i < s->end; i++) {
        append(j, &chains[s->chain], i);
    }
}

/* Hills fall and valleys rise from one segment to the next; what would not is one segment. */
static void add_segment(tn_arena *arena, segments *list, uint32_t from, segment s) {
    while (list->len > from && (s.hill >= list->data[list->len - 1].hill ||
                                s.valley <= list->data[list->len - 1].valley)) {
        const segment *before = &list->data[--list->len];
        s.hill = s.hill > before->hill ? s.hill : before->hill;
        s.first = s.first < before->first ? s.first : before->first;
        s.end = s.end > before->end ? s.end : before->end;
    }
    s.at = list->len;
    tn_vec_push(arena, list, s);
}

static int greatest_drop(const void *a, const void *b) {
    const segment *x = a, *y = b;
    int64_t p = x->hill - x->valley, q = y->hill - y->valley;
    return TN_FIRST_OF(TN_COMPARE(q, p), TN_COMPARE(x->at, y->at));
}

static void sort(segments *list) {
    TN_SORT(list->data, list->len, greatest_drop);
}

/* Where a chain has its fewest bytes, at `from` or later. */
static uint32_t lowest(const tn_hills *c, uint32_t from) {
    uint32_t low = from;
    for (uint32_t i = from; i <= c->len; i++) {
        low = c->after[i] < c->after[low] ? i : low;
    }
    return low;
}

/* Segments of chain k from its lowest point to its end. */
static void add_right(tn_arena *arena, segments *list, const tn_hills *c, uint32_t k,
                      uint32_t low) {
    uint32_t from = list->len;
    for (uint32_t i = low; i < c->len; i++) {
        segment s = {c->during[i], c->after[i + 1], k, i, i + 1, 0};
        add_segment(arena, list, from, s);
    }
}

/* Segments from the lowest point back to the beginning. */
static void add_left(tn_arena *arena, segments *list, const tn_hills *c, uint32_t k, uint32_t low) {
    uint32_t from = list->len;
    for (uint32_t i = low; i-- > 0;) {
        add_segment(arena, list, from, (segment){c->during[i], c->after[i], k, i, i + 1, 0});
    }
}

static joined begin(tn_arena *arena, const tn_hills *chains, uint32_t n) {
    uint32_t len = 0;
    for (uint32_t k = 0; k < n; k++) {
        len += chains[k].len;
    }
    return (joined){tn_hills_make(arena, len), 0};
}

static void append_right(tn_arena *arena, joined *j, const tn_hills *chains, uint32_t n,
                         const uint32_t *low) {
    segments list = {0};
    for (uint32_t k = 0; k < n; k++) {
        add_right(arena, &list, &chains[k], k, low[k]);
    }
    sort(&list);
    for (uint32_t i = 0; i < list.len; i++) {
        append_segment(j, chains, &list.data[i]);
    }
}

tn_hills tn_hills_merge(tn_arena *arena, const tn_hills *chains, uint32_t n) {
    joined j = begin(arena, chains, n);
    uint32_t *low = TN_ARRAY(arena, uint32_t, n);
    segments left = {0};
    for (uint32_t k = 0; k < n; k++) {
        low[k] = lowest(&chains[k], 0);
        add_left(arena, &left, &chains[k], k, low[k]);
    }
    sort(&left);
    for (uint32_t i = left.len; i-- > 0;) {
        append_segment(&j, chains, &left.data[i]);
    }
    append_right(arena, &j, chains, n, low);
    return j.out;
}
