#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/map.h"
#include "ir/base/quote.h"
#include "ir/infer/used.h"
#include "passes/plan/build_overlaps.h"
#include "passes/plan/plan_build.h"

typedef struct symbols {
    tn_sink names, bindings;
    uint32_t n;
} symbols;

/* " --dim NAME=N" as shells take it. */
static void put_binding(tn_sink *out, const char *name, bool is_word) {
    tn_sink pair = tn_sink_make(out->arena);
    tn_put_name(&pair, name, "=:\"");
    tn_put(&pair, "=N");
    tn_put(out, " --dim ");
    if (is_word) {
        tn_put(out, pair.data);
    } else {
        tn_put_argument(out, pair.data);
    }
}

static void add_symbol(void *user, const char *name) {
    symbols *s = user;
    tn_put(&s->names, s->n++ > 0 ? ", " : "");
    size_t before = s->names.len;
    tn_dim_put_name(&s->names, name);
    put_binding(&s->bindings, name, strcmp(s->names.data + before, name) == 0);
}

/* Why a value has no size in bytes, for a person: what shape inference found out; that an
 * expression can be bound by the user; or what the type itself says. */
static const char *reason(tn_build *b, const tn_value *v, tn_dim bytes) {
    if (v->unplanned != NULL) {
        return tn_arena_printf(b->p->arena, "%s", v->unplanned);
    }
    if (bytes != TN_DIM_UNKNOWN) {
        int64_t n;
        if (tn_dim_is_const(b->m->dims, bytes, &n)) {
            return tn_arena_printf(b->p->arena, "larger than %llu bytes",
                                   (unsigned long long)TN_MAX_TENSOR_BYTES);
        }
        symbols s = {tn_sink_make(b->scratch), tn_sink_make(b->scratch), 0};
        tn_dim_each_symbol(b->m->dims, bytes, add_symbol, &s);
        return tn_arena_printf(b->p->arena, "size depends on %s: bind %s with%s", s.names.data,
                               s.n > 1 ? "them" : "it", s.bindings.data);
    }
    switch (v->type->kind) {
    case TN_TYPE_TENSOR:
        if (v->type->dtype == TN_DT_UNKNOWN) {
            return "element type is not known";
        }
        if (tn_dtype_get(v->type->dtype)->bits == 0) {
            return "strings have no fixed size";
        }
        return v->type->has_rank ? "shape is not known" : "rank is not known";
    case TN_TYPE_SPARSE:
        return "sparse tensor";
    case TN_TYPE_SEQUENCE:
        return "sequence of tensors";
    case TN_TYPE_OPTIONAL:
        return "optional value";
    case TN_TYPE_MAP:
        return "map";
    case TN_TYPE_OPAQUE:
        return "opaque type";
    case TN_TYPE_UNKNOWN:
        break;
    }
    return "type is not known";
}

static tn_plan_role role_of(const tn_module *m, const tn_value *v, const bool *is_state,
                            const bool *is_output) {
    if (v->flags & TN_VF_WORKSPACE) {
        return TN_ROLE_WORKSPACE;
    }
    if (is_state[v->id]) {
        return TN_ROLE_STATE;
    }
    if (tn_is_const(v)) {
        return TN_ROLE_CONST;
    }
    if (v->kind == TN_VALUE_INPUT && v->graph == m->main) {
        return TN_ROLE_INPUT;
    }
    return is_output[v->id] ? TN_ROLE_OUTPUT : TN_ROLE_INTERNAL;
}

/* Expressions of the extents that are no numbers, NULL for those nothing is known of; NULL when all
 * are numbers. */
static const char *const *open_extents(tn_build *b, const tn_type *t, uint32_t rank,
                                       const int64_t *dims) {
    const char **texts = NULL;
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] >= 0 || t->dims[i] == TN_DIM_UNKNOWN) {
            continue;
        }
        texts = texts != NULL ? texts : TN_ARRAY(b->p->arena, const char *, rank);
        tn_sink text = tn_sink_make(b->p->arena);
        tn_dim_print(b->m->dims, t->dims[i], &text);
        texts[i] = text.data;
    }
    return texts;
}

static void take_type(tn_plan_value *out, const tn_plan_value *like) {
    out->type = like->type;
    out->dims = like->dims;
    out->dim_texts = like->dim_texts;
}

static void describe_type(tn_build *b, const tn_value *v, tn_plan_value *out) {
    const tn_type *t = v->type;
    bool tensor = t->kind == TN_TYPE_TENSOR || t->kind == TN_TYPE_SPARSE;
    out->dtype = tensor ? t->dtype : TN_DT_UNKNOWN;
    out->rank = tensor && t->has_rank ? t->rank : 0;
    const tn_value *last = b->described;
    b->described = v;
    if (last != NULL && tn_type_equal(last->type, t)) {
        take_type(out, &b->p->values[b->plan_value[last->id]]);
        return;
    }
    b->text.len = 0;
    tn_type_print(b->m->dims, t, &b->text);
    out->type = tn_intern_n(b->ctx, b->text.data, b->text.len);
    uint64_t like = tn_map_or(&b->types, tn_str_id(out->type), b->p->n_values);
    if (like < b->p->n_values) {
        take_type(out, &b->p->values[like]);
        return;
    }
    tn_map_put(&b->types, tn_str_id(out->type), b->plan_value[v->id]);
    int64_t *dims = TN_ARRAY(b->p->arena, int64_t, out->rank);
    for (uint32_t i = 0; i < out->rank; i++) {
        if (!tn_dim_is_const(b->m->dims, t->dims[i], &dims[i]) || dims[i] < 0) {
            dims[i] = -1;
        }
    }
    out->dims = dims;
    out->dim_texts = open_extents(b, t, out->rank, dims);
}

static void leave_out(tn_build *b, const tn_value *v, tn_plan_value *out) {
    tn_dim bytes = tn_type_room(b->m->dims, v->type);
    out->storage = TN_NO_ID;
    if (b->classes->unread[v->id]) {
        out->why = "nothing reads it";
        out->left_out = TN_LEFT_UNUSED;
        return;
    }
    out->why = reason(b, v, bytes);
    out->left_out = tn_left_out_of(b->m, v);
    if (bytes != TN_DIM_UNKNOWN) {
        tn_sink text = tn_sink_make(b->p->arena);
        tn_dim_print(b->m->dims, bytes, &text);
        out->bytes_text = text.data;
    }
}

static void place(tn_build *b, const tn_value *v, tn_plan_value *out) {
    uint32_t c = b->classes->of[v->id];
    if (c == TN_NO_CLASS) {
        leave_out(b, v, out);
        return;
    }
    out->storage = c;
    out->offset = b->classes->offset[v->id];
    /* One by itself may have grown into a hole. */
    bool workspace = (v->flags & TN_VF_WORKSPACE) != 0 && v->alias_kind == TN_ALIAS_NONE;
    out->bytes = workspace ? b->p->storages[c].size : b->classes->bytes[v->id];
    if (b->classes->classes[c].pinned) {
        out->last = (int32_t)b->p->n_steps;
    }
}

static void add_value(tn_build *b, const tn_value *v, tn_plan_role role, const char *path) {
    const tn_live *l = &b->live->of[v->id];
    tn_plan_value *out = &b->p->values[b->plan_value[v->id]];
    uint32_t step = tn_write_step(b->live->steps, v);
    *out = (tn_plan_value){
        .name = v->name,
        .graph = path,
        .role = role,
        .first = l->first,
        .last = l->last,
        .step = v->kind == TN_VALUE_RESULT && step != TN_NO_STEP ? b->live->steps->end[v->def->id]
                                                                 : step,
        .alias = v->alias_kind,
        .alias_of = v->alias_of != NULL ? b->plan_value[v->alias_of->id] : TN_NO_ID,
        .clone_of = v->clone_of != NULL ? b->plan_value[v->clone_of->id] : TN_NO_ID,
        .channels_last = (v->flags & TN_VF_CHANNELS_LAST) != 0,
        .module_value = v->id,
    };
    describe_type(b, v, out);
    place(b, v, out);
}

static tn_ids graph_values(tn_build *b, tn_value *const *values, uint32_t n) {
    uint32_t *ids = TN_ARRAY(b->p->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = b->plan_value[values[i]->id];
    }
    return (tn_ids){ids, n};
}

void tn_build_values(tn_build *b) {
    tn_module *m = b->m;
    const bool *is_state = tn_state_values(m, b->scratch);
    bool *is_output = TN_ARRAY(b->scratch, bool, m->n_values);
    const char **path = TN_ARRAY(b->scratch, const char *, m->n_graphs);
    for (uint32_t i = 0; i < m->main->n_outputs; i++) {
        is_output[m->main->outputs[i]->id] = true;
    }
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        path[i] = m->graphs[i]->path;
    }
    b->plan_value = TN_ARRAY(b->scratch, uint32_t, m->n_values);
    b->text = tn_sink_make(b->scratch);
    b->types = tn_map_make(b->scratch);
    for (uint32_t i = 0; i < m->n_values; i++) {
        b->plan_value[i] = b->live->of[i].scheduled ? b->p->n_values++ : TN_NO_ID;
    }
    b->p->values = TN_UNSET_ARRAY(b->p->arena, tn_plan_value, b->p->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (b->plan_value[i] != TN_NO_ID) {
            const tn_value *v = m->values[i];
            add_value(b, v, role_of(m, v, is_state, is_output), path[v->graph->id]);
        }
    }
    b->p->inputs = graph_values(b, m->main->inputs, m->main->n_inputs);
    b->p->outputs = graph_values(b, m->main->outputs, m->main->n_outputs);
    uint32_t n_fixed;
    tn_value *const *fixed = tn_fixed_inputs(m, b->scratch, &n_fixed);
    b->p->fixed = graph_values(b, fixed, n_fixed);
    for (uint32_t i = 0; i < b->layout->n_overlaps; i++) {
        tn_state_overlap(b, &b->layout->overlaps[i]);
    }
    for (uint32_t i = 0; i < b->p->n_storages; i++) {
        b->p->storages[i].root = b->plan_value[b->p->storages[i].root];
    }
}

typedef struct open_dims {
    tn_build *b;
    tn_map seen; /* ids of names */
    TN_VEC(const char *) names;
} open_dims;

static void add_open(void *user, const char *name) {
    open_dims *o = user;
    uint32_t id = tn_str_id(tn_intern(o->b->ctx, name));
    if (tn_map_or(&o->seen, id, 0) == 0) {
        tn_map_put(&o->seen, id, 1);
        tn_vec_push(o->b->p->arena, &o->names, name);
    }
}

void tn_build_open(tn_build *b) {
    open_dims o = {.b = b, .seen = tn_map_make(b->scratch)};
    for (uint32_t i = 0; i < b->p->n_values; i++) {
        const tn_plan_value *v = &b->p->values[i];
        if (v->left_out == TN_LEFT_OPEN) {
            b->p->partial = true;
            tn_dim_each_symbol(b->m->dims,
                               tn_type_room(b->m->dims, b->m->values[v->module_value]->type),
                               add_open, &o);
        }
    }
    b->p->open = o.names.data;
    b->p->n_open = o.names.len;
}

void tn_build_bindings(tn_build *b) {
    const tn_module *m = b->m;
    uint32_t n = m->n_bindings + m->n_assignments;
    tn_plan_binding *out = TN_ARRAY(b->p->arena, tn_plan_binding, n);
    for (uint32_t i = 0; i < n; i++) {
        bool here = i < m->n_bindings;
        const tn_assignment *a = here ? NULL : &m->assignments[i - m->n_bindings];
        out[i].state = here ? m->bindings[i].state->name : a->name;
        out[i].value = b->plan_value[here ? m->bindings[i].value->id : a->value->id];
    }
    b->p->bindings = out;
    b->p->n_bindings = n;
}
