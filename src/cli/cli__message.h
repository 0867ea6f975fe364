// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: messages of types known at run time
#ifndef TN_CLI_CLI__MESSAGE_H
#define TN_CLI_CLI__MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli__verb.h"
#include "rosidl/yaml/yaml.h"

// what sequences and strings of one message may take
#define TN_CLI_MESSAGE_ARENA (64u << 20)

// a message and what it points at
struct tn_cli_message {
    const struct tn_type *type;
    void *data; // struct of the type
    struct tn_arena arena;
};

// false: told that there is no memory
bool tn_cli__message_create(const struct tn_cli_call *call, const struct tn_type *type,
                            struct tn_cli_message *out);
// harmless on a zeroed one
void tn_cli__message_destroy(struct tn_cli_message *message);

// reads YAML into it; `what` names the argument; false: told what is wrong
bool tn_cli__message_parse(const struct tn_cli_call *call, struct tn_cli_message *message,
                           const char *what, const char *yaml, int64_t now_ros_ns);

// types that the program was not built with, from interface files; NULL: none, perhaps with `err`
struct tn_idl_types *tn_cli__foreign_types(const struct tn_cli_call *call, struct tn_error *err);

// tells what is wrong with a type's file; false: nothing is, the name is just not known
bool tn_cli__complain_of_file(const struct tn_cli_call *call, enum tn_result result,
                              const struct tn_error *err);

// types by name, the program's own or foreign; NULL: told that nobody knows it
const struct tn_type *tn_cli__find_message(const struct tn_cli_call *call, const char *name);
const struct tn_service_type *tn_cli__find_service(const struct tn_cli_call *call,
                                                   const char *name);
const struct tn_action_type *tn_cli__find_action(const struct tn_cli_call *call, const char *name);

// standard output as a sink
extern const struct tn_yaml_sink tn_cli__stdout;

#endif
