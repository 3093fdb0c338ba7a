#include "ir/base/option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/base/xmath.h"

static const char *canonical_bool(const char *value) {
    static const char *const words[][2] = {{"true", "true"}, {"1", "true"},      {"yes", "true"},
                                           {"on", "true"},   {"false", "false"}, {"0", "false"},
                                           {"no", "false"},  {"off", "false"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value, words[i][0]) == 0) {
            return words[i][1];
        }
    }
    return NULL;
}

static void limits(const tn_opt *opt, int64_t *least, int64_t *most) {
    *least = INT64_MIN;
    *most = INT64_MAX;
    if (opt->choices != NULL) {
        char *dots;
        *least = strtoll(opt->choices, &dots, 10);
        *most = strtoll(dots + 2, NULL, 10);
    }
}

/* Digits alone, and no 0 before others. */
static bool is_plain_number(const char *text) {
    size_t n = strspn(text, "0123456789");
    return n > 0 && text[n] == '\0' && (text[0] != '0' || n == 1);
}

static const char *canonical_int(tn_arena *arena, const tn_opt *opt, const char *value) {
    char *end;
    int64_t least, most;
    limits(opt, &least, &most);
    errno = 0;
    long long n = strtoll(value, &end, 10);
    bool number =
        errno == 0 && end != value && *end == '\0' && strchr(" \t\n\v\f\r", value[0]) == NULL;
    if (!number || n < least || n > most) {
        return NULL;
    }
    return is_plain_number(value) ? value : tn_arena_printf(arena, "%lld", n);
}

/* The choice itself, so that values may be compared by text with the option's list. */
static bool is_choice(const char *choices, const char *value) {
    size_t len = strlen(value);
    for (const char *at = choices;; at++) {
        size_t n = strcspn(at, "|");
        if (n == len && len > 0 && memcmp(at, value, n) == 0) {
            return true;
        }
        at += n;
        if (*at == '\0') {
            return false;
        }
    }
}

const char *tn_opt_canonical(tn_arena *arena, const tn_opt *opt, const char *value) {
    switch (opt->kind) {
    case TN_OPT_BOOL:
        return canonical_bool(value);
    case TN_OPT_INT:
        return canonical_int(arena, opt, value);
    case TN_OPT_ENUM:
        return is_choice(opt->choices, value) ? value : NULL;
    case TN_OPT_TEXT:
        return value;
    }
    return NULL;
}

const char *tn_opt_wanted(tn_arena *arena, const tn_opt *opt) {
    int64_t least, most;
    switch (opt->kind) {
    case TN_OPT_BOOL:
        return "true or false";
    case TN_OPT_INT:
        limits(opt, &least, &most);
        return opt->choices == NULL
                   ? "a number"
                   : tn_arena_printf(arena, "a number from %" PRId64 " to %" PRId64, least, most);
    case TN_OPT_ENUM:
        return opt->choices;
    case TN_OPT_TEXT:
        return "text";
    }
    return NULL;
}

uint32_t tn_opt_count(const tn_opt *table) {
    uint32_t n = 0;
    while (table != NULL && table[n].name != NULL) {
        n++;
    }
    return n;
}

const char **tn_opt_defaults(tn_arena *arena, const char *owner, const tn_opt *table) {
    uint32_t n = tn_opt_count(table);
    const char **values = TN_ARRAY(arena, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        values[i] = tn_opt_canonical(arena, &table[i], table[i].fallback);
        if (values[i] == NULL) {
            tn_bug(tn_arena_ctx(arena), "default '%s' of option '%s' of %s does not fit it",
                   table[i].fallback, table[i].name, owner);
        }
    }
    return values;
}

int64_t tn_opt_number(const char *canonical) {
    return strtoll(canonical, NULL, 10);
}

bool tn_opt_truth(const char *canonical) {
    return strcmp(canonical, "true") == 0;
}

bool tn_opt_bytes(const char *text, uint64_t *out) {
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno != 0) {
        return false;
    }
    *out = n;
    if (*end == '\0') {
        return true;
    }
    const char *unit = end[1] == '\0' ? strchr(units, *end) : NULL;
    return unit != NULL && tn_mul_u64(n, (uint64_t)1 << (10 * (unit - units + 1)), out);
}

bool tn_opt_percent(const char *text, double *part) {
    const double most = 100000;
    double value = 0, digit = 1;
    size_t whole = strspn(text, "0123456789"), at = whole;
    for (size_t i = 0; i < whole && value <= most; i++) {
        value = value * 10 + (text[i] - '0');
    }
    if (whole > 0 && text[at] == '.') {
        for (at++; text[at] >= '0' && text[at] <= '9'; at++) {
            digit /= 10;
            value += digit * (text[at] - '0');
        }
    }
    bool good = whole > 0 && value <= most && strcmp(text + at, "%") == 0;
    *part = good ? value / 100 : *part;
    return good;
}

void tn_opt_put_value(tn_sink *out, const char *value) {
    if (value[0] != '\0' && strpbrk(value, " \t\r\n,{}=\"") == NULL) {
        tn_put(out, value);
    } else {
        tn_put_escaped(out, value, strlen(value));
    }
}
