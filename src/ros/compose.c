// SPDX-License-Identifier: Apache-2.0
// Several nodes in one process.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "ros/names.h"
#include "ros/program.h"
#include "ros/ros__node.h"
#include "ros/ros__program.h"

/// One node of the process.
struct item {
    const struct tn_ros_component *component;
    char name[TN_ROS_NAME_MAX], ns[TN_ROS_NAME_MAX]; ///< as asked for
    struct tn_ros__node_names identity;              ///< as it is called in the end
    void *node;
};

struct compose {
    const struct tn_ros_component *const *components;
    uint32_t n_components;
    struct item items[TN_ROS_COMPOSE_MAX];
    uint32_t n_items;
    char who[3 * TN_ROS_NAME_MAX]; ///< stands before an error
};

// ---- help ----

static const struct tn_ros_component *find(const struct compose *compose, const char *name,
                                           size_t size)
{
    for (uint32_t i = 0; i < compose->n_components; i++) {
        const struct tn_ros_component *component = compose->components[i];
        if (strlen(component->executable) == size && memcmp(component->executable, name, size) == 0)
            return component;
    }
    return NULL;
}

/// Length of NODE in NODE[:=NAME][@NS].
static size_t node_size(const char *argument)
{
    const char *assign = strstr(argument, ":=");
    size_t size = strcspn(argument, "@");
    return assign != NULL && (size_t)(assign - argument) < size ? (size_t)(assign - argument)
                                                                : size;
}

static void print_component(const struct tn_ros_component *component)
{
    uint32_t n = 0;
    char title[160];
    const struct tn_ros_param *table = component->params(&n);
    (void)snprintf(title, sizeof title, "parameters of %s", component->executable);
    tn_ros__print_params(title, table, n);
}

/// Of the nodes that stand on the command line; of all when there are none.
static void print_help(const struct tn_ros__run *run, int argc, char **argv)
{
    const struct compose *compose = run->self;
    bool is_one_named = false;
    (void)dprintf(STDOUT_FILENO,
                  "compose: Several nodes in one process.\n\n"
                  "usage: compose NODE[:=NAME][@NAMESPACE] ... [--help] [--version] "
                  "[--ros-args OPTIONS]\n\n"
                  "NODE is one of (as often as wanted, then with names or namespaces that "
                  "differ):\n");
    for (uint32_t i = 0; i < compose->n_components; i++)
        (void)dprintf(STDOUT_FILENO, "  %-20s %s\n", compose->components[i]->executable,
                      compose->components[i]->description);
    (void)dprintf(
        STDOUT_FILENO,
        "Rules and parameters for one node have its NAME in front: -p NAME:side:=left\n\n");
    tn_ros__print_ros_help();
    for (int i = 1; i < argc && strcmp(argv[i], "--ros-args") != 0; i++) {
        const struct tn_ros_component *component = find(compose, argv[i], node_size(argv[i]));
        if (component != NULL)
            print_component(component);
        is_one_named |= component != NULL;
    }
    for (uint32_t i = 0; i < compose->n_components && !is_one_named; i++)
        print_component(compose->components[i]);
}

// ---- command line ----

static enum tn_result unknown_node(const struct compose *compose, const char *argument,
                                   struct tn_error *err)
{
    char known[160] = "";
    for (uint32_t i = 0; i < compose->n_components; i++) {
        size_t size = strlen(known);
        (void)snprintf(known + size, sizeof known - size, "%s%s", i == 0 ? "" : ", ",
                       compose->components[i]->executable);
    }
    return tn_error_set(err, TN_ERR_SYNTAX, "no node \"%.60s\"; there are %s", argument, known);
}

static enum tn_result copy_part(char out[TN_ROS_NAME_MAX], const char *argument, const char *part,
                                size_t size, const char *what, struct tn_error *err)
{
    if (size == 0 || size >= TN_ROS_NAME_MAX)
        return tn_error_set(err, TN_ERR_SYNTAX,
                            "\"%.80s\": the %s is %s; expected NODE[:=NAME][@NAMESPACE]", argument,
                            what, size == 0 ? "missing" : "too long");
    memcpy(out, part, size);
    out[size] = '\0';
    return TN_OK;
}

/// Reads NODE[:=NAME][@NS].
static enum tn_result parse_item(const struct compose *compose, const char *argument,
                                 struct item *out, struct tn_error *err)
{
    size_t size = node_size(argument);
    enum tn_result result = TN_OK;
    const char *rest = argument + size;
    out->component = find(compose, argument, size);
    if (out->component == NULL)
        return unknown_node(compose, argument, err);
    (void)snprintf(out->name, sizeof out->name, "%s", out->component->name);
    (void)snprintf(out->ns, sizeof out->ns, "%s", out->component->ns);
    if (rest[0] == ':') {
        rest += 2;
        size = strcspn(rest, "@");
        result = copy_part(out->name, argument, rest, size, "name", err);
        rest += size;
    }
    if (result == TN_OK && rest[0] == '@')
        result = copy_part(out->ns, argument, rest + 1, strlen(rest + 1), "namespace", err);
    return result;
}

static enum tn_result add_item(struct compose *compose, const struct tn_ros_args *args,
                               const char *argument, struct tn_error *err)
{
    struct tn_error why = {0};
    if (compose->n_items == TN_ROS_COMPOSE_MAX)
        return tn_error_set(err, TN_ERR_SYNTAX, "more than %d nodes; start a second process",
                            TN_ROS_COMPOSE_MAX);
    struct item *item = &compose->items[compose->n_items];
    enum tn_result result = parse_item(compose, argument, item, err);
    if (result != TN_OK)
        return result;
    if (tn_ros__node_identity(args, item->name, item->ns, &item->identity, &why) != TN_OK)
        return tn_error_set(err, TN_ERR_SYNTAX, "\"%.60s\": %.160s", argument, why.text);
    for (uint32_t i = 0; i < compose->n_items; i++)
        if (strcmp(compose->items[i].identity.fqn, item->identity.fqn) == 0)
            return tn_error_set(err, TN_ERR_SYNTAX,
                                "two nodes would be called %.120s; give one another name "
                                "(%s:=NAME) or namespace (%s@NAMESPACE)",
                                item->identity.fqn, item->component->executable,
                                item->component->executable);
    compose->n_items++;
    return TN_OK;
}

/// A rule for a node that is not there would be dropped in silence: a safety limit with a typo.
static enum tn_result check_rules(const struct compose *compose, const struct tn_ros_rule *rules,
                                  uint32_t n, struct tn_error *err)
{
    for (uint32_t i = 0; i < n; i++) {
        bool is_known = rules[i].node[0] == '\0';
        for (uint32_t k = 0; k < compose->n_items && !is_known; k++)
            is_known = strcmp(rules[i].node, compose->items[k].name) == 0 ||
                       strcmp(rules[i].node, compose->items[k].identity.name) == 0;
        if (!is_known)
            return tn_error_set(err, TN_ERR_SYNTAX,
                                "%.60s:%.60s is for a node that is not in this process; its name "
                                "stands behind NODE:=, or is the default one",
                                rules[i].node, rules[i].from);
    }
    return TN_OK;
}

static enum tn_result check(struct tn_ros__run *run, struct tn_ros_context *context,
                            struct tn_error *err)
{
    struct compose *compose = run->self;
    const struct tn_ros_args *args = tn_ros_context_args(context);
    enum tn_result result = TN_OK;
    if (args->n_rest <= 1)
        return tn_error_set(err, TN_ERR_SYNTAX, "no node is named; --help lists them");
    for (int i = 1; i < args->n_rest && result == TN_OK; i++)
        result = add_item(compose, args, args->rest[i], err);
    if (result == TN_OK)
        result = check_rules(compose, args->remaps, args->n_remaps, err);
    if (result == TN_OK)
        result = check_rules(compose, args->params, args->n_params, err);
    return result;
}

// ---- life ----

/// Says what it costs that a watchdog shares the process with what it watches.
static void judge_mix(const struct compose *compose, struct tn_ros_context *context)
{
    const struct item *watchdog = NULL, *watched = NULL;
    struct tn_logger logger;
    for (uint32_t i = 0; i < compose->n_items; i++) {
        const struct item *item = &compose->items[i];
        if (item->component->is_watchdog)
            watchdog = item;
        else if (watched == NULL)
            watched = item;
    }
    if (watchdog == NULL || watched == NULL)
        return;
    tn_ros_context_set_mixed(context, true);
    tn_logger_init(&logger, "compose");
    TN_WARN(&logger,
            "the watchdog of %s shares this process with %s: when the process hangs or dies, both "
            "do, and nobody holds the device; run %s as a program of its own for a real one",
            watchdog->identity.fqn, watched->identity.fqn, watchdog->component->executable);
}

static void destroy(struct tn_ros__run *run)
{
    struct compose *compose = run->self;
    while (compose->n_items > 0) {
        struct item *item = &compose->items[--compose->n_items];
        if (item->node != NULL)
            item->component->destroy(&item->node);
    }
}

static enum tn_result create(struct tn_ros__run *run, struct tn_ros_context *context,
                             struct tn_error *err)
{
    struct compose *compose = run->self;
    judge_mix(compose, context);
    for (uint32_t i = 0; i < compose->n_items; i++) {
        struct item *item = &compose->items[i];
        enum tn_result result =
            item->component->create(context, item->name, item->ns, &item->node, err);
        if (result != TN_OK) {
            (void)snprintf(compose->who, sizeof compose->who, "compose: %s (%s)",
                           item->identity.fqn, item->component->executable);
            destroy(run);
            return result;
        }
    }
    return TN_OK;
}

int tn_ros_compose_main(const struct tn_ros_component *const *components, uint32_t n_components,
                        int argc, char **argv)
{
    struct compose *compose = calloc(1, sizeof *compose);
    if (compose == NULL) {
        (void)dprintf(STDERR_FILENO, "compose: no memory\n");
        return TN_ROS_EXIT_FAILURE;
    }
    compose->components = components;
    compose->n_components = n_components;
    (void)snprintf(compose->who, sizeof compose->who, "compose");
    struct tn_ros__run run = {
        .name = "compose",
        .who = compose->who,
        .self = compose,
        .print_help = print_help,
        .check = check,
        .create = create,
        .destroy = destroy,
    };
    int code = tn_ros__run(&run, argc, argv);
    free(compose);
    return code;
}

// ---- one component alone ----

struct single {
    const struct tn_ros_component *component;
    void *node;
};

static void print_single_help(const struct tn_ros__run *run, int argc, char **argv)
{
    const struct tn_ros_component *component = ((const struct single *)run->self)->component;
    uint32_t n = 0;
    const struct tn_ros_param *table = component->params(&n);
    (void)argc;
    (void)argv;
    (void)dprintf(STDOUT_FILENO,
                  "%s: %s\n\nusage: %s [--help] [--version] [--ros-args OPTIONS]\n\n",
                  component->executable, component->description, component->executable);
    tn_ros__print_ros_help();
    tn_ros__print_params("parameters", table, n);
}

static enum tn_result check_single(struct tn_ros__run *run, struct tn_ros_context *context,
                                   struct tn_error *err)
{
    (void)run;
    return tn_ros__refuse_arguments(tn_ros_context_args(context), err);
}

static enum tn_result create_single(struct tn_ros__run *run, struct tn_ros_context *context,
                                    struct tn_error *err)
{
    struct single *self = run->self;
    const struct tn_ros_component *component = self->component;
    return component->create(context, component->name, component->ns, &self->node, err);
}

static void destroy_single(struct tn_ros__run *run)
{
    struct single *self = run->self;
    self->component->destroy(&self->node);
}

int tn_ros_component_main(const struct tn_ros_component *component, int argc, char **argv)
{
    struct single self = {.component = component};
    struct tn_ros__run run = {
        .name = component->executable,
        .who = component->executable,
        .self = &self,
        .print_help = print_single_help,
        .check = check_single,
        .create = create_single,
        .destroy = destroy_single,
    };
    return tn_ros__run(&run, argc, argv);
}
