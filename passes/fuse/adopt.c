/* Groups of a plan that was made before: its steps say which nodes are one op. */
#include <stdlib.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/map.h"
#include "ir/mutate.h"
#include "ir/ops/group_claims.h"
#include "passes/fuse/group.h"

bool tn_module_has_groups(const tn_module *m) {
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (!m->ops[i]->erased && m->ops[i]->n_parts > 0) {
            return true;
        }
    }
    return false;
}

void tn_module_remember_places(tn_module *m) {
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        uint32_t place = 0;
        for (tn_op *op = m->graphs[i]->first; op != NULL; op = op->next) {
            op->place = ++place;
        }
    }
}

static int by_place(const void *a, const void *b) {
    const tn_op *x = *(tn_op *const *)a, *y = *(tn_op *const *)b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Where all ops of the graph stood somewhere. */
static void put_back(tn_graph *g, tn_op **ops) {
    uint32_t n = 0;
    bool all = true;
    for (tn_op *op = g->first; op != NULL; op = op->next) {
        ops[n++] = op;
        all = all && op->place != 0;
    }
    if (all) {
        qsort(ops, n, sizeof *ops, by_place);
        for (uint32_t i = 0; i < n; i++) {
            tn_op_move_before(ops[i], NULL);
        }
    }
}

/* Ops that tenure made of some; or `all`, those of facts as well. */
static bool take_apart(tn_module *m, bool all) {
    uint32_t n = m->n_ops;
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        tn_op *op = m->ops[i];
        if (all ? !op->erased && op->n_parts > 0 : tn_op_is_group(op)) {
            tn_op_take_apart(op);
            any = true;
        }
    }
    return any;
}

void tn_module_take_all_apart(tn_module *m) {
    (void)take_apart(m, true);
}

void tn_module_take_groups_apart(tn_module *m) {
    bool any = take_apart(m, false);
    if (any) { /* what was said of it was said of another one */
        m->plain_digest = NULL;
        bool other = tn_module_has_groups(m) || m->tiled != NULL;
        m->source_digest = other ? m->source_digest : NULL;
        tn_arena *arena = tn_arena_new(m->ctx);
        tn_op **ops = TN_ARRAY(arena, tn_op *, m->n_ops);
        for (uint32_t i = 0; i < m->n_graphs; i++) {
            put_back(m->graphs[i], ops);
        }
        tn_arena_drop(arena);
    }
}

typedef struct adopting {
    const tn_plan *p;
    tn_module *m;
    tn_arena *arena;
    tn_map values; /* by graph and name, as tn_apart_key */
    const bool *overwritten;
} adopting;

static void find_values(adopting *a) {
    a->values = tn_map_make(a->arena);
    for (uint32_t i = 0; i < a->m->n_values; i++) {
        tn_map_put(&a->values, tn_apart_key(a->m->values[i]), i);
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

static bool is_part(const tn_op *op, const tn_plan_node *n) {
    return op != NULL && !op->erased && op->n_parts == 0 && op->clone_of == NULL &&
           tn_op_in_table(op) && op->loc.node == n->node && strcmp(op->type, n->op) == 0 &&
           strcmp(op->domain, n->domain) == 0 && strcmp(op->name, n->name) == 0;
}

/* The op that makes what the step does. */
static tn_op *last_of(const adopting *a, const tn_plan_step *s) {
    uint32_t result = s->results.len > 0 ? s->results.data[0] : TN_NO_ID;
    if (result == TN_NO_ID) {
        return NULL;
    }
    const tn_plan_value *v = &a->p->values[result];
    uint64_t graph = tn_str_id(tn_intern(a->m->ctx, v->graph)), id;
    return tn_map_get(&a->values, graph << 32 | tn_str_id(tn_intern(a->m->ctx, v->name)), &id)
               ? a->m->values[id]->def
               : NULL;
}

/* The op that only feeds those of the group, which are all behind it, and is that node: of models
 * whose nodes have no numbers several ops may look the same. */
static tn_op *feeder_of(const tn_group *g, const tn_plan_node *n) {
    for (uint32_t i = 0; i < g->len; i++) {
        for (uint32_t k = 0; k < g->data[i]->n_operands; k++) {
            const tn_value *v = g->data[i]->operands[k].value;
            tn_op *def = v != NULL && v->graph == g->data[0]->graph ? v->def : NULL;
            if (is_part(def, n) && def->results[0] == v && tn_group_keeps(g, v)) {
                return def;
            }
        }
    }
    return NULL;
}

/* The nodes as the plan has them, which may be in another order than in the graph; len 0 where one
 * is not there. */
static tn_group group_of(const adopting *a, const tn_plan_step *s) {
    tn_group back = {0}, g = {0};
    for (uint32_t i = s->n_parts; i-- > 0;) {
        tn_op *op = back.len == 0 ? last_of(a, s) : feeder_of(&back, &s->parts[i]);
        if (!is_part(op, &s->parts[i])) {
            return (tn_group){0};
        }
        for (uint32_t k = 0; k < back.len; k++) {
            if (back.data[k] == op) {
                return (tn_group){0};
            }
        }
        tn_vec_push(a->arena, &back, op);
    }
    for (uint32_t i = back.len; i-- > 0;) {
        tn_vec_push(a->arena, &g, back.data[i]);
    }
    return g;
}

/* Forms the group of the step; or says why it cannot be, so far. */
static const char *form(const adopting *a, uint32_t step) {
    const tn_plan_step *s = &a->p->steps[step];
    uint32_t *of = TN_ARRAY(a->arena, uint32_t, s->n_parts);
    for (uint32_t i = 0; i < s->n_parts; i++) {
        of[i] = s->parts[i].nest;
    }
    tn_group g = group_of(a, s);
    const char *why = g.len < 2
                          ? "the model has no such nodes, each of which only those behind it read"
                          : why_not(a, &g);
    return why != NULL || tn_group_fuse_own(a->arena, &g, of, NULL) ? why
                                                                    : "they have no nest in common";
}

bool tn_plan_has_groups(const tn_plan *p) {
    bool any = false;
    for (uint32_t i = 0; i < p->n_steps && !any; i++) {
        any = tn_is_group(p->steps[i].domain, p->steps[i].n_parts);
    }
    return any;
}

/* A group reads no parameters whose elements are known, so what makes these may be free for another
 * group once it is formed: from the last step on, again and again while one more is formed. */
static bool form_all(const adopting *a, bool *formed) {
    bool more = true;
    const char *why = NULL;
    uint32_t step = 0;
    while (more) {
        more = false;
        why = NULL;
        for (uint32_t i = a->p->n_steps; i-- > 0;) {
            const tn_plan_step *s = &a->p->steps[i];
            if (formed[i] || !tn_is_group(s->domain, s->n_parts) || s->clone_of != TN_NO_ID) {
                continue;
            }
            const char *now = form(a, i);
            formed[i] = now == NULL;
            more = more || formed[i];
            step = now != NULL ? i : step;
            why = now != NULL ? now : why;
        }
        more = more && why != NULL;
    }
    if (why != NULL) {
        tn_loc loc = tn_loc_file(a->m->file);
        tn_error(a->m->ctx, &loc,
                 "step %u of the plan (%s '%s') is made of nodes that cannot be one op: %s", step,
                 a->p->steps[step].op, a->p->steps[step].name, why);
    }
    return why == NULL;
}

bool tn_plan_groups_adopt(const tn_plan *p, tn_module *m) {
    if (!tn_plan_has_groups(p)) {
        return true;
    }
    adopting a = {.p = p, .m = m, .arena = tn_arena_new(m->ctx)};
    a.overwritten = tn_overwritten_values(m, a.arena);
    find_values(&a);
    bool good = form_all(&a, TN_ARRAY(a.arena, bool, p->n_steps));
    tn_arena_drop(a.arena);
    return good;
}
