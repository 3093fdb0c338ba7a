/* Private to ir/base: the table behind tn_intern (ir/base/ctx.h), which every context owns one of.
 */
#ifndef TENURE_IR_BASE_STRTAB_T_H
#define TENURE_IR_BASE_STRTAB_T_H

#include "ir/base/ctx.h"

/* An empty table in `arena`, which has to live as long as the strings are used. */
tn_strtab *tn_strtab_new(tn_arena *arena);

#endif
