// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: the verbs of `tendon action` and `tendon service` that talk to a
// server
#ifndef TN_CLI_CLI__ACTION_H
#define TN_CLI_CLI__ACTION_H

#include "cli/cli__verb.h"

int tn_cli__action_send_goal(const struct tn_cli_call *call);
int tn_cli__service_call(const struct tn_cli_call *call);

#endif
