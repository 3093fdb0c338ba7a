/* The elements of an axis that a result of Resize rests on. */
#ifndef RESAMPLE_H
#define RESAMPLE_H

#include "kernels.h"

typedef enum resize_mode { NEAREST, LINEAR, CUBIC } resize_mode;

enum { TAPS = 4 };

/* What is the same for all results along an axis. */
typedef struct resize_axis {
    float scale, roi_begin, roi_end;
    int64_t extent, result;
} resize_axis;

typedef struct resize {
    resize_mode mode;
    const char *coordinates, *nearest;
    float cubic_coefficient, extrapolation;
    int exclude_outside;
    size_t rank;
    resize_axis axes[MAX_RANK];
} resize;

/* The elements of an axis that a result rests on. */
typedef struct taps {
    size_t n;
    int64_t at[TAPS];
    float weight[TAPS];
} taps;

/* Where result `at` lies on the operand. */
float resize_coordinate(const resize *r, const resize_axis *a, int64_t at);
/* What a result rests on that lies at `x`. */
taps taps_at(const resize *r, const resize_axis *a, float x);

#endif
