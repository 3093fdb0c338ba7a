/* Alias classes: the trees of the alias edges (tn_value.alias_of), each of which becomes one
 * storage. Exclusion and pinning are properties of the class, so protecting one view protects all.
 */
#ifndef TENURE_PASSES_ANALYSIS_STORAGES_H
#define TENURE_PASSES_ANALYSIS_STORAGES_H

#include "passes/analysis/liveness.h"

#define TN_NO_CLASS UINT32_MAX
#define TN_NO_BYTES UINT64_MAX

/* Flags of values whose bytes are theirs: none lies in another by choice, and, with state, none
 * shares bytes with others over time. */
#define TN_VF_OWN_BYTES (TN_VF_PINNED | TN_VF_EXCLUDED | TN_VF_LOSS)
#define TN_VF_PERMANENT (TN_VF_OWN_BYTES | TN_VF_STATE)

/* Where the bytes of a class belong. */
typedef enum tn_home {
    TN_HOME_ARENA, /* planned over time */
    TN_HOME_IO,    /* holds a run-time input (not donated), an output (not TN_VF_ARENA) or state;
                      in the arena where the user has it so */
    TN_HOME_APART, /* holds state that is never there (TN_VF_APART) */
    TN_HOME_CONST, /* holds data of the model that is not mutable state */
} tn_home;

typedef struct tn_class {
    uint32_t root;  /* value id: the end of the alias edges */
    uint32_t owner; /* value id of the largest member, the earliest of them: gives type and name */
    const uint32_t *members; /* value ids, ascending */
    uint32_t n_members;
    int32_t first, last; /* hull of the members' live ranges, in steps */
    uint64_t size;       /* bytes from the lowest to the highest byte of a member; with `second`,
                            behind which all of that is there once more */
    uint64_t second;     /* what two places lie apart (TN_VF_DOUBLE), or 0 */
    uint32_t flags;      /* tn_value_flag of all members, or'ed */
    tn_home home;
    bool pinned; /* some member is pinned, excluded, a loss, or the home is not the arena */
} tn_class;

typedef struct tn_storages {
    const tn_class *classes; /* in order of their lowest member id */
    uint32_t n;
    const uint32_t *of;     /* by value id: index in `classes`, TN_NO_CLASS for what has no place */
    const uint64_t *offset; /* by value id: bytes from the start of the class */
    const uint64_t *bytes;  /* by value id: TN_NO_BYTES when the size is no number */
    const bool *unread; /* by value id: constants that have no place, since nothing reads them */
} tn_storages;

/* Whether a value of this home counts among the bytes of the arena without aliases: inputs and
 * outputs where they are there, if not in state that never is. `c` is its class. */
static inline bool tn_counts_in_arena(const tn_value *v, tn_home home, const tn_class *c,
                                      bool io_in_arena) {
    bool io = home == TN_HOME_IO || (v->flags & TN_VF_ARENA) != 0;
    return io ? io_in_arena && c->home != TN_HOME_APART : home == TN_HOME_ARENA;
}

/* Near-linear in values and edges. Depends on everything liveness does, on flags and aliases. */
const tn_storages *tn_get_storages(tn_analyses *an);

/* Size of a value when it is a number, at the point of open dimensions, else TN_NO_BYTES (unknown,
 * symbolic, no tensor, or larger than TN_MAX_TENSOR_BYTES). */
uint64_t tn_value_bytes(tn_module *m, const tn_value *v);
/* By value id: whether the value is mutable state: flagged so, or bound in training info. */
const bool *tn_state_values(const tn_module *m, tn_arena *arena);
/* By value id: the home each value has by itself, aliases left aside. */
const tn_home *tn_value_homes(const tn_module *m, tn_arena *arena);

#endif
