#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/text/text_t.h"

const tn_flag_word tn_flag_words[] = {
    {TN_VF_DEFAULT, "default"},   {TN_VF_PINNED, "pinned"},
    {TN_VF_EXCLUDED, "excluded"}, {TN_VF_LOSS, "loss"},
    {TN_VF_PARAM, "param"},       {TN_VF_STATE, "state"},
    {TN_VF_BACKWARD, "backward"}, {TN_VF_PARAM_GRAD, "param_grad"},
    {TN_VF_DONATED, "donated"},   {0, NULL},
};

bool tn_word_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool tn_word_char(char c) {
    return tn_word_start(c) || (c >= '0' && c <= '9') || c == '.';
}

bool tn_name_char(char c) {
    return tn_word_char(c) || c == '/' || c == '$' || c == '-';
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
