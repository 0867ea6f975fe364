// SPDX-License-Identifier: Apache-2.0
// disturbs the programs of the path at seeded random moments, then has the logs judged
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/parse.h"
#include "devices/motion/random.h"
#include "support/left_behind.h"
#include "system/path/judge.h"
#include "system/path/logs.h"
#include "system/path/rig.h"

#define MAX_FAULTS 16

// far more than a loaded machine under a sanitizer needs
static const int64_t start_limit_ns = 60 * TN_NS_PER_S;
// of the session, by default
static const int64_t rearm_frames = 12;
// what a run must have to be worth judging
static const uint64_t min_executed = 40;
static const int64_t recovery_limit_ns = 40 * TN_NS_PER_S;

static const char usage[] =
    "usage: test.system.path [--seed N] [--keep] MODE\n"
    "  --program NAME [--stop SECONDS]… [--kill]…   these disturbances, in this order\n"
    "  --random SECONDS                             a seeded mix of all\n"
    "  --freezes                                    every program behind a slow glove for 0.7 s\n"
    "  --gates-off                                  with --freezes: nothing refuses, the oracle "
    "must\n"
    "                                               object\n"
    "NAME: glove driver adapter retargeter left_hand right_hand\n";

struct plan {
    uint64_t seed;
    bool is_kept, is_gates_off, is_freezes;
    double random_s;
    bool has_program;
    enum path_program program;
    unsigned n_faults;
    double fault_s[MAX_FAULTS]; // 0: kill
};

struct test {
    struct plan plan;
    struct path_rig rig;
    struct tn_random random;
    int64_t since_steady_ns;
    unsigned n_long_faults, n_latching_faults;
};

// ---- command line ----

static bool parse_program(const char *text, enum path_program *out)
{
    static const char *const names[PATH_PROGRAMS] = {"glove",      "driver",    "adapter",
                                                     "retargeter", "left_hand", "right_hand"};
    for (unsigned i = 0; i < PATH_PROGRAMS; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (enum path_program)i;
            return true;
        }
    }
    return false;
}

static bool add_fault(struct plan *plan, double seconds_s)
{
    if (plan->n_faults >= MAX_FAULTS) {
        return false;
    }
    plan->fault_s[plan->n_faults++] = seconds_s;
    return true;
}

static bool apply(struct plan *plan, int option)
{
    double seconds_s = 0.0;
    switch (option) {
    case 's':
        return tn_parse_u64(optarg, strlen(optarg), 0, UINT64_MAX, &plan->seed) == TN_OK;
    case 'k':
        plan->is_kept = true;
        return true;
    case 'p':
        plan->has_program = parse_program(optarg, &plan->program);
        return plan->has_program;
    case 't':
        return tn_parse_f64(optarg, strlen(optarg), 0.001, 60.0, &seconds_s) == TN_OK &&
               add_fault(plan, seconds_s);
    case 'x':
        return add_fault(plan, 0.0);
    case 'r':
        return tn_parse_f64(optarg, strlen(optarg), 1.0, 1e5, &plan->random_s) == TN_OK;
    case 'g':
        plan->is_gates_off = true;
        return true;
    case 'f':
        plan->is_freezes = true;
        return true;
    default:
        return false;
    }
}

static bool parse(int argc, char **argv, struct plan *plan)
{
    static const struct option options[] = {{"seed", required_argument, NULL, 's'},
                                            {"keep", no_argument, NULL, 'k'},
                                            {"program", required_argument, NULL, 'p'},
                                            {"stop", required_argument, NULL, 't'},
                                            {"kill", no_argument, NULL, 'x'},
                                            {"random", required_argument, NULL, 'r'},
                                            {"gates-off", no_argument, NULL, 'g'},
                                            {"freezes", no_argument, NULL, 'f'},
                                            {NULL, 0, NULL, 0}};
    int option;
    plan->seed = (uint64_t)tn_clock_wall_now_ns() / 1000 % 1000000;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (!apply(plan, option)) {
            return false;
        }
    }
    return optind == argc &&
           ((plan->has_program && plan->n_faults > 0) || plan->random_s > 0.0 || plan->is_freezes);
}

// ---- disturbing ----

static int64_t random_between_ns(struct test *test, double from_s, double to_s)
{
    return tn_seconds_to_ns(from_s + (to_s - from_s) * tn_random_unit(&test->random));
}

static bool follows(void *context)
{
    const struct test *test = context;
    return path_rig_follows(&test->rig, test->since_steady_ns);
}

static bool wait_until_follows(struct test *test, int64_t limit_ns, const char *what)
{
    test->since_steady_ns = tn_clock_steady_now_ns();
    for (unsigned i = 0; i < TN_SIDES; i++) {
        test->rig.hands[i].arm_after_ns = random_between_ns(test, 0.05, 0.6);
    }
    if (path_rig_run_until(&test->rig, follows, test, limit_ns)) {
        return true;
    }
    (void)fprintf(stderr, "the hands do not follow %s\n", what);
    path_rig_explain(&test->rig);
    return false;
}

static void count_fault(struct test *test, enum path_program program, double seconds_s)
{
    bool is_effector = program == PATH_LEFT_HAND || program == PATH_RIGHT_HAND;
    bool is_kill = !(seconds_s > 0.0);
    test->n_long_faults += is_kill || seconds_s > 0.5;
    test->n_latching_faults += !is_effector && seconds_s > 1.2;
}

// a killed program stays away for a while
static double away_s(struct test *test, double seconds_s)
{
    return seconds_s > 0.0 ? seconds_s : 0.3 + tn_random_unit(&test->random);
}

static bool disturb(struct test *test, enum path_program program, double seconds_s)
{
    struct tn_error err = {0};
    path_rig_begin_fault(&test->rig, program, !(seconds_s > 0.0));
    path_rig_run_for(&test->rig, tn_seconds_to_ns(away_s(test, seconds_s)));
    count_fault(test, program, seconds_s);
    if (path_rig_end_fault(&test->rig, program, &err) != TN_OK) {
        (void)fprintf(stderr, "%s: %s\n", path_program_name(program), err.text);
        return false;
    }
    return true;
}

static bool run_list(struct test *test)
{
    const struct plan *plan = &test->plan;
    for (unsigned i = 0; i < plan->n_faults; i++) {
        char what[96];
        (void)snprintf(what, sizeof what, "after %s was %s for %.2f s",
                       path_program_name(plan->program),
                       plan->fault_s[i] > 0.0 ? "stopped" : "killed", plan->fault_s[i]);
        path_rig_run_for(&test->rig, random_between_ns(test, 0.0, 1.0));
        if (!disturb(test, plan->program, plan->fault_s[i]) ||
            !wait_until_follows(test, recovery_limit_ns, what)) {
            return false;
        }
    }
    return true;
}

static enum path_program random_program(struct test *test)
{
    return (enum path_program)(tn_random_u32(&test->random) % PATH_PROGRAMS);
}

static double random_fault_s(struct test *test)
{
    static const double durations_s[] = {0.05, 0.15, 0.3, 0.7, 1.5, 3.0, 0.0, 0.0};
    return durations_s[tn_random_u32(&test->random) % TN_ARRAY_SIZE(durations_s)];
}

// two at once: the second begins during the first
static bool disturb_two(struct test *test)
{
    struct tn_error err = {0};
    enum path_program first = random_program(test);
    enum path_program second = (enum path_program)(
        (first + 1 + tn_random_u32(&test->random) % (PATH_PROGRAMS - 1)) % PATH_PROGRAMS);
    double first_s = random_fault_s(test);
    path_rig_begin_fault(&test->rig, first, !(first_s > 0.0));
    path_rig_run_for(&test->rig, random_between_ns(test, 0.0, 0.5));
    bool is_ok = disturb(test, second, random_fault_s(test));
    path_rig_run_for(&test->rig, tn_seconds_to_ns(away_s(test, first_s) / 2.0));
    if (is_ok && path_rig_end_fault(&test->rig, first, &err) != TN_OK) {
        (void)fprintf(stderr, "%s: %s\n", path_program_name(first), err.text);
        return false;
    }
    return is_ok;
}

static bool run_random(struct test *test)
{
    int64_t end_ns = tn_clock_steady_now_ns() + tn_seconds_to_ns(test->plan.random_s);
    while (tn_clock_steady_now_ns() < end_ns) {
        uint32_t choice = tn_random_u32(&test->random) % 4;
        path_rig_run_for(&test->rig, random_between_ns(test, 0.0, 1.2));
        if (!(choice == 0 ? disturb_two(test)
                          : disturb(test, random_program(test), random_fault_s(test)))) {
            return false;
        }
        // often the next one comes while the hands still approach
        if (choice == 1 && !wait_until_follows(test, recovery_limit_ns, "in the mix")) {
            return false;
        }
    }
    return wait_until_follows(test, recovery_limit_ns, "after the mix");
}

// a freeze of each program that keeps frames; of a slow glove a queue keeps old ones
static bool run_freezes(struct test *test)
{
    static const enum path_program programs[] = {PATH_DRIVER, PATH_ADAPTER, PATH_RETARGETER,
                                                 PATH_LEFT_HAND, PATH_RIGHT_HAND};
    for (unsigned i = 0; i < TN_ARRAY_SIZE(programs); i++) {
        if (!disturb(test, programs[i], 0.7) ||
            !wait_until_follows(test, recovery_limit_ns, "after a freeze")) {
            return false;
        }
    }
    return true;
}

// ---- judging ----

static void print_verdict(const struct tn_oracle_verdict *verdict)
{
    char json[2048];
    if (tn_oracle_verdict_json(verdict, json, sizeof json) == TN_OK) {
        (void)printf("oracle: %s\n", json);
    }
}

static void judge_clock(const struct path_rig *rig, struct path_findings *findings)
{
    int64_t moved_ns = path_wall_minus_steady_ns() - rig->record.wall_minus_steady_ns;
    if (moved_ns > 2 * TN_NS_PER_MS || moved_ns < -2 * TN_NS_PER_MS) {
        path_found(findings, "the wall clock was moved by %.3f ms during the test: run it again",
                   (double)moved_ns * 1e-6);
    }
}

// nothing may pass because there was nothing to look at
static void judge_substance(const struct test *test, const struct tn_oracle_verdict *verdict,
                            struct path_findings *findings)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        if (verdict->sides[i].executed < min_executed) {
            path_found(findings, "%s hand: only %llu commands executed", i == 0 ? "left" : "right",
                       (unsigned long long)verdict->sides[i].executed);
        }
        if (test->rig.record.sides[i].feedback.size < min_executed) {
            path_found(findings, "%s hand: only %zu feedback samples", i == 0 ? "left" : "right",
                       test->rig.record.sides[i].feedback.size);
        }
    }
    if (findings->holds + findings->resumes < test->n_long_faults) {
        path_found(findings, "%u long disturbances, but only %u holds and %u resumes",
                   test->n_long_faults, findings->holds, findings->resumes);
    }
    if (findings->latches + findings->arms < test->n_latching_faults) {
        path_found(findings, "%u gaps above 1 s, but only %u latches seen", test->n_latching_faults,
                   findings->latches);
    }
    if (findings->moved_slowly == 0) {
        path_found(findings, "no joint moved while it approached");
    }
    if (test->rig.trace_lost > 0) {
        path_found(findings, "%llu trace records were lost",
                   (unsigned long long)test->rig.trace_lost);
    }
}

static void judge_logs(const struct test *test, const struct tn_oracle_verdict *verdict,
                       struct path_findings *findings)
{
    uint64_t stale = 0, repeated = 0, unmatched = 0;
    for (unsigned i = 0; i < TN_SIDES; i++) {
        stale += verdict->sides[i].stale;
        repeated += verdict->sides[i].repeated;
        unmatched += verdict->sides[i].unmatched;
    }
    if (test->plan.is_gates_off) {
        if (stale == 0) {
            path_found(findings, "nothing refused old commands, and the oracle saw none stale");
        }
        return;
    }
    if (stale + repeated + unmatched > 0) {
        path_found(findings, "the oracle counts %llu stale, %llu repeated, %llu unmatched",
                   (unsigned long long)stale, (unsigned long long)repeated,
                   (unsigned long long)unmatched);
    }
    path_judge_all(&test->rig.record, findings);
    judge_substance(test, verdict, findings);
}

static bool judge(struct test *test)
{
    struct tn_error err = {0};
    struct path_findings findings = {0};
    struct tn_oracle_verdict verdict = {0};
    const char *const logs[TN_SIDES] = {test->rig.execution_log[0], test->rig.execution_log[1]};
    enum tn_result result = path_ask_oracle(test->rig.send_log, logs, &verdict, &err);
    if (result != TN_OK) {
        (void)fprintf(stderr, "the oracle: %s\n", err.text);
        return false;
    }
    print_verdict(&verdict);
    judge_clock(&test->rig, &findings);
    judge_logs(test, &verdict, &findings);
    (void)printf("%zu disturbances; judged %u holds, %u samples at rest, %u resumes with %u moves, "
                 "%u silences, %u latches, %u arms\n",
                 test->rig.record.faults.size, findings.holds, findings.still_samples,
                 findings.resumes, findings.moved_slowly, findings.silent_faults, findings.latches,
                 findings.arms);
    for (unsigned i = 0; i < findings.n && i < PATH_FINDINGS_KEPT; i++) {
        (void)fprintf(stderr, "FOUND: %s\n", findings.text[i]);
    }
    return findings.n == 0;
}

static void print_faults(const struct path_rig *rig)
{
    for (size_t i = 0; i < rig->record.faults.size; i++) {
        const struct path_fault *fault = &rig->record.faults.data[i];
        (void)fprintf(stderr, "%s %s from %.3f to %.3f s\n", path_program_name(fault->program),
                      fault->is_kill ? "killed" : "stopped",
                      tn_ns_to_seconds(fault->begun_steady_ns - rig->record.begun_steady_ns),
                      tn_ns_to_seconds(fault->ended_steady_ns - rig->record.begun_steady_ns));
    }
}

static void print_output_end(const struct path_rig *rig)
{
    char text[8192];
    FILE *file = fopen(rig->output_log, "r");
    if (file == NULL) {
        return;
    }
    (void)fseek(file, -(long)sizeof text, SEEK_END);
    size_t size = fread(text, 1, sizeof text, file);
    (void)fprintf(stderr, "--- the end of what the programs said ---\n%.*s\n", (int)size, text);
    (void)fclose(file);
}

static bool run(struct test *test)
{
    struct tn_error err = {0};
    test->rig.seed = test->plan.seed;
    test->rig.has_gates = !test->plan.is_gates_off;
    test->rig.glove_hz = test->plan.is_freezes ? 20 : 120;
    test->rig.record.rearm_ns = (rearm_frames + 1) * TN_NS_PER_S / test->rig.glove_hz;
    bool is_good = path_rig_start(&test->rig, &err) == TN_OK;
    if (is_good) {
        is_good = wait_until_follows(test, start_limit_ns, "after the start");
    }
    if (is_good) {
        is_good = test->plan.is_freezes       ? run_freezes(test)
                  : test->plan.random_s > 0.0 ? run_random(test)
                                              : run_list(test);
    }
    if (is_good) {
        path_rig_run_for(&test->rig, TN_NS_PER_S);
    }
    if (test->rig.loop != NULL && path_rig_finish(&test->rig, &err) != TN_OK) {
        is_good = false;
    }
    if (err.code != TN_OK) {
        (void)fprintf(stderr, "%s: %s\n", err.file, err.text);
    }
    return is_good && judge(test) && test->rig.n_bad_ends == 0;
}

int main(int argc, char **argv)
{
    struct test *test = calloc(1, sizeof *test);
    if (test == NULL || !parse(argc, argv, &test->plan)) {
        (void)fputs(usage, stderr);
        free(test);
        return 2;
    }
    left_behind_mark();
    (void)printf("--seed %llu\n", (unsigned long long)test->plan.seed);
    tn_random_init(&test->random, test->plan.seed, 1);
    bool is_good = run(test);
    if (!is_good) {
        print_faults(&test->rig);
        print_output_end(&test->rig);
        (void)fprintf(stderr, "kept: %s\n", test->rig.dir);
    }
    path_rig_destroy(&test->rig, test->plan.is_kept || !is_good);
    free(test);
    is_good = left_behind_count() == 0 && is_good;
    (void)printf("%s\n", is_good ? "passed" : "FAILED");
    return is_good ? 0 : 1;
}
