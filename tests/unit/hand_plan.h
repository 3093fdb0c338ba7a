/* Modules and plans written down by hand for the tests of the checker: small tables of what a right
 * plan holds, so that a test changes one entry and expects one message. */
#ifndef TENURE_TESTS_UNIT_HAND_PLAN_H
#define TENURE_TESTS_UNIT_HAND_PLAN_H

#include "ir/build.h"
#include "ir/plan/plan_digest.h"
#include "passes/plan/plan_operands.h"

#include "tests/unit/unit.h"

#define NONE TN_NO_ID

static inline const tn_type *hand_type(tn_module *m, tn_dtype dtype, uint32_t rank,
                                       const int64_t *dims) {
    tn_dim d[4];
    for (uint32_t i = 0; i < rank; i++) {
        d[i] = tn_dim_const(m->dims, dims[i]);
    }
    return tn_type_tensor(m->arena, dtype, rank, d);
}
#define HAND_TYPE(m, dtype, ...)                                                                   \
    hand_type(m, TN_DT_##dtype, (uint32_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)),    \
              (const int64_t[]){__VA_ARGS__})

/* An integer vector; with content, so that what depends on it can be worked out. */
static inline tn_value *hand_const(tn_graph *g, const char *name, uint32_t n, const int64_t *ints) {
    tn_arena *a = g->module->arena;
    int64_t *dims = TN_ARRAY(a, int64_t, 1);
    dims[0] = n;
    tn_tensor *t = TN_NEW(a, tn_tensor);
    *t = (tn_tensor){.dtype = TN_DT_INT64,
                     .rank = 1,
                     .dims = dims,
                     .n_elements = n,
                     .bytes = 8ull * n,
                     .ints = tn_arena_regrow(a, ints, n, n, sizeof *ints)};
    return tn_graph_add_const(g, name, t);
}
#define HAND_CONST(g, name, ...)                                                                   \
    hand_const(g, name, (uint32_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)),            \
               (const int64_t[]){__VA_ARGS__})

/* An op of the default domain with up to three operands (NULL ends them) and no result yet. */
static inline tn_op *hand_op(tn_graph *g, const char *type, const char *name, tn_value *a,
                             tn_value *b, tn_value *c) {
    tn_loc loc = {.file = g->module->file, .node = (int32_t)g->n_ops, .name = name, .op = type};
    tn_op *op = tn_op_new(g, "", type, 13, name, loc);
    tn_value *operands[] = {a, b, c};
    for (size_t i = 0; i < 3 && operands[i] != NULL; i++) {
        tn_op_add_operand(op, operands[i]);
    }
    return op;
}

typedef struct hand_value {
    const char *graph, *name;
    tn_plan_role role;
    uint32_t storage;
    uint64_t offset;
    int32_t first, last;
    uint32_t step;
    tn_alias_kind alias;
    uint32_t alias_of;
} hand_value;

static inline const tn_value *hand_find(const tn_module *m, const char *graph, const char *name) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (strcmp(m->values[i]->name, name) == 0 &&
            strcmp(m->values[i]->graph->path, graph) == 0) {
            return m->values[i];
        }
    }
    fail_msg("no value '%s' in graph '%s'", name, graph);
    return NULL;
}

/* Fills what follows from the module: types and sizes. */
static inline void hand_fill(const tn_module *m, tn_plan *p, tn_plan_value *v, hand_value row) {
    const tn_value *mv = hand_find(m, row.graph, row.name);
    int64_t *dims = TN_ARRAY(p->arena, int64_t, mv->type->rank), bytes = 0;
    for (uint32_t i = 0; i < mv->type->rank; i++) {
        dims[i] = -1;
        tn_dim_is_const(m->dims, mv->type->dims[i], &dims[i]);
    }
    tn_sink type = tn_sink_make(p->arena);
    tn_type_print(m->dims, mv->type, &type);
    tn_dim_is_const(m->dims, tn_type_bytes(m->dims, mv->type), &bytes);
    *v = (tn_plan_value){.name = row.name,
                         .graph = row.graph,
                         .role = row.role,
                         .dtype = mv->type->dtype,
                         .rank = mv->type->rank,
                         .dims = dims,
                         .type = type.data,
                         .bytes = (uint64_t)bytes,
                         .storage = row.storage,
                         .offset = row.offset,
                         .first = row.first,
                         .last = row.last,
                         .step = row.step,
                         .alias = row.alias,
                         .alias_of = row.alias_of,
                         .clone_of = NONE,
                         .module_value = mv->id};
}

static inline tn_plan *hand_plan(const tn_module *m, const hand_value *rows, uint32_t n) {
    tn_plan *p = tn_plan_new(m->ctx);
    p->values = TN_ARRAY(p->arena, tn_plan_value, n);
    p->n_values = n;
    p->digest = tn_plan_digest(m, p->arena);
    for (uint32_t i = 0; i < n; i++) {
        hand_fill(m, p, &p->values[i], rows[i]);
    }
    return p;
}

static inline const tn_op *hand_find_op(const tn_module *m, const tn_plan_step *s) {
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        TN_FOR_OPS(op, m->graphs[i]) {
            if (strcmp(m->graphs[i]->path, s->graph) == 0 && strcmp(op->name, s->name) == 0) {
                return op;
            }
        }
    }
    fail_msg("no op '%s' in graph '%s'", s->name, s->graph);
    return NULL;
}

static inline tn_ids hand_values(const tn_build *b, tn_value *const *values, uint32_t n) {
    uint32_t *ids = TN_ARRAY(b->p->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = b->plan_value[values[i]->id];
    }
    return (tn_ids){ids, n};
}

/* Fills what follows from the module and from the rest of the plan: operands, results, attributes,
 * bodies, moves and promises of steps, inputs and outputs. The module gets the plan's aliases. */
static inline void hand_contract(tn_plan *p, tn_module *m) {
    tn_build b = {.ctx = m->ctx, .m = m, .scratch = tn_arena_new(m->ctx), .p = p};
    b.plan_value = TN_ARRAY(b.scratch, uint32_t, m->n_values);
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        tn_value *mv = m->values[v->module_value];
        b.plan_value[mv->id] = i;
        mv->alias_kind = v->alias;
        mv->alias_of = v->alias_of != NONE ? m->values[p->values[v->alias_of].module_value] : NULL;
    }
    for (uint32_t i = 0; i < p->n_steps; i++) {
        tn_build_operands(&b, hand_find_op(m, &p->steps[i]), &p->steps[i]);
    }
    p->inputs = hand_values(&b, m->main->inputs, m->main->n_inputs);
    p->outputs = hand_values(&b, m->main->outputs, m->main->n_outputs);
}

/* Numbers after a count, e.g. HAND_IDS(p, 3, 4). */
#define HAND_IDS(p, ...)                                                                           \
    ((tn_ids){tn_arena_regrow((p)->arena, (uint32_t[]){__VA_ARGS__},                               \
                              sizeof((uint32_t[]){__VA_ARGS__}) / 4,                               \
                              sizeof((uint32_t[]){__VA_ARGS__}) / 4, 4),                           \
              (uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / 4)})

#endif
