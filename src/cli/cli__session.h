// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: a short-lived node through which a command looks at the graph
#ifndef TN_CLI_CLI__SESSION_H
#define TN_CLI_CLI__SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/cli__verb.h"
#include "ros/graph.h"
#include "ros/node.h"

// how long the graph is watched before a list is printed, unless --spin-time says otherwise
#define TN_CLI_SPIN_TIME_S 1.0

struct tn_cli_session {
    const struct tn_cli_call *call;
    struct tn_loop *loop;
    struct tn_ros_context *context;
    struct tn_ros_node *node;
};

// joins the graph as a hidden node; false: told on stderr why not
bool tn_cli__session_open(const struct tn_cli_call *call, struct tn_cli_session *out);
// with room for the sequences of large messages; 0: the usual
bool tn_cli__session_open_with(const struct tn_cli_call *call, uint32_t arena_bytes,
                               struct tn_cli_session *out);
void tn_cli__session_close(struct tn_cli_session *session);

// watches the graph for the spin time; false: interrupted, or --spin-time is wrong (told)
bool tn_cli__session_watch(struct tn_cli_session *session);

// runs the loop until the condition holds, SIGINT, or `timeout_ns` (0: none) is over; returns
// whether the condition holds
bool tn_cli__session_until(struct tn_cli_session *session, bool (*condition)(void *context),
                           void *context, int64_t timeout_ns);
// SIGINT or SIGTERM came
bool tn_cli__session_is_over(const struct tn_cli_session *session);

#define TN_CLI_SPIN_OPTION                                                                         \
    {                                                                                              \
        "spin-time", 0, "SECONDS", "how long to look for others (1.0)"                             \
    }

#endif
