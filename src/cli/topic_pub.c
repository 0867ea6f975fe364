// SPDX-License-Identifier: Apache-2.0
// tendon topic pub
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli__command.h"
#include "cli/cli__message.h"
#include "cli/cli__topic.h"

struct pub {
    struct tn_cli_session session;
    struct tn_cli_message message;
    struct tn_ros_publisher *publisher;
    const char *values;
    double rate_hz, keep_alive_s, max_wait_s;
    uint64_t print_every, times, wait_for; // times 0: no end
    uint64_t n_sent;
};

static bool read_options(const struct tn_cli_call *call, struct pub *pub)
{
    bool is_once = tn_cli__has(call, "once");
    pub->rate_hz = 1.0;
    pub->keep_alive_s = 0.1;
    pub->max_wait_s = 0.0;
    pub->print_every = 1;
    pub->times = is_once ? 1 : 0;
    if (!tn_cli__option_f64(call, "rate", 1e-6, 1e6, &pub->rate_hz) ||
        !tn_cli__option_f64(call, "keep-alive", 0.0, 1e6, &pub->keep_alive_s) ||
        !tn_cli__option_f64(call, "max-wait-time-secs", 0.0, 1e6, &pub->max_wait_s) ||
        !tn_cli__option_u64(call, "print", 1, UINT64_MAX, &pub->print_every) ||
        !tn_cli__option_u64(call, "times", 0, UINT64_MAX, &pub->times)) {
        return false;
    }
    pub->wait_for = pub->times > 0 ? 1 : 0;
    pub->values = call->n_args > 2 ? call->args[2] : "";
    return tn_cli__option_u64(call, "wait-matching-subscriptions", 0, 10000, &pub->wait_for);
}

static bool are_matched(void *context)
{
    const struct pub *pub = context;
    return tn_ros_publisher_matched(pub->publisher) >= pub->wait_for;
}

static bool wait_for_subscriptions(struct pub *pub)
{
    int64_t most_ns = (int64_t)(pub->max_wait_s * (double)TN_NS_PER_S);
    if (pub->wait_for == 0 || are_matched(pub)) {
        return true;
    }
    (void)printf("Waiting for at least %" PRIu64 " matching subscription(s)...\n", pub->wait_for);
    (void)fflush(stdout);
    if (tn_cli__session_until(&pub->session, are_matched, pub, most_ns)) {
        return true;
    }
    if (!tn_cli__session_is_over(&pub->session)) {
        tn_cli__complain(pub->session.call, "%u of %" PRIu64 " subscriptions came within %.1f s",
                         tn_ros_publisher_matched(pub->publisher), pub->wait_for, pub->max_wait_s);
    }
    return false;
}

// `now` and `auto` are of each message, so the text is read each time
static bool send_one(struct pub *pub)
{
    const struct tn_cli_call *call = pub->session.call;
    int64_t now_ns = tn_ros_node_now_ros_ns(pub->session.node);
    if (!tn_cli__message_parse(call, &pub->message, "VALUES", pub->values, now_ns)) {
        return false;
    }
    pub->n_sent++;
    if (pub->n_sent % pub->print_every == 0) {
        (void)printf("publishing #%" PRIu64 ": ", pub->n_sent);
        tn_yaml_print_repr(pub->message.type, pub->message.data, &tn_cli__stdout);
        (void)printf("\n\n");
        (void)fflush(stdout);
    }
    enum tn_result result = tn_ros_publish(pub->publisher, pub->message.data);
    if (result != TN_OK) {
        tn_cli__complain(call, "could not publish: %s", tn_result_text(result));
    }
    return result == TN_OK;
}

static bool start(const struct tn_cli_call *call, struct pub *pub)
{
    struct tn_error err = {0};
    struct tn_ros_qos qos = tn_ros_qos_default(10);
    bool is_given = false;
    const struct tn_type *type = tn_cli__find_message(call, call->args[1]);
    // what is wrong with the values is told before anybody is bothered
    if (type == NULL || !tn_cli__topic_qos(call, &qos, &is_given) ||
        !tn_cli__message_create(call, type, &pub->message) ||
        !tn_cli__message_parse(call, &pub->message, "VALUES", pub->values, 0) ||
        !tn_cli__session_open(call, &pub->session)) {
        return false;
    }
    if (tn_ros_publisher_create(pub->session.node, type, call->args[0], qos, &pub->publisher,
                                &err) == TN_OK) {
        return true;
    }
    tn_cli__complain(call, "%s", err.text);
    return false;
}

static int run(struct pub *pub)
{
    int64_t period_ns = (int64_t)((double)TN_NS_PER_S / pub->rate_hz);
    if (!wait_for_subscriptions(pub)) {
        return TN_CLI_FAILURE;
    }
    (void)printf("publisher: beginning loop\n");
    int64_t next_ns = tn_clock_steady_now_ns();
    while (!tn_cli__session_is_over(&pub->session)) {
        if (!send_one(pub)) {
            return TN_CLI_FAILURE;
        }
        if (pub->n_sent == pub->times) {
            // readers ask again for what they missed
            (void)tn_cli__session_until(&pub->session, NULL, NULL,
                                        1 + (int64_t)(pub->keep_alive_s * (double)TN_NS_PER_S));
            break;
        }
        next_ns = tn_ns_add(next_ns, period_ns);
        int64_t left_ns = tn_ns_sub(next_ns, tn_clock_steady_now_ns());
        (void)tn_cli__session_until(&pub->session, NULL, NULL, left_ns > 0 ? left_ns : 1);
    }
    return TN_CLI_OK;
}

int tn_cli__topic_pub(const struct tn_cli_call *call)
{
    struct pub pub = {0};
    if (!read_options(call, &pub)) {
        return TN_CLI_USAGE;
    }
    int code = start(call, &pub) ? run(&pub) : TN_CLI_FAILURE;
    tn_cli__session_close(&pub.session);
    tn_cli__message_destroy(&pub.message);
    return code;
}
