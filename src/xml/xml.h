// SPDX-License-Identifier: Apache-2.0
/// @file
/// XML as a tree: read with limits, built, and printed.
///
/// Meant for files that people write (launch files, URDF, xacro) and that may come from anywhere:
/// all limits are constants below; a DOCTYPE, and with it every entity of its own, is refused; only
/// the five entities of XML and numeric references exist. Every error names file, line and column.
/// Nothing recurses on input.
///
/// Comments and processing instructions are dropped, CDATA is text, and adjacent text is one node.
/// Names are kept as they are written, prefix included ("xacro:macro"): namespaces are not looked
/// into. Blanks are kept. UTF-8, UTF-16 and ISO-8859-1 are read; strings in the tree are UTF-8.
#ifndef TN_XML_XML_H
#define TN_XML_XML_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/result.h"

/// Bytes of one text that is read.
#define TN_XML_BYTES_MAX ((size_t)16 << 20)
/// Elements inside elements.
#define TN_XML_DEPTH_MAX 64u
/// Elements and texts of a document, those that were built included.
#define TN_XML_NODES_MAX (1u << 20)
/// Attributes of an element.
#define TN_XML_ATTRIBUTES_MAX 256u
/// All strings and nodes of a document together, bytes.
#define TN_XML_MEMORY_MAX ((size_t)256 << 20)

enum tn_xml_kind { TN_XML_ELEMENT, TN_XML_TEXT };

struct tn_xml_attribute {
    const char *name, *value;
};

/// A node of a tree. Treat as read-only; all pointers live as long as the document.
struct tn_xml_node {
    enum tn_xml_kind kind;
    const char *name;                    ///< of an element, as written; NULL for a text
    const char *text;                    ///< of a text; NULL for an element
    struct tn_xml_attribute *attributes; ///< (n_attributes), in the order they are written
    uint32_t n_attributes;
    struct tn_xml_node *parent; ///< NULL: the root
    struct tn_xml_node *first_child, *last_child, *next;
    const char *file;      ///< where it was read, "" when it was built
    uint32_t line, column; ///< 1-based; 0 when it was built
};

/// A tree and the memory of all that is in it. Opaque.
struct tn_xml_document;

/// Reads a text.
/// @param file   for messages and the nodes; copied
/// @return TN_OK; TN_ERR_SYNTAX: not well-formed, or a NUL or bad UTF-8; TN_ERR_UNSUPPORTED: a
/// DOCTYPE or an encoding that is not known; TN_ERR_LIMIT: beyond one of the limits above;
/// TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_xml_parse(const char *text, size_t size, const char *file,
                                         struct tn_xml_document **out_document,
                                         struct tn_error *err);

/// Reads a file.
/// @return as tn_xml_parse(); TN_ERR_NOT_FOUND: no such file; TN_ERR_PERMISSION; TN_ERR_IO: cannot
/// be read, or is a folder. Thread: any. Allocates: yes. Blocks: file system.
TN_NODISCARD enum tn_result tn_xml_load(const char *path, struct tn_xml_document **out_document,
                                        struct tn_error *err);

/// Frees a document with all its nodes. Accepts NULL, nulls the pointer. @return nothing.
/// Thread: one caller. Allocates: never. Blocks: never.
void tn_xml_destroy(struct tn_xml_document **document);

/// @return the outermost element; NULL in a document that is being built and has none yet.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_xml_node *tn_xml_root(const struct tn_xml_document *document);

/// @return the value of an attribute; NULL: the element does not have it. Thread: any. Allocates:
/// never. Blocks: never. Cost: O(attributes).
const char *tn_xml_attribute(const struct tn_xml_node *node, const char *name);

/// @return the first child element of that name (NULL: of any), or NULL. Thread: any. Allocates:
/// never. Blocks: never.
struct tn_xml_node *tn_xml_child(const struct tn_xml_node *node, const char *name);

/// @return the next sibling element of that name (NULL: of any), or NULL. Thread: any. Allocates:
/// never. Blocks: never.
struct tn_xml_node *tn_xml_next(const struct tn_xml_node *node, const char *name);

// ---- building ----

/// Makes a document without a root. @return TN_OK; TN_ERR_NO_MEMORY.
/// Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_xml_document_create(struct tn_xml_document **out_document,
                                                   struct tn_error *err);

/// Adds an element behind the last child of `parent`.
/// @param parent     NULL: it becomes the root
/// @param origin     the node whose file, line and column it gets; NULL: none
/// @param out_node   may be NULL
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: the name is none of XML's, or `parent` is a text;
/// TN_ERR_EXISTS: there is a root; TN_ERR_LIMIT; TN_ERR_NO_MEMORY. Thread: one caller. Allocates:
/// yes. Blocks: never.
TN_NODISCARD enum tn_result tn_xml_add_element(struct tn_xml_document *document,
                                               struct tn_xml_node *parent, const char *name,
                                               const struct tn_xml_node *origin,
                                               struct tn_xml_node **out_node, struct tn_error *err);

/// Adds a text behind the last child of `parent`, which is an element.
/// @return as tn_xml_add_element(). Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_xml_add_text(struct tn_xml_document *document,
                                            struct tn_xml_node *parent, const char *text,
                                            const struct tn_xml_node *origin,
                                            struct tn_xml_node **out_node, struct tn_error *err);

/// Gives an element an attribute, or the one it has another value.
/// @return as tn_xml_add_element(). Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_xml_set_attribute(struct tn_xml_document *document,
                                                 struct tn_xml_node *node, const char *name,
                                                 const char *value, struct tn_error *err);

/// Copies a node with everything in it, also one of another document, behind the last child of
/// `parent`.
/// @return as tn_xml_add_element(); on error a part of it may have been added.
/// Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_xml_clone_into(struct tn_xml_document *document,
                                              struct tn_xml_node *parent,
                                              const struct tn_xml_node *node,
                                              struct tn_xml_node **out_node, struct tn_error *err);

/// Writes the document: `<?xml version="1.0"?>`, two blanks for each level, texts as they are but
/// for blanks at their ends when the element has elements too; the same tree gives the same bytes.
/// @return TN_OK; TN_ERR_IO: the stream has an error. Thread: any. Allocates: never. Blocks: as the
/// stream.
enum tn_result tn_xml_print(const struct tn_xml_document *document, FILE *out);

/// The same into memory.
/// @param out_text   NUL-terminated, to be freed with free()
/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_xml_print_text(const struct tn_xml_document *document,
                                              char **out_text, size_t *out_size);

#endif
