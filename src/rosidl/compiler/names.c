// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "rosidl/compiler/compiler__internal.h"

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_allowed(enum tn_idl__name_kind kind, char c)
{
    switch (kind) {
    case TN_IDL__TYPE:
        return is_lower(c) || is_upper(c) || is_digit(c);
    case TN_IDL__CONSTANT:
        return is_upper(c) || is_digit(c) || c == '_';
    case TN_IDL__PACKAGE:
    case TN_IDL__FIELD:
    default:
        return is_lower(c) || is_digit(c) || c == '_';
    }
}

bool tn_idl__is_name(enum tn_idl__name_kind kind, const char *name, size_t size)
{
    bool starts_upper = kind == TN_IDL__TYPE || kind == TN_IDL__CONSTANT;
    if (size == 0 || !(starts_upper ? is_upper(name[0]) : is_lower(name[0])) ||
        name[size - 1] == '_') {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (!is_allowed(kind, name[i]) || (name[i] == '_' && name[i - 1] == '_')) {
            return false;
        }
    }
    return true;
}

const char *tn_idl__name_rule(enum tn_idl__name_kind kind)
{
    switch (kind) {
    case TN_IDL__TYPE:
        return "a capital letter, then letters and digits";
    case TN_IDL__CONSTANT:
        return "a capital letter, then capitals, digits and single inner underscores";
    case TN_IDL__PACKAGE:
    case TN_IDL__FIELD:
    default:
        return "a lower-case letter, then lower-case letters, digits and single inner underscores";
    }
}

const char *tn_idl__guard(const char *name)
{
    static const char *const words[] = {
        "auto",   "bool",   "break",  "case",     "char",   "const",    "continue", "default",
        "do",     "double", "else",   "enum",     "extern", "false",    "float",    "for",
        "goto",   "if",     "inline", "int",      "long",   "register", "restrict", "return",
        "short",  "signed", "sizeof", "static",   "struct", "switch",   "true",     "typedef",
        "typeof", "union",  "void",   "unsigned", "while",  "volatile", "asm",      "errno",
        "unix",   "linux",  "i386",   "stdin",    "stdout", "stderr",   "assert",
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(words); i++) {
        if (strcmp(name, words[i]) == 0) {
            return "_";
        }
    }
    return "";
}
