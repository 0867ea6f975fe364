// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <errno.h>
#include <stdint.h>
#include <sys/random.h>

enum tn_result tn_random_kernel(void *context, void *out, size_t size)
{
    uint8_t *bytes = out;
    (void)context;
    for (size_t done = 0; done < size;) {
        ssize_t n = getrandom(bytes + done, size - done, 0);
        if (n < 0 && errno != EINTR)
            return TN_ERR_IO;
        done += n > 0 ? (size_t)n : 0;
    }
    return TN_OK;
}
