// SPDX-License-Identifier: Apache-2.0
// what a plain YAML 1.1 scalar is taken for (yaml.org/type: bool, int, float, null, merge, value,
// timestamp)
#include <string.h>

#include "rosidl/yaml/yaml__value.h"

// text being matched from the left
struct cursor {
    const char *at, *end;
};

static size_t skip(struct cursor *c, const char *set)
{
    size_t n = 0;
    while (c->at < c->end && *c->at != '\0' && strchr(set, *c->at) != NULL) {
        c->at++;
        n++;
    }
    return n;
}

static bool take(struct cursor *c, const char *set)
{
    if (c->at < c->end && *c->at != '\0' && strchr(set, *c->at) != NULL) {
        c->at++;
        return true;
    }
    return false;
}

static bool is_word(const char *text, size_t size)
{
    static const char *const words[] = {
        "",      "~",     "null",  "Null",  "NULL", "yes",  "Yes",  "YES",  "no",    "No",
        "NO",    "on",    "On",    "ON",    "off",  "Off",  "OFF",  "true", "True",  "TRUE",
        "false", "False", "FALSE", "<<",    "=",    ".inf", ".Inf", ".INF", "-.inf", "-.Inf",
        "-.INF", "+.inf", "+.Inf", "+.INF", ".nan", ".NaN", ".NAN",
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(words); i++) {
        if (strlen(words[i]) == size && memcmp(words[i], text, size) == 0) {
            return true;
        }
    }
    return false;
}

// [-+]?0b…, 0x…, decimal, and base 60 with an optional fraction
static bool is_number(struct cursor c)
{
    static const char digits[] = "0123456789_";
    (void)take(&c, "-+");
    if (c.end - c.at > 2 && c.at[0] == '0' && (c.at[1] == 'b' || c.at[1] == 'x')) {
        bool is_binary = c.at[1] == 'b';
        c.at += 2;
        return skip(&c, is_binary ? "01_" : "0123456789abcdefABCDEF_") > 0 && c.at == c.end;
    }
    bool begins = c.at < c.end && *c.at >= '0' && *c.at <= '9';
    bool has_digits = begins && skip(&c, digits) > 0;
    while (has_digits && take(&c, ":")) {
        (void)take(&c, "012345");
        if (!take(&c, "0123456789") && c.at[-1] == ':') {
            return false;
        }
    }
    if (has_digits && c.at == c.end) {
        return true;
    }
    if (!take(&c, ".") || (!has_digits && !(c.at < c.end && *c.at >= '0' && *c.at <= '9'))) {
        return false;
    }
    (void)skip(&c, digits);
    if (take(&c, "eE")) {
        return take(&c, "-+") && skip(&c, "0123456789") > 0 && c.at == c.end;
    }
    return c.at == c.end;
}

// dddd-dd-dd, perhaps with a time behind it
static bool is_timestamp(struct cursor c)
{
    const char *start = c.at;
    if (skip(&c, "0123456789") != 4 || !take(&c, "-") || skip(&c, "0123456789") == 0 ||
        c.at - start > 7 || !take(&c, "-") || skip(&c, "0123456789") == 0) {
        return false;
    }
    return c.at == c.end || *c.at == 'T' || *c.at == 't' || *c.at == ' ' || *c.at == '\t';
}

bool tn_yaml__is_no_string(const char *text, size_t size)
{
    struct cursor cursor = {text, text + size};
    return is_word(text, size) || is_number(cursor) || is_timestamp(cursor);
}
