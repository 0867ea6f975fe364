// SPDX-License-Identifier: Apache-2.0
// First byte: direction. The rest: a datagram. What decodes must encode, and decode to the same.
#include <stdlib.h>
#include <string.h>

#include "glove/contact/contact_codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int is_true)
{
    if (!is_true)
        abort();
}

static void round_trip(enum tn_contact_direction direction,
                       const struct tn_contact_message *message)
{
    static uint8_t first[16384], second[16384];
    static struct tn_contact_message again;
    struct tn_contact_reader reader;
    struct tn_contact_reject reject;
    size_t first_size = 0, second_size = 0;
    const struct tn_contact_dialect *v1 = tn_contact_dialect_v1();
    expect(tn_contact_encode(v1, message, first, sizeof first, &first_size) == TN_OK);
    tn_contact_reader_begin(&reader, v1, direction, first, first_size);
    enum tn_result result = tn_contact_reader_next(&reader, &again, &reject);
    // the one thing that rounding may carry over its limit
    if (result != TN_OK) {
        expect(reject.cause == TN_CONTACT_REJECT_RANGE);
        return;
    }
    expect(again.kind == message->kind);
    expect(tn_contact_encode(v1, &again, second, sizeof second, &second_size) == TN_OK);
    expect(second_size == first_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct tn_contact_message message;
    struct tn_contact_reader reader;
    struct tn_contact_reject reject;
    size_t steps = 0;
    enum tn_result result;
    if (size == 0)
        return 0;
    enum tn_contact_direction direction = data[0] % 2 == 0 ? TN_CONTACT_FROM_DS : TN_CONTACT_TO_DS;
    tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), direction, data + 1, size - 1);
    while ((result = tn_contact_reader_next(&reader, &message, &reject)) != TN_ERR_AGAIN) {
        expect(++steps <= size);
        if (result == TN_OK) {
            round_trip(direction, &message);
        } else {
            expect((unsigned)reject.cause < TN_CONTACT_REJECTS && reject.offset <= size);
            expect(memchr(reject.address, '\0', sizeof reject.address) != NULL);
            expect(memchr(reject.tags, '\0', sizeof reject.tags) != NULL);
        }
    }
    return 0;
}
