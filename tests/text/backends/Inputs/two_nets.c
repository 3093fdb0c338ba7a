/* Two models of one name in one program, and macros of the user's own that tensors are called like.
 * Valid C99 and C++. */
#define relu 1
#define Y 2
#define INPUT "x"
#define SIZE broken(
#define OFFSET broken(
#define I broken(
#define FIRST_TABLES
#define SECOND_TABLES
#define FIRST_DEFINE_ARENA
#define FIRST_DEFINE_IO
#define SECOND_DEFINE_IO
#include <first.h>
#include <second.h>
#include <first.h>

#include <stdio.h>

/* One arena for both: they never run at the same time. */
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
FIRST_ALIGN(64)
static unsigned char arena[LARGER(FIRST_POOL_SIZE(0, FIRST_ARENA), SECOND_POOL_SIZE(0, SECOND_ARENA))];

/* Names of tensors go through macros of the user's own unharmed, even those of other macros. */
#define OUTER(base, v) INNER(base, v)
#define INNER(base, v) FIRST_PTR(0, base, v, float)

static unsigned long wrong;

static void expect(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        wrong++;
    }
}

static void same(const void *a, const void *b, const char *what) {
    expect(a == b, what);
}

int main(void) {
    const unsigned char *kept = first_io;
    same(OUTER(first_io, FIRST_INPUT), first_io + FIRST_INPUT_OFFSET, "INPUT");
    same(OUTER(arena, FIRST_Y), arena + FIRST_Y_OFFSET, "Y");
    same(OUTER(arena, FIRST_RELU), arena + FIRST_OFF(0, FIRST_RELU), "relu");
    same(OUTER(arena, FIRST_I), arena + FIRST_OFF(0, FIRST_I), "i");
    same(OUTER(first_io, FIRST_X_SIZE_V), first_io + FIRST_X_SIZE_V_OFFSET, "x_size");
    same(FIRST_CONST_PTR(0, kept, FIRST_INPUT, float), first_io + FIRST_INPUT_OFFSET, "constant");
    expect(FIRST_SIZE(0, FIRST_INPUT) == 16 && SECOND_SIZE(0, SECOND_INPUT) == 32, "sizes");
    expect(FIRST_ELEMENTS(0, FIRST_Y) == 4 && SECOND_ELEMENTS(0, SECOND_Y) == 8, "elements");
    expect(FIRST_BASE_OK(arena, FIRST_ARENA) && SECOND_BASE_OK(second_io, SECOND_IO), "bases");
    expect(FIRST_RAM_BYTES == sizeof first_arena + sizeof first_io && FIRST_FLASH_BYTES == 0, "totals");
    expect(FIRST_UNPLANNED + SECOND_UNPLANNED == 0, "all has a place");
    expect(sizeof first_steps / sizeof first_steps[0] == FIRST_STEP_COUNT, "steps of one");
    expect(sizeof second_steps / sizeof second_steps[0] == SECOND_STEP_COUNT, "steps of the other");
    return wrong != 0;
}
