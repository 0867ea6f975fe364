// SPDX-License-Identifier: Apache-2.0
#include "nodes/convert/hand_frame_contact.h"

#include <string.h>

#include "base/clock.h"
#include "hand/contact.h"

// the last millisecond that a builtin_interfaces/Time holds
#define MAX_STAMP_MS ((uint64_t)INT32_MAX * 1000 + 999)

static bool is_id_char(char c)
{
    // bytes of UTF-8 beyond ASCII pass
    return (unsigned char)c > ' ' && c != '/' && c != 0x7f;
}

enum tn_result tn_convert_contact_id(struct tn_str id, char *out_id)
{
    if (id.size == 0) {
        return TN_ERR_WRONG_DEVICE;
    }
    if (id.size >= TN_HAND_DEVICE_ID_MAX) {
        return TN_ERR_LIMIT;
    }
    for (uint32_t i = 0; i < id.size; i++) {
        if (!is_id_char(id.data[i])) {
            return TN_ERR_WRONG_DEVICE;
        }
    }
    memcpy(out_id, id.data, id.size);
    out_id[id.size] = '\0';
    return TN_OK;
}

static void put_finger(const struct contact_glove_msgs_msg_ErgonomicsFinger *finger, float *out)
{
    out[0] = finger->mcp;
    out[1] = finger->pip;
    out[2] = finger->dip;
    out[3] = finger->tilt;
}

enum tn_result
tn_convert_contact_from_ergonomics(const struct contact_glove_msgs_msg_Ergonomics *msg,
                                   enum tn_side side, struct tn_convert_contact_sample *out_sample)
{
    if (msg->is_left != (side == TN_SIDE_LEFT)) {
        return TN_ERR_WRONG_SIDE;
    }
    if (msg->tracking_state != contact_glove_msgs_msg_Ergonomics_TRACKED) {
        return TN_ERR_STATE;
    }
    if (msg->generated_at_ms == 0 || msg->generated_at_ms > MAX_STAMP_MS) {
        return TN_ERR_RANGE;
    }
    struct tn_convert_contact_sample sample = {.stamp_ros_ns =
                                                   (int64_t)msg->generated_at_ms * TN_NS_PER_MS};
    enum tn_result result = tn_convert_contact_id(msg->id, sample.device_id);
    if (result != TN_OK) {
        return result;
    }
    float degrees[TN_HAND_CONTACT_ANGLES] = {msg->thumb.cmc, msg->thumb.mcp, msg->thumb.ip,
                                             msg->thumb.tilt};
    put_finger(&msg->index, degrees + 4);
    put_finger(&msg->middle, degrees + 8);
    put_finger(&msg->ring, degrees + 12);
    put_finger(&msg->little, degrees + 16);
    result = tn_hand_contact_to_angles(degrees, sample.angles_rad, &sample.angle_valid);
    if (result == TN_OK) {
        *out_sample = sample;
    }
    return result;
}
