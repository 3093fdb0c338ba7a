#include "passes/recompute/stage_model.h"

#include "ir/mutate.h"
#include "ir/ops/flops.h"
#include "ir/walk.h"
#include "passes/alias/legal.h"

#define NONE TN_STAGE_NONE

typedef TN_VEC(uint32_t) id_list;

typedef struct maker {
    tn_arena *arena;
    const tn_stage_model_ask *ask;
    const tn_picture *p;
    tn_module *m;
    uint32_t n, *place; /* by op id: its stage */
    tn_op **at;         /* by stage */
    tn_stage_value *value;
    tn_stage_op *op;
    id_list *reads; /* by stage */
    id_list *before, *after;
    bool *anchored;  /* by stage: it stays where it is, as its place says more than its operands */
    uint64_t *inner; /* by step: bytes of what lies in nested graphs alone */
} maker;

static uint32_t place_of(const maker *k, const tn_op *op) {
    while (op->graph != k->m->main) {
        op = op->graph->owner;
    }
    return k->place[op->id];
}

/* The stage of a step; the end for steps behind the last. */
static uint32_t stage_of(const maker *k, int32_t step) {
    return (uint32_t)step < k->p->n_steps ? place_of(k, k->p->at[step]) : k->n;
}

static bool competes(const maker *k, const tn_value *v) {
    uint32_t c = k->p->of[v->id];
    return c != TN_NO_CLASS && !k->p->fixed[c] && k->p->size[c] > 0;
}

/* Values of the main graph that hold bytes, or are made by an op. */
static bool counts(const maker *k, const tn_value *v) {
    return v->graph == k->m->main && k->p->of[v->id] != TN_NO_CLASS &&
           k->p->value[v->id].last > -2 && (competes(k, v) || v->def != NULL) && !tn_is_const(v);
}

static void add_once(maker *k, id_list *list, uint32_t x) {
    for (uint32_t i = 0; i < list->len; i++) {
        if (list->data[i] == x) {
            return;
        }
    }
    tn_vec_push(k->arena, list, x);
}

/* Notes who reads the value. It is free if clones can stand for it with all of them. */
static void add_reads(maker *k, const tn_value *v) {
    bool free = v->kind == TN_VALUE_RESULT && (v->flags & TN_VF_OUTPUT) == 0 && competes(k, v) &&
                !tn_is_carried(v);
    uint32_t last = 0;
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        free = free && u->op->graph == v->graph;
        if (tn_reads_data(u->op, u->index) && k->p->begin[u->op->id] < k->p->n_steps) {
            uint32_t stage = place_of(k, u->op);
            last = stage > last ? stage : last;
            add_once(k, &k->reads[stage], v->id);
        }
    }
    uint32_t held = k->p->value[v->id].last < 0 ? 0 : stage_of(k, k->p->value[v->id].last);
    if (held > last && (v->def == NULL || held > k->value[v->id].def)) {
        add_once(k, &k->reads[held], v->id);
        free = false;
        if (v->def != NULL && held < k->n) {
            k->anchored[k->place[v->def->id]] = true;
        }
    }
    k->value[v->id].free = free;
}

static bool reads_value(const maker *k, uint32_t stage, uint32_t v) {
    for (uint32_t i = 0; i < k->reads[stage].len; i++) {
        if (k->reads[stage].data[i] == v) {
            return true;
        }
    }
    return false;
}

static bool is_view(const tn_value *v) {
    return v->alias_kind == TN_ALIAS_VIEW || v->alias_kind == TN_ALIAS_UPDATE;
}

/* A view of what its op reads, or a part of what is made behind it. */
static void add_view(maker *k, const tn_value *v) {
    if (!is_view(v) || v->def == NULL || !counts(k, v->alias_of)) {
        return;
    }
    if (reads_value(k, k->place[v->def->id], v->alias_of->id)) {
        k->value[v->id].view = v->alias_of->id;
        return;
    }
    const tn_value *whole = v->alias_of;
    while (is_view(whole) && counts(k, whole->alias_of)) {
        whole = whole->alias_of;
    }
    k->value[v->id].lump = k->value[whole->id].lump = whole->id;
}

static void add_over(maker *k, const tn_op *op) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        id_list over = {0};
        for (uint32_t i = 0; v != NULL && competes(k, v) && i < tn_inplace_n_ways(op); i++) {
            tn_inplace_way way;
            bool fits = tn_inplace_get_way(op, i, &way) && way.result == r;
            for (uint32_t j = 0; fits && j < op->n_operands; j++) {
                const tn_value *o = op->operands[j].value;
                if (tn_inplace_names(op, &way, j) && counts(k, o) && competes(k, o) &&
                    tn_inplace_is_trusted(k->ask->inplace, tn_inplace_condition(&way, v, o)) &&
                    tn_inplace_misfit(v, k->p->bytes[v->id], o, k->p->bytes[o->id],
                                      tn_inplace_condition(&way, v, o)) == TN_REASON_NONE) {
                    tn_vec_push(k->arena, &over, o->id);
                }
            }
        }
        if (v != NULL) {
            k->value[v->id].over = over.data;
            k->value[v->id].n_over = over.len;
        }
    }
}

static bool is_clonable(const maker *k, const tn_op *op) {
    bool frees = false, fits = k->ask->clonable[op->id];
    for (uint32_t i = 0; i < op->n_operands && fits; i++) {
        const tn_value *v = op->operands[i].value;
        if (v != NULL && tn_repeat_reads_data(op, i) && !tn_is_const(v)) {
            fits =
                k->p->of[v->id] != TN_NO_CLASS && (v->flags & (TN_VF_STATE | TN_VF_DONATED)) == 0;
        }
    }
    for (uint32_t r = 0; r < op->n_results; r++) {
        frees = frees || (op->results[r] != NULL && k->value[op->results[r]->id].free);
    }
    return fits && frees;
}

static uint64_t work_of(const maker *k, const tn_op *op) {
    uint64_t work = 0;
    for (uint32_t i = 0; i < op->n_workspace; i++) {
        const tn_value *v = tn_workspace(op, i);
        work += competes(k, v) ? k->p->bytes[v->id] : 0;
    }
    uint64_t most = 0;
    for (uint32_t s = k->p->begin[op->id];
         op->n_regions > 0 && s < k->p->n_steps && place_of(k, k->p->at[s]) == k->place[op->id];
         s++) {
        most = k->inner[s] > most ? k->inner[s] : most;
    }
    return work + most;
}

/* Ops with effects, and those that touch what somebody overwrites by definition, stay in the order
 * given, which they do where they are not moved at all; what others depend on is what they read. */
static void add_order(maker *k, const tn_op *op) {
    enum {
        STAYS =
            TN_T_SIDE_EFFECT | TN_T_UPDATE | TN_T_CONTROL | TN_T_CALL | TN_T_SEQUENCE | TN_T_BARRIER
    };
    uint32_t stage = place_of(k, op);
    bool stays = op->graph != k->m->main || !tn_op_in_table(op) || op->n_regions > 0 ||
                 (op->info->traits & STAYS) != 0 || op->info->update_groups > 0;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_value *v = op->operands[i].value;
        if (v == NULL) {
            continue;
        }
        if (v->graph == k->m->main && v->def != NULL && k->place[v->def->id] != stage) {
            add_once(k, &k->before[stage], k->place[v->def->id]);
            add_once(k, &k->after[k->place[v->def->id]], stage);
        }
        for (const tn_use *u = v->first_use; u != NULL && !stays; u = u->next) {
            stays = tn_op_overwrites(u->op, u->index, NULL);
        }
    }
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_use *u = op->results[r] != NULL ? op->results[r]->first_use : NULL;
        for (; u != NULL && !stays; u = u->next) {
            stays = tn_op_overwrites(u->op, u->index, NULL);
        }
    }
    k->anchored[stage] |= stays;
}

/* Readers of state stay in front of the op that updates it where it lies. */
static void keep_update(maker *k, const tn_binding *b) {
    if (b->value->kind != TN_VALUE_RESULT || b->value->graph != k->m->main) {
        return;
    }
    uint32_t last = k->place[b->value->def->id];
    for (const tn_use *u = b->state->first_use; u != NULL; u = u->next) {
        if (k->p->begin[u->op->id] < k->p->n_steps && place_of(k, u->op) > last) {
            return;
        }
    }
    for (const tn_use *u = b->state->first_use; u != NULL; u = u->next) {
        if (k->p->begin[u->op->id] < k->p->n_steps && place_of(k, u->op) != last) {
            add_once(k, &k->before[last], place_of(k, u->op));
            add_once(k, &k->after[place_of(k, u->op)], last);
        }
    }
}

static void add_op(maker *k, tn_op *op) {
    uint32_t stage = k->place[op->id];
    id_list results = {0};
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (op->results[r] != NULL && counts(k, op->results[r])) {
            tn_vec_push(k->arena, &results, op->results[r]->id);
        }
    }
    k->op[stage] = (tn_stage_op){.results = results.data,
                                 .n_results = results.len,
                                 .work = work_of(k, op),
                                 .flops = tn_flops_count(tn_op_flops(op)),
                                 .clonable = is_clonable(k, op)};
    add_over(k, op);
}

/* Classes that no member of the main graph is in. */
static void sum_inner(maker *k) {
    const tn_picture *p = k->p;
    int64_t *change = TN_ARRAY(k->arena, int64_t, (size_t)p->n_steps + 2), now = 0;
    k->inner = TN_ARRAY(k->arena, uint64_t, (size_t)p->n_steps + 1);
    for (uint32_t c = 0; c < p->n_classes; c++) {
        bool inner = !p->fixed[c] && p->size[c] > 0 && p->class[c].first >= 0;
        for (uint32_t i = p->first_member[c]; i < p->first_member[c + 1]; i++) {
            inner = inner && p->members[i]->graph != k->m->main;
        }
        if (inner && (uint32_t)p->class[c].last < p->n_steps) {
            change[p->class[c].first] += (int64_t)p->size[c];
            change[p->class[c].last + 1] -= (int64_t)p->size[c];
        }
    }
    for (uint32_t s = 0; s < p->n_steps; s++) {
        now += change[s];
        k->inner[s] = (uint64_t)now;
    }
}

static void add_values(maker *k) {
    for (uint32_t i = 0; i < k->m->n_values; i++) {
        const tn_value *v = k->m->values[i];
        bool ours = counts(k, v);
        uint64_t bytes = ours && competes(k, v) ? k->p->bytes[i] : 0;
        k->value[i] = (tn_stage_value){.def = ours && v->def != NULL ? k->place[v->def->id] : NONE,
                                       .view = NONE,
                                       .lump = NONE,
                                       .size = bytes,
                                       .again = bytes};
    }
    for (uint32_t i = 0; i < k->m->n_values; i++) {
        if (counts(k, k->m->values[i])) {
            add_reads(k, k->m->values[i]);
        }
    }
    for (uint32_t i = 0; i < k->m->n_values; i++) {
        if (counts(k, k->m->values[i])) {
            add_view(k, k->m->values[i]);
        }
    }
}

static void sum_up(maker *k, tn_stages *p) {
    for (uint32_t s = 0; s <= k->n; s++) {
        tn_stage_op *op = &k->op[s];
        op->reads = k->reads[s].data;
        op->n_reads = k->reads[s].len;
        op->before = k->before[s].data;
        op->n_before = k->before[s].len;
        op->after = k->after[s].data;
        op->n_after = k->after[s].len;
        op->movable = s < k->n && !k->anchored[s];
        p->n_reads += op->n_reads;
        p->n_results += op->n_results;
        p->most_reads = op->n_reads > p->most_reads ? op->n_reads : p->most_reads;
        p->most_results = op->n_results > p->most_results ? op->n_results : p->most_results;
    }
    for (uint32_t c = 0; c < k->p->n_classes; c++) {
        p->base += k->p->fixed[c] ? k->p->size[c] : 0;
    }
}

tn_stage_model *tn_stage_model_make(tn_arena *arena, const tn_stage_model_ask *ask) {
    tn_module *m = (tn_module *)ask->p->m;
    maker k = {.arena = arena,
               .ask = ask,
               .p = ask->p,
               .m = m,
               .place = TN_ARRAY(arena, uint32_t, m->n_ops),
               .at = TN_ARRAY(arena, tn_op *, (size_t)m->n_ops + 1),
               .value = TN_ARRAY(arena, tn_stage_value, m->n_values)};
    TN_FOR_OPS(op, m->main) {
        k.at[k.n] = op;
        k.place[op->id] = k.n++;
    }
    k.op = TN_ARRAY(arena, tn_stage_op, (size_t)k.n + 1);
    k.reads = TN_ARRAY(arena, id_list, (size_t)k.n + 1);
    k.before = TN_ARRAY(arena, id_list, (size_t)k.n + 1);
    k.after = TN_ARRAY(arena, id_list, (size_t)k.n + 1);
    k.anchored = TN_ARRAY(arena, bool, (size_t)k.n + 1);
    sum_inner(&k);
    add_values(&k);
    for (uint32_t s = 0; s < k.n; s++) {
        add_op(&k, k.at[s]);
    }
    TN_FOR_ALL_OPS(op, m->main) {
        add_order(&k, op);
    }
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        keep_update(&k, &m->bindings[i]);
    }
    tn_stage_model *out = TN_NEW(arena, tn_stage_model);
    out->p = (tn_stages){.op = k.op, .value = k.value, .n = k.n, .n_values = m->n_values};
    out->at = k.at;
    out->place = k.place;
    sum_up(&k, &out->p);
    return out;
}

static tn_op *first_of(tn_op *op) {
    return op->clone_of != NULL ? op->clone_of : op;
}

/* A search for orders may have put a clone before the op that it runs again: whichever is run first
 * counts as the model's. */
void tn_stage_take_out(tn_arena *arena, tn_module *m) {
    bool *seen = TN_ARRAY(arena, bool, m->n_ops);
    for (tn_op *op = m->main->first; op != NULL; op = op->next) {
        tn_op *first = first_of(op);
        if (!seen[first->id] && first != op) {
            tn_op_move_before(first, op);
        }
        seen[first->id] = true;
    }
    tn_module_take_out_clones(m);
    tn_module_forget_clones(m);
}

tn_stage_set tn_stage_model_read(tn_arena *arena, const tn_stage_model *model, const tn_module *m) {
    tn_stage_set set = tn_stage_set_new(arena, &model->p, m->main->n_ops);
    bool *seen = TN_ARRAY(arena, bool, (size_t)model->p.n + 1);
    uint32_t place = 0, first = 0; /* clones from `first` on stand before the op that comes next */
    TN_FOR_OPS(op, m->main) {
        uint32_t o = model->place[first_of(op)->id];
        if (seen[o]) {
            set.clones[set.n] = (tn_stage_clone){model->p.n, o};
            set.n += model->p.op[o].clonable;
            continue;
        }
        for (; first < set.n; first++) {
            set.clones[first].at = o;
        }
        seen[o] = true;
        set.order[place] = o;
        set.place[o] = place++;
    }
    tn_stage_set_sort(&set);
    return set;
}

/* Lets the op read what was made last. */
static void set_operands(const tn_stage_model *model, tn_value **now, tn_op *op) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        const tn_value *first = v != NULL && v->clone_of != NULL ? v->clone_of : v;
        tn_value *made = v != NULL && tn_reads_data(op, k) ? now[first->id] : NULL;
        if (made != NULL && model->p.value[first->id].free) {
            tn_op_set_operand(op, k, made);
        }
    }
}

void tn_stage_model_write(tn_arena *arena, const tn_stage_model *model, tn_module *m,
                          const tn_stage_set *set) {
    tn_module_take_out_clones(m);
    tn_module_forget_clones(m);
    tn_value **now = TN_ARRAY(arena, tn_value *, model->p.n_values);
    for (uint32_t s = 0; s < model->p.n; s++) {
        tn_op_move_before(model->at[set->order[s]], NULL);
    }
    for (uint32_t s = 0, k = 0; s < model->p.n; s++) {
        tn_op *at = model->at[set->order[s]];
        for (; k < set->n && set->clones[k].at == set->order[s]; k++) {
            tn_op *of = model->at[set->clones[k].op], *clone = tn_op_repeat(of, at);
            set_operands(model, now, clone);
            for (uint32_t r = 0; r < of->n_results; r++) {
                if (of->results[r] != NULL) {
                    now[of->results[r]->id] = clone->results[r];
                }
            }
        }
        set_operands(model, now, at);
    }
}
