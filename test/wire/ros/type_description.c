// SPDX-License-Identifier: Apache-2.0
// ~/get_type_description: the hash that RIHS01 gives the answer is the hash that was asked for, for
// every message and service of the interfaces; what a node does not use, and nonsense.
#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tn_msgs/all_msgs.h"
#include "tn_msgs/example_interfaces.h"
#include "tn_msgs/rcl_interfaces.h"
#include "tn_msgs/sensor_msgs.h"
#include "tn_msgs/std_msgs.h"
#include "tn_msgs/type_description_interfaces.h"
#include "wire/ros/harness.h"

#define TIMEOUT_NS (20 * TN_NS_PER_S)

struct asker {
    struct harness h;
    struct tn_ros_client *client;
    bool is_done, is_successful;
    char hash[80], name[128], reason[128], encodings[512];
    uint32_t n_sources;
    size_t n_source_bytes;
};

static void write_one(FILE *out,
                      const struct type_description_interfaces_msg_IndividualTypeDescription *d)
{
    (void)fprintf(out, "{\"type_name\": \"%s\", \"fields\": [", d->type_name.data);
    for (uint32_t i = 0; i < d->fields.size; i++) {
        const struct type_description_interfaces_msg_Field *f = &d->fields.data[i];
        (void)fprintf(out,
                      "%s{\"name\": \"%s\", \"type\": {\"type_id\": %u, \"capacity\": %llu, "
                      "\"string_capacity\": %llu, \"nested_type_name\": \"%s\"}}",
                      i > 0 ? ", " : "", f->name.data, f->type.type_id,
                      (unsigned long long)f->type.capacity,
                      (unsigned long long)f->type.string_capacity, f->type.nested_type_name.data);
    }
    (void)fputs("]}", out);
}

/// SHA-256 of the description in the form that rosidl hashes.
static void hash_of(const struct type_description_interfaces_msg_TypeDescription *d, char out[80])
{
    char *text = NULL;
    size_t size = 0;
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    (void)fputs("{\"type_description\": ", file);
    write_one(file, &d->type_description);
    (void)fputs(", \"referenced_type_descriptions\": [", file);
    for (uint32_t i = 0; i < d->referenced_type_descriptions.size; i++) {
        (void)fputs(i > 0 ? ", " : "", file);
        write_one(file, &d->referenced_type_descriptions.data[i]);
    }
    (void)fputs("]}", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(EVP_Digest(text, size, bytes, &n, EVP_sha256(), NULL), 1);
    int at = snprintf(out, 80, "RIHS01_");
    for (unsigned i = 0; i < n; i++)
        at += snprintf(out + at, 80 - (size_t)at, "%02x", bytes[i]);
    free(text);
}

static void on_answer(void *context, const void *response)
{
    struct asker *a = context;
    const struct type_description_interfaces_srv_GetTypeDescription_Response *r = response;
    assert_non_null(r);
    a->is_done = true;
    a->is_successful = r->successful;
    a->n_sources = r->type_sources.size;
    a->n_source_bytes = 0;
    a->encodings[0] = '\0';
    (void)snprintf(a->reason, sizeof a->reason, "%s", r->failure_reason.data);
    (void)snprintf(a->name, sizeof a->name, "%s",
                   r->type_description.type_description.type_name.data);
    hash_of(&r->type_description, a->hash);
    for (uint32_t i = 0; i < r->type_sources.size; i++) {
        const struct type_description_interfaces_msg_TypeSource *s = &r->type_sources.data[i];
        size_t n = strlen(a->encodings);
        (void)snprintf(a->encodings + n, sizeof a->encodings - n, "%s:%s ", s->type_name.data,
                       s->encoding.data);
        a->n_source_bytes += s->raw_file_contents.size;
    }
    assert_int_equal(r->extra_information.size, 0);
}

static bool is_done(void *context)
{
    return ((struct asker *)context)->is_done;
}

static void ask(struct asker *a, const char *name, const char *hash, bool with_sources)
{
    struct type_description_interfaces_srv_GetTypeDescription_Request q = {
        tn_str_from(name), tn_str_from(hash), with_sources};
    a->is_done = false;
    assert_int_equal(tn_ros_call(a->client, &q, TIMEOUT_NS, on_answer, a), TN_OK);
    harness_wait(&a->h, is_done, a, "an answer");
}

static bool is_ready(void *context)
{
    return tn_ros_client_is_ready(((struct asker *)context)->client);
}

static void open(struct asker *a)
{
    struct tn_error err = {0};
    memset(a, 0, sizeof *a);
    harness_open(&a->h);
    assert_int_equal(tn_ros_client_create(a->h.node,
                                          &type_description_interfaces_srv_GetTypeDescription_type,
                                          "/test/tester/get_type_description", &a->client, &err),
                     TN_OK);
    harness_wait(&a->h, is_ready, a, "the service is matched");
}

static void every_type_hashes_to_what_was_asked(void **state)
{
    (void)state;
    struct asker a;
    open(&a);
    assert_true(tn_all_msgs_n > 100);
    for (uint32_t i = 0; i < tn_all_msgs_n; i++) {
        const struct tn_type *type = tn_all_msgs[i];
        struct tn_ros_publisher *publisher = NULL;
        struct tn_error err = {0};
        assert_int_equal(
            tn_ros_publisher_create(a.h.node, type, "t", tn_ros_qos_default(1), &publisher, &err),
            TN_OK);
        ask(&a, type->ros_name, type->hash, true);
        if (!a.is_successful || strcmp(a.hash, type->hash) != 0 ||
            strcmp(a.name, type->ros_name) != 0)
            fail_msg("%s: %s %s %s", type->ros_name, a.reason, a.name, a.hash);
        tn_ros_publisher_destroy(&publisher);
    }
    harness_close(&a.h);
}

static void services_are_described_as_rosidl_does(void **state)
{
    (void)state;
    struct asker a;
    open(&a);
    // the node's own parameter services, and what they are made of
    static const struct tn_service_type *const types[] = {
        &rcl_interfaces_srv_SetParameters_type,
        &rcl_interfaces_srv_DescribeParameters_type,
        &rcl_interfaces_srv_ListParameters_type,
        &type_description_interfaces_srv_GetTypeDescription_type,
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(types); i++) {
        const char *hashes[] = {types[i]->hash, types[i]->request->hash, types[i]->response->hash,
                                types[i]->event->hash};
        for (size_t k = 0; k < TN_ARRAY_SIZE(hashes); k++) {
            ask(&a, "", hashes[k], false);
            assert_true(a.is_successful);
            assert_string_equal(a.hash, hashes[k]);
            assert_int_equal(a.n_sources, 0);
        }
    }
    ask(&a, "", rcl_interfaces_srv_GetParameterTypes_type.hash, true);
    assert_string_equal(a.encodings,
                        "rcl_interfaces/srv/GetParameterTypes:srv builtin_interfaces/msg/Time:msg "
                        "rcl_interfaces/srv/GetParameterTypes_Event:implicit "
                        "rcl_interfaces/srv/GetParameterTypes_Request:implicit "
                        "rcl_interfaces/srv/GetParameterTypes_Response:implicit "
                        "service_msgs/msg/ServiceEventInfo:msg ");
    assert_true(a.n_source_bytes > 30);
    harness_close(&a.h);
}

static void other_types_and_nonsense_are_refused(void **state)
{
    (void)state;
    struct asker a;
    char hash[80];
    open(&a);
    ask(&a, "sensor_msgs/msg/Imu", sensor_msgs_msg_Imu_type.hash, true);
    assert_false(a.is_successful);
    assert_string_equal(a.reason, "Type not currently in use by this node");
    assert_int_equal(a.n_sources, 0);
    static const char *const bad[] = {
        "",
        "RIHS01_",
        "RIHS01_12",
        "RIHS02_0000000000000000000000000000000000000000000000000000000000000000",
        "RIHS01_g000000000000000000000000000000000000000000000000000000000000000",
        "RIHS01_00000000000000000000000000000000000000000000000000000000000000000"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        ask(&a, "std_msgs/msg/String", bad[i], false);
        assert_false(a.is_successful);
        assert_string_equal(a.reason, "Failed to parse type hash");
    }
    // upper case digits are the same number
    (void)snprintf(hash, sizeof hash, "%s", rcl_interfaces_msg_ParameterEvent_type.hash);
    for (char *c = hash + 7; *c != '\0'; c++)
        if (*c >= 'a')
            *c = (char)(*c - 'a' + 'A');
    ask(&a, "", hash, false);
    assert_true(a.is_successful);
    harness_close(&a.h);
}

static void the_service_can_be_switched_off(void **state)
{
    (void)state;
    static const char *const argv[] = {"t", "--ros-args", "-p",
                                       "start_type_description_service:=false"};
    struct harness h = {0};
    struct tn_error err = {0};
    struct tn_ros_client *client = NULL, *list = NULL;
    assert_int_equal(tn_loop_create(tn_clock_system(), &h.loop, &err), TN_OK);
    assert_int_equal(tn_ros_context_create(h.loop, 4, argv, &h.context, &err), TN_OK);
    struct tn_ros_node_options options = {.name = "t"};
    assert_int_equal(tn_ros_node_create(h.context, &options, &h.node, &err), TN_OK);
    assert_int_equal(tn_ros_client_create(h.node,
                                          &type_description_interfaces_srv_GetTypeDescription_type,
                                          "/t/get_type_description", &client, &err),
                     TN_OK);
    assert_int_equal(tn_ros_client_create(h.node, &rcl_interfaces_srv_ListParameters_type,
                                          "/t/list_parameters", &list, &err),
                     TN_OK);
    while (!tn_ros_client_is_ready(list))
        harness_run(&h, TN_NS_PER_S / 100);
    assert_false(tn_ros_client_is_ready(client));
    harness_close(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_hashes_to_what_was_asked),
        cmocka_unit_test(services_are_described_as_rosidl_does),
        cmocka_unit_test(other_types_and_nonsense_are_refused),
        cmocka_unit_test(the_service_can_be_switched_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
