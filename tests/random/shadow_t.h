/* Shared by the parts of the shadow run, and by nobody else. */
#ifndef TENURE_TESTS_RANDOM_SHADOW_T_H
#define TENURE_TESTS_RANDOM_SHADOW_T_H

#include "ir/plan/plan.h"
#include "tests/random/kernel.h"
#include "tests/random/rng.h"

/* A mark: value, how often it was written, and place in it. Places are quarters of a byte, the
 * smallest element there is. */
typedef uint64_t mark;
enum { QUARTERS = 4 };

typedef struct shadow {
    const tn_plan *p;
    const tn_module *m;
    tn_arena *arena;
    rng random;
    mark **pools;
    mark **wants;          /* by value: the marks it must hold; NULL: not written so far */
    uint32_t *planned;     /* by value: its plan value, TN_NO_ID without bytes */
    uint32_t *begin, *end; /* by op: steps */
    uint32_t *writes;      /* by value: times written */
    uint32_t *region;      /* by op: of its bodies, the one that runs; UINT32_MAX: none */
    bool *skipped;         /* by step: in a branch not taken; waits like others, and does nothing */
    uint32_t step;
    const char *wrong;
    uint64_t quarters; /* compared */
} shadow;

/* Where a value lies, or NULL when it has no bytes; and its length in quarters. */
const tn_plan_value *shadow_place(const shadow *s, const tn_value *v);
uint64_t shadow_length(const tn_plan_value *v);
/* The value must be as it was written; the first that is not is noted in s->wrong. */
void shadow_expect(shadow *s, const tn_value *v);
/* Marks of its own for a value, or for quarters [from, to) of one that has bytes. */
void shadow_stamp(shadow *s, const tn_value *v);
void shadow_stamp_part(shadow *s, const tn_value *v, uint64_t from, uint64_t to);
/* The marks of another value of the same bytes, there already where both lie in one place; marks of
 * its own where that has none. */
void shadow_copy(shadow *s, const tn_value *v, const tn_value *of);
/* Reads element after element of an operand, and writes that of the result once it is read; both
 * have as many. An element that was written over before is noted in s->wrong. */
void shadow_go_through(shadow *s, const tn_value *result, const tn_value *operand, bool ascending);
/* Makes result 0, which begins inside operands, unit by unit in the order; elements of these that
 * were written over before they are read are noted in s->wrong. `inside`: by operand. */
void shadow_begin_inside(shadow *s, const tn_op *op, tn_work_order order, const bool *inside);
/* All results of an op without bodies: moved when it only moves, stamped when it computes. */
void shadow_write(shadow *s, const tn_op *op);

#endif
