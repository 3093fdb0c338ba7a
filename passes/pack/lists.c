/* Names of the algorithms (--algo). */
#include "passes/pack/pack.h"

#define FIT(id, name, letters, snug) name,
const char *const tn_pack_algorithms[] = {
#include "passes/pack/algorithms.def"
    NULL};

#define GRAPH(id, name) name,
const char *const tn_graph_algorithms[] = {
#include "passes/pack/algorithms.def"
    NULL};

#define SLOT(id, name) name,
const char *const tn_slot_algorithms[] = {
#include "passes/pack/algorithms.def"
    NULL};
