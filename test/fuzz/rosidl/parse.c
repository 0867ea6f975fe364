// SPDX-License-Identifier: Apache-2.0
// Random interface texts. The first byte chooses message, service or schema. What is accepted must
// also be emitted; what is refused must say where.
#include <stdlib.h>
#include <string.h>

#include "rosidl/compiler/compiler.h"

#define ARENA_SIZE ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static enum tn_result parse(struct tn_idl *idl, uint8_t kind, const char *text, size_t size,
                            struct tn_error *err)
{
    switch (kind % 3) {
    case 0:
        return tn_idl_parse(idl, "pkg/msg/Thing", "text", text, size, err);
    case 1:
        return tn_idl_parse(idl, "pkg/srv/Thing", "text", text, size, err);
    default:
        return tn_idl_parse_schema(idl, "pkg/msg/Thing", "text", text, size, err);
    }
}

typedef enum tn_result emit_fn(const struct tn_idl *idl, const char *package, FILE *out);

static void emit(const struct tn_idl *idl, emit_fn *emit_one)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    require(out != NULL && emit_one(idl, "pkg", out) == TN_OK);
    require(fclose(out) == 0);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static _Alignas(16) uint8_t block[ARENA_SIZE];
    struct tn_arena arena;
    struct tn_idl idl;
    struct tn_error err = {0};
    if (size < 1 || size > 1 << 12) {
        return 0;
    }
    tn_arena_init(&arena, block, sizeof block);
    tn_idl_init(&idl, &arena);
    enum tn_result result = parse(&idl, data[0], (const char *)data + 1, size - 1, &err);
    if (result == TN_OK) {
        result = tn_idl_resolve(&idl, &err);
    }
    if (result == TN_OK) {
        emit(&idl, tn_idl_emit_header);
        emit(&idl, tn_idl_emit_source);
    } else {
        require(err.code == result && err.text[0] != '\0');
    }
    return 0;
}
