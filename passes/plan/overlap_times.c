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
 * forbid nothing. */
#include "passes/plan/overlap_times.h"

#include "ir/base/xmath.h"

enum { TIMES = 4 };

static void add_gap(tn_arena *arena, tn_pack_buffer *b, tn_pack_gap gap) {
    tn_pack_gap *gaps = TN_ARRAY(arena, tn_pack_gap, b->n_gaps + 1u);
    for (uint32_t i = 0; i < b->n_gaps; i++) {
        gaps[i] = b->gaps[i];
    }
    gaps[b->n_gaps++] = gap;
    b->gaps = gaps;
}

/* The first p bytes of the result, and all but the first q of the operand. */
typedef struct parts {
    uint64_t p, q;
} parts;

static parts parts_of(const tn_overlap_pair *pair, uint64_t under_size, uint64_t unit) {
    uint64_t far = pair->distance;
    (void)tn_align_u64(pair->distance, unit, &far); /* sums of sizes were looked at before */
    uint64_t q = far == 0 && under_size > unit ? unit : 0;
    return (parts){far + q > 0 ? far + q : unit, q};
}

/* A class begins in one pair before it dies in another, so gaps come in order of time. */
static void begin_inside(tn_arena *arena, tn_pack_buffer *over, int64_t at, uint64_t p) {
    over->first = at;
    if (p < over->size) {
        add_gap(arena, over, (tn_pack_gap){at, at + 1, 0, p});
    }
}

static void die_early(tn_arena *arena, tn_pack_buffer *under, int64_t at, uint64_t q) {
    under->last = at + 1;
    if (q > 0) {
        add_gap(arena, under, (tn_pack_gap){at, at + 1, q, under->size});
    }
}

void tn_overlap_times(tn_arena *arena, const tn_overlap_pairs *pairs, const bool *allowed,
                      const uint32_t *buffer_of, uint64_t unit, tn_pack_buffer *buffers,
                      uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        buffers[i].first *= TIMES;
        buffers[i].last *= TIMES;
    }
    for (int begins = 1; begins >= 0; begins--) {
        for (uint32_t i = 0; i < pairs->n; i++) {
            const tn_overlap_pair *pair = &pairs->at[i];
            uint32_t under = buffer_of[pair->under], over = buffer_of[pair->over];
            if ((allowed != NULL && !allowed[i]) || under == UINT32_MAX || over == UINT32_MAX) {
                continue;
            }
            parts in_use = parts_of(pair, buffers[under].size, unit);
            int64_t at = (int64_t)pair->step * TIMES + 1;
            if (begins == 1) {
                begin_inside(arena, &buffers[over], at, in_use.p);
            } else {
                die_early(arena, &buffers[under], at, in_use.q);
            }
        }
    }
}

int64_t tn_overlap_step(int64_t time) {
    return time >= 0 ? time / TIMES : -1;
}
