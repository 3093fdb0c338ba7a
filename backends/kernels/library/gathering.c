/* Elements and slices read and written by index. Indices below 0 count from the end. */
#include "kernels.h"

/* -1: not an index. */
static int64_t index_of(const tenure_tensor *indices, size_t i, size_t extent) {
    int64_t v = whole_at(indices, i);
    v += v < 0 ? (int64_t)extent : 0;
    return v < (int64_t)extent ? v : -1;
}

/* Element after element, in the order in which the result lies. */
static int gather_laid(const tenure_tensor *x, const tenure_tensor *indices, split s,
                       const tenure_tensor *y) {
    size_t width = element_width(x), n = indices->elements;
    for (size_t i = 0; i < y->elements; i++) {
        size_t e = element_at(y, i), k = e / s.behind % n, before = e / s.behind / n;
        int64_t at = index_of(indices, lies_at(indices, k), s.extent);
        if (at < 0 || width == 0) {
            return width == 0 ? BAD_TYPE(KNOWS_BYTES, x) : KERNEL_BAD_VALUE;
        }
        size_t from = (before * s.extent + (size_t)at) * s.behind + e % s.behind;
        move_bytes(OUT(y, unsigned char) + i * width,
                   IN(x, unsigned char) + lies_at(x, from) * width, width);
    }
    return 0;
}

static int gather(const tenure_tensor *x, const tenure_tensor *indices, int64_t axis,
                  const tenure_tensor *y) {
    split s = split_at(x, axis_of(axis, x->rank));
    size_t chunk = s.behind * element_width(x);
    if (x->channels_last || indices->channels_last || y->channels_last) {
        return gather_laid(x, indices, s, y);
    }
    if (y->elements > 0 && chunk == 0) {
        return BAD_TYPE(KNOWS_BYTES, x);
    }
    for (size_t i = 0; i < s.before * indices->elements && y->elements > 0; i++) {
        int64_t at = index_of(indices, i % indices->elements, s.extent);
        if (at < 0) {
            return KERNEL_BAD_VALUE;
        }
        size_t from = i / indices->elements * s.extent + (size_t)at;
        move_bytes(OUT(y, unsigned char) + i * chunk, IN(x, unsigned char) + from * chunk, chunk);
    }
    return 0;
}

#define BY_AXIS(op, version, f)                                                                    \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *indices,              \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        (void)c;                                                                                   \
        return f(x, indices, attributes->axis, y);                                                 \
    }
BY_AXIS(Gather, 1, gather)
BY_AXIS(Gather, 11, gather)
BY_AXIS(Gather, 13, gather)

/* The element of x that has the coordinates of element `i` of `t`, but `index` on the axis. */
static size_t with_index(const tenure_tensor *x, const tenure_tensor *t, size_t i, size_t axis,
                         size_t index) {
    size_t at = 0, step = 1;
    for (size_t k = t->rank; k-- > 0;) {
        size_t extent = (size_t)t->dims[k];
        at += (k == axis ? index : i % extent) * step;
        step *= (size_t)x->dims[k];
        i /= extent;
    }
    return at;
}

static int gather_elements(const tenure_tensor *x, const tenure_tensor *indices, int64_t axis,
                           const tenure_tensor *y) {
    size_t k = axis_of(axis, x->rank), width = element_width(x);
    if (width == 0 || x->rank != indices->rank) {
        return width == 0 ? BAD_TYPE(KNOWS_BYTES, x) : KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0; i < y->elements; i++) {
        int64_t at = index_of(indices, i, (size_t)x->dims[k]);
        if (at < 0) {
            return KERNEL_BAD_VALUE;
        }
        move_bytes(OUT(y, unsigned char) + i * width,
                   IN(x, unsigned char) + with_index(x, indices, i, k, (size_t)at) * width, width);
    }
    return 0;
}
BY_AXIS(GatherElements, 11, gather_elements)
BY_AXIS(GatherElements, 13, gather_elements)

/* Where the slice begins that tuple `i` of indices names, in elements of x behind its first `batch`
 * axes; -1: nowhere. `chunk` gets how many elements such a slice has. */
static int64_t tuple_at(const tenure_tensor *x, const tenure_tensor *indices, size_t batch,
                        size_t i, size_t *chunk) {
    size_t n = (size_t)indices->dims[indices->rank - 1], at = 0;
    for (size_t k = 0; k < n; k++) {
        int64_t index = index_of(indices, i * n + k, (size_t)x->dims[batch + k]);
        if (index < 0) {
            return -1;
        }
        at = at * (size_t)x->dims[batch + k] + (size_t)index;
    }
    *chunk = split_at(x, batch + n).extent * split_at(x, batch + n).behind;
    return (int64_t)(at * *chunk);
}

static int is_tuples(const tenure_tensor *x, const tenure_tensor *indices, size_t batch) {
    return indices->rank > 0 && batch < indices->rank &&
           batch + (size_t)indices->dims[indices->rank - 1] <= x->rank;
}

static int gather_nd(const tenure_tensor *x, const tenure_tensor *indices, int64_t batch_dims,
                     const tenure_tensor *y) {
    size_t batch = (size_t)batch_dims, width = element_width(x), chunk = 1;
    if (width == 0 || !is_tuples(x, indices, batch)) {
        return width == 0 ? BAD_TYPE(KNOWS_BYTES, x) : KERNEL_BAD_SHAPE;
    }
    size_t tuples = split_at(indices, (size_t)indices->rank - 1).before;
    size_t batches = split_at(x, batch).before, whole = x->elements / (batches > 0 ? batches : 1);
    for (size_t i = 0; i < tuples && y->elements > 0; i++) {
        int64_t at = tuple_at(x, indices, batch, i, &chunk);
        if (at < 0) {
            return KERNEL_BAD_VALUE;
        }
        size_t from = i / (tuples / batches) * whole + (size_t)at;
        move_bytes(OUT(y, unsigned char) + i * chunk * width, IN(x, unsigned char) + from * width,
                   chunk * width);
    }
    return 0;
}

static int gather_tuples(const tenure_tensor *x, const tenure_tensor *indices,
                         const tenure_tensor *y) {
    return gather_nd(x, indices, 0, y);
}
KERNEL_BINARY(GatherND, 11, gather_tuples)

#define GATHER_ND(version)                                                                         \
    int tenure_GatherND_##version(const tenure_GatherND_##version##_attributes *attributes,        \
                                  const tenure_tensor *x, const tenure_tensor *indices,            \
                                  const tenure_tensor *y, const tenure_context *c) {               \
        (void)c;                                                                                   \
        return gather_nd(x, indices, attributes->batch_dims, y);                                   \
    }
GATHER_ND(12)
GATHER_ND(13)

/* ---- Scatter: the data first, which may be there already, and then the updates in ascending order
 * ---- */

/* Element `to` of y, and what an update makes of it. */
static int update(const tenure_tensor *y, size_t to, const tenure_tensor *updates, size_t from,
                  const char *how) {
    size_t width = element_width(y);
    if (strcmp(how, "none") == 0) {
        move_bytes(OUT(y, unsigned char) + to * width, IN(updates, unsigned char) + from * width,
                   width);
        return 0;
    }
    if (y->dtype == TENURE_DTYPE_F32) {
        float a = IN(y, float)[to], b = IN(updates, float)[from];
        OUT(y, float)
        [to] = strcmp(how, "add") == 0   ? a + b
               : strcmp(how, "mul") == 0 ? a * b
               : strcmp(how, "max") == 0 ? (a > b ? a : b)
                                         : (a < b ? a : b);
        return 0;
    }
    if (!is_whole(y)) {
        return BAD_TYPE(KNOWS_WHOLE, y);
    }
    int64_t a = whole_at(y, to), b = whole_at(updates, from);
    uint64_t sum = (uint64_t)a + (uint64_t)b, times = (uint64_t)a * (uint64_t)b;
    put_whole(y, to,
              strcmp(how, "add") == 0   ? (int64_t)sum
              : strcmp(how, "mul") == 0 ? (int64_t)times
              : strcmp(how, "max") == 0 ? (a > b ? a : b)
                                        : (a < b ? a : b));
    return 0;
}

static int scatter_nd(const tenure_tensor *x, const tenure_tensor *indices,
                      const tenure_tensor *updates, const char *how, const tenure_tensor *y) {
    size_t chunk = 1;
    int bad = element_width(y) == 0 ? BAD_TYPE(KNOWS_BYTES, y) : copy_all(x, y);
    if (bad || !is_tuples(x, indices, 0)) {
        return bad ? bad : KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0;
         i < split_at(indices, (size_t)indices->rank - 1).before && updates->elements > 0; i++) {
        int64_t at = tuple_at(x, indices, 0, i, &chunk);
        for (size_t k = 0; k < chunk && at >= 0 && !bad; k++) {
            bad = update(y, (size_t)at + k, updates, i * chunk + k, how);
        }
        if (bad || at < 0) {
            return bad ? bad : KERNEL_BAD_VALUE;
        }
    }
    return 0;
}

static int scatter_elements(const tenure_tensor *x, const tenure_tensor *indices,
                            const tenure_tensor *updates, int64_t axis, const char *how,
                            const tenure_tensor *y) {
    size_t k = axis_of(axis, x->rank);
    int bad = element_width(y) == 0 ? BAD_TYPE(KNOWS_BYTES, y) : copy_all(x, y);
    for (size_t i = 0; i < updates->elements && !bad; i++) {
        int64_t at = index_of(indices, i, (size_t)x->dims[k]);
        bad = at < 0 ? KERNEL_BAD_VALUE
                     : update(y, with_index(x, indices, i, k, (size_t)at), updates, i, how);
    }
    return bad;
}

#define SCATTER_ND(version)                                                                        \
    int tenure_ScatterND_##version(const tenure_tensor *x, const tenure_tensor *indices,           \
                                   const tenure_tensor *updates, const tenure_tensor *y,           \
                                   const tenure_context *c) {                                      \
        (void)c;                                                                                   \
        return scatter_nd(x, indices, updates, "none", y);                                         \
    }
#define SCATTER_ND_BY(version)                                                                     \
    int tenure_ScatterND_##version(const tenure_ScatterND_##version##_attributes *attributes,      \
                                   const tenure_tensor *x, const tenure_tensor *indices,           \
                                   const tenure_tensor *updates, const tenure_tensor *y,           \
                                   const tenure_context *c) {                                      \
        (void)c;                                                                                   \
        return scatter_nd(x, indices, updates, attributes->reduction, y);                          \
    }
SCATTER_ND(11)
SCATTER_ND(13)
SCATTER_ND_BY(16)
SCATTER_ND_BY(18)

#define SCATTER(op, version, how)                                                                  \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *indices,              \
                                const tenure_tensor *updates, const tenure_tensor *y,              \
                                const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return scatter_elements(x, indices, updates, attributes->axis, how, y);                    \
    }
SCATTER(Scatter, 9, "none")
SCATTER(Scatter, 11, "none")
SCATTER(ScatterElements, 11, "none")
SCATTER(ScatterElements, 13, "none")
SCATTER(ScatterElements, 16, attributes->reduction)
SCATTER(ScatterElements, 18, attributes->reduction)

/* ---- OneHot ---- */

static int one_hot(const tenure_tensor *indices, const tenure_tensor *values, int64_t axis,
                   const tenure_tensor *y) {
    split s = split_at(y, axis_of(axis, y->rank));
    size_t width = element_width(y);
    if (width == 0) {
        return BAD_TYPE(KNOWS_BYTES, y);
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t from = i / s.behind / s.extent * s.behind + i % s.behind;
        int64_t depth = (int64_t)s.extent, at = (int64_t)(i / s.behind % s.extent);
        int64_t index = indices->dtype == TENURE_DTYPE_F32 ? (int64_t)IN(indices, float)[from]
                                                           : whole_at(indices, from);
        size_t which = index == at || index + depth == at ? 1 : 0;
        move_bytes(OUT(y, unsigned char) + i * width, IN(values, unsigned char) + which * width,
                   width);
    }
    return 0;
}

#define ONE_HOT(version)                                                                           \
    int tenure_OneHot_##version(const tenure_OneHot_##version##_attributes *attributes,            \
                                const tenure_tensor *indices, const tenure_tensor *depth,          \
                                const tenure_tensor *values, const tenure_tensor *y,               \
                                const tenure_context *c) {                                         \
        (void)depth;                                                                               \
        (void)c;                                                                                   \
        return one_hot(indices, values, attributes->axis, y);                                      \
    }
ONE_HOT(9)
ONE_HOT(11)
ONE_HOT(28)
