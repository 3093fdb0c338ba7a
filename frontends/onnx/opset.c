/* Opset imports of the model and of its functions. */
#include "frontends/onnx/import_t.h"
#include "ir/base/limits.h"

static const char *shown(const char *domain) {
    return domain[0] == '\0' ? "ai.onnx" : domain;
}

static void add(tn_onnx *imp, tn_onnx_opsets *sets, const char *domain, int64_t version,
                const char *of) {
    tn_loc loc = tn_loc_file(imp->src.file);
    for (uint32_t i = 0; i < sets->len; i++) {
        tn_opset *have = &sets->data[i];
        if (have->domain != domain) {
            continue;
        }
        if (have->version != version) {
            int64_t high = have->version > version ? have->version : version;
            tn_warn(imp->ctx, &loc, "%s imports %s in versions %lld and %lld, %lld is taken", of,
                    shown(domain), (long long)have->version, (long long)version, (long long)high);
            have->version = high;
        }
        return;
    }
    sets->data[sets->len++] = (tn_opset){domain, version};
}

/* 0 is what a file has that leaves the version out. */
static void demand_version(tn_onnx *imp, const Onnx__OperatorSetIdProto *proto, const char *of) {
    if (proto->version < 0) {
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_fail(imp->ctx, &loc, "%s imports %s in version %lld, which must not be below 0", of,
                shown(tn_onnx_domain(imp, proto->domain)), (long long)proto->version);
    }
}

/* Training exporters merge models and list a domain several times. Runtimes check all nodes against
 * the highest version, so that one is taken. */
tn_onnx_opsets tn_onnx_read_opsets(tn_onnx *imp, Onnx__OperatorSetIdProto **protos, size_t n,
                                   const char *of) {
    if (n > TN_MAX_OPSETS) {
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_fail(imp->ctx, &loc, "%s imports %zu opsets, the limit is %u", of, n, TN_MAX_OPSETS);
    }
    tn_onnx_opsets sets = {TN_ARRAY(imp->arena, tn_opset, n), 0};
    for (size_t i = 0; i < n; i++) {
        demand_version(imp, protos[i], of);
        add(imp, &sets, tn_onnx_domain(imp, protos[i]->domain), protos[i]->version, of);
    }
    return sets;
}

static int64_t find(const tn_onnx_opsets *sets, const char *domain) {
    for (uint32_t i = 0; i < sets->len; i++) {
        if (sets->data[i].domain == domain) {
            return sets->data[i].version;
        }
    }
    return 0;
}

int64_t tn_onnx_version(tn_onnx *imp, const tn_onnx_env *env, const char *domain, bool needed) {
    int64_t version = env != NULL ? find(&env->fn->opsets, domain) : 0;
    if (version == 0) {
        version = find(&imp->opsets, domain);
    }
    if (version == 0 && needed && tn_map_or(&imp->no_import, tn_str_id(domain), 0) == 0) {
        tn_map_put(&imp->no_import, tn_str_id(domain), 1);
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_warn(imp->ctx, &loc,
                "no opset import for domain %s, whose version is taken as not known",
                shown(domain));
    }
    return version;
}
