/* Names of the file; and warnings about repairs, one a kind however often it was needed. */
#include <string.h>

#include "frontends/onnx/import_t.h"
#include "ir/base/limits.h"

const char *tn_onnx_name_n(tn_onnx *imp, const char *text, size_t len) {
    const char *name = tn_intern_n(imp->ctx, text, len);
    if (tn_str_len(name) > TN_MAX_NAME) {
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_fail(imp->ctx, &loc, "the name '%.40s...' has %u bytes, the limit is %u", name,
                (unsigned)tn_str_len(name), TN_MAX_NAME);
    }
    return name;
}

const char *tn_onnx_name(tn_onnx *imp, const char *text) {
    return text == NULL ? tn_onnx_name_n(imp, "", 0) : tn_onnx_name_n(imp, text, strlen(text));
}

const char *tn_onnx_domain(tn_onnx *imp, const char *text) {
    const char *domain = tn_onnx_name(imp, text);
    return strcmp(domain, "ai.onnx") == 0 ? tn_intern(imp->ctx, "") : domain;
}

const char *tn_onnx_overload(tn_onnx *imp, tn_bytes message, uint32_t number) {
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    const char *overload = tn_intern(imp->ctx, "");
    while (tn_wire_next(&w, &f)) {
        if (f.number == number) {
            tn_bytes b = tn_wire_content(&imp->src, &f, "an overload");
            overload = tn_intern_n(imp->ctx, (const char *)b.data, b.size);
        }
    }
    return overload;
}

void tn_onnx_demand_list(tn_onnx *imp, size_t n) {
    if (n > TN_MAX_OPERANDS) {
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_fail(imp->ctx, &loc, "%zu names in one list, the limit is %u", n, TN_MAX_OPERANDS);
    }
}

const char **tn_onnx_name_list(tn_onnx *imp, char **texts, size_t n) {
    tn_onnx_demand_list(imp, n);
    const char **names = TN_ARRAY(imp->arena, const char *, n);
    for (size_t i = 0; i < n; i++) {
        names[i] = tn_onnx_name(imp, texts[i]);
    }
    return names;
}

void tn_onnx_repaired(tn_onnx_repairs *r, const char *name) {
    if (r->n++ == 0) {
        r->first = name;
    }
}

static void report(tn_onnx *imp, const tn_onnx_repairs *r, const char *what) {
    if (r->n == 0) {
        return;
    }
    tn_loc loc = tn_loc_file(imp->src.file);
    if (r->n == 1) {
        tn_warn(imp->ctx, &loc, "'%s' %s", r->first, what);
    } else {
        tn_warn(imp->ctx, &loc, "'%s' (and %u more) %s", r->first, r->n - 1, what);
    }
}

void tn_onnx_report_repairs(tn_onnx *imp) {
    report(imp, &imp->zero_dims, "has a stored dimension of 0, taken as not known");
    report(imp, &imp->no_data, "holds no elements, taken as constant data kept elsewhere");
    report(imp, &imp->node_names, "names several nodes of one graph");
    report(imp, &imp->constants, "has several constant definitions, the last one is taken");
    report(imp, &imp->value_infos, "has several stored types that differ, the last one is taken");
    report(imp, &imp->dtypes, "has an element type with no known meaning");
}
