/* How many allocations lie between two that fail: every one fails in turn; with sanitizers, where a run takes ten
 * times as long and leaks are found in all runs alike, every fifth. */
#ifndef TENURE_TESTS_OOM_STEP_H
#define TENURE_TESTS_OOM_STEP_H

#ifdef __SANITIZE_ADDRESS__
enum { STEP = 5 };
#else
enum { STEP = 1 };
#endif

#endif
