// SPDX-License-Identifier: Apache-2.0
#include "launch/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// what one of its two streams has said so far
struct stream {
    int fd; // -1: closed
    char *text;
    size_t used, room; // room without the NUL
    bool is_cut;       // what is beyond the room is thrown away, not an error
};

struct command {
    pid_t pid;
    struct stream streams[2]; // stdout, stderr
};

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

// both ends are closed by exec: the child has its own copies
static bool open_pipes(int fds[4])
{
    for (int i = 0; i < 4; i++)
        fds[i] = -1;
    if (pipe(&fds[0]) != 0 || pipe(&fds[2]) != 0)
        return false;
    for (int i = 0; i < 4; i++)
        if (fcntl(fds[i], F_SETFD, FD_CLOEXEC) != 0)
            return false;
    return true;
}

// 0 or an errno
static int spawn(struct command *self, const char *path, const char *const *argv,
                 const char *const *environment, bool merges_stderr, const int fds[4])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigfillset(&all);
    sigemptyset(&none);
    (void)posix_spawnattr_setsigdefault(&attributes, &all);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, merges_stderr ? fds[1] : fds[3],
                                                 STDERR_FILENO);
    if (error == 0)
        error = posix_spawn(&self->pid, path, &actions, &attributes, (char *const *)argv,
                            (char *const *)environment);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool grow(struct stream *stream)
{
    const size_t room =
        2 * stream->room < TN_LAUNCH_TEXT_MAX ? 2 * stream->room : TN_LAUNCH_TEXT_MAX;
    char *grown = realloc(stream->text, room + 1);
    if (grown == NULL)
        return false;
    stream->text = grown;
    stream->room = room;
    return true;
}

// one read; TN_OK also at its end
static enum tn_result take(struct stream *stream)
{
    char spare[4096];
    const size_t rest = stream->room - stream->used;
    char *to = rest > 0 ? stream->text + stream->used : spare;
    ssize_t n = 0;
    do {
        n = read(stream->fd, to, rest > 0 ? rest : sizeof spare);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return TN_ERR_IO;
    if (n == 0) {
        close_fd(&stream->fd);
        return TN_OK;
    }
    if (rest == 0)
        return stream->is_cut ? TN_OK : TN_ERR_LIMIT;
    stream->used += (size_t)n;
    if (stream->used < stream->room || stream->is_cut || stream->room == TN_LAUNCH_TEXT_MAX)
        return TN_OK;
    return grow(stream) ? TN_OK : TN_ERR_NO_MEMORY;
}

// both streams until the command has closed them
static enum tn_result listen_to(struct command *self)
{
    enum tn_result result = TN_OK;
    while (result == TN_OK && (self->streams[0].fd >= 0 || self->streams[1].fd >= 0)) {
        struct pollfd ready[2];
        for (int i = 0; i < 2; i++)
            ready[i] = (struct pollfd){.fd = self->streams[i].fd, .events = POLLIN};
        if (poll(ready, 2, -1) < 0) {
            result = errno == EINTR ? TN_OK : TN_ERR_IO;
            continue;
        }
        for (int i = 0; result == TN_OK && i < 2; i++)
            if (ready[i].fd >= 0 && ready[i].revents != 0)
                result = take(&self->streams[i]);
    }
    return result;
}

static enum tn_result tell(struct tn_error *err, enum tn_result code, const char *program)
{
    const char *why = code == TN_ERR_LIMIT       ? "it printed too much"
                      : code == TN_ERR_NO_MEMORY ? "not enough memory for what it printed"
                                                 : "what it printed could not be read";
    return tn_error_set(err, code, "command '%.100s': %s", program, why);
}

// reads and reaps a command that runs
static enum tn_result finish(struct command *self, const char *program,
                             struct tn_launch_command_result *out, struct tn_error *err)
{
    int status = 0;
    const enum tn_result result = listen_to(self);
    if (result != TN_OK)
        (void)kill(self->pid, SIGKILL);
    while (waitpid(self->pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (result != TN_OK)
        return tell(err, result, program);
    out->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    self->streams[0].text[self->streams[0].used] = '\0';
    self->streams[1].text[self->streams[1].used] = '\0';
    out->stdout_text = self->streams[0].text;
    out->stdout_size = (uint32_t)self->streams[0].used;
    memcpy(out->stderr_text, self->streams[1].text, self->streams[1].used + 1);
    self->streams[0].text = NULL;
    return TN_OK;
}

static enum tn_result find(const struct tn_packages *packages, const char *program,
                           const char *const *environment, char path[TN_PACKAGE_PATH_MAX],
                           struct tn_error *err)
{
    const char *search = NULL;
    if (strchr(program, '/') != NULL) {
        if (strlen(program) >= TN_PACKAGE_PATH_MAX)
            return tn_error_set(err, TN_ERR_LIMIT, "the path of a command is too long");
        memcpy(path, program, strlen(program) + 1);
        return TN_OK;
    }
    for (size_t i = 0; environment[i] != NULL; i++)
        if (strncmp(environment[i], "PATH=", 5) == 0)
            search = environment[i] + 5;
    return tn_packages_find_program(packages, search, program, path, TN_PACKAGE_PATH_MAX, err);
}

enum tn_result tn_launch_run_command(const struct tn_packages *packages, const char *const *argv,
                                     const char *const *environment, bool merges_stderr,
                                     struct tn_launch_command_result *out, struct tn_error *err)
{
    char path[TN_PACKAGE_PATH_MAX];
    int fds[4];
    struct command self = {.pid = 0};
    enum tn_result result = find(packages, argv[0], environment, path, err);
    if (result != TN_OK)
        return result;
    self.streams[0] = (struct stream){.room = 4096, .text = malloc(4096 + 1)};
    self.streams[1] = (struct stream){.room = sizeof out->stderr_text - 1,
                                      .text = malloc(sizeof out->stderr_text),
                                      .is_cut = true};
    const bool has_memory = self.streams[0].text != NULL && self.streams[1].text != NULL;
    const bool has_pipes = open_pipes(fds);
    int error = !has_memory ? ENOMEM : has_pipes ? 0 : errno;
    if (error == 0)
        error = spawn(&self, path, argv, environment, merges_stderr, fds);
    close_fd(&fds[1]);
    close_fd(&fds[3]);
    self.streams[0].fd = fds[0];
    self.streams[1].fd = fds[2];
    if (error == 0)
        result = finish(&self, argv[0], out, err);
    else
        result = tn_error_set(err,
                              error == ENOMEM                       ? TN_ERR_NO_MEMORY
                              : error == EACCES || error == ENOEXEC ? TN_ERR_PERMISSION
                              : error == ENOENT                     ? TN_ERR_NOT_FOUND
                                                                    : TN_ERR_IO,
                              "cannot run the command '%.100s': %s", argv[0], strerror(error));
    close_fd(&self.streams[0].fd);
    close_fd(&self.streams[1].fd);
    free(self.streams[0].text);
    free(self.streams[1].text);
    return result;
}
