#include "passes/alias/inplace.h"

#include "ir/mutate.h"
#include "ir/walk.h"
#include "passes/alias/blame.h"
#include "passes/alias/carry.h"
#include "passes/analysis/storages.h"
#include "passes/core/rules.h"

/* Classes of more living members than this are left alone, so that no class makes the pass slow. */
enum { MAX_MEMBERS = 256 };

typedef struct placing {
    tn_pass_ctx *c;
    tn_alias_set *set;
    bool all;   /* kinds=all */
    bool again; /* asked for after other aliases were given up */
    tn_inplace_counts counts;
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
    bool updates; /* r is what the state o becomes: what o holds ends with its last read */
    /* Why not, and who stands in the way. */
    tn_reason why;
    const tn_value *witness;
    const tn_op *by;
    int32_t at;
} ask;

static bool refuse(ask *q, tn_reason why, const tn_value *witness) {
    q->why = why;
    q->witness = witness;
    return false;
}

/* Equal bytes are necessary, not sufficient: element i of both must lie in the same place. */
static bool types_fit(ask *q) {
    const tn_type *r = q->r->type, *o = q->o->type;
    uint64_t bytes = q->w->set->bytes[q->o->id];
    if (bytes == TN_NO_BYTES || q->w->set->bytes[q->r->id] == TN_NO_BYTES) {
        return refuse(q, TN_REASON_UNSIZED, bytes == TN_NO_BYTES ? q->o : q->r);
    }
    if (!TN_KEEP(INDEX, tn_type_same_extents(r, o), true)) {
        return refuse(q, TN_REASON_BROADCAST, NULL);
    }
    bool fits = q->cond == TN_IF_SAME ? tn_dtype_get(r->dtype)->bits == tn_dtype_get(o->dtype)->bits
                                      : r->dtype == o->dtype;
    fits = fits && bytes == q->w->set->bytes[q->r->id];
    return TN_KEEP(INDEX, fits, true) || refuse(q, TN_REASON_WIDTH, NULL);
}

/* A member of the class of `o` that does not give its bytes, or of that of `r`, which has its own.
 */
static const tn_value *owner(const ask *q, uint32_t ties, uint32_t flags) {
    const tn_value *found = tn_blame_member(q->w->set, q->o, ties, flags);
    return found != NULL ? found : tn_blame_member(q->w->set, q->r, ties, flags);
}

static bool may_update(ask *q, uint32_t a, uint32_t b) {
    tn_alias_set *s = q->w->set;
    uint32_t flags = (s->flags[a] | s->flags[b]) & TN_VF_OWN_BYTES;
    if (flags != 0) {
        return refuse(q, tn_blame_flags(flags), owner(q, 0, flags));
    }
    return !(s->ties[a] & TN_TIE_CONST) || refuse(q, TN_REASON_CONST, owner(q, TN_TIE_CONST, 0));
}

static bool ties_allow(ask *q) {
    tn_alias_set *s = q->w->set;
    uint32_t a = tn_alias_find(s, q->o, NULL), b = tn_alias_find(s, q->r, NULL);
    if (a == b) {
        return refuse(q, TN_REASON_PLACE, NULL);
    }
    q->updates =
        s->state_of[q->r->id] == q->o && q->cond == TN_IF_UPDATE && q->o->kind != TN_VALUE_RESULT;
    if (q->updates) {
        return may_update(q, a, b);
    }
    uint32_t ties = s->ties[a] & (TN_TIE_STATE | TN_TIE_CONST | TN_TIE_INPUT);
    if (TN_KEEP(KEPT, ties != 0, false)) {
        tn_reason why = tn_blame_ties(ties);
        return refuse(q, why, tn_blame_member(s, q->o, ties, 0));
    }
    uint32_t flags = (s->flags[a] | s->flags[b]) & TN_VF_OWN_BYTES;
    if (flags != 0) {
        return refuse(q, tn_blame_flags(flags), owner(q, 0, flags));
    }
    if ((s->ties[a] & TN_TIE_OUTSIDE) && (s->ties[b] & TN_TIE_OUTSIDE)) {
        return refuse(q, TN_REASON_OUTPUT, owner(q, TN_TIE_OUTPUT, 0));
    }
    uint32_t both = s->ties[a] | s->ties[b];
    /* A class that has both already was proved by carry.c; from there on lives decide. */
    const uint32_t round = TN_TIE_BODY_IN | TN_TIE_BODY_OUT;
    bool closes =
        (s->ties[a] & round) != round && (s->ties[b] & round) != round && (both & round) == round;
    return !closes || refuse(q, TN_REASON_LOOP, NULL);
}

/* Other operands of the op that look at the same bytes: only an element-wise kernel may read them,
 * and only when element i lies in the same place. What the table does not list is not read element
 * by element: a bound of Clip is read for all of them. */
static bool reads_apart(ask *q) {
    tn_alias_set *s = q->w->set;
    int64_t at_o, at;
    uint32_t c = tn_alias_find(s, q->o, &at_o);
    for (uint32_t k = 0; k < q->op->n_operands; k++) {
        const tn_value *v = q->op->operands[k].value;
        if (v == NULL || k == q->k || !tn_reads_data(q->op, k) || tn_alias_find(s, v, &at) != c ||
            (v != q->o && !tn_alias_overlap(s, v, q->o))) {
            continue;
        }
        bool same = v == q->o || (at == at_o && tn_type_same_extents(v->type, q->o->type) &&
                                  s->bytes[v->id] == s->bytes[q->o->id]);
        bool by_element = q->cond == TN_IF_SAME && k < 32 && (q->mask >> k & 1u);
        if (!TN_KEEP(SLICE, same, true) || !TN_KEEP(TWICE, by_element, true)) {
            return refuse(q, TN_REASON_OVERLAP, v);
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
    /* State may be updated after its last read, unless the caller asked for the old value too. */
    bool is_output = (s->tie[member->id] & TN_TIE_OUTPUT) != 0;
    int32_t last = q->updates && member == q->o && !is_output ? tn_last_read(l) : l->last;
    bool is_read = member == q->o ? TN_KEEP(ORDER, last > q->step, false)
                                  : TN_KEEP(ROOTS, last > q->step, false);
    if (is_read) {
        q->by = tn_blame_reader(s->live, member, q->step, &q->at);
        return refuse(q, is_output ? TN_REASON_OUTPUT : TN_REASON_READER, member);
    }
    return member == q->o || l->first < q->step || refuse(q, TN_REASON_PLACE, member);
}

/* Members of the result's class in the same bytes must come into being with the result, not before:
 * until then the bytes are the operand's. */
static bool comes_later(void *user, const tn_value *member) {
    ask *q = user;
    return !tn_alias_overlap(q->w->set, member, q->r) ||
           q->w->set->live->of[member->id].first >= q->step || refuse(q, TN_REASON_PLACE, member);
}

static bool is_wanted(const placing *w, tn_inplace_if cond) {
    switch (cond) {
    case TN_IF_SAME:
        return true;
    case TN_IF_ROWS:
    case TN_IF_UPDATE:
        return w->all;
    case TN_IF_NEVER:
    case TN_IF_MUST:
        break;
    }
    return false;
}

/* Whether the old content is needed no more, and the new one not before. */
static bool lives_allow(ask *q) {
    tn_alias_set *s = q->w->set;
    refuse(q, TN_REASON_MANY, NULL); /* when no member gives another reason */
    if (!tn_alias_each(s, q->o, MAX_MEMBERS, q->step, is_dead, q)) {
        return false;
    }
    if (!tn_alias_fills(s, q->o) && !tn_alias_fills(s, q->r)) {
        return refuse(q, TN_REASON_PLACE, NULL);
    }
    return tn_alias_each(s, q->r, MAX_MEMBERS, q->step, comes_later, q);
}

static bool decide(ask *q) {
    q->by = NULL;
    q->updates = false;
    return types_fit(q) && ties_allow(q) && reads_apart(q) && lives_allow(q) &&
           (is_wanted(q->w, q->cond) || refuse(q, TN_REASON_LEVEL, NULL));
}

/* Whether operand k was asked about already. */
static bool is_repeated(const ask *q) {
    for (uint32_t k = 0; k < q->k; k++) {
        if (q->op->operands[k].value == q->o && (q->mask >> k & 1u)) {
            return true;
        }
    }
    return false;
}

/* Whether the result lies in the operand's bytes already, as a view of it. */
static bool is_there(const ask *q) {
    int64_t at_r, at_o;
    tn_alias_set *s = q->w->set;
    return tn_alias_find(s, q->r, &at_r) == tn_alias_find(s, q->o, &at_o) && at_r == at_o;
}

static tn_refusal tell(const ask *q, tn_alias_kind kind) {
    tn_refusal r = {.op = q->op,
                    .value = q->r,
                    .of = q->o,
                    .kind = kind,
                    .reason = q->why,
                    .witness = q->witness,
                    .by = q->by,
                    .step = q->at};
    tn_refuse(q->w->c, r);
    return r;
}

/* Asks for q's operand and takes it if it may; false when the next one is to be asked for. */
static bool offer(ask *q) {
    if (is_there(q)) {
        return true;
    }
    placing *w = q->w;
    bool granted = decide(q) && !(w->again && q->updates); /* no choice, so never taken back */
    tn_alias_kind kind = q->updates ? TN_ALIAS_UPDATE : TN_ALIAS_INPLACE;
    if (granted) {
        tn_alias_join(w->set, q->r, q->o, 0, kind);
        *(q->updates ? &w->counts.updates : &w->counts.inplace) += 1;
        if (w->again) {
            tn_unrefuse(w->c, q->r, q->o);
        }
        return true;
    }
    if (w->again) {
        return false; /* told when it was asked for first */
    }
    (void)tell(q, kind);
    return false;
}

static bool is_candidate(const ask *q) {
    return (q->mask >> q->k & 1u) && q->o != NULL && tn_reads_data(q->op, q->k) && !is_repeated(q);
}

/* The first operand that can be taken is; one that lies among others comes after those that do not,
 * since taking it keeps the others' bytes as well. */
static void place(placing *w, const tn_op *op, const tn_inplace *entry) {
    ask q = {.w = w,
             .op = op,
             .r = tn_result(op, entry->result),
             .mask = entry->operands,
             .cond = entry->cond,
             .step = w->set->live->of[op->results[entry->result]->id].first};
    for (int among = 0; among < 2; among++) {
        for (q.k = 0; q.k < op->n_operands && q.k < 32; q.k++) {
            q.o = op->operands[q.k].value;
            if (is_candidate(&q) && tn_alias_fills(w->set, q.o) == (among == 0) && offer(&q)) {
                return;
            }
        }
    }
}

/* Whether the result takes the bytes of an operand already. */
static bool has_place(const tn_op *op, uint32_t result) {
    const tn_value *r = tn_result(op, result);
    return r == NULL || r->alias_kind == TN_ALIAS_INPLACE || r->alias_kind == TN_ALIAS_UPDATE;
}

/* Results of optimizers for many weights: each has one operand it may lie in. */
static void place_updates(placing *w, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_results; i++) {
        int64_t k = tn_op_updated(op, i);
        if (k < 0 || has_place(op, i) || tn_operand(op, (uint32_t)k) == NULL) {
            continue;
        }
        ask q = {.w = w,
                 .op = op,
                 .r = op->results[i],
                 .o = op->operands[k].value,
                 .k = (uint32_t)k,
                 .cond = TN_IF_UPDATE,
                 .step = w->set->live->of[op->results[i]->id].first};
        (void)offer(&q);
    }
}

static bool is_choice(tn_inplace_if cond) {
    return cond != TN_IF_NEVER && cond != TN_IF_MUST; /* done by the pass `pin` */
}

tn_inplace_counts tn_place_results(tn_pass_ctx *c, bool all, bool again) {
    tn_alias_take_back(c->module, false); /* who shared could be joined to others unseen */
    placing w = {.c = c,
                 .set = tn_alias_open(c->analyses, c->module, c->scratch),
                 .all = all,
                 .again = again};
    w.counts.carried = again ? 0 : tn_carry_loops(c, w.set, all);
    TN_FOR_ALL_OPS(op, c->module->main) {
        tn_inplace entry;
        for (uint32_t i = 0; op->n_regions == 0 && tn_op_inplace(op, i, &entry); i++) {
            if (is_choice(entry.cond) && !has_place(op, entry.result)) {
                place(&w, op, &entry);
            }
        }
        place_updates(&w, op);
    }
    if (!again) { /* with a fresh set: this one has let go of members that ended */
        w.set = tn_alias_open(c->analyses, c->module, c->scratch);
        w.counts.carried += tn_carry_results(c, w.set);
    }
    return w.counts;
}

/* ---- what ops demand ---- */

/* What comes from outside and stays behind may change in a run. */
static bool is_state(const placing *w, const tn_value *v) {
    return v->kind != TN_VALUE_RESULT && v->graph == w->c->module->main;
}

/* Whether the op runs more than once in the life of a value. */
static bool runs_again(const tn_op *op, const tn_value *v) {
    for (const tn_graph *g = op->graph; g != v->graph && g->owner != NULL; g = g->owner->graph) {
        if (g->n_inputs > 0 && !tn_op_is_call(g->owner)) {
            return true;
        }
    }
    return false;
}

static bool may_demand(ask *q) {
    tn_alias_set *s = q->w->set;
    uint64_t bytes = s->bytes[q->o->id];
    uint32_t class = tn_alias_find(s, q->o, NULL), flags = s->flags[class] & TN_VF_OWN_BYTES;
    uint32_t ties = s->ties[class] & (TN_TIE_STATE | TN_TIE_CONST | TN_TIE_INPUT);
    if (bytes == TN_NO_BYTES || s->bytes[q->r->id] == TN_NO_BYTES) {
        return refuse(q, TN_REASON_UNSIZED, bytes == TN_NO_BYTES ? q->o : q->r);
    }
    if (bytes != s->bytes[q->r->id]) {
        return refuse(q, TN_REASON_WIDTH, NULL);
    }
    if (!is_state(q->w, q->o) && ties != 0) {
        return refuse(q, tn_blame_ties(ties), tn_blame_member(s, q->o, ties, 0));
    }
    if (!is_state(q->w, q->o) && flags != 0) { /* what it holds is wanted after the run */
        return refuse(q, tn_blame_flags(flags), tn_blame_member(s, q->o, 0, flags));
    }
    if (is_state(q->w, q->o) && runs_again(q->op, q->o)) {
        q->by = q->op; /* in the next round */
        q->at = q->step;
        return refuse(q, TN_REASON_READER, q->o);
    }
    return reads_apart(q) && lives_allow(q);
}

/* Nothing is to be told of what has no size, which is told already, or lies there. */
static void demand(ask *q, uint64_t *n) {
    placing *w = q->w;
    tn_alias_set *s = w->set;
    if (tn_alias_same(s, q->r, q->o)) {
        return;
    }
    if (may_demand(q)) {
        tn_alias_join(s, q->r, q->o, 0, TN_ALIAS_UPDATE);
        tn_value_set_flags(q->o, is_state(w, q->o) ? TN_VF_STATE : 0, 0);
        *n += 1;
        return;
    }
    tn_refusal refusal = tell(q, TN_ALIAS_UPDATE);
    if (q->why != TN_REASON_UNSIZED) {
        tn_sink text = tn_sink_make(w->c->scratch);
        tn_refusal_print(&refusal, &text);
        tn_warn(w->c->ctx, &q->op->loc, "the op works in place by definition, but %s", text.data);
    }
}

/* One entry of the table, which names one operand. */
static void demand_entry(placing *w, const tn_op *op, const tn_inplace *entry, uint64_t *n) {
    ask q = {.w = w,
             .op = op,
             .r = tn_result(op, entry->result),
             .k = (uint32_t)__builtin_ctz(entry->operands),
             .mask = entry->operands,
             .cond = TN_IF_MUST};
    q.o = tn_operand(op, q.k);
    if (q.o == NULL) {
        return;
    }
    if (q.r == NULL) { /* nobody asks for its new form, but it is written over */
        tn_value_set_flags(q.o, is_state(w, q.o) ? TN_VF_STATE : 0, 0);
        return;
    }
    w->set = w->set != NULL ? w->set : tn_alias_open(w->c->analyses, w->c->module, w->c->scratch);
    q.step = w->set->live->of[q.r->id].first;
    q.updates = is_state(w, q.o) || tn_carry_is_next(q.r, q.o);
    demand(&q, n);
}

uint64_t tn_place_demanded(tn_pass_ctx *c) {
    placing w = {.c = c};
    uint64_t n = 0;
    TN_FOR_ALL_OPS(op, c->module->main) {
        tn_inplace entry;
        for (uint32_t i = 0; tn_op_inplace(op, i, &entry); i++) {
            if (entry.cond == TN_IF_MUST) {
                demand_entry(&w, op, &entry, &n);
            }
        }
    }
    return n;
}
