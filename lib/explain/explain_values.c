/* What happened to each value: taken from the plan, and from what passes refused. */
#include <string.h>

#include "lib/explain/explain_t.h"

/* Lists of numbers by number: all[start[i]] up to all[start[i + 1]]. */
typedef struct lists {
    uint32_t *start, *all;
} lists;

typedef struct indexed {
    tn_explain *x;
    const uint32_t *plan_value; /* by module value id, TN_NO_ID for what takes no part */
    const uint32_t *op_step;    /* by op id: its first step, TN_NO_ID */
    uint32_t *last_reader;      /* by plan value: step, TN_NO_ID */
    tn_predecessors before;
    lists given;      /* by storage: takeovers from it, in order of who takes */
    uint32_t *taker;  /* by takeover: storage */
    lists clones;     /* by plan value: clones of it, and it itself where it is one */
    lists inside;     /* by plan value: results that begin inside it, and it itself where it does */
    lists edges;      /* by plan value: values whose alias edge or whose target it is */
    lists refused_at; /* by step */
    lists refused_of; /* by module value id: refusals that name it */
} indexed;

typedef void each_fn(const indexed *w, void (*put)(lists *l, uint32_t key, uint32_t item),
                     lists *l);

static void count(lists *l, uint32_t key, uint32_t item) {
    (void)item;
    l->start[key + 2]++;
}

static void store(lists *l, uint32_t key, uint32_t item) {
    l->all[l->start[key + 1]++] = item;
}

/* Two rounds: how many each has, then which. */
static lists collect(const indexed *w, uint32_t n_keys, each_fn *each) {
    lists l = {.start = TN_ARRAY(w->x->arena, uint32_t, n_keys + 2u)};
    each(w, count, &l);
    for (uint32_t i = 0; i < n_keys; i++) {
        l.start[i + 2] += l.start[i + 1];
    }
    l.all = TN_ARRAY(w->x->arena, uint32_t, l.start[n_keys + 1]);
    each(w, store, &l);
    return l;
}

static void each_takeover(const indexed *w, void (*put)(lists *, uint32_t, uint32_t), lists *l) {
    for (uint32_t i = 0; i < w->before.start[w->x->p->n_storages]; i++) {
        put(l, w->before.item[i].from, i);
    }
}

static void each_edge(const indexed *w, void (*put)(lists *, uint32_t, uint32_t), lists *l) {
    for (uint32_t i = 0; i < w->x->p->n_values; i++) {
        const tn_plan_value *v = &w->x->p->values[i];
        if (v->alias != TN_ALIAS_NONE && v->alias_of != TN_NO_ID) {
            put(l, i, i);
            put(l, v->alias_of, i);
        }
    }
}

static void each_clone(const indexed *w, void (*put)(lists *, uint32_t, uint32_t), lists *l) {
    for (uint32_t i = 0; i < w->x->p->n_values; i++) {
        uint32_t of = w->x->p->values[i].clone_of;
        if (of != TN_NO_ID) {
            put(l, i, i);
            put(l, of, i);
        }
    }
}

static void each_inside(const indexed *w, void (*put)(lists *, uint32_t, uint32_t), lists *l) {
    for (uint32_t i = 0; i < w->x->p->n_values; i++) {
        const tn_plan_value *v = &w->x->p->values[i];
        if (v->n_overlaps > 0) {
            put(l, i, i);
        }
        for (uint32_t k = 0; k < v->n_overlaps; k++) {
            put(l, v->overlaps[k].value, i);
        }
    }
}

static void each_refusal_at(const indexed *w, void (*put)(lists *, uint32_t, uint32_t), lists *l) {
    for (uint32_t i = 0; i < w->x->refusals->list.len; i++) {
        const tn_op *op = w->x->refusals->list.data[i].op;
        if (op != NULL && w->op_step[op->id] != TN_NO_ID) {
            put(l, w->op_step[op->id], i);
        }
    }
}

static void each_refusal_of(const indexed *w, void (*put)(lists *, uint32_t, uint32_t), lists *l) {
    for (uint32_t i = 0; i < w->x->refusals->list.len; i++) {
        const tn_refusal *f = &w->x->refusals->list.data[i];
        put(l, f->value->id, i);
        if (f->of != f->value) {
            put(l, f->of->id, i);
        }
    }
}

static uint32_t *no_ids(tn_arena *arena, uint32_t n) {
    uint32_t *ids = TN_ARRAY(arena, uint32_t, n);
    memset(ids, 0xff, n * sizeof *ids);
    return ids;
}

static void index_steps(indexed *w) {
    const tn_plan *p = w->x->p;
    uint32_t *op_step = no_ids(w->x->arena, w->x->m != NULL ? w->x->m->n_ops : 0);
    w->last_reader = no_ids(w->x->arena, p->n_values);
    for (uint32_t s = 0; s < p->n_steps; s++) {
        const tn_plan_step *step = &p->steps[s];
        if (step->kind != TN_STEP_END && w->x->m != NULL) {
            op_step[step->module_op] = s;
        }
        /* What an op with nested graphs reads it holds to its end; a call has taken it then. */
        bool is_call = step->n_bodies > 0 && step->bodies[0].attribute[0] == '\0';
        bool holds = step->kind == TN_STEP_BEGIN && !is_call;
        uint32_t until = holds ? step->partner : s;
        for (uint32_t i = 0; i < step->reads.len; i++) {
            uint32_t *last = &w->last_reader[step->reads.data[i]];
            *last = *last == TN_NO_ID || *last < until ? until : *last;
        }
    }
    w->op_step = op_step;
}

static indexed make_index(tn_explain *x) {
    const tn_plan *p = x->p;
    indexed w = {.x = x, .before = tn_find_predecessors(p, x->arena)};
    uint32_t n_values = x->m != NULL ? x->m->n_values : 0;
    uint32_t *plan_value = no_ids(x->arena, n_values);
    for (uint32_t i = 0; i < p->n_values && x->m != NULL; i++) {
        plan_value[p->values[i].module_value] = i;
    }
    w.plan_value = plan_value;
    index_steps(&w);
    w.taker = TN_ARRAY(x->arena, uint32_t, w.before.start[p->n_storages]);
    for (uint32_t s = 0; s < p->n_storages; s++) {
        for (uint32_t i = w.before.start[s]; i < w.before.start[s + 1]; i++) {
            w.taker[i] = s;
        }
    }
    w.given = collect(&w, p->n_storages, each_takeover);
    w.edges = collect(&w, p->n_values, each_edge);
    w.clones = collect(&w, p->n_values, each_clone);
    w.inside = collect(&w, p->n_values, each_inside);
    w.refused_at = collect(&w, p->n_steps, each_refusal_at);
    w.refused_of = collect(&w, n_values, each_refusal_of);
    return w;
}

static void add(const indexed *w, tn_fact fact) {
    tn_vec_push(w->x->arena, &w->x->facts, fact);
}

static void add_own(const indexed *w, uint32_t value) {
    static const struct own {
        uint32_t flag;
        const char *text;
    } all[] = {{TN_VF_EXCLUDED, "excluded from reuse"},
               {TN_VF_LOSS, "a loss"},
               {TN_VF_PARAM_GRAD | TN_VF_PINNED, "the gradient of a parameter"},
               {TN_VF_PINNED, "pinned"}};
    if (w->x->m == NULL) {
        return; /* a plan says that a storage is pinned, not for which of its members */
    }
    uint32_t flags = w->x->m->values[w->x->p->values[value].module_value]->flags;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if ((flags & all[i].flag) == all[i].flag) {
            add(w, (tn_fact){.kind = TN_FACT_OWN, .value = value, .text = all[i].text});
            return;
        }
    }
}

static void add_last(const indexed *w, uint32_t value) {
    const tn_plan_value *v = &w->x->p->values[value];
    bool after = v->role != TN_ROLE_INTERNAL && v->last >= (int32_t)w->x->p->n_steps;
    if (after || w->last_reader[value] != TN_NO_ID) {
        uint32_t step = after ? TN_NO_ID : w->last_reader[value];
        add(w, (tn_fact){.kind = TN_FACT_LAST, .value = value, .step = step});
    }
}

/* An edge may stand on either of its two values: the later one lies in the bytes of the earlier. */
static void add_aliases(const indexed *w, uint32_t value) {
    const tn_plan *p = w->x->p;
    for (uint32_t i = w->edges.start[value]; i < w->edges.start[value + 1]; i++) {
        uint32_t on = w->edges.all[i], of = p->values[on].alias_of;
        bool is_later = p->values[on].first >= p->values[of].first;
        add(w, (tn_fact){.kind = TN_FACT_ALIAS,
                         .value = is_later ? on : of,
                         .of = is_later ? of : on,
                         .alias = p->values[on].alias});
    }
}

static void add_clones(const indexed *w, uint32_t value) {
    for (uint32_t i = w->clones.start[value]; i < w->clones.start[value + 1]; i++) {
        uint32_t clone = w->clones.all[i];
        add(w, (tn_fact){
                   .kind = TN_FACT_CLONE, .value = clone, .of = w->x->p->values[clone].clone_of});
    }
}

static void add_shift(const indexed *w, uint32_t value) {
    const tn_plan_shift *shift = tn_plan_find_shift(w->x->p, value);
    if (shift != NULL) {
        add(w, (tn_fact){.kind = TN_FACT_MOVED, .value = value, .shift = shift});
    }
}

static void add_overlaps(const indexed *w, uint32_t value) {
    for (uint32_t i = w->inside.start[value]; i < w->inside.start[value + 1]; i++) {
        uint32_t result = w->inside.all[i];
        const tn_plan_value *v = &w->x->p->values[result];
        for (uint32_t k = 0; k < v->n_overlaps; k++) {
            const tn_plan_overlap *o = &v->overlaps[k];
            if (result == value || o->value == value) {
                add(w, (tn_fact){.kind = TN_FACT_INSIDE,
                                 .value = result,
                                 .of = o->value,
                                 .bytes = o->distance,
                                 .text = tn_work_order_words[o->order]});
            }
        }
    }
}

static void add_takeover(const indexed *w, tn_fact_kind kind, uint32_t at) {
    const tn_plan *p = w->x->p;
    const tn_predecessor *t = &w->before.item[at];
    const tn_storage *from = &p->storages[t->from], *to = &p->storages[w->taker[at]];
    bool gives = kind == TN_FACT_GIVES;
    add(w, (tn_fact){.kind = kind,
                     .value = gives ? from->root : to->root,
                     .of = gives ? to->root : from->root,
                     .bytes = t->hi - t->lo,
                     .offset = t->lo,
                     .step = (uint32_t)(gives ? to->first : from->last)});
}

/* What the first member of a storage took and what the last one gives; with `all`, that of every
 * member. */
static void add_takeovers(const indexed *w, const tn_plan_value *v, bool all) {
    const tn_storage *s = &w->x->p->storages[v->storage];
    if (all || v->first == s->first) {
        for (uint32_t i = w->before.start[s->id]; i < w->before.start[s->id + 1]; i++) {
            add_takeover(w, TN_FACT_TAKES, i);
        }
    }
    if (all || v->last == s->last) {
        for (uint32_t i = w->given.start[s->id]; i < w->given.start[s->id + 1]; i++) {
            add_takeover(w, TN_FACT_GIVES, w->given.all[i]);
        }
    }
}

static void add_value(const indexed *w, uint32_t value, bool all) {
    const tn_plan_value *v = &w->x->p->values[value];
    add(w, (tn_fact){.kind = TN_FACT_VALUE, .value = value});
    if (v->storage == TN_NO_ID) {
        return;
    }
    tn_explain_pool_of(w->x, value);
    add_own(w, value);
    add_last(w, value);
    add_shift(w, value);
    add_aliases(w, value);
    add_clones(w, value);
    add_overlaps(w, value);
    add_takeovers(w, v, all);
}

static void add_refusals(const indexed *w, const lists *l, uint32_t key) {
    for (uint32_t i = l->start[key]; i < l->start[key + 1]; i++) {
        const tn_refusal *f = &w->x->refusals->list.data[l->all[i]];
        add(w, (tn_fact){.kind = TN_FACT_REFUSAL,
                         .refusal = f,
                         .value = w->plan_value[f->value->id],
                         .of = w->plan_value[f->of->id],
                         .step = f->op != NULL ? w->op_step[f->op->id] : TN_NO_ID});
    }
}

/* What the nodes of a step hand to one another. */
static void add_unmade(const indexed *w, uint32_t step) {
    const tn_plan_step *s = &w->x->p->steps[step];
    const tn_op *op = NULL;
    uint32_t n_ops = w->x->m != NULL && s->n_parts > 0 ? w->x->m->n_ops : 0;
    for (uint32_t i = 0; i < n_ops && op == NULL; i++) {
        const tn_op *at = w->x->m->ops[i];
        op = !at->erased && at->n_parts == s->n_parts && w->op_step[i] == step ? at : NULL;
    }
    for (uint32_t i = 0; op != NULL && i + 1 < op->n_parts; i++) {
        const tn_op_was *was = op->parts[i]->was;
        for (uint32_t r = 0; was != NULL && r < op->parts[i]->n_results; r++) {
            const tn_value *v = was->results[r];
            int64_t bytes;
            if (v != NULL && v->def->erased &&
                tn_type_fixed_bytes(w->x->m->dims, v->type, &bytes)) {
                add(w, (tn_fact){.kind = TN_FACT_UNMADE, .inner = v, .bytes = (uint64_t)bytes});
            }
        }
    }
}

void tn_explain_steps(tn_explain *x) {
    indexed w = make_index(x);
    const tn_plan *p = x->p;
    for (uint32_t s = 0; s < p->n_steps; s++) {
        const tn_plan_step *step = &p->steps[s];
        uint32_t n_refused = w.refused_at.start[s + 1] - w.refused_at.start[s];
        if (step->writes.len + n_refused == 0) {
            continue;
        }
        add(&w, (tn_fact){.kind = TN_FACT_STEP, .step = s});
        add_unmade(&w, s);
        for (uint32_t i = 0; i < step->writes.len; i++) {
            add_value(&w, step->writes.data[i], false);
        }
        add_refusals(&w, &w.refused_at, s);
    }
}

void tn_explain_chosen(tn_explain *x, const bool *chosen) {
    indexed w = make_index(x);
    for (uint32_t i = 0; i < x->p->n_values; i++) {
        if (!chosen[i]) {
            continue;
        }
        add(&w, (tn_fact){.kind = TN_FACT_STEP, .step = x->p->values[i].step});
        add_value(&w, i, true);
        if (x->m != NULL) {
            add_refusals(&w, &w.refused_of, x->p->values[i].module_value);
        }
    }
}
