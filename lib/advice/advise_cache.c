/* A past that the model joins with what is new, or updates, and gives back: as a buffer of the
 * length that comes out, which the op updates where it lies, it needs its bytes once. */
#include <string.h>

#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/plan/plan_names.h"
#include "lib/advice/advice_t.h"

/* An op that joins two tensors along an axis, or that could update one where it lies. */
typedef struct growth {
    const tn_op *op;
    const tn_value *past, *now; /* an input and an output of the model */
    bool joins;
    uint32_t axis;
} growth;

typedef struct growing {
    const tn_advice_scene *s;
    TN_VEC(growth) list;
} growing;

/* Both have the same extents but along one axis. */
static bool grows(const tn_value *past, const tn_value *now, uint32_t *axis) {
    const tn_type *a = past->type, *b = now->type;
    uint32_t n = 0;
    int64_t bytes;
    tn_dims *d = past->graph->module->dims;
    if (a->kind != TN_TYPE_TENSOR || b->kind != TN_TYPE_TENSOR || a->rank != b->rank ||
        a->dtype != b->dtype || !tn_type_fixed_bytes(d, a, &bytes) ||
        !tn_type_fixed_bytes(d, b, &bytes)) {
        return false;
    }
    for (uint32_t i = 0; i < a->rank; i++) {
        if (a->dims[i] != b->dims[i]) {
            *axis = i;
            n++;
        }
    }
    return n == 1;
}

static bool is_state(const tn_advice_scene *s, uint32_t id) {
    for (uint32_t i = 0; i < s->m->n_bindings; i++) {
        if (s->m->bindings[i].state->id == id || s->m->bindings[i].value->id == id) {
            return true;
        }
    }
    return false;
}

static bool may_be_state(const growing *w, const tn_value *past, const tn_value *now) {
    return past != NULL && now != NULL && past->kind == TN_VALUE_INPUT && past->n_uses == 1 &&
           (past->flags & (TN_VF_OUTPUT | TN_VF_DEFAULT)) == 0 &&
           (now->flags & TN_VF_OUTPUT) != 0 && !is_state(w->s, past->id) &&
           !is_state(w->s, now->id);
}

/* Who joins the two reads both in the same run, if it is a cache. */
static void look_at_join(growing *w, const tn_op *op) {
    growth g = {.op = op, .past = tn_operand(op, 0), .now = tn_result(op, 0), .joins = true};
    if (op->n_operands == 2 && tn_op_view(op).kind == TN_VIEW_GATHERED &&
        tn_operand(op, 1) != NULL && may_be_state(w, g.past, g.now) && g.now->n_uses > 0 &&
        grows(g.past, g.now, &g.axis)) {
        tn_vec_push(w->s->arena, &w->list, g);
    }
}

static void look_at_updates(growing *w, const tn_op *op) {
    tn_inplace claim;
    for (uint32_t i = 0; tn_op_inplace(op, i, &claim); i++) {
        for (uint32_t k = 0; k < op->n_operands && k < 32 && claim.cond == TN_IF_UPDATE; k++) {
            growth g = {.op = op, .past = tn_operand(op, k), .now = tn_result(op, claim.result)};
            if ((claim.operands >> k & 1u) != 0 && may_be_state(w, g.past, g.now) &&
                tn_type_equal(g.past->type, g.now->type)) {
                tn_vec_push(w->s->arena, &w->list, g);
                break;
            }
        }
    }
}

/* ONNX's op for this, which writes what is new into the buffer. */
static void write_into(tn_op *old, tn_value *past, tn_value *now, uint32_t axis) {
    tn_op *op = tn_op_new(old->graph, "", "TensorScatter", 24, old->name, old->loc);
    tn_op_move_before(op, old);
    tn_op_add_operand(op, past);
    tn_op_add_operand(op, old->operands[1].value);
    tn_op_add_int(op, "axis", axis);
    tn_value_set_type(past, now->type);
    tn_op_take_result(op, now);
    tn_op_erase(old);
}

static bool update(tn_module *m, void *user) {
    const growing *w = user;
    for (uint32_t i = 0; i < w->list.len; i++) {
        const growth *g = &w->list.data[i];
        tn_value *past = m->values[g->past->id], *now = m->values[g->now->id];
        if (g->joins) {
            write_into(m->ops[g->op->id], past, now, g->axis);
        }
        tn_module_add_binding(m, past, now);
    }
    return true;
}

static const char *pair_text(tn_arena *arena, const growth *g) {
    tn_sink text = tn_sink_make(arena);
    tn_put_quoted(&text, g->past->name);
    tn_put(&text, " by ");
    tn_put_quoted(&text, g->now->name);
    return text.data;
}

void tn_advise_cache(tn_advice_scene *s, tn_advice_list *list) {
    static const tn_change in_place = {.settings = {{"inplace", "all"}}, .keeps_pipeline = true};
    growing w = {.s = s};
    tn_advice a = {.kind = TN_ADVICE_CACHE};
    tn_texts pairs = {0};
    const tn_module *m = tn_trials_typed(s->trials);
    if (m == NULL) {
        return;
    }
    TN_FOR_OPS(op, m->main) {
        look_at_join(&w, op);
        look_at_updates(&w, op);
    }
    if (w.list.len == 0 || !tn_try_edit(s->trials, &in_place, update, &w, &a.outcome) ||
        !tn_advice_is_worth(s, &a.outcome)) {
        return;
    }
    a.asks = "inputs that are what the outputs of the run before were, --update for each pair, "
             "--inplace=all, and, where the model joins the two, one that writes what is new into "
             "a buffer (TensorScatter, ScatterND)";
    a.options = "--inplace=all";
    for (uint32_t i = 0; i < w.list.len; i++) {
        tn_vec_push(s->arena, &a.tensors, w.list.data[i].past->name);
        tn_vec_push(s->arena, &a.tensors, w.list.data[i].now->name);
        tn_vec_push(s->arena, &pairs, pair_text(s->arena, &w.list.data[i]));
    }
    a.what = tn_advice_some(s->arena, "state of its full length, updated where it lies", &pairs);
    tn_vec_push(s->arena, list, a);
}
