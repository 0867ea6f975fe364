// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ros/ros__environment.h"

/// Pairs of name and value, ended by NULL.
static const char *get(void *context, const char *name)
{
    for (const char *const *p = context; *p != NULL; p += 2)
        if (strcmp(p[0], name) == 0)
            return p[1];
    return NULL;
}

static enum tn_result read_environment(const char *const *pairs, struct tn_ros__environment *out,
                                       struct tn_error *err)
{
    return tn_ros__environment_read(get, (void *)(uintptr_t)pairs, 42, out, err);
}

static void nothing_set(void **state)
{
    (void)state;
    struct tn_ros__environment env;
    assert_int_equal(read_environment((const char *const[]){NULL}, &env, NULL), TN_OK);
    assert_int_equal(env.domain_id, 0);
    assert_int_equal(env.gid_size, 0);
    assert_string_equal(env.warning, "");
    // what rmw_cyclonedds_cpp configures for SUBNET without peers
    assert_string_equal(env.config_xml,
                        "<CycloneDDS><Domain><Discovery><ParticipantIndex>auto</ParticipantIndex>"
                        "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex></Discovery>"
                        "</Domain></CycloneDDS>");
}

static void ranges(void **state)
{
    (void)state;
    static const struct {
        const char *pairs[7];
        const char *has[4];
        const char *has_not[3];
    } cases[] = {
        {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"},
         {"<AllowMulticast>false", "<Peer address=\"localhost\"/>", "<ParticipantIndex>auto",
          "<MaxAutoParticipantIndex>32"},
         {"NetworkInterface", "Tag"}},
        {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF", "ROS_STATIC_PEERS", "10.0.0.1"},
         {"<AllowMulticast>false", "<Tag>ros_discovery_off_42</Tag>"},
         {"Peer", "ParticipantIndex>auto"}},
        {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "SYSTEM_DEFAULT", "ROS_STATIC_PEERS", "10.0.0.1",
          "CYCLONEDDS_URI", "<a/>"},
         {"<a/>"},
         {"Peer", ","}},
        {{"ROS_LOCALHOST_ONLY", "1", "ROS_STATIC_PEERS", "10.0.0.1"},
         {"<AllowMulticast>false", "<Peer address=\"localhost\"/>"},
         {"10.0.0.1", "NetworkInterface"}},
        {{"ROS_LOCALHOST_ONLY", "1", "ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF"},
         {"<AllowMulticast>false", "<Peer address=\"localhost\"/>"},
         {"Tag"}},
        {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "everything"},
         {"<AllowMulticast>false", "<Peer address=\"localhost\"/>"},
         {NULL}},
        {{"ROS_LOCALHOST_ONLY", "1", "ROS_DISTRO", "humble"},
         {"<NetworkInterface address=\"127.0.0.1\"/>", "<Peer address=\"localhost\"/>"},
         {"AllowMulticast"}},
        {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET", "ROS_STATIC_PEERS", "10.0.0.1;;host-a:7410;",
          "CYCLONEDDS_URI", "file:///x.xml"},
         {"<Peer address=\"10.0.0.1\"/><Peer address=\"host-a:7410\"/></Peers>",
          "</CycloneDDS>,file:///x.xml"},
         {"AllowMulticast", "localhost"}},
        {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", "ROS_STATIC_PEERS", "fe80::1"},
         {"<Peer address=\"localhost\"/><Peer address=\"fe80::1\"/>"},
         {NULL}},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct tn_ros__environment env;
        assert_int_equal(read_environment(cases[i].pairs, &env, NULL), TN_OK);
        for (size_t j = 0; j < 4 && cases[i].has[j] != NULL; j++)
            assert_non_null(strstr(env.config_xml, cases[i].has[j]));
        for (size_t j = 0; j < 3 && cases[i].has_not[j] != NULL; j++)
            assert_null(strstr(env.config_xml, cases[i].has_not[j]));
    }
}

static void wrong_values_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"ROS_DOMAIN_ID", "233"},    {"ROS_DOMAIN_ID", "-1"},       {"ROS_DOMAIN_ID", "1x"},
        {"TENDON_GID_SIZE", "17"},   {"ROS_LOCALHOST_ONLY", "yes"}, {"ROS_STATIC_PEERS", "a\"/><x"},
        {"ROS_STATIC_PEERS", "a,b"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        const char *const pairs[] = {cases[i][0], cases[i][1], NULL};
        struct tn_ros__environment env = {.domain_id = 99};
        struct tn_error err = {0};
        assert_int_equal(read_environment(pairs, &env, &err), TN_ERR_INVALID_ARGUMENT);
        assert_non_null(strstr(err.text, cases[i][0]));
        assert_int_equal(env.domain_id, 99);
    }
}

static void what_is_ignored_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *pairs[7];
        const char *says; ///< NULL: nothing
    } cases[] = {
        {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "subnet"}, "\"subnet\""},
        {{"ROS_LOCALHOST_ONLY", "1"}, "deprecated"},
        {{"ROS_LOCALHOST_ONLY", "1", "ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET"}, "are ignored"},
        {{"ROS_LOCALHOST_ONLY", "1", "ROS_STATIC_PEERS", "10.0.0.1"}, "are ignored"},
        {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF", "ROS_STATIC_PEERS", "10.0.0.1"}, "is OFF"},
        {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "SYSTEM_DEFAULT", "ROS_STATIC_PEERS", "a"},
         "is SYSTEM_DEFAULT"},
        {{"ROS_LOCALHOST_ONLY", "0", "ROS_STATIC_PEERS", "10.0.0.1"}, NULL},
        // there it is the variable one has
        {{"ROS_LOCALHOST_ONLY", "1", "ROS_DISTRO", "humble"}, NULL},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct tn_ros__environment env;
        assert_int_equal(read_environment(cases[i].pairs, &env, NULL), TN_OK);
        if (cases[i].says == NULL)
            assert_string_equal(env.warning, "");
        else
            assert_non_null(strstr(env.warning, cases[i].says));
    }
}

static void gid_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *pairs[5];
        uint32_t size;
    } cases[] = {
        {{NULL}, 0},
        {{"ROS_DISTRO", ""}, 0},
        {{"ROS_DISTRO", "humble"}, 24},
        {{"ROS_DISTRO", "galactic"}, 24},
        {{"ROS_DISTRO", "iron"}, 16},
        {{"ROS_DISTRO", "jazzy"}, 16},
        {{"ROS_DISTRO", "humbler"}, 16},
        {{"TENDON_GID_SIZE", "24"}, 24},
        {{"TENDON_GID_SIZE", "16", "ROS_DISTRO", "humble"}, 16},
        {{"TENDON_GID_SIZE", "auto", "ROS_DISTRO", "humble"}, 0},
        {{"TENDON_GID_SIZE", "", "ROS_DISTRO", "humble"}, 24},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct tn_ros__environment env;
        assert_int_equal(read_environment(cases[i].pairs, &env, NULL), TN_OK);
        assert_int_equal(env.gid_size, cases[i].size);
    }
}

static void long_text_is_refused(void **state)
{
    (void)state;
    static char text[TN_ROS__CONFIG_XML_MAX + 1];
    struct tn_ros__environment env;
    struct tn_error err = {0};
    memset(text, 'x', TN_ROS__CONFIG_XML_MAX);
    const char *const pairs[] = {"CYCLONEDDS_URI", text, "ROS_AUTOMATIC_DISCOVERY_RANGE",
                                 "SYSTEM_DEFAULT", NULL};
    assert_int_equal(read_environment(pairs, &env, &err), TN_ERR_LIMIT);
    text[TN_ROS__CONFIG_XML_MAX - 1] = '\0';
    assert_int_equal(read_environment(pairs, &env, &err), TN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_set),
        cmocka_unit_test(ranges),
        cmocka_unit_test(wrong_values_are_named),
        cmocka_unit_test(what_is_ignored_is_said),
        cmocka_unit_test(gid_sizes),
        cmocka_unit_test(long_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
