/* tenure: static memory plans for ONNX graphs, for embedding in other programs.
 *
 *   tenure_context *ctx = tenure_context_new(NULL);
 *   tenure_model *model = tenure_load_file(ctx, "net.onnx", NULL);
 *   tenure_plan *plan = NULL;
 *   if (model != NULL && tenure_plan_make(model, NULL, &plan) == TENURE_OK) {
 *       printf("arena: %llu bytes\n", (unsigned long long)tenure_plan_arena_size(plan));
 *   }
 *   tenure_context_free(ctx);
 *
 * Rules that hold everywhere:
 *   - Handles are opaque and hang on a context; tenure_context_free frees whatever is left of them.
 *     Freeing NULL is fine. A context and its handles belong to one thread at a time; different
 *     contexts are independent. (tenure_cancel alone may be called from outside.)
 *   - A function that fails returns a status other than TENURE_OK, or NULL, after it gave one or
 *     more messages to the context's diagnostic callback; tenure_last_status says what NULL meant.
 *     Nothing is printed, nothing exits, nothing is written to files.
 *   - Running out of memory anywhere is TENURE_NOMEM; the context stays usable.
 *   - NULL for what must be there is TENURE_USAGE (or NULL, 0 where no status is returned) and
 *     nothing else happens; pointers to results are set to NULL by every failure.
 *   - Texts are UTF-8 as the model has them, end with NUL, and stay valid as long as the handle
 * they came from.
 *   - Sizes and offsets are bytes.
 *
 * This header is stable: within one major version nothing is removed or changes its meaning.
 * tenure/ir.h, for programs that build, read or change graphs, may still change. */
#ifndef TENURE_TENURE_H
#define TENURE_TENURE_H

#include "tenure/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this header. */
#define TENURE_VERSION_MAJOR 0
#define TENURE_VERSION_MINOR 2
#define TENURE_VERSION_PATCH 0
/* 0: what this version will be, on the way there; CHANGELOG.md says the same. */
#define TENURE_VERSION_RELEASED 0
#define TENURE_VERSION                                                                             \
    (TENURE_VERSION_MAJOR * 10000 + TENURE_VERSION_MINOR * 100 + TENURE_VERSION_PATCH)

/* Version of the library that was linked, as number and text ("0.2.0"). */
TENURE_API int tenure_version(void);
TENURE_API const char *tenure_version_text(void);
/* Nonzero when the linked library serves programs built with this header. */
#define tenure_version_ok()                                                                        \
    (tenure_version() / 10000 == TENURE_VERSION_MAJOR && tenure_version() >= TENURE_VERSION)

/* The numbers are the exit codes of the command and never change. */
typedef enum tenure_status {
    TENURE_OK = 0,
    TENURE_ERROR = 1,     /* the model, the plan or the request is wrong */
    TENURE_USAGE = 2,     /* an unknown option, a value that is wrong by itself or for the model */
    TENURE_NOMEM = 3,     /* out of memory */
    TENURE_NOFIT = 4,     /* the plan does not fit the capacity asked for */
    TENURE_INTERNAL = 70, /* a mistake of the library, e.g. a plan its checker refuses */
    TENURE_INTERRUPTED = 130 /* tenure_cancel */
} tenure_status;

typedef struct tenure_context tenure_context;
typedef struct tenure_options tenure_options;
typedef struct tenure_model tenure_model;
typedef struct tenure_plan tenure_plan;
typedef struct tenure_buffer tenure_buffer;

/* ---- contexts ---- */

/* One function for all memory, as realloc with the old size: new_size 0 frees and returns NULL;
 * NULL for new_size > 0 means out of memory. Results are aligned as malloc's. Files are mapped, and
 * the libraries that read formats may use malloc for themselves. */
typedef struct tenure_allocator {
    void *(*fn)(void *user, void *ptr, size_t old_size, size_t new_size);
    void *user;
} tenure_allocator;

/* NULL allocator: malloc. Returns NULL when out of memory. */
TENURE_API tenure_context *tenure_context_new(const tenure_allocator *allocator);
TENURE_API void tenure_context_free(tenure_context *ctx);
/* How the last call ended that used the context or one of its handles and could fail. It says why
 * a function returned NULL or 0: TENURE_NOMEM, or TENURE_ERROR for a bad file. */
TENURE_API tenure_status tenure_last_status(const tenure_context *ctx);

typedef enum tenure_severity {
    TENURE_SEV_ERROR,
    TENURE_SEV_WARNING,
    TENURE_SEV_REMARK,
    TENURE_SEV_NOTE /* belongs to the message before it */
} tenure_severity;

/* One message. What is not known of its place is NULL, 0, or -1 for `node`. */
typedef struct tenure_diagnostic {
    size_t struct_size; /* of the library that fills it; newer ones know more members */
    tenure_severity severity;
    tenure_status status;  /* of an error: what kind it is; TENURE_OK for the others */
    const char *text;      /* without place and severity */
    const char *rendered;  /* a whole line, without its end: what the command prints */
    const char *file;      /* path as given, or the name it was loaded under */
    uint32_t line, column; /* in texts, from 1 */
    const char *graph;     /* path of a nested graph */
    const char *node, *op; /* name and type of a node */
    const char *value;     /* its first result, which stands for a node without a name */
    int32_t index;         /* of the node in the file's list, -1 */
} tenure_diagnostic;

/* Receives each message once; `diagnostic` and its texts are valid during the call. The callback
 * must return normally and must not call into the context. NULL: messages are dropped. */
typedef void (*tenure_diagnostic_fn)(void *user, const tenure_diagnostic *diagnostic);
TENURE_API void tenure_on_diagnostic(tenure_context *ctx, tenure_diagnostic_fn fn, void *user);

/* Is told what is begun, in a word or two: "read", the name of a pass, "check", "write". For
 * showing that something is going on; `doing` stays valid. The callback must return normally and
 * must not call into the context. */
typedef void (*tenure_progress_fn)(void *user, const char *doing);
TENURE_API void tenure_on_progress(tenure_context *ctx, tenure_progress_fn fn, void *user);

/* Ends the call that is running with the context, or else the next one, with TENURE_INTERRUPTED:
 * soon, and without a result. Where a plan is made with the option "keep-best", the first call ends
 * its searches alone: the status is the same, and the plan is the best one found so far, checked,
 * and marked (tenure_figures.interrupted). The only function that another thread or a signal
 * handler may call. A model that was being planned in place, or changed, is good for nothing but to
 * be freed. */
TENURE_API void tenure_cancel(tenure_context *ctx);

/* Receives what options like "print-after", "stats" and "print-log" have a run say, in pieces, for
 * people; `file` is NULL. For "crash-reproducer" `file` is the path given there, and the text is to
 * be written into it. The callback must return normally and must not call into the context. */
typedef void (*tenure_log_fn)(void *user, const char *file, const char *text, size_t size);
TENURE_API void tenure_on_log(tenure_context *ctx, tenure_log_fn fn, void *user);

/* ---- options ---- */

/* The options of `tenure plan`, by their long names without dashes: "dim", "input-shape",
 * "input-value", "graph", "O", "passes", "schedule", "views", "inplace", "level", "memory", "algo",
 * "align", "capacity", "exclude", "keep-all", "io", "reuse-inputs", "update", "loss", "grad-of",
 * "grad-suffix", "skip-grads", "skip-param-grads", "optimize-train", "optimize-test", "strict" and
 * so on; `tenure plan --help`, tenure_options_help and tenure_options_get say what each means. */
TENURE_API tenure_options *tenure_options_new(tenure_context *ctx);
/* Those of another command: "plan", "opt", "explain", "check", "dims", "pack". NULL for others. */
TENURE_API tenure_options *tenure_options_for(tenure_context *ctx, const char *command);
TENURE_API void tenure_options_free(tenure_options *options);
/* A flag takes NULL or "true", and "false" to turn it off; "no-NAME" is the opposite of NAME.
 * Options that may be repeated add up: call again. docs/OPTIONS.md says what counts more, options
 * or a model's metadata, and how names are put in quotes. */
TENURE_API tenure_status tenure_options_set(tenure_options *options, const char *name,
                                            const char *value);
/* Sets the option at argv[*at] as a command line has it ("--align=16", "--align", "16", "-O3"), and
 * moves *at behind it. */
TENURE_API tenure_status tenure_options_arg(tenure_options *options, int argc, char *const *argv,
                                            int *at);
/* Reads a project file (docs/OPTIONS.md): its options, those of the command, and its artefacts.
 * They count less than what was set before, so call it last. `name` stands for the path in
 * messages. TENURE_USAGE where the file is wrong. */
TENURE_API tenure_status tenure_options_read(tenure_options *options, const char *name,
                                             const void *data, size_t size);
/* Reads the files that the option "project" names, the last one first. */
TENURE_API tenure_status tenure_options_read_files(tenure_options *options);
/* The path of the model that project files name, or NULL where they name none, or programs. */
TENURE_API const char *tenure_options_model(const tenure_options *options);
/* All that they name, as tenure_plan_files takes them: a path, or "NAME=PATH" for each program. *n
 * of them (`n` may be NULL); NULL where there is none. They stay until the options change. */
TENURE_API const char *const *tenure_options_models(const tenure_options *options, size_t *n);
/* What an option was set to last, "true" or "false" for flags; NULL when it was not. */
TENURE_API const char *tenure_options_value(const tenure_options *options, const char *name);
/* Finds what is wrong with options taken together, before a model is read: names of passes, the
 * pipeline, artefacts that would replace what is read. `model` is what tenure_plan_files will be
 * given first, or NULL; one more call for each further model looks at that, too. "print-pipeline"
 * is done by the first call. */
TENURE_API tenure_status tenure_options_check(tenure_options *options, const char *model);
/* All options, for people. */
TENURE_API tenure_status tenure_options_help(const tenure_options *options, tenure_buffer **out);
/* The project file that says what the options say, for the model at `model`. */
TENURE_API tenure_status tenure_options_print(tenure_options *options, const char *model,
                                              tenure_buffer **out);
/* The same for several, each "PATH" or "NAME=PATH". */
TENURE_API tenure_status tenure_options_print_models(tenure_options *options,
                                                     const char *const *models, size_t n,
                                                     tenure_buffer **out);

/* ---- models ---- */

/* Reads a model, ONNX or tenure's text form. `options` may be NULL; dimensions and input shapes are
 * taken from it. NULL after diagnostics, or when out of memory (tenure_last_status). */
TENURE_API tenure_model *tenure_load_file(tenure_context *ctx, const char *path,
                                          const tenure_options *options);
/* The same from memory, which has to stay as it is until the model is freed: the model refers to
 * the constants in there. `name` stands for the path in messages and when external data is looked
 * for. */
TENURE_API tenure_model *tenure_load_memory(tenure_context *ctx, const char *name, const void *data,
                                            size_t size, const tenure_options *options);
TENURE_API void tenure_model_free(tenure_model *model);

/* ---- plans ---- */

/* Runs the pipeline the options ask for over a copy of the model and checks the plan it makes. The
 * plan does not need the model afterwards, and the model is as it was. Dimensions that `options`
 * bind have to be those that the model was loaded with (tenure_load_file, tenure_model_bind_dims),
 * or it is TENURE_USAGE. *plan is set on TENURE_OK, for the sake of the report also on TENURE_ERROR
 * for "strict", on TENURE_NOFIT where a plan was made, and with "keep-best" on TENURE_INTERRUPTED;
 * NULL otherwise. */
TENURE_API tenure_status tenure_plan_make(const tenure_model *model, const tenure_options *options,
                                          tenure_plan **plan);
/* The same without a copy, which takes less memory where models are large. The model changes: its
 * types, flags and aliases are filled in, its ops are put into the order that was planned, and
 * passes that rewrite have done so. A pipeline that makes no plan is no mistake here: *plan is NULL
 * then on TENURE_OK. */
TENURE_API tenure_status tenure_plan_in_place(tenure_model *model, const tenure_options *options,
                                              tenure_plan **plan);
/* Loads models and plans them into one plan. Each of `models` is "PATH" or "NAME=PATH" (a path in
 * which '=' comes before any '/' is written "./PATH"), a NAME names the program; more than one are
 * programs that never run at once, which "shared-arena" has to allow. An option "dim" with
 * several extents makes a variant for each combination (docs/SETS.md). *model is that of the first
 * plan, with all others behind it: tenure_emit_all and tenure_model_free take it for all of them.
 * Both are set as by tenure_plan_in_place. */
TENURE_API tenure_status tenure_plan_files(tenure_context *ctx, const char *const *models, size_t n,
                                           const tenure_options *options, tenure_model **model,
                                           tenure_plan **plan);
/* Reads a plan in JSON form. It is consistent in itself; tenure_plan_check holds it against a
 * model. */
TENURE_API tenure_status tenure_plan_read(tenure_context *ctx, const char *name, const void *data,
                                          size_t size, tenure_plan **plan);
/* The same for the file at `path`. */
TENURE_API tenure_status tenure_plan_read_file(tenure_context *ctx, const char *path,
                                               tenure_plan **plan);
/* Proves that the plan is right for the model, or says in diagnostics what is wrong. Options
 * recorded in the plan are taken from there where `options` (may be NULL) does not give them; those
 * that bind dimensions count when the model is loaded. Of what `options` ask, capacity, align, io
 * and strict are held against the plan as well (TENURE_NOFIT for the capacity). All variants of a
 * plan, and all programs of a set, are proved, and what they share. */
TENURE_API tenure_status tenure_plan_check(const tenure_plan *plan, const tenure_model *model,
                                           const tenure_options *options);
TENURE_API void tenure_plan_free(tenure_plan *plan);
/* The same for files: the plan in JSON at `plan`, and the model at `model` (as tenure_plan_files
 * takes it), loaded with the dimensions that the plan was made for. `plan` NULL: the one that the
 * ONNX model has in its metadata (backend "onnx"). *report is a line that says what was checked. */
TENURE_API tenure_status tenure_check_files(tenure_context *ctx, const char *model,
                                            const char *plan, const tenure_options *options,
                                            tenure_buffer **report);
/* The same for plans of several programs: `models` are as for tenure_plan_files; one alone is that
 * of all programs. */
TENURE_API tenure_status tenure_check_models(tenure_context *ctx, const char *const *models,
                                             size_t n, const char *plan,
                                             const tenure_options *options, tenure_buffer **report);

/* Reads an ONNX model (`path` as tenure_plan_files takes it) and the plan in its metadata, which is
 * checked as tenure_check_files does.
 * NULL after diagnostics, or when out of memory (tenure_last_status); options of the pipeline are
 * TENURE_USAGE, because the plan is made already. */
TENURE_API tenure_model *tenure_load_planned(tenure_context *ctx, const char *path,
                                             const tenure_options *options, tenure_plan **plan);

/* Bytes of the planned arena, and the proven lower bound for the same order and aliases. */
TENURE_API uint64_t tenure_plan_arena_size(const tenure_plan *plan);
TENURE_API uint64_t tenure_plan_lower_bound(const tenure_plan *plan);

/* Everything else that a plan holds is read by the functions of tenure/plan_read.h, which is part
 * of this header. */

/* ---- what comes out ---- */

/* Where the files of an artefact go. */
typedef struct tenure_sink {
    size_t struct_size; /* sizeof(tenure_sink) */
    /* Name of the main file, without folder ("net.h"): names inside the artefact begin with it, and
     * further files are named after it. NULL or "": none. */
    const char *name;
    /* Takes the next `size` bytes of the file of that name; `file` is `name`, or another one for
     * artefacts of several files. Each file comes at least once, perhaps with size 0; calls for
     * different files may alternate. `data` is valid during the call. A result other than 0 ends
     * the emission with TENURE_ERROR, one below 0 without a message. It must return normally and
     * not call into the context. */
    int (*write)(void *user, const char *file, const void *data, size_t size);
    void *user;
} tenure_sink;

/* Writes the plan as a backend has it: "c-header", "opencl", "json", "weights", ...
 * (`tenure --list-backends`). `options` is "NAME=VALUE,NAME=VALUE" for the backend, values in
 * quotes where they hold a comma or a blank, or NULL. Backends that need the bytes of constants
 * (weights) need `model` too, the model of the plan or one that differs from it in weights alone;
 * for the others it may be NULL. Nothing is held back: memory does not grow with the artefact. When
 * it fails, what has been written so far is no artefact.
 * TENURE_ERROR for a plan that leaves values out since dimensions of the model are open, unless it
 * was made with the option "partial"; its report can be had all the same. */
TENURE_API tenure_status tenure_emit(const tenure_plan *plan, const tenure_model *model,
                                     const char *backend, const char *options,
                                     const tenure_sink *sink);
/* Writes what the options "emit", "output" and "emit-opt" ask for. The files have the paths given
 * there, "-" for standard output, and further ones beside them; none has two artefacts or replaces
 * the model. `sink->name` means nothing. Where the options ask for nothing but "quiet", what the
 * plan leaves out is a warning. */
TENURE_API tenure_status tenure_emit_all(const tenure_plan *plan, const tenure_model *model,
                                         const tenure_options *options, const tenure_sink *sink);
/* The same into memory, for artefacts of one file that need no model. */
TENURE_API tenure_status tenure_plan_emit(const tenure_plan *plan, const char *backend,
                                          const char *options, tenure_buffer **out);
/* The report a person reads. */
TENURE_API tenure_status tenure_plan_report(const tenure_plan *plan, tenure_buffer **out);
/* The plan in text form, whatever it leaves out. */
TENURE_API tenure_status tenure_plan_print(const tenure_plan *plan, tenure_buffer **out);

/* ---- what can be said of a model ---- */

/* What plans of a copy of the model did to the tensors, and why: names, perhaps in quotes, and
 * globs; with none, all steps, the peak, and advice: what would make the arena smaller. `options`
 * are those of the command `explain` (tenure_options_for), of any other, or NULL; "json" has one
 * fact a line, as docs/PASSES.md says. */
TENURE_API tenure_status tenure_explain(const tenure_model *model, const tenure_options *options,
                                        const char *const *tensors, size_t n_tensors,
                                        tenure_buffer **out);
/* The same of a plan that is there, as far as it says so itself: steps, tensors and the peak. What
 * was refused and what would help are known of a model alone. Options that would make another plan
 * are TENURE_USAGE. */
TENURE_API tenure_status tenure_plan_explain(const tenure_plan *plan, const tenure_options *options,
                                             const char *const *tensors, size_t n_tensors,
                                             tenure_buffer **out);
/* What has changed between two plans, of one model or of two that have names in common: figures,
 * what is alive at the peak and why, aliases, sizes, lives, pools and the order of steps
 * (docs/PICTURES.md). `options` are those of the command `diff`, of any other, or NULL. *differ
 * (may be NULL) is nonzero where anything has. The plans may belong to different contexts;
 * `before`'s gives the memory. */
TENURE_API tenure_status tenure_plan_diff(const tenure_plan *before, const tenure_plan *after,
                                          const tenure_options *options, int *differ,
                                          tenure_buffer **out);
/* What the model leaves open, and numbers for it. `data` is the file of that name, which is read
 * where it is NULL. */
TENURE_API tenure_status tenure_dims(tenure_context *ctx, const char *name, const void *data,
                                     size_t size, tenure_buffer **out);

/* ---- what makes a model fit ---- */

/* What was tried to make a model fit a budget (docs/FIT.md). */
typedef struct tenure_fit tenure_fit;

/* Finds options with which the model fits: `options` are those of the command `fit`
 * (tenure_options_for), of which "ram" or "flash" has to be given. *plan is made as by
 * tenure_plan_make with the options found. TENURE_NOFIT where there are none, TENURE_INTERRUPTED
 * where the search was ended ("keep-best"): *plan is then the least there is, or the best so far.
 * After any other failure *plan and *fit are NULL. Both are the caller's to free, and neither needs
 * the other. */
TENURE_API tenure_status tenure_fit_make(const tenure_model *model, const tenure_options *options,
                                         tenure_plan **plan, tenure_fit **fit);
/* All that was tried, what it gives and what it asks for. `form` is "text", for people; "json", for
 * programs; or "html", a page with the curve of bytes by operations. */
TENURE_API tenure_status tenure_fit_report(const tenure_fit *fit, const char *form,
                                           tenure_buffer **out);
/* Options of the command `plan` that make the plan again, to be printed as a project file
 * (tenure_options_print), and the same as a command line. They belong to `fit`; NULL for NULL. */
TENURE_API tenure_options *tenure_fit_options(const tenure_fit *fit);
TENURE_API const char *tenure_fit_command(const tenure_fit *fit);

/* A measure that was tried on top of those that are part of the result before it. The first one is
 * the plan without measures. Texts belong to the tenure_fit. */
typedef struct tenure_rung {
    size_t struct_size;  /* set by the caller */
    const char *measure; /* "order", "io", ...; "none" of the first */
    const char *options; /* "--io=arena", "" of the first */
    const char *asks;    /* for what: of the user, his kernels or his program */
    uint64_t ram, flash; /* bytes, with stack and code of the program where tenure writes it */
    uint64_t arena, stack;
    uint64_t operations, model_operations; /* of clones, and of all else; 0 without clones */
    int made;                              /* whether there is a plan; else all numbers are 0 */
    int fits;                              /* the budget */
    int part;                              /* of the result */
    int chosen;                            /* the last part: its numbers are those of the result */
} tenure_rung;
TENURE_API size_t tenure_fit_count(const tenure_fit *fit);
/* False (0) behind the last, for NULL, and for a struct_size that cannot be right. */
TENURE_API int tenure_fit_rung(const tenure_fit *fit, size_t index, tenure_rung *out);
TENURE_API void tenure_fit_free(tenure_fit *fit);

/* The bytes, followed by a NUL that `size` does not count. */
TENURE_API const char *tenure_buffer_data(const tenure_buffer *buffer);
TENURE_API size_t tenure_buffer_size(const tenure_buffer *buffer);
TENURE_API void tenure_buffer_free(tenure_buffer *buffer);

#ifdef __cplusplus
}
#endif

#include "tenure/lists.h"
#include "tenure/packer.h"
#include "tenure/plan_read.h"

#endif
