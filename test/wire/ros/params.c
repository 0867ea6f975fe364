// SPDX-License-Identifier: Apache-2.0
// Parameters of a node as another node in the same process sees them: reading, setting, requests
// that mean no good.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/ros/param_fixture.h"

// ---- reading ----

static void values_types_and_descriptors_are_told(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    assert_string_equal(fixture_get(&f, "on count rate mode gains ids words flags raw limits.name"),
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
    assert_string_equal(
        fixture_types(&f, "on count rate mode gains ids words flags raw use_sim_time"),
        "1 2 3 4 8 7 9 6 5 1 ");
    assert_string_equal(
        fixture_describe(&f, "count rate fixed mode gains limits.name use_sim_time"),
        "count 2 'Count.' '' 0 0 i 0 11 2\n"
        "rate 3 'Rate.' 'unit: Hz' 0 0 f 0.5 1000 0\n"
        "fixed 2 'Fixed.' '' 1 0\n"
        "mode 4 'Mode.' 'one of: hold|open|limp' 0 0\n"
        "gains 8 'Gains.' 'at most 4 elements' 0 0 f -10 10 0\n"
        "limits.name 4 'Name.' 'at most 15 characters' 0 0\n"
        "use_sim_time 1 'true: ROS time is what /clock says' '' 0 0\n");
    // as rclcpp: one unknown name, and nothing is answered
    assert_string_equal(fixture_get(&f, "on nonsense"), "");
    assert_string_equal(fixture_types(&f, "nonsense on"), "");
    assert_string_equal(fixture_describe(&f, "on on nonsense"), "");
    assert_string_equal(fixture_get(&f, ""), "");
    assert_string_equal(fixture_get(&f, "on on"),
                        "Boolean value is: False\nBoolean value is: False\n");
    fixture_close(&f);
}

static void lists_follow_prefix_and_depth(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
#define FLAT "count fixed flags gains ids "
    assert_string_equal(fixture_list(&f, "", 0),
                        FLAT "limits.joint.speed limits.name mode on rate raw "
                             "start_type_description_service use_sim_time words | limits.joint "
                             "limits");
    assert_string_equal(fixture_list(&f, "", 1),
                        FLAT "mode on rate raw start_type_description_service "
                             "use_sim_time words |");
    assert_string_equal(fixture_list(&f, "", 2),
                        FLAT "limits.name mode on rate raw "
                             "start_type_description_service use_sim_time words "
                             "| limits");
    assert_string_equal(fixture_list(&f, "limits", 0),
                        "limits.joint.speed limits.name | limits.joint limits");
    assert_string_equal(fixture_list(&f, "limits", 1), "limits.name | limits");
    assert_string_equal(fixture_list(&f, "limits.joint", 1), "limits.joint.speed | limits.joint");
    assert_string_equal(fixture_list(&f, "limits.name mode", 5), "limits.name mode | limits");
    assert_string_equal(fixture_list(&f, "limit", 0), "|");
    assert_string_equal(fixture_list(&f, "limits.", 0), "|");
    assert_string_equal(fixture_list(&f, "limits", UINT64_MAX),
                        "limits.joint.speed limits.name | limits.joint limits");
    fixture_close(&f);
}

// ---- setting ----

static void values_are_set_one_by_one(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    assert_string_equal(
        fixture_set(&f, TEXTS("rate=20.5", "nonsense=1", "fixed=1", "count=3", "count=11", "rate=7",
                              "mode=open", "mode=shut", "gains=[1.0, 2.0, 3.0]", "gains=[11.0]",
                              "gains=[1.0, 1.0, 1.0, 1.0, 1.0]", "words=[x, z]", "flags=[true]",
                              "ids=[1, 2]", "limits.name=0123456789abcdef", "use_sim_time=true",
                              "start_type_description_service=false", "on=", "rate=.nan",
                              "rate=.inf", "limits.joint.speed=.inf")),
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
    fixture_near(f.config.rate, 20.5);
    assert_int_equal(f.config.count, 11);
    assert_string_equal(f.config.mode, "open");
    assert_int_equal(f.config.gains.size, 3);
    assert_int_equal(f.config.flags.size, 1);
    assert_string_equal(f.config.words.data[1], "z");
    // the node is told of what was set, and of nothing else
    assert_string_equal(f.changed, "rate count mode gains words flags ids ");
    // the node's own check sees the whole candidate
    assert_string_equal(fixture_set(&f, TEXTS("on=true", "rate=5.0", "rate=10.0")),
                        "1 \n0 on needs a rate of 10 Hz\n1 \n");
    assert_string_equal(fixture_set(&f, (const char *const[]){NULL}), "");
    fixture_close(&f);
}

static void an_atomic_set_is_all_or_nothing(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
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
        assert_string_equal(fixture_set_atomically(&f, cases[i].texts), cases[i].answer);
        assert_memory_equal(&before, &f.config, sizeof before);
        assert_string_equal(fixture_get(&f, "use_sim_time"), "Boolean value is: False\n");
    }
    assert_int_equal(f.n_changed, 0);

    // a name twice in one set: the last value wins, and the whole is judged by it
    assert_string_equal(
        fixture_set_atomically(&f, TEXTS("rate=5.0", "on=true", "rate=60.0", "use_sim_time=true")),
        "1 ");
    fixture_near(f.config.rate, 60.0);
    assert_true(f.config.on);
    assert_string_equal(f.changed, "rate on rate ");
    assert_string_equal(fixture_get(&f, "use_sim_time"), "Boolean value is: True\n");
    fixture_close(&f);
}

// ---- hostile requests ----

static void fill_names(struct tn_str *names, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        names[i] = tn_str_from(name);
}

static void on_count(void *context, const void *response)
{
    struct fixture *f = context;
    const struct rcl_interfaces_srv_GetParameters_Response *r = response;
    f->is_done = true;
    fixture_say(f, "%u", r == NULL ? 9999999 : r->values.size);
}

static void on_any(void *context, const void *response)
{
    (void)response;
    ((struct fixture *)context)->is_done = true;
}

/// What is too much is answered with nothing, or not at all; what fits is answered whole; the node
/// goes on either way.
static void huge_requests_do_no_harm(void **state)
{
    (void)state;
    enum { N_MAX = 200000 };
    static const uint32_t sizes[] = {1000, 5000, 20000, N_MAX};
    struct fixture f;
    struct tn_str *names = calloc(N_MAX, sizeof *names);
    fixture_open(&f);
    assert_non_null(names);
    fill_names(names, N_MAX, "mode");
    for (size_t i = 0; i < TN_ARRAY_SIZE(sizes); i++) {
        struct rcl_interfaces_srv_GetParameters_Request q = {.names = {names, sizes[i]}};
        struct rcl_interfaces_srv_ListParameters_Request l = {.prefixes = {names, sizes[i]}};
        f.text[0] = '\0';
        f.is_done = false;
        fixture_wait(&f, tn_ros_param_client_get(f.client, &q, TN_NS_PER_S, on_count, &f));
        bool is_nothing = strcmp(f.text, "0") == 0 || strcmp(f.text, "9999999") == 0;
        assert_true(i == 0 ? strcmp(f.text, "1000") == 0 : is_nothing);
        enum tn_result sent = tn_ros_param_client_list(f.client, &l, TN_NS_PER_S, on_any, &f);
        assert_int_equal(sent, TN_OK);
        harness_wait(&f.h, fixture_is_done, &f, "an answer or none");
        f.is_done = false;
        assert_string_equal(fixture_get(&f, "mode"), "String value is: hold\n");
    }

    // a name as long as a message may be
    char *text = malloc(N_MAX + 1);
    assert_non_null(text);
    memset(text, 'x', N_MAX);
    text[N_MAX] = '\0';
    struct rcl_interfaces_msg_Parameter param = {
        .name = {text, N_MAX}, .value = {.type = TN_ROS_PARAM_STRING, .string_value = {text, 9}}};
    struct rcl_interfaces_srv_SetParameters_Request q = {.parameters = {&param, 1}};
    f.text[0] = '\0';
    fixture_wait(&f, tn_ros_param_client_set(f.client, &q, TIMEOUT_NS, fixture_on_set, &f));
    assert_non_null(strstr(f.text, "0 parameter 'xxxx"));
    assert_non_null(strstr(f.text, "x' cannot be set because it was not declared"));

    // values that no table can hold, and types that are none
    param.name = tn_str_from("mode");
    param.value.string_value = (struct tn_str){text, N_MAX};
    f.text[0] = '\0';
    fixture_wait(&f, tn_ros_param_client_set(f.client, &q, TIMEOUT_NS, fixture_on_set, &f));
    assert_string_equal(f.text,
                        "0 Parameter {mode} has 200000 characters; at most 7 are allowed.\n");
    param.value.type = 200;
    f.text[0] = '\0';
    fixture_wait(&f, tn_ros_param_client_set(f.client, &q, TIMEOUT_NS, fixture_on_set, &f));
    assert_string_equal(f.text, "0 Wrong parameter type, parameter {mode} is of type {string}, "
                                "setting it to {unknown type} is not allowed.\n");
    assert_string_equal(f.config.mode, "hold");
    assert_int_equal(f.n_changed, 0);
    free(text);
    free(names);
    fixture_close(&f);
}

// ---- set while the node works ----

struct motion {
    struct fixture *f;
    struct tn_loop_timer timer;
    uint32_t n_ticks, n_torn;
};

/// What a control loop sees of its config: always a whole set, never half of one.
static void on_tick(void *context)
{
    struct motion *m = context;
    const struct table_config *c = &m->f->config;
    bool is_slow = c->gains.size == 1 && c->rate < 60.0;
    bool is_fast = c->gains.size == 3 && c->rate > 60.0;
    m->n_ticks++;
    m->n_torn += m->n_ticks > 1 && !is_slow && !is_fast;
}

static void a_working_node_never_sees_half_a_set(void **state)
{
    (void)state;
    struct fixture f;
    struct motion m = {.f = &f};
    fixture_open(&f);
    assert_string_equal(fixture_set_atomically(&f, TEXTS("rate=50.0", "gains=[1.0]")), "1 ");
    tn_loop_timer_start(f.h.loop, &m.timer, 0, TN_NS_PER_MS / 4, on_tick, &m);
    for (int i = 0; i < 100; i++) {
        assert_string_equal(fixture_set_atomically(
                                &f, TEXTS("rate=100.0", "gains=[1.0, 2.0, 3.0]", "limits.name=x")),
                            "1 ");
        assert_string_equal(fixture_set_atomically(&f, TEXTS("gains=[1.0]", "rate=50.0")), "1 ");
        // refused: not even its first half shows
        assert_string_equal(fixture_set_atomically(&f, TEXTS("gains=[1.0, 2.0]", "mode=shut")),
                            "0 Parameter {mode} is \"shut\"; allowed are hold|open|limp.");
    }
    tn_loop_timer_stop(&m.timer);
    assert_true(m.n_ticks > 0);
    assert_int_equal(m.n_torn, 0);
    fixture_close(&f);
}

/// Two nodes of one kind in one process keep their parameters apart.
static void two_nodes_have_their_own_parameters(void **state)
{
    (void)state;
    struct fixture f;
    struct table_config config = {0};
    struct tn_ros_node *other = NULL;
    struct tn_error err = {0};
    fixture_open(&f);
    struct tn_ros_node_options options = {
        .name = "dut", .ns = "/other", .params = table_set(&config)};
    assert_int_equal(tn_ros_node_create(f.h.context, &options, &other, &err), TN_OK);
    assert_string_equal(fixture_set(&f, TEXTS("rate=20.0", "use_sim_time=true")), "1 \n1 \n");
    fixture_near(f.config.rate, 20.0);
    fixture_near(config.rate, 120.0);
    tn_ros_param_client_destroy(&f.client);
    assert_int_equal(tn_ros_param_client_create(f.h.node, "/other/dut", &f.client, &err), TN_OK);
    harness_wait(&f.h, fixture_is_ready, &f, "the six services are matched");
    assert_string_equal(fixture_get(&f, "rate use_sim_time"),
                        "Double value is: 120.0\nBoolean value is: False\n");
    // one goes, the other stays
    tn_ros_node_destroy(&f.node);
    assert_string_equal(fixture_set(&f, TEXTS("rate=30.0")), "1 \n");
    fixture_near(config.rate, 30.0);
    tn_ros_node_destroy(&other);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_types_and_descriptors_are_told),
        cmocka_unit_test(lists_follow_prefix_and_depth),
        cmocka_unit_test(values_are_set_one_by_one),
        cmocka_unit_test(an_atomic_set_is_all_or_nothing),
        cmocka_unit_test(huge_requests_do_no_harm),
        cmocka_unit_test(a_working_node_never_sees_half_a_set),
        cmocka_unit_test(two_nodes_have_their_own_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
