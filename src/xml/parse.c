// SPDX-License-Identifier: Apache-2.0
// texts and files into trees, by expat
#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xml/xml__document.h"

struct reading {
    XML_Parser parser;
    struct tn_xml_document *document;
    struct tn_xml_node *open; // innermost element that is not closed
    uint32_t depth;
    const char *file; // of the document
    char *text;       // between two tags, so far
    size_t n_text, text_room;
    uint32_t text_line, text_column;
    struct tn_error *err;
    enum tn_result result;
};

static uint32_t line_of(const struct reading *self)
{
    return (uint32_t)XML_GetCurrentLineNumber(self->parser);
}

static uint32_t column_of(const struct reading *self)
{
    return (uint32_t)XML_GetCurrentColumnNumber(self->parser) + 1;
}

static void stop(struct reading *self, enum tn_result code, const char *format, unsigned number)
{
    if (self->result != TN_OK)
        return;
    char text[TN_ERROR_TEXT_MAX];
    (void)snprintf(text, sizeof text, format, number); // NOLINT: formats are those below
    self->result = tn_error_at(self->err, code, self->file, (int32_t)line_of(self),
                               (int32_t)column_of(self), "%s", text);
    (void)XML_StopParser(self->parser, XML_FALSE);
}

static void stop_full(struct reading *self, size_t size)
{
    if (tn_xml__no_room(self->document, size) == TN_ERR_LIMIT)
        stop(self, TN_ERR_LIMIT, "the document has more than %u nodes, or too much text",
             TN_XML_NODES_MAX);
    else
        stop(self, TN_ERR_NO_MEMORY, "no memory for the document", 0);
}

static struct tn_xml_node *add_node(struct reading *self, enum tn_xml_kind kind, uint32_t line,
                                    uint32_t column)
{
    struct tn_xml_node *node = tn_xml__add(self->document, self->open, kind);
    if (node == NULL) {
        stop_full(self, sizeof *node);
        return NULL;
    }
    node->file = self->file;
    node->line = line;
    node->column = column;
    return node;
}

// what stood between two tags becomes one node
static void finish_text(struct reading *self)
{
    if (self->n_text == 0 || self->result != TN_OK)
        return;
    const char *copy = tn_xml__copy(self->document, self->text, self->n_text);
    struct tn_xml_node *node = NULL;
    if (copy == NULL)
        stop_full(self, self->n_text);
    else
        node = add_node(self, TN_XML_TEXT, self->text_line, self->text_column);
    if (node != NULL)
        node->text = copy;
    self->n_text = 0;
}

// in ISO-8859-1 expat takes some signs for letters that it refuses in UTF-8
static bool is_name(struct reading *self, const char *name)
{
    for (const char *at = strchr(name, '\xc2'); at != NULL; at = strchr(at + 1, '\xc2')) {
        if (at[1] != '\xb7') {
            stop(self, TN_ERR_SYNTAX, "a name has a character that no name of XML may have", 0);
            return false;
        }
    }
    return true;
}

static bool copy_attributes(struct reading *self, struct tn_xml_node *node, const char **pairs)
{
    uint32_t n = 0;
    while (pairs[2 * (size_t)n] != NULL && n <= TN_XML_ATTRIBUTES_MAX)
        n++;
    if (n > TN_XML_ATTRIBUTES_MAX) {
        stop(self, TN_ERR_LIMIT, "an element has more than %u attributes", TN_XML_ATTRIBUTES_MAX);
        return false;
    }
    // as much room as an element that grows by one has: the next power of two
    size_t room = 1;
    while (room < n)
        room *= 2;
    if (n > 0)
        node->attributes = tn_xml__take(self->document, room * sizeof *node->attributes);
    if (n > 0 && node->attributes == NULL) {
        stop_full(self, room * sizeof *node->attributes);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!is_name(self, pairs[2 * (size_t)i]))
            return false;
        const char *name = pairs[2 * (size_t)i], *value = pairs[2 * (size_t)i + 1];
        struct tn_xml_attribute *attribute = &node->attributes[i];
        attribute->name = tn_xml__copy(self->document, name, strlen(name));
        attribute->value = tn_xml__copy(self->document, value, strlen(value));
        if (attribute->name == NULL || attribute->value == NULL) {
            stop_full(self, strlen(name) + strlen(value));
            return false;
        }
    }
    node->n_attributes = n;
    return true;
}

static void on_start(void *context, const char *name, const char **pairs)
{
    struct reading *self = context;
    finish_text(self);
    if (self->result != TN_OK)
        return;
    if (self->depth >= TN_XML_DEPTH_MAX) {
        stop(self, TN_ERR_LIMIT, "elements lie more than %u deep", TN_XML_DEPTH_MAX);
        return;
    }
    struct tn_xml_node *node =
        is_name(self, name) ? add_node(self, TN_XML_ELEMENT, line_of(self), column_of(self)) : NULL;
    if (node == NULL)
        return;
    if (self->document->root == NULL)
        self->document->root = node;
    node->name = tn_xml__copy(self->document, name, strlen(name));
    if (node->name == NULL) {
        stop_full(self, strlen(name));
        return;
    }
    if (copy_attributes(self, node, pairs)) {
        self->open = node;
        self->depth++;
    }
}

static void on_end(void *context, const char *name)
{
    struct reading *self = context;
    (void)name;
    finish_text(self);
    if (self->result != TN_OK)
        return;
    self->open = self->open->parent;
    self->depth--;
}

static void on_text(void *context, const char *text, int size)
{
    struct reading *self = context;
    if (self->result != TN_OK)
        return;
    if (self->n_text == 0) {
        self->text_line = line_of(self);
        self->text_column = column_of(self);
    }
    const size_t needed = self->n_text + (size_t)size;
    if (needed > self->text_room) {
        const size_t room = needed > 2 * self->text_room ? needed : 2 * self->text_room;
        char *grown = realloc(self->text, room);
        if (grown == NULL) {
            stop(self, TN_ERR_NO_MEMORY, "no memory for a text", 0);
            return;
        }
        self->text = grown;
        self->text_room = room;
    }
    memcpy(self->text + self->n_text, text, (size_t)size);
    self->n_text = needed;
}

static void on_doctype(void *context, const char *name, const char *system_id,
                       const char *public_id, int has_internal_subset)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal_subset;
    stop(context, TN_ERR_UNSUPPORTED,
         "a DOCTYPE is not accepted, nor entities of its own: take it out", 0);
}

// what expat found, and which element was meant
static enum tn_result tell(const struct reading *self)
{
    const enum XML_Error code = XML_GetErrorCode(self->parser);
    const enum tn_result result =
        code == XML_ERROR_NO_MEMORY ? TN_ERR_NO_MEMORY
        : code == XML_ERROR_UNKNOWN_ENCODING || code == XML_ERROR_INCORRECT_ENCODING
            ? TN_ERR_UNSUPPORTED
            : TN_ERR_SYNTAX;
    const bool is_open =
        self->open != NULL && (code == XML_ERROR_TAG_MISMATCH || code == XML_ERROR_NO_ELEMENTS ||
                               code == XML_ERROR_UNCLOSED_TOKEN);
    if (is_open)
        return tn_error_at(self->err, result, self->file, (int32_t)line_of(self),
                           (int32_t)column_of(self), "%s: <%.60s> of line %u is not closed",
                           XML_ErrorString(code), self->open->name, self->open->line);
    return tn_error_at(self->err, result, self->file, (int32_t)line_of(self),
                       (int32_t)column_of(self), "not well-formed XML: %s", XML_ErrorString(code));
}

static enum tn_result read_text(struct reading *self, const char *text, size_t size)
{
    // names of prefixes stay as they are written
    self->parser = XML_ParserCreate(NULL);
    if (self->parser == NULL)
        return tn_error_set(self->err, TN_ERR_NO_MEMORY, "no memory for an XML parser");
    XML_SetUserData(self->parser, self);
    XML_SetElementHandler(self->parser, on_start, on_end);
    XML_SetCharacterDataHandler(self->parser, on_text);
    XML_SetStartDoctypeDeclHandler(self->parser, on_doctype);
    const enum XML_Status status = XML_Parse(self->parser, text, (int)size, XML_TRUE);
    enum tn_result result = self->result;
    if (status != XML_STATUS_OK && result == TN_OK)
        result = tell(self);
    XML_ParserFree(self->parser);
    free(self->text);
    return result;
}

enum tn_result tn_xml_parse(const char *text, size_t size, const char *file,
                            struct tn_xml_document **out_document, struct tn_error *err)
{
    struct reading reading = {.err = err};
    if (size > TN_XML_BYTES_MAX)
        return tn_error_at(err, TN_ERR_LIMIT, file, 0, 0, "more than %zu MiB of XML",
                           TN_XML_BYTES_MAX >> 20);
    enum tn_result result = tn_xml_document_create(&reading.document, err);
    if (result != TN_OK)
        return result;
    reading.file = tn_xml__copy(reading.document, file, strlen(file));
    if (reading.file == NULL)
        result = tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for an XML document");
    if (result == TN_OK)
        result = read_text(&reading, text, size);
    if (result == TN_OK)
        *out_document = reading.document;
    else
        tn_xml_destroy(&reading.document);
    return result;
}

// ---- files ----

// all of a file, at most one byte more than is allowed
static enum tn_result slurp(int fd, char **out_text, size_t *out_size)
{
    size_t room = 65536, used = 0;
    char *text = malloc(room);
    while (text != NULL && used <= TN_XML_BYTES_MAX) {
        if (used == room) {
            room *= 2;
            char *grown = realloc(text, room);
            if (grown == NULL)
                break;
            text = grown;
        }
        const ssize_t n = read(fd, text + used, room - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            const int error = errno;
            free(text);
            errno = error;
            return TN_ERR_IO;
        }
        used += (size_t)n;
        if (n == 0 || used > TN_XML_BYTES_MAX) {
            *out_text = text;
            *out_size = used;
            return TN_OK;
        }
    }
    free(text);
    return TN_ERR_NO_MEMORY;
}

enum tn_result tn_xml_load(const char *path, struct tn_xml_document **out_document,
                           struct tn_error *err)
{
    char *text = NULL;
    size_t size = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tn_error_at(err,
                           errno == ENOENT || errno == ENOTDIR ? TN_ERR_NOT_FOUND
                           : errno == EACCES || errno == EPERM ? TN_ERR_PERMISSION
                                                               : TN_ERR_IO,
                           path, 0, 0, "cannot open the file: %s", strerror(errno));
    enum tn_result result = slurp(fd, &text, &size);
    const int error = errno;
    (void)close(fd);
    if (result == TN_ERR_IO)
        return tn_error_at(err, result, path, 0, 0, "cannot read the file: %s", strerror(error));
    if (result != TN_OK)
        return tn_error_at(err, result, path, 0, 0, "no memory for the file");
    result = tn_xml_parse(text, size, path, out_document, err);
    free(text);
    return result;
}
