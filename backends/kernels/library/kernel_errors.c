#include "kernel_errors.h"

static struct {
    int error;
    const char *known, *names;
    const char *given[3]; /* NULL behind the last */
} last;

static const struct {
    uint8_t dtype;
    const char *name;
} types[] = {{TENURE_DTYPE_F32, "f32"},   {TENURE_DTYPE_U8, "u8"},   {TENURE_DTYPE_I8, "i8"},
             {TENURE_DTYPE_U16, "u16"},   {TENURE_DTYPE_I16, "i16"}, {TENURE_DTYPE_I32, "i32"},
             {TENURE_DTYPE_I64, "i64"},   {TENURE_DTYPE_STR, "str"}, {TENURE_DTYPE_BOOL, "bool"},
             {TENURE_DTYPE_F16, "f16"},   {TENURE_DTYPE_F64, "f64"}, {TENURE_DTYPE_U32, "u32"},
             {TENURE_DTYPE_U64, "u64"},   {TENURE_DTYPE_C64, "c64"}, {TENURE_DTYPE_C128, "c128"},
             {TENURE_DTYPE_BF16, "bf16"}, {TENURE_DTYPE_U4, "u4"},   {TENURE_DTYPE_I4, "i4"}};

static const char *type_of(const tenure_tensor *t) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].dtype == t->dtype) {
            return types[i].name;
        }
    }
    return "of another type";
}

int kernel_bad_type(const char *known, const char *names, const tenure_tensor *a,
                    const tenure_tensor *b, const tenure_tensor *c) {
    const tenure_tensor *const tensors[] = {a, b, c};
    int n = 0;
    last.known = known;
    last.names = names;
    for (int i = 0; i < 3; i++) {
        last.given[i] = NULL;
        if (tensors[i] != NULL) {
            last.given[n++] = type_of(tensors[i]);
        }
    }
    return last.error = KERNEL_ERROR_TYPE;
}

int kernel_error(int error) {
    return last.error = error;
}

int kernel_last_error(void) {
    return last.error;
}

const char *kernel_error_name(int error) {
    switch (error) {
    case KERNEL_ERROR_TYPE:
        return "KERNEL_ERROR_TYPE";
    case KERNEL_ERROR_SHAPE:
        return "KERNEL_ERROR_SHAPE";
    case KERNEL_ERROR_VALUE:
        return "KERNEL_ERROR_VALUE";
    case KERNEL_ERROR_WORKSPACE:
        return "KERNEL_ERROR_WORKSPACE";
    default:
        return NULL;
    }
}

void kernel_error_say(int error, void (*say)(const char *piece)) {
    const char *name = kernel_error_name(error);
    say(name != NULL ? name : "an error of the kernel's own");
    switch (error) {
    case KERNEL_ERROR_TYPE:
        say(": ");
        say(last.names);
        for (int i = 0; i < 3 && last.given[i] != NULL; i++) {
            say(i == 0 ? (last.given[1] != NULL ? " are " : " is ") : ", ");
            say(last.given[i]);
        }
        say("; the kernel knows ");
        say(last.known);
        break;
    case KERNEL_ERROR_SHAPE:
        say(": more axes than the kernel can do, or extents that do not fit together");
        break;
    case KERNEL_ERROR_VALUE:
        say(": an attribute, an element of an operand or its place, that the kernel cannot do");
        break;
    case KERNEL_ERROR_WORKSPACE:
        say(": the plan has less workspace than the kernel needs (--op-facts says how much)");
        break;
    default:
        break;
    }
}

void kernel_say_why(void (*say)(const char *piece)) {
    kernel_error_say(kernel_last_error(), say);
}
