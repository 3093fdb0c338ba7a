#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/api/plan_dump.h"

static const char *comma = "";

void put_key(const char *name) {
    printf("%s\"%s\":", comma, name);
    comma = ",";
}

void put_open(char bracket) {
    putchar(bracket);
    comma = "";
}

void put_close(char bracket) {
    putchar(bracket);
    comma = ",";
}

/* An item of a list. */
void put_item(void) {
    printf("%s", comma);
    comma = ",";
}

void put_bytes(const char *text, size_t size) {
    putchar('"');
    for (size_t i = 0; i < size; i++) {
        printf("%02x", (unsigned char)text[i]);
    }
    putchar('"');
}

void text_or_null(const char *t) {
    if (t == NULL) {
        printf("null");
    } else {
        put_bytes(t, strlen(t));
    }
}

void put_text(const char *name, const char *value) {
    put_key(name);
    text_or_null(value);
}

void put_number(const char *name, uint64_t value) {
    put_key(name);
    printf("%" PRIu64, value);
}

void put_integer(const char *name, int64_t value) {
    put_key(name);
    printf("%" PRId64, value);
}

void put_flag(const char *name, int value) {
    put_key(name);
    printf(value ? "true" : "false");
}

void id_or_null(uint32_t value) {
    if (value == TENURE_NONE) {
        printf("null");
    } else {
        printf("%" PRIu32, value);
    }
}

void put_id(const char *name, uint32_t value) {
    put_key(name);
    id_or_null(value);
}

void put_ids(const char *name, tenure_ids list) {
    put_key(name);
    put_open('[');
    for (size_t i = 0; i < list.count; i++) {
        put_item();
        id_or_null(list.data[i]);
    }
    put_close(']');
}

void put_float(double x) {
    if (isnan(x) || isinf(x)) {
        text_or_null(isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
    } else {
        printf("%.17g", x);
    }
}

void put_ints(const int64_t *ints, uint64_t n) {
    put_open('[');
    for (uint64_t i = 0; i < n; i++) {
        put_item();
        printf("%" PRId64, ints[i]);
    }
    put_close(']');
}

void put_floats(const double *floats, uint64_t n) {
    put_open('[');
    for (uint64_t i = 0; i < n; i++) {
        put_item();
        put_float(floats[i]);
    }
    put_close(']');
}

void put_nothing_yet(void) {
    comma = "";
}

void put_went_on(void) {
    comma = ",";
}
