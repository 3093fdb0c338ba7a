/* Files of kernels' facts: what is read is planned with, for a model that has ops of all kinds that
 * facts are about, or refused with a message. */
#include "lib/op_facts.h"

#include "tests/fuzz/fuzz_model.h"

unsigned long fuzz_accepted;

static const char text[] =
    "tir 1\nopset \"\" 17\nopset \"own\" 1\n"
    "graph \"g\" { input %x: i8[1,4,6,6] input %n: f32[q]"
    "  const %w: i8[4,4,3,3] = tensor(144 bytes) const %s: f32[] = tensor(4 bytes)"
    "  const %z: i8[] = tensor(1 bytes) const %v: f32[8,4,1,1] = tensor(128 bytes)"
    "  const %b: f32[288,5] = tensor(5760 bytes) const %to: i64[2] = tensor(16 bytes, ints [1, "
    "288])"
    "  %wf: f32[4,4,3,3] = DequantizeLinear(%w, %s, %z) @\"dw\""
    "  %xf: f32[1,4,6,6] = DequantizeLinear(%x, %s, %z) @\"dx\""
    "  %c: f32[1,4,6,6] = Conv(%xf, %wf) @\"conv\" {pads = [1, 1, 1, 1]}"
    "  %y: i8[1,4,6,6] = QuantizeLinear(%c, %s, %z) @\"q\""
    "  %f: f32[1,4,6,6] = DequantizeLinear(%y, %s, %z) @\"dy\""
    "  %d: f32[1,8,6,6] = Conv(%f, %v) @\"point\" %r: f32[1,8,6,6] = Relu(%d) @\"relu\""
    "  %o: f32[1,8,6,6] = own::Scale@1(%r, %s) @\"own\" {axis = 1, pads = [1, 2]}"
    "  %l: f32[1,288] = Reshape(%o, %to) @\"flat\" %g: f32[1,5] = Gemm(%l, %b) @\"gemm\""
    "  %p: f32[1,5] = Softmax(%g) @\"softmax\" %t: f32[q] = Neg(%n) @\"open\""
    "  return %p, %f, %t }\n";

static tn_op_set *parse(tn_ctx *ctx, const void *user) {
    const tn_bytes *bytes = user;
    return tn_op_facts_parse(ctx, "facts.json", bytes->data, bytes->size);
}

static tn_status plan_with(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_load_options options = {.op_set = parse, .op_set_user = bytes};
    tn_module *m =
        tn_load_bytes(ctx, "model", (tn_bytes){(const uint8_t *)text, strlen(text)}, &options);
    return m != NULL ? fuzz_plan(arena, m, bytes) : TN_ERROR;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, plan_with);
}
