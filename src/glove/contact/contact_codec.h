// SPDX-License-Identifier: Apache-2.0
/// @file
/// OSC 1.0 datagrams from and to DivingStation. Pure: bytes in, structs out, and back.
///
/// Reading, for both directions:
///
///     tn_contact_reader_begin(&reader, dialect, TN_CONTACT_FROM_DS, data, size);
///     while ((result = tn_contact_reader_next(&reader, &message, &reject)) != TN_ERR_AGAIN) {
///         if (result == TN_OK) … message …   else … reject …
///     }
///
/// Writing: fill a struct tn_contact_message and call tn_contact_encode(); several encoded messages
/// can be put into one datagram with tn_contact_bundle_begin() and _append().
#ifndef TN_GLOVE_CONTACT_CODEC_H
#define TN_GLOVE_CONTACT_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "glove/contact/contact_dialect.h"
#include "glove/contact/contact_message.h"

/// Deepest nesting of bundles that is read.
#define TN_CONTACT_NESTING_MAX 8
/// Room for every datagram that UDP can carry.
#define TN_CONTACT_DATAGRAM_MAX 65536
/// Room for every encoded message but long device lists.
#define TN_CONTACT_MESSAGE_BYTES 1024

/// X-macro: why a message is rejected. Identifier, key in statistics, sentence.
#define TN_CONTACT_REJECT_LIST(X)                                                                  \
    X(SIZE, "size", "the size is zero or no multiple of 4")                                        \
    X(TRUNCATED, "truncated", "the data ends too early")                                           \
    X(PADDING, "padding", "a string is not padded with NUL")                                       \
    X(TRAILING, "trailing", "bytes are left behind the last argument")                             \
    X(BUNDLE, "bundle", "a bundle element has an impossible size")                                 \
    X(NESTING, "nesting", "bundles are nested too deeply")                                         \
    X(ADDRESS, "address", "the address does not begin with '/'")                                   \
    X(UNKNOWN, "unknown_address", "no message of this protocol has this address")                  \
    X(OLD_DIALECT, "old_dialect", "DivingStation 1.4 and older speak another protocol")            \
    X(TAGS, "type_tags", "the type tags are not those of this message")                            \
    X(COUNT, "argument_count", "the number of arguments is not that of this message")              \
    X(VERSION, "version", "the protocol version is another")                                       \
    X(ID, "id", "the id is empty, too long, or has a '/' or a blank")                              \
    X(SIDE, "side", "is_left is neither 0 nor 1")                                                  \
    X(RANGE, "range", "a number is outside its range")                                             \
    X(NOT_FINITE, "not_finite", "a number is NaN or infinite")                                     \
    X(QUATERNION, "quaternion", "the norm of a quaternion is not near 1")                          \
    X(LIMIT, "too_many", "the list has too many elements")                                         \
    X(SOURCE, "source", "the sender is not the DivingStation that was asked")                      \
    X(OVERSIZE, "oversize", "the datagram is larger than any valid one")

/// Why a message was not taken.
enum tn_contact_reject_cause {
#define TN_CONTACT_REJECT_ENUM(name, key, text) TN_CONTACT_REJECT_##name,
    TN_CONTACT_REJECT_LIST(TN_CONTACT_REJECT_ENUM)
#undef TN_CONTACT_REJECT_ENUM
        TN_CONTACT_REJECTS
};

/// One rejected message, for counters and the log. Texts are printable ASCII, cut when longer.
struct tn_contact_reject {
    enum tn_contact_reject_cause cause;
    size_t offset; ///< in the datagram, where it was noticed
    int32_t found; ///< VERSION, SIDE, RANGE of integers: the number found
    char address[48];
    char tags[32];
};

/// @return the key of a cause in statistics, e.g. "type_tags". Thread: any. Allocates: never.
/// Blocks: never.
const char *tn_contact_reject_key(enum tn_contact_reject_cause cause);

/// @return the sentence of a cause. Thread: any. Allocates: never. Blocks: never.
const char *tn_contact_reject_text(enum tn_contact_reject_cause cause);

/// Walks the messages of one datagram. Plain data; the members are private.
struct tn_contact_reader {
    const struct tn_contact_dialect *dialect;
    enum tn_contact_direction direction;
    const uint8_t *data;
    size_t at;
    bool is_started;
    uint32_t depth;
    size_t ends[TN_CONTACT_NESTING_MAX + 1];
};

/// Starts with a datagram, which must stay valid while it is read. @return nothing.
/// @param direction   messages of the other direction are unknown
/// Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_contact_reader_begin(struct tn_contact_reader *reader,
                             const struct tn_contact_dialect *dialect,
                             enum tn_contact_direction direction, const uint8_t *data, size_t size);

/// Reads the next message.
/// @param out_message   written with TN_OK; not to be read after TN_ERR_MALFORMED
/// @param out_reject    written with TN_ERR_MALFORMED
/// @return TN_OK; TN_ERR_MALFORMED: one message or the rest of one bundle was skipped, go on;
/// TN_ERR_AGAIN: end of the datagram.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(bytes) over the datagram.
TN_NODISCARD enum tn_result tn_contact_reader_next(struct tn_contact_reader *reader,
                                                   struct tn_contact_message *out_message,
                                                   struct tn_contact_reject *out_reject);

/// Encodes one message as one datagram.
/// @param out_size   bytes written, a multiple of 4; untouched on error
/// @return TN_OK; TN_ERR_UNSUPPORTED: the dialect has no such message; TN_ERR_INVALID_ARGUMENT: an
/// id as in TN_CONTACT_REJECT_ID; TN_ERR_RANGE; TN_ERR_NOT_FINITE; TN_ERR_LIMIT: buffer too small,
/// or too many devices. The buffer is unspecified on error.
/// Thread: any. Allocates: never. Blocks: never. Cost: O(bytes).
TN_NODISCARD enum tn_result tn_contact_encode(const struct tn_contact_dialect *dialect,
                                              const struct tn_contact_message *message,
                                              uint8_t *buffer, size_t capacity, size_t *out_size);

/// Starts a bundle (time tag "immediately") in a buffer. @return TN_OK; TN_ERR_LIMIT.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_contact_bundle_begin(uint8_t *buffer, size_t capacity,
                                                    size_t *out_size);

/// Appends an encoded message or bundle to a bundle.
/// @param io_size   bytes of the bundle; grown on success
/// @return TN_OK; TN_ERR_LIMIT: does not fit, nothing changed; TN_ERR_INVALID_ARGUMENT: the size
/// of the element is no multiple of 4.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_contact_bundle_append(uint8_t *buffer, size_t capacity,
                                                     const uint8_t *element, size_t element_size,
                                                     size_t *io_size);

/// Checks an id: 1 to `max` - 1 bytes, no '/', no blank, no control character.
/// @return true when it may be used. Thread: any. Allocates: never. Blocks: never.
bool tn_contact_id_is_valid(const char *id, size_t max);

#endif
