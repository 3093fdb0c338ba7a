#include "passes/plan/open_offsets.h"

#include "ir/ops/part.h"

/* Bytes from the start of `of` to the start of `v`, which is its alias: a number, unless the two
 * are a piece and the whole of one op. */
static tn_dim piece_offset(tn_dims *d, const tn_op *op, const tn_value *v, const tn_value *of,
                           int64_t here) {
    tn_piece p;
    for (uint32_t i = 0; op != NULL && i < tn_op_pieces(op); i++) {
        if (!tn_op_piece(op, i, &p)) {
            return TN_DIM_UNKNOWN;
        }
        bool inside = p.piece == v && p.whole == of, around = p.piece == of && p.whole == v;
        tn_dim offset = around ? tn_dim_sub(d, tn_dim_const(d, 0), p.offset) : p.offset;
        int64_t at;
        if ((inside || around) && tn_dim_at_point(d, offset, &at) && at == here) {
            return offset;
        }
    }
    return TN_DIM_UNKNOWN;
}

static tn_dim edge_offset(tn_dims *d, const tn_value *v) {
    tn_dim open = TN_DIM_UNKNOWN;
    if (v->alias_kind == TN_ALIAS_VIEW) {
        open = piece_offset(d, v->def, v, v->alias_of, v->alias_offset);
        if (open == TN_DIM_UNKNOWN) {
            open = piece_offset(d, v->alias_of->def, v, v->alias_of, v->alias_offset);
        }
    }
    return open != TN_DIM_UNKNOWN ? open : tn_dim_const(d, v->alias_offset);
}

/* From the end of the chain of aliases of each value. */
static void find_shifts(const tn_build *b, tn_dim *shift) {
    tn_dims *d = b->m->dims;
    uint32_t *chain = TN_ARRAY(b->scratch, uint32_t, b->m->n_values);
    for (uint32_t i = 0; i < b->m->n_values; i++) {
        uint32_t n = 0;
        const tn_value *v = b->m->values[i];
        for (; v->alias_of != NULL && shift[v->id] == TN_DIM_UNKNOWN; v = v->alias_of) {
            chain[n++] = v->id;
        }
        if (v->alias_of == NULL) {
            shift[v->id] = tn_dim_const(d, 0);
        }
        while (n-- > 0) {
            v = b->m->values[chain[n]];
            shift[v->id] = tn_dim_add(d, shift[v->alias_of->id], edge_offset(d, v));
        }
    }
}

const tn_dim *tn_open_offsets(const tn_build *b) {
    tn_dims *d = b->m->dims;
    uint32_t n = b->m->n_values;
    tn_dim *shift = TN_ARRAY(b->scratch, tn_dim, n), *offset = TN_ARRAY(b->scratch, tn_dim, n);
    tn_dim *lowest = TN_ARRAY(b->scratch, tn_dim, b->classes->n);
    find_shifts(b, shift);
    for (uint32_t i = 0; i < n; i++) {
        if (b->classes->of[i] != TN_NO_CLASS && b->classes->offset[i] == 0) {
            lowest[b->classes->of[i]] = shift[i];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = b->classes->of[i];
        int64_t number;
        tn_dim at = c != TN_NO_CLASS ? tn_dim_sub(d, shift[i], lowest[c]) : TN_DIM_UNKNOWN;
        offset[i] = at == TN_DIM_UNKNOWN || tn_dim_is_const(d, at, &number) ? TN_DIM_UNKNOWN : at;
    }
    return offset;
}
