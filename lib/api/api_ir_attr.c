/* ir.h: attributes of ops. */
#include <string.h>

#include "ir/base/limits.h"
#include "lib/api/api_ir_t.h"

static bool holds_graph(const tn_attr *a) {
    return a->kind == TN_ATTR_GRAPH || a->kind == TN_ATTR_GRAPHS;
}

/* Puts e->attr, whose content is made, under its name. */
static tn_status put(const tn_edit *e, tn_attr attr) {
    const tn_attr *old = tn_op_attr(e->op, e->name);
    tn_status status = e->name[0] != '\0' ? tn_edit_name(e, "name", e->name)
                                          : tn_edit_refuse(e, "an attribute needs a name");
    if (status == TN_OK && old != NULL && holds_graph(old)) {
        status = tn_edit_refuse(e, "attribute '%s' holds a graph", e->name);
    }
    if (status == TN_OK && old == NULL && e->op->n_attrs >= TN_MAX_ATTRS) {
        status = tn_edit_refuse(e, "the op has %u attributes, which is the limit", TN_MAX_ATTRS);
    }
    if (status == TN_OK) {
        attr.name = e->name;
        tn_op_set_attr(e->op, attr);
    }
    return status;
}

static tn_status set_plain(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    return put(e, e->attr);
}

/* The items at e->data, copied. */
static const void *copy(const tn_edit *e, size_t size) {
    return tn_arena_regrow(e->m->arena, e->data, e->n, e->n, size);
}

static tn_status set_list(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    tn_attr attr = {.kind = e->attr.kind, .n = (uint32_t)e->n};
    (void)ctx;
    if (e->n > TN_MAX_OPERANDS) {
        return tn_edit_refuse(e, "%zu items are more than the limit of %u", e->n, TN_MAX_OPERANDS);
    }
    if (attr.kind == TN_ATTR_INTS) {
        attr.u.ints = copy(e, sizeof *attr.u.ints);
    } else {
        attr.u.floats = copy(e, sizeof *attr.u.floats);
    }
    return put(e, attr);
}

static tenure_status set(tn_edit *e, const char *name, tn_status (*fn)(tn_ctx *ctx, void *edit)) {
    e->name = name;
    return tn_edit_run(e,
                       name == NULL                  ? "name"
                       : e->data == NULL && e->n > 0 ? "values"
                                                     : NULL,
                       fn);
}

tenure_status tenure_op_set_int(tenure_op *op, const char *name, int64_t value) {
    tn_edit e = tn_edit_op("tenure_op_set_int", op);
    e.attr = (tn_attr){.kind = TN_ATTR_INT};
    e.attr.u.i = value;
    return set(&e, name, set_plain);
}

tenure_status tenure_op_set_float(tenure_op *op, const char *name, double value) {
    tn_edit e = tn_edit_op("tenure_op_set_float", op);
    e.attr = (tn_attr){.kind = TN_ATTR_FLOAT};
    e.attr.u.f = value;
    return set(&e, name, set_plain);
}

tenure_status tenure_op_set_ints(tenure_op *op, const char *name, const int64_t *values,
                                 size_t count) {
    tn_edit e = tn_edit_op("tenure_op_set_ints", op);
    e.attr.kind = TN_ATTR_INTS;
    e.data = values;
    e.n = count;
    return set(&e, name, set_list);
}

tenure_status tenure_op_set_floats(tenure_op *op, const char *name, const double *values,
                                   size_t count) {
    tn_edit e = tn_edit_op("tenure_op_set_floats", op);
    e.attr.kind = TN_ATTR_FLOATS;
    e.data = values;
    e.n = count;
    return set(&e, name, set_list);
}

static tn_status set_string(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    if (e->n >= UINT32_MAX) {
        return tn_edit_refuse(e, "a text of %zu bytes", e->n);
    }
    tn_attr attr = {.kind = TN_ATTR_STRING};
    const char *text = e->data != NULL ? e->data : "";
    attr.u.s = (tn_string){tn_arena_strndup(e->m->arena, text, e->n), (uint32_t)e->n};
    return put(e, attr);
}

tenure_status tenure_op_set_string(tenure_op *op, const char *name, const char *text, size_t size) {
    tn_edit e = tn_edit_op("tenure_op_set_string", op);
    e.data = text;
    e.n = size;
    return set(&e, name, set_string);
}

static tn_status set_strings(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    const char *const *texts = e->data;
    (void)ctx;
    if (e->n > TN_MAX_OPERANDS) {
        return tn_edit_refuse(e, "%zu items are more than the limit of %u", e->n, TN_MAX_OPERANDS);
    }
    tn_string *strings = TN_ARRAY(e->m->arena, tn_string, e->n);
    for (size_t i = 0; i < e->n; i++) {
        if (texts[i] == NULL || strlen(texts[i]) >= UINT32_MAX) {
            return tn_edit_refuse(e, "text %zu is NULL", i);
        }
        size_t len = strlen(texts[i]);
        strings[i] = (tn_string){tn_arena_strndup(e->m->arena, texts[i], len), (uint32_t)len};
    }
    tn_attr attr = {.kind = TN_ATTR_STRINGS, .n = (uint32_t)e->n};
    attr.u.strings = strings;
    return put(e, attr);
}

tenure_status tenure_op_set_strings(tenure_op *op, const char *name, const char *const *texts,
                                    size_t count) {
    tn_edit e = tn_edit_op("tenure_op_set_strings", op);
    e.data = texts;
    e.n = count;
    return set(&e, name, set_strings);
}

static tn_status set_tensor(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    tn_attr attr = {.kind = TN_ATTR_TENSOR};
    (void)ctx;
    tn_status status = tn_edit_tensor(e, &attr.u.t);
    return status == TN_OK ? put(e, attr) : status;
}

tenure_status tenure_op_set_tensor(tenure_op *op, const char *name, const tenure_tensor *tensor,
                                   const void *data, tenure_data how) {
    tn_edit e = tn_edit_op("tenure_op_set_tensor", op);
    e.name = name;
    e.tensor = tensor;
    e.data = data;
    e.how = how;
    return tn_edit_run(&e, name == NULL ? "name" : tensor == NULL ? "tensor" : NULL, set_tensor);
}

static tn_status set_type(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    tn_attr attr = {.kind = TN_ATTR_TYPE};
    (void)ctx;
    tn_status status = tn_edit_type(e, e->text, &attr.u.type);
    return status == TN_OK ? put(e, attr) : status;
}

tenure_status tenure_op_set_type(tenure_op *op, const char *name, const char *type) {
    tn_edit e = tn_edit_op("tenure_op_set_type", op);
    e.name = name;
    e.text = type;
    return tn_edit_run(&e, name == NULL ? "name" : type == NULL ? "type" : NULL, set_type);
}

static tn_status remove_attribute(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    const tn_attr *a = tn_op_attr(e->op, e->name);
    (void)ctx;
    if (a == NULL || holds_graph(a)) {
        return tn_edit_refuse(e, "attribute '%s' %s", e->name,
                              a == NULL ? "is not there" : "holds a graph");
    }
    tn_op_remove_attr(e->op, e->name);
    return TN_OK;
}

tenure_status tenure_op_remove_attribute(tenure_op *op, const char *name) {
    tn_edit e = tn_edit_op("tenure_op_remove_attribute", op);
    e.name = name;
    return tn_edit_run(&e, name == NULL ? "name" : NULL, remove_attribute);
}

/* Content is never changed in place, so both ops may have it. */
static tn_status copy_attributes(tn_ctx *ctx, void *arg) {
    tn_edit *e = arg;
    const tn_op *from = e->before;
    tn_status status = TN_OK;
    (void)ctx;
    if (from->graph->module != e->m) {
        return tn_edit_refuse(e, "the other op belongs to another model");
    }
    for (uint32_t i = 0; i < from->n_attrs && status == TN_OK && from != e->op; i++) {
        if (!holds_graph(&from->attrs[i])) {
            e->name = from->attrs[i].name;
            status = put(e, from->attrs[i]);
        }
    }
    return status;
}

tenure_status tenure_op_copy_attributes(tenure_op *op, const tenure_op *from) {
    tn_edit e = tn_edit_op("tenure_op_copy_attributes", op);
    e.before = api_op(from);
    return tn_edit_run(&e, from == NULL ? "from" : NULL, copy_attributes);
}
