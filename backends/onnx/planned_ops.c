#include "backends/onnx/planned_ops.h"

#include <string.h>

#include "ir/walk.h"

typedef struct search {
    tn_arena *arena;
    const tn_plan *p;
    const tn_module *m;
    const uint32_t *in_model; /* by plan value */
    tn_map mute;              /* ops without a result: id + 1 by path and index of the node */
    bool *found;              /* by op id */
} search;

static uint64_t mute_key(const search *s, const char *graph, int32_t node) {
    return tn_str_id(tn_internf(s->m->ctx, "%d %s", (int)node, graph));
}

static bool is_mute(const tn_op *op) {
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (op->results[i] != NULL) {
            return false;
        }
    }
    return true;
}

/* A step is known by what it writes; that of a begin is written by its end. */
static tn_op *op_of(const search *s, const tn_plan_step *step) {
    const tn_plan_step *writer = step->kind == TN_STEP_BEGIN ? &s->p->steps[step->partner] : step;
    for (uint32_t i = 0; i < writer->results.len; i++) {
        uint32_t value = writer->results.data[i];
        uint32_t id = value != TN_NO_ID ? s->in_model[value] : TN_NO_ID;
        if (id != TN_NO_ID) {
            return s->m->values[id]->def;
        }
    }
    uint64_t id = tn_map_or(&s->mute, mute_key(s, step->graph, step->node), 0);
    return id != 0 ? s->m->ops[id - 1] : NULL;
}

TN_NORETURN static void refuse(const search *s, uint32_t step) {
    tn_loc loc = tn_loc_file(s->m->file);
    tn_fail(s->m->ctx, &loc,
            "step %u of the plan (%s) is not an op of this model: the plan is of another", step,
            step < s->p->n_steps ? s->p->steps[step].op : "missing");
}

static void index_mute(search *s) {
    s->mute = tn_map_make(s->arena);
    TN_FOR_ALL_OPS(op, s->m->main) {
        if (is_mute(op)) {
            tn_map_put(&s->mute, mute_key(s, op->graph->path, op->loc.node), op->id + 1u);
        }
    }
}

tn_planned_ops tn_planned_ops_find(tn_arena *arena, const tn_plan *p, const tn_module *m) {
    search s = {.arena = arena, .p = p, .m = m, .in_model = tn_plan_in_model(arena, p, m)};
    tn_planned_ops out = {TN_ARRAY(arena, tn_op *, p->n_steps),
                          TN_ARRAY(arena, tn_op *, p->n_steps + 1u)};
    uint32_t n = 0, n_ops = 0;
    s.found = TN_ARRAY(arena, bool, m->n_ops);
    index_mute(&s);
    for (uint32_t i = 0; i < p->n_steps; i++) {
        const tn_plan_step *step = &p->steps[i];
        if (step->clone_of != TN_NO_ID) {
            continue;
        }
        tn_op *op = op_of(&s, step);
        bool again = op != NULL && step->kind != TN_STEP_END && s.found[op->id];
        if (op == NULL || again || strcmp(op->type, step->op) != 0) {
            refuse(&s, i);
        }
        out.of_step[i] = op;
        if (step->kind != TN_STEP_END) {
            s.found[op->id] = true;
            out.schedule[n++] = op;
        }
    }
    for (uint32_t i = 0; i < p->n_steps; i++) {
        uint32_t of = p->steps[i].clone_of;
        if (of != TN_NO_ID && (out.of_step[i] = out.of_step[of]) == NULL) {
            refuse(&s, i);
        }
    }
    TN_FOR_ALL_OPS(op, m->main) {
        n_ops++;
    }
    if (n != n_ops) {
        refuse(&s, p->n_steps);
    }
    return out;
}
