/* Kernels of the library that a program holds: for steps that have none of their own. */
#include "backends/core/program.h"
#include "backends/kernels/library_text.h"

/* Kernels of the library go through the elements from the first to the last. */
static bool keeps_promises(const tn_plan_step *s) {
    bool keeps = true;
    for (uint32_t i = 0; i < s->n_claims; i++) {
        keeps = keeps && s->claims[i].promise != TN_PROMISE_DESCENDING;
    }
    return keeps;
}

/* Pools hold elements of all types in turn, and these kernels do not say so one by one. */
static const char head[] =
    "\n/* ---- kernels of tenure's library ---- */\n\n"
    "#ifdef __GNUC__\n"
    "#define @M_FENCE __asm__ volatile(\"\" ::: \"memory\"); /* pools hold all types in turn */\n"
    "#else\n"
    "#define @M_FENCE /* compile it without assumptions about types (-fno-strict-aliasing) */\n"
    "#endif\n"
    "#ifdef @M_SAY_WHY\n"
    "#define @M_LIB_KERNEL_KEEPS_ERRORS 1\n"
    "#else\n"
    "#define @M_LIB_KERNEL_KEEPS_ERRORS 0\n"
    "#endif\n";

const char *tn_cp_library_kernels(tn_cp *c) {
    tn_library *l = tn_library_make(c->arena, c->macro, c->symbol);
    bool *taken = TN_ARRAY(c->arena, bool, c->p->n_steps + 1u);
    bool any = false;
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_plan_step *s = &c->p->steps[i];
        if (tn_cp_calls(c, i) && tn_cp_is_placed(c, s) && c->made[i] == TN_NO_ID &&
            keeps_promises(s) && tn_library_has(l, tn_cp_symbol(c, s))) {
            any = taken[i] = true;
            tn_library_add(l, tn_cp_symbol(c, s));
        }
    }
    c->taken = taken;
    if (!any) {
        return "";
    }
    tn_library_add_function(l, "kernel_say_why");
    tn_sink text = tn_sink_make(c->arena);
    tn_cp with = *c;
    with.out = &text;
    tn_cp_put(&with, head);
    tn_put(&text, tn_library_text(l));
    return text.data;
}
