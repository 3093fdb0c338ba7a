/* What went wrong, in words. */
#include <inttypes.h>
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

static void add(text *t, const char *piece) {
    size_t n = strlen(piece);
    n = n < t->left ? n : t->left - 1;
    memcpy(t->at, piece, n);
    t->at += n;
    t->left -= n;
    *t->at = '\0';
}

static void add_number(text *t, int64_t x) {
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, x);
    add(t, digits);
}

static void add_values(text *t, const tenure_cl_plan *plan, tenure_cl_list list) {
    const uint32_t *ids = tenure_cl_ids(plan, list);
    for (uint32_t i = 0; i < list.len; i++) {
        add(t, i > 0 ? ", " : " ");
        if (ids[i] == TENURE_CL_NONE) {
            add(t, "none");
            continue;
        }
        const tenure_cl_value *v = &plan->values[ids[i]];
        add(t, v->name);
        add(t, " ");
        add(t, v->dtype);
        add(t, "[");
        for (uint32_t k = 0; k < v->dims.len; k++) {
            add(t, k > 0 ? "," : "");
            add_number(t, plan->dims[v->dims.at + k]);
        }
        add(t, "]");
    }
}

void tenure_cl_explain(const tenure_cl *rt, cl_int code, uint32_t step, char *why,
                       size_t why_size) {
    text t = {why, why_size};
    const tenure_cl_step *s = step < rt->plan->n_steps ? &rt->plan->steps[step] : NULL;
    char device[256] = "";
    if (why_size == 0) {
        return;
    }
    if (s != NULL) {
        add(&t, "step ");
        add_number(&t, step);
        add(&t, ", ");
        add(&t, s->op);
        add(&t, " '");
        add(&t, s->name);
        add(&t, "' of");
        add_values(&t, rt->plan, s->operands);
        add(&t, " to");
        add_values(&t, rt->plan, s->results);
    }
    if (rt->device != NULL && clGetDeviceInfo(rt->device, CL_DEVICE_NAME, sizeof device - 1, device,
                                              NULL) == CL_SUCCESS) {
        add(&t, " on ");
        add(&t, device);
    }
    add(&t, code == TENURE_CL_NO_INDEX ? ": an operand holds what is no index, or no class"
            : code == CL_INVALID_PROGRAM
                ? ": the program needs tenure_cl_build first, CL_INVALID_PROGRAM"
            : code > 0 ? ": its kernel failed"
                       : ": ");
    add(&t, code < 0 && code != CL_INVALID_PROGRAM ? tenure_cl_error(code) : "");
    add(&t, " (");
    add_number(&t, code);
    add(&t, ")");
}
