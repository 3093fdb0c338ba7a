/* What there is: passes, pipelines, backends, frontends, presets, operators, and options with their
 * types. tenure.h includes this header.
 *
 *   tenure_entry e = {.struct_size = sizeof e};
 *   for (size_t i = 0; tenure_list_get(ctx, TENURE_LIST_BACKENDS, i, &e); i++) { ... }
 */
#ifndef TENURE_LISTS_H
#define TENURE_LISTS_H

#include "tenure/tenure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tenure_list {
    TENURE_LIST_PASSES = 0,
    TENURE_LIST_PIPELINES = 1,
    TENURE_LIST_BACKENDS = 2,
    TENURE_LIST_FRONTENDS = 3,
    TENURE_LIST_PRESETS = 4,
    TENURE_LIST_OPS = 5
} tenure_list;

typedef struct tenure_entry {
    size_t struct_size; /* set by the caller */
    const char *name;
    const char *summary; /* a sentence, or NULL */
    /* Of a pipeline its passes, of a backend the end of its files' names, of a preset the options
     * it stands for, of an operator its domain; NULL otherwise. */
    const char *text;
    size_t n_options;
} tenure_entry;

/* Entries have indices below the count. False (0) for others, and when memory runs out. */
TENURE_API size_t tenure_list_count(const tenure_context *ctx, tenure_list list);
TENURE_API int tenure_list_get(tenure_context *ctx, tenure_list list, size_t index,
                               tenure_entry *out);

/* What an option's value is. */
typedef enum tenure_option_kind {
    TENURE_OPTION_TEXT = 0,
    TENURE_OPTION_FLAG = 1,
    TENURE_OPTION_NUMBER = 2,
    TENURE_OPTION_BYTES = 3,  /* a number; K, M and G behind it are powers of 1024 */
    TENURE_OPTION_CHOICE = 4, /* one of `values`, which stand between bars */
    TENURE_OPTION_FILE = 5,   /* a path */
    TENURE_OPTION_NAME = 6,   /* of something in a model; may be in quotes */
    TENURE_OPTION_PAIR = 7    /* NAME=VALUE, as `values` says */
} tenure_option_kind;

typedef struct tenure_option {
    size_t struct_size; /* set by the caller */
    const char *name;   /* long name, without dashes */
    const char *alias;  /* another long name, or NULL */
    tenure_option_kind kind;
    const char *values;   /* "true|false", "file|kahn", or what help calls the value; may be NULL */
    const char *fallback; /* what counts when it is not set; NULL where the library chooses */
    const char *help;     /* a sentence */
    const char *group;    /* title it stands under in help; NULL for options of entries */
    int repeats;          /* whether values add up */
    char letter;          /* short name, or 0 */
} tenure_option;

/* The options of a pass, a backend or a frontend. */
TENURE_API int tenure_list_option(tenure_context *ctx, tenure_list list, size_t index,
                                  size_t option, tenure_option *out);
/* The options that tenure_options_set takes here. */
TENURE_API size_t tenure_options_count(const tenure_options *options);
TENURE_API int tenure_options_get(const tenure_options *options, size_t index, tenure_option *out);

/* A row of the op table, as texts; docs/generated/OPS.md says what they mean. */
typedef struct tenure_op_row {
    size_t struct_size; /* set by the caller */
    const char *domain, *name, *versions, *signature, *attributes, *help;
    const char *traits, *inplace, *view, *shape_only, *gradient;
    int32_t least_in, most_in, least_out, most_out; /* operands and results */
    int has_rule;                                   /* whether shapes are inferred */
} tenure_op_row;

/* The operator of that index in TENURE_LIST_OPS. */
TENURE_API int tenure_list_op(tenure_context *ctx, size_t index, tenure_op_row *out);

/* What `tenure --list-WHAT=FORMAT` prints: "passes", "backends", "frontends", "ops", "presets",
 * "options"; "text", "md", "json", "schema", or NULL for the usual one. TENURE_USAGE for others. */
TENURE_API tenure_status tenure_list_print(tenure_context *ctx, const char *what,
                                           const char *format, tenure_buffer **out);

/* The candidate that somebody who wrote `word` most likely meant, or NULL. */
TENURE_API const char *tenure_nearest(const char *word, const char *const *candidates,
                                      size_t count);

#ifdef __cplusplus
}
#endif

#endif
