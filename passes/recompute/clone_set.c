#include "passes/recompute/clone_set.h"

#include "ir/base/map.h"
#include "ir/mutate.h"
#include "ir/ops/flops.h"

/* ---- a move ---- */

static tn_value *made_of(const tn_move *move, const tn_done *done, const tn_value *v) {
    for (uint32_t i = 0; v != NULL && v->def != NULL && i < done->n_clones; i++) {
        if (move->ops[i] == v->def) {
            return done->clones[i]->results[v->def_index];
        }
    }
    return NULL;
}

static bool is_new(const tn_done *done, const tn_op *op) {
    for (uint32_t i = 0; i < done->n_clones; i++) {
        if (done->clones[i] == op) {
            return true;
        }
    }
    return false;
}

/* Reads of shapes stay with the first value. */
static void redirect(tn_arena *arena, const tn_picture *p, const tn_move *move, tn_done *done,
                     tn_value *v) {
    uint32_t from = p->begin[move->at->id], start = done->uses.len;
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (!is_new(done, u->op) && p->begin[u->op->id] >= from) {
            tn_vec_push(arena, &done->uses, (tn_redirected){u->op, u->index, v});
        }
    }
    for (uint32_t i = start; i < done->uses.len; i++) {
        tn_op_set_operand(done->uses.data[i].op, done->uses.data[i].index, made_of(move, done, v));
    }
}

tn_done tn_move_do(tn_arena *arena, const tn_picture *p, const tn_move *move) {
    tn_done done = {.n_clones = 0};
    for (uint32_t i = 0; i < move->n_ops; i++) {
        tn_op *clone = tn_op_repeat(move->ops[i], move->at);
        for (uint32_t k = 0; k < clone->n_operands; k++) {
            tn_value *made = made_of(move, &done, clone->operands[k].value);
            if (made != NULL) {
                tn_op_set_operand(clone, k, made);
            }
        }
        done.clones[done.n_clones++] = clone;
    }
    for (uint32_t i = 0; i < move->n_wanted; i++) {
        redirect(arena, p, move, &done, move->wanted[i]);
    }
    return done;
}

void tn_move_undo(const tn_done *done) {
    for (uint32_t i = 0; i < done->uses.len; i++) {
        const tn_redirected *r = &done->uses.data[i];
        tn_op_set_operand(r->op, r->index, r->before);
    }
    for (uint32_t i = done->n_clones; i-- > 0;) {
        tn_op_erase(done->clones[i]);
    }
    if (done->n_clones > 0) {
        tn_module_forget_clones(done->clones[0]->graph->module);
    }
}

/* ---- all of them ---- */

/* A value by the model's and by which clone makes it: NONE for the model's own op. */
typedef struct instance {
    tn_value *first;
    uint32_t clone;
} instance;

typedef struct written_clone {
    tn_op *of, *at; /* `at`: the op of the model behind it, NULL at the end */
    instance *operands;
} written_clone;

typedef struct written_use {
    tn_op *op;
    uint32_t index;
    instance value;
} written_use;

struct tn_clone_set {
    tn_op **order; /* the model's ops */
    uint32_t n_ops;
    TN_VEC(written_clone) clones;
    TN_VEC(written_use) uses;
};

#define NONE UINT32_MAX

static instance instance_of(const tn_map *number, tn_value *v) {
    instance out = {v, NONE};
    if (v != NULL && v->clone_of != NULL) {
        out = (instance){v->clone_of, (uint32_t)tn_map_or(number, v->def->id, NONE)};
    }
    return out;
}

static void write_clone(tn_arena *arena, tn_clone_set *set, tn_map *number, tn_op *op) {
    written_clone w = {op->clone_of, op->next, TN_ARRAY(arena, instance, op->n_operands)};
    while (w.at != NULL && w.at->clone_of != NULL) {
        w.at = w.at->next;
    }
    for (uint32_t k = 0; k < op->n_operands; k++) {
        w.operands[k] = instance_of(number, op->operands[k].value);
    }
    tn_map_put(number, op->id, set->clones.len);
    tn_vec_push(arena, &set->clones, w);
}

tn_clone_set *tn_clones_write_down(tn_arena *arena, const tn_module *m) {
    tn_clone_set *set = TN_NEW(arena, tn_clone_set);
    tn_map number = tn_map_make(arena);
    set->order = TN_ARRAY(arena, tn_op *, m->main->n_ops);
    TN_FOR_OPS(op, m->main) {
        if (op->clone_of != NULL) {
            write_clone(arena, set, &number, op);
            continue;
        }
        set->order[set->n_ops++] = op;
        for (uint32_t k = 0; k < op->n_operands; k++) {
            tn_value *v = op->operands[k].value;
            if (v != NULL && v->clone_of != NULL) {
                written_use use = {op, k, instance_of(&number, v)};
                tn_vec_push(arena, &set->uses, use);
            }
        }
    }
    return set;
}

uint32_t tn_clones_count(const tn_clone_set *set) {
    return (uint32_t)set->clones.len;
}

/* Whether whoever reads clone i may read the model's own value. */
static bool can_do_without(tn_arena *arena, const tn_module *m, const tn_clone_set *set,
                           uint32_t i) {
    uint32_t *place = TN_ARRAY(arena, uint32_t, m->n_ops);
    for (uint32_t k = 0; k < set->n_ops; k++) {
        place[set->order[k]->id] = k;
    }
    const tn_op *of = set->clones.data[i].of;
    bool can = true;
    for (uint32_t k = 0; k < set->uses.len; k++) {
        const written_use *u = &set->uses.data[k];
        can = can && (u->value.clone != i || place[u->op->id] > place[of->id]);
    }
    for (uint32_t c = i + 1; c < set->clones.len; c++) {
        const written_clone *w = &set->clones.data[c];
        for (uint32_t k = 0; k < w->of->n_operands; k++) {
            bool reads = w->operands[k].clone == i;
            can = can && (!reads || w->at == NULL || place[w->at->id] > place[of->id]);
        }
    }
    return can;
}

/* By clone: whether somebody reads it but clone i, directly or by way of others. */
static const bool *find_read(tn_arena *arena, const tn_clone_set *set, uint32_t i) {
    bool *read = TN_ARRAY(arena, bool, set->clones.len);
    for (uint32_t k = 0; k < set->uses.len; k++) {
        const written_use *u = &set->uses.data[k];
        if (u->value.clone != NONE && u->value.clone != i) {
            read[u->value.clone] = true;
        }
    }
    for (uint32_t c = (uint32_t)set->clones.len; c-- > 0;) {
        const written_clone *w = &set->clones.data[c];
        for (uint32_t k = 0; k < w->of->n_operands && read[c]; k++) {
            if (w->operands[k].clone != NONE && w->operands[k].clone != i) {
                read[w->operands[k].clone] = true;
            }
        }
    }
    return read;
}

static instance renumbered(const uint32_t *number, instance v) {
    return (instance){v.first, v.clone != NONE ? number[v.clone] : NONE};
}

tn_clone_set *tn_clones_without(tn_arena *arena, const tn_module *m, const tn_clone_set *set,
                                uint32_t i) {
    if (!can_do_without(arena, m, set, i)) {
        return NULL;
    }
    const bool *read = find_read(arena, set, i);
    tn_clone_set *less = TN_NEW(arena, tn_clone_set);
    less->order = set->order;
    less->n_ops = set->n_ops;
    uint32_t *number = TN_ARRAY(arena, uint32_t, set->clones.len);
    for (uint32_t c = 0; c < set->clones.len; c++) {
        written_clone w = set->clones.data[c];
        number[c] = NONE;
        if (!read[c]) {
            continue;
        }
        instance *operands = TN_ARRAY(arena, instance, w.of->n_operands);
        for (uint32_t k = 0; k < w.of->n_operands; k++) {
            operands[k] = renumbered(number, w.operands[k]);
        }
        w.operands = operands;
        number[c] = (uint32_t)less->clones.len;
        tn_vec_push(arena, &less->clones, w);
    }
    for (uint32_t k = 0; k < set->uses.len; k++) {
        written_use u = set->uses.data[k];
        u.value = renumbered(number, u.value);
        if (u.value.clone != NONE) {
            tn_vec_push(arena, &less->uses, u);
        }
    }
    return less;
}

static tn_value *find_instance(tn_op *const *made, instance i) {
    return i.clone == NONE ? i.first : made[i.clone]->results[i.first->def_index];
}

void tn_clones_make(tn_arena *arena, tn_module *m, const tn_clone_set *set) {
    tn_module_take_out_clones(m);
    tn_module_forget_clones(m);
    tn_op *at = m->main->first;
    for (uint32_t i = 0; i < set->n_ops; i++) {
        if (set->order[i] == at) {
            at = at->next;
        } else {
            tn_op_move_before(set->order[i], at);
        }
    }
    tn_op **made = TN_ARRAY(arena, tn_op *, set->clones.len);
    for (uint32_t i = 0; i < set->clones.len; i++) {
        const written_clone *w = &set->clones.data[i];
        made[i] = tn_op_repeat(w->of, w->at);
        for (uint32_t k = 0; k < made[i]->n_operands; k++) {
            tn_op_set_operand(made[i], k, find_instance(made, w->operands[k]));
        }
    }
    for (uint32_t i = 0; i < set->uses.len; i++) {
        const written_use *u = &set->uses.data[i];
        tn_op_set_operand(u->op, u->index, find_instance(made, u->value));
    }
}

double tn_clones_flops(const tn_module *m) {
    double sum = 0;
    TN_FOR_OPS(op, m->main) {
        sum += op->clone_of != NULL ? tn_op_flops(op) : 0;
    }
    return sum;
}

static bool is_taken(const tn_module *m, const tn_graph *g, const char *name) {
    const tn_value *v = tn_graph_find_value(g, name);
    return v != NULL && v->graph->module == m;
}

/* Names of the model may look like those of clones. */
static void name_result(tn_module *m, tn_value *v, uint64_t round) {
    const char *name;
    do {
        name = round == 1 ? tn_internf(m->ctx, "%s.again", v->clone_of->name)
                          : tn_internf(m->ctx, "%s.again%llu", v->clone_of->name,
                                       (unsigned long long)round);
        round++;
    } while (is_taken(m, m->main, name));
    tn_value_set_name(v, name);
}

void tn_clones_name(tn_arena *arena, tn_module *m) {
    tn_map rounds = tn_map_make(arena);
    TN_FOR_OPS(op, m->main) {
        if (op->clone_of == NULL) {
            continue;
        }
        uint64_t round = tn_map_or(&rounds, op->clone_of->id, 0) + 1;
        tn_map_put(&rounds, op->clone_of->id, round);
        for (uint32_t r = 0; r < op->n_results; r++) {
            if (op->results[r] != NULL) {
                name_result(m, op->results[r], round);
            }
        }
        op->loc.first = op->results[0] != NULL ? op->results[0]->name : op->loc.first;
    }
}
