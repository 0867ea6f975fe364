// SPDX-License-Identifier: Apache-2.0
/// @file
/// Result codes and the error record that loaders and constructors fill.
///
/// `enum tn_result`: 0 is success, every error is negative and has a name and one sentence, listed
/// once below. A call that failed leaves its object as it was, unless its header says otherwise.
/// Hot-path calls return only the code; loaders and constructors also take a `struct tn_error *`
/// (which may be NULL) and say where and why.
#ifndef TN_BASE_RESULT_H
#define TN_BASE_RESULT_H

#include <stdint.h>

#include "base/compat.h"

/// X-macro: identifier, value, sentence.
#define TN_RESULT_LIST(X)                                                                          \
    X(TN_OK, 0, "success")                                                                         \
    X(TN_ERR_INVALID_ARGUMENT, -1, "an argument is outside its allowed range")                     \
    X(TN_ERR_NO_MEMORY, -2, "memory or a fixed-size table is exhausted")                           \
    X(TN_ERR_AGAIN, -3, "nothing available now; try again later")                                  \
    X(TN_ERR_TIMEOUT, -4, "the operation did not finish in its time")                              \
    X(TN_ERR_NOT_FOUND, -5, "no such item")                                                        \
    X(TN_ERR_EXISTS, -6, "the item exists already")                                                \
    X(TN_ERR_BUSY, -7, "the resource is in use by someone else")                                   \
    X(TN_ERR_STATE, -8, "the object is not in a state that allows this call")                      \
    X(TN_ERR_IO, -9, "the operating system reported an input/output error")                        \
    X(TN_ERR_PERMISSION, -10, "permission denied")                                                 \
    X(TN_ERR_UNSUPPORTED, -11, "not supported here")                                               \
    X(TN_ERR_SYNTAX, -12, "the text does not follow its grammar")                                  \
    X(TN_ERR_TRUNCATED, -13, "the data ends too early")                                            \
    X(TN_ERR_MALFORMED, -14, "the data does not follow its format")                                \
    X(TN_ERR_LIMIT, -15, "a size or count exceeds its limit")                                      \
    X(TN_ERR_NOT_FINITE, -16, "a number is NaN or infinite")                                       \
    X(TN_ERR_RANGE, -17, "a number is outside its range")                                          \
    X(TN_ERR_STALE, -18, "the data is too old to be used")                                         \
    X(TN_ERR_REPEATED, -19, "this frame identity was used already")                                \
    X(TN_ERR_REORDERED, -20, "older than a frame already used")                                    \
    X(TN_ERR_CLOCK_STEP, -21, "a clock stepped; the time map was restarted")                       \
    X(TN_ERR_WRONG_SIDE, -22, "the data belongs to the other hand")                                \
    X(TN_ERR_WRONG_DEVICE, -23, "the data comes from an unknown or unexpected device")             \
    X(TN_ERR_VERSION, -24, "the version is not supported")                                         \
    X(TN_ERR_TRANSPORT, -25, "the DDS layer reported an error")                                    \
    X(TN_ERR_CLOSED, -26, "the peer closed or the object is shutting down")                        \
    X(TN_ERR_INTERNAL, -27, "an internal invariant does not hold; please report this")

#define TN_RESULT_ENUM(name, value, text) name = (value),
/// Every result code of the project.
enum tn_result { TN_RESULT_LIST(TN_RESULT_ENUM) };
#undef TN_RESULT_ENUM

/// Longest text of a `struct tn_error`, including its NUL.
#define TN_ERROR_TEXT_MAX 256
/// Longest file name kept in a `struct tn_error`, including its NUL; longer ones keep their tail.
#define TN_ERROR_FILE_MAX 192

/// What went wrong, where, and the way out. Plain data; zero-initialise it.
struct tn_error {
    enum tn_result code;          ///< TN_OK when no error was recorded
    char file[TN_ERROR_FILE_MAX]; ///< file, topic or port the error is about; "" when there is none
    int32_t line;                 ///< 1-based, 0 = none
    int32_t column;               ///< 1-based, 0 = none
    int64_t offset;               ///< byte offset in binary data, -1 = none
    char text[TN_ERROR_TEXT_MAX]; ///< one line: what was found, what was expected, the way out
};

/// @return the identifier of a code, e.g. "TN_ERR_STALE"; "TN_ERR_?" for a number that is none.
/// Thread: any. Allocates: never. Blocks: never.
const char *tn_result_name(enum tn_result code);

/// @return the sentence of a code, never NULL. Thread: any. Allocates: never. Blocks: never.
const char *tn_result_text(enum tn_result code);

/// Records an error without a place and returns its code, so that `return tn_error_set(err, …)`
/// reads well.
/// @param err   may be NULL: then only the code is returned
/// @return `code`. Thread: any, one writer per record. Allocates: never. Blocks: never.
enum tn_result tn_error_set(struct tn_error *err, enum tn_result code, const char *format, ...)
    TN_PRINTF(3, 4);

/// Records an error at a place in a text file (`line`/`column` 1-based, 0 = unknown).
/// @return `code`. Thread: any, one writer per record. Allocates: never. Blocks: never.
enum tn_result tn_error_at(struct tn_error *err, enum tn_result code, const char *file,
                           int32_t line, int32_t column, const char *format, ...) TN_PRINTF(6, 7);

/// Records an error at a byte offset of binary data (`offset` from 0; -1 = unknown).
/// @return `code`. Thread: any, one writer per record. Allocates: never. Blocks: never.
enum tn_result tn_error_at_offset(struct tn_error *err, enum tn_result code, const char *file,
                                  int64_t offset, const char *format, ...) TN_PRINTF(5, 6);

/// Writes "file:line:column: text" or "file: byte offset: text" (parts that are absent are left
/// out; an empty text becomes the sentence of the code) for a person to read.
/// @param buffer   receives the NUL-terminated text, truncated at `size`
/// @return `buffer`. Thread: any. Allocates: never. Blocks: never.
const char *tn_error_format(const struct tn_error *err, char *buffer, uint32_t size);

#endif
