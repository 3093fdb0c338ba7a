/* The plan as a picture. */
#include "backends/core/backend.h"
#include "backends/core/chart.h"
#include "backends/core/live_bytes.h"
#include "ir/base/diag.h"

enum { OPT_POOL, OPT_WIDTH, OPT_HEIGHT };
static const tn_opt options[] = {
    [OPT_POOL] = {"pool", TN_OPT_TEXT, "", NULL,
                  "name of the pool to draw; empty: the first arena"},
    [OPT_WIDTH] = {"width", TN_OPT_INT, "1000", TN_CHART_PIXELS, "width of the picture in pixels"},
    [OPT_HEIGHT] = {"height", TN_OPT_INT, "500", TN_CHART_PIXELS,
                    "height of the picture in pixels"},
    {0}};

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    const char *pool = tn_arg_text(args, OPT_POOL);
    if (pool[0] != '\0') {
        return tn_backend_pool(&tn_backend_svg, plan, pool) != TN_NO_ID ? TN_OK : TN_USAGE;
    }
    return tn_plan_main_pool(plan) != TN_NO_ID
               ? TN_OK
               : tn_error(plan->ctx, NULL,
                          "svg: the plan places nothing, so there is nothing to draw");
}

static tn_status emit(const tn_emission *e) {
    const tn_plan *plan = e->plan;
    const tn_backend_args *args = e->args;
    tn_sink *out = e->out;
    const char *pool = tn_arg_text(args, OPT_POOL);
    tn_chart chart = {.pool = pool[0] != '\0' ? tn_backend_pool(&tn_backend_svg, plan, pool)
                                              : tn_plan_main_pool(plan),
                      .width = (uint32_t)tn_arg_number(args, OPT_WIDTH),
                      .height = (uint32_t)tn_arg_number(args, OPT_HEIGHT)};
    tn_chart_put(plan, &chart, out);
    return TN_OK;
}

const tn_backend tn_backend_svg = {
    .name = "svg",
    .summary = "a picture: steps from left to right, addresses upwards",
    .suffix = ".svg",
    .options = options,
    .accepts = accepts,
    .emit = emit,
    .carries = TN_CARRIES(ADDRESSES) | TN_CARRIES(NAMES) | TN_CARRIES(RANGES) |
               TN_CARRIES(ALIASES) | TN_CARRIES(FIGURES)};
