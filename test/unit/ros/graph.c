// SPDX-License-Identifier: Apache-2.0
// Discovery data of friends and strangers: messages, USER_DATA, names, the model made of them, and
// which gid size to announce.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ros/ros__graph.h"

static struct tn_gid gid_of(uint8_t process, uint8_t entity)
{
    struct tn_gid gid = {{0x01, 0x10, process}};
    gid.data[14] = entity;
    gid.data[15] = 0x03;
    return gid;
}

// ---- ros_discovery_info ----

struct message {
    uint8_t data[4096];
    size_t size;
};

static void put_gid(struct tn_cdr_writer *w, struct tn_gid gid, uint32_t size)
{
    uint8_t bytes[24] = {0};
    memcpy(bytes, gid.data, TN_GID_SIZE);
    tn_cdr_put_block(w, bytes, size, 1);
}

/// Nodes "a", "b", … each with reader i and writer 100 + i.
static void make(struct message *m, uint8_t process, uint32_t gid_size, uint32_t n_nodes)
{
    struct tn_cdr_writer w;
    tn_cdr_writer_begin(&w, m->data, sizeof m->data);
    put_gid(&w, gid_of(process, 0xc1), gid_size);
    tn_cdr_put_u32(&w, n_nodes);
    for (uint32_t i = 0; i < n_nodes; i++) {
        char name[2] = {(char)('a' + i), '\0'};
        tn_cdr_put_string(&w, "/ns", 3, 0);
        tn_cdr_put_string(&w, name, 1, 0);
        tn_cdr_put_u32(&w, 1);
        put_gid(&w, gid_of(process, (uint8_t)i), gid_size);
        tn_cdr_put_u32(&w, 1);
        put_gid(&w, gid_of(process, (uint8_t)(100 + i)), gid_size);
    }
    assert_int_equal(tn_cdr_writer_result(&w), TN_OK);
    m->size = w.size;
}

static void both_gid_sizes_are_told_apart(void **state)
{
    (void)state;
    for (uint32_t size = 16; size <= 24; size += 8)
        for (uint32_t n = 0; n < 4; n++) {
            struct message m;
            struct tn_ros__entities walk;
            struct tn_ros__entities_node node;
            uint32_t n_seen = 0;
            make(&m, 7, size, n);
            assert_int_equal(tn_ros__entities_begin(&walk, m.data, m.size), TN_OK);
            assert_int_equal(walk.gid_size, size);
            assert_int_equal(walk.participant.data[2], 7);
            for (; tn_ros__entities_next(&walk, &node); n_seen++) {
                assert_string_equal(node.ns, "/ns");
                assert_int_equal(node.name[0], 'a' + (char)n_seen);
                assert_int_equal(node.n_readers, 1);
                assert_int_equal(node.readers[14], n_seen);
                assert_int_equal(node.n_writers, 1);
                assert_int_equal(node.writers[14], 100 + n_seen);
            }
            assert_int_equal(walk.cdr.error, TN_OK);
            assert_int_equal(n_seen, n);
        }
}

static void cut_messages_are_refused(void **state)
{
    (void)state;
    for (uint32_t size = 16; size <= 24; size += 8) {
        struct message m;
        make(&m, 7, size, 3);
        for (size_t n = 0; n < m.size; n++) {
            struct tn_ros__graph_model *model = tn_ros__graph_model_create();
            assert_non_null(model);
            bool is_taken = tn_ros__graph_model_entities(model, gid_of(7, 1), m.data, n);
            // cut in the zeros of its gid it is one of 16 bytes and no nodes
            bool may_be_taken = size == 24 && n >= 24 && n < 32;
            assert_int_equal(is_taken, may_be_taken);
            assert_int_equal(tn_ros__graph_model_left_out(model), may_be_taken ? 0 : 1);
            tn_ros__graph_model_destroy(&model);
        }
    }
}

// ---- USER_DATA ----

static void user_data(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *value; ///< of "typehash"
    } cases[] = {
        {"typehash=RIHS01_ab;", "RIHS01_ab"},
        {"clientid=1.2.3;typehash=x;", "x"},
        {"typehash=x;sertypehash=y;", "x"},
        {"typehash=x;other=;", "x"},
        {"typehash=x", ""},      // not ended
        {"typehash=x;rest", ""}, // one bad pair voids all
        {"type-hash=1;typehash=x;", ""},
        {"typehash;", ""},
        {"=x;typehash=x;", ""},
        {"typehash=;", ""},
        {"xtypehash=x;", ""},
        {"typehash=a b;", ""},
        {"typehash=\x1b[31m;", ""},
        {"", ""},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char value[TN_ROS__HASH_MAX];
        size_t size = strlen(cases[i].text);
        tn_ros__user_data_get((const uint8_t *)cases[i].text, size, "typehash", value,
                              sizeof value);
        assert_string_equal(value, cases[i].value);
        // Fast DDS sends the NUL along
        tn_ros__user_data_get((const uint8_t *)cases[i].text, size + 1, "typehash", value,
                              sizeof value);
        assert_string_equal(value, cases[i].value);
    }
    char value[8];
    tn_ros__user_data_get(NULL, 0, "typehash", value, sizeof value);
    assert_string_equal(value, "");
    tn_ros__user_data_get((const uint8_t *)"typehash=12345678;", 18, "typehash", value,
                          sizeof value);
    assert_string_equal(value, "");
}

// ---- names ----

static void names_are_demangled(void **state)
{
    (void)state;
    static const struct {
        const char *dds_topic, *dds_type;
        enum tn_ros_graph_kind kind;
        const char *name, *type;
    } cases[] = {
        {"rt/a/b", "p::msg::dds_::T_", TN_ROS_GRAPH_TOPIC, "/a/b", "p/msg/T"},
        {"rt/a", "p::action::dds_::A_FeedbackMessage_", TN_ROS_GRAPH_TOPIC, "/a",
         "p/action/A_FeedbackMessage"},
        {"rt/a", "p::msg::T", TN_ROS_GRAPH_TOPIC, "/a", "p::msg::T"},
        {"rt/a", "p::msg::dds_::T", TN_ROS_GRAPH_TOPIC, "/a", "p::msg::dds_::T"},
        {"rt/a", "T_", TN_ROS_GRAPH_TOPIC, "/a", "T_"},
        {"rt/a", "dds_::_", TN_ROS_GRAPH_TOPIC, "/a", ""},
        {"rq/sRequest", "p::srv::dds_::S_Request_", TN_ROS_GRAPH_REQUEST, "/s", "p/srv/S"},
        {"rr/n/sReply", "p::srv::dds_::S_Response_", TN_ROS_GRAPH_REPLY, "/n/s", "p/srv/S"},
        {"rq/RequestRequest", "p::srv::dds_::S_Request_", TN_ROS_GRAPH_REQUEST, "/Request",
         "p/srv/S"},
        {"rq/s", "p::srv::dds_::S_Request_", TN_ROS_GRAPH_OTHER, "rq/s",
         "p::srv::dds_::S_Request_"},
        {"rr/sRequest", "p::srv::dds_::S_Response_", TN_ROS_GRAPH_OTHER, "rr/sRequest",
         "p::srv::dds_::S_Response_"},
        {"rq/sRequest", "p::srv::dds_::S_", TN_ROS_GRAPH_OTHER, "rq/sRequest", "p::srv::dds_::S_"},
        {"rq/sRequest", "p::srv::S_Request_", TN_ROS_GRAPH_OTHER, "rq/sRequest",
         "p::srv::S_Request_"},
        {"ros_discovery_info", "T", TN_ROS_GRAPH_OTHER, "ros_discovery_info", "T"},
        {"rt", "T", TN_ROS_GRAPH_OTHER, "rt", "T"},
        {"rtx/a", "T", TN_ROS_GRAPH_OTHER, "rtx/a", "T"},
        {"r", "T", TN_ROS_GRAPH_OTHER, "r", "T"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct tn_ros__names names;
        tn_ros__demangle(cases[i].dds_topic, cases[i].dds_type, &names);
        assert_int_equal(names.kind, cases[i].kind);
        assert_string_equal(names.name, cases[i].name);
        assert_string_equal(names.type, cases[i].type);
    }
}

static void longest_names_fit(void **state)
{
    (void)state;
    char topic[TN_ROS_NAME_MAX], type[TN_ROS_NAME_MAX];
    struct tn_ros__names names;
    for (size_t size = 3; size < TN_ROS_NAME_MAX; size++) {
        memset(topic, 'x', size);
        topic[size] = '\0';
        memcpy(topic, "rt/", 3);
        memset(type, ':', size);
        type[size - 1] = '_';
        type[size] = '\0';
        if (size > 7)
            memcpy(type + size - 7, "dds_::_", 7);
        tn_ros__demangle(topic, type, &names);
        assert_string_equal(names.name, topic + 2);
        assert_true(strlen(names.type) <= size);
    }
}

static void hidden_names(void **state)
{
    (void)state;
    assert_true(tn_ros_name_is_hidden("/a/_b/c"));
    assert_true(tn_ros_name_is_hidden("_a"));
    assert_true(tn_ros_name_is_hidden("/_a"));
    assert_false(tn_ros_name_is_hidden("/a_/b_c"));
    assert_false(tn_ros_name_is_hidden("/"));
    assert_false(tn_ros_name_is_hidden(""));
}

// ---- the model ----

static bool participant(struct tn_ros__graph_model *model, uint8_t process, bool is_alive)
{
    static const uint8_t data[] = "enclave=/e;";
    struct tn_transport_discovered event = {
        .kind = TN_TRANSPORT_PARTICIPANT,
        .is_alive = is_alive,
        .gid = gid_of(process, 0xc1),
        .participant = gid_of(process, 0xc1),
        .user_data = data,
        .user_data_size = sizeof data - 1,
    };
    return tn_ros__graph_model_discovered(model, &event);
}

static bool endpoint(struct tn_ros__graph_model *model, struct tn_gid gid, bool is_writer,
                     const char *topic, const char *type)
{
    struct tn_transport_discovered event = {
        .kind = is_writer ? TN_TRANSPORT_WRITER : TN_TRANSPORT_READER,
        .is_alive = topic != NULL,
        .gid = gid,
        .participant = gid_of(gid.data[2], 0xc1),
        .dds_topic = topic,
        .dds_type = type,
    };
    return tn_ros__graph_model_discovered(model, &event);
}

static bool announce(struct tn_ros__graph_model *model, uint8_t process, uint32_t gid_size,
                     uint32_t n_nodes)
{
    struct message m;
    make(&m, process, gid_size, n_nodes);
    return tn_ros__graph_model_entities(model, gid_of(process, 99), m.data, m.size);
}

static struct tn_ros_graph *snapshot(const struct tn_ros__graph_model *model)
{
    struct tn_ros_graph *graph = NULL;
    assert_int_equal(tn_ros__graph_model_snapshot(model, gid_of(1, 0xc1), &graph), TN_OK);
    return graph;
}

static void a_snapshot_is_sorted_and_counted(void **state)
{
    (void)state;
    struct tn_ros__graph_model *model = tn_ros__graph_model_create();
    const char *feedback = "rt/act/_action/feedback",
               *feedback_type = "p::action::dds_::A_FeedbackMessage_";
    assert_true(participant(model, 1, true));
    assert_true(participant(model, 2, true));
    assert_true(announce(model, 2, 24, 1));
    assert_true(announce(model, 1, 16, 2));
    // process 1: node a reads /x and writes /y; node b reads requests and writes feedback
    assert_true(endpoint(model, gid_of(1, 0), false, "rt/x", "p::msg::dds_::T_"));
    assert_true(endpoint(model, gid_of(1, 100), true, "rt/y", "p::msg::dds_::T_"));
    assert_true(endpoint(model, gid_of(1, 1), false, "rq/sRequest", "p::srv::dds_::S_Request_"));
    assert_true(endpoint(model, gid_of(1, 101), true, feedback, feedback_type));
    // process 2: node a reads replies and writes /x with another type
    assert_true(endpoint(model, gid_of(2, 0), false, "rr/sReply", "p::srv::dds_::S_Response_"));
    assert_true(endpoint(model, gid_of(2, 100), true, "rt/x", "p::msg::dds_::Other_"));
    // nobody's
    assert_true(endpoint(model, gid_of(2, 50), true, "rq/sRequest", "p::srv::dds_::S_Request_"));
    assert_true(endpoint(model, gid_of(2, 51), true, "plain", "Plain"));

    struct tn_ros_graph *graph = snapshot(model);
    assert_int_equal(graph->n_nodes, 3);
    assert_string_equal(graph->nodes[0].name, "a");
    assert_string_equal(graph->nodes[2].name, "b");
    assert_string_equal(graph->nodes[2].ns, "/ns");
    assert_string_equal(graph->nodes[2].enclave, "/e");
    assert_true(graph->nodes[0].is_own);
    assert_false(graph->nodes[1].is_own);
    assert_int_equal(tn_ros_graph_find_node(graph, "ns/b"), 2);
    assert_int_equal(tn_ros_graph_find_node(graph, "/b"), TN_ROS_GRAPH_NO_NODE);

    assert_int_equal(graph->n_topics, 3);
    const struct tn_ros_graph_name *x = tn_ros_graph_find_name(graph->topics, 3, "/x");
    assert_int_equal(x->n_types, 2);
    assert_string_equal(x->types[0], "p/msg/Other");
    assert_string_equal(x->types[1], "p/msg/T");
    assert_int_equal(x->n_publishers, 1);
    assert_int_equal(x->n_subscriptions, 1);
    assert_int_equal(graph->n_services, 1);
    assert_int_equal(graph->services[0].n_types, 1);
    assert_int_equal(graph->services[0].n_publishers, 1);
    assert_int_equal(graph->services[0].n_subscriptions, 1);
    assert_int_equal(graph->n_actions, 1);
    assert_string_equal(graph->actions[0].name, "/act");
    assert_string_equal(graph->actions[0].types[0], "p/action/A");

    struct tn_ros_graph_use use;
    uint32_t next = 0;
    assert_true(tn_ros_graph_next_use(graph, 2, TN_ROS_GRAPH_SERVERS, &next, &use));
    assert_string_equal(use.name, "/s");
    assert_string_equal(use.type, "p/srv/S");
    assert_false(tn_ros_graph_next_use(graph, 2, TN_ROS_GRAPH_SERVERS, &next, &use));
    next = 0;
    assert_true(tn_ros_graph_next_use(graph, 2, TN_ROS_GRAPH_ACTION_SERVERS, &next, &use));
    assert_string_equal(use.name, "/act");
    next = 0;
    assert_true(tn_ros_graph_next_use(graph, 1, TN_ROS_GRAPH_CLIENTS, &next, &use));
    assert_string_equal(use.name, "/s");
    tn_ros_graph_free(&graph);

    struct tn_ros_graph_node_name name;
    assert_int_equal(tn_ros__graph_model_node_of(model, gid_of(2, 100), &name), TN_OK);
    assert_string_equal(name.name, "a");
    assert_int_equal(tn_ros__graph_model_node_of(model, gid_of(2, 50), &name), TN_ERR_NOT_FOUND);
    assert_int_equal(tn_ros__graph_model_node_of(model, gid_of(3, 1), &name), TN_ERR_NOT_FOUND);
    tn_ros__graph_model_destroy(&model);
}

static void who_goes_takes_his_nodes_along(void **state)
{
    (void)state;
    struct tn_ros__graph_model *model = tn_ros__graph_model_create();
    struct tn_ros_graph *graph;
    for (int round = 0; round < 3; round++) {
        // his message may come before he is discovered
        assert_true(announce(model, 2, 16, 2));
        assert_false(announce(model, 2, 16, 2));
        graph = snapshot(model);
        assert_int_equal(graph->n_nodes, 0);
        tn_ros_graph_free(&graph);
        assert_true(participant(model, 2, true));
        assert_true(endpoint(model, gid_of(2, 100), true, "rt/x", "T"));
        assert_false(tn_ros__graph_model_settle(model));
        graph = snapshot(model);
        assert_int_equal(graph->n_nodes, 2);
        assert_int_equal(graph->n_topics, 1);
        tn_ros_graph_free(&graph);

        assert_true(participant(model, 2, false));
        assert_false(participant(model, 2, false));
        assert_true(endpoint(model, gid_of(2, 100), true, NULL, NULL));
        assert_false(endpoint(model, gid_of(2, 100), true, NULL, NULL));
        // what was queued when he went does not bring him back
        assert_true(announce(model, 2, 16, 2));
        assert_true(tn_ros__graph_model_settle(model));
        assert_false(tn_ros__graph_model_settle(model));
        graph = snapshot(model);
        assert_int_equal(graph->n_nodes + graph->n_topics, 0);
        tn_ros_graph_free(&graph);
    }
    assert_int_equal(tn_ros__graph_model_left_out(model), 0);
    tn_ros__graph_model_destroy(&model);
}

static void strangers_speak_for_themselves_only(void **state)
{
    (void)state;
    struct tn_ros__graph_model *model = tn_ros__graph_model_create();
    struct message m;
    assert_true(participant(model, 1, true));
    assert_true(participant(model, 2, true));
    assert_true(announce(model, 1, 16, 1));
    // a message about 1 from a writer of 2
    make(&m, 1, 16, 0);
    assert_false(tn_ros__graph_model_entities(model, gid_of(2, 5), m.data, m.size));
    assert_int_equal(tn_ros__graph_model_left_out(model), 1);
    // node of 2 that claims an endpoint of 1
    assert_true(endpoint(model, gid_of(1, 100), true, "rt/x", "T"));
    struct tn_cdr_writer w;
    tn_cdr_writer_begin(&w, m.data, sizeof m.data);
    put_gid(&w, gid_of(2, 0xc1), 16);
    tn_cdr_put_u32(&w, 1);
    tn_cdr_put_string(&w, "/", 1, 0);
    tn_cdr_put_string(&w, "Thief", 5, 0);
    tn_cdr_put_u32(&w, 0);
    tn_cdr_put_u32(&w, 1);
    put_gid(&w, gid_of(1, 100), 16);
    assert_true(tn_ros__graph_model_entities(model, gid_of(2, 5), m.data, w.size));
    struct tn_ros_graph *graph = snapshot(model);
    assert_int_equal(graph->n_nodes, 2);
    assert_string_equal(graph->nodes[graph->endpoints[0].node].name, "a");
    tn_ros_graph_free(&graph);
    tn_ros__graph_model_destroy(&model);
}

static void names_for_no_terminal_are_left_out(void **state)
{
    (void)state;
    struct tn_ros__graph_model *model = tn_ros__graph_model_create();
    char name[TN_ROS_NAME_MAX + 1];
    memset(name, 'x', TN_ROS_NAME_MAX);
    name[TN_ROS_NAME_MAX] = '\0';
    assert_true(participant(model, 1, true));
    assert_false(endpoint(model, gid_of(1, 1), true, "rt/\x1b[2J", "T"));
    assert_false(endpoint(model, gid_of(1, 1), true, "rt/a", "T\n"));
    assert_false(endpoint(model, gid_of(1, 1), true, "", "T"));
    assert_false(endpoint(model, gid_of(1, 1), true, "rt/a", ""));
    assert_false(endpoint(model, gid_of(1, 1), true, name, "T"));
    assert_false(endpoint(model, gid_of(1, 1), true, "rt/a", name));
    name[TN_ROS_NAME_MAX - 1] = '\0';
    assert_true(endpoint(model, gid_of(1, 1), true, name, name));
    assert_int_equal(tn_ros__graph_model_left_out(model), 6);

    // a node whose name is bad does not hide the next
    struct message m;
    struct tn_cdr_writer w;
    tn_cdr_writer_begin(&w, m.data, sizeof m.data);
    put_gid(&w, gid_of(1, 0xc1), 16);
    tn_cdr_put_u32(&w, 2);
    for (int i = 0; i < 2; i++) {
        tn_cdr_put_string(&w, "/", 1, 0);
        tn_cdr_put_string(&w, i == 0 ? "\x07" : "good", i == 0 ? 1 : 4, 0);
        tn_cdr_put_u32(&w, 0);
        tn_cdr_put_u32(&w, 0);
    }
    assert_true(tn_ros__graph_model_entities(model, gid_of(1, 9), m.data, w.size));
    struct tn_ros_graph *graph = snapshot(model);
    assert_int_equal(graph->n_nodes, 1);
    assert_string_equal(graph->nodes[0].name, "good");
    tn_ros_graph_free(&graph);
    tn_ros__graph_model_destroy(&model);
}

static struct tn_gid numbered(uint32_t n)
{
    struct tn_gid gid = {{0x01, 0x10}};
    memcpy(gid.data + 2, &n, sizeof n);
    memcpy(gid.data + 12, &n, sizeof n);
    return gid;
}

static void everything_is_bounded(void **state)
{
    (void)state;
    struct tn_ros__graph_model *model = tn_ros__graph_model_create();
    for (uint32_t i = 0; i < TN_ROS_GRAPH_PARTICIPANTS_MAX + 100; i++) {
        struct tn_transport_discovered event = {
            .kind = TN_TRANSPORT_PARTICIPANT, .is_alive = true, .gid = numbered(i)};
        assert_int_equal(tn_ros__graph_model_discovered(model, &event),
                         i < TN_ROS_GRAPH_PARTICIPANTS_MAX);
    }
    for (uint32_t i = 0; i < TN_ROS_GRAPH_ENDPOINTS_MAX + 100; i++) {
        char topic[32];
        (void)snprintf(topic, sizeof topic, "rt/t%u", i % 1000);
        struct tn_transport_discovered event = {.kind = TN_TRANSPORT_WRITER,
                                                .is_alive = true,
                                                .gid = numbered(i),
                                                .dds_topic = topic,
                                                .dds_type = "p::msg::dds_::T_"};
        assert_int_equal(tn_ros__graph_model_discovered(model, &event),
                         i < TN_ROS_GRAPH_ENDPOINTS_MAX);
    }
    assert_int_equal(tn_ros__graph_model_left_out(model), 200);
    struct tn_ros_graph *graph = snapshot(model);
    assert_int_equal(graph->n_endpoints, TN_ROS_GRAPH_ENDPOINTS_MAX);
    assert_int_equal(graph->n_topics, 1000);
    assert_int_equal(graph->n_left_out, 200);
    tn_ros_graph_free(&graph);

    // nodes: 200 a message
    static uint8_t bytes[200 * 40];
    uint32_t n_taken = 0;
    for (uint32_t i = 0; i < 100; i++) {
        struct tn_cdr_writer w;
        tn_cdr_writer_begin(&w, bytes, sizeof bytes);
        put_gid(&w, numbered(i), 16);
        tn_cdr_put_u32(&w, 200);
        for (int j = 0; j < 200; j++) {
            tn_cdr_put_string(&w, "/", 1, 0);
            tn_cdr_put_string(&w, "n", 1, 0);
            tn_cdr_put_u32(&w, 0);
            tn_cdr_put_u32(&w, 0);
        }
        assert_int_equal(tn_cdr_writer_result(&w), TN_OK);
        n_taken += tn_ros__graph_model_entities(model, numbered(i), bytes, w.size) ? 1 : 0;
    }
    assert_int_equal(n_taken, TN_ROS_GRAPH_NODES_MAX / 200);
    graph = snapshot(model);
    assert_int_equal(graph->n_nodes, n_taken * 200);
    tn_ros_graph_free(&graph);
    tn_ros__graph_model_destroy(&model);
}

// ---- gid size ----

static void kinds_of_readers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum tn_ros__gid_reader kind;
    } cases[] = {
        {"", TN_ROS__READS_24},
        {"typehash=RIHS01_0;", TN_ROS__READS_16},
        {"typehash=RIHS01_0;gidsize=any;", TN_ROS__READS_BOTH},
        {"nonsense", TN_ROS__READS_24},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++)
        assert_int_equal(
            tn_ros__gid_reader_of((const uint8_t *)cases[i].text, strlen(cases[i].text)),
            cases[i].kind);
}

static void the_size_follows_who_is_there(void **state)
{
    (void)state;
    struct tn_ros__gid_choice choice = {0};
    const struct tn_gid humble = gid_of(1, 1), later = gid_of(2, 1), ours = gid_of(3, 1);
    assert_false(tn_ros__gid_choice_decide(&choice));
    assert_int_equal(choice.size, 0);
    tn_ros__gid_choice_reader(&choice, ours, true, TN_ROS__READS_BOTH);
    assert_false(tn_ros__gid_choice_decide(&choice));
    choice.has_waited = true;
    assert_true(tn_ros__gid_choice_decide(&choice));
    assert_int_equal(choice.size, 16);
    assert_false(tn_ros__gid_choice_decide(&choice));

    // Humble comes, goes and comes; nothing is gained by a change in between
    tn_ros__gid_choice_reader(&choice, humble, true, TN_ROS__READS_24);
    assert_true(tn_ros__gid_choice_decide(&choice));
    assert_int_equal(choice.size, 24);
    assert_false(tn_ros__gid_choice_is_mixed(&choice));
    tn_ros__gid_choice_reader(&choice, humble, false, TN_ROS__READS_24);
    assert_false(tn_ros__gid_choice_decide(&choice));
    assert_int_equal(choice.size, 24);
    tn_ros__gid_choice_reader(&choice, later, true, TN_ROS__READS_16);
    assert_true(tn_ros__gid_choice_decide(&choice));
    assert_int_equal(choice.size, 16);

    // both: the one who would come to harm is served, and it is said once
    tn_ros__gid_choice_reader(&choice, humble, true, TN_ROS__READS_24);
    tn_ros__gid_choice_reader(&choice, humble, true, TN_ROS__READS_24);
    assert_int_equal(choice.n_readers, 3);
    assert_true(tn_ros__gid_choice_decide(&choice));
    assert_int_equal(choice.size, 24);
    assert_true(tn_ros__gid_choice_is_mixed(&choice));
    assert_false(tn_ros__gid_choice_is_mixed(&choice));
}

static void a_forced_size_stays(void **state)
{
    (void)state;
    for (uint32_t size = 16; size <= 24; size += 8) {
        struct tn_ros__gid_choice choice = {.forced = size};
        assert_true(tn_ros__gid_choice_decide(&choice));
        assert_int_equal(choice.size, size);
        tn_ros__gid_choice_reader(&choice, gid_of(1, 1), true,
                                  size == 16 ? TN_ROS__READS_16 : TN_ROS__READS_24);
        assert_false(tn_ros__gid_choice_is_mixed(&choice));
        tn_ros__gid_choice_reader(&choice, gid_of(2, 1), true,
                                  size == 16 ? TN_ROS__READS_24 : TN_ROS__READS_16);
        assert_false(tn_ros__gid_choice_decide(&choice));
        assert_int_equal(choice.size, size);
        assert_true(tn_ros__gid_choice_is_mixed(&choice));
    }
}

static void a_crowd_of_readers_is_bounded(void **state)
{
    (void)state;
    struct tn_ros__gid_choice *choice = calloc(1, sizeof *choice);
    assert_non_null(choice);
    for (uint32_t i = 0; i < TN_ROS__GID_READERS_MAX + 10; i++)
        tn_ros__gid_choice_reader(choice, numbered(i), true, TN_ROS__READS_16);
    assert_int_equal(choice->n_readers, TN_ROS__GID_READERS_MAX);
    for (uint32_t i = 0; i < TN_ROS__GID_READERS_MAX + 10; i++)
        tn_ros__gid_choice_reader(choice, numbered(i), false, TN_ROS__READS_16);
    assert_int_equal(choice->n_readers, 0);
    free(choice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_gid_sizes_are_told_apart),
        cmocka_unit_test(cut_messages_are_refused),
        cmocka_unit_test(user_data),
        cmocka_unit_test(names_are_demangled),
        cmocka_unit_test(longest_names_fit),
        cmocka_unit_test(hidden_names),
        cmocka_unit_test(a_snapshot_is_sorted_and_counted),
        cmocka_unit_test(who_goes_takes_his_nodes_along),
        cmocka_unit_test(strangers_speak_for_themselves_only),
        cmocka_unit_test(names_for_no_terminal_are_left_out),
        cmocka_unit_test(everything_is_bounded),
        cmocka_unit_test(kinds_of_readers),
        cmocka_unit_test(the_size_follows_who_is_there),
        cmocka_unit_test(a_forced_size_stays),
        cmocka_unit_test(a_crowd_of_readers_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
