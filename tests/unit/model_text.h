/* A small model that tests of the interface read from memory: `batch` is open. */
#ifndef TENURE_TESTS_UNIT_MODEL_TEXT_H
#define TENURE_TESTS_UNIT_MODEL_TEXT_H

static const char model_text[] = "tir 1\n"
                                 "module \"net\"\n"
                                 "opset \"\" 17\n"
                                 "graph @0 \"net\" {\n"
                                 "  input %x: f32[batch,64]\n"
                                 "  const %w: f32[64,16] = tensor(4096 bytes)\n"
                                 "  %a = Relu(%x) #0\n"
                                 "  %b = Exp(%a) #1\n"
                                 "  %c = MatMul(%b, %w) #2\n"
                                 "  %d = Relu(%c) #3\n"
                                 "  return %d\n"
                                 "}\n";

#endif
