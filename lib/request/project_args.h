/* Project files and options: --project and --print-project. */
#ifndef TENURE_LIB_REQUEST_PROJECT_ARGS_H
#define TENURE_LIB_REQUEST_PROJECT_ARGS_H

#include "ir/base/file.h"
#include "lib/request/command_options.h"

/* Reads a project file into options that have been given what counts more. */
TN_MUST_USE tn_status tn_options_read(tn_options *o, const char *name, tn_bytes bytes);
/* Those that --project names. */
TN_MUST_USE tn_status tn_options_read_files(tn_options *o);
/* The project file that says what these options say, of n models: paths, or NAME=PATH. */
TN_MUST_USE tn_status tn_options_print(tn_options *o, const char *const *models, uint32_t n,
                                       tn_sink *out);

#endif
