/* --time-passes: wall and processor time of each run of each pass, the longest first. */
#include "ir/base/sort.h"
#include "ir/os/os.h"
#include "passes/core/hooks.h"

typedef struct time_row {
    const char *name;
    uint32_t order;
    double wall, processor; /* seconds; of all threads */
} time_row;

typedef struct time_state {
    tn_arena *arena;
    double wall, processor; /* when the pass at hand started */
    TN_VEC(time_row) rows;
} time_state;

static double seconds(uint64_t ns) {
    return (double)ns * 1e-9;
}

static bool before(tn_hook *hook, const tn_run_at *at) {
    (void)at;
    time_state *s = hook->state;
    s->wall = seconds(tn_os_clock());
    s->processor = seconds(tn_os_clock_processor());
    return true;
}

static tn_status after(tn_hook *hook, const tn_run_at *at) {
    time_state *s = hook->state;
    tn_vec_push(s->arena, &s->rows,
                (time_row){.name = at->pass->name,
                           .order = s->rows.len,
                           .wall = seconds(tn_os_clock()) - s->wall,
                           .processor = seconds(tn_os_clock_processor()) - s->processor});
    return TN_OK;
}

static int longest_first(const void *a, const void *b) {
    const time_row *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(y->wall, x->wall), TN_COMPARE(x->order, y->order));
}

static void end(tn_hook *hook, tn_ctx *ctx) {
    time_state *s = hook->state;
    tn_arena *scratch = tn_arena_new(ctx);
    tn_sink text = tn_sink_make(scratch);
    double wall = 0, processor = 0;
    for (uint32_t i = 0; i < s->rows.len; i++) {
        wall += s->rows.data[i].wall;
        processor += s->rows.data[i].processor;
    }
    TN_SORT(s->rows.data, s->rows.len, longest_first);
    tn_put(&text, "time of passes:\n       wall      processor\n");
    for (uint32_t i = 0; i < s->rows.len; i++) {
        const time_row *row = &s->rows.data[i];
        tn_putf(&text, "%11.6f s %11.6f s  %5.1f%%  %s\n", row->wall, row->processor,
                wall > 0 ? 100 * row->wall / wall : 0.0, row->name);
    }
    tn_putf(&text, "%11.6f s %11.6f s  100.0%%  total\n", wall, processor);
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
