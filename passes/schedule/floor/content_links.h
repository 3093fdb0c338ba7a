/* What is the same content in a module: views, arguments and results of called functions, states of
 * loops, and what ops write over by definition. */
#ifndef TENURE_PASSES_SCHEDULE_CONTENT_LINKS_H
#define TENURE_PASSES_SCHEDULE_CONTENT_LINKS_H

#include "passes/analysis/handed_on.h"
#include "passes/analysis/storages.h"
#include "passes/core/pass.h"
#include "passes/schedule/floor/contents.h"

/* An op may write result over operand (ids of values). */
typedef struct tn_overwrite {
    const tn_op *op;
    uint32_t result, operand;
    uint32_t link; /* of the two: that of the facts, which is no content in common */
} tn_overwrite;

typedef struct tn_content_facts {
    TN_VEC(tn_content_link) links;
    TN_VEC(tn_overwrite) overwrites; /* in the order of the ops; those of one result together */
} tn_content_facts;

typedef struct tn_content_ask {
    uint64_t align;
    tn_inplace_kinds inplace;
    bool io_in_arena;
    const uint64_t *blocks; /* by value: 0 for those that do not count */
    const tn_handed_on *handed;
} tn_content_ask;

/* All in `arena`. Only views that no pass can make are left out, so in doubt too much is linked:
 * that makes a bound lower and never wrong. False when an alias the module has is none that can be
 * said in blocks. */
bool tn_content_facts_make(tn_arena *arena, tn_module *m, const tn_storages *s,
                           const tn_content_ask *ask, tn_content_facts *out);

#endif
