// SPDX-License-Identifier: Apache-2.0
// A parameter file; values that arrive are put into arrays as a node's table would.
#include <stdlib.h>
#include <string.h>

#include "ros/ros__param.h"
#include "ros/ros__yaml.h"

struct config {
    double number;
    int64_t integer;
    bool flag;
    char text[16];
    struct tn_ros_double_array doubles;
    struct tn_ros_string_array strings;
};

static enum tn_result on_param(void *context, const char *node, const char *name,
                               const struct tn_ros__yaml_value *value)
{
    unsigned *sum = context;
    // every view must be readable and end in NUL
    for (uint32_t i = 0; i < value->n_items && i < TN_ROS__YAML_ITEMS_MAX; i++)
        *sum += (unsigned)strlen(value->items[i].text);
    *sum += (unsigned)(strlen(node) + strlen(name));
    (void)tn_ros__match_node(node, "/a/b");
    return TN_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tn_ros_param table[] = {
        {.name = "n",
         .type = TN_ROS_PARAM_DOUBLE,
         .offset = offsetof(struct config, number),
         .default_yaml = "1.0",
         .min = -5,
         .max = 5,
         .unit = "",
         .text = ""},
        {.name = "i",
         .type = TN_ROS_PARAM_INTEGER,
         .offset = offsetof(struct config, integer),
         .default_yaml = "1",
         .unit = "",
         .text = ""},
        {.name = "b",
         .type = TN_ROS_PARAM_BOOL,
         .offset = offsetof(struct config, flag),
         .default_yaml = "true",
         .unit = "",
         .text = ""},
        {.name = "s",
         .type = TN_ROS_PARAM_STRING,
         .offset = offsetof(struct config, text),
         .capacity = 16,
         .default_yaml = "a",
         .unit = "",
         .text = ""},
        {.name = "d",
         .type = TN_ROS_PARAM_DOUBLE_ARRAY,
         .offset = offsetof(struct config, doubles),
         .capacity = 8,
         .default_yaml = "[]",
         .unit = "",
         .text = ""},
        {.name = "l",
         .type = TN_ROS_PARAM_STRING_ARRAY,
         .offset = offsetof(struct config, strings),
         .capacity = 8,
         .default_yaml = "[]",
         .unit = "",
         .text = ""},
    };
    unsigned sum = 0;
    struct tn_error err = {0};
    enum tn_result result =
        tn_ros__yaml_read_params((const char *)data, size, "f", on_param, &sum, &err);
    if (result != TN_OK && err.text[0] == '\0')
        abort();

    // the same bytes as the value of each parameter
    struct config config = {.number = 1.0};
    struct tn_ros_param_set set = {.table = table,
                                   .n_params = TN_ARRAY_SIZE(table),
                                   .config = &config,
                                   .config_size = sizeof config};
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    for (uint32_t i = 0; i < set.n_params; i++)
        (void)tn_ros_params_set_yaml(&set, table[i].name, text, NULL);
    // what got in is within its limits
    if (!(config.number >= -5.0 && config.number <= 5.0) || config.doubles.size > 8 ||
        config.strings.size > 8 || memchr(config.text, '\0', sizeof config.text) == NULL)
        abort();
    free(text);
    return 0;
}
