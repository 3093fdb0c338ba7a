/* Kernels of the library that a program holds: for steps that have none of their own. */
#include <inttypes.h>

#include "backends/core/program.h"
#include "backends/kernels/library_text.h"
#include "ir/plan/forms.h"

/* Kernels of the library make one element after the other, from the first to the last; all channels
 * of a place where they have a workspace for them. */
static bool keeps(const tn_plan_step *s, tn_plan_promise promise) {
    return promise != TN_PROMISE_DESCENDING && promise != TN_PROMISE_OVERLAP_ROWS_BUFFERED &&
           (promise != TN_PROMISE_OVERLAP_PIXELS || s->n_workspace > 0);
}

static bool is_asked(const tn_cp *c, uint32_t step) {
    return tn_cp_calls(c, step) && tn_cp_is_placed(c, &c->p->steps[step]) &&
           c->made[step] == TN_NO_ID;
}

static tn_taken taken_for(const tn_cp *c, const tn_library *l, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    if (!tn_library_has(l, tn_cp_symbol(c, s))) {
        return TN_TAKEN_NONE;
    }
    for (uint32_t i = 0; i < s->n_claims; i++) {
        if (!keeps(s, s->claims[i].promise)) {
            return TN_TAKEN_TOO_WEAK;
        }
    }
    return TN_TAKEN;
}

/* Pools hold elements of all types in turn, and these kernels do not say so one by one. */
static const char head[] =
    "\n/* ---- kernels of tenure's library ---- */\n\n"
    "#ifdef __GNUC__\n"
    "#define @M_FENCE __asm__ volatile(\"\" ::: \"memory\"); /* pools hold all types in turn */\n"
    "#else\n"
    "#define @M_FENCE /* compile it without assumptions about types (-fno-strict-aliasing) */\n"
    "#endif\n"
    "#define @M_LIB_KERNEL_LANES @M_LANES\n"
    "#ifdef @M_SAY_WHY\n"
    "#define @M_LIB_KERNEL_KEEPS_ERRORS 1\n"
    "#else\n"
    "#define @M_LIB_KERNEL_KEEPS_ERRORS 0\n"
    "#endif\n";

/* The units of a recurrent layer, INT64_MAX where that is open; 0: the step is none. */
static int64_t units_of(const tn_cp *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    const tn_op_info *row = tn_cp_row(s);
    bool recurrent =
        row != NULL && row->flops == TN_FLOPS_RECURRENT; /* weights of states: operand 2 */
    int64_t units =
        recurrent ? tn_plan_extent_at_most(c->limits, &c->p->values[s->operands.data[2]], 2) : 0;
    return units < 0 ? INT64_MAX : units;
}

const char *tn_cp_library_kernels(tn_cp *c) {
    tn_library *l = NULL; /* reading it takes longer than all else */
    tn_taken *taken = TN_ARRAY(c->arena, tn_taken, c->p->n_steps + 1u);
    bool any = false;
    int64_t units = 0;
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        bool asked = is_asked(c, i);
        l = asked && l == NULL ? tn_library_make(c->arena, c->macro, c->symbol) : l;
        taken[i] = asked ? taken_for(c, l, i) : TN_TAKEN_NONE;
        if (taken[i] == TN_TAKEN) {
            tn_library_add(l, tn_cp_symbol(c, &c->p->steps[i]));
            any = true;
            units = units_of(c, i) > units ? units_of(c, i) : units;
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
    if (units > 0 && units < INT64_MAX) {
        tn_putf(&text,
                "#ifndef %s_LIB_RECURRENT_MOST\n#define %s_LIB_RECURRENT_MOST %" PRId64
                "\n#endif\n",
                c->macro, c->macro, units);
    }
    tn_put(&text, tn_library_text(l));
    return text.data;
}
