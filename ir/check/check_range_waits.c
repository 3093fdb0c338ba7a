/* Hazards and frees of plans with open dimensions: two storages that the relation does not join may
 * have bytes in common for some extents, so whoever writes one comes behind all who used the other,
 * on a runtime that runs steps side by side too. */
#include "ir/base/bits.h"
#include "ir/check/check_t.h"

/* Storages for which a table of all pairs is made. */
enum { MAX_ROWS = 1 << 14 };

typedef struct waiting {
    tn_checking *c;
    const uint32_t *number;  /* by storage */
    const uint32_t *storage; /* by number */
} waiting;

/* The steps that use a storage, as a list and as a set, which has few words: they are near each
 * other. */
typedef struct step_list {
    TN_VEC(uint32_t) steps;
    uint32_t word, n_words; /* the first word of the set, and how many there are */
    uint64_t *bits;
} step_list;

static void make_set(tn_checking *c, step_list *list) {
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t k = 0; k < list->steps.len; k++) {
        uint32_t step = list->steps.data[k];
        first = step < first ? step : first;
        last = step > last ? step : last;
    }
    list->word = first / 64;
    list->n_words = list->steps.len > 0 ? last / 64 - first / 64 + 1 : 0;
    list->bits = TN_ARRAY(c->arena, uint64_t, list->n_words);
    for (uint32_t k = 0; k < list->steps.len; k++) {
        tn_bit_add(list->bits, list->steps.data[k] - list->word * 64);
    }
}

/* Whether all of them are in the set `before`. */
static bool are_done(const step_list *list, const uint64_t *before) {
    uint32_t w = 0;
    while (w < list->n_words && (list->bits[w] & ~before[list->word + w]) == 0) {
        w++;
    }
    return w == list->n_words;
}

/* By storage. */
static step_list *find_users(tn_checking *c) {
    step_list *users = tn_arena_array(c->arena, c->p->n_storages, sizeof(step_list));
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        const tn_fact *f = &c->facts[i];
        if (!f->placed) {
            continue;
        }
        step_list *list = &users[c->p->values[i].storage];
        if (f->write >= 0) {
            tn_vec_push(c->arena, &list->steps, (uint32_t)f->write);
        }
        for (uint32_t k = 0; k < f->n_reads; k++) {
            tn_vec_push(c->arena, &list->steps, c->read_steps[f->reads + k]);
        }
    }
    for (uint32_t i = 0; i < c->p->n_storages; i++) {
        make_set(c, &users[i]);
    }
    return users;
}

/* By number: numbers of all that the storage lies above. */
static uint64_t *find_below(waiting *r) {
    const tn_plan *p = r->c->p;
    uint32_t words = tn_bit_words(p->n_storages);
    uint64_t *below = tn_arena_array(r->c->arena, (size_t)words * p->n_storages, sizeof *below);
    for (uint32_t n = 0; n < p->n_storages; n++) {
        tn_ids above = p->storages[r->storage[n]].above;
        uint64_t *row = below + (size_t)n * words;
        for (uint32_t k = 0; k < above.len; k++) {
            uint32_t low = r->number[above.data[k]];
            for (uint32_t w = 0; w < words; w++) {
                row[w] |= below[(size_t)low * words + w];
            }
            tn_bit_add(row, low);
        }
    }
    return below;
}

static bool is_empty(const tn_storage *s) {
    return s->size == 0 && s->size_expr == TN_DIM_UNKNOWN;
}

/* A step that uses a storage which ended before `s` began, from which nothing keeps it apart, and
 * that need not be done when the set `before` is; or TN_NO_ID. */
static uint32_t find_unordered(waiting *r, const uint64_t *below, const step_list *users,
                               uint32_t s, uint32_t writer, const uint64_t *before) {
    const tn_checking *c = r->c;
    const tn_plan *p = c->p;
    uint32_t words = tn_bit_words(p->n_storages), at = r->number[s];
    for (uint32_t t = 0; t < p->n_storages; t++) {
        const tn_storage *a = &p->storages[t], *b = &p->storages[s];
        uint32_t n = r->number[t];
        if (a->pool != b->pool || a->last >= b->first || is_empty(a) ||
            tn_bit_has(below + (size_t)(n < at ? at : n) * words, n < at ? n : at) ||
            are_done(&users[t], before)) {
            continue;
        }
        for (uint32_t k = 0; k < users[t].steps.len; k++) {
            uint32_t user = users[t].steps.data[k];
            if (!tn_bit_has(before, user) &&
                !tn_check_exclusive(c->step_op[user]->graph, c->step_op[writer]->graph)) {
                return user;
            }
        }
    }
    return TN_NO_ID;
}

/* Of very many storages that is not looked at one by one: then all steps come one behind the other.
 */
static void check_serial(tn_checking *c) {
    tn_order *order = tn_order_new(c);
    for (uint32_t at = 1; at < c->p->n_steps && c->n_reports == 0; at++) {
        uint32_t before = at - 1;
        if (c->p->steps[at].writes.len > 0 && tn_order_missing(order, at, &before, 1) != TN_NO_ID) {
            tn_check_fail(c, "%s does not wait for the step before it",
                          tn_check_step_name(c, (int32_t)at));
        }
    }
}

/* Every step that writes into a storage comes behind all steps that used what may have lain there.
 */
static void check_waits(waiting *r) {
    tn_checking *c = r->c;
    const tn_plan *p = c->p;
    if (p->n_storages > MAX_ROWS || p->n_steps > MAX_ROWS) {
        check_serial(c);
        return;
    }
    const step_list *users = find_users(c);
    const uint64_t *below = find_below(r);
    const uint64_t *order = tn_order_closure(tn_order_new(c));
    uint32_t *asked = TN_ARRAY(c->arena, uint32_t, p->n_storages); /* the last step, plus 1 */
    for (uint32_t i = 0; i < p->n_values && c->n_reports == 0; i++) {
        const tn_fact *f = &c->facts[i];
        uint32_t s = p->values[i].storage;
        if (!f->placed || f->write < 0 || p->pools[p->storages[s].pool].kind != TN_POOL_ARENA ||
            is_empty(&p->storages[s]) || asked[s] == (uint32_t)f->write + 1) {
            continue;
        }
        asked[s] = (uint32_t)f->write + 1;
        uint32_t missing = find_unordered(r, below, users, s, (uint32_t)f->write,
                                          order + (size_t)f->write * tn_bit_words(p->n_steps));
        if (missing != TN_NO_ID) {
            tn_check_fail(
                c,
                "%s writes %s, which may lie for some extents where %s uses bytes, but no "
                "hazard or data dependence orders the two",
                tn_check_step_name(c, f->write), tn_check_value_name(c, i),
                tn_check_step_name(c, (int32_t)missing));
        }
    }
}

/* Who frees later than at the last use may free what another has by then, for some extents. */
static void check_frees(tn_checking *c) {
    const tn_plan *p = c->p;
    for (uint32_t i = 0; i < p->n_steps; i++) {
        for (uint32_t k = 0; k < p->steps[i].frees.len; k++) {
            uint32_t s = p->steps[i].frees.data[k];
            if (p->storages[s].last != (int32_t)i) {
                tn_check_fail(c, "%s frees the storage of %s, which was used last at %s",
                              tn_check_step_name(c, (int32_t)i),
                              tn_check_value_name(c, p->storages[s].root),
                              tn_check_step_name(c, p->storages[s].last));
            }
        }
    }
}

void tn_check_range_waits(tn_checking *c, const uint32_t *number, const uint32_t *storage) {
    waiting r = {c, number, storage};
    check_waits(&r);
    check_frees(c);
}
