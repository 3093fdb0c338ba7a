/* Runs the network once on the bytes of inputs.bin and writes the outputs, in the order of the
 * model, as they lie in memory. A program of your own would fill inputs and read outputs by name:
 * NET_PTR(0, m.arena, NET_X, float). */
#define NET_TABLES
#include "net.h"

#include <string.h>

#include "board.h"

extern const unsigned char inputs[]; /* inputs.S */

static unsigned char *place(const net_memory *m, const net_tensor *t) {
    /* The members of net_memory are the pools, in their order. */
    return (unsigned char *)((void *const *)(const void *)m)[t->pool] + t->offset;
}

#ifdef NET_SAY_WHY
#include <stdio.h>

static void say(const char *piece) {
    fputs(piece, stderr);
}

/* Which step failed, and why: NET_TABLES has the steps. */
static void explain(int failed) {
    if (failed < 1 || failed > NET_STEP_COUNT) {
        say("the memory given to the program is not as it has to be");
    } else {
        fprintf(stderr, "step %d, %s: ", failed - 1, net_steps[failed - 1].op);
        net_say_why(say);
    }
    say("\n");
}
#endif

int main(void) {
    static const net_memory m = NET_STATIC_MEMORY;
    const unsigned char *from = inputs;
    uint32_t i;
    int failed;
    net_reset(&m);
    for (i = 0; i < NET_INPUT_COUNT; i++) {
        const net_tensor *t = &net_tensors[net_inputs[i]];
        memcpy(place(&m, t), from, t->size);
        from += t->size;
    }
    failed = net_run(&m, NULL);
    for (i = 0; failed == 0 && i < NET_OUTPUT_COUNT; i++) {
        const net_tensor *t = &net_tensors[net_outputs[i]];
        board_write(place(&m, t), t->size);
    }
#ifdef NET_SAY_WHY
    if (failed != 0) {
        explain(failed);
    }
#endif
    board_exit(failed == 0 ? 0 : 1);
    return failed;
}
