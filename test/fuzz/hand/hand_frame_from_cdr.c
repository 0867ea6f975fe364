// SPDX-License-Identifier: Apache-2.0
// random CDR -> HandFrame -> tn_hand_frame; what is accepted must pass the check, tell no lies to
// the chirality test and come back unchanged
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hand/model.h"
#include "nodes/convert/hand_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int is_true)
{
    if (!is_true) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t block[4096];
    struct tn_arena arena;
    struct tn_cdr_reader reader;
    struct tendon_msgs_msg_HandFrame msg, again;
    tn_arena_init(&arena, block, sizeof block);
    tn_cdr_reader_begin(&reader, data, size);
    if (tn_type_decode(&tendon_msgs_msg_HandFrame_type, &msg, &reader, &arena) != TN_OK) {
        return 0;
    }
    struct tn_hand_frame frame, back;
    if (tn_convert_hand_frame_from_msg(&msg, &frame) != TN_OK) {
        return 0;
    }
    require(tn_hand_frame_check(&frame) == TN_OK);
    require(memchr(frame.device_id, 0, sizeof frame.device_id) != NULL);
    enum tn_side shown = tn_hand_chirality(&frame);
    require(shown == TN_SIDE_UNKNOWN || shown == TN_SIDE_LEFT || shown == TN_SIDE_RIGHT);
    tn_convert_hand_frame_to_msg(&frame, "hand", &again);
    require(tn_convert_hand_frame_from_msg(&again, &back) == TN_OK);
    require(back.stamp_ros_ns == frame.stamp_ros_ns && back.age_ns == frame.age_ns);
    require(back.node_valid == frame.node_valid && back.angle_valid == frame.angle_valid);
    require(memcmp(back.angles, frame.angles, sizeof back.angles) == 0);
    require(memcmp(back.rates, frame.rates, sizeof back.rates) == 0);
    return 0;
}
