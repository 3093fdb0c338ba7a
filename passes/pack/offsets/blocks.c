/* Passes over all boundaries between sections, each by one rule, until none finds anything. A pass
 * sees the blocks as they were when it began; what it joins is seen by the next one. Sure rules
 * come before guesses, and begin again after each pass that joined something. */
#include "passes/pack/offsets/blocks.h"

#include <string.h>

#include "passes/pack/base/budgets.h"
#include "passes/pack/base/packing.h"
#include "passes/pack/base/without.h"

#define NONE UINT32_MAX

typedef struct block {
    uint32_t a, b;
    uint64_t size, slack; /* units, bytes */
    uint32_t parent;      /* the block it became part of, or NONE */
    uint64_t above;       /* its offset there */
    bool rigid;           /* fixed, aligned to more than a unit, or with gaps: never joined */
} block;

/* Blocks by the boundary where they begin or end: those of t are ids[at[t]] .. ids[at[t + 1] - 1].
 */
typedef struct by_time {
    uint32_t *ids, *at;
} by_time;

struct tn_blocks {
    tn_arena *arena;
    const tn_inst *inst, *joined;
    block *blocks; /* the items, then what they were joined into */
    uint32_t n;
    uint32_t *of_buffer; /* the block of each buffer of `joined` */
    uint64_t *offsets;   /* of the blocks, while expanding */
    by_time begin, end;
    uint32_t trust;
    const char *without;
    uint64_t steps; /* left */
};

static bool is_free(const tn_blocks *j, uint32_t i) {
    return j->blocks[i].parent == NONE && !j->blocks[i].rigid;
}

static void sort_by_time(const tn_blocks *j, by_time *t, bool end) {
    uint32_t m = j->inst->n_sections;
    memset(t->at, 0, ((size_t)m + 2) * sizeof *t->at);
    for (uint32_t i = 0; i < j->n; i++) {
        if (is_free(j, i)) {
            t->at[end ? j->blocks[i].b : j->blocks[i].a]++;
        }
    }
    for (uint32_t s = 1; s <= m + 1; s++) {
        t->at[s] += t->at[s - 1];
    }
    for (uint32_t i = j->n; i-- > 0;) {
        if (is_free(j, i)) {
            t->ids[--t->at[end ? j->blocks[i].b : j->blocks[i].a]] = i;
        }
    }
}

/* A block over the given sections, of parts that are added next. */
static uint32_t new_block(tn_blocks *j, uint32_t a, uint32_t b, uint64_t size) {
    j->blocks[j->n] = (block){a, b, size, UINT64_MAX, NONE, 0, false};
    return j->n++;
}

static void add_part(tn_blocks *j, uint32_t whole, uint32_t part, uint64_t above) {
    block *w = &j->blocks[whole], *p = &j->blocks[part];
    p->parent = whole;
    p->above = above;
    if (above + p->size == w->size && p->slack < w->slack) {
        w->slack = p->slack; /* of what may end at the very top */
    }
}

/* Calls `i` each block that begins (or ends) at boundary t and is still free. */
#define FOR_BLOCKS(i, j, times, t)                                                                 \
    for (uint32_t k_##i = (times).at[t], i; k_##i < (times).at[(t) + 1]; k_##i++)                  \
        if (i = (times).ids[k_##i], (j)->steps -= (j)->steps > 0, is_free(j, i))

static uint32_t count_at(const by_time *times, uint32_t t) {
    return times->at[t + 1] - times->at[t];
}

/* A block as large as another that ends where it begins. */
static bool chain(tn_blocks *j, uint32_t t) {
    uint32_t before = j->n;
    uint64_t pairs = (uint64_t)count_at(&j->end, t) * count_at(&j->begin, t);
    FOR_BLOCKS(x, j, j->end, t) {
        FOR_BLOCKS(y, j, j->begin, t) {
            if (j->blocks[x].size == j->blocks[y].size && j->blocks[x].size >= pairs * j->trust) {
                uint32_t w = new_block(j, j->blocks[x].a, j->blocks[y].b, j->blocks[x].size);
                add_part(j, w, x, 0);
                add_part(j, w, y, 0);
                break;
            }
        }
    }
    return j->n > before;
}

/* A block of `size` units at boundary t with the other end at `other`; NONE when there is none. */
static uint32_t find(tn_blocks *j, bool end, uint32_t t, uint64_t size, uint32_t other) {
    FOR_BLOCKS(i, j, end ? j->end : j->begin, t) {
        const block *b = &j->blocks[i];
        if (b->size == size && (other == NONE || other == (end ? b->a : b->b))) {
            return i;
        }
    }
    return NONE;
}

/* Left, bottom, centre, top, right, with live ranges [s, x), [s, y), [x, y), [x, e), [y, e). */
static bool wheel_of(tn_blocks *j, uint32_t left, uint32_t centre, uint32_t right) {
    const block *l = &j->blocks[left], *c = &j->blocks[centre], *r = &j->blocks[right];
    if (l->size <= c->size || r->size <= c->size) {
        return false;
    }
    uint32_t top = find(j, false, c->a, l->size - c->size, r->b);
    uint32_t bottom = find(j, true, c->b, r->size - c->size, l->a);
    if (top == NONE || bottom == NONE) {
        return false;
    }
    uint64_t low = j->blocks[bottom].size;
    uint32_t w = new_block(j, l->a, r->b, low + l->size);
    add_part(j, w, bottom, 0);
    add_part(j, w, right, 0);
    add_part(j, w, left, low);
    add_part(j, w, centre, low);
    add_part(j, w, top, j->blocks[right].size);
    return true;
}

static bool wheel_around(tn_blocks *j, uint32_t centre) {
    FOR_BLOCKS(left, j, j->end, j->blocks[centre].a) {
        FOR_BLOCKS(right, j, j->begin, j->blocks[centre].b) {
            if (wheel_of(j, left, centre, right)) {
                return true;
            }
        }
    }
    return false;
}

/* A pinwheel whose centre begins at t. */
static bool wheel(tn_blocks *j, uint32_t t) {
    bool any = false;
    FOR_BLOCKS(centre, j, j->begin, t) {
        any |= wheel_around(j, centre);
    }
    return any;
}

static bool stack_if(tn_blocks *j, uint32_t t, bool always) {
    uint32_t before = j->n;
    uint64_t life = (uint64_t)count_at(&j->begin, t) * j->trust;
    FOR_BLOCKS(x, j, j->begin, t) {
        FOR_BLOCKS(y, j, j->begin, t) {
            uint32_t end = j->blocks[x].b;
            uint64_t size = j->blocks[x].size, both = size + j->blocks[y].size;
            if (x == y || j->blocks[y].b != end || (always && end - t < life) ||
                (!always && find(j, true, t, both, NONE) == NONE &&
                 find(j, false, end, both, NONE) == NONE)) {
                continue;
            }
            uint32_t w = new_block(j, t, end, both);
            add_part(j, w, x, 0);
            add_part(j, w, y, size);
            break;
        }
    }
    return j->n > before;
}

/* two of one live range that together are as large as what comes before or after them. */
static bool stack(tn_blocks *j, uint32_t t) {
    return stack_if(j, t, false);
}

static bool stack_all(tn_blocks *j, uint32_t t) {
    return stack_if(j, t, true);
}

static bool pass(tn_blocks *j, const char *name, bool (*rule)(tn_blocks *, uint32_t)) {
    bool any = false;
    if (tn_left_out(j->without, name)) {
        return false;
    }
    sort_by_time(j, &j->begin, false);
    sort_by_time(j, &j->end, true);
    for (uint32_t t = 0; t < j->inst->n_sections && j->steps > 0; t++) {
        any |= rule(j, t);
    }
    return any;
}

static void join_all(tn_blocks *j) {
    while (j->steps > 0 && (pass(j, "chain", chain) || pass(j, "stack", stack) ||
                            pass(j, "wheel", wheel) || pass(j, "stack-all", stack_all))) {
    }
}

static void make_blocks(tn_blocks *j) {
    const tn_inst *inst = j->inst;
    for (uint32_t i = 0; i < inst->n; i++) {
        const tn_item *item = &inst->items[i];
        const tn_span *span = &inst->spans[item->span];
        bool gaps = item->n_spans > 1 || span->lo > 0 || span->hi < item->size;
        bool rigid = gaps || item->align > 1 || item->fixed != TN_PACK_FREE;
        j->blocks[i] = (block){item->a, item->b, item->size, item->slack, NONE, 0, rigid};
    }
    j->n = inst->n;
}

/* Blocks of several items take sections for times, and so does everything else. */
static void make_joined(tn_blocks *j) {
    const tn_inst *inst = j->inst;
    tn_pack_buffer *buffers = TN_ARRAY(j->arena, tn_pack_buffer, inst->n);
    j->of_buffer = TN_ARRAY(j->arena, uint32_t, inst->n);
    uint32_t n = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        const block *b = &j->blocks[i];
        if (b->parent != NONE) {
            continue;
        }
        j->of_buffer[n] = i;
        buffers[n++] = i < inst->n ? tn_item_buffer(inst, i)
                                   : (tn_pack_buffer){.first = b->a,
                                                      .last = b->b,
                                                      .size = b->size * inst->unit - b->slack,
                                                      .align = inst->unit,
                                                      .fixed = TN_PACK_FREE};
    }
    j->joined = tn_inst_make(j->arena, buffers, n);
}

tn_blocks *tn_blocks_make(tn_arena *arena, const tn_inst *inst, uint32_t trust,
                          const char *without) {
    size_t n = inst->n, m = inst->n_sections;
    tn_blocks *j = TN_NEW(arena, tn_blocks);
    j->arena = arena;
    j->inst = inst;
    j->trust = trust;
    j->without = without;
    j->steps = TN_LIMIT_BLOCK_STEPS * (uint64_t)n;
    j->blocks = TN_ARRAY(arena, block, 2 * n);
    j->begin = (by_time){TN_ARRAY(arena, uint32_t, n), TN_ARRAY(arena, uint32_t, m + 2)};
    j->end = (by_time){TN_ARRAY(arena, uint32_t, n), TN_ARRAY(arena, uint32_t, m + 2)};
    make_blocks(j);
    join_all(j);
    if (j->n == inst->n) {
        return NULL;
    }
    j->offsets = TN_ARRAY(arena, uint64_t, j->n);
    make_joined(j);
    return j;
}

const tn_inst *tn_blocks_inst(const tn_blocks *join) {
    return join->joined;
}

/* Parts stand before the blocks they are joined into. */
void tn_blocks_expand(tn_blocks *join, const uint64_t *offsets, uint64_t *items) {
    uint64_t step = join->joined->unit / join->inst->unit;
    for (uint32_t k = 0; k < join->joined->n; k++) {
        uint32_t buffer = join->joined->items[k].buffer;
        join->offsets[join->of_buffer[buffer]] = offsets[k] * step;
    }
    for (uint32_t i = join->n; i-- > 0;) {
        const block *b = &join->blocks[i];
        if (b->parent != NONE) {
            join->offsets[i] = join->offsets[b->parent] + b->above;
        }
    }
    memcpy(items, join->offsets, join->inst->n * sizeof *items);
}
