// SPDX-License-Identifier: Apache-2.0
#include "retarget/retarget.h"

#include <math.h>
#include <string.h>

#define DEG (3.14159265358979323846 / 180.0)

// ranges: a comfortable fist and a flat hand of an adult, short of the glove's own ends so that
// both are reached
static const struct tn_retarget_hand percent_hand = {
    .name = "percent_hand",
    .n_joints = 6,
    .joints =
        {
            {.name = "THUMBMCP",
             .n_terms = 2,
             .terms = {{"thumb_mcp", 1.0}, {"thumb_ip", 1.0}},
             .open_rad = 8.0 * DEG,
             .closed_rad = 100.0 * DEG,
             .speed_percent_s = 400.0},
            {.name = "THUMBCMC",
             .n_terms = 1,
             .terms = {{"thumb_cmc_abd", 1.0}},
             .open_rad = -12.0 * DEG,
             .closed_rad = 25.0 * DEG,
             .speed_percent_s = 400.0},
            {.name = "INDEXMCP",
             .n_terms = 2,
             .terms = {{"index_mcp_flex", 1.0}, {"index_pip", 1.0}},
             .open_rad = 10.0 * DEG,
             .closed_rad = 160.0 * DEG,
             .speed_percent_s = 400.0},
            {.name = "MIDDLEMCP",
             .n_terms = 2,
             .terms = {{"middle_mcp_flex", 1.0}, {"middle_pip", 1.0}},
             .open_rad = 10.0 * DEG,
             .closed_rad = 160.0 * DEG,
             .speed_percent_s = 400.0},
            {.name = "RINGMCP",
             .n_terms = 2,
             .terms = {{"ring_mcp_flex", 1.0}, {"ring_pip", 1.0}},
             .open_rad = 10.0 * DEG,
             .closed_rad = 160.0 * DEG,
             .speed_percent_s = 400.0},
            {.name = "LITTLEMCP",
             .n_terms = 2,
             .terms = {{"little_mcp_flex", 1.0}, {"little_pip", 1.0}},
             .open_rad = 10.0 * DEG,
             .closed_rad = 160.0 * DEG,
             .speed_percent_s = 400.0},
        },
    .filter = {.min_cutoff_hz = 3.0, .beta = 0.01, .d_cutoff_hz = 1.0},
};

const struct tn_retarget_hand *tn_retarget_percent_hand(void)
{
    return &percent_hand;
}

static enum tn_result resolve_joint(struct tn_retarget_model *model,
                                    const struct tn_retarget_hand *hand, uint32_t joint,
                                    struct tn_error *err)
{
    const struct tn_retarget_joint *row = &hand->joints[joint];
    double span = row->closed_rad - row->open_rad;
    if (row->name == NULL || row->n_terms == 0 || row->n_terms > TN_RETARGET_MAX_TERMS ||
        !isfinite(span) || fabs(span) < 1e-6 || !(row->speed_percent_s > 0.0)) {
        return tn_error_set(
            err, TN_ERR_INVALID_ARGUMENT,
            "hand %s, joint %u: needs a name, 1..%d terms, open_rad and closed_rad that "
            "differ, and a speed above 0",
            hand->name, joint, TN_RETARGET_MAX_TERMS);
    }
    for (uint32_t t = 0; t < row->n_terms; t++) {
        int slot = tn_hand_angle_find(row->terms[t].angle);
        if (slot < 0 || !isfinite(row->terms[t].gain)) {
            return tn_error_set(
                err, TN_ERR_NOT_FOUND,
                "hand %s, joint %s: \"%s\" is no human joint angle (thumb_cmc_rot … "
                "little_dip) or its gain is not finite",
                hand->name, row->name, row->terms[t].angle);
        }
        model->slots[joint][t] = (uint8_t)slot;
    }
    return TN_OK;
}

enum tn_result tn_retarget_model_init(struct tn_retarget_model *model,
                                      const struct tn_retarget_hand *hand, struct tn_error *err)
{
    struct tn_retarget_model candidate = {.hand = hand};
    if (hand->n_joints == 0 || hand->n_joints > TN_RETARGET_MAX_JOINTS) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "hand %s: %u joints, expected 1..%d",
                            hand->name, hand->n_joints, TN_RETARGET_MAX_JOINTS);
    }
    enum tn_result result = tn_one_euro_check(&hand->filter, err);
    for (uint32_t joint = 0; result == TN_OK && joint < hand->n_joints; joint++) {
        result = resolve_joint(&candidate, hand, joint, err);
    }
    if (result == TN_OK) {
        *model = candidate;
    }
    return result;
}

void tn_retarget_reset(struct tn_retarget *data)
{
    uint64_t rejected = data->rejected;
    memset(data, 0, sizeof *data);
    data->rejected = rejected;
}

// weighted sum of a joint's angles; false when one is absent or not finite
static bool human_angle(const struct tn_retarget_model *model, const struct tn_hand_frame *frame,
                        uint32_t joint, double *out_rad)
{
    const struct tn_retarget_joint *row = &model->hand->joints[joint];
    double sum = 0.0;
    for (uint32_t t = 0; t < row->n_terms; t++) {
        unsigned slot = model->slots[joint][t];
        if ((frame->angle_valid >> slot & 1u) == 0 || !isfinite(frame->angles[slot])) {
            return false;
        }
        sum += row->terms[t].gain * frame->angles[slot];
    }
    *out_rad = sum;
    return isfinite(sum);
}

enum tn_result tn_retarget_step(const struct tn_retarget_model *model, struct tn_retarget *data,
                                const struct tn_hand_frame *frame, struct tn_retarget_output *out)
{
    const struct tn_retarget_hand *hand = model->hand;
    struct tn_retarget_output result = {.n_joints = hand->n_joints};
    for (uint32_t j = 0; j < hand->n_joints; j++) {
        const struct tn_retarget_joint *row = &hand->joints[j];
        double angle_rad;
        if (!human_angle(model, frame, j, &angle_rad)) {
            continue;
        }
        double percent = 100.0 * (angle_rad - row->open_rad) / (row->closed_rad - row->open_rad);
        percent = percent < 0.0 ? 0.0 : percent > 100.0 ? 100.0 : percent;
        result.percent[j] =
            tn_one_euro_update(&data->filters[j], &hand->filter, percent, frame->stamp_ros_ns);
        result.valid_mask |= UINT32_C(1) << j;
    }
    if (result.valid_mask == 0) {
        data->rejected++;
        return TN_ERR_NOT_FOUND;
    }
    *out = result;
    return TN_OK;
}
