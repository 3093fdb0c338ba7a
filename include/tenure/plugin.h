/* Plug-ins: passes, analyses, ops, backends and frontends that are not tenure's, registered on a
 * context. They behave like tenure's own: in pipelines and lists, in --print-after and statistics,
 * and what they plan passes the same checker. docs/PLUGINS.md is an introduction, examples/plugin
 * has one of each.
 *
 *   static tenure_status start(tenure_context *ctx) { return tenure_register_pass(ctx, &my_pass); }
 *   static const tenure_plugin plugin = {
 *       sizeof plugin, TENURE_PLUGIN_INTERFACE, "mine", "1.0", start};
 *   TENURE_PLUGIN_EXPORT const tenure_plugin *tenure_plugin_info(void) { return &plugin; }
 *
 * - A plug-in is a shared object that links nothing of tenure: the program that loads it has the
 *   functions (`tenure --load-plugin FILE`, or one that links libtenure.so). It stays loaded.
 * - What is registered is copied; texts, tables and functions in it stay with the plug-in.
 * - Callbacks return normally. What they call reports by itself; a status that is not TENURE_OK
 * ends the command. They run in the thread of the caller, one at a time for a context.
 * - This header may change with any minor version until 1.0. */
#ifndef TENURE_PLUGIN_H
#define TENURE_PLUGIN_H

#include "tenure/ir.h"
#include "tenure/plan_read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header. A plug-in that was built with another one is refused, and both are named. */
#define TENURE_PLUGIN_INTERFACE 1

#if defined(_WIN32)
#define TENURE_PLUGIN_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define TENURE_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define TENURE_PLUGIN_EXPORT
#endif

typedef struct tenure_plugin {
    size_t struct_size;
    uint32_t interface; /* TENURE_PLUGIN_INTERFACE */
    const char *name, *version;
    tenure_status (*start)(tenure_context *ctx); /* registers what there is */
} tenure_plugin;

/* What a shared object defines. */
TENURE_PLUGIN_EXPORT const tenure_plugin *tenure_plugin_info(void);

/* Loads a shared object and starts its plug-in on the context. Nothing is looked for: `path` is
 * taken as it is. */
TENURE_API tenure_status tenure_load_plugin(tenure_context *ctx, const char *path);
/* The same for a plug-in that is linked into the program. */
TENURE_API tenure_status tenure_add_plugin(tenure_context *ctx, const tenure_plugin *plugin);
/* Plug-ins of the context, in order; `path` (may be NULL) is NULL for those linked in. */
TENURE_API int tenure_get_plugin(const tenure_context *ctx, size_t index, tenure_plugin *out,
                                 const char **path);

/* Gives a message to the context's callback, located at `op` where that is not NULL. It does not
 * end anything: that is for the status that the callback of the plug-in returns. */
TENURE_API void tenure_report(tenure_context *ctx, tenure_severity severity, const tenure_op *op,
                              const char *text);

/* ---- options of passes and backends ---- */

typedef struct tenure_option_def {
    const char *name;        /* lower case, with dashes; NULL ends a table */
    tenure_option_kind kind; /* TENURE_OPTION_FLAG, _NUMBER, _CHOICE or _TEXT */
    const char *fallback;    /* the default, as text */
    const char *values;      /* of a choice: "file|kahn"; of a number: NULL, or the least and the
                                largest, "0..64" */
    const char *help;        /* one phrase, no final period */
} tenure_option_def;

/* ---- passes ---- */

/* What a pass needs to have run before, and what it leaves as it was. Where it keeps less than
 * there is, the passes that establish it run again when somebody needs it. */
enum {
    TENURE_HAS_TYPES = 1, /* types are inferred */
    TENURE_HAS_ORDER = 2, /* ops stand in the order of execution */
    TENURE_HAS_PINS = 4   /* what must keep its bytes is marked */
};

typedef struct tenure_counter_def {
    const char *name, *help; /* name NULL ends a table */
} tenure_counter_def;

typedef struct tenure_pass_run tenure_pass_run;

typedef struct tenure_pass_def {
    size_t struct_size;
    const char *name;                   /* as pipelines have it: lower case, with dashes */
    const char *summary;                /* one phrase, no final period */
    uint32_t needs, keeps;              /* TENURE_HAS_... */
    const tenure_option_def *options;   /* NULL: none */
    const tenure_counter_def *counters; /* of --stats; NULL: none */
    /* Changes the model through ir.h, or looks at it. Behind it the model is verified. */
    tenure_status (*run)(tenure_pass_run *run, void *user);
    void *user;
} tenure_pass_def;

TENURE_API tenure_status tenure_register_pass(tenure_context *ctx, const tenure_pass_def *pass);

/* ---- for passes that run ---- */

TENURE_API tenure_context *tenure_pass_context(const tenure_pass_run *run);
TENURE_API tenure_model *tenure_pass_model(const tenure_pass_run *run);
/* The value of an option in its canonical form: "true", "12", a choice; NULL for unknown names. */
TENURE_API const char *tenure_pass_value(const tenure_pass_run *run, const char *option);
TENURE_API void tenure_pass_count(tenure_pass_run *run, const char *counter, uint64_t n);
/* Zeroed memory until the pass ends; NULL when out of memory. */
TENURE_API void *tenure_pass_memory(tenure_pass_run *run, size_t size);
/* What a registered analysis says of the model as it is now: computed, unless it was already and
 * the model has not changed since. Valid until the model changes. NULL after a message. */
TENURE_API const void *tenure_pass_analysis(tenure_pass_run *run, const char *name);

/* ---- analyses ---- */

typedef struct tenure_analysis_run tenure_analysis_run;

typedef struct tenure_analysis_def {
    size_t struct_size;
    const char *name, *summary;
    /* The result, in memory of tenure_analysis_memory; NULL when there can be none. */
    const void *(*compute)(tenure_analysis_run *run, void *user);
    void *user;
} tenure_analysis_def;

TENURE_API tenure_status tenure_register_analysis(tenure_context *ctx,
                                                  const tenure_analysis_def *analysis);
TENURE_API tenure_model *tenure_analysis_model(const tenure_analysis_run *run);
/* Zeroed memory that lives as long as the result; NULL when out of memory. */
TENURE_API void *tenure_analysis_memory(tenure_analysis_run *run, size_t size);

/* ---- ops ---- */

/* Bits of tenure_op_def.traits. */
enum {
    TENURE_OP_ELEMENTWISE = 1, /* result element i depends on operand elements i */
    TENURE_OP_BROADCAST = 2,
    TENURE_OP_RANDOM = 4,
    TENURE_OP_SIDE_EFFECT = 8, /* runs even when nobody reads its results */
    TENURE_OP_BACKWARD = 16,   /* its results are gradients */
    TENURE_OP_UPDATE = 32,     /* an optimizer */
    TENURE_OP_LOSS = 64        /* result 0 is a training loss */
};

typedef struct tenure_inference tenure_inference;

/* Where a view lies: a box in the elements of a larger tensor. */
typedef struct tenure_part {
    size_t struct_size;
    uint32_t rank;                   /* of both; 64 at most */
    int64_t *whole, *extent, *start; /* `rank` each, to be written */
} tenure_part;

/* Bytes that a kernel needs, one of several ways; `bytes` is an expression (docs/FACTS.md). */
typedef struct tenure_way_def {
    const char *name, *bytes; /* bytes NULL ends a table */
    const char *when;         /* expression; NULL: always */
} tenure_way_def;

/* A whole row: the columns of the op table in its words (docs/FACTS.md has signatures, attributes,
 * claims). What is NULL or 0 is not claimed, which is safe. */
typedef struct tenure_op_def {
    size_t struct_size;
    const char *domain, *name, *doc;
    const char *versions;   /* "1 6"; NULL: "1" */
    const char *signature;  /* "X W B? -> Y" */
    const char *attributes; /* "axis:int=0 pads:ints?" */
    uint32_t traits;
    const char *in_place; /* "Y over X (same)" */
    tenure_view view;
    const char *view_of;    /* operand */
    const char *shape_only; /* operands */
    const char *params;     /* operands that say how the op works: "axes:ints" */
    /* Sets the types of results (tenure_infer_result). NULL: those stored in the model. It reads
     * the op through ir.h, where types may be unknown, and must not change anything. */
    tenure_status (*shape)(tenure_inference *inference, const tenure_op *op, void *user);
    /* For views of parts: where view i lies in the whole; false (0) where that is not known. */
    int (*part)(const tenure_op *op, uint32_t index, tenure_part *out, void *user);
    const tenure_way_def *workspace, *kept; /* NULL: none */
    /* Formulas by operand, "X: d * (1 - Y)" (docs/TRAINING.md). NULL: no gradient is known. */
    const char *gradient;
    void *user;
    /* What an element-wise op computes, "X / (1 + exp(-alpha * X))" (docs/FACTS.md): programs in C
     * hold its kernel then. NULL: not known. Where `shape` is NULL too, it gives the types of
     * results. */
    const char *compute;
} tenure_op_def;

TENURE_API tenure_status tenure_register_op(tenure_context *ctx, const tenure_op_def *op);

/* Result `index` has this type ("f32[2,n]", docs/IR.md). TENURE_ERROR for a text that is none. */
TENURE_API tenure_status tenure_infer_result(tenure_inference *inference, size_t index,
                                             const char *type);
/* Result `index` has the type of an operand, or another element type with the same extents
 * (TENURE_UNKNOWN: the same). */
TENURE_API void tenure_infer_like(tenure_inference *inference, size_t index, size_t operand,
                                  tenure_dtype dtype);
/* The operands contradict the definition of the op: a warning, and no types. */
TENURE_API void tenure_infer_conflict(tenure_inference *inference, const char *text);

/* ---- backends ---- */

typedef struct tenure_emission tenure_emission;

typedef struct tenure_backend_def {
    size_t struct_size;
    const char *name, *summary;
    const char *suffix;               /* of files: ".h" */
    const tenure_option_def *options; /* NULL: none */
    /* Writes the artefact. `model` is NULL unless `needs_model`. */
    tenure_status (*emit)(tenure_emission *emission, const tenure_plan *plan,
                          const tenure_model *model, void *user);
    int needs_model;
    void *user;
} tenure_backend_def;

TENURE_API tenure_status tenure_register_backend(tenure_context *ctx,
                                                 const tenure_backend_def *backend);
TENURE_API const char *tenure_emission_value(const tenure_emission *emission, const char *option);
/* Name of the main file, without folder; "" where it has none. */
TENURE_API const char *tenure_emission_name(const tenure_emission *emission);
/* Writes to the main file (`file` NULL), or to another one that stands beside it. */
TENURE_API tenure_status tenure_emission_write(tenure_emission *emission, const char *file,
                                               const void *data, size_t size);

/* ---- frontends ---- */

typedef struct tenure_frontend_def {
    size_t struct_size;
    const char *name, *summary;
    /* 0: the bytes are of another form; 1: they may be of this one; 2: they are. Of frontends that
     * say the same the one registered last reads the file. */
    int (*match)(const void *data, size_t size, void *user);
    /* The model, made with tenure_model_new and the rest of ir.h; the bytes stay as long as it
     * does. NULL after a message. */
    tenure_model *(*read)(tenure_context *ctx, const char *path, const void *data, size_t size,
                          void *user);
    void *user;
} tenure_frontend_def;

TENURE_API tenure_status tenure_register_frontend(tenure_context *ctx,
                                                  const tenure_frontend_def *frontend);

#ifdef __cplusplus
}
#endif

#endif
