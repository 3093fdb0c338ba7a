/* Project files: JSON that says what a command line can say. docs/OPTIONS.md describes the form and
 * what counts more, docs/project.schema.json is for machines. The keys of "options" are settings
 * (lib/request/setting.h): a new row in a table is a new key. */
#ifndef TENURE_LIB_REQUEST_PROJECT_H
#define TENURE_LIB_REQUEST_PROJECT_H

#include "backends/core/backend.h"
#include "ir/base/file.h"
#include "lib/request/setting.h"
#include "lib/sets/sets.h"

enum { TN_PROJECT_FORMAT = 1 };

/* Settings that a project file may name: those of "options" and of "commands.COMMAND". */
typedef struct tn_project_scope {
    const tn_setting_group *options, *switches;
    uint32_t n_options, n_switches;
    const char *command;         /* that is running; NULL: none, "commands" is not looked into */
    const char *const *commands; /* the names there may be; ends at NULL */
} tn_project_scope;

/* A setting with its value as the text that setters take. */
typedef struct tn_project_option {
    tn_setting_found found;
    const char *value;
    const char *place; /* "options.dim", for messages */
} tn_project_option;

typedef struct tn_project_emit {
    const char *place;
    const tn_backend *backend;
    tn_backend_args args;
    const char *file; /* path; NULL: as without -o */
} tn_project_emit;

typedef struct tn_project {
    tn_loc loc;
    tn_texts models; /* paths, or NAME=PATH of programs; empty: none */
    TN_VEC(tn_project_option) options;
    TN_VEC(tn_project_emit) emits;
} tn_project;

/* Reads the file; its texts go into `arena`. Paths in it are made relative to the folder of `file`.
 * TN_USAGE after a diagnostic that says where ("options.capacity"). */
TN_MUST_USE tn_status tn_project_read(tn_arena *arena, const char *file, tn_bytes bytes,
                                      const tn_project_scope *scope, tn_project *out);
/* Applies the options that count beside what the targets have been given before. */
TN_MUST_USE tn_status tn_project_apply(tn_arena *arena, const tn_project *p);

/* What a project file says, to be written: what the groups of `scope` have been given. */
typedef struct tn_project_content {
    const tn_set_model *models;
    uint32_t n_models;
    bool programs; /* their names count, of one model too */
    tn_project_scope scope;
    tn_pairs options, switches; /* settled */
    const tn_project_emit *emits;
    uint32_t n_emits;
} tn_project_content;

void tn_project_print(const tn_project_content *p, tn_sink *out);
/* docs/project.schema.json: the options of `groups`, and those of all backends. */
void tn_project_schema_print(const tn_setting_group *groups, uint32_t n, tn_sink *out);

#endif
