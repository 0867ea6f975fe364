// SPDX-License-Identifier: Apache-2.0
// a recording that is accepted can be played without a number that is not finite
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "devices/motion/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool claim)
{
    if (!claim)
        abort();
}

static void play(const struct tn_motion_trace *trace)
{
    double period_s = tn_motion_trace_period_s(trace);
    check(isfinite(period_s) && period_s > 0.0);
    for (unsigned i = 0; i <= 50; i++) {
        struct tn_motion_pose pose;
        tn_motion_trace_sample(trace, period_s * i / 20.0, &pose);
        for (unsigned k = 0; k < TN_MOTION_ANGLES; k++)
            check(isfinite(pose.angle_deg[k]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_motion_trace *trace = NULL;
    struct tn_error err = {0};
    enum tn_result result =
        tn_motion_trace_parse((const char *)data, size, "fuzz.csv", &trace, &err);
    check((result == TN_OK) == (trace != NULL));
    if (trace != NULL)
        play(trace);
    else
        check(err.code == result && err.text[0] != '\0');
    tn_motion_trace_destroy(&trace);
    return 0;
}
