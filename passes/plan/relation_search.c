/* Storages are laid in their order onto a skyline over time: each begins where all that is below it
 * ends. Which of them it meets there depends on the order alone, so that is found out once for an
 * order, and worked out at every sample. Where the arena is furthest from the bytes alive, a chain
 * of storages, each resting on the next, reaches up to its end; one of them is moved to another
 * place in the order, and stays there if the sum of squares of what is too much got smaller. The
 * order that this begins with may be that of a packing for the extents at which the one at hand is
 * worst. */
#include "passes/plan/relation_search.h"

#include <string.h>

#include "ir/base/map.h"
#include "ir/base/sort.h"
#include "ir/base/xmath.h"
#include "ir/plan/plan_extents.h"
#include "ir/plan/plan_samples.h"
#include "passes/pack/pack.h"

enum {
    UNIT = 4096, /* what is too much is counted in such parts of the bytes alive */
    SLACK = UNIT / 100,
    MAX_EXCESS = UNIT * 16,
    MAX_CHAIN = 64,
    MAX_PACKED = 5,    /* packings of all storages: genai_synthetic_paged_decoder needs them all */
    MEAN_UNIT = 65536, /* parts of the bytes alive in which sizes are added up */
    MAX_CELLS = 40000, /* of all storages, for which there is a search: each is as many as there are
                          moments at which it is alive */
    /* Where the search ends: at so much work, or that of laying all storages so often. Set by
     * vespa_random_decoder in bench/open.csv and bench/open_cost.csv: 0.9 % above plans for exact
     * extents, in 8 times the instructions of a bound plan. */
    MAX_WORK = 700000,
    MAX_LAID = 6000
};

typedef struct item {
    uint32_t first, last; /* moments: steps at which some storage begins */
    uint64_t align;       /* a power of two */
} item;

typedef struct search {
    uint32_t n, n_moments, n_samples;
    bool may_pack;
    uint64_t align;      /* of the arena, whose size is a multiple of it */
    item *items;         /* those of the arena */
    uint32_t *order;     /* items, from the lowest on */
    uint64_t **size;     /* by sample and item */
    uint64_t *hash;      /* by sample: of its sizes */
    uint64_t *load;      /* by sample: the most bytes alive */
    uint64_t *excess;    /* by sample */
    uint64_t total;      /* sum of squares of excesses */
    uint32_t *worst;     /* samples, the largest excess first */
    uint32_t *top;       /* by moment: the item that was laid there last, or n */
    uint32_t *under;     /* one behind the other as in the order: what each item meets below */
    uint32_t *under_end; /* by position in the order: where its part of them ends */
    uint64_t **end;      /* by sample and item */
    uint32_t *valid;     /* by sample: for so many of the order these are right */
    uint32_t same;       /* so many of the order are as before it was changed */
    uint32_t *below;     /* by item: the one it rests on, or n */
    tn_map tried;        /* a move -> how many were good before it was tried, plus 1 */
    uint32_t n_good;
    uint64_t work, work_limit; /* 2 for a storage that is worked out, 1 for one that is laid */
} search;

static uint64_t excess_of(uint64_t height, uint64_t load) {
    uint64_t more = height > load ? height - load : 0;
    uint64_t parts =
        load >= UNIT * UINT64_C(1024) ? more / (load / UNIT) : more * UNIT / (load + 1);
    return parts <= SLACK ? 0 : parts < MAX_EXCESS ? parts : MAX_EXCESS;
}

/* What meets what, in the order at hand. An item hides what it covers: all that comes to lie there
 * later meets it, and not what is below. So there are no more than four for each item. */
static void find_under(search *s) {
    uint32_t n = 0;
    for (uint32_t m = 0; m < s->n_moments; m++) {
        s->top[m] = s->n;
    }
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t i = s->order[k], last = s->n;
        for (uint32_t m = s->items[i].first; m <= s->items[i].last; m++) {
            uint32_t top = s->top[m];
            if (top != last) {
                s->under[n] = last = top;
                n += top < s->n;
            }
            s->top[m] = i;
        }
        s->under_end[k] = n;
    }
    s->work += s->n;
}

/* How high the order reaches at the sample, or some height above `limit` once that is passed. What
 * comes before the first item that was moved lies where it did. */
static uint64_t height_of(search *s, uint32_t sample, uint64_t limit) {
    const uint64_t *size = s->size[sample];
    const uint32_t *order = s->order, *under_end = s->under_end;
    const item *items = s->items;
    uint64_t height = 0, *ends = s->end[sample];
    uint32_t n = s->n, k = 0, known = s->valid[sample] < s->same ? s->valid[sample] : s->same;
    for (; k < known; k++) {
        height = ends[order[k]] > height ? ends[order[k]] : height;
    }
    const uint32_t *under = s->under + (known > 0 ? under_end[known - 1] : 0);
    for (; k < n && height <= limit; k++) {
        uint32_t i = order[k];
        uint64_t start = 0, low = items[i].align - 1;
        for (const uint32_t *last = s->under + under_end[k]; under < last; under++) {
            uint64_t end = ends[*under];
            start = end > start ? end : start;
        }
        uint64_t end = ((start + low) & ~low) + size[i];
        ends[i] = end;
        height = end > height ? end : height;
    }
    s->valid[sample] = k < s->same ? k : s->same;
    s->work += 2u * (k - known);
    return height;
}

/* The item that reaches highest at the sample; and what each rests on. */
static uint32_t lay(search *s, uint32_t sample) {
    const uint64_t *end = s->end[sample];
    uint32_t highest = 0, u = 0;
    (void)height_of(s, sample, UINT64_MAX);
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t i = s->order[k];
        uint64_t start = 0;
        s->below[i] = s->n;
        for (; u < s->under_end[k]; u++) {
            if (end[s->under[u]] > start) {
                start = end[s->under[u]];
                s->below[i] = s->under[u];
            }
        }
        highest = end[i] > end[highest] ? i : highest;
    }
    return highest;
}

/* The excess at the sample, or some whose square is above `most`: it is not worked out further. */
static uint64_t excess_at(search *s, uint32_t sample, uint64_t most) {
    uint64_t load = s->load[sample], parts = SLACK + 2;
    while (parts <= MAX_EXCESS && parts * parts <= most) {
        parts *= 2;
    }
    uint64_t limit = parts <= MAX_EXCESS ? load + parts * (load / UNIT + 1) : UINT64_MAX;
    return excess_of(tn_round_up(height_of(s, sample, limit), s->align), load);
}

/* Whether the order is better than the best one; the samples at which that one is bad come first,
 * so that most orders are dropped early. */
static bool is_better(search *s, uint64_t *excess, uint64_t *total) {
    *total = 0;
    find_under(s);
    for (uint32_t k = 0; k < s->n_samples && *total < s->total; k++) {
        uint32_t sample = s->worst[k];
        excess[sample] = excess_at(s, sample, s->total - *total);
        *total += excess[sample] * excess[sample];
    }
    return *total < s->total;
}

static void sort_worst(search *s) {
    for (uint32_t i = 0; i < s->n_samples; i++) {
        uint32_t k = i;
        for (; k > 0 && s->excess[s->worst[k - 1]] < s->excess[i]; k--) {
            s->worst[k] = s->worst[k - 1];
        }
        s->worst[k] = i;
    }
}

/* Takes the item at `from` out of the order and puts it where `to` is, the others closing up. */
static void move(search *s, uint32_t from, uint32_t to) {
    uint32_t moved = s->order[from];
    if (from < to) {
        memmove(&s->order[from], &s->order[from + 1], (to - from) * sizeof *s->order);
    } else {
        memmove(&s->order[to + 1], &s->order[to], (from - to) * sizeof *s->order);
    }
    s->order[to] = moved;
}

/* The order is the one that is worked on from now on: at all samples it is worked out to its end.
 */
static void accept(search *s, const uint64_t *excess, uint64_t total) {
    s->total = total;
    s->n_good++;
    memcpy(s->excess, excess, s->n_samples * sizeof *excess);
    sort_worst(s);
    s->same = s->n;
    for (uint32_t k = 0; k < s->n_samples; k++) {
        s->valid[k] = s->n;
    }
}

/* Tries the move; takes it back unless it is better. At several samples the same moves come to
 * mind: one that was no good is none until the order is another. */
static bool improves(search *s, uint32_t from, uint32_t to, uint64_t *excess) {
    uint64_t total, key = (uint64_t)from << 32 | to;
    if (from == to || tn_map_or(&s->tried, key, 0) == s->n_good + 1u) {
        return false;
    }
    tn_map_put(&s->tried, key, s->n_good + 1u);
    move(s, from, to);
    s->same = from < to ? from : to;
    if (is_better(s, excess, &total)) {
        accept(s, excess, total);
        return true;
    }
    move(s, to, from);
    s->same = s->n;
    return false;
}

/* Positions in the order of the storages that reach up to the height at the sample, from the top
 * down. */
static uint32_t find_chain(search *s, uint32_t sample, uint32_t *position, uint32_t *chain) {
    find_under(s);
    uint32_t highest = lay(s, sample), n = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        position[s->order[k]] = k;
    }
    for (uint32_t i = highest; i < s->n && n < MAX_CHAIN; i = s->below[i]) {
        chain[n++] = position[i];
    }
    return n;
}

/* One of the chain goes below another, above another, to the bottom or to the top. */
static bool improve_chain(search *s, const uint32_t *chain, uint32_t n, uint64_t *excess) {
    for (uint32_t i = 0; i < n && s->work < s->work_limit; i++) {
        if (improves(s, chain[i], 0, excess) || improves(s, chain[i], s->n - 1, excess)) {
            return true;
        }
        for (uint32_t k = 0; k < n && s->work < s->work_limit; k++) {
            if (improves(s, chain[i], chain[k], excess)) {
                return true;
            }
        }
    }
    return false;
}

static void improve(search *s, tn_arena *scratch) {
    uint64_t *excess = TN_ARRAY(scratch, uint64_t, s->n_samples);
    uint32_t *position = TN_ARRAY(scratch, uint32_t, s->n), chain[MAX_CHAIN];
    for (uint32_t k = 0; k < s->n_samples && s->excess[s->worst[k]] > 0;) {
        uint32_t n = find_chain(s, s->worst[k], position, chain);
        k = improve_chain(s, chain, n, excess) ? 0 : k + 1;
    }
}

/* ---- orders of packings ---- */

typedef struct placed {
    uint64_t offset, end;
    uint32_t item;
} placed;

static int by_offset(const void *x, const void *y) {
    const placed *a = x, *b = y;
    return TN_FIRST_OF(TN_COMPARE(a->offset, b->offset), TN_COMPARE(a->end, b->end),
                       TN_COMPARE(a->item, b->item));
}

/* The order of addresses in a packing of items of these sizes; false where none was found. */
static bool order_packed(const search *s, const uint64_t *size, uint64_t align, uint32_t *order,
                         tn_arena *scratch) {
    tn_pack_buffer *buffers = TN_ARRAY(scratch, tn_pack_buffer, s->n);
    placed *places = TN_ARRAY(scratch, placed, s->n);
    const tn_pack_options o = {.effort = 1};
    tn_pack_result r;
    for (uint32_t i = 0; i < s->n; i++) {
        const item *of = &s->items[i];
        buffers[i] = (tn_pack_buffer){.first = of->first,
                                      .last = (int64_t)of->last + 1,
                                      .size = size[i],
                                      .align = align > 0 ? align : of->align,
                                      .fixed = TN_PACK_FREE};
    }
    if (tn_pack(scratch, buffers, s->n, &o, &r) != TN_OK) {
        return false;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        places[i] = (placed){r.offsets[i], r.offsets[i] + size[i], i};
    }
    TN_SORT(places, s->n, by_offset);
    for (uint32_t i = 0; i < s->n; i++) {
        order[i] = places[i].item;
    }
    return true;
}

/* Bytes as parts of those alive, of which there are MEAN_UNIT; whole numbers, the same on every
 * machine. */
static uint64_t parts_of(uint64_t bytes, uint64_t load) {
    while (load >= UINT64_C(1) << 46) {
        load /= 2;
        bytes /= 2;
    }
    return bytes * MEAN_UNIT / (load > 0 ? load : 1);
}

/* Sizes as parts of the bytes alive, added up over all samples at which the order is bad. */
static const uint64_t *mean_sizes(const search *s, tn_arena *scratch) {
    uint64_t *sum = TN_ARRAY(scratch, uint64_t, s->n);
    for (uint32_t k = 0; k < s->n_samples; k++) {
        uint64_t load = s->excess[k] > 0 ? s->load[k] : 0;
        for (uint32_t i = 0; i < s->n && load > 0; i++) {
            uint64_t size = tn_round_up(s->size[k][i], s->items[i].align);
            sum[i] += parts_of(size, load);
        }
    }
    return sum;
}

/* Whether the other order is better; it is the one that is worked on then. */
static bool adopt(search *s, uint32_t *order, uint64_t *excess) {
    uint64_t total;
    uint32_t *old = s->order;
    s->order = order;
    s->same = 0;
    if (is_better(s, excess, &total)) {
        accept(s, excess, total);
        return true;
    }
    s->order = old;
    s->same = s->n;
    return false;
}

/* Whether all sizes of two samples are about the same parts of the bytes alive: one packing is as
 * good as the other. */
static bool is_like(const search *s, uint32_t a, uint32_t b) {
    bool like = true;
    for (uint32_t i = 0; i < s->n && like; i++) {
        uint64_t of_a = parts_of(s->size[a][i], s->load[a]),
                 of_b = parts_of(s->size[b][i], s->load[b]);
        like = (of_a > of_b ? of_a - of_b : of_b - of_a) < MEAN_UNIT / UNIT;
    }
    return like;
}

/* The position among the worst of the first sample that is unlike all `n` of `tried`; n_samples
 * where there is none at which the order is bad. */
static uint32_t find_untried(const search *s, const uint32_t *tried, uint32_t n) {
    for (uint32_t k = 0; k < s->n_samples && s->excess[s->worst[k]] > 0; k++) {
        uint32_t i = 0;
        while (i < n && !is_like(s, s->worst[k], tried[i])) {
            i++;
        }
        if (i == n) {
            return k;
        }
    }
    return s->n_samples;
}

/* Packs all storages for the sample at which the order is worst, and so on; once that was of use,
 * for all samples together at which it is still bad. True when the order is another one. */
static bool pack_worst(search *s, tn_arena *scratch) {
    uint64_t *excess = TN_ARRAY(scratch, uint64_t, s->n_samples);
    uint32_t tried[MAX_PACKED], n_tried = 0;
    bool together = false, better = false;
    for (uint32_t n = 0; n < MAX_PACKED && s->total > 0; n++) {
        uint32_t k = together ? 0 : find_untried(s, tried, n_tried);
        if (k == s->n_samples) {
            break;
        }
        uint32_t *order = TN_ARRAY(scratch, uint32_t, s->n);
        bool mean = together;
        const uint64_t *size = mean ? mean_sizes(s, scratch) : s->size[s->worst[k]];
        if (!mean) {
            tried[n_tried++] = s->worst[k];
        }
        bool good = order_packed(s, size, mean ? 1 : 0, order, scratch) && adopt(s, order, excess);
        better = better || good;
        together = good && !mean;
    }
    return better;
}

/* From that of packings on, and with the work that is left from the order at hand on; the better
 * one stays. */
static void improve_both(search *s, tn_arena *scratch) {
    uint32_t *first = tn_arena_regrow(scratch, s->order, s->n, s->n, sizeof *first);
    uint64_t *excess = TN_ARRAY(scratch, uint64_t, s->n_samples);
    bool packed = s->may_pack && pack_worst(s, scratch);
    improve(s, scratch);
    if (packed && s->total > 0 && s->work < s->work_limit) {
        uint32_t *best = s->order;
        uint64_t least = s->total;
        s->total = UINT64_MAX;
        (void)adopt(s, first, excess);
        improve(s, scratch);
        s->order = s->total < least ? s->order : best;
    }
}

/* ---- what there is to lay ---- */

static uint32_t *find_moments(const tn_plan *p, const uint32_t *storage, search *s,
                              tn_arena *scratch) {
    uint32_t *moment = TN_ARRAY(scratch, uint32_t, (size_t)p->n_steps + 3), n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        moment[p->storages[storage[i]].first + 1] = 1;
    }
    for (uint32_t i = 0; i < p->n_steps + 3; i++) { /* the last one up to the step, plus 1 */
        n += moment[i];
        moment[i] = n;
    }
    s->n_moments = n;
    return moment;
}

static void find_items(const tn_plan *p, const uint32_t *storage, search *s, tn_arena *scratch) {
    const uint32_t *moment = find_moments(p, storage, s, scratch);
    s->items = TN_ARRAY(scratch, item, s->n);
    s->order = TN_ARRAY(scratch, uint32_t, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        const tn_storage *of = &p->storages[storage[i]];
        s->items[i] = (item){moment[of->first + 1] - 1, moment[of->last + 1] - 1, of->align};
        s->order[i] = i;
    }
}

/* By how many moments all items are alive, added up. */
static uint64_t cells_of(const search *s) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        n += s->items[i].last - s->items[i].first + 1u;
    }
    return n;
}

/* `begun` and `ended` are for work: by moment, zeros before and behind. */
static uint64_t load_of(const search *s, const uint64_t *size, uint64_t *begun, uint64_t *ended) {
    uint64_t most = 0, now = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t bytes = tn_round_up(size[i], s->items[i].align);
        begun[s->items[i].first] += bytes;
        ended[s->items[i].last] += bytes;
    }
    for (uint32_t m = 0; m < s->n_moments; m++) {
        now += begun[m];
        most = now > most ? now : most;
        now -= ended[m];
        begun[m] = ended[m] = 0;
    }
    return most;
}

/* Whether there is a sample with these sizes: where few of the dimensions are open, or count. */
static bool is_known(const search *s, const uint64_t *size, uint64_t *hash) {
    uint32_t k = 0;
    *hash = tn_hash(size, s->n * sizeof *size, 0);
    while (k < s->n_samples &&
           (s->hash[k] != *hash || memcmp(s->size[k], size, s->n * sizeof *size) != 0)) {
        k++;
    }
    return k < s->n_samples;
}

/* Extents at which a size is none, or all together are too large, are left out. */
static void add_sample(search *s, const tn_plan *p, const int64_t *dims, const uint32_t *storage,
                       uint64_t *moments, tn_arena *scratch) {
    uint64_t *all = TN_ARRAY(scratch, uint64_t, p->n_storages), sum = 0;
    uint64_t *size = TN_ARRAY(scratch, uint64_t, s->n);
    if (!tn_plan_sizes(p, dims, scratch, all)) {
        return;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        size[i] = all[storage[i]];
        if (size[i] > INT64_MAX / 2 || !tn_add_u64(sum, size[i] + s->items[i].align, &sum) ||
            sum > INT64_MAX) {
            return;
        }
    }
    uint64_t hash;
    if (is_known(s, size, &hash)) {
        return;
    }
    uint32_t k = s->n_samples++;
    s->hash[k] = hash;
    s->size[k] = size;
    s->end[k] = TN_ARRAY(scratch, uint64_t, s->n);
    s->load[k] = load_of(s, size, moments, moments + s->n_moments);
    s->excess[k] = excess_at(s, k, UINT64_MAX);
    s->total += s->excess[k] * s->excess[k];
}

static void find_samples(const tn_plan *p, const uint32_t *storage, search *s, tn_arena *scratch) {
    tn_plan_samples samples = tn_plan_samples_make(scratch, p);
    s->size = TN_ARRAY(scratch, uint64_t *, samples.n);
    s->hash = TN_ARRAY(scratch, uint64_t, samples.n);
    s->load = TN_ARRAY(scratch, uint64_t, samples.n);
    s->excess = TN_ARRAY(scratch, uint64_t, samples.n);
    s->worst = TN_ARRAY(scratch, uint32_t, samples.n);
    s->top = TN_ARRAY(scratch, uint32_t, s->n_moments);
    s->under = TN_ARRAY(scratch, uint32_t, 4u * (size_t)s->n + 1u);
    s->under_end = TN_ARRAY(scratch, uint32_t, s->n);
    s->end = TN_ARRAY(scratch, uint64_t *, samples.n);
    s->valid = TN_ARRAY(scratch, uint32_t, samples.n);
    s->same = s->n;
    s->below = TN_ARRAY(scratch, uint32_t, s->n);
    s->tried = tn_map_make(scratch);
    uint64_t *moments = TN_ARRAY(scratch, uint64_t, 2u * (size_t)s->n_moments);
    find_under(s);
    for (uint32_t k = 0; k < samples.n; k++) {
        add_sample(s, p, samples.of[k], storage, moments, scratch);
    }
    sort_worst(s);
    uint64_t laid = (uint64_t)MAX_LAID * (s->n + s->under_end[s->n - 1]);
    s->work_limit = s->work + (laid < MAX_WORK ? laid : MAX_WORK);
}

void tn_relation_improve(const tn_plan *p, tn_arena *scratch, bool may_pack, uint32_t *storage) {
    uint32_t from = 0, to;
    while (from < p->n_storages &&
           p->pools[p->storages[storage[from]].pool].kind != TN_POOL_ARENA) {
        from++;
    }
    for (to = from;
         to < p->n_storages && p->storages[storage[to]].pool == p->storages[storage[from]].pool;) {
        to++;
    }
    search s = {.n = to - from, .may_pack = may_pack};
    if (s.n == 0) {
        return;
    }
    s.align = p->pools[p->storages[storage[from]].pool].align;
    uint32_t *mine = tn_arena_regrow(scratch, &storage[from], s.n, s.n, sizeof *mine);
    find_items(p, mine, &s, scratch);
    if (cells_of(&s) > MAX_CELLS) {
        return;
    }
    find_samples(p, mine, &s, scratch);
    improve_both(&s, scratch);
    for (uint32_t k = 0; k < s.n; k++) {
        storage[from + k] = mine[s.order[k]];
    }
}
