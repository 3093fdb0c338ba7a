/* The plan as a program for OpenCL: net.c holds the kernels and what each step enqueues, net.h
 * declares it; net_cl.c is the plan of buffers, net_weights.bin the bytes of constants
 * (docs/OPENCL.md). The runtime tenure_cl runs it. */
#include <inttypes.h>
#include <string.h>

#include "backends/opencl_program/commands.h"
#include "ir/base/diag.h"
#include "ir/ops/op_set.h"

enum { OPT_WEIGHTS = TN_CL_N_OPTIONS, OPT_KERNELS, OPT_OWN, OPT_MAIN };
static const tn_opt options[] = {
    TN_CL_OPTIONS,
    {"weights", TN_OPT_ENUM, "bin", "bin|none",
     "the bytes of constants as a binary image, or left out"},
    {"kernels", TN_OPT_ENUM, "inside", "inside|extern|none",
     "inside: in the program, made for it where the op table says what the op computes; steps of "
     "other ops are computed by the host with tenure's library, and yours where that has none; "
     "extern: all are yours; none: likewise, and no tenure_kernels.h beside it, which is the same "
     "for every model"},
    {"own", TN_OPT_TEXT, "", NULL,
     "with kernels=inside: ops, by name, and steps, by number, whose kernels are yours, joined by "
     "'+': Conv+17"},
    {"main", TN_OPT_BOOL, "false", NULL,
     "NAME_main.c beside it: runs the program on a device, on inputs of a file, or made up, and "
     "shows, writes or compares the outputs"},
    {0}};

enum { MOST_NAMED = 4 };
static const char backend_name[] = "opencl-program";

/* The place, which kernels find in the tensor's data, or the bytes. */
static void put_place(const tn_cp *c, uint32_t value) {
    tn_putf(c->out, "tenure_cl_data(m, %" PRIu32 "u)", value);
}

static const char header_text[] =
    "#ifndef @M_PROGRAM_H\n#define @M_PROGRAM_H\n\n"
    "#include \"tenure_cl.h\"\n#include \"tenure_kernels.h\"\n\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
    "/* For tenure_cl_open, tenure_cl_build and tenure_cl_run. Kernels of yours find a "
    "tenure_cl_place in the\n * data of each tensor, and a tenure_cl_call in context->user. */\n"
    "extern const tenure_cl_plan @m_cl_plan;\n"
    "extern const tenure_cl_program @m_program;\n"
    "/* Why the last kernel on the host gave another number than 0, piece by piece. */\n"
    "void @m_say_why(void (*say)(const char *piece));\n";

static void put_header(const tn_cp *c) {
    tn_cp_put_banner(c, "Runs");
    tn_cp_put(c, header_text);
    tn_cp_put_more_prototypes(c);
    tn_put(c->out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

static const char checks_text[] =
    "#include \"@m.h\"\n\n#include <math.h>\n#include <stddef.h>\n#include <string.h>\n\n"
    "#if TENURE_KERNELS_VERSION != 1\n"
    "#error \"tenure_kernels.h is of another version of tenure: make all files of @m again\"\n"
    "#endif\n"
    "#if TENURE_CL_FORMAT != 9\n"
    "#error \"tenure_cl.h is of another version of tenure: make all files of @m again\"\n"
    "#endif\n";

static const char wide_text[] =
    "\n/* An extent is beyond 32 bits: compile with -DTENURE_DIM=int64_t. */\n"
    "typedef char @m_wide_dims[sizeof(tenure_dim) == 8 ? 1 : -1];\n";

/* A kernel of the user's in the place of one on the host is one of the device. */
static void put_host_macros(const tn_cp *c) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        if (c->taken[i] == TN_TAKEN) {
            tn_putf(c->out,
                    "#if defined(%s_STEP_%" PRIu32 "_KERNEL) || defined(TENURE_KERNEL_%s)\n"
                    "#define %s_STEP_%" PRIu32 "_ON_HOST 0\n#else\n"
                    "#define %s_STEP_%" PRIu32 "_ON_HOST 1\n#endif\n",
                    c->macro, i, tn_cp_symbol(c, &c->p->steps[i]), c->macro, i, c->macro, i);
        }
    }
}

/* What the host computes is copied there and back: nobody should find that out by the clock. */
static void say_on_host(const tn_cp *c) {
    tn_sink list = tn_sink_make(c->arena);
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_plan_step *s = &c->p->steps[i];
        if (c->taken[i] == TN_TAKEN && n++ < MOST_NAMED) {
            tn_putf(&list, "%s%" PRIu32 " (%s '%s')", n > 1 ? ", " : "", i, s->op, s->name);
        }
    }
    if (n > 0) {
        tn_note(c->p->ctx, NULL,
                "opencl-program: %u of %u steps run on the host, with copies of operands and "
                "results: %s%s",
                (unsigned)n, (unsigned)c->p->n_steps, list.data, n > MOST_NAMED ? ", ..." : "");
    }
}

static tn_status put_program(tn_clp *p) {
    tn_cp with = *p->c;
    const tn_cp *c = &with;
    uint32_t n = c->p->n_steps, *made = TN_ARRAY(c->arena, uint32_t, n + 1u);
    bool *on_host = TN_ARRAY(c->arena, bool, n + 1u);
    memset(made, 0xff, (n + 1u) * sizeof *made);
    for (uint32_t i = 0; i < n; i++) {
        on_host[i] = p->called[i] && !p->yours[i];
    }
    with.made = made;
    with.only = on_host;
    const char *taken = tn_cp_library_kernels(&with);
    say_on_host(c);
    with.made = c->inside ? made : NULL;
    with.only = p->called;
    p->c = c;
    tn_cp_put_banner(c, "Runs");
    tn_cp_put(c, "\n#ifdef @M_CONFIG /* a file of yours, say -D@M_CONFIG='\"config.h\"' */\n"
                 "#include @M_CONFIG\n#endif\n");
    tn_cp_put(c, checks_text);
    tn_cp_put(c, tn_cp_needs_wide_dims(c->p) ? wide_text : "");
    if (taken[0] != '\0') {
        tn_cp_put(c, "#define @M_SAY_WHY\n");
        tn_cp_put(c, tn_kernels_prelude(c->arena, ""));
        tn_put(c->out, taken);
    }
    tn_cp_put(c, "\nvoid @m_say_why(void (*say)(const char *piece)) {\n");
    tn_cp_put(c, taken[0] != '\0' ? "    @m_lib_kernel_say_why(say);\n}\n\n"
                                  : "    say(\"an error of the kernel's own\");\n}\n\n");
    put_host_macros(c);
    tn_cp_put_kernel_macros(c);
    tn_status status = tn_cp_put_steps(c);
    tn_clp_put_tables(p);
    return status;
}

/* ---- net_main.c ---- */

extern const char tn_cl_main[]; /* cl_main.tmpl */

static uint32_t put_tensors(const tn_cp *c, tn_ids values, bool named) {
    for (uint32_t i = 0; i < values.len; i++) {
        const tn_plan_value *v = &c->p->values[values.data[i]];
        tn_put(c->out, "    {");
        tn_put_c_name(c->out, named ? v->name : "");
        tn_putf(c->out, ", TENURE_DTYPE_%s, %" PRIu64 "u, %" PRIu32 "u},\n",
                tn_upper(c->arena, tn_dtype_get(v->dtype)->name), v->bytes, values.data[i]);
    }
    return values.len;
}

static void put_main(const tn_cp *c) {
    tn_cp_put_banner(c, "Calls the program of");
    tn_cp_put(c, "#include \"@m.h\"\n\n/* Inputs, and behind them outputs, in the order of the "
                 "model. */\ntypedef struct @m_tensor {\n    const char *name;\n    int dtype;\n"
                 "    size_t size; /* bytes */\n    uint32_t value;\n} @m_tensor;\n"
                 "static const @m_tensor @m_tensors[] = {\n");
    uint32_t n = put_tensors(c, c->p->inputs, c->names);
    uint32_t m = put_tensors(c, c->p->outputs, c->names);
    tn_cp_put(c, "    {\"\", 0, 0, 0}};\nstatic const unsigned @m_inputs[] = {");
    for (uint32_t i = 0; i < n + m; i++) {
        tn_putf(c->out, "%" PRIu32 "u, ", i);
    }
    tn_cp_put(c, "0};\nstatic const unsigned *const @m_outputs = @m_inputs + ");
    tn_putf(c->out,
            "%" PRIu32 ";\n#define %s_INPUT_COUNT %" PRIu32 "u\n#define %s_OUTPUT_COUNT %" PRIu32
            "u\n#define %s_STEP_COUNT %" PRIu32 "u\n",
            n, c->macro, n, c->macro, m, c->macro, c->p->n_steps);
    tn_cp_put_main_text(c, tn_cl_main);
}

/* ---- the files ---- */

static tn_status emit_others(const tn_cp *c, const tn_emission *e) {
    tn_sink opts = tn_sink_make(c->arena);
    for (uint32_t i = 0; i < TN_CL_N_OPTIONS; i++) {
        tn_putf(&opts, "%s%s=%s", i > 0 ? "," : "", options[i].name, tn_arg_text(e->args, i));
    }
    tn_status status = tn_cp_emit_with(e, c->arena, "opencl",
                                       tn_arena_printf(c->arena, "%s_cl.c", c->symbol), opts.data);
    if (status != TN_OK || strcmp(tn_arg_text(e->args, OPT_WEIGHTS), "none") == 0) {
        return status;
    }
    return tn_cp_emit_with(e, c->arena, "weights",
                           tn_arena_printf(c->arena, "%s_weights.bin", c->symbol), "form=bin");
}

static tn_sink *open_file(const tn_cp *c, const tn_emission *e, const char *end) {
    return e->outlet->open(e->outlet->user, tn_arena_printf(c->arena, "%s%s", c->symbol, end));
}

static tn_status emit_own(tn_cp *c, const tn_emission *e) {
    tn_clp p = {.c = c, .own = tn_arg_text(e->args, OPT_OWN)};
    tn_status status = tn_cl_derive(c->arena, c->p, e->args, &p.cl);
    if (status != TN_OK) {
        return status;
    }
    if (strcmp(tn_arg_text(e->args, OPT_KERNELS), "none") != 0) {
        c->out = e->outlet->open(e->outlet->user, "tenure_kernels.h");
        tn_put_kernels_header(c->arena, c->out);
    }
    c->out = open_file(c, e, ".h");
    put_header(c);
    if (tn_arg_truth(e->args, OPT_MAIN)) {
        c->out = open_file(c, e, "_main.c");
        put_main(c);
    }
    tn_clp_make(&p);
    c->out = e->out;
    return put_program(&p);
}

/* Work-items share no workspace, so no groups by rows. */
static const char *groups_of(const tn_backend_args *args) {
    return strcmp(tn_arg_text(args, OPT_KERNELS), "inside") == 0 ? "single" : NULL;
}

static tn_status refuse_rows(const tn_cp *c) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_plan_step *s = &c->p->steps[i];
        tn_compute ask;
        if (tn_is_group(s->domain, s->n_parts) && tn_cp_group_nests(c, s, &ask) &&
            ask.rows != NULL) {
            return tn_error(c->p->ctx, NULL,
                            "%s: step %u (%s '%s') does its nodes a few rows at a time, in a "
                            "workspace that work-items do not share; plan with --fuse=single",
                            backend_name, (unsigned)i, s->op, s->name);
        }
    }
    return TN_OK;
}

static tn_status emit(const tn_emission *e) {
    tn_cp c = {.arena = tn_arena_new(e->plan->ctx), .put_place = put_place, .memory = "tenure_cl"};
    tn_status status = tn_cp_check_name(e, backend_name);
    if (status == TN_OK) {
        c.names = tn_arg_truth(e->args, TN_CL_OPT_NAMES);
        c.inside = groups_of(e->args) != NULL;
        tn_cp_prepare(&c, e, "");
        status = c.inside ? tn_cp_demand_groups(&c) : TN_OK;
        status = status == TN_OK && c.inside ? refuse_rows(&c) : status;
    }
    if (status == TN_OK) {
        status = emit_others(&c, e);
    }
    if (status == TN_OK) {
        status = emit_own(&c, e);
    }
    tn_arena_drop(c.arena);
    return status;
}

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    tn_status status = tn_backend_demand_extents(backend_name, plan);
    status = status == TN_OK ? tn_cp_accepts(plan, backend_name) : status;
    return status == TN_OK ? tn_cl_accepts(plan, args) : status;
}

const tn_backend tn_backend_opencl_program = {
    .name = backend_name,
    .summary = "C that runs the network by OpenCL kernels, made for it, in the buffers of its plan",
    .suffix = "_opencl.c",
    .options = options,
    .align = tn_cl_align,
    .groups = groups_of,
    .accepts = accepts,
    .emit = emit,
    .needs_model = true,
};
