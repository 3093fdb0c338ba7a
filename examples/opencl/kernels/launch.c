#include "launch.h"

#include <string.h>

static cl_kernel find(device_kernels *k, const char *name, cl_int *err) {
    for (size_t i = 0; i < k->n; i++) {
        if (strcmp(k->made[i].name, name) == 0) {
            return k->made[i].kernel;
        }
    }
    if (k->n == sizeof k->made / sizeof k->made[0]) {
        *err = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    cl_kernel kernel = clCreateKernel(k->program, name, err);
    if (*err == CL_SUCCESS) {
        k->made[k->n].name = name;
        k->made[k->n++].kernel = kernel;
    }
    return kernel;
}

void device_kernels_release(device_kernels *k) {
    while (k->n > 0) {
        clReleaseKernel(k->made[--k->n].kernel);
    }
}

launch launch_begin(const tenure_context *c, const char *kernel) {
    launch l = {(tenure_cl_call *)c->user, NULL, 0, CL_SUCCESS};
    l.kernel = find((device_kernels *)l.call->user, kernel, &l.error);
    return l;
}

static void add(launch *l, size_t size, const void *value) {
    if (l->error == CL_SUCCESS) {
        l->error = clSetKernelArg(l->kernel, l->n++, size, value);
    }
}

/* These kernels take no byte offset, which plans of mode=offsets ask for. */
void launch_tensor(launch *l, const tenure_tensor *t) {
    const tenure_cl_place *place = t != NULL ? (const tenure_cl_place *)t->data : NULL;
    if (place != NULL && (place->offset != 0 || place->bytes != NULL)) {
        l->error = KERNEL_BAD_VALUE;
        return;
    }
    add(l, sizeof(cl_mem), place != NULL ? &place->mem : NULL);
}

void launch_int(launch *l, int64_t x) {
    cl_int number = (cl_int)x;
    if (number != x) {
        l->error = KERNEL_BAD_SHAPE;
    }
    add(l, sizeof number, &number);
}

void launch_ints(launch *l, const int64_t *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        launch_int(l, x[i]);
    }
}

void launch_float(launch *l, float x) {
    add(l, sizeof x, &x);
}

void launch_walk(launch *l, const cl_int8 *part) {
    add(l, sizeof *part, part);
}

int launch_end(launch *l, size_t work_items) {
    if (l->error != CL_SUCCESS || work_items == 0) {
        return l->error;
    }
    return tenure_cl_launch(l->call, l->kernel, 1, &work_items, NULL);
}

/* ---- extents ---- */

int walk_of(const tenure_tensor *operand, const tenure_dim *dims, uint8_t rank, walk *w) {
    cl_int step = 1;
    if (rank > MAX_RANK || operand->rank > rank) {
        return KERNEL_BAD_SHAPE;
    }
    for (int i = 0; i < MAX_RANK; i++) {
        w->dims.s[i] = 1;
        w->steps.s[i] = 0;
    }
    for (int i = 0; i < rank; i++) {
        int at = rank - 1 - i, own = operand->rank - 1 - i;
        w->dims.s[MAX_RANK - 1 - i] = (cl_int)dims[at];
        if (own >= 0 && operand->dims[own] != 1) {
            w->steps.s[MAX_RANK - 1 - i] = step;
        }
        step *= own >= 0 ? (cl_int)operand->dims[own] : 1;
    }
    return 0;
}

split split_at(const tenure_tensor *t, size_t axis) {
    split s = {1, axis < t->rank ? (size_t)t->dims[axis] : 1, 1};
    for (size_t i = 0; i < t->rank; i++) {
        if (i < axis) {
            s.before *= (size_t)t->dims[i];
        } else if (i > axis) {
            s.behind *= (size_t)t->dims[i];
        }
    }
    return s;
}
