/* Alias classes while they grow. The analysis `storages` computes them at once from the edges; a
 * pass that decides about one edge after another asks and joins here, which costs near constant
 * time, and every join is written to the module as an alias edge. */
#ifndef TENURE_PASSES_ALIAS_ALIAS_SET_H
#define TENURE_PASSES_ALIAS_ALIAS_SET_H

#include "passes/analysis/precedence.h"

/* What ties a value, and so its class, to bytes others know about. */
typedef enum tn_tie {
    TN_TIE_INPUT = 1u << 0, /* run-time input that is not donated */
    TN_TIE_OUTPUT = 1u << 1,
    TN_TIE_CONST = 1u << 2,
    TN_TIE_STATE = 1u << 3,
    TN_TIE_DONATED = 1u << 4,  /* an input that may be overwritten */
    TN_TIE_BODY_IN = 1u << 5,  /* argument of a loop body: rewritten before each iteration */
    TN_TIE_BODY_OUT = 1u << 6, /* output of a loop body: copied to arguments after each iteration */
    TN_TIE_OVERWRITTEN = 1u << 7, /* some member writes over another one, or an op over a member */
    TN_TIE_HANDED_ON = 1u << 8,   /* argument of a loop body that has the same data in all rounds */
} tn_tie;
#define TN_TIE_OUTSIDE (TN_TIE_INPUT | TN_TIE_OUTPUT | TN_TIE_CONST | TN_TIE_STATE | TN_TIE_DONATED)

typedef struct tn_alias_set {
    tn_module *m;
    const tn_liveness *live;
    const tn_precedence *order;
    const uint64_t *bytes; /* by value id: TN_NO_BYTES (passes/analysis/storages.h) when unknown */
    const uint16_t *tie;   /* by value id: tn_tie */
    const tn_value *
        *state_of; /* by value id: the state this value becomes after the run, or NULL */
    uint32_t *up, *size, *next, *head, *tail;
    int64_t *shift;   /* to `up` */
    int64_t *lo, *hi; /* by class: lowest and highest byte, from its representative */
    uint32_t *flags;  /* by class: tn_value_flag of all members */
    uint16_t *ties;   /* by class: tn_tie of all members */
} tn_alias_set;

/* The classes of the edges there are. Valid until somebody else changes the module. */
tn_alias_set *tn_alias_open(tn_analyses *an, tn_module *m, tn_arena *scratch);

/* Representative of v's class; *offset (may be NULL) is where v starts, from the representative. */
uint32_t tn_alias_find(tn_alias_set *s, const tn_value *v, int64_t *offset);
bool tn_alias_same(tn_alias_set *s, const tn_value *a, const tn_value *b);
/* Whether the classes of two representatives hold bytes that others know about, which must not be
 * the same. An input that was given away and an output that lies in the arena may be. */
bool tn_alias_both_outside(const tn_alias_set *s, uint32_t a, uint32_t b);
/* Whether v's bytes are all the bytes of its class. */
bool tn_alias_fills(tn_alias_set *s, const tn_value *v);
/* Whether two values of equal size cannot lie in one place because bytes that others know about,
 * and that no figure of the arena counts, would become part of more bytes. */
bool tn_alias_grows_outside(tn_alias_set *s, const tn_value *a, const tn_value *b);
/* Whether two values of one class have bytes in common. */
bool tn_alias_overlap(tn_alias_set *s, const tn_value *a, const tn_value *b);
/* Whether `a` has bytes among the `bytes` from the start of b, a value of its class, on. */
bool tn_alias_reaches(tn_alias_set *s, const tn_value *a, const tn_value *b, uint64_t bytes);
/* Calls fn for members of v's class until it returns false, at most `limit` of them; the answer
 * says whether all said true. Members that ended before step `from` are dropped from the list for
 * good. */
bool tn_alias_each(tn_alias_set *s, const tn_value *v, uint32_t limit, int32_t from,
                   bool (*fn)(void *user, const tn_value *member), void *user);

/* Makes v start `offset` bytes behind the start of `of`, which must be in another class. The edge
 * is put where both can have it: on v, or reversed on `of`, or on the one of the smaller class
 * after turning the edges from there to its root round. */
void tn_alias_join(tn_alias_set *s, tn_value *v, tn_value *of, int64_t offset, tn_alias_kind kind);

/* Takes back what passes before this one decided and what rests on more than the graph: gradient
 * sharing, and with `inplace` also results written in place. Views, and what ops demand, stay.
 * Before tn_alias_open. */
void tn_alias_take_back(tn_module *m, bool inplace);

/* Last step in which an op reads v; -1 when none does. */
int32_t tn_last_read(const tn_live *live);

#endif
