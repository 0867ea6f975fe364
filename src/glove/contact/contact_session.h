// SPDX-License-Identifier: Apache-2.0
/// @file
/// The protocol session as a state machine: when to send Connect, when the gloves are gone. Pure:
/// events and times in, a set of things to do out.
///
///     BIND ──start──▶ CONNECTING ──data──▶ STREAMING ◀──data── SILENT
///                     Connect each 1 s      each 10 s ──1 s──▶ Connect each 1 s
///
/// DivingStation may start, stop and restart at any time; silence never ends a session.
#ifndef TN_GLOVE_CONTACT_SESSION_H
#define TN_GLOVE_CONTACT_SESSION_H

#include <stdbool.h>
#include <stdint.h>

/// State of the link to DivingStation.
enum tn_contact_link_state {
    TN_CONTACT_LINK_BIND,       ///< not started, or stopped
    TN_CONTACT_LINK_CONNECTING, ///< no data yet
    TN_CONTACT_LINK_STREAMING,  ///< data comes
    TN_CONTACT_LINK_SILENT,     ///< no data for a while
    TN_CONTACT_LINKS
};

/// What an event asks for; bits.
enum tn_contact_todo {
    TN_CONTACT_DO_CONNECT = 1,    ///< send Connect
    TN_CONTACT_DO_DISCONNECT = 2, ///< send Disconnect
    TN_CONTACT_DO_TELL = 4,       ///< the state changed
    TN_CONTACT_DO_LOSE = 8,       ///< every glove counts as disconnected now
    TN_CONTACT_DO_REMIND = 16     ///< still waiting: tell the user what may be wrong
};

/// Times, all on the steady clock.
struct tn_contact_session_options {
    int64_t keepalive_silent_ns;    ///< between Connects without data
    int64_t keepalive_streaming_ns; ///< between Connects with data
    int64_t silent_after_ns;        ///< without data: SILENT
    int64_t lost_after_ns;          ///< without data: gloves disconnected
    int64_t remind_ns;              ///< between reminders while nothing comes
};

/// One session. Plain data; read `link`, the rest is private.
struct tn_contact_session {
    struct tn_contact_session_options options;
    enum tn_contact_link_state link;
    bool are_gloves_lost;
    int64_t connect_steady_ns; ///< next Connect
    int64_t remind_steady_ns;  ///< next reminder
    int64_t data_steady_ns;    ///< newest data
};

/// @return 1 s, 10 s, 1 s, 3 s, 10 s. Thread: any. Allocates: never. Blocks: never.
struct tn_contact_session_options tn_contact_session_options_default(void);

/// Makes a session in state BIND. @return nothing. Thread: one caller. Allocates: never. Blocks:
/// never.
void tn_contact_session_init(struct tn_contact_session *session,
                             const struct tn_contact_session_options *options);

/// The sockets are bound. Harmless when started. @return what to do.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
uint32_t tn_contact_session_start(struct tn_contact_session *session, int64_t now_steady_ns);

/// A valid message came. @return what to do.
/// @param receive_steady_ns   when the kernel had it; data that waited while this process was
///                            stopped proves that the link was alive then
/// @param now_steady_ns       now
/// Thread: one caller at a time. Allocates: never. Blocks: never.
uint32_t tn_contact_session_data(struct tn_contact_session *session, int64_t receive_steady_ns,
                                 int64_t now_steady_ns);

/// Time passed; call it often, at the latest at tn_contact_session_due_ns(). @return what to do.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
uint32_t tn_contact_session_tick(struct tn_contact_session *session, int64_t now_steady_ns);

/// Leaves: back to BIND. @return what to do. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
uint32_t tn_contact_session_stop(struct tn_contact_session *session);

/// @return when tick has something to do next; INT64_MAX in BIND. Thread: one caller at a time.
/// Allocates: never. Blocks: never.
int64_t tn_contact_session_due_ns(const struct tn_contact_session *session);

/// @return "bind", "connecting", "streaming", "silent". Thread: any. Allocates: never. Blocks:
/// never.
const char *tn_contact_link_name(enum tn_contact_link_state link);

#endif
