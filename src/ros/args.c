// SPDX-License-Identifier: Apache-2.0
#include "ros/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/names.h"

/// The command line while it is read. Strings are copied into one block that is as long as argv's.
struct parser {
    struct tn_ros_args *args;
    struct tn_error *err;
    const char *const *argv;
    int argc, i;
    char *next_char;
};

/// What an option does with its value.
typedef enum tn_result (*option_fn)(struct parser *parser, const char *option, char *value);

static enum tn_result fail(struct parser *parser, const char *option, const char *value,
                           const char *reason)
{
    return tn_error_set(parser->err, TN_ERR_SYNTAX, "command line: %s \"%.80s\": %s", option, value,
                        reason);
}

static char *copy(struct parser *parser, const char *text)
{
    size_t size = strlen(text) + 1;
    char *out = parser->next_char;
    memcpy(out, text, size);
    parser->next_char += size;
    return out;
}

/// Cuts "[node:]from:=to" in place.
static enum tn_result split_rule(struct parser *parser, const char *option, char *value,
                                 struct tn_ros_rule *out_rule)
{
    char *assign = strstr(value, ":=");
    if (assign == NULL)
        return fail(parser, option, value, "expected [node:]name:=value");
    char whole[128];
    (void)snprintf(whole, sizeof whole, "%s", value);
    *assign = '\0';
    char *colon = strchr(value, ':');
    char *from = colon == NULL ? value : colon + 1;
    size_t node_size = colon == NULL ? 0 : (size_t)(colon - value);
    if (from[0] == '\0' || strchr(from, ':') != NULL || (colon != NULL && node_size == 0))
        return fail(parser, option, whole, "expected [node:]name:=value");
    if (node_size >= sizeof out_rule->node)
        return fail(parser, option, whole, "the node name is too long");
    memcpy(out_rule->node, value, node_size);
    out_rule->node[node_size] = '\0';
    out_rule->from = from;
    out_rule->to = assign + 2;
    return TN_OK;
}

static enum tn_result too_many(struct parser *parser, const char *option, unsigned limit)
{
    return tn_error_set(parser->err, TN_ERR_LIMIT,
                        "command line: more than %u %s; put parameters into a --params-file", limit,
                        option);
}

static enum tn_result check_remap(struct parser *parser, const struct tn_ros_rule *rule)
{
    char name[TN_ROS_NAME_MAX];
    struct tn_error why = {0};
    enum tn_result result;
    if (strcmp(rule->from, "__node") == 0 || strcmp(rule->from, "__name") == 0)
        result = tn_ros_check_node_name(rule->to, &why);
    else if (strcmp(rule->from, "__ns") == 0)
        result = tn_ros_normalise_namespace(rule->to, name, &why);
    else {
        // any namespace and node will do: only the form is judged
        result = tn_ros_resolve_name(NULL, "/", "n", rule->from, name, &why);
        if (result == TN_OK)
            result = tn_ros_resolve_name(NULL, "/", "n", rule->to, name, &why);
    }
    return result == TN_OK ? TN_OK : fail(parser, "--remap", rule->from, why.text);
}

static enum tn_result add_remap(struct parser *parser, const char *option, char *value)
{
    struct tn_ros_args *args = parser->args;
    if (args->n_remaps == TN_ROS_ARGS_MAX_RULES)
        return too_many(parser, "remap rules", TN_ROS_ARGS_MAX_RULES);
    struct tn_ros_rule *rule = &args->remaps[args->n_remaps];
    enum tn_result result = split_rule(parser, option, value, rule);
    if (result == TN_OK)
        result = check_remap(parser, rule);
    if (result == TN_OK)
        args->n_remaps++;
    return result;
}

static enum tn_result add_param(struct parser *parser, const char *option, char *value)
{
    struct tn_ros_args *args = parser->args;
    if (args->n_params == TN_ROS_ARGS_MAX_RULES)
        return too_many(parser, "parameters", TN_ROS_ARGS_MAX_RULES);
    enum tn_result result = split_rule(parser, option, value, &args->params[args->n_params]);
    if (result == TN_OK)
        args->n_params++;
    return result;
}

static enum tn_result add_params_file(struct parser *parser, const char *option, char *value)
{
    (void)option;
    struct tn_ros_args *args = parser->args;
    if (args->n_params_files == TN_ARRAY_SIZE(args->params_files))
        return too_many(parser, "parameter files", TN_ARRAY_SIZE(args->params_files));
    args->params_files[args->n_params_files++] = value;
    return TN_OK;
}

static enum tn_result add_log_level(struct parser *parser, const char *option, char *value)
{
    struct tn_ros_args *args = parser->args;
    enum tn_log_level level;
    char *assign = strstr(value, ":=");
    if (!tn_log_level_parse(assign == NULL ? value : assign + 2, &level))
        return fail(parser, option, value,
                    "expected [logger:=] and one of debug, info, warn, error, fatal");
    if (assign == NULL) {
        args->log_level = level;
        return TN_OK;
    }
    if (assign == value)
        return fail(parser, option, value, "the logger's name is missing in front of :=");
    if (args->n_log_levels == TN_ARRAY_SIZE(args->log_levels))
        return too_many(parser, "logger levels", TN_ARRAY_SIZE(args->log_levels));
    *assign = '\0';
    args->log_levels[args->n_log_levels++] =
        (struct tn_ros_rule){.node = "", .from = value, .to = assign + 2};
    return TN_OK;
}

static enum tn_result set_enclave(struct parser *parser, const char *option, char *value)
{
    char name[TN_ROS_NAME_MAX];
    struct tn_error why = {0};
    if (value[0] != '/' || tn_ros_normalise_namespace(value, name, &why) != TN_OK)
        return fail(parser, option, value, "an enclave is an absolute name, as /robot/hand");
    parser->args->enclave = value;
    return TN_OK;
}

static const struct {
    const char *name;
    option_fn apply;
} options_with_value[] = {
    {"-r", add_remap},
    {"--remap", add_remap},
    {"-p", add_param},
    {"--param", add_param},
    {"--params-file", add_params_file},
    {"--log-level", add_log_level},
    {"-e", set_enclave},
    {"--enclave", set_enclave},
};

/// @return true when the option is a known switch.
static bool apply_switch(struct tn_ros_args *args, const char *option)
{
    if (strcmp(option, "--enable-rosout-logs") == 0)
        args->rosout_enabled = true;
    else if (strcmp(option, "--disable-rosout-logs") == 0)
        args->rosout_enabled = false;
    else if (strcmp(option, "--enable-stdout-logs") == 0)
        args->stdout_enabled = true;
    else if (strcmp(option, "--disable-stdout-logs") == 0)
        args->stdout_enabled = false;
    else
        return strcmp(option, "--enable-external-lib-logs") == 0 ||
               strcmp(option, "--disable-external-lib-logs") == 0;
    return true;
}

static enum tn_result parse_ros_option(struct parser *parser, const char *option)
{
    for (size_t k = 0; k < TN_ARRAY_SIZE(options_with_value); k++) {
        if (strcmp(option, options_with_value[k].name) != 0)
            continue;
        if (parser->i + 1 >= parser->argc || strcmp(parser->argv[parser->i + 1], "--") == 0)
            return tn_error_set(parser->err, TN_ERR_SYNTAX,
                                "command line: %s needs a value behind it", option);
        parser->i++;
        return options_with_value[k].apply(parser, option, copy(parser, parser->argv[parser->i]));
    }
    if (apply_switch(parser->args, option))
        return TN_OK;
    return tn_error_set(parser->err, TN_ERR_SYNTAX,
                        "command line: \"%.80s\" behind --ros-args is unknown; known are -r, -p, "
                        "--params-file, --log-level, -e, --[en|dis]able-[rosout|stdout]-logs, --",
                        option);
}

static enum tn_result parse_all(struct parser *parser)
{
    bool is_ros = false;
    for (; parser->i < parser->argc; parser->i++) {
        const char *arg = parser->argv[parser->i];
        if (strcmp(arg, "--ros-args") == 0) {
            is_ros = true;
        } else if (is_ros && strcmp(arg, "--") == 0) {
            is_ros = false;
        } else if (is_ros) {
            enum tn_result result = parse_ros_option(parser, arg);
            if (result != TN_OK)
                return result;
        } else {
            parser->args->rest[parser->args->n_rest++] = copy(parser, arg);
        }
    }
    return TN_OK;
}

enum tn_result tn_ros_args_parse(int argc, const char *const *argv, struct tn_ros_args *out_args,
                                 struct tn_error *err)
{
    size_t n_chars = 1;
    for (int i = 0; i < argc; i++)
        n_chars += strlen(argv[i]) + 1;
    size_t n_pointers = (size_t)(argc < 0 ? 0 : argc) + 1;

    memset(out_args, 0, sizeof *out_args);
    out_args->rosout_enabled = true;
    out_args->stdout_enabled = true;
    out_args->enclave = "/";
    out_args->storage = calloc(1, n_pointers * sizeof(char *) + n_chars);
    if (out_args->storage == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the command line");
    out_args->rest = out_args->storage;

    struct parser parser = {
        .args = out_args,
        .err = err,
        .argv = argv,
        .argc = argc,
        .next_char = (char *)out_args->storage + n_pointers * sizeof(char *),
    };
    enum tn_result result = parse_all(&parser);
    if (result != TN_OK)
        tn_ros_args_fini(out_args);
    return result;
}

void tn_ros_args_fini(struct tn_ros_args *args)
{
    free(args->storage);
    memset(args, 0, sizeof *args);
}
