// SPDX-License-Identifier: Apache-2.0
// What an rmw_fastrtps_cpp node does on the wire, with Fast DDS alone: topics with JointState in
// both directions, a Trigger server, a Trigger client. One line on stdout per event; see
// test/wire/ros.
//
// usage: peer.ros_fastdds DOMAIN topics | late | server | client N
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

struct JointState {
    int32_t sec = 0;
    uint32_t nanosec = 0;
    std::string frame_id;
    std::vector<std::string> name;
    std::vector<double> position, velocity, effort;
};

struct Trigger {
    uint8_t dummy_or_success = 0;
    std::string message;
};

void put(Cdr &c, const JointState &m)
{
    c << m.sec << m.nanosec << m.frame_id << m.name << m.position << m.velocity << m.effort;
}

void get(Cdr &c, JointState &m)
{
    c >> m.sec >> m.nanosec >> m.frame_id >> m.name >> m.position >> m.velocity >> m.effort;
}

void put_request(Cdr &c, const Trigger &m)
{
    c << m.dummy_or_success;
}

void get_request(Cdr &c, Trigger &m)
{
    c >> m.dummy_or_success;
}

void put_response(Cdr &c, const Trigger &m)
{
    c << m.dummy_or_success << m.message;
}

void get_response(Cdr &c, Trigger &m)
{
    c >> m.dummy_or_success >> m.message;
}

uint32_t largest_size()
{
    return 4096;
}

template <typename T> class Type : public TopicDataType {
  public:
    Type(const std::string &name, void (*write)(Cdr &, const T &), void (*read)(Cdr &, T &))
        : write_(write), read_(read)
    {
        setName(name.c_str());
        m_typeSize = 4096;
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
        write_(cdr, *static_cast<T *>(data));
        payload->length = static_cast<uint32_t>(cdr.getSerializedDataLength());
        return true;
    }
    bool deserialize(SerializedPayload_t *payload, void *data) override
    {
        try {
            FastBuffer buffer(reinterpret_cast<char *>(payload->data), payload->length);
            Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
            cdr.read_encapsulation();
            read_(cdr, *static_cast<T *>(data));
        } catch (const std::exception &e) {
            std::printf("bad %s\n", e.what());
            return false;
        }
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *) override
    {
        return largest_size;
    }
    void *createData() override
    {
        return new T;
    }
    void deleteData(void *data) override
    {
        delete static_cast<T *>(data);
    }
    bool getKey(void *, InstanceHandle_t *, bool) override
    {
        return false;
    }

  private:
    void (*write_)(Cdr &, const T &);
    void (*read_)(Cdr &, T &);
};

enum Kind { BEST_EFFORT, RELIABLE, LATCHED };

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
    Topic *topic(const std::string &name, TypeSupport &type)
    {
        type.register_type(participant);
        return participant->create_topic(name, type.get_type_name(), TOPIC_QOS_DEFAULT);
    }
    DataWriter *writer(Topic *topic, Kind kind, int depth)
    {
        DataWriterQos qos;
        qos.reliability().kind =
            kind == BEST_EFFORT ? BEST_EFFORT_RELIABILITY_QOS : RELIABLE_RELIABILITY_QOS;
        qos.durability().kind =
            kind == LATCHED ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = depth;
        qos.publish_mode().kind = SYNCHRONOUS_PUBLISH_MODE;
        qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        return publisher->create_datawriter(topic, qos);
    }
    DataReader *reader(Topic *topic, Kind kind, int depth)
    {
        DataReaderQos qos;
        qos.reliability().kind =
            kind == BEST_EFFORT ? BEST_EFFORT_RELIABILITY_QOS : RELIABLE_RELIABILITY_QOS;
        qos.durability().kind =
            kind == LATCHED ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = depth;
        qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        return subscriber->create_datareader(topic, qos);
    }
};

const char *const names[] = {"be", "rel", "tl"};

void pause_ms(int ms)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

int topics(Peer &peer, bool only_latched)
{
    TypeSupport type(new Type<JointState>("sensor_msgs::msg::dds_::JointState_", put, get));
    DataReader *readers[3] = {};
    DataWriter *writers[3] = {};
    for (int i = only_latched ? 2 : 0; i < 3; i++) {
        std::string name = std::string("rt/") + names[i];
        readers[i] = peer.reader(peer.topic(name, type), static_cast<Kind>(i), 10);
        writers[i] = peer.writer(peer.topic(name + "_back", type), static_cast<Kind>(i), 1);
    }
    std::printf("ready\n");
    for (int k = 1;; k++) {
        JointState out;
        out.sec = k;
        out.frame_id = "fastdds";
        out.name = {"thumb", "index", ""};
        out.position = {0.5 * k, -1.0, 1e9};
        for (int i = only_latched ? 2 : 0; i < 3; i++) {
            // the latched one is written once: whoever comes late gets it all the same
            if (i < 2 || k == 1)
                writers[i]->write(&out);
            JointState in;
            SampleInfo info;
            while (readers[i]->take_next_sample(&in, &info) == ReturnCode_t::RETCODE_OK)
                if (info.valid_data && in.name.size() == 3 && in.position.size() == 3)
                    std::printf("%s %d %s %s %s %g\n", names[i], in.sec, in.frame_id.c_str(),
                                in.name[0].c_str(), in.name[1].c_str(), in.position[0]);
        }
        pause_ms(10);
    }
}

struct Service {
    TypeSupport request, response;
    Topic *request_topic, *response_topic;
    explicit Service(Peer &peer)
        : request(
              new Type<Trigger>("std_srvs::srv::dds_::Trigger_Request_", put_request, get_request)),
          response(new Type<Trigger>("std_srvs::srv::dds_::Trigger_Response_", put_response,
                                     get_response)),
          request_topic(peer.topic("rq/armRequest", request)),
          response_topic(peer.topic("rr/armReply", response))
    {
    }
};

int server(Peer &peer)
{
    Service service(peer);
    DataWriter *writer = peer.writer(service.response_topic, RELIABLE, 10);
    DataReader *reader = peer.reader(service.request_topic, RELIABLE, 10);
    std::printf("ready\n");
    for (;;) {
        Trigger in, out;
        SampleInfo info;
        while (reader->take_next_sample(&in, &info) == ReturnCode_t::RETCODE_OK) {
            if (!info.valid_data)
                continue;
            // as rmw_fastrtps: the reply names the client's reader if the request named it
            WriteParams params;
            auto id = info.sample_identity;
            auto reader_guid = info.related_sample_identity.writer_guid();
            if (reader_guid != GUID_t::unknown())
                id.writer_guid() = reader_guid;
            params.related_sample_identity() = id;
            out.dummy_or_success = 1;
            out.message = "from fastdds";
            writer->write(&out, params);
            std::printf("request %d\n", in.dummy_or_success);
        }
        pause_ms(1);
    }
}

/// @return true when the reply came.
bool call(DataWriter *writer, DataReader *reader)
{
    Trigger request;
    WriteParams params;
    params.related_sample_identity().writer_guid() = reader->guid();
    writer->write(&request, params);
    auto sequence = params.sample_identity().sequence_number();
    for (int i = 0; i < 5000; i++) {
        Trigger response;
        SampleInfo info;
        while (reader->take_next_sample(&response, &info) == ReturnCode_t::RETCODE_OK) {
            auto id = info.related_sample_identity;
            bool is_ours = id.writer_guid() == reader->guid() || id.writer_guid() == writer->guid();
            if (info.valid_data && is_ours && id.sequence_number() == sequence) {
                std::printf("response %d %s\n", response.dummy_or_success,
                            response.message.c_str());
                return true;
            }
        }
        pause_ms(1);
    }
    std::printf("no response\n");
    return false;
}

int client(Peer &peer, int n)
{
    Service service(peer);
    DataReader *reader = peer.reader(service.response_topic, RELIABLE, 10);
    DataWriter *writer = peer.writer(service.request_topic, RELIABLE, 10);
    std::printf("ready\n");
    // as rmw_fastrtps: a server is there when request and reply endpoints are matched
    for (;;) {
        PublicationMatchedStatus publications;
        SubscriptionMatchedStatus subscriptions;
        writer->get_publication_matched_status(publications);
        reader->get_subscription_matched_status(subscriptions);
        if (publications.current_count > 0 && subscriptions.current_count > 0)
            break;
        pause_ms(1);
    }
    int n_ok = 0;
    for (int i = 0; i < n; i++)
        n_ok += call(writer, reader) ? 1 : 0;
    std::printf("done %d\n", n_ok);
    for (;;)
        pause_ms(100);
}

} // namespace

int main(int argc, char **argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc < 3)
        return 2;
    Peer peer(static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)));
    std::string mode = argv[2];
    if (mode == "topics" || mode == "late")
        return topics(peer, mode == "late");
    if (mode == "server")
        return server(peer);
    return client(peer, argc > 3 ? static_cast<int>(std::strtol(argv[3], nullptr, 10)) : 1);
}
