#include "backends/c_header/overlaps.h"

#include "ir/base/sort.h"

/* The bytes of one operand or result. */
typedef struct extent {
    uint32_t pool, value;
    uint64_t start, end;
    uint32_t rank; /* position in the step's lists, writes first */
    bool written;
} extent;

typedef TN_VEC(extent) extents;

static int by_address(const void *a, const void *b) {
    const extent *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->pool, y->pool), TN_COMPARE(x->start, y->start),
                       TN_COMPARE(x->rank, y->rank));
}

static void add(tn_arena *arena, const tn_plan *p, extents *all, tn_ids ids, bool written) {
    for (uint32_t i = 0; i < ids.len; i++) {
        const tn_plan_value *v = &p->values[ids.data[i]];
        if (v->storage == TN_NO_ID || v->bytes == 0) {
            continue;
        }
        uint64_t start = tn_plan_address(p, v);
        tn_vec_push(arena, all,
                    (extent){.pool = p->storages[v->storage].pool,
                             .value = ids.data[i],
                             .start = start,
                             .end = start + v->bytes,
                             .rank = all->len,
                             .written = written});
    }
}

/* A pair and where it stands in the step's lists. */
typedef struct found {
    uint32_t written_rank, other_rank;
    tn_overlap pair;
} found;

typedef TN_VEC(found) founds;

static int by_rank(const void *a, const void *b) {
    const found *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->written_rank, y->written_rank),
                       TN_COMPARE(x->other_rank, y->other_rank));
}

/* Meets `e` with the open extents of one kind and drops those that ended before it. */
static void meet(tn_arena *arena, extents *open, const extent *e, founds *out) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < open->len; i++) {
        const extent *o = &open->data[i];
        if (o->pool != e->pool || o->end <= e->start) {
            continue;
        }
        const extent *w = e->written && (!o->written || e->rank < o->rank) ? e : o;
        const extent *x = w == e ? o : e;
        if (o->value != e->value) {
            tn_vec_push(arena, out, (found){w->rank, x->rank, {w->value, x->value}});
        }
        open->data[kept++] = *o;
    }
    open->len = kept;
}

/* Extents are swept by address. Reads never meet reads, so an op that reads many views of one
 * buffer costs no more than one that reads many buffers. */
tn_overlaps tn_step_overlaps(tn_arena *arena, const tn_plan *p, const tn_plan_step *s) {
    extents all = {0}, reads = {0}, writes = {0};
    founds found_pairs = {0};
    tn_overlaps out = {0};
    add(arena, p, &all, s->writes, true);
    add(arena, p, &all, s->reads, false);
    TN_SORT(all.data, all.len, by_address);
    for (uint32_t i = 0; i < all.len; i++) {
        const extent *e = &all.data[i];
        meet(arena, &writes, e, &found_pairs);
        if (e->written) {
            meet(arena, &reads, e, &found_pairs);
            tn_vec_push(arena, &writes, *e);
        } else {
            tn_vec_push(arena, &reads, *e);
        }
    }
    TN_SORT(found_pairs.data, found_pairs.len, by_rank);
    for (uint32_t i = 0; i < found_pairs.len; i++) {
        tn_overlap pair = found_pairs.data[i].pair;
        bool again = out.len > 0 && out.data[out.len - 1].written == pair.written &&
                     out.data[out.len - 1].other == pair.other;
        if (!again) {
            tn_vec_push(arena, &out, pair);
        }
    }
    return out;
}
