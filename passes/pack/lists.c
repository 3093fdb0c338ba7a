/* Names of the algorithms (--algo). */
#include "passes/pack/pack.h"

const char *const tn_pack_algorithms[] = {NULL};
const char *const tn_slot_algorithms[] = {NULL};
