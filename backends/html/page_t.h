/* Private to backends/html: the page's own text, and what it has of a plan. */
#ifndef TENURE_BACKENDS_HTML_PAGE_T_H
#define TENURE_BACKENDS_HTML_PAGE_T_H

#include "backends/core/backend.h"

/* The files page.html, page.css and page.js of this folder, as the build embeds them. */
extern const char tn_page_html[], tn_page_css[], tn_page_js[];

/* The values that the page has, with all of their storages: the whole plan, or where it is too
 * large for a browser those of the peak and those in the largest storages. */
typedef struct tn_page {
    const tn_plan *plan;
    const uint32_t *values, *storages; /* of the plan, ascending */
    uint32_t n_values, n_storages;
    const uint32_t *value_at, *storage_at; /* by value and storage of the plan: where it stands in
                                              these lists, or TN_NO_ID */
    uint64_t largest_left_out;             /* bytes of the largest storage that is not there */
} tn_page;

/* At most `most` values, but for those of storages that are alive at the peak. In `arena`. */
const tn_page *tn_page_choose(tn_arena *arena, const tn_plan *p, uint32_t most);
/* The JSON that page.js reads; it may stand in an element of HTML. */
void tn_page_put_data(const tn_page *page, tn_sink *out);

#endif
