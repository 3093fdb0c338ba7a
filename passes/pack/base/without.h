/* Steps by name: the one algorithm that is asked for, and the one step to leave out, to measure
 * what it is worth (bench/pack_bench --without). */
#ifndef TENURE_PASSES_PACK_BASE_WITHOUT_H
#define TENURE_PASSES_PACK_BASE_WITHOUT_H

#include <stdbool.h>
#include <string.h>

/* Whether `name` is in a list that ends with NULL; NULL, which asks for none, always is. */
static inline bool tn_algorithm_known(const char *const *names, const char *name) {
    while (name != NULL && *names != NULL && strcmp(*names, name) != 0) {
        names++;
    }
    return name == NULL || *names != NULL;
}

/* Whether `step` is the one to leave out; `without` is tn_pack_options.without, nearly always NULL.
 */
static inline bool tn_left_out(const char *without, const char *step) {
    return without != NULL && strcmp(without, step) == 0;
}

/* The same for a rule of passes/pack/algorithms.def, by "KIND:NAME". */
static inline bool tn_rule_left_out(const char *without, const char *kind, const char *name) {
    size_t len = strlen(kind);
    return without != NULL && strncmp(without, kind, len) == 0 && without[len] == ':' &&
           strcmp(without + len + 1, name) == 0;
}

#endif
