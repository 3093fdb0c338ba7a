/* The text form of a module (.tir), specified in docs/IR.md. */
#ifndef TENURE_IR_TEXT_TEXT_H
#define TENURE_IR_TEXT_TEXT_H

#include "ir/base/sink.h"
#include "ir/module.h"

void tn_module_print(const tn_module *m, tn_sink *out);
/* One op with its regions, as a line (for messages and --print-changed). */
void tn_op_print(const tn_op *op, tn_sink *out);
/* Reads what tn_module_print writes. Errors name file, line and column. NULL after a diagnostic. */
tn_module *tn_module_parse(tn_ctx *ctx, const char *file, const char *text, size_t size);
/* The same with rows that are not the table's; `ops` may be NULL. */
tn_module *tn_module_parse_for(tn_ctx *ctx, const char *file, const char *text, size_t size,
                               struct tn_op_set *ops);

#endif
