/* One work-item an element of the result. */

__kernel void gemm(__global const float *a, __global const float *b, __global const float *c,
                   __global float *y, int n, int inner, int a_row, int a_column, int b_row,
                   int b_column, int c_row, int c_column, float alpha, float beta) {
    int i = get_global_id(0), row = i / n, column = i % n;
    float sum = 0.0f;
    for (int k = 0; k < inner; k++) {
        sum += a[row * a_row + k * a_column] * b[k * b_row + column * b_column];
    }
    y[i] = alpha * sum + (c != 0 ? beta * c[row * c_row + column * c_column] : 0.0f);
}

/* Matrices of m x inner and inner x n; dims and steps count matrices. */
__kernel void products(__global const float *a, __global const float *b, __global float *y, int m,
                       int n, int inner, int8 dims, int8 a_steps, int8 b_steps) {
    size_t i = get_global_id(0), matrix = i / n / m;
    __global const float *row = a + ((size_t)place(matrix, dims, a_steps) * m + i / n % m) * inner;
    __global const float *column = b + (size_t)place(matrix, dims, b_steps) * inner * n + i % n;
    float sum = 0.0f;
    for (int k = 0; k < inner; k++) {
        sum += row[k] * column[(size_t)k * n];
    }
    y[i] = sum;
}
