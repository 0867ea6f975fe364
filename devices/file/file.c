// SPDX-License-Identifier: Apache-2.0
#include "devices/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_CAPACITY ((size_t)64 << 10)

struct reader {
    const char *path;
    int fd;
    char *text;
    size_t size, capacity, max_size;
    struct tn_error *err;
};

static enum tn_result fail_errno(const struct reader *reader, const char *what)
{
    enum tn_result code = errno == ENOENT   ? TN_ERR_NOT_FOUND
                          : errno == EACCES ? TN_ERR_PERMISSION
                                            : TN_ERR_IO;
    return tn_error_at(reader->err, code, reader->path, 0, 0, "cannot %s: %s", what,
                       strerror(errno));
}

// room for more bytes and the NUL
static enum tn_result grow(struct reader *reader)
{
    size_t capacity = reader->capacity == 0 ? FIRST_CAPACITY : 2 * reader->capacity;
    char *text = realloc(reader->text, capacity);
    if (text == NULL)
        return tn_error_at(reader->err, TN_ERR_NO_MEMORY, reader->path, 0, 0,
                           "no memory for %zu bytes", capacity);
    reader->text = text;
    reader->capacity = capacity;
    return TN_OK;
}

static enum tn_result read_some(struct reader *reader, bool *out_is_end)
{
    if (reader->capacity - reader->size < 2) {
        enum tn_result result = grow(reader);
        if (result != TN_OK)
            return result;
    }
    ssize_t n = read(reader->fd, reader->text + reader->size, reader->capacity - reader->size - 1);
    if (n < 0)
        return errno == EINTR ? TN_OK : fail_errno(reader, "read it");
    *out_is_end = n == 0;
    reader->size += (size_t)n;
    if (reader->size > reader->max_size)
        return tn_error_at(reader->err, TN_ERR_LIMIT, reader->path, 0, 0,
                           "larger than %zu bytes, the most that is read", reader->max_size);
    return TN_OK;
}

enum tn_result tn_file_read(const char *path, size_t max_size, char **out_text, size_t *out_size,
                            struct tn_error *err)
{
    struct reader reader = {.path = path, .max_size = max_size, .err = err};
    reader.fd = open(path, O_RDONLY | O_CLOEXEC);
    if (reader.fd < 0)
        return fail_errno(&reader, "open it");
    bool is_end = false;
    enum tn_result result = TN_OK;
    while (result == TN_OK && !is_end)
        result = read_some(&reader, &is_end);
    (void)close(reader.fd);
    if (result != TN_OK) {
        free(reader.text);
        return result;
    }
    reader.text[reader.size] = '\0';
    *out_text = reader.text;
    *out_size = reader.size;
    return TN_OK;
}
