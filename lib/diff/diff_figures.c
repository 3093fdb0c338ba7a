/* The numbers at the head, and what the plans were made with. */
#include <string.h>

#include "lib/diff/diff_t.h"

enum { OWN_FIGURES = 9 };

static uint32_t find_pool(const tn_plan *p, const char *name) {
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (strcmp(p->pools[i].name, name) == 0) {
            return i;
        }
    }
    return TN_NO_ID;
}

static void set(tn_diff_figure *f, const char *name, uint64_t before, uint64_t after) {
    *f = (tn_diff_figure){.name = name, .bytes = {before, after}, .there = {true, true}};
}

/* What a run reads and writes there: of pools with a cost, in plans with several. */
static void put_traffic(const tn_diff *d, const char *pool, tn_diff_figure *list, uint32_t *n) {
    tn_diff_figure f = {.name = tn_arena_printf(d->arena, "traffic of %s", pool)};
    for (int side = 0; side < 2; side++) {
        uint32_t i = find_pool(d->p[side], pool);
        f.there[side] = i != TN_NO_ID && d->p[side]->pools[i].cost > 0;
        f.bytes[side] = f.there[side] ? d->p[side]->pools[i].traffic : 0;
    }
    if (f.there[0] || f.there[1]) {
        list[(*n)++] = f;
    }
}

/* Pools of the second plan, and those of the first one alone. */
static uint32_t put_pools(const tn_diff *d, tn_diff_figure *list) {
    uint32_t n = 0;
    for (int side = 1; side >= 0; side--) {
        for (uint32_t i = 0; i < d->p[side]->n_pools; i++) {
            const tn_pool *pool = &d->p[side]->pools[i];
            uint32_t other = find_pool(d->p[1 - side], pool->name);
            if (side == 0 && other != TN_NO_ID) {
                continue;
            }
            tn_diff_figure *f = &list[n++];
            *f = (tn_diff_figure){.name = pool->name};
            f->bytes[side] = pool->size;
            f->there[side] = true;
            if (other != TN_NO_ID) {
                f->bytes[1 - side] = d->p[1 - side]->pools[other].size;
                f->there[1 - side] = true;
            }
            put_traffic(d, pool->name, list, &n);
        }
    }
    return n;
}

static bool has_one_arena(const tn_plan *p) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        n += p->pools[i].kind == TN_POOL_ARENA;
    }
    return n == 1;
}

/* Bytes of the places that inputs and outputs have beside one. */
static uint64_t second_bytes(const tn_plan *p) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        sum += p->storages[i].second;
    }
    return sum;
}

const tn_diff_figure *tn_diff_figures(const tn_diff *d, uint32_t *n) {
    const tn_plan *b = d->p[0], *a = d->p[1];
    tn_diff_figure *list =
        TN_ARRAY(d->arena, tn_diff_figure, OWN_FIGURES + 2 * (b->n_pools + a->n_pools));
    uint32_t len = put_pools(d, list);
    if (!has_one_arena(b) || !has_one_arena(a)) {
        set(&list[len++], "all arenas", tn_plan_arena_bytes(b), tn_plan_arena_bytes(a));
    }
    if (tn_plan_has_seconds(b) || tn_plan_has_seconds(a)) {
        set(&list[len++], "second places", second_bytes(b), second_bytes(a));
    }
    if (tn_plan_has_costs(b) || tn_plan_has_costs(a)) {
        set(&list[len], "cost", b->report.cost, a->report.cost);
        list[len].there[0] = tn_plan_has_costs(b);
        list[len].there[1] = tn_plan_has_costs(a);
        list[len++].count = true;
    }
    set(&list[len++], "lower bound", b->report.bound, a->report.bound);
    set(&list[len++], "RAM", b->report.ram, a->report.ram);
    set(&list[len++], "flash", b->report.flash, a->report.flash);
    set(&list[len], "steps", b->n_steps, a->n_steps);
    list[len++].count = true;
    set(&list[len], "values", b->n_values, a->n_values);
    list[len++].count = true;
    if (b->report.depth + a->report.depth > 0) { /* of plans whose steps run side by side */
        set(&list[len], "depth", b->report.depth, a->report.depth);
        list[len].there[0] = b->concurrency != TN_SERIAL;
        list[len].there[1] = a->concurrency != TN_SERIAL;
        list[len++].count = true;
    }
    *n = len;
    return list;
}

/* Values of an option that comes several times, in order. */
static const char *option_text(const tn_diff *d, int side, const char *key) {
    const tn_plan *p = d->p[side];
    tn_sink text = tn_sink_make(d->arena);
    tn_put(&text, "");
    for (uint32_t i = 0; i < p->n_options; i++) {
        if (strcmp(p->options[i].key, key) == 0) {
            tn_putf(&text, "%s%s", text.len > 0 ? ", " : "", p->options[i].value);
        }
    }
    return text.data;
}

static bool listed(const tn_diff_option *list, uint32_t n, const char *name) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static uint32_t add(tn_diff_option *list, uint32_t n, const char *name, const char *before,
                    const char *after) {
    if (strcmp(before, after) == 0) {
        return n;
    }
    list[n] = (tn_diff_option){name, {before, after}};
    return n + 1;
}

const tn_diff_option *tn_diff_options(const tn_diff *d, uint32_t *n) {
    enum { OWN = 3 };
    const tn_plan *b = d->p[0], *a = d->p[1];
    tn_diff_option *list =
        TN_ARRAY(d->arena, tn_diff_option, OWN + (size_t)b->n_options + a->n_options);
    *n = add(list, 0, "model's digest", b->digest, a->digest);
    *n = add(list, *n, "tenure", b->version, a->version);
    *n = add(list, *n, "pipeline", b->pipeline, a->pipeline);
    for (int side = 1; side >= 0; side--) {
        for (uint32_t i = 0; i < d->p[side]->n_options; i++) {
            const char *key = d->p[side]->options[i].key;
            if (!listed(list, *n, key)) {
                *n = add(list, *n, key, option_text(d, 0, key), option_text(d, 1, key));
            }
        }
    }
    return list;
}
