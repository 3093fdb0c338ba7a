/* Options from text:
 *
 *   options := option { "," option }
 *   option  := name [ "=" value ]      a truth option without a value is true
 *   value   := word | quoted           ir/base/quote.h
 *
 * Blanks and line ends may stand between any two of these. A word ends at a blank or at one of
 * , { } = ". */
#ifndef TENURE_IR_BASE_OPTION_READ_H
#define TENURE_IR_BASE_OPTION_READ_H

#include "ir/base/diag.h"
#include "ir/base/option.h"

/* A text being read, with the place for messages. */
typedef struct tn_opt_scan {
    tn_arena *arena;
    const char *kind; /* what messages call the whole: "pipeline" */
    const char *at;
    tn_loc loc; /* of `at` */
} tn_opt_scan;

/* `origin` is where messages say the text stands, as if it were a file: "--passes". */
tn_opt_scan tn_opt_scan_make(tn_arena *arena, const char *kind, const char *origin,
                             const char *text);
void tn_opt_skip_blanks(tn_opt_scan *s);
/* Steps over `c` when it is what comes after blanks. */
bool tn_opt_accept(tn_opt_scan *s, char c);
/* A word, or NULL when none stands here. */
const char *tn_opt_word(tn_opt_scan *s);
/* "expected WANTED instead of ...". Returns TN_USAGE. */
tn_status tn_opt_unexpected(tn_opt_scan *s, const char *wanted);
/* Reads options into `values`; `given` says which were there before and must not come again. Ends
 * before the first character that is neither blank nor comma behind an option. TN_USAGE after a
 * diagnostic with the place and, where a name is near, a suggestion. */
TN_MUST_USE tn_status tn_opt_read(tn_opt_scan *s, const char *owner, const tn_opt *table,
                                  const char **values, bool *given);

#endif
