/* Reading a module. */
#include "ir/module.h"

#include <string.h>

const char *const tn_alias_words[] = {
    [TN_ALIAS_NONE] = "none",     [TN_ALIAS_VIEW] = "view",   [TN_ALIAS_INPLACE] = "inplace",
    [TN_ALIAS_UPDATE] = "update", [TN_ALIAS_SHARE] = "share", NULL};

const tn_attr *tn_op_attr(const tn_op *op, const char *name) {
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        const char *at = op->attrs[i].name;
        if (at[0] == name[0] && strcmp(at, name) == 0) {
            return &op->attrs[i];
        }
    }
    return NULL;
}

static const tn_attr *attr_of(const tn_op *op, const char *name, tn_attr_kind kind) {
    const tn_attr *a = tn_op_attr(op, name);
    return a != NULL && a->kind == kind ? a : NULL;
}

int64_t tn_attr_int(const tn_op *op, const char *name, int64_t fallback) {
    const tn_attr *a = attr_of(op, name, TN_ATTR_INT);
    return a != NULL ? a->u.i : fallback;
}

double tn_attr_float(const tn_op *op, const char *name, double fallback) {
    const tn_attr *a = attr_of(op, name, TN_ATTR_FLOAT);
    return a != NULL ? a->u.f : fallback;
}

const char *tn_attr_string(const tn_op *op, const char *name, const char *fallback) {
    const tn_attr *a = attr_of(op, name, TN_ATTR_STRING);
    return a != NULL ? a->u.s.data : fallback;
}

const int64_t *tn_attr_ints(const tn_op *op, const char *name, uint32_t *n) {
    const tn_attr *a = attr_of(op, name, TN_ATTR_INTS);
    *n = a != NULL ? a->n : 0;
    return a != NULL ? a->u.ints : NULL;
}

const tn_tensor *tn_value_tensor(const tn_value *v) {
    if (v->kind == TN_VALUE_CONST) {
        return v->tensor;
    }
    if (v->kind == TN_VALUE_RESULT && (v->def->info->traits & TN_T_CONSTANT)) {
        const tn_attr *a = attr_of(v->def, "value", TN_ATTR_TENSOR);
        return a != NULL ? a->u.t : NULL;
    }
    return NULL;
}

bool tn_is_plan_note(const char *key) {
    static const char plan[] = "tenure.plan";
    return strncmp(key, plan, sizeof plan - 1) == 0 &&
           (key[sizeof plan - 1] == '\0' || key[sizeof plan - 1] == '.');
}

bool tn_is_wish(const tn_pair *metadata) {
    static const char wish[] = "tenure.";
    return strncmp(metadata->key, wish, sizeof wish - 1) == 0 && !tn_is_plan_note(metadata->key);
}

const char *tn_op_body_attr(const tn_op *op, uint32_t i) {
    for (uint32_t a = 0; a < op->n_attrs; a++) {
        const tn_attr *attr = &op->attrs[a];
        if (attr->kind == TN_ATTR_GRAPH && attr->u.g == op->regions[i]) {
            return attr->name;
        }
        for (uint32_t k = 0; attr->kind == TN_ATTR_GRAPHS && k < attr->n; k++) {
            if (attr->u.graphs[k] == op->regions[i]) {
                return attr->name;
            }
        }
    }
    return "";
}

bool tn_op_is_call(const tn_op *op) {
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        if (op->attrs[i].kind == TN_ATTR_GRAPH || op->attrs[i].kind == TN_ATTR_GRAPHS) {
            return false;
        }
    }
    return op->n_regions > 0 && !(op->info->traits & TN_T_CONTROL);
}

int64_t tn_module_opset(const tn_module *m, const char *domain) {
    if (strcmp(domain, "ai.onnx") == 0) {
        domain = "";
    }
    for (uint32_t i = 0; i < m->origin.opsets.len; i++) {
        if (strcmp(m->origin.opsets.data[i].domain, domain) == 0) {
            return m->origin.opsets.data[i].version;
        }
    }
    return 0;
}

const char *tn_extent_name(const tn_value *v, uint32_t axis) {
    const char *path = v->graph->path;
    return tn_internf(v->graph->module->ctx, "%s%s%s.%u", path, path[0] != '\0' ? "/" : "", v->name,
                      axis);
}

tn_value *tn_graph_find_value(const tn_graph *g, const char *name) {
    for (; g != NULL; g = g->owner != NULL ? g->owner->graph : NULL) {
        for (uint32_t i = 0; i < g->module->n_values; i++) {
            tn_value *v = g->module->values[i];
            if (v->graph == g && strcmp(v->name, name) == 0 &&
                !(v->kind == TN_VALUE_RESULT && v->def->erased)) {
                return v;
            }
        }
    }
    return NULL;
}

bool tn_graph_within(const tn_graph *inner, const tn_graph *outer) {
    while (inner != NULL && inner != outer) {
        inner = inner->owner != NULL ? inner->owner->graph : NULL;
    }
    return inner != NULL;
}
