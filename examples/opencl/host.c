/* A host in one file: the first OpenCL device, one network, one run. Where the file ends too soon,
 * or OpenCL fails, it says so and stops.
 *
 * usage: net -w WEIGHTS.bin -c FOLDER -i INPUTS.bin, as the Makefile calls it */
#include <stdio.h>
#include <stdlib.h>

#include "net.h"

static char why[4096];

static void must(cl_int err, const char *what) {
    if (err != CL_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, why[0] != '\0' ? why : tenure_cl_error(err));
        exit(1);
    }
}

static unsigned char *read_file(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    unsigned char *bytes = NULL;
    size_t room = 0, n;
    *size = 0;
    must(f != NULL ? CL_SUCCESS : CL_INVALID_VALUE, path);
    do {
        room = 2 * room + 4096;
        bytes = realloc(bytes, room);
        must(bytes != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, path);
        n = fread(bytes + *size, 1, room - *size, f);
        *size += n;
    } while (n > 0);
    fclose(f);
    return bytes;
}

int main(int argc, char **argv) {
    const uint32_t *inputs = tenure_cl_ids(&net_cl_plan, net_cl_plan.inputs);
    const uint32_t *outputs = tenure_cl_ids(&net_cl_plan, net_cl_plan.outputs);
    cl_platform_id platform;
    cl_device_id device;
    tenure_cl *rt;
    uint32_t step = 0;
    size_t size, at = 0;
    cl_int err;
    if (argc < 7) {
        return 2;
    }
    must(clGetPlatformIDs(1, &platform, NULL), "no OpenCL platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no OpenCL device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    must(err, "clCreateCommandQueue");

    /* Once: buffers, weights, kernels. */
    must(tenure_cl_open(&net_cl_plan, context, &rt, why, sizeof why), "tenure_cl_open");
    unsigned char *bytes = read_file(argv[2], &size);
    must(tenure_cl_load(rt, queue, bytes, size, why, sizeof why), "tenure_cl_load");
    free(bytes);
    must(tenure_cl_build(rt, &net_program, device, argv[4], why, sizeof why), "tenure_cl_build");
    fprintf(stderr, "%s%s", why, why[0] != '\0' ? "\n" : ""); /* that kernels were made again */
    why[0] = '\0';

    /* As often as you like: inputs, a run, outputs. */
    bytes = read_file(argv[6], &size);
    for (uint32_t i = 0; i < net_cl_plan.inputs.len; i++) {
        const tenure_cl_value *v = &net_cl_plan.values[inputs[i]];
        must(at + v->bytes <= size ? CL_SUCCESS : CL_INVALID_VALUE, "the inputs' file");
        must(tenure_cl_write(rt, queue, inputs[i], bytes + at), v->name);
        at += (size_t)v->bytes;
    }
    free(bytes);
    err = tenure_cl_run(rt, &net_program, queue, NULL, &step);
    err = err == CL_SUCCESS ? tenure_cl_finish(rt, queue, &step) : err;
    if (err != CL_SUCCESS) {
        tenure_cl_explain(rt, err, step, why, sizeof why);
        must(err, "the run");
    }
    for (uint32_t i = 0; i < net_cl_plan.outputs.len; i++) {
        const tenure_cl_value *v = &net_cl_plan.values[outputs[i]];
        float *numbers = malloc((size_t)v->bytes + 1);
        must(numbers != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, v->name);
        must(tenure_cl_read(rt, queue, outputs[i], numbers), v->name);
        printf("%s:", v->name);
        for (size_t k = 0; k < v->bytes / sizeof *numbers && k < 8; k++) {
            printf(" %g", (double)numbers[k]); /* where the output is of floats */
        }
        printf("\n");
        free(numbers);
    }

    tenure_cl_close(rt);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
