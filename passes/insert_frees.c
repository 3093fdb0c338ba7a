/* Release points: after which step the bytes of a storage are nobody's any more. */
#include "passes/core/pass.h"

enum { STAT_FREES };
static const tn_stat stats[] = {[STAT_FREES] = {"frees", "storages freed before the end"}, {0}};

/* Pinned storages, and those that live past the last step, end before the first, or end with a
 * result in some of their bytes, are never freed. */
static bool is_freed(const tn_plan *p, const bool *overlapped, const tn_storage *s) {
    return !overlapped[s->id] && p->pools[s->pool].kind == TN_POOL_ARENA && !s->pinned &&
           s->last >= 0 && (uint32_t)s->last < p->n_steps;
}

typedef struct users {
    tn_plan *p;
    const bool *is_read;    /* by plan value */
    const bool *overlapped; /* by storage */
    uint32_t *start, *at;   /* by storage, one more at the end: its part of `steps` */
    uint32_t *steps;        /* NULL while counting */
} users;

/* What an op with bodies reads it needs until its end, unless it was done with it before. */
static uint32_t finished(const tn_plan *p, uint32_t step, int32_t last) {
    const tn_plan_step *s = &p->steps[step];
    bool whole = s->kind == TN_STEP_BEGIN && (int32_t)s->partner <= last;
    return whole ? s->partner : step;
}

static void add_users(users *u, uint32_t step, tn_ids values, bool reads) {
    for (uint32_t i = 0; i < values.len; i++) {
        uint32_t storage = u->p->values[values.data[i]].storage;
        if (storage == TN_NO_ID || (!reads && u->is_read[values.data[i]])) {
            continue;
        }
        const tn_storage *s = &u->p->storages[storage];
        uint32_t user = finished(u->p, step, s->last), *at = &u->at[storage];
        if (!is_freed(u->p, u->overlapped, s) || user == (uint32_t)s->last) {
            continue;
        }
        if (u->steps == NULL) {
            u->start[storage + 1]++;
        } else if (*at == u->start[storage] || u->steps[*at - 1] != user) {
            u->steps[(*at)++] = user;
        }
    }
}

static void add_all_users(users *u) {
    for (uint32_t i = 0; i < u->p->n_steps; i++) {
        add_users(u, i, u->p->steps[i].reads, true);
        add_users(u, i, u->p->steps[i].writes, false);
    }
}

/* For each storage the steps that use it last, but for the one that frees it: whoever reads a value
 * of it, and whoever writes one that nobody reads. Writers of values that are read come before
 * their readers. */
static users find_users(tn_plan *p, tn_arena *scratch) {
    bool *is_read = TN_ARRAY(scratch, bool, p->n_values);
    for (uint32_t i = 0; i < p->n_steps; i++) {
        for (uint32_t k = 0; k < p->steps[i].reads.len; k++) {
            is_read[p->steps[i].reads.data[k]] = true;
        }
    }
    users u = {.p = p,
               .is_read = is_read,
               .overlapped = tn_plan_overlapped(scratch, p),
               .start = TN_ARRAY(scratch, uint32_t, p->n_storages + 1u),
               .at = TN_ARRAY(scratch, uint32_t, p->n_storages + 1u)};
    add_all_users(&u);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        u.start[i + 1] += u.start[i];
        u.at[i] = u.start[i];
    }
    u.steps = TN_ARRAY(p->arena, uint32_t, u.start[p->n_storages]);
    add_all_users(&u);
    return u;
}

static tn_status run(tn_pass_ctx *c) {
    tn_plan *p = *c->plan;
    users u = find_users(p, c->scratch);
    uint32_t *at = TN_ARRAY(c->scratch, uint32_t, p->n_steps + 2u), n = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (is_freed(p, u.overlapped, &p->storages[i])) {
            at[p->storages[i].last + 2]++;
            n++;
        }
    }
    for (uint32_t s = 0; s < p->n_steps; s++) {
        at[s + 2] += at[s + 1];
    }
    uint32_t *ids = TN_ARRAY(p->arena, uint32_t, n);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (is_freed(p, u.overlapped, &p->storages[i])) {
            ids[at[p->storages[i].last + 1]++] = i;
        }
    }
    tn_ids *after = TN_ARRAY(p->arena, tn_ids, n);
    for (uint32_t i = 0; i < n; i++) {
        after[i] = (tn_ids){u.steps + u.start[ids[i]], u.at[ids[i]] - u.start[ids[i]]};
    }
    for (uint32_t s = 0; s < p->n_steps; s++) {
        p->steps[s].frees = (tn_ids){ids + at[s], at[s + 1] - at[s]};
        p->steps[s].after = after + at[s];
    }
    c->stats[STAT_FREES] = n;
    return TN_OK;
}

const tn_pass_info tn_pass_insert_frees = {
    .name = "insert-frees",
    .summary = "says after which step each storage is free",
    .needs = TN_PROP_PLANNED,
    .stats = stats,
    .required = true,
    .run = run,
};
