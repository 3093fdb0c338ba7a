/* What computes nothing: elements to other places. */
#include "launch.h"

static size_t width_of(const tenure_tensor *t) {
    return t->elements > 0 ? t->bytes / t->elements : 1;
}

int copy_elements(const tenure_tensor *x, const walk *from, size_t first_from,
                  const tenure_tensor *y, const walk *to, size_t first_to, size_t n,
                  const tenure_context *c) {
    static const char *const kernels[] = {
        [1] = "copy_1", [2] = "copy_2", [4] = "copy_4", [8] = "copy_8"};
    size_t width = width_of(x);
    if (width > 8 || kernels[width] == NULL || width != width_of(y)) {
        return BAD_TYPE2("elements of 1, 2, 4 and 8 bytes", x, y);
    }
    launch l = launch_begin(c, kernels[width]);
    launch_tensor(&l, x);
    launch_tensor(&l, y);
    launch_walk(&l, &from->dims);
    launch_walk(&l, &from->steps);
    launch_walk(&l, &to->steps);
    launch_int(&l, (int64_t)first_from);
    launch_int(&l, (int64_t)first_to);
    return launch_end(&l, n);
}

/* The same elements under other extents, or the same ones. */
static int copy_all(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c) {
    walk w;
    int error = walk_of(x, x->dims, x->rank, &w);
    return error != 0 ? error : copy_elements(x, &w, 0, y, &w, 0, y->elements, c);
}

KERNEL_UNARY(Identity, 1, copy_all)
KERNEL_UNARY(Identity, 13, copy_all)
KERNEL_UNARY(Identity, 14, copy_all)
KERNEL_UNARY(Identity, 16, copy_all)

int tenure_Flatten_13(const tenure_Flatten_13_attributes *a, const tenure_tensor *x,
                      const tenure_tensor *y, const tenure_context *c) {
    (void)a;
    return copy_all(x, y, c);
}

/* The shape is that of the result. */
int tenure_Reshape_13(const tenure_Reshape_13_attributes *a, const tenure_tensor *x,
                      const tenure_tensor *shape, const tenure_tensor *y, const tenure_context *c) {
    (void)a;
    (void)shape;
    return copy_all(x, y, c);
}

int tenure_Reshape_14(const tenure_Reshape_14_attributes *a, const tenure_tensor *x,
                      const tenure_tensor *shape, const tenure_tensor *y, const tenure_context *c) {
    (void)a;
    (void)shape;
    return copy_all(x, y, c);
}

/* ---- Transpose ---- */

static int transpose(tenure_ints perm, const tenure_tensor *x, const tenure_tensor *y,
                     const tenure_context *c) {
    walk from, to, of_x;
    int error = walk_of(y, y->dims, y->rank, &to);
    error = error == 0 ? walk_of(x, x->dims, x->rank, &of_x) : error;
    if (error != 0) {
        return error;
    }
    from = to;
    for (uint8_t i = 0; i < y->rank; i++) {
        int64_t axis = perm.at != NULL ? perm.at[i] : y->rank - 1 - i;
        from.steps.s[MAX_RANK - y->rank + i] = of_x.steps.s[MAX_RANK - y->rank + axis];
    }
    return copy_elements(x, &from, 0, y, &to, 0, y->elements, c);
}

int tenure_Transpose_1(const tenure_Transpose_1_attributes *a, const tenure_tensor *x,
                       const tenure_tensor *y, const tenure_context *c) {
    return transpose(a->perm, x, y, c);
}

int tenure_Transpose_13(const tenure_Transpose_13_attributes *a, const tenure_tensor *x,
                        const tenure_tensor *y, const tenure_context *c) {
    return transpose(a->perm, x, y, c);
}

/* ---- parts of an axis ---- */

/* The part, whose elements lie in the whole from `first` of the axis on. */
static int walks_of_part(const tenure_tensor *part, const tenure_tensor *whole, size_t axis,
                         size_t first, walk *of_part, walk *of_whole, size_t *start) {
    int error = walk_of(part, part->dims, part->rank, of_part);
    if (error != 0 || part->rank != whole->rank) {
        return KERNEL_BAD_SHAPE;
    }
    cl_int step = 1;
    of_whole->dims = of_part->dims;
    of_whole->steps = of_part->steps;
    for (int i = 0; i < part->rank; i++) {
        int at = part->rank - 1 - i;
        of_whole->steps.s[MAX_RANK - 1 - i] = step;
        step *= (cl_int)whole->dims[at];
    }
    *start = first * split_at(whole, axis).behind;
    return 0;
}

static int concat(int64_t axis, const tenure_tensor *const *in, uint32_t n, const tenure_tensor *y,
                  const tenure_context *c) {
    size_t first = 0, start;
    int error = 0;
    for (uint32_t i = 0; i < n && error == 0; i++) {
        walk from, to;
        error = walks_of_part(in[i], y, (size_t)axis, first, &from, &to, &start);
        if (error == 0) {
            error = copy_elements(in[i], &from, 0, y, &to, start, in[i]->elements, c);
        }
        first += (size_t)in[i]->dims[axis];
    }
    return error;
}

int tenure_Concat_11(const tenure_Concat_11_attributes *a, const tenure_tensor *const *in,
                     uint32_t n, const tenure_tensor *y, const tenure_context *c) {
    return concat(a->axis, in, n, y, c);
}

int tenure_Concat_13(const tenure_Concat_13_attributes *a, const tenure_tensor *const *in,
                     uint32_t n, const tenure_tensor *y, const tenure_context *c) {
    return concat(a->axis, in, n, y, c);
}

/* The results' extents say where to split. */
int tenure_Split_13(const tenure_Split_13_attributes *a, const tenure_tensor *x,
                    const tenure_tensor *sizes, const tenure_tensor *const *out, uint32_t n,
                    const tenure_context *c) {
    size_t first = 0, start;
    int error = 0;
    (void)sizes;
    for (uint32_t i = 0; i < n && error == 0; i++) {
        walk from, to;
        error = walks_of_part(out[i], x, (size_t)a->axis, first, &to, &from, &start);
        if (error == 0) {
            error = copy_elements(x, &from, start, out[i], &to, 0, out[i]->elements, c);
        }
        first += (size_t)out[i]->dims[a->axis];
    }
    return error;
}

int tenure_Gather_13(const tenure_Gather_13_attributes *a, const tenure_tensor *x,
                     const tenure_tensor *indices, const tenure_tensor *y,
                     const tenure_context *c) {
    split s = split_at(x, (size_t)a->axis);
    if (x->dtype != TENURE_DTYPE_F32 || indices->dtype != TENURE_DTYPE_I64) {
        return BAD_TYPE2("f32 by indices of i64", x, indices);
    }
    launch l = launch_begin(c, "gather_f32");
    launch_tensor(&l, x);
    launch_tensor(&l, indices);
    launch_tensor(&l, y);
    launch_int(&l, (int64_t)indices->elements);
    launch_int(&l, (int64_t)s.extent);
    launch_int(&l, (int64_t)s.behind);
    return launch_end(&l, y->elements);
}
