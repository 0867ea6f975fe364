// SPDX-License-Identifier: Apache-2.0
#include "wire/ros/harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void harness_open(struct harness *h)
{
    static const char *const argv[] = {"tester", NULL};
    harness_open_with(h, 1, argv);
}

void harness_open_with(struct harness *h, int argc, const char *const *argv)
{
    struct tn_error err = {0};
    memset(h, 0, sizeof *h);
    if (tn_loop_create(tn_clock_system(), &h->loop, &err) != TN_OK ||
        tn_ros_context_create(h->loop, argc, argv, &h->context, &err) != TN_OK)
        fail_msg("%s", err.text);
    struct tn_ros_node_options options = {.name = "tester", .ns = "/test"};
    if (tn_ros_node_create(h->context, &options, &h->node, &err) != TN_OK)
        fail_msg("%s", err.text);
}

void harness_close(struct harness *h)
{
    tn_ros_node_destroy(&h->node);
    tn_ros_context_destroy(&h->context);
    tn_loop_destroy(&h->loop);
}

static void on_line(void *context, struct tn_process *process, const char *line, uint32_t size,
                    bool is_stderr)
{
    struct peer *peer = context;
    (void)process;
    if (is_stderr)
        print_message("peer: %.*s\n", (int)size, line);
    else if (peer->n_lines < HARNESS_LINES_MAX)
        (void)snprintf(peer->lines[peer->n_lines++], HARNESS_LINE_MAX, "%.*s", (int)size, line);
}

void peer_start(struct harness *h, struct peer *peer, const char *const *argv)
{
    struct tn_error err = {0};
    memset(peer, 0, sizeof *peer);
    peer->lines = calloc(HARNESS_LINES_MAX, HARNESS_LINE_MAX);
    assert_non_null(peer->lines);
    struct tn_process_options options = {
        .name = argv[0], .argv = argv, .on_line = on_line, .context = peer};
    if (tn_process_start(h->loop, &options, &peer->process, &err) != TN_OK)
        fail_msg("%s", err.text);
    harness_wait_lines(h, peer, "ready", 1);
}

void peer_stop(struct peer *peer)
{
    tn_process_destroy(&peer->process);
    free(peer->lines);
    peer->lines = NULL;
}

const char *peer_find(const struct peer *peer, uint32_t from, const char *prefix)
{
    for (uint32_t i = from; i < peer->n_lines; i++)
        if (strncmp(peer->lines[i], prefix, strlen(prefix)) == 0)
            return peer->lines[i];
    return NULL;
}

uint32_t peer_count(const struct peer *peer, const char *prefix)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < peer->n_lines; i++)
        n += strncmp(peer->lines[i], prefix, strlen(prefix)) == 0;
    return n;
}

void harness_wait(struct harness *h, harness_condition_fn condition, void *context,
                  const char *what)
{
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    while (!condition(context)) {
        (void)tn_loop_run_once(h->loop, 10 * TN_NS_PER_MS);
        if (tn_clock_steady_now_ns() > deadline_ns)
            fail_msg("this never happened: %s", what);
    }
}

struct lines {
    struct peer *peer;
    const char *prefix;
    uint32_t n;
};

static bool has_lines(void *context)
{
    struct lines *lines = context;
    return peer_count(lines->peer, lines->prefix) >= lines->n;
}

void harness_wait_lines(struct harness *h, struct peer *peer, const char *prefix, uint32_t n)
{
    struct lines lines = {peer, prefix, n};
    char what[128];
    (void)snprintf(what, sizeof what, "%u lines \"%s\" from %s", n, prefix,
                   tn_process_name(peer->process));
    harness_wait(h, has_lines, &lines, what);
}

void harness_run(struct harness *h, int64_t duration_ns)
{
    int64_t end_ns = tn_clock_steady_now_ns() + duration_ns;
    while (tn_clock_steady_now_ns() < end_ns)
        (void)tn_loop_run_once(h->loop, 10 * TN_NS_PER_MS);
}
