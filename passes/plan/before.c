#include "passes/plan/before.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/sort.h"
#include "ir/plan/plan_match.h"

typedef unsigned long long ull;

/* A value's word on where its storage lay. */
typedef struct vote {
    uint32_t storage;
    uint32_t pool;
    uint64_t offset;
} vote;

static int compare(const void *a, const void *b) {
    const vote *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->storage, y->storage), TN_COMPARE(x->pool, y->pool),
                       TN_COMPARE(x->offset, y->offset));
}

static uint32_t count_of_kind(const tn_plan *p, tn_pool_kind kind) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        n += p->pools[i].kind == kind;
    }
    return n;
}

uint32_t tn_before_pool(const tn_build *b, uint32_t old) {
    const tn_pool *was = &b->before->old->pools[old];
    uint32_t only = TN_NO_ID;
    for (uint32_t i = 0; i < b->p->n_pools; i++) {
        const tn_pool *pool = &b->p->pools[i];
        if (pool->kind == was->kind && strcmp(pool->name, was->name) == 0) {
            return i;
        }
        only = pool->kind == was->kind ? i : only;
    }
    return count_of_kind(b->p, was->kind) == 1 && count_of_kind(b->before->old, was->kind) == 1
               ? only
               : TN_NO_ID;
}

uint64_t tn_with_slack(const tn_build *b, uint64_t bytes) {
    double more = b->want.places.slack * (double)bytes, room = (double)(INT64_MAX / 2);
    return more < room && bytes < INT64_MAX / 2 ? bytes + (uint64_t)more : INT64_MAX;
}

/* The place of each storage that most of its values had; of equals the lowest. */
static const tn_before_place *elect(const tn_build *b, vote *votes, uint32_t n) {
    tn_before_place *place = TN_ARRAY(b->scratch, tn_before_place, b->p->n_storages);
    for (uint32_t i = 0; i < b->p->n_storages; i++) {
        place[i].pool = TN_NO_ID;
    }
    TN_SORT(votes, n, compare);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && compare(&votes[i], &votes[end]) == 0; end++) {
        }
        tn_before_place *at = &place[votes[i].storage];
        if (end - i > at->n) {
            *at = (tn_before_place){votes[i].pool, votes[i].offset, end - i, at->n};
        } else if (end - i > at->second) {
            at->second = end - i;
        }
    }
    return place;
}

static uint32_t count_placed(const tn_plan *p) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_values; i++) {
        n += p->values[i].storage != TN_NO_ID;
    }
    return n;
}

static tn_status demand_plain(const tn_build *b) {
    tn_loc loc = tn_loc_file(b->m->file);
    const char *why = b->p->concurrency != TN_SERIAL
                          ? "for steps that run one after another (--concurrency=serial, without "
                            "--queues)"
                      : b->layout->slot != NULL ? "for offsets: leave --memory=slots out"
                      : b->equal_types          ? "for reuse of any bytes (level=1, -O2 and above)"
                                                : NULL;
    if (b->p->n_ranges > 0) {
        return tn_usage(b->ctx, &loc,
                        "--based-on needs sizes that are numbers, and '%s' stays open: bind it "
                        "with --dim",
                        b->p->ranges[0].name);
    }
    return why == NULL ? TN_OK : tn_usage(b->ctx, &loc, "--based-on is %s", why);
}

/* Two states of one model have most values in common. */
static tn_status demand_kin(const tn_build *b) {
    uint32_t n = count_placed(b->p), n_old = count_placed(b->before->old);
    tn_loc loc = tn_loc_file(b->m->file);
    if (2 * (uint64_t)b->before->n_matched >= (n < n_old ? n : n_old)) {
        return TN_OK;
    }
    return tn_error(b->ctx, &loc,
                    "--based-on: the earlier plan is of another model: of %u values with a place "
                    "here and %u there only %u are the same, by name or by structure",
                    n, n_old, b->before->n_matched);
}

tn_status tn_build_before(tn_build *b) {
    const tn_plan *p = b->p, *old = b->want.places.based_on;
    if (old == NULL) {
        return TN_OK;
    }
    tn_status status = demand_plain(b);
    if (status != TN_OK) {
        return status;
    }
    tn_before *before = TN_NEW(b->scratch, tn_before);
    const uint32_t *of = tn_plan_match(b->scratch, p, old);
    vote *votes = TN_ARRAY(b->scratch, vote, p->n_values);
    uint32_t n = 0;
    *before = (tn_before){.old = old, .of = of};
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        const tn_plan_value *was = of[i] != TN_NO_ID ? &old->values[of[i]] : NULL;
        if (v->storage == TN_NO_ID || was == NULL || was->storage == TN_NO_ID) {
            continue;
        }
        before->n_matched++;
        if (tn_plan_address(old, was) >= v->offset) {
            votes[n++] = (vote){v->storage, old->storages[was->storage].pool,
                                tn_plan_address(old, was) - v->offset};
        }
    }
    before->place = elect(b, votes, n);
    b->before = before;
    return demand_kin(b);
}
