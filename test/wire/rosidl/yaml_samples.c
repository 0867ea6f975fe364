// SPDX-License-Identifier: Apache-2.0
// prints random messages of every type as YAML, block and flow style: "# type, style", the text,
// "\0"
#include <stdio.h>
#include <stdlib.h>

#include "rosidl/yaml/yaml.h"
#include "tn_msgs/all_grammar.h"
#include "tn_msgs/all_msgs.h"
#include "unit/rosidl/values.h"

#define ARENA_SIZE  ((size_t)4 << 20)
#define MESSAGE_MAX ((size_t)1 << 18)
#define N_SEEDS     3u

static void write_out(void *context, const char *text, size_t size)
{
    (void)fwrite(text, 1, size, context);
}

static bool print_samples(struct tn_arena *arena, void *msg, const struct tn_type *const *types,
                          uint32_t n)
{
    const struct tn_yaml_sink sink = {write_out, stdout};
    bool is_ok = true;
    for (uint32_t i = 0; i < n * N_SEEDS * 2; i++) {
        const struct tn_type *type = types[i / (N_SEEDS * 2)];
        struct tn_yaml_style style = {.is_flow = i % 2 == 1};
        tn_arena_reset(arena);
        struct values values = {.state = i * 104729u + 5, .max_elements = 6, .arena = arena};
        values_fill(&values, type, msg);
        printf("# %s, %s style\n", type->ros_name, style.is_flow ? "flow" : "block");
        is_ok &= tn_yaml_print(tn_yaml_view_of(type, msg), &style, &sink) == TN_OK;
        putchar('\0');
    }
    return is_ok;
}

int main(void)
{
    struct tn_arena arena;
    void *msg = calloc(1, MESSAGE_MAX);
    if (msg == NULL || tn_arena_create(&arena, ARENA_SIZE) != TN_OK) {
        return 1;
    }
    bool is_ok = print_samples(&arena, msg, tn_all_msgs, tn_all_msgs_n) &&
                 print_samples(&arena, msg, tn_all_grammar, tn_all_grammar_n);
    tn_arena_destroy(&arena);
    free(msg);
    return is_ok ? 0 : 1;
}
