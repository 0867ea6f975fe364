// SPDX-License-Identifier: Apache-2.0
#include "geometry/mat3.h"

struct tn_mat3 tn_mat3_identity(void)
{
    return (struct tn_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

struct tn_mat3 tn_mat3_mul(const struct tn_mat3 *a, const struct tn_mat3 *b)
{
    struct tn_mat3 product;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            product.m[r][c] =
                a->m[r][0] * b->m[0][c] + a->m[r][1] * b->m[1][c] + a->m[r][2] * b->m[2][c];
    return product;
}

struct tn_vec3 tn_mat3_apply(const struct tn_mat3 *a, struct tn_vec3 v)
{
    return tn_vec3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                   a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                   a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

struct tn_mat3 tn_mat3_transpose(const struct tn_mat3 *a)
{
    struct tn_mat3 transpose;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            transpose.m[r][c] = a->m[c][r];
    return transpose;
}

// signed minor; the cyclic indices carry the sign
static double cofactor(const struct tn_mat3 *a, int r, int c)
{
    const int r1 = (r + 1) % 3, r2 = (r + 2) % 3;
    const int c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    return a->m[r1][c1] * a->m[r2][c2] - a->m[r1][c2] * a->m[r2][c1];
}

double tn_mat3_determinant(const struct tn_mat3 *a)
{
    return a->m[0][0] * cofactor(a, 0, 0) + a->m[0][1] * cofactor(a, 0, 1) +
           a->m[0][2] * cofactor(a, 0, 2);
}

bool tn_mat3_inverse(const struct tn_mat3 *a, struct tn_mat3 *out_inverse)
{
    const double determinant = tn_mat3_determinant(a);
    if (!isnormal(determinant))
        return false;
    struct tn_mat3 inverse;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            inverse.m[r][c] = cofactor(a, c, r) / determinant;
    *out_inverse = inverse;
    return true;
}

struct tn_mat3 tn_mat3_from_quat(struct tn_quat q)
{
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (struct tn_mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                             {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                             {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

// the quaternion times 4 * its largest component, which is a stable divisor (Shepperd 1978)
static struct tn_quat scaled_quat(const struct tn_mat3 *a)
{
    const double(*m)[3] = a->m;
    const double xx = m[0][0], yy = m[1][1], zz = m[2][2];
    if (xx + yy + zz > 0)
        return (struct tn_quat){m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1],
                                1 + xx + yy + zz};
    if (xx >= yy && xx >= zz)
        return (struct tn_quat){1 + xx - yy - zz, m[0][1] + m[1][0], m[0][2] + m[2][0],
                                m[2][1] - m[1][2]};
    if (yy >= zz)
        return (struct tn_quat){m[0][1] + m[1][0], 1 - xx + yy - zz, m[1][2] + m[2][1],
                                m[0][2] - m[2][0]};
    return (struct tn_quat){m[0][2] + m[2][0], m[1][2] + m[2][1], 1 - xx - yy + zz,
                            m[1][0] - m[0][1]};
}

struct tn_quat tn_mat3_to_quat(const struct tn_mat3 *a)
{
    const struct tn_quat q = tn_quat_normalized(scaled_quat(a));
    return q.w < 0 ? (struct tn_quat){-q.x, -q.y, -q.z, -q.w} : q;
}
