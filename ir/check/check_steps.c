/* Steps against ops. A step with results is the op that makes them; one without is found by its
 * place and name. Begin and end bracket the steps of the op's nested graphs, region by region. */
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/walk.h"

/* Ops without results by place and name; equal ones queue up in schedule order. */
typedef struct mute_ops {
    tn_map head;    /* key -> op id */
    uint32_t *next; /* by op id */
} mute_ops;

typedef struct frame {
    const tn_op *op;
    uint32_t region; /* the one whose steps have come last */
} frame;

typedef struct walk {
    tn_checking *c;
    mute_ops mute;
    frame *open; /* ops begun and not ended */
    uint32_t n_open;
    tn_op *expected; /* next in file order; NULL once the order is not compared any more */
} walk;

static uint64_t place_key(const char *graph, const char *type, const char *name, int32_t node) {
    uint64_t h = tn_hash(graph, strlen(graph), (uint64_t)(uint32_t)node);
    return tn_hash(name, strlen(name), tn_hash(type, strlen(type), h));
}

static bool is_mute(const tn_op *op) {
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (op->results[i] != NULL) {
            return false;
        }
    }
    return true;
}

static mute_ops index_mute_ops(const tn_checking *c) {
    mute_ops mute = {tn_map_make(c->arena), TN_ARRAY(c->arena, uint32_t, c->m->n_ops)};
    tn_map tail = tn_map_make(c->arena);
    TN_FOR_ALL_OPS(op, c->m->main) {
        if (!is_mute(op)) {
            continue;
        }
        uint64_t key = place_key(op->graph->path, op->type, op->name, op->loc.node), last;
        mute.next[op->id] = TN_NO_ID;
        if (tn_map_get(&tail, key, &last)) {
            mute.next[last] = op->id;
        } else {
            tn_map_put(&mute.head, key, op->id);
        }
        tn_map_put(&tail, key, op->id);
    }
    return mute;
}

static const tn_op *take_mute(walk *w, const tn_plan_step *s) {
    uint64_t key = place_key(s->graph, s->op, s->name, s->node), id;
    if (!tn_map_get(&w->mute.head, key, &id) || id == TN_NO_ID) {
        return NULL;
    }
    tn_map_put(&w->mute.head, key, w->mute.next[id]);
    return w->c->m->ops[id];
}

static bool describes(const tn_plan_step *s, const tn_op *op) {
    return strcmp(s->graph, op->graph->path) == 0 && strcmp(s->op, op->type) == 0 &&
           strcmp(s->domain, op->domain) == 0 && strcmp(s->name, op->name) == 0 &&
           s->node == op->loc.node;
}

/* The op of a step, known by the step that writes its results: the step itself, or for a begin its
 * end. */
static const tn_op *find_op(walk *w, uint32_t step) {
    const tn_plan *p = w->c->p;
    const tn_plan_step *s = &p->steps[step], *writer = s;
    if (s->kind == TN_STEP_BEGIN) {
        if (s->partner == TN_NO_ID) {
            return NULL;
        }
        writer = &p->steps[s->partner];
    }
    if (writer->writes.len == 0) {
        return take_mute(w, s);
    }
    const tn_value *first = w->c->facts[writer->writes.data[0]].v;
    return first != NULL && first->def != NULL && describes(s, first->def) ? first->def : NULL;
}

static void check_order(walk *w, uint32_t step, const tn_op *op) {
    tn_checking *c = w->c;
    if (c->p->reordered || w->expected == NULL) {
        return;
    }
    if (op == w->expected) {
        w->expected = tn_op_after(c->m->main, w->expected);
        return;
    }
    tn_check_fail(c,
                  "%s is out of order: the model has '%s' (%s) here, and the plan does not say "
                  "that it was reordered",
                  tn_check_step_name(c, (int32_t)step), w->expected->name, w->expected->type);
    w->expected = NULL;
}

/* A step's op must belong to the main graph, or to a region of the innermost open op that is not
 * behind one already left. */
static bool check_nesting(walk *w, uint32_t step, const tn_op *op) {
    tn_checking *c = w->c;
    frame *top = w->n_open > 0 ? &w->open[w->n_open - 1] : NULL;
    if (op->graph->owner != (top != NULL ? top->op : NULL)) {
        tn_check_fail(c, "%s does not lie between the begin and the end of the op that runs it",
                      tn_check_step_name(c, (int32_t)step));
        return false;
    }
    if (top == NULL) {
        return true;
    }
    uint32_t region = top->region;
    while (region < top->op->n_regions && top->op->regions[region] != op->graph) {
        region++;
    }
    if (region == top->op->n_regions) {
        tn_check_fail(c, "%s comes after steps of a later nested graph of '%s'",
                      tn_check_step_name(c, (int32_t)step), top->op->name);
        return false;
    }
    top->region = region;
    return true;
}

static void start_op(walk *w, uint32_t step) {
    tn_checking *c = w->c;
    const tn_plan_step *s = &c->p->steps[step];
    const tn_op *op = find_op(w, step);
    if (op == NULL) {
        tn_check_fail(c, "%s is not an op of the model", tn_check_step_name(c, (int32_t)step));
        return;
    }
    if (c->begin[op->id] != TN_NO_ID) {
        tn_check_fail(c, "%s comes twice: it was step %u", tn_check_step_name(c, (int32_t)step),
                      c->begin[op->id]);
        return;
    }
    if ((s->kind == TN_STEP_BEGIN) != (op->n_regions > 0)) {
        tn_check_fail(c, "%s: an op has a begin and an end exactly when it runs nested graphs",
                      tn_check_step_name(c, (int32_t)step));
        return;
    }
    if (s->kind == TN_STEP_OP && s->partner != TN_NO_ID) {
        tn_check_fail(c, "%s has a partner, step %u, but is one step only",
                      tn_check_step_name(c, (int32_t)step), s->partner);
    }
    if (!check_nesting(w, step, op)) {
        return;
    }
    check_order(w, step, op);
    c->step_op[step] = op;
    c->begin[op->id] = step;
    if (s->kind == TN_STEP_BEGIN) {
        w->open[w->n_open++] = (frame){op, 0};
    } else {
        c->end[op->id] = step;
    }
}

static void end_op(walk *w, uint32_t step) {
    tn_checking *c = w->c;
    const tn_plan_step *s = &c->p->steps[step];
    const tn_op *op = w->n_open > 0 ? w->open[w->n_open - 1].op : NULL;
    if (op == NULL || c->begin[op->id] != s->partner || c->p->steps[s->partner].partner != step ||
        !describes(s, op)) {
        tn_check_fail(c, "%s does not end the op begun last", tn_check_step_name(c, (int32_t)step));
        return;
    }
    w->n_open--;
    c->step_op[step] = op;
    c->end[op->id] = step;
}

void tn_check_steps(tn_checking *c) {
    uint32_t n_steps = c->p->n_steps, n_ops = c->m->n_ops;
    c->step_op = TN_ARRAY(c->arena, const tn_op *, n_steps);
    c->begin = TN_ARRAY(c->arena, uint32_t, n_ops);
    c->end = TN_ARRAY(c->arena, uint32_t, n_ops);
    memset(c->begin, 0xff, n_ops * sizeof *c->begin);
    memset(c->end, 0xff, n_ops * sizeof *c->end);
    walk w = {.c = c,
              .mute = index_mute_ops(c),
              .open = TN_ARRAY(c->arena, frame, (size_t)n_steps + 1),
              .expected = tn_op_after(c->m->main, NULL)};
    for (uint32_t i = 0; i < n_steps; i++) {
        if (c->p->steps[i].kind == TN_STEP_END) {
            end_op(&w, i);
        } else {
            start_op(&w, i);
        }
    }
    TN_FOR_ALL_OPS(op, c->m->main) {
        if (c->end[op->id] == TN_NO_ID) {
            const char *name = op->name[0] != '\0' ? op->name : op->loc.first;
            tn_check_fail(c, "the plan has no step for %s '%s' (#%d) of the model", op->type,
                          name != NULL ? name : "", (int)op->loc.node);
        }
    }
}
