/* Assertions by which the user's own compiler checks the plan again. */
#include <inttypes.h>

#include "backends/c_header/c_header_t.h"
#include "backends/c_header/resolve_t.h"
#include "ir/base/sort.h"

/* "X_SIZE", of what has two places the bytes from the begin of one to the end of the other. */
static const char *size_in_all(const tn_ch *h, const tn_storage *s, const char *id) {
    const char *size = tn_ch_constant(h, id, "SIZE");
    return s->second > 0
               ? tn_arena_printf(h->scratch, "%s + %s", tn_ch_constant(h, id, "SECOND"), size)
               : size;
}

/* Assertions of the kind 0 <= x are left out: compilers warn that they always hold. */
static void put_bounds(const tn_ch *h, const tn_plan_value *v, uint32_t number, const char *id) {
    const char *m = h->macro, *pool = h->pool_ids[h->p->storages[v->storage].pool];
    const char *offset = tn_ch_constant(h, id, "OFFSET"),
               *size = size_in_all(h, &h->p->storages[v->storage], id);
    bool fixed = tn_ch_pool_is_constant(h, h->p->storages[v->storage].pool);
    if (fixed && tn_plan_address(h->p, v) + v->bytes > 0) {
        tn_putf(h->out, "%s_ASSERT(b%" PRIu32 ", %s + %s <= %s, \"%s is outside of its pool\");\n",
                m, number, offset, size, tn_ch_constant(h, pool, "SIZE"), id);
    }
    tn_putf(h->out, "%s_ASSERT(a%" PRIu32 ", %s %% %s_%s_ALIGN == 0, \"%s is not aligned\");\n", m,
            number, offset, m, id, id);
    if (h->p->storages[v->storage].second > 0) {
        tn_putf(h->out, "%s_ASSERT(t%" PRIu32 ", %s %% %s_%s_ALIGN == 0, \"%s is not aligned\");\n",
                m, number, tn_ch_constant(h, id, "SECOND"), m, id, id);
    }
}

static void put_all_bounds(const tn_ch *h) {
    const tn_plan *p = h->p;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        /* Every size_t holds 65535. */
        bool large = p->pools[i].size > UINT16_MAX && tn_ch_pool_is_constant(h, i);
        if (tn_pool_is_ram(&p->pools[i]) && large) {
            tn_putf(h->out, "%s_ASSERT(p%" PRIu32 ", %s <= SIZE_MAX, \"%s is too large\");\n",
                    h->macro, i, tn_ch_constant(h, h->pool_ids[i], "SIZE"), h->pool_ids[i]);
        }
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (tn_ch_is_placed(&p->values[i]) && tn_ch_is_constant(h, &p->values[i])) {
            put_bounds(h, &p->values[i], i, h->value_ids[i]);
        }
    }
}

/* ---- disjointness ---- */

/* A storage during the steps in which no other storage may have its bytes. */
typedef struct span {
    const tn_storage *s;
    int32_t first, last;
} span;

static int by_pool_and_start(const void *a, const void *b) {
    const span *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->s->pool, y->s->pool), TN_COMPARE(x->first, y->first),
                       TN_COMPARE(x->s->id, y->s->id));
}

static int by_end(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return TN_COMPARE(x, y);
}

static uint32_t collect(const tn_ch *h, span *spans) {
    const tn_plan *p = h->p;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        tn_pool_kind kind = p->pools[s->pool].kind;
        const tn_plan_value *root = &p->values[s->root];
        bool constant = tn_ch_is_placed(root) && tn_ch_is_constant(h, root);
        if (kind == TN_POOL_CONST || !constant || root->bytes == 0) {
            continue;
        }
        bool always = s->pinned || kind == TN_POOL_IO;
        spans[n++] = (span){s, always ? -1 : s->first, always ? (int32_t)p->n_steps : s->last};
    }
    TN_SORT(spans, n, by_pool_and_start);
    return n;
}

/* How many pairs of one pool's spans meet: each span meets those that began before it and have not
 * ended. Sorted ends give that number without looking at the pairs. */
static uint64_t count_pairs(const tn_ch *h, const span *spans, uint32_t n) {
    int32_t *ends = TN_ARRAY(h->scratch, int32_t, n);
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < n; i++) {
        ends[i] = spans[i].last;
    }
    TN_SORT(ends, n, by_end);
    for (uint32_t i = 0, ended = 0; i < n; i++) {
        while (ended < n && ends[ended] < spans[i].first) {
            ended++;
        }
        pairs += i - ended;
    }
    return pairs;
}

/* By storage: the value that begins inside operands at the storage's first step, or TN_NO_ID. */
static const uint32_t *begun_inside(const tn_ch *h) {
    uint32_t *result = TN_ARRAY(h->scratch, uint32_t, h->p->n_storages);
    for (uint32_t i = 0; i < h->p->n_storages; i++) {
        result[i] = TN_NO_ID;
    }
    for (uint32_t i = 0; i < h->p->n_values; i++) {
        if (h->p->values[i].n_overlaps > 0) {
            result[h->p->values[i].storage] = i;
        }
    }
    return result;
}

/* Where the result begins inside an operand that lies in storage a, its distance; false where it
 * does not. */
static bool put_distance(const tn_ch *h, uint32_t number, const tn_storage *a, uint32_t result) {
    const tn_plan_value *v = result != TN_NO_ID ? &h->p->values[result] : NULL;
    for (uint32_t i = 0; v != NULL && i < v->n_overlaps; i++) {
        const tn_plan_overlap *o = &v->overlaps[i];
        if (h->p->values[o->value].storage != a->id) {
            continue;
        }
        const char *x = h->value_ids[o->value], *y = h->value_ids[result];
        tn_putf(h->out,
                "%s_ASSERT(d%" PRIu32 ", %s + %" PRIu64
                " <= %s, \"%s begins too late inside %s\");\n",
                h->macro, number, tn_ch_constant(h, y, "OFFSET"), o->distance,
                tn_ch_constant(h, x, "OFFSET"), y, x);
        return true;
    }
    return false;
}

static void put_pair(const tn_ch *h, uint32_t number, const tn_storage *a, const tn_storage *b) {
    const char *x = h->value_ids[a->root], *y = h->value_ids[b->root];
    const char *x_at = tn_ch_constant(h, x, "OFFSET"), *y_at = tn_ch_constant(h, y, "OFFSET");
    tn_putf(
        h->out, "%s_ASSERT(d%" PRIu32 ", %s + %s <= %s || %s + %s <= %s, \"%s and %s overlap\");\n",
        h->macro, number, x_at, size_in_all(h, a, x), y_at, y_at, size_in_all(h, b, y), x_at, x, y);
}

/* Pairs of one pool, in order of the step at which the later one begins, while *left lasts. */
static void put_pairs(const tn_ch *h, const span *spans, uint32_t n, const uint32_t *begun,
                      uint32_t *left) {
    TN_VEC(span) alive = {0};
    for (uint32_t i = 0; i<n && * left> 0; i++) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < alive.len; k++) {
            if (alive.data[k].last < spans[i].first) {
                continue;
            }
            alive.data[kept++] = alive.data[k];
            uint32_t number = h->max_pairs - *left;
            if (*left == 0) {
                continue;
            }
            if (!put_distance(h, number, alive.data[k].s, begun[spans[i].s->id])) {
                put_pair(h, number, alive.data[k].s, spans[i].s);
            }
            --*left;
        }
        alive.len = kept;
        tn_vec_push(h->scratch, &alive, spans[i]);
    }
}

static void put_disjoint(const tn_ch *h) {
    span *spans = TN_ARRAY(h->scratch, span, h->p->n_storages);
    uint32_t n = collect(h, spans), left = h->max_pairs;
    const uint32_t *begun = begun_inside(h);
    uint64_t pairs = 0;
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && spans[end].s->pool == spans[i].s->pool;) {
            end++;
        }
        pairs += count_pairs(h, spans + i, end - i);
        put_pairs(h, spans + i, end - i, begun, &left);
    }
    tn_putf(h->out,
            "/* %" PRIu32 " of %" PRIu64 " pairs of storages alive at the same step (option "
            "disjoint). */\n",
            h->max_pairs - left, pairs);
}

void tn_ch_put_asserts(const tn_ch *h) {
    tn_put(h->out, "\n/* What the compiler can check of the plan. */\n");
    put_all_bounds(h);
    put_disjoint(h);
}
