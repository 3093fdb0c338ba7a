#include "passes/alias/place_views.h"

#include "ir/walk.h"
#include "passes/alias/reasons.h"
#include "passes/alias/view.h"
#include "passes/analysis/handed_on.h"
#include "passes/analysis/storages.h"
#include "passes/core/rules.h"

/* A class of more members is not looked through for what was gathered in it. */
enum { MAX_MEMBERS = 256 };

typedef struct viewing {
    tn_pass_ctx *c;
    tn_alias_set *set;
    const tn_handed_on *handed;
    bool *placed_states; /* by op: of a loop, they were looked at */
    uint64_t align;
    bool placed; /* kinds=all */
    tn_view_counts counts;
} viewing;

/* Excluded values, and gradients of parameters that keep their own storage, stay out of all classes
 * but those the op's definition demands. */
static bool keeps_own_bytes(const tn_value *v) {
    return (v->flags & TN_VF_EXCLUDED) != 0 ||
           ((v->flags & TN_VF_PINNED) != 0 && (v->flags & TN_VF_PARAM_GRAD) != 0);
}

/* An operand can be computed inside the result when nobody else ties it to a place: its class is
 * its own bytes, which an op of this run writes, and which live nowhere else. */
static tn_reason gather_refusal(viewing *w, const tn_view *v, const tn_value **witness) {
    uint32_t inner = tn_alias_find(w->set, v->inner, NULL);
    uint32_t flags = w->set->flags[inner] & TN_VF_OWN_BYTES, ties = w->set->ties[inner];
    if (!tn_alias_fills(w->set, v->inner) || v->inner->graph != v->outer->graph ||
        (ties & TN_TIE_OVERWRITTEN)) {
        return TN_REASON_SHARED;
    }
    if (ties != 0 || flags != 0) {
        *witness = tn_find_witness(w->set, v->inner, ties, flags);
    }
    return ties != 0 ? tn_reason_of_ties(ties) : tn_reason_of_flags(flags);
}

static bool is_no_gathering(void *user, const tn_value *member) {
    (void)user;
    return member->kind != TN_VALUE_RESULT || member->def->info->view != TN_VIEW_GATHERED;
}

/* The same the other way round, where views are found after gathered operands (a pipeline may have
 * any order): bytes that are given are not for an op to gather in. */
static tn_reason given_refusal(viewing *w, const tn_view *v, const tn_value **witness) {
    tn_alias_set *s = w->set;
    const uint32_t given = TN_TIE_CONST | TN_TIE_INPUT | TN_TIE_STATE | TN_TIE_DONATED |
                           TN_TIE_BODY_IN | TN_TIE_HANDED_ON;
    uint32_t a = tn_alias_find(s, v->inner, NULL);
    uint32_t ties = s->ties[tn_alias_find(s, v->outer, NULL)] & given;
    if (ties == 0 || s->size[a] == 1 ||
        tn_alias_each(s, v->inner, MAX_MEMBERS, INT32_MIN, is_no_gathering, NULL)) {
        return TN_REASON_NONE;
    }
    *witness = tn_find_witness(s, v->outer, ties, 0);
    return tn_reason_of_ties(ties);
}

/* A part of the bytes of an output, or a result in the midst of other bytes, is none the caller
 * could take: what others know about has to fill its class, before and after. */
static bool stays_whole(viewing *w, const tn_view *v) {
    uint32_t inner = tn_alias_find(w->set, v->inner, NULL);
    bool smaller = w->set->bytes[v->inner->id] < w->set->bytes[v->outer->id];
    if (!smaller) {
        return !tn_alias_grows_outside(w->set, v->inner, v->outer);
    }
    return (w->set->ties[inner] & TN_TIE_OUTSIDE) == 0 && tn_alias_fills(w->set, v->inner);
}

/* No view because the op does something to the bytes. */
static tn_reason data_refusal(const viewing *w, const tn_op *op, const tn_view *v) {
    const tn_type *a = v->inner->type, *b = v->outer->type;
    uint64_t inner = w->set->bytes[v->inner->id], outer = w->set->bytes[v->outer->id];
    if (inner == TN_NO_BYTES || outer == TN_NO_BYTES) {
        return TN_REASON_UNSIZED;
    }
    if (op->info->view != TN_VIEW_IF_EQUAL) {
        return TN_REASON_LAYOUT;
    }
    return tn_dtype_get(a->dtype)->bits != tn_dtype_get(b->dtype)->bits ? TN_REASON_WIDTH
           : inner != outer                                             ? TN_REASON_BROADCAST
                                                                        : TN_REASON_DATA;
}

/* Whether an offset that is an expression is a multiple of the alignment for all extents. */
static bool is_aligned(const tn_view *v, uint64_t align) {
    tn_dims *d = v->outer->graph->module->dims;
    tn_dim unit = tn_dim_const(d, (int64_t)align);
    return v->open_offset == TN_DIM_UNKNOWN ||
           tn_dim_mul(d, tn_dim_floordiv(d, v->open_offset, unit), unit) == v->open_offset;
}

/* Whether an offset that is an expression is one for all extents. */
static bool is_offset(const tn_view *v) {
    tn_dims *d = v->outer->graph->module->dims;
    return v->open_offset == TN_DIM_UNKNOWN ||
           tn_dim_provably_ge(d, v->open_offset, tn_dim_const(d, 0));
}

static tn_reason place_refusal(viewing *w, const tn_view *v) {
    tn_alias_set *s = w->set;
    uint32_t b = tn_alias_find(s, v->outer, NULL);
    uint32_t both = s->ties[tn_alias_find(s, v->inner, NULL)] | s->ties[b];
    /* In-place decisions were made for the views there were; later ones could keep bytes alive that
     * are gone. */
    if (both & TN_TIE_OVERWRITTEN) {
        return TN_REASON_OVERWRITTEN;
    }
    if ((both & TN_TIE_BODY_IN) && (both & TN_TIE_BODY_OUT)) {
        return TN_REASON_LOOP;
    }
    int64_t at;
    tn_alias_find(s, v->outer, &at);
    uint64_t beside = (uint64_t)(at - s->lo[b] + v->offset) % w->align;
    if (TN_KEEP(ALIGN, beside != 0 || !is_aligned(v, w->align), false)) {
        return TN_REASON_ALIGN;
    }
    return v->kind == TN_VIEWS_PLACED && !w->placed ? TN_REASON_LEVEL : TN_REASON_NONE;
}

static bool same_bytes(const tn_view *v) {
    return tn_type_same_bytes(v->outer->graph->module->dims, v->inner->type, v->outer->type);
}

static tn_reason refusal(viewing *w, const tn_view *v, const tn_value **witness) {
    tn_alias_set *s = w->set;
    uint64_t inner = s->bytes[v->inner->id], outer = s->bytes[v->outer->id];
    if (inner == TN_NO_BYTES || outer == TN_NO_BYTES || (uint64_t)v->offset + inner > outer ||
        !is_offset(v) || (v->kind == TN_VIEWS_SAME && !same_bytes(v))) {
        return TN_REASON_UNSIZED;
    }
    if (keeps_own_bytes(v->inner) || keeps_own_bytes(v->outer)) {
        *witness = keeps_own_bytes(v->inner) ? v->inner : v->outer;
        return tn_reason_of_flags((*witness)->flags);
    }
    uint32_t a = tn_alias_find(s, v->inner, NULL), b = tn_alias_find(s, v->outer, NULL);
    if (a == b) {
        return TN_REASON_SHARED;
    }
    tn_reason why = v->gathered ? gather_refusal(w, v, witness) : given_refusal(w, v, witness);
    if (why == TN_REASON_NONE && (tn_alias_both_outside(s, a, b) || !stays_whole(w, v))) {
        why = TN_REASON_OUTSIDE;
    }
    return why != TN_REASON_NONE ? why : place_refusal(w, v);
}

/* The edge goes on the value that comes later, where it can. */
static void accept(viewing *w, const tn_view *v) {
    tn_alias_join(w->set, v->inner, v->outer, v->offset, TN_ALIAS_VIEW);
    *(v->gathered ? &w->counts.gathered : &w->counts.views) += 1;
}

static void settle(viewing *w, const tn_op *op, const tn_view *v, bool is_view) {
    const tn_value *witness = NULL;
    tn_reason why = is_view ? refusal(w, v, &witness) : data_refusal(w, op, v);
    if (why == TN_REASON_NONE) {
        accept(w, v);
    } else {
        tn_refuse(w->c, (tn_refusal){.op = op,
                                     .value = v->inner,
                                     .of = v->outer,
                                     .kind = TN_ALIAS_VIEW,
                                     .reason = why,
                                     .witness = witness});
    }
}

/* ---- what loops hand on ---- */

static bool lie_together(viewing *w, const tn_value *a, const tn_value *b) {
    int64_t at_a, at_b;
    return tn_alias_find(w->set, a, &at_a) == tn_alias_find(w->set, b, &at_b) && at_a == at_b;
}

static bool see_whole(viewing *w, const tn_op *op, tn_value *inner, tn_value *outer) {
    tn_view v = {.inner = inner, .outer = outer, .open_offset = TN_DIM_UNKNOWN};
    if (!lie_together(w, inner, outer)) {
        settle(w, op, &v, true);
    }
    return lie_together(w, inner, outer);
}

static void place_states(viewing *w, const tn_op *op);

/* First what the body gives back has to lie where its argument does: else each round would copy it
 * there. States of loops further in, which it may come through, are placed before. */
static void place_state(viewing *w, const tn_op *op, const tn_loop_state *x) {
    tn_value *const *from = w->handed->from;
    for (tn_value *v = x->output; v != x->argument; v = from[v->id]) {
        bool made = v->kind == TN_VALUE_RESULT;
        if (made && v->def->n_regions > 0) {
            place_states(w, v->def);
        }
        bool together = made && v->def->n_regions == 0 ? see_whole(w, v->def, v, from[v->id])
                                                       : lie_together(w, v, from[v->id]);
        if (!together) {
            return;
        }
    }
    (void)see_whole(w, op, x->argument, x->operand);
    if (x->result != NULL && from[x->result->id] != NULL) {
        (void)see_whole(w, op, x->result, x->argument);
    }
}

static void place_states(viewing *w, const tn_op *op) {
    uint32_t n = w->placed_states[op->id] ? 0 : tn_n_loop_states(op);
    w->placed_states[op->id] = true;
    for (uint32_t k = 0; k < n; k++) {
        tn_loop_state x = tn_loop_state_get(op, k);
        if (tn_is_handed_on(w->handed, &x)) {
            place_state(w, op, &x);
        }
    }
}

static void visit(viewing *w, const tn_op *op) {
    uint32_t n = tn_view_count(op);
    for (uint32_t i = 0; i < n; i++) {
        tn_view v;
        bool is_view = tn_view_get(op, i, &v);
        bool exists = v.inner != NULL && v.outer != NULL;
        if (exists && !(w->handed->in_round[v.inner->id] && lie_together(w, v.inner, v.outer))) {
            settle(w, op, &v, is_view);
        }
    }
    if (op->n_regions > 0) {
        place_states(w, op);
    }
}

tn_view_counts tn_place_views(tn_pass_ctx *c, uint64_t align, bool placed) {
    viewing w = {.c = c,
                 .set = tn_alias_open(c->analyses, c->module, c->scratch),
                 .handed = tn_get_handed_on(c->analyses),
                 .placed_states = TN_ARRAY(c->scratch, bool, c->module->n_ops),
                 .align = align,
                 .placed = placed};
    TN_FOR_ALL_OPS(op, c->module->main) {
        visit(&w, op);
    }
    return w.counts;
}
