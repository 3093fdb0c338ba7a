/* Exact sharing by depth-first search. Items come by falling size, so an object costs what its
 * first item needs and nothing afterwards; every item goes into one of the objects that are free
 * during its life, or opens a new one.
 *
 * What keeps the tree small: a bound on what the remaining items must still open; objects that look
 * alike to the remaining items are one choice; an item that fills a hole exactly goes there without
 * a second thought (whoever else would have used the hole can take the place that the item leaves);
 * and states that failed are remembered. */
#include "passes/pack/slots/slots_search.h"

#include <string.h>

#include "ir/base/bits.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/failed_states.h"
#include "passes/pack/base/stop.h"

#define NEW UINT32_MAX

/* The turn of one item. */
typedef struct frame {
    uint32_t n_choices, next;
    uint32_t object;
    bool placed, opened; /* lies in the object; was the first there */
} frame;

/* Items are numbered by falling size here. Rows are sets of sections. */
typedef struct search {
    const tn_slot_group *g;
    uint32_t n, words;
    uint32_t *a, *b;    /* sections of an item */
    uint64_t *span;     /* a row an item: the same as a set */
    uint64_t *idle;     /* n + 1 rows: sections in which none of the items from here on is alive */
    uint64_t *occupied; /* a row an object */
    uint32_t *homes;    /* by item: objects that are free for it */
    uint64_t *opens; /* by number of objects: size at which one more must be there at the latest */
    uint64_t *still; /* by number of objects: sum of `opens` from there on */
    uint32_t *choices; /* n entries an item */
    uint32_t *keys;    /* of the choices being listed */
    uint32_t *crowd;   /* zeros; a count a section while a bound is worked out */
    frame *frames;
    uint32_t n_objects;
    uint64_t cost, limit; /* a completion must cost less than the limit */
    tn_failed_states failed;
    uint64_t *looks; /* rows: what items to come see of each object, while a key is written */
} search;

static uint64_t *row(const search *s, uint64_t *rows, uint32_t k) {
    return rows + (size_t)k * s->words;
}

/* A section ends where some live range ends; live ranges meet exactly when their sections do. */
static uint32_t number_sections(tn_arena *arena, search *s) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    uint32_t n = s->n, *before = TN_ARRAY(scratch, uint32_t, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        before[s->g->items[i].b] = 1;
    }
    for (uint32_t p = 1; p <= n; p++) {
        before[p] += before[p - 1];
    }
    for (uint32_t k = 0; k < n; k++) {
        const tn_slot_item *item = &s->g->items[s->g->by_size[k]];
        s->a[k] = before[item->a];
        s->b[k] = before[item->b];
    }
    uint32_t sections = before[n];
    tn_arena_drop(scratch);
    return sections;
}

static uint64_t size_of(const search *s, uint32_t k) {
    return s->g->items[s->g->by_size[k]].size;
}

static void fill_rows(search *s) {
    memset(row(s, s->idle, s->n), 0xff, s->words * sizeof *s->idle);
    for (uint32_t k = s->n; k-- > 0;) {
        uint64_t *span = row(s, s->span, k), *idle = row(s, s->idle, k);
        for (uint32_t p = s->a[k]; p < s->b[k]; p++) {
            tn_bit_add(span, p);
        }
        const uint64_t *after = row(s, s->idle, k + 1);
        for (uint32_t w = 0; w < s->words; w++) {
            idle[w] = after[w] & ~span[w];
        }
    }
}

/* Adds item k to the crowd; the largest count in its life. */
static uint32_t join_crowd(search *s, uint32_t k) {
    uint32_t most = 0;
    for (uint32_t p = s->a[k]; p < s->b[k]; p++) {
        s->crowd[p]++;
        most = s->crowd[p] > most ? s->crowd[p] : most;
    }
    return most;
}

/* The first item with which t + 1 of the items so far are alive at once: one object more than t
 * must be open by then. */
static void fill_opens(search *s, uint32_t sections) {
    uint32_t width = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        if (join_crowd(s, k) > width) {
            s->opens[width++] = size_of(s, k);
        }
    }
    for (uint32_t t = width; t-- > 0;) {
        s->still[t] = s->still[t + 1] + s->opens[t];
    }
    memset(s->crowd, 0, sections * sizeof *s->crowd);
}

static search *make(tn_arena *arena, const tn_slot_group *g, const tn_slot_search *options) {
    search *s = TN_NEW(arena, search);
    size_t n = g->n;
    s->g = g;
    s->n = g->n;
    s->a = TN_ARRAY(arena, uint32_t, n);
    s->b = TN_ARRAY(arena, uint32_t, n);
    uint32_t sections = number_sections(arena, s);
    s->words = sections / 64 + 1;
    s->span = TN_ARRAY(arena, uint64_t, n * s->words);
    s->idle = TN_ARRAY(arena, uint64_t, (n + 1) * s->words);
    s->occupied = TN_ARRAY(arena, uint64_t, n * s->words);
    s->homes = TN_ARRAY(arena, uint32_t, n);
    s->opens = TN_ARRAY(arena, uint64_t, n + 1);
    s->still = TN_ARRAY(arena, uint64_t, n + 1);
    s->choices = TN_ARRAY(arena, uint32_t, n * n);
    s->keys = TN_ARRAY(arena, uint32_t, n);
    s->frames = TN_ARRAY(arena, frame, n);
    s->crowd = TN_ARRAY(arena, uint32_t, sections);
    s->failed = tn_failed_states_make(arena, options->budget);
    s->looks = TN_ARRAY(arena, uint64_t, (size_t)n * s->words);
    s->limit = options->limit;
    fill_rows(s);
    fill_opens(s, sections);
    return s;
}

/* At least what the objects that items from k on must open will cost. As many items without a free
 * object as are alive together open one each; and every further object is open by the time it is
 * needed. The t-th to be opened is as large as both demand. */
static uint64_t to_come(search *s, uint32_t k) {
    uint32_t width = 0;
    uint64_t sum = 0;
    for (uint32_t j = k; j < s->n; j++) {
        if (s->homes[j] == 0 && join_crowd(s, j) > width) {
            uint64_t size = size_of(s, j), due = s->opens[s->n_objects + width];
            sum += size > due ? size : due;
            width++;
        }
    }
    for (uint32_t j = k; j < s->n && width > 0; j++) {
        if (s->homes[j] == 0) {
            memset(s->crowd + s->a[j], 0, (s->b[j] - s->a[j]) * sizeof *s->crowd);
        }
    }
    return sum + s->still[s->n_objects + width];
}

static bool row_before(const search *s, const uint64_t *x, const uint64_t *y) {
    uint32_t w = 0;
    while (w + 1 < s->words && x[w] == y[w]) {
        w++;
    }
    return x[w] < y[w];
}

/* The item at hand, and what it and those to come see of the objects, in an order of its own:
 * states that differ in the numbers of objects alone, or where nothing is live any more, are one.
 */
static void write_key(search *s, uint32_t k) {
    const uint64_t *idle = row(s, s->idle, k);
    for (uint32_t o = 0; o < s->n_objects; o++) {
        uint64_t *look = row(s, s->looks, o);
        const uint64_t *occupied = row(s, s->occupied, o);
        for (uint32_t w = 0; w < s->words; w++) {
            look[w] = occupied[w] | idle[w];
        }
        s->keys[o] = o;
        for (uint32_t at = o; at > 0 && row_before(s, look, row(s, s->looks, s->keys[at - 1]));) {
            s->keys[at] = s->keys[at - 1];
            s->keys[--at] = o;
        }
    }
    tn_failed_key(&s->failed);
    tn_failed_put(&s->failed, k);
    for (uint32_t o = 0; o < s->n_objects; o++) {
        tn_failed_put_words(&s->failed, row(s, s->looks, s->keys[o]), s->words);
    }
}

/* Sections that nobody among items k and on needs, next to the life of item k in a free object:
 * counted to the nearest ones that are occupied. 0: the item fills its hole. */
static uint32_t looseness(search *s, uint32_t k, uint32_t object) {
    const uint64_t *occupied = row(s, s->occupied, object), *idle = row(s, s->idle, k);
    uint32_t from = s->a[k], to = s->b[k], sections = s->words * 64;
    while (from > 0 && !tn_bit_has(occupied, from - 1) && !tn_bit_has(idle, from - 1)) {
        from--;
    }
    while (to < sections && !tn_bit_has(occupied, to) && !tn_bit_has(idle, to)) {
        to++;
    }
    return to - from - (s->b[k] - s->a[k]);
}

static bool looks_like(search *s, uint32_t k, uint32_t x, uint32_t y) {
    const uint64_t *a = row(s, s->occupied, x), *b = row(s, s->occupied, y),
                   *idle = row(s, s->idle, k);
    for (uint32_t w = 0; w < s->words; w++) {
        if (((a[w] ^ b[w]) & ~idle[w]) != 0) {
            return false;
        }
    }
    return true;
}

/* The objects item k may go into, the tightest first, and a new one at last. */
static void list_choices(search *s, uint32_t k) {
    uint32_t *choice = s->choices + (size_t)k * s->n, n = 0;
    const uint64_t *span = row(s, s->span, k);
    for (uint32_t o = 0; o < s->n_objects; o++) {
        bool usable = !tn_bits_meet(span, row(s, s->occupied, o), s->words);
        for (uint32_t c = 0; c < n && usable; c++) {
            usable = !looks_like(s, k, choice[c], o);
        }
        if (!usable) {
            continue;
        }
        uint32_t loose = looseness(s, k, o), at = n++;
        if (loose == 0) {
            choice[0] = o;
            s->frames[k] = (frame){.n_choices = 1};
            return;
        }
        for (; at > 0 && s->keys[at - 1] > loose; at--) {
            s->keys[at] = s->keys[at - 1];
            choice[at] = choice[at - 1];
        }
        s->keys[at] = loose;
        choice[at] = o;
    }
    choice[n++] = NEW;
    s->frames[k] = (frame){.n_choices = n};
}

/* Whether there is anything to try for items k and on. */
static bool enter(search *s, uint32_t k) {
    if (k == s->n) {
        return s->cost < s->limit;
    }
    uint64_t least = to_come(s, k);
    if (s->cost + least >= s->limit) {
        return false;
    }
    write_key(s, k);
    if (tn_failed_known(&s->failed, s->limit - s->cost)) {
        return false;
    }
    list_choices(s, k);
    return true;
}

/* Counts the objects free for later items again, now that item k lies in an object (by = -1, asked
 * before it does) or no longer does (by = 1, asked after). */
static void count_homes(search *s, uint32_t k, uint32_t object, uint32_t by) {
    const uint64_t *span = row(s, s->span, k), *occupied = row(s, s->occupied, object);
    for (uint32_t j = k + 1; j < s->n; j++) {
        const uint64_t *other = row(s, s->span, j);
        bool had = tn_bits_meet(other, span, s->words) && !tn_bits_meet(other, occupied, s->words);
        s->homes[j] += had ? by : 0;
    }
}

/* The same for an object that item k opens or closes. */
static void count_new_home(search *s, uint32_t k, uint32_t by) {
    const uint64_t *span = row(s, s->span, k);
    for (uint32_t j = k + 1; j < s->n; j++) {
        s->homes[j] += tn_bits_meet(row(s, s->span, j), span, s->words) ? 0 : by;
    }
}

static void place(search *s, uint32_t k, uint32_t choice) {
    frame *f = &s->frames[k];
    f->opened = choice == NEW;
    f->object = f->opened ? s->n_objects++ : choice;
    f->placed = true;
    uint64_t *occupied = row(s, s->occupied, f->object), *span = row(s, s->span, k);
    if (f->opened) {
        s->cost += size_of(s, k);
        count_new_home(s, k, 1);
        memset(occupied, 0, s->words * sizeof *occupied);
    } else {
        count_homes(s, k, f->object, UINT32_MAX);
    }
    for (uint32_t w = 0; w < s->words; w++) {
        occupied[w] |= span[w];
    }
}

static void take_back(search *s, uint32_t k) {
    frame *f = &s->frames[k];
    uint64_t *occupied = row(s, s->occupied, f->object), *span = row(s, s->span, k);
    for (uint32_t w = 0; w < s->words; w++) {
        occupied[w] &= ~span[w];
    }
    if (f->opened) {
        s->cost -= size_of(s, k);
        s->n_objects--;
        count_new_home(s, k, UINT32_MAX);
    } else {
        count_homes(s, k, f->object, 1);
    }
    f->placed = false;
}

static void keep(search *s, tn_sharing *best) {
    for (uint32_t k = 0; k < s->n; k++) {
        best->object[s->g->by_size[k]] = s->frames[k].object;
    }
    best->n_objects = s->n_objects;
    best->total = s->limit = s->cost;
    best->algorithm = "search";
}

static void remember(search *s, uint32_t k) {
    if (s->cost < s->limit) {
        write_key(s, k);
        tn_failed_add(&s->failed, s->limit - s->cost);
    }
}

bool tn_slots_search(tn_arena *scratch, const tn_slot_group *g, const tn_slot_search *options,
                     tn_sharing *best, uint64_t *nodes) {
    search *s = make(scratch, g, options);
    uint64_t left = options->budget;
    bool open = enter(s, 0);
    for (uint32_t k = 0; open && s->limit > options->goal;) {
        bool late =
            left % TN_LIMIT_CLOCK_EVERY == 0 && tn_clock_late(scratch, options->deadline_ns);
        if (left == 0 || late) {
            return false;
        }
        frame *f = &s->frames[k];
        if (f->placed) {
            take_back(s, k);
        }
        if (f->next < f->n_choices) {
            place(s, k, s->choices[(size_t)k * s->n + f->next++]);
            left--;
            ++*nodes;
            if (enter(s, k + 1)) {
                if (k + 1 == s->n) {
                    keep(s, best);
                } else {
                    k++;
                }
            }
            continue;
        }
        remember(s, k);
        open = k > 0;
        k -= open ? 1 : 0;
    }
    return true;
}
