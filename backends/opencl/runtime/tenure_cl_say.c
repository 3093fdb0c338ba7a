/* What went wrong, in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <tenure_cl_inside.h>

const char *tenure_cl_error(cl_int code) {
#define NAME(code)                                                                                 \
    { code, #code }
    static const struct {
        cl_int code;
        const char *name;
    } known[] = {NAME(CL_DEVICE_NOT_FOUND),
                 NAME(CL_DEVICE_NOT_AVAILABLE),
                 NAME(CL_COMPILER_NOT_AVAILABLE),
                 NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
                 NAME(CL_OUT_OF_RESOURCES),
                 NAME(CL_OUT_OF_HOST_MEMORY),
                 NAME(CL_BUILD_PROGRAM_FAILURE),
                 NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET),
                 NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
                 NAME(CL_INVALID_VALUE),
                 NAME(CL_INVALID_DEVICE),
                 NAME(CL_INVALID_CONTEXT),
                 NAME(CL_INVALID_COMMAND_QUEUE),
                 NAME(CL_INVALID_MEM_OBJECT),
                 NAME(CL_INVALID_BINARY),
                 NAME(CL_INVALID_PROGRAM),
                 NAME(CL_INVALID_KERNEL_NAME),
                 NAME(CL_INVALID_ARG_VALUE),
                 NAME(CL_INVALID_ARG_SIZE),
                 NAME(CL_INVALID_KERNEL_ARGS),
                 NAME(CL_INVALID_WORK_GROUP_SIZE),
                 NAME(CL_INVALID_WORK_ITEM_SIZE),
                 NAME(CL_INVALID_OPERATION),
                 NAME(CL_INVALID_BUFFER_SIZE)};
#undef NAME
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].code == code) {
            return known[i].name;
        }
    }
    return "error";
}

/* A text that grows in what room there is. */
typedef struct text {
    char *at;
    size_t left;
} text;

static void add_list(text *t, const char *fmt, va_list args) {
    int n = t->left > 0 ? vsnprintf(t->at, t->left, fmt, args) : 0;
    size_t used = n > 0 && (size_t)n < t->left ? (size_t)n : n > 0 ? t->left - 1 : 0;
    t->at += used;
    t->left -= used;
}

__attribute__((format(printf, 2, 3))) static void add(text *t, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    add_list(t, fmt, args);
    va_end(args);
}

static void add_value(text *t, const tenure_cl_plan *plan, uint32_t value) {
    const tenure_cl_value *v = &plan->values[value];
    add(t, "%s %s[", v->name, v->dtype);
    for (uint32_t k = 0; k < v->dims.len; k++) {
        add(t, "%s%" PRId64, k > 0 ? "," : "", plan->dims[v->dims.at + k]);
    }
    add(t, "]");
}

static void add_values(text *t, const tenure_cl_plan *plan, tenure_cl_list list) {
    const uint32_t *ids = tenure_cl_ids(plan, list);
    for (uint32_t i = 0; i < list.len; i++) {
        add(t, i > 0 ? ", " : " ");
        if (ids[i] == TENURE_CL_NONE) {
            add(t, "none");
        } else {
            add_value(t, plan, ids[i]);
        }
    }
}

static void add_step(text *t, const tenure_cl *rt, uint32_t step) {
    if (step < rt->plan->n_steps) {
        const tenure_cl_step *s = &rt->plan->steps[step];
        add(t, "step %" PRIu32 ", %s '%s' of", step, s->op, s->name);
        add_values(t, rt->plan, s->operands);
        add(t, " to");
        add_values(t, rt->plan, s->results);
    } else {
        add(t, "the run");
    }
    if (rt->device != NULL) {
        char name[TENURE_CL_DEVICE_NAME];
        add(t, " on %s", tenure_cl_device_name(rt->device, name));
    }
}

const char *tenure_cl_device_name(cl_device_id device, char *name) {
    memset(name, 0, TENURE_CL_DEVICE_NAME);
    return clGetDeviceInfo(device, CL_DEVICE_NAME, TENURE_CL_DEVICE_NAME - 1, name, NULL) ==
                   CL_SUCCESS
               ? name
               : "a device without a name";
}

/* The sentence, and behind it the error. */
static cl_int end(text *t, cl_int code, const char *fmt, va_list args) {
    add_list(t, fmt, args);
    if (code < 0) {
        add(t, ": %s", tenure_cl_error(code));
    }
    if (code != CL_SUCCESS) {
        add(t, " (%d)", code);
    }
    return code;
}

cl_int tenure_cl_fail(cl_int code, char *why, size_t size, const char *fmt, ...) {
    text t = {why, why != NULL ? size : 0};
    va_list args;
    va_start(args, fmt);
    end(&t, code, fmt, args);
    va_end(args);
    return code;
}

cl_int tenure_cl_fail_at(const tenure_cl *rt, cl_int code, uint32_t step, char *why, size_t size,
                         const char *fmt, ...) {
    text t = {why, why != NULL ? size : 0};
    va_list args;
    va_start(args, fmt);
    add_step(&t, rt, step);
    end(&t, code, fmt, args);
    va_end(args);
    return code;
}

cl_int tenure_cl_fail_of(const tenure_cl_plan *plan, cl_int code, uint32_t value, char *why,
                         size_t size, const char *fmt, ...) {
    text t = {why, why != NULL ? size : 0};
    va_list args;
    va_start(args, fmt);
    add_value(&t, plan, value);
    end(&t, code, fmt, args);
    va_end(args);
    return code;
}

void tenure_cl_explain(const tenure_cl *rt, cl_int code, uint32_t step, char *why,
                       size_t why_size) {
    tenure_cl_fail_at(rt, code, step, why, why_size, "%s",
                      code == TENURE_CL_NO_INDEX
                          ? ": an operand holds what is no index, or no class"
                      : code == CL_INVALID_PROGRAM ? ": the program needs tenure_cl_build first"
                      : code > 0                   ? ": its kernel failed"
                                                   : "");
}
