/* Attributes of fused ops, and Conv with the Relu behind it. */
#include "fused.h"

#include "conv.h"

static const tenure_attribute *find(fused_attributes a, const char *name) {
    for (uint32_t i = 0; i < a.n; i++) {
        if (strcmp(a.at[i].name, name) == 0) {
            return &a.at[i];
        }
    }
    return NULL;
}

tenure_ints fused_ints(fused_attributes a, const char *name) {
    const tenure_attribute *found = find(a, name);
    tenure_ints none = {NULL, 0};
    return found != NULL ? found->ints : none;
}

int64_t fused_int(fused_attributes a, const char *name, int64_t otherwise) {
    const tenure_attribute *found = find(a, name);
    return found != NULL ? found->i : otherwise;
}

int fused_has(fused_attributes a, const char *type) {
    const tenure_attribute *ops = find(a, "ops");
    for (uint32_t i = 0; ops != NULL && i < ops->texts.count; i++) {
        if (strcmp(ops->texts.at[i], type) == 0) {
            return 1;
        }
    }
    return 0;
}

int fused_window(fused_attributes a, const tenure_tensor *x, const tenure_tensor *y, window *w) {
    const tenure_attribute *auto_pad = find(a, "Conv.auto_pad");
    return window_of(x, y, fused_ints(a, "Conv.kernel_shape"), fused_ints(a, "Conv.strides"),
                     fused_ints(a, "Conv.dilations"), fused_ints(a, "Conv.pads"),
                     auto_pad != NULL ? auto_pad->text : NULL, w);
}

/* X W B -> Y */
tenure_generic tenure_fused_ConvRelu_1;
int tenure_fused_ConvRelu_1(const tenure_attribute *attributes, uint32_t n_attributes,
                            const tenure_tensor *const *operands, uint32_t n_operands,
                            const tenure_tensor *const *results, uint32_t n_results,
                            const tenure_context *context) {
    fused_attributes a = {attributes, n_attributes};
    window w;
    if (n_operands != 3 || n_results != 1) {
        return KERNEL_BAD_SHAPE;
    }
    int bad = fused_window(a, operands[0], results[0], &w);
    bad = bad ? bad
              : conv_floats(&w, fused_int(a, "Conv.group", 1), operands[0], operands[1],
                            operands[2], results[0], context);
    float *y = OUT(results[0], float);
    for (size_t i = 0; !bad && i < results[0]->elements; i++) {
        y[i] = y[i] > 0 ? y[i] : 0;
    }
    return bad;
}
