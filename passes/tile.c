/* Stretches of ops run in parts, so that what they hand to one another is never there as a whole:
 * docs/TILE.md. Which stretches are worth it only plans show; the library looks for them
 * (lib/tile_plan.h) and names them here. */
#include <string.h>

#include "ir/base/option.h"
#include "ir/ops/flops.h"
#include "ir/plan/plan_digest.h"
#include "passes/analysis/derivative.h"
#include "passes/core/pass.h"
#include "passes/tile/rewrite.h"

enum { OPT_STRETCHES, OPT_BUDGET, OPT_FLOPS };
static const tn_opt options[] = {
    [OPT_STRETCHES] =
        {"stretches", TN_OPT_TEXT, "", NULL,
         "run these in parts: \"4-16:2/8;20-24:2/4+3/2\" is ops 4 to 16 of the model "
         "in 8 parts along axis 2, ops 20 to 24 in 4 times 2; u behind the parts: what leaves is "
         "put together in place; k: rows that the next part reads, too, are kept for it "
         "(default: look for them)"},
    [OPT_BUDGET] = {"budget", TN_OPT_TEXT, "least", NULL,
                    "look for the fewest operations at which the arena has so many bytes, or so "
                    "many percent of what it has without; least: as few bytes as there can be"},
    [OPT_FLOPS] = {"flops", TN_OPT_TEXT, "30%", NULL,
                   "operations that parts may add, in percent of the model's"},
    {0}};

enum { STAT_STRETCHES, STAT_OPS, STAT_PARTS, STAT_FLOPS };
static const tn_stat stats[] = {[STAT_STRETCHES] = {"stretches", "stretches that run in parts"},
                                [STAT_OPS] = {"ops", "ops of the model in them"},
                                [STAT_PARTS] = {"parts", "ops that do their work"},
                                [STAT_FLOPS] = {"flops",
                                                "operations they add, in thousandths of the "
                                                "model's"},
                                {0}};

static const tn_op *find_derivative(const tn_module *m) {
    TN_FOR_OPS(op, m->main) {
        if (tn_is_derivative(op)) {
            return op;
        }
    }
    return NULL;
}

static tn_status refuse(const tn_pass_ctx *c, const tn_tile_ask *ask, const char *why) {
    const tn_tile_asks one = {.data = (tn_tile_ask *)(uintptr_t)ask, .len = 1};
    tn_sink text = tn_sink_make(c->scratch);
    tn_loc loc = tn_loc_file(c->module->file);
    tn_tile_asks_put(&one, &text);
    return tn_error(c->ctx, &loc, "tile: stretch %s: %s", text.data, why);
}

/* The operations of all parts; what is only moved does not count. */
static double count_parts(const tn_pass_ctx *c, const tn_tiled_stretch *s) {
    double flops = 0;
    c->stats[STAT_PARTS] += s->ops.len;
    for (uint32_t i = 0; i < s->ops.len; i++) {
        bool runs = s->ops.data[i].kind == TN_TILED_RUN;
        flops += runs ? tn_op_flops(c->module->ops[s->ops.data[i].op]) : 0;
    }
    return flops;
}

static tn_status rewrite(tn_pass_ctx *c, const tn_tile_asks *asks) {
    tn_tile_model *model = tn_tile_model_make(c->module, c->scratch);
    tn_stretch *stretches = TN_ARRAY(c->scratch, tn_stretch, asks->len);
    for (uint32_t i = 0; i < asks->len; i++) {
        const char *why = tn_stretch_make(model, &asks->data[i], c->scratch, &stretches[i]);
        if (why != NULL) {
            return refuse(c, &asks->data[i], why);
        }
    }
    if (c->module->source_digest == NULL) {
        c->module->source_digest = tn_plan_digest(c->module, c->module->arena);
    }
    uint32_t which;
    double all = tn_graph_flops(c->module->main), before = 0, now = 0;
    for (uint32_t i = 0; i < asks->len; i++) {
        for (uint32_t k = 0; k < stretches[i].ops.len; k++) {
            before += tn_op_flops(stretches[i].ops.data[k]);
        }
    }
    const char *why = tn_tile_rewrite(model, stretches, asks->len, &which);
    for (uint32_t i = 0; i < asks->len && why == NULL; i++) {
        c->stats[STAT_STRETCHES]++;
        c->stats[STAT_OPS] += stretches[i].ops.len;
        now += count_parts(c, &c->module->tiled->stretches.data[i]);
    }
    c->stats[STAT_FLOPS] = now > before ? (uint64_t)((now - before) / all * 1000 + 0.5) : 0;
    return why == NULL ? TN_OK : refuse(c, &asks->data[which], why);
}

static tn_status run(tn_pass_ctx *c) {
    tn_tile_asks asks;
    const char *text = tn_pass_text(c, OPT_STRETCHES);
    uint32_t n_open;
    (void)tn_dims_ranges(c->module->dims, &n_open);
    const tn_op *derivative = find_derivative(c->module);
    if (n_open > 0) {
        return tn_usage(c->ctx, NULL,
                        "tile: nothing can run in parts while dimensions are open; bind them "
                        "(--dim), or leave tile out");
    }
    if (text[0] == '\0' || c->module->tiled != NULL) {
        return TN_OK;
    }
    if (!tn_tile_asks_read(c->scratch, text, &asks)) {
        return tn_usage(
            c->ctx, NULL,
            "tile: stretches must be FIRST-LAST:AXIS/PARTS in ascending order, with ; "
            "between them, at most %d parts along an axis, and u, k or uk behind the parts, not "
            "'%s'",
            (int)TN_TILE_MOST_PARTS, text);
    }
    if (derivative != NULL) {
        return tn_error(c->ctx, &derivative->loc,
                        "tile: nothing can run in parts, as the op reads values of the graph by "
                        "name");
    }
    return rewrite(c, &asks);
}

const tn_pass_info tn_pass_tile = {
    .name = "tile",
    .summary = "stretches of ops run in parts, so that what lies between them is never there whole",
    .needs = TN_PROP_TYPES,
    .breaks = TN_PROP_ORDERED | TN_PROP_PINS,
    .options = options,
    .stats = stats,
    .required = true,
    .run = run,
};
