#include "tests/random/shadow.h"

#include <string.h>

#include "tests/random/shadow_t.h"

/* ---- ops ---- */

/* The direction that the plan promises for result 0 over operand k; false where it promises none.
 */
static bool find_direction(const shadow *s, uint32_t k, bool *ascending) {
    const tn_plan_step *step = &s->p->steps[s->step];
    for (uint32_t i = 0; i < step->n_claims; i++) {
        const tn_plan_claim *c = &step->claims[i];
        *ascending = c->promise == TN_PROMISE_ASCENDING;
        if (c->result == 0 && c->operand == k &&
            (*ascending || c->promise == TN_PROMISE_DESCENDING)) {
            return true;
        }
    }
    return false;
}

/* What the plan says of result 0 and operand k, inside which it begins; NULL where it does not. */
static const tn_plan_overlap *overlap_of(const shadow *s, const tn_op *op, uint32_t k) {
    const tn_plan_value *y = shadow_place(s, tn_result(op, 0));
    const tn_plan_value *x = shadow_place(s, op->operands[k].value);
    for (uint32_t i = 0; y != NULL && x != NULL && i < y->n_overlaps; i++) {
        if (&s->p->values[y->overlaps[i].value] == x && kernel_reads(op, k)) {
            return &y->overlaps[i];
        }
    }
    return NULL;
}

/* Whether operand k lies exactly where a result may be written over it. */
static bool is_written_over(const shadow *s, const tn_op *op, uint32_t k) {
    const tn_plan_value *operand = shadow_place(s, op->operands[k].value);
    bool ascending, ordered = find_direction(s, k, &ascending);
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_plan_value *result = shadow_place(s, op->results[r]);
        if (operand != NULL && result != NULL && operand->storage == result->storage &&
            operand->offset == result->offset &&
            (kernel_may_overwrite(op, r, k) || (ordered && kernel_goes_through(op, r, k)))) {
            return true;
        }
    }
    return false;
}

/* Whether two values are to lie in the very same bytes of a storage. */
static bool in_one_place(const shadow *s, const tn_value *a, const tn_value *b) {
    const tn_plan_value *x = shadow_place(s, a), *y = shadow_place(s, b);
    return x != NULL && y != NULL && x->storage == y->storage && x->offset == y->offset &&
           x->bytes == y->bytes;
}

/* Whether operand k is a state that the body's argument goes over. */
static bool is_first_state(const shadow *s, const tn_op *op, uint32_t k) {
    uint32_t first = kernel_state_operand(op, 0);
    return kernel_loops(op) && k >= first && k - first < kernel_carried(op) &&
           in_one_place(s, op->operands[k].value, op->regions[0]->inputs[k]);
}

/* What a call was given is the function's once it runs, and the function may write over it. */
static bool is_gone(const shadow *s, const tn_op *op, uint32_t k) {
    return op->n_regions == 0 ? is_written_over(s, op, k) || overlap_of(s, op, k) != NULL
                              : kernel_calls(op) || is_first_state(s, op, k);
}

static void expect_operands(shadow *s, const tn_op *op, bool after) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        bool gone = is_gone(s, op, k);
        if (kernel_reads(op, k) && !(after && gone)) {
            shadow_expect(s, op->operands[k].value);
        }
    }
}

static void expect_looked_at(shadow *s, const tn_op *op) {
    const bool *seen = kernel_looks_at(op, s->arena);
    for (uint32_t i = 0; i < s->m->n_values && seen != NULL; i++) {
        if (seen[i]) {
            shadow_expect(s, s->m->values[i]);
        }
    }
}

/* A kernel that was promised a direction reads and writes element after element. */
static void go_through(shadow *s, const tn_op *op) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        bool ascending;
        if (kernel_goes_through(op, 0, k) && find_direction(s, k, &ascending)) {
            shadow_go_through(s, op->results[0], op->operands[k].value, ascending);
            return; /* a tensor in two operands is read at once */
        }
    }
}

/* A kernel that was promised to work in an order does so inside the operands. */
static void begin_inside(shadow *s, const tn_op *op) {
    bool *inside = TN_ARRAY(s->arena, bool, op->n_operands);
    const tn_plan_overlap *found = NULL;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_plan_overlap *o = overlap_of(s, op, k);
        inside[k] = o != NULL;
        found = o != NULL ? o : found;
    }
    if (found != NULL) {
        shadow_begin_inside(s, op, found->order, inside);
    }
}

static void run_op(shadow *s, const tn_op *op) {
    if (kernel_is_constant(op)) {
        return;
    }
    expect_operands(s, op, false);
    expect_looked_at(s, op);
    go_through(s, op);
    begin_inside(s, op);
    shadow_write(s, op);
    expect_operands(s, op, true);
    for (uint32_t r = 0; r < op->n_results; r++) {
        shadow_expect(s, op->results[r]);
    }
}

/* Whether a result goes over the output of a body, or over the state that it is the last form of.
 */
static bool is_result_place(const shadow *s, const tn_op *op, const tn_value *output) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (kernel_output_of(op, s->region[op->id], r) == output &&
            in_one_place(s, op->results[r], output)) {
            return true;
        }
    }
    return false;
}

static void expect_outputs(shadow *s, const tn_op *op, bool after) {
    uint32_t region = s->region[op->id];
    const tn_graph *body = region < op->n_regions ? op->regions[region] : NULL;
    for (uint32_t i = 0; body != NULL && i < body->n_outputs; i++) {
        if (!(after && is_result_place(s, op, body->outputs[i]))) {
            shadow_expect(s, body->outputs[i]);
        }
    }
}

/* Results filled while the body runs are there from the begin on. */
static void expect_stacked(shadow *s, const tn_op *op) {
    for (uint32_t r = kernel_carried(op); r < op->n_results; r++) {
        shadow_expect(s, op->results[r]);
    }
}

static void run_begin(shadow *s, const tn_op *op) {
    expect_operands(s, op, false);
    for (uint32_t r = kernel_carried(op); r < op->n_results; r++) {
        shadow_stamp(s, op->results[r]);
    }
    expect_operands(s, op, false);
}

/* The next form of a state: nothing is moved where it lies already, and it is what lies there. */
static void hand_on(shadow *s, const tn_value *v, const tn_value *of) {
    if (of != NULL && v != of && in_one_place(s, v, of)) {
        shadow_copy(s, v, of);
    } else if (v != of) {
        shadow_stamp(s, v);
    }
}

static void start_body(shadow *s, const tn_op *op, const tn_graph *body, uint32_t round) {
    uint32_t first = kernel_state_operand(op, 0);
    for (uint32_t i = 0; i < body->n_inputs; i++) {
        uint32_t k = i - first; /* what comes before the states wraps round */
        if (kernel_calls(op)) {
            shadow_copy(s, body->inputs[i], tn_operand(op, i));
        } else if (kernel_loops(op) && k < kernel_carried(op)) {
            hand_on(s, body->inputs[i],
                    round == 0 ? tn_operand(op, i) : kernel_output_of(op, s->region[op->id], k));
        } else {
            shadow_stamp(s, body->inputs[i]);
        }
    }
    for (uint32_t i = 0; i < body->n_inputs; i++) {
        shadow_expect(s, body->inputs[i]);
    }
    expect_operands(s, op, true);
}

/* The entry of iteration i of n goes into its part of the stacked results. */
static void finish_body(shadow *s, const tn_op *op, uint32_t i, uint32_t n) {
    expect_outputs(s, op, false);
    expect_stacked(s, op);
    for (uint32_t r = kernel_carried(op); r < op->n_results; r++) {
        const tn_plan_value *place = shadow_place(s, op->results[r]);
        if (place != NULL) {
            shadow_stamp_part(s, op->results[r], shadow_length(place) * i / n,
                              shadow_length(place) * (i + 1) / n);
        }
    }
    expect_outputs(s, op, false);
}

static void run_end(shadow *s, const tn_op *op, uint32_t rounds) {
    expect_outputs(s, op, false);
    expect_operands(s, op, true);
    for (uint32_t r = 0; r < kernel_carried(op) && r < op->n_results; r++) {
        if (kernel_loops(op) && op->results[r] != NULL) {
            hand_on(s, op->results[r],
                    rounds == 0 ? tn_operand(op, kernel_state_operand(op, r))
                                : kernel_output_of(op, s->region[op->id], r));
        } else {
            shadow_stamp(s, op->results[r]);
        }
    }
    expect_outputs(s, op, true);
    expect_operands(s, op, true);
    for (uint32_t r = 0; r < op->n_results; r++) {
        shadow_expect(s, op->results[r]);
    }
}

/* The region of `around` that `op` lies in, at any depth; UINT32_MAX when in none. */
static uint32_t region_of(const tn_op *op, const tn_op *around) {
    while (op != NULL && op->graph->owner != around) {
        op = op->graph->owner;
    }
    return op != NULL ? op->graph->region : UINT32_MAX;
}

/* ---- step after step ---- */

static void poison_bytes(shadow *s, uint32_t pool, uint64_t from, uint64_t to) {
    if (from < to) {
        memset(s->pools[pool] + from * QUARTERS, 0xff, (to - from) * QUARTERS * sizeof(mark));
    }
}

/* What of the operand's storage is none of the result's, is free as well. */
static void poison_rest(shadow *s, const tn_plan_value *y, const tn_plan_value *x) {
    const tn_storage *over = &s->p->storages[y->storage], *under = &s->p->storages[x->storage];
    uint64_t end = under->offset + under->size, kept = over->offset + over->size;
    poison_bytes(s, under->pool, under->offset, over->offset < end ? over->offset : end);
    poison_bytes(s, under->pool, kept > under->offset ? kept : under->offset, end);
}

static void poison(shadow *s, const tn_plan_step *step) {
    for (uint32_t i = 0; i < step->frees.len; i++) {
        const tn_storage *st = &s->p->storages[step->frees.data[i]];
        poison_bytes(s, st->pool, st->offset, st->offset + st->size);
    }
    for (uint32_t i = 0; i < step->writes.len; i++) {
        const tn_plan_value *y = &s->p->values[step->writes.data[i]];
        for (uint32_t k = 0; k < y->n_overlaps; k++) {
            poison_rest(s, y, &s->p->values[y->overlaps[k].value]);
        }
    }
}

static void run_steps(shadow *s, uint32_t from, uint32_t to);

static void run_body(shadow *s, const tn_op *op, uint32_t region) {
    uint32_t from = s->begin[op->id] + 1, end = s->end[op->id];
    while (from < end && region_of(s->m->ops[s->p->steps[from].module_op], op) != region) {
        from++;
    }
    uint32_t to = from;
    while (to < end && region_of(s->m->ops[s->p->steps[to].module_op], op) == region) {
        to++;
    }
    run_steps(s, from, to);
}

static void run_nested(shadow *s, const tn_op *op) {
    bool loops = kernel_loops(op);
    uint32_t n = loops ? rng_below(&s->random, 4) : 1;
    s->region[op->id] = UINT32_MAX;
    bool calls = kernel_calls(op); /* arguments that nobody reads end with the begin */
    run_begin(s, op);
    if (calls) {
        start_body(s, op, op->regions[0], 0);
    }
    poison(s, &s->p->steps[s->step]);
    for (uint32_t i = 0; i < n; i++) {
        s->region[op->id] = rng_below(&s->random, op->n_regions);
        if (!calls) {
            start_body(s, op, op->regions[s->region[op->id]], i);
        }
        run_body(s, op, s->region[op->id]);
        s->step = s->end[op->id];
        finish_body(s, op, i, n);
    }
    s->step = s->end[op->id];
    run_end(s, op, n);
    poison(s, &s->p->steps[s->step]);
}

static void run_steps(shadow *s, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to && s->wrong == NULL; i++) {
        const tn_op *op = s->m->ops[s->p->steps[i].module_op];
        s->step = i;
        if (s->p->steps[i].kind == TN_STEP_BEGIN) {
            run_nested(s, op);
            i = s->end[op->id];
        } else {
            run_op(s, op);
            poison(s, &s->p->steps[i]);
        }
    }
}

/* ---- in a loose order ---- */

static bool all_done(const tn_ids *ids, const bool *done) {
    for (uint32_t i = 0; i < ids->len; i++) {
        if (!done[ids->data[i]]) {
            return false;
        }
    }
    return true;
}

static bool may_start(const shadow *s, uint32_t i, const bool *done) {
    const tn_plan_step *step = &s->p->steps[i];
    const tn_op *op = s->m->ops[step->module_op];
    for (uint32_t k = 0; s->p->concurrency == TN_QUEUES && k < i; k++) {
        if (!done[k] && s->p->steps[k].queue == step->queue) {
            return false;
        }
    }
    if (op->graph->owner != NULL && !done[s->begin[op->graph->owner->id]]) {
        return false;
    }
    for (uint32_t k = s->begin[op->id]; step->kind == TN_STEP_END && k < i; k++) {
        if (!done[k]) {
            return false;
        }
    }
    for (uint32_t k = 0; k < step->reads.len; k++) {
        uint32_t writer = s->p->values[step->reads.data[k]].step;
        if (writer != TN_NO_ID && writer != i && !done[writer]) {
            return false;
        }
    }
    return all_done(&step->hazards, done);
}

/* What lies in an op that is skipped is skipped as well. */
static void skip_bodies(shadow *s, const tn_op *op, uint32_t begin) {
    for (uint32_t k = begin + 1; k < s->end[op->id]; k++) {
        s->skipped[k] = true;
    }
}

static void run_loose_step(shadow *s, uint32_t i, bool *done) {
    const tn_op *op = s->m->ops[s->p->steps[i].module_op];
    s->step = i;
    done[i] = true;
    if (s->skipped[i]) {
        skip_bodies(s, op, i);
        return;
    }
    switch (s->p->steps[i].kind) {
    case TN_STEP_OP:
        run_op(s, op);
        break;
    case TN_STEP_BEGIN:
        run_begin(s, op);
        s->region[op->id] = rng_below(&s->random, op->n_regions);
        start_body(s, op, op->regions[s->region[op->id]], 0);
        for (uint32_t k = i + 1; k < s->end[op->id]; k++) {
            const tn_op *inner = s->m->ops[s->p->steps[k].module_op];
            s->skipped[k] = region_of(inner, op) != s->region[op->id];
        }
        break;
    case TN_STEP_END:
        finish_body(s, op, 0, 1);
        run_end(s, op, 1);
        break;
    }
}

static void run_loosely(shadow *s) {
    bool *done = TN_ARRAY(s->arena, bool, s->p->n_steps + 1u);
    memset(s->skipped, 0, s->p->n_steps);
    for (bool any = true; any && s->wrong == NULL;) {
        uint32_t next = 0, n = 0;
        for (uint32_t i = 0; i < s->p->n_steps; i++) {
            if (!done[i] && may_start(s, i, done) && rng_below(&s->random, ++n) == 0) {
                next = i;
            }
        }
        any = n > 0;
        if (any) {
            run_loose_step(s, next, done);
        }
    }
    for (uint32_t i = 0; i < s->p->n_steps && s->wrong == NULL; i++) {
        if (!done[i]) {
            s->wrong = tn_arena_printf(s->arena, "step %u waits for what never happens", i);
        }
    }
}

/* ---- the whole ---- */

static bool is_consumed(const tn_value *v) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (kernel_consumes(u->op, u->index)) {
            return true;
        }
        for (uint32_t r = 0; r < u->op->n_results; r++) {
            /* State may be updated where it lies. */
            if ((v->flags & (TN_VF_STATE | TN_VF_PARAM)) != 0 && u->op->results[r] != NULL &&
                kernel_may_overwrite(u->op, r, u->index)) {
                return true;
            }
        }
    }
    return false;
}

static void prepare(shadow *s) {
    uint32_t n = s->m->n_values;
    s->wants = TN_ARRAY(s->arena, mark *, n);
    s->planned = TN_ARRAY(s->arena, uint32_t, n);
    s->writes = TN_ARRAY(s->arena, uint32_t, n);
    s->begin = TN_ARRAY(s->arena, uint32_t, s->m->n_ops);
    s->end = TN_ARRAY(s->arena, uint32_t, s->m->n_ops);
    s->region = TN_ARRAY(s->arena, uint32_t, s->m->n_ops);
    s->skipped = TN_ARRAY(s->arena, bool, s->p->n_steps + 1u);
    memset(s->planned, 0xff, n * sizeof *s->planned);
    memset(s->region, 0xff, s->m->n_ops * sizeof *s->region);
    s->pools = TN_ARRAY(s->arena, mark *, s->p->n_pools);
    for (uint32_t i = 0; i < s->p->n_pools; i++) {
        uint64_t quarters = s->p->pools[i].size * QUARTERS;
        s->pools[i] = TN_ARRAY(s->arena, mark, quarters + 1);
        memset(s->pools[i], 0xff, quarters * sizeof(mark));
    }
    for (uint32_t i = 0; i < s->p->n_values; i++) {
        if (s->p->values[i].storage != TN_NO_ID) {
            s->planned[s->p->values[i].module_value] = i;
        }
    }
    for (uint32_t i = 0; i < s->p->n_steps; i++) {
        uint32_t op = s->p->steps[i].module_op;
        s->begin[op] = s->p->steps[i].kind == TN_STEP_END ? s->begin[op] : i;
        s->end[op] = i;
    }
}

static bool is_there_before(const tn_value *v) {
    if (v->kind == TN_VALUE_RESULT) {
        return kernel_is_constant(v->def);
    }
    return v->kind == TN_VALUE_CONST || v->graph->owner == NULL;
}

/* What the caller finds after the run. */
static void expect_final(shadow *s) {
    s->step = s->p->n_steps;
    for (uint32_t i = 0; i < s->m->n_values; i++) {
        const tn_value *v = s->m->values[i];
        bool main = v->graph->owner == NULL, inputs = is_there_before(v);
        bool kept = (inputs && (v->flags & TN_VF_DONATED) == 0) ||
                    (main && (v->flags & (TN_VF_EXCLUDED | TN_VF_PINNED | TN_VF_LOSS)) != 0);
        if (kept && !is_consumed(v)) {
            shadow_expect(s, v);
        }
    }
    for (uint32_t i = 0; i < s->m->main->n_outputs; i++) {
        shadow_expect(s, s->m->main->outputs[i]);
    }
}

const char *shadow_run(const tn_plan *p, const tn_module *m, shadow_order order, uint64_t seed,
                       tn_arena *arena, uint64_t *bytes) {
    shadow s = {.p = p, .m = m, .arena = arena, .random = {seed}};
    prepare(&s);
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (is_there_before(m->values[i])) {
            shadow_stamp(&s, m->values[i]);
        }
    }
    if (order == SHADOW_PLANNED) {
        run_steps(&s, 0, p->n_steps);
    } else {
        run_loosely(&s);
    }
    expect_final(&s);
    *bytes += s.quarters / QUARTERS;
    return s.wrong;
}
