/* A few ops as one kernel: what they hand to one another needs no bytes then. What is proposed is a
 * group of --op-facts, and planned as such. */
#include <string.h>

#include "ir/base/sort.h"
#include "ir/ops/op_set.h"
#include "ir/plan/plan_names.h"
#include "ir/walk.h"
#include "lib/advice/advice_t.h"

enum { MOST_OPS = 4, MOST_TRIALS = 12, MOST_NAMED = 2, PARTS = 100 };

/* Types of ops that follow one another, each the only reader of the one before. */
typedef struct chain {
    const tn_op *ops[MOST_OPS];
    uint32_t n;
    uint64_t bytes; /* largest value within that has bytes in the arena */
    bool at_peak;   /* one is alive at the peak */
} chain;

typedef struct fusing {
    tn_advice_scene *s;
    TN_VEC(chain) chains; /* no two of the same types */
} fusing;

/* Where one op of a kernel does the work, the others do something to each element before or behind
 * it. */
static bool works(const tn_op *op) {
    return op->info->flops != TN_FLOPS_ELEMENTS || (op->info->traits & TN_T_IMAGES) != 0;
}

static bool is_for_each(const tn_op *op) {
    return (op->info->traits & TN_T_ELEMENTWISE) != 0;
}

static bool may_join(const tn_op *op) {
    const uint32_t never =
        TN_T_RANDOM | TN_T_SIDE_EFFECT | TN_T_CONSTANT | TN_T_LOSS | TN_T_UPDATE | TN_T_BACKWARD;
    return op->code != TN_OP_EXTERN && op->n_regions == 0 && (op->info->traits & never) == 0 &&
           (works(op) || is_for_each(op));
}

static const tn_op *only_reader(const tn_op *op) {
    const tn_value *v = tn_result(op, 0);
    bool one = v != NULL && v->n_uses == 1 && (v->flags & TN_VF_OUTPUT) == 0;
    const tn_op *reader = one ? v->first_use->op : NULL;
    return reader != NULL && reader->graph == op->graph ? reader : NULL;
}

static bool same_types(const chain *a, const chain *b) {
    bool same = a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++) {
        same = strcmp(a->ops[i]->type, b->ops[i]->type) == 0 &&
               strcmp(a->ops[i]->domain, b->ops[i]->domain) == 0;
    }
    return same;
}

static void keep(fusing *w, const chain *c) {
    for (uint32_t i = 0; i < w->chains.len; i++) {
        chain *known = &w->chains.data[i];
        if (same_types(known, c)) {
            known->bytes = c->bytes > known->bytes ? c->bytes : known->bytes;
            known->at_peak = known->at_peak || c->at_peak;
            return;
        }
    }
    tn_vec_push(w->s->arena, &w->chains, *c);
}

/* What the last op of the chain would hand to the next one. */
static void weigh(const fusing *w, chain *c) {
    const tn_value *v = tn_result(c->ops[c->n - 1], 0);
    uint64_t bytes = tn_advice_arena_bytes(w->s, v->id);
    const tn_plan_value *placed = tn_advice_value(w->s, v->id);
    int32_t peak = w->s->plan->report.peak_step;
    c->bytes = bytes > c->bytes ? bytes : c->bytes;
    c->at_peak = c->at_peak || (bytes > 0 && placed->first <= peak && peak <= placed->last);
}

static void follow(fusing *w, const tn_op *op) {
    chain c = {.ops = {op}, .n = 1};
    uint32_t n_working = works(op);
    while (c.n < MOST_OPS) {
        const tn_op *next = only_reader(c.ops[c.n - 1]);
        n_working += next != NULL && works(next) && !is_for_each(next);
        if (next == NULL || !may_join(next) || n_working > 1) {
            return;
        }
        weigh(w, &c);
        c.ops[c.n++] = next;
        if (c.bytes > 0 && c.bytes >= w->s->now.arena / PARTS) {
            keep(w, &c);
        }
    }
}

/* What is alive at the peak first, then what is large, then what is short. */
static int most_promising_first(const void *a, const void *b) {
    const chain *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(y->at_peak, x->at_peak), TN_COMPARE(y->bytes, x->bytes),
                       TN_COMPARE(x->n, y->n), TN_COMPARE(x->ops[0]->id, y->ops[0]->id));
}

/* ---- planning with a group ---- */

static const char *type_text(tn_arena *arena, const tn_op *op) {
    return op->domain[0] == '\0' ? op->type
                                 : tn_arena_printf(arena, "%s::%s", op->domain, op->type);
}

static const char *joined(tn_arena *arena, const chain *c, const char *between) {
    tn_sink text = tn_sink_make(arena);
    for (uint32_t i = 0; i < c->n; i++) {
        tn_putf(&text, "%s%s", i > 0 ? between : "", c->ops[i]->type);
    }
    return text.data;
}

/* The facts there are, and one group more. */
static bool add_group(tn_module *m, void *user) {
    const tn_fusion *more = user;
    const tn_op_set *old = m->op_set;
    uint32_t n = old != NULL ? old->n_fusions : 0;
    tn_fusion *fusions = TN_ARRAY(m->arena, tn_fusion, n + 1u);
    tn_op_set *set = TN_NEW(m->arena, tn_op_set);
    *set = old != NULL ? *old : (tn_op_set){0};
    for (uint32_t i = 0; i < n; i++) {
        fusions[i] = old->fusions[i];
    }
    fusions[n] = *more;
    set->fusions = fusions;
    set->n_fusions = n + 1;
    set->arena = m->arena;
    set->rows.cap = set->rows.len; /* what is added goes to a list of its own */
    m->op_set = set;
    return true;
}

static const char *group_text(tn_arena *arena, const tn_fusion *f) {
    tn_sink text = tn_sink_make(arena);
    tn_put(&text, "{\"op\": ");
    tn_put_quoted(&text, f->name);
    tn_put(&text, ", \"domain\": ");
    tn_put_quoted(&text, f->domain);
    tn_put(&text, ", \"chain\": [");
    for (uint32_t i = 0; i < f->n_chain; i++) {
        tn_put(&text, i > 0 ? ", " : "");
        tn_put_quoted(&text, f->chain[i]);
    }
    tn_put(&text, "]}");
    return text.data;
}

static void try_chain(fusing *w, const chain *c, tn_advice_list *found) {
    tn_arena *arena = w->s->arena;
    const char **types = TN_ARRAY(arena, const char *, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        types[i] = type_text(arena, c->ops[i]);
    }
    tn_fusion f = {.domain = "fused",
                   .name = joined(arena, c, ""),
                   .chain = types,
                   .n_chain = c->n,
                   .where = "advice"};
    tn_advice a = {.kind = TN_ADVICE_FUSION};
    if (tn_try_edit(w->s->trials, NULL, add_group, &f, &a.outcome) &&
        tn_advice_is_worth(w->s, &a.outcome)) {
        a.group = group_text(arena, &f);
        a.what = tn_arena_printf(arena, "%s as one op", joined(arena, c, "+"));
        a.asks = tn_arena_printf(arena, "such a kernel, and the group of --op-facts %s", a.group);
        tn_vec_push(arena, found, a);
    }
}

/* Longer chains are worth a word only where they give more. */
static int fewest_bytes_first(const void *a, const void *b) {
    const tn_advice *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->outcome.ram, y->outcome.ram),
                       TN_COMPARE(strlen(x->what), strlen(y->what)), strcmp(x->what, y->what));
}

static void name_best(fusing *w, tn_advice_list *found, tn_advice_list *list) {
    uint32_t named = 0;
    uint64_t last = 0;
    TN_SORT(found->data, found->len, fewest_bytes_first);
    for (uint32_t i = 0; i < found->len && named < MOST_NAMED; i++) {
        if (named == 0 || found->data[i].outcome.ram != last) {
            tn_vec_push(w->s->arena, list, found->data[i]);
            last = found->data[i].outcome.ram;
            named++;
        }
    }
}

void tn_advise_fusions(tn_advice_scene *s, tn_advice_list *list) {
    fusing w = {.s = s};
    tn_advice_list found = {0};
    const tn_module *m = tn_trials_typed(s->trials);
    if (m == NULL) {
        return;
    }
    TN_FOR_ALL_OPS(op, m->main) {
        if (may_join(op)) {
            follow(&w, op);
        }
    }
    TN_SORT(w.chains.data, w.chains.len, most_promising_first);
    for (uint32_t i = 0; i < w.chains.len && i < MOST_TRIALS; i++) {
        try_chain(&w, &w.chains.data[i], &found);
    }
    name_best(&w, &found, list);
}
