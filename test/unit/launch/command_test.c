// SPDX-License-Identifier: Apache-2.0
// commands run for what they print
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compat.h"
#include "launch/command.h"

static const char *const environment[] = {"PATH=/nowhere:/usr/bin:/bin", "TN_WORD=w", NULL};

static int set_up(void **state)
{
    struct tn_packages *packages = NULL;
    assert_int_equal(tn_packages_create(NULL, NULL, &packages, NULL), TN_OK);
    *state = packages;
    return 0;
}

static int tear_down(void **state)
{
    struct tn_packages *packages = *state;
    tn_packages_destroy(&packages);
    return 0;
}

static enum tn_result run(void **state, const char *script, bool merges_stderr,
                          struct tn_launch_command_result *out, struct tn_error *err)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    return tn_launch_run_command(*state, argv, environment, merges_stderr, out, err);
}

static void output_and_exit_code_are_kept(void **state)
{
    struct tn_launch_command_result result = {0};
    assert_int_equal(run(state, "echo $TN_WORD; echo no >&2; env | grep -c '^HOME='; exit 3", false,
                         &result, NULL),
                     TN_OK);
    assert_int_equal(result.exit_code, 3);
    assert_string_equal(result.stdout_text, "w\n0\n");
    assert_int_equal(result.stdout_size, 4);
    assert_string_equal(result.stderr_text, "no\n");
    free(result.stdout_text);
    assert_int_equal(
        run(state, "echo no >&2; read a || echo empty; kill -TERM $$", true, &result, NULL), TN_OK);
    assert_int_equal(result.exit_code, -SIGTERM);
    assert_string_equal(result.stdout_text, "no\nempty\n");
    assert_string_equal(result.stderr_text, "");
    free(result.stdout_text);
}

static void much_is_kept_and_too_much_is_an_error(void **state)
{
    struct tn_launch_command_result result = {0};
    struct tn_error err = {0};
    // more on stderr than is kept must not block it
    assert_int_equal(run(state,
                         "i=0; while [ $i -lt 3000 ]; do echo $i............................; "
                         "echo error $i.......................... >&2; i=$((i+1)); done",
                         false, &result, NULL),
                     TN_OK);
    assert_int_equal(result.exit_code, 0);
    assert_non_null(strstr(result.stdout_text, "\n2999...."));
    assert_int_equal(strlen(result.stdout_text), result.stdout_size);
    assert_int_equal(strlen(result.stderr_text), sizeof result.stderr_text - 1);
    free(result.stdout_text);
    result.stdout_text = NULL;
    assert_int_equal(run(state, "exec cat /dev/zero", false, &result, &err), TN_ERR_LIMIT);
    assert_non_null(strstr(err.text, "it printed too much"));
    assert_null(result.stdout_text);
    // to the byte
    assert_int_equal(run(state, "head -c 4194304 /dev/zero", false, &result, NULL), TN_OK);
    assert_int_equal(result.stdout_size, TN_LAUNCH_TEXT_MAX);
    free(result.stdout_text);
    assert_int_equal(run(state, "head -c 4194305 /dev/zero", false, &result, NULL), TN_ERR_LIMIT);
}

static void what_cannot_run_is_told(void **state)
{
    struct tn_launch_command_result result = {0};
    struct tn_error err = {0};
    static const struct {
        const char *program;
        enum tn_result code;
    } cases[] = {
        {"no_such_program", TN_ERR_NOT_FOUND}, {"/nowhere/x", TN_ERR_NOT_FOUND},
        {"/etc/passwd", TN_ERR_PERMISSION},    {"/", TN_ERR_PERMISSION},
        {"", TN_ERR_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        const char *const argv[] = {cases[i].program, NULL};
        assert_int_equal(tn_launch_run_command(*state, argv, environment, false, &result, &err),
                         cases[i].code);
        assert_string_not_equal(err.text, "");
    }
    static const char *const no_path[] = {NULL};
    const char *const argv[] = {"sh", NULL};
    assert_int_equal(tn_launch_run_command(*state, argv, no_path, false, &result, &err),
                     TN_ERR_NOT_FOUND);
    assert_null(result.stdout_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_exit_code_are_kept),
        cmocka_unit_test(much_is_kept_and_too_much_is_an_error),
        cmocka_unit_test(what_cannot_run_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
