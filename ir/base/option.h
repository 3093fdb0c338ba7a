/* Options with names and types, as passes and backends have them. Values are kept as texts in
 * canonical form, one an option, in order of the table; option_read.h reads them. */
#ifndef TENURE_IR_BASE_OPTION_H
#define TENURE_IR_BASE_OPTION_H

#include "ir/base/sink.h"

typedef enum tn_opt_kind { TN_OPT_BOOL, TN_OPT_INT, TN_OPT_ENUM, TN_OPT_TEXT } tn_opt_kind;

typedef struct tn_opt {
    const char *name; /* NULL ends a table */
    tn_opt_kind kind;
    const char *fallback; /* the default, as text */
    const char *choices;  /* TN_OPT_ENUM: "file|kahn|longest-path"; TN_OPT_INT: NULL (any number) or
                             the least and the largest one, "0..64" */
    const char *help;
} tn_opt;

/* The canonical form of an option's value, or NULL when it does not fit the option's kind: truths
 * are "true" or "false" (on, yes, 1; off, no, 0 are read), numbers decimal. */
const char *tn_opt_canonical(tn_arena *arena, const tn_opt *opt, const char *value);
/* What a value must be: "true or false", "a number from 0 to 64", the choices, "text". */
const char *tn_opt_wanted(tn_arena *arena, const tn_opt *opt);
/* A table's length; NULL has none. */
uint32_t tn_opt_count(const tn_opt *table);
/* The defaults in canonical form. `owner` ("pass 'reuse'") names it when one does not fit its
 * option, which is our mistake. */
const char **tn_opt_defaults(tn_arena *arena, const char *owner, const tn_opt *table);
/* A canonical number or truth. */
int64_t tn_opt_number(const char *canonical);
bool tn_opt_truth(const char *canonical);
/* A number of bytes: digits, and K, M or G for powers of 1024. False when it is none or too large.
 */
bool tn_opt_bytes(const char *text, uint64_t *out);
/* "12.5%" as a part of 1, up to 100000%. False for anything else. */
bool tn_opt_percent(const char *text, double *part);
/* A value so that it can be read back: as it is, or in quotes. */
void tn_opt_put_value(tn_sink *out, const char *value);

#endif
