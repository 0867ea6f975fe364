// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ros/args.h"
#include "ros/names.h"
#include "ros/ros__param.h"

static void names_expand(void **state)
{
    (void)state;
    static const struct {
        const char *ns, *name, *fqn;
    } cases[] = {
        {"/", "x", "/x"},
        {"/a/b", "x", "/a/b/x"},
        {"/a", "/x/y", "/x/y"},
        {"/a", "~/x", "/a/n/x"},
        {"/", "~/x", "/n/x"},
        {"/a", "~", "/a/n"},
        {"/a", "{node}/x", "/a/n/x"},
        {"/a", "/{ns}/x", "/a/x"},
        {"/a", "x_1", "/a/x_1"},
        {"/", "_x", "/_x"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char fqn[TN_ROS_NAME_MAX];
        assert_int_equal(tn_ros_resolve_name(NULL, cases[i].ns, "n", cases[i].name, fqn, NULL),
                         TN_OK);
        assert_string_equal(fqn, cases[i].fqn);
    }
}

static void bad_names_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "", "a b", "a//b", "/", "a/", "1a", "a/2b", "a-b", "~x", "x/~", "{what}", "{node", "é",
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        char fqn[TN_ROS_NAME_MAX] = "untouched";
        struct tn_error err = {0};
        assert_int_equal(tn_ros_resolve_name(NULL, "/a", "n", bad[i], fqn, &err),
                         TN_ERR_INVALID_ARGUMENT);
        assert_string_equal(fqn, "untouched");
        assert_true(err.text[0] != '\0');
    }
    char longest[300];
    char fqn[TN_ROS_NAME_MAX];
    memset(longest, 'a', sizeof longest);
    longest[246] = '\0';
    assert_int_equal(tn_ros_resolve_name(NULL, "/", "n", longest, fqn, NULL), TN_OK);
    longest[246] = 'a';
    longest[247] = '\0';
    assert_int_equal(tn_ros_resolve_name(NULL, "/", "n", longest, fqn, NULL), TN_ERR_LIMIT);
    longest[247] = 'a';
    longest[299] = '\0';
    assert_int_equal(tn_ros_resolve_name(NULL, "/", "n", longest, fqn, NULL), TN_ERR_LIMIT);
}

static void node_names_and_namespaces(void **state)
{
    (void)state;
    char ns[TN_ROS_NAME_MAX];
    assert_int_equal(tn_ros_check_node_name("glove_1", NULL), TN_OK);
    assert_int_equal(tn_ros_check_node_name("", NULL), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ros_check_node_name("1x", NULL), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ros_check_node_name("a/b", NULL), TN_ERR_INVALID_ARGUMENT);
    static const char *const pairs[][2] = {
        {"", "/"}, {"/", "/"}, {"a", "/a"}, {"/a/b/", "/a/b"}, {"a/b", "/a/b"}, {"//", "/"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(pairs); i++) {
        assert_int_equal(tn_ros_normalise_namespace(pairs[i][0], ns, NULL), TN_OK);
        assert_string_equal(ns, pairs[i][1]);
    }
    assert_int_equal(tn_ros_normalise_namespace("a b", ns, NULL), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ros_normalise_namespace("/a//b", ns, NULL), TN_ERR_INVALID_ARGUMENT);
}

static void remaps_apply_in_order(void **state)
{
    (void)state;
    static const char *const argv[] = {
        "x",  "--ros-args",  "-r", "in:=/one", "-r", "in:=/two", "-r", "other:out:=/three",
        "-r", "n:out:=four", "-r", "~/p:=q",   NULL};
    struct tn_ros_args args;
    char fqn[TN_ROS_NAME_MAX];
    assert_int_equal(tn_ros_args_parse(12, argv, &args, NULL), TN_OK);
    assert_int_equal(tn_ros_resolve_name(&args, "/a", "n", "in", fqn, NULL), TN_OK);
    assert_string_equal(fqn, "/one");
    // the same topic by its full name
    assert_int_equal(tn_ros_resolve_name(&args, "/a", "n", "/a/in", fqn, NULL), TN_OK);
    assert_string_equal(fqn, "/one");
    assert_int_equal(tn_ros_resolve_name(&args, "/b", "n", "/a/in", fqn, NULL), TN_OK);
    assert_string_equal(fqn, "/a/in");
    assert_int_equal(tn_ros_resolve_name(&args, "/a", "n", "out", fqn, NULL), TN_OK);
    assert_string_equal(fqn, "/a/four");
    assert_int_equal(tn_ros_resolve_name(&args, "/a", "n", "~/p", fqn, NULL), TN_OK);
    assert_string_equal(fqn, "/a/q");
    tn_ros_args_fini(&args);
}

static void node_patterns_match(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *fqn;
        enum tn_ros__match match;
    } cases[] = {
        {"/**", "/n", TN_ROS__MATCH_WILDCARD},
        {"/**", "/a/b/n", TN_ROS__MATCH_WILDCARD},
        {"/*", "/n", TN_ROS__MATCH_WILDCARD},
        {"/*", "/a/n", TN_ROS__MATCH_NONE},
        {"n", "/n", TN_ROS__MATCH_EXACT},
        {"/n", "/n", TN_ROS__MATCH_EXACT},
        {"n", "/a/n", TN_ROS__MATCH_NONE},
        {"a/n", "/a/n", TN_ROS__MATCH_EXACT},
        {"/a/n", "/a/n", TN_ROS__MATCH_EXACT},
        {"/**/n", "/n", TN_ROS__MATCH_WILDCARD},
        {"/**/n", "/a/b/n", TN_ROS__MATCH_WILDCARD},
        {"/**/n", "/a/b/m", TN_ROS__MATCH_NONE},
        {"/a/**", "/a/b/n", TN_ROS__MATCH_WILDCARD},
        {"/a/**", "/b/n", TN_ROS__MATCH_NONE},
        {"/*/n", "/a/n", TN_ROS__MATCH_WILDCARD},
        {"/**/b/*", "/a/b/c/b/d", TN_ROS__MATCH_WILDCARD},
        {"", "/n", TN_ROS__MATCH_NONE},
        {"nn", "/n", TN_ROS__MATCH_NONE},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++)
        assert_int_equal(tn_ros__match_node(cases[i].pattern, cases[i].fqn), cases[i].match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_expand),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(node_names_and_namespaces),
        cmocka_unit_test(remaps_apply_in_order),
        cmocka_unit_test(node_patterns_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
