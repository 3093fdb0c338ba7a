/* Plan values against module values: same names, same types, same sizes, none lost, none made up.
 * A plan made from another file has no ids in common with the module, so names decide. */
#include <string.h>

#include "ir/base/limits.h"
#include "ir/check/check_t.h"

static uint64_t name_key(const char *graph, const char *name) {
    return tn_hash(name, strlen(name), tn_hash(graph, strlen(graph), 0));
}

/* Values of initialization graphs belong to another run, erased ones to none. */
static bool takes_part(const tn_value *v) {
    return v->graph->kind != TN_GRAPH_INIT && (v->def == NULL || !v->def->erased);
}

static tn_map index_names(const tn_checking *c) {
    tn_map names = tn_map_make(c->arena);
    for (uint32_t i = 0; i < c->m->n_values; i++) {
        const tn_value *v = c->m->values[i];
        if (takes_part(v)) {
            tn_map_put(&names, name_key(v->graph->path, v->name), i);
        }
    }
    return names;
}

static bool is_named(const tn_value *v, const tn_plan_value *pv) {
    return strcmp(v->name, pv->name) == 0 && strcmp(v->graph->path, pv->graph) == 0;
}

/* Values by name. Most plans have those of the module in its order, so the one behind the last one
 * found is looked at first; names are indexed when that fails. */
typedef struct finder {
    const tn_checking *c;
    uint32_t next;
    bool indexed;
    tn_map names;
} finder;

static const tn_value *find(finder *f, const tn_plan_value *pv) {
    const tn_module *m = f->c->m;
    while (f->next < m->n_values && !takes_part(m->values[f->next])) {
        f->next++;
    }
    if (f->next < m->n_values && is_named(m->values[f->next], pv)) {
        return m->values[f->next++];
    }
    if (!f->indexed) {
        f->names = index_names(f->c);
        f->indexed = true;
    }
    uint64_t id;
    if (!tn_map_get(&f->names, name_key(pv->graph, pv->name), &id)) {
        return NULL;
    }
    f->next = (uint32_t)id + 1;
    return is_named(m->values[id], pv) ? m->values[id] : NULL;
}

/* What whoever runs the plan works out where an extent is no number. */
static void check_expression(tn_checking *c, uint32_t i, uint32_t axis, tn_dim extent) {
    const tn_plan_value *pv = &c->p->values[i];
    const char *text = pv->dim_texts != NULL ? pv->dim_texts[axis] : NULL, *wanted = NULL;
    c->text.len = 0;
    if (extent != TN_DIM_UNKNOWN) {
        tn_dim_print(c->m->dims, extent, &c->text);
        wanted = c->text.data;
    }
    if (text != wanted && (text == NULL || wanted == NULL || strcmp(text, wanted) != 0)) {
        tn_check_fail(c, "value %s: dimension %u is %s in the plan, %s in the model",
                      tn_check_value_name(c, i), axis, text != NULL ? text : "not known",
                      wanted != NULL ? wanted : "not known");
    }
}

static void check_dims(tn_checking *c, uint32_t i, const tn_type *t) {
    const tn_plan_value *pv = &c->p->values[i];
    if ((t->kind != TN_TYPE_TENSOR && t->kind != TN_TYPE_SPARSE) || !t->has_rank) {
        return;
    }
    if (pv->rank != t->rank) {
        tn_check_fail(c, "value %s has rank %u in the plan, %u in the model",
                      tn_check_value_name(c, i), pv->rank, t->rank);
        return;
    }
    for (uint32_t k = 0; k < t->rank; k++) {
        int64_t extent = -1;
        if (!tn_dim_is_const(c->m->dims, t->dims[k], &extent) || extent < 0) {
            extent = -1; /* open, or nonsense of the model */
        }
        if (pv->dims[k] != extent) {
            tn_check_fail(c, "value %s: dimension %u is %lld in the plan, %lld in the model",
                          tn_check_value_name(c, i), k, (long long)pv->dims[k], (long long)extent);
            return;
        }
        if (extent < 0) {
            check_expression(c, i, k, t->dims[k]);
        }
    }
}

static void check_size(tn_checking *c, uint32_t i) {
    const tn_plan_value *pv = &c->p->values[i];
    tn_fact *f = &c->facts[i];
    int64_t bytes = 0;
    f->planable = tn_type_point_bytes(c->m->dims, f->v->type, &bytes) &&
                  (uint64_t)bytes <= TN_MAX_TENSOR_BYTES;
    f->bytes = f->planable ? (uint64_t)bytes : 0;
    if (pv->storage == TN_NO_ID) {
        return; /* tn_check_left_out */
    }
    if (!f->planable) {
        tn_check_fail(c, "value %s is placed, but its size is not known",
                      tn_check_value_name(c, i));
    } else if (f->bytes != pv->bytes) {
        tn_check_fail(c, "value %s has %llu bytes in the plan, %llu in the model",
                      tn_check_value_name(c, i), (unsigned long long)pv->bytes,
                      (unsigned long long)f->bytes);
    }
}

static void check_type(tn_checking *c, uint32_t i) {
    const tn_plan_value *pv = &c->p->values[i];
    const tn_type *t = c->facts[i].v->type;
    if (t->kind == TN_TYPE_TENSOR && pv->dtype != t->dtype) {
        tn_check_fail(c, "value %s is %s in the plan, %s in the model", tn_check_value_name(c, i),
                      tn_dtype_get(pv->dtype)->name, tn_dtype_get(t->dtype)->name);
    }
    check_dims(c, i, t);
    if (pv->channels_last != ((c->facts[i].v->flags & TN_VF_CHANNELS_LAST) != 0)) {
        tn_check_fail(c, "value %s has its channels %s in the plan, not as --layout says",
                      tn_check_value_name(c, i), pv->channels_last ? "last" : "on axis 1");
    }
    if (pv->type == c->read_text && tn_type_equal(c->read_type, t)) {
        return;
    }
    c->text.len = 0;
    tn_type_print(c->m->dims, t, &c->text);
    if (strcmp(c->text.data, pv->type) == 0) {
        c->read_type = t;
        c->read_text = pv->type;
    } else {
        tn_check_fail(c, "value %s has type %s in the plan, %s in the model",
                      tn_check_value_name(c, i), pv->type, c->text.data);
    }
}

static void check_role(tn_checking *c, uint32_t i) {
    const tn_plan_value *pv = &c->p->values[i];
    const tn_value *v = c->facts[i].v;
    bool main = v->graph->kind == TN_GRAPH_MAIN;
    bool input = main && v->kind == TN_VALUE_INPUT;
    bool output = c->facts[i].output, state = c->facts[i].state;
    bool fits = false;
    switch (pv->role) {
    case TN_ROLE_INTERNAL:
        fits = !input && !output && !tn_is_const(v) && (v->flags & TN_VF_WORKSPACE) == 0;
        break;
    case TN_ROLE_INPUT:
        fits = input && !state;
        break;
    case TN_ROLE_OUTPUT:
        fits = output && !input && !tn_is_const(v) && !state;
        break;
    case TN_ROLE_CONST:
        fits = tn_is_const(v) && !state;
        break;
    case TN_ROLE_STATE:
        fits = state && (input || output || tn_is_const(v));
        break;
    case TN_ROLE_WORKSPACE:
        fits = (v->flags & TN_VF_WORKSPACE) != 0;
        break;
    }
    if (!fits) {
        static const char *const words[] = {"internal",   "an input", "an output",
                                            "a constant", "state",    "workspace"};
        tn_check_fail(c, "value %s is not %s of the model", tn_check_value_name(c, i),
                      words[pv->role]);
    }
}

/* The op that writes over the value without a result for what it becomes; NULL when none does. */
static const tn_op *changed_unseen(const tn_value *v) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (!u->op->erased && tn_op_writes_operand(u->op, u->index)) {
            return u->op;
        }
    }
    return NULL;
}

static void check_unseen(tn_checking *c, uint32_t i) {
    const tn_value *v = c->facts[i].v;
    bool given = v->kind != TN_VALUE_RESULT && v->graph == c->m->main;
    const tn_op *op = given ? changed_unseen(v) : NULL;
    if (op == NULL) {
        return;
    }
    if (c->p->values[i].role != TN_ROLE_STATE) {
        const tn_value *r = tn_result(op, 0);
        tn_check_fail(c, "value %s is not state, but %s%s%s writes over it by definition",
                      tn_check_value_name(c, i), op->type, r != NULL ? " making " : "",
                      r != NULL ? r->name : "");
    }
    c->facts[i].state = true;
}

/* Constants nobody reads may be left out. */
static void check_complete(tn_checking *c) {
    for (uint32_t i = 0; i < c->m->n_values; i++) {
        const tn_value *v = c->m->values[i];
        if (c->plan_value[i] != TN_NO_ID || !takes_part(v)) {
            continue;
        }
        bool unread = v->n_uses == 0 && (v->flags & TN_VF_OUTPUT) == 0;
        if (!(tn_is_const(v) && unread)) {
            const char *slash = v->graph->path[0] != '\0' ? "/" : "";
            tn_check_fail(c, "value '%s%s%s' of the model is missing in the plan", v->graph->path,
                          slash, v->name);
        }
    }
}

/* The plan states the module's bindings, all of them, in order. */
static void check_bindings(tn_checking *c) {
    const tn_module *m = c->m;
    uint32_t n = m->n_bindings + m->n_assignments;
    if (c->p->n_bindings != n) {
        tn_check_fail(c, "the plan has %u bindings, the model %u", c->p->n_bindings, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const tn_plan_binding *b = &c->p->bindings[i];
        bool here = i < m->n_bindings;
        const tn_assignment *a = here ? NULL : &m->assignments[i - m->n_bindings];
        const char *state = here ? m->bindings[i].state->name : a->name;
        const tn_value *value = here ? m->bindings[i].value : a->value;
        if (strcmp(b->state, state) != 0 || c->facts[b->value].v != value) {
            tn_check_fail(c, "binding %u gives '%s' the value %s, in the model '%s' takes '%s'", i,
                          b->state, tn_check_value_name(c, b->value), state, value->name);
        }
    }
}

void tn_check_values(tn_checking *c) {
    uint32_t n = c->p->n_values;
    finder names = {.c = c};
    c->facts = TN_ARRAY(c->arena, tn_fact, n);
    c->plan_value = TN_ARRAY(c->arena, uint32_t, c->m->n_values);
    memset(c->plan_value, 0xff, c->m->n_values * sizeof *c->plan_value);
    c->position = TN_ARRAY(c->arena, uint32_t, c->m->n_values);
    for (uint32_t g = 0; g < c->m->n_graphs; g++) {
        for (uint32_t k = 0; k < c->m->graphs[g]->n_inputs; k++) {
            c->position[c->m->graphs[g]->inputs[k]->id] = k;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        c->facts[i].content = c->facts[i].root = i;
        const tn_value *v = c->facts[i].v = find(&names, &c->p->values[i]);
        if (v == NULL) {
            tn_check_fail(c, "value %s of the plan is not in the model", tn_check_value_name(c, i));
            continue;
        }
        if (c->plan_value[v->id] != TN_NO_ID) {
            tn_check_fail(c, "value %s is in the plan twice", tn_check_value_name(c, i));
            continue;
        }
        c->plan_value[v->id] = i;
        c->facts[i].state = (v->flags & TN_VF_STATE) != 0;
        check_size(c, i);
        check_type(c, i);
    }
    for (uint32_t i = 0; i < c->m->main->n_outputs; i++) {
        uint32_t output = c->plan_value[c->m->main->outputs[i]->id];
        if (output != TN_NO_ID) {
            c->facts[output].output = true;
        }
    }
    for (uint32_t i = 0; i < c->m->n_bindings; i++) {
        uint32_t state = c->plan_value[c->m->bindings[i].state->id];
        if (state != TN_NO_ID) {
            c->facts[state].state = true;
        }
    }
    check_bindings(c);
    for (uint32_t i = 0; i < n; i++) {
        if (c->facts[i].v != NULL) {
            check_unseen(c, i);
            check_role(c, i);
        }
    }
    check_complete(c);
}
