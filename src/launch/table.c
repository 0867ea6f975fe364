// SPDX-License-Identifier: Apache-2.0
// the language in one place: what the loader accepts and what the manual says
#include <string.h>

#include "launch/launch__table.h"

#define ELEMENT(path, note)                                                                        \
    {                                                                                              \
        path, NULL, TN_LAUNCH_ACCEPTED, TN_LAUNCH_VALUE_NONE, false, note                          \
    }
#define REJECTED(path, note)                                                                       \
    {                                                                                              \
        path, NULL, TN_LAUNCH_REJECTED, TN_LAUNCH_VALUE_NONE, false, note                          \
    }
#define NEEDS(path, name, kind, note)                                                              \
    {                                                                                              \
        path, name, TN_LAUNCH_ACCEPTED, TN_LAUNCH_VALUE_##kind, true, note                         \
    }
#define TAKES(path, name, kind, note)                                                              \
    {                                                                                              \
        path, name, TN_LAUNCH_ACCEPTED, TN_LAUNCH_VALUE_##kind, false, note                        \
    }
/// Every action has them.
#define ACTION(path, note)                                                                         \
    ELEMENT(path, note), TAKES(path, "if", SUBSTITUTED, "done only if this is true or 1"),         \
        TAKES(path, "unless", SUBSTITUTED, "done only if this is false or 0")
/// What `node` and `executable` share.
#define PROCESS(path)                                                                              \
    TAKES(path, "cwd", SUBSTITUTED, "folder it runs in"),                                          \
        TAKES(path, "launch-prefix", SUBSTITUTED, "words in front of the command, e.g. gdb"),      \
        TAKES(path, "output", SUBSTITUTED, "log (default), screen, both, own_log or full"),        \
        TAKES(path, "respawn", SUBSTITUTED, "whether it is started again when it ends"),           \
        TAKES(path, "respawn_delay", NUMBER, "seconds before it is started again"),                \
        TAKES(path, "respawn_max_retries", INTEGER, "how often at most; negative: no limit"),      \
        TAKES(path, "sigterm_timeout", NUMBER, "seconds from SIGINT to SIGTERM"),                  \
        TAKES(path, "sigkill_timeout", NUMBER, "seconds from SIGTERM to SIGKILL"),                 \
        TAKES(path, "on_exit", TEXT, "shutdown: when it ends, everything ends"),                   \
        TAKES(path, "shell", BOOLEAN, "whether /bin/sh runs the command"),                         \
        TAKES(path, "emulate_tty", BOOLEAN, "whether it writes as to a terminal"),                 \
        ELEMENT(path "/env", "a variable of this process alone"),                                  \
        NEEDS(path "/env", "name", SUBSTITUTED, "of the variable"),                                \
        NEEDS(path "/env", "value", SUBSTITUTED, "of the variable")

static const struct tn_launch_item items[] = {
    ELEMENT("launch", "the root"),
    TAKES("launch", "version", TEXT, "ignored"),
    TAKES("launch", "deprecated", TEXT, "told as a warning"),

    ACTION("arg", "declares an argument, which is a variable afterwards"),
    NEEDS("arg", "name", TEXT, "of the argument"),
    TAKES("arg", "default", SUBSTITUTED, "its value if none is given; without it one must be"),
    TAKES("arg", "description", TEXT, "for --show-args"),
    ELEMENT("arg/choice", "a value the argument may have; others are refused"),
    NEEDS("arg/choice", "value", TEXT, "the value"),

    ACTION("let", "sets a variable"),
    NEEDS("let", "name", SUBSTITUTED, "of the variable"),
    NEEDS("let", "value", SUBSTITUTED, "of the variable"),

    ACTION("include", "reads another launch file here; its variables stay set behind it"),
    NEEDS("include", "file", SUBSTITUTED, "path of the launch file"),
    ELEMENT("include/arg", "an argument for it"),
    NEEDS("include/arg", "name", SUBSTITUTED, "of the argument"),
    NEEDS("include/arg", "value", SUBSTITUTED, "of the argument"),

    ACTION("group", "several actions"),
    TAKES("group", "scoped", BOOLEAN, "true (default): what they set holds inside only"),
    TAKES("group", "forwarding", BOOLEAN, "false: nothing set so far holds inside, but keep"),
    ELEMENT("group/keep", "a variable that is set inside"),
    NEEDS("group/keep", "name", SUBSTITUTED, "of the variable"),
    NEEDS("group/keep", "value", SUBSTITUTED, "of the variable"),

    ACTION("node", "starts a program that is a ROS node"),
    TAKES("node", "pkg", SUBSTITUTED, "package of the program; without it exec is a path"),
    NEEDS("node", "exec", SUBSTITUTED, "the program"),
    TAKES("node", "name", SUBSTITUTED, "of the node"),
    TAKES("node", "namespace", SUBSTITUTED, "of the node; relative to the pushed one"),
    TAKES("node", "exec_name", SUBSTITUTED, "label of the process"),
    TAKES("node", "args", SUBSTITUTED, "arguments, split as a shell does"),
    TAKES("node", "ros_args", SUBSTITUTED, "arguments behind --ros-args"),
    PROCESS("node"),
    ELEMENT("node/remap", "gives a topic, service or action another name"),
    NEEDS("node/remap", "from", SUBSTITUTED, "name in the program"),
    NEEDS("node/remap", "to", SUBSTITUTED, "name in the graph"),
    ELEMENT("node/param", "a parameter, or a file of parameters"),
    TAKES("node/param", "name", SUBSTITUTED, "of the parameter, or in front of those inside"),
    TAKES("node/param", "value", SUBSTITUTED, "by the rules of YAML, unless type says another"),
    TAKES("node/param", "value-sep", TEXT, "what separates the elements of a list"),
    TAKES("node/param", "type", TEXT, "str, bool, int, float, list_of_… or yaml"),
    TAKES("node/param", "from", SUBSTITUTED, "path of a file of parameters"),
    TAKES("node/param", "allow_substs", BOOLEAN, "whether the file may have substitutions"),
    ELEMENT("param/param", "a parameter inside another: their names are joined by a dot"),
    NEEDS("param/param", "name", SUBSTITUTED, "of the parameter"),
    TAKES("param/param", "value", SUBSTITUTED, "as above"),
    TAKES("param/param", "value-sep", TEXT, "as above"),
    TAKES("param/param", "type", TEXT, "as above"),

    ACTION("executable", "starts any program"),
    NEEDS("executable", "cmd", SUBSTITUTED, "the command, split as a shell does"),
    TAKES("executable", "name", SUBSTITUTED, "label of the process"),
    PROCESS("executable"),

    ACTION("push_ros_namespace", "namespace of the nodes that follow in this scope"),
    NEEDS("push_ros_namespace", "namespace", SUBSTITUTED, "added to the one so far, if relative"),
    ACTION("push-ros-namespace", "the same"),
    NEEDS("push-ros-namespace", "namespace", SUBSTITUTED, "as above"),
    ACTION("set_remap", "a remap for all nodes that follow in this scope"),
    NEEDS("set_remap", "from", SUBSTITUTED, "name in the programs"),
    NEEDS("set_remap", "to", SUBSTITUTED, "name in the graph"),
    ACTION("set_parameter", "a parameter for all nodes that follow in this scope"),
    NEEDS("set_parameter", "name", SUBSTITUTED, "of the parameter"),
    NEEDS("set_parameter", "value", SUBSTITUTED, "by the rules of YAML"),
    ACTION("set_parameters_from_file", "a file of parameters for all nodes that follow"),
    NEEDS("set_parameters_from_file", "filename", SUBSTITUTED, "its path"),

    ACTION("set_env", "sets an environment variable for what follows in this scope"),
    NEEDS("set_env", "name", SUBSTITUTED, "of the variable"),
    NEEDS("set_env", "value", SUBSTITUTED, "of the variable"),
    ACTION("unset_env", "removes an environment variable"),
    NEEDS("unset_env", "name", SUBSTITUTED, "of the variable"),
    ACTION("append_env", "adds to an environment variable"),
    NEEDS("append_env", "name", SUBSTITUTED, "of the variable"),
    NEEDS("append_env", "value", SUBSTITUTED, "what is added"),
    TAKES("append_env", "prepend", SUBSTITUTED, "true: in front, not behind"),
    TAKES("append_env", "separator", SUBSTITUTED, "between old and new, : by default"),
    ACTION("reset_env", "the environment as it was before the first launch file"),
    ACTION("reset", "forgets all variables"),
    ELEMENT("reset/keep", "a variable that is set afterwards"),
    NEEDS("reset/keep", "name", SUBSTITUTED, "of the variable"),
    NEEDS("reset/keep", "value", SUBSTITUTED, "of the variable"),
    ACTION("log", "tells a message when it is reached"),
    NEEDS("log", "message", SUBSTITUTED, "the message"),

    REJECTED("timer", "actions are not delayed; use respawn_delay, or a node that waits"),
    REJECTED("ros_timer", "actions are not delayed"),
    REJECTED("shutdown", "use on_exit=\"shutdown\" of a process"),
    REJECTED("node_container", "component containers load C++ classes; use tendon compose"),
    REJECTED("load_composable_node", "component containers load C++ classes; use tendon compose"),
    REJECTED("set_use_sim_time", "it is about the launcher's own node; use set_parameter"),
    REJECTED("set_ros_log_dir", "use set_env with ROS_LOG_DIR"),
};

#define SUBSTITUTION(text, id, min, max, shown, said)                                              \
    {                                                                                              \
        {"$(" text ")", NULL, TN_LAUNCH_ACCEPTED, TN_LAUNCH_VALUE_NONE, false, said}, text,        \
            TN_LAUNCH_ACCEPTED, said, min, max, TN_LAUNCH__##id, shown                             \
    }
#define NO_SUBSTITUTION(text, said)                                                                \
    {                                                                                              \
        {"$(" text ")", NULL, TN_LAUNCH_REJECTED, TN_LAUNCH_VALUE_NONE, false, said}, text,        \
            TN_LAUNCH_REJECTED, said, 0, 0, TN_LAUNCH__N_FUNCTIONS, ""                             \
    }

/// In the order of enum tn_launch__function, then others.
static const struct tn_launch__substitution substitutions[] = {
    SUBSTITUTION("var", VAR, 1, 2, "LaunchConfig(",
                 "a variable or argument; or the second argument"),
    SUBSTITUTION("env", ENV, 1, 2, "EnvVar(", "an environment variable; or the second argument"),
    SUBSTITUTION("find-pkg-share", FIND_PKG_SHARE, 1, 1,
                 "FindPackageShare(pkg=", "share/<pkg> of a package"),
    SUBSTITUTION("find-pkg-prefix", FIND_PKG_PREFIX, 1, 1,
                 "FindPackagePrefix(pkg=", "the prefix of a package"),
    SUBSTITUTION("exec-in-pkg", EXEC_IN_PKG, 2, 2, "ExecInPkg(", "path of program, package"),
    SUBSTITUTION("find-exec", FIND_EXEC, 1, 1, "FindExec(", "path of a program on PATH"),
    SUBSTITUTION("dirname", DIRNAME, 0, 0, "ThisLaunchFileDir(", "folder of this launch file"),
    SUBSTITUTION("filename", FILENAME, 0, 0, "ThisLaunchFile(", "path of this launch file"),
    SUBSTITUTION("command", COMMAND, 1, 2, "Command(",
                 "what a command prints; then fail (default), ignore, warn or capture for stderr"),
    SUBSTITUTION("eval", EVAL, 1, 2, "PythonExpr(", "value of an expression; then math or nothing"),
    SUBSTITUTION("anon", ANON, 1, 1, "AnonName(", "a name made unique"),
    SUBSTITUTION("not", NOT, 1, 1, "NotSubstitution(", "true or false"),
    SUBSTITUTION("and", AND, 2, 2, "AndSubstitution(", "true or false"),
    SUBSTITUTION("or", OR, 2, 2, "OrSubstitution(", "true or false"),
    SUBSTITUTION("equals", EQUALS, 2, 2, "EqualsSubstitution(",
                 "true or false; as booleans or numbers, if both are"),
    SUBSTITUTION("not-equals", NOT_EQUALS, 2, 2, "NotEqualsSubstitution(", "the contrary"),
    SUBSTITUTION("if", IF, 2, 3, "IfElseSubstitution(",
                 "the second argument if the first is true, else the third"),
    SUBSTITUTION("file-content", FILE_CONTENT, 1, 1, "FileContent(", "what stands in a file"),
    SUBSTITUTION("log_dir", LOG_DIR, 0, 0, "LaunchLogDir(", "folder of the launch log"),
    SUBSTITUTION("param", PARAM, 1, 2,
                 "Parameter(name=", "what set_parameter has set; or the second argument"),
    SUBSTITUTION("launch_log_dir", LOG_DIR, 0, 0, "LaunchLogDir(", "the same as log_dir"),
    NO_SUBSTITUTION("any", "it cannot be used in XML with ros2 launch; use $(or …)"),
    NO_SUBSTITUTION("all", "it cannot be used in XML with ros2 launch; use $(and …)"),
};

const struct tn_launch__substitution *tn_launch__substitution_at(enum tn_launch__function function)
{
    return &substitutions[function];
}

const struct tn_launch__substitution *tn_launch__find_substitution(const char *name, size_t size)
{
    for (size_t i = 0; i < TN_ARRAY_SIZE(substitutions); i++)
        if (strlen(substitutions[i].name) == size && memcmp(substitutions[i].name, name, size) == 0)
            return &substitutions[i];
    return NULL;
}

/// Whether `path` is parent/element, or just element where there is no parent.
static bool is_path(const char *path, const char *parent, const char *element)
{
    size_t n = parent == NULL ? 0 : strlen(parent);
    if (parent != NULL && (strncmp(path, parent, n) != 0 || path[n++] != '/'))
        return false;
    return strcmp(path + n, element) == 0;
}

const struct tn_launch_item *tn_launch__find_item(const char *parent, const char *element,
                                                  const char *attribute)
{
    for (size_t i = 0; i < TN_ARRAY_SIZE(items); i++) {
        bool is_attribute = items[i].attribute != NULL && attribute != NULL &&
                            strcmp(items[i].attribute, attribute) == 0;
        bool is_element = items[i].attribute == NULL && attribute == NULL;
        if ((is_attribute || is_element) && is_path(items[i].element, parent, element))
            return &items[i];
    }
    return NULL;
}

const struct tn_launch_item *tn_launch_table_at(uint32_t index)
{
    if (index < TN_ARRAY_SIZE(items))
        return &items[index];
    index -= (uint32_t)TN_ARRAY_SIZE(items);
    return index < TN_ARRAY_SIZE(substitutions) ? &substitutions[index].item : NULL;
}
