#include "lib/tile/tile_plan.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/option.h"
#include "ir/build.h"
#include "lib/tile/tile_search.h"
#include "passes/core/registry.h"

enum { MOST_PLANS = 14, MOST_PLANS_LARGE = 7, LARGE = 400 };

typedef struct wish {
    uint64_t bytes; /* 0: as few as there can be */
    double part;    /* of the arena without; 0: none */
    double flops;
} wish;

static tn_status read_wish(tn_ctx *ctx, const tn_tile_wish *from, wish *out) {
    *out = (wish){0};
    if (!tn_opt_percent(from->flops, &out->flops)) {
        return tn_usage(ctx, NULL,
                        "tile: flops must be a percentage from 0%% to 100000%%, not '%s'",
                        from->flops);
    }
    bool least = strcmp(from->budget, "least") == 0;
    if (!least && !(tn_opt_percent(from->budget, &out->part)
                        ? out->part > 0
                        : tn_opt_bytes(from->budget, &out->bytes) && out->bytes > 0)) {
        return tn_usage(ctx, NULL,
                        "tile: budget must be least, bytes or a percentage of the arena, above 0, "
                        "not '%s'",
                        from->budget);
    }
    return TN_OK;
}

static uint64_t plan(const tn_module *m, tn_tile_maker maker, const char *stretches) {
    tn_module *copy = tn_module_clone(m);
    uint64_t bytes = maker.make(maker.user, copy, stretches);
    tn_module_drop(copy);
    return bytes;
}

/* Within the goal fewer operations are better, above it fewer bytes. */
static bool is_better(uint64_t bytes, double flops, uint64_t than, double than_flops,
                      uint64_t goal) {
    if (bytes <= goal && than <= goal) {
        return flops < than_flops || (!(flops > than_flops) && bytes < than);
    }
    return bytes < than || (bytes == than && flops < than_flops);
}

static const char *text_of(tn_arena *arena, const tn_tile_asks *asks) {
    tn_sink text = tn_sink_make(arena);
    tn_tile_asks_put(asks, &text);
    return text.data;
}

tn_status tn_tile_plan(const tn_module *m, tn_arena *arena, const tn_tile_wish *from,
                       tn_tile_maker maker, const char **stretches) {
    wish want;
    *stretches = "";
    tn_status status = read_wish(m->ctx, from, &want);
    if (status != TN_OK) {
        return status;
    }
    uint64_t without = plan(m, maker, ""), goal = want.bytes;
    goal = want.part > 0 ? (uint64_t)((double)without * want.part) : goal;
    if (without == UINT64_MAX || without <= goal) {
        return TN_OK;
    }
    tn_module *copy = tn_module_clone(m);
    tn_arena *scratch = tn_arena_new(m->ctx);
    tn_tile_choices all = tn_tile_search(copy, scratch, from->io_in_arena, want.flops,
                                         m->main->n_ops > LARGE ? MOST_PLANS_LARGE : MOST_PLANS);
    uint64_t best = without;
    double flops = 0;
    for (uint32_t i = 0; i < all.len; i++) {
        const char *text = text_of(arena, &all.data[i].asks);
        uint64_t bytes = plan(m, maker, text);
        if (is_better(bytes, all.data[i].flops, best, flops, goal)) {
            best = bytes;
            flops = all.data[i].flops;
            *stretches = text;
        }
    }
    if (goal > 0 && best > goal) {
        tn_loc loc = tn_loc_file(m->file);
        tn_warn(
            m->ctx, &loc,
            "tile: no parts were found with which the arena has %llu bytes and the model at most "
            "%s more operations; the fewest bytes found are %llu",
            (unsigned long long)goal, from->flops, (unsigned long long)best);
    }
    tn_arena_drop(scratch);
    tn_module_drop(copy);
    return TN_OK;
}

const char *tn_tile_pass_of(const tn_plan *plan, tn_arena *arena) {
    static const char before[] = "tile{stretches=";
    const char *at = plan->pipeline != NULL ? strstr(plan->pipeline, before) : NULL;
    size_t len = at != NULL ? strcspn(at + sizeof before - 1, ",} \"") : 0;
    return len > 0 ? tn_arena_printf(arena, "%s%.*s},", before, (int)len, at + sizeof before - 1)
                   : "";
}

tn_pipeline_item *tn_tile_item(const tn_pipeline *p) {
    const tn_pass_info *pass = tn_pass_find(NULL, "tile");
    for (uint32_t i = 0; i < p->len; i++) {
        if (p->items[i].pass == pass && p->items[i].values[0][0] == '\0') {
            return &p->items[i];
        }
    }
    return NULL;
}

tn_pipeline tn_tile_pipeline(tn_arena *arena, const tn_pipeline *p, const char *stretches) {
    tn_pipeline out = *p;
    out.items = tn_arena_regrow(arena, p->items, p->len, p->len, sizeof *p->items);
    tn_pipeline_item *item = tn_tile_item(&out);
    item->values = tn_arena_regrow(arena, item->values, tn_opt_count(item->pass->options),
                                   tn_opt_count(item->pass->options), sizeof *item->values);
    item->values[0] = stretches;
    return out;
}
