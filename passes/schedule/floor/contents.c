#include "passes/schedule/floor/contents.h"

#include <string.h>

#include "passes/order/edge_rows.h"

/* Cells by value, beyond which a graph is left alone. */
enum { MAX_CELLS = 8, FEW_CELLS = 4096 };

typedef TN_VEC(uint64_t) cut_list;

typedef struct cutter {
    tn_arena *arena;
    const uint64_t *blocks;
    const tn_content_link *links;
    tn_edge_rows of; /* by value: its links */
    cut_list *cuts;  /* by value: where one cell ends and the next begins, ascending */
    uint32_t n_cuts, max_cuts;
    bool *waits; /* by value: in the queue */
    TN_VEC(uint32_t) queue;
} cutter;

/* The first cut at `at` or behind. */
static uint32_t cut_behind(const cut_list *list, uint64_t at) {
    uint32_t low = 0, high = list->len;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        low = list->data[mid] < at ? mid + 1 : low;
        high = list->data[mid] < at ? high : mid;
    }
    return low;
}

static void cut(cutter *k, uint32_t v, uint64_t at) {
    cut_list *list = &k->cuts[v];
    uint32_t i = cut_behind(list, at);
    if (at == 0 || at >= k->blocks[v] || (i < list->len && list->data[i] == at)) {
        return;
    }
    tn_vec_push(k->arena, list, at);
    memmove(list->data + i + 1, list->data + i, (list->len - 1 - i) * sizeof *list->data);
    list->data[i] = at;
    k->n_cuts++;
    if (!k->waits[v]) {
        k->waits[v] = true;
        tn_vec_push(k->arena, &k->queue, v);
    }
}

/* Blocks from `at` of the outer value on that the inner one reaches, too. */
static uint64_t common(const cutter *k, const tn_content_link *l) {
    uint64_t rest = k->blocks[l->outer] > l->at ? k->blocks[l->outer] - l->at : 0;
    return rest < k->blocks[l->inner] ? rest : k->blocks[l->inner];
}

static void cut_along(cutter *k, const tn_content_link *l) {
    uint64_t n = common(k, l);
    if (n == 0) {
        return;
    }
    cut(k, l->outer, l->at);
    cut(k, l->outer, l->at + n);
    cut(k, l->inner, n);
    for (uint32_t i = 0; i < k->cuts[l->inner].len && k->cuts[l->inner].data[i] < n; i++) {
        cut(k, l->outer, l->at + k->cuts[l->inner].data[i]);
    }
    for (uint32_t i = cut_behind(&k->cuts[l->outer], l->at + 1);
         i < k->cuts[l->outer].len && k->cuts[l->outer].data[i] < l->at + n; i++) {
        cut(k, l->inner, k->cuts[l->outer].data[i] - l->at);
    }
}

static bool cut_all(cutter *k, uint32_t n_links) {
    for (uint32_t i = 0; i < n_links; i++) {
        cut_along(k, &k->links[i]);
    }
    while (k->queue.len > 0 && k->n_cuts <= k->max_cuts) {
        uint32_t v = k->queue.data[--k->queue.len];
        k->waits[v] = false;
        for (uint32_t e = k->of.start[v]; e < k->of.start[v + 1]; e++) {
            cut_along(k, &k->links[k->of.item[e]]);
        }
    }
    return k->n_cuts <= k->max_cuts;
}

static tn_edge_rows links_of(tn_arena *arena, uint32_t n_values, const tn_content_link *links,
                             uint32_t n) {
    uint32_t(*pairs)[2] = tn_arena_array(arena, 2 * (size_t)n, sizeof *pairs);
    for (uint32_t i = 0; i < n; i++) {
        pairs[2 * i][0] = links[i].inner;
        pairs[2 * i + 1][0] = links[i].outer;
        pairs[2 * i][1] = pairs[2 * i + 1][1] = i;
    }
    return tn_edge_rows_make(arena, n_values, (const uint32_t(*)[2])pairs, 2 * n, 0);
}

uint32_t tn_content_of(const tn_contents *c, uint32_t cell) {
    while (c->up[cell] != cell) {
        c->up[cell] = c->up[c->up[cell]];
        cell = c->up[cell];
    }
    return cell;
}

void tn_content_join(tn_contents *c, uint32_t a, uint32_t b) {
    a = tn_content_of(c, a);
    b = tn_content_of(c, b);
    c->up[a < b ? b : a] = a < b ? a : b;
}

static void join_along(const cutter *k, const tn_content_link *l, tn_contents *c) {
    uint64_t left = common(k, l);
    uint32_t a = c->first[l->inner], b = c->first[l->outer];
    if (!l->same || left == 0) {
        return;
    }
    b += l->at > 0 ? cut_behind(&k->cuts[l->outer], l->at) + 1 : 0;
    for (; left > 0; a++, b++) {
        tn_content_join(c, a, b);
        left -= c->blocks[a];
    }
}

bool tn_contents_make(tn_arena *arena, uint32_t n_values, const uint64_t *blocks,
                      const tn_content_link *links, uint32_t n_links, tn_contents *out) {
    cutter k = {.arena = arena,
                .blocks = blocks,
                .links = links,
                .of = links_of(arena, n_values, links, n_links),
                .cuts = TN_ARRAY(arena, cut_list, n_values),
                .max_cuts = FEW_CELLS + MAX_CELLS * n_values,
                .waits = TN_ARRAY(arena, bool, n_values)};
    if (!cut_all(&k, n_links)) {
        return false;
    }
    uint32_t *first = TN_ARRAY(arena, uint32_t, n_values + 1u), n = 0;
    uint64_t *size = TN_ARRAY(arena, uint64_t, n_values + (size_t)k.n_cuts);
    for (uint32_t v = 0; v < n_values; v++) {
        uint64_t from = 0;
        for (uint32_t i = 0; i < k.cuts[v].len; i++) {
            size[n++] = k.cuts[v].data[i] - from;
            from = k.cuts[v].data[i];
        }
        n += blocks[v] > 0;
        if (blocks[v] > 0) {
            size[n - 1] = blocks[v] - from;
        }
        first[v + 1] = n;
    }
    *out =
        (tn_contents){.first = first, .blocks = size, .n = n, .up = TN_ARRAY(arena, uint32_t, n)};
    for (uint32_t i = 0; i < n; i++) {
        out->up[i] = i;
    }
    for (uint32_t i = 0; i < n_links; i++) {
        join_along(&k, &links[i], out);
    }
    return true;
}
