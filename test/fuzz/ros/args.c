// SPDX-License-Identifier: Apache-2.0
// A command line, arguments separated by newlines, and a name resolved with it.
#include <stdlib.h>
#include <string.h>

#include "ros/args.h"
#include "ros/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *argv[64] = {"prog", "--ros-args"};
    int argc = 2;
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    const char *last = text;
    for (char *p = text; p < text + size && argc < 62; p++)
        if (*p == '\n' || *p == '\0') {
            *p = '\0';
            argv[argc++] = last;
            last = p + 1;
        }

    static struct tn_ros_args args;
    struct tn_error err = {0};
    if (tn_ros_args_parse(argc, argv, &args, &err) == TN_OK) {
        char fqn[TN_ROS_NAME_MAX];
        // an accepted name is absolute and short enough, whatever the rules say
        if (tn_ros_resolve_name(&args, "/ns", "node", last, fqn, &err) == TN_OK &&
            (fqn[0] != '/' || strlen(fqn) > 247))
            abort();
        tn_ros_args_fini(&args);
    } else if (err.text[0] == '\0') {
        abort();
    }
    free(text);
    return 0;
}
