/* Indices and counts that ops give as i64, whatever they read. As i32 they need half the bytes. */
#include <string.h>

#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/walk.h"
#include "lib/advice/advice_t.h"

enum { PARTS = 100 };

typedef struct narrowing {
    const tn_advice_scene *s;
    const tn_module *m; /* typed */
    TN_VEC(const tn_value *) list;
} narrowing;

static bool is_i64(const tn_value *v) {
    return v != NULL && v->type->kind == TN_TYPE_TENSOR && v->type->dtype == TN_DT_INT64;
}

/* The op itself says that its results are i64: it reads none that are data. */
static bool makes_i64(const tn_op *op) {
    bool reads = false;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        reads = reads || (is_i64(v) && !tn_is_const(v) && v->n_content == 0);
    }
    return !reads && op->code != TN_OP_EXTERN && op->n_regions == 0 &&
           (op->info->traits & (TN_T_CONSTANT | TN_T_CALL)) == 0;
}

static void look(narrowing *w, const tn_op *op) {
    for (uint32_t r = 0; r < op->n_results && makes_i64(op); r++) {
        const tn_value *v = op->results[r];
        uint64_t bytes = v != NULL ? tn_advice_arena_bytes(w->s, v->id) : 0;
        if (is_i64(v) && v->n_content == 0 && bytes > 0 && bytes >= w->s->now.arena / PARTS &&
            (v->flags & TN_VF_OUTPUT) == 0) {
            tn_vec_push(w->s->arena, &w->list, v);
        }
    }
}

/* An op in its place of which nothing is known but the types of its results. */
static tn_op *stand_in(tn_op *op) {
    tn_op *made = tn_op_new(op->graph, "tenure.i32", op->type, 1, op->name, op->loc);
    tn_op_move_before(made, op);
    for (uint32_t k = 0; k < op->n_operands; k++) {
        tn_op_add_operand(made, op->operands[k].value);
    }
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (op->results[r] != NULL) {
            tn_op_take_result(made, op->results[r]);
        } else {
            tn_op_add_no_result(made);
        }
    }
    tn_op_erase(op);
    return made;
}

static bool narrow(tn_module *m, void *user) {
    const narrowing *w = user;
    for (uint32_t i = 0; i < w->list.len; i++) {
        tn_value *v = m->values[w->list.data[i]->id];
        const tn_type *t = v->type;
        if (v->def->code != TN_OP_EXTERN) {
            (void)stand_in(v->def);
        }
        tn_value_set_type(v, tn_type_tensor(m->arena, TN_DT_INT32, t->rank, t->dims));
    }
    return true;
}

/* ---- words ---- */

static bool is_named(const tn_texts *names, const char *name) {
    for (uint32_t i = 0; i < names->len; i++) {
        if (strcmp(names->data[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static const char *asks_text(const narrowing *w) {
    tn_arena *arena = w->s->arena;
    tn_texts readers = {0};
    tn_sink text = tn_sink_make(arena);
    for (uint32_t i = 0; i < w->list.len; i++) {
        const tn_use *u = w->list.data[i]->first_use;
        for (; u != NULL; u = u->next) {
            if (!is_named(&readers, u->op->type)) {
                tn_vec_push(arena, &readers, u->op->type);
            }
        }
    }
    tn_put(&text, "kernels that give i32, and kernels that read it");
    for (uint32_t i = 0; i < readers.len; i++) {
        tn_putf(&text, "%s%s", i > 0 ? ", " : ": ", readers.data[i]);
    }
    return text.data;
}

void tn_advise_indices(tn_advice_scene *s, tn_advice_list *list) {
    narrowing w = {.s = s, .m = tn_trials_typed(s->trials)};
    tn_advice a = {.kind = TN_ADVICE_INDICES};
    tn_texts results = {0};
    if (w.m == NULL) {
        return;
    }
    TN_FOR_ALL_OPS(op, w.m->main) {
        look(&w, op);
    }
    if (w.list.len == 0 || !tn_try_edit(s->trials, NULL, narrow, &w, &a.outcome) ||
        !tn_advice_is_worth(s, &a.outcome)) {
        return;
    }
    a.asks = asks_text(&w);
    for (uint32_t i = 0; i < w.list.len; i++) {
        const tn_value *v = w.list.data[i];
        tn_vec_push(s->arena, &a.tensors, tn_advice_name(s->arena, v->graph, v->name));
        tn_vec_push(s->arena, &results, tn_advice_result(s->arena, v));
    }
    a.what = tn_advice_some(s->arena, "i32 in place of i64", &results);
    tn_vec_push(s->arena, list, a);
}
