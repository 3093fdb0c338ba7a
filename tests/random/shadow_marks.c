/* Marks in memory: reading compares, writing leaves new ones, moving carries them along. */
#include <string.h>

#include "tests/random/shadow_t.h"

/* POISON: freed, or never written. ANY: of what is expected; it does not matter. */
static const mark POISON = UINT64_MAX, ANY = 0;

const tn_plan_value *shadow_place(const shadow *s, const tn_value *v) {
    uint32_t i = v != NULL ? s->planned[v->id] : TN_NO_ID;
    return i != TN_NO_ID ? &s->p->values[i] : NULL;
}

static mark *marks_of(const shadow *s, const tn_plan_value *v) {
    return s->pools[s->p->storages[v->storage].pool] + tn_plan_address(s->p, v) * QUARTERS;
}

uint64_t shadow_length(const tn_plan_value *v) {
    return v->bytes * QUARTERS;
}

/* ---- reading ---- */

static void report(shadow *s, const tn_value *v, uint64_t at, mark found) {
    const tn_plan_step *step = s->step < s->p->n_steps ? &s->p->steps[s->step] : NULL;
    const char *owner = "nobody";
    if (found == POISON) {
        owner = "poison";
    } else if (found != ANY) {
        owner = s->m->values[found >> 40]->name;
    }
    s->wrong =
        tn_arena_printf(s->arena, "step %u (%s): byte %llu of '%s' holds what was written for '%s'",
                        s->step, step != NULL ? step->op : "the caller",
                        (unsigned long long)(at / QUARTERS), v->name, owner);
}

/* The value must be as it was written. */
void shadow_expect(shadow *s, const tn_value *v) {
    const tn_plan_value *place = shadow_place(s, v);
    if (place == NULL || s->wants[v->id] == NULL || s->wrong != NULL) {
        return;
    }
    const mark *found = marks_of(s, place), *want = s->wants[v->id];
    for (uint64_t i = 0; i < shadow_length(place); i++) {
        if (want[i] != ANY && want[i] != found[i]) {
            report(s, v, i, found[i]);
            return;
        }
    }
    s->quarters += shadow_length(place);
}

/* ---- writing ---- */

static mark fresh(const shadow *s, const tn_value *v, uint64_t at) {
    return (mark)v->id << 40 | (mark)(s->writes[v->id] & 0xffff) << 24 | (at & 0x7fffff) | 1u << 23;
}

/* Of an element, in quarters of a byte. */
static uint64_t width_of(const tn_value *v) {
    return tn_dtype_get(v->type->dtype)->bits / 2u;
}

static mark *new_wants(shadow *s, const tn_value *v, const tn_plan_value *place) {
    if (s->wants[v->id] == NULL) {
        s->wants[v->id] = TN_ARRAY(s->arena, mark, shadow_length(place) + 1);
    }
    s->writes[v->id]++;
    return s->wants[v->id];
}

/* Marks of its own for [from, to) of a value, in memory and in what is expected of it. What fills
 * up the last byte behind the last element is written too, but may be anything later. */
void shadow_stamp_part(shadow *s, const tn_value *v, uint64_t from, uint64_t to) {
    const tn_plan_value *place = shadow_place(s, v);
    mark *want = new_wants(s, v, place), *at = marks_of(s, place);
    extents e;
    uint64_t used = kernel_extents(v, &e) ? (uint64_t)e.count * width_of(v) : to;
    for (uint64_t i = from; i < to; i++) {
        at[i] = fresh(s, v, i);
        want[i] = i < used ? at[i] : ANY;
    }
}

void shadow_stamp(shadow *s, const tn_value *v) {
    const tn_plan_value *place = shadow_place(s, v);
    if (place != NULL) {
        shadow_stamp_part(s, v, 0, shadow_length(place));
    }
}

void shadow_copy(shadow *s, const tn_value *v, const tn_value *of) {
    const tn_plan_value *place = shadow_place(s, v), *there = shadow_place(s, of);
    if (place == NULL || there == NULL || s->wants[of->id] == NULL ||
        place->bytes != there->bytes) {
        shadow_stamp(s, v);
        return;
    }
    mark *want = new_wants(s, v, place), *at = marks_of(s, place);
    memcpy(want, s->wants[of->id], shadow_length(place) * sizeof *want);
    for (uint64_t i = 0; at != marks_of(s, there) && i < shadow_length(place); i++) {
        at[i] = want[i] != ANY ? want[i] : at[i];
    }
}

static bool is_as_written(shadow *s, const tn_value *v, uint64_t from, uint64_t to) {
    const mark *found = marks_of(s, shadow_place(s, v)), *want = s->wants[v->id];
    for (uint64_t i = from; i < to && want != NULL && s->wrong == NULL; i++) {
        if (want[i] != ANY && want[i] != found[i]) {
            report(s, v, i, found[i]);
        }
    }
    return s->wrong == NULL;
}

void shadow_go_through(shadow *s, const tn_value *result, const tn_value *operand, bool ascending) {
    extents e;
    if (shadow_place(s, result) == NULL || shadow_place(s, operand) == NULL ||
        !kernel_extents(result, &e)) {
        return;
    }
    uint64_t n = (uint64_t)e.count, to = width_of(result), from = width_of(operand);
    for (uint64_t k = 0; k < n; k++) {
        uint64_t i = ascending ? k : n - 1 - k;
        if (!is_as_written(s, operand, i * from, (i + 1) * from)) {
            return;
        }
        shadow_stamp_part(s, result, i * to, (i + 1) * to);
    }
}

/* An op whose result begins inside operands. */
typedef struct inside {
    const tn_op *op;
    extents out;
    int64_t *at;  /* by place in the result, the element that lies there */
    bool **needs; /* by operand: see kernel_needs; NULL where the result does not begin in it */
} inside;

/* Elements of operand k that those at [from, to) of the result are made from, as they lie. */
static void expect_needed(shadow *s, const inside *m, uint32_t k, int64_t from, int64_t to) {
    const tn_value *x = m->op->operands[k].value;
    uint64_t width = width_of(x);
    extents in;
    (void)kernel_extents(x, &in);
    for (int64_t i = from; i < to; i++) {
        const bool *needed = m->needs[k] + m->at[i] * in.count;
        for (int64_t e = 0; e < in.count; e++) {
            uint64_t place = needed[e] ? (uint64_t)kernel_place(x, e) * width : 0;
            if (needed[e] && !is_as_written(s, x, place, place + width)) {
                return;
            }
        }
    }
}

/* In the loosest order, as if all others of the unit had come first. */
static void make_unit(shadow *s, const inside *m, int64_t from, int64_t to, bool loose) {
    const tn_value *y = m->op->results[0];
    uint64_t width = width_of(y), first = (uint64_t)from * width, end = (uint64_t)to * width;
    if (loose) {
        shadow_stamp_part(s, y, first, end);
    }
    for (uint32_t k = 0; k < m->op->n_operands && s->wrong == NULL; k++) {
        if (m->needs[k] != NULL) {
            expect_needed(s, m, k, from, to);
        }
    }
    if (!loose) {
        shadow_stamp_part(s, y, first, end);
    }
}

void shadow_begin_inside(shadow *s, const tn_op *op, tn_work_order order, const bool *in) {
    inside m = {.op = op, .needs = TN_ARRAY(s->arena, bool *, op->n_operands)};
    int64_t n = kernel_unit(op->results[0], order);
    bool known = kernel_extents(op->results[0], &m.out) && n > 0;
    for (uint32_t k = 0; k < op->n_operands && known; k++) {
        m.needs[k] = in[k] ? kernel_needs(op, k, s->arena) : NULL;
        known = !in[k] || m.needs[k] != NULL;
    }
    if (!known) {
        s->wrong = tn_arena_printf(s->arena, "nobody knows what an element of %s reads", op->type);
        return;
    }
    m.at = TN_ARRAY(s->arena, int64_t, (uint64_t)m.out.count + 1);
    for (int64_t i = 0; i < m.out.count; i++) {
        m.at[kernel_place(op->results[0], i)] = i;
    }
    for (int64_t i = 0; i < m.out.count && s->wrong == NULL; i += n) {
        make_unit(s, &m, i, i + n, order == TN_ORDER_ROWS);
    }
}

static const tn_value *operand_of(const tn_op *op, source from) {
    return from.operand != NO_SOURCE ? op->operands[from.operand].value : NULL;
}

/* What the elements of a moved result must hold. What fills up its last byte may be anything. */
static void expect_moved(shadow *s, const tn_op *op, const tn_value *v, const source *from) {
    const tn_plan_value *place = shadow_place(s, v);
    mark *want = new_wants(s, v, place);
    uint64_t per = width_of(v);
    extents e;
    memset(want, 0, shadow_length(place) * sizeof *want);
    for (uint64_t i = 0; kernel_extents(v, &e) && i < (uint64_t)e.count; i++) {
        const tn_value *of = operand_of(op, from[i]);
        const mark *held = of != NULL ? s->wants[of->id] : NULL;
        int64_t held_at = of != NULL ? kernel_place(of, from[i].element) : 0;
        for (uint64_t k = 0; k < per; k++) {
            uint64_t at = (uint64_t)kernel_place(v, (int64_t)i) * per + k;
            uint64_t there = (uint64_t)held_at * per + k;
            want[at] = held != NULL ? held[there] : fresh(s, v, at);
        }
    }
}

/* Moves what is not in place already: nothing is written where an element's source lies in the
 * same bytes of one storage. */
static void move(shadow *s, const tn_op *op, const tn_value *v, const source *from) {
    const tn_plan_value *place = shadow_place(s, v);
    uint64_t per = width_of(v);
    mark *at = marks_of(s, place);
    const mark *want = s->wants[v->id];
    extents e;
    for (uint64_t i = 0; kernel_extents(v, &e) && i < (uint64_t)e.count; i++) {
        const tn_value *of = operand_of(op, from[i]);
        const tn_plan_value *there = shadow_place(s, of);
        uint64_t to = (uint64_t)kernel_place(v, (int64_t)i) * per;
        bool stays =
            there != NULL && there->storage == place->storage &&
            marks_of(s, there) + (uint64_t)kernel_place(of, from[i].element) * per == at + to;
        for (uint64_t k = to; k < to + per && !stays; k++) {
            at[k] = want[k] != ANY ? want[k] : at[k];
        }
    }
}

void shadow_write(shadow *s, const tn_op *op) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        if (shadow_place(s, v) == NULL) {
            continue;
        }
        const source *from = kernel_moves(op, r, s->arena);
        if (from != NULL) {
            expect_moved(s, op, v, from);
            move(s, op, v, from);
        } else {
            shadow_stamp(s, v);
        }
    }
}
