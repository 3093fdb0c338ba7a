/* A device that is another one than the plan was made for, or breaks. Linked in front of OpenCL
 * (-Wl,--wrap=...); environment variables say how it differs:
 *
 *   DEVICE_MAX_ALLOC, DEVICE_MEMORY, DEVICE_ALIGN_BITS, DEVICE_GROUP   what it allows
 *   DEVICE_REFUSES=n   kernel n of the text does not compile */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <net.h>

#define WRAPPED(type, name, parameters)                                                            \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters

WRAPPED(cl_int, clGetDeviceInfo, (cl_device_id, cl_device_info, size_t, void *, size_t *));
WRAPPED(cl_int, clGetKernelWorkGroupInfo,
        (cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *));
WRAPPED(cl_program, clCreateProgramWithSource,
        (cl_context, cl_uint, const char **, const size_t *, cl_int *));

/* Puts the variable in the place of what the device says; `size` bytes of it. */
static void replace(const char *name, void *out, size_t size) {
    const char *text = getenv(name);
    if (text != NULL && out != NULL) {
        unsigned long long number = strtoull(text, NULL, 10);
        if (size == sizeof(cl_uint)) {
            *(cl_uint *)out = (cl_uint)number;
        } else {
            *(cl_ulong *)out = number;
        }
    }
}

cl_int __wrap_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *out,
                              size_t *needed) {
    cl_int err = __real_clGetDeviceInfo(device, what, size, out, needed);
    if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE) {
        replace("DEVICE_MAX_ALLOC", out, size);
    } else if (what == CL_DEVICE_GLOBAL_MEM_SIZE) {
        replace("DEVICE_MEMORY", out, size);
    } else if (what == CL_DEVICE_MEM_BASE_ADDR_ALIGN) {
        replace("DEVICE_ALIGN_BITS", out, size);
    }
    return err;
}

cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                       cl_kernel_work_group_info what, size_t size, void *out,
                                       size_t *needed) {
    cl_int err = __real_clGetKernelWorkGroupInfo(kernel, device, what, size, out, needed);
    if (what == CL_KERNEL_WORK_GROUP_SIZE) {
        replace("DEVICE_GROUP", out, size);
    }
    return err;
}

/* The text in one piece, its n-th kernel spoiled. */
cl_program __wrap_clCreateProgramWithSource(cl_context context, cl_uint n, const char **pieces,
                                            const size_t *sizes, cl_int *err) {
    const char *refused = getenv("DEVICE_REFUSES");
    size_t size = 1;
    if (refused == NULL) {
        return __real_clCreateProgramWithSource(context, n, pieces, sizes, err);
    }
    for (cl_uint i = 0; i < n; i++) {
        size += strlen(pieces[i]);
    }
    char *text = calloc(size, 1), *at = text;
    for (cl_uint i = 0; i < n; i++) {
        strcat(text, pieces[i]);
    }
    for (long k = strtol(refused, NULL, 10); at != NULL && k >= 0; k--) {
        at = strstr(at + 1, "\n__kernel ");
    }
    if (at != NULL) {
        memcpy(at, "\n__notany", 9);
    }
    const char *whole = text;
    cl_program made = __real_clCreateProgramWithSource(context, 1, &whole, NULL, err);
    free(text);
    return made;
}
