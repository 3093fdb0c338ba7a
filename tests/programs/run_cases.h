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

static int run_one(run_case *f, const char *stem, int number) {
    char in_path[4096], out_path[4096];
    snprintf(in_path, sizeof in_path, "%s.%d.in", stem, number);
    snprintf(out_path, sizeof out_path, "%s.%d.out", stem, number);
    FILE *in = fopen(in_path, "rb"), *out = fopen(out_path, "wb");
    if (in == NULL || out == NULL) {
        exit(2);
    }
    int failed = f(in, out);
    fclose(in);
    fclose(out);
    return failed;
}

/* usage: PROGRAM STEM FIRST. Runs the cases from FIRST on with inputs STEM.<number>.in, and prints what each gives. */
static int run_from(run_case *const *cases, int count, char **argv) {
    for (int i = atoi(argv[2]); i < count; i++) {
        printf("%d\n", run_one(cases[i], argv[1], i));
        fflush(stdout);
    }
    return 0;
}
