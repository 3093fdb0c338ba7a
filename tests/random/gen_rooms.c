/* Parts of a Concat that are made one after the other, each over steps whose results are as large
 * as a part: as in the stems of text detectors and in networks with skip connections. What is alive
 * while a part is not written yet, or not read any more, may lie where that part will be, or was;
 * where the parts come from something larger, as behind a pooling, that may lie in several.
 */
#include "tests/random/gen_t.h"

enum { MAX_PARTS = 4, MAX_DETOUR = 3 };

/* Its first and last axes exchanged: no view, and not in place. */
static gen_value turned(gen *g, const gen_value *v) {
    gen_value r = *v;
    int64_t perm[GEN_MAX_RANK];
    for (uint32_t i = 0; i < v->rank; i++) {
        perm[i] = i;
    }
    perm[0] = v->rank - 1;
    perm[v->rank - 1] = 0;
    r.dims[0] = v->dims[v->rank - 1];
    r.dims[v->rank - 1] = v->dims[0];
    tn_op *op = gen_op(g, "", "Transpose");
    gen_attr_ints(g, op, "perm", v->rank, perm);
    tn_op_add_operand(op, v->v);
    return gen_result_like(g, op, &r);
}

static bool suits(gen *g, const gen_value *v) {
    gen_value whole = *v;
    if (v->open || v->rank < 2 || !gen_is_fixed(v->rank, v->dims) || v->dims[0] < 2 ||
        v->dims[v->rank - 1] < 2 || gen_elements(g, v) == 0) {
        return false;
    }
    whole.dims[0] *= MAX_PARTS;
    return gen_fits(whole.dtype, whole.rank, whole.dims);
}

/* The largest that suits: what is no part of the fullest step is put nowhere. */
static bool pick(gen *g, gen_value *out) {
    int64_t most = 0;
    for (uint32_t i = g->reach_from; i < g->reach.len; i++) {
        const gen_value *v = &g->reach.data[i];
        int64_t bits = suits(g, v) ? gen_elements(g, v) * tn_dtype_get(v->dtype)->bits : 0;
        if (bits > most) {
            most = bits;
            *out = *v;
        }
    }
    return most > 0;
}

/* Of the type of `v`, after some steps. */
static gen_value make_part(gen *g, const gen_value *v) {
    uint32_t steps = 2 * (1 + rng_below(&g->random, MAX_DETOUR));
    gen_value at = *v;
    for (uint32_t i = 0; i < steps; i++) {
        at = turned(g, &at);
        if (i + 1 < steps && rng_chance(&g->random, 20)) {
            gen_step(g); /* what reads it again, or lies beside it */
        }
    }
    return at;
}

/* Every other element of its last axis. */
static gen_value halved(gen *g, const gen_value *v) {
    gen_value r = *v;
    tn_op *op = gen_op(g, "", "Slice");
    tn_op_add_operand(op, v->v);
    tn_op_add_operand(op, gen_list(g, 0));
    tn_op_add_operand(op, gen_list(g, INT64_MAX));
    tn_op_add_operand(op, gen_list(g, (int64_t)v->rank - 1));
    tn_op_add_operand(op, gen_list(g, 2));
    r.dims[v->rank - 1] = (v->dims[v->rank - 1] + 1) / 2;
    return gen_result_like(g, op, &r);
}

/* Whether there was something to begin with. */
bool gen_rooms(gen *g) {
    gen_value from, parts[MAX_PARTS];
    if (!pick(g, &from)) {
        return false;
    }
    uint32_t n = 2 + rng_below(&g->random, MAX_PARTS - 1), made = 0;
    if (n > 2 && rng_chance(&g->random, 40)) {
        gen_value large = make_part(g, &from);
        from = parts[made++] = halved(g, &large);
    }
    gen_value whole = from;
    for (uint32_t i = made; i < n; i++) {
        parts[i] = make_part(g, i > 0 && rng_chance(&g->random, 60) ? &parts[i - 1] : &from);
    }
    whole.dims[0] *= n;
    tn_op *op = gen_op(g, "", "Concat");
    bool turned_round = rng_chance(&g->random, 20); /* the first part comes last in it */
    for (uint32_t i = 0; i < n; i++) {
        tn_op_add_operand(op, parts[turned_round ? n - 1 - i : i].v);
    }
    tn_op_add_int(op, "axis", 0);
    whole = gen_result_like(g, op, &whole);
    (void)turned(g, &whole);
    return true;
}
