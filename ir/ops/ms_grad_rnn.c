/* LSTM and GRU as training graphs have them. X is [length, batch, features], R [directions, gates *
 * hidden, hidden]. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

typedef struct cell {
    tn_dim length, directions, batch, hidden;
} cell;

static cell read_cell(const tn_infer *in) {
    int64_t hidden = tn_attr_int(in->op, "hidden_size", 0);
    return (cell){.length = tn_in_dim(in, 0, 0),
                  .directions = tn_in_dim(in, 2, 0),
                  .batch = tn_in_dim(in, 0, 1),
                  .hidden = hidden > 0 ? tn_in_const(in, hidden) : tn_in_dim(in, 2, 2)};
}

/* [length, directions, batch, gates * hidden] */
static void out_all(tn_infer *in, uint32_t r, const cell *c, int64_t gates) {
    tn_dim dims[4] = {c->length, c->directions, c->batch,
                      tn_dim_mul(in->dims, c->hidden, tn_in_const(in, gates))};
    tn_out(in, r, tn_in_dtype(in, 0), 4, dims);
}

/* [directions, batch, hidden] */
static void out_state(tn_infer *in, uint32_t r, const cell *c) {
    tn_dim dims[3] = {c->directions, c->batch, c->hidden};
    tn_out(in, r, tn_in_dtype(in, 0), 3, dims);
}

/* [directions, parts * hidden] */
static void out_vector(tn_infer *in, uint32_t r, const cell *c, int64_t parts) {
    tn_dim dims[2] = {c->directions, tn_dim_mul(in->dims, c->hidden, tn_in_const(in, parts))};
    tn_out(in, r, tn_in_dtype(in, 0), 2, dims);
}

void tn_shape_lstm_training(tn_infer *in) {
    cell c = read_cell(in);
    out_all(in, 0, &c, 1);
    out_state(in, 1, &c);
    out_state(in, 2, &c);
    out_all(in, 3, &c, 1);
    out_all(in, 4, &c, 4);
}

static void out_weights(tn_infer *in) {
    for (uint32_t r = 0; r < 3; r++) {
        tn_out_type(in, r, tn_in_type(in, r));
    }
}

void tn_shape_lstm_grad(tn_infer *in) {
    cell c = read_cell(in);
    out_weights(in);
    out_vector(in, 3, &c, 8);
    out_state(in, 4, &c);
    out_state(in, 5, &c);
    out_vector(in, 6, &c, 3);
}

void tn_shape_gru_training(tn_infer *in) {
    cell c = read_cell(in);
    out_all(in, 0, &c, 1);
    out_state(in, 1, &c);
    out_all(in, 2, &c, 3);
}

void tn_shape_gru_grad(tn_infer *in) {
    cell c = read_cell(in);
    out_weights(in);
    out_vector(in, 3, &c, 6);
    out_state(in, 4, &c);
}
