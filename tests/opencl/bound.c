/* A host that binds buffers of its own: those that cannot be are refused, each in a sentence that
 * this prints, and with those that can be the network runs; the bytes of the outputs go to a file.
 *
 * usage: bound WEIGHTS.bin INPUTS.bin OUTPUTS.bin */
#include <stdio.h>
#include <stdlib.h>

#include <net.h>

static char why[4096];
static cl_context context;

static void must(cl_int err, const char *what) {
    if (err != CL_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, why);
        exit(1);
    }
}

static unsigned char *read_file(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    must(f != NULL && fseek(f, 0, SEEK_END) == 0 ? CL_SUCCESS : CL_INVALID_VALUE, path);
    *size = (size_t)ftell(f);
    unsigned char *bytes = malloc(*size + 1);
    rewind(f);
    must(bytes != NULL && fread(bytes, 1, *size, f) == *size ? CL_SUCCESS : CL_INVALID_VALUE, path);
    fclose(f);
    return bytes;
}

static cl_mem make(cl_context in, size_t size) {
    cl_int err;
    cl_mem buffer = clCreateBuffer(in, CL_MEM_READ_WRITE, size, NULL, &err);
    must(err, "clCreateBuffer");
    return buffer;
}

static void refused(tenure_cl *rt, uint32_t value, cl_mem buffer) {
    if (tenure_cl_bind(rt, value, buffer, why, sizeof why) == CL_SUCCESS) {
        puts("not refused");
    }
    puts(why);
    clReleaseMemObject(buffer);
}

static void bind(tenure_cl *rt, uint32_t value) {
    cl_mem buffer = make(context, (size_t)net_cl_plan.values[value].bytes + 16);
    must(tenure_cl_bind(rt, value, buffer, why, sizeof why), "tenure_cl_bind");
    clReleaseMemObject(buffer);
}

int main(int argc, char **argv) {
    const tenure_cl_plan *plan = &net_cl_plan;
    const uint32_t *inputs = tenure_cl_ids(plan, plan->inputs);
    const uint32_t *outputs = tenure_cl_ids(plan, plan->outputs);
    cl_platform_id platform;
    cl_device_id device;
    tenure_cl *rt;
    uint32_t step = 0, inner = 0;
    size_t size;
    cl_int err;
    if (argc != 4) {
        return 2;
    }
    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err, "context");
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    must(err, "queue");
    must(tenure_cl_open(plan, context, &rt, why, sizeof why), "tenure_cl_open");
    unsigned char *bytes = read_file(argv[1], &size);
    must(tenure_cl_load(rt, queue, bytes, size, why, sizeof why), "tenure_cl_load");
    free(bytes);
    must(tenure_cl_build(rt, &net_program, device, NULL, why, sizeof why), "tenure_cl_build");

    while (plan->values[inner].role != TENURE_CL_INTERNAL ||
           plan->values[inner].handle == TENURE_CL_NONE) {
        inner++;
    }
    refused(rt, inputs[0], make(context, (size_t)plan->values[inputs[0]].bytes - 1));
    refused(rt, inputs[0], make(other, (size_t)plan->values[inputs[0]].bytes));
    refused(rt, inner, make(context, (size_t)plan->values[inner].bytes));
    refused(rt, plan->n_values, make(context, 1));
    bind(rt, inputs[0]);
    bind(rt, outputs[0]);

    bytes = read_file(argv[2], &size);
    for (uint32_t i = 0, at = 0; i < plan->inputs.len; i++) {
        must(tenure_cl_write(rt, queue, inputs[i], bytes + at), "tenure_cl_write");
        at += (uint32_t)plan->values[inputs[i]].bytes;
    }
    free(bytes);
    must(tenure_cl_run(rt, &net_program, queue, NULL, &step), "tenure_cl_run");
    must(tenure_cl_finish(rt, queue, &step), "tenure_cl_finish");
    FILE *f = fopen(argv[3], "wb");
    for (uint32_t i = 0; i < plan->outputs.len && f != NULL; i++) {
        size = (size_t)plan->values[outputs[i]].bytes;
        bytes = malloc(size + 1);
        must(tenure_cl_read(rt, queue, outputs[i], bytes), "tenure_cl_read");
        fwrite(bytes, 1, size, f);
        free(bytes);
    }
    tenure_cl_close(rt);
    clReleaseCommandQueue(queue);
    clReleaseContext(other);
    clReleaseContext(context);
    return f == NULL || fclose(f) != 0;
}
