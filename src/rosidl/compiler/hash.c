// SPDX-License-Identifier: Apache-2.0
// RIHS01: SHA-256 over the JSON description of a type and of all types it uses
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "rosidl/compiler/compiler__internal.h"

// base type plus what the kind of array adds; bounded strings have numbers of their own
static unsigned type_number(const struct tn_idl_type *type)
{
    static const unsigned array_offset[] = {
        [TN_ARRAY_NONE] = 0,
        [TN_ARRAY_FIXED] = 48,
        [TN_ARRAY_BOUNDED] = 96,
        [TN_ARRAY_UNBOUNDED] = 144,
    };
    unsigned number = (unsigned)type->id;
    if (type->string_capacity != 0) {
        number = type->id == TN_TYPE_STRING ? 21 : 22;
    }
    return number + array_offset[type->array];
}

static void write_struct(FILE *out, const struct tn_idl_struct *type)
{
    fprintf(out, "{\"type_name\": \"%s\", \"fields\": [", type->full_name);
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        fprintf(out,
                "{\"name\": \"%s\", \"type\": {\"type_id\": %u, \"capacity\": %u, "
                "\"string_capacity\": %u, \"nested_type_name\": \"%s\"}}%s",
                f->name, type_number(&f->type), (unsigned)f->type.capacity,
                (unsigned)f->type.string_capacity, f->type.nested_name,
                f->next != NULL ? ", " : "");
    }
    fputs("]}", out);
}

static void write_description(FILE *out, const struct tn_idl_struct *type,
                              const struct tn_idl_struct *const *used, uint32_t n_used)
{
    fputs("{\"type_description\": ", out);
    write_struct(out, type);
    fputs(", \"referenced_type_descriptions\": [", out);
    for (uint32_t i = 0; i < n_used; i++) {
        fputs(i > 0 ? ", " : "", out);
        write_struct(out, used[i]);
    }
    fputs("]}", out);
}

static enum tn_result digest(const char *text, size_t size, char out_hash[TN_IDL_HASH_SIZE])
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned int n = 0;
    if (EVP_Digest(text, size, bytes, &n, EVP_sha256(), NULL) != 1 || n != 32) {
        return TN_ERR_INTERNAL;
    }
    int at = snprintf(out_hash, TN_IDL_HASH_SIZE, "RIHS01_");
    for (unsigned i = 0; i < n; i++) {
        at += snprintf(out_hash + at, TN_IDL_HASH_SIZE - (size_t)at, "%02x", bytes[i]);
    }
    return TN_OK;
}

enum tn_result tn_idl_hash(const struct tn_idl *idl, const struct tn_idl_struct *type,
                           char out_hash[TN_IDL_HASH_SIZE])
{
    char *text = NULL;
    size_t size = 0;
    enum tn_result result = TN_ERR_NO_MEMORY;
    const struct tn_idl_struct **used = calloc(idl->n_structs, sizeof *used);
    FILE *out = used != NULL ? open_memstream(&text, &size) : NULL;
    if (out != NULL) {
        write_description(out, type, used, tn_idl__used(type, used));
        if (fclose(out) == 0) {
            result = digest(text, size, out_hash);
        }
    }
    free(text);
    free(used);
    return result;
}
