#include "ir/plan/plan_clones.h"

#include <string.h>

#include "ir/base/map.h"
#include "ir/mutate.h"
#include "ir/plan/plan_digest.h"

typedef struct adopting {
    const tn_plan *p;
    tn_module *m;
    tn_arena *arena;
    tn_map names;     /* id of the interned name -> value of the main graph */
    tn_value **value; /* by plan value of the main graph, or NULL */
    tn_op **op;       /* by step of the main graph, or NULL */
} adopting;

bool tn_plan_has_clones(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_steps; i++) {
        if (p->steps[i].clone_of != TN_NO_ID) {
            return true;
        }
    }
    return false;
}

static bool fail(const adopting *a, uint32_t step, const char *why) {
    tn_loc loc = tn_loc_file(a->m->file);
    tn_error(a->m->ctx, &loc, "step %u of the plan is a clone %s", step, why);
    return false;
}

static uint64_t name_key(const adopting *a, const char *name) {
    return tn_str_id(tn_intern(a->m->ctx, name));
}

static void find_values(adopting *a) {
    a->names = tn_map_make(a->arena);
    a->value = TN_ARRAY(a->arena, tn_value *, a->p->n_values);
    for (uint32_t i = 0; i < a->m->n_values; i++) {
        tn_value *v = a->m->values[i];
        if (v->graph == a->m->main && (v->def == NULL || !v->def->erased)) {
            tn_map_put(&a->names, tn_str_id(v->name), i);
        }
    }
    for (uint32_t i = 0; i < a->p->n_values; i++) {
        const tn_plan_value *v = &a->p->values[i];
        uint64_t id = tn_map_or(&a->names, name_key(a, v->name), UINT64_MAX);
        bool known = v->clone_of == TN_NO_ID && v->graph[0] == '\0' && id != UINT64_MAX;
        a->value[i] = known ? a->m->values[id] : NULL;
    }
}

/* The op of a step that is no clone, by what it makes. */
static tn_op *find_op(const adopting *a, const tn_plan_step *s) {
    const tn_plan_step *end =
        s->kind == TN_STEP_BEGIN && s->partner != TN_NO_ID ? &a->p->steps[s->partner] : s;
    for (uint32_t r = 0; r < end->results.len; r++) {
        uint32_t value = end->results.data[r];
        tn_value *v = value != TN_NO_ID ? a->value[value] : NULL;
        if (v != NULL && v->def != NULL) {
            return v->def;
        }
    }
    return NULL;
}

static bool name_results(adopting *a, uint32_t step, tn_op *clone) {
    const tn_plan_step *s = &a->p->steps[step];
    for (uint32_t r = 0; r < clone->n_results; r++) {
        uint32_t value = s->results.data[r];
        if ((value == TN_NO_ID) != (clone->results[r] == NULL)) {
            return fail(a, step, "with other results than its node");
        }
        if (value == TN_NO_ID) {
            continue;
        }
        uint64_t key = name_key(a, a->p->values[value].name);
        if (a->value[value] != NULL || tn_map_or(&a->names, key, UINT64_MAX) != UINT64_MAX) {
            return fail(a, step, "whose result has the name of another value");
        }
        tn_map_put(&a->names, key, clone->results[r]->id);
        tn_value_set_name(clone->results[r], a->p->values[value].name);
        a->value[value] = clone->results[r];
    }
    return true;
}

/* Behind its node whatever the clone reads is there, and nobody has read it yet: the module stays
 * in an order, which need not be the plan's. */
static bool add_clone(adopting *a, uint32_t step) {
    const tn_plan_step *s = &a->p->steps[step];
    tn_op *of = a->op[s->clone_of];
    if (of == NULL || s->kind != TN_STEP_OP || of->n_regions > 0 || of->clone_of != NULL ||
        of->graph != a->m->main) {
        return fail(a, step, "of no step of the main graph that can be run once more");
    }
    if (s->results.len != of->n_results || s->operands.len != of->n_operands) {
        return fail(a, step, "with other operands or results than its node");
    }
    a->op[step] = tn_op_repeat(of, of->next);
    for (uint32_t i = 0; i < of->n_workspace && i < s->n_workspace; i++) {
        tn_value_set_name(tn_workspace(a->op[step], i), a->p->values[s->workspace[i].value].name);
    }
    return name_results(a, step, a->op[step]);
}

/* Only where the plan has a clone is anything else read than the model says. */
static void read_clones(adopting *a, uint32_t step) {
    const tn_plan_step *s = &a->p->steps[step];
    tn_op *op = a->op[step];
    for (uint32_t k = 0; op != NULL && k < op->n_operands && k < s->operands.len; k++) {
        uint32_t value = s->operands.data[k];
        tn_value *v = value != TN_NO_ID ? a->value[value] : NULL;
        if (v != NULL && v->clone_of != NULL) {
            tn_op_set_operand(op, k, v);
        }
    }
}

static bool adopt(adopting *a) {
    find_values(a);
    a->op = TN_ARRAY(a->arena, tn_op *, a->p->n_steps);
    for (uint32_t i = 0; i < a->p->n_steps; i++) {
        const tn_plan_step *s = &a->p->steps[i];
        bool own = s->clone_of == TN_NO_ID && s->graph[0] == '\0' && s->kind != TN_STEP_END;
        a->op[i] = own ? find_op(a, s) : NULL;
    }
    for (uint32_t i = 0; i < a->p->n_steps; i++) {
        if (a->p->steps[i].clone_of != TN_NO_ID && !add_clone(a, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < a->p->n_steps; i++) {
        read_clones(a, i);
    }
    return true;
}

bool tn_plan_clones_adopt(const tn_plan *p, tn_module *m) {
    if (!tn_plan_has_clones(p)) {
        return true;
    }
    adopting a = {.p = p, .m = m, .arena = tn_arena_new(m->ctx)};
    m->plain_digest = tn_plan_digest_plain(m, m->arena);
    bool good = adopt(&a);
    tn_arena_drop(a.arena);
    return good;
}
