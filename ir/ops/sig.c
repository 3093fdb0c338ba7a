#include "ir/ops/sig.h"

#include <stdlib.h>
#include <string.h>

#include "ir/ops/ops.h"

/* `range` begins with '@', or is NULL. The newest version is in every range without an end. */
static bool holds(const char *range, int64_t version) {
    if (range == NULL) {
        return true;
    }
    char *end = NULL;
    long from = range[1] != '-' ? strtol(range + 1, &end, 10) : 0;
    const char *dash = end != NULL ? end : range + 1;
    if (version <= 0) {
        return *dash != '-';
    }
    return version >= from && (*dash != '-' || version <= strtol(dash + 1, NULL, 10));
}

bool tn_word_next(const char **at, int64_t version, tn_word *out) {
    for (const char *p = *at; p != NULL; *at = p) {
        p += strspn(p, " ");
        size_t len = strcspn(p, " ");
        if (len == 0 || strncmp(p, "->", 2) == 0) {
            return false;
        }
        const char *since = memchr(p, '@', len);
        size_t n = since != NULL ? (size_t)(since - p) : len;
        char last = n > 0 ? p[n - 1] : '\0';
        bool marked = n > 0 && memchr(p, ':', n) == NULL && strchr("?~*+", last) != NULL;
        *out = (tn_word){p, n - marked, marked ? last : '\0'};
        p += len;
        if (holds(since, version)) {
            *at = p;
            return true;
        }
    }
    return false;
}

bool tn_word_is(const tn_word *w, const char *text) {
    return strncmp(w->text, text, w->len) == 0 && text[w->len] == '\0';
}

const char *tn_sig_results(const tn_op_info *info) {
    const char *arrow = info->sig != NULL ? strstr(info->sig, "->") : NULL;
    return arrow != NULL ? arrow + 2 : NULL;
}

static int32_t position(const char *list, int64_t version, const tn_word *name, bool *many) {
    tn_word w;
    for (int32_t k = 0; tn_word_next(&list, version, &w); k++) {
        if (w.len == name->len && memcmp(w.text, name->text, w.len) == 0) {
            *many = w.mark == '*' || w.mark == '+';
            return k;
        }
    }
    *many = false;
    return -1;
}

int32_t tn_sig_operand(const tn_op_info *info, int64_t version, const tn_word *name, bool *many) {
    return position(info->sig, version, name, many);
}

int32_t tn_sig_result(const tn_op_info *info, int64_t version, const tn_word *name) {
    bool many;
    return position(tn_sig_results(info), version, name, &many);
}

typedef struct count {
    int32_t least, most;
} count;

/* Optional ones before a required one must have their place. */
static count count_words(const char *list, int64_t version) {
    count c = {0, 0};
    tn_word w;
    for (int32_t n = 1; tn_word_next(&list, version, &w); n++) {
        c.least = w.mark != '?' && w.mark != '*' ? n : c.least;
        c.most = w.mark == '*' || w.mark == '+' ? -1 : n;
    }
    return c;
}

static void widen(int32_t *least, int32_t *most, count c) {
    *least = c.least < *least ? c.least : *least;
    *most = *most < 0 || c.most < 0 ? -1 : c.most > *most ? c.most : *most;
}

tn_arity tn_op_arity(const tn_op_info *info) {
    tn_arity all = {INT32_MAX, 0, INT32_MAX, 0};
    if (info->sig == NULL) {
        return (tn_arity){0, -1, 0, -1};
    }
    const char *results = tn_sig_results(info), *v = info->versions;
    bool alike = strchr(info->sig, '@') == NULL; /* one version stands for all */
    do {
        char *end;
        int64_t version = strtol(v, &end, 10);
        widen(&all.least_in, &all.most_in, count_words(info->sig, version));
        widen(&all.least_out, &all.most_out, count_words(results, version));
        v = end;
    } while (*v != '\0' && !alike);
    return all;
}
