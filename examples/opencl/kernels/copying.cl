/* Elements as they are, by their width: to one walk from another. */
#define COPY(name, type)                                                                           \
    __kernel void name(__global const type *x, __global type *y, int8 dims, int8 from, int8 to,    \
                       int first_from, int first_to) {                                             \
        size_t i = get_global_id(0);                                                               \
        y[place(i, dims, to) + first_to] = x[place(i, dims, from) + first_from];                   \
    }
COPY(copy_1, uchar)
COPY(copy_2, ushort)
COPY(copy_4, uint)
COPY(copy_8, ulong)

/* Rows of `inner` elements, as the indices of an axis of `extent` say. */
__kernel void gather_f32(__global const float *x, __global const long *indices, __global float *y,
                         int n, int extent, int inner) {
    size_t i = get_global_id(0);
    size_t outer = i / inner / n, k = i / inner % n;
    long at = indices[k];
    y[i] = x[(outer * extent + (size_t)(at < 0 ? at + extent : at)) * inner + i % inner];
}
