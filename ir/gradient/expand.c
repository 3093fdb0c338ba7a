#include "ir/gradient/expand.h"

#include <string.h>

#include "ir/mutate.h"

static tn_expansion expansion_of(const tn_op *op) {
    static const struct {
        const char *name;
        tn_expansion expand;
    } all[] = {{"=rnn", tn_expand_rnn}, {"=gru", tn_expand_gru}, {"=lstm", tn_expand_lstm}};
    for (size_t i = 0; i < sizeof all / sizeof all[0] && op->info->grad != NULL; i++) {
        if (strcmp(op->info->grad, all[i].name) == 0) {
            return all[i].expand;
        }
    }
    return NULL;
}

/* The value made takes the place and the name of the result. */
static void replace(tn_emitter *e, tn_value *result, tn_value *made) {
    const char *name = result->name;
    uint32_t flags = result->flags & ~(uint32_t)TN_VF_OUTPUT;
    tn_replace_all_uses(result, made);
    tn_value_set_name(result, tn_emit_name(e, tn_internf(e->ctx, "%s_expanded", name)));
    tn_value_set_name(made, name);
    tn_value_set_flags(made, flags, 0);
}

static void expand(tn_emitter *e, tn_op *op, tn_expansion expansion) {
    tn_value **made = TN_ARRAY(e->scratch, tn_value *, op->n_results + 1u);
    tn_value **ds = TN_ARRAY(e->scratch, tn_value *, op->n_results + 1u);
    tn_op *last = op->graph->last;
    tn_emit_for(e, &op->loc, op->name[0] != '\0' ? op->name : op->type);
    const char *what = e->what;
    e->what = tn_arena_printf(e->scratch, "the expansion of %s", op->type);
    tn_grad g = {.e = e, .op = op, .x = tn_operand(op, 0), .ds = ds};
    expansion(&g, made);
    for (tn_op *at = last->next; at != NULL;) {
        tn_op *next = at->next;
        tn_op_move_before(at, op);
        at = next;
    }
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (op->results[r] != NULL) {
            replace(e, op->results[r], made[r]);
        }
    }
    e->what = what;
    tn_op_erase(op);
}

uint32_t tn_expand_ops(tn_emitter *e) {
    uint32_t n = 0;
    for (tn_op *op = e->m->main->first, *next; op != NULL; op = next) {
        tn_expansion expansion = expansion_of(op);
        next = op->next;
        if (expansion != NULL) {
            expand(e, op, expansion);
            n++;
        }
    }
    return n;
}
