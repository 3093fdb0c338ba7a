#include "passes/pack/offsets/exact/skyline.h"

static bool is_tall(const tn_skyline *s, uint32_t i) {
    return tn_bit_has(s->tall, i);
}

/* Where the last item that may end at the capacity has been placed below others, a unit is lost.
 * False when some section cannot spare it. Called after the item was placed. */
static bool leave_tall(tn_skyline *s, const tn_rows_item *item) {
    bool fine = true;
    for (uint32_t q = item->a; q < item->b; q++) {
        if (--s->n_tall[q] == 0 && tn_skyline_load(s, q) > 0) {
            fine &= s->slack[q] > 0;
            s->slack[q]--;
            s->top[q]--;
        }
    }
    return fine;
}

/* Undoes leave_tall, before the item is taken back. */
static void return_tall(tn_skyline *s, const tn_rows_item *item) {
    for (uint32_t q = item->a; q < item->b; q++) {
        if (s->n_tall[q]++ == 0 && tn_skyline_load(s, q) > 0) {
            s->slack[q]++;
            s->top[q]++;
        }
    }
}

bool tn_skyline_place(tn_skyline *s, uint32_t i) {
    const tn_rows_item *item = &s->rows->items[i];
    uint64_t at = s->floor[item->a];
    for (uint32_t q = item->a; q < item->b; q++) {
        s->floor[q] = at + item->size;
    }
    for (uint32_t q = item->a + 1; q < item->b; q++) {
        s->crossing[q]--;
    }
    tn_bit_remove(s->unplaced, i);
    s->offset[i] = at;
    tn_vec_push(s->arena, &s->trail, (tn_sky_change){i, false, at});
    return s->n_tall == NULL || !is_tall(s, i) || leave_tall(s, item);
}

void tn_skyline_raise(tn_skyline *s, uint32_t section, uint64_t to) {
    tn_vec_push(s->arena, &s->trail, (tn_sky_change){section, true, s->floor[section]});
    s->slack[section] -= to - s->floor[section];
    s->floor[section] = to;
}

void tn_skyline_take_back(tn_skyline *s, uint32_t to) {
    while (s->trail.len > to) {
        tn_sky_change c = s->trail.data[--s->trail.len];
        if (c.skip) {
            s->slack[c.which] += s->floor[c.which] - c.floor;
            s->floor[c.which] = c.floor;
            continue;
        }
        const tn_rows_item *item = &s->rows->items[c.which];
        if (s->n_tall != NULL && is_tall(s, c.which)) {
            return_tall(s, item);
        }
        for (uint32_t q = item->a; q < item->b; q++) {
            s->floor[q] = c.floor;
        }
        for (uint32_t q = item->a + 1; q < item->b; q++) {
            s->crossing[q]++;
        }
        tn_bit_add(s->unplaced, c.which);
    }
}

static void make_state(tn_skyline *s) {
    const tn_rows *rows = s->rows;
    size_t n = rows->n, m = rows->n_sections;
    s->offset = TN_ARRAY(s->arena, uint64_t, n);
    s->unplaced = TN_ARRAY(s->arena, uint64_t, rows->words);
    s->floor = TN_ARRAY(s->arena, uint64_t, m);
    s->slack = TN_ARRAY(s->arena, uint64_t, m);
    s->crossing = TN_ARRAY(s->arena, uint32_t, m);
    for (uint32_t i = 0; i < n; i++) {
        tn_bit_add(s->unplaced, i);
        for (uint32_t q = rows->items[i].a + 1; q < rows->items[i].b; q++) {
            s->crossing[q]++;
        }
    }
}

/* The capacity of each section: a unit less where no item that is live there may end in the last
 * one. False when a section holds more. */
static bool find_tops(tn_skyline *s) {
    const tn_rows *rows = s->rows;
    bool all = true, fine = true;
    s->tall = TN_ARRAY(s->arena, uint64_t, rows->words);
    s->n_tall = TN_ARRAY(s->arena, uint32_t, rows->n_sections);
    s->top = TN_ARRAY(s->arena, uint64_t, rows->n_sections);
    for (uint32_t i = 0; i < rows->n; i++) {
        bool tall = s->limit[i] + rows->items[i].size == s->capacity;
        all &= tall;
        s->tall[i / 64] |= (uint64_t)tall << (i % 64);
        for (uint32_t q = rows->items[i].a; q < rows->items[i].b; q++) {
            s->n_tall[q] += tall;
        }
    }
    for (uint32_t q = 0; q < rows->n_sections; q++) {
        s->top[q] = s->n_tall[q] > 0 ? s->capacity : s->capacity - 1;
        s->slack[q] = s->top[q] - rows->load[q];
        fine &= rows->load[q] <= s->top[q];
    }
    s->n_tall = all ? NULL : s->n_tall;
    return fine;
}

bool tn_skyline_make(tn_skyline *s, tn_arena *arena, const tn_rows *rows, uint64_t goal) {
    *s = (tn_skyline){.arena = arena, .rows = rows};
    s->limit = tn_rows_limits(arena, rows, goal, &s->capacity);
    if (s->limit == NULL) {
        return false;
    }
    make_state(s);
    return find_tops(s);
}
