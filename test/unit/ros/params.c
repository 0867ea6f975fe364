// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "ros/param.h"
#include "ros/ros__param.h"

struct config {
    bool on;
    int64_t count;
    double rate;
    char mode[8];
    struct tn_ros_double_array gains;
    struct tn_ros_integer_array ids;
    struct tn_ros_string_array names;
    double nested;
};

static const struct tn_ros_param table[] = {
    {.name = "on",
     .type = TN_ROS_PARAM_BOOL,
     .offset = offsetof(struct config, on),
     .default_yaml = "false",
     .unit = "",
     .text = "Switch."},
    {.name = "count",
     .type = TN_ROS_PARAM_INTEGER,
     .offset = offsetof(struct config, count),
     .default_yaml = "3",
     .min = 1,
     .max = 10,
     .unit = "",
     .text = "Count.",
     .flags = TN_ROS_PARAM_READ_ONLY},
    {.name = "rate",
     .type = TN_ROS_PARAM_DOUBLE,
     .offset = offsetof(struct config, rate),
     .default_yaml = "120.0",
     .min = 0.5,
     .max = 1000,
     .unit = "Hz",
     .text = "Rate."},
    {.name = "mode",
     .type = TN_ROS_PARAM_STRING,
     .offset = offsetof(struct config, mode),
     .capacity = 8,
     .default_yaml = "\"hold\"",
     .choices = "hold|open|limp",
     .unit = "",
     .text = "Mode."},
    {.name = "gains",
     .type = TN_ROS_PARAM_DOUBLE_ARRAY,
     .offset = offsetof(struct config, gains),
     .capacity = 4,
     .default_yaml = "[1.0, 2.0]",
     .unit = "",
     .text = "Gains."},
    {.name = "ids",
     .type = TN_ROS_PARAM_INTEGER_ARRAY,
     .offset = offsetof(struct config, ids),
     .capacity = TN_ROS_PARAM_ARRAY_MAX,
     .default_yaml = "[]",
     .unit = "",
     .text = "Ids."},
    {.name = "names",
     .type = TN_ROS_PARAM_STRING_ARRAY,
     .offset = offsetof(struct config, names),
     .capacity = TN_ROS_PARAM_ARRAY_MAX,
     .default_yaml = "[a, \"1\"]",
     .unit = "",
     .text = "Names."},
    {.name = "limits.speed",
     .type = TN_ROS_PARAM_DOUBLE,
     .offset = offsetof(struct config, nested),
     .default_yaml = "1.5",
     .unit = "m/s",
     .text = "Speed."},
};

static enum tn_result check(const void *candidate, struct tn_error *err)
{
    const struct config *c = candidate;
    if (c->on && c->rate < 10.0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "on needs a rate of 10 Hz");
    return TN_OK;
}

struct fixture {
    struct config config;
    struct tn_ros_param_set set;
    struct tn_ros_args args;
    char path[64];
    struct tn_error err;
};

static void setup(struct fixture *f, const char *yaml)
{
    memset(f, 0, sizeof *f);
    f->set = (struct tn_ros_param_set){.table = table,
                                       .n_params = TN_ARRAY_SIZE(table),
                                       .config = &f->config,
                                       .config_size = sizeof f->config,
                                       .check = check};
    if (yaml == NULL)
        return;
    (void)snprintf(f->path, sizeof f->path, "/tmp/tn_params_XXXXXX");
    int fd = mkstemp(f->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, yaml, strlen(yaml)), (ssize_t)strlen(yaml));
    assert_int_equal(close(fd), 0);
    f->args.params_files[f->args.n_params_files++] = f->path;
}

static void add(struct fixture *f, const char *node, const char *name, const char *value)
{
    struct tn_ros_rule *rule = &f->args.params[f->args.n_params++];
    (void)snprintf(rule->node, sizeof rule->node, "%s", node);
    rule->from = name;
    rule->to = value;
}

static enum tn_result load(struct fixture *f)
{
    enum tn_result result = tn_ros_params_load(&f->set, &f->args, "/left", "glove", &f->err);
    if (f->path[0] != '\0')
        (void)unlink(f->path);
    return result;
}

static void near(double a, double b)
{
    assert_true(a > b - 1e-12 && a < b + 1e-12);
}

static void defaults(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, NULL);
    assert_int_equal(load(&f), TN_OK);
    assert_false(f.config.on);
    assert_int_equal(f.config.count, 3);
    near(f.config.rate, 120.0);
    assert_string_equal(f.config.mode, "hold");
    assert_int_equal(f.config.gains.size, 2);
    near(f.config.gains.data[1], 2.0);
    assert_int_equal(f.config.ids.size, 0);
    assert_int_equal(f.config.names.size, 2);
    assert_string_equal(f.config.names.data[1], "1");
}

static void later_sources_win(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f,
          "/**:\n  ros__parameters:\n    rate: 50\n    count: 4\n    unknown_here: 1\n"
          "    limits: {speed: 2.5}\n    use_sim_time: true\n"
          "    qos_overrides:\n      /tf: {publisher: {depth: 3}}\n"
          "/left/glove:\n  ros__parameters:\n    rate: 60.5\n    names: [x, 'y']\n    ids: [7]\n"
          "left:\n  glove:\n    ros__parameters:\n      mode: open\n"
          "/right/glove:\n  ros__parameters:\n    nonsense: 1\n    rate: 70.0\n"
          "empty_node:\n");
    add(&f, "", "count", "5");
    add(&f, "other", "count", "6");
    add(&f, "glove", "gains", "[0.5, 1, -2]");
    assert_int_equal(load(&f), TN_OK);
    near(f.config.rate, 60.5);
    assert_int_equal(f.config.count, 5);
    near(f.config.nested, 2.5);
    assert_string_equal(f.config.mode, "open");
    assert_int_equal(f.config.names.size, 2);
    assert_string_equal(f.config.names.data[0], "x");
    assert_int_equal(f.config.ids.data[0], 7);
    assert_int_equal(f.config.gains.size, 3);
    near(f.config.gains.data[1], 1.0);
}

/// Which of many sections count for /left/glove, and that what YAML gives for free is taken.
static void patterns_and_forms_of_yaml(void **state)
{
    (void)state;
    static const struct {
        const char *yaml;
        double rate;
    } cases[] = {
        {"/**: {ros__parameters: {rate: 10}}", 10},
        {"'**': {ros__parameters: {rate: 10}}", 10},
        {"/*: {ros__parameters: {rate: 10}}", 120},
        {"/*/*: {ros__parameters: {rate: 10}}", 10},
        {"/*/*/*: {ros__parameters: {rate: 10}}", 120},
        {"/**/glove: {ros__parameters: {rate: 10}}", 10},
        {"/left/**: {ros__parameters: {rate: 10}}", 10},
        {"/left/glove/**: {ros__parameters: {rate: 10}}", 10},
        {"/left/*: {ros__parameters: {rate: 10}}", 10},
        {"/*/glove: {ros__parameters: {rate: 10}}", 10},
        {"'*': {glove: {ros__parameters: {rate: 10}}}", 10},
        {"left: {'*': {ros__parameters: {rate: 10}}}", 10},
        {"/right/**: {ros__parameters: {rate: 10}}", 120},
        {"glove: {ros__parameters: {rate: 10}}", 120},
        {"left/glove: {ros__parameters: {rate: 10}}", 10},
        // an anchor alone is nothing; tags, block scalars and hexadecimal are
        {"/**: {ros__parameters: {rate: &x 10}}", 10},
        {"/**:\n  ros__parameters:\n    rate: 0x10\n", 16},
        {"/**:\n  ros__parameters:\n    rate: 010\n", 8},
        {"%YAML 1.1\n---\n/**:\n  ros__parameters: {rate: 1e1}\n...\n", 10},
        {"# nothing\n", 120},
        {"", 120},
        {"/**:\n  ros__parameters: {rate: 10}\n/**:\n  ros__parameters: {rate: 11}\n", 11},
        // the last one wins, however exact an earlier one was
        {"/left/glove: {ros__parameters: {rate: 10}}\n/**: {ros__parameters: {rate: 12}}\n", 12},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct fixture f;
        setup(&f, cases[i].yaml);
        if (load(&f) != TN_OK)
            fail_msg("case %zu: %s", i, f.err.text);
        if (f.config.rate < cases[i].rate || f.config.rate > cases[i].rate)
            fail_msg("case %zu: rate %g", i, f.config.rate);
    }
}

static void builtin_use_sim_time(void **state)
{
    (void)state;
    struct fixture f;
    struct tn_ros__builtin_params builtin = {0};
    setup(&f, NULL);
    add(&f, "", "use_sim_time", "true");
    assert_int_equal(tn_ros__params_load(&f.set, &f.args, "/", "n", &builtin, &f.err), TN_OK);
    assert_true(builtin.use_sim_time);
    setup(&f, NULL);
    add(&f, "", "use_sim_time", "3");
    assert_int_equal(load(&f), TN_ERR_INVALID_ARGUMENT);
}

#define NODE(text) "/left/glove:\n  ros__parameters:\n" text

static void every_error_names_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *yaml;
        enum tn_result result;
        int line, column;
        const char *text;
    } cases[] = {
        {NODE("    raet: 1\n"), TN_ERR_NOT_FOUND, 3, 11, "\"rate\""},
        {NODE("    rate: fast\n"), TN_ERR_INVALID_ARGUMENT, 3, 11, "found string fast"},
        {NODE("    rate: true\n"), TN_ERR_INVALID_ARGUMENT, 3, 11, "found bool"},
        {NODE("    rate: [1]\n"), TN_ERR_INVALID_ARGUMENT, 3, 11, "found a list"},
        {NODE("    rate: 0.1\n"), TN_ERR_RANGE, 3, 11, "0.5 to 1000"},
        {NODE("    rate: .nan\n"), TN_ERR_RANGE, 3, 11, "0.5 to 1000"},
        {NODE("    count: 2.0\n"), TN_ERR_INVALID_ARGUMENT, 3, 12, "expected integer"},
        {NODE("    count: 11\n"), TN_ERR_RANGE, 3, 12, "1 to 10"},
        {NODE("    on: 1\n"), TN_ERR_INVALID_ARGUMENT, 3, 9, "expected bool"},
        {NODE("    on: \"true\"\n"), TN_ERR_INVALID_ARGUMENT, 3, 9, "found string"},
        {NODE("    mode: 5\n"), TN_ERR_INVALID_ARGUMENT, 3, 11, "in quotes"},
        {NODE("    mode: shut\n"), TN_ERR_RANGE, 3, 11, "hold|open|limp"},
        {NODE("    mode: hold_on_\n"), TN_ERR_RANGE, 3, 11, "at most 7"},
        {NODE("    gains: [1, 2, 3, 4, 5]\n"), TN_ERR_RANGE, 3, 12, "at most 4"},
        {NODE("    gains: [1, x]\n"), TN_ERR_INVALID_ARGUMENT, 3, 12, "found string x"},
        {NODE("    gains: 1.0\n"), TN_ERR_INVALID_ARGUMENT, 3, 12, "list of doubles"},
        {NODE("    gains: [[1]]\n"), TN_ERR_SYNTAX, 3, 13, "list"},
        {NODE("    gains: [1\n"), TN_ERR_SYNTAX, 4, 1, ""},
        {NODE("    a: &x 1\n    b: *x\n"), TN_ERR_NOT_FOUND, 3, 8, "unknown"},
        {NODE("    limits: {spede: 1}\n"), TN_ERR_NOT_FOUND, 3, 21, "limits.speed"},
        {"/**:\n  rate: 1\n", TN_ERR_SYNTAX, 2, 9, "ros__parameters"},
        {"ros__parameters:\n  rate: 1\n", TN_ERR_SYNTAX, 2, 3, "below a node name"},
        {"- a\n", TN_ERR_SYNTAX, 1, 1, "node name"},
        {"5\n", TN_ERR_SYNTAX, 1, 1, "node name"},
        {"a: b: c\n", TN_ERR_SYNTAX, 1, 4, "expected node name"},
        {"\ta: 1\n", TN_ERR_SYNTAX, 1, 1, ""},
        {"/**:\n  ros__parameters:\n    x: *y\n", TN_ERR_SYNTAX, 3, 8, "aliases"},
        {"/**:\n  ros__parameters: &x {a: 1}\n/left/glove:\n  ros__parameters: *x\n", TN_ERR_SYNTAX,
         4, 20, "aliases"},
        {"a b:\n  ros__parameters: {}\n", TN_ERR_SYNTAX, 2, 20, "no node name"},
        {"a//b:\n  ros__parameters: {}\n", TN_ERR_SYNTAX, 2, 20, "no node name"},
        {"/:\n  ros__parameters: {}\n", TN_ERR_SYNTAX, 2, 20, "no node name"},
        {"/1a:\n  ros__parameters: {}\n", TN_ERR_SYNTAX, 2, 20, "no node name"},
        {"/***:\n  ros__parameters: {}\n", TN_ERR_SYNTAX, 2, 20, "no node name"},
        {"/a*:\n  ros__parameters: {}\n", TN_ERR_SYNTAX, 2, 20, "no node name"},
        {"? [a]\n: b\n", TN_ERR_SYNTAX, 1, 3, "key must be a text"},
        {NODE("    use_sim_time: 1\n"), TN_ERR_INVALID_ARGUMENT, 3, 19, "expected bool"},
        {NODE("    qos_overrides: {/tf: {publisher: {depth: -1}}}\n"), TN_ERR_RANGE, 3, 46,
         "qos_overrides./tf.publisher.depth"},
        {NODE("    qos_overrides: {/tf: {publisher: {dept: 1}}}\n"), TN_ERR_NOT_FOUND, 3, 45,
         "history|depth"},
        {"/**:\n  ros__parameters: {qos_overrides: {/tf: {publisher: {history: x}}}}\n",
         TN_ERR_RANGE, 2, 64, "keep_last|keep_all"},
        {NODE("    rate: 1_000\n"), TN_ERR_INVALID_ARGUMENT, 3, 11, "found string"},
        {NODE("    rate: .inf\n"), TN_ERR_RANGE, 3, 11, "0.5 to 1000"},
        {NODE("    limits: {speed: .inf}\n"), TN_ERR_NOT_FINITE, 3, 21, "finite"},
        {NODE("    limits: {speed: .nan}\n"), TN_ERR_NOT_FINITE, 3, 21, "finite"},
        {NODE("    mode: !!str 5\n"), TN_ERR_RANGE, 3, 11, "hold|open|limp"},
        {NODE("    rate:\n"), TN_ERR_INVALID_ARGUMENT, 3, 10, "found nothing"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct fixture f;
        struct config before;
        setup(&f, cases[i].yaml);
        memset(&f.config, 0x5a, sizeof f.config);
        memcpy(&before, &f.config, sizeof before);
        enum tn_result result = load(&f);
        if (result != cases[i].result || f.err.line != cases[i].line ||
            (f.err.column != cases[i].column) || strstr(f.err.text, cases[i].text) == NULL)
            fail_msg("case %zu: %s %d:%d %s", i, tn_result_name(result), f.err.line, f.err.column,
                     f.err.text);
        assert_string_equal(f.err.file, f.path);
        // a failed load changes nothing
        assert_memory_equal(&f.config, &before, sizeof before);
    }
}

static void command_line_errors(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        enum tn_result result;
    } cases[] = {
        {"rat", "1", TN_ERR_NOT_FOUND},
        {"rate", "", TN_ERR_SYNTAX},
        {"rate", "{a: 1}", TN_ERR_SYNTAX},
        {"rate", "[", TN_ERR_SYNTAX},
        {"rate", "1 2", TN_ERR_INVALID_ARGUMENT},
        {"on", "true", TN_OK},
        {"mode", "'open'", TN_OK},
        {"rate", "1e400", TN_ERR_INVALID_ARGUMENT},
        {"count", "9223372036854775808", TN_ERR_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct fixture f;
        setup(&f, NULL);
        add(&f, "", cases[i].name, cases[i].value);
        enum tn_result result = load(&f);
        if (result != cases[i].result)
            fail_msg("case %zu: %s %s", i, tn_result_name(result), f.err.text);
        if (result != TN_OK)
            assert_non_null(strstr(f.err.text, cases[i].name));
    }
    struct fixture f;
    setup(&f, NULL);
    f.args.params_files[f.args.n_params_files++] = "/nowhere/x.yaml";
    assert_int_equal(load(&f), TN_ERR_NOT_FOUND);
    assert_string_equal(f.err.file, "/nowhere/x.yaml");
}

static void deep_and_long_files_are_refused(void **state)
{
    (void)state;
    char yaml[16384] = "/**: {ros__parameters: ";
    struct fixture f;
    for (int i = 0; i < 40; i++)
        (void)snprintf(yaml + strlen(yaml), sizeof yaml - strlen(yaml), "{a: ");
    setup(&f, yaml);
    assert_int_equal(load(&f), TN_ERR_LIMIT);
    (void)snprintf(yaml, sizeof yaml, "/left/glove: {ros__parameters: {names: [");
    for (int i = 0; i < 300; i++)
        (void)snprintf(yaml + strlen(yaml), sizeof yaml - strlen(yaml), "a,");
    (void)snprintf(yaml + strlen(yaml), sizeof yaml - strlen(yaml), "]}}");
    setup(&f, yaml);
    assert_int_equal(load(&f), TN_ERR_RANGE);
    assert_non_null(strstr(f.err.text, "300 elements"));
}

static void running_node_is_set_atomically(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, NULL);
    assert_int_equal(load(&f), TN_OK);
    assert_int_equal(tn_ros_params_set_yaml(&f.set, "rate", "20", &f.err), TN_OK);
    near(f.config.rate, 20.0);
    assert_int_equal(tn_ros_params_set_yaml(&f.set, "on", "true", &f.err), TN_OK);
    // check sees the whole candidate
    assert_int_equal(tn_ros_params_set_yaml(&f.set, "rate", "5", &f.err), TN_ERR_INVALID_ARGUMENT);
    near(f.config.rate, 20.0);
    assert_int_equal(tn_ros_params_set_yaml(&f.set, "count", "5", &f.err), TN_ERR_PERMISSION);
    assert_int_equal(tn_ros_params_set_yaml(&f.set, "coun", "5", &f.err), TN_ERR_NOT_FOUND);
    assert_int_equal(f.config.count, 3);
}

static void check_refuses_combinations_at_load(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, NULL);
    add(&f, "", "on", "true");
    add(&f, "", "rate", "5");
    assert_int_equal(load(&f), TN_ERR_INVALID_ARGUMENT);
    assert_string_equal(f.err.text, "on needs a rate of 10 Hz");
    near(f.config.rate, 0.0);
}

static void help_lists_every_parameter(void **state)
{
    (void)state;
    struct fixture f;
    char text[8192] = "";
    int fds[2];
    setup(&f, NULL);
    assert_int_equal(pipe(fds), 0);
    tn_ros_params_print(&f.set, fds[1]);
    assert_int_equal(close(fds[1]), 0);
    size_t size = 0;
    for (ssize_t n; (n = read(fds[0], text + size, sizeof text - 1 - size)) > 0;)
        size += (size_t)n;
    assert_int_equal(close(fds[0]), 0);
    for (size_t i = 0; i < TN_ARRAY_SIZE(table); i++) {
        assert_non_null(strstr(text, table[i].name));
        assert_non_null(strstr(text, table[i].text));
        assert_non_null(strstr(text, table[i].default_yaml));
    }
    assert_non_null(strstr(text, "0.5 to 1000"));
    assert_non_null(strstr(text, "hold|open|limp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(later_sources_win),
        cmocka_unit_test(patterns_and_forms_of_yaml),
        cmocka_unit_test(builtin_use_sim_time),
        cmocka_unit_test(every_error_names_its_place),
        cmocka_unit_test(command_line_errors),
        cmocka_unit_test(deep_and_long_files_are_refused),
        cmocka_unit_test(running_node_is_set_atomically),
        cmocka_unit_test(check_refuses_combinations_at_load),
        cmocka_unit_test(help_lists_every_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
