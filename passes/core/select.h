/* Turning what a user wrote (names and globs of tensors) into values of a module. */
#ifndef TENURE_PASSES_CORE_SELECT_H
#define TENURE_PASSES_CORE_SELECT_H

#include "ir/module.h"
#include "passes/core/controls.h"

/* Whether `text` matches: '*' any bytes (also '/'), '?' one byte, '\' takes the next byte as it is.
 */
bool tn_glob_match(const char *pattern, const char *text);

/* What can be named: "name" or, in a nested graph, "path/name". */
typedef struct tn_named {
    tn_arena *arena;
    const char **names, **full;
    uint32_t n;
    bool (*take)(void *user, uint32_t i); /* false: that one does not count */
    void *user;
} tn_named;

/* Room for `n` of them, each to be set. */
tn_named tn_named_new(tn_arena *arena, uint32_t n, bool (*take)(void *user, uint32_t i),
                      void *user);
void tn_named_set(tn_named *from, uint32_t i, const char *graph, const char *name);
/* As tn_select_values, of these names; `file` is for messages. */
TN_MUST_USE tn_status tn_select_named(tn_ctx *ctx, const char *file, const tn_named *from,
                                      tn_names patterns, const char *what);

/* Calls fn for every value that a pattern names, as "name" or, in a nested graph, as "path/name";
 * each at most once a pattern. A name that occurs literally counts before it is tried as a glob. A
 * pattern that names nothing is an error with a suggestion, TN_USAGE where it is the caller's;
 * `what` says in the message where it came from ("--exclude"). */
TN_MUST_USE tn_status tn_select_values(tn_module *m, tn_names patterns, const char *what,
                                       void (*fn)(void *user, tn_value *v), void *user);

#endif
