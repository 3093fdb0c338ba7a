#include "ir/gradient/unrolled.h"

enum { MAX_ROUNDS = 4096 };

tn_unrolled tn_unroll_start(tn_grad *g, uint32_t n_states) {
    tn_arena *scratch = g->e->scratch;
    const tn_op *op = g->op;
    tn_unrolled u = {.g = g,
                     .body = op->regions[0],
                     .copies = tn_copying_of(g->e, op, op->name[0] != '\0' ? op->name : op->type),
                     .n_states = n_states,
                     .states = TN_ARRAY(scratch, tn_value *, n_states + 1u),
                     .rows = TN_ARRAY(scratch, tn_rows, op->n_results + 1u)};
    tn_copy_consts(&u.copies, u.body);
    return u;
}

void tn_unroll_round(tn_unrolled *u, int64_t i) {
    tn_emitter *e = u->g->e;
    const tn_op *op = u->g->op;
    if (i >= MAX_ROUNDS) {
        tn_grad_fail(u->g, "it runs more than %d times", MAX_ROUNDS);
    }
    const char *name = op->name[0] != '\0' ? op->name : op->type;
    u->copies.stem = tn_internf(e->ctx, "%s/%lld", name, (long long)i);
    tn_emit_for(e, &op->loc, u->copies.stem);
}

void tn_unroll_body(tn_unrolled *u, uint32_t first) {
    const tn_op *op = u->g->op;
    tn_copy_body(&u->copies, u->body);
    for (uint32_t k = 0; k < u->n_states; k++) {
        u->states[k] = tn_copy_of(&u->copies, u->body->outputs[first + k]);
    }
    for (uint32_t r = u->n_states; r < op->n_results && first + r < u->body->n_outputs; r++) {
        if (op->results[r] != NULL) {
            tn_value *row = tn_copy_of(&u->copies, u->body->outputs[first + r]);
            tn_vec_push(u->g->e->scratch, &u->rows[r - u->n_states], row);
        }
    }
}

static tn_value *stacked(const tn_unrolled *u, const tn_rows *rows, int64_t axis, bool reversed) {
    tn_emitter *e = u->g->e;
    if (rows->len == 0) {
        tn_grad_fail(u->g, "it does not run even once, and a result would be empty");
    }
    int64_t at = axis < 0 ? axis + tn_emit_rank(e, rows->data[0]) + 1 : axis;
    tn_value **parts = TN_ARRAY(e->scratch, tn_value *, rows->len);
    for (uint32_t i = 0; i < rows->len; i++) {
        uint32_t to = reversed ? rows->len - 1 - i : i;
        parts[to] = tn_emit_unsqueeze(e, rows->data[i], &at, 1);
    }
    return tn_emit_concat(e, parts, rows->len, at);
}

void tn_unroll_end(const tn_unrolled *u, const int64_t *axes, const bool *reversed,
                   tn_value **made) {
    const tn_op *op = u->g->op;
    for (uint32_t r = 0; r < op->n_results; r++) {
        uint32_t k = r - u->n_states;
        if (op->results[r] != NULL) {
            made[r] = r < u->n_states ? u->states[r]
                                      : stacked(u, &u->rows[k], axes != NULL ? axes[k] : 0,
                                                reversed != NULL && reversed[k]);
        }
    }
}
