// SPDX-License-Identifier: Apache-2.0
// shell completion: `tendon completion bash|zsh` prints a script that asks `tendon __complete
// WORDS…` for candidates, one a line, so that the verb tables are the only place that knows
// commands and options
#include <stdio.h>
#include <string.h>

#include "cli/cli__command.h"
#include "cli/cli__complete.h"
#include "cli/cli__diag.h"
#include "cli/cli__launch.h"
#include "cli/cli__package.h"
#include "cli/cli__verb.h"

static const char bash_script[] =
    "# bash completion for tendon\n"
    "_tendon() {\n"
    "    local line\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        COMPREPLY+=(\"$line\")\n"
    "    done < <(\"${COMP_WORDS[0]}\" __complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "    # nothing to propose: file names\n"
    "    [ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default\n"
    "}\n"
    "complete -F _tendon tendon\n";

static const char zsh_script[] = "#compdef tendon\n"
                                 "# zsh completion for tendon\n"
                                 "_tendon() {\n"
                                 "    local -a candidates\n"
                                 "    candidates=(\"${(@f)$(\"${words[1]}\" __complete "
                                 "\"${(@)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
                                 "    if [ -n \"${candidates[1]}\" ]; then\n"
                                 "        compadd -Q -- \"${candidates[@]}\"\n"
                                 "    else\n"
                                 "        _files\n"
                                 "    fi\n"
                                 "}\n"
                                 "if [ \"${funcstack[1]}\" = _tendon ]; then\n"
                                 "    _tendon \"$@\"\n"
                                 "else\n"
                                 "    compdef _tendon tendon\n"
                                 "fi\n";

int tn_cli_completion(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "bash") == 0) {
        (void)fputs(bash_script, stdout);
        return TN_CLI_OK;
    }
    if (argc == 2 && strcmp(argv[1], "zsh") == 0) {
        (void)fputs(zsh_script, stdout);
        return TN_CLI_OK;
    }
    bool is_asked = argc >= 2 && tn_cli__is_help(argv[1]);
    (void)fprintf(is_asked ? stdout : stderr, "usage: tendon completion bash|zsh\n\n"
                                              "  bash: source <(tendon completion bash)\n"
                                              "  zsh:  source <(tendon completion zsh)\n");
    return is_asked ? TN_CLI_OK : TN_CLI_USAGE;
}

void tn_cli__propose(const char *prefix, const char *candidate)
{
    if (strncmp(prefix, candidate, strlen(prefix)) == 0) {
        (void)printf("%s\n", candidate);
    }
}

static void propose_verbs(const char *command, const char *prefix)
{
    for (size_t i = 0; i < tn_cli__n_tables; i++) {
        const struct tn_cli_verb *verbs = tn_cli__tables[i];
        for (size_t k = 0; k < *tn_cli__table_sizes[i]; k++) {
            if (strcmp(verbs[k].command, command) == 0) {
                tn_cli__propose(prefix, verbs[k].name);
            }
        }
    }
}

static void propose_options(const struct tn_cli_verb *verb, const char *prefix)
{
    char text[64];
    for (size_t i = 0; i < verb->n_options; i++) {
        (void)snprintf(text, sizeof text, "--%s", verb->options[i].name);
        tn_cli__propose(prefix, text);
    }
    tn_cli__propose(prefix, "--help");
    tn_cli__propose(prefix, "--ros-args");
}

// the option a word names, NULL: none that takes a value
static const struct tn_cli_option *valued_option(const struct tn_cli_verb *verb, const char *word)
{
    for (size_t i = 0; i < verb->n_options; i++) {
        const struct tn_cli_option *option = &verb->options[i];
        bool is_long = strncmp(word, "--", 2) == 0 && strcmp(word + 2, option->name) == 0;
        bool is_short = word[0] == '-' && word[1] == option->letter && word[2] == '\0';
        if (option->value != NULL && (is_long || (option->letter != 0 && is_short))) {
            return option;
        }
    }
    return NULL;
}

static void propose_for_verb(const struct tn_cli_verb *verb, int n_words, char **words)
{
    const char *prefix = words[n_words - 1];
    size_t position = 0;
    bool is_value = false;
    for (int i = 0; i < n_words - 1; i++) {
        if (strcmp(words[i], "--ros-args") == 0) {
            return;
        }
        bool is_option = !is_value && words[i][0] == '-';
        position += !is_value && !is_option;
        is_value = is_option && valued_option(verb, words[i]) != NULL;
    }
    if (is_value) {
        return;
    }
    if (prefix[0] == '-') {
        propose_options(verb, prefix);
    } else if (position < TN_ARRAY_SIZE(verb->kinds)) {
        tn_cli__propose_kind(verb, verb->kinds[position], prefix);
    }
}

int tn_cli_complete(int argc, char **argv)
{
    if (argc <= 2) {
        const char *prefix = argc == 2 ? argv[1] : "";
        tn_cli__propose_commands(prefix);
        return TN_CLI_OK;
    }
    // commands without verbs
    if (strcmp(argv[1], "launch") == 0) {
        tn_cli__complete_launch(argc - 2, argv + 2);
        return TN_CLI_OK;
    }
    if (strcmp(argv[1], "run") == 0) {
        tn_cli__complete_run(argc - 2, argv + 2);
        return TN_CLI_OK;
    }
    if (strcmp(argv[1], tn_cli__diag_verb.command) == 0) {
        propose_for_verb(&tn_cli__diag_verb, argc - 2, argv + 2);
        return TN_CLI_OK;
    }
    if (argc == 3) {
        propose_verbs(argv[1], argv[2]);
        return TN_CLI_OK;
    }
    const struct tn_cli_verb *verb = tn_cli__find_verb(argv[1], argv[2]);
    if (verb != NULL) {
        propose_for_verb(verb, argc - 3, argv + 3);
    }
    return TN_CLI_OK;
}
