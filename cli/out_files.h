/* Files that appear under their names when all of them are complete. */
#ifndef TENURE_CLI_OUT_FILES_H
#define TENURE_CLI_OUT_FILES_H

#include <tenure/tenure.h>

#include "cli/cli.h"

typedef struct tn_out_file tn_out_file;

/* All zero: none. */
typedef struct tn_out_files {
    tn_out_file *newest;
    tenure_status status; /* of the first failure, which has been reported */
} tn_out_files;

/* Takes the next bytes of the file at `path` ("-": standard output), which is made when it is new:
 * under a temporary name, where it is not a device or a pipe. 0, or -1 after a message. For
 * tenure_sink.write. */
int tn_out_write(void *files, const char *path, const void *data, size_t size);
/* The artefacts that the options ask for. */
tenure_status tn_out_emit(tn_out_files *files, const tenure_options *options,
                          const tenure_plan *plan, const tenure_model *model);
/* Gives all their names. */
tenure_status tn_out_commit(tn_out_files *files);
/* Takes away what has no name yet, and frees all. */
void tn_out_drop(tn_out_files *files);
/* What was printed to standard output by stdio is written, or an error. */
tenure_status tn_out_flush(void);
/* A whole file. */
tenure_status tn_out_whole(const char *path, const void *data, size_t size);
/* Refuses an --output that is one of the files the command reads. */
tenure_status tn_cli_spare_inputs(const tn_cli *c);

#endif
