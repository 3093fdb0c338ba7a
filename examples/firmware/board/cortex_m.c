/* A Cortex-M with semihosting, as QEMU's mps2 boards are: the vector table, what runs before main, and calls of the
 * debugger. A fault ends the emulator with exit code 42, where without a handler it would hang. */
#include <stdint.h>
#include <string.h>

#include "board.h"

extern uint32_t _stack, _data_load, _data, _edata, _bss, _ebss; /* link.ld */
int main(void);

/* ---- semihosting ---- */

static int call(int what, const void *argument) {
    register int r0 __asm__("r0") = what;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void board_exit(int code) {
    enum { EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };
    const uint32_t argument[] = {APPLICATION_EXIT, (uint32_t)code};
    call(EXIT_EXTENDED, argument);
    for (;;) {
    }
}

/* The UART of the board: standard output with -nographic. */
void board_write(const void *bytes, size_t n) {
    static const char digits[] = "0123456789abcdef";
    volatile uint32_t *data = (volatile uint32_t *)0x40004000, *control = data + 2;
    const unsigned char *b = bytes;
    *(data + 4) = 16; /* divider of the baud rate: the emulator wants one */
    *control = 1;     /* transmit */
    for (size_t i = 0; i < 2 * n; i++) {
        *data = (uint32_t)digits[b[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
    }
    *data = '\n';
}

/* ---- start ---- */

void board_start(void) __attribute__((naked, noreturn));
void board_begin(void);

/* Before any code of the compiler's that may use floating point. */
void board_start(void) {
#ifdef __ARM_FP
    __asm__ volatile("ldr r0, =0xE000ED88\n"
                     "ldr r1, [r0]\n"
                     "orr r1, r1, #0xF00000\n"
                     "str r1, [r0]\n"
                     "dsb\n"
                     "isb\n");
#endif
    __asm__ volatile("b board_begin\n");
}

void board_begin(void) {
    memcpy(&_data, &_data_load, (size_t)((char *)&_edata - (char *)&_data));
    memset(&_bss, 0, (size_t)((char *)&_ebss - (char *)&_bss));
    board_exit(main());
}

static void fault(void) {
    board_exit(42);
}

typedef void (*handler)(void);
__attribute__((section(".vectors"), used)) static const handler vectors[] = {
    (handler)(void *)&_stack, board_start, fault, fault, fault, fault, fault,
};
