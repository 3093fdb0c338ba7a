/* Rules of training graphs, of sequences, and of classical models. */
#include "tests/unit/shape_case.h"

#define MS "com.microsoft::"
#define ML "ai.onnx.ml::"
#define PT "ai.onnx.preview.training::"

SHAPE_TEST(
    gradients,
    {14, "input %dy: f32[*] input %x: f32[b,3] %dx = " MS "ReluGrad(%dy, %x)", "f32[b,3]"},
    {14, "input %dy: f32[2,4] input %x: f32[2,3] %dx = " MS "ReluGrad(%dy, %x)", "conflict"},
    {14,
     "input %dy: f32[b,8,6,6] input %x: f32[b,3,8,8] input %w: f32[8,3,3,3] %dx, %dw, %db = " MS
     "ConvGrad(%dy, %x, %w)",
     "f32[b,3,8,8]; f32[8,3,3,3]; f32[8]"},
    {14,
     "input %dy: f32[b,8,6,6] input %w: f32[8,3,3,3] %dx = ConvGradX(%dy, %w) {pads = [0, 1, 0, "
     "1]}",
     "f32[b,3,8,6]"},
    {14,
     "input %dy: f32[b,8,6,6] input %w: f32[8,3,3,3] %dx = ConvGradX(%dy, %w) {strides = [2, 2]}",
     "f32[b,3,?,?]"},
    {14,
     "input %dy: f32[1,8,6,6] input %x: f32[1,4,8,8] %dw = ConvGradW(%dy, %x) {kernel_shape = [3, "
     "3], group = 2}",
     "f32[8,2,3,3]"},
    {14,
     "input %x: f32[1,4,751] input %dy: f32[1,4,187] %y, %i = MaxPool(%x) {kernel_shape = [4], "
     "strides = [4]} %dx = MaxPoolGrad(%dy, %i) {kernel_shape = [4], strides = [4]}",
     "f32[1,4,751]"},
    {14, "input %dy: f32[1,4,1,1] %dx = GlobalAveragePoolGrad(%dy) {kernel_shape = [3, 5]}",
     "f32[1,4,3,5]"},
    {14,
     "input %dy: f32[] input %p: f32[b,10] input %l: i64[b] %dx = " MS
     "SoftmaxCrossEntropyLossGrad(%dy, %p, %l)",
     "f32[b,10]"},
    {14, "input %p: f32[b,10] input %l: i64[b] %dx = " MS "SoftmaxCrossEntropyLossGrad(%p, %l)",
     "f32[b,10]"},
    {14,
     "input %s: i64[2] !content(b, 7) input %i: i64[3] input %dy: f16[3,7] %dx = " MS
     "GatherGrad(%s, %i, %dy)",
     "f16[b,7]"},
    {14,
     "input %dy: f32[b,s,8] input %x: f32[b,s,8] input %g: f32[8] input %m: f32[b,s,1] %dx, %dg, "
     "%db = " MS "LayerNormalizationGrad(%dy, %x, %g, %m, %m)",
     "f32[b,s,8]; f32[8]; f32[8]"},
    {14, "input %x: f32[3,16,h] %s = GroupNormStats(%x) {num_groups = 4, epsilon = 0.1}",
     "f32[3,4,2]"})

#define SHAPES(a, b) "input %a: i64[?] !content(" a ") input %b: i64[?] !content(" b ") "

SHAPE_TEST(broadcast_axes,
           {14, SHAPES("b, 3, 4", "4") "%r, %s = " MS "BroadcastGradientArgs(%a, %b)",
            "i64[0] = {}; i64[2] = {1, 0}"},
           {14, SHAPES("2, 1, 4", "2, 3, 1") "%r, %s = " MS "BroadcastGradientArgs(%a, %b)",
            "i64[1] = {1}; i64[1] = {2}"},
           {14, SHAPES("b, 3", "b, 3") "%r, %s = " MS "BroadcastGradientArgs(%a, %b)",
            "i64[0] = {}; i64[0] = {}"},
           {14, SHAPES("b, 3", "1, 3") "%r, %s = " MS "BroadcastGradientArgs(%a, %b)",
            "i64[?]; i64[?]"})

SHAPE_TEST(
    training,
    {14, "input %a: f32[3,n] input %g: f32[3,n] %u, %o = " MS "InPlaceAccumulatorV2(%a, %g)",
     "bool[1]; f32[3,n]"},
    {14,
     "input %r: f32[] input %t: i64[] input %w: f32[3] input %g: f32[3] input %m: f32[3] %nt, %n1, "
     "%n2, %nw = " MS "AdamOptimizer(%r, %t, %w, %g, %m, %m)",
     "i64[]; f32[3]; f32[3]; f32[3]"},
    {14,
     "input %a: f32[b,3] input %c: i64[k] %ga, %gc = " MS
     "YieldOp(%a, %c) {full_shape_outputs = [0]}",
     "f32[b,3]; i64[*]"},
    {14, "input %a: f32[b,3] input %c: f32[b,5] %y, %l = " MS "ConcatTraining(%a, %c) {axis = 1}",
     "f32[b,8]; i64[2] = {3, 5}"},
    {14,
     "input %a: f32[b,8] input %s: i64[2] !content(3, 5) %p, %q = " MS
     "SplitTraining(%a, %s) {axis = 1}",
     "f32[b,3]; f32[b,5]"},
    {14, "input %a: f32[b,8] input %x: i64[1] !content(0) %y = " MS "ReduceSumTraining(%a, %x)",
     "f32[1,8]"},
    {14,
     "input %r: f32[] input %t: i64[] input %x: f32[2] input %z: f32[3] %nx, %nz, %hx, %hz = " PT
     "Adagrad(%r, %t, %x, %z, %x, %z, %x, %z)",
     "f32[2]; f32[3]; f32[2]; f32[3]"},
    {14, "input %r: f32[] input %t: i64[] input %x: f32[2] %n = " PT "Adagrad(%r, %t, %x)",
     "conflict"},
    {14, "input %p: f32[4,2] input %t: f32[4,2] %l = MSELoss(%p, %t)", "f32[]"})

#define THREE "input %a: f32[2,3] input %b: f32[n,3] input %c: f32[5,3] "
SHAPE_TEST(
    sequences,
    {14, "input %a: f32[2,3] input %b: f32[2,4] %s = SequenceConstruct(%a, %b)", "seq(f32[2,?])"},
    {14, "input %a: f32[2,3] %e = SequenceEmpty() %s = SequenceInsert(%e, %a)", "seq(f32[2,3])"},
    {14, "input %s: seq(f32[2,3]) input %i: i64[] %t = SequenceAt(%s, %i)", "f32[2,3]"},
    {14, "input %s: seq(f32[2,3]) %t = ConcatFromSequence(%s) {axis = 1}", "f32[2,?]"},
    {14, "input %s: seq(f32[2,3]) %t = ConcatFromSequence(%s) {axis = 0, new_axis = 1}",
     "f32[?,2,3]"},
    {14,
     THREE "input %p: i64[] !content(1) input %i: i64[] !content(-1) %e = SequenceEmpty() "
           "%s = SequenceInsert(%e, %a) %t = SequenceInsert(%s, %c) "
           "%u = SequenceInsert(%t, %b, %p) %y = SequenceAt(%u, %i)",
     "f32[5,3]"},
    {14,
     THREE "input %p: i64[] !content(1) %s = SequenceConstruct(%a, %b, %c) "
           "%t = SequenceErase(%s, %p) %u = Identity(%t) %y = SequenceAt(%u, %p)",
     "f32[5,3]"},
    {14,
     THREE "input %p: i64[] input %i: i64[] !content(0) %s = SequenceConstruct(%a, %b, %c) "
           "%t = SequenceErase(%s, %p) %y = SequenceAt(%t, %i)",
     "f32[?,3]"},
    {14, THREE "%s = SequenceConstruct(%a, %b, %c) %t = SequenceLength(%s)", "i64[] = {3}"},
    {14, THREE "%s = SequenceConstruct(%a, %b, %c) %t = ConcatFromSequence(%s) {axis = 0}",
     "f32[n + 7,3]"},
    {14,
     "input %a: f32[2,3] %s = SequenceConstruct(%a, %a) "
     "%t = ConcatFromSequence(%s) {axis = -1, new_axis = 1}",
     "f32[2,3,2]"},
    {14,
     "input %a: f32[7,3] input %n: i64[] !content(2) input %i: i64[] !content(3) "
     "%s = SplitToSequence(%a, %n) %t = SequenceAt(%s, %i)",
     "f32[1,3]"},
    {14,
     "input %a: f32[7,3] input %n: i64[2] !content(3, 4) input %i: i64[] !content(1) "
     "%s = SplitToSequence(%a, %n) %t = SequenceAt(%s, %i)",
     "f32[4,3]"},
    {14,
     "input %a: f32[7,3] input %i: i64[] !content(6) %s = SplitToSequence(%a) {keepdims = 0} "
     "%t = SequenceAt(%s, %i)",
     "f32[3]"},
    {14,
     "input %a: f32[7,3] input %i: i64[] !content(7) %s = SplitToSequence(%a) "
     "%t = SequenceAt(%s, %i)",
     "conflict"},
    {14,
     "input %a: f32[m,3] input %i: i64[] !content(7) %s = SplitToSequence(%a) "
     "%t = SequenceAt(%s, %i)",
     "f32[1,3]"},
    {14, "input %a: f32[6,3] input %n: i64[] !content(2) %s = SplitToSequence(%a, %n)",
     "seq(f32[2,3])"},
    {14, "input %a: f32[7,3] input %n: i64[] !content(2) %s = SplitToSequence(%a, %n)",
     "seq(f32[?,3])"},
    {14, "input %a: f32[7,3] %s = SplitToSequence(%a) {keepdims = 0}", "seq(f32[3])"},
    {18, "input %a: f32[7] %o = Optional(%a) %b = OptionalGetElement(%o)", "f32[7]"},
    {18, "input %a: f32[7] %b = OptionalGetElement(%a)", "f32[7]"})

SHAPE_TEST(classical,
           {14,
            "input %x: f32[b,4] %y, %z = " ML
            "TreeEnsembleClassifier(%x) {classlabels_int64s = [0, 1, 2]}",
            "i64[b]; f32[b,3]"},
           {14, "input %x: f32[4] %y = " ML "LinearRegressor(%x) {targets = 2}", "f32[1,2]"},
           {14, "input %x: f32[b,4] input %i: i64[2] %y = " ML "ArrayFeatureExtractor(%x, %i)",
            "f32[b,2]"},
           {14, "input %x: i64[b] %y = " ML "OneHotEncoder(%x) {cats_int64s = [5, 6, 7]}",
            "f32[b,3]"},
           {14,
            "input %x: map(i64,f32[]) %y = " ML "DictVectorizer(%x) {int64_vocabulary = [5, 6, 7]}",
            "f32[1,3]"},
           {14, "input %x: f32[b,3] %y = " ML "ZipMap(%x) {classlabels_int64s = [5, 6, 7]}",
            "seq(map(i64,f32[]))"})

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients), cmocka_unit_test(test_broadcast_axes),
        cmocka_unit_test(test_training), cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_classical)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
