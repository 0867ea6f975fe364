// SPDX-License-Identifier: Apache-2.0
#include "base/side.h"

#include <string.h>

const char *tn_side_name(enum tn_side side)
{
    switch (side) {
    case TN_SIDE_LEFT:
        return "left";
    case TN_SIDE_RIGHT:
        return "right";
    case TN_SIDE_UNKNOWN:
        break;
    }
    return "unknown";
}

unsigned tn_side_index(enum tn_side side)
{
    return side == TN_SIDE_RIGHT ? 1U : 0U;
}

bool tn_side_parse(const char *text, enum tn_side *out_side)
{
    if (strcmp(text, "left") == 0)
        *out_side = TN_SIDE_LEFT;
    else if (strcmp(text, "right") == 0)
        *out_side = TN_SIDE_RIGHT;
    else
        return false;
    return true;
}
