// SPDX-License-Identifier: Apache-2.0
// substitutions, scopes and values, seen through the messages and arguments of plans
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/launch/launch_rig.h"

static char *duplicate(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    memcpy(copy, text, strlen(text) + 1);
    return copy;
}

struct case_of {
    const char *body;
    const char *expected;
};

/// All messages, separated by |.
static void join_messages(const struct tn_launch_plan *plan, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < plan->n_messages && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", i > 0 ? "|" : "", plan->messages[i].text);
}

static void check_messages(struct launch_rig *rig, const struct case_of *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char out[4096];
        char place[512];
        if (launch_rig_load_body(rig, cases[i].body) != TN_OK)
            fail_msg("%s\n%s", cases[i].body, tn_error_format(&rig->err, place, sizeof place));
        join_messages(rig->plan, out, sizeof out);
        char *hidden = launch_rig_hide_paths(rig, duplicate(out));
        if (strcmp(hidden, cases[i].expected) != 0)
            fail_msg("%s\ngot      %s\nexpected %s", cases[i].body, hidden, cases[i].expected);
        free(hidden);
    }
}

#define LOG(text) "<log message=\"" text "\"/>"

static void grammar(void **state)
{
    static const struct case_of cases[] = {
        {LOG("plain 'text' $ $5 (x) \\\\ \\$(var x)"), "plain 'text' $ $5 (x) \\ $(var x)"},
        {LOG(""), ""},
        {LOG("a\\"), "a\\"},
        {LOG("\\a\\'"), "a'"},
        {LOG("$(var a 1)"), "1"},
        {LOG("$(var a '1 2')"), "1 2"},
        {LOG("$(var a &quot;1 '2'&quot;)"), "1 '2'"},
        {LOG("$(var a '1 &quot;2&quot;')"), "1 \"2\""},
        {LOG("$(var a '')"), ""},
        {LOG("$(var a '(')"), "("},
        {LOG("$(var a \\))"), ")"},
        {LOG("$(var a 'it\\'s')"), "it's"},
        {LOG("$(var a x\\'y)"), "x'y"},
        {LOG("$(var a $)"), "$"},
        {LOG("$(var a $b)"), "$b"},
        {LOG("$(var a '\\\\$(var b)')"), "\\$(var b)"},
        {LOG("$(var a \\\\))"), "\\)"},
        {LOG("$(var a \\$\\(x\\))"), "$(x)"},
        {LOG("$(var $(var b a) x)"), "x"},
        {LOG("[$(var a 1)$(var b 2)]"), "[12]"},
        {LOG("$(var a '$(var b 1) $(var c 2)')"), "1 2"},
        {LOG("$(var a 'x$(var b &quot;y&quot;)')"), "x\"y\""},
        {LOG("$(var a-$(var b c) z)"), "z"},
        {LOG("$(eval '1 + 2')$(eval 'pi &gt; 3' math)"), "3True"},
        {LOG("$(eval '\\'$(var a left)\\' == \\'left\\'')"), "True"},
        {LOG("$(eval &quot;'$(var a left)' == 'left'&quot;)"), "True"},
    };
    check_messages(*state, cases, TN_ARRAY_SIZE(cases));
}

static void functions(void **state)
{
    static const struct case_of cases[] = {
        {LOG("$(env HOME)|$(env NONE other)|$(env EMPTY x)|"), "/home/user|other||"},
        {LOG("$(find-pkg-share p)|$(find-pkg-prefix p)"), "/opt/test/share/p|/opt/test"},
        {LOG("$(exec-in-pkg prog p)|$(find-exec prog)"), "/opt/test/lib/p/prog|/usr/bin/prog"},
        {LOG("$(dirname)|$(filename)"), "$DIR|$DIR/body.launch.xml"},
        {LOG("$(log_dir)|$(launch_log_dir)"), "/logs|/logs"},
        {LOG("$(not true)$(and 1 yes)$(or false 0)$(or on off)"), "falsetruefalsetrue"},
        {LOG("$(equals a a)$(equals 1 true)$(equals 1.0 1)$(equals a b)$(equals '' '')"),
         "truetruetruefalsetrue"},
        {LOG("$(not-equals a a)$(equals 0.1 0.10000000001)$(equals inf inf)$(equals nan nan)"),
         "falsetruetruefalse"},
        {LOG("$(if true a b)$(if 0 a b)[$(if false a)]"), "ab[]"},
        {LOG("$(anon x)|$(anon x)|$(anon y.z)"), "x_host_7_1|x_host_7_1|y_z_host_7_2"},
        {LOG("$(command 'say \\'a b\\'')"), "a b"},
        {LOG("$(command 'warn x' ignore)$(command 'warn x' capture)"), "xxoh"},
        {LOG("$(command 'warn x' warn)"), "the command \"warn x\" says oh|x"},
        {"<set_parameter name=\"p\" value=\"true\"/><set_parameter name=\"p\" value=\"2\"/>" LOG(
             "$(param p)|$(param q 5)"),
         "True|5"},
        // neither defaults nor branches that are not taken are looked at
        {LOG("$(if true a '$(command fail)')$(if false '$(var none)' b)"), "ab"},
        {"<let name=\"a\" value=\"1\"/>" LOG("$(var a '$(var none)')"), "1"},
    };
    check_messages(*state, cases, TN_ARRAY_SIZE(cases));
}

static void commands_see_the_environment_of_their_scope(void **state)
{
    struct launch_rig *rig = *state;
    rig->n_commands = 0;
    assert_int_equal(launch_rig_load_body(rig, "<set_env name=\"A\" value=\"1\"/>"
                                               "<set_env name=\"A\" value=\"2\"/>"
                                               "<unset_env name=\"PATH\"/>"
                                               "<set_env name=\"HOME\" value=\"/h\"/>"
                                               "<group if=\"false\">" LOG(
                                                   "$(command 'say never')") "</group>" LOG("$(com"
                                                                                            "mand "
                                                                                            "'say "
                                                                                            "x')")),
                     TN_OK);
    assert_int_equal(rig->n_commands, 1);
    assert_string_equal(rig->command, "say|x");
    assert_string_equal(rig->environment, "EMPTY=|HOME=/h|A=2");
}

static void files_are_read_as_text(void **state)
{
    struct launch_rig *rig = *state;
    launch_rig_write(rig, "some.txt", "a\n$(var b)");
    const struct case_of cases[] = {
        {LOG("$(file-content some.txt)"), "a\n$(var b)"},
        {LOG("$(file-content $(dirname)/./x/../some.txt)"), "a\n$(var b)"},
    };
    check_messages(rig, cases, TN_ARRAY_SIZE(cases));
}

static void conditions(void **state)
{
    static const struct case_of cases[] = {
        {"<log message=\"a\" if=\"true\"/><log message=\"b\" if=\" FALSE \"/>", "a"},
        {"<log message=\"a\" unless=\"0\"/><log message=\"b\" unless=\"1\"/>", "a"},
        {"<log message=\"$(var none)\" if=\"False\"/>", ""},
        {"<let name=\"a\" value=\"1\" if=\"$(eval '1 &gt; 2')\"/>" LOG("$(var a 0)"), "0"},
        {"<group unless=\"true\"><include file=\"nowhere\"/></group>", ""},
    };
    check_messages(*state, cases, TN_ARRAY_SIZE(cases));
}

static void scopes(void **state)
{
    static const struct case_of cases[] = {
        {"<let name=\"a\" value=\"1\"/><group><let name=\"a\" value=\"2\"/>" LOG(
             "$(var a)") "</group>" LOG("$(var a)"),
         "2|1"},
        {"<group scoped=\"false\"><let name=\"a\" value=\"2\"/></group>" LOG("$(var a)"), "2"},
        {"<let name=\"a\" value=\"1\"/><let name=\"b\" value=\"2\"/>"
         "<group forwarding=\"false\"><keep name=\"a\" value=\"$(var a)$(var b)\"/>" LOG(
             "$(var a)$(var b none)") "</group>" LOG("$(var a)$(var b)"),
         "12none|12"},
        {"<group><keep name=\"x\" value=\"1\"/>" LOG("$(var x)") "</group>" LOG("$(var x no)"),
         "1|no"},
        {"<group><set_env name=\"E\" value=\"1\"/>" LOG("$(env E)") "</group>" LOG("$(env E no)"),
         "1|no"},
        {"<unset_env name=\"HOME\"/>" LOG("$(env HOME no)") "<reset_env/>" LOG("$(env HOME)"),
         "no|/home/user"},
        {"<append_env name=\"PATH\" value=\"/a\"/><append_env name=\"PATH\" value=\"/b\" "
         "prepend=\"true\"/><append_env name=\"N\" value=\"/c\"/><append_env name=\"N\" "
         "value=\"d\" separator=\"; \"/>" LOG("$(env PATH) $(env N)"),
         "/b:/usr/bin:/a /c; d"},
        {"<let name=\"a\" value=\"1\"/><let name=\"b\" value=\"2\"/><reset><keep name=\"b\" "
         "value=\"3\"/></reset>" LOG("$(var a no)$(var b)"),
         "no3"},
        {"<let name=\"$(var n 'x')y\" value=\"1\"/>" LOG("$(var xy)"), "1"},
        {"<push-ros-namespace namespace=\"a\"/><group><push_ros_namespace namespace=\"b/\"/>" LOG(
             "$(var ros_namespace)") "</group>" LOG("$(var ros_namespace)"),
         "/a/b|/a"},
    };
    check_messages(*state, cases, TN_ARRAY_SIZE(cases));
}

static void arguments(void **state)
{
    struct launch_rig *rig = *state;
    rig->arguments[0] = (struct tn_launch_argument){"a", "1"};
    rig->arguments[1] = (struct tn_launch_argument){"b", "$(var a)"};
    rig->arguments[2] = (struct tn_launch_argument){"a", "2"};
    rig->n_arguments = 3;
    static const struct case_of cases[] = {
        {"<arg name=\"a\"/><arg name=\"b\" default=\"x\"/><arg name=\"c\" default=\"$(var "
         "b)!\"/>" LOG("$(var a) $(var b) $(var c)"),
         "2 $(var a) $(var a)!"},
        {"<arg name=\"a\" if=\"false\"/><arg name=\"b\" default=\"\"><choice value=\"c\"/><choice "
         "value=\"$(var a)\"/></arg>",
         ""},
        {LOG("$(var a)"), "2|no launch file has the argument b: see --show-args"},
        {"<arg name=\"a\" default=\"0\"/><arg name=\"b\" default=\"0\"/><let name=\"a\" "
         "value=\"7\"/>" LOG("$(var a)"),
         "7"},
    };
    check_messages(rig, cases, TN_ARRAY_SIZE(cases));
    rig->n_arguments = 0;
}

static void includes(void **state)
{
    struct launch_rig *rig = *state;
    launch_rig_write(
        rig, "inner.launch.xml",
        "<launch><arg name=\"x\" default=\"1\"/><let name=\"y\" value=\"2\"/>"
        "<set_env name=\"I\" value=\"3\"/>" LOG("in $(var x) $(var o no)") "</launch>");
    launch_rig_write(rig, "needs.launch.xml",
                     "<launch><arg name=\"x\"/>" LOG("$(var x)") "</launch>");
    launch_rig_write(rig, "later.launch.xml",
                     "<launch><arg name=\"x\" if=\"false\"/><group if=\"false\"><arg "
                     "name=\"z\"/></group></launch>");
    const struct case_of cases[] = {
        // what an included file sets stays set
        {"<let name=\"o\" value=\"5\"/><include file=\"inner.launch.xml\"/>" LOG(
             "$(var x)$(var y)$(env I)"),
         "in 1 5|123"},
        {"<group><include file=\"$(dirname)/inner.launch.xml\"><arg name=\"x\" value=\"9\"/>"
         "<arg name=\"o\" value=\"$(var x)\"/></include></group>" LOG("$(var x no)"),
         "in 9 9|no"},
        {"<include file=\"needs.launch.xml\"><arg name=\"x\" value=\"9\"/></include>", "9"},
        {"<include file=\"later.launch.xml\"/>" LOG("$(filename)"), "$DIR/body.launch.xml"},
    };
    check_messages(rig, cases, TN_ARRAY_SIZE(cases));
    // being set is not being given
    assert_int_equal(launch_rig_load_body(rig, "<let name=\"x\" value=\"1\"/>\n<include "
                                               "file=\"needs.launch.xml\"/>"),
                     TN_ERR_NOT_FOUND);
    assert_int_equal(rig->err.line, 3);
    assert_non_null(strstr(rig->err.text, "requires the argument x"));
}

static void check_params(struct launch_rig *rig, const struct case_of *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char body[1024], expected[1024], place[512];
        (void)snprintf(
            body, sizeof body,
            "<let name=\"f\" value=\"2.5\"/><let name=\"i\" value=\"7\"/><let name=\"t\" "
            "value=\"some text\"/><let name=\"e\" value=\"\"/><let name=\"l\" value=\"[1, "
            "2]\"/><node exec=\"p\"><param name=\"p\" %s/></node>",
            cases[i].body);
        (void)snprintf(expected, sizeof expected, "/**:\n  ros__parameters:\n    p:%s%s\n",
                       cases[i].expected[0] == '\n' ? "" : " ", cases[i].expected);
        if (launch_rig_load_body(rig, body) != TN_OK)
            fail_msg("%s: %s", cases[i].body, tn_error_format(&rig->err, place, sizeof place));
        assert_int_equal(rig->plan->processes[0].n_files, 1);
        const char *text = rig->plan->processes[0].files[0].text;
        if (strcmp(text, expected) != 0)
            fail_msg("%s\ngot      %s\nexpected %s", cases[i].body, text, expected);
    }
}

/// What PyYAML and launch make of values.
static void values_of_parameters(void **state)
{
    static const struct case_of cases[] = {
        {"value=\"1\"", "1"},
        {"value=\"-0x10\"", "-16"},
        {"value=\"010\"", "8"},
        {"value=\"0b11\"", "3"},
        {"value=\"1_000\"", "1000"},
        {"value=\"1:30\"", "90"},
        {"value=\"08\"", "08"},
        {"value=\"1.0\"", "1.0"},
        {"value=\"1.\"", "1.0"},
        {"value=\".5\"", "0.5"},
        {"value=\"1.5e+3\"", "1500.0"},
        {"value=\"1.0e+300\"", "1.0e+300"},
        {"value=\"-.inf\"", "-.inf"},
        // strings to YAML 1.1, which ROS reads as numbers, as with launch_ros
        {"value=\"1e3\"", "1e3"},
        {"value=\"-.5\"", "-.5"},
        {"value=\"2001-01-02 11:30\"", "2001-01-02 11:30"},
        {"value=\"1.5e3\"", "1.5e3"},
        {"value=\"y\"", "y"},
        {"value=\"yes\"", "true"},
        {"value=\"Off\"", "false"},
        {"value=\"text\"", "text"},
        {"value=\"two words\"", "two words"},
        {"value=\"'1'\"", "'1'"},
        {"value=\"&quot;a\\nb&quot;\"", "'a\n\n      b'"},
        {"value=\"\"", "''"},
        {"value=\"/a/b.yaml\"", "/a/b.yaml"},
        {"value=\"[1, 2]\"", "\n    - 1\n    - 2"},
        {"value=\"[a, '1']\"", "\n    - a\n    - '1'"},
        {"value=\"[]\"", "[]"},
        {"value=\"[1.0, $(var f)]\"", "\n    - 1.0\n    - 2.5"},
        {"value=\"$(var i)\"", "7"},
        {"value=\"$(var i).0\"", "7.0"},
        {"value=\"$(var t)\"", "some text"},
        {"value=\"$(var e)\"", "''"},
        {"value=\"$(var l)\"", "\n    - 1\n    - 2"},
        {"value=\"$(eval '[$(var i), 8]')\"", "\n    - 7\n    - 8"},
        {"value=\"1\" type=\"str\"", "'1'"},
        {"value=\"$(var i)\" type=\"str\"", "'7'"},
        {"value=\"{a: b\" type=\"str\"", "'{a: b'"},
        {"value=\"1\" type=\"float\"", "1.0"},
        {"value=\" 1e3 \" type=\"float\"", "1000.0"},
        {"value=\"inf\" type=\"float\"", ".inf"},
        {"value=\"$(var i)\" type=\"float\"", "7.0"},
        {"value=\"007\" type=\"int\"", "7"},
        {"value=\"0\" type=\"bool\"", "false"},
        {"value=\"on\" type=\"bool\"", "true"},
        {"value=\"1\" type=\"yaml\"", "1"},
        {"value=\"[1, $(var i)]\" type=\"list_of_int\"", "\n    - 1\n    - 7"},
        {"value=\"[a, b]\" type=\"list_of_str\"", "\n    - a\n    - b"},
        {"value=\"[true, no]\" type=\"list_of_bool\"", "\n    - true\n    - false"},
        {"value=\"1;2\" value-sep=\";\"", "\n    - 1\n    - 2"},
        {"value=\"1, 2\" value-sep=\", \" type=\"list_of_float\"", "\n    - 1.0\n    - 2.0"},
        {"value=\"1;$(var i)\" value-sep=\";\" type=\"list_of_str\"", "\n    - '1'\n    - '7'"},
        {"value=\"a;$(var t)\" value-sep=\";\"", "\n    - a\n    - some text"},
    };
    check_params(*state, cases, TN_ARRAY_SIZE(cases));
}

static void wrong_values_of_parameters(void **state)
{
    struct launch_rig *rig = *state;
    static const struct {
        const char *attributes;
        enum tn_result code;
    } cases[] = {
        {"value=\"{a: 1}\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"null\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"~\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"2001-02-03\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"2001-2-3 4:05:06\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"[1, 2.0]\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"[1, a]\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"[1, true]\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"[[1], 2]\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"[1, null]\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"!!str 1\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"&amp;a 1\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"*a\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"99999999999999999999\"", TN_ERR_RANGE},
        {"value=\"1.5\" type=\"int\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"0x10\" type=\"int\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"99999999999999999999\" type=\"int\"", TN_ERR_RANGE},
        {"value=\"a\" type=\"float\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"2\" type=\"bool\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"1\" type=\"list_of_int\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"[1, 2]\" type=\"list_of_float\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"[1]\" type=\"list_of_str\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"1\" type=\"double\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"1;2\" value-sep=\";\" type=\"int\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"1;2\" value-sep=\"\"", TN_ERR_INVALID_ARGUMENT},
        {"value=\"$(eval '\\'{a: 1}\\'')\"", TN_ERR_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char body[512];
        (void)snprintf(body, sizeof body, "<node exec=\"p\">\n<param name=\"p\" %s/></node>",
                       cases[i].attributes);
        enum tn_result result = launch_rig_load_body(rig, body);
        if (result != cases[i].code || rig->err.line != 3)
            fail_msg("%s: got %s at line %d: %s", cases[i].attributes, tn_result_name(result),
                     (int)rig->err.line, rig->err.text);
    }
}

/// Namespaces as launch_ros joins them, seen in the arguments.
static void namespaces(void **state)
{
    struct launch_rig *rig = *state;
    static const char *const cases[][3] = {
        // pushed, given, expected
        {NULL, NULL, NULL}, {NULL, "a", "/a"}, {NULL, "/a/", "/a"}, {NULL, "", "/"},
        {NULL, "/", "/"},   {"a", NULL, "/a"}, {"a", "b", "/a/b"},  {"/a/b", "c/", "/a/b/c"},
        {"a", "/b", "/b"},  {"/", "b", "/b"},  {"/", NULL, "/"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char body[256], push[64] = "", ns[64] = "";
        if (cases[i][0] != NULL)
            (void)snprintf(push, sizeof push, "<push_ros_namespace namespace=\"%s\"/>",
                           cases[i][0]);
        if (cases[i][1] != NULL)
            (void)snprintf(ns, sizeof ns, " namespace=\"%s\"", cases[i][1]);
        (void)snprintf(body, sizeof body, "%s<node exec=\"p\"%s/>", push, ns);
        assert_int_equal(launch_rig_load_body(rig, body), TN_OK);
        const char *got = rig->plan->processes[0].node_namespace;
        if (cases[i][2] == NULL)
            assert_null(got);
        else
            assert_string_equal(got, cases[i][2]);
    }
    static const char *const wrong[] = {"1a", "a b", "a//b", "a-b", "~a", "\xc3\xa4"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(wrong); i++) {
        char body[256];
        (void)snprintf(body, sizeof body, "<node exec=\"p\" namespace=\"%s\"/>", wrong[i]);
        assert_int_equal(launch_rig_load_body(rig, body), TN_ERR_INVALID_ARGUMENT);
        (void)snprintf(body, sizeof body, "<push_ros_namespace namespace=\"%s\"/>", wrong[i]);
        assert_int_equal(launch_rig_load_body(rig, body), TN_ERR_INVALID_ARGUMENT);
    }
}

static void command_lines(void **state)
{
    struct launch_rig *rig = *state;
    static const char *const cases[][2] = {
        {"a b", "a|b"},
        {"  a   b  ", "a|b"},
        {"'a b' &quot;c d&quot;", "a b|c d"},
        {"a\\\\ b", "a b"},
        {"$(var two)", "x y"},
        {"$(var two) c", "x y|c"},
        {"a$(var two)b c", "ax yb|c"},
        {"-p $(var two)$(var one) $(var two)", "-p|x yz|x y"},
        {"$(var two) $(var one)", "x y|z"},
        {"$(var none '')", ""},
        {"'' a", "|a"},
        {"a 'b'c d", "a|bc|d"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char body[512], got[512] = "";
        size_t n = 0;
        (void)snprintf(body, sizeof body,
                       "<let name=\"two\" value=\"x y\"/><let name=\"one\" value=\"z\"/>"
                       "<executable cmd=\"prog %s\"/>",
                       cases[i][0]);
        assert_int_equal(launch_rig_load_body(rig, body), TN_OK);
        const struct tn_launch_process *p = &rig->plan->processes[0];
        for (uint32_t k = 0; k < p->n_arguments; k++)
            n += (size_t)snprintf(got + n, sizeof got - n, "%s%s", k > 0 ? "|" : "",
                                  p->arguments[k]);
        if (strcmp(got, cases[i][1]) != 0)
            fail_msg("%s\ngot      %s\nexpected %s", cases[i][0], got, cases[i][1]);
        assert_null(p->arguments[p->n_arguments]);
    }
}

static void prefixes(void **state)
{
    struct launch_rig *rig = *state;
    static const char *const cases[][4] = {
        // launch-prefix, launch-prefix-filter, attribute, expected label
        {"gdb -ex", NULL, "", "gdb-1"},
        {"gdb", "pr", "", "gdb-1"},
        {"gdb", "og", "", "prog-1"},
        {"gdb", ".*og$", "", "gdb-1"},
        {"gdb", "no", "launch-prefix=\"time\"", "time-1"},
        {NULL, NULL, "", "prog-1"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char body[256];
        rig->n_arguments = 0;
        if (cases[i][0] != NULL)
            rig->arguments[rig->n_arguments++] =
                (struct tn_launch_argument){"launch-prefix", cases[i][0]};
        if (cases[i][1] != NULL)
            rig->arguments[rig->n_arguments++] =
                (struct tn_launch_argument){"launch-prefix-filter", cases[i][1]};
        (void)snprintf(body, sizeof body, "<node pkg=\"p\" exec=\"sub/prog\" %s/>", cases[i][2]);
        assert_int_equal(launch_rig_load_body(rig, body), TN_OK);
        assert_string_equal(rig->plan->processes[0].label, cases[i][3]);
        assert_int_equal(rig->plan->n_messages, 0);
    }
    rig->n_arguments = 0;
}

static void split_arguments(void **state)
{
    (void)state;
    char name[8];
    const char *value = NULL;
    struct tn_error err = {0};
    assert_int_equal(tn_launch_split_argument("a:=b:=c", name, sizeof name, &value, &err), TN_OK);
    assert_string_equal(name, "a");
    assert_string_equal(value, "b:=c");
    static const char *const wrong[] = {"", "a", ":=", ":=b", "a:=", "a=b"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(wrong); i++)
        assert_int_equal(tn_launch_split_argument(wrong[i], name, sizeof name, &value, &err),
                         TN_ERR_SYNTAX);
    assert_int_equal(tn_launch_split_argument("12345678:=1", name, sizeof name, &value, &err),
                     TN_ERR_LIMIT);
    assert_int_equal(tn_launch_split_argument("1234567:=1", name, sizeof name, &value, &err),
                     TN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grammar),
        cmocka_unit_test(functions),
        cmocka_unit_test(commands_see_the_environment_of_their_scope),
        cmocka_unit_test(files_are_read_as_text),
        cmocka_unit_test(conditions),
        cmocka_unit_test(scopes),
        cmocka_unit_test(arguments),
        cmocka_unit_test(includes),
        cmocka_unit_test(values_of_parameters),
        cmocka_unit_test(wrong_values_of_parameters),
        cmocka_unit_test(namespaces),
        cmocka_unit_test(command_lines),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(split_arguments),
    };
    return cmocka_run_group_tests(tests, launch_rig_set_up, launch_rig_tear_down);
}
