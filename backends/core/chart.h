/* A chart of one pool: steps from left to right, addresses from bottom to top, one rectangle for
 * each storage. */
#ifndef TENURE_BACKENDS_CORE_CHART_H
#define TENURE_BACKENDS_CORE_CHART_H

#include "ir/base/sink.h"
#include "ir/plan/plan.h"

typedef struct tn_chart {
    uint32_t pool;          /* index in tn_plan.pools */
    uint32_t width, height; /* of the whole picture, in pixels */
    const bool *marked;     /* by storage: drawn as those alive at the peak are; NULL: these */
    const char *mark;       /* what the legend calls them; NULL: "alive at the peak" */
    uint32_t most;          /* draw the largest ones alone; 0: all */
} tn_chart;

#define TN_CHART_PIXELS "200..20000" /* what either extent may be, for a table of options */

/* Writes one <svg> element that stands alone: it refers to nothing and runs nothing. */
void tn_chart_put(const tn_plan *p, const tn_chart *chart, tn_sink *out);

#endif
