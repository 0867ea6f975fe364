// SPDX-License-Identifier: Apache-2.0
/// @file
/// The few compiler extensions the project uses. Nowhere else may `__attribute__` appear.
#ifndef TN_BASE_COMPAT_H
#define TN_BASE_COMPAT_H

#if defined(__GNUC__)
/// The caller must look at the result.
#define TN_NODISCARD __attribute__((warn_unused_result))
/// Checks a printf-style format; `fmt` and `args` are 1-based argument numbers.
#define TN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
/// Marks an error path the optimiser may move out of the way.
#define TN_COLD __attribute__((cold))
/// Branch hints for the control path.
#define TN_LIKELY(x)   __builtin_expect(!!(x), 1)
#define TN_UNLIKELY(x) __builtin_expect(!!(x), 0)
/// Runs when its library is loaded (test libraries only).
#define TN_CONSTRUCTOR __attribute__((constructor))
#else
#define TN_CONSTRUCTOR
#define TN_NODISCARD
#define TN_PRINTF(fmt, args)
#define TN_COLD
#define TN_LIKELY(x)   (x)
#define TN_UNLIKELY(x) (x)
#endif

/// Number of elements of an array (not of a pointer).
#define TN_ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
