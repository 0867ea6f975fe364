// SPDX-License-Identifier: Apache-2.0
#include "launch/launch_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// longest line of the launch itself: a command line may be long
enum { SAY_MAX = 16384, PATH_MAX_BYTES = 4096 };

struct tn_launch_log {
    struct tn_loop *loop;
    struct tn_loop_fd screen_handle;
    int screen_fd; // -1: none, or closed by its reader
    bool has_colors, is_waiting;
    char *waiting; // (TN_LAUNCH_LOG_WAITING_MAX), the first n_waiting bytes are to be written
    size_t n_waiting;
    uint64_t n_lost, n_lost_told;
    FILE *file; // launch.log; NULL: none
    bool is_file_broken;
    char folder[PATH_MAX_BYTES];
};

// ---- the folder ----

static const char *home(void)
{
    const char *home_folder = getenv("HOME");
    if (home_folder != NULL && home_folder[0] != '\0')
        return home_folder;
    const struct passwd *user = getpwuid(getuid());
    return user != NULL ? user->pw_dir : "/";
}

// false: too long
static bool base_folder(char *buffer, size_t size)
{
    const char *log_dir = getenv("ROS_LOG_DIR");
    const char *ros_home = getenv("ROS_HOME");
    const char *tail = "";
    if (log_dir == NULL || log_dir[0] == '\0') {
        log_dir = ros_home;
        tail = "/log";
        if (log_dir == NULL || log_dir[0] == '\0')
            log_dir = "~/.ros";
    }
    // relative ones are meant from here
    char here[PATH_MAX_BYTES] = "";
    if (log_dir[0] != '/' && log_dir[0] != '~' && getcwd(here, sizeof here) == NULL)
        return false;
    const bool is_home = log_dir[0] == '~' && (log_dir[1] == '/' || log_dir[1] == '\0');
    if (is_home)
        log_dir++;
    const char *front = is_home ? home() : here;
    const int n =
        snprintf(buffer, size, "%s%s%s%s", front, here[0] != '\0' ? "/" : "", log_dir, tail);
    return n >= 0 && (size_t)n < size;
}

// makes a folder with those above it; false: errno tells why
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool is_made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!is_made)
            return false;
    }
    return mkdir(path, 0777) == 0;
}

// `latest` is replaced in one step, and left alone when it is no link
static void renew_latest(const char *base, const char *folder)
{
    char latest[PATH_MAX_BYTES + 64], fresh[PATH_MAX_BYTES + 64];
    struct stat info;
    (void)snprintf(latest, sizeof latest, "%s/latest", base);
    (void)snprintf(fresh, sizeof fresh, "%s/.latest-%ld", base, (long)getpid());
    if (lstat(latest, &info) == 0 && !S_ISLNK(info.st_mode))
        return;
    if (symlink(folder, fresh) == 0 && rename(fresh, latest) != 0)
        (void)unlink(fresh);
}

enum tn_result tn_launch_log_make_folder(char *buffer, uint32_t size, struct tn_error *err)
{
    char base[PATH_MAX_BYTES];
    char path[PATH_MAX_BYTES + 512];
    char host[256] = "localhost";
    struct tm date;
    if (!base_folder(base, sizeof base))
        return tn_error_set(err, TN_ERR_LIMIT,
                            "the folder of the logs has too long a name; set ROS_LOG_DIR");
    (void)gethostname(host, sizeof host - 1);
    for (;;) {
        const int64_t now_wall_ns = tn_clock_wall_now_ns();
        const time_t seconds = (time_t)(now_wall_ns / TN_NS_PER_S);
        char text[64];
        if (localtime_r(&seconds, &date) == NULL ||
            strftime(text, sizeof text, "%Y-%m-%d-%H-%M-%S", &date) == 0)
            (void)snprintf(text, sizeof text, "%" PRId64, (int64_t)seconds);
        (void)snprintf(path, sizeof path, "%s/%s-%06d-%s-%ld", base, text,
                       (int)(now_wall_ns % TN_NS_PER_S / 1000), host, (long)getpid());
        if (make_folders(path))
            break;
        if (errno != EEXIST)
            return tn_error_at(err, TN_ERR_IO, path, 0, 0,
                               "cannot make the folder of the logs: %s; set ROS_LOG_DIR",
                               strerror(errno));
    }
    if (strlen(path) >= size)
        return tn_error_set(err, TN_ERR_LIMIT, "the folder of the logs has too long a name");
    memcpy(buffer, path, strlen(path) + 1);
    renew_latest(base, path);
    return TN_OK;
}

// ---- the screen ----

static void on_screen(void *context, int fd, uint32_t events);

static void end_screen(struct tn_launch_log *self)
{
    tn_loop_fd_stop(&self->screen_handle);
    self->is_waiting = false;
    self->n_waiting = 0;
    self->screen_fd = -1;
}

// as much as goes out at once: pipes and terminals that are ready take PIPE_BUF without waiting
static void write_waiting(struct tn_launch_log *self)
{
    size_t done = 0;
    while (done < self->n_waiting) {
        struct pollfd ready = {.fd = self->screen_fd, .events = POLLOUT};
        if (poll(&ready, 1, 0) != 1 || (ready.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
            break;
        const size_t rest = self->n_waiting - done;
        const ssize_t n =
            write(self->screen_fd, self->waiting + done, rest < PIPE_BUF ? rest : PIPE_BUF);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            break;
        if (n < 0) {
            end_screen(self);
            return;
        }
        done += (size_t)n;
    }
    self->n_waiting -= done;
    memmove(self->waiting, self->waiting + done, self->n_waiting);
}

static void wait_for_screen(struct tn_launch_log *self)
{
    // a regular file is always ready and cannot be waited for
    if (!self->is_waiting && self->n_waiting > 0 && self->screen_fd >= 0)
        self->is_waiting = tn_loop_fd_start(self->loop, &self->screen_handle, self->screen_fd,
                                            EPOLLOUT, on_screen, self) == TN_OK;
}

static void on_screen(void *context, int fd, uint32_t events)
{
    struct tn_launch_log *self = context;
    (void)fd;
    if ((events & (EPOLLERR | EPOLLHUP)) != 0) {
        end_screen(self);
        return;
    }
    write_waiting(self);
    if (self->n_waiting == 0) {
        tn_loop_fd_stop(&self->screen_handle);
        self->is_waiting = false;
    }
}

static bool put_waiting(struct tn_launch_log *self, const char *text, size_t size)
{
    if (size > TN_LAUNCH_LOG_WAITING_MAX - self->n_waiting)
        return false;
    memcpy(self->waiting + self->n_waiting, text, size);
    self->n_waiting += size;
    return true;
}

static void show(struct tn_launch_log *self, const char *text, size_t size)
{
    if (self->screen_fd < 0)
        return;
    char told[96];
    // what is missing is told where it is missing
    if (self->n_lost > self->n_lost_told) {
        const int n = snprintf(told, sizeof told,
                               "[WARNING] [launch]: the screen was too slow: %" PRIu64
                               " lines are only in the logs\n",
                               self->n_lost - self->n_lost_told);
        if (n > 0 && (size_t)n + size <= TN_LAUNCH_LOG_WAITING_MAX - self->n_waiting &&
            put_waiting(self, told, (size_t)n))
            self->n_lost_told = self->n_lost;
    }
    if (self->n_lost > self->n_lost_told || !put_waiting(self, text, size))
        self->n_lost++;
    if (!self->is_waiting)
        write_waiting(self);
    wait_for_screen(self);
}

// ---- files ----

static void report_broken_file(struct tn_launch_log *self, const char *name, int error)
{
    if (self->is_file_broken)
        return;
    self->is_file_broken = true;
    char text[PATH_MAX_BYTES + 256];
    const int n = snprintf(text, sizeof text,
                           "[WARNING] [launch]: %s/%s cannot be written: %s; the launch goes on "
                           "without\n",
                           self->folder, name, strerror(error));
    if (n > 0)
        show(self, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static void note(struct tn_launch_log *self, const char *text, size_t size)
{
    if (self->file == NULL)
        return;
    const int64_t now_wall_ns = tn_clock_wall_now_ns();
    errno = 0;
    (void)fprintf(self->file, "%" PRId64 ".%07d %.*s", now_wall_ns / TN_NS_PER_S,
                  (int)(now_wall_ns % TN_NS_PER_S / 100), (int)size, text);
    if (fflush(self->file) != 0 || ferror(self->file) != 0) {
        report_broken_file(self, "launch.log", errno);
        clearerr(self->file);
    }
}

// opened for each line: a process may have three, and a launch hundreds of processes
static void note_own(struct tn_launch_log *self, const char *label, const char *ending,
                     const char *text, size_t size)
{
    char path[PATH_MAX_BYTES + 320];
    if (self->folder[0] == '\0')
        return;
    (void)snprintf(path, sizeof path, "%s/%s%s", self->folder, label, ending);
    // a label is no path
    for (char *at = path + strlen(self->folder) + 1; *at != '\0'; at++)
        *at = *at == '/' ? '_' : *at;
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const ssize_t n = fd >= 0 ? write(fd, text, size) : -1;
    if (n != (ssize_t)size)
        report_broken_file(self, path + strlen(self->folder) + 1, errno);
    if (fd >= 0)
        (void)close(fd);
}

// ---- the whole ----

enum tn_result tn_launch_log_create(struct tn_loop *loop,
                                    const struct tn_launch_log_options *options,
                                    struct tn_launch_log **out_log, struct tn_error *err)
{
    struct tn_launch_log *self = calloc(1, sizeof *self);
    char path[PATH_MAX_BYTES + 16];
    if (self == NULL || (self->waiting = malloc(TN_LAUNCH_LOG_WAITING_MAX)) == NULL) {
        free(self);
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the screen");
    }
    self->loop = loop;
    self->screen_fd = options->screen_fd;
    self->has_colors = options->has_colors;
    if (options->folder != NULL) {
        (void)snprintf(self->folder, sizeof self->folder, "%s", options->folder);
        (void)snprintf(path, sizeof path, "%s/launch.log", self->folder);
        self->file = fopen(path, "ae");
        if (self->file == NULL) {
            const int error = errno;
            free(self->waiting);
            free(self);
            return tn_error_at(err, TN_ERR_IO, path, 0, 0,
                               "cannot write the log: %s; set ROS_LOG_DIR", strerror(error));
        }
    }
    *out_log = self;
    return TN_OK;
}

void tn_launch_log_destroy(struct tn_launch_log **log, int64_t most_ns)
{
    struct tn_launch_log *self = *log;
    *log = NULL;
    if (self == NULL)
        return;
    const int64_t end_ns = tn_clock_steady_now_ns() + most_ns;
    while (self->screen_fd >= 0 && self->n_waiting > 0) {
        struct pollfd ready = {.fd = self->screen_fd, .events = POLLOUT};
        const int64_t rest_ns = end_ns - tn_clock_steady_now_ns();
        if (rest_ns <= 0 || poll(&ready, 1, (int)(rest_ns / TN_NS_PER_MS) + 1) != 1 ||
            (ready.revents & POLLOUT) == 0)
            break;
        write_waiting(self);
    }
    tn_loop_fd_stop(&self->screen_handle);
    if (self->file != NULL)
        (void)fclose(self->file);
    free(self->waiting);
    free(self);
}

const char *tn_launch_log_folder(const struct tn_launch_log *log)
{
    return log->folder[0] != '\0' ? log->folder : NULL;
}

void tn_launch_log_say(struct tn_launch_log *log, enum tn_launch_severity severity,
                       const char *name, const char *format, ...)
{
    static const char *const names[] = {"INFO", "WARNING", "ERROR"};
    static const char *const colors[] = {"", "\033[33m", "\033[31m"};
    char text[SAY_MAX];
    // the colour is for the screen and stands in front of what the file gets
    const char *color = log->has_colors ? colors[severity] : "";
    const size_t n_color = strlen(color);
    size_t used = 0;
    int n = snprintf(text, sizeof text, "%s[%s] [%s]: ", color, names[severity], name);
    used += n > 0 ? (size_t)n : 0;
    va_list args;
    va_start(args, format);
    n = vsnprintf(text + used, sizeof text - used - 8, format, args);
    va_end(args);
    used += n > 0 ? (size_t)n : 0;
    used = used < sizeof text - 9 ? used : sizeof text - 9;
    text[used] = '\n';
    note(log, text + n_color, used + 1 - n_color);
    if (n_color > 0) {
        static const char back[] = "\033[0m\n";
        memcpy(text + used, back, sizeof back);
        used += sizeof back - 2;
    }
    show(log, text, used + 1);
}

void tn_launch_log_line(struct tn_launch_log *log, const char *label, enum tn_launch_output output,
                        bool is_stderr, const char *line, uint32_t size)
{
    char text[SAY_MAX];
    const int n =
        snprintf(text, sizeof text - 1, "[%s] %.*s", label, (int)size, size > 0 ? line : "");
    size_t used = n > 0 ? (size_t)n : 0;
    used = used < sizeof text - 2 ? used : sizeof text - 2;
    text[used++] = '\n';
    const bool is_full = output == TN_LAUNCH_OUTPUT_FULL;
    const bool is_both = output == TN_LAUNCH_OUTPUT_BOTH;
    const bool is_log = output == TN_LAUNCH_OUTPUT_LOG;
    if (is_full || is_both || output == TN_LAUNCH_OUTPUT_SCREEN || (is_log && is_stderr))
        show(log, text, used);
    if (is_full || is_both || is_log)
        note(log, text, used);
    if (is_full || output == TN_LAUNCH_OUTPUT_OWN_LOG) {
        note_own(log, label, is_stderr ? "-stderr.log" : "-stdout.log", text, used);
        note_own(log, label, ".log", text, used);
    }
}

uint64_t tn_launch_log_lost(const struct tn_launch_log *log)
{
    return log->n_lost;
}
