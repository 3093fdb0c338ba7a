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

static tn_status after(tn_hook *hook, const tn_run_at *at) {
    reproduce_state *s = hook->state;
    if (at->status != TN_INTERNAL) {
        return TN_OK;
    }
    const tn_text_out *out = &hook->settings->reproducer;
    tn_sink text = tn_sink_make(s->arena);
    tn_put_n(&text, s->text, s->len);
    tn_put(&text, "// fails in pass ");
    tn_put(&text, at->pass->name);
    tn_put(&text, "; run: tenure opt --passes='");
    tn_pipeline_print_from(at->pipeline, at->index, &text);
    tn_put(&text, "' FILE\n");
    out->fn(out->user, text.data, text.len);
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
