#include "passes/pack/base/item_order.h"

#include <string.h>

#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"

static const char letters_known[] = "TWZALG";

tn_orders tn_orders_make(tn_arena *arena, const tn_inst *inst) {
    tn_orders o = {.inst = inst, .arena = arena};
    o.keys = tn_sort_room(arena, inst->n);
    return o;
}

/* Largest load over the life of every item, by a tree of maxima over the sections. */
static void fill_load(tn_orders *o, uint64_t *key) {
    const tn_inst *inst = o->inst;
    size_t m = inst->n_sections;
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(o->arena));
    uint64_t *tree = TN_ARRAY(scratch, uint64_t, 2 * m);
    if (m > 0) {
        memcpy(tree + m, inst->load, m * sizeof *tree);
    }
    for (size_t v = m; v-- > 1;) {
        tree[v] = tree[2 * v] > tree[2 * v + 1] ? tree[2 * v] : tree[2 * v + 1];
    }
    for (uint32_t i = 0; i < inst->n; i++) {
        uint64_t most = 0;
        for (size_t l = inst->items[i].a + m, r = inst->items[i].b + m; l < r; l /= 2, r /= 2) {
            if (l % 2 == 1) {
                most = tree[l] > most ? tree[l] : most;
                l++;
            }
            if (r % 2 == 1) {
                r--;
                most = tree[r] > most ? tree[r] : most;
            }
        }
        key[i] = most;
    }
    tn_arena_drop(scratch);
}

static uint64_t simple_key(const tn_item *item, char letter) {
    uint64_t area;
    switch (letter) {
    case 'W':
        return item->b - item->a;
    case 'Z':
        return item->size;
    case 'A':
        return tn_mul_u64(item->size, item->b - item->a, &area) ? area : UINT64_MAX;
    case 'L':
        return UINT32_MAX - item->a;
    default:
        return item->align;
    }
}

const uint64_t *tn_orders_key(tn_orders *o, char letter) {
    const char *at = strchr(letters_known, letter);
    uint64_t **column = &o->key[at - letters_known];
    if (*column != NULL) {
        return *column;
    }
    *column = TN_ARRAY(o->arena, uint64_t, o->inst->n);
    if (letter == 'T') {
        fill_load(o, *column);
    } else {
        for (uint32_t i = 0; i < o->inst->n; i++) {
            (*column)[i] = simple_key(&o->inst->items[i], letter);
        }
    }
    return *column;
}

/* The sort is stable, so the least important key goes first. */
void tn_orders_get(tn_orders *o, const char *letters, uint32_t *order) {
    uint32_t n = o->inst->n;
    for (uint32_t i = 0; i < n; i++) {
        o->keys[i].item = i;
    }
    for (size_t l = strlen(letters); l-- > 0;) {
        const uint64_t *key = tn_orders_key(o, letters[l]);
        for (uint32_t k = 0; k < n; k++) {
            o->keys[k].key = ~key[o->keys[k].item];
        }
        tn_sort_keys(o->keys, n);
    }
    uint32_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (o->inst->items[o->keys[k].item].fixed != TN_PACK_FREE) {
            order[at++] = o->keys[k].item;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        if (o->inst->items[o->keys[k].item].fixed == TN_PACK_FREE) {
            order[at++] = o->keys[k].item;
        }
    }
}
