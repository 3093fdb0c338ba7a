/* --crash-reproducer: when a pass fails by our own mistake, a text that makes it fail again: the
 * module as it was before the pass, under a comment with the pipeline from that pass on. The module
 * has to be printed before every pass, since a failed pass may leave anything behind. */
#include "passes/core/hooks.h"

typedef struct reproduce_state {
    tn_arena *arena;
    const char *text;
    size_t len;
} reproduce_state;

static bool before(tn_hook *hook, const tn_run_at *at) {
    reproduce_state *s = hook->state;
    tn_arena_drop(s->arena);
    s->arena = tn_arena_new(at->ctx);
    s->text = tn_hook_module_text(s->arena, at->module, &s->len);
    return true;
}

void tn_reproducer_send(const tn_run_settings *settings, tn_arena *arena, const char *module,
                        size_t len, const char *what, const tn_pipeline *p, uint32_t from) {
    tn_sink text = tn_sink_make(arena);
    tn_put_n(&text, module, len);
    tn_putf(&text, "// %s; run: tenure opt --passes='", what);
    tn_pipeline_print_from(p, from, &text);
    tn_put(&text, "' FILE\n");
    settings->reproducer.fn(settings->reproducer.user, text.data, text.len);
}

static tn_status after(tn_hook *hook, const tn_run_at *at) {
    reproduce_state *s = hook->state;
    if (at->status == TN_INTERNAL) {
        const char *what = tn_arena_printf(s->arena, "fails in pass %s", at->pass->name);
        tn_reproducer_send(hook->settings, s->arena, s->text, s->len, what, at->pipeline,
                           at->index);
    }
    return TN_OK;
}

static void end(tn_hook *hook, tn_ctx *ctx) {
    reproduce_state *s = hook->state;
    (void)ctx;
    tn_arena_drop(s->arena);
    s->arena = NULL;
}

tn_hook *tn_hook_reproduce(tn_arena *arena, const tn_run_settings *settings) {
    if (settings->reproducer.fn == NULL) {
        return NULL;
    }
    tn_hook *hook = TN_NEW(arena, tn_hook);
    *hook = (tn_hook){
        .before = before, .after = after, .end = end, .state = TN_NEW(arena, reproduce_state)};
    return hook;
}
