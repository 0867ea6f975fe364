// SPDX-License-Identifier: Apache-2.0
#include "wire/ros/param_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void fixture_say(struct fixture *f, const char *format, ...)
{
    size_t n = strlen(f->text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(f->text + n, sizeof f->text - n, format, args);
    va_end(args);
}

static void on_changed(void *context, const struct tn_ros_param *param)
{
    struct fixture *f = context;
    size_t n = strlen(f->changed);
    f->n_changed++;
    (void)snprintf(f->changed + n, sizeof f->changed - n, "%s ", param->name);
}

bool fixture_is_ready(void *context)
{
    return tn_ros_param_client_is_ready(((struct fixture *)context)->client);
}

void fixture_open_with(struct fixture *f, int argc, const char *const *argv)
{
    struct tn_error err = {0};
    memset(f, 0, sizeof *f);
    if (tn_loop_create(tn_clock_system(), &f->h.loop, &err) != TN_OK ||
        tn_ros_context_create(f->h.loop, argc, argv, &f->h.context, &err) != TN_OK)
        fail_msg("%s", err.text);
    struct tn_ros_node_options tester = {.name = "tester", .no_parameter_services = true};
    struct tn_ros_node_options options = {
        .name = "dut", .ns = "/ns", .params = table_set(&f->config)};
    options.params.changed = on_changed;
    options.params.context = f;
    if (tn_ros_node_create(f->h.context, &tester, &f->h.node, &err) != TN_OK ||
        tn_ros_node_create(f->h.context, &options, &f->node, &err) != TN_OK ||
        tn_ros_param_client_create(f->h.node, "/ns/dut", &f->client, &err) != TN_OK)
        fail_msg("%s", err.text);
}

void fixture_open(struct fixture *f)
{
    static const char *const argv[] = {"tester", NULL};
    fixture_open_with(f, 1, argv);
    harness_wait(&f->h, fixture_is_ready, f, "the six services are matched");
}

void fixture_close(struct fixture *f)
{
    tn_ros_param_client_destroy(&f->client);
    tn_ros_node_destroy(&f->node);
    harness_close(&f->h);
}

bool fixture_is_done(void *context)
{
    return ((struct fixture *)context)->is_done;
}

void fixture_wait(struct fixture *f, enum tn_result sent)
{
    assert_int_equal(sent, TN_OK);
    harness_wait(&f->h, fixture_is_done, f, "an answer");
    f->is_done = false;
}

static void say_value(struct fixture *f, const struct rcl_interfaces_msg_ParameterValue *value)
{
    char text[256];
    (void)tn_ros_param_value_print(value, text, sizeof text);
    fixture_say(f, "%s %s\n", tn_ros_param_type_label(value->type), text);
}

static void on_get(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_GetParameters_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    for (uint32_t i = 0; i < r->values.size; i++)
        say_value(f, &r->values.data[i]);
}

static void on_types(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_GetParameterTypes_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    for (uint32_t i = 0; i < r->types.size; i++)
        fixture_say(f, "%d ", r->types.data[i]);
}

static void on_list(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_ListParameters_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    for (uint32_t i = 0; i < r->result.names.size; i++)
        if (strncmp(r->result.names.data[i].data, "qos_overrides", 13) != 0)
            fixture_say(f, "%s ", r->result.names.data[i].data);
    fixture_say(f, "|");
    for (uint32_t i = 0; i < r->result.prefixes.size; i++)
        if (strncmp(r->result.prefixes.data[i].data, "qos_overrides", 13) != 0)
            fixture_say(f, " %.*s", (int)r->result.prefixes.data[i].size,
                        r->result.prefixes.data[i].data);
}

void fixture_on_set(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_SetParameters_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    for (uint32_t i = 0; i < r->results.size; i++)
        fixture_say(f, "%d %.*s\n", r->results.data[i].successful,
                    (int)r->results.data[i].reason.size, r->results.data[i].reason.data);
}

static void on_set_atomically(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_SetParametersAtomically_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    fixture_say(f, "%d %.*s", r->result.successful, (int)r->result.reason.size,
                r->result.reason.data);
}

static void on_describe(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_DescribeParameters_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    for (uint32_t i = 0; i < r->descriptors.size; i++) {
        const struct rcl_interfaces_msg_ParameterDescriptor *d = &r->descriptors.data[i];
        fixture_say(f, "%s %d '%s' '%s' %d %d", d->name.data, d->type, d->description.data,
                    d->additional_constraints.data, d->read_only, d->dynamic_typing);
        if (d->floating_point_range.size > 0)
            fixture_say(f, " f %g %g %g", d->floating_point_range.data[0].from_value,
                        d->floating_point_range.data[0].to_value,
                        d->floating_point_range.data[0].step);
        if (d->integer_range.size > 0)
            fixture_say(f, " i %lld %lld %llu", (long long)d->integer_range.data[0].from_value,
                        (long long)d->integer_range.data[0].to_value,
                        (unsigned long long)d->integer_range.data[0].step);
        fixture_say(f, "\n");
    }
}

/// Asks for names that stand in one text, parted by blanks.
static uint32_t split(const char *names, struct tn_str *out, uint32_t max)
{
    uint32_t n = 0;
    while (*names != '\0' && n < max) {
        size_t size = strcspn(names, " ");
        out[n++] = (struct tn_str){names, (uint32_t)size};
        names += size + (names[size] == ' ');
    }
    return n;
}

const char *fixture_get(struct fixture *f, const char *names)
{
    struct tn_str list[32];
    struct rcl_interfaces_srv_GetParameters_Request q = {.names = {list, split(names, list, 32)}};
    f->text[0] = '\0';
    fixture_wait(f, tn_ros_param_client_get(f->client, &q, TIMEOUT_NS, on_get, f));
    return f->text;
}

const char *fixture_types(struct fixture *f, const char *names)
{
    struct tn_str list[32];
    struct rcl_interfaces_srv_GetParameterTypes_Request q = {
        .names = {list, split(names, list, 32)}};
    f->text[0] = '\0';
    fixture_wait(f, tn_ros_param_client_get_types(f->client, &q, TIMEOUT_NS, on_types, f));
    return f->text;
}

const char *fixture_describe(struct fixture *f, const char *names)
{
    struct tn_str list[32];
    struct rcl_interfaces_srv_DescribeParameters_Request q = {
        .names = {list, split(names, list, 32)}};
    f->text[0] = '\0';
    fixture_wait(f, tn_ros_param_client_describe(f->client, &q, TIMEOUT_NS, on_describe, f));
    return f->text;
}

const char *fixture_list(struct fixture *f, const char *prefixes, uint64_t depth)
{
    struct tn_str list[32];
    struct rcl_interfaces_srv_ListParameters_Request q = {
        .prefixes = {list, split(prefixes, list, 32)}, .depth = depth};
    f->text[0] = '\0';
    fixture_wait(f, tn_ros_param_client_list(f->client, &q, TIMEOUT_NS, on_list, f));
    return f->text;
}

/// Parameters that stand as "name=yaml" in a list that ends with NULL.
struct wanted {
    struct tn_arena arena;
    struct rcl_interfaces_msg_Parameter params[32];
    uint32_t n;
};

static void make(struct wanted *w, const char *const *texts)
{
    assert_int_equal(tn_arena_create(&w->arena, 65536), TN_OK);
    for (w->n = 0; texts[w->n] != NULL; w->n++) {
        struct tn_error err = {0};
        const char *assign = strchr(texts[w->n], '=');
        memset(&w->params[w->n], 0, sizeof w->params[w->n]);
        w->params[w->n].name = (struct tn_str){texts[w->n], (uint32_t)(assign - texts[w->n])};
        if (assign[1] != '\0' &&
            tn_ros_param_value_parse(assign + 1, &w->arena, &w->params[w->n].value, &err) != TN_OK)
            fail_msg("%s", err.text);
    }
}

const char *fixture_set(struct fixture *f, const char *const *texts)
{
    struct wanted w;
    make(&w, texts);
    struct rcl_interfaces_srv_SetParameters_Request q = {.parameters = {w.params, w.n}};
    f->text[0] = '\0';
    fixture_wait(f, tn_ros_param_client_set(f->client, &q, TIMEOUT_NS, fixture_on_set, f));
    tn_arena_destroy(&w.arena);
    return f->text;
}

const char *fixture_set_atomically(struct fixture *f, const char *const *texts)
{
    struct wanted w;
    make(&w, texts);
    struct rcl_interfaces_srv_SetParametersAtomically_Request q = {.parameters = {w.params, w.n}};
    f->text[0] = '\0';
    fixture_wait(
        f, tn_ros_param_client_set_atomically(f->client, &q, TIMEOUT_NS, on_set_atomically, f));
    tn_arena_destroy(&w.arena);
    return f->text;
}

void fixture_near(double a, double b)
{
    assert_true(a > b - 1e-12 && a < b + 1e-12);
}
