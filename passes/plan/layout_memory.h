/* Packings made in one run of a pipeline, by all that they were made from. A form of the module
 * that was tried (passes/core/candidates.h) and is chosen is laid out by the same questions again,
 * and the answers are those of the trial. */
#ifndef TENURE_PASSES_PLAN_LAYOUT_MEMORY_H
#define TENURE_PASSES_PLAN_LAYOUT_MEMORY_H

#include "passes/plan/arena_layout.h"

/* Offsets or objects for the buffers, and what they cost. */
typedef struct tn_packing {
    uint64_t *offset;
    uint32_t *slot;
    uint64_t *slot_offset, *slot_size;
    uint32_t n_slots;
    uint64_t size, bound, nodes;
    const char *algorithm;
} tn_packing;

typedef struct tn_packing_question {
    const tn_layout_ask *ask;
    const tn_pack_buffer *buffers;
    const uint32_t *group; /* by buffer: equal for those that may share at level 0; NULL: with
                              overlaps, of which nothing is laid out but the packing itself */
    uint32_t n;
} tn_packing_question;

/* The packing of the level asked for, and figures of all. */
typedef struct tn_packing_answer {
    tn_packing chosen;
    uint64_t bound, nodes, level0, level1;
    int64_t peak;
} tn_packing_answer;

typedef struct tn_layout_memory tn_layout_memory;

/* What is remembered lies in `arena`. */
tn_layout_memory *tn_layout_memory_new(tn_arena *arena);
/* All searches together get so many nodes, each search at most half of what is left: where many
 * plans are compared. A node counts as one for up to 200 buffers, and as more in proportion for
 * more buffers. Without this there is no limit. */
void tn_layout_memory_limit(tn_layout_memory *memory, uint64_t nodes);
/* NULL where the question was not asked before, or `memory` is NULL. */
const tn_packing_answer *tn_layout_recall(const tn_layout_memory *memory,
                                          const tn_packing_question *q);
/* Copies both, as long as there is room. */
void tn_layout_remember(tn_layout_memory *memory, const tn_packing_question *q,
                        const tn_packing_answer *answer);

/* Nodes that exact search may spend on the question, which is not known: fewer where there are many
 * buffers, as a node costs more then, and a quarter after each question of the same kind that was
 * remembered without a proof. So forms that are tried one after the other take together little more
 * than one. 0, for the default of the effort, where the effort is no search, the question says
 * itself how much, or the answer could not be remembered. */
uint64_t tn_layout_search_nodes(const tn_layout_memory *memory, const tn_packing_question *q);

#endif
