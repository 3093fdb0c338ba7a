/* Rules of layers: windows, products, reductions, normalisation, recurrence, attention, signals. */
#include "tests/unit/shape_case.h"

#define CONV(x, attrs) "input %x: " x " input %w: f32[8,3,3,3] %y = Conv(%x, %w) {" attrs "}"
#define POOL(x, attrs) "input %x: " x " %y = MaxPool(%x) {" attrs "}"

SHAPE_TEST(windows, {11, CONV("f32[1,3,32,32]", "pads = [1, 1, 1, 1]"), "f32[1,8,32,32]"},
           {11, CONV("f32[b,3,h,w]", "pads = [1, 1, 1, 1], strides = [2, 2]"),
            "f32[b,8,(h + 1) floordiv 2,(w + 1) floordiv 2]"},
           {11, CONV("f32[b,3,h,w]", "dilations = [2, 2]"), "f32[b,8,h - 4,w - 4]"},
           {11, CONV("f32[b,3,h,32]", "auto_pad = \"SAME_UPPER\", strides = [2, 3]"),
            "f32[b,8,h ceildiv 2,11]"},
           {11, CONV("f32[b,3,32,32]", "auto_pad = \"VALID\", strides = [2, 2]"), "f32[b,8,15,15]"},
           {11, CONV("f32[*]", "pads = [0, 0, 0, 0]"), "f32[?,8,?,?]"},
           {11, CONV("f32[1,3,32,32]", "pads = [1, 1]"), "conflict"},
           {11, CONV("f32[1,3,32,32]", "strides = [0, 1]"), "conflict"},
           {11, CONV("f32[1,3,1,1]", "group = 1"), "conflict"},
           {12, POOL("f32[1,3,7,7]", "kernel_shape = [2, 2], strides = [2, 2]"), "f32[1,3,3,3]"},
           {12, POOL("f32[1,3,7,7]", "kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1"),
            "f32[1,3,4,4]"},
           {12, POOL("f32[1,1,2,2]", "kernel_shape = [1, 1], strides = [2, 2], ceil_mode = 1"),
            "f32[1,1,1,1]"},
           {12, POOL("f32[*]", "kernel_shape = [1, 1]"), "f32[?,?,?,?]"},
           /* A window larger than the padded image; an image without pixels. */
           {17, CONV("f32[1,3,2,8]", "kernel_shape = [3, 3]"), "conflict"},
           {17, CONV("f32[1,3,2,8]", "kernel_shape = [3, 3], strides = [4, 4]"), "conflict"},
           {17, CONV("f32[1,3,2,8]", "kernel_shape = [3, 3], pads = [1, 0, 0, 0]"), "f32[1,8,1,6]"},
           {17, POOL("f32[1,3,4]", "kernel_shape = [7], strides = [2]"), "conflict"},
           {17, POOL("f32[1,3,6]", "kernel_shape = [7], strides = [2], ceil_mode = 1"),
            "f32[1,3,1]"},
           {17, POOL("f32[1,3,0]", "kernel_shape = [1]"), "f32[1,3,0]"},
           {12, "input %x: f32[n,3,8] %y, %i = MaxPool(%x) {kernel_shape = [3]}",
            "f32[n,3,6]; i64[n,3,6]"},
           {12, "input %x: f32[n,c,h,w] %y = GlobalAveragePool(%x)", "f32[n,c,1,1]"},
           {11,
            "input %x: f32[1,4,8,w] input %w: f32[4,2,3,3] %y = ConvTranspose(%x, %w) {strides = "
            "[2, 2], group = 2}",
            "f32[1,4,17,w*2 + 1]"},
           {11,
            "input %x: f32[1,4,8,8] input %w: f32[4,2,3,3] %y = ConvTranspose(%x, %w) {strides = "
            "[2, 2], pads = [1, 1, 1, 1], output_padding = [1, 1]}",
            "f32[1,2,16,16]"},
           {11,
            "input %x: f32[1,4,8,8] input %w: f32[4,2,3,3] %y = ConvTranspose(%x, %w) "
            "{output_shape = [20, 21]}",
            "f32[1,2,20,21]"},
           {10, "input %x: u8[1,3,8,8] input %w: u8[4,3,3,3] %y = ConvInteger(%x, %w)",
            "i32[1,4,6,6]"})

#define AB(a, b) "input %a: " a " input %b: " b " "

SHAPE_TEST(
    products, {13, AB("f32[b,s,64]", "f32[64,128]") "%y = MatMul(%a, %b)", "f32[b,s,128]"},
    {13, AB("f32[b,1,s,64]", "f32[12,64,s]") "%y = MatMul(%a, %b)", "f32[b,12,s,s]"},
    {13, AB("f32[64]", "f32[64,5]") "%y = MatMul(%a, %b)", "f32[5]"},
    {13, AB("f32[2,64]", "f32[64]") "%y = MatMul(%a, %b)", "f32[2]"},
    {13, AB("f32[64]", "f32[64]") "%y = MatMul(%a, %b)", "f32[]"},
    {13, AB("f32[2,3]", "f32[4,5]") "%y = MatMul(%a, %b)", "conflict"},
    {13, AB("f32[2,3]", "f32[*]") "%y = MatMul(%a, %b)", "f32[*]"},
    {13, AB("f32[k,n]", "f32[5,k]") "%y = Gemm(%a, %b) {transA = 1, transB = 1}", "f32[n,5]"},
    {13, AB("f32[*]", "f32[5,7]") "%y = Gemm(%a, %b)", "f32[?,7]"},
    {13, AB("f32[2,5]", "f32[5,7]") "input %c: f32[2,1] %y = Gemm(%a, %b, %c)", "f32[2,7]"},
    {13, AB("f32[1,5]", "f32[5,n]") "input %c: f32[7] %y = Gemm(%a, %b, %c)", "f32[1,n]"},
    {13, AB("f32[2,5]", "f32[5,7]") "input %c: f32[2] %y = Gemm(%a, %b, %c)", "conflict"},
    {13, AB("f32[1,5]", "f32[5,7]") "input %c: f32[2,7] %y = Gemm(%a, %b, %c)", "conflict"},
    {13, AB("f32[2,5]", "f32[5,7]") "input %c: f32[1,2,7] %y = Gemm(%a, %b, %c)", "conflict"},
    {12,
     AB("f32[b,h,i,d]", "f32[b,h,j,d]") "%y = Einsum(%a, %b) {equation = \"bhid, bhjd -> bhij\"}",
     "f32[b,h,i,j]"},
    {12, AB("f32[2,3]", "f32[3,4]") "%y = Einsum(%a, %b) {equation = \"ij,jk\"}", "f32[2,4]"},
    {12, AB("f32[7,2,3]", "f32[1,3,4]") "%y = Einsum(%a, %b) {equation = \"...ij,...jk->...ik\"}",
     "f32[7,2,4]"},
    {12, "input %a: f32[5,5] %y = Einsum(%a) {equation = \"ii->\"}", "f32[]"},
    {12, AB("f32[2,3]", "f32[4,4]") "%y = Einsum(%a, %b) {equation = \"ij,jk\"}", "conflict"},
    {12, AB("f32[2,3]", "f32[4,4]") "%y = Einsum(%a, %b) {equation = \"i#,jk\"}", "conflict"})

SHAPE_TEST(
    reductions, {13, "input %a: f32[b,s,64] %y = ReduceMean(%a) {axes = [-1]}", "f32[b,s,1]"},
    {13, "input %a: f32[b,s,64] %y = ReduceMean(%a) {axes = [-1], keepdims = 0}", "f32[b,s]"},
    {13, "input %a: f32[b,s,64] %y = ReduceMax(%a)", "f32[1,1,1]"},
    {13, AB("f32[b,s]", "i64[1] !content(0)") "%y = ReduceSum(%a, %b)", "f32[1,s]"},
    {13, AB("f32[b,s]", "i64[0] !content()") "%y = ReduceSum(%a, %b) {noop_with_empty_axes = 1}",
     "f32[b,s]"},
    {13, AB("f32[b,s]", "i64[1]") "%y = ReduceSum(%a, %b)", "f32[?,?]"},
    {13, AB("f32[b,s]", "i64[1]") "%y = ReduceSum(%a, %b) {keepdims = 0}", "f32[?]"},
    {13, "input %a: f32[b,s] %y = ReduceMean(%a) {axes = [2]}", "conflict"},
    {13, "input %a: i64[3] !content(b, s, 4) %y = ReduceProd(%a) {keepdims = 0}",
     "i64[] = {b*s*4}"},
    {13, "input %a: i64[2,2] !content(1, 2, 3, n) %y = ReduceMax(%a) {axes = [1], keepdims = 0}",
     "i64[2] = {2, max(3, n)}"},
    {13, "input %a: f32[4] !floats[1.0, 2.0, 3.0, 4.0] %y = ReduceMean(%a)", "f32[1] = {2.5}"},
    {13, "input %a: i64[2] !content(1, 2) %y = ReduceMean(%a)", "i64[1]"},
    {13, "input %a: f32[b,s] %y = ArgMax(%a) {axis = 1, keepdims = 0}", "i64[b]"},
    {13, "input %a: i64[4] !content(3, 7, -1, 7) %y = ArgMax(%a)", "i64[1] = {1}"},
    {13,
     "input %a: i64[4] !content(3, 7, -1, 7) %y = ArgMax(%a) {select_last_index = 1, keepdims = 0}",
     "i64[] = {3}"},
    {13, "input %a: i64[4] !content(3, 7, -1, 7) %y = ArgMin(%a)", "i64[1] = {2}"},
    {13, "input %a: f32[3] !floats[0.5, -2.0, 1.0] %y = ArgMin(%a)", "i64[1] = {1}"},
    {13, "input %a: i64[2] !content(3, b) %y = ArgMax(%a)", "i64[1]"},
    {14, AB("i64[3] !content(1, n, 3)", "i64[] !content(0)") "%y = CumSum(%a, %b)",
     "i64[3] = {1, n + 1, n + 4}"},
    {14, AB("i64[3] !content(1, n, 3)", "i64[]") "%y = CumSum(%a, %b) {exclusive = 1, reverse = 1}",
     "i64[3] = {n + 3, 3, 0}"})

SHAPE_TEST(creation, {13, "input %a: f32[b,3,s] %y = Shape(%a)", "i64[3] = {b, 3, s}"},
           {15, "input %a: f32[b,3,s] %y = Shape(%a) {start = -2}", "i64[2] = {3, s}"},
           {15, "input %a: f32[*] %y = Shape(%a)", "i64[?]"},
           {13, "input %a: f32[b,3,s] %y = Size(%a)", "i64[] = {b*s*3}"},
           {13, "%y = Constant() {value_ints = [1, 2]}", "i64[2] = {1, 2}"},
           {13, "%y = Constant() {value_float = 0.5}", "f32[] = {0.5}"},
           {13, "%y = Constant() {value = tensor(i64[2], 16 bytes, ints [3, 4])}", "i64[2]"},
           {13, "%c = Constant() {value = tensor(i64[2], 16 bytes, ints [3, 4])} %y = Add(%c, %c)",
            "i64[2] = {6, 8}"},
           {9, "input %a: i64[2] !content(b, 3) %y = ConstantOfShape(%a)", "f32[b,3]"},
           {9,
            "input %a: i64[1] !content(2) %y = ConstantOfShape(%a) {value = tensor(i64[1], 8 "
            "bytes, ints [7])}",
            "i64[2] = {7, 7}"},
           {9, "input %a: i64[2] %y = ConstantOfShape(%a)", "f32[?,?]"},
           {9, "input %a: i64[1] !content(-2) %y = ConstantOfShape(%a)", "conflict"},
           {11,
            AB("i64[] !content(0)",
               "i64[] !content(n)") "input %c: i64[] !content(1) %y = Range(%a, %b, %c)",
            "i64[n]"},
           {11,
            AB("i64[] !content(8)",
               "i64[] !content(2)") "input %c: i64[] !content(-3) %y = Range(%a, %b, %c)",
            "i64[2] = {8, 5}"},
           {11,
            AB("f32[] !floats[0.0]",
               "f32[] !floats[1.0]") "input %c: f32[] !floats[0.25] %y = Range(%a, %b, %c)",
            "f32[4] = {0, 0.25, 0.5, 0.75}"},
           {11,
            AB("i64[] !content(0)", "i64[]") "input %c: i64[] !content(1) %y = Range(%a, %b, %c)",
            "i64[?]"},
           {1, "%y = RandomNormal() {shape = [2, 3]}", "f32[2,3]"},
           {1, "input %a: f16[b,2] %y = RandomUniformLike(%a)", "f16[b,2]"},
           {9, "input %a: f16[b,2] %y = EyeLike(%a) {dtype = 7}", "i64[b,2]"})

SHAPE_TEST(
    layers,
    {15,
     "input %x: f32[n,c,4] input %s: f32[c] %y, %m, %v = BatchNormalization(%x, %s, %s, %s, %s) "
     "{training_mode = 1}",
     "f32[n,c,4]; f32[c]; f32[c]"},
    {17, "input %x: f16[n,s,64] input %s: f16[64] %y, %m, %v = LayerNormalization(%x, %s)",
     "f16[n,s,64]; f32[n,s,1]; f32[n,s,1]"},
    {13, "input %x: f32[n] %y, %m = Dropout(%x)", "f32[n]; bool[n]"},
    {7, "input %x: f32[n] %y, %m = Dropout(%x)", "f32[n]; f32[n]"},
    {13, "input %x: f32[n,10] input %t: i64[n] %y, %p = SoftmaxCrossEntropyLoss(%x, %t)",
     "f32[]; f32[n,10]"},
    {13,
     "input %x: f32[n,10] input %t: i64[n] %y = NegativeLogLikelihoodLoss(%x, %t) {reduction = "
     "\"none\"}",
     "f32[n]"},
    {14,
     "input %x: f32[t,b,8] input %w: f32[2,64,8] input %r: f32[2,64,16] %y, %h, %c = LSTM(%x, %w, "
     "%r) {direction = \"bidirectional\", hidden_size = 16}",
     "f32[t,2,b,16]; f32[2,b,16]; f32[2,b,16]"},
    {14,
     "input %x: f32[b,t,8] input %w: f32[1,48,8] input %r: f32[1,48,16] _, %h = GRU(%x, %w, %r) "
     "{layout = 1}",
     "f32[b,1,16]"},
    {21, "input %x: f32[n] input %s: f32[] input %z: i4[] %y = QuantizeLinear(%x, %s, %z)",
     "i4[n]"},
    {13, "input %x: f32[n] input %s: f32[] %y = QuantizeLinear(%x, %s)", "u8[n]"},
    {11, "input %x: f32[n] %y, %s, %z = DynamicQuantizeLinear(%x)", "u8[n]; f32[]; u8[]"},
    {23,
     "input %q: f32[b,s,64] input %k: f32[b,t,32] input %v: f32[b,t,32] input %pk: f32[b,4,p,8] "
     "input %pv: f32[b,4,p,8] %y, %nk, %nv, %qk = Attention(%q, %k, %v, _, %pk, %pv) {q_num_heads "
     "= 8, kv_num_heads = 4}",
     "f32[b,s,64]; f32[b,4,p + t,8]; f32[b,4,p + t,8]; f32[b,8,s,p + t]"},
    {20, "input %x: f32[b,n,1] %y = DFT(%x) {onesided = 1}", "f32[b,(n floordiv 2) + 1,2]"},
    {17,
     "input %x: f32[b,128,1] input %s: i64[] !content(8) input %w: f32[16] %y = STFT(%x, %s, %w)",
     "f32[b,15,9,2]"},
    {20, "input %x: f32[b,n,1] input %a: i64[] %y = DFT(%x, _, %a)", "f32[b,n,2]"},
    {20, "input %x: f32[b,n,1] input %a: i64[] %y = DFT(%x, _, %a) {onesided = 1}", "f32[?,?,2]"},
    {16, "input %x: f32[1,3,9,9] input %g: f32[1,h,w,2] %y = GridSample(%x, %g)", "f32[1,3,h,w]"},
    {11, "input %b: f32[1,s,4] input %s: f32[1,2,s] %y = NonMaxSuppression(%b, %s)", "i64[y.0,3]"},
    {13, "input %x: f32[n,8,h,w] %y = DepthToSpace(%x) {blocksize = 2}", "f32[n,2,h*2,w*2]"},
    {11, "input %x: f32[b,2,n,n] %y = Det(%x)", "f32[b,2]"},
    {9, "input %x: i64[b,9] %y = TfIdfVectorizer(%x) {ngram_indexes = [0, 6, 2]}", "f32[b,7]"},
    {20, "input %x: str[b] %y, %z = StringSplit(%x)", "str[b,?]; i64[b]"})

#define RESIZE(x, more) "input %x: " x " input %s: f32[4] !floats[1.0, 1.0, " more "] "

SHAPE_TEST(
    resize, {13, RESIZE("f32[1,3,8,h]", "2.0, 2.0") "%y = Resize(%x, _, %s)", "f32[1,3,16,h*2]"},
    {13, RESIZE("f32[1,3,9,h]", "0.5, 1.5") "%y = Resize(%x, _, %s)",
     "f32[1,3,4,(h*3) floordiv 2]"},
    {10, RESIZE("f32[1,3,8,8]", "0.6, 2.0") "%y = Resize(%x, %s)", "f32[1,3,4,16]"},
    {13, "input %x: f32[1,3,h,w] input %s: i64[4] !content(1, 3, a, b) %y = Resize(%x, _, _, %s)",
     "f32[1,3,a,b]"},
    {18,
     "input %x: f32[1,3,8,4] input %s: i64[2] !content(16, 16) %y = Resize(%x, _, _, %s) {axes = "
     "[2, 3], keep_aspect_ratio_policy = \"not_larger\"}",
     "f32[1,3,16,8]"},
    {13, "input %x: f32[1,3,8,4] input %s: f32[4] %y = Resize(%x, _, %s)", "f32[?,?,?,?]"},
    {13, "input %x: f32[1,3,8,4] input %s: f32[2] !floats[2.0, 2.0] %y = Resize(%x, _, %s)",
     "conflict"},
    {7, "input %x: f32[1,3,8,4] %y = Upsample(%x) {scales = floats [1.0, 1.0, 2.0, 2.5]}",
     "f32[1,3,16,10]"},
    {1, "input %x: f32[1,3,8,4] %y = Upsample(%x) {height_scale = 2.0, width_scale = 3.0}",
     "f32[1,3,16,12]"})

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),    cmocka_unit_test(test_products),
        cmocka_unit_test(test_reductions), cmocka_unit_test(test_creation),
        cmocka_unit_test(test_layers),     cmocka_unit_test(test_resize)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
