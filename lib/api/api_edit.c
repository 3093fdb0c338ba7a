/* What all changes of ir.h share. */
#include <stdarg.h>
#include <string.h>

#include "ir/base/limits.h"
#include "ir/tensor_bytes.h"
#include "ir/verify.h"
#include "lib/api/api_ir_t.h"

tn_edit tn_edit_model(const char *where, tenure_model *model) {
    return (tn_edit){.where = where, .m = api_module(model)};
}

tn_edit tn_edit_graph(const char *where, tenure_graph *graph) {
    tn_graph *g = api_graph(graph);
    return (tn_edit){.where = where, .m = g != NULL ? g->module : NULL, .graph = g};
}

tn_edit tn_edit_op(const char *where, tenure_op *op) {
    tn_edit e = tn_edit_graph(where, op != NULL ? (tenure_graph *)api_op(op)->graph : NULL);
    e.op = api_op(op);
    return e;
}

tn_edit tn_edit_value(const char *where, tenure_value *value) {
    tn_edit e =
        tn_edit_graph(where, value != NULL ? (tenure_graph *)api_value(value)->graph : NULL);
    e.value = api_value(value);
    return e;
}

tn_status tn_edit_refuse(const tn_edit *e, const char *fmt, ...) {
    va_list args;
    tn_arena *arena = tn_arena_new(e->m->ctx);
    tn_loc loc = tn_loc_file(e->m->file);
    if (e->op != NULL) {
        loc = e->op->loc;
    } else if (e->value != NULL && e->value->def != NULL) {
        loc = e->value->def->loc;
    } else if (e->graph != NULL) {
        loc.graph = e->graph->path;
    }
    va_start(args, fmt);
    tn_error(e->m->ctx, &loc, "%s: %s", e->where, tn_arena_vprintf(arena, fmt, args));
    va_end(args);
    tn_arena_drop(arena);
    return TN_ERROR;
}

static bool is_gone(const tn_value *v) {
    return v->kind == TN_VALUE_RESULT && v->def->erased;
}

static bool is_dead(const tn_graph *g) {
    while (g->owner != NULL && !g->owner->erased) {
        g = g->owner->graph;
    }
    return g->owner != NULL;
}

static tn_status may_change(const tn_edit *e) {
    if (e->m->broken) {
        return tn_edit_refuse(
            e, "memory ran out while the model was being changed; it can only be freed");
    }
    if ((e->op != NULL && e->op->erased) || (e->graph != NULL && is_dead(e->graph))) {
        return tn_edit_refuse(e, "the op has been removed");
    }
    if (e->value != NULL && is_gone(e->value)) {
        return tn_edit_refuse(e, "the op that makes '%s' has been removed", e->value->name);
    }
    return TN_OK;
}

typedef struct job {
    tn_edit *e;
    tn_status (*fn)(tn_ctx *ctx, void *edit);
    bool begun;
} job;

static tn_status run(tn_ctx *ctx, void *arg) {
    job *j = arg;
    tn_status status = may_change(j->e);
    if (status == TN_OK) {
        j->begun = true;
        status = j->fn(ctx, j->e);
    }
    return status;
}

tenure_status tn_edit_run(tn_edit *e, const char *missing,
                          tn_status (*fn)(tn_ctx *ctx, void *edit)) {
    job j = {e, fn, false};
    if (e->m == NULL || missing != NULL) {
        return tn_api_null(e->m != NULL ? e->m->ctx : NULL, e->where, missing);
    }
    tn_status status = tn_guard_run(e->m->ctx, run, &j);
    e->m->unverified |= status == TN_OK;
    e->m->broken |= j.begun && (status == TN_NOMEM || status == TN_INTERNAL);
    return (tenure_status)status;
}

tn_status tn_edit_name(const tn_edit *e, const char *what, const char *name) {
    if (name != NULL && strlen(name) > TN_MAX_NAME) {
        return tn_edit_refuse(e, "the %s has %zu bytes, the limit is %u", what, strlen(name),
                              TN_MAX_NAME);
    }
    return TN_OK;
}

tn_status tn_edit_may_read(const tn_edit *e, const tn_value *v) {
    if (v != NULL && v->graph->module != e->m) {
        return tn_edit_refuse(e, "value '%s' belongs to another model", v->name);
    }
    if (v != NULL && is_gone(v)) {
        return tn_edit_refuse(e, "the op that makes '%s' has been removed", v->name);
    }
    return TN_OK;
}

tn_status tn_edit_type(const tn_edit *e, const char *text, const tn_type **out) {
    const char *at = text;
    *out = tn_type_unknown();
    if (text != NULL && (!tn_type_parse(e->m->dims, e->m->arena, &at, out) || *at != '\0')) {
        return tn_edit_refuse(e, "'%s' is not a type; docs/IR.md says how types are written", text);
    }
    return TN_OK;
}

static const void *keep(const tn_edit *e, const tn_tensor *t) {
    if (e->how == TENURE_DATA_BORROW) {
        return e->data;
    }
    void *copy = tn_arena_array(e->m->arena, (size_t)t->bytes, 1);
    memcpy(copy, e->data, (size_t)t->bytes);
    return copy;
}

tn_status tn_edit_tensor(const tn_edit *e, const tn_tensor **out) {
    const tenure_tensor *from = e->tensor;
    const size_t least = offsetof(tenure_tensor, ints); /* what counts here */
    if (from->struct_size < least) {
        return tn_edit_refuse(e, "tensor->struct_size is %zu, this library needs %zu",
                              from->struct_size, least);
    }
    if (from->rank > TN_MAX_RANK || (from->rank > 0 && from->dims == NULL)) {
        return tn_edit_refuse(e, "the tensor has rank %u%s; the limit is %u", from->rank,
                              from->dims == NULL ? " and no dims" : "", TN_MAX_RANK);
    }
    if (tn_dtype_get((tn_dtype)from->dtype)->bits == 0) {
        return tn_edit_refuse(e, "tensors of element type %d have no bytes", (int)from->dtype);
    }
    tn_tensor *t = TN_NEW(e->m->arena, tn_tensor);
    t->dtype = (tn_dtype)from->dtype;
    t->rank = from->rank;
    t->dims = tn_arena_regrow(e->m->arena, from->dims, t->rank, t->rank, sizeof *t->dims);
    if (!tn_tensor_measure(t)) {
        return tn_edit_refuse(e, "the tensor has a negative extent, or more than %llu bytes",
                              TN_MAX_TENSOR_BYTES);
    }
    if (from->size != 0 && from->size != t->bytes) {
        return tn_edit_refuse(e, "the tensor has %llu bytes, its type and extents say %llu",
                              (unsigned long long)from->size, (unsigned long long)t->bytes);
    }
    if (e->data != NULL) {
        tn_tensor_set_bytes(e->m->arena, t, keep(e, t));
    }
    *out = t;
    return TN_OK;
}

/* ---- before a model is used whole ---- */

/* Nodes are numbered in the order in which they stand, where it is not that of a file any more:
 * messages and plans name them by these numbers. */
static void number_nodes(tn_graph *g) {
    int32_t last = -1;
    bool ascending = true;
    TN_FOR_OPS(op, g) {
        ascending &= op->loc.node > last;
        last = op->loc.node;
    }
    last = 0;
    for (tn_op *op = ascending ? NULL : g->first; op != NULL; op = op->next) {
        op->loc.node = last++;
    }
}

/* What passes have decided for the graph as it was: aliases, and who is pinned for what. */
static void forget_decisions(tn_module *m) {
    tn_module_take_out_clones(m);
    m->source_digest = NULL;
    m->plain_digest = NULL;
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value *v = m->values[i];
        uint32_t decided =
            TN_VF_BACKWARD | TN_VF_PARAM_GRAD | TN_VF_DONATED | TN_VF_ARENA | TN_VF_APART;
        decided |= (v->flags & TN_VF_EXCLUDED) == 0 ? (uint32_t)TN_VF_PINNED : 0u;
        tn_value_set_flags(v, 0, decided);
        tn_value_set_alias(v, TN_ALIAS_NONE, NULL, 0);
    }
}

tn_status tn_api_settle(tn_module *m) {
    if (m->broken) {
        tn_edit e = {.where = "the model cannot be used", .m = m};
        return may_change(&e);
    }
    if (!m->unverified) {
        return TN_OK;
    }
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        number_nodes(m->graphs[i]);
    }
    forget_decisions(m);
    tn_status status = tn_module_verify(m, true);
    m->unverified = status != TN_OK;
    return status;
}
