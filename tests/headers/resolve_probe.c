/* Prints what an emitted header makes of open dimensions, in the form of
 * tests/tools/resolve_plan.c: extents from standard input, a line for each set. Valid C99 and C++.
 */
#define NET_TABLES
#define NET_DEFINE_RESOLVE
#define NET_ALLOW_PARTIAL
#include HEADER /* "net.h" of the plan under test */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static net_layout layout;

static void print_all(void) {
    uint32_t i, k;
    for (i = 0; i < NET_TENSOR_COUNT; i++) {
        printf("%lu+%lu", (unsigned long)NET_TENSOR_OFFSET(&layout, i),
               (unsigned long)NET_TENSOR_SIZE(&layout, i));
        for (k = 0; k < net_tensors[i].dims.count; k++) {
            printf(",%ld", (long)NET_TENSOR_EXTENT(&layout, i, k));
        }
        putchar(' ');
    }
    for (i = 0; i < NET_POOL_COUNT; i++) {
        printf(" %lu", (unsigned long)NET_POOL_BYTES(&layout, i));
    }
    putchar('\n');
}

/* Nanoseconds of a call. */
static long time_of(const net_dims *dims) {
    clock_t start = clock();
    int i, n = 200, bad = 0;
    for (i = 0; i < n; i++) {
        bad += net_resolve(dims, &layout) != 0;
    }
    return bad > 0 ? -1 : (long)((double)(clock() - start) / CLOCKS_PER_SEC / n * 1e9);
}

#ifndef NET_DIM_CONTRADICTS /* without dimensions that follow from others */
#define NET_DIM_CONTRADICTS 1
#endif

static const char *reason_for(int status) {
    return status == NET_DIM_OUT_OF_RANGE  ? "out of range"
           : status == NET_TOO_LARGE       ? "too large"
           : status == NET_DIM_CONTRADICTS ? "contradicts"
                                           : "no size";
}

int main(int argc, char **argv) {
    NET_DIM extents[sizeof(net_dims) / sizeof(NET_DIM)];
    net_dims dims;
    for (;;) {
        size_t i;
        int status;
        for (i = 0; i < sizeof extents / sizeof extents[0]; i++) {
            long long x;
            if (scanf("%lld", &x) != 1) {
                return 0;
            }
            extents[i] = (NET_DIM)x;
        }
        memcpy(&dims, extents, sizeof dims);
        status = net_resolve(&dims, &layout);
        if (argc > 1 && strcmp(argv[1], "time") == 0) {
            printf("%ld\n", time_of(&dims));
        } else if (status == 0) {
            print_all();
        } else {
            puts(reason_for(status));
        }
    }
}
