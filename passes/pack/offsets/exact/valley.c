/* The search is depth first with its own stack. A frame is a component: sections that unplaced
 * items tie together, to be completed on their own. Its choices are the candidates at one section,
 * then the skip; a choice may split the component, and then every part has to be completed. */
#include "passes/pack/offsets/exact/valley.h"

#include <string.h>

#include "ir/base/map.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/failed_states.h"
#include "passes/pack/offsets/exact/skyline.h"

#define NEVER UINT64_MAX

/* Sections [l, r) with one floor. */
typedef struct run {
    uint32_t l, r;
    uint64_t floor;
} run;

typedef struct part {
    uint32_t left, right;
    uint64_t slack; /* least of its sections */
} part;

typedef struct frame {
    part self;
    run valley; /* where it branches */
    uint32_t section;
    uint64_t next;             /* floor of the section when it is skipped; NEVER: it cannot be */
    uint32_t first, count, at; /* candidates in the pool; `at` is the choice being tried */
    uint32_t undo;             /* length of the trail before the choice */
    bool tried;                /* a choice is in force */
    uint32_t parts, n_parts, part; /* of the choice */
} frame;

typedef struct search {
    tn_arena *arena;
    const tn_rows *rows;
    const tn_valley_rule *rule;
    uint32_t words;
    tn_skyline sky;
    uint32_t *rank;   /* of each item among candidates */
    uint32_t *turn;   /* of the candidates of one frame, while they are sorted */
    uint64_t *inside; /* a row: unplaced items inside the valley in question */
    uint64_t *fill;   /* units of `inside` in each section */
    uint32_t *count;  /* candidates in each section */
    uint64_t *reach;  /* highest floor between the section in question and another */
    run *runs;
    tn_failed_states failed;
    const tn_question *ask;
    uint64_t nodes;
    TN_VEC(frame) frames;
    TN_VEC(uint32_t) pool;
    TN_VEC(part) parts;
} search;

/* The runs of a component; returns their number. */
static uint32_t find_runs(search *s, const part *p) {
    uint32_t n = 0;
    for (uint32_t q = p->left; q < p->right;) {
        run *r = &s->runs[n++];
        r->l = q;
        r->floor = s->sky.floor[q];
        while (q < p->right && s->sky.floor[q] == r->floor) {
            q++;
        }
        r->r = q;
    }
    return n;
}

/* What decides whether a component can be completed: its sections, their floors, and which items
 * are left inside of it. Tops and slacks follow from these. */
static void write_key(search *s, const part *p) {
    const uint64_t *from = tn_row(s->rows, s->rows->from, p->left);
    const uint64_t *until = tn_row(s->rows, s->rows->until, p->right);
    tn_failed_key(&s->failed);
    tn_failed_put(&s->failed, p->left);
    for (uint32_t q = p->left, l; q < p->right;) {
        for (l = q; q < p->right && s->sky.floor[q] == s->sky.floor[l];) {
            q++;
        }
        tn_failed_put(&s->failed, q - l);
        tn_failed_put(&s->failed, s->sky.floor[l]);
    }
    tn_failed_put(&s->failed, 0); /* no run is as short: the end of the runs */
    for (uint32_t w = 0; w < s->words; w++) {
        s->inside[w] = from[w] & until[w] & s->sky.unplaced[w];
    }
    tn_failed_put_words(&s->failed, s->inside, s->words);
}

/* Height of the lower wall of run k, NEVER when it has none; 0 when k is no valley. */
static uint64_t wall(const search *s, uint32_t k, uint32_t n) {
    uint64_t left = k == 0 ? NEVER : s->runs[k - 1].floor;
    uint64_t right = k + 1 == n ? NEVER : s->runs[k + 1].floor;
    uint64_t low = left < right ? left : right;
    return low > s->runs[k].floor ? low : 0;
}

static void find_inside(search *s, const run *v) {
    const uint64_t *from = tn_row(s->rows, s->rows->from, v->l);
    const uint64_t *until = tn_row(s->rows, s->rows->until, v->r);
    for (uint32_t w = 0; w < s->words; w++) {
        s->inside[w] = from[w] & until[w] & s->sky.unplaced[w];
    }
}

/* Items that stick out of a valley start at its lower wall or higher; what lies below is filled by
 * those inside of it alone, or wasted. False when some section wastes more than it can. */
static bool walls_hold(search *s, const run *v, uint64_t low) {
    if (low == NEVER) {
        return true;
    }
    find_inside(s, v);
    memset(s->fill + v->l, 0, (v->r - v->l + 1) * sizeof *s->fill);
    TN_FOR_BITS(i, w, s->inside[w], s->words) {
        s->fill[s->rows->items[i].a] += s->rows->items[i].size;
        s->fill[s->rows->items[i].b] -= s->rows->items[i].size;
    }
    uint64_t fill = 0, gap = low - v->floor;
    for (uint32_t q = v->l; q < v->r; q++) {
        fill += s->fill[q];
        uint64_t load = tn_skyline_load(&s->sky, q);
        if (load > fill && gap > fill && gap - fill > s->sky.slack[q]) {
            return false;
        }
    }
    return true;
}

/* Numbers of candidates in each section of a valley. */
static void count_candidates(search *s, const run *v) {
    memset(s->count + v->l, 0, (v->r - v->l + 1) * sizeof *s->count);
    TN_FOR_BITS(i, w, s->inside[w], s->words) {
        s->count[s->rows->items[i].a]++;
        s->count[s->rows->items[i].b]--;
    }
    for (uint32_t q = v->l + 1; q < v->r; q++) {
        s->count[q] += s->count[q - 1];
    }
}

/* How badly a section wants to be branched on next: the less, the sooner. */
typedef struct urgency {
    uint64_t first, second, third;
} urgency;

static bool sooner(urgency a, urgency b) {
    return a.first != b.first     ? a.first < b.first
           : a.second != b.second ? a.second < b.second
                                  : a.third < b.third;
}

static void pick_in(search *s, const run *v, urgency *best, frame *f) {
    tn_valley_pick pick = s->rule->pick;
    uint64_t least = NEVER;
    for (uint32_t q = v->l; q < v->r; q++) {
        least = s->sky.slack[q] < least ? s->sky.slack[q] : least;
    }
    uint64_t lead = pick == TN_PICK_SLACK    ? least
                    : pick == TN_PICK_NARROW ? v->r - v->l
                    : pick == TN_PICK_LOWEST ? v->floor
                                             : 0;
    if (lead > best->first) {
        return;
    }
    find_inside(s, v);
    count_candidates(s, v);
    for (uint32_t q = v->l; q < v->r; q++) {
        urgency u = {lead, 0, s->rule->ties ? s->sky.slack[q] : 0};
        if (pick == TN_PICK_SLACK) {
            u.second = s->sky.slack[q] == least ? s->count[q] : NEVER;
        } else {
            u.second = s->count[q];
        }
        if (sooner(u, *best)) {
            *best = u;
            f->section = q;
            f->valley = *v;
        }
    }
}

/* Highest floor between the branching section and every other one of the component. */
static void find_reach(search *s, const frame *f) {
    uint64_t high = 0;
    for (uint32_t q = f->section + 1; q-- > f->self.left;) {
        high = s->sky.floor[q] > high ? s->sky.floor[q] : high;
        s->reach[q] = high;
    }
    high = 0;
    for (uint32_t q = f->section; q < f->self.right; q++) {
        high = s->sky.floor[q] > high ? s->sky.floor[q] : high;
        s->reach[q] = high;
    }
}

/* Index of the first item in a & b, or & ~b; its size, or NEVER. */
static uint64_t smallest(const search *s, const uint64_t *a, const uint64_t *b, uint64_t flip) {
    for (uint32_t w = 0; w < s->words; w++) {
        uint64_t bits = a[w] & (b[w] ^ flip) & s->sky.unplaced[w];
        if (bits != 0) {
            return s->rows->items[w * 64 + (uint32_t)__builtin_ctzll(bits)].size;
        }
    }
    return NEVER;
}

/* Where the lowest item of the section could start at the least, when it does not start on the
 * floor. Items that stick out stand on a wall. The others stand on another item, which stands on
 * the floor or, sticking out itself, on a wall. */
static uint64_t next_floor(search *s, const frame *f, uint64_t low) {
    const uint64_t *cover = tn_row(s->rows, s->rows->cover, f->section);
    uint64_t next = NEVER;
    find_reach(s, f);
    TN_FOR_BITS(i, w, cover[w] & s->sky.unplaced[w], s->words) {
        const tn_rows_item *item = &s->rows->items[i];
        if (item->a < f->valley.l || item->b > f->valley.r) {
            uint64_t l = s->reach[item->a], r = s->reach[item->b - 1];
            uint64_t start = l > r ? l : r;
            next = start < next ? start : next;
            continue;
        }
        const uint64_t *meet = tn_row(s->rows, s->rows->meet, (uint32_t)i);
        uint64_t in = smallest(s, meet, s->inside, 0);
        uint64_t out = low == NEVER ? NEVER : smallest(s, meet, s->inside, ~UINT64_C(0));
        if (in != NEVER && f->valley.floor + in < next) {
            next = f->valley.floor + in;
        }
        if (out != NEVER && low + out < next) {
            next = low + out;
        }
    }
    return next;
}

/* When a candidate has its turn: by rank, but those that end level with a wall they touch go first.
 */
static uint32_t turn_of(const search *s, const frame *f, uint32_t i) {
    const tn_rows_item *item = &s->rows->items[i];
    uint64_t top = f->valley.floor + item->size;
    uint32_t level = 0;
    if (item->a == f->valley.l && item->a > f->self.left) {
        level += s->sky.floor[item->a - 1] == top;
    }
    if (item->b == f->valley.r && item->b < f->self.right) {
        level += s->sky.floor[item->b] == top;
    }
    uint32_t n = s->rows->n, shaken = 0;
    if (s->ask->seed != 0) {
        uint64_t noise = tn_mix(((uint64_t)s->ask->seed << 32) + i + UINT64_C(0x9e3779b97f4a7c15));
        shaken = (uint32_t)(noise % (n / TN_LIMIT_SHAKE + 1));
    }
    return s->rank[i] + shaken + (2 - level) * n;
}

static void push_candidates(search *s, frame *f) {
    const uint64_t *cover = tn_row(s->rows, s->rows->cover, f->section);
    f->first = s->pool.len;
    TN_FOR_BITS(i, w, cover[w] & s->inside[w], s->words) {
        bool twin = s->rows->items[i].twin && tn_skyline_unplaced(&s->sky, (uint32_t)i - 1);
        if (twin || f->valley.floor > s->sky.limit[i]) {
            continue;
        }
        tn_vec_push(s->arena, &s->pool, (uint32_t)i);
        uint32_t k = s->pool.len - 1, turn = turn_of(s, f, (uint32_t)i);
        for (; k > f->first && s->turn[k - 1 - f->first] > turn; k--) {
            s->pool.data[k] = s->pool.data[k - 1];
            s->turn[k - f->first] = s->turn[k - 1 - f->first];
        }
        s->pool.data[k] = (uint32_t)i;
        s->turn[k - f->first] = turn;
    }
    f->count = s->pool.len - f->first;
}

/* Opens the component as a new frame; false when it has no completion. `touched` is where the last
 * choice changed the skyline. */
static bool open_frame(search *s, const part *p, uint32_t touched_l, uint32_t touched_r) {
    frame f = {.self = *p, .undo = s->sky.trail.len, .at = UINT32_MAX};
    uint32_t n = find_runs(s, p);
    s->nodes++;
    write_key(s, p);
    if (tn_failed_known(&s->failed, 0)) {
        return false;
    }
    urgency best = {NEVER, NEVER, NEVER};
    uint64_t low = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t w = wall(s, k, n);
        const run *v = &s->runs[k];
        if (w == 0) {
            continue;
        }
        if (v->l <= touched_r && v->r >= touched_l && !walls_hold(s, v, w)) {
            return false;
        }
        uint32_t before = f.section;
        urgency had = best;
        pick_in(s, v, &best, &f);
        if (before != f.section || sooner(best, had)) {
            low = w;
        }
    }
    find_inside(s, &f.valley);
    push_candidates(s, &f);
    f.next = next_floor(s, &f, low);
    if (f.next == NEVER || f.next - f.valley.floor > s->sky.slack[f.section]) {
        f.next = NEVER;
    }
    tn_vec_push(s->arena, &s->frames, f);
    return true;
}

/* Splits the component of `f` where nothing crosses any more. */
static void push_parts(search *s, frame *f) {
    f->parts = s->parts.len;
    uint32_t left = f->self.left, end = f->self.right;
    for (uint32_t q = left + 1; q <= end; q++) {
        if (q < end && s->sky.crossing[q] > 0) {
            continue;
        }
        uint64_t least = NEVER;
        for (uint32_t t = left; t < q; t++) {
            least = s->sky.slack[t] < least ? s->sky.slack[t] : least;
        }
        bool empty = q - left == 1 && tn_skyline_load(&s->sky, left) == 0;
        if (!empty) {
            part p = {left, q, least};
            tn_vec_push(s->arena, &s->parts, p);
            uint32_t k = s->parts.len - 1;
            for (; k > f->parts && s->parts.data[k - 1].slack > p.slack; k--) {
                s->parts.data[k] = s->parts.data[k - 1];
            }
            s->parts.data[k] = p;
        }
        left = q;
    }
    f->n_parts = s->parts.len - f->parts;
    f->part = 0;
}

/* Applies the next choice of the top frame; false when there is none left. */
static bool next_choice(search *s, frame *f) {
    for (f->at++; f->at < f->count; f->at++) {
        uint32_t i = s->pool.data[f->first + f->at];
        if (smallest(s, tn_row(s->rows, s->rows->meet, i), s->sky.unplaced, 0) == NEVER) {
            f->at = f->count; /* it is in nobody's way: no other choice can do better */
        }
        if (tn_skyline_place(&s->sky, i)) {
            push_parts(s, f);
            return true;
        }
        tn_skyline_take_back(&s->sky, f->undo);
    }
    if (f->at == f->count && f->next != NEVER) {
        tn_skyline_raise(&s->sky, f->section, f->next);
        push_parts(s, f);
        return true;
    }
    return false;
}

static void remember(search *s, const frame *f) {
    write_key(s, &f->self);
    tn_failed_add(&s->failed, 0);
}

static void leave_frame(search *s) {
    s->pool.len = s->frames.data[--s->frames.len].first;
}

/* Works on the top frame until the stack is empty. Each turn opens the next part of the choice
 * being tried, or leaves the frame completed, or tries its next choice, or leaves it failed. */
static tn_found run_stack(search *s) {
    bool failed = false; /* the choice of the top frame cannot be completed */
    while (s->frames.len > 0) {
        frame *f = &s->frames.data[s->frames.len - 1];
        if (failed) {
            tn_skyline_take_back(&s->sky, f->undo);
            s->parts.len = f->parts;
            f->tried = false;
        }
        failed = false;
        if (f->tried && f->part < f->n_parts) {
            part p = s->parts.data[f->parts + f->part++];
            if (s->nodes >= s->ask->budget ||
                (s->nodes % TN_LIMIT_CLOCK_EVERY == 0 && tn_stop_asked(s->arena, s->ask->stop))) {
                return TN_FOUND_CUT;
            }
            failed = !open_frame(s, &p, f->valley.l, f->valley.r);
        } else if (f->tried) {
            leave_frame(s);
        } else if (next_choice(s, f)) {
            f->tried = true;
        } else {
            remember(s, f);
            leave_frame(s);
            failed = true;
        }
    }
    return failed ? TN_FOUND_NONE : TN_FOUND;
}

/* The bottom frame has no choice to make; its parts are the components of the instance. */
static void push_root(search *s) {
    frame root = {.self = {0, s->rows->n_sections, 0}, .next = NEVER, .tried = true};
    root.valley = (run){0, s->rows->n_sections, 0};
    push_parts(s, &root);
    tn_vec_push(s->arena, &s->frames, root);
}

static void make_scratch(search *s) {
    size_t m = s->rows->n_sections;
    s->failed = tn_failed_states_make(s->arena, s->ask->budget);
    s->words = s->rows->words;
    s->rank = tn_rows_rank(s->arena, s->rows, s->rule->letters);
    s->turn = TN_ARRAY(s->arena, uint32_t, s->rows->n);
    s->inside = TN_ARRAY(s->arena, uint64_t, s->words);
    s->fill = TN_ARRAY(s->arena, uint64_t, m + 1);
    s->count = TN_ARRAY(s->arena, uint32_t, m + 1);
    s->reach = TN_ARRAY(s->arena, uint64_t, m);
    s->runs = TN_ARRAY(s->arena, run, m);
}

tn_found tn_valley_run(tn_arena *arena, const tn_rows *rows, const tn_valley_rule *rule,
                       const tn_question *question, uint64_t *offsets, uint64_t *nodes) {
    search s = {.rows = rows, .rule = rule, .ask = question};
    s.arena = tn_arena_new(tn_arena_ctx(arena));
    tn_found found = TN_FOUND_NONE;
    if (tn_skyline_make(&s.sky, s.arena, rows, question->goal)) {
        make_scratch(&s);
        push_root(&s);
        found = run_stack(&s);
    }
    for (uint32_t i = 0; i < rows->n && found == TN_FOUND; i++) {
        offsets[rows->items[i].item] = s.sky.offset[i];
    }
    *nodes += s.nodes;
    tn_arena_drop(s.arena);
    return found;
}
