// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: single values of a message as text.
#ifndef TN_ROSIDL_YAML_YAML__VALUE_H
#define TN_ROSIDL_YAML_YAML__VALUE_H

#include "rosidl/yaml/yaml.h"

/// Longest text of a number or bool.
#define TN_YAML__NUMBER_MAX 40

/// @return whether the member only stands for a message without members. Thread: any. Allocates:
/// never. Blocks: never.
bool tn_yaml__is_dummy(const struct tn_field *field);

/// Writes a number or bool, in YAML's spelling or in Python's.
/// @return its length. Thread: any. Allocates: never. Blocks: never.
size_t tn_yaml__number(const struct tn_field *field, const void *element, bool is_python,
                       char out[TN_YAML__NUMBER_MAX]);

/// @return whether an element is text: a string, a wide string or a byte. Thread: any. Allocates:
/// never. Blocks: never.
bool tn_yaml__is_text(const struct tn_field *field);

/// Characters of a text element as UTF-8.
struct tn_yaml__text {
    const char *data;
    size_t size;
    uint32_t n_chars; ///< as Python counts them
    char *owned;      ///< to be freed; NULL
};

/// Gives the text of a text element; malformed UTF-8 becomes U+FFFD.
/// @return TN_OK, then free(out->owned); TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks:
/// never.
TN_NODISCARD enum tn_result tn_yaml__text_of(const struct tn_field *field, const void *element,
                                             struct tn_yaml__text *out);

/// @return bytes of the first `n_chars` characters. Thread: any. Allocates: never. Blocks: never.
size_t tn_yaml__prefix(const struct tn_yaml__text *text, uint32_t n_chars);

/// What stands for the elements when arrays are hidden: "<sequence type: double, length: 3>".
/// @return its length, as snprintf(). Thread: any. Allocates: never. Blocks: never.
size_t tn_yaml__array_info(const struct tn_field *field, uint32_t n, char *out, size_t capacity);

/// @return whether YAML 1.1 would read this plain text as something else than a string. Thread:
/// any. Allocates: never. Blocks: never.
bool tn_yaml__is_no_string(const char *text, size_t size);

/// Prints a member that is no message as Python's print() does, with a line feed.
/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: as the sink does.
TN_NODISCARD enum tn_result tn_yaml__print_python(struct tn_yaml_view view,
                                                  const struct tn_yaml_sink *sink);

#endif
