#include "passes/plan/value_places.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/xmath.h"

typedef unsigned long long ull;

typedef struct reading {
    const tn_plan *p;
    tn_arena *scratch;
    const tn_place_wishes *w;
    tn_value_places *to;
    tn_loc loc;
} reading;

static const char *nearest_value(const reading *w, const char *name) {
    const char **names = TN_ARRAY(w->scratch, const char *, w->p->n_values);
    for (uint32_t i = 0; i < w->p->n_values; i++) {
        names[i] = w->p->values[i].name;
    }
    return tn_nearest(name, names, w->p->n_values);
}

/* The value with that name that has a place, or NULL after a diagnostic. */
static const tn_plan_value *find_value(const reading *w, const char *option, const char *name) {
    const tn_plan_value *v = tn_plan_find(w->p, "", name);
    if (v == NULL) {
        const char *near = nearest_value(w, name);
        (void)tn_usage(w->p->ctx, &w->loc, "%s: there is no value '%s'%s%s%s", option, name,
                       near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'?" : "");
    } else if (v->storage == TN_NO_ID) {
        (void)tn_usage(w->p->ctx, &w->loc, "%s: value '%s' has no place: %s", option, name,
                       v->why != NULL ? v->why : "it is not planned");
        v = NULL;
    }
    return v;
}

static const char *root_name(const reading *w, uint32_t storage) {
    return w->p->values[w->p->storages[storage].root].name;
}

static tn_status find_pool(const reading *w, const tn_place_wish *fix, uint32_t *pool) {
    const char **names = TN_ARRAY(w->scratch, const char *, w->p->n_pools);
    for (*pool = 0; *pool < w->p->n_pools; ++*pool) {
        names[*pool] = w->p->pools[*pool].name;
        if (strcmp(names[*pool], fix->pool) == 0) {
            return TN_OK;
        }
    }
    const char *near = tn_nearest(fix->pool, names, w->p->n_pools);
    return tn_usage(w->p->ctx, &w->loc, "--fix: there is no pool '%s' for '%s'%s%s%s", fix->pool,
                    fix->value, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
}

static tn_status fix_one(reading *w, const tn_place_wish *fix) {
    static const char *const holds[] = {[TN_POOL_ARENA] = "what is computed",
                                        [TN_POOL_IO] = "inputs, outputs and state",
                                        [TN_POOL_CONST] = "constants",
                                        [TN_POOL_STATE] = "state"};
    uint32_t pool;
    const tn_plan_value *v = find_value(w, "--fix", fix->value);
    if (v == NULL || find_pool(w, fix, &pool) != TN_OK) {
        return TN_USAGE;
    }
    tn_ctx *ctx = w->p->ctx;
    const tn_storage *s = &w->p->storages[v->storage];
    const tn_pool *to = &w->p->pools[pool];
    if (w->p->pools[s->pool].kind != to->kind) {
        return tn_usage(ctx, &w->loc, "--fix: pool '%s' holds %s, and '%s' is none of these",
                        to->name, holds[to->kind], fix->value);
    }
    if (fix->offset < v->offset) {
        return tn_usage(ctx, &w->loc,
                        "--fix: '%s' lies %llu bytes behind the begin of what it shares with '%s', "
                        "so it cannot begin at byte %llu",
                        fix->value, (ull)v->offset, root_name(w, s->id), (ull)fix->offset);
    }
    uint64_t offset = fix->offset - v->offset;
    if (offset % to->align != 0 || offset % w->to->align[s->id] != 0) {
        return tn_usage(ctx, &w->loc,
                        "--fix: byte %llu of pool '%s' for '%s' breaks the alignment of %llu",
                        (ull)fix->offset, to->name, fix->value,
                        (ull)(offset % to->align != 0 ? to->align : w->to->align[s->id]));
    }
    if (w->to->fixed[s->id] != TN_PACK_FREE &&
        (w->to->fixed[s->id] != offset || w->to->must[s->id] != pool)) {
        return tn_usage(ctx, &w->loc,
                        "--fix: '%s' shares bytes with another value that is fixed elsewhere, at "
                        "byte %llu of pool '%s'",
                        fix->value, (ull)w->to->fixed[s->id], w->p->pools[w->to->must[s->id]].name);
    }
    if (to->capacity != 0 && (s->size > to->capacity || offset > to->capacity - s->size)) {
        return tn_error_of(ctx, TN_NOFIT, &w->loc,
                           "--fix: '%s' ends behind the capacity of pool '%s' (%llu bytes)",
                           fix->value, to->name, (ull)to->capacity);
    }
    w->to->fixed[s->id] = offset;
    w->to->must[s->id] = pool;
    return TN_OK;
}

static tn_status align_one(reading *w, const tn_align_wish *wish) {
    const tn_plan_value *v = find_value(w, "--align-value", wish->value);
    if (v == NULL) {
        return TN_USAGE;
    }
    if (v->offset % wish->align != 0) {
        return tn_usage(w->p->ctx, &w->loc,
                        "--align-value: '%s' lies %llu bytes inside of the bytes of '%s', which is "
                        "not a multiple of %llu; --exclude=%s gives it bytes of its own",
                        wish->value, (ull)v->offset, root_name(w, v->storage), (ull)wish->align,
                        wish->value);
    }
    uint64_t *align = &w->to->align[v->storage];
    *align = wish->align > *align ? wish->align : *align;
    return TN_OK;
}

static bool meet(const tn_storage *a, const tn_storage *b) {
    return a->size > 0 && b->size > 0 &&
           (a->pinned || b->pinned || (a->first <= b->last && b->first <= a->last));
}

/* No two that are fixed are in each other's way. */
static tn_status check_fixes(const reading *w) {
    const tn_plan *p = w->p;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        for (uint32_t k = 0; k < i && w->to->fixed[i] != TN_PACK_FREE; k++) {
            const tn_storage *a = &p->storages[i], *b = &p->storages[k];
            if (w->to->fixed[k] != TN_PACK_FREE && w->to->must[i] == w->to->must[k] && meet(a, b) &&
                w->to->fixed[i] < w->to->fixed[k] + b->size &&
                w->to->fixed[k] < w->to->fixed[i] + a->size) {
                return tn_usage(p->ctx, &w->loc,
                                "--fix: '%s' and '%s' are alive at the same time, and would share "
                                "bytes of pool '%s'",
                                root_name(w, i), root_name(w, k), p->pools[w->to->must[i]].name);
            }
        }
    }
    return TN_OK;
}

tn_status tn_value_places_read(const tn_build *b, tn_value_places *to) {
    reading all = {b->p, b->scratch, &b->want.places, to, tn_loc_file(b->m->file)}, *w = &all;
    uint32_t n = w->p->n_storages;
    tn_status status = TN_OK;
    w->to->must = TN_ARRAY(w->scratch, uint32_t, n);
    w->to->fixed = TN_ARRAY(w->scratch, uint64_t, n);
    w->to->align = TN_ARRAY(w->scratch, uint64_t, n);
    for (uint32_t i = 0; i < n; i++) {
        w->to->must[i] = TN_NO_ID;
        w->to->fixed[i] = TN_PACK_FREE;
        w->to->align[i] = 1;
    }
    for (uint32_t i = 0; i < w->w->n_aligns && status == TN_OK; i++) {
        status = align_one(w, &w->w->aligns[i]);
    }
    for (uint32_t i = 0; i < w->w->n_fixes && status == TN_OK; i++) {
        status = fix_one(w, &w->w->fixes[i]);
    }
    return status == TN_OK ? check_fixes(w) : status;
}
