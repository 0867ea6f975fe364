// SPDX-License-Identifier: Apache-2.0
#include "ros/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ros/ros__environment.h"
#include "ros/ros__node.h"

static const char *get_environment(void *context, const char *name)
{
    (void)context;
    return getenv(name);
}

static enum tn_result join(struct tn_ros_context *context, struct tn_error *err)
{
    struct tn_ros__environment *env = malloc(sizeof *env);
    if (env == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the context");
    enum tn_result result =
        tn_ros__environment_read(get_environment, NULL, (long)getpid(), env, err);
    if (result == TN_OK) {
        char user_data[TN_ROS_NAME_MAX + 16];
        (void)snprintf(user_data, sizeof user_data, "enclave=%s;", context->args.enclave);
        struct tn_transport_options options = {
            .domain_id = env->domain_id,
            .config_xml = env->config_xml,
            .user_data = user_data,
        };
        context->forced_gid_size = env->gid_size;
        if (env->warning[0] != '\0')
            TN_WARN(&context->logger, "%s", env->warning);
        result = tn_transport_create(context->loop, &options, &context->transport, err);
    }
    free(env);
    return result;
}

enum tn_result tn_ros_context_create(struct tn_loop *loop, int argc, const char *const *argv,
                                     struct tn_ros_context **out_context, struct tn_error *err)
{
    struct tn_ros_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the context");
    context->loop = loop;
    tn_logger_init(&context->logger, "ros");
    enum tn_result result = tn_ros_args_parse(argc, argv, &context->args, err);
    if (result != TN_OK)
        goto fail;
    if (context->args.log_level != TN_LOG_UNSET)
        tn_log_set_level(context->args.log_level);
    tn_log_set_console(context->args.stdout_enabled);
    result = join(context, err);
    if (result != TN_OK)
        goto fail;
    result = tn_ros__conflicts_open(context, err);
    if (result != TN_OK)
        goto fail;
    result = tn_ros__graph_open(context, err);
    if (result != TN_OK)
        goto fail;
    if (context->args.rosout_enabled) {
        result = tn_ros__rosout_open(context, err);
        if (result != TN_OK)
            goto fail;
    }
    *out_context = context;
    return TN_OK;

fail:
    tn_ros_context_destroy(&context);
    return result;
}

void tn_ros_context_destroy(struct tn_ros_context **context)
{
    struct tn_ros_context *c = *context;
    *context = NULL;
    if (c == NULL)
        return;
    tn_ros__conflicts_close(c);
    tn_ros__rosout_close(c);
    tn_ros__graph_close(c);
    tn_transport_destroy(&c->transport);
    tn_ros_args_fini(&c->args);
    free(c);
}

struct tn_loop *tn_ros_context_loop(const struct tn_ros_context *context)
{
    return context->loop;
}

const struct tn_ros_args *tn_ros_context_args(const struct tn_ros_context *context)
{
    return &context->args;
}

struct tn_transport *tn_ros_context_transport(const struct tn_ros_context *context)
{
    return context->transport;
}

void tn_ros_context_set_mixed(struct tn_ros_context *context, bool is_mixed)
{
    context->is_mixed = is_mixed;
}

bool tn_ros_context_is_mixed(const struct tn_ros_context *context)
{
    return context->is_mixed;
}
