/* --print-before, --print-after and their -all forms: the module as text. */
#include "passes/core/hooks.h"

static void dump(tn_hook *hook, const tn_run_at *at, const char *when) {
    tn_arena *scratch = tn_arena_new(at->ctx);
    tn_sink text = tn_sink_make(scratch);
    size_t len;
    const char *module = tn_hook_module_text(scratch, at->module, &len);
    tn_putf(&text, "// module %s %s\n", when, at->pass->name);
    tn_put_n(&text, module, len);
    tn_hook_send(hook, &text);
    tn_arena_drop(scratch);
}

static bool before(tn_hook *hook, const tn_run_at *at) {
    const tn_run_settings *s = hook->settings;
    if (s->print_before_all || tn_names_has(s->print_before, at->pass->name)) {
        dump(hook, at, "before");
    }
    return true;
}

static tn_status after(tn_hook *hook, const tn_run_at *at) {
    const tn_run_settings *s = hook->settings;
    if (s->print_after_all || tn_names_has(s->print_after, at->pass->name)) {
        dump(hook, at, at->status == TN_OK ? "after" : "after the failure of");
    }
    return TN_OK;
}

tn_hook *tn_hook_print(tn_arena *arena, const tn_run_settings *settings) {
    if (!settings->print_before_all && !settings->print_after_all &&
        settings->print_before.len == 0 && settings->print_after.len == 0) {
        return NULL;
    }
    tn_hook *hook = TN_NEW(arena, tn_hook);
    *hook = (tn_hook){.before = before, .after = after};
    return hook;
}
