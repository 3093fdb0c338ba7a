/* The plan as a program in C: net.c runs the network, one call of a kernel a step; net.h declares
 * it, net_plan.h is the C header of the plan, net_weights the bytes of constants, and
 * tenure_kernels.h has the prototypes of all kernels (docs/PROGRAM.md). */
#include "backends/c_program/program_t.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/infer/used.h"

enum { OPT_PREFIX, OPT_WEIGHTS, OPT_BITS, OPT_NAMES, OPT_TABLES, OPT_KERNELS };
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
    [OPT_KERNELS] = {"kernels", TN_OPT_BOOL, "true", NULL,
                     "tenure_kernels.h beside it, which is the same for every model"},
    {0}};

/* ---- what cannot be a program ---- */

static tn_status check_values(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->storage == TN_NO_ID && v->left_out != TN_LEFT_UNUSED) {
            return tn_error(p->ctx, NULL,
                            "c-program: value '%s' has no place in the plan (%s), and the program "
                            "would have no memory for it; give dimensions that are open by --dim, "
                            "or plan the part of the model that has shapes",
                            v->name, v->why != NULL ? v->why : "its size is not known");
        }
    }
    return TN_OK;
}

/* Whether the part of `whole` that one iteration has is no whole number of bytes. */
static bool splits_bytes(const tn_plan_value *whole, int64_t axis) {
    uint64_t bits = tn_dtype_get(whole->dtype)->bits;
    for (int64_t i = axis + 1; i < (int64_t)whole->rank; i++) {
        bits = bits * ((uint64_t)whole->dims[i] % 8) % 8;
    }
    return bits % 8 != 0;
}

static tn_status check_moves(const tn_plan *p, uint32_t step) {
    const tn_plan_step *s = &p->steps[step];
    for (uint32_t i = 0; i < s->n_moves; i++) {
        const tn_plan_move *m = &s->moves[i];
        bool part = m->kind == TN_MOVE_SLICE || m->kind == TN_MOVE_STACK;
        const tn_plan_value *whole = &p->values[m->kind == TN_MOVE_SLICE ? m->from : m->to];
        if (part && splits_bytes(whole, m->axis)) {
            return tn_error(p->ctx, NULL,
                            "c-program: step %u (%s '%s') takes parts of '%s' (%s) that are no "
                            "whole bytes, and the program copies bytes",
                            (unsigned)step, s->op, s->name, whole->name, whole->type);
        }
    }
    return TN_OK;
}

/* An op whose bodies run in a way of its own has no moves. */
static tn_status check_bodies(const tn_plan *p) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < p->n_steps && status == TN_OK; i++) {
        const tn_plan_step *s = &p->steps[i];
        bool begins = s->kind == TN_STEP_BEGIN;
        bool loops = begins && s->n_bodies == 1 && s->bodies[0].attribute[0] != '\0';
        if ((loops && s->n_moves == 0) || (begins && s->n_bodies > 2)) {
            return tn_error(p->ctx, NULL,
                            "c-program: step %u (%s '%s') runs its bodies by a definition of its "
                            "own, which has no form in C; a program can have If, Loop, Scan and "
                            "functions",
                            (unsigned)i, s->op, s->name);
        }
        status = check_moves(p, i);
    }
    return status;
}

/* ---- text ---- */

void tn_cp_put(const tn_cp *c, const char *template) {
    for (const char *at; (at = strchr(template, '@')) != NULL; template = at + 2) {
        tn_put_n(c->out, template, (size_t)(at - template));
        tn_put(c->out, at[1] == 'M' ? c->macro : c->symbol);
    }
    tn_put(c->out, template);
}

void tn_cp_put_value(const tn_cp *c, uint32_t value) {
    const tn_plan_value *v = &c->p->values[value];
    tn_put(c->out, " '");
    tn_put_comment(c->out, tn_full_name(c->arena, v));
    tn_put(c->out, "' ");
    tn_put_comment(c->out, v->type);
}

void tn_cp_put_address(const tn_cp *c, uint32_t value) {
    uint32_t pool = c->p->storages[c->p->values[value].storage].pool;
    tn_putf(c->out, "%s_PTR(0, m->%s, %s_%s, unsigned char)", c->macro, c->pools[pool], c->macro,
            c->ids.values[value]);
}

/* ---- the other files ---- */

static tn_status check_name(const tn_emission *e) {
    const char *name = e->outlet->name, *dot = strrchr(name, '.');
    if (dot != NULL && dot != name && strcmp(dot, ".c") == 0) {
        return TN_OK;
    }
    return tn_usage(
        e->plan->ctx, NULL,
        "c-program: the artefact is several files and is named by its main one: give -o with "
        "a name that ends in '.c'");
}

/* Another backend's artefact among the files of this one. */
static tn_status emit_with(const tn_emission *e, tn_arena *arena, const char *backend,
                           const char *name, const char *opts) {
    const tn_backend *b = tn_backend_find(backend);
    tn_backend_args args = tn_backend_defaults(arena, b);
    tn_status status = tn_backend_set(arena, b, "c-program", opts, &args);
    tn_outlet outlet = {name, e->outlet->open, e->outlet->user};
    return status == TN_OK ? tn_backend_emit(b, e->plan, e->model, &args, &outlet) : status;
}

static tn_status emit_others(const tn_cp *c, const tn_emission *e) {
    const char *bits = tn_arg_text(e->args, OPT_BITS), *form = tn_arg_text(e->args, OPT_WEIGHTS);
    const char *opts =
        tn_arena_printf(c->arena, "prefix=%s,target-size-bits=%s,names=%s,tables=%s", c->symbol,
                        bits, tn_arg_text(e->args, OPT_NAMES), tn_arg_text(e->args, OPT_TABLES));
    tn_status status =
        emit_with(e, c->arena, "c-header", tn_arena_printf(c->arena, "%s_plan.h", c->symbol), opts);
    if (status != TN_OK || strcmp(form, "none") == 0) {
        return status;
    }
    const char *name =
        tn_arena_printf(c->arena, "%s_weights.%s", c->symbol, strcmp(form, "asm") == 0 ? "S" : "c");
    return emit_with(e, c->arena, "weights", name,
                     tn_arena_printf(c->arena, "form=%s,prefix=%s", form, c->symbol));
}

static tn_status emit_own(tn_cp *c, const tn_emission *e) {
    const char *header = tn_arena_printf(c->arena, "%s.h", c->symbol);
    if (tn_arg_truth(e->args, OPT_KERNELS)) {
        c->out = e->outlet->open(e->outlet->user, "tenure_kernels.h");
        tn_put_kernels_header(c->arena, c->out);
    }
    c->out = e->outlet->open(e->outlet->user, header);
    tn_cp_put_header(c, strcmp(tn_arg_text(e->args, OPT_WEIGHTS), "none") != 0);
    c->out = e->out;
    return tn_cp_put_program(c);
}

/* ---- the backend ---- */

static const char **pool_members(tn_arena *arena, const tn_plan *p) {
    const char **names = TN_ARRAY(arena, const char *, p->n_pools);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[i] = p->pools[i].name;
    }
    return tn_identifiers(arena, "pool", names, p->n_pools, false);
}

static void set_prefix(tn_cp *c, const tn_emission *e) {
    const char *name = tn_artefact_prefix(c->arena, e, tn_arg_text(e->args, OPT_PREFIX), "");
    name = tn_identifiers_within(c->arena, "m", &name, 1, false,
                                 TN_LONGEST_MACRO - TN_LONGEST_OWN_WORD)[0];
    c->macro = tn_upper(c->arena, name);
    c->symbol = tn_lower(c->arena, name);
    c->ids = tn_plan_ids_make(c->arena, c->p, c->macro, TN_LONGEST_MACRO);
}

static tn_status emit(const tn_emission *e) {
    tn_cp c = {.p = e->plan, .model = e->model, .arena = tn_arena_new(e->plan->ctx)};
    tn_status status = check_name(e);
    if (status == TN_OK) {
        c.names = tn_arg_truth(e->args, OPT_NAMES);
        c.pools = pool_members(c.arena, c.p);
        c.used = tn_used_contents(c.model, c.arena);
        c.in_module = tn_plan_in_model(c.arena, c.p, c.model);
        set_prefix(&c, e);
        status = emit_others(&c, e);
    }
    if (status == TN_OK) {
        status = emit_own(&c, e);
    }
    tn_arena_drop(c.arena);
    return status;
}

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    (void)args;
    tn_status status = check_values(plan);
    return status == TN_OK ? check_bodies(plan) : status;
}

const tn_backend tn_backend_c_program = {
    .name = "c-program",
    .summary = "C that runs the network in its plan, one call of a kernel a step",
    .suffix = ".c",
    .options = options,
    .accepts = accepts,
    .emit = emit,
    .needs_model = true,
};
