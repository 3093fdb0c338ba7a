/* Settings: named switches and values, declared once in tables. The command line, its --help,
 * project files (lib/request/project.h) and the embedding interface read the same tables.
 *
 * A table describes fields of one struct, its target. A setting is applied by name with a text. One
 * without an argument is a flag, which --NAME turns on and --no-NAME off. Tables end at name NULL.
 */
#ifndef TENURE_LIB_REQUEST_SETTING_H
#define TENURE_LIB_REQUEST_SETTING_H

#include <stdbool.h>

#include "ir/base/arena.h"
#include "ir/base/diag.h"
#include "ir/base/sink.h"
#include "ir/module.h"

typedef struct tn_setting tn_setting;

typedef struct tn_set_ctx {
    tn_arena *arena;   /* for what is kept; texts given are copied by the setters that keep them */
    const char *shown; /* how the user wrote it: "--align", "option 'align'" */
    const tn_loc *loc; /* of a file that asks for it, or NULL */
} tn_set_ctx;

/* What a value is: how it stands in a project file. */
typedef enum tn_setting_type {
    TN_SETTING_BY_SETTER, /* what the setter says, if it is one of those below; TEXT if not */
    TN_SETTING_TEXT,
    TN_SETTING_FLAG,
    TN_SETTING_NUMBER,
    TN_SETTING_BYTES,
    TN_SETTING_BYTES_OR_PERCENT,
    TN_SETTING_CHOICE,
    TN_SETTING_FILE,       /* a path; relative to the folder of a project file */
    TN_SETTING_NAME,       /* may be in quotes */
    TN_SETTING_TEXTS,      /* repeatable */
    TN_SETTING_FILES,      /* paths; repeatable, and in no artefact */
    TN_SETTING_NAMES,      /* repeatable; may be in quotes */
    TN_SETTING_NUMBER_OF,  /* NAME=N; repeatable, as are the next two */
    TN_SETTING_NUMBERS_OF, /* NAME=N,N,... */
    TN_SETTING_NAME_OF,    /* NAME=NAME */
    TN_SETTING_PRESET,     /* a choice that stands for others (lib/request/preset.h) */
    TN_SETTING_APART,      /* of the command line alone: a project file says it elsewhere */
} tn_setting_type;

/* TN_OK, or TN_USAGE after a diagnostic that starts with c->shown. */
typedef tn_status (*tn_set_fn)(tn_set_ctx *c, void *target, const tn_setting *s, const char *value);

struct tn_setting {
    const char *name; /* long name, without dashes */
    const char *arg;  /* what the value is called in --help; NULL: a flag */
    const char *help; /* one sentence, no final period */
    tn_set_fn set;
    size_t offset;        /* of the field in the target, for the setters below */
    const char *choices;  /* for tn_set_choice: "file|kahn" */
    const char *alias;    /* another long name, or NULL */
    char letter;          /* short name, or 0 */
    tn_setting_type type; /* for setters other than the ones below */
    const char *yields; /* another setting: where it is given, a weaker source's this counts not */
};

/* A growable list of texts. */
typedef TN_VEC(const char *) tn_texts;

/* Setters. The field's type is in brackets. */
tn_status tn_set_flag(tn_set_ctx *c, void *target, const tn_setting *s,
                      const char *value); /* bool */
tn_status tn_set_text(tn_set_ctx *c, void *target, const tn_setting *s,
                      const char *value); /* const char * */
tn_status tn_set_file(tn_set_ctx *c, void *target, const tn_setting *s,
                      const char *value); /* const char *, a path */
tn_status tn_add_text(tn_set_ctx *c, void *target, const tn_setting *s,
                      const char *value); /* tn_texts */
/* A name, which may be in quotes (ir/base/quote.h): const char *, and one more of tn_texts. */
tn_status tn_set_name(tn_set_ctx *c, void *target, const tn_setting *s, const char *value);
tn_status tn_add_name(tn_set_ctx *c, void *target, const tn_setting *s, const char *value);
tn_status tn_set_choice(tn_set_ctx *c, void *target, const tn_setting *s,
                        const char *value); /* const char * */
/* uint64_t; K, M and G behind the number are powers of 1024. */
tn_status tn_set_bytes(tn_set_ctx *c, void *target, const tn_setting *s, const char *value);
tn_status tn_set_int(tn_set_ctx *c, void *target, const tn_setting *s,
                     const char *value); /* int64_t */

/* For setters: "SHOWN must be WANTED, not 'VALUE'". Returns TN_USAGE. */
tn_status tn_set_refuse(tn_set_ctx *c, const char *wanted, const char *value);
/* The whole of `text` as a decimal number; false when it is none or does not fit. */
bool tn_text_to_int(const char *text, int64_t *out);
bool tn_text_to_float(const char *text, double *out);

typedef TN_VEC(tn_pair) tn_pairs;

/* A table and what it fills; `title` heads it in --help. What is applied is also listed, in order,
 * in `given` when that is not NULL ("true" or "false" for flags). */
typedef struct tn_setting_group {
    const char *title;
    const tn_setting *table;
    void *target;
    tn_pairs *given;
} tn_setting_group;

/* A setting that was looked up. */
typedef struct tn_setting_found {
    const tn_setting_group *group;
    const tn_setting *setting;
    bool negated; /* a flag, found as no-NAME */
} tn_setting_found;

/* By long name or alias, with "no-" in front for flags, or by letter. False when there is none. */
bool tn_setting_find(const tn_setting_group *groups, uint32_t n, const char *name, size_t len,
                     tn_setting_found *found);
bool tn_setting_by_letter(const tn_setting_group *groups, uint32_t n, char letter,
                          tn_setting_found *found);
/* Applies it with its value. A flag takes a truth or NULL, which is true; NULL is refused where a
 * value is needed. */
TN_MUST_USE tn_status tn_setting_apply(tn_set_ctx *c, const tn_setting_found *found,
                                       const char *value);

/* ---- values ---- */

tn_setting_type tn_setting_type_of(const tn_setting *s);
bool tn_setting_repeats(const tn_setting *s);
/* A value that the setting took, written in one way: names in quotes only where they need them. */
const char *tn_setting_canonical(tn_arena *arena, const tn_setting *s, const char *value);
/* NAME of a setting with pairs; NULL for others. */
const char *tn_setting_pair_name(tn_arena *arena, const tn_setting *s, const char *value);
/* Whether a value from a weaker source counts beside the first n of `given`: not where they give
 * the same setting, a pair of the same name, or what the setting yields to. */
bool tn_setting_counts(tn_arena *arena, const tn_setting *s, const char *value,
                       const tn_pairs *given, uint32_t n);
/* What counts of `given`, and of `weaker` (or NULL) beside it, in order of the tables: of settings
 * that do not repeat the last value. */
tn_pairs tn_setting_settle(tn_arena *arena, const tn_setting_group *groups, uint32_t n,
                           const tn_pairs *given, const tn_pairs *weaker);

/* "; did you mean 'X'?", or "" for NULL. */
const char *tn_did_you_mean(tn_arena *arena, const char *near);
/* The long name (or no-NAME) nearest to `name`, or NULL. */
const char *tn_setting_suggest(tn_arena *arena, const tn_setting_group *groups, uint32_t n,
                               const char *name);
/* --help: titles, options and their sentences, wrapped. */
void tn_setting_help(const tn_setting_group *groups, uint32_t n, tn_sink *out);

#endif
