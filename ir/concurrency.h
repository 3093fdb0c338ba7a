/* Which steps of a plan may run side by side. */
#ifndef TENURE_IR_CONCURRENCY_H
#define TENURE_IR_CONCURRENCY_H

#include <stdint.h>

typedef enum tn_concurrency {
    TN_SERIAL, /* one order; a runtime that runs steps side by side waits for the plan's hazards */
    TN_DATAFLOW, /* any order in which each value is written before it is read */
    TN_QUEUES,   /* steps of one queue in the order of the list, queues side by side */
} tn_concurrency;

/* A node, by a glob over its name, and the queue it runs in. */
typedef struct tn_queue_rule {
    const char *pattern;
    uint32_t queue;
} tn_queue_rule;

/* What is asked for. The strings belong to whoever asks. */
typedef struct tn_concurrency_ask {
    tn_concurrency kind;
    uint32_t n_queues;          /* of TN_QUEUES: 1 and more; else 0 */
    const tn_queue_rule *rules; /* the first that fits counts; who has none gets a queue found */
    uint32_t n_rules;
} tn_concurrency_ask;

#endif
