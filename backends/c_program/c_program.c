/* The plan as a program in C: net.c runs the network, one call of a kernel a step; net.h declares
 * it, net_plan.h is the C header of the plan, net_weights the bytes of constants, and
 * tenure_kernels.h has the prototypes of all kernels (docs/PROGRAM.md). Of several programs and
 * variants each has a file of its own (set_program.c). */
#include "backends/c_program/program_t.h"

#include <string.h>

#include "backends/c_program/harness.h"
#include "ir/base/diag.h"
#include "ir/infer/used.h"

enum {
    OPT_PREFIX,
    OPT_WEIGHTS,
    OPT_BITS,
    OPT_NAMES,
    OPT_TABLES,
    OPT_KERNELS,
    OPT_HARNESS,
    OPT_MAIN,
    OPT_THREADS
};
static const tn_opt options[] = {
    [OPT_PREFIX] = {"prefix", TN_OPT_TEXT, "", NULL,
                    "of every function, macro and type; the file's name when empty"},
    [OPT_WEIGHTS] = {"weights", TN_OPT_ENUM, "c", "c|asm|none",
                     "the bytes of constants as a C array, as an assembler file that includes a "
                     "binary image (large models), or left out"},
    [OPT_BITS] = {"target-size-bits", TN_OPT_ENUM, "32", "16|32|64",
                  "width of size_t on the target"},
    [OPT_NAMES] = {"names", TN_OPT_BOOL, "true", NULL, "names of nodes in the program"},
    [OPT_TABLES] = {"tables", TN_OPT_BOOL, "true", NULL, "tables of the plan in its header"},
    [OPT_KERNELS] = {"kernels", TN_OPT_ENUM, "inside", "inside|small|extern|none",
                     "inside: in the program, made for it where the op table says what the op "
                     "computes, else of tenure's library, and yours where that has none; small: "
                     "likewise, in less code that takes more time; extern: "
                     "all are yours; none: likewise, and no tenure_kernels.h beside it, which is "
                     "the same for every model"},
    [OPT_HARNESS] = {"harness", TN_OPT_BOOL, "false", NULL,
                     "NAME_harness.c beside it: finds kernels that break what the plan rests on"},
    [OPT_MAIN] =
        {"main", TN_OPT_BOOL, "false", NULL,
         "NAME_main.c beside it: runs the program on inputs of a file, or made up, and shows, "
         "writes or compares the outputs"},
    [OPT_THREADS] = {"threads", TN_OPT_ENUM, "none", "none|openmp",
                     "openmp: loops of much work in kernels of the program go by all threads, "
                     "where it is compiled with -fopenmp"},
    {0}};

void tn_cp_put_address(const tn_cp *c, uint32_t value) {
    const tn_storage *s = &c->p->storages[c->p->values[value].storage];
    uint32_t pool = s->pool;
    if (s->second > 0) {
        tn_putf(c->out, "%s_PTR_AT(0, m->%s, %s_%s, m->turn, unsigned char)", c->macro,
                c->pools[pool], c->macro, c->ids.values[value]);
        return;
    }
    tn_putf(c->out, "%s_PTR(%s, m->%s, %s_%s, unsigned char)", c->macro,
            c->open != NULL ? c->layout : "0", c->pools[pool], c->macro, c->ids.values[value]);
}

/* ---- the other files ---- */

static tn_status emit_others(const tn_cp *c, const tn_emission *e) {
    const char *bits = tn_arg_text(e->args, OPT_BITS), *form = tn_arg_text(e->args, OPT_WEIGHTS);
    const char *opts =
        tn_arena_printf(c->arena, "prefix=%s,target-size-bits=%s,names=%s,tables=%s", c->symbol,
                        bits, tn_arg_text(e->args, OPT_NAMES), tn_arg_text(e->args, OPT_TABLES));
    tn_status status = tn_cp_emit_with(e, c->arena, "c-header",
                                       tn_arena_printf(c->arena, "%s_plan.h", c->symbol), opts);
    if (status != TN_OK || strcmp(form, "none") == 0) {
        return status;
    }
    const char *name =
        tn_arena_printf(c->arena, "%s_weights.%s", c->symbol, strcmp(form, "asm") == 0 ? "S" : "c");
    return tn_cp_emit_with(e, c->arena, "weights", name,
                           tn_arena_printf(c->arena, "form=%s,prefix=%s", form, c->symbol));
}

static tn_status emit_own(tn_cp *c, const tn_emission *e) {
    bool weights = strcmp(tn_arg_text(e->args, OPT_WEIGHTS), "none") != 0;
    if (strcmp(tn_arg_text(e->args, OPT_KERNELS), "none") != 0) {
        c->out = e->outlet->open(e->outlet->user, "tenure_kernels.h");
        tn_put_kernels_header(c->arena, c->out);
    }
    if (tn_shares_pools(e->plan)) {
        return tn_cp_emit_set(c, e, weights);
    }
    c->out = e->outlet->open(e->outlet->user, tn_arena_printf(c->arena, "%s.h", c->symbol));
    tn_cp_put_header(c, weights);
    if (tn_arg_truth(e->args, OPT_HARNESS)) {
        c->out =
            e->outlet->open(e->outlet->user, tn_arena_printf(c->arena, "%s_harness.c", c->symbol));
        tn_status status = tn_cp_put_harness(c, weights);
        if (status != TN_OK) {
            return status;
        }
    }
    if (tn_arg_truth(e->args, OPT_MAIN)) {
        c->out =
            e->outlet->open(e->outlet->user, tn_arena_printf(c->arena, "%s_main.c", c->symbol));
        tn_cp_put_main(c);
    }
    c->out = e->out;
    return tn_cp_put_program(c);
}

/* ---- the backend ---- */

static const char *groups_of(const tn_backend_args *args) {
    const char *kernels = tn_arg_text(args, OPT_KERNELS);
    return strcmp(kernels, "inside") == 0 || strcmp(kernels, "small") == 0 ? "all" : NULL;
}

static tn_status emit(const tn_emission *e) {
    tn_cp c = {.arena = tn_arena_new(e->plan->ctx), .put_place = tn_cp_put_address};
    tn_status status = tn_cp_check_name(e, "c-program");
    if (status == TN_OK) {
        c.largest = tn_largest_size(tn_arg_text(e->args, OPT_BITS));
        c.names = tn_arg_truth(e->args, OPT_NAMES);
        c.small = strcmp(tn_arg_text(e->args, OPT_KERNELS), "small") == 0;
        c.inside = groups_of(e->args) != NULL;
        c.threads = strcmp(tn_arg_text(e->args, OPT_THREADS), "openmp") == 0;
        tn_cp_prepare(&c, e, tn_arg_text(e->args, OPT_PREFIX));
        c.memory = tn_arena_printf(c.arena, "%s_memory", c.symbol);
        status = c.inside ? tn_cp_demand_groups(&c) : TN_OK;
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

/* A main of ours knows one program whose places are numbers. */
static tn_status accepts_main(const tn_plan *p, const tn_backend_args *args) {
    const char *what = !tn_arg_truth(args, OPT_TABLES) || !tn_arg_truth(args, OPT_NAMES)
                           ? "tables=false or names=false leaves out what it goes by"
                       : tn_shares_pools(p) ? "the plan holds several programs"
                       : p->n_ranges > 0    ? "the plan has open dimensions (bind them by --dim)"
                       : tn_plan_has_seconds(p) ? "inputs or outputs have two places"
                                                : NULL;
    return what == NULL
               ? TN_OK
               : tn_error(p->ctx, NULL,
                          "c-program: main=true needs the tables of one program whose places are "
                          "all numbers, and %s; write a main of your own (docs/PROGRAM.md)",
                          what);
}

static tn_status refuse_copied_state(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (p->pools[i].copied && p->pools[i].kind == TN_POOL_STATE) {
            return tn_error(p->ctx, NULL,
                            "c-program: state of pool '%s' is to be copied to where kernels work "
                            "on it, and this program reads and writes state where it lies; leave "
                            ":copied out",
                            p->pools[i].name);
        }
    }
    return TN_OK;
}

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    tn_status status = tn_cp_accepts(plan, "c-program");
    status = status == TN_OK ? refuse_copied_state(plan) : status;
    for (uint32_t i = 0; tn_shares_pools(plan) && i < tn_plan_count(plan); i++) {
        status =
            status == TN_OK ? tn_backend_demand_extents("c-program", tn_plan_at(plan, i)) : status;
    }
    if (status == TN_OK && tn_arg_truth(args, OPT_MAIN)) {
        status = accepts_main(plan, args);
    }
    return status == TN_OK && tn_arg_truth(args, OPT_HARNESS) ? tn_cp_accepts_harness(plan)
                                                              : status;
}

const tn_backend tn_backend_c_program = {
    .name = "c-program",
    .summary = "C that runs the network in its plan, one call of a kernel a step",
    .suffix = ".c",
    .options = options,
    .groups = groups_of,
    .accepts = accepts,
    .emit = emit,
    .takes_sets = true,
    .takes_open = true,
    .needs_model = true,
};
