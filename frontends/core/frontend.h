/* Frontends: bytes of a file to a module.
 *
 * A frontend is a folder that defines one const struct, and a line in frontends/frontends.def. It
 * reads a module as the file has it. Everything that is the same for all forms is done here:
 * finding the frontend, checking options, catching errors, binding dimensions (bind.h). */
#ifndef TENURE_FRONTENDS_CORE_FRONTEND_H
#define TENURE_FRONTENDS_CORE_FRONTEND_H

#include "ir/base/file.h"
#include "ir/module.h"

/* ---- loading ---- */

/* What the file leaves open, as the user binds it, keeps it open for a range, or says that it
 * follows from others. */
typedef struct tn_dim_binding {
    const char *name; /* a symbol */
    int64_t value;    /* of a range: the smallest extent */
    bool open;        /* a range, up to `max` (INT64_MAX: no limit) */
    int64_t max;
    const char *is; /* an expression over other symbols, which this one is; NULL: an extent */
    bool optional;  /* of one of several models: another may have the dimension */
} tn_dim_binding;

typedef struct tn_input_shape {
    const char *name;    /* a graph input */
    const int64_t *dims; /* -1 leaves a dimension as it is */
    uint32_t rank;
} tn_input_shape;

/* The elements of an input, for inference: the plan holds for runs with these alone. */
typedef struct tn_input_value {
    const char *name;
    uint32_t n;
    const double *floats;
    const int64_t *ints; /* NULL when some are no whole numbers */
} tn_input_value;

typedef struct tn_load_options {
    const tn_dim_binding *dims;
    uint32_t n_dims;
    bool open_all; /* symbols that are not bound stay open, from 1 on; so do extents of inputs that
                      nothing is known of */
    const tn_input_shape *shapes;
    uint32_t n_shapes;
    const tn_input_value *values;
    uint32_t n_values;
    const tn_pair *settings; /* options of frontends by name; the last of a name counts */
    uint32_t n_settings;
    /* Reads the rows that ops have beyond those of the table, in an arena of their own, or raises;
     * NULL: there are none. */
    struct tn_op_set *(*op_set)(tn_ctx *ctx, const void *user);
    const void *op_set_user;
} tn_load_options;

/* Reads a model; the frontend is found from the content. `options` may be NULL. Messages name file,
 * node, op and operand. The result has an arena of its own (tn_module_drop); NULL after a
 * diagnostic. What the options ask for wrongly is raised, as TN_USAGE. */
tn_module *tn_load_file(tn_ctx *ctx, const char *path, const tn_load_options *options);
/* The same from memory; `bytes` must outlive the module, which refers to constants in there. `path`
 * is used in messages, and files that the model refers to are looked for beside it. */
tn_module *tn_load_bytes(tn_ctx *ctx, const char *path, tn_bytes bytes,
                         const tn_load_options *options);

/* The text that the metadata of a model has under `key`, where it lies in `bytes`, without reading
 * the model. False after a diagnostic, where there is none of that key too. */
bool tn_load_note(tn_ctx *ctx, const char *path, tn_bytes bytes, const char *key, tn_bytes *text);

/* ---- frontends ---- */

typedef enum tn_frontend_type { TN_FRONTEND_FLAG, TN_FRONTEND_TEXT } tn_frontend_type;

/* An option of one frontend. The others refuse it, unless it is given its default. */
typedef struct tn_frontend_opt {
    const char *name; /* lower case, with dashes */
    tn_frontend_type type;
    const char *fallback;               /* the default; "false" for flags */
    const char *arg;                    /* TN_FRONTEND_TEXT: what help calls the value */
    const char *wanted;                 /* TN_FRONTEND_TEXT: what it may be, for messages */
    bool (*accepts)(const char *value); /* TN_FRONTEND_TEXT; NULL: any */
    const char *help;                   /* one sentence, no final period */
} tn_frontend_opt;

typedef struct tn_frontend tn_frontend;

/* What a frontend is given to read. */
typedef struct tn_source {
    tn_ctx *ctx;
    const tn_frontend *frontend;
    const char *path;
    tn_bytes bytes; /* stay where they are as long as the module */
    bool mapped;    /* `bytes` is a mapped file */
    const tn_load_options *options;
    struct tn_op_set *op_set; /* for the module, before it gets ops; may be NULL */
} tn_source;

typedef enum tn_match { TN_MATCH_NO, TN_MATCH_MAYBE, TN_MATCH_YES } tn_match;

struct tn_frontend {
    const char *name;
    const char *summary; /* the form it reads; one phrase, no final period */
    /* Whether the bytes are of this form. TN_MATCH_MAYBE is for forms that cannot be told from
     * other bytes: of the frontends with the best answer the last reads the file. */
    tn_match (*match)(tn_bytes bytes);
    const tn_frontend_opt *options; /* ends at name NULL */
    /* The module, with every dimension that the file leaves open as a symbol. Whatever is wrong
     * with the file raises after a located error (tn_fail). */
    tn_module *(*read)(const tn_source *src);
    /* The metadata under that key, where it lies; data NULL when there is none. Raises for a file
     * that is broken, or has two. NULL: files of this form keep no plans. */
    tn_bytes (*find_note)(const tn_source *src, const char *key);
    /* In place of `match` in those of plug-ins. */
    tn_match (*match_for)(const void *user, tn_bytes bytes);
    const void *user;
};

const tn_frontend *const *tn_frontend_all(tn_ctx *ctx, uint32_t *n);
/* The row of that name in `f`, or NULL; with `f` NULL in the first frontend that has one. */
const tn_frontend_opt *tn_frontend_option(const tn_frontend *f, const char *name);
bool tn_frontend_accepts(const tn_frontend_opt *option, const char *value);
/* What an option of src->frontend is set to; the default when it is not given. */
bool tn_source_flag(const tn_source *src, const char *name);
const char *tn_source_text(const tn_source *src, const char *name);

#endif
