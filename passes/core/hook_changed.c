/* --print-changed: the module after each pass that changed it, one line for the others. */
#include <string.h>

#include "passes/core/hooks.h"

typedef struct changed_state {
    tn_arena *arena; /* of the text below */
    const char *text;
    size_t len;
} changed_state;

/* Keeps one text at a time, however long the pipeline is. */
static void remember(changed_state *s, tn_arena *arena, const char *text, size_t len) {
    tn_arena_drop(s->arena);
    *s = (changed_state){arena, text, len};
}

static bool before(tn_hook *hook, const tn_run_at *at) {
    changed_state *s = hook->state;
    if (s->text == NULL) {
        tn_arena *arena = tn_arena_new(at->ctx);
        size_t len;
        const char *text = tn_hook_module_text(arena, at->module, &len);
        remember(s, arena, text, len);
    }
    return true;
}

static tn_status after(tn_hook *hook, const tn_run_at *at) {
    changed_state *s = hook->state;
    tn_arena *arena = tn_arena_new(at->ctx);
    size_t len;
    const char *text = tn_hook_module_text(arena, at->module, &len);
    tn_sink out = tn_sink_make(arena);
    if (len == s->len && memcmp(text, s->text, len) == 0) {
        tn_putf(&out, "// module after %s: no change\n", at->pass->name);
    } else {
        tn_putf(&out, "// module after %s\n", at->pass->name);
        tn_put_n(&out, text, len);
    }
    tn_hook_send(hook, &out);
    remember(s, arena, text, len);
    return TN_OK;
}

static void end(tn_hook *hook, tn_ctx *ctx) {
    (void)ctx;
    remember(hook->state, NULL, NULL, 0);
}

tn_hook *tn_hook_changed(tn_arena *arena, const tn_run_settings *settings) {
    if (!settings->print_changed) {
        return NULL;
    }
    tn_hook *hook = TN_NEW(arena, tn_hook);
    *hook = (tn_hook){
        .before = before, .after = after, .end = end, .state = TN_NEW(arena, changed_state)};
    return hook;
}
