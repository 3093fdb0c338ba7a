/* Trains: runs a program many times, each on inputs of its own, with the state of each run that of
 * the next, and writes what all outputs were, and what the state is in the end. Two plans of one
 * network write the same bytes.
 *
 * usage: train WEIGHTS RUNS QUEUES OUT; QUEUES: in-order, out-of-order, or a number of queues */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <net.h>

enum { MOST_QUEUES = 4, CLASSES = 3 };

static tenure_cl *rt;
static cl_command_queue queues[MOST_QUEUES];
static cl_uint n_queues = 1;
static char why[1 << 14];

static void must(cl_int err, const char *what) {
    if (err != CL_SUCCESS) {
        fprintf(stderr, "%s: %s %s\n", what, tenure_cl_error(err), why);
        exit(1);
    }
}

static void *load(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    long end = f != NULL && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    void *bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;
    if (bytes == NULL || fseek(f, 0, SEEK_SET) != 0 ||
        fread(bytes, 1, (size_t)end, f) != (size_t)end) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(2);
    }
    fclose(f);
    *size = (size_t)end;
    return bytes;
}

static unsigned draw(void) {
    static unsigned long state = 1;
    state = (state * 1103515245ul + 12345ul) & 0xfffffffful;
    return (unsigned)(state >> 16);
}

static void fill(uint32_t value) {
    const tenure_cl_value *v = &net_cl_plan.values[value];
    unsigned char *bytes = calloc(1, (size_t)v->bytes + 1);
    for (uint64_t i = 0; bytes != NULL && strcmp(v->dtype, "f32") == 0 && i < v->bytes / 4; i++) {
        float x = (float)(draw() % 2001) / 1000.0f - 1.0f;
        memcpy(bytes + 4 * i, &x, 4);
    }
    for (uint64_t i = 0; bytes != NULL && strcmp(v->dtype, "i64") == 0 && i < v->bytes / 8; i++) {
        int64_t x = draw() % CLASSES;
        memcpy(bytes + 8 * i, &x, 8);
    }
    must(tenure_cl_write(rt, queues[0], value, bytes), v->name);
    free(bytes);
}

static void put(uint32_t value, FILE *out) {
    const tenure_cl_value *v = &net_cl_plan.values[value];
    unsigned char *bytes = calloc(1, (size_t)v->bytes + 1);
    must(tenure_cl_read(rt, queues[0], value, bytes), v->name);
    fprintf(out, "%s ", v->name);
    for (uint64_t i = 0; bytes != NULL && i < v->bytes; i++) {
        fprintf(out, "%02x", bytes[i]);
    }
    fputs("\n", out);
    free(bytes);
}

static void run(FILE *out) {
    uint32_t step = 0;
    for (uint32_t i = 0; i < net_cl_plan.inputs.len; i++) {
        uint32_t value = tenure_cl_ids(&net_cl_plan, net_cl_plan.inputs)[i];
        if (net_cl_plan.values[value].role == TENURE_CL_INPUT) {
            fill(value);
        }
    }
    must(tenure_cl_run_queues(rt, &net_program, queues, n_queues, NULL, &step), "run");
    for (cl_uint i = n_queues; i > 0; i--) {
        must(tenure_cl_finish(rt, queues[i - 1], &step), "finish");
    }
    for (uint32_t i = 0; i < net_cl_plan.outputs.len; i++) {
        put(tenure_cl_ids(&net_cl_plan, net_cl_plan.outputs)[i], out);
    }
    must(tenure_cl_commit(rt, queues[0]), "commit");
}

int main(int argc, char **argv) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int err = CL_SUCCESS;
    FILE *out = argc == 5 ? fopen(argv[4], "w") : NULL;
    if (out == NULL) {
        return 2;
    }
    int out_of_order = strcmp(argv[3], "out-of-order") == 0;
    int n = atoi(argv[3]);
    n_queues = n > 1 && n <= MOST_QUEUES ? (cl_uint)n : 1;
    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err, "context");
    for (cl_uint i = 0; i < n_queues; i++) {
        queues[i] = clCreateCommandQueue(
            context, device, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &err);
        must(err, "queue");
    }
    size_t size = 0;
    void *weights = load(argv[1], &size);
    must(tenure_cl_open(&net_cl_plan, context, &rt, why, sizeof why), "open");
    must(tenure_cl_load(rt, queues[0], weights, size, why, sizeof why), "load");
    must(tenure_cl_build(rt, &net_program, device, NULL, why, sizeof why), "build");
    free(weights);
    for (int i = 0; i < atoi(argv[2]); i++) {
        run(out);
    }
    for (uint32_t i = 0; i < net_cl_plan.n_values; i++) {
        if (net_cl_plan.values[i].role == TENURE_CL_STATE &&
            net_cl_plan.values[i].handle != TENURE_CL_NONE) {
            put(i, out);
        }
    }
    tenure_cl_close(rt);
    for (cl_uint i = 0; i < n_queues; i++) {
        clReleaseCommandQueue(queues[i]);
    }
    clReleaseContext(context);
    return fclose(out) == 0 ? 0 : 1;
}
