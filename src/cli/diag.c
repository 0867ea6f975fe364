// SPDX-License-Identifier: Apache-2.0
// tendon diag: who says what on /diagnostics
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli__command.h"
#include "cli/cli__diag.h"
#include "cli/cli__graph.h"
#include "cli/cli__session.h"

// statuses that are kept
#define ITEMS_MAX 512
// long enough to find publishers that report once a second
#define LISTEN_S 3.0
// how often the live view is drawn
#define DRAW_NS (TN_NS_PER_S / 2)
// messages that may wait; each look takes all of them
#define DEPTH 100
// decoded keys of one message; larger messages are counted and dropped
#define ARENA_BYTES (1u << 20)

struct diag {
    const struct tn_cli_call *call;
    struct tn_cli_session session;
    struct tn_ros_subscription *subscription;
    struct tn_cli_diag_page page;
    bool is_live, is_json, is_terminal;
    int64_t next_draw_steady_ns;
    bool is_out_of_memory;
    // what was last told of each item, in the mode of lines
    struct told {
        uint64_t key;
        enum tn_diag_level level;
    } told[2 * ITEMS_MAX];
};

// ---- what comes ----

static uint64_t hash(uint64_t seed, const char *text)
{
    for (; *text != '\0'; text++) {
        seed = (seed ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return seed;
}

// whether level or message are not those last told
static bool is_news(struct diag *diag, const struct tn_diag_view_item *item)
{
    enum tn_diag_level level = tn_diag_view_level(diag->page.view, item, diag->page.now_steady_ns);
    uint64_t name = hash(UINT64_C(14695981039346656037), item->name) + item->writer;
    struct told *told = &diag->told[name % TN_ARRAY_SIZE(diag->told)];
    uint64_t key = hash(name, item->message) | 1u;
    bool is_known = told->key == key && told->level == level;
    told->key = key;
    told->level = level;
    return !is_known;
}

static void take(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct diag *diag = context;
    tn_diag_view_take(diag->page.view, message, &info->writer, info->delivered_steady_ns);
}

// ---- drawing ----

static void measure_terminal(struct diag *diag)
{
    struct winsize size;
    diag->page.width = 80;
    diag->page.height = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        diag->page.width = size.ws_col;
        diag->page.height = size.ws_row;
    }
}

static void print_changes(struct diag *diag)
{
    const struct tn_diag_view_item *const *items = NULL;
    uint32_t n = tn_diag_view_list(diag->page.view, diag->page.now_steady_ns, &items);
    for (uint32_t i = 0; i < n; i++) {
        if (tn_cli__diag_is_watched(&diag->page, items[i]) && is_news(diag, items[i])) {
            tn_cli__diag_print_change(&diag->page, items[i], tn_clock_wall_now_ns());
        }
    }
}

static void draw(struct diag *diag)
{
    diag->page.now_steady_ns = tn_clock_steady_now_ns();
    diag->page.n_undecodable = tn_ros_subscription_rejected(diag->subscription);
    if (diag->is_json) {
        diag->is_out_of_memory = !tn_cli__diag_print_json(&diag->page);
    } else if (diag->is_live && !diag->is_terminal) {
        print_changes(diag);
    } else if (diag->is_live) {
        measure_terminal(diag);
        (void)fputs("\033[H", stdout);
        tn_cli__diag_print(&diag->page);
        (void)fputs("\033[J", stdout);
    } else {
        tn_cli__diag_print(&diag->page);
    }
    (void)fflush(stdout);
}

static bool live_tick(void *context)
{
    struct diag *diag = context;
    int64_t now = tn_clock_steady_now_ns();
    if (now >= diag->next_draw_steady_ns) {
        diag->next_draw_steady_ns = tn_ns_add(now, DRAW_NS);
        draw(diag);
    }
    return diag->is_out_of_memory;
}

// ---- once ----

// the one that is waited for was heard; where there may be more everybody shall have had their say
static bool has_heard(void *context)
{
    struct diag *diag = context;
    const struct tn_diag_view_item *const *items = NULL;
    uint32_t n = 0;
    if (diag->page.watched != NULL) {
        n = tn_diag_view_list(diag->page.view, tn_clock_steady_now_ns(), &items);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(items[i]->name, diag->page.watched) == 0) {
            return true;
        }
    }
    return false;
}

static int run_once(struct diag *diag, double listen_s)
{
    uint32_t n = 0;
    (void)tn_cli__session_until(&diag->session, has_heard, diag,
                                1 + (int64_t)(listen_s * (double)TN_NS_PER_S));
    diag->page.now_steady_ns = tn_clock_steady_now_ns();
    diag->page.n_undecodable = tn_ros_subscription_rejected(diag->subscription);
    enum tn_diag_level level = tn_cli__diag_level(&diag->page, &n);
    if (n > 0 || diag->is_json) {
        draw(diag);
    }
    if (n == 0) {
        tn_cli__complain(diag->call, "nobody said anything%s%s on %s for %.1f s",
                         diag->page.watched != NULL ? " of " : "",
                         diag->page.watched != NULL ? diag->page.watched : "",
                         tn_cli__has(diag->call, "agg") ? "/diagnostics_agg" : "/diagnostics",
                         listen_s);
        return TN_CLI_FAILURE;
    }
    return level == TN_DIAG_OK ? TN_CLI_OK : TN_CLI_DIAG_LEVEL_BASE + (int)level;
}

// ---- life ----

static bool listen(struct diag *diag, double timeout_s)
{
    bool is_agg = tn_cli__has(diag->call, "agg");
    struct tn_error err = {0};
    const struct tn_diag_view_options options = {
        .max_items = ITEMS_MAX,
        .timeout_ns = (int64_t)(timeout_s * (double)TN_NS_PER_S),
        .is_tree = is_agg,
        .contains = diag->page.watched,
    };
    enum tn_result result = tn_diag_view_create(&options, &diag->page.view, &err);
    if (result == TN_OK) {
        result = tn_ros_subscription_create(
            diag->session.node, &diagnostic_msgs_msg_DiagnosticArray_type,
            is_agg ? "/diagnostics_agg" : "/diagnostics", tn_ros_qos_default(DEPTH), take, diag,
            &diag->subscription, &err);
    }
    if (result != TN_OK) {
        tn_cli__complain(diag->call, "%s", err.text);
    }
    return result == TN_OK;
}

static bool wants_colours(void)
{
    const char *term = getenv("TERM");
    const char *none = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) == 1 && (none == NULL || none[0] == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

static int run(const struct tn_cli_call *call)
{
    double timeout_s = tn_ns_to_seconds(TN_DIAG_VIEW_TIMEOUT_NS), listen_s = LISTEN_S;
    if (!tn_cli__option_f64(call, "timeout", 0.1, 86400.0, &timeout_s) ||
        !tn_cli__option_f64(call, "spin-time", 0.0, 3600.0, &listen_s)) {
        return TN_CLI_USAGE;
    }
    struct diag *diag = calloc(1, sizeof *diag);
    int code = TN_CLI_FAILURE;
    if (diag == NULL) {
        tn_cli__complain(call, "not enough memory");
        return code;
    }
    diag->call = call;
    diag->is_live = !tn_cli__has(call, "once");
    diag->is_json = tn_cli__has(call, "json");
    diag->is_terminal = isatty(STDOUT_FILENO) == 1;
    diag->page.watched = tn_cli__option(call, "watch");
    diag->page.has_colours = wants_colours();
    diag->page.to = stdout;
    if (tn_cli__session_open_with(call, ARENA_BYTES, &diag->session) && listen(diag, timeout_s)) {
        bool is_drawn = diag->is_live && diag->is_terminal && !diag->is_json;
        (void)fputs(is_drawn ? "\033[2J" : "", stdout);
        if (diag->is_live) {
            (void)tn_cli__session_until(&diag->session, live_tick, diag, 0);
            code = TN_CLI_OK;
        } else {
            code = run_once(diag, listen_s);
        }
    }
    if (diag->is_out_of_memory) {
        tn_cli__complain(call, "not enough memory to print");
        code = TN_CLI_FAILURE;
    }
    tn_cli__session_close(&diag->session);
    tn_diag_view_destroy(&diag->page.view);
    free(diag);
    return code;
}

static const struct tn_cli_option options[] = {
    {"once", 0, NULL, "print the table once; the exit code is 0, or 10 + the level: 11 WARN, ..."},
    {"json", 0, NULL, "print JSON, one line per look"},
    {"watch", 'w', "NAME", "keys and values of the statuses whose names contain NAME"},
    {"agg", 0, NULL, "read /diagnostics_agg of a diagnostic_aggregator instead"},
    {"timeout", 0, "SECONDS", "silence after which a status is STALE (5.0)"},
    {"spin-time", 0, "SECONDS", "how long --once listens (3.0)"},
};

const struct tn_cli_verb tn_cli__diag_verb = {
    .command = "diag",
    .name = "",
    .arguments = "",
    .text =
        "Shows who says what on /diagnostics, grouped by node. Without a terminal, what changes.\n"
        "Exit code of --once: 0 all OK, 11 WARN (or some found no room), 12 ERROR (or some are\n"
        "STALE), 13 all STALE, 1 nobody said anything, 2 wrong arguments.",
    .options = options,
    .n_options = TN_ARRAY_SIZE(options),
    .run = run,
};

int tn_cli_diag(int argc, char **argv)
{
    return tn_cli__run_command(&tn_cli__diag_verb, argc, argv);
}
