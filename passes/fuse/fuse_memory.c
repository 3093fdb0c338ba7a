#include "passes/fuse/fuse_memory.h"

#include <string.h>

#include "ir/compute/by_rows.h"
#include "ir/compute/compute_ops.h"
#include "ir/ops/group_claims.h"

typedef struct tn_fuse_tried {
    const uint32_t *key; /* ids of ops and their nests, n of both */
    uint32_t n, next;    /* 1 + number of the next one of the hash; 0: none */
    tn_fuse_outcome out;
} tn_fuse_tried;

/* The nests of the group that was possible last. */
typedef struct tn_fuse_last {
    tn_arena *arena; /* of what is here; NULL: nothing is */
    const tn_module *m;
    const uint32_t *key;
    uint32_t n;
    tn_compute c;
    tn_value **values;
} tn_fuse_last;

tn_fuse_memory *tn_fuse_memory_new(tn_arena *arena) {
    tn_fuse_memory *memory = TN_NEW(arena, tn_fuse_memory);
    memory->arena = arena;
    memory->first = tn_map_make(arena);
    memory->last = TN_NEW(arena, struct tn_fuse_last);
    return memory;
}

void tn_fuse_forget(tn_fuse_memory *memory) {
    tn_arena_drop(memory->last->arena);
    *memory->last = (tn_fuse_last){.arena = NULL};
}

static const uint32_t *key_of(tn_arena *arena, const tn_group *g, const uint32_t *of) {
    uint32_t *key = TN_ARRAY(arena, uint32_t, 2 * g->len);
    for (uint32_t i = 0; i < g->len; i++) {
        key[2 * i] = g->data[i]->id;
        key[2 * i + 1] = of != NULL ? of[i] : 0;
    }
    return key;
}

static bool is_key(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t n_b) {
    return n == n_b && memcmp(a, b, n * sizeof *a) == 0;
}

bool tn_fuse_compute(const tn_fuse_memory *memory, const tn_module *m, const tn_group *g,
                     const uint32_t *of, tn_arena *arena, tn_compute *c, tn_value ***values) {
    const tn_fuse_last *last = memory != NULL ? memory->last : NULL;
    if (last != NULL && last->arena != NULL && last->m == m &&
        is_key(last->key, last->n, key_of(arena, g, of), 2 * g->len)) {
        *c = last->c;
        *values = last->values;
        return true;
    }
    return tn_compute_of_ops(m, (const tn_op *const *)g->data, g->len, of, arena, c, values);
}

/* Values over which the result of rows may lie. */
static void find_over(tn_arena *arena, const tn_group *g, const tn_fuse_last *made,
                      tn_fuse_outcome *out) {
    const tn_type *type = tn_part_result(g->data[g->len - 1], 0)->type;
    uint32_t *over = TN_ARRAY(arena, uint32_t, made->c.rows->n_values);
    for (uint32_t i = 0; i < made->c.rows->n_values; i++) {
        if (tn_type_equal(made->values[i]->type, type) &&
            tn_compute_may_lie_over(&made->c, i) != TN_OVER_NOT) {
            over[out->n_over++] = made->values[i]->id;
        }
    }
    out->over = over;
}

static tn_fuse_outcome find_out(tn_fuse_memory *memory, const tn_module *m, const tn_group *g,
                                const uint32_t *of, const uint32_t *key) {
    tn_fuse_last made = {.arena = tn_arena_new(m->ctx), .m = m, .key = key, .n = 2 * g->len};
    tn_fuse_outcome out = {.possible = tn_compute_of_ops(m, (const tn_op *const *)g->data, g->len,
                                                         of, made.arena, &made.c, &made.values)};
    if (!out.possible) {
        tn_arena_drop(made.arena);
        return out;
    }
    out.n_stages = made.c.nests.data[0].n_stages;
    if (made.c.rows != NULL) {
        find_over(memory->arena, g, &made, &out);
        out.rows = made.c.rows->total;
        out.workspace = made.c.rows->workspace;
        out.spared = made.c.rows->spared;
    }
    tn_fuse_forget(memory);
    *memory->last = made;
    return out;
}

const tn_fuse_outcome *tn_fuse_try(tn_fuse_memory *memory, const tn_module *m, const tn_group *g,
                                   const uint32_t *of) {
    uint32_t n = 2 * g->len;
    const uint32_t *key = key_of(memory->arena, g, of);
    uint64_t hash = tn_hash(key, n * sizeof *key, 0), first = tn_map_or(&memory->first, hash, 0);
    for (uint32_t i = (uint32_t)first; i != 0; i = memory->tried.data[i - 1].next) {
        const tn_fuse_tried *t = &memory->tried.data[i - 1];
        if (is_key(t->key, t->n, key, n)) {
            return &t->out;
        }
    }
    tn_fuse_tried made = {key, n, (uint32_t)first, find_out(memory, m, g, of, key)};
    tn_vec_push(memory->arena, &memory->tried, made);
    tn_map_put(&memory->first, hash, memory->tried.len);
    return &memory->tried.data[memory->tried.len - 1].out;
}
