/* What no plan of a module without groups can do without. */
#ifndef TENURE_LIB_FUSE_FLOOR_H
#define TENURE_LIB_FUSE_FLOOR_H

#include "ir/module.h"

/* Bytes that the arena of the module has at least in any order, if none of the groups in it is
 * made. At an op alive are its operands, its results, where these cannot share bytes, and with
 * `through` whatever is made by an op that it needs and read by one that needs it. `overlaps`: a
 * result may begin inside of any operand that ends. */
uint64_t tn_fuse_floor(tn_arena *arena, const tn_module *m, bool overlaps, bool through);

#endif
