/* What parts hold, and ops that cut, join and shape them. */
#include "ir/check/check_tiled_t.h"
#include "ir/ops/claims.h"
#include "ir/ops/part.h"
#include "ir/ops/tiling.h"

bool tn_tile_box_whole(const tn_value *v, tn_tile_box *out) {
    tn_part p;
    *out = (tn_tile_box){.of = v};
    if (!tn_part_begin(&p, v)) {
        return false;
    }
    out->rank = p.rank;
    for (uint32_t i = 0; i < p.rank; i++) {
        out->to[i] = out->good_to[i] = p.whole[i];
    }
    return true;
}

bool tn_tile_box_of(const tn_tile_proving *w, const tn_value *v, tn_tile_box *out) {
    if (w->proved[v->id] != NULL) {
        *out = *w->proved[v->id];
        return true;
    }
    return w->claims[v->id] == NULL && tn_tile_box_whole(v, out);
}

static int64_t product(const tn_tile_box *b, uint32_t from, uint32_t to) {
    int64_t n = 1;
    for (uint32_t a = from; a < to; a++) {
        n *= b->to[a] - b->from[a];
    }
    return n;
}

/* Of the value that holds it; how many. */
static uint32_t extents_of_box(const tn_tile_box *b, int64_t *out) {
    if (b->flat) {
        out[0] = product(b, 0, b->along + 1);
        out[1] = product(b, b->along + 1, b->rank);
        return 2;
    }
    for (uint32_t a = 0; a < b->rank; a++) {
        out[a] = b->to[a] - b->from[a];
    }
    return b->rank;
}

bool tn_tile_box_claimed(const tn_tile_proving *w, const tn_value *v, tn_tile_box *out) {
    const tn_tiled_value *c = w->claims[v->id];
    tn_tile_box own;
    if (c == NULL) {
        return tn_tile_box_whole(v, out);
    }
    if (c->of >= w->m->n_values || c->n == 0 || c->n > TN_TILED_AXES ||
        !tn_tile_box_whole(w->m->values[c->of], out) || !tn_tile_box_whole(v, &own) ||
        v->type->dtype != out->of->type->dtype) {
        return false;
    }
    for (uint32_t d = 0; d < c->n; d++) {
        uint32_t a = c->axis[d];
        if (a >= out->rank || c->at[d].from < 0 || c->at[d].to > out->to[a] ||
            c->good[d].from < c->at[d].from || c->good[d].to > c->at[d].to) {
            return false;
        }
        out->from[a] = c->at[d].from;
        out->good_from[a] = c->good[d].from;
        out->good_to[a] = c->good[d].to;
    }
    for (uint32_t d = 0; d < c->n; d++) {
        out->to[c->axis[d]] = c->at[d].to;
    }
    out->flat = c->flat;
    out->along = c->axis[0];
    int64_t extents[TN_MAX_RANK];
    uint32_t rank = extents_of_box(out, extents);
    for (uint32_t a = 0; a < rank && rank == own.rank; a++) {
        if (extents[a] != own.to[a]) {
            return false;
        }
    }
    return rank == own.rank;
}

/* ---- cuts and joins ---- */

static const char *prove_cut(const tn_tile_proving *w, const tn_op *op, const tn_tile_box *y) {
    const tn_value *from = tn_operand(op, 0);
    tn_part p;
    tn_tile_box x;
    if (y->flat || op->info->view != TN_VIEW_PART || from == NULL || !tn_tile_box_of(w, from, &x) ||
        x.flat || x.of != y->of || !tn_op_part(op, 0, &p) || p.rank != y->rank) {
        return "it cuts no part out of what it reads";
    }
    for (uint32_t a = 0; a < y->rank; a++) {
        if (y->from[a] != x.from[a] + p.start[a] || y->to[a] != y->from[a] + p.extent[a]) {
            return "it begins or ends elsewhere than it should";
        }
        if (y->good_from[a] < x.good_from[a] || y->good_to[a] > x.good_to[a]) {
            return "it keeps elements that are not right";
        }
    }
    return NULL;
}

static const char *prove_join(const tn_tile_proving *w, const tn_op *op, const tn_tile_box *y) {
    if (y->flat || op->info->view != TN_VIEW_GATHERED || !op->info->pieces || op->n_operands == 0) {
        return "it joins nothing";
    }
    for (uint32_t k = 0; k < op->n_operands; k++) {
        tn_part p;
        tn_tile_box x;
        if (tn_operand(op, k) == NULL || !tn_tile_box_of(w, tn_operand(op, k), &x) || x.flat ||
            x.of != y->of || !tn_op_part(op, k, &p) || p.rank != y->rank) {
            return "it joins parts of different values";
        }
        for (uint32_t a = 0; a < y->rank; a++) {
            int64_t from = y->from[a] + p.start[a];
            if (x.from[a] != from || x.to[a] != from + p.extent[a]) {
                return "its parts do not lie side by side";
            }
            if (x.good_from[a] != x.from[a] || x.good_to[a] != x.to[a]) {
                return "one of its parts has elements that are not right";
            }
        }
    }
    return NULL;
}

/* ---- what is put together in place ---- */

/* At least what `b` says. */
static bool holds(const tn_tile_box *a, const tn_tile_box *b) {
    bool same = a->of == b->of && a->rank == b->rank;
    for (uint32_t i = 0; same && i < a->rank; i++) {
        same = a->from[i] == b->from[i] && a->to[i] == b->to[i] &&
               a->good_from[i] <= b->good_from[i] && a->good_to[i] >= b->good_to[i];
    }
    return same;
}

/* Whatever the shape, elements stay in their order: the box says which they are, in that order. */
static const char *prove_shape(const tn_tile_proving *w, const tn_op *op, const tn_tile_box *y) {
    const tn_value *from = tn_operand(op, 0);
    tn_tile_box x;
    return op->info->view == TN_VIEW_WHOLE && from != NULL && tn_tile_box_of(w, from, &x) &&
                   holds(&x, y)
               ? NULL
               : "it gives other elements another shape";
}

/* The elements at hand keep their places; behind them there is room. */
static const char *prove_fill(const tn_tile_proving *w, const tn_op *op, const tn_tile_box *y) {
    const tn_value *from = tn_operand(op, 0);
    tn_tile_box x;
    if (from == NULL || !tn_tile_box_of(w, from, &x) || x.flat || y->flat || x.of != y->of) {
        return "it makes room behind something else";
    }
    for (uint32_t a = 0; a < y->rank; a++) {
        tn_tiling t;
        bool pads = tn_op_tiling(op, a, w->arena, &t) && t.by[0] == a &&
                    (t.kind == TN_TILE_SAME || (t.kind == TN_TILE_PADDED && t.pad == 0));
        if (!pads || y->from[a] != x.from[a] || y->good_from[a] < x.good_from[a] ||
            y->good_to[a] > x.good_to[a]) {
            return "it moves what it makes room behind";
        }
    }
    return NULL;
}

/* Row i of what is put is the row of the whole that the index says. */
static bool rows_match(const tn_tile_box *part, const tn_tile_box *y, const tn_tensor *rows) {
    uint32_t a = y->along;
    int64_t each = part->to[a] - part->from[a], extent = y->to[a] - y->from[a];
    bool match = rows != NULL && rows->ints != NULL && rows->rank == 2 && rows->dims[1] == 1 &&
                 (int64_t)rows->n_elements == product(part, 0, a + 1);
    for (int64_t i = 0; match && i < (int64_t)rows->n_elements; i++) {
        match = rows->ints[i] == i / each * extent + part->from[a] - y->from[a] + i % each;
    }
    return match;
}

static bool is_update(const tn_op *op) {
    tn_inplace claim;
    return tn_op_in_table(op) && op->n_operands == 3 && op->n_attrs == 0 &&
           tn_op_inplace(op, 0, &claim) && claim.cond == TN_IF_UPDATE && claim.operands == 1;
}

static const char *prove_put(const tn_tile_proving *w, const tn_op *op, const tn_tile_box *y) {
    const tn_value *to = tn_operand(op, 0), *at = tn_operand(op, 1), *from = tn_operand(op, 2);
    tn_tile_box whole, part;
    if (!is_update(op) || to == NULL || at == NULL || from == NULL ||
        !tn_tile_box_of(w, to, &whole) || !tn_tile_box_of(w, from, &part) || !whole.flat ||
        !part.flat || !y->flat || whole.of != y->of || part.of != y->of ||
        whole.along != y->along || part.along != y->along) {
        return "it puts nothing into its place";
    }
    if (!rows_match(&part, y, tn_value_tensor(at))) {
        return "it puts rows elsewhere than they belong";
    }
    for (uint32_t a = 0; a < y->rank; a++) {
        bool along = a == y->along;
        bool full = part.good_from[a] == part.from[a] && part.good_to[a] == part.to[a] &&
                    (along || (part.from[a] == whole.from[a] && part.to[a] == whole.to[a]));
        bool behind = along ? whole.good_to[a] == part.from[a] && y->good_to[a] <= part.to[a]
                            : y->good_to[a] <= whole.good_to[a];
        if (!full || !behind || y->from[a] != whole.from[a] || y->to[a] != whole.to[a] ||
            y->good_from[a] < whole.good_from[a]) {
            return "rows are missing before those that it puts";
        }
    }
    return NULL;
}

const char *tn_tile_prove_own(const tn_tile_proving *w, const tn_op *op, tn_tiled_kind kind,
                              const tn_tile_box *y) {
    switch (kind) {
    case TN_TILED_CUT:
        return prove_cut(w, op, y);
    case TN_TILED_JOIN:
        return prove_join(w, op, y);
    case TN_TILED_FILL:
        return prove_fill(w, op, y);
    case TN_TILED_SHAPE:
        return prove_shape(w, op, y);
    case TN_TILED_PUT:
        return prove_put(w, op, y);
    case TN_TILED_RUN:
        break;
    }
    return "it is no op of its own";
}
