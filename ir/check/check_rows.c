/* Nodes whose kernel is done a few rows at a time: whether a row of the result needs of what their
 * nests make for one another the same row alone, and whether the blocks of these lie apart in the
 * workspace.
 *
 * Rows are followed from the last node backwards as digits: an element that lies at f in its value
 * is of row (f / step) % extent, whatever shape the value has. */
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/compute/by_rows.h"
#include "ir/compute/compute_ops.h"
#include "ir/compute/nest_places.h"
#include "ir/ops/group_claims.h"

enum { NOWHERE = -1 }; /* the step of what a row needs more of, or other rows too */

typedef struct following {
    tn_checking *c;
    const tn_op *op;
    const char *name;
    int64_t extent;
    int64_t *step; /* by part, of what it makes; 0: not known yet */
} following;

/* The part that makes the value; n_parts: none does. */
static uint32_t maker_of(const tn_op *op, const tn_value *v) {
    uint32_t i = 0;
    while (i < op->n_parts && (v == NULL || tn_part_result(op->parts[i], 0) != v)) {
        i++;
    }
    return i;
}

/* Takes out of the place what the guard says the range of; the most that adds up to, but for whole
 * rounds. */
static int64_t take_guarded(const tn_nest *n, const tn_nest_guard *g, int64_t round,
                            tn_affine *at) {
    int64_t times = INT64_MAX;
    for (uint32_t a = 0; a < n->n_axes; a++) {
        int64_t by = g->at.by[a], most = by != 0 ? at->by[a] / by : times;
        times = most < times ? most : times;
    }
    if (times <= 0 || times == INT64_MAX || tn_affine_has_table(&g->at)) {
        return 0;
    }
    at->base -= times * g->at.base;
    for (uint32_t a = 0; a < n->n_axes; a++) {
        at->by[a] -= times * g->at.by[a];
    }
    return times % round == 0 ? 0 : times * (g->end - 1);
}

/* Whether the axis alone decides of which row an element at `place` is, in a stage or, NULL,
 * outside of these: what smaller steps add up to stays below one row, larger ones are whole rounds
 * of all rows. */
static bool is_digit(const following *r, const tn_nest *n, const tn_nest_stage *s,
                     const tn_affine *place, uint32_t axis) {
    tn_affine at = *place;
    int64_t step = at.by[axis], round = step * r->extent, low = 0;
    for (uint32_t g = 0; s != NULL && round > 0 && g < s->n_guards; g++) {
        low += take_guarded(n, &s->guards[g], round, &at);
    }
    bool good = step > 0 && at.by[axis] == step && n->extent[axis] == r->extent &&
                !tn_affine_has_table(&at) && at.base >= 0;
    for (uint32_t a = 0; a < n->n_axes && good; a++) {
        if (a != axis && n->extent[a] > 1 && at.by[a] % round != 0) {
            good = at.by[a] > 0;
            low += at.by[a] * (n->extent[a] - 1);
        }
    }
    return good && low + at.base % round < step;
}

/* Takes what is a row out of an axis that goes through more: neighbours within a row, several
 * rounds of all rows. Where it is then; n_axes where it cannot be. */
static uint32_t divide(const following *r, tn_nest *n, uint32_t a, int64_t inner) {
    if (n->extent[a] % (inner * r->extent) != 0 || (inner > 1 && !tn_nest_divide(n, a, inner))) {
        return n->n_axes;
    }
    bool more = n->extent[a] > r->extent;
    return more && !tn_nest_divide(n, a, r->extent) ? n->n_axes : a + more;
}

/* The axis of the nest whose indices are the rows of what it stores; n_axes: none is. */
static uint32_t axis_of(const following *r, tn_nest *n, int64_t step) {
    for (uint32_t a = 0; a < n->n_outer; a++) {
        int64_t by = n->store.by[a];
        if (by > 0 && step % by == 0 && step / by < n->extent[a]) {
            uint32_t axis = divide(r, n, a, step / by);
            return axis < n->n_axes && is_digit(r, n, NULL, &n->store, axis) ? axis : n->n_axes;
        }
    }
    return n->n_axes;
}

/* What a load says of the rows of an operand that another part makes: where the index of a row is
 * the same in both. */
static void follow_load(const following *r, const tn_op *part, const tn_nest *n,
                        const tn_nest_stage *s, const tn_calc *x, uint32_t axis) {
    uint32_t from = maker_of(r->op, tn_part_operand(part, x->which));
    if (from < r->op->n_parts) {
        bool same = axis < n->n_axes && x->arg[0] == NULL && is_digit(r, n, s, &x->at, axis);
        int64_t step = same ? x->at.by[axis] : NOWHERE;
        r->step[from] = r->step[from] == 0 || r->step[from] == step ? step : NOWHERE;
    }
}

static void follow(const following *r, const tn_op *part, const tn_nest *n, const tn_nest_stage *s,
                   const tn_calc *x, uint32_t axis) {
    if (x != NULL && x->kind == TN_CALC_LOAD) {
        follow_load(r, part, n, s, x, axis);
    }
    for (uint32_t i = 0; x != NULL && i < 3; i++) {
        follow(r, part, n, s, x->arg[i], axis);
    }
}

static bool follow_part(const following *r, const tn_op *part, int64_t step) {
    tn_compute c;
    bool good = tn_compute_of_op(r->c->m, part, r->c->arena, &c);
    for (uint32_t i = 0; good && i < c.nests.len; i++) {
        tn_nest *n = &c.nests.data[i];
        if (n->result == 0) {
            uint32_t axis = step == NOWHERE ? n->n_axes : axis_of(r, n, step);
            follow(r, part, n, NULL, n->value, axis);
            for (uint32_t s = 0; s < n->n_stages; s++) {
                follow(r, part, n, &n->stage[s], n->stage[s].body, axis);
                follow(r, part, n, &n->stage[s], n->stage[s].start, axis);
            }
        }
    }
    return good;
}

/* One loop of the kernel. */
static void check_loop(tn_checking *c, const tn_op *op, const char *name, int64_t extent,
                       int64_t step) {
    following r = {c, op, name, extent, TN_ARRAY(c->arena, int64_t, op->n_parts)};
    r.step[op->n_parts - 1] = step;
    for (uint32_t i = op->n_parts; i-- > 0;) {
        const tn_op *part = op->parts[i];
        bool handed = i + 1 < op->n_parts && part->was->nest != op->parts[i + 1]->was->nest;
        if ((handed && r.step[i] <= 0) || !follow_part(&r, part, r.step[i])) {
            tn_check_fail(c, "%s is done by rows, but a row needs more of '%s' than its own row",
                          name, tn_part_result(part, 0)->name);
            return;
        }
    }
}

/* ---- the workspace ---- */

/* Bytes of a block of what the last part of a nest makes. */
static uint64_t block_bytes(const tn_checking *c, const tn_by_rows *rows, const tn_value *v) {
    int64_t bytes = 0;
    (void)tn_type_fixed_bytes(c->m->dims, v->type, &bytes);
    for (uint32_t k = 0; k < rows->n_loops; k++) {
        bytes /= rows->extent[k];
    }
    return (uint64_t)(bytes * rows->block);
}

static void check_workspace(tn_checking *c, const tn_op *op, const char *name,
                            const tn_compute *ask) {
    uint64_t begin[TN_ROWS_NESTS], end[TN_ROWS_NESTS];
    uint32_t number[TN_ROWS_NESTS], last[TN_ROWS_NESTS] = {0}, n = ask->nests.len;
    int64_t stated = 0;
    if (op->n_workspace == 1) {
        (void)tn_type_fixed_bytes(c->m->dims, tn_workspace(op, 0)->type, &stated);
    }
    for (uint32_t i = 0; i < op->n_parts; i++) { /* the last one of a nest is what counts */
        uint32_t nest = op->parts[i]->was->nest;
        begin[nest] = ask->rows->offset[nest];
        end[nest] = begin[nest] + block_bytes(c, ask->rows, tn_part_result(op->parts[i], 0));
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        number[i] = ask->n_operands;
        for (uint32_t k = 0; k < ask->n_operands; k++) {
            const tn_rows_operand *o = &ask->rows->operand[k];
            number[i] = o->made && o->nest == i ? k : number[i];
        }
        for (uint32_t k = i + 1; k < n; k++) {
            last[i] = tn_nest_loads(&ask->nests.data[k], number[i]) ? k : last[i];
        }
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        bool good = end[i] <= (uint64_t)stated && number[i] < ask->n_operands &&
                    ask->rows->operand[number[i]].offset == begin[i];
        for (uint32_t k = 0; k < i && good; k++) {
            bool over = last[k] == i && begin[k] == begin[i] && end[k] == end[i] &&
                        tn_nest_may_lie_over(&ask->nests.data[i], number[k]) != TN_OVER_NOT;
            good = last[k] < i || end[k] <= begin[i] || end[i] <= begin[k] || over;
        }
        if (!good) {
            tn_check_fail(c, "%s: its blocks of rows do not lie apart in %lld bytes of workspace",
                          name, (long long)stated);
            return;
        }
    }
}

void tn_check_rows(tn_checking *c, const tn_op *op, const char *name) {
    tn_compute ask;
    tn_value **values;
    if (op->parts[op->n_parts - 1]->was->nest == 0) {
        return;
    }
    if (!tn_compute_of_ops(c->m, op->parts, op->n_parts, NULL, c->arena, &ask, &values)) {
        tn_check_fail(c, "%s cannot be done by rows", name);
        return;
    }
    for (uint32_t k = 0; k < ask.rows->n_loops; k++) {
        check_loop(c, op, name, ask.rows->extent[k], ask.rows->move[k]);
    }
    check_workspace(c, op, name, &ask);
}
