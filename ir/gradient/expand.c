#include "ir/gradient/expand.h"

#include <string.h>

#include "ir/gradient/copy_body.h"
#include "ir/mutate.h"
#include "ir/ops/sig.h"

static bool is_inlined(const tn_op *op) {
    return tn_op_is_call(op) && op->n_regions == 1 && op->info->grad == NULL;
}

static tn_expansion expansion_of(const tn_op *op) {
    static const struct {
        const char *name;
        tn_expansion expand;
    } all[] = {{"=rnn", tn_expand_rnn},
               {"=gru", tn_expand_gru},
               {"=lstm", tn_expand_lstm},
               {"=if", tn_expand_if},
               {"=loop", tn_expand_loop},
               {"=scan", tn_expand_scan},
               {"=attention", tn_expand_attention},
               {"=ms-attention", tn_expand_ms_attention},
               {"=multi-head-attention", tn_expand_multi_head_attention},
               {"=rotary", tn_expand_rotary},
               {"=ms-rotary", tn_expand_ms_rotary},
               {"=fused-gemm", tn_expand_fused_gemm},
               {"=fused-conv", tn_expand_fused_conv},
               {"=embed-norm", tn_expand_embed_norm}};
    for (size_t i = 0; i < sizeof all / sizeof all[0] && op->info->grad != NULL; i++) {
        if (strcmp(op->info->grad, all[i].name) == 0) {
            return all[i].expand;
        }
    }
    return is_inlined(op) ? tn_expand_call : NULL;
}

bool tn_expands(tn_emitter *e, const tn_op *op) {
    tn_expansion expansion = expansion_of(op);
    int64_t known;
    if ((op->info->traits & TN_T_CONTROL) != 0 && op->n_regions == 0) {
        return false; /* malformed */
    }
    return expansion != NULL &&
           (expansion != tn_expand_if || tn_known_int(e, tn_operand(op, 0), &known));
}

/* The value made takes the place and the name of the result. One that another op has made, or that
 * is the result of two, gets an op of its own. */
static tn_value *replace(tn_emitter *e, tn_value *result, tn_value *made, bool own) {
    const char *name = result->name;
    uint32_t flags = result->flags & ~(uint32_t)TN_VF_OUTPUT;
    if (!own) {
        made = tn_emit_copy(e, made);
    }
    tn_replace_all_uses(result, made);
    tn_value_set_name(result, tn_emit_name(e, tn_internf(e->ctx, "%s_expanded", name)));
    tn_value_set_name(made, name);
    tn_value_set_flags(made, flags, 0);
    return made;
}

static bool is_own(tn_value *const *made, uint32_t r, uint32_t first, const tn_graph *graph) {
    const tn_value *v = made[r];
    bool own = v->kind == TN_VALUE_RESULT && v->def->id >= first && v->graph == graph;
    for (uint32_t i = 0; i < r; i++) {
        own &= made[i] != v;
    }
    return own;
}

/* For messages: the first operand that is there, or else a result. */
static tn_value *named_value(const tn_op *op) {
    tn_value *found = NULL;
    for (uint32_t k = 0; k < op->n_operands && found == NULL; k++) {
        found = op->operands[k].value;
    }
    for (uint32_t r = 0; r < op->n_results && found == NULL; r++) {
        found = op->results[r];
    }
    return found;
}

/* Definitions demand more operands than some models have. */
static void check_operands(const tn_grad *g) {
    const char *at = g->op->info->sig;
    uint32_t k = 0;
    for (tn_word w; at != NULL && tn_word_next(&at, g->op->version, &w); k++) {
        if (w.mark == '\0' && tn_operand(g->op, k) == NULL) {
            tn_grad_fail(g, "operand %.*s is left out", (int)w.len, w.text);
        }
    }
}

tn_value *const *tn_expand(tn_emitter *e, tn_op *op) {
    return tn_expand_by(e, op, expansion_of(op));
}

tn_value *const *tn_expand_by(tn_emitter *e, tn_op *op, tn_expansion expansion) {
    tn_value **made = TN_ARRAY(e->scratch, tn_value *, op->n_results + 1u);
    tn_value **ds = TN_ARRAY(e->scratch, tn_value *, op->n_results + 1u);
    tn_op *last = op->graph->last;
    tn_graph *graph = e->graph;
    const char *what = e->what;
    uint32_t first = e->m->n_ops;
    e->graph = op->graph;
    e->first_copy = first;
    tn_emit_for(e, &op->loc, op->name[0] != '\0' ? op->name : op->type);
    e->what = tn_arena_printf(e->scratch, "the expansion of %s", op->type);
    tn_grad g = {.e = e, .op = op, .x = named_value(op), .ds = ds};
    check_operands(&g);
    expansion(&g, made);
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (op->results[r] != NULL && made[r] == NULL) {
            tn_grad_fail(&g, "nothing makes result %u, '%s'", r, op->results[r]->name);
        }
        if (op->results[r] != NULL) {
            made[r] = replace(e, op->results[r], made[r], is_own(made, r, first, op->graph));
        }
    }
    for (tn_op *at = last->next; at != NULL;) {
        tn_op *next = at->next;
        tn_op_move_before(at, op);
        at = next;
    }
    tn_op_erase_all(op);
    tn_sweep_unread(e->graph, first);
    e->what = what;
    e->graph = graph;
    return made;
}

uint32_t tn_expand_calls(tn_emitter *e, tn_graph *g) {
    uint32_t n = 0;
    for (tn_op *op = g->first, *next; op != NULL; op = next) {
        tn_op *before = op->prev;
        next = op->next;
        if (is_inlined(op)) {
            (void)tn_expand(e, op);
            n++;
            next = before != NULL ? before->next : g->first; /* functions call functions */
        }
    }
    return n;
}
