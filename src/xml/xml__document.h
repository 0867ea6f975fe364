// SPDX-License-Identifier: Apache-2.0
// private to xml: the memory of a document, and how nodes are put into it
#ifndef TN_XML_XML__DOCUMENT_H
#define TN_XML_XML__DOCUMENT_H

#include <stdbool.h>

#include "xml/xml.h"

struct tn_xml__chunk;

struct tn_xml_document {
    struct tn_xml_node *root;
    struct tn_xml__chunk *chunks; // newest first
    size_t n_bytes;
    uint32_t n_nodes;
};

// why the last take did not give any
enum tn_result tn_xml__no_room(const struct tn_xml_document *document, size_t size);
// size bytes, aligned for anything; NULL: no memory, or beyond the limit
void *tn_xml__take(struct tn_xml_document *document, size_t size);
// a copy with a NUL behind it
char *tn_xml__copy(struct tn_xml_document *document, const char *text, size_t size);
// a node behind the last child of parent (NULL: none yet); NULL: no memory, or beyond a limit
struct tn_xml_node *tn_xml__add(struct tn_xml_document *document, struct tn_xml_node *parent,
                                enum tn_xml_kind kind);
// elements above and including it
uint32_t tn_xml__depth(const struct tn_xml_node *node);

#endif
