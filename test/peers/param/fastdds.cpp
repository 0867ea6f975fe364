// SPDX-License-Identifier: Apache-2.0
// What the parameter clients and services of an rmw_fastrtps_cpp node do on the wire, with Fast DDS
// alone. The same lines as the other peer; see test/wire/ros/params_peer.c.
//
// usage: peer.param_fastdds DOMAIN client|server NODE
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/common/WriteParams.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

using namespace eprosima::fastdds::dds;
using namespace eprosima::fastrtps::rtps;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

namespace {

constexpr size_t kLargest = 65536;

/// A message: how it is written, or the bytes that came.
struct Body {
    std::function<void(Cdr &)> put;
    std::vector<char> bytes;

    void read(const std::function<void(Cdr &)> &get)
    {
        FastBuffer buffer(bytes.data(), bytes.size());
        Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
        cdr.read_encapsulation();
        get(cdr);
    }
};

class BodyType : public TopicDataType {
  public:
    explicit BodyType(const std::string &name)
    {
        setName(name.c_str());
        m_typeSize = kLargest;
        m_isGetKeyDefined = false;
        auto_fill_type_object(false);
        auto_fill_type_information(false);
    }
    bool serialize(void *data, SerializedPayload_t *payload) override
    {
        FastBuffer buffer(reinterpret_cast<char *>(payload->data), payload->max_size);
        Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
        payload->encapsulation = CDR_LE;
        cdr.serialize_encapsulation();
        static_cast<Body *>(data)->put(cdr);
        payload->length = static_cast<uint32_t>(cdr.getSerializedDataLength());
        return true;
    }
    bool deserialize(SerializedPayload_t *payload, void *data) override
    {
        auto first = reinterpret_cast<char *>(payload->data);
        static_cast<Body *>(data)->bytes.assign(first, first + payload->length);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *) override
    {
        return [] { return static_cast<uint32_t>(kLargest); };
    }
    void *createData() override
    {
        return new Body;
    }
    void deleteData(void *data) override
    {
        delete static_cast<Body *>(data);
    }
    bool getKey(void *, InstanceHandle_t *, bool) override
    {
        return false;
    }
};

void pause_ms(int ms)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

struct Peer {
    DomainParticipant *participant = nullptr;
    Publisher *publisher = nullptr;
    Subscriber *subscriber = nullptr;

    explicit Peer(uint32_t domain)
    {
        DomainParticipantQos qos;
        std::string user_data = "enclave=/;";
        qos.user_data().setValue(std::vector<octet>(user_data.begin(), user_data.end()));
        // shared memory would only hide the wire
        qos.transport().use_builtin_transports = false;
        qos.transport().user_transports.push_back(
            std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>());
        participant = DomainParticipantFactory::get_instance()->create_participant(domain, qos);
        if (participant == nullptr)
            std::exit(3);
        publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
        subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    }
    Topic *topic(const std::string &name, const std::string &type)
    {
        TypeSupport support(new BodyType(type));
        support.register_type(participant);
        return participant->create_topic(name, type, TOPIC_QOS_DEFAULT);
    }
    DataWriter *writer(Topic *topic)
    {
        DataWriterQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = 1000;
        qos.publish_mode().kind = SYNCHRONOUS_PUBLISH_MODE;
        qos.durability().kind = VOLATILE_DURABILITY_QOS;
        qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        return publisher->create_datawriter(topic, qos);
    }
    DataReader *reader(Topic *topic)
    {
        DataReaderQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = 1000;
        qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        return subscriber->create_datareader(topic, qos);
    }
};

enum { LIST, GET, TYPES, SET, ATOMIC, DESCRIBE, N_SERVICES };

const char *const kServices[N_SERVICES][2] = {
    {"list_parameters", "ListParameters"},
    {"get_parameters", "GetParameters"},
    {"get_parameter_types", "GetParameterTypes"},
    {"set_parameters", "SetParameters"},
    {"set_parameters_atomically", "SetParametersAtomically"},
    {"describe_parameters", "DescribeParameters"},
};

/// The two endpoints of one service.
struct Ends {
    DataReader *reader;
    DataWriter *writer;

    Ends(Peer &peer, int i, const std::string &node, bool is_server)
    {
        std::string name = node + "/" + kServices[i][0];
        std::string type = std::string("rcl_interfaces::srv::dds_::") + kServices[i][1];
        Topic *request = peer.topic("rq" + name + "Request", type + "_Request_");
        Topic *reply = peer.topic("rr" + name + "Reply", type + "_Response_");
        reader = peer.reader(is_server ? request : reply);
        writer = peer.writer(is_server ? reply : request);
    }
    void wait_for_server()
    {
        for (;;) {
            PublicationMatchedStatus publications;
            SubscriptionMatchedStatus subscriptions;
            writer->get_publication_matched_status(publications);
            reader->get_subscription_matched_status(subscriptions);
            if (publications.current_count > 0 && subscriptions.current_count > 0)
                return;
            pause_ms(1);
        }
    }
    Body ask(const std::function<void(Cdr &)> &put)
    {
        Body request{put, {}};
        WriteParams params;
        params.related_sample_identity().writer_guid() = reader->guid();
        writer->write(&request, params);
        auto sequence = params.sample_identity().sequence_number();
        for (;;) {
            Body response;
            SampleInfo info;
            while (reader->take_next_sample(&response, &info) == ReturnCode_t::RETCODE_OK) {
                auto id = info.related_sample_identity;
                bool is_ours =
                    id.writer_guid() == reader->guid() || id.writer_guid() == writer->guid();
                if (info.valid_data && is_ours && id.sequence_number() == sequence)
                    return response;
            }
            pause_ms(1);
        }
    }
};

// ---- messages ----

struct Value {
    uint8_t type = 0;
    bool b = false;
    int64_t i = 0;
    double d = 0.0;
    std::string s;
    std::vector<uint8_t> bytes;
    std::vector<bool> bools;
    std::vector<int64_t> integers;
    std::vector<double> doubles;
    std::vector<std::string> strings;

    void put(Cdr &c) const
    {
        c << type << b << i << d << s << bytes << bools << integers << doubles << strings;
    }
    void get(Cdr &c)
    {
        c >> type >> b >> i >> d >> s >> bytes >> bools >> integers >> doubles >> strings;
    }
    void print() const
    {
        std::printf("%u:", type);
        if (type == 1)
            std::printf("%d", b);
        else if (type == 2)
            std::printf("%lld", static_cast<long long>(i));
        else if (type == 3)
            std::printf("%g", d);
        else if (type == 4)
            std::printf("%s", s.c_str());
        for (auto v : bytes)
            std::printf("%u,", v);
        for (bool v : bools)
            std::printf("%d,", v);
        for (auto v : integers)
            std::printf("%lld,", static_cast<long long>(v));
        for (auto v : doubles)
            std::printf("%g,", v);
        for (auto &v : strings)
            std::printf("%s,", v.c_str());
    }
};

struct Parameter {
    std::string name;
    Value value;
};

std::vector<Parameter> get_parameters(Cdr &c)
{
    uint32_t n = 0;
    c >> n;
    std::vector<Parameter> out(n);
    for (auto &p : out) {
        c >> p.name;
        p.value.get(c);
    }
    return out;
}

void put_parameters(Cdr &c, const std::vector<Parameter> &params)
{
    c << static_cast<uint32_t>(params.size());
    for (auto &p : params) {
        c << p.name;
        p.value.put(c);
    }
}

// ---- client ----

using Strings = std::vector<std::string>;

void ask_list(Ends &ends, const Strings &prefixes, uint64_t depth)
{
    Body r = ends.ask([&](Cdr &c) { c << prefixes << depth; });
    Strings names;
    r.read([&](Cdr &c) { c >> names; });
    std::printf("list");
    for (auto &name : names)
        if (name.compare(0, 4, "qos_") != 0)
            std::printf(" %s", name.c_str());
    std::printf("\n");
}

void ask_get(Ends &ends, const Strings &names)
{
    Body r = ends.ask([&](Cdr &c) { c << names; });
    std::printf("get");
    r.read([&](Cdr &c) {
        uint32_t n = 0;
        c >> n;
        for (uint32_t k = 0; k < n; k++) {
            Value value;
            value.get(c);
            std::printf(" ");
            value.print();
        }
    });
    std::printf("\n");
}

void ask_types(Ends &ends, const Strings &names)
{
    Body r = ends.ask([&](Cdr &c) { c << names; });
    std::vector<uint8_t> types;
    r.read([&](Cdr &c) { c >> types; });
    std::printf("types");
    for (auto type : types)
        std::printf(" %u", type);
    std::printf("\n");
}

void print_descriptor(Cdr &c)
{
    std::string name, text, more;
    uint8_t type = 0;
    bool read_only = false, dynamic = false;
    uint32_t n_floats = 0, n_integers = 0;
    c >> name >> type >> text >> more >> read_only >> dynamic >> n_floats;
    std::printf(" %s %u '%s' '%s' %d%d", name.c_str(), type, text.c_str(), more.c_str(), read_only,
                dynamic);
    for (uint32_t k = 0; k < n_floats; k++) {
        double from = 0, to = 0, step = 0;
        c >> from >> to >> step;
        std::printf(" %g..%g", from, to);
    }
    c >> n_integers;
    for (uint32_t k = 0; k < n_integers; k++) {
        int64_t from = 0, to = 0;
        uint64_t step = 0;
        c >> from >> to >> step;
        std::printf(" %lld..%lld/%llu", static_cast<long long>(from), static_cast<long long>(to),
                    static_cast<unsigned long long>(step));
    }
}

void ask_describe(Ends &ends, const std::string &name)
{
    Body r = ends.ask([&](Cdr &c) { c << Strings{name}; });
    std::printf("describe");
    r.read([&](Cdr &c) {
        uint32_t n = 0;
        c >> n;
        for (uint32_t k = 0; k < n; k++)
            print_descriptor(c);
    });
    std::printf("\n");
}

void print_result(const char *what, Cdr &c)
{
    bool is_successful = false;
    std::string reason;
    c >> is_successful >> reason;
    std::printf("%s %d %s\n", what, is_successful, reason.c_str());
}

void ask_set(std::vector<Ends> &all, const std::string &mode)
{
    std::vector<Parameter> params(2);
    params[0].name = "rate";
    params[0].value.type = 3;
    params[0].value.d = 33.5;
    params[1].name = "mode";
    params[1].value.type = 4;
    params[1].value.s = mode;
    all[ATOMIC].ask([&](Cdr &c) { put_parameters(c, params); }).read([](Cdr &c) {
        print_result("atomic", c);
    });
    params[0].value.d = 44.5;
    all[SET].ask([&](Cdr &c) { put_parameters(c, params); }).read([](Cdr &c) {
        uint32_t n = 0;
        c >> n;
        for (uint32_t k = 0; k < n; k++)
            print_result("set", c);
    });
}

void print_events(DataReader *events)
{
    // rate alone, then both at once, then one by one
    for (int n = 0; n < 4; pause_ms(1)) {
        Body event;
        SampleInfo info;
        while (events->take_next_sample(&event, &info) == ReturnCode_t::RETCODE_OK) {
            if (!info.valid_data)
                continue;
            event.read([](Cdr &c) {
                int32_t sec = 0;
                uint32_t nanosec = 0;
                std::string node;
                c >> sec >> nanosec >> node;
                (void)get_parameters(c);
                std::printf("event %s", node.c_str());
                for (auto &p : get_parameters(c)) {
                    std::printf(" %s=", p.name.c_str());
                    p.value.print();
                }
                std::printf("\n");
            });
            n++;
        }
    }
}

void run_client(std::vector<Ends> &all, DataReader *events)
{
    const Strings names = {"on", "count", "rate", "mode", "gains", "ids", "words", "flags", "raw"};
    for (auto &ends : all)
        ends.wait_for_server();
    SubscriptionMatchedStatus matched;
    do {
        pause_ms(1);
        events->get_subscription_matched_status(matched);
    } while (matched.current_count == 0);
    ask_list(all[LIST], {}, 0);
    ask_list(all[LIST], {"limits"}, 1);
    ask_get(all[GET], names);
    ask_get(all[GET], {"on", "nonsense"});
    ask_types(all[TYPES], names);
    ask_describe(all[DESCRIBE], "rate");
    ask_describe(all[DESCRIBE], "count");
    ask_describe(all[DESCRIBE], "fixed");
    ask_set(all, "shut");
    ask_get(all[GET], {"rate", "mode"});
    ask_set(all, "limp");
    ask_get(all[GET], {"rate", "mode"});
    print_events(events);
    std::printf("done\n");
}

// ---- server ----

void answer(int service, Cdr &in, Cdr &out)
{
    if (service == LIST) {
        out << Strings{"name", "speed"} << Strings{};
    } else if (service == GET) {
        Strings names;
        in >> names;
        out << static_cast<uint32_t>(names.size());
        for (auto &name : names) {
            Value value;
            value.type = name == "speed" ? 3 : 4;
            value.d = name == "speed" ? 1.5 : 0.0;
            value.s = name == "speed" ? "" : "bob";
            value.put(out);
        }
    } else if (service == TYPES) {
        out << std::vector<uint8_t>{3, 4};
    } else if (service == SET) {
        for (auto &p : get_parameters(in)) {
            std::printf("asked to set %s ", p.name.c_str());
            p.value.print();
            std::printf("\n");
        }
        out << uint32_t{2} << true << std::string() << false << std::string("never");
    } else if (service == ATOMIC) {
        out << false << std::string("not all");
    } else {
        out << uint32_t{1} << std::string("speed") << uint8_t{3} << std::string("how fast")
            << std::string() << true << false << uint32_t{1} << 0.5 << 2.5 << 0.25 << uint32_t{0};
    }
}

void run_server(std::vector<Ends> &all)
{
    for (;; pause_ms(1)) {
        for (int i = 0; i < N_SERVICES; i++) {
            Body request;
            SampleInfo info;
            while (all[static_cast<size_t>(i)].reader->take_next_sample(&request, &info) ==
                   ReturnCode_t::RETCODE_OK) {
                if (!info.valid_data)
                    continue;
                // as rmw_fastrtps: the reply names the client's reader if the request named it
                WriteParams params;
                auto id = info.sample_identity;
                if (info.related_sample_identity.writer_guid() != GUID_t::unknown())
                    id.writer_guid() = info.related_sample_identity.writer_guid();
                params.related_sample_identity() = id;
                Body reply;
                reply.put = [&](Cdr &out) { request.read([&](Cdr &in) { answer(i, in, out); }); };
                all[static_cast<size_t>(i)].writer->write(&reply, params);
            }
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc < 4)
        return 2;
    bool is_server = std::string(argv[2]) == "server";
    Peer peer(static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)));
    DataReader *events = peer.reader(
        peer.topic("rt/parameter_events", "rcl_interfaces::msg::dds_::ParameterEvent_"));
    std::vector<Ends> all;
    for (int i = 0; i < N_SERVICES; i++)
        all.emplace_back(peer, i, argv[3], is_server);
    std::printf("ready\n");
    if (is_server)
        run_server(all);
    run_client(all, events);
    // a peer that leaves without a word is waited for
    peer.participant->delete_contained_entities();
    DomainParticipantFactory::get_instance()->delete_participant(peer.participant);
    std::printf("bye\n");
    return 0;
}
