#include "frontends/core/bind.h"

#include <string.h>

#include "frontends/core/relate.h"
#include "frontends/core/symbols.h"
#include "ir/base/limits.h"
#include "ir/mutate.h"
#include "ir/substitute.h"

/* What the options say so far. */
typedef struct bindings {
    tn_module *m;
    tn_loc loc;
    tn_arena *arena;
    tn_map values; /* by id of the symbol's name */
    tn_map by;     /* the input whose shape bound it, as a pointer; 0: its name */
} bindings;

/* `input` NULL: by name. */
static void bind(bindings *b, const char *symbol, int64_t value, const char *input) {
    uint32_t id = tn_str_id(tn_intern(b->m->ctx, symbol));
    uint64_t old;
    if (!tn_map_get(&b->values, id, &old)) {
        tn_map_put(&b->values, id, (uint64_t)value);
        tn_map_put(&b->by, id, (uint64_t)(uintptr_t)input);
        return;
    }
    if ((int64_t)old == value) {
        return;
    }
    const char *by = (const char *)(uintptr_t)tn_map_or(&b->by, id, 0);
    tn_fail_usage(b->m->ctx, &b->loc, "dimension '%s' is bound to %lld by %s%s and to %lld by %s%s",
                  symbol, (long long)old, by != NULL ? "the shape of input " : "its name",
                  by != NULL ? by : "", (long long)value,
                  input != NULL ? "the shape of input " : "its name", input != NULL ? input : "");
}

static bool bound_value(void *user, const char *name, int64_t *value) {
    bindings *b = user;
    uint64_t v;
    bool found = tn_map_get(&b->values, tn_str_id(tn_intern(b->m->ctx, name)), &v);
    if (found) {
        *value = (int64_t)v;
    }
    return found;
}

/* ---- symbols by name ---- */

/* The point is for the planner to choose. */
static void open_dim(tn_module *m, const char *name, int64_t min, int64_t max) {
    tn_dims_open(m->dims, (tn_dim_range){name, min, max, min});
}

static void bind_names(bindings *b, const tn_load_options *options) {
    tn_symbols all = tn_symbols_of(b->m, b->arena);
    for (uint32_t i = 0; i < options->n_dims; i++) {
        const tn_dim_binding *d = &options->dims[i];
        if (d->is != NULL || (d->optional && !tn_symbols_have(&all, d->name))) {
            continue;
        }
        tn_symbols_demand(&all, d->name);
        if (d->value < 0) {
            tn_fail_usage(b->m->ctx, &b->loc, "dimension '%s' cannot be %lld", d->name,
                          (long long)d->value);
        }
        int64_t old;
        if (tn_dims_bound(b->m->dims, d->name, &old) && (d->open || old != d->value)) {
            tn_fail_usage(b->m->ctx, &b->loc,
                          "dimension '%s' is bound to %lld already, not to %lld%s", d->name,
                          (long long)old, (long long)d->value, d->open ? " and up" : "");
        }
        if (d->open) {
            open_dim(b->m, d->name, d->value, d->max);
        } else {
            bind(b, d->name, d->value, NULL);
        }
    }
}

/* ---- shapes of inputs ---- */

static tn_value *find_input(const bindings *b, const char *name) {
    const tn_graph *main = b->m->main;
    const char **all = TN_ARRAY(b->arena, const char *, main->n_inputs);
    for (uint32_t i = 0; i < main->n_inputs; i++) {
        all[i] = main->inputs[i]->name;
        if (strcmp(all[i], name) == 0) {
            return main->inputs[i];
        }
    }
    for (uint32_t i = 0; i < main->n_consts; i++) {
        if (strcmp(main->consts[i]->name, name) == 0) {
            tn_fail_usage(b->m->ctx, &b->loc,
                          "'%s' is an initializer, not an input (--overridable-initializers keeps "
                          "initializers that the graph lists as inputs)",
                          name);
        }
    }
    const char *near = tn_nearest(name, all, main->n_inputs);
    if (near != NULL) {
        tn_fail_usage(b->m->ctx, &b->loc, "the model has no input '%s'; did you mean '%s'?", name,
                      near);
    }
    tn_fail_usage(b->m->ctx, &b->loc, "the model has no input '%s'", name);
}

static void check_shape(const bindings *b, const tn_value *v, const tn_input_shape *s) {
    const tn_type *t = v->type;
    if (t->kind != TN_TYPE_TENSOR) {
        tn_fail_usage(b->m->ctx, &b->loc, "input '%s' is not a tensor and takes no shape", v->name);
    }
    if (s->rank > TN_MAX_RANK || (t->has_rank && t->rank != s->rank)) {
        tn_fail_usage(b->m->ctx, &b->loc, "input '%s' has %s%u dimensions, the shape given has %u",
                      v->name, t->has_rank ? "" : "at most ", t->has_rank ? t->rank : TN_MAX_RANK,
                      s->rank);
    }
    for (uint32_t i = 0; i < s->rank; i++) {
        if (s->dims[i] < -1) {
            tn_fail_usage(b->m->ctx, &b->loc, "the shape given for input '%s' has %lld at axis %u",
                          v->name, (long long)s->dims[i], i);
        }
    }
}

/* Axis `axis` of the input, which is no plain symbol, shall be `want`. */
static void check_extent(bindings *b, const tn_value *v, uint32_t axis, int64_t want) {
    tn_dim d = v->type->dims[axis];
    int64_t have;
    if (d == TN_DIM_UNKNOWN) {
        return; /* fill_shape sets it */
    }
    if (!tn_dim_eval(b->m->dims, d, bound_value, b, &have)) {
        tn_sink text = tn_sink_make(b->arena);
        tn_dim_print(b->m->dims, d, &text);
        tn_fail_usage(
            b->m->ctx, &b->loc,
            "input '%s' has dimension %s at axis %u: bind its symbols by name, a shape does "
            "not determine them",
            v->name, text.data, axis);
    }
    if (have != want) {
        tn_fail_usage(b->m->ctx, &b->loc,
                      "input '%s' has %lld at axis %u, the shape given has %lld", v->name,
                      (long long)have, axis, (long long)want);
    }
}

/* The symbol is what the shape says. */
static void bind_extent(bindings *b, const tn_value *v, uint32_t axis, int64_t want) {
    bind(b, tn_dim_symbol(b->m->dims, v->type->dims[axis]), want, v->name);
}

/* Plain symbols first, so that expressions over them can be checked whatever the order. */
static void bind_shapes(bindings *b, const tn_load_options *options) {
    for (int plain = 1; plain >= 0; plain--) {
        for (uint32_t k = 0; k < options->n_shapes; k++) {
            const tn_input_shape *s = &options->shapes[k];
            const tn_value *v = find_input(b, s->name);
            check_shape(b, v, s);
            for (uint32_t i = 0; i < s->rank && v->type->has_rank; i++) {
                bool symbol = tn_dim_symbol(b->m->dims, v->type->dims[i]) != NULL;
                if (s->dims[i] >= 0 && symbol == (plain == 1)) {
                    (symbol ? bind_extent : check_extent)(b, v, i, s->dims[i]);
                }
            }
        }
    }
}

static void set_bound(void *user, const char *name) {
    bindings *b = user;
    int64_t value;
    if (bound_value(b, name, &value)) {
        tn_dims_bind(b->m->dims, name, value);
    }
}

/* ---- what has no symbol ---- */

/* Unknown extents, and all of an input without a rank. */
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
static void fill_value(const bindings *b, tn_value *v, const tn_input_value *given) {
    tn_module *m = b->m;
    const tn_type *t = v->type;
    char kind = t->kind == TN_TYPE_TENSOR ? tn_dtype_get(t->dtype)->kind : 0;
    int64_t n;
    tn_sink text = tn_sink_make(b->arena);
    tn_type_print(m->dims, t, &text);
    if (kind == 0 || strchr("IUBF", kind) == NULL) {
        tn_fail_usage(m->ctx, &b->loc, "input '%s' is %s, which takes no value", v->name,
                      text.data);
    }
    if (!tn_type_fixed_elements(m->dims, t, &n)) {
        tn_fail_usage(m->ctx, &b->loc,
                      "input '%s' is %s, which takes no value before its shape is known", v->name,
                      text.data);
    }
    if (n != given->n) {
        tn_fail_usage(m->ctx, &b->loc, "input '%s' is %s of %lld elements, the value given has %u",
                      v->name, text.data, (long long)n, given->n);
    }
    if (kind == 'F') {
        tn_value_set_content(
            v, given->n, NULL,
            tn_arena_regrow(m->arena, given->floats, given->n, given->n, sizeof *given->floats));
        return;
    }
    if (given->ints == NULL) {
        tn_fail_usage(m->ctx, &b->loc, "input '%s' is %s and takes whole numbers", v->name,
                      text.data);
    }
    tn_dim *dims = TN_ARRAY(m->arena, tn_dim, given->n);
    for (uint32_t i = 0; i < given->n; i++) {
        dims[i] = tn_dim_const(m->dims, given->ints[i]);
    }
    tn_value_set_content(v, given->n, dims, NULL);
}

/* ---- everything else, which stays open ---- */

/* Inputs of which nothing is known at an axis get a symbol there, as with a shape that leaves the
 * axis as it is. */
static void name_extents(tn_module *m) {
    for (uint32_t i = 0; i < m->main->n_inputs; i++) {
        tn_value *v = m->main->inputs[i];
        int64_t any[TN_MAX_RANK];
        memset(any, 0xff, sizeof any);
        if (v->type->kind == TN_TYPE_TENSOR && v->type->has_rank && v->type->rank <= TN_MAX_RANK) {
            fill_shape(m, v, &(tn_input_shape){v->name, any, v->type->rank});
        }
    }
}

static void open_unbound(void *user, const char *name) {
    tn_module *m = user;
    int64_t value;
    if (!tn_dims_bound(m->dims, name, &value) && !tn_dims_related(m->dims, name) &&
        tn_dims_range_of(m->dims, name) == NULL) {
        open_dim(m, name, 1, INT64_MAX);
    }
}

void tn_bind_open(tn_module *m, const tn_load_options *options) {
    if (options->n_dims == 0 && options->n_shapes == 0 && options->n_values == 0 &&
        !options->open_all) {
        return;
    }
    tn_arena *arena = tn_arena_new(m->ctx);
    bindings b = {m, tn_loc_file(m->file), arena, tn_map_make(arena), tn_map_make(arena)};
    bind_names(&b, options);
    tn_relate(m, options);
    bind_shapes(&b, options);
    tn_dims_each_symbol(m->dims, set_bound, &b);
    tn_module_substitute(m);
    for (uint32_t i = 0; i < options->n_shapes; i++) {
        fill_shape(m, find_input(&b, options->shapes[i].name), &options->shapes[i]);
    }
    for (uint32_t i = 0; i < options->n_values; i++) {
        fill_value(&b, find_input(&b, options->values[i].name), &options->values[i]);
    }
    if (options->open_all) {
        name_extents(m);
        tn_dims_each_symbol(m->dims, open_unbound, m);
    }
    tn_relations_demand(m);
    tn_arena_drop(arena);
}

static bool is_open(const tn_module *m, const tn_dim_binding *d) {
    const tn_dim_range *range = tn_dims_range_of(m->dims, d->name);
    return range != NULL && range->min == d->value && range->max == d->max;
}

tn_status tn_bind_agrees(const tn_module *m, const tn_dim_binding *dims, uint32_t n) {
    tn_loc loc = tn_loc_file(m->file);
    for (uint32_t i = 0; i < n; i++) {
        int64_t value;
        if (dims[i].is != NULL) {
            if (!tn_relation_agrees(m, &dims[i])) {
                return tn_usage(m->ctx, &loc,
                                "dimension '%s' is not %s in the model: load the model so",
                                dims[i].name, dims[i].is);
            }
            continue;
        }
        if (dims[i].open) {
            if (!is_open(m, &dims[i])) {
                return tn_usage(m->ctx, &loc,
                                "dimension '%s' has another range in the model: load the model "
                                "with this one",
                                dims[i].name);
            }
            continue;
        }
        if (!tn_dims_bound(m->dims, dims[i].name, &value)) {
            return tn_usage(
                m->ctx, &loc,
                "dimension '%s' is open in the model, and planning binds none: load the "
                "model with it, or bind it first",
                dims[i].name);
        }
        if (value != dims[i].value) {
            return tn_usage(m->ctx, &loc,
                            "dimension '%s' is %lld for planning, and bound to %lld in the model",
                            dims[i].name, (long long)dims[i].value, (long long)value);
        }
    }
    return TN_OK;
}
