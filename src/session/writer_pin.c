// SPDX-License-Identifier: Apache-2.0
#include "session/writer_pin.h"

#include <string.h>

enum tn_writer_verdict tn_writer_pin_judge(struct tn_writer_pin *pin, const uint8_t *writer_id,
                                           int64_t now_steady_ns, int64_t silence_ns)
{
    bool is_owner = pin->has_owner && memcmp(pin->owner, writer_id, TN_WRITER_ID_SIZE) == 0;
    bool is_free = !pin->has_owner || now_steady_ns - pin->last_steady_ns > silence_ns;
    if (!is_owner && !is_free) {
        pin->refused++;
        return TN_WRITER_FOREIGN;
    }
    pin->has_owner = true;
    memcpy(pin->owner, writer_id, TN_WRITER_ID_SIZE);
    pin->last_steady_ns = now_steady_ns;
    return is_owner ? TN_WRITER_OWNER : TN_WRITER_NEW_OWNER;
}
