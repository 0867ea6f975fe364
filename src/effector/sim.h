// SPDX-License-Identifier: Apache-2.0
/// @file
/// A simulated hand or gripper: dead time, speed and acceleration limits, current, objects, stall.
///
/// Deterministic: the model moves in steps of TN_EFFECTOR_SIM_STEP_NS on a grid that starts at the
/// first call, whatever the times of the calls between; noise comes from a seeded generator.
///
/// Per joint (x position %, v speed %/s, r target):
///   1. what is written takes effect after `dead_time_ns`
///   2. vmax = 100 % / 0.6 s (gripper 0.7 s), times `speed_limit_percent`
///   3. POSITION v* = clamp(25 (r - x), ±vmax); VELOCITY v* = value/100 vmax;
///      CURRENT v* = |value| > 10: ±(|value| - 10)/90 vmax, else 0
///   4. |dv/dt| <= vmax / 0.04 s; x in [0, 100], at a stop v = 0
///   5. an object: while closing x <= x_object
///   6. current = 3 + 17 |v|/vmax + contact; against an object or a stop the contact term rises
///   with
///      60 ms to the mode's demand (POSITION, VELOCITY 100; CURRENT |value|) times
///      `current_limit_percent`/100
///   7. STALL: current >= limit and |v| < 1 %/s for 300 ms; then it stands where it is with 20 %
///      current. A new command ends that only if it leads away from the contact or differs by more
///      than 1 from the one that stalled; with `is_turbo` it grips again every 500 ms.
///   8. state: STALL when latched; RUNNING when |v| > 1 %/s or a target that differs by > 1 waits
///   or
///      is not reached; else IDLE
///   9. published values: every 20 ms, in steps of 0.1
///  10. begins open; with `has_sweep` takes commands only after 1 s of RUNNING
#ifndef TN_EFFECTOR_SIM_H
#define TN_EFFECTOR_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "effector/device.h"

#define TN_EFFECTOR_SIM_STEP_NS    (1 * TN_NS_PER_MS)
#define TN_EFFECTOR_SIM_PUBLISH_NS (20 * TN_NS_PER_MS)
#define TN_EFFECTOR_SIM_STALL_NS   (300 * TN_NS_PER_MS)
#define TN_EFFECTOR_SIM_TURBO_NS   (500 * TN_NS_PER_MS)
#define TN_EFFECTOR_SIM_SWEEP_NS   TN_NS_PER_S
/// Writes that wait out the dead time; more are merged into the newest.
#define TN_EFFECTOR_SIM_QUEUE 64

struct tn_effector_sim_options {
    enum tn_effector_kind kind;
    enum tn_side side;
    uint32_t modes;               ///< mask; default all three
    int64_t dead_time_ns;         ///< default 65 ms
    double speed_limit_percent;   ///< (0, 100], default 100
    double current_limit_percent; ///< (0, 100], default 50
    double noise_percent; ///< amplitude of the noise on published positions, default 0: none
    uint64_t noise_seed;
    bool is_turbo, has_sweep;
    uint32_t objects; ///< mask of joints with an object
    double object_percent[TN_EFFECTOR_MAX_JOINTS];
};

struct tn_effector_sim_joint {
    double x, v;
    uint8_t mode; ///< in effect
    double r;     ///< target in effect, in the unit of its mode
    bool is_limited;
    double limit_percent_per_s;
    double contact; ///< contact term of the current
    double current;
    bool is_pressing; ///< against an object or a stop
    double push;      ///< sign of the motion that presses
    int64_t slow_ns;  ///< how long the stall condition has held
    bool is_latched;
    int64_t latched_ns; ///< for how long
    uint8_t stalled_mode;
    double stalled_r;
};

struct tn_effector_sim_write {
    int64_t effective_steady_ns;
    struct tn_effector_setpoint setpoint;
};

/// Plain data; read what you like.
struct tn_effector_sim {
    struct tn_effector_sim_options options;
    uint32_t n_joints;
    double vmax;
    bool is_started;
    bool is_connected;
    int64_t start_steady_ns, time_steady_ns; ///< the model has reached time_steady_ns
    struct tn_effector_sim_joint joints[TN_EFFECTOR_MAX_JOINTS];
    struct tn_effector_sim_write queue[TN_EFFECTOR_SIM_QUEUE];
    uint32_t queue_head, queue_count;
    int64_t next_publish_steady_ns;
    struct tn_effector_sample published;
    uint64_t random;
};

/// @return the defaults of a kind and side. Thread: any. Allocates: never. Blocks: never.
struct tn_effector_sim_options tn_effector_sim_options_default(enum tn_effector_kind kind,
                                                               enum tn_side side);

/// @return TN_OK; TN_ERR_RANGE: an option (named in err); nothing is written then. Thread: one
/// caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_effector_sim_init(struct tn_effector_sim *sim,
                                                 const struct tn_effector_sim_options *options,
                                                 struct tn_error *err);

/// @return the device in front of a simulation, which must outlive it. Thread: any. Allocates:
/// never. Blocks: never.
struct tn_effector_device tn_effector_sim_device(struct tn_effector_sim *sim);

/// Runs the model up to a time; identify, write and poll do so themselves. After a pause of more
/// than 10 s the model runs 10 s only.
/// @return nothing. Thread: the owner. Allocates: never. Blocks: never. Cost: O(joints) per ms.
void tn_effector_sim_advance(struct tn_effector_sim *sim, int64_t now_steady_ns);

/// Test hook: pulls or plugs the cable. The device goes on with what it has. @return nothing.
/// Thread: the owner. Allocates: never. Blocks: never.
void tn_effector_sim_connect(struct tn_effector_sim *sim, bool is_connected);

/// Test hook: puts an object before a joint (or takes it away). @return nothing.
/// Thread: the owner. Allocates: never. Blocks: never.
void tn_effector_sim_set_object(struct tn_effector_sim *sim, uint32_t joint, bool is_there,
                                double object_percent);

#endif
