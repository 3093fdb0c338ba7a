/* Writing by index: the result is the first operand with some elements replaced. */
#include "ir/infer/content.h"
#include "ir/ops/op_rules.h"

/* Follows known elements of vectors: data[indices[i]] = updates[i]. An index that is not known
 * makes all elements unknown; with a reduction nothing is followed. */
static void write_vector(tn_infer *in) {
    tn_elems data, updates;
    uint32_t rank, n;
    if (tn_attr_string(in->op, "reduction", "none")[0] != 'n' || !tn_in_rank(in, 0, &rank) ||
        rank != 1 || !tn_in_elems(in, 0, &data) || data.dims == NULL ||
        !tn_in_elems(in, 2, &updates) || updates.dims == NULL) {
        return;
    }
    const int64_t *at = tn_in_ints(in, 1, &n);
    if (at == NULL || n != updates.n) {
        return;
    }
    tn_dim *dims = tn_arena_regrow(in->scratch, data.dims, data.n, data.n + 1u, sizeof *dims);
    for (uint32_t i = 0; i < n; i++) {
        int64_t index = at[i] < 0 ? at[i] + data.n : at[i];
        if (index < 0 || index >= data.n) {
            return;
        }
        dims[index] = updates.dims[i];
    }
    tn_out_content(in, 0, data.n, dims);
}

void tn_shape_scatter_elements(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    write_vector(in);
}

/* Index tuples of a vector have one entry. */
void tn_shape_scatter_nd(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    write_vector(in);
}

/* One axis is written, so the cache keeps its shape. */
void tn_shape_tensor_scatter(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
}
