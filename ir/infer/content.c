/* Known elements: reading, moving, broadcasting. */
#include "ir/infer/content.h"

#include "ir/base/limits.h"

/* A tensor that was read but whose shape says otherwise is a malformed file; its elements are not
 * trusted, so that index arithmetic below stays in bounds. */
bool tn_in_elems(const tn_infer *in, uint32_t k, tn_elems *out) {
    uint32_t n;
    int64_t expected;
    tn_elems e = {0};
    e.dims = tn_in_known(in, k, &n);
    if (e.dims == NULL) {
        e.floats = tn_in_known_floats(in, k, &n);
    }
    if ((e.dims == NULL && e.floats == NULL) ||
        !tn_type_fixed_elements(in->dims, tn_in_type(in, k), &expected) || expected != n) {
        return false;
    }
    e.n = n;
    *out = e;
    tn_infer_reads(in, tn_operand(in->op, k), true);
    return true;
}

void tn_out_elems(tn_infer *in, uint32_t r, const tn_elems *e) {
    if (e->dims != NULL) {
        tn_out_content(in, r, e->n, e->dims);
    } else if (e->floats != NULL) {
        tn_out_floats(in, r, e->n, e->floats);
    }
}

tn_elems tn_elems_pick(const tn_infer *in, const tn_elems *e, uint32_t n, const uint32_t *from) {
    tn_elems out = {.n = n};
    if (e->dims != NULL) {
        tn_dim *dims = TN_UNSET_ARRAY(in->scratch, tn_dim, n + 1u);
        for (uint32_t i = 0; i < n; i++) {
            dims[i] = e->dims[from[i]];
        }
        out.dims = dims;
    } else {
        double *floats = TN_UNSET_ARRAY(in->scratch, double, n + 1u);
        for (uint32_t i = 0; i < n; i++) {
            floats[i] = e->floats[from[i]];
        }
        out.floats = floats;
    }
    return out;
}

bool tn_static_shape(const tn_infer *in, uint32_t rank, const tn_dim *dims, uint32_t *out,
                     uint32_t *count) {
    uint64_t total = 1;
    for (uint32_t i = 0; i < rank; i++) {
        int64_t extent;
        if (!tn_dim_is_const(in->dims, dims[i], &extent) || extent < 0 || extent > TN_MAX_CONTENT) {
            return false;
        }
        out[i] = (uint32_t)extent;
        total *= (uint64_t)extent;
        if (total > TN_MAX_CONTENT) {
            return false;
        }
    }
    *count = (uint32_t)total;
    return true;
}

int64_t *tn_row_major(const tn_infer *in, uint32_t rank, const uint32_t *shape) {
    int64_t *strides = TN_ARRAY(in->scratch, int64_t, rank + 1u);
    int64_t stride = 1;
    for (uint32_t i = rank; i-- > 0;) {
        strides[i] = stride;
        stride *= shape[i];
    }
    return strides;
}

uint32_t *tn_index_map(const tn_infer *in, uint32_t rank, const uint32_t *shape, uint32_t count,
                       const int64_t *strides, int64_t base) {
    uint32_t *map = TN_ARRAY(in->scratch, uint32_t, count + 1u);
    uint32_t *at = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    int64_t from = base;
    for (uint32_t i = 0; i < count; i++) {
        map[i] = (uint32_t)from;
        for (uint32_t axis = rank; axis-- > 0;) {
            from += strides[axis];
            if (++at[axis] < shape[axis]) {
                break;
            }
            from -= strides[axis] * shape[axis];
            at[axis] = 0;
        }
    }
    return map;
}

bool tn_elems_broadcast(tn_infer *in, uint32_t k, uint32_t rank, const tn_dim *dims,
                        tn_elems *out) {
    tn_elems e;
    uint32_t rank_k, count, n;
    uint32_t *shape = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    uint32_t *shape_k = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    if (!tn_in_elems(in, k, &e) || !tn_in_rank(in, k, &rank_k) || rank_k > rank ||
        !tn_static_shape(in, rank, dims, shape, &count) ||
        !tn_static_shape(in, rank_k, tn_in_type(in, k)->dims, shape_k, &n)) {
        return false;
    }
    int64_t *own = tn_row_major(in, rank_k, shape_k);
    int64_t *strides = TN_ARRAY(in->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank_k; i++) {
        uint32_t axis = rank - rank_k + i;
        if (shape_k[i] != 1 && shape_k[i] != shape[axis]) {
            return false;
        }
        strides[axis] = shape_k[i] == 1 ? 0 : own[i];
    }
    *out = tn_elems_pick(in, &e, count, tn_index_map(in, rank, shape, count, strides, 0));
    return true;
}
