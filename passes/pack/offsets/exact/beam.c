#include "passes/pack/offsets/exact/beam.h"

#include <string.h>

#include "ir/base/map.h"
#include "ir/base/sort.h"
#include "passes/pack/base/budgets.h"

/* A skyline: each section is full below its floor. */
typedef struct skyline {
    uint32_t *floor;
    uint64_t *unplaced; /* a row */
    uint64_t hash;      /* of what is placed, which the floors follow from */
    uint32_t steps;     /* sections whose floor is not that of the section before */
} skyline;

/* One more item on a skyline. */
typedef struct child {
    uint64_t hash;
    uint32_t steps, parent, item;
} child;

/* How a skyline came about. */
typedef struct origin {
    uint32_t parent, item;
} origin;

/* The valley that is filled next: sections [l, r) of one floor between walls, and the items inside.
 */
typedef struct valley {
    uint32_t l, r;
    uint32_t floor, left, right; /* heights of its walls: those of the goal at the edges */
    uint32_t *item, n;           /* in order of their begin */
} valley;

typedef struct beam {
    tn_arena *arena;
    const tn_rows *rows;
    const tn_question *ask;
    tn_valley_pick pick;
    uint32_t width, top; /* of the beam; units */
    uint32_t *by_begin;  /* items in order of their begin */
    skyline *now, *next;
    uint32_t n;
    origin *origins; /* `width` a depth */
    TN_VEC(child) children;
    valley v;
    uint64_t *fill; /* by section: units of the items inside a part of the valley */
    bool *reached;  /* by section: items tile the valley up to its begin */
} beam;

bool tn_beam_possible(const tn_inst *inst, uint64_t goal) {
    uint64_t top = goal / inst->unit;
    bool full = inst->plain && !inst->gaps && top < UINT32_MAX && inst->n > 0;
    for (uint32_t s = 0; s < inst->n_sections && full; s++) {
        full = inst->load[s] == top;
    }
    return full;
}

static const tn_rows_item *item_of(const beam *b, uint32_t i) {
    return &b->rows->items[i];
}

/* The less, the sooner a valley is filled. */
static uint64_t urgency(const beam *b, const valley *v) {
    uint64_t width = b->pick == TN_PICK_NARROW ? v->r - v->l : 0;
    return width << 32 | v->floor;
}

static void find_valley(beam *b, const skyline *s) {
    uint32_t m = b->rows->n_sections;
    uint64_t least = UINT64_MAX;
    valley best = b->v;
    for (uint32_t q = 0, r; q < m; q = r) {
        for (r = q + 1; r < m && s->floor[r] == s->floor[q];) {
            r++;
        }
        valley v = b->v;
        v.l = q;
        v.r = r;
        v.floor = s->floor[q];
        v.left = q > 0 ? s->floor[q - 1] : b->top;
        v.right = r < m ? s->floor[r] : b->top;
        if (v.floor < v.left && v.floor < v.right && urgency(b, &v) < least) {
            least = urgency(b, &v);
            best = v;
        }
    }
    b->v = best;
    b->v.n = 0;
    for (uint32_t k = 0; k < b->rows->n; k++) {
        const tn_rows_item *x = item_of(b, b->by_begin[k]);
        if (tn_bit_has(s->unplaced, b->by_begin[k]) && x->a >= b->v.l && x->b <= b->v.r &&
            x->size <= b->top - b->v.floor) {
            b->v.item[b->v.n++] = b->by_begin[k];
        }
    }
}

/* Whether items of the valley, but for one, tile the floor of its sections [l, r) and fill them up
 * to the lower wall. */
static bool may_fill(beam *b, uint32_t l, uint32_t r, uint32_t wall, uint32_t without) {
    if (l == r) {
        return true;
    }
    memset(b->fill + l, 0, (r - l + 1) * sizeof *b->fill);
    memset(b->reached + l, 0, (r - l + 1) * sizeof *b->reached);
    b->reached[l] = true;
    for (uint32_t k = 0; k < b->v.n; k++) {
        const tn_rows_item *x = item_of(b, b->v.item[k]);
        if (b->v.item[k] != without && x->a >= l && x->b <= r) {
            b->fill[x->a] += x->size;
            b->fill[x->b] -= x->size;
            b->reached[x->b] = b->reached[x->b] || b->reached[x->a];
        }
    }
    uint64_t fill = 0;
    for (uint32_t q = l; q < r; q++) {
        fill += b->fill[q];
        if (b->v.floor + fill < wall) {
            return false;
        }
    }
    return b->reached[r];
}

static uint32_t lower(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static bool may_place(beam *b, uint32_t i) {
    const tn_rows_item *x = item_of(b, i);
    uint32_t top = b->v.floor + (uint32_t)x->size;
    return may_fill(b, b->v.l, x->a, lower(b->v.left, top), i) &&
           may_fill(b, x->b, b->v.r, lower(b->v.right, top), i);
}

/* The steps of a skyline with item i on the valley's floor. */
static uint32_t steps_with(const beam *b, const skyline *s, uint32_t i) {
    const tn_rows_item *x = item_of(b, i);
    const valley *v = &b->v;
    uint32_t top = v->floor + (uint32_t)x->size, steps = s->steps + (x->a > v->l) + (x->b < v->r);
    steps -= x->a == v->l && x->a > 0 && v->left == top;
    return steps - (x->b == v->r && x->b < b->rows->n_sections && v->right == top);
}

/* The section of the valley that the fewest items could cover. */
static uint32_t find_section(beam *b) {
    const valley *v = &b->v;
    uint64_t n = 0, least = UINT64_MAX;
    uint32_t best = v->l;
    memset(b->fill + v->l, 0, (v->r - v->l + 1) * sizeof *b->fill);
    for (uint32_t k = 0; k < v->n; k++) {
        b->fill[item_of(b, v->item[k])->a]++;
        b->fill[item_of(b, v->item[k])->b]--;
    }
    for (uint32_t q = v->l; q < v->r; q++) {
        n += b->fill[q];
        if (n < least) {
            least = n;
            best = q;
        }
    }
    return best;
}

/* Of twins the first comes first. */
static bool is_later_twin(const beam *b, const skyline *s, uint32_t i) {
    return item_of(b, i)->twin && tn_bit_has(s->unplaced, i - 1);
}

static void push_children(beam *b, uint32_t parent) {
    const skyline *s = &b->now[parent];
    uint32_t section = find_section(b);
    for (uint32_t k = 0; k < b->v.n; k++) {
        uint32_t i = b->v.item[k];
        const tn_rows_item *x = item_of(b, i);
        if (x->a <= section && x->b > section && !is_later_twin(b, s, i) && may_place(b, i)) {
            child c = {s->hash ^ tn_mix(i + UINT64_C(1)), steps_with(b, s, i), parent, i};
            tn_vec_push(b->arena, &b->children, c);
        }
    }
}

static int by_steps(const void *a, const void *b) {
    const child *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->steps, y->steps), TN_COMPARE(x->hash, y->hash),
                       TN_COMPARE(x->parent, y->parent), TN_COMPARE(x->item, y->item));
}

static void make_skyline(beam *b, const child *c, skyline *out) {
    const skyline *s = &b->now[c->parent];
    const tn_rows_item *x = item_of(b, c->item);
    memcpy(out->floor, s->floor, b->rows->n_sections * sizeof *s->floor);
    memcpy(out->unplaced, s->unplaced, b->rows->words * sizeof *s->unplaced);
    uint32_t top = s->floor[x->a] + (uint32_t)x->size;
    for (uint32_t q = x->a; q < x->b; q++) {
        out->floor[q] = top;
    }
    tn_bit_remove(out->unplaced, c->item);
    out->hash = c->hash;
    out->steps = c->steps;
}

/* The best children become the skylines; of two with the same items placed, which are alike, one.
 */
static void advance(beam *b, uint32_t depth) {
    uint32_t n = 0;
    TN_SORT(b->children.data, b->children.len, by_steps);
    for (uint32_t k = 0; k < b->children.len && n < b->width; k++) {
        const child *c = &b->children.data[k];
        if (k == 0 || c->hash != c[-1].hash) {
            make_skyline(b, c, &b->next[n]);
            b->origins[(size_t)depth * b->width + n++] = (origin){c->parent, c->item};
        }
    }
    skyline *swap = b->now;
    b->now = b->next;
    b->next = swap;
    b->n = n;
}

static skyline *make_skylines(const beam *b) {
    uint32_t m = b->rows->n_sections, words = b->rows->words;
    skyline *list = TN_ARRAY(b->arena, skyline, b->width);
    uint32_t *floors = TN_ARRAY(b->arena, uint32_t, (size_t)b->width * m);
    uint64_t *rows = TN_ARRAY(b->arena, uint64_t, (size_t)b->width * words);
    for (uint32_t i = 0; i < b->width; i++) {
        list[i].floor = floors + (size_t)i * m;
        list[i].unplaced = rows + (size_t)i * words;
    }
    return list;
}

static void sort_by_begin(beam *b) {
    uint32_t n = b->rows->n, m = b->rows->n_sections;
    uint32_t *at = TN_ARRAY(b->arena, uint32_t, m + 1u);
    for (uint32_t i = 0; i < n; i++) {
        at[item_of(b, i)->a + 1]++;
    }
    for (uint32_t s = 0; s < m; s++) {
        at[s + 1] += at[s];
    }
    for (uint32_t i = 0; i < n; i++) {
        b->by_begin[at[item_of(b, i)->a]++] = i;
    }
}

static void start(beam *b) {
    uint32_t n = b->rows->n, m = b->rows->n_sections;
    b->by_begin = TN_ARRAY(b->arena, uint32_t, n);
    b->v.item = TN_ARRAY(b->arena, uint32_t, n);
    b->fill = TN_ARRAY(b->arena, uint64_t, m + 1u);
    b->reached = TN_ARRAY(b->arena, bool, m + 1u);
    b->origins = TN_ARRAY(b->arena, origin, (size_t)b->width * n);
    b->now = make_skylines(b);
    b->next = make_skylines(b);
    b->n = 1;
    sort_by_begin(b);
    for (uint32_t i = 0; i < n; i++) {
        tn_bit_add(b->now[0].unplaced, i);
    }
}

/* Replays what led to the last skyline. False when an item ends above its own limit. */
static bool read_offsets(beam *b, uint64_t *offsets) {
    uint32_t n = b->rows->n, k = 0;
    uint64_t capacity;
    const uint64_t *limit = tn_rows_limits(b->arena, b->rows, b->ask->goal, &capacity);
    uint32_t *item = TN_ARRAY(b->arena, uint32_t, n);
    uint64_t *floor = TN_ARRAY(b->arena, uint64_t, b->rows->n_sections);
    for (uint32_t depth = n; depth-- > 0;) {
        const origin *o = &b->origins[(size_t)depth * b->width + k];
        item[depth] = o->item;
        k = o->parent;
    }
    for (uint32_t depth = 0; depth < n; depth++) {
        const tn_rows_item *x = item_of(b, item[depth]);
        uint64_t at = floor[x->a];
        if (limit == NULL || at > limit[item[depth]]) {
            return false;
        }
        offsets[x->item] = at;
        for (uint32_t q = x->a; q < x->b; q++) {
            floor[q] = at + x->size;
        }
    }
    return true;
}

/* False when no skyline is left, or no time. */
static bool fill_up(beam *b, uint64_t *nodes) {
    for (uint32_t depth = 0; depth < b->rows->n; depth++) {
        b->children.len = 0;
        for (uint32_t i = 0; i < b->n; i++) {
            find_valley(b, &b->now[i]);
            push_children(b, i);
        }
        *nodes += b->n;
        advance(b, depth);
        if (b->n == 0 || tn_stop_asked(b->arena, b->ask->stop)) {
            return false;
        }
    }
    return true;
}

tn_found tn_beam_run(tn_arena *arena, const tn_rows *rows, tn_valley_pick pick,
                     const tn_question *question, uint64_t *offsets, uint64_t *nodes) {
    beam b = {.rows = rows,
              .ask = question,
              .pick = pick,
              .top = (uint32_t)(question->goal / rows->inst->unit)};
    uint64_t width = question->budget / rows->n;
    uint64_t most = TN_LIMIT_BEAM_BYTES / (8 * (uint64_t)rows->n + 8 * (uint64_t)rows->words +
                                           4 * (uint64_t)rows->n_sections);
    width = width > most ? most : width;
    if (width == 0) {
        return TN_FOUND_CUT;
    }
    b.width = (uint32_t)width;
    b.arena = tn_arena_new(tn_arena_ctx(arena));
    start(&b);
    bool found = fill_up(&b, nodes) && read_offsets(&b, offsets);
    tn_arena_drop(b.arena);
    return found ? TN_FOUND : TN_FOUND_CUT;
}
