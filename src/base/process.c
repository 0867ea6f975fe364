// SPDX-License-Identifier: Apache-2.0
// pidfd_open, close_range, execvpe and the death signal are outside POSIX
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // NOLINT
#endif
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/parse.h"

// longest line passed on in one piece, and reads per pass so that a chatty child cannot hold the
// loop
enum { LINE_MAX_BYTES = 4096, READS_PER_PASS = 16, NAME_MAX_BYTES = 64 };

struct stream {
    struct tn_loop_fd handle;
    struct tn_process *process;
    int fd; // -1: closed
    bool is_stderr;
    uint32_t n_buffered;
    char buffer[LINE_MAX_BYTES];
};

struct tn_process {
    struct tn_loop *loop;
    pid_t pid; // 0: reaped
    int pid_fd;
    struct tn_loop_fd pid_handle;
    struct tn_loop_timer term_timer, kill_timer;
    struct stream streams[2];
    tn_process_exit_fn on_exit;
    tn_process_line_fn on_line;
    void *context;
    unsigned n_callbacks_active;
    bool is_doomed; // destroyed inside a callback: freed when that returns
    char name[NAME_MAX_BYTES];
};

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

// ---- the child's side: only async-signal-safe calls between fork and exec ----

struct child_plan {
    char *const *argv;
    char *const *env;
    const char *working_dir;
    pid_t parent;
    int stdin_fd, stdout_fd, stderr_fd, error_fd;
};

static void reset_signals(void)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        (void)sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

// the descriptors of the plan are above 2, so that none is overwritten before it is used
static bool place_descriptors(const struct child_plan *plan)
{
    // ours are close-on-exec one by one; this is for those of libraries, where the kernel can
    (void)close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    return dup2(plan->stdin_fd, 0) >= 0 && dup2(plan->stdout_fd, 1) >= 0 &&
           dup2(plan->stderr_fd, 2) >= 0;
}

static void run_child(const struct child_plan *plan)
{
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    // the parent may have died before the death signal was set
    if (getppid() != plan->parent)
        _exit(127);
    if (place_descriptors(plan) && (plan->working_dir == NULL || chdir(plan->working_dir) == 0)) {
        reset_signals();
        (void)execvpe(plan->argv[0], plan->argv, plan->env);
    }
    const int error = errno;
    ssize_t n = write(plan->error_fd, &error, sizeof error);
    (void)n;
    _exit(127);
}

// ---- starting ----

static size_t count_strings(const char *const *strings)
{
    size_t n = 0;
    while (strings != NULL && strings[n] != NULL)
        n++;
    return n;
}

static bool has_same_name(const char *entry, const char *other)
{
    const size_t length = strcspn(entry, "=");
    return strncmp(entry, other, length) == 0 && other[length] == '=';
}

// the parent's environment with the extra entries in the place of their namesakes, of which those
// without a value only go; strings are borrowed, only the array is ours
static const char **merge_environment(const char *const *extra)
{
    const char *const *inherited = (const char *const *)environ;
    const size_t n_extra = count_strings(extra);
    const char **merged = calloc(count_strings(inherited) + n_extra + 1, sizeof *merged);
    if (merged == NULL)
        return NULL;
    size_t n = 0;
    for (size_t i = 0; inherited != NULL && inherited[i] != NULL; i++) {
        bool is_replaced = false;
        for (size_t k = 0; k < n_extra; k++)
            is_replaced = is_replaced || has_same_name(extra[k], inherited[i]);
        if (!is_replaced)
            merged[n++] = inherited[i];
    }
    for (size_t k = 0; k < n_extra; k++)
        if (strchr(extra[k], '=') != NULL)
            merged[n++] = extra[k];
    return merged;
}

// moves a descriptor above 2, where the child may safely put its own
static bool lift(int *fd)
{
    if (*fd > 2)
        return true;
    const int lifted = fcntl(*fd, F_DUPFD_CLOEXEC, 3);
    close_fd(fd);
    *fd = lifted;
    return lifted >= 0;
}

enum { OUT_READ, OUT_WRITE, ERR_READ, ERR_WRITE, EXEC_READ, EXEC_WRITE, DEV_NULL, N_FDS };

// a terminal that passes on what is written to it as it is: [0] we read, [1] the child's
static bool open_terminal(int fds[2])
{
    char name[64];
    struct termios modes;
    fds[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fds[0] < 0 || grantpt(fds[0]) != 0 || unlockpt(fds[0]) != 0 ||
        ptsname_r(fds[0], name, sizeof name) != 0)
        return false;
    fds[1] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fds[1] < 0 || tcgetattr(fds[1], &modes) != 0)
        return false;
    cfmakeraw(&modes);
    return tcsetattr(fds[1], TCSANOW, &modes) == 0;
}

static bool open_all(int fds[N_FDS], bool emulates_tty)
{
    for (int i = 0; i < N_FDS; i++)
        fds[i] = -1;
    for (int i = 0; i < DEV_NULL; i += 2)
        if (!(emulates_tty && i < EXEC_READ ? open_terminal(&fds[i])
                                            : pipe2(&fds[i], O_CLOEXEC) == 0))
            return false;
    fds[DEV_NULL] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fds[DEV_NULL] < 0)
        return false;
    for (int i = 0; i < N_FDS; i++)
        if (!lift(&fds[i]))
            return false;
    // our ends only: the child's own writes must block like those of any program
    return fcntl(fds[OUT_READ], F_SETFL, O_NONBLOCK) == 0 &&
           fcntl(fds[ERR_READ], F_SETFL, O_NONBLOCK) == 0;
}

// waits for exec: end of file is success, else the child's errno arrives
static int read_exec_error(int fd)
{
    int error = 0;
    ssize_t n = 0;
    do {
        n = read(fd, &error, sizeof error);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof error ? error : 0;
}

static pid_t spawn(const struct child_plan *plan)
{
    // no signal handler of ours may run in the child before it has put them back
    sigset_t all, before;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0)
        run_child(plan);
    const int error = errno;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

static void reap(pid_t pid, struct tn_process_exit *out_exit)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    *out_exit = (struct tn_process_exit){.exit_code = -1};
    if (WIFEXITED(status))
        out_exit->exit_code = WEXITSTATUS(status);
    else if (WIFSIGNALED(status))
        out_exit->signal_number = WTERMSIG(status);
}

static void kill_and_reap(pid_t pid)
{
    struct tn_process_exit ignored;
    (void)kill(-pid, SIGKILL);
    (void)kill(pid, SIGKILL);
    reap(pid, &ignored);
}

static enum tn_result start_error(struct tn_error *err, const char *program, int error)
{
    const enum tn_result code = error == ENOENT || error == ENOTDIR ? TN_ERR_NOT_FOUND
                                : error == EACCES || error == EPERM ? TN_ERR_PERMISSION
                                : error == ENOMEM                   ? TN_ERR_NO_MEMORY
                                                                    : TN_ERR_IO;
    return tn_error_at(err, code, program, 0, 0, "cannot start the program: %s", strerror(error));
}

static void on_output(void *context, int fd, uint32_t events);
static void on_pid_ready(void *context, int fd, uint32_t events);

static bool watch(struct tn_process *self)
{
    for (int i = 0; i < 2; i++) {
        struct stream *stream = &self->streams[i];
        if (tn_loop_fd_start(self->loop, &stream->handle, stream->fd, EPOLLIN, on_output, stream) !=
            TN_OK)
            return false;
    }
    return tn_loop_fd_start(self->loop, &self->pid_handle, self->pid_fd, EPOLLIN, on_pid_ready,
                            self) == TN_OK;
}

static void release(struct tn_process *self)
{
    tn_loop_timer_stop(&self->term_timer);
    tn_loop_timer_stop(&self->kill_timer);
    tn_loop_fd_stop(&self->pid_handle);
    close_fd(&self->pid_fd);
    for (int i = 0; i < 2; i++) {
        tn_loop_fd_stop(&self->streams[i].handle);
        close_fd(&self->streams[i].fd);
    }
}

static struct tn_process *create(struct tn_loop *loop, const struct tn_process_options *options)
{
    struct tn_process *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->loop = loop;
    self->pid_fd = -1;
    self->on_exit = options->on_exit;
    self->on_line = options->on_line;
    self->context = options->context;
    for (int i = 0; i < 2; i++) {
        self->streams[i].process = self;
        self->streams[i].fd = -1;
        self->streams[i].is_stderr = i == 1;
    }
    (void)snprintf(self->name, sizeof self->name, "%s", options->name);
    return self;
}

// forks and waits for exec; returns 0 or an errno
static int launch(struct tn_process *self, const struct tn_process_options *options,
                  const char **env, int fds[N_FDS])
{
    const struct child_plan plan = {.argv = (char *const *)options->argv,
                                    .env = (char *const *)env,
                                    .working_dir = options->working_dir,
                                    .parent = getpid(),
                                    .stdin_fd = fds[DEV_NULL],
                                    .stdout_fd = fds[OUT_WRITE],
                                    .stderr_fd = fds[ERR_WRITE],
                                    .error_fd = fds[EXEC_WRITE]};
    const pid_t pid = spawn(&plan);
    if (pid < 0)
        return errno;
    // on both sides, so that the group exists whoever runs first
    (void)setpgid(pid, pid);
    close_fd(&fds[EXEC_WRITE]);
    int error = read_exec_error(fds[EXEC_READ]);
    if (error == 0) {
        self->pid_fd = pidfd_open(pid, 0);
        error = self->pid_fd < 0 ? errno : 0;
    }
    if (error != 0) {
        kill_and_reap(pid);
        return error;
    }
    self->pid = pid;
    return 0;
}

enum tn_result tn_process_start(struct tn_loop *loop, const struct tn_process_options *options,
                                struct tn_process **out_process, struct tn_error *err)
{
    int fds[N_FDS];
    enum tn_result result = TN_OK;
    const char *program = options->argv[0];
    const char **env = merge_environment(options->env_extra);
    struct tn_process *self = create(loop, options);
    int error = open_all(fds, options->emulates_tty) ? 0 : errno;
    if (env == NULL || self == NULL)
        error = ENOMEM;
    if (error == 0)
        error = launch(self, options, env, fds);
    if (error != 0) {
        result = start_error(err, program, error);
        goto done;
    }
    self->streams[0].fd = fds[OUT_READ];
    self->streams[1].fd = fds[ERR_READ];
    fds[OUT_READ] = fds[ERR_READ] = -1;
    if (!watch(self)) {
        result = start_error(err, program, errno);
        kill_and_reap(self->pid);
        release(self);
        goto done;
    }
    *out_process = self;
    self = NULL;
done:
    for (int i = 0; i < N_FDS; i++)
        close_fd(&fds[i]);
    free(env);
    free(self);
    return result;
}

// ---- output ----

static void begin_callback(struct tn_process *self)
{
    self->n_callbacks_active++;
}

// false when the process was destroyed in the callback and is gone now
static bool end_callback(struct tn_process *self)
{
    self->n_callbacks_active--;
    if (!self->is_doomed)
        return true;
    if (self->n_callbacks_active == 0)
        free(self);
    return false;
}

// like log lines: in one write, and lost when the console cannot take it
static void print_line(const struct tn_process *self, const char *line, uint32_t size)
{
    char text[LINE_MAX_BYTES + NAME_MAX_BYTES + 8];
    const int n =
        snprintf(text, sizeof text, "[%s] %.*s\n", self->name, (int)size, size > 0 ? line : "");
    struct pollfd console = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (n > 0 && poll(&console, 1, 0) == 1 && (console.revents & POLLOUT) != 0) {
        const ssize_t written = write(STDERR_FILENO, text, (size_t)n);
        (void)written;
    }
}

static bool deliver(struct stream *stream, const char *line, uint32_t size)
{
    struct tn_process *self = stream->process;
    if (self->on_line == NULL) {
        print_line(self, line, size);
        return true;
    }
    begin_callback(self);
    self->on_line(self->context, self, line, size, stream->is_stderr);
    return end_callback(self);
}

// delivers the finished lines of the buffer and keeps the rest; false when the process is gone
static bool deliver_lines(struct stream *stream)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < stream->n_buffered; i++) {
        if (stream->buffer[i] != '\n')
            continue;
        if (!deliver(stream, stream->buffer + start, i - start))
            return false;
        start = i + 1;
    }
    // a line longer than the buffer goes out in pieces
    if (start == 0 && stream->n_buffered == sizeof stream->buffer) {
        if (!deliver(stream, stream->buffer, stream->n_buffered))
            return false;
        start = stream->n_buffered;
    }
    stream->n_buffered -= start;
    memmove(stream->buffer, stream->buffer + start, stream->n_buffered);
    return true;
}

// the last line needs no newline; false when the process is gone
static bool finish_stream(struct stream *stream)
{
    const uint32_t rest = stream->n_buffered;
    tn_loop_fd_stop(&stream->handle);
    close_fd(&stream->fd);
    stream->n_buffered = 0;
    return rest == 0 || deliver(stream, stream->buffer, rest);
}

enum pump_result { PUMP_DRAINED, PUMP_MORE, PUMP_CLOSED, PUMP_GONE };

static enum pump_result pump(struct stream *stream)
{
    for (int i = 0; i < READS_PER_PASS; i++) {
        const ssize_t n = read(stream->fd, stream->buffer + stream->n_buffered,
                               sizeof stream->buffer - stream->n_buffered);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return PUMP_DRAINED;
        if (n <= 0)
            return finish_stream(stream) ? PUMP_CLOSED : PUMP_GONE;
        stream->n_buffered += (uint32_t)n;
        if (!deliver_lines(stream))
            return PUMP_GONE;
    }
    return PUMP_MORE;
}

static void on_output(void *context, int fd, uint32_t events)
{
    (void)fd;
    (void)events;
    (void)pump(context);
}

// ---- the end ----

// all that the child wrote, and not what others write into its pipes without end; false when gone
static bool drain(struct stream *stream)
{
    enum { MOST_ROUNDS = 64 }; // 4 MiB, more than any pipe holds
    for (int round = 0; round < MOST_ROUNDS && stream->fd >= 0; round++) {
        const enum pump_result result = pump(stream);
        if (result == PUMP_GONE)
            return false;
        if (result == PUMP_DRAINED)
            break;
    }
    return stream->fd < 0 || finish_stream(stream);
}

static void on_pid_ready(void *context, int fd, uint32_t events)
{
    (void)fd;
    (void)events;
    struct tn_process *self = context;
    struct tn_process_exit status;
    // the unreaped leader keeps the group's number from being used again
    (void)kill(-self->pid, SIGKILL);
    reap(self->pid, &status);
    self->pid = 0;
    tn_loop_timer_stop(&self->term_timer);
    tn_loop_timer_stop(&self->kill_timer);
    tn_loop_fd_stop(&self->pid_handle);
    close_fd(&self->pid_fd);
    if (!drain(&self->streams[0]) || !drain(&self->streams[1]) || self->on_exit == NULL)
        return;
    begin_callback(self);
    self->on_exit(self->context, self, status);
    (void)end_callback(self);
}

pid_t tn_process_pid(const struct tn_process *process)
{
    return process->pid;
}

const char *tn_process_name(const struct tn_process *process)
{
    return process->name;
}

bool tn_process_is_running(const struct tn_process *process)
{
    return process->pid != 0;
}

enum tn_result tn_process_signal(struct tn_process *process, int signal_number)
{
    if (process->pid == 0)
        return TN_ERR_STATE;
    return kill(-process->pid, signal_number) == 0 ? TN_OK : TN_ERR_IO;
}

static void send_term(void *context)
{
    (void)tn_process_signal(context, SIGTERM);
}

static void send_kill(void *context)
{
    (void)tn_process_signal(context, SIGKILL);
}

void tn_process_stop(struct tn_process *process, int64_t term_after_ns, int64_t kill_after_ns)
{
    if (process->pid == 0)
        return;
    // a stopped child must run to end; woken first, so that the signal never meets a child already
    // ending
    (void)tn_process_signal(process, SIGCONT);
    (void)tn_process_signal(process, SIGINT);
    tn_loop_timer_start(process->loop, &process->term_timer, term_after_ns, 0, send_term, process);
    tn_loop_timer_start(process->loop, &process->kill_timer, kill_after_ns, 0, send_kill, process);
}

void tn_process_destroy(struct tn_process **process)
{
    struct tn_process *self = *process;
    *process = NULL;
    if (self == NULL || self->is_doomed)
        return;
    if (self->pid != 0)
        kill_and_reap(self->pid);
    self->pid = 0;
    release(self);
    self->is_doomed = true;
    if (self->n_callbacks_active == 0)
        free(self);
}

// ---- procfs ----

uint64_t tn_process_rss_kib(pid_t pid)
{
    char path[64];
    char text[256];
    (void)snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    const ssize_t n = read(fd, text, sizeof text - 1);
    (void)close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    // second number: resident pages
    const char *second = strchr(text, ' ');
    if (second == NULL)
        return 0;
    second++;
    uint64_t pages = 0;
    const long page_size = sysconf(_SC_PAGESIZE);
    if (page_size <= 0 ||
        tn_parse_u64(second, strcspn(second, " \n"), 0, UINT32_MAX, &pages) != TN_OK)
        return 0;
    return pages * (uint64_t)page_size / 1024;
}

// cuts the last component off; returns it, or NULL at the root
static const char *cut_component(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return NULL;
    *slash = '\0';
    return slash + 1;
}

// the directory above the innermost "bin" or "lib" of the path
static bool find_prefix(char *path)
{
    const char *component = cut_component(path);
    while (component != NULL) {
        component = cut_component(path);
        if (component != NULL && (strcmp(component, "bin") == 0 || strcmp(component, "lib") == 0))
            return true;
    }
    return false;
}

void tn_process_open_standard_streams(void)
{
    int fd = 0;
    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/dev/null", O_RDWR);
    if (fd > STDERR_FILENO)
        (void)close(fd);
}

enum tn_result tn_process_prefix(char *buffer, uint32_t size)
{
    char path[4096];
    const char *prefix = getenv("TN_PREFIX");
    if (prefix == NULL || prefix[0] == '\0') {
        const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
        if (n < 0)
            return TN_ERR_NOT_FOUND;
        if ((size_t)n >= sizeof path - 1)
            return TN_ERR_LIMIT;
        path[n] = '\0';
        if (!find_prefix(path))
            return TN_ERR_NOT_FOUND;
        prefix = path[0] != '\0' ? path : "/";
    }
    const size_t length = strlen(prefix);
    if (length >= size)
        return TN_ERR_LIMIT;
    memcpy(buffer, prefix, length + 1);
    return TN_OK;
}
