/* Views: results that need no bytes of their own, because an op that moves nothing leaves its data
 * where it is. What the user's kernels must do for it: at `reshape`, nothing for such ops; at
 * `all`, also read and write parts of a tensor in place of slices, splits and concatenations. */
#include "passes/alias/set.h"
#include "passes/alias/view.h"
#include "passes/analysis/storages.h"
#include "passes/core/model_controls.h"
#include "passes/core/pass.h"

enum { OPT_KINDS };
static const tn_opt options[] = {
    [OPT_KINDS] = {"kinds", TN_OPT_ENUM, "reshape", "none|reshape|all",
                   "no views; ops that change only the shape; also parts and gathered operands"},
    {0}};

enum {
    STAT_VIEWS,
    STAT_GATHERED,
    STAT_UNSIZED,
    STAT_PINNED,
    STAT_OUTSIDE,
    STAT_LOOP,
    STAT_ALIGN,
    STAT_SHARED,
    STAT_OVERWRITTEN
};
static const tn_stat stats[] = {
    [STAT_VIEWS] = {"views", "results that are views of an operand"},
    [STAT_GATHERED] = {"gathered", "operands computed inside the result"},
    [STAT_UNSIZED] = {"refused-unsized", "refused: a size is not known"},
    [STAT_PINNED] = {"refused-pinned", "refused: excluded, or the gradient of a parameter"},
    [STAT_OUTSIDE] = {"refused-outside",
                      "refused: would join two of inputs, outputs, constants and state"},
    [STAT_LOOP] = {"refused-loop", "refused: would join an argument and an output of a loop body"},
    [STAT_ALIGN] = {"refused-align", "refused: the offset is no multiple of the alignment"},
    [STAT_SHARED] = {"refused-shared", "refused: the operand to gather is not alone in its bytes"},
    [STAT_OVERWRITTEN] = {"refused-overwritten",
                          "refused: the bytes are written over in place already"},
    {0}};

typedef struct viewing {
    tn_pass_ctx *c;
    tn_alias_set *set;
    uint64_t align;
    bool placed; /* kinds=all */
} viewing;

enum { NO_REASON = -1 };

/* Excluded values, and gradients of parameters that keep their own storage, stay out of all classes
 * but those the op's definition demands. */
static bool keeps_own_bytes(const tn_value *v) {
    return (v->flags & TN_VF_EXCLUDED) != 0 ||
           ((v->flags & TN_VF_PINNED) != 0 && (v->flags & TN_VF_PARAM_GRAD) != 0);
}

/* An operand can be computed inside the result when nobody else ties it to a place: its class is
 * its own bytes, which an op of this run writes, and which live nowhere else. */
static bool can_gather(viewing *w, const tn_view *v) {
    uint32_t inner = tn_alias_find(w->set, v->inner, NULL);
    const uint32_t own = TN_VF_PINNED | TN_VF_EXCLUDED | TN_VF_LOSS;
    return tn_alias_fills(w->set, v->inner) && w->set->ties[inner] == 0 &&
           (w->set->flags[inner] & own) == 0 && v->inner->graph == v->outer->graph;
}

/* A part of the bytes of an output, or a result in the midst of other bytes, is none the caller
 * could take: what others know about has to fill its class, before and after. */
static bool stays_whole(viewing *w, const tn_view *v) {
    uint32_t inner = tn_alias_find(w->set, v->inner, NULL);
    bool smaller = w->set->bytes[v->inner->id] < w->set->bytes[v->outer->id];
    return !(smaller && (w->set->ties[inner] & TN_TIE_OUTSIDE) != 0) &&
           (!smaller || tn_alias_fills(w->set, v->inner));
}

static int refusal(viewing *w, const tn_view *v) {
    tn_alias_set *s = w->set;
    uint64_t inner = s->bytes[v->inner->id], outer = s->bytes[v->outer->id];
    if (inner == TN_NO_BYTES || outer == TN_NO_BYTES || (uint64_t)v->offset + inner > outer ||
        (v->kind == TN_VIEWS_SAME && inner != outer)) {
        return STAT_UNSIZED;
    }
    if (keeps_own_bytes(v->inner) || keeps_own_bytes(v->outer)) {
        return STAT_PINNED;
    }
    uint32_t a = tn_alias_find(s, v->inner, NULL), b = tn_alias_find(s, v->outer, NULL);
    if (a == b || (v->gathered && !can_gather(w, v))) {
        return STAT_SHARED;
    }
    if (((s->ties[a] & TN_TIE_OUTSIDE) && (s->ties[b] & TN_TIE_OUTSIDE)) || !stays_whole(w, v)) {
        return STAT_OUTSIDE;
    }
    uint32_t both = s->ties[a] | s->ties[b];
    /* In-place decisions were made for the views there were; later ones could keep bytes alive that
     * are gone. */
    if (both & TN_TIE_OVERWRITTEN) {
        return STAT_OVERWRITTEN;
    }
    if ((both & TN_TIE_BODY_IN) && (both & TN_TIE_BODY_OUT)) {
        return STAT_LOOP;
    }
    int64_t at;
    tn_alias_find(s, v->outer, &at);
    return (uint64_t)(at - s->lo[b] + v->offset) % w->align != 0 ? STAT_ALIGN : NO_REASON;
}

/* The edge goes on the value that comes later, where it can. */
static void accept(viewing *w, const tn_view *v) {
    tn_alias_join(w->set, v->inner, v->outer, v->offset, TN_ALIAS_VIEW);
    w->c->stats[v->gathered ? STAT_GATHERED : STAT_VIEWS]++;
}

static void visit(viewing *w, const tn_op *op) {
    uint32_t n = tn_view_count(op);
    for (uint32_t i = 0; i < n; i++) {
        tn_view v;
        if (!tn_view_get(w->c->module, op, i, &v) || (v.kind == TN_VIEWS_PLACED && !w->placed)) {
            continue;
        }
        int why = refusal(w, &v);
        if (why == NO_REASON) {
            accept(w, &v);
        } else {
            w->c->stats[why]++;
        }
    }
}

static tn_status run(tn_pass_ctx *c) {
    tn_controls want;
    tn_status status = tn_controls_complete(c->controls, c->module, c->scratch, &want);
    if (status != TN_OK || tn_pass_is(c, OPT_KINDS, "none")) {
        return status;
    }
    viewing w = {.c = c,
                 .set = tn_alias_open(c->analyses, c->module, c->scratch),
                 .align = want.align,
                 .placed = tn_pass_is(c, OPT_KINDS, "all")};
    TN_FOR_ALL_OPS(op, c->module->main) {
        visit(&w, op);
    }
    return TN_OK;
}

const tn_pass_info tn_pass_alias_views = {
    .name = "alias-views",
    .summary = "gives results that only look at their operand's bytes no bytes of their own",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .options = options,
    .stats = stats,
    .run = run,
};
