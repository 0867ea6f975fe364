// SPDX-License-Identifier: Apache-2.0
#include "ros/ros__rxo.h"

#include <inttypes.h>
#include <stdio.h>

/// Everything that is known about one policy.
struct policy {
    const char *name; ///< as rmw prints it
    const char *key;  ///< of qos_overrides; NULL: cannot be set there
};

static const struct policy policies[TN_ROS__N_POLICIES] = {
    [TN_ROS__POLICY_RELIABILITY] = {"RELIABILITY", "reliability"},
    [TN_ROS__POLICY_DURABILITY] = {"DURABILITY", "durability"},
    [TN_ROS__POLICY_DEADLINE] = {"DEADLINE", "deadline"},
    [TN_ROS__POLICY_LIVELINESS] = {"LIVELINESS", "liveliness"},
    [TN_ROS__POLICY_LEASE] = {"LIVELINESS_LEASE_DURATION", "liveliness_lease_duration"},
    [TN_ROS__POLICY_PRESENTATION] = {"PRESENTATION", NULL},
    [TN_ROS__POLICY_OWNERSHIP] = {"OWNERSHIP", NULL},
    [TN_ROS__POLICY_DESTINATION_ORDER] = {"DESTINATION_ORDER", NULL},
    [TN_ROS__POLICY_LATENCY_BUDGET] = {"LATENCY_BUDGET", NULL},
    [TN_ROS__POLICY_REPRESENTATION] = {"DATA_REPRESENTATION", NULL},
    [TN_ROS__POLICY_PARTITION] = {"PARTITION", NULL},
    [TN_ROS__POLICY_TYPE] = {"TYPE", NULL},
};

static uint32_t bit(bool is_set, enum tn_ros__policy policy)
{
    return is_set ? 1u << policy : 0u;
}

uint32_t tn_ros__rxo_conflicts(const struct tn_ros__rxo *offered,
                               const struct tn_ros__rxo *requested)
{
    const struct tn_ros__rxo *o = offered, *r = requested;
    bool is_presentation = r->access_scope > o->access_scope ||
                           (r->is_coherent && !o->is_coherent) || (r->is_ordered && !o->is_ordered);
    return bit(r->reliability > o->reliability, TN_ROS__POLICY_RELIABILITY) |
           bit(r->durability > o->durability, TN_ROS__POLICY_DURABILITY) |
           bit(r->deadline_ns < o->deadline_ns, TN_ROS__POLICY_DEADLINE) |
           bit(r->liveliness > o->liveliness, TN_ROS__POLICY_LIVELINESS) |
           bit(r->lease_ns < o->lease_ns, TN_ROS__POLICY_LEASE) |
           bit(is_presentation, TN_ROS__POLICY_PRESENTATION) |
           bit(r->ownership != o->ownership, TN_ROS__POLICY_OWNERSHIP) |
           bit(r->destination_order > o->destination_order, TN_ROS__POLICY_DESTINATION_ORDER) |
           bit(r->latency_budget_ns < o->latency_budget_ns, TN_ROS__POLICY_LATENCY_BUDGET) |
           bit((r->representations & o->representations) == 0, TN_ROS__POLICY_REPRESENTATION) |
           bit(r->is_in_default_partition != o->is_in_default_partition, TN_ROS__POLICY_PARTITION);
}

const char *tn_ros__rxo_name(enum tn_ros__policy policy)
{
    return (unsigned)policy < TN_ROS__N_POLICIES ? policies[policy].name : "another policy";
}

// ---- values ----

static void put_kind(const char *const *names, unsigned n, unsigned kind, char *out, size_t size)
{
    if (kind < n)
        (void)snprintf(out, size, "%s", names[kind]);
    else
        (void)snprintf(out, size, "%u (unknown)", kind);
}

static void put_duration(int64_t ns, char *out, size_t size)
{
    if (ns == TN_ROS__INFINITE)
        (void)snprintf(out, size, "infinite");
    else
        (void)snprintf(out, size, "%.9g s", (double)ns / 1e9);
}

static void put_presentation(const struct tn_ros__rxo *rxo, char *out, size_t size)
{
    static const char *const scopes[] = {"INSTANCE", "TOPIC", "GROUP"};
    char scope[32];
    put_kind(scopes, 3, rxo->access_scope, scope, sizeof scope);
    (void)snprintf(out, size, "%s%s%s", scope, rxo->is_coherent ? " coherent" : "",
                   rxo->is_ordered ? " ordered" : "");
}

static void put_representations(uint32_t set, char *out, size_t size)
{
    (void)snprintf(out, size, "%s%s%s%s", (set & 1u) != 0 ? "XCDR1 " : "",
                   (set & 2u) != 0 ? "XML " : "", (set & 4u) != 0 ? "XCDR2 " : "",
                   set == 0           ? "none "
                   : (set & ~7u) != 0 ? "others "
                                      : "");
    for (size_t i = 0; i < size && out[i] != '\0'; i++)
        if (out[i] == ' ' && out[i + 1] == '\0')
            out[i] = '\0';
}

/// The partition's name comes from a stranger: nothing but plain characters goes into a log.
static void put_partition(const struct tn_ros__rxo *rxo, char *out, size_t size)
{
    if (rxo->is_in_default_partition) {
        (void)snprintf(out, size, "the default one");
        return;
    }
    (void)snprintf(out, size, "\"%s\"", rxo->partition);
    for (char *p = out; *p != '\0'; p++)
        if (*p < ' ' || *p > '~')
            *p = '?';
}

void tn_ros__rxo_value(const struct tn_ros__rxo *rxo, enum tn_ros__policy policy, char *out,
                       size_t size)
{
    static const char *const reliabilities[] = {"BEST_EFFORT", "RELIABLE"};
    static const char *const durabilities[] = {"VOLATILE", "TRANSIENT_LOCAL", "TRANSIENT",
                                               "PERSISTENT"};
    static const char *const livelinesses[] = {"AUTOMATIC", "MANUAL_BY_PARTICIPANT",
                                               "MANUAL_BY_TOPIC"};
    static const char *const ownerships[] = {"SHARED", "EXCLUSIVE"};
    static const char *const orders[] = {"BY_RECEPTION_TIMESTAMP", "BY_SOURCE_TIMESTAMP"};
    switch (policy) {
    case TN_ROS__POLICY_RELIABILITY:
        put_kind(reliabilities, 2, rxo->reliability, out, size);
        return;
    case TN_ROS__POLICY_DURABILITY:
        put_kind(durabilities, 4, rxo->durability, out, size);
        return;
    case TN_ROS__POLICY_DEADLINE:
        put_duration(rxo->deadline_ns, out, size);
        return;
    case TN_ROS__POLICY_LIVELINESS:
        put_kind(livelinesses, 3, rxo->liveliness, out, size);
        return;
    case TN_ROS__POLICY_LEASE:
        put_duration(rxo->lease_ns, out, size);
        return;
    case TN_ROS__POLICY_PRESENTATION:
        put_presentation(rxo, out, size);
        return;
    case TN_ROS__POLICY_OWNERSHIP:
        put_kind(ownerships, 2, rxo->ownership, out, size);
        return;
    case TN_ROS__POLICY_DESTINATION_ORDER:
        put_kind(orders, 2, rxo->destination_order, out, size);
        return;
    case TN_ROS__POLICY_LATENCY_BUDGET:
        put_duration(rxo->latency_budget_ns, out, size);
        return;
    case TN_ROS__POLICY_REPRESENTATION:
        put_representations(rxo->representations, out, size);
        return;
    case TN_ROS__POLICY_PARTITION:
        put_partition(rxo, out, size);
        return;
    case TN_ROS__POLICY_TYPE:
    case TN_ROS__N_POLICIES:
        break;
    }
    (void)snprintf(out, size, "-");
}

// ---- cures ----

static const char *lower_kind(enum tn_ros__policy policy, const struct tn_ros__rxo *rxo)
{
    if (policy == TN_ROS__POLICY_RELIABILITY)
        return rxo->reliability > 0 ? "reliable" : "best_effort";
    if (policy == TN_ROS__POLICY_DURABILITY)
        return rxo->durability > 0 ? "transient_local" : "volatile";
    return rxo->liveliness > 0 ? "manual_by_topic" : "automatic";
}

/// A value as qos_overrides takes it. @return false: it has no such value.
static bool override_value(const struct tn_ros__rxo *rxo, enum tn_ros__policy policy, char *out,
                           size_t size)
{
    int64_t ns = policy == TN_ROS__POLICY_DEADLINE ? rxo->deadline_ns : rxo->lease_ns;
    bool is_duration = policy == TN_ROS__POLICY_DEADLINE || policy == TN_ROS__POLICY_LEASE;
    // kinds between those that ROS knows cannot be asked for
    if (policy == TN_ROS__POLICY_DURABILITY && rxo->durability > 1)
        return false;
    if (policy == TN_ROS__POLICY_LIVELINESS && rxo->liveliness == 1)
        return false;
    if (is_duration)
        (void)snprintf(out, size, "%" PRId64, ns);
    else
        (void)snprintf(out, size, "%s", lower_kind(policy, rxo));
    return true;
}

void tn_ros__rxo_cure(const struct tn_ros__rxo *offered, const struct tn_ros__rxo *requested,
                      enum tn_ros__policy policy, const char *topic, bool is_writer, char *out,
                      size_t size)
{
    // what this side could be: what the other one has
    const struct tn_ros__rxo *here = is_writer ? requested : offered;
    const struct tn_ros__rxo *there = is_writer ? offered : requested;
    const char *key = (unsigned)policy < TN_ROS__N_POLICIES ? policies[policy].key : NULL;
    char here_text[64], there_text[64], value[32];
    if (policy == TN_ROS__POLICY_TYPE) {
        (void)snprintf(out, size, "rename one of the two topics or use one type on both sides");
        return;
    }
    if (policy == TN_ROS__POLICY_PARTITION) {
        (void)snprintf(out, size, "ROS 2 uses no partitions: remove it there");
        return;
    }
    tn_ros__rxo_value(there, policy, there_text, sizeof there_text);
    if (key == NULL || !override_value(here, policy, value, sizeof value)) {
        (void)snprintf(out, size, "set %s to %s there, which is what ROS 2 endpoints have",
                       tn_ros__rxo_name(policy), there_text);
        return;
    }
    tn_ros__rxo_value(here, policy, here_text, sizeof here_text);
    int n = snprintf(out, size, "set %s to %s here or to %s there", key, here_text, there_text);
    if (topic != NULL && n > 0 && (size_t)n < size)
        (void)snprintf(out + n, size - (size_t)n, ", e.g. with -p qos_overrides.%s.%s.%s:=%s",
                       topic, is_writer ? "publisher" : "subscription", key, value);
}
