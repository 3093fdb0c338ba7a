/* Scheduling problems for tests and benchmarks, made from a seed. */
#ifndef TENURE_TESTS_UNIT_SCHED_GEN_H
#define TENURE_TESTS_UNIT_SCHED_GEN_H

#include <string.h>

#include "passes/order/sched.h"

typedef struct sched_gen {
    tn_arena *arena;
    uint64_t state;
    uint32_t n_ops;
    TN_VEC(tn_sched_tensor) tensors;
    uint32_t (*touch)[2], (*before)[2];
    uint32_t n_touch, cap_touch, n_before, cap_before;
    TN_VEC(tn_sched_inplace) inplace;
    TN_VEC(uint64_t) workspace;
} sched_gen;

static inline sched_gen sched_gen_make(tn_arena *arena, uint64_t seed) {
    return (sched_gen){.arena = arena, .state = seed * 2654435761u + 88172645463325252u};
}

static inline uint32_t sched_rnd(sched_gen *g, uint32_t n) {
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->state >> 33) % n;
}

static inline void sched_pair(tn_arena *a, uint32_t (**list)[2], uint32_t *n, uint32_t *cap,
                              uint32_t x, uint32_t y) {
    if (*n == *cap) {
        *list = tn_arena_regrow(a, *list, *cap, *cap * 2 + 64, sizeof **list);
        *cap = *cap * 2 + 64;
    }
    (*list)[*n][0] = x;
    (*list)[(*n)++][1] = y;
}

/* An op and the tensor it makes, which has the op's number. */
static inline uint32_t sched_op(sched_gen *g, uint64_t size) {
    uint32_t v = g->n_ops++;
    tn_vec_push(g->arena, &g->tensors, (tn_sched_tensor){.size = size, .head = v});
    tn_vec_push(g->arena, &g->workspace, 0);
    sched_pair(g->arena, &g->touch, &g->n_touch, &g->cap_touch, v, v);
    return v;
}

static inline void sched_read(sched_gen *g, uint32_t reader, uint32_t tensor) {
    sched_pair(g->arena, &g->touch, &g->n_touch, &g->cap_touch, reader, tensor);
    sched_pair(g->arena, &g->before, &g->n_before, &g->cap_before, tensor, reader);
}

static inline void sched_take(sched_gen *g, uint32_t op, uint32_t operand) {
    tn_vec_push(g->arena, &g->inplace, (tn_sched_inplace){op, op, operand});
}

static inline tn_sched sched_done(sched_gen *g) {
    tn_sched_lists l = {.n = g->n_ops,
                        .m = g->tensors.len,
                        .tensor = g->tensors.data,
                        .workspace = g->workspace.data,
                        .touch = (const uint32_t(*)[2])g->touch,
                        .before = (const uint32_t(*)[2])g->before,
                        .inplace = g->inplace.data,
                        .n_touch = g->n_touch,
                        .n_before = g->n_before,
                        .n_inplace = g->inplace.len};
    return tn_sched_make(g->arena, &l);
}

/* Ops 0..n-1 in this order. */
static inline uint32_t *sched_identity(tn_arena *arena, uint32_t n) {
    uint32_t *order = TN_ARRAY(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    return order;
}

/* A second result of v, which a later op may read, in place of the first operand if v has one. */
static inline void sched_second_result(sched_gen *g, uint32_t v) {
    uint32_t t = g->tensors.len, operand = TN_SCHED_NONE;
    for (uint32_t i = 0; i < g->n_touch && operand == TN_SCHED_NONE; i++) {
        bool reads = g->touch[i][0] == v && g->tensors.data[g->touch[i][1]].head != v;
        operand = reads ? g->touch[i][1] : TN_SCHED_NONE;
    }
    uint64_t size = operand != TN_SCHED_NONE ? g->tensors.data[operand].size : 3;
    tn_vec_push(g->arena, &g->tensors, (tn_sched_tensor){.size = size, .head = v});
    sched_pair(g->arena, &g->touch, &g->n_touch, &g->cap_touch, v, t);
    if (operand != TN_SCHED_NONE) {
        tn_vec_push(g->arena, &g->inplace, (tn_sched_inplace){v, t, operand});
    }
    if (v + 1 < g->n_ops) {
        uint32_t reader = v + 1 + sched_rnd(g, g->n_ops - v - 1);
        sched_pair(g->arena, &g->touch, &g->n_touch, &g->cap_touch, reader, t);
        sched_pair(g->arena, &g->before, &g->n_before, &g->cap_before, v, reader);
    }
}

/* A random graph: each op reads up to three of the ops before it. Of every third with pairs in
 * place some pairs are of two sizes. */
static inline tn_sched sched_random(tn_arena *arena, uint64_t seed, uint32_t n, bool takes) {
    sched_gen g = sched_gen_make(arena, seed);
    uint32_t sizes = 1 + sched_rnd(&g, 9), far = 2 + sched_rnd(&g, n);
    bool widths = seed % 3 == 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = sched_op(&g, sched_rnd(&g, 12) == 0 ? 0 : 1 + sched_rnd(&g, sizes));
        uint32_t read[3], n_read = 0;
        for (uint32_t k = sched_rnd(&g, 4); k > 0 && i > 0; k--) {
            uint32_t from = i - 1 - sched_rnd(&g, i < far ? i : far);
            bool again = false;
            for (uint32_t j = 0; j < n_read; j++) {
                again = again || read[j] == from;
            }
            if (again) {
                continue;
            }
            read[n_read++] = from;
            sched_read(&g, v, from);
            if (takes && sched_rnd(&g, 2) == 0) {
                g.tensors.data[v].size = g.tensors.data[from].size;
            }
        }
        for (uint32_t j = 0; j < n_read && takes; j++) {
            bool equal = g.tensors.data[v].size == g.tensors.data[read[j]].size;
            if (equal || (widths && sched_rnd(&g, 2) == 0)) {
                sched_take(&g, v, read[j]);
            }
        }
        g.tensors.data[v].to_end = sched_rnd(&g, 10) == 0;
        if (sched_rnd(&g, 8) == 0 && !takes) {
            g.workspace.data[v] = sched_rnd(&g, 12);
        }
    }
    for (uint32_t k = takes ? sched_rnd(&g, 4) : 0; k > 0 && n > 1; k--) {
        sched_second_result(&g, 1 + sched_rnd(&g, n - 1));
    }
    /* Inputs, live from the start. */
    for (uint32_t k = sched_rnd(&g, 3); k > 0; k--) {
        tn_vec_push(g.arena, &g.tensors,
                    (tn_sched_tensor){1 + sched_rnd(&g, 9), TN_SCHED_NONE, true, false});
        uint32_t a = sched_rnd(&g, n), b = sched_rnd(&g, n);
        sched_pair(g.arena, &g.touch, &g.n_touch, &g.cap_touch, a, g.tensors.len - 1);
        if (b != a) {
            sched_pair(g.arena, &g.touch, &g.n_touch, &g.cap_touch, b, g.tensors.len - 1);
        }
    }
    return sched_done(&g);
}

/* The random wiring of Xie et al. (2019) after Watts and Strogatz: a ring of n vertices, each
 * linked to its k nearest, links moved with a chance of `percent`, directed from low to high;
 * `ops` ops a vertex (the first joins the inputs) and one op before and behind all. Sizes are 32,
 * or vary from 8 to 56 with `vary`. */
static inline tn_sched sched_randwire(tn_arena *arena, uint64_t seed, uint32_t n, uint32_t k,
                                      uint32_t percent, uint32_t ops, bool vary) {
    sched_gen g = sched_gen_make(arena, seed);
    bool *link = TN_ARRAY(arena, bool, n *n);
    for (uint32_t d = 1; d <= k / 2; d++) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t j = (i + d) % n;
            while (sched_rnd(&g, 100) < percent) {
                uint32_t other = sched_rnd(&g, n);
                if (other != i && !link[i * n + other] && !link[other * n + i]) {
                    j = other;
                    break;
                }
            }
            link[i < j ? i * n + j : j * n + i] = true;
        }
    }
    uint32_t *last = TN_ARRAY(arena, uint32_t, n), in = sched_op(&g, 32);
    bool *read = TN_ARRAY(arena, bool, n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t size = vary ? 8 + sched_rnd(&g, 49) : 32;
        bool any = false;
        uint32_t v = sched_op(&g, size);
        for (uint32_t j = 0; j < i; j++) {
            if (link[j * n + i]) {
                sched_read(&g, v, last[j]);
                any = read[j] = true;
            }
        }
        if (!any) {
            sched_read(&g, v, in);
        }
        for (uint32_t o = 1; o < ops; o++) {
            uint32_t next = sched_op(&g, size);
            sched_read(&g, next, v);
            v = next;
        }
        last[i] = v;
    }
    uint32_t out = sched_op(&g, 32);
    for (uint32_t i = 0; i < n; i++) {
        if (!read[i]) {
            sched_read(&g, out, last[i]);
        }
    }
    return sched_done(&g);
}

/* From op `from`, about n ops in series and in parallel; returns the last one. With `apart` each
 * reader has bytes of its own from the op it reads, as in Kayaaslan et al. (2018); else all readers
 * of an op share its result. */
static inline void sched_follow(sched_gen *g, uint32_t reader, uint32_t v, bool apart) {
    sched_read(g, reader, v);
    if (apart) {
        g->n_touch--; /* the bytes come in sched_series_parallel */
    }
}

static inline uint32_t sched_nest(sched_gen *g, uint32_t from, uint32_t n, bool apart) {
    uint64_t size = apart ? 0 : 1 + sched_rnd(g, 60);
    if (n < 4 || sched_rnd(g, 2) != 0) {
        uint32_t v = sched_op(g, size);
        sched_follow(g, v, from, apart);
        return n <= 1 ? v : sched_nest(g, v, n - 1, apart);
    }
    uint32_t first = sched_op(g, size), k = 2 + sched_rnd(g, 3), end[4];
    sched_follow(g, first, from, apart);
    uint32_t inside = 1 + sched_rnd(g, n - 2), behind = n - 1 - inside;
    for (uint32_t i = 0; i < k; i++) {
        end[i] = sched_nest(g, first, (inside + k - 1) / k, apart);
    }
    uint32_t last = sched_op(g, size);
    for (uint32_t i = 0; i < k; i++) {
        sched_follow(g, last, end[i], apart);
    }
    return behind > 1 ? sched_nest(g, last, behind - 1, apart) : last;
}

static inline tn_sched sched_series_parallel(tn_arena *arena, uint64_t seed, uint32_t n,
                                             bool apart) {
    sched_gen g = sched_gen_make(arena, seed);
    sched_nest(&g, sched_op(&g, apart ? 0 : 5), n, apart);
    for (uint32_t i = 0; i < g.n_before && apart; i++) {
        tn_sched_tensor t = {.size = 1 + sched_rnd(&g, 60), .head = g.before[i][0]};
        sched_pair(arena, &g.touch, &g.n_touch, &g.cap_touch, g.before[i][0], g.tensors.len);
        sched_pair(arena, &g.touch, &g.n_touch, &g.cap_touch, g.before[i][1], g.tensors.len);
        tn_vec_push(arena, &g.tensors, t);
    }
    return sched_done(&g);
}

/* A tree whose ops read the results of their children, or, with `out`, the result of their parent.
 */
static inline tn_sched sched_tree(tn_arena *arena, uint64_t seed, uint32_t n, bool out) {
    sched_gen g = sched_gen_make(arena, seed);
    for (uint32_t i = 0; i < n; i++) {
        sched_op(&g, 1 + sched_rnd(&g, 100));
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        uint32_t parent = i + 1 + sched_rnd(&g, n - 1 - i < 12 ? n - 1 - i : 12);
        if (out) {
            sched_read(&g, n - 1 - i, n - 1 - parent);
        } else {
            sched_read(&g, parent, i);
        }
    }
    return sched_done(&g);
}

/* Training of a chain of n layers with a skip of two layers at each third: forward activations kept
 * for the backward ops, and an update of each layer's weights that could be put off. */
static inline tn_sched sched_training(tn_arena *arena, uint64_t seed, uint32_t n) {
    sched_gen g = sched_gen_make(arena, seed);
    uint32_t *act = TN_ARRAY(arena, uint32_t, n), *grad = TN_ARRAY(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        act[i] = sched_op(&g, 4 + sched_rnd(&g, 29));
        if (i > 0) {
            sched_read(&g, act[i], act[i - 1]);
        }
        if (i % 3 == 2) {
            sched_read(&g, act[i], act[i - 2]);
        }
    }
    uint32_t *weight = TN_ARRAY(arena, uint32_t, n);
    for (uint32_t i = n; i-- > 0;) {
        grad[i] = sched_op(&g, g.tensors.data[act[i]].size);
        sched_read(&g, grad[i], act[i]);
        if (i + 1 < n) {
            sched_read(&g, grad[i], grad[i + 1]);
        }
        if (i + 2 < n && (i + 2) % 3 == 2) {
            sched_read(&g, grad[i], grad[i + 2]);
        }
        weight[i] = sched_op(&g, 2 + sched_rnd(&g, 8));
        sched_read(&g, weight[i], grad[i]);
        if (i > 0) {
            sched_read(&g, weight[i], act[i - 1]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        sched_read(&g, sched_op(&g, 0), weight[i]);
    }
    return sched_done(&g);
}

#endif
