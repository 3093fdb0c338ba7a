/* Items and pools in normal form, and what all parts ask of them. */
#include "passes/pack/pools/pools_case.h"

#include <string.h>

#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"

/* ---- pools by rank ---- */

static void rank_rooms(tn_pools_case *c, const tn_pool_room *rooms) {
    tn_sort_key *keys = tn_sort_room(c->arena, c->n_rooms);
    uint32_t *rank_of = TN_ARRAY(c->arena, uint32_t, c->n_rooms);
    c->room = TN_ARRAY(c->arena, tn_pool_room, c->n_rooms);
    c->pool = TN_ARRAY(c->arena, uint32_t, c->n_rooms);
    for (uint32_t r = 0; r < c->n_rooms; r++) {
        keys[r] = (tn_sort_key){rooms[r].cost, r};
        c->unit = tn_gcd(c->unit, rooms[r].align);
    }
    tn_sort_items(keys, c->n_rooms, c->pool);
    for (uint32_t r = 0; r < c->n_rooms; r++) {
        c->room[r] = rooms[c->pool[r]];
        rank_of[c->pool[r]] = r;
    }
    c->rank = TN_ARRAY(c->arena, uint32_t, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        c->rank[i] = c->items[i].pool == TN_POOL_ANY ? TN_POOL_ANY : rank_of[c->items[i].pool];
    }
}

/* ---- sections ---- */

static uint32_t section_of(const int64_t *births, uint32_t n, int64_t time) {
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (births[mid] < time) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

typedef struct times {
    int64_t first, last; /* half-open */
} times;

/* The longest time at which all of the buffer is in use. */
static times whole_times(const tn_pack_buffer *b) {
    times best = {b->first, b->first};
    int64_t from = b->first;
    for (uint32_t i = 0; i <= b->n_gaps; i++) {
        int64_t to = i < b->n_gaps ? b->gaps[i].first : b->last;
        best = to - from > best.last - best.first ? (times){from, to} : best;
        from = i < b->n_gaps ? b->gaps[i].last : from;
    }
    return best;
}

/* What is alive changes for the worse at births alone. False where an item is never whole. */
static bool cut_sections(tn_pools_case *c) {
    tn_sort_key *keys = tn_sort_room(c->arena, c->n);
    times *whole = TN_ARRAY(c->arena, times, c->n);
    int64_t *births = TN_ARRAY(c->arena, int64_t, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        whole[i] = whole_times(&c->items[i].buffer);
        keys[i] = (tn_sort_key){tn_time_key(whole[i].first), i};
        if (whole[i].first == whole[i].last) {
            return false;
        }
    }
    tn_sort_keys(keys, c->n);
    for (uint32_t k = 0; k < c->n; k++) {
        int64_t first = whole[keys[k].item].first;
        if (k == 0 || first != births[c->n_sections - 1]) {
            births[c->n_sections++] = first;
        }
    }
    c->begin = TN_ARRAY(c->arena, uint32_t, c->n);
    c->end = TN_ARRAY(c->arena, uint32_t, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        c->begin[i] = section_of(births, c->n_sections, whole[i].first);
        c->end[i] = section_of(births, c->n_sections, whole[i].last);
    }
    return true;
}

/* All sizes together, in whatever pools they lie, and all traffic at the highest cost. */
static bool sums_fit(tn_pools_case *c) {
    uint64_t bytes = 0, most;
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t size = 0;
        for (uint32_t r = 0; r < c->n_rooms; r++) {
            tn_pack_buffer b;
            if (!tn_pools_buffer(&c->items[i], &c->room[r], &b)) {
                return false;
            }
            size = b.size > size ? b.size : size;
        }
        if (!tn_add_u64(bytes, size, &bytes) ||
            !tn_add_u64(c->total, c->items[i].traffic, &c->total)) {
            return false;
        }
    }
    return bytes >> TN_POOLS_BITS == 0 &&
           tn_mul_u64(c->total, c->room[c->n_rooms - 1].cost, &most) && most >> TN_POOLS_BITS == 0;
}

static bool is_large_enough(const tn_pools_case *c, uint32_t item, uint32_t rank) {
    return c->room[rank].capacity == 0 || tn_pools_size(c, item, rank) <= c->room[rank].capacity;
}

/* An item that a single pool is large enough for has to lie there. What no pool is large enough for
 * stays free: nothing holds it, whatever is tried. */
static void leave_out_small_rooms(tn_pools_case *c) {
    c->lowest = TN_ARRAY(c->arena, uint32_t, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t n = 0, first = 0;
        for (uint32_t r = c->n_rooms; r-- > 0;) {
            bool holds = is_large_enough(c, i, r);
            n += holds;
            first = holds ? r : first;
        }
        c->rank[i] = c->rank[i] == TN_POOL_ANY && n == 1 ? first : c->rank[i];
        c->lowest[i] = c->rank[i] == TN_POOL_ANY ? first : c->rank[i];
    }
}

bool tn_pools_case_make(tn_arena *arena, const tn_pools_item *items, uint32_t n,
                        const tn_pool_room *rooms, uint32_t n_rooms, tn_pools_case *out) {
    *out = (tn_pools_case){.arena = arena, .items = items, .n = n, .n_rooms = n_rooms};
    rank_rooms(out, rooms);
    bool well = sums_fit(out) && cut_sections(out);
    if (well) {
        leave_out_small_rooms(out);
    }
    return well;
}

void tn_pools_case_conflicts(tn_pools_case *c, const tn_conflict *conflicts, size_t n) {
    c->conflicts = conflicts;
    c->n_conflicts = n;
    if (conflicts == NULL) {
        return;
    }
    c->near_start = TN_ARRAY(c->arena, uint32_t, c->n + 2u);
    c->near = TN_ARRAY(c->arena, uint32_t, 2 * n);
    for (size_t k = 0; k < n; k++) {
        c->near_start[conflicts[k].a + 2]++;
        c->near_start[conflicts[k].b + 2]++;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        c->near_start[i + 2] += c->near_start[i + 1];
    }
    for (size_t k = 0; k < n; k++) {
        c->near[c->near_start[conflicts[k].a + 1]++] = conflicts[k].b;
        c->near[c->near_start[conflicts[k].b + 1]++] = conflicts[k].a;
    }
}

/* ---- items ---- */

bool tn_pools_buffer(const tn_pools_item *item, const tn_pool_room *room, tn_pack_buffer *out) {
    *out = item->buffer;
    out->align = item->buffer.align / tn_gcd(item->buffer.align, room->align) * room->align;
    return tn_align_u64(item->buffer.size, room->align, &out->size);
}

uint64_t tn_pools_size(const tn_pools_case *c, uint32_t item, uint32_t rank) {
    return tn_round_up(c->items[item].buffer.size, c->room[rank].align);
}

tn_pools_choice tn_pools_choice_new(const tn_pools_case *c, tn_arena *arena) {
    return (tn_pools_choice){.rank = TN_ARRAY(arena, uint32_t, c->n),
                             .offset = TN_ARRAY(arena, uint64_t, c->n),
                             .cost = UINT64_MAX};
}

void tn_pools_choice_copy(const tn_pools_case *c, tn_pools_choice *to,
                          const tn_pools_choice *from) {
    memcpy(to->rank, from->rank, c->n * sizeof *to->rank);
    memcpy(to->offset, from->offset, c->n * sizeof *to->offset);
    to->cost = from->cost;
    to->fits = from->fits;
}

uint64_t tn_pools_cost(const tn_pools_case *c, const uint32_t *rank) {
    uint64_t cost = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        cost += c->items[i].traffic * c->room[rank[i]].cost;
    }
    return cost;
}

/* ---- packing of one pool ---- */

/* Of a search among many: short. */
enum { PACK_NODES = 2000 };

static void find_misfit(tn_arena *scratch, const tn_pack_buffer *buffers, const uint32_t *ids,
                        uint32_t n, const tn_pack_options *o, tn_arena *arena,
                        tn_pack_misfit *misfit) {
    tn_pack_misfit found = {0};
    if (!tn_pack_misfit_find(scratch, buffers, n, o, &found)) {
        misfit->n = 0;
        return;
    }
    *misfit = found;
    misfit->buffers = TN_ARRAY(arena, uint32_t, found.n);
    for (uint32_t i = 0; i < found.n; i++) {
        misfit->buffers[i] = ids[found.buffers[i]];
    }
}

/* Conflicts between the items of one pool, by place in `ids`. */
static const tn_conflict *conflicts_in(const tn_pools_case *c, tn_arena *scratch,
                                       const uint32_t *ids, uint32_t n, size_t *n_found) {
    uint32_t *at = TN_ARRAY(scratch, uint32_t, c->n);
    tn_conflict *found = TN_ARRAY(scratch, tn_conflict, c->n_conflicts);
    *n_found = 0;
    memset(at, 0xff, c->n * sizeof *at);
    for (uint32_t i = 0; i < n; i++) {
        at[ids[i]] = i;
    }
    for (size_t k = 0; k < c->n_conflicts; k++) {
        tn_conflict pair = {at[c->conflicts[k].a], at[c->conflicts[k].b]};
        if (pair.a != UINT32_MAX && pair.b != UINT32_MAX) {
            found[(*n_found)++] = pair;
        }
    }
    return found;
}

static tn_status pack_items(const tn_pools_case *c, tn_arena *scratch,
                            const tn_pack_buffer *buffers, const uint32_t *ids, uint32_t n,
                            const tn_pack_options *o, tn_pack_result *r) {
    size_t n_conflicts;
    if (c->conflicts == NULL) {
        return tn_pack(scratch, buffers, n, o, r);
    }
    const tn_conflict *conflicts = conflicts_in(c, scratch, ids, n, &n_conflicts);
    return tn_pack_graph(scratch, buffers, n, conflicts, n_conflicts, o, r);
}

tn_status tn_pools_pack(const tn_pools_case *c, tn_arena *arena, uint32_t rank,
                        tn_pools_choice *choice, tn_pack_misfit *misfit) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(c->arena));
    tn_pack_buffer *buffers = TN_ARRAY(scratch, tn_pack_buffer, c->n);
    uint32_t *ids = TN_ARRAY(scratch, uint32_t, c->n), n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (choice->rank[i] == rank) {
            (void)tn_pools_buffer(&c->items[i], &c->room[rank], &buffers[n]); /* fitted before */
            ids[n++] = i;
        }
    }
    tn_pack_options o = {.effort = c->effort > 1 ? 2 : c->effort,
                         .budget = PACK_NODES,
                         .capacity = c->room[rank].capacity};
    tn_pack_result r;
    tn_status status = pack_items(c, scratch, buffers, ids, n, &o, &r);
    for (uint32_t i = 0; i < n && status != TN_ERROR; i++) {
        choice->offset[ids[i]] = r.offsets[i];
    }
    if (status == TN_NOFIT && misfit != NULL) {
        find_misfit(scratch, buffers, ids, n, &o, arena, misfit);
    }
    tn_arena_drop(scratch);
    return status;
}

static bool meet(const tn_pack_buffer *a, const tn_pack_buffer *b) {
    return a->first < b->last && b->first < a->last;
}

bool tn_pools_find_hole(const tn_pools_case *c, const tn_pools_choice *now, uint32_t item,
                        uint32_t rank, tn_sort_key *keys, uint64_t *offset) {
    tn_pack_buffer b;
    uint32_t n = 0, first = c->near_start != NULL ? c->near_start[item] : 0;
    uint32_t end = c->near_start != NULL ? c->near_start[item + 1] : c->n;
    uint64_t at = 0, capacity = c->room[rank].capacity;
    (void)tn_pools_buffer(&c->items[item], &c->room[rank], &b);
    for (uint32_t k = first; k < end; k++) {
        uint32_t i = c->near_start != NULL ? c->near[k] : k;
        bool near = c->near_start != NULL || meet(&c->items[i].buffer, &c->items[item].buffer);
        if (now->rank[i] == rank && i != item && near) {
            keys[n++] = (tn_sort_key){now->offset[i], i};
        }
    }
    tn_sort_keys(keys, n);
    bool found = false;
    for (uint32_t k = 0; k <= n && !found; k++) {
        uint64_t below = k < n ? keys[k].key : capacity;
        at = tn_round_up(at, b.align);
        found = at <= below && below - at >= b.size && at + b.size <= capacity;
        if (!found && k < n) {
            uint64_t top = keys[k].key + tn_pools_size(c, keys[k].item, rank);
            at = top > at ? top : at;
        }
    }
    *offset = at;
    return found;
}

/* ---- what is alive ---- */

tn_pools_load tn_pools_load_new(const tn_pools_case *c, tn_arena *arena) {
    return (tn_pools_load){c, TN_ARRAY(arena, uint64_t, (size_t)c->n_rooms * c->n_sections)};
}

bool tn_pools_has_room(const tn_pools_load *l, uint32_t item, uint32_t rank) {
    const tn_pools_case *c = l->c;
    const uint64_t *alive = l->bytes + (size_t)rank * c->n_sections;
    uint64_t size = tn_pools_size(c, item, rank), capacity = c->room[rank].capacity;
    if (capacity == 0) {
        return true;
    }
    bool room = size <= capacity;
    for (uint32_t t = c->begin[item]; t < c->end[item] && room; t++) {
        room = alive[t] <= capacity - size;
    }
    return room;
}

void tn_pools_load_add(tn_pools_load *l, uint32_t item, uint32_t rank) {
    uint64_t *alive = l->bytes + (size_t)rank * l->c->n_sections;
    for (uint32_t t = l->c->begin[item]; t < l->c->end[item]; t++) {
        alive[t] += tn_pools_size(l->c, item, rank);
    }
}

void tn_pools_load_drop(tn_pools_load *l, uint32_t item, uint32_t rank) {
    uint64_t *alive = l->bytes + (size_t)rank * l->c->n_sections;
    for (uint32_t t = l->c->begin[item]; t < l->c->end[item]; t++) {
        alive[t] -= tn_pools_size(l->c, item, rank);
    }
}
