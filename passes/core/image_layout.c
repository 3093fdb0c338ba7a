#include "passes/core/image_layout.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/quote.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/ops/part.h"
#include "passes/core/select.h"

typedef struct laying {
    tn_module *m;
    tn_arena *arena;
    const char **fixed; /* by value: why it keeps the order of the model; NULL: it may not */
    bool *found;        /* by value */
    TN_VEC(tn_value *) open;
    tn_value **again; /* by value: the next clone of it, which lies as it does */
} laying;

/* Whether it would make a difference. */
static bool has_places(const tn_value *v) {
    tn_part p;
    int64_t places = 1;
    if (!tn_part_begin(&p, v) || p.rank < 3 || p.whole[1] == 1) {
        return false;
    }
    for (uint32_t i = 2; i < p.rank; i++) {
        places = p.whole[i] == 1 ? places : 2;
    }
    return places > 1;
}

static tn_value *original(tn_value *v) {
    return v != NULL && v->clone_of != NULL ? v->clone_of : v;
}

static void add(laying *l, tn_value *v) {
    v = original(v);
    if (v != NULL && l->fixed[v->id] == NULL && !l->found[v->id] && has_places(v)) {
        l->found[v->id] = true;
        tn_vec_push(l->arena, &l->open, v);
    }
}

/* An operand and a result that are one buffer by the op's definition lie in one way, whatever else
 * reads them. */
static void fix_demanded(laying *l, const tn_op *op) {
    uint32_t result;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *operand = op->operands[k].value;
        if (operand != NULL && tn_op_overwrites(op, k, &result) && tn_result(op, result) != NULL) {
            l->fixed[operand->id] = l->fixed[op->results[result]->id] =
                "by its op's definition it is one buffer with another value";
        }
    }
}

/* Values of nested graphs, and all that ops with such have to do with. */
static void fix(laying *l) {
    const uint32_t kept = TN_VF_STATE | TN_VF_PARAM | TN_VF_DEFAULT | TN_VF_WORKSPACE;
    for (uint32_t i = 0; i < l->m->n_values; i++) {
        const tn_value *v = l->m->values[i];
        bool data = tn_is_const(v) || (v->flags & kept) != 0;
        bool nested = v->graph != l->m->main;
        nested = nested || (v->kind == TN_VALUE_RESULT && v->def->n_regions > 0);
        for (const tn_use *u = v->first_use; u != NULL && !nested; u = u->next) {
            nested = u->op->n_regions > 0 || u->op->graph != l->m->main;
        }
        l->fixed[i] = data     ? "it is data of the model, or state"
                      : nested ? "a nested graph knows it"
                               : NULL;
    }
    for (uint32_t i = 0; i < l->m->n_values; i++) {
        const tn_value *first = l->m->values[i]->clone_of;
        if (first != NULL && l->fixed[i] != NULL) {
            l->fixed[first->id] = l->fixed[i];
        }
    }
    for (uint32_t i = 0; i < l->m->n_bindings; i++) {
        l->fixed[l->m->bindings[i].state->id] = l->fixed[l->m->bindings[i].value->id] =
            "it is state, or becomes state";
    }
    TN_FOR_OPS(op, l->m->main) {
        fix_demanded(l, op);
    }
}

/* Whether the op leaves axes as they are, so that what it reads and makes may lie in one way. */
static bool keeps_axes(const tn_op *op) {
    tn_view_kind kind = op->info->view;
    return (op->info->traits & TN_T_ELEMENTWISE) != 0 || kind == TN_VIEW_PART ||
           kind == TN_VIEW_PARTS || kind == TN_VIEW_GATHERED;
}

static uint32_t rank_of(const tn_value *v) {
    return v != NULL && v->type->kind == TN_TYPE_TENSOR && v->type->has_rank ? v->type->rank : 0;
}

static void spread(laying *l, const tn_op *op, uint32_t rank) {
    if (op->n_regions > 0 || !keeps_axes(op)) {
        return;
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        if (rank_of(op->operands[i].value) == rank) {
            add(l, op->operands[i].value);
        }
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (rank_of(op->results[i]) == rank) {
            add(l, op->results[i]);
        }
    }
}

static void spread_from(laying *l, const tn_value *v) {
    if (v->kind == TN_VALUE_RESULT) {
        spread(l, v->def, v->type->rank);
    }
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        spread(l, u->op, v->type->rank);
    }
}

static void lay_all(laying *l) {
    TN_FOR_OPS(op, l->m->main) {
        if ((op->info->traits & TN_T_IMAGES) != 0) {
            add(l, tn_operand(op, 0));
            add(l, tn_result(op, 0));
        }
    }
    while (l->open.len > 0) {
        tn_value *v = l->open.data[--l->open.len];
        for (; v != NULL; v = l->again[v->id]) {
            spread_from(l, v);
        }
    }
}

/* ---- values by name ---- */

typedef struct naming {
    laying *l;
    const char *pattern;
    bool last;
    tn_status mistake; /* what it is when it does not fit */
    tn_status status;
} naming;

/* Why the value cannot have its channels last; NULL: it can. */
static const char *why_not_last(const laying *l, const tn_value *v) {
    tn_part p;
    return l->fixed[v->id] != NULL ? l->fixed[v->id]
           : rank_of(v) < 3        ? "it has no axes behind its channels"
           : !tn_part_begin(&p, v) ? "its extents are open"
                                   : NULL;
}

/* Of a pattern those that can. */
static void name_one(void *user, tn_value *v) {
    naming *n = user;
    const char *why = n->last ? why_not_last(n->l, v) : NULL;
    bool literal = strcmp(n->pattern, v->name) == 0 || strpbrk(n->pattern, "*?") == NULL;
    if (why != NULL && literal) {
        tn_loc loc = tn_loc_file(n->l->m->file);
        n->status = tn_error_of(n->l->m->ctx, n->mistake, &loc,
                                "layout-of '%s=nhwc': '%s' keeps its channels: %s", n->pattern,
                                v->name, why);
    }
    if (why == NULL) {
        n->l->found[v->id] = n->last && has_places(v);
        tn_value_set_flags(v, 0, TN_VF_CHANNELS_LAST);
    }
}

/* Pairs were looked at as options; those of metadata are looked at here. */
static tn_status name_values(laying *l, const tn_names *pairs) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < pairs->len && status == TN_OK; i++) {
        const char *layout, *text = pairs->data[i];
        naming n = {.l = l, .mistake = tn_name_mistake(pairs, i)};
        bool good = tn_pair_split(l->arena, text, "=", false, &n.pattern, &layout) &&
                    (layout = tn_name_unquote(l->arena, layout)) != NULL;
        n.last = good && strcmp(layout, "nhwc") == 0;
        if (!n.last && (!good || strcmp(layout, "nchw") != 0)) {
            tn_loc loc = tn_loc_file(l->m->file);
            return tn_error_of(l->m->ctx, n.mistake, &loc,
                               "layout-of '%s': expected VALUE=nchw or VALUE=nhwc", text);
        }
        status = tn_select_values(l->m, (tn_names){&n.pattern, 1, tn_name_is_of_model(pairs, i)},
                                  "layout-of", name_one, &n);
        status = status == TN_OK ? n.status : status;
    }
    return status;
}

tn_status tn_lay_images(tn_module *m, const tn_controls *want, tn_arena *arena, uint32_t *n) {
    laying l = {.m = m,
                .arena = arena,
                .fixed = TN_ARRAY(arena, const char *, m->n_values),
                .found = TN_ARRAY(arena, bool, m->n_values),
                .again = TN_ARRAY(arena, tn_value *, m->n_values)};
    *n = 0;
    if (!want->channels_last && want->layout_of.len == 0) {
        return TN_OK;
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *first = m->values[i]->clone_of;
        if (first != NULL) {
            l.again[i] = l.again[first->id];
            l.again[first->id] = m->values[i];
        }
    }
    fix(&l);
    if (want->channels_last) {
        lay_all(&l);
    }
    tn_status status = name_values(&l, &want->layout_of);
    for (uint32_t i = 0; i < m->n_values && status == TN_OK; i++) {
        bool last = l.found[original(m->values[i])->id];
        if (last || m->values[i]->clone_of != NULL) {
            tn_value_set_flags(m->values[i], last ? TN_VF_CHANNELS_LAST : 0,
                               last ? 0 : TN_VF_CHANNELS_LAST);
        }
        *n += last;
    }
    return status;
}
