/* Which alias classes may lie where others lay, whatever runs side by side: one precedes another if
 * every step that uses it is done before any step writes the other. Neither: the two conflict. */
#ifndef TENURE_PASSES_ANALYSIS_CLASS_ORDER_H
#define TENURE_PASSES_ANALYSIS_CLASS_ORDER_H

#include "passes/analysis/precedence.h"
#include "passes/analysis/storages.h"

typedef struct tn_class_order tn_class_order;

/* Of the classes as they are; kept in `arena`, which must not outlive the arguments. */
tn_class_order *tn_class_order_make(tn_arena *arena, const tn_precedence *p,
                                    const tn_liveness *live, const tn_storages *s);
/* Whether all who use class a are done when b is written first. Never where the caller needs a
 * after the run, or gives b before. */
bool tn_class_precedes(const tn_class_order *o, uint32_t a, uint32_t b);

#endif
