/* Ops that write over an operand and have no result for what it becomes (tn_op_writes_operand). The
 * sweep over writes does not see them, for no value is written. Two things are proved of each:
 * whoever uses the operand does so before or after it as in the model, and is ordered so on a
 * runtime that runs steps side by side; and no value that looks at the same bytes under another
 * name is needed after its content has changed. */
#include <stdlib.h>
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/walk.h"

/* An op that reads or changes some content, from step lo to step hi. */
typedef struct touch {
    uint32_t content, value, lo, hi;
    const tn_op *op;
    bool writes;
} touch;

typedef struct changes {
    tn_checking *c;
    tn_order *order;
    bool *is_changed; /* by content */
    uint32_t n_changed;
    uint32_t *head, *next; /* by content and by value: the values of a changed content */
    TN_VEC(touch) touches;
    TN_VEC(touch) open;     /* of one content: those not known to come before a later write */
    TN_VEC(uint32_t) asked; /* steps */
} changes;

static void find_changed(changes *w) {
    tn_checking *c = w->c;
    TN_FOR_ALL_OPS(op, c->m->main) {
        for (uint32_t k = 0; k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            if (v != NULL && c->plan_value[v->id] != TN_NO_ID && tn_op_writes_operand(op, k)) {
                w->is_changed[tn_check_content(c, c->plan_value[v->id])] = true;
                w->n_changed++;
            }
        }
    }
}

static void add_touch(changes *w, const tn_value *v, const tn_op *op, uint32_t lo, bool writes) {
    tn_checking *c = w->c;
    uint32_t value = c->plan_value[v->id];
    uint32_t content = value != TN_NO_ID ? tn_check_content(c, value) : TN_NO_ID;
    if (content != TN_NO_ID && w->is_changed[content]) {
        tn_vec_push(c->arena, &w->touches, (touch){content, value, lo, c->end[op->id], op, writes});
    }
}

/* Uses by the ops themselves, at any depth: an op around them need not be asked. A body that gives
 * back a value of a graph outside reads it at the end. */
static void gather(changes *w) {
    tn_checking *c = w->c;
    TN_FOR_ALL_OPS(op, c->m->main) {
        for (uint32_t k = 0; k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            if (v != NULL && tn_reads_data(op, k)) {
                add_touch(w, v, op, c->begin[op->id], tn_op_writes_operand(op, k));
            }
        }
        for (uint32_t r = 0; r < op->n_regions; r++) {
            for (uint32_t k = 0; k < op->regions[r]->n_outputs; k++) {
                add_touch(w, op->regions[r]->outputs[k], op, c->end[op->id], false);
            }
        }
    }
}

static int by_content(const void *a, const void *b) {
    const touch *x = a, *y = b;
    if (x->content != y->content) {
        return x->content < y->content ? -1 : 1;
    }
    return x->lo != y->lo ? (x->lo < y->lo ? -1 : 1) : (int)x->writes - (int)y->writes;
}

/* Whether x comes before y in the model's file, where ops of a graph are numbered; true where the
 * file does not say: one lies inside the other, or in another body of the same op. */
static bool is_before(const tn_op *x, const tn_op *y) {
    while (x->graph != y->graph) {
        const tn_op **deeper = x->graph->depth >= y->graph->depth ? &x : &y;
        if ((*deeper)->graph->owner == NULL) {
            return true;
        }
        *deeper = (*deeper)->graph->owner;
    }
    return x == y || x->id < y->id;
}

/* `t` comes after `earlier` in the plan; one of the two writes. */
static void check_file_order(changes *w, const touch *earlier, const touch *t) {
    if (earlier != NULL && !is_before(earlier->op, t->op)) {
        const touch *write = t->writes ? t : earlier, *other = t->writes ? earlier : t;
        tn_check_fail(w->c,
                      "%s writes over %s by definition, and %s uses it: they come the other way "
                      "round in the model",
                      tn_check_step_name(w->c, (int32_t)write->hi),
                      tn_check_value_name(w->c, write->value),
                      tn_check_step_name(w->c, (int32_t)other->lo));
    }
}

/* A write comes after all uses before it, a read after all writes before it. What a write comes
 * after is done with, unless the two lie in different branches. */
static void check_waits(changes *w, const touch *t) {
    tn_checking *c = w->c;
    uint32_t kept = 0;
    w->asked.len = 0;
    for (uint32_t i = 0; i < w->open.len; i++) {
        const touch *u = &w->open.data[i];
        if (u->hi < t->lo && (t->writes || u->writes)) {
            tn_vec_push(c->arena, &w->asked, u->hi);
        }
        bool done = t->writes && u->hi < t->lo && !tn_check_exclusive(u->op->graph, t->op->graph);
        w->open.data[kept] = *u;
        kept += !done;
    }
    w->open.len = kept;
    uint32_t missing = tn_order_missing(w->order, t->lo, w->asked.data, w->asked.len);
    if (missing != TN_NO_ID) {
        tn_check_fail(c,
                      "%s uses %s, which %s uses too and one of them writes over, but no hazard or "
                      "data dependence orders the two",
                      tn_check_step_name(c, (int32_t)t->lo), tn_check_value_name(c, t->value),
                      tn_check_step_name(c, (int32_t)missing));
    }
    tn_vec_push(c->arena, &w->open, *t);
}

static bool overlap(const tn_checking *c, uint32_t x, uint32_t y) {
    if (!c->facts[x].placed || !c->facts[y].placed) {
        return x == y;
    }
    uint64_t a = tn_check_address(c, x), b = tn_check_address(c, y);
    return a < b + c->facts[y].bytes && b < a + c->facts[x].bytes;
}

/* Views made before the write hold the old content as far as the model goes. */
static void check_views(changes *w, const touch *t) {
    tn_checking *c = w->c;
    for (uint32_t i = w->head[t->content]; i != TN_NO_ID; i = w->next[i]) {
        const tn_fact *f = &c->facts[i];
        if (i != t->value && f->write < (int32_t)t->lo && f->need > (int32_t)t->hi &&
            overlap(c, i, t->value)) {
            tn_check_fail(c,
                          "%s writes over %s by definition, and so over %s, which %s still reads",
                          tn_check_step_name(c, (int32_t)t->lo), tn_check_value_name(c, t->value),
                          tn_check_value_name(c, i), tn_check_step_name(c, f->need));
        }
    }
}

static void list_values(changes *w) {
    tn_checking *c = w->c;
    w->head = TN_ARRAY(c->arena, uint32_t, c->p->n_values);
    w->next = TN_ARRAY(c->arena, uint32_t, c->p->n_values);
    memset(w->head, 0xff, c->p->n_values * sizeof *w->head);
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        uint32_t content = tn_check_content(c, i);
        if (w->is_changed[content]) {
            w->next[i] = w->head[content];
            w->head[content] = i;
        }
    }
}

/* The touches of one content, in order of their steps. */
static void check_content(changes *w, const touch *at, uint32_t n) {
    const touch *last = NULL, *last_write = NULL;
    w->open.len = 0;
    for (uint32_t i = 0; i < n; i++) {
        const touch *t = &at[i];
        check_file_order(w, t->writes ? last : last_write, t);
        check_waits(w, t);
        last = last == NULL || is_before(last->op, t->op) ? t : last;
        if (t->writes) {
            check_views(w, t);
            last_write = last_write == NULL || is_before(last_write->op, t->op) ? t : last_write;
        }
    }
}

void tn_check_unnamed(tn_checking *c) {
    changes w = {.c = c, .is_changed = TN_ARRAY(c->arena, bool, c->p->n_values)};
    find_changed(&w);
    if (w.n_changed == 0) {
        return;
    }
    w.order = tn_order_new(c);
    list_values(&w);
    gather(&w);
    qsort(w.touches.data, w.touches.len, sizeof *w.touches.data, by_content);
    for (uint32_t i = 0, to; i < w.touches.len; i = to) {
        for (to = i; to < w.touches.len && w.touches.data[to].content == w.touches.data[i].content;
             to++) {
        }
        check_content(&w, &w.touches.data[i], to - i);
    }
}
