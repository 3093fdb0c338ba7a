#include "cli/out_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "ir/os/os.h"

struct tn_out_file {
    tn_out_file *older;
    char *path;
    char *real; /* the file that `path` leads to; NULL: `path` itself */
    char *tmp;  /* NULL: written to directly */
    int fd;     /* -1 once closed */
};

static int fail(tn_out_files *files, const char *path, const char *what) {
    const char *shown = strcmp(path, "-") == 0 ? "<standard output>" : path;
    files->status = tn_cli_error(TENURE_ERROR, shown, "cannot %s: %s", what, strerror(errno));
    return -1;
}

static int no_memory(tn_out_files *files) {
    files->status = tn_cli_error(TENURE_NOMEM, NULL, "%s", "out of memory");
    return -1;
}

static int close_file(tn_out_file *f) {
    int fd = f->fd;
    f->fd = -1;
    return fd < 0 || fd == TN_OS_STDOUT ? 0 : tn_os_close(fd);
}

/* Devices, pipes and sockets are written to directly: a rename would replace them. So is what a
 * link leads to that is not there yet. */
static int is_direct(const char *path) {
    tn_os_kind kind = tn_os_kind_at(path);
    return kind == TN_OS_NOTHING ? tn_os_is_link(path) : kind != TN_OS_FILE;
}

static const char *target_of(const tn_out_file *f) {
    return f->real != NULL ? f->real : f->path;
}

static int open_file(tn_out_files *files, tn_out_file *f) {
    if (strcmp(f->path, "-") == 0) {
        f->fd = TN_OS_STDOUT;
        return 0;
    }
    if (is_direct(f->path)) {
        f->fd = tn_os_open_direct(f->path);
        return f->fd >= 0 ? 0 : fail(files, f->path, "open for writing");
    }
    /* what links lead to is written, and the links stay */
    f->real = tn_os_is_link(f->path) ? tn_os_real(f->path) : NULL;
    f->tmp = tn_os_temporary(target_of(f), &f->fd);
    if (f->tmp == NULL) {
        return no_memory(files);
    }
    if (f->fd < 0) {
        free(f->tmp);
        f->tmp = NULL;
        return fail(files, f->path, "create");
    }
    return 0;
}

static tn_out_file *add_file(tn_out_files *files, const char *path) {
    size_t len = strlen(path) + 1;
    tn_out_file *f = realloc(NULL, sizeof *f);
    char *copy = f != NULL ? realloc(NULL, len) : NULL;
    if (copy == NULL) {
        free(f);
        (void)no_memory(files);
        return NULL;
    }
    memcpy(copy, path, len);
    *f = (tn_out_file){.older = files->newest, .path = copy, .fd = -1};
    files->newest = f;
    return open_file(files, f) == 0 ? f : NULL;
}

int tn_out_write(void *user, const char *path, const void *data, size_t size) {
    tn_out_files *files = user;
    tn_out_file *f = files->newest;
    tn_progress_hide();
    while (f != NULL && strcmp(f->path, path) != 0) {
        f = f->older;
    }
    if (f == NULL) {
        f = add_file(files, path);
    }
    if (f == NULL) {
        return -1;
    }
    return tn_os_write(f->fd, data, size) == 0 ? 0 : fail(files, path, "write");
}

/* The oldest first, as they were begun. */
static tn_out_file *turned_round(tn_out_file *newest) {
    tn_out_file *oldest = NULL;
    while (newest != NULL) {
        tn_out_file *next = newest->older;
        newest->older = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

tenure_status tn_out_emit(tn_out_files *files, const tenure_options *options,
                          const tenure_plan *plan, const tenure_model *model) {
    tenure_sink sink = {.struct_size = sizeof sink, .write = tn_out_write, .user = files};
    tenure_status status = tenure_emit_all(plan, model, options, &sink);
    return status != TENURE_OK && files->status != TENURE_OK ? files->status : status;
}

tenure_status tn_out_commit(tn_out_files *files) {
    files->newest = turned_round(files->newest);
    for (tn_out_file *f = files->newest; f != NULL; f = f->older) {
        if (close_file(f) != 0 || (f->tmp != NULL && tn_os_rename(f->tmp, target_of(f)) != 0)) {
            (void)fail(files, f->path, "write");
            return files->status;
        }
        free(f->tmp);
        f->tmp = NULL;
    }
    return TENURE_OK;
}

void tn_out_drop(tn_out_files *files) {
    while (files->newest != NULL) {
        tn_out_file *f = files->newest;
        files->newest = f->older;
        (void)close_file(f);
        if (f->tmp != NULL) {
            tn_os_remove(f->tmp);
        }
        free(f->tmp);
        free(f->real);
        free(f->path);
        free(f);
    }
}

tenure_status tn_out_whole(const char *path, const void *data, size_t size) {
    tn_out_files files = {0};
    tenure_status status =
        tn_out_write(&files, path, data, size) == 0 ? tn_out_commit(&files) : files.status;
    tn_out_drop(&files);
    return status;
}

static tenure_status spare(const tn_cli *c, const char *output) {
    if (output == NULL || tn_os_kind_at(output) != TN_OS_FILE) {
        return TENURE_OK;
    }
    for (int i = 0; i < c->n_args; i++) {
        if (tn_os_same(c->args[i], output)) {
            return tn_cli_error(TENURE_USAGE, NULL,
                                "the output '%s' would replace '%s', which is read; name another "
                                "file",
                                output, c->args[i]);
        }
    }
    return TENURE_OK;
}

tenure_status tn_cli_spare_inputs(const tn_cli *c) {
    static const char *const names[] = {"output", "report", "save-project"};
    tenure_status status = TENURE_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == TENURE_OK; i++) {
        status = spare(c, tenure_options_value(c->options, names[i]));
    }
    return status;
}

tenure_status tn_out_flush(void) {
    tn_out_files files = {0};
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        (void)fail(&files, "-", "write");
    }
    return files.status;
}
