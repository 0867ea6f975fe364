// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

// the console of a test is a pipe in the place of stderr
struct console {
    int saved_stderr, read_fd;
};

static struct console open_console(void)
{
    int pipe_fds[2];
    assert_int_equal(pipe(pipe_fds), 0);
    const struct console console = {.saved_stderr = dup(STDERR_FILENO), .read_fd = pipe_fds[0]};
    assert_true(dup2(pipe_fds[1], STDERR_FILENO) >= 0);
    (void)close(pipe_fds[1]);
    assert_int_equal(fcntl(pipe_fds[0], F_SETFL, O_NONBLOCK), 0);
    return console;
}

static void close_console(struct console *console)
{
    (void)dup2(console->saved_stderr, STDERR_FILENO);
    (void)close(console->saved_stderr);
    (void)close(console->read_fd);
}

static const char *take_output(const struct console *console, char *buffer, size_t size)
{
    const ssize_t n = read(console->read_fd, buffer, size - 1);
    buffer[n > 0 ? n : 0] = '\0';
    return buffer;
}

struct seen {
    int n;
    enum tn_log_level level;
    char name[64], text[TN_LOG_LINE_MAX];
    uint32_t line;
};

static void remember(void *context, const struct tn_log_record *record)
{
    struct seen *seen = context;
    seen->n++;
    seen->level = record->level;
    seen->line = record->line;
    (void)snprintf(seen->name, sizeof seen->name, "%s", record->name);
    (void)snprintf(seen->text, sizeof seen->text, "%s", record->text);
}

static void a_line_has_the_form_of_rcl(void **state)
{
    (void)state;
    struct tn_logger logger;
    tn_logger_init(&logger, "left.driver");
    struct console console = open_console();
    char output[4096];
    TN_WARN(&logger, "port %d", 25788);
    take_output(&console, output, sizeof output);
    close_console(&console);
    regex_t form;
    assert_int_equal(
        regcomp(&form, "^\\[WARN\\] \\[[0-9]{10}\\.[0-9]{9}\\] \\[left\\.driver\\]: port 25788\n$",
                REG_EXTENDED | REG_NOSUB),
        0);
    assert_int_equal(regexec(&form, output, 0, NULL, 0), 0);
    regfree(&form);
}

static void levels_filter_and_a_logger_may_have_its_own(void **state)
{
    (void)state;
    struct tn_logger quiet, loud;
    tn_logger_init(&quiet, "quiet");
    tn_logger_init(&loud, "loud");
    loud.level = TN_LOG_DEBUG;
    assert_false(tn_log_is_enabled(&quiet, TN_LOG_DEBUG));
    assert_true(tn_log_is_enabled(&quiet, TN_LOG_INFO));
    assert_true(tn_log_is_enabled(&loud, TN_LOG_DEBUG));
    tn_log_set_level(TN_LOG_ERROR);
    assert_false(tn_log_is_enabled(&quiet, TN_LOG_WARN));
    assert_true(tn_log_is_enabled(&quiet, TN_LOG_ERROR));
    assert_true(tn_log_is_enabled(&loud, TN_LOG_DEBUG));
    tn_log_set_level(TN_LOG_UNSET);
    assert_true(tn_log_is_enabled(&quiet, TN_LOG_INFO));
    assert_false(tn_log_is_enabled(&quiet, TN_LOG_DEBUG));
}

static void the_receiver_gets_what_the_console_gets(void **state)
{
    (void)state;
    struct tn_logger logger;
    tn_logger_init(&logger, "n");
    struct seen seen = {0};
    struct console console = open_console();
    tn_log_set_receiver(remember, &seen);
    TN_DEBUG(&logger, "silent");
    TN_ERROR(&logger, "loud %s", "x");
    tn_log_set_receiver(NULL, NULL);
    TN_ERROR(&logger, "not received");
    close_console(&console);
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.level, TN_LOG_ERROR);
    assert_string_equal(seen.name, "n");
    assert_string_equal(seen.text, "loud x");
    assert_true(seen.line > 0);
}

static void a_console_that_is_off_leaves_the_receiver(void **state)
{
    (void)state;
    char buffer[256];
    struct tn_logger logger;
    tn_logger_init(&logger, "n");
    struct seen seen = {0};
    struct console console = open_console();
    tn_log_set_receiver(remember, &seen);
    tn_log_set_console(false);
    TN_ERROR(&logger, "received only");
    tn_log_set_console(true);
    const bool is_silent = take_output(&console, buffer, sizeof buffer)[0] == '\0';
    TN_ERROR(&logger, "both");
    const bool is_back = strstr(take_output(&console, buffer, sizeof buffer), "both") != NULL;
    tn_log_set_receiver(NULL, NULL);
    close_console(&console);
    assert_true(is_silent);
    assert_true(is_back);
    assert_int_equal(seen.n, 2);
    assert_int_equal(tn_log_dropped(), 0);
}

static void a_line_stays_one_line_and_cannot_steer_a_terminal(void **state)
{
    (void)state;
    struct tn_logger logger;
    tn_logger_init(&logger, "a\nb");
    struct seen seen = {0};
    struct console console = open_console();
    tn_log_set_receiver(remember, &seen);
    TN_INFO(&logger, "1\n2\r3\x1b[31m4\t5\x7f"
                     "6\xc2\x9b"
                     "7\xc3\xa4");
    tn_log_set_receiver(NULL, NULL);
    close_console(&console);
    assert_string_equal(seen.name, "a?b");
    assert_string_equal(seen.text, "1?2?3?[31m4\t5?6??7\xc3\xa4");
}

static void long_lines_end_in_an_ellipsis_at_a_character(void **state)
{
    (void)state;
    struct tn_logger logger;
    tn_logger_init(&logger, "n");
    struct seen seen = {0};
    for (size_t shift = 0; shift < 4; shift++) {
        char text[TN_LOG_LINE_MAX * 2];
        memset(text, 'a', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xe2\x82\xac", 4);
        struct console console = open_console();
        tn_log_set_receiver(remember, &seen);
        TN_INFO(&logger, "%s", text);
        tn_log_set_receiver(NULL, NULL);
        close_console(&console);
        const size_t length = strlen(seen.text);
        assert_true(length < TN_LOG_LINE_MAX);
        assert_string_equal(seen.text + length - 3, "\xe2\x80\xa6");
        assert_int_equal((length - 3 - shift) % 3, 0);
    }
}

static void a_full_console_loses_lines_and_counts_them(void **state)
{
    (void)state;
    struct tn_logger logger;
    tn_logger_init(&logger, "n");
    struct console console = open_console();
    const uint64_t before = tn_log_dropped();
    // far more than a pipe holds; a blocking write would hang here
    for (int i = 0; i < 3000; i++)
        TN_INFO(&logger, "%0500d", i);
    assert_true(tn_log_dropped() > before);
    // no line arrives in part
    char output[4096];
    size_t total = 0;
    ssize_t n = 0;
    char last = '\n';
    while ((n = read(console.read_fd, output, sizeof output)) > 0) {
        total += (size_t)n;
        last = output[n - 1];
    }
    const uint64_t dropped = tn_log_dropped() - before;
    close_console(&console);
    assert_int_equal(last, '\n');
    assert_int_equal(total % (3000 - dropped), 0);
}

static void a_closed_console_is_survived(void **state)
{
    (void)state;
    struct tn_logger logger;
    tn_logger_init(&logger, "n");
    const int saved = dup(STDERR_FILENO);
    (void)close(STDERR_FILENO);
    const uint64_t before = tn_log_dropped();
    TN_INFO(&logger, "nobody hears");
    (void)dup2(saved, STDERR_FILENO);
    (void)close(saved);
    assert_int_equal(tn_log_dropped(), before + 1);
}

static void levels_have_names(void **state)
{
    (void)state;
    enum tn_log_level level = TN_LOG_FATAL;
    assert_true(tn_log_level_parse("debug", &level) && level == TN_LOG_DEBUG);
    assert_true(tn_log_level_parse("WARN", &level) && level == TN_LOG_WARN);
    assert_true(tn_log_level_parse("Unset", &level) && level == TN_LOG_UNSET);
    assert_false(tn_log_level_parse("warning", &level));
    assert_false(tn_log_level_parse("", &level));
    assert_int_equal(level, TN_LOG_UNSET);
    assert_string_equal(tn_log_level_name(TN_LOG_FATAL), "FATAL");
    assert_string_equal(tn_log_level_name((enum tn_log_level)11), "?");
}

static void long_logger_names_are_cut(void **state)
{
    (void)state;
    char name[TN_LOG_NAME_MAX + 20];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct tn_logger logger;
    tn_logger_init(&logger, name);
    assert_int_equal(strlen(logger.name), TN_LOG_NAME_MAX - 1);
}

static void a_throttle_passes_once_a_period_and_counts_the_rest(void **state)
{
    (void)state;
    struct tn_log_throttle throttle = {0};
    uint32_t suppressed = 99;
    assert_true(tn_log_throttle_pass(&throttle, 100, 1000, &suppressed));
    assert_int_equal(suppressed, 0);
    for (int64_t now = 101; now < 1100; now += 100)
        assert_false(tn_log_throttle_pass(&throttle, now, 1000, &suppressed));
    assert_true(tn_log_throttle_pass(&throttle, 1100, 1000, &suppressed));
    assert_int_equal(suppressed, 10);
    assert_false(tn_log_throttle_pass(&throttle, 1101, 1000, NULL));
    assert_true(tn_log_throttle_pass(&throttle, INT64_MAX - 1, 1000, NULL));
    // a fresh one passes at any time
    struct tn_log_throttle early = {0};
    assert_true(tn_log_throttle_pass(&early, -5000, 1000, &suppressed));
    assert_int_equal(suppressed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_the_form_of_rcl),
        cmocka_unit_test(levels_filter_and_a_logger_may_have_its_own),
        cmocka_unit_test(the_receiver_gets_what_the_console_gets),
        cmocka_unit_test(a_console_that_is_off_leaves_the_receiver),
        cmocka_unit_test(a_line_stays_one_line_and_cannot_steer_a_terminal),
        cmocka_unit_test(long_lines_end_in_an_ellipsis_at_a_character),
        cmocka_unit_test(a_full_console_loses_lines_and_counts_them),
        cmocka_unit_test(a_closed_console_is_survived),
        cmocka_unit_test(levels_have_names),
        cmocka_unit_test(long_logger_names_are_cut),
        cmocka_unit_test(a_throttle_passes_once_a_period_and_counts_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
