#include "passes/pack/skyline.h"

static bool is_tall(const tn_skyline *s, uint32_t i) {
    return (s->tall[i / 64] >> (i % 64) & 1) != 0;
}

/* Where the last item that may end at the capacity has been placed below others, a unit is lost.
 * False when some section cannot spare it. Called after the item was placed. */
static bool leave_tall(tn_skyline *s, const tn_core_item *item) {
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
static void return_tall(tn_skyline *s, const tn_core_item *item) {
    for (uint32_t q = item->a; q < item->b; q++) {
        if (s->n_tall[q]++ == 0 && tn_skyline_load(s, q) > 0) {
            s->slack[q]++;
            s->top[q]++;
        }
    }
}

bool tn_skyline_place(tn_skyline *s, uint32_t i) {
    const tn_core_item *item = &s->core->items[i];
    uint64_t at = s->floor[item->a];
    for (uint32_t q = item->a; q < item->b; q++) {
        s->floor[q] = at + item->size;
    }
    for (uint32_t q = item->a + 1; q < item->b; q++) {
        s->crossing[q]--;
    }
    s->unplaced[i / 64] &= ~(UINT64_C(1) << (i % 64));
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
        const tn_core_item *item = &s->core->items[c.which];
        if (s->n_tall != NULL && is_tall(s, c.which)) {
            return_tall(s, item);
        }
        for (uint32_t q = item->a; q < item->b; q++) {
            s->floor[q] = c.floor;
        }
        for (uint32_t q = item->a + 1; q < item->b; q++) {
            s->crossing[q]++;
        }
        s->unplaced[c.which / 64] |= UINT64_C(1) << (c.which % 64);
    }
}

static void make_state(tn_skyline *s) {
    const tn_core *core = s->core;
    size_t n = core->n, m = core->n_sections;
    s->offset = TN_ARRAY(s->arena, uint64_t, n);
    s->unplaced = TN_ARRAY(s->arena, uint64_t, core->words);
    s->floor = TN_ARRAY(s->arena, uint64_t, m);
    s->slack = TN_ARRAY(s->arena, uint64_t, m);
    s->crossing = TN_ARRAY(s->arena, uint32_t, m);
    for (uint32_t i = 0; i < n; i++) {
        s->unplaced[i / 64] |= UINT64_C(1) << (i % 64);
        for (uint32_t q = core->items[i].a + 1; q < core->items[i].b; q++) {
            s->crossing[q]++;
        }
    }
}

/* The capacity of each section: a unit less where no item that lives there may end in the last one.
 * False when a section holds more. */
static bool find_tops(tn_skyline *s) {
    const tn_core *core = s->core;
    bool all = true, fine = true;
    s->tall = TN_ARRAY(s->arena, uint64_t, core->words);
    s->n_tall = TN_ARRAY(s->arena, uint32_t, core->n_sections);
    s->top = TN_ARRAY(s->arena, uint64_t, core->n_sections);
    for (uint32_t i = 0; i < core->n; i++) {
        bool tall = s->limit[i] + core->items[i].size == s->capacity;
        all &= tall;
        s->tall[i / 64] |= (uint64_t)tall << (i % 64);
        for (uint32_t q = core->items[i].a; q < core->items[i].b; q++) {
            s->n_tall[q] += tall;
        }
    }
    for (uint32_t q = 0; q < core->n_sections; q++) {
        s->top[q] = s->n_tall[q] > 0 ? s->capacity : s->capacity - 1;
        s->slack[q] = s->top[q] - core->load[q];
        fine &= core->load[q] <= s->top[q];
    }
    s->n_tall = all ? NULL : s->n_tall;
    return fine;
}

bool tn_skyline_make(tn_skyline *s, tn_arena *arena, const tn_core *core, uint64_t goal) {
    *s = (tn_skyline){.arena = arena, .core = core};
    s->limit = tn_core_limits(arena, core, goal, &s->capacity);
    if (s->limit == NULL) {
        return false;
    }
    make_state(s);
    return find_tops(s);
}
