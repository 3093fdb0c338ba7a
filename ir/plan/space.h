/* An address line cut into pieces, each with the list of who owns it: the sweep's picture of memory
 * at one moment. All addresses that will ever be a border are given up front; afterwards finding,
 * cutting and joining take about log64 of their number. */
#ifndef TENURE_IR_PLAN_SPACE_H
#define TENURE_IR_PLAN_SPACE_H

#include "ir/base/arena.h"

/* Owners of a piece, newest first. Lists are shared between pieces and never changed. */
typedef struct tn_owner {
    uint32_t id;
    const struct tn_owner *next;
} tn_owner;

typedef struct tn_space {
    tn_arena *arena;
    uint64_t *border; /* n + 1 addresses, ascending, without repeats */
    uint32_t n;
    uint32_t *end;          /* by index of a piece's first border: index of its last */
    const tn_owner **owner; /* by index of a piece's first border; NULL: nobody */
    uint64_t *level[6];     /* bit sets of first borders, each the summary of the one before */
    uint32_t n_levels;
} tn_space;

/* One unowned piece over all of `borders`, which is sorted here and may hold repeats. n >= 1. */
void tn_space_init(tn_space *s, tn_arena *arena, uint64_t *borders, size_t n);
/* Cuts at both ends of [lo, hi), lo < hi, which are borders, and returns the indices of both. The
 * pieces between are walked by `for (i = *from; i < *to; i = s->end[i])`. */
void tn_space_cut(tn_space *s, uint64_t lo, uint64_t hi, uint32_t *from, uint32_t *to);
/* Makes one piece with one owner out of all between two cut borders. */
void tn_space_give(tn_space *s, uint32_t from, uint32_t to, uint32_t id);
/* Adds an owner to the piece that starts at border i. */
void tn_space_add(tn_space *s, uint32_t i, uint32_t id);

#endif
