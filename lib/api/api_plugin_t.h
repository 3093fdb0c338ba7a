/* Private to lib/api/api_plugin*.c. */
#ifndef TENURE_LIB_API_API_PLUGIN_T_H
#define TENURE_LIB_API_API_PLUGIN_T_H

#include "ir/base/option.h"
#include "lib/api/api_ir_t.h"
#include "tenure/plugin.h"

/* One registration: what is given, and the function that copies it to the context. */
typedef struct tn_register_args {
    const char *where; /* "tenure_register_pass" */
    const void *given; /* a struct that begins with its size; `size` is the library's */
    size_t size;
    void *full; /* a copy of the given one, 0 beyond it */
} tn_register_args;

/* Copies what is given to `full`, and runs `fn` behind a boundary. */
tenure_status tn_api_register(tenure_context *ctx, tn_register_args *args,
                              tn_status (*fn)(tn_ctx *ctx, void *args));
/* "WHERE: WHAT", TN_USAGE. */
tn_status tn_api_register_refuse(tn_ctx *ctx, const tn_register_args *args, const char *fmt, ...)
    TN_PRINTF(3, 4);
/* A name of lower-case words with dashes, with a summary. */
tn_status tn_api_register_name(tn_ctx *ctx, const tn_register_args *args, const char *name,
                               const char *summary);
/* Options as passes and backends have them, in the context's arena; NULL for none. TN_USAGE where a
 * default does not fit. */
tn_status tn_api_register_options(tn_ctx *ctx, const tn_register_args *args,
                                  const tenure_option_def *options, const tn_opt **out);
/* Position of an option, or -1. */
int64_t tn_api_option_at(const tn_opt *options, const char *name);
/* What a callback of a plug-in gave back: an error without a message gets one. */
tn_status tn_api_plugin_status(tn_ctx *ctx, const char *what, const char *name,
                               tenure_status status, uint32_t errors_before);

#endif
