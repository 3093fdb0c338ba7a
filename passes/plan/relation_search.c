/* Storages are laid in their order onto a skyline over time: each begins where all that is below it
 * ends. That is done at every sample. Where the arena is furthest from the bytes alive, a chain of
 * storages, each resting on the next, reaches up to its end; one of them is moved to another place
 * in the order, and stays there if the sum of squares of what is too much got smaller. */
#include "passes/plan/relation_search.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "ir/plan/plan_extents.h"
#include "ir/plan/plan_samples.h"

enum {
    UNIT = 4096, /* what is too much is counted in such parts of the bytes alive */
    SLACK = UNIT / 100,
    MAX_EXCESS = UNIT * 16,
    MAX_CHAIN = 64,
    /* Where the search ends: cells of skylines looked at, and how often all storages are laid.
     * There is none where laying them once at all samples takes more cells than that. Set by
     * vespa_random_decoder in bench/open.csv: 4 % above plans for exact extents, 7 % with 2000000.
     */
    MAX_CELLS = 4000000,
    MAX_LAID = 6000
};

typedef struct item {
    uint32_t first, last; /* moments: steps at which some storage begins */
    uint64_t align;
} item;

typedef struct search {
    uint32_t n, n_moments, n_samples;
    item *items;               /* those of the arena */
    uint32_t *order;           /* items, from the lowest on */
    uint64_t **size;           /* by sample and item */
    uint64_t *load;            /* by sample: the most bytes alive */
    uint64_t *excess;          /* by sample */
    uint64_t total;            /* sum of squares of excesses */
    uint32_t *worst;           /* samples, the largest excess first */
    uint64_t *skyline;         /* by moment */
    uint32_t *top;             /* by moment: the item that reaches up to there, or n */
    uint32_t *below;           /* by item: the one it rests on, or n */
    uint64_t work, work_limit; /* cells looked at */
} search;

static uint64_t excess_of(uint64_t height, uint64_t load) {
    uint64_t more = height > load ? height - load : 0;
    uint64_t parts =
        load >= UNIT * UINT64_C(1024) ? more / (load / UNIT) : more * UNIT / (load + 1);
    return parts <= SLACK ? 0 : parts < MAX_EXCESS ? parts : MAX_EXCESS;
}

/* The item that reaches highest at the sample; and what each rests on. */
static uint32_t lay(search *s, uint32_t sample) {
    const uint64_t *size = s->size[sample];
    uint64_t height = 0;
    uint32_t highest = 0;
    memset(s->skyline, 0, s->n_moments * sizeof *s->skyline);
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t i = s->order[k], at = s->items[i].first;
        for (uint32_t m = at + 1; m <= s->items[i].last; m++) {
            at = s->skyline[m] > s->skyline[at] ? m : at;
        }
        s->below[i] = s->skyline[at] > 0 ? s->top[at] : s->n;
        uint64_t end = tn_round_up(s->skyline[at], s->items[i].align) + size[i];
        for (uint32_t m = s->items[i].first; m <= s->items[i].last; m++) {
            s->skyline[m] = end;
            s->top[m] = i;
        }
        highest = end > height ? i : highest;
        height = end > height ? end : height;
        s->work += s->items[i].last - s->items[i].first + 2u;
    }
    return highest;
}

/* Only the height there, or one above `limit` once that is passed, for orders that are tried: which
 * storage rests on which is of no interest. */
static uint64_t height_of(search *s, uint32_t sample, uint64_t limit) {
    const uint64_t *size = s->size[sample];
    uint64_t height = 0, *skyline = s->skyline, work = 0;
    memset(skyline, 0, s->n_moments * sizeof *skyline);
    for (uint32_t k = 0; k < s->n && height <= limit; k++) {
        uint32_t i = s->order[k];
        const item *at = &s->items[i];
        uint64_t start = skyline[at->first];
        for (uint32_t m = at->first + 1; m <= at->last; m++) {
            start = skyline[m] > start ? skyline[m] : start;
        }
        uint64_t end = tn_round_up(start, at->align) + size[i];
        for (uint32_t m = at->first; m <= at->last; m++) {
            skyline[m] = end;
        }
        height = end > height ? end : height;
        work += at->last - at->first + 2u;
    }
    s->work += work;
    return height;
}

/* The excess at the sample, or some whose square is above `most`: it is not worked out further. */
static uint64_t excess_at(search *s, uint32_t sample, uint64_t most) {
    uint64_t load = s->load[sample], parts = SLACK + 2;
    while (parts <= MAX_EXCESS && parts * parts <= most) {
        parts *= 2;
    }
    uint64_t limit = parts <= MAX_EXCESS ? load + parts * (load / UNIT + 1) : UINT64_MAX;
    return excess_of(height_of(s, sample, limit), load);
}

/* Whether the order is better than the best one; the samples at which that one is bad come first,
 * so that most orders are dropped early. */
static bool is_better(search *s, uint64_t *excess, uint64_t *total) {
    *total = 0;
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

/* Tries the move; takes it back unless it is better. */
static bool improves(search *s, uint32_t from, uint32_t to, uint64_t *excess) {
    uint64_t total;
    if (from == to) {
        return false;
    }
    move(s, from, to);
    if (is_better(s, excess, &total)) {
        s->total = total;
        memcpy(s->excess, excess, s->n_samples * sizeof *excess);
        sort_worst(s);
        return true;
    }
    move(s, to, from);
    return false;
}

/* Positions in the order of the storages that reach up to the height at the sample, from the top
 * down. */
static uint32_t find_chain(search *s, uint32_t sample, uint32_t *position, uint32_t *chain) {
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

/* Looked at when all storages are laid once. */
static uint64_t cells_of(const search *s) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        n += s->items[i].last - s->items[i].first + 2u;
    }
    return n;
}

static uint64_t load_of(search *s, const uint64_t *size) {
    uint64_t most = 0;
    memset(s->skyline, 0, s->n_moments * sizeof *s->skyline);
    for (uint32_t i = 0; i < s->n; i++) {
        for (uint32_t m = s->items[i].first; m <= s->items[i].last; m++) {
            s->skyline[m] += tn_round_up(size[i], s->items[i].align);
        }
    }
    for (uint32_t m = 0; m < s->n_moments; m++) {
        most = s->skyline[m] > most ? s->skyline[m] : most;
    }
    return most;
}

/* Extents at which a size is none, or all together are too large, are left out. */
static void add_sample(search *s, const tn_plan *p, const int64_t *dims, const uint32_t *storage,
                       tn_arena *scratch) {
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
    uint32_t k = s->n_samples++;
    s->size[k] = size;
    s->load[k] = load_of(s, size);
    s->excess[k] = excess_at(s, k, UINT64_MAX);
    s->total += s->excess[k] * s->excess[k];
}

static void find_samples(const tn_plan *p, const uint32_t *storage, search *s, tn_arena *scratch) {
    tn_plan_samples samples = tn_plan_samples_make(scratch, p);
    s->size = TN_ARRAY(scratch, uint64_t *, samples.n);
    s->load = TN_ARRAY(scratch, uint64_t, samples.n);
    s->excess = TN_ARRAY(scratch, uint64_t, samples.n);
    s->worst = TN_ARRAY(scratch, uint32_t, samples.n);
    s->skyline = TN_ARRAY(scratch, uint64_t, s->n_moments);
    s->top = TN_ARRAY(scratch, uint32_t, s->n_moments);
    s->below = TN_ARRAY(scratch, uint32_t, s->n);
    for (uint32_t k = 0; k < samples.n; k++) {
        add_sample(s, p, samples.of[k], storage, scratch);
    }
    sort_worst(s);
    uint64_t laid = cells_of(s) * MAX_LAID;
    s->work_limit = s->work + (laid < MAX_CELLS ? laid : MAX_CELLS);
}

void tn_relation_improve(const tn_plan *p, tn_arena *scratch, uint32_t *storage) {
    uint32_t from = 0, to;
    while (from < p->n_storages &&
           p->pools[p->storages[storage[from]].pool].kind != TN_POOL_ARENA) {
        from++;
    }
    for (to = from;
         to < p->n_storages && p->storages[storage[to]].pool == p->storages[storage[from]].pool;) {
        to++;
    }
    search s = {.n = to - from};
    if (s.n == 0) {
        return;
    }
    uint32_t *mine = tn_arena_regrow(scratch, &storage[from], s.n, s.n, sizeof *mine);
    find_items(p, mine, &s, scratch);
    if (cells_of(&s) > MAX_CELLS / TN_PLAN_SAMPLES) {
        return;
    }
    find_samples(p, mine, &s, scratch);
    improve(&s, scratch);
    for (uint32_t k = 0; k < s.n; k++) {
        storage[from + k] = mine[s.order[k]];
    }
}
