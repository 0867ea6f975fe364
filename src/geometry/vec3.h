// SPDX-License-Identifier: Apache-2.0
/// @file
/// Three-component vectors of doubles: positions in m, velocities in m/s, forces in N, rotation
/// vectors in rad; right-handed. Values in, values out.
#ifndef TN_GEOMETRY_VEC3_H
#define TN_GEOMETRY_VEC3_H

#include <math.h>
#include <stdbool.h>

#include "base/compat.h"

struct tn_vec3 {
    double x, y, z;
};

/// @return a vector of three components. Thread: any. Allocates: never. Blocks: never.
static inline struct tn_vec3 tn_vec3(double x, double y, double z)
{
    return (struct tn_vec3){x, y, z};
}

/// @return a + b. Thread: any. Allocates: never. Blocks: never.
static inline struct tn_vec3 tn_vec3_add(struct tn_vec3 a, struct tn_vec3 b)
{
    return tn_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

/// @return a - b. Thread: any. Allocates: never. Blocks: never.
static inline struct tn_vec3 tn_vec3_sub(struct tn_vec3 a, struct tn_vec3 b)
{
    return tn_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// @return factor * a. Thread: any. Allocates: never. Blocks: never.
static inline struct tn_vec3 tn_vec3_scale(struct tn_vec3 a, double factor)
{
    return tn_vec3(a.x * factor, a.y * factor, a.z * factor);
}

/// @return a + factor * b. Thread: any. Allocates: never. Blocks: never.
static inline struct tn_vec3 tn_vec3_add_scaled(struct tn_vec3 a, struct tn_vec3 b, double factor)
{
    return tn_vec3(a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z);
}

/// @return a . b. Thread: any. Allocates: never. Blocks: never.
static inline double tn_vec3_dot(struct tn_vec3 a, struct tn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// @return a x b. Thread: any. Allocates: never. Blocks: never.
static inline struct tn_vec3 tn_vec3_cross(struct tn_vec3 a, struct tn_vec3 b)
{
    return tn_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/// @return the length of a. Thread: any. Allocates: never. Blocks: never.
static inline double tn_vec3_norm(struct tn_vec3 a)
{
    return sqrt(tn_vec3_dot(a, a));
}

/// @return the distance between two points. Thread: any. Allocates: never. Blocks: never.
static inline double tn_vec3_distance(struct tn_vec3 a, struct tn_vec3 b)
{
    return tn_vec3_norm(tn_vec3_sub(a, b));
}

/// @return a + share * (b - a); share is not limited to 0..1. Thread: any. Allocates: never.
/// Blocks: never.
static inline struct tn_vec3 tn_vec3_lerp(struct tn_vec3 a, struct tn_vec3 b, double share)
{
    return tn_vec3_add_scaled(a, tn_vec3_sub(b, a), share);
}

/// @return true when no component is NaN or infinite. Thread: any. Allocates: never. Blocks: never.
static inline bool tn_vec3_is_finite(struct tn_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/// Shortest vector that still has a direction.
#define TN_VEC3_MIN_NORM 1e-12

/// Scales to length 1.
/// @return true; false and nothing written when a is shorter than TN_VEC3_MIN_NORM or not finite.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD bool tn_vec3_normalize(struct tn_vec3 a, struct tn_vec3 *out_unit);

/// @return the angle between two vectors, 0..pi rad, exact near both ends; 0 when one of them has
/// no length. Thread: any. Allocates: never. Blocks: never.
double tn_vec3_angle(struct tn_vec3 a, struct tn_vec3 b);

#endif
