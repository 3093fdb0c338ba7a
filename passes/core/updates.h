/* Pairs of state and what it becomes, as the user names them: caches of decoders and weights of
 * training steps whose file does not say so. */
#ifndef TENURE_PASSES_CORE_UPDATES_H
#define TENURE_PASSES_CORE_UPDATES_H

#include "ir/module.h"
#include "passes/core/controls.h"

/* Binds "STATE=VALUE": after a run the input or initializer STATE is what VALUE was, both of the
 * main graph. One '*' on each side stands for the same text, for as many pairs as there are; state
 * without a counterpart is passed over. Pairs bound already are left alone. Errors name what does
 * not exist, does not match in type, or is bound to something else. */
TN_MUST_USE tn_status tn_bind_updates(tn_module *m, tn_names updates, tn_arena *scratch);

#endif
