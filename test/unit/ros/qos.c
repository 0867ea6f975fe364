// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ros/qos.h"
#include "ros/ros__rxo.h"

static void expect_profile(struct tn_ros_qos qos, uint32_t depth, bool is_reliable, bool is_latched,
                           int64_t lifespan_s)
{
    assert_int_equal(qos.history, TN_ROS_KEEP_LAST);
    assert_int_equal(qos.depth, depth);
    assert_int_equal(qos.reliability, is_reliable ? TN_ROS_RELIABLE : TN_ROS_BEST_EFFORT);
    assert_int_equal(qos.durability, is_latched ? TN_ROS_TRANSIENT_LOCAL : TN_ROS_VOLATILE);
    assert_int_equal(qos.liveliness, TN_ROS_LIVELINESS_AUTOMATIC);
    assert_int_equal(qos.lifespan_ns, lifespan_s * 1000000000);
    assert_int_equal(qos.deadline_ns, 0);
    assert_int_equal(qos.lease_ns, 0);
}

static void profiles_are_those_of_ros(void **state)
{
    (void)state;
    expect_profile(tn_ros_qos_default(10), 10, true, false, 0);
    expect_profile(tn_ros_qos_sensor_data(), 5, false, false, 0);
    expect_profile(tn_ros_qos_services(), 10, true, false, 0);
    expect_profile(tn_ros_qos_parameters(), 1000, true, false, 0);
    expect_profile(tn_ros_qos_parameter_events(), 1000, true, false, 0);
    expect_profile(tn_ros_qos_rosout(), 1000, true, true, 10);
    expect_profile(tn_ros_qos_action_status(), 1, true, true, 0);
    expect_profile(tn_ros_qos_clock(), 1, false, false, 0);
    expect_profile(tn_ros_qos_tf(), 100, true, false, 0);
    expect_profile(tn_ros_qos_tf_static(true), 1, true, true, 0);
    expect_profile(tn_ros_qos_tf_static(false), 100, true, true, 0);
    struct tn_ros_qos qos = tn_ros_qos_system_default();
    assert_false(tn_ros_qos_needs_peers(&qos));
    tn_ros_qos_resolve(&qos, true, NULL, 0);
    expect_profile(qos, 1, true, false, 0);
}

static struct tn_ros_qos best_of(bool is_publisher, const struct tn_ros_qos *peers, uint32_t n)
{
    struct tn_ros_qos qos = tn_ros_qos_best_available();
    assert_true(tn_ros_qos_needs_peers(&qos));
    tn_ros_qos_resolve(&qos, is_publisher, peers, n);
    assert_false(tn_ros_qos_needs_peers(&qos));
    return qos;
}

static void best_available_follows_the_weakest(void **state)
{
    (void)state;
    struct tn_ros_qos peers[3];
    // nobody is there: the strongest (as rmw), without times
    struct tn_ros_qos qos = best_of(false, NULL, 0);
    assert_int_equal(qos.reliability, TN_ROS_RELIABLE);
    assert_int_equal(qos.durability, TN_ROS_TRANSIENT_LOCAL);
    assert_int_equal(qos.deadline_ns, 0);
    for (unsigned set = 0; set < 8; set++) {
        // whoever has a weak one, subscriptions follow; publishers offer all
        for (unsigned i = 0; i < 3; i++)
            peers[i] = (set >> i & 1u) != 0 ? tn_ros_qos_sensor_data() : tn_ros_qos_latched(1);
        qos = best_of(false, peers, 3);
        assert_int_equal(qos.reliability, set == 0 ? TN_ROS_RELIABLE : TN_ROS_BEST_EFFORT);
        assert_int_equal(qos.durability, set == 0 ? TN_ROS_TRANSIENT_LOCAL : TN_ROS_VOLATILE);
        qos = best_of(true, peers, 3);
        assert_int_equal(qos.reliability, TN_ROS_RELIABLE);
        assert_int_equal(qos.durability, TN_ROS_TRANSIENT_LOCAL);
    }
    static const int64_t times[][5] = {
        // three peers, what a subscription asks for, what a publisher offers; 0: none
        {0, 0, 0, 0, 0}, {5, 0, 0, 0, 5}, {0, 0, 5, 0, 5},
        {0, 3, 5, 0, 3}, {5, 3, 4, 5, 3}, {3, 3, 3, 3, 3},
    };
    for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
        for (unsigned i = 0; i < 3; i++) {
            peers[i] = tn_ros_qos_default(1);
            peers[i].deadline_ns = times[t][i];
            peers[i].lease_ns = times[t][2 - i];
        }
        qos = best_of(false, peers, 3);
        assert_int_equal(qos.deadline_ns, times[t][3]);
        assert_int_equal(qos.lease_ns, times[t][3]);
        qos = best_of(true, peers, 3);
        assert_int_equal(qos.deadline_ns, times[t][4]);
        assert_int_equal(qos.lease_ns, times[t][4]);
    }
}

static struct tn_ros__rxo plain(void)
{
    return (struct tn_ros__rxo){
        .reliability = 1,
        .deadline_ns = TN_ROS__INFINITE,
        .lease_ns = TN_ROS__INFINITE,
        .representations = 1,
        .is_in_default_partition = true,
    };
}

/// Sets the n-th value of a policy. @return false: it has no more.
static bool set(struct tn_ros__rxo *rxo, enum tn_ros__policy policy, unsigned n)
{
    static const int64_t times[] = {TN_ROS__INFINITE, 1000000000, 5, 0};
    switch (policy) {
    case TN_ROS__POLICY_RELIABILITY:
        rxo->reliability = (uint8_t)n;
        return n < 2;
    case TN_ROS__POLICY_DURABILITY:
        rxo->durability = (uint8_t)n;
        return n < 4;
    case TN_ROS__POLICY_DEADLINE:
        rxo->deadline_ns = times[n % 4];
        return n < 4;
    case TN_ROS__POLICY_LIVELINESS:
        rxo->liveliness = (uint8_t)n;
        return n < 3;
    case TN_ROS__POLICY_LEASE:
        rxo->lease_ns = times[n % 4];
        return n < 4;
    case TN_ROS__POLICY_PRESENTATION:
        rxo->access_scope = (uint8_t)n;
        return n < 3;
    case TN_ROS__POLICY_DESTINATION_ORDER:
        rxo->destination_order = (uint8_t)n;
        return n < 2;
    case TN_ROS__POLICY_LATENCY_BUDGET:
        rxo->latency_budget_ns = times[3 - n % 4];
        return n < 4;
    case TN_ROS__POLICY_OWNERSHIP:
    case TN_ROS__POLICY_REPRESENTATION:
    case TN_ROS__POLICY_PARTITION:
    case TN_ROS__POLICY_TYPE:
    case TN_ROS__N_POLICIES:
        break;
    }
    return false;
}

static void every_pair_of_values_conflicts_as_the_standard_says(void **state)
{
    (void)state;
    for (unsigned p = 0; p < TN_ROS__N_POLICIES; p++) {
        // values grow stronger with their number, except times of a budget, which are set so
        for (unsigned o = 0;; o++) {
            struct tn_ros__rxo offered = plain(), requested = plain();
            if (!set(&offered, (enum tn_ros__policy)p, o))
                break;
            for (unsigned r = 0; set(&requested, (enum tn_ros__policy)p, r); r++) {
                bool is_weaker = p == TN_ROS__POLICY_LATENCY_BUDGET
                                     ? requested.latency_budget_ns < offered.latency_budget_ns
                                     : o < r;
                assert_int_equal(tn_ros__rxo_conflicts(&offered, &requested),
                                 is_weaker ? 1u << p : 0u);
            }
        }
    }
    struct tn_ros__rxo a = plain(), b = plain();
    a.ownership = 1;
    assert_int_equal(tn_ros__rxo_conflicts(&a, &b), 1u << TN_ROS__POLICY_OWNERSHIP);
    assert_int_equal(tn_ros__rxo_conflicts(&b, &a), 1u << TN_ROS__POLICY_OWNERSHIP);
    a = plain();
    a.representations = 4;
    assert_int_equal(tn_ros__rxo_conflicts(&a, &b), 1u << TN_ROS__POLICY_REPRESENTATION);
    a = plain();
    a.is_in_default_partition = false;
    assert_int_equal(tn_ros__rxo_conflicts(&a, &b), 1u << TN_ROS__POLICY_PARTITION);
    a = plain();
    a.is_coherent = a.is_ordered = true;
    assert_int_equal(tn_ros__rxo_conflicts(&a, &b), 0);
    assert_int_equal(tn_ros__rxo_conflicts(&b, &a), 1u << TN_ROS__POLICY_PRESENTATION);
}

static void texts_name_both_values_and_the_cure(void **state)
{
    (void)state;
    struct tn_ros__rxo offered = plain(), requested = plain();
    char text[512];
    offered.reliability = 0;
    tn_ros__rxo_cure(&offered, &requested, TN_ROS__POLICY_RELIABILITY, "/x", false, text,
                     sizeof text);
    assert_string_equal(text, "set reliability to BEST_EFFORT here or to RELIABLE there, e.g. with "
                              "-p qos_overrides./x.subscription.reliability:=best_effort");
    requested.deadline_ns = 500000000;
    tn_ros__rxo_value(&requested, TN_ROS__POLICY_DEADLINE, text, sizeof text);
    assert_string_equal(text, "0.5 s");
    tn_ros__rxo_cure(&offered, &requested, TN_ROS__POLICY_DEADLINE, "/x", true, text, sizeof text);
    assert_string_equal(text, "set deadline to 0.5 s here or to infinite there, e.g. with -p "
                              "qos_overrides./x.publisher.deadline:=500000000");
    // a value that ROS cannot be set to is to be changed there
    requested.durability = 3;
    tn_ros__rxo_cure(&offered, &requested, TN_ROS__POLICY_DURABILITY, "/x", true, text,
                     sizeof text);
    assert_string_equal(text,
                        "set DURABILITY to VOLATILE there, which is what ROS 2 endpoints have");
}

/// Values of a stranger may be anything; the texts stay printable and in their buffers.
static void absurd_values_have_texts(void **state)
{
    (void)state;
    struct tn_ros__rxo odd;
    memset(&odd, 0xff, sizeof odd);
    odd.is_coherent = odd.is_ordered = true;
    odd.is_in_default_partition = false;
    (void)snprintf(odd.partition, sizeof odd.partition, "\x1b[31m\n%%s%%n\x7f\xff");
    struct tn_ros__rxo normal = plain();
    for (size_t size = 1; size < 200; size++) {
        for (unsigned p = 0; p <= TN_ROS__N_POLICIES; p++) {
            char text[201];
            memset(text, 0x55, sizeof text);
            tn_ros__rxo_value(&odd, (enum tn_ros__policy)p, text, size);
            assert_true(strlen(text) < size);
            for (const char *c = text; *c != '\0'; c++)
                assert_in_range(*c, ' ', '~');
            tn_ros__rxo_cure(&odd, &normal, (enum tn_ros__policy)p, "/x", size % 2 == 0, text,
                             size);
            assert_true(strlen(text) < size);
            assert_non_null(tn_ros__rxo_name((enum tn_ros__policy)p));
        }
    }
    tn_ros__rxo_value(&odd, TN_ROS__POLICY_RELIABILITY, odd.partition, sizeof odd.partition);
    assert_string_equal(odd.partition, "255 (unknown)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_those_of_ros),
        cmocka_unit_test(best_available_follows_the_weakest),
        cmocka_unit_test(every_pair_of_values_conflicts_as_the_standard_says),
        cmocka_unit_test(texts_name_both_values_and_the_cure),
        cmocka_unit_test(absurd_values_have_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
