// SPDX-License-Identifier: Apache-2.0
// `tendon demo`: starts the whole path, arms it, shows it, and judges what it did
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/cli__command.h"
#include "cli/cli__demo.h"

static const int64_t active_limit_ns = 10 * TN_NS_PER_S;
static const int64_t step_ns = 20 * TN_NS_PER_MS;

struct demo {
    struct tn_demo_options options;
    struct tn_demo_paths paths;
    struct tn_loop *loop;
    struct tn_demo_graph graph;
    struct tn_demo_trace trace;
    struct tn_demo_children children;
    int64_t started_ns, counting_ns, shown_ns, measured_ns;
    struct tn_loop_timer timer;
    bool was_late; // not ACTIVE in time
    FILE *report;  // NULL: none
    int domain_fd; // the claim on the domain; -1: none
    int folder_fd; // the claim on the folder; -1: none
};

static bool is_tty_view(const struct demo *demo)
{
    return !demo->options.is_plain;
}

// two demos on one domain would move each other's hands. The name lives in the network namespace,
// as the topics do, and goes with the process.
static enum tn_result claim_domain(struct demo *demo, struct tn_error *err)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const char *domain = getenv("ROS_DOMAIN_ID");
    // the first byte stays 0: no file
    (void)snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "tendon-demo-%s",
                   domain != NULL && domain[0] != '\0' ? domain : "0");
    demo->domain_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (demo->domain_fd >= 0 &&
        bind(demo->domain_fd, (const struct sockaddr *)&name, sizeof name) == 0) {
        return TN_OK;
    }
    if (errno == EADDRINUSE) {
        return tn_error_set(err, TN_ERR_BUSY,
                            "another demo runs on ROS_DOMAIN_ID %s; end it, or give this one a "
                            "ROS_DOMAIN_ID of its own",
                            name.sun_path + 1 + strlen("tendon-demo-"));
    }
    return tn_error_set(err, TN_ERR_IO, "cannot claim the domain: %s", strerror(errno));
}

static enum tn_result make_paths(struct demo *demo, struct tn_error *err)
{
    struct tn_demo_paths *paths = &demo->paths;
    const char *tmp = getenv("TMPDIR");
    if (tmp == NULL || tmp[0] == '\0') {
        tmp = "/tmp";
    }
    const char *parent = demo->options.keep_dir != NULL ? demo->options.keep_dir : tmp;
    if (strlen(parent) + sizeof "/" TN_DEMO_FOLDER > sizeof paths->dir) {
        return tn_error_at(err, TN_ERR_LIMIT, parent, 0, 0, "longer than %d characters",
                           TN_DEMO_PATH_MAX - 24);
    }
    if (demo->options.keep_dir != NULL) {
        (void)snprintf(paths->dir, sizeof paths->dir, "%s", demo->options.keep_dir);
        if (mkdir(paths->dir, 0777) != 0 && errno != EEXIST) {
            return tn_error_set(err, TN_ERR_IO, "cannot make %s: %s", paths->dir, strerror(errno));
        }
    } else {
        tn_demo__sweep_folders(tmp);
        (void)snprintf(paths->dir, sizeof paths->dir, "%s/" TN_DEMO_FOLDER, tmp);
        demo->folder_fd = tn_demo__make_folder(paths->dir);
        if (demo->folder_fd < 0) {
            enum tn_result result = tn_error_at(
                err, TN_ERR_IO, paths->dir, 0, 0,
                "cannot make a folder like this: %s; is TMPDIR right?", strerror(errno));
            paths->dir[0] = '\0';
            return result;
        }
    }
    char(*const files[TN_DEMO_FILES])[TN_DEMO_PATH_MAX + 32] = {
        [TN_DEMO_TRACE] = &paths->trace,
        [TN_DEMO_SEND_LOG] = &paths->send_log,
        [TN_DEMO_LEFT_LOG] = &paths->execution_log[0],
        [TN_DEMO_RIGHT_LOG] = &paths->execution_log[1],
        [TN_DEMO_CHILDREN_LOG] = &paths->children_log,
    };
    for (size_t i = 0; i < TN_DEMO_FILES; i++) {
        (void)snprintf(*files[i], sizeof *files[i], "%s/%.24s", paths->dir, tn_demo__file_names[i]);
    }
    const char *const old[] = {paths->trace, paths->send_log, paths->execution_log[0],
                               paths->execution_log[1]};
    for (size_t i = 0; i < TN_ARRAY_SIZE(old); i++) {
        (void)unlink(old[i]);
    }
    return TN_OK;
}

static void remove_paths(const struct demo *demo)
{
    const struct tn_demo_paths *paths = &demo->paths;
    if (demo->options.keep_dir != NULL || paths->dir[0] == '\0') {
        return;
    }
    (void)unlink(paths->trace);
    (void)unlink(paths->send_log);
    (void)unlink(paths->execution_log[0]);
    (void)unlink(paths->execution_log[1]);
    (void)unlink(paths->children_log);
    (void)rmdir(paths->dir);
}

static void close_claims(struct demo *demo)
{
    if (demo->report != NULL && demo->report != stdout) {
        (void)fclose(demo->report);
    }
    if (demo->domain_fd >= 0) {
        (void)close(demo->domain_fd);
    }
    if (demo->folder_fd >= 0) {
        (void)close(demo->folder_fd);
    }
}

static void begin_counting(struct demo *demo, int64_t now_steady_ns)
{
    demo->counting_ns = now_steady_ns;
    demo->trace.counting_from_steady_ns = now_steady_ns;
    demo->graph.is_counting = true;
}

static bool is_over(const struct demo *demo, int64_t now_steady_ns)
{
    return demo->counting_ns != 0 && demo->options.seconds_s > 0.0 &&
           now_steady_ns - demo->counting_ns >= tn_seconds_to_ns(demo->options.seconds_s);
}

static void on_step(void *context)
{
    struct demo *demo = context;
    int64_t now = tn_clock_steady_now_ns();
    tn_demo__trace_read(&demo->trace);
    bool is_active = tn_demo__graph_arm(&demo->graph);
    if (demo->counting_ns == 0 && is_active) {
        begin_counting(demo, now);
    }
    if (demo->counting_ns == 0 && now - demo->started_ns > active_limit_ns &&
        demo->options.seconds_s > 0.0) {
        demo->was_late = true;
    }
    int64_t view_period = demo->options.is_plain ? TN_NS_PER_S : TN_NS_PER_S / 10;
    if (now - demo->shown_ns >= view_period) {
        demo->shown_ns = now;
        tn_demo__view(&demo->options, &demo->graph, &demo->trace, &demo->children, now);
    }
    if (now - demo->measured_ns >= TN_NS_PER_S) {
        demo->measured_ns = now;
        tn_demo__children_measure(&demo->children);
    }
    // nobody reads any more: a closed pipe or terminal
    bool is_unseen = ferror(demo->options.lines) != 0;
    if (demo->was_late || demo->children.dead != NULL || is_unseen || is_over(demo, now)) {
        tn_loop_quit(demo->loop);
    }
}

static enum tn_result start(struct demo *demo, struct tn_error *err)
{
    enum tn_result result = claim_domain(demo, err);
    if (result == TN_OK && demo->options.report_path != NULL) {
        result = tn_demo__report_open(demo->options.report_path, &demo->report, err);
    }
    if (result == TN_OK) {
        result = make_paths(demo, err);
    }
    // none of what may reach beyond this machine
    if (result == TN_OK && !demo->options.is_shared) {
        (void)setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
        (void)unsetenv("ROS_LOCALHOST_ONLY");
        (void)unsetenv("ROS_STATIC_PEERS");
    }
    if (result == TN_OK) {
        result = tn_trace_create(demo->paths.trace, 1u << 16, &demo->trace.ring, err);
    }
    if (result == TN_OK) {
        result = tn_loop_create(tn_clock_system(), &demo->loop, err);
    }
    if (result == TN_OK) {
        result = tn_loop_handle_signals(demo->loop);
    }
    if (result == TN_OK && (is_tty_view(demo) || demo->options.keep_dir != NULL)) {
        demo->children.is_shown = !is_tty_view(demo);
        demo->children.logs = fopen(demo->paths.children_log, "we");
        if (demo->children.logs == NULL) {
            result = tn_error_at(err, TN_ERR_IO, demo->paths.children_log, 0, 0,
                                 "cannot write the programs' output: %s", strerror(errno));
        }
    }
    if (result == TN_OK) {
        result =
            tn_demo__children_start(demo->loop, &demo->options, &demo->paths, &demo->children, err);
    }
    if (result == TN_OK) {
        result = tn_demo__graph_create(demo->loop, &demo->graph, err);
    }
    return result;
}

static void stop(struct demo *demo)
{
    if (demo->loop != NULL) {
        tn_loop_timer_stop(&demo->timer);
        tn_demo__children_measure(&demo->children);
        tn_demo__children_stop(demo->loop, &demo->children);
    }
    if (demo->trace.ring != NULL) {
        tn_demo__trace_read(&demo->trace);
    }
    tn_demo__graph_destroy(&demo->graph);
    if (demo->children.logs != NULL) {
        (void)fclose(demo->children.logs);
        demo->children.logs = NULL;
    }
}

// a person who ends it by hand is not told that too little moved
static int verdict_exit(const struct tn_demo_verdict *verdict, bool is_motion_judged)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        bool has_moved = verdict->moved[i] || !is_motion_judged;
        if (!has_moved || verdict->stale[i] + verdict->repeated[i] + verdict->unmatched[i] > 0) {
            return TN_CLI_NOT_CLEAN;
        }
    }
    return TN_CLI_OK;
}

static void print_verdict(const struct demo *demo, const struct tn_demo_verdict *verdict)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        const struct tn_demo_hand_trace *hand = &demo->trace.hands[i];
        (void)fprintf(stderr,
                      "%s hand: %llu frames, %llu commands accepted, %llu executed, %llu stale, "
                      "%llu repeated, %llu of no datagram, moved: %s, glove to command p50 %.2f "
                      "ms, p99 %.2f ms\n",
                      i == 0 ? "left" : "right", (unsigned long long)hand->frames,
                      (unsigned long long)hand->commands, (unsigned long long)verdict->executed[i],
                      (unsigned long long)verdict->stale[i],
                      (unsigned long long)verdict->repeated[i],
                      (unsigned long long)verdict->unmatched[i], verdict->moved[i] ? "yes" : "no",
                      (double)tn_histogram_quantile_ns(&hand->latency, 0.5) * 1e-6,
                      (double)tn_histogram_quantile_ns(&hand->latency, 0.99) * 1e-6);
    }
}

static int explain_dead_child(const struct demo *demo)
{
    struct tn_process_exit status = demo->children.dead_status;
    (void)fprintf(stderr, "tendon demo: %s ended by itself (%s %d)", demo->children.dead,
                  status.exit_code >= 0 ? "exit status" : "signal",
                  status.exit_code >= 0 ? status.exit_code : status.signal_number);
    const char *words = demo->children.dead_words;
    (void)fprintf(stderr, "%s%s\n", words[0] != '\0' ? "; its last words: " : "", words);
    return TN_CLI_CHILD_DIED;
}

static int fail(const struct tn_error *err)
{
    char text[1024];
    (void)fprintf(stderr, "tendon demo: %s\n", tn_error_format(err, text, sizeof text));
    return TN_CLI_FAILURE;
}

static int conclude(struct demo *demo)
{
    struct tn_demo_verdict verdict = {0};
    struct tn_error err = {0};
    if (demo->children.dead != NULL) {
        return explain_dead_child(demo);
    }
    if (demo->was_late) {
        (void)fprintf(stderr,
                      "tendon demo: the hands were not ACTIVE within 10 s (left %s, right %s); "
                      "--plain shows what the programs say\n",
                      tn_demo__state_name(demo->graph.hands[0].state),
                      tn_demo__state_name(demo->graph.hands[1].state));
        return TN_CLI_NOT_ACTIVE;
    }
    if (demo->counting_ns == 0) {
        (void)fprintf(stderr, "tendon demo: ended before the hands were ACTIVE\n");
        return demo->options.seconds_s > 0.0 ? TN_CLI_NOT_ACTIVE : TN_CLI_OK;
    }
    double counted_s = tn_ns_to_seconds(tn_clock_steady_now_ns() - demo->counting_ns);
    enum tn_result result = tn_demo__judge(&demo->paths, &demo->graph, &verdict, &err);
    if (result == TN_OK) {
        print_verdict(demo, &verdict);
    }
    if (result == TN_OK && demo->report != NULL) {
        result = tn_demo__report(demo->report, demo->options.report_path, &verdict, &demo->trace,
                                 &demo->children, counted_s, &err);
    }
    if (result != TN_OK) {
        return fail(&err);
    }
    return verdict_exit(&verdict, demo->options.seconds_s > 0.0);
}

static int run(struct demo *demo)
{
    struct tn_error err = {0};
    if (start(demo, &err) != TN_OK) {
        stop(demo);
        return fail(&err);
    }
    demo->started_ns = tn_clock_steady_now_ns();
    if (is_tty_view(demo)) {
        (void)printf("\033[2J\033[?25l");
    }
    tn_loop_timer_start(demo->loop, &demo->timer, step_ns, step_ns, on_step, demo);
    (void)tn_loop_run(demo->loop);
    if (is_tty_view(demo)) {
        (void)printf("\033[?25h\n");
        (void)fflush(stdout);
    }
    stop(demo);
    return conclude(demo);
}

int tn_cli_demo(int argc, char **argv)
{
    int code = TN_CLI_FAILURE;
    struct demo *demo = calloc(1, sizeof *demo);
    if (demo == NULL) {
        (void)fprintf(stderr, "tendon demo: no memory\n");
        return code;
    }
    demo->domain_fd = demo->folder_fd = -1;
    if (tn_demo__parse(argc, argv, &demo->options, &code)) {
        code = run(demo);
        tn_trace_close(&demo->trace.ring);
        tn_loop_destroy(&demo->loop);
        remove_paths(demo);
        close_claims(demo);
    }
    free(demo);
    return code;
}
