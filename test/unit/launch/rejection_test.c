// SPDX-License-Identifier: Apache-2.0
// what is not accepted is named with file and line; limits hold; a failed load gives nothing
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/launch/launch_rig.h"

/// Loads a body whose fault is in its line `line` and compares.
static void expect(struct launch_rig *rig, const char *body, enum tn_result code, int line,
                   const char *part)
{
    char place[512], file[128];
    enum tn_result result = launch_rig_load_body(rig, body);
    (void)tn_error_format(&rig->err, place, sizeof place);
    (void)snprintf(file, sizeof file, "%s/body.launch.xml", rig->folder);
    bool fits = result == code && rig->err.line == line + 1 && strcmp(rig->err.file, file) == 0 &&
                strstr(rig->err.text, part) != NULL;
    if (!fits)
        fail_msg("%s\ngot      %s %s\nexpected %s in line %d with \"%s\"", body,
                 tn_result_name(result), place, tn_result_name(code), line + 1, part);
}

struct fault {
    const char *body; ///< the fault is in line 2
    enum tn_result code;
    const char *part;
};

static void check_faults(struct launch_rig *rig, const struct fault *faults, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expect(rig, faults[i].body, faults[i].code, 2, faults[i].part);
}

static void elements(void **state)
{
    static const struct fault faults[] = {
        {"\n<nodes/>", TN_ERR_UNSUPPORTED, "unknown element <nodes> in <launch>"},
        {"\n<Node exec=\"p\"/>", TN_ERR_UNSUPPORTED, "<Node>"},
        {"\n<launch/>", TN_ERR_UNSUPPORTED, "<launch>"},
        {"\n<param name=\"a\" value=\"1\"/>", TN_ERR_UNSUPPORTED, "<param> in <launch>"},
        {"\n<keep name=\"a\" value=\"1\"/>", TN_ERR_UNSUPPORTED, "<keep> in <launch>"},
        {"<group>\n<remap from=\"a\" to=\"b\"/></group>", TN_ERR_UNSUPPORTED, "<remap> in <group>"},
        {"<node exec=\"p\">\n<arg name=\"a\"/></node>", TN_ERR_UNSUPPORTED, "<arg> in <node>"},
        {"<arg name=\"a\">\n<arg name=\"b\"/></arg>", TN_ERR_UNSUPPORTED, "<arg> in <arg>"},
        {"<let name=\"a\" value=\"b\">\n<x/></let>", TN_ERR_UNSUPPORTED, "<x> in <let>"},
        {"<executable cmd=\"a\">\n<param name=\"b\" value=\"1\"/></executable>", TN_ERR_UNSUPPORTED,
         "<param> in <executable>"},
        {"<node exec=\"p\"><param name=\"a\" value=\"1\">\n<remap from=\"a\" "
         "to=\"b\"/></param></node>",
         TN_ERR_UNSUPPORTED, "<remap> in <param>"},
        {"<node exec=\"p\"><param name=\"a\">\n<param from=\"a\"/></param></node>",
         TN_ERR_UNSUPPORTED, "from"},
        // branches that are not taken are looked at too
        {"<group if=\"false\"><group>\n<nodes/></group></group>", TN_ERR_UNSUPPORTED, "<nodes>"},
    };
    check_faults(*state, faults, TN_ARRAY_SIZE(faults));
}

/// The way to an element: what stands around it, with its required attributes.
static void write_around(FILE *out, const char *path, const char *attribute, bool leaves_out);

static void write_required(FILE *out, const char *element, const char *but)
{
    const struct tn_launch_item *item = NULL;
    for (uint32_t i = 0; (item = tn_launch_table_at(i)) != NULL; i++)
        if (item->is_required && strcmp(item->element, element) == 0 &&
            (but == NULL || strcmp(item->attribute, but) != 0))
            (void)fprintf(out, " %s=\"a\"", item->attribute);
}

static void write_around(FILE *out, const char *path, const char *attribute, bool leaves_out)
{
    const char *slash = strchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *missing = leaves_out ? attribute : NULL;
    if (slash != NULL && strncmp(path, "param/", 6) == 0)
        (void)fputs("<node exec=\"p\"><param name=\"a\">", out);
    else if (slash != NULL) {
        char parent[64];
        (void)snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
        (void)fprintf(out, "<%s", parent);
        write_required(out, parent, NULL);
        (void)fputs(">", out);
    }
    (void)fprintf(out, "\n<%s", name);
    write_required(out, path, missing);
    if (strcmp(path, "node/param") == 0)
        (void)fputs(" name=\"a\" value=\"1\"", out);
    if (strcmp(path, "param/param") == 0)
        (void)fputs(" value=\"1\"", out);
    if (!leaves_out && attribute != NULL)
        (void)fprintf(out, " %s=\"1\"", attribute);
    (void)fputs("/>", out);
    if (slash != NULL && strncmp(path, "param/", 6) == 0)
        (void)fputs("</param></node>", out);
    else if (slash != NULL)
        (void)fprintf(out, "</%.*s>", (int)(slash - path), path);
}

static char *body_with(const char *path, const char *attribute, bool leaves_out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write_around(out, path, attribute, leaves_out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/// Each element takes no attribute it does not know, and misses those it needs; rejected elements
/// and substitutions say why.
static void everything_in_the_table(void **state)
{
    struct launch_rig *rig = *state;
    const struct tn_launch_item *item = NULL;
    uint32_t n_elements = 0, n_required = 0, n_rejected = 0;
    for (uint32_t i = 0; (item = tn_launch_table_at(i)) != NULL; i++) {
        if (item->element[0] == '$') {
            char body[128];
            if (item->support != TN_LAUNCH_REJECTED)
                continue;
            (void)snprintf(body, sizeof body, "\n<log message=\"%s\"/>", item->element);
            expect(rig, body, TN_ERR_UNSUPPORTED, 2, item->note);
            n_rejected++;
            continue;
        }
        if (strcmp(item->element, "launch") == 0)
            continue;
        if (item->support == TN_LAUNCH_REJECTED) {
            char *body = body_with(item->element, NULL, false);
            expect(rig, body, TN_ERR_UNSUPPORTED, 2, item->note);
            free(body);
            n_rejected++;
        } else if (item->attribute == NULL) {
            char *body = body_with(item->element, "unknown", false);
            expect(rig, body, TN_ERR_UNSUPPORTED, 2, "\"unknown\"");
            free(body);
            n_elements++;
        } else if (item->is_required) {
            char *body = body_with(item->element, item->attribute, true);
            expect(rig, body, TN_ERR_NOT_FOUND, 2, item->attribute);
            free(body);
            n_required++;
        }
    }
    assert_true(n_elements > 20 && n_required > 30 && n_rejected > 5);
}

/// Every attribute whose substitutions are replaced refuses one that is unknown.
static void substitutions_everywhere(void **state)
{
    struct launch_rig *rig = *state;
    const struct tn_launch_item *item = NULL;
    for (uint32_t i = 0; (item = tn_launch_table_at(i)) != NULL; i++) {
        if (item->value != TN_LAUNCH_VALUE_SUBSTITUTED || item->is_required ||
            strcmp(item->attribute, "value") == 0 || strcmp(item->attribute, "name") == 0)
            continue;
        char *plain = body_with(item->element, item->attribute, false);
        char body[1024], unknown[128];
        const char *at = strstr(plain, item->attribute);
        for (const char *next = at; next != NULL; next = strstr(next + 1, item->attribute))
            at = next[strlen(item->attribute)] == '=' ? next : at;
        assert_non_null(at);
        (void)snprintf(unknown, sizeof unknown, "%s=\"$(nonsense a)\"", item->attribute);
        (void)snprintf(body, sizeof body, "%.*s%s%s", (int)(at - plain), plain, unknown,
                       at + strlen(item->attribute) + strlen("=\"1\""));
        expect(rig, body, TN_ERR_UNSUPPORTED, 2, "$(nonsense)");
        assert_non_null(strstr(rig->err.text, item->attribute));
        free(plain);
    }
}

static void substitutions(void **state)
{
    static const struct fault faults[] = {
#define WRONG(text, code, part) {"\n<log message=\"" text "\"/>", code, part}
        WRONG("$(nonsense)", TN_ERR_UNSUPPORTED, "$(nonsense)"),
        WRONG("$(find a)", TN_ERR_UNSUPPORTED, "$(find)"),
        WRONG("$()", TN_ERR_SYNTAX, "name"),
        WRONG("$(var", TN_ERR_SYNTAX, ""),
        WRONG("$(var a", TN_ERR_SYNTAX, "not closed"),
        WRONG("$(var 'a)", TN_ERR_SYNTAX, "not closed"),
        WRONG("$(var  a)", TN_ERR_SYNTAX, "one blank"),
        WRONG("$(var a )", TN_ERR_SYNTAX, "argument is missing"),
        WRONG("$(var )", TN_ERR_SYNTAX, "argument is missing"),
        WRONG("$(var a(b)", TN_ERR_SYNTAX, "quotes around"),
        WRONG("$(var 'a'b)", TN_ERR_SYNTAX, "goes on"),
        WRONG("$(var a'b')", TN_ERR_SYNTAX, "middle"),
        WRONG("$(var 'a$(var 'b')')", TN_ERR_SYNTAX, "such quotes"),
        WRONG("$(var)", TN_ERR_INVALID_ARGUMENT, "needs 1"),
        WRONG("$(var a b c)", TN_ERR_INVALID_ARGUMENT, "at most 2"),
        WRONG("$(dirname x)", TN_ERR_INVALID_ARGUMENT, "at most 0"),
        WRONG("$(eval 1 + 2)", TN_ERR_INVALID_ARGUMENT, "quote"),
        WRONG("$(var none)", TN_ERR_NOT_FOUND, "none"),
        WRONG("$(env NONE)", TN_ERR_NOT_FOUND, "NONE"),
        WRONG("$(param none)", TN_ERR_NOT_FOUND, "none"),
        WRONG("$(find-pkg-share missing)", TN_ERR_NOT_FOUND, "/opt/test"),
        WRONG("$(exec-in-pkg missing p)", TN_ERR_NOT_FOUND, "missing"),
        WRONG("$(find-exec missing)", TN_ERR_NOT_FOUND, "PATH"),
        WRONG("$(file-content missing)", TN_ERR_NOT_FOUND, "missing"),
        WRONG("$(command missing)", TN_ERR_NOT_FOUND, "missing"),
        WRONG("$(command '')", TN_ERR_INVALID_ARGUMENT, "without a command"),
        WRONG("$(command fail)", TN_ERR_INVALID_ARGUMENT, "ended with 3: oh"),
        WRONG("$(command fail ignore)", TN_ERR_INVALID_ARGUMENT, "ended with 3"),
        WRONG("$(command warn)", TN_ERR_INVALID_ARGUMENT, "stderr"),
        WRONG("$(command warn maybe)", TN_ERR_INVALID_ARGUMENT, "maybe"),
        WRONG("$(command &quot;say 'a&quot;)", TN_ERR_SYNTAX, "partner"),
        WRONG("$(not a)", TN_ERR_INVALID_ARGUMENT, "bool"),
        WRONG("$(if maybe a b)", TN_ERR_INVALID_ARGUMENT, "bool"),
        WRONG("$(eval 'a')", TN_ERR_UNSUPPORTED, "`a`"),
        WRONG("$(eval '1 +')", TN_ERR_SYNTAX, "operand"),
        WRONG("$(eval '1 / 0')", TN_ERR_INVALID_ARGUMENT, "zero"),
        WRONG("$(eval 1 os)", TN_ERR_UNSUPPORTED, "os"),
    };
    check_faults(*state, faults, TN_ARRAY_SIZE(faults));
}

static void attributes(void **state)
{
    static const struct fault faults[] = {
        {"\n<log message=\"a\" if=\"maybe\"/>", TN_ERR_INVALID_ARGUMENT, "no condition"},
        {"\n<log message=\"a\" if=\"\"/>", TN_ERR_INVALID_ARGUMENT, "no condition"},
        {"\n<log message=\"a\" if=\"1\" unless=\"1\"/>", TN_ERR_INVALID_ARGUMENT, "not both"},
        {"\n<group scoped=\"$(var a)\"/>", TN_ERR_INVALID_ARGUMENT, "scoped"},
        {"\n<group scoped=\"maybe\"/>", TN_ERR_INVALID_ARGUMENT, "scoped"},
        {"\n<arg name=\"a\"/>", TN_ERR_NOT_FOUND, "a:=VALUE"},
        {"\n<arg name=\"a\" default=\"x\"><choice value=\"y\"/></arg>", TN_ERR_INVALID_ARGUMENT,
         "may be y"},
        {"\n<node exec=\"p\" name=\"1\"/>", TN_ERR_INVALID_ARGUMENT, "name of a node"},
        {"\n<node exec=\"p\" name=\"a/b\"/>", TN_ERR_INVALID_ARGUMENT, "name of a node"},
        {"\n<node exec=\"p\" name=\"\"/>", TN_ERR_INVALID_ARGUMENT, "name of a node"},
        {"\n<node exec=\"p\" output=\"paper\"/>", TN_ERR_INVALID_ARGUMENT, "paper"},
        {"\n<node exec=\"p\" respawn=\"maybe\"/>", TN_ERR_INVALID_ARGUMENT, "respawn"},
        {"\n<node exec=\"p\" respawn_delay=\"-1\"/>", TN_ERR_INVALID_ARGUMENT, "respawn_delay"},
        {"\n<node exec=\"p\" respawn_delay=\"$(var a 1)\"/>", TN_ERR_INVALID_ARGUMENT,
         "substitutions"},
        {"\n<node exec=\"p\" respawn_max_retries=\"1.5\"/>", TN_ERR_INVALID_ARGUMENT, "integer"},
        {"\n<node exec=\"p\" sigterm_timeout=\"nan\"/>", TN_ERR_INVALID_ARGUMENT,
         "sigterm_timeout"},
        {"\n<node exec=\"p\" sigkill_timeout=\"1e300\"/>", TN_ERR_INVALID_ARGUMENT,
         "sigkill_timeout"},
        {"\n<node exec=\"p\" on_exit=\"restart\"/>", TN_ERR_UNSUPPORTED, "restart"},
        {"\n<node exec=\"p\" exec_name=\"a/b\"/>", TN_ERR_INVALID_ARGUMENT, "label"},
        {"\n<node exec=\"p\" args=\"'a\"/>", TN_ERR_SYNTAX, "partner"},
        {"\n<node exec=\"p\" launch-prefix=\"a\\\"/>", TN_ERR_SYNTAX, "backslash"},
        {"\n<executable cmd=\"\"/>", TN_ERR_INVALID_ARGUMENT, "empty"},
        {"\n<executable cmd=\"''\"/>", TN_ERR_INVALID_ARGUMENT, "empty"},
        {"\n<set_env name=\"\" value=\"1\"/>", TN_ERR_INVALID_ARGUMENT, "environment variable"},
        {"\n<set_env name=\"a=b\" value=\"1\"/>", TN_ERR_INVALID_ARGUMENT, "environment variable"},
        {"<node exec=\"p\">\n<env name=\"=\" value=\"1\"/></node>", TN_ERR_INVALID_ARGUMENT,
         "environment variable"},
        {"<node exec=\"p\">\n<param/></node>", TN_ERR_INVALID_ARGUMENT, "name or from"},
        {"<node exec=\"p\">\n<param name=\"a\"/></node>", TN_ERR_INVALID_ARGUMENT, "value"},
        {"<node exec=\"p\">\n<param name=\"a\" from=\"b\"/></node>", TN_ERR_INVALID_ARGUMENT,
         "both"},
        {"<node exec=\"p\">\n<param name=\"a\" value=\"1\" allow_substs=\"true\"/></node>",
         TN_ERR_INVALID_ARGUMENT, "allow_substs"},
        {"<node exec=\"p\">\n<param name=\"a\" value=\"1\"><param name=\"b\" "
         "value=\"1\"/></param></node>",
         TN_ERR_INVALID_ARGUMENT, "inside"},
        {"<node exec=\"p\"><param name=\"a\">\n<param name=\"b\"/></param></node>",
         TN_ERR_INVALID_ARGUMENT, "value"},
        {"\n<set_parameters_from_file filename=\"missing.yaml\"/>", TN_ERR_NOT_FOUND,
         "missing.yaml"},
        {"\n<set_parameter name=\"a\" value=\"[]\"/>", TN_ERR_INVALID_ARGUMENT, "no type"},
        {"\n<set_parameter name=\"a\" value=\"[1, b]\"/>", TN_ERR_INVALID_ARGUMENT, "type"},
        {"\n<include file=\"missing.launch.xml\"/>", TN_ERR_NOT_FOUND, "missing.launch.xml"},
        {"\n<append_env name=\"A\" value=\"b\" prepend=\"maybe\"/>", TN_ERR_INVALID_ARGUMENT,
         "prepend"},
    };
    check_faults(*state, faults, TN_ARRAY_SIZE(faults));
}

static void hostile_xml(void **state)
{
    struct launch_rig *rig = *state;
    static const char *const texts[] = {
        "",
        "<launch>",
        "<robot/>",
        "<launch><node exec=\"p\"></launch>",
        "<!DOCTYPE launch [<!ENTITY a \"b\">]><launch/>",
        "<launch><log message=\"&a;\"/></launch>",
        "<launch><log message=\"a\" message=\"b\"/></launch>",
        "not xml",
        "<launch other=\"1\"/>",
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(texts); i++) {
        launch_rig_write(rig, "bad.launch.xml", texts[i]);
        assert_int_not_equal(launch_rig_load(rig, "bad.launch.xml"), TN_OK);
        assert_true(rig->err.file[0] != '\0');
    }
    assert_int_equal(launch_rig_load(rig, "missing.launch.xml"), TN_ERR_NOT_FOUND);
    assert_int_not_equal(launch_rig_load(rig, "/tmp"), TN_OK);
    // an error in an included file is told where it is
    launch_rig_write(rig, "bad.launch.xml", "<launch>\n\n<x/></launch>");
    assert_int_equal(launch_rig_load_body(rig, "<include file=\"bad.launch.xml\"/>"),
                     TN_ERR_UNSUPPORTED);
    assert_int_equal(rig->err.line, 3);
    assert_non_null(strstr(rig->err.file, "bad.launch.xml"));
}

static void includes_end(void **state)
{
    struct launch_rig *rig = *state;
    expect(rig, "\n<include file=\"$(filename)\"/>", TN_ERR_LIMIT, 2, "body.launch.xml");
    launch_rig_write(rig, "a.launch.xml", "<launch><include file=\"b.launch.xml\"/></launch>");
    launch_rig_write(rig, "b.launch.xml", "<launch><include file=\"a.launch.xml\"/></launch>");
    assert_int_equal(launch_rig_load(rig, "a.launch.xml"), TN_ERR_LIMIT);
    assert_non_null(strstr(rig->err.text, "a.launch.xml"));
    // one that ends by itself is fine, as deep as allowed
    launch_rig_write(
        rig, "n.launch.xml",
        "<launch><arg name=\"n\" default=\"0\"/><group if=\"$(eval '$(var n) &lt; 31')\">"
        "<include file=\"$(filename)\"><arg name=\"n\" value=\"$(eval '$(var n) + "
        "1')\"/></include></group></launch>");
    assert_int_equal(launch_rig_load(rig, "n.launch.xml"), TN_OK);
    // two in each: the number of files is bounded, not only their depth
    launch_rig_write(
        rig, "t.launch.xml",
        "<launch><arg name=\"n\" default=\"0\"/><group if=\"$(eval '$(var n) &lt; 20')\">"
        "<let name=\"m\" value=\"$(eval '$(var n) + 1')\"/>"
        "<group><include file=\"$(filename)\"><arg name=\"n\" "
        "value=\"$(var m)\"/></include></group>"
        "<group><include file=\"$(filename)\"><arg name=\"n\" "
        "value=\"$(var m)\"/></include></group></group></launch>");
    assert_int_equal(launch_rig_load(rig, "t.launch.xml"), TN_ERR_LIMIT);
}

/// Writes `n` times `piece` between `before` and `after`, and loads it.
static enum tn_result load_repeated(struct launch_rig *rig, const char *before, const char *piece,
                                    uint32_t n, const char *after)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    (void)fputs(before, out);
    for (uint32_t i = 0; i < n; i++)
        (void)fputs(piece, out);
    (void)fputs(after, out);
    assert_int_equal(fclose(out), 0);
    enum tn_result result = launch_rig_load_body(rig, text);
    free(text);
    return result;
}

static void limits(void **state)
{
    struct launch_rig *rig = *state;
    // a text that doubles
    assert_int_equal(load_repeated(rig, "<let name=\"a\" value=\"0123456789abcdef\"/>",
                                   "<let name=\"a\" value=\"$(var a)$(var a)\"/>", 40, ""),
                     TN_ERR_LIMIT);
    // many large ones
    assert_int_equal(load_repeated(rig, "<let name=\"a\" value=\"0123456789abcdef\"/>",
                                   "<let name=\"a\" value=\"$(var a)$(var a)\"/>", 17,
                                   "<let name=\"b\" value=\"$(var a)\"/><let name=\"c\" "
                                   "value=\"$(var a)$(var a)\"/>"),
                     TN_OK);
    assert_int_equal(load_repeated(rig, "<executable cmd=\"a\"/>", "<executable cmd=\"a\"/>",
                                   TN_LAUNCH_PROCESSES_MAX - 1, ""),
                     TN_OK);
    assert_int_equal(load_repeated(rig, "<executable cmd=\"a\"/>", "<executable cmd=\"a\"/>",
                                   TN_LAUNCH_PROCESSES_MAX, ""),
                     TN_ERR_LIMIT);
    assert_int_equal(
        load_repeated(rig, "", "<let name=\"a\" value=\"b\"/>", TN_LAUNCH_ELEMENTS_MAX, ""), TN_OK);
    assert_int_equal(
        load_repeated(rig, "", "<let name=\"a\" value=\"b\"/>", TN_LAUNCH_ELEMENTS_MAX + 1, ""),
        TN_ERR_LIMIT);
    assert_int_equal(load_repeated(rig, "", "<set_env name=\"a\" value=\"b\"/>", 1025, ""),
                     TN_ERR_LIMIT);
    assert_int_equal(load_repeated(rig, "", "<set_remap from=\"a\" to=\"b\"/>", 1025, ""),
                     TN_ERR_LIMIT);
    assert_int_equal(load_repeated(rig, "", "<set_parameter name=\"a\" value=\"b\"/>", 1025, ""),
                     TN_ERR_LIMIT);
    assert_int_equal(load_repeated(rig, "", "<log message=\"a\"/>", 1025, ""), TN_ERR_LIMIT);
    assert_int_equal(load_repeated(rig, "<log message=\"", "$(var a ", 17, "x\"/>"), TN_ERR_LIMIT);
    assert_int_equal(load_repeated(rig, "", "<group>", 63, ""), TN_ERR_SYNTAX);
    assert_int_equal(load_repeated(rig, "", "<group>", 70, ""), TN_ERR_LIMIT);
    assert_int_equal(
        load_repeated(rig, "<node exec=\"p\">", "<param name=\"a\" value=\"1\"/>", 4097, "</node>"),
        TN_ERR_LIMIT);
}

static void needed_callbacks(void **state)
{
    struct launch_rig *rig = *state;
    struct tn_launch_world whole = rig->world;
    rig->world = (struct tn_launch_world){.working_dir = rig->folder};
    static const struct fault faults[] = {
        WRONG("$(find-pkg-share p)", TN_ERR_UNSUPPORTED, "not available"),
        WRONG("$(exec-in-pkg a p)", TN_ERR_UNSUPPORTED, "not available"),
        WRONG("$(find-exec a)", TN_ERR_UNSUPPORTED, "not available"),
        WRONG("$(command a)", TN_ERR_UNSUPPORTED, "not available"),
        WRONG("$(log_dir)", TN_ERR_UNSUPPORTED, "not available"),
        WRONG("$(env HOME)", TN_ERR_NOT_FOUND, "HOME"),
    };
    check_faults(rig, faults, TN_ARRAY_SIZE(faults));
    assert_int_equal(launch_rig_load_body(rig,
                                          "<node exec=\"p\"><param name=\"a\" value=\"1\"/></node>"
                                          "<log message=\"$(anon a)\"/>"),
                     TN_OK);
    assert_string_equal(rig->plan->processes[0].files[0].path, "$PARAMS/launch_params_0.yaml");
    assert_string_equal(rig->plan->messages[0].text, "a_0_1");
    rig->world = whole;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements),
        cmocka_unit_test(everything_in_the_table),
        cmocka_unit_test(substitutions_everywhere),
        cmocka_unit_test(substitutions),
        cmocka_unit_test(attributes),
        cmocka_unit_test(hostile_xml),
        cmocka_unit_test(includes_end),
        cmocka_unit_test(limits),
        cmocka_unit_test(needed_callbacks),
    };
    return cmocka_run_group_tests(tests, launch_rig_set_up, launch_rig_tear_down);
}
