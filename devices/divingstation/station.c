// SPDX-License-Identifier: Apache-2.0
#include "devices/divingstation/station.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/log.h"
#include "base/trace.h"
#include "base/udp.h"
#include "devices/divingstation/garbage.h"
#include "devices/divingstation/report.h"
#include "devices/divingstation/session.h"
#include "devices/file/file.h"
#include "devices/motion/script.h"
#include "devices/motion/trace.h"

// datagrams taken per pass: a flood must not keep the hand from being sent
#define DATAGRAMS_PER_PASS 64
// independent sequences of random numbers, so that loss does not change the noise
enum { STREAM_NOISE = 1, STREAM_LOSS = 2, STREAM_GARBAGE = 3 };

struct tn_ds_station {
    struct tn_ds_arguments arguments;
    struct tn_logger logger;
    struct tn_loop *loop;
    struct tn_clock clock;
    const struct tn_contact_dialect *dialect;
    int64_t start_steady_ns;

    int fd, signal_fd;
    struct tn_loop_fd fd_handle, signal_handle;
    struct tn_loop_timer frame_timer, device_timer, freeze_timer, end_timer;

    struct tn_ds_session session;
    struct tn_ds_log send_log, haptics_log;
    struct tn_trace_ring *ring;
    struct tn_motion_trace *trace; // NULL: the script
    struct tn_random noise, loss, garbage;
    bool is_frozen;
    int64_t garbage_steady_ns; // of the last look
    double garbage_due;        // datagrams, a fraction is kept for the next tick

    uint64_t sequence[TN_SIDES];
    uint64_t n_sent, n_lost, n_failed, n_garbage;
    int64_t receive_wall_ns; // of the datagram being read
    struct tn_log_throttle rejects;

    struct tn_motion_pose pose[TN_SIDES];
    struct tn_contact_message message; // scratch
    uint8_t datagram[TN_CONTACT_MESSAGE_BYTES];
    uint8_t spoiled[TN_DS_GARBAGE_BYTES(TN_CONTACT_MESSAGE_BYTES)];
    uint8_t received[TN_CONTACT_DATAGRAM_MAX];
};

static int64_t steady_ns(const struct tn_ds_station *station)
{
    return station->clock.steady_ns(station->clock.context);
}

static double play_time_s(const struct tn_ds_station *station)
{
    return tn_ns_to_seconds(steady_ns(station) - station->start_steady_ns);
}

// ---- sending ----

static bool send_to(struct tn_ds_station *station, const struct tn_ds_client *client,
                    const uint8_t *data, size_t size)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(client->receive_port)};
    to.sin_addr.s_addr = client->address;
    if (tn_udp_send(station->fd, &to, data, size) != TN_OK) {
        station->n_failed++;
        return false;
    }
    station->n_sent++;
    return true;
}

static bool is_lost(struct tn_ds_station *station)
{
    if (station->arguments.loss <= 0.0 || tn_random_unit(&station->loss) >= station->arguments.loss)
        return false;
    station->n_lost++;
    return true;
}

// encodes station->message; 0 when that fails
static size_t encode(struct tn_ds_station *station)
{
    size_t size = 0;
    if (tn_contact_encode(station->dialect, &station->message, station->datagram,
                          sizeof station->datagram, &size) == TN_OK)
        return size;
    station->n_failed++;
    return 0;
}

static void send_message(struct tn_ds_station *station)
{
    size_t size = encode(station);
    for (uint32_t i = 0; size > 0 && i < station->session.n_clients; i++)
        if (!is_lost(station))
            (void)send_to(station, &station->session.clients[i], station->datagram, size);
}

static void note_sent(struct tn_ds_station *station, enum tn_side side, int64_t send_wall_ns,
                      int64_t send_steady_ns)
{
    uint64_t sequence = station->sequence[tn_side_index(side)];
    tn_ds_log_sent(&station->send_log, sequence, side, send_wall_ns, send_steady_ns);
    const struct tn_trace_record record = {.stamp_ros_ns = send_wall_ns,
                                           .steady_ns = send_steady_ns,
                                           .sequence = (uint32_t)sequence,
                                           .stage = TN_TRACE_SENT,
                                           .side = (uint8_t)side};
    tn_trace_append(station->ring, &record);
}

// hand frames alone are logged: they are what moves a robot
static void send_hand(struct tn_ds_station *station, enum tn_side side)
{
    unsigned index = tn_side_index(side);
    tn_ds_make_hand(&station->arguments.pair, side, &station->pose[index], &station->message);
    size_t size = encode(station);
    bool is_sent = false;
    int64_t send_wall_ns = 0, send_steady_ns = 0;
    for (uint32_t i = 0; size > 0 && i < station->session.n_clients; i++) {
        if (is_lost(station))
            continue;
        // the first time counts when there are several clients: ages are never judged too small
        int64_t now_wall_ns = station->clock.wall_ns(station->clock.context);
        int64_t now_steady_ns = steady_ns(station);
        if (!send_to(station, &station->session.clients[i], station->datagram, size) || is_sent)
            continue;
        send_wall_ns = now_wall_ns;
        send_steady_ns = now_steady_ns;
        is_sent = true;
    }
    if (is_sent)
        note_sent(station, side, send_wall_ns, send_steady_ns);
    station->sequence[index]++;
}

static void send_rest_of_hand(struct tn_ds_station *station, enum tn_side side, double time_s)
{
    const struct tn_ds_pair *pair = &station->arguments.pair;
    const struct tn_motion_pose *pose = &station->pose[tn_side_index(side)];
    if (!station->is_frozen) {
        tn_ds_make_hand_quat(pair, side, pose, &station->message);
        send_message(station);
    }
    tn_ds_make_wrist(pair, side, time_s, &station->message);
    send_message(station);
    tn_ds_make_controller(pair, side, pose, time_s, &station->message);
    send_message(station);
}

static void sample(struct tn_ds_station *station, enum tn_side side, double time_s)
{
    struct tn_motion_pose *pose = &station->pose[tn_side_index(side)];
    if (station->trace != NULL)
        tn_motion_trace_sample(station->trace, time_s, pose);
    else
        tn_motion_script_sample(side, time_s, pose);
    for (unsigned i = 0; i < TN_MOTION_ANGLES; i++)
        pose->angle_deg[i] += station->arguments.noise_deg * tn_random_normal(&station->noise);
}

static void send_garbage(struct tn_ds_station *station)
{
    int64_t now_ns = steady_ns(station);
    // what was due during a stall is left out
    double gap_s = fmin(0.1, tn_ns_to_seconds(now_ns - station->garbage_steady_ns));
    station->garbage_steady_ns = now_ns;
    station->garbage_due += gap_s * station->arguments.garbage_hz;
    for (; station->garbage_due >= 1.0; station->garbage_due -= 1.0) {
        tn_ds_make_hand(&station->arguments.pair, TN_SIDE_LEFT, &station->pose[0],
                        &station->message);
        size_t valid = encode(station);
        size_t size =
            tn_ds_make_garbage(&station->garbage, station->datagram, valid, station->spoiled);
        for (uint32_t i = 0; i < station->session.n_clients; i++)
            if (send_to(station, &station->session.clients[i], station->spoiled, size))
                station->n_garbage++;
    }
}

static void on_frame(void *context)
{
    struct tn_ds_station *station = context;
    tn_ds_session_expire(&station->session, steady_ns(station));
    double time_s = play_time_s(station);
    const bool *has_hand = station->arguments.pair.has_hand;
    // both hands first: what follows must not delay them
    for (enum tn_side side = TN_SIDE_LEFT; side <= TN_SIDE_RIGHT; side++) {
        if (!has_hand[tn_side_index(side)])
            continue;
        sample(station, side, time_s);
        if (!station->is_frozen)
            send_hand(station, side);
    }
    for (enum tn_side side = TN_SIDE_LEFT; side <= TN_SIDE_RIGHT; side++)
        if (has_hand[tn_side_index(side)])
            send_rest_of_hand(station, side, time_s);
    send_garbage(station);
}

static void on_device(void *context)
{
    struct tn_ds_station *station = context;
    tn_ds_make_devices(&station->arguments.pair, play_time_s(station), &station->message);
    send_message(station);
}

// ---- control ----

static void set_frozen(struct tn_ds_station *station, bool is_frozen)
{
    station->is_frozen = is_frozen;
    TN_INFO(&station->logger, "hand frames %s after %.3f s", is_frozen ? "stopped" : "start again",
            play_time_s(station));
}

static void on_freeze(void *context)
{
    set_frozen(context, true);
}

static void on_end(void *context)
{
    struct tn_ds_station *station = context;
    tn_loop_quit(station->loop);
}

static void on_signal(void *context, int fd, uint32_t events)
{
    (void)events;
    struct tn_ds_station *station = context;
    struct signalfd_siginfo info;
    while (read(fd, &info, sizeof info) == (ssize_t)sizeof info)
        set_frozen(station, !station->is_frozen);
}

// ---- receiving ----

static void log_client(struct tn_ds_station *station, const struct tn_ds_event *event)
{
    static const char *const texts[] = {
        [TN_DS_CLIENT_NEW] = "connected",
        [TN_DS_CLIENT_LEFT] = "disconnected",
        [TN_DS_CLIENT_EXPIRED] = "expired: no Connect for 90 s",
        [TN_DS_CLIENT_REFUSED] = "refused: 16 clients are connected already",
    };
    char address[INET_ADDRSTRLEN] = "?";
    struct in_addr in = {.s_addr = event->client.address};
    (void)inet_ntop(AF_INET, &in, address, sizeof address);
    TN_INFO(&station->logger, "client %s:%u %s, %" PRIu32 " connected", address,
            (unsigned)event->client.receive_port, texts[event->kind], station->session.n_clients);
}

static void log_reject(struct tn_ds_station *station, const struct tn_ds_event *event)
{
    uint32_t suppressed = 0;
    if (!tn_log_throttle_pass(&station->rejects, steady_ns(station), TN_NS_PER_S, &suppressed))
        return;
    const struct tn_contact_reject *why = event->reject;
    if (why == NULL)
        TN_WARN(&station->logger, "message of a program that is not connected is ignored");
    else
        TN_WARN(&station->logger, "message '%s' with '%s' ignored: %s (%" PRIu32 " more before)",
                why->address, why->tags, tn_contact_reject_text(why->cause), suppressed);
}

static void on_session_event(void *context, const struct tn_ds_event *event)
{
    struct tn_ds_station *station = context;
    switch (event->kind) {
    case TN_DS_CLIENT_NEW:
        log_client(station, event);
        // a new client learns at once which gloves there are
        tn_loop_timer_start(station->loop, &station->device_timer, 0, TN_NS_PER_S, on_device,
                            station);
        break;
    case TN_DS_CLIENT_LEFT:
    case TN_DS_CLIENT_EXPIRED:
    case TN_DS_CLIENT_REFUSED:
        log_client(station, event);
        break;
    case TN_DS_HAPTICS:
        tn_ds_report_haptics(&station->haptics_log, event->message, station->receive_wall_ns);
        break;
    case TN_DS_REJECTED:
        log_reject(station, event);
        break;
    case TN_DS_CLIENT_AGAIN:
        break;
    }
}

static void on_datagram(void *context, int fd, uint32_t events)
{
    (void)events;
    struct tn_ds_station *station = context;
    struct tn_udp_datagram datagram;
    for (int i = 0; i < DATAGRAMS_PER_PASS; i++) {
        if (tn_udp_receive(fd, station->received, sizeof station->received, &datagram) != TN_OK)
            return;
        station->receive_wall_ns = datagram.receive_wall_ns;
        tn_ds_session_receive(&station->session, datagram.source.sin_addr.s_addr, station->received,
                              datagram.size, steady_ns(station));
    }
}

// ---- life ----

static enum tn_result load_trace(struct tn_ds_station *station, struct tn_error *err)
{
    const char *path = station->arguments.input;
    if (path == NULL)
        return TN_OK;
    char *text = NULL;
    size_t size = 0;
    enum tn_result result = tn_file_read(path, TN_MOTION_TRACE_BYTES_MAX, &text, &size, err);
    if (result != TN_OK)
        return result;
    result = tn_motion_trace_parse(text, size, path, &station->trace, err);
    free(text);
    if (result == TN_OK)
        TN_INFO(&station->logger, "%s: %" PRIu32 " frames of a %s hand, %.2f s a loop", path,
                tn_motion_trace_frames(station->trace),
                tn_side_name(tn_motion_trace_side(station->trace)),
                tn_motion_trace_period_s(station->trace));
    return result;
}

static enum tn_result open_outputs(struct tn_ds_station *station, struct tn_error *err)
{
    const struct tn_ds_arguments *arguments = &station->arguments;
    enum tn_result result =
        tn_ds_log_open(&station->send_log, arguments->send_log, "# tendon send log 1", err);
    if (result == TN_OK)
        result = tn_ds_log_open(&station->haptics_log, arguments->haptics_log,
                                "# tendon haptics log 1", err);
    if (result == TN_OK)
        result = tn_trace_open(NULL, &station->ring, err);
    return result;
}

static enum tn_result open_socket(struct tn_ds_station *station, struct tn_error *err)
{
    const struct tn_ds_arguments *arguments = &station->arguments;
    enum tn_result result =
        tn_udp_open(arguments->bind, arguments->port, "--port", &station->fd, err);
    if (result != TN_OK)
        return result;
    if (tn_loop_fd_start(station->loop, &station->fd_handle, station->fd, EPOLLIN, on_datagram,
                         station) != TN_OK)
        return tn_error_set(err, TN_ERR_IO, "cannot watch the socket: %s", strerror(errno));
    TN_INFO(&station->logger, "listening on %s:%u as '%s', protocol %s", arguments->bind,
            (unsigned)tn_udp_local_port(station->fd), arguments->pair.id, station->dialect->name);
    return TN_OK;
}

static enum tn_result open_signals(struct tn_ds_station *station, struct tn_error *err)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGUSR1);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    station->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (station->signal_fd < 0 ||
        tn_loop_fd_start(station->loop, &station->signal_handle, station->signal_fd, EPOLLIN,
                         on_signal, station) != TN_OK)
        return tn_error_set(err, TN_ERR_IO, "cannot watch SIGUSR1: %s", strerror(errno));
    return TN_OK;
}

static void start_timers(struct tn_ds_station *station)
{
    const struct tn_ds_arguments *arguments = &station->arguments;
    int64_t period_ns = tn_seconds_to_ns(1.0 / arguments->rate_hz);
    station->start_steady_ns = station->garbage_steady_ns = steady_ns(station);
    tn_loop_timer_start(station->loop, &station->frame_timer, 0, period_ns, on_frame, station);
    tn_loop_timer_start(station->loop, &station->device_timer, 0, TN_NS_PER_S, on_device, station);
    if (arguments->has_freeze)
        tn_loop_timer_start(station->loop, &station->freeze_timer,
                            tn_seconds_to_ns(arguments->freeze_after_s), 0, on_freeze, station);
    if (arguments->has_end)
        tn_loop_timer_start(station->loop, &station->end_timer,
                            tn_seconds_to_ns(arguments->end_after_s), 0, on_end, station);
}

enum tn_result tn_ds_station_create(struct tn_loop *loop, const struct tn_ds_arguments *arguments,
                                    struct tn_ds_station **out_station, struct tn_error *err)
{
    struct tn_ds_station *station = calloc(1, sizeof *station);
    if (station == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the station");
    station->arguments = *arguments;
    station->loop = loop;
    station->clock = tn_loop_clock(loop);
    station->dialect = tn_contact_dialect_v1();
    station->fd = station->signal_fd = station->send_log.fd = station->haptics_log.fd = -1;
    tn_logger_init(&station->logger, "divingstation");
    tn_random_init(&station->noise, arguments->seed, STREAM_NOISE);
    tn_random_init(&station->loss, arguments->seed, STREAM_LOSS);
    tn_random_init(&station->garbage, arguments->seed, STREAM_GARBAGE);
    tn_ds_session_init(&station->session, station->dialect, on_session_event, station);
    enum tn_result result = load_trace(station, err);
    if (result == TN_OK)
        result = open_outputs(station, err);
    if (result == TN_OK)
        result = open_signals(station, err);
    if (result == TN_OK)
        result = open_socket(station, err);
    if (result != TN_OK) {
        tn_ds_station_destroy(&station);
        return result;
    }
    start_timers(station);
    *out_station = station;
    return TN_OK;
}

static void log_totals(const struct tn_ds_station *station)
{
    TN_INFO(&station->logger,
            "%" PRIu64 " datagrams sent, %" PRIu64 " lost on purpose, %" PRIu64
            " malformed on purpose, %" PRIu64 " failed; %" PRIu64 " haptic commands, %" PRIu64
            " messages rejected",
            station->n_sent, station->n_lost, station->n_garbage, station->n_failed,
            station->session.n_haptics, station->session.n_rejected);
    uint64_t n_missing = station->send_log.n_failed + station->haptics_log.n_failed;
    if (n_missing > 0)
        TN_ERROR(&station->logger, "%" PRIu64 " lines are missing in the logs: disk full?",
                 n_missing);
}

void tn_ds_station_destroy(struct tn_ds_station **station)
{
    if (station == NULL || *station == NULL)
        return;
    struct tn_ds_station *s = *station;
    if (s->frame_timer.is_running)
        log_totals(s);
    tn_loop_timer_stop(&s->frame_timer);
    tn_loop_timer_stop(&s->device_timer);
    tn_loop_timer_stop(&s->freeze_timer);
    tn_loop_timer_stop(&s->end_timer);
    tn_loop_fd_stop(&s->fd_handle);
    tn_loop_fd_stop(&s->signal_handle);
    if (s->fd >= 0)
        (void)close(s->fd);
    if (s->signal_fd >= 0)
        (void)close(s->signal_fd);
    tn_ds_log_close(&s->send_log);
    tn_ds_log_close(&s->haptics_log);
    tn_trace_close(&s->ring);
    tn_motion_trace_destroy(&s->trace);
    free(s);
    *station = NULL;
}
