/* Which bytes of which values hold the same content, whatever lies where. Values are cut into cells
 * of whole aligned blocks, so that a cell is content of all values that cover it and of no part of
 * another: what a slice holds are cells of its operand, what a concatenation holds are those of its
 * operands. However a plan shares bytes, two contents that are wanted at once need bytes of their
 * own. */
#ifndef TENURE_PASSES_SCHEDULE_CONTENTS_H
#define TENURE_PASSES_SCHEDULE_CONTENTS_H

#include "ir/base/arena.h"

/* `inner` and `outer` (ids of values) have their cells at the same places, block 0 of `inner` being
 * block `at` of `outer`, as far as both reach. `same`: and these cells are one content. */
typedef struct tn_content_link {
    uint32_t inner, outer;
    uint64_t at;
    bool same;
} tn_content_link;

typedef struct tn_contents {
    const uint32_t *first;  /* by value, one more at the end: its cells, in order of their place */
    const uint64_t *blocks; /* by cell */
    uint32_t n;             /* cells */
    uint32_t *up;           /* by cell: towards the cell that stands for its content */
} tn_contents;

/* `blocks` is by value, 0 for those that do not count. False when there are too many cells to be
 * worth it. */
bool tn_contents_make(tn_arena *arena, uint32_t n_values, const uint64_t *blocks,
                      const tn_content_link *links, uint32_t n_links, tn_contents *out);

/* The cell that stands for the content of a cell. */
uint32_t tn_content_of(const tn_contents *c, uint32_t cell);
/* Makes two contents one. */
void tn_content_join(tn_contents *c, uint32_t a, uint32_t b);

#endif
