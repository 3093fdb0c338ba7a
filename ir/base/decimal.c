#include "ir/base/decimal.h"

#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
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

static bool reads_back(const char *text, double x) {
    return strtod(text, NULL) == x;
}

void tn_put_double(tn_sink *out, double x) {
    char text[64];
    if (isnan(x)) {
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        tn_putf(out, "nan(0x%016" PRIx64 ")", bits);
        return;
    }
    if (isinf(x)) {
        tn_put(out, x < 0 ? "-inf" : "inf");
        return;
    }
    int digits = 6;
    do {
        snprintf(text, sizeof text, "%.*g", digits, x);
        digits++;
    } while (digits <= 17 && !reads_back(text, x));
    bool integer = true;
    for (char *c = text; *c != '\0'; c++) {
        bool plain = isdigit((unsigned char)*c) || *c == '-' || *c == '+' || *c == 'e';
        if (!plain) {
            *c = '.'; /* the locale's decimal point */
        }
        integer = integer && plain && *c != 'e';
    }
    tn_put(out, text);
    tn_put(out, integer ? ".0" : "");
}
