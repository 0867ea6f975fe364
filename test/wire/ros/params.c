// SPDX-License-Identifier: Apache-2.0
// Parameters of a node as another node sees them: the six services, events, QoS overrides, type
// descriptions; both nodes are in this process.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ros/param_client.h"
#include "tn_msgs/std_msgs.h"
#include "wire/ros/harness.h"
#include "wire/ros/param_table.h"

#define TIMEOUT_NS (20 * TN_NS_PER_S)

struct fixture {
    struct harness h;
    struct table_config config;
    struct tn_ros_node *node; ///< the one with parameters, "/ns/dut"
    struct tn_ros_param_client *client;
    bool is_done;
    char text[4096]; ///< what came back, one line each
    uint32_t n_changed;
    char changed[256];
};

static void say(struct fixture *f, const char *format, ...) TN_PRINTF(2, 3);

static void say(struct fixture *f, const char *format, ...)
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

static bool is_ready(void *context)
{
    return tn_ros_param_client_is_ready(((struct fixture *)context)->client);
}

static void open_with(struct fixture *f, int argc, const char *const *argv)
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

static void open(struct fixture *f)
{
    static const char *const argv[] = {"tester", NULL};
    open_with(f, 1, argv);
    harness_wait(&f->h, is_ready, f, "the six services are matched");
}

static void close(struct fixture *f)
{
    tn_ros_param_client_destroy(&f->client);
    tn_ros_node_destroy(&f->node);
    harness_close(&f->h);
}

static bool is_done(void *context)
{
    return ((struct fixture *)context)->is_done;
}

static void wait_answer(struct fixture *f, enum tn_result sent)
{
    assert_int_equal(sent, TN_OK);
    harness_wait(&f->h, is_done, f, "an answer");
    f->is_done = false;
}

static void say_value(struct fixture *f, const struct rcl_interfaces_msg_ParameterValue *value)
{
    char text[256];
    (void)tn_ros_param_value_print(value, text, sizeof text);
    say(f, "%s %s\n", tn_ros_param_type_label(value->type), text);
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
        say(f, "%d ", r->types.data[i]);
}

static void on_list(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_ListParameters_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    for (uint32_t i = 0; i < r->result.names.size; i++)
        if (strncmp(r->result.names.data[i].data, "qos_overrides", 13) != 0)
            say(f, "%s ", r->result.names.data[i].data);
    say(f, "|");
    for (uint32_t i = 0; i < r->result.prefixes.size; i++)
        if (strncmp(r->result.prefixes.data[i].data, "qos_overrides", 13) != 0)
            say(f, " %.*s", (int)r->result.prefixes.data[i].size, r->result.prefixes.data[i].data);
}

static void on_set(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_SetParameters_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    for (uint32_t i = 0; i < r->results.size; i++)
        say(f, "%d %.*s\n", r->results.data[i].successful, (int)r->results.data[i].reason.size,
            r->results.data[i].reason.data);
}

static void on_set_atomically(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_SetParametersAtomically_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    say(f, "%d %.*s", r->result.successful, (int)r->result.reason.size, r->result.reason.data);
}

static void on_describe(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_DescribeParameters_Response *r = response;
    f->is_done = true;
    assert_non_null(r);
    for (uint32_t i = 0; i < r->descriptors.size; i++) {
        const struct rcl_interfaces_msg_ParameterDescriptor *d = &r->descriptors.data[i];
        say(f, "%s %d '%s' '%s' %d %d", d->name.data, d->type, d->description.data,
            d->additional_constraints.data, d->read_only, d->dynamic_typing);
        if (d->floating_point_range.size > 0)
            say(f, " f %g %g %g", d->floating_point_range.data[0].from_value,
                d->floating_point_range.data[0].to_value, d->floating_point_range.data[0].step);
        if (d->integer_range.size > 0)
            say(f, " i %lld %lld %llu", (long long)d->integer_range.data[0].from_value,
                (long long)d->integer_range.data[0].to_value,
                (unsigned long long)d->integer_range.data[0].step);
        say(f, "\n");
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

static const char *get(struct fixture *f, const char *names)
{
    struct tn_str list[32];
    struct rcl_interfaces_srv_GetParameters_Request q = {.names = {list, split(names, list, 32)}};
    f->text[0] = '\0';
    wait_answer(f, tn_ros_param_client_get(f->client, &q, TIMEOUT_NS, on_get, f));
    return f->text;
}

static const char *types(struct fixture *f, const char *names)
{
    struct tn_str list[32];
    struct rcl_interfaces_srv_GetParameterTypes_Request q = {
        .names = {list, split(names, list, 32)}};
    f->text[0] = '\0';
    wait_answer(f, tn_ros_param_client_get_types(f->client, &q, TIMEOUT_NS, on_types, f));
    return f->text;
}

static const char *describe(struct fixture *f, const char *names)
{
    struct tn_str list[32];
    struct rcl_interfaces_srv_DescribeParameters_Request q = {
        .names = {list, split(names, list, 32)}};
    f->text[0] = '\0';
    wait_answer(f, tn_ros_param_client_describe(f->client, &q, TIMEOUT_NS, on_describe, f));
    return f->text;
}

static const char *list(struct fixture *f, const char *prefixes, uint64_t depth)
{
    struct tn_str list[32];
    struct rcl_interfaces_srv_ListParameters_Request q = {
        .prefixes = {list, split(prefixes, list, 32)}, .depth = depth};
    f->text[0] = '\0';
    wait_answer(f, tn_ros_param_client_list(f->client, &q, TIMEOUT_NS, on_list, f));
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

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *set(struct fixture *f, const char *const *texts)
{
    struct wanted w;
    make(&w, texts);
    struct rcl_interfaces_srv_SetParameters_Request q = {.parameters = {w.params, w.n}};
    f->text[0] = '\0';
    wait_answer(f, tn_ros_param_client_set(f->client, &q, TIMEOUT_NS, on_set, f));
    tn_arena_destroy(&w.arena);
    return f->text;
}

static const char *set_atomically(struct fixture *f, const char *const *texts)
{
    struct wanted w;
    make(&w, texts);
    struct rcl_interfaces_srv_SetParametersAtomically_Request q = {.parameters = {w.params, w.n}};
    f->text[0] = '\0';
    wait_answer(
        f, tn_ros_param_client_set_atomically(f->client, &q, TIMEOUT_NS, on_set_atomically, f));
    tn_arena_destroy(&w.arena);
    return f->text;
}

static void near(double a, double b)
{
    assert_true(a > b - 1e-12 && a < b + 1e-12);
}

// ---- reading ----

static void values_types_and_descriptors_are_told(void **state)
{
    (void)state;
    struct fixture f;
    open(&f);
    assert_string_equal(get(&f, "on count rate mode gains ids words flags raw limits.name"),
                        "Boolean value is: False\n"
                        "Integer value is: 4\n"
                        "Double value is: 120.0\n"
                        "String value is: hold\n"
                        "Double values are: array('d', [1.0, 2.0])\n"
                        "Integer values are: array('q')\n"
                        "String values are: ['a', '1']\n"
                        "Boolean values are: [True, False]\n"
                        "Byte values are: [b'\\x01', b'\\xff']\n"
                        "String value is: \n");
    assert_string_equal(types(&f, "on count rate mode gains ids words flags raw use_sim_time"),
                        "1 2 3 4 8 7 9 6 5 1 ");
    assert_string_equal(describe(&f, "count rate fixed mode gains limits.name use_sim_time"),
                        "count 2 'Count.' '' 0 0 i 0 11 2\n"
                        "rate 3 'Rate.' 'unit: Hz' 0 0 f 0.5 1000 0\n"
                        "fixed 2 'Fixed.' '' 1 0\n"
                        "mode 4 'Mode.' 'one of: hold|open|limp' 0 0\n"
                        "gains 8 'Gains.' 'at most 4 elements' 0 0 f -10 10 0\n"
                        "limits.name 4 'Name.' 'at most 15 characters' 0 0\n"
                        "use_sim_time 1 'true: ROS time is what /clock says' '' 0 0\n");
    // as rclcpp: one unknown name, and nothing is answered
    assert_string_equal(get(&f, "on nonsense"), "");
    assert_string_equal(types(&f, "nonsense on"), "");
    assert_string_equal(describe(&f, "on on nonsense"), "");
    assert_string_equal(get(&f, ""), "");
    assert_string_equal(get(&f, "on on"), "Boolean value is: False\nBoolean value is: False\n");
    close(&f);
}

static void lists_follow_prefix_and_depth(void **state)
{
    (void)state;
    struct fixture f;
    open(&f);
#define FLAT "count fixed flags gains ids "
    assert_string_equal(list(&f, "", 0),
                        FLAT "limits.joint.speed limits.name mode on rate raw "
                             "start_type_description_service use_sim_time words | limits.joint "
                             "limits");
    assert_string_equal(list(&f, "", 1), FLAT "mode on rate raw start_type_description_service "
                                              "use_sim_time words |");
    assert_string_equal(list(&f, "", 2), FLAT "limits.name mode on rate raw "
                                              "start_type_description_service use_sim_time words "
                                              "| limits");
    assert_string_equal(list(&f, "limits", 0),
                        "limits.joint.speed limits.name | limits.joint limits");
    assert_string_equal(list(&f, "limits", 1), "limits.name | limits");
    assert_string_equal(list(&f, "limits.joint", 1), "limits.joint.speed | limits.joint");
    assert_string_equal(list(&f, "limits.name mode", 5), "limits.name mode | limits");
    assert_string_equal(list(&f, "limit", 0), "|");
    assert_string_equal(list(&f, "limits.", 0), "|");
    assert_string_equal(list(&f, "limits", UINT64_MAX),
                        "limits.joint.speed limits.name | limits.joint limits");
    close(&f);
}

// ---- setting ----

static void values_are_set_one_by_one(void **state)
{
    (void)state;
    struct fixture f;
    open(&f);
    assert_string_equal(
        set(&f, TEXTS("rate=20.5", "nonsense=1", "fixed=1", "count=3", "count=11", "rate=7",
                      "mode=open", "mode=shut", "gains=[1.0, 2.0, 3.0]", "gains=[11.0]",
                      "gains=[1.0, 1.0, 1.0, 1.0, 1.0]", "words=[x, z]", "flags=[true]",
                      "ids=[1, 2]", "limits.name=0123456789abcdef", "use_sim_time=true",
                      "start_type_description_service=false", "on=", "rate=.nan", "rate=.inf",
                      "limits.joint.speed=.inf")),
        "1 \n"
        "0 parameter 'nonsense' cannot be set because it was not declared\n"
        "0 parameter 'fixed' cannot be set because it is read-only\n"
        "0 Parameter {count} doesn't comply with integer range. Found 3, allowed are 0 to 11 in "
        "steps of 2.\n"
        "1 \n"
        "0 Wrong parameter type, parameter {rate} is of type {double}, setting it to {integer} is "
        "not allowed.\n"
        "1 \n"
        "0 Parameter {mode} is \"shut\"; allowed are hold|open|limp.\n"
        "1 \n"
        "0 Parameter {gains} doesn't comply with floating point range. Found 11, allowed are -10 "
        "to 10.\n"
        "0 Parameter {gains} has 5 elements; at most 4 are allowed.\n"
        "1 \n"
        "1 \n"
        "1 \n"
        "0 Parameter {limits.name} has 16 characters; at most 15 are allowed.\n"
        "1 \n"
        "0 parameter 'start_type_description_service' cannot be set because it is read-only\n"
        "0 cannot undeclare a statically typed parameter\n"
        "0 Parameter {rate} doesn't comply with floating point range. Found nan, allowed are 0.5 "
        "to 1000 Hz.\n"
        "0 Parameter {rate} doesn't comply with floating point range. Found inf, allowed are 0.5 "
        "to 1000 Hz.\n"
        "0 Parameter {limits.joint.speed} must be finite: found inf, which is no number to compute "
        "with.\n");
    near(f.config.rate, 20.5);
    assert_int_equal(f.config.count, 11);
    assert_string_equal(f.config.mode, "open");
    assert_int_equal(f.config.gains.size, 3);
    assert_int_equal(f.config.flags.size, 1);
    assert_string_equal(f.config.words.data[1], "z");
    // the node is told of what was set, and of nothing else
    assert_string_equal(f.changed, "rate count mode gains words flags ids ");
    // the node's own check sees the whole candidate
    assert_string_equal(set(&f, TEXTS("on=true", "rate=5.0", "rate=10.0")),
                        "1 \n0 on needs a rate of 10 Hz\n1 \n");
    assert_string_equal(set(&f, (const char *const[]){NULL}), "");
    close(&f);
}

static void an_atomic_set_is_all_or_nothing(void **state)
{
    (void)state;
    struct fixture f;
    open(&f);
    struct table_config before;
    memcpy(&before, &f.config, sizeof before);
    static const struct {
        const char *texts[4];
        const char *answer;
    } cases[] = {
        {{"rate=50.0", "nonsense=1"}, "0 One or more parameters were not declared before setting"},
        {{"rate=50.0", "fixed=1"}, "0 parameter 'fixed' cannot be set because it is read-only"},
        // names are judged before values
        {{"rate=true", "fixed=1"}, "0 parameter 'fixed' cannot be set because it is read-only"},
        {{"rate=50.0", "mode=shut"}, "0 Parameter {mode} is \"shut\"; allowed are hold|open|limp."},
        {{"gains=[9.0]", "on=true", "rate=5.0"}, "0 on needs a rate of 10 Hz"},
        {{"use_sim_time=true", "rate=5000.0"},
         "0 Parameter {rate} doesn't comply with floating point range. Found 5000, allowed are 0.5 "
         "to 1000 Hz."},
        {{NULL},
         "0 parameter list cannot be empty, this might be due to pre_set_parameters_callback "
         "modifying the original parameters list."},
        {{"=1"}, "0 parameter name must not be empty"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        assert_string_equal(set_atomically(&f, cases[i].texts), cases[i].answer);
        assert_memory_equal(&before, &f.config, sizeof before);
        assert_string_equal(get(&f, "use_sim_time"), "Boolean value is: False\n");
    }
    assert_int_equal(f.n_changed, 0);

    // a name twice in one set: the last value wins, and the whole is judged by it
    assert_string_equal(
        set_atomically(&f, TEXTS("rate=5.0", "on=true", "rate=60.0", "use_sim_time=true")), "1 ");
    near(f.config.rate, 60.0);
    assert_true(f.config.on);
    assert_string_equal(f.changed, "rate on rate ");
    assert_string_equal(get(&f, "use_sim_time"), "Boolean value is: True\n");
    close(&f);
}

// ---- events ----

struct events {
    struct fixture *f;
    uint32_t n, n_late, n_new, n_changed, n_deleted, n_wrong;
    char changed[256];
};

static void on_event(void *context, const void *data, const struct tn_ros_message_info *info)
{
    struct events *e = context;
    const struct rcl_interfaces_msg_ParameterEvent *m = data;
    (void)info;
    if (tn_str_is(m->node, "/ns/late"))
        e->n_late += m->new_parameters.size;
    if (!tn_str_is(m->node, "/ns/dut"))
        return;
    e->n++;
    e->n_wrong += m->stamp.sec < 1000000000;
    e->n_new += m->new_parameters.size;
    e->n_changed += m->changed_parameters.size;
    e->n_deleted += m->deleted_parameters.size;
    for (uint32_t i = 0; i < m->changed_parameters.size; i++) {
        size_t n = strlen(e->changed);
        (void)snprintf(e->changed + n, sizeof e->changed - n, "%s:%d ",
                       m->changed_parameters.data[i].name.data,
                       m->changed_parameters.data[i].value.type);
    }
}

static bool has_new(void *context)
{
    return ((struct events *)context)->n_new > 0;
}

static bool has_late(void *context)
{
    return ((struct events *)context)->n_late > 0;
}

static bool has_all_changes(void *context)
{
    return ((struct events *)context)->n_changed >= 4;
}

static void events_tell_new_and_changed_parameters(void **state)
{
    (void)state;
    struct fixture f;
    struct events e = {.f = &f};
    struct tn_error err = {0};
    struct tn_ros_subscription *subscription = NULL;
    struct tn_ros_publisher *publisher = NULL;
    open(&f);
    // what it has at start is told in the first pass, to nobody
    harness_run(&f.h, TN_NS_PER_S / 50);
    assert_int_equal(tn_ros_subscription_create(f.h.node, &rcl_interfaces_msg_ParameterEvent_type,
                                                "/parameter_events", tn_ros_qos_default(1000),
                                                on_event, &e, &subscription, &err),
                     TN_OK);
    while (tn_ros_subscription_matched(subscription) == 0)
        harness_run(&f.h, TN_NS_PER_S / 100);
    // a publisher declares its QoS
    assert_int_equal(tn_ros_publisher_create(f.node, &std_msgs_msg_String_type, "chatter",
                                             tn_ros_qos_default(3), &publisher, &err),
                     TN_OK);
    harness_wait(&f.h, has_new, &e, "new parameters");
    assert_int_equal(e.n_new, 9);
    (void)set(&f, TEXTS("rate=50.0", "nonsense=1", "fixed=1", "mode=open"));
    (void)set_atomically(&f, TEXTS("count=2", "use_sim_time=false"));
    harness_wait(&f.h, has_all_changes, &e, "changed parameters");
    assert_string_equal(e.changed, "rate:3 mode:4 count:2 use_sim_time:1 ");
    assert_int_equal(e.n_wrong, 0);
    assert_int_equal(e.n_deleted, 0);
    assert_int_equal(e.n, 4);

    // a node that starts tells all it has: its own, the built-in ones, the QoS of its events
    struct table_config config = {0};
    struct tn_ros_node *late = NULL;
    struct tn_ros_node_options options = {
        .name = "late", .ns = "/ns", .params = table_set(&config), .no_parameter_services = true};
    assert_int_equal(tn_ros_node_create(f.h.context, &options, &late, &err), TN_OK);
    harness_wait(&f.h, has_late, &e, "the parameters of a late node");
    assert_int_equal(e.n_late, TN_ARRAY_SIZE(table_rows) + 2 + 9);
    tn_ros_node_destroy(&late);
    close(&f);
}

// ---- QoS overrides ----

static void qos_overrides_are_applied_and_declared(void **state)
{
    (void)state;
    static const char *const argv[] = {
        "tester", "--ros-args",
        "-p",     "dut:qos_overrides./ns/chatter.publisher.depth:=42",
        "-p",     "dut:qos_overrides./ns/chatter.publisher.reliability:=best_effort",
        "-p",     "dut:qos_overrides./ns/chatter.subscription.durability:=transient_local",
        "-p",     "dut:qos_overrides./ns/chatter.publisher.deadline:=500000000",
        "-p",     "dut:qos_overrides./parameter_events.publisher.depth:=5",
        "-p",     "qos_overrides./ns/wish.publisher.reliability:=best_available",
        "-p",     "qos_overrides./ns/wish.publisher.history:=system_default",
        "-p",     "qos_overrides./ns/wish.publisher.deadline:=9223372036854775807",
        "-p",     "qos_overrides./ns/wish.publisher.depth:=0"};
    struct fixture f;
    struct tn_error err = {0};
    struct tn_ros_publisher *publisher = NULL, *second = NULL, *wish = NULL;
    struct tn_ros_subscription *subscription = NULL;
    open_with(&f, TN_ARRAY_SIZE(argv), argv);
    assert_int_equal(tn_ros_publisher_create(f.node, &std_msgs_msg_String_type, "wish",
                                             tn_ros_qos_default(3), &wish, &err),
                     TN_OK);
    assert_int_equal(tn_ros_publisher_create(f.node, &std_msgs_msg_String_type, "chatter",
                                             tn_ros_qos_default(3), &publisher, &err),
                     TN_OK);
    assert_int_equal(tn_ros_publisher_create(f.node, &std_msgs_msg_String_type, "chatter",
                                             tn_ros_qos_default(3), &second, &err),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create_raw(f.node, &std_msgs_msg_String_type, "chatter",
                                                    tn_ros_qos_sensor_data(), NULL, NULL,
                                                    &subscription, &err),
                     TN_OK);
    harness_wait(&f.h, is_ready, &f, "the six services are matched");
#define P "qos_overrides./ns/chatter.publisher."
#define S "qos_overrides./ns/chatter.subscription."
    assert_string_equal(get(&f,
                            P "depth " P "reliability " P "durability " P "deadline " P "history " P
                              "liveliness " P "lifespan " P "avoid_ros_namespace_conventions"),
                        "Integer value is: 42\nString value is: best_effort\n"
                        "String value is: volatile\nInteger value is: 500000000\n"
                        "String value is: keep_last\nString value is: automatic\n"
                        "Integer value is: 0\nBoolean value is: False\n");
    assert_string_equal(get(&f, S "depth " S "reliability " S "durability"),
                        "Integer value is: 5\nString value is: best_effort\n"
                        "String value is: transient_local\n");
    assert_string_equal(get(&f, S "lifespan"), "");
#define W "qos_overrides./ns/wish.publisher."
    assert_string_equal(get(&f, W "depth " W "reliability " W "history " W "deadline"),
                        "Integer value is: 1\nString value is: best_available\n"
                        "String value is: system_default\nInteger value is: 0\n");
    assert_string_equal(get(&f, "qos_overrides./parameter_events.publisher.depth"),
                        "Integer value is: 5\n");
    assert_string_equal(set(&f, TEXTS(P "depth=1")),
                        "0 parameter '" P "depth' cannot be set because it is read-only\n");
    assert_string_equal(describe(&f, P "depth"),
                        P "depth 2 'qos policy {depth} for publisher {/ns/chatter}' '' 1 0 i 0 "
                          "2147483647 0\n");
    // transient local cannot be had from a volatile writer
    harness_run(&f.h, TN_NS_PER_S / 2);
    assert_int_equal(tn_ros_publisher_matched(publisher), 0);
    assert_int_equal(tn_ros_subscription_matched(subscription), 0);
    close(&f);
}

static void bad_qos_overrides_stop_the_node(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *reason;
    } cases[] = {
        {"qos_overrides./a.publisher.depth:=-1", "0 to 2.14748e+09"},
        {"qos_overrides./a.publisher.depth:=many", "expected integer"},
        {"qos_overrides./a.publisher.history:=keep_some", "system_default|keep_last|keep_all"},
        {"qos_overrides./a.publisher.reliability:=true", "expected string"},
        {"qos_overrides./a.subscription.lifespan:=1", "is no QoS override"},
        {"qos_overrides./a.publisher.dept:=1", "is no QoS override"},
        {"qos_overrides./a.reader.depth:=1", "is no QoS override"},
        {"qos_overrides.a.publisher.depth:=1", "is no QoS override"},
        {"qos_overrides./a.publisher.deadline:=[1, 2]", "a list"},
        {"qos_overrides./a.publisher.lifespan:=1.5", "expected integer"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct fixture f;
        struct tn_error err = {0};
        const char *argv[] = {"tester", "--ros-args", "-p", cases[i].rule};
        memset(&f, 0, sizeof f);
        assert_int_equal(tn_loop_create(tn_clock_system(), &f.h.loop, &err), TN_OK);
        assert_int_equal(tn_ros_context_create(f.h.loop, 4, argv, &f.h.context, &err), TN_OK);
        struct tn_ros_node_options options = {.name = "dut"};
        if (tn_ros_node_create(f.h.context, &options, &f.node, &err) == TN_OK ||
            strstr(err.text, cases[i].reason) == NULL || strstr(err.text, "qos_overrides") == NULL)
            fail_msg("%s: %s", cases[i].rule, err.text);
        harness_close(&f.h);
    }
}

// ---- dump and load ----

struct dump {
    bool is_done;
    char text[16384];
};

static void on_dump(void *context, const char *yaml, size_t size, enum tn_result result)
{
    struct dump *dump = context;
    assert_int_equal(result, TN_OK);
    assert_int_equal(strlen(yaml), size);
    (void)snprintf(dump->text, sizeof dump->text, "%s", yaml);
    dump->is_done = true;
}

static bool is_dumped(void *context)
{
    return ((struct dump *)context)->is_done;
}

static void a_dump_can_be_loaded(void **state)
{
    (void)state;
    struct fixture f;
    struct dump dump = {.is_done = false};
    struct tn_error err = {0};
    open(&f);
    (void)set(&f, TEXTS("limits.name=yes", "rate=0.5", "words=['', 'a b', 'no', 'x: y', '1.5']"));
    (void)set(&f, TEXTS("limits.name='yes'", "gains=[1e-05, 1e-07]"));
    assert_int_equal(tn_ros_param_client_dump(f.client, TIMEOUT_NS, on_dump, &dump), TN_OK);
    assert_int_equal(tn_ros_param_client_dump(f.client, TIMEOUT_NS, on_dump, &dump), TN_ERR_BUSY);
    harness_wait(&f.h, is_dumped, &dump, "the dump");
    char *qos = strstr(dump.text, "    qos_overrides:");
    char *behind = strstr(dump.text, "    rate:");
    assert_non_null(qos);
    assert_non_null(behind);
    memmove(qos, behind, strlen(behind) + 1);
    assert_string_equal(dump.text, "/ns/dut:\n"
                                   "  ros__parameters:\n"
                                   "    count: 4\n"
                                   "    fixed: 7\n"
                                   "    flags:\n"
                                   "    - true\n"
                                   "    - false\n"
                                   "    gains:\n"
                                   "    - 1.0e-05\n"
                                   "    - 1.0e-07\n"
                                   "    ids: []\n"
                                   "    limits:\n"
                                   "      joint:\n"
                                   "        speed: 1.5\n"
                                   "      name: 'yes'\n"
                                   "    mode: hold\n"
                                   "    'on': false\n"
                                   "    rate: 0.5\n"
                                   "    raw:\n"
                                   "    - 1\n"
                                   "    - 255\n"
                                   "    start_type_description_service: true\n"
                                   "    use_sim_time: false\n"
                                   "    words:\n"
                                   "    - a\n"
                                   "    - '1'\n");

    // back again, as a file that also has sections for others
    char path[] = "/tmp/tn_dump_XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    (void)fprintf(file,
                  "/**:\n  ros__parameters: {rate: 77.0, mode: limp}\n"
                  "/other:\n  ros__parameters: {rate: 1.0}\n%s",
                  dump.text);
    assert_int_equal(fclose(file), 0);
    struct tn_arena arena;
    struct rcl_interfaces_srv_SetParameters_Request q;
    assert_int_equal(tn_arena_create(&arena, 1 << 20), TN_OK);
    assert_int_equal(tn_ros_param_file_read(path, "/ns/dut", true, &arena, &q, &err), TN_OK);
    assert_int_equal(q.parameters.size, 14);
    assert_true(tn_str_is(q.parameters.data[0].name, "rate"));
    near(q.parameters.data[0].value.double_value, 0.5);
    f.text[0] = '\0';
    wait_answer(&f, tn_ros_param_client_set(f.client, &q, TIMEOUT_NS, on_set, &f));
    near(f.config.rate, 0.5);
    assert_int_equal(tn_ros_param_file_read(path, "/nobody", false, &arena, &q, &err),
                     TN_ERR_NOT_FOUND);
    tn_arena_destroy(&arena);
    (void)remove(path);
    close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_types_and_descriptors_are_told),
        cmocka_unit_test(lists_follow_prefix_and_depth),
        cmocka_unit_test(values_are_set_one_by_one),
        cmocka_unit_test(an_atomic_set_is_all_or_nothing),
        cmocka_unit_test(events_tell_new_and_changed_parameters),
        cmocka_unit_test(qos_overrides_are_applied_and_declared),
        cmocka_unit_test(bad_qos_overrides_stop_the_node),
        cmocka_unit_test(a_dump_can_be_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
