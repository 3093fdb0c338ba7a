/* The parts of the weights backend: what goes into an image, and the forms it is written in. */
#ifndef TENURE_BACKENDS_WEIGHTS_WEIGHTS_T_H
#define TENURE_BACKENDS_WEIGHTS_WEIGHTS_T_H

#include "backends/core/emit.h"
#include "ir/base/sha256.h"

/* A tensor of the model and where the plan has it. */
typedef struct tn_image_item {
    const tn_tensor *tensor;
    uint64_t offset; /* in the segment */
} tn_image_item;

/* Bytes that stand together in a pool before the first run. */
typedef struct tn_image_segment {
    uint32_t pool;
    uint64_t offset, size;       /* in the pool */
    uint32_t value;              /* of the plan; not of pools of constants */
    TN_VEC(tn_image_item) items; /* by offset; what no item covers is 0 */
} tn_image_segment;

/* First the whole of each pool of constants; then inputs with a default and state that the model
 * gives a value, one segment each. */
typedef struct tn_image {
    const tn_plan *plan;
    TN_VEC(tn_image_segment) segments;
    uint32_t n_const; /* segments that are pools of constants */
} tn_image;

/* What the plan's constants are in the model. TN_ERROR after a diagnostic when the model lacks one,
 * has another type for it, or its bytes are not at hand. */
TN_MUST_USE tn_status tn_image_collect(tn_arena *arena, const tn_plan *p, const tn_module *m,
                                       tn_image *out);
/* All bytes of a segment. */
void tn_image_put(const tn_image_segment *s, tn_sink *out);

/* The forms. The binary one is described in docs/PLAN.md. */
void tn_image_put_bin(const tn_image *image, tn_sink *out);
/* Bytes from the start of the binary form to the first of segment i. */
uint64_t tn_image_at(const tn_image *image, uint32_t i);

#endif
