// SPDX-License-Identifier: Apache-2.0
// prints random messages of every type, one JSON object a line: type, schema, bytes, value
#include <stdlib.h>
#include <string.h>

#include "tn_msgs/all_grammar.h"
#include "tn_msgs/all_msgs.h"
#include "unit/rosidl/values.h"

#define ARENA_SIZE  ((size_t)4 << 20)
#define MESSAGE_MAX ((size_t)1 << 18)
#define SCHEMA_MAX  ((size_t)1 << 16)
#define N_SEEDS     3u

static bool has_wide(const struct tn_type *type)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *f = &type->fields[i];
        if (f->type == TN_TYPE_WSTRING || (f->nested != NULL && has_wide(f->nested))) {
            return true;
        }
    }
    return false;
}

static void print_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            fputs("\\n", stdout);
        } else {
            printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
        }
    }
    putchar('"');
}

struct buffers {
    struct tn_arena arena;
    uint8_t *bytes;
    void *msg;
    char *schema;
};

static bool print_sample(struct buffers *b, const struct tn_type *type, uint32_t seed)
{
    struct tn_cdr_writer writer;
    tn_arena_reset(&b->arena);
    struct values values = {
        .state = seed * 104729u + 17, .max_elements = seed * 3, .arena = &b->arena};
    values_fill(&values, type, b->msg);
    tn_cdr_writer_begin(&writer, b->bytes, MESSAGE_MAX);
    if (tn_type_encode(type, b->msg, &writer) != TN_OK ||
        tn_type_schema(type, b->schema, SCHEMA_MAX) >= SCHEMA_MAX) {
        return false;
    }
    printf("{\"type\":\"%s\",\"schema\":", type->ros_name);
    print_text(b->schema);
    fputs(",\"cdr\":\"", stdout);
    for (size_t i = 0; i < writer.size; i++) {
        printf("%02x", b->bytes[i]);
    }
    fputs("\",\"value\":", stdout);
    values_json(stdout, type, b->msg);
    fputs("}\n", stdout);
    return true;
}

static bool print_all(struct buffers *b, const struct tn_type *const *types, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        // the reader on the other side has no wide strings
        for (uint32_t seed = 0; seed < N_SEEDS && !has_wide(types[i]); seed++) {
            if (!print_sample(b, types[i], seed)) {
                fprintf(stderr, "%s cannot be encoded\n", types[i]->ros_name);
                return false;
            }
        }
    }
    return true;
}

int main(void)
{
    struct buffers b = {
        .bytes = malloc(MESSAGE_MAX), .msg = malloc(MESSAGE_MAX), .schema = malloc(SCHEMA_MAX)};
    if (b.bytes == NULL || b.msg == NULL || b.schema == NULL ||
        tn_arena_create(&b.arena, ARENA_SIZE) != TN_OK) {
        return 1;
    }
    bool is_done = print_all(&b, tn_all_msgs, tn_all_msgs_n) &&
                   print_all(&b, tn_all_grammar, tn_all_grammar_n);
    tn_arena_destroy(&b.arena);
    free(b.bytes);
    free(b.msg);
    free(b.schema);
    return is_done ? 0 : 1;
}
