/* One work-item an element of the result, [n, channels, height, width]; 1-D is of height 1. */

typedef struct window {
    int height, width, kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w;
} window;

/* Where tap (i, j) of the window at (y, x) reads; -1 beyond the edge. */
int tap(const window *w, int y, int x, int i, int j) {
    int h = y * w->stride_h - w->pad_h + i * w->dilation_h;
    int v = x * w->stride_w - w->pad_w + j * w->dilation_w;
    return h >= 0 && h < w->height && v >= 0 && v < w->width ? h * w->width + v : -1;
}

#define WINDOW                                                                                     \
    int height, int width, int kernel_h, int kernel_w, int stride_h, int stride_w, int pad_h,      \
        int pad_w, int dilation_h, int dilation_w
#define GIVEN                                                                                      \
    {height, width, kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w}

__kernel void convolution(__global const float *x, __global const float *w, __global const float *b,
                          __global float *y, WINDOW, int out_h, int out_w, int channels, int filters,
                          int group) {
    const window win = GIVEN;
    int i = get_global_id(0), column = i % out_w, row = i / out_w % out_h;
    int filter = i / out_w / out_h % filters, n = i / out_w / out_h / filters;
    int per_group = channels / group, first = filter / (filters / group) * per_group;
    float sum = b != 0 ? b[filter] : 0.0f;
    for (int c = 0; c < per_group; c++) {
        for (int k = 0; k < kernel_h * kernel_w; k++) {
            int at = tap(&win, row, column, k / kernel_w, k % kernel_w);
            if (at >= 0) {
                sum += x[(n * channels + first + c) * height * width + at] *
                       w[(filter * per_group + c) * kernel_h * kernel_w + k];
            }
        }
    }
    y[i] = sum;
}

__kernel void largest_in_window(__global const float *x, __global float *y, WINDOW, int out_h,
                                int out_w) {
    const window win = GIVEN;
    int i = get_global_id(0), column = i % out_w, row = i / out_w % out_h;
    float most = -INFINITY;
    for (int k = 0; k < kernel_h * kernel_w; k++) {
        int at = tap(&win, row, column, k / kernel_w, k % kernel_w);
        most = at >= 0 ? fmax(most, x[i / out_w / out_h * height * width + at]) : most;
    }
    y[i] = most;
}

__kernel void mean_in_window(__global const float *x, __global float *y, WINDOW, int out_h,
                             int out_w, int count_pads) {
    const window win = GIVEN;
    int i = get_global_id(0), column = i % out_w, row = i / out_w % out_h, n = 0;
    float sum = 0.0f;
    for (int k = 0; k < kernel_h * kernel_w; k++) {
        int at = tap(&win, row, column, k / kernel_w, k % kernel_w);
        sum += at >= 0 ? x[i / out_w / out_h * height * width + at] : 0.0f;
        n += at >= 0 || count_pads;
    }
    y[i] = sum / n;
}

__kernel void mean_of_all(__global const float *x, __global float *y, int n) {
    int i = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += x[i * n + k];
    }
    y[i] = sum / n;
}
