/* More trust in kernels must not cost bytes. An alias stands in the way of others, so a pass that
 * makes more of them than by default may spoil what the passes behind would have made; and taking
 * single ones back (passes/alias/choose.h) does not bring those others about. Such a pass proposes
 * what it does by default as another form of the module. */
#ifndef TENURE_PASSES_ALIAS_DEFAULT_FORM_H
#define TENURE_PASSES_ALIAS_DEFAULT_FORM_H

#include "passes/core/pass.h"

/* Runs c->pass once more with its default options, on what `take_back` leaves. Nothing is proposed
 * when that gives the same aliases, or, unless `any`, only some of them. What is given up for the
 * other form is refused as GROW. */
tn_candidates tn_propose_default(tn_pass_ctx *c, void (*take_back)(tn_module *m), bool any);

#endif
