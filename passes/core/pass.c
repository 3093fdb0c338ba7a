/* What passes call. The texts of options were checked against the option's kind when the
 * pipeline was parsed, so a text that does not fit here is our own mistake. */
#include "passes/core/pass.h"

#include <string.h>

const char *tn_pass_text(const tn_pass_ctx *c, uint32_t i) {
    return c->opt_values[i];
}

int64_t tn_pass_int(const tn_pass_ctx *c, uint32_t i) {
    return tn_opt_number(c->opt_values[i]);
}

bool tn_pass_bool(const tn_pass_ctx *c, uint32_t i) {
    return tn_opt_truth(c->opt_values[i]);
}

bool tn_pass_is(const tn_pass_ctx *c, uint32_t i, const char *choice) {
    return strcmp(c->opt_values[i], choice) == 0;
}

void tn_refuse(tn_pass_ctx *c, tn_refusal refusal) {
    if ((c->pass->refusals >> refusal.reason & 1u) == 0) {
        tn_bug(c->ctx, "pass '%s' does not list the reason '%s'", c->pass->name,
               tn_reason_name(refusal.reason));
    }
    c->refused[refusal.reason]++;
    if (c->refusals != NULL) {
        tn_vec_push(c->refusals->arena, &c->refusals->list, refusal);
    }
}
