/* A program in C that calls a kernel a step (docs/PROGRAM.md), as far as backends have it in
 * common: what cannot be one, and the functions of steps with their attributes and tensors. */
#ifndef TENURE_BACKENDS_CORE_PROGRAM_H
#define TENURE_BACKENDS_CORE_PROGRAM_H

#include "backends/core/emit.h"
#include "backends/core/kernel.h"
#include "backends/core/open_layout.h"
#include "backends/core/plan_ids.h"
#include "ir/compute/compute.h"

typedef struct tn_cp tn_cp;
typedef struct tn_found tn_found;

/* The member of the memory of several programs with the layout of one of them. */
typedef struct tn_set_layout {
    const char *symbol, *member; /* "net_encoder", "encoder_layout" */
} tn_set_layout;

/* Whether a program holds the library's kernel for a step: none is there, or not one that keeps
 * what the step promises. */
typedef enum tn_taken { TN_TAKEN_NONE, TN_TAKEN, TN_TAKEN_TOO_WEAK } tn_taken;

struct tn_cp {
    const tn_plan *p;
    const tn_module *model;
    tn_sink *out; /* of the file being written */
    tn_arena *arena;
    const char *macro, *symbol; /* prefix, upper and lower case */
    const char *whole;          /* prefix, lower case, of several programs of which this is one;
                                   NULL: it stands alone */
    const char *memory;         /* type of what the functions of steps get as `m` */
    /* Writes where a value lies, as an expression of type void * over `m`. */
    void (*put_place)(const tn_cp *c, uint32_t value);
    tn_plan_ids ids;
    const tn_open *open;    /* what is loaded from the layout; NULL: all is constant */
    const char *layout;     /* "m->layout" */
    tn_set_layout *layouts; /* of several programs: members of the memory, n_layouts of them */
    uint32_t n_layouts;
    const tn_found *found;     /* extents that data give (found.h); NULL: none */
    tn_dims *limits;           /* tn_plan_limits */
    uint64_t largest;          /* size_t of the target */
    const char **pools;        /* members of the struct with the bases */
    bool names;                /* of nodes, in the program */
    bool inside;               /* kernels stand in the program where that is possible, */
    bool small, threads;       /* with small code, with threads of OpenMP */
    const bool *used;          /* by id in the model: the plan rests on the value's elements */
    const uint32_t *in_module; /* by value of the plan: id in the model, or TN_NO_ID */
    const bool *only;          /* by step: those whose functions are written; NULL: all */
    const uint32_t *made;      /* by step: number of the kernel that the program holds for it, or
                                  TN_NO_ID; NULL: it holds none */
    const tn_taken *taken;     /* by step: of the library's kernels; likewise */
};

/* The extent of a value at most: where data give it, that of the place. */
void tn_cp_put_most(const tn_cp *c, uint32_t value, uint32_t axis);
/* The `accepts` of programs. TN_ERROR after a diagnostic that begins with the backend's name. */
TN_MUST_USE tn_status tn_cp_accepts(const tn_plan *p, const char *backend);
/* An artefact of several files is named by its main one: TN_USAGE after a diagnostic where that has
 * no name ending in '.c'. */
TN_MUST_USE tn_status tn_cp_check_name(const tn_emission *e, const char *backend);
/* Another backend's artefact `name` among the files of this one, with the options of `opts`. */
TN_MUST_USE tn_status tn_cp_emit_with(const tn_emission *e, tn_arena *arena, const char *backend,
                                      const char *name, const char *opts);
/* Fills in prefix, pools and what is known of the model; the rest is set already. */
void tn_cp_prepare(tn_cp *c, const tn_emission *e, const char *prefix);

/* Writes a template: @M stands for the prefix of macros, @m for that of other names. */
void tn_cp_put(const tn_cp *c, const char *template);
/* The same for the main function of a program, in which "@@FILES" stands for what all of them have:
 * numbers made up, shown and compared, files of inputs and outputs (main_files.tmpl). */
void tn_cp_put_main_text(const tn_cp *c, const char *template);
/* " 'name' type" in a comment. */
void tn_cp_put_value(const tn_cp *c, uint32_t value);
/* The first line of a file: "Runs" and the name of the model. */
void tn_cp_put_banner(const tn_cp *c, const char *what);
/* Prototypes of the kernels that tenure_kernels.h does not declare. */
void tn_cp_put_more_prototypes(const tn_cp *c);
/* Kernels of the program's own, for steps of which the op table says what they compute: fills in
 * c->made, and gives the text that stands in front of the steps. */
const char *tn_cp_make_kernels(tn_cp *c);
/* What the step's kernel computes, and how that would be called. False where the program cannot
 * hold one, or not one that keeps what the step promises. */
bool tn_cp_step_nests(const tn_cp *c, uint32_t step, tn_kernel *k, tn_compute *ask);
/* TN_ERROR after a diagnostic where the model does not have the groups of the plan. */
TN_MUST_USE tn_status tn_cp_demand_groups(const tn_cp *c);
/* The op that the model has for the step, or for the one it is a clone of; NULL: none of its kind.
 */
const tn_op *tn_cp_op(const tn_cp *c, const tn_plan_step *s);
/* The nests of a group. False where the model does not have it, or its kernel would not keep what
 * the plan promises. */
bool tn_cp_group_nests(const tn_cp *c, const tn_plan_step *s, tn_compute *ask);
/* The row of the op where not the table but kernels' facts or a plug-in say what it computes, by a
 * formula; else NULL. */
const tn_op_info *tn_cp_own_row(const tn_cp *c, const tn_plan_step *s);
/* Operands and results of such an op as they lie in memory, false where no loops over elements go
 * through them; and a warning that it has no kernel. */
bool tn_cp_own_values(const tn_cp *c, const tn_plan_step *s, tn_compute *ask);
void tn_cp_warn_own(const tn_cp *c, const tn_plan_step *s);
/* Behind that: those of the library for the other steps. Fills in c->taken. */
const char *tn_cp_library_kernels(tn_cp *c);
/* Elements of the operand that the field is of, where the plan rests on them; else NULL. */
const tn_attr *tn_cp_known(const tn_cp *c, const tn_plan_step *s, const tn_kernel_field *f);
/* Macros that say which function each step calls. */
void tn_cp_put_kernel_macros(const tn_cp *c);
/* Whether an extent does not fit in 32 bits. */
bool tn_cp_needs_wide_dims(const tn_plan *p);
/* The functions of all steps that run a kernel, with the extents and tables they need. */
TN_MUST_USE tn_status tn_cp_put_steps(const tn_cp *c);

/* Whether the step runs a kernel at all, and is not left out. */
bool tn_cp_calls(const tn_cp *c, uint32_t step);
/* Whether its operands, results and workspaces have places; those of branches that are never taken
 * need none. */
bool tn_cp_is_placed(const tn_cp *c, const tn_plan_step *s);
/* Whether only type and extents of the operand at that position are read. */
bool tn_cp_is_shape_only(const tn_plan_step *s, uint32_t position);
/* What a kernel has to do to keep the promise: "read each element before it is written, ...". */
const char *tn_cp_promise_text(tn_plan_promise promise);
/* "_nhwc" where the step reads or makes a value with channels last, else "". */
const char *tn_cp_layout(const tn_cp *c, const tn_plan_step *s);
/* The name of what the step calls, without prefix: "Conv_11", "Conv_11_nhwc". */
const char *tn_cp_symbol(const tn_cp *c, const tn_plan_step *s);
/* The row of the op, where tenure_kernels.h declares its kernel; NULL: it is a tenure_generic. */
const tn_op_info *tn_cp_row(const tn_plan_step *s);
/* Whether extents of the value are loaded. */
bool tn_cp_has_open_extents(const tn_cp *c, uint32_t value);
/* An extent, or bytes, as an expression over `m`. */
void tn_cp_put_extent(const tn_cp *c, uint32_t value, uint32_t axis);
void tn_cp_put_value_bytes(const tn_cp *c, uint32_t value);
/* "net_d_1_32_16_16" */
void tn_cp_put_shape_name(const tn_cp *c, uint32_t rank, const int64_t *dims);

/* An attribute's value as a table in front of the struct it is for (nothing for those that stand in
 * it), and the entry in the struct. `id` is that of the table. `a` may be NULL. TN_ERROR after a
 * diagnostic. */
TN_MUST_USE tn_status tn_cp_put_attr_table(const tn_cp *c, const tn_plan_step *s, const char *id,
                                           const tn_attr *a);
void tn_cp_put_attr_entry(const tn_cp *c, tn_attr_kind kind, const char *id, const tn_attr *a);

/* Tables of attributes and `attributes`: the struct of the kernel, nothing where it has none; or
 * the list of *n that the step states. TN_ERROR after a diagnostic. */
TN_MUST_USE tn_status tn_cp_put_attributes(const tn_cp *c, const tn_plan_step *s,
                                           const tn_kernel *k);
TN_MUST_USE tn_status tn_cp_put_generic_attributes(const tn_cp *c, const tn_plan_step *s,
                                                   uint32_t *n);

#endif
