// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/launch/launch_rig.h"

static enum tn_result package_prefix(void *context, const char *package, char *buffer,
                                     uint32_t size, struct tn_error *err)
{
    (void)context;
    if (strcmp(package, "missing") == 0)
        return tn_error_set(err, TN_ERR_NOT_FOUND, "no package missing in /opt/test");
    (void)snprintf(buffer, size, "/opt/test");
    return TN_OK;
}

static enum tn_result package_program(void *context, const char *package, const char *program,
                                      char *buffer, uint32_t size, struct tn_error *err)
{
    (void)context;
    if (strcmp(program, "missing") == 0)
        return tn_error_set(err, TN_ERR_NOT_FOUND, "no program missing in %s", package);
    (void)snprintf(buffer, size, "/opt/test/lib/%s/%s", package, program);
    return TN_OK;
}

static enum tn_result find_program(void *context, const char *program, char *buffer, uint32_t size,
                                   struct tn_error *err)
{
    (void)context;
    if (strcmp(program, "missing") == 0)
        return tn_error_set(err, TN_ERR_NOT_FOUND, "no program missing on the PATH");
    (void)snprintf(buffer, size, "/usr/bin/%s", program);
    return TN_OK;
}

static void join(char *out, size_t size, const char *const *words)
{
    size_t n = 0;
    out[0] = '\0';
    for (; *words != NULL && n < size; words++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", n > 0 ? "|" : "", *words);
}

/// `say TEXT`: prints it. `warn`: writes to stderr too. `fail`: ends with 3.
static enum tn_result run_command(void *context, const char *const *argv,
                                  const char *const *environment, bool merges_stderr,
                                  struct tn_launch_command_result *out, struct tn_error *err)
{
    struct launch_rig *rig = context;
    rig->n_commands++;
    join(rig->command, sizeof rig->command, argv);
    join(rig->environment, sizeof rig->environment, environment);
    if (strcmp(argv[0], "missing") == 0)
        return tn_error_set(err, TN_ERR_NOT_FOUND, "no program missing");
    const char *text = argv[1] != NULL ? argv[1] : "";
    bool warns = strcmp(argv[0], "warn") == 0 || strcmp(argv[0], "fail") == 0;
    out->exit_code = strcmp(argv[0], "fail") == 0 ? 3 : 0;
    if (warns && !merges_stderr)
        (void)snprintf(out->stderr_text, sizeof out->stderr_text, "oh");
    out->stdout_text = malloc(strlen(text) + 3);
    assert_non_null(out->stdout_text);
    out->stdout_size = (uint32_t)snprintf(out->stdout_text, strlen(text) + 3, "%s%s", text,
                                          warns && merges_stderr ? "oh" : "");
    return TN_OK;
}

static const char *const environment[] = {"HOME=/home/user", "EMPTY=", "PATH=/usr/bin", NULL};

int launch_rig_set_up(void **state)
{
    struct launch_rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    (void)snprintf(rig->folder, sizeof rig->folder, "/tmp/tn_launch_XXXXXX");
    assert_non_null(mkdtemp(rig->folder));
    rig->world = (struct tn_launch_world){.environment = environment,
                                          .package_prefix = package_prefix,
                                          .package_program = package_program,
                                          .find_program = find_program,
                                          .run_command = run_command,
                                          .context = rig,
                                          .working_dir = rig->folder,
                                          .params_dir = "/params",
                                          .log_dir = "/logs",
                                          .anonymous = "host.7"};
    *state = rig;
    return 0;
}

int launch_rig_tear_down(void **state)
{
    struct launch_rig *rig = *state;
    tn_launch_plan_destroy(&rig->plan);
    DIR *folder = opendir(rig->folder);
    assert_non_null(folder);
    for (const struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", rig->folder, e->d_name);
        if (e->d_name[0] != '.')
            assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(closedir(folder), 0);
    assert_int_equal(rmdir(rig->folder), 0);
    free(rig);
    return 0;
}

void launch_rig_write(struct launch_rig *rig, const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", rig->folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

enum tn_result launch_rig_load(struct launch_rig *rig, const char *name)
{
    tn_launch_plan_destroy(&rig->plan);
    rig->err = (struct tn_error){0};
    enum tn_result result =
        tn_launch_load(name, rig->arguments, rig->n_arguments, &rig->world, &rig->plan, &rig->err);
    assert_int_equal(result == TN_OK, rig->plan != NULL);
    assert_int_equal(rig->err.code, result);
    return result;
}

enum tn_result launch_rig_load_body(struct launch_rig *rig, const char *body)
{
    size_t size = strlen(body) + 64;
    char *text = malloc(size);
    assert_non_null(text);
    (void)snprintf(text, size, "<launch>\n%s\n</launch>\n", body);
    launch_rig_write(rig, "body.launch.xml", text);
    free(text);
    return launch_rig_load(rig, "body.launch.xml");
}

static char *replace(char *text, const char *from, const char *to)
{
    char *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);
    assert_non_null(stream);
    for (char *at = text; *at != '\0';) {
        char *found = strstr(at, from);
        size_t n = found != NULL ? (size_t)(found - at) : strlen(at);
        (void)fwrite(at, 1, n, stream);
        if (found != NULL)
            (void)fputs(to, stream);
        at += n + (found != NULL ? strlen(from) : 0);
    }
    assert_int_equal(fclose(stream), 0);
    free(text);
    return out;
}

char *launch_rig_hide_paths(const struct launch_rig *rig, char *text)
{
    text = replace(text, rig->folder, "$DIR");
    const char *sources = getenv("TN_SOURCE_DIR");
    return sources != NULL ? replace(text, sources, "$SRC") : text;
}

char *launch_rig_print(struct launch_rig *rig)
{
    char *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);
    assert_non_null(stream);
    assert_int_equal(tn_launch_plan_print(rig->plan, stream), TN_OK);
    assert_int_equal(fclose(stream), 0);
    return launch_rig_hide_paths(rig, out);
}
