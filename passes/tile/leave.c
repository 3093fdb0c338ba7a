/* What leaves a stretch: parts are joined, or put together in place. */
#include "ir/mutate.h"
#include "passes/tile/rewrite_t.h"

void tn_part_join(tn_rewriting *w, const tn_held *parts, uint32_t n, uint32_t d, tn_held *into,
                  tn_value *v) {
    if (n == 1 && v == NULL) {
        *into = parts[0];
        return;
    }
    *into = parts[0];
    into->at[d].to = into->good[d].to = parts[n - 1].at[d].to;
    tn_op *op =
        tn_part_op(w, "Concat", tn_part_name(w, parts[0].of->name, "joined"), TN_TILED_JOIN);
    for (uint32_t i = 0; i < n; i++) {
        tn_op_add_operand(op, parts[i].v);
    }
    tn_op_add_int(op, "axis", parts[0].axis[d]);
    if (v != NULL) {
        tn_op_take_result(op, v);
    } else {
        tn_part_result_add(w, op, into);
    }
}

/* The same elements as a matrix, or as they are. */
static tn_held shaped(tn_rewriting *w, const tn_held *h, bool flat, tn_value *v) {
    tn_held out = *h;
    int64_t dims[TN_MAX_RANK];
    uint32_t rank = flat ? 2 : h->of->type->rank;
    out.flat = flat;
    for (uint32_t i = 0; i < rank && !flat; i++) {
        dims[i] = tn_tile_extent(h->of, i);
    }
    if (flat) {
        dims[0] = tn_held_rows(h) * (h->at[0].to - h->at[0].from);
        dims[1] = tn_held_row(h);
    }
    tn_op *op = tn_part_op(w, "Reshape", tn_part_name(w, h->of->name, "shaped"), TN_TILED_SHAPE);
    tn_op_add_operand(op, h->v);
    tn_op_add_operand(op, tn_part_numbers(w, dims, rank, 1));
    if (v != NULL) {
        tn_op_take_result(op, v);
    } else {
        tn_part_result_add(w, op, &out);
    }
    return out;
}

/* The first part, with room for the others. */
static void fill(tn_rewriting *w, tn_leaving *l, const tn_held *part) {
    int64_t pads[2 * TN_MAX_RANK] = {0};
    uint32_t rank = part->of->type->rank, axis = part->axis[0];
    tn_held h = *part;
    h.at[0].to = tn_tile_extent(part->of, axis);
    pads[rank + axis] = h.at[0].to - part->at[0].to;
    tn_op *op = tn_part_op(w, "Pad", tn_part_name(w, part->of->name, "filled"), TN_TILED_FILL);
    tn_op_add_operand(op, part->v);
    tn_op_add_operand(op, tn_part_numbers(w, pads, 2 * rank, 1));
    tn_part_result_add(w, op, &h);
    l->whole = shaped(w, &h, true, NULL);
}

static void put(tn_rewriting *w, tn_leaving *l, const tn_held *part) {
    tn_held flat = shaped(w, part, true, NULL), h = l->whole;
    int64_t extent = tn_tile_extent(part->of, part->axis[0]), n = tn_held_rows(part);
    int64_t each = part->at[0].to - part->at[0].from;
    int64_t *rows = TN_ARRAY(w->scratch, int64_t, n * each);
    for (int64_t i = 0; i < n * each; i++) {
        rows[i] = i / each * extent + part->at[0].from + i % each;
    }
    h.good[0].to = part->at[0].to;
    tn_op *op = tn_part_op(w, "ScatterND", tn_part_name(w, part->of->name, "put"), TN_TILED_PUT);
    tn_op_add_operand(op, l->whole.v);
    tn_op_add_operand(op, tn_part_numbers(w, rows, (uint32_t)(n * each), 2));
    tn_op_add_operand(op, flat.v);
    tn_part_result_add(w, op, &h);
    l->whole = h;
}

void tn_leave(tn_rewriting *w, tn_leaving *l, const uint32_t *at) {
    for (uint32_t e = 0; e < w->s->exits.len; e++) {
        const tn_value *v = w->s->exits.data[e];
        const tn_held *from = &w->held.data[w->made[v->id] - 1];
        tn_held h = {.of = v, .n = w->s->ask.n};
        for (uint32_t d = 0; d < h.n; d++) {
            h.axis[d] = w->s->axis[d][v->id];
            h.at[d] = h.good[d] =
                tn_tile_share(tn_tile_extent(v, h.axis[d]), at[d], w->s->ask.parts[d]);
        }
        h.v =
            tn_held_is(from, h.n, h.axis, h.at) ? from->v : tn_part_cut(w, from, h.n, h.axis, h.at);
        l[e].columns[h.n > 1 ? at[1] : 0] = h;
    }
}

void tn_leave_row(tn_rewriting *w, tn_leaving *l, uint32_t row, uint32_t n) {
    for (uint32_t e = 0; e < w->s->exits.len; e++) {
        tn_part_join(w, l[e].columns, n, 1, &l[e].rows[row], NULL);
        if (l[e].puts) {
            (row == 0 ? fill : put)(w, &l[e], &l[e].rows[row]);
        }
    }
}

void tn_leave_all(tn_rewriting *w, tn_leaving *l, uint32_t n) {
    for (uint32_t e = 0; e < w->s->exits.len; e++) {
        tn_held whole;
        if (l[e].puts) {
            (void)shaped(w, &l[e].whole, false, w->s->exits.data[e]);
            continue;
        }
        tn_part_join(w, l[e].rows, n, 0, &whole, w->s->exits.data[e]);
    }
}

void tn_leaving_begin(tn_rewriting *w, tn_leaving *l) {
    uint32_t columns = w->s->ask.n > 1 ? w->s->ask.parts[1] : 1;
    for (uint32_t e = 0; e < w->s->exits.len; e++) {
        l[e].columns = TN_ARRAY(w->scratch, tn_held, columns);
        l[e].rows = TN_ARRAY(w->scratch, tn_held, w->s->ask.parts[0]);
        l[e].puts = w->s->ask.puts && w->s->ask.parts[0] > 1 &&
                    !tn_tile_is_run(w->s->exits.data[e], w->s->axis[0][w->s->exits.data[e]->id]);
    }
}
