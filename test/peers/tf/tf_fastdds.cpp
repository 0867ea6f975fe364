// SPDX-License-Identifier: Apache-2.0
// Broadcasts /tf and /tf_static, or /clock, with Fast DDS alone; see test/wire/ros.
//
// usage: peer.tf_fastdds DOMAIN tf | clock
// clock: SIGUSR1 sets it back to 5 s, SIGUSR2 changes the speed: 1, 0, 10, 1 ...
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
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
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

using namespace eprosima::fastdds::dds;
using namespace eprosima::fastrtps::rtps;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

namespace {

struct Transform {
    int32_t sec = 0;
    uint32_t nanosec = 0;
    std::string parent, child;
    double values[7] = {0, 0, 0, 0, 0, 0, 1};
};

struct TFMessage {
    std::vector<Transform> transforms;
};

struct Clock {
    int32_t sec = 0;
    uint32_t nanosec = 0;
};

void put(Cdr &c, const TFMessage &m)
{
    c << static_cast<uint32_t>(m.transforms.size());
    for (const Transform &t : m.transforms) {
        c << t.sec << t.nanosec << t.parent << t.child;
        for (double value : t.values)
            c << value;
    }
}

void get(Cdr &c, TFMessage &m)
{
    uint32_t n = 0;
    c >> n;
    m.transforms.assign(n, Transform());
    for (Transform &t : m.transforms) {
        c >> t.sec >> t.nanosec >> t.parent >> t.child;
        for (double &value : t.values)
            c >> value;
    }
}

void put(Cdr &c, const Clock &m)
{
    c << m.sec << m.nanosec;
}

void get(Cdr &c, Clock &m)
{
    c >> m.sec >> m.nanosec;
}

uint32_t largest_size()
{
    return 65000;
}

template <typename T> class Type : public TopicDataType {
  public:
    explicit Type(const char *name)
    {
        setName(name);
        m_typeSize = largest_size();
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
        put(cdr, *static_cast<T *>(data));
        payload->length = static_cast<uint32_t>(cdr.getSerializedDataLength());
        return true;
    }
    bool deserialize(SerializedPayload_t *payload, void *data) override
    {
        try {
            FastBuffer buffer(reinterpret_cast<char *>(payload->data), payload->length);
            Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
            cdr.read_encapsulation();
            get(cdr, *static_cast<T *>(data));
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
};

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
    DataWriter *writer(Topic *topic, bool is_latched, int depth)
    {
        DataWriterQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.durability().kind =
            is_latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = depth;
        return publisher->create_datawriter(topic, qos);
    }
    DataReader *reader(Topic *topic, bool is_latched, int depth)
    {
        DataReaderQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.durability().kind =
            is_latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = depth;
        return subscriber->create_datareader(topic, qos);
    }
};

void pause_ms(int ms)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

Transform make(const char *parent, const char *child, int32_t sec, uint32_t nanosec, double x)
{
    Transform t;
    t.sec = sec;
    t.nanosec = nanosec;
    t.parent = parent;
    t.child = child;
    t.values[0] = x;
    return t;
}

void print(DataReader *reader, const char *what)
{
    TFMessage m;
    SampleInfo info;
    while (reader->take_next_sample(&m, &info) == ReturnCode_t::RETCODE_OK) {
        for (size_t i = 0; info.valid_data && i < m.transforms.size(); i++) {
            const Transform &t = m.transforms[i];
            if (t.child.compare(0, 4, "our_") == 0)
                std::printf("%s %s %s %d.%09u %g %zu of %zu\n", what, t.child.c_str(),
                            t.parent.c_str(), t.sec, t.nanosec, t.values[0], i,
                            m.transforms.size());
        }
    }
}

int run_tf(Peer &peer)
{
    TypeSupport type(new Type<TFMessage>("tf2_msgs::msg::dds_::TFMessage_"));
    Topic *fixed_topic = peer.topic("rt/tf_static", type), *topic = peer.topic("rt/tf", type);
    DataWriter *fixed = peer.writer(fixed_topic, true, 1), *moving = peer.writer(topic, false, 100);
    DataReader *fixed_reader = peer.reader(fixed_topic, true, 100);
    DataReader *moving_reader = peer.reader(topic, false, 100);
    TFMessage statics;
    statics.transforms = {make("base", "lens", 0, 0, 0.5), make("lens", "glass", 0, 0, 0.25)};
    fixed->write(&statics);
    std::printf("ready\n");
    for (int k = 0;; k++) {
        TFMessage m;
        m.transforms = {
            make("map", "base", 1000 + k / 100, static_cast<uint32_t>(k % 100) * 10000000u, k)};
        moving->write(&m);
        print(fixed_reader, "static");
        print(moving_reader, "tf");
        pause_ms(10);
    }
}

volatile std::sig_atomic_t n_back, n_speed;

void on_signal(int number)
{
    if (number == SIGUSR1)
        n_back = n_back + 1;
    else
        n_speed = n_speed + 1;
}

int run_clock(Peer &peer)
{
    static const long speeds[] = {1, 0, 10};
    TypeSupport type(new Type<Clock>("rosgraph_msgs::msg::dds_::Clock_"));
    DataWriter *writer = peer.writer(peer.topic("rt/clock", type), false, 1);
    std::signal(SIGUSR1, on_signal);
    std::signal(SIGUSR2, on_signal);
    std::printf("ready\n");
    long now_ms = 100000;
    for (int done = 0;;) {
        if (done < n_back) {
            now_ms = 5000;
            done++;
        }
        now_ms += 10 * speeds[n_speed % 3];
        Clock m;
        m.sec = static_cast<int32_t>(now_ms / 1000);
        m.nanosec = static_cast<uint32_t>(now_ms % 1000) * 1000000u;
        writer->write(&m);
        pause_ms(10);
    }
}

} // namespace

int main(int argc, char **argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc < 3)
        return 2;
    Peer peer(static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)));
    std::string mode = argv[2];
    if (mode == "tf")
        return run_tf(peer);
    if (mode == "clock")
        return run_clock(peer);
    return 2;
}
