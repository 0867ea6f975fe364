// SPDX-License-Identifier: Apache-2.0
// any sequence of times: no undefined arithmetic, no sample in the future, no output on an error
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/time_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// one step of 17 bytes: absolute or relative times
struct step {
    uint8_t kind;
    int64_t a_ns, b_ns;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_time_map map = {0};
    int64_t source_ns = 0, steady_ns = 0;
    for (; size >= 17; data += 17, size -= 17) {
        struct step step = {.kind = data[0]};
        memcpy(&step.a_ns, data + 1, 8);
        memcpy(&step.b_ns, data + 9, 8);
        const bool is_relative = (step.kind & 1) != 0;
        source_ns = is_relative ? tn_ns_add(source_ns, step.a_ns >> 28) : step.a_ns;
        steady_ns = is_relative ? tn_ns_add(steady_ns, step.b_ns >> 28) : step.b_ns;
        const int64_t untouched = 4711;
        int64_t out = untouched;
        const enum tn_result result = tn_time_map_update(&map, source_ns, steady_ns, &out);
        if (result == TN_OK ? out > steady_ns : out != untouched)
            abort();
        if (!(fabs(map.drift) <= TN_TIME_MAP_MAX_DRIFT_PPM * 1e-6) || map.jitter_p95_ns < 0)
            abort();
        (void)!tn_time_map_apply(&map, step.b_ns, &out);
        if (step.kind == 0xff)
            tn_time_map_reset(&map);
    }
    return 0;
}
