// SPDX-License-Identifier: Apache-2.0
#include "session/session.h"

#define STAY(s)                                                                                    \
    {                                                                                              \
        .next = TN_SESSION_##s, .again = false, .loses_arm = false                                 \
    }
#define GO(s)                                                                                      \
    {                                                                                              \
        .next = TN_SESSION_##s, .again = false, .loses_arm = false                                 \
    }
#define DROP(s)                                                                                    \
    {                                                                                              \
        .next = TN_SESSION_##s, .again = false, .loses_arm = true                                  \
    }
#define BOTH(s)                                                                                    \
    {                                                                                              \
        .next = TN_SESSION_##s, .again = true, .loses_arm = true                                   \
    }

// rows: state; columns: event, in the order of the enum
static const struct tn_session_cell link_table[TN_SESSION_STATES][TN_SESSION_EVENTS] =
    {
        [TN_SESSION_INIT] =
            {
                [TN_SESSION_EV_SOURCE] = GO(CALIBRATING),
                [TN_SESSION_EV_CHECKED] = STAY(INIT),
                [TN_SESSION_EV_GAP] = STAY(INIT),
                [TN_SESSION_EV_BACK_SAME] = STAY(INIT),
                [TN_SESSION_EV_BACK_OTHER] = STAY(INIT),
                [TN_SESSION_EV_GONE] = STAY(INIT),
                [TN_SESSION_EV_LOST] = STAY(INIT),
                [TN_SESSION_EV_REOPENED] = STAY(INIT),
                [TN_SESSION_EV_CHECK_FAILED] = DROP(INIT),
                [TN_SESSION_EV_SHUTDOWN] = DROP(DISCONNECTED),
            },
        [TN_SESSION_CALIBRATING] =
            {
                [TN_SESSION_EV_SOURCE] = STAY(CALIBRATING),
                [TN_SESSION_EV_CHECKED] = GO(ACTIVE),
                [TN_SESSION_EV_GAP] = STAY(CALIBRATING),
                [TN_SESSION_EV_BACK_SAME] = STAY(CALIBRATING),
                [TN_SESSION_EV_BACK_OTHER] = DROP(CALIBRATING),
                [TN_SESSION_EV_GONE] = DROP(DISCONNECTED),
                [TN_SESSION_EV_LOST] = BOTH(STALE),
                [TN_SESSION_EV_REOPENED] = STAY(CALIBRATING),
                [TN_SESSION_EV_CHECK_FAILED] = DROP(CALIBRATING),
                [TN_SESSION_EV_SHUTDOWN] = DROP(DISCONNECTED),
            },
        [TN_SESSION_ACTIVE] =
            {
                [TN_SESSION_EV_SOURCE] = STAY(ACTIVE),
                [TN_SESSION_EV_CHECKED] = STAY(ACTIVE),
                [TN_SESSION_EV_GAP] = GO(STALE),
                [TN_SESSION_EV_BACK_SAME] = STAY(ACTIVE),
                [TN_SESSION_EV_BACK_OTHER] = DROP(CALIBRATING),
                [TN_SESSION_EV_GONE] = BOTH(STALE),
                [TN_SESSION_EV_LOST] = BOTH(STALE),
                [TN_SESSION_EV_REOPENED] = STAY(ACTIVE),
                [TN_SESSION_EV_CHECK_FAILED] = DROP(CALIBRATING),
                [TN_SESSION_EV_SHUTDOWN] = DROP(DISCONNECTED),
            },
        [TN_SESSION_STALE] =
            {
                [TN_SESSION_EV_SOURCE] = STAY(STALE),
                [TN_SESSION_EV_CHECKED] = STAY(STALE),
                [TN_SESSION_EV_GAP] = STAY(STALE),
                [TN_SESSION_EV_BACK_SAME] = GO(ACTIVE),
                [TN_SESSION_EV_BACK_OTHER] = DROP(CALIBRATING),
                [TN_SESSION_EV_GONE] = DROP(DISCONNECTED),
                [TN_SESSION_EV_LOST] = DROP(DISCONNECTED),
                [TN_SESSION_EV_REOPENED] = STAY(STALE),
                [TN_SESSION_EV_CHECK_FAILED] = DROP(CALIBRATING),
                [TN_SESSION_EV_SHUTDOWN] = DROP(DISCONNECTED),
            },
        [TN_SESSION_DISCONNECTED] =
            {
                [TN_SESSION_EV_SOURCE] = STAY(DISCONNECTED),
                [TN_SESSION_EV_CHECKED] = STAY(DISCONNECTED),
                [TN_SESSION_EV_GAP] = STAY(DISCONNECTED),
                [TN_SESSION_EV_BACK_SAME] = STAY(DISCONNECTED),
                [TN_SESSION_EV_BACK_OTHER] = STAY(DISCONNECTED),
                [TN_SESSION_EV_GONE] = STAY(DISCONNECTED),
                [TN_SESSION_EV_LOST] = STAY(DISCONNECTED),
                [TN_SESSION_EV_REOPENED] = GO(INIT),
                [TN_SESSION_EV_CHECK_FAILED] = DROP(DISCONNECTED),
                [TN_SESSION_EV_SHUTDOWN] = DROP(DISCONNECTED),
            },
};

// losing the right to move latches only what had it
static const enum tn_session_arming arm_table[TN_SESSION_ARMINGS][TN_SESSION_ARM_EVENTS] = {
    [TN_SESSION_DISARMED] = {TN_SESSION_ARMED, TN_SESSION_DISARMED, TN_SESSION_ESTOP,
                             TN_SESSION_DISARMED},
    [TN_SESSION_ARMED] = {TN_SESSION_ARMED, TN_SESSION_DISARMED, TN_SESSION_ESTOP,
                          TN_SESSION_LATCHED},
    [TN_SESSION_LATCHED] = {TN_SESSION_ARMED, TN_SESSION_DISARMED, TN_SESSION_ESTOP,
                            TN_SESSION_LATCHED},
    [TN_SESSION_ESTOP] = {TN_SESSION_ARMED, TN_SESSION_ESTOP, TN_SESSION_ESTOP, TN_SESSION_ESTOP},
};

struct tn_session_cell tn_session_link_cell(enum tn_session_state state,
                                            enum tn_session_event event)
{
    return link_table[state][event];
}

enum tn_session_arming tn_session_arming_next(enum tn_session_arming arming,
                                              enum tn_session_arm_event event)
{
    return arm_table[arming][event];
}

const char *tn_session_state_name(enum tn_session_state state)
{
    static const char *const names[TN_SESSION_STATES] = {"INIT", "CALIBRATING", "ACTIVE", "STALE",
                                                         "DISCONNECTED"};
    return (unsigned)state < TN_SESSION_STATES ? names[state] : "?";
}

const char *tn_session_reason_word(enum tn_session_reason reason)
{
    static const char *const words[TN_SESSION_REASONS] = {
        [TN_SESSION_REASON_NONE] = "",
        [TN_SESSION_REASON_GAP] = "gap",
        [TN_SESSION_REASON_AGE] = "age",
        [TN_SESSION_REASON_FROZEN] = "frozen",
        [TN_SESSION_REASON_SOURCE_LOST] = "source_lost",
        [TN_SESSION_REASON_IDENTITY] = "identity",
        [TN_SESSION_REASON_SIDE] = "side",
        [TN_SESSION_REASON_CALIBRATION] = "calibration",
        [TN_SESSION_REASON_FRAME] = "frame",
        [TN_SESSION_REASON_OPERATOR] = "operator",
        [TN_SESSION_REASON_SHUTDOWN] = "shutdown",
        [TN_SESSION_REASON_ESTOP] = "estop",
        [TN_SESSION_REASON_ENABLE] = "enable",
        [TN_SESSION_REASON_PAUSE] = "pause",
        [TN_SESSION_REASON_ROBOT] = "robot",
        [TN_SESSION_REASON_ARM] = "arm",
    };
    return (unsigned)reason < TN_SESSION_REASONS ? words[reason] : "?";
}
