// SPDX-License-Identifier: Apache-2.0
#include "cli/cli__session.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// a pass ends at least this often, so that conditions that depend on time are looked at
#define PASS_NS (20 * TN_NS_PER_MS)

// what the user has not said: this subnet as ROS does it, and also those on this machine who keep
// to it (`tendon demo`), whom multicast does not reach
static void widen_range(void)
{
    if (getenv("ROS_AUTOMATIC_DISCOVERY_RANGE") == NULL && getenv("ROS_LOCALHOST_ONLY") == NULL &&
        getenv("ROS_STATIC_PEERS") == NULL) {
        (void)setenv("ROS_STATIC_PEERS", "localhost", 1);
    }
}

static enum tn_result open_all(struct tn_cli_session *s, uint32_t arena_bytes, struct tn_error *err)
{
    // a leading underscore hides the node from lists; what it logs is for its user only
    const char *argv[72] = {"tendon", "--ros-args", "--disable-rosout-logs", "--"};
    int argc = 4;
    for (int i = 1; i < s->call->ros_argc; i++) {
        argv[argc++] = s->call->ros_argv[i];
    }
    char name[64];
    (void)snprintf(name, sizeof name, "_tendon_cli_%ld", (long)getpid());
    const char *wanted = tn_cli__option(s->call, "node-name");
    // a tool that comes and goes has no parameters to ask for
    struct tn_ros_node_options options = {.name = wanted != NULL ? wanted : name,
                                          .ns = "",
                                          .arena_size = arena_bytes,
                                          .no_parameter_services = true,
                                          .no_parameter_events = true};
    enum tn_result result = tn_loop_create(tn_clock_system(), &s->loop, err);
    if (result == TN_OK) {
        result = tn_loop_handle_signals(s->loop);
    }
    if (result == TN_OK) {
        result = tn_ros_context_create(s->loop, argc, argv, &s->context, err);
    }
    if (result == TN_OK) {
        result = tn_ros_node_create(s->context, &options, &s->node, err);
    }
    return result;
}

bool tn_cli__session_open(const struct tn_cli_call *call, struct tn_cli_session *out)
{
    return tn_cli__session_open_with(call, 0, out);
}

bool tn_cli__session_open_with(const struct tn_cli_call *call, uint32_t arena_bytes,
                               struct tn_cli_session *out)
{
    struct tn_error err = {0};
    *out = (struct tn_cli_session){.call = call};
    widen_range();
    enum tn_result result = open_all(out, arena_bytes, &err);
    if (result == TN_OK) {
        return true;
    }
    tn_cli__complain(call, "%s", err.text[0] != '\0' ? err.text : tn_result_text(result));
    tn_cli__session_close(out);
    return false;
}

void tn_cli__session_close(struct tn_cli_session *session)
{
    tn_ros_node_destroy(&session->node);
    tn_ros_context_destroy(&session->context);
    tn_loop_destroy(&session->loop);
}

bool tn_cli__session_is_over(const struct tn_cli_session *session)
{
    // nobody reads what is printed: there is no use in going on
    return tn_loop_is_quitting(session->loop) || ferror(stdout) != 0;
}

bool tn_cli__session_until(struct tn_cli_session *session, bool (*condition)(void *context),
                           void *context, int64_t timeout_ns)
{
    int64_t end_ns = tn_ns_add(tn_clock_steady_now_ns(), timeout_ns);
    for (;;) {
        if (condition != NULL && condition(context)) {
            return true;
        }
        int64_t left_ns = timeout_ns == 0 ? PASS_NS : tn_ns_sub(end_ns, tn_clock_steady_now_ns());
        if (left_ns <= 0 || tn_cli__session_is_over(session)) {
            return false;
        }
        (void)tn_loop_run_once(session->loop, left_ns < PASS_NS ? left_ns : PASS_NS);
    }
}

bool tn_cli__session_watch(struct tn_cli_session *session)
{
    double spin_s = TN_CLI_SPIN_TIME_S;
    if (!tn_cli__option_f64(session->call, "spin-time", 0.0, 3600.0, &spin_s)) {
        return false;
    }
    (void)tn_cli__session_until(session, NULL, NULL, 1 + (int64_t)(spin_s * (double)TN_NS_PER_S));
    return !tn_cli__session_is_over(session);
}
