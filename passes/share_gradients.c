/* Gradient sharing, as Caffe2's memonger does: a gradient whose readers are all done gives its
 * bytes to a later gradient of the same element type and size. Gradients of parameters, and
 * whatever is pinned, take no part. Memonger keeps parallel branches apart with tokens; here the
 * order of the schedule is part of the plan, so live ranges that do not meet are enough.
 *
 * A shared class is one storage from its first to its last member, so sharing over long pauses may
 * cost elsewhere what it saves. The one that died last gives first, which keeps pauses short; and
 * the pass `reuse` drops what would make the arena grow. What is written in place is decided
 * before: the pass `inplace` takes back all sharing it finds. */
#include <string.h>

#include "ir/mutate.h"
#include "passes/analysis/class_order.h"
#include "passes/core/pass.h"

enum { STAT_GRADIENTS, STAT_SHARED, STAT_BYTES };
static const tn_stat stats[] = {
    [STAT_GRADIENTS] = {"gradients", "storages of gradients that may share"},
    [STAT_SHARED] = {"shared", "gradients that took the bytes of a dead one"},
    [STAT_BYTES] = {"bytes", "bytes so taken"},
    {0}};

#define NONE UINT32_MAX

/* Classes by number. Each sharer is an alias of the class it writes over, so that any one of a
 * chain can be given up without the others. */
typedef struct sharing {
    tn_pass_ctx *c;
    const tn_storages *s;
    const tn_liveness *live;
    uint32_t *kind;  /* equal for classes of one element type and size; NONE: takes no part */
    uint32_t *free;  /* by kind: the free class that died last, NONE when there is none */
    uint32_t *below; /* by class: the next in that stack, or in the list of those dying */
    uint32_t *dying; /* by step: classes whose last step it is */
    const tn_class_order *order; /* where steps run side by side, else NULL */
} sharing;

/* The root has to be the whole class and its first member: then the edge on it tells whose bytes
 * are overwritten, and when. */
static bool may_share(const sharing *w, const tn_class *c) {
    if (c->home != TN_HOME_ARENA || c->pinned || c->size == 0 || c->first < 0 ||
        w->s->bytes[c->root] != c->size || w->live->of[c->root].first != c->first) {
        return false;
    }
    for (uint32_t i = 0; i < c->n_members; i++) {
        uint32_t flags = w->c->module->values[c->members[i]]->flags;
        if (!(flags & TN_VF_BACKWARD) || (flags & (TN_VF_PARAM_GRAD | TN_VF_PARAM)) ||
            w->c->module->values[c->members[i]]->graph != w->c->module->main) {
            return false;
        }
    }
    return true;
}

static void find_kinds(sharing *w) {
    tn_map kinds = tn_map_make(w->c->scratch);
    for (uint32_t i = 0; i < w->s->n; i++) {
        const tn_class *c = &w->s->classes[i];
        w->kind[i] = NONE;
        if (!may_share(w, c)) {
            continue;
        }
        const char *text = tn_internf(
            w->c->ctx, "%s %llu", tn_dtype_get(w->c->module->values[c->root]->type->dtype)->name,
            (unsigned long long)c->size);
        uint64_t kind;
        if (!tn_map_get(&kinds, tn_str_id(text), &kind)) {
            kind = kinds.len;
            tn_map_put(&kinds, tn_str_id(text), kind);
        }
        w->kind[i] = (uint32_t)kind;
        w->c->stats[STAT_GRADIENTS]++;
    }
}

/* Classes that die before `step` become free, the ones that died last on top. */
static void release(sharing *w, uint32_t from, uint32_t step) {
    for (uint32_t s = from; s < step; s++) {
        for (uint32_t i = w->dying[s]; i != NONE;) {
            uint32_t next = w->below[i];
            w->below[i] = w->free[w->kind[i]];
            w->free[w->kind[i]] = i;
            i = next;
        }
    }
}

/* The last of those free, where steps run side by side the last that is done with by then. */
static uint32_t *find_giver(sharing *w, uint32_t i) {
    uint32_t *at = &w->free[w->kind[i]];
    while (*at != NONE && w->order != NULL && !tn_class_precedes(w->order, *at, i)) {
        at = &w->below[*at];
    }
    return at;
}

static void share_one(sharing *w, uint32_t i) {
    const tn_class *c = &w->s->classes[i];
    uint32_t *at = find_giver(w, i), giver = *at;
    if (giver != NONE) {
        *at = w->below[giver];
        tn_module *m = w->c->module;
        tn_value_set_alias(m->values[c->root], TN_ALIAS_SHARE, m->values[w->s->classes[giver].root],
                           0);
        w->c->stats[STAT_SHARED]++;
        w->c->stats[STAT_BYTES] += c->size;
    }
    w->below[i] = w->dying[c->last];
    w->dying[c->last] = i;
}

/* Classes that take part, by the step they begin at. */
static uint32_t by_first(const sharing *w, uint32_t n_steps, uint32_t *order) {
    uint32_t *at = TN_ARRAY(w->c->scratch, uint32_t, n_steps + 1u), n = 0;
    for (uint32_t i = 0; i < w->s->n; i++) {
        if (w->kind[i] != NONE) {
            at[w->s->classes[i].first + 1]++;
            n++;
        }
    }
    for (uint32_t s = 0; s < n_steps; s++) {
        at[s + 1] += at[s];
    }
    for (uint32_t i = 0; i < w->s->n; i++) {
        if (w->kind[i] != NONE) {
            order[at[w->s->classes[i].first]++] = i;
        }
    }
    return n;
}

static void share(sharing *w) {
    uint32_t n_steps = w->live->steps->n, done = 0;
    uint32_t *order = TN_ARRAY(w->c->scratch, uint32_t, w->s->n);
    uint32_t n = by_first(w, n_steps, order);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t first = (uint32_t)w->s->classes[order[k]].first;
        release(w, done, first);
        done = first;
        share_one(w, order[k]);
    }
}

static uint32_t *none_array(tn_arena *arena, size_t n) {
    uint32_t *a = TN_ARRAY(arena, uint32_t, n);
    memset(a, 0xff, n * sizeof *a);
    return a;
}

static tn_status run(tn_pass_ctx *c) {
    const tn_storages *s = tn_get_storages(c->analyses);
    sharing w = {.c = c, .s = s, .live = tn_get_liveness(c->analyses)};
    w.kind = none_array(c->scratch, s->n);
    w.free = none_array(c->scratch, s->n);
    w.below = none_array(c->scratch, s->n);
    w.dying = none_array(c->scratch, w.live->steps->n + 1u);
    const tn_precedence *p = tn_get_precedence(c->analyses);
    w.order = p->before != NULL ? tn_class_order_make(c->scratch, p, w.live, s) : NULL;
    find_kinds(&w);
    /* Setting edges makes the cached classes stale but leaves them in place until somebody asks. */
    share(&w);
    return TN_OK;
}

const tn_pass_info tn_pass_share_gradients = {
    .name = "share-gradients",
    .summary = "lets gradients take the bytes of dead gradients of the same type and size",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .stats = stats,
    .decides = TN_DECIDES_OVERWRITES,
    .run = run,
};
