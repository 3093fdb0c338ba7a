/* plan_read.h: steps. */
#include "lib/api/api_t.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), "passed through")
SAME(TN_STEP_OP, TENURE_STEP_OP);
SAME(TN_STEP_BEGIN, TENURE_STEP_BEGIN);
SAME(TN_STEP_END, TENURE_STEP_END);
SAME(TN_MOVE_BEGIN, TENURE_MOVE_BEGIN);
SAME(TN_MOVE_ITERATION, TENURE_MOVE_ITERATION);
SAME(TN_MOVE_NEXT, TENURE_MOVE_NEXT);
SAME(TN_MOVE_AFTER, TENURE_MOVE_AFTER);
SAME(TN_MOVE_END, TENURE_MOVE_END);
SAME(TN_MOVE_NONE, TENURE_MOVE_NONE);
SAME(TN_MOVE_COPY, TENURE_MOVE_COPY);
SAME(TN_MOVE_SLICE, TENURE_MOVE_SLICE);
SAME(TN_MOVE_STACK, TENURE_MOVE_STACK);
SAME(TN_MOVE_COUNT, TENURE_MOVE_COUNT);
SAME(TN_MOVE_TRUE, TENURE_MOVE_TRUE);
SAME(TN_PROMISE_KEEP, TENURE_PROMISE_KEEP);
SAME(TN_PROMISE_ELEMENTS, TENURE_PROMISE_ELEMENTS);
SAME(TN_PROMISE_ROWS, TENURE_PROMISE_ROWS);
SAME(TN_PROMISE_UPDATE, TENURE_PROMISE_UPDATE);
SAME(TN_PROMISE_DEFINITION, TENURE_PROMISE_DEFINITION);
SAME(TN_PROMISE_ASCENDING, TENURE_PROMISE_ASCENDING);
SAME(TN_PROMISE_DESCENDING, TENURE_PROMISE_DESCENDING);
SAME(TN_PROMISE_OVERLAP_ROWS, TENURE_PROMISE_OVERLAP_ROWS);
SAME(TN_PROMISE_OVERLAP_ROWS_BUFFERED, TENURE_PROMISE_OVERLAP_ROWS_BUFFERED);
SAME(TN_PROMISE_OVERLAP_ELEMENTS, TENURE_PROMISE_OVERLAP_ELEMENTS);
SAME(TN_PROMISE_OVERLAP_PIXELS, TENURE_PROMISE_OVERLAP_PIXELS);

static const tn_plan_step *step_of(const tenure_plan *plan, size_t index) {
    return plan != NULL && index < api_plan(plan)->n_steps ? &api_plan(plan)->steps[index] : NULL;
}

int tenure_plan_step(const tenure_plan *plan, size_t index, tenure_step *out) {
    const tn_plan_step *s = step_of(plan, index);
    if (s == NULL) {
        return 0;
    }
    tenure_step full = {.kind = (tenure_step_kind)s->kind,
                        .graph = s->graph,
                        .partner = s->partner,
                        .idle = s->idle,
                        .operands = tn_api_ids(s->operands),
                        .results = tn_api_ids(s->results),
                        .shape_only = tn_api_ids(s->shape_only),
                        .reads = tn_api_ids(s->reads),
                        .writes = tn_api_ids(s->writes),
                        .hazards = tn_api_ids(s->hazards),
                        .n_nodes = s->n_parts > 0 ? s->n_parts : 1,
                        .n_attributes = s->n_attrs,
                        .n_bodies = s->n_bodies,
                        .n_moves = s->n_moves,
                        .n_claims = s->n_claims,
                        .n_frees = s->frees.len,
                        .n_workspaces = s->n_workspace,
                        .fused = s->n_parts > 0,
                        .queue = s->queue,
                        .clone_of = s->clone_of};
    return TN_API_FILL(out, full);
}

static int own_node(const tn_plan_step *s, tenure_node *out) {
    tenure_node full = {
        .index = s->node, .name = s->name, .domain = s->domain, .op = s->op, .version = s->version};
    return TN_API_FILL(out, full);
}

int tenure_plan_node(const tenure_plan *plan, size_t step, size_t index, tenure_node *out) {
    const tn_plan_step *s = step_of(plan, step);
    if (s == NULL || index >= (s->n_parts > 0 ? s->n_parts : 1)) {
        return 0;
    }
    if (s->n_parts == 0) {
        return own_node(s, out);
    }
    const tn_plan_node *n = &s->parts[index];
    tenure_node full = {
        .index = n->node, .name = n->name, .domain = n->domain, .op = n->op, .version = n->version};
    return TN_API_FILL(out, full);
}

int tenure_plan_fused(const tenure_plan *plan, size_t step, tenure_node *out) {
    const tn_plan_step *s = step_of(plan, step);
    return s != NULL && s->n_parts > 0 && own_node(s, out);
}

int tenure_plan_workspace(const tenure_plan *plan, size_t step, size_t index,
                          tenure_workspace *out) {
    const tn_plan_step *s = step_of(plan, step);
    if (s == NULL || index >= s->n_workspace) {
        return 0;
    }
    const tn_plan_workspace *w = &s->workspace[index];
    tenure_workspace full = {.value = w->value, .kept = w->kept, .way = w->way};
    return TN_API_FILL(out, full);
}

int tenure_plan_attribute(const tenure_plan *plan, size_t step, size_t index,
                          tenure_attribute *out) {
    const tn_plan_step *s = step_of(plan, step);
    return s != NULL && index < s->n_attrs && tn_api_attribute(&s->attrs[index], out);
}

int tenure_plan_find_attribute(const tenure_plan *plan, size_t step, const char *name,
                               tenure_attribute *out) {
    const tn_plan_step *s = step_of(plan, step);
    const tn_attr *a = s != NULL && name != NULL ? tn_plan_attr(s, name) : NULL;
    return a != NULL && tn_api_attribute(a, out);
}

int tenure_plan_body(const tenure_plan *plan, size_t step, size_t index, tenure_body *out) {
    const tn_plan_step *s = step_of(plan, step);
    if (s == NULL || index >= s->n_bodies) {
        return 0;
    }
    const tn_plan_body *b = &s->bodies[index];
    tenure_body full = {.attribute = b->attribute,
                        .graph = b->graph,
                        .inputs = tn_api_ids(b->inputs),
                        .outputs = tn_api_ids(b->outputs)};
    return TN_API_FILL(out, full);
}

int tenure_plan_move(const tenure_plan *plan, size_t step, size_t index, tenure_move *out) {
    const tn_plan_step *s = step_of(plan, step);
    if (s == NULL || index >= s->n_moves) {
        return 0;
    }
    const tn_plan_move *m = &s->moves[index];
    tenure_move full = {.when = (tenure_move_when)m->when,
                        .kind = (tenure_move_kind)m->kind,
                        .body = m->body,
                        .from = m->from,
                        .to = m->to,
                        .axis = m->axis,
                        .reverse = m->reverse};
    return TN_API_FILL(out, full);
}

int tenure_plan_claim(const tenure_plan *plan, size_t step, size_t index, tenure_claim *out) {
    const tn_plan_step *s = step_of(plan, step);
    if (s == NULL || index >= s->n_claims) {
        return 0;
    }
    const tn_plan_claim *c = &s->claims[index];
    tenure_claim full = {
        .result = c->result, .operand = c->operand, .promise = (tenure_promise)c->promise};
    return TN_API_FILL(out, full);
}

int tenure_plan_release(const tenure_plan *plan, size_t step, size_t index, tenure_release *out) {
    const tn_plan_step *s = step_of(plan, step);
    if (s == NULL || index >= s->frees.len) {
        return 0;
    }
    tenure_release full = {.storage = s->frees.data[index]};
    if (s->after != NULL) {
        full.after = tn_api_ids(s->after[index]);
    }
    return TN_API_FILL(out, full);
}
