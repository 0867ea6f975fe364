// SPDX-License-Identifier: Apache-2.0
// What an rmw_fastrtps_cpp server or client does on the wire, with Fast DDS alone: the service
// /list of type rcl_interfaces/srv/ListParameters, as echo. One line on stdout per event; see
// test/wire/ros.
//
// usage: peer.service_fastdds [--new-ids] DOMAIN server | half | client N WINDOW BYTES |
//        hostile N | strange
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/common/WriteParams.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include "rtps_rewrite.hpp"

using namespace eprosima::fastdds::dds;
using namespace eprosima::fastrtps::rtps;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

namespace {

// A request or reply: its bytes, so that wrong ones can be sent too.
struct Message {
    std::vector<uint8_t> cdr;
};

struct Content {
    std::vector<std::string> first, second; // request: prefixes; reply: names, prefixes
    uint64_t depth = 0;
};

Message pack(const Content &content, bool is_request)
{
    Message m;
    size_t size = 64;
    for (const auto *list : {&content.first, &content.second})
        for (const std::string &s : *list)
            size += s.size() + 16;
    m.cdr.resize(size);
    FastBuffer buffer(reinterpret_cast<char *>(m.cdr.data()), m.cdr.size());
    Cdr c(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    c.serialize_encapsulation();
    c << content.first;
    if (is_request)
        c << content.depth;
    else
        c << content.second;
    m.cdr.resize(c.getSerializedDataLength());
    return m;
}

bool unpack(Message &m, bool is_request, Content &content)
{
    try {
        FastBuffer buffer(reinterpret_cast<char *>(m.cdr.data()), m.cdr.size());
        Cdr c(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
        c.read_encapsulation();
        // a foreign count must not make the list huge
        uint32_t n = 0;
        auto read = [&](std::vector<std::string> &list) {
            c >> n;
            if (n > 100000)
                throw std::runtime_error("absurd count");
            list.resize(n);
            for (std::string &s : list)
                c >> s;
        };
        read(content.first);
        if (is_request)
            c >> content.depth;
        else
            read(content.second);
    } catch (const std::exception &e) {
        std::printf("bad %s\n", e.what());
        return false;
    }
    return true;
}

class Type : public TopicDataType {
  public:
    explicit Type(const std::string &name)
    {
        setName(name.c_str());
        m_typeSize = 4096;
        m_isGetKeyDefined = false;
        auto_fill_type_object(false);
        auto_fill_type_information(false);
    }
    bool serialize(void *data, SerializedPayload_t *payload) override
    {
        const auto &cdr = static_cast<Message *>(data)->cdr;
        if (cdr.size() > payload->max_size)
            return false;
        payload->encapsulation = CDR_LE;
        std::memcpy(payload->data, cdr.data(), cdr.size());
        payload->length = static_cast<uint32_t>(cdr.size());
        return true;
    }
    bool deserialize(SerializedPayload_t *payload, void *data) override
    {
        static_cast<Message *>(data)->cdr.assign(payload->data, payload->data + payload->length);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *data) override
    {
        return [data] { return static_cast<uint32_t>(static_cast<Message *>(data)->cdr.size()); };
    }
    void *createData() override
    {
        return new Message;
    }
    void deleteData(void *data) override
    {
        delete static_cast<Message *>(data);
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
    TypeSupport request, reply;
    Topic *request_topic = nullptr, *reply_topic = nullptr;

    explicit Peer(uint32_t domain)
        : request(new Type("rcl_interfaces::srv::dds_::ListParameters_Request_")),
          reply(new Type("rcl_interfaces::srv::dds_::ListParameters_Response_"))
    {
        DomainParticipantQos qos;
        std::string user_data = "enclave=/;";
        qos.user_data().setValue(std::vector<octet>(user_data.begin(), user_data.end()));
        // shared memory would only hide the wire
        qos.transport().use_builtin_transports = false;
        auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
        udp->sendBufferSize = udp->receiveBufferSize = 4 << 20;
        qos.transport().user_transports.push_back(udp);
        participant = DomainParticipantFactory::get_instance()->create_participant(domain, qos);
        if (participant == nullptr)
            std::exit(3);
        publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
        subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
        request.register_type(participant);
        reply.register_type(participant);
        request_topic =
            participant->create_topic("rq/listRequest", request.get_type_name(), TOPIC_QOS_DEFAULT);
        reply_topic =
            participant->create_topic("rr/listReply", reply.get_type_name(), TOPIC_QOS_DEFAULT);
    }
    DataWriter *writer(Topic *topic, DataWriterListener *listener = nullptr)
    {
        DataWriterQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.durability().kind = VOLATILE_DURABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = 10;
        qos.publish_mode().kind = ASYNCHRONOUS_PUBLISH_MODE;
        qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        // 3 s by default: only how soon a lost packet is noticed
        qos.reliable_writer_qos().times.heartbeatPeriod = {0, 50000000};
        return publisher->create_datawriter(topic, qos, listener);
    }
    DataReader *reader(Topic *topic, int depth = 10)
    {
        DataReaderQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.durability().kind = VOLATILE_DURABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = depth;
        qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        return subscriber->create_datareader(topic, qos);
    }
};

// Whose reply readers are matched.
class Askers : public DataWriterListener {
  public:
    void on_publication_matched(DataWriter *, const PublicationMatchedStatus &status) override
    {
        std::lock_guard<std::mutex> lock(mutex_);
        GUID_t guid = iHandle2GUID(status.last_subscription_handle);
        if (status.current_count_change > 0)
            readers_.insert(guid);
        else
            readers_.erase(guid);
    }
    void wait_for(const GUID_t &reader)
    {
        for (int i = 0; i < 10000 && !has(reader); i++)
            pause_ms(1);
    }

  private:
    bool has(const GUID_t &reader)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        return readers_.count(reader) > 0;
    }
    std::mutex mutex_;
    std::set<GUID_t> readers_;
};

// As rmw_fastrtps: the reply names the client's reader if the request named it, and waits for it.
int server(Peer &peer)
{
    Askers askers;
    DataWriter *writer = peer.writer(peer.reply_topic, &askers);
    DataReader *reader = peer.reader(peer.request_topic);
    std::printf("ready\n");
    for (;;) {
        Message in;
        SampleInfo info;
        while (reader->take_next_sample(&in, &info) == ReturnCode_t::RETCODE_OK) {
            Content content;
            if (!info.valid_data || !unpack(in, true, content))
                continue;
            WriteParams params;
            auto id = info.sample_identity;
            auto reader_guid = info.related_sample_identity.writer_guid();
            if (reader_guid != GUID_t::unknown())
                id.writer_guid() = reader_guid;
            params.related_sample_identity() = id;
            askers.wait_for(id.writer_guid());
            content.second = {"fastdds"};
            Message out = pack(content, false);
            writer->write(&out, params);
            std::printf("request %llu\n", static_cast<unsigned long long>(content.depth));
        }
        pause_ms(1);
    }
}

struct Client {
    DataReader *reader;
    DataWriter *writer;
    size_t bytes;
    std::map<int64_t, int> open; // sequence number → call
    int n_ok = 0, n_wrong = 0;

    void wait_for_server() const
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
    static std::string text(int call)
    {
        return "call " + std::to_string(call);
    }
    void send(int call)
    {
        Content content;
        content.first = {text(call), std::string(bytes, 'x')};
        content.depth = static_cast<uint64_t>(call);
        Message m = pack(content, true);
        WriteParams params;
        params.related_sample_identity().writer_guid() = reader->guid();
        writer->write(&m, params);
        open[params.sample_identity().sequence_number().to64long()] = call;
    }
    void take()
    {
        Message m;
        SampleInfo info;
        while (reader->take_next_sample(&m, &info) == ReturnCode_t::RETCODE_OK) {
            auto id = info.related_sample_identity;
            bool is_ours = id.writer_guid() == reader->guid() || id.writer_guid() == writer->guid();
            auto call = open.find(id.sequence_number().to64long());
            if (!info.valid_data || !is_ours || call == open.end())
                continue;
            Content content;
            bool is_right = unpack(m, false, content) && content.first.size() == 2 &&
                            content.first[0] == text(call->second) &&
                            content.first[1] == std::string(bytes, 'x');
            (is_right ? n_ok : n_wrong)++;
            open.erase(call);
        }
    }
};

int client(Peer &peer, int n, size_t window, size_t bytes)
{
    // the replies to everybody else come here too: with 10 they push ours out while we sleep
    Client c = {peer.reader(peer.reply_topic, 1000), peer.writer(peer.request_topic), bytes, {}};
    std::printf("ready\n");
    c.wait_for_server();
    int n_sent = 0;
    for (int idle = 0; (n_sent < n || !c.open.empty()) && idle < 20000; idle++) {
        int n_done = c.n_ok + c.n_wrong;
        while (n_sent < n && c.open.size() < window)
            c.send(++n_sent);
        c.take();
        if (c.n_ok + c.n_wrong != n_done)
            idle = 0;
        pause_ms(1);
    }
    std::printf("ids sent %u read %u hidden %u\n", rtps_rewrite().n_sent.load(),
                rtps_rewrite().n_read.load(), rtps_rewrite().n_hidden.load());
    std::printf("done %d wrong %d lost %zu\n", c.n_ok, c.n_wrong, c.open.size());
    for (;;)
        pause_ms(100);
}

// Requests that name readers nobody has, then bodies that are wrong in every way.
int hostile(Peer &peer, int n)
{
    DataReader *reader = peer.reader(peer.reply_topic, 1000);
    Client c = {reader, peer.writer(peer.request_topic), 0, {}};
    std::printf("ready\n");
    c.wait_for_server();
    for (int i = 0; i < n; i++) {
        Content content;
        content.depth = static_cast<uint64_t>(i);
        Message m = pack(content, true);
        WriteParams params;
        GUID_t guid = reader->guid();
        guid.guidPrefix.value[11] = static_cast<octet>(i);
        guid.guidPrefix.value[10] = static_cast<octet>(i >> 8);
        guid.guidPrefix.value[9] ^= 0x55;
        params.related_sample_identity().writer_guid() = guid;
        c.writer->write(&m, params);
        if (i % 8 == 7)
            pause_ms(1);
    }
    std::printf("unknown readers %d\n", n);
    // header only, a count that cannot be, a string without end, another encoding
    const std::vector<uint8_t> bodies[] = {
        {0, 1, 0, 0},
        {0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff},
        {0, 1, 0, 0, 0xff, 0xff, 0xff, 0x7f, 1, 0, 0, 0, 0, 0, 0, 0},
        {0, 1, 0, 0, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 'a', 'b', 'c', 0},
        {0, 1, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 'a', 'b', 'c', 'd', 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 7, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9},
    };
    for (const auto &body : bodies) {
        Message m = {body};
        WriteParams params;
        params.related_sample_identity().writer_guid() = reader->guid();
        c.writer->write(&m, params);
        pause_ms(20);
    }
    c.send(1);
    for (int i = 0; i < 20000 && !c.open.empty(); i++) {
        c.take();
        pause_ms(1);
    }
    std::printf("done %d wrong %d lost %zu\n", c.n_ok, c.n_wrong, c.open.size());
    // no encoding at all: Cyclone refuses the packet, and with it what follows of this writer
    Message none = {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}};
    c.writer->write(&none);
    for (;;)
        pause_ms(100);
}

// A server whose replies go everywhere but where they should, before the right one, which comes
// twice.
int strange(Peer &peer)
{
    DataWriter *writer = peer.writer(peer.reply_topic);
    DataReader *reader = peer.reader(peer.request_topic);
    std::printf("ready\n");
    for (;;) {
        Message in;
        SampleInfo info;
        while (reader->take_next_sample(&in, &info) == ReturnCode_t::RETCODE_OK) {
            Content content;
            if (!info.valid_data || !unpack(in, true, content))
                continue;
            auto right = info.sample_identity;
            right.writer_guid() = info.related_sample_identity.writer_guid();
            auto send = [&](SampleIdentity id, const std::vector<uint8_t> *cdr) {
                WriteParams params;
                params.related_sample_identity() = id;
                content.second = {"fastdds"};
                Message out = pack(content, false);
                if (cdr != nullptr)
                    out.cdr = *cdr;
                writer->write(&out, params);
            };
            auto wrong = right;
            wrong.sequence_number() = SequenceNumber_t(0, 0);
            send(wrong, nullptr);
            wrong.sequence_number() = SequenceNumber_t(0x7fffffff, 0xffffffff);
            send(wrong, nullptr);
            wrong.sequence_number() = SequenceNumber_t(-1, 0);
            send(wrong, nullptr);
            wrong = right;
            wrong.writer_guid().entityId.value[0] ^= 1;
            send(wrong, nullptr);
            // identity of nobody at all
            send(SampleIdentity(), nullptr);
            const std::vector<uint8_t> cut = {0, 1, 0, 0},
                                       huge = {0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff};
            send(right, &cut);
            send(right, &huge);
            pause_ms(5);
            send(right, nullptr);
            send(right, nullptr);
        }
        pause_ms(1);
    }
}

// Half a server: requests are read, nobody answers.
int half(Peer &peer)
{
    DataReader *reader = peer.reader(peer.request_topic);
    std::printf("ready\n");
    for (;;) {
        Message in;
        SampleInfo info;
        while (reader->take_next_sample(&in, &info) == ReturnCode_t::RETCODE_OK)
            std::printf("got %zu bytes\n", in.cdr.size());
        pause_ms(1);
    }
}

int number(int argc, char **argv, int i, int otherwise)
{
    return argc > i ? static_cast<int>(std::strtol(argv[i], nullptr, 10)) : otherwise;
}

} // namespace

int main(int argc, char **argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc > 1 && std::strcmp(argv[1], "--new-ids") == 0) {
        rtps_rewrite().is_on = true;
        argc--;
        argv++;
    }
    if (argc < 3)
        return 2;
    Peer peer(static_cast<uint32_t>(number(argc, argv, 1, 0)));
    std::string mode = argv[2];
    if (mode == "server")
        return server(peer);
    if (mode == "half")
        return half(peer);
    if (mode == "strange")
        return strange(peer);
    if (mode == "hostile")
        return hostile(peer, number(argc, argv, 3, 1000));
    return client(peer, number(argc, argv, 3, 1), static_cast<size_t>(number(argc, argv, 4, 1)),
                  static_cast<size_t>(number(argc, argv, 5, 0)));
}
