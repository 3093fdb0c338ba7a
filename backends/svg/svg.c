/* The plan as a picture. */
#include <stdlib.h>
#include <string.h>

#include "backends/core/backend.h"
#include "backends/svg/chart.h"
#include "ir/base/diag.h"

static const tn_backend_opt options[] = {
    {"pool", "", "name of the pool to draw (default: the first arena)"},
    {"width", "1000", "width of the picture in pixels"},
    {"height", "500", "height of the picture in pixels"},
    {0},
};

static bool pixels(const tn_plan *p, const tn_backend_args *args, const char *name, uint32_t *out) {
    const char *text = tn_backend_arg(&tn_backend_svg, args, name);
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || n < TN_CHART_MIN || n > TN_CHART_MAX) {
        tn_error(p->ctx, NULL, "svg: %s '%s' is not a number of pixels from %d to %d", name, text,
                 TN_CHART_MIN, TN_CHART_MAX);
        return false;
    }
    *out = (uint32_t)n;
    return true;
}

static bool find_pool(const tn_plan *p, const char *name, uint32_t *pool) {
    *pool = name[0] == '\0' ? tn_chart_main_pool(p) : TN_NO_ID;
    for (uint32_t i = 0; i < p->n_pools && *pool == TN_NO_ID; i++) {
        *pool = strcmp(p->pools[i].name, name) == 0 ? i : TN_NO_ID;
    }
    if (*pool == TN_NO_ID && name[0] != '\0') {
        tn_error(p->ctx, NULL, "svg: the plan has no pool '%s'", name);
    } else if (*pool == TN_NO_ID) {
        tn_error(p->ctx, NULL, "svg: the plan places nothing, so there is nothing to draw");
    }
    return *pool != TN_NO_ID;
}

static bool chart_of(const tn_plan *p, const tn_backend_args *args, tn_chart *chart) {
    return pixels(p, args, "width", &chart->width) && pixels(p, args, "height", &chart->height) &&
           find_pool(p, tn_backend_arg(&tn_backend_svg, args, "pool"), &chart->pool);
}

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    tn_chart chart;
    return chart_of(plan, args, &chart) ? TN_OK : TN_ERROR;
}

static tn_status emit(const tn_plan *plan, const tn_backend_args *args, tn_sink *out) {
    tn_chart chart;
    if (!chart_of(plan, args, &chart)) {
        return TN_ERROR;
    }
    tn_chart_put(plan, &chart, out);
    return TN_OK;
}

const tn_backend tn_backend_svg = {.name = "svg",
                                   .summary =
                                       "a picture: steps from left to right, addresses upwards",
                                   .suffix = ".svg",
                                   .options = options,
                                   .accepts = accepts,
                                   .emit = emit};
