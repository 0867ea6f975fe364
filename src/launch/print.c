// SPDX-License-Identifier: Apache-2.0
// a plan as text
#include <inttypes.h>
#include <string.h>

#include "launch/plan.h"
#include "rosidl/yaml/yaml.h"

static const char *const outputs[] = {"log", "screen", "both", "own_log", "full"};

/// A word as a shell would take it.
static void print_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./@%^~";
    if (word[0] != '\0' && word[0] != '~' && strspn(word, plain) == strlen(word)) {
        (void)fputs(word, out);
        return;
    }
    (void)fputc('\'', out);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            (void)fputs("'\\''", out);
        else
            (void)fputc(*word, out);
    }
    (void)fputc('\'', out);
}

static void print_words(FILE *out, const char *const *words, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        (void)fputc(' ', out);
        print_word(out, words[i]);
    }
}

static void print_lines(FILE *out, const char *text, const char *before)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        (void)fprintf(out, "%s%.*s\n", before, (int)n, text);
        text += n + (text[n] == '\n');
    }
}

static void print_number(FILE *out, const char *name, double value)
{
    char digits[40];
    (void)tn_yaml_format_f64(value, digits, sizeof digits);
    (void)fprintf(out, "  %s: %s\n", name, digits);
}

/// The line that the shell is given.
static void print_shell_line(FILE *out, const struct tn_launch_process *p)
{
    (void)fputs("  shell:", out);
    for (uint32_t i = 0; i < p->n_prefix; i++)
        (void)fprintf(out, " %s", p->prefix[i]);
    (void)fputc(' ', out);
    if (p->package != NULL)
        (void)fprintf(out, "[%s]/", p->package);
    (void)fputs(p->program, out);
    for (uint32_t i = 0; i < p->n_arguments; i++)
        (void)fprintf(out, " %s", p->arguments[i]);
    (void)fputc('\n', out);
}

static void print_command(FILE *out, const struct tn_launch_process *p)
{
    if (p->is_shell) {
        print_shell_line(out, p);
        return;
    }
    (void)fputs("  command:", out);
    print_words(out, p->prefix, p->n_prefix);
    (void)fputc(' ', out);
    if (p->package != NULL)
        (void)fprintf(out, "[%s]/", p->package);
    print_word(out, p->program);
    print_words(out, p->arguments, p->n_arguments);
    (void)fputc('\n', out);
}

static void print_process(FILE *out, const struct tn_launch_process *p)
{
    (void)fprintf(out, "%s %s (%s:%" PRIu32 ")\n",
                  p->kind == TN_LAUNCH_NODE ? "node" : "executable", p->label, p->file, p->line);
    print_command(out, p);
    for (uint32_t i = 0; i < p->n_variables; i++) {
        (void)fprintf(out, "  %s: %s", p->variables[i].value != NULL ? "env" : "unset",
                      p->variables[i].name);
        if (p->variables[i].value != NULL) {
            (void)fputc('=', out);
            print_word(out, p->variables[i].value);
        }
        (void)fputc('\n', out);
    }
    if (p->working_dir != NULL)
        (void)fprintf(out, "  cwd: %s\n", p->working_dir);
    (void)fprintf(out, "  output: %s%s\n", outputs[p->output], p->emulates_tty ? ", tty" : "");
    if (p->respawns) {
        print_number(out, "respawn_delay", p->respawn_delay_s);
        if (p->respawn_max >= 0)
            (void)fprintf(out, "  respawn_max_retries: %" PRId32 "\n", p->respawn_max);
    }
    // the usual is not told
    if (p->sigterm_timeout_s < 5 || p->sigterm_timeout_s > 5)
        print_number(out, "sigterm_timeout", p->sigterm_timeout_s);
    if (p->sigkill_timeout_s < 5 || p->sigkill_timeout_s > 5)
        print_number(out, "sigkill_timeout", p->sigkill_timeout_s);
    if (p->shuts_down_on_exit)
        (void)fputs("  on_exit: shutdown\n", out);
    for (uint32_t i = 0; i < p->n_files; i++) {
        (void)fprintf(out, "  file: %s\n", p->files[i].path);
        print_lines(out, p->files[i].text, "    ");
    }
}

enum tn_result tn_launch_plan_print(const struct tn_launch_plan *plan, FILE *out)
{
    uint32_t m = 0;
    for (uint32_t i = 0; i <= plan->n_processes; i++) {
        for (; m < plan->n_messages && plan->messages[m].before_process <= i; m++) {
            const struct tn_launch_message *message = &plan->messages[m];
            (void)fprintf(out, "%s (%s:%" PRIu32 ")\n",
                          message->kind == TN_LAUNCH_INFO ? "log" : "warning", message->file,
                          message->line);
            print_lines(out, message->text, "  ");
        }
        if (i < plan->n_processes)
            print_process(out, &plan->processes[i]);
    }
    return ferror(out) != 0 ? TN_ERR_IO : TN_OK;
}
