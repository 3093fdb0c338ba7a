#include "lib/dims/dims_guess.h"

#include <stdbool.h>
#include <string.h>

enum {
    MAX_NUMBERS = 32,     /* read of one text */
    MAX_PAIRS = 32,       /* kept of all texts */
    MAX_NUMBER = 1 << 20, /* larger ones are no extents; the cube of one fits 64 bits */
};

static const char *skip_name(const char *at) {
    const char *end = strchr(at + 1, '\'');
    return end != NULL ? end + 1 : at + strlen(at);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const char *read_number(const char *at, int64_t *number) {
    *number = 0;
    for (; is_digit(*at); at++) {
        *number = *number <= MAX_NUMBER ? *number * 10 + (*at - '0') : *number;
    }
    return at;
}

static uint32_t read_numbers(const char *at, int64_t *numbers) {
    uint32_t n = 0;
    while (*at != '\0' && n < MAX_NUMBERS) {
        if (*at == '\'') {
            at = skip_name(at);
        } else if (is_digit(*at)) {
            at = read_number(at, &numbers[n++]);
        } else {
            at++;
        }
    }
    return n;
}

static void add(tn_arena *arena, tn_unequals *u, int64_t a, int64_t b) {
    if (a == b || a <= 0 || b <= 0 || a > MAX_NUMBER || b > MAX_NUMBER) {
        return;
    }
    for (uint32_t i = 0; i < u->pairs.len; i++) {
        if (u->pairs.data[i].a == a && u->pairs.data[i].b == b) {
            return;
        }
    }
    if (u->pairs.len < MAX_PAIRS) {
        tn_vec_push(arena, &u->pairs, (tn_unequal){a, b});
    }
}

/* The place before the message may be a path with digits in it. */
void tn_unequals_read(tn_arena *arena, tn_unequals *u, const char *text) {
    static const char mark[] = "warning: ";
    const char *message = strstr(text, mark);
    int64_t numbers[MAX_NUMBERS];
    if (message == NULL) {
        return;
    }
    uint32_t n = read_numbers(message + strlen(mark), numbers);
    for (uint32_t i = 0; i < n / 2; i++) {
        add(arena, u, numbers[i], numbers[i + n / 2]);
    }
}

static int64_t root(int64_t square) {
    int64_t low = 0, high = INT64_C(1) << 31;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        *(middle * middle <= square ? &low : &high) = middle;
    }
    return low;
}

static uint32_t keep(int64_t guess, int64_t extent, int64_t *out, uint32_t n) {
    if (guess < 1 || guess > MAX_NUMBER || guess == extent) {
        return n;
    }
    out[n] = guess;
    return n + 1;
}

uint32_t tn_guess_extents(tn_unequal p, int64_t extent, int64_t *out) {
    uint32_t n = keep(extent + p.b - p.a, extent, out, 0);
    n = keep(extent + p.a - p.b, extent, out, n);
    n = keep(extent * p.b / p.a, extent, out, n);
    n = keep(extent * p.a / p.b, extent, out, n);
    return keep(root(extent * extent * p.b / p.a), extent, out, n);
}
