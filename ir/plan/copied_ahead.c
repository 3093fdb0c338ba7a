#include "ir/plan/copied_ahead.h"

#include <string.h>

#include "ir/plan/plan_names.h"

bool tn_pool_is_hosts(const tn_pool *pool) {
    return pool->section != NULL && strcmp(pool->section, "host") == 0;
}

bool tn_pool_goes_ahead(const tn_pool *pool) {
    return pool->copied && tn_pool_is_hosts(pool);
}

uint64_t tn_ahead_room(const tn_storage *s) {
    return (s->size + TN_AHEAD_APART - 1) / TN_AHEAD_APART * TN_AHEAD_APART;
}

uint32_t tn_ahead_end(const tn_plan *p, uint32_t i) {
    return p->steps[i].kind == TN_STEP_BEGIN ? p->steps[i].partner + 1 : i + 1;
}

typedef struct visiting {
    const tn_plan *p;
    tn_ahead_with with;
    void *user;
} visiting;

static void visit(const visiting *v, uint32_t value, bool written) {
    uint32_t storage = value != TN_NO_ID ? v->p->values[value].storage : TN_NO_ID;
    const tn_storage *s = storage != TN_NO_ID ? &v->p->storages[storage] : NULL;
    if (s != NULL && s->size > 0 && tn_pool_goes_ahead(&v->p->pools[s->pool])) {
        v->with(v->user, s, written && v->p->pools[s->pool].kind != TN_POOL_CONST);
    }
}

static void visit_all(const visiting *v, tn_ids values, bool written) {
    for (uint32_t i = 0; i < values.len; i++) {
        visit(v, values.data[i], written);
    }
}

/* What the host copies between a body and its op, and what kernels write without a result's name.
 */
static void visit_unnamed(const visiting *v, const tn_plan_step *s) {
    for (uint32_t i = 0; i < s->n_moves; i++) {
        visit(v, s->moves[i].from, false);
        visit(v, s->moves[i].to, true);
    }
    for (uint32_t i = 0; i < s->n_bodies; i++) {
        visit_all(v, s->bodies[i].inputs, false);
        visit_all(v, s->bodies[i].outputs, false);
    }
    for (uint32_t i = 0; i < s->n_claims; i++) {
        if (s->claims[i].result == TN_NO_ID) {
            visit(v, s->operands.data[s->claims[i].operand], true);
        }
    }
}

void tn_ahead_visit(const tn_plan *p, uint32_t first, uint32_t end, tn_ahead_with with,
                    void *user) {
    visiting v = {p, with, user};
    for (uint32_t i = first; i < end; i++) {
        const tn_plan_step *s = &p->steps[i];
        if (s->kind != TN_STEP_OP || !s->idle) {
            visit_all(&v, s->reads, false);
            visit_all(&v, s->writes, true);
            visit_unnamed(&v, s);
        }
    }
}

typedef struct counting {
    const bool *left_out;
    uint32_t *mark; /* by storage: where it was last counted */
    uint32_t now;
    uint64_t bytes;
} counting;

static void count(void *user, const tn_storage *s, bool written) {
    counting *c = user;
    (void)written;
    if ((c->left_out == NULL || !c->left_out[s->id]) && c->mark[s->id] != c->now) {
        c->mark[s->id] = c->now;
        c->bytes += tn_ahead_room(s);
    }
}

uint64_t tn_ahead_least(tn_arena *arena, const tn_plan *p, const bool *left_out, uint32_t *at) {
    counting c = {.left_out = left_out, .mark = TN_ARRAY(arena, uint32_t, p->n_storages + 1u)};
    uint64_t most = 0, before = 0;
    for (uint32_t i = 0; i < p->n_steps; i = tn_ahead_end(p, i)) {
        c.now = i + 1;
        c.bytes = 0;
        tn_ahead_visit(p, i, tn_ahead_end(p, i), count, &c);
        if (before + c.bytes > most) {
            most = before + c.bytes;
            *at = i;
        }
        before = c.bytes > 0 ? c.bytes : before;
    }
    return most;
}

bool tn_ahead_put(const tn_plan *p, tn_sink *out) {
    uint64_t bytes = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        bytes += tn_pool_goes_ahead(&p->pools[i]) ? p->pools[i].size : 0;
    }
    if (bytes == 0) {
        return false;
    }
    tn_put_bytes(out, tn_ahead_least(out->arena, p, NULL, &at));
    tn_put(out, " on the device will do for ");
    tn_put_bytes(out, bytes);
    tn_put(out, " that OpenCL copies ahead of use");
    return true;
}
