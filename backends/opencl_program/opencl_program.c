/* The plan as a program for OpenCL: net.c calls a kernel a step, through the prototypes that C
 * programs call, and net.h declares it; net_cl.c is the plan of buffers, net_weights.bin the bytes
 * of constants (docs/OPENCL.md). The runtime tenure_cl runs it. */
#include <inttypes.h>
#include <string.h>

#include "backends/core/cl_plan.h"
#include "backends/core/program.h"

enum { OPT_WEIGHTS = TN_CL_N_OPTIONS, OPT_KERNELS };
static const tn_opt options[] = {TN_CL_OPTIONS,
                                 {"weights", TN_OPT_ENUM, "bin", "bin|none",
                                  "the bytes of constants as a binary image, or left out"},
                                 {"kernels", TN_OPT_BOOL, "true", NULL,
                                  "tenure_kernels.h beside it, which is the same for every model"},
                                 {0}};

static const char backend_name[] = "opencl-program";

/* The place, which kernels find in the tensor's data. */
static void put_place(const tn_cp *c, uint32_t value) {
    tn_putf(c->out, "(void *)tenure_cl_where(m, %" PRIu32 "u)", value);
}

static const char header_text[] =
    "#ifndef @M_PROGRAM_H\n#define @M_PROGRAM_H\n\n"
    "#include \"tenure_cl.h\"\n#include \"tenure_kernels.h\"\n\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
    "/* For tenure_cl_open and tenure_cl_run. Kernels find a tenure_cl_place in the data of each\n"
    " * tensor, and a tenure_cl_call in context->user. */\n"
    "extern const tenure_cl_plan @m_cl_plan;\n"
    "extern const tenure_cl_program @m_program;\n";

static void put_header(const tn_cp *c) {
    tn_cp_put_banner(c, "Runs");
    tn_cp_put(c, header_text);
    tn_cp_put_more_prototypes(c);
    tn_put(c->out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

static const char checks_text[] =
    "#include \"@m.h\"\n\n#include <math.h>\n#include <stddef.h>\n\n"
    "#if TENURE_KERNELS_VERSION != 1\n"
    "#error \"tenure_kernels.h is of another version of tenure: make all files of @m again\"\n"
    "#endif\n";

static const char wide_text[] =
    "\n/* An extent is beyond 32 bits: compile with -DTENURE_DIM=int64_t. */\n"
    "typedef char @m_wide_dims[sizeof(tenure_dim) == 8 ? 1 : -1];\n";

static void put_calls(const tn_cp *c) {
    tn_put(c->out, "\nstatic int (*const calls[])(const tenure_cl *, void *) = {\n");
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        if (tn_cp_calls(c, i)) {
            tn_putf(c->out, "    %s_step_%" PRIu32 ",\n", c->symbol, i);
        } else {
            tn_put(c->out, "    NULL,\n");
        }
    }
    tn_cp_put(c, "    NULL};\n\nconst tenure_cl_program @m_program = {&@m_cl_plan, calls};\n");
}

static tn_status put_program(const tn_cp *c) {
    tn_cp_put_banner(c, "Runs");
    tn_cp_put(c, "\n#ifdef @M_CONFIG /* a file of yours, say -D@M_CONFIG='\"config.h\"' */\n"
                 "#include @M_CONFIG\n#endif\n");
    tn_cp_put(c, checks_text);
    tn_cp_put(c, tn_cp_needs_wide_dims(c->p) ? wide_text : "");
    tn_cp_put_kernel_macros(c);
    tn_status status = tn_cp_put_steps(c);
    put_calls(c);
    return status;
}

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

static tn_status emit_own(tn_cp *c, const tn_emission *e) {
    if (tn_arg_truth(e->args, OPT_KERNELS)) {
        c->out = e->outlet->open(e->outlet->user, "tenure_kernels.h");
        tn_put_kernels_header(c->arena, c->out);
    }
    c->out = e->outlet->open(e->outlet->user, tn_arena_printf(c->arena, "%s.h", c->symbol));
    put_header(c);
    c->out = e->out;
    return put_program(c);
}

static tn_status emit(const tn_emission *e) {
    tn_cp c = {.arena = tn_arena_new(e->plan->ctx), .put_place = put_place, .memory = "tenure_cl"};
    tn_status status = tn_cp_check_name(e, backend_name);
    if (status == TN_OK) {
        c.names = tn_arg_truth(e->args, TN_CL_OPT_NAMES);
        tn_cp_prepare(&c, e, "");
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
    .summary = "C that calls a kernel a step in the buffers of an OpenCL plan, for tenure_cl",
    .suffix = "_opencl.c",
    .options = options,
    .align = tn_cl_align,
    .accepts = accepts,
    .emit = emit,
    .needs_model = true,
};
