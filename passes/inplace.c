/* In-place results: the op writes its result over an operand that nobody reads any more. The op
 * table says which operand and on what condition; here is proved that the bytes are dead, with all
 * values that share them taken together. Safe only in the order at hand: the last reader in the
 * schedule may take the bytes. What the user's kernels must do for it: at `elementwise`, read
 * element i of an operand not after writing element i of the result; at `all`, also what the
 * table's conditions "rows" and "update" say (ir/ops.h). */
#include "passes/alias/set.h"
#include "passes/analysis/storages.h"
#include "passes/core/pass.h"

enum { OPT_KINDS };
static const tn_opt options[] = {
    [OPT_KINDS] = {"kinds", TN_OPT_ENUM, "elementwise", "none|elementwise|all",
                   "none but those ops demand; element-wise ops; all the op table knows"},
    {0}};

enum {
    STAT_INPLACE,
    STAT_UPDATES,
    STAT_UNSIZED,
    STAT_SHAPE,
    STAT_WIDTH,
    STAT_INPUT,
    STAT_CONST,
    STAT_OUTPUT,
    STAT_STATE,
    STAT_PINNED,
    STAT_READER,
    STAT_OVERLAP,
    STAT_PLACE
};
static const tn_stat stats[] = {
    [STAT_INPLACE] = {"inplace", "results written over an operand"},
    [STAT_UPDATES] = {"updates", "state updated where it lies"},
    [STAT_UNSIZED] = {"refused-unsized", "refused: a size is not known"},
    [STAT_SHAPE] = {"refused-broadcast", "refused: operand and result differ in shape"},
    [STAT_WIDTH] = {"refused-width", "refused: operand and result differ in element width or type"},
    [STAT_INPUT] = {"refused-input", "refused: the bytes belong to an input that is not donated"},
    [STAT_CONST] = {"refused-const", "refused: the bytes belong to a constant"},
    [STAT_OUTPUT] = {"refused-output", "refused: the bytes belong to an output"},
    [STAT_STATE] = {"refused-state", "refused: state that this result does not become"},
    [STAT_PINNED] = {"refused-pinned", "refused: pinned or excluded"},
    [STAT_READER] = {"refused-reader", "refused: somebody reads the operand later"},
    [STAT_OVERLAP] = {"refused-overlap", "refused: another operand reads the same bytes"},
    [STAT_PLACE] = {"refused-place", "refused: both have their place among other values already"},
    {0}};

enum { GRANTED = -1 };

/* Classes of more living members than this are left alone, so that no class makes the pass slow. */
enum { MAX_MEMBERS = 256 };

static const uint32_t own_bytes = TN_VF_PINNED | TN_VF_EXCLUDED | TN_VF_LOSS;

typedef struct placing {
    tn_pass_ctx *c;
    tn_alias_set *set;
    bool all; /* kinds=all */
} placing;

/* One question: may `op` write r over operand k? */
typedef struct ask {
    placing *w;
    const tn_op *op;
    tn_value *r, *o;
    uint32_t k;
    uint32_t mask; /* operands the table says may be taken */
    tn_inplace_if cond;
    int32_t step;
    bool updates; /* r is what the state o becomes */
    int why;
} ask;

static bool same_extents(const tn_type *a, const tn_type *b) {
    if (!a->has_rank || !b->has_rank || a->rank != b->rank) {
        return false;
    }
    for (uint32_t i = 0; i < a->rank; i++) {
        if (a->dims[i] == TN_DIM_UNKNOWN || a->dims[i] != b->dims[i]) {
            return false;
        }
    }
    return true;
}

/* Equal bytes are necessary, not sufficient: element i of both must lie in the same place. */
static int check_types(const ask *q) {
    const tn_type *r = q->r->type, *o = q->o->type;
    uint64_t bytes = q->w->set->bytes[q->o->id];
    if (bytes == TN_NO_BYTES || q->w->set->bytes[q->r->id] == TN_NO_BYTES) {
        return STAT_UNSIZED;
    }
    if (!same_extents(r, o)) {
        return STAT_SHAPE;
    }
    bool fits = q->cond == TN_IF_SAME ? tn_dtype_get(r->dtype)->bits == tn_dtype_get(o->dtype)->bits
                                      : r->dtype == o->dtype;
    return fits && bytes == q->w->set->bytes[q->r->id] ? GRANTED : STAT_WIDTH;
}

static int check_ties(ask *q) {
    tn_alias_set *s = q->w->set;
    uint32_t a = tn_alias_find(s, q->o, NULL), b = tn_alias_find(s, q->r, NULL);
    if (a == b) {
        return STAT_PLACE;
    }
    q->updates =
        s->state_of[q->r->id] == q->o && q->cond == TN_IF_UPDATE && q->o->kind != TN_VALUE_RESULT;
    if (q->updates) {
        return (s->flags[a] | s->flags[b]) & own_bytes || (s->ties[a] & TN_TIE_CONST) ? STAT_PINNED
                                                                                      : GRANTED;
    }
    if (s->ties[a] & (TN_TIE_STATE | TN_TIE_CONST | TN_TIE_INPUT)) {
        return s->ties[a] & TN_TIE_STATE   ? STAT_STATE
               : s->ties[a] & TN_TIE_CONST ? STAT_CONST
                                           : STAT_INPUT;
    }
    if ((s->flags[a] | s->flags[b]) & own_bytes) {
        return STAT_PINNED;
    }
    if ((s->ties[a] & TN_TIE_OUTSIDE) && (s->ties[b] & TN_TIE_OUTSIDE)) {
        return STAT_OUTPUT;
    }
    uint32_t both = s->ties[a] | s->ties[b];
    return (both & TN_TIE_BODY_IN) && (both & TN_TIE_BODY_OUT) ? STAT_PLACE : GRANTED;
}

/* Other operands of the op that look at the same bytes: only an element-wise kernel may read them,
 * and only when element i lies in the same place. What the table does not list is not read element
 * by element: a bound of Clip is read for all of them. */
static bool reads_apart(const ask *q) {
    tn_alias_set *s = q->w->set;
    int64_t at_o, at;
    uint32_t c = tn_alias_find(s, q->o, &at_o);
    for (uint32_t k = 0; k < q->op->n_operands; k++) {
        const tn_value *v = q->op->operands[k].value;
        if (v == NULL || k == q->k || !tn_reads_data(q->op, k) || tn_alias_find(s, v, &at) != c ||
            !tn_alias_overlap(s, v, q->o)) {
            continue;
        }
        bool same = v == q->o || (at == at_o && same_extents(v->type, q->o->type) &&
                                  s->bytes[v->id] == s->bytes[q->o->id]);
        if (q->cond != TN_IF_SAME || !same || k >= 32 || !(q->mask >> k & 1u)) {
            return false;
        }
    }
    return true;
}

/* A member of the operand's class must have been read for the last time, or lie elsewhere. */
static bool is_dead(void *user, const tn_value *member) {
    ask *q = user;
    tn_alias_set *s = q->w->set;
    const tn_live *l = &s->live->of[member->id];
    if (!tn_alias_overlap(s, member, q->o)) {
        return true;
    }
    int32_t last = q->updates && member == q->o ? tn_last_read(l) : l->last;
    if (last > q->step || (member != q->o && l->first >= q->step)) {
        q->why = (s->tie[member->id] & TN_TIE_OUTPUT) ? STAT_OUTPUT : STAT_READER;
        return false;
    }
    return true;
}

/* Members of the result's class in the same bytes must come into being with the result, not before:
 * until then the bytes are the operand's. */
static bool comes_later(void *user, const tn_value *member) {
    ask *q = user;
    return !tn_alias_overlap(q->w->set, member, q->r) ||
           q->w->set->live->of[member->id].first >= q->step;
}

static int decide(ask *q) {
    tn_alias_set *s = q->w->set;
    int why = check_types(q);
    if (why == GRANTED) {
        why = check_ties(q);
    }
    if (why != GRANTED) {
        return why;
    }
    if (!reads_apart(q)) {
        return STAT_OVERLAP;
    }
    q->why = STAT_READER;
    if (!tn_alias_each(s, q->o, MAX_MEMBERS, q->step, is_dead, q)) {
        return q->why;
    }
    bool free_place = tn_alias_fills(s, q->o) || tn_alias_fills(s, q->r);
    return free_place && tn_alias_each(s, q->r, MAX_MEMBERS, q->step, comes_later, q) ? GRANTED
                                                                                      : STAT_PLACE;
}

static bool is_wanted(const placing *w, tn_inplace_if cond) {
    switch (cond) {
    case TN_IF_SAME:
        return true;
    case TN_IF_ROWS:
    case TN_IF_UPDATE:
        return w->all;
    case TN_IF_NEVER:
    case TN_IF_MUST: /* done by the pass `pin` */
        break;
    }
    return false;
}

/* The first operand that can be taken is. Why none could is counted for the last one tried. */
static void place(placing *w, const tn_op *op, const tn_inplace *entry) {
    ask q = {.w = w,
             .op = op,
             .r = tn_result(op, entry->result),
             .mask = entry->operands,
             .cond = entry->cond,
             .step = w->set->live->of[op->results[entry->result]->id].first,
             .why = GRANTED};
    int why = GRANTED;
    for (q.k = 0; q.k < op->n_operands && q.k < 32; q.k++) {
        q.o = op->operands[q.k].value;
        if (!(entry->operands >> q.k & 1u) || q.o == NULL || !tn_reads_data(op, q.k)) {
            continue;
        }
        why = decide(&q);
        if (why == GRANTED) {
            tn_alias_join(w->set, q.r, q.o, 0, q.updates ? TN_ALIAS_UPDATE : TN_ALIAS_INPLACE);
            w->c->stats[q.updates ? STAT_UPDATES : STAT_INPLACE]++;
            return;
        }
    }
    if (why != GRANTED) {
        w->c->stats[why]++;
    }
}

static tn_status run(tn_pass_ctx *c) {
    if (tn_pass_is(c, OPT_KINDS, "none")) {
        return TN_OK;
    }
    placing w = {.c = c,
                 .set = tn_alias_open(c->analyses, c->module, c->scratch),
                 .all = tn_pass_is(c, OPT_KINDS, "all")};
    TN_FOR_ALL_OPS(op, c->module->main) {
        const tn_op_info *info = tn_op_info_get(op->code);
        for (uint32_t i = 0; i < 6 && op->n_regions == 0; i++) {
            if (is_wanted(&w, info->inplace[i].cond) &&
                tn_result(op, info->inplace[i].result) != NULL) {
                place(&w, op, &info->inplace[i]);
            }
        }
    }
    return TN_OK;
}

const tn_pass_info tn_pass_inplace = {
    .name = "inplace",
    .summary = "lets ops write results over operands nobody reads any more",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .options = options,
    .stats = stats,
    .run = run,
};
