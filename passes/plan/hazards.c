/* Hazards: what must have finished before a step may write, because the bytes were somebody else's.
 *
 * The steps are gone through once, in order. Each storage keeps the steps that used it since it was
 * last overwritten. A step that overwrites inside its storage (in place, update, sharing) waits for
 * all of them; a step that writes fresh bytes, if only those by which it is wider than what it
 * overwrites, waits for the users of the storages that lay there before. A chain of waits is as
 * good as a wait, so the users of an overwritten content need not be waited for again.
 *
 * Some ops write over an operand without a result for what it becomes (tn_op_writes_operand). No
 * data dependence orders those who read it afterwards, so they wait for the op as well. */
#include <stdlib.h>

#include "ir/base/sort.h"
#include "passes/analysis/derivative.h"
#include "passes/core/rules.h"
#include "passes/plan/plan_build.h"
#include "passes/plan/predecessors.h"

/* More users than this are handed on: the first step that takes bytes of the storage waits for them
 * all, later ones wait for that step. Keeps the lists short when many take parts of one. */
enum { MANY_USERS = 16 };

typedef TN_VEC(uint32_t) id_list;

typedef struct hazards {
    tn_build *b;
    tn_sink *log;
    tn_predecessors before;
    /* By place: the storage of a value, or, behind all storages, a value without one. */
    id_list *users;    /* tn_by_u32 steps */
    bool *is_tracked;  /* users are noted: not those of constants that nobody writes */
    uint32_t *changed; /* the step, plus 1, that wrote over it last without a result for that */
    bool *overwrites;  /* by plan value: its bytes held something of the same storage before, */
    uint64_t *held;    /* so many of them, from the first on */
    uint64_t *filled;  /* by storage: so many of its bytes have held a value of it by now */
    bool *shares;      /* by plan value: it takes the bytes of dead values of its storage, */
    bool *parted;      /* by storage: where some are parts of others, */
    bool *straddled;   /* and some have lain in several parts */
    bool *unequal;     /* by plan value: perhaps more or fewer for other extents */
    bool *is_view;     /* by plan value: nothing is written, the bytes are there already */
    uint32_t *waits;   /* by step: stamp of the step whose list has it */
    uint32_t *shapes;  /* by step: stamp of the step that reads a shape which this one gives */
    id_list now;
    uint32_t *logged; /* by storage: whether its reuse was logged */
} hazards;

/* An edge tells that the later of its two values came over the earlier, or looks at it. What is
 * larger than the value inside it is more than a look: a concatenation may copy other operands. */
static void classify(hazards *h) {
    tn_plan *p = h->b->p;
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->alias == TN_ALIAS_NONE || v->alias_of == TN_NO_ID) {
            continue;
        }
        const tn_plan_value *of = &p->values[v->alias_of];
        bool is_later = v->first >= of->first;
        uint32_t later = is_later ? i : v->alias_of;
        uint64_t earlier_bytes = is_later ? of->bytes : v->bytes;
        if (v->alias == TN_ALIAS_VIEW && v->bytes != of->bytes && v->storage != TN_NO_ID) {
            h->parted[v->storage] = true;
        }
        if (v->alias != TN_ALIAS_VIEW) {
            h->overwrites[later] = true;
            h->shares[later] = v->alias == TN_ALIAS_SHARE;
            h->held[later] = earlier_bytes;
            if (h->shares[later] && earlier_bytes > p->values[later].bytes &&
                v->storage != TN_NO_ID) {
                h->straddled[v->storage] = true;
            }
            h->unequal[later] = v->bytes_expr != of->bytes_expr;
        } else if (p->values[later].bytes <= earlier_bytes) {
            h->is_view[later] = true;
        }
    }
}

static uint32_t place_of(const hazards *h, uint32_t value) {
    uint32_t storage = h->b->p->values[value].storage;
    return storage != TN_NO_ID ? storage : h->b->p->n_storages + value;
}

/* The place of operand k if the op writes over it without a result for that, else TN_NO_ID. */
static uint32_t changed_place(const hazards *h, const tn_op *op, uint32_t k) {
    const tn_value *v = op->operands[k].value;
    uint32_t value = v != NULL && tn_op_writes_operand(op, k) ? h->b->plan_value[v->id] : TN_NO_ID;
    return value != TN_NO_ID ? place_of(h, value) : TN_NO_ID;
}

static void find_tracked(hazards *h) {
    const tn_build *b = h->b;
    for (uint32_t i = 0; i < b->p->n_values; i++) {
        const tn_plan_value *v = &b->p->values[i];
        if (v->storage != TN_NO_ID && v->role != TN_ROLE_CONST) {
            h->is_tracked[v->storage] = true;
        }
    }
    for (uint32_t s = 0; s < b->p->n_steps; s++) {
        const tn_op *op = b->live->steps->at[s].op;
        for (uint32_t k = 0; k < op->n_operands; k++) {
            uint32_t place = changed_place(h, op, k);
            if (place != TN_NO_ID) {
                h->is_tracked[place] = true;
            }
        }
    }
}

static void wait_for(hazards *h, uint32_t step, uint32_t at) {
    if (step < at && h->waits[step] != at + 1) {
        h->waits[step] = at + 1;
        tn_vec_push(h->b->scratch, &h->now, step);
    }
}

static void wait_for_users(hazards *h, id_list *users, uint32_t at) {
    for (uint32_t i = 0; i < users->len; i++) {
        wait_for(h, users->data[i], at);
    }
    if (users->len > MANY_USERS) {
        users->len = 0;
        tn_vec_push(h->b->scratch, users, at);
    }
}

/* Of open dimensions: whoever may have lain there for some of them. */
static void wait_for_all_previous(hazards *h, uint32_t storage, uint32_t at) {
    if (h->before.serial && at > 0) {
        wait_for(h, at - 1, at);
    }
    for (uint32_t i = h->before.start[storage]; i < h->before.start[storage + 1]; i++) {
        wait_for_users(h, &h->users[h->before.item[i].from], at);
    }
}

/* For the bytes of v but the first `held`. */
static void wait_for_previous(hazards *h, const tn_plan_value *v, uint64_t held, uint32_t at) {
    const tn_storage *s = &h->b->p->storages[v->storage];
    if (h->b->p->n_ranges > 0) {
        wait_for_all_previous(h, s->id, at);
        return;
    }
    uint64_t lo = s->offset + v->offset + held, hi = s->offset + v->offset + v->bytes;
    uint32_t from = h->before.start[s->id], to = h->before.start[s->id + 1];
    while (from < to && to - from > 1) { /* the last part that starts at or below lo */
        uint32_t mid = from + (to - from) / 2;
        if (h->before.item[mid].lo > lo) {
            to = mid;
        } else {
            from = mid;
        }
    }
    for (uint32_t i = from; i < h->before.start[s->id + 1] && h->before.item[i].lo < hi; i++) {
        if (h->before.item[i].hi > lo) {
            wait_for_users(h, &h->users[h->before.item[i].from], at);
        }
    }
}

static void use(hazards *h, uint32_t value, uint32_t at) {
    uint32_t place = place_of(h, value);
    id_list *users = &h->users[place];
    if (h->is_tracked[place] && (users->len == 0 || users->data[users->len - 1] != at)) {
        tn_vec_push(h->b->scratch, users, at);
    }
}

static void log_reuse(hazards *h, uint32_t storage, uint32_t at) {
    const tn_plan *p = h->b->p;
    if (h->log == NULL || h->logged[storage] || p->n_ranges > 0) {
        return;
    }
    h->logged[storage] = 1;
    const tn_plan_value *v = &p->values[p->storages[storage].root];
    for (uint32_t i = h->before.start[storage]; i < h->before.start[storage + 1]; i++) {
        const tn_predecessor *t = &h->before.item[i];
        const tn_storage *from = &p->storages[t->from];
        const tn_plan_value *old = &p->values[from->root];
        tn_putf(h->log,
                "step %u %s: '%s' %s (%llu bytes) takes %llu bytes at offset %llu from '%s' %s "
                "(%llu bytes), free since step %d\n",
                at, p->steps[at].op, v->name, v->type,
                (unsigned long long)p->storages[storage].size, (unsigned long long)(t->hi - t->lo),
                (unsigned long long)t->lo, old->name, old->type, (unsigned long long)from->size,
                (int)from->last);
    }
}

static void log_alias(hazards *h, const tn_plan_value *v, uint32_t at) {
    static const char *const verbs[] = {[TN_ALIAS_NONE] = "",
                                        [TN_ALIAS_VIEW] = "is a view of",
                                        [TN_ALIAS_INPLACE] = "is written in place of",
                                        [TN_ALIAS_UPDATE] = "updates",
                                        [TN_ALIAS_SHARE] = "shares the bytes of"};
    const tn_plan *p = h->b->p;
    if (h->log != NULL && v->alias != TN_ALIAS_NONE && v->alias_of != TN_NO_ID &&
        v->storage != TN_NO_ID) {
        tn_putf(h->log, "step %u %s: '%s' %s (%llu bytes) %s '%s'\n", at, p->steps[at].op, v->name,
                v->type, (unsigned long long)v->bytes, verbs[v->alias],
                p->values[v->alias_of].name);
    }
}

static void overwrite(hazards *h, uint32_t place, uint32_t at) {
    id_list *users = &h->users[place];
    for (uint32_t i = 0; i < users->len; i++) {
        wait_for(h, users->data[i], at);
    }
    users->len = 0;
}

/* `at` writes the value, or, for results a loop stacks up, starts to. */
static void write_value(hazards *h, uint32_t value, uint32_t at) {
    const tn_plan_value *v = &h->b->p->values[value];
    if (v->storage == TN_NO_ID || v->role == TN_ROLE_CONST) {
        return;
    }
    log_reuse(h, v->storage, at);
    log_alias(h, v, at);
    /* What lay over several parts has its edge with the first of them, and is overwritten by all.
     */
    bool parts = h->parted[v->storage] && h->straddled[v->storage];
    if (h->overwrites[value] || (parts && !h->is_view[value])) {
        overwrite(h, v->storage, at);
    }
    /* Values that share bytes lie one after the other in time: what is larger than the one before
     * may still be what another one held. Of parts nobody knows which bytes those were. */
    uint64_t filled = h->filled[v->storage], end = v->offset + v->bytes;
    bool whole = h->shares[value] && !h->parted[v->storage];
    uint64_t held =
        whole && filled > v->offset + h->held[value] ? filled - v->offset : h->held[value];
    bool fresh =
        held < v->bytes || h->unequal[value] || (v->bytes == 0 && v->bytes_expr != TN_DIM_UNKNOWN);
    if (!h->is_view[value] && fresh) {
        wait_for_previous(h, v, held, at);
    }
    h->filled[v->storage] = end > filled ? end : filled;
}

static void write_operands(hazards *h, uint32_t at) {
    const tn_op *op = h->b->live->steps->at[at].op;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        uint32_t place = changed_place(h, op, k);
        if (place != TN_NO_ID) {
            overwrite(h, place, at);
            h->changed[place] = at + 1;
        }
    }
}

/* A reader waits for the op that changed the bytes without a result of which the reader is one. */
static void wait_for_change(hazards *h, uint32_t value, uint32_t at) {
    uint32_t changed = h->changed[place_of(h, value)];
    if (changed > 0) {
        wait_for(h, changed - 1, at);
    }
}

/* Who reads no more than a shape that the run gives waits for the step that gives it. */
static void wait_for_shapes(hazards *h, uint32_t at) {
    const tn_build *b = h->b;
    const tn_op *op = b->live->steps->at[at].op;
    for (uint32_t k = 0; k < op->n_operands && !b->live->steps->at[at].is_end; k++) {
        uint32_t made = tn_shape_made_at(b->live->steps, op, k);
        if (made != TN_NO_STEP) {
            wait_for(h, made, at);
            h->shapes[made] = at + 1;
        }
    }
}

/* Values by the step that starts to write them. */
static const uint32_t *by_first_write(const tn_build *b, uint32_t **start) {
    const tn_plan *p = b->p;
    uint32_t *at = TN_ARRAY(b->scratch, uint32_t, p->n_steps + 2u);
    uint32_t *order = TN_ARRAY(b->scratch, uint32_t, p->n_values);
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].first >= 0) {
            at[p->values[i].first + 2]++;
        }
    }
    for (uint32_t s = 0; s < p->n_steps; s++) {
        at[s + 2] += at[s + 1];
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].first >= 0) {
            order[at[p->values[i].first + 1]++] = i;
        }
    }
    *start = at;
    return order;
}

/* Steps of the op's own operands are ordered by data already. Stacked results, which are there from
 * the begin of their op on, are left out: having begun is not having finished. */
static void drop_dependences(hazards *h, uint32_t at) {
    const tn_plan_step *s = &h->b->p->steps[at];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->reads.len; i++) {
        const tn_plan_value *v = &h->b->p->values[s->reads.data[i]];
        if (v->step != TN_NO_ID && v->first == (int32_t)v->step) {
            h->waits[v->step] = 0;
        }
    }
    for (uint32_t i = 0; i < h->now.len; i++) {
        if (h->waits[h->now.data[i]] == at + 1) {
            h->now.data[kept++] = h->now.data[i];
        }
    }
    h->now.len = kept;
}

static bool writes_unnamed(const hazards *h, uint32_t step) {
    const tn_op *op = h->b->live->steps->at[step].op;
    bool writes = false;
    for (uint32_t k = 0; k < op->n_operands && !writes; k++) {
        writes = op->operands[k].value != NULL && tn_op_writes_operand(op, k);
    }
    return writes;
}

/* Where steps run side by side nothing waits because of reuse: whoever takes bytes comes after
 * their users anyway. What is left is due to shapes that a run gives, and to ops that write over an
 * operand and name no result for it, of which no data tell. */
static void drop_ordered(hazards *h, uint32_t at) {
    uint32_t kept = 0;
    if (h->b->order->before == NULL || h->now.len == 0 || writes_unnamed(h, at)) {
        return;
    }
    for (uint32_t i = 0; i < h->now.len; i++) {
        uint32_t step = h->now.data[i];
        h->now.data[kept] = step;
        kept += h->shapes[step] == at + 1 || writes_unnamed(h, step);
    }
    h->now.len = kept;
}

static void store(hazards *h, uint32_t at) {
    drop_dependences(h, at);
    drop_ordered(h, at);
    if (TN_KEEP(EDGES, h->now.len, 0) == 0) {
        return;
    }
    TN_SORT(h->now.data, h->now.len, tn_by_u32);
    uint32_t *copy = TN_ARRAY(h->b->p->arena, uint32_t, h->now.len);
    for (uint32_t i = 0; i < h->now.len; i++) {
        copy[i] = h->now.data[i];
    }
    h->b->p->steps[at].hazards = (tn_ids){copy, h->now.len};
}

/* What uses bytes at a step besides what it lists: an end step ends the use of the op's operands,
 * of what its bodies captured (both listed at its begin), and of the arguments of its bodies. */
static void use_all(hazards *h, uint32_t at) {
    const tn_plan *p = h->b->p;
    const tn_plan_step *s = &p->steps[at];
    for (uint32_t i = 0; i < s->reads.len; i++) {
        use(h, s->reads.data[i], at);
    }
    for (uint32_t i = 0; i < s->writes.len; i++) {
        use(h, s->writes.data[i], at);
    }
    if (s->kind == TN_STEP_END) {
        const tn_plan_step *begin = &p->steps[s->partner];
        for (uint32_t i = 0; i < begin->reads.len; i++) {
            use(h, begin->reads.data[i], at);
        }
        for (uint32_t i = 0; i < begin->writes.len; i++) {
            use(h, begin->writes.data[i], at);
        }
    }
}

/* Calls fn for the values that a derivative reads though they are not its operands. */
static void each_hidden(hazards *h, uint32_t at, void (*fn)(hazards *, uint32_t, uint32_t)) {
    const tn_build *b = h->b;
    const tn_op *op = b->live->steps->at[at].op;
    for (uint32_t i = 0; i < b->m->n_values && tn_is_derivative(op); i++) {
        const tn_live *l = &b->live->of[i];
        for (uint32_t k = 0; k < l->n_reads && l->scheduled; k++) {
            if (l->reads[k].op == op) {
                fn(h, b->plan_value[i], at);
            }
        }
    }
}

void tn_build_hazards(tn_build *b, tn_sink *log) {
    tn_plan *p = b->p;
    uint32_t n_places = p->n_storages + p->n_values;
    hazards h = {.b = b,
                 .log = log,
                 .before = p->n_ranges > 0 ? tn_find_any_predecessors(p, b->scratch)
                                           : tn_find_predecessors(p, b->scratch),
                 .users = tn_arena_array(b->scratch, n_places, sizeof(id_list)),
                 .is_tracked = TN_ARRAY(b->scratch, bool, n_places),
                 .changed = TN_ARRAY(b->scratch, uint32_t, n_places),
                 .overwrites = TN_ARRAY(b->scratch, bool, p->n_values),
                 .held = TN_ARRAY(b->scratch, uint64_t, p->n_values),
                 .filled = TN_ARRAY(b->scratch, uint64_t, p->n_storages),
                 .shares = TN_ARRAY(b->scratch, bool, p->n_values),
                 .parted = TN_ARRAY(b->scratch, bool, p->n_storages),
                 .straddled = TN_ARRAY(b->scratch, bool, p->n_storages),
                 .unequal = TN_ARRAY(b->scratch, bool, p->n_values),
                 .is_view = TN_ARRAY(b->scratch, bool, p->n_values),
                 .waits = TN_ARRAY(b->scratch, uint32_t, p->n_steps),
                 .shapes = TN_ARRAY(b->scratch, uint32_t, p->n_steps),
                 .logged = TN_ARRAY(b->scratch, uint32_t, p->n_storages)};
    uint32_t *start;
    const uint32_t *written = by_first_write(b, &start);
    classify(&h);
    find_tracked(&h);
    for (uint32_t s = 0; s < p->n_steps; s++) {
        h.now.len = 0;
        for (uint32_t i = start[s]; i < start[s + 1]; i++) {
            write_value(&h, written[i], s);
        }
        for (uint32_t i = 0; i < p->steps[s].reads.len; i++) {
            wait_for_change(&h, p->steps[s].reads.data[i], s);
        }
        each_hidden(&h, s, wait_for_change);
        wait_for_shapes(&h, s);
        write_operands(&h, s);
        store(&h, s);
        use_all(&h, s);
        each_hidden(&h, s, use);
    }
}
