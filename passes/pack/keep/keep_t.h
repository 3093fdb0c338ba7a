/* Shared by the parts of tn_pack_keep alone. */
#ifndef TENURE_PASSES_PACK_KEEP_T_H
#define TENURE_PASSES_PACK_KEEP_T_H

#include "passes/pack/keep/keep.h"

typedef struct tn_keep_case {
    tn_arena *arena; /* scratch of the whole run */
    const tn_keep_item *items;
    uint32_t n;
    uint64_t capacity;
    uint32_t effort;
    bool *may_stay;      /* by item: it has an offset, which nothing that is given forbids */
    uint64_t impossible; /* weights of those that have one and cannot stay */
    uint64_t *best;      /* by item: offsets of the best packing */
    uint64_t best_moved; /* weights of those of may_stay that it moves */
    uint64_t least;      /* proven lower bound of that */
    uint64_t work;       /* steps spent */
    uint64_t limit;      /* of that, for the phase that goes on */
} tn_keep_case;

/* The offset of one item less that of another is not strictly between lo and hi. */
typedef struct tn_keep_range {
    int64_t lo, hi;
} tn_keep_range;

/* The ranges of a against b, none where they are never in use at one time. At most
 * tn_keep_most_ranges of them for each two items. */
uint32_t tn_keep_ranges(const tn_keep_item *a, const tn_keep_item *b, tn_keep_range *out);
uint32_t tn_keep_most_ranges(const tn_keep_case *c);
/* Whether items would share bytes at these offsets at a time at which both are in use. */
bool tn_keep_clash(const tn_keep_case *c, uint32_t a, uint64_t at_a, uint32_t b, uint64_t at_b);
/* Takes the offsets of a packing within the capacity where they move less. */
void tn_keep_offer(tn_keep_case *c, const uint64_t *offset);

typedef enum tn_keep_answer { TN_KEEP_FITS, TN_KEEP_CANNOT, TN_KEEP_UNKNOWN } tn_keep_answer;
/* Packs everything round those that stay (by item); what fits is offered. CANNOT is proven. */
tn_keep_answer tn_keep_try(tn_keep_case *c, const bool *stays);

/* Local search from a part of a packing: what lies nowhere goes where that pushes out least, and
 * what is pushed out has to go elsewhere in turn; whatever is pushed out again and again becomes
 * dear. `stays` (by item): these lie where they lay at first. What is found is offered. */
void tn_keep_push(tn_keep_case *c, const bool *stays);
/* Puts items of the best packing back where they lay, one by one, pushing others out but none that
 * is there already. */
void tn_keep_restore(tn_keep_case *c);

typedef enum tn_keep_order {
    TN_KEEP_LARGE,
    TN_KEEP_EARLY,
    TN_KEEP_LATE,
    TN_KEEP_ORDERS
} tn_keep_order;
/* Lets one after the other stay in this order, as long as the packer finds room for the rest:
 * halves of them at once, where that goes well. */
void tn_keep_grow(tn_keep_case *c, tn_keep_order order);

/* Sets of items of which not all can stay. A choice of items that hits every set, with the least
 * weight, is a lower bound of what has to move. */
typedef struct tn_keep_set {
    const uint32_t *items;
    uint32_t n;
} tn_keep_set;
typedef TN_VEC(tn_keep_set) tn_keep_sets;
/* All pairs that clash where they lay; false, and an empty list, where there are too many. */
bool tn_keep_pairs(tn_keep_case *c, tn_keep_sets *sets);
/* Chooses items (by item) that hit every set. True when none of less weight do. */
bool tn_keep_hit(tn_keep_case *c, const tn_keep_sets *sets, bool *hit, uint64_t *weight);
/* Raises c->least, and looks for packings that reach it: what hits all sets that are known is taken
 * out, the rest is tried, and a smallest part of it that cannot stay is one more set (implicit
 * hitting sets; Chandrasekaran, Karp, Moreno-Centeno, Vempala, SODA 2011). */
void tn_keep_prove(tn_keep_case *c, tn_keep_sets *sets);

#endif
