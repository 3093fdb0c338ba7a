/* In which queue each step runs. */
#ifndef TENURE_PASSES_ANALYSIS_QUEUES_H
#define TENURE_PASSES_ANALYSIS_QUEUES_H

#include "passes/analysis/steps.h"

/* By step the queue, as m->concurrency asks: by the name of its node, or found so that as much as
 * can be runs side by side, each op taking as long as any other. What lies in the bodies of an op
 * runs in the queue of the op. `before` holds by step a set of `words` words of those it depends
 * on. */
const uint32_t *tn_queues_assign(tn_arena *arena, const tn_module *m, const tn_steps *steps,
                                 const uint64_t *before, uint32_t words);
/* Whether the rule is meant for the op: its name, or that of one of the nodes fused in it. */
bool tn_queue_rule_fits(const tn_queue_rule *rule, const tn_op *op);

#endif
