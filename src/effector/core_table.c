// SPDX-License-Identifier: Apache-2.0
#include "effector/core.h"

#define GO(next_state, what)                                                                       \
    {                                                                                              \
        .next = TN_EFFECTOR_##next_state, .action = TN_EFFECTOR_DO_##what                          \
    }

// rows: state; columns: event
static const struct tn_effector_cell table[TN_EFFECTOR_STATES][TN_EFFECTOR_EVENTS] =
    {
        [TN_EFFECTOR_STARTING] =
            {
                [TN_EFFECTOR_EV_UP] = GO(READY, NOTHING),
                [TN_EFFECTOR_EV_BACK] = GO(HOLDING, HOLD),
                [TN_EFFECTOR_EV_LOST] = GO(LOST, FORGET),
                [TN_EFFECTOR_EV_COMMAND] = GO(STARTING, REFUSE),
                [TN_EFFECTOR_EV_REFUSED] = GO(STARTING, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_HOLD] = GO(STARTING, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_POSE] = GO(STARTING, NOTHING),
                [TN_EFFECTOR_EV_REACHED] = GO(STARTING, NOTHING),
                [TN_EFFECTOR_EV_RATE_TIMEOUT] = GO(STARTING, NOTHING),
                [TN_EFFECTOR_EV_STOP] = GO(STOPPED, FORGET),
                [TN_EFFECTOR_EV_RELEASE] = GO(STARTING, NOTHING),
                [TN_EFFECTOR_EV_SHUTDOWN] = GO(CLOSED, FORGET),
            },
        [TN_EFFECTOR_READY] =
            {
                [TN_EFFECTOR_EV_UP] = GO(READY, NOTHING),
                [TN_EFFECTOR_EV_BACK] = GO(READY, NOTHING),
                [TN_EFFECTOR_EV_LOST] = GO(LOST, FORGET),
                [TN_EFFECTOR_EV_COMMAND] = GO(FOLLOWING, FOLLOW),
                [TN_EFFECTOR_EV_REFUSED] = GO(READY, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_HOLD] = GO(READY, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_POSE] = GO(READY, NOTHING),
                [TN_EFFECTOR_EV_REACHED] = GO(READY, NOTHING),
                [TN_EFFECTOR_EV_RATE_TIMEOUT] = GO(READY, NOTHING),
                [TN_EFFECTOR_EV_STOP] = GO(STOPPED, HOLD),
                [TN_EFFECTOR_EV_RELEASE] = GO(READY, NOTHING),
                [TN_EFFECTOR_EV_SHUTDOWN] = GO(CLOSED, FORGET),
            },
        [TN_EFFECTOR_FOLLOWING] =
            {
                [TN_EFFECTOR_EV_UP] = GO(FOLLOWING, NOTHING),
                [TN_EFFECTOR_EV_BACK] = GO(FOLLOWING, NOTHING),
                [TN_EFFECTOR_EV_LOST] = GO(LOST, FORGET),
                [TN_EFFECTOR_EV_COMMAND] = GO(FOLLOWING, FOLLOW),
                [TN_EFFECTOR_EV_REFUSED] = GO(FOLLOWING, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_HOLD] = GO(HOLDING, HOLD),
                [TN_EFFECTOR_EV_WATCHDOG_POSE] = GO(FOLLOWING, NOTHING),
                [TN_EFFECTOR_EV_REACHED] = GO(FOLLOWING, NOTHING),
                [TN_EFFECTOR_EV_RATE_TIMEOUT] = GO(FOLLOWING, STOP_RATES),
                [TN_EFFECTOR_EV_STOP] = GO(STOPPED, HOLD),
                [TN_EFFECTOR_EV_RELEASE] = GO(FOLLOWING, NOTHING),
                [TN_EFFECTOR_EV_SHUTDOWN] = GO(CLOSED, FORGET),
            },
        [TN_EFFECTOR_HOLDING] =
            {
                [TN_EFFECTOR_EV_UP] = GO(HOLDING, NOTHING),
                [TN_EFFECTOR_EV_BACK] = GO(HOLDING, NOTHING),
                [TN_EFFECTOR_EV_LOST] = GO(LOST, FORGET),
                [TN_EFFECTOR_EV_COMMAND] = GO(RESUMING, RESUME),
                [TN_EFFECTOR_EV_REFUSED] = GO(HOLDING, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_HOLD] = GO(HOLDING, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_POSE] = GO(POSE, POSE),
                [TN_EFFECTOR_EV_REACHED] = GO(HOLDING, NOTHING),
                [TN_EFFECTOR_EV_RATE_TIMEOUT] = GO(HOLDING, STOP_RATES),
                [TN_EFFECTOR_EV_STOP] = GO(STOPPED, HOLD),
                [TN_EFFECTOR_EV_RELEASE] = GO(HOLDING, NOTHING),
                [TN_EFFECTOR_EV_SHUTDOWN] = GO(CLOSED, FORGET),
            },
        [TN_EFFECTOR_POSE] =
            {
                [TN_EFFECTOR_EV_UP] = GO(POSE, NOTHING),
                [TN_EFFECTOR_EV_BACK] = GO(POSE, NOTHING),
                [TN_EFFECTOR_EV_LOST] = GO(LOST, FORGET),
                [TN_EFFECTOR_EV_COMMAND] = GO(RESUMING, RESUME),
                [TN_EFFECTOR_EV_REFUSED] = GO(POSE, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_HOLD] = GO(POSE, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_POSE] = GO(POSE, NOTHING),
                [TN_EFFECTOR_EV_REACHED] = GO(POSE, NOTHING),
                [TN_EFFECTOR_EV_RATE_TIMEOUT] = GO(POSE, STOP_RATES),
                [TN_EFFECTOR_EV_STOP] = GO(STOPPED, HOLD),
                [TN_EFFECTOR_EV_RELEASE] = GO(POSE, NOTHING),
                [TN_EFFECTOR_EV_SHUTDOWN] = GO(CLOSED, FORGET),
            },
        [TN_EFFECTOR_RESUMING] =
            {
                [TN_EFFECTOR_EV_UP] = GO(RESUMING, NOTHING),
                [TN_EFFECTOR_EV_BACK] = GO(RESUMING, NOTHING),
                [TN_EFFECTOR_EV_LOST] = GO(LOST, FORGET),
                [TN_EFFECTOR_EV_COMMAND] = GO(RESUMING, RESUME),
                [TN_EFFECTOR_EV_REFUSED] = GO(RESUMING, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_HOLD] = GO(HOLDING, HOLD),
                [TN_EFFECTOR_EV_WATCHDOG_POSE] = GO(RESUMING, NOTHING),
                [TN_EFFECTOR_EV_REACHED] = GO(FOLLOWING, NOTHING),
                [TN_EFFECTOR_EV_RATE_TIMEOUT] = GO(RESUMING, STOP_RATES),
                [TN_EFFECTOR_EV_STOP] = GO(STOPPED, HOLD),
                [TN_EFFECTOR_EV_RELEASE] = GO(RESUMING, NOTHING),
                [TN_EFFECTOR_EV_SHUTDOWN] = GO(CLOSED, FORGET),
            },
        [TN_EFFECTOR_STOPPED] =
            {
                // a device that comes up or back while stopped is held where it is
                [TN_EFFECTOR_EV_UP] = GO(STOPPED, HOLD),
                [TN_EFFECTOR_EV_BACK] = GO(STOPPED, HOLD),
                [TN_EFFECTOR_EV_LOST] = GO(STOPPED, FORGET),
                [TN_EFFECTOR_EV_COMMAND] = GO(STOPPED, REFUSE),
                [TN_EFFECTOR_EV_REFUSED] = GO(STOPPED, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_HOLD] = GO(STOPPED, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_POSE] = GO(STOPPED, NOTHING),
                [TN_EFFECTOR_EV_REACHED] = GO(STOPPED, NOTHING),
                [TN_EFFECTOR_EV_RATE_TIMEOUT] = GO(STOPPED, NOTHING),
                [TN_EFFECTOR_EV_STOP] = GO(STOPPED, NOTHING),
                [TN_EFFECTOR_EV_RELEASE] = GO(HOLDING, NOTHING),
                [TN_EFFECTOR_EV_SHUTDOWN] = GO(CLOSED, FORGET),
            },
        [TN_EFFECTOR_LOST] =
            {
                [TN_EFFECTOR_EV_UP] = GO(HOLDING, HOLD),
                [TN_EFFECTOR_EV_BACK] = GO(HOLDING, HOLD),
                [TN_EFFECTOR_EV_LOST] = GO(LOST, NOTHING),
                [TN_EFFECTOR_EV_COMMAND] = GO(LOST, REFUSE),
                [TN_EFFECTOR_EV_REFUSED] = GO(LOST, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_HOLD] = GO(LOST, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_POSE] = GO(LOST, NOTHING),
                [TN_EFFECTOR_EV_REACHED] = GO(LOST, NOTHING),
                [TN_EFFECTOR_EV_RATE_TIMEOUT] = GO(LOST, NOTHING),
                [TN_EFFECTOR_EV_STOP] = GO(STOPPED, FORGET),
                [TN_EFFECTOR_EV_RELEASE] = GO(LOST, NOTHING),
                [TN_EFFECTOR_EV_SHUTDOWN] = GO(CLOSED, FORGET),
            },
        [TN_EFFECTOR_CLOSED] =
            {
                [TN_EFFECTOR_EV_UP] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_BACK] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_LOST] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_COMMAND] = GO(CLOSED, REFUSE),
                [TN_EFFECTOR_EV_REFUSED] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_HOLD] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_WATCHDOG_POSE] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_REACHED] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_RATE_TIMEOUT] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_STOP] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_RELEASE] = GO(CLOSED, NOTHING),
                [TN_EFFECTOR_EV_SHUTDOWN] = GO(CLOSED, NOTHING),
            },
};

struct tn_effector_cell tn_effector_cell(enum tn_effector_state state, enum tn_effector_event event)
{
    return table[state][event];
}

const char *tn_effector_state_name(enum tn_effector_state state)
{
    static const char *const names[] = {
        [TN_EFFECTOR_STARTING] = "STARTING",   [TN_EFFECTOR_READY] = "READY",
        [TN_EFFECTOR_FOLLOWING] = "FOLLOWING", [TN_EFFECTOR_HOLDING] = "HOLDING",
        [TN_EFFECTOR_POSE] = "POSE",           [TN_EFFECTOR_RESUMING] = "RESUMING",
        [TN_EFFECTOR_STOPPED] = "STOPPED",     [TN_EFFECTOR_LOST] = "LOST",
        [TN_EFFECTOR_CLOSED] = "CLOSED",
    };
    return (unsigned)state < TN_EFFECTOR_STATES ? names[state] : "?";
}

const char *tn_effector_note_name(enum tn_effector_note_kind kind)
{
    static const char *const names[] = {
        [TN_EFFECTOR_NOTE_START] = "start",     [TN_EFFECTOR_NOTE_HOLD] = "hold",
        [TN_EFFECTOR_NOTE_POSE] = "pose",       [TN_EFFECTOR_NOTE_RESUME] = "resume",
        [TN_EFFECTOR_NOTE_RESUMED] = "resumed", [TN_EFFECTOR_NOTE_RATE] = "rate_stop",
        [TN_EFFECTOR_NOTE_STOP] = "stop",       [TN_EFFECTOR_NOTE_RELEASE] = "release",
        [TN_EFFECTOR_NOTE_LOST] = "lost",       [TN_EFFECTOR_NOTE_BACK] = "back",
    };
    return (unsigned)kind < TN_EFFECTOR_NOTES ? names[kind] : "?";
}
