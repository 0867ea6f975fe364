// SPDX-License-Identifier: Apache-2.0
#include "devices/motion/angles.h"

double tn_motion_percent_angle_deg(const struct tn_motion_pose *pose,
                                   enum tn_motion_percent_joint joint)
{
    const double *angle = pose->angle_deg;
    if (joint == TN_MOTION_THUMB_BEND)
        return angle[TN_MOTION_THUMB_MCP] + angle[TN_MOTION_THUMB_IP];
    if (joint == TN_MOTION_THUMB_SWING)
        return angle[TN_MOTION_THUMB_TILT];
    // joint 2 is the index finger, finger 1
    const double *finger = &angle[TN_MOTION_PER_FINGER * ((unsigned)joint - 1)];
    return finger[TN_MOTION_MCP] + finger[TN_MOTION_PIP];
}

double tn_motion_percent_range_deg(enum tn_motion_percent_joint joint)
{
    if (joint == TN_MOTION_THUMB_BEND)
        return 135.0;
    return joint == TN_MOTION_THUMB_SWING ? 50.0 : 190.0;
}
