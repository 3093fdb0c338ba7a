/* The digest of a plan: a hash of all that it depends on in the model, so that one plan serves all
 * models that differ in nothing else (retrained weights). docs/PLAN.md lists what is in it. */
#ifndef TENURE_IR_PLAN_PLAN_DIGEST_H
#define TENURE_IR_PLAN_PLAN_DIGEST_H

#include "ir/module.h"

/* 64 hex digits, in `arena`. Types must be inferred; orders and what else passes decide make no
 * difference. Changes nothing in the module. */
const char *tn_plan_digest(const tn_module *m, tn_arena *arena);

/* The same of the module as it stands, clones left out, whatever was fused or noted before. Two
 * modules with the same one differ in nothing but clones. */
const char *tn_plan_digest_plain(const tn_module *m, tn_arena *arena);

/* Where a file that is written of a module has its ops, by op id. */
typedef struct tn_op_places {
    const uint32_t *rank; /* among all of its graph */
    const uint32_t *node; /* index in its list of nodes */
} tn_op_places;

/* The digest that the module will have once it is read from that file. */
const char *tn_plan_digest_at(const tn_module *m, const tn_op_places *places, tn_arena *arena);

#endif
