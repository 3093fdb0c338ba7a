/* A join is proved by the live ranges of all members of both classes. Steps of a loop's body are
 * one iteration: an argument is needed to the loop's end only because the next iteration reads it,
 * so the output that will be its next value may come over it as soon as this iteration has read it
 * for the last time. Of two branches one runs, so that outputs of both may lie where the result
 * will.
 */
#include "passes/alias/bodies.h"

#include "ir/walk.h"
#include "passes/alias/legal.h"
#include "passes/alias/reasons.h"
#include "passes/analysis/handed_on.h"
#include "passes/analysis/storages.h"

/* Classes of more members are left alone, so that no class makes the pass slow. */
enum { MAX_MEMBERS = 256 };

typedef struct joining {
    tn_pass_ctx *c;
    tn_alias_set *s;
    tn_inplace_kinds kinds;
    uint32_t n;
} joining;

/* What all members of a class have in common. */
typedef struct span {
    int32_t first, last; /* hull of their live ranges */
    int32_t read;        /* the last read of any by an op or a graph */
    uint32_t n;
    const tn_alias_set *s;
} span;

static bool take_in(void *user, const tn_value *member) {
    span *x = user;
    const tn_live *l = &x->s->live->of[member->id];
    int32_t read = tn_last_read(l);
    x->first = l->first < x->first ? l->first : x->first;
    x->last = l->last > x->last ? l->last : x->last;
    x->read = read > x->read ? read : x->read;
    x->n++;
    return true;
}

static bool span_of(joining *w, const tn_value *v, span *out) {
    *out = (span){INT32_MAX, INT32_MIN, INT32_MIN, 0, w->s};
    return tn_alias_each(w->s, v, MAX_MEMBERS, INT32_MIN, take_in, out);
}

/* What must hold of any two values that are to lie in one place. */
static tn_reason misfit(joining *w, const tn_value *v, const tn_value *of) {
    tn_alias_set *s = w->s;
    uint32_t a = tn_alias_find(s, v, NULL), b = tn_alias_find(s, of, NULL);
    uint32_t flags = (s->flags[a] | s->flags[b]) & TN_VF_OWN_BYTES;
    uint32_t ties = (s->ties[a] | s->ties[b]) & (TN_TIE_STATE | TN_TIE_CONST | TN_TIE_INPUT);
    if (s->bytes[v->id] == TN_NO_BYTES || s->bytes[of->id] == TN_NO_BYTES) {
        return TN_REASON_UNSIZED;
    }
    if (!tn_type_same_bytes(v->graph->module->dims, v->type, of->type) ||
        v->type->dtype != of->type->dtype) {
        return TN_REASON_WIDTH;
    }
    if (flags != 0 || ties != 0) {
        return flags != 0 ? tn_reason_of_flags(flags) : tn_reason_of_ties(ties);
    }
    if (tn_alias_both_outside(s, a, b)) {
        return TN_REASON_OUTSIDE;
    }
    return TN_REASON_NONE;
}

static bool both_fill(joining *w, const tn_value *v, const tn_value *of) {
    return tn_alias_fills(w->s, v) && tn_alias_fills(w->s, of);
}

/* Joins the two, or refuses. */
static void settle(joining *w, const tn_op *op, tn_value *v, tn_value *of, tn_reason why) {
    if (why == TN_REASON_NONE) {
        tn_alias_join(w->s, v, of, 0, TN_ALIAS_INPLACE);
        w->n++;
    } else {
        tn_refuse(
            w->c,
            (tn_refusal){.op = op, .value = v, .of = of, .kind = TN_ALIAS_INPLACE, .reason = why});
    }
}

/* ---- steps side by side ---- */

/* One class takes the place of another at a step: that of the op `except`, whose own reads do not
 * count, or NULL. */
typedef struct handover {
    const tn_alias_set *s;
    uint32_t step,
        written; /* `written`: where the value is made that takes the place, or gives it */
    const tn_op *except;
} handover;

static bool is_done(void *user, const tn_value *member) {
    const handover *x = user;
    const tn_op *reader;
    tn_live uses = x->s->live->of[member->id];
    uses.last = tn_last_read(&uses); /* arguments stay for the next iteration alone */
    return tn_use_after(x->s->order, &uses, x->step, x->except, &reader) == TN_NO_STEP;
}

static bool is_still_to_come(void *user, const tn_value *member) {
    const handover *x = user;
    int32_t first = x->s->live->of[member->id].first;
    return first == (int32_t)x->step ||
           (first >= 0 && (tn_is_ordered(x->s->order, x->step, (uint32_t)first) ||
                           tn_is_ordered(x->s->order, x->written, (uint32_t)first)));
}

/* Whether all steps that use the class of `before` are done at the step, and all that write the
 * class of `after` come then or later. Asked besides what live ranges say. */
static bool hands_over(joining *w, const tn_value *before, const tn_value *after, handover x) {
    x.s = w->s;
    return w->s->order->before == NULL ||
           (tn_alias_each(w->s, before, MAX_MEMBERS, INT32_MIN, is_done, &x) &&
            tn_alias_each(w->s, after, MAX_MEMBERS, INT32_MIN, is_still_to_come, &x));
}

/* ---- loops ---- */

bool tn_is_next_state(const tn_value *v, const tn_value *argument) {
    const tn_op *op = argument->kind == TN_VALUE_INPUT ? argument->graph->owner : NULL;
    uint32_t n = op != NULL ? tn_n_loop_states(op) : 0;
    for (uint32_t k = 0; k < n; k++) {
        tn_loop_state x = tn_loop_state_get(op, k);
        if (x.argument == argument) {
            return x.output == v && v->graph == argument->graph;
        }
    }
    return false;
}

/* Whether the op that makes the output reads the argument for the last time and may write over it.
 */
static bool writes_over(joining *w, const tn_value *output, const tn_value *argument) {
    const tn_op *op = output->def;
    uint32_t c = tn_alias_find(w->s, argument, NULL), n_ways = tn_inplace_n_ways(op);
    for (uint32_t i = 0; i < n_ways; i++) {
        tn_inplace_way way;
        uint32_t n = 0, fit = 0;
        if (!tn_inplace_get_way(op, i, &way) || way.result != output->def_index ||
            !tn_inplace_is_trusted(w->kinds, way.cond)) {
            continue;
        }
        for (uint32_t k = 0; k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            if (v != NULL && tn_reads_data(op, k) && tn_alias_find(w->s, v, NULL) == c) {
                n++;
                fit += v == argument && tn_inplace_names(op, &way, k);
            }
        }
        if (n > 0 && n == fit && (way.cond == TN_IF_SAME || n == 1)) {
            return tn_type_equal(output->type, argument->type);
        }
    }
    return false;
}

static tn_reason output_refusal(joining *w, const tn_op *op, const tn_loop_state *x) {
    span before, after;
    const tn_value *t = x->output;
    tn_alias_set *s = w->s;
    if (t->graph != op->regions[0] || t->kind != TN_VALUE_RESULT ||
        (s->ties[tn_alias_find(s, t, NULL)] & TN_TIE_BODY_IN) ||
        (s->ties[tn_alias_find(s, x->argument, NULL)] & TN_TIE_BODY_OUT)) {
        return TN_REASON_LOOP;
    }
    if (!span_of(w, x->argument, &before) || !span_of(w, t, &after)) {
        return TN_REASON_MANY;
    }
    int32_t written = s->live->of[t->id].first;
    if (after.first < written) {
        return TN_REASON_PLACE;
    }
    bool ends = before.read < written ||
                (before.read == written && after.n == 1 && writes_over(w, t, x->argument));
    handover h = {.step = (uint32_t)written, .written = (uint32_t)written};
    return !ends                              ? TN_REASON_READER
           : hands_over(w, x->argument, t, h) ? TN_REASON_NONE
                                              : TN_REASON_UNORDERED;
}

/* What else the body gives back is read while the results are written; only the state itself, in
 * its place already, is no trouble. */
typedef struct last_form {
    const tn_alias_set *s;
    const tn_value *output;
    int32_t end;
} last_form;

static bool is_read_before(void *user, const tn_value *member) {
    const last_form *x = user;
    return member == x->output || tn_last_read(&x->s->live->of[member->id]) < x->end;
}

static tn_reason result_refusal(joining *w, const tn_op *op, const tn_loop_state *x) {
    span before, after;
    last_form form = {w->s, x->output, (int32_t)w->s->live->steps->end[op->id]};
    if (!span_of(w, x->argument, &before) || !span_of(w, x->result, &after)) {
        return TN_REASON_MANY;
    }
    if (!tn_alias_each(w->s, x->argument, MAX_MEMBERS, INT32_MIN, is_read_before, &form)) {
        return TN_REASON_READER;
    }
    handover h = {.step = (uint32_t)form.end, .written = (uint32_t)form.end};
    return before.last > form.end || after.first < form.end ? TN_REASON_LOOP
           : hands_over(w, x->argument, x->result, h)       ? TN_REASON_NONE
                                                            : TN_REASON_UNORDERED;
}

/* The loop must be the only one that reads the operand from its begin on, and read it only once. */
static tn_reason argument_refusal(joining *w, const tn_op *op, const tn_loop_state *x) {
    span before, after;
    const tn_live *l = &w->s->live->of[x->operand->id];
    int32_t begin = (int32_t)w->s->live->steps->begin[op->id];
    uint32_t n = 0, others = 0;
    for (uint32_t i = 0; i < l->n_reads && l->n_reads <= MAX_MEMBERS; i++) {
        n += l->reads[i].op == op;
        others += l->reads[i].op != op && (int32_t)l->reads[i].step >= begin;
    }
    if (n != 1 || others > 0 || l->last != (int32_t)w->s->live->steps->end[op->id]) {
        return TN_REASON_READER;
    }
    if (!span_of(w, x->operand, &before) || !span_of(w, x->argument, &after)) {
        return TN_REASON_MANY;
    }
    handover h = {.step = (uint32_t)begin, .written = (uint32_t)begin, .except = op};
    /* Views of the operand may be read too. */
    return before.n != 1 || after.first < begin        ? TN_REASON_SHARED
           : hands_over(w, x->operand, x->argument, h) ? TN_REASON_NONE
                                                       : TN_REASON_UNORDERED;
}

static void join_state(joining *w, const tn_op *op, uint32_t k) {
    tn_loop_state x = tn_loop_state_get(op, k);
    tn_alias_set *s = w->s;
    typedef tn_reason (*refusal)(joining * w, const tn_op *op, const tn_loop_state *x);
    const struct {
        tn_value *v, *of;
        refusal why;
    } pairs[] = {{x.output, x.argument, output_refusal},
                 {x.result, x.argument, result_refusal},
                 {x.argument, x.operand, argument_refusal}};
    for (size_t i = 0; i < 3; i++) {
        if (pairs[i].v == NULL || pairs[i].of == NULL ||
            tn_alias_same(s, pairs[i].v, pairs[i].of)) {
            continue;
        }
        tn_reason why = misfit(w, pairs[i].v, pairs[i].of);
        if (why == TN_REASON_NONE && !both_fill(w, pairs[i].v, pairs[i].of)) {
            why = TN_REASON_PLACE;
        }
        settle(w, op, pairs[i].v, pairs[i].of,
               why != TN_REASON_NONE ? why : pairs[i].why(w, op, &x));
    }
}

uint32_t tn_join_loop_states(tn_pass_ctx *c, tn_alias_set *set, tn_inplace_kinds kinds) {
    joining w = {.c = c, .s = set, .kinds = kinds};
    TN_FOR_ALL_OPS(op, c->module->main) {
        uint32_t n = op->n_regions > 0 ? tn_n_loop_states(op) : 0;
        for (uint32_t k = 0; k < n; k++) {
            join_state(&w, op, k);
        }
    }
    return w.n;
}

/* ---- branches and calls ---- */

/* A body and its op, and what is asked of the members of a class. */
typedef struct body_output {
    tn_alias_set *s;
    const tn_graph *body;
    const tn_value *output, *result;
    int32_t end;
} body_output;

/* Nothing but the output itself may be read, and no other result written, while the result is
 * written. Bytes of values around a branch are theirs whichever branch runs; a function always
 * does, and operands that were arguments of it may have ended. */
static bool ends_inside(void *user, const tn_value *member) {
    const body_output *x = user;
    const tn_live *l = &x->s->live->of[member->id];
    bool own = tn_graph_within(member->graph, x->body) || tn_op_is_call(x->body->owner);
    return own && l->last <= x->end &&
           (member == x->output || (l->first < x->end && tn_last_read(l) < x->end));
}

/* Begins with the result, or lies in another branch: of this op, or of one around it whose result
 * this one's becomes; or lies beside the result. */
static bool begins_outside(void *user, const tn_value *member) {
    const body_output *x = user;
    return x->s->live->of[member->id].first >= x->end || tn_never_both(member->graph, x->body) ||
           !tn_alias_overlap(x->s, member, x->result);
}

/* The result may be a part of a whole that lies with the caller, which is there anyway; one in the
 * arena would have to be there as long as the body runs. */
static bool has_room(joining *w, const tn_value *output, const tn_value *result) {
    uint32_t c = tn_alias_find(w->s, result, NULL);
    bool outside = (w->s->ties[c] & TN_TIE_OUTPUT) && (w->s->flags[c] & TN_VF_ARENA) == 0;
    return tn_alias_fills(w->s, output) && (outside || tn_alias_fills(w->s, result));
}

static void join_output(joining *w, const tn_op *op, tn_graph *body, uint32_t k) {
    tn_value *output = body->outputs[k], *result = op->results[k];
    body_output x = {w->s, body, output, result, (int32_t)w->s->live->steps->end[op->id]};
    if (output->graph != body || output->kind != TN_VALUE_RESULT ||
        tn_alias_same(w->s, output, result)) {
        return;
    }
    tn_reason why = misfit(w, output, result);
    if (why == TN_REASON_NONE &&
        (!has_room(w, output, result) ||
         !tn_alias_each(w->s, output, MAX_MEMBERS, INT32_MIN, ends_inside, &x) ||
         !tn_alias_each(w->s, result, MAX_MEMBERS, INT32_MIN, begins_outside, &x))) {
        why = TN_REASON_PLACE;
    }
    handover h = {.step = (uint32_t)x.end, .written = (uint32_t)w->s->live->of[output->id].first};
    if (why == TN_REASON_NONE && !hands_over(w, output, result, h)) {
        why = TN_REASON_UNORDERED;
    }
    settle(w, op, output, result, why);
}

/* Results stand for the outputs of any body: it is run once, or is one of several to choose from.
 */
static bool passes_on(const tn_op *op) {
    bool fits = op->n_regions > 0 && !tn_is_loop(op);
    for (uint32_t b = 0; b < op->n_regions && fits; b++) {
        fits = op->regions[b]->n_outputs == op->n_results;
    }
    return fits;
}

uint32_t tn_join_body_outputs(tn_pass_ctx *c, tn_alias_set *set) {
    joining w = {.c = c, .s = set};
    TN_FOR_ALL_OPS(op, c->module->main) {
        for (uint32_t b = 0; passes_on(op) && b < op->n_regions; b++) {
            for (uint32_t k = 0; k < op->n_results; k++) {
                if (op->results[k] != NULL) {
                    join_output(&w, op, op->regions[b], k);
                }
            }
        }
    }
    return w.n;
}
