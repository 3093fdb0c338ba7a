/* What web/page.c and ir/os/os_wasm.c take from Emscripten, where they are compiled for this
 * machine. */
#ifndef TENURE_TESTS_EMSCRIPTEN_H
#define TENURE_TESTS_EMSCRIPTEN_H

#define EMSCRIPTEN_KEEPALIVE

double emscripten_get_now(void);

#endif
