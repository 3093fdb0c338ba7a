/* What has changed. */
#include <string.h>

#include "ir/base/sort.h"
#include "ir/plan/plan_names.h"
#include "lib/diff/diff_t.h"

const char *const tn_diff_kind_names[] = {
    [TN_CHANGE_PEAK] = "peak",   [TN_CHANGE_ALIAS] = "alias", [TN_CHANGE_SIZE] = "size",
    [TN_CHANGE_LIFE] = "life",   [TN_CHANGE_POOL] = "pool",   [TN_CHANGE_PLACED] = "placed",
    [TN_CHANGE_MOVED] = "moved", [TN_CHANGE_NEW] = "new",     [TN_CHANGE_GONE] = "gone"};
const char *const tn_diff_kind_heads[] = {[TN_CHANGE_PEAK] = "alive at the peak",
                                          [TN_CHANGE_ALIAS] = "shared bytes",
                                          [TN_CHANGE_SIZE] = "other sizes",
                                          [TN_CHANGE_LIFE] = "other lives",
                                          [TN_CHANGE_MOVED] = "other offsets, and why",
                                          [TN_CHANGE_POOL] = "other pools",
                                          [TN_CHANGE_PLACED] = "with and without a place",
                                          [TN_CHANGE_NEW] = "new values",
                                          [TN_CHANGE_GONE] = "values that are gone"};

const tn_plan_value *tn_diff_value(const tn_diff *d, const tn_change *c) {
    return c->after != TN_NO_ID ? &d->p[1]->values[c->after] : &d->p[0]->values[c->before];
}

static void add(tn_diff *d, tn_change c) {
    tn_vec_push(d->arena, &d->changes, c);
    d->n[c.kind]++;
    d->differ = true;
}

static int64_t grown(uint64_t before, uint64_t after) {
    return (int64_t)(after - before);
}

/* "in place over \"x\"", "bytes of its own". */
static const char *shares(const tn_diff *d, int side, const tn_plan_value *v) {
    static const char *const words[] = {[TN_ALIAS_VIEW] = "a view of ",
                                        [TN_ALIAS_INPLACE] = "in place over ",
                                        [TN_ALIAS_UPDATE] = "an update of ",
                                        [TN_ALIAS_SHARE] = "in the bytes of "};
    tn_sink text = tn_sink_make(d->arena);
    if (v->n_overlaps > 0) {
        const tn_plan_overlap *o = &v->overlaps[0];
        tn_putf(&text, "beginning (%s) inside ", tn_work_order_words[o->order]);
        tn_put_quoted(&text, d->p[side]->values[o->value].name);
        return text.data;
    }
    if (v->alias_of == TN_NO_ID || v->alias == TN_ALIAS_NONE) {
        return "in bytes of its own";
    }
    tn_put(&text, words[v->alias]);
    tn_put_quoted(&text, d->p[side]->values[v->alias_of].name);
    return text.data;
}

static bool same_overlaps(const tn_diff *d, const tn_plan_value *b, const tn_plan_value *a) {
    bool same = b->n_overlaps == a->n_overlaps;
    for (uint32_t i = 0; i < b->n_overlaps && same; i++) {
        const tn_plan_overlap *x = &b->overlaps[i], *y = &a->overlaps[i];
        same = d->partner[0][x->value] == y->value && x->order == y->order;
    }
    return same;
}

static bool same_alias(const tn_diff *d, const tn_plan_value *b, const tn_plan_value *a) {
    uint32_t of = b->alias_of != TN_NO_ID ? d->partner[0][b->alias_of] : TN_NO_ID;
    return b->alias == a->alias && (b->alias_of == TN_NO_ID) == (a->alias_of == TN_NO_ID) &&
           of == a->alias_of && same_overlaps(d, b, a);
}

/* A step of the first plan, in steps of the second; as it is where none is matched. */
static int32_t step_after(const tn_diff *d, int32_t step) {
    bool inside = step >= 0 && (uint32_t)step < d->p[0]->n_steps;
    if (inside && d->step_after[step] != TN_NO_ID) {
        return (int32_t)d->step_after[step];
    }
    return inside ? step : step < 0 ? step : (int32_t)d->p[1]->n_steps;
}

/* By how many steps the value is needed longer, of those that both plans have. */
static int64_t longer(const tn_diff *d, const tn_plan_value *b, const tn_plan_value *a) {
    return ((int64_t)a->last - a->first) -
           ((int64_t)step_after(d, b->last) - step_after(d, b->first));
}

static const char *place(const tn_diff *d, int side, const tn_plan_value *v) {
    return d->p[side]->pools[d->p[side]->storages[v->storage].pool].name;
}

static const char *place_words(const tn_diff *d, const tn_plan_value *b, const tn_plan_value *a) {
    tn_sink text = tn_sink_make(d->arena);
    tn_put(&text, "in ");
    tn_diff_put_word(&text, place(d, 1, a));
    tn_put(&text, ", was in ");
    tn_diff_put_word(&text, place(d, 0, b));
    return text.data;
}

/* NULL where the plans are not based on one another. */
static const char *moved_words(const tn_diff *d, const tn_plan_value *b, uint32_t after) {
    const tn_plan_shift *shift = tn_plan_find_shift(d->p[1], after);
    uint64_t was = tn_plan_address(d->p[0], b);
    if (shift == NULL || shift->offset != was || strcmp(shift->pool, place(d, 0, b)) != 0) {
        return NULL;
    }
    tn_sink text = tn_sink_make(d->arena);
    tn_putf(&text, "at byte %llu, was at %llu: ",
            (unsigned long long)tn_plan_address(d->p[1], &d->p[1]->values[after]),
            (unsigned long long)was);
    tn_put_shift_why(&text, d->p[1], shift);
    return text.data;
}

static const char *life_words(const tn_diff *d, const tn_plan_value *b, const tn_plan_value *a) {
    return tn_arena_printf(d->arena, "steps %d to %d, was %d to %d", a->first, a->last, b->first,
                           b->last);
}

static void compare_placed(tn_diff *d, tn_change c, const tn_plan_value *b,
                           const tn_plan_value *a) {
    const tn_plan *p0 = d->p[0], *p1 = d->p[1];
    if (!same_alias(d, b, a)) {
        c.kind = TN_CHANGE_ALIAS;
        c.bytes = (a->alias == TN_ALIAS_NONE ? (int64_t)a->bytes : 0) -
                  (b->alias == TN_ALIAS_NONE ? (int64_t)b->bytes : 0);
        c.why = tn_arena_printf(d->arena, "%s, was %s", shares(d, 1, a), shares(d, 0, b));
        add(d, c);
    }
    if (strcmp(place(d, 0, b), place(d, 1, a)) != 0) {
        c.kind = TN_CHANGE_POOL;
        c.bytes = 0;
        c.why = place_words(d, b, a);
        add(d, c);
    } else if (tn_plan_address(p0, b) != tn_plan_address(p1, a)) {
        d->n_moved++;
        d->differ = true;
        c.kind = TN_CHANGE_MOVED;
        c.bytes = 0;
        c.why = moved_words(d, b, c.after);
        if (c.why != NULL) {
            add(d, c);
        }
    }
    int64_t more = longer(d, b, a);
    if (more != 0) {
        c.kind = TN_CHANGE_LIFE;
        c.bytes = more < 0 ? -(int64_t)a->bytes : (int64_t)a->bytes;
        c.why = life_words(d, b, a);
        add(d, c);
    }
}

static void compare_values(tn_diff *d, uint32_t before, uint32_t after) {
    const tn_plan_value *b = &d->p[0]->values[before], *a = &d->p[1]->values[after];
    tn_change c = {.before = before, .after = after, .bytes = grown(b->bytes, a->bytes)};
    if ((b->storage == TN_NO_ID) != (a->storage == TN_NO_ID)) {
        c.kind = TN_CHANGE_PLACED;
        c.why = a->storage == TN_NO_ID ? "has no place any more" : "has a place now";
        add(d, c);
        return;
    }
    if (b->bytes != a->bytes || strcmp(b->type, a->type) != 0) {
        c.kind = TN_CHANGE_SIZE;
        c.why = tn_arena_printf(d->arena, "%s, was %s", a->type, b->type);
        add(d, c);
    }
    if (a->storage != TN_NO_ID) {
        compare_placed(d, c, b, a);
    }
}

/* Why there is a value that the model does not have; NULL where it has it. */
static const char *clone_words(const tn_diff *d, int side, uint32_t value) {
    uint32_t of = d->p[side]->values[value].clone_of;
    if (of == TN_NO_ID) {
        return NULL;
    }
    tn_sink text = tn_sink_make(d->arena);
    tn_put_quoted(&text, d->p[side]->values[of].name);
    tn_put(&text, " computed once more");
    return text.data;
}

static void find_values(tn_diff *d) {
    for (uint32_t i = 0; i < d->p[1]->n_values; i++) {
        uint32_t before = d->partner[1][i];
        if (before != TN_NO_ID) {
            compare_values(d, before, i);
        } else {
            add(d, (tn_change){.kind = TN_CHANGE_NEW,
                               .before = TN_NO_ID,
                               .after = i,
                               .why = clone_words(d, 1, i),
                               .bytes = (int64_t)d->p[1]->values[i].bytes});
        }
    }
    for (uint32_t i = 0; i < d->p[0]->n_values; i++) {
        if (d->partner[0][i] == TN_NO_ID) {
            add(d, (tn_change){.kind = TN_CHANGE_GONE,
                               .before = i,
                               .after = TN_NO_ID,
                               .why = clone_words(d, 0, i),
                               .bytes = -(int64_t)d->p[0]->values[i].bytes});
        }
    }
}

/* ---- the peak ---- */

/* Why a storage is alive at the peak of plan `side`, and no storage of its root is at that of the
 * other one. */
static const char *reason(const tn_diff *d, int side, uint32_t root, uint32_t other) {
    const tn_plan_value *v = &d->p[side]->values[root];
    if (other == TN_NO_ID) {
        return side == 1 ? "a new value" : "the value is gone";
    }
    const tn_plan_value *o = &d->p[1 - side]->values[other];
    const tn_plan_value *b = side == 1 ? o : v, *a = side == 1 ? v : o;
    if (o->storage == TN_NO_ID) {
        return side == 1 ? "had no place" : "has no place any more";
    }
    if (!same_alias(d, b, a)) {
        return tn_arena_printf(d->arena, "%s, was %s", shares(d, 1, a), shares(d, 0, b));
    }
    if (strcmp(place(d, 0, b), place(d, 1, a)) != 0) {
        return place_words(d, b, a);
    }
    if (longer(d, b, a) != 0) {
        return tn_arena_printf(d->arena, "needed %s: %s",
                               longer(d, b, a) > 0 ? "longer" : "less long", life_words(d, b, a));
    }
    return side == 1 ? "the peak is where it is alive now" : "the peak is elsewhere now";
}

/* By storage of plan `side`: whether it is alive at the peak. */
static bool *at_peak(const tn_diff *d, int side) {
    bool *alive = TN_ARRAY(d->arena, bool, d->p[side]->n_storages);
    const tn_ids *peak = &d->p[side]->report.peak;
    for (uint32_t i = 0; i < peak->len; i++) {
        alive[peak->data[i]] = true;
    }
    return alive;
}

/* Storages of the first plan by the value that owns them: the first one, and the one behind each. A
 * plan from a file may have several. */
typedef struct owned {
    uint32_t *first, *next;
} owned;

static owned storages_of(const tn_diff *d) {
    const tn_plan *p = d->p[0];
    owned o = {TN_ARRAY(d->arena, uint32_t, p->n_values),
               TN_ARRAY(d->arena, uint32_t, p->n_storages)};
    for (uint32_t i = 0; i < p->n_values; i++) {
        o.first[i] = TN_NO_ID;
    }
    for (uint32_t i = p->n_storages; i-- > 0;) {
        uint32_t root = p->storages[i].root;
        o.next[i] = o.first[root];
        o.first[root] = i;
    }
    return o;
}

/* The storage of the first plan that is alive at its peak, has no counterpart yet, and is owned by
 * the value that owns this one of the second plan, or else holds it. */
static uint32_t counterpart(const tn_diff *d, uint32_t root, const owned *o, const bool *alone) {
    uint32_t value = d->partner[1][root];
    if (value == TN_NO_ID) {
        return TN_NO_ID;
    }
    for (uint32_t i = o->first[value]; i != TN_NO_ID; i = o->next[i]) {
        if (alone[i]) {
            return i;
        }
    }
    uint32_t storage = d->p[0]->values[value].storage;
    return storage != TN_NO_ID && alone[storage] ? storage : TN_NO_ID;
}

static void add_to_peak(tn_diff *d, int side, uint32_t root, int64_t bytes, const char *why) {
    uint32_t other = d->partner[side][root];
    add(d, (tn_change){.kind = TN_CHANGE_PEAK,
                       .before = side == 0 ? root : other,
                       .after = side == 1 ? root : other,
                       .bytes = bytes,
                       .why = why != NULL ? why : reason(d, side, root, other)});
}

/* Each storage of one peak is at most one of the other, so what is told adds up to what more is
 * alive. */
static void find_peak(tn_diff *d) {
    bool *alone = at_peak(d, 0);
    const bool *alive = at_peak(d, 1);
    const owned storages = storages_of(d);
    for (uint32_t i = 0; i < d->p[1]->n_storages; i++) {
        const tn_storage *s = &d->p[1]->storages[i];
        if (!alive[i]) {
            continue;
        }
        uint32_t at = counterpart(d, s->root, &storages, alone);
        if (at == TN_NO_ID) {
            add_to_peak(d, 1, s->root, (int64_t)s->size, NULL);
            continue;
        }
        alone[at] = false;
        int64_t more = grown(d->p[0]->storages[at].size, s->size);
        if (more != 0) {
            add_to_peak(d, 1, s->root, more, "its storage has another size");
        }
    }
    for (uint32_t i = 0; i < d->p[0]->n_storages; i++) {
        const tn_storage *s = &d->p[0]->storages[i];
        if (alone[i]) {
            add_to_peak(d, 0, s->root, -(int64_t)s->size, NULL);
        }
    }
}

/* ---- all ---- */

static int by_weight(const void *x, const void *y) {
    const tn_change *a = x, *b = y;
    int64_t wa = a->bytes < 0 ? -a->bytes : a->bytes, wb = b->bytes < 0 ? -b->bytes : b->bytes;
    uint32_t ia = a->after != TN_NO_ID ? a->after : a->before;
    uint32_t ib = b->after != TN_NO_ID ? b->after : b->before;
    return TN_FIRST_OF(TN_COMPARE(a->kind, b->kind), TN_COMPARE(wb, wa), TN_COMPARE(ia, ib));
}

static void compare_figures(tn_diff *d) {
    uint32_t n;
    const tn_diff_figure *f = tn_diff_figures(d, &n);
    for (uint32_t i = 0; i < n; i++) {
        d->differ = d->differ || f[i].there[0] != f[i].there[1] || f[i].bytes[0] != f[i].bytes[1];
    }
    d->differ = d->differ || d->n_moved_steps > 0;
}

void tn_diff_find(tn_diff *d) {
    find_values(d);
    find_peak(d);
    compare_figures(d);
    TN_SORT(d->changes.data, d->changes.len, by_weight);
}
