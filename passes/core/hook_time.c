/* --time-passes: wall time of each run of each pass, the longest first. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <time.h>

#include "passes/core/hooks.h"

typedef struct time_row {
    const char *name;
    uint32_t order;
    double seconds;
} time_row;

typedef struct time_state {
    tn_arena *arena;
    double started;
    TN_VEC(time_row) rows;
} time_state;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool before(tn_hook *hook, const tn_run_at *at) {
    (void)at;
    ((time_state *)hook->state)->started = now();
    return true;
}

static tn_status after(tn_hook *hook, const tn_run_at *at) {
    time_state *s = hook->state;
    tn_vec_push(s->arena, &s->rows, (time_row){at->pass->name, s->rows.len, now() - s->started});
    return TN_OK;
}

static int longest_first(const void *a, const void *b) {
    const time_row *x = a, *y = b;
    if (x->seconds != y->seconds) {
        return x->seconds > y->seconds ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

static void end(tn_hook *hook, tn_ctx *ctx) {
    time_state *s = hook->state;
    tn_arena *scratch = tn_arena_new(ctx);
    tn_sink text = tn_sink_make(scratch);
    double total = 0;
    for (uint32_t i = 0; i < s->rows.len; i++) {
        total += s->rows.data[i].seconds;
    }
    if (s->rows.len > 0) {
        qsort(s->rows.data, s->rows.len, sizeof *s->rows.data, longest_first);
    }
    tn_put(&text, "time of passes:\n");
    for (uint32_t i = 0; i < s->rows.len; i++) {
        const time_row *row = &s->rows.data[i];
        tn_putf(&text, "%11.6f s  %5.1f%%  %s\n", row->seconds,
                total > 0 ? 100 * row->seconds / total : 0.0, row->name);
    }
    tn_putf(&text, "%11.6f s  100.0%%  total\n", total);
    tn_hook_send(hook, &text);
    tn_arena_drop(scratch);
}

tn_hook *tn_hook_time(tn_arena *arena, const tn_run_settings *settings) {
    if (!settings->time_passes) {
        return NULL;
    }
    time_state *s = TN_NEW(arena, time_state);
    s->arena = arena;
    tn_hook *hook = TN_NEW(arena, tn_hook);
    *hook = (tn_hook){.before = before, .after = after, .end = end, .state = s};
    return hook;
}
