// SPDX-License-Identifier: Apache-2.0
// the tree: its memory, what is asked of it, and building it
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "xml/xml__document.h"

enum { CHUNK_BYTES = 65536 };

struct tn_xml__chunk {
    struct tn_xml__chunk *next;
    size_t size, used;
    alignas(max_align_t) char bytes[];
};

// ---- memory ----

static struct tn_xml__chunk *add_chunk(struct tn_xml_document *document, size_t size)
{
    const size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    if (room > TN_XML_MEMORY_MAX - document->n_bytes)
        return NULL;
    struct tn_xml__chunk *chunk = malloc(sizeof *chunk + room);
    if (chunk == NULL)
        return NULL;
    *chunk = (struct tn_xml__chunk){.next = document->chunks, .size = room};
    document->chunks = chunk;
    document->n_bytes += room;
    return chunk;
}

void *tn_xml__take(struct tn_xml_document *document, size_t size)
{
    if (size > TN_XML_MEMORY_MAX)
        return NULL;
    const size_t padded = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    struct tn_xml__chunk *chunk = document->chunks;
    if (chunk == NULL || chunk->size - chunk->used < padded)
        chunk = add_chunk(document, padded);
    if (chunk == NULL)
        return NULL;
    void *taken = chunk->bytes + chunk->used;
    chunk->used += padded;
    return taken;
}

char *tn_xml__copy(struct tn_xml_document *document, const char *text, size_t size)
{
    char *copy = tn_xml__take(document, size + 1);
    if (copy == NULL)
        return NULL;
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

enum tn_result tn_xml__no_room(const struct tn_xml_document *document, size_t size)
{
    const size_t rest = TN_XML_MEMORY_MAX - document->n_bytes;
    const bool is_full =
        document->n_nodes >= TN_XML_NODES_MAX || size > rest || (size_t)CHUNK_BYTES > rest;
    return is_full ? TN_ERR_LIMIT : TN_ERR_NO_MEMORY;
}

struct tn_xml_node *tn_xml__add(struct tn_xml_document *document, struct tn_xml_node *parent,
                                enum tn_xml_kind kind)
{
    if (document->n_nodes >= TN_XML_NODES_MAX)
        return NULL;
    struct tn_xml_node *node = tn_xml__take(document, sizeof *node);
    if (node == NULL)
        return NULL;
    *node = (struct tn_xml_node){.kind = kind, .parent = parent, .file = ""};
    document->n_nodes++;
    if (parent == NULL)
        return node;
    if (parent->last_child != NULL)
        parent->last_child->next = node;
    else
        parent->first_child = node;
    parent->last_child = node;
    return node;
}

uint32_t tn_xml__depth(const struct tn_xml_node *node)
{
    uint32_t depth = 0;
    for (; node != NULL; node = node->parent)
        depth++;
    return depth;
}

enum tn_result tn_xml_document_create(struct tn_xml_document **out_document, struct tn_error *err)
{
    struct tn_xml_document *document = calloc(1, sizeof *document);
    if (document == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for an XML document");
    *out_document = document;
    return TN_OK;
}

void tn_xml_destroy(struct tn_xml_document **document)
{
    struct tn_xml_document *self = *document;
    *document = NULL;
    if (self == NULL)
        return;
    while (self->chunks != NULL) {
        struct tn_xml__chunk *chunk = self->chunks;
        self->chunks = chunk->next;
        free(chunk);
    }
    free(self);
}

// ---- asking ----

struct tn_xml_node *tn_xml_root(const struct tn_xml_document *document)
{
    return document->root;
}

const char *tn_xml_attribute(const struct tn_xml_node *node, const char *name)
{
    for (uint32_t i = 0; i < node->n_attributes; i++)
        if (strcmp(node->attributes[i].name, name) == 0)
            return node->attributes[i].value;
    return NULL;
}

static struct tn_xml_node *first_of(struct tn_xml_node *node, const char *name)
{
    while (node != NULL &&
           (node->kind != TN_XML_ELEMENT || (name != NULL && strcmp(node->name, name) != 0)))
        node = node->next;
    return node;
}

struct tn_xml_node *tn_xml_child(const struct tn_xml_node *node, const char *name)
{
    return first_of(node->first_child, name);
}

struct tn_xml_node *tn_xml_next(const struct tn_xml_node *node, const char *name)
{
    return first_of(node->next, name);
}

// ---- building ----

static bool is_name_byte(unsigned char c, bool is_first)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c >= 0x80)
        return true;
    return !is_first && ((c >= '0' && c <= '9') || c == '-' || c == '.');
}

// bytes of the UTF-8 character at a place; 0: none that XML allows
static size_t character(const unsigned char *at)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {
        {0x80, 0x00, 0x20}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t n = 0; n < TN_ARRAY_SIZE(forms); n++) {
        if ((at[0] & forms[n].mask) != forms[n].lead)
            continue;
        uint32_t value = at[0] & (unsigned char)~forms[n].mask;
        for (size_t i = 1; i <= n; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            value = value << 6 | (at[i] & 0x3fu);
        }
        const bool is_blank = value == '\t' || value == '\n' || value == '\r';
        const bool is_none = (value < forms[n].least && !is_blank) ||
                             (value >= 0xd800 && value <= 0xdfff) || value == 0xfffe ||
                             value == 0xffff || value > 0x10ffff;
        return is_none ? 0 : n + 1;
    }
    return 0;
}

static bool is_text(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        const size_t size = character(at);
        if (size == 0)
            return false;
        at += size;
    }
    return true;
}

static bool is_name(const char *name)
{
    for (size_t i = 0; name[i] != '\0'; i++)
        if (!is_name_byte((unsigned char)name[i], i == 0))
            return false;
    return name[0] != '\0' && is_text(name);
}

static enum tn_result not_allowed(struct tn_error *err, const char *what, const char *text)
{
    return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "\"%.80s\" is no %s of XML", text, what);
}

static enum tn_result no_room(const struct tn_xml_document *document, size_t size,
                              struct tn_error *err)
{
    const enum tn_result code = tn_xml__no_room(document, size);
    return tn_error_set(err, code,
                        code == TN_ERR_LIMIT
                            ? "the document would have more than %u nodes or %zu MiB"
                            : "no memory for one more of at most %u nodes, %zu MiB",
                        TN_XML_NODES_MAX, TN_XML_MEMORY_MAX >> 20);
}

// checks that a child may be put there
static enum tn_result check_parent(const struct tn_xml_document *document,
                                   const struct tn_xml_node *parent, enum tn_xml_kind kind,
                                   struct tn_error *err)
{
    if (parent == NULL && kind == TN_XML_TEXT)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "a text needs an element around it");
    if (parent == NULL && document->root != NULL)
        return tn_error_set(err, TN_ERR_EXISTS, "the document has its outermost element already");
    if (parent != NULL && parent->kind != TN_XML_ELEMENT)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "a text has nothing inside");
    if (kind == TN_XML_ELEMENT && tn_xml__depth(parent) >= TN_XML_DEPTH_MAX)
        return tn_error_set(err, TN_ERR_LIMIT, "elements lie more than %u deep", TN_XML_DEPTH_MAX);
    return TN_OK;
}

// a node with its string, where and whose it is
static enum tn_result add(struct tn_xml_document *document, struct tn_xml_node *parent,
                          enum tn_xml_kind kind, const char *string,
                          const struct tn_xml_node *origin, struct tn_xml_node **out_node,
                          struct tn_error *err)
{
    enum tn_result result = check_parent(document, parent, kind, err);
    if (result != TN_OK)
        return result;
    // another document's file name would go with it
    const char *copy = tn_xml__copy(document, string, strlen(string));
    const char *file = "";
    if (origin != NULL && origin->file[0] != '\0')
        file = parent != NULL && strcmp(parent->file, origin->file) == 0
                   ? parent->file
                   : tn_xml__copy(document, origin->file, strlen(origin->file));
    struct tn_xml_node *node =
        copy != NULL && file != NULL ? tn_xml__add(document, parent, kind) : NULL;
    if (node == NULL)
        return no_room(document, strlen(string) + sizeof *node, err);
    node->name = kind == TN_XML_ELEMENT ? copy : NULL;
    node->text = kind == TN_XML_TEXT ? copy : NULL;
    node->file = file;
    node->line = origin != NULL ? origin->line : 0;
    node->column = origin != NULL ? origin->column : 0;
    if (parent == NULL)
        document->root = node;
    if (out_node != NULL)
        *out_node = node;
    return TN_OK;
}

enum tn_result tn_xml_add_element(struct tn_xml_document *document, struct tn_xml_node *parent,
                                  const char *name, const struct tn_xml_node *origin,
                                  struct tn_xml_node **out_node, struct tn_error *err)
{
    if (!is_name(name))
        return not_allowed(err, "name", name);
    return add(document, parent, TN_XML_ELEMENT, name, origin, out_node, err);
}

enum tn_result tn_xml_add_text(struct tn_xml_document *document, struct tn_xml_node *parent,
                               const char *text, const struct tn_xml_node *origin,
                               struct tn_xml_node **out_node, struct tn_error *err)
{
    if (!is_text(text))
        return not_allowed(err, "text", text);
    return add(document, parent, TN_XML_TEXT, text, origin, out_node, err);
}

enum tn_result tn_xml_set_attribute(struct tn_xml_document *document, struct tn_xml_node *node,
                                    const char *name, const char *value, struct tn_error *err)
{
    if (node->kind != TN_XML_ELEMENT || !is_name(name))
        return not_allowed(err, "attribute", name);
    if (!is_text(value))
        return not_allowed(err, "attribute's value", value);
    uint32_t at = 0;
    while (at < node->n_attributes && strcmp(node->attributes[at].name, name) != 0)
        at++;
    if (at >= TN_XML_ATTRIBUTES_MAX)
        return tn_error_set(err, TN_ERR_LIMIT, "<%.60s> has more than %u attributes", node->name,
                            TN_XML_ATTRIBUTES_MAX);
    const char *copy = tn_xml__copy(document, value, strlen(value));
    if (copy == NULL)
        return no_room(document, strlen(value), err);
    if (at < node->n_attributes) {
        node->attributes[at].value = copy;
        return TN_OK;
    }
    // room doubles, so that many attributes cost no more than twice their size
    struct tn_xml_attribute *attributes = node->attributes;
    const bool is_full = (at & (at - 1)) == 0;
    if (is_full) {
        attributes = tn_xml__take(document, sizeof *attributes * (at == 0 ? 1 : 2 * (size_t)at));
        if (attributes != NULL && at > 0)
            memcpy(attributes, node->attributes, sizeof *attributes * at);
    }
    const char *own_name = tn_xml__copy(document, name, strlen(name));
    if (attributes == NULL || own_name == NULL)
        return no_room(document, strlen(name) + sizeof *attributes, err);
    attributes[at] = (struct tn_xml_attribute){.name = own_name, .value = copy};
    node->attributes = attributes;
    node->n_attributes++;
    return TN_OK;
}

// one node without what is in it
static enum tn_result clone_one(struct tn_xml_document *document, struct tn_xml_node *parent,
                                const struct tn_xml_node *node, struct tn_xml_node **out_node,
                                struct tn_error *err)
{
    enum tn_result result =
        add(document, parent, node->kind, node->kind == TN_XML_ELEMENT ? node->name : node->text,
            node, out_node, err);
    for (uint32_t i = 0; result == TN_OK && i < node->n_attributes; i++)
        result = tn_xml_set_attribute(document, *out_node, node->attributes[i].name,
                                      node->attributes[i].value, err);
    return result;
}

enum tn_result tn_xml_clone_into(struct tn_xml_document *document, struct tn_xml_node *parent,
                                 const struct tn_xml_node *node, struct tn_xml_node **out_node,
                                 struct tn_error *err)
{
    struct tn_xml_node *clone = NULL;
    for (const struct tn_xml_node *at = parent; at != NULL; at = at->parent)
        if (at == node)
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "an element cannot be inside itself");
    enum tn_result result = clone_one(document, parent, node, &clone, err);
    if (result == TN_OK && out_node != NULL)
        *out_node = clone;
    // down first, then on, and up where there is no more
    const struct tn_xml_node *from = node;
    struct tn_xml_node *into = clone; // of what `from` is
    while (result == TN_OK) {
        const struct tn_xml_node *next = from->first_child;
        while (next == NULL && from != node) {
            next = from->next;
            into = into->parent;
            if (next == NULL)
                from = from->parent;
        }
        if (next == NULL)
            break;
        result = clone_one(document, into, next, &clone, err);
        from = next;
        into = clone;
    }
    return result;
}
