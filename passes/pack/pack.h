/* The packing library: plain arrays in, offsets and a bound out. It knows no graph and no tensor,
 * so it can be measured against other solvers on their own data.
 *
 * Problem. Buffer i is live at times [first, last) (half-open, last > first) and needs `size` bytes
 * at a multiple of `align`. Buffers whose live ranges meet may not overlap in address. Minimise the
 * height: the largest offset + size. Solvers are deterministic: same input and options, same
 * result, with any number of threads. */
#ifndef TENURE_PASSES_PACK_PACK_H
#define TENURE_PASSES_PACK_PACK_H

#include <stdbool.h>

#include "ir/base/arena.h"

#define TN_PACK_FREE UINT64_MAX /* tn_pack_buffer.fixed: the solver chooses */

/* A time inside the live range in which only bytes [lo, hi) of the buffer are in use; lo == hi:
 * none. The gaps of one buffer do not meet each other. */
typedef struct tn_pack_gap {
    int64_t first, last; /* half-open */
    uint64_t lo, hi;
} tn_pack_gap;

typedef struct tn_pack_buffer {
    int64_t first, last; /* half-open */
    uint64_t size;       /* bytes; 0 is allowed and lies at offset 0 */
    uint64_t align;      /* >= 1 */
    uint64_t fixed;      /* offset given, or TN_PACK_FREE */
    const tn_pack_gap *gaps;
    uint32_t n_gaps;
} tn_pack_buffer;

typedef struct tn_pack_options {
    uint32_t
        effort; /* 0: one pass; 1: fast fits (default of callers); 2: and search; 3: long search */
    uint64_t capacity;     /* 0: minimise; else stop at the first height that fits */
    uint64_t budget;       /* search nodes, 0: the default of the effort */
    uint64_t work;         /* steps of fits, after which no further one begins, 0: the same */
    const char *algorithm; /* NULL: the portfolio; else one by name (tn_pack_algorithms) */
    uint32_t threads;      /* for the search; 0 and 1: the caller's alone */
    uint32_t wall_ms;      /* give up searching after so long; 0: never (then deterministic) */
    const char *without;   /* for measuring alone: the step of steps.def to leave out, or NULL */
} tn_pack_options;

/* What makes `bound` a lower bound. */
typedef enum tn_pack_bound {
    TN_BOUND_LIVE,   /* the live sizes at bound_time, counted in whole units of alignment */
    TN_BOUND_BUFFER, /* one buffer alone: its size, or its fixed offset and size */
    TN_BOUND_SEARCH, /* everything lower was searched through and holds no packing */
    TN_BOUND_RANKS,  /* slots: the largest, the second largest, ... alive at any time, summed */
    TN_BOUND_CLIQUE, /* conflict graphs: the buffers of bound_set all conflict with each other */
    TN_BOUND_STACK,  /* what is alive at bound_time, stacked in the best order: alignments and fixed
                        offsets leave holes between the sizes */
} tn_pack_bound;

typedef struct tn_pack_result {
    uint64_t *offsets; /* one a buffer, in the arena given */
    uint64_t height;
    uint64_t bound; /* proven lower bound */
    tn_pack_bound bound_kind;
    int64_t bound_time;    /* TN_BOUND_LIVE, TN_BOUND_STACK: a time at which what is alive needs the
                              bound; else one at which the largest of such bounds is reached */
    bool optimal;          /* height == bound */
    const char *algorithm; /* name of the winner, static storage */
    uint64_t work;         /* steps of the fits and nodes of the search */
    uint64_t nodes;        /* nodes of the search alone */
    const uint32_t *bound_set; /* TN_BOUND_CLIQUE: indices of buffers, else NULL */
    uint32_t n_bound_set;
} tn_pack_result;

/* Packs n buffers. Scratch memory is an arena of its own, dropped before returning.
 * TN_OK; TN_NOFIT when a capacity was given and nothing that fits was found (result is the lowest
 * packing found; bound > capacity proves that none fits); TN_USAGE for an unknown algorithm;
 * TN_ERROR when fixed offsets collide or are misaligned, live ranges or gaps are not well formed,
 * or sizes overflow 2^63. No diagnostics: the caller knows the names. */
TN_MUST_USE tn_status tn_pack(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                              const tn_pack_options *options, tn_pack_result *result);

/* Nodes that exact search spends by default at an effort from 1 to 3, where buffers are not many.
 */
uint64_t tn_pack_nodes(uint32_t effort);
/* Whether n buffers are so few that effort 1 searches them with the nodes of effort 2. */
bool tn_pack_is_few(uint32_t n);

/* Max-live lower bound (alignment of sizes is not counted), and a time where it is reached. The
 * sizes must sum to less than 2^64. 0 when live ranges or gaps are not well formed. */
uint64_t tn_pack_max_live(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                          int64_t *time);

/* True when no two buffers collide and all are aligned and where fixed. O(n log n).
 * `a` and `b` name a colliding pair otherwise (equal: bounds or alignment of one). */
bool tn_pack_valid(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                   const uint64_t *offsets, uint32_t *a, uint32_t *b);

/* Buffers that may not overlap, given pair by pair instead of by live ranges: for plans in which
 * steps run side by side, where "dead before the other begins" is not an order in time. Of the
 * buffers, sizes, alignments and fixed offsets count; live ranges and gaps are not looked at. */
typedef struct tn_conflict {
    uint32_t a, b; /* indices of buffers, not the same; either way round, as often as you like */
} tn_conflict;

/* As tn_pack. Parts that have no conflict with each other are packed alone. A part whose conflicts
 * are those of some live ranges (found by sweeps that may miss a few) is packed as such, with all
 * that tn_pack knows; others by first fit in several orders with squeaky-wheel rounds, and by exact
 * search when they have at most TN_GRAPH_SEARCH buffers. Their bound is the heaviest clique that a
 * bounded search finds, or what the exact search proves. */
enum { TN_GRAPH_SEARCH = 512 };
TN_MUST_USE tn_status tn_pack_graph(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                                    const tn_conflict *conflicts, size_t n_conflicts,
                                    const tn_pack_options *options, tn_pack_result *result);
/* As tn_pack_valid; linear in the conflicts. */
bool tn_pack_graph_valid(const tn_pack_buffer *buffers, uint32_t n, const tn_conflict *conflicts,
                         size_t n_conflicts, const uint64_t *offsets, uint32_t *a, uint32_t *b);

/* Why buffers do not fit. */
typedef enum tn_misfit_kind {
    TN_MISFIT_ALONE,    /* one buffer is too large, or fixed too high */
    TN_MISFIT_TOGETHER, /* all are in use at `time`, and `bytes` large together */
    TN_MISFIT_PROVEN,   /* no layout of them is lower than `bytes`, as a search or a bound proved */
} tn_misfit_kind;

typedef struct tn_pack_misfit {
    uint32_t *buffers; /* indices, the largest first */
    uint32_t n;
    tn_misfit_kind kind;
    int64_t time;
    uint64_t bytes; /* more than the capacity */
} tn_pack_misfit;

/* The smallest set of buffers it can find that does not fit into options->capacity by itself:
 * fewest in number among those alive together; where no such set is too large, a set of which no
 * member can go (as far as a budget goes) without the proof going too. False when it is not proven
 * that they do not fit; buffers must be as tn_pack takes them. */
bool tn_pack_misfit_find(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                         const tn_pack_options *options, tn_pack_misfit *out);
/* The same for a conflict graph; never TN_MISFIT_TOGETHER. */
bool tn_pack_graph_misfit(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                          const tn_conflict *conflicts, size_t n_conflicts,
                          const tn_pack_options *options, tn_pack_misfit *out);

/* The shared-objects model: an object for each buffer, no two buffers of one object live at once;
 * an object is as large as its largest member; minimise the sum. `group` (may be NULL): buffers
 * may share an object only when their groups are equal (level 0: element type and shape).
 * Alignment and fixed offsets mean nothing here, and a buffer with gaps is live throughout. */
typedef struct tn_slots_result {
    uint32_t *object; /* one a buffer */
    uint64_t *sizes;  /* n_objects */
    uint32_t n_objects;
    uint64_t total;
    uint64_t bound;           /* proven lower bound */
    tn_pack_bound bound_kind; /* TN_BOUND_RANKS, or TN_BOUND_SEARCH when some group has been */
    bool optimal;             /* total == bound */
    const char *algorithm;    /* the one that won, or "mixed" when groups differ */
    uint64_t nodes;           /* of the search */
} tn_slots_result;
/* TN_OK; TN_NOFIT when the total exceeds a capacity given (bound > capacity: proven that all do);
 * TN_USAGE and TN_ERROR as in tn_pack. With a capacity
 * and no groups it stops at the first total that fits. */
TN_MUST_USE tn_status tn_pack_slots(tn_arena *arena, const tn_pack_buffer *buffers,
                                    const uint32_t *group, uint32_t n,
                                    const tn_pack_options *options, tn_slots_result *result);

/* Shared objects for buffers that conflict pair by pair: live ranges are not looked at. By first
 * fit in several orders; the bound is the heaviest clique. Algorithms are those of tn_pack_graph.
 */
TN_MUST_USE tn_status tn_pack_graph_slots(tn_arena *arena, const tn_pack_buffer *buffers,
                                          const uint32_t *group, uint32_t n,
                                          const tn_conflict *conflicts, size_t n_conflicts,
                                          const tn_pack_options *options, tn_slots_result *result);

/* The same for shared objects without groups. */
bool tn_pack_slots_misfit(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                          const tn_pack_options *options, tn_pack_misfit *out);

/* NULL-terminated names for --algo: packers of offsets, of conflict graphs, and of slots. */
extern const char *const tn_pack_algorithms[];
extern const char *const tn_graph_algorithms[];
extern const char *const tn_slot_algorithms[];

#endif
