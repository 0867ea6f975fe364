// SPDX-License-Identifier: Apache-2.0
// texts that are read, refused, built, copied and printed
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "xml/xml.h"

static struct tn_xml_document *parse(const char *text)
{
    struct tn_xml_document *document = NULL;
    struct tn_error err = {0};
    if (tn_xml_parse(text, strlen(text), "a.xml", &document, &err) != TN_OK)
        fail_msg("line %d: %s", err.line, err.text);
    return document;
}

static void expect_refused(const char *text, size_t size, enum tn_result code, int32_t line,
                           int32_t column, const char *part)
{
    struct tn_xml_document *document = NULL;
    struct tn_error err = {0};
    const enum tn_result result = tn_xml_parse(text, size, "a.xml", &document, &err);
    assert_null(document);
    if (result != code || err.line != line || (column != 0 && err.column != column) ||
        strstr(err.text, part) == NULL)
        fail_msg("\"%.60s\": %s, line %d column %d: %s", text, tn_result_name(result), err.line,
                 err.column, err.text);
    assert_string_equal(err.file, "a.xml");
}

static void expect_printed(const struct tn_xml_document *document, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(tn_xml_print_text(document, &text, &size), TN_OK);
    assert_string_equal(text, expected);
    assert_int_equal(strlen(text), size);
    free(text);
}

static void a_tree_is_as_it_is_written(void **state)
{
    (void)state;
    struct tn_xml_document *document =
        parse("<?xml version='1.0'?>\n<!-- c --><robot name=\"r &amp; &#65;\" xmlns:xacro='u'>\n"
              "  one<!-- c --> two<![CDATA[<&>]]><?pi?>\n"
              "  <xacro:macro a='1' b=''/><link/>x<link a='2'></link></robot>\n");
    struct tn_xml_node *root = tn_xml_root(document);
    assert_string_equal(root->name, "robot");
    assert_int_equal(root->line, 2);
    assert_int_equal(root->column, 11);
    assert_string_equal(root->file, "a.xml");
    assert_string_equal(tn_xml_attribute(root, "name"), "r & A");
    assert_null(tn_xml_attribute(root, "nam"));
    const struct tn_xml_node *text = root->first_child;
    assert_int_equal(text->kind, TN_XML_TEXT);
    assert_string_equal(text->text, "\n  one two<&>\n  ");
    assert_int_equal(text->line, 2);
    const struct tn_xml_node *macro = tn_xml_child(root, NULL);
    assert_ptr_equal(macro, text->next);
    assert_string_equal(macro->name, "xacro:macro");
    assert_int_equal(macro->n_attributes, 2);
    assert_string_equal(tn_xml_attribute(macro, "b"), "");
    assert_int_equal(macro->line, 4);
    assert_int_equal(macro->column, 3);
    const struct tn_xml_node *link = tn_xml_child(root, "link");
    assert_ptr_equal(link, tn_xml_next(macro, "link"));
    assert_null(tn_xml_attribute(link, "a"));
    link = tn_xml_next(link, NULL);
    assert_string_equal(tn_xml_attribute(link, "a"), "2");
    assert_null(tn_xml_next(link, NULL));
    assert_null(tn_xml_child(root, "joint"));
    assert_null(root->parent);
    assert_ptr_equal(link->parent, root);
    assert_ptr_equal(root->last_child, link);
    tn_xml_destroy(&document);
    tn_xml_destroy(&document);
}

static void encodings_become_utf8(void **state)
{
    (void)state;
    struct tn_xml_document *document = parse("\xef\xbb\xbf<a b='\xc3\xa4'/>");
    assert_string_equal(tn_xml_attribute(tn_xml_root(document), "b"), "\xc3\xa4");
    tn_xml_destroy(&document);
    document = parse("<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xe4'/>");
    assert_string_equal(tn_xml_attribute(tn_xml_root(document), "b"), "\xc3\xa4");
    tn_xml_destroy(&document);
    static const char wide[] = "\xff\xfe<\0a\0/\0>\0";
    assert_int_equal(tn_xml_parse(wide, sizeof wide - 1, "a", &document, NULL), TN_OK);
    assert_string_equal(tn_xml_root(document)->name, "a");
    tn_xml_destroy(&document);
    static const char unknown[] = "<?xml version='1.0' encoding='EBCDIC'?><a/>";
    expect_refused(unknown, sizeof unknown - 1, TN_ERR_UNSUPPORTED, 1, 0, "unknown encoding");
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum tn_result code;
        int32_t line, column;
        const char *part;
    } cases[] = {
        {"", TN_ERR_SYNTAX, 1, 1, "no element found"},
        {"text", TN_ERR_SYNTAX, 1, 1, "not well-formed"},
        {"<a>\n<b>\n</a>", TN_ERR_SYNTAX, 3, 3, "mismatched tag: <b> of line 2 is not closed"},
        {"<a>\n  <b/>\n", TN_ERR_SYNTAX, 3, 1, "no element found: <a> of line 1 is not closed"},
        {"<a/><b/>", TN_ERR_SYNTAX, 1, 5, "junk after document element"},
        {"<a b='1' b='2'/>", TN_ERR_SYNTAX, 1, 10, "duplicate attribute"},
        {"<a>&lol;</a>", TN_ERR_SYNTAX, 1, 4, "undefined entity"},
        {"<a>\n\x01</a>", TN_ERR_SYNTAX, 2, 1, "invalid token"},
        {"<a>\xc3(</a>", TN_ERR_SYNTAX, 1, 0, "invalid token"},
        {"<a>\xed\xa0\x80</a>", TN_ERR_SYNTAX, 1, 0, "invalid token"},
        {"<a>&#0;</a>", TN_ERR_SYNTAX, 1, 0, "invalid character number"},
        // a letter to expat in this encoding only
        {"<?xml version='1.0' encoding='ISO-8859-1'?><a \xba='1'/>", TN_ERR_SYNTAX, 1, 0,
         "no name of XML"},
        {"<!DOCTYPE a>\n<a/>", TN_ERR_UNSUPPORTED, 1, 0, "DOCTYPE is not accepted"},
        {"<!DOCTYPE a [<!ENTITY x 'y'><!ENTITY z '&x;&x;'>]><a>&z;</a>", TN_ERR_UNSUPPORTED, 1, 0,
         "take it out"},
        {"<!DOCTYPE a SYSTEM '/etc/passwd'><a/>", TN_ERR_UNSUPPORTED, 1, 0, "DOCTYPE"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++)
        expect_refused(cases[i].text, strlen(cases[i].text), cases[i].code, cases[i].line,
                       cases[i].column, cases[i].part);
    expect_refused("<a>\0</a>", 8, TN_ERR_SYNTAX, 1, 0, "invalid token");
    expect_refused("<a/>\0", 5, TN_ERR_SYNTAX, 1, 5, "");
}

// "<a>…</a>" to the depth, on the heap
static char *nested(size_t depth)
{
    char *text = malloc(depth * 7 + 1);
    assert_non_null(text);
    for (size_t i = 0; i < depth; i++)
        memcpy(text + i * 3, "<a>", 3);
    for (size_t i = 0; i < depth; i++)
        memcpy(text + depth * 3 + i * 4, "</a>", 4);
    text[depth * 7] = '\0';
    return text;
}

static void limits_are_kept(void **state)
{
    (void)state;
    char *text = nested(TN_XML_DEPTH_MAX);
    struct tn_xml_document *document = parse(text);
    tn_xml_destroy(&document);
    free(text);
    text = nested(TN_XML_DEPTH_MAX + 1);
    expect_refused(text, strlen(text), TN_ERR_LIMIT, 1, 3 * 64 + 1, "more than 64 deep");
    free(text);

    const size_t room = TN_XML_BYTES_MAX + 16;
    text = malloc(room);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, room, "<a");
    for (unsigned i = 0; i < TN_XML_ATTRIBUTES_MAX; i++)
        used += (size_t)snprintf(text + used, room - used, " a%u='1'", i);
    (void)snprintf(text + used, room - used, "/>");
    document = parse(text);
    assert_int_equal(tn_xml_root(document)->n_attributes, TN_XML_ATTRIBUTES_MAX);
    struct tn_error err = {0};
    assert_int_equal(tn_xml_set_attribute(document, tn_xml_root(document), "b", "1", &err),
                     TN_ERR_LIMIT);
    assert_int_equal(tn_xml_set_attribute(document, tn_xml_root(document), "a0", "2", &err), TN_OK);
    tn_xml_destroy(&document);
    (void)snprintf(text + used, room - used, " b='1'/>");
    expect_refused(text, strlen(text), TN_ERR_LIMIT, 1, 0, "more than 256 attributes");

    // as many nodes as there may be, and one more
    used = (size_t)snprintf(text, room, "<a>");
    for (uint32_t i = 0; i + 1 < TN_XML_NODES_MAX; i++, used += 4)
        memcpy(text + used, "<b/>", 4);
    (void)snprintf(text + used, room - used, "</a>");
    document = parse(text);
    assert_int_equal(tn_xml_add_text(document, tn_xml_root(document), "t", NULL, NULL, &err),
                     TN_ERR_LIMIT);
    tn_xml_destroy(&document);
    (void)snprintf(text + used, room - used, "<b/></a>");
    expect_refused(text, strlen(text), TN_ERR_LIMIT, 1, 0, "nodes");

    memset(text, ' ', room);
    memcpy(text, "<a/>", 4);
    assert_int_equal(tn_xml_parse(text, TN_XML_BYTES_MAX, "a", &document, NULL), TN_OK);
    tn_xml_destroy(&document);
    expect_refused(text, TN_XML_BYTES_MAX + 1, TN_ERR_LIMIT, 0, 0, "more than 16 MiB");
    free(text);
}

static void files_are_read(void **state)
{
    (void)state;
    char path[256];
    const char *tmp = getenv("TMPDIR");
    struct tn_xml_document *document = NULL;
    struct tn_error err = {0};
    (void)snprintf(path, sizeof path, "%s/tendon-xml-XXXXXX", tmp != NULL ? tmp : "/tmp");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "<a>\n<b>", 7), 7);
    assert_int_equal(tn_xml_load(path, &document, &err), TN_ERR_SYNTAX);
    assert_string_equal(err.file, path);
    assert_int_equal(err.line, 2);
    assert_int_equal(write(fd, "</b></a>", 8), 8);
    assert_int_equal(tn_xml_load(path, &document, &err), TN_OK);
    assert_string_equal(tn_xml_child(tn_xml_root(document), "b")->file, path);
    tn_xml_destroy(&document);
    (void)close(fd);
    (void)unlink(path);
    assert_int_equal(tn_xml_load(path, &document, &err), TN_ERR_NOT_FOUND);
    assert_int_equal(tn_xml_load("/", &document, &err), TN_ERR_IO);
    // a file without end
    assert_int_equal(tn_xml_load("/dev/zero", &document, &err), TN_ERR_LIMIT);
    assert_null(document);
}

static void trees_are_built_and_printed(void **state)
{
    (void)state;
    struct tn_xml_document *document = NULL;
    struct tn_xml_node *root = NULL, *node = NULL;
    assert_int_equal(tn_xml_document_create(&document, NULL), TN_OK);
    assert_null(tn_xml_root(document));
    expect_printed(document, "<?xml version=\"1.0\"?>\n");
    assert_int_equal(tn_xml_add_text(document, NULL, "t", NULL, NULL, NULL),
                     TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_xml_add_element(document, NULL, "robot", NULL, &root, NULL), TN_OK);
    assert_ptr_equal(tn_xml_root(document), root);
    assert_int_equal(tn_xml_add_element(document, NULL, "robot", NULL, &node, NULL), TN_ERR_EXISTS);
    for (int i = 0; i < 5; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "n%d", i);
        assert_int_equal(tn_xml_set_attribute(document, root, name, "1", NULL), TN_OK);
    }
    assert_int_equal(tn_xml_set_attribute(document, root, "n2", "<\"&\n\t\r'>", NULL), TN_OK);
    assert_int_equal(root->n_attributes, 5);
    assert_int_equal(tn_xml_add_element(document, root, "a", NULL, &node, NULL), TN_OK);
    assert_int_equal(tn_xml_add_text(document, node, " x < y\r\n", NULL, NULL, NULL), TN_OK);
    assert_int_equal(tn_xml_add_text(document, root, "\n  ", NULL, NULL, NULL), TN_OK);
    assert_int_equal(tn_xml_add_element(document, root, "x:b", NULL, &node, NULL), TN_OK);
    assert_int_equal(tn_xml_add_text(document, root, "\n mixed \n", NULL, &node, NULL), TN_OK);
    assert_int_equal(tn_xml_add_text(document, node, "t", NULL, NULL, NULL),
                     TN_ERR_INVALID_ARGUMENT);
    static const char expected[] =
        "<?xml version=\"1.0\"?>\n"
        "<robot n0=\"1\" n1=\"1\" n2=\"&lt;&quot;&amp;&#10;&#9;&#13;'&gt;\" n3=\"1\" n4=\"1\">\n"
        "  <a> x &lt; y&#13;\n</a>\n"
        "  <x:b/>\n"
        "  mixed\n"
        "</robot>\n";
    expect_printed(document, expected);
    tn_xml_destroy(&document);
    // read again it is the same
    document = parse(expected);
    expect_printed(document, expected);
    tn_xml_destroy(&document);
}

static void what_is_no_xml_is_not_built(void **state)
{
    (void)state;
    static const char *const names[] = {"", "1a", "-a", ".a", "a b", "a>", "a\n", "\xc3", "<"};
    static const char *const texts[] = {
        "\x01", "\xc3(", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "\xef\xbf\xbf", "a\x1f"};
    struct tn_xml_document *document = NULL;
    struct tn_xml_node *root = NULL;
    assert_int_equal(tn_xml_document_create(&document, NULL), TN_OK);
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++)
        assert_int_equal(tn_xml_add_element(document, NULL, names[i], NULL, NULL, NULL),
                         TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_xml_add_element(document, NULL, "\xc3\xa4-1.b", NULL, &root, NULL), TN_OK);
    for (size_t i = 0; i < TN_ARRAY_SIZE(texts); i++) {
        assert_int_equal(tn_xml_add_text(document, root, texts[i], NULL, NULL, NULL),
                         TN_ERR_INVALID_ARGUMENT);
        assert_int_equal(tn_xml_set_attribute(document, root, "a", texts[i], NULL),
                         TN_ERR_INVALID_ARGUMENT);
    }
    assert_int_equal(tn_xml_add_text(document, root, "\xf0\x9f\xa4\x96\t", NULL, NULL, NULL),
                     TN_OK);
    expect_printed(document,
                   "<?xml version=\"1.0\"?>\n<\xc3\xa4-1.b>\xf0\x9f\xa4\x96\t</\xc3\xa4-1.b>\n");
    tn_xml_destroy(&document);
}

static void copies_are_whole_and_their_own(void **state)
{
    (void)state;
    struct tn_xml_document *from = parse("<r>\n<a i='1'>t<b><c/></b><d j='2'/>u</a><e/></r>");
    struct tn_xml_document *into = NULL;
    struct tn_xml_node *root = NULL, *copy = NULL, *deep = NULL;
    assert_int_equal(tn_xml_document_create(&into, NULL), TN_OK);
    assert_int_equal(tn_xml_add_element(into, NULL, "s", NULL, &root, NULL), TN_OK);
    const struct tn_xml_node *node = tn_xml_child(tn_xml_root(from), "a");
    assert_int_equal(tn_xml_clone_into(into, root, node, &copy, NULL), TN_OK);
    assert_int_equal(tn_xml_clone_into(into, root, node->first_child, NULL, NULL), TN_OK);
    tn_xml_destroy(&from);
    assert_int_equal(copy->line, 2);
    assert_string_equal(copy->file, "a.xml");
    // into itself: as it was before
    assert_int_equal(tn_xml_clone_into(into, copy, root, &deep, NULL), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_xml_clone_into(into, copy, copy, &deep, NULL), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_xml_clone_into(into, root, copy, &deep, NULL), TN_OK);
    static const char one[] =
        "  <a i=\"1\">\n    t\n    <b>\n      <c/>\n    </b>\n    <d j=\"2\"/>\n    u\n  </a>\n";
    char expected[512];
    (void)snprintf(expected, sizeof expected, "<?xml version=\"1.0\"?>\n<s>\n%s  t\n%s</s>\n", one,
                   one);
    expect_printed(into, expected);
    // deeper than allowed
    struct tn_xml_node *at = root;
    while (tn_xml_add_element(into, at, "n", NULL, &at, NULL) == TN_OK) {
    }
    assert_int_equal(tn_xml_clone_into(into, at->parent, copy, &deep, NULL), TN_ERR_LIMIT);
    tn_xml_destroy(&into);
}

static void a_stream_that_is_full_is_told(void **state)
{
    (void)state;
    struct tn_xml_document *document = parse("<a>t</a>");
    FILE *full = fopen("/dev/full", "we");
    assert_non_null(full);
    (void)setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(tn_xml_print(document, full), TN_ERR_IO);
    (void)fclose(full);
    tn_xml_destroy(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_as_it_is_written),
        cmocka_unit_test(encodings_become_utf8),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(trees_are_built_and_printed),
        cmocka_unit_test(what_is_no_xml_is_not_built),
        cmocka_unit_test(copies_are_whole_and_their_own),
        cmocka_unit_test(a_stream_that_is_full_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
