/* What the exact searches work on: an instance without gaps, with sets of items as rows of bits.
 * Items are numbered by ascending size, so that the first item of a set is a smallest one; items
 * alike in all but name stand side by side. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_ROWS_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_ROWS_H

#include "ir/base/bits.h"
#include "passes/pack/offsets/exact/question.h"

typedef struct tn_rows_item {
    uint32_t a, b;         /* sections, half-open */
    uint64_t size;         /* units */
    uint64_t slack;        /* bytes */
    uint32_t item;         /* in the instance */
    bool twin;             /* same in all respects as the item before, and free */
    uint64_t align, fixed; /* units; TN_PACK_FREE */
} tn_rows_item;

typedef struct tn_rows {
    const tn_inst *inst;
    tn_rows_item *items;
    uint32_t n, n_sections;
    uint32_t words;  /* of a row */
    uint64_t *cover; /* a row a section: items alive in it */
    uint64_t *from;  /* n_sections + 1 rows: items that begin there or later */
    uint64_t *until; /* n_sections + 1 rows: items that end there or earlier */
    uint64_t *meet;  /* a row an item: the items it meets, without itself */
    uint64_t *load;  /* units, one a section */
} tn_rows;

/* Needs inst->gaps to be false. */
tn_rows *tn_rows_make(tn_arena *arena, const tn_inst *inst);

static inline const uint64_t *tn_row(const tn_rows *rows, const uint64_t *table, uint32_t k) {
    return table + (size_t)k * rows->words;
}

/* Ranks of the items by letters (passes/pack/base/item_order.h; a small letter: smaller first). */
uint32_t *tn_rows_rank(tn_arena *arena, const tn_rows *rows, const char *letters);

/* tn_question_limits by row. */
uint64_t *tn_rows_limits(tn_arena *arena, const tn_rows *rows, uint64_t goal, uint64_t *capacity);

#endif
