/* What the program needs of where it runs. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>

void board_write(const void *bytes, size_t n); /* as hexadecimal digits, and a line end */
void board_exit(int code);

#endif
