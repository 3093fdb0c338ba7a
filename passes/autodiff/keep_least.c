#include "passes/autodiff/keep_least.h"

#include "ir/gradient/dropout.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/ops/flops.h"
#include "ir/walk.h"
#include "passes/order/flow.h"

enum {
    NEVER = TN_T_RANDOM | TN_T_SIDE_EFFECT | TN_T_UPDATE | TN_T_CONTROL | TN_T_CALL |
            TN_T_SEQUENCE | TN_T_BARRIER | TN_T_DATA_SHAPE,
    UNIT = 64,      /* of capacities: parts of a byte */
    OPEN = 8,       /* what an open dimension counts as */
    FLOPS_UNIT = 2, /* operations that weigh as much as one unit: 128 of them as a byte */
    SPAN = 512,     /* ops of the backward part that what is made again may be alive for */
    ROUNDS = 16,
};

typedef struct keeper {
    tn_emitter *e;
    tn_module *m;
    uint32_t first; /* op of the backward part */
    bool *late;     /* by value id: a gradient, or made of one */
    bool *weights;  /* by value id: constants, and what is made of them alone */
    tn_flow *flow;
    uint32_t *node; /* by value id: the first of two, 0: none */
    bool *fixed;    /* by value id: not to be made again */
    tn_map place;   /* by op id, of the forward part: where it stands */
    tn_map tail;    /* by place of an op of the model: id + 1 of the last that was put behind it */
    uint64_t n_moved;
    tn_value **early, **again; /* by value id: copies in the forward and in the backward part */
    tn_map origin;     /* by id of a copy in the backward part: id of what it is a copy of */
    uint32_t n_values; /* of these arrays */
    tn_kept_least done;
} keeper;

/* ---- what may be computed again, and for what ---- */

static bool is_behind(const keeper *k, const tn_value *v) {
    return v->def != NULL && v->def->id >= k->first;
}

static bool is_cheap_kind(const tn_op *op) {
    tn_inplace claim;
    bool rows = false;
    for (uint32_t i = 0; tn_op_inplace(op, i, &claim); i++) {
        rows |= claim.cond == TN_IF_ROWS;
    }
    return rows || op->info->reads != NULL || (op->info->traits & TN_T_ELEMENTWISE) != 0 ||
           tn_op_view(op).kind != TN_VIEW_NONE;
}

static bool meets_weights(const keeper *k, const tn_op *op) {
    bool any = false;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_value *v = op->operands[i].value;
        any |= v != NULL && k->weights[v->id];
    }
    return any;
}

static bool may_repeat(const keeper *k, const tn_op *op) {
    if (tn_dropout_has_mask(op)) {
        return true;
    }
    if (!tn_op_in_table(op) || op->n_regions > 0 || (op->info->traits & NEVER) != 0 ||
        op->info->update_groups > 0 || (tn_op_carried(op) != 0 && !tn_op_updates_apart(op))) {
        return false;
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        if (tn_op_overwrites(op, i, NULL)) {
            return false;
        }
    }
    return op->info->flops == TN_FLOPS_ELEMENTS
               ? is_cheap_kind(op)
               : op->info->flops == TN_FLOPS_PRODUCT && !meets_weights(k, op);
}

static bool open_as(void *user, const char *name, int64_t *value) {
    (void)user;
    (void)name;
    *value = OPEN;
    return true;
}

/* False where nobody knows. */
static bool bytes_of(const keeper *k, const tn_value *v, uint64_t *bytes) {
    int64_t n = 0;
    tn_dim size = tn_type_bytes(k->m->dims, v->type);
    bool known = tn_type_point_bytes(k->m->dims, v->type, &n) ||
                 tn_dim_eval(k->m->dims, size, open_as, NULL, &n);
    *bytes = known && n > 0 ? (uint64_t)n : 0;
    return known;
}

/* Operations, or elements of four bytes that are read, as a reduction reads more than it writes. */
static uint64_t price_of(const keeper *k, const tn_op *op) {
    bool once = op->id >= k->first; /* where it stands: nothing runs again */
    if (!once && !may_repeat(k, op)) {
        return TN_FLOW_ENDLESS;
    }
    if (once || tn_op_view(op).kind == TN_VIEW_WHOLE) {
        return 1;
    }
    uint64_t price = (uint64_t)(tn_op_flops(op) / (double)FLOPS_UNIT);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        uint64_t bytes = 0;
        const tn_value *v = op->operands[i].value;
        if (v != NULL && tn_reads_data(op, i) && bytes_of(k, v, &bytes) && bytes / 4 > price) {
            price = bytes / 4;
        }
    }
    return price + 1;
}

/* ---- the network: from readers in the backward part to what is there ---- */

/* What an op reads, where the data of the forward part: NULL otherwise. */
static tn_value *reads(const keeper *k, const tn_op *op, uint32_t i) {
    tn_value *v = op->operands[i].value;
    return v != NULL && v->id < k->n_values && k->node[v->id] != 0 && tn_reads_data(op, i) ? v
                                                                                           : NULL;
}

static void sort_values(keeper *k) {
    for (uint32_t i = 0; i < k->m->n_values; i++) {
        k->weights[i] = tn_is_const(k->m->values[i]);
    }
    TN_FOR_OPS(op, k->m->main) {
        bool late = op->id >= k->first && op->n_results > 0 && op->results[0] != NULL &&
                    (op->results[0]->flags & TN_VF_BACKWARD) == 0;
        bool weights = op->n_operands > 0;
        for (uint32_t i = 0; i < op->n_operands; i++) {
            const tn_value *v = op->operands[i].value;
            late |= v != NULL && k->late[v->id];
            weights &= v == NULL || k->weights[v->id];
        }
        late |= op->id >= k->first && op->n_regions > 0;
        for (uint32_t r = 0; r < op->n_results; r++) {
            if (op->results[r] != NULL) {
                k->late[op->results[r]->id] = late;
                k->weights[op->results[r]->id] |= weights;
            }
        }
    }
}

static bool is_late(const keeper *k, const tn_op *op) {
    bool late = op->n_results == 0;
    for (uint32_t r = 0; r < op->n_results; r++) {
        late |= op->results[r] != NULL && k->late[op->results[r]->id];
    }
    return late;
}

/* Read by the bodies of ops of the backward part, or an output: there in any case. */
static bool is_kept(const keeper *k, const tn_value *v) {
    bool kept = (v->flags & TN_VF_OUTPUT) != 0 && !is_behind(k, v);
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        const tn_op *op = u->op;
        while (op->graph->owner != NULL) {
            op = op->graph->owner;
        }
        kept |= op != u->op && op->id >= k->first;
    }
    return kept;
}

static void add_nodes(keeper *k) {
    TN_FOR_OPS(op, k->m->main) {
        for (uint32_t r = 0; r < op->n_results && !is_late(k, op); r++) {
            const tn_value *v = op->results[r];
            if (v == NULL || tn_is_const(v)) {
                continue;
            }
            uint64_t bytes;
            bool known = bytes_of(k, v, &bytes);
            uint32_t node = k->node[v->id] = tn_flow_node(k->flow);
            (void)tn_flow_node(k->flow);
            if (known && !is_kept(k, v)) {
                tn_flow_arc_add(k->flow, node, node + 1, bytes * UNIT + 1);
            }
        }
    }
}

static void add_arcs(keeper *k) {
    TN_FOR_OPS(op, k->m->main) {
        bool late = is_late(k, op);
        uint64_t price = late ? 0 : price_of(k, op);
        if (late && op->id < k->first) {
            continue;
        }
        for (uint32_t i = 0; i < op->n_operands; i++) {
            const tn_value *u = reads(k, op, i);
            if (u != NULL && late) {
                tn_flow_arc_add(k->flow, TN_FLOW_SOURCE, k->node[u->id], TN_FLOW_ENDLESS);
            }
        }
        for (uint32_t r = 0; r < op->n_results && !late; r++) {
            const tn_value *v = op->results[r];
            if (v == NULL || k->node[v->id] == 0) {
                continue;
            }
            bool mask = r == 1 && tn_dropout_has_mask(op); /* what is drawn is kept */
            bool fixed = k->fixed[v->id] || tn_is_carried(v) || mask;
            tn_flow_arc_add(k->flow, k->node[v->id] + 1, TN_FLOW_SINK,
                            fixed ? TN_FLOW_ENDLESS : price);
            if (r == 0 && tn_dropout_has_mask(op) && k->node[op->results[1]->id] != 0) {
                tn_flow_arc_add(k->flow, k->node[v->id] + 1, k->node[op->results[1]->id],
                                TN_FLOW_ENDLESS);
            }
            for (uint32_t i = 0; i < op->n_operands && price != TN_FLOW_ENDLESS; i++) {
                const tn_value *u = reads(k, op, i);
                if (u != NULL) {
                    tn_flow_arc_add(k->flow, k->node[v->id] + 1, k->node[u->id], TN_FLOW_ENDLESS);
                }
            }
        }
    }
}

static bool is_remade(const keeper *k, const tn_value *v) {
    return tn_flow_at_source(k->flow, k->node[v->id] + 1);
}

static bool is_saved(const keeper *k, const tn_value *v) {
    return tn_flow_at_source(k->flow, k->node[v->id]) && !is_remade(k, v);
}

static bool is_again(const keeper *k, const tn_op *op) {
    bool again = false;
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        again |= v != NULL && k->node[v->id] != 0 && is_remade(k, v);
    }
    return again;
}

/* ---- how long it is alive ---- */

typedef struct span {
    uint32_t first, last; /* ops of the backward part, counted; first UINT32_MAX: none reads it */
} span;

static void need(span *s, uint32_t at) {
    s->first = at < s->first ? at : s->first;
    s->last = at > s->last ? at : s->last;
}

/* When the backward part needs what it makes again: whatever is made of it is made where that is
 * needed first. */
static span *find_spans(const keeper *k) {
    span *spans = TN_ARRAY(k->e->scratch, span, k->n_values);
    uint32_t at = 0;
    for (uint32_t i = 0; i < k->n_values; i++) {
        spans[i] = (span){UINT32_MAX, 0};
    }
    TN_FOR_OPS(op, k->m->main) {
        at += op->id >= k->first;
    }
    for (const tn_op *op = k->m->main->last; op != NULL; op = op->prev) {
        uint32_t when = op->id >= k->first ? at-- : UINT32_MAX;
        bool runs = is_late(k, op) || is_again(k, op);
        for (uint32_t r = 0; r < op->n_results && op->id < k->first; r++) {
            const tn_value *v = op->results[r];
            when = v != NULL && spans[v->id].first < when ? spans[v->id].first : when;
        }
        for (uint32_t i = 0; i < op->n_operands && runs && when != UINT32_MAX; i++) {
            const tn_value *v = reads(k, op, i);
            if (v != NULL && is_remade(k, v)) {
                need(&spans[v->id], when);
            }
        }
    }
    return spans;
}

/* What is made again and then alive for long would better have been kept: a chain through a whole
 * network (the states of a recurrent one) needs the same bytes. False where there is no such. */
static bool fix_long(keeper *k) {
    const span *spans = find_spans(k);
    bool any = false;
    for (uint32_t i = 0; i < k->n_values; i++) {
        if (spans[i].first != UINT32_MAX && spans[i].last - spans[i].first > SPAN &&
            !is_behind(k, k->m->values[i])) {
            any |= !k->fixed[i];
            k->fixed[i] = true;
        }
    }
    return any;
}

static void choose(keeper *k) {
    uint32_t round = 0;
    do {
        tn_flow_clear(k->flow);
        add_nodes(k);
        add_arcs(k);
        (void)tn_flow_solve(k->flow);
    } while (round++ < ROUNDS && fix_long(k));
}

/* ---- what becomes of it ---- */

/* A copy of the op before `at`. */
static tn_op *repeat(keeper *k, const tn_op *op, tn_op *at) {
    tn_emitter *e = k->e;
    const char *stem = op->name[0] != '\0' ? op->name : op->results[0]->name;
    const char *name = tn_emit_name(e, tn_internf(e->ctx, "%s_Again", stem));
    tn_op *made = tn_op_new(op->graph, op->domain, op->type, op->version, name, op->loc);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_op_add_operand(made, op->operands[i].value);
    }
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        if (v == NULL || tn_is_carried(v)) {
            tn_op_add_no_result(made);
            continue;
        }
        tn_value *w = tn_op_add_result(
            made, tn_emit_name(e, tn_internf(e->ctx, "%s_again", v->name)), v->type);
        tn_value_set_flags(w, TN_VF_BACKWARD, 0);
        tn_value_set_content(w, v->n_content, v->content, v->float_content);
    }
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        tn_op_add_attr(made, op->attrs[i]);
    }
    tn_op_move_before(made, at);
    k->done.ops++;
    k->done.flops += tn_op_flops(op);
    return made;
}

static tn_value *early(keeper *k, tn_value *v);

/* Puts `op` behind all it reads in the forward part, and behind what was put there before. */
static void put_early(keeper *k, tn_op *op) {
    enum { PLACES = 1 << 24 }; /* behind one op of the model */
    const tn_op *last = NULL;
    uint64_t place = 0;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_value *v = op->operands[i].value;
        v = v != NULL ? early(k, k->m->values[tn_map_or(&k->origin, v->id, v->id)]) : NULL;
        tn_op_set_operand(op, i, v);
        uint64_t at = v != NULL && v->def != NULL ? tn_map_or(&k->place, v->def->id, 0) : 0;
        if (at > place) {
            last = v->def;
            place = at;
        }
    }
    uint64_t of = place / PLACES, tail = tn_map_or(&k->tail, of, 0);
    const tn_op *behind = tail != 0 ? k->m->ops[tail - 1] : last;
    tn_op_move_before(op, behind != NULL ? behind->next : op->graph->first);
    tn_map_put(&k->place, op->id, of * PLACES + ++k->n_moved % PLACES);
    tn_map_put(&k->tail, of, op->id + 1u);
}

/* A value that gradients have no part in, as the forward part has it. What the backward part makes
 * again anyway gets a copy there. */
static tn_value *early(keeper *k, tn_value *v) {
    if (v->id >= k->n_values || k->node[v->id] == 0 || !is_behind(k, v)) {
        return v;
    }
    if (k->early[v->id] == NULL) {
        tn_op *op = v->def, *put = is_again(k, op) ? repeat(k, op, op) : op;
        for (uint32_t r = 0; r < op->n_results; r++) {
            if (op->results[r] != NULL) {
                k->early[op->results[r]->id] = put->results[r];
            }
        }
        put_early(k, put);
    }
    return k->early[v->id];
}

static tn_value *late(keeper *k, tn_value *v, tn_op *at);

/* What a Dropout left, by its mask. */
static tn_value *late_dropout(keeper *k, const tn_op *op, tn_op *at) {
    const char *stem = op->name[0] != '\0' ? op->name : op->results[0]->name;
    tn_value *x = late(k, tn_operand(op, 0), at);
    tn_value *mask = late(k, op->results[1], at);
    tn_emit_for(k->e, &op->loc, tn_internf(k->e->ctx, "%s_Again", stem));
    tn_value *made = tn_dropout_by_mask(k->e, op, x, mask);
    tn_value *kept = tn_operand(made->def, 0);
    tn_op_move_before(kept->def, at);
    tn_op_move_before(made->def, at);
    tn_value_set_flags(kept, TN_VF_BACKWARD, 0);
    tn_value_set_flags(made, TN_VF_BACKWARD, 0);
    tn_emit_rename(k->e, made, tn_internf(k->e->ctx, "%s_again", op->results[0]->name));
    k->done.ops++;
    k->done.flops += tn_op_flops(op);
    return made;
}

/* The same as the backward part has it, where `at` reads it. */
static tn_value *late(keeper *k, tn_value *v, tn_op *at) {
    if (v->id >= k->n_values || k->node[v->id] == 0 || is_saved(k, v)) {
        return early(k, v);
    }
    if (is_behind(k, v) || !is_remade(k, v)) {
        return v;
    }
    if (k->again[v->id] == NULL && tn_dropout_has_mask(v->def)) {
        tn_value *made = late_dropout(k, v->def, at);
        tn_map_put(&k->origin, made->id, v->id);
        k->again[v->id] = made;
    } else if (k->again[v->id] == NULL) {
        tn_op *op = v->def, *made = repeat(k, op, at);
        for (uint32_t i = 0; i < op->n_operands; i++) {
            tn_value *u = op->operands[i].value;
            if (u != NULL && tn_reads_data(op, i)) {
                tn_op_set_operand(made, i, late(k, u, made));
            }
        }
        for (uint32_t r = 0; r < op->n_results; r++) {
            if (made->results[r] != NULL) {
                k->again[op->results[r]->id] = made->results[r];
                tn_map_put(&k->origin, made->results[r]->id, op->results[r]->id);
            }
        }
    }
    return k->again[v->id];
}

static void mend_operands(keeper *k, tn_op *op) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_value *v = reads(k, op, i);
        if (v != NULL) {
            tn_op_set_operand(op, i, late(k, v, op));
        }
    }
}

static void rewrite(keeper *k) {
    uint64_t place = 0;
    tn_op *op = k->m->main->first;
    for (; op != NULL && op->id < k->first; op = op->next) {
        tn_map_put(&k->place, op->id, ++place << 24);
    }
    for (tn_op *next; op != NULL; op = next) {
        bool stays = is_late(k, op) || is_again(k, op);
        next = op->next;
        for (uint32_t r = 0; r < op->n_results; r++) {
            tn_value *v = op->results[r];
            if (v != NULL && k->node[v->id] != 0 && is_saved(k, v)) {
                (void)early(k, v);
            }
        }
        if (stays) {
            mend_operands(k, op);
        }
    }
}

tn_kept_least tn_keep_least(tn_emitter *e, uint32_t first, const tn_value *seed) {
    tn_module *m = e->m;
    uint32_t n = m->n_values;
    keeper k = {.e = e,
                .m = m,
                .first = first,
                .late = TN_ARRAY(e->scratch, bool, n),
                .weights = TN_ARRAY(e->scratch, bool, n),
                .flow = tn_flow_new(e->scratch),
                .node = TN_ARRAY(e->scratch, uint32_t, n),
                .place = tn_map_make(e->scratch),
                .tail = tn_map_make(e->scratch),
                .origin = tn_map_make(e->scratch),
                .fixed = TN_ARRAY(e->scratch, bool, n),
                .early = TN_ARRAY(e->scratch, tn_value *, n),
                .again = TN_ARRAY(e->scratch, tn_value *, n),
                .n_values = n};
    k.late[seed->id] = true;
    sort_values(&k);
    choose(&k);
    rewrite(&k);
    return k.done;
}
