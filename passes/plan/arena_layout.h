/* Where alias classes lie: the step from a graph to plain packing problems and back. */
#ifndef TENURE_PASSES_PLAN_ARENA_LAYOUT_H
#define TENURE_PASSES_PLAN_ARENA_LAYOUT_H

#include "passes/analysis/precedence.h"
#include "passes/analysis/storages.h"
#include "passes/core/controls.h"
#include "passes/pack/pack.h"

typedef enum tn_level { TN_LEVEL_NONE, TN_LEVEL_0, TN_LEVEL_1 } tn_level;

typedef struct tn_layout_ask {
    tn_level level;
    bool slots;            /* shared objects instead of offsets */
    uint32_t effort;       /* as tn_pack_options */
    const char *algorithm; /* NULL: the portfolio */
    uint64_t align;
    bool io_in_arena;
    uint64_t capacity; /* not 0: stop at the first layout of level 1 that fits */
    bool open;      /* sizes are those of one point of open dimensions: where a relation begins */
    uint64_t nodes; /* that packing may search, and fits in proportion; 0: as many as the effort
                       allows */
    bool brief; /* bytes are wanted alone, not with as few overlaps as there can be */
    const uint32_t *part; /* by class, or NULL: only those of `in_part` are laid out, as if the
                             others were not there */
    uint32_t in_part;
    struct tn_layout_memory *memory; /* of packings made before; NULL: none */
    const tn_precedence *precedence; /* where steps run side by side: conflicts decide; else NULL */
    const tn_liveness *live;         /* with `precedence` */
} tn_layout_ask;

typedef struct tn_layout {
    const bool *in_arena;   /* by class */
    const uint64_t *offset; /* by class, in the arena; 0 outside */
    const uint32_t
        *slot; /* by class: index in slots, UINT32_MAX without; NULL in the offsets model */
    const uint64_t *slot_offset, *slot_size;
    uint32_t n_slots;
    uint64_t size, bound; /* of the arena, as laid out; bound for this order and these classes */
    uint64_t naive, level0, level1;
    uint64_t nodes;    /* that packing searched */
    int64_t peak_step; /* where the bound is reached */
    const char *algorithm;
    const tn_pack_buffer *buffers; /* what was packed: the classes in the arena */
    const uint32_t *class_of;      /* by buffer */
    uint32_t n_buffers, n_classes;
    const struct tn_overlap_pair *overlaps; /* results that begin inside dying operands */
    uint32_t n_overlaps;
    const tn_conflict *conflicts; /* between buffers, where steps run side by side; else NULL */
    size_t n_conflicts;
} tn_layout;

/* Lays out the arena at the level asked for; the figures of the other levels are worked out too.
 * Level 1 is never above level 0, level 0 never above naive. TN_USAGE for an unknown algorithm and
 * TN_ERROR when sizes overflow, both after a diagnostic. Results are in `arena`. */
TN_MUST_USE tn_status tn_layout_make(tn_module *m, const tn_storages *s, uint32_t n_steps,
                                     const tn_layout_ask *ask, tn_arena *arena, tn_layout *out);

#endif
