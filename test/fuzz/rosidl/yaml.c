// SPDX-License-Identifier: Apache-2.0
// Random text to the YAML reader. The first byte chooses the type, the second the style. What is
// read must be printed and read back as the same message, unless it has text that UTF-8 cannot
// hold.
#include <stdlib.h>
#include <string.h>

#include "rosidl/yaml/yaml.h"
#include "tn_msgs/all_grammar.h"
#include "tn_msgs/geometry_msgs.h"
#include "tn_msgs/grammar_msgs.h"
#include "tn_msgs/rcl_interfaces.h"
#include "tn_msgs/sensor_msgs.h"
#include "tn_msgs/visualization_msgs.h"

#define ARENA_SIZE ((size_t)1 << 20)
#define TEXT_MAX   ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
    char *data;
    size_t size;
};

static void collect(void *context, const char *text, size_t size)
{
    struct text *out = context;
    if (out->size + size <= TEXT_MAX) {
        memcpy(out->data + out->size, text, size);
    }
    out->size += size;
}

static const struct tn_type *choose(uint8_t byte)
{
    static const struct tn_type *const types[] = {
        &grammar_msgs_msg_Defaults_type,         &grammar_msgs_msg_Sequences_type,
        &grammar_msgs_msg_Bounds_type,           &grammar_msgs_msg_Wide_type,
        &sensor_msgs_msg_JointState_type,        &geometry_msgs_msg_PoseArray_type,
        &rcl_interfaces_msg_ParameterEvent_type, &visualization_msgs_msg_MarkerArray_type,
    };
    return types[byte % TN_ARRAY_SIZE(types)];
}

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void print_and_read_back(const struct tn_type *type, const void *msg, bool is_flow)
{
    static const char replacement[] = "\xef\xbf\xbd";
    struct tn_arena arena;
    struct text text = {.data = malloc(TEXT_MAX + 1)};
    void *again = calloc(1, type->size);
    require(text.data != NULL && again != NULL && tn_arena_create(&arena, 8 * ARENA_SIZE) == TN_OK);
    const struct tn_yaml_style style = {.is_flow = is_flow};
    const struct tn_yaml_sink sink = {collect, &text};
    require(tn_yaml_print(tn_yaml_view_of(type, msg), &style, &sink) == TN_OK);
    if (text.size < TEXT_MAX) {
        text.data[text.size] = '\0';
        struct tn_error err = {0};
        enum tn_result result = tn_yaml_parse(type, text.data, text.size, 0, &arena, again, &err);
        bool is_lossy =
            strstr(text.data, replacement) != NULL || memchr(text.data, '\0', text.size) != NULL;
        require(is_lossy || (result == TN_OK && tn_type_equal(type, msg, again)));
    }
    tn_arena_destroy(&arena);
    free(again);
    free(text.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_arena arena;
    if (size < 2) {
        return 0;
    }
    const struct tn_type *type = choose(data[0]);
    struct tn_error err = {0};
    void *msg = calloc(1, type->size);
    require(msg != NULL && tn_arena_create(&arena, ARENA_SIZE) == TN_OK);
    enum tn_result result =
        tn_yaml_parse(type, (const char *)data + 2, size - 2, 1, &arena, msg, &err);
    require(result == TN_OK || err.text[0] != '\0');
    if (result == TN_OK) {
        print_and_read_back(type, msg, data[1] % 2 == 1);
    }
    tn_arena_destroy(&arena);
    free(msg);
    return 0;
}
