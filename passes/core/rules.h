/* The rules of passes/core/rules.def, at the places where the planner keeps them: look for
 * TN_KEEP(id, ...). The tests are built with TENURE_BREAK once more, where a rule can be broken on
 * purpose, to show that its test and the checker notice. Elsewhere the macro is what is right. */
#ifndef TENURE_PASSES_CORE_RULES_H
#define TENURE_PASSES_CORE_RULES_H

typedef enum tn_kept_rule {
#define RULE(id, text) TN_KEEP_##id,
#include "passes/core/rules.def"
#undef RULE
    TN_KEEP_ALL
} tn_kept_rule;

/* The value `right`, of which a planner that does not know the rule would say `wrong`. */
#ifdef TENURE_BREAK
extern tn_kept_rule tn_broken_rule; /* TN_KEEP_ALL: none */
#define TN_KEEP(id, right, wrong) (tn_broken_rule == TN_KEEP_##id ? (wrong) : (right))
#else
#define TN_KEEP(id, right, wrong) (right)
#endif

#endif
