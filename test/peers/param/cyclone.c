// SPDX-License-Identifier: Apache-2.0
// What the parameter clients and services of an rmw_cyclonedds_cpp node do on the wire, with idlc
// and the public API alone. One line on stdout per answer; see test/wire/ros/params_peer.c.
//
// usage: peer.param_cyclone DOMAIN client NODE   asks each service of the node, prints what it says
//        peer.param_cyclone DOMAIN server NODE   serves two parameters, "speed" and "name"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "param_types.h"

#define PS(name) rcl_interfaces_srv_dds__##name##_
#define PM(name) rcl_interfaces_msg_dds__##name##_

enum { LIST, GET, TYPES, SET, ATOMIC, DESCRIBE, N_SERVICES };

static const struct {
    const char *name, *type;
    const dds_topic_descriptor_t *request, *response;
} services[N_SERVICES] = {
    {"list_parameters", "ListParameters", &rcl_interfaces_srv_dds__List_Request__desc,
     &rcl_interfaces_srv_dds__List_Response__desc},
    {"get_parameters", "GetParameters", &rcl_interfaces_srv_dds__Names_Request__desc,
     &rcl_interfaces_srv_dds__Get_Response__desc},
    {"get_parameter_types", "GetParameterTypes", &rcl_interfaces_srv_dds__Names_Request__desc,
     &rcl_interfaces_srv_dds__Types_Response__desc},
    {"set_parameters", "SetParameters", &rcl_interfaces_srv_dds__Set_Request__desc,
     &rcl_interfaces_srv_dds__Set_Response__desc},
    {"set_parameters_atomically", "SetParametersAtomically",
     &rcl_interfaces_srv_dds__Set_Request__desc, &rcl_interfaces_srv_dds__Atomic_Response__desc},
    {"describe_parameters", "DescribeParameters", &rcl_interfaces_srv_dds__Names_Request__desc,
     &rcl_interfaces_srv_dds__Describe_Response__desc},
};

/// The two endpoints of one service.
struct ends {
    dds_entity_t reader, writer;
    uint64_t id;
};

static dds_entity_t check(dds_entity_t entity, const char *what)
{
    if (entity < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
        exit(3);
    }
    return entity;
}

static dds_entity_t make_topic(dds_entity_t participant, const dds_topic_descriptor_t *type,
                               const char *service, const char *part, const char *name)
{
    // the name of the type is a string like any other
    char type_name[160];
    dds_topic_descriptor_t renamed = *type;
    (void)snprintf(type_name, sizeof type_name, "rcl_interfaces::srv::dds_::%s_%s_", service, part);
    renamed.m_typename = type_name;
    return check(dds_create_topic(participant, &renamed, name, NULL, NULL), name);
}

static struct ends make_ends(dds_entity_t participant, int i, const char *node, bool is_server)
{
    char request[256], reply[256], user_data[128];
    struct ends ends = {0};
    (void)snprintf(request, sizeof request, "rq%s/%sRequest", node, services[i].name);
    (void)snprintf(reply, sizeof reply, "rr%s/%sReply", node, services[i].name);
    (void)snprintf(user_data, sizeof user_data, "%s=1.2.3.4.5.6.7.8.9.a.b.%x.d.e.f.10;",
                   is_server ? "serviceid" : "clientid", 0x20 + i + (is_server ? 16 : 0));
    dds_qos_t *qos = dds_create_qos();
    dds_qset_writer_data_lifecycle(qos, false);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1000);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
    dds_qset_userdata(qos, user_data, strlen(user_data));
    dds_entity_t asking =
        make_topic(participant, services[i].request, services[i].type, "Request", request);
    dds_entity_t answering =
        make_topic(participant, services[i].response, services[i].type, "Response", reply);
    ends.reader =
        check(dds_create_reader(participant, is_server ? asking : answering, qos, NULL), request);
    ends.writer =
        check(dds_create_writer(participant, is_server ? answering : asking, qos, NULL), reply);
    dds_delete_qos(qos);
    (void)dds_get_instance_handle(ends.writer, &ends.id);
    return ends;
}

static bool take(dds_entity_t reader, void **sample)
{
    dds_sample_info_t info;
    for (;;) {
        *sample = NULL;
        if (dds_take(reader, sample, &info, 1, 1) != 1)
            return false;
        if (info.valid_data)
            return true;
        (void)dds_return_loan(reader, sample, 1);
    }
}

// ---- client ----

static void wait_for_server(const struct ends *ends)
{
    for (;;) {
        dds_publication_matched_status_t publications;
        dds_subscription_matched_status_t subscriptions;
        (void)dds_get_publication_matched_status(ends->writer, &publications);
        (void)dds_get_subscription_matched_status(ends->reader, &subscriptions);
        if (publications.current_count > 0 && subscriptions.current_count > 0)
            return;
        dds_sleepfor(DDS_MSECS(1));
    }
}

/// Sends a request that begins with the identity, and waits for the reply to it.
static void *ask(const struct ends *ends, void *request)
{
    static long long sequence = 0;
    struct {
        uint64_t client_id;
        int64_t sequence;
    } head = {ends->id, ++sequence};
    memcpy(request, &head, sizeof head);
    (void)dds_write(ends->writer, request);
    for (;;) {
        void *sample;
        while (take(ends->reader, &sample)) {
            if (memcmp(sample, &head, sizeof head) == 0)
                return sample;
            (void)dds_return_loan(ends->reader, &sample, 1);
        }
        dds_sleepfor(DDS_MSECS(1));
    }
}

static dds_sequence_string strings(char **texts, uint32_t n)
{
    return (dds_sequence_string){._length = n, ._buffer = texts};
}

static void print_value(const PM(ParameterValue) * v)
{
    printf("%u:", v->type_);
    if (v->type_ == 1)
        printf("%d", v->bool_value_);
    else if (v->type_ == 2)
        printf("%lld", (long long)v->integer_value_);
    else if (v->type_ == 3)
        printf("%g", v->double_value_);
    else if (v->type_ == 4)
        printf("%s", v->string_value_);
    for (uint32_t i = 0; i < v->byte_array_value_._length; i++)
        printf("%u,", v->byte_array_value_._buffer[i]);
    for (uint32_t i = 0; i < v->bool_array_value_._length; i++)
        printf("%d,", v->bool_array_value_._buffer[i]);
    for (uint32_t i = 0; i < v->integer_array_value_._length; i++)
        printf("%lld,", (long long)v->integer_array_value_._buffer[i]);
    for (uint32_t i = 0; i < v->double_array_value_._length; i++)
        printf("%g,", v->double_array_value_._buffer[i]);
    for (uint32_t i = 0; i < v->string_array_value_._length; i++)
        printf("%s,", v->string_array_value_._buffer[i]);
}

static void ask_list(const struct ends *ends, char *prefix, uint64_t depth)
{
    PS(List_Request) q = {.prefixes_ = strings(&prefix, prefix[0] != '\0'), .depth_ = depth};
    void *sample = ask(ends, &q);
    PS(List_Response) *r = sample;
    printf("list");
    for (uint32_t i = 0; i < r->result_.names_._length; i++)
        if (strncmp(r->result_.names_._buffer[i], "qos_", 4) != 0)
            printf(" %s", r->result_.names_._buffer[i]);
    printf("\n");
    (void)dds_return_loan(ends->reader, &sample, 1);
}

static void ask_get(const struct ends *ends, char **names, uint32_t n)
{
    PS(Names_Request) q = {.names_ = strings(names, n)};
    void *sample = ask(ends, &q);
    PS(Get_Response) *r = sample;
    printf("get");
    for (uint32_t i = 0; i < r->values_._length; i++) {
        printf(" ");
        print_value(&r->values_._buffer[i]);
    }
    printf("\n");
    (void)dds_return_loan(ends->reader, &sample, 1);
}

static void ask_types(const struct ends *ends, char **names, uint32_t n)
{
    PS(Names_Request) q = {.names_ = strings(names, n)};
    void *sample = ask(ends, &q);
    PS(Types_Response) *r = sample;
    printf("types");
    for (uint32_t i = 0; i < r->types_._length; i++)
        printf(" %u", r->types_._buffer[i]);
    printf("\n");
    (void)dds_return_loan(ends->reader, &sample, 1);
}

static void ask_describe(const struct ends *ends, char *name)
{
    PS(Names_Request) q = {.names_ = strings(&name, 1)};
    void *sample = ask(ends, &q);
    PS(Describe_Response) *r = sample;
    printf("describe");
    for (uint32_t i = 0; i < r->descriptors_._length; i++) {
        PM(ParameterDescriptor) *d = &r->descriptors_._buffer[i];
        printf(" %s %u '%s' '%s' %d%d", d->name_, d->type_, d->description_,
               d->additional_constraints_, d->read_only_, d->dynamic_typing_);
        if (d->floating_point_range_._length == 1)
            printf(" %g..%g", d->floating_point_range_._buffer[0].from_value_,
                   d->floating_point_range_._buffer[0].to_value_);
        if (d->integer_range_._length == 1)
            printf(" %lld..%lld/%llu", (long long)d->integer_range_._buffer[0].from_value_,
                   (long long)d->integer_range_._buffer[0].to_value_,
                   (unsigned long long)d->integer_range_._buffer[0].step_);
    }
    printf("\n");
    (void)dds_return_loan(ends->reader, &sample, 1);
}

/// Sets a double and a string, the string to something that may be refused.
static void ask_set(const struct ends *all, char *mode)
{
    PM(Parameter)
    params[2] = {
        {.name_ = "rate", .value_ = {.type_ = 3, .double_value_ = 33.5, .string_value_ = ""}},
        {.name_ = "mode", .value_ = {.type_ = 4, .string_value_ = mode}},
    };
    PS(Set_Request) q = {.parameters_ = {._length = 2, ._buffer = params}};
    void *sample = ask(&all[ATOMIC], &q);
    PS(Atomic_Response) *atomic = sample;
    printf("atomic %d %s\n", atomic->result_.successful_, atomic->result_.reason_);
    (void)dds_return_loan(all[ATOMIC].reader, &sample, 1);
    params[0].value_.double_value_ = 44.5;
    sample = ask(&all[SET], &q);
    PS(Set_Response) *r = sample;
    for (uint32_t i = 0; i < r->results_._length; i++)
        printf("set %d %s\n", r->results_._buffer[i].successful_, r->results_._buffer[i].reason_);
    (void)dds_return_loan(all[SET].reader, &sample, 1);
}

static void run_client(const struct ends *all, dds_entity_t events)
{
    char *names[] = {"on", "count", "rate", "mode", "gains", "ids", "words", "flags", "raw"};
    char *unknown[] = {"on", "nonsense"};
    void *sample;
    for (int i = 0; i < N_SERVICES; i++)
        wait_for_server(&all[i]);
    ask_list(&all[LIST], "", 0);
    ask_list(&all[LIST], "limits", 1);
    ask_get(&all[GET], names, 9);
    ask_get(&all[GET], unknown, 2);
    ask_types(&all[TYPES], names, 9);
    ask_describe(&all[DESCRIBE], "rate");
    ask_describe(&all[DESCRIBE], "count");
    ask_describe(&all[DESCRIBE], "fixed");
    ask_set(all, "shut");
    ask_get(&all[GET], &names[2], 2);
    ask_set(all, "limp");
    ask_get(&all[GET], &names[2], 2);
    // rate alone, then both at once, then one by one
    for (int n = 0; n < 4;) {
        dds_sleepfor(DDS_MSECS(1));
        for (; take(events, &sample); n++) {
            PM(ParameterEvent) *e = sample;
            printf("event %s", e->node_);
            for (uint32_t i = 0; i < e->changed_parameters_._length; i++) {
                printf(" %s=", e->changed_parameters_._buffer[i].name_);
                print_value(&e->changed_parameters_._buffer[i].value_);
            }
            printf("\n");
            (void)dds_return_loan(events, &sample, 1);
        }
    }
    printf("done\n");
}

// ---- server ----

#define BEGIN(request, response)                                                                   \
    const PS(request) *q = sample;                                                                 \
    PS(response) r = {.client_id_ = q->client_id_, .sequence_ = q->sequence_}

static void answer_list(const struct ends *ends, const void *sample)
{
    char *names[] = {"name", "speed"};
    BEGIN(List_Request, List_Response);
    r.result_.names_ = strings(names, 2);
    (void)dds_write(ends->writer, &r);
}

static void answer_get(const struct ends *ends, const void *sample)
{
    PM(ParameterValue) values[8] = {0};
    BEGIN(Names_Request, Get_Response);
    r.values_._buffer = values;
    for (uint32_t i = 0; i < q->names_._length && i < 8; i++) {
        bool is_speed = strcmp(q->names_._buffer[i], "speed") == 0;
        values[i].type_ = is_speed ? 3 : 4;
        values[i].double_value_ = is_speed ? 1.5 : 0.0;
        values[i].string_value_ = is_speed ? "" : "bob";
        r.values_._length++;
    }
    (void)dds_write(ends->writer, &r);
}

static void answer_types(const struct ends *ends, const void *sample)
{
    uint8_t types[] = {3, 4};
    BEGIN(Names_Request, Types_Response);
    r.types_._buffer = types;
    r.types_._length = 2;
    (void)dds_write(ends->writer, &r);
}

static void answer_set(const struct ends *ends, const void *sample)
{
    PM(SetParametersResult) results[2] = {{true, ""}, {false, "never"}};
    BEGIN(Set_Request, Set_Response);
    for (uint32_t i = 0; i < q->parameters_._length; i++) {
        printf("asked to set %s ", q->parameters_._buffer[i].name_);
        print_value(&q->parameters_._buffer[i].value_);
        printf("\n");
    }
    r.results_._buffer = results;
    r.results_._length = 2;
    (void)dds_write(ends->writer, &r);
}

static void answer_atomic(const struct ends *ends, const void *sample)
{
    BEGIN(Set_Request, Atomic_Response);
    r.result_.reason_ = "not all";
    (void)dds_write(ends->writer, &r);
}

static void answer_describe(const struct ends *ends, const void *sample)
{
    PM(FloatingPointRange) range = {0.5, 2.5, 0.25};
    PM(ParameterDescriptor)
    descriptor = {.name_ = "speed",
                  .type_ = 3,
                  .description_ = "how fast",
                  .additional_constraints_ = "",
                  .read_only_ = true};
    BEGIN(Names_Request, Describe_Response);
    descriptor.floating_point_range_._buffer = &range;
    descriptor.floating_point_range_._length = 1;
    r.descriptors_._buffer = &descriptor;
    r.descriptors_._length = 1;
    (void)dds_write(ends->writer, &r);
}

static void run_server(const struct ends *all)
{
    static void (*const answers[N_SERVICES])(const struct ends *, const void *) = {
        answer_list, answer_get, answer_types, answer_set, answer_atomic, answer_describe};
    for (;;) {
        for (int i = 0; i < N_SERVICES; i++) {
            void *sample;
            while (take(all[i].reader, &sample)) {
                answers[i](&all[i], sample);
                (void)dds_return_loan(all[i].reader, &sample, 1);
            }
        }
        dds_sleepfor(DDS_MSECS(1));
    }
}

int main(int argc, char **argv)
{
    struct ends all[N_SERVICES];
    if (argc < 4)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    bool is_server = strcmp(argv[2], "server") == 0;
    dds_qos_t *qos = dds_create_qos();
    dds_qset_userdata(qos, "enclave=/;", 10);
    dds_entity_t participant = check(
        dds_create_participant((dds_domainid_t)strtoul(argv[1], NULL, 10), qos, NULL), "domain");
    dds_reset_qos(qos);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1000);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
    dds_entity_t topic =
        check(dds_create_topic(participant, &rcl_interfaces_msg_dds__ParameterEvent__desc,
                               "rt/parameter_events", NULL, NULL),
              "events");
    dds_entity_t events = check(dds_create_reader(participant, topic, qos, NULL), "events");
    dds_delete_qos(qos);
    for (int i = 0; i < N_SERVICES; i++)
        all[i] = make_ends(participant, i, argv[3], is_server);
    printf("ready\n");
    if (is_server)
        run_server(all);
    dds_subscription_matched_status_t matched = {0};
    while (matched.current_count == 0) {
        dds_sleepfor(DDS_MSECS(1));
        (void)dds_get_subscription_matched_status(events, &matched);
    }
    run_client(all, events);
    // a peer that leaves without a word is waited for
    (void)dds_delete(participant);
    printf("bye\n");
    return 0;
}
