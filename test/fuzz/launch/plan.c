// SPDX-License-Identifier: Apache-2.0
// A launch file that may include itself, with arguments; its plan is printed, its arguments shown.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/plan.h"

static enum tn_result find(void *context, const char *package, char *buffer, uint32_t size,
                           struct tn_error *err)
{
    (void)context;
    (void)err;
    (void)snprintf(buffer, size, "/opt/%.64s", package);
    return TN_OK;
}

static enum tn_result find_in(void *context, const char *package, const char *program, char *buffer,
                              uint32_t size, struct tn_error *err)
{
    (void)package;
    return find(context, program, buffer, size, err);
}

static enum tn_result run(void *context, const char *const *argv, const char *const *environment,
                          bool merges_stderr, struct tn_launch_command_result *out,
                          struct tn_error *err)
{
    (void)context;
    (void)environment;
    (void)merges_stderr;
    (void)err;
    // prints its own name, doubled: texts grow
    size_t size = strlen(argv[0]);
    out->stdout_text = malloc(2 * size + 1);
    if (out->stdout_text == NULL)
        return TN_ERR_NO_MEMORY;
    memcpy(out->stdout_text, argv[0], size);
    memcpy(out->stdout_text + size, argv[0], size + 1);
    out->stdout_size = (uint32_t)(2 * size);
    return TN_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const environment[] = {"HOME=/home/user", "A=1", NULL};
    static const struct tn_launch_argument arguments[] = {{"a", "1"}, {"b", "[x, y]"}};
    char path[] = "/tmp/tn_fuzz_XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    (void)close(fd);
    struct tn_launch_world world = {.environment = environment,
                                    .package_prefix = find,
                                    .package_program = find_in,
                                    .find_program = find,
                                    .run_command = run,
                                    .working_dir = "/nowhere",
                                    .log_dir = "/logs"};
    struct tn_launch_plan *plan = NULL;
    struct tn_error err = {0};
    char *text = NULL;
    size_t text_size = 0;
    FILE *out = open_memstream(&text, &text_size);
    enum tn_result result = tn_launch_load(path, arguments, 2, &world, &plan, &err);
    if ((result == TN_OK) != (plan != NULL) || (result != TN_OK && err.text[0] == '\0'))
        abort();
    if (plan != NULL)
        (void)tn_launch_plan_print(plan, out);
    tn_launch_plan_destroy(&plan);
    enum tn_result shown = tn_launch_show_args(path, &world, out, &err);
    // what can be loaded can be told about
    if (result == TN_OK && shown != TN_OK)
        abort();
    (void)fclose(out);
    free(text);
    (void)unlink(path);
    return 0;
}
