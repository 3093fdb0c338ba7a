/* When all forbidden differences of offsets (forbidden.h) include 0, "rests on" has no circles, and
 * every packing pushed down is built from the bottom. Pairs that can interlock are tangled: they
 * may rest on each other. Then whole groups are pushed down at once, which works as long as offsets
 * go by single units; where alignments forbid that, tangled items are tried at every offset.
 *
 * Where fewer offsets are left than rivals (forbidden.h) to be placed, nothing can be found.
 *
 * When a choice (this item there) has failed, it need not be tried again beside the choices that
 * stood after it: all packings with it have been seen. */
#include "passes/pack/offsets/exact/gap_search.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/item_order.h"
#include "passes/pack/offsets/exact/blocked.h"

#define NONE UINT32_MAX

typedef struct choice {
    uint32_t item;
    uint64_t at;
} choice;

typedef struct frame {
    uint32_t first, count, tried; /* choices in the pool */
    uint32_t gone;                /* length of the list of failed choices when it was opened */
} frame;

enum { FILTER = 4096 }; /* places of failed choices, by hash */

typedef struct search {
    tn_arena *arena;
    const tn_inst *inst;
    uint32_t n;
    tn_forbidden forbidden;
    uint32_t *twin; /* an earlier item that is the same in all respects, or NONE */
    bool *anywhere; /* tangled, and aligned to more than a unit or with others that are */
    tn_rivals rivals;
    bool partial; /* not all positions are tried: nothing is proven */
    uint64_t *limit;
    uint64_t *offset;
    bool *placed;
    uint32_t *rank; /* which of several choices at one offset comes first */
    uint32_t n_placed;
    tn_blocked blocked; /* by the items placed */
    uint64_t nodes, budget;
    tn_stop_at stop;
    uint32_t filter[FILTER]; /* failed choices by hash */
    TN_VEC(frame) frames;
    TN_VEC(choice) pool;
    TN_VEC(choice) gone;
} search;

static bool alike(const tn_inst *inst, const tn_item *x, const tn_item *y) {
    if (x->size != y->size || x->align != y->align || x->slack != y->slack ||
        x->n_spans != y->n_spans || x->fixed != TN_PACK_FREE || y->fixed != TN_PACK_FREE) {
        return false;
    }
    for (uint32_t k = 0; k < x->n_spans; k++) {
        const tn_span *s = &inst->spans[x->span + k], *t = &inst->spans[y->span + k];
        if (s->a != t->a || s->b != t->b || s->lo != t->lo || s->hi != t->hi) {
            return false;
        }
    }
    return true;
}

static void make_state(search *s) {
    const tn_inst *inst = s->inst;
    bool aligned = false;
    s->twin = TN_ARRAY(s->arena, uint32_t, s->n);
    s->anywhere = TN_ARRAY(s->arena, bool, s->n);
    s->offset = TN_ARRAY(s->arena, uint64_t, s->n);
    s->placed = TN_ARRAY(s->arena, bool, s->n);
    s->blocked = tn_blocked_make(s->arena, &s->forbidden);
    s->rank = TN_ARRAY(s->arena, uint32_t, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        aligned |= inst->items[i].align > 1;
        s->twin[i] = NONE;
        for (uint32_t j = i; j-- > 0 && s->twin[i] == NONE;) {
            s->twin[i] = alike(inst, &inst->items[i], &inst->items[j]) ? j : NONE;
        }
    }
    for (uint32_t k = 0; k < s->n * s->n && aligned; k++) {
        s->anywhere[k / s->n] |= tn_forbidden_tangled(&s->forbidden, k / s->n, k % s->n);
    }
}

static uint64_t lowest(const search *s, uint32_t i, uint64_t from) {
    return tn_blocked_lowest(&s->blocked, i, from, s->inst->items[i].align);
}

static uint32_t hash(choice c) {
    return (
        uint32_t)((c.at * UINT64_C(0x9E3779B97F4A7C15) + c.item * UINT64_C(0x94D049BB133111EB)) >>
                  52);
}

static bool has_failed(const search *s, choice c) {
    for (uint32_t k = s->filter[hash(c)] == 0 ? 0 : s->gone.len; k-- > 0;) {
        if (s->gone.data[k].item == c.item && s->gone.data[k].at == c.at) {
            return true;
        }
    }
    return false;
}

static bool before(const search *s, choice a, choice b) {
    return a.at != b.at ? a.at < b.at : s->rank[a.item] < s->rank[b.item];
}

/* Adds a choice of the open frame, by offset and then rank, unless it is there or has failed.
 * Returns how many choices were in the way. */
static uint32_t push_choice(search *s, uint32_t first, choice c) {
    if (c.at > s->limit[c.item] || lowest(s, c.item, c.at) != c.at || has_failed(s, c)) {
        return 0;
    }
    uint32_t k = s->pool.len;
    while (k > first && before(s, c, s->pool.data[k - 1])) {
        k--;
    }
    if (k > first && s->pool.data[k - 1].at == c.at && s->pool.data[k - 1].item == c.item) {
        return 0;
    }
    tn_vec_push(s->arena, &s->pool, c);
    memmove(&s->pool.data[k + 1], &s->pool.data[k], (s->pool.len - 1 - k) * sizeof c);
    s->pool.data[k] = c;
    return s->pool.len - k;
}

static void push_choices(search *s, uint32_t first, uint32_t i) {
    uint64_t align = s->inst->items[i].align;
    if (s->anywhere[i] && s->n <= TN_LIMIT_FEW_ITEMS &&
        s->limit[i] / align < TN_LIMIT_GAP_POSITIONS) {
        uint64_t moved = 0;
        for (uint64_t at = lowest(s, i, 0); at <= s->limit[i]; at = lowest(s, i, at + align)) {
            moved += push_choice(s, first, (choice){i, at});
        }
        s->nodes += moved / TN_LIMIT_GAP_MOVED;
        return;
    }
    s->partial |= s->anywhere[i];
    push_choice(s, first, (choice){i, 0});
    uint32_t n;
    const tn_forbidden_range *r = tn_blocked_of(&s->blocked, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (r[k].hi > 0) {
            push_choice(s, first, (choice){i, tn_round_up((uint64_t)r[k].hi, align)});
        }
    }
}

static bool is_free(const search *s, uint32_t class, uint64_t at) {
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->rivals.class_of[i] == class && !s->placed[i] && at <= s->limit[i] &&
            lowest(s, i, at) == at) {
            return true;
        }
    }
    return false;
}

/* False when fewer offsets are left for a class than it has items to place. */
static bool class_has_room(const search *s, uint32_t class) {
    uint64_t align = 0, limit = 0;
    uint32_t needed = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->rivals.class_of[i] == class && !s->placed[i]) {
            align = s->inst->items[i].align;
            limit = s->limit[i] > limit ? s->limit[i] : limit;
            needed++;
        }
    }
    if (needed < 2 || limit / align > 2 * (uint64_t)s->n) {
        return true;
    }
    for (uint64_t at = 0; at <= limit && needed > 0; at += align) {
        needed -= is_free(s, class, at) ? 1 : 0;
    }
    return needed == 0;
}

static bool has_room(const search *s) {
    for (uint32_t i = 0; i < s->n; i++) {
        if (!s->placed[i] && lowest(s, i, 0) > s->limit[i]) {
            return false;
        }
    }
    for (uint32_t c = 0; c < s->rivals.n; c++) {
        if (!class_has_room(s, c)) {
            return false;
        }
    }
    return true;
}

/* False when it is clear that some item finds no place. */
static bool open_frame(search *s) {
    frame f = {.first = s->pool.len, .gone = s->gone.len};
    s->nodes++;
    for (uint32_t i = 0; i < s->n; i++) {
        if (!s->placed[i]) {
            tn_blocked_join(&s->blocked, i);
        }
    }
    if (!has_room(s)) {
        return false;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        if (!s->placed[i] && (s->twin[i] == NONE || s->placed[s->twin[i]])) {
            push_choices(s, f.first, i);
        }
    }
    f.count = s->pool.len - f.first;
    tn_vec_push(s->arena, &s->frames, f);
    return true;
}

static void place(search *s, choice c) {
    s->offset[c.item] = c.at;
    s->placed[c.item] = true;
    s->n_placed++;
    tn_blocked_add(&s->blocked, c.item, c.at);
}

static void forget_failed(search *s, uint32_t to) {
    while (s->gone.len > to) {
        s->filter[hash(s->gone.data[--s->gone.len])]--;
    }
}

/* Takes back the last choice of the top frame, which has failed. */
static void fail_choice(search *s, const frame *f) {
    choice c = s->pool.data[f->first + f->tried - 1];
    s->placed[c.item] = false;
    s->n_placed--;
    tn_blocked_remove(&s->blocked, c.item, c.at);
    tn_vec_push(s->arena, &s->gone, c);
    s->filter[hash(c)]++;
}

static tn_found run_stack(search *s) {
    bool failed = !open_frame(s);
    while (s->n_placed < s->n) {
        if (s->frames.len == 0) {
            return s->partial ? TN_FOUND_CUT : TN_FOUND_NONE;
        }
        frame *f = &s->frames.data[s->frames.len - 1];
        if (failed) {
            fail_choice(s, f);
        }
        failed = false;
        if (f->tried == f->count) {
            forget_failed(s, f->gone);
            s->pool.len = f->first;
            s->frames.len--;
            failed = s->frames.len > 0;
            continue;
        }
        if (s->nodes >= s->budget ||
            (s->nodes % TN_LIMIT_CLOCK_EVERY == 0 && tn_stop_asked(s->arena, s->stop))) {
            return TN_FOUND_CUT;
        }
        place(s, s->pool.data[f->first + f->tried++]);
        failed = s->n_placed < s->n && !open_frame(s);
    }
    return TN_FOUND;
}

static void set_rank(search *s, const char *letters) {
    tn_orders orders = tn_orders_make(s->arena, s->inst);
    uint32_t *order = TN_ARRAY(s->arena, uint32_t, s->n);
    tn_orders_get(&orders, letters, order);
    for (uint32_t k = 0; k < s->n; k++) {
        s->rank[order[k]] = k;
    }
}

static void place_fixed(search *s) {
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->inst->items[i].fixed != TN_PACK_FREE) {
            place(s, (choice){i, s->inst->items[i].fixed});
        }
    }
}

tn_found tn_gap_search(tn_arena *arena, const tn_inst *inst, const char *letters,
                       const tn_question *question, uint64_t *offsets, uint64_t *nodes) {
    uint64_t capacity, cost = 1 + (uint64_t)inst->n * inst->n / TN_LIMIT_GAP_COMMON;
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    search *s = TN_NEW(scratch, search);
    *s = (search){.arena = scratch, .inst = inst, .n = inst->n, .stop = question->stop};
    s->budget = question->budget / cost + 1; /* a node looks at all pairs of items */
    s->limit = tn_question_limits(scratch, inst, question->goal, &capacity);
    tn_found found = TN_FOUND_NONE;
    if (s->limit != NULL) {
        s->forbidden = tn_forbidden_make(scratch, inst);
        s->rivals = tn_rivals_make(scratch, inst, &s->forbidden);
        make_state(s);
        set_rank(s, letters);
        place_fixed(s);
        found = run_stack(s);
    }
    if (found == TN_FOUND) {
        memcpy(offsets, s->offset, s->n * sizeof *offsets);
    }
    *nodes += s->nodes * cost;
    tn_arena_drop(scratch);
    return found;
}
