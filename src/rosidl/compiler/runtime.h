// SPDX-License-Identifier: Apache-2.0
/// @file
/// Types made at run time from interface files, for tools that meet types the program was not built
/// with. They have the layout, hash and bytes that generated code would have; `encode` and `decode`
/// are NULL, so that the field table leads (see tn_type_interpret_encode()), and tn_type_init()
/// sets their defaults.
///
///     result = tn_idl_types_create(&types, &err);
///     result = tn_idl_types_add_ament_path(types, getenv("AMENT_PREFIX_PATH"), &err);
///     result = tn_idl_types_message(types, "my_msgs/msg/Thing", &type, &err);
///     …
///     tn_idl_types_destroy(&types); // and with it every type it gave out
///
/// Interface files and names may come from anywhere: names that are none are refused before a file
/// is opened, and sizes, nesting and memory are bounded. A failed call leaves what was known.
#ifndef TN_ROSIDL_COMPILER_RUNTIME_H
#define TN_ROSIDL_COMPILER_RUNTIME_H

#include <stddef.h>

#include "base/result.h"
#include "rosidl/type.h"

/// What all types of one set may take: texts, tables and defaults. All interfaces of a desktop
/// installation of ROS take a quarter.
#define TN_IDL_TYPES_ARENA ((size_t)16 << 20)
/// Largest C struct; a wider one is a slip in its file.
#define TN_IDL_TYPES_MAX_SIZE ((size_t)1 << 20)
/// Deepest nesting; nobody's messages do by half of this.
#define TN_IDL_TYPES_MAX_DEPTH 32u

/// A set of types. Opaque.
struct tn_idl_types;

/// Makes an empty set.
/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_idl_types_create(struct tn_idl_types **out_types,
                                                struct tn_error *err);

/// Gives up a set and all its types; NULL and pointers to NULL are ignored.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_idl_types_destroy(struct tn_idl_types **types);

/// Adds a directory that holds `<package>/{msg,srv,action}/`; earlier ones come first.
/// @return TN_OK; TN_ERR_LIMIT: too many; TN_ERR_NO_MEMORY. Thread: one caller at a time.
/// Allocates: from the set. Blocks: never.
TN_NODISCARD enum tn_result tn_idl_types_add_root(struct tn_idl_types *types, const char *directory,
                                                  struct tn_error *err);

/// Adds `<prefix>/share` of each prefix in a list as AMENT_PREFIX_PATH has it.
/// @param path   "/ws/install/a:/opt/ros/jazzy"; NULL and "" add nothing
/// @return see tn_idl_types_add_root(). Thread: one caller at a time. Allocates: from the set.
/// Blocks: never.
TN_NODISCARD enum tn_result tn_idl_types_add_ament_path(struct tn_idl_types *types,
                                                        const char *path, struct tn_error *err);

/// Names messages that stand in where no root has a file: those the program was built with, so that
/// a workspace alone suffices for types that use std_msgs/Header.
/// @param registry   must outlive the set
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_idl_types_know(struct tn_idl_types *types, const struct tn_registry *registry);

/// Gives a message, or a part of a service or action ("pkg/srv/Name_Request"), reading its file and
/// those of the types it uses unless that was done before.
/// @return TN_OK; TN_ERR_NOT_FOUND: in no root, or a type that it uses is not;
/// TN_ERR_INVALID_ARGUMENT: no name of a type; TN_ERR_LIMIT: too large or too deep; TN_ERR_SYNTAX,
/// TN_ERR_RANGE, TN_ERR_MALFORMED, TN_ERR_IO: the file; TN_ERR_NO_MEMORY: TN_IDL_TYPES_ARENA is
/// used up. Thread: one caller at a time. Allocates: yes. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_types_message(struct tn_idl_types *types, const char *ros_name,
                                                 const struct tn_type **out_type,
                                                 struct tn_error *err);

/// Gives a service. @return see tn_idl_types_message(). Thread: one caller at a time. Allocates:
/// yes. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_types_service(struct tn_idl_types *types, const char *ros_name,
                                                 const struct tn_service_type **out_type,
                                                 struct tn_error *err);

/// Gives an action. @return see tn_idl_types_message(). Thread: one caller at a time. Allocates:
/// yes. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_types_action(struct tn_idl_types *types, const char *ros_name,
                                                const struct tn_action_type **out_type,
                                                struct tn_error *err);

/// Makes a message from a "ros2msg" schema as MCAP files and tn_type_schema() have it, without any
/// file for what the schema holds.
/// @return see tn_idl_types_message(); TN_ERR_EXISTS: the name is known already. Thread: one caller
/// at a time. Allocates: yes. Blocks: on the disk, for types that the schema leaves out.
TN_NODISCARD enum tn_result tn_idl_types_parse(struct tn_idl_types *types, const char *ros_name,
                                               const char *schema, size_t size,
                                               const struct tn_type **out_type,
                                               struct tn_error *err);

#endif
