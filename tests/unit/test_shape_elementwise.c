/* Rules of element-wise ops: broadcasting, element types, known elements. */
#include "tests/unit/shape_case.h"

#define AB(a, b) "input %a: " a " input %b: " b " "

SHAPE_TEST(broadcast, {13, AB("f32[2,3]", "f32[3]") "%y = Add(%a, %b)", "f32[2,3]"},
           {13, AB("f32[2,1]", "f32[1,5]") "%y = Mul(%a, %b)", "f32[2,5]"},
           {13, AB("f32[n,1]", "f32[n,m]") "%y = Sub(%a, %b)", "f32[n,m]"},
           {13, AB("f32[n,4]", "f32[8,1]") "%y = Sub(%a, %b)", "f32[8,4]"},
           {13, AB("f32[n]", "f32[m]") "%y = Div(%a, %b)", "f32[max(m, n)]"},
           {13, AB("f32[?]", "f32[7]") "%y = Div(%a, %b)", "f32[7]"},
           {13, AB("f32[?]", "f32[1]") "%y = Div(%a, %b)", "f32[?]"},
           {13, AB("f32[0]", "f32[1]") "%y = Div(%a, %b)", "f32[0]"},
           {13, AB("f32[*]", "f32[1]") "%y = Div(%a, %b)", "f32[*]"},
           {13, AB("?", "f32[1]") "%y = Div(%a, %b)", "f32[*]"},
           {13, AB("f32[]", "f32[]") "%y = Div(%a, %b)", "f32[]"},
           {13, AB("f32[2]", "f32[3]") "%y = Add(%a, %b)", "conflict"},
           {13, AB("f32[2,1]", "f32[3]") "%y = Max(%a, %b, %a)", "f32[2,3]"},
           {6, AB("f32[2,3,4]", "f32[3]") "%y = Add(%a, %b) {broadcast = 1, axis = 1}",
            "f32[2,3,4]"},
           {13, AB("f32[2,3]", "f32[3]") "%y = Less(%a, %b)", "bool[2,3]"},
           {15, AB("f32[2,3]", "i64[3]") "%y = Pow(%a, %b)", "f32[2,3]"},
           {16, AB("f32[2,1]", "f32[3]") "input %c: bool[4,1,1] %y = Where(%c, %a, %b)",
            "f32[4,2,3]"},
           {20, AB("f32[2,1]", "f32[3]") "%y = IsNaN(%a)", "bool[2,1]"})

SHAPE_TEST(cast, {13, "input %a: f32[n,2] %y = Cast(%a) {to = 10}", "f16[n,2]"},
           {1, "input %a: f32[n,2] %y = Cast(%a) {to = \"INT64\"}", "i64[n,2]"},
           {13, "input %a: f32[*] %y = Cast(%a) {to = 10}", "f16[*]"},
           {13, "input %a: f32[*] %y = Cast(%a) {to = 999}", "?"},
           {13, "input %a: ? %y = Cast(%a) {to = 7}", "i64[*]"},
           {15, AB("f32[2]", "i8[*]") "%y = CastLike(%a, %b)", "i8[2]"},
           {26, "input %a: f32[2] %y = BitCast(%a) {to = 6}", "i32[2]"},
           {26, "input %a: f32[2] %y = BitCast(%a) {to = 7}", "conflict"},
           {13, "input %a: f32[3] !floats[1.9, -1.9, 0.0] %y = Cast(%a) {to = 7}",
            "i64[3] = {1, -1, 0}"},
           {13, "input %a: f32[2] !floats[0.5, 0.0] %y = Cast(%a) {to = 9}", "bool[2] = {1, 0}"},
           {13, "input %a: i64[2] !content(s, 3) %y = Cast(%a) {to = 1}", "f32[2] = {s, 3}"},
           {13, "input %a: i64[1] !content(3) %y = Cast(%a) {to = 1}", "f32[1] = {3}"},
           {13, "input %a: i64[1] !content(4294967296) %y = Cast(%a) {to = 6}", "i32[1] = {?}"})

#define INTS(a, b) "input %a: i64[2] !content(" a ") input %b: i64[2] !content(" b ") "

SHAPE_TEST(
    arithmetic, {13, INTS("n, 3", "4, m") "%y = Add(%a, %b)", "i64[2] = {n + 4, m + 3}"},
    {13, INTS("n, 3", "n, 5") "%y = Sub(%a, %b)", "i64[2] = {0, -2}"},
    {13, INTS("n, 3", "4, m") "%y = Mul(%a, %b)", "i64[2] = {n*4, m*3}"},
    {13, INTS("n, -7", "4, 2") "%y = Div(%a, %b)", "i64[2] = {n floordiv 4, -3}"},
    {13, INTS("n*4, n - m", "4, 2") "%y = Div(%a, %b)", "i64[2] = {n, ?}"},
    {13, INTS("n, -7", "0, 0") "%y = Div(%a, %b)", "i64[2] = {?, ?}"},
    {13, INTS("-7, 7", "3, -3") "%y = Mod(%a, %b)", "i64[2] = {2, -2}"},
    {13, INTS("-7, 7", "3, -3") "%y = Mod(%a, %b) {fmod = 1}", "i64[2] = {-1, 1}"},
    {13, INTS("n, 3", "2, 4") "%y = Pow(%a, %b)", "i64[2] = {n*n, 81}"},
    {13, INTS("n, 3", "n + 1, 4") "%y = Min(%a, %b)", "i64[2] = {n, 3}"},
    {13, INTS("n, 3", "m, 4") "%y = Max(%a, %b)", "i64[2] = {max(m, n), 4}"},
    {13, "input %a: i64[2] !content(n, -3) %y = Neg(%a)", "i64[2] = {-n, 3}"},
    {13, "input %a: i64[2] !content(n, -3) %y = Abs(%a)", "i64[2] = {n, 3}"},
    {13, "input %a: i64[3] !content(n, n + 1, -3) %y = Sign(%a)", "i64[3] = {?, 1, -1}"},
    {13, "input %a: f32[2] !floats[0.5, 1.5] %y = Floor(%a)", "f32[2] = {0, 1}"},
    {13, "input %a: f32[2] !floats[0.5, 1.5] %y = Ceil(%a)", "f32[2] = {1, 2}"},
    {13, "input %a: f32[2] !floats[0.5, 1.5] %y = Round(%a)", "f32[2] = {0, 2}"},
    {13, "input %a: f32[] !floats[16.0] %y = Sqrt(%a)", "f32[] = {4}"},
    {13, "input %a: i64[1] !content(n) input %b: i64[] !content(2) %y = Mul(%a, %b)",
     "i64[1] = {n*2}"},
    {13,
     "input %a: f32[1] !content(n) input %b: f32[1] !floats[2.0] %c = Mul(%a, %b) %d = Floor(%c) "
     "%y = Cast(%d) {to = 7}",
     "i64[1] = {n*2}"},
    {13, "input %a: f32[1] !content(n) input %b: f32[1] !floats[2.0] %y = Div(%a, %b)",
     "f32[1] = {?}"},
    {13, "input %a: f16[1] !floats[2048.0] input %b: f16[1] !floats[3.0] %y = Add(%a, %b)",
     "f16[1] = {2052}"},
    {13, "input %a: f32[1] !floats[16777216.0] input %b: f32[1] !floats[1.0] %y = Add(%a, %b)",
     "f32[1] = {1.67772e+07}"},
    {14, "input %a: i64[2] !content(n, -3) %y = Relu(%a)", "i64[2] = {n, 0}"},
    {13, "input %a: u8[1] !content(200) %y = Add(%a, %a)", "u8[1]"},
    {13,
     "input %a: i64[3] !content(n, 9, -4) input %lo: i64[] !content(0) input %hi: i64[] !content(5)"
     " %y = Clip(%a, %lo, %hi)",
     "i64[3] = {min(5, n), 5, 0}"})

SHAPE_TEST(
    logic, {13, INTS("n, 3", "n, 4") "%y = Equal(%a, %b)", "bool[2] = {1, 0}"},
    {13, INTS("n, n", "m, -1") "%y = Equal(%a, %b)", "bool[2] = {?, 0}"},
    {13, INTS("n, n", "n + 1, n") "%y = Less(%a, %b)", "bool[2] = {1, 0}"},
    {16, INTS("n, n", "n + 1, n") "%y = GreaterOrEqual(%a, %b)", "bool[2] = {0, 1}"},
    {13, INTS("n, n", "5, 1") "%y = Greater(%a, %b)", "bool[2] = {?, ?}"},
    {13, "input %a: bool[3] !content(0, 1, ?) input %b: bool[3] !content(?, ?, 1) %y = And(%a, %b)",
     "bool[3] = {0, ?, ?}"},
    {13, "input %a: bool[3] !content(0, 1, ?) input %b: bool[3] !content(?, ?, 1) %y = Or(%a, %b)",
     "bool[3] = {?, 1, 1}"},
    {13, "input %a: bool[2] !content(0, 1) %y = Not(%a)", "bool[2] = {1, 0}"},
    {16,
     "input %c: bool[3] !content(1, 0, ?) " INTS("n, 5", "m, 6") //
     "input %d: i64[3] !content(n, 5, 2) input %e: i64[3] !content(m, 6, 2) %y = Where(%c, %d, %e)",
     "i64[3] = {n, 6, 2}"},
    {13, "input %a: f32[2] !floats[0.5, 2.0] input %b: f32[1] !floats[1.0] %y = Less(%a, %b)",
     "bool[2] = {1, 0}"})

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broadcast), cmocka_unit_test(test_cast),
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_logic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
