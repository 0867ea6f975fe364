// SPDX-License-Identifier: Apache-2.0
// the verdict (by the oracle, a program of its own) and the report
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "cli/cli__demo.h"

// a joint counts as moved when it spanned so much of its range
static const double moved_percent = 50.0;

struct oracle_run {
    bool has_ended;
    char text[8192];
    uint32_t size;
};

static void on_line(void *context, struct tn_process *process, const char *line, uint32_t size,
                    bool is_stderr)
{
    struct oracle_run *run = context;
    if (is_stderr) {
        (void)fprintf(stderr, "[%s] %.*s\n", tn_process_name(process), (int)size, line);
    } else if (run->size + size < sizeof run->text) {
        memcpy(run->text + run->size, line, size);
        run->size += size;
    }
}

static void on_exit(void *context, struct tn_process *process, struct tn_process_exit status)
{
    (void)process;
    (void)status;
    ((struct oracle_run *)context)->has_ended = true;
}

static enum tn_result run_oracle(const struct tn_demo_paths *paths, struct oracle_run *run,
                                 struct tn_error *err)
{
    char prefix[TN_DEMO_PATH_MAX], program[TN_DEMO_PATH_MAX + 32];
    struct tn_loop *loop = NULL;
    struct tn_process *process = NULL;
    enum tn_result result = tn_process_prefix(prefix, sizeof prefix);
    (void)snprintf(program, sizeof program, "%s/lib/tendon/tendon_oracle", prefix);
    const char *const argv[] = {program, paths->send_log, paths->execution_log[0],
                                paths->execution_log[1], NULL};
    struct tn_process_options options = {
        .name = "oracle", .argv = argv, .on_exit = on_exit, .on_line = on_line, .context = run};
    if (result == TN_OK) {
        result = tn_loop_create(tn_clock_system(), &loop, err);
    }
    if (result == TN_OK) {
        result = tn_process_start(loop, &options, &process, err);
    }
    int64_t end = tn_clock_steady_now_ns() + 30 * TN_NS_PER_S;
    while (result == TN_OK && !run->has_ended && tn_clock_steady_now_ns() < end) {
        (void)tn_loop_run_once(loop, 50 * TN_NS_PER_MS);
    }
    tn_process_destroy(&process);
    tn_loop_destroy(&loop);
    if (result == TN_OK && !run->has_ended) {
        result = tn_error_set(err, TN_ERR_TIMEOUT, "the oracle did not end within 30 s");
    }
    return result;
}

static bool read_side(const json_t *root, unsigned index, struct tn_demo_verdict *out)
{
    const json_t *side = json_object_get(root, index == 0 ? "left" : "right");
    const json_t *executed = json_object_get(side, "executed");
    const json_t *stale = json_object_get(side, "stale");
    const json_t *repeated = json_object_get(side, "repeated");
    const json_t *unmatched = json_object_get(side, "unmatched");
    if (!json_is_integer(executed) || !json_is_integer(stale) || !json_is_integer(repeated) ||
        !json_is_integer(unmatched)) {
        return false;
    }
    out->executed[index] = (uint64_t)json_integer_value(executed);
    out->stale[index] = (uint64_t)json_integer_value(stale);
    out->repeated[index] = (uint64_t)json_integer_value(repeated);
    out->unmatched[index] = (uint64_t)json_integer_value(unmatched);
    return true;
}

static bool has_moved(const struct tn_demo_hand *hand)
{
    for (unsigned j = 0; j < TN_DEMO_JOINTS; j++) {
        if (!hand->has_span || hand->highest[j] - hand->lowest[j] < moved_percent) {
            return false;
        }
    }
    return true;
}

enum tn_result tn_demo__judge(const struct tn_demo_paths *paths, const struct tn_demo_graph *graph,
                              struct tn_demo_verdict *out, struct tn_error *err)
{
    struct oracle_run run = {0};
    enum tn_result result = run_oracle(paths, &run, err);
    for (unsigned i = 0; i < TN_SIDES; i++) {
        out->moved[i] = has_moved(&graph->hands[i]);
    }
    if (result != TN_OK) {
        return result;
    }
    json_t *root = json_loadb(run.text, run.size, 0, NULL);
    out->has_oracle = root != NULL && read_side(root, 0, out) && read_side(root, 1, out);
    json_decref(root);
    return out->has_oracle ? TN_OK
                           : tn_error_set(err, TN_ERR_MALFORMED,
                                          "the oracle gave no verdict; its output: %.120s",
                                          run.size > 0 ? run.text : "(none)");
}

static double us(int64_t ns)
{
    return (double)(ns / 100) / 10.0;
}

static json_t *quantiles(const struct tn_histogram *histogram)
{
    return json_pack("{s:f,s:f,s:f}", "p50", us(tn_histogram_quantile_ns(histogram, 0.5)), "p99",
                     us(tn_histogram_quantile_ns(histogram, 0.99)), "max", us(histogram->max_ns));
}

static json_t *stages(const struct tn_demo_hand_trace *hand)
{
    json_t *object = json_object();
    for (unsigned s = TN_TRACE_DRIVER; s < TN_TRACE_STAGES; s++) {
        (void)json_object_set_new(object, tn_trace_stage_name((enum tn_trace_stage)s),
                                  quantiles(&hand->stages[s]));
    }
    return object;
}

static json_t *hand_report(const struct tn_demo_verdict *verdict, const struct tn_demo_trace *trace,
                           unsigned index)
{
    const struct tn_demo_hand_trace *hand = &trace->hands[index];
    uint64_t lost = hand->sent > hand->received ? hand->sent - hand->received : 0;
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:b,s:o,s:o}", "frames", (json_int_t)hand->frames,
                     "lost", (json_int_t)lost, "commands", (json_int_t)hand->commands, "executed",
                     (json_int_t)hand->executed, "stale_commands",
                     (json_int_t)verdict->stale[index], "repeated_commands",
                     (json_int_t)verdict->repeated[index], "moved", (int)verdict->moved[index],
                     "latency_us", quantiles(&hand->latency), "stages", stages(hand));
}

enum tn_result tn_demo__report_open(const char *path, FILE **out_file, struct tn_error *err)
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
    if (file == NULL) {
        return tn_error_at(err, TN_ERR_IO, path, 0, 0,
                           "cannot write the report: %s; does the folder exist and may it be "
                           "written?",
                           strerror(errno));
    }
    *out_file = file;
    return TN_OK;
}

enum tn_result tn_demo__report(FILE *file, const char *name, const struct tn_demo_verdict *verdict,
                               const struct tn_demo_trace *trace,
                               const struct tn_demo_children *children, double counted_s,
                               struct tn_error *err)
{
    json_t *rss = json_object();
    for (unsigned i = 0; i < TN_DEMO_CHILDREN; i++) {
        if (children->names[i] != NULL) {
            (void)json_object_set_new(rss, children->names[i],
                                      json_integer((json_int_t)children->rss_kib[i]));
        }
    }
    json_t *root = json_pack("{s:f,s:{s:o,s:o},s:o}", "seconds", counted_s, "hands", "left",
                             hand_report(verdict, trace, 0), "right",
                             hand_report(verdict, trace, 1), "rss_kib", rss);
    if (root == NULL) {
        return tn_error_set(err, TN_ERR_NO_MEMORY, "report: no memory");
    }
    size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(9);
    bool is_written =
        json_dumpf(root, file, flags) == 0 && fputc('\n', file) != EOF && fflush(file) == 0;
    json_decref(root);
    return is_written ? TN_OK
                      : tn_error_at(err, TN_ERR_IO, name, 0, 0, "cannot write the report: %s",
                                    strerror(errno));
}
