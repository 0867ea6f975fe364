// SPDX-License-Identifier: Apache-2.0
#include "geometry/vec3.h"

bool tn_vec3_normalize(struct tn_vec3 a, struct tn_vec3 *out_unit)
{
    // scaled first, so that neither huge nor tiny components leave the range of a double
    const double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (!tn_vec3_is_finite(a) || !(largest > 0))
        return false;
    const struct tn_vec3 scaled = tn_vec3(a.x / largest, a.y / largest, a.z / largest);
    const double norm = tn_vec3_norm(scaled);
    if (!(norm * largest >= TN_VEC3_MIN_NORM))
        return false;
    *out_unit = tn_vec3_scale(scaled, 1 / norm);
    return true;
}

double tn_vec3_angle(struct tn_vec3 a, struct tn_vec3 b)
{
    // the tangent is exact where the cosine is flat
    return atan2(tn_vec3_norm(tn_vec3_cross(a, b)), tn_vec3_dot(a, b));
}
