#include "lib/tile/tile_plan.h"

#include <math.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/option.h"
#include "ir/build.h"
#include "lib/tile/tile_search.h"
#include "passes/core/registry.h"

enum {
    MOST_PLANS = 28,
    MOST_PLANS_LARGE = 9,
    LARGE = 400,
    MOST_FULL_PLANS = 3,
    MOST_NEAR = 6 /* plans of what is a little different from the best */
};

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

static uint64_t plan(const tn_module *m, tn_tile_maker maker, const char *stretches, bool quick) {
    tn_module *copy = tn_module_clone(m);
    uint64_t bytes = maker.make(maker.user, copy, stretches, quick);
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

typedef struct trial {
    tn_tile_asks asks;
    const char *stretches;
    uint64_t bytes; /* in the order of the graph */
    double flops;
    bool done;
} trial;

typedef struct trying {
    const tn_module *m;
    tn_module *copy; /* to look for stretches in */
    tn_arena *arena;
    tn_tile_maker maker;
    wish want;
    uint64_t goal;
    TN_VEC(trial) trials;
} trying;

static void try_choice(trying *w, const tn_tile_choice *c) {
    trial t = {.asks = c->asks, .stretches = text_of(w->arena, &c->asks), .flops = c->flops};
    t.bytes = plan(w->m, w->maker, t.stretches, true);
    tn_vec_push(w->arena, &w->trials, t);
}

/* The best of those left that add at most so many operations; NULL: none is. */
static trial *next_trial(const trying *w, double flops) {
    trial *best = NULL;
    for (uint32_t i = 0; i < w->trials.len; i++) {
        trial *t = &w->trials.data[i];
        if (!t->done && t->flops <= flops &&
            (best == NULL || is_better(t->bytes, t->flops, best->bytes, best->flops, w->goal))) {
            best = t;
        }
    }
    return best;
}

static bool is_tried(const trying *w, const tn_tile_asks *asks) {
    const char *text = text_of(w->arena, asks);
    bool tried = false;
    for (uint32_t i = 0; i < w->trials.len && !tried; i++) {
        tried = strcmp(w->trials.data[i].stretches, text) == 0;
    }
    return tried;
}

/* Way `i` in which a stretch can be a little different; false where there are no more. Parts along
 * two axes are so many that plans with more of them take seconds. */
static bool alter(tn_tile_ask *a, uint32_t i) {
    if (i < 2) {
        a->parts[0] = tn_tile_parts_near(a->parts[0], i == 0);
    } else {
        a->keeps = !a->keeps;
    }
    return a->n == 1 && i < 3;
}

/* Plans what is a little different in stretch k, until there are `most` trials. */
static void try_near_stretch(trying *w, const trial *from, uint32_t k, uint32_t most) {
    tn_tile_choice c;
    for (uint32_t i = 0; w->trials.len < most; i++) {
        tn_tile_asks asks = from->asks;
        asks.data = tn_arena_regrow(w->arena, asks.data, asks.len, asks.len, sizeof *asks.data);
        if (!alter(&asks.data[k], i)) {
            break;
        }
        if (!is_tried(w, &asks) && tn_tile_choice_of(w->copy, w->want.flops, &asks, &c)) {
            try_choice(w, &c);
        }
    }
}

/* Estimates say what is worth planning, not what is best: what is a little different from the best
 * is planned, too, until nothing of it is better. */
static void try_near(trying *w) {
    uint32_t most = w->trials.len + MOST_NEAR;
    const char *before = NULL;
    for (const trial *best = next_trial(w, (double)INFINITY);
         best != NULL && best->stretches != before; best = next_trial(w, (double)INFINITY)) {
        const trial from = *best;
        before = from.stretches;
        for (uint32_t k = 0; k < from.asks.len; k++) {
            try_near_stretch(w, &from, k, most);
        }
    }
}

/* The best of all, planned with all passes behind: the best two in the order of the graph, and the
 * best one that does nothing twice. "" where none is better than a plan without. */
static const char *best_of(trying *w, uint64_t without, uint64_t *best) {
    const char *stretches = "";
    double flops = 0;
    *best = without;
    for (uint32_t i = 0; i < MOST_FULL_PLANS; i++) {
        trial *t = next_trial(w, i == 2 ? 0 : (double)INFINITY);
        if (t == NULL) {
            continue;
        }
        uint64_t bytes = w->maker.same ? t->bytes : plan(w->m, w->maker, t->stretches, false);
        if (is_better(bytes, t->flops, *best, flops, w->goal)) {
            *best = bytes;
            flops = t->flops;
            stretches = t->stretches;
        }
        t->done = true;
    }
    return stretches;
}

tn_status tn_tile_plan(const tn_module *m, tn_arena *arena, const tn_tile_wish *from,
                       tn_tile_maker maker, const char **stretches) {
    wish want;
    *stretches = "";
    tn_status status = read_wish(m->ctx, from, &want);
    if (status != TN_OK) {
        return status;
    }
    uint64_t without = plan(m, maker, "", false), goal = want.bytes;
    goal = want.part > 0 ? (uint64_t)((double)without * want.part) : goal;
    if (without == UINT64_MAX) {
        tn_loc loc = tn_loc_file(m->file);
        tn_warn(
            m->ctx, &loc,
            "tile: no stretches are looked for, as the pipeline makes no plan that could show what "
            "they are worth; name them (stretches=)");
    }
    if (without == UINT64_MAX || without <= goal) {
        return TN_OK;
    }
    trying w = {.m = m,
                .copy = tn_module_clone(m),
                .arena = arena,
                .maker = maker,
                .want = want,
                .goal = goal};
    bool large = m->main->n_ops > LARGE;
    tn_tile_choices all = tn_tile_search(w.copy, arena, from->io_in_arena, want.flops,
                                         large ? MOST_PLANS_LARGE : MOST_PLANS);
    for (uint32_t i = 0; i < all.len; i++) {
        try_choice(&w, &all.data[i]);
    }
    if (!large) {
        try_near(&w);
    }
    uint64_t best;
    *stretches = best_of(&w, without, &best);
    if (goal > 0 && best > goal) {
        tn_loc loc = tn_loc_file(m->file);
        tn_warn(
            m->ctx, &loc,
            "tile: no parts were found with which the arena has %llu bytes and the model at most "
            "%s more operations; the fewest bytes found are %llu",
            (unsigned long long)goal, from->flops, (unsigned long long)best);
    }
    tn_module_drop(w.copy);
    return TN_OK;
}

const char *tn_tile_stretches_of(const tn_plan *plan, tn_arena *arena) {
    static const char before[] = "tile{stretches=";
    const char *at = plan->pipeline != NULL ? strstr(plan->pipeline, before) : NULL;
    at = at != NULL ? at + sizeof before - 1 : "";
    return tn_arena_strndup(arena, at, strcspn(at, ",} \""));
}

const char *tn_tile_pass_of(const tn_plan *plan, tn_arena *arena) {
    const char *stretches = tn_tile_stretches_of(plan, arena);
    return stretches[0] != '\0' ? tn_arena_printf(arena, "tile{stretches=%s},", stretches) : "";
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

tn_pipeline tn_tile_pipeline(tn_arena *arena, const tn_pipeline *p, const char *stretches,
                             bool quick) {
    tn_pipeline out = *p;
    out.items = tn_arena_regrow(arena, p->items, p->len, p->len, sizeof *p->items);
    tn_pipeline_item *item = tn_tile_item(&out);
    item->values = tn_arena_regrow(arena, item->values, tn_opt_count(item->pass->options),
                                   tn_opt_count(item->pass->options), sizeof *item->values);
    item->values[0] = stretches;
    const tn_pass_info *schedule = tn_pass_find(NULL, "schedule");
    for (uint32_t i = 0; quick && i < out.len; i++) {
        if (out.items[i].pass == schedule) {
            out.items[i] = tn_pipeline_default(arena, schedule);
        }
    }
    return out;
}
