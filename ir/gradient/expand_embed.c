/* Embeddings of tokens, positions and segments, added up and normalised. */
#include "ir/gradient/expand.h"

enum { IDS, SEGMENT_IDS, WORDS, POSITIONS, SEGMENTS, GAMMA, BETA, MASK, POSITION_IDS };

static tn_value *gathered(const tn_grad *g, uint32_t table, uint32_t ids) {
    tn_value *in[] = {tn_operand(g->op, table), tn_operand(g->op, ids)};
    return tn_emit(g->e, "Gather", in, 2, NULL, 0);
}

/* Without ids: token i is at position i. */
static tn_value *positions(const tn_grad *g) {
    tn_value *ids = tn_operand(g->op, IDS), *table = tn_operand(g->op, POSITIONS);
    return tn_operand(g->op, POSITION_IDS) != NULL
               ? gathered(g, POSITIONS, POSITION_IDS)
               : tn_emit_slice(g->e, table, 0, 0, tn_emit_extents(g->e, ids)[1]);
}

/* How many tokens of each row the mask holds; 0 without a mask. */
static tn_value *lengths(const tn_grad *g) {
    tn_value *mask = tn_operand(g->op, MASK), *ids = tn_operand(g->op, IDS);
    tn_value *held = mask != NULL ? mask : tn_emit_2(g->e, "Sub", ids, ids);
    tn_value *sum = tn_emit_reduce(g->e, "ReduceSum", held, (int64_t[]){1}, 1, false);
    return tn_emit_cast(g->e, sum, TN_DT_INT32);
}

void tn_expand_embed_norm(tn_grad *g, tn_value **made) {
    tn_value *first = gathered(g, WORDS, IDS), *last = positions(g);
    if (tn_operand(g->op, SEGMENTS) != NULL && tn_operand(g->op, SEGMENT_IDS) != NULL) {
        first = tn_emit_2(g->e, "Add", first, last);
        last = gathered(g, SEGMENTS, SEGMENT_IDS);
    }
    last = tn_type_same_extents(first->type, last->type) ? last
                                                         : tn_emit_expand_like(g->e, last, first);
    tn_value *in[] = {first, last, tn_operand(g->op, GAMMA), tn_operand(g->op, BETA)};
    tn_attr epsilon = tn_attr_of_float("epsilon", tn_grad_float(g, "epsilon", 1e-12));
    made[0] = tn_emit(g->e, "com.microsoft.SkipLayerNormalization", in, 4, &epsilon, 1);
    if (g->op->n_results > 1 && g->op->results[1] != NULL) {
        made[1] = lengths(g);
    }
    if (g->op->n_results > 2 && g->op->results[2] != NULL) {
        made[2] = tn_emit_2(g->e, "Add", first, last);
    }
}
