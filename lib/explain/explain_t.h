/* Private to lib/explain: what a plan did to each tensor and why, as facts that are put together
 * once and printed as text or as JSON lines. */
#ifndef TENURE_LIB_EXPLAIN_T_H
#define TENURE_LIB_EXPLAIN_T_H

#include "lib/advice/advice.h"
#include "lib/explain/explain.h"
#include "passes/plan/predecessors.h"

/* What each kind says; fields it does not name are not set. */
typedef enum tn_fact_kind {
    TN_FACT_PLAN,    /* bytes: the arenas; bound */
    TN_FACT_STEP,    /* step: what follows happens there; TN_NO_ID: before the run */
    TN_FACT_UNMADE,  /* inner: one node of the step hands it to others of the same step alone, so it
                        needs no bytes; bytes: what it would have */
    TN_FACT_VALUE,   /* value: where it lies and how long; opens what is said of it */
    TN_FACT_OWN,     /* value keeps its bytes to itself; text: why */
    TN_FACT_LAST,    /* value: step reads it last; TN_NO_ID: who comes after the run */
    TN_FACT_ALIAS,   /* value lies in bytes that were those of `of`; alias: how */
    TN_FACT_INSIDE,  /* value begins inside `of`, at least `bytes` before that; text: the order in
                        which its kernel works */
    TN_FACT_MOVED,   /* value lay elsewhere in the plan that this one is based on: shift says where,
                        and   why it moved */
    TN_FACT_CLONE,   /* value holds the elements of `of`, computed once more */
    TN_FACT_TAKES,   /* value's storage takes `bytes` at `offset` from that of `of`; step: the last
                        one of `of` */
    TN_FACT_GIVES,   /* the reverse; step: the first one of `of` */
    TN_FACT_REFUSAL, /* refusal */
    TN_FACT_PEAK,   /* step: the peak; bytes: alive there; of: how many storages; value: at how many
                       steps as much is alive */
    TN_FACT_ALIVE,  /* value: alive at the peak with its storage of `bytes`; bound: what would be
                       alive at the worst step without it; earlier: had it died a step earlier,
                       UINT64_MAX where it is needed after the peak; of: the member that is needed
                       last */
    TN_FACT_POOLED, /* value's storage is read and written by `offset` bytes a run, and lies in
                       pool `of` (room: fixed, cheapest), or not in it: `bytes` are lacking, where
                       room is full at the step; in pieces, left: so many would be needed */
    TN_FACT_POOL,   /* of: a pool; step: where most lies in it, `bytes` of `value` storages */
    TN_FACT_HOLDS,  /* value: with its storage of `bytes` in pool `of` at the step of the fact
                       before; offset: bytes of it that a run reads and writes */
    TN_FACT_CHANGE, /* text: an option; bytes, bound: with it */
    TN_FACT_ADVICE, /* advice; NULL: there is none, and text: why */
    TN_FACT_UNTRIED, /* of: plans that were not made for advice, as all would take too long */
} tn_fact_kind;

/* Why a storage lies in a pool, or does not lie in a cheaper one. */
typedef enum tn_room {
    TN_ROOM_FIXED,     /* asked for */
    TN_ROOM_CHEAPEST,  /* no pool costs less */
    TN_ROOM_TOO_SMALL, /* larger than the pool */
    TN_ROOM_FULL,      /* others lie there at some step of its life */
    TN_ROOM_IN_PIECES, /* enough is free, but not in one piece for all of its life */
    TN_ROOM_UNORDERED, /* others lie there that may be alive at the same time */
    TN_ROOM_LEFT,      /* there is room; the search has not used it */
} tn_room;
extern const char *const tn_room_words[];

typedef struct tn_fact {
    tn_fact_kind kind;
    tn_room room;
    uint32_t step, value, of;
    tn_alias_kind alias;
    uint64_t bytes, offset, bound, earlier;
    const tn_refusal *refusal;
    const tn_plan_shift *shift;
    const char *text;
    const tn_advice *advice;
    const tn_value *inner;
} tn_fact;

typedef struct tn_explain_pools tn_explain_pools;

typedef struct tn_explain {
    tn_arena *arena;
    const tn_module *m; /* NULL: a plan that was read; nothing is known of what was refused */
    const tn_plan *p;
    const tn_refusals *refusals;
    uint64_t capacity; /* what the user wants the arena to fit in; the plan was made without */
    tn_outcome now;    /* what the plan comes to */
    TN_VEC(tn_fact) facts;
    tn_explain_pools *pools; /* NULL where pools have no costs */
} tn_explain;

/* Facts of every step, or of the tensors chosen (by plan value). */
void tn_explain_steps(tn_explain *x);
void tn_explain_chosen(tn_explain *x, const bool *chosen);
/* The peak, the `limit` largest storages alive there, those first without which most would be
 * gained. With `chosen` only storages that hold one of these, and nothing when none does. */
void tn_explain_peak(tn_explain *x, uint32_t limit, const bool *chosen);
/* What the following two need; before all facts. Without a module there is nothing to say. */
void tn_explain_pools_make(tn_explain *x, const tn_place_wishes *w);
/* Why a value that has a place lies in its pool; once for each storage. */
void tn_explain_pool_of(const tn_explain *x, uint32_t value);
/* What fills each pool that has a cost: the `limit` largest storages. */
void tn_explain_each_pool(tn_explain *x, uint32_t limit);
/* The changes of options that may make the arena smaller, each by planning again. */
void tn_explain_changes(tn_explain *x, tn_trials *t);
/* What would help; at most so many steps are planned for it. */
void tn_explain_advice(tn_explain *x, tn_trials *t, uint64_t most_steps);

void tn_explain_print(const tn_explain *x, tn_sink *out);
/* One object a line: docs/PASSES.md lists the keys. */
void tn_explain_print_json(const tn_explain *x, tn_sink *out);

#endif
