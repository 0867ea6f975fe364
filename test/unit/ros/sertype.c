// SPDX-License-Identifier: Apache-2.0
// What Cyclone finds when it builds the inline QoS of a reply: the bytes as expected, and bytes
// that are not, which must send a plain sample and be noted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ros/cyclone/cyclone__sample.h"

#define PAYLOAD 12u

struct fixture {
    struct tn_ros__pool *pool;
    struct ddsi_sertype *type;
    struct tn_ros__sample *sample;
};

static int open_all(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    static const struct tn_ros__identity related = {{{1, 15, 3}}, 77};
    assert_non_null(f);
    f->pool = tn_ros__pool_create();
    f->type = tn_ros__type_new("a::srv::dds_::B_Response_", f->pool, tn_clock_system());
    f->sample = tn_ros__sample_new(f->pool, f->type, SDK_DATA, PAYLOAD);
    assert_non_null(f->sample);
    memset(tn_ros__sample_payload(f->sample), 'p', PAYLOAD);
    tn_ros__sample_set_size(f->sample, PAYLOAD);
    tn_ros__rtps_put_related(f->sample->bytes, &related);
    f->sample->has_prefix = true;
    *state = f;
    return 0;
}

static int close_all(void **state)
{
    struct fixture *f = *state;
    tn_ros__sample_unref(f->sample);
    f->type->ops->free(f->type);
    tn_ros__pool_unref(f->pool);
    free(f);
    return 0;
}

/// As Cyclone: header, value, then the payload is asked for. @return bytes of the payload.
static size_t build(struct fixture *f, uint8_t message[20], size_t offset, const uint8_t **out)
{
    ddsrt_iovec_t iov;
    const struct ddsi_serdata_ops *ops = f->sample->c.ops;
    ops->get_keyhash(&f->sample->c, (struct ddsi_keyhash *)(message + 4), false);
    struct ddsi_serdata *ref = ops->to_ser_ref(&f->sample->c, offset, PAYLOAD - offset, &iov);
    *out = iov.iov_base;
    size_t size = iov.iov_len;
    ops->to_ser_unref(ref, &iov);
    return size;
}

static void identity_goes_in_front_of_the_payload(void **state)
{
    struct fixture *f = *state;
    // a retransmit is made in the same way
    for (int i = 0; i < 2; i++) {
        uint8_t message[20] = {0x70, 0x00, 16, 0x00};
        static const uint8_t pad[4] = {0x00, 0x00, 20, 0x00};
        const uint8_t *bytes = NULL;
        assert_int_equal(build(f, message, 0, &bytes), PAYLOAD + TN_ROS__RELATED_SIZE);
        assert_memory_equal(message, pad, sizeof pad);
        assert_int_equal(bytes[0], 0x83);
        assert_int_equal(bytes[28], 0x0f);
        assert_int_equal(bytes[29], 0x80);
        assert_int_equal(bytes[56], TN_ROS__PID_SENTINEL);
        assert_memory_equal(bytes + TN_ROS__RELATED_SIZE, "pppppppppppp", PAYLOAD);
        assert_false(tn_ros__pool_is_hook_broken(f->pool));
    }
    // asked for again without a keyhash, as for a later fragment or a local reader: payload only
    ddsrt_iovec_t iov;
    struct ddsi_serdata *ref = f->sample->c.ops->to_ser_ref(&f->sample->c, 4, PAYLOAD - 4, &iov);
    assert_int_equal(iov.iov_len, PAYLOAD - 4);
    assert_int_equal(*(const uint8_t *)iov.iov_base, 'p');
    f->sample->c.ops->to_ser_unref(ref, &iov);
}

static void other_bytes_in_front_break_the_hook(void **state)
{
    struct fixture *f = *state;
    // another parameter, another length, another byte order, another alignment
    static const uint8_t headers[][4] = {
        {0x71, 0x00, 16, 0x00}, {0x70, 0x00, 20, 0x00}, {0x00, 0x70, 0x00, 16}, {0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        uint8_t message[20] = {0};
        const uint8_t *bytes = NULL;
        memcpy(message, headers[i], 4);
        assert_int_equal(build(f, message, 0, &bytes), PAYLOAD);
        // nothing was changed, and what is sent is whole
        assert_memory_equal(message, headers[i], 4);
        assert_memory_equal(bytes, "pppppppppppp", PAYLOAD);
        assert_true(tn_ros__pool_is_hook_broken(f->pool));
    }
}

static void samples_without_identity_keep_their_keyhash(void **state)
{
    struct fixture *f = *state;
    uint8_t message[20] = {0x70, 0x00, 16, 0x00, 0xaa, 0xaa};
    static const uint8_t zero[16] = {0};
    const uint8_t *bytes = NULL;
    f->sample->has_prefix = false;
    assert_int_equal(build(f, message, 0, &bytes), PAYLOAD);
    assert_int_equal(message[0], 0x70);
    assert_memory_equal(message + 4, zero, sizeof zero);
    assert_false(tn_ros__pool_is_hook_broken(f->pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(identity_goes_in_front_of_the_payload, open_all, close_all),
        cmocka_unit_test_setup_teardown(other_bytes_in_front_break_the_hook, open_all, close_all),
        cmocka_unit_test_setup_teardown(samples_without_identity_keep_their_keyhash, open_all,
                                        close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
