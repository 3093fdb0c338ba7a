#include "passes/schedule/order_model.h"

#include <string.h>

#include "ir/base/sort.h"
#include "ir/base/xmath.h"
#include "ir/walk.h"
#include "passes/alias/legal.h"

/* What a problem may hold (passes/order/sched.h), with space for workspaces. */
#define MAX_TOTAL (UINT64_C(1) << 58)

enum { LIVE_AT_START = 1, LIVE_TO_END = 2 };

typedef struct maker {
    tn_order_model *o;
    const tn_order_model_ask *ask;
    uint64_t total; /* bytes of all classes so far */
    TN_VEC(tn_class_touch) touches;
    TN_VEC(tn_model_inplace) inplace;
    uint32_t *seen;   /* by op id: class that touched it last, plus 1 */
    bool *one_reader; /* by class: its members are read by one op each, and nothing stays to the end
                       */
} maker;

static const tn_op *lift(const tn_op *op, const tn_graph *to) {
    while (op != NULL && op->graph != to) {
        op = op->graph->owner;
    }
    return op;
}

static uint32_t find(tn_order_model *o, uint32_t k) {
    while (o->up[k] != k) {
        o->up[k] = o->up[o->up[k]];
        k = o->up[k];
    }
    return k;
}

/* Touches of a class by an op of the class's graph; an op from outside it stays for its end. */
static void touch(maker *k, uint32_t c, const tn_op *op) {
    const tn_op *at = lift(op, k->o->graph[c]);
    if (at == NULL) {
        k->o->ends[c] |= LIVE_TO_END;
        k->o->exact = k->o->exact && (op == k->o->graph[c]->owner);
    } else if (k->seen[at->id] != c + 1) {
        k->seen[at->id] = c + 1;
        tn_vec_push(k->o->arena, &k->touches, (tn_class_touch){at->graph->id, c, at->id});
    }
}

static bool reads_class(const tn_order_model *o, const tn_op *op, uint32_t c) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && o->s->of[v->id] == c) {
            return true;
        }
    }
    return false;
}

/* A member not computed from another one begins the class; with exactly one such, its op is the
 * head. */
static void find_head(maker *k, uint32_t c) {
    tn_order_model *o = k->o;
    const tn_class *x = &o->s->classes[c];
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_members; i++) {
        const tn_value *v = o->m->values[x->members[i]];
        if (v->kind == TN_VALUE_INPUT) {
            bool own = v->graph == o->graph[c];
            bool loops = own && v->graph->owner != NULL && tn_is_loop(v->graph->owner);
            o->ends[c] |= own ? LIVE_AT_START : 0;
            o->ends[c] |= loops ? LIVE_TO_END : 0;
            if (!own) {
                touch(k, c, v->graph->owner);
            }
        } else if (v->kind == TN_VALUE_RESULT && !reads_class(o, v->def, c)) {
            const tn_op *op = lift(v->def, o->graph[c]);
            n++;
            o->head[c] = op != NULL ? op->id : TN_SCHED_NONE;
        }
    }
    if (n != 1 || (o->ends[c] & LIVE_AT_START)) {
        o->head[c] = TN_SCHED_NONE;
    }
}

static void touch_all(maker *k, uint32_t c) {
    tn_order_model *o = k->o;
    const tn_class *x = &o->s->classes[c];
    k->one_reader[c] = true;
    for (uint32_t i = 0; i < x->n_members; i++) {
        const tn_value *v = o->m->values[x->members[i]];
        const tn_live *l = &o->live->of[v->id];
        if (v->kind == TN_VALUE_RESULT) {
            touch(k, c, v->def);
        }
        for (uint32_t r = 0; r < l->n_reads; r++) {
            touch(k, c, l->reads[r].op);
            k->one_reader[c] = k->one_reader[c] && l->reads[r].op == l->reads[0].op;
        }
        k->one_reader[c] = k->one_reader[c] && l->n_reads > 0;
    }
    k->one_reader[c] = k->one_reader[c] && (o->ends[c] & LIVE_TO_END) == 0;
}

static bool has_parts(const tn_order_model *o, const tn_class *x) {
    for (uint32_t i = 1; i < x->n_members; i++) {
        if (o->s->bytes[x->members[i]] != o->s->bytes[x->members[0]]) {
            return true;
        }
    }
    return false;
}

static void add_class(maker *k, uint32_t c) {
    tn_order_model *o = k->o;
    const tn_class *x = &o->s->classes[c];
    bool in_arena = x->home == TN_HOME_ARENA || (x->home == TN_HOME_IO && k->ask->io_in_arena);
    uint64_t size = 0;
    if (!tn_align_u64(x->size, k->ask->align, &size) || size > MAX_TOTAL - k->total) {
        o->exact = false; /* the layout will refuse it */
        return;
    }
    k->total += size;
    o->size[c] = size;
    o->graph[c] = o->m->values[x->members[0]]->graph;
    for (uint32_t i = 1; i < x->n_members; i++) {
        tn_graph *g = o->m->values[x->members[i]]->graph;
        o->graph[c] = g->depth < o->graph[c]->depth ? g : o->graph[c];
    }
    o->counts[c] = in_arena && !x->pinned;
    o->base += in_arena && x->pinned ? size : 0;
    o->ends[c] |= x->flags & TN_VF_ARENA ? LIVE_TO_END : 0;
    bool written = o->counts[c] || (x->flags & TN_VF_OUTPUT);
    o->exact = o->exact && !(written && has_parts(o, x));
    find_head(k, c);
    if (x->home == TN_HOME_ARENA && !x->pinned) {
        touch_all(k, c);
    }
}

/* Whether `op` may write result r over operand k when its bytes end there. */
static bool may_overwrite(maker *k, const tn_op *op, const tn_inplace_way *way, uint32_t index) {
    tn_order_model *o = k->o;
    if (!tn_inplace_names(op, way, index)) {
        return false;
    }
    const tn_value *r = op->results[way->result], *v = op->operands[index].value;
    uint32_t a = o->s->of[v->id], b = o->s->of[r->id];
    if (a == TN_NO_CLASS || b == TN_NO_CLASS || a == b || !o->counts[a] ||
        o->graph[a] != op->graph || o->graph[b] != op->graph || o->head[b] != op->id) {
        return false;
    }
    tn_inplace_if cond = tn_inplace_condition(way, r, v);
    if (!tn_inplace_is_trusted(k->ask->inplace, cond) ||
        (cond != TN_IF_WIDTH && o->size[a] != o->size[b])) {
        return false;
    }
    const tn_class *x = &o->s->classes[b];
    bool place = x->home == TN_HOME_ARENA || (x->flags & TN_VF_OUTPUT);
    /* What the caller gave and what the caller gets are two buffers, unless both lie in the arena.
     */
    bool callers = (x->flags & TN_VF_OUTPUT) && !(x->flags & TN_VF_ARENA);
    bool both = callers && ((o->ends[find(o, a)] & LIVE_AT_START) || o->s->bytes[v->id] > x->size);
    return place && !both && !(x->flags & TN_VF_PERMANENT) &&
           tn_inplace_misfit(r, o->s->bytes[r->id], v, o->s->bytes[v->id], cond) == TN_REASON_NONE;
}

/* The result lies in the operand in every order: one class from now on, kept by the caller if
 * either is. Only of equal sizes: a narrow result may last long, and be better off by itself. */
static void merge(tn_order_model *o, uint32_t result, uint32_t operand) {
    uint32_t a = find(o, operand);
    o->up[result] = a;
    o->counts[a] = o->counts[a] && o->counts[result];
    o->ends[a] |= o->ends[result];
}

/* Operands of the result's width first, then those of another one, as the pass `inplace` asks. */
static void consider(maker *k, const tn_op *op, const tn_inplace_way *way) {
    tn_order_model *o = k->o;
    const tn_value *r = op->results[way->result];
    uint32_t result = o->s->of[r->id], n = way->to - way->from;
    bool first = true;
    for (uint32_t j = 0; j < 2 * n; j++) {
        uint32_t i = way->from + j % n;
        const tn_value *v = op->operands[i].value;
        bool differs = v != NULL && tn_inplace_condition(way, r, v) == TN_IF_WIDTH;
        if (differs != (j >= n) || !may_overwrite(k, op, way, i)) {
            continue;
        }
        uint32_t operand = o->s->of[v->id];
        if (first && !differs && k->one_reader[operand]) {
            merge(o, result, operand);
            k->one_reader[operand] = false; /* no other result may be written over it */
            return;
        }
        first = false;
        tn_vec_push(o->arena, &k->inplace,
                    (tn_model_inplace){op->graph->id, op->id, result, operand});
    }
}

static void find_inplace(maker *k) {
    TN_FOR_ALL_OPS(op, k->o->m->main) {
        uint32_t n = tn_inplace_n_ways(op);
        for (uint32_t i = 0; i < n; i++) {
            tn_inplace_way way;
            if (tn_inplace_get_way(op, i, &way) &&
                k->o->s->of[op->results[way.result]->id] != TN_NO_CLASS) {
                consider(k, op, &way);
            }
        }
    }
}

static int by_graph(const void *a, const void *b) {
    const tn_class_touch *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->graph, y->graph), TN_COMPARE(x->class_of, y->class_of),
                       TN_COMPARE(x->op, y->op));
}

/* Touches of merged classes become those of the class they are part of; each op once. */
static void sort_touches(maker *k) {
    tn_order_model *o = k->o;
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->touches.len; i++) {
        k->touches.data[i].class_of = find(o, k->touches.data[i].class_of);
    }
    TN_SORT(k->touches.data, k->touches.len, by_graph);
    o->touch_start = TN_ARRAY(o->arena, uint32_t, o->m->n_graphs + 1u);
    for (uint32_t i = 0; i < k->touches.len; i++) {
        const tn_class_touch *t = &k->touches.data[i];
        bool again = n > 0 && by_graph(&k->touches.data[n - 1], t) == 0;
        if (o->counts[t->class_of] && !again) {
            k->touches.data[n++] = *t;
            o->touch_start[t->graph + 1]++;
        }
    }
    for (uint32_t g = 0; g < o->m->n_graphs; g++) {
        o->touch_start[g + 1] += o->touch_start[g];
    }
    o->touch = k->touches.data;
}

/* By graph, otherwise in the order found. */
static void sort_inplace(maker *k) {
    tn_order_model *o = k->o;
    uint32_t n = o->m->n_graphs, *fill = TN_ARRAY(o->arena, uint32_t, n + 1u);
    o->inplace = tn_arena_array(o->arena, k->inplace.len, sizeof *o->inplace);
    o->inplace_start = TN_ARRAY(o->arena, uint32_t, n + 1u);
    o->settled = TN_ARRAY(o->arena, uint8_t, k->inplace.len);
    for (uint32_t i = 0; i < k->inplace.len; i++) {
        o->inplace_start[k->inplace.data[i].graph + 1]++;
    }
    for (uint32_t g = 0; g < n; g++) {
        o->inplace_start[g + 1] += o->inplace_start[g];
        fill[g] = o->inplace_start[g];
    }
    for (uint32_t i = 0; i < k->inplace.len; i++) {
        o->inplace[fill[k->inplace.data[i].graph]++] = k->inplace.data[i];
    }
}

/* Backwards, so that what is written over by something movable is known to be movable itself. */
static void find_movable(tn_order_model *o, const maker *k) {
    for (uint32_t i = k->inplace.len; i-- > 0;) {
        const tn_model_inplace *t = &k->inplace.data[i];
        uint32_t result = find(o, t->result), operand = find(o, t->operand);
        o->movable[operand] |= !o->counts[result] || o->movable[result];
    }
}

static void add_start(tn_order_model *o) {
    o->start = o->base;
    for (uint32_t c = 0; c < o->s->n; c++) {
        bool counts = o->counts[c] && find(o, c) == c && o->graph[c] == o->m->main;
        o->start += counts && (o->ends[c] & LIVE_AT_START) ? o->size[c] : 0;
    }
}

tn_order_model tn_order_model_make(tn_arena *arena, tn_module *m, tn_analyses *an,
                                   const uint32_t *local, const tn_order_model_ask *ask) {
    const tn_storages *s = tn_get_storages(an);
    const tn_liveness *live = tn_get_liveness(an);
    tn_order_model o = {.m = m,
                        .arena = arena,
                        .live = live,
                        .s = s,
                        .local = local,
                        .up = TN_ARRAY(arena, uint32_t, s->n),
                        .counts = TN_ARRAY(arena, bool, s->n),
                        .size = TN_ARRAY(arena, uint64_t, s->n),
                        .graph = TN_ARRAY(arena, tn_graph *, s->n),
                        .head = TN_ARRAY(arena, uint32_t, s->n),
                        .tensor = TN_ARRAY(arena, uint32_t, s->n),
                        .ends = TN_ARRAY(arena, uint8_t, s->n),
                        .in_output = TN_ARRAY(arena, bool, s->n),
                        .movable = TN_ARRAY(arena, bool, s->n),
                        .exact = true,
                        .joins = ask->inplace != TN_INPLACE_NONE};
    maker k = {.o = &o,
               .ask = ask,
               .seen = TN_ARRAY(arena, uint32_t, m->n_ops),
               .one_reader = TN_ARRAY(arena, bool, s->n)};
    for (uint32_t c = 0; c < s->n; c++) {
        o.up[c] = c;
        o.head[c] = TN_SCHED_NONE;
        add_class(&k, c);
    }
    find_inplace(&k);
    add_start(&o);
    /* What loops are given, carry and return may come to lie in one place, in some orders; and an
     * operand of a call may be its argument, and overwritten before the function ends. */
    TN_FOR_ALL_OPS(op, m->main) {
        o.exact = o.exact && !(o.joins && tn_is_loop(op)) && !tn_op_is_call(op);
    }
    sort_touches(&k);
    sort_inplace(&k);
    find_movable(&o, &k);
    return o;
}

/* Tensors of the graph in order of their classes, which is the order of its touches. */
static void add_tensors(tn_order_model *o, tn_arena *arena, const tn_graph *g, tn_sched_lists *l) {
    uint32_t from = o->touch_start[g->id], n = o->touch_start[g->id + 1] - from;
    tn_sched_tensor *tensor = TN_ARRAY(arena, tn_sched_tensor, n);
    uint32_t(*pairs)[2] = tn_arena_array(arena, n, sizeof *pairs);
    for (uint32_t i = 0; i < n; i++) {
        const tn_class_touch *t = &o->touch[from + i];
        if (i == 0 || t->class_of != t[-1].class_of) {
            uint32_t c = t->class_of, head = o->head[c];
            o->tensor[c] = l->m;
            tensor[l->m++] =
                (tn_sched_tensor){.size = o->in_output[c] ? 0 : o->size[c],
                                  .head = head != TN_SCHED_NONE ? o->local[head] : TN_SCHED_NONE,
                                  .at_start = (o->ends[c] & LIVE_AT_START) != 0,
                                  .to_end = (o->ends[c] & LIVE_TO_END) != 0};
        }
        pairs[i][0] = o->local[t->op];
        pairs[i][1] = l->m - 1;
    }
    l->tensor = tensor;
    l->touch = (const uint32_t(*)[2])pairs;
    l->n_touch = n;
}

static void add_inplace(tn_order_model *o, tn_arena *arena, const tn_graph *g, tn_sched_lists *l) {
    uint32_t from = o->inplace_start[g->id], n = o->inplace_start[g->id + 1] - from;
    tn_sched_inplace *list = tn_arena_array(arena, n, sizeof *list);
    for (uint32_t i = 0; i < n; i++) {
        const tn_model_inplace *t = &o->inplace[from + i];
        uint32_t a = find(o, t->result), b = find(o, t->operand);
        if (o->counts[a] && o->counts[b] && a != b && !o->in_output[a] && !o->in_output[b]) {
            list[l->n_inplace++] = (tn_sched_inplace){o->local[t->op], o->tensor[a], o->tensor[b]};
        }
    }
    l->inplace = list;
}

tn_sched tn_order_model_graph(tn_order_model *o, tn_arena *arena, const tn_graph *g, uint32_t n_ops,
                              const uint32_t (*before)[2], uint32_t n_before,
                              const uint64_t *workspace) {
    tn_sched_lists l = {.n = n_ops,
                        .workspace = workspace,
                        .before = before,
                        .n_before = n_before,
                        .base = g == o->m->main ? o->base : 0};
    add_tensors(o, arena, g, &l);
    add_inplace(o, arena, g, &l);
    return tn_sched_make(arena, &l);
}

uint64_t tn_order_model_results(tn_order_model *o, const tn_op *op, bool early) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < op->n_results; i++) {
        const tn_value *v = op->results[i];
        uint32_t c = v != NULL ? o->s->of[v->id] : TN_NO_CLASS;
        bool counts = c != TN_NO_CLASS && o->counts[find(o, c)] && !o->movable[find(o, c)];
        if (counts && o->head[c] == op->id &&
            (!early || tn_write_step(o->live->steps, v) == o->live->steps->begin[op->id])) {
            sum += o->size[c];
        }
    }
    return sum;
}

uint64_t tn_order_model_given(tn_order_model *o, const tn_graph *body) {
    const tn_op *op = body->owner;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < body->n_outputs; i++) {
        const tn_value *v = i < op->n_results ? op->results[i] : NULL;
        uint32_t c = v != NULL ? o->s->of[v->id] : TN_NO_CLASS;
        bool stays = c != TN_NO_CLASS && o->counts[find(o, c)] && !o->movable[find(o, c)];
        uint32_t given = o->s->of[body->outputs[i]->id];
        sum += !stays && given != TN_NO_CLASS ? o->size[given] : 0;
    }
    return sum;
}

uint64_t tn_order_model_left(tn_order_model *o, const tn_graph *g) {
    uint64_t sum = 0;
    for (uint32_t i = o->touch_start[g->id]; i < o->touch_start[g->id + 1]; i++) {
        uint32_t c = o->touch[i].class_of;
        bool again = i > o->touch_start[g->id] && o->touch[i - 1].class_of == c;
        bool stays = (o->ends[c] & LIVE_TO_END) && !o->movable[c];
        sum += !again && stays ? o->size[c] : 0;
    }
    return sum;
}
