// SPDX-License-Identifier: Apache-2.0
#include "cli/cli__message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tn_msgs/all_msgs.h>

#include "rosidl/compiler/runtime.h"

static void write_stdout(void *context, const char *text, size_t size)
{
    (void)context;
    (void)fwrite(text, 1, size, stdout);
}

const struct tn_yaml_sink tn_cli__stdout = {.write = write_stdout};

bool tn_cli__message_create(const struct tn_cli_call *call, const struct tn_type *type,
                            struct tn_cli_message *out)
{
    *out = (struct tn_cli_message){.type = type, .data = calloc(1, type->size)};
    if (out->data != NULL && tn_arena_create(&out->arena, TN_CLI_MESSAGE_ARENA) == TN_OK) {
        tn_type_init(type, out->data);
        return true;
    }
    tn_cli__complain(call, "not enough memory for a %s", type->ros_name);
    tn_cli__message_destroy(out);
    return false;
}

void tn_cli__message_destroy(struct tn_cli_message *message)
{
    tn_arena_destroy(&message->arena);
    free(message->data);
    *message = (struct tn_cli_message){0};
}

bool tn_cli__message_parse(const struct tn_cli_call *call, struct tn_cli_message *message,
                           const char *what, const char *yaml, int64_t now_ros_ns)
{
    struct tn_error err = {0};
    tn_arena_reset(&message->arena);
    if (tn_yaml_parse(message->type, yaml, strlen(yaml), now_ros_ns, &message->arena, message->data,
                      &err) == TN_OK) {
        return true;
    }
    tn_cli__complain(call, "%s: %s", what, err.text);
    return false;
}

bool tn_cli__complain_of_file(const struct tn_cli_call *call, enum tn_result result,
                              const struct tn_error *err)
{
    char text[TN_ERROR_FILE_MAX + TN_ERROR_TEXT_MAX + 32];
    bool is_file =
        result != TN_OK && result != TN_ERR_NOT_FOUND && result != TN_ERR_INVALID_ARGUMENT;
    // a type that it uses may be missing
    if (is_file || err->file[0] != '\0') {
        tn_cli__complain(call, "%s", tn_error_format(err, text, sizeof text));
        return true;
    }
    return false;
}

static void not_known(const struct tn_cli_call *call, const char *what, const char *name,
                      enum tn_result result, const struct tn_error *err)
{
    if (!tn_cli__complain_of_file(call, result, err)) {
        tn_cli__complain(call,
                         "no %s type \"%s\"; `tendon interface list` shows those that are known",
                         what, name);
    }
}

struct tn_idl_types *tn_cli__foreign_types(const struct tn_cli_call *call, struct tn_error *err)
{
    if (call->types == NULL) {
        return NULL;
    }
    if (*call->types == NULL &&
        (tn_idl_types_create(call->types, err) != TN_OK ||
         tn_idl_types_add_ament_path(*call->types, getenv("AMENT_PREFIX_PATH"), err) != TN_OK)) {
        tn_idl_types_destroy(call->types);
    }
    if (*call->types != NULL) {
        tn_idl_types_know(*call->types, &tn_registry_msgs);
    }
    return *call->types;
}

const struct tn_type *tn_cli__find_message(const struct tn_cli_call *call, const char *name)
{
    const struct tn_type *type = tn_registry_message(&tn_registry_msgs, name);
    struct tn_error err = {0};
    struct tn_idl_types *types = type == NULL ? tn_cli__foreign_types(call, &err) : NULL;
    enum tn_result result = TN_ERR_NOT_FOUND;
    if (types != NULL) {
        result = tn_idl_types_message(types, name, &type, &err);
    }
    if (type == NULL) {
        not_known(call, "message", name, result, &err);
    }
    return type;
}

const struct tn_service_type *tn_cli__find_service(const struct tn_cli_call *call, const char *name)
{
    const struct tn_service_type *type = tn_registry_service(&tn_registry_msgs, name);
    struct tn_error err = {0};
    struct tn_idl_types *types = type == NULL ? tn_cli__foreign_types(call, &err) : NULL;
    enum tn_result result = TN_ERR_NOT_FOUND;
    if (types != NULL) {
        result = tn_idl_types_service(types, name, &type, &err);
    }
    if (type == NULL) {
        not_known(call, "service", name, result, &err);
    }
    return type;
}

const struct tn_action_type *tn_cli__find_action(const struct tn_cli_call *call, const char *name)
{
    const struct tn_action_type *type = tn_registry_action(&tn_registry_msgs, name);
    struct tn_error err = {0};
    struct tn_idl_types *types = type == NULL ? tn_cli__foreign_types(call, &err) : NULL;
    enum tn_result result = TN_ERR_NOT_FOUND;
    if (types != NULL) {
        result = tn_idl_types_action(types, name, &type, &err);
    }
    if (type == NULL) {
        not_known(call, "action", name, result, &err);
    }
    return type;
}
