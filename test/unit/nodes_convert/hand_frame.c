// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nodes/convert/hand_frame.h"

#define BIT(i) (UINT32_C(1) << (i))

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return x;
}

static double uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(next_random(state) >> 11) / 9007199254740992.0);
}

static struct tn_hand_frame random_frame(uint64_t *seed)
{
    struct tn_hand_frame frame;
    tn_hand_frame_init(&frame);
    frame.stamp_ros_ns = (int64_t)(next_random(seed) % (UINT64_C(1) << 60));
    frame.side = (enum tn_side)(1 + next_random(seed) % 2);
    frame.stamp_kind = (enum tn_stamp_kind)(1 + next_random(seed) % 3);
    frame.link = (enum tn_link_state)(next_random(seed) % 5);
    snprintf(frame.device_id, sizeof frame.device_id, "glove-%u", (unsigned)next_random(seed));
    frame.stream_id = next_random(seed);
    frame.sequence = next_random(seed);
    frame.has_source_sequence = next_random(seed) % 2 != 0;
    frame.missed_before = (uint32_t)next_random(seed);
    frame.age_ns = (int64_t)(next_random(seed) % (UINT64_C(1) << 59));
    frame.stamp_uncertainty_ns = (int64_t)(next_random(seed) % 10000000);
    frame.node_valid = (uint32_t)next_random(seed) & (BIT(TN_HAND_NODES) - 1);
    frame.angle_valid = (uint32_t)next_random(seed) & (BIT(TN_HAND_ANGLES) - 1);
    frame.rates_valid = next_random(seed) % 2 != 0;
    for (size_t i = 0; i < TN_HAND_NODES; i++) {
        if ((frame.node_valid & BIT(i)) != 0) {
            frame.nodes[i].p = tn_vec3(uniform(seed, -0.28, 0.28), uniform(seed, -0.28, 0.28),
                                       uniform(seed, -0.28, 0.28));
            frame.nodes[i].q =
                tn_quat_normalized((struct tn_quat){uniform(seed, -1, 1), uniform(seed, -1, 1),
                                                    uniform(seed, -1, 1), uniform(seed, 0.1, 1)});
        }
    }
    for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
        if ((frame.angle_valid & BIT(s)) != 0) {
            frame.angles[s] = uniform(seed, -3.4, 3.4);
            frame.rates[s] = frame.rates_valid ? uniform(seed, -50, 50) : 0.0;
        }
    }
    for (size_t f = 0; f < TN_HAND_FINGERS; f++) {
        frame.confidence[f] = next_random(seed) % 3 == 0 ? -1.0f : (float)uniform(seed, 0, 1);
    }
    return frame;
}

static void assert_same(const struct tn_hand_frame *a, const struct tn_hand_frame *b)
{
    assert_int_equal(a->stamp_ros_ns, b->stamp_ros_ns);
    assert_int_equal(a->side, b->side);
    assert_int_equal(a->stamp_kind, b->stamp_kind);
    assert_int_equal(a->link, b->link);
    assert_string_equal(a->device_id, b->device_id);
    assert_true(a->stream_id == b->stream_id && a->sequence == b->sequence);
    assert_int_equal(a->has_source_sequence, b->has_source_sequence);
    assert_int_equal(a->missed_before, b->missed_before);
    assert_int_equal(a->age_ns, b->age_ns);
    assert_int_equal(a->stamp_uncertainty_ns, b->stamp_uncertainty_ns);
    assert_int_equal(a->node_valid, b->node_valid);
    assert_int_equal(a->angle_valid, b->angle_valid);
    assert_int_equal(a->rates_valid, b->rates_valid);
    assert_memory_equal(a->confidence, b->confidence, sizeof a->confidence);
    assert_memory_equal(a->angles, b->angles, sizeof a->angles);
    assert_memory_equal(a->rates, b->rates, sizeof a->rates);
    for (size_t i = 0; i < TN_HAND_NODES; i++) {
        assert_true(tn_vec3_distance(a->nodes[i].p, b->nodes[i].p) <= 0.0);
        assert_true(tn_quat_dot(a->nodes[i].q, b->nodes[i].q) > 1.0 - 1e-15);
    }
}

static void frames_survive_the_wire(void **state)
{
    (void)state;
    for (uint64_t round = 1; round <= 500; round++) {
        uint64_t seed = round * 2654435761u;
        struct tn_hand_frame frame = random_frame(&seed), back;
        assert_int_equal(tn_hand_frame_check(&frame), TN_OK);
        struct tendon_msgs_msg_HandFrame msg, decoded;
        tn_convert_hand_frame_to_msg(&frame, "ds2/contact_glove/g1/hand", &msg);
        uint8_t buffer[8192];
        struct tn_cdr_writer writer;
        tn_cdr_writer_begin(&writer, buffer, sizeof buffer);
        assert_int_equal(tn_type_encode(&tendon_msgs_msg_HandFrame_type, &msg, &writer), TN_OK);
        struct tn_cdr_reader reader;
        struct tn_arena arena;
        uint8_t block[64];
        tn_arena_init(&arena, block, sizeof block);
        tn_cdr_reader_begin(&reader, buffer, writer.size);
        assert_int_equal(tn_type_decode(&tendon_msgs_msg_HandFrame_type, &decoded, &reader, &arena),
                         TN_OK);
        assert_true(tn_str_is(decoded.header.frame_id, "ds2/contact_glove/g1/hand"));
        memset(&back, 0xee, sizeof back);
        assert_int_equal(tn_convert_hand_frame_from_msg(&decoded, &back), TN_OK);
        assert_same(&frame, &back);
    }
}

static struct tendon_msgs_msg_HandFrame good_message(struct tn_hand_frame *frame)
{
    uint64_t seed = 77;
    *frame = random_frame(&seed);
    frame->node_valid = BIT(TN_HAND_NODES) - 1;
    frame->angle_valid = BIT(TN_HAND_ANGLES) - 1;
    frame->rates_valid = true;
    struct tendon_msgs_msg_HandFrame msg;
    tn_convert_hand_frame_to_msg(frame, "f", &msg);
    return msg;
}

static enum tn_result try(const struct tendon_msgs_msg_HandFrame *msg)
{
    struct tn_hand_frame frame, kept;
    memset(&frame, 0x44, sizeof frame);
    memcpy(&kept, &frame, sizeof kept);
    enum tn_result result = tn_convert_hand_frame_from_msg(msg, &frame);
    if (result != TN_OK) {
        assert_memory_equal(&frame, &kept, sizeof kept);
    }
    return result;
}

static void hostile_messages_are_refused(void **state)
{
    (void)state;
    struct tn_hand_frame frame;
    const struct tendon_msgs_msg_HandFrame good = good_message(&frame);
    assert_int_equal(try(&good), TN_OK);
    struct tendon_msgs_msg_HandFrame msg = good;
    for (int side = 0; side < 256; side++) {
        msg.side = (uint8_t)side;
        assert_int_equal(try(&msg), side == 1 || side == 2 ? TN_OK : TN_ERR_WRONG_SIDE);
    }
    msg = good;
    for (int kind = 0; kind < 256; kind++) {
        msg.stamp_kind = (uint8_t)kind;
        assert_int_equal(try(&msg), kind >= 1 && kind <= 3 ? TN_OK : TN_ERR_RANGE);
    }
    msg = good;
    for (int link = 0; link < 256; link++) {
        msg.state = (uint8_t)link;
        assert_int_equal(try(&msg), link <= 4 ? TN_OK : TN_ERR_RANGE);
    }
    msg = good;
    msg.header.stamp.nanosec = 1000000000;
    assert_int_equal(try(&msg), TN_ERR_MALFORMED);
    msg = good;
    msg.age.nanosec = UINT32_MAX;
    assert_int_equal(try(&msg), TN_ERR_MALFORMED);
    msg = good;
    msg.age.sec = -1;
    assert_int_equal(try(&msg), TN_ERR_RANGE);
    msg = good;
    msg.stamp_uncertainty.sec = INT32_MIN;
    assert_int_equal(try(&msg), TN_ERR_RANGE);
    msg = good;
    msg.node_valid = UINT32_MAX;
    assert_int_equal(try(&msg), TN_ERR_RANGE);
    msg = good;
    msg.angle_valid = UINT32_MAX;
    assert_int_equal(try(&msg), TN_ERR_RANGE);
    msg = good;
    msg.nodes[13].orientation = (struct geometry_msgs_msg_Quaternion){.w = 0.0};
    assert_int_equal(try(&msg), TN_ERR_RANGE);
    msg = good;
    msg.nodes[13].position.x = (double)NAN;
    assert_int_equal(try(&msg), TN_ERR_NOT_FINITE);
    msg = good;
    msg.rates[4] = (double)INFINITY;
    assert_int_equal(try(&msg), TN_ERR_NOT_FINITE);
    msg = good;
    msg.confidence[4] = NAN;
    assert_int_equal(try(&msg), TN_ERR_NOT_FINITE);
}

static void device_ids_are_checked(void **state)
{
    (void)state;
    struct tn_hand_frame frame;
    struct tendon_msgs_msg_HandFrame msg = good_message(&frame);
    char id[TN_HAND_DEVICE_ID_MAX + 1];
    memset(id, 'a', sizeof id);
    msg.device_id = (struct tn_str){.data = NULL, .size = 0};
    assert_int_equal(try(&msg), TN_ERR_WRONG_DEVICE);
    msg.device_id = (struct tn_str){.data = id, .size = TN_HAND_DEVICE_ID_MAX - 1};
    assert_int_equal(try(&msg), TN_OK);
    msg.device_id.size = TN_HAND_DEVICE_ID_MAX;
    assert_int_equal(try(&msg), TN_ERR_LIMIT);
    msg.device_id = (struct tn_str){.data = "a\0b", .size = 3};
    assert_int_equal(try(&msg), TN_ERR_MALFORMED);
}

static void absent_entries_are_never_read(void **state)
{
    (void)state;
    struct tn_hand_frame frame, back;
    struct tendon_msgs_msg_HandFrame msg = good_message(&frame);
    msg.node_valid &= ~BIT(9);
    msg.nodes[9].position.y = (double)NAN;
    msg.nodes[9].orientation.w = (double)INFINITY;
    msg.angle_valid &= ~BIT(2);
    msg.angles[2] = (double)NAN;
    msg.rates[2] = (double)INFINITY;
    assert_int_equal(tn_convert_hand_frame_from_msg(&msg, &back), TN_OK);
    assert_true(tn_vec3_norm(back.nodes[9].p) <= 0.0);
    assert_true(back.nodes[9].q.w >= 1.0);
    assert_true(fabs(back.angles[2]) <= 0.0 && fabs(back.rates[2]) <= 0.0);
    msg.rates_valid = false;
    msg.rates[3] = (double)NAN;
    assert_int_equal(tn_convert_hand_frame_from_msg(&msg, &back), TN_OK);
    assert_true(fabs(back.rates[3]) <= 0.0);
}

static void orientations_are_normalised(void **state)
{
    (void)state;
    struct tn_hand_frame frame, back;
    struct tendon_msgs_msg_HandFrame msg = good_message(&frame);
    msg.nodes[4].orientation =
        (struct geometry_msgs_msg_Quaternion){.x = 0.0, .y = 1.2, .z = 0.0, .w = 1.6};
    assert_int_equal(tn_convert_hand_frame_from_msg(&msg, &back), TN_OK);
    assert_true(fabs(back.nodes[4].q.y - 0.6) < 1e-15 && fabs(back.nodes[4].q.w - 0.8) < 1e-15);
}

static void times_outside_the_type_are_saturated(void **state)
{
    (void)state;
    const struct {
        int64_t ns;
        int32_t sec;
        uint32_t nanosec;
    } rows[] = {{0, 0, 0},
                {-1, -1, 999999999},
                {-1000000000, -1, 0},
                {2147483647999999999, INT32_MAX, 999999999},
                {2147483648000000000, INT32_MAX, 999999999},
                {INT64_MAX, INT32_MAX, 999999999},
                {INT64_MIN, INT32_MIN, 0}};
    struct tn_hand_frame frame;
    tn_hand_frame_init(&frame);
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        struct tendon_msgs_msg_HandFrame msg;
        frame.stamp_ros_ns = rows[i].ns;
        tn_convert_hand_frame_to_msg(&frame, "", &msg);
        assert_int_equal(msg.header.stamp.sec, rows[i].sec);
        assert_int_equal(msg.header.stamp.nanosec, rows[i].nanosec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_survive_the_wire),
        cmocka_unit_test(hostile_messages_are_refused),
        cmocka_unit_test(device_ids_are_checked),
        cmocka_unit_test(absent_entries_are_never_read),
        cmocka_unit_test(orientations_are_normalised),
        cmocka_unit_test(times_outside_the_type_are_saturated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
