// SPDX-License-Identifier: Apache-2.0
// What rmw_fastrtps_cpp does with ros_discovery_info: with gids of 24 bytes and no type hash as on
// Humble, or with gids of 16 bytes and the hash as on all later distributions. As Humble does, it
// believes each length that it reads, and dies when that asks for more memory than there is.
//
// usage: peer.ros_graph DOMAIN 16|24 NAME [deaf|hostile]
//
// It announces one node "/peer/NAME" with one publisher on /peer_topic and prints, for each
// message:
//   graph PREFIX_OF_GID N_NODES
//   node NAMESPACE NAME N_READERS N_WRITERS
//   graph_end
// deaf: it does not look at what it receives.
// hostile: what it announces is cut, swollen and forged instead, one after the other.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

namespace {

using Bytes = std::vector<uint8_t>;

/// More than this is what the kernel kills a process for.
constexpr uint64_t memory_max = 1u << 30;
constexpr size_t message_max = 1u << 20;

const char *const type_hash =
    "typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;";

uint32_t largest_size()
{
    return 4096;
}

/// Hands out the bytes as they are.
class Raw : public TopicDataType {
  public:
    explicit Raw(const std::string &name)
    {
        setName(name.c_str());
        m_typeSize = 4096;
        m_isGetKeyDefined = false;
        auto_fill_type_object(false);
        auto_fill_type_information(false);
    }
    bool serialize(void *data, SerializedPayload_t *payload) override
    {
        const Bytes &bytes = *static_cast<Bytes *>(data);
        if (bytes.size() > payload->max_size)
            return false;
        std::memcpy(payload->data, bytes.data(), bytes.size());
        payload->length = static_cast<uint32_t>(bytes.size());
        payload->encapsulation = CDR_LE;
        return true;
    }
    bool deserialize(SerializedPayload_t *payload, void *data) override
    {
        static_cast<Bytes *>(data)->assign(payload->data, payload->data + payload->length);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *) override
    {
        return largest_size;
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

[[noreturn]] void die(const char *what, uint64_t n)
{
    std::printf("died %s %llu\n", what, static_cast<unsigned long long>(n));
    std::fflush(stdout);
    std::_Exit(134);
}

/// Reads as generated code does: what a length says is reserved.
struct Reader {
    const Bytes &bytes;
    size_t position = 4;

    uint32_t u32(const char *what)
    {
        uint32_t value = 0;
        position = (position + 3) & ~static_cast<size_t>(3);
        if (position + 4 > bytes.size())
            die(what, bytes.size());
        std::memcpy(&value, &bytes[position], 4);
        position += 4;
        return value;
    }
    uint32_t count(const char *what, uint64_t element_size)
    {
        uint32_t n = u32(what);
        if (n * element_size > memory_max)
            die(what, n);
        return n;
    }
    void skip(const char *what, size_t size)
    {
        if (size > bytes.size() - position)
            die(what, size);
        position += size;
    }
    std::string text(const char *what)
    {
        uint32_t size = count(what, 1);
        size_t start = position;
        skip(what, size);
        return std::string(reinterpret_cast<const char *>(&bytes[start]), size > 0 ? size - 1 : 0);
    }
};

void print(const Bytes &bytes, uint32_t gid_size)
{
    Reader reader{bytes};
    size_t gid = reader.position;
    reader.skip("gid", gid_size);
    // std::vector<NodeEntitiesInfo> and two of Gid inside
    uint32_t n = reader.count("nodes", 128);
    std::printf("graph ");
    for (size_t i = 0; i < 12; i++)
        std::printf("%02x", bytes[gid + i]);
    std::printf(" %u\n", n);
    for (uint32_t i = 0; i < n; i++) {
        std::string ns = reader.text("namespace"), name = reader.text("name");
        uint32_t n_readers = reader.count("readers", gid_size);
        reader.skip("readers", static_cast<size_t>(n_readers) * gid_size);
        uint32_t n_writers = reader.count("writers", gid_size);
        reader.skip("writers", static_cast<size_t>(n_writers) * gid_size);
        std::printf("node %s %s %u %u\n", ns.c_str(), name.c_str(), n_readers, n_writers);
    }
    std::printf("graph_end\n");
}

void put_u32(Bytes &bytes, uint32_t value)
{
    while (bytes.size() % 4 != 0)
        bytes.push_back(0);
    for (int i = 0; i < 4; i++)
        bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

void put_text(Bytes &bytes, const std::string &text)
{
    put_u32(bytes, static_cast<uint32_t>(text.size() + 1));
    bytes.insert(bytes.end(), text.begin(), text.end());
    bytes.push_back(0);
}

void put_gid(Bytes &bytes, const GUID_t &guid, uint32_t gid_size)
{
    bytes.insert(bytes.end(), guid.guidPrefix.value, guid.guidPrefix.value + 12);
    bytes.insert(bytes.end(), guid.entityId.value, guid.entityId.value + 4);
    bytes.insert(bytes.end(), gid_size - 16, 0);
}

Bytes make(const GUID_t &participant, const GUID_t &writer, const std::string &name,
           uint32_t gid_size)
{
    Bytes bytes = {0, 1, 0, 0};
    put_gid(bytes, participant, gid_size);
    put_u32(bytes, 1);
    put_text(bytes, "/peer");
    put_text(bytes, name);
    put_u32(bytes, 0);
    put_u32(bytes, 1);
    put_gid(bytes, writer, gid_size);
    return bytes;
}

/// One more way to be wrong each time.
Bytes spoil(Bytes bytes, unsigned round)
{
    switch (round % 6) {
    case 0: // RTPS fills up to four
        bytes.resize(bytes.size() - 4 - round % 40);
        break;
    case 1: // far more nodes than there are
        std::memset(&bytes[4 + 16], 0xff, 4);
        break;
    case 2: // somebody else's
        bytes[4 + 5] ^= 0xff;
        break;
    case 3:
        bytes = {0, 1, 0, 0};
        break;
    case 4: // not plain CDR
        bytes[1] = 0x0b;
        break;
    default: // escape sequences for the terminal
        bytes[4 + 16 + 4 + 4] = 0x1b;
        break;
    }
    return bytes;
}

template <typename Qos> void set_user_data(Qos &qos, const std::string &text)
{
    qos.user_data().setValue(std::vector<octet>(text.begin(), text.end()));
}

DomainParticipant *make_participant(uint32_t domain)
{
    DomainParticipantQos qos;
    set_user_data(qos, std::string("enclave=/peer;") + '\0');
    // shared memory would only hide the wire; a killed peer is gone soon
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(
        std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>());
    qos.wire_protocol().builtin.discovery_config.leaseDuration =
        eprosima::fastrtps::Duration_t(2, 0);
    qos.wire_protocol().builtin.discovery_config.leaseDuration_announcementperiod =
        eprosima::fastrtps::Duration_t(0, 500000000);
    return DomainParticipantFactory::get_instance()->create_participant(domain, qos);
}

template <typename Qos> Qos graph_qos(int depth, const std::string &user_data)
{
    Qos qos;
    qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    qos.durability().kind = TRANSIENT_LOCAL_DURABILITY_QOS;
    qos.history().kind = KEEP_LAST_HISTORY_QOS;
    qos.history().depth = depth;
    qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    if (!user_data.empty())
        set_user_data(qos, user_data);
    return qos;
}

} // namespace

int main(int argc, char **argv)
{
    (void)std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc < 4)
        return 2;
    uint32_t gid_size = static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10));
    // whoever believes all would die of a hostile one's poison, also of his own
    bool is_deaf = argc > 4;
    bool is_hostile = argc > 4 && std::strcmp(argv[4], "hostile") == 0;
    // Humble knows no hashes
    std::string user_data = gid_size == 16 ? type_hash : "";
    DomainParticipant *participant =
        make_participant(static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)));
    if (participant == nullptr)
        return 3;
    TypeSupport graph_type(new Raw("rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"));
    TypeSupport data_type(new Raw("std_msgs::msg::dds_::String_"));
    graph_type.register_type(participant);
    data_type.register_type(participant);
    Topic *graph = participant->create_topic("ros_discovery_info", graph_type.get_type_name(),
                                             TOPIC_QOS_DEFAULT);
    Topic *data =
        participant->create_topic("rt/peer_topic", data_type.get_type_name(), TOPIC_QOS_DEFAULT);
    Publisher *publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
    Subscriber *subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    DataReader *reader =
        subscriber->create_datareader(graph, graph_qos<DataReaderQos>(1000, user_data));
    DataWriter *writer =
        publisher->create_datawriter(graph, graph_qos<DataWriterQos>(1, user_data));
    DataWriter *data_writer =
        publisher->create_datawriter(data, graph_qos<DataWriterQos>(1, user_data));
    Bytes announcement = make(participant->guid(), data_writer->guid(), argv[3], gid_size);
    Bytes first = is_hostile ? spoil(announcement, 0) : announcement;
    writer->write(&first);
    std::printf("ready\n");
    for (unsigned round = 1;; round++) {
        Bytes bytes;
        SampleInfo info;
        while (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK)
            if (info.valid_data && !is_deaf)
                print(bytes, gid_size);
        if (is_hostile) {
            Bytes next = spoil(announcement, round);
            writer->write(&next);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}
