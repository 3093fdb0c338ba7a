/* How many allocations lie between two that fail: every one fails in turn; with sanitizers, where a run takes ten
 * times as long and leaks are found in all runs alike, every fifth. */
#ifndef TENURE_TESTS_OOM_STEP_H
#define TENURE_TESTS_OOM_STEP_H

#if defined(__SANITIZE_ADDRESS__)
enum { STEP = 5 };
#elif defined(__has_feature) /* clang's way to say so */
enum { STEP = __has_feature(address_sanitizer) ? 5 : 1 };
#else
enum { STEP = 1 };
#endif

#endif
