// SPDX-License-Identifier: Apache-2.0
// What an rmw_fastrtps_cpp action client or server does on the wire, with Fast DDS alone. See
// script.h for its use.
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

#include "script.h"

using namespace eprosima::fastdds::dds;
using namespace eprosima::fastrtps::rtps;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

namespace {

enum What { GOAL, RESULT, CANCEL, N_SERVICES };

struct Info {
    std::array<uint8_t, 16> id{};
    int32_t sec = 0;
    uint32_t nanosec = 0;
    uint8_t status = 0;
};

/// One struct for all messages; each type writes and reads its own members.
struct Message {
    Info info;
    int32_t order = 0;
    bool is_accepted = false;
    uint8_t code = 0;
    std::vector<int32_t> numbers;
    std::vector<Info> goals;
};

using Walk = void (*)(Cdr &, Message &, bool);

template <typename T> void one(Cdr &c, T &value, bool is_read)
{
    if (is_read)
        c >> value;
    else
        c << value;
}

void walk_info(Cdr &c, Info &i, bool is_read)
{
    one(c, i.id, is_read);
    one(c, i.sec, is_read);
    one(c, i.nanosec, is_read);
}

void goal_request(Cdr &c, Message &m, bool is_read)
{
    one(c, m.info.id, is_read);
    one(c, m.order, is_read);
}

void goal_reply(Cdr &c, Message &m, bool is_read)
{
    one(c, m.is_accepted, is_read);
    one(c, m.info.sec, is_read);
    one(c, m.info.nanosec, is_read);
}

void result_request(Cdr &c, Message &m, bool is_read)
{
    one(c, m.info.id, is_read);
}

void result_reply(Cdr &c, Message &m, bool is_read)
{
    one(c, m.code, is_read);
    one(c, m.numbers, is_read);
}

void cancel_request(Cdr &c, Message &m, bool is_read)
{
    walk_info(c, m.info, is_read);
}

void walk_infos(Cdr &c, Message &m, bool is_read, bool has_status)
{
    uint32_t n = static_cast<uint32_t>(m.goals.size());
    one(c, n, is_read);
    if (is_read)
        m.goals.resize(n < ACT_GOALS_MAX ? n : ACT_GOALS_MAX);
    for (Info &goal : m.goals) {
        walk_info(c, goal, is_read);
        if (has_status)
            one(c, goal.status, is_read);
    }
}

void cancel_reply(Cdr &c, Message &m, bool is_read)
{
    one(c, m.code, is_read);
    walk_infos(c, m, is_read, false);
}

void feedback_message(Cdr &c, Message &m, bool is_read)
{
    one(c, m.info.id, is_read);
    one(c, m.numbers, is_read);
}

void status_message(Cdr &c, Message &m, bool is_read)
{
    walk_infos(c, m, is_read, true);
}

uint32_t largest_size()
{
    return 16384;
}

class Type : public TopicDataType {
  public:
    Type(const std::string &name, Walk walk) : walk_(walk)
    {
        setName(name.c_str());
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
        walk_(cdr, *static_cast<Message *>(data), false);
        payload->length = static_cast<uint32_t>(cdr.getSerializedDataLength());
        return true;
    }
    bool deserialize(SerializedPayload_t *payload, void *data) override
    {
        try {
            FastBuffer buffer(reinterpret_cast<char *>(payload->data), payload->length);
            Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
            cdr.read_encapsulation();
            walk_(cdr, *static_cast<Message *>(data), true);
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

  private:
    Walk walk_;
};

const char *const names[N_SERVICES] = {"send_goal", "get_result", "cancel_goal"};
const char *const prefixes[N_SERVICES] = {"example_interfaces::action::dds_::Fibonacci_SendGoal",
                                          "example_interfaces::action::dds_::Fibonacci_GetResult",
                                          "action_msgs::srv::dds_::CancelGoal"};
const Walk walks[N_SERVICES][2] = {
    {goal_request, goal_reply}, {result_request, result_reply}, {cancel_request, cancel_reply}};

/// The one peer of the process.
struct Peer {
    bool is_server = false;
    DomainParticipant *participant = nullptr;
    Publisher *publisher = nullptr;
    Subscriber *subscriber = nullptr;
    DataReader *readers[N_SERVICES] = {}, *feedback_reader = nullptr, *status_reader = nullptr;
    DataWriter *writers[N_SERVICES] = {}, *feedback_writer = nullptr, *status_writer = nullptr;

    Topic *topic(const std::string &name, const std::string &type_name, Walk walk) const
    {
        TypeSupport type(new Type(type_name, walk));
        type.register_type(participant);
        return participant->create_topic(name, type_name, TOPIC_QOS_DEFAULT);
    }
    DataWriter *writer(Topic *t, bool is_latched) const
    {
        DataWriterQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.durability().kind =
            is_latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = is_latched ? 1 : 10;
        qos.publish_mode().kind = SYNCHRONOUS_PUBLISH_MODE;
        // what is lost is found soon, so that a test with loss is short
        qos.reliable_writer_qos().times.heartbeatPeriod =
            eprosima::fastrtps::Duration_t(0, 200000000);
        qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        return publisher->create_datawriter(t, qos);
    }
    DataReader *reader(Topic *t, bool is_latched) const
    {
        DataReaderQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.durability().kind =
            is_latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
        qos.history().kind = KEEP_LAST_HISTORY_QOS;
        qos.history().depth = is_latched ? 1 : 10;
        qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        return subscriber->create_datareader(t, qos);
    }
};

Peer peer;

void open_service(int i)
{
    std::string base = std::string("fibonacci/_action/") + names[i];
    Topic *request =
        peer.topic("rq/" + base + "Request", std::string(prefixes[i]) + "_Request_", walks[i][0]);
    Topic *reply =
        peer.topic("rr/" + base + "Reply", std::string(prefixes[i]) + "_Response_", walks[i][1]);
    peer.readers[i] = peer.reader(peer.is_server ? request : reply, false);
    peer.writers[i] = peer.writer(peer.is_server ? reply : request, false);
}

bool has_writer(DataReader *reader)
{
    SubscriptionMatchedStatus s;
    return reader->get_subscription_matched_status(s) == ReturnCode_t::RETCODE_OK &&
           s.current_count > 0;
}

bool has_reader(DataWriter *writer)
{
    PublicationMatchedStatus s;
    return writer->get_publication_matched_status(s) == ReturnCode_t::RETCODE_OK &&
           s.current_count > 0;
}

void copy_numbers(act_event *event, const Message &m)
{
    event->n_sequence = static_cast<uint32_t>(
        m.numbers.size() < ACT_SEQUENCE_MAX ? m.numbers.size() : ACT_SEQUENCE_MAX);
    std::copy_n(m.numbers.begin(), event->n_sequence, event->sequence);
}

void copy_goals(act_event *event, const Message &m)
{
    event->n_goals = static_cast<uint32_t>(m.goals.size());
    for (uint32_t i = 0; i < event->n_goals; i++) {
        std::memcpy(event->ids[i], m.goals[i].id.data(), 16);
        event->states[i] = m.goals[i].status;
    }
}

int64_t number_of(const SampleIdentity &id)
{
    const SequenceNumber_t &s = id.sequence_number();
    return (static_cast<int64_t>(s.high) << 32) + s.low;
}

bool poll_topics(act_event *event)
{
    Message m;
    SampleInfo info;
    while (peer.feedback_reader->take_next_sample(&m, &info) == ReturnCode_t::RETCODE_OK)
        if (info.valid_data) {
            event->kind = ACT_FEEDBACK;
            std::memcpy(event->id, m.info.id.data(), 16);
            copy_numbers(event, m);
            return true;
        }
    while (peer.status_reader->take_next_sample(&m, &info) == ReturnCode_t::RETCODE_OK)
        if (info.valid_data) {
            event->kind = ACT_STATUS;
            copy_goals(event, m);
            return true;
        }
    return false;
}

void fill_request(act_event *event, int i, const Message &m, const SampleInfo &info)
{
    static const act_kind kinds[] = {ACT_GOAL_REQUEST, ACT_RESULT_REQUEST, ACT_CANCEL_REQUEST};
    // as rmw_fastrtps: the reply names the client's reader if the request named it
    GUID_t guid = info.sample_identity.writer_guid();
    GUID_t named = info.related_sample_identity.writer_guid();
    if (named != GUID_t::unknown())
        guid = named;
    int64_t number = number_of(info.sample_identity);
    event->kind = kinds[i];
    std::memcpy(event->identity, guid.guidPrefix.value, 12);
    std::memcpy(event->identity + 12, guid.entityId.value, 4);
    std::memcpy(event->identity + 16, &number, sizeof number);
    std::memcpy(event->id, m.info.id.data(), 16);
    event->sec = m.info.sec;
    event->nanosec = m.info.nanosec;
    event->order = m.order;
}

bool fill_reply(act_event *event, int i, const Message &m, const SampleInfo &info)
{
    static const act_kind kinds[] = {ACT_GOAL_REPLY, ACT_RESULT_REPLY, ACT_CANCEL_REPLY};
    GUID_t guid = info.related_sample_identity.writer_guid();
    event->kind = kinds[i];
    event->call = number_of(info.related_sample_identity);
    event->is_accepted = m.is_accepted;
    event->status = event->code = m.code;
    copy_numbers(event, m);
    copy_goals(event, m);
    return guid == peer.readers[i]->guid() || guid == peer.writers[i]->guid();
}

int64_t request(int i, Message &m)
{
    WriteParams params;
    params.related_sample_identity().writer_guid() = peer.readers[i]->guid();
    peer.writers[i]->write(&m, params);
    return number_of(params.sample_identity());
}

void reply(int i, const act_event *request, Message &m)
{
    WriteParams params;
    GUID_t guid;
    int64_t number;
    std::memcpy(guid.guidPrefix.value, request->identity, 12);
    std::memcpy(guid.entityId.value, request->identity + 12, 4);
    std::memcpy(&number, request->identity + 16, sizeof number);
    params.related_sample_identity().writer_guid() = guid;
    params.related_sample_identity().sequence_number() = SequenceNumber_t(
        static_cast<int32_t>(number >> 32), static_cast<uint32_t>(number & 0xffffffff));
    peer.writers[i]->write(&m, params);
}

} // namespace

void act_open(uint32_t domain, bool is_server)
{
    DomainParticipantQos qos;
    std::string user_data = "enclave=/;";
    qos.user_data().setValue(std::vector<octet>(user_data.begin(), user_data.end()));
    // shared memory would only hide the wire
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(
        std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>());
    peer.is_server = is_server;
    peer.participant = DomainParticipantFactory::get_instance()->create_participant(domain, qos);
    if (peer.participant == nullptr)
        std::exit(3);
    peer.publisher = peer.participant->create_publisher(PUBLISHER_QOS_DEFAULT);
    peer.subscriber = peer.participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    Topic *feedback = peer.topic("rt/fibonacci/_action/feedback",
                                 "example_interfaces::action::dds_::Fibonacci_FeedbackMessage_",
                                 feedback_message);
    Topic *status = peer.topic("rt/fibonacci/_action/status",
                               "action_msgs::msg::dds_::GoalStatusArray_", status_message);
    if (is_server) {
        peer.feedback_writer = peer.writer(feedback, false);
        peer.status_writer = peer.writer(status, true);
    } else {
        peer.feedback_reader = peer.reader(feedback, false);
        peer.status_reader = peer.reader(status, true);
    }
    for (int i = 0; i < N_SERVICES; i++)
        open_service(i);
}

bool act_is_matched(void)
{
    bool is_matched = peer.is_server
                          ? has_reader(peer.feedback_writer) && has_reader(peer.status_writer)
                          : has_writer(peer.feedback_reader) && has_writer(peer.status_reader);
    for (int i = 0; i < N_SERVICES; i++)
        is_matched = is_matched && has_writer(peer.readers[i]) && has_reader(peer.writers[i]);
    return is_matched;
}

void act_pause_ms(int ms)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

bool act_poll(act_event *event)
{
    std::memset(event, 0, sizeof *event);
    if (!peer.is_server && poll_topics(event))
        return true;
    for (int i = 0; i < N_SERVICES; i++) {
        Message m;
        SampleInfo info;
        while (peer.readers[i]->take_next_sample(&m, &info) == ReturnCode_t::RETCODE_OK) {
            if (!info.valid_data)
                continue;
            bool is_ours = true;
            if (peer.is_server)
                fill_request(event, i, m, info);
            else
                is_ours = fill_reply(event, i, m, info);
            if (is_ours)
                return true;
        }
    }
    return false;
}

int64_t act_send_goal(const uint8_t id[16], int32_t order)
{
    Message m;
    std::memcpy(m.info.id.data(), id, 16);
    m.order = order;
    return request(GOAL, m);
}

int64_t act_send_result(const uint8_t id[16])
{
    Message m;
    std::memcpy(m.info.id.data(), id, 16);
    return request(RESULT, m);
}

int64_t act_send_cancel(const uint8_t id[16], int32_t sec, uint32_t nanosec)
{
    Message m;
    std::memcpy(m.info.id.data(), id, 16);
    m.info.sec = sec;
    m.info.nanosec = nanosec;
    return request(CANCEL, m);
}

void act_reply_goal(const act_event *request, bool is_accepted)
{
    Message m;
    m.is_accepted = is_accepted;
    m.info.sec = 7;
    reply(GOAL, request, m);
}

void act_reply_result(const act_event *request, int state, const int32_t *sequence, uint32_t n)
{
    Message m;
    m.code = static_cast<uint8_t>(state);
    m.numbers.assign(sequence, sequence + n);
    reply(RESULT, request, m);
}

void act_reply_cancel(const act_event *request, int code, const uint8_t ids[][16], uint32_t n)
{
    Message m;
    m.code = static_cast<uint8_t>(code);
    m.goals.resize(n);
    for (uint32_t i = 0; i < n; i++)
        std::memcpy(m.goals[i].id.data(), ids[i], 16);
    reply(CANCEL, request, m);
}

void act_feedback(const uint8_t id[16], const int32_t *sequence, uint32_t n)
{
    Message m;
    std::memcpy(m.info.id.data(), id, 16);
    m.numbers.assign(sequence, sequence + n);
    peer.feedback_writer->write(&m);
}

void act_status(const uint8_t ids[][16], const int *states, uint32_t n)
{
    Message m;
    m.goals.resize(n);
    for (uint32_t i = 0; i < n; i++) {
        std::memcpy(m.goals[i].id.data(), ids[i], 16);
        m.goals[i].status = static_cast<uint8_t>(states[i]);
    }
    peer.status_writer->write(&m);
}

int main(int argc, char **argv)
{
    return act_main(argc, argv);
}
