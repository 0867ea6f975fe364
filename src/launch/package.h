// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where packages lie: prefixes, share folders, executables, launch files.
///
/// A prefix has ament's form: `share/ament_index/resource_index/packages/<pkg>` says that the
/// package is there, `share/<pkg>` holds its files and `lib/<pkg>` its programs. The prefixes are
/// our own and those of AMENT_PREFIX_PATH, first one wins. Our own comes first, unless
/// AMENT_PREFIX_PATH names it: then it keeps the place it has there, so that an overlay goes before
/// it.
///
/// **Stand-ins.** `<own prefix>/lib/tendon/standin/<pkg>/<exe>` replaces a program of a package
/// that no prefix has, and only then: on a machine with ROS its own programs are used.
#ifndef TN_LAUNCH_PACKAGE_H
#define TN_LAUNCH_PACKAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"

/// Longest path that is handled, including its NUL.
#define TN_PACKAGE_PATH_MAX 4096
/// Longest name of a package or program, including its NUL.
#define TN_PACKAGE_NAME_MAX 256

/// The prefixes, in the order of search. Constant after its creation: what lies in them is looked
/// up each time.
struct tn_packages;

/// Takes the prefixes.
/// @param own_prefix         NULL or "": none; tn_process_prefix() tells that of the running
/// program
/// @param ament_prefix_path  as in the environment, separated by ':'; NULL or "": none. Folders
/// that
///                           are not there are left out, as ament does
/// @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_LIMIT: a prefix is longer than a path may be.
/// Thread: any. Allocates: yes. Blocks: file system.
TN_NODISCARD enum tn_result tn_packages_create(const char *own_prefix,
                                               const char *ament_prefix_path,
                                               struct tn_packages **out_packages,
                                               struct tn_error *err);

/// The prefix of the running program and AMENT_PREFIX_PATH of its environment.
/// @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_LIMIT. Thread: any, while nobody changes the
/// environment. Allocates: yes. Blocks: file system.
TN_NODISCARD enum tn_result tn_packages_create_default(struct tn_packages **out_packages,
                                                       struct tn_error *err);

/// Accepts NULL, nulls the pointer. @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_packages_destroy(struct tn_packages **packages);

/// @return number of prefixes. Thread: any. Allocates: never. Blocks: never.
uint32_t tn_packages_count(const struct tn_packages *packages);

/// @return the prefix at a place of the search order, without a trailing '/'; NULL beyond the last.
/// Thread: any. Allocates: never. Blocks: never.
const char *tn_packages_prefix_at(const struct tn_packages *packages, uint32_t index);

/// The prefix of a package.
/// @param out_prefix   view, valid as long as `packages`
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: no name of a package (letters, digits, '_' and '-', at
/// least two, a letter or digit first); TN_ERR_NOT_FOUND: in none of the prefixes, which err lists.
/// Thread: any. Allocates: never. Blocks: file system.
TN_NODISCARD enum tn_result tn_package_prefix(const struct tn_packages *packages,
                                              const char *package, const char **out_prefix,
                                              struct tn_error *err);

/// `<prefix>/share/<package>`, whether or not that folder exists.
/// @param buffer   receives the path; at least TN_PACKAGE_PATH_MAX bytes are never too few
/// @return as tn_package_prefix(); TN_ERR_LIMIT: longer than `size`.
/// Thread: any. Allocates: never. Blocks: file system.
TN_NODISCARD enum tn_result tn_package_share(const struct tn_packages *packages,
                                             const char *package, char *buffer, uint32_t size,
                                             struct tn_error *err);

/// A program that was found.
struct tn_package_program {
    char path[TN_PACKAGE_PATH_MAX];
    bool is_stand_in;
};

/// Finds `lib/<package>/<name>` in the package's prefix, or the stand-in when there is no such
/// package. `name` may have folders in it, as in `lib/<package>/<folder>/<program>`.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: no name of a package, or `name` leaves the folder;
/// TN_ERR_NOT_FOUND: no such package (err.code and text tell the prefixes searched) or no such
/// program in it (they tell the programs it has); TN_ERR_PERMISSION: it is there and not
/// executable; TN_ERR_LIMIT. Thread: any. Allocates: yes, while it looks for what else there is.
/// Blocks: file system.
TN_NODISCARD enum tn_result tn_package_program(const struct tn_packages *packages,
                                               const char *package, const char *name,
                                               struct tn_package_program *out_program,
                                               struct tn_error *err);

/// Finds a program by its name alone: on PATH, or else among the stand-ins (`xacro`).
/// @param path   as PATH has it; NULL or "": only stand-ins
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: the name is empty or has a '/'; TN_ERR_NOT_FOUND;
/// TN_ERR_LIMIT: longer than `size`. Thread: any. Allocates: yes, while it looks. Blocks: file
/// system.
TN_NODISCARD enum tn_result tn_packages_find_program(const struct tn_packages *packages,
                                                     const char *path, const char *name,
                                                     char *buffer, uint32_t size,
                                                     struct tn_error *err);

/// Finds the only file of that name in the package's share folder, at any depth, as `ros2 launch`
/// does. `name` may also be a path below share/<package>.
/// @return TN_OK; as tn_package_share(); TN_ERR_NOT_FOUND: no such file, err lists those that end
/// in
/// `.launch.xml`; TN_ERR_EXISTS: more than one, err lists two of them.
/// Thread: any. Allocates: yes, while it looks. Blocks: file system.
TN_NODISCARD enum tn_result tn_package_file(const struct tn_packages *packages, const char *package,
                                            const char *name, char *buffer, uint32_t size,
                                            struct tn_error *err);

/// One name, in alphabetical order. `path`: the prefix of a package, or the file.
typedef void (*tn_package_name_fn)(void *context, const char *name, const char *path);

/// Tells every package once, with the prefix that has it; stand-ins are none.
/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: file system.
enum tn_result tn_packages_list(const struct tn_packages *packages, tn_package_name_fn callback,
                                void *context);

/// Tells the programs of a package as `ros2 pkg executables` does: everything executable below
/// lib/<package>, by its last name. For a package that is not there: its stand-ins.
/// @return as tn_package_prefix(); TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: file
/// system.
enum tn_result tn_package_list_programs(const struct tn_packages *packages, const char *package,
                                        tn_package_name_fn callback, void *context,
                                        struct tn_error *err);

/// Tells the files of share/<package> whose names end so, by their last name.
/// @return as tn_package_prefix(); TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: file
/// system.
enum tn_result tn_package_list_files(const struct tn_packages *packages, const char *package,
                                     const char *ending, tn_package_name_fn callback, void *context,
                                     struct tn_error *err);

#endif
