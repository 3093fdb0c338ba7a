/* Runs an emitted program on bytes of files: run_net INPUTS OUTPUTS [RUNS].
 * INPUTS holds those of the model, one behind the other, OUTPUTS gets those of the last run. Pools are exactly as
 * large as the plan says, each a block of its own, and hold POISON where nothing is; bytes that the plan frees are
 * poisoned at once. */
#define NET_TABLES
#include PROGRAM /* "net.h" of the program under test */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0xDB };

static unsigned char *bases[NET_POOL_COUNT + 1];

/* Called behind every step. */
void poison_freed(unsigned step);
void poison_freed(unsigned step) {
    const net_step *s = &net_steps[step];
    for (uint32_t i = 0; i < s->frees.count; i++) {
        const net_storage *freed = &net_storages[net_ids[s->frees.at + i]];
        if (net_pools[freed->pool].kind != NET_POOL_CONST) {
            memset(bases[freed->pool] + freed->offset, POISON, freed->size);
        }
    }
}

static void *block(size_t size, size_t align) {
    unsigned char *p = NULL;
    if (posix_memalign((void **)&p, align > sizeof(void *) ? align : sizeof(void *), size > 0 ? size : 1) != 0) {
        exit(3);
    }
    memset(p, POISON, size);
    return p;
}

static void move_all(const uint32_t *tensors, uint32_t n, FILE *f, int in) {
    for (uint32_t i = 0; i < n; i++) {
        const net_tensor *t = &net_tensors[tensors[i]];
        unsigned char *at = bases[t->pool] + t->offset;
        size_t moved = in ? fread(at, 1, t->size, f) : fwrite(at, 1, t->size, f);
        if (moved != t->size) {
            fprintf(stderr, "%s of %s: %zu of %zu bytes\n", in ? "input" : "output", t->name, moved, (size_t)t->size);
            exit(2);
        }
    }
}

int main(int argc, char **argv) {
    net_memory m;
    const void **members = (const void **)(void *)&m;
    for (uint32_t i = 0; i < NET_POOL_COUNT; i++) {
        if (net_pools[i].kind != NET_POOL_CONST) {
            members[i] = bases[i] = block(net_pools[i].size, net_pools[i].align);
        }
#ifdef NET_WEIGHTS
        else {
            members[i] = NET_WEIGHTS;
            bases[i] = (unsigned char *)(uintptr_t)NET_WEIGHTS; /* outputs may be constants */
        }
#endif
    }
    int runs = argc > 3 ? atoi(argv[3]) : 1;
    net_reset(&m);
    for (int i = 0; i < runs; i++) {
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
    return fclose(out) == 0 ? 0 : 2;
}
