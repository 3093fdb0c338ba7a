#include "ir/plan/plan_samples.h"

/* Extents that samples are made of, as far as they lie in the range. */
static const int64_t extents[] = {1, 2, 3, 7, 8, 16, 33, 64, 97, 128, 384, 509, 1024};
enum {
    N_EXTENTS = sizeof extents / sizeof extents[0],
    N_SMALLEST = 4,    /* dimensions that get samples with them at their smallest extent */
    N_OF_SMALLEST = 9, /* samples each */
    MAX_WINDOW = 97    /* extents above the lowest of a range that are drawn from */
};

static int64_t clip(const tn_plan_range *d, int64_t e) {
    int64_t length = d->max - d->min;
    if (e < d->min) {
        return d->min + e % (length < MAX_WINDOW ? length + 1 : MAX_WINDOW);
    }
    return e > d->max ? d->min + e % (length + 1) : e;
}

/* A fixed sequence without a pattern: the same samples for equal models. */
static int64_t drawn(const tn_plan_range *d, uint32_t sample, uint32_t i) {
    uint64_t mixed = (sample * UINT64_C(0x9e3779b97f4a7c15)) ^ (i * UINT64_C(0xd1342543de82ef95));
    return clip(d, extents[(tn_mix(mixed) >> 32) % N_EXTENTS]);
}

/* The same extent for all dimensions, but where ranges are short. */
static int64_t alike(const tn_plan_range *d, uint32_t sample) {
    return sample == 0 ? d->min > 1 ? d->min : d->max < 1 ? d->max : 1 : clip(d, extents[sample]);
}

static int64_t extent_of(const tn_plan *p, uint32_t sample, uint32_t i) {
    const tn_plan_range *d = &p->ranges[i];
    uint32_t smallest = (sample - N_EXTENTS) / N_OF_SMALLEST;
    if (sample < N_EXTENTS) {
        return alike(d, sample);
    }
    return smallest == i && i < N_SMALLEST ? alike(d, 0) : drawn(d, sample, i);
}

tn_plan_samples tn_plan_samples_make(tn_arena *arena, const tn_plan *p) {
    tn_plan_samples s = {.n = p->n_ranges > 1 ? TN_PLAN_SAMPLES : N_EXTENTS,
                         .n_ranges = p->n_ranges};
    for (uint32_t k = 0; k < s.n; k++) {
        s.of[k] = TN_ARRAY(arena, int64_t, p->n_ranges);
        for (uint32_t i = 0; i < p->n_ranges; i++) {
            s.of[k][i] = extent_of(p, k, i);
        }
    }
    return s;
}
