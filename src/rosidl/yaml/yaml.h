// SPDX-License-Identifier: Apache-2.0
/// @file
/// Messages as text: the YAML that `ros2 topic echo` prints and `ros2 topic pub` reads, and the
/// Python form that `ros2 service call` prints. For tools; not for the control path.
///
/// libyaml writes and reads the YAML itself, so that quoting, escapes and line breaks are those of
/// PyYAML, which ros2cli uses (but for characters beyond U+FFFF, which libyaml escapes). Everything
/// walks the field table and works for any type.
#ifndef TN_ROSIDL_YAML_YAML_H
#define TN_ROSIDL_YAML_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/result.h"
#include "rosidl/type.h"

/// Receives text piece by piece.
struct tn_yaml_sink {
    void (*write)(void *context, const char *text, size_t size);
    void *context;
};

/// How a message is printed. Zero: everything in full, block style.
struct tn_yaml_style {
    bool is_flow;        ///< `{sec: 0, nanosec: 0}` on one line
    bool hides_arrays;   ///< `'<sequence type: double, length: 24>'` instead of elements
    bool hides_strings;  ///< `'<string length: <5>>'` instead of the text
    uint32_t max_length; ///< elements or characters before "..."; 0: no limit
};

/// A part of a message: a member, or one element of it.
struct tn_yaml_view {
    const struct tn_type *type;   ///< of a whole message; NULL for a member
    const struct tn_field *field; ///< of a member or element; NULL for a whole message
    bool is_element;              ///< one element of the member
    const void *data;             ///< message, member or element
};

/// @return the view of a whole message. Thread: any. Allocates: never. Blocks: never.
struct tn_yaml_view tn_yaml_view_of(const struct tn_type *type, const void *msg);

/// Finds a member by its path: "header.stamp.sec", "poses[2].position".
/// @return TN_OK; TN_ERR_NOT_FOUND: no such member (err names it and those there are);
/// TN_ERR_RANGE: index behind the end; TN_ERR_SYNTAX. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_yaml_find(const struct tn_type *type, const void *msg,
                                         const char *path, struct tn_yaml_view *out_view,
                                         struct tn_error *err);

/// Prints a message or a part of it as YAML, with a line feed at the end. Single values are printed
/// as Python's print() does, as `ros2 topic echo --field` shows them.
/// @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_LIMIT: nested too deeply. Thread: any. Allocates: yes.
/// Blocks: as the sink does.
TN_NODISCARD enum tn_result tn_yaml_print(struct tn_yaml_view view,
                                          const struct tn_yaml_style *style,
                                          const struct tn_yaml_sink *sink);

/// Prints all values in the order of the wire, separated by commas, with a line feed at the end, as
/// `ros2 topic echo --csv`.
/// @return nothing. Thread: any. Allocates: never. Blocks: as the sink does.
void tn_yaml_print_csv(struct tn_yaml_view view, const struct tn_yaml_style *style,
                       const struct tn_yaml_sink *sink);

/// Prints a message as Python's repr() does: `std_srvs.srv.Trigger_Response(success=True,
/// message='')`, without a line feed. Arrays of fixed length stand in plain brackets.
/// @return nothing. Thread: any. Allocates: never. Blocks: as the sink does.
void tn_yaml_print_repr(const struct tn_type *type, const void *msg,
                        const struct tn_yaml_sink *sink);

/// Longest text tn_yaml_parse() reads.
#define TN_YAML_TEXT_MAX (4u << 20)

/// Reads YAML into a message: members that are not named keep their defaults. In flow or block
/// style; "" or `{}` is a message of defaults. A std_msgs/Header may be `auto` (stamp now) and a
/// builtin_interfaces/Time `now`, as in `ros2 topic pub`. Aliases and several documents are
/// refused.
/// @param now_ros_ns   for `now` and `auto`
/// @param arena        receives strings and sequences
/// @param out_msg      struct of the type, unspecified but safe to read on error
/// @return TN_OK; TN_ERR_SYNTAX: not YAML; TN_ERR_NOT_FOUND: no such member; TN_ERR_RANGE: a number
/// its type cannot hold, a wrong number of elements, or a string over its bound;
/// TN_ERR_INVALID_ARGUMENT: a value of another kind; TN_ERR_NO_MEMORY: arena used up;
/// TN_ERR_LIMIT: over TN_YAML_TEXT_MAX. `err` names member, line and column. Thread: any.
/// Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_yaml_parse(const struct tn_type *type, const char *text, size_t size,
                                          int64_t now_ros_ns, struct tn_arena *arena, void *out_msg,
                                          struct tn_error *err);

/// Text of a double as Python's repr() gives it: the shortest that reads back as the same number.
/// @param out   at least 32 bytes
/// @return its length. Thread: any. Allocates: never. Blocks: never.
size_t tn_yaml_format_f64(double value, char *out, size_t capacity);

#endif
