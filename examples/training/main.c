/* Trains mlp.onnx, two layers on eight numbers, to tell three classes apart: which third of the
 * numbers is larger. The network has the optimizer in it, so a run is a step. */
#include <stdio.h>
#include <stdlib.h>

#include "net.h"

enum { BATCH = 16, NUMBERS = 8, CLASSES = 3, RUNS = 200 };

static net_memory m = NET_STATIC_MEMORY;

static void draw(float *x, int64_t *target) {
    for (int i = 0; i < BATCH; i++) {
        target[i] = rand() % CLASSES;
        for (int k = 0; k < NUMBERS; k++) {
            float noise = (float)(rand() % 1000) / 1000.0f - 0.5f;
            x[i * NUMBERS + k] = noise + (k % CLASSES == target[i] ? 1.0f : 0.0f);
        }
    }
}

int main(void) {
    float first = 0, loss = 0;
    net_reset(&m); /* parameters and moments as the file has them */
    for (int run = 0; run < RUNS; run++) {
        draw(NET_PTR(0, m.io, NET_X, float), NET_PTR(0, m.io, NET_SCORES_TARGET, int64_t));
        if (net_run(&m, NULL) != 0) {
            return 1;
        }
        loss = *NET_CONST_PTR(0, m.io, NET_LOSS, float);
        first = run == 0 ? loss : first;
        net_commit(&m); /* parameters take what the step has made of them */
    }
    printf("loss %f, then %f: %s\n", (double)first, (double)loss,
           loss < first / 4 ? "it learns" : "it does not learn");
    return 0;
}
