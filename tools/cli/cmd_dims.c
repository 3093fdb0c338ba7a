/* `tenure dims`: what a model leaves open, where it comes from, and a command line that binds it.
 * Shapes are inferred first, so that a symbol of inner values that follows from those of the inputs
 * is gone: what is left has to be bound. */
#include <string.h>

#include "frontends/frontend.h"
#include "ir/base/file.h"
#include "ir/dim.h"
#include "passes/core/manager.h"
#include "tools/cli/cli.h"

/* A symbol and the first place it was seen at. */
typedef struct symbol {
    const char *name;
    const tn_value *value;
    uint32_t axis, n_places;
} symbol;

typedef struct finder {
    tn_arena *arena;
    tn_module *module;
    tn_map index; /* of name ids in `symbols` */
    TN_VEC(symbol) symbols;
    const tn_value *value; /* being looked at */
    uint32_t axis;
} finder;

static void on_symbol(void *user, const char *name) {
    finder *f = user;
    const char *interned = tn_intern(f->module->ctx, name);
    uint64_t at = tn_map_or(&f->index, tn_str_id(interned), UINT64_MAX);
    if (at == UINT64_MAX) {
        tn_map_put(&f->index, tn_str_id(interned), f->symbols.len);
        tn_vec_push(f->arena, &f->symbols, (symbol){interned, f->value, f->axis, 1});
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

static void put_symbol(tn_sink *out, const tn_graph *g, const symbol *s) {
    bool input = s->value->kind == TN_VALUE_INPUT && s->value->graph == g;
    tn_putf(out, "  %s: %s '%s' axis %u", s->name, input ? "input" : "value", s->value->name,
            s->axis);
    if (s->n_places > 1) {
        tn_putf(out, ", and %u more", s->n_places - 1);
    }
    tn_put(out, input ? "\n" : "; of no input, known to the file alone\n");
}

/* Inputs with a dimension that is not even named: only --input-shape can settle it. */
static bool is_open(const tn_value *v) {
    if (v->type == NULL || v->type->kind != TN_TYPE_TENSOR) {
        return false;
    }
    if (!v->type->has_rank) {
        return true;
    }
    for (uint32_t i = 0; i < v->type->rank; i++) {
        if (v->type->dims[i] == TN_DIM_UNKNOWN) {
            return true;
        }
    }
    return false;
}

static void put_shape_example(tn_sink *out, const tn_value *v) {
    tn_putf(out, " --input-shape '%s=", v->name);
    for (uint32_t i = 0; v->type->has_rank && i < v->type->rank; i++) {
        tn_putf(out, "%s%s", i > 0 ? "," : "", v->type->dims[i] == TN_DIM_UNKNOWN ? "1" : "-1");
    }
    tn_put_c(out, '\'');
}

static tn_status print(tn_cli *cli, finder *f, const char *path) {
    const tn_graph *g = f->module->main;
    tn_sink out = tn_sink_make(cli->arena);
    uint32_t n_open = 0;
    for (uint32_t i = 0; i < f->symbols.len; i++) {
        put_symbol(&out, g, &f->symbols.data[i]);
    }
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        if (is_open(g->inputs[i])) {
            tn_putf(&out, "  input '%s' has a dimension without a name\n", g->inputs[i]->name);
            n_open++;
        }
    }
    if (f->symbols.len + n_open == 0) {
        tn_put(&out, "every dimension is a number\n");
        return tn_cli_put(cli, &out);
    }
    tn_putf(&out, "for example:\n  tenure plan '%s'", path);
    for (uint32_t i = 0; i < f->symbols.len; i++) {
        tn_putf(&out, " --dim '%s=1'", f->symbols.data[i].name);
    }
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        if (is_open(g->inputs[i])) {
            put_shape_example(&out, g->inputs[i]);
        }
    }
    tn_put_c(&out, '\n');
    return tn_cli_put(cli, &out);
}

static tn_status infer(tn_cli *cli, tn_module *m) {
    tn_pipeline p;
    tn_controls controls = tn_controls_default();
    tn_plan *none = NULL;
    tn_status status = tn_pipeline_parse(cli->arena, "dims", "infer-shapes", &p);
    return status == TN_OK ? tn_run_pipeline(cli->ctx, m, &p, &controls, &none, NULL) : status;
}

tn_status tn_cmd_dims(tn_cli *cli) {
    tn_texts rest = {0};
    tn_status status;
    if (!tn_cli_parse(cli, NULL, 0, 1, 1, &rest, &status)) {
        return status;
    }
    tn_module *m = tn_load_file(cli->ctx, rest.data[0], NULL);
    if (m == NULL) {
        return TN_ERROR;
    }
    status = infer(cli, m);
    if (status != TN_OK) {
        return status;
    }
    finder f = {.arena = cli->arena, .module = m, .index = tn_map_make(cli->arena)};
    for (uint32_t i = 0; i < m->main->n_inputs; i++) {
        look_at(&f, m->main->inputs[i]);
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (m->values[i]->kind != TN_VALUE_INPUT || m->values[i]->graph != m->main) {
            look_at(&f, m->values[i]);
        }
    }
    return print(cli, &f, rest.data[0]);
}
