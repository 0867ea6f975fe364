// SPDX-License-Identifier: Apache-2.0
// A stranger with any QoS, made with Fast DDS. Payloads are opaque: what is sent is printed byte
// by byte, in either byte order. Each further argument is an endpoint; one line on stdout per
// event.
//
// usage: peer.qos_fastdds DOMAIN w:TOPIC[:key[=value],…] | r:TOPIC[:…] …
// QoS keys: be tl transient manual manualp exclusive source all depth=N deadline=MS lease=MS
// lifespan=MS budget=MS partition=NAME; others: type=DDS_TYPE n=N eager period=MS, as the other
// peer; big (big-endian) size=N (bytes behind the number) hex (print bytes) copies=N (endpoints)
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

using namespace eprosima::fastdds::dds;
using namespace eprosima::fastrtps::rtps;
using eprosima::fastrtps::c_TimeInfinite;
using eprosima::fastrtps::Duration_t;

namespace {

using Bytes = std::vector<uint8_t>;

class Opaque : public TopicDataType {
  public:
    explicit Opaque(const std::string &name)
    {
        setName(name.c_str());
        m_typeSize = 300000;
        m_isGetKeyDefined = false;
        auto_fill_type_object(false);
        auto_fill_type_information(false);
    }
    bool serialize(void *data, SerializedPayload_t *payload) override
    {
        const Bytes &bytes = *static_cast<Bytes *>(data);
        payload->encapsulation = bytes[1] == 0 ? CDR_BE : CDR_LE;
        payload->length = static_cast<uint32_t>(bytes.size());
        std::memcpy(payload->data, bytes.data(), bytes.size());
        return true;
    }
    bool deserialize(SerializedPayload_t *payload, void *data) override
    {
        static_cast<Bytes *>(data)->assign(payload->data, payload->data + payload->length);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *data) override
    {
        uint32_t size = static_cast<uint32_t>(static_cast<Bytes *>(data)->size());
        return [size]() { return size; };
    }
    void *createData() override
    {
        return new Bytes;
    }
    void deleteData(void *data) override
    {
        delete static_cast<Bytes *>(data);
    }
    bool getKey(void *, InstanceHandle_t *, bool) override
    {
        return false;
    }
};

struct Endpoint {
    bool is_writer = false, is_eager = false, is_big = false, prints_bytes = false;
    std::string topic, type = "std_msgs::msg::dds_::UInt64_";
    TypeSupport support;
    DataWriter *writer = nullptr;
    DataReader *reader = nullptr;
    unsigned long n = 0, n_written = 0, period_ms = 0, next_ms = 0, size = 0, copies = 1;
    int32_t matched_total = 0, alive = 0, not_alive = 0;
    uint32_t deadline = 0;
};

struct Wishes {
    ReliabilityQosPolicyKind reliability = RELIABLE_RELIABILITY_QOS;
    DurabilityQosPolicyKind durability = VOLATILE_DURABILITY_QOS;
    LivelinessQosPolicyKind liveliness = AUTOMATIC_LIVELINESS_QOS;
    OwnershipQosPolicyKind ownership = SHARED_OWNERSHIP_QOS;
    HistoryQosPolicyKind history = KEEP_LAST_HISTORY_QOS;
    DestinationOrderQosPolicyKind order = BY_RECEPTION_TIMESTAMP_DESTINATIONORDER_QOS;
    int depth = 10;
    Duration_t deadline = c_TimeInfinite, lease = c_TimeInfinite, lifespan = c_TimeInfinite,
               budget = Duration_t(0, 0);
    std::vector<std::string> partitions;
};

Duration_t milliseconds(const std::string &text)
{
    long ms = std::strtol(text.c_str(), nullptr, 10);
    return Duration_t(static_cast<int32_t>(ms / 1000), static_cast<uint32_t>(ms % 1000) * 1000000u);
}

void set(Endpoint &e, Wishes &w, const std::string &key, const std::string &value)
{
    unsigned long number = std::strtoul(value.c_str(), nullptr, 10);
    if (key == "be")
        w.reliability = BEST_EFFORT_RELIABILITY_QOS;
    else if (key == "tl")
        w.durability = TRANSIENT_LOCAL_DURABILITY_QOS;
    else if (key == "transient")
        w.durability = TRANSIENT_DURABILITY_QOS;
    else if (key == "manual")
        w.liveliness = MANUAL_BY_TOPIC_LIVELINESS_QOS;
    else if (key == "manualp")
        w.liveliness = MANUAL_BY_PARTICIPANT_LIVELINESS_QOS;
    else if (key == "exclusive")
        w.ownership = EXCLUSIVE_OWNERSHIP_QOS;
    else if (key == "source")
        w.order = BY_SOURCE_TIMESTAMP_DESTINATIONORDER_QOS;
    else if (key == "all")
        w.history = KEEP_ALL_HISTORY_QOS;
    else if (key == "depth")
        w.depth = static_cast<int>(number);
    else if (key == "deadline")
        w.deadline = milliseconds(value);
    else if (key == "lease")
        w.lease = milliseconds(value);
    else if (key == "lifespan")
        w.lifespan = milliseconds(value);
    else if (key == "budget")
        w.budget = milliseconds(value);
    else if (key == "partition")
        w.partitions.push_back(value);
    else if (key == "type")
        e.type = value;
    else if (key == "n")
        e.n = number;
    else if (key == "period")
        e.period_ms = number;
    else if (key == "size")
        e.size = number;
    else if (key == "copies")
        e.copies = number;
    else if (key == "eager")
        e.is_eager = true;
    else if (key == "big")
        e.is_big = true;
    else if (key == "hex")
        e.prints_bytes = true;
    else {
        std::fprintf(stderr, "unknown key %s\n", key.c_str());
        std::exit(2);
    }
}

template <typename Qos> void apply(const Wishes &w, Qos &qos)
{
    qos.reliability().kind = w.reliability;
    qos.durability().kind = w.durability;
    qos.liveliness().kind = w.liveliness;
    qos.liveliness().lease_duration = w.lease;
    if (w.lease != c_TimeInfinite)
        qos.liveliness().announcement_period = Duration_t(w.lease.to_ns() * 1e-9 / 3);
    qos.ownership().kind = w.ownership;
    qos.destination_order().kind = w.order;
    qos.history().kind = w.history;
    qos.history().depth = w.depth;
    qos.deadline().period = w.deadline;
    qos.latency_budget().duration = w.budget;
    qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    std::string user_data = "typehash=RIHS01_"
                            "00000000000000000000000000000000000000000000000000000000000000aa;";
    qos.user_data().setValue(std::vector<octet>(user_data.begin(), user_data.end()));
}

std::list<Endpoint> endpoints;

void open_one(DomainParticipant *participant, Endpoint e, const Wishes &w)
{
    e.support = TypeSupport(new Opaque(e.type));
    e.support.register_type(participant);
    Topic *topic = static_cast<Topic *>(participant->lookup_topicdescription(e.topic));
    if (topic == nullptr)
        topic = participant->create_topic(e.topic, e.type, TOPIC_QOS_DEFAULT);
    if (e.is_writer) {
        PublisherQos group;
        for (const std::string &name : w.partitions)
            group.partition().push_back(name.c_str());
        DataWriterQos qos;
        apply(w, qos);
        qos.lifespan().duration = w.lifespan;
        qos.publish_mode().kind =
            e.size > 60000 ? ASYNCHRONOUS_PUBLISH_MODE : SYNCHRONOUS_PUBLISH_MODE;
        e.writer = participant->create_publisher(group)->create_datawriter(topic, qos);
    } else {
        SubscriberQos group;
        for (const std::string &name : w.partitions)
            group.partition().push_back(name.c_str());
        DataReaderQos qos;
        apply(w, qos);
        e.reader = participant->create_subscriber(group)->create_datareader(topic, qos);
    }
    if (e.writer == nullptr && e.reader == nullptr) {
        std::fprintf(stderr, "%s: refused\n", e.topic.c_str());
        std::exit(3);
    }
    endpoints.push_back(e);
}

void open_endpoint(DomainParticipant *participant, const std::string &text)
{
    Endpoint e;
    Wishes w;
    size_t second = text.find(':', 2);
    e.is_writer = text[0] == 'w';
    e.topic = text.substr(2, second == std::string::npos ? second : second - 2);
    size_t at = second == std::string::npos ? text.size() : second + 1;
    while (at < text.size()) {
        size_t end = text.find(',', at);
        std::string word = text.substr(at, end == std::string::npos ? end : end - at);
        size_t equals = word.find('=');
        set(e, w, word.substr(0, equals),
            equals == std::string::npos ? "" : word.substr(equals + 1));
        at = end == std::string::npos ? text.size() : end + 1;
    }
    for (unsigned long i = 0; i < e.copies; i++)
        open_one(participant, e, w);
}

Bytes make(const Endpoint &e, unsigned long value)
{
    Bytes bytes = {0, static_cast<uint8_t>(e.is_big ? 0 : 1), 0, 0};
    for (int i = 0; i < 8; i++)
        bytes.push_back(static_cast<uint8_t>(value >> (e.is_big ? 56 - 8 * i : 8 * i)));
    for (unsigned long i = 0; i < e.size; i++)
        bytes.push_back(static_cast<uint8_t>(i * 7 + value));
    return bytes;
}

void print_bytes(const Endpoint &e, const char *what, const Bytes &bytes)
{
    uint32_t sum = 2166136261u;
    for (uint8_t byte : bytes)
        sum = (sum ^ byte) * 16777619u;
    std::string text;
    for (size_t i = 0; i < bytes.size() && i < 64; i++) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
        text += digits;
    }
    std::printf("%s %s %zu %08x %s\n", e.topic.c_str(), what, bytes.size(), sum, text.c_str());
}

void run_writer(Endpoint &e, unsigned long now_ms)
{
    PublicationMatchedStatus status;
    e.writer->get_publication_matched_status(status);
    if (status.total_count != e.matched_total) {
        std::printf("%s matched %d\n", e.topic.c_str(), status.current_count);
        if (status.total_count > e.matched_total && e.n_written >= e.n)
            e.n = e.n_written + 1;
        e.matched_total = status.total_count;
    }
    if (e.n_written >= e.n || (!e.is_eager && e.matched_total == 0) || now_ms < e.next_ms)
        return;
    Bytes bytes = make(e, ++e.n_written);
    if (e.prints_bytes)
        print_bytes(e, "sent", bytes);
    e.writer->write(&bytes);
    e.next_ms = now_ms + e.period_ms;
    if (e.n_written == e.n)
        std::printf("%s wrote %lu\n", e.topic.c_str(), e.n_written);
}

void run_reader(Endpoint &e)
{
    Bytes bytes;
    SampleInfo info;
    LivelinessChangedStatus liveliness;
    RequestedDeadlineMissedStatus deadline;
    while (e.reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
        if (!info.valid_data || bytes.size() < 12)
            continue;
        uint64_t value = 0;
        for (int i = 0; i < 8; i++)
            value |= static_cast<uint64_t>(bytes[4 + i]) << (bytes[1] == 0 ? 56 - 8 * i : 8 * i);
        std::printf("%s got %llu\n", e.topic.c_str(), static_cast<unsigned long long>(value));
        if (e.prints_bytes)
            print_bytes(e, "bytes", bytes);
    }
    e.reader->get_liveliness_changed_status(liveliness);
    if (liveliness.alive_count != e.alive || liveliness.not_alive_count != e.not_alive) {
        e.alive = liveliness.alive_count;
        e.not_alive = liveliness.not_alive_count;
        std::printf("%s alive %d %d\n", e.topic.c_str(), e.alive, e.not_alive);
    }
    e.reader->get_requested_deadline_missed_status(deadline);
    if (deadline.total_count != e.deadline) {
        e.deadline = deadline.total_count;
        std::printf("%s deadline %u\n", e.topic.c_str(), e.deadline);
    }
}

} // namespace

int main(int argc, char **argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc < 3)
        return 2;
    DomainParticipantQos qos;
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(
        std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>());
    DomainParticipant *participant = DomainParticipantFactory::get_instance()->create_participant(
        static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)), qos);
    if (participant == nullptr)
        return 3;
    for (int i = 2; i < argc; i++)
        open_endpoint(participant, argv[i]);
    std::printf("ready\n");
    for (unsigned long now_ms = 0;; now_ms += 5) {
        for (Endpoint &e : endpoints)
            if (e.is_writer)
                run_writer(e, now_ms);
            else
                run_reader(e);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}
