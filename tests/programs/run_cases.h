/* What all programs of an executable have in common. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0xDB };

static unsigned char *block(size_t size, size_t align) {
    void *p = NULL;
    if (posix_memalign(&p, align > sizeof(void *) ? align : sizeof(void *), size > 0 ? size : 1) != 0) {
        exit(3);
    }
    memset(p, POISON, size);
    return (unsigned char *)p;
}

static void move(unsigned char *at, size_t size, FILE *f, int in) {
    size_t moved = in ? fread(at, 1, size, f) : fwrite(at, 1, size, f);
    if (moved != size) {
        fprintf(stderr, "%zu of %zu bytes\n", moved, size);
        exit(2);
    }
}

typedef int run_case(FILE *in, FILE *out);

/* usage: PROGRAM NUMBER INPUTS OUTPUTS. Ends with 1 when a kernel gave up, and says which step. */
static int run_one(run_case *const *cases, char **argv) {
    FILE *in = fopen(argv[2], "rb"), *out = fopen(argv[3], "wb");
    if (in == NULL || out == NULL) {
        return 2;
    }
    int failed = cases[atoi(argv[1])](in, out);
    fclose(in);
    fclose(out);
    if (failed != 0) {
        printf("step %d\n", failed - 1);
    }
    return failed != 0;
}
