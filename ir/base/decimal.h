/* Decimal numbers from text and to text, the same in every locale. */
#ifndef TENURE_IR_BASE_DECIMAL_H
#define TENURE_IR_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

#include "ir/base/sink.h"

enum { TN_MAX_DECIMAL = 384 }; /* characters of a number */

/* The first `n` characters of `text` as a number with '.' for the decimal point. False when they
 * are more than TN_MAX_DECIMAL, or no number from their first to their last. Too large is infinite.
 */
bool tn_decimal(const char *text, size_t n, double *out);

/* The shortest decimal text that reads back as the same double and cannot be taken for an integer;
 * "inf", "-inf", "nan(0x<bits>)". Independent of the locale. */
void tn_put_double(tn_sink *out, double x);

#endif
