// SPDX-License-Identifier: Apache-2.0
// tendon service call
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli__action.h"
#include "cli/cli__command.h"
#include "cli/cli__message.h"
#include "cli/cli__session.h"

#define TIMEOUT_S 5.0

struct request {
    struct tn_cli_session session;
    struct tn_ros_client *client;
    const struct tn_service_type *type;
    struct tn_cli_message message;
    int64_t timeout_ns;
    bool is_done, is_answered;
};

static void on_response(void *context, const void *response)
{
    struct request *request = context;
    request->is_done = true;
    request->is_answered = response != NULL;
    if (response != NULL) {
        (void)printf("response:\n");
        tn_yaml_print_repr(request->type->response, response, &tn_cli__stdout);
        (void)printf("\n\n");
        (void)fflush(stdout);
    }
}

static bool is_done(void *context)
{
    const struct request *request = context;
    return request->is_done;
}

static bool is_ready(void *context)
{
    struct request *request = context;
    return tn_ros_client_is_ready(request->client);
}

static bool find_server(struct request *r)
{
    if (is_ready(r)) {
        return true;
    }
    (void)printf("waiting for service to become available...\n");
    (void)fflush(stdout);
    if (tn_cli__session_until(&r->session, is_ready, r, r->timeout_ns)) {
        return true;
    }
    if (!tn_cli__session_is_over(&r->session)) {
        tn_cli__complain(
            r->session.call,
            "nobody serves %s with the type %s within %.1f s; `tendon service list -t` shows "
            "what is there",
            r->session.call->args[0], r->type->ros_name, tn_ns_to_seconds(r->timeout_ns));
    }
    return false;
}

static bool call_once(struct request *r)
{
    const struct tn_cli_call *call = r->session.call;
    if (!find_server(r)) {
        return false;
    }
    (void)printf("requester: making request: ");
    tn_yaml_print_repr(r->message.type, r->message.data, &tn_cli__stdout);
    (void)printf("\n\n");
    (void)fflush(stdout);
    r->is_done = false;
    enum tn_result result = tn_ros_call(r->client, r->message.data, r->timeout_ns, on_response, r);
    if (result != TN_OK) {
        tn_cli__complain(call, "%s: %s", call->args[0], tn_result_text(result));
        return false;
    }
    (void)tn_cli__session_until(&r->session, is_done, r, 0);
    if (!r->is_answered && !tn_cli__session_is_over(&r->session)) {
        tn_cli__complain(call, "%s did not answer within %.1f s", call->args[0],
                         tn_ns_to_seconds(r->timeout_ns));
    }
    return r->is_answered;
}

static bool start(const struct tn_cli_call *call, struct request *r)
{
    struct tn_error err = {0};
    const char *values = call->n_args > 2 ? call->args[2] : "";
    r->type = tn_cli__find_service(call, call->args[1]);
    if (r->type == NULL || !tn_cli__message_create(call, r->type->request, &r->message) ||
        !tn_cli__message_parse(call, &r->message, "VALUES", values, tn_clock_wall_now_ns()) ||
        !tn_cli__session_open(call, &r->session)) {
        return false;
    }
    if (tn_ros_client_create(r->session.node, r->type, call->args[0], &r->client, &err) == TN_OK) {
        return true;
    }
    tn_cli__complain(call, "%s", err.text);
    return false;
}

int tn_cli__service_call(const struct tn_cli_call *call)
{
    struct request request = {0};
    double timeout_s = TIMEOUT_S, rate_hz = 0.0;
    uint64_t times = tn_cli__has(call, "rate") ? UINT64_MAX : 1;
    if (!tn_cli__option_f64(call, "timeout", 0.001, 1e6, &timeout_s) ||
        !tn_cli__option_f64(call, "rate", 1e-6, 1e6, &rate_hz) ||
        !tn_cli__option_u64(call, "times", 1, UINT64_MAX, &times)) {
        return TN_CLI_USAGE;
    }
    request.timeout_ns = (int64_t)(timeout_s * (double)TN_NS_PER_S);
    int64_t pause_ns = rate_hz > 0.0 ? (int64_t)((double)TN_NS_PER_S / rate_hz) : 1;
    bool is_ok = start(call, &request);
    for (uint64_t i = 0; is_ok && i < times && !tn_cli__session_is_over(&request.session); i++) {
        if (i > 0) {
            (void)tn_cli__session_until(&request.session, NULL, NULL, pause_ns);
        }
        is_ok = call_once(&request);
    }
    tn_cli__session_close(&request.session);
    tn_cli__message_destroy(&request.message);
    return is_ok ? TN_CLI_OK : TN_CLI_FAILURE;
}
