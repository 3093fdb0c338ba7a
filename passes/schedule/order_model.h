/* From the graphs of a module to scheduling problems (passes/order/sched.h): alias classes become
 * tensors, ops that may write over a dying operand become pairs in place, an op with nested graphs
 * is one op with the need of its bodies as workspace.
 *
 * Built while the decisions of the passes `pin` and `alias-views` stand in the module. */
#ifndef TENURE_PASSES_SCHEDULE_ORDER_MODEL_H
#define TENURE_PASSES_SCHEDULE_ORDER_MODEL_H

#include "passes/analysis/storages.h"
#include "passes/core/pass.h"
#include "passes/order/sched.h"

/* Rows of a graph, sorted by class. */
typedef struct tn_class_touch {
    uint32_t graph, class_of, op;
} tn_class_touch;

/* An op may write its result over an operand that ends there; ids of op and classes. */
typedef struct tn_model_inplace {
    uint32_t graph, op, result, operand;
} tn_model_inplace;

typedef struct tn_order_model {
    tn_module *m;
    tn_arena *arena;
    const tn_liveness *live;
    const tn_storages *s;
    const uint32_t *local;     /* by op id: number in its graph */
    uint32_t *up;              /* by class: the class it is surely written over, or itself */
    bool *counts;              /* by class: lies in the arena and competes for it */
    uint64_t *size;            /* by class: aligned */
    tn_graph **graph;          /* by class: the outermost its members are in */
    uint32_t *head;            /* by class: id of the op before all others, or TN_SCHED_NONE */
    tn_class_touch *touch;     /* by graph, from touch_start */
    uint32_t *touch_start;     /* by graph */
    tn_model_inplace *inplace; /* by graph, from inplace_start */
    uint32_t *inplace_start;
    uint8_t *settled; /* by entry of inplace: see output_choices.c */
    bool *in_output;  /* by class: lies in an output in the problem at hand, so it costs nothing */
    bool *movable;    /* by class: may come to lie in an output */
    uint32_t *tensor; /* by class: number in its graph's problem */
    uint8_t *ends;    /* by class: see order_model.c */
    uint64_t base;    /* bytes of pinned classes */
    uint64_t start; /* bytes before the first op of the main graph, with inputs that nobody reads */
    /* Whether bounds of the problems hold for the plan: not with views of parts, which the plan may
     * give up. */
    bool exact;
    /* In some orders: what branches and called functions give back may lie where results of their
     * op do; operands may lie in outputs (output_choices.h). */
    bool joins, chooses_outputs;
} tn_order_model;

typedef struct tn_order_model_ask {
    uint64_t align;
    bool io_in_arena;
    tn_inplace_kinds inplace; /* wanted */
} tn_order_model_ask;

/* `local` numbers the ops of each graph from 0. */
tn_order_model tn_order_model_make(tn_arena *arena, tn_module *m, tn_analyses *an,
                                   const uint32_t *local, const tn_order_model_ask *ask);

/* The problem of one graph. `before` are pairs of local numbers, `workspace` is by local number;
 * both must live as long as the problem. */
tn_sched tn_order_model_graph(tn_order_model *model, tn_arena *arena, const tn_graph *g,
                              uint32_t n_ops, const uint32_t (*before)[2], uint32_t n_before,
                              const uint64_t *workspace);

/* Bytes of the results of an op with nested graphs; `early`: of those that are filled while its
 * bodies run. */
uint64_t tn_order_model_results(tn_order_model *model, const tn_op *op, bool early);
/* Bytes of what a body gives back that may lie with the caller, because results of its op may. */
uint64_t tn_order_model_given(tn_order_model *model, const tn_graph *body);
/* Bytes that a body leaves until its op ends, in any order. */
uint64_t tn_order_model_left(tn_order_model *model, const tn_graph *g);

#endif
