/* Runs an emitted program with two places for inputs and outputs as a stream: streamed_net INPUTS
 * OUTPUTS RUNS. INPUTS holds those of all runs, one behind the other, OUTPUTS gets those of all
 * runs. Before every step the other places of inputs are scribbled over, as by a DMA, and those of
 * outputs have to hold what the last run left. */
#define NET_TABLES
#include PROGRAM /* "net.h" of the program under test */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *bases[NET_POOL_COUNT + 1];
static net_memory memory = NET_STATIC_MEMORY;
static unsigned char
    *left; /* outputs of the last run, one behind the other; NULL before the second */

/* Where the tensor lies in runs of that turn. */
static unsigned char *place(uint32_t tensor, unsigned turn) {
    const net_tensor *t = &net_tensors[tensor];
    return bases[t->pool] + t->offset + (turn ? net_storages[t->storage].second : 0);
}

static int has_two(uint32_t tensor) {
    return net_storages[net_tensors[tensor].storage].second > 0;
}

/* Called before every step. */
void disturb(unsigned step);
void disturb(unsigned step) {
    static unsigned char scribble;
    for (uint32_t i = 0; i < NET_INPUT_COUNT; i++) {
        if (has_two(net_inputs[i])) {
            memset(place(net_inputs[i], !memory.turn), ++scribble, net_tensors[net_inputs[i]].size);
        }
    }
    const unsigned char *want = left;
    for (uint32_t i = 0; left != NULL && i < NET_OUTPUT_COUNT; i++) {
        size_t size = net_tensors[net_outputs[i]].size;
        if (has_two(net_outputs[i]) &&
            memcmp(place(net_outputs[i], !memory.turn), want, size) != 0) {
            fprintf(stderr, "step %u: output %u of the last run is spoiled\n", step, i);
            exit(4);
        }
        want += size;
    }
}

static void *block(size_t size, size_t align) {
    unsigned char *p = NULL;
    if (posix_memalign((void **)&p, align > sizeof(void *) ? align : sizeof(void *),
                       size > 0 ? size : 1) != 0) {
        exit(3);
    }
    memset(p, 0xDB, size);
    return p;
}

/* Inputs of the next run; `turn` that of those with two places. */
static void read_inputs(FILE *in, unsigned turn, int two) {
    for (uint32_t i = 0; i < NET_INPUT_COUNT; i++) {
        size_t size = net_tensors[net_inputs[i]].size;
        unsigned char *skipped = has_two(net_inputs[i]) == two ? NULL : block(size, 1);
        if (fread(skipped != NULL ? skipped : place(net_inputs[i], two ? turn : 0), 1, size, in) !=
            size) {
            exit(2);
        }
        free(skipped);
    }
}

int main(int argc, char **argv) {
    const void **members = (const void **)(void *)&memory;
    size_t all_in = 0, all_out = 0;
    for (uint32_t i = 0; i < NET_POOL_COUNT; i++) {
        if (members[i] == NULL) {
            members[i] = block(net_pools[i].size, net_pools[i].align);
        }
        bases[i] = (unsigned char *)(uintptr_t)members[i];
    }
    for (uint32_t i = 0; i < NET_INPUT_COUNT; i++) {
        all_in += net_tensors[net_inputs[i]].size;
    }
    for (uint32_t i = 0; i < NET_OUTPUT_COUNT; i++) {
        all_out += net_tensors[net_outputs[i]].size;
    }
    int runs = argc > 3 ? atoi(argv[3]) : 0;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (runs == 0 || in == NULL || out == NULL) {
        return 2;
    }
    net_reset(&memory);
    read_inputs(in, memory.turn, 1);
    for (int i = 0; i < runs; i++) {
        (void)fseek(in, (long)(all_in * (size_t)i), SEEK_SET);
        read_inputs(in, 0, 0);
        int failed = net_run(&memory, NULL);
        if (failed != 0) {
            fprintf(stderr, "net_run gives %d\n", failed);
            return 1;
        }
        if (i + 1 < runs) { /* the DMA comes to its end */
            read_inputs(in, !memory.turn, 1);
        }
        left = left != NULL ? left : block(all_out, 1);
        unsigned char *to = left;
        for (uint32_t k = 0; k < NET_OUTPUT_COUNT; k++) {
            size_t size = net_tensors[net_outputs[k]].size;
            memcpy(to, place(net_outputs[k], memory.turn), size);
            to += size;
        }
        (void)fwrite(left, 1, all_out, out);
        net_swap(&memory);
    }
    fclose(in);
    return fclose(out) == 0 ? 0 : 2;
}
