#include "passes/core/double_buffers.h"

#include <string.h>

#include "ir/base/quote.h"
#include "ir/base/xmath.h"
#include "ir/mutate.h"
#include "passes/analysis/storages.h"
#include "passes/core/select.h"

typedef struct doubling {
    tn_module *m;
    tn_arena *scratch;
    const bool *is_state; /* by value id */
    tn_loc loc;
} doubling;

/* Whether an op that works in place by definition makes state of the value, or it of state. */
static bool is_updated(const tn_value *v) {
    uint32_t result;
    bool found = false;
    for (const tn_use *u = v->first_use; u != NULL && v->kind == TN_VALUE_INPUT; u = u->next) {
        found = found || (!u->op->erased && tn_op_overwrites(u->op, u->index, &result));
    }
    const tn_op *op = v->kind == TN_VALUE_RESULT ? v->def : NULL;
    for (uint32_t k = 0; op != NULL && k < op->n_operands; k++) {
        const tn_value *from = op->operands[k].value;
        found = found || (from != NULL && from->kind != TN_VALUE_RESULT &&
                          tn_op_overwrites(op, k, &result) && tn_result(op, result) == v);
    }
    return found;
}

/* Why a value cannot have two places, or NULL. */
static const char *obstacle(const doubling *d, const tn_value *v) {
    bool stays = d->is_state[v->id] || is_updated(v);
    for (uint32_t i = 0; i < d->m->n_bindings; i++) {
        stays = stays || d->m->bindings[i].value == v;
    }
    return stays                             ? "it is state, which stays from run to run"
           : tn_is_const(v)                  ? "it is a constant"
           : (v->flags & TN_VF_DEFAULT) != 0 ? "it has a default, which stays from run to run"
           : tn_value_bytes(d->m, v) == TN_NO_BYTES ? "its size is not known"
                                                    : NULL;
}

static void flag_all(const doubling *d, tn_value *const *values, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (obstacle(d, values[i]) == NULL) {
            tn_value_set_flags(values[i], TN_VF_DOUBLE, 0);
        }
    }
}

/* How many of the values the name, or glob, means. */
static uint32_t flag_named(const doubling *d, tn_value *const *values, uint32_t n, const char *name,
                           bool glob, tn_status *status) {
    uint32_t hits = 0;
    for (uint32_t i = 0; i < n; i++) {
        tn_value *v = values[i];
        if (glob ? !tn_glob_match(name, v->name) : strcmp(name, v->name) != 0) {
            continue;
        }
        const char *why = obstacle(d, v);
        hits++;
        if (why != NULL) {
            *status = tn_usage(d->m->ctx, &d->loc, "double-buffer: '%s' cannot have two places: %s",
                               v->name, why);
        } else {
            tn_value_set_flags(v, TN_VF_DOUBLE, 0);
        }
    }
    return hits;
}

static tn_status find_named(const doubling *d, const char *name) {
    const tn_graph *g = d->m->main;
    tn_status status = TN_OK;
    uint32_t hits = 0;
    for (int glob = 0; glob < 2 && hits == 0; glob++) {
        hits += flag_named(d, g->inputs, g->n_inputs, name, glob != 0, &status);
        hits += flag_named(d, g->outputs, g->n_outputs, name, glob != 0, &status);
    }
    if (hits > 0) {
        return status;
    }
    const char **names = TN_ARRAY(d->scratch, const char *, g->n_inputs + g->n_outputs);
    for (uint32_t i = 0; i < g->n_inputs + g->n_outputs; i++) {
        names[i] = (i < g->n_inputs ? g->inputs[i] : g->outputs[i - g->n_inputs])->name;
    }
    const char *near = tn_nearest(name, names, g->n_inputs + g->n_outputs);
    return tn_usage(
        d->m->ctx, &d->loc, "double-buffer: '%s' is neither an input nor an output%s%s%s", name,
        near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
}

static tn_status flag_one(const doubling *d, const char *text) {
    const tn_graph *g = d->m->main;
    bool all = strcmp(text, "all") == 0, inputs = all || strcmp(text, "inputs") == 0,
         outputs = all || strcmp(text, "outputs") == 0;
    if (inputs) {
        flag_all(d, g->inputs, g->n_inputs);
    }
    if (outputs) {
        flag_all(d, g->outputs, g->n_outputs);
    }
    return inputs || outputs ? TN_OK : find_named(d, tn_name_unquote(d->scratch, text));
}

static uint64_t common_multiple(uint64_t a, uint64_t b) {
    return b > 1 ? a / tn_gcd(a, b) * b : a;
}

/* Both places are to be aligned, in whatever pool they lie. */
static uint64_t multiple_of_all(const tn_controls *want) {
    uint64_t all = want->align > 0 ? want->align : 1;
    for (uint32_t i = 0; i < want->places.n_pools; i++) {
        all = common_multiple(all, want->places.pools[i].align);
    }
    for (uint32_t i = 0; i < want->places.n_aligns; i++) {
        all = common_multiple(all, want->places.aligns[i].align);
    }
    return all;
}

tn_status tn_flag_double_buffers(tn_module *m, const tn_controls *want, tn_arena *scratch) {
    doubling d = {m, scratch, tn_state_values(m, scratch), tn_loc_file(m->file)};
    uint32_t n_open = 0;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n_open);
    if (want->double_buffer.len > 0 && n_open > 0) {
        return tn_usage(m->ctx, &d.loc,
                        "double-buffer: two places lie apart by a number of bytes, and '%s' stays "
                        "open: bind it with --dim, or leave --double-buffer out and give the pool "
                        "of inputs and outputs two bases in turn (docs/POOLS.md)",
                        open[0].name);
    }
    m->double_align = multiple_of_all(want);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < want->double_buffer.len && status == TN_OK; i++) {
        status = flag_one(&d, want->double_buffer.data[i]);
    }
    return status;
}
