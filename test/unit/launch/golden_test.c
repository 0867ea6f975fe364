// SPDX-License-Identifier: Apache-2.0
// launch files against their plans and arguments in golden/, and the manual against the table.
// "write" as first argument keeps what there is; "table" prints the manual's table.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/launch/launch_rig.h"

static bool is_writing; // golden files are written

static const char *source_dir(void)
{
    const char *dir = getenv("TN_SOURCE_DIR");
    return dir != NULL ? dir : ".";
}

static char *read_all(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "rb"), *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int c = file != NULL ? fgetc(file) : EOF; c != EOF; c = fgetc(file))
        (void)fputc(c, out);
    if (file != NULL)
        (void)fclose(file);
    assert_int_equal(fclose(out), 0);
    return text;
}

/// Compares a text with golden/<name>, or writes it there. Frees the text.
static void compare(const char *name, char *text)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/test/unit/launch/golden/%s", source_dir(), name);
    if (is_writing) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        (void)fputs(text, file);
        assert_int_equal(fclose(file), 0);
    }
    char *expected = read_all(path);
    if (strcmp(expected, text) != 0)
        fail_msg("%s is not as it was; now it is\n%s", path, text);
    free(expected);
    free(text);
}

static void plans(void **state)
{
    struct launch_rig *rig = *state;
    static const struct {
        const char *file, *golden;
        struct tn_launch_argument arguments[2];
        uint32_t n;
    } cases[] = {
        {"everything", "everything.plan.golden", {{"name", "robot"}}, 1},
        {"everything", "everything_right.plan.golden", {{"name", "robot"}, {"side", "right"}}, 2},
        {"inner", "inner.plan.golden", {{"depth", "2"}, {"extra", "x"}}, 2},
        {"bare", "bare.plan.golden", {{"typo", "1"}}, 1},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char path[512], place[512];
        (void)snprintf(path, sizeof path, "%s/test/unit/launch/golden/%s.launch.xml", source_dir(),
                       cases[i].file);
        memcpy(rig->arguments, cases[i].arguments, sizeof cases[i].arguments);
        rig->n_arguments = cases[i].n;
        if (launch_rig_load(rig, path) != TN_OK)
            fail_msg("%s", tn_error_format(&rig->err, place, sizeof place));
        compare(cases[i].golden, launch_rig_print(rig));
        // the same again
        char *once = launch_rig_print(rig);
        assert_int_equal(launch_rig_load(rig, path), TN_OK);
        char *again = launch_rig_print(rig);
        assert_string_equal(once, again);
        free(once);
        free(again);
    }
    rig->n_arguments = 0;
}

static void arguments(void **state)
{
    struct launch_rig *rig = *state;
    static const char *const files[] = {"everything", "inner", "bare"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(files); i++) {
        char path[512], name[64];
        char *text = NULL;
        size_t size = 0;
        struct tn_error err = {0};
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        (void)snprintf(path, sizeof path, "%s/test/unit/launch/golden/%s.launch.xml", source_dir(),
                       files[i]);
        assert_int_equal(tn_launch_show_args(path, &rig->world, out, &err), TN_OK);
        assert_int_equal(fclose(out), 0);
        (void)snprintf(name, sizeof name, "%s.args.golden", files[i]);
        compare(name, launch_rig_hide_paths(rig, text));
    }
}

// includes whose path needs no arguments are followed; a circle ends
static void arguments_of_includes(void **state)
{
    struct launch_rig *rig = *state;
    char text[512];
    (void)snprintf(text, sizeof text,
                   "<launch><arg name=\"a\"/><include file=\"%s/b.launch.xml\"/><include "
                   "file=\"$(var a)\"/><include if=\"1\" file=\"%s/c.launch.xml\"/><arg name=\"z\" "
                   "default=\"$(var b)\"/></launch>",
                   rig->folder, rig->folder);
    launch_rig_write(rig, "a.launch.xml", text);
    (void)snprintf(text, sizeof text,
                   "<launch><arg name=\"a\" default=\"2\"/><arg name=\"b\" default=\"\"/><include "
                   "file=\"%s/a.launch.xml\"/></launch>",
                   rig->folder);
    launch_rig_write(rig, "b.launch.xml", text);
    launch_rig_write(rig, "c.launch.xml",
                     "<launch><arg name=\"c\"/><reset/><arg name=\"d\"/></launch>");
    char *out = NULL;
    size_t size = 0;
    struct tn_error err = {0};
    FILE *stream = open_memstream(&out, &size);
    assert_non_null(stream);
    assert_int_equal(tn_launch_show_args("a.launch.xml", &rig->world, stream, &err), TN_OK);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(out, "Arguments (pass arguments as '<name>:=<value>'):\n"
                             "\n    'a':\n        no description given\n"
                             "\n    'b':\n        no description given\n        (default: '')\n"
                             "\n    'c':*\n        no description given\n"
                             "\n    'z':\n        no description given\n"
                             "        (default: LaunchConfig('b'))\n"
                             "\n* argument(s) which are only used if specific conditions occur\n");
    free(out);
    stream = open_memstream(&out, &size);
    assert_non_null(stream);
    assert_int_equal(tn_launch_show_args("none.launch.xml", &rig->world, stream, &err),
                     TN_ERR_NOT_FOUND);
    assert_int_equal(fclose(stream), 0);
    free(out);
}

/// One row of the manual: an element with its attributes, or a substitution.
static void write_row(FILE *out, const struct tn_launch_item *item)
{
    static const char *const values[] = {"", "", "text", "boolean", "number", "integer"};
    if (item->attribute == NULL && item->support == TN_LAUNCH_REJECTED)
        (void)fprintf(out, "| `%s` | refused: %s |\n", item->element, item->note);
    else if (item->attribute == NULL)
        (void)fprintf(out, "| `%s` | %s |\n", item->element, item->note);
    else
        (void)fprintf(out, "| &emsp;`%s`%s | %s%s%s |\n", item->attribute,
                      item->is_required ? ", needed" : "", values[item->value],
                      values[item->value][0] != '\0' ? ": " : "", item->note);
}

static char *manual_table(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    const struct tn_launch_item *item = NULL;
    bool has_substitutions = false;
    (void)fputs("| element, attribute | |\n| --- | --- |\n", out);
    for (uint32_t i = 0; (item = tn_launch_table_at(i)) != NULL; i++) {
        if (item->element[0] == '$' && !has_substitutions)
            (void)fputs("\n| substitution | |\n| --- | --- |\n", out);
        has_substitutions = item->element[0] == '$';
        bool is_condition = item->attribute != NULL && (strcmp(item->attribute, "if") == 0 ||
                                                        strcmp(item->attribute, "unless") == 0);
        // what every action has is told once
        if (!is_condition)
            write_row(out, item);
    }
    assert_int_equal(fclose(out), 0);
    return text;
}

static void manual(void **state)
{
    (void)state;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/docs/ros/launch.md", source_dir());
    char *text = read_all(path), *table = manual_table();
    if (strstr(text, table) == NULL)
        fail_msg("%s does not have the table that `test.unit.launch.plans table` prints", path);
    free(text);
    free(table);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans),
        cmocka_unit_test(arguments),
        cmocka_unit_test(arguments_of_includes),
        cmocka_unit_test(manual),
    };
    is_writing = argc > 1 && strcmp(argv[1], "write") == 0;
    if (argc > 1 && strcmp(argv[1], "table") == 0) {
        char *table = manual_table();
        (void)fputs(table, stdout);
        free(table);
        return 0;
    }
    return cmocka_run_group_tests(tests, launch_rig_set_up, launch_rig_tear_down);
}
