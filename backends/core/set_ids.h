/* The names that several plans in one memory have in C: behind the prefix of all, that of the
 * program, and the number of the variant where it has several ("DETECTOR", "DECODER_0"). */
#ifndef TENURE_BACKENDS_CORE_SET_IDS_H
#define TENURE_BACKENDS_CORE_SET_IDS_H

#include <stddef.h>

#include "ir/plan/plan.h"

typedef struct tn_set_ids {
    uint32_t n;            /* plans with an artefact of their own, in the order of tn_plan_at */
    uint32_t *at;          /* the number of each in that order */
    const char **plans;    /* upper case, of each */
    const char **programs; /* upper case, by program: of all its variants; that of its plan where it
                              has one */
} tn_set_ids;

enum {
    /* What may stand behind the prefix of all: an underscore, and the 16 characters that names of
     * programs are shortened to at most. */
    TN_LONGEST_PROGRAM_WORD = 17
};

/* `prefix` is that of all, and no macro of a plan gets more than `longest` characters. No name is
 * that of a pool or of another file or macro of all. In `arena`. */
tn_set_ids tn_set_ids_make(tn_arena *arena, const tn_plan *p, const char *prefix, size_t longest);
/* Variants of a program that are told apart in C: those for open dimensions are one, which chooses
 * among places. */
uint32_t tn_set_parts(const tn_plan_program *program);
#define TN_NO_SIZE UINT64_MAX
/* By pool the bytes that are enough for every plan, with open dimensions for all extents in range;
 * TN_NO_SIZE where they are more than `largest` or nobody knows. In `arena`. */
uint64_t *tn_set_pool_sizes(tn_arena *arena, const tn_plan *p, uint64_t largest);
/* Whether variants of the program have several extents in its `dim`-th bound dimension. */
bool tn_variants_differ(const tn_plan_program *program, uint32_t dim);

#endif
