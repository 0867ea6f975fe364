// SPDX-License-Identifier: Apache-2.0
/// @file
/// Messages between DivingStation and its clients as structs, the same for every dialect.
///
/// Angles are degrees and quaternions x, y, z, w whatever the wire has. Ids are opaque strings; the
/// id of a message is the one on the wire (protocol v1: of a pair of gloves).
#ifndef TN_GLOVE_CONTACT_MESSAGE_H
#define TN_GLOVE_CONTACT_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

/// Longest id of a single glove and its NUL: that of the wire plus "_right".
#define TN_CONTACT_ID_MAX 64
/// Longest id on the wire and its NUL; longer ones are rejected.
#define TN_CONTACT_WIRE_ID_MAX 58
/// Longest display name and its NUL; longer ones are cut between characters.
#define TN_CONTACT_NAME_MAX 96
/// Most devices in one list: DivingStation takes 8 dongles per PC.
#define TN_CONTACT_DEVICES_MAX 32

/// Angles in wire order: thumb cmc, mcp, ip, tilt; then index, middle, ring, little mcp, pip, dip,
/// tilt.
#define TN_CONTACT_ANGLES            20
#define TN_CONTACT_FINGERS           5
#define TN_CONTACT_ANGLES_PER_FINGER 4
/// Quaternions in wire order: thumb cmc, mcp, ip; then index, middle, ring, little mcp, pip, dip.
#define TN_CONTACT_HAND_QUATS 15

/// What a message is; the same kinds in every dialect.
enum tn_contact_kind {
    // from DivingStation
    TN_CONTACT_DEVICES,    ///< list of all pairs of gloves
    TN_CONTACT_ERGONOMICS, ///< 20 joint angles
    TN_CONTACT_HAND_QUAT,  ///< 15 joint rotations
    TN_CONTACT_WRIST,      ///< orientation of the wrist
    TN_CONTACT_CONTROLLER, ///< buttons and sticks
    // to DivingStation
    TN_CONTACT_CONNECT,
    TN_CONTACT_DISCONNECT,
    TN_CONTACT_HAPTICS_BODY,
    TN_CONTACT_HAPTICS_FINGER,
    TN_CONTACT_KINDS
};

/// One hand of a pair in a device list.
struct tn_contact_hand_state {
    bool is_connected;
    int32_t battery; ///< percent; other numbers as reported
    float ping;      ///< as reported, presumably ms
};

/// One pair of gloves (one dongle).
struct tn_contact_device {
    char id[TN_CONTACT_WIRE_ID_MAX];
    bool is_main;
    int32_t device_type; ///< enum tn_contact_device_type or another number
    char name[TN_CONTACT_NAME_MAX];
    int32_t color; ///< enum tn_contact_color or another number
    float ping;
    struct tn_contact_hand_state left, right;
};

struct tn_contact_devices {
    uint32_t n;
    struct tn_contact_device devices[TN_CONTACT_DEVICES_MAX];
};

/// How the inverse kinematics went; numbers of contact_glove_msgs.
enum tn_contact_tracking {
    TN_CONTACT_TRACKED = 0,
    TN_CONTACT_IK_FAILED = 1,
    TN_CONTACT_NOT_ATTEMPTED = 2
};

struct tn_contact_ergonomics {
    char id[TN_CONTACT_WIRE_ID_MAX];
    bool is_left;
    uint64_t generated_at_ms; ///< Unix ms; 0: the dialect has none
    enum tn_contact_tracking tracking_state;
    float angle_deg[TN_CONTACT_ANGLES]; ///< flexion +; never clipped
};

struct tn_contact_hand_quat {
    char id[TN_CONTACT_WIRE_ID_MAX];
    bool is_left;
    float q_xyzw[TN_CONTACT_HAND_QUATS][4]; ///< normalised; axes undocumented
};

struct tn_contact_wrist {
    char id[TN_CONTACT_WIRE_ID_MAX];
    bool is_left;
    float q_xyzw[4]; ///< normalised; axes undocumented
};

/// Buttons are 0 released, 1 touched, 2 pressed.
struct tn_contact_controller {
    char id[TN_CONTACT_WIRE_ID_MAX];
    bool is_left;
    int32_t a, b, sys, trigger_button, joystick_button, trackpad_button;
    float trigger, grip_value, grip_force;                ///< 0..1
    float joystick_x, joystick_y, trackpad_x, trackpad_y; ///< -1..1
};

/// Connect and Disconnect.
struct tn_contact_connect {
    int32_t receive_port; ///< where the client wants its data, 1..65535
};

/// One vibration of the whole hand.
struct tn_contact_vibration {
    float frequency_hz;
    float amplitude; ///< 0..1
    float duration_s;
};

struct tn_contact_haptics_body {
    char id[TN_CONTACT_WIRE_ID_MAX];
    bool is_left;
    struct tn_contact_vibration vibration;
};

/// Sense of touch per finger, each 0..15: bits upper left, lower left, upper right, lower right.
struct tn_contact_finger_levels {
    int32_t thumb, index, middle, ring, force;
};

struct tn_contact_haptics_finger {
    char id[TN_CONTACT_WIRE_ID_MAX];
    bool is_left;
    struct tn_contact_finger_levels levels;
};

/// One message. Plain data.
struct tn_contact_message {
    enum tn_contact_kind kind;
    union {
        struct tn_contact_devices devices;
        struct tn_contact_ergonomics ergonomics;
        struct tn_contact_hand_quat hand_quat;
        struct tn_contact_wrist wrist;
        struct tn_contact_controller controller;
        struct tn_contact_connect connect; ///< Connect and Disconnect
        struct tn_contact_haptics_body haptics_body;
        struct tn_contact_haptics_finger haptics_finger;
    } body;
};

#endif
