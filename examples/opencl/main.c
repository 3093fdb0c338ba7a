/* Runs the network on the first OpenCL device and writes the outputs, in the order of the model, as
 * hexadecimal digits of their bytes.
 *
 * usage: net KERNELS.cl WEIGHTS.bin INPUTS.bin in-order|out-of-order [RUNS]
 *
 * A program of your own would write inputs and read outputs by name: tenure_cl_find. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "net.h"

/* The errors of OpenCL that a network meets; cl.h has all. */
static const char *name_of(int code) {
    static const struct {
        int code;
        const char *name;
    } known[] = {{CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
                 {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
                 {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
                 {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
                 {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
                 {CL_MISALIGNED_SUB_BUFFER_OFFSET, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
                 {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
                 {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
                 {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
                 {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
                 {CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
                 {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].code == code) {
            return known[i].name;
        }
    }
    return "error";
}

static void stop(const char *what, int code) {
    fprintf(stderr, "%s: %s (%d)\n", what, name_of(code), code);
    exit(1);
}

static void say(const char *piece) {
    fputs(piece, stderr);
}

static void must(cl_int err, const char *what) {
    if (err != CL_SUCCESS) {
        stop(what, err);
    }
}

/* The bytes of a file, with a 0 behind them. */
static char *read_file(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    long end = f != NULL && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    char *bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;
    if (bytes == NULL) {
        stop(path, 0);
    }
    rewind(f);
    *size = fread(bytes, 1, (size_t)end, f);
    bytes[*size] = '\0';
    fclose(f);
    return bytes;
}

/* ---- the device ---- */

static cl_device_id first_device(void) {
    cl_platform_id platforms[16];
    cl_device_id device;
    cl_uint n = 0;
    must(clGetPlatformIDs(16, platforms, &n), "no OpenCL platform");
    for (cl_uint i = 0; i < n && i < 16; i++) {
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) {
            return device;
        }
    }
    stop("no OpenCL device", CL_DEVICE_NOT_FOUND);
    return NULL;
}

static cl_program build(cl_context context, cl_device_id device, const char *path) {
    static char log[1 << 14];
    size_t size;
    cl_int err;
    const char *source = read_file(path, &size);
    cl_program program = clCreateProgramWithSource(context, 1, &source, &size, &err);
    must(err, "clCreateProgramWithSource");
    err = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (err != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        stop(path, err);
    }
    free((void *)source);
    return program;
}

/* ---- the network ---- */

typedef struct host {
    cl_context context;
    cl_command_queue queue;
    tenure_cl *rt;
    device_kernels kernels;
} host;

static void open_plan(host *h, const char *weights) {
    char why[256] = "";
    size_t size;
    cl_int err = tenure_cl_open(&net_cl_plan, h->context, &h->rt, why, sizeof why);
    if (err == CL_SUCCESS) {
        char *image = read_file(weights, &size);
        err = tenure_cl_load(h->rt, h->queue, image, size, why, sizeof why);
        free(image);
    }
    if (err != CL_SUCCESS) {
        stop(why, err);
    }
}

/* Which inputs are written, and where: of those with two places (--double-buffer) the ones for the
 * next run go to the place that this one leaves alone. */
typedef enum moment { FIRST_RUN, NEXT_RUN, LATER_RUN } moment;

static void write_input(host *h, uint32_t input, const char *bytes, moment when) {
    tenure_cl_place other = tenure_cl_other(h->rt, input);
    int two = other.mem != NULL || other.bytes != NULL;
    if (when == FIRST_RUN || (when == LATER_RUN && !two)) {
        must(tenure_cl_write(h->rt, h->queue, input, bytes), "writing an input");
    } else if (when == NEXT_RUN && other.mem != NULL) {
        must(clEnqueueWriteBuffer(h->queue, other.mem, CL_TRUE, other.offset,
                                  (size_t)net_cl_plan.values[input].bytes, bytes, 0, NULL, NULL),
             "writing an input of the next run");
    } else if (when == NEXT_RUN && other.bytes != NULL) {
        memcpy(other.bytes, bytes, (size_t)net_cl_plan.values[input].bytes);
    }
}

static void write_inputs(host *h, const char *path, moment when) {
    size_t size, at = 0;
    char *bytes = read_file(path, &size);
    const uint32_t *inputs = tenure_cl_ids(&net_cl_plan, net_cl_plan.inputs);
    for (uint32_t i = 0; i < net_cl_plan.inputs.len; i++) {
        size_t n = (size_t)net_cl_plan.values[inputs[i]].bytes;
        if (n > size - at) {
            fprintf(stderr, "%s: input '%s' has %zu bytes, %zu are left of the file's %zu\n", path,
                    net_cl_plan.values[inputs[i]].name, n, size - at, size);
            exit(1);
        }
        write_input(h, inputs[i], bytes + at, when);
        at += n;
    }
    if (at < size) {
        fprintf(stderr, "%s: the inputs have %zu bytes, the file %zu\n", path, at, size);
        exit(1);
    }
    free(bytes);
}

static void print_outputs(host *h) {
    const uint32_t *outputs = tenure_cl_ids(&net_cl_plan, net_cl_plan.outputs);
    for (uint32_t i = 0; i < net_cl_plan.outputs.len; i++) {
        size_t n = (size_t)net_cl_plan.values[outputs[i]].bytes;
        unsigned char *bytes = malloc(n + 1);
        if (bytes == NULL) {
            stop("out of memory", 0);
        }
        must(tenure_cl_read(h->rt, h->queue, outputs[i], bytes), "reading an output");
        for (size_t k = 0; k < n; k++) {
            printf("%02x", bytes[k]);
        }
        putchar('\n');
        free(bytes);
    }
}

static void run(host *h) {
    uint32_t step;
    cl_int err = tenure_cl_run(h->rt, &net_program, h->queue, &h->kernels, &step);
    if (err == CL_SUCCESS) {
        err = clFinish(h->queue);
    }
    if (err != CL_SUCCESS) {
        fprintf(stderr, "step %u, %s '%s': ", step, net_cl_plan.steps[step].op,
                net_cl_plan.steps[step].name);
        if (kernel_error_name(err) == NULL) {
            stop("the kernel failed", err);
        }
        kernel_error_say(err, say);
        fputc('\n', stderr);
        exit(1);
    }
}

int main(int argc, char **argv) {
    host h = {0};
    cl_int err;
    if (argc < 5) {
        fprintf(stderr,
                "usage: %s KERNELS.cl WEIGHTS.bin INPUTS.bin in-order|out-of-order [RUNS]\n",
                argv[0]);
        return 2;
    }
    cl_device_id device = first_device();
    cl_command_queue_properties order =
        strcmp(argv[4], "out-of-order") == 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    h.context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err, "clCreateContext");
    h.queue = clCreateCommandQueue(h.context, device, order, &err);
    must(err, "clCreateCommandQueue");
    h.kernels.program = build(h.context, device, argv[1]);
    open_plan(&h, argv[2]);
    int runs = argc > 5 ? atoi(argv[5]) : 1;
    for (int i = 0; i < runs; i++) {
        write_inputs(&h, argv[3], i == 0 ? FIRST_RUN : LATER_RUN);
        run(&h);
        if (i + 1 < runs) {
            write_inputs(&h, argv[3], NEXT_RUN); /* a second queue may do so while the plan runs */
            tenure_cl_swap(h.rt);
        }
    }
    print_outputs(&h);
    tenure_cl_close(h.rt);
    device_kernels_release(&h.kernels);
    clReleaseProgram(h.kernels.program);
    clReleaseCommandQueue(h.queue);
    clReleaseContext(h.context);
    return 0;
}
