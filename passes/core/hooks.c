/* The chain of hooks, and what the kinds share. */
#include "passes/core/hooks.h"

#include <string.h>

#include "ir/text/text.h"

tn_run_settings tn_run_settings_default(void) {
    return (tn_run_settings){.bisect_limit = -1};
}

void tn_hooks_make(tn_arena *arena, const tn_run_settings *settings, tn_hooks *out) {
    static tn_hook *(*const makers[])(tn_arena *, const tn_run_settings *) = {
        tn_hook_bisect, tn_hook_reproduce, tn_hook_print, tn_hook_changed,
        tn_hook_verify, tn_hook_stats,     tn_hook_time};
    *out = (tn_hooks){.data = TN_ARRAY(arena, tn_hook *, sizeof makers / sizeof makers[0])};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        tn_hook *hook = makers[i](arena, settings);
        if (hook != NULL) {
            hook->settings = settings;
            out->data[out->len++] = hook;
        }
    }
}

bool tn_hooks_before(const tn_hooks *hooks, const tn_run_at *at) {
    for (uint32_t i = 0; i < hooks->len; i++) {
        tn_hook *hook = hooks->data[i];
        if (hook->before != NULL && !hook->before(hook, at)) {
            return false;
        }
    }
    return true;
}

/* Backwards, so that hooks nest round the pass: timing stops before anything is printed. */
tn_status tn_hooks_after(const tn_hooks *hooks, tn_run_at *at) {
    for (uint32_t i = hooks->len; i-- > 0;) {
        tn_hook *hook = hooks->data[i];
        if (hook->after == NULL) {
            continue;
        }
        tn_status status = hook->after(hook, at);
        if (at->status == TN_OK) {
            at->status = status;
        }
    }
    return at->status;
}

void tn_hooks_end(const tn_hooks *hooks, tn_ctx *ctx) {
    for (uint32_t i = 0; i < hooks->len; i++) {
        if (hooks->data[i]->end != NULL) {
            hooks->data[i]->end(hooks->data[i], ctx);
        }
    }
}

void tn_hook_send(const tn_hook *hook, tn_sink *text) {
    const tn_text_out *out = &hook->settings->out;
    if (out->fn != NULL) {
        out->fn(out->user, text->data, text->len);
    }
    text->len = 0;
    text->data[0] = '\0';
}

bool tn_names_has(tn_names names, const char *name) {
    for (uint32_t i = 0; i < names.len; i++) {
        if (strcmp(names.data[i], name) == 0) {
            return true;
        }
    }
    return false;
}

const char *tn_hook_module_text(tn_arena *arena, const tn_module *m, size_t *len) {
    tn_sink text = tn_sink_make(arena);
    tn_module_print(m, &text);
    *len = text.len;
    return text.data;
}
