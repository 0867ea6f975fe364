// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ros/args.h"

static enum tn_result parse(const char *const *argv, struct tn_ros_args *args, struct tn_error *err)
{
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    return tn_ros_args_parse(argc, argv, args, err);
}

static void everything_known_is_read(void **state)
{
    (void)state;
    static const char *const argv[] = {"prog",
                                       "--mine",
                                       "--ros-args",
                                       "-r",
                                       "a:=b",
                                       "--remap",
                                       "n:__ns:=/x",
                                       "-p",
                                       "rate:=2.5",
                                       "--param",
                                       "n:list:=[1, 2]",
                                       "--params-file",
                                       "f.yaml",
                                       "--log-level",
                                       "debug",
                                       "--log-level",
                                       "foo.bar:=WARN",
                                       "--disable-rosout-logs",
                                       "--disable-stdout-logs",
                                       "-e",
                                       "/robot",
                                       "--",
                                       "rest",
                                       "--ros-args",
                                       "-r",
                                       "__node:=other",
                                       NULL};
    struct tn_ros_args args;
    struct tn_error err = {0};
    assert_int_equal(parse(argv, &args, &err), TN_OK);
    assert_int_equal(args.n_remaps, 3);
    assert_string_equal(args.remaps[0].from, "a");
    assert_string_equal(args.remaps[0].to, "b");
    assert_string_equal(args.remaps[0].node, "");
    assert_string_equal(args.remaps[1].node, "n");
    assert_string_equal(args.remaps[1].from, "__ns");
    assert_string_equal(args.remaps[2].to, "other");
    assert_int_equal(args.n_params, 2);
    assert_string_equal(args.params[0].from, "rate");
    assert_string_equal(args.params[0].to, "2.5");
    assert_string_equal(args.params[1].node, "n");
    assert_string_equal(args.params[1].to, "[1, 2]");
    assert_int_equal(args.n_params_files, 1);
    assert_string_equal(args.params_files[0], "f.yaml");
    assert_int_equal(args.log_level, TN_LOG_DEBUG);
    assert_int_equal(args.n_log_levels, 1);
    assert_string_equal(args.log_levels[0].from, "foo.bar");
    assert_string_equal(args.log_levels[0].to, "WARN");
    assert_false(args.rosout_enabled);
    assert_false(args.stdout_enabled);
    assert_string_equal(args.enclave, "/robot");
    assert_int_equal(args.n_rest, 3);
    assert_string_equal(args.rest[0], "prog");
    assert_string_equal(args.rest[1], "--mine");
    assert_string_equal(args.rest[2], "rest");
    assert_null(args.rest[3]);
    tn_ros_args_fini(&args);
    tn_ros_args_fini(&args);
}

static void defaults_without_ros_args(void **state)
{
    (void)state;
    struct tn_ros_args args;
    assert_int_equal(parse((const char *const[]){"prog", "-r", "a:=b", NULL}, &args, NULL), TN_OK);
    assert_int_equal(args.n_remaps, 0);
    assert_int_equal(args.n_rest, 3);
    assert_true(args.rosout_enabled);
    assert_string_equal(args.enclave, "/");
    assert_int_equal(args.log_level, TN_LOG_UNSET);
    tn_ros_args_fini(&args);
    assert_int_equal(tn_ros_args_parse(0, NULL, &args, NULL), TN_OK);
    assert_int_equal(args.n_rest, 0);
    tn_ros_args_fini(&args);
}

static void wrong_arguments_are_named(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"--what", NULL},
        {"-r", NULL},
        {"-r", "--"},
        {"-r", "ab"},
        {"-r", ":=b"},
        {"-r", "a:b:c:=d"},
        {"-r", "a b:=c"},
        {"-r", "a:="},
        {"-r", "__node:=1x"},
        {"-r", "__ns:=a b"},
        {"-p", "a"},
        {"-p", ":=1"},
        {"-p", ":a:=1"},
        {"--log-level", "loud"},
        {"--log-level", "a:=loud"},
        {"--log-level", ":=info"},
        {"-e", "robot"},
        {"--params-file", NULL},
        {"stray", NULL},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        const char *const argv[] = {"prog", "--ros-args", bad[i][0], bad[i][1], NULL};
        struct tn_ros_args args;
        struct tn_error err = {0};
        assert_int_equal(parse(argv, &args, &err), TN_ERR_SYNTAX);
        assert_non_null(strstr(err.text, "command line"));
        assert_null(args.storage);
    }
}

static void limits_hold(void **state)
{
    (void)state;
    const char *argv[2 * TN_ROS_ARGS_MAX_RULES + 5] = {"prog", "--ros-args"};
    size_t n = 2;
    for (int i = 0; i < TN_ROS_ARGS_MAX_RULES; i++) {
        argv[n++] = "-p";
        argv[n++] = "a:=1";
    }
    struct tn_ros_args args;
    assert_int_equal(parse(argv, &args, NULL), TN_OK);
    assert_int_equal(args.n_params, TN_ROS_ARGS_MAX_RULES);
    tn_ros_args_fini(&args);
    argv[n++] = "-p";
    argv[n++] = "a:=1";
    assert_int_equal(parse(argv, &args, NULL), TN_ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_known_is_read),
        cmocka_unit_test(defaults_without_ros_args),
        cmocka_unit_test(wrong_arguments_are_named),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
