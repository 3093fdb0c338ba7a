/* What compilers can be told of a function. */
#ifndef TENURE_IR_OS_ATTRIBUTES_H
#define TENURE_IR_OS_ATTRIBUTES_H

#if defined(__GNUC__)
#define TN_MUST_USE __attribute__((warn_unused_result))
#define TN_NORETURN __attribute__((noreturn))
#else
#define TN_MUST_USE
#define TN_NORETURN
#endif

/* Texts as printf has them in C. On Windows gcc means Microsoft's by `printf`. */
#if defined(__MINGW32__) && !defined(__clang__)
#define TN_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#elif defined(__GNUC__)
#define TN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TN_PRINTF(fmt, args)
#endif

#endif
