/* What `tenure pack` found, for people. */
#ifndef TENURE_LIB_INSTANCE_PACK_REPORT_H
#define TENURE_LIB_INSTANCE_PACK_REPORT_H

#include "lib/instance/instance_csv.h"

/* One answer in terms that all three problems share. */
typedef struct tn_pack_answer {
    const tn_pack_csv *csv;
    uint64_t capacity; /* 0: none was asked for */
    const uint64_t *offsets;
    uint64_t height, bound, nodes;
    tn_pack_bound bound_kind;
    int64_t bound_time;
    const uint32_t *bound_set; /* TN_BOUND_CLIQUE */
    uint32_t n_bound_set;
    bool optimal;
    const char *algorithm;
    bool slots;
    uint32_t n_objects; /* slots */
} tn_pack_answer;

/* A line of figures, and a second one that says so when the answer exceeds the capacity. */
void tn_pack_report(tn_sink *out, const tn_pack_answer *a);
/* The set that does not fit, a line a buffer. */
void tn_pack_report_misfit(tn_sink *out, const tn_pack_answer *a, const tn_pack_misfit *m);

#endif
