// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: a launch file being executed.
#ifndef TN_LAUNCH_LAUNCH__LOADER_H
#define TN_LAUNCH_LAUNCH__LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/result.h"
#include "launch/launch__substitution.h"
#include "launch/launch__text.h"
#include "launch/launch__value.h"
#include "launch/plan.h"
#include "xml/xml.h"

/// Longest path.
#define TN_LAUNCH__PATH_MAX 4096
/// Messages of a plan.
#define TN_LAUNCH__MESSAGES_MAX 1024
/// Changes of the environment, remaps or parameters for all nodes, in force at once.
#define TN_LAUNCH__BINDINGS_MAX 1024
/// Parameters of a node.
#define TN_LAUNCH__PARAMS_MAX 4096

/// A name with its value, in front of those set before: a scope is left by forgetting the front.
struct tn_launch__binding {
    const char *name;
    const char *value; ///< NULL: of the environment, removed
    uint32_t depth;    ///< 1 for the oldest
    const struct tn_launch__binding *next;
};

/// A parameter, or a file of them, for all nodes that follow.
struct tn_launch__global {
    const char *path; ///< NULL: `param`
    struct tn_launch__param param;
    uint32_t depth;                       ///< 1 for the oldest
    const struct tn_launch__global *next; ///< set before this one
};

/// What a scoped group gives back. Newest first.
struct tn_launch__scope {
    const struct tn_launch__binding *variables;
    const struct tn_launch__binding *environment; ///< changes to the world's
    const struct tn_launch__binding *remaps;
    const struct tn_launch__global *globals;
};

/// A launch file.
struct tn_launch__source {
    const char *path, *folder; ///< absolute
};

struct tn_launch__loader {
    const struct tn_launch_world *world;
    struct tn_arena *arena; ///< all strings of the plan, and what is needed meanwhile
    struct tn_error *err;   ///< never NULL
    struct tn_launch__scope scope;
    const struct tn_launch__source *source; ///< NULL: no launch file yet
    const struct tn_launch_argument *arguments;
    uint32_t n_arguments;
    bool *is_used; ///< whether anybody asked for the argument
    struct tn_launch_process *processes;
    uint32_t n_processes;
    struct tn_launch_message *messages;
    uint32_t n_messages;
    const char **sources;
    uint32_t n_sources;
    uint32_t n_elements, n_files, n_anonymous;
};

/// Records an error at an element. @return `code`. Thread: one caller. Allocates: never. Blocks:
/// never.
enum tn_result tn_launch__fail(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                               enum tn_result code, const char *format, ...) TN_PRINTF(4, 5);

/// Gives the recorded error, which has no place yet, that of an attribute (NULL: of the element).
/// @return `code`. Thread: one caller. Allocates: never. Blocks: never.
enum tn_result tn_launch__place(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                                const char *attribute, enum tn_result code);

/// @return a copy in the arena; NULL when that is used up, which is recorded. Thread: one caller.
/// Allocates: never. Blocks: never.
const char *tn_launch__keep(struct tn_launch__loader *loader, const char *text);

/// Room in the arena. @return NULL when that is used up, which is recorded. Thread: one caller.
/// Allocates: never. Blocks: never.
void *tn_launch__room(struct tn_launch__loader *loader, size_t count, size_t size);

/// Replaces the substitutions of a parsed text and appends it. Errors have no place.
/// @return as tn_launch_load(). Thread: one caller. Allocates: yes. Blocks: as the callbacks do.
TN_NODISCARD enum tn_result tn_launch__evaluate(struct tn_launch__loader *loader,
                                                const struct tn_launch__template *parsed,
                                                struct tn_launch__text *out);

/// Parses and replaces. Errors have no place. @return as tn_launch__evaluate(). Thread: one caller.
/// Allocates: yes. Blocks: as the callbacks do.
TN_NODISCARD enum tn_result tn_launch__replace(struct tn_launch__loader *loader, const char *text,
                                               const char **out_text);

/// The value of an attribute with its substitutions replaced; NULL: there is no such attribute.
/// @return as tn_launch_load(). Thread: one caller. Allocates: yes. Blocks: as the callbacks do.
TN_NODISCARD enum tn_result tn_launch__attribute(struct tn_launch__loader *loader,
                                                 const struct tn_xml_node *node, const char *name,
                                                 const char **out_text);

/// @return the value of a variable; NULL: not set. Thread: one caller. Allocates: never. Blocks:
/// never.
const char *tn_launch__variable(struct tn_launch__loader *loader, const char *name);

/// Sets a variable in the present scope; or, in other lists, adds to those, of which there may be
/// TN_LAUNCH__BINDINGS_MAX.
/// @return TN_OK; TN_ERR_LIMIT; TN_ERR_NO_MEMORY. Thread: one caller. Allocates: never. Blocks:
/// never.
TN_NODISCARD enum tn_result tn_launch__set(struct tn_launch__loader *loader,
                                           const struct tn_launch__binding **list, const char *name,
                                           const char *value);

/// @return the value of an environment variable; NULL: not set. Thread: one caller. Allocates:
/// never. Blocks: never.
const char *tn_launch__environment(const struct tn_launch__loader *loader, const char *name);

/// Reads a boolean as conditions do: true, false, 1, 0 in any case.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT. Thread: one caller. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__condition(const char *text, bool *out, struct tn_error *err);

/// An absolute path without `.` and `..`. @return NULL when memory is used up. Thread: one caller.
/// Allocates: never. Blocks: file system.
const char *tn_launch__absolute(struct tn_launch__loader *loader, const char *path);

/// Reads a file of at most TN_LAUNCH_TEXT_MAX bytes.
/// @return TN_OK; TN_ERR_NOT_FOUND; TN_ERR_LIMIT; TN_ERR_IO; TN_ERR_MALFORMED: it has a NUL;
/// TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: file system.
TN_NODISCARD enum tn_result tn_launch__read_file(const char *path, struct tn_launch__text *out,
                                                 struct tn_error *err);

/// Adds a message to the plan. @return TN_OK; TN_ERR_LIMIT; TN_ERR_NO_MEMORY. Thread: one caller.
/// Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__tell(struct tn_launch__loader *loader,
                                            const struct tn_xml_node *node,
                                            enum tn_launch_message_kind kind, const char *text);

/// Checks every element, attribute and substitution of a file.
/// @return as tn_launch_load(). Thread: one caller. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__check(struct tn_launch__loader *loader,
                                             const struct tn_xml_node *root);

/// Walks all elements below `root`, in order. @return the one behind `node`; NULL: none. Thread:
/// any. Allocates: never. Blocks: never.
const struct tn_xml_node *tn_launch__walk(const struct tn_xml_node *root,
                                          const struct tn_xml_node *node);

/// Executes `node` and `executable`. @return as tn_launch_load(). Thread: one caller. Allocates:
/// yes. Blocks: as the callbacks do.
TN_NODISCARD enum tn_result tn_launch__add_process(struct tn_launch__loader *loader,
                                                   const struct tn_xml_node *node);

/// Joins namespaces as launch_ros does and checks the result, which is absolute.
/// @param base, ns   NULL: none; not both
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT; TN_ERR_NO_MEMORY. Thread: one caller. Allocates: never.
/// Blocks: never.
TN_NODISCARD enum tn_result tn_launch__join_namespace(struct tn_launch__loader *loader,
                                                      const struct tn_xml_node *node,
                                                      const char *base, const char *ns,
                                                      const char **out);

/// Reads the value of `set_parameter` or of a `<param>` by the rules of launch_ros.
/// @return as tn_launch_load(). Thread: one caller. Allocates: yes. Blocks: as the callbacks do.
TN_NODISCARD enum tn_result tn_launch__param_value(struct tn_launch__loader *loader,
                                                   const struct tn_xml_node *node,
                                                   struct tn_launch__data *out);

/// As the value of `set_parameter`: first replaced, then read as YAML. @return see there. Thread:
/// one caller. Allocates: yes. Blocks: as the callbacks do.
TN_NODISCARD enum tn_result tn_launch__global_value(struct tn_launch__loader *loader,
                                                    const struct tn_xml_node *node,
                                                    struct tn_launch__data *out);

/// Parameters in the order of their file.
struct tn_launch__params {
    struct tn_launch__param *first, *last;
    uint32_t n;
};

/// Adds the parameters of a `<param name=…>`, those inside it too.
/// @return as tn_launch_load(). Thread: one caller. Allocates: yes. Blocks: as the callbacks do.
TN_NODISCARD enum tn_result tn_launch__collect_params(struct tn_launch__loader *loader,
                                                      const struct tn_xml_node *node,
                                                      struct tn_launch__params *row);

/// Makes the text of `str()` of a value. @return NULL when memory is used up. Thread: one caller.
/// Allocates: yes. Blocks: never.
const char *tn_launch__data_text(struct tn_launch__loader *loader,
                                 const struct tn_launch__data *data);

#endif
