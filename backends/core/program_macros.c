/* Which functions a program calls. */
#include <inttypes.h>

#include "backends/core/program.h"

void tn_cp_put_banner(const tn_cp *c, const char *what) {
    tn_putf(c->out, "/* %s ", what);
    tn_put_comment(c->out, c->p->model[0] != '\0' ? c->p->model : "a model without a name");
    tn_put(c->out, ", made by tenure ");
    tn_put_comment(c->out, c->p->version);
    tn_put(c->out, ". Generated: do not edit. */\n");
}

static void put_prototype(const tn_cp *c, const tn_plan_step *s, const char *symbol) {
    const tn_op_info *info = tn_cp_row(s);
    if (info == NULL) {
        tn_putf(c->out, "tenure_generic tenure_%s;\n", symbol);
        return;
    }
    tn_kernel k = tn_kernel_make(c->arena, info, tn_kernel_since(info, s->version));
    tn_kernel_put_prototype(c->out, &k, tn_cp_layout(c, s));
    tn_put(c->out, ";\n");
}

/* Kernels that are not in tenure_kernels.h, each once: of operators that the table does not know,
 * and of tensors with channels last. */
void tn_cp_put_more_prototypes(const tn_cp *c) {
    tn_map seen = tn_map_make(c->arena);
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_plan_step *s = &c->p->steps[i];
        bool known = tn_cp_row(s) != NULL;
        if (!tn_cp_calls(c, i) || (known && tn_cp_layout(c, s)[0] == '\0')) {
            continue;
        }
        const char *symbol = tn_intern(c->p->ctx, tn_cp_symbol(c, s));
        if (tn_map_or(&seen, tn_str_id(symbol), 0) == 0) {
            tn_put(c->out,
                   seen.len == 0 ? "\n/* Kernels that tenure_kernels.h does not have. */\n" : "");
            put_prototype(c, s, symbol);
            tn_map_put(&seen, tn_str_id(symbol), 1);
        }
    }
}

bool tn_cp_needs_wide_dims(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        for (uint32_t k = 0; p->values[i].storage != TN_NO_ID && k < p->values[i].rank; k++) {
            if (p->values[i].dims[k] > INT32_MAX) {
                return true;
            }
        }
    }
    return false;
}

static bool is_inside(const tn_cp *c, uint32_t step) {
    return c->made != NULL && (c->made[step] != TN_NO_ID || c->taken[step] == TN_TAKEN);
}

/* Macros of the user's beat what is there, one for the step those for the operator. Nothing else is
 * defined, so that programs in one source file leave each other alone. */
static void put_choice(const tn_cp *c, uint32_t step) {
    const char *symbol = tn_cp_symbol(c, &c->p->steps[step]);
    const char *macro = tn_arena_printf(c->arena, "%s_STEP_%" PRIu32 "_KERNEL", c->macro, step);
    tn_putf(c->out,
            "#ifndef %s\n#ifdef TENURE_KERNEL_%s\n#define %s TENURE_KERNEL_%s\n#else\n#define %s ",
            macro, symbol, macro, symbol, macro);
    if (!is_inside(c, step)) {
        tn_putf(c->out, "tenure_%s", symbol);
    } else if (c->taken[step] == TN_TAKEN) {
        tn_putf(c->out, "%s_%s", c->symbol, symbol);
    } else {
        tn_putf(c->out, "%s_kernel_%" PRIu32, c->symbol, c->made[step]);
    }
    tn_put(c->out, "\n#endif\n#endif\n");
}

/* A comment with kernels that are not in the program, of those steps; whether there are any. */
static bool put_names(const tn_cp *c, const char *title, tn_taken taken) {
    tn_map seen = tn_map_make(c->arena);
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const char *symbol = tn_intern(c->p->ctx, tn_cp_symbol(c, &c->p->steps[i]));
        bool called = tn_cp_calls(c, i) && tn_cp_is_placed(c, &c->p->steps[i]);
        if (called && c->made[i] == TN_NO_ID && c->taken[i] == taken &&
            tn_map_or(&seen, tn_str_id(symbol), 0) == 0) {
            tn_putf(c->out, "%s tenure_%s", seen.len == 0 ? title : "", symbol);
            tn_map_put(&seen, tn_str_id(symbol), 1);
        }
    }
    tn_put(c->out, seen.len > 0 ? " */\n" : "");
    return seen.len > 0;
}

/* What the linker will ask for. */
static void put_missing(const tn_cp *c) {
    if (c->made == NULL) {
        return;
    }
    bool none = put_names(c, "\n/* Kernels that are not in here:", TN_TAKEN_NONE);
    bool weak =
        put_names(c,
                  "\n/* Kernels that tenure has, but none that work in the order that steps "
                  "here ask for:",
                  TN_TAKEN_TOO_WEAK);
    tn_put(c->out, none || weak ? "" : "\n/* All kernels are in here. */\n");
}

void tn_cp_put_kernel_macros(const tn_cp *c) {
    put_missing(c);
    tn_cp_put(
        c, "\n/* Which function each step calls. Define these in @M_CONFIG to have others. */\n");
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        if (tn_cp_calls(c, i)) {
            put_choice(c, i);
        }
    }
    tn_cp_put(
        c, "\n/* Called where a kernel that is asked (docs/PROGRAM.md) needs more workspace than "
           "planned. */\n"
           "#ifndef @M_WORKSPACE_TOO_SMALL\n"
           "#define @M_WORKSPACE_TOO_SMALL(step, needed, planned, user) ((void)0)\n"
           "#endif\n");
}
