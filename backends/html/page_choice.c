#include "backends/html/page_t.h"
#include "ir/base/key_sort.h"
#include "ir/base/map.h"

typedef struct choice {
    const tn_plan *p;
    uint32_t most, chosen; /* values */
    uint32_t *n_values;    /* by storage */
    bool *takes;           /* by storage */
} choice;

static void count_values(choice *c) {
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        uint32_t storage = c->p->values[i].storage;
        if (storage != TN_NO_ID) {
            c->n_values[storage]++;
        }
    }
}

static void take(choice *c, uint32_t storage) {
    c->chosen += c->takes[storage] ? 0 : c->n_values[storage];
    c->takes[storage] = true;
}

/* Storages by size, the largest first. Of equal ones, which long chains have, those that are taken
 * should lie all over the plan. */
static const uint32_t *by_size(tn_arena *arena, const tn_plan *p) {
    tn_sort_key *keys = tn_sort_room(arena, p->n_storages);
    uint32_t *order = TN_ARRAY(arena, uint32_t, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        keys[i] = (tn_sort_key){tn_mix(i), i};
    }
    tn_sort_keys(keys, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        keys[i].key = UINT64_MAX - p->storages[keys[i].item].size;
    }
    tn_sort_items(keys, p->n_storages, order);
    return order;
}

static void take_largest(tn_arena *arena, choice *c) {
    const uint32_t *order = by_size(arena, c->p);
    for (uint32_t i = 0; i < c->p->report.peak.len; i++) {
        take(c, c->p->report.peak.data[i]);
    }
    for (uint32_t i = 0; i < c->p->n_storages; i++) {
        if (c->takes[order[i]] || c->chosen + c->n_values[order[i]] <= c->most) {
            take(c, order[i]);
        }
    }
}

/* Values without a place come as far as there is room. */
static void list_values(tn_arena *arena, const choice *c, tn_page *page) {
    uint32_t *values = TN_ARRAY(arena, uint32_t, c->p->n_values), left = 0;
    uint32_t *at = TN_ARRAY(arena, uint32_t, c->p->n_values);
    left = c->most > c->chosen ? c->most - c->chosen : 0;
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        uint32_t storage = c->p->values[i].storage;
        bool taken = storage != TN_NO_ID ? c->takes[storage] : left > 0;
        left -= taken && storage == TN_NO_ID;
        at[i] = taken ? page->n_values : TN_NO_ID;
        if (taken) {
            values[page->n_values++] = i;
        }
    }
    page->values = values;
    page->value_at = at;
}

static void list_storages(tn_arena *arena, const choice *c, tn_page *page) {
    uint32_t *storages = TN_ARRAY(arena, uint32_t, c->p->n_storages);
    uint32_t *at = TN_ARRAY(arena, uint32_t, c->p->n_storages);
    for (uint32_t i = 0; i < c->p->n_storages; i++) {
        uint64_t size = c->p->storages[i].size;
        at[i] = c->takes[i] ? page->n_storages : TN_NO_ID;
        if (c->takes[i]) {
            storages[page->n_storages++] = i;
        } else if (size > page->largest_left_out) {
            page->largest_left_out = size;
        }
    }
    page->storages = storages;
    page->storage_at = at;
}

const tn_page *tn_page_choose(tn_arena *arena, const tn_plan *p, uint32_t most) {
    tn_page *page = TN_NEW(arena, tn_page);
    choice c = {.p = p,
                .most = most,
                .n_values = TN_ARRAY(arena, uint32_t, p->n_storages),
                .takes = TN_ARRAY(arena, bool, p->n_storages)};
    *page = (tn_page){.plan = p};
    count_values(&c);
    take_largest(arena, &c);
    list_values(arena, &c, page);
    list_storages(arena, &c, page);
    return page;
}
