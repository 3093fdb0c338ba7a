/* The kernels of backends/kernels/library as text that a program holds: of each kernel the function
 * and what it rests on, nothing else.
 *
 * The files are embedded as they are. They are read as items: functions, types, macros, tables; a
 * macro that makes functions is expanded. Names get the prefix of the program, those that one file
 * has for itself its name, too, so that several programs can be one image or one source file. */
#ifndef TENURE_BACKENDS_KERNELS_LIBRARY_TEXT_H
#define TENURE_BACKENDS_KERNELS_LIBRARY_TEXT_H

#include <stdbool.h>

#include "ir/base/sink.h"

typedef struct tn_library tn_library;

/* In `arena`, with the prefixes of macros and of other names. */
tn_library *tn_library_make(tn_arena *arena, const char *macro, const char *symbol);
/* Whether there is a kernel of that name: "Conv_11", "Conv_11_nhwc". */
bool tn_library_has(const tn_library *l, const char *kernel);
/* Adds the kernel to what tn_library_text gives, where it is not yet there. */
void tn_library_add(tn_library *l, const char *kernel);
/* The same for any function of the library's headers. */
void tn_library_add_function(tn_library *l, const char *name);
/* All that was added, each item behind those it rests on. */
const char *tn_library_text(const tn_library *l);

#endif
