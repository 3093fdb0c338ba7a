/* Losses over classes: SoftmaxCrossEntropyLoss, NegativeLogLikelihoodLoss. Scores are of (batch,
 * classes, places...), labels of (batch, places...). */
#include "kernels.h"

typedef struct loss {
    const tenure_tensor *labels, *weights, *result;
    const char *reduction;
    int64_t ignored;
    int has_ignored;
} loss;

/* Logarithm of the probability of a class, given the scores of all, which stand `step` apart. */
static float log_probability(const float *x, size_t classes, size_t step, size_t class_at) {
    float best = x[0], sum = 0;
    for (size_t k = 1; k < classes; k++) {
        best = x[k * step] > best ? x[k * step] : best;
    }
    for (size_t k = 0; k < classes; k++) {
        sum += expf(x[k * step] - best);
    }
    return x[class_at * step] - best - logf(sum);
}

/* What label `i` counts, and in `class_at` which one it is; -1: it is no class. */
static float weight_of(const loss *l, size_t i, size_t classes, size_t *class_at) {
    int64_t label = whole_at(l->labels, i);
    *class_at = 0;
    if (l->has_ignored && label == l->ignored) {
        return 0;
    }
    if (label < 0 || label >= (int64_t)classes) {
        return -1;
    }
    *class_at = (size_t)label;
    return l->weights != NULL ? IN(l->weights, float)[label] : 1;
}

/* The loss of scores, or of logarithms of probabilities. */
static int loss_of(const loss *l, const tenure_tensor *x, int scores) {
    split s = split_at(x, 1);
    float sum = 0, weights = 0;
    int none = strcmp(l->reduction, "none") == 0, mean = strcmp(l->reduction, "mean") == 0;
    if (x->dtype != TENURE_DTYPE_F32 || !is_whole(l->labels)) {
        return BAD_TYPE2("f32, integers for labels", x, l->labels);
    }
    for (size_t i = 0; i < l->labels->elements; i++) {
        size_t class_at, first = i / s.behind * s.extent * s.behind + i % s.behind;
        float weight = weight_of(l, i, s.extent, &class_at);
        if (weight < 0) {
            return KERNEL_BAD_VALUE;
        }
        const float *row = IN(x, float) + first;
        float v =
            scores ? log_probability(row, s.extent, s.behind, class_at) : row[class_at * s.behind];
        v = weight > 0 ? -weight * v : 0;
        if (none) {
            OUT(l->result, float)[i] = v;
        }
        sum += v;
        weights += weight;
    }
    if (!none) {
        OUT(l->result, float)[0] = mean ? sum / weights : sum;
    }
    return 0;
}

static void log_probabilities(const tenure_tensor *x, const tenure_tensor *y) {
    split s = split_at(x, 1);
    for (size_t i = 0; i < y->elements; i++) {
        size_t class_at = i / s.behind % s.extent;
        OUT(y, float)
        [i] = log_probability(IN(x, float) + i - class_at * s.behind, s.extent, s.behind, class_at);
    }
}

#define SOFTMAX_LOSS(version)                                                                      \
    int tenure_SoftmaxCrossEntropyLoss_##version(                                                  \
        const tenure_SoftmaxCrossEntropyLoss_##version##_attributes *attributes,                   \
        const tenure_tensor *x, const tenure_tensor *labels, const tenure_tensor *weights,         \
        const tenure_tensor *y, const tenure_tensor *logarithms, const tenure_context *c) {        \
        const loss l = {labels,                                                                    \
                        weights,                                                                   \
                        y,                                                                         \
                        attributes->reduction,                                                     \
                        attributes->ignore_index,                                                  \
                        attributes->has_ignore_index};                                             \
        int bad = loss_of(&l, x, 1);                                                               \
        (void)c;                                                                                   \
        if (!bad && logarithms != NULL) {                                                          \
            log_probabilities(x, logarithms);                                                      \
        }                                                                                          \
        return bad;                                                                                \
    }
SOFTMAX_LOSS(12)
SOFTMAX_LOSS(13)

#define LIKELIHOOD_LOSS(version)                                                                   \
    int tenure_NegativeLogLikelihoodLoss_##version(                                                \
        const tenure_NegativeLogLikelihoodLoss_##version##_attributes *attributes,                 \
        const tenure_tensor *x, const tenure_tensor *labels, const tenure_tensor *weights,         \
        const tenure_tensor *y, const tenure_context *c) {                                         \
        const loss l = {labels,                                                                    \
                        weights,                                                                   \
                        y,                                                                         \
                        attributes->reduction,                                                     \
                        attributes->ignore_index,                                                  \
                        attributes->has_ignore_index};                                             \
        (void)c;                                                                                   \
        return loss_of(&l, x, 0);                                                                  \
    }
LIKELIHOOD_LOSS(12)
LIKELIHOOD_LOSS(13)
LIKELIHOOD_LOSS(22)
