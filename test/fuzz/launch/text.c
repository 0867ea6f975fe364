// SPDX-License-Identifier: Apache-2.0
// The small grammars: expressions, substitutions, values of parameters, command lines. The first
// byte chooses.
#include <stdlib.h>
#include <string.h>

#include "launch/launch__expression.h"
#include "launch/launch__substitution.h"
#include "launch/launch__value.h"

/// What a value becomes in a file is YAML again, and quoted strings stay what they are.
static void check_value(const char *text, struct tn_arena *arena)
{
    struct tn_launch__text file = {0};
    struct tn_launch__param param = {.name = "p"};
    struct tn_error err = {0};
    if (tn_launch__read_yaml(text, arena, &param.data, &err) == TN_OK &&
        tn_launch__write_params("/**", &param, &file) == TN_OK &&
        tn_launch__check_yaml(file.data, file.size, &err) != TN_OK)
        abort();
    tn_launch__text_fini(&file);
    for (int type = TN_LAUNCH__TYPE_STR; type <= TN_LAUNCH__TYPE_FLOAT; type++) {
        struct tn_launch__scalar scalar;
        (void)tn_launch__read_as(text, (enum tn_launch__type)type, arena, &scalar, &err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_arena arena;
    struct tn_error err = {0};
    struct tn_launch__text out = {0};
    if (size < 1 || tn_arena_create(&arena, 1u << 20) != TN_OK)
        return 0;
    const char *text = tn_arena_strndup(&arena, (const char *)data + 1, size - 1);
    struct tn_launch__template parsed;
    struct tn_launch__words words;
    enum tn_result result = TN_OK;
    switch (text != NULL ? data[0] % 4 : 4) {
    case 0:
        result = tn_launch__evaluate_expression(text, &arena, &out, &err);
        break;
    case 1:
        result = tn_launch__parse(text, &arena, &parsed, &err);
        if (result == TN_OK)
            (void)tn_launch__describe(&parsed, &out);
        break;
    case 2:
        check_value(text, &arena);
        break;
    case 3:
        result = tn_launch__split(text, &arena, &words, &err);
        break;
    default:
        break;
    }
    if (result != TN_OK && result != TN_ERR_NO_MEMORY && err.text[0] == '\0')
        abort();
    tn_launch__text_fini(&out);
    tn_arena_destroy(&arena);
    return 0;
}
