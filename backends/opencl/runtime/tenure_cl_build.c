/* The kernels of a program: compiled, or read from what an earlier run compiled. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenure_cl_inside.h>

enum { PATH = 4096, HEAD = 24 };

/* ---- what was compiled ---- */

/* FNV-1a. */
static uint64_t add_to_hash(uint64_t hash, const void *data, size_t n) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t add_info(uint64_t hash, cl_device_id device, cl_device_info what) {
    char text[1024] = "";
    (void)clGetDeviceInfo(device, what, sizeof text - 1, text, NULL);
    return add_to_hash(hash, text, strlen(text) + 1);
}

/* Of all that what comes out depends on. */
static uint64_t hash_of(const tenure_cl_program *program, cl_device_id device,
                        const char *options) {
    uint64_t hash = add_to_hash(UINT64_C(0xcbf29ce484222325), options, strlen(options) + 1);
    hash = add_info(hash, device, CL_DEVICE_NAME);
    hash = add_info(hash, device, CL_DEVICE_VENDOR);
    hash = add_info(hash, device, CL_DEVICE_VERSION);
    hash = add_info(hash, device, CL_DRIVER_VERSION);
    for (uint32_t i = 0; i < program->n_source; i++) {
        hash = add_to_hash(hash, program->source[i], strlen(program->source[i]));
    }
    return hash;
}

static void put_number(unsigned char *at, uint64_t n) {
    for (int i = 0; i < 8; i++) {
        at[i] = (unsigned char)(n >> 8 * i);
    }
}

/* Which text it is of, how long it is, and its hash: what was cut off or spoiled is made again. */
static void put_head(unsigned char *head, uint64_t of, const unsigned char *bytes, size_t n) {
    put_number(head, of);
    put_number(head + 8, n);
    put_number(head + 16, add_to_hash(UINT64_C(0xcbf29ce484222325), bytes, n));
}

/* The bytes of the file, *n of them behind the head; NULL where it is not there, or no such file
 * (*spoiled). */
static unsigned char *read_cache(const char *path, uint64_t of, size_t *n, int *spoiled) {
    FILE *f = fopen(path, "rb");
    *spoiled = f != NULL;
    long end = f != NULL && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    unsigned char *bytes = end > HEAD ? malloc((size_t)end) : NULL, head[HEAD];
    if (bytes != NULL) {
        rewind(f);
        *n = (size_t)end - HEAD;
        int whole = fread(bytes, 1, (size_t)end, f) == (size_t)end;
        put_head(head, of, bytes + HEAD, *n);
        if (!whole || memcmp(bytes, head, HEAD) != 0) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return bytes;
}

/* A cache that cannot be written is none: the next run compiles again. */
static void write_cache(const char *path, uint64_t of, cl_program compiled) {
    size_t n = 0;
    char other[PATH + 8];
    if (clGetProgramInfo(compiled, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL) != CL_SUCCESS ||
        n == 0) {
        return;
    }
    unsigned char *bytes = malloc(n), head[HEAD];
    snprintf(other, sizeof other, "%s.new", path);
    FILE *f = bytes != NULL && clGetProgramInfo(compiled, CL_PROGRAM_BINARIES, sizeof bytes, &bytes,
                                                NULL) == CL_SUCCESS
                  ? fopen(other, "wb")
                  : NULL;
    if (f != NULL) {
        put_head(head, of, bytes, n);
        int written = fwrite(head, 1, HEAD, f) == HEAD && fwrite(bytes, 1, n, f) == n;
        if (fclose(f) != 0 || !written || rename(other, path) != 0) {
            remove(other);
        }
    }
    free(bytes);
}

/* NULL: there is none that the device takes. */
static cl_program from_cache(const tenure_cl *rt, const char *path, uint64_t of, int *spoiled) {
    size_t n = 0;
    cl_int err = CL_INVALID_BINARY, taken = CL_SUCCESS;
    unsigned char *bytes = read_cache(path, of, &n, spoiled);
    const unsigned char *binary = bytes != NULL ? bytes + HEAD : NULL;
    cl_program compiled = NULL;
    if (bytes != NULL) {
        compiled =
            clCreateProgramWithBinary(rt->context, 1, &rt->device, &n, &binary, &taken, &err);
        err = err == CL_SUCCESS ? clBuildProgram(compiled, 1, &rt->device, "", NULL, NULL) : err;
    }
    free(bytes);
    if (err != CL_SUCCESS && compiled != NULL) {
        clReleaseProgram(compiled);
    }
    return err == CL_SUCCESS ? compiled : NULL;
}

/* ---- compiling ---- */

/* Quotients as the host makes them, where the device can: quantized networks round them. */
static const char *options_for(cl_device_id device) {
    cl_device_fp_config floats = 0;
    (void)clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof floats, &floats, NULL);
    return (floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0
               ? "-cl-fp32-correctly-rounded-divide-sqrt"
               : "";
}

static const char mark[] = "\n__kernel "; /* of every kernel of a text, one behind the other */

/* The text up to kernel `n`, all in front of it too. In memory that is the caller's, or NULL. */
static char *text_to(const tenure_cl_program *program, uint32_t n) {
    size_t size = 1;
    for (uint32_t i = 0; i < program->n_source; i++) {
        size += strlen(program->source[i]);
    }
    char *text = calloc(size, 1);
    for (uint32_t i = 0; text != NULL && i < program->n_source; i++) {
        strcat(text, program->source[i]);
    }
    char *at = text != NULL ? strstr(text, mark) : NULL;
    for (; at != NULL && n > 0; n--) {
        at = strstr(at + 1, mark);
    }
    if (at != NULL && (at = strstr(at + 1, mark)) != NULL) {
        at[1] = '\0';
    }
    return text;
}

static int compiles(const tenure_cl *rt, const tenure_cl_program *program, uint32_t n,
                    const char *options) {
    char *text = text_to(program, n);
    const char *piece = text;
    cl_int err = CL_OUT_OF_HOST_MEMORY;
    cl_program part =
        text != NULL ? clCreateProgramWithSource(rt->context, 1, &piece, NULL, &err) : NULL;
    err = err == CL_SUCCESS ? clBuildProgram(part, 1, &rt->device, options, NULL, NULL) : err;
    if (part != NULL) {
        clReleaseProgram(part);
    }
    free(text);
    return err == CL_SUCCESS;
}

/* Its place in the text, which is the number at the end of its name. */
static uint32_t number_of(const tenure_cl_command *c) {
    return (uint32_t)strtoul(strrchr(c->kernel, '_') + 1, NULL, 10);
}

/* The step of the first kernel that does not compile. */
static uint32_t find_failed(const tenure_cl *rt, const tenure_cl_program *program,
                            const char *options) {
    uint32_t low = 0, n = 0, step = TENURE_CL_NONE;
    for (uint32_t i = 0; i < program->n_commands; i++) {
        const tenure_cl_command *c = &program->commands[i];
        n = number_of(c) >= n ? number_of(c) + 1 : n;
    }
    for (uint32_t high = n; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (compiles(rt, program, middle, options)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (uint32_t i = program->n_commands; i > 0; i--) {
        const tenure_cl_command *c = &program->commands[i - 1];
        step = number_of(c) == low ? c->step : step;
    }
    return step;
}

static cl_int compile(tenure_cl *rt, const tenure_cl_program *program, const char *options,
                      char *why, size_t why_size) {
    cl_int err;
    rt->compiled = clCreateProgramWithSource(rt->context, program->n_source,
                                             (const char **)(uintptr_t)program->source, NULL, &err);
    err =
        err == CL_SUCCESS ? clBuildProgram(rt->compiled, 1, &rt->device, options, NULL, NULL) : err;
    if (err == CL_SUCCESS) {
        return err;
    }
    size_t n = 0;
    tenure_cl_fail_at(rt, err, find_failed(rt, program, options), why, why_size,
                      ": its kernel of program %s does not compile", program->name);
    if (why != NULL && rt->compiled != NULL &&
        clGetProgramBuildInfo(rt->compiled, rt->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) ==
            CL_SUCCESS) {
        char *log = calloc(n + 1, 1);
        size_t used = strlen(why);
        if (log != NULL && clGetProgramBuildInfo(rt->compiled, rt->device, CL_PROGRAM_BUILD_LOG, n,
                                                 log, NULL) == CL_SUCCESS) {
            snprintf(why + used, why_size - used, "\n%s", log);
        }
        free(log);
    }
    return err;
}

/* What is to be kept is written when it is done with: some compile kernels when they first run. */
static cl_int get_compiled(tenure_cl *rt, const tenure_cl_program *program, const char *cache,
                           char *why, size_t why_size) {
    const char *options = options_for(rt->device);
    rt->hash = hash_of(program, rt->device, options);
    rt->cache = cache != NULL ? malloc(PATH) : NULL;
    int length = rt->cache != NULL ? snprintf(rt->cache, PATH, "%s/%s-%016llx.clbin", cache,
                                              program->name, (unsigned long long)rt->hash)
                                   : 0;
    int spoiled = 0;
    if (length > 0 && length < PATH) {
        rt->compiled = from_cache(rt, rt->cache, rt->hash, &spoiled);
    }
    if (rt->compiled != NULL || length <= 0 || length >= PATH) {
        free(rt->cache);
        rt->cache = NULL;
    }
    cl_int err = rt->compiled != NULL ? CL_SUCCESS : compile(rt, program, options, why, why_size);
    if (err == CL_SUCCESS && spoiled && rt->cache != NULL) {
        char name[TENURE_CL_DEVICE_NAME];
        tenure_cl_fail(
            err, why, why_size,
            "%s is damaged, or of another driver or program, so the kernels were compiled "
            "again for %s",
            rt->cache, tenure_cl_device_name(rt->device, name));
    }
    return err;
}

/* ---- kernels ---- */

static cl_int make_kernel(tenure_cl *rt, uint32_t command, char *why, size_t why_size) {
    const tenure_cl_command *c = &rt->program->commands[command];
    size_t most = 0, items = (size_t)(c->local[0] * c->local[1] * c->local[2]);
    cl_int err;
    rt->kernels[command] = clCreateKernel(rt->compiled, c->kernel, &err);
    err = err == CL_SUCCESS
              ? clGetKernelWorkGroupInfo(rt->kernels[command], rt->device,
                                         CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL)
              : err;
    if (err == CL_SUCCESS && items > most) {
        return tenure_cl_fail_at(rt, CL_INVALID_WORK_GROUP_SIZE, c->step, why, why_size,
                                 ": kernel %s works in groups of %zu, the device has %zu at most "
                                 "for it",
                                 c->kernel, items, most);
    }
    return err == CL_SUCCESS ? err
                             : tenure_cl_fail_at(rt, err, c->step, why, why_size,
                                                 ": cannot make kernel %s", c->kernel);
}

/* Where kernels say that something is no index. */
static cl_int make_failed(tenure_cl *rt, char *why, size_t why_size) {
    cl_int err = CL_SUCCESS, none = -1, any = 0;
    for (uint32_t i = 0; i < rt->program->n_commands; i++) {
        any |= rt->program->commands[i].index;
    }
    if (any) {
        rt->failed = clCreateBuffer(rt->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    sizeof none, &none, &err);
    }
    return err == CL_SUCCESS
               ? err
               : tenure_cl_fail(err, why, why_size, "cannot make a buffer of 4 bytes");
}

static cl_int make_kernels(tenure_cl *rt, char *why, size_t why_size) {
    cl_int err = make_failed(rt, why, why_size);
    for (uint32_t i = 0; i < rt->program->n_commands && err == CL_SUCCESS; i++) {
        err = make_kernel(rt, i, why, why_size);
        rt->first[rt->program->commands[i].step + 1]++;
    }
    for (uint32_t s = 0; s < rt->plan->n_steps; s++) {
        rt->first[s + 1] += rt->first[s];
    }
    return err;
}

cl_int tenure_cl_set_arguments(tenure_cl *rt, uint32_t *failed) {
    cl_int err = CL_SUCCESS;
    for (uint32_t i = 0; rt->program != NULL && i < rt->program->n_commands; i++) {
        const tenure_cl_command *c = &rt->program->commands[i];
        cl_uint n = 0;
        for (uint32_t k = 0; k < c->values.len && err == CL_SUCCESS; k++) {
            const tenure_cl_place *place =
                tenure_cl_place_in(rt, c->step, rt->program->values[c->values.at + k]);
            cl_ulong offset = place->offset;
            err = clSetKernelArg(rt->kernels[i], n++, sizeof place->mem, &place->mem);
            err = err == CL_SUCCESS ? clSetKernelArg(rt->kernels[i], n++, sizeof offset, &offset)
                                    : err;
        }
        cl_int step = (cl_int)c->step;
        if (c->index && err == CL_SUCCESS) {
            err = clSetKernelArg(rt->kernels[i], n++, sizeof rt->failed, &rt->failed);
            err = err == CL_SUCCESS ? clSetKernelArg(rt->kernels[i], n, sizeof step, &step) : err;
        }
        if (err != CL_SUCCESS) {
            *failed = c->step;
            return err;
        }
    }
    rt->stale = 0;
    return err;
}

cl_int tenure_cl_build(tenure_cl *rt, const tenure_cl_program *program, cl_device_id device,
                       const char *cache, char *why, size_t why_size) {
    uint32_t failed = 0;
    tenure_cl_fail(CL_SUCCESS, why, why_size, "%s", "");
    if (program->plan != rt->plan) {
        return tenure_cl_fail(CL_INVALID_VALUE, why, why_size,
                              "program %s is of another plan than the one that was opened",
                              program->name);
    }
    tenure_cl_drop_program(rt);
    rt->program = program;
    rt->device = device;
    rt->kernels = calloc(program->n_commands + 1u, sizeof *rt->kernels);
    rt->first = calloc(rt->plan->n_steps + 2u, sizeof *rt->first);
    cl_int err = rt->kernels == NULL || rt->first == NULL ? CL_OUT_OF_HOST_MEMORY
                                                          : tenure_cl_make_room(rt, program);
    if (err != CL_SUCCESS) {
        return tenure_cl_fail(err, why, why_size, "out of memory");
    }
    if ((err = tenure_cl_make_ahead(rt)) != CL_SUCCESS) {
        tenure_cl_fail(err, why, why_size, "cannot make a queue for copies ahead");
    } else if (program->n_commands > 0) {
        err = get_compiled(rt, program, cache, why, why_size);
        err = err == CL_SUCCESS ? make_kernels(rt, why, why_size) : err;
    }
    if (err == CL_SUCCESS && (err = tenure_cl_set_arguments(rt, &failed)) != CL_SUCCESS) {
        tenure_cl_fail_at(rt, err, failed, why, why_size, ": a kernel does not take its arguments");
    }
    if (err != CL_SUCCESS) {
        tenure_cl_drop_program(rt);
    }
    return err;
}

void tenure_cl_drop_program(tenure_cl *rt) {
    for (uint32_t i = 0; rt->kernels != NULL && i < rt->program->n_commands; i++) {
        if (rt->kernels[i] != NULL) {
            clReleaseKernel(rt->kernels[i]);
        }
    }
    if (rt->compiled != NULL) {
        if (rt->cache != NULL) {
            write_cache(rt->cache, rt->hash, rt->compiled);
        }
        clReleaseProgram(rt->compiled);
    }
    if (rt->failed != NULL) {
        clReleaseMemObject(rt->failed);
    }
    tenure_cl_drop_ahead(rt);
    free(rt->cache);
    free(rt->kernels);
    free(rt->first);
    free(rt->room);
    free(rt->bytes);
    rt->program = NULL;
    rt->compiled = NULL;
    rt->cache = NULL;
    rt->failed = NULL;
    rt->kernels = NULL;
    rt->first = NULL;
    rt->room = NULL;
    rt->bytes = NULL;
}
