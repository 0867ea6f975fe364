// SPDX-License-Identifier: Apache-2.0
#include "system/path/rig.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/udp.h"
#include "system/path/logs.h"

static const int64_t step_ns = 20 * TN_NS_PER_MS;
static const uint32_t trace_capacity = UINT32_C(1) << 18;

static uint16_t free_port(void)
{
    int fd;
    if (tn_udp_open("127.0.0.1", 0, "port", &fd, NULL) != TN_OK) {
        return 0;
    }
    uint16_t port = tn_udp_local_port(fd);
    (void)close(fd);
    return port;
}

static enum tn_result make_paths(struct path_rig *rig, struct tn_error *err)
{
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(rig->dir, sizeof rig->dir, "%s/path-test-XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(rig->dir) == NULL) {
        return tn_error_set(err, TN_ERR_IO, "cannot make %s: %s", rig->dir, strerror(errno));
    }
    (void)snprintf(rig->trace_path, sizeof rig->trace_path, "%s/trace", rig->dir);
    (void)snprintf(rig->send_log, sizeof rig->send_log, "%s/send.log", rig->dir);
    (void)snprintf(rig->execution_log[0], sizeof rig->execution_log[0], "%s/left.log", rig->dir);
    (void)snprintf(rig->execution_log[1], sizeof rig->execution_log[1], "%s/right.log", rig->dir);
    (void)snprintf(rig->output_log, sizeof rig->output_log, "%s/output.log", rig->dir);
    rig->output = fopen(rig->output_log, "w");
    if (rig->output == NULL) {
        return tn_error_set(err, TN_ERR_IO, "cannot write %s", rig->output_log);
    }
    (void)setvbuf(rig->output, NULL, _IOLBF, 0);
    return tn_process_prefix(rig->prefix, sizeof rig->prefix) == TN_OK
               ? TN_OK
               : tn_error_set(err, TN_ERR_NOT_FOUND, "set TN_PREFIX to the build tree");
}

static void on_step(void *context)
{
    struct path_rig *rig = context;
    path_watch_read_trace(rig);
    if (rig->does_arm) {
        path_watch_arm(rig, tn_clock_steady_now_ns());
    }
}

enum tn_result path_rig_start(struct path_rig *rig, struct tn_error *err)
{
    enum tn_result result = make_paths(rig, err);
    rig->record.wall_minus_steady_ns = path_wall_minus_steady_ns();
    rig->record.begun_steady_ns = tn_clock_steady_now_ns();
    rig->glove_port = free_port();
    rig->receive_port = free_port();
    rig->does_arm = true;
    (void)setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
    if (result == TN_OK) {
        result = tn_trace_create(rig->trace_path, trace_capacity, &rig->trace, err);
    }
    if (result == TN_OK) {
        result = tn_loop_create(tn_clock_system(), &rig->loop, err);
    }
    // from the robot to the glove, so that each finds the next one waiting
    for (unsigned i = PATH_PROGRAMS; result == TN_OK && i-- > 0;) {
        result = path_program_start(rig, (enum path_program)i, err);
    }
    if (result == TN_OK) {
        result = path_watch_create(rig, err);
    }
    if (result == TN_OK) {
        tn_loop_timer_start(rig->loop, &rig->step, step_ns, step_ns, on_step, rig);
    }
    return result;
}

bool path_rig_run_until(struct path_rig *rig, bool (*is_done)(void *), void *context,
                        int64_t limit_ns)
{
    int64_t end_ns = tn_clock_steady_now_ns() + limit_ns;
    while (!is_done(context)) {
        if (tn_clock_steady_now_ns() > end_ns || rig->n_bad_ends > 0) {
            return false;
        }
        (void)tn_loop_run_once(rig->loop, step_ns);
    }
    return true;
}

void path_rig_run_for(struct path_rig *rig, int64_t duration_ns)
{
    int64_t end_ns = tn_clock_steady_now_ns() + duration_ns;
    int64_t left_ns = duration_ns;
    while (left_ns > 0 && rig->n_bad_ends == 0) {
        (void)tn_loop_run_once(rig->loop, left_ns < step_ns ? left_ns : step_ns);
        left_ns = end_ns - tn_clock_steady_now_ns();
    }
}

bool path_rig_follows(const struct path_rig *rig, int64_t since_steady_ns)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        const struct path_side_record *side = &rig->record.sides[i];
        size_t n = side->executed.size;
        int64_t since_ros_ns = since_steady_ns + rig->record.wall_minus_steady_ns;
        if (n == 0 || side->executed.data[n - 1].stamp_ros_ns <= since_ros_ns ||
            !rig->hands[i].session.is_flowing) {
            return false;
        }
    }
    return true;
}

void path_rig_explain(const struct path_rig *rig)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        const struct path_watch_hand *hand = &rig->hands[i];
        const struct path_side_record *side = &rig->record.sides[i];
        (void)fprintf(stderr,
                      "%s hand: session %s%d%s%s, reason \"%s\"; %zu commands, %zu accepted, "
                      "%zu executed, %zu feedback, armed %u times of %zu\n",
                      i == 0 ? "left" : "right", hand->has_session ? "" : "(none) ",
                      hand->session.state, hand->session.is_armed ? ", armed" : ", not armed",
                      hand->session.is_latched ? ", latched" : "", hand->session.reason,
                      side->commands.size, side->accepted.size, side->executed.size,
                      side->feedback.size, hand->n_armed, side->arms.size);
    }
}

// ---- disturbances ----

// waits until the kernel has stopped it (job control tells its parent) or ended it
static void wait_until_down(struct path_rig *rig, enum path_program program, bool is_kill)
{
    siginfo_t info = {0};
    pid_t pid = tn_process_pid(rig->processes[program]);
    // WNOWAIT: the process module reaps
    (void)waitid(P_PID, (id_t)pid, &info, is_kill ? WEXITED | WNOWAIT : WSTOPPED);
}

void path_rig_begin_fault(struct path_rig *rig, enum path_program program, bool is_kill)
{
    struct path_fault fault = {.program = program, .is_kill = is_kill};
    rig->may_end[program] = is_kill;
    rig->is_killed[program] = is_kill;
    fault.asked_steady_ns = tn_clock_steady_now_ns();
    (void)tn_process_signal(rig->processes[program], is_kill ? SIGKILL : SIGSTOP);
    wait_until_down(rig, program, is_kill);
    fault.begun_steady_ns = tn_clock_steady_now_ns();
    PATH_PUSH(&rig->record.faults, fault);
}

static struct path_fault *open_fault(struct path_rig *rig, enum path_program program)
{
    for (size_t i = rig->record.faults.size; i-- > 0;) {
        struct path_fault *fault = &rig->record.faults.data[i];
        if (fault->program == program && !fault->has_ended) {
            return fault;
        }
    }
    return NULL;
}

enum tn_result path_rig_end_fault(struct path_rig *rig, enum path_program program,
                                  struct tn_error *err)
{
    struct path_fault *fault = open_fault(rig, program);
    if (fault == NULL) {
        return TN_OK;
    }
    fault->ended_steady_ns = tn_clock_steady_now_ns();
    fault->has_ended = true;
    if (fault->is_kill) {
        return path_program_start(rig, program, err);
    }
    return tn_process_signal(rig->processes[program], SIGCONT);
}

// ---- the end ----

static bool has_ended(const struct path_rig *rig, unsigned first, unsigned last)
{
    for (unsigned i = first; i <= last; i++) {
        if (rig->processes[i] != NULL && tn_process_is_running(rig->processes[i])) {
            return false;
        }
    }
    return true;
}

static bool end_programs(struct path_rig *rig, unsigned first, unsigned last)
{
    int64_t end_ns = tn_clock_steady_now_ns() + 40 * TN_NS_PER_S;
    for (unsigned i = first; i <= last; i++) {
        rig->may_end[i] = true;
        if (rig->processes[i] != NULL && tn_process_is_running(rig->processes[i])) {
            tn_process_stop(rig->processes[i], 20 * TN_NS_PER_S, 30 * TN_NS_PER_S);
        }
    }
    while (!has_ended(rig, first, last) && tn_clock_steady_now_ns() < end_ns) {
        (void)tn_loop_run_once(rig->loop, step_ns);
    }
    return has_ended(rig, first, last);
}

enum tn_result path_rig_finish(struct path_rig *rig, struct tn_error *err)
{
    rig->does_arm = false;
    if (!end_programs(rig, PATH_GLOVE, PATH_GLOVE) ||
        !end_programs(rig, PATH_DRIVER, PATH_PROGRAMS - 1)) {
        return tn_error_set(err, TN_ERR_TIMEOUT, "a program did not end after INT, TERM and KILL");
    }
    path_watch_read_trace(rig);
    rig->record.ended_steady_ns = tn_clock_steady_now_ns();
    enum tn_result result = TN_OK;
    for (unsigned i = 0; result == TN_OK && i < TN_SIDES; i++) {
        result =
            path_read_execution_log(rig->execution_log[i], i == 0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT,
                                    &rig->record.sides[i], err);
    }
    return result;
}

void path_rig_destroy(struct path_rig *rig, bool is_kept)
{
    tn_loop_timer_stop(&rig->step);
    for (unsigned i = 0; i < PATH_PROGRAMS; i++) {
        tn_process_destroy(&rig->processes[i]);
    }
    path_watch_destroy(rig);
    tn_trace_close(&rig->trace);
    tn_loop_destroy(&rig->loop);
    path_record_clear(&rig->record);
    if (rig->output != NULL) {
        (void)fclose(rig->output);
    }
    const char *const files[] = {rig->trace_path, rig->send_log, rig->execution_log[0],
                                 rig->execution_log[1], rig->output_log};
    for (size_t i = 0; !is_kept && i < TN_ARRAY_SIZE(files); i++) {
        (void)unlink(files[i]);
    }
    if (!is_kept) {
        (void)rmdir(rig->dir);
    }
}
