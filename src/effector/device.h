// SPDX-License-Identifier: Apache-2.0
/// @file
/// What every robot hand or gripper is to the rest of the program: one table of functions.
///
/// A device family is one folder src/effector/<family>/ with a pure codec (registers or frames to
/// these structs) and a link (serial port, CAN socket); it fills a `struct tn_effector_device` and
/// has one row in the node's device table. The simulated device (effector/sim.h) is the shortest
/// example.
///
/// **Owner.** All functions of one device are called by one owner: the loop for a device that never
/// blocks (the simulation), the worker of its bus for a real one. The core (effector/core.h) never
/// sees the device: setpoints and feedback cross between them by value, so they may sit in
/// different threads.
///
/// **Cycle.** identify once after each (re)connect; then each cycle: write the setpoint if there is
/// one, poll everything in the fewest transactions. After a failure the same functions are called
/// again; a device that needs re-opening does so in `identify`. Retries are inside, bounded by the
/// family's `reply_timeout_ms` and `retries`.
#ifndef TN_EFFECTOR_DEVICE_H
#define TN_EFFECTOR_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "base/side.h"
#include "effector/types.h"

/// What a device can do. Constant while it is connected.
struct tn_effector_capabilities {
    enum tn_effector_kind kind;
    uint32_t modes;                  ///< bit m set: enum tn_effector_mode m is supported
    double full_speed_percent_per_s; ///< stroke per second at 100 % speed, > 0
    int64_t reaction_ns; ///< from a write until a joint at full speed has obeyed and could stand
                         ///< without turning back: dead time and braking; 0: not known
    bool limits_speed;   ///< obeys `speed_percent_per_s` of a setpoint; else it gets ramped targets
                         ///< only
    bool is_blocking;    ///< its functions wait for a bus: run them in a worker
};

/// Who answered. Zero-initialised by the caller.
struct tn_effector_identity {
    enum tn_side
        side;        ///< TN_SIDE_UNKNOWN: the device does not tell; the configured side is believed
    char model[32];  ///< e.g. "sim hand"; NUL-terminated
    char serial[32]; ///< "" when the device has none
    char firmware[32]; ///< "" when the device does not tell
};

/// Commands that one write may carry: those of different joint subsets are merged.
#define TN_EFFECTOR_MAX_MERGED 4

/// Names a command on its way to the device.
struct tn_effector_command_id {
    int64_t stamp_ros_ns; ///< header.stamp; 0 when it had none
    bool has_expiry;      ///< must not be handed over later than:
    int64_t expires_steady_ns;
};

/// One write. Only joints in `joints` change; the others keep target and mode.
struct tn_effector_setpoint {
    uint32_t joints; ///< mask
    uint8_t mode[TN_EFFECTOR_MAX_JOINTS];
    double value[TN_EFFECTOR_MAX_JOINTS]; ///< percent, finite and in the range of its mode
    uint32_t limited;                     ///< mask of joints whose speed is limited below
    double speed_percent_per_s[TN_EFFECTOR_MAX_JOINTS]; ///< > 0, for position joints in `limited`
    uint32_t
        n_commands; ///< commands that reach the device first by this write; 0: a hold or a ramp
    struct tn_effector_command_id commands[TN_EFFECTOR_MAX_MERGED];
};

/// One sample of the whole device. Values are finite and clamped to [0, 100].
struct tn_effector_sample {
    int64_t sample_steady_ns; ///< when the device was read
    bool is_ready;            ///< false: answers, but takes no commands yet (power-up sweep)
    double position[TN_EFFECTOR_MAX_JOINTS];
    double velocity[TN_EFFECTOR_MAX_JOINTS]; ///< percent of the full speed, magnitude
    double current[TN_EFFECTOR_MAX_JOINTS];  ///< magnitude
    uint8_t state[TN_EFFECTOR_MAX_JOINTS];   ///< enum tn_effector_joint_state
};

/// The functions of a family. Constant; `self` is what `struct tn_effector_device` carries.
struct tn_effector_device_ops {
    const char *name; ///< value of the parameter `device`

    /// (Re)opens the link if needed and reads who is there. Moves nothing.
    /// @return TN_OK; TN_ERR_TIMEOUT: no answer; TN_ERR_WRONG_DEVICE: another model answered;
    /// TN_ERR_IO: the port cannot be opened. The text names port, id, found and expected.
    enum tn_result (*identify)(void *self, int64_t now_steady_ns,
                               struct tn_effector_identity *out_identity, struct tn_error *err);

    /// Hands targets to the device.
    /// @return TN_OK: the device has it; TN_ERR_TIMEOUT, TN_ERR_IO: it does not, or it is not
    /// known; TN_ERR_UNSUPPORTED: a mode outside the capabilities (nothing was sent)
    enum tn_result (*write)(void *self, const struct tn_effector_setpoint *setpoint,
                            int64_t now_steady_ns);

    /// Reads all feedback.
    /// @param out_sample   untouched on error
    /// @return TN_OK; TN_ERR_TIMEOUT, TN_ERR_IO, TN_ERR_MALFORMED: no good answer after the retries
    enum tn_result (*poll)(void *self, int64_t now_steady_ns,
                           struct tn_effector_sample *out_sample);

    /// Ends motion of joints in VELOCITY or CURRENT mode (speed 0, current 0) and leaves position
    /// targets as they are. Called at shutdown; never waits behind a queued write.
    /// @return as write
    enum tn_result (*stop)(void *self, int64_t now_steady_ns);
};

/// A device as its owner holds it.
struct tn_effector_device {
    const struct tn_effector_device_ops *ops;
    void *self;
    struct tn_effector_capabilities capabilities;
};

#endif
