/* What the plan says about steps and live ranges, against what was derived. A plan may keep a
 * storage longer than needed; it may not keep it too short, nor hide a read or a write. */
#include <string.h>

#include "ir/check/check_t.h"

/* A value read inside a nested graph of an op. The op of the value's own graph has to list it; one
 * further inside may, and so may one that only asks for its shape. */
typedef struct capture {
    uint32_t value, next; /* next of the same step, or TN_NO_ID */
    bool demanded;
} capture;

typedef struct lists {
    tn_checking *c;
    uint32_t *seen; /* by value: the list it was last seen in */
    uint32_t stamp;
    uint32_t *captures; /* by begin step: first of `captured`, or TN_NO_ID */
    TN_VEC(capture) captured;
} lists;

static void add_at(lists *l, uint32_t value, const tn_op *op, bool demanded) {
    uint32_t at = l->c->begin[op->id], id = l->captured.len;
    tn_vec_push(l->c->arena, &l->captured, (capture){value, l->captures[at], demanded});
    l->captures[at] = id;
}

static void add_capture(lists *l, uint32_t value, const tn_op *reader, bool demanded) {
    tn_checking *c = l->c;
    const tn_op *outermost = tn_check_around(c->facts[value].v, reader), *op = reader;
    for (; op != outermost; op = op->graph->owner) {
        add_at(l, value, op, false);
    }
    add_at(l, value, outermost, demanded);
}

/* What a derivative reads is none of its operands. */
static void add_derived(void *user, uint32_t value, const tn_op *gradient) {
    lists *l = user;
    add_capture(l, value, gradient, true);
}

/* By ops of the nested graph, and by the graph itself, which may give the value back as it is. */
static void find_captures(lists *l) {
    tn_checking *c = l->c;
    l->captures = TN_ARRAY(c->arena, uint32_t, c->p->n_steps);
    memset(l->captures, 0xff, c->p->n_steps * sizeof *l->captures);
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        const tn_value *v = c->facts[i].v;
        for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
            if (u->op->graph != v->graph && c->begin[u->op->id] != TN_NO_ID) {
                add_capture(l, i, u->op, tn_reads_data(u->op, u->index));
            }
        }
    }
    tn_check_gradient_reads(c, add_derived, l);
    for (uint32_t i = 0; i < c->m->n_graphs; i++) {
        const tn_graph *g = c->m->graphs[i];
        bool runs = g->owner != NULL && c->begin[g->owner->id] != TN_NO_ID;
        for (uint32_t k = 0; k < g->n_outputs && runs; k++) {
            const tn_value *v = g->outputs[k];
            if (v->graph != g && c->plan_value[v->id] != TN_NO_ID) {
                add_capture(l, c->plan_value[v->id], g->owner, true);
            }
        }
    }
}

static void check_value(tn_checking *c, uint32_t i) {
    const tn_plan_value *pv = &c->p->values[i];
    const tn_fact *f = &c->facts[i];
    uint32_t writer = f->write < 0 ? TN_NO_ID : (uint32_t)f->write;
    /* What a loop fills while it runs may be listed at its begin or at its end. */
    bool at_end = f->v->def != NULL && f->write >= 0 && pv->step == c->end[f->v->def->id];
    if (pv->step != writer && !at_end) {
        tn_check_fail(c, "value %s is written at %s, not at %s", tn_check_value_name(c, i),
                      tn_check_step_name(c, (int32_t)writer),
                      tn_check_step_name(c, (int32_t)pv->step));
    }
    if (pv->left_out == TN_LEFT_UNUSED) {
        return;
    }
    const tn_storage *s = pv->storage != TN_NO_ID ? &c->p->storages[pv->storage] : NULL;
    int32_t need = s != NULL ? f->need : f->read; /* what has no place the caller keeps by itself */
    if (pv->first > f->write) {
        tn_check_fail(c, "value %s is said to live from step %d, but %s writes it",
                      tn_check_value_name(c, i), (int)pv->first, tn_check_step_name(c, f->write));
    } else if (pv->last < need) {
        tn_check_fail(c, "value %s is said to live to step %d, but %s still needs it",
                      tn_check_value_name(c, i), (int)pv->last, tn_check_step_name(c, need));
    } else if (s != NULL && (s->first > pv->first || s->last < pv->last)) {
        tn_check_fail(c, "value %s is live in steps %d..%d, its storage only in %d..%d",
                      tn_check_value_name(c, i), (int)pv->first, (int)pv->last, (int)s->first,
                      (int)s->last);
    }
}

static void expect(lists *l, const tn_value *v) {
    if (v != NULL && l->c->plan_value[v->id] != TN_NO_ID) {
        l->seen[l->c->plan_value[v->id]] = l->stamp;
    }
}

/* Stamps the values that a step writes; how many they are. */
static uint32_t expect_writes(lists *l, uint32_t step) {
    const tn_op *op = l->c->step_op[step];
    uint32_t n = 0;
    if (l->c->p->steps[step].kind == TN_STEP_BEGIN) {
        for (uint32_t r = 0; r < op->n_regions; r++) {
            for (uint32_t k = 0; k < op->regions[r]->n_inputs; k++, n++) {
                expect(l, op->regions[r]->inputs[k]);
            }
        }
        return n;
    }
    for (uint32_t k = 0; k < op->n_results + op->n_workspace; k++) {
        expect(l, op->results[k]);
        n += op->results[k] != NULL;
    }
    return n;
}

static void check_writes(lists *l, uint32_t step) {
    tn_checking *c = l->c;
    tn_ids writes = c->p->steps[step].writes;
    l->stamp++;
    uint32_t n = expect_writes(l, step), found = 0;
    for (uint32_t k = 0; k < writes.len; k++) {
        if (l->seen[writes.data[k]] != l->stamp) {
            tn_check_fail(c, "%s is said to write %s, which it does not",
                          tn_check_step_name(c, (int32_t)step),
                          tn_check_value_name(c, writes.data[k]));
            return;
        }
        l->seen[writes.data[k]] = 0;
        found++;
    }
    if (found < n) {
        tn_check_fail(c, "%s writes %u values, the plan lists %u",
                      tn_check_step_name(c, (int32_t)step), n, found);
    }
}

static bool is_listed(const lists *l, uint32_t value) {
    return value == TN_NO_ID || l->seen[value] == l->stamp;
}

/* What the bodies of an op give back is read at its end. */
static uint32_t unlisted_output(const lists *l, const tn_op *op) {
    const tn_checking *c = l->c;
    for (uint32_t r = 0; r < op->n_regions; r++) {
        for (uint32_t k = 0; k < op->regions[r]->n_outputs; k++) {
            uint32_t value = c->plan_value[op->regions[r]->outputs[k]->id];
            if (!is_listed(l, value)) {
                return value;
            }
        }
    }
    return TN_NO_ID;
}

/* Reads of bytes must be listed; captured values at the begin step of the op around the reader. */
static void check_reads(lists *l, uint32_t step) {
    tn_checking *c = l->c;
    const tn_op *op = c->step_op[step];
    const tn_plan_step *s = &c->p->steps[step];
    l->stamp++;
    for (uint32_t k = 0; k < s->reads.len; k++) {
        l->seen[s->reads.data[k]] = l->stamp;
    }
    uint32_t missing = s->kind == TN_STEP_END ? unlisted_output(l, op) : TN_NO_ID;
    for (uint32_t k = 0; k < op->n_operands && s->kind != TN_STEP_END; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && tn_reads_data(op, k) && !is_listed(l, c->plan_value[v->id])) {
            missing = c->plan_value[v->id];
        }
    }
    for (uint32_t i = l->captures[step]; i != TN_NO_ID; i = l->captured.data[i].next) {
        if (l->captured.data[i].demanded && !is_listed(l, l->captured.data[i].value)) {
            missing = l->captured.data[i].value;
        }
    }
    if (missing != TN_NO_ID) {
        tn_check_fail(c, "%s reads %s, which the plan does not list",
                      tn_check_step_name(c, (int32_t)step), tn_check_value_name(c, missing));
    }
}

/* Whoever runs the plan waits for what is listed: a read that is none would hide that nothing else
 * orders two steps. A derivative may look at more than it has to (ir/check/check_gradient.c). */
static void check_invented(lists *l, uint32_t step) {
    tn_checking *c = l->c;
    const tn_op *op = c->step_op[step];
    const tn_plan_step *s = &c->p->steps[step];
    if (tn_check_derives(op)) {
        return;
    }
    l->stamp++;
    for (uint32_t k = 0; k < op->n_operands && s->kind != TN_STEP_END; k++) {
        expect(l, op->operands[k].value);
    }
    for (uint32_t r = 0; r < op->n_regions && s->kind == TN_STEP_END; r++) {
        for (uint32_t k = 0; k < op->regions[r]->n_outputs; k++) {
            expect(l, op->regions[r]->outputs[k]);
        }
    }
    for (uint32_t i = l->captures[step]; i != TN_NO_ID; i = l->captured.data[i].next) {
        l->seen[l->captured.data[i].value] = l->stamp;
    }
    for (uint32_t k = 0; k < s->reads.len; k++) {
        if (l->seen[s->reads.data[k]] != l->stamp) {
            tn_check_fail(c, "%s is said to read %s, which it does not",
                          tn_check_step_name(c, (int32_t)step),
                          tn_check_value_name(c, s->reads.data[k]));
            return;
        }
    }
}

/* A value must not be listed as read at a step that comes before it is written: a backend would
 * wait for it for ever. */
static void check_listed(lists *l, uint32_t step) {
    tn_checking *c = l->c;
    tn_ids reads = c->p->steps[step].reads;
    bool end = c->p->steps[step].kind == TN_STEP_END;
    for (uint32_t k = 0; k < reads.len; k++) {
        int32_t write = c->facts[reads.data[k]].write;
        if (write > (int32_t)step || (write == (int32_t)step && !end)) {
            tn_check_fail(c, "%s is said to read %s, which %s writes only later",
                          tn_check_step_name(c, (int32_t)step),
                          tn_check_value_name(c, reads.data[k]), tn_check_step_name(c, write));
            return;
        }
    }
}

void tn_check_stated(tn_checking *c) {
    lists l = {.c = c, .seen = TN_ARRAY(c->arena, uint32_t, c->p->n_values)};
    find_captures(&l);
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        check_value(c, i);
    }
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        check_writes(&l, i);
        check_reads(&l, i);
        check_listed(&l, i);
        check_invented(&l, i);
    }
}
