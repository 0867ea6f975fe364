// SPDX-License-Identifier: Apache-2.0
/// @file
/// The clients of a software DivingStation: who is connected, until when, and what they ask for.
/// Pure: datagrams and times in, events out.
///
/// A client is a source address together with the receive port that it announces; its source port
/// may change. It gets data at that address and port until it sends Disconnect or its last Connect
/// is TN_CONTACT_EXPIRY_S old.
#ifndef TN_DEVICES_DIVINGSTATION_SESSION_H
#define TN_DEVICES_DIVINGSTATION_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "glove/contact/contact_codec.h"

/// More clients than this are refused: a PC rarely runs more than one or two.
#define TN_DS_CLIENTS_MAX 16

/// One connected client. Plain data.
struct tn_ds_client {
    uint32_t address; ///< IPv4, opaque; compared only
    uint16_t receive_port;
    int64_t connect_steady_ns; ///< of its last Connect
};

/// What a datagram or the time brought about.
enum tn_ds_event_kind {
    TN_DS_CLIENT_NEW,   ///< first Connect
    TN_DS_CLIENT_AGAIN, ///< Connect of a known client, its time starts anew
    TN_DS_CLIENT_LEFT,  ///< Disconnect of a known client
    TN_DS_CLIENT_EXPIRED,
    TN_DS_CLIENT_REFUSED, ///< the table is full
    TN_DS_HAPTICS,        ///< `message` is a haptic command of a connected address
    TN_DS_REJECTED        ///< `reject` says why; also haptics and Disconnect of strangers
};

/// One event; pointers are valid during the call only.
struct tn_ds_event {
    enum tn_ds_event_kind kind;
    struct tn_ds_client client;               ///< TN_DS_CLIENT_*
    const struct tn_contact_message *message; ///< TN_DS_HAPTICS, else NULL
    const struct tn_contact_reject *reject; ///< TN_DS_REJECTED, else NULL; NULL also for strangers
};

/// Receives events, in their order. Must not call the session.
typedef void (*tn_ds_event_fn)(void *context, const struct tn_ds_event *event);

/// Everything the station knows about its clients. The owner may read `clients` and the counters.
struct tn_ds_session {
    const struct tn_contact_dialect *dialect;
    tn_ds_event_fn on_event;
    void *context;
    struct tn_ds_client clients[TN_DS_CLIENTS_MAX]; ///< (n_clients), in the order they came
    uint32_t n_clients;
    uint64_t n_rejected, n_haptics;
    struct tn_contact_message message; ///< scratch
};

/// Starts without clients. @return nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_ds_session_init(struct tn_ds_session *session, const struct tn_contact_dialect *dialect,
                        tn_ds_event_fn on_event, void *context);

/// Takes one datagram from `address`. Malformed messages change nothing but the counters.
/// @return nothing; everything is told by events. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
void tn_ds_session_receive(struct tn_ds_session *session, uint32_t address, const uint8_t *data,
                           size_t size, int64_t now_steady_ns);

/// Removes clients whose last Connect is TN_CONTACT_EXPIRY_S old or older.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_ds_session_expire(struct tn_ds_session *session, int64_t now_steady_ns);

#endif
