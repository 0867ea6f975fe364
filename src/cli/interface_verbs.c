// SPDX-License-Identifier: Apache-2.0
// tendon interface list|show
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tn_msgs/all_msgs.h>

#include "cli/cli__command.h"
#include "cli/cli__complete.h"
#include "cli/cli__message.h"
#include "cli/cli__verb.h"
#include "rosidl/compiler/runtime.h"

// types nest less deeply
#define DEPTH_MAX 16

// ---- list ----

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_kind(const char *name, const char *kind)
{
    const char *slash = strchr(name, '/');
    return slash != NULL && strncmp(slash, kind, strlen(kind)) == 0;
}

// names of one kind, sorted; freed by the caller, NULL without memory
static const char **collect(const char *kind, uint32_t *out_n)
{
    const struct tn_registry *r = &tn_registry_msgs;
    const char **names = calloc(r->n_messages + r->n_services + r->n_actions + 1, sizeof *names);
    *out_n = 0;
    if (names == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < r->n_messages && strcmp(kind, "/msg/") == 0; i++) {
        if (is_kind(r->messages[i]->ros_name, kind)) {
            names[(*out_n)++] = r->messages[i]->ros_name;
        }
    }
    // the services of actions are no interfaces of their own
    for (uint32_t i = 0; i < r->n_services && strcmp(kind, "/srv/") == 0; i++) {
        if (is_kind(r->services[i]->ros_name, kind)) {
            names[(*out_n)++] = r->services[i]->ros_name;
        }
    }
    for (uint32_t i = 0; i < r->n_actions && strcmp(kind, "/action/") == 0; i++) {
        names[(*out_n)++] = r->actions[i]->ros_name;
    }
    qsort(names, *out_n, sizeof *names, compare_names);
    return names;
}

void tn_cli__propose_types(const char *kind, const char *prefix)
{
    uint32_t n = 0;
    const char **names = collect(kind, &n);
    for (uint32_t i = 0; names != NULL && i < n; i++) {
        tn_cli__propose(prefix, names[i]);
    }
    free(names);
}

static int list(const struct tn_cli_call *call)
{
    static const struct {
        const char *option, *kind, *title;
    } kinds[] = {
        {"only-msgs", "/msg/", "Messages"},
        {"only-srvs", "/srv/", "Services"},
        {"only-actions", "/action/", "Actions"},
    };
    bool is_all = !tn_cli__has(call, "only-msgs") && !tn_cli__has(call, "only-srvs") &&
                  !tn_cli__has(call, "only-actions");
    for (size_t k = 0; k < TN_ARRAY_SIZE(kinds); k++) {
        uint32_t n = 0;
        if (!is_all && !tn_cli__has(call, kinds[k].option)) {
            continue;
        }
        const char **names = collect(kinds[k].kind, &n);
        (void)printf("%s:\n", kinds[k].title);
        for (uint32_t i = 0; names != NULL && i < n; i++) {
            (void)printf("    %s\n", names[i]);
        }
        free(names);
    }
    return TN_CLI_OK;
}

// ---- show ----

// the member that a line of an interface text declares, or NULL
static const struct tn_field *field_of_line(const struct tn_type *type, const char *line,
                                            size_t size)
{
    const char *blank = memchr(line, ' ', size);
    if (blank == NULL) {
        return NULL;
    }
    const char *name = blank + 1;
    size_t length = strcspn(name, " =\n");
    for (uint32_t i = 0; i < type->n_fields; i++) {
        if (strlen(type->fields[i].name) == length &&
            memcmp(type->fields[i].name, name, length) == 0) {
            return &type->fields[i];
        }
    }
    return NULL;
}

// the text of a type, with those of its members behind them, one tab further in
static void show_text(const struct tn_type *type, unsigned depth)
{
    const char *line = type->text;
    while (*line != '\0') {
        size_t size = strcspn(line, "\n");
        for (unsigned i = 0; i < depth; i++) {
            (void)putchar('\t');
        }
        (void)printf("%.*s\n", (int)size, line);
        const struct tn_field *field = field_of_line(type, line, size);
        if (field != NULL && field->nested != NULL && depth < DEPTH_MAX) {
            show_text(field->nested, depth + 1);
        }
        line += size + (line[size] == '\n');
    }
}

// a type of some workspace; true: told that its file is bad
static bool find_foreign(const struct tn_cli_call *call, const char *name,
                         const struct tn_type **out_message,
                         const struct tn_service_type **out_service,
                         const struct tn_action_type **out_action)
{
    struct tn_error err = {0};
    struct tn_idl_types *types = tn_cli__foreign_types(call, &err);
    enum tn_result result = TN_ERR_NOT_FOUND;
    if (types != NULL && strstr(name, "/srv/") != NULL) {
        result = tn_idl_types_service(types, name, out_service, &err);
    } else if (types != NULL && strstr(name, "/action/") != NULL) {
        result = tn_idl_types_action(types, name, out_action, &err);
    } else if (types != NULL) {
        result = tn_idl_types_message(types, name, out_message, &err);
    }
    return tn_cli__complain_of_file(call, result, &err);
}

static int show(const struct tn_cli_call *call)
{
    const char *name = call->args[0];
    const struct tn_type *message = tn_registry_message(&tn_registry_msgs, name);
    const struct tn_service_type *service = tn_registry_service(&tn_registry_msgs, name);
    const struct tn_action_type *action = tn_registry_action(&tn_registry_msgs, name);
    if (message == NULL && service == NULL && action == NULL &&
        find_foreign(call, name, &message, &service, &action)) {
        return TN_CLI_FAILURE;
    }
    if (message != NULL) {
        show_text(message, 0);
    } else if (service != NULL) {
        show_text(service->request, 0);
        (void)printf("---\n");
        show_text(service->response, 0);
    } else if (action != NULL) {
        show_text(action->goal, 0);
        (void)printf("---\n");
        show_text(action->result, 0);
        (void)printf("---\n");
        show_text(action->feedback, 0);
    } else {
        tn_cli__complain(
            call, "unknown interface '%s'; `tendon interface list` shows those there are", name);
        return TN_CLI_FAILURE;
    }
    return TN_CLI_OK;
}

static const struct tn_cli_option list_options[] = {
    {"only-msgs", 'm', NULL, "only messages"},
    {"only-srvs", 's', NULL, "only services"},
    {"only-actions", 'a', NULL, "only actions"},
};

const struct tn_cli_verb tn_cli__interface_verbs[] = {
    {
        .command = "interface",
        .name = "list",
        .arguments = "",
        .text = "The types that tendon knows.",
        .options = list_options,
        .n_options = TN_ARRAY_SIZE(list_options),
        .run = list,
    },
    {
        .command = "interface",
        .name = "show",
        .arguments = "TYPE",
        .min_args = 1,
        .max_args = 1,
        .text = "The definition of a message, service or action.",
        .kinds = {TN_CLI_ANY_TYPE},
        .run = show,
    },
};
const size_t tn_cli__n_interface_verbs = TN_ARRAY_SIZE(tn_cli__interface_verbs);
