// SPDX-License-Identifier: Apache-2.0
#include "devices/motion/random.h"

#include <math.h>

void tn_random_init(struct tn_random *random, uint64_t seed, uint64_t stream)
{
    random->state = 0;
    random->increment = stream << 1 | 1;
    (void)tn_random_u32(random);
    random->state += seed;
    (void)tn_random_u32(random);
}

uint32_t tn_random_u32(struct tn_random *random)
{
    uint64_t old = random->state;
    random->state = old * UINT64_C(6364136223846793005) + random->increment;
    uint32_t mixed = (uint32_t)((old >> 18 ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

double tn_random_unit(struct tn_random *random)
{
    return tn_random_u32(random) * 0x1p-32;
}

double tn_random_normal(struct tn_random *random)
{
    // 1 - unit lies in (0, 1]: the logarithm stays finite
    double radius = sqrt(-2.0 * log(1.0 - tn_random_unit(random)));
    return radius * cos(6.283185307179586 * tn_random_unit(random));
}
