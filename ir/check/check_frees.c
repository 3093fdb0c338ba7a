/* What must be done before bytes are handed back, on a runtime that may run steps side by side: all
 * steps that use the storage come before the step that frees it, or are listed beside the free. */
#include "ir/check/check_t.h"

typedef struct freeing {
    tn_checking *c;
    tn_order *order; /* made when first asked */
    uint32_t *named; /* by step: number of the free that waits for it */
    uint32_t number;
    uint32_t step; /* that frees */
    tn_ids after;
} freeing;

static bool is_named(const freeing *f, uint32_t step) {
    const tn_plan_step *s = &f->c->p->steps[step];
    return f->named[step] == f->number || step == f->step ||
           (s->partner != TN_NO_ID && s->kind == TN_STEP_BEGIN &&
            f->named[s->partner] == f->number);
}

/* Whether `user` runs before `step`, which is named beside a free: a step that only comes earlier
 * in the plan may still run, and one of another branch may run where `step` does not. */
static bool comes_before(const freeing *f, uint32_t user, uint32_t step) {
    const tn_checking *c = f->c;
    return user < step && !tn_check_exclusive(c->step_op[user]->graph, c->step_op[step]->graph) &&
           tn_order_missing(f->order, step, &user, 1) == TN_NO_ID;
}

/* Whether `user` has finished when the step that frees, and all that it waits for, have. */
static bool is_done(freeing *f, uint32_t user) {
    if (is_named(f, user)) {
        return true;
    }
    if (f->order == NULL) {
        f->order = tn_order_new(f->c);
    }
    if (tn_order_missing(f->order, f->step, &user, 1) == TN_NO_ID) {
        return true;
    }
    for (uint32_t i = 0; i < f->after.len; i++) {
        if (comes_before(f, user, f->after.data[i])) {
            return true;
        }
    }
    return false;
}

/* All steps that read a value. They run after the step that writes it, so that one is asked only
 * when nothing reads the value, or a loop goes on to write it. */
static bool check_value(freeing *f, uint32_t value) {
    tn_checking *c = f->c;
    const tn_fact *fact = &c->facts[value];
    uint32_t written = fact->write >= 0 ? tn_check_written(c, value) : TN_NO_ID;
    bool asked = fact->write >= 0 && (fact->n_reads == 0 || written != (uint32_t)fact->write);
    uint32_t n = fact->n_reads + asked;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t user = i < fact->n_reads ? c->read_steps[fact->reads + i] : written;
        if (!is_done(f, user)) {
            tn_check_fail(c,
                          "%s frees the storage of %s without waiting for %s, which uses it and "
                          "may still run",
                          tn_check_step_name(c, (int32_t)f->step), tn_check_value_name(c, value),
                          tn_check_step_name(c, (int32_t)user));
            return false;
        }
    }
    return true;
}

/* Marks what the k-th free of a step waits for: none of it may come later than the free. */
static void begin_free(freeing *f, uint32_t k) {
    tn_checking *c = f->c;
    const tn_plan_step *s = &c->p->steps[f->step];
    f->number++;
    f->after = s->after != NULL ? s->after[k] : (tn_ids){0};
    for (uint32_t i = 0; i < f->after.len; i++) {
        f->named[f->after.data[i]] = f->number;
        if (f->after.data[i] >= f->step) {
            uint32_t root = c->p->storages[s->frees.data[k]].root;
            tn_check_fail(c, "%s frees the storage of %s once %s is done, which is not before it",
                          tn_check_step_name(c, (int32_t)f->step), tn_check_value_name(c, root),
                          tn_check_step_name(c, (int32_t)f->after.data[i]));
        }
    }
}

/* The innermost loop in whose body the step lies, or NULL. */
static const tn_op *loop_around(const tn_checking *c, uint32_t step) {
    const tn_op *op = c->step_op[step]->graph->owner;
    while (op != NULL && !tn_is_loop(op)) {
        op = op->graph->owner;
    }
    return op;
}

static bool lies_in(const tn_graph *g, const tn_op *loop) {
    while (g->owner != NULL && g->owner != loop) {
        g = g->owner->graph;
    }
    return g->owner == loop;
}

/* What is freed in the body of a loop is freed in each iteration: it has to be made there, too. */
static bool is_made_again(const freeing *f, uint32_t value) {
    tn_checking *c = f->c;
    const tn_op *loop = loop_around(c, f->step);
    if (loop == NULL || lies_in(c->facts[value].v->graph, loop)) {
        return true;
    }
    tn_check_fail(c,
                  "%s frees the storage of %s in each iteration, but the value is made outside of "
                  "the loop",
                  tn_check_step_name(c, (int32_t)f->step), tn_check_value_name(c, value));
    return false;
}

void tn_check_frees(tn_checking *c) {
    const tn_plan *p = c->p;
    uint32_t *start = TN_ARRAY(c->arena, uint32_t, p->n_storages + 2u);
    uint32_t *members = TN_ARRAY(c->arena, uint32_t, p->n_values);
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].storage != TN_NO_ID) {
            start[p->values[i].storage + 2]++;
        }
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        start[i + 2] += start[i + 1];
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].storage != TN_NO_ID) {
            members[start[p->values[i].storage + 1]++] = i;
        }
    }
    freeing f = {.c = c, .named = TN_ARRAY(c->arena, uint32_t, p->n_steps)};
    for (uint32_t s = 0; s < p->n_steps; s++) {
        for (uint32_t k = 0; k < p->steps[s].frees.len; k++) {
            uint32_t storage = p->steps[s].frees.data[k];
            f.step = s;
            begin_free(&f, k);
            for (uint32_t i = start[storage]; i < start[storage + 1]; i++) {
                if (!is_made_again(&f, members[i]) || !check_value(&f, members[i])) {
                    break;
                }
            }
        }
    }
}
