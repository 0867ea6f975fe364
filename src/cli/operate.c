// SPDX-License-Identifier: Apache-2.0
// arm, disarm, estop: one service call per hand
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tn_msgs/std_srvs.h>

#include "base/side.h"
#include "cli/cli__command.h"
#include "ros/node.h"

static const int64_t discovery_ns = 5 * TN_NS_PER_S;
// so long the range that is set is searched before this machine alone is
static const int64_t first_discovery_ns = 2 * TN_NS_PER_S;
static const int64_t call_ns = 2 * TN_NS_PER_S;

struct call {
    struct tn_loop *loop;
    struct tn_ros_client *client;
    const char *verb;
    enum tn_side side;
    bool is_sent, is_done, is_success;
};

static void on_response(void *context, const void *response)
{
    struct call *call = context;
    const struct std_srvs_srv_Trigger_Response *reply = response;
    call->is_done = true;
    if (reply == NULL) {
        (void)fprintf(stderr, "tendon %s: the %s hand's retargeter did not answer within %.0f s\n",
                      call->verb, tn_side_name(call->side), tn_ns_to_seconds(call_ns));
        return;
    }
    call->is_success = reply->success;
    (void)fprintf(reply->success ? stdout : stderr, "%s: %.*s\n", tn_side_name(call->side),
                  (int)reply->message.size, reply->message.data);
}

static void try_send(struct call *call)
{
    struct std_srvs_srv_Trigger_Request request;
    std_srvs_srv_Trigger_Request_init(&request);
    if (!call->is_sent && tn_ros_client_is_ready(call->client)) {
        call->is_sent = tn_ros_call(call->client, &request, call_ns, on_response, call) == TN_OK;
    }
}

static bool all_done(const struct call *calls, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (!calls[i].is_done) {
            return false;
        }
    }
    return true;
}

// false: nobody was found to be called
static bool any_sent(const struct call *calls, unsigned n)
{
    bool is_any = false;
    for (unsigned i = 0; i < n; i++) {
        is_any |= calls[i].is_sent;
    }
    return is_any;
}

static void run_calls(struct tn_loop *loop, struct call *calls, unsigned n, int64_t search_ns)
{
    int64_t search_end = tn_clock_steady_now_ns() + search_ns;
    int64_t end = search_end + call_ns;
    while (!all_done(calls, n) &&
           tn_clock_steady_now_ns() < (any_sent(calls, n) ? end : search_end)) {
        for (unsigned i = 0; i < n; i++) {
            try_send(&calls[i]);
        }
        (void)tn_loop_run_once(loop, 20 * TN_NS_PER_MS);
    }
}

static int conclude(const struct call *calls, unsigned n)
{
    int code = TN_CLI_OK;
    for (unsigned i = 0; i < n; i++) {
        if (!calls[i].is_sent) {
            (void)fprintf(stderr,
                          "tendon %s: no robot_retargeter serves the %s hand on this domain; is it "
                          "running, and do ROS_DOMAIN_ID and the discovery range agree?\n",
                          calls[i].verb, tn_side_name(calls[i].side));
        }
        if (!calls[i].is_success) {
            code = TN_CLI_FAILURE;
        }
    }
    return code;
}

static enum tn_result make_clients(struct tn_ros_node *node, struct call *calls, unsigned n,
                                   struct tn_error *err)
{
    enum tn_result result = TN_OK;
    for (unsigned i = 0; result == TN_OK && i < n; i++) {
        char name[96];
        (void)snprintf(name, sizeof name, "/robot_retargeter/%s/%s", tn_side_name(calls[i].side),
                       calls[i].verb);
        result =
            tn_ros_client_create(node, &std_srvs_srv_Trigger_type, name, &calls[i].client, err);
    }
    return result;
}

// joins the graph and calls; TN_OK also when nobody was found
static enum tn_result attempt(struct call *calls, unsigned n, int argc, char **argv,
                              int64_t search_ns, struct tn_error *err)
{
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    struct tn_ros_node *node = NULL;
    struct tn_ros_node_options options = {.name = "tendon_operate", .ns = ""};
    enum tn_result result = tn_loop_create(tn_clock_system(), &loop, err);
    if (result == TN_OK) {
        result = tn_ros_context_create(loop, argc, (const char *const *)argv, &context, err);
    }
    if (result == TN_OK) {
        result = tn_ros_node_create(context, &options, &node, err);
    }
    if (result == TN_OK) {
        result = make_clients(node, calls, n, err);
    }
    if (result == TN_OK) {
        run_calls(loop, calls, n, search_ns);
    }
    tn_ros_node_destroy(&node);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
    return result;
}

// the user has not said how far to look: a demo keeps to this machine, where others do not see it
static bool is_range_open(void)
{
    return getenv("ROS_AUTOMATIC_DISCOVERY_RANGE") == NULL && getenv("ROS_LOCALHOST_ONLY") == NULL;
}

static int operate(struct call *calls, unsigned n, int argc, char **argv)
{
    struct tn_error err = {0};
    bool is_open = is_range_open();
    enum tn_result result =
        attempt(calls, n, argc, argv, is_open ? first_discovery_ns : discovery_ns, &err);
    if (result == TN_OK && is_open && !any_sent(calls, n)) {
        (void)setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
        result = attempt(calls, n, argc, argv, discovery_ns - first_discovery_ns, &err);
    }
    if (result != TN_OK) {
        (void)fprintf(stderr, "tendon: %s\n", err.text);
        return TN_CLI_FAILURE;
    }
    return conclude(calls, n);
}

int tn_cli_operate(int argc, char **argv)
{
    struct call calls[TN_SIDES] = {{.verb = argv[0]}, {.verb = argv[0]}};
    unsigned n = 0;
    if (argc >= 2 && strcmp(argv[1], "both") == 0) {
        calls[n++].side = TN_SIDE_LEFT;
        calls[n++].side = TN_SIDE_RIGHT;
    } else if (argc >= 2 && tn_side_parse(argv[1], &calls[0].side)) {
        n = 1;
    } else {
        bool is_asked = argc >= 2 && tn_cli__is_help(argv[1]);
        (void)fprintf(is_asked ? stdout : stderr,
                      "usage: tendon %s left|right|both [--ros-args …]\n", argv[0]);
        return is_asked ? TN_CLI_OK : TN_CLI_USAGE;
    }
    return operate(calls, n, argc - 1, argv + 1);
}
