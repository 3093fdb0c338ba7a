/* The sweep: items are met in order of time, and all ways to hold those alive are kept side by
 * side. Objects of one size are alike, so a state says of each item alive only the class of its
 * object's size; items that end together are alike too. States that are equal then are kept once.
 */
#include "passes/pack/slots/slots_sweep.h"

#include <string.h>

#include "ir/base/key_sort.h"
#include "ir/base/map.h"
#include "passes/pack/base/budgets.h"

/* The states after an item was met. How each came about is kept for all items, what it holds for
 * the last one only. */
typedef struct layer {
    uint32_t *from;  /* by state: the one before */
    uint8_t *choice; /* by state: the class the item took */
    uint32_t n;
} layer;

typedef struct tn_slot_sweep {
    const tn_slot_group *g;
    uint32_t *order; /* items by begin */
    uint64_t class_size[UINT8_MAX];
    uint32_t class_count[UINT8_MAX], n_classes;
    uint32_t *alive, n_alive; /* items, by end */
    layer *layers;            /* one an item */
    layer last;               /* the one being made, with space for `space` states */
    uint8_t *states, *next;   /* n_alive bytes a state, in the order of `alive` */
    uint32_t space;           /* states there is space for */
    uint32_t *slots, mask;    /* hash table of `next`: states + 1; the mask for its part in use */
    uint64_t *left;
} sweep;

/* Nothing of it is read before it is written: of most groups only a small part ever is. */
tn_slot_sweep *tn_slot_sweep_make(tn_arena *arena, const tn_slot_group *g, uint64_t *left) {
    sweep *s = TN_NEW(arena, sweep);
    s->g = g;
    s->left = left;
    s->space = *left < TN_LIMIT_SLOT_ROOM ? (uint32_t)*left + 1 : TN_LIMIT_SLOT_ROOM;
    size_t most_alive = (size_t)g->width + 1, bytes = s->space * most_alive;
    s->order = TN_UNSET_ARRAY(arena, uint32_t, g->n);
    s->alive = TN_UNSET_ARRAY(arena, uint32_t, most_alive);
    s->layers = TN_UNSET_ARRAY(arena, layer, g->n);
    s->states = TN_UNSET_ARRAY(arena, uint8_t, bytes);
    s->next = TN_UNSET_ARRAY(arena, uint8_t, bytes);
    s->slots = TN_UNSET_ARRAY(arena, uint32_t, 4 * (size_t)s->space + 4);
    s->last = (layer){TN_UNSET_ARRAY(arena, uint32_t, s->space),
                      TN_UNSET_ARRAY(arena, uint8_t, s->space), 0};
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_sort_key *keys = tn_sort_room(scratch, g->n);
    for (uint32_t i = 0; i < g->n; i++) {
        keys[i] = (tn_sort_key){g->items[i].a, i};
    }
    tn_sort_items(keys, g->n, s->order);
    tn_arena_drop(scratch);
    return s;
}

static void make_classes(sweep *s, const uint64_t *sizes, uint32_t n) {
    s->n_classes = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || sizes[i] != sizes[i - 1]) {
            s->class_count[s->n_classes] = 0;
            s->class_size[s->n_classes++] = sizes[i];
        }
        s->class_count[s->n_classes - 1]++;
    }
}

/* Takes those that ended by `now` out of `alive` and of every state. */
static void let_go(sweep *s, uint32_t now, uint32_t n_states) {
    uint32_t dead = 0;
    while (dead < s->n_alive && s->g->items[s->alive[dead]].b <= now) {
        dead++;
    }
    uint32_t kept = s->n_alive - dead;
    memmove(s->alive, s->alive + dead, kept * sizeof *s->alive);
    for (uint32_t k = 0; k < n_states && dead > 0; k++) {
        memmove(s->states + (size_t)k * kept, s->states + (size_t)k * s->n_alive + dead, kept);
    }
    s->n_alive = kept;
}

/* Where the item stands among those alive, by end; it is put there. */
static uint32_t let_in(sweep *s, uint32_t item) {
    const tn_slot_item *items = s->g->items;
    uint32_t at = s->n_alive++;
    for (; at > 0 && items[s->alive[at - 1]].b > items[item].b; at--) {
        s->alive[at] = s->alive[at - 1];
    }
    s->alive[at] = item;
    return at;
}

/* A state with class c at place `at`, moved to stand in order among those that end with it. */
static void write_state(const sweep *s, const uint8_t *old, uint32_t at, uint8_t c, uint8_t *out) {
    const tn_slot_item *items = s->g->items;
    uint32_t end = items[s->alive[at]].b;
    memcpy(out, old, at);
    memcpy(out + at + 1, old + at, s->n_alive - 1 - at);
    while (at > 0 && items[s->alive[at - 1]].b == end && out[at - 1] > c) {
        out[at] = out[at - 1];
        at--;
    }
    out[at] = c;
}

/* Whether the last state of `next`, number n, is new there. */
static bool is_new(sweep *s, uint32_t n) {
    const uint8_t *state = s->next + (size_t)n * s->n_alive;
    uint32_t at = (uint32_t)tn_hash(state, s->n_alive, 0) & s->mask;
    while (s->slots[at] != 0) {
        if (memcmp(s->next + (size_t)(s->slots[at] - 1) * s->n_alive, state, s->n_alive) == 0) {
            return false;
        }
        at = (at + 1) & s->mask;
    }
    s->slots[at] = n + 1;
    return true;
}

/* All ways on from one state: the item at place `at` into any class that has a free object as
 * large. */
static bool expand(sweep *s, uint32_t k, uint32_t at, uint64_t size) {
    layer *l = &s->last;
    const uint8_t *old = s->states + (size_t)k * (s->n_alive - 1);
    uint32_t used[UINT8_MAX];
    memset(used, 0, s->n_classes * sizeof *used);
    for (uint32_t i = 0; i + 1 < s->n_alive; i++) {
        used[old[i]]++;
    }
    for (uint32_t c = 0; c < s->n_classes && s->class_size[c] >= size; c++) {
        if (used[c] == s->class_count[c]) {
            continue;
        }
        if (l->n == s->space || *s->left == 0) {
            return false;
        }
        --*s->left;
        write_state(s, old, at, (uint8_t)c, s->next + (size_t)l->n * s->n_alive);
        if (is_new(s, l->n)) {
            l->from[l->n] = k;
            l->choice[l->n++] = (uint8_t)c;
        }
    }
    return true;
}

static layer keep_layer(tn_arena *scratch, const layer *l) {
    layer out = {TN_UNSET_ARRAY(scratch, uint32_t, l->n), TN_UNSET_ARRAY(scratch, uint8_t, l->n),
                 l->n};
    memcpy(out.from, l->from, l->n * sizeof *out.from);
    memcpy(out.choice, l->choice, l->n);
    return out;
}

static tn_enough meet(tn_arena *scratch, sweep *s, uint32_t step) {
    const tn_slot_group *g = s->g;
    uint32_t item = s->order[step], before = step == 0 ? 1 : s->layers[step - 1].n;
    let_go(s, g->items[item].a, before);
    uint32_t at = let_in(s, item);
    s->last.n = 0;
    for (s->mask = 1; s->mask < 2 * s->space && s->mask / 2 < before * s->n_classes;) {
        s->mask = 2 * s->mask + 1;
    }
    memset(s->slots, 0, ((size_t)s->mask + 1) * sizeof *s->slots);
    for (uint32_t k = 0; k < before; k++) {
        if (!expand(s, k, at, g->items[item].size)) {
            return TN_ENOUGH_UNKNOWN;
        }
    }
    uint8_t *swap = s->states;
    s->states = s->next;
    s->next = swap;
    s->layers[step] = keep_layer(scratch, &s->last);
    return s->last.n > 0 ? TN_ENOUGH : TN_NOT_ENOUGH;
}

/* Classes back to objects: any free one of the class will do. */
static void hand_out(tn_arena *scratch, const sweep *s, tn_sharing *out) {
    const tn_slot_group *g = s->g;
    uint32_t *class_of = TN_ARRAY(scratch, uint32_t, g->n), n = 0, first[UINT8_MAX];
    for (uint32_t step = g->n, state = 0; step-- > 0;) {
        class_of[step] = s->layers[step].choice[state];
        state = s->layers[step].from[state];
    }
    for (uint32_t c = 0; c < s->n_classes; c++) {
        first[c] = n;
        n += s->class_count[c];
    }
    uint32_t *free_from = TN_ARRAY(scratch, uint32_t, n); /* by object: when it is free again */
    for (uint32_t step = 0; step < g->n; step++) {
        uint32_t i = s->order[step], o = first[class_of[step]];
        while (free_from[o] > g->items[i].a) {
            o++;
        }
        free_from[o] = g->items[i].b;
        out->object[i] = o;
    }
    out->n_objects = n;
}

tn_enough tn_slots_sweep(tn_arena *scratch, tn_slot_sweep *s, const uint64_t *sizes, uint32_t n,
                         tn_sharing *out) {
    if (n >= UINT8_MAX) {
        return TN_ENOUGH_UNKNOWN;
    }
    make_classes(s, sizes, n);
    s->n_alive = 0;
    for (uint32_t step = 0; step < s->g->n; step++) {
        tn_enough enough = meet(scratch, s, step);
        if (enough != TN_ENOUGH) {
            return enough;
        }
    }
    hand_out(scratch, s, out);
    return TN_ENOUGH;
}
