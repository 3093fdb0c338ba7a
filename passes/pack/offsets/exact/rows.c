#include "passes/pack/offsets/exact/rows.h"

#include <string.h>

#include "ir/base/key_sort.h"
#include "passes/pack/base/item_order.h"

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

static bool same(const tn_rows_item *x, const tn_rows_item *y) {
    return x->a == y->a && x->b == y->b && x->size == y->size && x->slack == y->slack &&
           x->align == y->align && x->fixed == TN_PACK_FREE && y->fixed == TN_PACK_FREE;
}

static void number_items(tn_arena *arena, tn_rows *rows, const tn_inst *inst) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_sort_key *keys = tn_sort_room(scratch, inst->n);
    for (uint32_t i = 0; i < inst->n; i++) {
        keys[i].item = i;
    }
    for (int which = 0; which < 4; which++) {
        for (uint32_t k = 0; k < inst->n; k++) {
            keys[k].key = sort_key(&inst->items[keys[k].item], which);
        }
        tn_sort_keys(keys, inst->n);
    }
    rows->items = TN_ARRAY(arena, tn_rows_item, inst->n);
    for (uint32_t k = 0; k < inst->n; k++) {
        const tn_item *i = &inst->items[keys[k].item];
        rows->items[k] =
            (tn_rows_item){i->a, i->b, i->size, i->slack, keys[k].item, false, i->align, i->fixed};
        rows->items[k].twin = k > 0 && same(&rows->items[k - 1], &rows->items[k]);
    }
    tn_arena_drop(scratch);
}

static void set_bit(uint64_t *table, const tn_rows *rows, uint32_t row, uint32_t bit) {
    tn_bit_add(table + (size_t)row * rows->words, bit);
}

/* Items that begin or end somewhere are collected section by section; what an item meets, and what
 * a section holds, is all that neither ended before nor begins after. */
static void fill_rows(tn_rows *rows) {
    uint32_t words = rows->words, m = rows->n_sections;
    for (uint32_t i = 0; i < rows->n; i++) {
        set_bit(rows->from, rows, rows->items[i].a, i);
        set_bit(rows->until, rows, rows->items[i].b, i);
    }
    for (size_t k = (size_t)m * words; k-- > 0;) {
        rows->from[k] |= rows->from[k + words];
    }
    for (size_t k = words; k < ((size_t)m + 1) * words; k++) {
        rows->until[k] |= rows->until[k - words];
    }
    const uint64_t *all = rows->from;
    for (uint32_t s = 0; s < m; s++) {
        for (uint32_t w = 0; w < words; w++) {
            size_t k = (size_t)s * words + w;
            rows->cover[k] = all[w] & ~rows->until[k] & ~rows->from[k + words];
        }
    }
    for (uint32_t i = 0; i < rows->n; i++) {
        const uint64_t *ended = tn_row(rows, rows->until, rows->items[i].a);
        const uint64_t *later = tn_row(rows, rows->from, rows->items[i].b);
        uint64_t *row = rows->meet + (size_t)i * words;
        for (uint32_t w = 0; w < words; w++) {
            row[w] = all[w] & ~ended[w] & ~later[w];
        }
        tn_bit_remove(row, i);
    }
}

tn_rows *tn_rows_make(tn_arena *arena, const tn_inst *inst) {
    tn_rows *rows = TN_NEW(arena, tn_rows);
    rows->inst = inst;
    rows->n = inst->n;
    rows->n_sections = inst->n_sections;
    rows->words = inst->n / 64 + 1;
    rows->load = inst->load;
    size_t n_rows = (size_t)inst->n_sections + 1;
    rows->cover = TN_ARRAY(arena, uint64_t, n_rows * rows->words);
    rows->from = TN_ARRAY(arena, uint64_t, n_rows * rows->words);
    rows->until = TN_ARRAY(arena, uint64_t, n_rows * rows->words);
    rows->meet = TN_ARRAY(arena, uint64_t, (size_t)inst->n * rows->words);
    number_items(arena, rows, inst);
    fill_rows(rows);
    return rows;
}

/* Letters in lower case ask for the reverse of their order. */
uint32_t *tn_rows_rank(tn_arena *arena, const tn_rows *rows, const char *letters) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_orders orders = tn_orders_make(scratch, rows->inst);
    for (uint32_t k = 0; k < rows->n; k++) {
        orders.keys[k].item = k;
    }
    for (size_t l = strlen(letters); l-- > 0;) {
        bool reverse = letters[l] >= 'a';
        const uint64_t *key =
            tn_orders_key(&orders, reverse ? (char)(letters[l] - 'a' + 'A') : letters[l]);
        for (uint32_t k = 0; k < rows->n; k++) {
            uint64_t x = key[rows->items[orders.keys[k].item].item];
            orders.keys[k].key = reverse ? x : ~x;
        }
        tn_sort_keys(orders.keys, rows->n);
    }
    uint32_t *rank = TN_ARRAY(arena, uint32_t, rows->n);
    for (uint32_t k = 0; k < rows->n; k++) {
        rank[orders.keys[k].item] = k;
    }
    tn_arena_drop(scratch);
    return rank;
}

uint64_t *tn_rows_limits(tn_arena *arena, const tn_rows *rows, uint64_t goal, uint64_t *capacity) {
    const uint64_t *by_item = tn_question_limits(arena, rows->inst, goal, capacity);
    uint64_t *limit = by_item == NULL ? NULL : TN_ARRAY(arena, uint64_t, rows->n);
    for (uint32_t i = 0; i < rows->n && limit != NULL; i++) {
        limit[i] = by_item[rows->items[i].item];
    }
    return limit;
}
