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
        for (uint64_t k = 0; k < per; k++) {
            uint64_t at = i * per + k, there = (uint64_t)from[i].element * per + k;
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
    for (uint64_t i = 0; i < shadow_length(place); i++) {
        uint64_t element = i / per;
        if (want[i] == ANY) {
            continue;
        }
        const tn_plan_value *there = shadow_place(s, operand_of(op, from[element]));
        bool stays = there != NULL && there->storage == place->storage &&
                     marks_of(s, there) + (uint64_t)from[element].element * per + i % per == at + i;
        if (!stays) {
            at[i] = want[i];
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
