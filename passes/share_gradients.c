/* Gradient sharing, as Caffe2's memonger does: a gradient whose readers are all done gives its
 * bytes to later ones. Gradients of parameters, and whatever is pinned, take no part. Memonger
 * keeps parallel branches apart with tokens; here the order of the schedule is part of the plan, so
 * live ranges that do not meet are enough.
 *
 * Which gradients share is the problem of shared objects (tn_pack_slots): an object is as large as
 * its largest member, and the sum is to be small. Of the members of an object each is an alias of
 * the one before it in time, so that any one can be given up without the others; the edge says that
 * the first bytes of both, as many as the smaller one has, are the same.
 *
 * A shared class is one storage from its first to its last member, so sharing may cost elsewhere
 * what it saves: the pass `reuse` drops what would make the arena grow. What is written in place is
 * decided before: the pass `inplace` takes back all sharing it finds. */
#include <string.h>

#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "ir/mutate.h"
#include "passes/analysis/class_order.h"
#include "passes/core/model_controls.h"
#include "passes/core/pass.h"
#include "passes/plan/conflicts.h"

enum { OPT_VALUES, OPT_SIZES, OPT_SCOPE };
static const tn_opt options[] = {
    [OPT_VALUES] = {"values", TN_OPT_ENUM, "gradients", "gradients|all",
                    "who shares: gradients, or activations as well"},
    [OPT_SIZES] = {"sizes", TN_OPT_ENUM, "any", "equal|any",
                   "of one element type and size alone, or of any"},
    [OPT_SCOPE] = {"scope", TN_OPT_TEXT, "", NULL,
                   "values whose names begin with this alone, with or without a '_' before it"},
    {0}};

enum { STAT_GRADIENTS, STAT_SHARED, STAT_BYTES };
static const tn_stat stats[] = {
    [STAT_GRADIENTS] = {"gradients", "storages that may share"},
    [STAT_SHARED] = {"shared", "of these, took the bytes of a dead one"},
    [STAT_BYTES] = {"bytes", "fewer in all objects than if each had its own, before reuse"},
    {0}};

#define NONE UINT32_MAX

typedef struct sharing {
    tn_pass_ctx *c;
    const tn_storages *s;
    const tn_liveness *live;
    const char *scope;
    bool all;
    uint64_t align;
    uint32_t *class_of;      /* by buffer, in order of the step a class begins at */
    tn_pack_buffer *buffers; /* classes that take part */
    uint32_t n;
} sharing;

static bool is_in_scope(const sharing *w, const char *name) {
    size_t n = strlen(w->scope);
    return strncmp(name, w->scope, n) == 0 ||
           (name[0] == '_' && strncmp(name + 1, w->scope, n) == 0);
}

/* The root has to be the whole class and its first member: then the edge on it tells whose bytes
 * are overwritten, and when. */
static bool may_share(const sharing *w, const tn_class *c) {
    if (c->home != TN_HOME_ARENA || c->pinned || c->size == 0 || c->first < 0 ||
        w->s->bytes[c->root] != c->size || w->live->of[c->root].first != c->first) {
        return false;
    }
    for (uint32_t i = 0; i < c->n_members; i++) {
        const tn_value *v = w->c->module->values[c->members[i]];
        if (!(w->all || (v->flags & TN_VF_BACKWARD)) ||
            (v->flags & (TN_VF_PARAM_GRAD | TN_VF_PARAM)) || v->graph != w->c->module->main ||
            !is_in_scope(w, v->name)) {
            return false;
        }
    }
    return true;
}

/* Equal for classes of one element type and size. */
static uint32_t kind_of(const sharing *w, tn_map *kinds, const tn_class *c) {
    const char *text = tn_internf(w->c->ctx, "%s %llu",
                                  tn_dtype_get(w->c->module->values[c->root]->type->dtype)->name,
                                  (unsigned long long)c->size);
    uint64_t kind;
    if (!tn_map_get(kinds, tn_str_id(text), &kind)) {
        kind = kinds->len;
        tn_map_put(kinds, tn_str_id(text), kind);
    }
    return (uint32_t)kind;
}

static bool find_buffers(sharing *w) {
    tn_sort_key *keys = tn_sort_room(w->c->scratch, w->s->n);
    for (uint32_t i = 0; i < w->s->n; i++) {
        if (may_share(w, &w->s->classes[i])) {
            keys[w->n++] = (tn_sort_key){tn_time_key(w->s->classes[i].first), i};
        }
    }
    w->class_of = TN_ARRAY(w->c->scratch, uint32_t, w->n);
    w->buffers = TN_ARRAY(w->c->scratch, tn_pack_buffer, w->n);
    tn_sort_items(keys, w->n, w->class_of);
    for (uint32_t i = 0; i < w->n; i++) {
        const tn_class *c = &w->s->classes[w->class_of[i]];
        w->buffers[i] = (tn_pack_buffer){
            .first = c->first, .last = c->last + 1, .align = 1, .fixed = TN_PACK_FREE};
        if (!tn_align_u64(c->size, w->align, &w->buffers[i].size)) {
            return false;
        }
    }
    return true;
}

/* NULL: all sizes. What is larger for some extents of open dimensions, and smaller for others,
 * would need a maximum of all of them. */
static const uint32_t *find_groups(const sharing *w) {
    uint32_t n_open;
    (void)tn_dims_ranges(w->c->module->dims, &n_open);
    if (n_open == 0 && tn_pass_is(w->c, OPT_SIZES, "any")) {
        return NULL;
    }
    tn_map kinds = tn_map_make(w->c->scratch);
    uint32_t *group = TN_ARRAY(w->c->scratch, uint32_t, w->n);
    for (uint32_t i = 0; i < w->n; i++) {
        group[i] = kind_of(w, &kinds, &w->s->classes[w->class_of[i]]);
    }
    return group;
}

/* Steps side by side: classes conflict unless one is done with before the other begins. */
static tn_status find_objects(const sharing *w, tn_slots_result *r) {
    tn_arena *arena = w->c->scratch;
    const tn_precedence *p = tn_get_precedence(w->c->analyses);
    tn_pack_options how = {.effort = 1};
    if (p->before == NULL) {
        return tn_pack_slots(arena, w->buffers, find_groups(w), w->n, &how, r);
    }
    size_t n_conflicts;
    const tn_class_order *order = tn_class_order_make(arena, p, w->live, w->s);
    const tn_conflict *conflicts = tn_conflicts_find(arena, order, w->class_of, w->n, &n_conflicts);
    return tn_pack_graph_slots(arena, w->buffers, find_groups(w), w->n, conflicts, n_conflicts,
                               &how, r);
}

static void share(const sharing *w, const tn_slots_result *r) {
    tn_module *m = w->c->module;
    uint32_t *before = TN_ARRAY(w->c->scratch, uint32_t, r->n_objects);
    memset(before, 0xff, r->n_objects * sizeof *before);
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t now = w->s->classes[w->class_of[i]].root, *giver = &before[r->object[i]];
        if (*giver != NONE) {
            tn_value_set_alias(m->values[now], TN_ALIAS_SHARE, m->values[*giver], 0);
            w->c->stats[STAT_SHARED]++;
        }
        *giver = now;
        w->c->stats[STAT_BYTES] += w->buffers[i].size;
    }
    w->c->stats[STAT_GRADIENTS] = w->n;
    w->c->stats[STAT_BYTES] -= r->total;
}

static tn_status run(tn_pass_ctx *c) {
    tn_controls want;
    tn_status status = tn_controls_complete(c->controls, c->module, c->scratch, &want);
    sharing w = {.c = c,
                 .s = tn_get_storages(c->analyses),
                 .live = tn_get_liveness(c->analyses),
                 .scope = tn_pass_text(c, OPT_SCOPE),
                 .all = tn_pass_is(c, OPT_VALUES, "all"),
                 .align = want.align};
    tn_slots_result r;
    if (status != TN_OK || !find_buffers(&w) || w.n == 0) {
        return status;
    }
    /* Sums that overflow are the layout's to report. Setting edges makes the cached classes stale
     * but leaves them in place until somebody asks. */
    if (find_objects(&w, &r) == TN_OK) {
        share(&w, &r);
    }
    return TN_OK;
}

const tn_pass_info tn_pass_share_gradients = {
    .name = "share-gradients",
    .summary = "lets gradients take the bytes of dead gradients",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .options = options,
    .stats = stats,
    .decides = TN_DECIDES_OVERWRITES,
    .run = run,
};
