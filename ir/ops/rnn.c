/* Recurrent layers: RNN, GRU and LSTM. */
#include <string.h>

#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* Y is (time, directions, batch, hidden) and the last states (directions, batch, hidden); with
 * layout 1 the batch comes first in all of them. */
void tn_shape_rnn(tn_infer *in) {
    tn_dtype dtype = tn_in_dtype_any(in, 0, 3);
    bool batch_first = tn_attr_int(in->op, "layout", 0) != 0;
    bool both = strcmp(tn_attr_string(in->op, "direction", "forward"), "bidirectional") == 0;
    tn_dim time = tn_in_dim(in, 0, batch_first ? 1 : 0);
    tn_dim batch = tn_in_dim(in, 0, batch_first ? 0 : 1);
    tn_dim directions = tn_in_const(in, both ? 2 : 1);
    int64_t size = tn_attr_int(in->op, "hidden_size", 0);
    tn_dim hidden = size > 0 ? tn_in_const(in, size) : tn_in_dim(in, 2, 2);
    tn_dim time_first[4] = {time, directions, batch, hidden};
    tn_dim batch_outer[4] = {batch, time, directions, hidden};
    tn_dim state[3] = {directions, batch, hidden}, state_outer[3] = {batch, directions, hidden};
    tn_out(in, 0, dtype, 4, batch_first ? batch_outer : time_first);
    tn_out(in, 1, dtype, 3, batch_first ? state_outer : state);
    tn_out(in, 2, dtype, 3, batch_first ? state_outer : state);
}
