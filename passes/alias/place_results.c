#include "passes/alias/place_results.h"

#include "ir/mutate.h"
#include "ir/walk.h"
#include "passes/alias/bodies.h"
#include "passes/alias/legal.h"
#include "passes/alias/reasons.h"
#include "passes/analysis/storages.h"
#include "passes/core/rules.h"

/* Classes of more living members than this are left alone, so that no class makes the pass slow. */
enum { MAX_MEMBERS = 256 };

typedef struct placing {
    tn_pass_ctx *c;
    tn_alias_set *set;
    tn_inplace_kinds kinds;
    bool widths; /* second round: pairs of different element widths; first: all others */
    tn_inplace_counts counts;
} placing;

/* One question: may `op` write r over operand k? */
typedef struct ask {
    placing *w;
    const tn_op *op;
    tn_value *r, *o;
    uint32_t k;
    tn_inplace_way way;
    tn_inplace_if cond; /* that holds for r and o */
    uint64_t span;      /* bytes of the larger of r and o */
    int32_t step;
    bool leads;   /* r is on the way to what the state o becomes, which will lie where r does */
    bool updates; /* r is that, or leads to it: what o holds ends with its last read */
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

static bool types_fit(ask *q) {
    const uint64_t *bytes = q->w->set->bytes;
    tn_reason why = tn_inplace_misfit(q->r, bytes[q->r->id], q->o, bytes[q->o->id], q->cond);
    const tn_value *unsized = bytes[q->o->id] == TN_NO_BYTES ? q->o : q->r;
    return why == TN_REASON_NONE || refuse(q, why, why == TN_REASON_UNSIZED ? unsized : NULL);
}

/* A member of the class of `o` that does not give its bytes, or of that of `r`, which has its own.
 */
static const tn_value *owner(const ask *q, uint32_t ties, uint32_t flags) {
    const tn_value *found = tn_find_witness(q->w->set, q->o, ties, flags);
    return found != NULL ? found : tn_find_witness(q->w->set, q->r, ties, flags);
}

static bool may_update(ask *q, uint32_t a, uint32_t b) {
    tn_alias_set *s = q->w->set;
    uint32_t flags = (s->flags[a] | s->flags[b]) & TN_VF_OWN_BYTES;
    if (flags != 0) {
        return refuse(q, tn_reason_of_flags(flags), owner(q, 0, flags));
    }
    return !(s->ties[a] & TN_TIE_CONST) || refuse(q, TN_REASON_CONST, owner(q, TN_TIE_CONST, 0));
}

/* The caller's buffer for an output is not to grow because a wider operand lies in it first. */
static bool widens_output(const ask *q, uint32_t class_of_result) {
    const tn_alias_set *s = q->w->set;
    return q->cond == TN_IF_WIDTH && (s->ties[class_of_result] & TN_TIE_OUTPUT) &&
           !(s->flags[class_of_result] & TN_VF_ARENA) && q->span > s->bytes[q->r->id];
}

static bool ties_allow(ask *q) {
    tn_alias_set *s = q->w->set;
    uint32_t a = tn_alias_find(s, q->o, NULL), b = tn_alias_find(s, q->r, NULL);
    if (a == b) {
        return refuse(q, TN_REASON_PLACE, NULL);
    }
    q->updates = (q->leads || s->state_of[q->r->id] == q->o) && q->cond != TN_IF_WIDTH &&
                 q->o->kind != TN_VALUE_RESULT;
    if (q->updates) {
        return may_update(q, a, b);
    }
    uint32_t ties = s->ties[a] & (TN_TIE_STATE | TN_TIE_CONST | TN_TIE_INPUT);
    if (TN_KEEP(KEPT, ties != 0, false)) {
        tn_reason why = tn_reason_of_ties(ties);
        return refuse(q, why, tn_find_witness(s, q->o, ties, 0));
    }
    uint32_t flags = (s->flags[a] | s->flags[b]) & TN_VF_OWN_BYTES;
    if (flags != 0) {
        return refuse(q, tn_reason_of_flags(flags), owner(q, 0, flags));
    }
    if (tn_alias_both_outside(s, a, b) || widens_output(q, b)) {
        return refuse(q, TN_REASON_OUTPUT, owner(q, TN_TIE_OUTPUT, 0));
    }
    uint32_t both = s->ties[a] | s->ties[b];
    /* A class that has both already was proved by bodies.c; from there on live ranges decide. */
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
            (v != q->o && !tn_alias_reaches(s, v, q->o, q->span))) {
            continue;
        }
        bool same = v == q->o || (at == at_o && tn_type_same_extents(v->type, q->o->type) &&
                                  s->bytes[v->id] == s->bytes[q->o->id]);
        bool by_element = (q->cond == TN_IF_SAME || q->cond == TN_IF_WIDTH) &&
                          tn_inplace_names(q->op, &q->way, k);
        if (!TN_KEEP(SLICE, same, true) || !TN_KEEP(TWICE, by_element, true)) {
            return refuse(q, TN_REASON_OVERLAP, v);
        }
    }
    return true;
}

/* Whether the member is a state that the result becomes, or leads to, and nobody takes its old
 * content after the run: neither the caller nor another state. Then it ends with its last read. */
static bool ends_by_update(const ask *q, const tn_value *member) {
    const tn_alias_set *s = q->w->set;
    return q->updates && member == q->o && (s->tie[member->id] & TN_TIE_OUTPUT) == 0 &&
           s->state_of[member->id] == NULL;
}

/* Whether all that use the member are done when the op runs, also where steps run side by side. */
static bool is_done_with(ask *q, const tn_value *member) {
    const tn_alias_set *s = q->w->set;
    tn_live uses = s->live->of[member->id];
    uses.last = ends_by_update(q, member) ? tn_last_read(&uses) : uses.last;
    uint32_t at = s->order->before != NULL
                      ? tn_use_after(s->order, &uses, (uint32_t)q->step, NULL, &q->by)
                      : TN_NO_STEP;
    q->at = (int32_t)at;
    return at == TN_NO_STEP || refuse(q, TN_REASON_UNORDERED, member);
}

/* A member of the operand's class must have been read for the last time, or lie elsewhere. */
static bool is_dead(void *user, const tn_value *member) {
    ask *q = user;
    tn_alias_set *s = q->w->set;
    const tn_live *l = &s->live->of[member->id];
    bool apart = !tn_alias_reaches(s, member, q->o, q->span);
    if (apart && (q->span > 0 || s->order->before == NULL)) {
        return true;
    }
    bool is_output = (s->tie[member->id] & TN_TIE_OUTPUT) != 0;
    int32_t last = ends_by_update(q, member) ? tn_last_read(l) : l->last;
    bool is_read = member == q->o ? TN_KEEP(ORDER, last > q->step, false)
                                  : TN_KEEP(ROOTS, last > q->step, false);
    if (is_read) {
        q->by = tn_find_reader(s->live, member, q->step, &q->at);
        return refuse(q, is_output ? TN_REASON_OUTPUT : TN_REASON_READER, member);
    }
    if (member != q->o && l->first >= q->step) {
        return refuse(q, TN_REASON_PLACE, member);
    }
    return is_done_with(q, member);
}

/* Members of the result's class in the same bytes must come into being with the result, not before:
 * until then the bytes are the operand's. None may lie where only a wider operand does: who writes
 * it need not know of the operand, and would have nothing to wait for. */
static bool comes_later(void *user, const tn_value *member) {
    ask *q = user;
    tn_alias_set *s = q->w->set;
    int32_t first = s->live->of[member->id].first;
    bool later = tn_alias_overlap(s, member, q->r) && first >= q->step &&
                 (first == q->step || tn_is_ordered(s->order, (uint32_t)q->step, (uint32_t)first));
    return later || !tn_alias_reaches(s, member, q->r, q->span) ||
           refuse(q, TN_REASON_PLACE, member);
}

/* Whether the old content is needed no more, and the new one not before. */
static bool live_ranges_allow(ask *q) {
    tn_alias_set *s = q->w->set;
    refuse(q, TN_REASON_MANY, NULL); /* when no member gives another reason */
    int32_t from = s->order->before == NULL ? q->step : INT32_MIN; /* who ended may still run */
    if (!tn_alias_each(s, q->o, MAX_MEMBERS, from, is_dead, q)) {
        return false;
    }
    if ((!tn_alias_fills(s, q->o) && !tn_alias_fills(s, q->r)) ||
        tn_alias_grows_outside(s, q->o, q->r)) {
        return refuse(q, TN_REASON_PLACE, NULL);
    }
    return tn_alias_each(s, q->r, MAX_MEMBERS, from, comes_later, q);
}

static uint64_t larger_of(const ask *q) {
    uint64_t r = q->w->set->bytes[q->r->id], o = q->w->set->bytes[q->o->id];
    return TN_KEEP(SPAN, r > o ? r : o, o);
}

static bool decide(ask *q) {
    q->by = NULL;
    q->updates = false;
    q->span = larger_of(q);
    return types_fit(q) && ties_allow(q) && reads_apart(q) && live_ranges_allow(q) &&
           (tn_inplace_is_trusted(q->w->kinds, q->cond) || refuse(q, TN_REASON_LEVEL, NULL));
}

/* Whether operand k was asked about already. */
static bool is_repeated(const ask *q) {
    for (uint32_t k = q->way.from; k < q->k; k++) {
        if (q->op->operands[k].value == q->o && tn_inplace_names(q->op, &q->way, k)) {
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

static tn_refusal record(const ask *q, tn_alias_kind kind) {
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
    bool granted = decide(q);
    tn_alias_kind kind = q->updates ? TN_ALIAS_UPDATE : TN_ALIAS_INPLACE;
    if (granted) {
        tn_alias_join(w->set, q->r, q->o, 0, kind);
        *(q->updates ? &w->counts.updates : &w->counts.inplace) += 1;
    } else {
        (void)record(q, kind);
    }
    return granted;
}

/* Whether the result takes the bytes of an operand already. */
static bool has_place(const tn_value *r) {
    return r->alias_kind == TN_ALIAS_INPLACE || r->alias_kind == TN_ALIAS_UPDATE;
}

/* The first operand that can be taken is; one that lies among others comes after those that do not,
 * since taking it keeps the others' bytes as well. */
static void place(placing *w, const tn_op *op, const tn_inplace_way *way) {
    tn_value *r = op->results[way->result];
    ask q = {.w = w, .op = op, .r = r, .way = *way, .step = w->set->live->of[r->id].first};
    for (int among = 0; among < 2 && !has_place(r); among++) {
        for (q.k = way->from; q.k < way->to; q.k++) {
            if (!tn_inplace_names(op, way, q.k)) {
                continue;
            }
            q.o = op->operands[q.k].value;
            q.cond = tn_inplace_condition(way, r, q.o);
            bool now = w->kinds < TN_INPLACE_ORDERED || (q.cond == TN_IF_WIDTH) == w->widths;
            if (now && !is_repeated(&q) && tn_alias_fills(w->set, q.o) == (among == 0) &&
                offer(&q)) {
                return;
            }
        }
    }
}

static bool reads(const tn_op *op, const tn_value *v) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (op->operands[k].value == v) {
            return true;
        }
    }
    return false;
}

/* An op that makes what a state becomes, and does not read the state, may write it where the state
 * lies once nobody reads that: the last part of an update in several ops. No kernel has to be
 * trusted for it. */
static bool may_take_state(ask *q) {
    tn_alias_set *s = q->w->set;
    uint32_t a = tn_alias_find(s, q->o, NULL), b = tn_alias_find(s, q->r, NULL);
    if (s->bytes[q->o->id] == TN_NO_BYTES ||
        !tn_type_same_bytes(q->w->c->module->dims, q->o->type, q->r->type)) {
        return refuse(q, TN_REASON_WIDTH, NULL);
    }
    if (s->ties[b] & (TN_TIE_STATE | TN_TIE_CONST | TN_TIE_INPUT)) {
        return refuse(q, TN_REASON_PLACE, NULL);
    }
    q->span = s->bytes[q->o->id];
    return may_update(q, a, b) && live_ranges_allow(q);
}

/* The ops of an update in several steps, from the last one back: each writes over what the one
 * before it made, and the first over the state. */
typedef struct chain {
    ask links[8];
    uint32_t n, asked;
} chain;

static bool find_chain(placing *w, tn_value *r, tn_value *state, chain *c);

/* Whether r may be written over operand k, which is the state or made of it in the same way. */
static bool is_link(placing *w, tn_value *r, tn_value *state, const tn_inplace_way *way, uint32_t k,
                    chain *c) {
    enum { MOST_ASKED = 64 };
    ask q = {.w = w,
             .op = r->def,
             .r = r,
             .o = r->def->operands[k].value,
             .k = k,
             .way = *way,
             .step = w->set->live->of[r->id].first};
    q.cond = tn_inplace_condition(way, r, q.o);
    q.leads = q.o == state;
    if (q.cond == TN_IF_WIDTH || c->asked++ >= MOST_ASKED || !decide(&q) ||
        !(q.leads || find_chain(w, q.o, state, c))) {
        return false;
    }
    c->links[c->n++] = q;
    return true;
}

static bool find_chain(placing *w, tn_value *r, tn_value *state, chain *c) {
    enum { MOST = sizeof c->links / sizeof *c->links };
    tn_inplace_way way;
    bool fits = r->kind == TN_VALUE_RESULT && r->graph == w->c->module->main && !has_place(r);
    uint32_t n = fits ? tn_inplace_n_ways(r->def) : 0;
    for (uint32_t i = 0; i < n && c->n < MOST; i++) {
        bool its = tn_inplace_get_way(r->def, i, &way) && r->def->results[way.result] == r;
        for (uint32_t k = way.from; its && k < way.to; k++) {
            if (tn_inplace_names(r->def, &way, k) && is_link(w, r, state, &way, k, c)) {
                return true;
            }
        }
    }
    return false;
}

/* The bytes of the state serve all steps of its update, so that none needs bytes beside them. */
static bool place_chain(placing *w, tn_value *value, tn_value *state) {
    chain c = {.n = 0};
    bool found = find_chain(w, value, state, &c);
    for (uint32_t i = 0; i + 1 < c.n && found; i++) {
        tn_alias_join(w->set, c.links[i].r, c.links[i].o, 0, TN_ALIAS_INPLACE);
        w->counts.inplace++;
    }
    if (found) {
        tn_alias_join(w->set, value, state, 0, TN_ALIAS_UPDATE);
        w->counts.updates++;
    }
    return found;
}

static void place_states(placing *w) {
    const tn_module *m = w->c->module;
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        tn_value *state = m->bindings[i].state, *value = m->bindings[i].value;
        if (value->kind != TN_VALUE_RESULT || value->graph != m->main ||
            state->kind == TN_VALUE_RESULT || reads(value->def, state) ||
            !w->set->live->of[value->id].scheduled || tn_alias_same(w->set, value, state) ||
            place_chain(w, value, state)) {
            continue;
        }
        ask q = {.w = w,
                 .op = value->def,
                 .r = value,
                 .o = state,
                 .cond = TN_IF_UPDATE,
                 .step = w->set->live->of[value->id].first - 1,
                 .updates = true};
        if (may_take_state(&q)) {
            tn_alias_join(w->set, value, state, 0, TN_ALIAS_UPDATE);
            w->counts.updates++;
        } else {
            (void)record(&q, TN_ALIAS_UPDATE);
        }
    }
}

static void place_all(placing *w) {
    TN_FOR_ALL_OPS(op, w->c->module->main) {
        uint32_t n = tn_inplace_n_ways(op);
        for (uint32_t i = 0; i < n; i++) {
            tn_inplace_way way;
            if (tn_inplace_get_way(op, i, &way)) {
                place(w, op, &way);
            }
        }
    }
}

/* Results of another width come last, so that they take no place from those that ask less of
 * kernels. Each time a fresh set: going through all ops makes one let go of members that ended. */
tn_inplace_counts tn_place_results(tn_pass_ctx *c, tn_inplace_kinds kinds) {
    tn_alias_take_back(c->module, false); /* who shared could be joined to others unseen */
    placing w = {.c = c, .set = tn_alias_open(c->analyses, c->module, c->scratch), .kinds = kinds};
    w.counts.bodies = tn_join_loop_states(c, w.set, kinds);
    place_states(&w);
    place_all(&w);
    w.set = tn_alias_open(c->analyses, c->module, c->scratch);
    w.counts.bodies += tn_join_body_outputs(c, w.set);
    if (kinds >= TN_INPLACE_ORDERED) {
        w.widths = true;
        w.set = tn_alias_open(c->analyses, c->module, c->scratch);
        place_all(&w);
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
        return refuse(q, tn_reason_of_ties(ties), tn_find_witness(s, q->o, ties, 0));
    }
    if (!is_state(q->w, q->o) && flags != 0) { /* what it holds is wanted after the run */
        return refuse(q, tn_reason_of_flags(flags), tn_find_witness(s, q->o, 0, flags));
    }
    if (is_state(q->w, q->o) && runs_again(q->op, q->o)) {
        q->by = q->op; /* in the next round */
        q->at = q->step;
        return refuse(q, TN_REASON_READER, q->o);
    }
    q->span = bytes;
    return reads_apart(q) && live_ranges_allow(q);
}

/* No warning about values without a size, which have been reported, or that lie there already. */
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
    tn_refusal refusal = record(q, TN_ALIAS_UPDATE);
    if (q->why != TN_REASON_UNSIZED) {
        tn_sink text = tn_sink_make(w->c->scratch);
        tn_refusal_print(&refusal, &text);
        tn_warn(w->c->ctx, &q->op->loc, "the op works in place by definition, but %s", text.data);
    }
}

static void demand_operand(placing *w, const tn_op *op, uint32_t k, uint32_t result, uint64_t *n) {
    ask q = {.w = w,
             .op = op,
             .r = tn_result(op, result),
             .o = op->operands[k].value,
             .k = k,
             .way = {.result = result, .from = k, .to = k + 1, .cond = TN_IF_MUST},
             .cond = TN_IF_MUST};
    if (q.r == NULL) { /* nobody asks for its new form, but it is written over */
        tn_value_set_flags(q.o, is_state(w, q.o) ? TN_VF_STATE : 0, 0);
        return;
    }
    w->set = w->set != NULL ? w->set : tn_alias_open(w->c->analyses, w->c->module, w->c->scratch);
    q.step = w->set->live->of[q.r->id].first;
    q.updates = is_state(w, q.o) || tn_is_next_state(q.r, q.o);
    demand(&q, n);
}

uint64_t tn_place_demanded(tn_pass_ctx *c) {
    placing w = {.c = c};
    uint64_t n = 0;
    TN_FOR_ALL_OPS(op, c->module->main) {
        for (uint32_t k = 0; k < op->n_operands; k++) {
            uint32_t result;
            if (op->operands[k].value != NULL && tn_op_overwrites(op, k, &result)) {
                demand_operand(&w, op, k, result, &n);
            }
        }
    }
    return n;
}
