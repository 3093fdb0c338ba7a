#include "ir/plan/plan_match.h"

#include <string.h>

#include "ir/base/map.h"

/* Values of nested graphs may have the names of others, so the path counts. */
static uint64_t name_key(tn_ctx *ctx, const tn_plan_value *v) {
    uint64_t graph = tn_str_id(tn_intern(ctx, v->graph));
    return graph << 32 | tn_str_id(tn_intern(ctx, v->name));
}

/* Of several values of one name, the first is matched with the first, and so on. */
uint32_t *tn_plan_match_names(tn_arena *arena, const tn_plan *p, const tn_plan *in) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    tn_map at = tn_map_make(arena);
    uint32_t *found = TN_ARRAY(arena, uint32_t, p->n_values);
    uint32_t *next = TN_ARRAY(arena, uint32_t, in->n_values); /* the next one of the name */
    for (uint32_t i = in->n_values; i-- > 0;) {
        uint64_t key = name_key(ctx, &in->values[i]);
        next[i] = (uint32_t)tn_map_or(&at, key, TN_NO_ID);
        tn_map_put(&at, key, i);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        uint64_t key = name_key(ctx, &p->values[i]);
        found[i] = (uint32_t)tn_map_or(&at, key, TN_NO_ID);
        if (found[i] != TN_NO_ID) {
            tn_map_put(&at, key, next[found[i]]);
        }
    }
    return found;
}

/* ---- by structure ---- */

typedef struct matching {
    const tn_plan *p, *in;
    uint32_t *of; /* by value of p */
    bool *named;  /* by value of p, and of `in`: matched by its name */
    bool *named_in;
    bool *taken;    /* by value of `in` */
    uint32_t *next; /* by step of `in`: the next one with the same hash, or TN_NO_ID */
    bool *used;     /* by step of `in` */
    tn_map first;   /* by hash: step of `in` */
    tn_arena *arena;
} matching;

static void match(matching *w, uint32_t value, uint32_t other) {
    if (w->of[value] == TN_NO_ID && !w->taken[other]) {
        w->of[value] = other;
        w->taken[other] = true;
    }
}

/* What an operand is called on both sides: a value of `in`, or for constants with new names their
 * type. False for what has no match. */
static bool operand_key(matching *w, bool before, uint32_t value, uint64_t *key) {
    const tn_plan *p = before ? w->in : w->p;
    if (value == TN_NO_ID) {
        *key = TN_NO_ID;
        return true;
    }
    const tn_plan_value *v = &p->values[value];
    const bool *named = before ? w->named_in : w->named;
    if (v->role == TN_ROLE_CONST && !named[value]) {
        *key = UINT64_C(1) << 32 | tn_str_id(tn_intern(tn_arena_ctx(w->arena), v->type));
        return true;
    }
    *key = before ? value : w->of[value];
    return before || w->of[value] != TN_NO_ID;
}

/* Op, graph and operands as numbers; NULL where an operand has no match. */
static uint64_t *step_key(matching *w, bool before, const tn_plan_step *s) {
    tn_ctx *ctx = tn_arena_ctx(w->arena);
    uint64_t *key = TN_ARRAY(w->arena, uint64_t, 2 + (size_t)s->operands.len);
    key[0] =
        (uint64_t)tn_str_id(tn_intern(ctx, s->op)) << 32 | tn_str_id(tn_intern(ctx, s->domain));
    key[1] = (uint64_t)tn_str_id(tn_intern(ctx, s->graph)) << 32 | s->operands.len;
    for (uint32_t i = 0; i < s->operands.len; i++) {
        if (!operand_key(w, before, s->operands.data[i], &key[2 + i])) {
            return NULL;
        }
    }
    return key;
}

static size_t key_size(const tn_plan_step *s) {
    return (2 + (size_t)s->operands.len) * sizeof(uint64_t);
}

static void list_steps(matching *w) {
    w->first = tn_map_make(w->arena);
    for (uint32_t i = w->in->n_steps; i-- > 0;) {
        const tn_plan_step *s = &w->in->steps[i];
        if (s->kind == TN_STEP_OP) {
            uint64_t hash = tn_hash(step_key(w, true, s), key_size(s), 0);
            w->next[i] = (uint32_t)tn_map_or(&w->first, hash, TN_NO_ID);
            tn_map_put(&w->first, hash, i);
        }
    }
}

static void match_lists(matching *w, tn_ids ours, tn_ids theirs) {
    for (uint32_t i = 0; i < ours.len && i < theirs.len; i++) {
        if (ours.data[i] != TN_NO_ID && theirs.data[i] != TN_NO_ID) {
            match(w, ours.data[i], theirs.data[i]);
        }
    }
}

static void match_step(matching *w, const tn_plan_step *s) {
    uint64_t *key = s->kind == TN_STEP_OP ? step_key(w, false, s) : NULL;
    if (key == NULL) {
        return;
    }
    uint32_t i = (uint32_t)tn_map_or(&w->first, tn_hash(key, key_size(s), 0), TN_NO_ID);
    for (; i != TN_NO_ID; i = w->next[i]) {
        const tn_plan_step *other = &w->in->steps[i];
        bool same = !w->used[i] && other->operands.len == s->operands.len &&
                    memcmp(key, step_key(w, true, other), key_size(s)) == 0;
        if (same) {
            w->used[i] = true;
            match_lists(w, s->results, other->results);
            match_lists(w, s->operands, other->operands);
            return;
        }
    }
}

static void match_inputs(matching *w) {
    for (uint32_t i = 0; i < w->p->inputs.len && i < w->in->inputs.len; i++) {
        uint32_t a = w->p->inputs.data[i], b = w->in->inputs.data[i];
        if (strcmp(w->p->values[a].type, w->in->values[b].type) == 0) {
            match(w, a, b);
        }
    }
}

uint32_t *tn_plan_match(tn_arena *arena, const tn_plan *p, const tn_plan *in) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    matching w = {.p = p,
                  .in = in,
                  .of = tn_plan_match_names(arena, p, in),
                  .named = TN_ARRAY(scratch, bool, p->n_values),
                  .named_in = TN_ARRAY(scratch, bool, in->n_values),
                  .taken = TN_ARRAY(scratch, bool, in->n_values),
                  .next = TN_ARRAY(scratch, uint32_t, in->n_steps),
                  .used = TN_ARRAY(scratch, bool, in->n_steps),
                  .arena = scratch};
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (w.of[i] != TN_NO_ID) {
            w.named[i] = w.named_in[w.of[i]] = w.taken[w.of[i]] = true;
        }
    }
    match_inputs(&w);
    list_steps(&w);
    for (uint32_t i = 0; i < p->n_steps; i++) {
        match_step(&w, &p->steps[i]);
    }
    tn_arena_drop(scratch);
    return w.of;
}
