// SPDX-License-Identifier: Apache-2.0
/// @file
/// Client of DivingStation: connects, keeps the session alive, decodes, knows the gloves, and sends
/// haptics. Usable without ROS.
///
///     struct tn_contact_client_options options = tn_contact_client_options_default();
///     options.loop = loop;
///     options.callbacks.on_ergonomics = print_angles;
///     result = tn_contact_client_create(&options, &client, &err);
///     struct tn_contact_ports ports = {.ds_ip = "127.0.0.1", .receive_port = 25788};
///     result = tn_contact_connect_to_host(client, &ports, &err);
///     … tn_loop_run(loop) …
///     tn_contact_disconnect(client);
///     tn_contact_client_destroy(&client);
///
/// Two ways to drive it: with `options.loop` it watches its socket and its timer there and calls
/// the callbacks; without, the owner waits for tn_contact_client_fd() and calls
/// tn_contact_client_take() and tn_contact_client_tick() (this is how it stands behind
/// glove/source.h). Ids in callbacks and calls are those of single gloves.
///
/// Every message carries the time at which the kernel had its datagram, on the steady and on the
/// wall clock: data that waited while the process was stopped shows its true age.
#ifndef TN_GLOVE_CONTACT_CLIENT_H
#define TN_GLOVE_CONTACT_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "base/loop.h"
#include "base/result.h"
#include "glove/contact/contact_codec.h"
#include "glove/contact/contact_dialect.h"
#include "glove/contact/contact_gloves.h"
#include "glove/contact/contact_haptics.h"
#include "glove/contact/contact_link.h"
#include "glove/contact/contact_session.h"

struct tn_contact_client;

/// Where a message came from and when.
struct tn_contact_origin {
    const struct tn_contact_glove *glove; ///< valid during the call
    int64_t receive_steady_ns;            ///< kernel receive time of the datagram
    int64_t receive_wall_ns;              ///< the same moment on the wall clock
    uint64_t
        generated_at_ms; ///< Unix ms: DivingStation's, or receive time where the dialect has none
};

/// What a client tells its owner. Each may be NULL. Called on the loop's thread; pointers are valid
/// during the call only; the client must not be destroyed inside.
struct tn_contact_callbacks {
    /// Something changed in tn_contact_client_gloves(): called once for all changes together.
    void (*on_gloves)(void *context, const struct tn_contact_gloves *gloves);
    void (*on_ergonomics)(void *context, const struct tn_contact_origin *origin,
                          const struct tn_contact_ergonomics *ergonomics);
    void (*on_controller)(void *context, const struct tn_contact_origin *origin,
                          const struct tn_contact_controller *controller);
    void (*on_hand_quat)(void *context, const struct tn_contact_origin *origin,
                         const struct tn_contact_hand_quat *hand_quat);
    void (*on_wrist)(void *context, const struct tn_contact_origin *origin,
                     const struct tn_contact_wrist *wrist);
    void (*on_link_state)(void *context, enum tn_contact_link_state link);
};

/// What a client is. The texts it points at are copied.
struct tn_contact_client_options {
    const struct tn_contact_dialect *dialect;  ///< default: protocol v1
    struct tn_contact_session_options session; ///< periods
    uint32_t max_gloves;                       ///< per side, 1..TN_CONTACT_GLOVES_MAX
    const char *max_gloves_name;               ///< parameter named when a glove is refused
    int64_t haptics_period_ns; ///< least time between two commands per glove; 0: none
    struct tn_loop *loop;      ///< NULL: the owner drives the client
    struct tn_clock clock;     ///< used without a loop
    struct tn_contact_callbacks callbacks;
    void *context;                  ///< given to the callbacks
    const struct tn_logger *logger; ///< must outlive the client; NULL: silent
};

/// Counters since creation.
struct tn_contact_stats {
    uint64_t datagrams;                    ///< received, also those rejected
    uint64_t messages[TN_CONTACT_KINDS];   ///< taken, by enum tn_contact_kind
    uint64_t rejects[TN_CONTACT_REJECTS];  ///< by enum tn_contact_reject_cause
    uint64_t connects;                     ///< Connect sent
    uint64_t reconnects;                   ///< returns to STREAMING after silence
    uint64_t send_errors;                  ///< datagrams the system did not take
    uint64_t haptics_sent, haptics_merged; ///< commands sent; replaced by newer ones
    uint64_t gloves_refused;               ///< messages of gloves there was no room for
};

/// @return protocol v1, default periods, 16 gloves per side, 50 haptic commands per second, no
/// callbacks. Thread: any. Allocates: never. Blocks: never.
struct tn_contact_client_options tn_contact_client_options_default(void);

/// Creates a client without sockets.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: max_gloves or a period out of range, or no clock;
/// TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_contact_client_create(const struct tn_contact_client_options *options,
                         struct tn_contact_client **out_client, struct tn_error *err);

/// Disconnects if need be and frees. Accepts NULL, nulls the pointer. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: as tn_contact_disconnect().
void tn_contact_client_destroy(struct tn_contact_client **client);

/// Binds the sockets and sends the first Connect. DivingStation need not run yet.
/// @return TN_OK; TN_ERR_STATE: connected already; as tn_contact_link_open(): TN_ERR_BUSY names the
/// port that is in use and its parameter. Nothing changed on error.
/// Thread: the loop's. Allocates: yes, gives it back. Blocks: never.
TN_NODISCARD enum tn_result tn_contact_connect_to_host(struct tn_contact_client *client,
                                                       const struct tn_contact_ports *ports,
                                                       struct tn_error *err);

/// Sends Disconnect twice, 10 ms apart, and closes the sockets; gloves count as disconnected.
/// Harmless when not connected. @return nothing. Thread: the loop's. Allocates: never. Blocks: 10
/// ms when connected.
void tn_contact_disconnect(struct tn_contact_client *client);

/// @return the descriptor to wait for, -1: not connected. Thread: the loop's. Allocates: never.
/// Blocks: never.
int tn_contact_client_fd(const struct tn_contact_client *client);

/// One message as taken from the socket.
struct tn_contact_event {
    struct tn_contact_origin origin;          ///< `glove` NULL: about no single glove
    const struct tn_contact_message *message; ///< valid until the next call
};

/// Takes the next valid message; counts and drops the others. For owners without a loop.
/// @return TN_OK; TN_ERR_AGAIN: none waiting, or 256 datagrams in a row held nothing
/// valid; TN_ERR_IO. Thread: the loop's. Allocates: never.
/// Blocks: never.
TN_NODISCARD enum tn_result tn_contact_client_take(struct tn_contact_client *client,
                                                   struct tn_contact_event *out_event);

/// Sends what is due (Connect, waiting haptics) and notices silence. Take all messages first. For
/// owners without a loop, every 100 ms or earlier. @return nothing. Thread: the loop's. Allocates:
/// never. Blocks: never.
void tn_contact_client_tick(struct tn_contact_client *client);

/// @return the known gloves. Thread: the loop's. Allocates: never. Blocks: never.
const struct tn_contact_gloves *tn_contact_client_gloves(const struct tn_contact_client *client);

/// @return the link's state. Thread: the loop's. Allocates: never. Blocks: never.
enum tn_contact_link_state tn_contact_client_link(const struct tn_contact_client *client);

/// @return the source port of what is sent; 0: not connected. Thread: the loop's. Allocates: never.
/// Blocks: never.
uint16_t tn_contact_client_source_port(const struct tn_contact_client *client);

/// Lets a glove's hand module vibrate. Values are clamped to their ranges; above the rate the
/// newest command waits and replaces one that waits already.
/// @param id   single id; "" when only one glove of that side is connected
/// @return TN_OK: sent or waiting; as tn_contact_gloves_target(); TN_ERR_NOT_FINITE. Thread: the
/// loop's. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result
tn_contact_send_haptics_body(struct tn_contact_client *client, const char *id, bool is_left,
                             const struct tn_contact_vibration *vibration);

/// Sets the finger elements of a glove; levels are clamped to 0..15. Not rate limited.
/// @return as tn_contact_send_haptics_body(); TN_ERR_UNSUPPORTED: not in this dialect;
/// TN_ERR_AGAIN, TN_ERR_IO: not sent. Thread: the loop's. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result
tn_contact_send_haptics_finger(struct tn_contact_client *client, const char *id, bool is_left,
                               const struct tn_contact_finger_levels *levels);

/// Copies the counters. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_contact_stats(const struct tn_contact_client *client, struct tn_contact_stats *out_stats);

#endif
