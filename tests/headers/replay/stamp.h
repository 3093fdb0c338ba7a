/* Marks of bytes. What a producer writes is a stream of bytes that its seed makes; byte k of it can
 * be computed without the ones before, so that a view of a part carries the part's marks. */
#ifndef REPLAY_STAMP_H
#define REPLAY_STAMP_H

#include <stdbool.h>
#include <stdint.h>

/* Writes bytes `from` to `from + n - 1` of the stream of `seed`. */
void rp_stamp(unsigned char *to, uint64_t n, uint64_t seed, uint64_t from);

/* Whether they are there; if not, *bad is how far behind the first one differs. */
bool rp_is_stamped(const unsigned char *at, uint64_t n, uint64_t seed, uint64_t from,
                   uint64_t *bad);

/* The seed of the n-th write of a run. */
uint64_t rp_seed(uint64_t n);

#endif
