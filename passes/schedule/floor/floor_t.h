/* The problems of a bound over all orders, between the files of this folder. */
#ifndef TENURE_PASSES_SCHEDULE_FLOOR_FLOOR_T_H
#define TENURE_PASSES_SCHEDULE_FLOOR_FLOOR_T_H

#include "passes/order/sched.h"
#include "passes/schedule/floor/content_links.h"
#include "passes/schedule/floor/order_floor.h"

typedef enum tn_content_flag {
    TN_CONTENT_AT_START = 1,
    TN_CONTENT_TO_END = 2,
    TN_CONTENT_OUTSIDE = 4,   /* may lie where it costs nothing */
    TN_CONTENT_PERMANENT = 8, /* bytes that never go to others */
    TN_CONTENT_MANY = 16,     /* read by several ops, or by nobody knows whom */
    TN_CONTENT_CALLERS = 32,  /* lies with the caller, and counts for a credit */
} tn_content_flag;

typedef struct tn_content {
    uint8_t flags;
    uint32_t level;  /* id of the graph in whose problem it is a tensor */
    uint32_t reader; /* id of the one op that reads it and makes no part of it, or TN_SCHED_NONE */
    uint32_t head;   /* node of the op that all others of it depend on, if `starts` is 1 */
    uint32_t starts; /* values of it that are not made from others of it */
    uint64_t bytes;
} tn_content;

/* (node, node that depends on it), or (node, number of a tensor). */
typedef struct tn_floor_pair {
    uint32_t of[2];
} tn_floor_pair;

typedef struct tn_floor_touch {
    uint32_t content, node;
} tn_floor_touch;

/* The problem of one graph under way. */
typedef struct tn_floor_level {
    TN_VEC(uint32_t) ops; /* ids, as they stand in the order at hand: node i is op i */
    TN_VEC(tn_floor_pair) edges;
    TN_VEC(tn_floor_touch) touches;
    TN_VEC(tn_overwrite) pairs; /* of contents, instead of values */
    uint64_t base, left;        /* live all the time; wanted when all ops have run */
} tn_floor_level;

/* What the order found for the main graph needs. */
typedef struct tn_floor_peak {
    uint32_t most;    /* the position at which it is the most */
    uint32_t *at;     /* by node: its position */
    uint64_t *during; /* by position: bytes */
} tn_floor_peak;

typedef struct tn_floor {
    tn_arena *arena;
    tn_module *m;
    const tn_liveness *live;
    const tn_storages *s;
    const tn_home *home;
    const tn_order_graphs *in;
    const tn_order_model_ask *ask;
    const tn_sched_options *options;
    tn_order_memory *memory;
    tn_content_facts facts;
    const bool *inner; /* by value: may be a part of another one's bytes */
    tn_contents cells;
    tn_content *of;         /* by cell that stands for a content */
    uint32_t *level_of;     /* by graph id: the graph of its problem */
    uint32_t *node;         /* by op id: number in its problem */
    tn_floor_level *levels; /* by graph id */
    uint64_t *need;         /* by graph id: no order of it needs less */
    uint64_t credit;
    const uint8_t *decided; /* by link: whether a part lies in the whole */
    uint32_t *class_of;     /* by value: one that lies in the same bytes by these decisions */
    bool *joined;           /* by value: others do */
    tn_floor_peak peak;
    bool splits;         /* parts are to be decided about */
    const bool *counted; /* by value: outputs of the caller's that count, for a credit as large */
    uint32_t again;      /* ops of branches that may still be ordered a second time */
} tn_floor;

/* Decisions about links. Those of parts are open at first, and then the part counts as if it lay in
 * the whole where that is good, and for itself where that is. So are those of results over operands
 * where one of the two lies in a storage that is decided; INSIDE: so does the other. */
typedef enum tn_part_choice { TN_PART_OPEN, TN_PART_INSIDE, TN_PART_APART } tn_part_choice;

/* Cells of a value. */
#define TN_FOR_CELLS(w, v, i)                                                                      \
    for (uint32_t i = (w)->cells.first[(v)->id]; i < (w)->cells.first[(v)->id + 1]; i++)

static inline uint64_t tn_floor_cell_bytes(const tn_floor *w, uint32_t cell) {
    return w->cells.blocks[cell] * w->ask->align;
}

/* floor_contents.c */
tn_content *tn_floor_content(const tn_floor *w, uint32_t cell);
/* Whether it is one that comes and goes, so that the order matters for it. */
bool tn_floor_is_tensor(const tn_content *x);
/* Whether nothing of a value costs anything. */
bool tn_floor_is_free(const tn_floor *w, const tn_value *v);
/* Bytes of the model's, or of the caller's. */
bool tn_floor_is_outside(const tn_floor *w, const tn_value *v);
/* A call reads nothing that its function does not read. */
bool tn_floor_is_call(const tn_read *r, const tn_value *v);
void tn_floor_find_contents(tn_floor *w);
void tn_floor_find_readers(tn_floor *w);
void tn_floor_find_heads(tn_floor *w);

/* floor_graphs.c: a called function has no problem of its own: its ops stand among those of its
 * caller, and the call behind them. */
void tn_floor_find_levels(tn_floor *w);
void tn_floor_add_edges(tn_floor *w);
/* The op around `op` that is a node of the graph's problem, or NULL when it lies outside. */
const tn_op *tn_floor_lift(const tn_floor *w, const tn_op *op, uint32_t graph);

/* floor_parts.c: what decisions about parts make one storage. */
void tn_floor_find_classes(tn_floor *w);
void tn_floor_find_inner(tn_floor *w, const uint64_t *blocks);
uint32_t tn_floor_class_of(const tn_floor *w, uint32_t v);

/* floor_overwrites.c: results over operands. */
void tn_floor_find_pairs(tn_floor *w);
/* What may lie outside, because what is written over it does; whether there is any. */
bool tn_floor_find_movable(tn_floor *w);
/* All that a body gives back lies outside. */
void tn_floor_move_outputs(tn_floor *w, const tn_graph *body);
/* Makes the pairs of a problem such that taking them one after the other saves the most. */
void tn_floor_settle_pairs(tn_floor *w, tn_floor_level *l);

/* floor_problem.c */
void tn_floor_find_touches(tn_floor *w);
void tn_floor_find_bases(tn_floor *w);
/* Bodies before the graphs of their ops; `tensor` is by cell, for its use. */
void tn_floor_solve(tn_floor *w, uint32_t graph, uint32_t *tensor);

/* floor_open.c: which part to decide about. */
void tn_floor_note_peak(tn_floor *w, const tn_sched *p, const uint32_t *order);
/* The link, or TN_SCHED_NONE where none promises more than `bound`. */
uint32_t tn_floor_find_open(tn_floor *w, uint64_t bound);

/* floor_bodies.c: what an op needs for its bodies; `tensor` as above. */
uint64_t tn_floor_need_of_bodies(tn_floor *w, const tn_op *op, uint32_t *tensor);

#endif
