/* Private to ir/base: what the context needs from the string table. */
#ifndef TENURE_IR_BASE_GUARD_T_H
#define TENURE_IR_BASE_GUARD_T_H

#include "ir/base/ctx.h"

tn_strtab *tn_strtab_new(tn_arena *arena);

#endif
