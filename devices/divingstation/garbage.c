// SPDX-License-Identifier: Apache-2.0
#include "devices/divingstation/garbage.h"

#include <string.h>

enum { EMPTY, CUT, LENGTHENED, NOISE, TAGS, VERSION, NOT_A_NUMBER, KINDS };

// where the string that begins at `at` ends with its padding
static size_t behind_string(const uint8_t *data, size_t size, size_t at)
{
    const uint8_t *nul = memchr(data + at, 0, size - at);
    return nul == NULL ? size : ((size_t)(nul - data) / 4 + 1) * 4;
}

static size_t make_noise(struct tn_random *random, size_t size, uint8_t *buffer)
{
    for (size_t i = 0; i < size; i++)
        buffer[i] = (uint8_t)tn_random_u32(random);
    // neither an address nor a bundle
    buffer[0] = 'x';
    return size;
}

size_t tn_ds_make_garbage(struct tn_random *random, const uint8_t *valid, size_t size,
                          uint8_t *buffer)
{
    unsigned kind = tn_random_u32(random) % KINDS;
    if (kind == EMPTY || size < 16)
        return 0;
    memcpy(buffer, valid, size);
    size_t tags = behind_string(buffer, size, 0);
    size_t arguments = behind_string(buffer, size, tags);
    if (arguments + 4 > size || kind == CUT)
        return 1 + tn_random_u32(random) % (uint32_t)(size - 1);
    if (kind == NOISE)
        return make_noise(random, size, buffer);
    if (kind == TAGS)
        buffer[tags] = ';';
    if (kind == VERSION)
        buffer[arguments + 2] = 0x7f;
    if (kind == NOT_A_NUMBER)
        memcpy(buffer + size - 4, (const uint8_t[4]){0x7f, 0xc0, 0, 0}, 4);
    if (kind == LENGTHENED) {
        memset(buffer + size, 0, 8);
        return size + 4 + tn_random_u32(random) % 5;
    }
    return size;
}
