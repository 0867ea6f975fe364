// SPDX-License-Identifier: Apache-2.0
#include "system/path/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void path_grow(void **data, size_t *capacity, size_t size, size_t element_size)
{
    if (size < *capacity) {
        return;
    }
    size_t wanted = *capacity == 0 ? 256 : 2 * *capacity;
    void *grown = realloc(*data, wanted * element_size);
    if (grown == NULL) {
        (void)fprintf(stderr, "no memory for %zu records\n", wanted);
        abort();
    }
    *data = grown;
    *capacity = wanted;
}

void path_record_clear(struct path_record *record)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        struct path_side_record *side = &record->sides[i];
        free(side->lines.data);
        free(side->commands.data);
        free(side->accepted.data);
        free(side->executed.data);
        free(side->feedback.data);
        free(side->targets.data);
        free(side->sessions.data);
        free(side->arms.data);
    }
    free(record->faults.data);
    memset(record, 0, sizeof *record);
}

const char *path_program_name(enum path_program program)
{
    static const char *const names[PATH_PROGRAMS] = {
        [PATH_GLOVE] = "divingstation",        [PATH_DRIVER] = "contact_glove_node",
        [PATH_ADAPTER] = "hand_model_adapter", [PATH_RETARGETER] = "robot_retargeter",
        [PATH_LEFT_HAND] = "left_hand",        [PATH_RIGHT_HAND] = "right_hand"};
    return names[program];
}

bool path_program_serves(enum path_program program, enum tn_side side)
{
    return !(program == PATH_LEFT_HAND && side == TN_SIDE_RIGHT) &&
           !(program == PATH_RIGHT_HAND && side == TN_SIDE_LEFT);
}

int64_t path_wall_minus_steady_ns(void)
{
    int64_t best_ns = INT64_MAX, difference_ns = 0;
    for (int i = 0; i < 20; i++) {
        int64_t before_ns = tn_clock_steady_now_ns();
        int64_t wall_ns = tn_clock_wall_now_ns();
        int64_t after_ns = tn_clock_steady_now_ns();
        if (after_ns - before_ns < best_ns) {
            best_ns = after_ns - before_ns;
            difference_ns = wall_ns - before_ns - best_ns / 2;
        }
    }
    return difference_ns;
}
