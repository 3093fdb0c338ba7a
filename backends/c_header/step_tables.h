/* What runs a step, as constant tables: operands and results by position, attributes, promises of
 * the kernel, what bodies are given and give back, what frees wait for. */
#ifndef TENURE_BACKENDS_C_HEADER_STEP_TABLES_H
#define TENURE_BACKENDS_C_HEADER_STEP_TABLES_H

#include "backends/c_header/c_header_t.h"

typedef struct tn_ch_step_tables {
    const tn_ch *h;
    uint32_t n_places, n_attrs, n_claims, n_moves, n_waits, n_bodies; /* of the steps before */
    tn_map graph_ids; /* path -> number; they are numbered as steps name them */
    TN_VEC(const char *) graphs;
} tn_ch_step_tables;

tn_ch_step_tables tn_ch_start_steps(const tn_ch *h);
/* The number of a graph. */
uint32_t tn_ch_graph_of(tn_ch_step_tables *t, const char *path);
/* The types, before the struct of a step. */
void tn_ch_put_step_types(const tn_ch *h);
/* The last fields of a step's initializer: steps must be put in their order. */
void tn_ch_put_step_fields(tn_ch_step_tables *t, const tn_plan_step *s);
/* The tables themselves, behind all steps; inputs and outputs of the model too. */
void tn_ch_put_step_tables(tn_ch_step_tables *t);

#endif
