/* Scan, round by round. */
#include "ir/gradient/expand.h"
#include "ir/gradient/unrolled.h"

typedef struct scan {
    tn_grad *g;
    uint32_t first; /* operand of the first state */
    uint32_t n_states, n_scanned, n_stacked;
    bool batched; /* version 8: every entry of the batch, along axis 0, is scanned on its own */
    int64_t *axes, *out_axes; /* of what is scanned, and of what is stacked; without the batch */
    bool *reversed, *out_reversed;
} scan;

static int64_t listed(const tn_grad *g, const char *attr, uint32_t i) {
    uint32_t n;
    const int64_t *list = tn_attr_ints(g->op, attr, &n);
    return list != NULL && i < n ? list[i] : 0;
}

static scan read_scan(tn_grad *g) {
    const tn_op *op = g->op;
    tn_arena *scratch = g->e->scratch;
    int64_t n = tn_attr_int(op, "num_scan_inputs", 0);
    scan s = {.g = g, .batched = op->version == 8, .n_scanned = (uint32_t)n};
    s.first = s.batched ? 1 : 0;
    const tn_graph *body = op->regions[0];
    if (n < 1 || n > (int64_t)op->n_operands - s.first ||
        body->n_inputs != op->n_operands - s.first || body->n_outputs < op->n_results ||
        op->n_operands - s.first - s.n_scanned > op->n_results) {
        tn_grad_fail(g, "its body does not fit its operands");
    }
    s.n_states = op->n_operands - s.first - s.n_scanned;
    s.n_stacked = op->n_results - s.n_states;
    s.axes = TN_ARRAY(scratch, int64_t, s.n_scanned);
    s.reversed = TN_ARRAY(scratch, bool, s.n_scanned);
    s.out_axes = TN_ARRAY(scratch, int64_t, s.n_stacked + 1u);
    s.out_reversed = TN_ARRAY(scratch, bool, s.n_stacked + 1u);
    for (uint32_t i = 0; i < s.n_scanned; i++) {
        const char *direction = s.batched ? "directions" : "scan_input_directions";
        s.reversed[i] = listed(g, direction, i) != 0;
        s.axes[i] = s.batched ? 0 : listed(g, "scan_input_axes", i);
    }
    for (uint32_t i = 0; i < s.n_stacked && !s.batched; i++) {
        s.out_axes[i] = listed(g, "scan_output_axes", i);
        s.out_reversed[i] = listed(g, "scan_output_directions", i) != 0;
    }
    return s;
}

/* The parts of v along an axis, without it. */
static tn_value *const *rows_of(const scan *s, tn_value *v, int64_t axis, uint32_t *n) {
    tn_emitter *e = s->g->e;
    int64_t at = axis < 0 ? axis + tn_emit_rank(e, v) : axis, extent;
    if (at >= tn_emit_rank(e, v) || !tn_dim_is_const(e->m->dims, v->type->dims[at], &extent) ||
        extent < 1 || extent > UINT16_MAX) {
        tn_grad_fail(s->g,
                     "the extent of axis %lld of '%s', how often it runs, is not known or out of "
                     "range: " TN_GIVE_DIMENSIONS,
                     (long long)axis, v->name);
    }
    *n = (uint32_t)extent;
    tn_value *const *parts = tn_emit_rows(e, v, at, *n);
    tn_value **rows = TN_ARRAY(e->scratch, tn_value *, *n);
    for (uint32_t i = 0; i < *n; i++) {
        rows[i] = tn_emit_squeeze(e, parts[i], &at, 1);
    }
    return rows;
}

/* One run over `in`, states and then what is scanned. */
static void scan_once(const scan *s, tn_value *const *in, tn_value **made) {
    tn_unrolled u = tn_unroll_start(s->g, s->n_states);
    tn_value *const **rows = TN_ARRAY(s->g->e->scratch, tn_value *const *, s->n_scanned);
    uint32_t rounds = UINT32_MAX;
    for (uint32_t i = 0; i < s->n_scanned; i++) {
        uint32_t n;
        rows[i] = rows_of(s, in[s->n_states + i], s->axes[i], &n);
        if (rounds != UINT32_MAX && n != rounds) {
            tn_grad_fail(s->g, "what it scans is of different lengths");
        }
        rounds = n;
    }
    for (uint32_t k = 0; k < s->n_states; k++) {
        u.states[k] = in[k];
    }
    for (uint32_t t = 0; t < rounds; t++) {
        tn_unroll_round(&u, t);
        for (uint32_t k = 0; k < s->n_states; k++) {
            tn_copy_let(&u.copies, u.body->inputs[k], u.states[k]);
        }
        for (uint32_t i = 0; i < s->n_scanned; i++) {
            tn_value *row = rows[i][s->reversed[i] ? rounds - 1 - t : t];
            tn_copy_let(&u.copies, u.body->inputs[s->n_states + i], row);
        }
        tn_unroll_body(&u, 0);
    }
    tn_unroll_end(&u, s->out_axes, s->out_reversed, made);
}

/* ---- version 8 ---- */

/* Lengths that are not all whole would end the rounds of some entries earlier. */
static void check_lengths(const scan *s) {
    const tn_value *lengths = tn_operand(s->g->op, 0);
    const tn_value *scanned = tn_operand(s->g->op, s->first + s->n_states);
    uint32_t n;
    const int64_t *known = lengths != NULL ? tn_known_ints(s->g->e, lengths, &n) : NULL;
    int64_t extent = 0;
    bool whole =
        lengths == NULL || (known != NULL && tn_emit_rank(s->g->e, scanned) > 1 &&
                            tn_dim_is_const(s->g->e->m->dims, scanned->type->dims[1], &extent));
    for (uint32_t i = 0; known != NULL && i < n; i++) {
        whole &= known[i] == extent;
    }
    if (!whole) {
        tn_grad_fail(s->g, "'%s' (sequence_lens) is not known to be whole everywhere",
                     lengths->name);
    }
}

static void scan_batch(const scan *s, tn_value *const *in, tn_value **made) {
    tn_emitter *e = s->g->e;
    uint32_t n_in = s->n_states + s->n_scanned, n_results = s->g->op->n_results, batch = 0, n = 0;
    tn_value *const **entries = TN_ARRAY(e->scratch, tn_value *const *, n_in);
    tn_rows *parts = TN_ARRAY(e->scratch, tn_rows, n_results + 1u);
    for (uint32_t k = 0; k < n_in; k++) {
        entries[k] = rows_of(s, in[k], 0, &n);
        if (k > 0 && n != batch) {
            tn_grad_fail(s->g, "its operands are batches of different sizes");
        }
        batch = n;
    }
    for (uint32_t b = 0; b < batch; b++) {
        tn_value **own = TN_ARRAY(e->scratch, tn_value *, n_in);
        for (uint32_t k = 0; k < n_in; k++) {
            own[k] = entries[k][b];
        }
        scan_once(s, own, made);
        for (uint32_t r = 0; r < n_results; r++) {
            if (made[r] != NULL) {
                tn_vec_push(e->scratch, &parts[r], tn_emit_unsqueeze(e, made[r], &(int64_t){0}, 1));
            }
        }
    }
    for (uint32_t r = 0; r < n_results; r++) {
        if (parts[r].len > 0) {
            made[r] = tn_emit_concat(e, parts[r].data, parts[r].len, 0);
        }
    }
}

void tn_expand_scan(tn_grad *g, tn_value **made) {
    scan s = read_scan(g);
    uint32_t n = s.n_states + s.n_scanned;
    tn_value **in = TN_ARRAY(g->e->scratch, tn_value *, n);
    for (uint32_t k = 0; k < n; k++) {
        in[k] = tn_operand(g->op, s.first + k);
        if (in[k] == NULL) {
            tn_grad_fail(g, "operand %u is left out", s.first + k);
        }
    }
    if (s.batched) {
        check_lengths(&s);
        scan_batch(&s, in, made);
    } else {
        scan_once(&s, in, made);
    }
}
