/* Rows that a module's ops have beyond those of the table: what kernels' facts say of ops the table
 * knows, and whole rows of ops it does not. A set is made before the module (lib/op_facts.h) and
 * looked at when an op is created; the ops point to their rows from then on. */
#ifndef TENURE_IR_OPS_OP_SET_H
#define TENURE_IR_OPS_OP_SET_H

#include "ir/base/arena.h"
#include "ir/ops/ops.h"

/* Columns that a fact states; all others stay as they are. */
typedef enum tn_fact_column {
    TN_COLUMN_SIG = 1u << 0, /* and attrs, traits, params, doc: of ops the table does not know */
    TN_COLUMN_INPLACE = 1u << 1,
    TN_COLUMN_VIEW = 1u << 2,
    TN_COLUMN_SHAPE_ONLY = 1u << 3,
    TN_COLUMN_TYPES = 1u << 4,
    TN_COLUMN_WORKSPACE = 1u << 5,
    TN_COLUMN_KEPT = 1u << 6,
    TN_COLUMN_ALL = 1u << 7, /* a whole row */
    TN_COLUMN_ORDER = 1u << 8,
    TN_COLUMN_COMPUTE = 1u << 9,
} tn_fact_column;

typedef struct tn_op_fact {
    const char *node;     /* of the node of that name alone; NULL: of all */
    int64_t since, until; /* opset versions, both included; 0: no limit */
    uint32_t columns;     /* tn_fact_column */
    tn_op_info row;       /* domain, name and the columns stated */
} tn_op_fact;

/* A few ops that one kernel does in one go. */
typedef struct tn_fusion {
    const char *domain, *name; /* of the op they become */
    const char *const *chain;  /* n_chain op types, each "Domain::Type|Type", with '?' behind those
                                  that may be missing; or names of nodes */
    uint32_t n_chain;
    bool by_name;      /* `chain` names nodes */
    const char *takes; /* op types "A|B" of ops that only feed one of the chain and go with it;
                          NULL: none */
    const char *where; /* "FILE: groups[3]", for messages */
} tn_fusion;

typedef struct tn_op_set {
    tn_arena *arena;
    const tn_op_fact *facts; /* later ones count more */
    uint32_t n_facts;
    const tn_fusion *fusions;
    uint32_t n_fusions;
    TN_VEC(const char *) digests;           /* SHA-256 of each file, 64 hex digits */
    TN_VEC(const struct tn_amended *) rows; /* made so far */
} tn_op_set;

/* The row of an op, and its number (tn_op.code), which is TN_OP_COUNT or more for rows that are not
 * the table's. `set` may be NULL. */
const tn_op_info *tn_op_set_row(tn_op_set *set, const char *domain, const char *name,
                                int64_t version, const char *node, uint32_t *code);

/* The domain of ops that stand for several of the table, by rows of their own. */
#define TN_FUSED_DOMAIN "tenure.fused"
/* Whether an op, or step, of the domain that does so many of the model is such a one. */
bool tn_is_group(const char *domain, uint32_t n_parts);
/* Gives the set a row of its own for ops that no file of facts speaks of; nothing where it has the
 * same one. False where it has another one of that name. */
bool tn_op_set_add(tn_op_set *set, const tn_op_info *row);

#endif
