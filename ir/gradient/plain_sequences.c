#include "ir/gradient/plain_sequences.h"

#include "ir/mutate.h"
#include "ir/ops/op_attrs.h"

/* The extents of the parts: of one extent each but the last, or a list; *n of them. NULL where they
 * are not known. */
static const int64_t *sizes_of(tn_emitter *e, const tn_op *split, int64_t extent, uint32_t *n) {
    const tn_value *given = tn_operand(split, 1);
    uint32_t n_given = 0;
    const int64_t *list = given != NULL ? tn_known_ints(e, given, &n_given) : NULL;
    if (given != NULL && (list == NULL || !given->type->has_rank || given->type->rank > 0)) {
        *n = n_given;
        return list;
    }
    int64_t each = list != NULL ? list[0] : 1;
    if (each <= 0) {
        return NULL;
    }
    *n = (uint32_t)((extent + each - 1) / each);
    int64_t *sizes = TN_ARRAY(e->scratch, int64_t, *n + 1u);
    for (uint32_t i = 0; i < *n; i++) {
        sizes[i] = i + 1 < *n ? each : extent - each * (int64_t)(*n - 1);
    }
    return sizes;
}

/* The tensors of the sequence, *n of them; NULL where they are not known. */
static tn_value **parts_of(tn_emitter *e, tn_op *op, uint32_t *n) {
    tn_value *x = tn_operand(op, 0);
    if (tn_op_is_standard(op, "SequenceConstruct")) {
        *n = op->n_operands;
        tn_value **parts = TN_ARRAY(e->scratch, tn_value *, *n + 1u);
        for (uint32_t i = 0; i < *n; i++) {
            parts[i] = op->operands[i].value;
        }
        return parts;
    }
    int64_t axis = tn_attr_int(op, "axis", 0), extent;
    if (!tn_op_is_standard(op, "SplitToSequence") || !x->type->has_rank) {
        return NULL;
    }
    axis += axis < 0 ? x->type->rank : 0;
    bool keeps = tn_operand(op, 1) != NULL || tn_attr_int(op, "keepdims", 1) != 0;
    if (!keeps || axis < 0 || axis >= x->type->rank ||
        !tn_dim_is_const(e->m->dims, x->type->dims[axis], &extent)) {
        return NULL;
    }
    const int64_t *sizes = sizes_of(e, op, extent, n);
    return sizes != NULL ? tn_emit_split(e, x, axis, *n, sizes) : NULL;
}

/* Whether all readers of the sequence take one tensor whose position is known. */
static bool is_read_plainly(tn_emitter *e, const tn_value *sequence) {
    bool plain = sequence->n_uses > 0 && (sequence->flags & TN_VF_OUTPUT) == 0;
    for (const tn_use *u = sequence->first_use; u != NULL && plain; u = u->next) {
        int64_t at;
        plain = tn_op_is_standard(u->op, "SequenceAt") && u->op->graph == sequence->graph &&
                u->index == 0 && tn_known_int(e, tn_operand(u->op, 1), &at);
    }
    return plain;
}

static uint32_t read_parts(tn_emitter *e, tn_value *sequence, tn_value *const *parts, uint32_t n) {
    uint32_t done = 0;
    for (const tn_use *u = sequence->first_use, *next; u != NULL; u = next) {
        tn_op *op = u->op;
        tn_value *v = op->results[0];
        int64_t at = 0;
        next = u->next;
        (void)tn_known_int(e, tn_operand(op, 1), &at);
        at += at < 0 ? n : 0;
        if (at >= 0 && at < n && (v->flags & TN_VF_OUTPUT) == 0) {
            tn_replace_all_uses(v, parts[at]);
            tn_op_erase(op);
            done++;
        }
    }
    return done;
}

uint32_t tn_plain_sequences(tn_emitter *e) {
    uint32_t done = 0;
    for (tn_op *op = e->m->main->first, *next; op != NULL; op = next) {
        tn_value *sequence = tn_result(op, 0);
        tn_op *last = e->m->main->last;
        uint32_t n = 0;
        next = op->next;
        if (sequence == NULL || sequence->type->kind != TN_TYPE_SEQUENCE ||
            !is_read_plainly(e, sequence)) {
            continue;
        }
        tn_emit_for(e, &op->loc, op->name[0] != '\0' ? op->name : op->type);
        tn_value **parts = parts_of(e, op, &n);
        if (last->next != NULL) {
            tn_op_move_before(last->next, op);
        }
        done += parts != NULL ? read_parts(e, sequence, parts, n) : 0;
        next = op->next;
        if (sequence->n_uses == 0) {
            tn_op_erase(op);
        }
    }
    return done;
}
