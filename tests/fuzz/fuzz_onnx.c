/* ONNX files. Text is kept for its own target. */
#include "tests/fuzz/fuzz_model.h"

unsigned long fuzz_accepted;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool is_text = size >= 4 && memcmp(data, "tir ", 4) == 0;
    return is_text ? 0 : fuzz_run(data, size, fuzz_model);
}
