#include "frontends/core/bind.h"

#include <string.h>

#include "ir/base/limits.h"
#include "ir/mutate.h"

/* What the options say so far. */
typedef struct bindings {
    tn_ctx *ctx;
    tn_loc loc;
    tn_arena *arena;
    tn_dims *stored;
    tn_map values; /* by id of the symbol's name */
    tn_map origin; /* the input that bound it, as a pointer; 0: --dim */
} bindings;

static void bind(bindings *b, const char *name, int64_t value, const char *input) {
    uint64_t old;
    if (!tn_map_get(&b->values, tn_str_id(name), &old)) {
        tn_map_put(&b->values, tn_str_id(name), (uint64_t)value);
        tn_map_put(&b->origin, tn_str_id(name), (uint64_t)(uintptr_t)input);
        return;
    }
    if ((int64_t)old == value) {
        return;
    }
    const char *by = (const char *)(uintptr_t)tn_map_or(&b->origin, tn_str_id(name), 0);
    tn_fail(b->ctx, &b->loc, "dimension '%s' is bound to %lld by %s%s and to %lld by %s%s", name,
            (long long)old, by != NULL ? "the shape of input " : "its name", by != NULL ? by : "",
            (long long)value, input != NULL ? "the shape of input " : "its name",
            input != NULL ? input : "");
}

static bool bound_value(void *user, const char *name, int64_t *value) {
    bindings *b = user;
    uint64_t v;
    bool found = tn_map_get(&b->values, tn_str_id(tn_intern(b->ctx, name)), &v);
    if (found) {
        *value = (int64_t)v;
    }
    return found;
}

static void take_symbol(void *user, const char *name) {
    *(const char **)user = name;
}

/* The name when the dimension is one symbol and nothing else, or NULL. */
static const char *plain_symbol(tn_dims *d, tn_dim dim) {
    const char *symbol = NULL;
    tn_dim_each_symbol(d, dim, take_symbol, &symbol);
    return symbol != NULL && tn_dim_sym(d, symbol) == dim ? symbol : NULL;
}

static const char *text_of(bindings *b, tn_dim d) {
    tn_sink s = tn_sink_make(b->arena);
    tn_dim_print(b->stored, d, &s);
    return s.data;
}

/* Axis `axis` of the input shall be `want`. */
static void bind_axis(bindings *b, const tn_bind_input *in, uint32_t axis, int64_t want) {
    tn_dim d = in->type->dims[axis];
    const char *symbol = plain_symbol(b->stored, d);
    if (symbol != NULL) {
        bind(b, tn_intern(b->ctx, symbol), want, in->name);
        return;
    }
    int64_t have;
    if (d == TN_DIM_UNKNOWN) {
        return; /* tn_bind_finish sets it */
    }
    if (!tn_dim_eval(b->stored, d, bound_value, b, &have)) {
        tn_fail(
            b->ctx, &b->loc,
            "input '%s' has dimension %s at axis %u: bind its symbols by name, a shape does not "
            "determine them",
            in->name, text_of(b, d), axis);
    }
    if (have != want) {
        tn_fail(b->ctx, &b->loc, "input '%s' has %lld at axis %u, the shape given has %lld",
                in->name, (long long)have, axis, (long long)want);
    }
}

static const tn_bind_input *find_input(bindings *b, const tn_bind_input *inputs, uint32_t n,
                                       const char *name) {
    const char **names = TN_ARRAY(b->arena, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(inputs[i].name, name) == 0) {
            return &inputs[i];
        }
        names[i] = inputs[i].name;
    }
    const char *near = tn_nearest(name, names, n);
    if (near != NULL) {
        tn_fail(b->ctx, &b->loc, "the model has no input '%s'; did you mean '%s'?", name, near);
    }
    tn_fail(b->ctx, &b->loc, "the model has no input '%s'", name);
}

static void check_shape(bindings *b, const tn_bind_input *in, const tn_input_shape *s) {
    if (in->type->kind != TN_TYPE_TENSOR) {
        tn_fail(b->ctx, &b->loc, "input '%s' is no tensor and takes no shape", in->name);
    }
    if (s->rank > TN_MAX_RANK || (in->type->has_rank && in->type->rank != s->rank)) {
        uint32_t limit = in->type->has_rank ? in->type->rank : TN_MAX_RANK;
        tn_fail(b->ctx, &b->loc, "input '%s' has %s%u dimensions, the shape given has %u", in->name,
                in->type->has_rank ? "" : "at most ", limit, s->rank);
    }
    for (uint32_t i = 0; i < s->rank; i++) {
        if (s->dims[i] < -1) {
            tn_fail(b->ctx, &b->loc, "the shape given for input '%s' has %lld at axis %u", in->name,
                    (long long)s->dims[i], i);
        }
    }
}

/* Plain symbols first, so that expressions over them can be checked whatever the order. */
static void bind_shapes(bindings *b, const tn_load_options *options, const tn_bind_input *inputs,
                        uint32_t n_inputs) {
    for (int plain = 1; plain >= 0; plain--) {
        for (uint32_t k = 0; k < options->n_shapes; k++) {
            const tn_input_shape *s = &options->shapes[k];
            const tn_bind_input *in = find_input(b, inputs, n_inputs, s->name);
            check_shape(b, in, s);
            for (uint32_t i = 0; i < s->rank && in->type->has_rank; i++) {
                if (s->dims[i] >= 0 &&
                    (plain_symbol(b->stored, in->type->dims[i]) != NULL) == (plain == 1)) {
                    bind_axis(b, in, i, s->dims[i]);
                }
            }
        }
    }
}

/* The symbols of the inputs' shapes, in a fixed order: maps cannot be walked. */
static void apply_symbols(void *user, const char *name) {
    void **pair = user;
    int64_t value;
    if (bound_value(pair[0], name, &value)) {
        tn_dims_bind(pair[1], name, value);
    }
}

void tn_bind_apply(tn_ctx *ctx, const char *file, const tn_load_options *options, tn_dims *stored,
                   const tn_bind_input *inputs, uint32_t n_inputs, tn_dims *target) {
    tn_arena *arena = tn_arena_new(ctx);
    bindings b = {ctx, tn_loc_file(file), arena, stored, tn_map_make(arena), tn_map_make(arena)};
    for (uint32_t i = 0; i < options->n_dims; i++) {
        const tn_dim_binding *d = &options->dims[i];
        if (d->value < 0) {
            tn_fail(ctx, &b.loc, "dimension '%s' cannot be %lld", d->name, (long long)d->value);
        }
        bind(&b, tn_intern(ctx, d->name), d->value, NULL);
        tn_dims_bind(target, d->name, d->value);
    }
    bind_shapes(&b, options, inputs, n_inputs);
    for (uint32_t i = 0; i < options->n_values; i++) {
        (void)find_input(&b, inputs, n_inputs, options->values[i].name);
    }
    void *pair[2] = {&b, target};
    for (uint32_t k = 0; k < n_inputs; k++) {
        const tn_type *t = inputs[k].type;
        for (uint32_t i = 0; t->has_rank && i < t->rank; i++) {
            tn_dim_each_symbol(stored, t->dims[i], apply_symbols, pair);
        }
    }
    tn_arena_drop(arena);
}

static tn_value *main_input(const tn_module *m, const char *name) {
    for (uint32_t i = 0; i < m->main->n_inputs; i++) {
        if (strcmp(m->main->inputs[i]->name, name) == 0) {
            return m->main->inputs[i];
        }
    }
    return NULL;
}

/* Dimensions with no symbol (unknown ones, and all of an input without a shape) are set here. */
static void fill_shape(tn_module *m, tn_value *v, const tn_input_shape *s) {
    const tn_type *t = v->type;
    tn_dim dims[TN_MAX_RANK];
    for (uint32_t i = 0; i < s->rank; i++) {
        dims[i] = t->has_rank ? t->dims[i] : TN_DIM_UNKNOWN;
        if (dims[i] == TN_DIM_UNKNOWN) {
            dims[i] = s->dims[i] >= 0
                          ? tn_dim_const(m->dims, s->dims[i])
                          : tn_dim_sym(m->dims, tn_internf(m->ctx, "%s.%u", v->name, i));
        }
    }
    tn_value_set_type(v, tn_type_tensor(m->arena, t->dtype, s->rank, dims));
}

/* What inference knows of the input from here on. */
static void fill_value(tn_module *m, tn_value *v, const tn_input_value *given) {
    tn_loc loc = tn_loc_file(m->file);
    const tn_type *t = v->type;
    char kind = t->kind == TN_TYPE_TENSOR ? tn_dtype_get(t->dtype)->kind : 0;
    int64_t n;
    tn_sink text = tn_sink_make(m->arena);
    tn_type_print(m->dims, t, &text);
    if (kind == 0 || strchr("IUBF", kind) == NULL) {
        tn_fail(m->ctx, &loc, "input '%s' is %s, which takes no value", v->name, text.data);
    }
    if (!tn_dim_is_const(m->dims, tn_type_elements(m->dims, t), &n)) {
        tn_fail(m->ctx, &loc, "input '%s' is %s, which takes no value before its shape is known",
                v->name, text.data);
    }
    if (n != given->n) {
        tn_fail(m->ctx, &loc, "input '%s' is %s of %lld elements, the value given has %u", v->name,
                text.data, (long long)n, given->n);
    }
    if (kind == 'F') {
        tn_value_set_content(
            v, given->n, NULL,
            tn_arena_regrow(m->arena, given->floats, given->n, given->n, sizeof *given->floats));
        return;
    }
    if (given->ints == NULL) {
        tn_fail(m->ctx, &loc, "input '%s' is %s and takes whole numbers", v->name, text.data);
    }
    tn_dim *dims = TN_ARRAY(m->arena, tn_dim, given->n);
    for (uint32_t i = 0; i < given->n; i++) {
        dims[i] = tn_dim_const(m->dims, given->ints[i]);
    }
    tn_value_set_content(v, given->n, dims, NULL);
}

void tn_bind_finish(tn_module *m, tn_bind_names *names, const tn_load_options *options) {
    tn_loc loc = tn_loc_file(m->file);
    for (uint32_t i = 0; i < options->n_shapes; i++) {
        tn_value *v = main_input(m, options->shapes[i].name);
        if (v != NULL) {
            fill_shape(m, v, &options->shapes[i]);
        }
    }
    for (uint32_t i = 0; i < options->n_values; i++) {
        tn_value *v = main_input(m, options->values[i].name);
        if (v != NULL) {
            fill_value(m, v, &options->values[i]);
        }
    }
    for (uint32_t i = 0; i < options->n_dims; i++) {
        const char *name = tn_intern(m->ctx, options->dims[i].name);
        if (tn_map_or(&names->seen, tn_str_id(name), 0) != 0) {
            continue;
        }
        const char *near = tn_nearest(name, names->list.data, names->list.len);
        if (near != NULL) {
            tn_fail(m->ctx, &loc, "the model has no dimension '%s'; did you mean '%s'?", name,
                    near);
        }
        tn_fail(m->ctx, &loc, "the model has no dimension '%s'%s", name,
                names->list.len == 0 ? ", all of its dimensions are fixed" : "");
    }
}
