/* Depth first with its own stack; frames are components as in passes/pack/offsets/exact/valley.c. A
 * frame lists the unplaced items of its component by lowest place, then rank. */
#include "passes/pack/offsets/exact/canonical.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "passes/pack/base/budgets.h"

typedef struct part {
    uint32_t left, right;
} part;

typedef struct frame {
    part self;
    uint64_t last_offset;      /* nothing may be placed lower from here on */
    uint32_t last_rank;        /* nor, at that offset, with a lower rank */
    uint64_t below;            /* no candidate lies so high that another fits wholly beneath it */
    uint32_t list, n_list, at; /* unplaced items in the pool, next candidate */
    uint32_t undo;
    bool tried, hatless;
    uint32_t parts, n_parts, part;
} frame;

/* An item placed, or one whose lowest place was lifted from `old`. */
typedef struct change {
    uint32_t item;
    bool placed;
    uint64_t old;
} change;

typedef struct search {
    tn_arena *arena;
    const tn_rows *rows;
    uint32_t words;
    uint64_t capacity;
    uint64_t *limit;
    uint32_t *rank;
    uint64_t *low;      /* lowest place left to each unplaced item, or where it lies */
    uint64_t *load;     /* unplaced units in each section */
    uint32_t *next;     /* for one check: towards the next section without a floor */
    uint32_t *crossing; /* unplaced items across the boundary before each section */
    uint64_t *unplaced; /* a row */
    const tn_question *ask;
    uint64_t nodes;
    TN_VEC(frame) frames;
    TN_VEC(uint32_t) pool;
    TN_VEC(part) parts;
    TN_VEC(change) trail;
} search;

/* Places item i at its lowest place; false when that leaves some other without a place. */
static bool place(search *s, uint32_t i) {
    const tn_rows_item *item = &s->rows->items[i];
    const uint64_t *meet = tn_row(s->rows, s->rows->meet, i);
    uint64_t top = s->low[i] + item->size;
    bool fine = true;
    for (uint32_t q = item->a; q < item->b; q++) {
        s->load[q] -= item->size;
    }
    for (uint32_t q = item->a + 1; q < item->b; q++) {
        s->crossing[q]--;
    }
    tn_bit_remove(s->unplaced, i);
    tn_vec_push(s->arena, &s->trail, (change){i, true, 0});
    TN_FOR_BITS(j, w, meet[w] & s->unplaced[w], s->words) {
        if (s->low[j] < top) {
            tn_vec_push(s->arena, &s->trail, (change){(uint32_t)j, false, s->low[j]});
            s->low[j] = tn_round_up(top, s->rows->items[j].align);
            fine &= s->low[j] <= s->limit[j];
        }
    }
    return fine;
}

static void take_back(search *s, uint32_t to) {
    while (s->trail.len > to) {
        change c = s->trail.data[--s->trail.len];
        if (!c.placed) {
            s->low[c.item] = c.old;
            continue;
        }
        const tn_rows_item *item = &s->rows->items[c.item];
        for (uint32_t q = item->a; q < item->b; q++) {
            s->load[q] += item->size;
        }
        for (uint32_t q = item->a + 1; q < item->b; q++) {
            s->crossing[q]++;
        }
        tn_bit_add(s->unplaced, c.item);
    }
}

static bool before(const search *s, uint32_t i, uint32_t j) {
    return s->low[i] != s->low[j] ? s->low[i] < s->low[j] : s->rank[i] < s->rank[j];
}

/* The unplaced items of the component by lowest place. `parent` is a list that was in order before
 * the last placement lifted some of them, so insertion has little to move. */
static void push_list(search *s, frame *f, uint32_t parent, uint32_t n_parent) {
    f->list = s->pool.len;
    for (uint32_t k = 0; k < n_parent; k++) {
        uint32_t i = s->pool.data[parent + k];
        const tn_rows_item *item = &s->rows->items[i];
        if (!tn_bit_has(s->unplaced, i) || item->a < f->self.left || item->b > f->self.right) {
            continue;
        }
        tn_vec_push(s->arena, &s->pool, i);
        uint32_t at = s->pool.len - 1;
        for (; at > f->list && before(s, i, s->pool.data[at - 1]); at--) {
            s->pool.data[at] = s->pool.data[at - 1];
        }
        s->pool.data[at] = i;
    }
    f->n_list = s->pool.len - f->list;
}

/* In every section all unplaced items have to fit above the lowest place of any of them. Items come
 * by lowest place, so each section gets its floor from the first item that covers it. */
static bool sections_hold(search *s, const frame *f) {
    for (uint32_t q = f->self.left; q <= f->self.right; q++) {
        s->next[q] = q;
    }
    for (uint32_t k = 0; k < f->n_list; k++) {
        uint32_t i = s->pool.data[f->list + k];
        uint64_t floor = s->low[i] > f->last_offset ? s->low[i] : f->last_offset;
        for (uint32_t q = s->rows->items[i].a;; q++) {
            while (s->next[q] != q) {
                s->next[q] = s->next[s->next[q]];
                q = s->next[q];
            }
            if (q >= s->rows->items[i].b) {
                break;
            }
            if (floor + s->load[q] > s->capacity) {
                return false;
            }
            s->next[q] = q + 1;
        }
    }
    return true;
}

static bool open_frame(search *s, const part *p, const frame *parent) {
    frame f = {.self = *p, .undo = s->trail.len, .below = UINT64_MAX};
    f.last_offset = parent->last_offset;
    f.last_rank = parent->last_rank;
    if (parent->n_list > 0) { /* the root has placed nothing */
        uint32_t i = s->pool.data[parent->list + parent->at - 1];
        f.last_offset = s->low[i];
        f.last_rank = s->rank[i];
    }
    s->nodes++;
    if (parent->n_list > 0) {
        push_list(s, &f, parent->list, parent->n_list);
    } else {
        f.list = s->pool.len;
        for (uint32_t i = 0; i < s->rows->n; i++) {
            tn_vec_push(s->arena, &s->pool, i);
        }
        push_list(s, &f, f.list, s->rows->n);
    }
    if (!sections_hold(s, &f)) {
        s->pool.len = f.list;
        return false;
    }
    for (uint32_t k = 0; k < f.n_list; k++) {
        uint32_t i = s->pool.data[f.list + k];
        uint64_t top = s->low[i] + s->rows->items[i].size;
        f.below = top < f.below ? top : f.below;
    }
    tn_vec_push(s->arena, &s->frames, f);
    return true;
}

static void push_parts(search *s, frame *f, uint32_t from, uint32_t to) {
    f->parts = s->parts.len;
    f->part = 0;
    uint32_t left = f->self.left;
    for (uint32_t q = left + 1; q <= f->self.right; q++) {
        if (q < f->self.right && (q <= from || q >= to || s->crossing[q] > 0)) {
            continue;
        }
        if (q - left > 1 || s->load[left] > 0) {
            tn_vec_push(s->arena, &s->parts, (part){left, q});
        }
        left = q;
    }
    f->n_parts = s->parts.len - f->parts;
}

static bool is_candidate(const search *s, const frame *f, uint32_t i) {
    const tn_rows_item *item = &s->rows->items[i];
    uint64_t low = s->low[i];
    if (low < f->last_offset || (low == f->last_offset && s->rank[i] < f->last_rank)) {
        return false;
    }
    if (item->fixed != TN_PACK_FREE && low != item->fixed) {
        return false;
    }
    return !item->twin || !tn_bit_has(s->unplaced, i - 1);
}

static bool meets_unplaced(const search *s, uint32_t i) {
    return tn_bits_meet(tn_row(s->rows, s->rows->meet, i), s->unplaced, s->words);
}

/* Places the next candidate for which nothing is at once without a place; false: none is left. */
static bool next_choice(search *s, frame *f) {
    while (f->at < f->n_list && !f->hatless) {
        uint32_t i = s->pool.data[f->list + f->at++];
        if (s->low[i] >= f->below) {
            return false;
        }
        if (!is_candidate(s, f, i)) {
            continue;
        }
        f->hatless = !meets_unplaced(s, i);
        if (place(s, i)) {
            push_parts(s, f, s->rows->items[i].a, s->rows->items[i].b);
            return true;
        }
        take_back(s, f->undo);
    }
    return false;
}

static tn_found run_stack(search *s) {
    bool failed = false;
    while (s->frames.len > 0) {
        frame *f = &s->frames.data[s->frames.len - 1];
        if (failed) {
            take_back(s, f->undo);
            s->parts.len = f->parts;
            f->tried = false;
        }
        failed = false;
        if (f->tried && f->part < f->n_parts) {
            part p = s->parts.data[f->parts + f->part++];
            frame parent = *f;
            if (s->nodes >= s->ask->budget ||
                (s->nodes % TN_LIMIT_CLOCK_EVERY == 0 && tn_stop_asked(s->arena, s->ask->stop))) {
                return TN_FOUND_CUT;
            }
            failed = !open_frame(s, &p, &parent);
        } else if (f->tried || (f->tried = next_choice(s, f), !f->tried)) {
            failed = !f->tried;
            s->pool.len = f->list;
            s->frames.len--;
        }
    }
    return failed ? TN_FOUND_NONE : TN_FOUND;
}

static void make_state(search *s) {
    const tn_rows *rows = s->rows;
    size_t n = rows->n, m = rows->n_sections;
    s->words = rows->words;
    s->low = TN_ARRAY(s->arena, uint64_t, n);
    s->unplaced = TN_ARRAY(s->arena, uint64_t, s->words);
    s->load = TN_ARRAY(s->arena, uint64_t, m);
    s->next = TN_ARRAY(s->arena, uint32_t, m + 1);
    s->crossing = TN_ARRAY(s->arena, uint32_t, m);
    memcpy(s->load, rows->load, m * sizeof *s->load);
    for (uint32_t i = 0; i < n; i++) {
        s->low[i] = rows->items[i].fixed == TN_PACK_FREE ? 0 : rows->items[i].fixed;
        tn_bit_add(s->unplaced, i);
        for (uint32_t q = rows->items[i].a + 1; q < rows->items[i].b; q++) {
            s->crossing[q]++;
        }
    }
}

/* The bottom frame's parts are the components of the instance. */
static void push_root(search *s) {
    frame root = {.self = {0, s->rows->n_sections}, .tried = true, .hatless = true};
    push_parts(s, &root, 0, s->rows->n_sections);
    tn_vec_push(s->arena, &s->frames, root);
}

tn_found tn_canonical_run(tn_arena *arena, const tn_rows *rows, const char *letters,
                          const tn_question *question, uint64_t *offsets, uint64_t *nodes) {
    search s = {.rows = rows, .ask = question};
    s.arena = tn_arena_new(tn_arena_ctx(arena));
    s.limit = tn_rows_limits(s.arena, rows, question->goal, &s.capacity);
    tn_found found = TN_FOUND_NONE;
    if (s.limit != NULL) {
        s.rank = tn_rows_rank(s.arena, rows, letters);
        make_state(&s);
        push_root(&s);
        found = run_stack(&s);
    }
    for (uint32_t i = 0; i < rows->n && found == TN_FOUND; i++) {
        offsets[rows->items[i].item] = s.low[i];
    }
    *nodes += s.nodes;
    tn_arena_drop(s.arena);
    return found;
}
