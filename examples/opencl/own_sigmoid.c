/* A kernel of your own in the place of tenure's: make EMIT=own=Sigmoid OWN=own_sigmoid.c run
 *
 * The function has the prototype of tenure_kernels.h. Of tensors it knows type and extents, and
 * their bytes are places: a buffer, and an offset in bytes. It enqueues, and comes back. */
#include <tenure_cl.h>

#include "tenure_kernels.h"

static const char source[] =
    "__kernel void sigmoid(const __global uchar *x, ulong x_at, __global uchar *y, ulong y_at) {\n"
    "    const size_t i = get_global_id(0);\n"
    "    ((__global float *)(y + y_at))[i] = 1.0f / (1.0f + exp(-((const __global float *)(x + "
    "x_at))[i]));\n"
    "}\n";

/* Made when it is first wanted, and kept: a run makes no handles. */
static cl_kernel kernel;

static cl_int make(cl_command_queue queue) {
    const char *text = source;
    cl_context context;
    cl_int err = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (err != CL_SUCCESS) {
        return err;
    }
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    err = err == CL_SUCCESS ? clBuildProgram(program, 0, NULL, "", NULL, NULL) : err;
    if (err == CL_SUCCESS) {
        kernel = clCreateKernel(program, "sigmoid", &err);
    }
    return err;
}

int tenure_Sigmoid_13(const tenure_tensor *X, const tenure_tensor *Y,
                      const tenure_context *context) {
    tenure_cl_call *call = context->user;
    const tenure_tensor *const tensors[] = {X, Y};
    const size_t items = X->elements;
    cl_int err = kernel == NULL ? make(call->queue) : CL_SUCCESS;
    if (X->dtype != TENURE_DTYPE_F32) {
        return 1; /* any number but 0 ends the run */
    }
    for (cl_uint i = 0; i < 2 && err == CL_SUCCESS; i++) {
        const tenure_cl_place *place = tensors[i]->data;
        const cl_ulong offset = place->offset;
        err = clSetKernelArg(kernel, 2 * i, sizeof place->mem, &place->mem);
        err = err == CL_SUCCESS ? clSetKernelArg(kernel, 2 * i + 1, sizeof offset, &offset) : err;
    }
    return err == CL_SUCCESS ? tenure_cl_launch(call, kernel, 1, &items, NULL) : err;
}
