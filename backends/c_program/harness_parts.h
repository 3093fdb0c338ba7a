/* What a harness gives the kernel of a step, and where it lies. */
#ifndef TENURE_BACKENDS_C_PROGRAM_HARNESS_PARTS_H
#define TENURE_BACKENDS_C_PROGRAM_HARNESS_PARTS_H

#include "backends/core/program.h"

/* What stands in a part before the call, in the order of the enum of harness.tmpl. */
typedef enum tn_try_kind {
    TN_TRY_DATA,  /* numbers drawn at random */
    TN_TRY_ZERO,  /* indices and the like */
    TN_TRY_GIVEN, /* a constant of the model */
    TN_TRY_MADE,  /* a result */
    TN_TRY_WORK,  /* workspace */
    TN_TRY_KEPT,  /* workspace that stays from run to run */
} tn_try_kind;

typedef struct tn_try_part {
    uint32_t value;
    const char *label; /* "in0" */
    tn_try_kind kind;
    uint64_t address, size; /* bytes; in its pool, then in the image */
} tn_try_part;

typedef TN_VEC(tn_try_part) tn_try_parts;

/* Every value that the kernel is given, once, where the plan has it. In the arena of `c`. */
tn_try_parts tn_try_parts_of(const tn_cp *c, const tn_plan_step *s);
/* NULL when it is none of them. */
tn_try_part *tn_try_find(const tn_try_parts *all, uint32_t value);
uint32_t tn_try_pool(const tn_cp *c, const tn_try_part *p);
/* Moves a result that begins inside an operand as near to the operand's begin as its order allows,
 * in steps of the alignment. Whether it then lies elsewhere than in the plan, and on nothing else
 * but the operand. */
bool tn_try_move_nearer(const tn_cp *c, const tn_try_parts *all, const tn_plan_step *s);
/* Puts the parts that are no constants into one block, those of a pool as they lie to each other,
 * each pool at a multiple of `align`. The size of the block. */
uint64_t tn_try_make_image(const tn_cp *c, const tn_try_parts *all, uint64_t align);

#endif
