// SPDX-License-Identifier: Apache-2.0
#include "hand/stream.h"

#include <math.h>
#include <string.h>

// neighbours nearer or farther than this many nominal periods give no rate
#define MIN_RATE_PERIODS 0.5
#define MAX_RATE_PERIODS 5.0
#define MAX_RATE_HZ      10000.0

struct tn_hand_stream_options tn_hand_stream_options_default(enum tn_side side)
{
    return (struct tn_hand_stream_options){.side = side,
                                           .stamp_kind = TN_STAMP_ARRIVAL,
                                           .nominal_rate_hz = 120.0,
                                           .stale_ns = 200 * TN_NS_PER_MS,
                                           .silence_ns = TN_NS_PER_S,
                                           .step_back_ns = TN_NS_PER_S,
                                           .first_stream_id = 1};
}

static bool is_id_usable(const char *id)
{
    size_t size = strnlen(id, TN_HAND_DEVICE_ID_MAX);
    return size > 0 && size < TN_HAND_DEVICE_ID_MAX;
}

enum tn_result tn_hand_stream_init(struct tn_hand_stream *stream,
                                   const struct tn_hand_stream_options *options)
{
    if (options->side != TN_SIDE_LEFT && options->side != TN_SIDE_RIGHT) {
        return TN_ERR_INVALID_ARGUMENT;
    }
    if (!(options->nominal_rate_hz > 0.0 && options->nominal_rate_hz <= MAX_RATE_HZ) ||
        options->stale_ns <= 0 || options->silence_ns <= 0 || options->step_back_ns <= 0) {
        return TN_ERR_RANGE;
    }
    *stream = (struct tn_hand_stream){.options = *options};
    return TN_OK;
}

enum tn_result tn_hand_stream_select(struct tn_hand_stream *stream, const char *device_id)
{
    size_t size = strnlen(device_id, TN_HAND_DEVICE_ID_MAX);
    if (size >= TN_HAND_DEVICE_ID_MAX) {
        return TN_ERR_LIMIT;
    }
    memcpy(stream->options.device_id, device_id, size + 1);
    if (size > 0 && strcmp(device_id, stream->device_id) != 0) {
        stream->is_open = false;
    }
    return TN_OK;
}

static struct tn_hand_stream_device *find_device(struct tn_hand_stream *stream, const char *id)
{
    for (uint32_t i = 0; i < stream->n_devices; i++) {
        if (strcmp(stream->devices[i].id, id) == 0) {
            return &stream->devices[i];
        }
    }
    return NULL;
}

bool tn_hand_stream_set_connected(struct tn_hand_stream *stream, const char *device_id,
                                  bool is_connected)
{
    if (!is_id_usable(device_id)) {
        return false;
    }
    struct tn_hand_stream_device *device = find_device(stream, device_id);
    if (device == NULL) {
        uint32_t i = stream->next_device;
        stream->next_device = (i + 1) % TN_HAND_STREAM_DEVICES;
        stream->n_devices += stream->n_devices < TN_HAND_STREAM_DEVICES ? 1 : 0;
        device = &stream->devices[i];
        memcpy(device->id, device_id, strlen(device_id) + 1);
    }
    device->is_connected = is_connected;
    bool is_lost = !is_connected && stream->is_open && strcmp(stream->device_id, device_id) == 0;
    if (is_lost) {
        stream->is_open = false;
    }
    return is_lost;
}

static enum tn_result check_device(struct tn_hand_stream *stream, const char *id, int64_t silent_ns)
{
    const char *wanted = stream->options.device_id;
    bool is_other = wanted[0] != '\0' ? strcmp(wanted, id) != 0
                                      : stream->is_open && strcmp(stream->device_id, id) != 0 &&
                                            silent_ns <= stream->options.silence_ns;
    if (is_other) {
        stream->counters.other_device++;
        return TN_ERR_WRONG_DEVICE;
    }
    const struct tn_hand_stream_device *device = find_device(stream, id);
    if (device != NULL && !device->is_connected) {
        stream->counters.disconnected_device++;
        return TN_ERR_WRONG_DEVICE;
    }
    return TN_OK;
}

// an old sample is no sign of a clock that was set back
static bool is_step_back(const struct tn_hand_stream *stream, const struct tn_hand_sample *sample)
{
    bool is_old = sample->is_age_known && sample->age_ns > stream->options.stale_ns;
    return !is_old && tn_ns_sub(stream->last_stamp_ros_ns, sample->stamp_ros_ns) >
                          stream->options.step_back_ns;
}

static enum tn_result check_identity(struct tn_hand_stream *stream,
                                     const struct tn_hand_sample *sample)
{
    if (!stream->has_last || sample->stamp_ros_ns > stream->last_stamp_ros_ns ||
        is_step_back(stream, sample)) {
        return TN_OK;
    }
    if (sample->stamp_ros_ns == stream->last_stamp_ros_ns) {
        stream->counters.repeated++;
        return TN_ERR_REPEATED;
    }
    stream->counters.reordered++;
    return TN_ERR_REORDERED;
}

static enum tn_result admit(struct tn_hand_stream *stream, const struct tn_hand_sample *sample,
                            int64_t silent_ns)
{
    if (!is_id_usable(sample->device_id)) {
        stream->counters.bad_identity++;
        return TN_ERR_INVALID_ARGUMENT;
    }
    enum tn_result result = check_device(stream, sample->device_id, silent_ns);
    if (result != TN_OK) {
        return result;
    }
    bool is_other_writer = memcmp(stream->writer, sample->writer, sizeof stream->writer) != 0;
    if (stream->is_open && is_other_writer && silent_ns <= stream->options.stale_ns) {
        stream->counters.other_writer++;
        return TN_ERR_BUSY;
    }
    return check_identity(stream, sample);
}

static bool begins_anew(const struct tn_hand_stream *stream, const struct tn_hand_sample *sample,
                        int64_t silent_ns)
{
    return !stream->is_open || strcmp(stream->device_id, sample->device_id) != 0 ||
           memcmp(stream->writer, sample->writer, sizeof stream->writer) != 0 ||
           silent_ns > stream->options.silence_ns;
}

static void begin(struct tn_hand_stream *stream, const struct tn_hand_sample *sample)
{
    stream->stream_id = stream->options.first_stream_id + stream->counters.streams;
    stream->counters.streams++;
    stream->sequence = 0;
    stream->is_open = true;
    memcpy(stream->device_id, sample->device_id, strlen(sample->device_id) + 1);
    memcpy(stream->writer, sample->writer, sizeof stream->writer);
}

static uint32_t estimate_missed(const struct tn_hand_stream *stream, int64_t gap_ns)
{
    double periods = tn_ns_to_seconds(gap_ns) * stream->options.nominal_rate_hz;
    double missed = floor(periods + 0.5) - 1.0;
    if (!(missed > 0.0)) {
        return 0;
    }
    return missed < (double)UINT32_MAX ? (uint32_t)missed : UINT32_MAX;
}

static void fill_rates(const struct tn_hand_stream *stream, const struct tn_hand_sample *sample,
                       int64_t gap_ns, struct tn_hand_frame *frame)
{
    double gap_s = tn_ns_to_seconds(gap_ns);
    double periods = gap_s * stream->options.nominal_rate_hz;
    if (periods < MIN_RATE_PERIODS || periods > MAX_RATE_PERIODS ||
        stream->last_valid != sample->angle_valid) {
        return;
    }
    for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
        frame->rates[s] = (frame->angles[s] - stream->last_angles[s]) / gap_s;
    }
    frame->rates_valid = true;
}

static void fill_age(struct tn_hand_stream *stream, const struct tn_hand_sample *sample,
                     struct tn_hand_frame *frame)
{
    frame->link = TN_LINK_CALIBRATING;
    if (!sample->is_age_known) {
        stream->counters.age_unknown++;
    } else if (sample->age_ns < -TN_HAND_STREAM_FUTURE_NS) {
        stream->counters.age_negative++;
    } else {
        frame->age_ns = sample->age_ns > 0 ? sample->age_ns : 0;
        bool is_stale = sample->age_ns > stream->options.stale_ns;
        stream->counters.age_stale += is_stale ? 1 : 0;
        frame->link = is_stale ? TN_LINK_STALE : TN_LINK_ACTIVE;
    }
}

static void fill_angles(const struct tn_hand_sample *sample, struct tn_hand_frame *frame)
{
    frame->angle_valid = sample->angle_valid;
    for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
        bool is_valid = ((sample->angle_valid >> s) & 1u) != 0;
        frame->angles[s] = is_valid ? sample->angles_rad[s] : 0.0;
    }
}

enum tn_result tn_hand_stream_take(struct tn_hand_stream *stream,
                                   const struct tn_hand_sample *sample, int64_t now_steady_ns,
                                   struct tn_hand_frame *out_frame)
{
    int64_t silent_ns =
        stream->has_last ? tn_ns_sub(now_steady_ns, stream->last_steady_ns) : INT64_MAX;
    enum tn_result result = admit(stream, sample, silent_ns);
    if (result != TN_OK) {
        return result;
    }
    tn_hand_frame_init(out_frame);
    fill_angles(sample, out_frame);
    fill_age(stream, sample, out_frame);
    if (begins_anew(stream, sample, silent_ns)) {
        begin(stream, sample);
    } else {
        int64_t gap_ns = tn_ns_sub(sample->stamp_ros_ns, stream->last_stamp_ros_ns);
        out_frame->missed_before = estimate_missed(stream, gap_ns);
        fill_rates(stream, sample, gap_ns, out_frame);
        stream->sequence++;
    }
    out_frame->stamp_ros_ns = sample->stamp_ros_ns;
    out_frame->side = stream->options.side;
    out_frame->stamp_kind = stream->options.stamp_kind;
    memcpy(out_frame->device_id, stream->device_id, sizeof out_frame->device_id);
    out_frame->stream_id = stream->stream_id;
    out_frame->sequence = stream->sequence;
    out_frame->stamp_uncertainty_ns = stream->options.stamp_uncertainty_ns;

    stream->counters.accepted++;
    stream->counters.missed += out_frame->missed_before;
    stream->has_last = true;
    stream->last_stamp_ros_ns = sample->stamp_ros_ns;
    stream->last_steady_ns = now_steady_ns;
    memcpy(stream->last_angles, out_frame->angles, sizeof stream->last_angles);
    stream->last_valid = sample->angle_valid;
    return TN_OK;
}

enum tn_link_state tn_hand_stream_link(const struct tn_hand_stream *stream, int64_t now_steady_ns)
{
    if (!stream->has_last) {
        return TN_LINK_INIT;
    }
    int64_t silent_ns = tn_ns_sub(now_steady_ns, stream->last_steady_ns);
    if (!stream->is_open || silent_ns > stream->options.silence_ns) {
        return TN_LINK_DISCONNECTED;
    }
    return silent_ns > stream->options.stale_ns ? TN_LINK_STALE : TN_LINK_ACTIVE;
}
