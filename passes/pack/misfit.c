/* The smallest set of buffers to be found that does not fit into a capacity. */
#include <string.h>

#include "ir/base/key_sort.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/events.h"
#include "passes/pack/deletion_filter.h"

/* Parts alive by rank of their size, the largest first: how many there are and how large they are,
 * for every node of a binary tree over the ranks. */
typedef struct ranks {
    uint32_t leaves;
    uint32_t *rank; /* of a part */
    uint32_t *count;
    uint64_t *sum;
} ranks;

static ranks ranks_make(tn_arena *arena, const tn_parts *parts) {
    uint32_t n = parts->len;
    ranks r = {.leaves = 1, .rank = TN_ARRAY(arena, uint32_t, n)};
    while (r.leaves < n) {
        r.leaves *= 2;
    }
    r.count = TN_ARRAY(arena, uint32_t, 2 * (size_t)r.leaves);
    r.sum = TN_ARRAY(arena, uint64_t, 2 * (size_t)r.leaves);
    tn_sort_key *keys = tn_sort_room(arena, n);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (tn_sort_key){~(parts->data[i].hi - parts->data[i].lo), i};
    }
    tn_sort_keys(keys, n);
    for (uint32_t k = 0; k < n; k++) {
        r.rank[keys[k].item] = k;
    }
    return r;
}

static void ranks_change(ranks *r, const tn_parts *parts, uint32_t part, bool begins) {
    uint64_t bytes = parts->data[part].hi - parts->data[part].lo;
    for (uint32_t v = r->rank[part] + r->leaves; v > 0; v /= 2) {
        r->count[v] = begins ? r->count[v] + 1 : r->count[v] - 1;
        r->sum[v] = begins ? r->sum[v] + bytes : r->sum[v] - bytes;
    }
}

/* How many of the largest parts alive are more than `capacity` together; all of them are. */
static uint32_t ranks_needed(const ranks *r, uint64_t capacity) {
    uint64_t sum = 0;
    uint32_t n = 0, v = 1;
    while (v < r->leaves) {
        v *= 2;
        if (sum + r->sum[v] <= capacity) {
            sum += r->sum[v];
            n += r->count[v];
            v++;
        }
    }
    return n + 1;
}

/* The fewest parts alive at one time that are too large together, and that time; 0: never. */
static uint32_t fewest(const tn_parts *parts, const tn_event *events, ranks *r, uint64_t capacity,
                       int64_t *time) {
    uint32_t least = 0;
    for (uint32_t i = 0; i < 2 * parts->len; i++) {
        ranks_change(r, parts, events[i].part, events[i].begins);
        if (events[i].begins && r->sum[1] > capacity) {
            uint32_t n = ranks_needed(r, capacity);
            if (least == 0 || n < least) {
                least = n;
                *time = events[i].time;
            }
        }
    }
    return least;
}

/* The largest parts alive at out->time, out->n of them. */
static void collect(tn_arena *arena, const tn_parts *parts, const ranks *r, tn_pack_misfit *out) {
    uint32_t n = 0, *by_rank = TN_ARRAY(arena, uint32_t, parts->len);
    for (uint32_t i = 0; i < parts->len; i++) {
        by_rank[r->rank[i]] = i;
    }
    for (uint32_t k = 0; n < out->n; k++) {
        const tn_part *p = &parts->data[by_rank[k]];
        if (p->first <= out->time && out->time < p->last) {
            out->buffers[n++] = p->buffer;
            out->bytes += p->hi - p->lo;
        }
    }
}

static bool find_together(tn_arena *scratch, const tn_pack_buffer *buffers, uint32_t n,
                          uint64_t capacity, tn_pack_misfit *out) {
    tn_parts parts;
    if (!tn_parts_make(scratch, buffers, n, &parts) || parts.len == 0) {
        return false;
    }
    ranks r = ranks_make(scratch, &parts);
    out->n = fewest(&parts, tn_events_make(scratch, &parts), &r, capacity, &out->time);
    out->kind = TN_MISFIT_TOGETHER;
    if (out->n > 0) {
        collect(scratch, &parts, &r, out);
    }
    return out->n > 0;
}

/* Of those too large or fixed too high, the one that ends highest. */
static bool find_alone(const tn_pack_buffer *buffers, uint32_t n, uint64_t capacity,
                       tn_pack_misfit *out) {
    uint64_t highest = capacity;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t top = (buffers[i].fixed == TN_PACK_FREE ? 0 : buffers[i].fixed) + buffers[i].size;
        if (top > highest) {
            highest = top;
            out->buffers[0] = i;
        }
    }
    out->n = highest > capacity ? 1 : 0;
    out->bytes = highest > capacity ? highest : 0;
    out->kind = TN_MISFIT_ALONE;
    return out->n > 0;
}

/* What is asked about ever smaller sets: offsets, objects, or a conflict graph. */
typedef struct problem {
    const tn_pack_buffer *buffers;
    tn_pack_options options;
    bool slots;
    const tn_conflict *conflicts; /* NULL: live ranges */
    size_t n_conflicts;
    uint32_t *index; /* by buffer: its place in the set, UINT32_MAX outside of it */
} problem;

/* The conflicts inside the set p->index describes, renumbered. */
static tn_conflict *inner_conflicts(tn_arena *scratch, const problem *p, size_t *n) {
    tn_conflict *out = TN_ARRAY(scratch, tn_conflict, p->n_conflicts);
    *n = 0;
    for (size_t i = 0; i < p->n_conflicts; i++) {
        uint32_t a = p->index[p->conflicts[i].a], b = p->index[p->conflicts[i].b];
        if (a != UINT32_MAX && b != UINT32_MAX) {
            out[(*n)++] = (tn_conflict){a, b};
        }
    }
    return out;
}

static uint64_t graph_bound(tn_arena *scratch, const problem *p, const tn_pack_buffer *some,
                            const uint32_t *ids, uint32_t n, uint64_t *nodes) {
    tn_pack_result r;
    size_t n_inner;
    for (uint32_t i = 0; i < n; i++) {
        p->index[ids[i]] = i;
    }
    const tn_conflict *inner = inner_conflicts(scratch, p, &n_inner);
    for (uint32_t i = 0; i < n; i++) {
        p->index[ids[i]] = UINT32_MAX;
    }
    tn_status status = tn_pack_graph(scratch, some, n, inner, n_inner, &p->options, &r);
    *nodes = r.nodes;
    return status == TN_NOFIT ? r.bound : 0;
}

/* The bound that packing the set proves; 0 when it fits. */
static uint64_t bound_of(tn_arena *scratch, void *self, const uint32_t *ids, uint32_t n,
                         uint64_t *spent) {
    const problem *p = self;
    tn_pack_buffer *some = TN_ARRAY(scratch, tn_pack_buffer, n);
    uint64_t bound = 0, nodes = 0;
    for (uint32_t i = 0; i < n; i++) {
        some[i] = p->buffers[ids[i]];
    }
    if (p->conflicts != NULL) {
        bound = graph_bound(scratch, p, some, ids, n, &nodes);
    } else if (p->slots) {
        tn_slots_result r;
        bound = tn_pack_slots(scratch, some, NULL, n, &p->options, &r) == TN_NOFIT ? r.bound : 0;
        nodes = r.nodes;
    } else {
        tn_pack_result r;
        bound = tn_pack(scratch, some, n, &p->options, &r) == TN_NOFIT ? r.bound : 0;
        nodes = r.nodes;
    }
    *spent += nodes + n;
    return bound;
}

/* What the proof for all buffers took is what a proof for some of them may take. */
static bool find_by_proof(tn_arena *scratch, problem *p, uint32_t n, tn_pack_misfit *out) {
    const uint32_t *ids = tn_smallest_first(scratch, p->buffers, n);
    uint64_t spent = 0;
    out->bytes = bound_of(scratch, p, ids, n, &spent);
    if (out->bytes <= p->options.capacity) {
        return false;
    }
    memcpy(out->buffers, ids, n * sizeof *ids);
    out->n = n;
    out->kind = TN_MISFIT_PROVEN;
    p->options.budget = spent < TN_LIMIT_MISFIT_NODES ? TN_LIMIT_MISFIT_NODES : 2 * spent;
    tn_shrinking s = {bound_of, p, p->options.capacity, TN_LIMIT_MISFIT_PROOFS * p->options.budget,
                      p->options.wall_ms};
    tn_shrink(scratch, &s, out);
    tn_misfit_turn(out);
    return true;
}

static bool find(tn_arena *arena, problem *p, uint32_t n, tn_pack_misfit *out) {
    memset(out, 0, sizeof *out);
    out->buffers = TN_ARRAY(arena, uint32_t, n);
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    uint64_t capacity = p->options.capacity;
    bool found = (!p->slots && find_alone(p->buffers, n, capacity, out)) ||
                 (p->conflicts == NULL && find_together(scratch, p->buffers, n, capacity, out)) ||
                 find_by_proof(scratch, p, n, out);
    tn_arena_drop(scratch);
    return found;
}

bool tn_pack_misfit_find(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                         const tn_pack_options *options, tn_pack_misfit *out) {
    problem p = {.buffers = buffers, .options = *options};
    return find(arena, &p, n, out);
}

/* A buffer with gaps keeps its object throughout. */
bool tn_pack_slots_misfit(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                          const tn_pack_options *options, tn_pack_misfit *out) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_pack_buffer *plain = TN_ARRAY(scratch, tn_pack_buffer, n);
    for (uint32_t i = 0; i < n; i++) {
        plain[i] = (tn_pack_buffer){
            buffers[i].first, buffers[i].last, buffers[i].size, 1, TN_PACK_FREE, NULL, 0};
    }
    problem p = {.buffers = plain, .options = *options, .slots = true};
    bool found = find(arena, &p, n, out);
    tn_arena_drop(scratch);
    return found;
}

bool tn_pack_graph_misfit(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                          const tn_conflict *conflicts, size_t n_conflicts,
                          const tn_pack_options *options, tn_pack_misfit *out) {
    static const tn_conflict none;
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    problem p = {.buffers = buffers,
                 .options = *options,
                 .conflicts = n_conflicts > 0 ? conflicts : &none,
                 .n_conflicts = n_conflicts,
                 .index = TN_ARRAY(scratch, uint32_t, n)};
    memset(p.index, 0xff, n * sizeof *p.index);
    bool found = find(arena, &p, n, out);
    tn_arena_drop(scratch);
    return found;
}
