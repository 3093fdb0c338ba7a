/* What a pass is. One file a pass (passes/<name with _>.c), one line in passes/passes.def. The file
 * owns the pass's name, summary, options and statistics; nothing else names them.
 *
 * A pass reads the module, changes it only through ir/mutate.h, allocates scratch from c->scratch,
 * prints nothing, and reports through ir/base/diag.h. Printing, timing, verification, statistics
 * and bisecting are hooks round it (passes/core/hooks.h). */
#ifndef TENURE_PASSES_CORE_PASS_H
#define TENURE_PASSES_CORE_PASS_H

#include "ir/base/option.h"
#include "ir/module.h"
#include "ir/plan/plan.h"
#include "passes/core/analysis.h"
#include "passes/core/controls.h"
#include "passes/core/remark.h"

/* One counter; c->stats[i] belongs to the i-th. */
typedef struct tn_stat {
    const char *name, *help;
} tn_stat;

/* Promises about the module a pass may need or give. The manager runs the establishing pass when a
 * needed one is missing (and says so when the pipeline is printed). */
typedef enum tn_prop {
    TN_PROP_TYPES = 1u << 0,   /* infer-shapes has run */
    TN_PROP_ORDERED = 1u << 1, /* op lists are a valid schedule */
    TN_PROP_PINS = 1u << 2,    /* pin has run */
    TN_PROP_PLANNED = 1u << 3, /* c->plan is set */
} tn_prop;

/* Kernels that are trusted with results written over operands. */
typedef enum tn_inplace_kinds {
    TN_INPLACE_NONE, /* none but those whose op demands it */
    TN_INPLACE_ELEMENTWISE,
    TN_INPLACE_ALL,     /* on all conditions of the op table but TN_IF_WIDTH */
    TN_INPLACE_ORDERED, /* on all */
} tn_inplace_kinds;

/* What passes before may want to know of what the options of a pass ask for. */
typedef struct tn_intent {
    tn_inplace_kinds inplace; /* the most that a pass behind will do */
    bool reorders;            /* one gives the ops another order, whatever that costs */
    bool searches;            /* one looks for a better order, from the one at hand on */
} tn_intent;

/* What a pass decides, in the module or in the plan, that can be taken back. */
typedef enum tn_decision {
    TN_DECIDES_PINS = 1u << 0,
    TN_DECIDES_VIEWS = 1u << 1,
    TN_DECIDES_OVERWRITES = 1u << 2, /* results in place, gradients that share */
    TN_DECIDES_ROOMS = 1u << 3,      /* values in the room of parts */
    TN_DECIDES_PLACES = 1u << 4,     /* the plan */
} tn_decision;

/* What passes spend on a plan that is made for its figures. */
typedef enum tn_care {
    TN_CARE_FULL,  /* what they spend on any plan */
    TN_CARE_QUICK, /* no search: the arena is no smaller */
    TN_CARE_ALIVE, /* what is alive when counts, and not where it lies */
} tn_care;

#define TN_NO_ARENA UINT64_MAX

/* Forms of the module that only the passes behind can compare (passes/core/candidates.h). Number 0
 * is the module as it is. */
typedef struct tn_candidates {
    uint32_t n;         /* 0: nothing to try */
    uint32_t unplanned; /* the number that stays where no pass behind makes a plan */
    bool probe;         /* number 0 stays; the others are planned for their figures alone */
    bool in_order;      /* number 0 is planned first: mostly nothing is better */
    void *user;
    /* Gives the module form i. `least` is the smallest arena so far, TN_NO_ARENA at first and when
     * the form chosen is put at the end. False: form i is not better and is not planned (for
     * number 0: a larger one); the module may then have any form. */
    bool (*put)(void *user, uint32_t i, uint64_t least);
    /* NULL, or: each form follows from what became of those before it. Then all are planned,
     * however large, the last one that `put` is asked for has the number the pass thinks best, and
     * this is given what the passes behind decided about the form at hand, while it stands in the
     * module; `arena` is TN_NO_ARENA where there is no plan. */
    void (*seen)(void *user, tn_analyses *decided, uint64_t arena);
    /* With `seen`, NULL or: with which care the form at hand is planned. */
    const tn_care *care;
    /* Is given the best form, and its arena: TN_NO_ARENA if none was planned. */
    void (*settle)(void *user, uint32_t best, uint64_t least);
} tn_candidates;

/* What is known of other orders than the one at hand, for the report. */
typedef struct tn_order_facts {
    uint64_t bound; /* no order needs fewer bytes, with the aliases asked for; 0: not known */
    uint64_t other; /* the arena an order found would need, which looks less; 0: none was found */
    uint64_t
        serial;    /* the arena of a plan for one order, where steps run side by side; 0: not known
                    */
    bool searched; /* the order at hand is the best of a search */
} tn_order_facts;

struct tn_pipeline;

/* What recompute found out, for the report. */
typedef struct tn_clone_facts {
    bool asked;
    uint64_t model, without;    /* operations of the model; bytes of the arena without clones */
    const tn_plan_point *curve; /* n_curve of them, as long as the pipeline runs */
    uint32_t n_curve;
} tn_clone_facts;

typedef struct tn_pass_ctx {
    tn_ctx *ctx;
    tn_module *module;
    tn_arena *scratch; /* dropped after the pass */
    tn_analyses *analyses;
    const tn_controls *controls;
    const struct tn_pipeline *pipeline; /* completed */
    uint32_t index;                     /* of the pass in it */
    tn_order_facts *order;              /* schedule states them */
    tn_clone_facts *clones;             /* recompute does */
    tn_plan **plan;                     /* the plan under construction; *plan NULL before reuse */
    bool figures;                       /* of the plan only storages and level 0 are wanted */
    bool brief;                         /* what other orders would need is not wanted */
    const tn_plan_worth *worth;         /* NULL: every plan is */
    tn_arena *kept;                     /* as long as the pipeline runs, trials included */
    struct tn_layout_memory **layouts;  /* reuse makes it, in `kept` */
    tn_care care;                       /* with which the plan is made */
    uint64_t most;                      /* bytes of an arena that is still of use to a trial */
    const char *const *opt_values;      /* texts, in order of the pass's options, never NULL */
    uint64_t *stats;
    const struct tn_pass_info *pass;
    uint64_t *refused;     /* by tn_reason; counted by tn_refuse */
    tn_refusals *refusals; /* --remarks, explain; NULL when nobody listens */
    tn_sink *log;          /* --print-log: one line a reuse; NULL when off */
} tn_pass_ctx;

typedef struct tn_pass_info {
    const char *name, *summary;
    uint32_t needs, sets, breaks; /* tn_prop */
    const tn_opt *options;        /* `name{option=value}` in a pipeline; NULL: none */
    const tn_stat *stats;         /* ends at name NULL; NULL: none */
    uint32_t refusals;            /* TN_REASON_BIT of each reason it may give to tn_refuse */
    bool required;                /* never skipped by --opt-bisect-limit */
    uint32_t decides;             /* tn_decision; trials run no pass without any */
    tn_status (*run)(tn_pass_ctx *c);
    /* Adds what the options of this pass ask for. NULL: nothing of interest. */
    void (*intend)(const tn_pass_ctx *c, tn_intent *intent);
    /* Called after `run`, while the decisions of the passes behind stand in the module that are
     * among `previews` (tn_decision). NULL: the pass decides by itself. Where those decisions are
     * others than with the default options of these passes, it is called again for more candidates
     * while the latter stand there: `first` is what the first call gave, whose candidates keep
     * their numbers; else NULL. */
    tn_candidates (*propose)(tn_pass_ctx *c, tn_analyses *preview, const tn_intent *intent,
                             const tn_candidates *first);
    uint32_t previews;
    /* False where `propose` would come back without candidates whatever it is shown, so that no
     * pass behind has to run for it. NULL: always true. */
    bool (*proposes)(const tn_pass_ctx *c);
    const void *user; /* of plug-ins */
} tn_pass_info;

/* Option i as the text, number or truth it was checked to be. */
const char *tn_pass_text(const tn_pass_ctx *c, uint32_t i);
int64_t tn_pass_int(const tn_pass_ctx *c, uint32_t i);
bool tn_pass_bool(const tn_pass_ctx *c, uint32_t i);
bool tn_pass_is(const tn_pass_ctx *c, uint32_t i, const char *choice);

/* Counts a refusal and keeps the record when somebody listens. */
void tn_refuse(tn_pass_ctx *c, tn_refusal refusal);

#define PASS(id) extern const tn_pass_info tn_pass_##id;
#include "passes/passes.def"
#undef PASS

#endif
