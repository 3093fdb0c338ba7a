/* One work-item a row, which it reads as a whole before it writes any of it: the result may lie on
 * the operand. */

__kernel void softmax(__global const float *x, __global float *y, int extent, int behind) {
    size_t i = get_global_id(0), first = i / behind * extent * behind + i % behind;
    float most = -INFINITY, sum = 0.0f;
    for (int k = 0; k < extent; k++) {
        most = fmax(most, x[first + (size_t)k * behind]);
    }
    for (int k = 0; k < extent; k++) {
        float e = exp(x[first + (size_t)k * behind] - most);
        y[first + (size_t)k * behind] = e;
        sum += e;
    }
    for (int k = 0; k < extent; k++) {
        y[first + (size_t)k * behind] /= sum;
    }
}

__kernel void layer_normalization(__global const float *x, __global const float *scale,
                                  __global const float *bias, __global float *y, int extent,
                                  float epsilon) {
    size_t first = get_global_id(0) * extent;
    float mean = 0.0f, variance = 0.0f;
    for (int k = 0; k < extent; k++) {
        mean += x[first + k] / extent;
    }
    for (int k = 0; k < extent; k++) {
        variance += (x[first + k] - mean) * (x[first + k] - mean) / extent;
    }
    for (int k = 0; k < extent; k++) {
        float v = (x[first + k] - mean) / sqrt(variance + epsilon) * scale[k];
        y[first + k] = bias != 0 ? v + bias[k] : v;
    }
}

/* One work-item an element of the result; the walks go through what stays and what goes. */
__kernel void largest(__global const float *x, __global float *y, int8 kept, int8 kept_steps,
                      int8 gone, int8 gone_steps, int n) {
    size_t i = get_global_id(0);
    int first = place(i, kept, kept_steps);
    float most = -INFINITY;
    for (int k = 0; k < n; k++) {
        most = fmax(most, x[first + place(k, gone, gone_steps)]);
    }
    y[i] = most;
}
