/* Groups of a plan that was made before: its steps say which nodes are one op. */
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/map.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/plan/plan_digest.h"
#include "passes/fuse/group.h"

bool tn_module_has_groups(const tn_module *m) {
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (!m->ops[i]->erased && m->ops[i]->n_parts > 0) {
            return true;
        }
    }
    return false;
}

void tn_module_take_groups_apart(tn_module *m) {
    bool any = tn_module_has_groups(m);
    uint32_t n = m->n_ops;
    for (uint32_t i = 0; i < n; i++) {
        tn_op *op = m->ops[i];
        if (!op->erased && op->n_parts > 0 && strcmp(op->domain, TN_FUSED_DOMAIN) == 0) {
            tn_op_take_apart(op);
        }
    }
    if (any && !tn_module_has_groups(m)) {
        m->source_digest = NULL;
    }
}

typedef struct adopting {
    const tn_plan *p;
    tn_module *m;
    tn_arena *arena;
    tn_map ops; /* by graph and node */
    const bool *overwritten;
} adopting;

static uint64_t key_of(const char *path, int64_t node) {
    return (uint64_t)tn_str_id(path) << 32 | (uint32_t)node;
}

static void find_ops(adopting *a) {
    a->ops = tn_map_make(a->arena);
    for (uint32_t i = 0; i < a->m->n_ops; i++) {
        const tn_op *op = a->m->ops[i];
        if (!op->erased && op->n_parts == 0 && op->clone_of == NULL) {
            tn_map_put(&a->ops, key_of(op->graph->path, op->loc.node), i);
        }
    }
}

static const char *why_not(const adopting *a, const tn_group *g) {
    const char *why = tn_group_refused(a->arena, g, a->overwritten);
    for (uint32_t i = 0; i + 1 < g->len && why == NULL; i++) {
        const tn_op *op = g->data[i];
        if (op->next == NULL || op->graph != g->data[0]->graph) {
            return "they are not of one graph";
        }
        for (uint32_t r = 0; r < op->n_results; r++) {
            const tn_value *v = op->results[r];
            bool read = v != NULL && (v->n_uses > 0 || (v->flags & TN_VF_OUTPUT) != 0);
            if (read && !tn_group_keeps(g, v)) {
                why = tn_arena_printf(a->arena, "'%s' is read by others", v->name);
            }
        }
    }
    return why;
}

/* The nodes in the order of the graph; len 0 where one is not there, or twice. */
static tn_group group_of(const adopting *a, const tn_plan_step *s) {
    tn_group g = {0};
    const char *path = tn_intern(a->m->ctx, s->graph);
    const tn_op *last = NULL;
    for (uint32_t i = 0; i < s->n_parts; i++) {
        uint64_t id = tn_map_or(&a->ops, key_of(path, s->parts[i].node), UINT64_MAX);
        if (id == UINT64_MAX || a->m->ops[id]->erased) {
            return (tn_group){0};
        }
        tn_op *op = a->m->ops[id];
        bool behind = last == NULL;
        for (const tn_op *at = last; at != NULL && !behind; at = at->next) {
            behind = at == op && at != last;
        }
        if (!behind || !tn_op_in_table(op)) {
            return (tn_group){0};
        }
        tn_vec_push(a->arena, &g, op);
        last = op;
    }
    return g;
}

static bool form(const adopting *a, uint32_t step) {
    tn_group g = group_of(a, &a->p->steps[step]);
    const char *why = g.len < 2
                          ? "the model has no such nodes, in this order, that no other step has"
                          : why_not(a, &g);
    if (why == NULL && !tn_group_fuse_own(a->arena, &g, a->p->steps[step].op)) {
        why = tn_arena_printf(a->arena, "they have no nest in common, or are no %s",
                              a->p->steps[step].op);
    }
    if (why != NULL) {
        tn_loc loc = tn_loc_file(a->m->file);
        tn_error(a->m->ctx, &loc, "step %u of the plan is made of nodes that cannot be one op: %s",
                 step, why);
    }
    return why == NULL;
}

bool tn_plan_groups_adopt(const tn_plan *p, tn_module *m) {
    bool good = true, any = false;
    for (uint32_t i = 0; i < p->n_steps && !any; i++) {
        any = p->steps[i].n_parts > 0 && strcmp(p->steps[i].domain, TN_FUSED_DOMAIN) == 0;
    }
    if (!any) {
        return true;
    }
    if (m->source_digest == NULL) { /* as the pass has it */
        m->source_digest = tn_plan_digest(m, m->arena);
    }
    adopting a = {.p = p, .m = m, .arena = tn_arena_new(m->ctx)};
    a.overwritten = tn_overwritten_values(m, a.arena);
    find_ops(&a);
    for (uint32_t i = 0; i < p->n_steps && good; i++) {
        const tn_plan_step *s = &p->steps[i];
        bool own = s->n_parts > 0 && strcmp(s->domain, TN_FUSED_DOMAIN) == 0;
        good = !own || s->clone_of != TN_NO_ID || form(&a, i);
    }
    tn_arena_drop(a.arena);
    return good;
}
