#include <tenure_cl_inside.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of one device. */
typedef struct limits {
    char name[TENURE_CL_DEVICE_NAME];
    cl_uint align_bits;
    cl_ulong max_alloc, memory;
    int major, minor;
} limits;

static cl_int read_limits(cl_device_id device, limits *out) {
    char version[128] = "";
    (void)tenure_cl_device_name(device, out->name);
    cl_int err = clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof out->align_bits,
                                 &out->align_bits, NULL);
    if (err == CL_SUCCESS) {
        err = clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof out->max_alloc,
                              &out->max_alloc, NULL);
    }
    if (err == CL_SUCCESS) {
        err = clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof out->memory, &out->memory,
                              NULL);
    }
    if (err == CL_SUCCESS) {
        err = clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    }
    if (err == CL_SUCCESS && sscanf(version, "OpenCL %d.%d", &out->major, &out->minor) != 2) {
        err = CL_INVALID_DEVICE;
    }
    return err;
}

static cl_int check_subbuffers(const tenure_cl_plan *plan, const limits *l, char *why,
                               size_t size) {
    uint64_t align = l->align_bits / 8;
    if (l->major < 1 || (l->major == 1 && l->minor < 1)) {
        return tenure_cl_fail(CL_INVALID_OPERATION, why, size,
                              "%s offers OpenCL %d.%d, sub-buffers need 1.1", l->name, l->major,
                              l->minor);
    }
    if (align > 0 && plan->align % align != 0) {
        return tenure_cl_fail(
            CL_MISALIGNED_SUB_BUFFER_OFFSET, why, size,
            "the plan is made for an alignment of %llu bytes, %s needs %llu: plan "
            "with align-bits=%u",
            (unsigned long long)plan->align, l->name, (unsigned long long)align, l->align_bits);
    }
    return CL_SUCCESS;
}

/* "chunk 3 of 4096 bytes ('w' lies in it)" */
static cl_int fail_chunk(const tenure_cl_plan *plan, uint32_t chunk, cl_int code, char *why,
                         size_t size, const char *limit) {
    const char *name = "";
    for (uint32_t i = plan->n_values; i > 0; i--) {
        const tenure_cl_value *v = &plan->values[i - 1];
        int here = v->handle != TENURE_CL_NONE && plan->handles[v->handle].chunk == chunk;
        name = here ? v->name : name;
    }
    return tenure_cl_fail(code, why, size, "chunk %u of %llu bytes ('%s' lies in it)%s", chunk,
                          (unsigned long long)plan->chunks[chunk].size, name, limit);
}

static cl_int check_device(const tenure_cl_plan *plan, const limits *l, char *why, size_t size) {
    char limit[TENURE_CL_DEVICE_NAME + 128];
    uint64_t all = 0;
    cl_int err = plan->mode == TENURE_CL_SUBBUFFERS ? check_subbuffers(plan, l, why, size) : 0;
    for (uint32_t i = 0; i < plan->n_chunks && err == CL_SUCCESS; i++) {
        const tenure_cl_chunk *c = &plan->chunks[i];
        if (!c->host && c->size > l->max_alloc) {
            snprintf(limit, sizeof limit,
                     ": %s allows %llu in one buffer; plan with max-alloc=%llu", l->name,
                     (unsigned long long)l->max_alloc, (unsigned long long)l->max_alloc);
            return fail_chunk(plan, i, CL_INVALID_BUFFER_SIZE, why, size, limit);
        }
        if (c->size > SIZE_MAX) {
            return fail_chunk(plan, i, CL_INVALID_BUFFER_SIZE, why, size,
                              " does not fit this host's size_t");
        }
        all += c->host || c->shared ? 0 : c->size;
    }
    if (err == CL_SUCCESS && all > l->memory) {
        err = tenure_cl_fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, why, size,
                             "the buffers of the plan have %llu bytes, %s has %llu: put what is "
                             "large into memory of the host (--pool=NAME:section=host)",
                             (unsigned long long)all, l->name, (unsigned long long)l->memory);
    }
    return err;
}

cl_int tenure_cl_check(const tenure_cl_plan *plan, cl_context context, char *why, size_t why_size) {
    if (plan->format != TENURE_CL_FORMAT) {
        return tenure_cl_fail(CL_INVALID_VALUE, why, why_size,
                              "the plan has format %d, this runtime reads %d: make both by one "
                              "version of tenure",
                              plan->format, TENURE_CL_FORMAT);
    }
    size_t bytes = 0;
    cl_int err = clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes);
    if (err != CL_SUCCESS) {
        return tenure_cl_fail(err, why, why_size, "cannot list the context's devices");
    }
    cl_device_id *devices = malloc(bytes);
    if (devices == NULL) {
        return tenure_cl_fail(CL_OUT_OF_HOST_MEMORY, why, why_size, "out of memory");
    }
    err = clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices, NULL);
    for (size_t i = 0; err == CL_SUCCESS && i < bytes / sizeof *devices; i++) {
        limits l;
        err = read_limits(devices[i], &l);
        err = err != CL_SUCCESS
                  ? tenure_cl_fail(err, why, why_size, "cannot read the limits of %s", l.name)
                  : check_device(plan, &l, why, why_size);
    }
    free(devices);
    return err;
}

static cl_mem_flags flags_of(const tenure_cl_chunk *chunk) {
    return chunk->kind == TENURE_CL_CONST ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
}

/* Sub-buffers take it from the buffer they are cut from. */
static cl_mem_flags memory_of(const tenure_cl_chunk *chunk) {
    return flags_of(chunk) | (chunk->shared ? CL_MEM_ALLOC_HOST_PTR : 0);
}

/* The buffer of handle `h`: the chunk itself, or a sub-buffer of it (never of another sub-buffer).
 */
static cl_int make_handle(tenure_cl *rt, uint32_t h) {
    const tenure_cl_handle *d = &rt->plan->handles[h];
    cl_mem chunk = rt->chunks[d->chunk];
    cl_int err = CL_SUCCESS;
    if (chunk == NULL) {
        return err;
    }
    if (d->whole) {
        err = clRetainMemObject(chunk);
        rt->handles[h] = err == CL_SUCCESS ? chunk : NULL;
        return err;
    }
    cl_buffer_region region = {(size_t)d->origin, (size_t)d->size};
    rt->handles[h] = clCreateSubBuffer(chunk, flags_of(&rt->plan->chunks[d->chunk]),
                                       CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    return err;
}

/* Of a value that has a handle. */
static tenure_cl_place place_at(const tenure_cl *rt, uint32_t value, int turn) {
    uint64_t offset;
    uint32_t handle = tenure_cl_handle_at(rt, value, turn, &offset);
    const tenure_cl_handle *h = &rt->plan->handles[handle];
    unsigned char *bytes = rt->host[h->chunk];
    tenure_cl_place place = {rt->handles[handle], bytes != NULL ? 0 : (size_t)offset,
                             bytes != NULL ? bytes + h->origin + offset : NULL};
    return place;
}

/* Where values lie, all of which have their handles. */
static void find_places(tenure_cl *rt) {
    for (uint32_t i = 0; i < rt->plan->n_values; i++) {
        if (rt->plan->values[i].handle != TENURE_CL_NONE) {
            rt->places[i] = place_at(rt, i, rt->turn);
        }
    }
    rt->stale = 1;
}

tenure_cl_place tenure_cl_other(const tenure_cl *rt, uint32_t value) {
    static const tenure_cl_place nowhere;
    int two = value < rt->plan->n_values && rt->plan->values[value].second != TENURE_CL_NONE;
    return two ? place_at(rt, value, !rt->turn) : nowhere;
}

void tenure_cl_swap(tenure_cl *rt) {
    for (uint32_t i = 0; i < rt->plan->n_values; i++) {
        if (rt->plan->values[i].second != TENURE_CL_NONE) {
            rt->turn = !rt->turn;
            find_places(rt);
            return;
        }
    }
}

static cl_int create_host(tenure_cl *rt, uint32_t chunk, char *why, size_t size) {
    rt->host[chunk] = calloc(1, (size_t)rt->plan->chunks[chunk].size);
    return rt->host[chunk] != NULL
               ? CL_SUCCESS
               : tenure_cl_fail(CL_OUT_OF_HOST_MEMORY, why, size, "out of memory");
}

static cl_int create_all(tenure_cl *rt, char *why, size_t size) {
    const tenure_cl_plan *plan = rt->plan;
    cl_int err = CL_SUCCESS;
    for (uint32_t i = 0; i < plan->n_chunks; i++) {
        if (plan->chunks[i].host) {
            err = create_host(rt, i, why, size);
            if (err != CL_SUCCESS) {
                return err;
            }
            continue;
        }
        rt->chunks[i] = clCreateBuffer(rt->context, memory_of(&plan->chunks[i]),
                                       (size_t)plan->chunks[i].size, NULL, &err);
        if (err != CL_SUCCESS) {
            return fail_chunk(plan, i, err, why, size, ": the device makes no such buffer");
        }
    }
    for (uint32_t h = 0; h < plan->n_handles; h++) {
        err = make_handle(rt, h);
        if (err != CL_SUCCESS) {
            return tenure_cl_fail(
                err, why, size, "cannot make the sub-buffer at byte %llu of chunk %u",
                (unsigned long long)plan->handles[h].origin, plan->handles[h].chunk);
        }
    }
    find_places(rt);
    return CL_SUCCESS;
}

cl_int tenure_cl_open(const tenure_cl_plan *plan, cl_context context, tenure_cl **out, char *why,
                      size_t why_size) {
    *out = NULL;
    cl_int err = tenure_cl_check(plan, context, why, why_size);
    if (err != CL_SUCCESS) {
        return err;
    }
    tenure_cl *rt = calloc(1, sizeof *rt);
    if (rt == NULL || clRetainContext(context) != CL_SUCCESS) {
        free(rt);
        return tenure_cl_fail(CL_OUT_OF_HOST_MEMORY, why, why_size, "out of memory");
    }
    rt->plan = plan;
    rt->context = context;
    rt->chunks = calloc(plan->n_chunks + 1u, sizeof *rt->chunks);
    rt->handles = calloc(plan->n_handles + 1u, sizeof *rt->handles);
    rt->events = calloc(plan->n_steps + 1u, sizeof *rt->events);
    rt->host = calloc(plan->n_chunks + 1u, sizeof *rt->host);
    rt->places = calloc(plan->n_values + 1u, sizeof *rt->places);
    if (rt->chunks == NULL || rt->handles == NULL || rt->events == NULL || rt->host == NULL ||
        rt->places == NULL) {
        err = tenure_cl_fail(CL_OUT_OF_HOST_MEMORY, why, why_size, "out of memory");
    } else {
        err = create_all(rt, why, why_size);
    }
    if (err != CL_SUCCESS) {
        tenure_cl_close(rt);
        return err;
    }
    *out = rt;
    return CL_SUCCESS;
}

/* Why the buffer cannot be the value's. */
static cl_int check_bound(const tenure_cl *rt, uint32_t value, cl_mem buffer, char *why,
                          size_t why_size) {
    const tenure_cl_handle *d = &rt->plan->handles[rt->plan->values[value].handle];
    size_t size = 0;
    cl_context context = NULL;
    cl_int err = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, NULL);
    err = err == CL_SUCCESS
              ? clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof(cl_context), &context, NULL)
              : err;
    if (err != CL_SUCCESS) {
        return tenure_cl_fail_of(rt->plan, err, value, why, why_size, ": this is no buffer");
    }
    if (!d->whole || rt->chunks[d->chunk] == NULL || rt->plan->values[value].bytes < d->size ||
        rt->plan->chunks[d->chunk].kind == TENURE_CL_ARENA) {
        return tenure_cl_fail_of(rt->plan, CL_INVALID_OPERATION, value, why, why_size,
                                 " has no buffer of its own");
    }
    if (context != rt->context) {
        return tenure_cl_fail_of(rt->plan, CL_INVALID_CONTEXT, value, why, why_size,
                                 ": the buffer is of another context than the plan's");
    }
    return size >= d->size
               ? CL_SUCCESS
               : tenure_cl_fail_of(rt->plan, CL_INVALID_BUFFER_SIZE, value, why, why_size,
                                   " needs %llu bytes, the buffer has %llu",
                                   (unsigned long long)d->size, (unsigned long long)size);
}

cl_int tenure_cl_bind(tenure_cl *rt, uint32_t value, cl_mem buffer, char *why, size_t why_size) {
    if (value >= rt->plan->n_values || rt->plan->values[value].handle == TENURE_CL_NONE) {
        return tenure_cl_fail(CL_INVALID_VALUE, why, why_size,
                              "the plan has no value %lu that has bytes", (unsigned long)value);
    }
    uint32_t h = rt->plan->values[value].handle;
    const tenure_cl_handle *d = &rt->plan->handles[h];
    cl_int err = check_bound(rt, value, buffer, why, why_size);
    if (err != CL_SUCCESS) {
        return err;
    }
    err = clRetainMemObject(buffer);
    if (err == CL_SUCCESS) {
        err = clRetainMemObject(buffer);
    }
    if (err != CL_SUCCESS) {
        return tenure_cl_fail_of(rt->plan, err, value, why, why_size, ": the buffer is not kept");
    }
    clReleaseMemObject(rt->chunks[d->chunk]);
    clReleaseMemObject(rt->handles[h]);
    rt->chunks[d->chunk] = rt->handles[h] = buffer;
    find_places(rt);
    return CL_SUCCESS;
}

const tenure_cl_place *tenure_cl_where(const tenure_cl *rt, uint32_t value) {
    static const tenure_cl_place nowhere;
    uint32_t h = value < rt->plan->n_values ? rt->plan->values[value].handle : TENURE_CL_NONE;
    return h != TENURE_CL_NONE ? &rt->places[value] : &nowhere;
}

uint32_t tenure_cl_find(const tenure_cl_plan *plan, const char *name) {
    for (uint32_t i = 0; i < plan->n_values; i++) {
        if (strcmp(plan->values[i].name, name) == 0) {
            return i;
        }
    }
    return TENURE_CL_NONE;
}

const tenure_cl_attr *tenure_cl_find_attr(const tenure_cl_plan *plan, uint32_t step,
                                          const char *name) {
    tenure_cl_list list = plan->steps[step].attrs;
    for (uint32_t i = 0; i < list.len; i++) {
        if (strcmp(plan->attrs[list.at + i].name, name) == 0) {
            return &plan->attrs[list.at + i];
        }
    }
    return NULL;
}

cl_uint tenure_cl_waits(const tenure_cl *rt, uint32_t step, cl_event *events) {
    tenure_cl_list list = rt->plan->steps[step].waits;
    const uint32_t *on = tenure_cl_ids(rt->plan, list);
    cl_uint n = 0;
    for (uint32_t i = 0; i < list.len; i++) {
        if (rt->events[on[i]] != NULL) {
            events[n++] = rt->events[on[i]];
        }
    }
    return n;
}

void tenure_cl_done(tenure_cl *rt, uint32_t step, cl_event event) {
    if (rt->events[step] != NULL) {
        clReleaseEvent(rt->events[step]);
    }
    rt->events[step] = event;
}

void tenure_cl_rewind(tenure_cl *rt) {
    for (uint32_t s = 0; rt->events != NULL && s < rt->plan->n_steps; s++) {
        if (rt->events[s] != NULL) {
            clReleaseEvent(rt->events[s]);
            rt->events[s] = NULL;
        }
    }
}

void tenure_cl_close(tenure_cl *rt) {
    if (rt == NULL) {
        return;
    }
    tenure_cl_rewind(rt);
    tenure_cl_drop_program(rt);
    for (uint32_t h = 0; rt->handles != NULL && h < rt->plan->n_handles; h++) {
        if (rt->handles[h] != NULL) {
            clReleaseMemObject(rt->handles[h]);
        }
    }
    for (uint32_t i = 0; rt->chunks != NULL && i < rt->plan->n_chunks; i++) {
        if (rt->chunks[i] != NULL) {
            clReleaseMemObject(rt->chunks[i]);
        }
    }
    for (uint32_t i = 0; rt->host != NULL && i < rt->plan->n_chunks; i++) {
        free(rt->host[i]);
    }
    clReleaseContext(rt->context);
    free(rt->host);
    free(rt->places);
    free(rt->chunks);
    free(rt->handles);
    free(rt->events);
    free(rt);
}
