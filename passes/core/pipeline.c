/* Pipelines after parsing: defaults, printing, completion with what passes need. */
#include "passes/core/pipeline.h"

#include <string.h>

#include "ir/base/limits.h"
#include "passes/core/registry.h"

tn_pipeline_item tn_pipeline_default(tn_arena *arena, const tn_pass_info *pass) {
    const char **values = tn_opt_defaults(arena, pass->name, pass->options);
    return (tn_pipeline_item){.pass = pass, .values = values};
}

void tn_pipeline_add(tn_arena *arena, tn_pipeline *p, tn_pipeline_item item) {
    if (p->len == p->cap) {
        p->items = tn_vec_grow(arena, p->items, &p->cap, sizeof *p->items);
    }
    p->items[p->len++] = item;
}

/* Values of items are canonical; the table may write a default in another way. */
static bool is_default(tn_arena *arena, const tn_opt *opt, const char *value) {
    return strcmp(opt->fallback, value) == 0 ||
           strcmp(tn_opt_canonical(arena, opt, opt->fallback), value) == 0;
}

static void put_item(const tn_pipeline_item *item, tn_sink *out) {
    tn_put(out, item->pass->name);
    const char *before = "{";
    uint32_t n = tn_opt_count(item->pass->options);
    for (uint32_t i = 0; i < n; i++) {
        const tn_opt *opt = &item->pass->options[i];
        if (is_default(out->arena, opt, item->values[i])) {
            continue;
        }
        tn_putf(out, "%s%s=", before, opt->name);
        tn_opt_put_value(out, item->values[i]);
        before = ",";
    }
    if (before[0] == ',') {
        tn_put_c(out, '}');
    }
}

void tn_pipeline_print_from(const tn_pipeline *p, uint32_t from, tn_sink *out) {
    for (uint32_t i = from; i < p->len; i++) {
        if (i > from) {
            tn_put_c(out, ',');
        }
        put_item(&p->items[i], out);
    }
}

void tn_pipeline_print(const tn_pipeline *p, tn_sink *out) {
    tn_pipeline_print_from(p, 0, out);
}

/* Named pipelines and defaults grow, so the limit on what is written holds for what is meant too:
 * plans and reproducers carry it. */
tn_status tn_pipeline_demand_short(const tn_loc *loc, const tn_pipeline *p, tn_arena *arena) {
    tn_sink text = tn_sink_make(arena);
    tn_pipeline_print(p, &text);
    if (text.len <= TN_MAX_PIPELINE) {
        return TN_OK;
    }
    return tn_usage(
        tn_arena_ctx(arena), loc,
        "pipeline of %zu bytes, all its passes written out, exceeds the limit of %u bytes",
        text.len, TN_MAX_PIPELINE);
}

typedef struct completion {
    tn_arena *arena;
    tn_pipeline *out;
    uint32_t have; /* properties established so far */
} completion;

static void append(completion *c, tn_pipeline_item item) {
    tn_pipeline_add(c->arena, c->out, item);
    c->have = (c->have | item.pass->sets) & ~item.pass->breaks;
}

/* Recursion ends because each level asks for a property that no level above it is establishing. */
static tn_status establish(completion *c, const tn_pass_info *pass, uint32_t pending) {
    tn_ctx *ctx = tn_arena_ctx(c->arena);
    for (uint32_t bit = 1; bit <= TN_PROP_PLANNED; bit <<= 1) {
        if ((pass->needs & bit) == 0 || (c->have & bit) != 0) {
            continue;
        }
        const tn_pass_info *giver = tn_pass_establishing((tn_prop)bit);
        if (giver == NULL || (pending & bit) != 0) {
            return tn_usage(ctx, NULL,
                            "pass '%s' needs the property '%s', which no pass establishes",
                            pass->name, tn_prop_name((tn_prop)bit));
        }
        tn_status status = establish(c, giver, pending | bit);
        if (status != TN_OK) {
            return status;
        }
        tn_pipeline_item item = tn_pipeline_default(c->arena, giver);
        item.implied_by = pass;
        append(c, item);
    }
    return TN_OK;
}

tn_status tn_pipeline_complete(tn_arena *arena, const tn_pipeline *p, tn_pipeline *out) {
    *out = (tn_pipeline){0};
    completion c = {.arena = arena, .out = out};
    for (uint32_t i = 0; i < p->len; i++) {
        tn_status status = establish(&c, p->items[i].pass, 0);
        if (status != TN_OK) {
            return status;
        }
        append(&c, p->items[i]);
    }
    return tn_pipeline_demand_short(NULL, out, arena);
}
