// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the generated message code is made of, and what can be done with a message whose type is
/// known only at run time.
///
/// The generator turns each interface package into one header `tn_msgs/<package>.h`. For each
/// message `pkg/msg/Type` it declares
///
///     struct pkg_msg_Type { … };                     members as in the .msg file, in its order
///     pkg_msg_Type_NAME                              one enumerator or macro per constant
///     struct pkg_msg_Type_seq {data, size};          a sequence of it
///     extern const struct tn_type pkg_msg_Type_type; names, hash, schema, field table, functions
///     void pkg_msg_Type_init(struct pkg_msg_Type *);                              defaults
///     void pkg_msg_Type_encode(const struct pkg_msg_Type *, struct tn_cdr_writer *);
///     void pkg_msg_Type_decode(struct pkg_msg_Type *, struct tn_cdr_reader *, struct tn_arena *);
///     enum tn_result pkg_msg_Type_copy(struct pkg_msg_Type *, const struct pkg_msg_Type *,
///                                      struct tn_arena *);
///
/// and for each service `pkg/srv/Name` the same for `pkg_srv_Name_Request`, `_Response` and
/// `_Event`, and `extern const struct tn_service_type pkg_srv_Name_type`; for each action
/// `pkg/action/Name` for `_Goal`, `_Result`, `_Feedback`, `_FeedbackMessage` and the services
/// `_SendGoal` and `_GetResult`, and `extern const struct tn_action_type pkg_action_Name_type`. A
/// member whose name is a word of C gets a trailing underscore. A message without members has the
/// one byte `structure_needs_at_least_one_member` that ROS puts on the wire.
///
/// Generated `_encode` and `_decode` handle the body only and report through the sticky error of
/// writer and reader; tn_type_encode() and tn_type_decode() handle a whole message:
///
///     struct sensor_msgs_msg_JointState msg;
///     sensor_msgs_msg_JointState_init(&msg);
///     msg.header.frame_id = tn_str_from("world");
///     tn_cdr_writer_begin(&writer, buffer, sizeof buffer);
///     result = tn_type_encode(&sensor_msgs_msg_JointState_type, &msg, &writer);
///     …
///     tn_cdr_reader_begin(&reader, buffer, size);
///     result = tn_type_decode(&sensor_msgs_msg_JointState_type, &msg, &reader, &arena);
///
/// Messages own nothing. Encoding reads what the members point at; decoded strings are views into
/// the encoded message and decoded sequences live in the arena, so both must outlive the message.
/// Copying puts everything into the caller's arena. There is nothing to free.
#ifndef TN_ROSIDL_TYPE_H
#define TN_ROSIDL_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/result.h"
#include "rosidl/cdr.h"

/// A string that someone else owns. UTF-8 by convention; not checked.
struct tn_str {
    const char *data; ///< need not end in NUL unless it was decoded; may be NULL when size is 0
    uint32_t size;    ///< bytes without NUL
};

/// A string of UTF-16 units that someone else owns.
struct tn_wstr {
    const uint16_t *data; ///< may be NULL when size is 0
    uint32_t size;        ///< units
};

/// Sequences of primitive elements that someone else owns; `data` may be NULL when size is 0.
#define TN_SEQ(name, type)                                                                         \
    struct tn_seq_##name {                                                                         \
        const type *data;                                                                          \
        uint32_t size;                                                                             \
    };
TN_SEQ(bool, bool)
TN_SEQ(i8, int8_t)
TN_SEQ(u8, uint8_t)
TN_SEQ(i16, int16_t)
TN_SEQ(u16, uint16_t)
TN_SEQ(i32, int32_t)
TN_SEQ(u32, uint32_t)
TN_SEQ(i64, int64_t)
TN_SEQ(u64, uint64_t)
TN_SEQ(f32, float)
TN_SEQ(f64, double)
TN_SEQ(str, struct tn_str)
TN_SEQ(wstr, struct tn_wstr)
#undef TN_SEQ

/// A sequence of any element type; every sequence member has this form.
struct tn_seq_any {
    const void *data;
    uint32_t size; ///< elements
};

/// Kind of one element; the numbers are those of type_description_interfaces/FieldType.
enum tn_type_id {
    TN_TYPE_NESTED = 1,
    TN_TYPE_INT8 = 2,
    TN_TYPE_UINT8 = 3, ///< uint8 and char
    TN_TYPE_INT16 = 4,
    TN_TYPE_UINT16 = 5,
    TN_TYPE_INT32 = 6,
    TN_TYPE_UINT32 = 7,
    TN_TYPE_INT64 = 8,
    TN_TYPE_UINT64 = 9,
    TN_TYPE_FLOAT32 = 10,
    TN_TYPE_FLOAT64 = 11,
    TN_TYPE_BOOL = 15,
    TN_TYPE_BYTE = 16,
    TN_TYPE_STRING = 17, ///< bounded ones too: see string_capacity
    TN_TYPE_WSTRING = 18,
};

/// How many elements a member has.
enum tn_array_kind {
    TN_ARRAY_NONE,      ///< one
    TN_ARRAY_FIXED,     ///< `capacity`, in place
    TN_ARRAY_BOUNDED,   ///< up to `capacity`, a sequence
    TN_ARRAY_UNBOUNDED, ///< any number, a sequence
};

/// One member of a message.
struct tn_field {
    const char *name;             ///< as in the interface file
    enum tn_type_id type;         ///< of one element
    enum tn_array_kind array;     ///< how many
    uint32_t capacity;            ///< elements of a fixed array or bounded sequence, else 0
    uint32_t string_capacity;     ///< bytes (UTF-16 units) of a bounded string, else 0
    size_t offset;                ///< in the C struct
    const struct tn_type *nested; ///< with TN_TYPE_NESTED, else NULL
    const char *default_text;     ///< as in the interface file; "" when it has none
};

/// A message type. Constant; lives as long as the program.
struct tn_type {
    const char *ros_name; ///< "sensor_msgs/msg/JointState"
    const char *dds_name; ///< "sensor_msgs::msg::dds_::JointState_"
    const char *hash;     ///< "RIHS01_…"
    const char *text; ///< interface text without comments; tn_type_schema() adds the types it uses
    size_t size;      ///< of the C struct
    size_t align;     ///< of the C struct
    size_t min_cdr_size; ///< least bytes one takes on the wire, without padding; at least 1
    bool is_flat;        ///< the C struct points at nothing, so that assignment copies it
    uint32_t n_fields;
    const struct tn_field *fields; ///< (n_fields)
    void (*init)(void *msg);       ///< as the generated _init; NULL: copy `prototype`
    const void *prototype;         ///< message of defaults, of types made at run time; else NULL
    // NULL: the field table leads, see tn_type_interpret_encode()
    void (*encode)(const void *msg, struct tn_cdr_writer *writer); ///< body only, sticky error
    void (*decode)(void *msg, struct tn_cdr_reader *reader,
                   struct tn_arena *arena); ///< body only, sticky error
};

/// A service type. Constant; lives as long as the program.
struct tn_service_type {
    const char *ros_name;           ///< "std_srvs/srv/Trigger"
    const char *hash;               ///< of the service, "RIHS01_…"
    const struct tn_type *request;  ///< ros_name "std_srvs/srv/Trigger_Request"
    const struct tn_type *response; ///< ros_name "std_srvs/srv/Trigger_Response"
    const struct tn_type *event;    ///< ros_name "std_srvs/srv/Trigger_Event"
};

/// An action type. Constant; lives as long as the program.
struct tn_action_type {
    const char *ros_name;                     ///< "example_interfaces/action/Fibonacci"
    const char *hash;                         ///< of the action, "RIHS01_…"
    const struct tn_type *goal;               ///< ros_name "…/Fibonacci_Goal"
    const struct tn_type *result;             ///< ros_name "…/Fibonacci_Result"
    const struct tn_type *feedback;           ///< ros_name "…/Fibonacci_Feedback"
    const struct tn_service_type *send_goal;  ///< ros_name "…/Fibonacci_SendGoal"
    const struct tn_service_type *get_result; ///< ros_name "…/Fibonacci_GetResult"
    const struct tn_type *feedback_message;   ///< ros_name "…/Fibonacci_FeedbackMessage"
};

/// All types that a program knows, to be found by name: generated as `tn_registry_<module>` in
/// "tn_msgs/all_<module>.h". Constant; lives as long as the program.
struct tn_registry {
    const struct tn_type *const *messages; ///< (n_messages), parts of services and actions included
    const struct tn_service_type *const *services; ///< (n_services), those of actions included
    const struct tn_action_type *const *actions;   ///< (n_actions)
    uint32_t n_messages, n_services, n_actions;
};

/// @return the message (or part of a service or action) of that name, "pkg/msg/Type"; NULL: not
/// known. Thread: any. Allocates: never. Blocks: never. Cost: O(types).
const struct tn_type *tn_registry_message(const struct tn_registry *registry, const char *ros_name);

/// @return the service of that name, "pkg/srv/Name"; NULL: not known. Thread: any. Allocates:
/// never. Blocks: never. Cost: O(types).
const struct tn_service_type *tn_registry_service(const struct tn_registry *registry,
                                                  const char *ros_name);

/// @return the action of that name, "pkg/action/Name"; NULL: not known. Thread: any. Allocates:
/// never. Blocks: never. Cost: O(types).
const struct tn_action_type *tn_registry_action(const struct tn_registry *registry,
                                                const char *ros_name);

/// Sets every member to its default, whether the type was generated or made at run time.
/// @param msg   struct of the type
/// @return nothing. Thread: any. Allocates: never. Blocks: never. Cost: O(bytes).
void tn_type_init(const struct tn_type *type, void *msg);

/// Encodes a whole message behind tn_cdr_writer_begin(). Nothing is padded at the end.
/// @return TN_OK: `writer->size` bytes stand in its buffer; TN_ERR_LIMIT: buffer too small,
/// `writer->size` is what it takes; TN_ERR_INVALID_ARGUMENT: a string or sequence is longer than
/// its bound.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(bytes).
TN_NODISCARD enum tn_result tn_type_encode(const struct tn_type *type, const void *msg,
                                           struct tn_cdr_writer *writer);

/// @return bytes tn_type_encode() writes for this message, header included.
/// Thread: any. Allocates: never. Blocks: never. Cost: O(elements).
size_t tn_type_encoded_size(const struct tn_type *type, const void *msg);

/// Decodes a whole message behind tn_cdr_reader_begin(), whose error it hands on. Bytes behind the
/// message are ignored: writers pad.
/// @param msg      struct of the type; on error its content is unspecified but safe to read
/// @param reader   after an error `error_offset` says where
/// @param arena    receives the sequences; what a failed call took from it is given back
/// @return TN_OK; TN_ERR_TRUNCATED: the message ends too early or a count is more than the rest can
/// hold; TN_ERR_MALFORMED: a string without NUL; TN_ERR_LIMIT: longer than its bound;
/// TN_ERR_NO_MEMORY: arena used up; TN_ERR_UNSUPPORTED: encapsulation other than plain XCDR1.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(bytes).
TN_NODISCARD enum tn_result tn_type_decode(const struct tn_type *type, void *msg,
                                           struct tn_cdr_reader *reader, struct tn_arena *arena);

/// Writes the body of a message led by its field table: the same bytes and errors as generated
/// code, more slowly. Serves types whose `encode` is NULL and, in generated code, those of packages
/// that were not thought worth straight-line code.
/// @return nothing; see tn_cdr_writer_result(). Thread: one caller at a time. Allocates: never.
/// Blocks: never. Cost: O(bytes).
void tn_type_interpret_encode(const struct tn_type *type, const void *msg,
                              struct tn_cdr_writer *writer);

/// Reads the body of a message led by its field table, as tn_type_interpret_encode().
/// @return nothing; see `reader->error`. Thread: one caller at a time. Allocates: never. Blocks:
/// never. Cost: O(bytes).
void tn_type_interpret_decode(const struct tn_type *type, void *msg, struct tn_cdr_reader *reader,
                              struct tn_arena *arena);

/// Most types that one type may use, directly or not, for tn_type_schema().
#define TN_TYPE_MAX_USED 128

/// Writes the "ros2msg" schema of a type, as MCAP and Foxglove want it: its text, then for each
/// type it uses, directly or not, a line of 80 '=', a line "MSG: pkg/Type" and that type's text.
/// @param buffer   receives the NUL-terminated text, truncated at `capacity`; NULL if capacity is 0
/// @return bytes of the whole text without its NUL; at least `capacity` when it was truncated; 0
/// when the type uses more than TN_TYPE_MAX_USED types.
/// Thread: any. Allocates: never. Blocks: never. Cost: O(types^2 + bytes).
size_t tn_type_schema(const struct tn_type *type, char *buffer, size_t capacity);

/// Copies a message with everything it points at.
/// @param out     struct of the type; unspecified but safe to read on error; must not be `msg`
/// @param arena   receives strings (with a NUL behind them) and sequences; what a failed call took
///                from it is given back
/// @return TN_OK; TN_ERR_NO_MEMORY: arena used up.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(bytes).
TN_NODISCARD enum tn_result tn_type_copy(const struct tn_type *type, void *out, const void *msg,
                                         struct tn_arena *arena);

/// Compares two messages member by member; floats by their bits.
/// @return whether they encode to the same bytes.
/// Thread: any. Allocates: never. Blocks: never. Cost: O(bytes).
bool tn_type_equal(const struct tn_type *type, const void *a, const void *b);

/// @return bytes one element of a member takes in C: of the primitive, of struct tn_str, of the
/// nested struct. Thread: any. Allocates: never. Blocks: never.
size_t tn_field_element_size(const struct tn_field *field);

/// @return the alignment of one element of a member in C. Thread: any. Allocates: never. Blocks:
/// never.
size_t tn_field_element_align(const struct tn_field *field);

/// Finds the elements of a member, be it single, array or sequence.
/// @param member   address of the member: `(const char *)msg + field->offset`
/// @return the first element (maybe NULL when there is none). Thread: any. Allocates: never.
/// Blocks: never.
const void *tn_field_elements(const struct tn_field *field, const void *member, uint32_t *out_n);

/// Views a C string. @return a view of it; empty for NULL. Thread: any. Allocates: never. Blocks:
/// never.
struct tn_str tn_str_from(const char *text);

/// @return whether both hold the same bytes. Thread: any. Allocates: never. Blocks: never.
bool tn_str_equal(struct tn_str a, struct tn_str b);

/// @return whether the view holds just the bytes of a C string. Thread: any. Allocates: never.
/// Blocks: never.
bool tn_str_is(struct tn_str a, const char *text);

/// Reads a string member. Used by generated code.
/// @return the view; empty after an error, see tn_cdr_get_string(). Thread: one caller at a time.
/// Allocates: never. Blocks: never.
struct tn_str tn_str_decode(struct tn_cdr_reader *reader, uint32_t bound);

/// Reads a wide string into the arena: 4 bytes per unit on the wire. Used by generated code.
/// @return the view; empty after an error: as tn_cdr_get_count(), TN_ERR_NO_MEMORY, or
/// TN_ERR_MALFORMED for a unit above 0xffff. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
struct tn_wstr tn_wstr_decode(struct tn_cdr_reader *reader, uint32_t bound, struct tn_arena *arena);

/// Writes a wide string. Used by generated code.
/// @return nothing; see tn_cdr_writer_result(). Thread: one caller at a time. Allocates: never.
/// Blocks: never.
void tn_wstr_encode(struct tn_wstr text, uint32_t bound, struct tn_cdr_writer *writer);

/// Reserves the elements of a sequence; the reader fails when the arena is used up. Used by
/// generated code.
/// @param io_count   elements; set to 0 when they did not fit
/// @return zeroed elements; NULL when they did not fit. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
void *tn_seq_reserve(struct tn_cdr_reader *reader, struct tn_arena *arena, uint32_t *io_count,
                     size_t size, size_t align);

/// Reads a whole sequence of numbers into the arena. Used by generated code.
/// @param bound   most elements; 0: no bound
/// @param size    bytes per element: 1, 2, 4 or 8
/// @return the sequence; empty after an error. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
struct tn_seq_any tn_seq_decode(struct tn_cdr_reader *reader, uint32_t bound, size_t size,
                                struct tn_arena *arena);

/// Reads a whole sequence of bools into the arena. Used by generated code.
/// @return the sequence; empty after an error. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
struct tn_seq_bool tn_seq_decode_bools(struct tn_cdr_reader *reader, uint32_t bound,
                                       struct tn_arena *arena);

/// Reads a whole sequence of strings into the arena. Used by generated code.
/// @param string_bound   most bytes per string; 0: no bound
/// @return the sequence; empty after an error. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
struct tn_seq_str tn_seq_decode_strings(struct tn_cdr_reader *reader, uint32_t bound,
                                        uint32_t string_bound, struct tn_arena *arena);

#endif
