/* Decimal numbers from text, the same in every locale. */
#ifndef TENURE_IR_BASE_DECIMAL_H
#define TENURE_IR_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

enum { TN_MAX_DECIMAL = 384 }; /* characters of a number */

/* The first `n` characters of `text` as a number with '.' for the decimal point. False when they
 * are more than TN_MAX_DECIMAL, or no number from their first to their last. Too large is infinite.
 */
bool tn_decimal(const char *text, size_t n, double *out);

#endif
