#include "passes/pack/core.h"

#include <string.h>

#include "passes/pack/order.h"

static uint64_t sort_key(const tn_item *item, int which) {
    switch (which) {
    case 0:
        return item->fixed ^ item->align ^ item->slack;
    case 1:
        return item->b;
    case 2:
        return item->a;
    default:
        return item->size;
    }
}

static bool same(const tn_core_item *x, const tn_core_item *y) {
    return x->a == y->a && x->b == y->b && x->size == y->size && x->slack == y->slack &&
           x->align == y->align && x->fixed == TN_PACK_FREE && y->fixed == TN_PACK_FREE;
}

static void number_items(tn_arena *arena, tn_core *core, const tn_inst *inst) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_sort_key *keys = TN_ARRAY(scratch, tn_sort_key, inst->n);
    tn_sort_key *spare = TN_ARRAY(scratch, tn_sort_key, inst->n);
    for (uint32_t i = 0; i < inst->n; i++) {
        keys[i].item = i;
    }
    for (int which = 0; which < 4; which++) {
        for (uint32_t k = 0; k < inst->n; k++) {
            keys[k].key = sort_key(&inst->items[keys[k].item], which);
        }
        tn_sort_keys(keys, spare, inst->n);
    }
    core->items = TN_ARRAY(arena, tn_core_item, inst->n);
    for (uint32_t k = 0; k < inst->n; k++) {
        const tn_item *i = &inst->items[keys[k].item];
        core->items[k] =
            (tn_core_item){i->a, i->b, i->size, i->slack, keys[k].item, false, i->align, i->fixed};
        core->items[k].twin = k > 0 && same(&core->items[k - 1], &core->items[k]);
    }
    tn_arena_drop(scratch);
}

static void set_bit(uint64_t *rows, const tn_core *core, uint32_t row, uint32_t bit) {
    rows[(size_t)row * core->words + bit / 64] |= UINT64_C(1) << (bit % 64);
}

/* Items that begin or end somewhere are collected section by section; what an item meets, and what
 * a section holds, is all that neither ended before nor begins after. */
static void fill_rows(tn_core *core) {
    uint32_t words = core->words, m = core->n_sections;
    for (uint32_t i = 0; i < core->n; i++) {
        set_bit(core->from, core, core->items[i].a, i);
        set_bit(core->until, core, core->items[i].b, i);
    }
    for (size_t k = (size_t)m * words; k-- > 0;) {
        core->from[k] |= core->from[k + words];
    }
    for (size_t k = words; k < ((size_t)m + 1) * words; k++) {
        core->until[k] |= core->until[k - words];
    }
    const uint64_t *all = core->from;
    for (uint32_t s = 0; s < m; s++) {
        for (uint32_t w = 0; w < words; w++) {
            size_t k = (size_t)s * words + w;
            core->cover[k] = all[w] & ~core->until[k] & ~core->from[k + words];
        }
    }
    for (uint32_t i = 0; i < core->n; i++) {
        const uint64_t *ended = tn_core_row(core, core->until, core->items[i].a);
        const uint64_t *later = tn_core_row(core, core->from, core->items[i].b);
        uint64_t *row = core->meet + (size_t)i * words;
        for (uint32_t w = 0; w < words; w++) {
            row[w] = all[w] & ~ended[w] & ~later[w];
        }
        row[i / 64] &= ~(UINT64_C(1) << (i % 64));
    }
}

tn_core *tn_core_make(tn_arena *arena, const tn_inst *inst) {
    tn_core *core = TN_NEW(arena, tn_core);
    core->inst = inst;
    core->n = inst->n;
    core->n_sections = inst->n_sections;
    core->words = inst->n / 64 + 1;
    core->load = inst->load;
    size_t rows = (size_t)inst->n_sections + 1;
    core->cover = TN_ARRAY(arena, uint64_t, rows * core->words);
    core->from = TN_ARRAY(arena, uint64_t, rows * core->words);
    core->until = TN_ARRAY(arena, uint64_t, rows * core->words);
    core->meet = TN_ARRAY(arena, uint64_t, (size_t)inst->n * core->words);
    core->plain = true;
    for (uint32_t i = 0; i < inst->n; i++) {
        core->plain &= inst->items[i].align == 1 && inst->items[i].fixed == TN_PACK_FREE;
    }
    number_items(arena, core, inst);
    fill_rows(core);
    return core;
}

/* Letters in lower case ask for the reverse of their order. */
uint32_t *tn_core_rank(tn_arena *arena, const tn_core *core, const char *letters) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_orders orders = tn_orders_make(scratch, core->inst);
    for (uint32_t k = 0; k < core->n; k++) {
        orders.keys[k].item = k;
    }
    for (size_t l = strlen(letters); l-- > 0;) {
        bool reverse = letters[l] >= 'a';
        const uint64_t *key =
            tn_orders_key(&orders, reverse ? (char)(letters[l] - 'a' + 'A') : letters[l]);
        for (uint32_t k = 0; k < core->n; k++) {
            uint64_t x = key[core->items[orders.keys[k].item].item];
            orders.keys[k].key = reverse ? x : ~x;
        }
        tn_sort_keys(orders.keys, orders.spare, core->n);
    }
    uint32_t *rank = TN_ARRAY(arena, uint32_t, core->n);
    for (uint32_t k = 0; k < core->n; k++) {
        rank[orders.keys[k].item] = k;
    }
    tn_arena_drop(scratch);
    return rank;
}

uint64_t *tn_core_limits(tn_arena *arena, const tn_core *core, uint64_t goal, uint64_t *capacity) {
    uint64_t *limit = TN_ARRAY(arena, uint64_t, core->n);
    *capacity = 0;
    for (uint32_t i = 0; i < core->n; i++) {
        const tn_core_item *item = &core->items[i];
        uint64_t top = (goal + item->slack) / core->inst->unit;
        if (top < item->size || (item->fixed != TN_PACK_FREE && item->fixed > top - item->size)) {
            return NULL;
        }
        limit[i] = top - item->size;
        *capacity = top > *capacity ? top : *capacity;
    }
    return limit;
}
