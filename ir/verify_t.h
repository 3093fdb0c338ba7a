/* Private to ir/verify*.c. */
#ifndef TENURE_IR_VERIFY_T_H
#define TENURE_IR_VERIFY_T_H

#include "ir/verify.h"

enum { TN_VERIFY_MAX_REPORTS = 20 };

typedef struct tn_verifier {
    const tn_module *m;
    tn_arena *scratch;
    uint32_t n_reports;
    tn_map names;       /* graph id << 32 | name id -> 1 */
    uint8_t *listed;    /* value id: found in the list that its kind belongs to */
    uint8_t *is_output; /* value id: in its graph's outputs */
    /* Stops of a walk over all graphs, counted: a graph lies inside another when its interval does.
     */
    uint32_t *enter, *leave;
    uint32_t *op_end; /* op id -> position behind its regions, from where its results are visible */
    bool *alive;      /* graph id: not inside an erased op */
} tn_verifier;

/* Counts, and reports the first TN_VERIFY_MAX_REPORTS; `loc` NULL is the file. */
void tn_verify_report(tn_verifier *v, const tn_loc *loc, const char *fmt, ...) TN_PRINTF(3, 4);
tn_loc tn_verify_graph_loc(const tn_graph *g);

/* ---- ir/verify_value.c ---- */

/* The result of an erased op. */
bool tn_verify_is_gone(const tn_value *value);
/* `of` names the tensor in messages. */
void tn_verify_tensor(tn_verifier *v, const tn_loc *loc, const char *of, const tn_tensor *t);
/* Needs `listed` and `is_output` of all graphs. */
void tn_verify_facts(tn_verifier *v, const tn_value *value);
void tn_verify_uses(tn_verifier *v, const tn_value *value);
void tn_verify_alias_forest(tn_verifier *v);

#endif
