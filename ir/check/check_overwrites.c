/* The heart of the proof: a sweep over all writes in order of steps, with a picture of memory in
 * which every byte knows which value is in it. A write must not hit a byte whose value is still
 * needed, unless just this byte is the same by a view, or the op reads the old value for the last
 * time and may write over it in place. Each write replaces the owners it hits, so the work is
 * proportional to writes and the pieces they cut, not to pairs of values.
 *
 * A result into which operands are gathered holds the bytes of each of them where that operand
 * lies, and new ones everywhere else: what is the same is asked byte by byte, never value by value.
 *
 * The same replacements are what reuse means to a runtime that runs steps side by side: whoever
 * touched the old value must have finished first, by data dependences or by hazards of the plan. */
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/plan/space.h"

enum { MANY_READS = 16 };

typedef struct sweep {
    tn_checking *c;
    tn_space space;
    tn_order *order;
    uint32_t *reported; /* by value: the writer (+ 1) it was last compared with */
    uint32_t *after;    /* by value: a step (+ 1) known to run after all that touched it */
    bool *becomes;      /* by value: a state takes its content after the run */
    bool *says_so;      /* by value: an alias edge says that it is written over another value */
    TN_VEC(uint32_t) touched; /* steps that touched what one value writes over */
    tn_check_held *held;      /* of the value at hand: its bytes that are there already */
    uint32_t n_held;
} sweep;

static void report(tn_checking *c, uint32_t u, uint32_t x) {
    const tn_fact *uf = &c->facts[u], *xf = &c->facts[x];
    uint64_t at = tn_check_address(c, u), of = tn_check_address(c, x);
    uint64_t lo = at > of ? at : of;
    uint64_t hi = at + uf->bytes < of + xf->bytes ? at + uf->bytes : of + xf->bytes;
    tn_check_fail(
        c, "value %s written %s%s overwrites bytes [%llu,%llu) of %s, which %s still reads",
        tn_check_value_name(c, u), uf->write < 0 ? "by " : "at ", tn_check_step_name(c, uf->write),
        (unsigned long long)(lo - of), (unsigned long long)(hi - of), tn_check_value_name(c, x),
        tn_check_step_name(c, xf->need));
}

/* Whether somebody takes the content that x has now after the run: the caller, or another state. */
static bool is_wanted(const sweep *w, uint32_t x) {
    return w->c->facts[x].output || w->becomes[x];
}

/* An update may go over what outlives the run (a parameter, state, an accumulator of the caller),
 * but not over a constant, nor over an input that is no state, unless the op's definition says so.
 */
static bool may_update(const sweep *w, uint32_t value, tn_inplace_if cond) {
    const tn_value *x = w->c->facts[value].v;
    const uint32_t changing = TN_VF_STATE | TN_VF_PARAM | TN_VF_DONATED;
    bool input = x->kind == TN_VALUE_INPUT && x->graph->kind == TN_GRAPH_MAIN;
    if (tn_is_const(x) && (x->flags & TN_VF_STATE) == 0) {
        return false;
    }
    if (cond == TN_IF_MUST) {
        return true;
    }
    return cond == TN_IF_UPDATE && !is_wanted(w, value) && (!input || (x->flags & changing) != 0);
}

/* Whether the state x ends with its last read, since what it becomes lies in all of its bytes and
 * is u, or is written behind u: unless the caller wants to see its old content, too. */
static bool is_replaced(const sweep *w, uint32_t u, uint32_t x) {
    const tn_checking *c = w->c;
    const tn_fact *xf = &c->facts[x];
    const uint32_t kept = TN_VF_PINNED | TN_VF_EXCLUDED | TN_VF_LOSS;
    uint32_t next = xf->state ? tn_check_next_state(c, x) : TN_NO_ID;
    return next != TN_NO_ID && !is_wanted(w, x) && (xf->v->flags & kept) == 0 &&
           (next == u || c->facts[next].write > c->facts[u].write) &&
           tn_check_address(c, next) == tn_check_address(c, x) && c->facts[next].bytes == xf->bytes;
}

/* Whether u may be written while x, of other content, is in the same bytes. */
static bool may_overwrite(const sweep *w, uint32_t u, uint32_t x) {
    const tn_checking *c = w->c;
    const tn_fact *uf = &c->facts[u], *xf = &c->facts[x];
    int32_t need = is_replaced(w, u, x) ? xf->read : xf->need;
    if (need < uf->write) {
        return true;
    }
    if (tn_check_overlap_of(c, u, x) != NULL) {
        return true;
    }
    if (!w->says_so[u] || tn_check_address(c, u) != tn_check_address(c, x)) {
        return false;
    }
    bool same = uf->bytes == xf->bytes;
    if (xf->read > uf->write) {
        return same && (tn_check_is_next(c, u, x) || tn_check_is_first(c, u, x));
    }
    if (xf->used == uf->write && !tn_check_stays(uf->v, xf->v)) {
        return false;
    }
    tn_inplace_if cond = tn_check_inplace(c, uf->v, xf->v);
    return cond != TN_IF_NEVER && (same || cond == TN_IF_WIDTH) &&
           (need == uf->write || may_update(w, x, cond));
}

/* Whether `step` comes before `at` whenever that runs: one of another branch does not run then. */
static bool serves(const sweep *w, uint32_t step, uint32_t at) {
    const tn_checking *c = w->c;
    return step == at || (!tn_check_exclusive(c->step_op[step]->graph, c->step_op[at]->graph) &&
                          tn_order_missing(w->order, at, &step, 1) == TN_NO_ID);
}

/* Asks that everything that touched x be ordered before `at`. When many read x, and many write over
 * parts of it, one answer serves them all: behind a step that had to wait for all of x, nothing is
 * left to ask. */
static void touch(sweep *w, uint32_t x, uint32_t at) {
    tn_checking *c = w->c;
    const tn_fact *f = &c->facts[x];
    if (w->after[x] > 0 && serves(w, w->after[x] - 1, at)) {
        return;
    }
    if (f->write >= 0) {
        tn_vec_push(c->arena, &w->touched, tn_check_written(c, x));
    }
    for (uint32_t i = 0; i < f->n_reads; i++) {
        tn_vec_push(c->arena, &w->touched, c->read_steps[f->reads + i]);
    }
    if (f->n_reads >= MANY_READS) {
        w->after[x] = at + 1;
    }
}

/* x is still to be read, but only when the branch that u lies in does not run. */
static bool never_meet(const sweep *w, uint32_t u, uint32_t x) {
    const tn_fact *uf = &w->c->facts[u], *xf = &w->c->facts[x];
    return xf->need >= uf->write && xf->need == xf->read &&
           tn_check_exclusive(uf->v->graph, xf->v->graph);
}

/* u is written over the owners of one piece. */
static void replace(sweep *w, uint32_t u, const tn_owner *owners) {
    for (const tn_owner *o = owners; o != NULL; o = o->next) {
        if (w->reported[o->id] == u + 1 || never_meet(w, u, o->id)) {
            continue;
        }
        w->reported[o->id] = u + 1;
        if (!may_overwrite(w, u, o->id)) {
            report(w->c, u, o->id);
        }
        if (w->c->facts[u].write >= 0 && w->c->n_reports == 0) {
            touch(w, o->id, (uint32_t)w->c->facts[u].write);
        }
    }
}

static void check_hazards(sweep *w, uint32_t u) {
    tn_checking *c = w->c;
    if (w->touched.len == 0 || c->n_reports > 0) {
        return;
    }
    uint32_t at = (uint32_t)c->facts[u].write;
    uint32_t missing = tn_order_missing(w->order, at, w->touched.data, w->touched.len);
    if (missing != TN_NO_ID) {
        tn_check_fail(c,
                      "%s writes %s over bytes that %s uses, but no hazard or data dependence "
                      "orders the two",
                      tn_check_step_name(c, (int32_t)at), tn_check_value_name(c, u),
                      tn_check_step_name(c, (int32_t)missing));
    }
}

/* Owners that lie in another branch than u keep the piece together with u, since only one of the
 * branches runs; all others are replaced. False when no owner is kept. */
static bool stay_beside(sweep *w, uint32_t u, uint32_t piece) {
    tn_space *space = &w->space;
    bool any = false;
    for (const tn_owner *o = space->owner[piece]; o != NULL; o = o->next) {
        if (!never_meet(w, u, o->id)) {
            continue;
        }
        if (any) {
            tn_space_add(space, piece, o->id);
        } else {
            tn_space_give(space, piece, space->end[piece], o->id);
        }
        any = true;
    }
    if (any) {
        tn_space_add(space, piece, u);
    }
    return any;
}

/* Whether one of the owners has the bytes of `root` there. Where both have them at one address,
 * these are the same bytes of it: each view lies where its operand has what it shows. */
static bool holds(const tn_checking *c, const tn_owner *owners, uint32_t root) {
    const tn_owner *o = owners;
    while (o != NULL && c->facts[o->id].root != root) {
        o = o->next;
    }
    return o != NULL;
}

/* Finds the bytes that u takes as they are, and cuts where they begin and end. */
static void find_held(sweep *w, uint32_t u) {
    tn_fact *f = &w->c->facts[u];
    uint64_t at = tn_check_address(w->c, u);
    uint32_t from, to;
    w->n_held = tn_check_held_bytes(w->c, u, w->held);
    for (uint32_t i = 0; i < w->n_held; i++) {
        tn_space_cut(&w->space, at + w->held[i].from, at + w->held[i].to, &from, &to);
    }
    if (w->n_held == 1 && w->held[0].to - w->held[0].from == f->bytes) {
        f->root = w->held[0].root;
    }
}

static uint32_t most_operands(const tn_checking *c) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        uint32_t n = c->step_op[i]->n_operands;
        most = n > most ? n : most;
    }
    return most;
}

static void write_value(sweep *w, uint32_t u) {
    tn_checking *c = w->c;
    tn_space *space = &w->space;
    uint64_t lo = tn_check_address(c, u);
    uint32_t from, to, k = 0;
    bool joins = false; /* some of the bytes hold u already, as those of a view, or keep another
                           owner beside u */
    find_held(w, u);
    tn_space_cut(space, lo, lo + c->facts[u].bytes, &from, &to);
    w->touched.len = 0;
    for (uint32_t i = from; i < to; i = space->end[i]) {
        const tn_owner *owners = space->owner[i];
        while (k < w->n_held && lo + w->held[k].to <= space->border[i]) {
            k++;
        }
        bool held = k < w->n_held && lo + w->held[k].from <= space->border[i];
        if (held && holds(c, owners, w->held[k].root)) {
            tn_space_add(space, i, u);
            joins = true;
        } else {
            replace(w, u, owners);
            joins = stay_beside(w, u, i) || joins;
        }
    }
    for (uint32_t i = from; i < to && joins; i = space->end[i]) {
        if (space->owner[i] == NULL || space->owner[i]->id != u) {
            tn_space_give(space, i, space->end[i], u);
        }
    }
    if (!joins) {
        tn_space_give(space, from, to, u);
    }
    check_hazards(w, u);
}

/* Values with bytes, by the step that writes them (counting sort, so equal steps keep their order).
 */
static uint32_t *by_write(const tn_checking *c, uint32_t *n) {
    uint32_t n_values = c->p->n_values;
    uint32_t *start = TN_ARRAY(c->arena, uint32_t, (size_t)c->p->n_steps + 2);
    uint32_t *sorted = TN_ARRAY(c->arena, uint32_t, n_values);
    for (uint32_t i = 0; i < n_values; i++) {
        if (c->facts[i].placed && c->facts[i].bytes > 0) {
            start[c->facts[i].write + 2]++;
        }
    }
    for (uint32_t s = 1; s < c->p->n_steps + 2; s++) {
        start[s] += start[s - 1];
    }
    *n = start[c->p->n_steps + 1];
    for (uint32_t i = 0; i < n_values; i++) {
        if (c->facts[i].placed && c->facts[i].bytes > 0) {
            sorted[start[c->facts[i].write + 1]++] = i;
        }
    }
    return sorted;
}

/* Such an edge stands on the value written, or, reversed, on the one that is overwritten. */
static bool *find_overwriters(const tn_checking *c) {
    bool *says_so = TN_ARRAY(c->arena, bool, c->p->n_values);
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        const tn_plan_value *v = &c->p->values[i];
        if ((v->alias == TN_ALIAS_INPLACE || v->alias == TN_ALIAS_UPDATE) &&
            v->alias_of != TN_NO_ID) {
            bool later = c->facts[i].write >= c->facts[v->alias_of].write;
            says_so[later ? i : v->alias_of] = true;
        }
    }
    return says_so;
}

static bool *find_becoming(const tn_checking *c) {
    bool *becomes = TN_ARRAY(c->arena, bool, c->p->n_values);
    for (uint32_t i = 0; i < c->m->n_bindings; i++) {
        uint32_t value = c->plan_value[c->m->bindings[i].value->id];
        if (value != TN_NO_ID) {
            becomes[value] = true;
        }
    }
    return becomes;
}

/* What a kernel keeps from run to run is there before the first step. */
static void begin_kept(tn_checking *c) {
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        tn_fact *f = &c->facts[i];
        if (f->state && (f->v->flags & TN_VF_WORKSPACE) != 0) {
            f->write = -1;
        }
    }
}

void tn_check_overwrites(tn_checking *c) {
    uint32_t n;
    begin_kept(c);
    const uint32_t *order = by_write(c, &n);
    uint64_t *borders = TN_ARRAY(c->arena, uint64_t, 2 * (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        borders[2 * i] = tn_check_address(c, order[i]);
        borders[2 * i + 1] = borders[2 * i] + c->facts[order[i]].bytes;
    }
    sweep w = {.c = c,
               .order = tn_order_new(c),
               .becomes = find_becoming(c),
               .says_so = find_overwriters(c),
               .reported = TN_ARRAY(c->arena, uint32_t, c->p->n_values)};
    w.after = TN_ARRAY(c->arena, uint32_t, c->p->n_values);
    w.held = TN_ARRAY(c->arena, tn_check_held, most_operands(c));
    tn_space_init(&w.space, c->arena, borders, 2 * (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        write_value(&w, order[i]);
    }
}
