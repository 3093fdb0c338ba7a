/* The packer knows live ranges, and times at which only a part of a buffer is in use. Each step
 * becomes four times, so that at step t
 *
 *   time     4t         4t + 1       4t + 2, 4t + 3
 *   operand  all of it  all but the first q bytes
 *   result              its first p  all of it
 *   others   all        all          all
 *
 * At 4t + 1 the operand begins p - q bytes behind the result, or the one ends before the other
 * begins: p - q is the distance. At 4t the operand, and from 4t + 2 on the result, lie apart from
 * all others that the step needs, whichever these are; and a step has one such operand, so no other
 * result can slip into its bytes. A distance of 0 has p = q, a unit of the alignment: p = 0 would
 * forbid nothing. Bounds are those of the packer: at the step the larger of the result, and the
 * distance and the operand, beside all others. */
#include "passes/plan/overlap_layout.h"

#include <string.h>

#include "ir/base/xmath.h"

enum { TIMES = 4 };
/* Overlaps of which it is asked, one by one, whether the arena could do without, and the nodes that
 * packing may search for each. */
enum { MOST_DROPPED = 48, DROP_NODES = 20000 };

typedef struct trial {
    const tn_layout_ask *ask;
    const tn_overlap_pairs *pairs;
    tn_arena *arena;
    tn_layout *layout;
    uint32_t *buffer_of; /* by class */
    bool *allowed;       /* by pair */
    uint32_t n_allowed;
    tn_pack_result best;
} trial;

static tn_pack_gap *add_gap(trial *t, tn_pack_buffer *b, tn_pack_gap gap) {
    tn_pack_gap *gaps = TN_ARRAY(t->arena, tn_pack_gap, b->n_gaps + 1u);
    for (uint32_t i = 0; i < b->n_gaps; i++) {
        gaps[i] = b->gaps[i];
    }
    gaps[b->n_gaps++] = gap;
    b->gaps = gaps;
    return gaps;
}

/* A class begins in one pair before it dies in another, so gaps come in order of time. */
static void allow(trial *t, tn_pack_buffer *buffers, const tn_overlap_pair *p, bool begins) {
    tn_pack_buffer *under = &buffers[t->buffer_of[p->under]],
                   *over = &buffers[t->buffer_of[p->over]];
    int64_t at = (int64_t)p->step * TIMES + 1;
    uint64_t unit = t->ask->align, far = p->distance;
    (void)tn_align_u64(p->distance, unit, &far); /* less than the result has, which is rounded */
    uint64_t skipped = far == 0 && under->size > unit ? unit : 0;
    uint64_t held = far + skipped > 0 ? far + skipped : unit;
    if (begins) {
        over->first = at;
        if (held < over->size) {
            add_gap(t, over, (tn_pack_gap){at, at + 1, 0, held});
        }
        return;
    }
    under->last = at + 1;
    if (skipped > 0) {
        add_gap(t, under, (tn_pack_gap){at, at + 1, skipped, under->size});
    }
}

static tn_pack_buffer *buffers_of(trial *t) {
    const tn_layout *l = t->layout;
    tn_pack_buffer *out = TN_ARRAY(t->arena, tn_pack_buffer, l->n_buffers);
    for (uint32_t i = 0; i < l->n_buffers; i++) {
        out[i] = l->buffers[i];
        out[i].first *= TIMES;
        out[i].last *= TIMES;
    }
    for (int begins = 1; begins >= 0; begins--) {
        for (uint32_t i = 0; i < t->pairs->n; i++) {
            if (t->allowed[i]) {
                allow(t, out, &t->pairs->at[i], begins == 1);
            }
        }
    }
    return out;
}

/* Packs with the pairs that are allowed; kept where that is no higher than `limit`. */
static tn_status try_pairs(trial *t, uint64_t limit, uint64_t nodes, bool *kept) {
    tn_pack_options o = {.effort = t->ask->effort, .algorithm = t->ask->algorithm};
    tn_pack_result r;
    if (nodes > 0) {
        o.budget = nodes;
        o.capacity = limit;
        o.effort = o.effort > 1 ? 1 : o.effort;
    }
    tn_status status = tn_pack(t->arena, buffers_of(t), t->layout->n_buffers, &o, &r);
    status = status == TN_NOFIT ? TN_OK : status;
    *kept = status == TN_OK && r.height <= limit;
    if (*kept) {
        t->best = r;
    }
    t->layout->bound =
        status == TN_OK && nodes == 0 && r.bound < t->layout->bound ? r.bound : t->layout->bound;
    return status;
}

/* Whether the result begins inside the operand, as laid out. */
static bool overlaps(const trial *t, const tn_overlap_pair *p) {
    uint32_t under = t->buffer_of[p->under], over = t->buffer_of[p->over];
    uint64_t lo = t->best.offsets[under], at = t->best.offsets[over];
    return lo < at + t->layout->buffers[over].size && at < lo + t->layout->buffers[under].size;
}

/* Pairs that share no byte ask nothing of their kernels. */
static void leave_unused(trial *t) {
    for (uint32_t i = 0; i < t->pairs->n; i++) {
        if (t->allowed[i] && !overlaps(t, &t->pairs->at[i])) {
            t->allowed[i] = false;
            t->n_allowed--;
        }
    }
}

static tn_status drop_needless(trial *t) {
    tn_status status = TN_OK;
    uint32_t tried = 0;
    for (uint32_t i = 0; i < t->pairs->n && tried < MOST_DROPPED && status == TN_OK; i++) {
        if (!t->allowed[i]) {
            continue;
        }
        bool kept;
        tried++;
        t->allowed[i] = false;
        status = try_pairs(t, t->best.height, DROP_NODES, &kept);
        t->allowed[i] = !kept;
        if (kept) {
            t->n_allowed--;
            leave_unused(t);
        }
    }
    return status;
}

static int64_t step_of(int64_t time) {
    return time >= 0 ? time / TIMES : -1;
}

static void store(trial *t) {
    tn_layout *l = t->layout;
    uint64_t *offset = TN_ARRAY(t->arena, uint64_t, t->pairs->n == 0 ? 0 : l->n_classes);
    memcpy(offset, l->offset, l->n_classes * sizeof *offset);
    for (uint32_t i = 0; i < l->n_buffers; i++) {
        offset[l->class_of[i]] = t->best.offsets[i];
    }
    tn_overlap_pair *used = TN_ARRAY(t->arena, tn_overlap_pair, t->n_allowed);
    for (uint32_t i = 0; i < t->pairs->n; i++) {
        if (t->allowed[i]) {
            used[l->n_overlaps++] = t->pairs->at[i];
        }
    }
    l->overlaps = used;
    l->offset = offset;
    l->size = l->level1 = t->best.height;
    l->algorithm = t->best.algorithm;
    l->peak_step = step_of(t->best.bound_time);
}

tn_status tn_overlap_layout(tn_ctx *ctx, const tn_layout_ask *ask, const tn_overlap_pairs *pairs,
                            tn_arena *arena, tn_layout *layout) {
    trial t = {.ask = ask,
               .pairs = pairs,
               .arena = arena,
               .layout = layout,
               .buffer_of = TN_ARRAY(arena, uint32_t, layout->n_classes),
               .allowed = TN_ARRAY(arena, bool, pairs->n),
               .n_allowed = pairs->n};
    bool smaller = false;
    if (pairs->n == 0) {
        return TN_OK;
    }
    for (uint32_t i = 0; i < layout->n_buffers; i++) {
        t.buffer_of[layout->class_of[i]] = i;
    }
    memset(t.allowed, 1, pairs->n * sizeof *t.allowed);
    tn_status status = try_pairs(&t, layout->size - 1, 0, &smaller);
    if (status == TN_OK && smaller) {
        leave_unused(&t);
        status = drop_needless(&t);
        store(&t);
    }
    if (status != TN_OK) {
        tn_error(ctx, NULL, "sizes add up to more than 2^63 bytes");
    }
    return status;
}
