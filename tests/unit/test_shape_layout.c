/* Rules that move elements: reshaping, joining, cutting, reading by index. */
#include "tests/unit/shape_case.h"

#define RESHAPE(x, n, s) "input %x: " x " input %s: i64[" n "] !content(" s ") %y = Reshape(%x, %s)"

SHAPE_TEST(
    reshape, {14, RESHAPE("f32[2,3,4]", "2", "6, 4"), "f32[6,4]"},
    {14, RESHAPE("f32[2,3,4]", "2", "0, -1"), "f32[2,12]"},
    {14, RESHAPE("f32[b,s,12*h]", "4", "0, 0, 12, -1"), "f32[b,s,12,h]"},
    {14, RESHAPE("f32[b,s,64]", "2", "-1, 64"), "f32[b*s,64]"},
    {14, RESHAPE("f32[?,s,64]", "3", "0, -1, 8"), "f32[?,s*8,8]"},
    {14, RESHAPE("f32[?,s,64]", "2", "-1, 64"), "f32[?,64]"},
    {14, RESHAPE("f32[b,s,64]", "4", "b, s, 8, -1"), "f32[b,s,8,8]"},
    {14, RESHAPE("f32[6,4]", "2", "?, 8"), "f32[3,8]"},
    {14, RESHAPE("f32[*]", "2", "-1, 8"), "f32[?,8]"}, {14, RESHAPE("f32[]", "0", ""), "f32[]"},
    {14, RESHAPE("f32[6,4]", "2", "-1, 7"), "conflict"},
    {14, RESHAPE("f32[6,4]", "1", "23"), "conflict"},
    {14, RESHAPE("f32[6,4]", "2", "-2, 4"), "conflict"},
    {14, RESHAPE("f32[6]", "2", "6, 0"), "conflict"},
    {14, "input %x: f32[0,4] input %s: i64[2] !content(0, 7) %y = Reshape(%x, %s) {allowzero = 1}",
     "f32[0,7]"},
    {14, "input %x: f32[6,4] input %s: i64[3] %y = Reshape(%x, %s)", "f32[?,?,?]"},
    {14, "input %x: f32[6,4] input %s: i64[?] %y = Reshape(%x, %s)", "f32[*]"},
    {1, "input %x: f32[6,4] %y = Reshape(%x) {shape = [4, -1]}", "f32[4,6]"},
    {14, "input %x: i64[2] !content(n, 3) input %s: i64[2] !content(1, 2) %y = Reshape(%x, %s)",
     "i64[1,2] = {n, 3}"})

#define AXES(x, a) "input %x: " x " input %a: i64[1] !content(" a ") "

SHAPE_TEST(axes, {13, AXES("f32[1,n,1]", "-1") "%y = Squeeze(%x, %a)", "f32[1,n]"},
           {13, AXES("f32[1,n,2]", "-1") "%y = Squeeze(%x, %a)", "conflict"},
           {13, AXES("f32[1,n,2]", "7") "%y = Squeeze(%x, %a)", "conflict"},
           {11, "input %x: f32[1,3,1] %y = Squeeze(%x) {axes = 2}", "f32[1,3]"},
           {11, "input %x: f32[n,3] %y = Unsqueeze(%x) {axes = 1}", "f32[n,1,3]"},
           {13, "input %x: f32[1,3,1] %y = Squeeze(%x)", "f32[3]"},
           {13, "input %x: f32[1,n] %y = Squeeze(%x)", "f32[*]"},
           {13, "input %x: f32[1,3,n] input %a: i64[2] %y = Squeeze(%x, %a)", "f32[3]"},
           {13, "input %x: f32[1,3,n] input %a: i64[1] %y = Squeeze(%x, %a)", "f32[?,?]"},
           {13, "input %x: f32[1,3,n] input %a: i64[k] %y = Squeeze(%x, %a)", "f32[*]"},
           {11, "input %x: f32[1,n] %y = Squeeze(%x) {axes = [0]}", "f32[n]"},
           {13, AXES("f32[2,n]", "1") "%y = Unsqueeze(%x, %a)", "f32[2,1,n]"},
           {11, "input %x: f32[n] %y = Unsqueeze(%x) {axes = [0, 2]}", "f32[1,n,1]"},
           {11, "input %x: f32[n] %y = Unsqueeze(%x) {axes = [0, 0]}", "conflict"},
           {13, "input %x: f32[n] input %a: i64[2] %y = Unsqueeze(%x, %a)", "f32[?,?,?]"},
           {13, AXES("i64[] !content(n)", "0") "%y = Unsqueeze(%x, %a)", "i64[1] = {n}"},
           {13, "input %x: f32[b,3,s] %y = Flatten(%x)", "f32[b,s*3]"},
           {13, "input %x: f32[b,3,s] %y = Flatten(%x) {axis = 3}", "f32[b*s*3,1]"},
           {13, "input %x: f32[*] %y = Flatten(%x)", "f32[?,?]"},
           {13, "input %x: f32[b,3,s] %y = Transpose(%x)", "f32[s,3,b]"},
           {13, "input %x: f32[b,3,s] %y = Transpose(%x) {perm = [0, 2, 1]}", "f32[b,s,3]"},
           {13, "input %x: f32[b,3,s] %y = Transpose(%x) {perm = [0, 2, 2]}", "conflict"},
           {13, "input %x: i64[2,2] !content(1, 2, 3, n) %y = Transpose(%x)",
            "i64[2,2] = {1, 3, 2, n}"})

#define WITH(x, s) "input %x: " x " input %s: " s " "

SHAPE_TEST(repeat,
           {13, WITH("f32[1,3]", "i64[3] !content(b, 1, 3)") "%y = Expand(%x, %s)", "f32[b,1,3]"},
           {13, WITH("f32[5,3]", "i64[2]") "%y = Expand(%x, %s)", "f32[5,3]"},
           {13, WITH("f32[1,n]", "i64[3]") "%y = Expand(%x, %s)", "f32[?,?,?]"},
           {13, WITH("i64[1] !content(n)", "i64[1] !content(3)") "%y = Expand(%x, %s)",
            "i64[3] = {n, n, n}"},
           {13, WITH("f32[2,n]", "i64[2] !content(3, 4)") "%y = Tile(%x, %s)", "f32[6,n*4]"},
           {13, WITH("i64[2] !content(1, n)", "i64[1] !content(2)") "%y = Tile(%x, %s)",
            "i64[4] = {1, n, 1, n}"},
           {13, WITH("f32[2,n]", "i64[2]") "%y = Tile(%x, %s)", "f32[?,?]"},
           {13, WITH("f32[2,n]", "i64[4] !content(0, 1, 3, 1)") "%y = Pad(%x, %s)", "f32[5,n + 2]"},
           {18,
            WITH("f32[2,n]", "i64[2] !content(1, 1)") "input %a: i64[1] !content(-1) "
                                                      "%y = Pad(%x, %s, _, %a)",
            "f32[2,n + 2]"},
           {2, "input %x: f32[2,n] %y = Pad(%x) {pads = [0, 0, 3, 1]}", "f32[5,n + 1]"},
           {13, "input %x: f32[2,n] %y = Pad(%x) {pads = [0, 0, 3, 1]}", "f32[5,n + 1]"},
           {13, WITH("f32[2,n]", "i64[2] !content(0, 1)") "%y = Pad(%x, %s)", "conflict"})

SHAPE_TEST(join, {13, WITH("f32[2,n]", "f32[3,n]") "%y = Concat(%x, %s) {axis = 0}", "f32[5,n]"},
           {13, WITH("f32[b,n]", "f32[b,m]") "%y = Concat(%x, %s) {axis = -1}", "f32[b,m + n]"},
           {13, WITH("f32[?,4]", "f32[3,n]") "%y = Concat(%x, %s) {axis = 1}", "f32[3,n + 4]"},
           {13, WITH("f32[2,4]", "f32[3,4]") "%y = Concat(%x, %s) {axis = 1}", "conflict"},
           {13, WITH("i64[1] !content(b)", "i64[1]") "%y = Concat(%x, %s) {axis = 0}",
            "i64[2] = {b, ?}"},
           {13, WITH("f32[6,4]", "i64[2] !content(2, 4)") "%y, %z = Split(%x, %s)",
            "f32[2,4]; f32[4,4]"},
           {11, "input %x: f32[6,n] %y, %z = Split(%x) {axis = 1}",
            "f32[6,n ceildiv 2]; f32[6,n ceildiv 2]"},
           {13, "input %x: f32[7] %y, %z = Split(%x)", "conflict"},
           {18, "input %x: f32[7] %y, %z = Split(%x) {num_outputs = 2}", "f32[4]; f32[3]"},
           {11, "input %x: i64[4] !content(a, b, c, d) %y, %z = Split(%x) {split = [1, 3]}",
            "i64[1] = {a}; i64[3] = {b, c, d}"},
           {13, WITH("f32[6,4]", "i64[2]") "%y, %z = Split(%x, %s)", "f32[y.0,4]; f32[z.0,4]"},
           {13, WITH("f32[6,4]", "i64[3] !content(1, 1, 4)") "%y, %z = Split(%x, %s)", "conflict"})

#define SLICE(x, s, e, a, t)                                                                       \
    "input %x: " x " input %s: i64[1] !content(" s ") input %e: i64[1] !content(" e                \
    ") input %a: i64[1] !content(" a ") input %t: i64[1] !content(" t                              \
    ") %y = Slice(%x, %s, %e, %a, %t)"

SHAPE_TEST(
    slice, {13, SLICE("f32[10,4]", "2", "7", "0", "1"), "f32[5,4]"},
    {13, SLICE("f32[10,4]", "-3", "9223372036854775807", "0", "1"), "f32[3,4]"},
    {13, SLICE("f32[10,4]", "9", "-11", "0", "-1"), "f32[10,4]"},
    {13, SLICE("f32[10,4]", "1", "8", "0", "3"), "f32[3,4]"},
    {13, SLICE("f32[10,4]", "8", "2", "0", "1"), "f32[0,4]"},
    {13, SLICE("f32[10,4]", "1", "9", "0", "9223372036854775807"), "f32[1,4]"},
    {13, SLICE("f32[n,4]", "1", "9223372036854775807", "0", "1"), "f32[n - 1,4]"},
    {13, SLICE("f32[n,4]", "0", "-1", "0", "1"), "f32[n - 1,4]"},
    {13, SLICE("f32[n,4]", "0", "9223372036854775807", "0", "2"), "f32[n ceildiv 2,4]"},
    {13, SLICE("f32[n,4]", "-1", "-9223372036854775807", "0", "-1"), "f32[n,4]"},
    {13, SLICE("f32[n,4]", "0", "5", "0", "1"), "f32[min(5, n),4]"},
    {13, SLICE("f32[1024,4]", "0", "n", "0", "1"), "f32[n,4]"},
    {13, SLICE("f32[1024,4]", "p", "n + p", "0", "1"), "f32[n,4]"},
    {13, SLICE("f32[n + p,4]", "p", "n + p", "0", "1"), "f32[n,4]"},
    {13, SLICE("f32[n,4]", "?", "5", "0", "1"), "f32[y.0,4]"},
    {13, SLICE("f32[n,4]", "0", "5", "0", "0"), "conflict"},
    {13, SLICE("f32[n,4]", "0", "5", "2", "1"), "conflict"},
    {13, SLICE("i64[4] !content(a, b, c, d)", "1", "-1", "0", "1"), "i64[2] = {b, c}"},
    {13, SLICE("i64[4] !content(a, b, c, d)", "-1", "-9", "0", "-1"), "i64[4] = {d, c, b, a}"},
    {9, "input %x: f32[10,4] %y = Slice(%x) {starts = [1], ends = [-1], axes = [1]}", "f32[10,2]"},
    {13, "input %x: f32[10,4] %y = Slice(%x) {starts = [1], ends = [-1], axes = [1]}", "f32[10,2]"},
    {13, "input %x: f32[10,4] input %s: i64[1] input %e: i64[1] %y = Slice(%x, %s, %e)",
     "f32[y.0,4]"},
    {13,
     "input %x: f32[10,4] input %s: i64[1] !content(1) input %e: i64[k] input %a: i64[2] "
     "!content(0, 1) %y = Slice(%x, %s, %e, %a)",
     "conflict"})

SHAPE_TEST(
    gather, {13, WITH("f32[n,64]", "i64[b,s]") "%y = Gather(%x, %s)", "f32[b,s,64]"},
    {13, WITH("f32[n,64]", "i64[]") "%y = Gather(%x, %s) {axis = 1}", "f32[n]"},
    {13, WITH("i64[3] !content(a, b, c)", "i64[] !content(-1)") "%y = Gather(%x, %s)",
     "i64[] = {c}"},
    {13, WITH("i64[3] !content(a, b, c)", "i64[2] !content(2, 0)") "%y = Gather(%x, %s)",
     "i64[2] = {c, a}"},
    {13, WITH("i64[3] !content(a, b, c)", "i64[1] !content(3)") "%y = Gather(%x, %s)", "i64[1]"},
    {13, WITH("f32[n,64]", "i64[2,3]") "%y = GatherElements(%x, %s)", "f32[2,3]"},
    {13, WITH("f32[2,3,4]", "i64[5,2]") "%y = GatherND(%x, %s)", "f32[5,4]"},
    {13, WITH("f32[2,3,4]", "i64[2,5,1]") "%y = GatherND(%x, %s) {batch_dims = 1}", "f32[2,5,4]"},
    {13, WITH("f32[2,3]", "i64[2,3]") "%y = GatherND(%x, %s)", "conflict"},
    {16,
     WITH("i64[3] !content(a, b, c)", "i64[1,1] !content(1)") "input %u: i64[1] !content(9) "
                                                              "%y = ScatterND(%x, %s, %u)",
     "i64[3] = {a, 9, c}"},
    {11, WITH("f32[n,5]", "bool[5] !content(1, 0, 1, 0, 0)") "%y = Compress(%x, %s) {axis = 1}",
     "f32[n,2]"},
    {11, WITH("f32[n,5]", "bool[5]") "%y = Compress(%x, %s)", "f32[y.0]"},
    {13, "input %x: f32[n,5] %y = NonZero(%x)", "i64[2,y.1]"},
    {13, "input %x: i64[2,2] !content(1, 0, 0, 7) %y = NonZero(%x)", "i64[2,2] = {0, 1, 0, 1}"},
    {11, "input %x: f32[n,5] %y, %i, %v, %c = Unique(%x)",
     "f32[y.0]; i64[y.0]; i64[n*5]; i64[y.0]"},
    {11, WITH("f32[n,5]", "i64[1] !content(k)") "%y, %i = TopK(%x, %s)", "f32[n,k]; i64[n,k]"},
    {9, "input %x: f32[n,5] %y, %i = TopK(%x) {k = 2, axis = 0}", "f32[2,5]; i64[2,5]"},
    {11, "input %x: f32[n,5] %y, %i = TopK(%x) {k = 2, axis = 0}", "f32[2,5]; i64[2,5]"},
    {11, "input %x: f32[n,5] %y, %i = TopK(%x)", "f32[n,?]; i64[n,?]"},
    {11, WITH("i64[n]", "i64[] !content(10)") "input %v: f32[2] %y = OneHot(%x, %s, %v)",
     "f32[n,10]"})

SHAPE_TEST(legacy,
           {7, "input %x: f32[n,3,720,720] %y = ImageScaler(%x) {scale = 2.0}", "f32[n,3,720,720]"},
           {7, "input %x: f32[n,3,20,h] %y = Crop(%x) {border = [1, 2, 3, 4]}",
            "f32[n,3,14,h - 4]"},
           {7, "input %x: f32[n,3,20,h] %y = Crop(%x) {border = [1, 2, 3, 4], scale = [7, 8]}",
            "f32[n,3,7,8]"},
           {7, "input %x: f32[3,20,20] %y = Crop(%x) {border = [1, 2, 3, 4]}", "conflict"},
           {7, "input %x: f32[*] %y = Crop(%x) {border = [1, 2, 3, 4]}", "f32[?,?,?,?]"},
           {7, "%y = ConstantFill() {shape = [2, 3], dtype = 7}", "i64[2,3]"},
           {7, "input %x: f32[n,3] %y = ConstantFill(%x) {extra_shape = [4]}", "f32[n,3,4]"},
           {7, "input %x: i64[2] !content(n, 3) %y = ConstantFill(%x) {input_as_shape = 1}",
            "f32[n,3]"},
           {7, "input %x: i64[2] %y = GivenTensorFill(%x) {input_as_shape = 1}", "f32[?,?]"},
           {7, "%y = GivenTensorFill()", "f32[*]"},
           {9,
            "input %x: f32[10,4] input %s: i64[1] !content(1) input %e: i64[1] !content(4) "
            "%y = DynamicSlice(%x, %s, %e)",
            "f32[3,4]"},
           {13, "input %x: f32[1,b,8] %y = IntegerMean(%x) {axes = [1, -1]}", "f32[1,1,1]"},
           {13, "input %x: f32[1,b,8] %y = IntegerMean(%x) {axes = 2}", "f32[1,b,1]"},
           {13, "input %x: f32[1,b,8] %y = IntegerMean(%x) {axes = [1], keepdims = 0}", "f32[1,8]"},
           {13, "input %x: f32[1,b,8] %y = IntegerMean(%x) {axes = [3]}", "conflict"},
           {13, "input %x: f32[1,b,8] %y = IntegerMean(%x)", "f32[1,1,1]"})

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reshape), cmocka_unit_test(test_axes),  cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_join),    cmocka_unit_test(test_slice), cmocka_unit_test(test_gather),
        cmocka_unit_test(test_legacy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
