/* Rules of com.microsoft for inference. */
#include "tests/unit/shape_case.h"

#define MS "com.microsoft::"
#define QKV "input %x: f32[b,s,64] input %w: f32[64,192] input %c: f32[192] "

SHAPE_TEST(
    attention,
    {1, QKV "%y, %p = " MS "Attention(%x, %w, %c) {num_heads = 4}", "f32[b,s,64]; f32[2,b,4,s,16]"},
    {1,
     QKV "input %past: f32[2,b,4,p,16] %y, %p = " MS
         "Attention(%x, %w, %c, _, %past) {num_heads = 4}",
     "f32[b,s,64]; f32[2,b,4,p + s,16]"},
    {1,
     QKV "input %past: f32[2,b,4,m,16] %y, %p = " MS
         "Attention(%x, %w, %c, _, %past) {num_heads = 4, past_present_share_buffer = 1}",
     "f32[b,s,64]; f32[2,b,4,m,16]"},
    {1,
     "input %x: f32[b,s,64] input %w: f32[64,160] %y = " MS
     "Attention(%x, %w) {num_heads = 4, qkv_hidden_sizes = [64, 64, 32]}",
     "f32[b,s,32]"},
    {1,
     "input %q: f32[b,s,64] input %k: f32[b,l,64] input %v: f32[b,l,32] %y, %pk, %pv, %qk = " MS
     "MultiHeadAttention(%q, %k, %v) {num_heads = 4}",
     "f32[b,s,32]; f32[b,4,l,16]; f32[b,4,l,8]; f32[b,4,s,l]"},
    {1, "input %q: f32[b,s,4,3,16] %y = " MS "MultiHeadAttention(%q) {num_heads = 4}",
     "f32[b,s,64]"},
    {1,
     "input %q: f32[b,s,64] input %k: f32[b,4,l,16] input %v: f32[b,4,l,16] %y = " MS
     "MultiHeadAttention(%q, %k, %v) {num_heads = 4}",
     "f32[b,s,64]"},
    {1,
     "input %q: f16[b,s,96] input %n: i32[b] input %t: i32[] !content(t) input %pk: f16[b,2,p,8] "
     "input %pv: f16[b,2,p,8] %y, %ok, %ov = " MS
     "GroupQueryAttention(%q, _, _, %pk, %pv, %n, %t) {num_heads = 8, kv_num_heads = 2}",
     "f16[b,s,64]; f16[b,2,max(p, t),8]; f16[b,2,max(p, t),8]"},
    {1, "input %x: ?[b,s,8] %y = " MS "RotaryEmbedding(%x, %x, %x, %x)", "?[b,s,8]"},
    {1, "input %q: f32[*] %y = " MS "MultiHeadAttention(%q) {num_heads = 4}", "f32[?,?,?]"})

#define QUERY "input %q: f16[b,s,96] input %i: i32[n,8] input %c: i32[n] input %l: i32[b] "
#define CACHE "input %pk: f16[b,2,p,8] input %pv: f16[b,2,p,8] input %t: i32[] !content(t) "
#define INDEXER                                                                                    \
    "input %q: f32[b,s,64] input %w: f32[16] input %k: f32[b,p,16] %i, %p, %buf = " MS             \
    "SparseAttentionIndexer(%q, _, %w, %w, %w, %w, _, %k"
#define PACKED "input %x: f32[t,8] input %w: f32[8,1,4] input %o: i32[9] input %s: f32[b,8,3] "
#define STATE "input %q: f16[t,64] input %o: i32[9] input %k: f16[b,k,16] input %f: f16[b,7,16] "
#define TEN "_, _, _, _, _, _, _, _, _, _"

SHAPE_TEST(
    selected,
    {1,
     QUERY CACHE "%y, %ok, %ov = " MS
                 "DynamicSparseAttention(%q, _, _, %pk, %pv, _, _, %i, %c, %l, %t) {num_heads = 8, "
                 "kv_num_heads = 2}",
     "f16[b,s,64]; f16[b,2,max(p, t),8]; f16[b,2,max(p, t),8]"},
    {1, INDEXER ") {policy_mode = \"qsa\", token_budget = 64, compress_ratio = 4}",
     "i32[b,s,67]; f32[b,p + s,16]; f32[2,b,?,?]"},
    {1, INDEXER ") {policy_mode = \"csa\", index_topk = 32, compress_ratio = 4}",
     "i32[b,s,32]; f32[b,?,16]; f32[2,b,?,?]"},
    {1,
     STATE
     "%i, %n, %ok, %of, _, %ol, %u = " MS "PackedSparseAttentionIndexer(%q, " TEN
     ", _, %k, %f, _, %o) {policy_mode = \"csa\", index_topk = 32, state_update_capacity = 2}",
     "i32[t,32]; i32[t]; f16[b,k,16]; f16[b,7,16]; i32[9]; f16[b,2,16]"},
    {1,
     PACKED "%y, %f, %u = " MS
            "VarlenCausalConvWithState(%x, %w, %o, _, %s) {state_update_capacity = 2}",
     "f32[t,8]; f32[b,8,3]; f32[b,2,8]"},
    {1,
     "input %x: i64[t] input %o: i32[9] %h, %p, %g, %u = " MS
     "VarlenNGramHashMapping(%x, %x, %x, %o) {max_ngram_size = 3, n_head_per_ngram = 4}",
     "i64[t,8]; i64[8,2]; i32[8,2]; i64[8,0,2]"},
    {1, "input %x: f32[b,s,4,8] input %w: f32[b,s,4] %y = " MS "HyperConnectionPreMix(%x, %w)",
     "f32[b,s,8]"},
    {1,
     "input %x: f32[b,s,32] input %w: f32[b,s,4] %y = " MS
     "HyperConnectionPreMix(%x, %w) {num_branches = 4}",
     "f32[b,s,8]"})

SHAPE_TEST(norms,
           {1,
            "input %x: f16[b,s,8] input %g: f16[8] %y, %m, %v, %sum = " MS
            "SkipLayerNormalization(%x, %x, %g)",
            "f16[b,s,8]; f32[b,s,1]; f32[b,s,1]; f16[b,s,8]"},
           {1,
            "input %i: i32[b,s] input %w: f32[999,8] input %g: f32[8] %y, %m = " MS
            "EmbedLayerNormalization(%i, %i, %w, %w, %w, %g, %g)",
            "f32[b,s,8]; i32[b]"},
           {1, "input %x: f32[b,s,8] input %c: f32[8] %y = " MS "BiasSplitGelu(%x, %c)",
            "f32[b,s,4]"},
           {1, "input %x: f32[3,11] %y, %m = " MS "BitmaskDropout(%x)", "f32[3,11]; u32[2]"},
           {1, "input %x: f32[3,n] input %g: f32[n] %y, %v = SimplifiedLayerNormalization(%x, %g)",
            "f32[3,n]; f32[3,1]"})

#define AB(a, b) "input %a: " a " input %b: " b " "

SHAPE_TEST(
    products,
    {1, AB("f32[b,k,m]", "f32[n,k]") "%y = " MS "FusedMatMul(%a, %b) {transA = 1, transB = 1}",
     "f32[b,m,n]"},
    {1, AB("f32[m,b,k]", "f32[b,k,n]") "%y = " MS "FusedMatMul(%a, %b) {transBatchA = 1}",
     "f32[b,m,n]"},
    {1, AB("f32[2,3]", "f32[4,5]") "%y = " MS "FusedMatMul(%a, %b)", "conflict"},
    {1, AB("f32[m,k]", "f32[k,n]") "%y = " MS "FusedGemm(%a, %b)", "f32[m,n]"},
    {1,
     AB("f32[b,s,64]", "u8[128,2,16]") "input %c: f32[256] %y = " MS
                                       "MatMulNBits(%a, %b, %c) {K = 64, N = 128, bits = 4, "
                                       "block_size = 32}",
     "f32[b,s,128]"},
    {1, AB("u8[m,k]", "i8[k,n]") "input %s: f32[] %y = " MS "MatMulIntegerToFloat(%a, %b, %s, %s)",
     "f32[m,n]"},
    {1, AB("u16[m,k]", "u16[k,n]") "%y = " MS "MatMulInteger16(%a, %b)", "u32[m,n]"},
    {1,
     AB("u8[m,k]", "u8[n,k]") "input %s: f32[] input %z: u8[] %y = " MS
                              "QGemm(%a, %s, %z, %b, %s, %z, _, %s, %z) {transB = 1}",
     "u8[m,n]"})

SHAPE_TEST(
    quantised,
    {1,
     AB("u8[b,1,4]", "u8[3,4]") "input %s: f32[] input %z: u8[] %y = " MS
                                "QLinearAdd(%a, %s, %z, %b, %s, %z, %s, %z)",
     "u8[b,3,4]"},
    {1,
     AB("u8[b,2,4]", "u8[b,c,4]") "input %s: f32[] input %z: u8[] %y = " MS
                                  "QLinearConcat(%s, %z, %a, %s, %z, %b, %s, %z) {axis = 1}",
     "u8[b,c + 2,4]"},
    {1,
     "input %a: u8[b,3,h,w] input %s: f32[] input %z: u8[] %y = " MS
     "QLinearReduceMean(%a, %s, %z, %s, %z) {axes = [2, -1], keepdims = 0}",
     "u8[b,3]"},
    {1,
     "input %a: u8[99,16] input %i: i64[b,s] input %s: f16[99,1] %y = " MS
     "GatherBlockQuantized(%a, %i, %s) {bits = 4}",
     "f16[b,s,32]"},
    {1,
     "input %x: f32[t,b,8] input %w: u8[2,8,64] input %r: u8[2,16,64] input %s: f32[2] input %z: "
     "u8[2] %y, %h, %c = " MS "DynamicQuantizeLSTM(%x, %w, %r, _, _, _, _, _, %s, %z, %s, %z) "
     "{direction = \"bidirectional\", hidden_size = 16}",
     "f32[t,2,b,16]; f32[2,b,16]; f32[2,b,16]"})

SHAPE_TEST(
    windows,
    {1,
     "input %x: f32[b,8,8,3] input %w: f32[5,3,3,3] %y = " MS
     "NhwcConv(%x, %w) {pads = [1, 1, 1, 1], strides = [2, 2]}",
     "f32[b,4,4,5]"},
    {1,
     "input %x: u8[b,8,8,3] input %s: f32[] input %z: u8[] input %w: u8[5,3,3,3] %y = " MS
     "QLinearConv(%x, %s, %z, %w, %s, %z, %s, %z) {channels_last = 1}",
     "u8[b,6,6,5]"},
    {1, "input %x: u8[b,8,8,3] %y = " MS "NhwcMaxPool(%x) {kernel_shape = [2, 2]}", "u8[b,7,7,3]"},
    {1,
     "input %x: u8[b,8,8,3] input %s: f32[] input %z: u8[] %y = " MS
     "QLinearGlobalAveragePool(%x, %s, %z, %s, %z) {channels_last = 1}",
     "u8[b,1,1,3]"},
    {1, "input %x: f32[1,3,8,8] %y = com.microsoft.nchwc::ReorderInput(%x)", "f32[1,?,8,8]"},
    {1, "input %x: f32[1,32,8,8] %y = com.microsoft.nchwc::ReorderInput(%x)", "f32[1,32,8,8]"},
    {1, "input %x: f32[1,32,8,8] %y = com.microsoft.nchwc::ReorderOutput(%x) {channels = 24}",
     "f32[1,24,8,8]"},
    {1,
     "input %x: f32[1,4,8,8] input %w: f32[4,2,3,3] input %p: i64[4] !content(1, 1, 0, 0) %y = " MS
     "ConvTransposeWithDynamicPads(%x, %w, %p) {strides = [2, 2]}",
     "f32[1,2,16,16]"},
    {1, "input %x: f32[8,8] input %w: f32[5,3,3,3] %y = " MS "NhwcConv(%x, %w)", "conflict"})

#define NHWC "com.ms.internal.nhwc::"
#define IMAGE "input %x: f32[b,8,6,4] "
SHAPE_TEST(nhwc,
           {1,
            IMAGE "input %w: f32[5,4,3,3] %y = " NHWC
                  "Conv@11(%x, %w) {pads = [1, 1, 0, 0], strides = [2, 1]}",
            "f32[b,4,5,5]"},
           {1,
            IMAGE "input %w: f32[4,5,3,3] %y = " NHWC "ConvTranspose@11(%x, %w) {strides = [2, 2]}",
            "f32[b,17,13,5]"},
           {1, "input %x: f32[*] input %w: f32[5,4,3,3] %y = " NHWC "Conv@11(%x, %w)",
            "f32[?,?,?,5]"},
           {1,
            "input %x: u8[b,8,6,4] input %s: f32[] input %z: u8[] input %w: u8[4,5,3,3] %y = " NHWC
            "QLinearConvTranspose@1(%x, %s, %z, %w, %s, %z, %s, %z)",
            "u8[b,10,8,5]"},
           {1, IMAGE "%y, %i = " NHWC "MaxPool@12(%x) {kernel_shape = [2, 3]}",
            "f32[b,7,4,4]; i64[b,7,4,4]"},
           {1, IMAGE "%y = " NHWC "GlobalLpPool@2(%x)", "f32[b,1,1,4]"},
           {1, IMAGE "%y = " NHWC "DepthToSpace@13(%x) {blocksize = 2}", "f32[b,16,12,1]"},
           {1, IMAGE "%y = " NHWC "SpaceToDepth@13(%x) {blocksize = 2}", "f32[b,4,3,16]"},
           {1, IMAGE "input %g: f32[b,3,5,2] %y = " NHWC "GridSample@20(%x, %g)", "f32[b,3,5,4]"},
           {1,
            IMAGE "input %s: f32[4] input %m: f32[4] %y, %rm, %rv = " NHWC
                  "BatchNormalization@15(%x, %s, %s, %m, %m) {training_mode = 1}",
            "f32[b,8,6,4]; f32[4]; f32[4]"},
           {1,
            IMAGE "input %i: i64[b,8,6,4] %y = " NHWC
                  "MaxUnpool@11(%x, %i) {kernel_shape = [2, 2], strides = [2, 2]}",
            "f32[b,16,12,4]"},
           {1,
            IMAGE "input %i: i64[b,8,6,4] input %s: i64[4] !content(1, 17, 13, 4) %y = " NHWC
                  "MaxUnpool@11(%x, %i, %s) {kernel_shape = [2, 2], strides = [2, 2]}",
            "f32[1,17,13,4]"},
           {1, IMAGE "input %z: i64[4] !content(1, 16, 12, 4) %y = " NHWC "Resize@19(%x, _, _, %z)",
            "f32[1,16,12,4]"})

SHAPE_TEST(misc, {1, "input %x: f32[b,16] %y = " MS "Rfft(%x)", "f32[b,9,2]"},
           {1, "input %x: f32[b,9,2] %y = " MS "Irfft(%x)", "f32[b,16]"},
           {1,
            "input %s: i64[] !content(2) input %l: i64[] !content(n) input %d: i64[] !content(2) "
            "%y = " MS "Range(%s, %l, %d)",
            "i64[max(0, (n ceildiv 2) - 1)]"},
           {1, "input %x: f32[b,3] input %a: i32[] !content(-1) %y = " MS "ExpandDims(%x, %a)",
            "f32[b,3,1]"},
           {1, "input %x: f32[b,3] input %p: i64[4] !content(0, 1, 0, 2) %y = " MS "Pad(%x, %p)",
            "f32[b,6]"},
           {1, "input %x: f32[b,10] %y = " MS "UnfoldTensor(%x) {size = 4, step = 3}",
            "f32[b,3,4]"},
           {1, AB("f32[m,3]", "f32[n,3]") "%y = " MS "CDist(%a, %b)", "f32[m,n]"},
           {1, "input %x: i64[n] %y, %i, %c = " MS "Unique(%x)", "i64[?]; i64[n]; i64[?]"})

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attention), cmocka_unit_test(test_selected),
        cmocka_unit_test(test_norms),     cmocka_unit_test(test_products),
        cmocka_unit_test(test_quantised), cmocka_unit_test(test_windows),
        cmocka_unit_test(test_nhwc),      cmocka_unit_test(test_misc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
