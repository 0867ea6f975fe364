// SPDX-License-Identifier: Apache-2.0
// What a node does with its parameters by itself: events, QoS overrides; dump and load.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tn_msgs/std_msgs.h"
#include "wire/ros/param_fixture.h"

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
    fixture_open(&f);
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
    (void)fixture_set(&f, TEXTS("rate=50.0", "nonsense=1", "fixed=1", "mode=open"));
    (void)fixture_set_atomically(&f, TEXTS("count=2", "use_sim_time=false"));
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
    fixture_close(&f);
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
    fixture_open_with(&f, TN_ARRAY_SIZE(argv), argv);
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
    harness_wait(&f.h, fixture_is_ready, &f, "the six services are matched");
#define P "qos_overrides./ns/chatter.publisher."
#define S "qos_overrides./ns/chatter.subscription."
    assert_string_equal(fixture_get(&f, P "depth " P "reliability " P "durability " P "deadline " P
                                          "history " P "liveliness " P "lifespan " P
                                          "avoid_ros_namespace_conventions"),
                        "Integer value is: 42\nString value is: best_effort\n"
                        "String value is: volatile\nInteger value is: 500000000\n"
                        "String value is: keep_last\nString value is: automatic\n"
                        "Integer value is: 0\nBoolean value is: False\n");
    assert_string_equal(fixture_get(&f, S "depth " S "reliability " S "durability"),
                        "Integer value is: 5\nString value is: best_effort\n"
                        "String value is: transient_local\n");
    assert_string_equal(fixture_get(&f, S "lifespan"), "");
#define W "qos_overrides./ns/wish.publisher."
    assert_string_equal(fixture_get(&f, W "depth " W "reliability " W "history " W "deadline"),
                        "Integer value is: 1\nString value is: best_available\n"
                        "String value is: system_default\nInteger value is: 0\n");
    assert_string_equal(fixture_get(&f, "qos_overrides./parameter_events.publisher.depth"),
                        "Integer value is: 5\n");
    assert_string_equal(fixture_set(&f, TEXTS(P "depth=1")),
                        "0 parameter '" P "depth' cannot be set because it is read-only\n");
    assert_string_equal(fixture_describe(&f, P "depth"),
                        P "depth 2 'qos policy {depth} for publisher {/ns/chatter}' '' 1 0 i 0 "
                          "2147483647 0\n");
    // transient local cannot be had from a volatile writer
    harness_run(&f.h, TN_NS_PER_S / 2);
    assert_int_equal(tn_ros_publisher_matched(publisher), 0);
    assert_int_equal(tn_ros_subscription_matched(subscription), 0);
    fixture_close(&f);
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
    fixture_open(&f);
    (void)fixture_set(
        &f, TEXTS("limits.name=yes", "rate=0.5", "words=['', 'a b', 'no', 'x: y', '1.5']"));
    (void)fixture_set(&f, TEXTS("limits.name='yes'", "gains=[1e-05, 1e-07]"));
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
    fixture_near(q.parameters.data[0].value.double_value, 0.5);
    f.text[0] = '\0';
    fixture_wait(&f, tn_ros_param_client_set(f.client, &q, TIMEOUT_NS, fixture_on_set, &f));
    fixture_near(f.config.rate, 0.5);
    assert_int_equal(tn_ros_param_file_read(path, "/nobody", false, &arena, &q, &err),
                     TN_ERR_NOT_FOUND);
    tn_arena_destroy(&arena);
    (void)remove(path);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_tell_new_and_changed_parameters),
        cmocka_unit_test(qos_overrides_are_applied_and_declared),
        cmocka_unit_test(bad_qos_overrides_stop_the_node),
        cmocka_unit_test(a_dump_can_be_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
