/* What is known of every tensor while a plan is replayed, and single steps. */
#ifndef REPLAY_MEMORY_H
#define REPLAY_MEMORY_H

#include "tests/headers/replay/replay.h"

/* Bytes `at` of a tensor are bytes `from` of the stream of `seed`. */
typedef struct rp_piece {
    uint64_t at, size, seed, from;
} rp_piece;

/* What was last written to a tensor, in the order of `at`. */
typedef struct rp_content {
    rp_piece *pieces;
    uint32_t n;
    bool written;
} rp_content;

typedef struct rp_memory {
    const rp_plan *plan;
    rp_content *contents; /* by tensor */
    rp_figures *figures;
    uint64_t n_writes;
    bool again; /* constants are where the first run put them, and known to stay */
    bool failed;
} rp_memory;

/* Memory with nothing but the tensors that are there before step 0. `again`: not the first of the
 * plan. */
rp_memory rp_memory_new(const rp_plan *plan, rp_figures *figures, bool again);
void rp_memory_drop(rp_memory *m);

/* What a step does: looks at what it reads, in a begin step also once more at its end; marks what
 * it writes; frees. Each gives false after a fault. */
bool rp_read_all(rp_memory *m, uint32_t step, rp_range reads, const uint32_t *ids);
/* What an op with bodies reads once they have begun: its operands, but for those that states have
 * come over; and at its end what the bodies give back as well. */
bool rp_read_again(rp_memory *m, uint32_t begin);
bool rp_read_end(rp_memory *m, uint32_t end);
bool rp_write_all(rp_memory *m, uint32_t step);
/* Results of the op begun at `begin` that are filled while its bodies run. */
bool rp_write_filled(rp_memory *m, uint32_t begin);
void rp_free_all(rp_memory *m, uint32_t step);
bool rp_read_kept(rp_memory *m);

/* Whether the header's lists of the step are those of the node, and its overlaps those of the
 * addresses. */
bool rp_check_step(rp_memory *m, uint32_t step);

/* Whether two tensors share bytes. */
bool rp_meet(const rp_tensor *a, const rp_tensor *b);

bool rp_is_filled(const rp_plan *plan, uint32_t end, uint32_t tensor);

/* Reports a fault; false. */
bool rp_fault(rp_memory *m, uint32_t step, const char *format, ...);

#endif
