// SPDX-License-Identifier: Apache-2.0
// numbers from text: what is accepted lies in its range, and floats agree with strtod in the C
// locale
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[2048];
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    int64_t i = 0;
    uint64_t u = 0;
    double d = 0;
    bool b = false;
    if (tn_parse_i64(text, size, -1000, INT64_MAX, &i) == TN_OK && i < -1000)
        abort();
    if (tn_parse_u64(text, size, 3, UINT64_MAX, &u) == TN_OK && u < 3)
        abort();
    (void)!tn_parse_bool(text, size, &b);
    if (tn_parse_f64(text, size, -DBL_MAX, DBL_MAX, &d) != TN_OK)
        return 0;
    char *end = NULL;
    const double expected = strtod(text, &end);
    if (end != text + size || memcmp(&expected, &d, sizeof d) != 0)
        abort();
    return 0;
}
