#include "ir/base/decimal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_POINT = 16 }; /* bytes of a decimal point */

/* strtod wants the decimal point of the program's locale. */
bool tn_decimal(const char *text, size_t n, double *out) {
    char copy[TN_MAX_DECIMAL + LONGEST_POINT + 1];
    const char *point = localeconv()->decimal_point;
    size_t width = strlen(point), len = 0;
    if (n == 0 || n > TN_MAX_DECIMAL || width > LONGEST_POINT) {
        return false;
    }
    for (size_t i = 0; i < n && len <= TN_MAX_DECIMAL; i++) {
        size_t step = text[i] == '.' ? width : 1;
        memcpy(copy + len, text[i] == '.' ? point : text + i, step);
        len += step;
    }
    if (len > TN_MAX_DECIMAL) {
        return false;
    }
    copy[len] = '\0';
    char *end;
    *out = strtod(copy, &end);
    return end == copy + len;
}
