// SPDX-License-Identifier: Apache-2.0
// Schema texts made into types. What is made must write its defaults, read them back equal, and the
// name must be taken; what is refused must leave the name free.
#include <stdlib.h>

#include "rosidl/compiler/runtime.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void *room(size_t size)
{
    void *memory = malloc(size);
    require(memory != NULL);
    return memory;
}

static void check_defaults(const struct tn_type *type)
{
    static _Alignas(16) uint8_t block[1u << 20];
    struct tn_arena arena;
    struct tn_cdr_writer writer;
    struct tn_cdr_reader reader;
    void *msg = room(type->size), *out = room(type->size);
    tn_type_init(type, msg);
    size_t size = tn_type_encoded_size(type, msg);
    uint8_t *bytes = room(size);
    tn_cdr_writer_begin(&writer, bytes, size);
    require(tn_type_encode(type, msg, &writer) == TN_OK && writer.size == size);
    require(size >= type->min_cdr_size + TN_CDR_HEADER_SIZE);
    tn_arena_init(&arena, block, sizeof block);
    require(tn_cdr_reader_begin(&reader, bytes, size) == TN_OK);
    enum tn_result result = tn_type_decode(type, out, &reader, &arena);
    require(result == TN_ERR_NO_MEMORY || (result == TN_OK && tn_type_equal(type, msg, out)));
    free(bytes);
    free(out);
    free(msg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_error err = {0};
    struct tn_idl_types *types = NULL;
    const struct tn_type *type = NULL;
    const char *text = (const char *)data;
    require(tn_idl_types_create(&types, &err) == TN_OK);
    enum tn_result result = tn_idl_types_parse(types, "x_msgs/msg/A", text, size, &type, &err);
    if (result == TN_OK) {
        check_defaults(type);
    }
    enum tn_result again = tn_idl_types_parse(types, "x_msgs/msg/A", "uint8 free", 10, &type, &err);
    require(again == (result == TN_OK ? TN_ERR_EXISTS : TN_OK));
    tn_idl_types_destroy(&types);
    return 0;
}
