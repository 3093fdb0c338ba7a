#include <string.h>

#include "passes/pack/base/budgets.h"
#include "passes/pack/keep/keep_t.h"

enum { STEPS_PER_NODE = 20 }; /* steps of other kinds that take the time of a node of search */

static uint64_t moved_by(const tn_keep_case *c, const uint64_t *offset) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        sum += c->may_stay[i] && offset[i] != c->items[i].before ? c->items[i].weight : 0;
    }
    return sum;
}

void tn_keep_offer(tn_keep_case *c, const uint64_t *offset) {
    uint64_t moved = moved_by(c, offset);
    if (moved < c->best_moved) {
        c->best_moved = moved;
        memcpy(c->best, offset, c->n * sizeof *offset);
    }
}

tn_keep_answer tn_keep_try(tn_keep_case *c, const bool *stays) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(c->arena));
    tn_pack_buffer *buffers = TN_ARRAY(scratch, tn_pack_buffer, c->n);
    tn_pack_options o = {.effort = c->effort == 0 ? 1 : c->effort,
                         .capacity = c->capacity,
                         .budget = tn_budget(TN_BUDGET_KEEP_NODES, c->effort)};
    tn_pack_result r;
    for (uint32_t i = 0; i < c->n; i++) {
        buffers[i] = c->items[i].buffer;
        buffers[i].fixed = stays[i] ? c->items[i].before : buffers[i].fixed;
    }
    tn_status status = tn_pack(scratch, buffers, c->n, &o, &r);
    c->work += c->n + (status == TN_ERROR ? 0 : r.work + STEPS_PER_NODE * r.nodes);
    if (status == TN_OK) {
        tn_keep_offer(c, r.offsets);
    }
    bool cannot = status == TN_ERROR || (status == TN_NOFIT && r.bound > c->capacity);
    tn_arena_drop(scratch);
    return status == TN_OK ? TN_KEEP_FITS : cannot ? TN_KEEP_CANNOT : TN_KEEP_UNKNOWN;
}

/* ---- the normal form ---- */

/* `fixed` holds n items that have to lie where they are fixed. */
static bool may_stay(const tn_keep_case *c, const uint32_t *fixed, uint32_t n, uint32_t i) {
    const tn_keep_item *t = &c->items[i];
    bool stays = t->before != TN_PACK_FREE && t->weight > 0 && t->buffer.size > 0 &&
                 t->before % t->buffer.align == 0 && t->buffer.size <= c->capacity &&
                 t->before <= c->capacity - t->buffer.size &&
                 (t->buffer.fixed == TN_PACK_FREE || t->buffer.fixed == t->before);
    for (uint32_t k = 0; k < n && stays; k++) {
        uint64_t at = c->items[fixed[k]].buffer.fixed;
        stays = fixed[k] == i || !tn_keep_clash(c, i, t->before, fixed[k], at);
    }
    return stays;
}

static void begin(tn_keep_case *c, const uint64_t *start) {
    c->may_stay = TN_ARRAY(c->arena, bool, c->n);
    c->best = TN_ARRAY(c->arena, uint64_t, c->n);
    uint32_t *fixed = TN_ARRAY(c->arena, uint32_t, c->n), n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        fixed[n] = i;
        n += c->items[i].buffer.fixed != TN_PACK_FREE;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        const tn_keep_item *t = &c->items[i];
        c->may_stay[i] = may_stay(c, fixed, n, i);
        bool empty = t->buffer.size == 0 && t->before <= c->capacity &&
                     t->before % t->buffer.align == 0 && t->buffer.fixed == TN_PACK_FREE;
        c->best[i] = empty ? t->before : start[i];
        c->impossible +=
            t->before != TN_PACK_FREE && !c->may_stay[i] && c->best[i] != t->before ? t->weight : 0;
    }
    c->best_moved = moved_by(c, c->best);
}

/* ---- all ---- */

/* The next phase may spend what is left up to so many of PARTS parts of the budget. */
enum { PARTS = 4, UP_TO_PUSH = 1, UP_TO_GROW = 2, UP_TO_PROVE = 3, UP_TO_END = PARTS };
static void allow(tn_keep_case *c, uint64_t parts) {
    c->limit = tn_budget(TN_BUDGET_KEEP_WORK, c->effort) / PARTS * parts;
}

/* All that may stay and hit no set stay. The first try often settles it: a few that clash move, and
 * the packer finds room for them. */
static void search(tn_keep_case *c) {
    tn_keep_sets sets = {0};
    bool *stays = TN_ARRAY(c->arena, bool, c->n), *hit = TN_ARRAY(c->arena, bool, c->n);
    uint64_t weight;
    bool known = tn_keep_pairs(c, &sets);
    c->least = tn_keep_hit(c, &sets, hit, &weight) ? weight : 0;
    for (uint32_t i = 0; i < c->n; i++) {
        stays[i] = c->may_stay[i] && !hit[i];
    }
    allow(c, UP_TO_PUSH);
    if (c->best_moved > c->least && (!known || tn_keep_try(c, stays) != TN_KEEP_FITS)) {
        tn_keep_push(c, stays);
    }
    tn_keep_restore(c);
    allow(c, UP_TO_GROW);
    for (unsigned k = 0; k < TN_KEEP_ORDERS && c->best_moved > c->least && c->effort > 0; k++) {
        tn_keep_grow(c, (tn_keep_order)k);
    }
    allow(c, UP_TO_PROVE);
    if (known && c->best_moved > c->least && c->effort > 0) {
        tn_keep_prove(c, &sets);
    }
    allow(c, UP_TO_END);
    tn_keep_restore(c);
}

void tn_pack_keep(tn_arena *arena, const tn_keep_item *items, uint32_t n, const uint64_t *start,
                  const tn_keep_options *options, tn_keep_result *out) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    uint32_t effort = options->effort > 3 ? 3 : options->effort;
    tn_keep_case c = {
        .arena = scratch, .items = items, .n = n, .capacity = options->capacity, .effort = effort};
    begin(&c, start);
    if (c.best_moved > 0) {
        search(&c);
    }
    *out = (tn_keep_result){.offset = TN_ARRAY(arena, uint64_t, n),
                            .moved = c.best_moved + c.impossible,
                            .least = c.least + c.impossible};
    for (uint32_t i = 0; i < n; i++) {
        uint64_t end = c.best[i] + items[i].buffer.size;
        out->offset[i] = c.best[i];
        out->height = end > out->height ? end : out->height;
    }
    tn_arena_drop(scratch);
}
