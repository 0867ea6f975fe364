// SPDX-License-Identifier: Apache-2.0
// trees as text: the same tree gives the same bytes
#include <stdlib.h>
#include <string.h>

#include "xml/xml__document.h"

static const char blanks[] = " \t\r\n";

// what may not stand as it is, in a text or between the quotes of an attribute
static const char *escape_of(char c, bool is_attribute)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '\r':
        return "&#13;";
    case '"':
        return is_attribute ? "&quot;" : NULL;
    case '\n':
        return is_attribute ? "&#10;" : NULL;
    case '\t':
        return is_attribute ? "&#9;" : NULL;
    default:
        return NULL;
    }
}

static void put_escaped(const char *text, size_t size, bool is_attribute, FILE *out)
{
    size_t start = 0;
    for (size_t i = 0; i < size; i++) {
        const char *escape = escape_of(text[i], is_attribute);
        if (escape == NULL)
            continue;
        (void)fwrite(text + start, 1, i - start, out);
        (void)fputs(escape, out);
        start = i + 1;
    }
    (void)fwrite(text + start, 1, size - start, out);
}

static void put_indent(uint32_t depth, FILE *out)
{
    (void)fprintf(out, "%*s", (int)(2 * depth), "");
}

// elements inside: each child has its own line then
static bool has_elements(const struct tn_xml_node *node)
{
    return tn_xml_child(node, NULL) != NULL;
}

// text without the blanks at its ends, on a line of its own, if there is any
static void put_line(const char *text, uint32_t depth, FILE *out)
{
    text += strspn(text, blanks);
    size_t size = strlen(text);
    while (size > 0 && strchr(blanks, text[size - 1]) != NULL)
        size--;
    if (size == 0)
        return;
    put_indent(depth, out);
    put_escaped(text, size, false, out);
    (void)fputc('\n', out);
}

// the start tag, and all of an element that has no elements; true: its children follow
static bool put_start(const struct tn_xml_node *node, uint32_t depth, FILE *out)
{
    put_indent(depth, out);
    (void)fprintf(out, "<%s", node->name);
    for (uint32_t i = 0; i < node->n_attributes; i++) {
        (void)fprintf(out, " %s=\"", node->attributes[i].name);
        put_escaped(node->attributes[i].value, strlen(node->attributes[i].value), true, out);
        (void)fputc('"', out);
    }
    if (node->first_child == NULL) {
        (void)fputs("/>\n", out);
        return false;
    }
    (void)fputc('>', out);
    if (has_elements(node)) {
        (void)fputc('\n', out);
        return true;
    }
    for (const struct tn_xml_node *text = node->first_child; text != NULL; text = text->next)
        put_escaped(text->text, strlen(text->text), false, out);
    (void)fprintf(out, "</%s>\n", node->name);
    return false;
}

enum tn_result tn_xml_print(const struct tn_xml_document *document, FILE *out)
{
    const struct tn_xml_node *node = document->root;
    uint32_t depth = 0;
    (void)fputs("<?xml version=\"1.0\"?>\n", out);
    while (node != NULL) {
        bool goes_in = false;
        if (node->kind == TN_XML_ELEMENT)
            goes_in = put_start(node, depth, out);
        else
            put_line(node->text, depth, out);
        if (goes_in) {
            node = node->first_child;
            depth++;
            continue;
        }
        // on, or up to where it goes on
        while (node != NULL && node->next == NULL) {
            node = node->parent;
            if (node != NULL) {
                depth--;
                put_indent(depth, out);
                (void)fprintf(out, "</%s>\n", node->name);
            }
        }
        node = node != NULL ? node->next : NULL;
    }
    return ferror(out) != 0 ? TN_ERR_IO : TN_OK;
}

enum tn_result tn_xml_print_text(const struct tn_xml_document *document, char **out_text,
                                 size_t *out_size)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return TN_ERR_NO_MEMORY;
    const enum tn_result result = tn_xml_print(document, out);
    if (fclose(out) != 0 || result != TN_OK) {
        free(text);
        return TN_ERR_NO_MEMORY;
    }
    *out_text = text;
    *out_size = size;
    return TN_OK;
}
