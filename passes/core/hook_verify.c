/* --verify-each: the structure of the module after each pass, and that no pass went behind the back
 * of ir/mutate.h: when the text of the module changed, some stamp must have changed too, or cached
 * analyses would be stale. */
#include <string.h>

#include "ir/verify.h"
#include "passes/core/hooks.h"

typedef struct verify_state {
    uint64_t hash; /* of the module's text before the pass */
    uint64_t stamps[TN_FACET_COUNT];
    uint32_t established; /* properties the passes so far have given */
} verify_state;

static uint64_t text_hash(const tn_run_at *at) {
    tn_arena *scratch = tn_arena_new(at->ctx);
    size_t len;
    const char *text = tn_hook_module_text(scratch, at->module, &len);
    uint64_t hash = tn_hash(text, len, 0);
    tn_arena_drop(scratch);
    return hash;
}

static bool before(tn_hook *hook, const tn_run_at *at) {
    verify_state *s = hook->state;
    s->hash = text_hash(at);
    memcpy(s->stamps, at->module->stamps, sizeof s->stamps);
    return true;
}

static tn_status after(tn_hook *hook, const tn_run_at *at) {
    verify_state *s = hook->state;
    if (at->status != TN_OK) {
        return TN_OK; /* the failure is the news; a half-done module proves nothing */
    }
    s->established = (s->established | at->pass->sets) & ~at->pass->breaks;
    bool stamped = memcmp(s->stamps, at->module->stamps, sizeof s->stamps) != 0;
    if (!stamped && text_hash(at) != s->hash) {
        return tn_error_of(
            at->ctx, TN_INTERNAL, NULL,
            "internal error: pass '%s' changed the module without ir/mutate.h noticing",
            at->pass->name);
    }
    bool ordered = (s->established & TN_PROP_ORDERED) != 0;
    if (tn_module_verify(at->module, ordered) != TN_OK) {
        return tn_error_of(at->ctx, TN_INTERNAL, NULL,
                           "internal error: the module is malformed after pass '%s'",
                           at->pass->name);
    }
    if ((at->pass->sets & TN_PROP_PLANNED) != 0 && at->plan == NULL) {
        return tn_error_of(at->ctx, TN_INTERNAL, NULL,
                           "internal error: pass '%s' promised a plan and made none",
                           at->pass->name);
    }
    return TN_OK;
}

tn_hook *tn_hook_verify(tn_arena *arena, const tn_run_settings *settings) {
    if (!settings->verify_each) {
        return NULL;
    }
    tn_hook *hook = TN_NEW(arena, tn_hook);
    *hook = (tn_hook){.before = before, .after = after, .state = TN_NEW(arena, verify_state)};
    return hook;
}
