/* --opt-bisect-limit=N: runs the first N passes and skips the rest, to find the pass that breaks
 * something by halving. Required passes run always but count, so that numbers do not shift. */
#include "passes/core/hooks.h"

typedef struct bisect_state {
    tn_sink text;
    int64_t count;
} bisect_state;

static bool before(tn_hook *hook, const tn_run_at *at) {
    bisect_state *s = hook->state;
    s->count++;
    bool run = at->pass->required || s->count <= hook->settings->bisect_limit;
    tn_putf(&s->text, "bisect: %s pass (%lld) %s\n", run ? "running" : "skipping",
            (long long)s->count, at->pass->name);
    tn_hook_send(hook, &s->text);
    return run;
}

tn_hook *tn_hook_bisect(tn_arena *arena, const tn_run_settings *settings) {
    if (settings->bisect_limit < 0) {
        return NULL;
    }
    bisect_state *s = TN_NEW(arena, bisect_state);
    s->text = tn_sink_make(arena);
    tn_hook *hook = TN_NEW(arena, tn_hook);
    *hook = (tn_hook){.before = before, .state = s};
    return hook;
}
