/* What a model leaves open, where it comes from, and a command line that binds it.
 * Symbols of inner values that follow from what the inputs have are left out: types are inferred
 * under the numbers of that command line, and what is left then has to be bound too. */
#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/base/quote.h"
#include "ir/build.h"
#include "ir/dim/dim.h"
#include "lib/dims/dims_trial.h"
#include "lib/dims/open_dims.h"
#include "lib/request/request.h"

/* A symbol and the first place it was seen at. */
typedef struct symbol {
    const char *name;
    const tn_value *value;
    uint32_t axis, n_places;
    bool open; /* some type still names it when those of the inputs are numbers */
} symbol;

typedef struct finder {
    tn_arena *arena;
    tn_module *module;
    tn_map index; /* of name ids in `symbols` */
    TN_VEC(symbol) symbols;
    const tn_value *value; /* being looked at */
    uint32_t axis;
    const tn_module *typed; /* with numbers for what the inputs leave open */
} finder;

static void on_symbol(void *user, const char *name) {
    finder *f = user;
    const char *interned = tn_intern(f->module->ctx, name);
    uint64_t at = tn_map_or(&f->index, tn_str_id(interned), UINT64_MAX);
    if (at == UINT64_MAX) {
        tn_map_put(&f->index, tn_str_id(interned), f->symbols.len);
        tn_vec_push(f->arena, &f->symbols, (symbol){interned, f->value, f->axis, 1, false});
    } else {
        f->symbols.data[at].n_places++;
    }
}

static void look_at(finder *f, const tn_value *v) {
    if (v->type == NULL || v->type->kind != TN_TYPE_TENSOR || !v->type->has_rank) {
        return;
    }
    f->value = v;
    for (uint32_t i = 0; i < v->type->rank; i++) {
        f->axis = i;
        tn_dim_each_symbol(f->module->dims, v->type->dims[i], on_symbol, f);
    }
}

static bool of_input(const tn_graph *g, const symbol *s) {
    return s->value->kind == TN_VALUE_INPUT && s->value->graph == g;
}

/* Other symbols stand for extents that follow from those of the inputs. */
static bool is_asked(const tn_graph *g, const symbol *s) {
    return s->open || of_input(g, s);
}

static void put_symbol(tn_sink *out, const tn_graph *g, const symbol *s) {
    bool input = of_input(g, s);
    tn_put(out, "  ");
    tn_dim_put_name(out, s->name);
    tn_put(out, input ? ": input '" : ": value '");
    tn_put_line(out, s->value->name);
    tn_putf(out, "' axis %u", s->axis);
    if (s->n_places > 1) {
        tn_putf(out, ", and %u more", s->n_places - 1);
    }
    tn_put(out,
           input ? "\n"
                 : "; of no input, known to the file alone: runs in which it is more do not fit\n");
}

static bool has_open_dim(const tn_type *t) {
    for (uint32_t i = 0; t->has_rank && i < t->rank; i++) {
        if (t->dims[i] == TN_DIM_UNKNOWN) {
            return true;
        }
    }
    return !t->has_rank;
}

static void add_open_input(finder *f, tn_open_model *open, const tn_value *v) {
    const tn_type *t = v->type;
    if (t == NULL || t->kind != TN_TYPE_TENSOR || !has_open_dim(t)) {
        return;
    }
    tn_open_input in = {.name = v->name, .ranked = t->has_rank, .rank = t->has_rank ? t->rank : 0};
    in.dims = TN_ARRAY(f->arena, int64_t, in.rank);
    for (uint32_t i = 0; i < in.rank; i++) {
        in.dims[i] = t->dims[i] == TN_DIM_UNKNOWN ? 1 : -1;
    }
    tn_vec_push(f->arena, &open->inputs, in);
}

/* What only the user can settle. */
static tn_open_model open_of(finder *f, const char *path, tn_bytes bytes) {
    const tn_graph *g = f->module->main;
    tn_open_model open = {.path = path, .bytes = bytes};
    for (uint32_t i = 0; i < f->symbols.len; i++) {
        if (of_input(g, &f->symbols.data[i])) {
            tn_vec_push(f->arena, &open.symbols, f->symbols.data[i].name);
        }
    }
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        add_open_input(f, &open, g->inputs[i]);
    }
    return open;
}

static void on_left(void *user, const char *name) {
    finder *f = user;
    uint64_t at = tn_map_or(&f->index, tn_str_id(tn_intern(f->module->ctx, name)), UINT64_MAX);
    if (at != UINT64_MAX && tn_dims_limit_named(f->typed->dims, name) == NULL) {
        f->symbols.data[at].open = true;
    }
}

/* Symbols that the types of `m`, inferred with numbers for all that inputs leave open, still have
 * become open ones of the model. False when there are none. */
static bool mark_left(finder *f, tn_open_model *open, const tn_module *m) {
    f->typed = m;
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_type *t = m->values[i]->type;
        for (uint32_t k = 0; t != NULL && t->has_rank && k < t->rank; k++) {
            tn_dim_each_symbol(m->dims, t->dims[k], on_left, f);
        }
    }
    uint32_t before = open->symbols.len;
    for (uint32_t i = 0; i < f->symbols.len; i++) {
        if (f->symbols.data[i].open) {
            tn_vec_push(f->arena, &open->symbols, f->symbols.data[i].name);
        }
    }
    return open->symbols.len > before;
}

static void put_open_input(tn_sink *out, const tn_open_input *in) {
    tn_put(out, "  input '");
    tn_put_line(out, in->name);
    tn_put(out, in->ranked ? "' has a dimension without a name\n"
                           : "' does not say how many dimensions it has\n");
}

/* " --OPTION 'NAME=N,N'" */
static void put_binding(tn_sink *out, const char *option, const char *name, const int64_t *numbers,
                        uint32_t n) {
    tn_sink pair = tn_sink_make(out->arena);
    tn_put_name(&pair, name, "=:\"");
    for (uint32_t i = 0; i < n || i == 0; i++) {
        tn_put_c(&pair, i == 0 ? '=' : ',');
        if (i < n) {
            tn_putf(&pair, "%lld", (long long)numbers[i]);
        }
    }
    tn_putf(out, " --%s ", option);
    tn_put_argument(out, pair.data);
}

static void put_example(tn_sink *out, const tn_open_model *open) {
    tn_put(out, "for example:\n  tenure plan ");
    tn_put_argument(out, open->path);
    for (uint32_t i = 0; i < open->symbols.len; i++) {
        put_binding(out, "dim", open->symbols.data[i], &open->values[i], 1);
    }
    for (uint32_t i = 0; i < open->inputs.len; i++) {
        const tn_open_input *in = &open->inputs.data[i];
        put_binding(out, "input-shape", in->name, in->dims, in->rank);
    }
    tn_put_c(out, '\n');
    if (open->n_misfits > 0) {
        tn_putf(out,
                "no numbers were found that suit the whole model: under these it gives %u %s\n",
                open->n_misfits, open->n_misfits == 1 ? "warning" : "warnings");
    }
    if (open->inputs.len == 0) {
        tn_put(out, "or for all extents at once:\n  tenure plan ");
        tn_put_argument(out, open->path);
        tn_put(out, " --open\n");
    }
}

static void print(const finder *f, const tn_open_model *open, tn_sink *out) {
    const tn_graph *g = f->module->main;
    for (uint32_t i = 0; i < f->symbols.len; i++) {
        if (is_asked(g, &f->symbols.data[i])) {
            put_symbol(out, g, &f->symbols.data[i]);
        }
    }
    for (uint32_t i = 0; i < open->inputs.len; i++) {
        put_open_input(out, &open->inputs.data[i]);
    }
    if (out->len == 0) {
        tn_put(out, "every dimension is a number\n");
    } else {
        put_example(out, open);
    }
}

/* Extents that data give need no number: a plan has room for the most there can be. */
static void put_by_data(tn_open_model *open, tn_sink *out) {
    tn_dims_search s = {.arena = out->arena, .open = open};
    uint32_t n = 0, warnings;
    tn_module *m = tn_dims_try(&s, &warnings);
    const tn_dim_limit *limits = m != NULL ? tn_dims_limits(m->dims, &n) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        tn_sink name = tn_sink_make(out->arena);
        tn_put_name(&name, limits[i].name, "=:\"");
        tn_put(out,
               i == 0 ? "data give, while running (--dim NAME=0..N, if you know of less):\n" : "");
        tn_putf(out, "  %s: at most ", name.data);
        tn_dim_print(m->dims, limits[i].most, out);
        tn_put_c(out, '\n');
    }
    if (m != NULL) {
        tn_module_drop(m);
    }
}

static void look_at_all(finder *f) {
    tn_module *m = f->module;
    for (uint32_t i = 0; i < m->main->n_inputs; i++) {
        look_at(f, m->main->inputs[i]);
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (m->values[i]->kind != TN_VALUE_INPUT || m->values[i]->graph != m->main) {
            look_at(f, m->values[i]);
        }
    }
}

/* Numbers for what the inputs leave open, then for the symbols that are open still. */
static tn_status find_example(tn_ctx *ctx, finder *f, tn_open_model *open) {
    tn_module *typed = tn_dims_example(f->arena, open, f->module->n_ops);
    if (typed != NULL && mark_left(f, open, typed)) {
        tn_module_drop(typed);
        typed = tn_dims_example(f->arena, open, f->module->n_ops);
    }
    if (typed == NULL || open->n_misfits > 0) {
        tn_dims_say_misfits(f->arena, open);
    }
    return typed != NULL
               ? TN_OK
               : tn_error(ctx, NULL, "'%s' cannot be loaded with numbers for its dimensions",
                          open->path);
}

tn_status tn_dims_print(tn_arena *arena, const char *path, tn_bytes bytes, tn_sink *out) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    tn_load_options options = tn_request_load_options(tn_request_new(arena));
    tn_module *m = tn_load_bytes(ctx, path, bytes, &options);
    if (m == NULL) {
        return TN_ERROR;
    }
    finder f = {.arena = arena, .module = m, .index = tn_map_make(arena)};
    tn_status status = TN_OK;
    look_at_all(&f);
    tn_open_model open = open_of(&f, path, bytes);
    if (f.symbols.len + open.inputs.len > 0) {
        status = find_example(ctx, &f, &open);
    }
    if (status == TN_OK) {
        print(&f, &open, out);
        put_by_data(&open, out);
    }
    tn_module_drop(m);
    return status;
}
