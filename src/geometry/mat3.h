// SPDX-License-Identifier: Apache-2.0
/// @file
/// 3x3 matrices of doubles, row-major.
#ifndef TN_GEOMETRY_MAT3_H
#define TN_GEOMETRY_MAT3_H

#include <stdbool.h>

#include "base/compat.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"

struct tn_mat3 {
    double m[3][3]; ///< [row][column]
};

/// @return the unit matrix. Thread: any. Allocates: never. Blocks: never.
struct tn_mat3 tn_mat3_identity(void);

/// @return a * b. Thread: any. Allocates: never. Blocks: never.
struct tn_mat3 tn_mat3_mul(const struct tn_mat3 *a, const struct tn_mat3 *b);

/// @return a * v. Thread: any. Allocates: never. Blocks: never.
struct tn_vec3 tn_mat3_apply(const struct tn_mat3 *a, struct tn_vec3 v);

/// @return the transpose. Thread: any. Allocates: never. Blocks: never.
struct tn_mat3 tn_mat3_transpose(const struct tn_mat3 *a);

/// @return the determinant. Thread: any. Allocates: never. Blocks: never.
double tn_mat3_determinant(const struct tn_mat3 *a);

/// Inverts by cofactors.
/// @return true; false and nothing written when the determinant is 0 or not finite.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD bool tn_mat3_inverse(const struct tn_mat3 *a, struct tn_mat3 *out_inverse);

/// @return the rotation matrix of a unit quaternion. Thread: any. Allocates: never. Blocks: never.
struct tn_mat3 tn_mat3_from_quat(struct tn_quat q);

/// @return the unit quaternion (w >= 0) of a rotation matrix; rounding errors in it are evened out.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_quat tn_mat3_to_quat(const struct tn_mat3 *a);

#endif
