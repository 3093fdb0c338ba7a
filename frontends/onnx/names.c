/* Names of the file, and repairs that are told once however often they were needed. */
#include "frontends/onnx/import.h"
#include "ir/base/limits.h"

const char *tn_onnx_name(tn_onnx *in, const char *text) {
    const char *name = tn_intern(in->ctx, text);
    if (tn_str_len(name) > TN_MAX_NAME) {
        tn_loc loc = tn_loc_file(in->src.file);
        tn_fail(in->ctx, &loc, "the name '%.40s...' has %u bytes, the limit is %u", name,
                (unsigned)tn_str_len(name), TN_MAX_NAME);
    }
    return name;
}

const char **tn_onnx_name_list(tn_onnx *in, char **texts, size_t n) {
    if (n > TN_MAX_OPERANDS) {
        tn_loc loc = tn_loc_file(in->src.file);
        tn_fail(in->ctx, &loc, "%zu names in one list, the limit is %u", n, TN_MAX_OPERANDS);
    }
    const char **names = TN_ARRAY(in->arena, const char *, n);
    for (size_t i = 0; i < n; i++) {
        names[i] = tn_onnx_name(in, texts[i]);
    }
    return names;
}

void tn_onnx_repaired(tn_onnx_repairs *r, const char *name) {
    if (r->n++ == 0) {
        r->first = name;
    }
}

static void tell(tn_onnx *in, const tn_onnx_repairs *r, const char *what) {
    if (r->n == 0) {
        return;
    }
    tn_loc loc = tn_loc_file(in->src.file);
    if (r->n == 1) {
        tn_warn(in->ctx, &loc, "'%s' %s", r->first, what);
    } else {
        tn_warn(in->ctx, &loc, "'%s' (and %u more) %s", r->first, r->n - 1, what);
    }
}

void tn_onnx_tell_repairs(tn_onnx *in) {
    tell(in, &in->zero_dims, "has a stored dimension of 0, taken as not known");
    tell(in, &in->no_data, "holds no elements, taken as constant data kept elsewhere");
    tell(in, &in->node_names, "names several nodes of one graph");
    tell(in, &in->constants, "has several constant definitions, the last one is taken");
    tell(in, &in->value_infos, "has several stored types that differ, the last one is taken");
    tell(in, &in->dtypes, "has an element type with no known meaning");
}
