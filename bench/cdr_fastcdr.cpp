// SPDX-License-Identifier: Apache-2.0
// our generated code and Fast-CDR with the calls that rosidl_typesupport_fastrtps_cpp generates, on
// the same message
//
//   bench_cdr_fastcdr PAIRS    prints "name ours peer" (ns per message) for each row and pair,
//   interleaved
//
// The peer writes into a buffer that is kept and reads into a message that is kept (std::string and
// std::vector hold their memory), so that neither side allocates.
extern "C" {
#include "base/arena.h"
#include "measure.h"
#include "rosidl/type.h"
#include "tn_msgs/end_effector_interfaces.h"
#include "tn_msgs/geometry_msgs.h"
#include "tn_msgs/sensor_msgs.h"
#include "tn_msgs/tendon_msgs.h"
}

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>

using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

namespace {

constexpr size_t buffer_max = 8192;
volatile size_t observed;

// ---- the peer's messages, members as in the .msg files ----

struct Time {
    int32_t sec = 0;
    uint32_t nanosec = 0;
    template <typename F> void each(F &&f)
    {
        f(sec), f(nanosec);
    }
};
struct Header {
    Time stamp;
    std::string frame_id;
    template <typename F> void each(F &&f)
    {
        stamp.each(f), f(frame_id);
    }
};
struct Vector3 {
    double x = 0, y = 0, z = 0;
    template <typename F> void each(F &&f)
    {
        f(x), f(y), f(z);
    }
};
struct Quaternion {
    double x = 0, y = 0, z = 0, w = 0;
    template <typename F> void each(F &&f)
    {
        f(x), f(y), f(z), f(w);
    }
};
struct Pose {
    Vector3 position;
    Quaternion orientation;
    template <typename F> void each(F &&f)
    {
        position.each(f), orientation.each(f);
    }
};
struct TransformStamped {
    Header header;
    std::string child_frame_id;
    Pose transform;
    template <typename F> void each(F &&f)
    {
        header.each(f), f(child_frame_id), transform.each(f);
    }
};
struct JointState {
    Header header;
    std::vector<std::string> name;
    std::vector<double> position, velocity, effort;
    template <typename F> void each(F &&f)
    {
        header.each(f), f(name), f(position), f(velocity), f(effort);
    }
};
struct EEJointControl {
    Header header;
    std::vector<std::string> name;
    uint8_t mode = 0;
    std::vector<double> value;
    template <typename F> void each(F &&f)
    {
        header.each(f), f(name), f(mode), f(value);
    }
};
struct EEJointFeedback {
    Header header;
    std::vector<std::string> name;
    std::vector<double> position, velocity, current;
    std::vector<uint8_t> state;
    template <typename F> void each(F &&f)
    {
        header.each(f), f(name), f(position), f(velocity), f(current), f(state);
    }
};
struct HandFrame {
    Header header;
    uint8_t side = 0, stamp_kind = 0, state = 0;
    std::string device_id;
    uint64_t stream_id = 0, sequence = 0;
    bool has_source_sequence = false;
    uint32_t missed_before = 0;
    Time age, stamp_uncertainty;
    uint32_t node_valid = 0, angle_valid = 0;
    std::array<Pose, 26> nodes;
    std::array<float, 5> confidence{};
    std::array<double, 21> angles{}, rates{};
    bool rates_valid = false;
    template <typename F> void each(F &&f)
    {
        header.each(f), f(side), f(stamp_kind), f(state), f(device_id), f(stream_id), f(sequence);
        f(has_source_sequence), f(missed_before), age.each(f), stamp_uncertainty.each(f);
        f(node_valid), f(angle_valid);
        for (Pose &node : nodes) {
            node.each(f);
        }
        f(confidence), f(angles), f(rates), f(rates_valid);
    }
};

template <typename T> size_t peer_encode(T &message, char *buffer)
{
    FastBuffer fast(buffer, buffer_max);
    Cdr cdr(fast, Cdr::LITTLE_ENDIANNESS, Cdr::DDS_CDR);
    cdr.serialize_encapsulation();
    message.each([&](auto &member) { cdr << member; });
    return cdr.getSerializedDataLength();
}

template <typename T> void peer_decode(T &message, char *buffer, size_t size)
{
    FastBuffer fast(buffer, size);
    Cdr cdr(fast, Cdr::LITTLE_ENDIANNESS, Cdr::DDS_CDR);
    cdr.read_encapsulation();
    message.each([&](auto &member) { cdr >> member; });
}

// ---- one type, both sides ----

template <typename T> struct subject {
    const char *name;
    const tn_type *type;
    void *ours; // decoded from what the peer wrote
    T theirs, again;
    char their_cdr[buffer_max];
    alignas(8) uint8_t our_cdr[buffer_max];
    size_t size;
    tn_arena values, arena;
};

template <typename T> void our_encode(subject<T> &s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        tn_cdr_writer writer;
        tn_cdr_writer_begin(&writer, s.our_cdr, buffer_max);
        bench_require(tn_type_encode(s.type, s.ours, &writer) == TN_OK, "our encode failed");
        observed = writer.size;
    }
}

template <typename T> void our_decode(subject<T> &s, uint32_t n, void *out)
{
    for (uint32_t i = 0; i < n; i++) {
        tn_cdr_reader reader;
        tn_arena_reset(&s.arena);
        (void)tn_cdr_reader_begin(&reader, s.their_cdr, s.size);
        bench_require(tn_type_decode(s.type, out, &reader, &s.arena) == TN_OK, "our decode failed");
    }
}

template <typename F> double ns_each(F &&run, uint32_t n)
{
    const int64_t start = bench_now_ns();
    run(n);
    return static_cast<double>(bench_now_ns() - start) / n;
}

template <typename O, typename P>
void compare(const char *row, const char *name, uint32_t n_pairs, O &&ours, P &&peer)
{
    const auto n = static_cast<uint32_t>(5e6 / ns_each(peer, 10000)) + 1;
    (void)ns_each(ours, n);
    for (uint32_t i = 0; i < n_pairs; i++) {
        const double our_ns = ns_each(ours, n), peer_ns = ns_each(peer, n);
        std::printf("cdr_fastcdr_%s_%s %.2f %.2f\n", row, name, our_ns, peer_ns);
    }
}

template <typename T> void run(const char *name, const tn_type *type, T &&message, uint32_t n_pairs)
{
    static subject<std::remove_reference_t<T>> s;
    s.name = name;
    s.type = type;
    s.theirs = message;
    bench_require(tn_arena_create(&s.values, 65536) == TN_OK &&
                      tn_arena_create(&s.arena, 65536) == TN_OK,
                  "no memory");
    std::memset(s.their_cdr, 0, sizeof s.their_cdr);
    s.size = peer_encode(s.theirs, s.their_cdr);

    // the same bytes, or the comparison is of two different things
    std::vector<uint64_t> ours(type->size / 8 + 1), out(type->size / 8 + 1);
    tn_cdr_reader reader;
    (void)tn_cdr_reader_begin(&reader, s.their_cdr, s.size);
    bench_require(tn_type_decode(type, ours.data(), &reader, &s.values) == TN_OK,
                  "Fast-CDR's bytes are not read");
    s.ours = ours.data();
    our_encode(s, 1);
    bench_require(observed == s.size && std::memcmp(s.our_cdr, s.their_cdr, s.size) == 0,
                  "ours and the peer's bytes differ");
    peer_decode(s.again, s.their_cdr, s.size);

    char scratch[buffer_max];
    compare(
        "encode", name, n_pairs, [&](uint32_t n) { our_encode(s, n); },
        [&](uint32_t n) {
            for (uint32_t i = 0; i < n; i++) {
                observed = peer_encode(s.theirs, scratch);
            }
        });
    compare(
        "decode", name, n_pairs, [&](uint32_t n) { our_decode(s, n, out.data()); },
        [&](uint32_t n) {
            for (uint32_t i = 0; i < n; i++) {
                peer_decode(s.again, s.their_cdr, s.size);
            }
        });
}

} // namespace

int main(int argc, char **argv)
{
    const uint32_t n_pairs =
        argc == 2 ? static_cast<uint32_t>(bench_number(argv[1], 1, 10000)) : 25;
    char names[BENCH_N_NAMES][BENCH_NAME_MAX];
    bench_names(names);
    std::vector<std::string> name(names, names + BENCH_N_NAMES);
    std::vector<double> values(BENCH_N_NAMES, 0.25);

    TransformStamped transform;
    transform.header.frame_id = "contact_right_hand";
    transform.child_frame_id = "contact_right_hand/index_tip";
    run("TransformStamped", &geometry_msgs_msg_TransformStamped_type, transform, n_pairs);

    JointState joints;
    joints.name = name;
    joints.position = joints.velocity = joints.effort = values;
    run("JointState", &sensor_msgs_msg_JointState_type, joints, n_pairs);

    EEJointControl control;
    control.name.assign(name.begin(), name.begin() + 6);
    control.value.assign(6, 50.0);
    run("EEJointControl", &end_effector_interfaces_msg_EEJointControl_type, control, n_pairs);

    EEJointFeedback feedback;
    feedback.name = control.name;
    feedback.position = feedback.velocity = feedback.current = control.value;
    feedback.state.assign(6, 1);
    run("EEJointFeedback", &end_effector_interfaces_msg_EEJointFeedback_type, feedback, n_pairs);

    HandFrame hand;
    hand.device_id = "contact_glove_right";
    run("HandFrame", &tendon_msgs_msg_HandFrame_type, hand, n_pairs);
    return 0;
}
