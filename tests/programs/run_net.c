/* Runs an emitted program on bytes of files: run_net INPUTS OUTPUTS [RUNS].
 * With open dimensions: run_net INPUTS OUTPUTS RUNS EXTENT...
 * INPUTS holds those of the model, one behind the other, OUTPUTS gets those of the last run. Pools
 * are exactly as large as the plan says, each a block of its own, and hold POISON where nothing is;
 * bytes that the plan frees are poisoned at once. With IO_IN_TURN inputs and outputs change between
 * two memories from run to run, unless something is put there before the first. */
#define NET_TABLES
#include PROGRAM /* "net.h" of the program under test */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0xDB };

#ifdef NET_DIM_COUNT
static net_layout layout;
#define LAYOUT (&layout)

/* Extents of open dimensions come behind the other arguments, in the order of the struct. */
static void resolve(int argc, char **argv) {
    enum { N_DIMS = sizeof(net_dims) / sizeof(int64_t) }; /* with those that follow from others */
    int64_t extents[N_DIMS];
    net_dims dims;
    if (argc < 4 + N_DIMS) {
        exit(2);
    }
    for (int i = 0; i < N_DIMS; i++) {
        extents[i] = atoll(argv[4 + i]);
    }
    memcpy(&dims, extents, sizeof dims);
    int failed = net_resolve(&dims, &layout);
    if (failed != 0) {
        fprintf(stderr, "net_resolve gives %d\n", failed);
        exit(1);
    }
}
#else
#define LAYOUT 0
#endif

static unsigned char *bases[NET_POOL_COUNT + 1];

/* Called behind every step. */
void poison_freed(unsigned step);
void poison_freed(unsigned step) {
    const net_step *s = &net_steps[step];
    for (uint32_t i = 0; i < s->frees.count; i++) {
        uint32_t row = net_ids[s->frees.at + i], pool = net_storages[row].pool;
        if (net_pools[pool].kind != NET_POOL_CONST) {
            memset(bases[pool] + NET_STORAGE_OFFSET(LAYOUT, row), POISON,
                   NET_STORAGE_SIZE(LAYOUT, row));
        }
    }
}

static void *block(size_t size, size_t align) {
    unsigned char *p = NULL;
    if (posix_memalign((void **)&p, align > sizeof(void *) ? align : sizeof(void *),
                       size > 0 ? size : 1) != 0) {
        exit(3);
    }
    memset(p, POISON, size);
    return p;
}

#if defined IO_IN_TURN && !defined NET_INITIALS
static unsigned char *spare[NET_POOL_COUNT + 1]; /* of pools of inputs and outputs */

/* These pools have two places, in turn; the one that is left holds nothing. */
static void change_places(const void **members) {
    for (uint32_t i = 0; i < NET_POOL_COUNT; i++) {
        if (net_pools[i].kind == NET_POOL_IO) {
            size_t size = NET_POOL_BYTES(LAYOUT, i);
            unsigned char *left = bases[i];
            bases[i] = spare[i] != NULL ? spare[i] : block(size, net_pools[i].align);
            memset(left, POISON, size);
            spare[i] = left;
            members[i] = bases[i];
        }
    }
}
#endif

static void move_all(const uint32_t *tensors, uint32_t n, FILE *f, int in) {
    for (uint32_t i = 0; i < n; i++) {
        const net_tensor *t = &net_tensors[tensors[i]];
        size_t size = NET_TENSOR_SIZE(LAYOUT, tensors[i]);
        unsigned char *at = bases[t->pool] + NET_TENSOR_OFFSET(LAYOUT, tensors[i]);
        size_t moved = in ? fread(at, 1, size, f) : fwrite(at, 1, size, f);
        if (moved != size) {
            fprintf(stderr, "%s of %s: %zu of %zu bytes\n", in ? "input" : "output", t->name, moved,
                    size);
            exit(2);
        }
    }
}

#ifdef NET_FOUND_COUNT
static tenure_dim found[NET_FOUND_COUNT];

/* Extents that data gave, in their order. */
static void put_found(void) {
    for (int i = 0; i < NET_FOUND_COUNT; i++) {
        printf("%lld\n", (long long)found[i]);
    }
}
#else
#define put_found() ((void)0)
#endif

int main(int argc, char **argv) {
    net_memory m = NET_STATIC_MEMORY; /* weights; without arrays the others are NULL */
    const void **members = (const void **)(void *)&m;
#ifdef NET_DIM_COUNT
    resolve(argc, argv);
    *members++ = &layout;
#endif
    for (uint32_t i = 0; i < NET_POOL_COUNT; i++) {
        if (members[i] == NULL) {
            members[i] = block(NET_POOL_BYTES(LAYOUT, i), net_pools[i].align);
        }
        bases[i] = (unsigned char *)(uintptr_t)members[i]; /* outputs may be constants */
    }
#ifdef NET_FOUND_COUNT
    m.found = found;
#endif
    int runs = argc > 3 ? atoi(argv[3]) : 1;
    net_reset(&m);
    for (int i = 0; i < runs; i++) {
#if defined IO_IN_TURN && !defined NET_INITIALS
        if (i > 0) {
            change_places(members);
        }
#endif
        FILE *in = fopen(argv[1], "rb");
        if (in == NULL) {
            return 2;
        }
        move_all(net_inputs, NET_INPUT_COUNT, in, 1);
        fclose(in);
        int failed = net_run(&m, NULL);
        if (failed != 0) {
            fprintf(stderr, "net_run gives %d\n", failed);
            return 1;
        }
        if (i + 1 < runs) {
            net_commit(&m);
        }
    }
    FILE *out = fopen(argv[2], "wb");
    if (out == NULL) {
        return 2;
    }
    move_all(net_outputs, NET_OUTPUT_COUNT, out, 0);
    put_found();
    return fclose(out) == 0 ? 0 : 2;
}
