// SPDX-License-Identifier: Apache-2.0
// any bytes as XML: what is read is within its limits, prints, and reads back as the same; its copy
// is the same as well
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "xml/xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_fine)
{
    if (!is_fine)
        abort();
}

static char *print(const struct tn_xml_document *document, size_t *out_size)
{
    char *text = NULL;
    require(tn_xml_print_text(document, &text, out_size) == TN_OK);
    require(strlen(text) == *out_size);
    return text;
}

static void check_tree(const struct tn_xml_document *document)
{
    uint32_t depth = 1, n = 0;
    const struct tn_xml_node *node = tn_xml_root(document);
    while (node != NULL) {
        require(++n <= TN_XML_NODES_MAX && depth <= TN_XML_DEPTH_MAX + 1);
        require((node->kind == TN_XML_ELEMENT) == (node->name != NULL));
        require((node->kind == TN_XML_TEXT) == (node->text != NULL));
        require(node->line > 0 && node->column > 0 && node->n_attributes <= TN_XML_ATTRIBUTES_MAX);
        // adjacent texts are one
        require(node->kind == TN_XML_ELEMENT || node->next == NULL ||
                node->next->kind == TN_XML_ELEMENT);
        if (node->first_child != NULL) {
            require(node->first_child->parent == node && node->last_child->next == NULL);
            node = node->first_child;
            depth++;
            continue;
        }
        for (; node != NULL && node->next == NULL; depth--)
            node = node->parent;
        node = node != NULL ? node->next : NULL;
    }
}

static void check_copy(const struct tn_xml_document *document, const char *text)
{
    struct tn_xml_document *copy = NULL;
    size_t size = 0;
    require(tn_xml_document_create(&copy, NULL) == TN_OK);
    require(tn_xml_clone_into(copy, NULL, tn_xml_root(document), NULL, NULL) == TN_OK);
    char *printed = print(copy, &size);
    require(strcmp(printed, text) == 0);
    free(printed);
    tn_xml_destroy(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_xml_document *document = NULL;
    struct tn_error err = {0};
    if (tn_xml_parse((const char *)data, size, "fuzz", &document, &err) != TN_OK) {
        require(document == NULL && err.text[0] != '\0');
        return 0;
    }
    size_t n = 0, again_n = 0;
    char *text = print(document, &n);
    check_tree(document);
    check_copy(document, text);
    tn_xml_destroy(&document);
    require(tn_xml_parse(text, n, "fuzz", &document, &err) == TN_OK);
    char *again = print(document, &again_n);
    require(n == again_n && memcmp(text, again, n) == 0);
    free(text);
    free(again);
    tn_xml_destroy(&document);
    return 0;
}
