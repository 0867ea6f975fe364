// SPDX-License-Identifier: Apache-2.0
// qos_overrides: policies of publishers and subscriptions set from outside, declared as read-only
// parameters
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__node.h"
#include "ros/ros__param_server.h"
#include "ros/ros__scalar.h"

#define PREFIX "qos_overrides."

/// The policies of one endpoint, in the form of parameters.
struct qos_config {
    bool avoid_ros_namespace_conventions;
    int64_t deadline_ns, depth, lifespan_ns, lease_ns;
    char durability[16], history[16], liveliness[20], reliability[16];
};

/// In the order in which rclcpp declares them.
static const struct policy {
    const char *name;
    enum tn_ros_param_type type;
    size_t offset, capacity;
    double max; ///< integers; least is 0
    const char *choices;
} policies[] = {
    {"avoid_ros_namespace_conventions", TN_ROS_PARAM_BOOL,
     offsetof(struct qos_config, avoid_ros_namespace_conventions), 0, 0.0, NULL},
    {"deadline", TN_ROS_PARAM_INTEGER, offsetof(struct qos_config, deadline_ns), 0,
     9223372036854775807.0, NULL},
    {"durability", TN_ROS_PARAM_STRING, offsetof(struct qos_config, durability), 16, 0.0,
     "system_default|transient_local|volatile|best_available"},
    {"history", TN_ROS_PARAM_STRING, offsetof(struct qos_config, history), 16, 0.0,
     "system_default|keep_last|keep_all"},
    {"depth", TN_ROS_PARAM_INTEGER, offsetof(struct qos_config, depth), 0, 2147483647.0, NULL},
    {"lifespan", TN_ROS_PARAM_INTEGER, offsetof(struct qos_config, lifespan_ns), 0,
     9223372036854775807.0, NULL},
    {"liveliness", TN_ROS_PARAM_STRING, offsetof(struct qos_config, liveliness), 20, 0.0,
     "system_default|automatic|manual_by_topic|best_available"},
    {"liveliness_lease_duration", TN_ROS_PARAM_INTEGER, offsetof(struct qos_config, lease_ns), 0,
     9223372036854775807.0, NULL},
    {"reliability", TN_ROS_PARAM_STRING, offsetof(struct qos_config, reliability), 16, 0.0,
     "system_default|reliable|best_effort|best_available"},
};

enum { N_POLICIES = sizeof policies / sizeof policies[0] };

/// One policy that someone set, until an endpoint asks for it.
struct tn_ros__qos_override {
    struct tn_ros__qos_override *next;
    const struct policy *policy;
    struct qos_config value; ///< only the policy's member counts
    bool is_publisher;
    char topic[];
};

// ---- taking them ----

_Static_assert(TN_ROS_HISTORY_SYSTEM_DEFAULT == 2 && TN_ROS_RELIABILITY_BEST_AVAILABLE == 3 &&
                   TN_ROS_DURABILITY_BEST_AVAILABLE == 3 && TN_ROS_LIVELINESS_BEST_AVAILABLE == 3,
               "names stand in the order of the enums");

/// Where "<topic>.<publisher|subscription>.<policy>" is cut.
struct parts {
    size_t topic_size;
    bool is_publisher;
    const struct policy *policy;
};

static bool has_policy(const struct policy *policy, bool is_publisher)
{
    // a subscription has no lifespan
    return is_publisher || strcmp(policy->name, "lifespan") != 0;
}

static bool cut(const char *text, struct parts *out)
{
    static const char publisher[] = ".publisher.", subscription[] = ".subscription.";
    out->topic_size = strcspn(text, ".");
    const char *rest = text + out->topic_size;
    out->is_publisher = strncmp(rest, publisher, sizeof publisher - 1) == 0;
    if (!out->is_publisher && strncmp(rest, subscription, sizeof subscription - 1) != 0)
        return false;
    rest += out->is_publisher ? sizeof publisher - 1 : sizeof subscription - 1;
    for (int i = 0; i < N_POLICIES; i++) {
        out->policy = &policies[i];
        if (strcmp(rest, policies[i].name) == 0 && has_policy(&policies[i], out->is_publisher))
            return text[0] == '/';
    }
    return false;
}

static struct tn_ros_param row_of(const struct policy *policy, const char *name, const char *text)
{
    return (struct tn_ros_param){
        .name = name,
        .type = policy->type,
        .flags = TN_ROS_PARAM_READ_ONLY,
        .offset = policy->offset,
        .capacity = policy->capacity,
        .default_yaml = "",
        .max = policy->max,
        .choices = policy->choices,
        .unit = policy->max > 1e18 ? "ns" : "",
        .text = text,
    };
}

enum tn_result tn_ros__qos_override_take(struct tn_ros__builtin_params *builtin, const char *name,
                                         const struct tn_ros__yaml_value *value, const char *file,
                                         bool is_strict, struct tn_error *err)
{
    struct parts parts;
    const char *text = name + sizeof PREFIX - 1;
    if (!cut(text, &parts)) {
        if (!is_strict)
            return TN_OK;
        return tn_error_at(err, TN_ERR_NOT_FOUND, file, value->line, value->column,
                           "\"%.120s\" is no QoS override; expected qos_overrides./<topic>."
                           "<publisher|subscription>.<history|depth|reliability|durability|"
                           "deadline|lifespan|liveliness|liveliness_lease_duration>",
                           name);
    }
    struct tn_ros__qos_override *override = calloc(1, sizeof *override + parts.topic_size + 1);
    if (override == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for %.80s", name);
    override->policy = parts.policy;
    override->is_publisher = parts.is_publisher;
    memcpy(override->topic, text, parts.topic_size);
    struct tn_ros_param row = row_of(parts.policy, name, "");
    enum tn_result result = tn_ros__param_put_yaml(&row, value, file, &override->value, err);
    if (result != TN_OK) {
        free(override);
        return result;
    }
    // later ones win
    struct tn_ros__qos_override **link = &builtin->qos_overrides;
    while (*link != NULL)
        link = &(*link)->next;
    *link = override;
    return TN_OK;
}

void tn_ros__builtin_params_fini(struct tn_ros__builtin_params *builtin)
{
    while (builtin->qos_overrides != NULL) {
        struct tn_ros__qos_override *override = builtin->qos_overrides;
        builtin->qos_overrides = override->next;
        free(override);
    }
}

// ---- applying them ----

// names of the policies' values, in the order of their enums
static const char *const histories[] = {"keep_last", "keep_all", "system_default"};
static const char *const reliabilities[] = {"reliable", "best_effort", "system_default",
                                            "best_available"};
static const char *const durabilities[] = {"volatile", "transient_local", "system_default",
                                           "best_available"};
static const char *const livelinesses[] = {"automatic", "manual_by_topic", "system_default",
                                           "best_available"};

/// @return the place of a name, which is there: the choices were checked.
static unsigned place_of(const char *const *names, unsigned n, const char *name)
{
    unsigned i = 0;
    while (i + 1 < n && strcmp(names[i], name) != 0)
        i++;
    return i;
}

#define PLACE(names, name) place_of(names, TN_ARRAY_SIZE(names), name)

/// rmw's infinite and best available durations stand at the end of what 64 bits hold.
static int64_t duration_ns(int64_t ns)
{
    if (ns == INT64_MAX)
        return 0;
    return ns == INT64_MAX - 1 ? TN_ROS_DURATION_BEST_AVAILABLE : ns;
}

static int64_t shown_ns(int64_t ns)
{
    return ns == TN_ROS_DURATION_BEST_AVAILABLE ? INT64_MAX - 1 : ns;
}

static void apply(const struct tn_ros__qos_override *override, struct tn_ros_qos *qos)
{
    const struct qos_config *value = &override->value;
    const char *name = override->policy->name;
    if (strcmp(name, "avoid_ros_namespace_conventions") == 0)
        qos->avoid_ros_namespace_conventions = value->avoid_ros_namespace_conventions;
    else if (strcmp(name, "deadline") == 0)
        qos->deadline_ns = duration_ns(value->deadline_ns);
    else if (strcmp(name, "lifespan") == 0)
        qos->lifespan_ns = value->lifespan_ns < INT64_MAX ? value->lifespan_ns : 0;
    else if (strcmp(name, "liveliness_lease_duration") == 0)
        qos->lease_ns = duration_ns(value->lease_ns);
    else if (strcmp(name, "depth") == 0)
        // 0 is the system's default, which is 1
        qos->depth = value->depth > 0 ? (uint32_t)value->depth : 1;
    else if (strcmp(name, "history") == 0)
        qos->history = (enum tn_ros_history)PLACE(histories, value->history);
    else if (strcmp(name, "reliability") == 0)
        qos->reliability = (enum tn_ros_reliability)PLACE(reliabilities, value->reliability);
    else if (strcmp(name, "durability") == 0)
        qos->durability = (enum tn_ros_durability)PLACE(durabilities, value->durability);
    else
        qos->liveliness = (enum tn_ros_liveliness)PLACE(livelinesses, value->liveliness);
}

static void fill_config(const struct tn_ros_qos *qos, struct qos_config *out)
{
    *out = (struct qos_config){
        .avoid_ros_namespace_conventions = qos->avoid_ros_namespace_conventions,
        .deadline_ns = shown_ns(qos->deadline_ns),
        .depth = qos->depth,
        .lifespan_ns = qos->lifespan_ns,
        .lease_ns = shown_ns(qos->lease_ns),
    };
    (void)snprintf(out->history, sizeof out->history, "%s", histories[qos->history]);
    (void)snprintf(out->reliability, sizeof out->reliability, "%s",
                   reliabilities[qos->reliability]);
    (void)snprintf(out->durability, sizeof out->durability, "%s", durabilities[qos->durability]);
    (void)snprintf(out->liveliness, sizeof out->liveliness, "%s", livelinesses[qos->liveliness]);
}

/// The rows of one endpoint, in one block.
struct qos_group {
    struct tn_ros__param_group group; ///< first, so that freeing it frees the whole
    struct tn_ros_param rows[N_POLICIES];
    struct qos_config config;
    char strings[];
};

static bool is_declared(const struct tn_ros_node *node, const char *topic, const char *kind)
{
    char name[TN_ROS_NAME_MAX + 64];
    int n = snprintf(name, sizeof name, PREFIX "%s.%s.depth", topic, kind);
    return n > 0 &&
           tn_ros__param_find(&node->param_server, (struct tn_str){name, (uint32_t)n}).param !=
               NULL;
}

static struct qos_group *make_rows(const char *topic, bool is_publisher,
                                   const struct tn_ros_qos *qos)
{
    const char *kind = is_publisher ? "publisher" : "subscription";
    // name and text of each row; the longest policy has 31 characters
    size_t room = 2 * strlen(topic) + 128;
    struct qos_group *rows = calloc(1, sizeof *rows + N_POLICIES * room);
    if (rows == NULL)
        return NULL;
    char *at = rows->strings;
    uint32_t n = 0;
    for (int i = 0; i < N_POLICIES; i++) {
        if (!has_policy(&policies[i], is_publisher))
            continue;
        size_t left = room - (strlen(topic) + 64);
        char *name = at, *text = at + left;
        (void)snprintf(name, left, PREFIX "%s.%s.%s", topic, kind, policies[i].name);
        (void)snprintf(text, room - left, "qos policy {%s} for %s {%s}", policies[i].name, kind,
                       topic);
        rows->rows[n++] = row_of(&policies[i], name, text);
        at += room;
    }
    fill_config(qos, &rows->config);
    rows->group.set = (struct tn_ros_param_set){.table = rows->rows,
                                                .n_params = n,
                                                .config = &rows->config,
                                                .config_size = sizeof rows->config};
    return rows;
}

enum tn_result tn_ros__qos_override(struct tn_ros_node *node, const char *topic, bool is_publisher,
                                    struct tn_ros_qos *io_qos, struct tn_error *err)
{
    const struct tn_ros__qos_override *override = node->builtin.qos_overrides;
    for (; override != NULL; override = override->next)
        if (override->is_publisher == is_publisher && strcmp(override->topic, topic) == 0)
            apply(override, io_qos);
    if (node->param_server.is_hidden ||
        is_declared(node, topic, is_publisher ? "publisher" : "subscription"))
        return TN_OK;
    struct qos_group *rows = make_rows(topic, is_publisher, io_qos);
    if (rows == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", topic);
    tn_ros__param_server_add(node, &rows->group);
    return TN_OK;
}
