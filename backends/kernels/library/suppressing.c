/* NonMaxSuppression: of boxes that overlap those with the highest scores. */
#include "kernels.h"

typedef struct box {
    float low[2], high[2];
} box;

typedef struct limits {
    size_t most;
    float overlap, score;
    int has_score, centred;
} limits;

static box box_at(const tenure_tensor *boxes, size_t i, int centred) {
    const float *at = IN(boxes, float) + 4 * i;
    box b;
    for (size_t k = 0; k < 2; k++) {
        float u = centred ? at[1 - k] - at[3 - k] / 2 : at[k];
        float v = centred ? at[1 - k] + at[3 - k] / 2 : at[k + 2];
        b.low[k] = u < v ? u : v;
        b.high[k] = u < v ? v : u;
    }
    return b;
}

static float area_of(const box *b) {
    return (b->high[0] - b->low[0]) * (b->high[1] - b->low[1]);
}

/* What both have in common by what either has. */
static float overlap_of(const box *a, const box *b) {
    box both;
    for (size_t k = 0; k < 2; k++) {
        both.low[k] = a->low[k] > b->low[k] ? a->low[k] : b->low[k];
        both.high[k] = a->high[k] < b->high[k] ? a->high[k] : b->high[k];
        if (both.low[k] >= both.high[k]) {
            return 0;
        }
    }
    float common = area_of(&both), all = area_of(a) + area_of(b) - common;
    return all > 0 ? common / all : 0;
}

/* The box with the highest score behind that of the last one, equal ones by their number; `n`:
 * there is none. */
static size_t next_box(const float *scores, size_t n, size_t last, const limits *l) {
    size_t best = n;
    for (size_t k = 0; k < n; k++) {
        int behind =
            last == n || scores[k] < scores[last] || (scores[k] == scores[last] && k > last);
        if (behind && (!l->has_score || scores[k] > l->score) &&
            (best == n || scores[k] > scores[best])) {
            best = k;
        }
    }
    return best;
}

static int is_kept(const tenure_tensor *boxes, size_t first, size_t k, const tenure_tensor *y,
                   size_t from, size_t to, const limits *l) {
    box mine = box_at(boxes, first + k, l->centred);
    for (size_t i = from; i < to; i++) {
        box other = box_at(boxes, first + (size_t)OUT(y, int64_t)[3 * i + 2], l->centred);
        if (overlap_of(&mine, &other) > l->overlap) {
            return 0;
        }
    }
    return 1;
}

static int suppress(const tenure_tensor *boxes, const tenure_tensor *scores, const limits *l,
                    const tenure_tensor *y, const tenure_context *c) {
    size_t batches = (size_t)scores->dims[0], classes = (size_t)scores->dims[1];
    size_t n = (size_t)scores->dims[2], to = 0;
    for (size_t i = 0; i < batches * classes; i++) {
        const float *of = IN(scores, float) + i * n;
        size_t from = to, first = i / classes * n;
        for (size_t k = next_box(of, n, n, l); k < n && to - from < l->most;
             k = next_box(of, n, k, l)) {
            if (!is_kept(boxes, first, k, y, from, to, l)) {
                continue;
            }
            if (to >= (size_t)y->dims[0]) {
                return KERNEL_BAD_VALUE;
            }
            OUT(y, int64_t)[3 * to] = (int64_t)(i / classes);
            OUT(y, int64_t)[3 * to + 1] = (int64_t)(i % classes);
            OUT(y, int64_t)[3 * to++ + 2] = (int64_t)k;
        }
    }
    return found_extent(c, 0, y, 0, to);
}

#define SUPPRESS(version)                                                                          \
    int tenure_NonMaxSuppression_##version(                                                        \
        const tenure_NonMaxSuppression_##version##_attributes *attributes,                         \
        const tenure_tensor *boxes, const tenure_tensor *scores, const tenure_tensor *most,        \
        const tenure_tensor *overlap, const tenure_tensor *score, const tenure_tensor *y,          \
        const tenure_context *c) {                                                                 \
        int64_t n = most != NULL ? whole_at(most, 0) : 0;                                          \
        const limits l = {n > 0 ? (size_t)n : 0, overlap != NULL ? IN(overlap, float)[0] : 0,      \
                          score != NULL ? IN(score, float)[0] : 0, score != NULL,                  \
                          attributes->center_point_box != 0};                                      \
        return suppress(boxes, scores, &l, y, c);                                                  \
    }
SUPPRESS(10)
SUPPRESS(11)
