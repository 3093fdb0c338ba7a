/* `tenure fit`: the options with which a model fits a budget. Measures (lib/advice/measures.h) are
 * tried by planning with them, class by class from those that ask for nothing to those that cost
 * operations; a class is tried on top of the best of those before it, and only where these do not
 * reach the budget. */
#ifndef TENURE_LIB_FIT_H
#define TENURE_LIB_FIT_H

#include "lib/advice/advice.h"
#include "lib/request/command_options.h"

/* What became of a measure. */
typedef enum tn_rung_end {
    TN_RUNG_NONE,       /* no plan: it does not go together with what was asked for */
    TN_RUNG_KERNELS,    /* the program would lack a kernel */
    TN_RUNG_OPERATIONS, /* more operations than allowed */
    TN_RUNG_NO_GAIN,    /* no fewer bytes than without */
    TN_RUNG_LESS,       /* fewer bytes, and another one gives more or is enough */
    TN_RUNG_KEPT,       /* what came behind was tried on top of it */
    TN_RUNG_CHOSEN,     /* it and what was kept before it is the result */
} tn_rung_end;

/* A measure that was tried, on top of those kept before it. */
typedef struct tn_rung {
    tn_measure_class in;
    const char *options; /* of the measure, as on a command line; "" for the plan without any */
    const char *asks;
    tn_change own, change; /* settings of the measure alone, and with those before it */
    tn_outcome outcome;
    bool small;     /* in less code, which takes more time */
    uint64_t need;  /* RAM with the stack of the program; without what lies in a slower memory */
    uint64_t flash; /* constants and code */
    bool fits;
    tn_rung_end end;
} tn_rung;

typedef struct tn_fit {
    tn_arena *arena; /* of all of it */
    tn_fit_args args;
    TN_VEC(tn_rung) rungs; /* the first is the plan without measures */
    uint32_t chosen;       /* a rung: the least that asks least, or the least there is */
    bool fits, interrupted;
    bool has_program;     /* tenure makes the kernels: stack and code are known */
    const char *measures; /* options of all that are in the result, "" for none */
    const char *command;  /* a command line of `tenure plan` that makes the plan */
    tn_options *options;  /* the same; those of `plan`, in an arena of their own */
    uint32_t left_out;    /* measures that were not tried for lack of steps */
    /* of the plan chosen */
    const char *model, *peak; /* the step with the most bytes, as people name it; "" for none */
    tn_texts alive;           /* tensors there, the largest first, with type and bytes */
    uint64_t bound;           /* in this order and with these measures tensors need no less */
    tn_advice_list advice;    /* what only the user can do, where it does not fit */
} tn_fit;

/* Finds the measures, and plans with them as `tenure plan` does: TN_OK, or TN_NOFIT with the least
 * there is, TN_INTERRUPTED with the best so far (--keep-best); else no plan. `asked` are options of
 * the command `fit`. *fit is the caller's to drop by tn_fit_drop, NULL where there is no plan. */
TN_MUST_USE tn_status tn_fit_model(const tn_module *source, const tn_options *asked, tn_plan **plan,
                                   tn_fit **fit);
void tn_fit_drop(tn_fit *f);

/* For people: one line a measure; for programs (docs/FIT.md lists the keys); a page. */
void tn_fit_print(const tn_fit *f, tn_sink *out);
void tn_fit_print_json(const tn_fit *f, tn_sink *out);
void tn_fit_print_html(const tn_fit *f, tn_sink *out);

#endif
