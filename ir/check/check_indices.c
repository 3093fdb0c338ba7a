/* Plans come from files and from passes; nothing else of the checker looks at an index before it
 * has been looked at here. */
#include "ir/check/check_t.h"

static bool below(tn_checking *c, const char *what, uint32_t i, const char *field, uint32_t id,
                  uint32_t n) {
    if (id < n) {
        return true;
    }
    tn_check_fail(c, "%s %u of the plan: %s is %u, but there are %u", what, i, field, id, n);
    return false;
}

static bool below_or_none(tn_checking *c, const char *what, uint32_t i, const char *field,
                          uint32_t id, uint32_t n) {
    return id == TN_NO_ID || below(c, what, i, field, id, n);
}

static void all_below(tn_checking *c, uint32_t step, const char *field, tn_ids ids, uint32_t n) {
    for (uint32_t k = 0; k < ids.len; k++) {
        if (!below(c, "step", step, field, ids.data[k], n)) {
            return;
        }
    }
}

static void all_below_or_none(tn_checking *c, uint32_t step, const char *field, tn_ids ids,
                              uint32_t n) {
    for (uint32_t k = 0; k < ids.len; k++) {
        if (!below_or_none(c, "step", step, field, ids.data[k], n)) {
            return;
        }
    }
}

static void in_steps(tn_checking *c, const char *what, uint32_t i, int32_t first, int32_t last) {
    if (first < -1 || last < first || (int64_t)last > (int64_t)c->p->n_steps) {
        tn_check_fail(c, "%s %u of the plan: live range %d..%d does not lie in -1..%u", what, i,
                      (int)first, (int)last, c->p->n_steps);
    }
}

static void check_storage(tn_checking *c, uint32_t i) {
    const tn_plan *p = c->p;
    const tn_storage *s = &p->storages[i];
    below(c, "storage", i, "pool", s->pool, p->n_pools);
    below_or_none(c, "storage", i, "slot", s->slot, p->n_slots);
    below(c, "storage", i, "root", s->root, p->n_values);
    in_steps(c, "storage", i, s->first, s->last);
    if (s->align == 0) {
        tn_check_fail(c, "storage %u of the plan: alignment is 0", i);
    }
}

static void check_value(tn_checking *c, uint32_t i) {
    const tn_plan *p = c->p;
    const tn_plan_value *v = &p->values[i];
    below_or_none(c, "value", i, "storage", v->storage, p->n_storages);
    below_or_none(c, "value", i, "step", v->step, p->n_steps);
    below_or_none(c, "value", i, "alias_of", v->alias_of, p->n_values);
    below_or_none(c, "value", i, "clone_of", v->clone_of, p->n_values);
    for (uint32_t k = 0; k < v->n_overlaps; k++) {
        below(c, "value", i, "an overlap", v->overlaps[k].value, p->n_values);
        below(c, "value", i, "the step of an overlap", v->overlaps[k].step, p->n_steps);
    }
    if (v->storage != TN_NO_ID) {
        in_steps(c, "value", i, v->first, v->last);
    }
}

static void check_step(tn_checking *c, uint32_t i) {
    const tn_plan *p = c->p;
    const tn_plan_step *s = &p->steps[i];
    below_or_none(c, "step", i, "partner", s->partner, p->n_steps);
    below_or_none(c, "step", i, "clone_of", s->clone_of, p->n_steps);
    all_below(c, i, "reads", s->reads, p->n_values);
    all_below(c, i, "writes", s->writes, p->n_values);
    all_below_or_none(c, i, "operands", s->operands, p->n_values);
    all_below_or_none(c, i, "results", s->results, p->n_values);
    all_below(c, i, "frees", s->frees, p->n_storages);
    for (uint32_t k = 0; k < s->frees.len && s->after != NULL; k++) {
        all_below(c, i, "after", s->after[k], p->n_steps);
    }
    for (uint32_t k = 0; k < s->n_moves; k++) {
        below_or_none(c, "step", i, "move from", s->moves[k].from, p->n_values);
        below(c, "step", i, "move to", s->moves[k].to, p->n_values);
    }
    for (uint32_t k = 0; k < s->n_bodies; k++) {
        all_below(c, i, "inputs of a body", s->bodies[k].inputs, p->n_values);
        all_below(c, i, "outputs of a body", s->bodies[k].outputs, p->n_values);
    }
    all_below(c, i, "hazards", s->hazards, i); /* a step waits for earlier ones only */
}

static void check_list(tn_checking *c, const char *what, tn_ids values) {
    for (uint32_t i = 0; i < values.len; i++) {
        below(c, what, i, "value", values.data[i], c->p->n_values);
    }
}

void tn_check_indices(tn_checking *c) {
    const tn_plan *p = c->p;
    check_list(c, "input", p->inputs);
    check_list(c, "fixed input", p->fixed);
    check_list(c, "output", p->outputs);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (p->pools[i].align == 0) {
            tn_check_fail(c, "pool '%s' of the plan: alignment is 0", p->pools[i].name);
        }
    }
    for (uint32_t i = 0; i < p->n_slots; i++) {
        below(c, "slot", i, "pool", p->slots[i].pool, p->n_pools);
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        check_storage(c, i);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        check_value(c, i);
    }
    for (uint32_t i = 0; i < p->n_steps; i++) {
        check_step(c, i);
    }
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        below(c, "binding", i, "value", p->bindings[i].value, p->n_values);
    }
    for (uint32_t i = 0; i < p->report.peak.len; i++) {
        below(c, "peak entry", i, "storage", p->report.peak.data[i], p->n_storages);
    }
    if (p->report.peak_step < -1 || (int64_t)p->report.peak_step > (int64_t)p->n_steps) {
        tn_check_fail(c, "peak step %d of the report does not exist", (int)p->report.peak_step);
    }
}
