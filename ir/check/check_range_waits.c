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

/* Storages of arenas that each step uses: those of step i are of[start[i]] up to of[start[i + 1]].
 */
typedef struct uses {
    uint32_t *start, *of;
} uses;

/* Whether value i has bytes to read and write: others in its storage may have some, and it none. */
static bool has_bytes(const tn_checking *c, uint32_t i) {
    const tn_plan_value *v = &c->p->values[i];
    return c->facts[i].placed && (v->bytes > 0 || v->bytes_expr != TN_DIM_UNKNOWN);
}

/* How many steps use value i, and the k-th of them. */
static uint32_t count_users(const tn_checking *c, uint32_t i) {
    const tn_fact *f = &c->facts[i];
    return has_bytes(c, i) ? (f->write >= 0) + f->n_reads : 0;
}

static uint32_t user_of(const tn_checking *c, const tn_fact *f, uint32_t k) {
    return k < f->n_reads ? c->read_steps[f->reads + k] : (uint32_t)f->write;
}

static uses find_uses(const tn_checking *c) {
    const tn_plan *p = c->p;
    uses u = {.start = TN_ARRAY(c->arena, uint32_t, p->n_steps + 2u)};
    for (uint32_t i = 0; i < p->n_values; i++) {
        for (uint32_t k = 0; k < count_users(c, i); k++) {
            u.start[user_of(c, &c->facts[i], k) + 2]++;
        }
    }
    for (uint32_t i = 0; i < p->n_steps; i++) {
        u.start[i + 2] += u.start[i + 1];
    }
    u.of = TN_ARRAY(c->arena, uint32_t, u.start[p->n_steps + 1]);
    for (uint32_t i = 0; i < p->n_values; i++) {
        for (uint32_t k = 0; k < count_users(c, i); k++) {
            u.of[u.start[user_of(c, &c->facts[i], k) + 1]++] = p->values[i].storage;
        }
    }
    return u;
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
            for (uint32_t w = 0; w <= low / 64; w++) { /* they have smaller numbers */
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

/* Whether the storage ended before `s` began, and nothing keeps the two apart. */
static bool may_share(const waiting *r, const uint64_t *below, uint32_t s, uint32_t ended) {
    const tn_storage *a = &r->c->p->storages[ended], *b = &r->c->p->storages[s];
    uint32_t words = tn_bit_words(r->c->p->n_storages), n = r->number[ended], at = r->number[s];
    return a->pool == b->pool && a->last < b->first && !is_empty(a) &&
           !tn_bit_has(below + (size_t)(n < at ? at : n) * words, n < at ? n : at);
}

/* A step that uses a storage which may share bytes with `s`, and that need not be done when the set
 * `before` is; or TN_NO_ID. Few steps are not in the set. */
static uint32_t find_unordered(const waiting *r, const uint64_t *below, uses u, uint32_t s,
                               uint32_t writer, const uint64_t *before) {
    const tn_checking *c = r->c;
    TN_FOR_BITS(step, w, ~before[w], writer / 64 + 1) {
        if (step >= writer) {
            break; /* the last word has bits of steps behind it, and of none at all */
        }
        for (uint32_t k = u.start[step]; k < u.start[step + 1]; k++) {
            if (may_share(r, below, s, u.of[k]) &&
                !tn_check_exclusive(c->step_op[step]->graph, c->step_op[writer]->graph)) {
                return (uint32_t)step;
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
    const uses u = find_uses(c);
    const uint64_t *below = find_below(r);
    const uint64_t *order = tn_order_closure(tn_order_new(c));
    uint32_t *asked = TN_ARRAY(c->arena, uint32_t, p->n_storages); /* the last step, plus 1 */
    for (uint32_t i = 0; i < p->n_values && c->n_reports == 0; i++) {
        const tn_fact *f = &c->facts[i];
        uint32_t s = p->values[i].storage;
        if (!has_bytes(c, i) || f->write < 0 ||
            p->pools[p->storages[s].pool].kind != TN_POOL_ARENA || is_empty(&p->storages[s]) ||
            asked[s] == (uint32_t)f->write + 1) {
            continue;
        }
        asked[s] = (uint32_t)f->write + 1;
        uint32_t missing = find_unordered(r, below, u, s, (uint32_t)f->write,
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
