/* Replays the plan of a generated header in memory laid out as the header says. A producer marks
 * every byte it writes, every read looks whether the marks are those of the value's producer, bytes
 * are spoiled when the header frees them, and results share bytes with operands only where the op
 * table allows it. What an op reads, writes and may share comes from the model file and the table,
 * not from the header (tests/headers/facts.py).
 *
 * program.c fills these structures from a header; a tensor is a row of its table. */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#define RP_NONE UINT32_MAX

typedef struct rp_range {
    uint32_t at, count;
} rp_range;

typedef struct rp_pool {
    const char *name;
    unsigned char *base;
    uint64_t size;
} rp_pool;

typedef struct rp_tensor {
    const char *name;
    unsigned char *bytes; /* where the header's address macro says */
    uint64_t offset, size;
    uint32_t pool;
    bool constant; /* of a pool of read-only data */
    int32_t first;
    uint32_t step, alias_of; /* that writes it, RP_NONE: there before; RP_NONE: nobody */
    bool view;               /* alias_of is the other end of a view */
} rp_tensor;

typedef struct rp_storage {
    uint64_t offset, size;
    uint32_t pool;
} rp_storage;

typedef enum rp_kind { RP_OP, RP_BEGIN, RP_END } rp_kind;

typedef struct rp_step {
    const char *name, *domain, *op;
    rp_kind kind;
    uint32_t partner, clone_of;
    rp_range reads, writes, frees, hazards; /* of ids */
    rp_range overlaps;                      /* of the header's overlaps */
    rp_range orders;                        /* of the orders that the step claims */
    bool may_restrict;
    uint32_t queue;
} rp_step;

typedef struct rp_overlap {
    uint32_t written, other;
} rp_overlap;

/* A kernel works in an order, so that a result may begin inside an operand. */
typedef struct rp_order {
    uint32_t written, read, order;
} rp_order;

/* What the op table lets an operand and a result of one node have in common. */
enum {
    RP_OVER = 1,  /* written in place over it */
    RP_VIEW = 2,  /* the same bytes */
    RP_WIDTH = 4, /* with RP_OVER: its elements are of another width, and so its size differs */
    RP_INSIDE = 8 /* it begins inside it, by a kernel that works in the order how / RP_ORDER */
};
#define RP_ORDER 256u
#define RP_ANYWHERE INT64_MIN /* a part of which only the inside is known */

typedef struct rp_legal {
    uint32_t written, read;
    unsigned how;
    int64_t at; /* of a view: address of the result less that of the operand; inside: how far the
                   operand begins behind the result, at least */
} rp_legal;

/* A node of the model file, by step. */
typedef struct rp_node {
    const char *domain, *op;
    uint32_t clone_of; /* the step that runs the node for the values it names; RP_NONE: this one */
    bool once;         /* calls a function: the body runs once, and has taken the operands */
    rp_range reads, writes; /* of node_ids: tensors */
    rp_range after;         /* of node_ids: steps that write what it reads, placed or not */
    rp_range legal;
} rp_node;

typedef struct rp_plan {
    rp_pool *pools;
    uint32_t n_pools;
    rp_tensor *tensors;
    uint32_t n_tensors;
    rp_storage *storages;
    uint32_t n_storages;
    rp_step *steps;
    uint32_t n_steps;
    const uint32_t *ids;
    const rp_overlap *overlaps;
    const rp_order *orders;

    const rp_node *nodes; /* one a step */
    const uint32_t *node_ids;
    const rp_legal *legal;
    const uint32_t *kept; /* outputs and constants: the caller reads them afterwards */
    uint32_t n_kept;
    uint32_t n_queues; /* 0: order is by data and hazards alone */
} rp_plan;

typedef struct rp_figures {
    uint64_t written, checked, poisoned; /* bytes */
    uint64_t views, over, inside;        /* sharing met, in the order of the plan */
    uint64_t orders;                     /* in which the steps were run */
} rp_figures;

/* Runs the steps in their order, bodies of loops twice, and then, unless there are very many, in
 * other orders that data and hazards allow. False after the first fault, which is reported on
 * standard error. */
bool rp_replay(const rp_plan *plan, rp_figures *figures);

#endif
