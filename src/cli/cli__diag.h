// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: `tendon diag` and how it shows what it heard
#ifndef TN_CLI_CLI__DIAG_H
#define TN_CLI_CLI__DIAG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/cli__verb.h"
#include "ros/diagnostics_view.h"

// exit code of `tendon diag --once`: this and the level, unless all is OK
#define TN_CLI_DIAG_LEVEL_BASE 10

extern const struct tn_cli_verb tn_cli__diag_verb;

int tn_cli_diag(int argc, char **argv);

// what is shown, and to whom
struct tn_cli_diag_page {
    struct tn_diag_view *view;
    const char *watched; // NULL: all; else names that are this, or contain it
    int64_t now_steady_ns;
    uint64_t n_undecodable;
    bool has_colours;
    uint32_t width, height; // of the terminal; 0: no limit
    FILE *to;
};

// whether an item is among what is watched
bool tn_cli__diag_is_watched(const struct tn_cli_diag_page *page,
                             const struct tn_diag_view_item *item);
// the level of all that is watched, WARN at least when something was left out; *out_n: how many
enum tn_diag_level tn_cli__diag_level(const struct tn_cli_diag_page *page, uint32_t *out_n);
// the table, or the details of what is watched
void tn_cli__diag_print(const struct tn_cli_diag_page *page);
// one line of JSON; false: no memory
bool tn_cli__diag_print_json(const struct tn_cli_diag_page *page);
// one status as a line with the time of day
void tn_cli__diag_print_change(const struct tn_cli_diag_page *page,
                               const struct tn_diag_view_item *item, int64_t wall_ns);

#endif
