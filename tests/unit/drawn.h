/* How much of what is drawn a test tries: all of it, or with sanitizers, where a run takes several
 * times as long, the first quarter; what that leaves out runs without them. */
#ifndef TENURE_TESTS_DRAWN_H
#define TENURE_TESTS_DRAWN_H

#if defined(__SANITIZE_ADDRESS__)
#define TENURE_SANITIZED
#elif defined(__has_feature) /* clang's way to say so */
#if __has_feature(address_sanitizer)
#define TENURE_SANITIZED
#endif
#endif

#ifdef TENURE_SANITIZED
#define DRAWN(n) (((n) + 3) / 4)
#else
#define DRAWN(n) (n)
#endif

#endif
