/* ir.h: reading values, and types as text. */
#include "ir/tensor_bytes.h"
#include "lib/api/api_ir_t.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), "passed through")
SAME(TN_VALUE_INPUT, TENURE_VALUE_INPUT);
SAME(TN_VALUE_CONST, TENURE_VALUE_CONSTANT);
SAME(TN_VALUE_RESULT, TENURE_VALUE_RESULT);

const char *tenure_value_name(const tenure_value *value) {
    return value != NULL ? api_value(value)->name : NULL;
}

tenure_graph *tenure_value_graph(const tenure_value *value) {
    return value != NULL ? (tenure_graph *)api_value(value)->graph : NULL;
}

tenure_value_kind tenure_value_get_kind(const tenure_value *value) {
    return value != NULL ? (tenure_value_kind)api_value(value)->kind : TENURE_VALUE_INPUT;
}

uint32_t tenure_value_flags(const tenure_value *value) {
    enum { PUBLIC = TENURE_VALUE_PARAM_GRAD * 2 - 1 };
    return value != NULL ? api_value(value)->flags & PUBLIC : 0;
}

/* ---- types ---- */

/* A type, or the extent of a type, as an interned text. */
typedef struct text_args {
    const tn_module *m;
    const tn_type *type;
    tn_dim dim;
    const char *text;
} text_args;

static tn_status make_text(tn_ctx *ctx, void *arg) {
    text_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_sink text = tn_sink_make(arena);
    if (a->type != NULL) {
        tn_type_print(a->m->dims, a->type, &text);
    } else {
        tn_dim_print(a->m->dims, a->dim, &text);
    }
    a->text = tn_intern(ctx, text.data);
    tn_arena_drop(arena);
    return TN_OK;
}

static const char *text_of(text_args a) {
    return tn_guard_run(a.m->ctx, make_text, &a) == TN_OK ? a.text : NULL;
}

const char *tenure_value_type(const tenure_value *value) {
    const tn_value *v = api_value(value);
    return v != NULL ? text_of((text_args){.m = v->graph->module, .type = v->type}) : NULL;
}

const char *tenure_op_attribute_type(const tenure_op *op, const char *name, size_t index) {
    const tn_attr *a = op != NULL && name != NULL ? tn_op_attr(api_op(op), name) : NULL;
    text_args args = {.m = op != NULL ? api_op(op)->graph->module : NULL};
    if (a != NULL && a->kind == TN_ATTR_TYPE && index == 0) {
        args.type = a->u.type;
    } else if (a != NULL && a->kind == TN_ATTR_TYPES && index < a->n) {
        args.type = a->u.types[index];
    }
    return args.type != NULL ? text_of(args) : NULL;
}

/* The type where it is a tensor's; NULL for others. */
static const tn_type *tensor_of(const tenure_value *value) {
    const tn_type *t = value != NULL ? api_value(value)->type : NULL;
    return t != NULL && t->kind == TN_TYPE_TENSOR ? t : NULL;
}

tenure_dtype tenure_value_dtype(const tenure_value *value) {
    const tn_type *t = tensor_of(value);
    return t != NULL ? (tenure_dtype)t->dtype : TENURE_UNKNOWN;
}

int64_t tenure_value_rank(const tenure_value *value) {
    const tn_type *t = tensor_of(value);
    return t != NULL && t->has_rank ? (int64_t)t->rank : -1;
}

static const tn_dim *dim_of(const tenure_value *value, size_t axis) {
    const tn_type *t = tensor_of(value);
    return t != NULL && t->has_rank && axis < t->rank ? &t->dims[axis] : NULL;
}

int64_t tenure_value_extent(const tenure_value *value, size_t axis) {
    const tn_dim *dim = dim_of(value, axis);
    int64_t extent;
    bool known =
        dim != NULL && tn_dim_is_const(api_value(value)->graph->module->dims, *dim, &extent);
    return known ? extent : -1;
}

const char *tenure_value_dim(const tenure_value *value, size_t axis) {
    const tn_dim *dim = dim_of(value, axis);
    return dim != NULL ? text_of((text_args){.m = api_value(value)->graph->module, .dim = *dim})
                       : NULL;
}

/* ---- edges ---- */

tenure_op *tenure_value_producer(const tenure_value *value, size_t *result) {
    const tn_value *v = api_value(value);
    if (v == NULL || v->kind != TN_VALUE_RESULT) {
        return NULL;
    }
    if (result != NULL) {
        *result = v->def_index;
    }
    return (tenure_op *)v->def;
}

size_t tenure_value_use_count(const tenure_value *value) {
    return value != NULL ? api_value(value)->n_uses : 0;
}

tenure_op *tenure_value_use(const tenure_value *value, size_t index, size_t *operand) {
    const tn_use *u = value != NULL ? api_value(value)->first_use : NULL;
    for (; u != NULL && index > 0; index--) {
        u = u->next;
    }
    if (u != NULL && operand != NULL) {
        *operand = u->index;
    }
    return u != NULL ? (tenure_op *)u->op : NULL;
}

tenure_alias tenure_value_alias(const tenure_value *value, tenure_value **of, int64_t *offset) {
    const tn_value *v = api_value(value);
    if (of != NULL) {
        *of = v != NULL ? (tenure_value *)v->alias_of : NULL;
    }
    if (offset != NULL) {
        *offset = v != NULL ? v->alias_offset : 0;
    }
    return v != NULL ? (tenure_alias)v->alias_kind : TENURE_ALIAS_NONE;
}

/* ---- data ---- */

static const tn_tensor *data_of(const tn_value *v) {
    return v->kind == TN_VALUE_INPUT ? v->tensor : tn_value_tensor(v);
}

int tenure_value_tensor(const tenure_value *value, tenure_tensor *out) {
    const tn_tensor *t = value != NULL ? data_of(api_value(value)) : NULL;
    return t != NULL && tn_api_tensor(t, out);
}

typedef struct bytes_args {
    const tn_value *value;
    tenure_buffer *out;
} bytes_args;

static tn_status put_bytes(tn_ctx *ctx, void *arg) {
    bytes_args *a = arg;
    const tn_tensor *t = data_of(a->value);
    if (t == NULL || !tn_tensor_has_bytes(t)) {
        tn_loc loc = tn_loc_file(a->value->graph->module->file);
        return tn_error(ctx, &loc, "tenure_value_bytes: '%s' %s", a->value->name,
                        t == NULL ? "has no data" : "has data that are not at hand");
    }
    a->out = tn_api_buffer_new(ctx);
    tn_tensor_put_bytes(t, &a->out->text);
    return TN_OK;
}

tenure_status tenure_value_bytes(const tenure_value *value, tenure_buffer **out) {
    bytes_args a = {.value = api_value(value)};
    tn_ctx *ctx = value != NULL ? a.value->graph->module->ctx : NULL;
    if (out != NULL) {
        *out = NULL;
    }
    if (value == NULL || out == NULL) {
        return tn_api_null(ctx, "tenure_value_bytes", "out");
    }
    tn_status status = tn_guard_run(ctx, put_bytes, &a);
    *out = status == TN_OK ? a.out : NULL;
    return (tenure_status)status;
}
