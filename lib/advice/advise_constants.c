/* Results that follow from constants alone, most of them weights that are dequantised in every run.
 * As constants, or made by the kernels that read them, they need no bytes of the arena. */
#include <string.h>

#include "ir/base/sort.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/walk.h"
#include "lib/advice/advice_t.h"
#include "passes/fuse/group.h"

enum { PARTS = 100 };

typedef struct folding {
    const tn_advice_scene *s;
    tn_arena *arena;
    const tn_module *m; /* typed */
    bool *fixed;        /* by value: constants, and what follows from them */
    uint64_t *weight; /* by value that is fixed: the most bytes in the arena that it, or what it is
                         made of, has now */
    bool *chosen;     /* by value: becomes a constant */
    TN_VEC(const tn_value *) list;
} folding;

/* Whoever changes them between runs wants results to follow. */
static void mark_constants(folding *w) {
    const bool *overwritten = tn_overwritten_values(w->m, w->arena);
    uint32_t n = w->s->m->n_values < w->m->n_values ? w->s->m->n_values : w->m->n_values;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t changing = TN_VF_PARAM | TN_VF_STATE;
        const tn_value *v = w->m->values[i];
        w->fixed[i] =
            tn_is_const(v) && (w->s->m->values[i]->flags & changing) == 0 && !overwritten[i];
    }
    for (uint32_t i = 0; i < w->s->m->n_bindings; i++) { /* the plan's, also of --update */
        uint32_t id = w->s->m->bindings[i].state->id;
        if (id < w->m->n_values) {
            w->fixed[id] = false;
        }
    }
}

static bool may_fold(const folding *w, const tn_op *op) {
    const uint32_t never = TN_T_RANDOM | TN_T_SIDE_EFFECT | TN_T_CONSTANT | TN_T_DATA_SHAPE |
                           TN_T_SEQUENCE | TN_T_UPDATE | TN_T_CONTROL | TN_T_CALL | TN_T_BARRIER;
    bool any = false,
         all = op->code != TN_OP_EXTERN && op->n_regions == 0 && (op->info->traits & never) == 0;
    for (uint32_t k = 0; k < op->n_operands && all; k++) {
        const tn_value *v = op->operands[k].value;
        all = v == NULL || w->fixed[v->id];
        any = any || v != NULL;
    }
    for (uint32_t r = 0; r < op->n_results && all; r++) {
        int64_t bytes;
        const tn_value *v = op->results[r];
        all = v == NULL ||
              (v->type->kind == TN_TYPE_TENSOR && tn_type_fixed_bytes(w->m->dims, v->type, &bytes));
    }
    return any && all;
}

static void follow(folding *w, const tn_op *op) {
    uint64_t most = 0;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        most = v != NULL && w->weight[v->id] > most ? w->weight[v->id] : most;
    }
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        if (v != NULL) {
            uint64_t own = tn_advice_arena_bytes(w->s, v->id);
            w->fixed[v->id] = true;
            w->weight[v->id] = own > most ? own : most;
        }
    }
}

/* Somebody needs it whose own results are not fixed. */
static bool is_wanted(const folding *w, const tn_value *v) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        const tn_value *y = tn_result(u->op, 0);
        if (y == NULL || !w->fixed[y->id]) {
            return true;
        }
    }
    return false;
}

/* Where one of them is worth it, all of them: the others would make the next peak. */
static bool choose(folding *w) {
    bool worth = false;
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        const tn_value *v = w->m->values[i];
        bool made = v->kind == TN_VALUE_RESULT && !v->def->erased && w->fixed[i] && !tn_is_const(v);
        if (made && (v->flags & TN_VF_OUTPUT) == 0 && v->n_content == 0 && w->weight[i] > 0 &&
            is_wanted(w, v)) {
            worth = worth || w->weight[i] >= w->s->now.arena / PARTS;
            tn_vec_push(w->arena, &w->list, v);
        }
    }
    return worth;
}

/* ---- the change ---- */

static const tn_tensor *tensor_of(tn_module *m, const tn_value *v) {
    tn_tensor *t = TN_NEW(m->arena, tn_tensor);
    int64_t bytes = 0, n = 1, *dims = TN_ARRAY(m->arena, int64_t, v->type->rank);
    for (uint32_t i = 0; i < v->type->rank; i++) {
        (void)tn_dim_is_const(m->dims, v->type->dims[i], &dims[i]);
        n *= dims[i];
    }
    (void)tn_type_fixed_bytes(m->dims, v->type, &bytes);
    *t = (tn_tensor){.dtype = v->type->dtype,
                     .rank = v->type->rank,
                     .dims = dims,
                     .n_elements = (uint64_t)n,
                     .bytes = (uint64_t)bytes};
    return t;
}

static bool is_unread(const tn_op *op) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        if (v != NULL && (v->n_uses > 0 || (v->flags & TN_VF_OUTPUT) != 0)) {
            return false;
        }
    }
    return true;
}

/* What only fed the new constants goes, from the last op to the first. */
static bool fold(tn_module *m, void *user) {
    const folding *w = user;
    for (uint32_t i = 0; i < w->list.len; i++) {
        tn_value *v = m->values[w->list.data[i]->id];
        const char *name = tn_internf(m->ctx, "%s (made before the run)", v->name);
        tn_replace_all_uses(v, tn_graph_add_const(v->graph, name, tensor_of(m, v)));
    }
    for (uint32_t i = w->m->n_ops; i-- > 0;) {
        tn_op *op = m->ops[i];
        if (!op->erased && op->n_regions == 0 && op->n_results > 0 && op->results[0] != NULL &&
            w->fixed[op->results[0]->id] && is_unread(op)) {
            tn_op_erase(op);
        }
    }
    return true;
}

/* ---- words ---- */

static int largest_first(const void *a, const void *b) {
    const tn_value *x = *(const tn_value *const *)a, *y = *(const tn_value *const *)b;
    int64_t n_x = 0, n_y = 0;
    (void)tn_type_fixed_bytes(x->graph->module->dims, x->type, &n_x);
    (void)tn_type_fixed_bytes(y->graph->module->dims, y->type, &n_y);
    return TN_FIRST_OF(TN_COMPARE(n_y, n_x), TN_COMPARE(x->id, y->id));
}

static void advise(folding *w, tn_advice_list *list) {
    tn_advice a = {.kind = TN_ADVICE_CONSTANTS};
    tn_arena *arena = w->s->arena;
    tn_texts results = {0};
    if (!tn_try_edit(w->s->trials, NULL, fold, w, &a.outcome) ||
        !tn_advice_is_worth(w->s, &a.outcome)) {
        return;
    }
    TN_SORT(w->list.data, w->list.len, largest_first);
    a.asks = "constants that are computed when the model is made, or kernels that compute them "
             "piece by piece as they read";
    for (uint32_t i = 0; i < w->list.len; i++) {
        const tn_value *v = w->list.data[i];
        tn_vec_push(arena, &a.tensors, tn_advice_name(arena, v->graph, v->name));
        tn_vec_push(arena, &results, tn_advice_result(arena, v));
    }
    a.what = tn_advice_some(arena, "made before the run, as constants", &results);
    tn_vec_push(arena, list, a);
}

/* Where there are gradients, weights change from run to run. */
void tn_advise_constants(tn_advice_scene *s, tn_advice_list *list) {
    const tn_module *m = tn_trials_typed(s->trials);
    if (m == NULL || s->plan->report.n_backward_ops + s->plan->report.n_backward_values > 0) {
        return;
    }
    tn_arena *scratch = tn_arena_new(s->trials->ctx);
    folding w = {.s = s,
                 .arena = scratch,
                 .m = m,
                 .fixed = TN_ARRAY(scratch, bool, m->n_values),
                 .weight = TN_ARRAY(scratch, uint64_t, m->n_values)};
    mark_constants(&w);
    TN_FOR_ALL_OPS(op, m->main) {
        if (may_fold(&w, op)) {
            follow(&w, op);
        }
    }
    if (choose(&w)) {
        advise(&w, list);
    }
    tn_arena_drop(scratch);
}
