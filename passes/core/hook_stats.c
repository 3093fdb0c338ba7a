/* --stats: the counters of every pass that ran, summed over its runs, zeros left out. */
#include "passes/core/hooks.h"
#include "passes/core/registry.h"

typedef struct stats_row {
    const tn_pass_info *pass;
    uint64_t *sums;
    uint64_t refused[TN_REASON_COUNT];
} stats_row;

typedef struct stats_state {
    tn_arena *arena;
    TN_VEC(stats_row) rows; /* in order of first run */
} stats_state;

static stats_row *row_of(stats_state *s, const tn_pass_info *pass, uint32_t n) {
    for (uint32_t i = 0; i < s->rows.len; i++) {
        if (s->rows.data[i].pass == pass) {
            return &s->rows.data[i];
        }
    }
    tn_vec_push(s->arena, &s->rows,
                (stats_row){.pass = pass, .sums = TN_ARRAY(s->arena, uint64_t, n)});
    return &s->rows.data[s->rows.len - 1];
}

static tn_status after(tn_hook *hook, const tn_run_at *at) {
    uint32_t n = tn_pass_n_stats(at->pass);
    stats_row *row = row_of(hook->state, at->pass, n);
    for (uint32_t i = 0; i < n; i++) {
        row->sums[i] += at->stats[i];
    }
    for (uint32_t i = 0; i < TN_REASON_COUNT; i++) {
        row->refused[i] += at->refused[i];
    }
    return TN_OK;
}

static void put_row(tn_sink *text, const stats_row *row) {
    for (uint32_t j = 0; j < tn_pass_n_stats(row->pass); j++) {
        if (row->sums[j] != 0) {
            tn_putf(text, "%10llu  %s.%s: %s\n", (unsigned long long)row->sums[j], row->pass->name,
                    row->pass->stats[j].name, row->pass->stats[j].help);
        }
    }
    for (uint32_t j = 0; j < TN_REASON_COUNT; j++) {
        if (row->refused[j] != 0) {
            tn_putf(text, "%10llu  %s.refused-%s: refused: %s\n",
                    (unsigned long long)row->refused[j], row->pass->name,
                    tn_reason_name((tn_reason)j), tn_reason_text((tn_reason)j));
        }
    }
}

static void end(tn_hook *hook, tn_ctx *ctx) {
    stats_state *s = hook->state;
    tn_arena *scratch = tn_arena_new(ctx);
    tn_sink text = tn_sink_make(scratch);
    tn_put(&text, "statistics:\n");
    for (uint32_t i = 0; i < s->rows.len; i++) {
        put_row(&text, &s->rows.data[i]);
    }
    tn_hook_send(hook, &text);
    tn_arena_drop(scratch);
}

tn_hook *tn_hook_stats(tn_arena *arena, const tn_run_settings *settings) {
    if (!settings->stats) {
        return NULL;
    }
    stats_state *s = TN_NEW(arena, stats_state);
    s->arena = arena;
    tn_hook *hook = TN_NEW(arena, tn_hook);
    *hook = (tn_hook){.after = after, .end = end, .state = s};
    return hook;
}
