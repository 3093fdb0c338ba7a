/* Clones against the model. A value is known by the node and the position of the result that it is
 * of, whichever step computes it: its identity. A clone has to be of a node that gives the same
 * elements each time, and to read values of the same identities as the node. Everybody else reads
 * values of the identities that the model names, or the module without clones would have another
 * digest. That these bytes are there and not overwritten is proved where all reads are. */
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/ops/flops.h"
#include "ir/plan/plan_digest.h"

static const tn_value *identity(const tn_value *v) {
    return v != NULL && v->clone_of != NULL ? v->clone_of : v;
}

/* What makes a second run of the node something else than the first one, or NULL. */
static const char *why_once(const tn_op *op) {
    static const struct {
        uint32_t trait;
        const char *why;
    } traits[] = {
        {TN_T_RANDOM, "it draws random numbers"},
        {TN_T_SIDE_EFFECT | TN_T_BARRIER, "it does more than make its results"},
        {TN_T_UPDATE, "it updates state"},
        {TN_T_CONTROL | TN_T_CALL, "it runs nested graphs"},
        {TN_T_SEQUENCE, "it works on sequences"},
        {TN_T_CONSTANT, "its result is data of the model"},
    };
    for (size_t i = 0; i < sizeof traits / sizeof traits[0]; i++) {
        if ((op->info->traits & traits[i].trait) != 0) {
            return traits[i].why;
        }
    }
    return !tn_op_in_table(op) ? "nothing is known of the op"
           : op->n_regions > 0 ? "it runs nested graphs"
                               : NULL;
}

/* Whether the run leaves the value's elements behind as state. */
static bool becomes_state(const tn_checking *c, const tn_value *v) {
    for (uint32_t i = 0; i < c->m->n_bindings; i++) {
        if (identity(c->m->bindings[i].value) == v) {
            return true;
        }
    }
    return (v->flags & TN_VF_STATE) != 0;
}

/* The same of results that are the new form of an operand: figures that normalisations keep. */
static bool is_running(const tn_op *op, uint32_t result) {
    tn_inplace claim;
    bool running = tn_op_updated(op, result) >= 0;
    for (uint32_t i = 0; result > 0 && tn_op_inplace(op, i, &claim); i++) {
        running |= claim.result == result && claim.cond == TN_IF_UPDATE;
    }
    return running;
}

/* Whether the clone does without such a result, and what it makes otherwise is the same. */
static bool leaves_out(const tn_op *op, const tn_op *of, uint32_t result) {
    return op->results[result] == NULL && is_running(of, result) && tn_op_updates_apart(of);
}

static const char *why_state(const tn_checking *c, const tn_op *op, const tn_op *of) {
    for (uint32_t r = 0; r < of->n_results; r++) {
        const tn_value *v = of->results[r];
        if (v != NULL && !leaves_out(op, of, r) && (becomes_state(c, v) || is_running(of, r))) {
            return "it moves state on, which two runs would do twice";
        }
    }
    for (uint32_t i = 0; i < of->n_workspace; i++) {
        if (tn_workspace(of, i)->flags & TN_VF_STATE) {
            return "its kernel keeps bytes from run to run";
        }
    }
    return NULL;
}

static bool is_overwritten(const tn_value *v) {
    for (const tn_use *u = v != NULL ? v->first_use : NULL; u != NULL; u = u->next) {
        if (!u->op->erased && tn_op_overwrites(u->op, u->index, NULL)) {
            return true;
        }
    }
    return false;
}

/* Bytes that an op overwrites by definition hold other elements behind it: a clone would read the
 * new ones, or stand for them with the old ones. */
static const char *why_overwritten(const tn_op *op, const tn_op *of) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (is_overwritten(op->operands[k].value)) {
            return "it reads what an op overwrites by definition";
        }
    }
    for (uint32_t r = 0; r < of->n_results; r++) {
        if (is_overwritten(of->results[r]) || is_overwritten(op->results[r])) {
            return "an op overwrites by definition what it makes";
        }
    }
    return NULL;
}

static bool same_node(const tn_op *a, const tn_op *b) {
    return a->info == b->info && a->version == b->version && strcmp(a->type, b->type) == 0 &&
           strcmp(a->domain, b->domain) == 0 && a->loc.node == b->loc.node &&
           a->graph == b->graph && a->n_operands == b->n_operands && a->n_results == b->n_results &&
           a->n_workspace == b->n_workspace && a->n_parts == 0 && b->n_parts == 0;
}

static bool same_attributes(const tn_plan_step *a, const tn_plan_step *b) {
    bool same = a->n_attrs == b->n_attrs;
    for (uint32_t i = 0; i < a->n_attrs && same; i++) {
        same = strcmp(a->attrs[i].name, b->attrs[i].name) == 0 &&
               a->attrs[i].kind == b->attrs[i].kind &&
               tn_check_same_attribute(&a->attrs[i], &b->attrs[i]);
    }
    return same;
}

static void check_reads(tn_checking *c, uint32_t step, const tn_op *op, const tn_op *of) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value, *want = of->operands[k].value;
        if (identity(v) != identity(want)) {
            tn_check_fail(c, "%s: operand %u is '%s', which is not what '%s' of the node holds",
                          tn_check_step_name(c, (int32_t)step), k, v != NULL ? v->name : "",
                          want != NULL ? want->name : "");
        }
    }
}

/* The plan says of each result what it is a clone of. */
static void check_results(tn_checking *c, uint32_t step, const tn_op *op, const tn_op *of) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        const tn_value *want = of != NULL ? of->results[r] : NULL;
        uint32_t value = v != NULL ? c->plan_value[v->id] : TN_NO_ID;
        uint32_t origin = want != NULL ? c->plan_value[want->id] : TN_NO_ID;
        bool same = v != NULL ? v->clone_of == want : want == NULL || leaves_out(op, of, r);
        if (!same || (value != TN_NO_ID && c->p->values[value].clone_of != origin)) {
            tn_check_fail(c, "%s: result %u, '%s', is not said to be a clone of '%s'",
                          tn_check_step_name(c, (int32_t)step), r, v != NULL ? v->name : "",
                          want != NULL ? want->name : "");
        }
        if (of != NULL && v != NULL && (v->flags & TN_VF_OUTPUT) != 0) {
            tn_check_fail(c, "%s: result %u, '%s', is an output of the model",
                          tn_check_step_name(c, (int32_t)step), r, v->name);
        }
    }
}

static void check_clone(tn_checking *c, uint32_t step, const tn_op *op, const tn_op *of) {
    const tn_plan_step *s = &c->p->steps[step];
    uint32_t first = c->begin[of->id];
    if (first == TN_NO_ID || s->clone_of != first) {
        tn_check_fail(c, "%s is not a clone of the step that runs its node",
                      tn_check_step_name(c, (int32_t)step));
        return;
    }
    if (of->clone_of != NULL || of->erased || of->graph != c->m->main || !same_node(op, of) ||
        !same_attributes(s, &c->p->steps[first])) {
        tn_check_fail(c, "%s is not what step %u runs", tn_check_step_name(c, (int32_t)step),
                      first);
        return;
    }
    const char *why = why_once(of);
    why = why != NULL ? why : why_state(c, op, of);
    why = why != NULL ? why : why_overwritten(op, of);
    if (why != NULL) {
        tn_check_fail(c, "%s may not be run once more: %s", tn_check_step_name(c, (int32_t)step),
                      why);
    }
    check_reads(c, step, op, of);
    check_results(c, step, op, of);
}

/* Without clones the module is the model. */
static void check_rest(tn_checking *c) {
    const char *plain = tn_plan_digest_plain(c->m, c->arena);
    if (c->m->plain_digest == NULL || strcmp(plain, c->m->plain_digest) != 0) {
        tn_check_fail(c, "a step reads a value that is not a clone of what its node reads");
    }
    if (!c->p->reordered) {
        tn_check_fail(c, "the plan runs nodes once more, and does not say that it was reordered");
    }
}

static void check_figures(tn_checking *c, uint32_t n_clones, double flops) {
    const tn_plan_recompute *r = &c->p->report.recompute;
    uint64_t operations = tn_flops_count(flops);
    uint64_t model =
        r->model_operations > 0 || n_clones > 0 ? tn_flops_count(tn_graph_flops(c->m->main)) : 0;
    if (r->n_clones != n_clones || r->operations != operations || r->model_operations != model) {
        tn_check_fail(c,
                      "the report says %u clones of %llu operations beside %llu, the steps have %u "
                      "of %llu beside %llu",
                      r->n_clones, (unsigned long long)r->operations,
                      (unsigned long long)r->model_operations, n_clones,
                      (unsigned long long)operations, (unsigned long long)model);
    }
    for (uint32_t i = 1; i < r->n_curve; i++) {
        if (r->curve[i].operations <= r->curve[i - 1].operations ||
            r->curve[i].arena >= r->curve[i - 1].arena) {
            tn_check_fail(c,
                          "point %u of the report's curve is not behind and below the one "
                          "before it",
                          i);
        }
    }
}

/* What no step of the model's own graph makes is a clone of nothing either. */
static void check_others(tn_checking *c) {
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        const tn_value *of = c->facts[i].v->clone_of;
        if (of == NULL && c->p->values[i].clone_of != TN_NO_ID) {
            tn_check_fail(c, "value %s is said to be a clone of %s, and no clone makes it",
                          tn_check_value_name(c, i),
                          tn_check_value_name(c, c->p->values[i].clone_of));
        }
    }
}

void tn_check_clones(tn_checking *c) {
    uint32_t n = 0;
    double flops = 0;
    check_others(c);
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_op *op = c->step_op[i];
        if (op->clone_of == NULL && c->p->steps[i].clone_of != TN_NO_ID) {
            tn_check_fail(c, "%s is not a clone", tn_check_step_name(c, (int32_t)i));
        } else if (op->clone_of != NULL) {
            check_clone(c, i, op, op->clone_of);
            flops += tn_op_flops(op);
            n++;
        } else if (c->p->steps[i].kind != TN_STEP_BEGIN) {
            check_results(c, i, op, NULL);
        }
    }
    if (n > 0) {
        check_rest(c);
    }
    check_figures(c, n, flops);
}
