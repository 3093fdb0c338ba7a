/* Facts of kernels (--op-facts FILE, docs/FACTS.md), read: what the kernels of a target need and
 * promise beyond what the op table says. */
#ifndef TENURE_LIB_OP_FACTS_H
#define TENURE_LIB_OP_FACTS_H

#include "ir/ops/op_set.h"
#include "lib/request/setting.h"

/* The rows of plug-ins, then those of the files at `paths`, in an arena of their own; later ones
 * count more. Raises after a message that names file and place. */
tn_op_set *tn_op_facts_read(tn_ctx *ctx, const tn_texts *paths);
/* The same for one file at hand; `path` stands in messages. */
tn_op_set *tn_op_facts_parse(tn_ctx *ctx, const char *path, const void *data, size_t size);

/* Warns about facts for a node that no op of the module is: mostly a name that is spelt wrong. */
void tn_op_facts_warn(const tn_module *m);

#endif
