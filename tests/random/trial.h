/* One module, one way to plan it, all proofs there are. */
#ifndef TENURE_TESTS_RANDOM_TRIAL_H
#define TENURE_TESTS_RANDOM_TRIAL_H

#include "tests/random/variant.h"

typedef struct trial_totals {
    uint64_t graphs, ops, values, plans, shared; /* shared: aliases of all kinds */
    uint64_t bytes;                              /* compared by shadow runs */
    uint64_t artefacts;                          /* written by backends */
    uint64_t clones;                             /* ops that are run twice */
    uint64_t beside; /* orders in which plans were run whose steps run side by side */
    uint64_t inside; /* results begun inside an operand */
    uint64_t rooms;  /* values in the room of a part, or over a dead one, */
    uint64_t wide;   /* and larger than the part that comes there next */
    uint64_t nearer; /* of them moved a byte nearer, and refused */
    uint64_t edited; /* modules planned near to the plan from before an edit */
    uint64_t spoiled, spoiled_seen; /* plans spoiled on purpose, and by shadow runs seen to be */
} trial_totals;

/* A case: a printed module and its variant. */
typedef struct trial {
    const char *text;
    const variant *v;
    uint64_t seed; /* of the shadow runs */
} trial;

/* Reads the text twice, prints it back, plans both, and proves the plan: the checker, the oracle,
 * shadow runs in planned and in loose order, JSON there and back, equal bytes from equal modules,
 * no more bytes than without aliases or results inside operands.
 * Some plans are spoiled afterwards, and must be refused. What is wrong first, in `arena`, or NULL.
 * Diagnostics of the context count as wrong: they are taken from `said`, which the context's
 * handler fills. */
const char *trial_run(tn_ctx *ctx, const trial *t, const tn_sink *said, tn_arena *arena,
                      trial_totals *totals);

#endif
