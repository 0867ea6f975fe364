// SPDX-License-Identifier: Apache-2.0
#include "devices/divingstation/report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 256

static void write_line(struct tn_ds_log *log, const char *line, size_t size)
{
    if (log->fd < 0)
        return;
    ssize_t n = -1;
    do {
        n = write(log->fd, line, size);
    } while (n < 0 && errno == EINTR);
    if (n < 0 || (size_t)n != size)
        log->n_failed++;
}

enum tn_result tn_ds_log_open(struct tn_ds_log *log, const char *path, const char *header,
                              struct tn_error *err)
{
    *log = (struct tn_ds_log){.fd = -1, .path = path};
    if (path == NULL)
        return TN_OK;
    log->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (log->fd < 0) {
        enum tn_result code = errno == ENOENT   ? TN_ERR_NOT_FOUND
                              : errno == EACCES ? TN_ERR_PERMISSION
                                                : TN_ERR_IO;
        return tn_error_at(err, code, path, 0, 0, "cannot open it for writing: %s",
                           strerror(errno));
    }
    char line[LINE_MAX_BYTES];
    int n = snprintf(line, sizeof line, "%s\n", header);
    write_line(log, line, (size_t)n);
    if (log->n_failed == 0)
        return TN_OK;
    enum tn_result result =
        tn_error_at(err, TN_ERR_IO, path, 0, 0, "cannot write: %s", strerror(errno));
    tn_ds_log_close(log);
    return result;
}

void tn_ds_log_close(struct tn_ds_log *log)
{
    if (log->fd >= 0)
        (void)close(log->fd);
    log->fd = -1;
}

void tn_ds_log_sent(struct tn_ds_log *log, uint64_t sequence, enum tn_side side,
                    int64_t send_wall_ns, int64_t send_steady_ns)
{
    char line[LINE_MAX_BYTES];
    int n = snprintf(line, sizeof line, "%" PRIu64 ",%s,%" PRId64 ",%" PRId64 "\n", sequence,
                     tn_side_name(side), send_wall_ns, send_steady_ns);
    write_line(log, line, (size_t)n);
}

static int format_haptics(const struct tn_contact_message *message, char *line, size_t capacity)
{
    if (message->kind == TN_CONTACT_HAPTICS_BODY) {
        const struct tn_contact_haptics_body *body = &message->body.haptics_body;
        return snprintf(
            line, capacity, "haptics body %s id=%s frequency_hz=%g amplitude=%g duration_s=%g\n",
            body->is_left ? "left" : "right", body->id, (double)body->vibration.frequency_hz,
            (double)body->vibration.amplitude, (double)body->vibration.duration_s);
    }
    const struct tn_contact_haptics_finger *finger = &message->body.haptics_finger;
    const struct tn_contact_finger_levels *levels = &finger->levels;
    return snprintf(line, capacity,
                    "haptics finger %s id=%s thumb=%" PRId32 " index=%" PRId32 " middle=%" PRId32
                    " ring=%" PRId32 " force=%" PRId32 "\n",
                    finger->is_left ? "left" : "right", finger->id, levels->thumb, levels->index,
                    levels->middle, levels->ring, levels->force);
}

void tn_ds_report_haptics(struct tn_ds_log *log, const struct tn_contact_message *message,
                          int64_t receive_wall_ns)
{
    char line[LINE_MAX_BYTES];
    int time_size = snprintf(line, sizeof line, "%" PRId64 " ", receive_wall_ns);
    char *text = line + time_size;
    int n = format_haptics(message, text, sizeof line - (size_t)time_size);
    if (n < 0 || (size_t)n >= sizeof line - (size_t)time_size)
        return;
    write_line(log, line, (size_t)(time_size + n));
    // a reader that is gone is no reason to stop playing
    (void)fputs(text, stdout);
    (void)fflush(stdout);
}
