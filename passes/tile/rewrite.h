/* Puts stretches of ops that run in parts into a module, and takes them out again. */
#ifndef TENURE_PASSES_TILE_REWRITE_H
#define TENURE_PASSES_TILE_REWRITE_H

#include "passes/tile/parts.h"

/* For each part: Slice of what enters, the ops with other pads; at last Concat of what leaves. The
 * stretches are of one model, have no op in common and come in order. Says in the module what was
 * done (ir/tiled.h). NULL, or why one of them cannot be, the module being unchanged; *which is its
 * number then. */
const char *tn_tile_rewrite(tn_tile_model *w, const tn_stretch *stretches, uint32_t n,
                            uint32_t *which);
/* The module without parts again. No op may be a clone. */
void tn_module_untile(tn_module *m);

/* ---- how stretches are written: "4-16:2/8;20-24:2/4+3/2" is ops 4 to 16 in 8 parts along axis 2,
 * and ops 20 to 24 in 4 times 2 along axes 2 and 3; "u" behind that: what leaves is put together in
 * place; "k", behind both: parts keep what the next one reads, too ---- */

enum { TN_TILE_MOST_PARTS = 256 }; /* along one axis: ops grow with them */

typedef TN_VEC(tn_tile_ask) tn_tile_asks;
void tn_tile_asks_put(const tn_tile_asks *asks, tn_sink *out);
/* False where the text is none, or stretches are not in order. */
bool tn_tile_asks_read(tn_arena *arena, const char *text, tn_tile_asks *out);
/* Those that the module has now. */
tn_tile_asks tn_tile_asks_of(const tn_module *m, tn_arena *arena);

#endif
