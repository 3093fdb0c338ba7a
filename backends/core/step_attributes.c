/* The attributes of a step: a typed struct, or a list where the op table does not know the op. */
#include "backends/core/program.h"
#include "ir/infer/infer.h"

/* Data that a retrained model may have other values of must be read when it runs. */
const tn_attr *tn_cp_known(const tn_cp *c, const tn_plan_step *s, const tn_kernel_field *f) {
    uint32_t value =
        (uint32_t)f->operand < s->operands.len ? s->operands.data[f->operand] : TN_NO_ID;
    uint32_t id = value != TN_NO_ID ? c->in_module[value] : TN_NO_ID;
    if (id == TN_NO_ID || !c->used[id]) {
        return NULL;
    }
    const tn_value *v = c->model->values[id];
    const tn_tensor *t = tn_infer_tensor(v);
    tn_attr *a = TN_NEW(c->arena, tn_attr);
    *a = (tn_attr){.name = f->name, .kind = f->spec.kind, .n = v->n_content};
    if (v->content == NULL && v->float_content == NULL && t != NULL) {
        bool floats = a->kind == TN_ATTR_FLOATS;
        a->n = (uint32_t)t->n_elements;
        if (floats) {
            a->u.floats = t->floats;
        } else {
            a->u.ints = t->ints;
        }
        return (floats ? t->floats != NULL : t->ints != NULL) ? a : NULL;
    }
    if (a->kind == TN_ATTR_FLOATS) {
        a->u.floats = v->float_content;
        return v->float_content != NULL ? a : NULL;
    }
    int64_t *ints = TN_ARRAY(c->arena, int64_t, v->n_content);
    for (uint32_t i = 0; v->content != NULL && i < v->n_content; i++) {
        if (!tn_dim_is_const(c->model->dims, v->content[i], &ints[i])) {
            return NULL;
        }
    }
    a->u.ints = ints;
    return v->content != NULL ? a : NULL;
}

static const tn_attr *field_value(const tn_cp *c, const tn_plan_step *s, const tn_kernel_field *f) {
    return f->operand >= 0 ? tn_cp_known(c, s, f) : tn_plan_attr(s, f->name);
}

tn_status tn_cp_put_attributes(const tn_cp *c, const tn_plan_step *s, const tn_kernel *k) {
    const tn_attr **values = TN_ARRAY(c->arena, const tn_attr *, k->n_fields);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < k->n_fields && status == TN_OK; i++) {
        values[i] = field_value(c, s, &k->fields[i]);
        status = tn_cp_put_attr_table(c, s, tn_arena_printf(c->arena, "a_%s", k->fields[i].id),
                                      values[i]);
    }
    if (status != TN_OK || k->n_fields == 0) {
        return status;
    }
    tn_putf(c->out, "    static const tenure_%s_attributes attributes = {", k->symbol);
    for (uint32_t i = 0; i < k->n_fields; i++) {
        const tn_kernel_field *f = &k->fields[i];
        tn_put(c->out, i > 0 ? ", " : "");
        tn_cp_put_attr_entry(c, f->spec.kind, tn_arena_printf(c->arena, "a_%s", f->id), values[i]);
        if (f->has_mark) {
            tn_putf(c->out, ", %d", values[i] != NULL);
        }
    }
    tn_put(c->out, "};\n");
    return TN_OK;
}

static const char *generic_kind(tn_attr_kind kind) {
    static const char *const words[] = {
        [TN_ATTR_INT] = "INT",       [TN_ATTR_FLOAT] = "FLOAT",   [TN_ATTR_STRING] = "TEXT",
        [TN_ATTR_INTS] = "INTS",     [TN_ATTR_FLOATS] = "FLOATS", [TN_ATTR_STRINGS] = "TEXTS",
        [TN_ATTR_TENSOR] = "TENSOR", [TN_ATTR_TYPES] = NULL,
    };
    return words[kind];
}

tn_status tn_cp_put_generic_attributes(const tn_cp *c, const tn_plan_step *s, uint32_t *n) {
    static const tn_attr_kind kinds[] = {TN_ATTR_INT,   TN_ATTR_FLOAT,  TN_ATTR_STRING,
                                         TN_ATTR_INTS,  TN_ATTR_FLOATS, TN_ATTR_STRINGS,
                                         TN_ATTR_TENSOR};
    tn_status status = TN_OK;
    *n = 0;
    for (uint32_t i = 0; i < s->n_attrs && status == TN_OK; i++) {
        status = tn_cp_put_attr_table(c, s, tn_arena_printf(c->arena, "a_%u", (unsigned)i),
                                      &s->attrs[i]);
    }
    tn_put(c->out, "    static const tenure_attribute attributes[] = {");
    for (uint32_t i = 0; i < s->n_attrs && status == TN_OK; i++) {
        const char *kind = generic_kind(s->attrs[i].kind);
        if (kind == NULL) {
            continue;
        }
        ++*n;
        tn_put(c->out, "\n        {");
        tn_put_c_string(c->out, s->attrs[i].name);
        tn_putf(c->out, ", TENURE_ATTRIBUTE_%s", kind);
        for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            tn_put(c->out, ", ");
            tn_cp_put_attr_entry(c, kinds[k], tn_arena_printf(c->arena, "a_%u", (unsigned)i),
                                 &s->attrs[i]);
        }
        tn_put(c->out, "},");
    }
    tn_put(c->out,
           "\n        {\"\", TENURE_ATTRIBUTE_INT, 0, 0, NULL, {NULL, 0}, {NULL, 0}, {NULL, "
           "0}, NULL}};\n");
    return status;
}
